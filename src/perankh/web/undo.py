"""Taking back moves: by consent of the other persons, and freely as long as nobody knows the choice."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from perankh.web.identity import same
from perankh.web.position import Position
from perankh.web.refusal import refused
from perankh.web.secrecy import can_be_left_out, marks_of, nothing_learned
from perankh.web.table import Table
from perankh.web.timed_answers import time_to_answer


def refusal(table: Table, p: int) -> str | None:
    """Why seat p's last decision cannot be taken back (a key of refusals.toml), or None."""
    if p not in table.marks or table.match.over or table.readonly:
        return "undo_nothing"
    known = table.position.undoable
    if p not in known:
        known[p] = nothing_learned(table.game, table.marks[p][1], table.match.state, p)
    return None if known[p] else "undo_seen"


def voters(table: Table, p: int) -> list[int]:
    """The persons who have to agree when seat p takes a move back."""
    owner = table.seats[p].owner
    return [q for q, seat in enumerate(table.seats) if seat.kind == "person" and not same(seat.owner, owner)]


def still_sealed(table: Table, p: int) -> bool:
    """Can seat p take its last choice back freely: nobody knows it yet, and p has learned nothing since?"""
    if p not in table.marks or table.match.over or table.readonly:
        return False
    known = table.position.sealed
    if p not in known:
        number, before = table.marks[p]
        timed = time_to_answer(table.game, table.game.veiled(before, p))  # a timed answer is final
        known[p] = not timed and can_be_left_out(table.game, before, table.match.played[number:])
    return known[p]


async def ask(table: Table, who: str | None, seat: int | None) -> None:
    """Ask to take back the last own decision; alone among bots, and while it is sealed, it happens at once."""
    own = table.own(who)
    if seat is not None and table.checked_seat(seat) not in own:
        raise refused(403, "not_yours")
    if not own:
        raise refused(403, "not_seated")
    async with table.lock:
        table.check_open()
        decided = [p for p, _ in table.match.played if p in own]
        p = seat if seat is not None else decided[-1] if decided else own[0]
        if still_sealed(table, p):
            await take_back(table, p, table.match.played[table.marks[p][0] + 1 :])
            return
        reason = refusal(table, p)
        if reason:
            raise refused(409, reason)
        if not voters(table, p):
            await take_back(table, p)
            return
        if table.undo_request is None:
            table.undo_request = {"asked_by": p, "agreed": []}
            await table.keep(table.save())
            table.changed()


async def vote(table: Table, who: str | None, agree: bool) -> None:
    """Agree to the request, or end it."""
    own = table.own(who)
    if not own:
        raise refused(403, "not_seated")
    async with table.lock:
        table.check_open()
        if table.undo_request is None:
            raise refused(409, "no_vote")
        asker = table.undo_request["asked_by"]
        needed = voters(table, asker)
        mine = [p for p in needed if p in own]
        if not mine:
            if not agree and asker in own:
                mine = [asker]  # whoever asked may withdraw the request
            else:
                raise refused(403, "not_yours")
        agreed = sorted({*table.undo_request["agreed"], *mine}) if agree else []
        if agree and set(needed) <= set(agreed):
            await take_back(table, asker)
            return
        table.undo_request = {"asked_by": asker, "agreed": agreed} if agree else None
        await table.keep(table.save())
        table.changed()


async def take_back(table: Table, p: int, kept: Sequence[tuple[int, int]] = ()) -> None:
    """Return to the position before seat p's last decision; `kept`: moves of others that stand. The caller holds the lock."""
    number = table.marks[p][0]
    earlier = await asyncio.to_thread(table.match.at, number)
    for q, action in kept:
        earlier.play(action, q)
    marks = await asyncio.to_thread(marks_of, earlier)
    if table.clock and still_sealed(table, p):
        table.clock.left[p] -= table.clock.increment  # or choosing again and again would make time
    await table.keep(table.save(earlier, number))
    table.position, table.undo_request, table.marks = Position(earlier), None, marks
    table.rewinds += 1
    for watcher in table.watchers:
        if watcher.since is not None:
            watcher.since = min(watcher.since, number)
    table.changed()
