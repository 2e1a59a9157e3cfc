"""The drawing of a game that has none of its own: its text board, and a button for each legal move."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

from perankh.engine.text import width as columns
from perankh.scene.layout import Box, button, fitting, in_rows, label
from perankh.scene.sprite import SHAPES, Scene, SeatColours, Sprite

if TYPE_CHECKING:
    from perankh.engine.game import Game

LARGEST = {"wide": 17.0, "tall": 14.0}  # size of the board's letters
ASPECT = 0.6  # width of a column, in heights of a letter
BUTTONS = {"wide": 3, "tall": 1}  # in a row
BUTTON_HEIGHT, GAP, MARGIN = 34.0, 8.0, 14.0


class TextBoard:
    """A drawing made from the game's texts."""

    SEAT_COLOURS = SeatColours("red", "blue", "yellow", "green")
    PICTURES: ClassVar[dict[str, Callable[[], Any]]] = {}

    def __init__(self, game: Game) -> None:
        self.game = game

    def scene(self, s: Any, viewer: int, lang: str, shape: str) -> Scene:
        """The text board, word by word in its columns, above the moves that the viewer may make."""
        wide, title = SHAPES[shape], self.game.words.say("game.name", lang)
        lines = self.game.text.board(s, viewer, lang).splitlines()
        longest = max(map(columns, lines), default=1)
        size = max(11.0, min(LARGEST[shape], (wide - 2 * MARGIN) / (longest * ASPECT)))
        step, left = size * ASPECT, max(MARGIN, (wide - longest * size * ASPECT) / 2)
        sprites: list[Sprite] = []
        for row, line in enumerate(lines):
            for word in re.finditer(r"\S+", line):
                x, y = left + columns(line[: word.start()]) * step, MARGIN + (row + 0.5) * size * 1.35
                room = columns(word[0]) * step
                if x < wide:
                    sprites.append(
                        label(f"text-{row}-{word.start()}", word[0], x, y, fitting(word[0], size, room), align="start")
                    )
        top = 2 * MARGIN + len(lines) * size * 1.35
        moves = self.moves(s, viewer, lang, Box(MARGIN, top, wide - 2 * MARGIN, 0), BUTTONS[shape])
        return Scene(wide, max([top, *(sprite.y + BUTTON_HEIGHT for sprite in moves)]), sprites + moves, title)

    def moves(self, s: Any, viewer: int, lang: str, box: Box, per_row: int) -> list[Sprite]:
        """A button for each legal move of the viewer."""
        actions = self.game.legal(s, viewer) if viewer >= 0 else []
        rows = -(-len(actions) // per_row)
        area = box._replace(h=rows * (BUTTON_HEIGHT + GAP) - GAP)
        size = ((box.w - (per_row - 1) * GAP) / per_row, BUTTON_HEIGHT)
        places = in_rows(area, len(actions), per_row, size, (GAP, GAP))
        texts = [self.game.text.sentence(s, viewer, a, lang) for a in actions]
        named = zip(actions, texts, places, strict=True)
        return [button(f"move-{self.game.text.CODES[a]}", text, place, text) for a, text, place in named]

    def paths(self, s: Any, p: int) -> dict[int, tuple[str, ...]]:
        """A click on the button of a move makes it."""
        return {a: (f"move-{self.game.text.CODES[a]}",) for a in self.game.legal(s, p)}

    def breakdown(self, s: Any, lang: str) -> list[tuple[str, list[int]]]:
        """The points as they are: the game says nothing about where they come from."""
        return [(self.game.words.say("game.name", lang), self.game.scores(s))]
