"""Who knows what: veil and redeal."""

from __future__ import annotations

from typing import Any

from perankh.checks.walk import Progress, need, walk
from perankh.engine.game import Game

CHANCE = ("chance_key", "chance_block", "chance_used", "chance_pool")
EVERY = 5  # positions between two that are looked at closely


def facts(state: Any) -> dict[str, Any]:
    """The state without its generator."""
    return {name: value for name, value in state.items() if name not in CHANCE}


def hidden_stays_hidden(game: Game, effort: float, progress: Progress) -> str:
    """Veil erases only what HIDDEN names and all of the generator; redeal fills just that, with a world that fits."""
    hidden = set(game.hidden)
    erased: set[str] = set()
    redealt: set[str] = set()
    positions = 0
    for number, (state, _, _, where) in enumerate(walk(game)):
        if number % EVERY:
            continue
        before = state.copy()
        for p in range(-1, state.players):
            seen = game.veiled(state, p)
            need(state == before, f"veil changed the state it was given a copy of ({where})")
            for name in CHANCE:
                need(not any(seen_words(getattr(seen, name))), f"the generator shows in a veiled state: {name} ({where})")
            changed = {name for name, value in facts(seen).items() if value != getattr(state, name)}
            need(changed <= hidden, f"veil changed {', '.join(changed - hidden)}, not in HIDDEN ({where})")
            erased |= changed
            need(game.veiled(seen, p) == seen, f"veiling twice is not veiling once ({where})")
            world = game.redealt(seen, number)
            need(game.veiled(world, p) == seen, f"veil(redeal(veil(s, {p})), {p}) is not veil(s, {p}) ({where})")
            redealt |= {name for name, value in facts(world).items() if value != getattr(state, name)}
            code = game.functions["violated"](world, world)
            need(code == 0, f"a redealt world breaks the invariant {game.invariants[code - 1]!r} ({where})")
            if p >= 0:
                need(game.legal(world, p) == game.legal(state, p), f"redealing changed what player {p} may do ({where})")
                need(game.actors(world) == game.actors(state), f"redealing changed who may act ({where})")
        positions += 1
    need(erased == hidden, f"HIDDEN names fields that veil never erases: {', '.join(hidden - erased)}")
    need(redealt == hidden, f"redeal never gives another world in {', '.join(hidden - redealt)}")
    return f"{positions} positions for every viewer; hidden: {', '.join(sorted(hidden)) or 'nothing but the generator'}"


def seen_words(value: Any) -> list[int]:
    """A field as a list."""
    return value if isinstance(value, list) else [value]
