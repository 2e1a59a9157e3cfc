"""Market cards: deck, discard pile and market, taking and receiving cards.

The deck is a set of unseen cards. A card gets its kind the moment somebody sees it: face-down cards in the market and those that
were discarded unseen are unseen cards like those of the deck.
"""

from __future__ import annotations

from perankh.engine.api import below, rule, tell

from . import building, ships
from .components import COPIES, KINDS, PAIR, PAIR_SLOT, REDS, ROUNDS, SITE_OF, SLOTS
from .events import Event
from .state import REJECTED, FaceDown, Side, State, Step

# --- Deck -------------------------------------------------------------------------------------------------------


@rule
def shuffle_all(s: State) -> None:
    """All market cards face down: the deck (IMH-S4)."""
    for kind in range(KINDS):
        s.unseen[kind] = COPIES[kind]
    s.deck = unseen_cards(s)


@rule
def unseen_cards(s: State) -> int:
    """How many cards nobody has seen."""
    n = 0
    for kind in range(KINDS):
        n += s.unseen[kind]
    return n


@rule
def turn_up(s: State) -> int:
    """See an unseen card: any of them is as likely (IMH-S4)."""
    skip = below(s, unseen_cards(s))
    kind = 0
    while skip >= s.unseen[kind]:
        skip -= s.unseen[kind]
        kind += 1
    s.unseen[kind] -= 1
    return kind


@rule
def take_from_deck(s: State) -> bool:
    """Lift the top card, still unseen; an empty deck is made anew first. False if there is none (IMH-D1, D2, D4)."""
    if s.deck == 0:
        shuffle_discards(s)
    if s.deck == 0:
        return False
    s.deck -= 1
    return True


@rule
def shuffle_discards(s: State) -> None:
    """The discard pile becomes the deck; cards on display, held or being resolved stay where they are (IMH-D2, D3)."""
    others = unseen_cards(s)
    for i in range(PAIR):
        if s.hidden[i] == FaceDown.UNSEEN:
            others -= 1
    for i in range(REJECTED, REJECTED + ROUNDS):
        if s.hidden[i] != FaceDown.NONE:
            others += 1
    for i in range(PAIR):
        if s.hidden[i] == FaceDown.UNSEEN:
            # With no other unseen card anywhere everybody can tell what lies there.
            s.hidden[i] = (FaceDown.KNOWN if others == 0 else FaceDown.SECRET) + turn_up(s)
    for i in range(REJECTED, REJECTED + ROUNDS):
        if s.hidden[i] != FaceDown.NONE:
            s.unseen[s.hidden[i] - FaceDown.SECRET] += 1
            s.hidden[i] = FaceDown.NONE
    for kind in range(KINDS):
        s.unseen[kind] += s.discard[kind]
        s.discard[kind] = 0
    s.buried = 0
    s.deck = unseen_cards(s)
    if s.deck > 0:
        s.shuffles += 1
        tell(s, Event.SHUFFLED, -1)


# --- Market -----------------------------------------------------------------------------------------------------


@rule
def fill_market(s: State) -> None:
    """Cards for slot 1 to slot 4, on side B two face-down ones for slot 4 (IMH-R3, D4)."""
    for slot in range(SLOTS):
        if is_pair_slot(s, slot):
            cards = 0
            while cards < PAIR and take_from_deck(s):
                s.hidden[cards] = FaceDown.UNSEEN
                cards += 1
            if cards > 0:
                tell(s, Event.PAIR_OFFERED, -1, cards)
        elif take_from_deck(s):
            s.market[slot] = 1 + turn_up(s)
            tell(s, Event.OFFERED, -1, slot, s.market[slot] - 1)


@rule
def is_pair_slot(s: State, slot: int) -> bool:
    """Whether a slot holds the face-down pair of side B (IMH-M4)."""
    return slot == PAIR_SLOT and s.market_side == Side.B


@rule
def is_offer(s: State, slot: int) -> bool:
    """Whether a slot still has something to take (IMH-M1, M4)."""
    if is_pair_slot(s, slot):
        return s.hidden[0] != FaceDown.NONE or s.hidden[1] != FaceDown.NONE
    return s.market[slot] > 0


@rule
def any_offer(s: State) -> bool:
    """Whether the market has something to take (IMH-M6)."""
    for slot in range(SLOTS):
        if is_offer(s, slot):
            return True
    return False


@rule
def take_offer(s: State, p: int, slot: int) -> None:
    """A face-up card, or a look at the face-down pair (IMH-M1, M4)."""
    if is_pair_slot(s, slot):
        look_at_pair(s, p)
        s.step = Step.PAIR
    else:
        kind = s.market[slot] - 1
        s.market[slot] = 0
        tell(s, Event.TOOK, p, kind)
        ships.stone_served(s, p)
        receive(s, p, kind)


@rule
def clear_market(s: State) -> None:
    """Cards left on the market are discarded, an untouched pair too (IMH-R7)."""
    for slot in range(SLOTS):
        if s.market[slot] > 0:
            s.discard[s.market[slot] - 1] += 1
            s.market[slot] = 0
    for i in range(PAIR):
        if s.hidden[i] == FaceDown.UNSEEN and s.discard_open:
            s.hidden[i] = FaceDown.KNOWN + turn_up(s)
        if s.hidden[i] >= FaceDown.SECRET:
            s.unseen[s.hidden[i] - FaceDown.SECRET] += 1
            s.buried += 1
        elif s.hidden[i] >= FaceDown.KNOWN:
            s.discard[s.hidden[i] - FaceDown.KNOWN] += 1
            tell(s, Event.PAIR_DISCARDED, -1, s.hidden[i] - FaceDown.KNOWN)
        elif s.hidden[i] == FaceDown.UNSEEN:
            s.buried += 1
        s.hidden[i] = FaceDown.NONE


# --- The pair of side B -----------------------------------------------------------------------------------------


@rule
def hidden_kind(s: State, i: int) -> int:
    """The kind of a face-down card that somebody has seen, -1 for none."""
    if s.hidden[i] >= FaceDown.SECRET:
        return s.hidden[i] - FaceDown.SECRET
    return s.hidden[i] - FaceDown.KNOWN if s.hidden[i] >= FaceDown.KNOWN else -1


@rule
def look_at_pair(s: State, p: int) -> None:
    """P sees both face-down cards, alone (IMH-M4)."""
    for i in range(PAIR):
        if s.hidden[i] == FaceDown.UNSEEN:
            s.hidden[i] = FaceDown.SECRET + turn_up(s)
    tell(s, Event.LOOKED, p, hidden_kind(s, 0), hidden_kind(s, 1))


@rule
def keep(s: State, p: int, kind: int) -> None:
    """P keeps a card of the pair and receives it (IMH-M4, M5)."""
    tell(s, Event.KEPT, p, kind)
    reject_other(s, p, kind)
    ships.stone_served(s, p)
    receive(s, p, kind)


@rule
def reject_other(s: State, p: int, kind: int) -> None:
    """Discard the card of the pair that is not kept, and leave the slot empty (IMH-M4)."""
    kept = 0 if hidden_kind(s, 0) == kind else 1
    other = hidden_kind(s, 1 - kept)
    if other >= 0:
        if s.discard_open or s.hidden[1 - kept] < FaceDown.SECRET:
            s.discard[other] += 1
            tell(s, Event.REJECTED, p, other)
        else:
            s.hidden[REJECTED + s.round - 1] = FaceDown.SECRET + other
            s.rejecter[s.round - 1] = p
            tell(s, Event.REJECTED_FACE_DOWN, p, other)
    s.hidden[0] = FaceDown.NONE
    s.hidden[1] = FaceDown.NONE


# --- Receiving cards --------------------------------------------------------------------------------------------


@rule
def draw_card(s: State, p: int) -> None:
    """P receives the top card of the deck (IMH-P5, N8)."""
    if take_from_deck(s):
        kind = turn_up(s)
        tell(s, Event.DREW, p, kind)
        receive(s, p, kind)


@rule
def receive(s: State, p: int, kind: int) -> None:
    """A red card places a quarry stone at once, any other lies face up before p (IMH-M2, C1 to C4)."""
    if kind >= REDS:
        s.held[p][kind] += 1
        return
    s.red[kind] += 1
    if s.quarry[p] > 0:
        s.quarry[p] -= 1
        tell(s, Event.RED_STONE, p, kind)
        building.place(s, p, SITE_OF[kind])
    else:
        tell(s, Event.RED_NO_STONE, p, kind)


@rule
def discard_reds(s: State) -> None:
    """Red cards go to the discard pile when all that they set off is resolved (IMH-C5)."""
    for kind in range(REDS):
        if s.red[kind] > 0:
            s.discard[kind] += s.red[kind]
            s.red[kind] = 0
