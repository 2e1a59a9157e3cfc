"""What learners see: features are as described, show everything that a seat may know, and none of them is idle."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from perankh.checks.walk import Progress, need, some_sets, walk
from perankh.engine.game import Game
from perankh.engine.simulate import allowed

CHANCE = ("chance_key", "chance_block", "chance_used", "chance_pool")
EVERY = 5  # positions between two that are looked at closely
SENTINEL = -987_654_321
APART = 25  # the same where each of them is compared with its neighbours
CHANGED = 40  # positions, spread over all, in which single numbers of the record are changed
FEW = 4  # values of a number in whose first positions it is changed, too
NEXT = 6  # actions whose results are compared
IDLE = 0.05  # share of the features that may never change in the positions of this check, which are few
GAMES = 200  # random games, at least
SETS = 60  # option sets a player count: more mixtures than elsewhere, as some features need several options together


def observations_fit(game: Game, effort: float, progress: Progress) -> str:
    """Observe writes the features that FEATURES lists, within their ranges, and changes nothing."""
    size = game.features.size
    low, high = game.features.low.astype(int), game.features.high.astype(int)
    positions = 0
    smallest, largest = np.full(size, SENTINEL), np.full(size, -SENTINEL)
    for state, where in positions_of(game, effort, EVERY):
        for p in range(state.players):
            out = [SENTINEL] * (size + 8)
            seen = game.veiled(state, p)
            written = game.functions["observe"](seen, p, out)
            need(written == size, f"observe returns {written}, not the {size} numbers of FEATURES ({where})")
            need(all(value == SENTINEL for value in out[size:]), f"observe writes more than FEATURES lists ({where})")
            need(SENTINEL not in out[:size], f"observe leaves numbers unwritten ({where})")
            need(seen == game.veiled(state, p), f"observe changed the state ({where})")
            row = np.array(out[:size], int)
            wrong = np.flatnonzero((row < low) | (row > high))
            if len(wrong):
                name = feature_at(game, int(wrong[0]))
                need(False, f"the feature {name} is {row[wrong[0]]}, not {low[wrong[0]]} to {high[wrong[0]]} ({where})")
            smallest = np.where(smallest == SENTINEL, row, np.minimum(smallest, row))
            largest = np.where(largest == -SENTINEL, row, np.maximum(largest, row))
        positions += 1
    idle = np.flatnonzero(smallest == largest)
    names = dict.fromkeys(feature_at(game, int(i)) for i in idle)
    need(len(idle) <= IDLE * size, f"{len(idle)} of {size} numbers never changed, in {', '.join(names)}")
    return f"{positions} positions, {len(game.features)} features, {size} numbers, {len(idle)} of them never changed"


def positions_of(game: Game, effort: float, every: int) -> Iterator[tuple[Any, str]]:
    """Some positions of random games over player counts and option sets, ends among them, with labels for messages."""
    sets = sum(len(some_sets(game, players, SETS)) for players in game.players)
    for number, (state, p, a, where) in enumerate(walk(game, -(-GAMES // sets), SETS, share=effort, by_policy=True)):
        if number % every == 0:
            yield state, where
            after = state.copy()
            game.apply(after, p, a)
            if not game.actors(after):
                yield after, f"{where}, the end"
    for players in game.players:
        for name, option in game.options.items():
            for value in (option.low, option.high) if option.kind == "whole" else ():  # option sets hold the default alone
                if allowed(game, players, {name: value}):
                    yield game.new_state(players, 0, {name: value}), f"{players} players, {name} = {value}, the deal"


def feature_at(game: Game, index: int) -> str:
    """The feature that a number belongs to."""
    return next(name for name, place in game.features.places.items() if place.start <= index < place.stop)


def observations_complete(game: Game, effort: float, progress: Progress) -> str:
    """Veiled states that differ have observations that differ.

    Positions of random games, the results of several actions in each of them, and other worlds that look the same are compared.
    Then single numbers of veiled states are replaced by others that occur there: for every number that may vary there must be
    a position in which that shows, unless its field is listed in DERIVED.
    """
    known: dict[tuple[int, int, tuple[int, ...]], bytes] = {}
    records, seats = [], []
    for number, (state, where) in enumerate(positions_of(game, effort, APART)):
        for near in neighbours(game, state, number):
            for p in range(state.players):
                seen = game.veiled(near, p)
                veiled, observed = seen.to_bytes(), tuple(observation(game, seen, p))
                before = known.setdefault((state.players, p, observed), veiled)
                if before != veiled:
                    need(False, f"seat {p} sees the same in states that differ in {difference(game, before, veiled)} ({where})")
                records.append(veiled)
                seats.append(p)
    table = np.frombuffer(b"".join(records), game.State.dtype)
    derived = set(getattr(game.rules, "DERIVED", ()))
    spread = range(0, len(table), max(1, len(table) // CHANGED))
    varying, unseen = 0, []
    for cell, values, places in varying_numbers(game, table):
        if cell[0] not in derived:
            varying += 1
            tried = (*places[:FEW], *spread)
            if not any(shows(game, game.State.unpack(table[i]), seats[i], cell, values) for i in tried):
                unseen.append(cell)
    names = dict.fromkeys(str(cell[0]) for cell in unseen)
    need(not names, f"no feature shows a change of the field {', '.join(names)}: {unseen[:3]}")
    return f"{len(table)} veiled states, {varying} numbers changed one by one"


def varying_numbers(game: Game, table: Any) -> Iterator[tuple[tuple[Any, ...], list[int], list[int]]]:
    """The numbers of a record that vary in a table: field and place (of a set, each bit), values, and where each is first."""
    for name, field in game.State.fields.items():
        if name in CHANCE or name == "players":
            continue
        rows = table[name].reshape(len(table), -1)
        for k in range(rows.shape[1]):
            for bit in range(32) if field.members else (None,):
                column = rows[:, k] if bit is None else rows[:, k] >> bit & 1
                values, places = np.unique(column, return_index=True)
                if len(values) > 1:
                    yield (name, k) if bit is None else (name, k, bit), values.tolist(), places.tolist()


def observation(game: Game, seen: Any, p: int) -> list[int]:
    """The features of a veiled state."""
    out = [0] * game.features.size
    game.functions["observe"](seen, p, out)
    return out


def neighbours(game: Game, state: Any, number: int) -> Iterator[Any]:
    """A position, what some actions make of it, and the same in another world."""
    yield state
    actors = game.actors(state)
    if not actors:
        return
    actor = actors[number % len(actors)]
    for world in (state, game.redealt(game.veiled(state, actor), number)):
        actions = game.legal(world, actor)
        for a in actions[:: max(1, len(actions) // NEXT)]:
            after = world.copy()
            game.apply(after, actor, a)
            yield after


def shows(game: Game, seen: Any, p: int, cell: tuple[Any, ...], values: list[int]) -> bool:
    """Does the observation change when a number is replaced by one of the others that occur in its place?"""
    before = observation(game, seen, p)
    for value in values:
        twin = seen.copy()
        put_in(game, twin, cell, value)
        if twin == seen:
            continue
        try:
            if observation(game, twin, p) != before:
                return True
        except (IndexError, ZeroDivisionError):  # no state of a real game
            continue
    return False


def put_in(game: Game, state: Any, cell: tuple[Any, ...], value: int) -> None:
    """Replace one number of a record."""
    name, k, *bit = cell
    field, whole = game.State.fields[name], getattr(state, name)
    if not field.shape:
        setattr(state, name, value)
        return
    row, j = (whole[k // field.shape[1]], k % field.shape[1]) if len(field.shape) == 2 else (whole, k)
    row[j] = value if not bit else row[j] & ~(1 << bit[0]) | value << bit[0]


def difference(game: Game, one: bytes, other: bytes) -> str:
    """The fields in which two records differ."""
    states = [game.State.from_bytes(record) for record in (one, other)]
    return ", ".join(name for name in game.State.fields if getattr(states[0], name) != getattr(states[1], name))
