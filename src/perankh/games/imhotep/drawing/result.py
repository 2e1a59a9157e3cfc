"""The points by source, at the end of the game."""

from __future__ import annotations

from collections.abc import Iterator

from perankh.scene import Sprite
from perankh.scene.layout import Box, fitting, label

from ..rules import scoring
from ..rules.components import BESIDE_POINTS, OBELISKS, PYRAMID_A, PYRAMID_B, SITE_NAMES
from ..rules.state import ObeliskPay, Side, State, Step
from ..text.names import WORDS, seat_name
from .pieces import emblem

SOURCE_ICONS = {site: f"icon-{site}" for site in SITE_NAMES} | {
    "blue": "mini-lever",
    "green": "mini-deco_pyramid",
    "idols": "mini-idol",
}


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
