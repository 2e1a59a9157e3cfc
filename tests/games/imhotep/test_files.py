"""Imhotep: observation, invariants and what its components are held to."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from perankh.errors import BadComponents
from perankh.games.imhotep.rules import actions, components
from perankh.games.imhotep.rules.components import Card, Site
from perankh.games.imhotep.rules.invariants import INVARIANTS, MOST_AT_SITE, MOST_OBELISKS, MOST_SPACES, MOST_TURNS, violated
from perankh.games.imhotep.rules.state import REJECTED, Berth, FaceDown, Step

from ...conftest import with_components
from .positions import ALL_B, GAME, K, W, play, position, random_games, step

# --- Observation ----------------------------------------------------------------------------------------------------


def seen(s: Any, p: int) -> dict[str, Any]:
    """P's observation by the names of the features."""
    return GAME.features.named(np.array(GAME.observation_of(s, p)))


def test_an_observation_begins_with_the_own_seat() -> None:
    s = position(3, turn=1, sleds=(1, 2, 3), scores=(4, 5, 200), temple="WWNW", held={W: "idol idol"}, card="4322")
    out = seen(s, 1)
    assert out["seats.sled"].tolist() == [2, 3, 1, 0]
    assert out["seats.score"].tolist() == [[0, 5], [1, 200 - 128], [0, 4], [0, 0]]
    assert out["seats.turn"].tolist() == out["seats.chooser"].tolist() == [1, 0, 0, 0]
    assert out["seats.temple"].tolist() == [3, 1, 0, 0]
    assert out["seats.held"][0].tolist() == [2 if kind == Card.IDOL else 0 for kind in range(components.REDS, components.KINDS)]
    assert out["sites.temple_tops"].tolist() == [[1, 0, 0, 0], [1, 0, 0, 0], [0, 1, 0, 0], [1, 0, 0, 0], [0] * 4]
    assert out["sites.temple"].tolist()[:3] == [25 + 5 + 2, 25, 0]
    assert (out["table.players"], out["table.start"]) == (3, 3)


def test_an_observation_shows_ships_sites_and_what_is_unloaded() -> None:
    s = position(3, ships="KW - N", market="idol lever - -", sleds=(1, 1, 1), burial="NKW", card="4322", turn=1)
    out = seen(s, 1)
    assert out["spaces.cargo"][:2].tolist() == [[0, 0, 1, 0], [1, 0, 0, 0]]
    assert out["spaces.cargo"].sum() == 3
    assert out["ships.capacity"].tolist() == [4, 3, 2, 2]
    assert out["ships.berth"].tolist() == [[1, 0, 0, 0, 0, 0]] * 4
    assert out["sites.burial"].tolist()[:4] == [2, 3, 1, 0]
    assert out["market.slots"].argmax(1).tolist()[:2] == [Card.IDOL, Card.LEVER]
    play(s, "sail-c-market")
    out = seen(s, 1)
    assert out["queue.stones"].tolist() == [[0, 1, 0, 0], [0] * 4, [0] * 4, [0] * 4]
    assert out["ships.unloading"].tolist() == [0, 0, 1, 0]
    assert out["ships.berth"][2].tolist() == [0, 1, 0, 0, 0, 0]  # waiting, market, ...
    assert out["turn.step"].tolist() == [int(step == Step.OFFER) for step in range(Step.OVER)]


def test_an_observation_shows_the_pair_to_its_taker_alone() -> None:
    s = position(card="4322", ships="- - K", market="- - - idol", market_side="B")
    assert seen(s, K)["market.pair"].tolist() == [1, 1]
    play(s, "sail-c-market take4")
    assert seen(s, K)["market.pair"].tolist() == [3, 3]
    assert seen(s, W)["market.pair"].tolist() == [1, 1]
    assert all(seen(s, K)["market.pair_kinds"])
    assert not any(seen(s, W)["market.pair_kinds"])


def changed(field: str, *path: int) -> Any:
    """A function that changes one number of a position."""

    def change(s: Any, value: int) -> None:
        row = getattr(s, field)
        for k in path[:-1]:
            row = row[k]
        if path:
            row[path[-1]] = value
        else:
            setattr(s, field, value)

    return change


PAIRS: list[tuple[Any, int, int]] = [
    (changed("temple", 1), 1, 2),  # a covered stone
    (changed("temple", 23), 1, 2),
    (changed("burial", 27), 0, 4),
    (changed("erected", 8), 2, 3),
    (changed("pyramid", 14), 3, 4),
    (changed("beside", 3), 0, 9),
    (changed("cargo", 3, 2), 1, 2),
    (changed("queue", 3), 0, 4),
    (changed("berth", 1), 0, Berth.GONE),
    (changed("score", 0), 20, 20 + 128),
    (changed("score", 0), -5, 5),
    (changed("turns"), 40, 168),
    (changed("step"), Step.TEMPLE, Step.OVER),
    (changed("hidden", 0), FaceDown.KNOWN + Card.SAIL, FaceDown.SECRET + Card.SAIL),  # known to all or to one
    (changed("hidden", 1), FaceDown.UNSEEN, FaceDown.KNOWN),
    (changed("hidden", REJECTED + 5), FaceDown.SECRET + Card.SAIL, FaceDown.SECRET + Card.IDOL),
    (changed("hidden", REJECTED + 5), FaceDown.UNSEEN, FaceDown.NONE),
    (changed("rejecter", 5), 1, 3),
    (changed("rejecter", 5), 0, 1),
    (changed("shuffles"), 0, 1),
    (changed("buried"), 0, 2),
    (changed("passes"), 0, 1),
    (changed("served"), 0, 1),
    (changed("played"), 0, 1 + Card.CHISEL),
    (changed("red", Card.ENTRANCE), 1, 2),
    (changed("cell"), 0, 5),
]


@pytest.mark.parametrize("number", range(len(PAIRS)))
def test_positions_that_differ_rarely_look_different(number: int) -> None:
    change, *values = PAIRS[number]
    for p in range(4):
        rows = []
        for value in values:
            s: Any = position(4, card="4432", temple="KWNG", discard_open=False, market_side="B")
            change(s, value)
            out = [0] * GAME.features.size
            GAME.functions["observe"](s, p, out)
            assert (np.array(out) >= GAME.features.low).all()
            assert (np.array(out) <= GAME.features.high).all()
            rows.append(out)
        assert rows[0] != rows[1]


# --- Invariants -----------------------------------------------------------------------------------------------------


def sound() -> Any:
    """A position in which everything is right."""
    return position(
        3,
        card="4322",
        ships="KW - N",
        docked="- - - temple",
        sleds=(2, 2, 2),
        pyramid="KWN",
        temple="KW",
        burial="KWN",
        obelisk="KWW",
        held={K: "idol lever"},
        scores=(5, 5, 5),
        round=2,
    )


FAULTS: list[tuple[int, Any]] = [
    (1, lambda s, _: s.quarry.__setitem__(0, s.quarry[0] - 1)),
    (1, lambda s, _: s.temple.__setitem__(2, 1)),
    (2, lambda s, _: (s.sled.__setitem__(0, 6), s.quarry.__setitem__(0, s.quarry[0] - 4))),
    (2, lambda s, _: (s.sled.__setitem__(0, -1), s.quarry.__setitem__(0, s.quarry[0] + 3))),
    (3, lambda s, _: (s.cargo[2].__setitem__(3, 1), s.cargo[0].__setitem__(0, 0))),
    (3, lambda s, _: (s.cargo[3].__setitem__(0, 1), s.cargo[0].__setitem__(0, 0))),
    (3, lambda s, before: (s.berth.__setitem__(1, 1 + Site.BURIAL), before.berth.__setitem__(1, 0))),
    (4, lambda s, _: s.discard.__setitem__(3, 1)),
    (4, lambda s, _: s.held[1].__setitem__(Card.SAIL, 1)),
    (5, lambda s, _: setattr(s, "deck", s.deck - 1)),
    (6, lambda s, _: setattr(s, "round", 3)),
    (6, lambda s, _: s.turned.__setitem__(6, 2)),
    (7, lambda s, before: (s.berth.__setitem__(1, 1 + Site.TEMPLE), before.berth.__setitem__(1, 1 + Site.TEMPLE))),
    (7, lambda s, before: s.berth.__setitem__(1, 7) or before.berth.__setitem__(1, 7)),
    (8, lambda s, before: before.burial.__setitem__(0, 2)),
    (8, lambda s, before: before.obelisk.__setitem__(0, 2)),
    (9, lambda s, before: before.quarry.__setitem__(0, before.quarry[0] - 1)),
    (9, lambda s, before: before.sled.__setitem__(0, before.sled[0] - 1)),
    (10, lambda s, before: shift(s, before, "temple")),
    (10, lambda s, before: shift(s, before, "burial")),
    (11, lambda s, before: shift(s, before, "pyramid")),
    (11, lambda s, _: (s.beside.__setitem__(0, 1), s.quarry.__setitem__(0, s.quarry[0] - 1))),
    (12, lambda s, _: s.erected.__setitem__(0, 1)),
    (12, lambda s, before: setattr(s, "obelisk_side", 1) or third(s) or third(before)),
    (13, lambda s, _: (s.held[0].__setitem__(0, 1), s.unseen.__setitem__(0, 1), setattr(s, "deck", s.deck - 1))),
    (14, lambda s, before: before.score.__setitem__(0, 6)),
    (14, lambda s, before: s.score.__setitem__(0, -1) or before.score.__setitem__(0, -1)),
    (15, lambda s, before: before.market.__setitem__(0, 0)),
    (16, lambda s, before: setattr(before, "turn", 2)),
    (16, lambda s, before: setattr(s, "passes", 3)),
    (17, lambda s, before: setattr(s, "shuffles", 1)),
    (18, lambda s, before: setattr(s, "turns", 161) or setattr(before, "turns", 161)),
    (19, lambda s, before: setattr(s, "turns", 2)),
    (19, lambda s, before: setattr(s, "turn", 2) or setattr(s, "chooser", 2) or setattr(s, "turns", 1)),
    (20, lambda s, before: setattr(s, "chooser", 1)),
    (20, lambda s, before: setattr(s, "ship", 1)),
    (20, lambda s, before: setattr(s, "step", Step.TEMPLE)),
    (20, lambda s, before: setattr(s, "cell", 1)),
]


def shift(s: Any, before: Any, field: str) -> None:
    """Move the stones of a site one place on, in both states."""
    for state in (s, before):
        row = getattr(state, field)
        row.insert(0, 0)
        row.pop()


def third(s: Any) -> None:
    """A third stone of white at the obelisks that is not erected."""
    s.obelisk[1] += 1
    s.quarry[1] -= 1


@pytest.mark.parametrize(("number", "fault"), FAULTS, ids=[f"{number}-{i}" for i, (number, _) in enumerate(FAULTS)])
def test_each_invariant_notices_its_fault(number: int, fault: Any) -> None:
    s = sound()
    before = s.copy()
    assert violated(s, before) == 0
    fault(s, before)
    assert violated(s, before) == number


def test_every_invariant_has_a_fault_of_its_own() -> None:
    assert {number for number, _ in FAULTS} == set(range(1, len(INVARIANTS) + 1))


def test_figures_of_the_specification() -> None:
    assert list(MOST_SPACES) == [60, 65, 72]
    assert list(MOST_AT_SITE) == [22, 23, 24]
    assert list(MOST_TURNS) == [149, 160, 174]
    assert MOST_OBELISKS == 9
    fewest = [sum(sorted(sum(card) for card in cards)[:6]) for cards in components.CAPACITY]
    assert fewest == [57, 62, 70]


@pytest.mark.parametrize(
    "options", [{}, ALL_B, {**ALL_B, "discard_open": False, "market_return": "per_stone", "quarry_take": "max"}]
)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_invariants_hold_in_random_games(players: int, options: dict[str, Any]) -> None:
    for before, _, _, after in random_games(1, players, seed=40, blue_parts="possible", wrath=True, **options):
        assert violated(after, before) == 0
    assert step(after) == "over"


def hoarding(s: Any, p: int) -> list[int]:
    """Choices of players who load all they have and never sail to the market: so that stones run out."""
    choices = GAME.legal(s, p)
    if step(s) != "main":
        return choices
    loads = [a for a in choices if actions.LOAD <= a < actions.SAIL]
    fetches = [a for a in choices if actions.FETCH <= a < actions.POINT]
    elsewhere = [a for a in choices if actions.SAIL <= a < actions.PLAY and (a - actions.SAIL) % components.SITES != Site.MARKET]
    return loads or fetches[-1:] or elsewhere or choices


def test_the_invariants_hold_when_stones_run_out() -> None:
    dice = random.Random(2)
    stalls = 0
    for number in range(60):
        s: Any = GAME.new_state(2, number, {"temple_side": "AB"[number % 2], "pyramid_side": "B"})
        while GAME.rules.actors(s):
            before, p = s.copy(), s.chooser
            a = dice.choice(hoarding(s, p))
            GAME.rules.apply(s, p, a)
            stalls += a == actions.PASS and before.passes == 1
            assert violated(s, before) == 0
    assert stalls > 3


# --- Components -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("loads = [1, 1, 2, 3]", "loads = [1, 3, 2, 3]", r"\[ship_minimum\]: loads ask for more stones than a ship carries"),
        ("R2-1 = [4, 3, 2, 2]", "R2-1 = [4, 2, 2, 2]", r"R2-1 needs ships \[4, 2, 2, 2\] of which there are not enough"),
        ("R3-4 = [4, 3, 2, 1]", "R3-4 = [4, 3, 2]", r"\[round_cards.three\]: R3-4 has 3 numbers, 4 are needed"),
        ("R4-7 = [3, 3, 3, 2]", "", r"\[round_cards.four\]: R4-7 is missing"),
        ("copies = 10", "copies = 9", r"\[cards\]: copies make 33 cards, not 34"),
        ('colour = "purple"', 'colour = "green"', r"\[cards.idol\]: colour must be purple"),
        ('copies = 2\nsite = "temple"', 'copies = 2\nsite = "market"', r"\[cards.deco_temple\]: site must be temple"),
        ("[cards.lever]", "[cards.crowbar]", r"\[cards\]: must hold entrance, .*, lever"),
        (
            'colour = "blue"\ncopies = 2\n\n[cards.sail]',
            'colour = "blue"\ncopies = 2\nsite = "market"\n\n[cards.sail]',
            "names no site",
        ),
        ('["", "card", "", "load", ""]', '["", "cart", "", "load", ""]', r"\[pyramid_b\]: left_bonus must be 5 of"),
        ("width = [4, 5, 5]", "width = [4, 5, 6]", r"\[temple\]: width\[2\]: 6 is not between 1 and 5"),
        ("points = [2, 1, 3, 2,", "points = [2, 1, 3,", r"\[pyramid_a\]: points has 13 numbers, 14 are needed"),
        ('source = "rulebook"\nfetch', 'source = "guess"\nfetch', "source must be one of"),
    ],
)
def test_wrong_components_are_refused_with_a_reason(tmp_path: Path, old: str, new: str, message: str) -> None:
    with pytest.raises(BadComponents, match=message):
        with_components(GAME, tmp_path, old, new)


def test_an_owner_may_correct_a_number(tmp_path: Path) -> None:
    other = with_components(GAME, tmp_path, "right = [3, 1, 1, 1, 4]", "right = [5, 1, 1, 1, 4]")
    s = position(card="4322", ships="- - K", pyramid_side="B")
    play(s, "sail-c-pyramid")
    other.rules.apply(s, K, actions.BUILD + 2)
    assert s.score[K] == 5
    assert other.components_fingerprint != GAME.components_fingerprint
