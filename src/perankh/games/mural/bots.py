"""What a bot knows of Nile Mural: what markers and hands are worth, in tenths of a step, and how a turn is likely to go on."""

from __future__ import annotations

from perankh.engine.api import rule

from .rules import AREA, CARDS, COMBO, MISS, PLACE, UNSEEN, State, forbidden, hand_size

STEP, AREA_STEP, MISSED, CARD = 10, 8, 8, 5
SAVED = 15
TRUST, HORIZON = 1.0, 12
BOLD = 20  # percent of the unseen cards that may lie in the shadow when a card is drawn


@rule
def prospect(s: State, p: int) -> int:
    """The markers, and every card in hand as a safe placement of a turn to come."""
    return STEP * s.track[COMBO][p] + AREA_STEP * s.track[AREA][p] + MISSED * s.track[MISS][p] + CARD * hand_size(s, p)


@rule
def promise(s: State, p: int) -> int:
    """Whoever has the most cards when the deck is gone has the last word in every area: cards are worth more than steps."""
    return prospect(s, p) + (SAVED - CARD) * hand_size(s, p)


@rule
def inclined(s: State, p: int, choices: list[int], n: int, luck: int) -> int:
    """Save up: one card from the deck for one into the hand. Later cards in falling order, for none of them shadows the next."""
    if s.step != PLACE or luck & 31 == 0:
        return (luck * n) >> 32
    if s.placed == 0:
        return n - 1
    if s.placed == 1 and (s.deck > 0 or luck & 32):
        return n - 1
    draw = 1 if s.deck > 0 else 0
    cards = n - draw - 1
    if cards > 0:
        return cards - 1
    return cards if draw and risk(s) <= BOLD else n - 1


@rule
def risk(s: State) -> int:
    """How many percent of the unseen cards would be a miss."""
    unseen = 0
    shadowed = 0
    for card in range(CARDS):
        if s.where[card] == UNSEEN:
            unseen += 1
            shadowed += 1 if forbidden(s, card) else 0
    return 100 * shadowed // max(1, unseen)
