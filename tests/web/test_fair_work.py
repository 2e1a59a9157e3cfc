"""Work for one person does not keep others waiting, and nobody's bots play for nobody: attacks on a real server.

Nothing here is timed. Attackers come from another address, and it is counted what is done for them meanwhile.
"""

from __future__ import annotations

import random
import sqlite3
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from typing import Any

import httpx
import pytest
from websockets.sync.client import connect

from perankh.engine.game import get_game
from perankh.match import Match
from perankh.match.file import text_of
from perankh.web.analysis import MOST_ASKED
from perankh.web.services import LOOK
from perankh.web.tables import LONGEST_MATCH, count_moves

from ..conftest import CONNECT_FOUR
from .conftest import Live, Person, Server

ELSEWHERE = "127.0.0.2"
MANY = MOST_ASKED + 4
BOTS = [{"kind": "bot", "bot": "random"}] * 2


class Stranger(Person):
    """Somebody from another address."""

    def __init__(self, server: Any) -> None:
        super().__init__(server)
        kept = httpx.Limits(
            max_connections=100, max_keepalive_connections=100
        )  # closing some while others are read fails in threads
        transport = httpx.HTTPTransport(local_address=ELSEWHERE, limits=kept, verify=False)
        self.http = httpx.Client(base_url=server.address, timeout=90, transport=transport)

    @contextmanager
    def live(self, table: str, **query: Any) -> Iterator[Live]:
        url = f"{self.server.address.replace('http', 'ws')}/api/tables/{table}/live"
        with connect(url, source_address=(ELSEWHERE, 0), max_size=None, open_timeout=60) as socket:
            yield Live(socket)


def numbers(server: Any) -> dict[str, int]:
    """How many moves are stored of each table: looking at tables through the server would wake their bots."""
    with sqlite3.connect(f"file:{server.data / 'perankh.db'}?mode=ro", uri=True) as connection:
        return dict(connection.execute("SELECT id, number FROM tables"))


def wait_until(found: Callable[[], Any], seconds: float = 90) -> Any:
    deadline = time.monotonic() + seconds
    while not (value := found()):
        assert time.monotonic() < deadline, "it does not happen"
        time.sleep(0.02)
    return value


@pytest.fixture(scope="module")
def resting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A server at which bots think for a moment, and rest soon."""
    running = Server(tmp_path_factory.mktemp("resting"), bot_pause=0.3, rest=1).start()
    yield running
    running.kill()


def test_bots_play_only_while_somebody_looks(resting: Any) -> None:
    red = Person(resting)
    alone = red.table(seats=BOTS)
    time.sleep(1)
    assert numbers(resting)[alone] == 0  # to make a table is not to look at it
    red.view(alone)
    wait_until(lambda: numbers(resting)[alone] > 0)
    before = -1
    while (now := numbers(resting)[alone]) != before:
        before = now
        time.sleep(2)
    assert red.view(alone)["status"] == "playing"  # they stopped before the end
    with red.live(alone) as live:
        live.until(lambda frame: frame["type"] == "view" and frame["status"] == "over", timeout=90)


def test_a_person_who_comes_back_finds_the_bot_playing(resting: Any) -> None:
    red = Person(resting)
    table = red.table(seats=[{"kind": "me"}, BOTS[0]])
    red.move(table, 0, "a")
    wait_until(lambda: numbers(resting)[table] == 2)  # the bot answers though nobody is connected
    red.move(table, 2, "b")
    wait_until(lambda: red.view(table)["number"] == 4)


def test_many_tables_of_strong_bots_do_not_keep_another_bot_waiting(own_server: Any) -> None:
    red, stranger = Person(own_server), Stranger(own_server)
    mine = red.table(seats=[{"kind": "me"}, {"kind": "bot", "bot": "scribe"}])
    theirs = [stranger.table(seats=[{"kind": "bot", "bot": "vizier"}] * 2) for _ in range(30)]
    meanwhile = []
    with ExitStack() as watching:
        for table in theirs:
            watching.enter_context(stranger.live(table))
        wait_until(lambda: sum(numbers(own_server)[table] for table in theirs) > 2)
        for number, code in [(0, "a"), (2, "b"), (4, "c"), (6, "e")]:
            before = numbers(own_server)
            red.move(mine, number, code)
            after = wait_until(lambda number=number: (found := numbers(own_server))[mine] == number + 2 and found)
            meanwhile.append(sum(after[table] - before[table] for table in theirs))
    assert min(meanwhile) < 15, f"of their 30 decisions so many went first: {meanwhile}"  # the first loads the search


@pytest.fixture(scope="module")
def long_file() -> str:
    """A match file of many moves: a match of Cleocatra that goes on and on."""
    match, chance = Match("cleocatra", 4, 1, {"end_score": 1000}), random.Random(1)
    while match.number < LONGEST_MATCH:
        match.play(chance.choice(match.game.legal(match.state, match.actors[0])), match.actors[0])
    return text_of(match)


def test_looks_into_a_long_match_are_limited_and_do_not_stop_reads(own_server: Any, long_file: str) -> None:
    red, stranger = Person(own_server), Stranger(own_server)
    mine = red.table()
    table = stranger.ask("POST", "/api/replays", None, 201, content=long_file.encode())["id"]

    def look(number: int) -> int:
        query = {"at": 80 * number, "lang": "en", "viewer": number % 4}
        return stranger.http.get(f"/api/tables/{table}", params=query).status_code

    with ThreadPoolExecutor(60) as threads:
        looks = [threads.submit(look, number) for number in range(60)]
        listed = red.ask("GET", "/api/tables")
        waiting = sum(not done.done() for done in looks)
        statuses = [done.result() for done in looks]
    assert [found["id"] for found in listed] == [mine]
    assert waiting, "the list waited for the looks"
    assert set(statuses) == {200, 429}
    assert statuses.count(200) >= (LOOK.at_table or 0)
    assert stranger.view(table, at=LONGEST_MATCH)["number"] == LONGEST_MATCH


def test_a_match_that_is_too_long_is_not_replayed(own_server: Any, long_file: str) -> None:
    head, _, moves = long_file.partition("moves: ")
    longer = f"{head}moves: 1\n{moves.partition(chr(10))[2].replace('0: ', '0: n n ')}"
    assert count_moves(long_file) == LONGEST_MATCH < count_moves(longer)
    answer = Person(own_server).ask("POST", "/api/replays", None, 422, content=longer.encode())
    assert answer["error"] == f"The match is too long: at most {LONGEST_MATCH} moves."


def test_one_analysis_goes_on_beside_those_of_somebody_who_asks_for_many(own_server: Any) -> None:
    red, stranger = Person(own_server), Stranger(own_server)
    match = Match(get_game(CONNECT_FOUR), 2, seed=1)
    for code in "agagagdg":
        match.play(code)
    text = text_of(match).encode()
    theirs = [stranger.ask("POST", "/api/replays", None, 201, content=text)["id"] for _ in range(MANY)]
    mine = red.ask("POST", "/api/replays", None, 201, content=text)["id"]
    statuses = [stranger.http.get(f"/api/tables/{table}/analysis").status_code for table in theirs]
    assert statuses == [200] * MOST_ASKED + [429] * (MANY - MOST_ASKED)

    def ask(who: Person, table: str) -> Any:
        return who.ask("GET", f"/api/tables/{table}/analysis")

    def searched(found: Any) -> dict[int, Any]:
        return {decision["number"]: decision["chances"] for decision in found["decisions"] if decision["by"] == "search"}

    kept = wait_until(lambda: (found := ask(red, mine))["done"] >= 3 and searched(found))
    done = sum(ask(stranger, table)["done"] for table in theirs[:MOST_ASKED])
    assert done <= 3 * len(kept) + MOST_ASKED, "the others were served more often"

    own_server.kill()
    own_server.start()
    ended = wait_until(lambda: (found := ask(red, mine))["state"] == "done" and found)
    assert kept.items() <= searched(ended).items()  # they were stored, and not made again
    assert ended["done"] == 8
