"""Expert iteration: a network learns what a search guided by it finds.

Worker processes play matches in which every decision is searched. Some are searched longer, and the network learns from these:
its preferences become those it had, raised and lowered by the values that the search found, and its value becomes what the search
expected and what the match brought.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import torch

from perankh.bots.network import FILE, UNIT, Network, load_network, network_of, packed, unpacked
from perankh.bots.searcher import Budget, SearchResult, cores, searcher_of
from perankh.engine.game import Game, game_at
from perankh.errors import BadFile
from perankh.train.learner import NEVER
from perankh.train.network import TorchNetwork
from perankh.train.run import CHECKPOINT, Training, contest, kinds_of_games, load_parts
from perankh.workers import WorkerPool

QUICK = 8  # how many times fewer iterations a decision gets that is not learned from
LEARNED = 0.3  # the share of decisions that are learned from
SHARPNESS, FIRST_VISITS = 0.15, 50  # weight of the values found, by the visits of the most visited action
DOUBT = 8  # visits of an action that count as much as what was expected before
WINDOW = 400_000  # of the latest decisions that are learned from
SHARE = 3_000  # decisions to learn from that each worker process finds in a round
MINIBATCH, RATE = 256, 3e-4
REUSE = 8  # how often a decision is learned from, on average
LIMIT = 2_000  # decisions of a match
ILLEGAL = -1.0  # the chance of an action that is not allowed
EVALUATED = 512  # matches of each evaluation


# --- Play, in worker processes --------------------------------------------------------------------------------------------------


def chances_after(preferences: Any, result: SearchResult, actions: list[int]) -> tuple[Any, float]:
    """The chances of some actions, by the network's preferences, raised and lowered by what a search has found; and the share of
    opponents that it expects to leave behind."""
    visits = np.array([result.visits.get(action, 0) for action in actions])
    found = np.array([result.values.get(action, 0.0) for action in actions])
    expected = float(visits @ found) / max(1, int(visits.sum()))
    values = (visits * found + DOUBT * expected) / (visits + DOUBT)
    logits = preferences[actions] / UNIT + SHARPNESS * (FIRST_VISITS + visits.max()) * (values - expected)
    chances = np.exp(logits - logits.max())
    return chances / chances.sum(), expected


def play(place: str, weights: bytes, sets: list[dict[str, Any]], seed: str, iterations: int, least: int) -> dict[str, Any]:
    """Play matches with at least so many decisions to learn from. Returns observations, chances of all actions, and values."""
    game, network, chance = game_at(place), unpacked(weights), random.Random(seed)
    rows: dict[str, list[Any]] = {"observation": [], "chances": [], "value": []}
    while len(rows["value"]) < least:
        for name, values in play_match(game, network, chance, sets, iterations).items():
            rows[name] += values
    kinds = {"observation": np.int8, "chances": np.float16, "value": np.float32}
    return {name: np.array(values, kinds[name]) for name, values in rows.items()}


def play_match(
    game: Game, network: Network, chance: random.Random, sets: list[dict[str, Any]], iterations: int
) -> dict[str, list[Any]]:
    """One match of the search against itself."""
    options, players = chance.choice(sets), chance.choice(list(game.players))
    state = game.new_state(players, chance.getrandbits(64), options)
    rows: dict[str, list[Any]] = {"observation": [], "chances": [], "value": []}
    seats = []
    for _ in range(LIMIT):
        acting = game.actors(state)
        if not acting:
            break
        p = acting[0]
        actions = [int(action) for action in game.legal(state, p)]
        action = actions[0]
        if len(actions) > 1:
            learned, veiled = chance.random() < LEARNED, game.veiled(state, p)
            budget = Budget(iterations if learned else iterations // QUICK, settles=False)
            result = searcher_of(game).guided_search(network, veiled, p, chance.getrandbits(64), budget)
            observation = game.observation_of(veiled, p)
            chances, expected = chances_after(network.run(observation)[0], result, actions)
            action = chance.choices(actions, chances)[0]
            if learned:
                every = np.full(game.actions, ILLEGAL, np.float16)
                every[actions] = chances
                rows["observation"].append(observation)
                rows["chances"].append(every)
                rows["value"].append(2 * expected - 1)
                seats.append(p)
        game.apply(state, p, action)
    else:
        return {name: [] for name in rows}
    places = game.ranks(state)
    rewards = [(sum(other > own for other in places) - sum(other < own for other in places)) / (players - 1) for own in places]
    rows["value"] = [(value + rewards[p]) / 2 for value, p in zip(rows["value"], seats, strict=True)]
    return rows


# --- Learning -------------------------------------------------------------------------------------------------------------------


def learn(network: TorchNetwork, optimizer: torch.optim.Optimizer, rows: dict[str, torch.Tensor], count: int) -> dict[str, float]:
    """Learn from so many minibatches of some decisions. Returns figures for the curve."""
    sums = torch.zeros(2)
    for _ in range(count):
        part = torch.randint(len(rows["value"]), (MINIBATCH,))
        chances = rows["chances"][part].float()
        logits, value = network(rows["observation"][part])
        logp = logits.masked_fill(chances < 0, NEVER).log_softmax(dim=1)
        policy = -(chances.clamp(min=0) * logp).sum(dim=1).mean()
        error = (value - rows["value"][part]).square().mean()
        optimizer.zero_grad(set_to_none=True)
        (policy + error).backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()
        sums += torch.stack((policy.detach(), error.detach()))
    policy_mean, error_mean = (sums / max(count, 1)).tolist()
    return {"policy": policy_mean, "error": error_mean}


def improve(
    game: Game,
    out: Path,
    minutes: float,
    *,
    iterations: int,
    seed: int = 1,
    resume: bool = False,
    workers: int | None = None,
    share: int = SHARE,
    steps: int | None = None,
    report: Callable[[str], None] = print,
) -> Training:
    """Improve the network in `out`, or else that of the game, by searches of so many iterations, for some minutes or
    until it has learned from so many decisions (`steps`).

    Each worker process finds `share` decisions; then the network learns from them and from those of earlier rounds.
    """
    out.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(seed)
    first = load_network(out / FILE) if (out / FILE).is_file() else network_of(game)
    if first is None:
        raise BadFile(f"neither {out} nor {game.folder} has a {FILE} to improve")
    if wrong := first.missing(game, {}):
        raise BadFile(f"{FILE}: {wrong}")
    network = TorchNetwork.of(first)
    before = TorchNetwork.of(first)
    optimizer = torch.optim.Adam(network.parameters(), RATE)
    state = Training(game.name, minutes, seed, "cpu", {"iterations": iterations})
    if resume:
        state = load_parts(out / CHECKPOINT, game.name, "cpu", network=network, optimizer=optimizer)
        state.minutes = minutes
    facts = {name: value for name, value in first.facts.items() if name != "format"}
    sets = kinds_of_games(game, seed)
    rows: dict[str, torch.Tensor] = {}
    searcher_of(game).warm()
    began, size, rounds = time.monotonic() - state.seconds, workers or cores(), len(state.curve)
    with WorkerPool(size) as pool:
        while (progress := max((time.monotonic() - began) / (60 * minutes), state.steps / steps if steps else 0.0)) < 1:
            weights = packed(network.whole(facts))
            seeds = [f"{seed}, {rounds}, {k}" for k in range(size)]
            jobs = [pool.submit(play, game.place, weights, sets, one, iterations, share, retry=True) for one in seeds]
            played = [job.result() for job in jobs]
            fresh = {name: torch.from_numpy(np.concatenate([part[name] for part in played])) for name in played[0]}
            rows = {name: torch.cat([rows[name], new])[-WINDOW:] if rows else new for name, new in fresh.items()}
            for group in optimizer.param_groups:
                group["lr"] = RATE * (1 - 0.9 * min(1.0, progress))
            found = learn(network, optimizer, rows, REUSE * len(fresh["value"]) // MINIBATCH)
            state.steps += len(fresh["value"])
            state.seconds, rounds = time.monotonic() - began, rounds + 1
            figures = {"seconds": round(state.seconds), "decisions": state.steps, **found}
            for players in sorted({max(2, game.players[0]), game.players[-1]}):
                figures[f"against the first, {players} players"] = contest(game, players, network, before, "cpu", EVALUATED)
            state.curve.append(figures)
            report(json.dumps(figures))
            keep(out, network, optimizer, state, facts)
    return state


def keep(out: Path, network: TorchNetwork, optimizer: Any, state: Training, facts: dict[str, Any]) -> None:
    """Write the network and a checkpoint to go on from."""
    unfinished = out / "checkpoint.new"
    torch.save({"network": network.state_dict(), "optimizer": optimizer.state_dict(), "training": asdict(state)}, unfinished)
    unfinished.replace(out / CHECKPOINT)
    searched = {"decisions": state.steps, "seconds": round(state.seconds), **state.settings}
    (out / FILE).write_bytes(packed(network.whole(facts | {"searched": searched})))
    (out / "improvement.json").write_text(json.dumps(asdict(state), indent=1), "utf-8")
