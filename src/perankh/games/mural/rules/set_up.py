"""Setting up, and drawing cards."""

from perankh.engine.api import below, rule, sets

from .components import CARDS, FIRST_HAND
from .state import State


@rule
def setup(s: State) -> None:
    """All cards face down, markers on 0, a first hand each, a start player (MUR-S2 to S5)."""
    sets.fill(s.unseen, CARDS)
    s.deck = CARDS
    s.pawn = -1
    for p in range(s.players):
        for _ in range(FIRST_HAND):
            draw_to_hand(s, p)
    s.turn = s.start_player
    if s.start_player < 0:
        s.turn = below(s, s.players)


@rule
def draw(s: State) -> int:
    """Turn over the top card of the deck: any of the unseen cards (MUR-S6)."""
    s.deck -= 1
    return sets.draw(s, s.unseen)


@rule
def draw_to_hand(s: State, p: int) -> int:
    """Take the top card of the deck into p's hand, seen by p alone (MUR-S4, MUR-S6)."""
    card = draw(s)
    sets.add(s.hand[p], card)
    s.secret[p] += 1
    return card
