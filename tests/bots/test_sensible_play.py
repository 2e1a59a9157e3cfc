"""What looked absurd in the play of bots, looked for in the moves of the levels that people meet."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from typing import Any

import pytest

from perankh.bots import BOTS, LEVELS, GuidedBot
from perankh.bots.ismcts import share_beaten
from perankh.bots.play import play
from perankh.engine.game import Game, get_game
from perankh.engine.state import Record
from perankh.games.egizia.rules.components import INDEX_OF
from perankh.games.egizia.rules.state import Action, Step
from perankh.games.imhotep.rules import actions as imhotep
from perankh.games.imhotep.rules.components import SITES, Site
from perankh.games.maqha.bots import risk
from perankh.games.maqha.rules import actions as maqha
from perankh.games.maqha.rules.state import Step as MaqhaStep

from ..conftest import ROOT

spec = importlib.util.spec_from_file_location("steady", ROOT / "bench" / "steady.py")
assert spec
assert spec.loader
steady = importlib.util.module_from_spec(spec)
spec.loader.exec_module(steady)

OFFERED = "scribe"  # the level that is offered first
BY_NETWORK = [level for level in LEVELS if level != "pharaoh"]


def shares(game: Game, players: int, bot: Any, other: Any, deals: range) -> float:
    """The share of opponents that a bot leaves behind, from every seat of every deal."""
    found = []
    for deal in deals:
        for seat in range(players):
            seats = [other] * players
            seats[seat] = bot
            found.append(share_beaten(play(game, players, {}, deal, seats, deal * players + seat).ranks, players, seat))
    return sum(found) / len(found)


def decisions(
    game: Game, players: int, level: str, deals: range, options: dict[str, Any] | None = None
) -> Iterator[tuple[Record, int, int]]:
    """Every decision of matches among bots of a level: the state before, the seat and the action."""
    for deal in deals:
        state, number = game.new_state(players, deal, options or {}), 0
        while actors := game.actors(state):
            number += 1
            action = BOTS[level].decide(game, game.veiled(state, actors[0]), actors[0], deal * 10_000 + number)
            yield state, actors[0], action
            game.rules.apply(state, actors[0], action)


def first_ship(game: Game, players: int, deal: int) -> Record:
    """A match of Egizia when the first ship is to be placed."""
    return next(state for state, _, _ in decisions(game, players, "vizier", range(deal, deal + 1)) if state.step == Step.LOCATION)


@pytest.mark.parametrize("players", [2, 4])
def test_the_level_offered_first_beats_a_plain_player_of_egizia(players: int) -> None:
    assert shares(get_game("egizia"), players, BOTS[OFFERED], steady.Steady(), range(20)) >= 0.8


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("level", LEVELS)
def test_no_level_of_egizia_opens_far_down_the_river(level: str, players: int) -> None:
    """The first ship passes at most three quarters of the places that are free."""
    game, searches = get_game("egizia"), level == "pharaoh"
    bot = GuidedBot(iterations=2_000, seconds=60.0) if searches else BOTS[level]
    for deal in range(6 if searches else 20):
        state = first_ship(game, players, deal)
        p = game.actors(state)[0]
        action = bot.decide(game, game.veiled(state, p), p, deal)
        free = [INDEX_OF[place - Action.PLACE] for place in game.legal(state, p) if place >= Action.PLACE]
        passed = sum(index < INDEX_OF[action - Action.PLACE] for index in free)
        assert passed <= 0.75 * len(free), f"deal {deal}"


@pytest.mark.parametrize("level", BY_NETWORK)
def test_no_level_of_egizia_passes_while_a_place_is_free(level: str) -> None:
    ships = [action for state, _, action in decisions(get_game("egizia"), 4, level, range(2)) if state.step == Step.LOCATION]
    assert len(ships) > 100
    assert Action.PASS not in ships


@pytest.mark.parametrize("players", [2, 4])
def test_the_level_offered_first_carries_its_own_stones_to_the_market(players: int) -> None:
    own = []
    for state, p, action in decisions(get_game("imhotep"), players, OFFERED, range(6)):
        if imhotep.SAIL <= action < imhotep.PLAY:
            ship, site = divmod(action - imhotep.SAIL, SITES)
            if site == Site.MARKET:
                own.append(1 + p in state.cargo[ship])
    assert len(own) > 10
    assert sum(own) >= 0.7 * len(own)


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("level", BY_NETWORK)
def test_no_level_of_maqha_drops_more_coins_than_it_needs(level: str, players: int) -> None:
    turns = decisions(get_game("maqha"), players, level, range(4), {"rules": "classic"})
    dropped = [1 + action for state, _, action in turns if state.step == MaqhaStep.TURN]
    assert dropped
    assert set(dropped) == {1}


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("level", BY_NETWORK)
def test_no_level_of_maqha_passes_a_lot_that_the_glass_will_hold(level: str, players: int) -> None:
    safe = []
    for state, p, action in decisions(get_game("maqha"), players, level, range(4)):
        if state.step == MaqhaStep.DECIDE and risk(get_game("maqha").veiled(state, p), state.slot) <= 5:
            safe.append(action)
    assert len(safe) > 10
    assert set(safe) == {maqha.THROW}


def test_the_strongest_level_of_maqha_searches_no_absurd_moves() -> None:
    game = get_game("maqha")
    classic = game.new_state(2, 1, {"rules": "classic"})
    first = next(state for state, _, _ in decisions(game, 4, "vizier", range(1)) if state.step == MaqhaStep.DECIDE)
    for state, sensible in ((classic, maqha.DROP), (first, maqha.THROW)):
        p = game.actors(state)[0]
        assert BOTS["pharaoh"].decide(game, game.veiled(state, p), p, 1) == sensible
