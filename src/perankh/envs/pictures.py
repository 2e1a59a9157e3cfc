"""Positions as text and as pictures, for the environments that draw themselves."""

from __future__ import annotations

from typing import Any

from perankh.engine.game import Game
from perankh.engine.state import Record
from perankh.errors import BadOption
from perankh.scene.svg import draw

RENDER_MODES = ("human", "ansi", "svg")


def checked_render_mode(mode: str | None) -> str | None:
    """The mode itself, if there is such a one."""
    if mode is not None and mode not in RENDER_MODES:
        raise BadOption(f"render_mode is {', '.join(RENDER_MODES)} or None, not {mode!r}")
    return mode


def render(game: Game, state: Record, viewer: int, mode: str | None) -> str | None:
    """What a viewer (-1: a spectator) sees: "ansi" as text, "svg" as a picture, "human" printed."""
    if mode is None:
        raise BadOption(f"nothing to render: make the environment with render_mode {', '.join(RENDER_MODES)}")
    veiled: Any = game.veiled(state, viewer)
    board = str(game.text.board(veiled, viewer, "en"))
    if mode == "svg":
        return draw(game.drawing.scene(veiled, viewer, "en", "wide"), game.art, board)
    if mode == "ansi":
        return board
    print(board)
    return None
