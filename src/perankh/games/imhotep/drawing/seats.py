"""The players with their sleds and cards, the score track, and at the end the points by source."""

from __future__ import annotations

from collections.abc import Iterator

from perankh.scene import Sprite, group, players_listed
from perankh.scene.layout import Box, badge, fitting, label, name_label

from ..rules import scoring
from ..rules.components import BESIDE_POINTS, CARDS, KINDS, OBELISKS, PYRAMID_A, PYRAMID_B, SITE_NAMES, SLED
from ..rules.state import ObeliskPay, Side, State, Step
from ..text.log import winners
from ..text.names import WORDS, points_text, seat_name
from .cards import card_alt
from .layout import MINI, TRACK, Plan
from .pieces import emblem, stone

SOURCE_ICONS = {site: f"icon-{site}" for site in SITE_NAMES} | {
    "blue": "mini-lever",
    "green": "mini-deco_pyramid",
    "idols": "mini-idol",
}

# --- Players --------------------------------------------------------------------------------------------------------


def seat(s: State, p: int, viewer: int, lang: str, plan: Plan) -> tuple[Sprite, ...]:
    """A player: mark, name, points, sled, quarry and cards."""
    goes_on, won = s.step != Step.OVER, p in winners(s)
    return seat_board(s, p, p == viewer, goes_on and p == s.chooser, goes_on and p == s.turn, won, lang, plan)


@group
def seat_board(s: State, p: int, mine: bool, acting: bool, on_turn: bool, won: bool, lang: str, plan: Plan) -> Iterator[Sprite]:
    """The board of a player."""
    box = plan.seats[p]
    alt = WORDS.say("scene.seat", lang, who=seat_name(p, lang), points=s.score[p], sled=s.sled[p], quarry=s.quarry[p])
    yield box.sprite(f"panel-{p}", "panel-active" if acting or won else "panel", alt)
    size = 34.0 if plan.wide else 28.0
    y = box.y + (23 if plan.wide else 18)
    yield emblem(f"mark-{p}", p, box.x + 6 + size / 2, y, size)
    name = seat_name(p, lang)
    if mine:
        name += WORDS.say("board.you", lang)
    left = box.x + size + 12
    room = box.w - size - 96 if plan.wide else 68
    yield name_label(f"name-{p}", name, left, y, 17.0 if plan.wide else 13.0, room, seat_name(p, lang))
    right = box.right - (12 if plan.wide else 8)
    if not players_listed():
        alt = points_text(s.score[p], lang)
        yield label(f"score-{p}", str(s.score[p]), right, y, 28 if plan.wide else 22, bold=True, align="end", alt=alt)
        right -= 54 if plan.wide and s.score[p] < 100 else 70 if plan.wide else 38
    else:
        right -= 12
    if won:
        yield Sprite(f"crown-{p}", "crown", right, y, 28 if plan.wide else 22, 21 if plan.wide else 16)
    elif on_turn:
        across, high = (17, 24) if plan.wide else (13, 18)
        yield Sprite(f"turn-{p}", "ankh", right, y, across, high, colour="gold", alt=WORDS.say("scene.turn", lang))
    x, y, wide = sled_place(plan, p, 0)
    end = sled_place(plan, p, SLED - 1)[0]
    sled = Box(x - wide * 0.85, y - wide * 0.42, end - x + wide * 1.7, wide * 1.12)
    yield sled.sprite(f"sled-{p}", "sled", WORDS.say("scene.sled", lang, n=s.sled[p], most=SLED))
    for k in range(SLED):
        x, y, wide = sled_place(plan, p, k)
        if k < s.sled[p]:
            yield stone(f"sled-{p}-{k}", p, x, y - 2, wide, lang, 1 + k)
        else:
            yield Sprite(f"sled-space-{p}-{k}", "space-idle", x, y, wide * 0.9, wide * 0.8, dim=True)
    x, y = (sled.right + 23, y + 1) if plan.wide else (box.right - 122, box.y + 18)
    big = 34.0 if plan.wide else 26.0
    yield Sprite(f"quarry-{p}", "quarry", x, y, big, big * 36 / 44, alt=WORDS.say("scene.quarry", lang, n=s.quarry[p]))
    yield label(f"quarry-n-{p}", str(s.quarry[p]), x + big / 2 + 3, y + 1, 17 if plan.wide else 14, bold=True, align="start")
    yield from hand(s, p, lang, plan)


def sled_place(plan: Plan, p: int, k: int) -> tuple[float, float, float]:
    """The middle of a space of a sled, and the width of its stones."""
    box = plan.seats[p]
    if plan.wide:
        return box.x + 28 + k * 27, box.y + 63, 26
    return box.x + 132 + k * 25, box.y + 17, 23


def hand(s: State, p: int, lang: str, plan: Plan) -> Iterator[Sprite]:
    """The cards before a player, one pile for each kind."""
    box = plan.seats[p]
    kinds = [kind for kind in range(KINDS) if s.held[p][kind]]
    wide = 34.0 if plan.wide else 28.0
    if kinds:
        wide = min(wide, (box.w - 24) / len(kinds) - 1)
    y = box.bottom - (28 if plan.wide else 20)
    if not kinds:
        yield label(f"no-cards-{p}", WORDS.say("scene.no_cards", lang), box.x + 14, y, 12, align="start", dim=True)
        return
    step = min(wide + 14, (box.w - 24) / len(kinds))
    badges = []
    for number, kind in enumerate(kinds):
        n = s.held[p][kind]
        x = box.x + 10 + wide / 2 + number * step
        shift = min(3.0, 8.0 / n, (step - wide) / n + 0.6)
        alt, high = card_alt(kind, lang), wide * MINI
        for i in range(n):
            name = f"held-{p}-{kind}-{i}"
            yield Sprite(name, f"mini-{CARDS[kind]}", x + i * shift, y - i * shift / 2, wide, high, alt=alt)
        if n > 1:
            badges.append(badge(f"held-n-{p}-{kind}", n, x + wide / 2 - 2, y + high / 2 - 3))
    yield from badges


# --- Score track ----------------------------------------------------------------------------------------------------


@group
def track(s: State, lang: str, plan: Plan) -> Iterator[Sprite]:
    """The score track: forty spaces, which high scores go round again."""
    box = plan.track
    yield box.sprite("track", "strip", WORDS.say("scene.track", lang))
    rows = 1 if plan.wide else 2
    across = -(-(TRACK + 1) // rows)
    step, high = (box.w - 8) / across, (box.h - 6) / rows

    def place(space: int) -> tuple[float, float]:
        row, col = divmod(space, across)
        return box.x + 4 + (col + 0.5) * step, box.y + 3 + (row + 0.5) * high

    for space in range(TRACK + 1):
        x, y = place(space)
        fifth = space % 5 == 0
        yield Sprite(f"track-{space}", "track-mark" if fifth else "track-cell", x, y, step - 1, high - 2)
        if fifth:
            yield label(f"track-text-{space}", str(space), x, y + high / 2 - 8, 11, bold=True)
    spaces = [space_of(s.score[p]) for p in range(s.players)]
    size = min(step + 1, 18.0)
    for p in range(s.players):
        x, y = place(spaces[p])
        same = [q for q in range(s.players) if spaces[q] == spaces[p]]
        down = same.index(p) * min(9.0, (high - size - 2) / max(1, len(same) - 1))
        y = y - high / 2 + 1 + size / 2 + down
        alt = WORDS.say("scene.marker", lang, who=seat_name(p, lang), points=s.score[p])
        yield emblem(f"marker-{p}", p, x, y, size, alt)
        if s.score[p] > TRACK:
            yield Sprite(f"lap-{p}", "lap", x, y, size + 4, size + 4)


def space_of(points: int) -> int:
    """The space of the track for so many points."""
    return (points - 1) % TRACK + 1 if points > 0 else 0


# --- Result ---------------------------------------------------------------------------------------------------------


def result(s: State, lang: str, box: Box) -> Iterator[Sprite]:
    """The points by source, a column for each player."""
    rows = [*breakdown(s, lang), (WORDS.say("scene.total", lang), list(s.score[: s.players]))]
    line = 34.0
    yield Box(box.x, box.y, box.w, line * (len(rows) + 1) + 10).sprite("result", "panel-active")
    step = 28.0
    left = box.right - step * (s.players - 0.5) - 8
    for p in range(s.players):
        yield emblem(f"result-{p}", p, left + p * step, box.y + line / 2 + 4, 24, seat_name(p, lang))
    for number, (name, values) in enumerate(rows):
        y = box.y + (number + 1.5) * line + 4
        last = number == len(rows) - 1
        room = left - box.x - step / 2 - 8
        yield label(f"result-name-{number}", name, box.x + 8, y, fitting(name, 14, room), align="start", bold=last)
        for p, points in enumerate(values):
            size = 16.0 if last else 14.0
            yield label(f"result-{number}-{p}", str(points), left + p * step, y, size, bold=last)


def flat_result(s: State, lang: str, box: Box) -> Iterator[Sprite]:
    """The same with a row for each player, and signs for the sources."""
    columns = points_by_source(s) | {"total": list(s.score[: s.players])}
    yield box.sprite("result", "panel-active")
    line, step = (box.h - 32) / s.players, (box.w - 46) / len(columns)
    for p in range(s.players):
        yield emblem(f"result-{p}", p, box.x + 22, box.y + 30 + (p + 0.5) * line, min(24, line - 1), seat_name(p, lang))
    for number, (source, values) in enumerate(columns.items()):
        x, last = box.x + 44 + (number + 0.5) * step, source == "total"
        name = WORDS.say("scene.total" if last else f"scene.source.{source}", lang)
        if source in SOURCE_ICONS:
            yield Sprite(f"result-sign-{number}", SOURCE_ICONS[source], x, box.y + 17, 24, 24, alt=name)
        else:
            yield label(f"result-name-{number}", name, x, box.y + 17, fitting(name, 12, step + 4, last), bold=last, alt=name)
        for p, points in enumerate(values):
            y = box.y + 30 + (p + 0.5) * line
            yield label(f"result-{number}-{p}", str(points), x, y, 16.0 if last else 14.0, bold=last)


def tie_breaks(s: State, lang: str) -> list[tuple[str, list[int]]]:
    """What decides between players who are level on points."""
    return [(WORDS.say("scene.on_sled", lang), s.sled[: s.players])]


def breakdown(s: State, lang: str) -> list[tuple[str, list[int]]]:
    """Points by source, by name."""
    return [(WORDS.say(f"scene.source.{source}", lang), row) for source, row in points_by_source(s).items()]


def points_by_source(s: State) -> dict[str, list[int]]:
    """Points by source; what neither pyramid nor obelisks nor the final scoring explains came from the temple."""
    seats = range(s.players)
    built = [pyramid_points(s, p) for p in seats]
    obelisks = [erected_points(s, p) for p in seats]
    rows = {"pyramid": built, "temple": [0] * s.players, "burial": [0] * s.players, "obelisk": obelisks}
    if s.step == Step.OVER:
        rows["burial"] = [scoring.burial_points(s, p) for p in seats]
        rows["obelisk"] = [obelisks[p] + scoring.obelisk_points(s, p) for p in seats]
        rows |= {"blue": [scoring.blue_points(s, p) for p in seats], "green": [scoring.green_points(s, p) for p in seats]}
        rows["idols"] = [scoring.idol_points(s, p) for p in seats]
        if s.wrath:
            rows["wrath"] = [-scoring.wrath_points(s, p) for p in seats]
    rows["temple"] = [s.score[p] - sum(row[p] for row in rows.values()) for p in seats]
    return rows


def pyramid_points(s: State, p: int) -> int:
    """What the stones of p at the pyramid have earned."""
    points = BESIDE_POINTS[s.pyramid_side] * s.beside[p]
    values = [n for row in PYRAMID_B for n in row] if s.pyramid_side == Side.B else list(PYRAMID_A)
    return int(points) + sum(int(n) for n, taken in zip(values, s.pyramid, strict=False) if taken == 1 + p)


def erected_points(s: State, p: int) -> int:
    """What the erected obelisks of p have earned at once."""
    if s.obelisk_side != Side.B or s.obelisk_b_pay == ObeliskPay.GAME_END:
        return 0
    return sum(scoring.slot_points(slot) for slot in range(OBELISKS) if s.erected[slot] == 1 + p)
