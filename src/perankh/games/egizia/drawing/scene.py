"""The drawn table of Egizia: where everything lies, what a person clicks, and the pictures of the guide.

Cards and tiles keep their ids from the river to a player's board. Ships and bricks of a player are alike and named after their
places; the pool of their sprites (the fleet, the mark of the player) tells the browser where they come from and go to.
"""

from __future__ import annotations

from collections.abc import Iterator

from perankh.engine.text import listed
from perankh.scene import SHAPES, Scene, Sprite, group, players_listed
from perankh.scene.layout import Box, fitting, label, length, paragraph

from ..rules.components import ROUNDS
from ..rules.state import Final, Phase, State, Step
from ..text import names
from ..text.names import WORDS
from . import clicks, layout, monuments, pieces, river, seats, tray
from .layout import Plan


def scene(s: State, viewer: int, lang: str, shape: str) -> Scene:
    """The table as a viewer sees it, in a language and a shape."""
    actions = tuple(clicks.open_actions(s, viewer))
    if shape == "wide":
        plan = layout.wide_plan(s.players, viewer)
    else:
        heights = tuple(seats.tall_height(s, p, viewer) for p in range(s.players))
        plan = layout.tall_plan(layout.tall_order(s), viewer, tray.tall_tray(s, viewer, actions), heights)
    alone = not players_listed()  # nothing beside the drawing says these
    if not alone:
        plan = layout.without_title(plan)
    text = headline(s, viewer, lang)
    sprites = [
        *(bar(s, -1 if s.step == Step.OVER else asked(s, viewer), text, lang, plan.bar, plan.wide) if alone else ()),
        *monuments.monument_sprites(s, viewer, actions, lang, plan),
        *seats.markets(s, actions, lang, plan),
        *(seats.standing(s, lang, plan.standing) if alone else seats.orders(s, lang, plan.standing)),
        *river.river(s, actions, lang, plan),
        *(sprite for p in range(s.players) for sprite in seats.seat(s, p, viewer, actions, lang, plan)),
        *tray.tray(s, viewer, actions, lang, plan),
        *(result(s, lang, plan) if s.step == Step.OVER and alone else []),
    ]
    return Scene(SHAPES[shape], plan.height, sprites, f"{WORDS.say('game.name', lang)}: {text}")


# --- The bar ------------------------------------------------------------------------------------------------------


def asked(s: State, viewer: int) -> int:
    """Who is asked: at the start everybody at once, the viewer or whoever has not chosen yet."""
    if s.step != Step.START:
        return int(s.chooser)
    waiting = [p for p in range(s.players) if not s.decided >> p & 1]
    return viewer if viewer in waiting else waiting[0]


def headline(s: State, viewer: int, lang: str) -> str:
    """Whose turn it is (the page asks what is to be decided), or who has won."""
    if s.step == Step.OVER:
        won = seats.winners(s)
        who = listed([names.seat_name(p, lang) for p in won], lang)
        return WORDS.say("scene.won", lang, who=who, points=names.points_text(s.vp[won[0]], lang))
    p = asked(s, viewer)
    return WORDS.say("scene.yours", lang) if p == viewer else WORDS.say("scene.to_play", lang, who=names.seat_name(p, lang))


@group
def bar(s: State, p: int, text: str, lang: str, box: Box, wide: bool) -> Iterator[Sprite]:
    """Who decides (-1: nobody any more) what, how far the game is, and the turn order."""
    yield box.sprite("bar", "strip")
    left, right = box.x + 10, box.right - 8
    if p >= 0:
        size = 30.0 if wide else 26.0
        yield pieces.emblem("bar-seat", p, left + size / 2 - 3, box.mid_y, size, names.seat_name(p, lang))
        left += size + 5
    size = 22.0 if wide else 15.0
    if s.round:
        for place in range(s.players - 1, -1, -1):
            q = s.order[place]
            alt = WORDS.say("scene.order", lang, n=place + 1, who=names.seat_name(q, lang))
            y = box.mid_y if wide else box.y + 29
            yield pieces.emblem(f"order-{q}", q, right - size / 2, y, size, alt)
            right -= size + 2
        right -= 6
    info = WORDS.say(
        "scene.round", lang, round=s.round, rounds=ROUNDS, phase=WORDS.say(f"scene.phase.{Phase(s.phase).name.lower()}", lang)
    )
    if not wide:
        info = WORDS.say("scene.round_short", lang, round=s.round, rounds=ROUNDS)
        if s.round:
            yield label("bar-info", info, box.right - 8, box.y + 12, 12, bold=True, align="end")
        right = min(right, box.right - 14 - length(info, 12, True))
    elif s.round and p >= 0:
        yield label("bar-info", info, right, box.mid_y, 14, bold=True, align="end")
        right -= length(info, 14, True) + 12
    room = Box(left, box.y + 2, right - left, box.h - 4)
    sizes = (18.0, 16.0, 14.0, 12.0) if wide else (14.0, 13.0, 12.0, 11.0)
    yield from paragraph("bar-text", text, room, sizes, lang)


# --- Points -------------------------------------------------------------------------------------------------------


def breakdown(s: State, lang: str) -> list[tuple[str, list[int]]]:
    """Points by source: those of the track, and once the game is over the parts of the final scoring."""
    seats = range(s.players)
    rows = [("track", [s.vp[p] - sum(s.final[p]) for p in seats])]
    if s.step == Step.OVER:
        rows += [(part.name.lower(), [s.final[p][part] for p in seats]) for part in Final]
    return [(WORDS.say(f"scene.source.{name}", lang), values) for name, values in rows]


def tie_breaks(s: State, lang: str) -> list[tuple[str, list[int]]]:
    """What decides between players who are level on points: the later place in the turn order."""
    return [(WORDS.say("scene.turn_order", lang), [s.order.index(p) + 1 for p in range(s.players)])]


def result(s: State, lang: str, plan: Plan) -> Iterator[Sprite]:
    """The points by source, a column for each player, in the tray."""
    box = plan.tray
    rows = [*breakdown(s, lang), (WORDS.say("scene.total", lang), list(s.vp[: s.players]))]
    yield box.sprite("result", "panel-active")
    line = box.h / (len(rows) + 1.2)
    step = 27.0 if plan.wide else 46.0
    left = box.right - step * (s.players - 0.5) - 6
    for p in range(s.players):
        yield pieces.emblem(f"result-{p}", p, left + p * step, box.y + line * 0.65, min(22.0, line), names.seat_name(p, lang))
    for number, (name, values) in enumerate(rows):
        y = box.y + (number + 1.6) * line
        last = number == len(rows) - 1
        room = left - box.x - step / 2 - 8
        yield label(f"result-name-{number}", name, box.x + 8, y, fitting(name, 14, room, last), align="start", bold=last)
        for p, points in enumerate(values):
            yield label(f"result-{number}-{p}", str(points), left + p * step, y, 14.0 if last else 13.0, bold=last)
