"""The seats of a table: who plays them, and who may change what about them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from perankh.engine.game import Game
from perankh.engine.words import Words
from perankh.errors import BadOption
from perankh.match.match import checked_names
from perankh.web.levels import OfferedBots
from perankh.web.refusal import because, refused
from perankh.web.words import WORDS

KINDS = ("person", "open", "bot")


@dataclass
class Seat:
    """Who plays a seat. A bot's seat that has an owner was handed over and can be taken back."""

    kind: str  # one of KINDS
    owner: str | None = None
    bot: str | None = None
    name: str = ""

    def at_next_table(self, bots: OfferedBots) -> Seat:
        """The seat at the table of a rematch; an owner who handed his seat to a bot plays himself again."""
        if self.owner:
            return Seat("person", self.owner, None, self.name)
        return Seat(self.kind, None, bots.instead_of(self.bot) if self.bot else None, self.name)


def checked_name(name: str) -> str:
    """A name fit to be shown."""
    try:
        return checked_names([name], 1)[0]
    except BadOption as error:
        raise because(422, error) from None


def usual_seats(players: int) -> list[dict[str, Any]]:
    """What is asked for if nothing is: the first seat for oneself, the others open."""
    return [{"kind": "open" if p else "me", "name": None} for p in range(players)]


def names_shown(game: Game, seats: Sequence[Seat], colours: Sequence[int], lang: str) -> tuple[str, ...]:
    """What the players are called: by their names, bots by their level, anybody else by the colour of the seat."""
    return names_of(game.words, tuple((seat.kind, seat.bot, seat.name) for seat in seats), tuple(colours), lang)


@lru_cache(2000)
def names_of(
    words: Words, seats: tuple[tuple[str, str | None, str], ...], colours: tuple[int, ...], lang: str
) -> tuple[str, ...]:
    """The same for seats by their kind, bot and name."""
    nameless = [bot for kind, bot, name in seats if kind == "bot" and not name]
    names, met = [], dict.fromkeys(nameless, 0)
    for p, (kind, bot, given) in enumerate(seats):
        if given:
            names.append(given)
        elif kind == "bot":
            met[bot] += 1
            name = WORDS.say(f"bot.{bot}", lang).capitalize()
            names.append(name if nameless.count(bot) == 1 else WORDS.say("live.one_of", lang, name=name, n=met[bot]))
        else:
            names.append(words.say(f"seat.{colours[p]}", lang))
    return tuple(names)


def swapped(colours: Sequence[int], seats: Sequence[Seat], p: int, colour: int, number: int) -> tuple[int, ...]:
    """The colours of the seats when seat p has taken another of `number`; who had it gets p's. A person's is not taken."""
    if not 0 <= colour < number:
        raise refused(422, "no_seat_colour", number=number)
    after = list(colours)
    if colour in after:
        other = after.index(colour)
        if other != p and seats[other].kind == "person":
            raise refused(409, "colour_taken")
        after[other] = after[p]
    after[p] = colour
    return tuple(after)


def seats_wanted(
    game: Game, bots: OfferedBots, who: str, players: int, wanted: list[dict[str, Any]], hot_seat: bool
) -> list[Seat]:
    """The seats of a new table as they are asked for."""
    if len(wanted) != players:
        raise refused(422, "seats_count", players=players)
    seats = []
    for seat in wanted:
        name = checked_name(seat.get("name") or "")
        if seat["kind"] == "me":
            seats.append(Seat("person", who, None, name))
        elif seat["kind"] == "bot":
            seats.append(Seat("bot", None, bots.checked(game, seat.get("bot") or None), name))
        else:
            seats.append(Seat("open", name=name))
    if not hot_seat and sum(seat.owner is not None for seat in seats) > 1:
        raise refused(422, "hot_seat")
    return seats
