"""The commands that write pages which need no server: docs and export-site."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from perankh.arguments import seed_number
from perankh.bots import BOTS
from perankh.engine.game import get_game
from perankh.errors import BadOption


def add_site(commands: Any) -> None:
    """All commands that write pages."""
    docs = commands.add_parser("docs", help="build the documentation, which the server offers under /docs")
    docs.add_argument("--to", type=Path, metavar="FOLDER", help="build it in this folder instead, for any web space")
    docs.set_defaults(command=run_docs)
    export = commands.add_parser("export-site", help="write a demonstration for any web space: matches, puzzles, guides")
    export.add_argument("folder", type=Path, metavar="FOLDER", help="where to write it; a new or an empty folder")
    export.add_argument("--games", nargs="+", metavar="GAME", help="these games only (default: all)")
    export.add_argument("--bot", choices=tuple(BOTS), default="vizier", help="the bot that plays all seats (default vizier)")
    export.add_argument("--seed", type=seed_number, default=1, metavar="N", help="deals the matches (default 1)")
    export.add_argument("--seconds", type=float, default=30, metavar="S", help="time for the analysis of each match (default 30)")
    export.add_argument(
        "--puzzles", type=int, default=7, metavar="N", help="puzzles of each game, which take turns by the day (default 7)"
    )
    export.set_defaults(command=run_export)


def run_docs(options: argparse.Namespace) -> int:
    """Build the documentation."""
    from perankh.site.documents import PACKED, build

    folder = options.to or PACKED
    build(folder)
    print(f"{folder} holds the documentation")
    return 0


def run_export(options: argparse.Namespace) -> int:
    """Write the demonstration."""
    from perankh.site.export import export
    from perankh.web.catalog import offered_games

    games = [get_game(name) for name in options.games] if options.games else list(offered_games().values())
    if options.seconds < 0 or options.puzzles < 0:
        raise BadOption("--seconds and --puzzles cannot be negative")
    given = (options.bot, options.seed, options.seconds, options.puzzles)
    export(options.folder, games, *given, lambda game: print(f"{game.name} is written", flush=True))
    print(f"{options.folder} can be put on any web space; open its index.html there")
    return 0
