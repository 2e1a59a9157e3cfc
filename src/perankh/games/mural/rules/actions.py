"""What may be done, and the turn."""

from perankh.engine.api import rule, sets, tell

from . import scoring, set_up
from .components import AREA_CELLS, AREA_OF, AREA_VALUE, CARDS, COMBO_CARDS, COMBO_STEPS, IS_ANKH, MOST_PLACEMENTS, SHADOW, Track
from .events import Event, Source
from .state import State, Step

DRAW, STOP = 100, 101  # the other actions are card numbers
ACTIONS = 102


@rule
def actors(s: State) -> int:
    """Only the player on turn ever decides."""
    return 0 if s.step == Step.OVER else 1 << s.turn


@rule
def legal(s: State, p: int, out: list[int]) -> int:
    """Cards of the hand and the row, the deck, and stopping, as the step allows (MUR-T1, T2, T5, B7, A2, C3)."""
    if s.step == Step.TAKE:
        n = sets.write(s.row, out, 0)
    else:
        n = sets.write_either(s.row, s.hand[p], SHADOW[shadowing(s)], out, 0)
    if s.deck > 0:
        out[n] = DRAW
        n += 1
    if s.step == Step.PLACE and s.placed > 0:
        out[n] = STOP
        n += 1
    return n


@rule
def shadowing(s: State) -> int:
    """The card whose shadow counts: the one placed just before in this turn, -1 for none (MUR-B1 to B5)."""
    return s.pawn if s.placed > 0 else -1


@rule
def forbidden(s: State, card: int) -> bool:
    """Does the card lie in the shadow of the card placed just before in this turn? (MUR-B1 to B5)"""
    return sets.has(SHADOW[shadowing(s)], card)


@rule
def apply(s: State, p: int, a: int) -> None:
    """One choice of the player on turn."""
    if s.step == Step.TAKE:
        take(s, p, a)
    elif a == STOP:
        end_turn(s, p)
    elif a == DRAW:
        draw_and_place(s, p)
    elif sets.has(s.row, a):
        sets.remove(s.row, a)
        place(s, p, a, Source.ROW)
    else:
        leave_hand(s, p, a)
        place(s, p, a, Source.HAND)


@rule
def draw_and_place(s: State, p: int) -> None:
    """A deck card must be placed; if it is shadowed it is a miss (MUR-T3, M1)."""
    card = set_up.draw(s)
    if forbidden(s, card):
        miss(s, p, card)
    else:
        place(s, p, card, Source.DECK)


@rule
def leave_hand(s: State, p: int, card: int) -> None:
    """A card leaves p's hand."""
    sets.remove(s.hand[p], card)
    if sets.has(s.public, card):
        sets.remove(s.public, card)
    else:
        s.secret[p] -= 1


@rule
def place(s: State, p: int, card: int, source: int) -> None:
    """Put a card on its own cell, score a filled area, take for an ankh, and go on or end (MUR-T4, T5, T8, R4)."""
    sets.add(s.wall, card)
    s.pawn = card
    s.placed += 1
    tell(s, Event.PLACED, p, card, source)
    area = AREA_OF[s.area_map][card]
    if area_is_full(s, area):
        s.track[Track.AREA][p] += AREA_VALUE[s.area_map][area]
        tell(s, Event.AREA_FULL, p, area, AREA_VALUE[s.area_map][area], s.track[Track.AREA][p])
    if source != Source.HAND:
        tell_who_is_out(s, p)
    if not s.last_turn_bonus and all_on_wall(s):
        scoring.finish(s)
    elif IS_ANKH[s.ankh_set][card] and anything_to_take(s):
        s.step = Step.TAKE
        s.takes = 1
        s.ending_turn = 0
        tell(s, Event.ANKH, p)
    elif s.placed == MOST_PLACEMENTS:
        end_turn(s, p)


@rule
def area_is_full(s: State, area: int) -> bool:
    """Is every cell of the area filled? (MUR-R1)"""
    return sets.includes(s.wall, AREA_CELLS[s.area_map][area])


@rule
def miss(s: State, p: int, card: int) -> None:
    """The card goes to the row, the Miss marker one down, and the turn is over without bonus (MUR-M1 to M5)."""
    sets.add(s.row, card)
    s.track[Track.MISS][p] -= 1
    tell(s, Event.MISSED, p, card, s.pawn, s.track[Track.MISS][p])
    next_turn(s)


@rule
def take(s: State, p: int, a: int) -> None:
    """Take a card from the deck or the row into the hand (MUR-A1, C3); then go on with the turn or its end (MUR-A5)."""
    if a == DRAW:
        tell(s, Event.DREW, p, set_up.draw_to_hand(s, p))
    else:
        sets.remove(s.row, a)
        sets.add(s.hand[p], a)
        sets.add(s.public, a)
        tell(s, Event.TOOK, p, a)
    tell_who_is_out(s, p)
    s.takes -= 1
    if s.takes > 0 and anything_to_take(s):
        return
    s.takes = 0
    s.step = Step.PLACE
    if s.ending_turn:
        next_turn(s)
    elif s.placed == MOST_PLACEMENTS:
        end_turn(s, p)


@rule
def end_turn(s: State, p: int) -> None:
    """The combo bonus for the cards placed: first the steps, then the cards (MUR-C1 to C4)."""
    s.track[Track.COMBO][p] += bonus_steps(s)
    s.takes = bonus_cards(s)
    tell(s, Event.TURN_ENDED, p, s.placed, bonus_steps(s), s.takes, s.track[Track.COMBO][p])
    if s.takes > 0:
        s.step = Step.TAKE
        s.ending_turn = 1
    else:
        next_turn(s)


@rule
def bonus_steps(s: State) -> int:
    """The steps that the cards placed in this turn are worth (MUR-C2)."""
    steps: int = COMBO_STEPS[s.combo_table][s.placed - 1]
    return steps


@rule
def bonus_cards(s: State) -> int:
    """The cards that the cards placed in this turn are worth: all there are, if there are fewer (MUR-C3, C4)."""
    cards: int = COMBO_CARDS[s.combo_table][s.placed - 1]
    return min(cards, s.deck + sets.count(s.row))


@rule
def next_turn(s: State) -> None:
    """The next player clockwise; with deck and row empty, players without a hand are skipped (MUR-T10, X1, E1)."""
    s.placed = 0
    s.ending_turn = 0
    if all_on_wall(s):
        scoring.finish(s)
        return
    if out_of_cards(s, s.turn):
        tell(s, Event.OUT_OF_CARDS, s.turn)
    s.turn = (s.turn + 1) % s.players
    while out_of_cards(s, s.turn):
        s.turn = (s.turn + 1) % s.players


@rule
def out_of_cards(s: State, p: int) -> bool:
    """Has p nothing to place, now and until the end? (MUR-X1)"""
    return not anything_to_take(s) and hand_size(s, p) == 0


@rule
def tell_who_is_out(s: State, p: int) -> None:
    """When p has used the last card of deck and row, other players without cards are skipped from now on (MUR-X1)."""
    for q in range(s.players):
        if q != p and out_of_cards(s, q) and not all_on_wall(s):
            tell(s, Event.OUT_OF_CARDS, q)


@rule
def anything_to_take(s: State) -> bool:
    """Is there a card in the deck or the row? (MUR-A2)"""
    return s.deck > 0 or not sets.is_empty(s.row)


@rule
def all_on_wall(s: State) -> bool:
    """Do all cards lie on the wall? (MUR-E1)"""
    return sets.count(s.wall) == CARDS


@rule
def hand_size(s: State, p: int) -> int:
    """Cards in p's hand, known to everybody (MUR-S6)."""
    return s.secret[p] + sets.count_common(s.hand[p], s.public)
