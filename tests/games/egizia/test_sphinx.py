"""Egizia: the Sphinx, and who knows which of its cards."""

from __future__ import annotations

import random
from typing import Any

import pytest

from perankh.games.egizia.rules import actions, components, hidden, invariants, sphinx
from perankh.games.egizia.rules.state import Phase, Step
from perankh.testing import clause

from .positions import GAME, A, B, C, building, cards, draw, hand, legal, play, position, random_games, sphinx_card, step

RICH: dict[str, Any] = {"stones": (25, 25, 25, 25), "strength": dict.fromkeys(range(4), (9, 9, 9, 5))}


def at_sphinx(space: int = 1, players: int = 4, **facts: Any) -> Any:
    """A alone at the Sphinx dock, who has decided to build with green."""
    return play(building(players, ships={A: f"D3.{space}"}, **{**RICH, **facts}), "build green none")


def drawn(s: Any) -> list[str]:
    """The names of the cards drawn last, in drawn order."""
    size = s.draw_size[s.draws - 1]
    return [components.SPHINX_NAMES[card - 1] for card in s.tape[s.tape_top - size : s.tape_top]]


def under(s: Any, n: int) -> list[str]:
    """The names of the last n cards of the deck."""
    return [components.SPHINX_NAMES[card - 1] for card in s.tape[s.tape_end - n : s.tape_end]]


@clause("EGZ-X1")
def test_the_number_is_limited_by_space_budget_and_deck() -> None:
    for space, most in ((1, 5), (2, 4), (3, 3)):
        assert legal(at_sphinx(space)) == [f"draw{n}" for n in range(1, most + 1)]
    s = at_sphinx(strength={A: (2, 1, 1, 1)})
    assert legal(s) == ["draw1", "draw2"]
    s = at_sphinx(stones=(3, 0, 0, 0))
    assert legal(s) == ["draw1", "draw2", "draw3"]
    play(s, "draw3 none")
    assert s.stones[A] == 0
    s = position(2, ships={A: "D3.1"}, **{**RICH, "stones": (25, 25)})
    names = [
        components.SPHINX_NAMES[i]
        for i in range(29)
        if not components.SPHINX_MARKED[i] and 1 + i not in (s.dealt[A][0], s.dealt[B][0])
    ]
    for name in names[:20]:
        draw(s, B, name, name)
    s.passed, s.phase, s.step = 3, Phase.BUILDING, Step.GO_ON
    actions.go_on(s)
    assert legal(play(s, "build green none")) == ["draw1", "draw2"]


@clause("EGZ-X2", "EGZ-X3")
@pytest.mark.parametrize(("n", "kept"), [(4, 1), (4, 0), (1, 0), (1, 1), (5, 1)])
def test_keep_one_or_none_and_return_the_rest_as_drawn(n: int, kept: int) -> None:
    s = play(at_sphinx(), f"draw{n}")
    names = drawn(s)
    assert (step(s), len(names), legal(s)) == ("keep", n, ["none", *sorted(names)])
    before = hand(s, A)
    play(s, names[1 if n > 1 else 0] if kept else "none")
    rest = names[:1] + names[2:] if kept and n > 1 else names[: n - kept]
    assert (under(s, n - kept) if n > kept else [], s.vp[A]) == (rest, n - kept)
    assert len(hand(s, A)) == len(before) + kept
    assert s.tape_end - s.tape_top == 25 - kept


@clause("EGZ-X2")
def test_the_rest_may_go_back_shuffled_or_in_an_order_of_choice() -> None:
    s = play(at_sphinx(sphinx_return="chosen"), "draw4")
    names = drawn(s)
    play(s, names[0])
    assert (step(s), legal(s)) == ("return", sorted(names[1:]))
    play(s, names[3])
    assert legal(s) == sorted(names[1:3])
    play(s, names[1])
    assert (under(s, 3), s.vp[A]) == ([names[3], names[1], names[2]], 3)
    orders = set()
    for seed in range(40):
        s = position(2, seed=seed, sphinx_return="shuffled", ships={A: "D3.1"}, **{**RICH, "stones": (25, 25)})
        spare = [components.SPHINX_NAMES[i] for i in range(29) if not components.SPHINX_MARKED[i]]
        spare = [name for name in spare if 1 + sphinx_card(name) not in (s.dealt[A][0], s.dealt[B][0])]
        draw(s, B, " ".join(spare[:3]))
        for i in range(3, len(spare), 5):
            draw(s, B, " ".join(spare[i : i + 5]), " ".join(spare[i : i + 5]))
        s.passed, s.phase, s.step = 3, Phase.BUILDING, Step.GO_ON
        actions.go_on(s)
        play(s, "build green none draw3")
        orders.add(tuple(drawn(s)))
        assert sorted(drawn(s)) == sorted(spare[:3])
    assert len(orders) == 6


@clause("EGZ-X3")
def test_a_returned_card_pays_one_vp_each() -> None:
    assert play(at_sphinx(), "draw4 none").vp[A] == 4
    s = play(at_sphinx(held={A: "N12-21"}), "draw4")
    play(s, drawn(s)[0], "N12-21", drawn(s)[1])
    assert s.vp[A] == 2


@clause("EGZ-X4")
def test_kept_cards_are_secret_and_counted() -> None:
    s = play(at_sphinx(), "draw3")
    names = drawn(s)
    play(s, names[1])
    for viewer in (-1, B, C):
        seen: Any = GAME.veiled(s, viewer)
        assert (hand(seen, A), sphinx.hand_size(seen, A), seen.draw_kept[0]) == ([], 2, 0)
        assert not any(seen.tape)
    own: Any = GAME.veiled(s, A)
    assert (hand(own, A), under(own, 2), drawn(own)) == (hand(s, A), [names[0], names[2]], names)


@clause("EGZ-X5")
def test_an_empty_deck_cannot_be_built() -> None:
    s = position(2, ships={A: "D3.1"}, **{**RICH, "stones": (25, 25)})
    in_game = [i for i in range(29) if not components.SPHINX_MARKED[i]]
    for i in in_game:
        if 1 + i not in (s.dealt[A][0], s.dealt[B][0]) and s.draws < 20:
            draw(s, B, components.SPHINX_NAMES[i], components.SPHINX_NAMES[i])
    s.tape_end = s.tape_top
    s.passed, s.phase, s.step = 3, Phase.BUILDING, Step.GO_ON
    actions.go_on(s)
    assert s.round == 2


@clause("EGZ-N13")
@pytest.mark.parametrize("name", ["N12-21", "N34-21"])
def test_keep_two(name: str) -> None:
    s = play(at_sphinx(held={A: name}), "draw3")
    names = drawn(s)
    assert step(play(s.copy(), "none")) != "keep_more"
    play(s, names[0])
    assert (step(s), legal(s)) == ("keep_more", ["none", name])
    declined = play(s.copy(), "none")
    assert (declined.vp[A], cards(declined.held[A])) == (2, [name])
    play(s, name)
    assert (step(s), legal(s)) == ("keep_second", sorted(names[1:]))
    play(s, names[2])
    assert (set(hand(s, A)) >= {names[0], names[2]}, s.vp[A], cards(s.held[A])) == (True, 1, [])


@clause("EGZ-N13")
def test_one_keep_two_card_a_build_and_none_for_a_single_card() -> None:
    s = play(at_sphinx(held={A: "N12-21 N34-21"}), "draw4")
    names = drawn(s)
    play(s, names[0])
    assert legal(s) == ["none", "N12-21", "N34-21"]
    play(s, "N34-21", names[1])
    assert (s.round, cards(s.held[A]), sphinx.hand_size(s, A)) == (2, ["N12-21"], 3)
    s = play(at_sphinx(held={A: "N12-21"}), "draw1")
    play(s, drawn(s)[0])
    assert s.round == 2
    s = play(at_sphinx(held={A: "N12-21"}), "draw2")
    names = drawn(s)
    play(s, names[1], "N12-21")
    assert (s.round, set(hand(s, A)) >= set(names)) == (2, True)  # one card left: no question


@clause("EGZ-N13")
def test_by_option_keep_two_is_played_before_the_draw() -> None:
    s = play(at_sphinx(held={A: "N12-21"}, keep2_when="before_draw"), "draw3")
    assert (step(s), legal(s), s.draws) == ("keep_more", ["none", "N12-21"], 0)
    plain = play(s.copy(), "none")
    assert step(plain) == "keep"
    play(plain, drawn(plain)[0])
    assert (plain.round, cards(plain.held[A])) == (2, ["N12-21"])
    play(s, "N12-21")
    names = drawn(s)
    play(s, names[0])
    assert (step(s), legal(s)) == ("keep_second", ["none", *sorted(names[1:])])
    play(s, names[1])
    assert (s.vp[A], sphinx.hand_size(s, A)) == (1, 3)


# --- Worlds ---------------------------------------------------------------------------------------------------------


def worlds(s: Any, viewer: int, n: int = 60) -> list[Any]:
    """Worlds that could be true for a viewer; each looks the same to him and breaks nothing."""
    seen = GAME.veiled(s, viewer)
    found: list[Any] = []
    for seed in range(n):
        world: Any = GAME.redealt(seen, seed)
        assert GAME.veiled(world, viewer) == seen
        assert invariants.violated(world, world) == 0
        found.append(world)
    return found


@pytest.mark.parametrize("mode", ["drawn_order", "shuffled", "chosen"])
def test_the_search_for_a_world_ends(mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a single try every world still has a card at each place drawn, and leaves the viewer what is his."""
    monkeypatch.setattr(hidden, "MOST_TRIES", 1)
    for number, (_, _, _, s) in enumerate(random_games(2, 4, seed=31, sphinx_return=mode)):
        if number % 5 == 0 and s.step != Step.START:
            for viewer in range(-1, 4):
                world: Any = GAME.redealt(GAME.veiled(s, viewer), number)
                assert all(0 < card <= components.SPHINX_CARDS for card in world.tape[: world.tape_top])
                assert viewer < 0 or hand(world, viewer) == hand(s, viewer)


@clause("EGZ-X4", "EGZ-S6")
def test_the_card_returned_at_set_up_is_in_no_other_hand() -> None:
    s = position(3)
    mine = s.dealt[A][1]
    kept = set()
    for world in worlds(s, A):
        assert world.dealt[A] == s.dealt[A]
        assert mine not in (world.dealt[B][0], world.dealt[C][0])
        kept.add(world.dealt[B][0])
    assert len(kept) > 12


@clause("EGZ-X4")
def test_worlds_keep_what_a_player_drew_and_returned() -> None:
    s = position(3)
    spare = [name for name in components.SPHINX_NAMES if 1 + sphinx_card(name) not in {card for row in s.dealt for card in row}]
    draw(s, A, " ".join(spare[:4]), spare[1])
    draw(s, B, " ".join(spare[4:7]), spare[5])
    hands = set()
    for world in worlds(s, A):
        assert hand(world, A) == hand(s, A)
        fresh = 26
        assert world.tape[fresh : fresh + 3] == s.tape[fresh : fresh + 3]
        assert not set(hand(world, B)) & set(spare[:4])
        hands.add(tuple(hand(world, B)))
    assert len(hands) > 20


@clause("EGZ-X4", "EGZ-X2")
@pytest.mark.parametrize("mode", ["drawn_order", "chosen"])
def test_who_knows_the_cards_another_draws_knows_what_he_can_have_kept(mode: str) -> None:
    s = position(2, sphinx_return=mode)
    in_game = [components.SPHINX_NAMES[i] for i in range(29) if not components.SPHINX_MARKED[i]]
    deck = [name for name in in_game if 1 + sphinx_card(name) not in (s.dealt[A][0], s.dealt[B][0])]
    draw(s, A, " ".join(deck[:3]))
    for i in range(3, 22, 4):
        draw(s, B, " ".join(deck[i : i + 4]))
    assert s.tape_top == 22
    draw(s, B, " ".join(deck[:3]), deck[1])
    kept = set()
    for world in worlds(s, A):
        own = set(hand(world, B)) - {components.SPHINX_NAMES[world.dealt[B][0] - 1]}
        kept |= own
        rest = [name for name in deck[:3] if name not in own]
        assert sorted(under(world, 2)) == sorted(rest)
        if mode == "drawn_order":
            assert under(world, 2) == rest
    assert kept == set(deck[:3])
    # Once A has seen one of them again, B cannot have kept it.
    draw(s, B, " ".join(deck[3:22]), "")
    draw(s, A, deck[0])
    for world in worlds(s, A, 30):
        assert deck[0] not in hand(world, B)


@clause("EGZ-X4", "EGZ-Z4")
@pytest.mark.parametrize("mode", ["drawn_order", "shuffled", "chosen"])
def test_worlds_hold_together_in_lively_games(mode: str) -> None:
    dice = random.Random(4)
    looked = 0
    for players in (2, 4):
        for before, _, _, s in random_games(3, players, seed=40 + players, sphinx_return=mode, ships_per_player=20):
            if s.draws != before.draws or s.step == Step.OVER or dice.random() < 0.02:
                for viewer in range(-1, players):
                    worlds(s, viewer, 1)
                looked += 1
            if s.step == Step.OVER:
                assert [hand(GAME.veiled(s, -1), p) for p in range(players)] == [hand(s, p) for p in range(players)]
    assert looked > 40
