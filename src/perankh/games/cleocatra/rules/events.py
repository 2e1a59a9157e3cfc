"""What happens in Cleocatra."""

from __future__ import annotations

from perankh.engine.api import EventKind


class Event(EventKind):
    """The kinds of events and their values. Tiles are given by their numbers, only `tiles` is a set (bit t for tile t)."""

    REVEALED = "colour"  # the top tile of the deck is turned up
    SET_UP = "tile"  # laid with a rescuer on it
    SCOUTED = "tile"
    SEARCHED = "tile"
    SWAPPED = "tile", "other", "owner"  # the seat's rescuer goes from `tile` to `other`, the owner's back
    DISPATCHED = "tile"
    TEAMED_UP = "tile"
    HERDED = "origin", "tile"
    PLACED = "tile"  # for want of an action
    RELOCATED = "origin", "tile"  # for want of a rescuer action
    EXTRA_OFFERED = "scorer", "tile"  # the seat may take an extra action before the scorer's tile is counted
    EXTRA_DECLINED = ""
    RESCUED = "tile", "colours", "assistants", "bonus", "points", "total"  # points for each, their sum, the new score
    RESCUE_FAILED = "tile"
    INSPECTOR_PUT = "tile"
    INSPECTOR_MOVED = "origin", "tile"
    INSPECTORS_LEFT = ""  # none is moved
    STAYED = "tile"  # Mut: the scoring rescuer is left there
    RETURNED = "tiles"  # the tiles from which the seat's rescuers return to the hand
    LAPSED = ""  # nothing can be done: the turn ends
    END_SCORE_REACHED = "end_score"  # by the first player who does
    GAME_OVER = "reason"  # 1 + an index into ENDINGS
    WON = "total"
