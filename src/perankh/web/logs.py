"""Log lines and the access log: plain or JSON, each with the id of its request, and never with a secret in it."""

from __future__ import annotations

import json
import logging
import re
import secrets
import sys
import time
from contextvars import ContextVar
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from perankh.web import metrics, traces
from perankh.web.site import Site, group

REQUEST_ID = re.compile(r"[A-Za-z0-9_.-]{8,64}")
# What must not be in a log, whatever the message is: tokens and secrets of links (43 characters), bearers, passwords.
SECRETS = (
    (re.compile(r"(?i)\b(bearer|basic)\s+[^\s\"',]+"), r"\1 (secret)"),
    (re.compile(r"(?<![A-Za-z0-9_-])[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])"), "(secret)"),
    (re.compile(r"(?<=://)([^\s/@:]*):[^\s/@]+@"), r"\1:(secret)@"),
    (re.compile(r"(?i)\b((?:smtp_|metrics_)?(?:password|token|secret))(\"?\s*[=:]\s*\"?)[^\s\"',&]+"), r"\1\2(secret)"),
)
FACTS = ("method", "route", "status", "milliseconds", "bytes", "address")  # of a line of the access log

request_id: ContextVar[str] = ContextVar("request_id", default="")
access = logging.getLogger("perankh.access")
known_secrets: set[str] = set()  # of the settings


def redacted(line: str) -> str:
    """A line without secrets."""
    for secret in known_secrets:
        line = line.replace(secret, "(secret)")
    for pattern, instead in SECRETS:
        line = pattern.sub(instead, line)
    return line


class Plain(logging.Formatter):
    """Lines for reading: time, level, request, message."""

    def format(self, record: logging.LogRecord) -> str:
        """A line, and those of a traceback."""
        asked = f" [{request_id.get()}]" if request_id.get() else ""
        when = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
        said = record.getMessage()
        if facts := facts_of(record):
            said = " ".join(str(value) for value in facts.values())
        if record.exc_info:
            said += "\n" + self.formatException(record.exc_info)
        return redacted(f"{when}Z {record.levelname.lower()}{asked} {said}")


class JsonLines(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        """A line."""
        when = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + f".{int(record.msecs):03}Z"
        found: dict[str, Any] = {"time": when, "level": record.levelname.lower(), "logger": record.name}
        if request_id.get():
            found["request"] = request_id.get()
        if trace := traces.trace_id():
            found["trace"] = trace
        found |= facts_of(record) or {"message": redacted(record.getMessage())}
        if record.exc_info:
            found["traceback"] = redacted(self.formatException(record.exc_info))
        return json.dumps(found, ensure_ascii=False)


def facts_of(record: logging.LogRecord) -> dict[str, Any]:
    """The facts of a line of the access log; none of another line."""
    return record.args if record.name == access.name and isinstance(record.args, dict) else {}


def start_logs(format: str, level: str, with_access: bool, *secret: str | None) -> None:
    """Write log lines to standard error from now on. `secret`: what must never appear in them."""
    known_secrets.update(one for one in secret if one and len(one) > 3)
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines() if format == "json" else Plain())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    logging.getLogger("uvicorn").setLevel(max(logging.WARNING, root.level))  # its own lines about requests have whole addresses
    access.setLevel(logging.INFO if with_access else logging.CRITICAL)


class Observe:
    """Middleware around everything: the id of a request, its line in the access log, its metrics and its span."""

    def __init__(self, app: ASGIApp, site: Site) -> None:
        self.app = app
        self.site = site

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Observe a request or a live connection from its beginning to its end."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        if scope["type"] == "websocket":  # each of its frames has a span
            await self.observe(scope, receive, send, traces.NOTHING)
            return
        method, parent = method_of(scope), traces.sent_along(self.said_by_proxy(scope, "traceparent"))
        with traces.span(method, {"http.request.method": method}, parent, is_request=True) as span:
            await self.observe(scope, receive, send, span)

    async def observe(self, scope: Scope, receive: Receive, send: Send, span: traces.Span | traces.Nothing) -> None:
        """The same in a span."""
        began, status, size = time.monotonic(), 500, 0
        id = self.id_of(scope)
        request_id.set(id)

        async def sending(message: Message) -> None:
            nonlocal status, size
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                status = message["status"]
                MutableHeaders(scope=message)["x-request-id"] = id
            elif message["type"] == "websocket.accept":
                status = 101
            size += len(message.get("body", b"")) + len(message.get("text") or "") + len(message.get("bytes") or b"")
            await send(message)

        try:
            await self.app(scope, receive, sending)
        finally:
            seconds = time.monotonic() - began
            route = route_of(scope)
            span.name(f"{method_of(scope)} {route}")
            span.set({"http.route": route, "http.response.status_code": status, "perankh.request": id})
            metrics.RESPONSES.labels(str(status)).inc()
            if scope["type"] == "http":
                metrics.REQUEST.labels(method_of(scope), route).observe(seconds)
            if access.isEnabledFor(logging.INFO):
                address = scope.get("state", {}).get("address") or group((scope.get("client") or ("",))[0])
                facts = (method_of(scope), route, status, round(1000 * seconds, 1), size, address)
                access.info("request", dict(zip(FACTS, facts, strict=True)))

    def id_of(self, scope: Scope) -> str:
        """The id that a trusted proxy has given to a request, or a new one."""
        given = self.said_by_proxy(scope, "x-request-id")
        return given if REQUEST_ID.fullmatch(given) else secrets.token_hex(8)

    def said_by_proxy(self, scope: Scope, header: str) -> str:
        """What a trusted proxy says of a request in a header; empty if there is none."""
        trusted = self.site.trusts((scope.get("client") or ("",))[0])
        return Headers(scope=scope).get(header, "") if trusted else ""


def method_of(scope: Scope) -> str:
    """The method of a request; anything else than the usual ones counts as one."""
    method = scope.get("method", "LIVE")
    return method if method in ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "LIVE") else "OTHER"


def route_of(scope: Scope) -> str:
    """The form of the address of a request, with names in place of what it holds: table ids and secret links are not told."""
    route = getattr(scope.get("route"), "path", None)
    return str(route) if route else "/static" if scope["path"].startswith("/static/") else "none"
