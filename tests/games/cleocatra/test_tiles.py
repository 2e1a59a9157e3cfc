"""Cleocatra: set-up, grid and tile actions, clause by clause, with the figures of the rule specification."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from perankh.engine.api import sets
from perankh.games.cleocatra.rules import tiles as grid
from perankh.games.cleocatra.rules.components import COLOURS, INSPECTORS, RESCUERS, TILES
from perankh.games.cleocatra.rules.invariants import in_frame, loose_tiles
from perankh.games.cleocatra.rules.state import State, Step
from perankh.games.cleocatra.rules.tile_actions import movable
from perankh.games.cleocatra.rules.tiles import across, beside, tile_on
from perankh.games.cleocatra.text.board import picture
from perankh.testing import clause

from .positions import (
    DISPATCH,
    GAME,
    LETTERS,
    RESCUE,
    SCOUT,
    SEARCH,
    TEAM_UP,
    actor,
    cells,
    hand,
    inspected,
    lay,
    layout,
    legal,
    play,
    position,
    random_games,
    stands,
    step,
)

# --- Set-up ---------------------------------------------------------------------------------------------------


def set_up(players: int, seed: int = 1, **options: Any) -> Any:
    """A game played on to its first turn, always on the first site."""
    s: Any = GAME.new_state(players, seed, options)
    while step(s) == "setup_cell":
        play(s, legal(s)[0])
    return s


@clause("CLE-S1")
@pytest.mark.parametrize(("players", "counts"), [(2, [2, 2, 2, 2, 1]), (3, [3, 3, 3, 3, 1]), (4, [3, 3, 3, 3, 1])])
def test_two_players_leave_out_four_tiles(players: int, counts: list[int]) -> None:
    s = set_up(players)
    assert COLOURS == ("purple", "blue", "orange", "green", "yellow")
    assert [s.deck[c] + s.colour[c].bit_count() for c in range(5)] == counts


@clause("CLE-S2")
def test_the_first_tile_is_any_tile_with_equal_chance() -> None:
    drawn = Counter(layout(GAME.new_state(3, seed))[17] for seed in range(3900))  # type: ignore[arg-type]
    for letter in LETTERS:
        expected = 300 if letter == "Y" else 900
        assert abs(drawn[letter] - expected) < 5 * expected**0.5, drawn


@clause("CLE-S2")
def test_the_order_of_the_deck_is_not_decided_before_a_tile_is_turned() -> None:
    seen = GAME.veiled(set_up(3), 0)
    revealed = set()
    for seed in range(60):
        world: Any = GAME.redealt(seen, seed)
        play(world, SCOUT)
        revealed.add(world.revealed)
    assert revealed == {c + 1 for c in range(5) if seen.deck[c]}  # type: ignore[attr-defined]


@clause("CLE-S3")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_each_player_has_a_colour_three_rescuers_and_no_points(players: int) -> None:
    s = set_up(players)
    assert [GAME.seat_name(p, "en") for p in range(4)] == ["Red", "Blue", "Black", "Green"]
    assert GAME.scores(s) == [0] * players
    assert RESCUERS == 3
    assert all(len(stands(s, p)) + hand(s, p) == 3 for p in range(players))
    assert all(stands(s, p) == [] for p in range(players, 4))


@clause("CLE-S4")
def test_three_inspectors_lie_unused() -> None:
    s = set_up(4)
    assert INSPECTORS == 3
    assert inspected(s) == []


@clause("CLE-S5")
@pytest.mark.parametrize("start", [0, 1, 2, 3])
def test_the_start_player_begins_and_play_goes_clockwise(start: int) -> None:
    s: Any = GAME.new_state(4, 1, {"start_player": start})
    order = []
    while step(s) == "setup_cell":
        order.append(actor(s))
        play(s, legal(s)[0])
    assert order == [(start + k) % 4 for k in (1, 2, 3)]
    assert actor(s) == start


@clause("CLE-S5")
def test_a_random_start_player_is_any_seat() -> None:
    starts = Counter(GAME.new_state(3, seed).start for seed in range(900))  # type: ignore[attr-defined]
    assert set(starts) == {0, 1, 2}
    assert all(abs(number - 300) < 75 for number in starts.values())


@clause("CLE-S6")
def test_the_first_tile_lies_on_17_with_a_rescuer_of_the_start_player() -> None:
    s: Any = GAME.new_state(3, 4, {"start_player": 1})
    assert list(layout(s)) == [17]
    assert stands(s, 1) == [17]
    assert (actor(s), step(s)) == (2, "setup_cell")


@clause("CLE-S7")
@pytest.mark.parametrize(("players", "deck"), [(2, 7), (3, 10), (4, 9)])
def test_each_player_lays_a_tile_and_stands_on_it(players: int, deck: int) -> None:
    s: Any = GAME.new_state(players, 9, {"start_player": 0})
    for p in range(1, players):
        assert (actor(s), step(s)) == (p, "setup_cell")
        assert legal(s) == free_sites(s)
        colour = LETTERS[s.revealed - 1]
        play(s, legal(s)[-1])
        assert [layout(s)[cell] for cell in stands(s, p)] == [colour]
        assert s.laid == p + 1
    assert sum(s.deck) == deck
    assert [hand(s, p) for p in range(players)] == [2] * players
    assert len({cell for p in range(players) for cell in stands(s, p)}) == players


@clause("CLE-S8")
def test_set_up_is_no_turn() -> None:
    s = set_up(4, start_player=2)
    assert (s.turns, actor(s), step(s)) == (0, 2, "action1")
    assert SCOUT in legal(s)


# --- Grid -----------------------------------------------------------------------------------------------------


def neighbours(cell: int) -> set[int]:
    """The three neighbours of a cell by the game's own grid."""
    return {cell - 1, cell + 1, across(cell)}


def free_sites(s: State) -> list[int]:
    """The sites by the game's own grid."""
    found = s.copy()
    grid.mark_sites(found)
    return sets.members(found.sites)


def corners(cell: int) -> set[tuple[int, int]]:
    """The corners of a cell as CLE-G3 draws them, in half sides and heights."""
    r, c = divmod(cell, 16)
    if (r + c) % 2 == 0:
        return {(c, r + 1), (c + 2, r + 1), (c + 1, r)}
    return {(c, r), (c + 2, r), (c + 1, r + 1)}


INNER = [16 * r + c for r in range(1, 8) for c in range(1, 15)]


@clause("CLE-G1", "CLE-G2")
def test_up_and_down_cells_and_their_neighbours() -> None:
    assert neighbours(16 * 1 + 3) == {16 + 2, 16 + 4, 32 + 3}
    assert neighbours(16 * 2 + 3) == {32 + 2, 32 + 4, 16 + 3}
    for cell in INNER:
        r, c = divmod(cell, 16)
        assert across(cell) == (cell + 16 if (r + c) % 2 == 0 else cell - 16)
        assert all(cell in neighbours(other) for other in neighbours(cell))
        assert set(sets.members(grid.BESIDE[cell])) == neighbours(cell)


@clause("CLE-G2")
def test_a_tile_at_a_corner_is_no_neighbour() -> None:
    s = position("17 P, 18 B, 19 O, 20 G")
    assert cells(s, beside(s, tile_on(s, 18))) == [17, 19]
    assert cells(s, beside(s, tile_on(s, 17))) == [18]


@clause("CLE-G3")
def test_cells_are_neighbours_if_their_drawn_triangles_share_an_edge() -> None:
    for cell in INNER:
        sharing = {other for other in range(144) if other != cell and len(corners(cell) & corners(other)) == 2}
        assert sharing == neighbours(cell)


@clause("CLE-G3")
def test_the_text_board_draws_up_cells_with_the_point_at_the_top() -> None:
    lines = picture(position("17 P, 18 B", rescuers={0: [17], 1: [18]}))
    assert lines[0].strip() == "______"
    assert lines[1].strip().startswith("/\\")
    assert lines[-1].strip().endswith("\\/")


@clause("CLE-G4")
@pytest.mark.parametrize(("cell", "after"), [(16, [18, 19, 20]), (2, [19, 34, 35]), (19, [17, 18, 19]), (33, [17, 18, 33])])
def test_the_layout_is_shifted_back_into_the_frame(cell: int, after: list[int]) -> None:
    s = position("17 P, 18 B", rescuers={0: [17], 1: [18]}, inspectors=(18,))
    play(s, SCOUT, cell)
    assert sorted(layout(s)) == after
    assert [layout(s)[where] for where in (*stands(s, 0), *stands(s, 1), *inspected(s))] == ["P", "B", "B"]


@clause("CLE-G4", "CLE-G5")
@pytest.mark.parametrize("direction", ["left", "right", "up", "down"])
def test_thirteen_tiles_never_leave_the_grid(direction: str) -> None:
    used: tuple[int, ...] = (17,)
    best = {"left": lambda c: (c % 16, c), "right": lambda c: (-(c % 16), c), "up": lambda c: (c, 0), "down": lambda c: (-c, 0)}
    while len(used) < TILES:
        used = grown(used, min(free_sites(bare(used)), key=best[direction]))
        assert in_frame(bare(used))
    rows, cols = {cell // 16 for cell in used}, {cell % 16 for cell in used}
    assert min(rows) == 1
    assert min(cols) in (1, 2)
    assert (len(cols) == 13) == (direction in ("left", "right"))
    assert (max(rows) == 7) == (direction in ("up", "down"))
    assert all(0 <= site < 144 for site in free_sites(bare(used)))


def layout_cells(s: State) -> tuple[int, ...]:
    """The cells in use, ascending."""
    return tuple(sorted(s.cell[t] for t in range(s.laid)))


@clause("CLE-G4", "CLE-G5", "CLE-G7")
def test_the_number_of_layouts_up_to_shifts() -> None:
    layouts = {(17,), (18,)}
    for size, known in enumerate((2, 3, 6, 14, 36, 94, 250, 675, 1838, 5053), 1):
        assert len(layouts) == known
        larger = set()
        for used in layouts:
            s = bare(used)
            free = free_sites(s)
            assert len(free) <= size + 2
            assert loose_tiles(s) == s.loose
            assert size == 1 or s.loose.bit_count() >= 2
            if size < 10:
                larger |= {grown(used, site) for site in free}
        layouts = larger


def bare(used: tuple[int, ...]) -> Any:
    """A layout without colours and tokens."""
    s: Any = State()
    for t, cell in enumerate(used):
        s.laid = t + 1
        grid.join(s, t, cell)
    s.loose = grid.find_loose(s)
    return s


def grown(used: tuple[int, ...], site: int) -> tuple[int, ...]:
    """The layout with one more tile, in its frame."""
    s = bare(used)
    s.laid += 1
    grid.put_tile(s, len(used), site)
    return layout_cells(s)


@clause("CLE-G6")
def test_cells_are_numbered_sixteen_a_row() -> None:
    assert (GAME.text.CODES[17], GAME.text.CODES[35], GAME.text.CODES[143]) == ("1.1", "2.3", "8.15")
    s: Any = GAME.new_state(2, 3, {"start_player": 0})
    assert legal(s) == [16, 18, 33]


@clause("CLE-G7")
def test_a_hole_is_a_site_like_any_other() -> None:
    ring = "17 P, 18 B, 19 O, 33 G, 34 P, 36 B, 50 O, 51 G, 52 Y"
    s = position(ring, players=3, rescuers={0: [17], 1: [18], 2: [19]})
    assert sorted(neighbours(35)) == [19, 34, 36]
    assert 35 in free_sites(s)
    play(s, SCOUT, 35)
    assert tile_on(s, 35) == s.fresh
    assert beside(s, s.fresh).bit_count() == 3


@clause("CLE-G8")
def test_the_frame_stays_while_a_tile_is_lifted() -> None:
    s = position("17 P, 18 B, 19 O", rescuers={0: [18], 1: [19]})
    play(s, SEARCH, 17)
    assert sorted(layout(s)) == [17, 18, 19]
    assert legal(s) == [2, 20, 35]
    play(s, 35)
    assert sorted(layout(s)) == [18, 19, 35]


@clause("CLE-G9")
def test_choices_do_not_depend_on_the_shifts_so_far() -> None:
    wandered = position("17 P, 18 B", rescuers={0: [17], 1: [18]})
    play(wandered, SCOUT)
    lay(wandered, "O", 16)
    play(wandered, DISPATCH)
    straight = position("19 P, 20 B, 18 O", rescuers={0: [18, 19], 1: [20]}, turn=1)
    assert layout(wandered) == layout(straight)
    assert legal(wandered) == legal(straight)
    assert legal(play(wandered, TEAM_UP)) == legal(play(straight, TEAM_UP)) == [19]


# --- Tile actions ---------------------------------------------------------------------------------------------


@clause("CLE-A1")
def test_scout_reveals_a_tile_and_lays_it_on_any_site() -> None:
    s = position("17 P, 18 B", rescuers={0: [17], 1: [18]})
    before = s.deck[:]
    play(s, SCOUT)
    c = s.revealed - 1
    assert before[c] - s.deck[c] == 1 == sum(before) - sum(s.deck)
    assert legal(s) == free_sites(s) == [2, 16, 19, 33]
    play(s, 19)
    assert layout(s)[19] == LETTERS[c]
    assert s.revealed == 0


@clause("CLE-A1")
def test_scout_needs_a_deck() -> None:
    assert SCOUT in legal(position("17 P, 18 B", rescuers={0: [17]}, deck="Y"))
    assert SCOUT not in legal(position("17 P, 18 B", rescuers={0: [17]}, deck=""))


@clause("CLE-A2")
def test_a_revealed_tile_must_be_laid() -> None:
    s = play(position("17 P, 18 B", rescuers={0: [17], 1: [18]}), SCOUT)
    assert all(a < 144 for a in legal(s))


@clause("CLE-A3")
def test_search_moves_a_tile_without_tokens() -> None:
    s = position("17 P, 18 B, 19 O, 20 G, 35 P", players=3, rescuers={0: [17]}, inspectors=(20,))
    assert legal(play(s, SEARCH)) == [35]
    play(s, 35, 2)
    assert layout(s) == {19: "P", 34: "P", 35: "B", 36: "O", 37: "G"}


@clause("CLE-A3")
@pytest.mark.parametrize("tokens", [{"rescuers": {0: [17], 1: [18]}}, {"rescuers": {0: [17]}, "inspectors": (18,)}])
def test_search_is_impossible_if_every_tile_holds_a_token(tokens: Any) -> None:
    assert SEARCH not in legal(position("17 P, 18 B", **tokens))


MOVABLE = [
    ("17-21", [17, 18, 19, 20, 21], [17, 21]),
    ("star", [18, 19, 20, 35], [18, 20, 35]),
    ("hexagon", [17, 18, 19, 33, 34, 35], [17, 18, 19, 33, 34, 35]),
    ("two rows", [17, 18, 19, 20, 21, 33, 34, 35, 36, 37], [17, 18, 20, 21, 33, 34, 36, 37]),
]


@clause("CLE-A4", "CLE-A5")
@pytest.mark.parametrize(("used", "expected"), [case[1:] for case in MOVABLE], ids=[case[0] for case in MOVABLE])
def test_surrounded_and_joining_tiles_cannot_be_moved(used: list[int], expected: list[int]) -> None:
    s = bare(tuple(used))
    assert cells(s, movable(s)) == expected


@clause("CLE-A4")
def test_a_surrounded_tile_stays_even_if_the_rest_would_hang_together() -> None:
    s = bare((17, 18, 19, 20, 21, 33, 34, 35, 36, 37))
    for cell in (19, 35):
        assert grid.connected(s, grid.layout(s) & ~tile_on(s, cell))
        assert beside(s, tile_on(s, cell)).bit_count() == 3


@clause("CLE-A6", "CLE-A7")
def test_a_lifted_tile_goes_to_another_site_of_the_rest() -> None:
    s = position("18 B, 19 P, 20 O, 35 G", rescuers={0: [19], 1: [20]})
    play(s, SEARCH, 18)
    assert legal(s) == [4, 21, 34, 36]
    assert 18 not in legal(s)


@clause("CLE-A8", "CLE-R1")
@pytest.mark.parametrize("tile_action", [(SCOUT, 19), (SEARCH, 19, 2)])
def test_the_fresh_tile_is_fresh_to_the_end_of_the_turn(tile_action: tuple[int, ...]) -> None:
    tiles = "17 P, 18 B, 19 O" if tile_action[0] == SEARCH else "17 P, 18 B"
    s = position(tiles, rescuers={0: [17], 1: [18]})
    play(s, *tile_action)
    fresh = s.fresh
    assert fresh.bit_count() == 1
    assert DISPATCH in legal(s)
    play(s, DISPATCH)
    assert s.rescuers[0] & fresh
    assert (actor(s), s.fresh) == (1, 0)


# --- The replay of the specification --------------------------------------------------------------------------


@clause("CLE-S7", "CLE-A1", "CLE-A3", "CLE-R1", "CLE-R2", "CLE-R3", "CLE-P11", "CLE-G4")
def test_the_replay() -> None:
    s = position("17 P", rescuers={0: [17]}, deck="BOGPBOGY")
    s.turn, s.revealed, s.step = 1, 1 + LETTERS.index("B"), Step.SETUP_CELL
    grid.mark_sites(s)
    s.deck[LETTERS.index("B")] -= 1
    assert legal(s) == [16, 18, 33]
    play(s, 18)
    assert (layout(s), stands(s, 1), actor(s)) == ({17: "P", 18: "B"}, [18], 0)
    play(s, SCOUT)
    assert legal(s) == [2, 16, 19, 33]
    lay(s, "O", 16)
    play(s, DISPATCH)
    assert layout(s) == {18: "O", 19: "P", 20: "B"}
    assert (stands(s, 0), hand(s, 0), actor(s)) == ([18, 19], 1, 1)
    play(s, TEAM_UP, 19, RESCUE, 19, 19)
    assert (GAME.scores(s), hand(s, 1), inspected(s), actor(s)) == ([0, 4], 3, [19], 0)
    play(s, RESCUE)
    assert legal(s) == [18]
    play(s, 18, 20)
    assert (GAME.scores(s), hand(s, 0), inspected(s), actor(s)) == ([3, 4], 3, [19, 20], 1)
    play(s, SEARCH, 18)
    assert legal(s) == [4, 21, 35]
    play(s, 4, DISPATCH)
    assert layout(s) == {19: "O", 34: "P", 35: "B"}
    assert (inspected(s), stands(s, 1)) == ([34, 35], [19])
    assert (GAME.scores(s), sum(s.deck), hand(s, 0), hand(s, 1)) == ([3, 4], 6, 3, 2)


@clause("CLE-G7", "CLE-A6")
@pytest.mark.parametrize("mode", ["basic", "hard"])
def test_the_upper_bounds_of_the_choices(mode: str) -> None:
    most = {"setup_cell": 5, "action1": 4, "scout_cell": 14, "search_tile": 12, "search_cell": 13, "action2": 3, "team_cell": 6}
    most |= {"herd_from": 3, "herd_to": 3, "rescue_tile": 3, "extra": 8, "count_tile": 3, "inspector_to": 13, "inspector_from": 4}
    most |= {"mut": 2, "any_tile": 13, "relocate_from": 3, "relocate_to": 12, "swap_own": 3, "swap_other": 9, "swap_owner": 2}
    if mode == "hard":
        most |= {"action1": 6, "action2": 4}
    decisions = 0
    for before, p, _, after in random_games(6, 4, seed=3, mode=mode):
        assert len(GAME.legal(before, p)) <= most[step(before)], step(before)
        decisions += step(before) != "setup_cell"
        assert decisions <= (8 if mode == "basic" else 16)
        if after.turns != before.turns:
            decisions = 0
