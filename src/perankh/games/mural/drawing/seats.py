"""A panel for each player."""

from __future__ import annotations

from perankh.scene import Sprite
from perankh.scene.layout import Box, label, length

from ..rules import actions, scoring
from ..rules.state import State, Step, Track
from ..text import say, seat_name
from .cards import hand
from .layout import SEAT_COLOURS, Layout


def seats(s: State, near: int, lang: str, at: Layout) -> list[Sprite]:
    """A panel for each player: name, markers, points, and the hand as far as it is known."""
    drawn = []
    gap = 5
    height = (at.seats.h + gap) / s.players - gap
    order = [(near + 1 + k) % s.players for k in range(s.players)]
    panels = {p: Box(at.seats.x, at.seats.y + k * (height + gap), at.seats.w, height) for k, p in enumerate(order)}
    for p in order:
        drawn.append(panels[p].sprite(f"panel-{p}", "panel"))
    if s.step != Step.OVER:
        drawn.append(panels[s.turn].sprite("turn", "panel-active"))
    for p in order:
        box = panels[p]
        y = box.middle[1]
        name = seat_name(p, lang)
        numbers = values(s, p, lang)
        score = say("scene.points", lang, points=scoring.points(s, p))
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
            label(f"count-{p}", str(actions.hand_size(s, p)), box.x + box.w - 8, y + 10, 13, align="end"),
        ]
        if s.step == Step.OVER and scoring.final_place(s, p) == 1:
            drawn.append(Sprite(f"crown-{p}", symbol="crown", x=box.x + box.w - 76, y=y - 11, width=24, height=18))
        elif p != near:
            left = max(190, 50 + length(numbers, 11))
            room = Box(box.x + left, box.y + 4, box.w - left - 62, box.h - 8)
            drawn += hand(s, p, room, 36, lang)
    return drawn


def values(s: State, p: int, lang: str) -> str:
    """Where a player's markers stand; at the end also their sum, which breaks ties."""
    key = "scene.values_sum" if s.step == Step.OVER else "scene.values"
    combo, area, miss = s.track[Track.COMBO][p], s.track[Track.AREA][p], s.track[Track.MISS][p]
    return say(key, lang, combo=combo, area=area, miss=miss, sum=scoring.marker_sum(s, p))
