"""What a viewer gets: plain values made from veiled states and public facts of the match, never from anything hidden."""

from __future__ import annotations

import logging
from functools import lru_cache
from typing import Any

import orjson

from perankh.engine.game import Game, game_names, get_game
from perankh.engine.state import Record
from perankh.engine.words import LANGUAGES
from perankh.errors import PerankhError
from perankh.scene import SHAPES, Scene, draw, symbols_of
from perankh.scene.svg import SHARED
from perankh.web.refusal import WORDS, refused
from perankh.web.window import answer_in

SPECTATOR = -1


# --- Games that can be played at the table --------------------------------------------------------------------------------


@lru_cache
def offered_games() -> dict[str, Game]:
    """The games that can be drawn, by name."""
    found = {}
    for name in game_names():
        try:
            game = get_game(name)
            if game.scene is not None:
                found[name] = game
        except PerankhError as error:
            logging.getLogger(__name__).warning("game %s is not offered: %s", name, error)
    return found


def offered(name: str) -> Game:
    """A game by its name; only those offered, never a path."""
    game = offered_games().get(name)
    if game is None:
        raise refused(404, "no_game", game=name)
    return game


@lru_cache
def action_of(game: Game) -> dict[str, int]:
    """Every code of a game and the action it stands for."""
    return {code: action for action, code in enumerate(game.face.CODES)}


def both(game: Game, key: str) -> dict[str, str]:
    """A text of a game in every language."""
    return {lang: game.words.say(key, lang) for lang in LANGUAGES}


@lru_cache
def game_facts(game: Game) -> dict[str, Any]:
    """A game as the list of games tells it."""
    options = []
    for name, option in game.options.items():
        choice = option.kind == "choice"
        options.append(
            {
                "name": name,
                "kind": option.kind,
                "default": option.default,
                "values": list(option.values) if choice else None,
                "low": option.low if option.kind == "whole" else None,
                "high": option.high if option.kind == "whole" else None,
                "title": both(game, f"option.{name}.name"),
                "help": both(game, f"option.{name}.help"),
                "labels": {str(value): both(game, f"option.{name}.{value}") for value in option.values} if choice else {},
            }
        )
    return {
        "name": game.name,
        "title": both(game, "game.name"),
        "tagline": both(game, "game.tagline"),
        "players": list(game.players),
        "options": options,
        "rules_version": game.version,
    }


@lru_cache(maxsize=64)
def art(game: Game) -> str:
    """The symbols of the house and of a game in one SVG file."""
    symbols = symbols_of(SHARED) | symbols_of(game.art)
    return f'<svg xmlns="http://www.w3.org/2000/svg"><defs>\n{chr(10).join(symbols.values())}\n</defs></svg>\n'


@lru_cache(maxsize=256)
def picture(game: Game, name: str, lang: str, shape: str) -> str:
    """A picture of the guide, as its first player would see it."""
    pictures = game.scene.PICTURES
    if name not in pictures:
        raise refused(404, "no_page")
    seen = game.veiled(pictures[name](), 0)
    scene: Scene = game.scene.scene(seen, 0, lang, shape)
    return draw(scene, game.art, game.face.board(seen, 0, lang))


# --- Parts of a view --------------------------------------------------------------------------------------------------------


def position(game: Game, seen: Record, viewer: int, lang: str, shape: str, may_act: bool) -> dict[str, Any]:
    """The parts of a view that follow from the position alone. `seen` is veiled for `viewer`."""
    moves, prompt = [], None
    if may_act:
        # Of choices that differ in their time alone, one is offered.
        legal = [a for a in game.legal(seen, viewer) if answer_in(game, seen, a, 0) == a]
        paths = game.scene.paths(seen, viewer) if legal else {}
        codes, sentence = game.face.CODES, game.face.sentence
        moves = [{"code": codes[a], "sentence": sentence(seen, viewer, a, lang), "path": paths.get(a, ())} for a in legal]
        prompt = game.face.prompt(seen, viewer, lang) if legal else None
    shown = {
        "moves": moves,
        "scene": game.scene.scene(seen, viewer, lang, shape).json(),
        "text": game.face.board(seen, viewer, lang),
    }
    return {"json": orjson.dumps(shown).decode(), "prompt": prompt, "scores": game.scores(seen)}


def result(game: Game, state: Record, lang: str) -> dict[str, Any] | None:
    """How the match came out; at the end nothing is secret any more."""
    ending = game.ending(state)
    if ending is None:
        return None
    rows = game.scene.breakdown(state, lang)
    return {
        "reason": game.words.say(f"ending.{ending}", lang),
        "scores": game.scores(state),
        "ranks": game.ranks(state),
        "breakdown": [{"source": source, "points": points} for source, points in rows],
    }


def options_shown(game: Game, options: dict[str, Any], lang: str) -> list[dict[str, str]]:
    """The options of a match in words."""
    shown = []
    for name, value in options.items():
        choice = game.options[name].kind == "choice"
        text = game.words.say(f"option.{name}.{value}", lang) if choice else str(value).lower()
        shown.append({"name": name, "title": game.words.say(f"option.{name}.name", lang), "value": text})
    return shown


def waiting_for(names: list[str], lang: str) -> str:
    """Whom the table waits for: players who decide, or players who have yet to come."""
    joined = (", " if lang == "en" else "、").join(names)
    return WORDS.say("wait.actors", lang, players=joined) if names else WORDS.say("wait.seats", lang)


def log_line(number: int, seat: int, text: str) -> str:
    """One line of the log as JSON, ready to be put into any number of views."""
    return orjson.dumps({"n": number, "seat": seat, "text": text}).decode()


def checked_eyes(lang: str, shape: str) -> tuple[str, str]:
    """Language and shape as asked for, or what is usual."""
    return (lang if lang in LANGUAGES else "en"), (shape if shape in SHAPES else "wide")
