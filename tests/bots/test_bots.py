"""Bots decide from what their seat may know, legally, and the better the longer they search."""

from __future__ import annotations

import random
from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from perankh.bots import (
    LEVELS,
    Budget,
    GreedyBot,
    Level,
    RandomBot,
    SearchBot,
    bots_of,
    decide,
    ismcts,
    searcher,
    searcher_of,
)
from perankh.bots.levels import UncompiledBot
from perankh.bots.network import network_of
from perankh.bots.play import play
from perankh.bots.searcher import interpreted_search
from perankh.checks.bots import levels_in_order
from perankh.engine.game import Game, game_names, get_game, seed_words
from perankh.engine.simulate import option_sets
from perankh.engine.state import Record
from perankh.errors import BadGame
from perankh.match import Match

from ..conftest import CONNECT_FOUR

GAMES = [pytest.param(name, marks=pytest.mark.xdist_group(Path(name).name)) for name in (*game_names(), str(CONNECT_FOUR))]


def positions(game: Game, players: int, seed: int, every: int, options: dict[str, Any] | None = None) -> list[tuple[Record, int]]:
    """Real decisions of a random match, with whose they are."""
    state, draw, found = game.new_state(players, seed, options), random.Random(seed), []
    for number in range(400):
        if not (acting := game.actors(state)):
            break
        p = draw.choice(acting)
        actions = game.legal(state, p)
        if len(actions) > 1 and number % every == 0:
            found.append((state.copy(), p))
        game.rules.apply(state, p, draw.choice(actions))
    return found


@pytest.mark.parametrize("name", GAMES)
def test_every_bot_plays_legally_and_leaves_the_state_alone(name: str) -> None:
    game = get_game(name)
    searcher_of(game).warm()
    for state, p in positions(game, game.players[-1], 11, 7)[:3]:
        veiled = game.veiled(state, p)
        before = veiled.copy()
        for bot in bots_of(game):
            assert decide(str(game.folder), veiled.to_bytes(), p, bot, 5) in game.legal(state, p)
        assert veiled == before


def search_interpreted(game: Game, view: Record, p: int, seed: int, iterations: int = 8) -> int:
    """The choice of the interpreted search."""
    table = [view.copy() for _ in range(ismcts.SLOTS)]
    tree, work = searcher.new_tree(iterations), searcher.new_workspace(game.actions, ())
    parameters = searcher_of(game).parameters
    interpreted_search(game).run_iterations(tree, work, table, None, seed_words(seed), 0, iterations, p, seed, parameters)
    return searcher.SearchResult.of([tree]).best


def worlds_differ(game: Game, state: Record, p: int) -> bool:
    """Do worlds that p cannot tell from the real one differ from it?"""
    others = [game.redealt(game.veiled(state, p), seed) for seed in range(3)]
    return any(getattr(other, field) != getattr(state, field) for other in others for field in game.hidden)


@pytest.mark.parametrize("name", GAMES)
def test_no_bot_reads_what_is_hidden(name: str) -> None:
    game = get_game(name)
    players = game.players[-1]
    found = positions(game, players, 3, 9)[:5]
    differing = (
        decision
        for options in option_sets(game, players, 60)
        for decision in positions(game, players, 4, 5, options)
        if worlds_differ(game, *decision)
    )
    found += islice(differing, 5)
    assert any(worlds_differ(game, *decision) for decision in found) == bool(game.hidden)
    for state, p in found:
        veiled = game.veiled(state, p)
        others = [game.redealt(veiled, seed) for seed in range(3)]
        bots = (RandomBot(), UncompiledBot(), GreedyBot(), SearchBot(iterations=40), SearchBot(iterations=40, expert=True))
        functions: list[Any] = [*(bot.decide for bot in bots), search_interpreted]
        for choose in functions:
            assert {choose(game, view, p, 77) for view in (veiled, state, *others)} == {choose(game, veiled, p, 77)}


@pytest.mark.xdist_group("mural")
@pytest.mark.parametrize("expert", [False, True])
@pytest.mark.parametrize("name", ["connect_four", "mural"])
def test_the_search_is_the_same_interpreted_and_compiled(name: str, expert: bool) -> None:
    game = get_game(CONNECT_FOUR if name == "connect_four" else name)
    compiled, interpreted = searcher_of(game), interpreted_search(game)
    parameters = compiled.expert_parameters if expert else compiled.parameters
    for state, p in positions(game, game.players[-1], 8, 15)[:3]:
        veiled = game.veiled(state, p)
        found = compiled.search(veiled, p, 21, Budget(iterations=60, expert=expert))
        table = [veiled.copy() for _ in range(ismcts.SLOTS)]
        tree, work = searcher.new_tree(60), searcher.new_workspace(game.actions, ())
        work = work._replace(prior=compiled.prior(veiled, p, 21, parameters))
        interpreted.run_iterations(tree, work, table, None, seed_words(21), 0, 60, p, 21, parameters)
        assert searcher.SearchResult.of([tree]) == found
        assert sum(found.visits.values()) == found.iterations == 60


def test_every_beaten_opponent_counts() -> None:
    game = get_game("imhotep")
    functions = interpreted_search(game)
    state, draw = game.new_state(4, 5), random.Random(5)
    while acting := game.actors(state):
        game.rules.apply(state, acting[0], draw.choice(game.legal(state, acting[0])))
    ranks = game.ranks(state)
    behind = [(sum(r > ranks[p] for r in ranks) + 0.5 * (ranks.count(ranks[p]) - 1)) / 3 for p in range(4)]
    won = [(rank == 1) / ranks.count(1) for rank in ranks]
    assert 0 < sorted(behind)[1] < 1  # there is a place between the first and the last
    tree, work = searcher.new_tree(1), searcher.new_workspace(game.actions, ())
    functions.compute_rewards(state, tree, work, searcher_of(game).parameters._replace(margin_weight=0.0))
    assert work.rewards.tolist() == pytest.approx(behind)
    assert work.wins.tolist() == pytest.approx(won)
    assert [functions.share_beaten(places, 2, 0) for places in ([1, 2], [2, 1], [1, 1])] == [1.0, 0.0, 0.5]
    assert functions.share_beaten([1], 1, 0) == 1.0


@pytest.mark.parametrize(("columns", "best"), [("abacad", "a"), ("gfgfgf", "g"), ("aabbcc", "d")])
@pytest.mark.parametrize("bot", [GreedyBot(), SearchBot(iterations=400), UncompiledBot()])
def test_four_in_a_row_is_not_missed(columns: str, best: str, bot: Any) -> None:
    match = Match(CONNECT_FOUR, 2, 1)
    for code in columns:
        match.play(code)
    assert {bot.decide(match.game, match.view(0).state, 0, seed) for seed in range(4)} == {match.game.text.CODES.index(best)}


def test_the_search_blocks_a_double_threat_that_greedy_does_not_see() -> None:
    match = Match(CONNECT_FOUR, 2, 1)
    for code in "da" + "e":  # two in a row with both ends open: the second player must stand beside them
        match.play(code)
    choices = {SearchBot(iterations=8000).decide(match.game, match.view(1).state, 1, seed) for seed in range(4)}
    assert choices <= {match.game.text.CODES.index(code) for code in "cf"}


def test_more_iterations_win() -> None:
    game = get_game(CONNECT_FOUR)
    seats = [SearchBot(iterations=1500), SearchBot(iterations=15)]
    wins = [play(game, 2, {}, deal, seats[::turn], deal).ranks[::turn] for deal in range(6) for turn in (1, -1)]
    assert sum(ranks == [1, 2] for ranks in wins) >= 11


@pytest.mark.xdist_group("mural")
def test_a_little_search_and_the_scribe_beat_random_play() -> None:
    game = get_game("mural")
    players = game.players[0]
    for bot in (LEVELS["scribe"], SearchBot(iterations=200)):
        won = 0
        for deal in range(8):
            for seat in range(players):
                seats: list[Any] = [RandomBot()] * players
                seats[seat] = bot
                won += play(game, players, {}, deal, seats, deal).ranks[seat] == 1
        assert won > 8 * players * 0.75, (bot, won)


@pytest.mark.xdist_group("mural")
def test_the_long_term_heuristic_of_nile_mural_wins() -> None:
    game = get_game("mural")
    seats = [SearchBot(iterations=200, expert=True), SearchBot(iterations=200)]
    won = [play(game, 2, {}, deal, seats[::turn], deal).ranks[::turn][0] == 1 for deal in range(4) for turn in (1, -1)]
    assert sum(won) >= 7


def test_a_kept_tree_is_continued_where_nothing_is_hidden() -> None:
    game = get_game(CONNECT_FOUR)
    one = searcher.Searcher(game)
    state = game.new_state(2, 1)
    first = one.search(state, 0, 1, Budget(iterations=500, keep_tree=True))
    again = one.search(state, 0, 2, Budget(iterations=500, keep_tree=True))
    assert 0 < sum(first.visits.values()) == first.iterations <= 500
    assert sum(again.visits.values()) == first.iterations + again.iterations
    game.rules.apply(state, 0, first.best)
    answer = one.search(state, 1, 3, Budget(iterations=100, keep_tree=True))
    assert sum(answer.visits.values()) > answer.iterations == 100
    assert sum(one.search(state, 1, 3, Budget(iterations=100)).visits.values()) == 100


def test_a_search_ends_when_its_choice_cannot_change() -> None:
    match = Match("imhotep", 3, 1)  # with three players nothing is proven
    p, most = match.actors[0], 20_000
    found = searcher_of(match.game).search(match.game.veiled(match.state, p), p, 1, Budget(iterations=most))
    tried = sorted(found.visits.values())
    assert most // 2 <= found.iterations < most
    assert tried[-1] - tried[-2] > most - found.iterations


def test_a_search_ends_when_its_choice_is_proven() -> None:
    game = get_game(CONNECT_FOUR)
    match = Match(game, 2, 1)
    for code in "abacad":
        match.play(code)
    found = searcher_of(game).search(match.state, 0, 1, Budget(iterations=100_000))
    assert found.best == game.text.CODES.index("a")
    assert found.proven[found.best] == ismcts.WON
    assert found.iterations < 1000


def test_several_threads_share_the_iterations() -> None:
    game = get_game(CONNECT_FOUR)
    found = searcher_of(game).search(game.new_state(2, 1), 0, 1, Budget(iterations=300, threads=3))
    assert found.iterations == sum(found.visits.values()) == 300
    assert np.isclose(sum(found.wins[:2]), 1.0)


def test_actions_can_be_compared_alone() -> None:
    game = get_game(CONNECT_FOUR)
    found = searcher_of(game).search(game.new_state(2, 1), 0, 1, Budget(iterations=300), among=(0, 3))
    assert set(found.visits) == {0, 3}
    assert found.best == 3


def test_uncompiled_bots_play_interpreted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, altered: Any) -> None:
    monkeypatch.setenv("PERANKH_CACHE", str(tmp_path))
    game = altered()
    state = game.new_state(2, 1)
    assert not searcher.is_ready(game)
    assert decide(str(game.folder), state.to_bytes(), 0, "vizier", 1) in game.legal(state, 0)
    assert not searcher.is_ready(game)
    searcher_of(game).warm()
    assert searcher.is_ready(game)


def test_a_game_may_define_a_heuristic(altered: Any) -> None:
    game = altered()
    text = "from perankh.engine.api import rule\n\n\n@rule\ndef heuristic(s, p):\n    return s.height[6] * (1 - p)\n"
    (game.folder / "bots.py").write_text(text, "utf-8")
    assert {GreedyBot().decide(game, game.new_state(2, 1), 0, seed) for seed in range(8)} == {6}


def test_a_game_may_set_the_parameters_of_the_strongest_level(altered: Any) -> None:
    game = altered()
    text = "from perankh.engine.api import rule\n\nPRIOR_WEIGHT, ROLLOUT_DEPTH = 9.0, 1\n\n\n"
    text += "@rule\ndef long_term_heuristic(s, p):\n    return s.height[6] * (1 - p)\n"
    (game.folder / "bots.py").write_text(text, "utf-8")
    state = game.new_state(2, 1)
    assert SearchBot(iterations=200, expert=True).decide(game, state, 0, 1) == 6
    assert SearchBot(iterations=200).decide(game, state, 0, 1) == 3


def test_a_level_blunders_as_often_as_it_should_but_never_badly(altered: Any) -> None:
    game = altered()
    text = "from perankh.engine.api import rule\n\n\n@rule\ndef heuristic(s, p):\n"
    text += "    return (s.height[6] * 4 + s.height[5] * 3 + s.height[4] * 2 + s.height[3]) * (1 - p)\n"
    (game.folder / "bots.py").write_text(text, "utf-8")
    state = game.new_state(2, 1)
    for rate in (0.0, 0.4, 1.0):
        level = Level("scribe", GreedyBot(worlds=1, plans=1), rate)
        played = [level.decide(game, state, 0, seed) for seed in range(400)]
        assert set(played) <= {3, 4, 5, 6}
        assert sum(action != 6 for action in played) / 400 == pytest.approx(rate * 3 / 4, abs=0.07)
        assert played[:50] == [level.decide(game, state, 0, seed) for seed in range(50)]


def test_a_game_may_set_blunder_rates(altered: Any) -> None:
    game = altered()
    (game.folder / "bots.py").write_text('BLUNDER_RATES = {"scribe": 1.0}\n', "utf-8")
    state = game.new_state(2, 1)
    assert {LEVELS["scribe"].decide(game, state, 0, seed) for seed in range(60)} == set(range(7))


@pytest.mark.parametrize(
    ("rates", "message"),
    [
        ('{"clerk": 0.1}', "names 'clerk', which is not one of apprentice, scribe"),
        ('{"scribe": 3}', "a rate of 3, not one from 0 to 1"),
    ],
)
def test_blunder_rates_that_make_no_sense_are_refused(altered: Any, rates: str, message: str) -> None:
    game = altered()
    (game.folder / "bots.py").write_text(f"BLUNDER_RATES = {rates}\n", "utf-8")
    with pytest.raises(BadGame, match=message):
        LEVELS["scribe"].decide(game, game.new_state(2, 1), 0, 1)


@pytest.mark.parametrize("given", ["{'softness': 0}", "{'rollouts': True}", "{'rollouts': 1.5}", "{'depth': 3}"])
def test_guided_searches_that_make_no_sense_are_refused(altered: Any, given: str) -> None:
    game = altered()
    (game.folder / "bots.py").write_text(f"GUIDED = {given}\n", "utf-8")
    with pytest.raises(BadGame, match=r"it may have exploration from 0 to 10, softness from 1 to 100, rollouts from 0 to 1"):
        searcher.guided_changes(game)


def test_a_game_says_how_guided_searches_of_more_than_two_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    game, found = get_game("cleocatra"), dict[bool, list[Any]]()
    network = network_of(game)
    assert network
    for usual in (False, True):
        if usual:
            monkeypatch.setattr(searcher, "guided_changes", lambda _: {})
        states = [game.new_state(players, 3) for players in (2, 3, 4)]
        found[usual] = [searcher_of(game).guided_search(network, s, game.actors(s)[0], 1, Budget(200)).visits for s in states]
    assert found[False][0] == found[True][0]
    assert found[False][1] != found[True][1]
    assert found[False][2] != found[True][2]


def test_the_check_of_the_levels_warns_where_a_game_gives_no_heuristic(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("perankh.checks.bots.DUELS", (("scribe", "random"), ("random", "scribe")))
    game = get_game(CONNECT_FOUR)
    assert "add bots.py with a heuristic" in levels_in_order(game, 1.0, lambda _: None)
    monkeypatch.setitem(vars(game), "bots", SimpleNamespace(heuristic=ismcts.heuristic))
    assert "warning" not in levels_in_order(game, 1.0, lambda _: None)


def test_a_forced_action_needs_no_long_search() -> None:
    match = Match(CONNECT_FOUR, 2, 1)
    for code in "ddfaegddgfbgebabfgbbffbfdagdeeeaaage":  # one column is left
        match.play(code)
    (forced,) = match.moves()
    found = searcher_of(match.game).search(match.state, forced.player, 1, Budget(iterations=20_000))
    assert found.best == forced.action
    assert searcher.SOONEST <= found.iterations < 1000
