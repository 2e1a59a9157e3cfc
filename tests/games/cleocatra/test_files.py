"""Cleocatra: observation, invariants and what its components are held to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from perankh.engine.api import sets
from perankh.errors import BadComponents
from perankh.games.cleocatra.rules import tiles
from perankh.games.cleocatra.rules.invariants import INVARIANTS, violated
from perankh.games.cleocatra.rules.state import CELLS, Step

from ...conftest import with_components
from .positions import GAME, RESCUE, SWAP, play, position, random_games

STAR = "18 B, 19 P, 20 O, 35 G"

# --- Observation ----------------------------------------------------------------------------------------------


def plane(out: list[int], number: int) -> dict[int, int]:
    """The cells of a plane that are not 0."""
    return {cell: out[number * CELLS + cell] for cell in range(CELLS) if out[number * CELLS + cell]}


def test_an_observation_begins_with_the_own_seat() -> None:
    s = position(STAR, players=3, rescuers={0: [18], 1: [19, 20], 2: [20]}, inspectors=(35,), scores=(4, 5, 6), turn=1)
    out = GAME.observation_of(s, 1)
    assert len(out) == 14 * CELLS + 16 + 10 + 22 + 15
    assert [sorted(plane(out, c)) for c in range(5)] == [[19], [18], [20], [35], []]
    assert [sorted(plane(out, 5 + seat)) for seat in range(4)] == [[19, 20], [20], [18], []]
    assert plane(out, 9) == {35: 1}
    seats = out[14 * CELLS : 14 * CELLS + 16]
    assert seats[0::4] == [1, 2, 2, 0]
    assert seats[1::4] == [5, 6, 4, 0]
    assert seats[2::4] == [1, 0, 0, 0]
    assert seats[3::4] == [0, 0, 1, 0]


def test_an_observation_shows_the_choice_under_way() -> None:
    s = position("18 B, 19 G, 20 O, 35 P", mode="hard", players=2, rescuers={0: [18, 19], 1: [20]}, inspectors=(18, 35))
    play(s, RESCUE, 19, 20)
    out = GAME.observation_of(s, 0)
    assert plane(out, 9) == {18: 1, 20: 2, 35: 1}
    assert (plane(out, 12), plane(out, 13)) == ({19: 1}, {18: 1, 19: 1})
    play(s, 18)
    assert plane(GAME.observation_of(s, 0), 11) == {18: 1}


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
