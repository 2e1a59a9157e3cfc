"""The commands `perankh arena` and `perankh balance`."""

from __future__ import annotations

import argparse
import signal
from pathlib import Path
from typing import TYPE_CHECKING, Any

from perankh.arguments import add_game, bar, default_language, game_options, seed_number
from perankh.engine.game import game_names, get_game
from perankh.engine.words import LANGUAGES
from perankh.errors import BadOption

if TYPE_CHECKING:
    from perankh.arena.run import Played
    from perankh.arena.schedule import Schedule

Commands = Any  # what argparse returns from add_subparsers


def add_arena(commands: Commands) -> None:
    """The arguments of `perankh arena`."""
    arena = commands.add_parser("arena", help="play round robins of bots and rate them")
    arena.add_argument("games", nargs="*", metavar="GAME", help="names or folders of games (default: all games)")
    arena.add_argument(
        "--bots", metavar="A,B,...", default="random,apprentice,scribe,priest", help="the bots (default %(default)s)"
    )
    arena.add_argument("--players", metavar="N,N,...", help="player counts (default: all that each game allows)")
    arena.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="OPTION=V,V,...",
        help="values of an option, all of which are played; can be repeated",
    )
    arena.add_argument("--deals", type=int, default=20, metavar="K", help="deals for each setting (default 20)")
    arena.add_argument("--lineups", type=int, default=0, metavar="L", help="at most L line-ups for each deal (default: all)")
    add_running(arena, "arena")
    arena.set_defaults(command=run_arena)


def add_balance(commands: Commands) -> None:
    """The arguments of `perankh balance`."""
    balance = commands.add_parser("balance", help="measure how much seats, actions and options of a game matter")
    add_game(balance)
    balance.add_argument("--games", type=int, default=400, metavar="M", help="how many matches (default 400)")
    balance.add_argument("--bot", default="priest", metavar="BOT", help="the bot that plays all seats (default %(default)s)")
    balance.add_argument(
        "--option", action="append", default=[], metavar="NAME", help="measure this option; can be repeated (default: all)"
    )
    balance.add_argument(
        "--option-games", type=int, metavar="K", help="matches with each value of an option (default: a quarter of M; 0: none)"
    )
    add_running(balance, "balance-GAME")
    balance.set_defaults(command=run_balance)


def add_running(command: argparse.ArgumentParser, folder: str) -> None:
    """The arguments on how matches are run and where the report goes."""
    command.add_argument("--seed", type=seed_number, default=0, metavar="N", help="selects the deals (default 0)")
    command.add_argument("--workers", type=int, metavar="W", help="worker processes on this machine (default: one for each core)")
    command.add_argument(
        "--ray", metavar="ADDRESS", help="use a Ray cluster: its address, 'auto', or 'local' for one on this machine"
    )
    command.add_argument(
        "--out",
        type=Path,
        metavar="FOLDER",
        help=f"folder for results and report (default: {folder}); run again to continue",
    )
    command.add_argument("--lang", choices=LANGUAGES, default=default_language(), help="language of the report")


def run_arena(options: argparse.Namespace) -> int:
    """Play round robins and write the report."""
    from perankh.arena.report import arena_figures, write_report
    from perankh.arena.schedule import Schedule, bots_named, settings_of

    for name, least in (("deals", 1), ("lineups", 0)):
        if getattr(options, name) < least:
            raise BadOption(f"--{name} must be at least {least}")
    values = {name: listed(text, f"--set {name}") for name, text in game_options(options.set).items()}
    schedule = Schedule(
        settings_of(options.games or game_names(), player_counts(options.players), values),
        bots_named(listed(options.bots, "--bots"), 2),
        options.deals,
        options.lineups,
        options.seed,
    )
    folder = options.out or Path("arena")
    matches = play_schedule(schedule, folder / "results.jsonl", options)
    figures = arena_figures(schedule, matches, options.lang)
    page, data = write_report(folder, figures, options.lang)
    for row in figures["overall"]["ratings"]:
        print(f"{row['bot']:12} {row['value']:6.0f} ± {row['half']:.0f}  wins {row['wins']:.1%}")
    print(f"{len(matches)} matches: {page}, {data}")
    return 0


def run_balance(options: argparse.Namespace) -> int:
    """Play one bot against itself and write the report."""
    from perankh.arena.balance import balance_figures, study_of
    from perankh.arena.report import write_report
    from perankh.arena.schedule import bots_named

    game = get_game(options.game)
    players = options.players or game.players[0]
    if players < 2:
        raise BadOption("a balance needs at least 2 players")
    (bot,) = bots_named([options.bot], 1)
    option_games = options.games // 4 if options.option_games is None else options.option_games
    chosen = game_options(options.set)
    study = study_of(options.game, players, chosen, bot, options.games, options.option, option_games, options.seed)
    folder = options.out or Path(f"balance-{game.name}")
    played = {name: play_schedule(plan, folder / f"{name}.jsonl", options) for name, plan in study.schedules.items()}
    figures = balance_figures(study, played["matches"], played.get("options", []), options.lang)
    page, data = write_report(folder, figures, options.lang)
    for seat in figures["seats"]:
        wins, points = seat["wins"], seat["points"]["value"]
        print(f"{seat['label']:16} wins {wins['value']:.1%} ± {wins['half']:.1%}  points {points:.1f}")
    print(f"{sum(map(len, played.values()))} matches: {page}, {data}")
    return 0


def play_schedule(schedule: Schedule, path: Path, options: argparse.Namespace) -> list[Played]:
    """Play the matches of a schedule that are missing in a results file, with a progress display."""
    from perankh.arena.run import Results, play_missing, prepare
    from perankh.bots.searcher import cores

    if options.workers is not None and options.workers < 1:
        raise BadOption("--workers must be at least 1")
    if options.workers and options.ray:
        raise BadOption("--workers and --ray exclude each other: the cluster has its own workers")
    results = Results(path, schedule)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background command is started with SIGINT ignored
    try:
        if results.missing() and not options.ray:
            with bar("compiling", len({setting.game for setting in schedule.settings}), unit=" games") as report:
                prepare(schedule.settings, report)
        with bar("matches", results.total, unit=" matches") as report:
            play_missing(results, options.workers or cores(), options.ray, report)
        return results.played()
    finally:
        results.close()


def listed(text: str, what: str) -> list[str]:
    """Words separated by commas."""
    words = [word.strip() for word in text.split(",")]
    if not all(words):
        raise BadOption(f"{what} {text}: write it as a list with commas, like a,b")
    return words


def player_counts(text: str | None) -> list[int]:
    """Player counts separated by commas; none: all."""
    if text is None:
        return []
    try:
        return [int(word) for word in listed(text, "--players")]
    except ValueError:
        raise BadOption(f"--players {text}: write it as numbers with commas, like 2,3") from None
