"""Live connections that ask for changes: what they build is the whole view, and nothing else is in it."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

import orjson
import pytest

from perankh.engine.game import game_names, get_game
from perankh.engine.words import LANGUAGES
from perankh.match.match import Match
from perankh.scene import Difference, Picture
from perankh.web import rendering
from perankh.web.frames import Sent, dumps
from perankh.web.views import event_facts, points_told, put_together

from .changes import scene_after, with_changes
from .conftest import Live, Person

New = Callable[[], Person]
GAMES = ("cleocatra", "egizia", "imhotep", "maqha", "mural")
MOVES = 45
PARTS = ("scene", "players", "moves", "aliases", "step_prompts", "prompt", "forced", "log", "events", "number", "result")


def played(game: str, players: int, seed: int) -> list[Match]:
    """The positions of the beginning of a random match."""
    match, chance = Match(game, players, seed), random.Random(seed)
    positions = [match.copy()]
    while len(positions) < MOVES and not match.over:
        match.play(chance.choice(match.moves()))
        positions.append(match.copy())
    return positions


def views_of(match: Match, wanted: list[rendering.Wanted], since: int) -> list[dict[str, Any]]:
    """Views of a position as the server makes them, with facts of a table that do not matter here."""
    game, number = match.game, match.number
    seen, told = {}, {}
    for viewer in {one.viewer for one in wanted}:
        told[viewer] = match.events(viewer)
        led = [event.as_numbers() for event in told[viewer][-1]] if number else []
        seen[viewer] = (game.veiled(match.state, viewer).to_bytes(), led)
    names = tuple(name or game.seat_name(p, "en") for p, name in enumerate(match.names))
    seats = rendering.Seats(dict.fromkeys(LANGUAGES, names), tuple(range(match.players)))
    shown = {"moved": number > 0, "seats": seats, "options": match.options, "acting": match.actors, "forfeited": []}
    shown |= {"final": match.state.to_bytes() if match.over else None, "broken": False, "told": points_told(match, -1)}
    shown |= {"resigned": [], "ended": False, "archived": None}
    found = []
    for one, parts in zip(wanted, rendering.render(str(game.folder), seen, wanted, shown), strict=True):
        assert isinstance(parts, dict), parts
        facts = {"type": "view", "number": number, "at": number, "viewer": one.viewer, "own": [one.viewer], "status": "playing"}
        players = [{"seat": p, "acting": p in match.actors, "clock": 600 - number} for p in range(match.players)]
        lines = [orjson.dumps({"n": number, "text": text}) for text in parts["lines"]] if since < number else []
        view = put_together(facts, players, parts, lines, since)
        events = told[one.viewer][-1] if number and since < number else []
        view["events"] = [orjson.dumps({"n": number} | event_facts(event)) for event in events]
        found.append(view)
    return found


def frames_of(game: str, seed: int) -> list[Any]:
    """What somebody on the first seat is sent in the course of a match."""
    sent, wanted = Sent(), [rendering.Wanted(0, "en", "wide", True, False)]
    positions = played(game, 2 if 2 in get_game(game).players else 3, seed)
    return [json.loads(dumps(sent.frame(views_of(match, wanted, match.number - 1)[0]))) for match in positions]


@pytest.mark.parametrize("game", GAMES)
def test_changes_add_up_to_the_whole_view(game: str) -> None:
    """For every seat, a spectator, both languages and shapes; also over moves that were taken back."""
    chance = random.Random(game)
    players = chance.choice(get_game(game).players)
    positions = played(game, players, 11)
    wanted = [
        rendering.Wanted(viewer, lang, "wide" if (viewer + n) % 2 else "tall", viewer >= 0 and n == 0, False)
        for viewer in range(-1, players)
        for n, lang in enumerate(("en", "ja"))
    ]
    sent = [Sent() for _ in wanted]
    built: list[dict[str, Any]] = [{} for _ in wanted]
    lines: list[dict[int, list[Any]]] = [{} for _ in wanted]
    smaller, last = 0, 0
    course = [*range(20), 12, *range(13, len(positions))]
    for at in course:
        for n, view in enumerate(views_of(positions[at], wanted, min(last, at - 1))):
            frame = json.loads(dumps(sent[n].frame(view)))
            whole = json.loads(dumps(view))
            built[n] = with_changes(built[n], frame) if frame["type"] == "changes" else frame
            lines[n] = {number: texts for number, texts in lines[n].items() if number < view["log_from"]} | {at: whole["log"]}
            whole["log"] = [line for number in sorted(lines[n]) for line in lines[n][number]]
            for part in set(PARTS) - {"events"}:
                assert built[n][part] == whole[part], (at, wanted[n], part)
            assert [event for event in built[n]["events"] if event["n"] == at] == whole["events"]
            assert all(event["n"] <= at for event in built[n]["events"])
            smaller += 4 * len(dumps(frame)) < len(dumps(whole))
        last = at
    assert smaller > 0.6 * len(course) * len(wanted)


# --- Over a real connection -----------------------------------------------------------------------------------------------------


class Watching:
    """A live connection that asks for changes, and the view it has built."""

    def __init__(self, live: Live) -> None:
        self.live = live
        self.view: Any = None
        self.kinds: list[str] = []

    def whole(self) -> Any:
        """Wait for a whole view."""
        self.view = self.live.view(lambda view: "serial" in view)
        return self.view

    def past(self) -> Any:
        """Wait for a view of an earlier position, which has no serial; changes that come meanwhile are taken in."""
        while (frame := self.answer())["type"] != "view" or "serial" in frame:
            pass
        return frame

    def take(self, fits: Callable[[Any], bool]) -> Any:
        """Take frames in until the view built fits."""
        while self.view is None or not fits(self.view):
            self.answer()
        return self.view

    def answer(self) -> Any:
        """The next frame, taken in if it is about the view."""
        frame = self.live.next()
        if frame["type"] in ("view", "changes"):
            self.kinds.append(frame["type"])
        if frame["type"] == "changes":
            assert frame["serial"] == self.view["serial"] + 1
            self.view = with_changes(self.view, frame)
        elif frame["type"] == "view" and "serial" in frame:
            self.view = frame
        return frame


def same(built: Any, whole: Any) -> None:
    """The view built from changes is the whole one, but for the text board, which is not sent with changes."""
    ignored: dict[str, Any] = {"serial": 0, "text": "", "question": None, "type": "view", "players": []}
    assert built["text"] is None
    players = [[player | {"askable": []} for player in view["players"]] for view in (built, whole)]  # it changes with time
    assert players[0] == players[1]
    assert built | ignored == whole | ignored


def test_what_is_built_from_changes_is_what_others_get_whole(person: New) -> None:
    red, blue = person(), person()
    table = red.table(game="mural", players=2, seed=4)
    blue.sit(table)
    chance = random.Random(4)
    with (
        red.live(table, changes=1, lang="ja") as one,
        blue.live(table, changes=1) as two,
        blue.live(table, changes=1, viewer=-1) as eye,
    ):
        watching = [Watching(live) for live in (one, two, eye)]
        for number in range(30):
            for watched in watching:
                watched.take(
                    lambda view, number=number: view["number"] == number and all(p["connected"] for p in view["players"])
                )
            same(watching[0].view, red.view(table, lang="ja"))
            same(watching[1].view, blue.view(table))
            same(watching[2].view, blue.view(table, viewer=-1))
            mover = next(watched for watched in watching if watched.view["moves"])
            code = chance.choice(mover.view["moves"])["code"]
            mover.live.send(type="move", number=number, code=code, seat=mover.view["viewer"])
        hands = [{s["id"] for s in watched.view["scene"]["sprites"]} for watched in watching]
        frames = [json.loads(text) for text in eye.frames]
        assert all(watched.kinds.count("changes") > 25 for watched in watching)
        assert hands[0] != hands[1] != hands[2]
        named = {sprite["id"] for frame in frames for sprite in (frame.get("scene") or {}).get("sprites", [])}
        public = {sprite["id"] for n in range(30) for sprite in blue.view(table, viewer=-1, at=n)["scene"]["sprites"]}
        assert named == public  # a spectator was never sent a sprite that is in no spectator's scene


def test_moves_taken_back_are_changes_too(person: New) -> None:
    red, blue = person(), person()
    table = red.table()
    blue.sit(table)
    with red.live(table, changes=1) as one, blue.live(table, changes=1, lang="ja") as two:
        watching = [Watching(one), Watching(two)]
        for number, code in enumerate("ddc"):
            for watched in watching:
                watched.take(lambda view, n=number: view["number"] == n)
            watching[number % 2].live.send(type="move", number=number, code=code)
        for watched in watching:
            watched.take(lambda view: view["number"] == 3)
        one.send(type="undo")
        watching[1].take(lambda view: view["request"])
        two.send(type="vote", what="undo", agree=True)
        for watched, query in zip(watching, ({}, {"lang": "ja"}), strict=True):
            now = watched.take(lambda view: view["number"] == 2 and view["request"] is None and len(view["log"]) == 2)
            same(now, (red if watched is watching[0] else blue).view(table, **query))


def test_the_view_of_the_end_has_all_lines(person: New) -> None:
    red, blue = person(), person()
    table = red.table()
    blue.sit(table)
    with red.live(table, changes=1) as live:
        watched = Watching(live)
        watched.take(lambda view: view["number"] == 0)
        while watched.view["status"] != "over":
            number = watched.view["number"]
            mover, seat = next((one, seat) for seat, one in enumerate((red, blue)) if one.view(table)["moves"])
            mover.move(table, number, mover.view(table)["moves"][0]["code"], seat=seat)
            watched.take(lambda view, number=number: view["number"] > number)
        assert watched.kinds[-1] == "view"  # it cannot be told by what has changed
        assert watched.view["log"] == red.view(table)["log"]
        assert {line["n"] for line in watched.view["log"]} == set(range(1, watched.view["number"] + 1))


def test_a_new_name_is_in_all_lines(person: New) -> None:
    red, blue = person(), person()
    table = red.table()
    blue.sit(table)
    with blue.live(table, changes=1) as live:
        watched = Watching(live)
        watched.take(lambda view: view["number"] == 0)
        red.move(table, 0, "d", seat=0)
        watched.take(lambda view: view["number"] == 1)
        red.ask("PATCH", f"/api/tables/{table}/seats/0", {"name": "Nofret"})
        now = watched.take(lambda view: view["players"][0]["name"] == "Nofret" and "Nofret" in view["log"][0]["text"])
        same(now, blue.view(table))


def test_on_any_doubt_the_view_is_whole(person: New) -> None:
    """Another seat, language or shape, a new connection, and whenever the client asks for it."""
    red = person()
    table = red.table(seats=[{"kind": "me"}, {"kind": "me"}])
    with red.live(table, changes=1) as live:
        watched = Watching(live)
        watched.take(lambda view: view["number"] == 0 and view["moves"])
        live.send(type="move", number=0, code="d", seat=0)
        watched.take(lambda view: view["number"] == 1)
        assert watched.kinds[-1] == "changes"
        for frame in ({"viewer": 1}, {"lang": "ja"}, {"shape": "tall"}):
            live.send(type="settings", **frame)
            assert watched.whole()["log_from"] == 1
        live.send(type="whole")
        serial = watched.whole()["serial"]
        same(watched.view, red.view(table, viewer=1, lang="ja", shape="tall"))
        live.send(type="look", at=0)
        past = watched.past()
        assert "serial" not in past  # no changes follow from it
        assert past["text"]
        live.send(type="move", number=1, code="d", seat=1)
        assert watched.take(lambda view: view["number"] == 2)["serial"] > serial
    with red.live(table, changes=1) as live:
        assert live.next()["type"] == "view"


def test_a_client_cannot_claim_to_have_a_view(person: New) -> None:
    """What was sent is what the server remembers; frames that say otherwise change nothing."""
    red, other = person(), person()
    table = red.table(seats=[{"kind": "me"}, {"kind": "me"}])
    with other.live(table, changes=1) as live:
        watched = Watching(live)
        watched.take(lambda view: True)
        for frame in ({"type": "whole", "serial": 99, "view": {"scene": {"sprites": []}}}, {"type": "whole", "serial": -1}):
            live.send(**frame)
            same(watched.whole(), other.view(table))
        for frame in ({"type": "changes", "serial": 5}, {"type": "view"}, {"type": "settings", "viewer": 0}):
            live.send(**frame)
            while (answer := watched.answer())["type"] in ("view", "changes"):
                pass
            assert answer["type"] == "error"
        red.move(table, 0, "d", seat=0)
        same(watched.take(lambda view: view["number"] == 1), other.view(table))
    for bad in ("2", "x", "-1", ""):
        with other.live(table, changes=bad) as live:
            first = live.next()
            assert first["type"] == "error" if bad in ("x", "") else "serial" not in first


def test_changes_are_few_bytes_and_answers_are_compressed(person: New) -> None:
    red = person()
    table = red.table(game="mural", players=2, seed=1, seats=[{"kind": "me"}, {"kind": "me"}])
    whole = red.http.get(f"/api/tables/{table}", headers={"Authorization": f"Bearer {red.token}", "Accept-Encoding": "identity"})
    packed = red.http.get(f"/api/tables/{table}", headers={"Authorization": f"Bearer {red.token}"})
    assert "content-encoding" not in whole.headers
    assert packed.headers["content-encoding"] == "gzip"
    assert packed.json()["scene"] == whole.json()["scene"]
    assert 4 * packed.num_bytes_downloaded < len(whole.content)
    with red.live(table, changes=1) as live:
        assert "permessage-deflate" in live.socket.response.headers["Sec-WebSocket-Extensions"]
        watched = Watching(live)
        view = watched.take(lambda view: view["moves"])
        live.send(type="move", number=0, code=view["moves"][0]["code"], seat=view["viewer"])
        watched.take(lambda view: view["number"] == 1)
        assert 4 * len(live.frames[-1]) < len(whole.text)


# --- Pictures -------------------------------------------------------------------------------------------------------------------


def picture(*sprites: tuple[str, int], title: str = "") -> Picture:
    """A picture of sprites at some place."""
    return Picture(100, 100, title, {id: orjson.dumps({"id": id, "x": x}) for id, x in sprites})


def test_pictures_change_in_any_way() -> None:
    """Sprites come, go, change and lie in another order; what has not changed is not sent."""
    chance = random.Random(8)
    ids = [f"s{n}" for n in range(12)]
    before = picture()
    for _ in range(300):
        some = chance.sample(ids, chance.randrange(len(ids))) if chance.random() < 0.5 else list(before.sprites)
        if some and chance.random() < 0.5:
            some.append(some.pop(chance.randrange(len(some))))
        after = picture(*((id, chance.randrange(2)) for id in some), title=chance.choice("ab"))
        changes = after.changes_since(before)
        sent = after.since(before).applied_to(before)
        assert (sent, list(sent.sprites)) == (after, list(after.sprites))
        assert (sent.changes_since(before), after.changes_since(after)) == (changes, None)
        shown = json.loads(before.json())
        if changes is None:
            assert (after, list(after.sprites)) == (before, list(before.sprites))
        else:
            found = json.loads(changes)
            assert scene_after(shown, found) == json.loads(after.json())
            unchanged = {id for id, made in after.sprites.items() if before.sprites.get(id) == made}
            assert not unchanged & {sprite["id"] for sprite in found.get("sprites", [])}
        before = after


def test_a_worker_sends_what_differs_from_the_pictures_it_has_sent() -> None:
    """Also from the one before the last: a position may be drawn while the last one is on its way. Others are sent whole."""
    drawn, made = rendering.Drawn(), [picture(("a", n), ("b", 0)) for n in range(6)]
    serials = []
    for n, one in enumerate(made):
        sent = drawn.keep(one, serials[-1] if n else 0)
        serials.append(drawn.serial)
        if n == 0:
            assert sent is one
        else:
            assert isinstance(sent, Difference)
            assert list(sent.sprites) == ["a"]
            assert sent.applied_to(made[n - 1]) == one
    assert isinstance(drawn.keep(picture(("a", 9)), serials[-2]), Difference)
    assert isinstance(drawn.keep(picture(("a", 9)), serials[1]), Picture)  # forgotten
    assert isinstance(drawn.keep(picture(("a", 9)), 12345), Picture)  # another process has made it
    assert len(set(serials)) == 6
    for n in range(2 * rendering.MOST_PICTURES):
        drawn.keep(picture(("a", n)), 0)
    assert len(drawn.pictures) == rendering.MOST_PICTURES


def test_all_games_of_the_package_are_tried() -> None:
    assert set(GAMES) <= set(game_names())
