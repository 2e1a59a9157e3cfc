"""What clicks on a drawing mean: sprites that stand for others, actions that are not open, and what is asked in between."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from perankh.engine.game import Game

Path = tuple[str, ...]
Aliases = dict[str, list[Path]]
SHORTEST = 3  # letters that sentences must have in common to be worth showing
ENDS_OF_WORDS = {"en": " ", "ja": "をにへ："}


def aliases_of(game: Game, s: Any, p: int) -> Aliases:
    """The sprites that stand for clicks on others; a drawing need not name any."""
    own = getattr(game.drawing, "aliases", None)
    return own(s, p) if own else {}


def meant_by(game: Game, s: Any, p: int, path: Path) -> int:
    """The action, open or not, that somebody means who has clicked these sprites; -1 if the drawing cannot tell."""
    own = getattr(game.drawing, "meant", None)
    return own(s, p, path) if own else -1


def closed_sprites(game: Game, s: Any, p: int, lang: str) -> dict[str, str]:
    """The sprites that stand greyed for choices not open to p now, each with the rules' reason."""
    own = getattr(game.drawing, "closed", None)
    return {name: game.text.refusal(s, p, action, lang) for name, action in own(s, p).items()} if own else {}


def explanation_of(game: Game, s: Any, name: str, viewer: int, lang: str) -> str:
    """What a sprite of the scene is for, in words; "" if the game has nothing to say about it."""
    own = getattr(game.text, "explain", None)
    return own(s, name, viewer, lang) if own else ""


def reason_against(game: Game, s: Any, p: int, chosen: Path, under: list[str], lang: str, shape: str) -> str | None:
    """Why a click was refused: the rules' reason against what the topmost sprite of those under the pointer means."""
    legal = game.legal(s, p)
    there = {sprite.id for sprite in game.drawing.scene(s, p, lang, shape).sprites}
    if not legal or not there.issuperset(chosen):
        return None
    for name in under:
        action = meant_by(game, s, p, (*chosen, name)) if name in there else -1
        if action >= 0 and action not in legal:
            return game.text.refusal(s, p, action, lang)
    return None


def step_prompts(game: Game, s: Any, p: int, paths: dict[int, Path], aliases: Aliases, lang: str) -> dict[str, str]:
    """What is asked after the first clicks of a path, by these clicks, joined by spaces, or by the alias clicked."""
    left: dict[str, list[int]] = {}
    for action, path in paths.items():
        for length in range(1, len(path)):
            left.setdefault(" ".join(path[:length]), []).append(action)
    begins = {path[0] for path in paths.values()}
    for name, ways in aliases.items():
        first = {way[0] for way in ways} & begins
        if len(first) > 1:
            left[name] = [action for action, path in paths.items() if path[0] in first]
    asked = {clicks: next_prompt(game, s, p, actions, lang) for clicks, actions in left.items() if len(actions) > 1}
    return {clicks: text for clicks, text in asked.items() if text}


def next_prompt(game: Game, s: Any, p: int, actions: list[int], lang: str) -> str:
    """What is asked when clicks have left these actions: in the game's own words, or what their sentences begin with."""
    own = getattr(game.text, "next_prompt", None)
    said: str = own(s, p, actions, lang) if own else ""
    if said:
        return said
    sentences = [game.text.sentence(s, p, a, lang) for a in actions]
    common = "".join(letters[0] for letters in takewhile(lambda letters: len(set(letters)) == 1, zip(*sentences, strict=False)))
    end = max(common.rfind(letter) for letter in ENDS_OF_WORDS[lang])
    return f"{common[: end + 1].rstrip()}{'…' if lang == 'ja' else ' …'}" if end >= SHORTEST else ""
