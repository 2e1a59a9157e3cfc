"""Imhotep: market cards and the deck, with the figures of the rule specification."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from perankh.games.imhotep.rules import actions, components, state
from perankh.games.imhotep.rules.components import Card
from perankh.games.imhotep.rules.events import Event
from perankh.games.imhotep.rules.market import clear_market, fill_market, shuffle_discards, take_from_deck, turn_up
from perankh.games.imhotep.rules.state import State, Step
from perankh.testing import clause

from .positions import (
    ALL_B,
    GAME,
    K,
    N,
    W,
    actor,
    begins,
    cards,
    final,
    kinds,
    legal,
    letters,
    play,
    points,
    position,
    random_games,
    step,
    told_games,
)

# --- Receiving ----------------------------------------------------------------------------------------------------


@clause("IMH-C1")
def test_cards_lie_face_up_before_their_owner() -> None:
    s = position(3, card="4322", held={W: "idol idol lever deco_temple"}, sleds=(2, 2, 2))
    for viewer in (-1, K, N):
        assert cards(GAME.veiled(s, viewer).held[W]) == {"idol": 2, "lever": 1, "deco_temple": 1}  # type: ignore[attr-defined]
    for before, _, a, after in random_games(2, 3, seed=21, **ALL_B):
        for p in range(3):
            for kind in range(components.KINDS):
                lost = before.held[p][kind] - after.held[p][kind]
                assert lost <= (1 if a == actions.PLAY + kind - Card.LEVER and before.turn == p else 0)


@clause("IMH-C2", "IMH-C3")
@pytest.mark.parametrize(("card", "site"), [("entrance", "pyramid"), ("sarcophagus", "burial"), ("paved_path", "obelisk")])
def test_a_red_card_places_a_quarry_stone(card: str, site: str) -> None:
    """The same by market, pyramid bonus and temple; a ship at the site is no obstacle, the sled is left alone."""
    market = position(card="4322", ships="- - K", docked=f"- - - {site}", market=f"{card} - - -", sleds=(2, 2))
    play(market, "sail-c-market take1")
    temple = position(
        card="4322",
        ships="- - - W",
        docked="market pyramid burial",
        temple="WWWK",
        temple_side="B",
        sleds=(2, 5),
        deck=f"{card} " * 2,
    )
    play(temple, "sail-d-obelisk")
    for s, other in ((market, 0), (temple, 0)):
        assert (s.sled[K], letters(s.pyramid), letters(s.burial), s.obelisk[K]) == (
            2,
            "K" if site == "pyramid" else "",
            "K" if site == "burial" else "",
            1 if site == "obelisk" else other,
        )
        assert points(s)[K] == (2 if site == "pyramid" else 0)
        assert sum(s.held[K]) == 0
    assert market.quarry[K] == 29 - 3
    assert temple.quarry[K] == 29 - 2 - 1 - 1


@clause("IMH-C3")
def test_a_red_card_on_side_b_brings_choice_bonus_and_obelisk() -> None:
    s = position(card="4322", ships="- - KK", market="entrance paved_path - -", obelisk="KK", sleds=(2, 2), **ALL_B)
    s.hidden[0] = s.hidden[1] = 0
    play(s, "sail-c-market take1")
    assert (step(s), actor(s), legal(s)) == ("pyramid", K, ["build-left", "build-middle", "build-right"])
    play(s, "build-middle")
    assert (step(s), points(s)) == ("bonus_stones", [1, 0])
    play(s, "fetch1", "take2")
    assert (points(s), letters(s.erected)) == ([11, 0], "K")


@clause("IMH-C4")
def test_a_red_card_without_a_quarry_stone_may_be_taken_and_is_discarded() -> None:
    s = position(card="4322", ships="- - K", market="sarcophagus - - -", sleds=(3, 2), quarries=(0, 9))
    play(s, "sail-c-market")
    assert legal(s) == ["take1"]
    play(s, "take1")
    assert (letters(s.burial), s.sled[K], cards(s.discard), s.quarry[K]) == ("", 3, {"sarcophagus": 1}, 1)


@clause("IMH-C5")
def test_a_red_card_being_resolved_is_in_no_pile() -> None:
    s = position(
        card="4322",
        ships="- - K",
        market="entrance - - -",
        pyramid="W||",
        pyramid_side="B",
        sleds=(2, 2),
        deck="",
        discard="idol",
    )
    play(s, "sail-c-market take1")
    assert (s.red[0], cards(s.discard), sum(s.held[K])) == (1, {"idol": 1}, 0)
    play(s, "build-left")
    # The deck was empty: the idol was shuffled and drawn, the Entrance was not part of it.
    assert (cards(s.held[K]), cards(s.discard), s.red[0], s.shuffles) == ({"idol": 1}, {"entrance": 1}, 0, 1)
    for before, _, _, after in random_games(2, 2, seed=22, **ALL_B):
        assert sum(after.held[p][kind] for p in range(2) for kind in range(components.REDS)) == 0
        assert sum(before.red) <= 3


@clause("IMH-C6")
def test_green_and_purple_cards_are_not_played_and_count_red_stones() -> None:
    s = position(card="4322", ships="- - K", market="sarcophagus - - -", burial="WW", held={K: "deco_burial idol"}, sleds=(2, 2))
    assert begins(s, "play") == []
    play(s, "sail-c-market take1")
    burial = 1
    assert final(s) == [burial + 1 + 1, 3]


@clause("IMH-C7")
def test_a_blue_card_can_be_played_from_the_next_turn_on() -> None:
    s = position(card="4322", ships="- - KW", market="chisel - - -", sleds=(2, 2), turn=1)
    play(s, "sail-c-market take1")
    assert (actor(s), s.round, "play-chisel" in legal(s)) == (K, 1, True)
    s = position(3, card="4322", ships="- - KW", market="chisel lever - -", sleds=(2, 2, 2), turn=0)
    play(s, "sail-c-market take1")
    assert begins(s, "play") == []
    play(s, "take2")
    assert (actor(s), "play-lever" in legal(s)) == (W, False)
    for before, p, a, _ in random_games(2, 3, seed=23, **ALL_B):
        if actions.PLAY <= a < actions.TAKE:
            assert (step(before), before.turn) == ("main", p)


@clause("IMH-C9", "IMH-T8")
def test_a_blue_card_being_played_is_in_no_pile() -> None:
    s = position(card="4322", ships="- - K", market="idol - - -", held={W: "lever"}, turn=1, sleds=(2, 2))
    play(s, "play-lever")
    assert (cards(s.held[W]), s.played, cards(s.discard)) == ({}, 1 + Card.LEVER, {})
    play(s, "sail-c-market")
    assert (step(s), cards(s.discard)) == ("offer", {})
    play(s, "take1")
    assert (cards(s.discard), s.played) == ({"lever": 1}, 0)


# --- Lever --------------------------------------------------------------------------------------------------------


@clause("IMH-C10", "IMH-C8")
def test_lever_needs_a_ready_ship() -> None:
    assert "play-lever" not in legal(position(card="4322", ships="KW", held={K: "lever"}))
    s = position(card="4322", ships="KWK W -", docked="- - - temple", held={K: "lever"})
    play(s, "play-lever")
    assert (step(s), legal(s)) == ("lever_sail", ["sail-a-market", "sail-a-pyramid", "sail-a-burial", "sail-a-obelisk"])
    assert "play-lever" in legal(position(card="4322", ships="- - KK", held={K: "lever"}, sleds=(0, 0)))


@clause("IMH-C11", "IMH-U1")
def test_lever_sets_the_order() -> None:
    s = position(4, card="4322", ships="WKNK", held={K: "lever"}, sleds=(0,) * 4)
    play(s, "play-lever sail-a-burial")
    assert (step(s), actor(s), legal(s)) == ("lever_order", K, ["next-black", "next-white", "next-brown"])
    play(s, "next-brown", "next-black")
    assert legal(s) == ["next-black", "next-white"]
    play(s, "next-white")
    # Only black is left: that is no choice.
    assert (letters(s.burial), step(s), actor(s)) == ("NKWK", "main", W)
    s = position(card="4322", ships="KK.K", held={W: "lever"}, turn=1, sleds=(0, 0))
    play(s, "play-lever sail-a-burial")
    assert (letters(s.burial), step(s)) == ("KKK", "main")


@clause("IMH-C11")
def test_with_lever_the_choices_stay_with_the_owners() -> None:
    s = position(3, card="4322", ships="- - NW", market="idol hammer - -", held={K: "lever"}, sleds=(1, 1, 1))
    play(s, "play-lever sail-c-market next-white")
    assert (step(s), actor(s)) == ("offer", W)
    play(s, "take2")
    assert actor(s) == N
    play(s, "take1")
    assert actor(s) == W


# --- Hammer -------------------------------------------------------------------------------------------------------


@clause("IMH-C12")
def test_hammer_fetches_then_loads() -> None:
    s = position(card="4322", held={K: "hammer"}, sleds=(1, 2))
    play(s, "play-hammer")
    assert (step(s), legal(s)) == ("hammer_fetch", ["fetch1", "fetch2", "fetch3"])
    play(s, "fetch2")
    assert (step(s), actor(s), s.sled[K]) == ("hammer_load", K, 3)
    assert legal(s) == begins(s, "load")
    play(s, "load-b2")
    assert (s.sled[K], s.cargo[1], actor(s)) == (2, [0, 1, 0, 0], W)
    s = position(card="4322", held={K: "hammer"}, sleds=(3, 2), quarry_take="max")
    assert legal(play(s, "play-hammer")) == ["fetch2"]


@clause("IMH-C13", "IMH-C8")
def test_edges_of_hammer() -> None:
    s = play(position(card="4322", held={K: "hammer"}, sleds=(5, 2)), "play-hammer")
    assert step(s) == "hammer_load"
    assert play(s, "load-a1").sled[K] == 4
    s = play(position(card="4322", held={K: "hammer"}, sleds=(0, 2), quarries=(1, 9)), "play-hammer")
    assert legal(s) == ["fetch1"]
    assert play(s, "fetch1", "load-a1").sled[K] == 0
    assert "play-hammer" not in legal(position(card="4322", held={K: "hammer"}, sleds=(0, 2), quarries=(0, 9)))
    full = "WWWW WWW WW WW"
    assert "play-hammer" not in legal(position(card="4322", ships=full, held={K: "hammer"}, sleds=(2, 2)))
    s = play(position(card="4322", held={K: "hammer"}, sleds=(2, 2), quarries=(0, 9)), "play-hammer")
    assert step(s) == "hammer_load"


@clause("IMH-C8", "IMH-C13")
def test_hammer_with_what_is_possible() -> None:
    full = "WWWW WWW WW WW"
    s = position(card="4322", ships=full, held={K: "hammer"}, sleds=(2, 2), blue_parts="possible")
    play(s, "play-hammer", "fetch3")
    assert (s.sled[K], actor(s), s.discard[Card.HAMMER]) == (5, W, 1)
    s = position(card="4322", ships=full, held={K: "hammer"}, sleds=(5, 2), blue_parts="possible")
    assert "play-hammer" not in legal(s)


# --- Sail ---------------------------------------------------------------------------------------------------------


@clause("IMH-C14")
def test_sail_loads_and_sails_the_same_ship() -> None:
    s = position(card="4322", ships="WW. WW", docked="- - temple", held={K: "sail"}, sleds=(2, 2))
    play(s, "play-sail")
    assert (step(s), legal(s)) == ("sail_load", ["load-a3", "load-a4", "load-b3", "load-d1", "load-d2"])
    play(s, "load-a4")
    assert (step(s), legal(s)) == ("sail_site", ["sail-a-market", "sail-a-pyramid", "sail-a-burial", "sail-a-obelisk"])
    play(s, "sail-a-burial")
    assert (letters(s.burial), s.sled[K], actor(s), s.discard[Card.SAIL]) == ("WWK", 1, W, 1)


@clause("IMH-C15", "IMH-C8")
@pytest.mark.parametrize(
    ("card", "ships", "able"),
    [
        ("4322", "W WWW WW WW", False),
        ("4322", "WW WWW WW WW", True),
        ("4322", "WWW WWW WW WW", True),
        ("4322", "WWWW WWW WW WW", False),
        ("4322", "WWWW WWW -", True),
        ("4321", "WWWW WWW WW -", True),
        ("4322", "WWWW - WW WW", False),
        ("4322", "WWWW W WW WW", True),
    ],
)
def test_when_sail_can_be_played(card: str, ships: str, able: bool) -> None:
    s = position(card=card, ships=ships, held={K: "sail"}, sleds=(2, 2))
    assert ("play-sail" in legal(s)) == able
    s.sled[K] = 0
    assert "play-sail" not in legal(s)


# --- Chisel -------------------------------------------------------------------------------------------------------


@clause("IMH-C16")
@pytest.mark.parametrize("second", ["load-a1", "load-b3"])
def test_chisel_loads_two_stones(second: str) -> None:
    s = position(card="4322", held={K: "chisel"}, sleds=(3, 2))
    play(s, "play-chisel", "load-a2")
    assert (step(s), actor(s)) == ("chisel_second", K)
    assert "load-a2" not in legal(s)
    assert legal(s) == begins(s, "load")
    play(s, second)
    assert (s.sled[K], actor(s), s.discard[Card.CHISEL]) == (1, W, 1)


@clause("IMH-C16")
def test_chisel_takes_the_last_stones_to_the_last_spaces() -> None:
    s = position(card="4322", ships="WWWW WWW WW -", held={K: "chisel"}, sleds=(2, 2))
    play(s, "play-chisel", "load-d1")
    assert (step(s), legal(s)) == ("chisel_second", ["load-d2"])
    play(s, "load-d2")
    assert (s.sled[K], s.cargo[3][:2], actor(s)) == (0, [1 + K, 1 + K], W)


@clause("IMH-C17", "IMH-C8")
def test_when_chisel_can_be_played() -> None:
    full = "WWWW WWW WW"
    assert "play-chisel" in legal(position(card="4322", ships=f"{full} -", held={K: "chisel"}, sleds=(2, 2)))
    assert "play-chisel" not in legal(position(card="4322", ships=f"{full} W", held={K: "chisel"}, sleds=(2, 2)))
    assert "play-chisel" in legal(position(card="4322", ships="WWW WWW WW W", held={K: "chisel"}, sleds=(2, 2)))
    assert "play-chisel" not in legal(position(card="4322", held={K: "chisel"}, sleds=(1, 2)))
    assert "play-chisel" not in legal(position(card="4322", held={K: "chisel"}, docked="temple burial market", ships="- - - W"))


@clause("IMH-C8")
def test_chisel_with_what_is_possible() -> None:
    s = position(card="4322", held={K: "chisel"}, sleds=(1, 2), blue_parts="possible")
    play(s, "play-chisel", "load-a1")
    assert (actor(s), s.sled[K]) == (W, 0)
    s = position(card="4322", ships="WWWW WWW WW W", held={K: "chisel"}, sleds=(2, 2), blue_parts="possible")
    play(s, "play-chisel", "load-d2")
    assert (actor(s), s.sled[K]) == (W, 1)
    assert "play-chisel" not in legal(position(card="4322", held={K: "chisel"}, sleds=(0, 2), blue_parts="possible"))
    s = position(
        card="4322", held={K: "chisel sail lever"}, ships="W W -", docked="- - temple market", sleds=(2, 2), blue_parts="possible"
    )
    assert begins(s, "play") == ["play-sail", "play-chisel"]


# --- Deck ---------------------------------------------------------------------------------------------------------


@clause("IMH-D1")
def test_cards_come_from_the_deck_only_where_the_rules_draw() -> None:
    for before, _, a, after, events in told_games(3, 3, seed=24, pyramid_side="B", temple_side="B"):
        drawn = sum(event.kind == Event.DREW for event in events)
        filled = 4 if after.round != before.round else 0
        assert before.deck - after.deck == drawn + filled
        if drawn:
            assert (
                before.cell
                or after.cell
                or after.round != before.round
                or actions.BUILD <= a < actions.ORDER
                or after.step == Step.OVER
            )
    draws = Counter()
    for seed in range(300):
        s = position(card="4322", deck="idol idol lever", discard="")
        s.chance_key[0] = seed
        assert take_from_deck(s)
        draws[turn_up(s)] += 1
    assert 150 < draws[Card.IDOL] < 250


@clause("IMH-D2")
def test_the_discard_pile_is_shuffled_when_a_card_is_needed() -> None:
    s = position(card="4322", ships="- - KK", pyramid="W|WW|", pyramid_side="B", deck="idol", discard="lever", market="- - - -")
    play(s, "sail-c-pyramid build-left")
    assert (s.deck, s.shuffles, cards(s.discard), cards(s.held[K])) == (0, 0, {"lever": 1}, {"idol": 1})
    play(s, "build-middle")
    assert (s.deck, s.shuffles, cards(s.discard), cards(s.held[K])) == (0, 1, {}, {"idol": 1, "lever": 1})


@clause("IMH-D2")
def test_a_market_fill_goes_on_after_the_shuffle() -> None:
    s = position(card="4322", deck="idol", discard="lever lever hammer chisel", market="- - - -")
    fill_market(s)
    assert s.market[0] == 1 + Card.IDOL
    assert all(s.market)
    assert (s.deck, s.shuffles, sum(s.discard)) == (1, 1, 0)


@clause("IMH-D3")
def test_cards_elsewhere_are_not_shuffled() -> None:
    s = position(card="4322", deck="", discard="lever", market="idol hammer - -", held={K: "chisel", W: "idol"})
    s.red[0], s.played = 1, 1 + Card.SAIL
    shuffle_discards(s)
    assert (cards(s.unseen), s.deck, s.red[0], s.played) == ({"lever": 1}, 1, 1, 1 + Card.SAIL)
    assert (cards(s.held[K]), s.market[:2]) == ({"chisel": 1}, [1 + Card.IDOL, 1 + Card.HAMMER])


@clause("IMH-D3")
@pytest.mark.parametrize("discard_open", [True, False])
def test_the_rejected_card_of_a_pair_is_shuffled(discard_open: bool) -> None:
    s = position(
        card="4322",
        ships="- - K",
        market="- - - idol",
        market_side="B",
        deck="lever hammer",
        discard="",
        discard_open=discard_open,
    )
    play(s, "sail-c-market take4 keep-lever")
    shuffle_discards(s)
    assert (cards(s.unseen), s.deck, s.hidden) == ({"hammer": 1}, 1, [0] * 8)


@clause("IMH-D4")
def test_without_cards_a_draw_gives_nothing() -> None:
    s = position(card="4322", ships="- - K", pyramid="W||", pyramid_side="B", deck="", discard="", market="- - - -")
    play(s, "sail-c-pyramid build-left")
    assert (cards(s.held[K]), points(s), s.shuffles) == ({}, [1, 0], 0)
    for n, market, pair in ((1, 1, 0), (3, 3, 0), (4, 3, 1), (5, 3, 2)):
        s = position(card="4322", deck="", discard="idol " * n, market="- - - -", market_side="B")
        fill_market(s)
        assert [card > 0 for card in s.market] == [slot < market for slot in range(4)]
        assert sum(1 for card in s.hidden[:2] if card) == pair


# --- Who knows what -------------------------------------------------------------------------------------------------


def closed(**more: Any) -> State:
    """Black has rejected an Idol onto a closed discard pile."""
    s = position(card="4322", ships="- - K", market="- - - idol", market_side="B", discard_open=False, **more)
    play(s, "sail-c-market take4")
    for i, name in enumerate(("idol", "lever")):
        s.unseen[s.hidden[i] - state.FaceDown.SECRET] += 1
        s.hidden[i] = state.FaceDown.SECRET + components.CARDS.index(name)
        s.unseen[components.CARDS.index(name)] -= 1
    return play(s, "keep-lever")


@clause("IMH-M4")
def test_on_a_closed_pile_the_rejected_card_is_known_to_its_rejecter_alone() -> None:
    s: Any = closed()
    secret = s.hidden[state.REJECTED]
    assert (secret, cards(s.discard), s.rejecter[0]) == (state.FaceDown.SECRET + Card.IDOL, {}, K)
    assert GAME.veiled(s, K).hidden[state.REJECTED] == secret  # type: ignore[attr-defined]
    for viewer in (-1, W):
        seen: Any = GAME.veiled(s, viewer)
        assert (seen.hidden[state.REJECTED], seen.unseen[Card.IDOL]) == (state.FaceDown.UNSEEN, s.unseen[Card.IDOL] + 1)
        worlds = {GAME.redealt(seen, seed).hidden[state.REJECTED] for seed in range(60)}  # type: ignore[attr-defined]
        assert len(worlds) > 5
        for seed in range(5):
            world: Any = GAME.redealt(seen, seed)
            assert GAME.veiled(world, viewer) == seen
            assert GAME.functions["violated"](world, world) == 0


@clause("IMH-R7")
def test_on_a_closed_pile_an_untouched_pair_stays_unknown() -> None:
    s = position(card="4322", ships="- - - K", docked="temple pyramid burial", market_side="B", discard_open=False)
    unseen = sum(s.unseen)
    play(s, "sail-d-obelisk")
    assert (s.buried, sum(s.unseen), s.deck) == (2, unseen - 3, 31 - 2 - 5)
    assert GAME.functions["violated"](s, s) == 0


def test_a_pair_before_a_shuffle_is_known_if_nothing_else_is_unseen() -> None:
    s = position(card="4322", deck="idol lever", discard="hammer hammer", market="- - - idol", market_side="B")
    shuffle_discards(s)
    assert sorted(s.hidden[:2]) == [state.FaceDown.KNOWN + Card.IDOL, state.FaceDown.KNOWN + Card.LEVER]
    assert (cards(s.unseen), s.deck) == ({"hammer": 2}, 2)
    assert GAME.veiled(s, W).hidden == s.hidden  # type: ignore[attr-defined]
    s = position(card="4322", deck="idol lever", discard="hammer", market="- - - idol", market_side="B", discard_open=False)
    s.unseen[Card.SAIL] += 1
    s.buried = 1
    shuffle_discards(s)
    assert all(card >= state.FaceDown.SECRET for card in s.hidden[:2])
    assert (s.deck, s.buried) == (2, 0)
    for viewer in (-1, K):
        seen: Any = GAME.veiled(s, viewer)
        assert seen.hidden[:2] == [state.FaceDown.UNSEEN] * 2
        assert sum(seen.unseen) == 4
    s = position(card="4322", deck="idol lever", discard="hammer", market="- - - idol", market_side="B", discard_open=False)
    s.hidden[state.REJECTED] = state.FaceDown.SECRET + Card.SAIL
    shuffle_discards(s)
    assert all(card >= state.FaceDown.SECRET for card in s.hidden[:2])
    assert (cards(s.unseen), s.hidden[state.REJECTED]) == ({"hammer": 1, "sail": 1}, 0)


@clause("IMH-R7")
def test_a_pair_from_before_a_shuffle_is_discarded_as_well_as_it_is_known() -> None:
    s = position(card="4322", deck="idol lever sail", discard="", market="- - - idol", market_side="B", discard_open=False)
    s.hidden[:2] = [state.FaceDown.KNOWN, state.FaceDown.SECRET + Card.CHISEL]
    clear_market(s)
    assert (cards(s.discard), s.buried, s.unseen[Card.CHISEL], s.hidden[:2]) == ({"entrance": 1}, 1, 1, [0, 0])


@clause("IMH-M4")
def test_a_known_card_of_the_pair_is_rejected_in_the_open() -> None:
    s = position(ships="- - K", deck="idol lever", discard="", market="- - - idol", market_side="B", discard_open=False)
    s.hidden[:2] = [state.FaceDown.KNOWN, state.FaceDown.SECRET + Card.CHISEL]
    play(s, "sail-c-market take4 keep-chisel")
    assert (cards(s.discard), s.hidden) == ({"entrance": 1}, [0] * 8)


@pytest.mark.parametrize("discard_open", [True, False])
@pytest.mark.parametrize("players", [2, 4])
def test_every_viewer_keeps_the_secrets_in_random_games(players: int, discard_open: bool) -> None:
    hidden = 0
    for number, (_, _, _, s) in enumerate(random_games(2, players, seed=25, discard_open=discard_open, **ALL_B)):
        if number % 5 and step(s) != "pair":
            continue
        for viewer in range(-1, players):
            seen: Any = GAME.veiled(s, viewer)
            hidden += seen.hidden != s.hidden
            assert sum(seen.unseen) == s.deck + s.buried + seen.hidden.count(state.FaceDown.UNSEEN)
            world: Any = GAME.redealt(seen, number)
            assert GAME.veiled(world, viewer) == seen
            assert GAME.functions["violated"](world, world) == 0
    assert hidden > 0


def test_kinds_of_cards() -> None:
    assert kinds("entrance - chisel") == [0, -1, 11]
    assert list(components.COPIES) == [2, 2, 2, 2, 2, 2, 2, 10, 2, 2, 3, 3]
