"""Where everything of Connect Four lies on the screen, and what one clicks. Ordinary Python, no rules."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from perankh.engine.game import get_game
from perankh.scene import SHAPES, Scene, SeatColours, Sprite

from .rules import COLUMN_BITS, COLUMNS, ROWS, State, legal, scores
from .text import LETTERS, WORDS, line_cells, standing

SEAT_COLOURS = SeatColours("red", "yellow")

# By shape: the side of a cell, the height of the band above the board, and of the words in it.
CELL = {"wide": 92, "tall": 50}
BAND = {"wide": 132, "tall": 92}
SIZE = {"wide": 20, "tall": 18}


def scene(s: State, viewer: int, lang: str, shape: str) -> Scene:
    """The board with its stones, and above each open column the stone that would fall into it."""
    width, cell, band, size = SHAPES[shape], CELL[shape], BAND[shape], SIZE[shape]
    left, foot = (width - cell * COLUMNS) / 2, band + cell * ROWS
    title = standing_text(s, lang)
    sprites = [Sprite("standing", x=width / 2, y=size, text=title, size=size, bold=True, alt=title)]
    frame = (width / 2, (band + foot) / 2, cell * (COLUMNS + 0.3), cell * (ROWS + 0.3))
    sprites.append(Sprite("board", "frame", *frame, alt=WORDS.say("game.name", lang)))
    cells = [(column, row) for column in range(COLUMNS) for row in range(ROWS)]
    middle = {(column, row): (left + (column + 0.5) * cell, foot - (row + 0.5) * cell) for column, row in cells}
    # A stone falls between the back of the board and its front.
    sprites += [Sprite(f"window-{name(*place)}", "window", *middle[place], cell, cell) for place in cells]
    sprites += waiting(s, viewer, lang, left, band - 0.65 * cell, cell)
    sprites += stones(s, lang, middle, cell)
    for place in cells:
        alt = name(*place) if place[1] >= s.height[place[0]] else ""
        sprites.append(Sprite(f"cell-{name(*place)}", "cell", *middle[place], cell, cell, alt=alt))
    sprites += lines(s, middle, cell)
    for column in range(COLUMNS):
        x, y = left + (column + 0.5) * cell, foot + 0.15 * cell + 0.7 * size
        sprites.append(Sprite(f"letter-{LETTERS[column]}", x=x, y=y, text=LETTERS[column], size=0.8 * size))
    return Scene(width, foot + 0.15 * cell + 1.5 * size, sprites, f"{WORDS.say('game.name', lang)}: {title}")


def name(column: int, row: int) -> str:
    """A cell as people call it."""
    return f"{LETTERS[column]}{row + 1}"


def waiting(s: State, viewer: int, lang: str, left: float, y: float, cell: float) -> list[Sprite]:
    """The stones that may be dropped, each under the name of the cell it would fall to: so it is seen falling there."""
    found = []
    for column in range(COLUMNS):
        if s.over or s.height[column] == ROWS:
            continue
        place, x, own = name(column, s.height[column]), left + (column + 0.5) * cell, viewer == s.turn
        alt = WORDS.say("sentence", lang, column=LETTERS[column]) if own else ""
        colour = SEAT_COLOURS[s.turn]
        stone = Sprite(f"stone-{place}", f"stone-{s.turn}", x, y, 0.9 * cell, 0.9 * cell, colour=colour, dim=not own, alt=alt)
        found.append(stone)
    return found


def stones(s: State, lang: str, middle: dict[tuple[int, int], tuple[float, float]], cell: float) -> list[Sprite]:
    """Every stone in its cell. Stones lie where they fell, so the cell is a name for life."""
    found = []
    for (column, row), (x, y) in middle.items():
        if row < s.height[column]:
            p = s.stones[1] >> (COLUMN_BITS * column + row) & 1
            alt = f"{WORDS.seat_name(p, lang)} {name(column, row)}"
            found.append(Sprite(f"stone-{name(column, row)}", f"stone-{p}", x, y, cell, cell, colour=SEAT_COLOURS[p], alt=alt))
    return found


def lines(s: State, middle: dict[tuple[int, int], tuple[float, float]], cell: float) -> list[Sprite]:
    """A ring round each stone of a line."""
    marked = line_cells(s.stones[0]) | line_cells(s.stones[1])
    return [
        Sprite(f"mark-{name(column, row)}", "line-mark", x, y, 0.9 * cell, 0.9 * cell)
        for (column, row), (x, y) in middle.items()
        if marked >> (COLUMN_BITS * column + row) & 1
    ]


def standing_text(s: State, lang: str) -> str:
    """Whose turn it is, or how the game ended, without the sign of the text board."""
    return standing(s, lang).lstrip("🔴🟡 ")


def paths(s: State, p: int) -> dict[int, tuple[str, ...]]:
    """A click on the stone above a column lets it fall."""
    if s.over or s.turn != p:
        return {}
    out = [0] * COLUMNS
    return {a: (f"stone-{name(a, s.height[a])}",) for a in out[: legal(s, p, out)]}


def aliases(s: State, p: int) -> dict[str, list[tuple[str, ...]]]:
    """So does a click on an empty cell of the column."""
    return {f"cell-{name(a, row)}": [path] for a, path in paths(s, p).items() for row in range(s.height[a], ROWS)}


def meant(_s: State, _p: int, path: tuple[str, ...]) -> int:
    """The column of a stone, a cell or a letter, also of one that is full."""
    kind, _, place = path[-1].partition("-")
    return LETTERS.index(place[0]) if kind in ("stone", "cell", "letter") else -1


def breakdown(s: State, lang: str) -> list[tuple[str, list[int]]]:
    """The one point there is."""
    points = [0, 0]
    scores(s, points)
    return [(WORDS.say("breakdown.line", lang), points)]


def after(columns: str) -> State:
    """The position after these stones."""
    game = get_game(Path(__file__).parent)
    s = game.new_state(2, seed=1)
    for p, code in enumerate(columns):
        game.rules.apply(s, p % 2, LETTERS.index(code))
    assert isinstance(s, State)
    return s


PICTURES: dict[str, Callable[[], State]] = {
    "setup": lambda: after(""),
    "middle": lambda: after("ddcebdcc"),
    "line": lambda: after("abbccdcddgd"),
}
