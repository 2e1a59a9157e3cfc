"""What every request passes first: names of the server, foreign sites, rates and sizes; and the headers of every answer."""

from __future__ import annotations

import asyncio
import logging
import math
import re
from collections.abc import Mapping, MutableMapping
from typing import Any

import orjson
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from perankh.web import pages
from perankh.web.bans import Bans
from perankh.web.identity import meet, who_is
from perankh.web.limits import Buckets, Limits, Turns
from perankh.web.refusal import Refused, refused
from perankh.web.site import Site, group

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
    "cache-control": "private, no-store",  # unless the answer says otherwise: views are different for everybody
}
CHANGING = ("POST", "PUT", "PATCH", "DELETE")
OWN_PAGES = ("same-origin", "none")  # values of Sec-Fetch-Site
COSTLY = (  # what an address may do less often than other requests
    ("tables", "POST", re.compile(r"/api/tables/?|/api/tables/[^/]+/(rematch|practice)|/api/lessons/[^/]+")),
    ("uploads", "POST", re.compile(r"/api/replays")),
    ("passwords", "POST", re.compile(r"/api/tables/[^/]+/enter")),
    ("passwords", "PATCH", re.compile(r"/api/tables/[^/]+")),
    ("alerts", "POST", re.compile(r"/api/alerts/channels")),
    ("hints", "POST", re.compile(r"/api/tables/[^/]+/(hint|advice)")),
    ("entries", "POST", re.compile(r"/api/me/(join|code|recovery|passkeys(/(options|challenge))?)")),
    ("entries", "DELETE", re.compile(r"/api/me")),
    ("profiles", "PATCH", re.compile(r"/api/(me|alerts)")),
    ("editions", "POST", re.compile(r"/api/editions(/.*)?")),
    ("editions", "PUT", re.compile(r"/api/editions/[^/]+")),
    ("new_editions", "POST", re.compile(r"/api/editions")),
    ("exports", "POST", re.compile(r"/api/me/export")),
)
MOVE = re.compile(r"/api/tables/[^/]+/moves")

logger = logging.getLogger(__name__)


def answer(refusal: Refused) -> Response:
    """A refusal as JSON."""
    return Response(orjson.dumps(refusal.json()), refusal.status, media_type="application/json")


def costly_buckets(limits: Limits) -> dict[str, Buckets]:
    """What each address may do less often than other requests, by name."""
    return {name: Buckets(*getattr(limits, name)) for name, *_ in COSTLY}


class Guard:
    """Middleware before everything else."""

    def __init__(
        self,
        app: ASGIApp,
        limits: Limits,
        site: Site,
        addresses: Buckets,
        turns: Turns,
        bans: Bans,
        costly: Mapping[str, Buckets],
    ) -> None:
        self.app = app
        self.limits = limits
        self.site = site
        self.bans = bans
        self.addresses, self.turns = addresses, turns  # shared with the frames of live connections
        self.costly = costly
        self.tokens = Buckets(*limits.token)
        self.warned = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or refuse it."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        self.set_client(scope, headers)
        self.leave_root(scope)
        if scope["type"] == "http":
            receive, send = self.measured(receive), with_headers(send)
        try:
            await self.turns.wait(scope["state"]["address"], is_move(scope))
            try:
                self.check(scope, headers)
                await meet(HTTPConnection(scope))
            except Refused as refusal:
                await self.refusal(scope, headers, refusal)(scope, receive, send)
                return
            await self.app(scope, receive, send)
        except asyncio.CancelledError:
            if scope["type"] != "http":
                raise
            # The server stops, and this request would take too long. What it began may still be stored.
            await self.refusal(scope, headers, refused(503, "stopping"))(scope, receive, send)

    def set_client(self, scope: Scope, headers: Headers) -> None:
        """Replace address and scheme by what a trusted proxy says."""
        peer, port = scope.get("client") or ("", 0)
        forwarded, scheme = headers.getlist("x-forwarded-for"), headers.get("x-forwarded-proto", "").rpartition(",")[2].strip()
        if self.site.trusts(peer):
            client = self.site.client(peer, forwarded)
            scope["client"] = (client, port if client == peer else 0)
            if scheme in ("http", "https"):
                scope["scheme"] = scheme if scope["type"] == "http" else {"http": "ws", "https": "wss"}[scheme]
        elif forwarded and peer and not self.warned:  # without a peer, the connection has ended already
            self.warned = True
            logger.warning("X-Forwarded-For from %s is not believed; if that is your proxy, name it with --trusted-proxy", peer)
        scope.setdefault("state", {})["address"] = group(scope["client"][0] if scope.get("client") else "")

    def leave_root(self, scope: Scope) -> None:
        """Take the folder of the public address off the path, if the proxy has not."""
        root = self.site.root
        if root and (scope["path"] == root or scope["path"].startswith(f"{root}/")):
            scope["path"] = scope["path"][len(root) :] or "/"
            scope["raw_path"] = scope["path"].encode()

    def check(self, scope: Scope, headers: Headers) -> None:
        """Raise what speaks against a request before its body is read."""
        address, path, host = scope["state"]["address"], scope["path"], headers.get("host", "")
        if self.bans.cover(address):
            raise refused(403, "banned")
        take(self.addresses, address)
        if not path.isprintable():  # routes are found by patterns that overlook a line end: the limits below would not
            raise refused(404, "no_page")
        if not self.site.knows(host) and not path.startswith(("/static/", "/health/")):
            raise refused(421, "other_host", host=host[:100])
        changing = scope["type"] == "websocket" or scope["method"] in CHANGING
        if changing and not self.is_own(headers, host):
            raise refused(403, "other_origin")
        if scope["type"] == "http":
            length = headers.get("content-length", "0")
            if not length.isdecimal() or len(length) > 12 or int(length) > self.limits.body:
                raise refused(413, "too_large", limit=self.limits.body)
        if path.startswith("/api/"):
            who = who_is(HTTPConnection(scope))
            if who:
                take(self.tokens, who)
        if scope["type"] == "http":
            for name, method, pattern in COSTLY:
                if scope["method"] == method and pattern.fullmatch(path):
                    take(self.costly[name], address)

    def is_own(self, headers: Headers, host: str) -> bool:
        """Does a request come from our own pages, or from a program (which names no origin)?"""
        origins, site = headers.getlist("origin"), headers.get("sec-fetch-site", "none")
        return site in OWN_PAGES and all(self.site.is_own(origin, host) for origin in origins)

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

    def refusal(self, scope: Scope, headers: Headers, refusal: Refused) -> Response:
        """A refusal: a page for people, JSON for programs."""
        people = scope["type"] == "http" and scope["method"] == "GET" and "text/html" in headers.get("accept", "")
        if people and not scope["path"].startswith("/api/"):
            request = Request(scope)
            response: Response = pages.error_page(request, refusal.status, refusal.reason[pages.language(request)])
        else:
            response = answer(refusal)
        if "retry_after" in refusal.facts:
            response.headers["retry-after"] = str(refusal.facts["retry_after"])
        return response


def is_move(scope: Scope) -> bool:
    """Is this the request that makes a move?"""
    return scope["type"] == "http" and scope["method"] == "POST" and MOVE.fullmatch(scope["path"]) is not None


def take(buckets: Buckets, key: str) -> None:
    """Take one from a bucket, or refuse and say how long to wait."""
    if not buckets.take(key):
        reason = refused(429, "too_many").reason
        raise Refused(429, reason, retry_after=max(1, math.ceil(buckets.wait(key))))


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
