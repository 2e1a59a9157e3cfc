"""Shared by the commands: arguments that select a game, and progress displays."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tqdm import tqdm

from perankh.engine.game import Game, checked_seed
from perankh.errors import BadOption

BAR_DELAY = 2.0  # seconds before a bar appears
LINE_EVERY = 30.0  # seconds between two lines where there is no terminal for a bar

Report = Callable[[float], None]  # takes how much is done so far


def add_game(command: argparse.ArgumentParser) -> None:
    """The arguments that select a game and its options."""
    command.add_argument("game", metavar="GAME", help="the name of a game, or the path of a game folder")
    command.add_argument("--players", type=int, metavar="N", help="number of players (default: the fewest the game allows)")
    command.add_argument(
        "--set", action="append", default=[], metavar="OPTION=VALUE", help="set an option of the game; can be repeated"
    )


def default_language() -> str:
    """Japanese where the environment says so, English elsewhere."""
    return "ja" if os.environ.get("LC_ALL", os.environ.get("LANG", "")).startswith("ja") else "en"


def seed_number(text: str) -> int:
    """A seed as a whole number, decimal or 0x hexadecimal."""
    try:
        return checked_seed(int(text, 0))
    except (ValueError, BadOption):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0 to 2**128 - 1") from None


def game_options(settings: list[str]) -> dict[str, str]:
    """The `--set option=value` arguments as a dictionary."""
    chosen: dict[str, str] = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals:
            raise BadOption(f"--set {setting}: write it as option=value")
        if name in chosen:
            raise BadOption(f"--set {name} is given twice")
        chosen[name] = value
    return chosen


# --- Progress ---------------------------------------------------------------------------------------------------------------


@contextmanager
def bar(label: str, total: float, **settings: Any) -> Iterator[Report]:
    """A progress bar on standard error if the work takes a while; where that is no terminal, a line now and then."""
    if not sys.stderr.isatty():
        yield line_printer(label, total, settings.get("unit", ""))
        return
    with tqdm(total=total, desc=label, delay=BAR_DELAY, leave=False, **settings) as shown:

        def report(done: float) -> None:
            shown.update(done - shown.n)

        yield report


def line_printer(label: str, total: float, unit: str) -> Report:
    """A report that prints a line on standard error every LINE_EVERY seconds."""
    began = printed = time.monotonic()

    def report(done: float) -> None:
        nonlocal printed
        now = time.monotonic()
        if now - printed >= LINE_EVERY:
            printed = now
            count = f" ({done:g} of {total:g}{unit})" if unit else ""
            print(f"{label}: {done / total:.0%}{count}, {now - began:.0f} s so far", file=sys.stderr, flush=True)

    return report


def compile_rules(game: Game) -> None:
    """Compile the rules of a game, if they are not on disk yet, with a progress display."""
    with bar(f"compiling {game.name}", game.native.function_count(), unit=" rules") as report:
        game.native.warm(report)
