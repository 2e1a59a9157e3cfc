"""Private standing: results by game and by the level of the opponents, streaks, the list of matches."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import Any

from perankh.web.standing import Played, figures, level_of, standing

from .conftest import Person, counted

WIN = "abababa"  # the first seat wins by four in a column


def played(*places: int | None, game: str = "imhotep", level: str = "scribe") -> list[Played]:
    """Matches with these places, given in the order in which they were played."""
    return [Played(f"{n}", game, float(n), level, place, 3) for n, place in enumerate(places)][::-1]


def test_streaks_and_figures() -> None:
    assert figures([]) == {"played": 0, "won": 0, "streak": 0, "longest": 0}
    assert figures(played(1, 1, 1, 2, 1, None, 1)) == {"played": 6, "won": 5, "streak": 2, "longest": 3}
    assert figures(played(1, 2)) == {"played": 2, "won": 1, "streak": 0, "longest": 1}
    both = [*played(1, 3, level="people"), *played(1, 1), *played(2, game="mural"), *played(None, game="egizia")]
    found = standing(both)
    assert [(game["game"], game["played"], game["won"]) for game in found["games"]] == [("imhotep", 4, 3), ("mural", 1, 0)]
    assert [(row["level"], row["played"], row["won"]) for row in found["games"][0]["levels"]] == [
        ("scribe", 2, 2),
        ("people", 2, 1),
    ]


def test_the_level_is_that_of_the_strongest_opponent() -> None:
    class Seat:
        def __init__(self, kind: str, bot: str | None = None, owner: str | None = None) -> None:
            self.kind, self.bot, self.owner = kind, bot, owner

    assert level_of([]) == "nobody"
    assert level_of([Seat("bot", "vizier"), Seat("bot", "random")]) == "vizier"
    assert level_of([Seat("bot", "vizier"), Seat("person")]) == "people"  # somebody who has deleted himself
    assert level_of([Seat("bot", "of old"), Seat("bot", "random")]) == "random"
    assert level_of([Seat("bot", "scribe", "somebody")]) == "people"  # a stand-in


def test_matches_are_counted_once_and_are_private(own_server: Any) -> None:
    me, friend = Person(own_server), Person(own_server)
    me.ask("PATCH", "/api/me", {"name": "Ada"}, 200)
    won, shared, running, handed = me.table(), me.table(seats=[{"kind": "me"}] * 2), me.table(), me.table()
    for table in (won, running, handed):
        friend.sit(table, name="Bo")
    for number, column in enumerate(WIN):
        (friend if number % 2 else me).move(won, number, column)
        me.move(shared, number, column, seat=number % 2)
        (friend if number % 2 else me).move(handed, number, column)
    me.ask("PATCH", f"/api/tables/{handed}/seats/0", {"kind": "bot"}, 200)
    me.move(running, 0, "a")
    answer = counted(me)
    assert not answer["more"]
    assert {match["id"]: match["place"] for match in answer["matches"]} == {won: 1, shared: None, handed: None}
    assert answer["standing"]["games"][0] | {"levels": 0} == {
        "game": "connect_four", "played": 1, "won": 1, "streak": 1, "longest": 1, "levels": 0
    }  # fmt: skip
    seats = next(match["seats"] for match in answer["matches"] if match["id"] == won)
    assert [(seat["name"], seat["mine"]) for seat in seats] == [("Ada", True), ("Bo", False)]
    assert me.ask("GET", "/api/me/matches?game=mural")["matches"] == []
    assert len(me.ask("GET", "/api/me/matches?skip=2")["matches"]) == 1
    theirs = counted(friend)
    assert theirs["standing"]["games"][0]["levels"] == [
        {"level": "people", "played": 2, "won": 0, "streak": 0, "longest": 0},
    ]
    assert Person(own_server).ask("GET", "/api/me/matches")["matches"] == []
    with closing(sqlite3.connect(own_server.data / "perankh.db")) as database:
        assert database.execute("SELECT count(*) FROM results").fetchone() == (3,)
        database.execute("UPDATE moves SET code = 'nonsense' WHERE table_id = ? AND number = 3", (won,))
        database.execute("DELETE FROM results")
        database.execute("UPDATE tables SET rules = 99 WHERE id = ?", (handed,))
        database.commit()
    # What is damaged, or was played under other rules, is listed and does not count.
    answer = counted(me)
    assert {match["id"]: match["place"] for match in answer["matches"]} == {won: None, shared: None, handed: None}
    assert answer["standing"]["played"] == 0
