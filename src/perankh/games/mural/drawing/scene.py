"""The table of Nile Mural as sprites, what to click, and the points by track."""

from perankh.engine.api import sets
from perankh.scene import Scene, Sprite, group, players_listed
from perankh.scene.layout import fitting, label, length

from ..rules import actions, scoring
from ..rules.components import CARDS, MOST_PLACEMENTS, TRACKS
from ..rules.state import State, Step
from ..text import headline, say, track_name
from .cards import deck_and_row, rack, stop_button
from .layout import SEAT_COLOURS, Layout, layout_of
from .seats import combo_table, seats, tracks
from .wall import pawn, wall


def scene(s: State, viewer: int, lang: str, shape: str) -> Scene:
    """The table for a viewer; a spectator (-1) has the hand of the player on turn before them."""
    near = viewer if viewer >= 0 else s.turn
    at = layout_of(s, near, shape, players_listed())
    return Scene(
        at.width,
        at.height,
        [
            *([] if players_listed() else head(s, lang, at)),
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
    if not actions.actors(s) >> p & 1:
        return {}
    out = [0] * actions.ACTIONS
    legal = out[: actions.legal(s, p, out)]
    return {a: ("deck" if a == actions.DRAW else "stop" if a == actions.STOP else f"card-{a:02}",) for a in legal}


def aliases(s: State, p: int) -> dict[str, list[tuple[str, ...]]]:
    """A card is also placed by a click on its cell."""
    if s.step != Step.PLACE:
        return {}
    return {f"cell-{a:02}": [path] for a, path in paths(s, p).items() if a < CARDS}


def closed(s: State, p: int) -> dict[str, int]:
    """What p cannot choose now: stopping, the deck, and cards of the hand or the row that lie in the shadow."""
    offered = paths(s, p)
    if not offered:
        return {}
    found = {"stop": actions.STOP, "deck": actions.DRAW}
    if s.step == Step.PLACE:
        found |= {f"card-{n:02}": n for n in (*sets.members(s.hand[p]), *sets.members(s.row))}
    return {name: a for name, a in found.items() if a not in offered}


def meant(_s: State, _p: int, path: tuple[str, ...]) -> int:
    """The card, its cell, the deck or the button that was clicked."""
    kind, _, rest = path[-1].partition("-")
    if kind in ("card", "cell"):
        return int(rest)
    return {"deck": actions.DRAW, "stop": actions.STOP}.get(path[-1], -1)


def breakdown(s: State, lang: str) -> list[tuple[str, list[int]]]:
    """The points by track."""
    return [
        (track_name(track, lang), [scoring.track_points(s, track, p) for p in range(s.players)]) for track in range(len(TRACKS))
    ]


def unscored(s: State) -> bool:
    """No marker has moved: everybody shares the first place on every track."""
    return s.step != Step.OVER and not any(any(track[: s.players]) for track in s.track)


def tie_breaks(s: State, lang: str) -> list[tuple[str, list[int]]]:
    """What decides between players who are level on points: the markers added up."""
    return [(say("scene.marker_sum", lang), [scoring.marker_sum(s, p) for p in range(s.players)])]


@group
def head(s: State, lang: str, at: Layout) -> list[Sprite]:
    """Whose turn it is and what is to be done."""
    box = at.head
    y = box.middle[1]
    large = 18 if at.width > 500 else 15
    if s.step == Step.OVER:
        doing = say("ending.mural_complete", lang)
    elif s.step == Step.TAKE:
        doing = say("scene.take_combo" if s.ending_turn else "scene.take_ankh", lang, count=s.takes)
    else:
        doing = say("scene.placing", lang, count=s.placed + 1, most=MOST_PLACEMENTS)
    mark = []
    x = box.x
    if s.step != Step.OVER:
        colour = SEAT_COLOURS[s.turn]
        mark = [Sprite("turn-emblem", symbol=f"emblem-{s.turn}", x=x + 12, y=y, width=24, height=24, colour=colour)]
        x += 30
    room = box.right - x - length(headline(s, lang), large, True) - 6
    return [
        *mark,
        label("headline", headline(s, lang), x, y, large, bold=True, align="start"),
        label("doing", doing, box.right, y, fitting(doing, 14 if at.width > 500 else 12, room), align="end"),
    ]
