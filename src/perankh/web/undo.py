"""Taking back moves: which can be taken back, and which freely because nobody knows the choice. `votes` asks the others."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from perankh.web.position import Position
from perankh.web.secrecy import can_be_left_out, marks_of, nothing_learned
from perankh.web.table import Table
from perankh.web.timed_answers import has_timed_answers, time_to_answer


def refusal(table: Table, p: int) -> str | None:
    """Why seat p's last real choice cannot be taken back (a key of refusals.toml), or None."""
    if p not in table.marks or table.over or table.readonly or table.lesson:
        return "undo_nothing"
    known, before = table.position.undoable, table.marks[p][1]
    if p not in known:
        known[p] = table.learned_since.get(p) is not before and nothing_learned(table.game, before, table.match.state, p)
        if not known[p]:
            table.learned_since[p] = before  # and nobody forgets it
    return None if known[p] else "undo_seen"


def still_sealed(table: Table, p: int) -> bool:
    """Can seat p take its last choice back freely: nobody knows it yet, and p has learned nothing since?"""
    if p not in table.marks or table.over or table.readonly or table.lesson:
        return False
    known = table.position.sealed
    if p not in known:
        number, before = table.marks[p]
        if table.known_choices.get(p) is before:
            known[p] = False
        else:
            timed = has_timed_answers(table.game) and time_to_answer(table.game, table.game.veiled(before, p))  # that is final
            known[p] = not timed and can_be_left_out(table.game, before, table.match.played[number:])
            if not known[p]:
                table.known_choices[p] = before
    return known[p]


async def take_back(table: Table, p: int, kept: Sequence[tuple[int, int]] = ()) -> None:
    """Return to the position before seat p's last real choice; `kept`: moves of others that stand. The caller holds the lock."""
    number = table.marks[p][0]
    earlier = await asyncio.to_thread(table.match.at, number)
    for q, action in kept:
        earlier.play(action, q)
    marks = await asyncio.to_thread(marks_of, earlier)
    if table.clock and still_sealed(table, p):
        table.clock.choose_again(p, table.spent[number])
    spent = [*table.spent[:number], *table.spent[number + 1 :][: len(kept)]]
    if table.request and table.request.what == "undo":
        table.request = None
    facts, also = table.save(earlier, number, spent)
    await table.keep(facts | {"rewinds": table.rewinds + 1}, also)
    table.position, table.marks, table.spent = Position(earlier), marks, spent
    table.known_choices, table.learned_since = {}, {}
    table.rewinds += 1
    for watcher in table.watchers:
        if watcher.since is not None:
            watcher.since = min(watcher.since, number)
    table.changed()
