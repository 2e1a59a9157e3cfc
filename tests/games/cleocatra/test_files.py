"""Cleocatra: observation, invariants and what its components are held to."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from perankh.engine.api import sets
from perankh.errors import BadComponents
from perankh.games.cleocatra.rules import tiles
from perankh.games.cleocatra.rules.components import COLOURS, KINDS, TILES
from perankh.games.cleocatra.rules.invariants import INVARIANTS, violated
from perankh.games.cleocatra.rules.state import Step

from ...conftest import with_components
from .positions import GAME, RESCUE, SWAP, play, position, random_games

STAR = "18 B, 19 P, 20 O, 35 G"

# --- Observation ----------------------------------------------------------------------------------------------


def seen(s: Any, p: int) -> Any:
    """The features of a seat by name."""
    return GAME.features.named(np.array(GAME.observation_of(s, p)))


def marked(s: Any, row: Any) -> dict[int, int]:
    """The cells of the tiles that are not 0 in a feature, with their numbers."""
    return {s.cell[t]: int(row[t]) for t in np.flatnonzero(row)}


def test_an_observation_begins_with_the_own_seat() -> None:
    s = position(STAR, players=3, rescuers={0: [18], 1: [19, 20], 2: [20]}, inspectors=(35,), scores=(4, 130, 6), turn=1)
    out = seen(s, 1)
    assert out["tiles.row"].tolist() == [1, 1, 1, 2, *[0] * 9]
    assert out["tiles.column"].tolist() == [2, 3, 4, 3, *[0] * 9]
    assert [sorted(marked(s, out[f"tiles.colour_{colour}"])) for colour in COLOURS] == [[19], [18], [20], [35], []]
    names = ("own", "next", "second", "third")
    assert [sorted(marked(s, out[f"tiles.rescuer_{name}"])) for name in names] == [[19, 20], [20], [18], []]
    assert marked(s, out["tiles.inspector"]) == {35: 1}
    assert sorted(marked(s, out["tiles.loose"])) == [18, 20, 35]
    assert [sorted(marked(s, row)) for row in out["tiles.beside"][:5]] == [[18, 19], [18, 19, 20, 35], [19, 20], [19, 35], []]
    assert out["seats.hand"].tolist() == [1, 2, 2, 0]
    assert out["seats.score"].tolist() == [[1, 2], [0, 6], [0, 4], [0, 0]]
    assert out["seats.turn"].tolist() == [1, 0, 0, 0]
    assert out["seats.start"].tolist() == [0, 0, 1, 0]
    assert out["table.inspectors"] == 2


def test_an_observation_shows_the_choice_under_way() -> None:
    s = position("18 B, 19 G, 20 O, 35 P", mode="hard", players=2, rescuers={0: [18, 19], 1: [20]}, inspectors=(18, 35))
    play(s, RESCUE, 19, 20)
    out = seen(s, 0)
    assert marked(s, out["tiles.inspector"]) == {18: 1, 20: 2, 35: 1}
    assert (marked(s, out["tiles.scoring"]), marked(s, out["tiles.returning"])) == ({19: 1}, {18: 1, 19: 1})
    play(s, 18)
    assert marked(s, seen(s, 0)["tiles.chosen"]) == {18: 1}


def test_tokens_of_tiles_and_seats() -> None:
    s = position(STAR, players=3, rescuers={0: [18], 1: [19, 20], 2: [20]}, inspectors=(35,))
    tokens = GAME.features.tokens(np.array(GAME.observation_of(s, 1)))
    assert tokens["tile"].shape == (TILES, 2 + TILES + KINDS + 4 + 6)
    assert (16 * tokens["tile"][:, 0] + tokens["tile"][:, 1]).tolist() == s.cell  # the actions that choose these tiles
    assert tokens["seat"].shape == (4, 6)


DIFFERENCES: dict[str, Callable[[Any], None]] = {
    "tiles laid in another order": lambda s: swap_tiles(s, 0, 2),
    "fresh tile": lambda s: setattr(s, "fresh", 1),
    "another fresh tile": lambda s: setattr(s, "fresh", 2),
    "chosen": lambda s: setattr(s, "chosen", 1),
    "chosen to swap with": lambda s: setattr(s, "other", 1),
    "scoring": lambda s: setattr(s, "scoring", 8),
    "interrupted": lambda s: setattr(s, "interrupted", 8),
    "both": lambda s: (setattr(s, "scoring", 8), setattr(s, "interrupted", 8)),
    "returning": lambda s: setattr(s, "returning", 8),
    "inspector put": lambda s: setattr(s, "inspector_put", 8),
    "inspector elsewhere": lambda s: setattr(s, "inspectors", 1),
    "extra action": lambda s: setattr(s, "extra", 1),
    "extra action of another": lambda s: setattr(s, "extra", 2),
    "rescuer of another": lambda s: (s.rescuers.__setitem__(2, 0), s.rescuers.__setitem__(0, 5)),
    "a score": lambda s: s.score.__setitem__(2, 7),
    "a score 128 higher": lambda s: s.score.__setitem__(2, 6 + 128),
    "turns": lambda s: setattr(s, "turns", s.turns + 3),
    "very many turns": lambda s: setattr(s, "turns", s.turns + (3 << 28)),
    "turn": lambda s: setattr(s, "turn", 2),
    "start": lambda s: setattr(s, "start", 2),
    "over": lambda s: (setattr(s, "over", 1), setattr(s, "step", Step.OVER)),
    "over by the limit": lambda s: (setattr(s, "over", 2), setattr(s, "step", Step.OVER)),
    "second action": lambda s: setattr(s, "owed", 1),
    "second inspector": lambda s: setattr(s, "second", 1),
    "tile turned up": lambda s: setattr(s, "revealed", 1),
    "another tile turned up": lambda s: setattr(s, "revealed", 5),
    "deck": lambda s: s.deck.__setitem__(4, 0),
    "start drawn": lambda s: setattr(s, "start_player", -1),
    "end score": lambda s: setattr(s, "end_score", 23 + 128),
    "turn limit": lambda s: setattr(s, "turn_limit", 1),
    "a high turn limit": lambda s: setattr(s, "turn_limit", 1 + (1 << 14)),
    **{
        f"option {name}": lambda s, name=name: setattr(s, name, 1 - getattr(s, name))  # type: ignore[misc]
        for name in ("mode", "inspector", "inspector_move", "assistants", "end", "extra_self")
    },
    **{f"step {int(step)}": lambda s, step=step: setattr(s, "step", step) for step in Step if step not in (1, 21, 22, 23)},  # type: ignore[misc]
}


def swap_tiles(s: Any, one: int, other: int) -> None:
    """The same layout, with two tiles numbered the other way round."""
    for row in (s.cell, s.neighbours):
        row[one], row[other] = row[other], row[one]
    for name in ("neighbours", "colour", "rescuers"):
        row = getattr(s, name)
        row[:] = [renumbered(tiles, one, other) for tiles in row]
    s.loose, s.inspectors = renumbered(s.loose, one, other), renumbered(s.inspectors, one, other)


def renumbered(tiles: int, one: int, other: int) -> int:
    """A set of tiles in which two have changed their numbers."""
    different = (tiles >> one ^ tiles >> other) & 1
    return tiles ^ (different << one | different << other)


def test_states_that_differ_look_different() -> None:
    def start() -> Any:
        return position(STAR, players=3, rescuers={0: [18], 1: [19, 20], 2: [20]}, inspectors=(35,), scores=(4, 5, 6), turn=1)

    states = [start()]
    for change in DIFFERENCES.values():
        states.append(start())
        change(states[-1])
    assert len({s.to_bytes() for s in states}) == len(DIFFERENCES) + 1
    for p in range(3):
        looks = [tuple(GAME.observation_of(s, p)) for s in states]
        assert len(set(looks)) == len(looks)
        assert all(-128 <= number <= 127 for look in looks for number in look)


# --- Invariants -----------------------------------------------------------------------------------------------


def broken(number: int, s: Any, before: Any) -> None:
    """Break invariant `number` (from 1) in the step from `before` to `s`."""
    if number == 1:
        s.deck[0] += 1
    elif number == 2:
        s.neighbours[0] = 0
    elif number == 3:
        tiles.join(s, 0, s.cell[0] + 60)
    elif number == 4:
        for t in range(s.laid):
            s.cell[t] += 2
    elif number == 6:
        s.rescuers = [1, 1, 1, 0]
    elif number == 7:
        s.inspectors |= 1 << 12
    elif number == 8:
        before.inspectors |= 0b11
    elif number == 9:
        s.inspectors |= 0b11
    elif number == 10:
        s.mode, s.score[0] = 1, -1
    elif number == 11:
        s.over, s.step = 1, Step.OVER
        s.score[0] = before.score[0] = 29
    elif number == 12:
        s.turn = (s.turn + 1) % 3
    elif number == 13:
        s.over, s.step, s.turns, s.turn = 1, Step.OVER, 1, 0
        before.turns = 1
    elif number == 14:
        s.turns = before.turns = 3000
    elif number == 15:
        s.revealed, s.deck[0] = 1, s.deck[0] - 1
        tiles.mark_sites(s)
    elif number == 16:
        before.colour[0], before.colour[1] = before.colour[1], before.colour[0]
    elif number == 17:
        s.loose |= 1 << 1
    elif number == 18:
        sets.add(s.sites, 20)


@pytest.mark.parametrize("number", [n for n in range(1, len(INVARIANTS) + 1) if n != 5])  # 5 is geometry: see the layouts
def test_each_invariant_notices_its_fault(number: int) -> None:
    s = position("17 P, 18 B, 19 O", players=3, rescuers={0: [17], 1: [18], 2: [19]})
    before = s.copy()
    assert violated(s, before) == 0
    broken(number, s, before)
    assert violated(s, before) == number


@pytest.mark.parametrize(
    "options", [{}, {"mode": "hard"}, {"mode": "hard", "inspector": "scored", "assistants": "all", "end": "turn"}]
)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_invariants_hold_in_random_games(players: int, options: dict[str, Any]) -> None:
    steps = 0
    for before, _, _, after in random_games(2, players, seed=40, **options):
        assert violated(after, before) == 0
        steps += 1
    assert steps > 100


# --- Components -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("counts = [3, 3, 3, 3, 1]", "counts = [3, 3, 3, 3, 2]", r"\[tiles\]: counts make 14 tiles; the grid holds 13"),
        ("counts = [3, 3, 3, 3, 1]", "counts = [1, 2, 1, 1, 1]", r"\[tiles\]: 6 tiles with 4 players are too few"),
        ("counts = [3, 3, 3, 3, 1]", "counts = [3, 3, 3, 3]", r"\[tiles\]: counts has 4 numbers, 5 are needed"),
        ("counts = [1, 1, 1, 1, 0]", "counts = [1, 1, 1, 1, 2]", "take away more tiles of a colour than there are"),
        ('"mut"', '"mouse"', "cats must name mafdet, bastet, mut, princess and cleocatra"),
        ('"purple", "blue"', '"blue", "blue"', "colours must be five different words"),
        ("score = 23", "score = 0", r"\[end\]: score: 0 is not between 1 and 1000"),
        ("per_player = 3", "", r"\[rescuers\]: per_player is missing"),
        ('source = "rulebook"\nscore', 'source = "guess"\nscore', "source must be one of"),
    ],
)
def test_wrong_components_are_refused_with_a_reason(tmp_path: Path, old: str, new: str, message: str) -> None:
    with pytest.raises(BadComponents, match=message):
        with_components(GAME, tmp_path, old, new)


def test_the_cats_can_be_given_other_colours(tmp_path: Path) -> None:
    other = with_components(GAME, tmp_path, '"mafdet", "bastet"', '"bastet", "mafdet"')
    s = position("17 P, 18 B, 19 O", mode="hard", players=3, rescuers={0: [17], 1: [19]})
    assert SWAP not in GAME.legal(s, 0)
    assert SWAP in other.legal(s, 0)
