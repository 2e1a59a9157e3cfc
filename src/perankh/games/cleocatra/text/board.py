"""The table as plain text."""

from __future__ import annotations

from perankh.engine.text import listed, pad

from ..rules import actions, components, rescue, rescuer_actions, tiles
from ..rules.state import ACTIONS, CELLS, Mode, State, Step
from .names import CODES, actor, cat_name, colour_name, colour_of, say, seat_name
from .prompts import prompt

HALF = 4  # half the width of a triangle in characters, and its height in lines
RESCUER_LETTERS = "rbkg"
INSPECTOR = "@"


def colour_letters() -> str:
    """A capital for each colour: the first letter of its name that is not taken."""
    letters = ""
    for name in components.COLOURS:
        letters += next(letter for letter in name.upper() + "QXZ" if letter not in letters)
    return letters


COLOUR_LETTERS = colour_letters()


def board(s: State, viewer: int, lang: str) -> str:
    """The whole table; `viewer` is marked among the seats."""
    lines = [*head(s, viewer, lang), "", *picture(s), "", *legend(s, lang)]
    if not s.over:
        p = actor(s)
        lines += ["", say("board.asked", lang, who=seat_name(p, lang), prompt=prompt(s, p, lang))]
    return "\n".join(line.rstrip() for line in lines)


def choosable(s: State) -> set[int]:
    """The cells that can be chosen now."""
    if s.over:
        return set()
    out = [0] * ACTIONS
    n = actions.legal(s, actor(s), out)
    return {a for a in out[:n] if a < CELLS}


# --- Around the layout ----------------------------------------------------------------------------------------


def head(s: State, viewer: int, lang: str) -> list[str]:
    """Turn, seats, deck, inspectors and the options that are not the usual ones."""
    mode = say(f"option.mode.{'hard' if s.mode == Mode.HARD else 'basic'}", lang)
    key = "board.setup" if s.step == Step.SETUP_CELL else "board.head"
    lines = [say(key, lang, mode=mode, turn=s.turns + (0 if s.over else 1), points=s.end_score)]
    lines.append(" " * 13 + say("board.columns", lang))
    lines += [seat_line(s, p, viewer, lang) for p in range(s.players)]
    rest = " ".join(f"{COLOUR_LETTERS[c]}{s.deck[c]}" for c in range(components.KINDS) if s.deck[c])
    deck = say("board.deck", lang, number=tiles.deck_size(s), rest=rest) if rest else say("board.deck_empty", lang)
    facts = [deck, say("board.inspectors", lang, number=rescue.unused_inspectors(s))]
    if s.revealed:
        facts.append(say("board.revealed", lang, colour=colour_name(s.revealed - 1, lang)))
    return [*lines, "   ".join(facts), *unusual_options(s, lang)]


def seat_line(s: State, p: int, viewer: int, lang: str) -> str:
    """One player: points, rescuers in the hand, and who that is."""
    pointer = ">" if not s.over and p == actor(s) else " "
    who = pad(say("names.more", lang, name=seat_name(p, lang), more=RESCUER_LETTERS[p]), 10)
    notes = []
    if p == viewer:
        notes.append(say("board.you", lang))
    if not s.over and p == s.turn:
        notes.append(say("board.on_turn", lang))
    if p == s.start:
        notes.append(say("board.starts", lang))
    return f"{pointer} {who} {s.score[p]:5} / {rescuer_actions.hand(s, p):<6}" + listed(notes, lang)


def unusual_options(s: State, lang: str) -> list[str]:
    """The options in force that differ from the usual."""
    lines = []
    for name, option in s.options.items():
        stored = getattr(s, name)
        if name in ("mode", "start_player", "end_score") or stored == option.stored(name, option.default, s.players):
            continue
        value = option.shown(stored)
        shown = say(f"option.{name}.{value}", lang) if option.kind == "choice" else str(value).lower()
        lines.append(say("names.value", lang, name=say(f"option.{name}.name", lang), value=shown))
    return lines


def legend(s: State, lang: str) -> list[str]:
    """What the letters in the layout mean."""
    kinds = []
    for c in range(components.KINDS):
        name = colour_name(c, lang)
        if s.mode == Mode.HARD:
            name = say("names.more", lang, name=name, more=cat_name(c, lang))
        kinds.append(say("board.legend", lang, letter=COLOUR_LETTERS[c], name=name))
    tokens = []
    for p in range(s.players):
        name = say("board.rescuer", lang, who=seat_name(p, lang))
        tokens.append(say("board.legend", lang, letter=RESCUER_LETTERS[p], name=name))
    tokens.append(say("board.legend", lang, letter=INSPECTOR, name=say("board.inspector", lang)))
    return ["  ".join(kinds), "  ".join(tokens), say("board.marks", lang)]


# --- The layout -----------------------------------------------------------------------------------------------


class Canvas:
    """Lines of characters that are drawn over one another."""

    def __init__(self, cells: set[int]) -> None:
        rows, cols = [cell // tiles.WIDTH for cell in cells], [cell % tiles.WIDTH for cell in cells]
        self.top, self.left = min(rows), min(cols)
        width, height = (max(cols) - self.left + 2) * HALF + 1, (max(rows) - self.top + 1) * HALF + 1
        self.lines = [[" "] * width for _ in range(height)]

    def corner(self, cell: int) -> tuple[int, int]:
        """Line and column of the upper left corner of a cell's box."""
        return (cell // tiles.WIDTH - self.top) * HALF + 1, (cell % tiles.WIDTH - self.left) * HALF

    def write(self, line: int, column: int, text: str) -> None:
        """Put a text down."""
        self.lines[line][column : column + len(text)] = text

    def outline(self, cell: int) -> None:
        """Draw the three edges of a cell."""
        line, column = self.corner(cell)
        up = tiles.points_up(cell)
        self.write(line + HALF - 1 if up else line - 1, column + 1, "_" * (2 * HALF - 2))
        for i in range(HALF):
            indent = HALF - 1 - i if up else i
            self.write(line + i, column + indent, "/" if up else "\\")
            self.write(line + i, column + 2 * HALF - 1 - indent, "\\" if up else "/")

    def label(self, cell: int, text: str, distance: int) -> None:
        """Write a text centred into a cell, so many lines from its flat edge."""
        line, column = self.corner(cell)
        place = line + HALF - 1 - distance if tiles.points_up(cell) else line + distance
        self.write(place, column + (2 * HALF - len(text) + 1) // 2, text)


def picture(s: State) -> list[str]:
    """The tiles as triangles: code at the flat edge, then the tokens, then the colour; cells to choose in brackets."""
    open_cells = choosable(s)
    laid = {s.cell[t]: t for t in range(s.laid)}
    canvas = Canvas(open_cells | set(laid))
    for cell in laid:
        canvas.outline(cell)
    for cell, t in laid.items():
        canvas.label(cell, tokens(s, t), 1)
        canvas.label(cell, tile_mark(s, t), 2)
        canvas.label(cell, CODES[cell], 0)
    for cell in open_cells:
        canvas.label(cell, f"[{CODES[cell]}]", 0)
    lines = [("  " + "".join(line)).rstrip() for line in canvas.lines]
    drawn = [number for number, line in enumerate(lines) if line]
    return lines[drawn[0] : drawn[-1] + 1]


def tokens(s: State, t: int) -> str:
    """The letters of the rescuers and of the inspector on a tile."""
    here = "".join(RESCUER_LETTERS[p] for p in range(s.players) if s.rescuers[p] >> t & 1)
    return here + (INSPECTOR if s.inspectors >> t & 1 else "")


def tile_mark(s: State, t: int) -> str:
    """The letter of a tile's colour, and whether it is chosen already, the scoring tile or the fresh tile."""
    letter = COLOUR_LETTERS[colour_of(s, 1 << t)]
    if (s.chosen | s.other) >> t & 1:
        return letter + "*"
    if (s.scoring | s.interrupted) >> t & 1:
        return letter + "$"
    return letter + ("+" if s.fresh >> t & 1 else "")
