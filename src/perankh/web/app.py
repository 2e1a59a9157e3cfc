"""The application: middleware, routes, and what lives as long as the server."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
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
from perankh.web import (
    access,
    alert_routes,
    api,
    archives,
    backup,
    card,
    documents,
    edition_routes,
    guides,
    health,
    hints,
    installable,
    invitation,
    lessons,
    me,
    metrics,
    pages,
    practice,
    preview,
    puzzles,
)
from perankh.web.addresses import Reach
from perankh.web.alerts import Alerts, AlertSettings
from perankh.web.analysis import Analyst
from perankh.web.bans import Bans
from perankh.web.chat import Pace
from perankh.web.cluster import Cluster
from perankh.web.devices import Devices
from perankh.web.editions import Editions
from perankh.web.guard import Guard, answer, costly_buckets
from perankh.web.limits import Buckets, Limits, Shares, Turns
from perankh.web.logs import Observe
from perankh.web.people import People
from perankh.web.refusal import Refused, refused
from perankh.web.scheduler import KnowCaller
from perankh.web.services import REST, Services, when_available
from perankh.web.site import Site, make_site
from perankh.web.storage import Storage
from perankh.web.tables import IDLE, MOST_OWN, Tables
from perankh.web.upkeep import Upkeep
from perankh.web.views import Views
from perankh.web.words import WORDS

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
    reach: Reach | None = None,
    alerts: AlertSettings | None = None,
    idle: float = IDLE,
    away: float = AWAY,
    work_limit: float = WORK_LIMIT,
    workers: int | None = None,
    rest: float = REST,
    elsewhere: bool = False,
    levels: Sequence[str] = (),
    warm: bool = False,
    person_tables: int = MOST_OWN,
    keep_tables: int = 0,
    keep_lobbies: int = 0,
    metrics_token: str | None = None,
    now: Callable[[], float] | None = None,
) -> FastAPI:
    """The web application.

    `data` is a folder for an SQLite file, the address of a database, or a Storage, which is closed at the end. A worker process
    that needs more than `work_limit` seconds for one piece of work is replaced. `workers`: for how many processors there are
    worker processes, all by default. `elsewhere`: machines of their own do the work of bots, hints and analyses. `levels`: of the
    bots that are offered, all by default. `rest`: seconds
    after which the bots of a table that nobody looks at rest. `warm`: compile the search of all games now. `reach`: where
    others find the server; only as a request names it, if nothing is given. `alerts`: how people are called when it is their
    turn. `now`: what the clocks of the tables run by.
    `person_tables`: tables of one person that are not over. `keep_tables`, `keep_lobbies`: days after which tables, and those
    whose match has not begun, are deleted if nothing changes; 0 for never. `metrics_token`: who brings it gets the metrics.
    """
    limits, site, bans = limits or Limits(), site or make_site(), Bans()

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        storage = data if isinstance(data, Storage) else Storage(data)
        services = Services(storage, bot_pause, away, work_limit, workers, rest, now, elsewhere, levels)
        app.state.tables = Tables(services, idle, person_tables)
        app.state.views = Views(services)
        app.state.analyst = Analyst(services)
        app.state.devices = Devices(storage)
        app.state.editions = Editions(services)
        app.state.people = People(app.state.tables, app.state.devices)
        await when_available(app.state.devices.load)
        app.state.previews = preview.Previews(services)
        app.state.alerts = Alerts(services, app.state.tables, alerts or AlertSettings())
        await when_available(app.state.alerts.open)
        if storage.shared:
            services.cluster = Cluster(app.state.tables, app.state.devices, app.state.alerts, shared_limits(app))
            await when_available(services.cluster.open)
        upkeep = Upkeep(app.state.tables, bans, app.state.sockets, keep_tables, keep_lobbies)
        await when_available(upkeep.open)
        app.state.health = health.Health(app.state.tables, app.state.sockets)
        app.state.read_metrics = app.state.health.read_metrics
        services.open(warm)
        if services.cluster:
            services.keep_running(services.cluster.watch)
        services.keep_running(upkeep.watch)
        services.keep_running(partial(archives.watch, services))
        services.keep_running(app.state.alerts.watch)
        services.keep_running(app.state.tables.watch)
        services.keep_running(partial(backup.watch, storage, app.state.tables, app.state.devices))
        yield
        await app.state.tables.keep_alive()
        if services.cluster:
            await services.cluster.close()
        await services.close()
        app.state.alerts.close()
        storage.close()

    app = FastAPI(
        title="Per-Ankh", version=__version__, lifespan=life, docs_url=None, redoc_url=None, openapi_url="/api/openapi.json"
    )
    app.state.allow_seeds = allow_seeds
    app.state.limits = limits
    app.state.metrics_token = metrics_token
    app.state.site = site
    app.state.reach = reach or Reach(site, "127.0.0.1", 0, list)
    app.state.sockets = Shares(limits.all_sockets, limits.sockets)  # open live connections by address
    app.state.addresses, app.state.turns = Buckets(*limits.address), Turns()
    app.state.frames = Buckets(*limits.token)
    app.state.costly, app.state.hint_limits = costly_buckets(limits), Buckets(*hints.RATE)
    app.state.confirmations = Buckets(*alert_routes.CONFIRMATIONS)
    app.state.pace = Pace(limits.chat)
    app.state.password_tries = Buckets(*access.AT_TABLE)
    app.include_router(api.router)
    for part in (
        me,
        invitation,
        lessons,
        practice,
        card,
        preview,
        installable,
        alert_routes,
        edition_routes,
        puzzles,
        health,
        metrics,
        documents,
        pages,
        guides,
    ):
        app.include_router(part.router)
    app.add_exception_handler(Refused, answer_refused)
    app.add_exception_handler(HTTPException, answer_http)
    app.add_exception_handler(RequestValidationError, answer_invalid)
    app.add_exception_handler(ClientDisconnect, answer_gone)
    app.add_middleware(GZipMiddleware, minimum_size=LEAST_COMPRESSED, compresslevel=COMPRESSION)
    app.add_middleware(KnowCaller)
    shared = {"addresses": app.state.addresses, "turns": app.state.turns, "costly": app.state.costly}
    app.add_middleware(Guard, limits=limits, site=site, bans=bans, **shared)
    app.add_middleware(Observe, site=site)
    return app


def shared_limits(app: FastAPI) -> dict[str, Buckets]:
    """What servers on one database count together, by name: all but requests and frames."""
    its, pace = app.state, app.state.pace
    found: dict[str, Buckets] = {"confirmations": its.confirmations, "hint_limits": its.hint_limits}
    found |= {"password_tries": its.password_tries, "chat_persons": pace.persons, "chat_addresses": pace.addresses}
    found |= its.costly
    return found


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
    no_docs = error.status_code == 404 and request.url.path.startswith("/docs/") and not documents.is_built()
    detail = WORDS.say("page.no_docs", pages.language(request)) if no_docs else None
    return pages.error_page(request, error.status_code, detail)


def answer_invalid(_: Request, error: Exception) -> Response:
    """A request that is not of the form asked for: says where it is wrong."""
    assert isinstance(error, RequestValidationError)
    first: dict[str, Any] = next(iter(error.errors()), {})
    where = ".".join(str(part) for part in first.get("loc", ())[1:])
    return answer(refused(422, "bad_request", what=f"{where}: {first.get('msg', '')}"))
