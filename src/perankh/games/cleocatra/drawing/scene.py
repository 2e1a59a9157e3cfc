"""The drawn table: the title bar, deck and cats, and the other parts put together."""

from __future__ import annotations

from perankh.engine.text import listed
from perankh.scene import SHAPES, Scene, Sprite, group, players_listed
from perankh.scene.layout import fitting, title_bar

from ..rules import components, scoring, tiles
from ..rules.state import CELLS, Mode, State, Step
from ..text.names import actor, cat_name, colour_name, say, seat_name, winners
from . import choices, layout, pieces, seats
from .layout import RISE, SEAT_COLOURS, Plan


def scene(s: State, viewer: int, lang: str, shape: str) -> Scene:
    """The table as a viewer sees it, in a language and a shape."""
    plan = layout.plan_of(s, viewer, shape)
    common = layout.common_of(plan)
    grid = layout.grid_of(s, common)
    choices_shown = tuple(choices.shown_actions(s, viewer))
    on_sites = s.step in choices.SITE_STEPS
    sprites = [
        *([] if players_listed() else bar(s, viewer, lang, common)),
        *pieces.board(s, choices_shown if on_sites else (), lang, common, grid),
        *stock(s, lang, common),
        *cats(s, lang, common),
        *(sprite for p in range(s.players) for sprite in seats.seat(s, p, viewer, lang, plan)),
        *seats.track(s, lang, common),
        *choices.buttons(s, viewer, lang, plan),
        *pieces.laid_tiles(s, () if on_sites else tuple(a for a in choices_shown if a < CELLS), lang, common, grid),
        *pieces.tokens(s, lang, plan, grid),
    ]
    title = say("names.value", lang, name=say("game.name", lang), value=headline(s, viewer, lang))
    return Scene(SHAPES[shape], plan.height, sprites, title)


def headline(s: State, viewer: int, lang: str) -> str:
    """Whose turn it is (the page asks what is to be decided), or who has won."""
    if s.over:
        best = max(s.score)
        won = winners([p for p in range(s.players) if s.score[p] == best], best, lang)
        return say(f"ending.{scoring.ENDINGS[s.over - 1]}", lang) + ("" if lang == "ja" else " ") + won
    p = actor(s)
    return say("scene.yours", lang) if p == viewer else say("scene.to_play", lang, who=seat_name(p, lang))


@group
def bar(s: State, viewer: int, lang: str, plan: Plan) -> list[Sprite]:
    """Who decides what, and how far the game is."""
    info = ""
    if plan.wide:
        mode = say(f"option.mode.{'hard' if s.mode == Mode.HARD else 'basic'}", lang)
        key = "scene.setup" if s.step == Step.SETUP_CELL else "scene.turn"
        info = say(key, lang, mode=mode, turn=s.turns + (0 if s.over else 1))
    seats = {} if s.over else {actor(s): SEAT_COLOURS[actor(s)]}
    return title_bar(plan.bar, headline(s, viewer, lang), lang, seats=seats, info=info)


HUES = {"mafdet": "amethyst", "bastet": "lapis", "mut": "clay", "princess": "malachite", "cleocatra": "gold"}


@group
def stock(s: State, lang: str, plan: Plan) -> list[Sprite]:
    """Deck, place of the tile turned up, and places of the inspectors."""
    box = plan.stock
    left = tiles.deck_size(s)
    rest = listed([f"{colour_name(c, lang)} {s.deck[c]}" for c in range(components.KINDS) if s.deck[c]], lang)
    alt = say("board.deck", lang, number=left, rest=rest) if left else say("board.deck_empty", lang)
    x, y, side = layout.deck_place(plan)
    found = [box.sprite("stock", "panel")]
    if not left:
        found.append(Sprite("deck", "tile-gone", x, y, side, side * RISE, alt=alt))
    for k in range(min(left, 4)):
        top = k == min(left, 4) - 1
        found.append(
            Sprite("deck" if top else f"deck-{k}", "tile-back", x, y + 3 - 3 * k, side, side * RISE, alt=alt if top else "")
        )
    x, y, side = layout.revealed_place(plan)
    if not s.revealed:
        found.append(Sprite("revealed", "tile-gone", x, y, side, side * RISE))
    for k in range(components.INSPECTORS):
        x, y, w, h = layout.in_reserve(plan, k)
        found.append(Sprite(f"inspector-slot-{k}", "inspector-slot", x, y, w, h))
    if plan.wide:
        y = box.y + box.h - 12
        words = say("scene.deck", lang, number=left), say("scene.revealed", lang), say("scene.inspectors", lang)
        places = layout.deck_place(plan)[0], layout.revealed_place(plan)[0], layout.in_reserve(plan, 1)[0]
        for number, (text, x) in enumerate(zip(words, places, strict=True)):
            found.append(Sprite(f"stock-text-{number}", x=x, y=y, text=text, size=fitting(text, 13, 80)))
        return found
    found.append(Sprite("stock-text-0", "pip", box.x + 64, box.y + 14, 24, 24, text=str(left), size=13, bold=True))
    for c in range(components.KINDS):
        x, cat = box.x + 94 + c * 34, components.CATS[c]
        alt = say("scene.left", lang, colour=colour_name(c, lang), number=s.deck[c])
        found.append(Sprite(f"left-{c}", f"cat-{cat}", x, box.y + 22, 32, 32, dim=not s.deck[c], alt=alt))
        found.append(Sprite(f"left-mark-{c}", f"mark-{cat}", x - 8, box.y + 51, 13, 13, colour=HUES[cat]))
        found.append(Sprite(f"left-text-{c}", x=x + 7, y=box.y + 51, text=str(s.deck[c]), size=14, bold=True))
    return found


@group
def cats(s: State, lang: str, plan: Plan) -> list[Sprite]:
    """The five cats: how many are in the deck, and in hard mode their powers."""
    box = plan.cats
    if not box.h:
        return []
    found = [box.sprite("cats", "panel")]
    high = min(44.0, (box.h - 6) / components.KINDS)
    top, side = box.mid_y - high * components.KINDS / 2, min(42.0, high + 4)
    for c in range(components.KINDS):
        y = top + (c + 0.5) * high
        cat, colour = cat_name(c, lang), colour_name(c, lang)
        name = say("scene.cat", lang, cat=cat, colour=colour)
        symbol = f"tile-{components.CATS[c]}-up"
        found.append(Sprite(f"cat-{c}", symbol, box.x + 25, y, side, side * RISE, alt=name))
        left = box.x + 50
        if s.mode == Mode.HARD:
            found.append(Sprite(f"power-{c}", f"power-{components.CATS[c]}", left + 11, y, 26, 26))
            left += 29
            power = say(f"power.{components.CATS[c]}", lang, bonus=components.CLEOCATRA_BONUS)
            size = fitting(power, 12.5, box.x + box.w - left - 6)
            found.append(Sprite(f"cat-power-{c}", x=left, y=y + 8, text=power, size=size, align="start"))
        shift = -7 if s.mode == Mode.HARD else 0
        found.append(Sprite(f"cat-name-{c}", x=left, y=y + shift, text=name, size=13, bold=True, align="start"))
        if plan.wide:
            x = box.x + box.w - 9
            alt = say("scene.left", lang, colour=colour, number=s.deck[c])
            found.append(Sprite(f"left-{c}", "tile-back", x - 20, y + shift, 15, 15 * RISE, dim=not s.deck[c], alt=alt))
            found.append(Sprite(f"left-text-{c}", x=x, y=y + shift, text=str(s.deck[c]), size=14, bold=True, align="end"))
    return found
