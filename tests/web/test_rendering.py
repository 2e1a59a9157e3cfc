"""What worker processes make for viewers, also for games that they have not loaded yet."""

from __future__ import annotations

import pytest

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
        made = pool.submit(rendering.render, str(CONNECT_FOUR), state.to_bytes(), -1, "en", "wide", False, facts).result(60)
    assert made["names"] == ["Red", "Kai"]
    assert made["result"]["ranks"] == [1, 2]
    assert b"stone-a4" in made["scene"]
