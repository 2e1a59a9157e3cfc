"""The games that are offered, as the API and the pages list them, and their pictures."""

from __future__ import annotations

import asyncio
import json
import logging
from functools import lru_cache
from typing import Any

from perankh.engine.editions import Edition
from perankh.engine.game import Game, game_names, game_with, get_game
from perankh.engine.words import LANGUAGES
from perankh.errors import BadComponents, PerankhError
from perankh.scene import SHAPES, Scene, draw, symbols_of
from perankh.scene.svg import SHARED, part_around
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


async def in_edition(game: Game, edition: Edition | None) -> Game:
    """A game in an edition, loaded beside the event loop."""
    return await asyncio.to_thread(loaded_in, game, edition) if edition else game


def loaded_in(game: Game, edition: Edition) -> Game:
    """A game in an edition, with all that people see of it loaded; refused if its rules do not take these numbers."""
    try:
        found = game_with(game, edition)
        if found.text and found.drawing and found.words and found.box:
            return found
    except PerankhError:
        pass
    raise refused(409, "changed_rules", game=game.name)


def game_of(row: Any) -> Game:
    """The game of a stored table with the numbers it is played with; refused if there is no such game any more."""
    try:
        edition = Edition.of(json.loads(row.edition)) if row.edition else None
    except (ValueError, BadComponents):
        raise refused(409, "damaged") from None
    game = offered(row.game)
    found = loaded_in(game, edition) if edition else game
    if (found.version, found.components_fingerprint) != (row.rules, row.components):
        raise refused(409, "changed_rules", game=game.name)
    return found


async def stored_game(row: Any) -> Game:
    """The game of a stored table; an edition is loaded beside the event loop."""
    return await asyncio.to_thread(game_of, row) if row.edition else game_of(row)


@lru_cache
def action_of(game: Game) -> dict[str, int]:
    """The actions of a game by their codes."""
    return {code: action for action, code in enumerate(game.text.CODES)}


def both(game: Game, key: str, **filled: Any) -> dict[str, str]:
    """A text of a game in every language."""
    return {lang: game.words.say(key, lang, **filled).strip() for lang in LANGUAGES}


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
                "per": option.per if option.kind == "whole" else None,
                "unit": both(game, f"option.{name}.unit", n="") if f"option.{name}.unit" in game.words.texts else None,
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


@lru_cache(maxsize=512)  # all there are of the games of the package: nobody has others drawn again and again
def picture(game: Game, name: str, lang: str, shape: str, step: int = 0) -> str:
    """A picture of the guide, as one of the players would see it; of a replay, the position after so many moves."""
    wanted = game.illustrations.get(name)
    if wanted is None or not 0 <= step <= len(wanted.replay):
        raise refused(404, "no_page")
    seen = [game.veiled(state, wanted.viewer) for state, _ in wanted.positions(game)]
    scenes = [game.drawing.scene(state, wanted.viewer, lang, shape) for state in seen]
    part = part_around(wanted.crop, *scenes) if wanted.crop else None  # the same for all steps
    return draw(scenes[step], game.art, game.text.board(seen[step], wanted.viewer, lang), part, wanted.marks)


edition_picture = lru_cache(maxsize=32)(picture.__wrapped__)  # apart: what is kept here keeps a whole game in its edition


@lru_cache(maxsize=64)
def cover(game: Game, lang: str) -> str:
    """The picture that stands for a game, cut down to what its box names."""
    name = game.box.picture or next(iter(game.drawing.PICTURES), "")
    if name not in game.drawing.PICTURES:
        raise refused(404, "no_page")
    seen = game.veiled(game.drawing.PICTURES[name](), 0)
    scene: Scene = game.drawing.scene(seen, 0, lang, "wide")
    return draw(scene, game.art, part=part_around(game.box.around, scene) if game.box.around else None)


# --- What is asked for ----------------------------------------------------------------------------------------------------------


def checked_format(lang: str, shape: str) -> tuple[str, str]:
    """Language and shape as asked for, or the default."""
    return (lang if lang in LANGUAGES else "en"), (shape if shape in SHAPES else "wide")
