"""Analysis of matches that are over: what a strong player thinks of each decision.

Matches are analysed in a process of their own, at low priority, a decision of each in turn. All who look at a match share one
analysis; it pauses when nobody has asked for a while, and goes on when somebody does.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from typing import Any

from perankh.bots import analyse, game_at, restored, searcher_of
from perankh.bots.analysis import decisions
from perankh.engine.state import Record
from perankh.errors import PerankhError
from perankh.match.match import Match
from perankh.web.refusal import refused
from perankh.web.rendering import move_in_words
from perankh.web.services import Services
from perankh.web.table import Table
from perankh.web.timed_answers import answer_at
from perankh.workers import WorkerPool

MOST_DECISIONS = 150  # of a match with more, so many are analysed, evenly spread
WHOLE, SHORTEST, LONGEST = 60.0, 0.3, 0.6  # seconds for a match, and at least and at most for one decision
PATIENCE = 60.0  # seconds without a question after which the work pauses
KEPT = 64  # analyses in memory
NICE = 15  # others go first
DECISION_LIMIT = 60.0  # seconds after which a process that hangs over one decision is replaced


class MatchAnalysis:
    """The analysis of one match, as far as it has come."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.state = "preparing"  # then "working", then "done"; or "failed"
        self.asked = time.monotonic()
        self.worked = 0.0  # when it last advanced
        self.decided = 0  # real decisions of the match
        self.total = 0  # those that are analysed
        self.judged: list[dict[str, Any]] = []
        self.coming: Iterator[tuple[int, int, int, Record]] | None = None

    def all_decisions(self) -> Iterator[tuple[int, int, int, Record]]:
        """The decisions of the match at which there was a choice, from the deal on."""
        match = self.match
        return decisions(match.game, match.at(0).state.copy(), list(match.played))

    def read(self) -> None:
        """Count the decisions and choose those to analyse."""
        numbers = [number for number, *_ in self.all_decisions()]
        chosen = set(spread(numbers, MOST_DECISIONS))
        self.decided, self.total = len(numbers), len(chosen)
        self.coming = (found for found in self.all_decisions() if found[0] in chosen)

    def next_decision(self) -> tuple[int, int, int, Record] | None:
        """The decision to analyse now; None at the end."""
        assert self.coming is not None
        return next(self.coming, None)

    @property
    def seconds(self) -> float:
        """Time for one decision."""
        return max(SHORTEST, min(LONGEST, WHOLE / max(1, self.total)))

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


def judge(folder: str, record: bytes, p: int, action: int, number: int, seconds: float) -> dict[str, Any]:
    """What is thought of a decision, the moves in words: runs in a worker process."""
    game, state = restored(folder, record)
    found = analyse(game, state, p, action, number, seconds)
    best, cost = found.best, found.cost
    if answer_at(game, state, action, 0) == answer_at(game, state, best, 0):
        best, cost = action, 0.0  # the same answer, at another moment
    return {
        "number": number,
        "seat": p,
        "chances": [round(chance, 4) for chance in found.chances],
        "cost": cost,
        "played": move_in_words(game, state, p, action),
        "best": move_in_words(game, state, p, best),
    }


def load_search(folder: str) -> None:
    """Load a game's search, compiled first if need be: runs in a worker process."""
    searcher_of(game_at(folder)).warm()


def in_language(judged: dict[str, Any], lang: str) -> dict[str, Any]:
    """A decision with its sentences in one language."""
    moves = {part: {**judged[part], "sentence": judged[part]["sentence"][lang]} for part in ("played", "best")}
    return judged | moves


def chances_at_end(match: Match) -> list[float] | None:
    """Who has won, as chances; None if the match was broken off."""
    winners = match.winners
    return [round(1 / len(winners), 4) if p in winners else 0.0 for p in range(match.players)] if winners else None


class Analyst:
    """Analyses matches, one decision at a time, as long as somebody asks."""

    def __init__(self, services: Services) -> None:
        self.services = services
        self.pool: WorkerPool | None = None
        self.loaded: set[str] = set()  # games whose search the process has loaded
        self.analyses: OrderedDict[str, MatchAnalysis] = OrderedDict()  # by table, the one longest not asked for first
        self.asked = asyncio.Event()
        self.task: asyncio.Task[None] | None = None

    def ask(self, table: Table) -> MatchAnalysis:
        """The analysis of a table; begun, or gone on with, if it is not done."""
        if not (table.match.over or table.readonly):
            raise refused(409, "not_over")
        analysis = self.analyses.setdefault(table.id, MatchAnalysis(table.match))
        self.analyses.move_to_end(table.id)
        if len(self.analyses) > KEPT:
            self.analyses.popitem(last=False)
        if analysis.state == "failed":
            del self.analyses[table.id]
            raise refused(503, "no_analysis")
        analysis.asked = time.monotonic()
        self.asked.set()
        if analysis.state != "done" and (self.task is None or self.task.done()):
            self.task = self.services.start(self.work())
        return analysis

    def due(self) -> MatchAnalysis | None:
        """The analysis to go on with: of those asked for, the one that has waited longest."""
        now = time.monotonic()
        wanted = [s for s in self.analyses.values() if s.state in ("preparing", "working") and now - s.asked < PATIENCE]
        return min(wanted, key=lambda analysis: analysis.worked, default=None)

    async def work(self) -> None:
        """Analyse what is asked for; when nothing has been for a while, end the process."""
        self.pool = WorkerPool(nice=NICE)
        try:
            while True:
                while (analysis := self.due()) is not None:
                    try:
                        await self.advance(self.pool, analysis)
                    except (PerankhError, OSError) as error:
                        logging.getLogger(__name__).warning("a match could not be analysed: %s", error)
                        analysis.state = "failed"
                        self.loaded.clear()
                    analysis.worked = time.monotonic()
                self.asked.clear()
                await asyncio.wait_for(self.asked.wait(), PATIENCE)
        except TimeoutError:
            pass
        finally:
            self.close()

    async def advance(self, pool: WorkerPool, analysis: MatchAnalysis) -> None:
        """Advance an analysis by one decision, or by one step towards the first."""
        game = analysis.match.game
        if analysis.coming is None:
            await asyncio.to_thread(analysis.read)
        elif game.name not in self.loaded:
            if self.services.is_compiling and not await self.services.check_compiled(game):
                await asyncio.sleep(1)  # it is being compiled already
                return
            await self.services.run(pool, load_search, str(game.folder))
            self.loaded.add(game.name)
        else:
            analysis.state = "working"
            found = await asyncio.to_thread(analysis.next_decision)
            if found is None:
                analysis.state = "done"
                return
            number, p, action, seen = found
            given = (str(game.folder), seen.to_bytes(), p, action, number, analysis.seconds)
            analysis.judged.append(await self.services.run(pool, judge, *given, limit=DECISION_LIMIT))

    def close(self) -> None:
        """End the process."""
        self.loaded.clear()
        if self.pool:
            self.pool.shutdown()
            self.pool = None
