"""How long the analysis of a whole match takes: until there are first figures, and until every decision is judged.

    python bench/analysis.py --write
    python bench/analysis.py --games egizia

A match of scribes, with as many players as the game's usual set-up, is analysed by the functions that the server runs in its
worker processes, and by `perankh analyse`. Searches take the time that they are given. Everything else is measured as processor
time, with hardly any search, so that other work on the machine does not matter.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import results

from perankh.bots import BOTS, searcher_of
from perankh.bots.analysis import LINE_SECONDS, LONGEST_LINE, MOST_DECISIONS, seconds_each, spread
from perankh.bots.cli import USUAL
from perankh.bots.play import play
from perankh.bots.report import report
from perankh.engine.game import game_names, get_game
from perankh.match import Match
from perankh.match.file import text_of
from perankh.web.analysis import find_line, judge, run_first_pass, way_to
from perankh.web.replays import decision_numbers

BOT = "scribe"
SHOWN = 3  # better lines
HARDLY = 0.001  # seconds of search for a decision
SHORT = 1.0  # seconds of search for a whole match, by the command


def match_of_bots(name: str) -> Match:
    """A match of scribes with the usual set-up."""
    game = get_game(name)
    players, options = game.box.players, dict(game.box.options)
    match = Match(game, players, 1, options)
    for p, action in play(game, players, options, 1, [BOTS[BOT]] * players, 1).moves:
        match.play(action, p)
    return match


def at_a_table(match: Match) -> dict[str, Any]:
    """Processor seconds until there are first figures, and of all that is not search; and the seconds given to searches."""
    searcher_of(match.game).warm()
    start = match.game.place, match.path_to(0)[0].to_bytes(), match.played
    began = time.process_time()
    chosen = spread(decision_numbers(*start), MOST_DECISIONS)
    report(match, run_first_pass(*start))
    first = time.process_time() - began
    began, judged = time.process_time(), []
    for number in chosen:
        p, action = match.played[number]
        judged.append(judge(*way_to(match, number), p, action, number, HARDLY))
    report(match, judged)
    rest = time.process_time() - began
    one = judged[len(judged) // 2]
    find_line(*way_to(match, one["number"]), one["seat"], one["best"]["code"], one["number"])  # takes the time it is given
    searches = len(chosen) * seconds_each(len(chosen)) + SHOWN * LONGEST_LINE * LINE_SECONDS
    return {"decisions": len(chosen), "first": first, "rest": rest, "searches": searches}


def by_command(match: Match, folder: Path) -> float:
    """Processor seconds of the command with little time for searches."""
    file = folder / "match.perankh"
    file.write_text(text_of(match), "utf-8")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "perankh", "analyse", str(file), "--json", "--seconds", str(SHORT)]
    subprocess.run(command, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def part(rows: list[dict[str, Any]]) -> str:
    """The chapter of RESULTS.md."""
    head = ("game", "players", "moves", "decisions", "first figures", "searches", "all else", "whole at most", "command")
    lines = [
        (
            *(str(row[name]) for name in ("game", "players", "moves", "decisions")),
            *(f"{seconds:.1f} s" for seconds in (row["first"], row["searches"], row["rest"])),
            f"{row['first'] + row['searches'] + row['rest']:.0f} s",
            f"{USUAL:.0f} s + {row['command']:.1f} s",
        )
        for row in rows
    ]
    return (
        f"## Analysis\n\n{results.described(results.machine(('perankh', 'numba', 'numpy')))}\n\nThe analysis of a match of "
        "scribes at a table: processor seconds until there are figures for every decision; then the seconds given to searches, "
        "on one core, and processor seconds of all else. `perankh analyse` gives searches "
        f"{USUAL:.0f} s on all cores; after it, the processor seconds of the command with {SHORT:.0f} s.\n\n"
        f"{results.table(head, *lines)}"
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Measure how long the analysis of a match takes.")
    parser.add_argument("--games", nargs="+", default=game_names())
    parser.add_argument("--write", action="store_true", help="into RESULTS.md")
    given = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for name in given.games:
            match = match_of_bots(name)
            facts = {"game": name, "players": match.players, "moves": match.number}
            rows.append(facts | at_a_table(match) | {"command": by_command(match, Path(folder))})
            print(json.dumps(rows[-1]), flush=True)
    text = part(rows)
    print(text)
    if given.write:
        results.write("analysis", text)
