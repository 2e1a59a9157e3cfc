"""What is played: line-ups, rotations, deals."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from perankh.arena.schedule import Schedule, Setting, bots_named, lineups, rotations, settings_of
from perankh.errors import BadOption, UnknownGame

BOTS = ("random", "apprentice", "scribe", "priest")
THREE = Setting("imhotep", "imhotep", 3)


def test_every_line_up_meets_and_none_is_favoured() -> None:
    assert lineups(BOTS, 2) == [(a, b) for i, a in enumerate(BOTS) for b in BOTS[i + 1 :]]
    for bots in (BOTS, BOTS[:3], BOTS[:2]):
        for players in (2, 3, 4):
            found = lineups(bots, players)
            assert len(found) == len(set(found))
            assert len(set(Counter(bot for lineup in found for bot in lineup).values())) == 1
            assert all(len(set(lineup)) > 1 for lineup in found)


def test_a_line_up_sits_in_every_seat_of_the_same_deal() -> None:
    assert rotations("ABC") == [("A", "B", "C"), ("B", "C", "A"), ("C", "A", "B")]
    assert rotations("ABAB") == [("A", "B", "A", "B"), ("B", "A", "B", "A")]
    plans = list(Schedule((THREE,), BOTS, deals=5).matches())
    assert len(plans) == 5 * 4 * 3
    for deal in range(5):
        on_deal = [plan for plan in plans if plan.deal == deal]
        assert len({plan.seed for plan in on_deal}) == 1
        seats = Counter((seat, bot) for plan in on_deal for seat, bot in enumerate(plan.bots))
        assert set(seats.values()) == {3}
    assert len({plan.seed for plan in plans}) == 5
    assert len({plan.bot_seed for plan in plans}) == len({plan.key for plan in plans}) == len(plans)


def test_options_are_compared_on_the_same_deals() -> None:
    other = replace(THREE, options={"market_side": "B"})
    plans = list(Schedule((THREE, other), ("priest",), deals=7).matches())
    seeds = {setting.key: [plan.seed for plan in plans if plan.setting == setting] for setting in (THREE, other)}
    assert seeds[THREE.key] == seeds[other.key]
    assert len(plans) == 14


def test_the_list_is_the_same_every_time_and_grows_at_its_end() -> None:
    schedule = Schedule((THREE,), BOTS, deals=6, lineups=2, seed=3)
    plans = list(schedule.matches())
    assert plans == list(schedule.matches())
    assert list(replace(schedule, deals=9).matches())[: len(plans)] == plans
    assert replace(schedule, deals=9).header() == schedule.header()
    assert {plan.seed for plan in replace(schedule, seed=4).matches()}.isdisjoint(plan.seed for plan in plans)


def test_a_sample_of_line_ups_is_balanced() -> None:
    plans = list(Schedule((THREE,), BOTS, deals=10, lineups=2).matches())
    times = Counter(tuple(sorted(plan.bots)) for plan in plans)
    assert len(times) == 4
    assert set(times.values()) == {10 * 2 * 3 / 4}


def test_settings_are_every_game_count_and_option() -> None:
    found = settings_of(["imhotep", "mural"], [2, 3], {"area_map": ["regular", "irregular"], "start_player": ["0"]})
    assert [setting.key for setting in found] == [
        "imhotep/2/start_player=0",
        "imhotep/3/start_player=0",
        *(f"mural/{n}/area_map={value},start_player=0" for n in (2, 3) for value in ("regular", "irregular")),
    ]
    assert [setting.players for setting in settings_of(["imhotep"], [], {})] == [2, 3, 4]


@pytest.mark.parametrize(
    ("games", "players", "options", "message"),
    [
        (["senet"], [], {}, "there is no game 'senet'"),
        (["mural"], [7], {}, "mural is for 2 to 4 players, not 7"),
        (["mural"], [2, 2], {}, "given twice"),
        (["mural", "mural"], [], {}, "mural is named twice"),
        (["mural"], [], {"market_side": ["A"]}, "option market_side: none of the games has it"),
        (["mural"], [], {"area_map": ["round"]}, "'round' is not one of regular, irregular"),
        (["mural"], [], {"area_map": ["regular", "Regular"]}, "given twice"),
    ],
)
def test_bad_requests_are_refused(games: list[str], players: list[int], options: dict[str, list[str]], message: str) -> None:
    with pytest.raises((BadOption, UnknownGame), match=message):
        settings_of(games, players, options)


def test_bots_are_checked() -> None:
    assert bots_named(["random", "scribe"], 2) == ("random", "scribe")
    for names, message in ((["random", "sphinx"], "no bot 'sphinx'"), (["random"], "at least 2"), (["random"] * 2, "twice")):
        with pytest.raises(BadOption, match=message):
            bots_named(names, 2)
