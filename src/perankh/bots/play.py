"""Plays one match between bots on compiled rules."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from perankh.bots.levels import Bot
from perankh.engine.game import SEED_LIMIT, Game, seed_words

MATCH, VIEW = 0, 1  # slots: the match itself, and the view of the player to move


@dataclass(frozen=True)
class Result:
    """How a match ended."""

    scores: list[int]
    ranks: list[int]
    ending: str  # the reason, one of the game's endings
    moves: list[tuple[int, int]]  # seat and action


def play(game: Game, players: int, options: dict[str, Any], seed: int, bots: Sequence[Bot], bot_seed: int) -> Result:
    """Play a match to its end: `seed` is the game's, `bot_seed` gives the bots their random numbers."""
    slots, _ = game.native.slots(2)
    blank, _ = game.native.slots(1)
    game.blank(players, options).pack(blank[0])
    game.native.begin(slots, MATCH, blank, np.array(seed_words(seed), np.int64), 0)
    draw = random.Random(bot_seed)
    choices = np.zeros(game.actions, np.int16)
    moves: list[tuple[int, int]] = []
    while mask := game.native.actors(slots, MATCH):
        p = draw.choice([q for q in range(players) if mask >> q & 1])
        n = game.native.legal(slots, MATCH, p, choices)
        action = int(choices[0])
        if n > 1:
            slots[VIEW] = slots[MATCH]
            game.native.veil(slots, VIEW, p)
            action = bots[p].decide(game, slots[VIEW], p, draw.randrange(SEED_LIMIT))
        game.native.step(slots, MATCH, p, action)
        moves.append((p, action))
    end = game.State.unpack(slots[MATCH])
    return Result(game.scores(end), game.ranks(end), game.ending(end) or "", moves)
