"""Archives: every position of a match and what happened in each move, so that it can be shown when its rules have changed.

A match is its seed and its moves, and only the rules it was played under lead from them to its positions. So these are packed
together with the layout of the record and the names of the events. Unpacked under other rules, they are converted by name: a new
field is empty, and an event that is gone is left out. Nobody's name is in an archive, and nothing in it is executed.
"""

from __future__ import annotations

import json
import zlib
from typing import Any, Self

import numpy as np

from perankh.engine.editions import Edition
from perankh.engine.events import GameEvent
from perankh.engine.game import Game
from perankh.engine.state import KINDS, Record
from perankh.errors import BadFile, BadOption
from perankh.match.deal import Deal
from perankh.match.forfeits import Forfeits
from perankh.match.match import Match, checked_names

FORMAT = 1
LARGEST = 64_000_000  # bytes of an archive that is unpacked


def packed(match: Match) -> bytes:
    """The archive of a match."""
    game, facts = match.game, facts_of(match)
    positions = list(match.positions())
    facts |= {
        "scores": [position.scores for position in positions],
        "forced": [len(before.legal(p)) == 1 for before, (p, _) in zip(positions, match.played, strict=False)],
    }
    records = np.frombuffer(b"".join(position.state.to_bytes() for position in positions), np.uint8)
    records = records.reshape(len(positions), game.State.dtype.itemsize)
    differences = records.copy()
    differences[1:] ^= records[:-1]  # few bytes change with a move, and what is zero takes little room
    head = json.dumps(facts).encode()
    return zlib.compress(len(head).to_bytes(4, "little") + head + differences.tobytes(), 9)


def facts_of(match: Match) -> dict[str, Any]:
    """What an archive says besides positions."""
    game, dtype = match.game, match.game.State.dtype
    kinds: Any = game.Event or ()
    return {
        "format": FORMAT,
        "rules": game.version,
        "components": game.components_fingerprint,
        "edition": game.edition.json() if game.edition else None,
        "players": match.players,
        "options": match.options,
        "layout": [[name, field.kind, list(field.shape), dtype.fields[name][1]] for name, field in game.State.fields.items()],
        "size": dtype.itemsize,
        "kinds": [[kind.name, [str(name) for name in kind.names]] for kind in kinds],
        "moves": [[p, game.text.CODES[action]] for p, action in match.played],
        "events": [[event.as_numbers() for event in events] for events in match._events],
        "actors": match.actors,
        "ranks": match.ranks,
        "ending": match.ending,
    }


class ArchivedMatch(Match):
    """A match out of its archive, shown by a game whose rules may be others. It can be looked at; no move can be made."""

    def __init__(self, game: Game, content: bytes, seed: int, names: list[str] | None = None, deal: Deal | None = None) -> None:
        try:
            facts, rows = unpacked(content)
            self._fill(game, facts, rows)
        except (ValueError, TypeError, KeyError, IndexError, AttributeError, zlib.error) as error:
            raise BadFile(f"is no archive of a match of {game.name}: {type(error).__name__}: {error}") from None
        self.seed, self._names, self.deal, self.origin = seed, checked_names(names, self.players), deal, None
        self.forfeits = Forfeits()

    def _fill(self, game: Game, facts: dict[str, Any], rows: Any) -> None:
        """Take over what an archive says."""
        if facts["players"] not in game.players or len(rows) != len(facts["moves"]) + 1:
            raise ValueError("it does not fit the game")
        codes = {code: action for action, code in enumerate(game.text.CODES)}
        self.game, self.players, self.options = game, facts["players"], known_options(game, facts["players"], facts["options"])
        self._version, self._components, edition = int(facts["rules"]), str(facts["components"]), facts["edition"]
        self._edition = Edition.of(edition) if edition else None
        self._records = converted(rows, game.State)
        self._codes: tuple[str, ...] = tuple(str(code) for _, code in facts["moves"])
        self._made = tuple((int(p), codes.get(code, -1)) for p, code in facts["moves"])
        self._told = tuple(tuple(known_events(game, facts["kinds"], row)) for row in facts["events"])
        self._scores, self._forced, self._ranks = facts["scores"], facts["forced"], facts["ranks"]
        self._last_actors, self._ending = facts["actors"], facts["ending"]
        if not len(self._told) == len(self._made) == len(self._forced) == len(self._scores) - 1:
            raise ValueError("parts of it are missing")
        self._undone, self._snapshots, self._interval = (), {}, 1
        self._go_back(len(self._made))

    # --- What its rules said ------------------------------------------------------------------------------------------

    @property
    def version(self) -> int:
        """The version of the rules it was played under."""
        return self._version

    @property
    def components(self) -> str:
        """The fingerprint of the components it was played with."""
        return self._components

    @property
    def edition(self) -> Edition | None:
        """The edition it was played with."""
        return self._edition

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes of the moves made so far, as they were called then."""
        return self._codes[: self.number]

    @property
    def scores(self) -> list[int]:
        """The points of each seat as they stood then."""
        return self.scores_at(self.number)

    def scores_at(self, number: int) -> list[int]:
        """The points of each seat after so many moves, as they were counted then."""
        return list(self._scores[number])

    @property
    def outcome(self) -> dict[str, Any]:
        """How it came out under the rules of then."""
        return {"scores": self.scores_at(len(self._made)), "ranks": self._ranks, "ending": self._ending}

    @property
    def ranks(self) -> list[int]:
        """The places at the end."""
        return list(self._ranks)

    @property
    def ending(self) -> str | None:
        """Why it was over then; None before the end. The game may not know such an end any more."""
        return self._ending if self.number == len(self._made) else None

    def forced(self, number: int) -> bool:
        """Was there no other choice than the move after so many?"""
        return bool(self._forced[number])

    # --- Time -----------------------------------------------------------------------------------------------------------

    def path_to(self, number: int) -> tuple[Record, tuple[tuple[int, int], ...]]:
        """The position after so many moves; no move leads there."""
        return self.game.State.from_bytes(self._records[number]), ()

    def _found(self) -> tuple[Record, list[int], dict[int, list[int]]]:
        """Nobody can make a move any more."""
        acting = self._last_actors if self.number == len(self._made) else [self._made[self.number][0]]
        return self._state, acting, {p: [] for p in acting}

    def _apply(self, p: int, a: int) -> None:  # noqa: ARG002
        """Go on to the next position."""
        self._go_back(self.number + 1)

    def _go_back(self, number: int) -> None:
        """Go to the position after so many moves."""
        self._state = self.path_to(number)[0]
        self._played, self._events = self._made[:number], self._told[:number]

    def copy(self) -> Self:
        """An independent match in the same position."""
        twin = object.__new__(type(self))
        twin.__dict__ |= vars(self) | {"options": dict(self.options)}
        return twin


def unpacked(content: bytes) -> tuple[dict[str, Any], Any]:
    """The facts of an archive, and its positions as records of the layout of then."""
    unzip = zlib.decompressobj()
    data = unzip.decompress(content, LARGEST)
    if not unzip.eof:
        raise ValueError("it is too large, or was cut off")
    start = 4 + int.from_bytes(data[:4], "little")
    facts = json.loads(data[4:start])
    if facts["format"] != FORMAT:
        raise ValueError(f"it is of format {facts['format']}")
    if not all(kind in KINDS for _, kind, _, _ in facts["layout"]):
        raise ValueError("its layout is none of a record")
    formats = [("<" + kind, tuple(shape)) for _, kind, shape, _ in facts["layout"]]
    names, offsets = [row[0] for row in facts["layout"]], [row[3] for row in facts["layout"]]
    layout = np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": facts["size"]})
    differences = np.frombuffer(data, np.uint8, offset=start).reshape(-1, facts["size"])
    return facts, np.bitwise_xor.accumulate(differences, axis=0).view(layout)[:, 0]


def converted(rows: Any, state: type[Record]) -> list[bytes]:
    """Records of another layout as those of a game: what both have is taken over, as far as it fits."""
    if rows.dtype == state.dtype:
        return [row.tobytes() for row in rows]
    found = np.zeros(len(rows), state.dtype)
    for name in state.fields:
        if name not in rows.dtype.fields or rows[name].ndim != found[name].ndim:
            continue
        shared = tuple(slice(min(sizes)) for sizes in zip(rows[name].shape, found[name].shape, strict=True))
        kind = np.iinfo(found[name].dtype)
        found[name][shared] = np.clip(rows[name][shared].astype(np.int64), kind.min, kind.max)
    return [row.tobytes() for row in found]


def known_options(game: Game, players: int, options: dict[str, Any]) -> dict[str, Any]:
    """The options that a game still has, with values that it takes."""
    found = {}
    for name, value in options.items():
        try:
            game.options[name].stored(name, value, players)
            found[name] = value
        except (KeyError, BadOption):
            continue
    return found


def known_events(game: Game, kinds: list[Any], rows: list[Any]) -> list[GameEvent]:
    """The events of a move that a game still knows, by the names of their kinds and values."""
    present: dict[str, Any] = dict(game.Event.__members__) if game.Event else {}
    found = []
    for number, seat, values in rows:
        name, value_names = kinds[number]
        by_name, kind = dict(zip(value_names, values, strict=True)), present.get(name)
        if kind is not None and all(str(wanted) in by_name for wanted in kind.names):
            found.append(GameEvent(kind, seat, tuple(by_name[str(wanted)] for wanted in kind.names)))
    return found
