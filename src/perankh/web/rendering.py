"""What worker processes make for viewers: moves, scene, prompts, names and log lines, from states that are veiled already."""

from __future__ import annotations

import gc
from dataclasses import replace
from typing import Any, NamedTuple

import orjson

from perankh.bots import game_at, restored
from perankh.engine.events import GameEvent
from perankh.engine.game import Game
from perankh.engine.state import Record
from perankh.engine.words import LANGUAGES, seats_called
from perankh.scene import Picture, Scene, clicks
from perankh.web import catalog
from perankh.web.refusal import WORDS
from perankh.web.timed_answers import answer_at, default_answer, time_to_answer


def load() -> None:
    """Load all games before they are needed. They stay: the collector of unused objects need not look at them."""
    catalog.offered_games()
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)  # drawings that are kept are many objects


class Wanted(NamedTuple):
    """What is to be made for somebody who watches; those for whom the same is wanted share it."""

    viewer: int
    lang: str
    shape: str
    may_act: bool
    text: bool  # the text board too


class Fault(NamedTuple):
    """In place of what could not be made: the error in words."""

    error: str


Seen = dict[int, tuple[bytes, list[Any]]]  # by viewer: the bytes of the veiled state, and the events of the move that led to it


def render(folder: str, seen: Seen, wanted: list[Wanted], facts: dict[str, Any]) -> list[dict[str, Any] | Fault]:
    """The parts of views that are drawn or worded, for everybody who watches a position.

    `facts` are public: the players' `names`, the `options`, the `acting` seats, the `final` state when the match is over and
    nothing is secret any more, the seats that have `forfeited`, whether what is stored is `broken`, and whether anybody has
    `moved`. A fault of the game in one of them costs no other.
    """
    game = game_at(folder)
    states = {viewer: game.State.from_bytes(record, fixed=True) for viewer, (record, _) in seen.items()}
    events = {viewer: [game.event(row) for row in rows] for viewer, (_, rows) in seen.items()}
    made: list[dict[str, Any] | Fault] = []
    words: dict[str, dict[str, Any]] = {}
    for one in wanted:
        try:
            if one.lang not in words:
                words[one.lang] = public_words(game, facts, one.lang)
            drawn = parts(game, states[one.viewer], events[one.viewer], one, facts["names"], facts["moved"])
            made.append(drawn | words[one.lang])
        except Exception as error:
            made.append(Fault(f"{type(error).__name__}: {error}"))
    return made


def parts(
    game: Game, state: Record, events: list[GameEvent], wanted: Wanted, names: tuple[str, ...], moved: bool
) -> dict[str, Any]:
    """The parts of one view, with the lines of the last move if there is one."""
    with seats_called(names):
        made = position(game, state, events, *wanted)
        made["lines"] = game.text.log_lines(state, events, wanted.viewer, wanted.lang) if moved else []
    return made


def public_words(game: Game, facts: dict[str, Any], lang: str) -> dict[str, Any]:
    """What every view says in a language."""
    names = [name or game.text.seat_name(p, lang) for p, name in enumerate(facts["names"])]
    final = game.State.from_bytes(facts["final"]) if facts["final"] else None
    return {
        "title": game.words.say("game.name", lang),
        "names": names,
        "colours": list(game.drawing.SEAT_COLOURS),
        "options": options_shown(game, facts["options"], lang),
        "waiting": WORDS.say("damaged", lang) if facts["broken"] else waiting_text(game, names, facts["acting"], final, lang),
        "result": result(game, final, facts["forfeited"], lang) if final else None,
    }


def lobby(folder: str, options: dict[str, Any], names: list[str], waits_for: list[int] | None, lang: str) -> dict[str, Any]:
    """The words of a table before the deal. `waits_for`: the seats that have not started; None while seats are open."""
    game = game_at(folder)
    shown = [name or game.text.seat_name(p, lang) for p, name in enumerate(names)]
    return {
        "title": game.words.say("game.name", lang),
        "names": shown,
        "colours": list(game.drawing.SEAT_COLOURS),
        "options": options_shown(game, options, lang),
        "scores": [0] * len(names),
        "waiting": WORDS.say("wait.seats", lang) if waits_for is None else waiting_for(shown, waits_for, "wait.start", lang),
    }


def position(
    game: Game, state: Record, events: list[GameEvent], viewer: int, lang: str, shape: str, may_act: bool, text: bool = True
) -> dict[str, Any]:
    """The parts of a view that follow from the position and the move that led to it. Moves are JSON already.

    `text`: with the text board.
    """
    moves, prompt, aliases, prompts, forced = [], None, {}, {}, None
    if may_act:
        # Of choices that differ in their time alone, one is offered.
        legal = [a for a in game.legal(state, viewer) if answer_at(game, state, a, 0) == a]
        with seats_called(()):
            paths = game.drawing.paths(state, viewer) if legal else {}
        codes, sentence = game.text.CODES, game.text.sentence
        moves = [{"code": codes[a], "sentence": sentence(state, viewer, a, lang), "path": paths.get(a, ())} for a in legal]
        if legal:
            prompt = game.text.prompt(state, viewer, lang)
            with seats_called(()):
                aliases = clicks.aliases_of(game, state, viewer)
            prompts = clicks.step_prompts(game, state, viewer, {a: paths[a] for a in legal}, aliases, lang)
            forced = game.text.CODES[legal[0]] if is_forced(game, state, viewer) else None
    timed = time_to_answer(game, state) > 0
    with seats_called(()):  # there is no room for names on boards, and drawings are kept for others
        scene = game.drawing.scene(state, viewer, lang, shape)
        board = game.text.board(state, viewer, lang) if text else None
    set_travel_order(game, state, scene, events)
    return {
        "moves": orjson.dumps(moves),
        "prompt": prompt,
        "aliases": aliases,
        "step_prompts": prompts,
        "forced": forced,
        "scene": Picture.of(scene),
        "text": board,
        "scores": game.scores(state),
        "happened": happenings(game, state, events, lang),
        "default": game.text.CODES[default_answer(game, state)] if timed else None,
    }


def happenings(game: Game, state: Record, events: list[GameEvent], lang: str) -> list[dict[str, Any]]:
    """What a page makes visible of a move, in order: banners, and gains with their reason and the sprite they came from.

    The game's words say which kinds of events these are: `banner.<kind>` and `gain.<kind>`, or `gain.<kind>.<first value>`.
    """
    moved_sprites = getattr(game.drawing, "moved_sprites", None)
    found: list[dict[str, Any]] = []
    for event in events:
        kind, values = event.kind.name.lower(), event.by_name()
        if None in event.values:
            continue  # partly unknown to the viewer
        words = values | {"who": game.text.seat_name(event.seat, lang) if event.seat >= 0 else ""}
        if f"banner.{kind}" in game.words.texts:
            banner = {"banner": game.words.say(f"banner.{kind}", lang, **words)}
            if banner not in found:
                found.append(banner)
        keys = [f"gain.{kind}.{value}" for value in event.values[:1]] + [f"gain.{kind}"]
        key = next((key for key in keys if key in game.words.texts), None)
        amount, _, reason = game.words.say(key, lang, **words).partition(" ") if key else ("+0", "", "")
        if amount != "+0":
            places = moved_sprites(state, event) if moved_sprites else ()
            gain = {"seat": event.seat, "amount": amount, "reason": reason, "points": values.get("points", 0)}
            found.append(gain | {"place": places[0] if places else None})
    return found


def is_forced(game: Game, state: Record, p: int) -> bool:
    """Has p, alone to decide and without a clock, one choice only, which does not end the match as far as p can know?"""
    legal = game.legal(state, p)
    if len(legal) != 1 or game.actors(state) != [p] or time_to_answer(game, state):
        return False
    world = game.redealt(state, 0)
    game.apply(world, p, legal[0])
    return bool(game.actors(world))


def reason_against_click(
    folder: str, record: bytes, p: int, chosen: list[str], under: list[str], lang: str, shape: str
) -> str | None:
    """Why a click of seat p was refused, from a state veiled for p; None if the game cannot tell."""
    game, state = restored(folder, record)
    return clicks.reason_against(game, state, p, tuple(chosen), under, lang, shape)


def set_travel_order(game: Game, state: Record, scene: Scene, events: list[GameEvent]) -> None:
    """Let the pieces that a move brought travel one after the other in the order of its events, where the drawing names them.

    What is drawn on a piece (`card-3-icon` on `card-3`) goes with it.
    """
    moved_sprites = getattr(game.drawing, "moved_sprites", None)
    names = [name for event in events for name in moved_sprites(state, event)] if moved_sprites else []
    order = {name: number for number, name in enumerate(names, 1)}
    begins = tuple(f"{name}-" for name in order)
    for place, sprite in enumerate(scene.sprites) if order else ():
        if sprite.id not in order and not sprite.id.startswith(begins):
            continue
        parts = sprite.id.split("-")
        whole = (order.get("-".join(parts[:n])) for n in range(len(parts), 0, -1))
        scene.sprites[place] = replace(sprite, order=next(filter(None, whole), sprite.order))
        scene.sprites[place].json()
    routes = getattr(game.drawing, "routes", None)
    ways = {name: way for event in events for name, way in routes(state, event).items()} if routes else {}
    for place, sprite in enumerate(scene.sprites) if ways else ():
        if sprite.id in ways:
            origin, via = ways[sprite.id]
            scene.sprites[place] = replace(sprite, via=via, pool=sprite.pool or origin)
            scene.sprites[place].json()


def waiting_text(game: Game, names: list[str], acting: list[int], final: Record | None, lang: str) -> str:
    """What is shown to those who have nothing to decide: whom the table waits for, or why the match is over."""
    if final:
        return game.words.say(f"ending.{game.ending(final)}", lang)
    return waiting_for(names, acting, "wait.actors", lang)


def waiting_for(names: list[str], seats: list[int], key: str, lang: str) -> str:
    """Whom the table waits for."""
    return WORDS.say(key, lang, players=(", " if lang == "en" else "、").join(names[p] for p in seats))


def result(game: Game, final: Record, forfeited: list[int], lang: str) -> dict[str, Any]:
    """How the match came out; seats that have lost on time come after all others."""
    return {
        "reason": game.words.say(f"ending.{game.ending(final)}", lang),
        "scores": game.scores(final),
        "ranks": ranks_with_forfeits(game.ranks(final), forfeited),
        "forfeited": forfeited,
        "breakdown": [{"source": source, "points": points} for source, points in game.drawing.breakdown(final, lang)],
    }


def ranks_with_forfeits(ranks: list[int], forfeited: list[int]) -> list[int]:
    """Places in which those who have lost on time are behind all others, and among themselves as the game ranks them."""
    order = [(p in forfeited, rank) for p, rank in enumerate(ranks)]
    return [1 + sum(other < own for other in order) for own in order]


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
        return WORDS.say("option.lot", lang) if value == "random" else game.text.seat_name(int(value), lang)
    return str(value)


def move_in_words(game: Game, state: Record, p: int, action: int) -> dict[str, Any]:
    """A move by its code, its sentence in every language, and the path of sprites to click for it."""
    sentences = {lang: game.text.sentence(state, p, action, lang) for lang in LANGUAGES}
    return {"code": game.text.CODES[action], "sentence": sentences, "path": list(game.drawing.paths(state, p).get(action, ()))}
