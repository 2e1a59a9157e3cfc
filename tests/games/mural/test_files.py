"""Nile Mural: the observation, also with data sets of an owner."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from perankh.games.mural.rules.components import Track
from perankh.games.mural.rules.state import State, Step

from ...conftest import with_components
from .positions import MURAL, do, table

NAMED = MURAL.features.named


def seen(s: State, p: int) -> Any:
    """The features of a seat by name."""
    return NAMED(np.array(MURAL.observation_of(s, p)))


def cards(row: Any) -> dict[int, int]:
    """The cards that are not 0, with their numbers."""
    return {int(card): int(row[card]) for card in np.flatnonzero(row)}


def position() -> State:
    """Three players with secret and open cards, two cards on the wall and two in the row."""
    s = table(hands={0: [31], 1: [40, 41], 2: [55]}, opened={0: [62], 1: [73], 2: [84]}, row=[11, 12], wall=[0, 5])
    s.pawn, s.placed, s.turn = 5, 2, 1
    s.track = [[1, 2, 3, 0], [4, 5, 6, 0], [-1, -2, -3, 0]]
    return s


def test_an_observation_begins_with_the_own_seat() -> None:
    out = seen(position(), 1)
    assert cards(out["cards.table"]) == {0: 1, 5: 1, 11: -1, 12: -1}
    assert cards(out["cards.hands"]) == {40: 1, 41: 1, 73: 2, 84: -1, 62: -2}
    assert cards(out["cards.pawn"]) == {5: 1}
    assert out["seats.combo"].tolist() == [2, 3, 1, 0]
    assert out["seats.area"].tolist() == [5, 6, 4, 0]
    assert out["seats.miss"].tolist() == [-2, -3, -1, 0]
    assert out["seats.secret"].tolist() == [2, 1, 1, 0]
    assert out["seats.turn"].tolist() == [1, 0, 0, 0]
    assert seen(position(), 0)["seats.turn"].tolist() == [0, 1, 0, 0]
    assert out["turn.step"].tolist() == [1, 0]
    assert cards(out["turn.placed"]) == {2: 1}
    assert (out["table.deck"], out["table.players"], out["options.start_player"]) == (89, 3, 3)


def test_tokens_of_cards_and_seats() -> None:
    tokens = MURAL.features.tokens(np.array(MURAL.observation_of(position(), 1)))
    assert tokens["card"].shape == (100, 3)
    assert tokens["card"][5].tolist() == [1, 0, 1]
    assert tokens["card"][84].tolist() == [0, -1, 0]
    assert tokens["seat"].shape == (4, 5)
    assert tokens["seat"][2].tolist() == [1, 4, -1, 1, 0]


def changed(name: str) -> State:
    """The position with one difference that seat 1 may know."""
    if name == "own card shown":  # the same hand; one of its cards came from the row
        s = table(hands={0: [31], 1: [40], 2: [55]}, opened={0: [62], 1: [41, 73], 2: [84]}, row=[11, 12], wall=[0, 5])
        s.pawn, s.placed, s.turn, s.track = 5, 2, 1, position().track
        return s
    if name == "card in another hand":
        s = table(hands={0: [31], 1: [40, 41], 2: [55]}, opened={0: [62, 84], 1: [73]}, row=[11, 12], wall=[0, 5])
        s.pawn, s.placed, s.turn, s.track = 5, 2, 1, position().track
        return s
    s = position()
    if name == "card of the row on the wall":
        s.row, s.wall = s.wall, s.row
    elif name == "pawn":
        s.pawn = 0
    elif name == "no pawn":
        s.pawn = -1
    elif name == "secret cards":
        s.secret[2], s.deck = 2, s.deck - 1
    elif name == "take":
        s.step, s.takes = Step.TAKE, 1
    elif name == "take two":
        s.step, s.takes = Step.TAKE, 2
    elif name == "bonus":
        s.step, s.takes, s.ending_turn = Step.TAKE, 1, 1
    elif name == "over":
        s.step = Step.OVER
    elif name == "placed":
        s.placed = 3
    elif name == "turn":
        s.turn = 2
    elif name.startswith("track"):
        s.track[int(name[-1])][2] += 1
    else:
        setattr(s, name, 0 if getattr(s, name) else 1)
    return s


DIFFERENCES = (
    "own card shown",
    "card in another hand",
    "card of the row on the wall",
    "pawn",
    "no pawn",
    "secret cards",
    "take",
    "take two",
    "bonus",
    "over",
    "placed",
    "turn",
    "area_map",
    "start_player",
    "last_turn_bonus",
    *(f"track {int(track)}" for track in Track),
)


@pytest.mark.parametrize("p", [0, 1, 2])
def test_veiled_states_that_differ_look_different(p: int) -> None:
    states = [position(), *(changed(name) for name in DIFFERENCES)]
    veiled = {MURAL.veiled(s, p).to_bytes() for s in states}
    looks = {tuple(MURAL.observation_of(s, p)) for s in states}
    assert len(looks) == len(veiled) == len(states)


def test_a_card_taken_from_the_row_and_one_drawn_look_different_to_their_owner() -> None:
    """The hand is the same; only how much the others know of it differs."""
    open_card = table(2, opened={0: [41]}, hands={0: [40], 1: [50]})
    drawn_card = table(2, opened={0: [40]}, hands={0: [41], 1: [50]})
    assert MURAL.veiled(open_card, 0) != MURAL.veiled(drawn_card, 0)
    assert MURAL.observation_of(open_card, 0) != MURAL.observation_of(drawn_card, 0)


def test_the_end_is_seen() -> None:
    s = table(2, hands={0: [31]}, deck=[])
    do(s, 31, *([101] if MURAL.actors(s) else []))
    out = seen(s, 0)
    assert MURAL.ending(s)
    assert out["turn.step"].tolist() == [0, 0]
    assert out["cards.table"].tolist() == [1] * 100


RICH = """[combo_table.rich.steps]
source = "box"
row = [20, 0, 0, 1, 0, 2, 0, 3, 0, 5]

[combo_table.rich.cards]
source = "box"
row = [1, 0, 1, 1, 2, 1, 9, 1, 4, 1]

# --- Points for"""


def test_another_data_set_gets_its_features(tmp_path: Path) -> None:
    other = with_components(MURAL, tmp_path, "# --- Points for", RICH)
    s: Any = other.new_state(2, 1, {"combo_table": "rich", "start_player": 0})
    s.track[Track.COMBO][1] = 1990  # a hundred turns of one card make 2,000
    out = other.features.named(np.array(other.observation_of(s, 0)))
    assert out["options.combo_table"].tolist() == [1]
    assert out["seats.combo"].tolist() == [[0, 0], [1990 // 128, 1990 % 128], [0, 0], [0, 0]]
    assert other.features.size == MURAL.features.size + 1 + 4
    assert other.features.high[other.features.places["turn.takes"]] == 9
