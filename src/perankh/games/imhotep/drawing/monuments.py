"""The four monuments: pyramid, temple, burial chamber and obelisk."""

from __future__ import annotations

from collections.abc import Iterator

from perankh.scene import Sprite, group
from perankh.scene.layout import Box, badge, fitting, label

from ..rules import actions, building, components, scoring
from ..rules.components import BURIAL_PLACES, BURIAL_ROOM, CELLS_A, OBELISK_STONES, PYRAMID_CELLS, ROWS, SET_VALUES, Site
from ..rules.state import Side, State, Step, placed
from ..text.names import WORDS, points_text, pyramid_name, seat_name
from ..text.sentences import sentence
from .layout import SEAT_COLOURS, STONE, Plan
from .pieces import block, stacked, stone

LEVEL = 14.0  # how far a level of the pyramid is raised above the one before

# --- Pyramid --------------------------------------------------------------------------------------------------------


@group
def pyramid(s: State, choices: tuple[int, ...], lang: str, plan: Plan) -> Iterator[Sprite]:
    """The pyramid of side A level by level, or the three of side B; stones beside, and the stone that waits for a choice."""
    body = plan.body(Site.PYRAMID)
    if s.pyramid_side == Side.B:
        yield from small_pyramids(s, choices, lang, body)
    else:
        yield from great_pyramid(s, lang, body)
    box = Box(body.right - 84, body.y, 84, body.h)
    yield box.sprite("beside", "pile-frame", WORDS.say("scene.beside_alt", lang))
    text = WORDS.say("scene.beside", lang, n=components.BESIDE_POINTS[s.pyramid_side])
    yield label("beside-text", text, box.mid_x, box.y + 11, fitting(text, 12, 80))
    if s.step == Step.PYRAMID:
        built = sum(1 for taken in s.pyramid if taken)
        yield stone(f"pending-{built}", s.chooser, box.mid_x, box.mid_y + 4, 44, lang, 1 + built)
        return
    for p in range(s.players):
        x, y = box.x + 22 + p % 2 * 42, box.y + 42 + p // 2 * 38
        for k in range(s.beside[p]):
            yield stone(f"beside-{p}-{k}", p, x, y, 28, lang, 1 + components.BUILDING_CELLS + k)
        if s.beside[p]:
            yield badge(f"beside-n-{p}", s.beside[p], x + 13, y + 11)


def great_pyramid(s: State, lang: str, body: Box) -> Iterator[Sprite]:
    """Three levels, each raised above the one before."""
    side = (body.h - 8) / 3
    full = placed(s.pyramid, CELLS_A)
    left = body.x + 4
    for level, n in enumerate((3, 2, 1)):
        bottom = body.bottom - 4 - level * LEVEL
        frame = Box(left - 4, bottom - n * side - 4, n * side + 8, n * side + 8)
        yield frame.sprite(f"level-{level}", "step-frame")
        if level:  # what it stands on
            below = Box(frame.x, frame.bottom - 1, frame.w, level * LEVEL)
            yield below.sprite(f"plinth-{level}", "plinth")
            text = WORDS.say(f"scene.level.{level}", lang)
            yield label(f"level-name-{level}", text, below.mid_x, below.mid_y, 11)
        first = (0, 9, 13)[level]
        for k in range(first, first + n * n):
            col, row = divmod(k - first, n)
            x, y = left + (col + 0.5) * side, bottom - (n - row - 0.5) * side
            yield cell(f"cell-p-{k}", x, y, side, k == full, str(components.PYRAMID_A[k]), s.pyramid[k])
        left += n * side + 22
    left = body.x + 4
    for level, n in enumerate((3, 2, 1)):
        bottom, first = body.bottom - 4 - level * LEVEL, (0, 9, 13)[level]
        for row in range(n):
            for col in range(n):
                k = first + col * n + row
                if s.pyramid[k]:
                    x, y = left + (col + 0.5) * side, bottom - (n - row - 0.5) * side
                    yield stone(f"pyramid-{k}", s.pyramid[k] - 1, x, y, side - 2, lang, 1 + k)
        left += n * side + 22


def cell(name: str, x: float, y: float, side: float, is_next: bool, text: str, taken: int) -> Sprite:
    """A cell with what it gives."""
    shown = "" if taken else text
    symbol = "cell-next" if is_next else "cell"
    return Sprite(name, symbol, x, y, side, side, text=shown, size=16, bold=is_next)


def small_pyramids(s: State, choices: tuple[int, ...], lang: str, body: Box) -> Iterator[Sprite]:
    """Three pyramids of four cells and a top."""
    side = (body.h - 6) / 3
    step = (body.w - 92) / components.PYRAMIDS
    for number in range(components.PYRAMIDS):
        middle = body.x + (number + 0.5) * step
        alt = WORDS.say("scene.small", lang, pyramid=pyramid_name(number, lang))
        if actions.BUILD + number in choices:
            alt = sentence(s, s.chooser, actions.BUILD + number, lang)
        frame = Box(middle - step / 2 + 1, body.y - 3, step - 2, body.h + 6)
        yield frame.sprite(f"build-{number}", "small-pyramid", alt)
        full = building.storeys(s, number)
        places = []
        for k in range(PYRAMID_CELLS):
            col, row = divmod(k, 2)
            x, y = middle + (col - 0.5) * side, body.bottom - (1.5 - row) * side
            if k == PYRAMID_CELLS - 1:
                x, y = middle, body.bottom - 2.5 * side
            places.append((x, y))
            taken = s.pyramid[PYRAMID_CELLS * number + k]
            bonus = components.BONUS_NAMES[components.BONUS[number][k]]
            text = str(components.PYRAMID_B[number][k])
            if not bonus or taken:
                yield cell(f"cell-p-{number}-{k}", x, y, side, k == full, text, taken)
                continue
            alt = WORDS.say(f"bonus.{bonus}", lang)
            yield Sprite(f"cell-p-{number}-{k}", "cell-next" if k == full else "cell", x, y, side, side, alt=alt)
            yield label(f"points-p-{number}-{k}", text, x - side * 0.26, y - side * 0.14, 14, bold=k == full)
            big = side * 0.6
            yield Sprite(f"bonus-{number}-{k}", f"bonus-{bonus}", x + side * 0.14, y + side * 0.08, big, big, alt=alt)
        for k in (0, 2, 1, 3, 4):
            if k < full:
                at = PYRAMID_CELLS * number + k
                yield stone(f"pyramid-{at}", s.pyramid[at] - 1, *places[k], side - 2, lang, 1 + k)


# --- Temple ---------------------------------------------------------------------------------------------------------


@group
def temple(s: State, lang: str, plan: Plan) -> Iterator[Sprite]:
    """Piles on the cells, with what the stone on top gives."""
    body = plan.body(Site.TEMPLE)
    cells, stones = building.width(s), placed(s.temple, components.BY_SHIP)
    step = body.w / cells
    wide = 44.0 if plan.wide else 38.0
    room = body.h - 24
    height = -(-stones // cells)
    rise = stacked(wide, room, height)
    for c in range(cells):
        x = body.x + (c + 0.5) * step
        base = Box(x - wide / 2 - 4, body.bottom - 24 - wide * 0.96, wide + 8, wide * 0.96 + 2)
        now = s.cell == c + 1 and s.step == Step.TEMPLE
        on_top = building.visible(s, c)
        who = seat_name(on_top - 1, lang) if on_top else WORDS.say("board.none", lang)
        alt = WORDS.say("scene.temple", lang, cell=c + 1, n=(stones - c + cells - 1) // cells, who=who)
        yield base.sprite(f"cell-t-{c}", "cell-next" if now or c == stones % cells else "cell", alt)
        for level, k in enumerate(range(c, stones, cells)):
            y = base.bottom - wide * STONE / 2 - 2 - level * rise
            p = s.temple[k] - 1
            built = block(f"temple-{k}", p, x, y, wide, 1 + k, WORDS.say("scene.stone", lang, who=seat_name(p, lang)))
            built.glow = now and k + cells >= stones
            yield built
        yield from reward(s, c, x, body.bottom - 10, lang)


def reward(s: State, c: int, x: float, y: float, lang: str) -> Iterator[Sprite]:
    """What a temple cell gives."""
    points, stones = components.TEMPLE_POINTS[s.temple_side][c], components.TEMPLE_STONES[s.temple_side][c]
    if components.TEMPLE_CARD[s.temple_side][c]:
        yield Sprite(f"reward-{c}", "bonus-card", x, y, 22, 22, alt=WORDS.say("bonus.card", lang))
    elif stones:
        alt = WORDS.say("scene.reward_alt", lang, points=points_text(points, lang), n=stones)
        yield label(f"reward-{c}", f"{points} / {stones}", x - 9, y, 14, bold=True, alt=alt)
        yield Sprite(f"reward-icon-{c}", "bonus-stones", x + 18, y, 18, 18)
    else:
        yield label(f"reward-{c}", points_text(points, lang), x, y, 13, bold=True)


# --- Burial chamber -------------------------------------------------------------------------------------------------


@group
def burial(s: State, lang: str, plan: Plan) -> Iterator[Sprite]:
    """The three rows, and what they are worth."""
    body = plan.body(Site.BURIAL)
    stones = placed(s.burial, BURIAL_ROOM)
    number = max(components.PRINTED_COLUMNS, (min(stones, BURIAL_ROOM - 1) // ROWS) + 1)
    room = body.w - 100
    side = min((body.h - 2) / ROWS, room / number)
    cells = [
        (body.x + (k // ROWS + 0.5) * side, body.y + 1 + (k % ROWS + 0.5) * side, k)
        for k in range(min(number * ROWS, BURIAL_ROOM))
    ]
    for x, y, k in cells:
        yield Sprite(f"cell-b-{k}", "cell-next" if k == stones else "cell", x, y, side, side)
    for row in range(ROWS):
        for x, y, k in cells:
            if k % ROWS == row and k < stones:
                yield stone(f"burial-{k}", s.burial[k] - 1, x, y, side - 2, lang, 1 + k)
    left = body.right - 92
    if s.burial_side == Side.B:
        places = BURIAL_PLACES[s.players - 2][: s.players]
        yield from places_table(places, "scene.per_row", Box(left, body.y, 92, body.h), "b", lang)
        return
    text = WORDS.say("scene.groups", lang)
    yield label("groups", text, left + 46, body.y + 7, fitting(text, 12, 92))
    line = (body.h - 16) / 3
    for n in range(1, len(SET_VALUES) + 1):
        row, col = (n - 1) % 3, (n - 1) // 3
        last = n == len(SET_VALUES)
        text = f"6+: +{components.EACH_FURTHER}" if last else f"{n}: {SET_VALUES[n]}"
        x, y = left + 22 + col * 48, body.y + 18 + (row + 0.5) * line
        alt = WORDS.say(
            "scene.group_more" if last else "scene.group", lang, n=n, points=components.EACH_FURTHER if last else SET_VALUES[n]
        )
        yield Sprite(f"group-{n}", "bubble", x, y, 46, 22, text=text, size=12.5, bold=not last, alt=alt)


def places_table(points: tuple[int, ...], key: str, box: Box, name: str, lang: str) -> Iterator[Sprite]:
    """The points of the places."""
    text = WORDS.say(key, lang)
    yield label(f"places-{name}", text, box.mid_x, box.y + 7, fitting(text, 12, box.w))
    line = min(24.0, (box.h - 16) / len(points))
    for place, n in enumerate(points):
        text = WORDS.say(f"scene.place.{place + 1}", lang, points=n)
        y = box.y + 18 + (place + 0.5) * line
        yield Sprite(f"place-{name}-{place}", "bubble", box.mid_x, y, box.w - 6, min(22.0, line - 1), text=text, size=12.5)


# --- Obelisk --------------------------------------------------------------------------------------------------------


@group
def obelisk(s: State, lang: str, plan: Plan) -> Iterator[Sprite]:
    """A pile for each player; on side B three stones become an obelisk on the next slot."""
    body = plan.body(Site.OBELISK)
    if s.obelisk_side == Side.B:
        yield from slots(s, lang, body)
        return
    room = body.w - 92
    step = min(80.0, room / s.players)
    wide = 40.0 if plan.wide else 38.0
    rise = stacked(wide, body.h - 6, max(s.obelisk))
    for p in range(s.players):
        x = body.x + room / 2 + (p - (s.players - 1) / 2) * step
        frame = Box(x - wide / 2 - 5, body.bottom - wide * 1.04, wide + 10, wide * 1.04)
        alt = WORDS.say("scene.pile", lang, who=seat_name(p, lang), n=s.obelisk[p])
        yield frame.sprite(f"pile-{p}", "step-frame", alt)
        yield Sprite(f"pile-seat-{p}", f"emblem-{p}", x, frame.mid_y, wide * 0.7, wide * 0.7, colour=SEAT_COLOURS[p], dim=True)
        for k in range(s.obelisk[p]):
            y = body.bottom - wide * STONE / 2 - 2 - k * rise
            yield block(f"obelisk-{p}-{k}", p, x, y, wide, 1 + k, alt)
        if s.obelisk[p]:
            yield badge(f"pile-n-{p}", s.obelisk[p], x + wide / 2 + 6, frame.bottom - 12, 20)
    places = components.OBELISK_PLACES[s.players - 2][: s.players]
    yield from places_table(places, "scene.height", Box(body.right - 88, body.y, 88, body.h), "o", lang)


def slots(s: State, lang: str, body: Box) -> Iterator[Sprite]:
    """Loose stones on the left, the slots of erected obelisks on the right."""
    wide, loose = 30.0, 94.0
    step = (body.h - 20) / 2
    text = WORDS.say("scene.loose", lang, points=components.LOOSE_POINTS)
    yield label("loose", text, body.x + 47, body.y + 7, fitting(text, 12, 94))
    for p in range(s.players):
        x, y = body.x + 22 + p % 2 * 50, body.y + 18 + (p // 2 + 0.5) * step
        n = s.obelisk[p] % OBELISK_STONES
        alt = WORDS.say("scene.loose_alt", lang, who=seat_name(p, lang), n=n)
        yield Box(x - 21, y - step / 2 + 1, 46, step - 2).sprite(f"pile-{p}", "step-frame", alt)
        yield Sprite(f"pile-seat-{p}", f"emblem-{p}", x + 2, y, 26, 26, colour=SEAT_COLOURS[p], dim=True)
        for k in range(n):
            yield block(f"obelisk-{p}-{k}", p, x - 4 + 12 * k, y + 2 - 4 * k, wide - 2, 1 + k, alt)
    built = placed(s.erected, components.OBELISKS)
    number = max(len(components.SLOT_POINTS), min(built + 1, components.OBELISKS))
    step = (body.w - loose - 8) / number
    high = body.h - 18
    for slot in range(number):
        x = body.x + loose + 8 + (slot + 0.5) * step
        tall = min(high, step * 88 / 30)
        y = body.bottom - 17 - tall / 2
        points = points_text(scoring.slot_points(slot), lang)
        if slot < built:
            p = s.erected[slot] - 1
            alt = WORDS.say("scene.erected", lang, who=seat_name(p, lang), slot=slot + 1, points=points)
            for k in range(OBELISK_STONES):  # the obelisk stands over the stones it was made of
                yield block(f"erected-{slot}-{k}", p, x, y + tall * (0.36 - 0.14 * k), tall * 0.16, 1 + k)
            yield Sprite(f"erected-{slot}", f"obelisk-{p}", x, y, tall * 30 / 88, tall, colour=SEAT_COLOURS[p], alt=alt)
        else:
            alt = WORDS.say("scene.slot", lang, slot=slot + 1, points=points)
            yield Sprite(f"slot-{slot}", "obelisk-slot", x, y, tall * 30 / 88, tall, alt=alt)
        yield label(f"slot-text-{slot}", str(scoring.slot_points(slot)), x, body.bottom - 8, 14, bold=slot == built)
