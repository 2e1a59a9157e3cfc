"""Who knows what."""

from __future__ import annotations

from perankh.engine.api import below, masks, rule, sets

from . import glass
from .components import CARDS
from .state import Answer, Hands, RuleSet, State, Step

HIDDEN = ("answer", "deck", "hand", "order", "v0", "vcrit")


@rule
def veil(s: State, p: int) -> None:
    """Nobody knows the cards to come nor, until the end, the glass; bids and answers only their owner (MAQ-S5, G16, B1, P2)."""
    if s.rules == RuleSet.ADVANCED:
        for i in range(s.dealt, CARDS):
            s.deck[i] = -1
    if s.step != Step.OVER:
        s.vcrit = 0
        s.v0 = 0
    for q in range(s.players):
        if q != p:
            for k in range(s.face_up, s.fixed[q]):
                if s.order[q][k] > 0:
                    sets.add(s.hand[q], s.order[q][k])
                    s.order[q][k] = 0
            if s.step == Step.HANDS:
                s.answer[q] = Answer.NONE


@rule
def redeal(s: State) -> None:
    """Shuffle the cards to come, redraw the glass, and make up the sealed bids and answers of others."""
    if s.rules == RuleSet.ADVANCED:
        shuffle_rest(s)
    if glass.is_used(s) and s.vcrit == 0:
        glass.redraw(s)
    for q in range(s.players):
        for k in range(s.face_up, s.fixed[q]):
            if s.order[q][k] == 0:
                s.order[q][k] = sets.draw(s, s.hand[q])
        if sets.has(s.answered, q) and s.answer[q] == Answer.NONE:
            s.answer[q] = any_answer(s)


@rule
def shuffle_rest(s: State) -> None:
    """Put the cards that are still in the deck into any order."""
    dealt = 0
    for i in range(s.dealt):
        dealt = masks.added(dealt, s.deck[i])
    n = s.dealt
    for card in range(CARDS):
        if not masks.has(dealt, card):
            s.deck[n] = card
            n += 1
    for i in range(CARDS - 1, s.dealt, -1):
        j = s.dealt + below(s, i + 1 - s.dealt)
        card = s.deck[i]
        s.deck[i] = s.deck[j]
        s.deck[j] = card


@rule
def any_answer(s: State) -> int:
    """Any answer to a pass."""
    if below(s, 2) == 0:
        return Answer.STAY
    return Answer.RAISE + (below(s, s.hand_window) if s.hands == Hands.LIVE else 0)
