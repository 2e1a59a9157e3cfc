"""Heuristics for Nile Mural: the value of markers and hands, in tenths of a Combo step, and a rollout policy."""

from perankh.engine.api import rule, sets

from .rules import actions
from .rules.components import COMBO_STEPS, SHADOW, Track
from .rules.state import State, Step

PERSONALITIES = ("greedy",)
STEP, AREA_STEP, MISSED, CARD = 10, 8, 8, 3
SAVED_CARD = 15
PRIOR_WEIGHT, ROLLOUT_DEPTH = 1.0, 1
BLUNDER_RATES = {"architect": 0.0}
BOLD = 20  # percent of the unseen cards that may lie in the shadow when a card is drawn


@rule
def heuristic(s: State, p: int) -> int:
    """The markers, and every card in hand as a safe placement of a later turn."""
    markers = STEP * s.track[Track.COMBO][p] + AREA_STEP * s.track[Track.AREA][p] + MISSED * s.track[Track.MISS][p]
    return markers + CARD * actions.hand_size(s, p)


@rule
def long_term_heuristic(s: State, p: int) -> int:
    """Cards count more than steps: whoever holds most cards when the deck is empty decides every area."""
    return heuristic(s, p) + (SAVED_CARD - CARD) * actions.hand_size(s, p)


@rule
def rollout_choice(s: State, p: int, choices: list[int], n: int, bits: int) -> int:
    """Cards in descending order, since none shadows the next; then the deck while the risk is small. Or one card and stop."""
    if s.step != Step.PLACE or bits & 7 == 0:
        return (bits * n) >> 32
    stop = 1 if s.placed > 0 else 0
    draw = 1 if s.deck > 0 else 0
    cards = n - draw - stop
    if stop and (s.placed == 1 or COMBO_STEPS[s.combo_table][s.placed - 1] > 0) and bits & 24 == 0:
        return n - 1
    if draw and (not stop or cards == 0):
        return cards if not stop or risk(s) <= BOLD else n - 1
    return cards - 1 if cards > 0 else n - 1


@rule
def risk(s: State) -> int:
    """How many percent of the unseen cards would be a miss."""
    shadowed = sets.count_common(s.unseen, SHADOW[actions.shadowing(s)])
    return 100 * shadowed // max(1, sets.count(s.unseen))
