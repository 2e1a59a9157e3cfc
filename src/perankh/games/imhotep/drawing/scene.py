"""The drawn table: where everything lies.

A ship keeps its id from the harbour to its dock. The stones of a player are alike and are named after their places; the pool of
their sprites, the quarry, tells the browser that a stone which left one place is the stone that came to another. They travel in
the order of the events. Cards on offer lie there twice, so that one glides to the hand of whoever takes it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from perankh.scene import SHAPES, Scene, Sprite, group, players_listed
from perankh.scene.layout import button, fitting, in_rows, label, length, title_bar

from ..rules import actions
from ..rules.components import CARDS, FIRST_BLUE, PYRAMIDS, REDS, ROUNDS, SHIPS, SITE_NAMES, SITES, TEMPLE_POINTS, WRATH
from ..rules.state import State, Step
from ..text.log import verdict
from ..text.names import WORDS, points_text, seat_name, site_name
from ..text.prompts import prompt
from ..text.sentences import sentence
from . import cards, monuments, seats, ships
from .clicks import button_id, closed, is_button
from .layout import MINI, SEAT_COLOURS, Plan, capital, common_of, plan_of
from .pieces import shown_actions


def scene(s: State, viewer: int, lang: str, shape: str) -> Scene:
    """The table as a viewer sees it, in a language and a shape."""
    plan = plan_of(s, viewer, shape)
    common = common_of(plan)
    choices = shown_actions(s, viewer)
    to_sail = {(a - actions.SAIL) % SITES for a in choices if actions.SAIL <= a < actions.PLAY}
    to_build = tuple(a for a in choices if actions.BUILD <= a < actions.BUILD + PYRAMIDS)
    text, chooser = headline(s, viewer, lang), -1 if s.step == Step.OVER else s.chooser
    sprites = [
        *([] if players_listed() else bar(s, chooser, text, lang, common)),
        *(sprite for site in range(SITES) for sprite in ground(s, site, site in to_sail, lang, common)),
        *ships.harbour(s, lang, common),
        *cards.piles(s, lang, common),
        *seats.track(s, lang, common),
        *(sprite for p in range(s.players) for sprite in seats.seat(s, p, viewer, lang, plan)),
        *(sprite for ship in range(SHIPS) for sprite in ships.ship_sprites(s, ships.to_load(choices, ship), ship, lang, common)),
        *monuments.pyramid(s, to_build, lang, common),
        *monuments.temple(s, lang, common),
        *monuments.burial(s, lang, common),
        *monuments.obelisk(s, lang, common),
        *cards.offers(s, lang, common),
        *buttons(s, tuple(a for a in choices if is_button(a)), "do-fetch-1" in closed(s, viewer), lang, common),
    ]
    return Scene(SHAPES[shape], plan.height, sprites, f"{WORDS.say('game.name', lang)}: {text}")


def headline(s: State, viewer: int, lang: str) -> str:
    """Whose turn it is, for others also what is decided (the page asks the player itself); or who has won."""
    if s.step == Step.OVER:
        return verdict(s, lang)
    if s.chooser == viewer:
        return WORDS.say("scene.yours", lang)
    return WORDS.say("board.asked", lang, who=seat_name(s.chooser, lang), prompt=prompt(s, s.chooser, lang))


@group
def bar(s: State, p: int, text: str, lang: str, plan: Plan) -> list[Sprite]:
    """Who decides (-1: nobody any more) what, and how far the game is."""
    info = WORDS.say("scene.round" if plan.wide else "scene.round_short", lang, round=s.round, rounds=ROUNDS)
    if s.wrath:
        info += WORDS.say("scene.wrath" if plan.wide else "scene.wrath_short", lang, points=WRATH)
    seats = {} if p < 0 else {p: SEAT_COLOURS[p]}
    return title_bar(plan.bar, text, lang, seats=seats, info=info)


def side_of(s: State, site: int) -> int:
    """The side of a site: 0 or Side.B."""
    return int(getattr(s, f"{SITE_NAMES[site]}_side"))


@group
def ground(s: State, site: int, is_open: bool, lang: str, plan: Plan) -> list[Sprite]:
    """The board of a site: name, side and dock, which may be open to a ship."""
    box, dock = plan.sites[site], plan.docks[site]
    name = capital(site_name(site, lang))
    title = WORDS.say("board.site", lang, site=name, side="AB"[side_of(s, site)])
    big = 34.0 if plan.wide else 22.0
    y = box.y + (25 if plan.wide else 13)
    size = fitting(name, 17.0 if plan.wide else 15.0, dock.x - box.x - big - 38 if plan.wide else 250, True)
    found = [
        box.sprite(f"site-{SITE_NAMES[site]}", "site", title),
        Sprite(f"site-icon-{site}", f"icon-{SITE_NAMES[site]}", box.x + 6 + big / 2, y, big, big),
        label(f"site-name-{site}", name, box.x + big + 11, y, size, bold=True, align="start"),
    ]
    left = box.x + big + (21 if lang == "en" else 14) + length(name, size, True)
    found.append(Sprite(f"site-side-{site}", "tag", left + 10, y, 20, 20, text="AB"[side_of(s, site)], size=12, bold=True))
    alt = WORDS.say("scene.dock", lang, site=site_name(site, lang))
    found.append(dock.sprite(f"dock-{SITE_NAMES[site]}", "dock-open" if is_open else "dock", alt))
    if not plan.wide:
        short = WORDS.say(f"scene.berth.{SITE_NAMES[site]}", lang)
        found.append(label(f"dock-name-{site}", short, dock.mid_x, dock.y + 13, fitting(short, 13, 66, True), bold=True))
        if 1 + site not in s.berth:
            found.append(Sprite(f"dock-icon-{site}", f"icon-{SITE_NAMES[site]}", dock.mid_x, dock.y + 36, 27, 27))
    elif 1 + site not in s.berth:
        found.append(Sprite(f"anchor-{site}", "anchor", dock.mid_x, dock.mid_y, 24, 24, colour="alabaster"))
    return found


def button_text(s: State, a: int, lang: str) -> str:
    """What is written on a button."""
    if a == actions.PASS:
        return WORDS.say("scene.pass", lang)
    if a == actions.DECLINE:
        return WORDS.say("scene.decline", lang)
    if a == actions.POINT:
        return points_text(TEMPLE_POINTS[s.temple_side][s.cell - 1], lang)
    return WORDS.say("scene.fetch", lang, n=a - actions.FETCH)


@group
def buttons(s: State, choices: tuple[int, ...], no_fetch: bool, lang: str, plan: Plan) -> Iterator[Sprite]:
    """The choices that are not made on a piece, fetching greyed if it cannot be done; else what the marks of the cards mean."""
    box = plan.buttons
    if no_fetch:
        choices = (actions.FETCH + 1, *choices)
    if not choices:
        yield from key(lang, plan)
        return
    per_row = (2 if len(choices) > 1 else 1) if plan.wide else 4
    wide = min(150.0, (box.w - 6 * (per_row - 1)) / per_row)
    places = in_rows(box, len(choices), per_row, (wide, 44 if plan.wide else 38), (6, 4))
    for a, place in zip(choices, places, strict=True):
        shut = no_fetch and a == actions.FETCH + 1
        text = WORDS.say("scene.fetch_none", lang) if shut else button_text(s, a, lang)
        yield replace(button(button_id(a), text, place, text if shut else sentence(s, s.chooser, a, lang)), dim=shut)


def key(lang: str, plan: Plan) -> Iterator[Sprite]:
    """The marks of the four colours of cards."""
    box = plan.buttons
    kinds = {"red": 0, "green": REDS, "purple": REDS + 4, "blue": FIRST_BLUE}
    for number, (colour, kind) in enumerate(kinds.items()):
        if plan.wide:
            x, y = box.x + 6, box.y + 12 + number * 24
        else:
            x, y = box.x + 4 + number % 2 * 194, box.y + 9 + number // 2 * 20
        wide = 19.0 if plan.wide else 16.0
        yield Sprite(f"key-{number}", f"mini-{CARDS[kind]}", x + 9, y, wide, wide * MINI)
        text = WORDS.say(f"scene.key.{colour}", lang)
        yield label(
            f"key-text-{number}",
            text,
            x + 24,
            y,
            fitting(text, 13 if plan.wide else 12, 200 if plan.wide else 166),
            align="start",
        )
