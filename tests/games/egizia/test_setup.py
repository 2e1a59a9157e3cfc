"""Egizia: components, set-up, river phase and the game for two, with the figures of the rule specification."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from perankh.games.egizia.rules import components, nile, sphinx, state
from perankh.games.egizia.rules.components import Kind
from perankh.games.egizia.rules.state import CLOSED_SPACE, Action
from perankh.testing import clause

from .positions import GAME, LOCATIONS, A, B, begun, building, cards, hand, legal, mask, play, position, random_games, step

QUARRIES = {
    "N12": (3, 3, 3, 2, 2),
    "N34": (4, 4, 3, 3),
    "N5": (6, 5),
}
FIELDS = {
    "N12-06": ("green", 3),
    "N12-07": ("green", 3),
    "N12-08": ("yellow", 5),
    "N12-09": ("yellow", 4),
    "N12-10": ("red", 7),
    "N12-11": ("red", 6),
    "N12-12": ("red", 5),
    "N34-05": ("green", 5),
    "N34-06": ("green", 4),
    "N34-07": ("yellow", 7),
    "N34-08": ("yellow", 6),
    "N34-09": ("red", 9),
    "N34-10": ("red", 8),
    "N34-11": ("red", 7),
    "N5-03": ("green", 8),
    "N5-04": ("red", 12),
}
MARKED = "N12-03 N12-07 N12-10 N12-12 N12-22 N34-02 N34-06 N34-09 N34-11 N34-21 N5-02 N5-04 N5-10"


def choose(s: Any) -> Any:
    """Everybody keeps the lower of the two Sphinx cards."""
    for p in range(s.players):
        GAME.rules.apply(s, p, GAME.legal(s, p)[0])
    return s


# --- Components -----------------------------------------------------------------------------------------------------


def test_quarries_and_fields_are_those_of_the_specification() -> None:
    quarries: dict[str, list[int]] = {"N12": [], "N34": [], "N5": []}
    fields = {}
    for i, name in enumerate(components.CARD_NAMES):
        if components.CARD_KIND[i] == Kind.QUARRY:
            quarries[name.partition("-")[0]].append(components.CARD_VALUE[i])
        elif components.CARD_KIND[i] == Kind.FIELD:
            fields[name] = (components.COLOURS[components.CARD_COLOUR[i]], components.CARD_VALUE[i])
    assert {deck: tuple(row) for deck, row in quarries.items()} == QUARRIES
    assert fields == FIELDS
    assert [sum(value for colour, value in FIELDS.values() if colour == which) for which in components.COLOURS] == [23, 22, 54]
    assert sum(map(sum, quarries.values())) == 38


def test_decks_have_22_22_and_12_cards_of_which_13_are_for_three_and_more() -> None:
    assert Counter(name.partition("-")[0] for name in components.CARD_NAMES) == {"N12": 22, "N34": 22, "N5": 12}
    assert cards(components.MARKED_CARDS) == MARKED.split()


def test_boards_have_the_sums_of_the_specification() -> None:
    assert [sum(row) for row in components.OBELISK_COST] == [25, 42]
    assert list(components.OBELISK_COST[1]) == [1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 5, 5, 6]
    assert (list(components.DOUBLE_LINE), list(components.OBELISK_HEIGHT)) == ([5, 8], [9, 14])
    assert (list(components.COLUMN_COST), sum(components.COLUMN_COST)) == ([2, 2, 3, 3, 4, 4, 5], 23)
    for board, total, spaces in ((0, 35, 15), (1, 56, 21)):
        rows = list(zip(components.ROW_SPACES[board], components.ROW_COST[board], strict=True))
        assert (sum(n * cost for n, cost in rows), sum(n for n, _ in rows)) == (total, spaces)
    assert [list(row) for row in components.STATUE_COST] == [[1, 2, 3, 4]] * 5 + [[2, 3, 4, 5]] * 5
    assert [list(row) for row in components.STATUE_VP] == [[2, 5, 9, 14]] * 5 + [[3, 7, 12, 18]] * 5
    assert list(components.SPHINX_MOST) == [5, 4, 3]


def test_the_river_runs_from_c1_to_d3() -> None:
    assert [components.RIVER[i - 1] for i in (1, 2, 8, 14, 16, 19, 20)] == ["C1", "T1", "D1", "D2", "T6", "C10", "D3"]
    assert (len(components.RIVER), len(LOCATIONS)) == (20, 29)


# --- Set-up ---------------------------------------------------------------------------------------------------------


@clause("EGZ-S1")
def test_sphinx_cards_are_chosen_with_statues_and_tiles_known_and_river_and_order_not() -> None:
    s: Any = GAME.new_state(4, 5)
    assert step(s) == "start"
    assert all(s.statue)
    assert s.bonus_tile[1] >= 5
    assert (s.river, s.stones[:4], s.round) == ([0] * 10, [0] * 4, 0)
    orders = set()
    for seed in range(30):
        orders.add(tuple(begun(3, seed).order[:3]))
    assert len(orders) == 6


@clause("EGZ-S2")
def test_three_decks_hold_the_cards_of_their_rounds() -> None:
    seen: dict[int, set[str]] = {}
    for _, _, _, s in random_games(4, 3, seed=3):
        if s.round:
            seen.setdefault(s.round, set()).update(components.CARD_NAMES[c - 1].partition("-")[0] for c in s.river if c)
    assert seen == {1: {"N12"}, 2: {"N12"}, 3: {"N34"}, 4: {"N34"}, 5: {"N5"}}
    first = {begun(3, seed).river[0] for seed in range(80)}
    assert len(first) > 12


@clause("EGZ-S3", "EGZ-Q4")
def test_nile_tiles_of_the_game() -> None:
    for players, spaces, expected in ((4, range(7), {0, 1, 2, 3, 4, 5, 6}), (2, range(2, 7), {3, 4, 5, 6, 7})):
        s = begun(players)
        s.round = 2
        for seed in range(5):
            s.chance_key[0] = seed
            nile.lay_tiles(s)
            assert {s.laid[t] for t in spaces} == expected
    assert s.laid[:2] == [CLOSED_SPACE, CLOSED_SPACE]
    assert not {"T1", "T2", "C1", "C2"} & set(legal(s))


@clause("EGZ-S4")
def test_one_yellow_and_one_purple_tile() -> None:
    yellow = Counter(GAME.new_state(3, seed).bonus_tile[0] for seed in range(200))  # type: ignore[attr-defined]
    purple = Counter(GAME.new_state(4, seed).bonus_tile[1] for seed in range(200))  # type: ignore[attr-defined]
    assert (sorted(yellow), sorted(purple)) == ([0, 1, 2, 3, 4], [5, 6, 7, 8, 9])
    assert min([*yellow.values(), *purple.values()]) > 15


@clause("EGZ-S5", "EGZ-Q6")
def test_statues_one_of_each_type_and_a_third() -> None:
    thirds = set()
    for seed in range(120):
        s: Any = GAME.new_state(3, seed)
        a, b, third = (components.STATUE_NAMES[n - 1] for n in s.statue)
        assert (a[0], b[0], len({a, b, third})) == ("A", "B", 3)
        thirds.add(third)
        two: Any = GAME.new_state(2, seed)
        assert [components.STATUE_NAMES[n - 1][0] for n in two.statue[:2]] == ["A", "B"]
        assert two.statue[2] == 0
    assert len(thirds) == 10


@clause("EGZ-S6")
def test_everybody_keeps_one_of_two_sphinx_cards_secretly_and_at_the_same_time() -> None:
    s: Any = GAME.new_state(3, 8)
    assert GAME.actors(s) == [0, 1, 2]
    dealt = [[card - 1 for card in row] for row in s.dealt[:3]]
    for p in range(3):
        assert GAME.legal(s, p) == sorted(Action.SPHINX + card for card in dealt[p])
        assert [row == [0, 0] for row in GAME.veiled(s, p).dealt[:3]] == [q != p for q in range(3)]  # type: ignore[attr-defined]
    orders = ((0, 1, 2), (2, 0, 1))
    ends = []
    for order in orders:
        t = s.copy()
        for p in order:
            GAME.rules.apply(t, p, Action.SPHINX + dealt[p][1])
        ends.append(t)
    assert ends[0] == ends[1]
    assert [hand(ends[0], p) for p in range(3)] == [[components.SPHINX_NAMES[dealt[p][1]]] for p in range(3)]
    assert (ends[0].tape_top, ends[0].tape_end) == (0, 26)
    assert ends[0].tape == [0] * state.TAPE  # the deck has no order before a card is drawn


@clause("EGZ-S6")
def test_a_card_that_was_returned_can_be_drawn() -> None:
    drawn = set()
    for seed in range(120):
        s = building(2, ships={A: "D3.1"}, stones=(9, 0), strength={A: (5, 1, 1, 2)}, seed=seed)
        returned = s.dealt[A][1] - 1
        play(s, "build green none draw5")
        drawn |= {returned} & {card - 1 for card in s.tape[:5]}
        assert not set(hand(s, A)) & {components.SPHINX_NAMES[card - 1] for card in s.tape[:5]}
    assert drawn


@clause("EGZ-S7", "EGZ-S8", "EGZ-S9", "EGZ-S10")
def test_tracks_and_starter_cards_at_the_start() -> None:
    for players in (2, 3, 4):
        s = begun(players)
        assert s.ring == 2
        for p in range(players):
            assert (s.strength[p], s.flipped[p], s.vp[p], s.market[p]) == ([1, 1, 1, 2], 0, 0, [1, 1])
            assert (nile.grain_of(s, p, 1), nile.stone_production(s, p), s.held[p]) == (6, 3, 0)


@clause("EGZ-S11", "EGZ-Q8")
@pytest.mark.parametrize(("players", "spaces"), [(4, "123"), (3, "12"), (2, "1")])
def test_dock_spaces_in_use(players: int, spaces: str) -> None:
    docks = [code for code in legal(position(players)) if code.startswith("D")]
    assert docks == [f"D{dock}.{space}" for dock in (1, 2, 3) for space in spaces]


@clause("EGZ-S12")
def test_the_turn_order_of_round_1_is_random() -> None:
    orders = Counter(tuple(begun(3, seed).order[:3]) for seed in range(600))
    assert len(orders) == 6
    assert 60 < min(orders.values()) <= max(orders.values()) < 150


@clause("EGZ-S13", "EGZ-Q8")
@pytest.mark.parametrize(("players", "stones"), [(2, [2, 3]), (3, [2, 3, 4]), (4, [2, 3, 4, 5])])
def test_start_stones_by_turn_order(players: int, stones: list[int]) -> None:
    for seed in range(5):
        s = begun(players, seed)
        assert [s.stones[p] for p in s.order[:players]] == stones


@clause("EGZ-S14")
def test_without_vp_the_turn_order_repeats() -> None:
    s = begun(4, 3)
    order = list(s.order)
    assert s.arrived == order[::-1]
    play(s, "pass pass pass pass")
    assert (s.round, s.order, s.vp) == (2, order, [0, 0, 0, 0])


# --- River phase ----------------------------------------------------------------------------------------------------


@clause("EGZ-R1")
def test_the_second_round_goes_on_with_the_deck() -> None:
    s = begun(3, 4)
    first = {card for card in s.river if card}
    play(s, "pass pass pass")
    second = {card for card in s.river if card}
    assert (s.round, len(first), len(second), first & second) == (2, 10, 10, set())
    assert len(cards(s.undrawn & components.DECK_MASK[0])) == 2
    play(s, "pass pass pass")
    assert all(components.CARD_NAMES[card - 1].startswith("N34") for card in s.river)


@clause("EGZ-R2", "EGZ-Q3")
def test_cards_lie_on_every_open_card_space() -> None:
    assert all(begun(3).river)
    two = begun(2)
    assert (two.river[:2], all(two.river[2:])) == ([0, 0], True)
    for deck, size in ((0, 20), (1, 20)):
        s = position(4, round=1 + 2 * deck)
        s.undrawn = components.DECK_MASK[deck]
        for _ in range(2):
            nile.lay_cards(s)
        assert 22 - len(cards(s.undrawn)) == size


@clause("EGZ-R3")
def test_round_1_uses_the_printed_effects_and_later_rounds_shuffled_tiles() -> None:
    printed_tiles = ["NT1", "NT2", "NT5", "NT3", "NT6", "NT4", "NT7"]
    later = set()
    for seed in range(12):
        s = begun(4, seed)
        assert [components.TILE_NAMES[tile] for tile in s.laid] == printed_tiles
        play(s, "pass pass pass pass")
        later.add(tuple(s.laid))
        assert sorted(s.laid) == list(range(7))
    assert len(later) > 8


# --- Two players ----------------------------------------------------------------------------------------------------


@clause("EGZ-Q1", "EGZ-Q9")
def test_two_players_use_their_own_obelisk_and_pyramid() -> None:
    s = building(2, obelisk="ABABA", ships={A: "D1.1"}, stones=(20, 0), strength={A: (9, 1, 1, 2)}, columns=(7, 0))
    play(s, "build green none obelisk")
    assert (s.vp[A], s.obelisk[5:9]) == (3 + 4, [1, 1, 0, 0])
    # The rows are 5, 4, 3, 2 and 1 spaces long; light and shadow part are one row.
    s = building(2, pyramid=("AABB", "A"), ships={A: "D2.1"}, stones=(20, 0), strength={A: (9, 1, 1, 2)})
    play(s, "build green none row1")
    assert s.vp[A] == 1 + 3
    assert (list(components.ROW_SPACES[0]), list(components.LIGHT)) == ([5, 4, 3, 2, 1, 0], [3, 2, 2, 1, 1])


@clause("EGZ-Q2", "EGZ-Q7")
def test_marked_cards_are_out_with_two_players() -> None:
    s = begun(2)
    assert s.gone == mask(MARKED)
    assert [len(cards(components.DECK_MASK[deck] & ~s.gone)) for deck in range(3)] == [17, 17, 9]
    out = {components.SPHINX_NAMES[i] for i in range(29) if not sphinx.all_sphinx(s) >> i & 1}
    assert (out, sphinx.fresh_places(s)) == ({"S01", "S11", "S12", "S15", "S29"}, 22)
    assert begun(3).gone == 0


@clause("EGZ-Q4")
def test_round_1_of_two_players_has_shuffled_tiles_or_by_option_printed_ones() -> None:
    rows = {tuple(begun(2, seed).laid) for seed in range(12)}
    assert len(rows) > 8
    s = begun(2, 1, tiles_2p_round1="printed")
    assert [components.TILE_NAMES[tile] for tile in s.laid[2:]] == ["NT5", "NT3", "NT6", "NT4", "NT7"]
    play(s, "pass pass")
    assert sorted(s.laid[2:]) == [3, 4, 5, 6, 7]


@clause("EGZ-Q5")
def test_two_players_have_g6_on_the_yellow_place_and_another_purple_tile() -> None:
    tiles = Counter(tuple(GAME.new_state(2, seed).bonus_tile) for seed in range(160))  # type: ignore[attr-defined]
    assert sorted(tiles) == [(5, 6), (5, 7), (5, 8), (5, 9)]
    s = building(2, bonus="G6 G9", columns=(5, 0), ships={A: "D1.1"}, stones=(9, 0), strength={A: (3, 3, 1, 2)})
    play(s, "build green blue")
    assert (s.closed_eye[A], s.closed_eye[B]) == (1, 0)
    s = position(2, bonus="G6 G9", columns=(5, 0), ships={A: "C8"})
    play(s, "C5")
    assert s.closed_eye[A] == 2


@clause("EGZ-Q10", "EGZ-B20")
def test_the_speculation_tile_gives_a_token_that_is_lost_at_clean_up() -> None:
    s = position(2, tiles="NT8 NT4 NT5 NT6 NT7")
    play(s, "T3")
    assert (s.tokens, step(s), s.chooser) == ([1, 0, 0, 0], "location", B)
    play(s, "pass pass")
    assert (s.round, s.tokens) == (2, [0, 0, 0, 0])
