"""`perankh create NAME`: a game folder to begin with, which passes every check and can be played at once."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from perankh.errors import BadOption

TEMPLATE = Path(__file__).with_name("template")
NAME = re.compile(r"[a-z][a-z0-9_]{1,30}")


def create(folder: Path) -> Path:
    """Make a new game folder; its last part is the name of the game."""
    name = folder.name
    if not NAME.fullmatch(name):
        raise BadOption(f"{name!r} is no name for a game: lower-case letters, digits and _, beginning with a letter")
    if folder.exists():
        raise BadOption(f"{folder} exists already; nothing was changed")
    try:
        shutil.copytree(TEMPLATE, folder, ignore=shutil.ignore_patterns("__pycache__"))
    except OSError as error:
        raise BadOption(f"{folder} cannot be made: {error.strerror}") from None
    prefix = name.replace("_", "").upper()[:8]
    for path in folder.rglob("*"):
        if path.is_file():
            text = path.read_text("utf-8")
            text = text.replace("New Game", name.replace("_", " ").title()).replace("GAME-", f"{prefix}-")
            path.write_text(text, "utf-8")
    return folder
