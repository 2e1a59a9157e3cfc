"""A training from its beginning to its end: kinds of games, checkpoints, evaluation, report."""

from __future__ import annotations

import json
import math
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from pickle import UnpicklingError
from typing import Any

import torch

from perankh.bots.network import FILE, Network, facts_of, load_network, network_of, packed
from perankh.engine.game import Game
from perankh.envs import Batch, batch
from perankh.errors import BadFile, BadOption
from perankh.train.improve import SearchLearner
from perankh.train.learner import NEVER, Learner, Settings, drawn, shown
from perankh.train.network import TorchNetwork

KINDS = 24  # sets of options that are trained; half of them are the usual one
CHANGED = 0.3  # how likely an option of another set differs from the usual value
EXAMPLES = 200  # random steps from which the deviation of features is taken
EVALUATIONS = 12
LIMIT = 4_000  # moves of a game
CHECKPOINT = "checkpoint.pt"
SNAPSHOTS = "snapshots"  # the folder of networks as they were on the way
FIRST = "first.npz"  # the network that searches improve, as it was before
SHARP = 0.25  # temperature of both sides where a network meets the one it was made from by searches
FIRST_SNAPSHOT = 8
Choice = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]  # an action for each row of observations and masks


@dataclass
class Training:
    """The progress of a training, kept with every checkpoint."""

    game: str
    minutes: float
    seed: int
    device: str
    settings: dict[str, Any]
    seconds: float = 0.0
    steps: int = 0
    curve: list[dict[str, float]] = field(default_factory=list)


def trained_options(game: Game) -> dict[str, list[Any]]:
    """The values that options take in training: all of choices and flags but those that UNTRAINED of bots.py names."""
    left_out = getattr(game.bots, "UNTRAINED", ())
    values: dict[str, list[Any]] = {}
    for name, option in game.options.items():
        if option.kind == "choice" and name not in left_out:
            values[name] = list(option.values)
        elif option.kind == "flag" and name not in left_out:
            values[name] = [False, True]
        elif option.kind != "seat":
            values[name] = [option.default]
    return values


def kinds_of_games(game: Game, seed: int) -> list[dict[str, Any]]:
    """Sets of options: the usual one in half of the games, and random ones."""
    chance, values = random.Random(seed), trained_options(game)
    sets: list[dict[str, Any]] = []
    while len(sets) < KINDS:
        chosen = {
            name: chance.choice(several) for name, several in values.items() if len(several) > 1 and chance.random() < CHANGED
        }
        try:
            game.blank(game.players[0], chosen)
        except BadOption:
            continue
        sets += [{}, chosen]
    return sets


def games_of(
    game: Game,
    n: int,
    players: Sequence[int],
    options: Any,
    seed: int,
    device: str,
    autoreset: str,
    unveiled: bool = False,
    illegal: str = "end",
) -> Batch:
    """A batch for training or evaluation."""
    place = "cuda" if device == "cuda" else "native"
    return batch(
        game,
        n,
        players=players,
        options=options,
        seed=seed,
        device=place,
        autoreset=autoreset,
        illegal=illegal,
        limit=LIMIT,
        unveiled=unveiled,
    )


def contest(
    game: Game,
    players: int,
    one: TorchNetwork | None,
    other: TorchNetwork | None,
    device: str,
    n: int,
    temperature: float = 1.0,
) -> float:
    """The share of opponents that `one` leaves behind, a tie as half, in one seat against `other`; None plays at random."""

    def choice_of(network: TorchNetwork | None) -> Choice:
        def choose(observation: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
            logits = torch.zeros(mask.shape, device=device) if network is None else network(observation)[0]
            return drawn((logits / temperature).masked_fill(~mask, NEVER))

        return choose

    return match_shares(game, players, choice_of(one), choice_of(other), device, n, 2**40 + players)


@torch.no_grad()
def match_shares(game: Game, players: int, one: Choice, other: Choice, device: str, n: int, seed: int) -> float:
    """The share of opponents that `one` leaves behind, a tie as half, in one seat of n matches against `other` in all others."""
    games = games_of(game, n, [players], None, seed, device, "disabled")
    games.reset()
    slots = torch.arange(n, device=device)
    mine, action = slots % players, torch.zeros_like(slots)
    for _ in range(LIMIT):
        seat, mask, observation = (shown(games, name, device) for name in ("seat", "mask", "observation"))
        acting, own = seat >= 0, seat.long() == mine
        if not bool(acting.any()):
            break
        for choose, rows in ((one, acting & own), (other, acting & ~own)):
            if bool(rows.any()):
                action[rows] = choose(observation[rows], mask[rows])
        games.step(action if device == "cuda" else action.numpy())
    return float((final_rewards(games, device)[slots, mine].mean() + 1) / 2)


def final_rewards(games: Batch, device: str) -> torch.Tensor:
    """The rewards of games that have ended, from their places; 0 where a game has no such seat."""
    places, players = shown(games, "ranks", device)[:, : int(games.reward.shape[1])], shown(games, "players", device).long()
    there = torch.arange(places.shape[1], device=device) < players[:, None]
    worse = torch.sign(places[:, None, :] - places[:, :, None]) * there[:, None, :]
    return worse.sum(dim=2).float() * there / (players[:, None] - 1)


def train(
    game: Game,
    out: Path,
    minutes: float,
    *,
    steps: int | None = None,
    seed: int = 1,
    device: str | None = None,
    resume: bool = False,
    against: Path | None = None,
    search: int = 0,
    settings: Settings | None = None,
    report: Callable[[str], None] = print,
) -> Training:
    """Train a network for a game, for so many minutes or steps, whichever ends first.

    What is found is kept in `out`: the network, checkpoints, figures and a report.
    `against`: the checkpoint or the file of a trained network that does not change; a fresh network learns to beat it.
    `search`: the network in `out`, or else that of the game, learns what searches of so many simulations find.
    """
    device = device or ("cuda" if torch.cuda.is_available() else "cpu")
    settings = settings or usual_settings(device, search)
    first = first_network(game, out, resume) if settings.search else None
    (out / SNAPSHOTS).mkdir(parents=True, exist_ok=True)
    torch.manual_seed(seed)
    sets = kinds_of_games(game, seed)
    unveiled = settings.critic and bool(game.hidden)
    games = games_of(game, settings.games, list(game.players), sets, seed, device, "same_step", unveiled)
    games.reset()
    network = (TorchNetwork.of(first) if first else TorchNetwork(game.features.size, game.actions)).to(device)
    examples: dict[str, list[torch.Tensor]] = {"observation": [], "unveiled": []}
    for step in range(EXAMPLES):
        games.step(games.random_actions())
        if step % 10 == 9:
            for name in ("observation", "unveiled") if unveiled else ("observation",):
                examples[name].append(shown(games, name, device)[: 2**16 // 20].clone())
    reach = torch.tensor(1 / game.features.scales, device=device)
    network.normalise(torch.cat(examples["observation"]), reach, keep=first is not None)
    state = Training(game.name, minutes, seed, device, asdict(settings))
    if against is not None:
        settings = Settings(**(asdict(settings) | {"league": 1.0, "selves": 1}))
    if first:
        (out / FIRST).write_bytes(packed(first))
        worlds = games_of(game, settings.games, list(game.players), sets, seed + 1, device, "disabled", illegal="raise")
        learner: Learner = SearchLearner(games, worlds, network, settings, device)
    else:
        learner = Learner(games, network, settings, device)
    if learner.critic:
        learner.critic.normalise(torch.cat(examples["unveiled"]), reach)
    rival: TorchNetwork | None = None
    if against is not None:
        rival = load_rival(game, against, device)
        learner.league.replace(0, rival)
    if resume:
        state = restore(out, learner, state)
        learner.league.replace(0, rival or network)
    facts = dict(first.facts) if first else facts_of(game) | {"options": trained_options(game), "players": list(game.players)}
    known: list[tuple[str, TorchNetwork | None, float]] = [
        ("random", None, 1.0)
    ]  # who never changes, and the temperature of matches against them
    known += [("the rival", rival, 1.0)] if rival else []
    known += [("the first", TorchNetwork.of(first).to(device), SHARP)] if first else []
    began, evaluated, renewed = time.monotonic() - state.seconds, len(state.curve), int(resume)
    earlier: TorchNetwork | None = None
    stopped = False
    while not stopped:
        state.seconds = time.monotonic() - began
        progress = min(1.0, max(state.seconds / (60 * minutes), state.steps / steps if steps else 0.0))
        if progress * EVALUATIONS >= evaluated:
            evaluated += 1
            figures = {"seconds": round(state.seconds, 1), "steps": state.steps}
            others = known + ([("itself before", earlier, 1.0)] if earlier else [])
            for players in sorted({max(2, game.players[0]), game.players[-1]}):
                for name, other, temperature in others:
                    share = contest(game, players, network, other, device, settings.evaluated, temperature)
                    figures[f"against {name}, {players} players"] = share
            state.curve.append(figures)
            report(json.dumps(figures))
            keep(out, learner, state, facts)
            if rival is None:
                learner.league.replace(renewed % settings.selves, network)
                renewed += 1
                earlier = learner.league.networks[(renewed - 1) % settings.selves]
        if progress >= 1:
            break
        try:
            found = learner.learn(progress)
        except KeyboardInterrupt:  # what was learned so far is kept, to go on from
            stopped = True
            continue
        state.steps += settings.steps * settings.games
        if not all(map(math.isfinite, found.values())):
            raise BadOption("the training has diverged: lower the rate")
        rounds = state.steps // (settings.steps * settings.games)
        if is_snapshot(rounds) and not first:
            (out / SNAPSHOTS / f"{rounds}.npz").write_bytes(packed(network.whole(facts | cost(state))))
    keep(out, learner, state, facts)
    write_report(out, state)
    return state


def keep(out: Path, learner: Learner, state: Training, facts: dict[str, Any]) -> None:
    """Write the network and a checkpoint to go on from."""
    kept = {"network": learner.network.state_dict(), "optimizer": learner.optimizer.state_dict(), "training": asdict(state)}
    if learner.critic:
        kept["critic"] = learner.critic.state_dict()
    unfinished = out / "checkpoint.new"
    torch.save(kept, unfinished)
    unfinished.replace(out / CHECKPOINT)
    (out / FILE).write_bytes(packed(learner.network.whole(facts | cost(state))))


def is_snapshot(rounds: int) -> bool:
    """Is the network kept after so many rounds of learning? After 8, 12, 16, 24, 32, 48 and so on."""
    power = 1 << (rounds.bit_length() - 1) if rounds else 1
    return rounds >= FIRST_SNAPSHOT and rounds in (power, power + power // 2)


def cost(state: Training) -> dict[str, Any]:
    """What a network has cost so far, as its file tells it: a training, or what came after it by searches."""
    spent = {"seconds": round(state.seconds), "steps": state.steps, "device": state.device}
    search = state.settings.get("search", 0)
    return {"searched": spent | {"simulations": search}} if search else {"training": spent}


def usual_settings(device: str, search: int) -> Settings:
    """How to learn, if nothing else is asked for."""
    if not search:
        return Settings() if device == "cuda" else Settings(games=512, minibatch=4096)
    settings = Settings(steps=32, rate=2e-4, decay=0.9, critic=False, league=0.0, search=search, games=128, minibatch=512)
    return replace(settings, games=8_192, minibatch=8_192) if device == "cuda" else settings


def first_network(game: Game, out: Path, resume: bool) -> Network:
    """The network that searches are to improve, as it was before; raises BadFile if there is none that fits."""
    path = out / (FIRST if resume else FILE)
    network = load_network(path) if path.is_file() else None if resume else network_of(game)
    if network is None:
        raise BadFile(
            f"{out} has no {FIRST} to go on from" if resume else f"neither {out} nor {game.folder} has a {FILE} to improve"
        )
    if wrong := network.missing(game, {}):
        raise BadFile(f"{path.name}: {wrong}")
    return network


def restore(out: Path, learner: Learner, fresh: Training) -> Training:
    """Go on from the checkpoint in a folder."""
    path = out / CHECKPOINT
    if not path.is_file():
        raise BadFile(f"{out} has no checkpoint to go on from")
    parts = {"network": learner.network, "optimizer": learner.optimizer} | ({"critic": learner.critic} if learner.critic else {})
    before = load_parts(path, fresh.game, learner.device, **parts)
    before.minutes = fresh.minutes
    return before


def load_rival(game: Game, path: Path, device: str) -> TorchNetwork:
    """A trained network from a checkpoint, or from the file by which bots play; raises BadFile if it does not fit."""
    if path.suffix == Path(FILE).suffix:
        network = load_network(path)
        if wrong := network.missing(game, {}):
            raise BadFile(f"{path}: {wrong}")
        return TorchNetwork.of(network).to(device)
    rival = TorchNetwork(game.features.size, game.actions).to(device)
    load_parts(path, game.name, device, network=rival)
    return rival


def load_parts(path: Path, game: str, device: str, **parts: Any) -> Training:
    """Load parts of a checkpoint of a game; raises BadFile if they are not there or do not fit."""
    try:
        kept = torch.load(path, map_location=device, weights_only=True)
        before = Training(**kept["training"])
        if before.game != game:
            raise BadFile(f"{path} is from a training of {before.game}, not of {game}")
        for name, part in parts.items():
            part.load_state_dict(kept[name])
    except (OSError, EOFError, KeyError, RuntimeError, TypeError, ValueError, UnpicklingError) as error:
        raise BadFile(f"{path} is no checkpoint that fits: {str(error).splitlines()[0]}") from None
    return before


def write_report(out: Path, state: Training) -> None:
    """A page with the figures of a training."""
    names = list(dict.fromkeys(name for row in state.curve for name in row))
    lines = [
        f"# Training of {state.game}",
        "",
        f"{state.seconds:.0f} seconds on {state.device}, {state.steps:,} steps, seed {state.seed}.",
        "Shares are of opponents left behind, a tie as half, with actions drawn by their chances.",
        "",
        f"| {' | '.join(names)} |",
        f"|{'---|' * len(names)}",
    ]
    for row in state.curve:
        lines.append(f"| {' | '.join(f'{row[name]:,.3g}' if name in row else '' for name in names)} |")
    (out / "report.md").write_text("\n".join(lines) + "\n", "utf-8")
    (out / "training.json").write_text(json.dumps(asdict(state), indent=1), "utf-8")
    load_network(out / FILE)  # what was written can be read
