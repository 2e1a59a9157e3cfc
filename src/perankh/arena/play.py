"""One match between bots, on compiled rules."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from perankh.bots import Bot
from perankh.engine.game import SEED_LIMIT, Game, seed_words

TRUTH, SIGHT = 0, 1  # slots: the match itself, and what the seat on turn may know of it


@dataclass(frozen=True)
class Result:
    """How a match ended."""

    scores: list[int]
    ranks: list[int]
    ending: str  # why it was over, a name out of the game's endings
    moves: list[tuple[int, int]]  # seat and action


def play(game: Game, players: int, options: dict[str, Any], seed: int, bots: Sequence[Bot], luck: int) -> Result:
    """Play a match to its end: `seed` deals the game, `luck` is what the bots draw on."""
    table, _ = game.native.table(2)
    blank, _ = game.native.table(1)
    game.blank(players, options).pack(blank[0])
    game.native.begin(table, TRUTH, blank, np.array(seed_words(seed), np.int64), 0)
    draw = random.Random(luck)
    choices = np.zeros(game.actions, np.int16)
    moves: list[tuple[int, int]] = []
    while mask := game.native.actors(table, TRUTH):
        p = draw.choice([q for q in range(players) if mask >> q & 1])
        n = game.native.legal(table, TRUTH, p, choices)
        action = int(choices[0])
        if n > 1:
            table[SIGHT] = table[TRUTH]
            game.native.veil(table, SIGHT, p)
            action = bots[p].decide(game, table[SIGHT], p, draw.randrange(SEED_LIMIT))
        game.native.step(table, TRUTH, p, action)
        moves.append((p, action))
    end = game.State.unpack(table[TRUTH])
    return Result(game.scores(end), game.ranks(end), game.ending(end) or "", moves)
