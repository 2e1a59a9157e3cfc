"""The games that are offered, as the API and the pages list them, and their pictures."""

from __future__ import annotations

import logging
from functools import lru_cache
from typing import Any

from perankh.engine.game import Game, game_names, get_game
from perankh.engine.words import LANGUAGES
from perankh.errors import PerankhError
from perankh.scene import SHAPES, Scene, draw, symbols_of
from perankh.scene.svg import SHARED
from perankh.web.refusal import refused


@lru_cache
def offered_games() -> dict[str, Game]:
    """The games that can be played, by name, light ones first, with all that people see of them loaded."""
    found = {}
    for name in game_names():
        try:
            game = get_game(name)
            if game.text and game.drawing and game.words and game.box:
                found[name] = game
        except PerankhError as error:
            logging.getLogger(__name__).warning("game %s is not offered: %s", name, error)
    return dict(sorted(found.items(), key=lambda item: item[1].box.order))


def offered(name: str) -> Game:
    """A game by its name; only those offered, never a path."""
    game = offered_games().get(name)
    if game is None:
        raise refused(404, "no_game", game=name)
    return game


@lru_cache
def action_of(game: Game) -> dict[str, int]:
    """The actions of a game by their codes."""
    return {code: action for action, code in enumerate(game.text.CODES)}


def both(game: Game, key: str) -> dict[str, str]:
    """A text of a game in every language."""
    return {lang: game.words.say(key, lang) for lang in LANGUAGES}


@lru_cache
def game_facts(game: Game) -> dict[str, Any]:
    """A game as the list of games describes it."""
    options = []
    for name, option in game.options.items():
        choice = option.kind == "choice"
        options.append(
            {
                "name": name,
                "kind": option.kind,
                "group": "ruling" if name in game.box.rulings else "variant",
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
        "minutes": list(game.box.minutes) if game.box.minutes else None,
        "weight": game.box.weight or None,
        "usual": {"players": game.box.players, "options": game.box.options},
        "options": options,
        "rules_version": game.version,
    }


@lru_cache(maxsize=64)
def art(game: Game) -> str:
    """The shared symbols and those of a game in one SVG file."""
    symbols = symbols_of(SHARED) | symbols_of(game.art)
    return f'<svg xmlns="http://www.w3.org/2000/svg"><defs>\n{chr(10).join(symbols.values())}\n</defs></svg>\n'


@lru_cache(maxsize=256)
def picture(game: Game, name: str, lang: str, shape: str) -> str:
    """A picture of the guide, as its first player would see it."""
    pictures = game.drawing.PICTURES
    if name not in pictures:
        raise refused(404, "no_page")
    seen = game.veiled(pictures[name](), 0)
    scene: Scene = game.drawing.scene(seen, 0, lang, shape)
    return draw(scene, game.art, game.text.board(seen, 0, lang))


@lru_cache(maxsize=64)
def cover(game: Game, lang: str) -> str:
    """The picture that stands for a game, cut down to what its box names."""
    name = game.box.picture or next(iter(game.drawing.PICTURES), "")
    if name not in game.drawing.PICTURES:
        raise refused(404, "no_page")
    seen = game.veiled(game.drawing.PICTURES[name](), 0)
    scene: Scene = game.drawing.scene(seen, 0, lang, "wide")
    return draw(scene, game.art, around=game.box.around)


# --- What is asked for ----------------------------------------------------------------------------------------------------------


def checked_format(lang: str, shape: str) -> tuple[str, str]:
    """Language and shape as asked for, or the default."""
    return (lang if lang in LANGUAGES else "en"), (shape if shape in SHAPES else "wide")
