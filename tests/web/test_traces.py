"""Traces: a real server that sends spans to a receiver of OTLP over HTTP, and one that knows nothing of it."""

from __future__ import annotations

import gzip
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from perankh.errors import BadOption
from perankh.web import traces

from ..conftest import ROOT
from ..forked import Program
from .conftest import Person
from .receivers import wait_until

pytest.importorskip("opentelemetry.sdk", reason="perankh[telemetry] is not installed")
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest, ExportTraceServiceResponse

PARENT = "0af7651916cd43dd8448eb211c80319c"


class Collector:
    """A receiver of spans."""

    def __init__(self) -> None:
        collector = self
        self.spans: list[Any] = []
        self.services: set[str] = set()
        self.paths: set[str] = set()

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                body = gzip.decompress(body) if self.headers.get("Content-Encoding") == "gzip" else body
                collector.paths.add(self.path)
                for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
                    about = {fact.key: fact.value.string_value for fact in resource.resource.attributes}
                    collector.services.add(about["service.name"])
                    collector.spans += [span for scope in resource.scope_spans for span in scope.spans]
                self.send_response(200)
                self.send_header("Content-Type", "application/x-protobuf")
                self.end_headers()
                self.wfile.write(ExportTraceServiceResponse().SerializeToString())

            def log_message(self, *_: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.address = f"http://127.0.0.1:{self.server.server_port}"

    def stop(self) -> None:
        self.server.shutdown()
        self.server.server_close()

    def named(self, name: str) -> list[Any]:
        return [span for span in self.spans if span.name == name]

    def below(self, span: Any) -> set[str]:
        """The names of all spans that a span has led to."""
        children = [one for one in self.spans if one.trace_id == span.trace_id and one.parent_span_id == span.span_id]
        return {child.name for child in children}.union(*map(self.below, children))


def facts(span: Any) -> dict[str, Any]:
    return {fact.key: fact.value.string_value or fact.value.int_value for fact in span.attributes}


class Traced:
    """`perankh serve` whose log goes to a file."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.log, out = folder / "log", folder / "out"
        environment = os.environ | {"PERANKH_GAMES": str(ROOT / "examples"), "OTEL_BSP_SCHEDULE_DELAY": "3000"}
        command = ["serve", "--port", "0", "--no-open", "--data", str(folder / "data"), "--workers", "2"]
        command += ["--log-format", "json", "--access-log", "--trusted-proxy", "127.0.0.1", *options]
        self.process = Program("perankh.cli", command, environment, files=(os.devnull, str(out), str(self.log)))
        line = self.process.first_line(out)
        assert "http://" in line, self.log.read_text()
        self.address = next(word for word in line.split() if word.startswith("http://")).rstrip("/")

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        self.process.wait(30)


@pytest.fixture
def collector() -> Iterator[Collector]:
    found = Collector()
    yield found
    found.stop()


def test_a_move_can_be_followed_from_the_frame_to_the_views_and_the_bots_answer(tmp_path: Path, collector: Collector) -> None:
    server = Traced(tmp_path, "--traces", collector.address)
    try:
        red = Person(server)
        red.http.headers["traceparent"] = f"00-{PARENT}-b7ad6b7169203331-01"
        red.http.headers["X-Request-ID"] = "request-of-the-proxy"
        table = red.table(seats=[{"kind": "me"}, {"kind": "bot", "bot": "random"}])
        with red.live(table) as live:
            view = live.view(lambda view: view["moves"])
            assert live.move(view["number"], view["moves"][0]["code"], view["viewer"])["type"] == "done"
            live.view(lambda view: view["number"] >= 2)
            live.send(type="say", text="", phrase=None)
            live.answer()
        move = wait_until(lambda: collector.named("live move"))[0]
        wait_until(lambda: {"view", "database write", "job render", "job decide"} <= collector.below(move))
        (refused,) = wait_until(lambda: collector.named("live say"))
        (made,) = wait_until(lambda: collector.named("POST /api/tables"))
        assert (made.trace_id.hex(), facts(made)["perankh.request"]) == (PARENT, "request-of-the-proxy")
        assert facts(made)["http.response.status_code"] == 201
        assert "database write" in collector.below(made)
        assert facts(refused)["perankh.refused"] in (403, 422)
        assert collector.services == {"perankh"}
        assert collector.paths == {"/v1/traces"}
        lines = [json.loads(line) for line in server.log.read_text().splitlines()]
        assert PARENT in {line.get("trace") for line in lines if line.get("route") == "/api/tables"}
        assert not any(span.status.code for span in collector.spans)
        told = "".join(map(str, collector.spans))
        assert table not in told
        assert red.token not in told
        red.ask("GET", "/api/games")
    finally:
        server.stop()
    assert collector.named("GET /api/games")  # the last ones are sent when the server stops


def test_a_collector_that_is_away_holds_nothing_up(tmp_path: Path) -> None:
    with socket.socket() as silent:  # it listens and never answers
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        server = Traced(tmp_path, "--traces", f"http://127.0.0.1:{silent.getsockname()[1]}")
        try:
            began = time.monotonic()
            for _ in range(20):
                Person(server).table()
            assert time.monotonic() - began < 20
        finally:
            server.stop()  # in good time


def test_without_the_setting_nothing_of_it_is_imported(tmp_path: Path) -> None:
    """FastAPI itself imports the names of OpenTelemetry's API; what makes and sends spans is not imported by anybody."""
    program = """
import asyncio, sys
from perankh.web import traces
from perankh.web.app import create_app
from perankh.web.serve import serve
async def live():
    app = create_app(sys.argv[1])
    async with app.router.lifespan_context(app):
        with traces.span("nothing", {"a": 1}) as span:
            span.set({"b": 2})
            assert (traces.current(), traces.trace_id(), traces.sent_along("x")) == (None, "", None)
if __name__ == "__main__":
    asyncio.run(live())
    unwanted = tuple(f"opentelemetry.{part}" for part in ("sdk", "exporter", "proto"))
    print([name for name in sys.modules if name.startswith(unwanted)])
"""
    file = tmp_path / "program.py"
    file.write_text(program)
    ran = subprocess.run([sys.executable, str(file), str(tmp_path / "data")], capture_output=True, text=True, timeout=120)
    assert (ran.stdout, ran.returncode) == ("[]\n", 0), ran.stderr


def test_what_is_no_address_of_a_collector_is_refused() -> None:
    assert traces.endpoint_of("http://127.0.0.1:4318") == "http://127.0.0.1:4318/v1/traces"
    assert traces.endpoint_of("https://traces.example.org/its/own?key=1") == "https://traces.example.org/its/own?key=1"
    for wrong in ("127.0.0.1:4318", "grpc://127.0.0.1", "http://", "http://host:port"):
        with pytest.raises(BadOption, match="not an address"):
            traces.endpoint_of(wrong)
