"""Opponents: bots and policies that play the other seats, so that a learner gets its own decisions alone."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from perankh.bots import BOTS, Bot
from perankh.errors import BadOption, IllegalAction

if TYPE_CHECKING:
    from perankh.envs.batches import Batch

RANDOM = "random"
Policy = Callable[[Any, Any, Any], Any]  # observation rows, mask rows, seats -> actions
Opponent = str | Bot | Policy


class Opponents:
    """Who plays which of some seats, of so many players. A learner in a random seat needs an opponent for every seat."""

    def __init__(self, given: Opponent | Mapping[int, Opponent], seats: Sequence[int], players: int) -> None:
        chosen = dict(given) if isinstance(given, Mapping) else dict.fromkeys(seats, given)
        missing = [seat for seat in seats if seat not in chosen]
        if missing:
            raise BadOption(f"opponents: nobody plays seat {missing[0]}")
        foreign = [seat for seat in chosen if seat not in range(players)]
        if foreign:
            raise BadOption(f"opponents: {foreign[0]!r} is not a seat from 0 to {players - 1}")
        self.by_seat = {seat: checked(chosen[seat]) for seat in seats}

    @property
    def may_fail(self) -> bool:
        """Is anybody among them who could raise an error?"""
        return any(opponent != RANDOM for opponent in self.by_seat.values())

    def need_no_host(self) -> None:
        """Raise BadOption if somebody among them cannot play where states stay on the GPU."""
        for opponent in self.by_seat.values():
            if hasattr(opponent, "decide"):
                raise BadOption("opponents: on the GPU they are random or policies; bots play in batches on the processor")

    def groups(self) -> list[tuple[Any, int]]:
        """Everybody among them, with the seats as bits."""
        found: list[tuple[Any, int]] = []
        for opponent in self.by_seat.values():
            if all(opponent is not other for other, _ in found):
                found.append((opponent, sum(1 << seat for seat, other in self.by_seat.items() if other is opponent)))
        return found

    def decide(self, b: Batch, slots: Any) -> None:
        """Write actions for slots in which opponents act."""
        seats = b.seat[slots]
        random_actions = b.random_actions() if RANDOM in self.by_seat.values() else None
        for seat in np.unique(seats).tolist():
            opponent, own = self.by_seat[seat], slots[seats == seat]
            if opponent == RANDOM:
                b.actions[own] = random_actions[own]  # type: ignore[index]
            elif hasattr(opponent, "decide"):
                b.actions[own] = [decided(b, i, seat, opponent) for i in own.tolist()]
            else:
                b.actions[own] = answered(opponent(b.observation[own], b.mask[own], seats[seats == seat]), len(own))


def checked(opponent: Any) -> Any:
    """An opponent from what a person gives: the name of a bot, a bot or a policy."""
    if opponent == RANDOM:
        return RANDOM
    if isinstance(opponent, str):
        if opponent not in BOTS:
            raise BadOption(f"opponents: there is no bot {opponent!r}; there are: {', '.join(BOTS)}")
        return BOTS[opponent]
    if not callable(opponent) and not hasattr(opponent, "decide"):
        raise BadOption(f"opponents: {opponent!r} is neither the name of a bot nor a policy")
    return opponent


def decided(b: Batch, i: int, seat: int, bot: Bot) -> int:
    """A bot's decision from what its seat sees; the same for the same seed of the batch, game and move."""
    if b.legal_count[i] == 1:
        return int(b.legal[i, 0])
    facts = (b.games.keys[i].tolist(), int(b.number[i]), int(b.moves[i]), seat)
    seed = int.from_bytes(hashlib.sha256(repr(facts).encode()).digest()[:7], "little")
    return bot.decide(b.game, b.game.veiled(b.state(i), seat), seat, seed)


def answered(actions: Any, count: int) -> Any:
    """What a policy has answered, if it is an action for each row."""
    given = np.asarray(actions)
    if given.shape != (count,) or given.dtype.kind not in "iu":
        raise IllegalAction(f"opponents: a policy returns {count} whole numbers, not {given.dtype} of the shape {given.shape}")
    return given
