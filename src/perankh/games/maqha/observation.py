"""The table of Maqha as numbers for learners: the own seat first, then the others clockwise."""

from __future__ import annotations

from perankh.engine.api import rule

from .scoring import banked_of_kind, points
from .table import (
    BANKED,
    CARDS,
    CELLS,
    DECK,
    EYE,
    HANDS,
    NUMBERS,
    OVER,
    READINGS,
    SEATS,
    SLOTS,
    State,
    is_classic,
    liquid_of,
    on_tray,
    steadiness,
)

PER_SEAT = 11 + EYE + SLOTS
PER_CARD = BANKED + SEATS + 1
FACTS = 39
OBSERVATION = SEATS * PER_SEAT + CARDS * PER_CARD + 2 * SLOTS + 2 * READINGS + 2 * CELLS + OVER + 1 + FACTS


@rule
def observe(s: State, p: int, out: list[int]) -> None:
    """Seats, cards, slots, readings, tray, step, and single facts, one after the other."""
    i = 0
    for k in range(SEATS):
        if k < s.players:
            observe_seat(s, (p + k) % s.players, out, i)
        else:
            for j in range(PER_SEAT):
                out[i + j] = 0
        i += PER_SEAT
    for card in range(CARDS):
        observe_card(s, p, card, out, i)
        i += PER_CARD
    for k in range(SLOTS):
        out[i] = 1 + (s.winner[k] - p) % s.players if k < s.shown and s.winner[k] >= 0 else 0
        out[i + 1] = 1 + (s.proxy[k] - p) % s.players if s.proxy[k] >= 0 else 0
        i += 2
    for k in range(READINGS):
        out[i] = s.reading[k]
        out[i + 1] = s.reading_at[k]
        i += 2
    for cell in range(CELLS):
        out[i] = s.height[cell]
        out[i + 1] = s.top[cell]
        i += 2
    for step in range(OVER + 1):
        out[i] = 1 if s.step == step else 0
        i += 1
    observe_facts(s, p, out, i)


@rule
def observe_seat(s: State, q: int, out: list[int], i: int) -> None:
    """A seat: here, throws, banked cards by kind, points, bids, answer, hand."""
    out[i] = 1
    out[i + 1] = 1 if s.thrower == q else 0
    out[i + 2] = 1 if s.spiller == q else 0
    out[i + 3] = points(s, q)
    for kind in range(3):
        out[i + 4 + kind] = banked_of_kind(s, q, kind)
    out[i + 7] = s.fixed[q]
    out[i + 8] = 1 if s.step == HANDS and (s.answered >> q) & 1 else 0
    out[i + 9] = s.answer[q]
    out[i + 10] = steadiness(s, q)
    i += 11
    for k in range(SLOTS):
        out[i + k] = s.order[q][k] if k < s.fixed[q] else 0
    i += SLOTS
    for card in range(1, EYE + 1):
        in_hand = not is_classic(s) and (card != NUMBERS or s.eye != q) and (card != EYE or s.eye == q)
        if in_hand:
            for k in range(s.shown):
                if k < s.fixed[q] and s.order[q][k] == card:
                    in_hand = False
        out[i + card - 1] = 1 if in_hand else 0


@rule
def observe_card(s: State, p: int, card: int, out: list[int], i: int) -> None:
    """A score card: where it is, one of all places with the seats counted from p, and whether it was banked last."""
    place = int(s.place[card])
    if place >= BANKED:
        place = BANKED + (place - BANKED - p) % s.players
    for k in range(DECK, BANKED + SEATS):
        out[i + k] = 1 if place == k and not is_classic(s) else 0
    out[i + PER_CARD - 1] = (s.last_lot >> card) & 1


@rule
def observe_facts(s: State, p: int, out: list[int], i: int) -> None:
    """The vessel, the round and the options."""
    for kind in range(3):
        out[i] = s.supply[kind]
        out[i + 1] = s.to_go[kind]
        out[i + 2] = s.inside[kind]
        i += 3
    out[i] = s.added
    out[i + 1] = s.wave
    out[i + 2] = s.peak
    out[i + 3] = s.surge
    out[i + 4] = s.readings
    out[i + 5] = s.reading[s.readings - 1] if s.readings > 0 else 0
    out[i + 6] = s.sign
    out[i + 7] = s.kind + 1
    out[i + 8] = s.dealt
    out[i + 9] = s.slots
    out[i + 10] = s.shown
    out[i + 11] = s.slot
    out[i + 12] = 1 + (s.eye - p) % s.players if s.eye >= 0 else 0
    out[i + 13] = s.players
    out[i + 14] = 1 if is_classic(s) else 0
    out[i + 15] = 1 if on_tray(s) else 0
    out[i + 16] = liquid_of(s)
    out[i + 17] = s.classic_limit
    out[i + 18] = s.hands
    out[i + 19] = s.hand_tie
    out[i + 20] = s.hand_window
    out[i + 21] = s.bot_hand_tick
    out[i + 22] = s.proxy_limit
    out[i + 23] = s.double_without_spill
    out[i + 24] = s.tie_cards
    out[i + 25] = s.reading_error
    out[i + 26] = s.rim_line
    out[i + 27] = s.real_vessel
    out[i + 28] = s.over
    out[i + 29] = 1 if s.step == HANDS and s.thrower == p else 0
