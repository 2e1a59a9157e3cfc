"""Market cards of Imhotep: deck, discard pile and market, and who knows which card.

The deck is a set of unseen cards. A card gets its kind the moment somebody sees it: face-down cards in the market and those that
were discarded unseen are unseen cards like those of the deck.
"""

from __future__ import annotations

from perankh.engine.api import below, rule

from .table import (
    CHOOSE_PAIR,
    COPIES,
    FACE_DOWN,
    KINDS,
    KNOWN,
    NONE,
    PAIR,
    PAIR_SLOT,
    REJECTED,
    ROUNDS,
    SECRET,
    SIDE_B,
    SLOTS,
    State,
    unseen_cards,
)

# --- Deck -------------------------------------------------------------------------------------------------------


@rule
def shuffle_all(s: State) -> None:
    """All market cards face down: the deck (IMH-S4)."""
    for kind in range(KINDS):
        s.unseen[kind] = COPIES[kind]
    s.deck = unseen_cards(s)


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
        if s.hidden[i] == FACE_DOWN:
            others -= 1
    for i in range(REJECTED, REJECTED + ROUNDS):
        if s.hidden[i] != NONE:
            others += 1
    for i in range(PAIR):
        if s.hidden[i] == FACE_DOWN:
            # With no other unseen card anywhere everybody can tell what lies there.
            s.hidden[i] = (KNOWN if others == 0 else SECRET) + turn_up(s)
    for i in range(REJECTED, REJECTED + ROUNDS):
        if s.hidden[i] != NONE:
            s.unseen[s.hidden[i] - SECRET] += 1
            s.hidden[i] = NONE
    for kind in range(KINDS):
        s.unseen[kind] += s.discard[kind]
        s.discard[kind] = 0
    s.buried = 0
    s.deck = unseen_cards(s)
    if s.deck > 0:
        s.shuffles += 1


# --- Market -----------------------------------------------------------------------------------------------------


@rule
def fill_market(s: State) -> None:
    """Cards for slot 1 to slot 4, on side B two face-down ones for slot 4 (IMH-R3, D4)."""
    for slot in range(SLOTS):
        if slot == PAIR_SLOT and s.market_side == SIDE_B:
            for i in range(PAIR):
                if take_from_deck(s):
                    s.hidden[i] = FACE_DOWN
        elif take_from_deck(s):
            s.market[slot] = 1 + turn_up(s)


@rule
def is_offer(s: State, slot: int) -> bool:
    """Whether a slot still has something to take (IMH-M1, M4)."""
    if slot == PAIR_SLOT and s.market_side == SIDE_B:
        return s.hidden[0] != NONE or s.hidden[1] != NONE
    return s.market[slot] > 0


@rule
def any_offer(s: State) -> bool:
    """Whether the market has something to take (IMH-M6)."""
    for slot in range(SLOTS):
        if is_offer(s, slot):
            return True
    return False


@rule
def hidden_kind(s: State, i: int) -> int:
    """The kind of a face-down card that somebody has seen, -1 for none."""
    if s.hidden[i] >= SECRET:
        return s.hidden[i] - SECRET
    return s.hidden[i] - KNOWN if s.hidden[i] >= KNOWN else -1


@rule
def look_at_pair(s: State) -> None:
    """The taker sees both face-down cards, alone (IMH-M4)."""
    for i in range(PAIR):
        if s.hidden[i] == FACE_DOWN:
            s.hidden[i] = SECRET + turn_up(s)


@rule
def reject_other(s: State, p: int, kind: int) -> None:
    """Discard the card of the pair that is not kept, and leave the slot empty (IMH-M4)."""
    kept = 0 if hidden_kind(s, 0) == kind else 1
    other = hidden_kind(s, 1 - kept)
    if other >= 0:
        if s.discard_open or s.hidden[1 - kept] < SECRET:
            s.discard[other] += 1
        else:
            s.hidden[REJECTED + s.round - 1] = SECRET + other
            s.rejecter[s.round - 1] = p
    s.hidden[0] = NONE
    s.hidden[1] = NONE


@rule
def clear_market(s: State) -> None:
    """Cards left on the market are discarded, an untouched pair too (IMH-R7)."""
    for slot in range(SLOTS):
        if s.market[slot] > 0:
            s.discard[s.market[slot] - 1] += 1
            s.market[slot] = 0
    for i in range(PAIR):
        if s.hidden[i] >= SECRET:
            s.unseen[s.hidden[i] - SECRET] += 1
            s.buried += 1
        elif s.hidden[i] >= KNOWN:
            s.discard[s.hidden[i] - KNOWN] += 1
        elif s.hidden[i] == FACE_DOWN:
            if s.discard_open:
                s.discard[turn_up(s)] += 1
            else:
                s.buried += 1
        s.hidden[i] = NONE


# --- Who knows what ---------------------------------------------------------------------------------------------


@rule
def veil(s: State, p: int) -> None:
    """The pair is seen by its taker alone, a card rejected onto a closed pile by its rejecter alone (IMH-M4)."""
    for i in range(PAIR + ROUNDS):
        sees = s.rejecter[i - REJECTED] == p if i >= REJECTED else s.step == CHOOSE_PAIR and s.chooser == p
        if s.hidden[i] >= SECRET and not sees:
            s.unseen[s.hidden[i] - SECRET] += 1
            s.hidden[i] = FACE_DOWN


@rule
def redeal(s: State) -> None:
    """Unseen cards for the pair that somebody looks at and for the rejected cards of others."""
    if s.step == CHOOSE_PAIR:
        look_at_pair(s)
    for i in range(REJECTED, REJECTED + ROUNDS):
        if s.hidden[i] == FACE_DOWN:
            s.hidden[i] = SECRET + turn_up(s)
