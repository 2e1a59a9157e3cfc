"""What is seen of one table: veiled states, logs and views, each made once and shared by all who see the same."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable
from typing import TYPE_CHECKING, Any

import orjson

from perankh.engine.state import Record
from perankh.errors import BadOption
from perankh.web import views
from perankh.web.advice import may_hint
from perankh.web.refusal import refused

if TYPE_CHECKING:
    from perankh.web.room import Room

SHORT_LOG = 8  # moves told on the event loop; longer logs are told in a thread


class Sight:
    """The eyes of a room. `advance` and `rewind` follow the match; `clear` forgets what a change made stale."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self.veils: dict[int, Record] = {}  # the present state as each viewer may see it
        self.logs: dict[tuple[int, str], list[str]] = {}  # by viewer and language, each line as JSON
        self.positions: dict[tuple[Any, ...], asyncio.Task[dict[str, Any]]] = {}  # parts of views, until the next move
        self.shared: dict[tuple[Any, ...], asyncio.Task[str]] = {}  # views without their log, until the next change
        self.undoable: dict[int, bool] = {}  # by seat, until the next move
        self.sealed: dict[int, bool] = {}  # by seat: is its last choice a secret still? until the next move

    def advance(self, p: int, action: int) -> None:
        """A move was made: each log that somebody follows gets its line."""
        before, self.veils = self.veils, {}
        self.forget()
        for (viewer, lang), lines in self.logs.items():
            text = self.room.game.face.told(before[viewer], self.veil(viewer), p, action, lang)
            lines.append(views.log_line(self.room.number, p, text))

    def forget(self) -> None:
        """The position is another one now."""
        self.positions.clear()
        self.undoable.clear()
        self.sealed.clear()

    def rewind(self) -> None:
        """Moves were taken back: the logs forget them."""
        self.veils.clear()
        self.forget()
        for viewer, lang in self.logs:
            del self.logs[viewer, lang][self.room.number :]
            self.veil(viewer)

    def veil(self, viewer: int) -> Record:
        """The present state as a viewer may see it."""
        if viewer not in self.veils:
            self.veils[viewer] = self.room.game.veiled(self.room.match.state, viewer)
        return self.veils[viewer]

    async def log(self, viewer: int, lang: str) -> list[str]:
        """The lines of the log for a viewer; told from the start once, a line a move from then on."""
        if (viewer, lang) not in self.logs:
            async with self.room.lock:
                if (viewer, lang) not in self.logs:
                    if self.room.number <= SHORT_LOG:
                        told = self.room.match.log(viewer, lang)
                    else:
                        told = await asyncio.to_thread(self.room.match.log, viewer, lang)
                    self.veil(viewer)
                    lines = zip(told, self.room.match.played, strict=True)
                    self.logs[viewer, lang] = [views.log_line(n, p, text) for n, (text, (p, _)) in enumerate(lines, 1)]
        return self.logs[viewer, lang]

    async def view(self, who: str | None, viewer: int | None, lang: str, shape: str, since: int = 0) -> tuple[str, int]:
        """The table as somebody sees it now, as JSON, and the number of moves it shows; made once for all who see the same."""
        await self.log(self.room.eyes(who, viewer), lang)
        own, eyes = self.room.own(who), self.room.eyes(who, viewer)
        if (eyes, lang) not in self.logs:
            return await self.view(who, viewer, lang, shape, since)  # a seat was lost or won just now
        key = (own, eyes, lang, shape, int(time.time()) if self.room.clock else 0)
        if key not in self.shared:
            # All facts are gathered now; only the drawing takes time.
            facts = self.common(own, eyes, lang), self.players(own, lang), self.position(own, eyes, lang, shape)
            self.shared[key] = self.room.rooms.start(put_together(*facts))
        number, log = self.room.number, self.told(eyes, lang, since)  # of the same moment as the view
        shared = await asyncio.shield(self.shared[key])
        return f'{shared},"window":{self.window(own, eyes, number)},{log}}}', number

    def position(self, own: tuple[int, ...], eyes: int, lang: str, shape: str) -> asyncio.Future[dict[str, Any]]:
        """The present position, being drawn."""
        place = (eyes, lang, shape, self.may_act(own, eyes))
        if place not in self.positions:
            self.positions[place] = self.room.rooms.start(self.room.rooms.draw(self.room.game, self.veil(eyes), *place))
        return self.positions[place]

    def window(self, own: tuple[int, ...], eyes: int, number: int) -> str:
        """The question that stands open against the clock, as a part of a view that is sent now."""
        window = self.room.window
        if window is None or number != self.room.number:
            return "null"
        now = time.monotonic()
        if eyes in own:
            window.sent(eyes, now)
        default = self.room.game.face.CODES[self.room.game.face.no_answer(self.veil(eyes))]
        facts = {"left": round(1000 * window.left(eyes, now)), "of": round(1000 * window.length), "default": default}
        return orjson.dumps(facts).decode()

    def told(self, eyes: int, lang: str, since: int) -> str:
        """The log from line `since` + 1 on, as a part of a view."""
        since = max(0, min(since, self.room.number))
        return f'"log_from":{since + 1},"log":[{",".join(self.logs[eyes, lang][since:])}]'

    def may_act(self, own: tuple[int, ...], eyes: int) -> bool:
        """Are there moves for this viewer to choose from?"""
        return eyes in own and eyes in self.room.acting_persons() and not self.room.readonly

    async def look_back(self, who: str | None, viewer: int | None, lang: str, shape: str, at: int, since: int = 0) -> str:
        """The table as it stood after `at` moves."""
        if not 0 <= at <= self.room.number:
            raise refused(404, "no_position", at=at, number=self.room.number)
        own, eyes = self.room.own(who), self.room.eyes(who, viewer)
        await self.log(eyes, lang)

        common, players, log = self.common(own, eyes, lang), self.players(own, lang), self.told(eyes, lang, since)
        if at != self.room.number:
            common |= {"at": at, "result": None}
        game, match = self.room.game, self.room.match
        try:
            seen = await asyncio.to_thread(lambda: game.veiled(match.at(at).state, eyes))
        except BadOption:
            raise refused(404, "no_position", at=at, number=self.room.number) from None  # taken back meanwhile
        drawn = self.room.rooms.draw(game, seen, eyes, lang, shape, False)
        return f'{await put_together(common, players, drawn)},"window":null,{log}}}'

    def waiting(self, lang: str) -> str | None:
        """What is shown to those who have nothing to decide."""
        if self.room.status == "over":
            return self.room.match.reason(lang)
        acting = self.room.match.actors if self.room.status == "playing" else []
        return views.waiting_for([self.room.match.name(p, lang) for p in acting], lang)

    def players(self, own: tuple[int, ...], lang: str) -> list[dict[str, Any]]:
        """The seats as a view lists them, but for their points."""
        acting = self.room.match.actors if self.room.status == "playing" else []
        persons, now = self.room.acting_persons(), time.time()
        colours = self.room.game.scene.SEAT_COLOURS
        return [
            {
                "seat": p,
                "name": self.room.match.name(p, lang),
                "colour": colours[p],
                "kind": "me" if seat.kind == "person" and p in own else seat.kind,
                "bot": seat.bot,
                "connected": seat.kind == "bot" or self.room.connected(p),
                "acting": p in acting,
                "clock": self.room.clock.shown(p, persons, now) if self.room.clock else None,
            }
            for p, seat in enumerate(self.room.seats)
        ]

    def common(self, own: tuple[int, ...], eyes: int, lang: str) -> dict[str, Any]:
        """The part of a view that does not depend on the position shown."""
        over, asked = self.room.match.over, self.room.undo
        voters = [p for p in self.room.voters(asked["asked_by"]) if p not in asked["agreed"]] if asked else []
        return {
            "type": "view",
            "table": self.room.id,
            "game": self.room.game.name,
            "title": self.room.match.title(lang),
            "status": self.room.status,
            "readonly": self.room.readonly,
            "number": self.room.number,
            "at": self.room.number,
            "viewer": eyes,
            "prompt": self.waiting(lang),
            "own": own,
            "options": views.options_shown(self.room.game, self.room.match.options, lang),
            "seed_hash": self.room.match.seed_hash,
            "seed": f"{self.room.match.seed:032x}" if over or self.room.readonly else None,
            "undo": asked and {**asked, "can_vote": any(p in own for p in voters)},
            "may_undo": asked is None and eyes in own and self.room.undo_refusal(eyes) is None,
            "may_hint": eyes in own and may_hint(self.room, eyes),
            "may_change": eyes in own and self.room.still_sealed(eyes),
            "next": self.room.next,
            "result": views.result(self.room.game, self.room.match.state, lang) if over else None,
        }


async def put_together(common: dict[str, Any], players: list[dict[str, Any]], position: Awaitable[dict[str, Any]]) -> str:
    """A view as JSON, without the last brace: the facts of the table, and a position when it is drawn."""
    drawn = await position
    for player, score in zip(players, drawn["scores"], strict=True):
        player["score"] = score
    facts = common | {"players": players} | ({"prompt": drawn["prompt"]} if drawn["prompt"] is not None else {})
    return f"{orjson.dumps(facts).decode()[:-1]},{drawn['json'][1:-1]}"
