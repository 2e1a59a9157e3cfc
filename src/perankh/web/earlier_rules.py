"""Tables whose match was begun under other rules or components than those installed now.

A match that has not begun is played under the present rules, if they take its options. One that goes on is refused: only its own
rules could continue it. One that is over is shown out of its archive, by the game's present texts and drawing.
"""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import Connection

from perankh.engine.editions import Edition
from perankh.engine.game import Game, game_at
from perankh.engine.words import LANGUAGES
from perankh.errors import BadComponents, BadFile, BadOption, PerankhError
from perankh.match.archive import ArchivedMatch
from perankh.match.deal import Deal
from perankh.web import catalog, storage
from perankh.web.archives import select_archive
from perankh.web.deal import TableDeal
from perankh.web.position import SPECTATOR
from perankh.web.refusal import WORDS, Refused
from perankh.web.row_validation import stored_forfeits
from perankh.web.services import LOAD, Services


def is_current(row: Any) -> bool:
    """Is a stored table of the rules that are installed? Of an edition the version counts; loading it tells the rest."""
    game = catalog.offered_games().get(row.game)
    return game is not None and row.rules == game.version and bool(row.edition or row.components == game.components_fingerprint)


def refusal_of(key: str, game: Game) -> Refused:
    """A refusal that names the game."""
    return Refused(409, {lang: WORDS.say(key, lang, game=game.words.say("game.name", lang)) for lang in LANGUAGES})


async def game_of(services: Services, row: Any) -> tuple[Game, bytes | None]:
    """The game of a stored table; if its rules have changed, the game that shows it, and its archive."""
    try:
        return await catalog.stored_game(row), None
    except Refused as refusal:
        if refusal.status != 409 or row.game not in catalog.offered_games():
            raise
        if not row.seed:
            return await present_game(services, row), None
        content = await services.storage.read(lambda connection: select_archive(connection, row.id, row.number))
        if content is None:
            key = "changed_rules" if row.readonly or not row.acting else "begun_under_other_rules"
            raise refusal_of(key, catalog.offered(row.game)) from None
        return showing_game(row), content


async def present_game(services: Services, row: Any) -> Game:
    """The game as it is now, for a table whose match has not begun; stored, if it takes the options of the table."""
    game = showing_game(row)
    try:
        game.blank(row.players, json.loads(row.options))
    except (BadOption, ValueError, TypeError, AttributeError):
        raise refusal_of("changed_rules", game) from None
    edition = game.edition.text() if game.edition else None
    facts = {"rules": game.version, "components": game.components_fingerprint, "edition": edition}

    def write(connection: Connection) -> None:
        storage.update_table(connection, row.id, facts)

    await services.storage.write(write, services.storage.epoch)
    return game


def showing_game(row: Any) -> Game:
    """The game as it is now, in the edition of a stored table if it still takes it."""
    game = catalog.offered(row.game)
    try:
        return catalog.loaded_in(game, Edition.of(json.loads(row.edition))) if row.edition else game
    except (Refused, ValueError, BadComponents):
        return game


async def archived_match(services: Services, row: Any, game: Game, content: bytes, names: list[str], deal: Any) -> ArchivedMatch:
    """The match of a table out of its archive; refused if the present game cannot show it."""
    given = (game.place, content, int(row.seed, 16), names, deal)
    try:
        return await services.replay(LOAD, row.id, shown_match, *given)
    except BadFile:
        raise refusal_of("changed_rules", game) from None


def shown_match(place: str, content: bytes, seed: int, names: list[str], deal: Deal | None) -> ArchivedMatch:
    """A match out of its archive, if its positions can be veiled: runs in a worker process."""
    game = game_at(place)
    match = ArchivedMatch(game, content, seed, names, deal)
    try:
        for number in range(match.number + 1):
            state, _ = match.path_to(number)
            for viewer in range(SPECTATOR, match.players):
                game.veiled(state, viewer).to_bytes()
    except Exception as error:  # present rules over a position that they would not have led to
        raise BadFile(f"{game.name} cannot show it: {type(error).__name__}: {error}") from None
    return match


def stored_archive(connection: Connection, row: Any, names: list[str] | None = None) -> ArchivedMatch:
    """The match of a stored table out of its archive, for files and results; refused if there is none, or it cannot be read."""
    content = select_archive(connection, row.id, row.number)
    game = showing_game(row)
    if content is None:
        raise refusal_of("changed_rules", game)
    deal = TableDeal.from_json(row.deal, row.players).made() if row.deal else None
    try:
        match = ArchivedMatch(game, content, int(row.seed, 16), names, deal)
    except PerankhError:
        raise refusal_of("changed_rules", game) from None
    match.forfeits = stored_forfeits(row)
    return match
