"""What is offered of a game at first sight: the box, its picture, the usual set-up, the groups of options."""

from __future__ import annotations

from perankh.checks.walk import Progress, need
from perankh.engine.game import Game


def box_of_the_game(game: Game, effort: float, progress: Progress) -> str:
    """`box.toml` can be read, every option is in one group, the usual set-up can be dealt, the picture has what it shows."""
    box, own = game.box, game.package.startswith("perankh.games.")
    need(not own or bool(box.weight and box.minutes), "box.toml must say the minutes and the weight")
    game.new_state(box.players, 0, box.options)
    pictures = game.drawing.PICTURES
    if box.picture:
        need(box.picture in pictures, f"box.toml: picture.name: the drawing has no picture {box.picture!r}")
    shown = box.picture or next(iter(pictures), "")
    need(bool(shown) or not box.around, "box.toml: picture.around: the drawing has no pictures")
    if box.around:
        seen = game.veiled(pictures[shown](), 0)
        for lang in game.words.languages:
            sprites = {sprite.id for sprite in game.drawing.scene(seen, 0, lang, "wide").sprites}
            missing = sorted(set(box.around) - sprites)
            need(not missing, f"box.toml: picture.around: the picture {shown!r} has no sprite {', '.join(missing)}")
    return f"{box.players} players, {len(box.variants)} variants, {len(box.rulings)} rulings"
