"""Alerts: exactly one message for one turn, by every channel; none unasked, after leaving, for bots, or while one looks."""

from __future__ import annotations

import hashlib
import json
import re
import sqlite3
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from perankh.errors import BadOption
from perankh.web.alert_storage import Person as Wishes
from perankh.web.alerts import Letter, awake_from, hook_body, next_call, time_text
from perankh.web.mail import checked_address, mail_server
from perankh.web.outbound import BadTarget, checked_hosts, checked_target, is_public, post, resolved
from perankh.web.site import literal

from .conftest import Person, Server
from .receivers import MailServer, Receiver, Subscriber, wait_until


@pytest.fixture(scope="module")
def calling(tmp_path_factory: pytest.TempPathFactory, mails: MailServer, receiver: Receiver) -> Iterator[Any]:
    """A server that calls people at once."""
    settings = {"smtp": f"127.0.0.1:{mails.port}", "alert_hosts": receiver.host, "alert_wait": 0.2, "alert_pause": 0.5}
    running = Server(tmp_path_factory.mktemp("alerts"), **settings).start()
    ann = Person(running)
    ann.http.timeout = 120
    ann.view(ann.table())  # worker processes have started
    yield running
    running.kill()


class Callable_(Person):
    """Somebody who can be called by push, at a path of the receiver."""

    def __init__(self, server: Any, receiver: Receiver, path: str) -> None:
        super().__init__(server)
        self.browser = Subscriber(receiver, path)

    def subscribe(self, **changes: Any) -> None:
        self.ask("POST", "/api/alerts/channels", {"kind": "push", "subscription": self.browser.subscription}, 201)
        self.ask("PATCH", "/api/alerts", {"kinds": ["push"], **changes})

    def read(self) -> list[dict[str, Any]]:
        return self.browser.read(self.ask("GET", "/api/alerts")["push_key"])

    def read_after(self, count: int) -> list[dict[str, Any]]:
        """All messages, once there are so many."""
        wait_until(lambda: len(self.browser.receiver.at(self.browser.path)) >= count)
        return self.read()


def pair(calling: Any, receiver: Receiver, path: str) -> tuple[Person, Callable_, str]:
    """Ann, and Bob who can be called, at a table; it is Ann's turn."""
    ann, bob = Person(calling), Callable_(calling, receiver, path)
    table = ann.table(seats=[{"kind": "me", "name": "Ann"}, {"kind": "open"}])
    bob.sit(table, name="Bob")
    return ann, bob, table


def test_exactly_one_message_for_one_turn_by_every_channel(calling: Any, mails: MailServer, receiver: Receiver) -> None:
    ann, bob, table = pair(calling, receiver, "/push/bob")
    bob.subscribe()
    hook = f"{receiver.address}/hook/bob"
    bob.ask("POST", "/api/alerts/channels", {"kind": "webhook", "address": hook, "lang": "ja"}, 201)
    assert "ペル・アンク" in json.loads(receiver.at("/hook/bob")[0][1])["text"]  # the first message, which checks the address
    made = bob.ask("POST", "/api/alerts/channels", {"kind": "mail", "address": "bob@example.org"}, 201)
    assert made["confirmed"] is False
    (question,) = wait_until(lambda: mails.to("bob@example.org"))
    confirm = re.search(r"http://\S+/alerts/confirm/\S+", question.get_content())
    assert confirm
    bob.ask("PUT", f"/api/tables/{table}/alerts", {"kinds": ["push", "mail", "webhook"]})

    ann.move(table, 0, "a")
    assert [said["title"] for said in bob.read_after(1)] == ["Your turn: Connect Four"]
    wait_until(lambda: len(receiver.at("/hook/bob")) == 2)
    assert len(mails.to("bob@example.org")) == 1  # nothing goes to an address that nobody has confirmed
    assert "form" in bob.http.get(confirm[0]).text
    assert bob.ask("GET", "/api/alerts")["channels"][2]["confirmed"] is False  # looking at the link confirms nothing
    assert bob.http.post(confirm[0]).status_code == 200

    bob.move(table, 1, "a")
    ann.move(table, 2, "b")  # the second turn
    said = bob.read_after(2)
    wait_until(lambda: len(receiver.at("/hook/bob")) == 3)
    mail = wait_until(lambda: len(mails.to("bob@example.org")) == 2 and mails.to("bob@example.org")[1])
    assert said[1]["body"] == "You are playing with Ann."
    assert said[1]["url"] == f"{calling.address}/t/{table}"
    assert (said[1]["tag"], said[1]["count"]) == (f"turn-{table}", 1)
    assert said[1]["stop"].startswith(f"{calling.address}/alerts/stop/")
    assert mail["Subject"] == "Your turn: Connect Four"
    assert mail["From"] == "Per-Ankh <games@example.org>"
    assert f"{calling.address}/t/{table}" in mail.get_content()
    assert mail["List-Unsubscribe"].strip("<>") in mail.get_content()
    assert f"List-Unsubscribe: {mail['List-Unsubscribe']}\r\n".encode() in mails.raw[-1]  # as it is, for simple programs
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    chat = json.loads(receiver.at("/hook/bob")[2][1])
    assert "あなたの番です" in chat["text"]
    assert chat["stop"] in chat["content"]

    # A third turn, without the mailbox: its owner has clicked "unsubscribe" in his mail program.
    stop = mail["List-Unsubscribe"].strip("<>")
    assert bob.http.get(stop).status_code == 200
    assert len(bob.ask("GET", "/api/alerts")["channels"]) == 3  # looking ends nothing
    body = {"content": b"List-Unsubscribe=One-Click", "headers": {"content-type": "application/x-www-form-urlencoded"}}
    assert Person(calling).http.post(stop, **body).status_code == 200  # mail programs have no cookie
    assert bob.http.get(stop).status_code == 404
    bob.move(table, 3, "b")
    ann.move(table, 4, "c")
    assert len(bob.read_after(3)) == 3
    wait_until(lambda: len(receiver.at("/hook/bob")) == 4)
    assert len(mails.to("bob@example.org")) == 2


def test_nothing_comes_that_nobody_asked_for(calling: Any, receiver: Receiver) -> None:
    """After leaving, for a bot, in quiet hours, while one looks, without a choice. Others show that messages would come."""
    ann, bob, left = pair(calling, receiver, "/push/quiet")
    bob.subscribe(remind=0)
    tables = {"left": left}
    for name in ("bot", "looks", "unwanted", "last", "hidden"):
        tables[name] = ann.table()
        bob.sit(tables[name])
    bob.ask("PATCH", f"/api/tables/{left}/seats/1", {"kind": "open"})
    bob.ask("PATCH", f"/api/tables/{tables['bot']}/seats/1", {"kind": "bot"})
    bob.ask("PUT", f"/api/tables/{tables['unwanted']}/alerts", {"kinds": []})
    carl = Callable_(calling, receiver, "/push/sleeps")
    tables["asleep"] = ann.table()
    carl.sit(tables["asleep"])
    begin, end = (f"{(datetime.now(UTC) + timedelta(hours=hours)).hour:02}:00" for hours in (-2, 3))
    carl.subscribe(quiet={"begin": begin, "end": end}, timezone="UTC")
    with bob.live(tables["looks"]) as looking, bob.live(tables["hidden"]) as hidden:
        looking.view()
        hidden.view()
        hidden.send(type="looking", on=False)  # a tab in the background
        hidden.send(type="ping")
        hidden.answer()
        for name in ("left", "bot", "asleep", "looks", "unwanted", "last", "hidden"):
            ann.move(tables[name], 0, "a")
        said = bob.read_after(2)
        assert {one["tag"] for one in said} == {f"turn-{tables[name]}" for name in ("last", "hidden")}
        assert carl.read() == []


def test_who_has_to_start_or_to_answer_is_called_too(calling: Any, receiver: Receiver) -> None:
    """One message each: a friend has filled the table, asks for something, wants a rematch. None to whoever has answered."""
    ann, bob, carl = Person(calling), Callable_(calling, receiver, "/push/waits"), Person(calling)
    other = bob.table()  # he becomes somebody
    bob.subscribe(remind=0)
    table = bob.table(seats=[{"kind": "open"}, {"kind": "me", "name": "Bob"}], ready=False, clock={"days": 2})
    ann.sit(table, name="Ann")
    said = bob.read_after(1)
    assert (said[0]["title"], said[0]["url"]) == ("Ready to start: Connect Four", f"{calling.address}/t/{table}")
    assert said[0]["body"] == "You are playing with Ann.\nEverybody has a seat. The match is dealt when you press Start."
    bob.start(table)
    ann.ask("POST", f"/api/tables/{table}/requests", {"what": "vacation", "seat": 0, "days": 3})  # her clock runs, and he is away
    said = bob.read_after(2)
    assert said[1]["title"] == "Your answer is awaited: Connect Four"
    assert "needs your consent" in said[1]["body"]
    assert "Time left" not in said[1]["body"]
    id = bob.view(table)["request"]["id"]
    bob.ask("POST", f"/api/tables/{table}/votes", {"what": "vacation", "agree": True, "id": id})
    ann.move(table, 0, "a")
    said = bob.read_after(3)  # his turn is news of its own
    assert said[2]["title"] == "Your turn: Connect Four"
    assert said[2]["body"].splitlines()[1] in ("Time left: 2 d 0 h.", "Time left: 1 d 23 h.")
    ann.ask("POST", f"/api/tables/{table}/resign", {"seat": 0})
    next_table = ann.ask("POST", f"/api/tables/{table}/rematch")["id"]
    said = bob.read_after(4)
    assert (said[3]["title"], said[3]["tag"]) == ("Ready to start: Connect Four", f"turn-{next_table}")
    # Whoever has started, watches, or answers at once is not called; the turn at another table shows that messages would come.
    carl.sit(other)
    with bob.live(next_table) as looking:
        looking.view()
        ann.ask("PATCH", f"/api/tables/{next_table}/seats/1", {"kind": "open"})
        carl.sit(next_table)
        bob.move(other, 0, "a")
        carl.move(other, 1, "b")
        said = bob.read_after(5)
    assert [one["tag"] for one in said[4:]] == [f"turn-{other}"]


def test_nobody_is_called_again_and_again_by_whoever_asks_and_takes_it_back(calling: Any, receiver: Receiver) -> None:
    bob, stranger = Callable_(calling, receiver, "/push/flooded"), Person(calling)
    other = bob.table()
    bob.subscribe(remind=0)
    table = bob.table(seats=[{"kind": "me", "name": "Bob"}, {"kind": "open"}], ready=False, public=True)
    stranger.ask("PATCH", "/api/me", {"name": "Stranger"})
    for _ in range(6):  # a stranger sits down at a public table, and leaves
        stranger.sit(table, seat=1)
        time.sleep(0.4)  # longer than a message waits
        stranger.ask("PATCH", f"/api/tables/{table}/seats/1", {"kind": "open"})
    ann = Person(calling)
    ann.sit(other, name="Ann")
    for _ in range(6):  # a player asks, and withdraws it
        ann.ask("POST", f"/api/tables/{other}/requests", {"what": "delete", "seat": 1})
        time.sleep(0.4)
        ann.ask("POST", f"/api/tables/{other}/votes", {"what": "delete", "agree": False})
    for _ in range(6):  # faster than messages are sent: one of them counts
        ann.ask("POST", f"/api/tables/{other}/requests", {"what": "delete", "seat": 1})
        ann.ask("POST", f"/api/tables/{other}/votes", {"what": "delete", "agree": False})
    ann.ask("POST", f"/api/tables/{other}/requests", {"what": "delete", "seat": 1})
    time.sleep(1)
    titles = Counter(said["title"] for said in bob.read())
    assert 1 <= titles["Ready to start: Connect Four"] <= 2
    assert 1 <= titles["Your answer is awaited: Connect Four"] <= 2


def test_a_device_that_is_signed_out_is_not_called(calling: Any, receiver: Receiver) -> None:
    """A lost phone does not tell its finder whose turn it is; the other devices of the person are called as before."""
    ann, bob, table = pair(calling, receiver, "/push/kept")
    bob.subscribe()
    phone = Callable_(calling, receiver, "/push/lost")
    phone.table()
    phone.subscribe()  # as somebody else, before it becomes Bob's
    joined = phone.ask("POST", "/api/me/join", {"code": bob.ask("POST", "/api/me/code", {}, 201)["code"]})
    assert joined["token"] == phone.token
    tablet = Callable_(calling, receiver, "/push/tablet")
    tablet.ask("POST", "/api/me/join", {"code": bob.ask("POST", "/api/me/code", {}, 201)["code"]})
    tablet.subscribe()
    ann.move(table, 0, "a")
    for one in (bob, phone, tablet):
        assert len(one.read_after(1)) == 1
    (lost,) = [device["id"] for device in phone.ask("GET", "/api/me")["devices"] if device["here"]]
    bob.ask("DELETE", f"/api/me/devices/{lost}")
    bob.move(table, 1, "a")
    ann.move(table, 2, "b")
    assert len(bob.read_after(2)) == len(tablet.read_after(2)) == 2
    bob.ask("DELETE", "/api/me/devices")
    bob.move(table, 3, "b")
    ann.move(table, 4, "c")
    assert len(bob.read_after(3)) == 3
    assert [len(one.browser.receiver.at(one.browser.path)) for one in (phone, tablet)] == [1, 2]


def test_messages_wait_for_the_next_run_and_gone_browsers_are_forgotten(tmp_path: Path, receiver: Receiver) -> None:
    running = Server(tmp_path, alert_hosts=receiver.host, alert_wait=0.1, alert_pause=0.3).start()
    path = "/push/again"
    try:
        ann, bob, table = pair(running, receiver, path)
        bob.subscribe()
        ann.move(table, 0, "a")
        assert len(bob.read_after(1)) == 1
        first = stored(tmp_path, "SELECT number, due, told FROM alert_turns")
        bob.move(table, 1, "a")
        receiver.answers[path] = [503]
        ann.move(table, 2, "b")
        wait_until(lambda: len(receiver.at(path)) == 2)  # 503: it is to be sent again
        running.kill()
        key = stored(tmp_path, "SELECT value FROM server_keys")
        assert len(stored(tmp_path, "SELECT id FROM alert_messages")) == 1
        assert (tmp_path / "perankh.db").stat().st_mode & 0o077 == 0  # the key of the server is in there
        change(tmp_path, "UPDATE alert_turns SET due = 0")  # as if a day had passed
        running.start()
        titles = sorted(said["title"] for said in bob.read_after(4)[2:])
        assert titles == ["Still your turn: Connect Four", "Your turn: Connect Four"]
        wait_until(lambda: not stored(tmp_path, "SELECT id FROM alert_messages"))
        assert stored(tmp_path, "SELECT value FROM server_keys") == key

        # As if it had been killed before it noted the second turn: the next run finds that it has begun. And nobody is there.
        running.kill()
        change(tmp_path, "UPDATE alert_turns SET number = ?, due = ?, told = ?", *first[0])
        receiver.answers[path] = [410]
        running.start()
        wait_until(lambda: not stored(tmp_path, "SELECT id FROM alert_channels"))
        assert len(receiver.at(path)) == 5
        wait_until(lambda: not stored(tmp_path, "SELECT * FROM alert_turns"))
    finally:
        running.kill()


def change(folder: Path, statement: str, *values: Any) -> None:
    with closing(sqlite3.connect(folder / "perankh.db")) as database:
        database.execute(statement, values)
        database.commit()


def stored(folder: Path, question: str) -> list[Any]:
    with closing(sqlite3.connect(folder / "perankh.db")) as database:
        return database.execute(question).fetchall()


def test_bad_channels_are_refused(calling: Any, receiver: Receiver) -> None:
    ann = Person(calling)
    subscription = Subscriber(receiver, "/push/bad").subscription
    for wrong in (
        {"kind": "push"},
        {"kind": "push", "subscription": subscription | {"endpoint": "http://127.0.0.1:1/"}},
        {"kind": "push", "subscription": subscription | {"keys": {"p256dh": "AAAA", "auth": "AAAA"}}},
        {"kind": "mail", "address": "nobody"},
        {"kind": "mail", "address": "ann@example.org\nBcc: bob@example.org"},
        {"kind": "mail", "address": "ann@example.org, bob@example.org"},
        {"kind": "webhook", "address": "http://chat.example.org/"},
        {"kind": "webhook", "address": "https://chat.example.org:22/"},
        {"kind": "webhook", "address": "file:///etc/passwd"},
        {"kind": "webhook", "address": "https://127.0.0.1/"},
        {"kind": "webhook", "address": "https://localhost/"},
        {"kind": "pigeon", "address": "Ann"},
    ):
        ann.ask("POST", "/api/alerts/channels", wrong, 422)
    receiver.answers["/moved"] = [302]
    ann.ask("POST", "/api/alerts/channels", {"kind": "webhook", "address": f"{receiver.address}/moved"}, 422)
    assert receiver.at("/elsewhere") == []  # redirects are not followed
    ann.table()
    ann.ask("PATCH", "/api/alerts", {"timezone": "../../etc/passwd"}, 422)
    ann.ask("PATCH", "/api/alerts", {"timezone": "Atlantis/Capital"}, 422)
    ann.ask("PATCH", "/api/alerts", {"quiet": {"begin": "25:00", "end": "07:00"}}, 422)
    found = ann.ask("PATCH", "/api/alerts", {"quiet": {"begin": "22:30", "end": "07:00"}, "timezone": "Asia/Tokyo", "remind": 4})
    assert (found["quiet"], found["timezone"], found["remind"]) == ({"begin": "22:30", "end": "07:00"}, "Asia/Tokyo", 4)
    assert ann.ask("PATCH", "/api/alerts", {"quiet": False})["quiet"] is None
    ann.ask("POST", "/api/alerts/channels", {"kind": "push", "subscription": subscription}, 201)
    assert ann.ask("DELETE", "/api/alerts") == ann.ask("GET", "/api/alerts")
    owner = hashlib.sha256(str(ann.token).encode()).hexdigest()
    for name in ("people", "channels", "choices", "turns"):
        assert stored(calling.data, f"SELECT * FROM alert_{name} WHERE owner = '{owner}'") == []
    stranger = Person(calling)
    stranger.ask("PATCH", "/api/alerts", {"remind": 0}, 403)
    other = ann.table()
    Person(calling).ask("PUT", f"/api/tables/{other}/alerts", {"kinds": []}, 403)
    for _ in range(3):
        ann.ask("POST", "/api/alerts/channels", {"kind": "mail", "address": "crowd@example.org"}, 201)
    ann.ask("POST", "/api/alerts/channels", {"kind": "mail", "address": "Crowd@example.org"}, 429)  # nobody's mailbox is flooded


def test_addresses_that_never_answer_do_not_hold_up_the_messages_of_others(calling: Any, receiver: Receiver) -> None:
    ann, bob, table = pair(calling, receiver, "/push/patient")
    bob.subscribe()
    hook = {"kind": "webhook", "address": f"{receiver.address}/slow/hook"}
    attackers = [Person(calling) for _ in range(32)]
    with ThreadPoolExecutor(len(attackers)) as threads:
        asked = [threads.submit(attacker.http.post, "/api/alerts/channels", json=hook) for attacker in attackers]
        wait_until(lambda: receiver.at("/slow/hook"))
        ann.move(table, 0, "a")
        assert bob.read_after(1)[0]["title"]
        unanswered = sum(not one.done() for one in asked)
        receiver.hurry.set()
        statuses = {one.result().status_code for one in asked}
    assert unanswered >= 8  # otherwise the message has waited for them
    assert statuses <= {201, 422}


def test_nor_do_many_hosts_that_never_answer(tmp_path: Path, receiver: Receiver) -> None:
    slow = [Receiver() for _ in range(5)]
    hosts = " ".join(one.host for one in (receiver, *slow))
    running = Server(tmp_path, alert_hosts=hosts, alert_wait=0.1, alert_pause=0.05).start()
    try:
        ann, bob, table = pair(running, receiver, "/push/amid")
        bob.subscribe()
        turns = []
        for one in slow:
            one.hurry.set()  # it takes a first message
            other, mallory = Person(running), Person(running)
            for path in ("/slow/1", "/slow/2"):
                hook = {"kind": "webhook", "address": one.address + path}
                mallory.ask("POST", "/api/alerts/channels", hook, 201)
            mallory.ask("PATCH", "/api/alerts", {"kinds": ["webhook"]}, 200)
            turns.append((other, other.table()))
            mallory.sit(turns[-1][1])
            one.hurry.clear()
        for other, theirs in turns:
            other.move(theirs, 0, "a")
        wait_until(lambda: sum(len(one.got) for one in slow) >= 18)  # ten first messages, and eight that are not answered
        ann.move(table, 0, "a")
        assert bob.read_after(1)[0]["title"]
        assert not stored(tmp_path, "SELECT id FROM alert_messages WHERE attempts > 1")  # it has waited for none of them
    finally:
        for one in slow:
            one.hurry.set()
            one.stop()
        running.kill()


# --- Parts ---------------------------------------------------------------------------------------------------------------


def test_a_name_calls_nobody_in_a_chat() -> None:
    letter = Letter(
        "Your turn",
        "You are playing with <!channel> @everyone [a](b).",
        "https://a.example/t/1",
        "https://a.example/stop",
        {"why": "To end:"},
    )
    said = json.loads(hook_body(letter, "discord.com"))
    assert said["text"] == said["content"]
    assert not set("<>@[]()") & set(said["text"])
    assert "＜!channel＞ ＠everyone" in said["text"]
    assert said["allowed_mentions"] == {"parse": []}
    assert letter.url in said["text"]
    assert letter.stop in said["text"]
    assert json.loads(hook_body(letter, "chat.googleapis.com")) == {"text": said["text"]}  # it refuses what it does not know


def at(text: str) -> float:
    return datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()


@pytest.mark.parametrize(
    ("zone", "begin", "end", "now", "awake"),
    [
        ("UTC", 22, 8, "2026-03-01T21:59", "2026-03-01T21:59"),
        ("UTC", 22, 8, "2026-03-01T22:00", "2026-03-02T08:00"),
        ("UTC", 22, 8, "2026-03-02T03:00", "2026-03-02T08:00"),
        ("UTC", 22, 8, "2026-03-02T08:00", "2026-03-02T08:00"),
        ("UTC", 9, 17, "2026-03-02T12:00", "2026-03-02T17:00"),
        ("Asia/Tokyo", 22, 8, "2026-03-01T14:00", "2026-03-01T23:00"),  # 23:00 there
        ("Europe/Berlin", 22, 8, "2026-03-28T23:00", "2026-03-29T06:00"),  # the night in which the clocks go forward
        ("UTC", 5, 5, "2026-03-01T05:00", "2026-03-01T05:00"),
    ],
)
def test_quiet_hours(zone: str, begin: int, end: int, now: str, awake: str) -> None:
    assert awake_from(at(now), Wishes(zone, 60 * begin, 60 * end)) == at(awake)


DAY = 24.0


@pytest.mark.parametrize(
    ("remind", "told", "left", "hours"),
    [
        (24, 1, None, 24),
        (24, 3, None, 24),
        (24, 4, None, None),  # three reminders
        (0, 1, None, None),
        (0, 1, (DAY, 0), None),  # none, whatever the clock says
        (24, 1, (DAY, 0), 16),  # eight hours before the end
        (4, 1, (DAY, 0), 4),
        (24, 2, (8, 0), None),  # that was the last
        (24, 1, (5, 0), None),
        (4, 1, (5, 0), 4),
        (4, 4, (14 * DAY, 0), 14 * DAY - 8),
        (24, 1, (DAY, 7 * DAY), 7 * DAY),  # when the vacation is over
        (24, 1, (3 * DAY, 2 * DAY), 2 * DAY),
    ],
)
def test_reminders_come_before_the_time_is_out(
    remind: int, told: int, left: tuple[float, float] | None, hours: float | None
) -> None:
    seconds = (left[0] * 3600, left[1] * 3600) if left else None
    found = next_call(1e6, Wishes(remind=remind), told, seconds)
    assert (found and (found - 1e6) / 3600) == hours


def test_the_time_that_is_left_in_words() -> None:
    assert [time_text(seconds, "en") for seconds in (90_000, 86_399, 59)] == ["1 d 1 h", "23 h 59 min", "0 h 0 min"]
    assert time_text(9 * 3600, "ja") == "9時間0分"


PRIVATE = (
    "127.0.0.1 10.1.2.3 192.168.1.1 172.20.0.1 169.254.169.254 100.64.0.1 0.0.0.0 224.0.0.1 ::1 fd00::1 fe80::1 ::ffff:127.0.0.1"
)
PRIVATE += " ::ffff:10.0.0.1 64:ff9b::7f00:1 2002:7f00:1:: 2001:0:7f00:1:: ::127.0.0.1 fec0::1 ::ffff:0:10.0.0.1 4000::1"


@pytest.mark.parametrize("address", PRIVATE.split())
def test_nothing_is_sent_into_private_networks(address: str) -> None:
    found = literal(address)
    assert found
    assert not is_public(found)
    with pytest.raises(BadTarget):
        resolved(address, 443, anywhere=False)


def test_targets_of_requests() -> None:
    assert checked_target("https://chat.example.org/hook?x=1", frozenset()) == ("https", "chat.example.org", 443, "/hook?x=1")
    known = checked_hosts(["chat.lan:8065"])
    assert checked_target("http://chat.lan:8065/hook", known) == ("http", "chat.lan", 8065, "/hook")
    for wrong in ("http://chat.example.org", "https://chat.lan:8066/", "https://user@chat.example.org/", "https://a b/", "//x"):
        with pytest.raises(BadTarget):
            checked_target(wrong, known)
    with pytest.raises(BadTarget, match="private"):
        post("https://localhost/", b"", {}, frozenset())
    for wrong in ("chat.lan", "http://chat.lan:80", ""):
        with pytest.raises(BadOption):
            checked_hosts([wrong])


def test_settings_of_the_mail_server() -> None:
    assert mail_server(None, None) is None
    found = mail_server("smtp.example.org", "games@example.org", "tls", "ann", "secret")
    assert found
    assert (found.host, found.port) == ("smtp.example.org", 465)
    assert mail_server("127.0.0.1:2525", "games@example.org").port == 2525  # type: ignore[union-attr]
    for wrong in [
        ("smtp.example.org", None),
        ("smtp.example.org", "Ann"),
        (":25", "a@b.org"),
        ("smtp.example.org:99999", "a@b.org"),
    ]:
        with pytest.raises(BadOption):
            mail_server(*wrong)
    with pytest.raises(BadOption, match="both"):
        mail_server("smtp.example.org", "games@example.org", user="ann")
    assert checked_address(" ann+games@mail.example.org ") == "ann+games@mail.example.org"
