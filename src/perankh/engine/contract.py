"""What a game offers: its rules, its texts and its drawing.

Each of the three is a module or a package of the game's folder; the Protocols list its names. The rule functions here are
stand-ins: `loops.py` and the search are written against them, and a game's own functions take their place. Those with a body
are defaults that a game need not write.

`s` is the game's state record, `p` a seat, `a` an action, `viewer` a seat or -1 for a spectator. "Out" arguments are modified in
place. Texts and drawings get states with everything erased that the viewer may not know.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from perankh.engine.rule import stand_in

if TYPE_CHECKING:
    from perankh.engine.components import Components
    from perankh.engine.events import EventKind, GameEvent
    from perankh.engine.state import Record
    from perankh.scene import Scene


class Rules(Protocol):
    """`rules`: the record, the facts of the game, and the rule functions."""

    State: type[Record]  # the state record
    PLAYERS: range  # the player counts
    ACTIONS: int  # how many actions there are
    ENDINGS: tuple[str, ...]  # the reasons why a game may end
    VERSION: int  # the version of the rules; raised when an old match could replay differently
    setup: Callable[[Any], None]
    actors: Callable[[Any], int]
    legal: Callable[[Any, int, Any], int]
    apply: Callable[[Any, int, int], None]
    ending: Callable[[Any], int]
    scores: Callable[[Any, Any], None]


class FullRules(Rules, Protocol):
    """The same with what a game may leave out."""

    COMPONENTS: Components  # the printed numbers; default: none
    Event: type[EventKind]  # what may happen; default: nothing is told
    HIDDEN: tuple[str, ...]  # the fields in which veil may erase something; default: none
    check_options: Callable[[Any], str | None]  # why the options of a blank state cannot go together; default: any can
    INVARIANTS: tuple[str, ...]  # what always holds, in words; default: none
    ranks: Callable[[Any, Any], None]  # default: by scores
    veil: Callable[[Any, int], None]  # default: nothing is hidden
    redeal: Callable[[Any], None]
    observe: Callable[[Any, int, Any], int]  # default: all fields of the record
    violated: Callable[[Any, Any], int]


class Text(Protocol):
    """`text`: what a person reads and types."""

    CODES: Sequence[str]  # a code for each action, for files and links
    seat_name: Callable[[int, str], str]  # (p, lang)
    prompt: Callable[[Any, int, str], str]  # (s, p, lang): what p has to decide
    sentence: Callable[[Any, int, int, str], str]  # (s, p, a, lang): what choosing `a` means
    refusal: Callable[[Any, int, int, str], str]  # (s, p, a, lang): why `a` is not allowed now
    log_lines: Callable[[Any, Sequence[GameEvent], int, str], list[str]]  # (s after the move, its events, viewer, lang)
    board: Callable[[Any, int, str], str]  # (s, viewer, lang): the table as plain text


class Drawing(Protocol):
    """`drawing`: how the game is drawn, and where one clicks."""

    SEAT_COLOURS: Sequence[str]
    PICTURES: Mapping[str, Callable[[], Any]]  # positions that the guides show
    scene: Callable[[Any, int, str, str], Scene]  # (s, viewer, lang, shape)
    paths: Callable[[Any, int], dict[int, tuple[str, ...]]]  # (s, p): the sprites to click for each legal action
    breakdown: Callable[[Any, str], list[tuple[str, list[int]]]]  # (s at the end, lang): points by source and seat


def names_of(protocol: Any) -> tuple[str, ...]:
    """The names that a Protocol lists itself."""
    return tuple(protocol.__annotations__)


@stand_in
def setup(s: Any) -> None:
    """Deal. Players, seed and options already stand in the record."""
    raise NotImplementedError


@stand_in
def actors(s: Any) -> int:
    """Bit mask of the seats that may act now; several bits: they decide at the same time, in any order. 0: the end."""
    raise NotImplementedError


@stand_in
def legal(s: Any, p: int, out: list[int]) -> int:
    """Write p's legal actions into `out`, ascending, and return how many there are."""
    raise NotImplementedError


@stand_in
def apply(s: Any, p: int, a: int) -> None:
    """Carry out one legal action, up to the next decision. An illegal action is the caller's bug."""
    raise NotImplementedError


@stand_in
def ending(s: Any) -> int:
    """0 while the game runs, else 1 + the index into the game's ENDINGS of the reason why it is over."""
    raise NotImplementedError


@stand_in
def scores(s: Any, out: list[int]) -> None:
    """Write each seat's points."""
    raise NotImplementedError


@stand_in
def ranks(s: Any, out: list[int]) -> None:
    """Write each seat's place, 1 for the best, with every tie-break; equal seats share a place and the next is skipped."""
    scores(s, out)
    places = 0  # three bits a seat
    for p in range(s.players):
        for q in range(s.players):
            if out[q] > out[p]:
                places += 1 << (3 * p)
    for p in range(s.players):
        out[p] = 1 + ((places >> (3 * p)) & 7)


@stand_in
def veil(s: Any, p: int) -> None:
    """Erase, in place, everything p cannot know (p = -1: a spectator). The engine erases the generator itself."""


@stand_in
def redeal(s: Any) -> None:
    """Fill what is erased with a random world consistent with what is left, drawing from the record's generator."""


@stand_in
def observe(s: Any, p: int, out: list[int]) -> int:
    """Write the veiled state as features, p's seat first, and return how many there are."""
    raise NotImplementedError


@stand_in
def violated(s: Any, before: Any) -> int:
    """0 if every invariant holds after the step from `before` to `s`, else 1 + the index into the game's INVARIANTS."""
    return 0


FUNCTIONS = ("setup", "actors", "legal", "apply", "ending", "scores", "ranks", "veil", "redeal", "observe", "violated")
