"""Analysis of matches that are over: what a strong player thinks of each decision.

Matches are studied in a process of their own, at low priority, a decision of each in turn. All who look at a match share one
study; it rests when nobody has asked for a while, and goes on when somebody does.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from perankh.bots import is_ready
from perankh.bots.analysis import decisions
from perankh.engine.state import Record
from perankh.engine.words import LANGUAGES
from perankh.match.match import Match
from perankh.web.refusal import refused
from perankh.web.window import answer_in
from perankh.web.worker import Worker, WorkerFailed

if TYPE_CHECKING:
    from perankh.web.room import Room
    from perankh.web.rooms import Rooms

MOST_DECISIONS = 150  # of a match with more, so many are studied, evenly spread
WHOLE, SHORTEST, LONGEST = 60.0, 0.3, 0.6  # seconds for a match, and at least and at most for one decision
PATIENCE = 60.0  # seconds without a question after which the work rests
KEPT = 64  # studies in memory
NICE = 15  # others go first


class Study:
    """The analysis of one match, as far as it has come."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.state = "preparing"  # then "working", then "done"; or "failed"
        self.asked = time.monotonic()
        self.worked = 0.0  # when it last got on
        self.decided = 0  # real decisions of the match
        self.total = 0  # those that are studied
        self.judged: list[dict[str, Any]] = []
        self.coming: Iterator[tuple[int, int, int, Record]] | None = None

    def all_decisions(self) -> Iterator[tuple[int, int, int, Record]]:
        """The real decisions of the match, from the deal on."""
        match = self.match
        return decisions(match.game, match.at(0).state.copy(), list(match.played))

    def read(self) -> None:
        """Count the decisions and choose those to study."""
        numbers = [number for number, *_ in self.all_decisions()]
        chosen = set(spread(numbers, MOST_DECISIONS))
        self.decided, self.total = len(numbers), len(chosen)
        self.coming = (found for found in self.all_decisions() if found[0] in chosen)

    def next_decision(self) -> tuple[int, int, int, Record] | None:
        """The decision to study now; None at the end."""
        assert self.coming is not None
        return next(self.coming, None)

    @property
    def seconds(self) -> float:
        """Time for one decision."""
        return max(SHORTEST, min(LONGEST, WHOLE / max(1, self.total)))

    def add(self, number: int, p: int, seen: Record, opinion: dict[str, Any]) -> None:
        """Keep what was thought of a decision, the moves in words."""
        game = self.match.game
        played, best, cost = opinion["played"], opinion["best"], opinion["cost"]
        if answer_in(game, seen, played, 0) == answer_in(game, seen, best, 0):
            best, cost = played, 0.0  # the same answer, at another moment
        chances = [round(chance, 4) for chance in opinion["chances"]]
        moves = {"played": move_in_words(self.match, seen, p, played), "best": move_in_words(self.match, seen, p, best)}
        self.judged.append({"number": number, "seat": p, "chances": chances, "cost": cost, **moves})

    def json(self, lang: str, since: int) -> dict[str, Any]:
        """What there is so far; of the decisions those after the first `since`."""
        return {
            "state": self.state,
            "done": len(self.judged),
            "total": self.total,
            "decided": self.decided,
            "decisions": [in_language(judged, lang) for judged in self.judged[since:]],
            "end": chances_at_end(self.match),
        }


def spread(numbers: Sequence[int], most: int) -> list[int]:
    """At most so many of the numbers, evenly spread, the first and the last among them."""
    if len(numbers) <= most:
        return list(numbers)
    return [numbers[k * (len(numbers) - 1) // (most - 1)] for k in range(most)]


def move_in_words(match: Match, seen: Record, p: int, action: int) -> dict[str, Any]:
    """A move by its code, its sentence in every language, and the path of sprites one clicks for it."""
    face, paths = match.game.face, match.game.scene.paths(seen, p)
    sentences = {lang: face.sentence(seen, p, action, lang) for lang in LANGUAGES}
    return {"code": face.CODES[action], "sentence": sentences, "path": list(paths.get(action, ()))}


def in_language(judged: dict[str, Any], lang: str) -> dict[str, Any]:
    """A judged decision with its sentences in one language."""
    moves = {part: {**judged[part], "sentence": judged[part]["sentence"][lang]} for part in ("played", "best")}
    return judged | moves


def chances_at_end(match: Match) -> list[float] | None:
    """Who has won, as chances; None if the match was broken off."""
    winners = match.winners
    return [round(1 / len(winners), 4) if p in winners else 0.0 for p in range(match.players)] if winners else None


class Analyst:
    """Studies matches, one decision at a time, as long as somebody asks."""

    def __init__(self, rooms: Rooms) -> None:
        self.rooms = rooms
        self.worker = Worker(NICE)
        self.loaded: set[str] = set()  # games whose compiled thoughts the worker has at hand
        self.studies: OrderedDict[str, Study] = OrderedDict()  # by table, the one longest not asked for first
        self.bell = asyncio.Event()
        self.task: asyncio.Task[None] | None = None

    def ask(self, room: Room) -> Study:
        """The study of a table; begun, or gone on with, if it is not done."""
        if not (room.match.over or room.readonly):
            raise refused(409, "not_over")
        study = self.studies.setdefault(room.id, Study(room.match))
        self.studies.move_to_end(room.id)
        if len(self.studies) > KEPT:
            self.studies.popitem(last=False)
        if study.state == "failed":
            del self.studies[room.id]
            raise refused(503, "no_analysis")
        study.asked = time.monotonic()
        self.bell.set()
        if study.state != "done" and (self.task is None or self.task.done()):
            self.task = self.rooms.start(self.work())
        return study

    def due(self) -> Study | None:
        """The study to go on with: of those asked for, the one that has waited longest."""
        now = time.monotonic()
        wanted = [s for s in self.studies.values() if s.state in ("preparing", "working") and now - s.asked < PATIENCE]
        return min(wanted, key=lambda study: study.worked, default=None)

    async def work(self) -> None:
        """Study what is asked for; when nothing has been for a while, let the process go."""
        try:
            while True:
                while (study := self.due()) is not None:
                    try:
                        await self.advance(study)
                    except (WorkerFailed, OSError) as error:
                        logging.getLogger(__name__).warning("a match could not be analysed: %s", error)
                        study.state = "failed"
                        self.loaded.clear()
                    study.worked = time.monotonic()
                self.bell.clear()
                await asyncio.wait_for(self.bell.wait(), PATIENCE)
        except TimeoutError:
            pass
        finally:
            await self.close()

    async def advance(self, study: Study) -> None:
        """Get on with a study by one decision, or by one step towards the first."""
        game = study.match.game
        if study.coming is None:
            await asyncio.to_thread(study.read)
        elif game.name not in self.loaded:
            if self.rooms.is_warming and not is_ready(game):
                await asyncio.sleep(1)  # it is being compiled already
                return
            await self.worker.ask("load_mind", str(game.folder))
            self.loaded.add(game.name)
        else:
            study.state = "working"
            found = await asyncio.to_thread(study.next_decision)
            if found is None:
                study.state = "done"
                return
            number, p, action, seen = found
            opinion = await self.worker.ask("judge", str(game.folder), vars(seen), p, action, number, study.seconds)
            await asyncio.to_thread(study.add, number, p, seen, opinion)

    async def close(self) -> None:
        """Let the process go."""
        self.loaded.clear()
        await self.worker.close()
