"""A game: its folder, its rules bound to the loops, and the ways to find games."""

from __future__ import annotations

import ast
import hashlib
import importlib
import importlib.util
import json
import os
import secrets
import sys
import threading
import traceback
from collections import OrderedDict
from functools import cache, cached_property
from importlib.metadata import entry_points
from numbers import Integral
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any

from perankh.engine import contract, loops
from perankh.engine.chance import WORD, forget_chance, seed_chance
from perankh.engine.components import changed_by
from perankh.engine.editions import EDITION, Edition, judged_by_rules
from perankh.engine.events import EventKind, GameEvent
from perankh.engine.observation import Features, all_fields
from perankh.engine.rule import Translation, bind, is_rule
from perankh.engine.state import Option, Record
from perankh.errors import BadGame, BadOption, PerankhError, UnknownGame
from perankh.scene.svg import SHARED
from perankh.scene.text_board import TextBoard

if TYPE_CHECKING:
    from perankh.engine.box import Box
    from perankh.engine.components import Components
    from perankh.engine.cuda import CudaRunner
    from perankh.engine.illustrations import Card, Illustration
    from perankh.engine.lesson import Lesson
    from perankh.engine.native import NativeRunner
    from perankh.engine.puzzles import Puzzle
    from perankh.engine.words import Words

SEED_LIMIT = 1 << 128
MOST_PLAYERS = 4
PARTS = {"rules": contract.Rules, "text": contract.Text, "drawing": contract.Drawing}  # of a game's folder
NOT_LOADED = "cannot be loaded"
BOT_FUNCTIONS = ("heuristic", "long_term_heuristic", "rollout_choice")


def has_part(folder: Path, name: str) -> bool:
    """Does a game's folder have a part, as a module or as a package?"""
    return (folder / f"{name}.py").is_file() or (folder / name / "__init__.py").is_file()


def place_in(folder: Path, error: Exception) -> str:
    """The file, line and function of a game where an exception was raised or passed through, "" if it came from elsewhere."""
    inside = [frame for frame in traceback.extract_tb(error.__traceback__) if Path(frame.filename).is_relative_to(folder)]
    if not inside:
        return ""
    function = "" if inside[-1].name == "<module>" else f" {inside[-1].name}"
    return f"{Path(inside[-1].filename).relative_to(folder)}:{inside[-1].lineno}{function}: "


def names_bound(folder: Path, name: str) -> set[str]:
    """The names that a part binds, by its source, for a part that cannot be loaded; "*" if it takes all names of a module."""
    path = folder / f"{name}.py" if (folder / f"{name}.py").is_file() else folder / name / "__init__.py"
    try:
        tree = ast.parse(path.read_text("utf-8"))
    except (SyntaxError, UnicodeDecodeError):
        return {"*"}
    found = {node.name for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            found |= {alias.asname or alias.name for alias in node.names}
    return found


class Game:
    """One game folder, loaded: its rules, texts and drawing, and what the engine adds to them."""

    def __init__(self, name: str, package: str, folder: Path, edition: Edition | None = None) -> None:
        self.name = name
        self.package = package
        self.folder = folder
        self.edition = edition  # what its printed numbers have otherwise than the game's components file
        self.place = place_of(folder, edition)
        with changed_by(edition.changes if edition else {}):
            self.rules = self._part("rules")
        self.State: type[Record] = self.rules.State
        self.own_functions = {name: getattr(self.rules, name) for name in contract.FUNCTIONS if hasattr(self.rules, name)}
        self.own_functions.setdefault("observe", all_fields(self.State)[1])
        defaults = vars(bind(vars(contract), self.own_functions))
        self.functions = {name: self.own_functions.get(name, defaults[name]) for name in contract.FUNCTIONS}
        self.players: range = self.rules.PLAYERS
        self.actions: int = self.rules.ACTIONS
        self.own_functions["action_count"] = contract.counting(self.actions)
        self.endings: tuple[str, ...] = self.rules.ENDINGS
        self.truncating = self._bits_of_endings(getattr(self.rules, "TRUNCATING", ()))
        self.hidden: tuple[str, ...] = getattr(self.rules, "HIDDEN", ())
        self.invariants: tuple[str, ...] = getattr(self.rules, "INVARIANTS", ())
        self.Event: type[EventKind] | None = getattr(self.rules, "Event", None)
        self.version: int = self.rules.VERSION
        self.components: Components | None = getattr(self.rules, "COMPONENTS", None)
        self.components_fingerprint: str = self.components.fingerprint if self.components else "none"
        if self.components:
            self.components.check_all_read()

    def __deepcopy__(self, memo: Any) -> Game:
        return self

    def __reduce__(self) -> Any:
        """Pickled by where it is found; one of the package by its name, since the package may be elsewhere on another machine."""
        return game_at, (self.name if self.package.startswith(f"{OWN_PACKAGE}.") else self.place,)

    def _bits_of_endings(self, names: tuple[str, ...]) -> int:
        """A bit for each of these endings, at the place that `ending` returns for it."""
        unknown = [name for name in names if name not in self.endings]
        if unknown:
            raise BadGame(f"game {self.name}: TRUNCATING of rules names {unknown[0]!r}, which is not one of its ENDINGS")
        return sum(1 << (1 + self.endings.index(name)) for name in names)

    def _part(self, name: str) -> Any:
        """A part of the game, with all that its Protocol lists. If something is missing, the error names what all parts lack."""
        if self._lacking(name) or not (self.folder / "words.toml").is_file():
            self.need_all_parts()
        return self._module(name)

    def need_all_parts(self) -> None:
        """Load every part; BadGame names all that is missing."""
        faults = [fault for name in PARTS for fault in self._lacking(name)]
        broken = [fault for fault in faults if NOT_LOADED in fault]
        faults = [fault for fault in faults if fault not in broken[1:]]  # a part fails if one that it imports does
        if not (self.folder / "words.toml").is_file():
            faults.append("there is no words.toml")
        if faults:
            see = "" if all(NOT_LOADED in fault for fault in faults) else " (see perankh.engine.contract)"
            raise BadGame(f"game {self.name} in {self.folder}: {'; '.join(faults)}{see}")

    def _lacking(self, name: str) -> list[str]:
        """What a part lacks, in words."""
        if not has_part(self.folder, name):
            return [] if name == "drawing" else [f"there is no {name}.py or {name}/"]
        faults, part = [], None
        try:
            part = self._module(name)
            there = set(vars(part))
        except BadGame as fault:
            faults.append(str(fault).removeprefix(f"game {self.name}: "))
            there = names_bound(self.folder, name)
        if missing := [wanted for wanted in contract.names_of(PARTS[name]) if wanted not in there and "*" not in there]:
            faults.append(f"{name} lacks {', '.join(missing)}")
        found = [
            wanted
            for wanted in contract.FUNCTIONS
            if name == "rules" and part and not is_rule(getattr(part, wanted, contract.setup))
        ]
        return faults + ([f"not marked @rule in rules: {', '.join(found)}"] if found else [])

    def _module(self, name: str) -> ModuleType:
        try:
            return importlib.import_module(f"{self.package}.{name}")
        except PerankhError:
            raise
        except Exception as error:
            fault = f"{place_in(self.folder, error)}{type(error).__name__}: {error}"
            raise BadGame(f"game {self.name}: {name} {NOT_LOADED}: {fault}") from error

    @property
    def options(self) -> dict[str, Option]:
        return self.State.options

    def number_shown(self, option: str, value: int, lang: str) -> str:
        """The value of a whole-number option as people read it, with its unit if it has one."""
        key = f"option.{option}.unit"
        return self.words.say(key, lang, n=self.options[option].in_units(value)) if key in self.words.texts else str(value)

    @cached_property
    def text(self) -> contract.Text:
        """What a person reads and types."""
        text: contract.Text = self._part("text")
        return text

    @cached_property
    def drawing(self) -> contract.Drawing:
        """How the game is drawn: by its own drawing, or as its text board."""
        if not has_part(self.folder, "drawing"):
            return TextBoard(self)
        drawing: contract.Drawing = self._part("drawing")
        return drawing

    @cached_property
    def bots(self) -> ModuleType | None:
        """What the game tells the bots; None if it tells nothing."""
        return self._module("bots") if has_part(self.folder, "bots") else None

    @cached_property
    def features(self) -> Features:
        """What an observation consists of."""
        if not hasattr(self.rules, "observe"):
            return Features(all_fields(self.State)[0])
        if not hasattr(self.rules, "FEATURES"):
            raise BadGame(f"game {self.name}: rules has observe and no FEATURES that say what it writes")
        return Features(self.rules.FEATURES)

    @property
    def art(self) -> Path:
        """The symbols that the drawing uses, beside those that all games share."""
        own = self.folder / "art.svg"
        return own if own.is_file() else SHARED

    @cached_property
    def words(self) -> Words:
        """The game's words in every language."""
        from perankh.engine.words import Words

        return Words(self.folder / "words.toml")

    def seat_name(self, p: int, lang: str) -> str:
        """What a seat is called: by the game's own text, or by the text `seat.<p>`."""
        return str(getattr(self.text, "seat_name", self.words.seat_name)(p, lang))

    @cached_property
    def box(self) -> Box:
        """What the box says of the game, and its usual set-up."""
        from perankh.engine.box import box_of

        return box_of(self)

    @cached_property
    def lesson(self) -> Lesson | None:
        """The first match that teaches the game, if it has one."""
        from perankh.engine.lesson import lesson_of

        return lesson_of(self)

    @cached_property
    def puzzles(self) -> tuple[Puzzle, ...]:
        """Positions with one clearly best move, if it has any."""
        from perankh.engine.puzzles import puzzles_of

        return puzzles_of(self)

    @cached_property
    def illustrations(self) -> dict[str, Illustration]:
        """What its guides and its card show, by name."""
        from perankh.engine.illustrations import illustrations_of

        return illustrations_of(self)

    @cached_property
    def card(self) -> Card | None:
        """The rules on one screen, if the game has them so."""
        from perankh.engine.illustrations import card_of

        return card_of(self)

    @cached_property
    def loops(self) -> SimpleNamespace:
        """The interpreted loops, bound to this game."""
        return bind(vars(loops), self.own_functions)

    @cached_property
    def native(self) -> NativeRunner:
        """The compiled runner."""
        from perankh.engine.native import NativeRunner

        return NativeRunner(self)

    @cached_property
    def cuda(self) -> CudaRunner:
        """The GPU runner."""
        from perankh.engine.cuda import CudaRunner

        return CudaRunner(self)

    @cached_property
    def translation(self) -> Translation:
        """The compiled twins of the game's rules and of what it tells the bots: one for all that runs natively."""
        own = {name: getattr(self.bots, name) for name in BOT_FUNCTIONS if is_rule(getattr(self.bots, name, None))}
        return Translation(self.own_functions | own)

    def event(self, row: tuple[int, int, tuple[int | None, ...]]) -> GameEvent:
        """An event from its plain numbers."""
        kinds: Any = self.Event
        return GameEvent(kinds(row[0]), row[1], tuple(row[2]))

    # --- States ---------------------------------------------------------------------------------------------

    def blank(self, players: int, options: dict[str, Any] | None = None) -> Record:
        """A state with players and options filled in and nothing dealt."""
        if players not in self.players:
            raise BadOption(f"{self.name} is for {self.players[0]} to {self.players[-1]} players, not {players}")
        state = self.State()
        state.players = players
        given = dict(options or {})
        for name, option in self.options.items():
            setattr(state, name, option.stored(name, given.pop(name, option.default), players))
        if given:
            known = ", ".join(self.options) or "none"
            raise BadOption(f"{self.name} has no option {', '.join(sorted(given))}; its options are: {known}")
        settle = getattr(self.rules, "settle_options", None)
        if settle:
            settle(state)
        check = getattr(self.rules, "check_options", None)
        if check and (reason := check(state)):
            raise BadOption(f"{self.name}: {reason}")
        return state

    def new_state(self, players: int, seed: int, options: dict[str, Any] | None = None) -> Record:
        """A dealt state, ready for the first decision."""
        state = self.blank(players, options)
        seed_chance(state, *seed_words(seed), 0)
        self.functions["setup"](state)
        return state

    def setup_events(self, dealt: Record) -> list[GameEvent]:
        """What happened while a state was dealt, before its first move."""
        fresh = self.blank(dealt.players, self.shown_options(dealt))
        seed_chance(fresh, *dealt.chance_key, 0)  # type: ignore[call-arg]
        fresh.events = []
        self.functions["setup"](fresh)
        return fresh.events

    def shown_options(self, state: Record) -> dict[str, Any]:
        """The options that stand in a state, as a person writes them."""
        return {name: option.shown(getattr(state, name)) for name, option in self.options.items()}

    def actors(self, state: Record) -> list[int]:
        """The seats that may act now."""
        mask = self.functions["actors"](state)
        return [p for p in range(state.players) if mask >> p & 1]

    def legal(self, state: Record, p: int) -> list[int]:
        """The actions that p may choose from; empty if p is not to decide."""
        if not self.functions["actors"](state) >> p & 1:
            return []
        out = [0] * self.actions
        return out[: self.functions["legal"](state, p, out)]

    def apply(self, state: Record, p: int, a: int) -> list[GameEvent]:
        """Carry out a legal action on the state, in place, and return what happened, in order."""
        events: list[GameEvent] = []
        state.events = events
        try:
            self.functions["apply"](state, p, a)
        finally:
            state.events = None
        return events

    def veiled(self, state: Record, p: int) -> Record:
        """A copy of the state with everything p may not know erased (p = -1: a spectator)."""
        copy = state.copy()
        forget_chance(copy)
        self.functions["veil"](copy, p)
        return copy

    def redealt(self, veiled: Record, seed: int) -> Record:
        """A copy of a veiled state with a random world, drawn from `seed`, in place of what was erased."""
        copy = veiled.copy()
        seed_chance(copy, *seed_words(seed), 0)
        self.functions["redeal"](copy)
        return copy

    def observation_of(self, state: Record, p: int) -> list[int]:
        """P's observation: the features of the veiled state."""
        out = [0] * self.features.size
        self.functions["observe"](self.veiled(state, p), p, out)
        return out

    def scores(self, state: Record) -> list[int]:
        """The points of each seat."""
        out = [0] * MOST_PLAYERS
        self.functions["scores"](state, out)
        return out[: state.players]

    def ranks(self, state: Record) -> list[int]:
        """The place of each seat, 1 for the best."""
        out = [0] * MOST_PLAYERS
        self.functions["ranks"](state, out)
        return out[: state.players]

    def ending(self, state: Record) -> str | None:
        """Why the game is over, a name out of `endings`; None while it runs."""
        code = self.functions["ending"](state)
        return self.endings[code - 1] if code else None


# --- Seeds ----------------------------------------------------------------------------------------------------


def fresh_seed() -> int:
    """128 bits from the operating system."""
    return secrets.randbits(128)


def checked_seed(seed: int | None) -> int:
    """The seed itself, or a fresh one for None."""
    if seed is None:
        return fresh_seed()
    if isinstance(seed, bool) or not isinstance(seed, Integral) or not 0 <= seed < SEED_LIMIT:
        raise BadOption(f"a seed is a whole number from 0 to 2**128 - 1, not {seed!r}")
    return int(seed)


def seed_words(seed: int) -> tuple[int, int, int, int]:
    """The four 32-bit words of a seed, least significant first."""
    return seed & WORD, seed >> 32 & WORD, seed >> 64 & WORD, seed >> 96 & WORD


def seed_of(state: Record) -> int:
    """The seed that a state was dealt from; 0 for a veiled state."""
    return sum(word << (32 * i) for i, word in enumerate(state.chance_key))


# --- Finding games --------------------------------------------------------------------------------------------

OWN, OWN_PACKAGE = Path(__file__).parent.parent / "games", "perankh.games"  # the games of this package
_loaded: dict[Path, Game] = {}
_editions: OrderedDict[str, Game] = OrderedDict()  # games in an edition by place, the one longest unused first
_loading = threading.RLock()
MOST_EDITIONS = 24
LONGEST_SHOWN = 80  # characters of an unknown name that an error repeats


def game_folders() -> dict[str, Path]:
    """Every game that can be found by name: those of this package, those of installed packages, those under PERANKH_GAMES."""
    found = {path.name: path for path in sorted(folder for folder in OWN.iterdir() if has_part(folder, "rules"))}
    found |= installed_games(tuple(sys.path))
    for shelf in filter(None, os.environ.get("PERANKH_GAMES", "").split(os.pathsep)):
        for path in sorted(Path(shelf).iterdir()) if Path(shelf).is_dir() else []:
            if has_part(path, "rules"):
                found[path.name] = path.resolve()
    return found


@cache
def installed_games(_: tuple[str, ...]) -> dict[str, Path]:
    """The games of packages that are installed where modules are searched for; finding them takes milliseconds."""
    specs = {entry.name: importlib.util.find_spec(entry.value) for entry in entry_points(group="perankh.games")}
    places = {name: spec.submodule_search_locations for name, spec in specs.items() if spec}
    return {name: Path(where[0]) for name, where in places.items() if where}


def game_names() -> list[str]:
    """The names of the games that can be found."""
    return sorted(game_folders())


def get_game(name: str | Path) -> Game:
    """A game by its name, or by the path of its folder. For names from outside, such as those in files, use `game_named`."""
    folders = game_folders()
    if str(name) in folders:
        return game_in(folders[str(name)])
    try:
        is_folder = has_part(Path(name), "rules")
    except (OSError, ValueError):  # no path of this system: too long, say
        is_folder = False
    if not is_folder:
        raise unknown_game(str(name), folders)
    return game_in(Path(name).resolve())


def game_named(name: str) -> Game:
    """A game by its name, never by a path, because a name in a file may come from anybody."""
    folders = game_folders()
    if name not in folders:
        raise unknown_game(name, folders)
    return game_in(folders[name])


def unknown_game(name: str, folders: dict[str, Path]) -> UnknownGame:
    """The error about a name that no game has."""
    shown = name if len(name) <= LONGEST_SHOWN else name[:LONGEST_SHOWN] + "..."
    return UnknownGame(f"there is no game {shown!r}; there are: {', '.join(sorted(folders))}")


def game_in(folder: Path) -> Game:
    """The game of a folder, loaded once."""
    if folder not in _loaded:
        _loaded[folder] = Game(folder.name, _package(folder), folder)
    return _loaded[folder]


def game_at(place: str) -> Game:
    """A game by its `place`: where another process finds the same game with the same printed numbers."""
    if not place.startswith("{"):
        return get_game(place)
    known = json.loads(place)
    return game_with(get_game(known["folder"]), Edition.of(known["edition"]))


def place_of(folder: Path, edition: Edition | None) -> str:
    """The folder of a game, and its edition if it has one."""
    return json.dumps({"folder": str(folder), "edition": edition.json()}, sort_keys=True) if edition else str(folder)


def game_with(base: Game, edition: Edition | None, keep: bool = True) -> Game:
    """The game in an edition: its rules are loaded once more. The latest few are kept, and this one if it is to be."""
    if edition is None:
        return base
    place = place_of(base.folder, edition)
    with _loading:
        try:
            with judged_by_rules(edition):
                game = _editions.pop(place, None) or Game(base.name, _package(base.folder, place), base.folder, edition)
                _ = game.text, game.drawing, game.bots  # loaded now: the modules may be forgotten later
            if keep:
                _editions[place] = game
            return game
        finally:
            _forget_editions()


def _forget_editions() -> None:
    """Keep the latest few games in an edition, and their modules. Whoever has another goes on: it has all its modules itself."""
    while len(_editions) > MOST_EDITIONS:
        _editions.popitem(last=False)
    kept = {game.package for game in _editions.values()}
    for name in [name for name in sys.modules if name.startswith(EDITION) and name.partition(".")[0] not in kept]:
        del sys.modules[name]


def _package(folder: Path, place: str = "") -> str:
    """The importable name of a game folder; one outside any package, and a game in an edition, becomes one of its own."""
    if folder.parent == OWN and not place:
        return f"{OWN_PACKAGE}.{folder.name}"
    kind, this = (EDITION, place) if place else ("perankh_game_", str(folder))
    name = f"{kind}{folder.name}_{hashlib.sha256(this.encode()).hexdigest()[: 16 if place else 8]}"
    if name not in sys.modules:
        module = ModuleType(name)
        module.__path__ = [str(folder)]
        sys.modules[name] = module
    return name
