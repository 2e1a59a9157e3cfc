"""The picture of a table that chats show beside its link: the position as a spectator sees it, or the cover before the deal.

Chats show PNG only. A worker process makes the picture from the state that is veiled for spectators. It is kept as long as the
position stands, and few are kept.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections import OrderedDict
from typing import Any

from fastapi import APIRouter, Request, Response

from perankh.bots import restored
from perankh.engine.words import seats_called
from perankh.scene import draw
from perankh.scene.png import png
from perankh.web import catalog
from perankh.web.identity import who_is
from perankh.web.position import SPECTATOR
from perankh.web.refusal import refused
from perankh.web.scheduler import Kind
from perankh.web.services import Services
from perankh.web.table import Table
from perankh.workers import WorkerFailed

WIDTH = 800  # pixels; Nile Mural takes 1.7 s of a processor at this width, and twice that at 1200
MOST_KEPT = 64  # pictures, of about 200 kB each
PREVIEW = Kind("replaying", 30.0, waiting=2, at_table=1)

router = APIRouter(include_in_schema=False)
Key = tuple[str, bytes, str]  # table or game, fingerprint of what is seen, language


def picture_of(folder: str, record: bytes, lang: str) -> bytes:
    """The picture of a veiled state: runs in a worker process."""
    game, state = restored(folder, record)
    with seats_called(()):
        return png(draw(game.drawing.scene(state, SPECTATOR, lang, "wide"), game.art), WIDTH)


def cover_of(name: str, lang: str) -> bytes:
    """The picture that stands for a game: runs in a worker process."""
    return png(catalog.cover(catalog.offered(name), lang), WIDTH)


class Previews:
    """The pictures made lately. Whoever asks for one that is being made waits for the same work."""

    def __init__(self, services: Services) -> None:
        self.services = services
        self.kept: OrderedDict[Key, asyncio.Task[bytes]] = OrderedDict()

    async def of(self, table: Table, lang: str) -> bytes:
        """The picture of a table as it stands."""
        await table.hold_back(None)
        if table.dealt is None or table.password is not None:  # pictures are kept by others, and may be passed on
            return await self.picture((table.game.name, b"", lang), "", cover_of, table.game.name, lang)
        seen = table.position.seen_by(SPECTATOR).to_bytes()
        key = (table.id, hashlib.sha256(seen).digest(), lang)
        return await self.picture(key, table.id, picture_of, table.game.place, seen, lang)

    async def picture(self, key: Key, table: str, *work: Any) -> bytes:
        """A picture that is kept, or made now."""
        found = self.kept.get(key)
        if found is None or (found.done() and (found.cancelled() or found.exception())):
            for old in [old for old in self.kept if old[0] == key[0] and old[2] == key[2]]:
                del self.kept[old]
            found = self.kept[key] = self.services.start(self.services.run(PREVIEW, table, *work))
        self.kept.move_to_end(key)
        while len(self.kept) > MOST_KEPT:
            self.kept.popitem(last=False)
        try:
            return await asyncio.shield(found)
        except WorkerFailed:
            raise refused(503, "no_view") from None


@router.get("/t/{table}/preview.png")
async def preview(request: Request, table: str, lang: str = "en") -> Response:
    """The picture of a table for link previews."""
    found = await request.app.state.tables.get(table, who_is(request))
    previews: Previews = request.app.state.previews
    picture = await previews.of(found, catalog.checked_format(lang, "wide")[0])
    return Response(picture, media_type="image/png", headers={"cache-control": "public, max-age=60"})
