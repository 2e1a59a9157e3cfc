"""Which sprites an event of Maqha brings to their places, so that they travel in the order of the events."""

from __future__ import annotations

from collections.abc import Sequence

from perankh.engine import sets
from perankh.engine.api import GameEvent

from ..rules.components import KINDS, TOKENS
from ..rules.events import Event
from ..rules.state import State
from .market import own_id

WITH_LOT = (Event.REVEALED, Event.WON, Event.CARRIED, Event.SET_ASIDE, Event.THROW_BEGAN, Event.BANKED, Event.LOT_FAILED)


def moved_sprites(s: State, event: GameEvent) -> tuple[str, ...]:
    """The ids of the sprites that an event brought to their places."""
    p, kind = event.seat, event.kind
    lot = tuple(f"card-{card}" for card in sets.members([event.lot])) if kind in WITH_LOT else ()
    if kind == Event.THROW_BEGAN:  # those in the hand now
        used = [TOKENS[k] - s.supply[k] for k in range(len(KINDS))]
        return *lot, *tokens([n - s.to_go[k] for k, n in enumerate(used)], used)
    if kind == Event.RELEASED:
        thrown = (event.coins, event.ankhs, event.anubis)
        return tokens([n - thrown[k] for k, n in enumerate(s.inside)], s.inside)
    if kind in (Event.PLACED, Event.TOPPLED):
        return f"disc-{event.cell}", f"pile-{event.cell}"
    if kind in (Event.BID, Event.SHOWN):
        return f"order-{p}-{event.slot}", own_id(p, event.card or 0)
    if kind == Event.MASK_LAID:
        return ("mask",)
    if kind == Event.EYE_TAKEN:
        return ("eye",)
    return ("fallen",) if kind == Event.FELL else lot


def tokens(first: Sequence[int], end: Sequence[int]) -> tuple[str, ...]:
    """The sprites of the tokens of each kind from one number up to another."""
    return tuple(f"{name}-{k}" for kind, name in enumerate(KINDS) for k in range(first[kind], end[kind]))
