"""The drawn table of Maqha: the glass or the tray, the lots with their bids, what a person clicks, the pictures of the guide.

Everything is drawn from a veiled state: the dome from its last reading (MAQ-G15), sealed bids of others as backs.
"""

from __future__ import annotations

from dataclasses import dataclass

from perankh.scene import SHAPES, Scene, Sprite
from perankh.scene.layout import Box, fitting, icon_button, length, paragraph, title_bar

from .board import WORDS, asked, bid_name, card_name, joined, notes, seat_name, vessel_name
from .face import seconds, sentence, told_end
from .layout import (
    BID_SHAPE,
    BUTTONS,
    CARD_SHAPE,
    ICONS,
    MINI_SHAPE,
    SLOT_LETTERS,
    Plan,
    open_actions,
    plan_of,
)
from .layout import SEAT_COLOURS as SEAT_COLOURS
from .pictures import PICTURES as PICTURES
from .rules import actors, struck_out
from .scoring import last_lot_doubles, points, ranks, sets
from .table import (
    ACCIDENT,
    ALL,
    ANSWERED_RAISE,
    ASIDE,
    BANKED,
    BID,
    BIDDING,
    CARD_KIND,
    CARD_POINTS,
    CARD_TOKENS,
    CARDS,
    CARRIED,
    CELL,
    DROP,
    EYE,
    FAILED,
    FIRST_HALF,
    HANDS,
    HELD,
    KINDS,
    LAST_LOT_TIMES,
    MARKERS,
    NOBODY,
    NUMBERS,
    OVER,
    RAISE,
    SEATS,
    SET_BONUS,
    SINGLE,
    SLOT,
    SLOTS,
    THROW,
    TOKENS,
    State,
    half_end,
    holds,
    is_classic,
)
from .vessel import (
    first_in_hand,
    supply,
    vessel,
)

# --- The scene ------------------------------------------------------------------------------------------------


def scene(s: State, viewer: int, lang: str, shape: str) -> Scene:
    """The table as a viewer sees it, in a language and a shape."""
    plan = plan_of(s, viewer, shape)
    sprites = [*bar(s, viewer, lang, plan), *vessel(s, viewer, lang, plan)]
    if not is_classic(s):
        sprites += market(s, lang, plan)
    for p in range(s.players):
        sprites += seat(s, p, viewer, lang, plan)
    sprites += supply(s, viewer, lang, plan)
    if not is_classic(s):
        sprites += [*lots(s, lang, plan), *bids(s, viewer, lang, plan), *hand(s, viewer, lang, plan)]
        sprites += mask(s, lang, sprites)
    sprites += buttons(s, viewer, lang, plan)
    return Scene(SHAPES[shape], plan.height, sprites, f"{WORDS.say('game.name', lang)}: {headline(s, viewer, lang)}")


def headline(s: State, viewer: int, lang: str) -> str:
    """What is to be decided, or who has won."""
    if s.step == OVER:
        lines = told_end(s, lang)
        return lines[0] + ("" if lang == "ja" else " ") + lines[-1]
    return asked(s, viewer, lang)[-1]


def bar(s: State, viewer: int, lang: str, plan: Plan) -> list[Sprite]:
    """Who decides what, and how far the game is."""
    waiting = [p for p in range(s.players) if actors(s) >> p & 1]
    seats = {p: SEAT_COLOURS[p] for p in ([viewer] if viewer in waiting else waiting)}
    info = ""
    if plan.wide and is_classic(s):
        info = f"{WORDS.say('option.rules.classic', lang)} · {vessel_name(s, lang)}"
    elif plan.wide:
        rounds = (CARDS + SLOTS - 1) // SLOTS
        info = WORDS.say("scene.round", lang, round=(s.dealt + SLOTS - 1) // SLOTS, rounds=rounds)
        info = f"{vessel_name(s, lang)} · {info}"
    return title_bar(plan.bar, headline(s, viewer, lang), lang, seats=seats, info=info)


# --- Lots and bids --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Market:
    """The measures of the market: columns of slots, lots on top, a row of bids for each seat."""

    box: Box
    left: float
    step: float
    gap: float
    card: float  # height of a score card
    lots: float  # where lots begin, and how far down they may reach
    rows: float  # where the rows of bids begin
    row: float
    foot: float  # where the last strip begins

    def x(self, k: int) -> float:
        """The middle of a column."""
        return self.left + (k + 0.5) * self.step + (self.gap if k >= FIRST_HALF else 0)

    def y(self, p: int) -> float:
        """The middle of a row."""
        return self.rows + (p + 0.5) * self.row

    @property
    def bid(self) -> float:
        """The height of a bid card."""
        return min(self.row - 5, (self.step - 6) / BID_SHAPE)


def market_of(s: State, plan: Plan) -> Market:
    """The measures of a shape."""
    box = plan.market
    if plan.wide:
        return Market(box, box.x + 30, 64, 6, 82, box.y + 30, box.y + 152, 256 / s.players, box.y + 414)
    return Market(box, box.x + 2, 37, 5, 48, box.y + 19, box.y + 86, 128 / s.players, box.y + 216)


def card_symbol(card: int, small: bool) -> tuple[str, str]:
    """The symbol of a score card, and what is to be written on it (only after the data file was edited)."""
    n = CARD_TOKENS[card]
    usual = n == CARD_POINTS[card] and 1 <= n <= 3
    prefix = "mini" if small else "card"
    return f"{prefix}-{KINDS[CARD_KIND[card]]}-{n if usual else 'n'}", "" if usual else str(CARD_POINTS[card])


def card_sprite(card: int, x: float, y: float, high: float, lang: str, small: bool = False) -> Sprite:
    """A score card."""
    symbol, text = card_symbol(card, small)
    alt = WORDS.say("scene.card", lang, card=card_name(card, lang), n=CARD_TOKENS[card])
    return Sprite(f"card-{card}", symbol, x, y, high * CARD_SHAPE, high, text=text, size=max(11, high * 0.2), bold=True, alt=alt)


def market(s: State, lang: str, plan: Plan) -> list[Sprite]:
    """The ground of the market: slots, rows, deck and markers."""
    m = market_of(s, plan)
    box = plan.market
    found = [box.sprite("market", "mat")]
    bidding = s.step == BIDDING
    if s.step != OVER:
        marked = range(s.shown, half_end(s)) if bidding else range(s.slot, s.slot + 1)
        for k in marked:
            high = m.foot - box.y - 4
            found.append(Sprite(f"column-{k}", "column", m.x(k), box.y + 2 + high / 2, m.step - 1, high))
    for k in range(SLOTS):
        big = 22.0 if plan.wide else 16.0
        used = k < s.slots
        letter = SLOT_LETTERS[k]
        found.append(
            Sprite(
                f"slot-{k}",
                "letter",
                m.x(k),
                m.lots - big * 0.62,
                big * 1.2,
                big,
                text=letter,
                size=big * 0.68 if plan.wide else 11.5,
                bold=True,
                ink="alabaster",
                dim=not used,
            )
        )
        found.append(Sprite(f"place-{k}", "slot", m.x(k), m.lots + m.card / 2 + 2, m.step - 4, m.card + 6, dim=not used))
        if used and k < s.shown and s.winner[k] < 0:
            size = m.step * 0.62
            found.append(
                Sprite(f"carry-{k}", "carry", m.x(k), m.lots + m.card / 2, size, size * 0.75, alt=WORDS.say("board.nobody", lang))
            )
    if plan.wide:
        for p in range(s.players):
            found.append(
                Sprite(f"row-{p}", f"emblem-{p}", box.x + 16, m.y(p), 24, 24, colour=SEAT_COLOURS[p], alt=seat_name(p, lang))
            )
    return found + foot(s, lang, plan, m)


def foot(s: State, lang: str, plan: Plan, m: Market) -> list[Sprite]:
    """The last strip of the market: deck, Eye, markers that are not out, and cards that wait, failed or were set aside."""
    high = plan.market.y + plan.market.h - m.foot - (14 if plan.wide else 4)
    y = m.foot + high / 2 + (2 if plan.wide else 0)
    wide = high * CARD_SHAPE
    x = plan.market.x + wide / 2 + 8
    left = CARDS - s.dealt
    found = []
    if left:
        found.append(Sprite("deck", "card-back", x, y, wide, high, alt=WORDS.say("board.deck", lang, n=left)))
        size = 17.0 if plan.wide else 12.0
        found.append(
            Sprite(
                "deck-count",
                "letter",
                x,
                y + high * 0.3,
                size * 1.8,
                size * 1.5,
                text=str(left),
                size=size * 0.95,
                ink="alabaster",
                bold=True,
            )
        )
    x += wide + 8
    if s.eye < 0:
        found.append(Sprite("eye", "bid-eye", x, y, wide, high, alt=WORDS.say("scene.eye_free", lang)))
    x += wide / 2 + 8
    out = [k for k in range(SLOTS) if s.proxy[k] >= 0]
    size = 24.0 if plan.wide else 13.0
    for n in range(len(out), MARKERS):
        found.append(
            Sprite(
                f"marker-{n}",
                "marker",
                x + size / 2,
                y + (n - (MARKERS - 1) / 2) * high / MARKERS,
                size,
                size * 26 / 30,
                alt=WORDS.say("scene.marker_free", lang),
            )
        )
    return found


def lots(s: State, lang: str, plan: Plan) -> list[Sprite]:
    """The cards that wait in slots, and those carried to the next round, failed, or set aside."""
    m = market_of(s, plan)
    found = []
    for k in range(s.slots):
        own = s.deck[s.dealt - s.slots + k]
        cards = [card for card in range(CARDS) if s.place[card] == SLOT + k]
        cards.sort(key=lambda card: (card != own, card))
        room = m.rows - m.lots - m.card - 3
        step = min(m.card * 0.3, room / max(1, len(cards) - 1))
        cards.reverse()  # the own card of the slot in front
        for n, card in enumerate(cards):
            found.append(card_sprite(card, m.x(k), m.lots + 2 + m.card / 2 + n * step, m.card, lang))
    high = plan.market.y + plan.market.h - m.foot - (26 if plan.wide else 4)
    right = plan.market.x + plan.market.w - 6
    for place, key in ((CARRIED, "carried"), (ASIDE, "aside"), (FAILED, "failed")):
        cards = [card for card in range(CARDS) if s.place[card] == place]
        if not cards:
            continue
        wide = high * CARD_SHAPE
        step = min(wide + 4, (150 if plan.wide else 90) / len(cards))
        y = m.foot + high / 2 + (16 if plan.wide else 0)
        for n, card in enumerate(cards):
            sprite = card_sprite(card, right - wide / 2 - (len(cards) - 1 - n) * step, y, high, lang)
            sprite.alt = WORDS.say(f"board.{key}", lang, lot=sprite.alt)
            found.append(sprite)
            if place == FAILED:
                found.append(Sprite(f"failed-{card}", "strike", sprite.x, sprite.y, wide * 0.7, high * 0.7))
        if plan.wide:
            found.append(Sprite("waits", x=right, y=m.foot + 6, text=WORDS.say(f"scene.{key}", lang), size=12, align="end"))
    return found


def own_id(p: int, card: int) -> str:
    """The id of a bid card of the viewer."""
    return "eye" if card == EYE else f"bid-{p}-{card}"


def bid_sprite(name: str, p: int, card: int, x: float, y: float, high: float, alt: str) -> Sprite:
    """A bid card: its face, or its back where the number is 0."""
    wide = high * BID_SHAPE
    if card == EYE:
        return Sprite(name, "bid-eye", x, y, min(wide, high * CARD_SHAPE), high, alt=alt)
    if not card:
        return Sprite(name, f"bid-back-{p}", x, y, wide, high, colour=SEAT_COLOURS[p], alt=alt)
    size = max(12.0, high * 0.46)
    return Sprite(name, f"bid-small-{p}", x, y, wide, high, colour=SEAT_COLOURS[p], text=str(card), size=size, bold=True, alt=alt)


def bids(s: State, viewer: int, lang: str, plan: Plan) -> list[Sprite]:
    """The bids made in this round: backs while they are sealed, faces and what became of them afterwards."""
    m = market_of(s, plan)
    found, marks = [], []
    markers = 0
    for k in range(s.slots):
        for p in range(s.players):
            if k >= s.fixed[p]:
                continue
            x, y, card = m.x(k), m.y(p), s.order[p][k]
            shown = k < s.shown
            words = {"who": seat_name(p, lang), "slot": SLOT_LETTERS[k]}
            alt = (
                WORDS.say("scene.bid", lang, card=bid_name(card, lang), **words)
                if card
                else WORDS.say("scene.sealed", lang, **words)
            )
            name = own_id(p, card) if p == viewer else f"order-{p}-{k}"
            sprite = bid_sprite(name, p, card, x, y, m.bid, alt)
            found.append(sprite)
            wide = m.bid * BID_SHAPE
            if not shown:
                if card:
                    size = m.bid * 0.36
                    marks.append(Sprite(f"seal-{p}-{k}", "seal", x + wide * 0.36, y + m.bid * 0.34, size, size))
            elif s.winner[k] == p:
                marks.append(Sprite(f"wins-{k}", "wins", x, y, wide, m.bid, alt=WORDS.say("scene.wins", lang, **words)))
            elif card != EYE and struck_out(s, p, k):
                marks.append(
                    Sprite(f"strike-{p}-{k}", "strike", x, y, wide * 0.8, m.bid * 0.8, alt=WORDS.say("scene.struck", lang))
                )
        if s.proxy[k] >= 0:
            size = m.bid * 0.5
            alt = WORDS.say("board.proxy", lang, who=seat_name(s.proxy[k], lang), passer=seat_name(s.winner[k], lang))
            y = m.y(s.proxy[k]) - m.bid * 0.28
            marks.append(Sprite(f"marker-{markers}", "marker", m.x(k) + m.bid * 0.3, y, size, size * 26 / 30, alt=alt))
            markers += 1
    return found + marks


def known_hand(s: State, p: int) -> list[int]:
    """The bid cards of which everybody knows that p has not shown them in this round."""
    used = {s.order[p][k] for k in range(min(s.fixed[p], s.shown))}
    mine = [*range(1, NUMBERS), EYE if s.eye == p else NUMBERS]
    return [card for card in mine if card not in used]


def hand(s: State, viewer: int, lang: str, plan: Plan) -> list[Sprite]:
    """The viewer's hand, large; for a spectator a reminder of who wins."""
    box = plan.hand
    found = [box.sprite("hand", "mat")]
    can = {a - BID + 1: sentence(s, viewer, a, lang) for a in open_actions(s, viewer) if BID <= a < THROW}
    if plan.wide:
        text = WORDS.say("scene.rule", lang)
        found.append(Sprite("hand-text", x=box.mid_x, y=box.y + box.h - 13, text=text, size=fitting(text, 13, box.w - 16)))
    if viewer < 0:
        if not plan.wide:
            found += paragraph(
                "hand-text", WORDS.say("scene.rule", lang), Box(box.x + 10, box.y, box.w - 20, box.h), (13, 12, 11), lang
            )
        else:
            found.append(Sprite("hand-eye", "bid-eye", box.mid_x, box.mid_y - 12, 80, 112))
        return found
    high = 124.0 if plan.wide else 92.0
    y = box.y + high / 2 + (8 if plan.wide else 4)
    step = 82.0 if plan.wide else 76.0
    for column, card in enumerate([*range(1, NUMBERS), EYE if s.eye == viewer else NUMBERS]):
        x = box.mid_x + (column - 2) * step
        if not holds(s, viewer, card):
            found.append(Sprite(f"gap-{column}", "slot", x, y, step - 12, high - 12, dim=True))
            continue
        alt = can.get(card, "") or WORDS.say("scene.in_hand", lang, who=seat_name(viewer, lang), card=bid_name(card, lang))
        sprite = Sprite(
            own_id(viewer, card),
            f"bid-{viewer}",
            x,
            y,
            min(step - 6, high * CARD_SHAPE),
            high,
            colour=SEAT_COLOURS[viewer],
            alt=alt,
        )
        sprite.height = sprite.width / CARD_SHAPE
        if card == EYE:
            sprite.symbol, sprite.colour = "bid-eye", ""
        else:
            sprite.text, sprite.size, sprite.bold = str(card), sprite.height * 0.34, True
        found.append(sprite)
    return found


# --- The players ----------------------------------------------------------------------------------------------


def status(s: State, p: int) -> str:
    """The symbol of what a seat is doing, or nothing."""
    waiting = actors(s) >> p & 1
    if s.step == OVER:
        return "drop" if s.spiller == p else ""
    if waiting:
        return "thinking"
    if s.step == BIDDING or (s.step == HANDS and p != s.thrower):
        return "answered"
    if s.step != HANDS and s.answered >> p & 1 and s.answer[p] and p != s.thrower:
        return "hand-up" if s.answer[p] >= ANSWERED_RAISE else "hand-down"
    return ""


def status_alt(p: int, symbol: str, lang: str) -> str:
    """The same in words."""
    keys = {"drop": "board.lost", "thinking": "scene.thinking", "answered": "board.answered"}
    if symbol in keys:
        return WORDS.say(keys[symbol], lang)
    return WORDS.say("log.raise" if symbol == "hand-up" else "log.stay", lang, who=seat_name(p, lang))


def seat(s: State, p: int, viewer: int, lang: str, plan: Plan) -> list[Sprite]:
    """A seat: name, points, what it is doing, its banked cards by kind, and the hand that everybody knows of."""
    box = plan.seats[p]
    active = actors(s) >> p & 1 or (s.step == HANDS and s.thrower == p)
    alt = f"{seat_name(p, lang)}: {WORDS.say('scene.points', lang, n=points(s, p))}"
    if s.real_vessel and s.step != OVER:
        alt = f"{alt} ({WORDS.say('do.accident', lang, who=seat_name(p, lang))})"
    found = [box.sprite(f"seat-{p}", "panel-active" if active else "panel", alt)]
    big, name = (32.0, 18.0) if plan.wide else (24.0, 14.0)
    top = box.y + (24 if plan.wide else 17)
    if is_classic(s):
        top = box.mid_y - 2
    left = box.x + 8 + big
    found.append(Sprite(f"emblem-seat-{p}", f"emblem-{p}", box.x + 6 + big / 2, top, big, big, colour=SEAT_COLOURS[p]))
    places = [0] * SEATS
    ranks(s, places)
    texts = notes(s, p, viewer, places[p], lang)
    if s.step == HANDS and s.thrower == p:
        texts[-1] = WORDS.say("scene.passes", lang)
    shown = {WORDS.say("board.answered", lang), WORDS.say("board.lost", lang)}  # told by the symbol beside
    said = joined([text for text in texts if text not in shown], lang)
    lift = name * 0.5 if said else 0
    found.append(Sprite(f"name-{p}", x=left + 5, y=top - lift, text=seat_name(p, lang), size=name, bold=True, align="start"))
    small = 12.5 if plan.wide else 11.0
    if said:
        found.append(Sprite(f"said-{p}", x=left + 5, y=top + name * 0.5, text=said, size=small, align="start"))
    right = box.x + box.w - 8
    symbol = status(s, p)
    if not is_classic(s):
        text = WORDS.say("scene.points", lang, n=points(s, p))
        size = 20.0 if plan.wide else 15.0
        found.append(Sprite(f"points-{p}", x=right, y=top - lift * 0.2, text=text, size=size, bold=True, align="end"))
        right -= length(text, size, True) + 6
    if symbol:
        size = 26.0 if plan.wide else 20.0
        if is_classic(s) and plan.wide:
            size = 38.0
        found.append(
            Sprite(f"status-{p}", symbol, right - size / 2, top - lift * 0.2, size, size, alt=status_alt(p, symbol, lang))
        )
    if is_classic(s):
        return found
    return found + banked(s, p, viewer, lang, plan) + hand_known(s, p, viewer, lang, plan)


def heights(p: int, viewer: int, plan: Plan) -> tuple[float, float]:
    """The heights of banked cards and of hand cards in a panel."""
    box = plan.seats[p]
    if not plan.wide:
        return 36.0, 27.0
    room = box.h - 56
    return (min(50.0, room), 0) if p == viewer else (min(48.0, room * 0.54), min(40.0, room * 0.44))


def banked(s: State, p: int, viewer: int, lang: str, plan: Plan) -> list[Sprite]:
    """The banked cards of a seat by kind, and the sets among them."""
    box = plan.seats[p]
    high, _ = heights(p, viewer, plan)
    wide = high * MINI_SHAPE
    y = box.y + (48 if plan.wide else 33) + high / 2
    group = (box.w - 16 - (44 if plan.wide else 36)) / len(KINDS)
    found = []
    for kind in range(len(KINDS)):
        cards = [card for card in range(CARDS) if s.place[card] == BANKED + p and CARD_KIND[card] == kind]
        x = box.x + 8 + kind * group + wide / 2
        if not cards:
            found.append(Sprite(f"none-{p}-{kind}", f"token-{KINDS[kind]}", x, y, wide * 0.8, wide * 0.8, dim=True))
        step = min(wide + 2, (group - wide - 3) / max(1, len(cards) - 1))
        for n, card in enumerate(cards):
            sprite = card_sprite(card, x + n * step, y, high, lang, small=True)
            sprite.width = wide
            sprite.alt = WORDS.say("scene.banked", lang, who=seat_name(p, lang), card=sprite.alt)
            found.append(sprite)
    size = 40.0 if plan.wide else 32.0
    x = box.x + box.w - 6 - size / 2
    alt = f"{WORDS.say('board.sets', lang)}: {sets(s, p)}"
    found.append(Sprite(f"sets-{p}", "sets", x, y - high * 0.2, size, size * 24 / 44, alt=alt))
    found.append(
        Sprite(f"sets-count-{p}", x=x, y=y + high * 0.26, text=f"× {sets(s, p)}", size=14 if plan.wide else 11.5, bold=True)
    )
    return found


def hand_known(s: State, p: int, viewer: int, lang: str, plan: Plan) -> list[Sprite]:
    """The hand of another seat; faint while some of its cards lie sealed, as nobody knows which."""
    if p == viewer:
        return []
    box = plan.seats[p]
    _, high = heights(p, viewer, plan)
    wide = high * BID_SHAPE
    y = box.y + box.h - high / 2 - 5
    found = []
    for n, card in enumerate(known_hand(s, p)):
        alt = WORDS.say("scene.in_hand", lang, who=seat_name(p, lang), card=bid_name(card, lang))
        name = "eye" if card == EYE else f"hand-{p}-{card}"
        sprite = bid_sprite(name, p, card, box.x + 10 + wide / 2 + n * (wide + 4), y, high, alt)
        sprite.dim = s.fixed[p] > s.shown
        found.append(sprite)
    return found


def mask(s: State, lang: str, sprites: list[Sprite]) -> list[Sprite]:
    """The mask lies on the lot that was banked last."""
    cards = [card for card in range(CARDS) if s.last_lot >> card & 1 and s.place[card] >= BANKED]
    if not cards:
        return []
    lot = [next(sprite for sprite in sprites if sprite.id == f"card-{card}") for card in cards]
    for sprite in lot:
        sprite.glow = True
    last = lot[-1]
    size = last.width * 0.75
    who = seat_name(s.place[cards[0]] - BANKED, lang)
    alt = WORDS.say("scene.mask", lang, who=who, lot=joined([card_name(card, lang) for card in cards], lang))
    return [Sprite("mask", "mask", last.x + last.width * 0.62, last.y + last.height * 0.22, size, size, alt=alt)]


# --- What one clicks ------------------------------------------------------------------------------------------


def button_name(a: int) -> str:
    """The name of an action's button."""
    if RAISE <= a < SINGLE:
        return f"raise-{a - RAISE}" if a > RAISE else "raise"
    return BUTTONS[a]


def button_actions(s: State, viewer: int) -> list[int]:
    """The choices that need a button."""
    return [a for a in open_actions(s, viewer) if a in BUTTONS or RAISE <= a < SINGLE]


def buttons(s: State, viewer: int, lang: str, plan: Plan) -> list[Sprite]:
    """The choices without a piece of their own."""
    box = plan.buttons
    actions = button_actions(s, viewer)
    stamps = [a for a in actions if RAISE < a < SINGLE]
    single = sorted((a for a in actions if a not in stamps), key=lambda a: a != RAISE)
    big = [(f"do-{button_name(a)}", button_name(a), sentence(s, viewer, a, lang)) for a in single]
    if s.real_vessel and open_actions(s, viewer):
        big.append(("do-accident", "accident", WORDS.say("scene.accident", lang)))
    if not big:
        return reminder(s, viewer, lang, plan)
    found = []
    ruler = 0.0 if not stamps else 40.0 if plan.wide else 20.0
    for (name, key, alt), place in zip(
        big, button_places(len(big), Box(box.x, box.y, box.w, box.h - ruler), plan.wide), strict=True
    ):
        text = WORDS.say(f"button.{key}", lang)
        icon = min(30.0, place.h - 12)
        size = fitting(text, 16.0, place.w - icon - 24, True)
        found += icon_button(name, text, place, alt, ICONS.get(key, f"do-{key}"), size=size, big=icon)
    return found + stamp_ruler(s, viewer, stamps, Box(box.x, box.y + box.h - ruler, box.w, ruler), lang)


def button_places(n: int, box: Box, below: bool) -> list[Box]:
    """Places for n buttons in a box, one below the other or side by side."""
    gap = 5.0
    if below:
        high = min(50.0, (box.h - gap * (n - 1)) / n)
        top = box.mid_y - (n * (high + gap) - gap) / 2
        return [Box(box.x, top + k * (high + gap), box.w, high) for k in range(n)]
    wide = min(190.0, (box.w - gap * (n - 1)) / n)
    left = box.mid_x - (n * (wide + gap) - gap) / 2
    return [Box(left + k * (wide + gap), box.y + 2, wide, min(50.0, box.h)) for k in range(n)]


def reminder(s: State, viewer: int, lang: str, plan: Plan) -> list[Sprite]:
    """What there is room for where no button is."""
    if is_classic(s) or (viewer < 0 and not plan.wide):
        return []
    if plan.wide:
        return legend(lang, plan.buttons)
    return paragraph("reminder", WORDS.say("scene.rule", lang), plan.buttons, (13, 12, 11), lang, "middle")


def legend(lang: str, box: Box) -> list[Sprite]:
    """What some pieces mean, where the buttons would be."""
    found = []
    for number, (symbol, key) in enumerate((("mask", "mask"), ("marker", "marker"), ("sets", "sets"), ("carry", "carry"))):
        y = box.y + (number + 0.5) * box.h / 4
        wide, high = {"sets": (40, 22), "carry": (32, 24)}.get(symbol, (28, 28))
        found.append(Sprite(f"legend-{key}", symbol, box.x + 24, y, wide, high))
        found += paragraph(
            f"legend-text-{key}", WORDS.say(f"legend.{key}", lang), Box(box.x + 50, y - 19, box.w - 52, 38), (12.5, 11.5), lang
        )
    return found


def stamp_ruler(s: State, viewer: int, stamps: list[int], box: Box, lang: str) -> list[Sprite]:
    """The later moments at which a hand may go up, for those who keep the time themselves."""
    per_row = 5 if box.h > 20 else 10
    wide = box.w / per_row
    return [
        Sprite(
            f"do-{button_name(a)}",
            "letter",
            box.x + (n % per_row + 0.5) * wide,
            box.y + 10 + n // per_row * 20,
            24,
            18,
            text=seconds(a - RAISE),
            size=11,
            ink="alabaster",
            alt=sentence(s, viewer, a, lang),
        )
        for n, a in enumerate(stamps)
    ]


def paths(s: State, p: int) -> dict[int, tuple[str, ...]]:
    """What p clicks for each choice: a coin, a bid card, a token, a cell or a button; an accident and then who caused it."""
    found: dict[int, tuple[str, ...]] = {}
    for a in open_actions(s, p):
        if a < BID:
            found[a] = (f"{KINDS[0]}-{TOKENS[0] - s.supply[0] + a - DROP}",)
        elif a < THROW:
            found[a] = (own_id(p, a - BID + 1),)
        elif SINGLE <= a < ALL:
            found[a] = (f"{KINDS[a - SINGLE]}-{first_in_hand(s, a - SINGLE)}",)
        elif CELL <= a < HELD:
            found[a] = (f"cell-{a - CELL}",)
        elif a == NOBODY:
            found[a] = ("do-accident", "vessel")
        elif a >= ACCIDENT:
            found[a] = ("do-accident", f"seat-{a - ACCIDENT}")
        else:
            found[a] = (f"do-{button_name(a)}",)
    return found


def breakdown(s: State, lang: str) -> list[tuple[str, list[int]]]:
    """The points by source: cards of each kind, sets, and the lot that counts twice."""
    rows = []
    doubles = last_lot_doubles(s)
    for kind in range(len(KINDS)):
        cards = [card for card in range(CARDS) if CARD_KIND[card] == kind]
        rows.append((WORDS.say(f"kind.{KINDS[kind]}", lang), [printed(s, p, cards) for p in range(s.players)]))
    rows.append((WORDS.say("board.sets", lang), [SET_BONUS * sets(s, p) for p in range(s.players)]))
    last = [card for card in range(CARDS) if s.last_lot >> card & 1] if doubles else []
    rows.append((WORDS.say("scene.doubled", lang), [(LAST_LOT_TIMES - 1) * printed(s, p, last) for p in range(s.players)]))
    return rows


def printed(s: State, p: int, cards: list[int]) -> int:
    """The printed points of those of some cards that p has banked."""
    return sum(CARD_POINTS[card] for card in cards if s.place[card] == BANKED + p)
