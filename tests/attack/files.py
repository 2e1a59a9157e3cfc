"""Mutated match files: sealed anew, so that everything behind the seal is reached."""

from __future__ import annotations

import asyncio
import hashlib
import random
from functools import cache

from perankh.match import Match
from perankh.match.file import text_of

from .honest import loaded
from .house import House
from .people import GONE, Person, Tally, shown

GAMES = (("mural", 3), ("mural", 5), ("maqha", 3), ("imhotep", 2), ("egizia", 4), ("cleocatra", 2), ("connect_four", 2))
NUMBERS = ("0", "-1", "1", "2", "4", "5", "7", "99", "100", "999999999", "1000000000", "9" * 30, "１", "1.5", "0x10", "")
ENTRIES = (
    "turn.first_hand",
    "track_points.standard.area.row",
    "pyramid.two.spaces",
    "nile.deck_12",
    "foo",
    "source",
    "board.rows",
)
VALUES = (
    "0",
    "1",
    "2",
    "99999",
    "-99999",
    "[]",
    "[9, 4, 2, 0]",
    "null",
    '"x"',
    '["x", 1]',
    "1e400",
    "9" * 5000,
    "{}",
    "NaN",
    "[" * 3000,
)
NAMES = ("", "mural ", "Mural", "egizia", "connect_four", "../mural", "/tmp", ".", "..", "mural/rules", "a" * 5000, "壁画")


@cache
def whole_files() -> tuple[str, ...]:
    """Match files of several games: some over, some in the middle, some hardly begun."""
    found = []
    for number, (name, players) in enumerate(GAMES):
        for moves in (0, 12, 60, 400):
            luck = random.Random(f"file {number} {moves}")
            game = loaded(name)
            players = min(players, game.players[-1])
            match = Match(game, players, luck.getrandbits(128), None, [f"p{p}" for p in range(players)])
            while not match.over and match.number < moves:
                match.play(luck.choice(match.moves()))
            found.append(text_of(match))
    return tuple(found)


def sealed(body: str, end: str = "\n") -> bytes:
    """A body with a seal that fits."""
    raw = body.encode("utf-8", "surrogatepass")
    return raw + f"seal: {hashlib.sha256(raw).hexdigest()}{end}".encode()


def mutated(luck: random.Random) -> bytes:
    """A match file with something changed, sealed anew unless the seal is what is changed."""
    text = luck.choice(whole_files())
    body = text[: text.rindex("seal: ")]
    lines = body.splitlines()
    for _ in range(luck.choice((1, 1, 1, 2, 5))):
        lines = change(luck, lines)
    ends = luck.choices(("\n", "\r\n", "\r", "\x85", "\u2028", "\n\n"), (80, 8, 3, 3, 3, 3))[0]
    body = ends.join(lines) + ends
    kind = luck.random()
    if kind < 0.85:
        return sealed(body)
    if kind < 0.88:
        return sealed(body, "\r\n")
    if kind < 0.92:  # cut off
        return sealed(body)[: luck.randrange(len(body) + 70)]
    if kind < 0.96:  # flipped bits under an old seal
        raw = bytearray(text.encode())
        for _ in range(luck.randint(1, 8)):
            raw[luck.randrange(len(raw))] ^= 1 << luck.randrange(8)
        return bytes(raw)
    return sealed(body) + luck.choice((b"x", b"\n", b"\x00", sealed(body), luck.randbytes(50)))


def change(luck: random.Random, lines: list[str]) -> list[str]:
    """One change of the lines."""
    lines = [*lines] or [""]
    i = luck.randrange(len(lines))
    name, colon, value = lines[i].partition(":")
    match luck.randrange(13):
        case 0:  # bits
            raw = bytearray(lines[i].encode("utf-8", "surrogatepass") or b"x")
            raw[luck.randrange(len(raw))] ^= 1 << luck.randrange(8)
            lines[i] = raw.decode("utf-8", "replace")
        case 1:
            lines.insert(luck.randrange(len(lines)), lines.pop(i))
        case 2:
            del lines[i]
        case 3:
            lines.insert(i, luck.choice(lines))
        case 4:
            lines[i] = f"{name}{colon} {luck.choice(NUMBERS)}"
        case 5:  # another seat for some moves
            lines = [luck.choice(NUMBERS) + line[1:] if line[:1].isdigit() and luck.random() < 0.2 else line for line in lines]
        case 6:  # codes of other moves
            codes = value.split()
            luck.shuffle(codes)
            lines[i] = f"{name}{colon} {' '.join(codes)}"
        case 7:
            lines = [f"game: {luck.choice(NAMES)}" if line.startswith("game:") else line for line in lines]
        case 8:  # options at their bounds, and beyond
            where = next((k for k, line in enumerate(lines) if line.startswith("seed-hash")), 0)
            options = [line for line in lines if line.startswith("option ")] or ["option x: 1"]
            named = luck.choice(options).partition(":")[0]
            lines.insert(where, f"{named}: {luck.choice(NUMBERS)}")
        case 9:  # spliced with another file
            other = luck.choice(whole_files()).splitlines()
            lines = lines[:i] + other[luck.randrange(len(other)) :]
        case 10:
            lines[i] += luck.choice((" ", "\t", "\x00", "#", "é", "x" * 5000, "\u202e"))
        case 11:  # printed numbers of an edition
            where = next((k for k, line in enumerate(lines) if line.startswith("players:")), 0)
            lines[where:where] = ["edition: x", *(f"change {luck.choice(ENTRIES)}: {luck.choice(VALUES)}" for _ in range(2))]
        case _:
            lines = [f"moves: {luck.choice(NUMBERS)}" if line.startswith("moves:") else line for line in lines]
    return lines


class FileAttack:
    """Uploads of mutated files; what is accepted is looked at."""

    def __init__(self, house: House, seed: int, count: int) -> None:
        self.house = house
        self.seed = seed
        self.count = count
        self.tally = Tally()
        self.opened = self.waited = 0

    async def run(self) -> None:
        """Send all files over some connections at once."""
        many = min(25, max(4, self.count // 50))
        await asyncio.gather(*(self.attack(n, self.count // many) for n in range(many)))

    async def attack(self, number: int, count: int) -> None:
        """One attacker, with an address of its own for every few files."""
        luck = random.Random(f"files {self.seed} {number}")
        for n in range(count):
            if n % 20 == 0:
                person = Person(self.house, f"127.40.{number}.{1 + n // 20 % 250}")
            content = mutated(luck)
            try:
                answer = await person.ask("POST", "/api/replays", content)
                for _ in range(40):
                    if answer.status not in (429, 503):
                        break
                    self.waited += 1
                    await asyncio.sleep(0.25)
                    answer = await person.ask("POST", "/api/replays", content)
                self.tally.count(answer.status, content)
                if b"/" in answer.body and str(self.house.folder.parent).encode() in answer.body:
                    self.tally.fail("a path of the server is shown for", content)
                if answer.status == 201:
                    self.opened += 1
                    look = await person.ask("GET", f"/api/tables/{answer.json()['id']}?since=1000000")
                    self.tally.count(look.status, content)
            except GONE as error:
                self.tally.fail(f"{type(error).__name__} for", content)

    def figures(self) -> str:
        """What came of it."""
        return f"{self.count} files, {self.opened} opened; {shown(self.tally.text())}"
