"""What a bot knows of Nile Mural: what markers and hands are worth, in tenths of a Combo step, and how a turn may go on."""

from __future__ import annotations

from perankh.engine.api import rule

from .rules import AREA, CARDS, COMBO, COMBO_STEPS, MISS, PLACE, UNSEEN, State, forbidden, hand_size

STEP, AREA_STEP, MISSED, CARD = 10, 8, 8, 3
SAVED_CARD = 15
TRUST, HORIZON = 1.0, 1
SLIPS = {"architect": 0.0}
BOLD = 20  # percent of the unseen cards that may lie in the shadow when a card is drawn


@rule
def prospect(s: State, p: int) -> int:
    """The markers, and every card in hand as a safe placement of a turn to come."""
    return STEP * s.track[COMBO][p] + AREA_STEP * s.track[AREA][p] + MISSED * s.track[MISS][p] + CARD * hand_size(s, p)


@rule
def promise(s: State, p: int) -> int:
    """Whoever has the most cards when the deck is gone has the last word in every area: cards are worth more than steps."""
    return prospect(s, p) + (SAVED_CARD - CARD) * hand_size(s, p)


@rule
def inclined(s: State, p: int, choices: list[int], n: int, luck: int) -> int:
    """Cards in falling order, for none of them shadows the next; then the deck while the risk is small. Or one card and stop."""
    if s.step != PLACE or luck & 7 == 0:
        return (luck * n) >> 32
    stop = 1 if s.placed > 0 else 0
    draw = 1 if s.deck > 0 else 0
    cards = n - draw - stop
    if stop and (s.placed == 1 or COMBO_STEPS[s.combo_table][s.placed - 1] > 0) and luck & 24 == 0:
        return n - 1
    if draw and (not stop or cards == 0):
        return cards if not stop or risk(s) <= BOLD else n - 1
    return cards - 1 if cards > 0 else n - 1


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
