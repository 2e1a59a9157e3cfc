"""The application: middleware, routes, and what lives as long as the server."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import AsyncIterator, MutableMapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import orjson
from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from sqlalchemy.exc import SQLAlchemyError
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from perankh import __version__
from perankh.engine.words import LANGUAGES
from perankh.web import api, hints, pages
from perankh.web.analysis import Analyst
from perankh.web.identity import who_is
from perankh.web.limits import Buckets, Limits
from perankh.web.refusal import Refused, refused
from perankh.web.services import Services
from perankh.web.storage import Storage
from perankh.web.tables import IDLE, Tables
from perankh.web.views import Views

POLICY = (
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "x-frame-options": "DENY",
}
AWAY = 120.0  # seconds after which a person counts as away, unless the table says otherwise
WORK_LIMIT = 60.0
CHANGING = ("POST", "PUT", "PATCH", "DELETE")


def create_app(
    data: Path | str,
    *,
    allow_seeds: bool = False,
    bot_pause: tuple[float, float] = (0.6, 1.2),
    limits: Limits | None = None,
    idle: float = IDLE,
    away: float = AWAY,
    work_limit: float = WORK_LIMIT,
    warm: bool = False,
) -> FastAPI:
    """The web application.

    `data` is a folder for an SQLite file, or the address of a database. A worker process that needs more than `work_limit`
    seconds for one piece of work is replaced. `warm`: compile the search of all games now.
    """
    limits = limits or Limits()

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        storage = Storage(data)
        services = Services(storage, bot_pause, away, work_limit)
        app.state.tables = Tables(services, idle)
        app.state.views = Views(services)
        app.state.analyst = Analyst(services)
        app.state.hint_limits = Buckets(*hints.RATE)
        services.open(warm)
        services.start(app.state.tables.watch())
        yield
        await app.state.tables.keep_alive()
        app.state.analyst.close()
        await services.close()
        storage.close()

    app = FastAPI(
        title="Per-Ankh", version=__version__, lifespan=life, docs_url=None, redoc_url=None, openapi_url="/api/openapi.json"
    )
    app.state.allow_seeds = allow_seeds
    app.state.limits = limits
    app.state.sockets = Counter()  # open live connections by address
    app.state.frames = Buckets(*limits.token)
    app.include_router(api.router)
    app.include_router(pages.router)
    app.add_exception_handler(Refused, answer_refused)
    app.add_exception_handler(SQLAlchemyError, answer_storage)
    app.add_exception_handler(HTTPException, answer_http)
    app.add_exception_handler(RequestValidationError, answer_invalid)
    app.add_middleware(Guard, limits=limits)
    return app


# --- Answers to what is refused -----------------------------------------------------------------------------------------------


def answer(refusal: Refused) -> Response:
    """A refusal as JSON."""
    return Response(orjson.dumps(refusal.json()), refusal.status, media_type="application/json")


def answer_refused(_: Request, error: Exception) -> Response:
    """What the table refused."""
    assert isinstance(error, Refused)
    return answer(error)


def answer_storage(_: Request, error: Exception) -> Response:
    """The database does not answer."""
    logging.getLogger(__name__).error("storage: %s", error)
    return answer(refused(503, "storage"))


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


# --- Middleware ----------------------------------------------------------------------------------------------------------------


class Guard:
    """Middleware before everything else: sizes, rates, foreign sites, and the headers of every answer."""

    def __init__(self, app: ASGIApp, limits: Limits) -> None:
        self.app = app
        self.limits = limits
        self.tokens = Buckets(*limits.token)
        self.addresses = Buckets(*limits.address)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or refuse it."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        try:
            self.check(scope)
        except Refused as refusal:
            if scope["type"] == "websocket":
                await refuse_socket(refusal, receive, send)
            else:
                await answer(refusal)(scope, receive, with_headers(send))
            return
        if scope["type"] == "websocket":
            await self.app(scope, receive, send)
        else:
            await self.app(scope, self.measured(receive), with_headers(send))

    def check(self, scope: Scope) -> None:
        """Raise what speaks against a request before its body is read."""
        headers = Headers(scope=scope)
        address = (scope.get("client") or ("",))[0]
        if not self.addresses.take(address):
            raise refused(429, "too_many")
        changing = scope["type"] == "websocket" or scope["method"] in CHANGING
        if changing and not same_origin(headers):
            raise refused(403, "other_origin")
        if scope["type"] == "http":
            length = headers.get("content-length", "0")
            if not length.isdecimal() or len(length) > 12 or int(length) > self.limits.body:
                raise refused(413, "too_large", limit=self.limits.body)
        if scope["path"].startswith("/api/"):
            who = who_is(HTTPConnection(scope))
            if who and not self.tokens.take(who):
                raise refused(429, "too_many")

    def measured(self, receive: Receive) -> Receive:
        """The body of a request, up to its limit."""
        taken = 0

        async def limited() -> Message:
            nonlocal taken
            message = await receive()
            taken += len(message.get("body", b""))
            if taken > self.limits.body:
                raise HTTPException(413, refused(413, "too_large", limit=self.limits.body).reason["en"])
            return message

        return limited


def same_origin(headers: Headers) -> bool:
    """Does the request come from our own pages, or from a program (which names no origin)?"""
    origin = headers.get("origin")
    if origin is None:
        return True
    try:
        return urlsplit(origin).netloc.lower() == headers.get("host", "").lower() != ""
    except ValueError:
        return False


def with_headers(send: Send) -> Send:
    """Every answer gets the common headers, unless it brings its own."""

    async def sending(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            if message["status"] == 429:
                headers.setdefault("retry-after", "1")
        await send(message)

    return sending


async def refuse_socket(refusal: Refused, receive: Receive, send: Send) -> None:
    """Refuse a live connection before it is open."""
    await receive()
    await send({"type": "websocket.close", "code": 1008, "reason": refusal.reason["en"][:100]})
