"""The command `perankh`."""

from __future__ import annotations

import argparse
import io
import json
import os
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NoReturn

from tqdm import tqdm

from perankh import __version__
from perankh.arena.cli import add_arena, add_balance
from perankh.arguments import add_game, bar, compile_rules, default_language, game_options, seed_number
from perankh.bots import BOTS, bot_named
from perankh.bots.cli import add_analyse, compile_bots, prepare_bot
from perankh.engine.game import Game, game_names, get_game
from perankh.engine.words import LANGUAGES
from perankh.errors import BadFile, BadOption, PerankhError
from perankh.match.deal import PLAYER
from perankh.match.match import WORDS
from perankh.scene import SHAPES
from perankh.site.cli import add_site
from perankh.web.cli import add_web

FAILED, REFUSED, INTERRUPTED = 1, 2, 130


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        """Say what was wrong, and where help is."""
        self.exit(REFUSED, f"{self.prog}: {message} (see {self.prog} --help)\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; without one, start the server. The status is 0, 1 if a check failed, 2 if the request was refused."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    for stream in (sys.stdout, sys.stderr):
        write_all_letters(stream)
    try:
        options = parser().parse_args(given or ["serve"])
        return int(options.command(options))
    except PerankhError as error:
        print(f"perankh: {error}", file=sys.stderr)
        return REFUSED
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def write_all_letters(stream: Any) -> None:
    """Have a stream take every letter: on Windows, files and pipes have the few of one language, and others are errors."""
    if isinstance(stream, io.TextIOWrapper) and stream.encoding.lower() not in ("utf-8", "utf8"):
        chosen = stream.isatty() or "PYTHONIOENCODING" in os.environ
        stream.reconfigure(encoding=stream.encoding if chosen else "utf-8", errors="replace")


def parser() -> Parser:
    """All commands and their options."""
    top = Parser(
        prog="perankh",
        description="Board games: play them, let bots play them, simulate and check them. Without a command: serve.",
    )
    top.add_argument("--version", action="version", version=f"perankh {__version__}")
    commands = top.add_subparsers(metavar="COMMAND", required=True, parser_class=Parser)

    games = commands.add_parser("games", help="list the games and their options")
    games.add_argument("--lang", choices=LANGUAGES, default=default_language())
    form = games.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print JSON")
    form.add_argument("--markdown", action="store_true", help="print the page docs/games.md")
    form.add_argument("--features", action="store_true", help="print the page docs/features.md: what learners see and do")
    games.set_defaults(command=run_games)

    play = commands.add_parser("play", help="play in the terminal")
    add_game(play)
    play.add_argument("--people", type=int, default=1, metavar="N", help="seats played by people, from seat 0 on (default 1)")
    play.add_argument("--bot", choices=tuple(BOTS), default="scribe", help="the bot that plays the other seats (default scribe)")
    play.add_argument("--name", action="append", metavar="NAME", help="name of the next seat; can be repeated")
    play.add_argument("--lang", choices=LANGUAGES, default=default_language())
    play.add_argument("--seed", type=seed_number, metavar="N", help="a whole number; default: fresh from the operating system")
    play.add_argument("--save", type=Path, metavar="FILE", help="save the match here at the end")
    play.set_defaults(command=run_play)

    simulate = commands.add_parser("simulate", help="play many random games and report on them")
    add_game(simulate)
    simulate.add_argument("--games", type=int, default=10_000, metavar="K", help="how many games (default 10000)")
    simulate.add_argument("--device", choices=("interpreted", "native", "cuda"), default="native")
    simulate.add_argument("--threads", type=int, metavar="T", help="native threads (default: all cores)")
    simulate.add_argument("--seed", type=seed_number, default=0, metavar="N", help="game number i has the seed N + i (default 0)")
    simulate.add_argument("--all-players", action="store_true", help="play with every number of players, one after the other")
    simulate.add_argument("--unchecked", action="store_true", help="do not check the invariants in every state (faster)")
    simulate.add_argument("--json", action="store_true", help="print JSON")
    simulate.set_defaults(command=run_simulate)

    check = commands.add_parser("check", help="run all checks on a game")
    check.add_argument("game", metavar="GAME", help="the name of a game or the path of its folder; 'all' for every game")
    check.add_argument(
        "--effort", type=float, default=1.0, metavar="X", help="how thorough to be (default 1; 60 plays a million games)"
    )
    check.add_argument("--only", metavar="NAMES", help="only these checks, separated by commas")
    check.add_argument("--json", action="store_true", help="print JSON")
    check.add_argument("--write-playthroughs", action="store_true", help="rewrite the golden playthroughs and stop")
    check.set_defaults(command=run_check)

    add_analyse(commands)
    add_arena(commands)
    add_balance(commands)
    add_train(commands)
    add_puzzles(commands)

    replay = commands.add_parser("replay", help="verify a match file and print its log")
    replay.add_argument("file", type=Path, metavar="FILE")
    replay.add_argument("--game", metavar="PATH", help="the folder of the game, if it is not an installed one")
    replay.add_argument("--at", type=int, metavar="N", help="show the position after N moves (negative: from the end)")
    replay.add_argument("--viewer", type=int, default=-1, metavar="SEAT", help="show what this seat sees (default: a spectator)")
    replay.add_argument("--lang", choices=LANGUAGES, default=default_language())
    replay.set_defaults(command=run_replay)

    verify = commands.add_parser("verify", help="check a match file: its shuffle, its moves and its result")
    verify.add_argument("file", type=Path, metavar="FILE")
    verify.add_argument("--game", metavar="PATH", help="the folder of the game, if it is not an installed one")
    verify.set_defaults(command=run_verify)

    draw = commands.add_parser("draw", help="draw a position of a match file as an SVG picture")
    draw.add_argument("file", type=Path, metavar="FILE")
    draw.add_argument("-o", "--output", type=Path, required=True, metavar="PICTURE", help="where to write the picture")
    draw.add_argument("--game", metavar="PATH", help="the folder of the game, if it is not an installed one")
    draw.add_argument("--at", type=int, default=-1, metavar="N", help="the position after N moves (default: the last)")
    draw.add_argument("--viewer", type=int, default=-1, metavar="SEAT", help="show what this seat sees (default: a spectator)")
    draw.add_argument("--lang", choices=LANGUAGES, default=default_language())
    draw.add_argument("--shape", choices=tuple(SHAPES), default="wide")
    draw.set_defaults(command=run_draw)

    create = commands.add_parser("create", help="make the folder of a new game, ready to be checked, played and changed")
    create.add_argument("folder", type=Path, metavar="NAME", help="the name of the game, or the path of its folder")
    create.set_defaults(command=run_create)

    warm = commands.add_parser("warm", help="compile games and bots now instead of when they are first needed")
    warm.add_argument("games", nargs="*", metavar="GAME", help="names of games or paths of game folders (default: all games)")
    warm.set_defaults(command=run_warm)

    add_web(commands)
    add_site(commands)
    return top


# --- Commands ---------------------------------------------------------------------------------------------------------


def add_train(commands: Any) -> None:
    """The command `train`."""
    train = commands.add_parser("train", help="train a network for a game by play against itself (needs torch)")
    train.add_argument("game", metavar="GAME", help="the name of a game or the path of its folder")
    train.add_argument("--minutes", type=float, default=10.0, metavar="M", help="how long to train (default 10)")
    train.add_argument(
        "--steps", type=int, metavar="N", help="stop after so many steps of all games together, if that is earlier"
    )
    train.add_argument("--out", type=Path, metavar="FOLDER", help="for the network, checkpoints and a report (default: GAME)")
    train.add_argument("--seed", type=int, default=1, metavar="N")
    train.add_argument("--device", choices=("cpu", "cuda"), help="default: the GPU if there is one")
    train.add_argument("--resume", action="store_true", help="continue from the checkpoint in the folder")
    train.add_argument(
        "--against", type=Path, metavar="FILE", help="learn to beat this network or checkpoint, which does not change"
    )
    train.add_argument(
        "--search",
        type=int,
        default=0,
        metavar="N",
        help="improve the network in the folder, or the game's, by what searches of N simulations find (expert iteration)",
    )
    train.add_argument(
        "--values",
        action="store_true",
        help="add to the network in the folder, or the game's, what the seats expect that do not act; moves stay as they are",
    )
    train.add_argument(
        "--levels", action="store_true", help="find out how the bots' levels have to play by the networks in the folder"
    )
    train.add_argument(
        "--top", default="vizier", metavar="LEVEL", help="with --levels: the level that plays the network's preferred move"
    )
    train.set_defaults(command=run_train)


def run_train(given: argparse.Namespace) -> int:
    """Train a network."""
    try:
        import torch  # noqa: F401 - is it here?
    except ImportError:
        raise PerankhError("training needs PyTorch: install perankh[train]") from None
    from perankh.train import train
    from perankh.train.levels import find_levels, write_levels
    from perankh.train.values import learn_values

    if not 0 < given.minutes <= 10_000:
        raise BadOption("minutes: a number above 0")
    if given.steps is not None and given.steps < 1:
        raise BadOption("steps: a whole number above 0")
    if given.search and (not 2 <= given.search <= 1_000 or given.against):
        raise BadOption("search: a number of simulations from 2 to 1000, and not with --against")
    if given.values and (given.against or given.search or given.levels or given.resume or given.steps):
        raise BadOption("values: not with --against, --search, --levels, --resume or --steps")
    game = get_game(given.game)
    out = given.out or Path(game.name)
    if given.values:
        learn_values(game, out, given.minutes, seed=given.seed, device=given.device)
        print(f"{out / 'network.npz'}: put it into the game's folder, where the bots find it")
        return 0
    if given.levels:
        found, search = find_levels(game, out, given.top, given.seed, given.device)
        print(f"{write_levels(game, out, found, search)}: put it into the game's folder")
        return 0
    train(
        game,
        out,
        given.minutes,
        steps=given.steps,
        seed=given.seed,
        device=given.device,
        resume=given.resume,
        against=given.against,
        search=given.search,
    )
    print(f"{out / 'network.npz'}: put it into the game's folder, where the bots find it")
    return 0


def add_puzzles(commands: Any) -> None:
    """The command `puzzles`."""
    puzzles = commands.add_parser("puzzles", help="find positions with one clearly best move in matches of bots")
    add_game(puzzles)
    puzzles.add_argument("--count", type=int, default=30, metavar="N", help="how many puzzles the file should have (default 30)")
    puzzles.add_argument(
        "--minutes", type=float, default=60.0, metavar="M", help="stop after this time at the latest (default 60)"
    )
    puzzles.add_argument(
        "--iterations", type=int, default=20_000, metavar="N", help="iterations of the deep searches (default 20000)"
    )
    puzzles.add_argument(
        "--seed", type=seed_number, default=1, metavar="N", help="seed of the matches; another one finds other puzzles"
    )
    puzzles.add_argument(
        "--out", type=Path, metavar="FILE", help="where they are written, beside those already there (default: the game's folder)"
    )
    puzzles.add_argument(
        "--recheck", action="store_true", help="first drop puzzles of the file whose solution the network disputes"
    )
    puzzles.set_defaults(command=run_puzzles)


def run_puzzles(given: argparse.Namespace) -> int:
    """Find puzzles until there are enough, and write each as it is found."""
    from perankh.bots.mining import disputed, mine
    from perankh.engine.puzzles import FILE, read_puzzles, write_puzzles

    if not 1 <= given.count <= 10_000 or not 1_000 <= given.iterations <= 1_000_000 or not 0 < given.minutes <= 10_000:
        raise BadOption("puzzles: count 1 to 10000, iterations 1000 to 1000000, minutes above 0")
    game = get_game(given.game)
    options = game_options(given.set)
    game.blank(given.players or game.players[0], options)  # refuses options that cannot be played
    compile_bots(game)
    path = given.out or game.folder / FILE
    puzzles = {puzzle.id: puzzle for puzzle in read_puzzles(game, path)} if path.is_file() else {}
    if given.recheck and (dropped := [puzzle.id for puzzle in puzzles.values() if disputed(game, puzzle, given.iterations)]):
        puzzles = {name: puzzle for name, puzzle in puzzles.items() if name not in dropped}
        write_puzzles(game, list(puzzles.values()), path)
        print(f"dropped {len(dropped)}: {', '.join(dropped)}")
    ends = time.monotonic() + 60 * given.minutes
    with bar(f"finding puzzles of {game.name}", given.count, unit=" puzzles") as report:
        for puzzle in mine(game, given.seed, given.iterations, given.players, options) if len(puzzles) < given.count else ():
            if puzzle and puzzle.id not in puzzles:
                puzzles[puzzle.id] = puzzle
                write_puzzles(game, list(puzzles.values()), path)
            report(len(puzzles))
            if len(puzzles) >= given.count or time.monotonic() > ends:
                break
    print(f"{path}: {len(puzzles)} puzzles")
    return 0


def run_games(options: argparse.Namespace) -> int:
    """List the games."""
    if options.features:
        print(features_page([get_game(name) for name in game_names()]))
        return 0
    listed = [describe(get_game(name), options.lang) for name in game_names()]
    if options.json:
        print(json.dumps(listed, ensure_ascii=False, indent=2))
        return 0
    if options.markdown:
        print(markdown(listed))
        return 0
    for game in listed:
        low, high = game["players"][0], game["players"][-1]
        print(f"{game['name']:12} {game['title']}  ({low}-{high})  {game['tagline']}")
        for option in game["options"]:
            print(f"    {option['name']}={option['default']}  [{option['values']}]  {option['help']}")
    return 0


def markdown(listed: list[dict[str, Any]]) -> str:
    """The list of games as a page of documentation."""
    lines = ["# The games", "", "Printed by `perankh games --markdown`; a test compares.", ""]
    lines += [
        "| name | title | players | usual | minutes | weight | rules version | actions | features | bytes a state |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for game in listed:
        span = f"{game['players'][0]}-{game['players'][-1]}"
        minutes = "-".join(map(str, sorted(set(game["minutes"] or ()))))
        box = f"{game['usual_players']} | {minutes} | {game['weight'] or ''}"
        sizes = f"{game['actions']} | {game['observation']} | {game['state_bytes']}"
        lines.append(f"| `{game['name']}` | {game['title']} | {span} | {box} | {game['rules_version']} | {sizes} |")
    for game in listed:
        lines += [
            "",
            f"## {game['title']}",
            "",
            game["tagline"],
            "",
            "| option | group | default | values | meaning |",
            "|---|---|---|---|---|",
        ]
        for option in game["options"]:
            facts = (f"`{option['name']}`", option["group"], option["default"], option["values"], option["help"])
            lines.append(f"| {' | '.join(facts)} |")
    return "\n".join(lines)


def features_page(games: Sequence[Game]) -> str:
    """What learners see and do in each game, as a page of documentation."""
    lines = [
        "# Features and actions",
        "",
        "Printed by `perankh games --features`; a test compares.",
        "",
        "An observation is a row of numbers of 8 bits. `game.features` describes them: `named(observation)` gives the features",
        "by name, `tokens(observation)` the entity form, a row of numbers for each card, tile or seat, and `scales` the factors",
        "that bring the numbers between -1 and 1. Seats are counted from the own one on. Numbers in digits have base 128, the",
        "highest digit first. An action is a number; `game.text.CODES` lists the codes that stand for actions in match files.",
    ]
    for game in games:
        tokens = ", ".join(f"{axis} {len(rows)} x {len(rows[0])}" for axis, rows in game.features.token_columns.items())
        lines += ["", f"## {game.words.say('game.name', 'en')}", ""]
        lines += [f"{game.features.size} numbers; tokens: {tokens}." if tokens else f"{game.features.size} numbers.", ""]
        lines += ["| feature | from | shape | range | meaning |", "|---|---|---|---|---|"]
        lines += [f"| `{name}` | {' | '.join(rest)} |" for name, *rest in game.features.rows()]
        lines += ["", f"{game.actions} actions:", "", "| actions | codes |", "|---|---|"]
        lines += [f"| {numbers} | {codes} |" for numbers, codes in code_ranges(game.text.CODES)]
    return "\n".join(lines)


def code_ranges(codes: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The codes of actions, in short: where they are counted on, the first and the last; others one after the other."""
    found = [re.fullmatch(r"(.*?)(\d+)", code) for code in codes]
    parts = [(match[1], int(match[2])) if match else None for match in found]
    runs: list[list[int]] = []
    for a, part in enumerate(parts):
        if a > 0 and parts[a - 1] == (part and (part[0], part[1] - 1)):
            runs[-1].append(a)
        else:
            runs.append([a])
    for run in runs:
        listed = [f"`{codes[a]}`" for a in run]
        numbers = f"{run[0]} to {run[-1]}" if len(run) > 1 else f"{run[0]}"
        yield numbers, f"{listed[0]} to {listed[-1]}" if parts[run[0]] and len(run) > 2 else ", ".join(listed)


def describe(game: Game, lang: str) -> dict[str, Any]:
    """A game as `perankh games` lists it."""
    say = game.words.say
    return {
        "name": game.name,
        "title": say("game.name", lang),
        "tagline": say("game.tagline", lang),
        "players": list(game.players),
        "usual_players": game.box.players,
        "minutes": list(game.box.minutes) if game.box.minutes else None,
        "weight": game.box.weight or None,
        "rules_version": game.version,
        "actions": game.actions,
        "observation": game.features.size,
        "state_bytes": game.State.dtype.itemsize,
        "options": [
            {
                "name": name,
                "group": "ruling" if name in game.box.rulings else "variant",
                "default": str(option.default).lower() if option.kind == "flag" else str(option.default),
                "values": allowed(game, name, lang),
                "title": say(f"option.{name}.name", lang),
                "help": say(f"option.{name}.help", lang),
            }
            for name, option in game.options.items()
        ],
    }


def allowed(game: Game, name: str, lang: str) -> str:
    """The values of an option, as they are given; numbers that people read in a unit also in it."""
    option = game.options[name]
    if option.kind == "seat":
        return WORDS.say("options.seat", lang)
    if option.kind == "flag":
        return "true, false"
    if option.kind == "choice":
        return ", ".join(option.values)
    numbers = WORDS.say("options.range", lang, low=option.low, high=option.high)
    if f"option.{name}.unit" not in game.words.texts:
        return numbers
    low, high = (game.number_shown(name, bound, lang) for bound in (option.low, option.high))
    return f"{numbers} ({WORDS.say('options.range', lang, low=low, high=high)})"


def run_play(options: argparse.Namespace) -> int:
    """Play in the terminal."""
    from perankh.match.match import Match
    from perankh.terminal import Terminal

    game = get_game(options.game)
    players = options.players or game.players[0]
    if not 0 <= options.people <= players:
        raise BadOption(f"--people {options.people}: there are {players} seats")
    names = options.name and [*options.name, *[""] * (players - len(options.name))]
    bot_named(game, options.bot)
    match = Match(game, players, options.seed, game_options(options.set), names)
    if options.people < players:
        prepare_bot(game, options.bot, match.state)
    Terminal(match, list(range(options.people)), options.lang, options.bot, options.seed).run()
    if options.save:
        match.save(options.save)
    return 0


def run_simulate(options: argparse.Namespace) -> int:
    """Play many random games."""
    from perankh.engine import loops
    from perankh.engine.simulate import simulate

    game = get_game(options.game)
    if options.all_players and options.players:
        raise BadOption("--players and --all-players do not go together")
    counts = list(game.players) if options.all_players else [options.players or game.players[0]]
    for name in ("games", "threads"):
        if getattr(options, name) is not None and getattr(options, name) < 1:
            raise BadOption(f"--{name} must be at least 1")
    settings = game_options(options.set)
    for players in counts:
        game.blank(players, settings)  # refuse bad options before the wait for the compiler
    began = time.perf_counter()
    if options.device == "native":
        compile_rules(game)
    elif options.device == "cuda":
        game.cuda.need_gpu()
        print(f"compiling {game.name} for the GPU, or loading what was compiled before", file=sys.stderr, flush=True)
        simulate(game, counts[0], 1, options=settings, device="cuda")
    compiling = {"compile_seconds": round(time.perf_counter() - began, 3)}
    summaries = []
    for players in counts:
        with bar(f"games of {players}", options.games, unit=" games", unit_scale=True) as report:
            run = simulate(
                game,
                players,
                options.games,
                seed=options.seed,
                options=settings,
                device=options.device,
                threads=options.threads,
                watch=0 if options.unchecked else loops.INVARIANTS,
                progress=report,
            )
        summaries.append(run.summary() | compiling)
    if options.json:
        print(json.dumps(summaries if options.all_players else summaries[0], ensure_ascii=False, indent=2))
    else:
        print("\n\n".join(map(readable, summaries)))
        print(f"compiling or loading took {compiling['compile_seconds']:.2f} s, which is in none of these times")
    return FAILED if any(summary["violations"] for summary in summaries) else 0


def readable(summary: dict[str, Any]) -> str:
    """The figures of a simulation as a short text."""
    length = summary["length"]
    lines = [
        f"{summary['game']}, {summary['players']} players, {summary['device']}: {summary['games']} games, "
        f"{summary['moves']} moves in {summary['seconds']:.2f} s = {summary['moves_per_second']:,} moves a second",
        f"moves a game: {length['mean']:.1f} ({length['min']} to {length['max']})",
        "endings: " + ", ".join(f"{name} {count}" for name, count in summary["endings"].items()),
    ]
    for p, seat in enumerate(summary["seats"]):
        lines.append(
            f"seat {p}: score {seat['score_mean']:.2f} +- {seat['score_deviation']:.2f} "
            f"({seat['score_min']} to {seat['score_max']}), wins {seat['win_share']:.1%}, "
            f"places {' '.join(map(str, seat['ranks']))}"
        )
    lines.append(f"violations: {len(summary['violations'])}")
    lines += [f"  game with seed {fault['seed']}, move {fault['move']}: {fault['what']}" for fault in summary["violations"][:10]]
    return "\n".join(lines)


def run_check(options: argparse.Namespace) -> int:
    """Run the checks on games."""
    from perankh.checks import CHECKS, run_checks
    from perankh.checks.playthroughs import write_playthroughs

    names = options.only.split(",") if options.only else list(CHECKS)
    for name in names:
        if name not in CHECKS:
            raise BadOption(f"there is no check {name!r}; there are: {', '.join(CHECKS)}")
    outcomes = []
    for game in [get_game(name) for name in (game_names() if options.game == "all" else [options.game])]:
        if options.write_playthroughs:
            for path in write_playthroughs(game):
                print(path)
            continue
        game.need_all_parts()
        with bar(game.name, 1.0, bar_format="{desc} {percentage:3.0f}% {bar} {elapsed}") as report:

            def progress(check: str, share: float, report: Callable[[float], None] = report) -> None:
                report((names.index(check) + share) / len(names))

            for outcome in run_checks(game, options.effort, names, progress):
                progress(outcome.name, 1.0)
                outcomes.append({"game": game.name, **vars(outcome)})
                if not options.json:
                    tqdm.write(f"{game.name:12} {outcome.name:13} {outcome.verdict:8} {outcome.seconds:6.1f} s  {outcome.detail}")
    if options.json:
        print(json.dumps(outcomes, ensure_ascii=False, indent=2))
    return FAILED if any(outcome["verdict"] == "failed" for outcome in outcomes) else 0


def run_replay(options: argparse.Namespace) -> int:
    """Verify a match file and print its log."""
    from perankh.match import load

    match = load(options.file, game=options.game)
    if options.at is not None:
        match = match.at(options.at)
    for number, lines in enumerate(match.log_by_move(options.viewer, options.lang), 1):
        for place, line in enumerate(lines):
            print(f"{number:4}. {line}" if place == 0 else f"      {line}")
    print(f"\n{match.view(options.viewer).text(options.lang)}")
    told = [match.reason(options.lang)] if match.over else []
    print("".join(f"\n{line}" for line in [*told, *match.told_forfeits(options.lang)]))
    print(f"seed {match.seed:032x}, hash {match.seed_hash}: verified, all moves are legal and lead to this result")
    return 0


def run_verify(options: argparse.Namespace) -> int:
    """Check a match file, and say in plain words what holds and what it cannot prove."""
    from perankh.match import load
    from perankh.match.file import read
    from perankh.match.forfeits import places

    read(options.file)  # what cannot be read at all is refused; what does not fit is a failed check
    try:
        match = load(options.file, game=options.game)
    except BadFile as error:
        print(f"NOT VERIFIED: {error}")
        return FAILED
    deal = match.deal
    print(f"{options.file}: {match.title()}, {match.players} players, {match.number} moves")
    print("Verified:")
    print("- The seal fits: the file is whole.")
    print(f"- The seed {match.seed:032x} has the hash {match.seed_hash}.")
    if deal:
        print(f"- The secret has the commitment {deal.commitment}.")
        print("- The seed follows from the secret and the contributions of all seats:")
        for seat, (by, value) in enumerate(deal.contributions):
            print(f"    seat {seat}, {match.name(seat)}: {value.hex()}, {'its player' if by == PLAYER else 'the server'}")
    scores, forfeits = " ".join(map(str, match.scores)), match.forfeits
    end = f"the recorded result ({match.ending}; {scores})" if match.over else f"a match that is not over; points {scores}"
    print(f"- Dealt anew from the seed, all moves are legal and lead to {end}.")
    if forfeits.seats:
        print(f"The file says: {' '.join(match.told_forfeits())}")
        if match.over or forfeits.ended:
            listed = ", ".join(f"{match.name(p)} {rank}" for p, rank in enumerate(places(match.ranks, forfeits.seats)))
            print(f"Places: {listed}. Whoever has forfeited comes last.")
    print("The file cannot prove:")
    if forfeits.seats:
        print("- that anybody has resigned or lost on time: no move shows it;")
    if deal:
        print("- that this commitment was shown before the deal: compare it with the one you noted in the lobby;")
        if deal.players:
            print("- that a contribution is the one its player sent: every player compares his own;")
        else:
            print("- that the server did not choose the secret to its liking: no player contributed;")
    else:
        print("- where the seed comes from: it has no record of a commitment and contributions;")
    print("- who made the moves, and that no other file of the same match exists.")
    return 0


def run_draw(options: argparse.Namespace) -> int:
    """Draw a position."""
    from perankh.match import load

    match = load(options.file, game=options.game).at(options.at)
    picture = match.view(options.viewer).svg(options.lang, options.shape)
    try:
        options.output.write_text(picture, "utf-8")
    except OSError as error:
        raise BadOption(f"{options.output}: cannot be written: {error.strerror}") from None
    return 0


def run_create(options: argparse.Namespace) -> int:
    """Make the folder of a new game."""
    from perankh.create import create

    folder = create(options.folder)
    place = folder if folder.is_absolute() else f"./{folder}"
    print(f"{folder} is a complete game. What to do next:")
    print(f"  perankh check {place}\n  perankh play {place}\n  edit {folder / 'rules.md'}, then {folder / 'rules.py'}")
    return 0


def run_warm(options: argparse.Namespace) -> int:
    """Compile what is not on disk yet."""
    for name in options.games or game_names():
        game = get_game(name)
        compile_rules(game)
        compile_bots(game)
        print(f"{game.name} is ready", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
