"""Analysis of matches that are over: a first pass at once, then what a strong player thinks of each decision, and a report.

The decisions of a match are analysed one after the other, at low priority; several matches take turns. Each decision is stored
when it is done. All who look at a match share one analysis; it pauses when nobody has asked for a while, and goes on where it was
when somebody does.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import takewhile
from typing import Any

import orjson
import sqlalchemy as sa
from sqlalchemy import Connection

from perankh.bots.analysis import MOST_DECISIONS, expected_line, first_pass, line_in_words, seconds_each, spread
from perankh.bots.analysis import judge as judged_decision
from perankh.bots.network import trained_for
from perankh.bots.report import chances_at_end, costly, report
from perankh.engine.events import redacted
from perankh.engine.game import Game
from perankh.engine.words import LANGUAGES
from perankh.errors import PerankhError
from perankh.match.archive import ArchivedMatch
from perankh.match.match import Match
from perankh.web import rendering, storage
from perankh.web.refusal import refused
from perankh.web.replays import Moves, decision_numbers, state_after
from perankh.web.scheduler import ADDRESS_FACTOR, Attendance, caller
from perankh.web.seats import names_shown
from perankh.web.services import ANALYSIS, LOOK, REPORT, Services
from perankh.web.storage import analyses
from perankh.web.table import Table
from perankh.workers import WorkerFailed

PATIENCE = 60.0  # seconds without a question after which the work pauses
KEPT = 64  # analyses in memory that nobody asks for
MOST_ASKED = 8  # analyses that go on at the same time for one person
REPORT_EVERY = 20  # decisions between two reports on what is found so far


class MatchAnalysis:
    """The analysis of one match, as far as it has come."""

    def __init__(self, table: Table) -> None:
        self.table = table.id
        self.match = table.recorded()
        self.names = {lang: names_shown(table.game, table.seats, table.colours, lang) for lang in LANGUAGES}
        self.epoch = table.epoch  # of the stored rows
        self.state = "preparing"  # then "working", then "done"; or "failed"
        self.asked = Attendance()
        self.decided = 0  # real decisions of the match
        self.chosen: list[int] = []  # the numbers of those that are analysed
        self.first: list[dict[str, Any]] = []  # what the first pass found
        self.judged: list[dict[str, Any]] = []
        self.report: dict[str, Any] | None = None
        self.task: asyncio.Task[None] | None = None

    @property
    def going_on(self) -> bool:
        """Is it being worked on?"""
        return self.task is not None and not self.task.done()

    @property
    def known(self) -> list[dict[str, Any]]:
        """What is known of each decision: judged, or from the first pass."""
        return [*self.judged, *self.first[len(self.judged) :]]

    def json(self, lang: str, since: int) -> dict[str, Any]:
        """What there is so far; of what was found, in the order in which it was found, what follows the first `since`."""
        found = [*self.first, *self.judged]
        return {
            "state": self.state,
            "done": len(self.judged),
            "total": len(self.chosen),
            "decided": self.decided,
            "found": len(found),
            "decisions": [in_language(decision, lang) for decision in found[since:]],
            "report": in_language(self.report, lang) if self.report else None,
            "end": chances_at_end(self.match),
        }


def in_language(facts: Any, lang: str) -> Any:
    """The same facts with every text in one language."""
    if isinstance(facts, dict):
        return facts[lang] if set(facts) == set(LANGUAGES) else {name: in_language(value, lang) for name, value in facts.items()}
    return [in_language(value, lang) for value in facts] if isinstance(facts, list) else facts


# --- In worker processes ----------------------------------------------------------------------------------------------------


def run_first_pass(folder: str, record: bytes, moves: Moves) -> list[dict[str, Any]]:
    """The first pass over a match."""
    game, state = state_after(folder, record, ())
    return first_pass(game, state, moves, MOST_DECISIONS)[1]


def judge(folder: str, record: bytes, moves: Moves, p: int, action: int, number: int, seconds: float) -> dict[str, Any]:
    """What is thought of a decision after some moves, the moves in words and with the sprites to click for them."""
    game, whole = state_after(folder, record, moves)
    state = game.veiled(whole, p)
    judged = judged_decision(game, state, number, p, action, seconds)
    paths, codes = game.drawing.paths(state, p), game.text.CODES
    for part in ("played", "best"):
        judged[part]["path"] = list(paths.get(codes.index(judged[part]["code"]), ()))
    return judged


def find_line(folder: str, record: bytes, moves: Moves, p: int, code: str, number: int) -> list[dict[str, Any]]:
    """The line that is expected after a better move, in words."""
    game, whole = state_after(folder, record, moves)
    return line_in_words(game, *expected_line(game, game.veiled(whole, p), p, game.text.CODES.index(code), number))


def draw_line(
    folder: str, record: bytes, moves: Moves, number: int, line: Moves, wanted: rendering.Wanted, seats: rendering.Seats
) -> dict[str, Any]:
    """The position after some moves of a line, in a world that fits what the viewer knew, as the viewer would see it."""
    game, whole = state_after(folder, record, moves)
    state = game.redealt(game.veiled(whole, wanted.viewer), number)
    events = []
    for p, action in line:
        events = redacted(game.apply(state, p, action), wanted.viewer)
    made = rendering.parts(game, game.veiled(state, wanted.viewer), events, wanted, seats, bool(line))
    return {name: made[name] for name in ("scene", "lines", "scores")}


# --- On the server ------------------------------------------------------------------------------------------------------------


def sound_decisions(stored: Iterable[str]) -> Iterator[dict[str, Any]]:
    """The decisions that are stored, without those that are damaged or of an earlier version: they are analysed again."""
    for text in stored:
        with suppress(ValueError, KeyError, TypeError):
            decision = orjson.loads(text)
            complete = [decision[name] for name in ("number", "seat", "chances", "after", "cost", "loss", "stake")]
            worded = all(decision[part]["sentence"].keys() >= set(LANGUAGES) for part in ("played", "best"))
            if worded and None not in complete:
                yield decision


class Analyst:
    """Analyses matches as long as somebody asks."""

    def __init__(self, services: Services) -> None:
        self.services = services
        self.analyses: dict[str, MatchAnalysis] = {}  # by table, the one longest not asked for first

    def ask(self, table: Table) -> MatchAnalysis:
        """The analysis of a table; begun, or gone on with, if it is not done."""
        if not (table.over or table.readonly):
            raise refused(409, "not_over")
        if isinstance(table.match, ArchivedMatch):
            raise refused(409, "shown_under_other_rules")
        analysis = self.analyses.pop(table.id, None)
        if analysis is None or analysis.epoch != table.epoch:
            analysis = MatchAnalysis(table)
        if analysis.state == "failed":
            raise refused(503, "no_analysis")
        self.analyses[table.id] = analysis
        if analysis.state != "done" and not analysis.going_on:
            self.check_asked()
            analysis.task = self.services.start(self.work(analysis))
        analysis.asked.note(caller.get())
        self.forget()
        return analysis

    async def recall(self, table: Table) -> MatchAnalysis | None:
        """What is known of a match without any search: its analysis in memory, or one that was stored when it was complete."""
        analysis = self.analyses.get(table.id)
        if analysis and analysis.epoch == table.epoch:
            return analysis
        if isinstance(table.match, ArchivedMatch):
            return None
        stored = await self.services.storage.read(lambda connection: select_analysis(connection, table.id))
        judged = {decision["number"]: decision for decision in sound_decisions(stored)}
        if not judged:
            return None
        analysis = MatchAnalysis(table)
        match = analysis.match
        given = (match.game.place, match.path_to(0)[0].to_bytes(), match.played)
        numbers = await self.services.replay(LOOK, table.id, decision_numbers, *given)
        analysis.decided, analysis.chosen = len(numbers), spread(numbers, MOST_DECISIONS)
        if set(analysis.chosen) - set(judged):
            return None
        analysis.judged = [judged[number] for number in analysis.chosen]
        try:
            await self.tell(analysis)
        except WorkerFailed:
            raise refused(503, "took_long") from None
        analysis = self.analyses.setdefault(table.id, analysis)  # somebody may have asked meanwhile
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
                if len(analysis.judged) % REPORT_EVERY == 0:
                    await self.tell(analysis)
            if len(analysis.judged) == len(analysis.chosen):
                await self.find_lines(analysis)
                await self.tell(analysis)
                analysis.state = "done"
        except (PerankhError, OSError, LookupError, TypeError, ValueError, AttributeError) as error:  # machines answer anything
            logging.getLogger(__name__).warning("a match could not be analysed: %r", error)
            analysis.state = "failed"

    async def run(self, analysis: MatchAnalysis, function: Any, *given: Any) -> Any:
        """Work for an analysis, charged to those who ask for it."""
        return await self.services.run(ANALYSIS, analysis.table, function, *given, payers=analysis.asked.since(PATIENCE))

    async def prepare(self, analysis: MatchAnalysis) -> None:
        """Choose the decisions, take those that are stored, make the first pass, and see that the game's search is compiled.

        A trained network needs no compiler for the first pass.
        """
        match = analysis.match
        given = (match.game.place, match.path_to(0)[0].to_bytes(), match.played)
        numbers = await self.run(analysis, decision_numbers, *given)
        stored = await self.services.storage.read(lambda connection: select_analysis(connection, analysis.table))
        judged = {decision["number"]: decision for decision in sound_decisions(stored)}
        analysis.decided, analysis.chosen = len(numbers), spread(numbers, MOST_DECISIONS)
        analysis.judged = [judged[number] for number in takewhile(judged.__contains__, analysis.chosen)]
        if trained_for(match.game, tuple(match.options.items())):
            await self.compile(match.game)
        if len(analysis.judged) < len(analysis.chosen):
            analysis.first = await self.run(analysis, run_first_pass, *given)
            await self.tell(analysis)
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
        number = analysis.chosen[len(analysis.judged)]
        p, action = analysis.match.played[number]
        given = (p, action, number, seconds_each(len(analysis.chosen)))
        judged = await self.run(analysis, judge, *way_to(analysis.match, number), *given)
        if not any(sound_decisions([orjson.dumps(judged).decode()])):
            raise PerankhError("a decision was judged by nonsense")
        await self.store(analysis, judged)
        analysis.judged.append(judged)

    async def find_lines(self, analysis: MatchAnalysis) -> None:
        """Find what would have followed after the better moves, where it mattered most."""
        for dear in costly(analysis.judged):
            decision = next(one for one in analysis.judged if one["number"] == dear["number"])
            if "line" not in decision:
                number, way = decision["number"], way_to(analysis.match, decision["number"])
                line = await self.run(analysis, find_line, *way, decision["seat"], decision["best"]["code"], number)
                decision["line"] = line
                await self.store(analysis, decision)

    async def store(self, analysis: MatchAnalysis, decision: dict[str, Any]) -> None:
        """Store a decision that was judged."""
        number, text = decision["number"], orjson.dumps(decision).decode()
        if not await self.services.storage.write(
            lambda connection: insert_analysis(connection, analysis.table, number, text), analysis.epoch
        ):
            raise refused(404, "no_table")

    async def tell(self, analysis: MatchAnalysis) -> None:
        """Report on what is known."""
        given, payers = (analysis.match, analysis.known, analysis.names), analysis.asked.since(PATIENCE)
        analysis.report = await self.services.run(REPORT, analysis.table, report, *given, payers=payers)

    async def line(self, table: Table, number: int, step: int, lang: str, shape: str, seats: rendering.Seats) -> dict[str, Any]:
        """The position after some moves of the line that was expected after a better move, as the player would see it."""
        analysis = self.ask(table)
        decision = next((one for one in analysis.judged if one["number"] == number and "line" in one), None)
        if decision is None or not 0 <= step <= len(decision["line"]):
            raise refused(404, "no_line", number=number)
        codes, line = table.game.text.CODES, decision["line"][:step]
        moves = [(move["seat"], codes.index(move["code"])) for move in line]
        wanted = rendering.Wanted(decision["seat"], lang, shape, False, False)
        given = (*way_to(analysis.match, number), number, moves, wanted, seats)
        drawn = await self.services.replay(LOOK, table.id, draw_line, *given)
        facts = {"number": number, "step": step, "steps": len(decision["line"]), "seat": decision["seat"]}
        return facts | {"move": in_language(line[-1], lang) if line else None} | drawn


def way_to(match: Match, number: int) -> tuple[str, bytes, Moves]:
    """How another process gets to a position: the game, a state, and the moves from there on."""
    state, moves = match.path_to(number)
    return match.game.place, state.to_bytes(), moves


# --- Rows ---------------------------------------------------------------------------------------------------------------------


def select_analysis(connection: Connection, table: str) -> list[str]:
    """The analysed decisions of a table in order, as JSON."""
    wanted = sa.select(analyses.c.judged).where(analyses.c.table_id == table).order_by(analyses.c.number)
    return list(connection.execute(wanted).scalars())


def insert_analysis(connection: Connection, table: str, number: int, judged: str) -> bool:
    """One more analysed decision of a table; one that is there already is replaced. False if the table is deleted meanwhile."""
    if storage.select_version(connection, table) is None:
        return False
    connection.execute(analyses.delete().where(analyses.c.table_id == table, analyses.c.number == number))
    connection.execute(analyses.insert().values(table_id=table, number=number, judged=judged))
    return True
