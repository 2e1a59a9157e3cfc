"""Hints: what the strongest bot would do in a player's place, for those who play alone."""

from __future__ import annotations

import asyncio
import secrets
from typing import Any

from perankh.bots import LEVELS, decide, is_ready, restored, searcher_of
from perankh.web.identity import same
from perankh.web.limits import Buckets
from perankh.web.refusal import Refused, refused
from perankh.web.rendering import move_in_words
from perankh.web.secrecy import same_decision
from perankh.web.services import HINT
from perankh.web.table import Table
from perankh.web.timed_answers import answer_at

RATE = (0.5, 6.0)  # new hints a second, and how many at once, for one person


def is_alone(table: Table, p: int) -> bool:
    """Are all other seats played by bots, none of them in place of somebody who may come back?"""
    owner = table.seats[p].owner
    others = [seat for q, seat in enumerate(table.seats) if q != p]
    return all(seat.kind == "bot" and (seat.owner is None or same(seat.owner, owner)) for seat in others)


def may_hint(table: Table, p: int) -> bool:
    """May the person of a seat ask for hints when it is to decide?"""
    return table.status == "playing" and not table.readonly and table.seats[p].kind == "person" and is_alone(table, p)


async def hint(table: Table, who: str | None, seat: int | None, number: int | None, lang: str, limits: Buckets) -> dict[str, Any]:
    """What the strongest bot would do on an own seat that is to decide. Nothing is played."""
    p = seat_asking(table, who, seat)
    if number is not None and not await is_present(table, p, number):
        raise stale(table)
    asked, rewinds = table.match, table.rewinds
    if table.hint is None or table.hint[0] is not asked.state or table.hint[1] != p:
        if not limits.take(who or ""):
            raise refused(429, "many_hints")
        seen = table.position.seen_by(p)
        work = table.services.ask_bots(HINT, table.id, best_move, table.game, seen, p, secrets.randbits(64))
        table.hint = (asked.state, p, table.services.start(work))
    try:
        move = await asyncio.shield(table.hint[2])
    except Refused:
        table.hint = None
        raise
    if table.rewinds != rewinds or not same_decision(table.game, asked.state, p, table.match.played[asked.number :]):
        raise stale(table)
    if move is None:
        table.hint = None
        raise refused(503, "no_hint")
    return {"code": move["code"], "sentence": move["sentence"][lang], "number": table.number}


def best_move(folder: str, record: bytes, p: int, seed: int) -> dict[str, Any]:
    """The move of the strongest bot, in words: runs in a worker process."""
    game, state = restored(folder, record)
    if is_ready(game):
        searcher_of(game).warm()  # no time to think is lost to loading the search
    action = decide(folder, record, p, list(LEVELS)[-1], seed)
    return move_in_words(game, state, p, answer_at(game, state, action, 0))


def seat_asking(table: Table, who: str | None, seat: int | None) -> int:
    """The own seat a hint is for; refuses if there is none to be had."""
    own = table.own(who)
    if seat is not None and table.checked_seat(seat) not in own:
        raise refused(403, "not_yours")
    if not own:
        raise refused(403, "not_seated")
    table.check_open()
    if table.match.over:
        raise refused(409, "over")
    if table.status == "waiting":
        raise refused(409, "waiting")
    p = seat if seat is not None else next((q for q in own if q in table.match.actors), own[0])
    if table.seats[p].kind != "person":
        raise refused(409, "with_bot")
    if not is_alone(table, p):
        raise refused(409, "hint_alone")
    if p not in table.match.actors:
        raise refused(409, "not_your_turn")
    return p


async def is_present(table: Table, p: int, number: int) -> bool:
    """Does seat p still face the decision it faced after so many moves?"""
    if number == table.number:
        return True
    if number > table.number:
        return False
    before = await table.services.state_at(table.id, table.match, number)
    return await asyncio.to_thread(same_decision, table.game, before, p, table.match.played[number:])


def stale(table: Table) -> Refused:
    """The refusal of a hint for a position that is past, or not yet there."""
    return Refused(409, refused(409, "hint_stale").reason, number=table.number)
