"""Cards off the wall: the deck, the row, the hand before the viewer, and the button that ends the turn."""

from functools import lru_cache

from perankh.engine.api import sets
from perankh.engine.text import listed
from perankh.scene import Sprite, group, ink_on
from perankh.scene.layout import Box, cut, fitting, label

from ..rules import actions, scoring
from ..rules.components import IS_ANKH, SHADOW
from ..rules.state import State, Step
from ..text import CODES, bonus_now, say, seat_name, sentence
from .layout import SEAT_COLOURS, Layout, quality, spread

TASSEL = 34.0  # the width of each end of the button that the text leaves free


def under_way(s: State) -> bool:
    """Has a card been placed in the turn that is going on?"""
    return s.step != Step.OVER and s.placed > 0 and not s.ending_turn


def card(s: State, n: int, x: float, y: float, size: float, lang: str, *, dim: bool = False, glow: bool = False) -> Sprite:
    """A card face up."""
    return face(IS_ANKH[s.ankh_set][n], n, x, y, size, lang, dim, glow)


@lru_cache(4096)
def face(ankh: int, n: int, x: float, y: float, size: float, lang: str, dim: bool, glow: bool) -> Sprite:
    """The face of a card, shared by all scenes."""
    return Sprite(
        f"card-{n:02}",
        symbol=f"{'ankh' if ankh else 'card'}-{n:02}",
        x=x,
        y=y,
        width=size,
        height=size,
        dim=dim,
        glow=glow,
        alt=say("scene.ankh" if ankh else "scene.card", lang, card=CODES[n]),
    )


@group
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
    if under_way(s) and s.step == Step.PLACE and s.deck:
        misses = sets.count_common(s.unseen, SHADOW[s.pawn])
        risk = say("scene.risk", lang, percent=round(100 * misses / sets.count(s.unseen)))
        drawn.append(
            label("risk", risk, x, y + size / 2 + 9, 13 if wide else 11, bold=True, ink="carnelian" if misses else "malachite")
        )
    elif not wide:
        drawn.append(label("deck-label", say("scene.deck", lang), x, y + size / 2 + 9, 11))
    box = at.row.inside(6)
    if wide:
        drawn.append(label("row-label", say("scene.row", lang), box.x + 2, box.y + 8, 14, bold=True, align="start"))
        box = Box(box.x, box.y + 20, box.w, box.h - 20)
    cards = sets.members(s.row)
    if not cards and s.step != Step.OVER:
        drawn.append(label("row-none", say("scene.row_empty", lang), *box.middle, 12, ink="ink"))
    places = places_of_cards(0, len(cards), box, 78 if wide else 66)
    return drawn + [
        card(s, n, *place, lang, dim=s.step == Step.PLACE and bool(actions.forbidden(s, n)))
        for n, place in zip(cards, places, strict=True)
    ]


@group
def rack(s: State, p: int, viewer: int, lang: str, at: Layout) -> list[Sprite]:
    """The hand that lies before the viewer, on its rack."""
    box = at.rack
    wide = at.width > 500
    rim = Box(box.x, box.y + box.h - at.ledge, box.w, at.ledge)
    known, hidden = known_and_hidden(s, p)
    own = say("scene.own_hand" if p == viewer else "scene.hand_of", lang, player=seat_name(p, lang))
    title = say("scene.label_count", lang, label=own, count=len(known) + hidden)
    drawn = [
        box.sprite("rack", "rack", alt=title),
        rim.sprite("rack-rim", "rim", colour=SEAT_COLOURS[p]),
        label(
            "rack-label", title, rim.middle[0], rim.middle[1] + 0.5, 13 if wide else 11, bold=True, ink=ink_on(SEAT_COLOURS[p])
        ),
    ]
    room = Box(box.x + 8, box.y + 4, box.w - 16, box.h - at.ledge - 6)
    if s.step == Step.OVER:
        return drawn + winners(s, room, lang, 20 if wide else 16)
    return drawn + hand(s, p, room, 84, lang)


def winners(s: State, box: Box, lang: str, size: float) -> list[Sprite]:
    """Who has won, and by which sum of markers if others have as many points."""
    first = [p for p in range(s.players) if scoring.final_place(s, p) == 1]
    level = [p for p in range(s.players) if scoring.points(s, p) == scoring.points(s, first[0])]
    text = say("scene.winner", lang, players=say("names.and", lang).join(seat_name(p, lang) for p in first))
    x, y = box.middle
    drawn = [
        Sprite("crown", symbol="crown", x=x, y=y - 16, width=40, height=30),
        line("winner", text, x, y + 16, size, box.w),
    ]
    if len(level) > 1:
        sums = listed([say("log.tie_entry", lang, player=seat_name(p, lang), sum=scoring.marker_sum(s, p)) for p in level], lang)
        drawn.append(line("tie", say("scene.tie", lang, sums=sums), x, box.bottom - 6, 12, box.w, bold=False))
    return drawn


def line(name: str, text: str, x: float, y: float, size: float, room: float, bold: bool = True) -> Sprite:
    """A text in the middle of a place: smaller where it is long, then cut."""
    size = fitting(text, size, room, bold)
    return label(name, cut(text, size, room, bold), x, y, size, bold=bold)


def known_and_hidden(s: State, p: int) -> tuple[list[int], int]:
    """What the viewer knows of a hand: the cards, and how many more there are."""
    known = sets.members(s.hand[p])
    return known, actions.hand_size(s, p) - len(known)


def hand(s: State, p: int, box: Box, biggest: float, lang: str) -> list[Sprite]:
    """A hand: first the cards that the viewer cannot see, then those that are known."""
    known, hidden = known_and_hidden(s, p)
    places = places_of_cards(hidden, len(known), box, biggest)
    alt = say("scene.hidden", lang, player=seat_name(p, lang))
    backs = [
        Sprite(f"hidden-{p}-{k}", symbol="card-back", x=x, y=y, width=size, height=size, alt=alt)
        for k, (x, y, size) in enumerate(places[:hidden])
    ]
    shaded = s.step == Step.PLACE and p == s.turn
    faces = [
        card(s, n, *place, lang, dim=shaded and bool(actions.forbidden(s, n)))
        for n, place in zip(known, places[hidden:], strict=True)
    ]
    return backs + faces


@lru_cache(2000)
def places_of_cards(hidden: int, known: int, box: Box, biggest: float) -> list[tuple[float, float, float]]:
    """Where cards lie: first those that the viewer cannot see, as close together as shows all of them best."""
    return max((spread([back] * hidden + [1] * known, box, biggest) for back in (1, 0.5, 0.25, 0.1)), key=quality).places


@group
def stop_button(s: State, viewer: int, lang: str, at: Layout) -> list[Sprite]:
    """The button that ends the turn, with what it earns; for others, what stopping would earn now."""
    x, y = at.stop.middle
    if s.step == Step.OVER:
        return []
    may_stop = under_way(s) and s.step == Step.PLACE
    if viewer != s.turn:
        earned = say("scene.would_earn", lang, player=seat_name(s.turn, lang), bonus=bonus_now(s, lang))
        return [line("would-earn", earned, x, y, 14 if at.width > 500 else 12, at.stop.w, bold=False)] if may_stop else []
    text = say("scene.stop", lang, bonus=bonus_now(s, lang)) if may_stop else say("scene.stop_not", lang)
    alt = sentence(s, viewer, actions.STOP, lang) if may_stop else text
    w, h = at.stop.w, at.stop.h
    size = fitting(text, 16, w - 2 * TASSEL, bold=True)
    return [Sprite("stop", "stop-button", x, y, w, h, text=text, size=size, bold=True, alt=alt, dim=not may_stop)]
