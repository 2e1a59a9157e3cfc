"""Editions: printed numbers that an owner of a box has corrected. Each belongs to whoever made it; whoever has its id can use it.

The numbers are tried before they are kept: the game's rules judge them, and a few matches are played with them in a worker
process. A table stores the edition it is played with, so that it goes on when somebody changes or deletes the edition.
"""

from __future__ import annotations

import json
import random
import secrets
import time
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from perankh.bots import game_at
from perankh.engine.editions import UNPLAYABLE, Edition, judged_by_rules
from perankh.engine.game import Game, game_with
from perankh.engine.printed_text import fill
from perankh.engine.words import LANGUAGES
from perankh.errors import BadComponents, BadFile, BadGame, BadOption
from perankh.match.file import edition_text, parse_edition
from perankh.scene import draw
from perankh.web import catalog
from perankh.web.printed import piece_names
from perankh.web.refusal import Refused, because, refused
from perankh.web.scheduler import Kind
from perankh.web.services import Services
from perankh.web.storage import editions
from perankh.workers import WorkerFailed

MOST_OWN = 20  # editions of one person
MOST = 50_000  # editions of a server: one address would need a month to make so many
LARGEST = 20_000  # bytes of an edition
SHOWN_SEED = 7  # of the position beside the numbers
TRIED_MOVES = 300  # of a match with the new numbers
DRAW_EVERY = 60  # of these moves
DRAFT = Kind("replaying", 20.0, waiting=3)
TRIAL = Kind("replaying", 40.0, waiting=2)


class Editions:
    """The editions of a server."""

    def __init__(self, services: Services) -> None:
        self.services = services

    async def own(self, person: str | None) -> list[dict[str, Any]]:
        """What somebody has made, the newest first."""
        wanted = sa.select(editions).where(editions.c.owner == person).order_by(editions.c.updated.desc(), editions.c.id)
        rows = await self.services.storage.read(lambda connection: connection.execute(wanted).all()) if person else []
        return [{"id": row.id, "game": row.game, "name": row.name, "updated": row.updated} for row in rows]

    async def find(self, id: str) -> tuple[str, str | None, Edition]:
        """An edition by its id: its game, whose it is, and itself."""
        wanted = sa.select(editions).where(editions.c.id == id)
        row = await self.services.storage.read(lambda connection: connection.execute(wanted).first())
        if row is None:
            raise refused(404, "no_edition")
        return row.game, row.owner, Edition.of(json.loads(row.content))

    async def game(self, name: str, id: str | None) -> Game:
        """A game in the edition of this id, or as it is."""
        game = catalog.offered(name)
        if id is None:
            return game
        made_for, _, edition = await self.find(id)
        if made_for != name:
            raise refused(422, "edition_of_other_game")
        return await catalog.in_edition(game, edition)

    async def keep(self, person: str, name: str, edition: Edition, id: str | None = None) -> str:
        """Keep an edition after it was tried: a new one, or an own one with other numbers."""
        game = catalog.offered(name)
        if not edition.changes:
            raise refused(422, "empty_edition")
        if len(edition.text().encode()) > LARGEST:
            raise refused(422, "large_edition", limit=LARGEST)
        if id is not None:
            made_for, owner, _ = await self.find(id)
            if owner != person:
                raise refused(403, "not_your_edition")
            if made_for != name:
                raise refused(422, "edition_of_other_game")
        await self.work(TRIAL, tried, game.place, edition)
        facts = {"game": name, "name": edition.name, "content": edition.text(), "updated": time.time()}
        new = secrets.token_urlsafe(9)

        def write(connection: Connection) -> str:
            if id is not None:
                mine = sa.and_(editions.c.id == id, editions.c.owner == person)
                if not connection.execute(editions.update().where(mine).values(**facts)).rowcount:
                    raise refused(404, "no_edition")
                return id
            count = sa.select(sa.func.count()).select_from(editions)
            if connection.execute(count.where(editions.c.owner == person)).scalar_one() >= MOST_OWN:
                raise refused(409, "many_editions", limit=MOST_OWN)
            if connection.execute(count).scalar_one() >= MOST:
                raise refused(409, "no_room_for_editions")
            connection.execute(editions.insert().values(id=new, owner=person, created=facts["updated"], **facts))
            return new

        return await self.services.storage.write(write)

    async def delete(self, person: str | None, id: str) -> None:
        """Delete an own edition. Tables that are played with it go on."""
        _, owner, _ = await self.find(id)
        if owner is None or owner != person:
            raise refused(403, "not_your_edition")
        await self.services.storage.write(lambda connection: connection.execute(editions.delete().where(editions.c.id == id)))

    async def draft(self, name: str, edition: Edition, players: int, options: dict[str, Any], lang: str) -> dict[str, Any]:
        """The board at the start of a match with these numbers, and what the pieces say that say something else with them."""
        made: dict[str, Any] = await self.work(DRAFT, drawn, catalog.offered(name).place, edition, players, options, lang)
        return made

    async def file(self, id: str) -> tuple[str, str]:
        """The name of an edition's game, and the edition as a file."""
        name, _, edition = await self.find(id)
        text: str = await self.work(DRAFT, filed, catalog.offered(name).place, edition)
        return name, text

    async def work(self, kind: Kind, function: Any, *given: Any) -> Any:
        """What a worker process makes of numbers; refused with the reason, and where it lies, if they cannot be played."""
        try:
            return await self.services.run(kind, "", function, *given)
        except BadComponents as error:
            raise unplayable(error) from None
        except BadOption as error:
            raise because(422, error) from None
        except WorkerFailed:
            raise Refused(422, UNPLAYABLE) from None


def unplayable(error: BadComponents) -> Refused:
    """The refusal of numbers, with the table and the entry at fault."""
    return Refused(422, error.reason, table=error.table, key=error.key)


def read_file(text: str) -> tuple[str, Edition]:
    """The name of the game and the edition in a file, which may come from anybody."""
    try:
        return parse_edition(text)
    except BadFile as error:
        raise refused(422, "bad_edition_file", what=error) from None


# --- In worker processes ------------------------------------------------------------------------------------------------------


def loaded(place: str, edition: Edition) -> Game:
    """A game in an edition that is only tried."""
    return game_with(game_at(place), edition if edition.changes else None, keep=False)


def filed(place: str, edition: Edition) -> str:
    """An edition as a file, with the version of the rules and the fingerprint of its numbers."""
    return edition_text(loaded(place, edition))


def drawn(place: str, edition: Edition, players: int, options: dict[str, Any], lang: str) -> dict[str, Any]:
    """The board at the start of a match, as the first player sees it, and what the changed pieces say."""
    game = loaded(place, edition)
    with judged_by_rules(game.edition):
        seen = game.veiled(game.new_state(players, SHOWN_SEED, options), 0)
        before, now = (piece_names(of, lang) for of in (game_at(place), game))
        picture = draw(game.drawing.scene(seen, 0, lang, "wide"), game.art, game.text.board(seen, 0, lang))
    return {"picture": picture, "called": {name: called for name, called in now.items() if before.get(name) != called}}


def tried(place: str, edition: Edition) -> str:
    """Play with every number of players, drawing and reading out some positions; the file of the edition."""
    game = loaded(place, edition)
    try:
        read_texts(game)
    except BadGame as error:
        piece = next((name for name in edition.changes if name in str(error)), "")
        reason = {lang: refused(422, "edition_guide").reason[lang] for lang in LANGUAGES}
        raise BadComponents(f"the guide names what is not there: {error}", piece, reason=reason) from None
    with judged_by_rules(edition):
        for players in game.players:
            state, chance = game.new_state(players, SHOWN_SEED), random.Random(players)
            for number in range(TRIED_MOVES):
                acting = game.actors(state)
                if number % DRAW_EVERY == 0 or not acting:
                    show(game, state)
                if not acting:
                    break
                game.apply(state, acting[0], chance.choice(game.legal(state, acting[0])))
    return edition_text(game) if game.edition else ""


def read_texts(game: Game) -> None:
    """Fill the numbers into guide and card in every language."""
    for lang in LANGUAGES:
        guide = game.folder / f"guide.{lang}.md"
        texts = [guide.read_text("utf-8")] if guide.is_file() else []
        if game.card:
            texts += [line for part in game.card.parts.values() for line in part[lang]]
            texts += [detail.text[lang] for detail in game.card.details]
        for text in texts:
            fill(game, text, lang)


def show(game: Game, state: Any) -> None:
    """Draw a position and read it out in every language."""
    seen = game.veiled(state, 0)
    for lang in LANGUAGES:
        game.drawing.scene(seen, 0, lang, "wide")
        game.text.board(seen, 0, lang)
