"""The Sphinx of Egizia: dealing and choosing at set-up, the deck as a tape of places, drawing, keeping and returning.

Places of the tape are the shuffled deck after set-up; cards that go back under the deck are added at its end. A place holds a
card from the moment somebody knows it; until then any unseen card may lie there.
"""

from __future__ import annotations

from perankh.engine.api import below, masks, rule, tell

from . import nile, tracks
from .components import ALL_SPHINX, KEEP_TWO, RETURNED_VP, UNMARKED_SPHINX
from .events import Event
from .state import Action, KeepTwo, SphinxReturn, State, Step

# --- The deck -----------------------------------------------------------------------------------------------------


@rule
def all_sphinx(s: State) -> int:
    """The Sphinx cards in the game, as a set (EGZ-Q7)."""
    return ALL_SPHINX if s.players > 2 else UNMARKED_SPHINX


@rule
def fresh_places(s: State) -> int:
    """Cards of the deck after set-up."""
    return masks.count(all_sphinx(s)) - s.players


@rule
def deal_sphinx(s: State) -> None:
    """Two cards to each player (EGZ-S6)."""
    cards = all_sphinx(s)
    for p in range(s.players):
        for i in range(2):
            card = masks.nth(cards, below(s, masks.count(cards)))
            cards = masks.removed(cards, card)
            s.dealt[p][i] = 1 + card


@rule
def choose_dealt(s: State, p: int, card: int) -> None:
    """Keep one of the two cards; the other one goes back (EGZ-S6)."""
    if s.dealt[p][1] == 1 + card:
        s.dealt[p][1] = s.dealt[p][0]
        s.dealt[p][0] = 1 + card
    s.decided = masks.added(s.decided, p)
    tell(s, Event.KEPT_DEALT, p, s.dealt[p][0] - 1, s.dealt[p][1] - 1)


@rule
def list_dealt(s: State, p: int, out: list[int]) -> int:
    """Either of the two Sphinx cards dealt (EGZ-S6)."""
    out[0] = Action.SPHINX + min(s.dealt[p][0], s.dealt[p][1]) - 1
    out[1] = Action.SPHINX + max(s.dealt[p][0], s.dealt[p][1]) - 1
    return 2


@rule
def returned_before(s: State, draw: int) -> int:
    """The first place of the cards returned in a draw."""
    place = fresh_places(s)
    for e in range(draw):
        place += s.draw_size[e] - s.draw_keeps[e]
    return place


@rule
def returned_in(s: State, e: int, returned: int) -> int:
    """Cards that have gone back in a draw, whose first place is given; the last draw may be under way."""
    return s.draw_size[e] - s.draw_keeps[e] if e < s.draws - 1 else s.tape_end - returned


@rule
def drawn_before(s: State, draw: int) -> int:
    """The first place of the cards drawn in a draw."""
    place = 0
    for e in range(draw):
        place += s.draw_size[e]
    return place


@rule
def unseen_cards(s: State) -> int:
    """The cards of the deck after set-up that nobody has drawn, as a set."""
    cards = all_sphinx(s)
    for p in range(s.players):
        cards = masks.removed(cards, s.dealt[p][0] - 1)
    for place in range(min(s.tape_top, fresh_places(s))):
        cards = masks.removed(cards, s.tape[place] - 1)
    return cards


@rule
def returned_cards(s: State, place: int) -> int:
    """The cards among which the one at a place of a shuffled return is, as a set (`sphinx_return`)."""
    draw = 0
    while returned_before(s, draw + 1) <= place:
        draw += 1
    cards = 0
    start = drawn_before(s, draw)
    for i in range(s.draw_size[draw]):
        if not masks.has(s.draw_kept[draw], i):
            cards = masks.added(cards, s.tape[start + i] - 1)
    for other in range(returned_before(s, draw), place):
        cards = masks.removed(cards, s.tape[other] - 1)
    return cards


@rule
def turn_over(s: State) -> None:
    """Draw the top card: the one known to lie there, or any that may (EGZ-S6, X2)."""
    place = s.tape_top
    if s.tape[place] == 0:
        cards = unseen_cards(s) if place < fresh_places(s) else returned_cards(s, place)
        s.tape[place] = 1 + masks.nth(cards, below(s, masks.count(cards)))
    s.tape_top += 1


# --- Drawing, keeping, returning ------------------------------------------------------------------------------------


@rule
def name_number(s: State, p: int, n: int) -> None:
    """Pay for n cards; by option a keep-two card is played before they are seen (EGZ-X1, N13)."""
    s.stones[p] -= n
    s.bricks = n
    tell(s, Event.PAID_TO_DRAW, p, n)
    if s.keep2_when == KeepTwo.BEFORE_DRAW and n > 1 and s.held[p] & KEEP_TWO:
        s.step = Step.KEEP_MORE
    else:
        draw_cards(s, p)


@rule
def draw_cards(s: State, p: int) -> None:
    """The named number of cards from the top, seen by the builder alone (EGZ-X2, X4)."""
    s.draw_by[s.draws] = 1 + p
    s.draw_size[s.draws] = s.bricks
    s.draws += 1
    tell(s, Event.DREW, p, s.bricks)
    for i in range(s.bricks):
        turn_over(s)
        tell(s, Event.SAW, p, drawn_card(s, i))
    s.step = Step.KEEP


@rule
def drawn_card(s: State, i: int) -> int:
    """Card number i of the draw under way, or of the last one."""
    return s.tape[drawn_before(s, s.draws - 1) + i] - 1


@rule
def is_kept(s: State, i: int) -> bool:
    """Whether card number i of the draw under way is kept."""
    return masks.has(s.draw_kept[s.draws - 1], i)


@rule
def is_returned(s: State, card: int) -> bool:
    """Whether a card of the draw under way is already back under the deck."""
    for place in range(returned_before(s, s.draws - 1), s.tape_end):
        if s.tape[place] == 1 + card:
            return True
    return False


@rule
def cards_left(s: State) -> int:
    """The drawn cards neither kept nor returned, as a set."""
    cards = 0
    for i in range(s.draw_size[s.draws - 1]):
        card = drawn_card(s, i)
        if not is_kept(s, i) and not is_returned(s, card):
            cards = masks.added(cards, card)
    return cards


@rule
def keep(s: State, p: int, card: int) -> None:
    """A drawn card stays face down before the builder (EGZ-X2)."""
    tell(s, Event.KEPT, p, card)
    for i in range(s.draw_size[s.draws - 1]):
        if drawn_card(s, i) == card:
            s.draw_kept[s.draws - 1] = masks.added(s.draw_kept[s.draws - 1], i)
            s.draw_keeps[s.draws - 1] += 1


@rule
def decide_keep(s: State, p: int, a: int) -> bool:
    """Keep one card or none; a keep-two card may follow. True if the rest can go back (EGZ-X2, N13)."""
    if a == Action.NONE:
        tell(s, Event.KEPT_NONE, p)
        return True
    keep(s, p, a - Action.SPHINX)
    if s.draw_size[s.draws - 1] == 1:
        return True
    if s.keep_two > 0:
        s.step = Step.KEEP_SECOND
        return False
    if s.keep2_when != KeepTwo.BEFORE_DRAW and s.held[p] & KEEP_TWO:
        s.step = Step.KEEP_MORE
        return False
    return True


@rule
def decide_keep_more(s: State, p: int, a: int) -> bool:
    """A keep-two card or none; of one card left it keeps that one. True if the rest can go back (EGZ-N13)."""
    if a == Action.NONE:
        tell(s, Event.NO_SECOND_CARD, p)
    else:
        nile.use_up(s, p, a - Action.CARD)
        tell(s, Event.USED_CARD, p, a - Action.CARD)
        s.keep_two = 1 + a - Action.CARD
    if s.keep2_when == KeepTwo.BEFORE_DRAW:
        draw_cards(s, p)
        return False
    if a == Action.NONE:
        return True
    left = cards_left(s)
    if masks.count(left) > 1:
        s.step = Step.KEEP_SECOND
        return False
    keep(s, p, masks.first(left))
    return True


@rule
def decide_keep_second(s: State, p: int, a: int) -> None:
    """A second card is kept, or none (EGZ-N13)."""
    if a == Action.NONE:
        tell(s, Event.NO_SECOND_CARD, p)
    else:
        keep(s, p, a - Action.SPHINX)


@rule
def list_left(s: State, may_decline: bool, out: list[int]) -> int:
    """None, or one of the drawn cards that are left (EGZ-X2, N13)."""
    n = 0
    if may_decline:
        out[n] = Action.NONE
        n += 1
    return masks.write(cards_left(s), Action.SPHINX, out, n)


@rule
def return_card(s: State, card: int) -> None:
    """A card goes under the deck (EGZ-X2)."""
    s.tape[s.tape_end] = 1 + card
    s.tape_end += 1


@rule
def return_chosen(s: State, p: int, card: int) -> None:
    """The card that the player has chosen goes under the deck next (EGZ-X2)."""
    tell(s, Event.PUT_UNDER, p, card)
    return_card(s, card)


@rule
def return_rest(s: State) -> bool:
    """The rest goes under the deck: as drawn, shuffled, or in an order of choice. False if that is to be chosen (EGZ-X2)."""
    rest = s.draw_size[s.draws - 1] - s.draw_keeps[s.draws - 1]
    if s.sphinx_return == SphinxReturn.SHUFFLED:
        s.tape_end += rest
        return True
    if s.sphinx_return == SphinxReturn.CHOSEN:
        left = cards_left(s)
        if masks.count(left) > 1:
            s.step = Step.RETURN
            return False
        if left:
            return_card(s, masks.first(left))
        return True
    for i in range(s.draw_size[s.draws - 1]):
        if not is_kept(s, i):
            return_card(s, drawn_card(s, i))
    return True


@rule
def score_returned(s: State, p: int) -> None:
    """VP for the cards that went back (EGZ-X3)."""
    back = s.draw_size[s.draws - 1] - s.draw_keeps[s.draws - 1]
    tracks.score(s, p, back * RETURNED_VP)
    if back > 0:
        tell(s, Event.RETURNED, p, back, back * RETURNED_VP)


# --- Hands --------------------------------------------------------------------------------------------------------


@rule
def hand_size(s: State, p: int) -> int:
    """How many Sphinx cards p has kept, which everybody can count (EGZ-X4)."""
    n = 1 if masks.has(s.decided, p) else 0
    for e in range(s.draws):
        if s.draw_by[e] == 1 + p:
            n += s.draw_keeps[e]
    return n


@rule
def hand(s: State, p: int) -> int:
    """The Sphinx cards p has kept, as a set; in a veiled state those that can be seen (EGZ-X4)."""
    cards = 0
    if masks.has(s.decided, p) and s.dealt[p][0] > 0:
        cards = masks.added(cards, s.dealt[p][0] - 1)
    start = 0
    for e in range(s.draws):
        if s.draw_by[e] == 1 + p:
            for i in range(s.draw_size[e]):
                if masks.has(s.draw_kept[e], i) and s.tape[start + i] > 0:
                    cards = masks.added(cards, s.tape[start + i] - 1)
        start += s.draw_size[e]
    return cards
