"""Egizia: observation, invariants and what its components are held to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from perankh.errors import BadComponents
from perankh.games.egizia.rules import components, invariants, monuments, nile, tracks
from perankh.games.egizia.rules.state import Action, Phase, SphinxReturn, Step

from ...conftest import with_components
from .positions import GAME, A, B, building, card, draw, hand, mask, play, position, random_games, sphinx_card

# --- Observation ------------------------------------------------------------------------------------------------------


def seen(s: Any, p: int) -> Any:
    """P's observation by the names of the features."""
    observed = np.array(GAME.observation_of(s, p))
    assert np.all((GAME.features.low <= observed) & (observed <= GAME.features.high))
    return GAME.features.named(observed)


def test_an_observation_begins_with_the_own_seat() -> None:
    s = position(3, vp=(4, 5, 6), stones=(7, 8, 9), columns=(1, 2, 3), held={B: "N12-01"}, order="CAB", ships={B: "C1 D1.2"})
    s.discarded |= mask("N12-02")
    out = seen(s, B)
    assert out["seats.vp"].tolist() == [5, 6, 4, 0]
    assert out["seats.stones"].tolist() == [8, 9, 7, 0]
    assert out["seats.columns"].tolist() == [2, 3, 1, 0]
    assert out["seats.ships"].tolist() == [6, 8, 8, 0]
    assert out["seats.place"].tolist() == [3, 1, 2, 0]
    assert out["seats.berth"].tolist() == [[2, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]]
    assert out["river.ship"].tolist() == [1] + [0] * 9
    assert [int(out[f"cards.held_{k}"][card("N12-01")]) for k in range(4)] == [1, 0, 0, 0]
    assert [int(out[f"cards.held_{k}"][card("N12-02")]) for k in range(4)] == [-1] * 4
    assert out["cards.space"][s.river[1] - 1] == 2
    assert np.count_nonzero(out["cards.space"]) == 9
    assert out["cards.undrawn"][s.river[1] - 1] == 0


def test_seats_cards_and_spaces_are_entities() -> None:
    tokens = GAME.features.tokens(np.array(GAME.observation_of(position(2), A)))
    assert {name: len(things) for name, things in tokens.items()} == {
        "seats": components.SEATS,
        "cards": components.CARDS,
        "card_spaces": components.CARD_SPACES,
        "tile_spaces": components.TILE_SPACES,
        "bonus_tiles": components.BONUS_TILES,
        "statues": components.STATUES,
        "sphinx_cards": components.SPHINX_CARDS,
        "own_draws": components.ROUNDS,
    }


def test_an_observation_shows_own_sphinx_cards_alone() -> None:
    s = position(3, hands={A: "S05", B: "S07"})
    draw(s, A, "S10 S11 S12", "S11")
    own, other = seen(s, A), seen(s, B)
    names = ("sphinx.hand", "sphinx.dealt", "sphinx.seen_at", "sphinx.depth")

    def shown(out: Any, name: str) -> list[int]:
        return [int(out[feature][sphinx_card(name)]) for feature in names]

    assert [shown(own, name) for name in ("S05", "S11", "S10", "S12")] == [
        [1, 1, 0, 0],
        [1, 0, 2, 0],
        [0, 0, 27, 24],
        [0, 0, 28, 25],
    ]
    assert [shown(other, name) for name in ("S07", "S10", "S11")] == [[1, 1, 0, 0], [0] * 4, [0] * 4]
    assert own["sightings.card"][0].tolist() == [1 + sphinx_card(name) for name in ("S10", "S11", "S12")] + [0, 0]
    assert own["sightings.fate"][0].tolist() == [3, 2, 4, 0, 0]
    assert not other["sightings.card"].any()
    assert own["seats.draw_starts"][0].tolist() == other["seats.draw_starts"][2].tolist() == [1, 0, 0, 0, 0]
    assert hand(s, A) == ["S05", "S11"]


def test_hands_are_open_at_the_end() -> None:
    s = position(3, round=5, hands={A: "S05", B: "S07"})
    draw(s, A, "S10 S11 S12", "S11")
    s.phase, s.step = Phase.END, Step.OVER
    assert [int(seen(s, B)["sphinx.hand"][sphinx_card(name)]) for name in ("S05", "S07", "S10", "S11")] == [3, 1, 0, 3]


def came_back(s: Any, between: int = B, swapped: tuple[int, int] = (0, 0)) -> None:
    """A has drawn the same two cards twice, another player in between; two places of the deck are swapped."""
    s.sphinx_return = SphinxReturn.CHOSEN
    draw(s, A, "S10 S11")
    s.tape_top = 28
    for by in (between, A):
        draw(s, by, "S10 S11")
    swap(s.tape, *swapped)


def swap(row: Any, i: int, j: int) -> None:
    """Two numbers change places."""
    row[i], row[j] = row[j], row[i]


PAIRS: list[tuple[Any, Any]] = [
    (lambda s: give(s, "vp", 0, 300), lambda s: give(s, "vp", 0, 300 - 256)),
    (lambda s: give(s, "vp", 0, -200), lambda s: give(s, "vp", 0, 56)),
    (lambda s: give(s, "power", 130), lambda s: give(s, "power", 2)),
    (lambda s: give(s, "harvest", 161), lambda s: give(s, "harvest", 33)),
    (lambda s: give(s, "shortage", 396), lambda s: give(s, "shortage", 12)),
    (lambda s: give(s, "obelisk", 13, 1), lambda s: give(s, "obelisk", 13, 2)),
    (lambda s: give(s, "pyramid", 5, 0, 1), lambda s: give(s, "pyramid", 5, 0, 3)),
    (lambda s: give(s, "discarded", mask("N34-01")), lambda s: give(s, "gone", mask("N34-01"))),
    (lambda s: give(s, "speculator", 0, 1), lambda s: give(s, "dock", 0, 2, 1)),
    (lambda s: give(s, "spent", 0), lambda s: give(s, "spent", components.OCCUPIED_TILE)),
    (lambda s: give(s, "spent", 0), lambda s: give(s, "spent", components.TRAIN)),
    (lambda s: give(s, "closed_eye", 1, 1), lambda s: give(s, "closed_eye", 1, 2)),
    (lambda s: give(s, "first_berth", 1, 1), lambda s: give(s, "first_berth", 1, 2)),
    (lambda s: give(s, "line", 1), lambda s: give(s, "line", 2)),
    (lambda s: give(s, "new_tile", 0), lambda s: give(s, "new_tile", 1)),
    (lambda s: give(s, "tokens", 0, 1), lambda s: give(s, "tokens", 0, 2)),
    (lambda s: give(s, "statue", 2, 0), lambda s: None),
    (lambda s: swap(s.dealt[A], 0, 1), lambda s: None),
    (lambda s: swap(s.arrived, 0, 1), lambda s: None),
    (lambda s: came_back(s), lambda s: came_back(s, swapped=(0, 1))),
    (lambda s: came_back(s), lambda s: came_back(s, swapped=(26, 27))),
    (lambda s: came_back(s), lambda s: came_back(s, between=2)),
]


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_states_that_random_games_seldom_reach_look_different(one: Any, other: Any) -> None:
    first, second = (position(3, hands={A: "S05", B: "S07"}) for _ in range(2))
    one(first)
    other(second)
    assert GAME.veiled(first, A) != GAME.veiled(second, A)
    names = [name for name, shown in seen(first, A).items() if np.any(shown != seen(second, A)[name])]
    assert names


def test_derived_fields_follow_from_the_features() -> None:
    """Lively games hold no two veiled states that look the same and differ."""
    known: dict[Any, Any] = {}
    for players in (2, 4):
        for _, _, _, s in random_games(2, players, seed=80):
            for p in range(players):
                veiled = GAME.veiled(s, p)
                assert known.setdefault((players, p, *GAME.observation_of(s, p)), veiled) == veiled
            turned = [int(tracks.place_of_tile(s, p, components.Bonus.RAISE_ALL) >= 0) for p in range(players)]
            assert s.turned[:players] == turned
            assert s.gone == components.ALL_CARDS & ~(s.undrawn | s.discarded | sum(s.held) | nile.river_cards(s))


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
