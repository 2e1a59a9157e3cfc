"""Who knows what: veil, redeal and observe."""

from __future__ import annotations

from typing import Any

from perankh.checks.walk import Progress, need, walk
from perankh.engine.game import Game

CHANCE = ("chance_key", "chance_block", "chance_used", "chance_pool")
EVERY = 5  # positions between two that are looked at closely
SENTINEL = -987_654_321


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


def observations_fit(game: Game, effort: float, progress: Progress) -> str:
    """Observe writes the same number of features in every position, all of them, and changes nothing."""
    positions = 0
    varied: set[int] = set()
    for number, (state, _, _, where) in enumerate(walk(game)):
        if number % EVERY:
            continue
        for p in range(state.players):
            out = [SENTINEL] * (game.observation + 8)
            seen = game.veiled(state, p)
            written = game.functions["observe"](seen, p, out)
            need(
                written == game.observation,
                f"observe returns {written}, not the {game.observation} features it wrote first ({where})",
            )
            need(all(value == SENTINEL for value in out[game.observation :]), f"observe writes more than it returns ({where})")
            need(SENTINEL not in out[: game.observation], f"observe leaves features unwritten ({where})")
            need(seen == game.veiled(state, p), f"observe changed the state ({where})")
            need(all(-32768 <= value <= 32767 for value in out[: game.observation]), f"a feature does not fit 16 bits ({where})")
            varied.add(hash(tuple(out)))
        positions += 1
    need(len(varied) > positions // 2, "observations hardly ever change")
    return f"{positions} positions, {game.observation} features"
