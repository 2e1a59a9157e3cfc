"""The page on which an owner of a box corrects printed numbers, and the routes of editions under /api/editions."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request, Response
from markupsafe import Markup
from pydantic import Field

from perankh.engine.editions import LONGEST_NAME, MOST_CHANGES, Edition
from perankh.engine.game import Game
from perankh.errors import BadComponents
from perankh.match.file import edition_text
from perankh.web import catalog, pages
from perankh.web.api import Body, Name, plain, table_of
from perankh.web.editions import LARGEST, Editions, read_file, unplayable
from perankh.web.identity import Visitor, who_is
from perankh.web.printed import sections, word_meanings
from perankh.web.refusal import Refused, refused

router = APIRouter()
EditionId = Annotated[str, Path(max_length=12)]


class EditionWanted(Body):
    """An edition: a name, and the numbers that are otherwise, by their dotted names; none: there is no such number."""

    game: Name
    name: Name
    changes: dict[str, int | str | list[int] | list[str] | None] = Field(max_length=MOST_CHANGES)

    def made(self) -> Edition:
        """The edition itself."""
        return checked(self.name, self.changes)


class DraftWanted(Body):
    """Numbers to look at: the board at the start of a match with so many players and these options."""

    game: Name
    changes: dict[str, int | str | list[int] | list[str] | None] = Field(max_length=MOST_CHANGES)
    players: int = Field(ge=1, le=99)
    options: dict[str, str | int | bool] = Field(default_factory=dict, max_length=50)
    lang: Name = "en"


def checked(name: str, changes: dict[str, Any]) -> Edition:
    """An edition of the right form."""
    try:
        return Edition.of({"name": name, "changes": changes})
    except BadComponents as error:
        raise unplayable(error) from None


def editions_of(request: Request) -> Editions:
    """The editions of this server."""
    editions: Editions = request.app.state.editions
    return editions


# --- The API -------------------------------------------------------------------------------------------------------------------


@router.get("/api/editions")
async def own_editions(request: Request) -> Response:
    """The editions that one has made, the newest first."""
    return plain(await editions_of(request).own(who_is(request)))


@router.post("/api/editions", status_code=201)
async def new_edition(request: Request, response: Response, wanted: EditionWanted) -> dict[str, Any]:
    """Keep an edition."""
    visitor, editions = Visitor(request), editions_of(request)
    id = await editions.services.finish(editions.keep(visitor.who, wanted.game, wanted.made()))
    return visitor.welcome(response, {"id": id})


@router.post("/api/editions/draft")
async def draft(request: Request, wanted: DraftWanted) -> Response:
    """Look at numbers without keeping them."""
    lang = catalog.checked_format(wanted.lang, "wide")[0]
    edition = checked("draft", wanted.changes)
    return plain(await editions_of(request).draft(wanted.game, edition, wanted.players, dict(wanted.options), lang))


@router.post("/api/editions/file")
async def read_edition(request: Request) -> Response:
    """The edition in a file, to be looked at; nothing is kept."""
    body = await request.body()
    if len(body) > 2 * LARGEST:
        raise refused(413, "large_edition", limit=2 * LARGEST)
    try:
        game, edition = read_file(body.decode("utf-8"))
    except UnicodeDecodeError:
        raise refused(422, "bad_edition_file", what="UTF-8") from None
    return plain({"game": catalog.offered(game).name, **edition.json()})


@router.get("/api/editions/{edition}")
async def edition_facts(request: Request, edition: EditionId) -> Response:
    """An edition by its id."""
    game, owner, found = await editions_of(request).find(edition)
    return plain({"id": edition, "game": game, **found.json(), "mine": owner == who_is(request)})


@router.put("/api/editions/{edition}")
async def change_edition(request: Request, edition: EditionId, wanted: EditionWanted) -> dict[str, Any]:
    """Give an own edition another name and other numbers."""
    visitor, editions = Visitor(request), editions_of(request)
    await editions.services.finish(editions.keep(visitor.who, wanted.game, wanted.made(), edition))
    return {"id": edition}


@router.delete("/api/editions/{edition}")
async def delete_edition(request: Request, edition: EditionId) -> dict[str, Any]:
    """Delete an own edition."""
    await editions_of(request).delete(who_is(request), edition)
    return {"deleted": edition}


@router.get("/api/editions/{edition}/file")
async def edition_file(request: Request, edition: EditionId) -> Response:
    """An edition as a file."""
    game, text = await editions_of(request).file(edition)
    return as_file(text, game)


@router.get("/api/tables/{table}/edition")
async def table_edition(request: Request, table: str) -> Response:
    """The edition with which a table is played, as a file."""
    found = await table_of(request, table)
    if not found.game.edition:
        raise refused(404, "no_edition")
    return as_file(edition_text(found.game), found.game.name)


def as_file(text: str, game: str) -> Response:
    """A file to be kept."""
    headers = {"content-disposition": f'attachment; filename="{game}-edition.perankh"'}
    return Response(text, media_type="text/plain; charset=utf-8", headers=headers)


# --- The page ------------------------------------------------------------------------------------------------------------------


@lru_cache
def numbers(game: Game, lang: str) -> Markup:
    """The fields for all printed numbers of a game. They are many, and the same for everybody."""
    assert game.components
    known = word_meanings(game.components, game.words, lang)
    return Markup(pages.fragment("numbers.html", lang, sections=sections(game, lang), known=known))


@router.get("/box/{game}", include_in_schema=False)
async def box_page(request: Request, game: str, edition: str = "") -> Response:
    """Correct the printed numbers of a game, beside its board."""
    lang = pages.language(request)
    shown = pages.offer(game, lang)
    if not shown.game.components:
        return pages.error_page(request, 404)
    given: dict[str, Any] | None = None
    editions = editions_of(request)
    if edition:
        try:
            made_for, owner, found = await editions.find(edition[:12])
        except Refused as refusal:
            return pages.error_page(request, refusal.status, refusal.reason[lang])
        if made_for != game:
            return pages.error_page(request, 404)
        given = {"id": edition[:12], **found.json(), "mine": owner == who_is(request)}
    own = [one for one in await editions.own(who_is(request)) if one["game"] == game]
    values: dict[str, Any] = {
        "numbers": numbers(shown.game, lang),
        "edition": given,
        "given": pages.in_script(given),
        "own": own,
        "longest": LONGEST_NAME,
        "choices": [option for option in shown.variants if option["kind"] == "choice"],
    }
    return pages.page(request, "box.html", offer=shown, **values)
