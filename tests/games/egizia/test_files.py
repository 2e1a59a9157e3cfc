"""Egizia: observation, invariants and what its components are held to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from perankh.errors import BadComponents
from perankh.games.egizia.rules import components, invariants, monuments
from perankh.games.egizia.rules.state import Action, Phase, Step

from ...conftest import with_components
from .positions import GAME, A, B, building, card, draw, hand, mask, play, position, random_games, sphinx_card

# --- Observation ------------------------------------------------------------------------------------------------------

NUMBERS = 19  # single numbers of a seat
SEAT = NUMBERS + 4 + 2 * 4 + 2 + 3 + 5 + components.CARDS + 3
SHIPS_AT = 4 * SEAT
SHIP_PLACES = 10 + 7 + 3 * 4 + components.OBELISK_SPACES + components.PYRAMID_ROWS * components.PYRAMID_WIDTH
CARDS_AT = SHIPS_AT + 4 * SHIP_PLACES
SPHINX_AT = CARDS_AT + 14 * components.CARDS + 7 * components.TILES + 2 * components.BONUS_TILES + 3 * components.STATUES
TURN_AT = SPHINX_AT + 4 * components.SPHINX_CARDS


def test_an_observation_begins_with_the_own_seat() -> None:
    s = position(3, vp=(4, 5, 6), stones=(7, 8, 9), columns=(1, 2, 3), held={B: "N12-01"}, order="CAB", ships={B: "C1"})
    out = GAME.observation_of(s, B)
    assert len(out) == GAME.observation
    rows = [out[i * SEAT : (i + 1) * SEAT] for i in range(4)]
    assert [row[0] for row in rows] == [5, 6, 4, 0]
    assert [row[1] for row in rows] == [8, 9, 7, 0]
    assert [row[7] for row in rows] == [2, 3, 1, 0]
    assert [row[4] for row in rows] == [7, 8, 8, 0]
    assert rows[0][18] == 3 + 3
    assert rows[0][NUMBERS : NUMBERS + 4] == [0, 0, 1, 0]
    assert out[SHIPS_AT : SHIPS_AT + 4] == [1, 0, 0, 0]
    river = out[CARDS_AT : CARDS_AT + 10 * components.CARDS]
    assert (sum(river), river[components.CARDS + s.river[1] - 1]) == (9, 1)


def test_an_observation_shows_own_sphinx_cards_alone() -> None:
    s = position(3, hands={A: "S05", B: "S07"})
    draw(s, A, "S10 S11 S12", "S11")
    rows = [GAME.observation_of(s, p)[SPHINX_AT:TURN_AT] for p in (A, B)]
    own = {components.SPHINX_NAMES[i]: rows[0][4 * i : 4 * i + 4] for i in range(29)}
    other = {components.SPHINX_NAMES[i]: rows[1][4 * i : 4 * i + 4] for i in range(29)}
    assert (own["S05"], own["S11"], own["S10"], own["S12"]) == ([1, 1, 0, 0], [1, 1, 0, 0], [0, 1, 24, 0], [0, 1, 25, 0])
    assert (own["S07"], other["S07"], other["S10"], other["S11"]) == ([0] * 4, [1, 1, 0, 0], [0] * 4, [0] * 4)
    assert hand(s, A) == ["S05", "S11"]


# --- Invariants -------------------------------------------------------------------------------------------------------


def sound() -> Any:
    """A position in which everything is right."""
    return position(
        3,
        round=3,
        held={A: "N12-08 N12-13 N12-16", B: "N34-20"},
        ships={A: "C1 D1.1", B: "T1"},
        columns=(3, 0, 0),
        obelisk="ABA",
        pyramid=("AB", "A"),
        levels={B: (1, 0, 0)},
        hands={A: "S01 S02"},
        stones=(5, 5, 5),
        vp=(5, 5, 5),
    )


def give(s: Any, name: str, *path: Any) -> None:
    """Set an entry of a field: the last argument is the value."""
    *where, value = path
    if not where:
        setattr(s, name, value)
        return
    row = getattr(s, name)
    for index in where[:-1]:
        row = row[index]
    row[where[-1]] = value


def both(s: Any, before: Any, name: str, *path: Any) -> None:
    """The same in both states."""
    give(s, name, *path)
    give(before, name, *path)


FAULTS: list[tuple[int, Any]] = [
    (1, lambda s, _: give(s, "held", 2, mask("N12-08"))),
    (1, lambda s, _: give(s, "undrawn", s.undrawn & ~mask("N5-01"))),
    (2, lambda s, _: give(s, "dealt", 1, 0, s.dealt[0][0])),
    (2, lambda s, _: give(s, "tape", 0, s.dealt[1][0])),
    (3, lambda s, _: give(s, "draw_size", 0, 2)),
    (3, lambda s, _: give(s, "tape_end", 25)),
    (4, lambda s, _: give(s, "stones", 0, 26)),
    (4, lambda s, before: give(before, "stones", 0, 6)),
    (5, lambda s, _: give(s, "strength", 0, 0, 0)),
    (5, lambda s, _: give(s, "strength", 0, 0, 10)),
    (5, lambda s, _: give(s, "strength", 0, 3, 1)),
    (6, lambda s, before: give(before, "market", 0, 0, 2)),
    (6, lambda s, _: give(s, "market", 0, 1, 6)),
    (6, lambda s, _: give(s, "ring", 4)),
    (7, lambda s, before: both(s, before, "ships", 0, 7)),
    (7, lambda s, before: both(s, before, "frontier", 0, 9)),
    (8, lambda s, _: crowd(s)),
    (8, lambda s, _: share(s)),
    (9, lambda s, _: speculate(s)),
    (10, lambda s, before: give(before, "frontier", 0, 9)),
    (11, lambda s, _: give(s, "obelisk", 5, 1)),
    (11, lambda s, _: give(s, "pyramid", 1, 1, 1)),
    (11, lambda s, before: give(before, "pyramid", 0, 0, 2)),
    (11, lambda s, before: give(before, "columns", 0, 4)),
    (12, lambda s, _: give(s, "level", 0, 0, 4)),
    (13, lambda s, before: many(s, before)),
    (14, lambda s, _: give(s, "flipped", 0, 1)),
    (14, lambda s, _: give(s, "built", 0, 1)),
    (15, lambda s, _: give(s, "order", 0, 1)),
    (15, lambda s, _: give(s, "arrived", 0, 0)),
    (16, lambda s, before: give(before, "vp", 1, 6)),
    (17, lambda s, _: give(s, "spent", mask("N12-14"))),
    (17, lambda s, _: give(s, "closed_eye", 0, 2)),
    (17, lambda s, _: give(s, "tokens", 0, 1)),
    (18, lambda s, _: give(s, "improved", 0, 1 + card("N12-09"))),
    (19, lambda s, _: give(s, "budget", 1)),
    (20, lambda s, _: give(s, "source", 3)),
    (20, lambda s, _: give(s, "step", Step.SELL)),
    (20, lambda s, _: give(s, "docking", 1)),
    (20, lambda s, _: give(s, "power", 2)),
    (21, lambda s, before: give(before, "round", 1)),
    (21, lambda s, _: give(s, "final", 0, 0, 5)),
    (22, lambda s, _: give(s, "stones", 3, 1)),
]


def speculate(s: Any) -> None:
    """A ship beside a dock that is not full."""
    s.speculator[1] = 1 + B
    s.present[B] |= 2
    s.ships[B] -= 1
    s.frontier[B] = 14


def crowd(s: Any) -> None:
    """A ship on a card space that still has its card."""
    s.card_ship[3] = 1 + B
    s.ships[B] -= 1
    s.frontier[B] = 7


def share(s: Any) -> None:
    """Two ships on a tile without an ability for it."""
    s.tile_ships[0][B] = 2
    s.ships[B] -= 1


def many(s: Any, before: Any) -> None:
    """More bricks of A than the limit allows."""
    for state in (s, before):
        state.brick_limit = 1
        state.obelisk[:] = [1] * 14
        state.columns[0] = 7


@pytest.mark.parametrize(("number", "break_it"), FAULTS)
def test_every_invariant_notices_its_fault(number: int, break_it: Any) -> None:
    s, before = sound(), sound()
    assert invariants.violated(s, before) == 0
    break_it(s, before)
    assert invariants.violated(s, before) == number, invariants.INVARIANTS[invariants.violated(s, before) - 1]


def test_every_invariant_has_a_fault() -> None:
    assert {number for number, _ in FAULTS} == set(range(1, 1 + len(invariants.INVARIANTS)))


def test_a_brick_costs_what_the_budget_loses() -> None:
    s = building(4, ships={A: "D1.1"}, stones=(9, 0, 0, 0), strength={A: (9, 1, 1, 2)})
    play(s, "build green none obelisk")
    before = s.copy()
    play(s, "obelisk")
    assert invariants.violated(s, before) == 0
    s.stones[A] -= 1
    assert invariants.violated(s, before) == 19


@pytest.mark.parametrize("players", [2, 3, 4])
def test_invariants_hold_in_lively_games(players: int) -> None:
    draws = bricks = 0
    for before, _, _, s in random_games(4, players, seed=50 + players):
        assert invariants.violated(s, before) == 0, invariants.INVARIANTS[invariants.violated(s, before) - 1]
        draws, bricks = max(draws, s.draws), max(bricks, sum(monuments.all_bricks(s, p) for p in range(players)))
    assert draws > players
    assert bricks > 4 * players


def test_vp_do_not_change_when_the_river_is_laid_and_stones_are_mined() -> None:
    for before, _, _, s in random_games(2, 3, seed=60):
        if before.phase <= Phase.TRAINING and s.phase <= Phase.PLACEMENT and s.round == before.round:
            assert s.vp == before.vp


def test_games_have_few_enough_decisions() -> None:
    assert 60 < sum(1 for _ in random_games(1, 4, seed=70)) < 1000


# --- Components -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("rounds = 5", "rounds = 7", "between"),
        ('effect = ["market grain 2"]', 'effect = ["market gold 2"]', "after market comes one of grain, stone"),
        ('effect = ["market grain 2"]', 'effect = ["market grain"]', "needs 1 numbers"),
        ('effect = ["market grain 2"]', 'effect = ["fly 2"]', "there is no effect 'fly'"),
        ('timing = "anytime", effect = ["power 3"]', 'timing = "immediate", effect = ["power 3"]', "does not fit its effects"),
        ('N12-01 = { kind = "quarry"', 'N12-01 = { kind = "mine"', "kind must be one of"),
        ('N12-06 = { kind = "field", colour = "green"', 'N12-06 = { kind = "field", colour = "blue"', "colour must be one of"),
        ('"C8", "T6", "C9"', '"C8", "T6", "T6"', "locations must be each of"),
        ('tiles = ["NT1", "NT2"', 'tiles = ["NT9", "NT2"', "tiles must be 7 of"),
        ('NT8 = { effect = ["speculation"], mark = "2"', 'NT8 = { effect = ["speculation"], mark = "3+"', "tiles for"),
        ('A1 = { type = "A"', 'A1 = { type = "C"', "type must be one of A, B"),
        ('effect = "field_grain 2"', 'effect = "field_grain"', "needs 1 numbers"),
        ('effect = "two_basics", use = "round"', 'effect = "two_basics", use = "week"', "use must be one of"),
        ("spaces = [6, 5, 4, 3, 2, 1]", "spaces = [6, 6, 4, 3, 2, 1]", "shorter than the one below"),
        ('S01 = { measure = "obelisk_full"', 'S01 = { measure = "luck"', "measure must be one of"),
        ('closed = ["C1", "T1", "C2", "T2"]', 'closed = ["C1", "T1", "C2", "D1"]', "closed must name"),
    ],
)
def test_a_wrong_component_is_refused_with_the_reason(tmp_path: Path, old: str, new: str, why: str) -> None:
    with pytest.raises(BadComponents, match=why.replace("+", r"\+")):
        with_components(GAME, tmp_path, old, new)


def test_a_corrected_card_needs_no_programmer(tmp_path: Path) -> None:
    """An immediate card, a tile, a Sphinx card and the colour of the starter's reverse, corrected in the file alone."""
    game = with_components(GAME, tmp_path, 'effect = ["market stone 2"]', 'effect = ["stones 2", "crew blue 1", "vp 3"]')
    s: Any = game.new_state(3, 1)
    for p in range(3):
        game.rules.apply(s, p, game.legal(s, p)[0])
    p = s.order[0]
    stones = s.stones[p]
    s.river[0] = 1 + card("N12-18")
    game.rules.apply(s, p, Action.PLACE)
    assert (s.stones[p], s.strength[p], s.vp[p]) == (stones + 2, [1, 2, 1, 2], 3)
    game = with_components(
        GAME, tmp_path, 'S02 = { measure = "obelisk", least = 3, vp = 5', 'S02 = { measure = "stones", least = 2, vp = 4'
    )
    s = game.new_state(3, 1)
    s.stones[0] = 2
    scoring = __import__(f"{game.package}.rules.scoring", fromlist=["scoring"])
    assert (scoring.sphinx_card_points(s, 0, sphinx_card("S02")), scoring.sphinx_card_points(s, 1, sphinx_card("S02"))) == (4, 0)
