"""The application: middleware, routes, and what lives as long as the server."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from perankh import __version__
from perankh.engine.words import LANGUAGES
from perankh.web import api, backup, hints, pages
from perankh.web.analysis import Analyst
from perankh.web.guard import Guard, answer
from perankh.web.limits import Buckets, Limits, Shares
from perankh.web.refusal import Refused, refused
from perankh.web.scheduler import KnowCaller
from perankh.web.services import REST, Services
from perankh.web.site import Site, make_site
from perankh.web.storage import Storage
from perankh.web.tables import IDLE, Tables
from perankh.web.views import Views

AWAY = 120.0  # seconds after which a person counts as away, unless the table says otherwise
WORK_LIMIT = 60.0
LEAST_COMPRESSED = 1000  # bytes of an answer that are worth compressing
COMPRESSION = 4  # a higher level takes more time and saves little


def create_app(
    data: Path | str | Storage,
    *,
    allow_seeds: bool = False,
    bot_pause: tuple[float, float] = (0.6, 1.2),
    limits: Limits | None = None,
    site: Site | None = None,
    idle: float = IDLE,
    away: float = AWAY,
    work_limit: float = WORK_LIMIT,
    workers: int | None = None,
    rest: float = REST,
    warm: bool = False,
) -> FastAPI:
    """The web application.

    `data` is a folder for an SQLite file, the address of a database, or a Storage, which is closed at the end. A worker process
    that needs more than `work_limit` seconds for one piece of work is replaced. `workers`: for how many processors there are
    worker processes, all by default. `rest`: seconds after which the bots of a table that nobody looks at rest. `warm`: compile
    the search of all games now.
    """
    limits, site = limits or Limits(), site or make_site()

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        storage = data if isinstance(data, Storage) else Storage(data)
        services = Services(storage, bot_pause, away, work_limit, workers, rest)
        app.state.tables = Tables(services, idle)
        app.state.views = Views(services)
        app.state.analyst = Analyst(services)
        app.state.hint_limits = Buckets(*hints.RATE)
        services.open(warm)
        services.start(app.state.tables.watch())
        services.start(backup.watch(storage, app.state.tables))
        yield
        await app.state.tables.keep_alive()
        await services.close()
        storage.close()

    app = FastAPI(
        title="Per-Ankh", version=__version__, lifespan=life, docs_url=None, redoc_url=None, openapi_url="/api/openapi.json"
    )
    app.state.allow_seeds = allow_seeds
    app.state.limits = limits
    app.state.site = site
    app.state.sockets = Shares(limits.all_sockets, limits.sockets)  # open live connections by address
    app.state.addresses = Buckets(*limits.address)
    app.state.frames = Buckets(*limits.token)
    app.include_router(api.router)
    app.include_router(pages.router)
    app.add_exception_handler(Refused, answer_refused)
    app.add_exception_handler(HTTPException, answer_http)
    app.add_exception_handler(RequestValidationError, answer_invalid)
    app.add_exception_handler(ClientDisconnect, answer_gone)
    app.add_middleware(GZipMiddleware, minimum_size=LEAST_COMPRESSED, compresslevel=COMPRESSION)
    app.add_middleware(KnowCaller)
    app.add_middleware(Guard, limits=limits, site=site, addresses=app.state.addresses)
    return app


# --- Answers to what is refused -----------------------------------------------------------------------------------------------


def answer_refused(_: Request, error: Exception) -> Response:
    """What the table refused."""
    assert isinstance(error, Refused)
    return answer(error)


def answer_gone(_: Request, error: Exception) -> Response:  # noqa: ARG001
    """The connection ended before the body was complete; nobody reads this."""
    return Response(status_code=400)


def answer_http(request: Request, error: Exception) -> Response:
    """What the framework refused: JSON for programs, a page for people."""
    assert isinstance(error, HTTPException)
    if request.url.path.startswith("/api/") or request.method not in ("GET", "HEAD"):
        known = refused(404, "no_page") if error.status_code == 404 else None
        return answer(known or Refused(error.status_code, dict.fromkeys(LANGUAGES, str(error.detail))))
    return pages.error_page(request, error.status_code)


def answer_invalid(_: Request, error: Exception) -> Response:
    """A request that is not of the form asked for: says where it is wrong."""
    assert isinstance(error, RequestValidationError)
    first: dict[str, Any] = next(iter(error.errors()), {})
    where = ".".join(str(part) for part in first.get("loc", ())[1:])
    return answer(refused(422, "bad_request", what=f"{where}: {first.get('msg', '')}"))
