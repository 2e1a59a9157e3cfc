"""What worker processes make for viewers: moves, scene, prompts, names and log lines, from states that are veiled already."""

from __future__ import annotations

import gc
import secrets
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import Any, NamedTuple

import orjson

from perankh.bots import game_at, restored
from perankh.engine.events import GameEvent
from perankh.engine.game import Game
from perankh.engine.state import Record
from perankh.engine.text import width
from perankh.engine.words import LANGUAGES, seats_called
from perankh.match.forfeits import places
from perankh.match.match import forfeit_words
from perankh.scene import SHAPES, Difference, Picture, Scene, clicks, previews
from perankh.scene.event_effects import event_effects
from perankh.scene.layout import fitting, label
from perankh.web import catalog
from perankh.web.refusal import WORDS
from perankh.web.timed_answers import answer_at, default_answer, time_to_answer


def load() -> None:
    """Load all games before they are needed. They stay: the collector of unused objects need not look at them."""
    catalog.offered_games()
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)  # drawings that are kept are many objects


ID = attrgetter("id")
MOST_PICTURES = 2000  # that a process keeps
LONGEST_NAME = 16  # columns of a name on a board; a Japanese character takes two


def cut(name: str, columns: int) -> str:
    """The beginning of a name that takes at most so many columns."""
    return next(name[:n] for n in range(len(name), -1, -1) if width(name[:n]) <= columns)


class Wanted(NamedTuple):
    """What is to be made for somebody who watches; those for whom the same is wanted share it."""

    viewer: int
    lang: str
    shape: str
    may_act: bool
    text: bool  # the text board too


class Seats(NamedTuple):
    """The players as all views show them."""

    names: dict[str, tuple[str, ...]]  # by language
    colours: tuple[int, ...]  # which of the game's colours each seat has

    def on_boards(self, lang: str) -> list[str]:
        """Names that fit into a seat's place on a board."""
        return [name if width(name) <= LONGEST_NAME else cut(name, LONGEST_NAME - 1) + "…" for name in self.names[lang]]


class Fault(NamedTuple):
    """In place of what could not be made: the error in words."""

    error: str


Seen = dict[int, tuple[bytes, list[Any]]]  # by viewer: the bytes of the veiled state, and the events of the move that led to it


class Drawn:
    """The pictures that this process has made lately: of one that follows them, only what differs is sent to the server."""

    def __init__(self) -> None:
        self.pictures: OrderedDict[int, tuple[Picture, int]] = OrderedDict()  # by serial, with the serial of the one before
        self.serial = 0  # of the last one

    def keep(self, picture: Picture, known: int) -> Picture | Difference:
        """What is sent of a picture to a server that knows the one with a serial; it has the next serial from now on."""
        self.serial = self.serial + 1 if self.serial else secrets.randbits(62)  # no other process has the same serials
        before, oldest = self.pictures.get(known, (None, 0))
        self.pictures.pop(oldest, None)  # not the one before: another position may be drawn after it too
        self.pictures[self.serial] = (picture, known)
        if len(self.pictures) > MOST_PICTURES:
            self.pictures.popitem(last=False)
        return picture.since(before) if before else picture


DRAWN = Drawn()


def render(
    folder: str, seen: Seen, wanted: list[Wanted], facts: dict[str, Any], known: Sequence[int] = ()
) -> list[dict[str, Any] | Fault]:
    """The parts of views that are drawn or worded, for everybody who watches a position.

    `facts` are public: the `seats`, the `options`, the `acting` seats, the `final` state when the match is over and nothing is
    secret any more, what was `told` of points until then, the seats that have `forfeited` and those of them that have `resigned`,
    whether that has `ended` the match, whether what is stored is `broken`, and whether anybody has `moved`; of a match that its
    rules of then have `archived`, how it came out. A fault of the game in one of them costs no other.
    `known`: for each that is wanted, the serial of the picture that the server has of the position before, or 0.
    """
    game = game_at(folder)
    states = {viewer: game.State.from_bytes(record, fixed=True) for viewer, (record, _) in seen.items()}
    events = {viewer: [game.event(row) for row in rows] for viewer, (_, rows) in seen.items()}
    made: list[dict[str, Any] | Fault] = []
    words: dict[str, dict[str, Any]] = {}
    for one, before in zip(wanted, known or [0] * len(wanted), strict=True):
        try:
            if one.lang not in words:
                words[one.lang] = public_words(game, facts, one.lang)
            make = parts_of_archive if facts["archived"] else parts
            drawn = make(game, states[one.viewer], events[one.viewer], one, facts["seats"], facts["moved"])
            drawn["scene"] = DRAWN.keep(drawn["scene"], before)
            drawn["serial"] = DRAWN.serial
            made.append(drawn | words[one.lang])
        except Exception as error:
            made.append(Fault(f"{type(error).__name__}: {error}"))
    return made


def parts(game: Game, state: Record, events: list[GameEvent], wanted: Wanted, seats: Seats, moved: bool) -> dict[str, Any]:
    """The parts of one view, with the lines of the last move if there is one."""
    with seats_called(seats.names[wanted.lang], seats.colours):
        made = position(game, state, events, seats, *wanted)
        made["lines"] = game.text.log_lines(state, events, wanted.viewer, wanted.lang) if moved else []
    return made


def parts_of_archive(
    game: Game, state: Record, events: list[GameEvent], wanted: Wanted, seats: Seats, moved: bool
) -> dict[str, Any]:
    """The parts of one view of a match that was played under other rules. What the game cannot draw any more is told instead."""
    try:
        return parts(game, state, events, wanted, seats, moved)
    except Exception:
        wide, text = SHAPES[wanted.shape], WORDS.say("not_drawn", wanted.lang)
        sprites = [label("not-drawn", text, wide / 2, 60, fitting(text, 18, wide - 40))]
        empty: dict[str, Any] = {"moves": b"[]", "prompt": None, "aliases": {}, "step_prompts": {}, "forced": None}
        empty |= {"closed": {}, "default": None, "chapter": None}
        drawn = {"scene": Picture.of(Scene(wide, 120, sprites, text)), "text": text, "scores": [0] * state.players}
        return empty | drawn | {"happened": [], "lines": []}


def public_words(game: Game, facts: dict[str, Any], lang: str) -> dict[str, Any]:
    """What every view says in a language."""
    seats: Seats = facts["seats"]
    names = list(seats.names[lang])
    final, waiting = None, about_players(names, facts["acting"], "wait.actors", lang)
    with seats_called(names):
        options = options_shown(game, facts["options"], lang)
    if facts["final"]:
        final, waiting = game.State.from_bytes(facts["final"]), why_over(game, facts, names, lang)
    return {
        "title": game.words.say("game.name", lang),
        "names": names,
        "colours": colours_of(game, seats),
        "options": options,
        "waiting": WORDS.say("damaged", lang) if facts["broken"] else waiting,
        "result": result(game, final, facts, waiting, lang) if final else None,
    }


def colours_of(game: Game, seats: Seats) -> list[str]:
    """The colours of the seats, names out of the palette."""
    with seats_called((), seats.colours):
        return [game.drawing.SEAT_COLOURS[p] for p in range(len(seats.colours))]


def lobby(folder: str, options: dict[str, Any], seats: Seats, waits_for: list[int] | None, lang: str) -> dict[str, Any]:
    """The words of a table before the deal. `waits_for`: the seats that have not started; None while seats are open.

    `palette`: the colours that a player can choose from.
    """
    game, shown = game_at(folder), list(seats.names[lang])
    colours = [game.drawing.SEAT_COLOURS[c] for c in range(len(game.drawing.SEAT_COLOURS))]
    named = [(colour, f"seat.{c}") for c, colour in enumerate(colours) if f"seat.{c}" in game.words.texts]
    with seats_called(shown):
        chosen = options_shown(game, options, lang)
    return {
        "title": game.words.say("game.name", lang),
        "names": shown,
        "colours": colours_of(game, seats),
        "palette": [{"colour": colour, "name": game.words.say(key, lang)} for colour, key in named],
        "options": chosen,
        "scores": [0] * len(shown),
        "waiting": WORDS.say("wait.seats", lang) if waits_for is None else about_players(shown, waits_for, "wait.start", lang),
    }


def position(
    game: Game,
    state: Record,
    events: list[GameEvent],
    seats: Seats,
    viewer: int,
    lang: str,
    shape: str,
    may_act: bool,
    text: bool = True,
    listed: bool = True,
) -> dict[str, Any]:
    """The parts of a view that follow from the position and the move that led to it. Moves are JSON already.

    `text`: with the text board. `listed`: the page lists the players with their points (see `players_listed`).
    """
    moves, prompt, aliases, prompts, forced, closed, chapter = [], None, {}, {}, None, {}, None
    if may_act:
        # Of choices that differ in their time alone, one is offered.
        legal = [a for a in game.legal(state, viewer) if answer_at(game, state, a, 0) == a]
        with seats_called(()):
            paths = game.drawing.paths(state, viewer) if legal else {}
        codes, sentence = game.text.CODES, game.text.sentence
        moves = [{"code": codes[a], "sentence": sentence(state, viewer, a, lang), "path": paths.get(a, ())} for a in legal]
        if legal:
            prompt, chapter = game.text.prompt(state, viewer, lang), chapter_of(game, state, viewer)
            with seats_called(()):
                aliases = clicks.aliases_of(game, state, viewer)
            closed = clicks.closed_sprites(game, state, viewer, lang)
            prompts = clicks.step_prompts(game, state, viewer, {a: paths[a] for a in legal}, aliases, lang)
            forced = game.text.CODES[legal[0]] if is_forced(game, state, viewer) else None
    timed = time_to_answer(game, state) > 0
    with seats_called(seats.on_boards(lang), seats.colours, listed):
        scene = game.drawing.scene(state, viewer, lang, shape)
        board = game.text.board(state, viewer, lang) if text else None
    set_travel_order(game, state, scene, events)
    return {
        "moves": orjson.dumps(moves),
        "prompt": prompt,
        "aliases": aliases,
        "step_prompts": prompts,
        "forced": forced,
        "closed": closed,
        "chapter": chapter,
        "scene": Picture.of(scene),
        "text": board,
        "scores": scores_shown(game, state),
        "happened": event_effects(game, state, events, lang),
        "default": game.text.CODES[default_answer(game, state)] if timed else None,
    }


def scores_shown(game: Game, state: Record) -> list[int] | list[None]:
    """The points of the seats; None while the game says that they mean nothing yet."""
    return [None] * state.players if is_unscored(game, state) else game.scores(state)


def is_unscored(game: Game, state: Record) -> bool:
    """Do the points still tell nothing but the set-up?"""
    unscored = getattr(game.drawing, "unscored", None)
    return bool(unscored and unscored(state))


def chapter_of(game: Game, state: Record, p: int) -> str | None:
    """The chapter of the guide with the rule that concerns p's decision; None if the game does not say."""
    chapter = getattr(game.text, "chapter", None)
    return chapter(state, p) if chapter else None


def is_forced(game: Game, state: Record, p: int) -> bool:
    """Has p, alone to decide and without a clock, one choice only, which does not end the match as far as p can know?"""
    legal = game.legal(state, p)
    if len(legal) != 1 or game.actors(state) != [p] or time_to_answer(game, state):
        return False
    world = game.redealt(state, 0)
    game.apply(world, p, legal[0])
    return bool(game.actors(world))


def reason_against_click(
    folder: str, record: bytes, p: int, chosen: list[str], under: list[str], lang: str, shape: str, seats: Seats
) -> str | None:
    """Why a click of seat p was refused, from a state veiled for p; None if the game cannot tell."""
    game, state = restored(folder, record)
    with seats_called(seats.names[lang]):
        return clicks.reason_against(game, state, p, tuple(chosen), under, lang, shape)


def preview(folder: str, record: bytes, p: int, chosen: list[str], lang: str, shape: str, seats: Seats) -> dict[str, Any] | None:
    """What clicks of seat p would do, from a state veiled for p; None if they make no move."""
    game = game_at(folder)
    state = game.State.from_bytes(record, fixed=True)
    if p not in game.actors(state):
        return None
    called, drawn = (seats.names[lang], seats.colours), (seats.on_boards(lang), seats.colours, True)
    return previews.preview(game, state, p, tuple(chosen), lang, shape, called, drawn)


def gains(folder: str, record: bytes, p: int) -> dict[str, dict[str, str]]:
    """What each move of seat p gains at once, from a state veiled for p."""
    return previews.labels(*restored(folder, record), p)


def explanation(
    folder: str, record: bytes, viewer: int, under: list[str], lang: str, shape: str, seats: Seats
) -> dict[str, str] | None:
    """What the topmost sprite of some is for that the game explains, from a state veiled for the viewer."""
    game = game_at(folder)
    return explained(game, game.State.from_bytes(record, fixed=True), viewer, under, lang, shape, seats)


def explained(
    game: Game, state: Record, viewer: int, under: list[str], lang: str, shape: str, seats: Seats
) -> dict[str, str] | None:
    """The id and the explanation of the topmost sprite that has one."""
    with seats_called(()):
        there = {sprite.id for sprite in game.drawing.scene(state, viewer, lang, shape).sprites}
    with seats_called(seats.names[lang], seats.colours):
        texts = ((name, clicks.explanation_of(game, state, name, viewer, lang)) for name in under if name in there)
        return next(({"id": name, "text": text} for name, text in texts if text), None)


def set_travel_order(game: Game, state: Record, scene: Scene, events: list[GameEvent]) -> None:
    """Let the pieces that a move brought travel one after the other in the order of its events, where the drawing names them.

    What is drawn on a piece (`card-3-icon` on `card-3`) goes with it.
    """
    moved_sprites = getattr(game.drawing, "moved_sprites", None)
    names = [name for event in events for name in moved_sprites(state, event)] if moved_sprites else []
    order = {name: number for number, name in enumerate(names, 1)}
    for place in places_of(order, scene) if order else ():
        sprite = scene.sprites[place]
        parts = sprite.id.split("-")
        whole = (order.get("-".join(parts[:n])) for n in range(len(parts), 0, -1))
        scene.sprites[place] = sprite.changed(order=next(filter(None, whole), sprite.order))
    routes = getattr(game.drawing, "routes", None)
    ways = {name: way for event in events for name, way in routes(state, event).items()} if routes else {}
    for place, sprite in enumerate(scene.sprites) if ways else ():
        if sprite.id in ways:
            origin, via = ways[sprite.id]
            scene.sprites[place] = sprite.changed(via=via, pool=sprite.pool or origin)


def places_of(names: Iterable[str], scene: Scene) -> list[int]:
    """Where the sprites with some names are in a scene, and those drawn on them. It looks for them in one text of all ids."""
    ids = "\n" + "\n".join(map(ID, scene.sprites)) + "\n"
    found = set()
    for name in names:
        for end in "\n-":
            place = ids.find(f"\n{name}{end}")
            while place >= 0:
                found.add(ids.count("\n", 0, place))
                place = ids.find(f"\n{name}{end}", place + 1)
    return sorted(found)


def why_over(game: Game, facts: dict[str, Any], names: list[str], lang: str) -> str:
    """Why a match is over."""
    if facts["ended"]:
        return forfeit_words("forfeit.ended_by", [names[p] for p in facts["resigned"]], lang)
    final, closing = game.State.from_bytes(facts["final"]), getattr(game.drawing, "closing", None)
    archived = facts["archived"]
    if archived and not counts_the_same(game, final, archived):
        key = f"ending.{archived['ending']}"
        return game.words.say(key if key in game.words.texts else "game.name", lang)
    with seats_called(names):
        lines = closing(final, lang) if closing else []
    return ("" if lang == "ja" else " ").join(lines) or game.words.say(f"ending.{game.ending(final)}", lang)


def about_players(names: list[str], seats: list[int], key: str, lang: str) -> str:
    """Words about some of the players: whom the table waits for."""
    return WORDS.say(key, lang, players=(", " if lang == "en" else "、").join(names[p] for p in seats))


def result(game: Game, final: Record, facts: dict[str, Any], reason: str, lang: str) -> dict[str, Any]:
    """How the match came out; seats that have lost on time or resigned come after all others."""
    archived, tie_breaks = facts["archived"], getattr(game.drawing, "tie_breaks", None)
    same = archived is None or counts_the_same(game, final, archived)
    ranks = game.ranks(final) if same else archived["ranks"]
    return {
        "reason": reason,
        "scores": game.scores(final) if same else archived["scores"],
        "ranks": places(ranks, facts["forfeited"]),
        "forfeited": facts["forfeited"],
        "resigned": facts["resigned"],
        "breakdown": sources(game, final, [game.event(row) for row in facts["told"]], lang) if same else [],
        "tie_breaks": [
            {"name": name, "values": values} for name, values in (tie_breaks(final, lang) if tie_breaks and same else ())
        ],
    }


def counts_the_same(game: Game, final: Record, archived: dict[str, Any]) -> bool:
    """Do the present rules say of an archived match what its own said, so that they can explain its points?"""
    try:
        found = {"scores": game.scores(final), "ranks": game.ranks(final), "ending": game.ending(final)}
    except Exception:
        return False
    return found == archived


def sources(game: Game, state: Record, told: list[GameEvent], lang: str) -> list[dict[str, Any]]:
    """The points by what they were for: a name, and the points of each seat.

    The events of the match say what for, if their points add up to the scores; else, or if it says more, the drawing does.
    """
    rows: dict[str, list[int]] = {}
    players = range(len(game.scores(state)))
    for event in told:
        for source, points in sources_of(game, event, lang):
            rows.setdefault(source, [0 for _ in players])[event.seat] += points
    known = [(source, points) for source, points in rows.items() if any(points)]
    drawn = game.drawing.breakdown(state, lang)
    adds_up = bool(known) and [sum(points[p] for _, points in known) for p in players] == game.scores(state)
    shown = known if adds_up and len(known) >= sum(any(points) for _, points in drawn) else drawn
    return [{"source": source[:1].upper() + source[1:], "points": points} for source, points in shown]


def sources_of(game: Game, event: GameEvent, lang: str) -> list[tuple[str, int]]:
    """What the points of an event were for: each of its values that has words, or the reason that the table shows."""
    values = {name: value for name, value in event.by_name().items() if value is not None}
    kind, texts = event.kind.name.lower(), game.words.texts
    if "points" not in values:
        return []
    parts = [name for name in values if f"source.{kind}.{name}" in texts]
    if parts:
        return [(game.words.say(f"source.{kind}.{name}", lang), values[name]) for name in parts]
    key = next((key for key in (f"gain.{kind}.{event.values[0]}", f"gain.{kind}") if key in texts), None)
    if key is None:  # without words for it, the drawing says what the points were for
        return []
    return [(texts[key][lang if lang in texts[key] else LANGUAGES[0]].partition(" ")[2], values["points"])]


def points_now(folder: str, record: bytes, told: list[Any], lang: str) -> list[dict[str, Any]]:
    """The points by source of a position that is veiled for a viewer, from the events that the viewer may know."""
    game, state = restored(folder, record)
    return [] if is_unscored(game, state) else sources(game, state, [game.event(row) for row in told], lang)


def options_shown(game: Game, options: dict[str, Any], lang: str) -> list[dict[str, str]]:
    """The options of a match in words."""
    shown = []
    for name, value in options.items():
        title = game.words.say(f"option.{name}.name", lang)
        shown.append({"name": name, "title": title, "value": value_shown(game, name, value, lang)})
    return shown


def value_shown(game: Game, name: str, value: Any, lang: str) -> str:
    """The value of an option in words."""
    kind = game.options[name].kind
    if kind == "choice":
        return game.words.say(f"option.{name}.{value}", lang)
    if kind == "flag":
        return WORDS.say("option.yes" if value else "option.no", lang)
    if kind == "seat":
        return WORDS.say("option.random", lang) if value == "random" else game.seat_name(int(value), lang)
    return game.number_shown(name, value, lang)


def move_in_words(game: Game, state: Record, p: int, action: int) -> dict[str, Any]:
    """A move by its code, its sentence in every language, and the path of sprites to click for it."""
    sentences = {lang: game.text.sentence(state, p, action, lang) for lang in LANGUAGES}
    return {"code": game.text.CODES[action], "sentence": sentences, "path": list(game.drawing.paths(state, p).get(action, ()))}
