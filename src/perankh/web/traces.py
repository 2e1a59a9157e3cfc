"""Traces for OpenTelemetry, if the host wants them: a span for each request and frame, and for the work that follows from it.

Nothing of OpenTelemetry is imported by this module before `start`; until then a span costs nothing and does nothing. The spans
are our own: no library adds any, and nothing of an address or a frame is in them that the access log would not hold.
"""

from __future__ import annotations

import asyncio
import importlib
import urllib.parse
from types import TracebackType
from typing import Any, Self

from perankh import __version__
from perankh.errors import BadOption, PerankhError
from perankh.web.refusal import Refused

MODULES = (
    "trace",
    "context",
    "trace.propagation.tracecontext",
    "sdk.trace",
    "sdk.trace.export",
    "sdk.resources",
    "exporter.otlp.proto.http.trace_exporter",
)
PATH = "/v1/traces"  # of a collector, where an address has none
PATIENCE = 5.0  # seconds for the collector to take spans
LAST = 2000  # milliseconds for the last spans of a server that stops
NO_FAULTS = (Refused, asyncio.CancelledError)  # a refusal is an answer, and who waited may have gone


class Nothing:
    """In place of a span when there are no traces."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def name(self, name: str) -> None:
        """Another name."""

    def set(self, facts: dict[str, Any]) -> None:
        """More facts."""


class Span:
    """A part of the work, from its beginning to its end; what is begun meanwhile belongs to it."""

    def __init__(self, sender: Sender, name: str, facts: dict[str, Any], parent: Any, is_request: bool) -> None:
        kind = sender.api.SpanKind.SERVER if is_request else sender.api.SpanKind.INTERNAL
        self.sender = sender
        self.span = sender.tracer.start_span(name, parent, kind, facts)

    def __enter__(self) -> Self:
        self.token = self.sender.context.attach(self.sender.api.set_span_in_context(self.span))
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self.sender.context.detach(self.token)
        if kind and not isinstance(error, NO_FAULTS):
            self.span.set_status(self.sender.api.StatusCode.ERROR, kind.__name__)  # what it says may hold a secret
        self.span.end()

    def name(self, name: str) -> None:
        """Another name, found out later."""
        self.span.update_name(name)

    def set(self, facts: dict[str, Any]) -> None:
        """More facts."""
        self.span.set_attributes(facts)


def modules() -> list[Any]:
    """The modules of OpenTelemetry that traces need."""
    try:
        return [importlib.import_module(f"opentelemetry.{name}") for name in MODULES]
    except ModuleNotFoundError:
        raise PerankhError("traces need OpenTelemetry: pip install 'perankh[telemetry]'") from None


class Sender:
    """Collects spans and sends them, by OTLP over HTTP, in a thread of its own. What cannot be sent is lost."""

    def __init__(self, address: str) -> None:
        self.api, self.context, self.propagation, sdk, export, resources, otlp = modules()
        about = resources.Resource.create({"service.name": "perankh", "service.version": __version__})
        self.provider = sdk.TracerProvider(resource=about, shutdown_on_exit=False)
        exporter = otlp.OTLPSpanExporter(endpoint=endpoint_of(address), timeout=PATIENCE)
        self.provider.add_span_processor(export.BatchSpanProcessor(exporter))
        self.tracer = self.provider.get_tracer("perankh", __version__)  # not the process's: libraries would add theirs

    def stop(self) -> None:
        """Send the last spans."""
        self.provider.force_flush(LAST)
        self.provider.shutdown()


NOTHING = Nothing()
_sender: Sender | None = None


def endpoint_of(address: str) -> str:
    """Where spans are sent: the given address, with the usual path if it has none. BadOption if it is no address."""
    try:
        parts = urllib.parse.urlsplit(address)
        known = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 0) >= 0
    except ValueError:
        known = False
    if not known:
        raise BadOption(f"{address!r} is not an address like http://127.0.0.1:4318")
    return address if parts.path.strip("/") else urllib.parse.urlunsplit(parts._replace(path=PATH))


def start(address: str) -> None:
    """Make spans from now on, and send them to a collector."""
    global _sender
    _sender = Sender(address)


def stop() -> None:
    """Send what is left, and make no more spans."""
    global _sender
    sender, _sender = _sender, None
    if sender:
        sender.stop()


def span(name: str, facts: dict[str, Any] | None = None, parent: Any = None, is_request: bool = False) -> Span | Nothing:
    """A span around a part of the work, for `with`. It belongs to what is being done, or to a `parent` given by `current`."""
    return NOTHING if _sender is None else Span(_sender, name, facts or {}, parent, is_request)


def current() -> Any:
    """What is being done, for spans of what follows from it elsewhere; None without traces."""
    return None if _sender is None else _sender.context.get_current()


def sent_along(traceparent: str) -> Any:
    """What a proxy says a request belongs to; None without traces."""
    if _sender is None or not traceparent:
        return None
    return _sender.propagation.TraceContextTextMapPropagator().extract({"traceparent": traceparent})


def trace_id() -> str:
    """The id of the trace that the present work belongs to; empty if there is none."""
    if _sender is None:
        return ""
    known = _sender.api.get_current_span().get_span_context()
    return f"{known.trace_id:032x}" if known.is_valid else ""
