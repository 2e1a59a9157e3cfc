"""The drawn table of Imhotep: where everything lies, what a person clicks, and the pictures of the guide.

A ship keeps its id from the harbour to its dock. The stones of a player are alike and are named after their places; the pool of
their sprites, the quarry, tells the browser that a stone which left one place is the stone that came to another, and their order
that they are unloaded one by one. Cards on offer lie there twice, so that one glides to the hand of whoever takes it.
"""

from __future__ import annotations

from collections.abc import Iterator

from perankh.engine.text import listed
from perankh.scene import SHAPES, Scene, Sprite
from perankh.scene.layout import Box, badge, button, fitting, in_rows, label, length, title_bar

from .cards import hidden_kind
from .face import prompt, sentence
from .layout import CARD, MINI, SEAT_COLOURS, TRACK, Plan, capital, plan_of
from .log import verdict, winners
from .monuments import block, burial, obelisk, open_actions, pyramid, shown_actions, stone, temple
from .pictures import PICTURES
from .possible import load_of, minimum
from .scoring import blue_points, burial_points, green_points, idol_points, obelisk_points, slot_points, wrath_points
from .speech import SHIP_LETTERS, WORDS, card_name, points_text, seat_name, site_name
from .table import (
    BESIDE_POINTS,
    BUILD,
    CAPACITY,
    CARDS,
    DECLINE,
    FETCH,
    GAME_END,
    GONE,
    KEEP,
    KINDS,
    LEVER,
    LEVER_ORDER,
    LOAD,
    MARKET,
    NONE,
    OBELISKS,
    OFFER,
    ORDER,
    OVER,
    PAIR,
    PAIR_SLOT,
    PASS,
    PER_STONE,
    PLAY,
    POINT,
    PYRAMID_A,
    PYRAMID_B,
    REDS,
    REJECTED,
    ROUND_CARDS,
    ROUNDS,
    SAIL,
    SAIL_SITE,
    SHIPS,
    SIDE_B,
    SITES,
    SLED,
    SLOTS,
    SPACES,
    TAKE,
    TEMPLE_POINTS,
    WAITING,
    State,
    capacity,
)

__all__ = ["PICTURES", "SEAT_COLOURS", "breakdown", "paths", "scene"]

# --- The scene --------------------------------------------------------------------------------------------------


def scene(s: State, viewer: int, lang: str, shape: str) -> Scene:
    """The table as a viewer sees it, in a language and a shape."""
    plan = plan_of(s, viewer, shape)
    sprites = [
        *bar(s, viewer, lang, plan),
        *(sprite for site in range(len(SITES)) for sprite in ground(s, viewer, site, lang, plan)),
        *harbour(s, lang, plan),
        *piles(s, lang, plan),
        *track(s, lang, plan),
        *(sprite for p in range(s.players) for sprite in seat(s, p, viewer, lang, plan)),
        *(sprite for ship in range(SHIPS) for sprite in ship_sprites(s, viewer, ship, lang, plan)),
        *pyramid(s, viewer, lang, plan),
        *temple(s, lang, plan),
        *burial(s, lang, plan),
        *obelisk(s, lang, plan),
        *market(s, lang, plan),
        *buttons(s, viewer, lang, plan),
    ]
    return Scene(SHAPES[shape], plan.height, sprites, f"{WORDS.say('game.name', lang)}: {headline(s, viewer, lang)}")


def emblem(name: str, p: int, x: float, y: float, size: float, alt: str = "") -> Sprite:
    """The mark of a seat."""
    return Sprite(name, f"emblem-{p}", x, y, size, size, colour=SEAT_COLOURS[p], alt=alt)


def headline(s: State, viewer: int, lang: str) -> str:
    """What is to be decided, or who has won."""
    if s.step == OVER:
        return verdict(s, lang)
    asked = prompt(s, s.chooser, lang)
    return asked if s.chooser == viewer else WORDS.say("board.asked", lang, who=seat_name(s.chooser, lang), prompt=asked)


def bar(s: State, viewer: int, lang: str, plan: Plan) -> list[Sprite]:
    """Who decides what, and how far the game is."""
    info = WORDS.say("scene.round" if plan.wide else "scene.round_short", lang, round=s.round, rounds=ROUNDS)
    seats = {} if s.step == OVER else {s.chooser: SEAT_COLOURS[s.chooser]}
    return title_bar(plan.bar, headline(s, viewer, lang), lang, seats=seats, info=info)


def side_of(s: State, site: int) -> int:
    """The side of a site: 0 or SIDE_B."""
    return int(getattr(s, f"{SITES[site]}_side"))


def ground(s: State, viewer: int, site: int, lang: str, plan: Plan) -> list[Sprite]:
    """The board of a site: name, side and dock."""
    box, dock = plan.sites[site], plan.docks[site]
    name = capital(site_name(site, lang))
    title = WORDS.say("board.site", lang, site=name, side="AB"[side_of(s, site)])
    big = 34.0 if plan.wide else 22.0
    y = box.y + (25 if plan.wide else 13)
    size = fitting(name, 17.0 if plan.wide else 15.0, dock.x - box.x - big - 38 if plan.wide else 250, True)
    found = [
        box.sprite(f"site-{SITES[site]}", "site", title),
        Sprite(f"site-icon-{site}", f"icon-{SITES[site]}", box.x + 6 + big / 2, y, big, big),
        label(f"site-name-{site}", name, box.x + big + 11, y, size, bold=True, align="start"),
    ]
    left = box.x + big + (21 if lang == "en" else 14) + length(name, size, True)
    found.append(Sprite(f"site-side-{site}", "tag", left + 10, y, 20, 20, text="AB"[side_of(s, site)], size=12, bold=True))
    to_sail = {(a - SAIL) % len(SITES) for a in shown_actions(s, viewer) if SAIL <= a < PLAY}
    alt = WORDS.say("scene.dock", lang, site=site_name(site, lang))
    found.append(dock.sprite(f"dock-{SITES[site]}", "dock-open" if site in to_sail else "dock", alt))
    if not plan.wide:
        short = WORDS.say(f"scene.berth.{SITES[site]}", lang)
        found.append(label(f"dock-name-{site}", short, dock.mid_x, dock.y + 13, fitting(short, 13, 66, True), bold=True))
        if 1 + site not in s.berth:
            found.append(Sprite(f"dock-icon-{site}", f"icon-{SITES[site]}", dock.mid_x, dock.y + 36, 27, 27))
    elif 1 + site not in s.berth:
        found.append(Sprite(f"anchor-{site}", "anchor", dock.mid_x, dock.mid_y, 24, 24, colour="alabaster"))
    return found


# --- Ships ------------------------------------------------------------------------------------------------------


def harbour(s: State, lang: str, plan: Plan) -> list[Sprite]:
    """The river where ships wait; at the end of the game the points by source lie there."""
    box = plan.harbour
    found = [box.sprite("harbour", "river" if plan.wide else "river-flat", WORDS.say("scene.harbour", lang))]
    if s.step == OVER:
        inside = box.inside(8 if plan.wide else 3)
        return [*found, *(result(s, lang, inside) if plan.wide else flat_result(s, lang, inside))]
    if not plan.wide:
        return found
    text = WORDS.say("scene.harbour", lang)
    found.append(label("harbour-text", text, box.mid_x, box.y + 15, fitting(text, 14, box.w - 16, True), bold=True))
    return found


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


SOURCE_ICONS = {site: f"icon-{site}" for site in SITES} | {
    "blue": "mini-lever",
    "green": "mini-deco_pyramid",
    "idols": "mini-idol",
}


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


def ship_place(s: State, ship: int, plan: Plan) -> tuple[float, float, float]:
    """The upper left corner of a ship, and its scale."""
    wide = 72 + 36 * capacity(s, ship)
    ordering = s.step == LEVER_ORDER and ship == s.ship - 1 and not plan.wide  # large enough to point at its stones
    if s.berth[ship] == WAITING or ordering:
        box, scale = plan.moorings[ship], plan.scale
        return box.x + 6, box.y + 4, scale
    box, scale = plan.docks[s.berth[ship] - 1], plan.dock_scale
    down = 4.0 if plan.wide else 31.0
    return box.mid_x - wide * scale / 2, box.y + down, scale


def space_place(s: State, ship: int, space: int, plan: Plan) -> tuple[float, float, float]:
    """The middle of a space of a ship, and the scale."""
    x, y, scale = ship_place(s, ship, plan)
    return x + (64 + 36 * space) * scale, y + 21 * scale, scale


def stone_on(s: State, ship: int, space: int, p: int, plan: Plan, lang: str, order: int) -> Sprite:
    """A stone on a ship."""
    x, y, scale = space_place(s, ship, space, plan)
    alt = WORDS.say("scene.aboard", lang, who=seat_name(p, lang), ship=SHIP_LETTERS[ship], space=space + 1)
    return aboard(block(f"stone-{ship}-{space}", p, x, y - 2 * scale, 32 * scale, order, alt), ship)


def aboard(stone: Sprite, ship: int) -> Sprite:
    """A stone that sails with a ship."""
    stone.on = f"ship-{ship}"
    return stone


def ship_sprites(s: State, viewer: int, ship: int, lang: str, plan: Plan) -> Iterator[Sprite]:
    """A ship with its spaces and stones, and whether it may sail."""
    if s.berth[ship] == GONE:
        return
    n = capacity(s, ship)
    x, y, scale = ship_place(s, ship, plan)
    wide = (72 + 36 * n) * scale
    waits = s.berth[ship] == WAITING
    ready = waits and load_of(s, ship) >= minimum(s, ship)
    if ready:
        state = WORDS.say("board.ready", lang)
    elif waits:
        state = WORDS.say("board.needs", lang, n=minimum(s, ship))
    else:
        state = WORDS.say("board.docked", lang, site=site_name(s.berth[ship] - 1, lang))
    alt = WORDS.say("scene.ship", lang, ship=SHIP_LETTERS[ship], spaces=n, state=state)
    yield Sprite(f"ship-{ship}", f"ship-{n}", x + wide / 2, y + 29 * scale, wide, 58 * scale, alt=alt)
    actions = shown_actions(s, viewer)
    for space in range(n):
        at = space_place(s, ship, space, plan)
        a = LOAD + SPACES * ship + space
        if s.cargo[ship][space]:
            yield stone_on(s, ship, space, s.cargo[ship][space] - 1, plan, lang, 1 + SPACES + space)  # after those lined up
        elif a in actions:
            text = sentence(s, s.chooser, a, lang)
            yield Sprite(f"space-{ship}-{space}", "space", at[0], at[1], 33 * scale, 28 * scale, alt=text)
        else:
            yield Sprite(f"idle-{ship}-{space}", "space-idle", at[0], at[1], 33 * scale, 27 * scale)
    if ship == s.ship - 1:
        yield from unloading(s, ship, lang, plan)
    big = 20.0 if plan.wide and waits else 17.0 if plan.wide else 16.0
    tag_x, tag_y = x + 20 * scale, y + (48 if plan.wide and waits else 50) * scale
    if scale == plan.dock_scale and not plan.wide:
        tag_x, tag_y = x - 1, y + 9
        tag_x = max(tag_x, plan.docks[s.berth[ship] - 1].x + 8)
    yield Sprite(f"letter-{ship}", "tag", tag_x, tag_y, big, big, text=SHIP_LETTERS[ship], size=12 if big > 16 else 11, bold=True)
    if waits:
        text = WORDS.say("scene.ready" if ready else "scene.needs", lang, n=minimum(s, ship))
        size = 13.0 if plan.wide else 11.0
        room = length(text, size, True) + 12
        left = x + 36 * scale if plan.wide else x + 32 * scale
        middle = y + 72 * scale if plan.wide else y + 50
        symbol = "bubble-ready" if ready else "bubble"
        high = 20.0 if plan.wide else 15.0
        yield Sprite(f"status-{ship}", symbol, left + room / 2, middle, room, high, text=text, size=size, bold=ready, alt=state)


def unloading(s: State, ship: int, lang: str, plan: Plan) -> Iterator[Sprite]:
    """Stones that have been lined up to leave a ship: those still to come; at the market the served ones faintly."""
    free = [space for space in range(SPACES) if s.cargo[ship][space] == 0]
    for i in range(SPACES):
        if not s.queue[i]:
            return
        p = s.queue[i] - 1
        if s.step == LEVER_ORDER:
            x, y, scale = space_place(s, ship, free[i], plan)
            alt = WORDS.say("scene.next", lang, who=seat_name(p, lang), n=i + 1)
            lined_up = aboard(block(f"next-{i}", p, x, y, 30 * scale, 1 + i, alt), ship)
            lined_up.dim = True
            yield lined_up
            yield label(f"next-text-{i}", str(i + 1), x, y - 2, 12, bold=True)
        elif i >= s.served or (s.berth[ship] == 1 + MARKET and s.market_return != PER_STONE):
            waiting = stone_on(s, ship, i, p, plan, lang, 1 + i)
            waiting.dim = i < s.served
            yield waiting


# --- Market and cards -------------------------------------------------------------------------------------------


def market(s: State, lang: str, plan: Plan) -> Iterator[Sprite]:
    """The offers; cards on offer that would go to a hand lie there twice, so that they glide."""
    body = plan.body(MARKET)
    step = body.w / SLOTS
    wide = min(body.h / CARD, step - 4)
    high = wide * CARD
    for slot in range(SLOTS):
        x = body.x + (slot + 0.5) * step
        yield Sprite(f"place-{slot}", "card-gone", x, body.mid_y, wide, high)
        if slot == PAIR_SLOT and s.market_side == SIDE_B:
            yield from pair(s, lang, x, body, wide)
        elif s.market[slot]:
            kind = s.market[slot] - 1
            first = s.market.index(1 + kind) == slot
            if s.step == OFFER and kind >= REDS and first:
                name = f"held-{s.chooser}-{kind}-{s.held[s.chooser][kind]}"
                yield Sprite(name, f"mini-{CARDS[kind]}", x, body.mid_y - high * 0.1, wide * 0.6, wide * 0.6 * MINI)
            yield from card(f"offer-{slot}", kind, x, body.mid_y, wide, lang)


def pair(s: State, lang: str, x: float, body: Box, wide: float) -> Iterator[Sprite]:
    """The pair of side B, open for whoever looks at it."""
    for i in range(PAIR):
        kind = hidden_kind(s, i)
        at, down = x + (i - 0.5) * wide * 0.2, body.mid_y + (i - 0.5) * wide * 0.12
        if kind >= 0:
            # Two open cards need more room; they may cover the empty neighbours.
            at = x - wide * (0.98 if i == 0 else -0.06)
            yield from card(f"hidden-{i}", kind, at, down, wide, lang)
        elif s.hidden[i] != NONE:
            alt = WORDS.say("board.face_down", lang)
            yield Sprite(f"hidden-{i}", "back", at, down, wide * 0.82, wide * 0.82 * CARD, alt=alt)


def card(name: str, kind: int, x: float, y: float, wide: float, lang: str) -> Iterator[Sprite]:
    """A market card with its name and what it does in a few words."""
    high = wide * CARD
    alt = card_alt(kind, lang)
    yield Sprite(name, f"card-{CARDS[kind]}", x, y, wide, high, alt=alt)
    for line, key in enumerate(("short", "gist")):
        text = WORDS.say(f"scene.{key}.{CARDS[kind]}", lang)
        bold = line == 0 and length(text, 13, True) < wide * 0.88
        size = fitting(text, 12, wide * 0.84)
        yield label(f"{name}-{key}", text, x, y + high * (0.225 + 0.155 * line), size, bold=bold)


def card_alt(kind: int, lang: str) -> str:
    """A card and what it does."""
    return WORDS.say("scene.card", lang, card=card_name(kind, lang), text=WORDS.say(f"scene.does.{CARDS[kind]}", lang))


def piles(s: State, lang: str, plan: Plan) -> list[Sprite]:
    """Deck, discard pile, cards being resolved, and the round cards to come."""
    box = plan.piles
    found = [box.sprite("piles", "panel")]
    wide, y = (42.0, box.y + 36) if plan.wide else (34.0, box.y + 28)
    gone = sum(s.discard) + s.buried + sum(1 for card in s.hidden[REJECTED:] if card != NONE)
    for number, (name, n) in enumerate((("deck", s.deck), ("discard", gone))):
        x = box.x + 30 + number * 108
        text = WORDS.say(f"scene.{name}", lang, n=n)
        alt = text if name == "deck" else discard_alt(s, text, lang)
        found.append(Sprite(name, "pile-back" if n else "card-gone", x, y, wide, wide * MINI, alt=alt, dim=name == "discard"))
        for line, part in enumerate((WORDS.say(f"scene.{name}_name", lang), str(n))):
            size = fitting(part, 13 if line == 0 else 18, 54)
            found.append(label(f"{name}-{line}", part, x + 28, y - 9 + line * 20, size, bold=line == 1, align="start"))
    shown = [s.played - 1] if s.played else []
    shown += [kind for kind in range(REDS) for _ in range(s.red[kind])]
    for number, kind in enumerate(shown):
        x = box.right - 26 - number * 16
        found.append(Sprite(f"playing-{number}", f"mini-{CARDS[kind]}", x, y, wide, wide * MINI, alt=card_alt(kind, lang)))
    left = [number for number in range(ROUND_CARDS) if not s.turned[number]] if s.round < ROUNDS else []
    if left:
        text = WORDS.say("scene.coming", lang)
        y = box.y + (78 if plan.wide else 62)
        found.append(label("coming", text, box.x + 10, y, fitting(text, 13, box.w - 20), align="start"))
        per_row = 4 if plan.wide else 6
        step = (box.w - 16) / per_row
        for number, round_card in enumerate(left):
            row, col = divmod(number, per_row)
            sizes = " ".join(str(n) for n in CAPACITY[s.players - 2][round_card])
            x, y = box.x + 8 + (col + 0.5) * step, box.y + (102 if plan.wide else 86) + row * 26
            alt = WORDS.say("scene.round_card", lang, ships=sizes)
            found.append(Sprite(f"round-card-{round_card}", "bubble", x, y, step - 5, 22, text=sizes, size=12.5, alt=alt))
    elif s.step != OVER:
        text = WORDS.say("scene.last_round", lang)
        found.append(label("coming", text, box.x + 10, box.y + 86, fitting(text, 13, box.w - 20), align="start"))
    return found


def discard_alt(s: State, text: str, lang: str) -> str:
    """The discard pile and what everybody knows of it."""
    names = [f"{card_name(kind, lang)} x{s.discard[kind]}" for kind in range(KINDS) if s.discard[kind]]
    return f"{text}: {listed(names, lang)}" if names else text


# --- Players and points -----------------------------------------------------------------------------------------


def seat(s: State, p: int, viewer: int, lang: str, plan: Plan) -> Iterator[Sprite]:
    """A player: mark, name, points, sled, quarry and cards."""
    box = plan.seats[p]
    acting = s.step != OVER and p == s.chooser
    won = p in winners(s)
    alt = WORDS.say("scene.seat", lang, who=seat_name(p, lang), points=s.score[p], sled=s.sled[p], quarry=s.quarry[p])
    yield box.sprite(f"panel-{p}", "panel-active" if acting or won else "panel", alt)
    size = 34.0 if plan.wide else 28.0
    y = box.y + (23 if plan.wide else 18)
    yield emblem(f"mark-{p}", p, box.x + 6 + size / 2, y, size)
    name = seat_name(p, lang)
    if p == viewer:
        name += WORDS.say("board.you", lang)
    left = box.x + size + 12
    room = box.w - size - 96 if plan.wide else 68
    yield label(f"name-{p}", name, left, y, fitting(name, 17.0 if plan.wide else 13.0, room, True), bold=True, align="start")
    if plan.wide:
        right = box.right - 12
        yield label(f"score-{p}", str(s.score[p]), right, y, 28, bold=True, align="end", alt=points_text(s.score[p], lang))
        x = box.right - 66 if s.score[p] < 100 else box.right - 82
        if won:
            yield Sprite(f"crown-{p}", "crown", x - 4, y, 28, 21)
        elif p == s.turn and s.step != OVER:
            yield Sprite(f"turn-{p}", "ankh", x, y, 17, 24, colour="gold", alt=WORDS.say("scene.turn", lang))
    else:
        yield label(
            f"score-{p}", str(s.score[p]), box.right - 8, y, 22, bold=True, align="end", alt=points_text(s.score[p], lang)
        )
        if won:
            yield Sprite(f"crown-{p}", "crown", box.right - 46, y, 22, 16)
        elif p == s.turn and s.step != OVER:
            yield Sprite(f"turn-{p}", "ankh", box.right - 46, y, 13, 18, colour="gold", alt=WORDS.say("scene.turn", lang))
    x, y, wide = sled_place(plan, p, 0)
    end = sled_place(plan, p, SLED - 1)[0]
    sled = Box(x - wide * 0.85, y - wide * 0.42, end - x + wide * 1.7, wide * 1.12)
    yield sled.sprite(f"sled-{p}", "sled", WORDS.say("scene.sled", lang, n=s.sled[p]))
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


# --- What one clicks --------------------------------------------------------------------------------------------


def button_text(s: State, a: int, lang: str) -> str:
    """What is written on a button."""
    if a == PASS:
        return WORDS.say("scene.pass", lang)
    if a == DECLINE:
        return WORDS.say("scene.decline", lang)
    if a == POINT:
        return points_text(TEMPLE_POINTS[s.temple_side][s.cell - 1], lang)
    return WORDS.say("scene.fetch", lang, n=a - FETCH)


def is_button(a: int) -> bool:
    """Whether an action has no piece of its own."""
    return a <= POINT or a == DECLINE


def button_id(a: int) -> str:
    """The id of the button of such an action."""
    names = {PASS: "pass", POINT: "point", DECLINE: "decline"}
    return f"do-{names[a]}" if a in names else f"do-fetch-{a - FETCH}"


def buttons(s: State, viewer: int, lang: str, plan: Plan) -> Iterator[Sprite]:
    """The choices that are not made on a piece; without any, what the marks of the cards mean."""
    box = plan.buttons
    actions = [a for a in shown_actions(s, viewer) if is_button(a)]
    if not actions:
        yield from key(lang, plan)
        return
    per_row = (2 if len(actions) > 1 else 1) if plan.wide else 4
    wide = min(150.0, (box.w - 6 * (per_row - 1)) / per_row)
    places = in_rows(box, len(actions), per_row, (wide, 44 if plan.wide else 38), (6, 4))
    for a, place in zip(actions, places, strict=True):
        yield button(button_id(a), button_text(s, a, lang), place, sentence(s, s.chooser, a, lang))


def key(lang: str, plan: Plan) -> Iterator[Sprite]:
    """The marks of the four colours of cards."""
    box = plan.buttons
    kinds = {"red": 0, "green": REDS, "purple": REDS + 4, "blue": LEVER}
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


def paths(s: State, p: int) -> dict[int, tuple[str, ...]]:
    """What p clicks for each choice: a space; a ship and a dock; a card; a pyramid; a stone; or a button."""
    found: dict[int, tuple[str, ...]] = {}
    for a in open_actions(s, p):
        if is_button(a):
            found[a] = (button_id(a),)
        elif a < SAIL:
            ship, space = divmod(a - LOAD, SPACES)
            found[a] = (f"space-{ship}-{space}",)
        elif a < PLAY:
            ship, site = divmod(a - SAIL, len(SITES))
            dock = f"dock-{SITES[site]}"
            found[a] = (dock,) if s.step == SAIL_SITE else (f"ship-{ship}", dock)
        elif a < TAKE:
            kind = LEVER + a - PLAY
            found[a] = (f"held-{p}-{kind}-{s.held[p][kind] - 1}",)
        elif a < KEEP:
            found[a] = (offer_id(s, a - TAKE),)
        elif a < BUILD:
            found[a] = (f"hidden-{0 if hidden_kind(s, 0) == a - KEEP else 1}",)
        elif a < ORDER:
            found[a] = (f"build-{a - BUILD}",)
        else:
            ship, owner = s.ship - 1, a - ORDER
            found[a] = (f"stone-{ship}-{s.cargo[ship].index(1 + owner)}",)
    return found


def offer_id(s: State, slot: int) -> str:
    """The sprite of an offer."""
    if slot == PAIR_SLOT and s.market_side == SIDE_B:
        return "hidden-1" if s.hidden[1] != NONE else "hidden-0"
    return f"offer-{slot}"


def breakdown(s: State, lang: str) -> list[tuple[str, list[int]]]:
    """Points by source, by name."""
    return [(WORDS.say(f"scene.source.{source}", lang), row) for source, row in points_by_source(s).items()]


def points_by_source(s: State) -> dict[str, list[int]]:
    """Points by source; what neither pyramid nor obelisks nor the final scoring explains came from the temple."""
    seats = range(s.players)
    built = [pyramid_points(s, p) for p in seats]
    obelisks = [erected_points(s, p) for p in seats]
    rows = {"pyramid": built, "temple": [0] * s.players, "burial": [0] * s.players, "obelisk": obelisks}
    if s.step == OVER:
        rows["burial"] = [burial_points(s, p) for p in seats]
        rows["obelisk"] = [obelisks[p] + obelisk_points(s, p) for p in seats]
        rows |= {"blue": [blue_points(s, p) for p in seats], "green": [green_points(s, p) for p in seats]}
        rows["idols"] = [idol_points(s, p) for p in seats]
        if s.wrath:
            rows["wrath"] = [-wrath_points(s, p) for p in seats]
    rows["temple"] = [s.score[p] - sum(row[p] for row in rows.values()) for p in seats]
    return rows


def pyramid_points(s: State, p: int) -> int:
    """What the stones of p at the pyramid have earned."""
    points = BESIDE_POINTS[s.pyramid_side] * s.beside[p]
    values = [n for row in PYRAMID_B for n in row] if s.pyramid_side == SIDE_B else list(PYRAMID_A)
    return int(points) + sum(int(n) for n, taken in zip(values, s.pyramid, strict=False) if taken == 1 + p)


def erected_points(s: State, p: int) -> int:
    """What the erected obelisks of p have earned at once."""
    if s.obelisk_side != SIDE_B or s.obelisk_b_pay == GAME_END:
        return 0
    return sum(slot_points(slot) for slot in range(OBELISKS) if s.erected[slot] == 1 + p)
