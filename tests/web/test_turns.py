"""Turns at the event loop: who asks for little does not wait behind those who ask for much."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.types import Receive, Scope, Send

from perankh.web import limits
from perankh.web.bans import Bans
from perankh.web.guard import Guard, costly_buckets
from perankh.web.limits import BESIDE_MOVES, FADING, LONGEST_MOVE, LONGEST_PUT_BACK, PUT_BACK, Buckets, Limits, Turns
from perankh.web.site import make_site

from .conftest import in_a_loop


class Clock:
    """The time, which stands still unless it is moved."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    found = Clock()
    monkeypatch.setattr(limits, "time", SimpleNamespace(monotonic=found.monotonic))
    return found


def order_of(test: Any) -> list[str]:
    """The addresses in the order in which they begin, of a test that has them ask."""
    begun: list[str] = []

    async def run() -> None:
        turns = Turns()
        asked: list[asyncio.Task[None]] = []

        async def one(address: str, is_move: bool) -> None:
            await turns.wait(address, is_move)
            begun.append(address)

        def ask(address: str, times: int = 1, is_move: bool = False) -> None:
            asked.extend(asyncio.create_task(one(address, is_move)) for _ in range(times))

        await test(ask)
        await asyncio.gather(*asked)
        assert not turns.moves
        assert not turns.others
        assert not turns.is_running

    in_a_loop(run())
    return begun


async def settle() -> None:
    """Let everything that was asked for wait."""
    await asyncio.sleep(0)


def test_whoever_asks_for_little_goes_before_those_who_ask_for_much(clock: Clock) -> None:
    async def test(ask: Any) -> None:
        for attacker in range(40):
            ask(f"attacker {attacker}", 5)
        await settle()
        ask("ann")

    begun = order_of(test)
    assert len(begun) == 201
    assert begun.index("ann") == 40  # behind the first request of each: before, they had not asked for more than she had


def test_nobody_is_put_back_for_long(clock: Clock) -> None:
    async def test(ask: Any) -> None:
        ask("busy", 1000)
        await settle()
        clock.now += LONGEST_PUT_BACK + 0.01
        ask("ann", 1)

    assert order_of(test)[-1] == "ann"  # all the others have waited for longer than anybody is put back


def test_moves_go_before_everything_else(clock: Clock) -> None:
    async def test(ask: Any) -> None:
        for attacker in range(40):
            ask(f"attacker {attacker}", 5)
        ask("ann", 50)
        await settle()
        ask("ann", is_move=True)
        ask("bob", is_move=True)
        await settle()

    begun = order_of(test)
    assert len(begun) == 252
    assert begun.index("bob") <= 3  # she has asked for more than he has
    assert begun.index("ann") <= 4


def test_whoever_sends_very_many_moves_goes_with_the_rest(clock: Clock) -> None:
    async def test(ask: Any) -> None:
        ask("busy", 500, is_move=True)
        await settle()
        ask("ann")

    assert order_of(test).index("ann") <= LONGEST_PUT_BACK / PUT_BACK + 2


def test_something_else_begins_now_and_then_beside_moves(clock: Clock) -> None:
    async def test(ask: Any) -> None:
        for number in range(200):
            ask(f"{number}", is_move=True)
        ask("ann", 2)
        for _ in range(50):
            await settle()
        clock.now += BESIDE_MOVES
        for _ in range(50):
            await settle()

    begun = order_of(test)
    assert [place for place, who in enumerate(begun) if who == "ann"][1] in range(48, 53)


def test_while_a_move_is_made_others_begin_only_now_and_then(clock: Clock) -> None:
    async def run() -> None:
        turns, begun = Turns(), []

        async def one(address: str, is_move: bool = False) -> None:
            await turns.wait(address, is_move)
            begun.append(address)

        async def rounds() -> None:
            for _ in range(20):
                await settle()

        for number in range(100):
            for _ in range(10 + number):
                turns.note(f"attacker {number}", clock.now)

        with turns.make_move():
            waiting = [asyncio.create_task(one(f"attacker {number}")) for number in range(100)]
            await rounds()
            assert begun == ["attacker 0"]
            waiting.append(asyncio.create_task(one("newcomer")))
            await rounds()
            assert begun.pop() == "newcomer"
            clock.now += BESIDE_MOVES
            waiting.append(asyncio.create_task(one("ann", is_move=True)))
            await rounds()
            assert begun == ["attacker 0", "attacker 1", "ann"]
            with turns.make_move():
                pass
            await rounds()
            assert len(begun) == 3  # the first move is still being made
        await rounds()
        assert len(begun) > 15
        await asyncio.gather(*waiting)

        with turns.make_move():
            clock.now += LONGEST_MOVE + 0.001  # something is wrong with it: others do not wait any longer
            waiting = [asyncio.create_task(one(f"attacker {number}")) for number in range(100)]
            await rounds()
            assert len(begun) > 110
        await asyncio.gather(*waiting)

    in_a_loop(run())


def test_moves_do_not_wait_for_the_moves_of_others(clock: Clock) -> None:
    async def run() -> None:
        turns, begun = Turns(), []

        async def one(address: str) -> None:
            await turns.wait(address, is_move=True)
            begun.append(address)

        with turns.make_move():
            waiting = [asyncio.create_task(one("many people behind one address")) for _ in range(500)]
            for _ in range(510):
                await settle()
            assert len(begun) == 500
        await asyncio.gather(*waiting)

    in_a_loop(run())


def test_what_was_asked_for_long_ago_does_not_count(clock: Clock) -> None:
    turns = Turns()
    for _ in range(100):
        turns.note("busy", clock.now)
    assert turns.note("busy", clock.now) == pytest.approx(100)
    assert turns.note("busy", clock.now + 10 * FADING) < 0.01
    for number in range(limits.MOST_KEYS + 10):
        turns.note(str(number), clock.now)
    assert len(turns.asked) == limits.MOST_KEYS


def test_what_has_begun_goes_on_between_those_who_wait() -> None:
    async def run() -> None:
        turns, begun = Turns(), []

        async def one(number: int) -> None:
            await turns.wait(f"{number}")
            begun.append(number)

        async def begun_before() -> int:
            for _ in range(5):
                await asyncio.sleep(0)
            return len(begun)

        going_on = asyncio.create_task(begun_before())
        waiting = [asyncio.create_task(one(number)) for number in range(100)]
        assert await going_on <= 6
        await asyncio.gather(*waiting)
        assert begun == list(range(100))

    in_a_loop(run())


def test_who_has_gone_away_is_passed_over() -> None:
    async def run() -> None:
        turns = Turns()
        tasks = [asyncio.create_task(turns.wait(f"{number}")) for number in range(10)]
        await settle()
        for task in tasks[2:9]:
            task.cancel()
        done = await asyncio.gather(*tasks, return_exceptions=True)
        assert [error is None for error in done] == [True, True] + 7 * [False] + [True]
        await asyncio.wait_for(turns.wait("another"), 30)

    in_a_loop(run())


def test_requests_take_turns_before_anything_is_looked_at(clock: Clock) -> None:
    answered: list[str] = []

    async def served(scope: Scope, receive: Receive, send: Send) -> None:
        answered.append(scope["client"][0])

    def request(guard: Guard, address: str) -> Coroutine[Any, Any, None]:
        scope = {"type": "http", "method": "GET", "path": "/", "query_string": b"", "client": (address, 1), "scheme": "http"}
        headers = [(b"host", b"127.0.0.1")]

        async def receive() -> Any:
            return {"type": "http.request"}

        async def send(message: Any) -> None:
            if message["type"] == "http.response.start":
                answered.append(f"{message['status']} for {address}")

        return guard(scope | {"headers": headers}, receive, send)

    async def run() -> None:
        allowed = Limits(address=(1.0, 20.0))
        guard = Guard(served, allowed, make_site(), Buckets(*allowed.address), Turns(), Bans(), costly_buckets(allowed))
        many = [asyncio.create_task(request(guard, "10.0.0.1")) for _ in range(50)]
        await settle()
        assert answered == ["10.0.0.1"]
        await asyncio.gather(request(guard, "10.0.0.2"), *many)

    in_a_loop(run())
    assert answered.index("10.0.0.2") <= 2
    assert answered.count("10.0.0.1") == 20
    assert answered[-30:] == ["429 for 10.0.0.1"] * 30
