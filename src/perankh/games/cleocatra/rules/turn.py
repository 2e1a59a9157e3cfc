"""The turn: its two actions, what happens when none is possible, and the next turn."""

from __future__ import annotations

from perankh.engine.api import masks, rule, tell

from . import rescuer_actions, scoring, tile_actions
from .events import Event
from .state import State, Step


@rule
def begin_turn(s: State) -> None:
    """Two actions are due; if none is possible a rescuer is put on any tile first (CLE-T1, CLE-T3, CLE-F1, CLE-F2)."""
    s.owed = 0
    if rescuer_actions.any_possible(s, s.turn) or tile_actions.any_possible(s, s.turn):
        s.step = Step.ACTION1
    elif rescuer_actions.hand(s, s.turn) > 0 and rescuer_actions.room(s, s.turn):
        s.step = Step.ANY_TILE
    else:
        owe_rescuer_action(s)


@rule
def owe_rescuer_action(s: State) -> None:
    """One rescuer action is owed; if none is possible a rescuer must move, and else nothing happens (CLE-F3, CLE-F4)."""
    s.owed = 1
    if rescuer_actions.any_possible(s, s.turn):
        s.step = Step.ACTION2
    elif s.rescuers[s.turn] and rescuer_actions.room(s, s.turn):
        s.step = Step.RELOCATE_FROM
    else:
        s.step = Step.TURN_DONE
        tell(s, Event.LAPSED, s.turn)


@rule
def put_any(s: State, p: int, tile: int) -> None:
    """For want of an action: put a rescuer on any tile; a rescuer action is still owed (CLE-F1)."""
    s.rescuers[p] |= tile
    tell(s, Event.PLACED, p, masks.first(tile))
    owe_rescuer_action(s)


@rule
def relocate(s: State, p: int, tile: int) -> None:
    """For want of a rescuer action: move the chosen rescuer to any tile; the turn is over (CLE-F3)."""
    tell(s, Event.RELOCATED, p, masks.first(s.chosen), masks.first(tile))
    rescuer_actions.move_rescuer(s, p, tile)
    s.step = Step.TURN_DONE


@rule
def end_action(s: State) -> None:
    """After an action other than a Rescue: the interrupted Rescue, the second action or the next turn (CLE-T1, CLE-H9)."""
    if s.extra:
        s.step = Step.EXTRA_DONE
    elif s.owed == 0:
        owe_rescuer_action(s)
    else:
        s.step = Step.TURN_DONE


@rule
def end_turn(s: State) -> None:
    """The next player clockwise is on turn, unless the game is over (CLE-T8, CLE-E1)."""
    s.fresh = 0
    s.turns += 1
    s.over = scoring.reason_to_end(s)
    if s.over:
        s.owed = 0
        s.step = Step.OVER
        scoring.tell_end(s)
    else:
        s.turn = (s.turn + 1) % s.players
        begin_turn(s)
