"""Banking lots, the end of the game, points and places."""

from __future__ import annotations

from perankh.engine.api import rule, sets, tell

from . import glass, passing
from .components import CARD_POINTS, LAST_LOT_TIMES, OF_KIND, SET_BONUS, Kind
from .events import Event
from .state import Ending, RuleSet, State, Step

ENDINGS = ("spill", "no_spill", "accident")

# --- Banking --------------------------------------------------------------------------------------------------


@rule
def bank(s: State) -> None:
    """The thrower banks the lot; it is now the last banked lot (MAQ-T4, MAQ-T6, MAQ-P6)."""
    p = s.thrower
    sets_before = complete_sets(s, p)
    sets.assign(s.last_lot, s.lot[s.slot])
    sets.unite(s.banked[p], s.lot[s.slot])
    sets.clear(s.lot[s.slot])
    tell(s, Event.BANKED, p, sets.number(s.last_lot), printed_points(s.last_lot))
    for _ in range(complete_sets(s, p) - sets_before):
        tell(s, Event.SET_COMPLETED, p, SET_BONUS)


@rule
def printed_points(cards: list[int]) -> int:
    """The printed points of a set of score cards (MAQ-V2)."""
    total = 0
    card = sets.first(cards)
    while card >= 0:
        total += CARD_POINTS[card]
        card = sets.after(cards, card)
    return total


@rule
def complete_sets(s: State, p: int) -> int:
    """P's sets of a coin, an ankh and an anubis card, whatever their points (MAQ-V3)."""
    return min(of_kind(s, p, Kind.COIN), min(of_kind(s, p, Kind.ANKH), of_kind(s, p, Kind.ANUBIS)))


@rule
def of_kind(s: State, p: int, kind: int) -> int:
    """Score cards of one kind that p has banked (MAQ-V3)."""
    return sets.count_common(s.banked[p], OF_KIND[kind])


# --- The end --------------------------------------------------------------------------------------------------


@rule
def spill(s: State) -> None:
    """The thrower made the vessel spill: the lot fails and the game is over (MAQ-T5, MAQ-C2, MAQ-P6)."""
    s.spiller = s.thrower
    tell(s, Event.SPILLED, s.spiller)
    if s.rules == RuleSet.ADVANCED:
        tell(s, Event.LOT_FAILED, -1, sets.number(s.lot[s.slot]))
        sets.assign(s.failed, s.lot[s.slot])
        sets.clear(s.lot[s.slot])
    end_game(s, Ending.SPILL)


@rule
def accident(s: State, p: int, culprit: int) -> None:
    """P reports that the players' own vessel spilled without a throw: somebody's fault, or nobody's (MAQ-X1)."""
    tell(s, Event.ACCIDENT, p, culprit)
    s.spiller = culprit
    if s.step == Step.HANDS:
        passing.clear_answers(s)
    end_game(s, Ending.ACCIDENT)


@rule
def end_game(s: State, why: int) -> None:
    """The game is over (MAQ-F1)."""
    s.over = why
    s.step = Step.OVER
    tell(s, Event.ENDED, -1, why)
    if glass.is_used(s):
        tell(s, Event.GLASS_REVEALED, -1, s.v0, s.vcrit)
    if last_lot_doubles(s):
        for p in range(s.players):
            if sets.meets(s.banked[p], s.last_lot):
                tell(s, Event.COUNTED_TWICE, p, sets.number(s.last_lot), (LAST_LOT_TIMES - 1) * printed_points(s.last_lot))
    for p in range(s.players):
        tell(s, Event.FINISHED, p, place_of(s, p), points(s, p))


@rule
def ending(s: State) -> int:
    """0, or why the game is over."""
    return s.over


# --- Points and places ----------------------------------------------------------------------------------------


@rule
def last_lot_doubles(s: State) -> bool:
    """Does the last banked lot count twice: after a spill or an accident, or by option? (MAQ-V4, MAQ-V6, MAQ-X1)"""
    if s.over == Ending.NO_SPILL:
        return s.double_without_spill != 0
    return s.over != Ending.NONE


@rule
def points(s: State, p: int) -> int:
    """Printed points of the banked cards, the last banked lot twice, and a bonus for each set (MAQ-V1 to MAQ-V6)."""
    total = SET_BONUS * complete_sets(s, p) + printed_points(s.banked[p])
    if last_lot_doubles(s) and sets.meets(s.banked[p], s.last_lot):
        total += (LAST_LOT_TIMES - 1) * printed_points(s.last_lot)
    return total


@rule
def scores(s: State, out: list[int]) -> None:
    """The points of each player as they stand; the classic rules know none."""
    for p in range(s.players):
        out[p] = points(s, p)


@rule
def is_ahead(s: State, q: int, p: int) -> bool:
    """Is q placed before p? The spiller is behind everybody (MAQ-C2, MAQ-V7, MAQ-V8)."""
    if s.spiller == p:
        return q != p
    if s.spiller == q or s.rules == RuleSet.CLASSIC:
        return False
    lead = points(s, q) - points(s, p)
    if lead == 0 and s.tie_cards:
        lead = sets.count(s.banked[q]) - sets.count(s.banked[p])
    return lead > 0


@rule
def place_of(s: State, p: int) -> int:
    """The place of a player, equal players sharing one (MAQ-C2, MAQ-C4, MAQ-V7, MAQ-V8)."""
    place = 1
    for q in range(s.players):
        if is_ahead(s, q, p):
            place += 1
    return place


@rule
def ranks(s: State, out: list[int]) -> None:
    """The place of each player (MAQ-V7)."""
    for p in range(s.players):
        out[p] = place_of(s, p)
