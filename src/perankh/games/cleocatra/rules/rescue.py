"""Rescue: the scoring tile, its points, the inspectors, and the rescuers that return."""

from __future__ import annotations

from perankh.engine.api import masks, rule, tell

from . import scoring, tiles
from .components import ASSISTANT_POINTS, CLEOCATRA, CLEOCATRA_BONUS, COLOUR_POINTS, INSPECTORS, KINDS, MUT, PRINCESS
from .events import Event
from .state import Assistants, FirstInspector, InspectorMove, Mode, State, Step


@rule
def scorable(s: State, p: int) -> int:
    """The tiles that p may score: an own rescuer and no inspector (CLE-R3, CLE-P1)."""
    return s.rescuers[p] & ~s.inspectors


@rule
def rescue(s: State, p: int, tile: int) -> None:
    """Rescue: the scoring tile is chosen; Cleocatra first lets the lowest player act (CLE-P1, CLE-H4 to CLE-H8)."""
    lowest = sole_lowest(s) if has_power(s, CLEOCATRA, tile) and s.extra == 0 else -1
    if lowest >= 0 and (s.extra_self or lowest != p):
        s.interrupted = tile
        s.extra = lowest + 1
        s.step = Step.EXTRA
        tell(s, Event.EXTRA_OFFERED, lowest, p, masks.first(tile))
    else:
        count_tiles(s, p, tile)


@rule
def has_power(s: State, cat: int, tile: int) -> bool:
    """Is the tile this cat's, in hard mode? (CLE-H1)"""
    return s.mode == Mode.HARD and s.colour[cat] & tile != 0


@rule
def sole_lowest(s: State) -> int:
    """The player with the lowest score, -1 if several share it (CLE-H4, CLE-H5)."""
    lowest, ties = 0, 1
    for q in range(1, s.players):
        if s.score[q] < s.score[lowest]:
            lowest, ties = q, 1
        elif s.score[q] == s.score[lowest]:
            ties += 1
    return lowest if ties == 1 else -1


@rule
def decline_extra(s: State, p: int) -> None:
    """Take no extra action (CLE-H7)."""
    tell(s, Event.EXTRA_DECLINED, p)
    s.step = Step.EXTRA_DONE


@rule
def resume_rescue(s: State) -> None:
    """The interrupted Rescue goes on, or fails if its rescuer is gone (CLE-H9, CLE-H10)."""
    tile = s.interrupted
    s.interrupted = 0
    s.extra = 0
    if s.rescuers[s.turn] & tile:
        count_tiles(s, s.turn, tile)
    else:
        s.step = Step.TURN_DONE
        tell(s, Event.RESCUE_FAILED, s.turn, masks.first(tile))


# --- Points ---------------------------------------------------------------------------------------------------


@rule
def count_tiles(s: State, p: int, tile: int) -> None:
    """Of neighbours sharing a colour one is counted; ask which, if that changes anything (CLE-P3, CLE-P4)."""
    s.scoring = tile
    if s.assistants == Assistants.COUNTED and count_group(s, tile) & s.rescuers[p]:
        s.step = Step.COUNT_TILE
    else:
        score_points(s, p, 0)


@rule
def count_group(s: State, tile: int) -> int:
    """The neighbours of a scoring tile that share a colour other than its own: of these one is counted (CLE-P3)."""
    around = tiles.beside(s, tile)
    for c in range(KINDS):
        if s.colour[c] & tile == 0 and masks.count(s.colour[c] & around) > 1:
            return s.colour[c] & around
    return 0


@rule
def score_points(s: State, p: int, counted: int) -> None:
    """Points for colours, assistants and Cleocatra herself (CLE-P2 to CLE-P7, CLE-H3)."""
    helpers = assistants(s, p, counted)
    colours = COLOUR_POINTS * count_colours(s, s.scoring | tiles.beside(s, s.scoring))
    help_points = ASSISTANT_POINTS * masks.count(helpers)
    bonus = CLEOCATRA_BONUS if has_power(s, CLEOCATRA, s.scoring) else 0
    points = colours + help_points + bonus
    reached = scoring.end_score_reached(s)
    s.score[p] += points
    s.returning = s.scoring | helpers
    tell(s, Event.RESCUED, p, masks.first(s.scoring), colours, help_points, bonus, points, s.score[p])
    if not reached and scoring.end_score_reached(s):
        tell(s, Event.END_SCORE_REACHED, p, s.end_score)
    first_inspector(s, p)


@rule
def count_colours(s: State, among: int) -> int:
    """How many colours a set of tiles has (CLE-P2)."""
    n = 0
    for c in range(KINDS):
        if s.colour[c] & among:
            n += 1
    return n


@rule
def assistants(s: State, p: int, counted: int) -> int:
    """The neighbours of the scoring tile with an own rescuer that gives a point (CLE-P3, CLE-P4)."""
    helpers = tiles.beside(s, s.scoring) & s.rescuers[p]
    if s.assistants == Assistants.ALL:
        return helpers
    for c in range(KINDS):
        if s.colour[c] & s.scoring:
            helpers &= ~s.colour[c]
    return helpers & (~count_group(s, s.scoring) | counted)


# --- Inspectors -----------------------------------------------------------------------------------------------


@rule
def unused_inspectors(s: State) -> int:
    """Inspectors beside the layout (CLE-S4)."""
    return INSPECTORS - masks.count(s.inspectors)


@rule
def uninspected(s: State) -> int:
    """The tiles without an inspector (CLE-P8, CLE-P10)."""
    return tiles.layout(s) & ~s.inspectors


@rule
def first_inspector(s: State, p: int) -> None:
    """An unused inspector must be put on a tile; if there is none, one may be moved (CLE-P8 to CLE-P10)."""
    if s.inspector == FirstInspector.SCORED and s.inspectors & s.scoring:
        s.inspector_put = s.scoring
        second_inspector(s, p)
    elif s.inspector == FirstInspector.SCORED and unused_inspectors(s) > 0:
        put_inspector(s, p, s.scoring)
    elif uninspected(s) == 0:
        second_inspector(s, p)
    else:
        ask_for_inspector(s)


@rule
def second_inspector(s: State, p: int) -> None:
    """Princess: a second, different inspector may be handled (CLE-H16, CLE-H17)."""
    if has_power(s, PRINCESS, s.scoring) and uninspected(s):
        s.second = 1
        ask_for_inspector(s)
    else:
        offer_mut(s, p)


@rule
def ask_for_inspector(s: State) -> None:
    """Put down an unused inspector, or lift one of those in the layout (CLE-P8, CLE-P9)."""
    s.step = Step.INSPECTOR_TO if unused_inspectors(s) > 0 else Step.INSPECTOR_FROM


@rule
def may_decline(s: State) -> bool:
    """Moving an inspector is voluntary, and so is all of the Princess's second one (CLE-P9, CLE-H16)."""
    if s.step == Step.INSPECTOR_FROM:
        return bool(s.second) or (s.inspector == FirstInspector.FREE and s.inspector_move == InspectorMove.MAY)
    return s.step == Step.INSPECTOR_TO and bool(s.second) and s.chosen == 0


@rule
def lift_inspector(s: State, p: int, tile: int) -> None:
    """An inspector is chosen to be moved; by option the first one goes to the scoring tile (CLE-P9)."""
    s.chosen = tile
    if s.inspector == FirstInspector.SCORED and s.second == 0:
        put_inspector(s, p, s.scoring)
    else:
        s.step = Step.INSPECTOR_TO


@rule
def put_inspector(s: State, p: int, tile: int) -> None:
    """Put the lifted or an unused inspector on a tile (CLE-P8, CLE-P9)."""
    if s.chosen:
        tell(s, Event.INSPECTOR_MOVED, p, masks.first(s.chosen), masks.first(tile))
    else:
        tell(s, Event.INSPECTOR_PUT, p, masks.first(tile))
    s.inspectors = (s.inspectors & ~s.chosen) | tile
    s.chosen = 0
    if s.second == 0:
        s.inspector_put = tile
        second_inspector(s, p)
    else:
        offer_mut(s, p)


@rule
def leave_inspectors(s: State, p: int) -> None:
    """Move no inspector; then no second one is offered either (CLE-P9, CLE-H16)."""
    tell(s, Event.INSPECTORS_LEFT, p)
    offer_mut(s, p)


# --- The end of a Rescue --------------------------------------------------------------------------------------


@rule
def offer_mut(s: State, p: int) -> None:
    """Mut: the scoring rescuer may be left there (CLE-H15)."""
    s.second = 0
    s.inspector_put = 0
    if has_power(s, MUT, s.scoring):
        s.step = Step.MUT
    else:
        finish_rescue(s, p)


@rule
def stay(s: State, p: int) -> None:
    """Mut: the scoring rescuer is left there (CLE-H15)."""
    tell(s, Event.STAYED, p, masks.first(s.scoring))
    s.returning &= ~s.scoring
    finish_rescue(s, p)


@rule
def finish_rescue(s: State, p: int) -> None:
    """Scoring rescuer and assistants return; the turn ends, unless this was the extra action (CLE-P11, CLE-T2, CLE-H8)."""
    if s.returning:
        tell(s, Event.RETURNED, p, s.returning)
    s.rescuers[p] &= ~s.returning
    s.returning = 0
    s.scoring = 0
    s.step = Step.EXTRA_DONE if s.extra else Step.TURN_DONE
