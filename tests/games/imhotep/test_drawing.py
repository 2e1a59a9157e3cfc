"""The drawn table of Imhotep: sprites, clicks, secrets, pictures, guides."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

import pytest

from perankh.engine.words import LANGUAGES
from perankh.games.imhotep import drawing
from perankh.games.imhotep.drawing import seats
from perankh.games.imhotep.rules import building, components, invariants, scoring
from perankh.games.imhotep.rules.components import Card
from perankh.games.imhotep.rules.state import State
from perankh.scene import SHAPES, Scene, draw
from perankh.scene.layout import Box

from ..drawing import box_of, by_id, check_sprites, within
from .positions import ALL_B, GAME, K, N, W, final, legal, play, position, step

ART = GAME.folder / "art.svg"
BOTH = [(shape, lang) for shape in SHAPES for lang in LANGUAGES]
EVERY = 7
GAMES = [
    pytest.param(2, 1, {}, id="two"),
    pytest.param(3, 2, ALL_B, id="three-b"),
    pytest.param(4, 3, {**ALL_B, "discard_open": False, "wrath": True}, id="four-b"),
]


def positions(players: int, seed: int, **options: object) -> Iterator[tuple[Any, int]]:
    """Some positions of a whole random game, with the seat that decides."""
    s: Any = GAME.new_state(players, seed, options)
    chance = random.Random(seed)
    number = 0
    while GAME.actors(s):
        (p,) = GAME.actors(s)
        if number % EVERY == 0 or step(s) not in ("main", "offer"):
            yield s, p
        GAME.rules.apply(s, p, chance.choice(GAME.legal(s, p)))
        number += 1
    yield s, 0


def seen(s: State, viewer: int) -> State:
    veiled = GAME.veiled(s, viewer)
    assert isinstance(veiled, State)
    return veiled


def look(s: State, viewer: int = 0, lang: str = "en", shape: str = "wide") -> Scene:
    return drawing.scene(seen(s, viewer), viewer, lang, shape)


def check(s: State, viewer: int, shape: str, lang: str) -> None:
    check_sprites(look(s, viewer, lang, shape), shape, ART)


# --- Sprites ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "seed", "options"), GAMES)
def test_every_position_can_be_drawn(players: int, seed: int, options: dict[str, Any]) -> None:
    for number, (s, p) in enumerate(positions(players, seed, **options)):
        shape, lang = BOTH[number % 4]
        check(s, p if number % 3 else -1, shape, lang)


@pytest.mark.parametrize(
    ("players", "seed", "options"), [*GAMES, pytest.param(3, 4, {"market_return": "per_stone"}, id="per-stone")]
)
def test_every_stone_is_drawn_or_in_the_quarry(players: int, seed: int, options: dict[str, Any]) -> None:
    # So a stone that leaves a place is always found again, where it went or in the pool.
    for s, _ in positions(players, seed + 5, **options):
        drawn = look(s, -1)
        for p in range(players):
            quarry = by_id(drawn)[f"quarry-{p}"]
            own = [sprite for sprite in drawn.sprites if sprite.pool == quarry.id]
            assert {sprite.symbol for sprite in own} <= {f"stone-{p}"}
            assert len(own) + s.quarry[p] == components.STONES


def test_a_ship_keeps_its_id_and_moves_to_the_dock() -> None:
    s = position(ships="WKW. - - -")
    waiting = by_id(look(s))["ship-0"]
    play(s, "sail-a-temple")
    sprites = by_id(look(s))
    assert sprites["ship-0"].x != waiting.x
    assert within(Box(sprites["ship-0"].x, sprites["ship-0"].y, 0, 0), box_of(sprites["dock-temple"]))
    assert {"temple-0", "temple-1", "temple-2"} <= set(sprites)


def travels(before: Scene, after: Scene, pool: str) -> tuple[list[str], list[str]]:
    """The ids of stones of a pool that went, and of those that came, in the order of travelling."""
    went = [sprite for sprite in before.sprites if sprite.pool == pool and sprite.id not in by_id(after)]
    came = [sprite for sprite in after.sprites if sprite.pool == pool and sprite.id not in by_id(before)]
    went.sort(key=lambda sprite: sprite.order)
    came.sort(key=lambda sprite: sprite.order)
    return [sprite.id for sprite in went], [sprite.id for sprite in came]


def test_a_loaded_stone_comes_from_the_sled() -> None:
    s = position(sleds=(3, 2))
    before = look(s)
    play(s, "load-b3")
    assert travels(before, look(s), "quarry-0") == (["sled-0-2"], ["stone-1-2"])
    assert travels(before, look(s), "quarry-1") == ([], [])


def test_stones_are_unloaded_one_by_one_from_bow_to_stern() -> None:
    s = position(ships="WKWK - - -", temple="KK")
    before = look(s)
    assert {sprite.on for sprite in before.sprites if sprite.id.startswith("stone-0")} == {"ship-0"}
    play(s, "sail-a-temple")
    after = look(s)
    assert travels(before, after, "quarry-1") == (["stone-0-0", "stone-0-2"], ["temple-2", "temple-4"])
    assert travels(before, after, "quarry-0") == (["stone-0-1", "stone-0-3"], ["temple-3", "temple-5"])
    stones = sorted((sprite for sprite in after.sprites if sprite.id.startswith("temple-")), key=lambda sprite: sprite.order)
    assert [sprite.id for sprite in stones] == [f"temple-{k}" for k in range(6)]


def test_lever_lines_up_the_stones_that_leave_first() -> None:
    s = play(position(3, ships="KNKW - - -", held={0: "lever"}), "play-lever sail-a-burial next-white")
    before = look(s)
    play(s, "next-black")
    assert travels(before, look(s), "quarry-0") == (["stone-0-0"], ["next-1"])
    assert {by_id(before)[name].on for name in ("next-0", "stone-0-0", "stone-0-1")} == {"ship-0"}


def test_an_obelisk_takes_the_place_of_its_stones() -> None:
    s = position(ships="KWK. - - -", obelisk="KK", obelisk_side="B")
    before = look(s)
    play(s, "sail-a-obelisk")
    went, came = travels(before, look(s), "quarry-0")
    assert went == ["obelisk-0-1", "stone-0-0", "stone-0-2"]  # the fourth stone lies where the first lay
    assert came == ["erected-0-0", "erected-0-1", "erected-0-2"]


def test_market_stones_go_home_and_red_cards_bring_new_ones() -> None:
    s = position(ships="- KW. - -", market="entrance idol idol idol")
    before = look(s)
    play(s, "sail-b-market take1")
    went, came = travels(before, look(s), "quarry-0")
    assert (went, came) == ([], ["pyramid-0"])
    before = look(s)
    play(s, "take2")
    assert travels(before, look(s), "quarry-0") == (["stone-1-0"], [])


def test_each_stone_for_pyramid_b_waits_by_itself() -> None:
    s = play(position(ships="KKW. - - -", pyramid_side="B"), "sail-a-pyramid")
    before = look(s)
    play(s, "build-left")
    assert travels(before, look(s), "quarry-0") == (["pending-0", "stone-0-1"], ["pyramid-0", "pending-1"])


def test_a_taken_card_glides_to_the_hand() -> None:
    s = position(ships="- K.. - -".replace("K..", "KW."), market="idol hammer sail chisel")
    play(s, "sail-b-market")
    assert within(box_of(by_id(look(s))[f"held-{K}-{Card.IDOL}-0"]), box_of(by_id(look(s))["offer-0"]))
    play(s, "take1")
    assert within(box_of(by_id(look(s))[f"held-{K}-{Card.IDOL}-0"]), box_of(by_id(look(s))[f"panel-{K}"]))


def test_ships_tell_whether_they_may_sail() -> None:
    sprites = by_id(look(position(ships="WK.. KW. - -")))
    assert sprites["status-0"].text == "sails with 3+"
    assert sprites["status-1"].text == "ready to sail"


def test_the_track_goes_round() -> None:
    assert [seats.space_of(n) for n in (-5, 0, 1, 40, 41, 80, 81)] == [0, 0, 1, 40, 1, 40, 1]
    sprites = by_id(look(position(scores=(41, 40))))
    assert "lap-0" in sprites
    assert "lap-1" not in sprites


def test_the_end_names_the_winner() -> None:
    s = position(scores=(20, 30), round=6)
    final(s)
    sprites = by_id(look(s))
    assert sprites["bar-text-0"].text == "White wins with 30 points."
    assert "crown-1" in sprites
    assert "crown-0" not in sprites


def test_the_end_tells_what_broke_a_tie() -> None:
    s = position(3, sleds=(2, 3, 3), scores=(30, 30, 20), round=6)
    final(s)
    assert look(s).title.endswith("White wins with 30 points, by more stones on the sled.")
    s = position(3, sleds=(2, 3, 3), scores=(30, 30, 30), round=6)
    final(s)
    assert look(s).title.endswith("White, Brown share the victory with 30 points, by more stones on their sleds.")


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("wrath", [False, True])
def test_the_end_tells_the_points_by_source(shape: str, wrath: bool) -> None:
    s = position(4, obelisk="KKKWWG", pyramid="KWN", held={N: "idol idol"}, scores=(2, 2, 2, 0), round=6, wrath=wrath)
    final(s)
    sprites = by_id(look(s, 0, "en", shape))
    rows = drawing.breakdown(s, "en")
    assert [name for name, _ in rows][-1] == ("Wrath" if wrath else "Idols")
    for number, values in enumerate([*(values for _, values in rows), GAME.scores(s)]):
        assert [sprites[f"result-{number}-{p}"].text for p in range(4)] == [str(n) for n in values]


# --- Clicks, points, secrets ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "seed", "options"), GAMES)
def test_every_legal_action_has_one_path(players: int, seed: int, options: dict[str, Any]) -> None:
    for number, (s, p) in enumerate(positions(players, seed + 10, **options)):
        known = seen(s, p)
        paths = drawing.paths(known, p)
        assert sorted(paths) == GAME.legal(s, p)
        assert len(set(paths.values())) == len(paths)
        for q in range(players):
            assert q == p or not drawing.paths(known, q)
        for shape in SHAPES:
            drawn = by_id(drawing.scene(known, p, LANGUAGES[number % 2], shape))
            for path in paths.values():
                assert 1 <= len(path) <= 2
                for name in path:
                    assert drawn[name].alt
                    assert not drawn[name].dim
                    assert drawn[name].y < 660 or shape == "wide"


def test_what_one_clicks() -> None:
    s = position(ships="WK.. KW. - -", held={0: "chisel chisel"})
    paths = {code: drawing.paths(s, 0)[GAME.text.CODES.index(code)] for code in legal(s)}
    assert paths["fetch2"] == ("do-fetch-2",)
    assert paths["load-a3"] == ("space-0-2",)
    assert paths["sail-b-temple"] == ("ship-1", "dock-temple")
    assert paths["play-chisel"] == (f"held-0-{Card.CHISEL}-1",)


def test_lever_points_at_stones() -> None:
    s = play(position(ships="KWK. - - -", held={0: "lever"}), "play-lever sail-a-pyramid")
    assert set(drawing.paths(s, 0).values()) == {("stone-0-0",), ("stone-0-1",)}
    play(s, "next-white")
    assert step(s) != "lever_order"


@pytest.mark.parametrize(("players", "seed", "options"), GAMES)
def test_the_breakdown_adds_up_to_the_scores(players: int, seed: int, options: dict[str, Any]) -> None:
    for s, _ in positions(players, seed + 20, **options):
        rows = drawing.breakdown(s, "en")
        assert [sum(column) for column in zip(*(values for _, values in rows), strict=True)] == GAME.scores(s)
        assert all(n >= 0 for name, values in rows for n in values if name != "Wrath")


def test_the_breakdown_of_the_end() -> None:
    s = position(
        4,
        burial="NNNWWKGNGGGGG",
        obelisk="WWWWKKKGGG",
        held={W: "idol idol idol deco_burial lever", N: "chisel"},
        round=6,
    )
    final(s)
    rows = dict(drawing.breakdown(s, "en"))
    assert rows["Burial chamber"] == [1, 3, 7, 17]
    assert rows["Obelisk"] == [7, 15, 0, 7]
    assert rows["Idols"] == [0, 6, 0, 0]
    assert rows["Green cards"] == [0, 4, 0, 0]
    assert rows["Blue cards"] == [0, 1, 1, 0]
    assert rows["Temple"] == rows["Pyramid"] == [0, 0, 0, 0]


def test_worlds_that_look_alike_are_drawn_alike() -> None:
    for number, (s, p) in enumerate(positions(3, 31, **ALL_B, discard_open=False)):
        viewer = (p + number) % 3
        world = GAME.redealt(seen(s, viewer), 7 + number)
        assert isinstance(world, State)
        shape, lang = BOTH[number % 4]
        assert look(s, viewer, lang, shape) == look(world, viewer, lang, shape)


def test_the_pair_is_open_for_its_taker_alone() -> None:
    s = play(position(ships="- KW. - -", market_side="B"), "sail-b-market take4")
    assert by_id(look(s, K))["hidden-0"].symbol.startswith("card-")
    assert by_id(look(s, W))["hidden-0"].symbol == "back"
    assert by_id(look(s, -1))["hidden-1"].symbol == "back"


# --- Art, pictures, guides --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", drawing.PICTURES)
def test_pictures_are_positions_that_can_be(name: str) -> None:
    s = drawing.PICTURES[name]()
    world = GAME.redealt(s, 1)
    assert isinstance(world, State)
    fault = invariants.violated(world, world)
    assert not fault, invariants.INVARIANTS[fault - 1]
    assert all(n >= 0 for _, values in drawing.breakdown(s, "en") for n in values)
    for shape, lang in BOTH:
        check(s, 0, shape, lang)
        ElementTree.fromstring(draw(look(s, 0, lang, shape), ART, GAME.text.board(s, 0, lang)))


def test_pictures_show_what_the_guide_says() -> None:
    pictures = {name: make() for name, make in drawing.PICTURES.items()}
    pyramid, temple = (GAME.illustrations[name].positions(GAME)[-1][0] for name in ("pyramid", "temple"))
    assert pyramid.score[:3] == [9, 12, 6]
    assert [building.visible(temple, cell) - 1 for cell in range(5)] == [N, W, 3, 3, N]
    assert [scoring.burial_points(pictures["burial"], p) for p in range(4)] == [1, 3, 7, 17]
    assert [scoring.obelisk_points(pictures["burial"], p) for p in range(4)] == [7, 15, 0, 7]
    alts = [by_id(look(pictures["side-b"]))[f"build-{k}"].alt for k in range(3)]
    assert ["2 points" in alts[0], "draw a card" in alts[1], "load a stone" in alts[2]] == [True] * 3


def test_the_guides_are_alike_in_both_languages() -> None:
    shapes = []
    for lang in LANGUAGES:
        text = (GAME.folder / f"guide.{lang}.md").read_text("utf-8")
        rows = re.findall(r"^(#+) |\(scene:([\w-]+)\)|^(\|.*---.*\|)$|^(- )|^(\d\. )|^([|] [^|]*\d.*)$", text, re.MULTILINE)
        shapes.append([tuple(bool(part) if k > 1 else part for k, part in enumerate(row)) for row in rows])
    assert shapes[0] == shapes[1]
    assert sum(bool(row[0]) for row in shapes[0]) > 10
