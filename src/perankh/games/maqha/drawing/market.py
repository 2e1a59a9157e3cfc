"""The lots with their bids, the viewer's hand, and the mask; sealed bids of others are drawn as backs."""

from __future__ import annotations

from dataclasses import dataclass, replace

from perankh.engine.api import sets
from perankh.scene import Sprite, group, players_listed
from perankh.scene.layout import Box, fitting, label, paragraph

from ..rules import bidding, rounds
from ..rules.actions import BID, THROW
from ..rules.components import CARD_KIND, CARD_POINTS, CARD_TOKENS, CARDS, EYE, FIRST_HALF, KINDS, MARKERS, NUMBERS, SLOTS
from ..rules.state import State, Step
from ..text.board import ROUNDS
from ..text.names import SLOT_LETTERS, WORDS, bid_name, card_name, lot_name, seat_name
from ..text.sentences import sentence
from .layout import BID_SHAPE, CARD_SHAPE, SEAT_COLOURS, Plan, open_actions


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


@group
def ground(s: State, lang: str, plan: Plan) -> list[Sprite]:
    """The ground of the market: slots, rows, deck and markers."""
    m = market_of(s, plan)
    box = plan.market
    found = [box.sprite("market", "mat")]
    if s.step != Step.OVER:
        for k in range(s.face_up, bidding.half_end(s)) if s.step == Step.BID else range(s.slot, s.slot + 1):
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
        if used and k < s.face_up and s.winner[k] < 0:
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
    high = plan.market.y + plan.market.h - m.foot - (18 if plan.wide else 4)
    y = m.foot + high / 2 + (2 if plan.wide else 0)
    wide = high * CARD_SHAPE
    x = plan.market.x + wide / 2 + 8
    left = CARDS - s.dealt
    found = []
    if plan.wide and players_listed():  # no title bar says it
        text = WORDS.say("scene.round", lang, round=rounds.number_of(s), rounds=ROUNDS)
        found.append(
            label("round", text[:1].upper() + text[1:], x - wide / 2, plan.market.bottom - 8, 12, bold=True, align="start")
        )
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


@group
def lots(s: State, lang: str, plan: Plan) -> list[Sprite]:
    """The cards that wait in slots, and those carried to the next round, failed, or set aside."""
    m = market_of(s, plan)
    found = []
    for k in range(s.slots):
        own = s.deck[s.dealt - s.slots + k]
        cards = sets.members(s.lot[k])
        cards.sort(key=lambda card: (card != own, card))
        room = m.rows - m.lots - m.card - 3
        step = min(m.card * 0.3, room / max(1, len(cards) - 1))
        cards.reverse()  # the own card of the slot in front
        for n, card in enumerate(cards):
            found.append(card_sprite(card, m.x(k), m.lots + 2 + m.card / 2 + n * step, m.card, lang))
    high = plan.market.y + plan.market.h - m.foot - (26 if plan.wide else 4)
    right = plan.market.x + plan.market.w - 6
    for there, key in ((s.carried, "carried"), (s.aside, "aside"), (s.failed, "failed")):
        cards = sets.members(there)
        if not cards:
            continue
        wide = high * CARD_SHAPE
        step = min(wide + 4, (150 if plan.wide else 90) / len(cards))
        y = m.foot + high / 2 + (16 if plan.wide else 0)
        for n, card in enumerate(cards):
            sprite = card_sprite(card, right - wide / 2 - (len(cards) - 1 - n) * step, y, high, lang)
            sprite.alt = WORDS.say(f"board.{key}", lang, lot=sprite.alt)
            found.append(sprite)
            if key == "failed":
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


@group
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
            shown = k < s.face_up
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
            elif card != EYE and bidding.is_struck_out(s, p, k):
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


@group
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
        if not sets.has(s.hand[viewer], card):
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


def mask(s: State, lang: str, sprites: list[Sprite]) -> list[Sprite]:
    """The mask lies on the lot that was banked last; its cards among some sprites are lit."""
    cards = sets.members(s.last_lot)
    if not cards:
        return []
    places = {sprite.id: place for place, sprite in enumerate(sprites)}
    for card in cards:
        place = places[f"card-{card}"]
        sprites[place] = replace(sprites[place], glow=True)
    last = sprites[place]
    size = last.width * 0.62
    who = seat_name(next(p for p in range(s.players) if sets.meets(s.banked[p], s.last_lot)), lang)
    alt = WORDS.say("scene.mask", lang, who=who, lot=lot_name(s.last_lot, lang))
    return [Sprite("mask", "mask", last.x - last.width * 0.22, last.y + last.height * 0.32, size, size, alt=alt)]
