"""The clauses of rules.md, each held by a test that fails when the clause is broken."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from perankh.engine.game import get_game
from perankh.engine.loops import ENDING
from perankh.engine.simulate import simulate
from perankh.testing import clause

GAME = get_game(Path(__file__).parents[1])
TEXT: Any = GAME.text

# All 42 stones: without a line, and with one that only the last stone makes.
DRAW = "fgfdgcafdbfgefaacegeaaeefeggdacccddbbbdcbb"
LAST_STONE = "ggefafffbadegeffdcdagdaaeaggddbeecbbbbcccc"


def play(columns: str) -> Any:
    """The state after dropping stones into the columns in this order, each move checked to be legal."""
    s = GAME.new_state(2, seed=1)
    for code in columns:
        (p,) = GAME.actors(s)
        a = TEXT.CODES.index(code)
        assert a in GAME.legal(s, p), f"{code} in {columns}"
        GAME.rules.apply(s, p, a)
    return s


def standing(*cells: str) -> int:
    """The stones on cells such as d1, as bits."""
    return sum(1 << (GAME.rules.COLUMN_BITS * TEXT.LETTERS.index(letter) + int(row) - 1) for letter, row in cells)


@clause("C4-S1")
def test_the_board_starts_empty_and_red_begins() -> None:
    s = play("")
    assert (GAME.rules.COLUMNS, GAME.rules.ROWS) == (7, 6)
    assert s.stones == [0, 0]
    assert s.height == [0] * 7
    assert list(GAME.players) == [2]
    assert GAME.actors(s) == [0]
    assert GAME.ending(s) is None


@clause("C4-S1")
def test_nothing_is_hidden() -> None:
    s = play("dcdc")
    for viewer in (-1, 0, 1):
        veiled = GAME.veiled(s, viewer)
        assert (veiled.stones, veiled.height, veiled.turn) == (s.stones, s.height, s.turn)
    own, other = GAME.observation_of(s, 0), GAME.observation_of(s, 1)
    assert own[:42] == other[42:]
    assert [i for i, stone in enumerate(own) if stone] == [3 * 6, 3 * 6 + 1, 42 + 2 * 6, 42 + 2 * 6 + 1]


@clause("C4-T1")
def test_the_players_take_turns() -> None:
    s = play("")
    for move, code in enumerate("abcdefg"):
        assert GAME.actors(s) == [move % 2]
        GAME.rules.apply(s, move % 2, TEXT.CODES.index(code))


@clause("C4-T1")
@pytest.mark.parametrize("code", "abcdefg")
def test_every_column_may_be_chosen_until_it_is_full(code: str) -> None:
    s = play(code * 5)
    assert GAME.legal(s, 1) == list(range(7))
    s = play(code * 6)
    assert GAME.legal(s, 0) == [a for a in range(7) if TEXT.CODES[a] != code]
    assert GAME.legal(s, 1) == []


@clause("C4-T2")
def test_stones_fall_onto_the_stones_below_and_stay() -> None:
    s = play("ddda")
    assert s.stones == [standing("d1", "d3"), standing("d2", "a1")]
    assert s.height == [1, 0, 0, 3, 0, 0, 0]


@clause("C4-E1")
@pytest.mark.parametrize(
    ("columns", "line"),
    [
        ("abababa", "a1 a2 a3 a4"),
        ("gfgfgfg", "g1 g2 g3 g4"),
        ("aabbccd", "a1 b1 c1 d1"),
        ("ddeeffg", "d1 e1 f1 g1"),
        ("abbccdcddgd", "a1 b2 c3 d4"),
        ("gffeededdad", "g1 f2 e3 d4"),
    ],
)
def test_four_in_a_row_win_at_once(columns: str, line: str) -> None:
    assert GAME.ending(play(columns[:-1])) is None
    s = play(columns)
    bits = standing(*line.split())
    assert s.stones[0] & bits == bits
    assert GAME.ending(s) == "line"
    assert GAME.actors(s) == []
    assert GAME.scores(s) == [1, 0]
    assert GAME.ranks(s) == [1, 2]


@clause("C4-E1")
def test_the_second_player_can_win_and_five_in_a_row_count() -> None:
    s = play("abacadge")
    assert GAME.ending(s) == "line"
    assert GAME.scores(s) == [0, 1]
    assert GAME.ranks(s) == [2, 1]
    assert GAME.ending(play("aabbddeec")) == "line"


@clause("C4-E1")
def test_every_line_of_the_board_is_seen_and_nothing_else() -> None:
    """All 69 lines win; with one stone taken away they do not."""
    lines = 0
    for column in range(7):
        for row in range(6):
            for right, up in ((0, 1), (1, 0), (1, 1), (1, -1)):
                if column + 3 * right < 7 and 0 <= row + 3 * up < 6:
                    cells = [1 << (GAME.rules.COLUMN_BITS * (column + i * right) + row + i * up) for i in range(4)]
                    assert GAME.rules.has_line(sum(cells))
                    assert not any(GAME.rules.has_line(sum(cells) - gone) for gone in cells)
                    lines += 1
    assert lines == 69


@clause("C4-E1")
@pytest.mark.parametrize(
    "cells",
    [
        "a5 a6 b1 b2",  # upright, from the top of one column to the foot of the next
        "a4 a5 a6 b1",
        "a6 c1 d2 e3",  # rising over the upper edge
        "a1 b6 c5 d4",  # falling over the lower edge
        "a2 b1 c6 d5",
        "e1 f1 g1 a2",  # level, round the side
        "a1 b1 c1 e1",  # a gap
    ],
)
def test_lines_do_not_run_over_an_edge_or_a_gap(cells: str) -> None:
    assert not GAME.rules.has_line(standing(*cells.split()))


@clause("C4-E2")
def test_a_full_board_without_a_line_is_a_draw() -> None:
    assert GAME.ending(play(DRAW[:-1])) is None
    s = play(DRAW)
    assert s.height == [6] * 7
    assert GAME.ending(s) == "full"
    assert GAME.actors(s) == []
    assert GAME.scores(s) == [0, 0]
    assert GAME.ranks(s) == [1, 1]


@clause("C4-E2")
def test_a_line_made_by_the_last_stone_wins() -> None:
    s = play(LAST_STONE[:-1])
    assert GAME.ending(s) is None
    s = play(LAST_STONE)
    assert s.height == [6] * 7
    assert GAME.ending(s) == "line"
    assert GAME.ranks(s) == [2, 1]


# --- What a person sees ---------------------------------------------------------------------------------------


def test_codes_are_the_letters_of_the_columns() -> None:
    assert TEXT.CODES == tuple("abcdefg")


@clause("C4-T1")
def test_a_full_column_is_refused_with_the_reason() -> None:
    s = play("bbbbbb")
    assert TEXT.refusal(s, 0, 1, "en") == "Column b is full: it already holds 6 stones."
    assert TEXT.refusal(s, 0, 1, "ja") == "b の列はもう 6 個で埋まっている。"


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_sentences_tell_the_columns_apart(lang: str) -> None:
    s = play("")
    assert len({TEXT.sentence(s, 0, a, lang) for a in range(7)}) == 7


def test_the_log_tells_the_cell_and_the_end() -> None:
    def last(columns: str, lang: str) -> list[str]:
        state = play(columns[:-1])
        events = GAME.apply(state, (len(columns) - 1) % 2, TEXT.CODES.index(columns[-1]))
        return list(TEXT.log_lines(state, events, -1, lang))

    assert last("dd", "en") == ["Yellow drops a stone onto d2."]
    assert last("dd", "ja") == ["黄が d2 に石を落とした。"]
    assert last("abababa", "en") == ["Red drops a stone onto a4.", "Four in a row: Red wins."]
    assert last(DRAW, "ja") == ["黄が b6 に石を落とした。", "盤が埋まって引き分け。"]


def test_the_board_shows_the_line_in_squares() -> None:
    assert TEXT.board(play("abababa"), -1, "en").splitlines() == [
        "6 |・・・・・・・|",
        "5 |・・・・・・・|",
        "4 |🟥・・・・・・|",
        "3 |🟥🟡・・・・・|",
        "2 |🟥🟡・・・・・|",
        "1 |🟥🟡・・・・・|",
        "  +--------------+",
        "   ａｂｃｄｅｆｇ",
        "",
        "  🔴 Red wins",
    ]
    assert TEXT.board(play("d"), 0, "ja").endswith("  🟡 黄の番")
    assert TEXT.board(play(DRAW), 0, "en").endswith("A draw")


# --- Random games -----------------------------------------------------------------------------------------------


def test_random_games_keep_every_invariant() -> None:
    run = simulate(GAME, 2, 20_000, seed=4, limit=42)
    assert run.faults() == []
    assert set(run.report[:, ENDING]) == {1, 2}


def broken(s: Any, change: str) -> Any:
    """The state with one fault."""
    if change == "two stones on a cell":
        s.stones[1] |= s.stones[0]
    elif change == "a stone in the air":
        s.stones[0] |= standing("g6")
    elif change == "a turn lost":
        s.turn = 1 - s.turn
    elif change == "a stone gone":
        s.stones[0], s.stones[1] = s.stones[1], s.stones[0]
    return s


@clause("C4-T1", "C4-T2")
@pytest.mark.parametrize(
    ("change", "number"),
    [("", 0), ("two stones on a cell", 1), ("a stone in the air", 2), ("a turn lost", 3), ("a stone gone", 4)],
)
def test_each_invariant_sees_its_fault(change: str, number: int) -> None:
    assert GAME.functions["violated"](broken(play("ddc"), change), play("dd")) == number
