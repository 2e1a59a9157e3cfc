"""What always holds in Nile Mural."""

from __future__ import annotations

from perankh.engine.api import rule

from .rules import (
    AREA,
    AREA_VALUE,
    AREAS,
    CARDS,
    COMBO,
    HAND,
    MISS,
    MOST_PLACEMENTS,
    OPEN,
    OVER,
    PLACE,
    ROW,
    SHEET,
    TAKE,
    UNSEEN,
    State,
    area_is_full,
    forbidden,
)

INVARIANTS = (
    "every card is in one of its possible places",
    "the deck holds as many cards as are unseen",
    "each hand holds as many cards from the deck as counted",
    "a card moves only from the deck to sheet, row or hand, from the row to sheet or hand, and from a hand to the sheet",
    "the Area markers add up to the values of the full areas",
    "Combo markers never fall and add up to at most 50 (ten turns of ten)",
    "Miss markers are at most 0 and never rise",
    "there are at most 81 misses, and a card without shadow risk is never missed",
    "a turn that begins has something to place",
    "the turn's counters fit its step",
    "the game is over exactly when all cards lie on the sheet",
    "no card in the row came there but by a miss",
)
NUMBER_OF_AREAS = len(AREAS)
MOST_COMBO = 50
MOST_MISSES = 81


@rule
def violated(s: State, before: State) -> int:
    """The first invariant that does not hold, counted from 1, or 0."""
    wrong = cards_wrong(s)
    if wrong == 0:
        wrong = moves_wrong(s, before)
    if wrong == 0:
        wrong = tracks_wrong(s, before)
    if wrong == 0:
        wrong = turn_wrong(s)
    return wrong


@rule
def count(s: State, place: int) -> int:
    """How many cards are in a place."""
    n = 0
    for card in range(CARDS):
        if s.where[card] == place:
            n += 1
    return n


@rule
def cards_wrong(s: State) -> int:
    """Where the cards are."""
    for card in range(CARDS):
        if s.where[card] < UNSEEN or s.where[card] >= OPEN + s.players or HAND + s.players <= s.where[card] < OPEN:
            return 1
    if count(s, UNSEEN) != s.deck:
        return 2
    for p in range(s.players):
        if count(s, HAND + p) != s.secret[p]:
            return 3
    return 0


@rule
def moves_wrong(s: State, before: State) -> int:
    """How the cards moved."""
    row_grew = 0
    for card in range(CARDS):
        old, new = before.where[card], s.where[card]
        if old != new:
            if old == SHEET or new == UNSEEN:
                return 4
            if old >= HAND and new != SHEET:
                return 4
            if old == ROW and HAND <= new < OPEN:
                return 4
            if old == UNSEEN and new >= OPEN:
                return 4
            if new == ROW:
                row_grew += 1
                if card < 10 or card % 10 == 0:
                    return 8
    missed = 0
    for p in range(s.players):
        missed += before.track[MISS][p] - s.track[MISS][p]
    return 12 if missed != row_grew else 0


@rule
def tracks_wrong(s: State, before: State) -> int:
    """The markers."""
    value = 0
    for area in range(NUMBER_OF_AREAS):
        if area_is_full(s, area):
            value += AREA_VALUE[s.area_map][area]
    combo = 0
    misses = 0
    for p in range(s.players):
        value -= s.track[AREA][p]
        combo += s.track[COMBO][p]
        misses -= s.track[MISS][p]
        if s.track[COMBO][p] < before.track[COMBO][p]:
            return 6
        if s.track[MISS][p] > 0 or s.track[MISS][p] > before.track[MISS][p]:
            return 7
    if value != 0:
        return 5
    if combo > MOST_COMBO and s.combo_table == 0:
        return 6
    return 8 if misses > MOST_MISSES else 0


@rule
def turn_wrong(s: State) -> int:
    """The turn and its end."""
    if s.turn < 0 or s.turn >= s.players or s.placed < 0 or s.placed > MOST_PLACEMENTS:
        return 10
    if (s.step == TAKE) != (s.takes > 0) or (s.step == PLACE and s.placed == MOST_PLACEMENTS):
        return 10
    if s.placed > 0 and s.step == PLACE and s.where[s.pawn] != SHEET:
        return 10
    complete = count(s, SHEET) == CARDS
    if s.step == OVER and not complete:
        return 11
    if s.step == PLACE and s.placed == 0:
        if complete:
            return 11
        usable = s.deck + count(s, ROW) + count(s, HAND + s.turn) + count(s, OPEN + s.turn)
        if usable == 0 or forbidden(s, 99):
            return 9
    return 0
