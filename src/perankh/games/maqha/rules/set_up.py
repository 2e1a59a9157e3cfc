"""Setting up."""

from __future__ import annotations

from perankh.engine.api import below, rule

from . import bidding, glass, rounds
from .components import CARDS, SLOTS, TOKENS, Kind
from .state import RuleSet, State, Step, Vessel


def settle_options(s: State) -> None:
    """Without three players the rules are classic, and the classic rules use the glass (MAQ-S1, MAQ-S2)."""
    if s.players < 3:
        s.rules = RuleSet.CLASSIC
    if s.rules == RuleSet.CLASSIC:
        s.vessel = Vessel.GLASS


@rule
def setup(s: State) -> None:
    """Lay out the pieces and fill the vessel (MAQ-S3 to MAQ-S7)."""
    s.spiller = -1
    s.thrower = -1
    s.eye = -1
    s.kind = -1
    for k in range(SLOTS):
        s.winner[k] = -1
        s.proxy[k] = -1
    s.supply[Kind.COIN] = TOKENS[Kind.COIN]
    if s.rules == RuleSet.CLASSIC:
        s.thrower = s.start_player if s.start_player >= 0 else below(s, s.players)
        s.step = Step.TURN
        if glass.is_used(s):
            glass.fill(s)
    else:
        s.supply[Kind.ANKH], s.supply[Kind.ANUBIS] = TOKENS[Kind.ANKH], TOKENS[Kind.ANUBIS]
        shuffle(s)
        if glass.is_used(s):
            glass.fill(s)
        bidding.take_hands(s)
        rounds.reveal(s)


@rule
def shuffle(s: State) -> None:
    """Shuffle the score cards (MAQ-S5)."""
    for i in range(CARDS):
        s.deck[i] = i
    for i in range(CARDS - 1, 0, -1):
        j = below(s, i + 1)
        card = s.deck[i]
        s.deck[i] = s.deck[j]
        s.deck[j] = card
