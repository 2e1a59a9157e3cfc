"""The chat: who hears whom, what is refused, muting, and what is kept."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from perankh.engine.game import get_game
from perankh.errors import PerankhError
from perankh.web import access, chat, visits
from perankh.web.agreements import Settings
from perankh.web.limits import Buckets
from perankh.web.refusal import Refused
from perankh.web.table import Watcher

from .conftest import Live, Person, Server, in_a_loop, tables_in

New = Callable[[], Person]


def seated(person: New, players: int = 2, **wanted: Any) -> tuple[list[Person], str]:
    people = [person() for _ in range(players)]
    table = people[0].table(game="mural", players=players, **wanted)
    for p, who in enumerate(people[1:], 1):
        who.sit(table, name=f"Player {p}")
    return people, table


def say(who: Person, table: str, text: str | None = None, status: int = 200, **more: Any) -> Any:
    said = {"text": text} if text is not None else {}
    return who.ask("POST", f"/api/tables/{table}/chat", said | more, status)


def hear(who: Person, table: str, **query: Any) -> Any:
    return who.ask("GET", f"/api/tables/{table}/chat", params=query)


def texts(heard: Any) -> list[str]:
    return [message["text"] for message in heard["messages"]]


def change(who: Person, table: str, status: int = 200, **wanted: Any) -> Any:
    return who.ask("PATCH", f"/api/tables/{table}/chat", wanted, status)


def talk(live: Live, fits: Callable[[Any], bool] = lambda frame: True) -> Any:
    return live.until(lambda frame: frame["type"] == "chat" and fits(frame))


def test_players_hear_each_other_and_spectators_hear_all_but_are_not_heard(person: New) -> None:
    (red, blue), table = seated(person)
    guest, other = person(), person()
    with red.live(table, chat=1) as first, guest.live(table, chat=1) as watching, blue.live(table) as plain:
        assert talk(first)["messages"] == []
        number = red.view(table)["number"]
        say(blue, table, "Good evening")
        (heard,) = talk(first, lambda frame: frame["messages"])["messages"]
        assert (heard["seat"], heard["name"], heard["text"], heard["number"]) == (1, "Player 1", "Good evening", number)
        assert (heard["channel"], heard["phrase"], heard["mine"]) == ("table", None, False)
        assert texts(talk(watching, lambda frame: frame["messages"])) == ["Good evening"]
        say(guest, table, "He has the king!", name="Owl")
        (heard,) = talk(watching, lambda frame: frame["messages"])["messages"]
        assert (heard["seat"], heard["name"], heard["channel"]) == (None, "Owl", "gallery")
        assert [message["mine"] for message in hear(guest, table)["messages"]] == [False, True]
        say(red, table, phrase="thanks")
        frame = talk(first, lambda frame: frame["messages"])
        assert [message["phrase"] for message in frame["messages"]] == ["thanks"]
        plain.send(type="ping")
        assert plain.answer() == {"type": "pong"}  # who has not asked for the chat gets none of it
    assert "king" not in "".join(first.frames)
    assert texts(hear(blue, table)) == ["Good evening", ""]
    assert texts(hear(other, table)) == ["Good evening", "He has the king!", ""]
    assert texts(hear(other, table, since=2)) == [""]
    assert (hear(red, table)["says"], hear(other, table)["says"]) == ("table", "gallery")
    # A player who wants to hear the gallery does so, and the others see it.
    assert change(red, table, listen=True)["listening"] == [0]
    assert "He has the king!" in texts(hear(red, table))
    assert hear(blue, table)["listening"] == [0]
    assert "He has the king!" not in texts(hear(blue, table))
    change(guest, table, 403, listen=True)
    # After the match everybody hears everything.
    with blue.live(table, chat=1) as second:
        talk(second)
        red.ask("POST", f"/api/tables/{table}/resign", {"seat": 0})
        frame = talk(second, lambda frame: frame["whole"] and "gallery" in frame["hears"])
        assert "He has the king!" in texts(frame)


def test_who_has_seen_a_hand_does_not_speak_from_the_gallery(person: New) -> None:
    (red, blue, green), table = seated(person, 3)
    green.ask("PATCH", f"/api/tables/{table}/seats/2", {"kind": "open"})
    assert hear(green, table)["says"] is None
    assert "hand" in say(green, table, "Red has the sun", 403, name="Owl")["error"]
    for who, seat in ((red, 0), (blue, 1)):
        who.ask("POST", f"/api/tables/{table}/resign", {"seat": seat})
    assert red.view(table)["status"] == "over"
    say(green, table, "Red had the sun", name="Owl")


def test_what_cannot_be_said(person: New) -> None:
    (red, _), table = seated(person)
    guest = person()
    for wrong in ({}, {"text": "a", "phrase": "hello"}, {"phrase": "rude"}, {"text": "x" * 301}, {"text": " \n\t "}):
        assert red.ask("POST", f"/api/tables/{table}/chat", wrong, 422)["reason"]["ja"]
    for unseen in ("\u202e", "\x00\x07", "\u200b\u2066", "\u200d", "\u2028"):
        say(red, table, unseen, 422)
    say(guest, table, "hello", 422)  # without a name
    say(guest, table, "hello", 409, name="player 1")
    say(guest, table, "hello", 422, name="two\nlines")
    say(person(), "AAAAAAAAAAAA", "hello", 404)
    assert hear(red, table)["messages"] == []
    assert guest.token is None
    say(red, table, '<b onclick="x">1 &amp; 2</b>\u202e\x1b[31m\nnext  line')
    assert texts(hear(red, table)) == ['<b onclick="x">1 &amp; 2</b>[31m next line']  # what cannot be seen is left out
    say(red, table, "x" * 300)
    with red.live(table) as live:
        for wrong in ({"text": 5}, {"text": "x" * 301}, {"phrase": ["hello"]}, {"text": "a", "phrase": "hello"}):
            live.send(type="say", **wrong)
            assert live.answer()["type"] == "error"
        live.send(type="say", phrase="luck")
        live.send(type="ping")
        live.answer()
    assert hear(red, table)["messages"][-1]["phrase"] == "luck"
    with person().live(table) as live:
        live.send(type="say", text="hello", name="Owl")
        assert "token" in live.answer()["error"]


def test_nobody_talks_without_end(person: New, tmp_path: Path) -> None:
    (red, blue), table = seated(person)
    answers = [red.http.post(f"/api/tables/{table}/chat", json={"text": f"{n}"}, headers=bearer(red)) for n in range(12)]
    codes = [answer.status_code for answer in answers]
    assert codes[:6] == [200] * 6
    assert 429 in codes
    assert answers[codes.index(429)].json()["reason"]["ja"]
    say(blue, table, "still here")  # others are not concerned
    strict = Server(tmp_path, rate=1000, refill=0.01, costly=4).start()
    try:
        people = [Person(strict) for _ in range(6)]
        table = people[0].table()
        codes = [who.http.post(f"/api/tables/{table}/chat", json={"text": "x", "name": "Owl"}).status_code for who in people[1:]]
        assert codes == [200] * 4 + [429]  # one address with many tokens
    finally:
        strict.kill()


def bearer(who: Person) -> dict[str, str]:
    return {"Authorization": f"Bearer {who.token}"}


def test_muting_a_person_or_all(person: New) -> None:
    (red, blue, green), table = seated(person, 3)
    say(blue, table, "one")
    say(green, table, "two")
    marks = hear(red, table)["marks"]
    assert len(set(marks)) == 3
    for wrong in ("nobody", marks[0], ""):
        change(red, table, 404, mute=wrong)
    with red.live(table, chat=1) as live:
        talk(live)
        assert change(red, table, mute=marks[1])["muted"] == [marks[1]]
        assert texts(talk(live, lambda frame: frame["whole"])) == ["two"]
        say(blue, table, "three")
        say(green, table, "four")
        assert texts(talk(live, lambda frame: frame["messages"])) == ["four"]
    assert texts(hear(green, table)) == ["one", "two", "three", "four"]
    change(red, table, mute="*")
    assert hear(red, table)["messages"] == []
    change(red, table, unmute="*")
    change(red, table, unmute=marks[1])
    assert texts(hear(red, table)) == ["one", "two", "three", "four"]


def test_a_visitor_who_deletes_all_about_herself_takes_her_words_along_and_disturbs_nobody(person: New) -> None:
    (red, _), table = seated(person)
    owl, watcher = person(), person()
    with red.live(table, chat=1) as playing, watcher.live(table, chat=1) as watching:
        talk(playing)
        say(owl, table, "hoot", name="Owl")
        change(owl, table, mute=chat.EVERYBODY)
        talk(watching, lambda frame: texts(frame) == ["hoot"])
        owl.ask("DELETE", "/api/me", {"everything": True}, 200)
        talk(watching, lambda frame: frame["whole"] and not texts(frame))
        for live in (playing, watching):  # which were not ended
            live.send(type="ping")
            assert live.until(lambda frame: frame["type"] == "pong")
    assert hear(watcher, table)["messages"] == []
    say(red, table, "still here")
    assert [one["text"] for one in hear(watcher, table)["messages"]] == ["still here"]


def test_the_chat_is_kept_with_the_match_and_the_oldest_of_very_much_is_forgotten(own_server: Any) -> None:
    red, yellow = Person(own_server), Person(own_server)
    table = red.table()
    yellow.sit(table)
    say(red, table, "before the first move")
    red.move(table, 0, "a")
    say(yellow, table, "after it")
    change(red, table, mute="*")
    own_server.kill()
    with closing(sqlite3.connect(own_server.data / "perankh.db")) as database:
        kept = "INSERT INTO messages SELECT table_id, id + ?, owner, channel, seat, name, number, stamp, phrase, ? FROM messages"
        for n in range(2, chat.MOST_MESSAGES):
            database.execute(f"{kept} WHERE id = 1", [n, f"{n + 1}"])
        database.commit()
    own_server.start()
    assert hear(red, table)["messages"] == []  # muted on every device
    heard = hear(yellow, table)["messages"]
    assert len(heard) == chat.SENT_AT_ONCE
    say(yellow, table, "the newest")
    with closing(sqlite3.connect(own_server.data / "perankh.db")) as database:
        rows = database.execute("SELECT id, number, text FROM messages ORDER BY id").fetchall()
    assert len(rows) == chat.MOST_MESSAGES
    assert rows[0] == (2, 1, "after it")
    assert rows[-1] == (chat.MOST_MESSAGES + 1, 1, "the newest")


def test_texts_are_made_fit_to_be_shown() -> None:
    assert chat.checked_text("  ナイル\u3000の\r\n壁画 ") == "ナイル の 壁画"
    assert chat.checked_text("e\u0301") == "é"
    assert chat.checked_text("👩\u200d🚀") == "👩\u200d🚀"
    with pytest.raises(PerankhError):
        chat.checked_text("\ud83d")


def test_invented_persons_keep_nobody_from_muting_or_coming_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visits, "MOST_VISITS", 5)
    seats = [{"kind": "me"}, {"kind": "open"}]

    async def fill() -> None:
        tables = tables_in(tmp_path)
        made = tables.create("owner", get_game("mural"), 2, {}, seats, None, None, Settings(60), password="open sesame")
        table = await tables.known((await made)[0])
        tries = Buckets(1, 1000)
        await access.enter(table, "guest", "open sesame", tries)
        table.watchers.add(Watcher("watching", None, "en", "wide"))
        await chat.change_hearing(table, "watching", "*", None, None)
        for n in range(20):
            await chat.change_hearing(table, f"nothing {n}", None, None, None)
            assert f"nothing {n}" not in table.visits  # there is nothing to keep
            await chat.change_hearing(table, f"invented {n}", "*", None, None)
            assert chat.muted(table, f"invented {n}") == ["*"]
        await chat.change_hearing(table, "owner", "*", None, None)  # players always find room
        for name in ("second", "third"):
            await access.enter(table, name, "open sesame", tries)
        table.drop()
        del tables.tables[table.id]
        again = await tables.known(table.id)  # what was forgotten is not stored either
        assert set(again.visits) == {"owner", "guest", "watching", "second", "third", "invented 19"}
        assert access.may_enter(again, "guest")
        again.watchers.add(Watcher("watching", None, "en", "wide"))
        await access.enter(again, "fourth", "open sesame", tries)
        with pytest.raises(Refused, match="Too many people"):
            await access.enter(again, "fifth", "open sesame", tries)
        await tables.services.close()

    in_a_loop(fill())
