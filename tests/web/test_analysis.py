"""The analysis of matches: what it finds, who shares it, when it is refused."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import Any

import orjson
import pytest

from perankh.bots.analysis import MOST_DECISIONS, decisions, spread
from perankh.bots.report import chances_at_end
from perankh.engine.game import get_game
from perankh.match import Match
from perankh.match.file import text_of
from perankh.web import analysis as analyses
from perankh.web.analysis import Analyst, MatchAnalysis
from perankh.web.refusal import Refused
from perankh.web.replays import decision_numbers

from ..conftest import CONNECT_FOUR
from .conftest import Person, in_a_loop, tables_in

New = Callable[[], Person]
BLUNDER = 6  # the move after three in column a: red could win there and plays d
GAME = "agagagdgg"


def replay(who: Person, codes: str) -> str:
    """A table for looking only, at which the codes were played."""
    match = Match(get_game(CONNECT_FOUR), 2, seed=1)
    for code in codes:
        match.play(code)
    return str(who.ask("POST", "/api/replays", None, 201, content=text_of(match).encode())["id"])


def ask(who: Person, table: str, **query: Any) -> Any:
    return who.ask("GET", f"/api/tables/{table}/analysis", None, 200, params=query)


def finished(who: Person, table: str, **query: Any) -> Any:
    deadline = time.monotonic() + 120
    while (answer := ask(who, table, **query))["state"] != "done":
        assert answer["state"] in ("preparing", "working")
        assert answer["done"] <= max(1, answer["total"])
        assert len(answer["decisions"]) == max(0, answer["found"] - query.get("since", 0))
        assert time.monotonic() < deadline, "the analysis does not come to its end"
        time.sleep(0.1)
    return answer | {"decisions": latest(answer["decisions"])}


def latest(decisions: list[Any]) -> list[Any]:
    """What was found last about each decision."""
    return list({decision["number"]: decision for decision in decisions}.values())


def test_an_uploaded_match_is_analysed_and_its_blunder_found(person: New) -> None:
    guest = person()
    table = replay(guest, GAME[:8])
    assert guest.view(table)["status"] == "over"
    answer = finished(guest, table)
    assert (answer["done"], answer["total"], answer["decided"]) == (8, 8, 8)
    assert [decision["number"] for decision in answer["decisions"]] == list(range(8))
    assert [decision["seat"] for decision in answer["decisions"]] == [0, 1] * 4
    worst = max(answer["decisions"], key=lambda decision: decision["cost"])
    assert worst["number"] == BLUNDER
    assert worst["cost"] > 0.5
    assert worst["played"]["code"] == "d"
    assert worst["best"]["code"] == "a"
    assert worst["best"]["sentence"] == "Drop a stone into column a"
    assert worst["chances"][0] > 0.8
    won = answer["decisions"][7]
    assert won["cost"] == 0
    assert won["played"] == won["best"]
    assert {decision["by"] for decision in answer["decisions"]} == {"search"}
    assert won["chances"][1] > 0.8
    assert answer["end"] == [0.0, 1.0]
    ids = {sprite["id"] for sprite in guest.view(table, at=BLUNDER)["scene"]["sprites"]}
    assert worst["best"]["path"]
    assert set(worst["best"]["path"]) <= ids


def test_the_report_tells_the_turning_point_and_the_better_line_can_be_stepped_through(person: New) -> None:
    guest = person()
    table = replay(guest, GAME[:8])
    told = finished(guest, table)["report"]
    assert told["turn"]["number"] == BLUNDER
    assert told["turn"]["winner"] == 1
    assert "The game turned in the endgame, at move 7: Red drops a stone onto d1." in told["sentences"]
    assert "Better would have been: Drop a stone into column a." in told["sentences"]
    assert told["costly"][0] == BLUNDER
    for seat in told["seats"]:
        parts = [seat[name] for name in ("start", "deal", "own", "others", "luck")]
        assert sum(parts) == pytest.approx(seat["result"], abs=0.002)
    assert told["seats"][0]["own"] < -0.5
    worst = next(one for one in finished(guest, table)["decisions"] if one["number"] == BLUNDER)
    assert [(move["seat"], move["code"]) for move in worst["line"]] == [(0, "a")]  # four in a row
    place = f"/api/tables/{table}/analysis/line"
    before, after = (guest.ask("GET", place, None, 200, params={"number": BLUNDER, "step": step}) for step in (0, 1))
    assert (before["steps"], before["move"], after["move"]["code"]) == (1, None, "a")
    assert after["move"]["sentence"] == "Drop a stone into column a"
    assert (before["lines"], after["lines"]) == ([], ["Red drops a stone onto a4.", "Four in a row: Red wins."])
    assert before["scene"] != after["scene"]
    for number, step in ((BLUNDER, 2), (7, 0), (99, 0)):  # the move that wins has no better one
        guest.ask("GET", place, None, 404, params={"number": number, "step": step})
    japanese = ask(guest, table, lang="ja")["report"]["sentences"]
    assert any(line.startswith("勝負が動いたのは終盤、7手目の「赤") and line.endswith("」です。") for line in japanese)


def test_several_who_look_share_one_analysis_in_their_own_language(person: New) -> None:
    one, other = person(), person()
    table = replay(one, GAME[:8])
    first = finished(one, table)
    again = ask(other, table, lang="ja", since=first["found"] - 2)
    assert (again["state"], again["done"]) == ("done", 8)
    assert [decision["number"] for decision in again["decisions"]] == [6, 7]
    assert again["decisions"][0]["chances"] == first["decisions"][6]["chances"]
    assert again["decisions"][0]["best"]["sentence"] == "a の列に石を落とす"


def test_a_match_that_was_broken_off_is_analysed_too(person: New) -> None:
    guest = person()
    answer = finished(guest, replay(guest, "dd"))
    assert (answer["done"], answer["end"]) == (2, None)
    assert finished(guest, replay(guest, ""))["decisions"] == []


def test_nothing_is_told_of_a_match_that_runs(person: New) -> None:
    red = person()
    table = red.table(seats=[{"kind": "me"}] * 2)
    codes = GAME[:8]
    for number, code in enumerate(codes):
        assert red.ask("GET", f"/api/tables/{table}/analysis", None, 409)["error"] == "The match is not over yet."
        red.move(table, number, code, seat=number % 2)
    red.ask("GET", f"/api/tables/{table}/analysis", None, 422, params={"since": "x"})
    assert finished(red, table)["total"] == 8


def test_a_long_match_is_sampled_from_its_first_decision_to_its_last() -> None:
    assert spread([3, 4, 9], 5) == [3, 4, 9]
    chosen = spread(range(10, 1010), 150)
    assert len(set(chosen)) == 150
    assert (chosen[0], chosen[-1]) == (10, 1009)
    assert max(b - a for a, b in pairwise(chosen)) <= 8

    match = Match("mural", 4, seed=3)
    while not match.over:
        match.play(match.moves()[0])
    start = match.game.new_state(4, match.seed, match.options)
    real = [number for number, *_ in decisions(match.game, start, match.played)]
    assert decision_numbers(str(match.game.folder), match.path_to(0)[0].to_bytes(), match.played) == real
    assert len(spread(real, MOST_DECISIONS)) == min(len(real), MOST_DECISIONS)
    assert chances_at_end(match) == [1 / len(match.winners) if p in match.winners else 0 for p in range(4)]


def test_a_game_that_is_not_compiled_is_prepared_first(own_server: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own_server.kill()
    monkeypatch.setenv("PERANKH_CACHE", str(tmp_path / "cache"))
    own_server.start()
    guest = Person(own_server)
    seats = [{"kind": "me"}, {"kind": "bot", "bot": "scribe"}]
    assert [player["ready"] for player in guest.view(guest.table(seats=seats))["players"]] == [True, False]
    table = replay(guest, "dd")
    first = ask(guest, table)
    assert (first["state"], first["done"]) == ("preparing", 0)
    assert finished(guest, table)["done"] == 2
    assert [player["ready"] for player in guest.view(guest.table(seats=seats))["players"]] == [True, True]
    assert list((tmp_path / "cache").iterdir())


def test_the_result_card_shows_what_was_found_after_a_restart_too(own_server: Any) -> None:
    guest = Person(own_server)
    tables = [replay(guest, GAME[:8]), replay(guest, GAME[:8])]
    finished(guest, tables[0])
    bare, told = [guest.http.get(f"/t/{table}/card.png").content for table in reversed(tables)]
    assert bare != told  # the chart and what turned the game
    own_server.kill()
    own_server.start()
    again = Person(own_server)
    assert [again.http.get(f"/t/{table}/card.png").content for table in reversed(tables)] == [bare, told]
    assert finished(again, tables[0])["report"]["turn"]


def test_the_work_rests_when_nobody_asks_and_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    match = Match("mural", 2, seed=1)
    while len(numbers := decision_numbers(str(match.game.folder), match.path_to(0)[0].to_bytes(), match.played)) < 6:
        match.play(match.moves()[0])

    async def look_away() -> None:
        tables = tables_in(tmp_path)
        analyst = Analyst(tables.services)
        table = await tables.known(await tables.replay(text_of(match)))
        analysis = analyst.ask(table)
        while len(analysis.judged) < 2:
            await asyncio.sleep(0.01)
        monkeypatch.setattr(analyses, "PATIENCE", 0)
        assert analysis.task
        await analysis.task
        assert analysis.state == "working"
        found = list(analysis.judged)
        assert 2 <= len(found) < 6
        monkeypatch.undo()

        again = Analyst(tables.services).ask(table)  # as after a restart of the server, or when it was forgotten
        assert again is not analysis
        assert again.task
        await again.task
        kept = [{key: value for key, value in decision.items() if key != "line"} for decision in again.judged]  # lines come last
        assert (again.state, kept[: len(found)]) == ("done", found)
        assert [decision["number"] for decision in again.judged] == numbers
        await tables.services.close()

    with ThreadPoolExecutor(1) as thread:  # browser tests leave an event loop running in this one
        thread.submit(asyncio.run, look_away()).result()


@pytest.mark.parametrize("answer", [None, 5, [], {}, {"number": 0}, "judged"])
def test_a_machine_that_judges_nonsense_ends_an_analysis_with_a_clear_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: Any
) -> None:
    match = Match("mural", 2, seed=1)
    for _ in range(6):
        match.play(match.moves()[0])

    async def nonsense() -> None:
        tables = tables_in(tmp_path)
        analyst = Analyst(tables.services)
        table = await tables.known(await tables.replay(text_of(match)))

        async def run(_: MatchAnalysis, function: Any, *__: Any) -> Any:
            return answer if function is not decision_numbers else [0, 1]

        monkeypatch.setattr(analyst, "run", run)
        analysis = analyst.ask(table)
        assert analysis.task
        await analysis.task
        assert analysis.state == "failed"
        with pytest.raises(Refused):
            analyst.ask(table)
        await tables.services.close()

    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, nonsense()).result()


def test_result_cards_of_a_match_that_is_partly_analysed_are_limited(tmp_path: Path) -> None:
    match = Match("mural", 2, seed=1)
    for _ in range(60):
        match.play(match.moves()[0])
    said = {"sentence": {"en": "", "ja": ""}}
    decision = dict.fromkeys(("number", "seat", "chances", "after", "cost", "loss", "stake"), 0) | {"played": said, "best": said}

    async def look() -> list[Any]:
        tables = tables_in(tmp_path)
        table = await tables.known(await tables.replay(text_of(match)))
        store = tables.services.storage.write
        await store(lambda connection: analyses.insert_analysis(connection, table.id, 0, orjson.dumps(decision).decode()))
        looks = (Analyst(tables.services).recall(table) for _ in range(60))
        found = await asyncio.gather(*looks, return_exceptions=True)
        await tables.services.close()
        return found

    found = in_a_loop(look())
    refusals = [one for one in found if one is not None]
    assert len(refusals) >= 10  # not all of them are worked on, or wait for it
    assert all(isinstance(one, Refused) and one.status == 429 for one in refusals)
    assert None in found
