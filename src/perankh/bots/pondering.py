"""Pondering: while others think, a bot searches positions that they are likely to leave it in.

It knows what its seat knows. Where a position comes about that was searched, bit for bit the same, what was found for it counts;
of the others nothing is taken over.
"""

from __future__ import annotations

from perankh.bots.levels import GuidedBot, legal_actions, restored
from perankh.bots.network import Network, network_for, softened
from perankh.engine.game import SEED_LIMIT, Game
from perankh.engine.state import Record

FURTHEST = 60  # decisions of others that are followed
TRIES = 4  # ways on that are followed for each position that is wanted
SECONDS = 1.0  # for each position: twice what the bot takes for a decision


def likely_positions(folder: str, record: bytes, p: int, seed: int, most: int) -> list[str]:
    """What p may see when it is to decide next, if the others play as the network does: the likeliest first, in hexadecimal.

    None where no network was trained for the match, or where p will have no choice.
    """
    game, state = restored(folder, record)
    network = network_for(game, state)
    if network is None:
        return []
    found: dict[str, None] = {}
    for number in range(most * TRIES):
        seen = played_on(game, network, state, p, seed + number, 1.0 if number else 0.0)
        if seen and len(legal_actions(game, seen, p)) > 1:
            found[seen.to_bytes().hex()] = None
        if len(found) == most:
            break
    return list(found)


def played_on(game: Game, network: Network, state: Record, p: int, seed: int, temperature: float) -> Record | None:
    """What p may see when it is to decide, in one world that fits what it knows; None if the match ends before, or takes long."""
    world = game.redealt(state, seed % SEED_LIMIT)
    for step in range(FURTHEST):
        actors = game.actors(world)
        if not actors:
            return None
        if p in actors:
            return game.veiled(world, p)
        q = actors[0]
        preferences, _ = network.run(game.observation_of(world, q))
        actions = legal_actions(game, world, q)
        liked = [int(preferences[action]) for action in actions]
        game.rules.apply(world, q, actions[softened(liked, temperature, seed * FURTHEST + step)])
    return None


def ponder(folder: str, record: bytes, p: int, seed: int) -> int:
    """What the strongest bot would play for p in a position."""
    game, state = restored(folder, record)
    return GuidedBot(seconds=SECONDS).decide(game, state, p, seed)
