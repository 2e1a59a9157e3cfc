"""Every viewer is shown the same whatever is hidden from it: many positions, compared bit for bit with redealt worlds.

For every position of random games and every viewer, the state is veiled, a random world is dealt in place of what was erased,
and that world is veiled again. Everything a viewer gets is made from the veiled state alone: scene, text board, prompt,
sentences, paths, hints and observation are functions of its bytes. So if both veiled states have the same bytes, nothing of
it can depend on what is hidden. What the server computes from the true state, who has to act and what a seat may do, is
compared as well. The loop is compiled; for a sample of the positions, what is drawn and worded is compared too.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from perankh.checks.walk import Progress, need, walk
from perankh.engine.chance import forget_chance
from perankh.engine.contract import actors, apply, legal, observe, violated
from perankh.engine.game import Game, seed_words
from perankh.engine.loops import Series, Space, begin, copy_state, pick_actor, random_below, redeal_slot, veil_slot
from perankh.engine.native import Entry
from perankh.engine.rule import bind, rule
from perankh.engine.simulate import LONGEST_GAME, option_sets
from perankh.scene.sprite import SHAPES

POSITIONS = 100_000  # at effort 1
COMPILED_FROM = 10_000  # positions below which compiling would take longer than interpreting
SETS = 64  # option sets a player count
EVERY = 40  # positions between two that are drawn and worded; five times as many in short runs, a fifth in long ones
SHORTEST = 100  # positions to look at with one option set
WORLD_SEED = 0xC0FFEE << 96  # worlds are dealt from seeds that no game of the series has

# Slots of a comparison.
TRUE, VEILED, WORLD, AGAIN = 0, 1, 2, 3
SLOTS = 4

# Columns of the result.
LOOKED, OTHER, FAULT, GAME, MOVE, VIEWER = 0, 1, 2, 3, 4, 5
COLUMNS = 6

FAULTS = (
    "",
    "veil(redeal(veil(s, p)), p) is not veil(s, p)",
    "who may act depends on what is hidden",
    "the legal actions of the veiled state are not those of the true one",
    "the legal actions depend on what is hidden",
    "the observation depends on what is hidden",
    "a redealt world breaks an invariant",
)
NOT_VEILED_SAME, NOT_SAME_ACTORS, NOT_LEGAL_VEILED, NOT_LEGAL, NOT_OBSERVED, NOT_SOUND = range(1, 7)


def _same_record(slots: Any, raw: Any, a: int, b: int) -> bool:
    for i in range(raw.shape[1]):
        if raw[a, i] != raw[b, i]:
            return False
    return True


@rule(native=_same_record)
def same_state(slots: Any, raw: Any, a: int, b: int) -> bool:
    """Do two slots hold the same bytes?"""
    return bool(slots[a] == slots[b])


@rule
def legal_differs(slots: Any, slot: int, p: int, n: int, choices: Any, others: Any) -> bool:
    """Are p's legal actions in a slot others than the first `n` of `choices`?"""
    if legal(slots[slot], p, others) != n:
        return True
    for i in range(n):
        if others[i] != choices[i]:
            return True
    return False


@rule
def fault_for(space: Space, others: Any, features: Any, world_keys: Any, number: int, mask: int, p: int) -> int:
    """What viewer p could tell apart in the true state and in another world that looks the same to it; 0 if nothing."""
    slots, raw, choices = space.slots, space.raw, space.choices
    copy_state(slots, VEILED, slots, TRUE)
    veil_slot(slots, VEILED, p)
    copy_state(slots, WORLD, slots, VEILED)
    redeal_slot(slots, WORLD, world_keys, number)
    if actors(slots[WORLD]) != mask or actors(slots[VEILED]) != mask:
        return NOT_SAME_ACTORS
    copy_state(slots, AGAIN, slots, WORLD)
    veil_slot(slots, AGAIN, p)
    if not same_state(slots, raw, AGAIN, VEILED):
        return NOT_VEILED_SAME
    if violated(slots[WORLD], slots[WORLD]):
        return NOT_SOUND
    if p < 0:
        return 0
    if (mask >> p) & 1:
        n = legal(slots[TRUE], p, choices)
        if legal_differs(slots, VEILED, p, n, choices, others):
            return NOT_LEGAL_VEILED
        if legal_differs(slots, WORLD, p, n, choices, others):
            return NOT_LEGAL
    count = observe(slots[VEILED], p, features[0])
    if observe(slots[AGAIN], p, features[1]) != count:
        return NOT_OBSERVED
    for i in range(count):
        if features[0][i] != features[1][i]:
            return NOT_OBSERVED
    return 0


@rule
def world_differs(slots: Any, raw: Any) -> bool:
    """Does the redealt world differ from the true one in more than its generator?"""
    forget_chance(slots[WORLD])
    copy_state(slots, AGAIN, slots, TRUE)
    forget_chance(slots[AGAIN])
    return not same_state(slots, raw, AGAIN, WORLD)


@rule
def compare_worlds(space: Space, series: Series, others: Any, features: Any, world_keys: Any, positions: int, out: Any) -> None:
    """Play games number 0, 1, ... and look at `positions` of their positions with the eyes of every viewer."""
    slots, raw, choices, seed = space.slots, space.raw, space.choices, series.seed
    index = 0
    while out[LOOKED] < positions:
        begin(slots, TRUE, series.blank, series.keys, index)
        s = slots[TRUE]
        move = 0
        running = True
        while running and out[LOOKED] < positions:
            mask = actors(s)
            running = mask != 0 and move < series.limit
            for p in range(-1, s.players):
                number = 8 * out[LOOKED] + p + 1
                fault = fault_for(space, others, features, world_keys, number, mask, p)
                if fault:
                    out[FAULT], out[GAME], out[MOVE], out[VIEWER] = fault, index, move, p
                    return
                if world_differs(slots, raw):
                    out[OTHER] += 1
            out[LOOKED] += 1
            if running:
                q = pick_actor(mask, seed, index, move)
                n = legal(s, q, choices)
                apply(s, q, choices[random_below(seed, index, move, n)])
                move += 1
        index += 1


def same_in_other_worlds(game: Game, effort: float, progress: Progress) -> str:
    """No viewer can tell the true state from another world that looks the same: bit for bit, in very many positions."""
    wanted = max(SHORTEST, round(POSITIONS * effort))
    sets = [(players, options) for players in game.players for options in option_sets(game, players, SETS)]
    sets = sets[:: max(1, len(sets) * SHORTEST // wanted)]
    share = -(-wanted // len(sets))
    compare = compiled(game) if wanted >= COMPILED_FROM else interpreted(game)
    looked = views = other = 0
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        jobs = [pool.submit(compare, players, options, n, share) for n, (players, options) in enumerate(sets)]
        for n, (job, (players, options)) in enumerate(zip(jobs, sets, strict=True)):
            found = job.result()
            where = f"viewer {found[VIEWER]}, {players} players, {options or 'default options'}"
            seed = series_seed(n) + int(found[GAME])
            need(not found[FAULT], f"{FAULTS[found[FAULT]]} ({where}, game with seed {seed}, after move {found[MOVE]})")
            looked += int(found[LOOKED])
            views += int(found[LOOKED]) * (players + 1)
            other += int(found[OTHER])
            progress((n + 1) / len(sets))
    need(bool(other) or not game.hidden or effort < 0.1, "no redealt world ever differs from the true one")
    drawn = same_when_drawn(game, effort, progress)
    return f"{looked} positions, {views} views, {other} of them with another world; {drawn} drawn and worded"


def series_seed(number: int) -> int:
    """The seed of the first game with option set `number`."""
    return 1_000_003 * number


def interpreted(game: Game) -> Any:
    """The comparison as plain Python."""
    loop = bind(globals(), game.own_functions).compare_worlds

    def compare(players: int, options: dict[str, Any], number: int, positions: int) -> list[int]:
        blank, seed, out = game.blank(players, options), series_seed(number), [0] * COLUMNS
        space = Space([blank] * SLOTS, None, [0] * game.actions)
        series = Series([blank], seed_words(seed), seed, LONGEST_GAME, 0)
        features = [[0] * game.features.size for _ in range(2)]
        loop(space, series, [0] * game.actions, features, seed_words(WORLD_SEED), positions, out)
        return out

    return compare


def compiled(game: Game) -> Any:
    """The comparison as machine code."""
    entry = Entry(game, compare_worlds)

    def compare(players: int, options: dict[str, Any], number: int, positions: int) -> Any:
        seed, out = series_seed(number), np.zeros(COLUMNS, np.int64)
        slots, raw = game.native.slots(SLOTS)
        space = Space(slots, raw, np.zeros(game.actions, np.int16))
        series = game.native.series(game.blank(players, options), seed_words(seed), seed, LONGEST_GAME)
        others, features = np.zeros(game.actions, np.int16), np.zeros((2, game.features.size), np.int16)
        entry(space, series, others, features, np.array(seed_words(WORLD_SEED), np.int64), positions, out)
        return out

    return compare


def same_when_drawn(game: Game, effort: float, progress: Progress) -> int:
    """Draw and word a sample of positions from both veiled states; returns how many times."""
    drawn, every = 0, EVERY * 5 if effort < 0.1 else EVERY if effort <= 1 else EVERY // 5
    shapes, languages = list(SHAPES), list(game.words.languages)
    for number, (state, actor, _, where) in enumerate(walk(game, sets=2 if effort < 0.1 else 12)):
        if number % every:
            continue
        progress(1.0)
        for p in range(-1, state.players):
            seen = game.veiled(state, p)
            again = game.veiled(game.redealt(seen, number), p)
            lang, shape = languages[drawn % len(languages)], shapes[drawn // 2 % len(shapes)]
            acts = p == actor
            same = shown(game, seen, p, lang, shape, acts) == shown(game, again, p, lang, shape, acts)
            need(same, f"viewer {p} is shown another {shape} slots in {lang} ({where})")
            drawn += 1
    return drawn


def shown(game: Game, seen: Any, p: int, lang: str, shape: str, acts: bool) -> tuple[Any, ...]:
    """All that a viewer is shown of a veiled state; with what it may do, if it is to act."""
    text, drawing = game.text, game.drawing
    view = (drawing.scene(seen, p, lang, shape).json(), text.board(seen, p, lang), game.scores(seen))
    if not acts:
        return view
    sentences = [text.sentence(seen, p, a, lang) for a in game.legal(seen, p)]
    return (*view, text.prompt(seen, p, lang), sentences, drawing.paths(seen, p))
