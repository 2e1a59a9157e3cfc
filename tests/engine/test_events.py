"""Events: recorded interpreted, nothing compiled, and never more than a viewer may know."""

from __future__ import annotations

import pickle
import re
from collections.abc import Callable

import pytest

from perankh.checks import run_checks
from perankh.engine.events import EventKind, GameEvent, redacted, secret, tell
from perankh.engine.game import Game, get_game
from perankh.engine.state import Record, number

from ..conftest import CONNECT_FOUR

pytestmark = pytest.mark.xdist_group("connect_four")


class Event(EventKind):
    PLACED = "card", "row"
    DREW = secret("card")
    PASSED = ""


class State(Record):
    turn: int = number("i1")


def test_kinds_are_numbered_and_name_their_values() -> None:
    assert [int(kind) for kind in Event] == [0, 1, 2]
    assert [kind.names for kind in Event] == [("card", "row"), ("card",), ()]


def test_events_are_recorded_only_while_somebody_listens() -> None:
    s = State()
    tell(s, Event.PASSED, 0)
    s.events = []
    tell(s, Event.PLACED, 1, 7, 2)
    assert s.events == [GameEvent(Event.PLACED, 1, (7, 2))]
    assert (s.events[0].card, s.events[0].row) == (7, 2)
    with pytest.raises(AttributeError, match="no value 'cards'"):
        _ = s.events[0].cards
    with pytest.raises(TypeError, match="takes the values card, row"):
        tell(s, Event.PLACED, 1, 7)


def test_events_are_no_part_of_the_state() -> None:
    s = State()
    s.events = []
    tell(s, Event.PASSED, 0)
    assert s.copy() == s
    assert s.copy().events is None
    assert State.from_bytes(s.to_bytes()) == s


def test_a_secret_value_is_shown_to_its_seat_alone() -> None:
    drew = GameEvent(Event.DREW, 1, (42,))
    assert redacted([drew], 1) == [drew]
    for viewer in (-1, 0, 2):
        assert redacted([drew], viewer)[0].card is None
    public = GameEvent(Event.PLACED, 1, (42, 0))
    assert redacted([public], -1) == [public]


def test_events_travel_to_other_processes() -> None:
    event = GameEvent(Event.DREW, 1, (None,))
    assert pickle.loads(pickle.dumps(event)) == event
    game = get_game(CONNECT_FOUR)
    state = game.new_state(2, 0)
    (dropped,) = game.apply(state, 0, 3)
    assert game.event(dropped.as_numbers()) == dropped


def test_points_that_do_not_add_up_to_the_scores_are_found(altered: Callable[..., Game]) -> None:
    (outcome,) = run_checks(altered(rules_py=("tell(s, Event.LINE, p, 1)", "tell(s, Event.LINE, p, 2)")), names=["events"])
    assert outcome.verdict == "failed"
    assert re.search(r"the points told, \[\d, \d\], are not the scores, \[\d, \d\]", outcome.detail)
