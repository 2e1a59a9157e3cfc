"""The drawn table of Nile Mural: the wall, the hands, the tracks, and what to click."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import groupby
from typing import NamedTuple

from perankh.scene import Scene, Sprite, ink_on
from perankh.scene.layout import Box, fitting, label, length

from . import face
from .rules import (
    ACTIONS,
    AREA,
    AREA_CELLS,
    AREA_OF,
    AREA_VALUE,
    AREAS,
    CARDS,
    COMBO,
    COMBO_CARDS,
    COMBO_STEPS,
    DRAW,
    HAND,
    IS_ANKH,
    MISS,
    MOST_PLACEMENTS,
    OPEN,
    OVER,
    PLACE,
    POINTS,
    ROW,
    SHEET,
    STOP,
    TAKE,
    TRACK_CELLS,
    TRACKS,
    UNSEEN,
    State,
    actors,
    area_is_full,
    forbidden,
    hand_size,
    legal,
    place_on_track,
    points,
    ranks,
)

SEAT_COLOURS = ("red", "blue", "yellow", "black")
VALUE_COLOURS = ("faience", "clay", "amethyst")  # areas of value I, II, III
TRACK_COLOURS = ("gold", "malachite", "carnelian")
SIZE = 10  # cells in a row of the wall
LEGIBLE = 33.5  # the smallest card whose number can be read
CLOSE = 0.6  # the part of a card that must show to read its number

say = face.WORDS.say


class Layout(NamedTuple):
    """Where things lie in one shape."""

    width: float
    height: float
    wall: Box  # the cells, without the frame
    frame: float  # its breadth
    sun: float  # the size of the sun at the corner
    head: Box  # whose turn it is
    rack: Box  # the viewer's hand
    ledge: float  # the breadth of its rim, with the name
    stop: Box
    deck: Box
    row: Box
    combo: Box  # the combo table
    tracks: Box
    seats: Box  # a panel for each player


def layout(shape: str, players: int) -> Layout:
    """The layout of a shape for a number of players."""
    if shape == "wide":
        return Layout(
            width=1000,
            height=744,
            wall=Box(50, 48, 560, 560),
            frame=13,
            sun=62,
            head=Box(70, 6, 552, 26),
            rack=Box(37, 628, 586, 110),
            ledge=21,
            stop=Box(640, 476, 350, 40),
            deck=Box(640, 524, 96, 214),
            row=Box(744, 524, 246, 214),
            combo=Box(640, 396, 350, 74),
            tracks=Box(640, 198, 350, 192),
            seats=Box(640, 8, 350, 186),
        )
    return Layout(
        width=400,
        height=890 + 48 * players,
        wall=Box(25, 35, 366, 366),
        frame=8,
        sun=34,
        head=Box(46, 2, 350, 24),
        rack=Box(6, 413, 388, 94),
        ledge=17,
        stop=Box(6, 510, 388, 32),
        deck=Box(6, 545, 78, 84),
        row=Box(88, 545, 306, 84),
        combo=Box(6, 632, 388, 74),
        tracks=Box(6, 714, 388, 174),
        seats=Box(6, 892, 388, 48 * players - 6),
    )


# --- The contract ---------------------------------------------------------------------------------------------------


def scene(s: State, viewer: int, lang: str, shape: str) -> Scene:
    """The table for a viewer; a spectator (-1) has the hand of the player on turn before them."""
    at = layout(shape, s.players)
    near = viewer if viewer >= 0 else s.turn
    return Scene(
        at.width,
        at.height,
        [
            *head(s, lang, at),
            *wall(s, lang, at),
            *combo_table(s, lang, at),
            *tracks(s, lang, at),
            *deck_and_row(s, lang, at),
            *seats(s, near, lang, at),
            *rack(s, near, viewer, lang, at),
            *stop_button(s, viewer, lang, at),
            *pawn(s, lang, at),
        ],
        f"{say('game.name', lang)}. {headline(s, lang)}",
    )


def paths(s: State, p: int) -> dict[int, tuple[str, ...]]:
    """One click an action: a card, the deck, or the button to stop."""
    if not actors(s) >> p & 1:
        return {}
    out = [0] * ACTIONS
    actions = out[: legal(s, p, out)]
    return {a: ("deck" if a == DRAW else "stop" if a == STOP else f"card-{a:02}",) for a in actions}


def breakdown(s: State, lang: str) -> list[tuple[str, list[int]]]:
    """The points by track."""
    return [
        (
            say(f"board.{name}", lang),
            [int(POINTS[s.track_points][track][place_on_track(s, track, p) - 1]) for p in range(s.players)],
        )
        for track, name in enumerate(TRACKS)
    ]


# --- Small helps ----------------------------------------------------------------------------------------------------


def card(s: State, n: int, x: float, y: float, size: float, lang: str, *, dim: bool = False, glow: bool = False) -> Sprite:
    """A card face up."""
    ankh = IS_ANKH[s.ankh_set][n]
    return Sprite(
        f"card-{n:02}",
        symbol=f"{'ankh' if ankh else 'card'}-{n:02}",
        x=x,
        y=y,
        width=size,
        height=size,
        dim=dim,
        glow=glow,
        alt=say("scene.ankh" if ankh else "scene.card", lang, card=face.CODES[n]),
    )


class Spread(NamedTuple):
    """Cards laid out: how well they can be read (the size of what shows), and their middles and sizes."""

    quality: float
    places: list[tuple[float, float, float]]


def spread(weights: Sequence[float], box: Box, biggest: float) -> Spread:
    """Middles and sizes of cards laid out in a box from the left, in as many rows as shows them best.

    A card of weight 1 wants its whole breadth, a lighter one may be covered by its neighbour. Where the room ends, all
    cards move closer together.
    """
    best = Spread(-1, [])
    rows = 1
    while rows == 1 or box.h / rows >= LEGIBLE:
        size = min(biggest, box.h / rows - (2 if rows > 1 else 0), box.w)
        lines = split(weights, rows)
        reach = [sum(line[:-1]) * size * 1.05 for line in lines]
        scale = min(1.0, *((box.w - size) / way for way in reach if way > 0), 1.0)
        places = []
        for number, line in enumerate(lines):
            y = box.y + box.h * (number + 0.5) / rows
            x = box.x + size / 2
            for weight in line:
                places.append((x, y, size))
                x += weight * size * 1.05 * scale
        quality = size * min(1.0, (scale / CLOSE) ** 2)
        if quality > best.quality:
            best = Spread(quality, places)
        rows += 1
    return best


def quality(laid: Spread) -> float:
    """How well cards laid out can be read."""
    return laid.quality


def split(weights: Sequence[float], rows: int) -> list[list[float]]:
    """The weights in rows of about the same length."""
    lines: list[list[float]] = [[] for _ in range(rows)]
    total = sum(weights) or 1
    run = 0.0
    for weight in weights:
        lines[min(rows - 1, int((run + weight / 2) * rows / total))].append(weight)
        run += weight
    return lines


def cards_of(s: State, *places: int) -> list[int]:
    """The cards in some places, in order."""
    return [n for n in range(CARDS) if s.where[n] in places]


def known_and_hidden(s: State, p: int) -> tuple[list[int], int]:
    """What the viewer knows of a hand: the cards, and how many more there are."""
    known = cards_of(s, HAND + p, OPEN + p)
    return known, hand_size(s, p) - len(known)


def under_way(s: State) -> bool:
    """Has a card been placed in the turn that is going on?"""
    return s.step != OVER and s.placed > 0 and not s.ending_turn


# --- Head -----------------------------------------------------------------------------------------------------------


def headline(s: State, lang: str) -> str:
    """Whose turn it is, or that the game is over."""
    return say("board.over", lang) if s.step == OVER else say("board.turn", lang, player=face.seat_name(s.turn, lang))


def head(s: State, lang: str, at: Layout) -> list[Sprite]:
    """Whose turn it is and what is to be done."""
    box = at.head
    y = box.middle[1]
    large = 18 if at.width > 500 else 15
    if s.step == OVER:
        doing = say("ending.mural_complete", lang)
    elif s.step == TAKE:
        doing = say("scene.take_combo" if s.ending_turn else "scene.take_ankh", lang, count=s.takes)
    else:
        doing = say("scene.placing", lang, count=s.placed + 1, most=MOST_PLACEMENTS)
    mark = []
    x = box.x
    if s.step != OVER:
        colour = SEAT_COLOURS[s.turn]
        mark = [Sprite("turn-emblem", symbol=f"emblem-{s.turn}", x=x + 12, y=y, width=24, height=24, colour=colour)]
        x += 30
    room = box.right - x - length(headline(s, lang), large, True) - 6
    return [
        *mark,
        label("headline", headline(s, lang), x, y, large, bold=True, align="start"),
        label("doing", doing, box.right, y, fitting(doing, 14 if at.width > 500 else 12, room), align="end"),
    ]


# --- The wall -------------------------------------------------------------------------------------------------------


def cell_of(n: int, at: Layout) -> Box:
    """The cell of a card."""
    size = at.wall.w / SIZE
    return Box(at.wall.x + n % SIZE * size, at.wall.y + n // SIZE * size, size, size)


def wall(s: State, lang: str, at: Layout) -> list[Sprite]:
    """The sheet: cells, light and shadow, cards, and the outlines of the areas over all."""
    size = at.wall.w / SIZE
    off = at.sun * 0.26
    sun = Box(max(0, at.wall.x - off - at.sun / 2), at.wall.y - off - at.sun / 2, at.sun, at.sun)
    placed = [n for n in range(CARDS) if s.where[n] == SHEET]
    return [
        at.wall.inside(-at.frame).sprite("wall", "wall"),
        *cells(s, lang, at),
        at.wall.sprite("light", "light"),
        *shadow(s, lang, at),
        *outlines(s, at, full=False),
        *letters(s, at),
        sun.sprite("sun", "sun", alt=say("scene.sun", lang)),
        *(card(s, n, *cell_of(n, at).middle, size - 3.4, lang) for n in placed if n != s.pawn),
        *outlines(s, at, full=True),
        *(card(s, n, *cell_of(n, at).middle, size - 3.4, lang, glow=under_way(s)) for n in placed if n == s.pawn),
    ]


def cells(s: State, lang: str, at: Layout) -> list[Sprite]:
    """The empty cells, with number and value."""
    drawn = []
    for n in range(CARDS):
        if s.where[n] == SHEET:
            continue
        area = AREA_OF[s.area_map][n]
        value = int(AREA_VALUE[s.area_map][area])
        x, y = cell_of(n, at).middle
        size = at.wall.w / SIZE
        drawn.append(
            Sprite(
                f"cell-{n:02}",
                symbol=f"cell-{value}",
                x=x,
                y=y,
                width=size,
                height=size,
                colour=VALUE_COLOURS[(value - 1) % len(VALUE_COLOURS)],
                text=face.CODES[n],
                size=15 if size > 50 else 12,
                alt=say("scene.cell", lang, card=face.CODES[n], area=AREAS[area], value=value),
            )
        )
    return drawn


def shadow(s: State, lang: str, at: Layout) -> list[Sprite]:
    """The shadow of the card placed last, over the cells that may not be used."""
    dark = [n for n in range(CARDS) if forbidden(s, n)]
    if not under_way(s) or not dark:
        return []
    first, last = cell_of(min(dark), at), cell_of(max(dark), at)
    box = Box(first.x, first.y, last.x + last.w - first.x, last.y + last.h - first.y)
    return [box.sprite("shadow", "shade", alt=say("scene.shadow", lang, pawn=face.CODES[s.pawn]))]


def full_areas(s: State) -> set[int]:
    """The areas that are complete."""
    return {area for area in range(len(AREAS)) if area_is_full(s, area)}


def outlines(s: State, at: Layout, *, full: bool) -> list[Sprite]:
    """The borders between cells of different areas, in as few lines as possible; those of full areas are gilt."""
    gilt = full_areas(s)
    size = at.wall.w / SIZE
    thick = (5.0 if full else 4.0) if size > 50 else (4.0 if full else 3.0)
    drawn = []
    for upright in (False, True):
        for k in range(SIZE + 1):
            drawn_here = [i for i, areas in edges(s.area_map, upright, k) if areas.isdisjoint(gilt) != full]
            for _, group in groupby(enumerate(drawn_here), lambda pair: pair[1] - pair[0]):
                run = [i for _, i in group]
                along, across = run[0] * size, k * size
                long = len(run) * size + thick
                box = Box(at.wall.x + along - thick / 2, at.wall.y + across - thick / 2, long, thick)
                if upright:
                    box = Box(at.wall.x + across - thick / 2, at.wall.y + along - thick / 2, thick, long)
                symbol = ("gilt-upright" if upright else "gilt") if full else "border"
                kind = f"{'gilt' if full else 'line'}-{'v' if upright else 'h'}"
                drawn.append(box.sprite(f"{kind}-{k}-{run[0]}", symbol, colour="ink"))
    return drawn


@cache
def edges(area_map: int, upright: bool, k: int) -> list[tuple[int, frozenset[int]]]:
    """The edges before row (or column) k that part two areas or an area from the frame: each place, and the areas it bounds."""
    found = []
    for i in range(SIZE):
        pairs = ((i, k - 1), (i, k)) if upright else ((k - 1, i), (k, i))
        areas = [AREA_OF[area_map][SIZE * row + column] for row, column in pairs if 0 <= row < SIZE and 0 <= column < SIZE]
        if len(areas) == 1 or areas[0] != areas[1]:
            found.append((i, frozenset(areas)))
    return found


def letters(s: State, at: Layout) -> list[Sprite]:
    """The name of each area in its first empty cell."""
    drawn = []
    for area, letter in enumerate(AREAS):
        empty = [n for n in AREA_CELLS[s.area_map][area] if n >= 0 and s.where[n] != SHEET]
        if empty:
            box = cell_of(empty[0], at)
            size = 16 if box.w > 50 else 13
            badge = Box(box.x + 1.5, box.y + 1.5, size, size)
            drawn.append(badge.sprite(f"badge-{letter}", "area-tag"))
            drawn.append(
                label(f"letter-{letter}", letter, badge.middle[0] - 0.5, badge.middle[1] - 0.5, 11, bold=True, ink="alabaster")
            )
    return drawn


def pawn(s: State, lang: str, at: Layout) -> list[Sprite]:
    """The pawn on the card placed last."""
    if s.pawn < 0:
        return []
    box = cell_of(s.pawn, at)
    height = box.h * 0.74
    alt = say("scene.pawn", lang, card=face.CODES[s.pawn])
    return [
        Sprite(
            "pawn", symbol="pawn", x=box.x + box.w * 0.72, y=box.y + box.h * 0.58, width=height * 40 / 56, height=height, alt=alt
        )
    ]


# --- Deck, row, hand, button ----------------------------------------------------------------------------------------


def deck_and_row(s: State, lang: str, at: Layout) -> list[Sprite]:
    """The deck with its number of cards and its danger, and the open cards beside it."""
    drawn = [at.row.sprite("row", "tray", alt=say("scene.row", lang))]
    x, _ = at.deck.middle
    wide = at.width > 500
    size = min(at.deck.w, at.deck.h - 34 if wide else at.deck.h - 18)
    y = at.deck.y + (20 if wide else 0) + size / 2
    if wide:
        drawn.append(label("deck-label", say("scene.deck", lang), x, at.deck.y + 9, 14, bold=True))
    drawn.append(
        Sprite(
            "deck",
            symbol="deck" if s.deck else "deck-empty",
            x=x,
            y=y,
            width=size,
            height=size,
            text=str(s.deck),
            size=24 if wide else 18,
            bold=True,
            alt=say("board.deck", lang, count=s.deck),
        )
    )
    if under_way(s) and s.step == PLACE and s.deck:
        unseen = cards_of(s, UNSEEN)
        bad = sum(forbidden(s, n) for n in unseen)
        risk = say("scene.risk", lang, percent=round(100 * bad / len(unseen)))
        drawn.append(
            label("risk", risk, x, y + size / 2 + 9, 13 if wide else 11, bold=True, ink="carnelian" if bad else "malachite")
        )
    elif not wide:
        drawn.append(label("deck-label", say("scene.deck", lang), x, y + size / 2 + 9, 11))
    box = at.row.inside(6)
    if wide:
        drawn.append(label("row-label", say("scene.row", lang), box.x + 2, box.y + 8, 14, bold=True, align="start"))
        box = Box(box.x, box.y + 20, box.w, box.h - 20)
    cards = cards_of(s, ROW)
    if not cards and s.step != OVER:
        drawn.append(label("row-none", say("scene.row_empty", lang), *box.middle, 12, ink="ink"))
    places = spread([1] * len(cards), box, 78 if wide else 66).places
    return drawn + [
        card(s, n, *place, lang, dim=s.step == PLACE and forbidden(s, n)) for n, place in zip(cards, places, strict=True)
    ]


def rack(s: State, p: int, viewer: int, lang: str, at: Layout) -> list[Sprite]:
    """The hand that lies before the viewer, on its rack."""
    box = at.rack
    wide = at.width > 500
    rim = Box(box.x, box.y + box.h - at.ledge, box.w, at.ledge)
    known, hidden = known_and_hidden(s, p)
    own = say("scene.own_hand" if p == viewer else "scene.hand_of", lang, player=face.seat_name(p, lang))
    title = say("scene.label_count", lang, label=own, count=len(known) + hidden)
    drawn = [
        box.sprite("rack", "rack", alt=title),
        rim.sprite("rack-rim", "rim", colour=SEAT_COLOURS[p]),
        label(
            "rack-label", title, rim.middle[0], rim.middle[1] + 0.5, 13 if wide else 11, bold=True, ink=ink_on(SEAT_COLOURS[p])
        ),
    ]
    room = Box(box.x + 8, box.y + 4, box.w - 16, box.h - at.ledge - 6)
    if s.step == OVER:
        out = [0] * s.players
        ranks(s, out)
        best = say("scene.and", lang).join(face.seat_name(q, lang) for q in range(s.players) if out[q] == 1)
        x, y = room.middle
        drawn.append(Sprite("crown", symbol="crown", x=x, y=y - 16, width=40, height=30))
        drawn.append(label("winner", say("scene.winner", lang, players=best), x, y + 16, 20 if wide else 16, bold=True))
        return drawn
    return drawn + hand(s, p, room, 84, lang)


def hand(s: State, p: int, box: Box, biggest: float, lang: str) -> list[Sprite]:
    """A hand: first the cards that the viewer cannot see, then those that are known."""
    known, hidden = known_and_hidden(s, p)
    places = max((spread([back] * hidden + [1] * len(known), box, biggest) for back in (1, 0.5, 0.25, 0.1)), key=quality).places
    alt = say("scene.hidden", lang, player=face.seat_name(p, lang))
    backs = [
        Sprite(f"hidden-{p}-{k}", symbol="card-back", x=x, y=y, width=size, height=size, alt=alt)
        for k, (x, y, size) in enumerate(places[:hidden])
    ]
    shaded = s.step == PLACE and p == s.turn
    faces = [card(s, n, *place, lang, dim=shaded and forbidden(s, n)) for n, place in zip(known, places[hidden:], strict=True)]
    return backs + faces


def stop_button(s: State, viewer: int, lang: str, at: Layout) -> list[Sprite]:
    """The button that ends the turn, with what it earns; for others, what stopping would earn now."""
    x, y = at.stop.middle
    if not under_way(s) or s.step != PLACE:
        return []
    if viewer < 0 or STOP not in paths(s, viewer):
        earned = say("scene.would_earn", lang, player=face.seat_name(s.turn, lang), bonus=face.bonus(s, s.placed, lang))
        return [label("would-earn", earned, x, y, 14 if at.width > 500 else 12)]
    text = say("scene.stop", lang, bonus=face.bonus(s, s.placed, lang))
    alt = face.sentence(s, viewer, STOP, lang)
    return [
        Sprite("stop", symbol="stop-button", x=x, y=y, width=at.stop.w, height=at.stop.h, text=text, size=16, bold=True, alt=alt)
    ]


# --- Combo table, tracks, players -----------------------------------------------------------------------------------


def combo_table(s: State, lang: str, at: Layout) -> list[Sprite]:
    """What each number of placed cards earns; the present number stands out."""
    box = at.combo
    side = 30.0
    step = (box.w - side) / MOST_PLACEMENTS
    heights = [box.y + box.h * part for part in (0.16, 0.5, 0.82)]
    drawn = [
        Sprite(
            f"combo-{name}",
            symbol=f"icon-{name}",
            x=box.x + 13,
            y=y,
            width=20,
            height=20,
            colour="gold",
            alt=say(f"scene.{name}", lang),
        )
        for name, y in zip(("placed", "steps", "cards"), heights, strict=True)
    ]
    columns = [Box(box.x + side + k * step, box.y, step - 2, box.h) for k in range(MOST_PLACEMENTS)]
    for k, column in enumerate(columns):
        alt = say(
            "scene.combo_entry", lang, count=k + 1, steps=COMBO_STEPS[s.combo_table][k], cards=COMBO_CARDS[s.combo_table][k]
        )
        drawn.append(column.sprite(f"combo-{k + 1}", "column", alt=alt))
    if s.placed and s.step != OVER:
        drawn.append(columns[s.placed - 1].sprite("combo-now", "column-now"))
    for k, column in enumerate(columns):
        steps, cards = COMBO_STEPS[s.combo_table][k], COMBO_CARDS[s.combo_table][k]
        texts = (str(k + 1), f"+{steps}" if steps else "-", str(cards) if cards else "-")
        for line, (text, y) in enumerate(zip(texts, heights, strict=True)):
            name = f"combo-{k + 1}-{line}"
            drawn.append(
                label(name, text, column.middle[0], y, 13, bold=line == 0 or text != "-", ink="ink" if text != "-" else "sand")
            )
    return drawn


def tracks(s: State, lang: str, at: Layout) -> list[Sprite]:
    """The three tracks with everybody's marker."""
    drawn = []
    height = at.tracks.h / len(TRACKS)
    for track, name in enumerate(TRACKS):
        top = at.tracks.y + track * height
        head_y = top + 8
        title = say(f"board.{name}", lang)
        worth = [int(n) for n in POINTS[s.track_points][track]][: s.players]
        places = say("scene.comma", lang).join(
            say("scene.place_points", lang, place=say(f"scene.place.{k + 1}", lang), points=n) for k, n in enumerate(worth)
        )
        drawn.append(label(f"track-{name}", title, at.tracks.x + 2, head_y, 14, bold=True, align="start"))
        drawn.append(label(f"track-{name}-points", places, at.tracks.x + at.tracks.w - 2, head_y, 11, align="end"))
        strip = Box(at.tracks.x, top + 17, at.tracks.w, height - 21)
        drawn += track_cells(s, track, name, strip)
        drawn += markers(s, track, name, strip, lang)
    return drawn


def track_cells(s: State, track: int, name: str, strip: Box) -> list[Sprite]:
    """The printed cells of a track; markers hide the number."""
    count = TRACK_CELLS[track]
    occupied = {abs(int(s.track[track][p])) % count for p in range(s.players)}
    step = strip.w / count
    drawn = []
    for k in range(count):
        x, y = strip.x + (k + 0.5) * step, strip.y + strip.h / 2
        text = "" if k in occupied else str(-k if track == MISS else k)
        symbol = ("step" if k else "step-zero") + ("-broad" if step > 40 else "")
        colour = TRACK_COLOURS[track]
        drawn.append(
            Sprite(
                f"step-{name}-{k}", symbol=symbol, x=x, y=y, width=step - 1.5, height=strip.h, colour=colour, text=text, size=12
            )
        )
    return drawn


def markers(s: State, track: int, name: str, strip: Box, lang: str) -> list[Sprite]:
    """Everybody's marker on a track; a ring tells of a lap already run."""
    count = TRACK_CELLS[track]
    step = strip.w / count
    drawn = []
    for p in range(s.players):
        value = int(s.track[track][p])
        lap, cell = divmod(abs(value), count)
        here = [q for q in range(s.players) if abs(int(s.track[track][q])) % count == cell]
        x, y, size = stand(here.index(p), len(here), Box(strip.x + cell * step, strip.y, step, strip.h))
        what = say("scene.marker", lang, player=face.seat_name(p, lang), track=say(f"board.{name}", lang), value=value)
        if lap:
            ring = f"lap-{min(lap, 2)}"
            drawn.append(Sprite(f"lap-{name}-{p}", symbol=ring, x=x, y=y, width=size * 1.24, height=size * 1.24, alt=what))
        drawn.append(
            Sprite(
                f"marker-{name}-{p}", symbol=f"emblem-{p}", x=x, y=y, width=size, height=size, colour=SEAT_COLOURS[p], alt=what
            )
        )
    return drawn


def stand(number: int, of: int, cell: Box) -> tuple[float, float, float]:
    """Middle and size of one of several markers in a cell: side by side, or zigzag where the cell is narrow."""
    x, y = cell.middle
    size = 20.0
    if of == 1:
        return x, y, size
    if cell.w >= of * size * 0.7:
        return x + (number - (of - 1) / 2) * min(size + 1, (cell.w - size) / (of - 1)), y, size
    drop = min(size, (cell.h - size) / (of - 1))
    sway = 0 if drop > size * 0.75 else 5 * (1 if number % 2 else -1)
    return x + sway, y + (number - (of - 1) / 2) * drop, size if of < 4 else 18


def seats(s: State, near: int, lang: str, at: Layout) -> list[Sprite]:
    """A panel for each player: name, markers, points, and the hand as far as it is known."""
    drawn = []
    gap = 5
    height = (at.seats.h + gap) / s.players - gap
    order = [(near + 1 + k) % s.players for k in range(s.players)]
    panels = {p: Box(at.seats.x, at.seats.y + k * (height + gap), at.seats.w, height) for k, p in enumerate(order)}
    out = [0] * s.players
    ranks(s, out)
    for p in order:
        drawn.append(panels[p].sprite(f"panel-{p}", "panel"))
    if s.step != OVER:
        drawn.append(panels[s.turn].sprite("turn", "panel-active"))
    for p in order:
        box = panels[p]
        y = box.middle[1]
        name = face.seat_name(p, lang)
        numbers = say("scene.values", lang, combo=s.track[COMBO][p], area=s.track[AREA][p], miss=s.track[MISS][p])
        score = say("scene.points", lang, points=points(s, p))
        drawn += [
            Sprite(f"seat-{p}", symbol=f"emblem-{p}", x=box.x + 22, y=y, width=32, height=32, colour=SEAT_COLOURS[p], alt=name),
            label(f"name-{p}", name, box.x + 44, y - 10, 15, bold=True, align="start"),
            label(f"values-{p}", numbers, box.x + 44, y + 10, 11, align="start"),
            label(f"points-{p}", score, box.x + box.w - 8, y - 10, 15, bold=True, align="end"),
            Sprite(
                f"count-icon-{p}",
                symbol="icon-cards",
                x=box.x + box.w - 36,
                y=y + 10,
                width=17,
                height=17,
                alt=say("scene.hand_of", lang, player=name),
            ),
            label(f"count-{p}", str(hand_size(s, p)), box.x + box.w - 8, y + 10, 13, align="end"),
        ]
        if s.step == OVER and out[p] == 1:
            drawn.append(Sprite(f"crown-{p}", symbol="crown", x=box.x + box.w - 76, y=y - 11, width=24, height=18))
        elif p != near:
            room = Box(box.x + 190, box.y + 4, box.w - 190 - 62, box.h - 8)
            drawn += hand(s, p, room, 36, lang)
    return drawn


# --- Pictures for the guides ----------------------------------------------------------------------------------------


def posed(
    players: int,
    hand: Iterable[int],
    others: Sequence[int],
    *,
    wall: Iterable[int] = (),
    row: Iterable[int] = (),
    opened: tuple[int, Sequence[int]] = (0, ()),
    turn: int = 0,
    step: int = PLACE,
    placed: int = 0,
    pawn: int = -1,
    values: Sequence[Sequence[int]] = ((), (), ()),
) -> State:
    """A position as seat 0 sees it: the own hand, how many hidden cards the others hold, and what lies open."""
    s = State()
    s.players = players
    s.start_player = -1
    s.last_turn_bonus = 1
    s.step, s.turn, s.placed, s.pawn = step, turn, placed, pawn
    s.takes = 1 if step == TAKE else 0
    for place, cards in ((HAND, hand), (SHEET, wall), (ROW, row), (OPEN + opened[0], opened[1])):
        for n in cards:
            s.where[n] = place
    s.secret = [s.where.count(HAND), *others, *[0] * (4 - 1 - len(others))]
    s.deck = s.where.count(UNSEEN) - sum(others)
    s.track = [[*some, *[0] * (4 - len(some))] for some in values]
    return s


# Cards on the wall in the pictures of the middle of a game.
PAINTED = (1, 4, 9, 10, 13, 16, 19, 20, 23, 30, 32, 34, 36, 41, 47, 50, 52, 57, 61, 65, 68, 70, 76, 82, 85, 93, 96)


def cover() -> State:
    """A wall that is nearly finished."""
    left = {7, 9, 18, 28, 38, 39, 48, 58, 59, 67, 69, 78, 80, 83, 86, 89, 91, 95, 97, 98}
    values = ((5, 4, 6), (3, 3, 4), (-1, -2, -2))
    wall = set(range(CARDS)) - left
    return posed(3, (7, 28, 80), (2, 1), wall=wall, row=(78, 95), opened=(1, (91,)), placed=4, pawn=56, values=values)


def pose_setup() -> State:
    """The table before the first turn."""
    return posed(3, (25,), (1, 1))


def pose_shadow() -> State:
    """After 25 as the first card: 37 lies in its shadow."""
    return posed(3, (8, 37, 62), (2, 1), wall=(*PAINTED, 25), placed=1, pawn=25, values=((1, 0, 1), (), (0, -1, 0)), row=(55,))


def pose_miss() -> State:
    """The card drawn after 41 was 95: it lies in the row now, and the next player is on turn."""
    values = ((1, 0, 1), (), (-1, 0, 0))
    return posed(3, (8, 62), (2, 1), wall=(*PAINTED, 22, 44), row=(95,), turn=1, pawn=41, values=values)


def pose_ankh() -> State:
    """An ankh card was placed: a card is taken before the turn goes on."""
    values = ((1, 0, 1), (), (0, -1, -1))
    return posed(3, (8, 62), (2, 1), wall=(*PAINTED, 22), row=(74, 95), step=TAKE, placed=1, pawn=22, values=values)


def pose_combo() -> State:
    """Four cards are placed: stopping now earns a step and a card."""
    wall = (*PAINTED, 45, 64, 69, 95)
    return posed(3, (6, 88), (2, 1), wall=wall, row=(74,), placed=4, pawn=45, values=((1, 0, 1), (), (0, -1, -1)))


def pose_area() -> State:
    """64 has just completed area H."""
    wall = (*PAINTED, 53, 54, 55, 56, 63, 64, 66, 73, 74, 75)
    return posed(3, (31, 6), (2, 2), wall=wall, placed=3, pawn=64, row=(99,), values=((1, 2, 1), (3, 0, 0), (0, -1, -1)))


def pose_end() -> State:
    """All cards lie on the wall, and the places on the tracks are counted."""
    values = ((10, 9, 9, 8), (6, 9, 4, 5), (-2, -1, 0, -1))
    return posed(4, (), (0, 0, 0), wall=range(CARDS), step=OVER, turn=2, pawn=64, values=values)


PICTURES: dict[str, Callable[[], State]] = {
    "cover": cover,
    "setup": pose_setup,
    "shadow": pose_shadow,
    "miss": pose_miss,
    "ankh": pose_ankh,
    "combo": pose_combo,
    "area": pose_area,
    "end": pose_end,
}
