"""Positions that the guides show."""

from collections.abc import Callable, Iterable, Sequence

from perankh.engine.api import sets

from ..rules.components import CARDS
from ..rules.state import State, Step


def posed(
    players: int,
    hand: Sequence[int],
    others: Sequence[int],
    *,
    wall: Iterable[int] = (),
    row: Iterable[int] = (),
    opened: tuple[int, Sequence[int]] = (0, ()),
    turn: int = 0,
    step: int = Step.PLACE,
    placed: int = 0,
    pawn: int = -1,
    values: Sequence[Sequence[int]] = ((), (), ()),
) -> State:
    """A position as seat 0 sees it: the own hand, how many hidden cards the others hold, and what lies open."""
    s = State()
    s.players = players
    s.start_player = -1
    s.last_turn_bonus = 1
    s.step, s.turn, s.placed, s.pawn = step, turn, placed, pawn
    s.takes = 1 if step == Step.TAKE else 0
    sets.fill(s.unseen, CARDS)
    for place, cards in ((s.hand[0], hand), (s.wall, wall), (s.row, row), (s.hand[opened[0]], opened[1]), (s.public, opened[1])):
        for n in cards:
            sets.remove(s.unseen, n)
            sets.add(place, n)
    s.secret = [len(hand), *others, *[0] * (4 - 1 - len(others))]
    s.deck = sets.count(s.unseen) - sum(others)
    s.track = [[*some, *[0] * (4 - len(some))] for some in values]
    return s


# Cards on the wall in the pictures of the middle of a game.
PAINTED = (1, 4, 9, 10, 13, 16, 19, 20, 23, 30, 32, 34, 36, 41, 47, 50, 52, 57, 61, 65, 68, 70, 76, 82, 85, 93, 96)


def cover() -> State:
    """A wall that is nearly finished."""
    left = {7, 9, 18, 28, 38, 39, 48, 58, 59, 67, 69, 78, 80, 83, 86, 89, 91, 95, 97, 98}
    values = ((5, 4, 6), (3, 3, 4), (-1, -2, -2))
    wall = set(range(CARDS)) - left
    return posed(3, (7, 28, 80), (2, 1), wall=wall, row=(78, 95), opened=(1, (91,)), placed=4, pawn=56, values=values)


def pose_setup() -> State:
    """The table before the first turn."""
    return posed(3, (25,), (1, 1))


def pose_shadow() -> State:
    """After 25 as the first card: 37 lies in its shadow."""
    return posed(3, (8, 37, 62), (2, 1), wall=(*PAINTED, 25), placed=1, pawn=25, values=((1, 0, 1), (), (0, -1, 0)), row=(55,))


def pose_combo() -> State:
    """Four cards are placed: stopping now earns a step and a card."""
    wall = (*PAINTED, 45, 64, 69, 95)
    return posed(3, (6, 88), (2, 1), wall=wall, row=(74,), placed=4, pawn=45, values=((1, 0, 1), (), (0, -1, -1)))


def pose_area() -> State:
    """64 has just completed area H."""
    wall = (*PAINTED, 53, 54, 55, 56, 63, 64, 66, 73, 74, 75)
    return posed(3, (31, 6), (2, 2), wall=wall, placed=3, pawn=64, row=(99,), values=((1, 2, 1), (3, 0, 0), (0, -1, -1)))


def pose_end() -> State:
    """All cards lie on the wall, and the places on the tracks are counted."""
    values = ((10, 9, 9, 8), (6, 9, 4, 5), (-2, -1, 0, -1))
    return posed(4, (), (0, 0, 0), wall=range(CARDS), step=Step.OVER, turn=2, pawn=64, values=values)


PICTURES: dict[str, Callable[[], State]] = {
    "cover": cover,
    "setup": pose_setup,
    "shadow": pose_shadow,
    "combo": pose_combo,
    "area": pose_area,
    "end": pose_end,
}
