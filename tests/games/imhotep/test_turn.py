"""Imhotep: set-up, rounds, turns and unloading, clause by clause, with the figures of the rule specification."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from perankh.errors import BadOption
from perankh.games.imhotep.rules import actions, components, rounds, state
from perankh.games.imhotep.rules.components import Card, Site
from perankh.games.imhotep.rules.ships import all_sailed, minimum
from perankh.games.imhotep.rules.state import Step
from perankh.testing import clause

from .positions import (
    ALL_B,
    GAME,
    G,
    K,
    N,
    W,
    actor,
    begins,
    cards,
    legal,
    letters,
    play,
    points,
    position,
    random_games,
    step,
)

# --- Set-up -------------------------------------------------------------------------------------------------------


@clause("IMH-S1")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_seats_that_are_not_at_the_table_have_no_stones(players: int) -> None:
    s: Any = GAME.new_state(players, 5)
    assert [s.quarry[p] + s.sled[p] for p in range(4)] == [29] * players + [0] * (4 - players)
    with pytest.raises(BadOption):
        GAME.new_state(players=5, seed=0)
    with pytest.raises(BadOption):
        GAME.new_state(players=1, seed=0)


@clause("IMH-S2", "IMH-V1")
def test_each_site_has_its_own_side() -> None:
    s: Any = GAME.new_state(2, 0)
    assert [getattr(s, f"{site}_side") for site in components.SITE_NAMES] == [0] * 5
    for number in range(32):
        sides = {f"{site}_side": "AB"[number >> i & 1] for i, site in enumerate(components.SITE_NAMES)}
        s = GAME.new_state(2, number, sides)
        assert [getattr(s, f"{site}_side") for site in components.SITE_NAMES] == [number >> i & 1 for i in range(5)]
        assert (s.hidden[0] == state.FaceDown.UNSEEN) == (number & 1 == 1)


@clause("IMH-V1")
def test_a_side_changes_its_own_site_alone() -> None:
    s = position(ships="K", docked="-", card="3221", pyramid_side="B", obelisk="KK", temple="W")
    play(s, "load-a2", "sail-a-obelisk")
    assert (s.obelisk[K], letters(s.erected), points(s)) == (4, "", [0, 0])
    s = position(ships="KK", card="3221", obelisk_side="B", obelisk="KK")
    play(s, "sail-a-pyramid")
    assert points(s) == [3, 0]


@clause("IMH-S3")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_29_stones_of_each_colour_are_in_play(players: int) -> None:
    for before, p, _, after in random_games(2, players, seed=3, **ALL_B):
        for q in range(players):
            assert before.quarry[q] + before.sled[q] <= 29
            if q != p and before.step == Step.MAIN and after.step == Step.MAIN and after.round == before.round:
                assert after.sled[q] == before.sled[q]
    assert components.STONES == 29
    assert points(GAME.new_state(players, 1)) == [0] * players  # type: ignore[arg-type]


@clause("IMH-S4")
def test_the_deck_begins_with_all_34_cards() -> None:
    s: Any = GAME.new_state(3, 8)
    assert sum(components.COPIES) == 34
    assert s.deck == 30
    assert sum(s.unseen) == 30
    shown = Counter(card - 1 for card in s.market)
    assert [n + shown[kind] for kind, n in enumerate(s.unseen)] == list(components.COPIES)
    assert sum(s.discard) == 0
    first = Counter(GAME.new_state(2, seed).market[0] for seed in range(680))  # type: ignore[attr-defined]
    for kind, copies in enumerate(components.COPIES):
        assert abs(first[1 + kind] - 20 * copies) < 20 + 10 * copies


@clause("IMH-S5")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_six_of_the_seven_round_cards_of_the_player_count_come(players: int) -> None:
    removed = Counter()
    for number in range(30):
        s: Any = GAME.new_state(players, number)
        for round_ in range(2, 7):
            s.turn = 0
            rounds.begin_round(s)
            assert s.round == round_
        assert sorted(s.turned) == [0, 1, 2, 3, 4, 5, 6]
        removed[s.turned.index(0)] += 1
    assert len(removed) > 4


@clause("IMH-S6")
def test_the_start_player_is_drawn_or_chosen() -> None:
    starts = Counter(GAME.new_state(4, seed).turn for seed in range(400))  # type: ignore[attr-defined]
    assert sorted(starts) == [0, 1, 2, 3]
    assert all(60 < n < 140 for n in starts.values())
    for start in range(3):
        assert GAME.new_state(3, 1, {"start_player": start}).turn == start  # type: ignore[attr-defined]


@clause("IMH-S7")
def test_starting_stones_go_by_turn_order() -> None:
    s: Any = GAME.new_state(4, 1, {"start_player": 0})
    assert (s.sled, s.quarry) == ([2, 3, 4, 5], [27, 26, 25, 24])
    s = GAME.new_state(2, 1, {"start_player": 0})
    assert (s.sled, s.quarry) == ([2, 3, 0, 0], [27, 26, 0, 0])
    s = GAME.new_state(3, 1, {"start_player": 2})
    assert (s.sled, s.quarry) == ([3, 4, 2, 0], [26, 25, 27, 0])


# --- Round --------------------------------------------------------------------------------------------------------


@clause("IMH-R1", "IMH-E1")
@pytest.mark.parametrize("players", [2, 4])
def test_a_game_has_six_rounds(players: int) -> None:
    rounds = [0]
    for before, _, _, after in random_games(1, players, seed=9):
        if before.round != rounds[-1]:
            rounds.append(before.round)
        if after.step == Step.OVER:
            rounds.append(after.round)
    assert rounds == [0, 1, 2, 3, 4, 5, 6, 6]
    assert GAME.ending(after) == "six_rounds"


@clause("IMH-R2")
def test_the_round_card_gives_the_ships() -> None:
    s = position(card="4322", sleds=(5, 5), turn=0)
    assert [state.capacity(s, ship) for ship in range(4)] == [4, 3, 2, 2]
    assert begins(s, "load") == [f"load-{space}" for space in ["a1", "a2", "a3", "a4", "b1", "b2", "b3", "c1", "c2", "d1", "d2"]]
    assert [minimum(s, ship) for ship in range(4)] == [3, 2, 1, 1]
    new: Any = GAME.new_state(3, 4)
    assert new.cargo == [[0] * 4] * 4
    assert new.berth == [0] * 4


@clause("IMH-R3")
def test_the_market_is_filled_each_round() -> None:
    s: Any = GAME.new_state(2, 3)
    assert all(s.market)
    assert (s.deck, s.hidden[:2]) == (30, [0, 0])
    s = GAME.new_state(2, 3, {"market_side": "B"})
    assert [card > 0 for card in s.market] == [True, True, True, False]
    assert (s.deck, sum(s.unseen), s.hidden[:2]) == (29, 31, [state.FaceDown.UNSEEN] * 2)


@clause("IMH-R4", "IMH-T1")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_turns_go_clockwise_with_one_action_each(players: int) -> None:
    for before, p, _, after in random_games(1, players, seed=4):
        if before.step == Step.MAIN and after.step == Step.MAIN:
            assert after.turn == (p + 1) % players
    s = position(players=3, turn=2, card="4322", sleds=(2, 2, 2))
    play(s, "fetch2")
    assert actor(s) == 0
    assert s.sled == [2, 2, 4, 0]


@clause("IMH-R5")
def test_the_round_ends_with_the_fourth_ship() -> None:
    s = position(3, turn=0, card="4322", ships="- - - K", docked="temple pyramid market -", sleds=(1, 1, 1))
    play(s, "sail-d-burial")
    assert (s.round, step(s), s.turns) == (2, "main", 1)
    s = position(3, turn=0, card="4322", ships="- - K K", docked="temple pyramid - -", sleds=(1, 1, 1))
    play(s, "sail-d-burial")
    assert (s.round, actor(s)) == (1, 1)


@clause("IMH-R5", "IMH-U2")
def test_the_last_unloading_is_resolved_before_the_round_ends() -> None:
    s = position(2, card="4322", ships="- - - K", docked="temple pyramid burial -", market="idol lever hammer chisel")
    play(s, "sail-d-market")
    assert (s.round, step(s)) == (1, "offer")
    play(s, "take2")
    assert (s.round, s.held[K][Card.LEVER]) == (2, 1)


@clause("IMH-R6", "IMH-N3")
@pytest.mark.parametrize("round_", [1, 2, 3, 4, 5, 6])
def test_the_temple_is_scored_in_every_round_without_a_ship_to_it_too(round_: int) -> None:
    s = position(
        2,
        card="4322",
        ships="- - - K",
        docked="market pyramid burial -",
        temple="KW",
        held={K: "lever"},
        round=round_,
        scores=(5, 5),
    )
    play(s, "sail-d-obelisk")
    extra = [1 + 10, 0] if round_ == 6 else [0, 0]
    assert points(s) == [6 + extra[0], 6]


@clause("IMH-R6")
def test_cards_on_display_are_not_yet_discarded_when_the_temple_draws() -> None:
    s = position(
        2,
        card="4322",
        ships="- - - K",
        docked="burial pyramid temple -",
        temple="KKKK",
        sleds=(5, 5),
        market="idol lever hammer chisel",
        deck="",
        discard="sail",
        round=6,
        temple_side="B",
    )
    play(s, "sail-d-obelisk")
    # Only the card discarded before can be drawn.
    assert (cards(s.held[K]), sum(s.market)) == ({"sail": 1}, sum(kind + 1 for kind in (7, 8, 9, 11)))


@clause("IMH-R7")
def test_clean_up_after_a_round() -> None:
    s = position(
        2,
        turn=1,
        card="4322",
        ships="- - - K",
        docked="temple pyramid burial -",
        market="- lever hammer -",
        held={K: "idol"},
        sleds=(4, 3),
        temple="W",
        obelisk="W",
    )
    quarries = list(s.quarry)
    play(s, "sail-d-obelisk")
    assert (s.berth, s.cargo) == ([0] * 4, [[0] * 4] * 4)
    assert cards(s.discard) == {"lever": 1, "hammer": 1}
    assert (s.sled[:2], s.quarry, cards(s.held[K])) == ([4, 3], quarries, {"idol": 1})
    assert (letters(s.temple), s.obelisk[:2]) == ("W", [1, 1])
    assert all(s.market)
    s = position(2, card="4322", ships="- - - K", docked="temple pyramid burial -", market="- - - idol", round=6)
    play(s, "sail-d-obelisk")
    assert s.market == [0, 0, 0, 1 + Card.IDOL]


@clause("IMH-R7")
def test_an_untouched_pair_is_discarded() -> None:
    s = position(2, card="4322", ships="- - - K", docked="temple pyramid burial -", market_side="B", market="- - - idol")
    assert s.hidden[:2] == [state.FaceDown.UNSEEN] * 2
    play(s, "sail-d-obelisk")
    assert (sum(s.discard), s.deck, s.hidden[:2]) == (2, 32 - 5, [state.FaceDown.UNSEEN] * 2)
    assert [s.unseen[kind] + s.discard[kind] + s.market.count(1 + kind) for kind in range(12)] == list(components.COPIES)


@clause("IMH-R8")
@pytest.mark.parametrize(("sailor", "starts"), [(2, 3), (3, 0)])
def test_the_left_neighbour_of_the_last_sailor_starts(sailor: int, starts: int) -> None:
    s = position(4, turn=sailor, card="4322", ships="- - - K", docked="temple pyramid burial -")
    play(s, "sail-d-obelisk")
    assert (s.round, actor(s)) == (2, starts)


@clause("IMH-R8")
@pytest.mark.parametrize("card", ["sail", "lever"])
def test_the_fourth_ship_may_sail_by_a_card(card: str) -> None:
    cargo = "." if card == "sail" else "K"
    s = position(
        3, turn=1, card="4322", ships=f"- - - {cargo}", docked="temple pyramid burial -", held={W: card}, sleds=(2, 2, 2)
    )
    play(s, f"play-{card}")
    if card == "sail":
        play(s, "load-d1")
    play(s, "sail-d-obelisk")
    assert (s.round, actor(s)) == (2, 2)


# --- Turn ---------------------------------------------------------------------------------------------------------


@clause("IMH-T1")
def test_a_turn_offers_fetching_loading_sailing_and_blue_cards() -> None:
    s = position(card="4322", ships="- - - W", sleds=(1, 1), held={K: "chisel lever idol deco_temple", W: "hammer"})
    codes = set(legal(s))
    assert {"fetch1", "load-a1", "sail-d-market", "play-lever"} <= codes
    assert not {"pass", "play-hammer", "play-chisel", "decline", "take1"} & codes
    assert begins(s, "sail") == [f"sail-d-{site}" for site in components.SITE_NAMES]


@clause("IMH-T2")
def test_fetching_is_limited_by_sled_and_quarry() -> None:
    assert begins(position(sleds=(3, 0)), "fetch") == ["fetch1", "fetch2"]
    assert begins(position(sleds=(1, 0), quarries=(2, 9)), "fetch") == ["fetch1", "fetch2"]
    assert begins(position(sleds=(0, 0)), "fetch") == ["fetch1", "fetch2", "fetch3"]
    s = play(position(sleds=(1, 0)), "fetch2")
    assert (s.sled[:2], s.quarry[:2]) == ([3, 0], [26, 29])
    assert begins(position(sleds=(1, 0), quarry_take="max"), "fetch") == ["fetch3"]
    assert begins(position(sleds=(3, 0), quarry_take="max"), "fetch") == ["fetch2"]


@clause("IMH-T3")
def test_no_fetching_with_a_full_sled_or_an_empty_quarry() -> None:
    assert begins(position(sleds=(5, 0)), "fetch") == []
    assert begins(position(sleds=(1, 0), quarries=(0, 9)), "fetch") == []
    assert "fetch0" not in legal(position(sleds=(0, 0), quarry_take="max"))
    for before, p, _, _ in random_games(2, 3, seed=12):
        if step(before) == "main":
            assert actions.FETCH not in GAME.legal(before, p)


@clause("IMH-T4")
def test_any_free_space_may_be_loaded() -> None:
    s = position(card="4322", ships="K... .W. -", docked="- - market", sleds=(1, 1))
    assert begins(s, "load") == ["load-a2", "load-a3", "load-a4", "load-b1", "load-b3", "load-d1", "load-d2"]
    play(s, "load-a4")
    assert (s.cargo[0], s.sled[K]) == ([1, 0, 0, 1], 0)
    assert begins(position(card="4322", sleds=(0, 1)), "load") == []
    s = position(card="4322", ships="KKKK WWW KW WK", sleds=(3, 3))
    assert begins(s, "load") == []


@clause("IMH-T4")
def test_loaded_stones_stay_where_they_are() -> None:
    for before, _, a, after in random_games(2, 3, seed=14, pyramid_side="B"):
        sails = actions.SAIL <= a < actions.PLAY or step(before) == "lever_order" or after.round != before.round
        for ship in range(4):
            for space in range(4):
                if before.cargo[ship][space] and not sails:
                    assert after.cargo[ship][space] == before.cargo[ship][space]


@clause("IMH-T5")
def test_a_ship_sails_with_its_minimum_to_a_free_dock() -> None:
    s = position(card="4322", ships="KW.. -", sleds=(2, 2))
    assert begins(s, "sail") == []
    s = position(card="4322", ships="KW.K W -", docked="- - pyramid temple", sleds=(2, 2))
    assert begins(s, "sail") == ["sail-a-market", "sail-a-burial", "sail-a-obelisk"]
    play(s, "sail-a-burial")
    assert (letters(s.burial), s.berth[0], s.cargo[0]) == ("KWK", 1 + Site.BURIAL, [0] * 4)
    assert list(components.MINIMUM) == [0, 1, 1, 2, 3]


@clause("IMH-T6")
def test_a_ship_without_an_own_stone_may_be_sailed() -> None:
    s = position(card="4322", ships="- - - W", sleds=(2, 2))
    play(s, "sail-d-temple")
    assert letters(s.temple) == "W"


@clause("IMH-T7")
def test_a_site_takes_one_ship_a_round() -> None:
    for before, p, _, _ in random_games(2, 4, seed=15):
        if step(before) != "main":
            continue
        docked = [berth - 1 for berth in before.berth if berth]
        assert len(docked) == len(set(docked)) <= 3
        for a in GAME.legal(before, p):
            if actions.SAIL <= a < actions.PLAY:
                assert (a - actions.SAIL) % 5 not in docked
                assert before.berth[(a - actions.SAIL) // 5] == 0
    s = position(card="4322", ships="- - K K", docked="temple market -", sleds=(0, 0))
    play(s, "sail-c-pyramid")
    assert s.berth == [1 + Site.TEMPLE, 1 + Site.MARKET, 1 + Site.PYRAMID, 0]
    assert begins(s, "load-a", "load-b", "load-c") == []


@clause("IMH-T8")
def test_a_blue_card_is_the_whole_turn_and_then_discarded() -> None:
    s = position(3, card="4322", sleds=(2, 2, 2), held={K: "chisel chisel"})
    play(s, "play-chisel load-a1 load-a2")
    assert (actor(s), cards(s.held[K]), s.discard[Card.CHISEL]) == (1, {"chisel": 1}, 1)
    assert s.turns == 1


@clause("IMH-T9")
def test_finished_sites_can_be_sailed_to() -> None:
    s = position(card="4322", ships="- - - K", pyramid="KWKWKWKWKWKWKW", sleds=(0, 0))
    assert "sail-d-pyramid" in legal(s)
    s = position(card="4322", ships="- - - K", pyramid="KWKWK|WKWKW|KWKWK", pyramid_side="B", sleds=(0, 0))
    assert "sail-d-pyramid" in legal(s)


@clause("IMH-T10")
def test_a_pass_is_forced_or_forbidden() -> None:
    empty = {"sleds": (0, 2), "quarries": (0, 5)}
    s = position(card="4322", ships="WW..", **empty)  # type: ignore[arg-type]
    assert legal(s) == ["pass"]
    play(s, "pass")
    assert (actor(s), s.passes, s.turns) == (1, 1, 0)
    assert "pass" not in legal(s)
    assert "pass" not in legal(position(card="4322", ships="WWW.", **empty))  # type: ignore[arg-type]
    assert "pass" not in legal(position(card="4322", ships="WW..", sleds=(0, 2), quarries=(1, 5)))
    assert "pass" not in legal(position(card="4322", ships="WW..", sleds=(1, 2), quarries=(0, 5)))
    for number, (before, p, _, _) in enumerate(random_games(3, 2, seed=17, **ALL_B)):
        if number % 3 == 0 and step(before) == "main" and "pass" in [GAME.text.CODES[a] for a in GAME.legal(before, p)]:
            assert before.sled[p] == before.quarry[p] == 0


@clause("IMH-T10")
def test_a_pass_is_written_even_over_old_choices() -> None:
    s = position(card="4322", ships="WW..", sleds=(0, 2), quarries=(0, 5))
    out = [9] * GAME.actions
    assert (GAME.rules.legal(s, K, out), out[0]) == (1, actions.PASS)


@clause("IMH-T10")
def test_an_action_between_passes_begins_the_count_anew() -> None:
    s = position(card="4322", ships="WW.. -", sleds=(0, 1), quarries=(0, 0))
    play(s, "pass", "load-b1", "pass")
    assert (s.passes, s.round) == (1, 1)


@clause("IMH-T11")
@pytest.mark.parametrize("round_", [1, 6])
def test_a_stall_ends_the_round(round_: int) -> None:
    s = position(
        2,
        turn=1,
        card="4321",
        ships="KW",
        docked="- temple burial obelisk",
        sleds=(0, 0),
        quarries=(0, 0),
        temple="K",
        round=round_,
        market="idol - - -",
    )
    play(s, "pass", "pass")
    assert (s.quarry[:2], s.cargo[0]) == ([1, 1], [0] * 4)
    assert points(s)[K] == 1
    if round_ == 6:
        assert step(s) == "over"
    else:
        # The last to pass was seat 0, so seat 1 starts.
        assert (s.round, actor(s), s.passes, s.berth) == (2, 1, 0, [0] * 4)
        assert s.discard[Card.IDOL] == 1


@clause("IMH-T11", "IMH-P7")
def test_after_a_stall_no_ship_is_left_to_load() -> None:
    s = position(
        2,
        turn=1,
        card="4321",
        ships="KW",
        docked="- market burial obelisk",
        sleds=(0, 0),
        quarries=(0, 0),
        temple="KKKW",
        pyramid="K K K|K|",
        temple_side="B",
        pyramid_side="B",
        deck="entrance entrance",
    )
    play(s, "pass", "pass")
    assert (step(s), s.passes) == ("temple", 0)
    play(s, "fetch1")
    # The last cell of the left pyramid's base would let white load a stone: but the stone of the ship is on the quarry now.
    assert (s.berth[0], actor(s), step(s)) == (state.Berth.GONE, 1, "pyramid")
    s.sled[W] = 1
    play(s, "build-left")
    assert (s.round, all_sailed(s)) == (2, False)


@clause("IMH-T11")
def test_the_stall_of_the_specification() -> None:
    """50 stones in five rounds, six on three ships, the last two on the ship of 4."""
    s = position(
        2,
        card="4321",
        ships="K.W.",
        docked="- pyramid temple burial",
        temple="KWKWKWKWKWKWKW",
        burial="KWKWKWKWKWKWKW",
        pyramid="KWKWKWKWKWKWKW",
        beside="KWKW",
        obelisk="KWKWKWKWKW",
        sleds=(0, 0),
        quarries=(0, 0),
        round=6,
    )
    assert GAME.functions["violated"](s, s) == 0
    assert legal(s) == ["pass"]
    play(s, "pass pass")
    assert (step(s), s.quarry[:2]) == ("over", [1, 1])


# --- Unloading ----------------------------------------------------------------------------------------------------


@clause("IMH-U1")
def test_stones_leave_from_bow_to_stern() -> None:
    s = position(card="4322", ships="W.KW", sleds=(0, 0))
    play(s, "sail-a-burial")
    assert letters(s.burial) == "WKW"


@clause("IMH-U2", "IMH-U3", "IMH-U4")
def test_each_stone_is_resolved_by_its_owner_before_the_next() -> None:
    s = position(4, turn=3, card="4322", ships="WNK.", market="idol lever hammer chisel", sleds=(1, 1, 1, 1))
    play(s, "sail-a-market")
    asked = []
    for code in ("take1", "take3", "take2"):
        asked.append(actor(s))
        assert not {"pass", "decline"} & set(legal(s))
        play(s, code)
    assert asked == [W, N, K]
    assert [cards(s.held[p]) for p in (K, W, N, G)] == [{"lever": 1}, {"idol": 1}, {"hammer": 1}, {}]
    assert actor(s) == K


@clause("IMH-U3")
def test_small_pyramids_and_bonuses_are_the_owners_choice() -> None:
    s = position(3, turn=0, card="4322", ships="NW..", pyramid_side="B", sleds=(1, 1, 1))
    s.cargo[0][2] = 1 + N
    play(s, "sail-a-pyramid")
    assert (actor(s), step(s)) == (N, "pyramid")
    play(s, "build-middle")
    assert (actor(s), step(s)) == (N, "bonus_stones")
    play(s, "fetch1")
    assert (actor(s), step(s)) == (W, "pyramid")


@clause("IMH-U5")
def test_when_the_sites_take_effect() -> None:
    for site, gain in (("pyramid", 2), ("temple", 0), ("burial", 0), ("obelisk", 0)):
        s = position(card="4322", ships="- - - K", sleds=(0, 0))
        play(s, f"sail-d-{site}")
        assert points(s) == [gain, 0]
    s = position(card="4322", ships="- - - K", obelisk="KK", obelisk_side="B", sleds=(0, 0))
    assert points(play(s, "sail-d-obelisk")) == [10, 0]
    s = position(card="4322", ships="- - - K", docked="market pyramid burial", sleds=(0, 0))
    assert points(play(s, "sail-d-temple")) == [1, 0]
