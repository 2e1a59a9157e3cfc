"""What the commands share: arguments that say which game is meant, and bars for people who wait."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tqdm import tqdm

from perankh.engine.game import Game, checked_seed
from perankh.errors import BadOption

PATIENCE = 2.0  # seconds before a bar appears


def add_game(command: argparse.ArgumentParser) -> None:
    """The arguments that say which game is meant and how it is set up."""
    command.add_argument("game", metavar="GAME", help="the name of a game, or the path of a game folder")
    command.add_argument("--players", type=int, metavar="N", help="how many players (default: as few as the game allows)")
    command.add_argument(
        "--set", action="append", default=[], metavar="OPTION=VALUE", help="set an option of the game; repeat it"
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


@contextmanager
def bar(label: str, total: float, **settings: Any) -> Iterator[Callable[[float], None]]:
    """A progress bar on standard error that appears only if the work takes a while."""
    with tqdm(total=total, desc=label, delay=PATIENCE, disable=None, leave=False, **settings) as shown:

        def report(done: float) -> None:
            shown.update(done - shown.n)

        yield report


def compile_shown(game: Game) -> None:
    """Compile the rules, showing how far it is to the person who waits."""
    with bar(f"compiling {game.name}", game.native.function_count(), unit=" rules") as report:
        game.native.warm(report)
