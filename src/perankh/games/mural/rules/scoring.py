"""The end of the game, points and places."""

from perankh.engine.api import rule, tell

from .components import POINTS, Track
from .events import Event
from .state import State, Step

ENDINGS = ("mural_complete",)


@rule
def finish(s: State) -> None:
    """The last card lies on the wall: the tracks are scored (MUR-E1 to E7)."""
    s.step = Step.OVER
    tell(s, Event.MURAL_COMPLETE, -1)
    for track in range(3):
        for p in range(s.players):
            tell(s, Event.TRACK_SCORED, p, track, s.track[track][p], place_on_track(s, track, p), track_points(s, track, p))
    for p in range(s.players):
        if shares_points(s, p):
            tell(s, Event.TIE, p, points(s, p), marker_sum(s, p))
    for p in range(s.players):
        if final_place(s, p) == 1:
            tell(s, Event.WON, p, points(s, p))


@rule
def ending(s: State) -> int:
    """The game ends when all cards lie on the wall (MUR-E1)."""
    return 1 if s.step == Step.OVER else 0


@rule
def place_on_track(s: State, track: int, p: int) -> int:
    """1 + the number of players strictly ahead; on every track the larger value is ahead (MUR-E3, E5)."""
    place = 1
    for q in range(s.players):
        if s.track[track][q] > s.track[track][p]:
            place += 1
    return place


@rule
def track_points(s: State, track: int, p: int) -> int:
    """The points of p's place on one track (MUR-E4)."""
    worth: int = POINTS[s.track_points][track][place_on_track(s, track, p) - 1]
    return worth


@rule
def points(s: State, p: int) -> int:
    """The points of p's places on the three tracks (MUR-E4)."""
    return track_points(s, Track.COMBO, p) + track_points(s, Track.AREA, p) + track_points(s, Track.MISS, p)


@rule
def shares_points(s: State, p: int) -> bool:
    """Has another player as many points?"""
    for q in range(s.players):
        if q != p and points(s, q) == points(s, p):
            return True
    return False


@rule
def marker_sum(s: State, p: int) -> int:
    """The tie-break: the three marker values added up (MUR-E7)."""
    return s.track[Track.COMBO][p] + s.track[Track.AREA][p] + s.track[Track.MISS][p]


@rule
def scores(s: State, out: list[int]) -> None:
    """The points of each player, as the tracks stand."""
    for p in range(s.players):
        out[p] = points(s, p)


@rule
def ranks(s: State, out: list[int]) -> None:
    """The place of each player, as the tracks stand."""
    for p in range(s.players):
        out[p] = final_place(s, p)


@rule
def final_place(s: State, p: int) -> int:
    """Most points, then the larger marker sum; still equal players share the place (MUR-E6, E7)."""
    place = 1
    mine = points(s, p)
    for q in range(s.players):
        lead = points(s, q) - mine
        if lead > 0 or (lead == 0 and marker_sum(s, q) > marker_sum(s, p)):
            place += 1
    return place
