"""What a person sees of Cleocatra: codes, sentences, the log, refusals and the text board."""

from __future__ import annotations

from pathlib import Path

from perankh.engine.api import Words
from perankh.engine.text import pad

from .possible import hand, movable, room, unused_inspectors
from .rules import ENDINGS, actors, carry_out, legal
from .table import (
    ACTION1,
    ACTION2,
    ACTIONS,
    ANY_TILE,
    ASSISTANT_POINTS,
    BASTET,
    CATS,
    CELLS,
    CLEOCATRA,
    CLEOCATRA_BONUS,
    COLOUR_POINTS,
    COLOURS,
    COUNT_TILE,
    DECLINE,
    DISPATCH,
    END_TURN,
    EXTRA,
    EXTRA_DONE,
    HARD,
    HERD,
    HERD_FROM,
    HERD_TO,
    INSPECTOR_FROM,
    INSPECTOR_TO,
    KEEP,
    KINDS,
    OWNER,
    RELOCATE_FROM,
    RELOCATE_TO,
    RESCUE,
    RESCUE_TILE,
    SCOUT,
    SCOUT_CELL,
    SEARCH,
    SEARCH_CELL,
    SEARCH_TILE,
    SEATS,
    SETUP_CELL,
    STEPS,
    SWAP,
    SWAP_OTHER,
    SWAP_OWN,
    SWAP_OWNER,
    TAKE_BACK,
    TEAM_CELL,
    TEAM_UP,
    TURN_DONE,
    WIDTH,
    State,
    across,
    beside,
    count,
    deck_size,
)

WORDS = Words(Path(__file__).with_name("words.toml"))

VERBS = {SCOUT: "scout", SEARCH: "search", SWAP: "swap", DISPATCH: "dispatch", TEAM_UP: "team_up", RESCUE: "rescue"}
VERBS |= {HERD: "herd", KEEP: "keep", TAKE_BACK: "takeback"}
CODES = (
    *(f"{cell // WIDTH}.{cell % WIDTH}" for cell in range(CELLS)),
    *("scout", "search", "swap", "dispatch", "team", "rescue", "herd", "decline", "keep", "takeback"),
    *(f"seat{p}" for p in range(SEATS)),
)


def seat_name(p: int, lang: str) -> str:
    """The colour of a seat."""
    return WORDS.say(f"seat.{p}", lang)


def colour_name(c: int, lang: str) -> str:
    """The name of a tile colour."""
    return WORDS.say(f"colour.{COLOURS[c]}", lang)


def colour_of(s: State, tile: int) -> int:
    """The colour of a tile, given as a set of one."""
    return next(c for c in range(KINDS) if s.colour[c] & tile)


def cell_of(s: State, tile: int) -> int:
    """The cell of a tile, given as a set of one."""
    return s.cell[count(tile - 1)]


def tile_name(s: State, tile: int, lang: str) -> str:
    """A tile by colour and cell, in hard mode with its cat; nothing for no tile."""
    if not tile:
        return ""
    c = colour_of(s, tile)
    key = "tile.hard" if s.mode == HARD else "tile.basic"
    cat = WORDS.say(f"cat.{CATS[c]}", lang)
    return WORDS.say(key, lang, colour=colour_name(c, lang), cat=cat, cell=CODES[cell_of(s, tile)])


def choice_key(s: State, a: int) -> str:
    """The last part of the word keys of a choice: the step for a cell, the verb for anything else."""
    if a < CELLS:
        return STEPS[s.step]
    if a == DECLINE:
        return "decline_extra" if s.step == EXTRA else "decline_inspector"
    return "seat" if a >= OWNER else VERBS[a]


def choice_words(s: State, p: int, a: int, lang: str) -> dict[str, str]:
    """What may fill the blanks in the words of a choice."""
    return {
        "who": seat_name(p, lang),
        "cell": CODES[a],
        "tile": tile_name(s, s.on[a], lang) if a < CELLS else "",
        "colour": colour_name(s.revealed - 1, lang) if s.revealed else "",
        "fresh": tile_name(s, s.fresh, lang),
        "chosen": tile_name(s, s.chosen, lang),
        "other": tile_name(s, s.other, lang),
        "scoring": tile_name(s, s.scoring, lang),
        "owner": seat_name(a - OWNER, lang) if a >= OWNER else "",
    }


def prompt(s: State, p: int, lang: str) -> str:
    """What p has to decide now."""
    words = choice_words(s, p, 0, lang)
    return WORDS.say(f"prompt.{STEPS[s.step]}", lang, scorer=seat_name(s.turn, lang), **words)


def sentence(s: State, p: int, a: int, lang: str) -> str:
    """What choosing `a` means."""
    key = choice_key(s, a)
    if a == RESCUE and s.step == EXTRA:
        key = "rescue_extra"
    return WORDS.say(f"do.{key}", lang, **choice_words(s, p, a, lang))


# --- The log --------------------------------------------------------------------------------------------------


def told(before: State, after: State, p: int, a: int, lang: str) -> str:
    """What happened when p chose `a`, and what followed from it."""
    between = before.copy()
    carry_out(between, p, a)  # before an interrupted Rescue goes on and before the turn passes
    lines = [told_choice(before, between, p, a, lang)]
    lines += told_shift(before, after, a, lang)
    lines += told_rescue(before, between, p, scoring_tile(before, a), lang)
    if between.step == EXTRA_DONE:
        lines += told_resumed(between, after, lang)
    if after.extra and not before.extra:
        lines.append(WORDS.say("then.extra", lang, who=seat_name(after.extra - 1, lang)))
    lines += told_turn(before, between, after, lang)
    if after.revealed and after.step in (SETUP_CELL, SCOUT_CELL):
        who = after.extra - 1 if after.extra else after.turn
        lines.append(WORDS.say("then.reveal", lang, who=seat_name(who, lang), colour=colour_name(after.revealed - 1, lang)))
    lines += told_end(before, after, lang)
    return ("" if lang == "ja" else " ").join(lines)


def told_choice(before: State, between: State, p: int, a: int, lang: str) -> str:
    """The choice itself."""
    words = choice_words(before, p, a, lang)
    key = choice_key(before, a)
    if before.step == SWAP_OTHER and not between.other:
        # Only one owner fitted, so the exchange is made already.
        owner = next(q for q in range(SEATS) if q != p and between.rescuers[q] != before.rescuers[q])
        key = "seat"
        words |= {"other": words["tile"], "owner": seat_name(owner, lang)}
    return WORDS.say(f"log.{key}", lang, **words)


def told_shift(before: State, after: State, a: int, lang: str) -> list[str]:
    """The new number of a tile's cell, if the layout was shifted."""
    if before.step not in (SETUP_CELL, SCOUT_CELL, SEARCH_CELL):
        return []
    cell = cell_of(after, before.chosen or 1 << before.laid)
    return [WORDS.say("then.shift", lang, cell=CODES[cell])] if cell != a else []


def scoring_tile(before: State, a: int) -> int:
    """The tile that p's choice scores, if it does."""
    return before.on[a] if before.step == RESCUE_TILE else before.scoring


def told_rescue(s: State, after: State, p: int, tile: int, lang: str) -> list[str]:
    """Points, an inspector that came by itself and rescuers returned to p, from one state to a later one."""
    who = seat_name(p, lang)
    lines = []
    if after.score[p] > s.score[p]:
        lines.append(told_points(after, p, tile, after.score[p] - s.score[p], lang))
    come = after.inspectors & ~s.inspectors
    if come and (s.step in (RESCUE_TILE, COUNT_TILE, INSPECTOR_FROM) or s.step == EXTRA_DONE):
        lines.append(WORDS.say("then.inspector", lang, tile=tile_name(after, come, lang)))
    returned = hand(after, p) - hand(s, p)
    if returned > 0:
        lines.append(WORDS.say("then.returned", lang, who=who, number=returned))
    return lines


def told_points(s: State, p: int, tile: int, points: int, lang: str) -> str:
    """The points of a Rescue and what they are for."""
    colours = COLOUR_POINTS * sum(1 for tiles in s.colour if tiles & (tile | beside(s, tile)))
    bonus = CLEOCATRA_BONUS if s.mode == HARD and s.colour[CLEOCATRA] & tile else 0
    return WORDS.say(
        "then.points_bonus" if bonus else "then.points",
        lang,
        who=seat_name(p, lang),
        points=points,
        colours=colours,
        assistants=(points - colours - bonus) if ASSISTANT_POINTS else 0,
        bonus=bonus,
        total=s.score[p],
    )


def told_resumed(s: State, after: State, lang: str) -> list[str]:
    """How the Rescue goes on that waited for the extra action."""
    if not s.rescuers[s.turn] & s.interrupted:
        return [WORDS.say("then.failed", lang, who=seat_name(s.turn, lang))]
    return told_rescue(s, after, s.turn, s.interrupted, lang)


def told_turn(before: State, between: State, after: State, lang: str) -> list[str]:
    """Turns that end for want of an action, and players who have to make do without."""
    lines = []
    if between.step == TURN_DONE and between.owed and not before.owed:
        lines.append(WORDS.say("then.lapsed", lang, who=seat_name(before.turn, lang)))
    new_turn = after.turns != before.turns
    if after.step == ANY_TILE:
        lines.append(WORDS.say("then.stuck", lang, who=seat_name(after.turn, lang)))
    if after.step == RELOCATE_FROM and (new_turn or not before.owed):
        lines.append(WORDS.say("then.relocate", lang, who=seat_name(after.turn, lang)))
    return lines


def told_end(before: State, after: State, lang: str) -> list[str]:
    """The last round, or the end with its reason and its winners."""
    best = max(after.score)
    if after.over:
        names = [seat_name(p, lang) for p in range(after.players) if after.score[p] == best]
        who = names[0]
        for name in names[1:]:
            who = WORDS.say("then.and", lang, one=who, two=name)
        key = "then.winners" if len(names) > 1 else "then.winner"
        return [WORDS.say(f"ending.{ENDINGS[after.over - 1]}", lang), WORDS.say(key, lang, who=who, points=best)]
    if max(before.score) < after.end_score <= best and after.end != END_TURN:
        return [WORDS.say("then.last_round", lang, who=seat_name(after.score.index(best), lang), points=after.end_score)]
    return []


# --- Refusals -------------------------------------------------------------------------------------------------


def refusal(s: State, p: int, a: int, lang: str) -> str:
    """Why `a` is not open to p now."""
    tile = s.on[a] if 0 <= a < CELLS else 0
    return WORDS.say(
        f"no.{reason(s, p, a)}",
        lang,
        prompt=prompt(s, p, lang),
        cell=CODES[a] if 0 <= a < ACTIONS else "",
        tile=tile_name(s, tile, lang),
        owner=seat_name(a - OWNER, lang) if OWNER <= a < ACTIONS else "",
    )


def reason(s: State, p: int, a: int) -> str:
    """The key of the reason."""
    if s.step in (ACTION1, ACTION2, EXTRA):
        return why_no_action(s, p, a)
    if a == DECLINE and s.step in (INSPECTOR_FROM, INSPECTOR_TO):
        return "must_inspect"
    if s.step == SWAP_OWNER and OWNER <= a < ACTIONS:
        return "owner"
    if not 0 <= a < CELLS:
        return "step"
    if s.step in (SETUP_CELL, SCOUT_CELL, SEARCH_CELL):
        return why_no_site(s, s.on[a])
    if not s.on[a]:
        return "no_tile"
    return why_not_tile(s, p, s.on[a])


def why_no_action(s: State, p: int, a: int) -> str:
    """Why an action is not possible."""
    if 0 <= a < CELLS:
        return "action_first"
    if a in (SWAP, HERD) and s.mode != HARD:
        return "basic"
    if a in (SCOUT, SEARCH, SWAP):
        if s.step == ACTION2:
            return "second_tile_action"
        return {SCOUT: "deck_empty", SEARCH: "search", SWAP: "swap"}[a]
    if a == DECLINE:
        return "compulsory"
    if a == DISPATCH:
        return why_no_dispatch(s, p)
    if a in (TEAM_UP, RESCUE, HERD):
        if a == TEAM_UP and hand(s, p) == 0:
            return "hand"
        if s.rescuers[p] == 0:
            return "nobody_laid"
        return {TEAM_UP: "team_up", RESCUE: "all_inspected", HERD: "herd"}[a]
    return "step"


def why_no_dispatch(s: State, p: int) -> str:
    """Why Dispatch is not possible."""
    if p != s.turn:
        return "not_on_turn"
    if not s.fresh:
        return "fresh"
    return "hand" if hand(s, p) == 0 else "no_room_fresh"


def why_no_site(s: State, tile: int) -> str:
    """Why a tile cannot be laid on a cell."""
    if not tile:
        return "apart"
    return "same_cell" if tile == s.chosen else "occupied"


def why_no_room(s: State, p: int, tile: int) -> str:
    """Why a tile has no room for p."""
    return "yours" if s.rescuers[p] & tile else "full"


def why_not_tile(s: State, p: int, tile: int) -> str:
    """Why a tile cannot be chosen at this step."""
    own = s.rescuers[p] & tile
    if s.step == SEARCH_TILE:
        return why_not_movable(s, tile)
    if s.step == SWAP_OWN:
        if not s.colour[BASTET] & tile:
            return "not_bastet"
        return "swap_partner" if own else "not_yours"
    if s.step == SWAP_OTHER:
        if own:
            return "yours"
        return "pair" if any(s.rescuers[q] & tile for q in range(s.players)) else "empty"
    if s.step == TEAM_CELL and room(s, p) & tile:
        return "far"
    if s.step == HERD_TO and not beside(s, s.chosen) & tile:
        return "not_neighbour"
    if s.step in (TEAM_CELL, HERD_TO, ANY_TILE, RELOCATE_TO):
        return why_no_room(s, p, tile)
    if s.step in (HERD_FROM, RELOCATE_FROM, RESCUE_TILE) and not own:
        return "not_yours"
    if s.step == INSPECTOR_FROM:
        return "just_put" if s.inspectors & tile else "no_inspector"
    if s.step == HERD_FROM:
        return "nowhere"
    return "not_in_group" if s.step == COUNT_TILE else "inspected"


def why_not_movable(s: State, tile: int) -> str:
    """Why Search cannot move a tile."""
    if count(beside(s, tile)) == 3:
        return "surrounded"
    bare = s.copy()
    bare.inspectors = 0
    bare.rescuers = [0] * len(s.rescuers)
    return "token" if movable(bare) & tile else "split"


# --- The text board -------------------------------------------------------------------------------------------

HALF = 4  # half the width of a triangle in characters, and its height in lines
RESCUER_LETTERS = "rbkg"
INSPECTOR = "@"


def colour_letters() -> str:
    """A capital for each colour: the first letter of its name that is not taken."""
    letters = ""
    for name in COLOURS:
        letters += next(letter for letter in name.upper() + "QXZ" if letter not in letters)
    return letters


COLOUR_LETTERS = colour_letters()


def board(s: State, viewer: int, lang: str) -> str:
    """The whole table; `viewer` is marked among the seats."""
    lines = [*head(s, viewer, lang), "", *picture(s), "", *legend(s, lang)]
    if not s.over:
        p = actor(s)
        lines += ["", WORDS.say("board.asked", lang, who=seat_name(p, lang), prompt=prompt(s, p, lang))]
    return "\n".join(line.rstrip() for line in lines)


def actor(s: State) -> int:
    """The seat that decides now."""
    return actors(s).bit_length() - 1


def choosable(s: State) -> set[int]:
    """The cells that can be chosen now."""
    if s.over:
        return set()
    out = [0] * ACTIONS
    n = legal(s, actor(s), out)
    return {a for a in out[:n] if a < CELLS}


# --- Around the layout ----------------------------------------------------------------------------------------


def head(s: State, viewer: int, lang: str) -> list[str]:
    """Turn, seats, deck, inspectors and the options that are not the usual ones."""
    mode = WORDS.say(f"option.mode.{'hard' if s.mode == HARD else 'basic'}", lang)
    key = "board.setup" if s.step == SETUP_CELL else "board.head"
    lines = [WORDS.say(key, lang, mode=mode, turn=s.turns + (0 if s.over else 1), points=s.end_score)]
    lines.append(" " * 13 + WORDS.say("board.columns", lang))
    lines += [seat_line(s, p, viewer, lang) for p in range(s.players)]
    rest = " ".join(f"{COLOUR_LETTERS[c]}{s.deck[c]}" for c in range(KINDS) if s.deck[c])
    deck = WORDS.say("board.deck", lang, number=deck_size(s), rest=rest) if rest else WORDS.say("board.deck_empty", lang)
    facts = [deck, WORDS.say("board.inspectors", lang, number=unused_inspectors(s))]
    if s.revealed:
        facts.append(WORDS.say("board.revealed", lang, colour=colour_name(s.revealed - 1, lang)))
    return [*lines, "   ".join(facts), *unusual_options(s, lang)]


def seat_line(s: State, p: int, viewer: int, lang: str) -> str:
    """One player: points, rescuers in the hand, and who that is."""
    pointer = ">" if not s.over and p == actor(s) else " "
    who = pad(f"{seat_name(p, lang)} ({RESCUER_LETTERS[p]})", 10)
    notes = []
    if p == viewer:
        notes.append(WORDS.say("board.you", lang))
    if not s.over and p == s.turn:
        notes.append(WORDS.say("board.on_turn", lang))
    if p == s.start:
        notes.append(WORDS.say("board.starts", lang))
    return f"{pointer} {who} {s.score[p]:5} / {hand(s, p):<6}" + ", ".join(notes)


def unusual_options(s: State, lang: str) -> list[str]:
    """The options in force that differ from the usual."""
    lines = []
    for name, option in s.options.items():
        stored = getattr(s, name)
        if name in ("mode", "start_player", "end_score") or stored == option.stored(name, option.default, s.players):
            continue
        value = option.shown(stored)
        shown = WORDS.say(f"option.{name}.{value}", lang) if option.kind == "choice" else str(value).lower()
        lines.append(f"{WORDS.say(f'option.{name}.name', lang)}: {shown}")
    return lines


def legend(s: State, lang: str) -> list[str]:
    """What the letters in the layout mean."""
    tiles = []
    for c in range(KINDS):
        name = colour_name(c, lang)
        if s.mode == HARD:
            name += f" ({WORDS.say(f'cat.{CATS[c]}', lang)})"
        tiles.append(WORDS.say("board.legend", lang, letter=COLOUR_LETTERS[c], name=name))
    tokens = []
    for p in range(s.players):
        name = WORDS.say("board.rescuer", lang, who=seat_name(p, lang))
        tokens.append(WORDS.say("board.legend", lang, letter=RESCUER_LETTERS[p], name=name))
    tokens.append(WORDS.say("board.legend", lang, letter=INSPECTOR, name=WORDS.say("board.inspector", lang)))
    return ["  ".join(tiles), "  ".join(tokens), WORDS.say("board.marks", lang)]


# --- The layout -----------------------------------------------------------------------------------------------


class Canvas:
    """Lines of characters that are drawn over one another."""

    def __init__(self, cells: set[int]) -> None:
        rows, cols = [cell // WIDTH for cell in cells], [cell % WIDTH for cell in cells]
        self.top, self.left = min(rows), min(cols)
        width, height = (max(cols) - self.left + 2) * HALF + 1, (max(rows) - self.top + 1) * HALF + 1
        self.lines = [[" "] * width for _ in range(height)]

    def corner(self, cell: int) -> tuple[int, int]:
        """Line and column of the upper left corner of a cell's box."""
        return (cell // WIDTH - self.top) * HALF + 1, (cell % WIDTH - self.left) * HALF

    def write(self, line: int, column: int, text: str) -> None:
        """Put a text down."""
        self.lines[line][column : column + len(text)] = text

    def outline(self, cell: int) -> None:
        """Draw the three edges of a cell."""
        line, column = self.corner(cell)
        up = across(cell) > cell
        self.write(line + HALF - 1 if up else line - 1, column + 1, "_" * (2 * HALF - 2))
        for i in range(HALF):
            indent = HALF - 1 - i if up else i
            self.write(line + i, column + indent, "/" if up else "\\")
            self.write(line + i, column + 2 * HALF - 1 - indent, "\\" if up else "/")

    def label(self, cell: int, text: str, distance: int) -> None:
        """Write a text centred into a cell, so many lines from its flat edge."""
        line, column = self.corner(cell)
        place = line + HALF - 1 - distance if across(cell) > cell else line + distance
        self.write(place, column + (2 * HALF - len(text) + 1) // 2, text)


def picture(s: State) -> list[str]:
    """The tiles as triangles: code at the flat edge, then the tokens, then the colour; cells to choose in brackets."""
    open_cells = choosable(s)
    tiles = {s.cell[t]: t for t in range(s.laid)}
    canvas = Canvas(open_cells | set(tiles))
    for cell in tiles:
        canvas.outline(cell)
    for cell, t in tiles.items():
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
    letter = next(COLOUR_LETTERS[c] for c in range(KINDS) if s.colour[c] >> t & 1)
    if (s.chosen | s.other) >> t & 1:
        return letter + "*"
    if (s.scoring | s.interrupted) >> t & 1:
        return letter + "$"
    return letter + ("+" if s.fresh >> t & 1 else "")
