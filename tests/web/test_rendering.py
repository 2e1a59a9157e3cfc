"""What worker processes make for viewers, also for games that they have not loaded yet."""

from __future__ import annotations

from typing import Any

import pytest

from perankh.engine.events import GameEvent
from perankh.engine.game import get_game
from perankh.web import rendering
from perankh.workers import WorkerPool

from ..conftest import CONNECT_FOUR

pytestmark = pytest.mark.xdist_group("web")


def test_a_worker_renders_a_game_outside_the_package() -> None:
    """States go over as bytes: their enumerations live in modules that a fresh process cannot import."""
    game = get_game(CONNECT_FOUR)
    state = game.new_state(2, 1)
    for number, column in enumerate("abababa"):
        game.apply(state, number % 2, "abcdefg".index(column))
    assert type(state.over) is not int  # type: ignore[attr-defined]
    facts = {"names": ["", "Kai"], "options": {}, "acting": [], "final": state.to_bytes()}
    with WorkerPool(1) as pool:
        made = pool.submit(rendering.render, str(CONNECT_FOUR), state.to_bytes(), [], -1, "en", "wide", False, facts).result(60)
    assert made["names"] == ["Red", "Kai"]
    assert made["result"]["ranks"] == [1, 2]
    assert b"stone-a4" in made["scene"]


def test_pieces_travel_in_the_order_of_the_events() -> None:
    """Imhotep's stones go to the obelisk as they leave the ship, whoever owns them."""
    game = get_game("imhotep")
    kind: Any = game.Event
    state: Any = game.new_state(2, 1)
    state.obelisk[0], state.obelisk[1] = 2, 1
    events = [GameEvent(kind.AT_OBELISK, seat, (n,)) for seat, n in ((0, 1), (1, 1), (0, 2))]
    scene = game.drawing.scene(state, -1, "en", "wide")
    rendering.set_travel_order(game, scene, events)
    stones = sorted((sprite for sprite in scene.sprites if sprite.id.startswith("obelisk-")), key=lambda sprite: sprite.order)
    assert [sprite.id for sprite in stones] == ["obelisk-0-0", "obelisk-1-0", "obelisk-0-1"]
