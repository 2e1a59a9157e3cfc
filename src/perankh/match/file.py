"""The match file: one readable text file, sealed so that a change or a loss is noticed.

perankh match 1
game: mural
rules: 1
components: 1f0c...        fingerprint of the numbers the match was played with
edition: Aiko's box        these only if they are not the game's own: the name of the edition,
change sphinx.S02.vp: 6    and every number that it has otherwise, as JSON
players: 3
name 0: Aiko               only for seats with a name
option area_map: regular
seed-hash: 9a3d...
seed: 0000...0007          left out while the seed is secret
commitment: 77b1...        these only with a seed that several have drawn: shown before anybody contributed,
secret: c0de...            the secret behind it,
contribution 0: player 4f..  and what each seat added (the server for bots)
practice: 17 0 4be1...     only in practice: begun after so many moves, as this seat knew it, the rest drawn from this seed
moves: 412
0: deck deck stop
1: 25 deck
resigned: 1                only if somebody has: these seats, the first first, come after all others;
lost-on-time: 0            so do these
ending: mural_complete     only when the match is over; `resigned` if who has resigned last has ended it
scores: 15 10 9
seal: 5b7e...              SHA-256 of everything above
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import secrets
from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter
from pathlib import Path

from perankh.engine.editions import Edition, judged_by_rules
from perankh.engine.game import Game, game_named, game_with, get_game
from perankh.errors import BadComponents, BadFile, BadOption, MoveError, PerankhError
from perankh.match.deal import Deal, bytes_of, contributions_of
from perankh.match.forfeits import Forfeits
from perankh.match.match import Match, Origin, seed_hash, shortened

HEADER = "perankh match 1"
EDITION_HEADER = "perankh edition 1"
LARGEST_FILE = 4_000_000
SEED = re.compile("[0-9a-f]{32}")
RESIGNED = "resigned"  # the ending of a match that was not played to its end


def text_of(match: Match, reveal: bool = True) -> str:
    """The match file as text."""
    game = match.game
    lines = [
        HEADER,
        f"game: {game.name}",
        f"rules: {match.version}",
        f"components: {match.components}",
    ]
    lines += edition_lines(match.edition) if match.edition else []
    lines.append(f"players: {match.players}")
    lines += [f"name {p}: {name}" for p, name in enumerate(match.names) if name]
    lines += [
        f"option {name}: {str(value).lower() if isinstance(value, bool) else value}" for name, value in match.options.items()
    ]
    lines.append(f"seed-hash: {match.seed_hash}")
    if reveal:
        lines.append(f"seed: {match.seed:032x}")
        lines += deal_lines(match.deal) if match.deal else []
    before = match.origin.moves if match.origin and reveal else ()
    lines += origin_lines(match.origin) if match.origin and reveal else []
    played = zip((p for p, _ in match.played), match.codes, strict=True)
    made = [*((p, game.text.CODES[a]) for p, a in before), *played]
    lines.append(f"moves: {len(made)}")
    for p, moves in groupby(made, key=itemgetter(0)):
        lines.append(f"{p}: {' '.join(code for _, code in moves)}")
    for key, seats in (("resigned", match.forfeits.resigned), ("lost-on-time", match.forfeits.late)):
        lines += [f"{key}: {' '.join(map(str, seats))}"] if seats else []
    if match.over or match.forfeits.ended:
        lines += [f"ending: {match.ending if match.over else RESIGNED}", f"scores: {' '.join(map(str, match.scores))}"]
    return sealed(lines)


def sealed(lines: list[str]) -> str:
    """Lines as the text of a file, with the seal under them."""
    body = "\n".join(lines) + "\n"
    return body + f"seal: {hashlib.sha256(body.encode()).hexdigest()}\n"


def edition_lines(edition: Edition) -> list[str]:
    """The numbers of an edition, so that a match can be replayed wherever its game is known."""
    changes = [f"change {entry}: {json.dumps(value, ensure_ascii=False)}" for entry, value in sorted(edition.changes.items())]
    return [f"edition: {edition.name}", *changes]


def deal_lines(deal: Deal) -> list[str]:
    """Where the seed comes from."""
    contributions = [f"contribution {p}: {by} {value.hex()}" for p, (by, value) in enumerate(deal.contributions)]
    return [f"commitment: {deal.commitment}", f"secret: {deal.secret.hex()}", *contributions]


def origin_lines(origin: Origin) -> list[str]:
    """Where a match was begun in the middle of another; `-`: everything stayed as it was."""
    return [f"practice: {count} {p} {'-' if seed is None else f'{seed:032x}'}" for count, p, seed in origin.redeals]


def write(match: Match, path: Path, reveal: bool = True) -> None:
    """Write a match file whole or not at all."""
    content = text_of(match, reveal).encode()
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    try:
        with temporary.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise BadFile(f"{path}: cannot be written: {error.strerror}") from None


def load(path: str | Path, *, seed: int | None = None, game: str | Path | Game | None = None) -> Match:
    """Read a match file and replay it. `seed` opens a file that holds only the hash; `game` is one not found by name."""
    text = read(path)
    try:
        return parse(text, seed, game)
    except BadFile as error:
        raise BadFile(f"{path}: {error}") from None


def read(path: str | Path) -> str:
    """The text of a match file."""
    path = Path(path)
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise BadFile(f"{path}: is too large for a match file")
        return path.read_bytes().decode("utf-8")
    except OSError as error:
        raise BadFile(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise BadFile(f"{path}: is not UTF-8 text") from None


def name_of_game(text: str) -> str:
    """The name of the game in the text of a match file, whose seal is checked."""
    return begun(text).value("game")


def begun(text: str, header: str = HEADER, kind: str = "match file") -> Reader:
    """A reader after the first line of a file whose seal fits."""
    head = Reader(text)
    if head.take_line("the first line") != header:
        raise BadFile(f"is no {kind}: it does not begin with {header!r}")
    head.check_seal()
    return head


def parse(text: str, seed: int | None = None, game: str | Path | Game | None = None) -> Match:
    """A match from the text of its file. A name in the text is only ever looked up; a path must come from the caller."""
    head = begun(text)
    played = get_checked_game(head, game)
    players = head.whole("players")
    names = [""] * max(0, min(players, 99))
    while head.next_is("name "):
        seat, name = head.entry("name ")
        if not is_number(seat) or int(seat) >= len(names):
            head.fail(f"there is no seat {shortened(seat)}")
        if names[int(seat)]:
            head.fail(f"seat {seat} has a name already")
        names[int(seat)] = name
    options: dict[str, str] = {}
    while head.next_is("option "):
        name, value = head.entry("option ")
        if name in options:
            head.fail(f"option {shortened(name)} is given twice")
        options[name] = value
    hashed = head.value("seed-hash")
    if head.next_is("seed:"):
        seed = head.seed()
    if seed is None:
        raise BadFile("holds only the hash of its seed; it can be replayed when the seed is revealed")
    if seed_hash(seed) != hashed:
        raise BadFile("the seed does not belong to the seed hash")
    deal = read_deal(head, players, seed) if head.next_is("commitment:") else None
    try:
        with judged_by_rules(played.edition):
            match = Match(played, players, seed, options, names)
            match.deal = deal
            match = replay(head, match, read_redeals(head, players))
            match.forfeits = read_forfeits(head, match)
            check_result(head, match)
    except BadOption as error:
        raise BadFile(str(error)) from None
    except BadComponents as error:
        assert played.edition
        raise unplayable(played.edition, error) from None
    return match


def read_deal(head: Reader, players: int, seed: int) -> Deal:
    """The lines that say where the seed comes from, checked."""
    commitment, secret = head.value("commitment"), head.value("secret")
    rows: list[tuple[str, str]] = []
    while head.next_is("contribution "):
        seat, line = head.entry("contribution ")
        by, _, value = line.partition(" ")
        if seat != str(len(rows)):
            head.fail(f"should be the contribution of seat {len(rows)}")
        rows.append((by, value))
    if len(rows) != players:
        raise BadFile(f"has {len(rows)} contributions for {players} seats")
    try:
        deal = Deal(bytes_of(secret), contributions_of(rows))
        deal.check(commitment, seed)
    except BadOption as error:
        raise BadFile(str(error)) from None
    return deal


def get_checked_game(head: Reader, game: str | Path | Game | None) -> Game:
    """The game of the file, of the version and with the components that the match was played with."""
    name = head.value("game")
    try:
        found = game_named(name) if game is None else game if isinstance(game, Game) else get_game(game)
    except PerankhError as error:
        raise BadFile(str(error)) from None
    if found.name != name:
        raise BadFile(f"is a match of {shortened(name)}, not of {found.name}")
    version = head.whole("rules")
    if version != found.version:
        raise BadFile(f"was played under rules version {version} of {name}; version {found.version} is installed")
    fingerprint, edition = head.value("components"), read_edition(head)
    if edition and found.edition is None:
        try:
            found = game_with(found, edition)
        except BadComponents as error:
            raise unplayable(edition, error) from None
    if fingerprint != found.components_fingerprint:
        carried = f"those of its edition {edition.name}" if edition else "those installed, and does not carry them"
        raise BadFile(f"was played with other components of {name} than {carried}")
    return found


def unplayable(edition: Edition, error: BadComponents) -> BadFile:
    """The error about an edition that the rules do not take; it names no file of this computer."""
    where = f"{error.table}: " if error.table else ""
    return BadFile(f"its edition {edition.name} cannot be played: {where}{error.reason['en']}")


def read_edition(head: Reader) -> Edition | None:
    """The edition in a file, if there is one."""
    if not head.next_is("edition:"):
        return None
    name, changes = head.value("edition"), {}
    while head.next_is("change "):
        entry, value = head.entry("change ")
        if entry in changes:
            head.fail(f"{shortened(entry)} is changed twice")
        try:
            changes[entry] = json.loads(value)
        except (ValueError, RecursionError):
            head.fail(f"{shortened(value)!r} is no value")
    try:
        return Edition.of({"name": name, "changes": changes})
    except BadComponents as error:
        raise BadFile(str(error)) from None


# --- Files of editions ----------------------------------------------------------------------------------------------------------


def edition_text(game: Game) -> str:
    """The file of a game's edition: what a match file says of it."""
    assert game.edition
    lines = [EDITION_HEADER, f"game: {game.name}", f"rules: {game.version}", f"components: {game.components_fingerprint}"]
    return sealed([*lines, *edition_lines(game.edition)])


def parse_edition(text: str) -> tuple[str, Edition]:
    """The name of the game and the edition in the text of an edition's file. Whether it can be played, its rules will say."""
    head = begun(text, EDITION_HEADER, "edition file")
    name = head.value("game")
    head.whole("rules")
    head.value("components")
    edition = read_edition(head)
    if edition is None:
        raise BadFile("holds no edition")
    if not head.at_end():
        head.fail("does not belong here")
    return name, edition


# --- Replaying ------------------------------------------------------------------------------------------------------------------


def read_redeals(head: Reader, players: int) -> list[tuple[int, int, int | None]]:
    """The lines that say where the match was begun in the middle of another."""
    found: list[tuple[int, int, int | None]] = []
    while head.next_is("practice:"):
        count, seat, seed, *more = [*head.value("practice").split(), "", "", ""]
        known = is_number(count) and is_number(seat) and int(seat) < players and (seed == "-" or SEED.fullmatch(seed))
        if not known or any(more) or (found and int(count) < found[-1][0]):
            head.fail("should be a number of moves, a seat and a seed")
        found.append((int(count), int(seat), None if seed == "-" else int(seed, 16)))
    return found


def replay(head: Reader, match: Match, redeals: Sequence[tuple[int, int, int | None]] = ()) -> Match:
    """Make the moves of the file; the match that was played, which may have been begun in the middle of another."""
    count, left, done = head.whole("moves"), list(redeals), 0
    while left and left[0][0] == 0:
        match = match.practice(*left.pop(0)[1:])
    while done < count:
        seat, colon, codes = head.take_line("moves").partition(": ")
        if not colon or not is_number(seat) or not codes.split():
            head.fail("is not a line of moves like '0: code code'")
        for code in codes.split():
            try:
                if code not in match.game.text.CODES:
                    head.fail(f"{shortened(code)!r} is no move of {match.game.name}")
                match.play(match.game.text.CODES.index(code), int(seat))
            except MoveError as error:
                head.fail(f"move {done + 1} ({shortened(code)}): {error}")
            done += 1
            while left and left[0][0] == done:
                match = match.practice(*left.pop(0)[1:])
    if done != count or left:
        raise BadFile(f"says {count} moves and holds {done}" if done != count else "practice begins after the last move")
    return match


def read_forfeits(head: Reader, match: Match) -> Forfeits:
    """The lines that say who has resigned or lost on time; the moves alone do not tell."""
    found: dict[str, tuple[int, ...]] = {}
    for key in ("resigned", "lost-on-time"):
        seats = head.value(key).split() if head.next_is(f"{key}:") else None
        if seats is not None and not (
            seats and set(seats) <= set(map(str, range(match.players))) and len(set(seats)) == len(seats)
        ):
            head.fail("should be seats, each of them once")
        found[key] = tuple(map(int, seats or ()))
    ended = bool(found["resigned"]) and not match.over and head.next_is(f"ending: {RESIGNED}")
    return Forfeits(found["resigned"], found["lost-on-time"], ended)


def check_result(head: Reader, match: Match) -> None:
    """The recorded end must be the one the moves lead to, and nothing may follow it."""
    if match.over or match.forfeits.ended:
        ending = match.ending if match.over else RESIGNED
        if head.value("ending") != ending or head.value("scores").split() != [str(score) for score in match.scores]:
            raise BadFile("the recorded result is not the one the moves lead to")
    if not head.at_end():
        head.fail("does not belong here")


def is_number(text: str) -> bool:
    """Is the text a whole number that `int` takes, of a sane length?"""
    return text.isascii() and text.isdigit() and len(text) <= 9


class Reader:
    """Takes a match file apart line by line and says which line was wrong."""

    def __init__(self, text: str) -> None:
        unix = text.replace("\r\n", "\n")  # a file may have passed through a system with other line ends
        self.lines = unix.removesuffix("\n").split("\n") if unix else []
        self.number = 0
        for number, line in enumerate(self.lines, 1):
            if not line.isprintable():
                raise BadFile(f"line {number}: holds a character that cannot be printed")

    def check_seal(self) -> None:
        """The last line must seal everything above it."""
        *lines, last = self.lines
        if not last.startswith("seal: "):
            raise BadFile("has no seal at its end: it was cut off or is not a whole match file")
        body = "".join(f"{line}\n" for line in lines)
        if hashlib.sha256(body.encode()).hexdigest() != last.removeprefix("seal: "):
            raise BadFile("was changed after it was saved: the seal does not fit")
        self.lines = lines

    def fail(self, message: str) -> None:
        """Refuse the file because of the line taken last."""
        raise BadFile(f"line {self.number}: {message}")

    def take_line(self, what: str) -> str:
        """The next line."""
        if self.at_end():
            raise BadFile(f"ends where {what} should stand")
        self.number += 1
        return self.lines[self.number - 1]

    def at_end(self) -> bool:
        """Are all lines taken?"""
        return self.number >= len(self.lines)

    def next_is(self, start: str) -> bool:
        """Does the next line begin so?"""
        return not self.at_end() and self.lines[self.number].startswith(start)

    def value(self, key: str) -> str:
        """The value of the line `key: value`, which must come next."""
        line = self.take_line(f"'{key}:'")
        name, colon, value = line.partition(":")
        if not colon or name != key:
            self.fail(f"should be '{key}: ...'")
        return value.strip()

    def entry(self, start: str) -> tuple[str, str]:
        """Name and value of a line such as `option name: value`."""
        name, colon, value = self.take_line(start)[len(start) :].partition(":")
        if not colon:
            self.fail(f"should be '{start}...: ...'")
        return name.strip(), value.strip()

    def whole(self, key: str) -> int:
        """A whole number of at most nine digits."""
        value = self.value(key)
        if not is_number(value):
            self.fail(f"{key} must be a whole number, not {shortened(value)!r}")
        return int(value)

    def seed(self) -> int:
        """The seed line."""
        value = self.value("seed")
        if not SEED.fullmatch(value):
            self.fail("the seed must be 32 hexadecimal digits")
        return int(value, 16)
