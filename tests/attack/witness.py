"""Everything that anybody was sent of a table is kept, and compared with a replay once the match is over and its seed known.

A view must equal the one made from another world, in which all that its viewer may not know is dealt anew. So it holds nothing
that depends on what was hidden.
"""

from __future__ import annotations

import zlib
from collections import defaultdict
from typing import Any

import orjson

from perankh.engine.game import Game
from perankh.engine.words import seats_called
from perankh.match import Match
from perankh.match.file import parse
from perankh.scene.sprite import SHAPES
from perankh.web import rendering

from .people import Broken, Person

WIDTHS = {width: shape for shape, width in SHAPES.items()}


class Witness:
    """What came over the wire, by table, compressed; equal views are kept once."""

    def __init__(self) -> None:
        self.views: dict[str, dict[tuple[Any, ...], bytes]] = defaultdict(dict)
        self.files: dict[str, tuple[str, Game]] = {}  # the matches that are over
        self.received = 0
        self.rewound: set[str] = set()  # tables at which moves may have been taken back: a number means several positions
        self.checked = self.waiting = self.unclear = 0
        self.faults: list[str] = []

    def see(self, person: Person, text: str | bytes) -> Any:
        """Keep a frame or an answer that somebody got; returns it as plain values."""
        frame = orjson.loads(text)
        if isinstance(frame, dict) and frame.get("type") == "view":
            self.received += 1
            if frame["status"] != "over" and not frame["readonly"]:
                self.keep(person, frame, text if isinstance(text, bytes) else text.encode())
        return frame

    def keep(self, person: Person, view: Any, text: bytes) -> None:
        """Keep a view of a running match for later; what can be judged at once is."""
        table, viewer = view["table"], view["viewer"]
        if view["status"] == "waiting":
            self.waiting += 1
            if view["scene"] is not None:
                self.faults.append(f"{person.address} was shown a deal of table {table} before the match began")
            return
        if viewer != -1 and viewer not in view["own"]:
            self.faults.append(f"{person.address} got the view of seat {viewer} of table {table}, not its own")
        if view["seed"] is not None:
            self.faults.append(f"{person.address} got the seed of table {table} while the match runs")
        scene = hash(orjson.dumps([view["scene"], view["moves"]]))
        key = (viewer, view["number"], view["at"], view["title"], view["log_from"], view["status"], scene)
        if key not in self.views[table]:
            self.views[table][key] = zlib.compress(text, 1)

    async def over(self, table: str, person: Person, game: Game) -> None:
        """A match is over: fetch its file, with the seed."""
        answer = await person.ask("GET", f"/api/tables/{table}/file")
        if answer.status != 200:
            raise Broken(f"table {table}: the file of a match that is over: {answer.status} {answer.body[:300]!r}")
        self.files[table] = answer.body.decode(), game

    def compare(self) -> None:
        """Compare all views of the matches that are over with their replays."""
        for table, (text, game) in self.files.items():
            match = parse(text, game=game)
            positions = list(match.positions())
            known: dict[tuple[Any, ...], Any] = {}
            for kept in self.views.pop(table, {}).values():
                view = orjson.loads(zlib.decompress(kept))
                fault = view_fault(match, positions, known, view)
                if fault and table in self.rewound:
                    self.unclear += 1
                elif fault:
                    self.faults.append(f"table {table}, viewer {view['viewer']}, position {view['at']}: {fault}")
                else:
                    self.checked += 1


def view_fault(match: Match, positions: list[Match], known: dict[tuple[Any, ...], Any], view: Any) -> str:
    """What in a view is not what its viewer may know; nothing if all is. `known`: what was found out of the match before."""
    game, viewer, at = match.game, view["viewer"], view["at"]
    if at >= len(positions):
        return "there was no such position"
    lang = next(lang for lang in game.words.languages if game.words.say("game.name", lang) == view["title"])
    world = game.veiled(game.redealt(game.veiled(positions[at].state, viewer), 99), viewer)
    if (viewer,) not in known:
        known[viewer,] = match.events(viewer)
    told = known[viewer,]
    led = told[at - 1] if at else []
    names = tuple(player["name"] for player in view["players"])
    colours = tuple(game.drawing.SEAT_COLOURS.names.index(player["colour"]) for player in view["players"])
    seats, shape = rendering.Seats({lang: names}, colours), WIDTHS[view["scene"]["width"]]
    with seats_called(names, colours):
        drawn = rendering.position(game, world, led, seats, viewer, lang, shape, bool(view["moves"]))
    for part, made in (("moves", drawn["moves"]), ("scene", drawn["scene"].json())):
        if view[part] != orjson.loads(made):
            return f"{part} depends on what is hidden"
    if view["text"] != drawn["text"]:
        return "the text board depends on what is hidden"
    if view["moves"] and view["prompt"] != drawn["prompt"]:
        return "the prompt depends on what is hidden"
    if [player["score"] for player in view["players"]] != drawn["scores"]:
        return "the scores depend on what is hidden"
    events = [
        {"n": n, "kind": event.kind.name.lower(), "seat": event.seat, **event.by_name()}
        for n, events in enumerate(told[: view["number"]], 1)
        for event in events
        if n >= view["log_from"]
    ]
    if view["events"] != events:
        return "the events are not those that the viewer may know"
    if view["happened"] != drawn["happened"]:
        return "what is shown of the last move depends on what is hidden"
    key = (viewer, lang, names)
    if key not in known:
        match.rename(*names)
        known[key] = match.log_by_move(viewer, lang)
    lines = [line for n, texts in enumerate(known[key][: view["number"]], 1) for line in texts if n >= view["log_from"]]
    return "" if [line["text"] for line in view["log"]] == lines else "the log is not what the viewer may know"
