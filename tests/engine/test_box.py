"""What the box says of a game: defaults, the usual set-up, order, changes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from perankh.create import create
from perankh.engine.box import WEIGHTS
from perankh.engine.game import Game, game_names, get_game
from perankh.errors import BadGame


def test_a_game_without_a_file_has_the_defaults(tmp_path: Path) -> None:
    game = get_game(create(tmp_path / "sixth"))
    box = game.box
    assert box.players == game.players[0]
    assert box.options == {name: option.default for name, option in game.options.items()}
    assert (box.variants, box.rulings) == (tuple(game.options), ())
    assert (box.minutes, box.weight, box.start_here, box.picture, box.around) == (None, "", False, "", ())
    assert box.order > max(get_game(name).box.order for name in game_names())


@pytest.mark.parametrize("name", game_names())
def test_every_option_is_in_one_group_and_the_usual_set_up_is_no_change(name: str) -> None:
    game = get_game(name)
    assert sorted((*game.box.variants, *game.box.rulings)) == sorted(game.options)
    assert game.box.weight in WEIGHTS
    assert game.box.changes(game.shown_options(game.blank(game.box.players, game.box.options)), game.box.players) == {}


def test_the_usual_game_of_maqha_is_what_its_box_shows() -> None:
    game = get_game("maqha")
    assert (game.box.players, game.box.options["rules"], game.box.named) == (3, "advanced", ("rules",))
    classic = game.shown_options(game.blank(2))
    assert game.box.changes(classic, 2) == {"rules": "classic"}  # two players play another game than the box shows


def test_an_option_of_a_seat_that_is_not_there_is_no_change() -> None:
    box = get_game("maqha").box
    options = box.options | {"steadiness_1": 50, "steadiness_3": 50}
    assert box.changes(options, 3) == {"steadiness_1": 50}
    assert box.changes(options, 4) == {"steadiness_1": 50, "steadiness_3": 50}


def test_games_are_ordered_by_weight_then_where_to_start_then_length() -> None:
    names = sorted(game_names(), key=lambda name: get_game(name).box.order)
    assert names == ["mural", "maqha", "cleocatra", "imhotep", "egizia"]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("minutes = 10", "minutes = true", "minutes must be a number"),
        ("minutes = 10", "minutes = ", "cannot be read"),
        ("minutes = 10", 'start_here = "yes"', "start_here must be true or false"),
        ("[picture]", "[usual]\nplayers = true\n[picture]", "usual.players must be a number of players"),
        ("[picture]", "[usual]\noptions = 3\n[picture]", "usual.options must be a table"),
        ("[picture]", "options = 3\n[picture]", "options must be a table"),
        ('name = "middle"', "name = 3", "picture.name must be the name of a picture"),
        ('["board"]', '"board"', "picture.around must be a list of names"),
    ],
)
def test_a_wrong_value_is_named(old: str, new: str, message: str, altered: Callable[..., Game]) -> None:
    with pytest.raises(BadGame, match=message) as error:
        _ = altered(box_toml=(old, new)).box
    assert "box.toml" in str(error.value)
