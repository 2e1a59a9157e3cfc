"""Cleocatra in hard mode: Herd and the powers of the cats, clause by clause, with the figures of the rule specification."""

from __future__ import annotations

from typing import Any

import pytest

from perankh.testing import clause

from .positions import (
    DECLINE,
    DISPATCH,
    GAME,
    HERD,
    KEEP,
    OWNER,
    RESCUE,
    SCOUT,
    SEARCH,
    SWAP,
    TAKE_BACK,
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


def hard(tiles: str, **more: Any) -> Any:
    """A position in hard mode, for 3 players unless said."""
    return position(tiles, **{"players": 3, "mode": "hard", **more})


# --- Herd -----------------------------------------------------------------------------------------------------


@clause("CLE-H1")
def test_hard_mode_adds_herd_and_the_powers() -> None:
    more: dict[str, Any] = {"players": 3, "rescuers": {0: [18], 1: [19], 2: [17]}}
    basic, with_powers = position("17 P, 18 B, 19 O, 20 Y", **more), hard("17 P, 18 B, 19 O, 20 Y", **more)
    assert legal(basic) == [SCOUT, SEARCH, TEAM_UP, RESCUE]
    assert legal(with_powers) == [SCOUT, SEARCH, SWAP, TEAM_UP, RESCUE, HERD]
    seen = {step(before) for before, _, _, _ in random_games(6, 3, seed=4, mode="hard")}
    assert {"herd_to", "swap_other", "extra", "mut"} <= seen


@clause("CLE-H2")
def test_herd_moves_an_own_rescuer_to_a_neighbour_with_room() -> None:
    s = hard(row(17, "PBOGY"), rescuers={0: [17, 19], 1: [18], 2: [20]})
    assert legal(play(s, HERD)) == [17, 19]
    assert legal(play(s, 19)) == [18, 20]
    play(s, 18)
    assert (stands(s, 0), step(s)) == ([17, 18], "action2")
    play(s, HERD)
    assert legal(s) == [18]  # beside 17 stands an own rescuer already
    play(s, 18, 19)
    assert (stands(s, 0), actor(s)) == ([17, 19], 1)


@clause("CLE-H2")
def test_herd_respects_room() -> None:
    s = hard(row(17, "PBO"), rescuers={0: [17], 1: [18], 2: [18]})
    assert HERD not in legal(s)


@clause("CLE-H2")
def test_herd_counts_as_a_possible_action() -> None:
    more: dict[str, Any] = {"rescuers": {0: [20], 1: [17, 18, 19]}, "inspectors": (17, 18, 19), "turn": 1, "deck": ""}
    s = position(row(17, "BOYG"), players=2, mode="hard", **more)
    assert (step(s), legal(s)) == ("action1", [SWAP, HERD])
    s = position(row(17, "OOYG"), players=2, mode="hard", **more)
    assert (step(s), legal(s)) == ("action1", [HERD])
    assert step(position(row(17, "OOYG"), players=2, **more)) == "relocate_from"


# --- Cleocatra ------------------------------------------------------------------------------------------------

FIVE = "17 P, 18 B, 19 Y, 20 O, 35 G"


def at_cleocatra(scores: tuple[int, ...] = (10, 5, 7), rescuer_of_1: int = 20, **more: Any) -> Any:
    """Seat 0 is about to score Cleocatra on 19."""
    s = hard(FIVE, **{"rescuers": {0: [19], 1: [rescuer_of_1], 2: [17]}, "scores": scores, **more})
    return play(s, RESCUE, 19)


@clause("CLE-H3", "CLE-H4")
def test_h1_the_lowest_player_declines() -> None:
    s = at_cleocatra()
    assert (actor(s), step(s), s.score[0]) == (1, "extra", 10)
    assert DECLINE in legal(s)
    play(s, DECLINE)
    assert (s.score[0], actor(s), step(s)) == (15, 0, "inspector_to")
    play(s, 17)
    assert (actor(s), s.turns) == (1, 1)


@clause("CLE-H4", "CLE-H7", "CLE-H9")
def test_h2_the_lowest_player_moves_a_tile_first() -> None:
    s = at_cleocatra()
    play(s, SEARCH)
    assert legal(s) == [17, 35]  # Mafdet moves with the rescuer on it
    play(s, 35)
    assert legal(s) == [2, 4, 16, 21, 33]
    play(s, 21)
    assert s.score[0] == 14


@clause("CLE-H5")
def test_h3_a_tie_for_lowest_gives_nobody_the_extra_action() -> None:
    s = at_cleocatra((10, 5, 5))
    assert (step(s), actor(s), s.score[0]) == ("inspector_to", 0, 15)


@clause("CLE-H6")
def test_h4_the_lowest_may_be_the_scorer() -> None:
    s = at_cleocatra((3, 5, 7))
    assert (actor(s), step(s)) == (0, "extra")
    play(s, TEAM_UP, 18)
    assert s.score[0] == 9


def test_option_extra_self() -> None:
    assert step(at_cleocatra((3, 5, 7), extra_self=False)) == "inspector_to"
    assert step(at_cleocatra((10, 5, 7), extra_self=False)) == "extra"


@clause("CLE-H10")
def test_h5_without_the_scoring_rescuer_the_rescue_fails() -> None:
    s = at_cleocatra(rescuer_of_1=18)
    play(s, SWAP, 18)
    assert legal(s) == [17, 19]
    play(s, 19)
    assert GAME.scores(s) == [10, 5, 7]
    assert (stands(s, 0), stands(s, 1), inspected(s)) == ([18], [19], [])
    assert (actor(s), s.turns) == (1, 1)


@clause("CLE-H10")
@pytest.mark.parametrize("away", [(HERD, 19, 18), (RESCUE, 19, 17)])
def test_the_scorer_can_spoil_the_own_rescue(away: tuple[int, ...]) -> None:
    s = at_cleocatra((3, 5, 7))
    play(s, *away)
    assert s.score[0] == (3 if away[0] == HERD else 8)
    assert (actor(s), s.turns) == (1, 1)


@clause("CLE-H8", "CLE-H9")
def test_h6_a_rescue_as_extra_action_is_carried_out_in_full() -> None:
    s = at_cleocatra(rescuer_of_1=19)
    play(s, RESCUE, 19)
    assert (step(s), actor(s), s.score[1]) == ("inspector_to", 1, 10)
    play(s, 19)
    assert (s.score[0], actor(s), s.turns) == (15, 0, 0)
    assert (stands(s, 1), hand(s, 1)) == ([], 3)
    assert legal(s) == [17, 18, 20, 35]
    play(s, 18)
    assert (inspected(s), hand(s, 0), actor(s)) == ([18, 19], 3, 1)


@clause("CLE-H8")
def test_powers_act_in_a_rescue_as_extra_action() -> None:
    s = at_cleocatra()  # seat 1 stands on 20, a Mut tile
    play(s, RESCUE, 20, 17)
    assert (step(s), actor(s)) == ("mut", 1)
    play(s, KEEP)
    assert stands(s, 1) == [20]
    assert (step(s), actor(s), s.score[0]) == ("inspector_to", 0, 15)


@clause("CLE-H4")
def test_scores_are_compared_before_the_rescue() -> None:
    s = at_cleocatra((4, 5, 7))
    assert (step(s), actor(s), s.score[0]) == ("extra", 0, 4)


@clause("CLE-H7")
def test_the_extra_action_is_any_possible_action_or_nothing() -> None:
    s = at_cleocatra()
    assert legal(s) == [SCOUT, SEARCH, TEAM_UP, RESCUE, HERD, DECLINE]
    s = hard(FIVE, rescuers={0: [19], 2: [17]}, scores=(10, 5, 7))
    play(s, SCOUT, 21, RESCUE, 19)
    assert (actor(s), legal(s)) == (1, [SCOUT, SEARCH, DECLINE])  # a tile action though seat 0 had one, but no Dispatch


@clause("CLE-H7")
def test_dispatch_as_extra_action_is_for_the_player_on_turn() -> None:
    s = hard(FIVE, rescuers={0: [19], 1: [20], 2: [17]}, scores=(3, 5, 7))
    play(s, SCOUT, 21, RESCUE, 19)
    assert (actor(s), DISPATCH in legal(s)) == (0, True)
    play(s, DISPATCH)
    assert (stands(s, 0), s.score[0]) == ([19, 21], 8)


@clause("CLE-H7")
def test_without_a_possible_action_nothing_is_put_or_moved() -> None:
    s = position("17 O, 18 Y", players=2, mode="hard", rescuers={0: [17, 18], 1: [17]}, inspectors=(17,), scores=(9, 2), deck="")
    play(s, RESCUE, 18)
    assert (actor(s), step(s), legal(s)) == (1, "extra", [TEAM_UP, HERD, DECLINE])
    s = position("17 O, 18 Y", players=2, mode="hard", rescuers={0: [17, 18]}, inspectors=(17,), scores=(9, 2), deck="")
    assert legal(play(s, RESCUE, 18)) == [DECLINE]


# --- Mafdet ---------------------------------------------------------------------------------------------------

MAFDET: dict[str, Any] = {"rescuers": {0: [17], 1: [17], 2: [19]}, "inspectors": (17,)}


@clause("CLE-H11")
def test_h7_mafdet_moves_with_everything_on_it() -> None:
    s = hard("17 P, 18 B, 19 O, 20 G", **MAFDET)
    play(s, SEARCH, 17)
    assert legal(s) == [2, 4, 21, 35]
    play(s, 21)
    assert layout(s)[21] == "P"
    assert (stands(s, 0), stands(s, 1), inspected(s)) == ([21], [21], [21])
    assert legal(s) == [TEAM_UP, HERD]
    assert legal(play(s.copy(), TEAM_UP)) == [20]
    assert legal(play(s.copy(), HERD, 21)) == [20]


@clause("CLE-H11", "CLE-F4")
def test_h8_mafdet_full_of_others_leaves_nothing_to_do() -> None:
    s = hard("17 P, 18 B, 19 O, 20 G", players=4, turn=3, **MAFDET)
    play(s, SEARCH, 17, 21)
    assert (actor(s), s.turns, hand(s, 3)) == (0, 4, 3)


@clause("CLE-H11")
def test_mafdet_needs_hard_mode_and_is_held_by_the_layout() -> None:
    basic = position("17 P, 18 B, 19 O, 20 G", players=3, **MAFDET)
    assert legal(play(basic, SEARCH)) == [20]
    s = hard("17 O, 18 P, 19 B, 20 G", rescuers={0: [18], 1: [17], 2: [19]})
    assert legal(play(s, SEARCH)) == [20]  # without 18 the row would fall apart


@clause("CLE-H11", "CLE-R1")
def test_dispatch_on_a_moved_mafdet_needs_room() -> None:
    s = hard("17 P, 18 B, 19 O, 20 G", rescuers={0: [19], 1: [17]})
    play(s, SEARCH, 17, 21)
    assert DISPATCH in legal(s)
    play(s, DISPATCH)
    assert (stands(s, 0), stands(s, 1)) == ([19, 21], [21])


# --- Bastet ---------------------------------------------------------------------------------------------------


@clause("CLE-H12", "CLE-H14")
def test_bastet_exchanges_rescuers_as_tile_action() -> None:
    s = hard("17 P, 18 B, 19 O, 20 G", rescuers={0: [18], 1: [20], 2: [17]}, inspectors=(20,))
    play(s, SWAP)
    assert legal(s) == [18]
    assert legal(play(s, 18)) == [17, 20]
    play(s, 20)
    assert (stands(s, 0), stands(s, 1), inspected(s)) == ([20], [18], [20])
    assert (actor(s), step(s), s.fresh) == (0, "action2", 0)
    assert legal(s) == [TEAM_UP, HERD]  # neither Dispatch nor another tile action; 20 has an inspector


@clause("CLE-H12")
def test_swap_needs_an_own_rescuer_on_bastet_and_another_player() -> None:
    assert SWAP not in legal(hard("17 P, 18 B, 19 O", rescuers={0: [17], 1: [18]}))
    assert SWAP not in legal(hard("17 P, 18 B, 19 O", rescuers={0: [17, 18]}))
    assert SWAP not in legal(play(hard("17 P, 18 B, 19 O", rescuers={0: [18], 1: [17]}), TEAM_UP, 17))


@clause("CLE-H13")
def test_a_swap_leaves_no_tile_with_two_rescuers_of_one_player() -> None:
    s = hard(row(17, "PBOGY"), rescuers={0: [18, 19], 1: [19, 20], 2: [18, 21]})
    play(s, SWAP, 18)
    assert legal(s) == [20]  # 19 holds an own rescuer, seat 2 stands on the Bastet tile already
    play(s, 20)
    assert (stands(s, 0), stands(s, 1), stands(s, 2)) == ([19, 20], [18, 19], [18, 21])


@clause("CLE-H12")
def test_the_owner_is_asked_for_only_if_two_fit() -> None:
    s = hard(row(17, "PBOGY"), players=4, rescuers={0: [18], 1: [20], 3: [20]})
    play(s, SWAP, 18, 20)
    assert (step(s), legal(s)) == ("swap_owner", [OWNER + 1, OWNER + 3])
    play(s, OWNER + 3)
    assert (stands(s, 0), stands(s, 1), stands(s, 3)) == ([20], [20], [18])
    s = hard(row(17, "PBOGY"), players=4, rescuers={0: [18], 1: [20], 3: [18, 20]})
    play(s, SWAP, 18, 20)
    assert (step(s), stands(s, 0), stands(s, 1)) == ("action2", [20], [18])


# --- Mut ------------------------------------------------------------------------------------------------------


@clause("CLE-H15")
@pytest.mark.parametrize(("answer", "left"), [(KEEP, 2), (TAKE_BACK, 3)])
def test_h9_mut_may_keep_the_scoring_rescuer(answer: int, left: int) -> None:
    s = hard("18 B, 19 O, 20 G", players=2, rescuers={0: [18, 19], 1: [20]}, inspectors=(18,))
    play(s, RESCUE, 19)
    assert s.score[0] == 4
    play(s, 20)
    assert (step(s), legal(s)) == ("mut", [KEEP, TAKE_BACK])
    play(s, answer)
    assert (stands(s, 0), hand(s, 0)) == ([19] if answer == KEEP else [], left)
    assert actor(s) == 1


# --- Princess -------------------------------------------------------------------------------------------------


@clause("CLE-H16")
def test_h10_princess_handles_a_second_inspector() -> None:
    s = hard("18 B, 19 G, 20 O, 35 P", players=2, rescuers={0: [19], 1: [20]}, inspectors=(18, 35))
    play(s, RESCUE, 19)
    assert (s.score[0], legal(s)) == (4, [19, 20])
    play(s, 20)
    assert (step(s), legal(s)) == ("inspector_from", [18, 35, DECLINE])
    assert legal(play(s.copy(), 18)) == [19]
    done = play(s.copy(), 35, 19)
    assert (inspected(done), actor(done)) == ([18, 19, 20], 1)
    left = play(s, DECLINE)
    assert (inspected(left), actor(left)) == ([18, 20, 35], 1)


@clause("CLE-H16")
def test_princess_may_put_down_two_unused_inspectors() -> None:
    s = hard("18 B, 19 G, 20 O, 35 P", players=2, rescuers={0: [19], 1: [20]})
    play(s, RESCUE, 19)
    assert legal(s) == [18, 19, 20, 35]
    play(s, 19)
    assert (step(s), legal(s)) == ("inspector_to", [18, 20, 35, DECLINE])
    assert inspected(play(s.copy(), 35)) == [19, 35]
    assert inspected(play(s, DECLINE)) == [19]


@clause("CLE-H16")
def test_the_second_inspector_is_not_offered_if_the_first_is_declined() -> None:
    s = hard("17 Y, 18 B, 19 G, 20 O, 35 P", players=2, rescuers={0: [19], 1: [20]}, inspectors=(18, 20, 35))
    play(s, RESCUE, 19)
    assert legal(s) == [18, 20, 35, DECLINE]
    assert actor(play(s.copy(), DECLINE)) == 1
    play(s, 18, 17)
    assert (step(s), legal(s)) == ("inspector_from", [20, 35, DECLINE])
    assert legal(play(s, 20)) == [18, 19]


@clause("CLE-H16")
def test_the_second_inspector_stays_voluntary_when_moving_is_compulsory() -> None:
    more: dict[str, Any] = {"rescuers": {0: [19], 1: [20]}, "inspectors": (18, 20, 35), "inspector_move": "must"}
    s = hard("17 Y, 18 B, 19 G, 20 O, 35 P", players=2, **more)
    play(s, RESCUE, 19)
    assert legal(s) == [18, 20, 35]
    play(s, 18, 17)
    assert legal(s) == [20, 35, DECLINE]


# --- Where powers act -----------------------------------------------------------------------------------------


@clause("CLE-H17", "CLE-H3")
def test_neighbours_of_the_scoring_tile_lend_no_power() -> None:
    s = hard("18 O, 19 P, 20 G, 35 Y", players=2, rescuers={0: [18, 19, 20], 1: [35]}, scores=(9, 1))
    play(s, RESCUE, 19)
    assert (step(s), s.score[0]) == ("inspector_to", 15)  # no extra action, no bonus
    play(s, 18)
    assert (stands(s, 0), actor(s)) == ([], 1)  # neither a second inspector nor Mut's choice


@clause("CLE-H17")
def test_mafdet_and_bastet_give_nothing_when_scored() -> None:
    for letter in "PB":
        s = hard(f"18 O, 19 {letter}, 20 G", players=2, rescuers={0: [19], 1: [18]}, scores=(9, 1))
        play(s, RESCUE, 19)
        assert (step(s), s.score[0]) == ("inspector_to", 12)
        assert actor(play(s, 18)) == 1


@clause("CLE-H17")
@pytest.mark.parametrize("p", [0, 1, 2])
def test_a_power_is_open_to_every_player(p: int) -> None:
    s = hard(FIVE, rescuers={p: [18, 20], (p + 1) % 3: [17]}, turn=p, scores=(1, 1, 1))
    assert SWAP in legal(s)
    assert 17 in legal(play(s.copy(), SEARCH))  # Mafdet under another's rescuer
    assert legal(play(s, RESCUE, 20, 17)) == [KEEP, TAKE_BACK]
