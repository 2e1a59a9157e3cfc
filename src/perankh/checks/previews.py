"""What is said before a move and about pieces: previews, choices that are not open, explanations."""

from __future__ import annotations

from typing import Any

from perankh.checks.walk import CheckSkipped, Progress, need, walk
from perankh.engine.game import Game
from perankh.scene import previews
from perankh.scene.clicks import Path, aliases_of, closed_sprites, explanation_of, meant_by
from perankh.scene.sprite import SHAPES

EVERY = 11  # positions between two at which previews are made
EXPLAINED_EVERY = 37  # positions between two of which every sprite is explained
DRAWN_EVERY = 7  # of these, since drawing takes time
MOST_TRIED = 6  # moves of a position that are tried


def previews_true(game: Game, effort: float, progress: Progress) -> str:
    """What a preview calls certain happens, and it is the same whatever is hidden; closed choices are closed, with a reason."""
    tried = certain = closed = 0
    for number, (state, p, chosen, where) in enumerate(walk(game, sets=6, share=effort)):
        if number % EVERY:
            continue
        seen = game.veiled(state, p)
        closed += check_closed(game, seen, p, where)
        position = previews.Position(game, seen, p)
        actions = sorted(position.paths)
        for action in {chosen, *actions[:: max(1, len(actions) // MOST_TRIED)]}:
            outcome = position.outcome(position.paths[action])
            need(outcome is not None, f"{game.text.CODES[action]} has no preview ({where})")
            if outcome is not None:
                check_outcome(game, state, p, action, outcome, where)
                certain += len(outcome.events)
            tried += 1
        if number // EVERY % DRAWN_EVERY == 0:
            check_drawn(game, seen, p, position.paths[chosen], number, where)
    return f"{tried} moves, {certain} events that are certain, {closed} choices that are not open"


def check_outcome(game: Game, state: Any, p: int, action: int, outcome: previews.Outcome, where: str) -> None:
    """What is certain happens in the true state, and nothing else if nothing is left open."""
    true = state.copy()
    told = [event.seen_by(p) for event in game.apply(true, p, action)]
    sure, code = outcome.events, game.text.CODES[action]
    need(told[: len(sure)] == sure, f"the preview of {code} calls {sure} certain, but {told} happens ({where})")
    need(outcome.open or told == sure, f"the preview of {code} ends with {sure}, but {told} happens ({where})")


def check_drawn(game: Game, seen: Any, p: int, path: Path, number: int, where: str) -> None:
    """Preview and labels are the same in another world, and every ghost can be drawn."""
    again = game.veiled(game.redealt(seen, number), p)
    need(previews.labels(game, seen, p) == previews.labels(game, again, p), f"gains depend on what is hidden ({where})")
    for lang in game.words.languages:
        shape = list(SHAPES)[number % len(SHAPES)]
        one, other = (previews.preview(game, state, p, path, lang, shape) for state in (seen, again))
        need(one == other, f"the preview of {path} depends on what is hidden ({lang}, {where})")
        need(one is not None and all(one["lines"]), f"the preview of {path} has an empty line ({lang}, {where})")


def check_closed(game: Game, seen: Any, p: int, where: str) -> int:
    """Every greyed sprite is drawn, stands for an action that is not open, and has a reason; returns how many there are."""
    own = getattr(game.drawing, "closed", None)
    found: dict[str, int] = own(seen, p) if own else {}
    if not found:
        return 0
    legal = game.legal(seen, p)
    offered = {name for path in game.drawing.paths(seen, p).values() for name in path} | set(aliases_of(game, seen, p))
    for shape in SHAPES:
        there = {sprite.id: sprite for sprite in game.drawing.scene(seen, p, "en", shape).sprites}
        for name in found:
            sprite = there.get(name)
            drawn = bool(sprite and sprite.alt and sprite.symbol)
            need(drawn, f"the closed choice {name} is not drawn with a symbol and an alt text ({shape}, {where})")
    for name, action in found.items():
        need(action not in legal and name not in offered, f"{name} is called closed, but it is open ({where})")
        need(meant_by(game, seen, p, (name,)) == action, f"a click on {name} does not mean what is closed ({where})")
    for lang in game.words.languages:
        for name, reason in closed_sprites(game, seen, p, lang).items():
            need(bool(reason), f"{name} is closed without a reason ({lang}, {where})")
    return len(found)


def pieces_explained(game: Game, effort: float, progress: Progress) -> str:
    """Every sprite that says what it is has an explanation, in every language, which is the same whatever is hidden."""
    if not hasattr(game.text, "explain"):
        raise CheckSkipped("the game explains no pieces (explain in its texts)")
    seen_names: set[str] = set()
    for number, (state, p, _, where) in enumerate(walk(game, sets=6, share=effort)):
        if number % EXPLAINED_EVERY:
            continue
        viewer = p if number % 2 else -1
        seen = game.veiled(state, viewer)
        again = game.veiled(game.redealt(seen, number), viewer)
        shape = list(SHAPES)[number // 2 % len(SHAPES)]
        for sprite in game.drawing.scene(seen, viewer, "en", shape).sprites:
            for lang in game.words.languages:
                text = explanation_of(game, seen, sprite.id, viewer, lang)
                at = f"{sprite.id}, {lang}, viewer {viewer}, {where}"
                need(bool(text) or not sprite.alt, f"nothing explains the sprite ({at})")
                need("{" not in text, f"an explanation has a blank that is not filled ({at})")
                need(text == explanation_of(game, again, sprite.id, viewer, lang), f"an explanation tells what is hidden ({at})")
            seen_names.add(sprite.id)
    return f"{len(seen_names)} sprites explained"
