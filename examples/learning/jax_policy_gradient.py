"""A policy gradient in JAX on a batch of games: python examples/learning/jax_policy_gradient.py examples/connect_four

Every decision is reinforced by the reward that its seat gets in the end, less what the value of the position promised. Without
other packages: the network is a list of matrices, and Adam is a few lines. The network runs on JAX's default device; with
`--device cuda` the games are there too, and nothing leaves the GPU.
"""

from __future__ import annotations

import argparse
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from perankh.envs import Batch, batch

GAMES, STEPS, WIDTH = 256, 64, 128
RATE, ENTROPY = 2e-3, 0.01
Params = list[tuple[jax.Array, jax.Array]]


def new_params(sizes: list[int], key: jax.Array) -> Params:
    """Layers of a network."""
    keys = jax.random.split(key, len(sizes) - 1)
    return [
        (jax.random.normal(k, (a, b)) * (2 / a) ** 0.5, jnp.zeros(b)) for k, a, b in zip(keys, sizes, sizes[1:], strict=False)
    ]


def forward(params: Params, observation: jax.Array, mask: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Log-probabilities of the legal actions, and the reward that is expected."""
    hidden = observation
    for weights, bias in params[:-1]:
        hidden = jax.nn.relu(hidden @ weights + bias)
    out = hidden @ params[-1][0] + params[-1][1]
    return jax.nn.log_softmax(jnp.where(mask, 0.1 * out[:, 1:], -1e9)), jnp.tanh(0.1 * out[:, 0])


@jax.jit
def choose(params: Params, observation: jax.Array, mask: jax.Array, key: jax.Array) -> jax.Array:
    """A random action of each game, by the policy."""
    return jax.random.categorical(key, forward(params, observation, mask)[0])


def loss_of(params: Params, played: dict[str, jax.Array]) -> jax.Array:
    """Policy gradient with the value as a baseline, error of the value, entropy; decisions without a result do not count."""
    logp, value = forward(params, played["observation"], played["mask"])
    error = played["result"] - value
    chosen = jnp.take_along_axis(logp, played["action"][:, None], axis=1)[:, 0]
    entropy = -(jnp.exp(logp) * jnp.where(played["mask"], logp, 0.0)).sum(axis=1)
    loss = error**2 - jax.lax.stop_gradient(error) * chosen - ENTROPY * entropy
    return (loss * played["known"]).sum() / played["known"].sum()


@partial(jax.jit, donate_argnums=(0, 1))
def update(params: Params, moments: Any, count: int, played: dict[str, jax.Array]) -> tuple[Params, Any]:
    """One step of Adam."""
    slope = jax.grad(loss_of)(params, played)
    mean = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, moments[0], slope)
    square = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, moments[1], slope)
    rate = RATE * (1 - 0.999**count) ** 0.5 / (1 - 0.9**count)
    return jax.tree.map(lambda p, m, v: p - rate * m / (jnp.sqrt(v) + 1e-8), params, mean, square), (mean, square)


def seen(games: Batch) -> dict[str, jax.Array]:
    """What the games show, as arrays of JAX on its device. They are copies: the next step overwrites those of the batch."""
    games.wait()
    names = ("observation", "mask", "seat", "reward", "terminated", "truncated")
    found = {name: jnp.array(getattr(games, name)) for name in names}
    found["observation"] = found["observation"] * games.game.features.scales
    return jax.block_until_ready(found)


@jax.jit
def results(played: dict[str, jax.Array]) -> tuple[jax.Array, jax.Array]:
    """What the seat of each decision gets in the end, and whether its game has ended within these steps."""

    def before(later: tuple[jax.Array, jax.Array], step: dict[str, jax.Array]) -> Any:
        ended = step["terminated"] | step["truncated"]
        reward, known = jnp.where(ended[:, None], step["reward"], later[0]), later[1] | ended
        return (reward, known), (jnp.take_along_axis(reward, step["seat"][:, None].astype(int), axis=1)[:, 0], known)

    nothing = jnp.zeros_like(played["reward"][0]), jnp.zeros_like(played["terminated"][0])
    return jax.lax.scan(before, nothing, played, reverse=True)[1]


def collect(games: Batch, params: Params, key: jax.Array) -> dict[str, jax.Array]:
    """Play some steps in every game, and find what each decision has led to."""
    rows = []
    now = seen(games)
    for number in range(STEPS):
        action = choose(params, now["observation"], now["mask"], jax.random.fold_in(key, number))
        games.step(action)
        then = seen(games)
        rows.append(now | {"action": action} | {name: then[name] for name in ("reward", "terminated", "truncated")})
        now = then
    played = {name: jnp.stack([row[name] for row in rows]) for name in rows[0]}
    played["result"], played["known"] = results(played)
    return {name: played[name].reshape(STEPS * GAMES, *played[name].shape[2:]) for name in played}


def train(game: Any, players: int | None = None, updates: int = 150, seed: int = 1, device: str = "native") -> Params:
    """Train a network against itself."""
    games = batch(game, GAMES, players=players, seed=seed, device=device)
    games.reset()
    key = jax.random.key(seed)
    params = new_params([games.game.features.size, WIDTH, WIDTH, 1 + games.game.actions], key)
    moments = (jax.tree.map(jnp.zeros_like, params), jax.tree.map(jnp.zeros_like, params))
    for count in range(1, updates + 1):
        params, moments = update(params, moments, count, collect(games, params, jax.random.fold_in(key, count)))
    return params


def evaluate(params: Params, game: Any, players: int | None = None, n: int = 500) -> float:
    """The mean reward in n games against random play, in a random seat."""
    games = batch(game, n, players=players, seed=12345, opponents="random", seat="random", autoreset="disabled", limit=2000)
    games.reset()
    total, key = np.zeros(n), jax.random.key(0)
    while (games.seat >= 0).any():
        key, own = jax.random.split(key)
        now = seen(games)
        games.step(choose(params, now["observation"], now["mask"], own))
        total += games.learner_reward
    return float(total.mean())


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--players", type=int)
    parser.add_argument("--updates", type=int, default=150)
    parser.add_argument("--device", default="native", help="native or cuda; there, JAX reads the games' memory on the GPU")
    given = parser.parse_args()
    trained = train(given.game, given.players, given.updates, device=given.device)
    print("against random play:", evaluate(trained, given.game, given.players))
