"""Attacks on single weaknesses by visitors and players, each in a function with a plain name."""

from __future__ import annotations

import asyncio
import hashlib
import json
import random
import secrets
import time
from collections.abc import Awaitable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path

from perankh.match import Match
from perankh.match.file import text_of

from .files import sealed
from .honest import loaded
from .house import House
from .people import GONE, Answer, Broken, Person, addresses, need, next_view, read_answer, seated
from .registry import attack


def refused(answer: Answer) -> bool:
    """Was a request refused, and with a reason?"""
    return 400 <= answer.status < 500 and b'"error"' in answer.body


# --- Files and names ------------------------------------------------------------------------------------------------------------


@attack()
async def file_names_a_folder(house: House, seed: int) -> str:
    """Match files and requests that name a folder instead of a game must not have its code run."""
    folder = house.folder / "planted"
    folder.mkdir(exist_ok=True)
    mark = house.folder / "mark"
    (folder / "rules.py").write_text(f"open({str(mark)!r}, 'w').close()\n")
    person = Person(house, "127.50.0.1")
    match = Match(loaded("connect_four"), 2, 5)
    body = text_of(match)
    body = body[: body.rindex("seal: ")]
    tried = 0
    for name in (str(folder), f"{folder}/", f"../{folder.name}", folder.name, f"./{folder}", f" {folder}", f"{folder}\x00"):
        for end in ("\n", "\r\n", "\r", "\x0b", "\u2028", "\x85"):
            content = sealed(body.replace("game: connect_four", f"game: {name}").replace("\n", end))
            answer = await person.ask("POST", "/api/replays", content)
            need(refused(answer), f"a file that names a folder is answered {answer.status}: {content[:200]!r}")
            tried += 1
        for request in ({"game": name, "players": 2}, {"game": f"{name}/rules", "players": 2}):
            need(refused(await person.ask("POST", "/api/tables", request)), f"a table of {name!r} is set up")
            tried += 1
        path = name.strip().strip("\x00").replace("/", "%2f")
        pages = [f"/{kind}/{path}" for kind in ("new", "guide", "card")]
        for page in (*pages, f"/art/{path}.svg", f"/picture/{path}/cover.svg", f"/cover/{path}.svg"):
            need((await person.ask("GET", page)).status in (400, 404), f"{page} is found")
            tried += 1
    need(not mark.exists(), "the code of a folder named by a file was run")
    return f"{tried} names, none loaded"


@attack()
async def file_errors_show_no_paths(house: House, seed: int) -> str:
    """A game's name of 5,000 characters and other components are refused, and the answer says nothing about the disk."""
    person = Person(house, "127.50.0.2")
    text = text_of(Match(loaded("connect_four"), 2, 5))
    body = text[: text.rindex("seal: ")]
    fingerprint = loaded("connect_four").components_fingerprint
    for changed in (
        body.replace("game: connect_four", "game: " + "x" * 5000),
        body.replace(f"components: {fingerprint}", "components: 00"),
        body.replace("rules: ", "rules: 9"),
    ):
        answer = await person.ask("POST", "/api/replays", sealed(changed))
        need(refused(answer), f"answered {answer.status}: {answer.body[:300]!r}")
        for place in (str(Path(__file__).parents[2]), str(house.folder), "site-packages", "components.toml"):
            need(place.encode() not in answer.body, f"the answer shows a path: {answer.body[:500]!r}")
    return "3 files refused"


# --- Hidden cards and seats -----------------------------------------------------------------------------------------------------


@attack()
async def look_at_the_deal_before_the_start(house: House, seed: int) -> str:
    """Whoever sits down, looks, leaves and sits elsewhere before the start learns nothing: nothing is dealt yet."""
    where = addresses(51)
    creator = Person(house, next(where))
    table = await creator.table("mural", 3)
    looked = 0
    for _ in range(4):
        visitor = Person(house, next(where))
        for p in (1, 2):
            answer = await visitor.ask("POST", f"/api/tables/{table}/seats", {"seat": p})
            if answer.status != 200:
                continue
            for viewer in (0, 1, 2):
                seen = await visitor.ask("GET", f"/api/tables/{table}?viewer={viewer}")
                if seen.status == 200:
                    need(seen.json()["scene"] is None, "a seat's cards are shown before the match has begun")
                looked += 1
            file = await visitor.ask("GET", f"/api/tables/{table}/file")
            need(file.status >= 400, "a match file is there before the match has begun")
            await visitor.ask("PATCH", f"/api/tables/{table}/seats/{p}", {"kind": "open"})
    need((await creator.view(table))["status"] == "waiting", "the match has begun without all players")
    return f"{looked} looks, nothing dealt"


@attack()
async def take_two_seats(house: House, seed: int) -> str:
    """One person gets one seat, unless the table was set up for a shared screen."""
    where = addresses(52)
    creator, greedy = Person(house, next(where)), Person(house, next(where))
    table = await creator.table("mural", 3)
    await greedy.sit(table, seat=1)
    need(refused(await greedy.ask("POST", f"/api/tables/{table}/seats", {"seat": 2})), "one person has two hands")
    need(refused(await creator.ask("POST", f"/api/tables/{table}/seats", {"seat": 2})), "the creator has two hands")
    both = {"game": "mural", "players": 2, "seats": [{"kind": "me"}, {"kind": "me"}]}
    need(refused(await creator.ask("POST", "/api/tables", both)), "a table with two own seats, not for a shared screen")
    return "refused"


@attack()
async def take_a_seat_that_was_left(house: House, seed: int) -> str:
    """In a running match, a stranger gets neither the seat that somebody left nor a look at its hand."""
    where = addresses(53)
    table, people = await seated(house, where, "mural", 3)
    stranger = Person(house, next(where))
    await people[2].ask("PATCH", f"/api/tables/{table}/seats/2", {"kind": "open"})
    taken = await stranger.ask("POST", f"/api/tables/{table}/seats", {"seat": 2})
    need(taken.status >= 400, "a stranger takes a seat of a running match without being asked for")
    for person in (stranger, people[0], people[1]):
        seen = await person.ask("GET", f"/api/tables/{table}?viewer=2")
        need(seen.status in (401, 403, 404), "the hand of a seat that was left is shown to others")
    taken = await people[0].ask("POST", f"/api/tables/{table}/seats", {"seat": 2})
    need(taken.status >= 400, "a player takes a second seat of a running match")
    return "refused"


@attack(long=True)
async def give_away_the_seat_of_somebody_absent(house: House, seed: int) -> str:
    """Who is away for more than a minute keeps the seat, unless another person agrees that a bot stands in."""
    table, people = await seated(house, addresses(65), "connect_four", 2, absence=1)
    await people[0].must("POST", f"/api/tables/{table}/moves", {"number": 0, "code": "a"})
    people[1].close()
    await asyncio.sleep(70)
    for method, path, body in (
        ("PATCH", "/seats/1", {"kind": "bot", "bot": "random"}),
        ("PATCH", "/seats/1", {"kind": "open"}),
        ("POST", "/requests", {"what": "stand_in", "seat": 1}),
        ("POST", "/votes", {"what": "stand_in", "agree": True}),
    ):
        await people[0].ask(method, f"/api/tables/{table}{path}", body)
    view = await people[0].view(table)
    need(view["players"][1]["kind"] == "person", "one player alone gave the seat of the other to a bot")
    need(view["number"] == 1, "a bot has moved in the place of somebody who is away")
    return "kept"


@attack()
async def act_for_others(house: House, seed: int) -> str:
    """Strangers and players of other seats cannot look, move, take back, ask for hints, rename or vote for a seat."""
    where = addresses(54)
    table, people = await seated(house, where, "mural", 2)
    tried = 0
    acting = next(p for p, player in enumerate((await people[0].view(table))["players"]) if player["acting"])
    code = (await people[acting].view(table))["moves"][0]["code"]
    for person in (Person(house, next(where)), Person(house, next(where), secrets.token_urlsafe(32)), people[1 - acting]):
        for method, path, body in (
            ("GET", f"?viewer={acting}", None),
            ("GET", f"?viewer={acting}&at=0", None),
            ("POST", "/moves", {"number": 0, "code": code, "seat": acting}),
            ("POST", "/undo", {"seat": acting}),
            ("POST", "/hint", {"seat": acting}),
            ("PATCH", f"/seats/{acting}", {"name": "x"}),
            ("PATCH", f"/seats/{acting}", {"kind": "bot", "bot": "random"}),
            ("PATCH", f"/seats/{acting}", {"kind": "open"}),
            ("PATCH", f"/seats/{acting}", {"kind": "me"}),
        ):
            answer = await person.ask(method, f"/api/tables/{table}{path}", body)
            need(refused(answer), f"{method} {path} {body} by somebody else: {answer.status}")
            tried += 1
        async with person.live(table, "since=0") as socket:
            await socket.send(json.dumps({"type": "settings", "viewer": acting}))
            await socket.send(json.dumps({"type": "move", "number": 0, "code": code, "seat": acting}))
            for _ in range(2):
                frame = {"type": "view"}
                while frame["type"] == "view":
                    frame = json.loads(await asyncio.wait_for(socket.recv(), 30))
                    need(frame.get("viewer") != acting, "somebody else sees with the eyes of a seat")
                need(frame["type"] in ("error", "refused"), f"done for somebody else: {frame}")
                tried += 1
    need((await people[0].view(table))["number"] == 0, "somebody else made a move")
    return f"{tried} tries refused"


@attack()
async def race_for_a_seat_and_for_a_move(house: House, seed: int) -> str:
    """Of twenty who take a seat at the same moment one gets it; of twenty moves under one number one is made."""
    where = addresses(55)
    creator = Person(house, next(where))
    table = await creator.table("connect_four", 2)
    runners = [Person(house, next(where)) for _ in range(20)]
    answers = await asyncio.gather(*(one.ask("POST", f"/api/tables/{table}/seats", {"seat": 1}) for one in runners))
    need([a.status for a in answers].count(200) == 1, f"a seat was taken {[a.status for a in answers].count(200)} times")
    table, people = await seated(house, where, "connect_four", 2)
    copies = [Person(house, next(where), people[0].token) for _ in range(20)]
    moves = [{"number": 0, "code": "abcdefg"[n % 7]} for n in range(20)]
    made = await asyncio.gather(*(one.ask("POST", f"/api/tables/{table}/moves", m) for one, m in zip(copies, moves, strict=True)))
    done = {moves[n]["code"] for n, answer in enumerate(made) if answer.status == 200}
    need(len(done) == 1, f"several moves were made under one number: {done}")
    need((await people[0].view(table))["number"] == 1, "a move was made twice")
    return "one winner each"


@attack(long=True)
async def watch_a_question_as_a_spectator(house: House, seed: int) -> str:
    """A player who watches his own table as a spectator only gets no more time to raise a hand than the others."""
    luck = random.Random(seed)
    where = addresses(56)
    for _ in range(40):
        answered = await hand_raised_late(house, where, luck)
        if answered is not None:
            need(answered >= 1.0, f"a hand raised 1.3 s after the question counts as raised after {answered:.1f} s")
            return f"counted after {answered:.1f} s"
    raise Broken("no question came up in 40 matches")


async def hand_raised_late(house: House, where: Iterator[str], luck: random.Random) -> float | None:
    """Play until hands are asked for, raise one 1.3 s later; returns the seconds that count for it, None if nothing is asked."""
    options = {"hands": "live", "hand_window": 6, "bot_hand_tick": 1}  # three seconds in steps of half a second
    table, people = await seated(house, where, "maqha", 3, options=options)
    async with AsyncExitStack() as stack:
        sockets = [await stack.enter_async_context(person.live(table, "viewer=-1")) for person in people]
        view = await people[0].view(table, "?viewer=-1")
        while not view["question"]:
            if view["status"] == "over":
                return None
            p = next(p for p, player in enumerate(view["players"]) if player["acting"])
            own = await people[p].view(table, f"?viewer={p}")
            codes = [move["code"] for move in own["moves"]]
            made = {"number": own["number"], "code": "pass" if "pass" in codes else luck.choice(codes), "seat": p}
            await people[p].must("POST", f"/api/tables/{table}/moves", made)
            view = await people[0].view(table, "?viewer=-1")
        p = next(p for p, player in enumerate(view["players"]) if player["acting"])
        shown = await next_view(sockets[p])
        while not shown["question"]:
            shown = await next_view(sockets[p])
        await asyncio.sleep(1.3)
        body = {"number": shown["number"], "code": "raise0", "seat": p}
        answer = await people[p].ask("POST", f"/api/tables/{table}/moves", body)
        need(answer.status == 200, f"an answer after 1.3 s is refused: {answer.body!r}")
        while True:
            view = await people[0].view(table)
            raised = [event for event in view["events"] if event["kind"] == "hand_up" and event["seat"] == p]
            if raised:
                return float(raised[-1]["stamp"]) / 2
            await asyncio.sleep(0.3)


# --- Fair work ------------------------------------------------------------------------------------------------------------------


@attack(long=True)
async def tables_of_bots_with_nobody(house: House, seed: int) -> str:
    """Thirty tables of four strong bots, with nobody at them, do not delay anybody else's bot: see the visitor's figures."""
    where = addresses(57)
    made = 0
    for n in range(30):
        person = Person(house, next(where))
        seats = [{"kind": "bot", "bot": "vizier"}] * 4
        answer = await person.ask("POST", "/api/tables", {"game": "egizia", "players": 4, "seats": seats})
        made += answer.status == 201
        if n % 10 == 0:
            await asyncio.sleep(0.1)
    await asyncio.sleep(20)
    return f"{made} tables"


async def timed(work: Awaitable[Answer]) -> float:
    """Seconds that a request takes."""
    began = time.monotonic()
    answer = await work
    need(answer.status == 200, f"answered {answer.status}")
    return time.monotonic() - began


# --- HTTP ---------------------------------------------------------------------------------------------------------------------


@attack(long=True)
async def silent_connections(house: House, seed: int) -> str:
    """A thousand silent connections and two hundred half-sent requests: others get in, and the halves are ended."""
    where = addresses(60)
    people = [Person(house, next(where)) for _ in range(8)]
    halves = (b"GET / HTTP/1.1\r\nHost: x", b"POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Length: 50\r\n\r\n{", b"G")
    held = []
    for n in range(1200):
        try:
            reader, writer = await people[n % 8].open()
        except (OSError, TimeoutError):
            continue
        if n % 6 == 0:
            writer.write(halves[n // 6 % 3])
        held.append((n % 6 == 0, reader, writer))
    visitor = Person(house, next(where))
    began = time.monotonic()
    need((await visitor.ask("GET", "/", patience=10)).status == 200, "a new visitor is not served")
    served = time.monotonic() - began
    await asyncio.sleep(30)
    open_ = sum(await asyncio.gather(*(is_open(reader) for half, reader, _ in held if half)))
    for _, _, writer in held:
        writer.close()
    need(open_ == 0, f"{open_} half-sent requests are still open after 30 s")
    return f"{len(held)} connections, a visitor served in {1000 * served:.0f} ms"


async def is_open(reader: asyncio.StreamReader) -> bool:
    """Has the server not ended a connection yet?"""
    try:
        await asyncio.wait_for(reader.read(), 1)
    except TimeoutError:
        return True
    except OSError:
        pass
    return False


@attack(long=True)
async def invent_tokens(house: House, seed: int) -> str:
    """A new token or a made-up sender's address with every request does not get around the limits of an address."""
    person = Person(house, "127.61.0.1")
    statuses = []
    for n in range(1500):
        headers = {"Authorization": f"Bearer {secrets.token_urlsafe(32)}", "X-Forwarded-For": f"10.1.{n // 250}.{n % 250}"}
        statuses.append((await person.ask("GET", "/api/tables", headers=headers)).status)
        if statuses[-1] == 429:
            break
    need(429 in statuses, "1,500 requests of one address, each with another token, are all served")
    return f"limited after {len(statuses)} requests"


@attack()
async def write_an_address_otherwise(house: House, seed: int) -> str:
    """What an address may do only now and then is limited however its path is written: with a line end, a slash, a null."""
    tried = 0
    for n, ending in enumerate(("%0A", "%0D", "%00", "%0A%0A", "/", "%2F", "%20")):
        person = Person(house, f"127.61.1.{n + 1}")
        for path, body in (("/api/me/join", {"code": "AAAAA-AAAAA"}), ("/api/tables", {"game": "connect_four", "players": 2})):
            for _ in range(40):
                answer = await person.ask("POST", path + ending, body)
                need(answer.status in (307, 404, 405, 429), f"POST {path}{ending} is answered {answer.status}")
                tried += 1
        person.close()
    return f"{tried} requests, none served"


@attack()
async def foreign_sites(house: House, seed: int) -> str:
    """Requests from the pages of other sites, and under names that are not the server's, change nothing."""
    person = Person(house, "127.61.0.2")
    body = {"game": "connect_four", "players": 2}
    tried = 0
    for host in (house.host, f"evil.example:{house.port}", "evil.example"):
        for origin in ("http://evil.example", f"http://evil.example:{house.port}", "null", f"http://{house.host}.evil.example"):
            answer = await person.ask("POST", "/api/tables", body, {"Host": host, "Origin": origin})
            need(400 <= answer.status < 500, f"host {host}, origin {origin}: {answer.status}")
            tried += 1
    rebound = await person.ask("GET", "/api/games", headers={"Host": f"evil.example:{house.port}"})
    need(400 <= rebound.status < 500, "the server answers under any name, so that a rebound name reaches it")
    table, people = await seated(house, addresses(62), "connect_four", 2)
    try:
        async with people[0].live(table, "since=0", origin="http://evil.example"):
            raise Broken("a live connection from another site is open")
    except GONE:
        tried += 1
    return f"{tried} requests refused"


@attack()
async def views_and_links(house: House, seed: int) -> str:
    """Views are not kept by caches, and no page links to a host that its own address names."""
    person = Person(house, "127.61.0.3")
    table = await person.table("connect_four", 2)
    for path in (f"/api/tables/{table}", "/api/tables"):
        kept = (await person.ask("GET", path)).headers.get("cache-control", "")
        need("no-store" in kept, f"{path} may be kept by a cache: {kept!r}")
    for path in ("//evil.example/x", "///evil.example/x", "/\\evil.example/x", "//evil.example/%2e%2e"):
        page = (await person.ask("GET", path)).body.decode("utf-8", "replace")
        for start in ('href="//', 'href="/\\', 'href="///', 'action="//'):
            need(start not in page, f"the page of {path} links to another host")
    return "checked"


@attack()
async def slow_readers(house: House, seed: int) -> str:
    """People who open a table and never read do not hold up those who play there."""
    where = addresses(63)
    table, people = await seated(house, where, "mural", 2)
    streams = []
    for _ in range(30):
        reader, writer = await Person(house, next(where)).open()
        lines = [f"GET /api/tables/{table}/live HTTP/1.1", f"Host: {house.host}", "Upgrade: websocket", "Connection: Upgrade"]
        lines += ["Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13", "", ""]
        writer.write("\r\n".join(lines).encode())
        await asyncio.wait_for(read_answer(reader, True), 30)
        writer.transport.pause_reading()  # type: ignore[attr-defined]
        streams.append(writer)
    luck, slowest = random.Random(seed), 0.0
    for _ in range(12):
        view = await people[0].view(table)
        p = next(p for p, player in enumerate(view["players"]) if player["acting"])
        own = await people[p].view(table)
        body = {"number": own["number"], "code": luck.choice(own["moves"])["code"]}
        slowest = max(slowest, await timed(people[p].ask("POST", f"/api/tables/{table}/moves", body)))
    for writer in streams:
        writer.transport.abort()
    need(slowest < 10, f"a move took {slowest:.1f} s")
    return f"30 slow readers, slowest move {1000 * slowest:.0f} ms"


# --- The shuffle --------------------------------------------------------------------------------------------------------------


@attack()
async def choose_the_deal(house: House, seed: int) -> str:
    """The server is bound to its secret before anybody contributes, and the seed follows from everybody's contribution."""
    where = addresses(64)
    people = [Person(house, next(where)) for _ in range(2)]
    table = await people[0].table("connect_four", 2)
    await people[1].sit(table)
    before = (await people[1].view(table))["deal"]
    need(before["secret"] is None and before["contributions"] == [None, None], f"contributed already: {before}")
    given = [secrets.token_hex(32) for _ in people]
    for p, person in enumerate(people):
        await person.must("POST", f"/api/tables/{table}/start", {"contribution": given[p]})
        again = await person.ask("POST", f"/api/tables/{table}/start", {"contribution": secrets.token_hex(32)})
        need(again.status >= 400, "a contribution was changed after it was given")
    for number in range(42):
        view = await people[number % 2].view(table)
        if view["status"] == "over":
            break
        need(view["seed"] is None and view["deal"]["secret"] is None, "the secret is shown while the match runs")
        made = {"number": number, "code": view["moves"][0]["code"]}
        await people[number % 2].must("POST", f"/api/tables/{table}/moves", made)
    over = (await people[0].view(table))["deal"]
    secret, values = bytes.fromhex(over["secret"]), [bytes.fromhex(one["value"]) for one in over["contributions"]]
    need(hashlib.sha256(secret).hexdigest() == before["commitment"] == over["commitment"], "the commitment does not hold")
    need([value.hex() for value in values] == given, "the contributions are not those that were given")
    drawn = hashlib.sha256(b"perankh deal\n" + secret + b"".join(values)).digest()[:16].hex()
    need((await people[0].view(table))["seed"] == drawn, "the seed does not follow from secret and contributions")
    return "the seed follows from the committed secret and both contributions"
