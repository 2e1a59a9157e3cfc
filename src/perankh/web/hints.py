"""Hints on present and earlier decisions, for those who play alone and on matches that are over."""

from __future__ import annotations

import asyncio
import secrets
from typing import Any, NamedTuple

from perankh.bots import is_ready, restored, searcher_of
from perankh.bots.hints import Choice, Figure, full_hint, quick_hint
from perankh.bots.lines import expected_line, line_in_words
from perankh.bots.network import trained_for
from perankh.bots.reasons import reasons
from perankh.engine.state import Record
from perankh.engine.words import LANGUAGES, seats_called
from perankh.web.identity import same
from perankh.web.limits import Buckets
from perankh.web.refusal import Refused, refused
from perankh.web.rendering import Seats, move_in_words
from perankh.web.scheduler import caller
from perankh.web.secrecy import same_decision
from perankh.web.services import HINT
from perankh.web.table import Table
from perankh.web.timed_answers import answer_at

RATE = (0.1, 6.0)  # new hints a second, and how many at once, for one person
SHOWN = 8  # moves that are named, the best first


class Asker(NamedTuple):
    """Who asks for a hint, and how it is to be worded."""

    who: str | None
    first: bool  # only what can be said at once, if that is anything
    lang: str
    seats: Seats
    limits: Buckets

    def check_rate(self) -> None:
        """Refuse to work out more than a person may ask for."""
        if not self.limits.take(self.who or caller.get().address):
            raise refused(429, "many_hints")


def is_alone(table: Table, p: int) -> bool:
    """Are all other seats played by bots, none of them in place of somebody who may come back?"""
    owner = table.seats[p].owner
    others = [seat for q, seat in enumerate(table.seats) if q != p]
    return all(seat.kind == "bot" and (seat.owner is None or same(seat.owner, owner)) for seat in others)


def may_hint(table: Table, p: int) -> bool:
    """May the person of a seat ask for hints when it is to decide?"""
    if table.status != "playing" or table.readonly or table.lesson:
        return False
    return table.seats[p].kind == "person" and is_alone(table, p)


async def hint(table: Table, asker: Asker, seat: int | None, number: int | None) -> dict[str, Any]:
    """A hint on the decision of an own seat; nothing is played."""
    p = seat_asking(table, asker.who, seat)
    if number is not None and not await is_present(table, p, number):
        raise stale(table)
    asked, rewinds = table.match, table.rewinds
    made = await (first_hint if asker.first and has_network(table) else kept_hint)(table, asker, p)
    if table.rewinds != rewinds or not same_decision(table.game, asked.state, p, table.match.played[asked.number :]):
        raise stale(table)
    if made is None:
        table.hint = None
        raise refused(503, "no_hint")
    return in_language(made, asker.lang) | {"number": table.number}


def has_network(table: Table) -> bool:
    """Is there a network for a match, so that something can be said at once?"""
    return not trained_for(table.game, tuple(table.match.options.items()))


async def first_hint(table: Table, asker: Asker, p: int) -> dict[str, Any] | None:
    """What can be said at once."""
    return await ask(table, table.position.seen_by(p), p, True, asker.seats)


async def kept_hint(table: Table, asker: Asker, p: int) -> dict[str, Any] | None:
    """The hint on a position, worked out once however often it is asked for."""
    if table.hint is None or table.hint[0] is not table.match.state or table.hint[1] != p:
        asker.check_rate()
        work = ask(table, table.position.seen_by(p), p, False, asker.seats)
        table.hint = (table.match.state, p, table.services.start(work))
    try:
        return await asyncio.shield(table.hint[2])
    except Refused:
        table.hint = None
        raise


async def ask(table: Table, seen: Record, p: int, first: bool, seats: Seats) -> dict[str, Any] | None:
    """A hint from a process of the bots; None if there is none to be had."""
    given = (p, secrets.randbits(64), first, seats.names, seats.colours)
    return checked(await table.services.ask_bots(HINT, table.id, hint_in_words, table.game, seen, *given))


def checked(made: Any) -> dict[str, Any] | None:
    """A hint that can be told; None if a machine has answered something else."""
    try:
        for lang in LANGUAGES:
            in_language(made, lang)
    except (LookupError, TypeError, ValueError, AttributeError):
        return None
    hint: dict[str, Any] = made
    return hint


async def hint_on_earlier(table: Table, asker: Asker, number: int) -> dict[str, Any]:
    """A hint on an earlier decision: of any seat when the match is over, else one's own, of those who play alone."""
    match = table.match
    if number >= match.number:
        raise refused(409, "no_decision")
    p = match.played[number][0]
    if not (table.over or table.readonly):
        if p not in table.own(asker.who):
            raise refused(403, "not_yours")
        if not may_hint(table, p):
            raise refused(409, "hint_alone")
    asker.check_rate()
    state = await table.services.state_at(table.id, match, number)
    seen = await asyncio.to_thread(table.game.veiled, state, p)
    made = await ask(table, seen, p, asker.first and has_network(table), asker.seats)
    if made is None:
        raise refused(503, "no_hint")
    return in_language(made, asker.lang) | {"number": number}


def hint_in_words(
    folder: str, record: bytes, p: int, seed: int, first: bool, names: dict[str, tuple[str, ...]], colours: tuple[int, ...]
) -> dict[str, Any]:
    """A hint on a veiled state, with the reasons of the best move and the play after it: runs in a worker process.

    `names` and `colours` are those of the seats.
    """
    game, state = restored(folder, record)
    if is_ready(game):
        searcher_of(game).warm()  # no time to think is lost to loading the search
    found = (quick_hint(game, state, p) if first else None) or full_hint(game, state, p, seed)
    best, instead = found.best, found.choices[1].action if len(found.choices) > 1 else None
    line = expected_line(game, state, p, best, seed) if found.source == "search" else ()
    said: dict[str, Any] = {"reasons": {}, "line": {}}
    for lang in LANGUAGES:
        with seats_called(names[lang], colours):
            said["reasons"][lang] = [[one.good, one.text[lang]] for one in reasons(game, state, p, best, instead)]
            said["line"][lang] = line_in_words(game, state, p, best, line, lang)
    choices: dict[str, dict[str, Any]] = {}
    for choice in found.choices:
        move = move_in_words(game, state, p, answer_at(game, state, choice.action, 0))
        choices.setdefault(move["code"], move | figures(choice))
    gain = found.gain if len(choices) > 1 else None
    return said | {
        "seat": p,
        "source": found.source,
        "iterations": found.iterations,
        "first": None if found.first is None else game.text.CODES[answer_at(game, state, found.first, 0)],
        "expected": None if found.expected is None else round(found.expected, 3),
        "choices": list(choices.values())[:SHOWN],
        "gain": {"chance": shown(gain.chance), "lead": shown(gain.lead), "clear": gain.clear}
        if gain and len(choices) > 1
        else None,
    }


def figures(choice: Choice) -> dict[str, Any]:
    """What is expected of a move."""
    places = [round(share, 3) for share in choice.places]
    return {"share": round(choice.share, 3), "chance": shown(choice.chance), "lead": shown(choice.lead), "places": places}


def shown(figure: Figure | None) -> list[float] | None:
    """A figure and its error."""
    return None if figure is None else [round(figure.value, 3), round(figure.error, 3)]


def in_language(made: dict[str, Any], lang: str) -> dict[str, Any]:
    """A hint with its texts in one language."""
    choices = [choice | {"sentence": choice["sentence"][lang]} for choice in made["choices"]]
    best = {"code": choices[0]["code"], "sentence": choices[0]["sentence"]}
    reasons = [{"good": good, "text": text} for good, text in made["reasons"][lang]]
    return made | best | {"choices": choices, "reasons": reasons, "line": made["line"][lang]}


def seat_asking(table: Table, who: str | None, seat: int | None) -> int:
    """The own seat a hint is for; refuses if there is none to be had."""
    own = table.own(who)
    if seat is not None and table.checked_seat(seat) not in own:
        raise refused(403, "not_yours")
    if not own:
        raise refused(403, "not_seated")
    table.check_open()
    if table.over:
        raise refused(409, "over")
    if table.status == "waiting":
        raise refused(409, "waiting")
    p = seat if seat is not None else next((q for q in own if q in table.match.actors), own[0])
    if table.seats[p].kind != "person":
        raise refused(409, "with_bot")
    if table.lesson:
        raise refused(409, "lesson")
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
