"""The course of a round: its phases, clean-up, and the next round."""

from __future__ import annotations

from perankh.engine.api import masks, rule, tell

from . import building, effects, feeding, nile, placement, scoring, tracks
from .components import BONUS_USE, COOPERATION, ROUNDS, TRAIN, Use
from .events import Event
from .state import CoopNeeds, CoopOrder, Phase, State, Step


@rule
def begin_round(s: State) -> None:
    """The river phase; then crews are trained before the first turn (EGZ-R1 to R3, N7)."""
    s.round += 1
    tell(s, Event.ROUND_BEGAN, -1, s.round)
    for i in range(s.players):
        tell(s, Event.IN_ORDER, s.order[i], i + 1)
    nile.lay_cards(s)
    nile.lay_tiles(s)
    s.phase = Phase.TRAINING
    s.turn = 0


@rule
def proceed(s: State) -> None:
    """What is next when nothing is to be decided: the effect under way, or the next thing of the phase."""
    if s.source > 0:
        effects.next_part(s, tracks.on_turn(s))
    elif s.phase == Phase.TRAINING:
        train(s)
    elif s.phase == Phase.PLACEMENT and s.target > 0:
        placement.ship_placed(s, tracks.on_turn(s))
    elif s.phase == Phase.PLACEMENT:
        placement.ask_location(s)
    elif s.phase == Phase.LEFTOVER:
        if not placement.ask_leftover(s):
            feeding.mine(s)
            s.phase = Phase.FEEDING
            s.turn = 0
    elif s.phase == Phase.FEEDING:
        if s.turn < s.players:
            feeding.harvest(s, tracks.on_turn(s))
        else:
            s.phase = Phase.BUILDING
            s.turn = 0
    elif not building.next_ship(s):
        clean_up(s)


@rule
def train(s: State) -> None:
    """Before the first turn, in turn order, crews are raised by the cards that do so every round (EGZ-N7)."""
    while s.turn < s.players:
        p = tracks.on_turn(s)
        cards = s.held[p] & TRAIN & ~s.spent
        if cards:
            card = masks.first(cards)
            s.spent = masks.added(s.spent, card)
            tell(s, Event.USED_CARD, p, card)
            effects.begin_effect(s, card, 1)
            return
        s.turn += 1
    s.phase = Phase.PLACEMENT
    s.turn = 0


@rule
def clean_up(s: State) -> None:
    """Cooperation bonus, everything back; then the end, or a new turn order and the next round (EGZ-U1 to U5)."""
    cooperate(s)
    nile.clear_river(s)
    placement.recall_ships(s)
    s.spent = 0
    for p in range(s.players):
        s.tokens[p] = 0
        s.flipped[p] = 0
        for place in range(2):
            if BONUS_USE[s.bonus_tile[place]] == Use.ROUND:
                s.closed_eye[p] = masks.removed(s.closed_eye[p], place)
    if s.round == ROUNDS:
        scoring.score_game(s)
        s.phase = Phase.END
        s.step = Step.OVER
        return
    ranking = tracks.rank_list(s)
    for i in range(s.players):
        s.order[s.players - 1 - i] = tracks.seat_at(ranking, i)
    begin_round(s)


@rule
def cooperate(s: State) -> None:
    """VP for building at several docks, in the rank list before the first payment (EGZ-U1, U2)."""
    ranking = tracks.rank_list(s)
    for i in range(s.players):
        place = s.players - 1 - i if s.coop_order == CoopOrder.LAST_FIRST else i
        p = tracks.seat_at(ranking, place)
        docks = s.present[p] if s.coop_needs == CoopNeeds.SHIP_PRESENT else s.built[p]
        n = masks.count(docks)
        tracks.score(s, p, COOPERATION[n])
        if COOPERATION[n] > 0:
            tell(s, Event.COOPERATED, p, n, COOPERATION[n])
