"""The command `analyse`, and the compiling of bots for commands."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from perankh.arguments import bar, default_language
from perankh.bots.analysis import (
    MOST_DECISIONS,
    decisions,
    expected_line,
    judge,
    line_in_words,
    spread,
)
from perankh.bots.levels import needs_no_compiler
from perankh.bots.network import untrained
from perankh.bots.report import WORDS, percent, report
from perankh.bots.searcher import cores, is_ready, searcher_of
from perankh.engine.game import Game
from perankh.engine.state import Record
from perankh.engine.text import width
from perankh.engine.words import LANGUAGES
from perankh.errors import BadOption
from perankh.match.match import Match

USUAL, LONGEST = 30.0, 3600.0  # seconds for an analysis, unless others are given, and at most
CHART = 20  # lines of the chart of chances
COLUMNS = 40  # of a bar in it


def add_analyse(commands: Any) -> None:
    """The command `analyse`."""
    analyse = commands.add_parser("analyse", help="analyse a match file: what decided it, what was luck, what the moves cost")
    analyse.add_argument("file", type=Path, metavar="FILE")
    analyse.add_argument("--game", metavar="PATH", help="the folder of the game, if it is not an installed one")
    analyse.add_argument("--json", action="store_true", help="print JSON: every decision, and the report in all languages")
    analyse.add_argument(
        "--seconds", type=float, default=USUAL, metavar="N", help=f"time for the whole match, on all cores (default {USUAL:g})"
    )
    analyse.add_argument("--lang", choices=LANGUAGES, default=default_language())
    analyse.set_defaults(command=run_analyse)


def run_analyse(options: argparse.Namespace) -> int:
    """Analyse a match file and print the report."""
    from perankh.match import load

    if not 0 < options.seconds <= LONGEST:
        raise BadOption(f"--seconds must be more than 0 and at most {LONGEST:g}")
    match = load(options.file, game=options.game)
    compile_bots(match.game)
    found = analysed(match, options.seconds)
    print(json.dumps(found, ensure_ascii=False, indent=2) if options.json else text_report(match, found, options.lang))
    return 0


def prepare_bot(game: Game, bot: str, state: Record) -> None:
    """Compile the search if a bot needs it; say so where it searches because its network was not trained for the match."""
    if bot != "pharaoh" and needs_no_compiler(game, bot, state):
        return
    if reason := untrained(game, state):
        print(f"{reason}: the bots search instead", file=sys.stderr, flush=True)
    compile_bots(game)


def compile_bots(game: Game) -> None:
    """Compile the search of a game, if it is not on disk yet, with a progress display."""
    if not is_ready(game):
        with bar(f"compiling the bots of {game.name}", searcher_of(game).function_count(), unit=" rules") as progress:
            searcher_of(game).warm(progress)


def analysed(match: Match, seconds: float) -> dict[str, Any]:
    """The analysis of a match on all cores: its decisions, the report, and the lines expected after better moves."""
    game, threads = match.game, cores()
    searcher_of(game).warm()
    found = list(match_decisions(match))
    chosen = set(spread([number for number, *_ in found], MOST_DECISIONS))
    each = seconds * threads / max(1, len(chosen))
    wanted = [decision for decision in found if decision[0] in chosen]
    judged: list[dict[str, Any]] = []
    with ThreadPoolExecutor(threads) as pool, bar("decisions", len(wanted), unit=" decisions") as progress:
        work = [pool.submit(judge, game, veiled, number, p, action, each) for number, p, action, veiled in wanted]
        for done, one in enumerate(work, 1):
            judged.append(one.result())
            progress(done)
    told = report(match, judged)
    views = {number: veiled for number, _, _, veiled in found}
    lines = {}
    for decision in judged:
        number, best = decision["number"], game.text.CODES.index(decision["best"]["code"])
        if number in told["costly"]:
            lines[number] = line_in_words(game, *expected_line(game, views[number], decision["seat"], best, number))
    facts = {"game": game.name, "players": match.players, "names": [match.name(p) for p in range(match.players)]}
    return facts | {
        "number": match.number,
        "scores": match.scores,
        "ranks": match.ranks,
        "over": match.over,
        "decided": len(found),
        "decisions": judged,
        "report": told,
        "lines": lines,
    }


def match_decisions(match: Match) -> Any:
    """The decisions of a match, from its deal on."""
    return decisions(match.game, match.path_to(0)[0], match.played)


# --- As text -------------------------------------------------------------------------------------------------------------------


def text_report(match: Match, found: Mapping[str, Any], lang: str) -> str:
    """The report as a page of text."""
    told, names = found["report"], [match.name(p, lang) for p in range(match.players)]
    lines = [*told["sentences"][lang], "", WORDS.say("text.chances", lang), *chart(found["decisions"], names)]
    dear = [next(one for one in found["decisions"] if one["number"] == number) for number in told["costly"]]
    if dear:
        lines += ["", WORDS.say("text.costly", lang)]
    for one in dear:
        facts = {"number": one["number"] + 1, "name": names[one["seat"]], "cost": percent(one["cost"])}
        lines.append(WORDS.say("text.played", lang, sentence=one["played"]["sentence"][lang], **facts))
        lines.append(WORDS.say("text.better", lang, sentence=one["best"]["sentence"][lang]))
        for move in found["lines"][one["number"]][1:]:
            lines.append(WORDS.say("text.line", lang, name=names[move["seat"]], sentence=move["sentence"][lang]))
    lines += ["", WORDS.say("text.parts", lang)]
    for name, seat in zip(padded(names), told["seats"], strict=True):
        parts = {part: f"{percent(seat[part]):+}" for part in ("deal", "own", "others", "luck")}
        ends = {part: str(percent(seat[part])) for part in ("start", "result")}
        lines.append(WORDS.say("text.head", lang, name=name, **parts, **ends))
    lines += ["", WORDS.say("text.accuracy", lang)]
    for name, seat in zip(padded(names), told["seats"], strict=True):
        by_phase = zip((phase["name"][lang] for phase in told["phases"]), seat["by_phase"], strict=True)
        shown = [(WORDS.say("text.whole", lang), seat["accuracy"]), *by_phase]
        lines.append(f"{name}  " + "  ".join(f"{part} {'-' if value is None else f'{value:.0f} %'}" for part, value in shown))
    return "\n".join(lines)


def chart(judged: Sequence[Mapping[str, Any]], names: Sequence[str]) -> list[str]:
    """The chances of all seats at moments that are evenly spread, as bars."""
    places = spread(range(len(judged)), CHART)
    shown = padded(names)
    head = " " * 6 + "  ".join(f"{name}{' ' * max(0, 5 - width(name))}" for name in shown)
    rows = []
    for place in places:
        chances = judged[place]["chances"]
        shares = [f"{percent(chance):>3} %" for chance in chances]
        cells = "  ".join(share.ljust(max(5, width(name))) for share, name in zip(shares, shown, strict=True))
        rows.append(f"{judged[place]['number'] + 1:>4}  {cells}  {'#' * round(COLUMNS * chances[0])}")
    return [head, *rows]


def padded(names: Sequence[str]) -> list[str]:
    """Names filled up to the same width."""
    widest = max(map(width, names))
    return [name + " " * (widest - width(name)) for name in names]
