"""Rounds: how they begin, the order of turns, and the temple scoring at their end."""

from __future__ import annotations

from perankh.engine.api import below, rule, tell

from . import building, market, quarry, scoring, ships
from .components import ROUND_CARDS, ROUNDS, SHIPS, TEMPLE_CARD, TEMPLE_POINTS, TEMPLE_STONES
from .events import Event
from .state import Berth, State, Step


@rule
def begin_round(s: State) -> None:
    """Turn up a round card, let its ships wait empty, fill the market; then the first turn (IMH-R1 to R4)."""
    s.round += 1
    s.round_card = next_round_card(s)
    s.turned[s.round_card] = s.round
    for ship in range(SHIPS):
        s.berth[ship] = Berth.WAITING
    tell(s, Event.ROUND_BEGAN, s.turn, s.round, s.round_card)
    market.fill_market(s)
    s.chooser = s.turn
    s.step = Step.MAIN


@rule
def next_round_card(s: State) -> int:
    """Any of the round cards not yet turned up: one of them is out of the game, nobody knows which (IMH-S5, R2)."""
    skip = below(s, ROUND_CARDS - s.round + 1)
    card = 0
    while True:
        if s.turned[card] == 0:
            if skip == 0:
                return card
            skip -= 1
        card += 1


@rule
def end_turn(s: State) -> None:
    """The blue card is discarded; then the next player, or the end of the round (IMH-R4, R5, C9, T11)."""
    if s.played > 0:
        s.discard[s.played - 1] += 1
        s.played = 0
    if s.passes == s.players:
        s.passes = 0
        ships.stall(s)
    if ships.all_sailed(s):
        tell(s, Event.ROUND_OVER, -1, s.round)
        s.cell = 1
        score_cell(s)
        return
    s.turn = (s.turn + 1) % s.players
    s.chooser = s.turn
    s.step = Step.MAIN


# --- The temple -------------------------------------------------------------------------------------------------


@rule
def next_cell(s: State) -> None:
    """Temple cells are scored from left to right (IMH-R6, N5)."""
    s.cell += 1
    if s.cell <= building.width(s):
        score_cell(s)
    else:
        s.cell = 0
        finish_round(s)


@rule
def score_cell(s: State) -> None:
    """The visible stone of a temple cell earns its reward (IMH-N3 to N8)."""
    cell = s.cell - 1
    p = building.visible(s, cell) - 1
    if p < 0:
        return
    if quarry.fetchable(s, p, TEMPLE_STONES[s.temple_side][cell]) > 0:
        s.step = Step.TEMPLE
        s.chooser = p
        return
    points = TEMPLE_POINTS[s.temple_side][cell]
    if points > 0:
        s.score[p] += points
        tell(s, Event.TEMPLE_SCORED, p, cell, points)
    if TEMPLE_CARD[s.temple_side][cell]:
        market.draw_card(s, p)


@rule
def take_points(s: State, p: int) -> None:
    """The owner of the visible stone takes the points of the cell (IMH-N6)."""
    points = TEMPLE_POINTS[s.temple_side][s.cell - 1]
    s.score[p] += points
    tell(s, Event.TOOK_POINTS, p, s.cell - 1, points)


@rule
def take_stones(s: State, p: int, stones: int) -> None:
    """Or stones from the quarry in their place (IMH-N6)."""
    quarry.bring(s, p, stones)
    tell(s, Event.TOOK_STONES, p, s.cell - 1, stones)


@rule
def finish_round(s: State) -> None:
    """Clean up for the next round, which the left neighbour starts, or score the game (IMH-R7, R8, E1)."""
    if s.round == ROUNDS:
        scoring.finish(s)
        return
    market.clear_market(s)
    s.turn = (s.turn + 1) % s.players
    begin_round(s)
