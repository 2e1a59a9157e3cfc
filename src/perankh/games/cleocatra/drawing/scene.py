"""The drawn table of Cleocatra: where everything lies, what a person clicks, and the pictures of the guide.

Positions are worked out from the state alone. The layout wanders in its frame (CLE-G4), so it is drawn around the middle of
its own bounding box, sites included, at the largest side that fits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import sqrt

from perankh.scene import SHAPES, Scene, Sprite
from perankh.scene.layout import Box, fitting, icon_button, in_rows, length, title_bar

from .face import WORDS, actor, colour_name, prompt, seat_name, sentence, tile_name
from .possible import hand
from .rules import ENDINGS, apply, begin_turn, legal
from .rules import scores as write_scores
from .table import (
    ACTIONS,
    CATS,
    CELLS,
    COLOURS,
    DECLINE,
    DISPATCH,
    HARD,
    HERD,
    INSPECTORS,
    KEEP,
    KINDS,
    OWNER,
    REMOVED,
    RESCUE,
    RESCUERS,
    SCOUT,
    SCOUT_CELL,
    SEARCH,
    SEARCH_CELL,
    SEATS,
    SETUP_CELL,
    SWAP,
    TAKE_BACK,
    TEAM_UP,
    TILE_COUNTS,
    WIDTH,
    State,
    across,
    count,
    deck_size,
)

SEAT_COLOURS = ("red", "blue", "black", "green")
BUTTONS = {SCOUT: "scout", SEARCH: "search", SWAP: "swap", DISPATCH: "dispatch", TEAM_UP: "team_up", RESCUE: "rescue"}
BUTTONS |= {HERD: "herd", DECLINE: "decline", KEEP: "keep", TAKE_BACK: "takeback"}
SITE_STEPS = (SETUP_CELL, SCOUT_CELL, SEARCH_CELL)

# A triangle of side 1.
RISE = sqrt(3) / 2  # its height
SIDES = {"wide": 156.0, "tall": 112.0}  # the largest side at which tiles are drawn
STEP = 2.0  # sides are multiples of this, so that small changes of the layout leave the scale alone
# Tokens on a tile of side 1: size, how far from the middle to the side, how far from the flat edge.
RESCUER = (0.23, 0.27, 0.215, 0.155)
INSPECTOR = (0.18, 0.229, 0.0, 0.588)
BADGE = (0.165, 0.165, 0.19, 0.4)
PAST = 5  # spaces of the score track beyond the end score
LONGEST_TRACK = 30  # the largest end score for which there is a track


# --- Places ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Plan:
    """Where the parts of the table are in a shape."""

    wide: bool
    bar: Box
    board: Box
    buttons: Box
    seats: tuple[Box, ...]
    stock: Box
    track: Box
    cats: Box
    height: float


def plan_of(s: State, viewer: int, shape: str) -> Plan:
    """The plan of a shape for so many players; the viewer comes first among them."""
    order = [(p - max(viewer, 0)) % s.players for p in range(s.players)]
    if shape == "wide":
        gap, top, bottom = 6.0, 56.0, 380.0
        high = min(104.0, (bottom - top) / s.players - gap)
        seats = tuple(Box(742, top + k * (high + gap), 248, high) for k in order)
        stock = top + s.players * (high + gap)
        return Plan(
            True,
            Box(10, 8, 980, 42),
            Box(10, 56, 724, 540),
            Box(10, 602, 724, 54),
            seats,
            Box(742, stock, 248, 110),
            Box(10, 662, 980, 70),
            Box(742, stock + 110, 248, 656 - stock - 110),
            740,
        )
    top = 602.0
    seats = tuple(Box(6 + k % 2 * 196, top + k // 2 * 70, 192, 66) for k in order)
    top += (s.players + 1) // 2 * 70
    track = Box(6, top, 388, 104 if s.end_score <= LONGEST_TRACK else 40)
    cats = Box(6, track.y + track.h + 4, 388, 182 if s.mode == HARD else 0)
    return Plan(
        False,
        Box(6, 4, 388, 42),
        Box(6, 116, 388, 378),
        Box(6, 498, 388, 100),
        seats,
        Box(6, 50, 388, 62),
        track,
        cats,
        cats.y + cats.h + (4 if cats.h else 0),
    )


@dataclass(frozen=True)
class Grid:
    """Where cells are drawn: the side of a triangle, and where the frame's corner lies."""

    side: float
    x: float
    y: float

    def middle(self, cell: int) -> tuple[float, float]:
        """The middle of a cell's box."""
        row, col = divmod(cell, WIDTH)
        return self.x + (col + 1) * self.side / 2, self.y + (row + 0.5) * self.side * RISE

    def on(self, cell: int, right: float, rise: float) -> tuple[float, float]:
        """A point of a cell, by the distances to the right of its middle and from its flat edge, in sides."""
        x, y = self.middle(cell)
        down = self.side * (RISE / 2 - rise)
        return x + right * self.side, y + (down if is_up(cell) else -down)


def is_up(cell: int) -> bool:
    """Whether the triangle on a cell points up."""
    return across(cell) > cell


def grid_of(s: State, plan: Plan) -> Grid:
    """The layout with all cells around it, in the middle of the board and as large as fits."""
    cells = {c for t in range(s.laid) for c in (s.cell[t], s.cell[t] - 1, s.cell[t] + 1, across(s.cell[t]))}
    rows, cols = [c // WIDTH for c in cells], [c % WIDTH for c in cells]
    width, height = (max(cols) - min(cols) + 2) / 2, (max(rows) - min(rows) + 1) * RISE
    margin = 8.0 if plan.wide else 3.0
    side = min((plan.board.w - 2 * margin) / width, (plan.board.h - 2 * margin) / height)
    side = min(SIDES["wide" if plan.wide else "tall"], side // STEP * STEP)
    middle = (min(cols) + max(cols) + 2) / 4, (min(rows) + max(rows) + 1) / 2 * RISE
    return Grid(side, plan.board.mid_x - middle[0] * side, plan.board.mid_y - middle[1] * side)


def members(tiles: int) -> list[int]:
    """The tiles of a set, ascending."""
    return [t for t in range(tiles.bit_length()) if tiles >> t & 1]


def told_apart(tiles: int, pieces: int) -> dict[int, int]:
    """Which of a number of like pieces stands on which tile: {piece: tile}; those not named are off the layout.

    The state knows only the tiles. A tile has a favourite piece, so that a piece mostly stays itself when another moves.
    """
    found: dict[int, int] = {}
    rest = []
    for t in members(tiles):
        if t % pieces in found:
            rest.append(t)
        else:
            found[t % pieces] = t
    for t in rest:
        found[next(k for k in range(pieces) if k not in found)] = t
    return found


# --- The scene ------------------------------------------------------------------------------------------------


def scene(s: State, viewer: int, lang: str, shape: str) -> Scene:
    """The table as a viewer sees it, in a language and a shape."""
    plan = plan_of(s, viewer, shape)
    grid = grid_of(s, plan)
    sprites = [
        *bar(s, viewer, lang, plan),
        *board(s, viewer, lang, plan, grid),
        *stock(s, lang, plan),
        *cats(s, lang, plan),
        *(sprite for p in range(s.players) for sprite in seat(s, p, viewer, lang, plan)),
        *track(s, lang, plan),
        *buttons(s, viewer, lang, plan),
        *tiles(s, viewer, lang, plan, grid),
        *tokens(s, lang, plan, grid),
    ]
    return Scene(SHAPES[shape], plan.height, sprites, f"{WORDS.say('game.name', lang)}: {headline(s, viewer, lang)}")


def open_actions(s: State, p: int) -> list[int]:
    """What p may choose now."""
    if s.over or p != actor(s):
        return []
    out = [0] * ACTIONS
    return out[: legal(s, p, out)]


def shown_actions(s: State, viewer: int) -> list[int]:
    """The choices that are marked for a viewer: the own ones; a spectator sees those of whoever decides."""
    return [] if s.over else open_actions(s, actor(s) if viewer < 0 else viewer)


def headline(s: State, viewer: int, lang: str) -> str:
    """What is to be decided, or who has won."""
    if s.over:
        best = max(s.score)
        names = [seat_name(p, lang) for p in range(s.players) if s.score[p] == best]
        who = names[0]
        for name in names[1:]:
            who = WORDS.say("then.and", lang, one=who, two=name)
        won = WORDS.say("then.winners" if len(names) > 1 else "then.winner", lang, who=who, points=best)
        return WORDS.say(f"ending.{ENDINGS[s.over - 1]}", lang) + ("" if lang == "ja" else " ") + won
    p = actor(s)
    asked = prompt(s, p, lang)
    return asked if p == viewer else WORDS.say("board.asked", lang, who=seat_name(p, lang), prompt=asked)


def bar(s: State, viewer: int, lang: str, plan: Plan) -> list[Sprite]:
    """Who decides what, and how far the game is."""
    info = ""
    if plan.wide:
        mode = WORDS.say(f"option.mode.{'hard' if s.mode == HARD else 'basic'}", lang)
        key = "scene.setup" if s.step == SETUP_CELL else "scene.turn"
        info = WORDS.say(key, lang, mode=mode, turn=s.turns + (0 if s.over else 1))
    seats = {} if s.over else {actor(s): SEAT_COLOURS[actor(s)]}
    return title_bar(plan.bar, headline(s, viewer, lang), lang, seats=seats, info=info)


# --- The layout -----------------------------------------------------------------------------------------------


def board(s: State, viewer: int, lang: str, plan: Plan, grid: Grid) -> list[Sprite]:
    """The ground, and the sites that can be chosen."""
    box = plan.board
    wide = 230.0 if plan.wide else 130.0
    found = [
        box.sprite("board", "sand"),
        Sprite("pyramids", "pyramids", box.x + wide * 0.56, box.y + box.h - wide * 0.26, wide, wide / 2),
    ]
    if s.step in SITE_STEPS:
        p = actor(s)
        for a in shown_actions(s, viewer):
            x, y = grid.middle(a)
            symbol = "site-up" if is_up(a) else "site-down"
            alt = sentence(s, p, a, lang)
            found.append(Sprite(f"site-{a}", symbol, x, y, grid.side, grid.side * RISE, alt=alt))
    return found


def tile_symbol(s: State, c: int, up: bool) -> str:
    """The symbol of a tile of a colour."""
    return f"tile-{CATS[c]}-{'up' if up else 'down'}" + ("-hard" if s.mode == HARD else "")


def colour_of_tile(s: State, t: int) -> int:
    """The colour of tile t."""
    return next(c for c in range(KINDS) if s.colour[c] >> t & 1)


def tiles(s: State, viewer: int, lang: str, plan: Plan, grid: Grid) -> list[Sprite]:
    """The tiles of the layout with what marks them, and the one turned up."""
    side = grid.side
    found = []
    for t in sorted(range(s.laid), key=lambda t: (s.chosen >> t & 1, t)):
        x, y = grid.middle(s.cell[t])
        symbol = tile_symbol(s, colour_of_tile(s, t), is_up(s.cell[t]))
        found.append(Sprite(f"tile-{t}", symbol, x, y, side, side * RISE, alt=tile_alt(s, t, lang)))
    if s.revealed:
        found.append(revealed(s, lang, plan))
    open_cells = set() if s.step in SITE_STEPS else {a for a in shown_actions(s, viewer) if a < CELLS}
    badges = []
    for t in range(s.laid):
        cell = s.cell[t]
        x, y = grid.middle(cell)
        way = "up" if is_up(cell) else "down"
        mark = mark_of(s, t)
        if cell in open_cells:
            found.append(Sprite(f"pick-{t}", f"pick-{way}", x, y, side, side * RISE))
        elif mark:
            found.append(Sprite(f"ring-{t}", f"ring-{way}", x, y, side, side * RISE, colour=RINGS[mark]))
        if mark:
            w, h, aside, rise = BADGE
            x, y = grid.on(cell, -aside, rise)
            alt = WORDS.say(f"scene.{mark}", lang)
            badges.append(Sprite(f"badge-{t}", f"badge-{mark}", x, y, w * side, h * side, alt=alt))
    return found + badges


RINGS = {"chosen": "ink", "scoring": "carnelian", "fresh": "faience"}


def mark_of(s: State, t: int) -> str:
    """What is special about a tile now: chosen before, scored, laid or moved in this turn; or nothing."""
    if (s.chosen | s.other) >> t & 1:
        return "chosen"
    if (s.scoring | s.interrupted) >> t & 1:
        return "scoring"
    return "fresh" if s.fresh >> t & 1 else ""


def tile_alt(s: State, t: int, lang: str) -> str:
    """A tile and what stands on it."""
    name = tile_name(s, 1 << t, lang)
    here = [WORDS.say("board.rescuer", lang, who=seat_name(p, lang)) for p in range(s.players) if s.rescuers[p] >> t & 1]
    if s.inspectors >> t & 1:
        here.append(WORDS.say("board.inspector", lang))
    return f"{name}: {', '.join(here)}" if here else name


# --- Rescuers and inspectors ----------------------------------------------------------------------------------


def tokens(s: State, lang: str, plan: Plan, grid: Grid) -> Iterator[Sprite]:
    """All rescuers and inspectors, on tiles or in reserve."""
    for p in range(s.players):
        standing = told_apart(s.rescuers[p], RESCUERS)
        alt = WORDS.say("board.rescuer", lang, who=seat_name(p, lang))
        for k in range(RESCUERS):
            if k in standing:
                w, h, aside, rise = RESCUER
                x, y = grid.on(s.cell[standing[k]], side_of(s, p, standing[k]) * aside, rise)
                w, h = w * grid.side, h * grid.side
            else:
                x, y, w, h = in_hand(plan, p, k)
            yield Sprite(f"rescuer-{p}-{k}", f"rescuer-{p}", x, y, w, h, colour=SEAT_COLOURS[p], alt=alt)
    watching = told_apart(s.inspectors, INSPECTORS)
    for k in range(INSPECTORS):
        if k in watching:
            w, h, aside, rise = INSPECTOR
            x, y = grid.on(s.cell[watching[k]], aside, rise)
            w, h = w * grid.side, h * grid.side
        else:
            x, y, w, h = in_reserve(plan, k)
        yield Sprite(f"inspector-{k}", "inspector", x, y, w, h, alt=WORDS.say("board.inspector", lang))


def side_of(s: State, p: int, t: int) -> int:
    """Where p stands on a tile: even seats on the left, odd ones on the right, unless that is taken."""
    others = [q for q in range(s.players) if q != p and s.rescuers[q] >> t & 1]
    if others and others[0] % 2 == p % 2:
        return -1 if p < others[0] else 1
    return -1 if p % 2 == 0 else 1


def in_hand(plan: Plan, p: int, k: int) -> tuple[float, float, float, float]:
    """Place and size of a rescuer in its player's hand."""
    box = plan.seats[p]
    h = min(36.0, box.h * 0.42) if plan.wide else 30.0
    w = h * 46 / 54
    left = box.x + (78 if plan.wide else 52)
    return left + k * (w + (8 if plan.wide else 4)), box.y + box.h - h / 2 - (8 if plan.wide else 5), w, h


def in_reserve(plan: Plan, k: int) -> tuple[float, float, float, float]:
    """Place and size of an inspector beside the layout."""
    box = plan.stock
    if plan.wide:
        return box.x + box.w - 20 - (INSPECTORS - 1 - k) * 25, box.y + 46, 27, 34.4
    return box.x + box.w - 18 - (INSPECTORS - 1 - k) * 25, box.y + 34, 26, 33


# --- Deck and cats --------------------------------------------------------------------------------------------


def deck_place(plan: Plan) -> tuple[float, float, float]:
    """The middle of the deck and the side of its triangles."""
    return (plan.stock.x + 46, plan.stock.y + 48, 72) if plan.wide else (plan.stock.x + 34, plan.stock.y + 32, 54)


def revealed(s: State, lang: str, plan: Plan) -> Sprite:
    """The tile turned up, which is the next to be laid."""
    x, y, side = revealed_place(plan)
    c = s.revealed - 1
    alt = WORDS.say("board.revealed", lang, colour=colour_name(c, lang))
    return Sprite(f"tile-{s.laid}", tile_symbol(s, c, True), x, y, side, side * RISE, alt=alt)


def revealed_place(plan: Plan) -> tuple[float, float, float]:
    """The middle of the tile turned up, and its side."""
    return (plan.stock.x + 124, plan.stock.y + 46, 84) if plan.wide else (plan.stock.x + 278, plan.stock.y + 31, 62)


def stock(s: State, lang: str, plan: Plan) -> list[Sprite]:
    """Deck, place of the tile turned up, and places of the inspectors."""
    box = plan.stock
    left = deck_size(s)
    rest = ", ".join(f"{colour_name(c, lang)} {s.deck[c]}" for c in range(KINDS) if s.deck[c])
    alt = WORDS.say("board.deck", lang, number=left, rest=rest) if left else WORDS.say("board.deck_empty", lang)
    x, y, side = deck_place(plan)
    found = [box.sprite("stock", "panel")]
    if not left:
        found.append(Sprite("deck", "tile-gone", x, y, side, side * RISE, alt=alt))
    for k in range(min(left, 4)):
        top = k == min(left, 4) - 1
        found.append(
            Sprite("deck" if top else f"deck-{k}", "tile-back", x, y + 3 - 3 * k, side, side * RISE, alt=alt if top else "")
        )
    x, y, side = revealed_place(plan)
    if not s.revealed:
        found.append(Sprite("revealed", "tile-gone", x, y, side, side * RISE))
    for k in range(INSPECTORS):
        x, y, w, h = in_reserve(plan, k)
        found.append(Sprite(f"inspector-slot-{k}", "inspector-slot", x, y, w, h))
    if plan.wide:
        y = box.y + box.h - 12
        words = WORDS.say("scene.deck", lang, number=left), WORDS.say("scene.revealed", lang), WORDS.say("scene.inspectors", lang)
        places = deck_place(plan)[0], revealed_place(plan)[0], in_reserve(plan, 1)[0]
        for number, (text, x) in enumerate(zip(words, places, strict=True)):
            found.append(Sprite(f"stock-text-{number}", x=x, y=y, text=text, size=fitting(text, 13, 80)))
        return found
    found.append(Sprite("stock-text-0", "pip", box.x + 64, box.y + 14, 24, 24, text=str(left), size=13, bold=True))
    for c in range(KINDS):
        x = box.x + 94 + c * 34
        alt = WORDS.say("scene.left", lang, colour=colour_name(c, lang), number=s.deck[c])
        found.append(Sprite(f"left-{c}", f"cat-{CATS[c]}", x, box.y + 22, 32, 32, dim=not s.deck[c], alt=alt))
        found.append(Sprite(f"left-mark-{c}", f"mark-{CATS[c]}", x - 8, box.y + 51, 13, 13, colour=HUES[CATS[c]]))
        found.append(Sprite(f"left-text-{c}", x=x + 7, y=box.y + 51, text=str(s.deck[c]), size=14, bold=True))
    return found


HUES = {"mafdet": "amethyst", "bastet": "lapis", "mut": "clay", "princess": "malachite", "cleocatra": "gold"}


def cats(s: State, lang: str, plan: Plan) -> list[Sprite]:
    """The five cats: how many are in the deck, and in hard mode their powers."""
    box = plan.cats
    if not box.h:
        return []
    found = [box.sprite("cats", "panel")]
    high = min(44.0, (box.h - 6) / KINDS)
    top, side = box.mid_y - high * KINDS / 2, min(42.0, high + 4)
    for c in range(KINDS):
        y = top + (c + 0.5) * high
        cat, colour = WORDS.say(f"cat.{CATS[c]}", lang), colour_name(c, lang)
        name = WORDS.say("scene.cat", lang, cat=cat, colour=colour)
        symbol = f"tile-{CATS[c]}-up"
        found.append(Sprite(f"cat-{c}", symbol, box.x + 25, y, side, side * RISE, alt=name))
        left = box.x + 50
        if s.mode == HARD:
            found.append(Sprite(f"power-{c}", f"power-{CATS[c]}", left + 11, y, 26, 26))
            left += 29
            power = WORDS.say(f"power.{CATS[c]}", lang)
            size = fitting(power, 12.5, box.x + box.w - left - 6)
            found.append(Sprite(f"cat-power-{c}", x=left, y=y + 8, text=power, size=size, align="start"))
        shift = -7 if s.mode == HARD else 0
        found.append(Sprite(f"cat-name-{c}", x=left, y=y + shift, text=name, size=13, bold=True, align="start"))
        if plan.wide:
            x = box.x + box.w - 9
            alt = WORDS.say("scene.left", lang, colour=colour, number=s.deck[c])
            found.append(Sprite(f"left-{c}", "tile-back", x - 20, y + shift, 15, 15 * RISE, dim=not s.deck[c], alt=alt))
            found.append(Sprite(f"left-text-{c}", x=x, y=y + shift, text=str(s.deck[c]), size=14, bold=True, align="end"))
    return found


# --- Players and points ---------------------------------------------------------------------------------------


def seat(s: State, p: int, viewer: int, lang: str, plan: Plan) -> list[Sprite]:
    """A player: emblem, name, points, the places of the hand, and whether it is the turn."""
    box = plan.seats[p]
    wide = plan.wide
    acting = not s.over and p == actor(s)
    won = bool(s.over) and s.score[p] == max(s.score)
    alt = WORDS.say("scene.seat", lang, who=seat_name(p, lang), points=s.score[p], number=hand(s, p))
    found = [box.sprite(f"seat-{p}", "panel-active" if acting or won else "panel", alt)]
    size = min(46.0, box.h * 0.6) if wide else 34.0
    x = box.x + (34 if wide else 22)
    found.append(Sprite(f"emblem-{p}", f"emblem-{p}", x, box.mid_y, size, size, colour=SEAT_COLOURS[p]))
    left, y = box.x + (64 if wide else 42), box.y + (20 if wide else 15)
    name = seat_name(p, lang)
    if p == viewer:
        name = WORDS.say("scene.you", lang, who=name)
    size = fitting(name, 17.0 if wide else 14.0, 110 if wide else 84, True)
    found.append(Sprite(f"name-{p}", x=left, y=y, text=name, size=size, bold=True, align="start"))
    left += length(name, size, True) + 20
    if p == s.start:
        big = 22.0 if wide else 18.0
        found.append(Sprite(f"first-{p}", "first", left, y, big, big, alt=WORDS.say("scene.first", lang)))
        left += big + 2
    right = box.x + box.w - (30 if wide else 22)
    points = str(s.score[p])
    found.append(Sprite(f"score-{p}", x=right, y=box.y + box.h * 0.64, text=points, size=30 if wide else 22, bold=True))
    if won:
        found.append(Sprite(f"crown-{p}", "crown", right, box.y + (17 if wide else 13), 30 if wide else 24, 20 if wide else 17))
    elif not s.over and p == s.turn and s.step != SETUP_CELL:
        alt = WORDS.say("scene.action", lang, number=s.owed + 1)
        for k in range(2):
            symbol = "pip-now" if k == s.owed else "pip-done" if k < s.owed else "pip"
            big = 15.0 if wide else 12.0
            x, y = right - big / 2 - 1 + k * (big + 2), box.y + (16 if wide else 12)
            found.append(Sprite(f"pip-{k}", symbol, x, y, big, big, alt=alt if k == s.owed else ""))
    for k in range(RESCUERS):
        x, y, w, h = in_hand(plan, p, k)
        found.append(Sprite(f"slot-{p}-{k}", "rescuer-slot", x, y, w, h))
    return found


def track(s: State, lang: str, plan: Plan) -> list[Sprite]:
    """The score board: a track that goes on beyond the end score, or plain numbers if that is far away."""
    box = plan.track
    found = [box.sprite("track", "strip", WORDS.say("scene.track", lang, points=s.end_score))]
    if s.end_score > LONGEST_TRACK:
        return found + numbers(s, lang, plan)
    spaces = s.end_score + PAST + 1
    rows = 1 if plan.wide else 2
    across_row = -(-spaces // rows)
    wide, high = min(44.0, (box.w - 10) / across_row), (box.h - 8) / rows
    start = box.mid_x - wide * across_row / 2

    def place(points: int) -> tuple[float, float]:
        row, col = divmod(min(points, spaces - 1), across_row)
        return start + (col + 0.5) * wide, box.y + 4 + (row + 0.5) * high

    for points in range(spaces):
        x, y = place(points)
        symbol = "space" if points < s.end_score else "space-end" if points == s.end_score else "space-past"
        found.append(Sprite(f"space-{points}", symbol, x, y, wide - 1, high - 2))
        text = f"{points}+" if points == spaces - 1 else str(points)
        found.append(Sprite(f"space-text-{points}", x=x, y=y - high / 2 + 9, text=text, size=11, bold=points == s.end_score))
    size = min(wide * 0.5, (high - 18) / 2, 21.0)
    for p in range(s.players):
        x, y = place(s.score[p])
        aside, down = (p % 2 - 0.5) * min(size + 1, wide / 2), (p // 2 - 0.5) * (size + 0.5)
        found.append(marker(s, p, x + aside, y + 7 + down, size, lang))
    return found


def numbers(s: State, lang: str, plan: Plan) -> list[Sprite]:
    """The points as numbers, where the track would be."""
    box = plan.track
    shift, size, high = (44.0, 28.0, 20.0) if plan.wide else (34.0, 20.0, 13.0)
    found = []
    for p in range(s.players):
        x = box.x + (p + 0.5) * box.w / s.players - shift
        text = f"{s.score[p]} / {s.end_score}"
        found.append(marker(s, p, x, box.mid_y, size, lang))
        found.append(Sprite(f"points-{p}", x=x + size / 2 + 6, y=box.mid_y, text=text, size=high, align="start"))
    return found


def marker(s: State, p: int, x: float, y: float, size: float, lang: str) -> Sprite:
    """The score marker of a seat."""
    alt = WORDS.say("scene.marker", lang, who=seat_name(p, lang), points=s.score[p])
    return Sprite(f"marker-{p}", f"emblem-{p}", x, y, size, size, colour=SEAT_COLOURS[p], alt=alt)


# --- What one clicks ------------------------------------------------------------------------------------------


def button_id(a: int) -> str:
    """The id of the button of an action that is no cell."""
    return f"do-owner-{a - OWNER}" if a >= OWNER else f"do-{BUTTONS[a]}"


def button_text(a: int, lang: str) -> str:
    """What is written on a button."""
    return seat_name(a - OWNER, lang) if a >= OWNER else WORDS.say(f"button.{BUTTONS[a]}", lang)


def buttons(s: State, viewer: int, lang: str, plan: Plan) -> list[Sprite]:
    """The choices that are not made on the layout."""
    actions = [a for a in shown_actions(s, viewer) if a >= CELLS]
    if not actions:
        return key(lang, plan)
    box, p = plan.buttons, actor(s)
    n = len(actions)
    rows = 1 if plan.wide or n <= 3 else 2
    per_row = -(-n // rows)
    gap = 6.0 if plan.wide else 4.0
    wide = min(152.0 if plan.wide else 148.0, (box.w - gap * (per_row - 1)) / per_row)
    high = 50.0 if plan.wide else 48.0
    icon = 30.0 if wide > 100 else 24.0
    size = min(fitting(button_text(a, lang), 17.0, wide - icon - 22, True) for a in actions)
    found = []
    room = Box(box.x, box.y + 2, box.w, rows * (high + 2) - 2)
    for a, place in zip(actions, in_rows(room, n, per_row, (wide, high), (gap, 2)), strict=True):
        symbol = f"emblem-{a - OWNER}" if a >= OWNER else f"do-{BUTTONS[a]}"
        colour = SEAT_COLOURS[a - OWNER] if a >= OWNER else ""
        alt = sentence(s, p, a, lang)
        found += icon_button(button_id(a), button_text(a, lang), place, alt, symbol, size=size, big=icon, colour=colour)
    return found


def key(lang: str, plan: Plan) -> list[Sprite]:
    """What the marks mean, where the buttons would be."""
    box = plan.buttons
    marks = {"badge-fresh": "fresh", "badge-scoring": "scoring", "badge-chosen": "chosen", "first": "first"}
    texts = [WORDS.say(f"scene.{name}", lang) for name in marks.values()]
    size, big = (13.0, 22.0) if plan.wide else (12.0, 20.0)
    found = []
    x = box.mid_x - (sum(length(text, size) + big + 30 for text in texts) - 30) / 2
    for number, (symbol, text) in enumerate(zip(marks, texts, strict=True)):
        y = box.mid_y
        if not plan.wide:
            x, y = box.x + 16 + number % 2 * 210, box.y + 30 + number // 2 * 38
        found.append(Sprite(f"key-{number}", symbol, x + big / 2, y, big, big))
        found.append(Sprite(f"key-text-{number}", x=x + big + 6, y=y, text=text, size=size, align="start"))
        x += length(text, size) + big + 30
    return found


def paths(s: State, p: int) -> dict[int, tuple[str, ...]]:
    """What p clicks for each choice: a site, a tile or a button."""
    found: dict[int, tuple[str, ...]] = {}
    for a in open_actions(s, p):
        if a >= CELLS:
            found[a] = (button_id(a),)
        elif s.step in SITE_STEPS:
            found[a] = (f"site-{a}",)
        else:
            found[a] = (f"tile-{count(s.on[a] - 1)}",)
    return found


def breakdown(s: State, lang: str) -> list[tuple[str, list[int]]]:
    """The points; the state does not keep what they were for."""
    points = [0] * SEATS
    write_scores(s, points)
    return [(WORDS.say("scene.points", lang), points[: s.players])]


# --- Pictures of the guide ------------------------------------------------------------------------------------


def position(
    layout: str,
    rescuers: dict[int, list[int]],
    inspectors: tuple[int, ...] = (),
    points: tuple[int, ...] = (),
    players: int = 2,
    hard: bool = False,
    turn: int = 0,
) -> State:
    """A table at the start of a turn; the layout is written as cells and first letters of colours: "17 p, 18 b"."""
    s = State()
    s.players = players
    for name, option in State.options.items():
        setattr(s, name, option.stored(name, option.default, players))
    s.mode = HARD if hard else 0
    for t, entry in enumerate(layout.split(", ")):
        cell, letter = entry.split()
        c = next(c for c in range(KINDS) if COLOURS[c].startswith(letter))
        s.cell[t] = int(cell)
        s.on[int(cell)] = 1 << t
        s.colour[c] |= 1 << t
        s.laid = t + 1
    for c in range(KINDS):
        left = TILE_COUNTS[c] - (REMOVED[c] if players == 2 else 0) - count(s.colour[c])
        s.deck[c] = max(0, left)
    for p, where in rescuers.items():
        s.rescuers[p] = sum(s.on[cell] for cell in where)
    s.inspectors = sum(s.on[cell] for cell in inspectors)
    for p, number in enumerate(points):
        s.score[p] = number
    s.turn, s.turns = turn, turn + players * (max(s.score) // 2)
    begin_turn(s)
    return s


def after(s: State, *actions: int) -> State:
    """The table after some choices."""
    for a in actions:
        apply(s, actor(s), a)
    return s


def turned_up(s: State, c: int) -> State:
    """The same with a tile of a certain colour turned up, whatever chance had brought."""
    s.deck[s.revealed - 1] += 1
    s.deck[c] -= 1
    s.revealed = c + 1
    return s


STAR = "18 b, 19 p, 20 o, 35 g"
PAIR = "18 b, 19 p, 20 b"
FIVE = "17 p, 18 b, 19 y, 20 o, 35 g"


PICTURES: dict[str, Callable[[], State]] = {
    "cover": lambda: after(
        position(
            "18 o, 19 p, 20 b, 21 g, 34 g, 35 y, 36 o, 37 b, 52 p",
            {0: [35, 20, 52], 1: [18, 36], 2: [35, 21], 3: [37]},
            (19, 36),
            (14, 9, 12, 17),
            players=4,
            hard=True,
        ),
        RESCUE,
    ),
    "setup": lambda: position("18 o, 19 p, 20 g", {0: [19], 1: [18], 2: [20]}, players=3),
    "scout": lambda: turned_up(after(position("17 p, 18 b, 19 o", {0: [17], 1: [18]}), SCOUT), 3),
    "search": lambda: after(position("18 b, 19 p, 20 o, 21 g, 35 g", {0: [19], 1: [18]}, (20,)), SEARCH),
    "dispatch": lambda: after(position("18 b, 19 p, 20 o, 35 g", {0: [18], 1: [20]}), SEARCH, 35, 21),
    "team": lambda: after(position("17 g, 18 b, 19 p, 20 o, 35 g", {0: [19], 1: [18, 35]}), TEAM_UP),
    "rescue": lambda: after(position(STAR, {0: [18, 19, 20], 1: [35]}, points=(4, 6)), RESCUE),
    "choice": lambda: after(position(PAIR, {0: [18, 19, 20]}, points=(4, 6)), RESCUE, 19),
    "inspector": lambda: after(position(STAR, {0: [18, 19], 1: [20]}, points=(4, 6)), RESCUE, 19),
    "mafdet": lambda: after(position("17 p, 18 b, 19 o, 20 g", {0: [17], 1: [17, 19]}, (17,), hard=True), SEARCH, 17),
    "bastet": lambda: after(position("17 p, 18 b, 19 o, 20 g", {0: [18], 1: [17, 20]}, hard=True), SWAP, 18),
    "mut": lambda: after(position("18 b, 19 o, 20 g", {0: [18, 19], 1: [20]}, (18,), hard=True), RESCUE, 19, 20),
    "princess": lambda: after(
        position("18 b, 19 g, 20 o, 35 p", {0: [19], 1: [20]}, (18, 35), hard=True, points=(3, 8)), RESCUE, 19, 20
    ),
    "cleocatra": lambda: after(
        position(FIVE, {0: [20], 1: [19], 2: [17]}, points=(5, 10, 7), players=3, hard=True, turn=1), RESCUE, 19
    ),
}
