"""The games in OpenSpiel: its own checks, unchanged, and its algorithms."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import (
    external_sampling_mccfr,
    generate_playthrough,
    mcts,
    outcome_sampling_mccfr,
    random_agent,
    tabular_qlearner,
)
from open_spiel.python.pytorch import policy_gradient

from perankh.engine import chance
from perankh.engine.game import Game
from perankh.engine.sets import lowest
from perankh.envs.openspiel import Observer, ScriptedRules, register_openspiel
from perankh.errors import BadOption
from tests.envs.games import CASES, GAMES, SHORT

PLAYTHROUGHS = Path(__file__).parent / "playthroughs"
# Whole games where these are short, otherwise the deal and the first decisions.
STORED = {
    "connect_four": "perankh_connect_four()",
    "maqha": "perankh_maqha(players=2,reading_error=2)",
    "mural": "perankh_mural(players=2,max_game_length=8)",
    "cleocatra": "perankh_cleocatra(players=2,max_game_length=12)",
    "imhotep": "perankh_imhotep(players=2,max_game_length=8)",
    "egizia": "perankh_egizia(players=2,max_game_length=4)",
}


@pytest.fixture(autouse=True, scope="module")
def registered() -> None:
    register_openspiel(*GAMES.values())


def load(name: str, players: int = 2, more: str = "") -> Any:
    short = "".join(f",{option}={value}" for option, value in SHORT.get(name, {}).items())
    return pyspiel.load_game(f"perankh_{name}(players={players}{short}{more})")


def play(state: Any, seed: int) -> Any:
    """Random play to the end."""
    random = np.random.default_rng(seed)
    while not state.is_terminal():
        state.apply_action(int(random.choice(state.legal_actions())))
    return state


@pytest.mark.parametrize(("name", "players"), CASES)
def test_random_simulation_with_serialisation(name: str, players: int) -> None:
    pyspiel.random_sim_test(load(name, players), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize(("name", "players"), CASES)
def test_sampled_chance(name: str, players: int) -> None:
    """No chance nodes, the same rules: OpenSpiel cannot serialise generators of Python games, states it can."""
    game = load(name, players, ",chance=sampled,seed=5")
    state = game.new_initial_state()
    assert not state.is_chance_node()
    twin = state.clone()
    assert str(twin) == str(state)
    copy = game.deserialize_state(state.serialize())
    assert str(play(copy, 1)) == str(play(twin, 1)) == str(play(state, 1))
    assert sum(state.returns()) == pytest.approx(0)
    if GAMES[name].hidden:
        assert str(game.new_initial_state()) != str(load(name, players, ",chance=sampled,seed=6").new_initial_state())


class RecordingRules(ScriptedRules):
    """The rules of a game, with a list of what they draw."""

    def __init__(self, game: Game) -> None:
        self.drawn: list[tuple[int, int]] = []
        super().__init__(game)

    def part(self, function: Any) -> Any:
        return self.below if function is chance.below else super().part(function)

    def below(self, s: Any, n: int) -> int:
        outcome = chance.below(s, n)
        if n > 1:
            self.drawn.append((n, outcome))
        return outcome


@pytest.mark.parametrize(("name", "players"), CASES)
def test_explicit_draws_give_the_games_of_the_rules(name: str, players: int) -> None:
    """What a game of the rules draws, made at the chance nodes, leads to the same states, observations and returns."""
    game, spiel = GAMES[name], load(name, players)
    rules, random = RecordingRules(game), np.random.default_rng(players)
    record = spiel.root.record.copy()
    chance.seed_chance(record, players, 1, 2, 3, 0)
    rules.setup(record)
    state = spiel.new_initial_state()
    draw(state, rules)
    while mask := game.functions["actors"](record):
        p = lowest(mask)
        assert same_but_for_the_generator(state.position.record, record)
        assert state.current_player() == p
        assert state.legal_actions() == game.legal(record, p)
        assert state.observation_tensor(p) == pytest.approx(np.array(game.observation_of(record, p)) * game.features.scales)
        action = int(random.choice(state.legal_actions()))
        state.apply_action(action)
        rules.apply(record, p, action)
        draw(state, rules)
    assert same_but_for_the_generator(state.position.record, record)
    assert state.is_terminal()
    ranks = game.ranks(record)
    for p in range(players):
        behind, ahead = sum(rank > ranks[p] for rank in ranks), sum(rank < ranks[p] for rank in ranks)
        assert state.returns()[p] == pytest.approx((behind - ahead) / (players - 1))


def draw(state: Any, rules: RecordingRules) -> None:
    """Make the draws that the rules have made."""
    for n, outcome in rules.drawn:
        assert state.is_chance_node()
        assert state.chance_outcomes() == [(k, pytest.approx(1 / n)) for k in range(n)]
        state.apply_action(outcome)
    rules.drawn.clear()
    assert not state.is_chance_node()


def same_but_for_the_generator(one: Any, other: Any) -> bool:
    return all(value == getattr(other, name) for name, value in one.items() if not name.startswith("chance_"))


def test_information_states_tell_what_a_seat_has_seen_and_nothing_else() -> None:
    """A sealed bid changes what its bidder knows, at once, and nothing for the others."""
    state = load("maqha", 4).new_initial_state()
    random = np.random.default_rng(0)
    sealed = 0
    while not state.is_terminal():
        player, actions = state.current_player(), state.legal_actions()
        waiting = [
            p for p in range(4) if state.position.record and GAMES["maqha"].functions["actors"](state.position.record) >> p & 1
        ]
        if player >= 0 and len(waiting) > 1 and len(actions) > 1:
            one, two = (state.child(action) for action in random.choice(actions, 2, replace=False))
            if not one.is_chance_node() and len(waiting) > 1:
                assert one.information_state_string(player) != two.information_state_string(player)
                for other in set(range(4)) - {player}:
                    assert one.information_state_string(other) == two.information_state_string(other)
                    assert one.observation_string(other) == two.observation_string(other)
                sealed += 1
        state.apply_action(int(random.choice(actions)))
    assert sealed > 5
    for p in range(4):
        assert state.information_state_string(p).count("\n> ") == sum(player == p for player, _ in full_history(state))


def full_history(state: Any) -> list[tuple[int, int]]:
    return [(pair.player, pair.action) for pair in state.full_history()]


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.xdist_group(name)) for name in STORED])
def test_the_playthrough_is_the_stored_one(name: str) -> None:
    """To store new ones: `python -m tests.envs.test_openspiel`."""
    assert playthrough(name) == (PLAYTHROUGHS / f"{name}.txt").read_text("utf-8")


def playthrough(name: str) -> str:
    text: str = generate_playthrough.playthrough(STORED[name], None, seed=7)
    return "\n".join(line.rstrip() for line in text.splitlines()) + "\n"


TRANSFORMS = (
    "misere(game={})",
    "zerosum(game={})",
    "cached_tree(game={})",
    "add_noise(epsilon=0.1,seed=1,game={})",
    "start_at(history={history},game={})",
    "restricted_nash_response(fixed_player=0,p=0.5,game={})",
)


@pytest.mark.parametrize("transform", TRANSFORMS)
def test_game_transforms(transform: str) -> None:
    """Those for simultaneous games and for teams do not apply: the games are sequential and zero-sum."""
    for game, history in (("perankh_connect_four()", "3;3"), ("perankh_maqha(players=2)", "1;100")):
        transformed = pyspiel.load_game(transform.replace("{history}", history).replace("{}", game))
        pyspiel.random_sim_test(transformed, num_sims=2, serialize=False, verbose=False)
    with pytest.raises(pyspiel.SpielError, match="imultaneous"):
        pyspiel.load_game("turn_based_simultaneous_game(game=perankh_connect_four())")


def test_mcts_finds_the_winning_column() -> None:
    game = load("connect_four")
    state = game.new_initial_state()
    for column in (0, 6, 1, 6, 2, 5):
        state.apply_action(column)
    random = np.random.RandomState(1)
    bot = mcts.MCTSBot(game, 2.0, 40, mcts.RandomRolloutEvaluator(1, random), random_state=random)
    assert bot.step(state) == 3


@pytest.mark.parametrize("kind", [external_sampling_mccfr.ExternalSamplingSolver, outcome_sampling_mccfr.OutcomeSamplingSolver])
def test_mccfr(kind: Any) -> None:
    game = load("maqha", 2, ",classic_limit=two,reading_error=0,start_player=0")
    solver = kind(game)
    for _ in range(4):
        solver.iteration()
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(0)
    policy = solver.average_policy().action_probabilities(state)
    assert sum(policy.values()) == pytest.approx(1)
    assert set(policy) == set(state.legal_actions())


@pytest.mark.parametrize(("name", "players"), [("connect_four", 2), ("imhotep", 3)])
def test_agents_of_rl_environment(name: str, players: int) -> None:
    """A tabular learner among random players, in OpenSpiel's own environment."""
    environment = rl_environment.Environment(load(name, players, ",chance=sampled"))
    actions = environment.action_spec()["num_actions"]
    learner = tabular_qlearner.QLearner(player_id=0, num_actions=actions)
    agents = [learner, *(random_agent.RandomAgent(player_id=p, num_actions=actions) for p in range(1, players))]
    for _ in range(2):
        step = environment.reset()
        while not step.last():
            player = step.observations["current_player"]
            step = environment.step([agents[player].step(step).action])
        for agent in agents:
            agent.step(step)
        assert sum(step.rewards) == pytest.approx(0)


def test_a_deep_agent_of_openspiel_learns_from_the_tensors() -> None:
    environment = rl_environment.Environment(load("connect_four"))
    size = environment.observation_spec()["info_state"][0]
    actions = environment.action_spec()["num_actions"]
    agents = [policy_gradient.PolicyGradient(p, size, actions, batch_size=4, num_critic_before_pi=1) for p in range(2)]
    for _ in range(3):
        step = environment.reset()
        while not step.last():
            step = environment.step([agents[step.observations["current_player"]].step(step).action])
        for agent in agents:
            agent.step(step)
    assert agents[0].loss is not None


def test_parameters() -> None:
    game = pyspiel.load_game("perankh_egizia(players=3,brick_limit=_20,stone_market_spaces=4,g10_same_tile=False)")
    record = game.new_initial_state().position.record
    assert GAMES["egizia"].shown_options(record) | {"brick_limit": "20", "stone_market_spaces": "4", "g10_same_tile": False} == (
        GAMES["egizia"].shown_options(record)
    )
    assert game.num_players() == 3
    again = pyspiel.load_game(str(game))
    assert str(again) == str(game)
    assert load("imhotep", 2, ",start_player=1").new_initial_state().position.record.start_player == 1
    for wrong in ("players=5", "chance=dice", "max_game_length=0", "start_player=2"):
        with pytest.raises(BadOption):
            pyspiel.load_game(f"perankh_imhotep({wrong})")


def test_a_long_game_is_left_as_it_stands() -> None:
    game = load("connect_four", 2, ",max_game_length=3")
    state = play(game.new_initial_state(), 0)
    assert len(state.history()) == game.max_game_length() == 3
    assert state.returns() == [0, 0]


def test_illegal_actions_and_odd_observers_are_refused() -> None:
    state = load("connect_four").new_initial_state()
    with pytest.raises(BadOption, match="7 is not a legal action of seat 0"):
        state.apply_action(7)
    ended = play(load("connect_four").new_initial_state(), 1)
    assert ended.is_terminal()
    with pytest.raises(BadOption, match="the game is over"):
        ended.apply_action(0)
    dealing = load("mural").new_initial_state()
    with pytest.raises(BadOption, match="outcomes 0 to"):
        dealing.apply_action(4000)
    kind = pyspiel.IIGObservationType(perfect_recall=False, private_info=pyspiel.PrivateInfoType.ALL_PLAYERS)
    with pytest.raises(BadOption, match="what one player may know"):
        Observer(GAMES["mural"], kind, None)
    with pytest.raises(BadOption, match="no parameters"):
        Observer(GAMES["mural"], pyspiel.IIGObservationType(perfect_recall=False), {"a": 1})


def test_observers_by_name_and_in_parts() -> None:
    game = load("mural", 2)
    state = game.new_initial_state()
    random = np.random.default_rng(3)
    while state.move_number() < 60:
        state.apply_action(int(random.choice(state.legal_actions())))
    observer = game.make_py_observer()
    observer.set_from(state, 1)
    features = GAMES["mural"].features
    assert list(observer.dict) == [feature.name for feature in features]
    assert np.array_equal(observer.tensor, state.observation_tensor(1))
    assert np.abs(observer.tensor).max() <= 1
    hidden = pyspiel.IIGObservationType(public_info=False, perfect_recall=False)
    assert "hand: " in game.make_py_observer(hidden).string_from(state, 1)
    public = pyspiel.IIGObservationType(perfect_recall=False, private_info=pyspiel.PrivateInfoType.NONE)
    assert "hand: " not in game.make_py_observer(public).string_from(state, 1)


if __name__ == "__main__":
    register_openspiel(*GAMES.values())
    for stored in STORED:
        (PLAYTHROUGHS / f"{stored}.txt").write_text(playthrough(stored), "utf-8")
