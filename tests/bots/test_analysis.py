"""The analysis of decisions and the report on a match: definitions that hold, for every game."""

from __future__ import annotations

import json
import time
from itertools import pairwise
from pathlib import Path
from statistics import mean, stdev
from typing import Any

import pytest

from perankh.bots import BOTS, Budget, analysis, searcher_of
from perankh.bots.analysis import chances_of, decisions, expected_line, expected_rewards, first_pass, judge, patient_time, spread
from perankh.bots.play import play
from perankh.bots.report import (
    accuracy,
    ahead_from,
    chances_at_end,
    lead_sentences,
    leads_of,
    luck_sentences,
    parts_of,
    phases_of,
    report,
    turning_point,
)
from perankh.bots.searcher import SOONEST
from perankh.engine.game import get_game
from perankh.match import Match
from perankh.match.forfeits import Forfeits

from ..conftest import CONNECT_FOUR
from ..test_cli import perankh

PARTS = ("start", "deal", "own", "others", "luck")


def match_of(name: str, players: int, seed: int, bots: str = "random") -> Match:
    """A match between bots."""
    game = get_game(name)
    match = Match(game, players, seed)
    for p, action in play(game, players, {}, seed, [BOTS[bots]] * players, seed).moves:
        match.act(p, action)
    return match


@pytest.fixture(autouse=True)
def few_iterations(monkeypatch: pytest.MonkeyPatch) -> None:
    """No result depends on time."""
    monkeypatch.setattr(analysis, "ITERATIONS", 300)


def judged(match: Match, most: int = 300) -> list[dict[str, Any]]:
    """Some decisions of a match, judged."""
    found = list(decisions(match.game, match.path_to(0)[0], match.played))
    chosen = set(spread([number for number, *_ in found], most))
    return [judge(match.game, veiled, number, p, action, 240.0) for number, p, action, veiled in found if number in chosen]


def decision(number: int, seat: int, before: list[float], after: list[float], **more: Any) -> dict[str, Any]:
    cost = round(before[seat] - after[seat], 4)
    return {"number": number, "seat": seat, "chances": before, "after": after, "cost": cost, "loss": cost, "stake": 0.2} | more


def test_the_parts_of_a_match_written_down_by_hand() -> None:
    made = [
        decision(0, 0, [0.6, 0.4], [0.6, 0.4]),
        decision(3, 1, [0.5, 0.5], [0.7, 0.3]),  # luck against seat 0, then a mistake of seat 1
        decision(5, 0, [0.7, 0.3], [0.65, 0.35]),
    ]
    first, second = parts_of(made, 2, [1.0, 0.0])
    assert first == {"start": 0.5, "deal": 0.1, "own": -0.05, "others": 0.2, "luck": 0.25, "result": 1.0}
    assert second == {"start": 0.5, "deal": -0.1, "own": -0.2, "others": 0.05, "luck": -0.25, "result": 0.0}
    broken_off = parts_of(made, 2, None)
    assert [part["result"] for part in broken_off] == [0.65, 0.35]
    turn = turning_point(made, 9, [1.0, 0.0])
    assert turn
    assert (turn.first, turn.winner, turn.before, turn.after) == (5, 0, 0.7, 1.0)
    assert accuracy(made) == pytest.approx(100 * (1 - 0.25 / 0.6), abs=0.1)
    assert accuracy(made[:1]) == 100
    assert accuracy([made[0] | {"stake": 0.0}]) is None
    assert leads_of([(0, [0.5, 0.5]), (1, [0.7, 0.3]), (2, [0.2, 0.8]), (3, [0.7, 0.3]), (4, [0.9, 0.1])]) == [(3, 0)]


def test_a_lead_is_called_what_it_was() -> None:
    """Whoever was ahead only most of the time is not said to have been ahead all the time."""
    names = ["Ani", "Hori"]

    def told(line: list[float]) -> list[str]:
        points = [(number, [chance, 1 - chance]) for number, chance in enumerate(line)]
        leads = leads_of(points)
        return lead_sentences(list(zip(leads, ahead_from(points, leads), strict=True)), names, "en")

    assert told([0.5, 0.7, 0.7, 0.8, 1.0]) == ["Ani was ahead from move 2 to the end."]
    assert told([0.7, 0.7, 0.8, 0.0, 1.0, 0.0, 1.0]) == ["Ani was mostly ahead from move 1 to the end."]
    assert told([0.7, 0.7, 0.45, 0.55, 0.45, 0.45, 0.45, 0.55]) == ["From move 1 on, nobody kept the lead."]
    assert told([0.7, 0.7, 0.45, 0.55, 0.45, 0.55, 0.45, 0.55]) == ["From move 1 on, nobody kept the lead."]  # five of eight
    assert told([0.7, 0.7, 0.2, 0.2, 0.0]) == ["Ani was ahead from move 1 to move 2.", "From move 3 on, Hori was ahead."]
    assert told([0.5, 0.5, 0.5]) == []


def test_luck_and_costs_are_told_apart() -> None:
    def told(*parts: tuple[float, float]) -> list[str]:
        seats = [{"deal": 0.0, "luck": luck, "own": own} for luck, own in parts]
        return luck_sentences(seats, ["Ani", "Hori", "Meri"][: len(seats)], "en")

    assert told((0.2, -0.3), (-0.2, -0.1)) == [
        "Luck helped Ani most: +20 points of winning chance.",
        "Decisions cost Ani most: 30 points of winning chance, added up.",
    ]
    assert told((0.01, 0.0), (-0.01, 0.0)) == ["Luck changed little.", "Nobody gave much away."]
    assert told((0.1, -0.3), (-0.1, -0.29))[1].startswith("Decisions cost everybody about the same: 30 points")
    assert told((0.1, -0.3), (-0.1, -0.1), (0.0, -0.31))[1].startswith("Decisions cost Ani and Meri most: 31 points")
    assert told((0.1, -0.04), (-0.1, -0.01), (0.0, -0.07))[1].startswith("Decisions cost Meri most: 7 points")


def test_the_report_says_who_has_resigned() -> None:
    match = Match(CONNECT_FOUR, 2, 1, names=["Ani", "Hori"])
    match.forfeits = Forfeits((1,), ended=True)
    names = {"en": ["Ani", "Hori"], "ja": ["アニ", "ホリ"]}
    first = {lang: sentences[0] for lang, sentences in report(match, [], names)["sentences"].items()}
    assert first["en"] == "The match was broken off after 0 moves. Hori resigned."
    assert first["ja"] == "対局は0手で打ち切られました。ホリの投了で対局が終わりました。"


def test_chances_from_places() -> None:
    assert chances_of([0.7, 0.3]) == [0.7, 0.3]
    assert chances_of([0.5] * 4) == [0.25] * 4
    assert chances_of([1.0, 0.5, 0.5, 0.0])[0] == pytest.approx(0.8)
    for before in ([0.5, 0.5], [0.9, 0.3, 0.3], [0.2, 0.8, 0.5, 0.5]):
        for value in (-1.0, -0.3, 0.5, 1.0):
            after = expected_rewards(before, 1, value)
            assert after[1] == pytest.approx(0.5 + 0.5 * value)
            assert sum(after) == pytest.approx(len(before) / 2)


@pytest.mark.parametrize("name", ["mural", "cleocatra", "imhotep", "egizia", "maqha"])
@pytest.mark.parametrize("players", [2, 4])
def test_the_report_of_every_game_adds_up(name: str, players: int) -> None:
    match = match_of(name, players, 4)
    made = judged(match, most=40)
    told = report(match, made)
    end = chances_at_end(match)
    assert end
    for seat, result in zip(told["seats"], end, strict=True):
        assert sum(seat[part] for part in PARTS) == pytest.approx(result, abs=0.002)
        assert seat["own"] <= 0
        assert all(figure is None or 0 <= figure <= 100 for figure in [seat["accuracy"], *seat["by_phase"]])
    for parts in (("deal",), ("own", "others"), ("luck",)):
        assert sum(seat[part] for seat in told["seats"] for part in parts) == pytest.approx(0, abs=0.01)
    for one in made:
        assert sum(one["chances"]) == pytest.approx(1, abs=0.001)
        assert one["cost"] >= 0
    phases = phases_of(match)
    assert phases[0].first == 0
    assert all(one.first <= other.first for one, other in pairwise(phases))
    for lang, lines in told["sentences"].items():
        assert lines
        assert all(line.endswith("。" if lang == "ja" else (".", "!", "?")) for line in lines), lines
    json.dumps(told)


@pytest.mark.parametrize("name", ["mural", "maqha"])
def test_luck_is_zero_on_average_between_equal_bots(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of many matches, each seat's luck is 0 within its error, although single matches have much of it."""
    monkeypatch.setattr(analysis, "TRIED", 0)  # what a random move would give away is no part of luck
    monkeypatch.setattr(analysis, "ITERATIONS", 150)
    lucks: list[float] = []
    for seed in range(60):
        match = match_of(name, 2, seed)
        end = chances_at_end(match)
        made = judged(match, most=12)
        lucks.append(parts_of(made, 2, end)[0]["luck"] + parts_of(made, 2, end)[0]["deal"])
    error = stdev(lucks) / len(lucks) ** 0.5
    assert stdev(lucks) > 0.1
    assert abs(mean(lucks)) < 3.5 * error


def test_strong_play_is_accurate_and_random_play_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis, "ITERATIONS", 700)
    weak, strong = (
        [accuracy(judged(match_of("imhotep", 2, seed, bots), most=30)) or 0.0 for seed in (1, 2)] for bots in ("random", "seer")
    )
    assert max(weak) < min(strong)
    assert mean(strong) - mean(weak) > 20


def test_what_moves_give_away_is_found_by_searches_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search among all moves hardly visits some of them; what it thinks of those is not what they give away."""
    budgets: list[Budget] = []

    def noted(*given: Any) -> Any:
        budgets.append(given[4])
        return searched(*given)

    searched = analysis.search
    monkeypatch.setattr(analysis, "ITERATIONS", 1000)
    monkeypatch.setattr(analysis, "search", noted)
    made = judged(match_of("egizia", 2, 4, "scribe"), most=40)
    stake = sum(one["stake"] for one in made)
    assert stake > 1
    assert abs(sum(one["loss"] for one in made if not one["cost"])) < 0.1 * stake  # no worse than the best
    assert {budget.clock for budget in budgets} == {patient_time}


def test_time_without_a_processor_counts_for_a_quarter() -> None:
    began, patient = time.monotonic(), patient_time()
    time.sleep(0.2)
    assert patient_time() - patient < 0.5 * (time.monotonic() - began)


def test_the_first_pass_covers_every_decision_and_judges_none() -> None:
    match = match_of("imhotep", 3, 2)
    count, figures = first_pass(match.game, match.path_to(0)[0], match.played)
    assert count == len(figures)
    assert {one["cost"] for one in figures} == {None}
    assert {one["by"] for one in figures} <= {"network", "glance"}
    assert all(sum(one["chances"]) == pytest.approx(1, abs=0.001) for one in figures)
    assert report(match, figures)["sentences"]["en"]


@pytest.mark.parametrize("name", ["mural", "egizia"])
def test_the_expected_line_fits_what_the_player_knew(name: str) -> None:
    match = match_of(name, 2, 3)
    game = match.game
    for number, p, action, veiled in list(decisions(game, match.path_to(0)[0], match.played))[5:60:18]:
        world, line = expected_line(game, veiled, p, action, number)
        assert game.veiled(world, p) == veiled
        assert line[0] == (p, action)
        for q, chosen in line:
            assert chosen in game.legal(world, q)
            game.apply(world, q, chosen)


def test_the_search_of_one_action_goes_on_to_its_budget() -> None:
    match = match_of("imhotep", 2, 1)
    game, start = match.game, match.path_to(0)[0]
    action = int(game.legal(start, game.actors(start)[0])[0])
    given = (game.veiled(start, game.actors(start)[0]), game.actors(start)[0], 1)
    assert SOONEST <= searcher_of(game).search(*given, Budget(1000), [action]).iterations < 1000
    assert searcher_of(game).search(*given, Budget(1000, settles=False), [action]).iterations == 1000


def test_the_command_prints_the_report(tmp_path: Path) -> None:
    match = Match(get_game(CONNECT_FOUR), 2, seed=1, names=["Ani", "Hori"])
    for code in "agagagdg":
        match.play(code)
    file = tmp_path / "match.perankh"
    match.save(file)
    given = ("analyse", str(file), "--game", str(CONNECT_FOUR), "--seconds", "1")
    text = perankh(*given, "--lang", "en").stdout
    assert "Hori won, 1 to 0 against Ani." in text
    assert "The game turned in the endgame, at move 7: Ani drops a stone onto d1." in text
    assert "better: Drop a stone into column a" in text
    done = perankh(*given, "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert [one["number"] for one in found["decisions"]] == list(range(8))
    assert found["report"]["turn"]["number"] == 6
    assert found["lines"]["6"][0]["code"] == "a"
    assert "勝負が動いたのは" in perankh(*given, "--lang", "ja").stdout
    refused = perankh("analyse", str(file), "--game", str(CONNECT_FOUR), "--seconds", "0")
    assert refused.returncode == 2
    assert "--seconds must be more than 0" in refused.stderr
    assert perankh("analyse", str(tmp_path / "none.perankh")).returncode == 2
