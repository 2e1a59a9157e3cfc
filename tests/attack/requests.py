"""Random requests: every route of the server with any parameters, bodies, methods, headers and tokens, and broken HTTP."""

from __future__ import annotations

import asyncio
import importlib
import json
import pkgutil
import random
import re
import secrets
from typing import Any
from urllib.parse import quote

from fastapi import APIRouter
from fastapi.routing import APIRoute

import perankh.web

from .frames import JUNK, TABLES
from .house import House
from .people import GONE, Person, Tally, addresses, seated, shown
from .witness import Witness

METHODS = ("GET", "GET", "GET", "HEAD", "POST", "POST", "PATCH", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "BREW", "get")
WORDS = (
    *("", ".", "..", "0", "-1", "999999999999999999999", "1e9", "true", "null", "NaN", "%00", "%2e%2e%2f", "..%2f..%2fetc"),
    *("mural", "egizia", "connect_four", "cover", "board.js", "random", "scribe", "vizier", "ja", "en", "tall", "wide"),
    *("me", "bot", "open", "😀", "é" * 50, "\u202e", "a" * 3000, "<script>alert(1)</script>", "{{7*7}}", "' OR 1=1 --"),
    *("\\", "//evil.example/x", "C:\\x"),
)
HEADERS = tuple(
    line.split(": ")
    for line in (
        *("Origin: http://evil.example", "Origin: null", "Host: evil.example", "Host: ", "X-Forwarded-For: 1.2.3.4"),
        *("X-Forwarded-Proto: https", "Forwarded: for=1.2.3.4", "Cookie: perankh=x; lang=%00", "Cookie: lang=fr; ;;="),
        *("Accept-Language: xx;q=nan, ja;q=9", "Accept-Language: " + "a" * 2000, "Content-Type: text/xml", "Content-Type: "),
        *("Content-Type: application/json; charset=utf-16", "Transfer-Encoding: identity", "Expect: 100-continue"),
        *('If-None-Match: "x"', "Range: bytes=0-0,-1", "Authorization: Bearer x", "Authorization: Basic eDp5"),
        *("Authorization: Bearer " + "A" * 43, "Content-Encoding: gzip", "X-HTTP-Method-Override: DELETE", "Upgrade: h2c"),
    )
)
MAY_WAIT = ("Expect", "Transfer-Encoding", "Upgrade")  # headers after which the server may wait for more
PARTS = {  # of paths, by name: what exists; the ids of tables and editions are added to "table", "id" and "edition"
    "game": ("mural", "egizia", "connect_four", "maqha"),
    "seat": ("0", "1", "2", "3"),
    "name": ("cover", "board.js", "table.js"),
    "what": ("confirm", "stop"),
    "lang": ("ja", "en"),
    "kind": ("icon", "maskable", "badge"),
    "size": ("96", "192", "512"),
    "path": ("index.html", "en/index.html", "_static"),
    "device": ("0123456789ab",),
}


def unlisted_routes() -> dict[str, dict[str, Any]]:
    """The routes that /api/openapi.json does not list, in its form: pages, pictures, links of messages, health."""
    found: dict[str, dict[str, Any]] = {}
    for module in pkgutil.iter_modules(perankh.web.__path__):
        router = getattr(importlib.import_module(f"perankh.web.{module.name}"), "router", None)
        for route in router.routes if isinstance(router, APIRouter) else ():
            if isinstance(route, APIRoute) and not route.include_in_schema:
                found.setdefault(route.path, {}).update({method.lower(): {} for method in route.methods or ()})
    return found


class RequestAttack:
    """Requests from many addresses, some with tokens of players."""

    def __init__(self, house: House, witness: Witness, seed: int, count: int) -> None:
        self.house = house
        self.witness = witness
        self.seed = seed
        self.count = count
        self.tally = Tally()
        self.unanswered = 0
        self.paths: dict[str, dict[str, Any]] = {}
        self.schemas: dict[str, Any] = {}
        self.tables: list[str] = []
        self.tokens: list[str] = []
        self.puzzles = ["none"]

    async def run(self, tables: list[str]) -> None:
        """Send all requests over some connections at once. `tables` are those of others; the attackers add to them."""
        first = Person(self.house, "127.30.0.1")
        document = await first.must("GET", "/api/openapi.json")
        self.paths = document["paths"] | unlisted_routes()
        del self.paths["/api/network"]  # whoever is at this computer may open the server to the network
        self.schemas = document.get("components", {}).get("schemas", {})
        self.tables, self.tokens = [*tables, "aaaaaaaaaa"], [secrets.token_urlsafe(32)]
        self.puzzles = [id for of in (await first.must("GET", "/api/puzzles"))["games"] for id in of["ids"][:5]] or self.puzzles
        where = addresses(31)
        for game, players in TABLES[: 2 if self.count < 1000 else 6]:
            table, people = await seated(self.house, where, game, players)
            self.tables.append(table)
            self.tokens += [person.token for person in people if person.token]
        many = min(40, max(4, self.count // 50))
        await asyncio.gather(*(self.attack(n, self.count // many) for n in range(many)))

    async def attack(self, number: int, count: int) -> None:
        """One attacker, from an address of its own."""
        luck = random.Random(f"requests {self.seed} {number}")
        person = Person(self.house, f"127.30.1.{number + 1}")
        for _ in range(count):
            request, head_only, incomplete = self.random_request(luck)
            try:
                answer = await person.send_raw(request, head_only, 1.0 if incomplete else 30.0)
                self.tally.count(answer.status, request)
                if answer.status == 201:
                    self.remember(answer.body)
                if answer.body.startswith(b'{"type":"view"'):
                    self.witness.see(person, answer.body)
            except TimeoutError:
                self.unanswered += 1
                if not incomplete:
                    self.tally.fail("no answer to", request)
            except (*GONE, ValueError, IndexError):
                self.unanswered += 1
            if self.tally.statuses[429] and luck.random() < 0.1:
                await asyncio.sleep(0.05)
        person.close()

    def remember(self, body: bytes) -> None:
        """A table that an attacker made, or a token."""
        made = json.loads(body)
        if len(self.tables) < 200:
            self.tables += [made["id"]] if "id" in made else []
            self.tokens += [made["token"]] if made.get("token") else []

    def random_request(self, luck: random.Random) -> tuple[bytes, bool, bool]:
        """A request as bytes; whether its answer has no body; whether it may be incomplete, so that no answer need come."""
        kind = luck.random()
        if kind < 0.06:
            return self.broken_request(luck), False, True
        path = luck.choice(list(self.paths))
        known = [method.upper() for method in self.paths[path]]
        method = luck.choice(known) if luck.random() < 0.8 else luck.choice(METHODS)
        body = self.random_body(luck, self.paths[path].get(method.lower(), {}))
        address = self.random_path(luck, path) + self.random_query(luck, self.paths[path].get(method.lower(), {}))
        headers: list[tuple[str, ...]] = [("Host", self.house.host), ("Content-Length", str(len(body)))]
        if body[:1] in b"{[" and luck.random() < 0.95:
            headers.append(("Content-Type", "application/json"))
        if luck.random() < 0.5:
            headers.append(("Authorization", f"Bearer {luck.choice(self.tokens)}"))
        for _ in range(luck.choices((0, 1, 3), (75, 20, 5))[0]):
            headers.append((*luck.choice(HEADERS),))
        lines = [f"{method} {address} HTTP/1.1", *(f"{name}: {value}" for name, value in headers)]
        asks_more = any(name in ("Expect", "Transfer-Encoding", "Upgrade") for name, _ in headers) or method in (
            "CONNECT",
            "BREW",
        )
        return ("\r\n".join(lines) + "\r\n\r\n").encode() + body, method == "HEAD", asks_more

    def random_path(self, luck: random.Random, path: str) -> str:
        """A path with its parameters filled in: mostly with something that exists."""
        for part, name in re.findall(r"(\{(\w+)(?::\w+)?\})", path):
            values = PARTS.get(name) or (self.puzzles if name == "puzzle" else self.tables)
            value = luck.choice(values) if luck.random() < 0.8 else luck.choice(WORDS)
            path = path.replace(part, quote(value, safe="%./" if luck.random() < 0.3 else "%"))
        if luck.random() < 0.05:
            path = luck.choice(("/", "//", "/./", "/../")) + quote(luck.choice(WORDS), safe="%/") + path
        return path

    def random_query(self, luck: random.Random, route: dict[str, Any]) -> str:
        """Parameters of the route, and others."""
        names = [part["name"] for part in route.get("parameters", []) if part["in"] == "query"] + ["lang"]
        chosen = [name for name in names if luck.random() < 0.4]
        values = (luck.choice(WORDS) if luck.random() < 0.5 else str(luck.randint(-2, 60)) for _ in chosen)
        parts = [f"{name}={quote(value, safe='%')}" for name, value in zip(chosen, values, strict=True)]
        return "?" + "&".join(parts) if parts else ""

    def random_body(self, luck: random.Random, route: dict[str, Any]) -> bytes:
        """A body after the route's schema, with parts changed; or anything else."""
        content = route.get("requestBody", {}).get("content", {}).get("application/json", {})
        if not content and luck.random() < 0.9:
            return b""
        value = self.sample(luck, content.get("schema", {}), 0)
        text = json.dumps(value)
        kind = luck.random()
        if kind < 0.85:
            return text.encode("utf-8", "surrogatepass")
        if kind < 0.92:
            return text[: luck.randrange(len(text) + 1)].encode()
        if kind < 0.95:
            return b"[" * luck.randint(1, 20_000)
        if kind < 0.97:
            return luck.randbytes(luck.randint(0, 2000))
        return b'{"name": "' + b"x" * luck.choice((5_000, 100_000, 300_000)) + b'"}'

    def sample(self, luck: random.Random, schema: dict[str, Any], depth: int) -> Any:
        """A value after a schema; now and then something else."""
        if luck.random() < 0.04 or depth > 6:
            return luck.choice(JUNK)
        if "$ref" in schema:
            return self.sample(luck, self.schemas[schema["$ref"].rpartition("/")[2]], depth + 1)
        if "anyOf" in schema:
            return self.sample(luck, luck.choice(schema["anyOf"]), depth + 1)
        if "enum" in schema or "const" in schema:
            return luck.choice(schema.get("enum") or [schema["const"]])
        match schema.get("type"):
            case "object":
                required, parts = schema.get("required", []), schema.get("properties", {})
                chosen = [name for name in parts if name in required or luck.random() < 0.3]
                found = {name: self.sample(luck, parts[name] | {"name": name}, depth + 1) for name in chosen}
                return found | ({luck.choice(("x", "__proto__", "seed")): 1} if luck.random() < 0.03 else {})
            case "array":
                return [
                    self.sample(luck, schema.get("items", {}), depth + 1) for _ in range(luck.choice((0, 1, 2, 2, 3, 4, 150)))
                ]
            case "integer":
                low, high = int(schema.get("minimum", 0)), int(schema.get("maximum", 60))
                return luck.choice((low, low - 1, high, high + 1)) if luck.random() < 0.2 else luck.randint(1, 3)
            case "boolean":
                return luck.random() < 0.5
            case "string" if schema.get("name") == "game":
                return luck.choice(("mural", "connect_four", "maqha", "imhotep", "cleocatra", "../mural", "/tmp"))
            case "string":
                return luck.choice(WORDS)
        return None

    def broken_request(self, luck: random.Random) -> bytes:
        """Not HTTP, or not all of it."""
        host = f"Host: {self.house.host}\r\n".encode()
        return luck.choice(
            (
                luck.randbytes(luck.randint(1, 400)) + b"\r\n\r\n",
                b"GET / HTTP/9.9\r\n" + host + b"\r\n",
                b"GET  /  HTTP/1.1\r\n\r\n",
                b"GET / HTTP/1.1\r\nHost\r\n\r\n",
                b"POST /api/tables HTTP/1.1\r\n" + host + b"Content-Length: -5\r\n\r\n{}",
                b"POST /api/tables HTTP/1.1\r\n" + host + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\n{}",
                b"POST /api/tables HTTP/1.1\r\n" + host + b"Content-Length: 100\r\n\r\n{}",
                b"POST /api/tables HTTP/1.1\r\n" + host + b"Transfer-Encoding: chunked\r\n\r\nZZ\r\n{}\r\n0\r\n\r\n",
                b"POST /api/tables HTTP/1.1\r\n" + host + b"Transfer-Encoding: chunked\r\n\r\nfffffff0\r\n{}\r\n",
                b"GET /" + b"a" * luck.choice((9_000, 70_000)) + b" HTTP/1.1\r\n" + host + b"\r\n",
                b"GET / HTTP/1.1\r\n" + host + b"X: " + b"y" * luck.choice((9_000, 70_000)) + b"\r\n\r\n",
                b"GET / HTTP/1.1\r\n" + host + b"X: y\r\n" * 3_000 + b"\r\n",
                b"GET /\xff\xfe HTTP/1.1\r\n" + host + b"\r\n",
                b"GET http://evil.example/ HTTP/1.1\r\n" + host + b"\r\n",
                b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
            )
        )

    def figures(self) -> str:
        """What came of it."""
        return f"{self.count} requests, {self.unanswered} ended by the server; {shown(self.tally.text())}"
