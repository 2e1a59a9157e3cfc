"""Nothing hidden is ever on the wire."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

import pytest

from perankh.engine import sets
from perankh.engine.game import get_game
from perankh.match import Match
from perankh.web import rendering
from perankh.web.secrecy import open_moves

from .conftest import Live, Person

New = Callable[[], Person]
KEYS = {
    *("type", "table", "game", "title", "status", "readonly", "number", "at", "viewer", "own", "players", "options", "prompt"),
    *(
        "moves",
        "closed",
        "chapter",
        "earlier_rules",
        "scene",
        "text",
        "log",
        "log_from",
        "events",
        "seed_hash",
        "seed",
        "request",
        "notices",
        "settings",
        "may_undo",
        "may_change",
        "question",
        "next",
    ),
    *("aliases", "step_prompts", "forced", "may_hint", "result", "deal", "hot_seat", "by", "happened"),
    *("clock", "series", "spectators", "public", "password", "creator", "may_delete", "seen", "edition", "cover"),
}
SEED = 0x1B2D3F4A5C6E7F8091A2B3C4D5E6F708


def generator_words(match: Match) -> set[str]:
    """The words of the generator that could come up: key, and the blocks as they are used."""
    words: set[int] = set()
    for state in (position.state for position in match.positions()):
        words |= {*state.chance_key, *state.chance_pool}
    return {form for word in words if word > 10**6 for form in (str(word), f"{word:08x}")}


def play_watched(person: New, seed: int, players: int) -> tuple[Match, dict[int, list[str]]]:
    """A whole match of Nile Mural over the wire; what came over it, by viewer, while the match ran."""
    seated = [person() for _ in range(players)]
    table = seated[0].table(game="mural", players=players, seed=seed)
    for other in seated[1:]:
        other.sit(table)
    luck = random.Random(seed)
    twin = Match("mural", players, seed)
    lives: dict[int, Live] = {}
    opened = [who.live(table, lang=("en", "ja")[p % 2], since=0) for p, who in enumerate(seated)] + [person().live(table)]
    try:
        for p, connection in enumerate(opened):
            lives[p if p < players else -1] = connection.__enter__()
        while not twin.over:
            (p,) = twin.actors
            move = luck.choice(twin.moves(p))
            assert lives[p].move(len(twin.played), move.code, p)["type"] == "done"
            twin.play(move)
            for live in lives.values():
                live.view(lambda view: view["number"] == len(twin.played))
            if len(twin.played) % 40 == 0:
                lives[-1].send(type="look", at=len(twin.played) // 2)
                lives[-1].view(lambda view: view["at"] != view["number"])
                lives[-1].send(type="settings", viewer=0)
                assert lives[-1].answer()["error"] == "That is not your seat."
                assert person().view(table, 403, viewer=1)
                assert "\nseed:" not in person().ask("GET", f"/api/tables/{table}/file")
    finally:
        for connection in opened:
            connection.__exit__(None, None, None)
    return twin, {viewer: live.frames for viewer, live in lives.items()}


def test_every_frame_of_a_match_tells_what_its_viewer_may_know_and_nothing_else(person: New) -> None:
    match, frames = play_watched(person, SEED, 3)
    states = [position.state for position in match.positions()]
    secrets = generator_words(match) | {f"{SEED:032x}", f"{SEED:x}", str(SEED)}
    game, seen = match.game, 0
    for viewer, texts in frames.items():
        for text in texts:
            frame = json.loads(text)
            if frame["type"] != "view":
                continue
            assert set(frame) == KEYS
            if frame["status"] == "over":
                assert frame["seed"] == f"{SEED:032x}"
                continue
            assert not [secret for secret in secrets if secret in text]
            assert frame["seed"] is None
            assert frame["result"] is None
            at = frame["at"]
            check_view(game, states[at], match.events(viewer, at - 1)[0] if at else [], viewer, frame)
            seen += 1
    assert seen > 4 * len(match.played)


def check_view(game: Any, state: Any, events: list[Any], viewer: int, frame: Any) -> None:
    """A frame equals what is drawn from another world in which only what the viewer cannot know is different.

    `events` are those of the last move, as the viewer may know them.
    """
    lang = "ja" if frame["title"] == "ナイルの壁画" else "en"
    world = game.veiled(game.redealt(game.veiled(state, viewer), 99), viewer)
    names = tuple(player["name"] for player in frame["players"])
    seats = rendering.Seats({lang: names}, tuple(range(len(names))))
    wanted = rendering.Wanted(viewer, lang, "wide", bool(frame["moves"]), text=True)
    drawn = rendering.parts(game, world, events, wanted, seats, moved=True)
    assert frame["moves"] == json.loads(drawn["moves"])
    assert frame["scene"] == json.loads(drawn["scene"].json())
    assert frame["text"] == drawn["text"]
    assert [player["score"] for player in frame["players"]] == drawn["scores"]
    ids = {sprite["id"] for sprite in frame["scene"]["sprites"]}
    held = {card for q in range(state.players) if q != viewer for card in sets.members(state.hand[q])}
    hidden = held - set(sets.members(state.public))
    assert not ids & {f"card-{card:02}" for card in hidden}


def test_every_viewer_gets_log_lines_of_its_own(person: New) -> None:
    match, frames = play_watched(person, 5, 2)
    for viewer, texts in frames.items():
        lang = "ja" if viewer == 1 else "en"
        expected = match.log_by_move(viewer, lang)
        sent: dict[int, list[str]] = {}
        for frame in map(json.loads, texts):
            lines: dict[int, list[str]] = {}
            for line in frame.get("log", []):
                lines.setdefault(line["n"], []).append(line["text"])
            for number, found in lines.items():
                assert sent.setdefault(number, found) == found
        assert [sent.get(n, []) for n in range(1, match.number + 1)] == expected


def test_every_viewer_gets_the_events_it_may_know(person: New) -> None:
    match, frames = play_watched(person, 5, 2)
    for viewer, texts in frames.items():
        sent: dict[int, list[dict[str, Any]]] = {}
        for frame in map(json.loads, texts):
            for number in {event["n"] for event in frame.get("events", [])}:
                found = [event for event in frame["events"] if event["n"] == number]
                assert sent.setdefault(number, found) == found
        drawn = [event for events in sent.values() for event in events if event["kind"] == "drew"]
        assert drawn
        assert all((event["card"] is None) == (event["seat"] != viewer) for event in drawn)
        told = [(event["kind"], event["seat"]) for number in sorted(sent) for event in sent[number]]
        assert told == [(event.kind.name.lower(), event.seat) for events in match.events(viewer) for event in events]


def test_a_list_of_moves_that_would_tell_secret_choices_is_kept_back() -> None:
    match = Match("mural", 2, 3)
    luck = random.Random(1)
    while not match.over:
        match.play(luck.choice(match.moves()))
    assert open_moves(match) == match.number

    class Secretive:
        """Nile Mural, but a spectator sees nothing at all."""

        def __getattr__(self, name: str) -> Any:
            return getattr(get_game("mural"), name)

        def veiled(self, state: Any, p: int) -> Any:
            return get_game("mural").State() if p == -1 else get_game("mural").veiled(state, p)

    match.game = Secretive()  # type: ignore[assignment]
    assert open_moves(match) < match.number


@pytest.mark.parametrize(
    ("game", "options"), [("maqha", {"rules": "advanced"}), ("imhotep", {"market_side": "B"}), ("egizia", {}), ("cleocatra", {})]
)
def test_a_shared_screen_is_covered_whenever_the_next_player_knows_other_things(
    person: New, game: str, options: dict[str, Any]
) -> None:
    host, luck, covered = person(), random.Random(5), set()
    table = host.table(game=game, players=3, seats=[{"kind": "me"}] * 3, seed=SEED, options=options)
    twin = Match(game, 3, SEED, options)
    for number in range(150):
        acting = twin.actors
        for viewer in range(3):
            other = [p for p in acting if p != viewer and twin.game.veiled(twin.state, p) != twin.game.veiled(twin.state, viewer)]
            cover = host.view(table, viewer=viewer)["cover"]
            assert cover == bool(other)
            covered.add(cover)
        move = luck.choice(twin.moves(acting[0]))
        host.move(table, number, move.code, seat=acting[0])
        twin.play(move)
        if twin.over or len(covered) == 2:
            break
    assert covered == {game != "cleocatra", False}
