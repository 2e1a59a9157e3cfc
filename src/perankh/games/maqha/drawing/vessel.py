"""The vessel of Maqha and its tokens, drawn: the glass from its last reading (MAQ-G15), or the tray."""

from __future__ import annotations

from dataclasses import dataclass

from perankh.scene import Sprite, group
from perankh.scene.layout import Box, wrapped

from ..rules.actions import ALL, BID, CELL, DROP, SINGLE
from ..rules.components import CELLS, DOME_HEIGHT, HEIGHT, KINDS, PLACES, TOKENS, VOLUME, Kind, Liquid
from ..rules.glass import is_used, liquid_of
from ..rules.state import Ending, RuleSet, State, Step, Vessel
from ..text.board import vessel_name
from ..text.names import WORDS, capacity_text, millimetres, reading_shown, tokens_name
from ..text.outlooks import room_text, zones
from ..text.sentences import sentence
from .layout import LIQUID_COLOURS, Plan, open_actions

HIGHEST = 5  # millimetres on the scale
ZONE_COLOURS = ("malachite", "gold", "carnelian")  # of a dome that one more coin hardly, perhaps, or likely makes spill

# --- The vessel -----------------------------------------------------------------------------------------------


@group
def vessel(s: State, viewer: int, lang: str, plan: Plan) -> list[Sprite]:
    """What takes the tokens."""
    stage = plan.vessel.sprite("stage", "stage", "" if s.real_vessel else vessel_alt(s, lang))
    frieze = plan.vessel.w * 0.62
    found = [stage, Sprite("frieze", "frieze", plan.vessel.mid_x, plan.vessel.y + frieze / 30 + 5, frieze, frieze / 15)]
    if s.vessel == Vessel.TRAY:
        found += tray(s, viewer, lang, plan)
    elif s.real_vessel:
        glass = glass_box(plan)
        found.append(glass.sprite("vessel", "own-glass", vessel_alt(s, lang)))
    else:
        found += glass_sprites(s, lang, plan)
    return found + facts(s, viewer, lang, plan)


def vessel_alt(s: State, lang: str) -> str:
    """The vessel, and the tokens in it."""
    inside = WORDS.say("board.inside", lang, tokens=tokens_name(s.inside, lang))
    alt = f"{vessel_name(s, lang)}: {inside}"
    return f"{alt} ({WORDS.say('do.accident_nobody', lang)})" if s.real_vessel and s.step != Step.OVER else alt


def glass_box(plan: Plan) -> Box:
    """Where the glass stands: on the table line of the stage."""
    w = plan.glass
    h = w * 300 / 280
    x = plan.vessel.mid_x + (plan.vessel.w * 0.055 if plan.wide else 12)
    bottom = plan.vessel.y + plan.vessel.h * (0.84 if plan.wide else 0.82)
    return Box(x - w / 2, bottom - h, w, h)


@dataclass(frozen=True)
class Inside:
    """The room in the glass, and how high a millimetre above its rim is drawn."""

    left: float
    right: float
    rim: float
    bottom: float
    unit: float


def inside_of(plan: Plan) -> Inside:
    """The inside of the glass as its symbol has it."""
    glass = glass_box(plan)
    k = glass.w / 280
    return Inside(glass.x + 20 * k, glass.x + 260 * k, glass.y + 9 * k, glass.y + 262 * k, glass.w * 0.064)


def spilt(s: State) -> bool:
    """Has the vessel spilled?"""
    return bool(s.over) and s.over != Ending.NO_SPILL


def glass_sprites(s: State, lang: str, plan: Plan) -> list[Sprite]:
    """The glass with its liquid up to the last reading, the tokens under it, and the scale beside it."""
    glass, room = glass_box(plan), inside_of(plan)
    colour = LIQUID_COLOURS[liquid_of(s)]
    reading = reading_shown(s) / 1000
    wide = room.right - room.left
    top = room.rim + max(0.0, -reading) * room.unit
    found = []
    if spilt(s):
        long, high = min(glass.w * 1.55, plan.vessel.w - 12), glass.h * 0.19
        alt = WORDS.say("scene.overflows", lang)
        found.append(
            Sprite(
                "puddle",
                "puddle",
                plan.vessel.mid_x,
                glass.y + glass.h - high * 0.1,
                long,
                high,
                colour=colour,
                alt=alt,
                stir="spread",
            )
        )
    found.append(glass.sprite("glass-back", "glass-back"))
    middle = (room.left + room.right) / 2
    found.append(Sprite("liquid", "liquid", middle, (top + room.bottom) / 2, wide, room.bottom - top, colour=colour))
    found += sunk(s, lang, plan)
    if spilt(s):
        wider = glass.w * 1.16
        high = wider * 130 / 320
        y = room.rim - high * 0.47
        alt = WORDS.say("scene.overflows", lang)
        found.append(Sprite("splash", "splash", glass.mid_x, y, wider, high, colour=colour, alt=alt, stir="spring"))
    if reading > 0:
        high = reading * room.unit
        symbol = f"dome-{'water' if liquid_of(s) == Liquid.WATER else 'whisky'}-{angle_drawn(s)}"
        found.append(Sprite("dome", symbol, middle, room.rim - high / 2, wide, high, colour=colour, stir="tremble"))
    else:
        found.append(Sprite("dome", "surface", middle, top, wide, wide / 30, colour=colour, stir="tremble"))
    if s.wave and not spilt(s):
        high = max(8.0, s.wave * 2 / 3 / 1000 * room.unit * 4)
        y = room.rim - max(0.0, reading) * room.unit - high * 0.3
        alt = WORDS.say("scene.waves", lang)
        found.append(Sprite("waves", "waves", middle, y, wide * 0.8, high, colour=colour, alt=alt, stir="ripple"))
    found.append(glass.sprite("glass", "glass-front"))
    if s.rim_line and s.sign:
        alt = WORDS.say(f"sign.{s.sign}", lang)
        found.append(
            Sprite(
                "rim",
                f"rim-{s.sign}",
                glass.mid_x,
                room.rim - 2,
                glass.w * 1.04,
                glass.w * 1.04 * 16 / 280,
                colour=colour,
                alt=alt,
            )
        )
    if spilt(s):
        for k, x in enumerate((glass.x + glass.w * 0.02, glass.x + glass.w * 0.98)):
            stream = Sprite(f"stream-{k}", "stream", x, glass.mid_y + 6, glass.w * 0.05, glass.h - 10, colour=colour, stir="run")
            found.append(stream)
    return found + gauge(s, lang, plan) + ledger(s, lang, plan)


def angle_drawn(s: State) -> int:
    """The drawn profile that is nearest to the angle at the rim of the last reading: 30, 60 or 90 degrees."""
    reading = reading_shown(s)
    angle = 10 * sum(1 for h in DOME_HEIGHT[liquid_of(s)] if h <= reading)
    return 30 if angle < 45 else 60 if angle < 75 else 90


def sunk(s: State, lang: str, plan: Plan) -> list[Sprite]:
    """The tokens at the bottom of the glass, a heap for each kind in which none moves when another comes."""
    room = inside_of(plan)
    heaps = 1 if s.rules == RuleSet.CLASSIC else len(KINDS)
    wide = (room.right - room.left) / heaps
    size = wide / (8 if heaps == 1 else 2.8)
    found = []
    for kind in range(heaps):
        row, column = 0, 0
        for k in range(s.inside[kind]):
            long = max(1, 4 - row) if heaps == 1 else 3 - row % 2
            x = room.left + (kind + 0.5) * wide + (column - (long - 1) / 2) * size * 0.8
            y = room.bottom - size * (0.55 + 0.8 * row)
            found.append(token_sprite(kind, k, x, y, size, lang, (k * 47 + kind * 71) % 50 - 25))
            found[-1].stir = "sink"
            column += 1
            if column == long:
                row, column = row + 1, 0
    return found


def gauge(s: State, lang: str, plan: Plan) -> list[Sprite]:
    """The scale in millimetres, the last reading with its error, and the one before."""
    glass, room = glass_box(plan), inside_of(plan)
    x = glass.x - (26 if plan.wide else 17)
    reading, error = reading_shown(s) / 1000, s.reading_error / 1000
    high = 2 * error * room.unit
    right = glass.x + glass.w + (8 if plan.wide else 2)
    found = []
    alt = WORDS.say("board.reading", lang, reading=millimetres(reading_shown(s)), error=millimetres(s.reading_error))
    y = room.rim - reading * room.unit
    if high >= 1:
        found.append(Sprite("band", "band", (x + right) / 2, y, right - x, high))
    limits = (0.0, *(height / 1000 for height in zones(liquid_of(s))), float(HIGHEST))
    for zone, colour in enumerate(ZONE_COLOURS):
        tall = limits[zone + 1] - limits[zone]
        middle = room.rim - (limits[zone] + tall / 2) * room.unit
        found.append(Sprite(f"zone-{zone}", "zone", x, middle, 9, tall * room.unit, colour=colour))
    found.append(Sprite("scale", "scale", x, room.rim - 2 * room.unit, 10, 6 * room.unit))
    step = 1 if plan.wide else 2
    for mm in range(HIGHEST + 1):
        at = room.rim - mm * room.unit
        found.append(Sprite(f"tick-{mm}", "tick", x, at, 14 if mm else 20, 2.6))
        if mm % step == 0:
            text = str(mm) if mm else WORDS.say("board.rim", lang)
            found.append(
                Sprite(f"mm-{mm}", x=x - (12 if plan.wide else 11), y=at, text=text, size=12 if plan.wide else 11, align="end")
            )
    if s.readings > 1:
        at = room.rim - max(s.reading[: s.readings - 1]) / 1000 * room.unit
        found.append(Sprite("before", "before", x + 10, at, 16, 4, alt=WORDS.say("scene.before", lang)))
    size = 22.0 if plan.wide else 15.0
    found.append(Sprite("level", "needle", x + size * 0.35, y, size, size * 2 / 3, alt=alt))
    return found


def ledger(s: State, lang: str, plan: Plan) -> list[Sprite]:
    """All readings of a classic game with the coins that were in, beside the glass where there is room."""
    if not (plan.wide and s.rules == RuleSet.CLASSIC):
        return []
    top = max(box.y + box.h for box in plan.seats) + 10
    found = [Box(746, top, 244, 600 - top).sprite("ledger", "mat")]
    found.append(Sprite("ledger-head", x=868, y=top + 16, text=WORDS.say("scene.readings", lang), size=14, bold=True))
    rows = int((600 - top - 34) // 17)
    first = max(0, s.readings - rows)
    for k in range(first, s.readings):
        coins = s.reading_at[k] // VOLUME[Kind.COIN]
        text = WORDS.say("scene.reading", lang, coins=coins, reading=millimetres(s.reading[k]))
        y = top + 38 + (k - first) * 17
        found.append(Sprite(f"ledger-{k}", x=868, y=y, text=text, size=13, bold=k == s.readings - 1))
    return found


def facts(s: State, viewer: int, lang: str, plan: Plan) -> list[Sprite]:
    """What can be read off the vessel, under it."""
    box = plan.vessel
    lines = []
    if is_used(s):
        reading = WORDS.say("board.reading", lang, reading=millimetres(reading_shown(s)), error=millimetres(s.reading_error))
        sign = WORDS.say(f"sign.{s.sign}", lang) if s.rim_line else ""
        holds = capacity_text(s, s.vcrit, lang) if s.step == Step.OVER else room_text(s, max(viewer, 0), lang)
        lines = [holds, *([sign] if sign else []), reading] if plan.wide else [holds, sign or reading]
    elif s.real_vessel:
        lines = [WORDS.say("scene.own", lang)]
    elif spilt(s):
        lines = [WORDS.say("scene.falls", lang)]
    room = box.w - 16
    size, rows = (14.0 if plan.wide else 11.0), []
    for line in lines:
        rows += wrapped(line, size, room, lang)
    top = box.y + box.h - (7 if plan.wide else 3) - len(rows) * size * 1.25
    return [
        Sprite(f"fact-{k}", x=box.mid_x, y=top + (k + 0.5) * size * 1.25, text=row, size=size, bold=k == 0 and plan.wide)
        for k, row in enumerate(rows)
    ]


# --- The tray -------------------------------------------------------------------------------------------------


def tray(s: State, viewer: int, lang: str, plan: Plan) -> list[Sprite]:
    """The tray from above with a pile on each cell: its topmost token, and its height in millimetres."""
    box = plan.vessel
    side = min(box.w - 12, box.h - 60)
    x, y = box.mid_x - side / 2, box.y + box.h - side - (34 if plan.wide else 18)
    if s.real_vessel:
        return [Sprite("vessel", "tray", box.mid_x, y + side / 2, side, side, alt=vessel_alt(s, lang))]
    found = [Sprite("tray", "tray", box.mid_x, y + side / 2, side, side)]
    open_cells = [a - CELL for a in open_actions(s, viewer) if CELL <= a < CELL + CELLS]
    step = side * 0.2375
    for cell, (row, column) in enumerate(PLACES):
        at_x, at_y = x + side / 2 + (column - 1.5) * step, y + side / 2 + (row - 1.5) * step
        size = step * 0.96
        if cell in open_cells:
            alt = sentence(s, viewer, CELL + cell, lang)
        else:
            alt = WORDS.say("scene.cell", lang, cell=cell, height=f"{s.height[cell] / 2:g}")
        found.append(Sprite(f"cell-{cell}", "cell-open" if cell in open_cells else "cell", at_x, at_y, size, size, alt=alt))
        found += pile(s, cell, at_x, at_y, size)
    if spilt(s):
        big = side * 0.2
        found.append(Sprite("burst", "burst", x + side * 0.88, y + side * 0.12, big, big, alt=WORDS.say("scene.falls", lang)))
        name = KINDS[fallen_kind(s)]
        found.append(
            Sprite("fallen", f"token-{name}", x + side * 0.88, y + side * 0.12, big * 0.5, big * 0.5, turn=35, stir="sink")
        )
    return found


def fallen_kind(s: State) -> int:
    """The kind of the token that fell: its height is what the piles lack."""
    missing = sum(n * height for n, height in zip(s.inside, HEIGHT, strict=True)) - sum(s.height)
    return list(HEIGHT).index(missing)


def pile(s: State, cell: int, x: float, y: float, size: float) -> list[Sprite]:
    """The pile on a cell: the higher, the more discs lie under the topmost token."""
    if not s.top[cell]:
        return []
    discs = min(7, (s.height[cell] + 1) // 2)
    disc = size * 0.56
    lift = size * 0.045
    y += size * 0.12
    found = [Sprite(f"disc-{cell}-{k}", "layer", x - size * 0.1, y - k * lift, disc, disc) for k in range(discs)]
    top = y - (discs - 1) * lift
    found.append(Sprite(f"pile-{cell}", f"token-{KINDS[s.top[cell] - 1]}", x - size * 0.1, top, disc * 0.92, disc * 0.92))
    high = 14.0 if size > 60 else 11.0
    found.append(
        Sprite(
            f"high-{cell}",
            x=x + size * 0.4,
            y=y + size * 0.2,
            text=f"{s.height[cell] / 2:g}",
            size=high,
            bold=True,
            align="end",
        )
    )
    return found


# --- Tokens beside the vessel ---------------------------------------------------------------------------------


def token_sprite(kind: int, k: int, x: float, y: float, size: float, lang: str, turn: float = 0, alt: str = "") -> Sprite:
    """One token."""
    name = KINDS[kind]
    return Sprite(f"{name}-{k}", f"token-{name}", x, y, size, size, turn=turn, alt=alt or WORDS.say(f"kind.{name}", lang))


@group
def supply(s: State, viewer: int, lang: str, plan: Plan) -> list[Sprite]:
    """The tokens that are left, and those of the throw under way, over the vessel."""
    box = plan.supply
    left = tokens_name(s.supply, lang)
    found = [box.sprite("supply", "mat", WORDS.say("board.supply", lang, tokens=left))]
    found += coins(s, viewer, lang, plan) if s.rules == RuleSet.CLASSIC else tokens_left(s, lang, plan)
    return found + in_hand(s, viewer, lang, plan)


def tokens_left(s: State, lang: str, plan: Plan) -> list[Sprite]:
    """The tokens of the advanced rules, a row or a group for each kind."""
    box = plan.supply
    found = []
    for kind in range(len(KINDS)):
        gone = TOKENS[kind] - s.supply[kind]
        if plan.wide:
            x, y, size, step = box.x + 54, box.y + 30 + kind * 53, 32.0, 30.2
        else:
            x, y, size, step = box.x + 28 + kind * 128, box.mid_y, 24.0, 8.4
        text = str(s.supply[kind])
        found.append(
            Sprite(f"left-{kind}", x=x - (26 if plan.wide else 16), y=y, text=text, size=20 if plan.wide else 15, bold=True)
        )
        found += [
            token_sprite(kind, k, x + 10 + (k - (0 if plan.wide else gone)) * step, y, size, lang)
            for k in range(gone, TOKENS[kind])
        ]
    return found


def coins(s: State, viewer: int, lang: str, plan: Plan) -> list[Sprite]:
    """The coins of the classic rules; on one's turn a coin says how many go in if it is clicked."""
    box = plan.supply
    gone = TOKENS[0] - s.supply[0]
    can = [a - DROP + 1 for a in open_actions(s, viewer) if a < BID]
    per_row, size, step = (10, 58.0, 69.0) if plan.wide else (5, 50.0, 74.0)
    text = WORDS.say("scene.click" if can else "scene.coins", lang, n=s.supply[0])
    found = []
    if plan.wide:
        found.append(Sprite("coins-text", x=box.mid_x, y=box.y + 18, text=text, size=15))
    for k in range(gone, TOKENS[0]):
        n = k - gone + 1
        row, column = divmod(n - 1, per_row)
        x = box.mid_x + (column - (min(per_row, s.supply[0]) - 1) / 2) * step
        y = box.mid_y + 12 if plan.wide else box.y + 30 + row * 54
        coin = token_sprite(0, k, x, y, size, lang)
        if n in can:
            coin.symbol, coin.text, coin.size, coin.bold = "token-number", str(n), size * 0.4, True
            coin.alt = sentence(s, viewer, DROP + n - 1, lang)
        coin.dim = bool(can) and n not in can
        found.append(coin)
    return found


def in_hand(s: State, viewer: int, lang: str, plan: Plan) -> list[Sprite]:
    """The tokens still to be released, over the vessel; the one that is placed next stands out."""
    tokens = [(kind, TOKENS[kind] - s.supply[kind] - k - 1) for kind in range(len(KINDS)) for k in range(s.to_go[kind])]
    if not tokens:
        return []
    box = plan.vessel
    size = 40.0 if plan.wide else 27.0
    step = min(size + 8, (box.w - size - 16) / len(tokens))
    y = box.y + (58 if plan.wide else 36)
    mine = {a - SINGLE: sentence(s, viewer, a, lang) for a in open_actions(s, viewer) if SINGLE <= a < ALL}
    found = []
    for number, (kind, k) in enumerate(tokens):
        x = box.mid_x + (number - (len(tokens) - 1) / 2) * step
        sprite = token_sprite(kind, k, x, y, size, lang, alt=mine.get(kind, ""))
        sprite.glow = s.step == Step.CELL and kind == s.kind and k == first_in_hand(s, kind)
        found.append(sprite)
    return found


def first_in_hand(s: State, kind: int) -> int:
    """The number of the token of a kind that goes next."""
    return int(TOKENS[kind] - s.supply[kind] - s.to_go[kind])
