"""A game as the house sees it: its folder, its rules bound to the loops, and how games are found."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import os
import secrets
import sys
from collections.abc import Iterable
from functools import cached_property
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any

from perankh import games
from perankh.engine import contract, loops
from perankh.engine.chance import WORD, forget_chance, seed_chance
from perankh.engine.rule import bind
from perankh.engine.state import Option, Record
from perankh.errors import BadGame, BadOption, PerankhError, UnknownGame

if TYPE_CHECKING:
    from perankh.engine.cuda import CudaRunner
    from perankh.engine.native import NativeRunner
    from perankh.engine.words import Words

SEED_LIMIT = 1 << 128
MOST_PLAYERS = 4
FILES = ("rules.py", "invariants.py", "face.py", "components.toml", "words.toml")
FACTS = {
    "State": "the state record, a class derived from Record",
    "PLAYERS": "the player counts, a range",
    "ACTIONS": "how many actions there are",
    "OBSERVATION": "the length of an observation",
    "ENDINGS": "the reasons why a game may end",
    "HIDDEN": "the names of the State fields in which veil may erase something",
    "VERSION": "the version of the rules, a whole number",
}


def hash_of(paths: Iterable[Path]) -> str:
    """A hash over files, their names included; nothing for no files."""
    digest = hashlib.sha256()
    for path in paths:
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:24]


class Game:
    """One game folder, loaded: its contract functions are attributes of `rules`, the methods here add what the engine does."""

    def __init__(self, name: str, package: str, folder: Path) -> None:
        self.name = name
        self.package = package
        self.folder = folder
        for file in FILES:
            if not (folder / file).is_file():
                raise BadGame(f"game {name}: {folder} has no {file}")
        self.rules = self._module("rules")
        invariants = self._module("invariants")
        for fact, meaning in FACTS.items():
            if not hasattr(self.rules, fact):
                raise BadGame(f"game {name}: rules.py does not say {fact} ({meaning})")
        self.functions: dict[str, Any] = {}
        for function in contract.NAMES:
            home = invariants if function == "violated" else self.rules
            if not hasattr(getattr(home, function, None), "__rule__"):
                raise BadGame(f"game {name}: {home.__name__.rpartition('.')[2]}.py has no @rule function {function}")
            self.functions[function] = getattr(home, function)
        if not hasattr(invariants, "INVARIANTS"):
            raise BadGame(f"game {name}: invariants.py does not list its INVARIANTS")
        self.State: type[Record] = self.rules.State
        self.players: range = self.rules.PLAYERS
        self.actions: int = self.rules.ACTIONS
        self.observation: int = self.rules.OBSERVATION
        self.endings: tuple[str, ...] = self.rules.ENDINGS
        self.invariants: tuple[str, ...] = invariants.INVARIANTS
        self.version: int = self.rules.VERSION
        self.components_fingerprint: str = self.rules.COMPONENTS.fingerprint

    def _module(self, file: str) -> ModuleType:
        try:
            return importlib.import_module(f"{self.package}.{file}")
        except PerankhError:
            raise
        except Exception as error:
            raise BadGame(f"game {self.name}: {file}.py cannot be loaded: {type(error).__name__}: {error}") from error

    @property
    def options(self) -> dict[str, Option]:
        return self.State.options

    @cached_property
    def face(self) -> Any:
        """What a person sees of the game (`face.py`)."""
        return self._module("face")

    @cached_property
    def scene(self) -> Any:
        """How the game is drawn (`scene.py`); None for a game that is played in the terminal only."""
        return self._module("scene") if (self.folder / "scene.py").is_file() else None

    @property
    def art(self) -> Path:
        """The symbols that scenes place."""
        return self.folder / "art.svg"

    @cached_property
    def words(self) -> Words:
        """The game's words in every language."""
        from perankh.engine.words import Words

        return Words(self.folder / "words.toml")

    @cached_property
    def loops(self) -> SimpleNamespace:
        """The interpreted loops, bound to this game."""
        return bind(vars(loops), self.functions)

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
    def source_hash(self) -> str:
        """Changes whenever anything changes that the compiled rules depend on."""
        engine = Path(__file__).parent
        return hash_of([*sorted(engine.glob("*.py")), *sorted(self.folder.glob("*.py")), self.folder / "components.toml"])

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
        return state

    def new_state(self, players: int, seed: int, options: dict[str, Any] | None = None) -> Record:
        """A dealt state, ready for the first decision."""
        state = self.blank(players, options)
        seed_chance(state, *seed_words(seed), 0)
        self.rules.setup(state)
        return state

    def shown_options(self, state: Record) -> dict[str, Any]:
        """The options that stand in a state, as a person writes them."""
        return {name: option.shown(getattr(state, name)) for name, option in self.options.items()}

    def actors(self, state: Record) -> list[int]:
        """The seats that may act now."""
        mask = self.rules.actors(state)
        return [p for p in range(state.players) if mask >> p & 1]

    def legal(self, state: Record, p: int) -> list[int]:
        """The actions p may choose from; empty if it is not p's to decide."""
        if not self.rules.actors(state) >> p & 1:
            return []
        out = [0] * self.actions
        return out[: self.rules.legal(state, p, out)]

    def veiled(self, state: Record, p: int) -> Record:
        """A copy of the state with everything p may not know erased (p = -1: a spectator)."""
        copy = state.copy()
        forget_chance(copy)
        self.rules.veil(copy, p)
        return copy

    def redealt(self, veiled: Record, seed: int) -> Record:
        """A copy of a veiled state with a random world, drawn from `seed`, in place of what was erased."""
        copy = veiled.copy()
        seed_chance(copy, *seed_words(seed), 0)
        self.rules.redeal(copy)
        return copy

    def observation_of(self, state: Record, p: int) -> list[int]:
        """P's observation: the features of the veiled state."""
        out = [0] * self.observation
        self.rules.observe(self.veiled(state, p), p, out)
        return out

    def scores(self, state: Record) -> list[int]:
        """The points of each seat."""
        out = [0] * MOST_PLAYERS
        self.rules.scores(state, out)
        return out[: state.players]

    def ranks(self, state: Record) -> list[int]:
        """The place of each seat, 1 for the best."""
        out = [0] * MOST_PLAYERS
        self.rules.ranks(state, out)
        return out[: state.players]

    def ending(self, state: Record) -> str | None:
        """Why the game is over, a name out of `endings`; None while it runs."""
        code = self.rules.ending(state)
        return self.endings[code - 1] if code else None


# --- Seeds ----------------------------------------------------------------------------------------------------


def fresh_seed() -> int:
    """128 bits from the operating system."""
    return secrets.randbits(128)


def checked_seed(seed: int | None) -> int:
    """The seed itself, or a fresh one for None."""
    if seed is None:
        return fresh_seed()
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < SEED_LIMIT:
        raise BadOption(f"a seed is a whole number from 0 to 2**128 - 1, not {seed!r}")
    return seed


def seed_words(seed: int) -> tuple[int, int, int, int]:
    """The four 32-bit words of a seed, least significant first."""
    return seed & WORD, seed >> 32 & WORD, seed >> 64 & WORD, seed >> 96 & WORD


# --- Finding games --------------------------------------------------------------------------------------------

_loaded: dict[Path, Game] = {}


def game_folders() -> dict[str, Path]:
    """Every game that can be found by name: the house's own, those of installed packages, those under PERANKH_GAMES."""
    own = Path(games.__file__).parent
    found = {path.parent.name: path.parent for path in sorted(own.glob("*/rules.py"))}
    for entry in entry_points(group="perankh.games"):
        spec = importlib.util.find_spec(entry.value)
        if spec and spec.submodule_search_locations:
            found[entry.name] = Path(spec.submodule_search_locations[0])
    for shelf in filter(None, os.environ.get("PERANKH_GAMES", "").split(os.pathsep)):
        for path in sorted(Path(shelf).glob("*/rules.py")):
            found[path.parent.name] = path.parent.resolve()
    return found


def game_names() -> list[str]:
    """The names of the games that can be found."""
    return sorted(game_folders())


def get_game(name: str | Path) -> Game:
    """A game by its name, or by the path of its folder."""
    folders = game_folders()
    if str(name) in folders:
        folder = folders[str(name)]
    elif (Path(name) / "rules.py").is_file():
        folder = Path(name).resolve()
    else:
        raise UnknownGame(f"there is no game {str(name)!r}; there are: {', '.join(sorted(folders))}")
    if folder not in _loaded:
        _loaded[folder] = Game(folder.name, _package(folder), folder)
    return _loaded[folder]


def _package(folder: Path) -> str:
    """The importable name of a game folder; a folder outside any package becomes one of its own."""
    own = Path(games.__file__).parent
    if folder.parent == own:
        return f"{games.__name__}.{folder.name}"
    name = f"perankh_game_{folder.name}_{hashlib.sha256(str(folder).encode()).hexdigest()[:8]}"
    if name not in sys.modules:
        module = ModuleType(name)
        module.__path__ = [str(folder)]
        sys.modules[name] = module
    return name
