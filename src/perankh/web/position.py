"""One position of a match that is played at a table, with what has been worked out about it."""

from __future__ import annotations

from perankh.engine.state import Record
from perankh.match.match import Match

SPECTATOR = -1


class Position:
    """A match after one of its moves. A table replaces its position with every change, so nothing kept here becomes stale."""

    def __init__(self, match: Match, forced: bool | None = None) -> None:
        self.match = match
        self.over = match.over
        self.forced = forced  # was there no choice but the last move? None: not known
        self.undoable: dict[int, bool] = {}  # by seat: has it learned nothing since its last decision?
        self.sealed: dict[int, bool] = {}  # by seat: is its last choice still a secret?
        self._seen: dict[int, Record] = {}
        self._ranks: list[int] | None = None

    def seen_by(self, viewer: int) -> Record:
        """The state as a viewer may see it."""
        if viewer not in self._seen:
            self._seen[viewer] = self.match.game.veiled(self.match.state, viewer)
        return self._seen[viewer]

    @property
    def ranks(self) -> list[int]:
        """The places of the seats if the match ended here."""
        if self._ranks is None:
            self._ranks = self.match.ranks
        return self._ranks
