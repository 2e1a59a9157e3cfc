"""Batches: the same games as the interpreted rules play, and what is reported about them."""

from __future__ import annotations

import copy
import pickle
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from perankh.engine.game import Game, game_names, get_game
from perankh.engine.simulate import option_sets
from perankh.engine.state import Record
from perankh.envs import Batch, batch
from perankh.errors import BadFile, BadOption, IllegalAction

from ..conftest import CONNECT_FOUR, ROOT

four = pytest.mark.xdist_group("connect_four-batch")
GAMES = [pytest.param(name, marks=pytest.mark.xdist_group(name)) for name in game_names()]
GAMES.append(pytest.param(str(CONNECT_FOUR), marks=four))


class Reference:
    """One slot of a batch, played by the interpreted rules through the functions of `Game`."""

    def __init__(self, game: Game, players: int, options: dict[str, Any], seed: int, games: int) -> None:
        self.game, self.players, self.options, self.seed, self.games = game, players, options, seed, games
        self.number = -1
        self.deal()

    def deal(self) -> None:
        self.number += 1
        self.state: Record = self.game.new_state(self.players, self.seed + self.number * self.games, self.options)
        self.moves = 0
        self.ended = False

    @property
    def seat(self) -> int:
        return -1 if self.ended else min(self.game.actors(self.state))

    def compare(self, b: Batch, i: int) -> None:
        """The slot shows this position to the seat that acts."""
        seat = self.seat
        assert b.seat[i] == seat
        assert b.moves[i] == self.moves
        assert b.players[i] == self.players
        assert b.number[i] == self.number
        legal = self.game.legal(self.state, seat) if seat >= 0 else []
        assert np.flatnonzero(b.mask[i]).tolist() == legal
        assert b.legal[i, : b.legal_count[i]].tolist() == legal
        if seat >= 0:
            assert b.observation[i].tolist() == self.game.observation_of(self.state, seat)

    def apply(self, b: Batch, i: int, a: int) -> None:
        """Make a move, and compare what the step has reported about it."""
        seat = self.seat
        self.game.apply(self.state, seat, a)
        self.moves += 1
        self.ended = not self.game.actors(self.state)
        broken_off = self.ended and self.game.ending(self.state) in getattr(self.game.rules, "TRUNCATING", ())
        assert b.terminated[i] == (self.ended and not broken_off)
        assert b.truncated[i] == broken_off
        if not self.ended:
            assert not b.reward[i].any()
            return
        ranks = self.game.ranks(self.state)
        gained = [
            (sum(other > own for other in ranks) - sum(other < own for other in ranks)) / (self.players - 1) for own in ranks
        ]
        np.testing.assert_allclose(b.reward[i, : self.players], gained, rtol=1e-6)
        assert not b.reward[i, self.players :].any()
        assert b.ranks[i, : self.players].tolist() == ranks
        assert b.scores[i, : self.players].tolist() == self.game.scores(self.state)
        assert b.final_observation[i].tolist() == self.game.observation_of(self.state, seat)


def in_step(b: Batch, slots: list[Reference], steps: int) -> int:
    """Play random moves in a batch that resets in the same step and compare positions; returns the games ended."""
    ended = 0
    for t in range(steps):
        for i, slot in enumerate(slots):
            if slot.moves < 3 or t % 4 == i % 4:
                slot.compare(b, i)
        actions = b.random_actions().copy()
        b.step(actions)
        for i, slot in enumerate(slots):
            slot.apply(b, i, int(actions[i]))
            if slot.ended:
                ended += 1
                slot.deal()
    return ended


@pytest.mark.parametrize("name", GAMES)
def test_a_batch_plays_what_the_interpreted_rules_play(name: str) -> None:
    """Every number of players, option sets mixed in one batch; games to their ends and the next ones."""
    game = get_game(name)
    ended = 0
    for count in game.players:
        sets = option_sets(game, count, most=6)
        b = batch(game, len(sets), players=count, options=sets, seed=2**100)
        b.reset()
        slots = [Reference(game, count, options, 2**100 + i, len(sets)) for i, options in enumerate(sets)]
        ended += in_step(b, slots, 220 if count == game.players[0] else 40)
    assert ended


@pytest.mark.parametrize("name", GAMES)
def test_random_steps_without_python_play_the_same_games(name: str) -> None:
    """Compiled loops, threads and the interpreted kernels all come to the same bits."""
    game = get_game(name)
    counts = list(game.players)
    one, loop, observed, threads = (batch(game, 7, players=counts, seed=5, threads=k) for k in (1, 1, 1, 3))
    plain = batch(game, 7, players=counts, seed=5, device="interpreted")
    for b in (one, loop, observed, threads, plain):
        b.reset()
    for _ in range(40):
        for b in (one, threads, plain):
            b.step(b.random_actions())
    loop.play_random(40)
    observed.play_random(40, observe=True)
    for b in (loop, observed, threads, plain):
        assert same(one, b)
        assert [b.state(i) for i in range(7)] == [one.state(i) for i in range(7)]


def same(one: Batch, other: Batch) -> bool:
    """Do two batches show the same? Final observations count where a game has ended."""
    ended = one.terminated | one.truncated
    names = (
        "seat",
        "observation",
        "mask",
        "reward",
        "terminated",
        "truncated",
        "ranks",
        "scores",
        "moves",
        "number",
        "legal_count",
    )
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in names) and np.array_equal(
        one.final_observation[ended], other.final_observation[ended]
    )


# --- Semantics, shown by a game that is over after seven moves -----------------------------------------------------------------

# Both seats fill a column of their own; the first one has four in a row with its fourth stone.
LINE = [0, 1, 0, 1, 0, 1, 0]


def played(moves: int, **settings: Any) -> Batch:
    b = batch(CONNECT_FOUR, 3, seed=1, **settings)
    b.reset()
    for action in LINE[:moves]:
        b.step([action] * 3)
    return b


def last_view(seat: int) -> list[int]:
    """The end of the game as a seat sees it."""
    game = get_game(CONNECT_FOUR)
    state = game.new_state(2, 1)
    for k, action in enumerate(LINE):
        game.apply(state, k % 2, action)
    return game.observation_of(state, seat)


@four
def test_the_same_step_ends_a_game_and_deals_the_next() -> None:
    b = played(6)
    assert not b.terminated.any()
    step = b.step([0] * 3)
    assert step.terminated.all()
    assert not step.truncated.any()
    assert step.reward.tolist() == [[1, -1]] * 3
    assert b.ranks.tolist() == [[1, 2]] * 3
    assert b.scores.tolist() == [[1, 0]] * 3
    assert b.final_observation.tolist() == [last_view(0)] * 3
    assert step.seat.tolist() == [0, 0, 0]
    assert b.moves.tolist() == [0, 0, 0]
    assert b.number.tolist() == [1, 1, 1]
    assert step.mask.all()
    step = b.step([3, 3, 3])
    assert not step.terminated.any()
    assert not step.reward.any()
    assert b.moves.tolist() == [1, 1, 1]


@four
def test_the_next_step_deals_and_ignores_its_action() -> None:
    b = played(7, autoreset="next_step")
    assert b.terminated.all()
    assert b.seat.tolist() == [-1, -1, -1]
    assert not b.mask.any()
    assert not b.random_actions().any()
    assert b.observation.tolist() == b.final_observation.tolist() == [last_view(0)] * 3
    b.step([99, -5, 2**62])
    assert not b.terminated.any()
    assert not b.reward.any()
    assert b.seat.tolist() == [0, 0, 0]
    assert b.number.tolist() == [1, 1, 1]
    assert b.moves.tolist() == [0, 0, 0]


@four
def test_without_autoreset_a_game_stays_ended_until_it_is_reset() -> None:
    b = played(7, autoreset="disabled")
    assert b.reward.tolist() == [[1, -1]] * 3
    for _ in range(2):
        b.step([99, 0, 0])
        assert b.seat.tolist() == [-1, -1, -1]
        assert b.terminated.all()
        assert not b.reward.any()
        assert not b.mask.any()
    b.reset(only=[1])
    assert b.terminated.tolist() == [True, False, True]
    assert b.seat.tolist() == [-1, 0, -1]
    assert b.number.tolist() == [0, 1, 0]
    b.reset(only=np.array([True, False, True]))
    assert b.number.tolist() == [1, 1, 1]
    assert b.mask.all()


@four
def test_a_limit_truncates_games() -> None:
    b = played(5, limit=5, autoreset="disabled")
    assert b.truncated.all()
    assert not b.terminated.any()
    assert b.reward.tolist() == [[0, 0]] * 3
    b = played(7, limit=7)
    assert b.terminated.all()
    assert not b.truncated.any()


@pytest.mark.xdist_group("cleocatra")
def test_the_turn_limit_of_cleocatra_truncates_games() -> None:
    b = batch("cleocatra", 4, players=2, options={"turn_limit": 4}, autoreset="disabled")
    b.reset()
    while (b.seat >= 0).any():
        b.step(b.random_actions())
    assert b.truncated.all()
    assert not b.terminated.any()
    for i in range(4):
        assert b.game.ending(b.state(i)) == "turn_limit"
        assert b.ranks[i].tolist() == b.game.ranks(b.state(i))


@four
def test_illegal_actions_are_refused_and_nothing_is_changed() -> None:
    b = played(6)
    b.step([6, 0, 0])
    before = {name: array.copy() for name, array in b.games._asdict().items()}
    for action, shown in ((7, "7 (there are 0 to 6)"), (-1, "-1 (there"), (2**63 + 1, "-9223372036854775807 (there")):
        actions = np.array([0, 0, 0], np.uint64)
        actions[2] = np.array(action).astype(np.uint64)
        with pytest.raises(IllegalAction, match="slot 2, seat 0") as caught:
            b.step(actions)
        assert shown in str(caught.value)
    full = played(0)
    for action in (0, 0, 0, 0, 0, 0):
        full.step([1, action, 1])
    with pytest.raises(IllegalAction, match=r"slot 1, seat 0: action 0 \(a\) is not allowed; nothing was changed"):
        full.step([2, 0, 2])
    for wrong in ([0, 0], [[0, 0, 0]], [0.0, 1.0, 2.0], [True, True, False], "abc", None):
        with pytest.raises(IllegalAction, match="a step takes 3 whole numbers"):
            b.step(wrong)
    for name, array in b.games._asdict().items():
        assert np.array_equal(before[name], array), name


@four
def test_illegal_actions_can_end_the_game_instead() -> None:
    b = played(1, illegal="end", autoreset="disabled")
    b.step([0, 7, -(2**63)])
    assert b.truncated.tolist() == [False, True, True]
    assert not b.terminated.any()
    assert b.reward.tolist() == [[0, 0], [1, -1], [1, -1]]
    assert b.ranks[1:].tolist() == [[1, 2]] * 2
    assert b.illegal_count == 2
    assert b.seat.tolist() == [0, -1, -1]


@pytest.mark.xdist_group("mural")
def test_the_others_share_what_an_illegal_action_costs() -> None:
    b = batch("mural", 1, players=4, illegal="end")
    b.reset()
    seat = int(b.seat[0])
    b.step([int(np.flatnonzero(~b.mask[0])[0])])
    assert b.reward[0, seat] == -1
    np.testing.assert_allclose(np.delete(b.reward[0], seat), 1 / 3)
    assert b.truncated[0]
    assert b.number[0] == 1


@pytest.mark.xdist_group("mural")
def test_a_saved_game_goes_on_elsewhere() -> None:
    a, b = (batch("mural", 3, players=[2, 3, 4], seed=seed, autoreset="disabled") for seed in (1, 2))
    for one in (a, b):
        one.reset()
        one.play_random(30)
    data = a.save(1)
    b.load(2, data)
    assert b.state(2) == a.state(1)
    assert b.save(2) == data
    for name in ("seat", "observation", "mask", "moves", "players", "number"):
        assert np.array_equal(getattr(a, name)[1], getattr(b, name)[2]), name
    while a.seat[1] >= 0:
        assert b.seat[2] >= 0
        actions = a.random_actions().copy()
        a.step(actions)
        b.step([b.random_actions()[0], b.random_actions()[1], actions[1]])
    for name in ("seat", "observation", "final_observation", "terminated", "reward", "scores", "ranks"):
        assert np.array_equal(getattr(a, name)[1], getattr(b, name)[2]), name
    ended = a.save(1)
    c = batch("mural", 1, players=3, autoreset="disabled")
    c.reset()
    c.load(0, ended)
    assert c.seat[0] == -1
    assert c.terminated[0]
    assert c.observation[0].tolist() == a.observation[1].tolist()
    assert not c.mask.any()


@four
@pytest.mark.parametrize("device", ["native", "interpreted"])
def test_rewards_are_those_of_the_last_step_alone(device: str) -> None:
    """Also where a game that goes on is loaded into a slot whose game has just ended."""
    b = batch(CONNECT_FOUR, 3, seed=1, device=device)
    b.reset()
    running = b.save(0)
    for action in (0, 1, 0, 1, 0, 1, 0):
        b.step([action] * 3)
    assert b.reward.tolist() == [[1, -1]] * 3
    b.load(0, running)
    b.reset(only=[1])
    assert b.reward.tolist() == [[0, 0], [0, 0], [1, -1]]
    b.step([3] * 3)
    assert not b.reward.any()


@four
def test_what_is_not_a_saved_game_is_refused(altered: Callable[..., Game]) -> None:
    b = played(3)
    good = b.save(0)
    for bad, message in (
        (b"", "no game saved"),
        (b"something else altogether", "no game saved"),
        (good[:-1], "damaged"),
        (good[:-1] + b"\1", "damaged"),
        (good[:50], "damaged"),
        (good + b"\0", "damaged"),
        (None, "no game saved"),
    ):
        with pytest.raises(BadFile, match=message):
            b.load(0, bad)
    other = batch(altered(rules_py=("VERSION = 1", "VERSION = 2")), 1, device="interpreted")
    other.reset()
    with pytest.raises(BadFile, match="another version"):
        b.load(0, other.save(0))
    assert b.save(0) == good


@pytest.mark.xdist_group("mural")
@pytest.mark.parametrize("device", ["native", "interpreted"])
@four
def test_a_copy_goes_on_by_itself(device: str) -> None:
    b = batch(CONNECT_FOUR, 5, seed=3, device=device)
    b.reset()
    for _ in range(6):
        b.step(b.random_actions())
    before = [b.state(i) for i in range(5)]
    twins = b.copy(), copy.deepcopy(b), pickle.loads(pickle.dumps(b))
    for _ in range(20):
        actions = [twin.random_actions().tolist() for twin in twins]
        assert actions[0] == actions[1] == actions[2]
        for twin in twins:
            twin.step(actions[0])
        assert all(same(twins[0], twin) for twin in twins)
    assert [b.state(i) for i in range(5)] == before
    assert twins[0].number.any()
    for _ in range(20):
        b.step(b.random_actions())
    assert same(b, twins[0])


def test_a_copy_keeps_its_opponents() -> None:
    b = batch("mural", 3, players=[2, 3], seed=3, opponents="random", threads=2)
    b.reset()
    twins = b.copy(), pickle.loads(pickle.dumps(b))
    for _ in range(10):
        for twin in (b, *twins):
            twin.step(twin.legal[:, 0].astype(np.int64))
    assert same(b, twins[0])
    assert same(b, twins[1])


def test_a_game_with_more_players_than_the_batch_is_refused() -> None:
    two, four_players = batch("mural", 1, players=2), batch("mural", 1, players=4)
    two.reset()
    four_players.reset()
    with pytest.raises(BadOption, match="2 players at most, not 4"):
        two.load(0, four_players.save(0))
    four_players.load(0, two.save(0))
    assert four_players.players[0] == 2
    while four_players.number[0] == 0:
        four_players.step(four_players.random_actions())
    assert four_players.players[0] == 4
    assert not four_players.reward[0, 2:].any()


@four
def test_seeds_say_which_games_are_dealt() -> None:
    game = get_game("mural")
    b = batch(game, 2, seed=10, device="interpreted")
    b.reset()
    assert [b.state(i) for i in range(2)] == [game.new_state(2, 10), game.new_state(2, 11)]
    b.reset(only=[1])
    assert [b.state(i) for i in range(2)] == [game.new_state(2, 10), game.new_state(2, 13)]
    b.reset(seed=2**128 - 1)
    assert [b.state(i) for i in range(2)] == [game.new_state(2, 2**128 - 1), game.new_state(2, 0)]
    b.reset()
    assert [b.state(i) for i in range(2)] == [game.new_state(2, 1), game.new_state(2, 2)]
    b.reset(seed=[7, 99])
    assert [b.state(i) for i in range(2)] == [game.new_state(2, 7), game.new_state(2, 99)]
    b.reset(seed=np.array([8, 98]))
    assert [b.state(np.int64(i)) for i in range(2)] == [game.new_state(2, 8), game.new_state(2, 98)]
    b.reset(seed=np.int32(7))
    b.reset(seed=[1000], only=[1])
    b.reset(only=[1])
    assert [b.state(i) for i in range(2)] == [game.new_state(2, 7), game.new_state(2, 1002)]


@four
def test_arrays_are_made_once_and_cannot_be_written_to() -> None:
    b = played(0)
    first = b.step([0, 1, 2])
    second = b.step([0, 1, 2])
    assert all(x is y for x, y in zip(first, second, strict=True))
    for array in (*first, b.final_observation, b.ranks, b.scores, b.moves, b.players, b.legal):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


@four
@pytest.mark.parametrize("device", ["native", "interpreted"])
def test_unveiled_observations_hide_nothing(device: str) -> None:
    game = get_game("mural")
    plain, full = (batch(game, 6, players=3, seed=5, device=device, unveiled=unveiled) for unveiled in (False, True))
    plain.reset()
    full.reset()
    assert plain.unveiled is None
    different = 0
    for _ in range(30):
        actions = plain.random_actions().copy()
        plain.step(actions)
        full.step(actions)
        assert np.array_equal(plain.observation, full.observation)
        for i in range(6):
            row = [0] * game.features.size
            game.functions["observe"](full.state(i), int(full.seat[i]), row)
            assert full.unveiled[i].tolist() == row
            different += full.unveiled[i].tolist() != full.observation[i].tolist()
    assert different > 100


def test_rollouts_find_the_winning_move() -> None:
    b = played(6)
    open_game, before = b.rollout(0, 400), b.save(0)
    b.step([3, 3, 3])
    worse = b.rollout(0, 400)
    assert sum(open_game) == pytest.approx(0)
    assert open_game[0] > worse[0]
    assert b.rollout(1, 400) != worse
    assert played(6).rollout(0, 400) == open_game
    b.load(0, before)
    assert b.save(0) == before


def test_rollouts_of_several_positions_do_not_depend_on_threads() -> None:
    rows = {}
    for device, threads in (("native", 1), ("native", 3), ("interpreted", 1)):
        b = batch("maqha", 4, players=[2, 4], seed=5, device=device, threads=threads)
        b.reset()
        kept = [b.save(i) for i in range(4)]
        rows[device, threads] = b.rollout([3, 0, 3], 20), b.rollout(np.array([1]), 20), b.rollout(1, 20)
        assert [b.save(i) for i in range(4)] == kept
    (many, one, single), *others = rows.values()
    assert many.shape == (3, 4)
    assert many.sum(axis=1) == pytest.approx([0, 0, 0])
    assert not many[1, 2:].any()  # two players
    assert many[0].tolist() != many[2].tolist()  # chance of its own
    assert one.shape == (1, 4)
    assert len(single) == 4
    for other in others:
        assert all(np.array_equal(mine, its) for mine, its in zip((many, one, single), other, strict=True))


@pytest.mark.parametrize("device", ["native", "interpreted"])
def test_any_seat_can_be_observed(device: str) -> None:
    b = batch("maqha", 6, players=[2, 4], seed=5, device=device, threads=2, autoreset="disabled")
    b.reset()
    for _ in range(3):
        b.step(b.random_actions())
    kept = [b.save(i) for i in range(6)]
    for seats in (0, 1, np.arange(6) % b.players, b.players - 1):
        seen = b.observe(seats)
        for i, p in enumerate(np.broadcast_to(seats, 6).tolist()):
            assert seen[i].tolist() == list(b.game.observation_of(b.state(i), p))
    playing = b.seat >= 0
    assert playing.any()
    assert np.array_equal(b.observe(np.maximum(b.seat, 0))[playing], b.observation[playing])
    assert [b.save(i) for i in range(6)] == kept
    for wrong, message in (
        (2, "slot 0 has the seats 0 to 1, not 2"),
        (-1, "not -1"),
        ([0, 0], "a seat, or 6 seats"),
        ("a", "a seat, or 6 seats"),
    ):
        with pytest.raises(BadOption, match=message):
            b.observe(wrong)


@four
@pytest.mark.parametrize("name", GAMES)
def test_worlds_fit_what_the_seat_to_act_knows(name: str) -> None:
    """Everything else is dealt anew, the same interpreted and compiled; the games themselves stay as they are."""
    game, pairs = get_game(name), []
    for device in ("native", "interpreted"):
        games, worlds = (batch(name, 6, players=game.players[-1], seed=k, autoreset="disabled", device=device) for k in (3, 4))
        games.reset()
        games.play_random(3)
        pairs.append((games, worlds))
    before = [pairs[0][0].state(i).to_bytes() for i in range(6)]
    differing = 0
    for _ in range(2):
        for games, worlds in pairs:
            worlds.redeal(games)
        games, worlds = pairs[0]
        for i in range(6):
            world, real, p = worlds.state(i), games.state(i), int(games.seat[i])
            assert worlds.seat[i] == p
            assert world.to_bytes() == pairs[1][1].state(i).to_bytes()
            if p >= 0:
                assert game.veiled(world, p).to_bytes() == game.veiled(real, p).to_bytes()
                assert worlds.observation[i].tolist() == games.observation[i].tolist() == pairs[1][1].observation[i].tolist()
                assert worlds.mask[i].tolist() == games.mask[i].tolist() == pairs[1][1].mask[i].tolist()
                differing += world.to_bytes() != real.to_bytes()
    assert differing >= 6
    assert [pairs[0][0].state(i).to_bytes() for i in range(6)] == before


@four
def test_some_games_go_on_while_others_stay() -> None:
    games, worlds = (batch(CONNECT_FOUR, 4, seed=seed) for seed in (1, 2))
    games.reset()
    for _ in range(3):
        worlds.redeal(games)
        worlds.advance(np.array([3, -1, 0, -1]))
    assert worlds.moves.tolist() == [1, 0, 1, 0]
    assert worlds.seat.tolist() == [1, 0, 1, 0]
    assert worlds.mask[1].all()
    with pytest.raises(BadOption, match="as many games of the same game"):
        batch(CONNECT_FOUR, 5).redeal(games)
    with pytest.raises(BadOption, match="reset the batch"):
        worlds.redeal(batch(CONNECT_FOUR, 4))


def test_bad_arguments_are_named() -> None:
    for arguments, message in (
        ({"n": 0}, "n is a whole number from 1 on, not 0"),
        ({"n": 2.5}, "n is a whole number"),
        ({"threads": 0}, "threads is a whole number from 1 on"),
        ({"limit": 0}, "limit is a whole number from 1 on"),
        ({"players": 3}, "2 to 2 players, not 3"),
        ({"players": []}, "at least one player count"),
        ({"players": "2"}, "players is a whole number"),
        ({"options": []}, "at least one player count and one set of options"),
        ({"options": {"colour": 1}}, "has no option colour"),
        ({"seed": -1}, "a seed is a whole number"),
        ({"device": "abacus"}, "device is native, interpreted, cuda, not 'abacus'"),
        ({"autoreset": "never"}, "autoreset is same_step, next_step, disabled, not 'never'"),
        ({"illegal": "ignore"}, "illegal is raise, end, not 'ignore'"),
        ({"seat": 0}, "needs opponents"),
        ({"opponents": "priest", "seat": 2}, "seat is random or a number from 0 to 1, not 2"),
        ({"opponents": "nobody"}, "there is no bot 'nobody'"),
        ({"opponents": 7}, "neither the name of a bot nor a policy"),
        ({"opponents": {0: "random"}, "seat": 0}, "nobody plays seat 1"),
        ({"opponents": {1: "random"}, "seat": "random"}, "nobody plays seat 0"),
        ({"opponents": {1: "random", 2: "random"}}, "opponents: 2 is not a seat from 0 to 1"),
        ({"options": "side"}, "options are a dict, or several dicts, not 'side'"),
    ):
        with pytest.raises(BadOption, match=message):
            batch(CONNECT_FOUR, **{"n": 2, **arguments})
    b = batch(CONNECT_FOUR, 2)
    for call in (
        lambda: b.step([0, 0]),
        lambda: b.save(0),
        b.random_actions,
        lambda: b.play_random(1),
        lambda: b.reset(only=[0]),
    ):
        with pytest.raises(BadOption, match="reset"):
            call()
    b.reset()
    for call, message in (
        (lambda: b.state(2), "has no slot 2"),
        (lambda: b.save(1.0), "has no slot 1.0"),
        (lambda: b.rollout(None, 1), "has no slot None"),
        (lambda: b.rollout(0, 0), "count is a whole number from 1 on"),
        (lambda: b.play_random(-1), "steps is a whole number from 0 on"),
        (lambda: b.reset(only=[0, 2]), "slots are numbered from 0 to 1"),
        (lambda: b.reset(only=[0.5]), "slot numbers, or a mask of 2"),
        (lambda: b.reset(only=[True]), "slot numbers, or a mask of 2"),
        (lambda: b.reset(seed=[1]), "2 games need 2 seeds, not 1"),
        (lambda: b.reset(seed="12"), "a seed is a whole number from 0 to 2\\*\\*128 - 1, not '12'"),
    ):
        with pytest.raises(BadOption, match=message):
            call()


@pytest.mark.xdist_group("mural")
def test_the_example_of_the_documents_runs() -> None:
    example = re.findall(r"^```python\n(.*?)^```$", (ROOT / "docs" / "environments.md").read_text("utf-8"), re.M | re.S)[0]
    names: dict[str, Any] = {}
    exec(example, names)
    assert names["games"].moves.sum() == 100 * 1024
