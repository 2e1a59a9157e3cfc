"""Bots decide from what their seat may know, legally, and the better the longer they think."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from perankh.arena.play import play
from perankh.bots import BOTS, LEVELS, mind, think, thought
from perankh.bots.bots import Greedy, Level, Random, Searching, Unprepared
from perankh.bots.mind import Budget, interpreted_thoughts, mind_of
from perankh.engine.game import Game, game_names, get_game, seed_words
from perankh.engine.state import Record
from perankh.errors import BadGame
from perankh.match import Match

from ..conftest import CONNECT_FOUR

GAMES = [pytest.param(name, marks=pytest.mark.xdist_group(name)) for name in (*game_names(), str(CONNECT_FOUR))]


def positions(game: Game, players: int, seed: int, every: int) -> list[tuple[Record, int]]:
    """Real decisions of a random match, with whose they are."""
    state, luck, found = game.new_state(players, seed), random.Random(seed), []
    for number in range(400):
        if not (acting := game.actors(state)):
            break
        p = luck.choice(acting)
        actions = game.legal(state, p)
        if len(actions) > 1 and number % every == 0:
            found.append((state.copy(), p))
        game.rules.apply(state, p, luck.choice(actions))
    return found


@pytest.mark.parametrize("name", GAMES)
def test_every_bot_plays_legally_and_leaves_the_state_alone(name: str) -> None:
    game = get_game(name)
    mind_of(game).warm()
    for state, p in positions(game, game.players[-1], 11, 7)[:3]:
        veiled = game.veiled(state, p)
        before = veiled.copy()
        for bot in BOTS:
            assert think(str(game.folder), vars(veiled), p, bot, 5) in game.legal(state, p)
        assert veiled == before


def interpreted_search(game: Game, view: Record, p: int, seed: int, looks: int = 8) -> int:
    """What the search comes to, without a compiler."""
    table = [view.copy() for _ in range(thought.SLOTS)]
    tree, scratch = mind.new_tree(looks), mind.new_scratch(game.actions, ())
    interpreted_thoughts(game).look_often(tree, scratch, table, None, seed_words(seed), 0, looks, p, seed, mind_of(game).plain)
    return mind.Search.of([tree]).best


@pytest.mark.parametrize("name", GAMES)
def test_no_bot_reads_what_is_hidden(name: str) -> None:
    game = get_game(name)
    different = 0
    for state, p in positions(game, game.players[-1], 3, 9)[:8]:
        sight = game.veiled(state, p)
        others = [game.redealt(sight, seed) for seed in range(3)]
        different += any(game.veiled(other, q) != game.veiled(state, q) for other in others for q in range(state.players))
        bots = (Random(), Unprepared(), Greedy(), Searching(looks=40), Searching(looks=40, deep=True))
        deciding: list[Any] = [*(bot.decide for bot in bots), interpreted_search]
        for decide in deciding:
            assert {decide(game, view, p, 77) for view in (sight, state, *others)} == {decide(game, sight, p, 77)}
    assert bool(different) <= bool(game.rules.HIDDEN)
    assert different or name != "mural"


@pytest.mark.xdist_group("mural")
@pytest.mark.parametrize("deep", [False, True])
@pytest.mark.parametrize("name", ["connect_four", "mural"])
def test_the_search_is_the_same_interpreted_and_compiled(name: str, deep: bool) -> None:
    game = get_game(CONNECT_FOUR if name == "connect_four" else name)
    compiled, plain = mind_of(game), interpreted_thoughts(game)
    manner = compiled.deep if deep else compiled.plain
    for state, p in positions(game, game.players[-1], 8, 15)[:3]:
        veiled = game.veiled(state, p)
        found = compiled.search(veiled, p, 21, Budget(looks=60, deep=deep))
        table = [veiled.copy() for _ in range(thought.SLOTS)]
        tree, scratch = mind.new_tree(60), mind.new_scratch(game.actions, ())
        scratch = scratch._replace(prior=compiled.prior(veiled, p, 21, manner))
        plain.look_often(tree, scratch, table, None, seed_words(21), 0, 60, p, 21, manner)
        assert mind.Search.of([tree]) == found
        assert sum(found.tries.values()) == found.looks == 60


def test_every_opponent_left_behind_counts() -> None:
    game = get_game("imhotep")
    thoughts = interpreted_thoughts(game)
    state, luck = game.new_state(4, 5), random.Random(5)
    while acting := game.actors(state):
        game.rules.apply(state, acting[0], luck.choice(game.legal(state, acting[0])))
    ranks = game.ranks(state)
    behind = [(sum(r > ranks[p] for r in ranks) + 0.5 * (ranks.count(ranks[p]) - 1)) / 3 for p in range(4)]
    won = [(rank == 1) / ranks.count(1) for rank in ranks]
    assert 0 < sorted(behind)[1] < 1  # there is a place between the first and the last
    tree, scratch = mind.new_tree(1), mind.new_scratch(game.actions, ())
    manner = mind.Manner(curiosity=1.0, margin=0.0, trust=0.0, deep=False, horizon=mind.NEVER, open=0)
    thoughts.judge(state, tree, scratch, manner)
    assert scratch.rewards.tolist() == pytest.approx(behind)
    assert tree.counts[thought.WINS : thought.LEADS].tolist() == pytest.approx(won)
    assert [thoughts.share_behind(places, 2, 0) for places in ([1, 2], [2, 1], [1, 1])] == [1.0, 0.0, 0.5]
    assert thoughts.share_behind([1], 1, 0) == 1.0


@pytest.mark.parametrize(("columns", "best"), [("abacad", "a"), ("gfgfgf", "g"), ("aabbcc", "d")])
@pytest.mark.parametrize("bot", [Greedy(), Searching(looks=400), Unprepared()])
def test_four_in_a_row_is_not_missed(columns: str, best: str, bot: Any) -> None:
    match = Match(CONNECT_FOUR, 2, 1)
    for code in columns:
        match.play(code)
    assert {bot.decide(match.game, match.view(0).state, 0, seed) for seed in range(4)} == {match.game.face.CODES.index(best)}


def test_the_search_blocks_a_double_threat_that_greedy_does_not_see() -> None:
    match = Match(CONNECT_FOUR, 2, 1)
    for code in "da" + "e":  # two in a row with both ends open: the second player must stand beside them
        match.play(code)
    choices = {Searching(looks=8000).decide(match.game, match.view(1).state, 1, seed) for seed in range(4)}
    assert choices <= {match.game.face.CODES.index(code) for code in "cf"}


def test_longer_thought_wins() -> None:
    game = get_game(CONNECT_FOUR)
    seats = [Searching(looks=1500), Searching(looks=15)]
    wins = [play(game, 2, {}, deal, seats[::turn], deal).ranks[::turn] for deal in range(6) for turn in (1, -1)]
    assert sum(ranks == [1, 2] for ranks in wins) >= 11


@pytest.mark.xdist_group("mural")
def test_a_little_search_and_the_scribe_beat_random_play() -> None:
    game = get_game("mural")
    players = game.players[0]
    for bot in (LEVELS["scribe"], Searching(looks=200)):
        won = 0
        for deal in range(8):
            for seat in range(players):
                seats: list[Any] = [Random()] * players
                seats[seat] = bot
                won += play(game, players, {}, deal, seats, deal).ranks[seat] == 1
        assert won > 8 * players * 0.75, (bot, won)


@pytest.mark.xdist_group("mural")
def test_who_knows_the_long_run_of_nile_mural_beats_who_does_not() -> None:
    game = get_game("mural")
    seats = [Searching(looks=200, deep=True), Searching(looks=200)]
    won = [play(game, 2, {}, deal, seats[::turn], deal).ranks[::turn][0] == 1 for deal in range(4) for turn in (1, -1)]
    assert sum(won) >= 7


def test_a_kept_tree_goes_on_where_nothing_is_hidden() -> None:
    game = get_game(CONNECT_FOUR)
    one = mind.Mind(game)
    state = game.new_state(2, 1)
    first = one.search(state, 0, 1, Budget(looks=500, keep=True))
    again = one.search(state, 0, 2, Budget(looks=500, keep=True))
    assert 0 < sum(first.tries.values()) == first.looks <= 500
    assert sum(again.tries.values()) == first.looks + again.looks
    game.rules.apply(state, 0, first.best)
    answer = one.search(state, 1, 3, Budget(looks=100, keep=True))
    assert sum(answer.tries.values()) > answer.looks == 100
    assert sum(one.search(state, 1, 3, Budget(looks=100)).tries.values()) == 100


def test_a_search_ends_when_its_choice_cannot_change() -> None:
    game = get_game(CONNECT_FOUR)
    match = Match(game, 2, 1)
    for code in "abacad":
        match.play(code)
    found = mind_of(game).search(match.state, 0, 1, Budget(looks=100_000))
    tried = sorted(found.tries.values())
    assert found.best == game.face.CODES.index("a")
    assert 50_000 <= found.looks < 100_000
    assert tried[-1] - tried[-2] > 100_000 - found.looks


def test_several_threads_share_the_looks() -> None:
    game = get_game(CONNECT_FOUR)
    found = mind_of(game).search(game.new_state(2, 1), 0, 1, Budget(looks=300, threads=3))
    assert found.looks == sum(found.tries.values()) == 300
    assert np.isclose(sum(found.wins[:2]), 1.0)


def test_actions_can_be_compared_alone() -> None:
    game = get_game(CONNECT_FOUR)
    found = mind_of(game).search(game.new_state(2, 1), 0, 1, Budget(looks=300), among=(0, 3))
    assert set(found.tries) == {0, 3}
    assert found.best == 3


def test_before_anything_is_compiled_bots_play_interpreted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, altered: Any) -> None:
    monkeypatch.setenv("PERANKH_CACHE", str(tmp_path))
    game = altered()
    state = game.new_state(2, 1)
    assert not mind.is_ready(game)
    assert think(str(game.folder), vars(state), 0, "vizier", 1) in game.legal(state, 0)
    assert not mind.is_ready(game)
    mind_of(game).warm()
    assert mind.is_ready(game)


def test_a_game_may_say_what_a_position_is_worth(altered: Any) -> None:
    game = altered()
    text = "from perankh.engine.api import rule\n\n\n@rule\ndef prospect(s, p):\n    return s.height[6] * (1 - p)\n"
    (game.folder / "bots.py").write_text(text, "utf-8")
    assert {Greedy().decide(game, game.new_state(2, 1), 0, seed) for seed in range(8)} == {6}


def test_a_game_may_say_more_to_those_who_know_it_well(altered: Any) -> None:
    game = altered()
    text = "from perankh.engine.api import rule\n\nTRUST, HORIZON = 9.0, 1\n\n\n"
    text += "@rule\ndef promise(s, p):\n    return s.height[6] * (1 - p)\n"
    (game.folder / "bots.py").write_text(text, "utf-8")
    state = game.new_state(2, 1)
    assert Searching(looks=200, deep=True).decide(game, state, 0, 1) == 6
    assert Searching(looks=200).decide(game, state, 0, 1) == 3


def test_a_level_slips_as_often_as_it_should() -> None:
    match = Match(CONNECT_FOUR, 2, 1)
    for code in "abacad":
        match.play(code)
    steady = Greedy().decide(match.game, match.state, 0, 0)
    for slips in (0.0, 0.4, 1.0):
        level = Level("scribe", Greedy(worlds=1, plans=1), slips)
        other = [level.decide(match.game, match.state, 0, seed) != steady for seed in range(400)]
        assert sum(other) / 400 == pytest.approx(slips * 6 / 7, abs=0.07)
        assert other[:50] == [level.decide(match.game, match.state, 0, seed) != steady for seed in range(50)]


def test_a_game_may_say_how_often_the_levels_slip_in_it(altered: Any) -> None:
    game = altered()
    (game.folder / "bots.py").write_text('SLIPS = {"scribe": 1.0}\n', "utf-8")
    state = game.new_state(2, 1)
    assert {LEVELS["scribe"].decide(game, state, 0, seed) for seed in range(60)} == set(range(7))


@pytest.mark.parametrize(
    ("slips", "told"),
    [
        ('{"clerk": 0.1}', "names 'clerk', which is not one of apprentice, scribe"),
        ('{"scribe": 3}', "a share of 3, not one from 0 to 1"),
    ],
)
def test_slips_that_make_no_sense_are_refused(altered: Any, slips: str, told: str) -> None:
    game = altered()
    (game.folder / "bots.py").write_text(f"SLIPS = {slips}\n", "utf-8")
    with pytest.raises(BadGame, match=told):
        LEVELS["scribe"].decide(game, game.new_state(2, 1), 0, 1)
