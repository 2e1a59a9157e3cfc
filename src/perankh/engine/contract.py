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

from perankh.engine.rule import rule, stand_in

if TYPE_CHECKING:
    from perankh.engine.components import Components
    from perankh.engine.events import EventKind, GameEvent
    from perankh.engine.observation import Feature
    from perankh.scene import Scene, SeatColours


class Rules(Protocol):
    """`rules`: the record, the facts of the game, and the rule functions, which are explained below."""

    State: type[Any]  # the state record, a class derived from Record
    PLAYERS: range  # the player counts
    ACTIONS: int  # how many actions there are
    VERSION: int  # the version of the rules; raised when an old match could replay differently

    @property
    def ENDINGS(self) -> tuple[str, ...]:
        """The reasons why a game may end."""

    def setup(self, s: Any, /) -> None: ...
    def actors(self, s: Any, /) -> int: ...
    def legal(self, s: Any, p: int, out: list[int], /) -> int: ...
    def apply(self, s: Any, p: int, a: int, /) -> None: ...
    def ending(self, s: Any, /) -> int: ...
    def scores(self, s: Any, out: list[int], /) -> None: ...


class FullRules(Rules, Protocol):
    """The same with what a game may leave out.

    Two more functions may stand beside them, both for a state with options and nothing dealt: `settle_options(s)` makes options
    that mean nothing together what is really played; `check_options(s)` returns why options do not go together, or None.
    `TRUNCATING` may name those of the ENDINGS that break a game off before its own end. `UNSURE` may name kinds of events that
    turn up something hidden: a preview of a move tells what happens before the first of them.
    """

    COMPONENTS: Components  # the printed numbers; default: none

    @property
    def Event(self) -> type[EventKind]:
        """What may happen. Default: nothing is told."""

    @property
    def FEATURES(self) -> tuple[Feature, ...]:
        """What `observe` writes, in order; a game has both or neither. Default: every field of the record."""

    @property
    def DERIVED(self) -> tuple[str, ...]:
        """Fields that follow from others, so that the features need not show them. Default: none."""

    @property
    def HIDDEN(self) -> tuple[str, ...]:
        """The fields in which veil may erase something. Default: none."""

    @property
    def INVARIANTS(self) -> tuple[str, ...]:
        """What always holds, in words. Default: none."""

    def ranks(self, s: Any, out: list[int], /) -> None: ...  # default: by scores
    def veil(self, s: Any, p: int, /) -> None: ...  # default: nothing is hidden
    def redeal(self, s: Any, /) -> None: ...
    def observe(self, s: Any, p: int, out: list[int], /) -> int: ...  # default: all fields of the record
    def violated(self, s: Any, before: Any, /) -> int: ...


class Text(Protocol):
    """`text`: what a person reads and types.

    `seat_name(p, lang)` may stand beside these functions: what a seat is called; by default the text `seat.<p>`, a colour.
    `next_prompt(s, p, actions, lang)` may say what is asked when the first clicks of a path have left
    several actions, or "" for what their sentences have in common. `outlook(s, p, a, lang)` may say what is known of an outcome
    that chance or something hidden decides, or "". `explain(s, name, viewer, lang)` may say what the sprite `name` of the scene
    is for, or "". `chapter(s, p)` may name the chapter of the guides (`{#name}` after a heading) that concerns p's decision.
    `piece_names(lang)` may say what pieces of the components are called, by their dotted names, where these are codes.

    `reasons(s, p, a, events, after)` may name what speaks for or against p's action, and `REASONS` lists all the names: `for.…`
    or `against.…`. It returns pairs of a name and the values of its text, `reason.<name>` in words.toml; `{who}` is the player
    of the value `seat`, or p. `s` is what p knows, `events` what the action is certain to do, `after` the position then, None if
    chance or something hidden decides. A reason is a fact of the rules and judges nothing. Hints, puzzles and analyses show it.

    `TOLD_ELSEWHERE` may list the kinds of events of which the log may say nothing, since another event tells of them.
    """

    @property
    def CODES(self) -> Sequence[str]:
        """A code for each action, for files and links."""

    def prompt(self, s: Any, p: int, lang: str, /) -> str:
        """What p has to decide."""

    def sentence(self, s: Any, p: int, a: int, lang: str, /) -> str:
        """What choosing `a` means; different for each legal action."""

    def refusal(self, s: Any, p: int, a: int, lang: str, /) -> str:
        """Why `a` is not allowed now."""

    def log_lines(self, s: Any, events: Sequence[GameEvent], viewer: int, lang: str, /) -> list[str]:
        """What happened in a move: `s` is the state after it, `events` what the viewer may know of it."""

    def board(self, s: Any, viewer: int, lang: str, /) -> str:
        """The table as plain text."""


class Drawing(Protocol):
    """`drawing`: how the game is drawn, and where one clicks.

    `moved_sprites(s, event)` may stand beside these functions: the ids of the sprites that an event brought to their places in
    the scene of `s`, in this order. The pieces of a move then travel one after the other, in the order of its events.

    `routes(s, event)` may say how such sprites come: by id, the sprite that one comes from if it was not on the table before, and
    the sprite that it passes on its way; "" for neither.

    `aliases(s, p)` may name further sprites to click: each with the paths that it stands for. One path: a click on the sprite is
    a click on every sprite of the path, and on what is offered at p's next decision if the path goes on. Several: p chooses
    among their first sprites. `meant(s, p, path)` may say which action p means with clicks on the sprites of `path`, also if it
    is not open, or -1; the page then shows the game's refusal. `closed(s, p)` may name sprites, greyed buttons for example, that
    stand for actions which are not open to p now, each with its action.

    `previewed(s, event)` may name further sprites that a preview of the event shows, besides those that it moves.

    `tie_breaks(s, lang)` may list what decides at the end between players with as many points: its name and the value of each
    seat, the first that differs counting. `closing(s, lang)` may tell in sentences how the match ended. `unscored(s)` may say
    that the points tell nothing but the set-up so far; a dash is shown instead of them.

    A page that lists the players with their points and asks for the decision says so (`perankh.scene.players_listed`);
    `scene` may leave these out then. Scenes may not differ otherwise.
    """

    @property
    def SEAT_COLOURS(self) -> SeatColours:
        """The colours of the seats, names out of the palette."""

    @property
    def PICTURES(self) -> Mapping[str, Callable[[], Any]]:
        """The positions that the guides show."""

    def scene(self, s: Any, viewer: int, lang: str, shape: str, /) -> Scene:
        """The table as sprites."""

    def paths(self, s: Any, p: int, /) -> dict[int, tuple[str, ...]]:
        """The sprites to click, one after the other, for each legal action."""

    def breakdown(self, s: Any, lang: str, /) -> list[tuple[str, list[int]]]:
        """The points at the end by source: its name, and the points of each seat."""


def names_of(protocol: Any) -> tuple[str, ...]:
    """The names that a Protocol lists itself."""
    return (*protocol.__annotations__, *(name for name in vars(protocol) if not name.startswith("_")))


@stand_in
def action_count() -> int:
    """How many actions there are: ACTIONS, as a constant that compiled loops can use. No game writes this."""
    raise NotImplementedError


def counting(actions: int) -> Callable[[], int]:
    """`action_count` for so many actions."""

    @rule
    def action_count(count: int = actions) -> int:
        return count

    return action_count


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
