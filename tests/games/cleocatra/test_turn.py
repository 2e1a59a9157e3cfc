"""Cleocatra: turn, rescuer actions, fallbacks, scoring and end, clause by clause, with the figures of the rule specification."""

from __future__ import annotations

from typing import Any

import pytest

from perankh.testing import clause

from .positions import (
    DECLINE,
    DISPATCH,
    GAME,
    HERD,
    RESCUE,
    SCOUT,
    SEARCH,
    SWAP,
    TEAM_UP,
    actor,
    hand,
    inspected,
    layout,
    legal,
    play,
    position,
    random_games,
    row,
    stands,
    step,
)

TILE_ACTIONS = {SCOUT, SEARCH, SWAP}
STAR = "18 B, 19 P, 20 O, 35 G"

# --- Turn -----------------------------------------------------------------------------------------------------


@clause("CLE-T1")
def test_a_tile_action_can_only_come_first() -> None:
    s = position("17 P, 18 B, 19 O", rescuers={0: [17], 1: [18]})
    assert legal(s) == [SCOUT, SEARCH, TEAM_UP, RESCUE]
    play(s, SCOUT, 20)
    assert (step(s), legal(s)) == ("action2", [DISPATCH, TEAM_UP, RESCUE])
    s = position(STAR, rescuers={0: [19], 1: [18]})
    play(s, TEAM_UP, 20)
    assert step(s) == "action2"
    assert not TILE_ACTIONS & set(legal(s))
    assert actor(s) == 0


@clause("CLE-T1")
@pytest.mark.parametrize("mode", ["basic", "hard"])
def test_a_turn_without_rescue_has_two_actions(mode: str) -> None:
    actions: list[int] = []
    for before, _, a, after in random_games(6, 3, seed=2, mode=mode):
        if before.step in (1, 2):
            actions.append(a)
        if after.turns != before.turns:
            assert len(actions) <= 2
            assert not TILE_ACTIONS & set(actions[1:])
            actions = []


@clause("CLE-T2")
def test_rescue_ends_the_turn_at_once() -> None:
    s = position(STAR, rescuers={0: [19], 1: [18]})
    play(s, RESCUE, 19, 18)
    assert (actor(s), s.turns, step(s)) == (1, 1, "action1")
    s = position(STAR, rescuers={0: [19], 1: [18]})
    play(s, TEAM_UP, 20, RESCUE, 19, 18)
    assert (actor(s), s.turns) == (1, 1)


@clause("CLE-T3")
def test_nobody_can_pass() -> None:
    for before, p, _, _ in random_games(5, 2, seed=5):
        if step(before) in ("action1", "action2"):
            assert DECLINE not in GAME.legal(before, p)


@clause("CLE-T4", "CLE-F4")
def test_the_first_action_need_not_leave_a_second() -> None:
    s = position("17 P, 18 B, 19 O", rescuers={0: [18, 19], 1: [17, 18]}, inspectors=(17, 18, 19), turn=1)
    assert TEAM_UP in legal(s)
    play(s, TEAM_UP)
    assert legal(s) == [19]
    play(s, 19)
    assert (actor(s), s.turns) == (0, 2)
    assert stands(s, 1) == [17, 18, 19]


@clause("CLE-T5")
def test_the_same_rescuer_action_may_be_used_twice() -> None:
    s = position(STAR, rescuers={0: [19], 1: [18]})
    play(s, TEAM_UP, 20, TEAM_UP, 35)
    assert (stands(s, 0), actor(s)) == ([19, 20, 35], 1)


@clause("CLE-T6")
def test_a_tile_holds_two_rescuers_of_different_players() -> None:
    s = position(STAR, players=3, rescuers={0: [19], 1: [18, 20], 2: [18]})
    assert legal(play(s, TEAM_UP)) == [20, 35]
    s = position(row(17, "PBO"), players=3, rescuers={0: [17, 18], 1: [19], 2: [19]})
    assert TEAM_UP not in legal(s)


@clause("CLE-T6")
@pytest.mark.parametrize("mode", ["basic", "hard"])
def test_no_way_of_putting_rescuers_overfills_a_tile(mode: str) -> None:
    for _, _, _, s in random_games(3, 4, seed=6, mode=mode):
        assert all(sum(cell in stands(s, p) for p in range(4)) <= 2 for cell in layout(s))


@clause("CLE-T7")
def test_inspectors_take_no_room() -> None:
    s = position(STAR, rescuers={0: [19], 1: [18]}, inspectors=(18, 20, 35))
    assert legal(play(s, TEAM_UP)) == [18, 20, 35]
    play(s, 18)
    assert stands(s, 0) == [18, 19]


@clause("CLE-T8")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_turn_passes_clockwise(players: int) -> None:
    for before, _, _, after in random_games(2, players, seed=7):
        if after.turns == before.turns + 1 and not after.over:
            assert after.turn == (before.turn + 1) % players


# --- Rescuer actions ------------------------------------------------------------------------------------------


@clause("CLE-R1")
def test_dispatch_needs_a_fresh_tile_with_room() -> None:
    s = position(STAR, rescuers={0: [19], 1: [18]})
    assert DISPATCH not in legal(s)
    play(s, TEAM_UP, 20)
    assert DISPATCH not in legal(s)
    s = position(STAR, rescuers={0: [19], 1: [18]})
    play(s, SEARCH, 35, 21)
    assert DISPATCH in legal(s)
    play(s, DISPATCH)
    assert stands(s, 0) == [19, 21]


@clause("CLE-R2")
def test_team_up_goes_beside_an_own_rescuer() -> None:
    s = position(row(17, "PBOGY"), rescuers={0: [17], 1: [21]})
    assert legal(play(s, TEAM_UP)) == [18]
    s = position(row(17, "PBOGY"), rescuers={0: [17, 20], 1: [18]})
    assert legal(play(s, TEAM_UP)) == [18, 19, 21]
    assert TEAM_UP not in legal(position(row(17, "PBO"), rescuers={1: [17]}))


@clause("CLE-R3", "CLE-P1")
def test_rescue_needs_an_own_rescuer_without_inspector() -> None:
    s = position(row(17, "PBOG"), rescuers={0: [17, 19], 1: [18]}, inspectors=(17,))
    assert legal(play(s, RESCUE)) == [19]
    assert RESCUE not in legal(position(row(17, "PBOG"), rescuers={0: [17], 1: [18]}, inspectors=(17,)))
    assert RESCUE not in legal(position(row(17, "PBOG"), rescuers={1: [18]}))


@clause("CLE-R4")
def test_without_a_rescuer_in_the_hand_only_rescue_is_left() -> None:
    s = position(row(17, "PBOGY"), rescuers={0: [17, 18, 19], 1: [18]})
    assert legal(s) == [SCOUT, SEARCH, RESCUE]
    play(s, SCOUT, 22)
    assert legal(s) == [RESCUE]


# --- When nothing is possible ---------------------------------------------------------------------------------

NINE = row(17, "PBOGYBOGP")


@clause("CLE-F1")
def test_f1_a_rescuer_goes_on_any_tile_and_one_action_is_owed() -> None:
    s = position(NINE, rescuers={0: [17]}, inspectors=(25,), turn=1)
    assert (step(s), legal(s)) == ("any_tile", list(range(17, 26)))
    play(s, 20)
    assert (step(s), legal(s), actor(s)) == ("action2", [TEAM_UP, RESCUE], 1)
    play(s, RESCUE, 20)
    assert s.score[1] == 3
    play(s, 20)
    assert (actor(s), s.turns) == (0, 2)


@clause("CLE-F1", "CLE-T7")
def test_f2_placed_on_an_inspected_tile_team_up_is_left() -> None:
    s = play(position(NINE, rescuers={0: [17]}, inspectors=(25,), turn=1), 25)
    assert legal(s) == [TEAM_UP]
    assert legal(play(s, TEAM_UP)) == [24]
    play(s, 24)
    assert (actor(s), hand(s, 1)) == (0, 1)


@clause("CLE-F1", "CLE-T6")
def test_any_tile_means_any_tile_with_room() -> None:
    s = position(NINE, players=3, rescuers={0: [17], 1: [17], 2: []}, inspectors=(25,), turn=2, deck="")
    assert (step(s), legal(s)) == ("any_tile", list(range(18, 26)))


THREE_HELD: dict[str, Any] = {"rescuers": {0: [20], 1: [17, 18, 19]}, "inspectors": (17, 18, 19), "turn": 1}


@clause("CLE-F3", "CLE-F5")
def test_f3_a_rescuer_must_be_moved() -> None:
    s = position(row(17, "PBOG"), **THREE_HELD)
    assert legal(s) == [SCOUT]
    play(s, SCOUT, 21)
    assert (step(s), legal(s)) == ("relocate_from", [17, 18, 19])
    for start in (17, 18, 19):
        moved = play(s.copy(), start)
        assert legal(moved) == [20, 21]
        for end in (20, 21):
            done = play(moved.copy(), end)
            assert stands(done, 1) == sorted({17, 18, 19, end} - {start})
            assert (actor(done), done.turns) == (0, 2)


@clause("CLE-F2", "CLE-F3")
def test_with_an_empty_hand_the_placing_is_omitted() -> None:
    s = position(row(17, "PBOG"), deck="", **THREE_HELD)
    assert (step(s), legal(s)) == ("relocate_from", [17, 18, 19])
    assert legal(play(s, 18)) == [20]
    play(s, 20)
    assert (stands(s, 1), actor(s)) == ([17, 19, 20], 0)


@clause("CLE-F4")
def test_f4_a_full_layout_lets_the_owed_action_lapse() -> None:
    s = position(row(17, "PBO"), players=4, rescuers={0: [17, 18, 19], 1: [17, 18], 2: [19]}, inspectors=(17, 18, 19), turn=1)
    assert legal(s) == [SCOUT]
    play(s, SCOUT, 20, DISPATCH)
    assert actor(s) == 2
    s = position(row(17, "PBO"), players=3, rescuers={0: [18, 19], 1: [17, 18], 2: [17]}, inspectors=(17, 18, 19), turn=1)
    play(s, TEAM_UP, 19)
    assert (step(s), actor(s), s.turns) == ("action1", 2, 2)


# --- Scoring --------------------------------------------------------------------------------------------------

B3 = "18 B, 19 P, 20 B"
TOTALS: list[tuple[str, dict[str, Any], str, list[int], int, int | None, int, list[int]]] = [
    ("3a", {}, "17 P, 18 B", [17], 17, None, 2, []),
    ("3b", {}, B3, [19], 19, None, 2, []),
    ("3c", {}, STAR, [19], 19, None, 4, []),
    ("4a", {}, STAR, [18, 19, 20], 19, None, 6, []),
    ("4b", {}, B3, [18, 19, 20], 19, 18, 3, [20]),
    ("w1", {}, B3, [18, 19], 19, 20, 2, [18]),
    ("w2", {}, B3, [18, 19], 19, 18, 3, []),
    ("w3", {}, "18 P, 19 P, 20 B", [18, 19, 20], 19, None, 3, [18]),
    ("w4", {}, "18 P, 19 P, 20 P", [18, 19], 19, None, 1, [18]),
    ("w5", {}, "18 B, 19 P, 20 B, 35 B", [18, 19, 20], 19, 18, 3, [20]),
    ("w6", {"inspectors": (18,)}, STAR, [18, 19], 19, None, 5, []),
    ("w7 hard", {"mode": "hard"}, "18 B, 19 Y, 20 O, 35 G", [18, 19, 20], 19, None, 7, []),
    ("w7 basic", {}, "18 B, 19 Y, 20 O, 35 G", [18, 19, 20], 19, None, 6, []),
    ("w8 hard", {"mode": "hard"}, "18 Y, 19 P, 20 O, 35 G", [18, 19], 19, None, 5, []),
    ("4b all", {"assistants": "all"}, B3, [18, 19, 20], 19, None, 4, []),
    ("w3 all", {"assistants": "all"}, "18 P, 19 P, 20 B", [18, 19, 20], 19, None, 4, []),
    ("w4 all", {"assistants": "all"}, "18 P, 19 P, 20 P", [18, 19], 19, None, 2, []),
    ("w5 all", {"assistants": "all"}, "18 B, 19 P, 20 B, 35 B", [18, 19, 20], 19, None, 4, []),
]


@clause("CLE-P2", "CLE-P3", "CLE-P4", "CLE-P5", "CLE-P7", "CLE-P11", "CLE-P12", "CLE-H3")
@pytest.mark.parametrize(
    ("more", "tiles", "own", "scoring", "counted", "points", "staying"),
    [case[1:] for case in TOTALS],
    ids=[case[0] for case in TOTALS],
)
def test_the_known_totals(
    more: dict[str, Any], tiles: str, own: list[int], scoring: int, counted: int | None, points: int, staying: list[int]
) -> None:
    s = position(tiles, players=3, rescuers={0: own}, scores=(7, 1, 1), **more)
    play(s, RESCUE, scoring)
    if counted is None:
        assert step(s) == "inspector_to"
    else:
        assert (step(s), s.score[0]) == ("count_tile", 7)
        play(s, counted)
    assert s.score[0] == 7 + points
    assert stands(s, 0) == own
    play(s, next(cell for cell in legal(s)))
    assert stands(s, 0) == staying
    assert actor(s) == 1


@clause("CLE-P3")
def test_the_scorer_chooses_freely_which_of_equal_tiles_counts() -> None:
    s = position("18 B, 19 P, 20 B, 35 B", players=3, rescuers={0: [18, 19]})
    assert legal(play(s, RESCUE, 19)) == [18, 20, 35]
    s = position("18 B, 19 P, 20 B, 35 P", players=3, rescuers={0: [18, 19]})
    assert legal(play(s, RESCUE, 19)) == [18, 20]


@clause("CLE-P3")
def test_the_choice_is_not_asked_where_it_changes_nothing() -> None:
    s = position("18 B, 19 P, 20 B, 35 G", players=3, rescuers={0: [19, 35], 1: [18]})
    play(s, RESCUE, 19)
    assert (step(s), s.score[0]) == ("inspector_to", 4)


@clause("CLE-P6")
def test_rescuers_of_others_have_no_influence() -> None:
    alone = play(position(STAR, players=3, rescuers={0: [18, 19]}), RESCUE, 19)
    crowded = play(position(STAR, players=3, rescuers={0: [18, 19], 1: [19, 20], 2: [18, 35]}), RESCUE, 19)
    assert alone.score[0] == crowded.score[0] == 5
    assert stands(play(crowded, 18), 1) == [19, 20]


@clause("CLE-P8")
def test_an_unused_inspector_must_be_put_on_any_tile_without_one() -> None:
    s = play(position(STAR, rescuers={0: [19], 1: [18]}, inspectors=(20,)), RESCUE, 19)
    assert legal(s) == [18, 19, 35]
    play(s, 35)
    assert inspected(s) == [20, 35]


@clause("CLE-P9")
def test_with_all_inspectors_out_one_may_be_moved() -> None:
    s = play(position(STAR, rescuers={0: [19], 1: [18]}, inspectors=(18, 20, 35)), RESCUE, 19)
    assert legal(s) == [18, 20, 35, DECLINE]
    left = play(s.copy(), DECLINE)
    assert (inspected(left), actor(left), hand(left, 0)) == ([18, 20, 35], 1, 3)
    assert legal(play(s, 18)) == [19]
    play(s, 19)
    assert (inspected(s), actor(s)) == ([19, 20, 35], 1)


@clause("CLE-P10")
def test_the_inspector_step_is_omitted_if_every_tile_has_one() -> None:
    s = position("17 Y, 18 B", mode="hard", rescuers={0: [17], 1: [17]}, inspectors=(18,), scores=(5, 0))
    play(s, RESCUE, 17)
    assert (actor(s), step(s)) == (1, "extra")
    play(s, RESCUE, 17)
    assert legal(s) == [17]  # never a second inspector on 18
    play(s, 17)
    assert (GAME.scores(s), actor(s), s.turns) == ([8, 3], 1, 1)
    assert inspected(s) == [17, 18]


@clause("CLE-P10")
@pytest.mark.parametrize("mode", ["basic", "hard"])
def test_a_tile_never_gets_a_second_inspector(mode: str) -> None:
    for before, p, _, _ in random_games(3, 2, seed=8, mode=mode):
        if step(before) == "inspector_to":
            assert not set(inspected(before)) & set(GAME.legal(before, p))


@clause("CLE-P12")
@pytest.mark.parametrize(("mode", "most"), [("basic", 6), ("hard", 7)])
def test_a_rescue_gives_one_to_six_or_seven_points(mode: str, most: int) -> None:
    gains = [
        after.score[p] - before.score[p]
        for players in (2, 4)
        for before, _, _, after in random_games(12, players, seed=9, mode=mode)
        for p in range(players)
    ]
    assert {gain for gain in gains if gain} <= set(range(1, most + 1))
    assert max(gains) >= 5
    assert min(gains) == 0


# --- End ------------------------------------------------------------------------------------------------------


def at_the_brink(scores: tuple[int, ...], turn: int, **options: Any) -> Any:
    """Every player stands on the star; a Rescue on 19 is worth 4 and the player on turn can make it."""
    players = len(scores)
    return position(STAR, players=players, rescuers={turn: [19], (turn + 1) % players: [18]}, scores=scores, turn=turn, **options)


def score_four(s: Any) -> Any:
    """The player on turn scores 19 and puts the inspector on 35."""
    return play(s, RESCUE, 19, 35)


@clause("CLE-E1")
def test_the_round_is_completed_after_someone_has_23() -> None:
    s = score_four(at_the_brink((19, 5, 5), 0))
    assert (s.score[0], s.over, actor(s)) == (23, 0, 1)
    play(s, RESCUE, 18, 18)
    assert (s.over, actor(s)) == (0, 2)
    play(s, SCOUT, legal(play(s.copy(), SCOUT))[0], DISPATCH)
    assert (GAME.ending(s), s.turns, GAME.actors(s)) == ("score", 3, [])


@clause("CLE-E1")
def test_22_points_do_not_end_the_game() -> None:
    s = score_four(at_the_brink((5, 18), 1))
    assert (s.score[1], GAME.ending(s), actor(s)) == (22, None, 0)


@clause("CLE-E1")
@pytest.mark.parametrize(("players", "mode"), [(2, "basic"), (3, "hard"), (4, "basic")])
def test_all_have_had_the_same_number_of_turns(players: int, mode: str) -> None:
    ends = [s.copy() for _, _, _, s in random_games(5, players, seed=10, mode=mode) if s.over]
    assert len(ends) == 5
    assert all(s.turns % players == 0 and (s.turn + 1) % players == s.start for s in ends)


@clause("CLE-E1")
def test_23_points_by_an_extra_action_end_the_game_too() -> None:
    tiles = "17 P, 18 B, 19 Y, 20 O, 35 G"
    s = position(tiles, mode="hard", rescuers={0: [18], 1: [19]}, scores=(21, 22), turn=1)
    play(s, RESCUE, 19, RESCUE, 18, 17)
    assert s.score[0] == 24
    play(s, 20)
    assert (GAME.ending(s), GAME.scores(s)) == ("score", [24, 27])


@clause("CLE-E2")
def test_points_beyond_23_count_and_the_leader_can_be_passed() -> None:
    s = score_four(at_the_brink((19, 22), 0))
    play(s, TEAM_UP, 19, RESCUE, 18, 18)
    assert GAME.scores(s) == [23, 25]
    assert (GAME.ending(s), GAME.ranks(s)) == ("score", [2, 1])


@clause("CLE-E3")
@pytest.mark.parametrize(
    ("scores", "ranks"), [((23, 25, 25), [3, 1, 1]), ((24, 24, 24), [1, 1, 1]), ((5, 30, 7, 7), [4, 1, 2, 2])]
)
def test_most_points_win_and_equal_points_win_together(scores: tuple[int, ...], ranks: list[int]) -> None:
    assert GAME.ranks(position(STAR, players=len(scores), scores=scores)) == ranks


@clause("CLE-E4")
def test_the_last_player_of_a_round_ends_the_game_at_once() -> None:
    s = score_four(at_the_brink((5, 6, 19), 2))
    assert (GAME.ending(s), GAME.scores(s)) == ("score", [5, 6, 23])


# --- Options --------------------------------------------------------------------------------------------------


def test_option_inspector_scored() -> None:
    s = play(at_the_brink((0, 0), 0, inspector="scored"), RESCUE, 19)
    assert (inspected(s), actor(s), hand(s, 0)) == ([19], 1, 3)
    s = position(row(17, "PBOGY"), rescuers={0: [19], 1: [18]}, inspectors=(17, 18, 20), inspector="scored")
    play(s, RESCUE, 19)
    assert (step(s), legal(s)) == ("inspector_from", [17, 18, 20])
    play(s, 18)
    assert (inspected(s), actor(s)) == ([17, 19, 20], 1)


def test_option_inspector_scored_is_omitted_if_the_tile_has_one() -> None:
    s = position("17 Y, 18 B", mode="hard", inspector="scored", rescuers={0: [17], 1: [17]}, scores=(5, 0))
    play(s, RESCUE, 17, RESCUE, 17)
    assert (GAME.scores(s), inspected(s), actor(s)) == ([8, 3], [17], 1)


def test_option_inspector_scored_leaves_the_second_of_the_princess_free() -> None:
    s = position("18 B, 19 G, 20 O, 35 P", mode="hard", inspector="scored", rescuers={0: [19], 1: [20]}, scores=(1, 1))
    play(s, RESCUE, 19)
    assert (inspected(s), legal(s)) == ([19], [18, 20, 35, DECLINE])


def test_option_inspector_move_must() -> None:
    s = position(STAR, rescuers={0: [19], 1: [18]}, inspectors=(18, 20, 35), inspector_move="must")
    assert legal(play(s, RESCUE, 19)) == [18, 20, 35]


def test_option_end_turn() -> None:
    s = score_four(at_the_brink((19, 5, 5), 0, end="turn"))
    assert (GAME.ending(s), s.turns) == ("score", 1)


@pytest.mark.parametrize(("end_score", "ending"), [(10, "score"), (11, None)])
def test_option_end_score(end_score: int, ending: str | None) -> None:
    assert GAME.ending(score_four(at_the_brink((0, 6), 1, end_score=end_score))) == ending


@pytest.mark.parametrize(("limit", "turns"), [(1, 3), (3, 3), (4, 6), (7, 9)])
def test_option_turn_limit(limit: int, turns: int) -> None:
    (end,) = [s.copy() for _, _, _, s in random_games(1, 3, turn_limit=limit, mode="hard") if s.over]
    assert (GAME.ending(end), end.turns) == ("turn_limit", turns)


def test_without_turn_limit_only_the_score_ends_a_game() -> None:
    ends = {GAME.ending(s) for _, _, _, s in random_games(10, 2, mode="hard") if s.over}
    assert ends == {"score"}


def test_option_mode_basic_has_no_powers() -> None:
    for before, p, _, _ in random_games(3, 4, seed=12):
        assert not {SWAP, HERD} & set(GAME.legal(before, p))
        assert step(before) not in ("extra", "mut")
