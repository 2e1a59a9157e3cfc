"""Analysis of matches that are over: what a strong player thinks of each decision.

The decisions of a match are analysed one after the other, at low priority; several matches take turns. Each decision is stored
when it is done. All who look at a match share one analysis; it pauses when nobody has asked for a while, and goes on where it was
when somebody does.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import takewhile
from typing import Any

import orjson

from perankh.bots import analyse
from perankh.engine.game import Game
from perankh.engine.words import LANGUAGES
from perankh.errors import PerankhError
from perankh.match.match import Match
from perankh.web import storage
from perankh.web.refusal import refused
from perankh.web.rendering import move_in_words
from perankh.web.replays import Moves, decision_numbers, state_after
from perankh.web.scheduler import ADDRESS_FACTOR, Attendance, caller
from perankh.web.services import ANALYSIS, Services
from perankh.web.table import Table
from perankh.web.timed_answers import answer_at

MOST_DECISIONS = 150  # of a match with more, so many are analysed, evenly spread
WHOLE, SHORTEST, LONGEST = 60.0, 0.3, 0.6  # seconds for a match, and at least and at most for one decision
PATIENCE = 60.0  # seconds without a question after which the work pauses
KEPT = 64  # analyses in memory that nobody asks for
MOST_ASKED = 8  # analyses that go on at the same time for one person


class MatchAnalysis:
    """The analysis of one match, as far as it has come."""

    def __init__(self, table: str, match: Match, epoch: int) -> None:
        self.table = table
        self.match = match
        self.epoch = epoch  # of the stored rows
        self.state = "preparing"  # then "working", then "done"; or "failed"
        self.asked = Attendance()
        self.decided = 0  # real decisions of the match
        self.chosen: list[int] = []  # the numbers of those that are analysed
        self.judged: list[dict[str, Any]] = []
        self.task: asyncio.Task[None] | None = None

    @property
    def going_on(self) -> bool:
        """Is it being worked on?"""
        return self.task is not None and not self.task.done()

    @property
    def seconds(self) -> float:
        """Time for one decision."""
        return max(SHORTEST, min(LONGEST, WHOLE / max(1, len(self.chosen))))

    def json(self, lang: str, since: int) -> dict[str, Any]:
        """What there is so far; of the decisions those after the first `since`."""
        return {
            "state": self.state,
            "done": len(self.judged),
            "total": len(self.chosen),
            "decided": self.decided,
            "decisions": [in_language(judged, lang) for judged in self.judged[since:]],
            "end": chances_at_end(self.match),
        }


def spread(numbers: Sequence[int], most: int) -> list[int]:
    """At most so many of the numbers, evenly spread, the first and the last among them."""
    if len(numbers) <= most:
        return list(numbers)
    return [numbers[k * (len(numbers) - 1) // (most - 1)] for k in range(most)]


def judge(folder: str, record: bytes, moves: Moves, p: int, action: int, number: int, seconds: float) -> dict[str, Any]:
    """What is thought of a decision after some moves, the moves in words: runs in a worker process."""
    game, whole = state_after(folder, record, moves)
    state = game.veiled(whole, p)
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


def in_language(judged: dict[str, Any], lang: str) -> dict[str, Any]:
    """A decision with its sentences in one language."""
    moves = {part: {**judged[part], "sentence": judged[part]["sentence"][lang]} for part in ("played", "best")}
    return judged | moves


def chances_at_end(match: Match) -> list[float] | None:
    """Who has won, as chances; None if the match was broken off."""
    winners = match.winners
    return [round(1 / len(winners), 4) if p in winners else 0.0 for p in range(match.players)] if winners else None


def sound_decisions(stored: Iterable[str]) -> Iterator[dict[str, Any]]:
    """The decisions that are stored, without those that are damaged: they are analysed again."""
    for text in stored:
        with suppress(ValueError, KeyError, TypeError):
            decision = orjson.loads(text)
            for lang in LANGUAGES:
                in_language(decision, lang)
            yield decision


class Analyst:
    """Analyses matches as long as somebody asks."""

    def __init__(self, services: Services) -> None:
        self.services = services
        self.analyses: dict[str, MatchAnalysis] = {}  # by table, the one longest not asked for first

    def ask(self, table: Table) -> MatchAnalysis:
        """The analysis of a table; begun, or gone on with, if it is not done."""
        if not (table.match.over or table.readonly):
            raise refused(409, "not_over")
        analysis = self.analyses.pop(table.id, None)
        if analysis is None or analysis.epoch != table.epoch:
            analysis = MatchAnalysis(table.id, table.match, table.epoch)
        if analysis.state == "failed":
            raise refused(503, "no_analysis")
        self.analyses[table.id] = analysis
        if analysis.state != "done" and not analysis.going_on:
            self.check_asked()
            analysis.task = self.services.start(self.work(analysis))
        analysis.asked.note(caller.get())
        self.forget()
        return analysis

    def check_asked(self) -> None:
        """Refuse one more analysis to somebody for whom enough go on."""
        who = caller.get()
        going_on = [analysis.asked.since(PATIENCE) for analysis in self.analyses.values() if analysis.going_on]
        if (
            sum(who in asked for asked in going_on) >= MOST_ASKED
            or sum(any(other.address == who.address for other in asked) for asked in going_on) >= ADDRESS_FACTOR * MOST_ASKED
        ):
            raise refused(429, "busy")

    def forget(self) -> None:
        """Keep a number of analyses that nobody works on; what they found is stored."""
        resting = [table for table, analysis in self.analyses.items() if not analysis.going_on]
        for table in resting[:-KEPT]:
            del self.analyses[table]

    async def work(self, analysis: MatchAnalysis) -> None:
        """Go on with an analysis until it is done or nobody has asked for a while."""
        try:
            if analysis.state == "preparing":
                await self.prepare(analysis)
            while len(analysis.judged) < len(analysis.chosen) and analysis.asked.since(PATIENCE):
                await self.judge_next(analysis)
            if len(analysis.judged) == len(analysis.chosen):
                analysis.state = "done"
        except (PerankhError, OSError) as error:
            logging.getLogger(__name__).warning("a match could not be analysed: %s", error)
            analysis.state = "failed"

    async def prepare(self, analysis: MatchAnalysis) -> None:
        """Choose the decisions, take those that are stored, and see that the game's search is compiled."""
        match = analysis.match
        start, moves = match.path_to(0)[0], match.played
        payers = analysis.asked.since(PATIENCE)
        given = (str(match.game.folder), start.to_bytes(), moves)
        numbers = await self.services.run(ANALYSIS, analysis.table, decision_numbers, *given, payers=payers)
        stored = await self.services.storage.read(lambda connection: storage.select_analysis(connection, analysis.table))
        judged = {decision["number"]: decision for decision in sound_decisions(stored)}
        analysis.decided, analysis.chosen = len(numbers), spread(numbers, MOST_DECISIONS)
        analysis.judged = [judged[number] for number in takewhile(judged.__contains__, analysis.chosen)]
        await self.compile(match.game)
        analysis.state = "working"

    async def compile(self, game: Game) -> None:
        """See that a game's search is compiled."""
        while self.services.is_compiling and not await self.services.check_compiled(game):
            await asyncio.sleep(1)
        if not await self.services.check_compiled(game):
            await self.services.compile_searches([game])
        if not await self.services.check_compiled(game):
            raise PerankhError(f"the search of {game.name} is not compiled")

    async def judge_next(self, analysis: MatchAnalysis) -> None:
        """Analyse one more decision, and store it."""
        match, number = analysis.match, analysis.chosen[len(analysis.judged)]
        state, moves = match.path_to(number)
        p, action = match.played[number]
        given = (str(match.game.folder), state.to_bytes(), moves, p, action, number, analysis.seconds)
        judged = await self.services.run(ANALYSIS, analysis.table, judge, *given, payers=analysis.asked.since(PATIENCE))
        text = orjson.dumps(judged).decode()
        await self.services.storage.write(
            lambda connection: storage.insert_analysis(connection, analysis.table, number, text), analysis.epoch
        )
        analysis.judged.append(judged)
