"""The drawn table of Egizia: sprites, clicks, secrets, pictures, guides."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree

import pytest

from perankh.engine.words import LANGUAGES
from perankh.games.egizia import drawing
from perankh.games.egizia.drawing import pieces
from perankh.games.egizia.rules import components, invariants
from perankh.games.egizia.rules.state import Action, State
from perankh.scene import PALETTE, SHAPES, Scene, Sprite, draw, symbols_of
from perankh.scene.layout import Box
from perankh.scene.svg import SHARED

from .positions import CODES, GAME, A, B, C, building, card, feeding, legal, play, position, sphinx_card, step

ART = GAME.folder / "art.svg"
SYMBOLS = symbols_of(SHARED) | symbols_of(ART)
BOTH = [(shape, lang) for shape in SHAPES for lang in LANGUAGES]
EVERY = 7
FIRST_SCREEN = 640  # what one clicks in the tall shape begins above this
GAMES = [
    pytest.param(2, 1, {}, id="two"),
    pytest.param(3, 2, {"sphinx_return": "chosen", "keep2_when": "before_draw", "stone_market_spaces": "4"}, id="three"),
    pytest.param(4, 3, {"colonnade_market_bonus": True, "crew_max": 99, "ships_per_player": 30}, id="four"),
]


def positions(players: int, seed: int, **options: object) -> Iterator[tuple[Any, int]]:
    """Some positions of a whole random game, rare steps among them, with a seat that decides."""
    s: Any = GAME.new_state(players, seed, options)
    chance = random.Random(seed)
    number = 0
    while GAME.actors(s):
        p = chance.choice(GAME.actors(s))
        if number % EVERY == 0 or step(s) not in ("location", "crew", "build", "leader", "basic"):
            yield s, p
        actions = GAME.legal(s, p)
        if len(actions) > 2 and actions[0] == Action.PASS:
            actions = actions[1:]  # ships go on rather than stay at home
        GAME.rules.apply(s, p, chance.choice(actions))
        number += 1
    yield s, 0


def seen(s: State, viewer: int) -> State:
    veiled = GAME.veiled(s, viewer)
    assert isinstance(veiled, State)
    return veiled


def look(s: State, viewer: int = 0, lang: str = "en", shape: str = "wide") -> Scene:
    return drawing.scene(seen(s, viewer), viewer, lang, shape)


def by_id(drawn: Scene) -> dict[str, Sprite]:
    return {sprite.id: sprite for sprite in drawn.sprites}


def box_of(sprite: Sprite) -> Box:
    return Box(sprite.x - sprite.width / 2, sprite.y - sprite.height / 2, sprite.width, sprite.height)


def within(inner: Box, outer: Box) -> bool:
    return (
        inner.x >= outer.x - 0.01
        and inner.y >= outer.y - 0.01
        and inner.right <= outer.right + 0.01
        and inner.bottom <= outer.bottom + 0.01
    )


def texts(drawn: Scene, start: str) -> str:
    """The texts of the sprites whose ids begin so, one after the other."""
    return " ".join(sprite.text for sprite in drawn.sprites if sprite.id.startswith(start) and sprite.text)


def check_sprites(s: State, viewer: int, shape: str, lang: str) -> None:
    drawn = look(s, viewer, lang, shape)
    assert drawn.width == SHAPES[shape]
    ids = [sprite.id for sprite in drawn.sprites]
    assert len(ids) == len(set(ids))
    for sprite in drawn.sprites:
        assert sprite.symbol or sprite.text, sprite
        assert not sprite.symbol or sprite.symbol in SYMBOLS, sprite
        assert {sprite.colour or "ink", sprite.ink} <= set(PALETTE), sprite
        assert not sprite.text or sprite.size >= 11, sprite
        assert within(box_of(sprite), Box(0, 0, drawn.width, drawn.height)), sprite


# --- Sprites ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "seed", "options"), GAMES)
def test_every_position_can_be_drawn(players: int, seed: int, options: dict[str, Any]) -> None:
    for number, (s, p) in enumerate(positions(players, seed, **options)):
        shape, lang = BOTH[number % 4]
        check_sprites(s, p if number % 3 else -1, shape, lang)


def test_a_card_keeps_its_id_from_the_river_to_the_board() -> None:
    s = position(3, river="N12-01 N12-08", ships={B: "C5"})
    for name in ("N12-01", "N12-08"):
        drawn = by_id(look(s))[f"card-{card(name)}"]
        assert drawn.y < by_id(look(s))["panel-0"].y - drawn.height / 2
    play(s, "C1")
    sprites = by_id(look(s))
    assert within(box_of(sprites[f"card-{card('N12-01')}"]), box_of(sprites["panel-0"]))
    assert within(box_of(sprites["ship-0-C1"]), box_of(sprites["space-C1"]))


@pytest.mark.parametrize("shape", SHAPES)
def test_ships_lie_at_their_locations(shape: str) -> None:
    s = position(4, ships={A: "C1 T2 D1.1", B: "T1 D1.2", C: "D1.3", 3: "C2 D1.s"})
    drawn = look(s, shape=shape)
    sprites = by_id(drawn)
    for p, name, berth in (
        (A, "D1-0", "berth-0-0"),
        (B, "D1-1", "berth-0-1"),
        (C, "D1-2", "berth-0-2"),
        (3, "D1-3", "berth-0-late"),
    ):
        assert within(box_of(sprites[f"ship-{p}-{name}"]), box_of(sprites[berth]))
    tile, boat = sprites["space-T1"], sprites["ship-1-T1-0"]
    assert boat.x == tile.x
    assert boat.y > tile.y
    boats = [sprite for sprite in drawn.sprites if sprite.id.startswith("ship-")]
    assert len(boats) == 8
    assert all(sprite.pool == f"fleet-{sprite.id[5]}" for sprite in boats)


def test_a_ship_comes_from_the_fleet() -> None:
    s = position(3)
    before = by_id(look(s))
    play(s, "D2.1")
    after = by_id(look(s))
    assert set(after) - set(before) >= {"ship-0-D2-0"}
    assert after["ship-0-D2-0"].pool in before
    assert int(after["fleet-0-n"].text) == int(before["fleet-0-n"].text) - 1


def test_bricks_stand_where_they_were_built() -> None:
    s = building(3, ships={A: "D1.1"}, strength={A: (3, 2, 2, 4)}, stones=(9, 0, 0), obelisk="BBA", columns=(1, 0, 0))
    before = by_id(look(s))
    assert [before[f"brick-obelisk-{k}"].symbol for k in range(3)] == ["slab-1", "slab-1", "slab-0"]
    play(s, "build green leader obelisk column")
    after = by_id(look(s))
    for old, new in (("obelisk-3", "brick-obelisk-3"), ("column-0-1", "brick-column-0-1")):
        assert old in before
        assert old not in after
        assert (after[new].x, after[new].y) == (before[old].x, before[old].y)
        assert after[new].pool == "mark-0"


def test_the_ring_and_unwatered_fields() -> None:
    s = position(3, ring=1, held={A: "N12-06 N12-08"})
    sprites = by_id(look(s))
    assert (sprites["the-ring"].x, sprites["the-ring"].y) == (sprites["ring-1"].x, sprites["ring-1"].y)
    assert not sprites[f"card-{card('N12-06')}"].dim
    assert sprites[f"card-{card('N12-08')}"].dim
    assert sprites["grain-0-n"].text == "9/5"


def test_an_improved_field_is_drawn_in_its_new_colour() -> None:
    s = position(3, held={A: "N12-08 N12-10"}, river="N12-13")
    play(s, "C1")
    assert set(drawing.paths(s, A).values()) == {(f"card-{card(name)}",) for name in ("N12-08", "N12-10")}
    play(s, "N12-08")
    assert by_id(look(s))[f"card-{card('N12-08')}"].symbol == "nile-field-0"


def test_what_a_build_comes_to_is_shown_to_everybody() -> None:
    s = building(3, ships={A: "D1.1"}, strength={A: (3, 2, 2, 4)}, stones=(9, 0, 0))
    play(s, "build green")
    assert "Strength: 3" in texts(look(s, B), "sum-text")
    play(s, "leader obelisk")
    for viewer in (-1, A, B):
        assert texts(look(s, viewer), "sum-text") == "Left to spend: 6 Bricks put: 1"
    assert "do-finish" in by_id(look(s, A))
    assert "do-finish" not in by_id(look(s, B))


def test_what_missing_grain_costs_is_shown() -> None:
    s = feeding(2, strength={A: (4, 4, 4, 4)}, held={A: "N12-20"}, ring=1)
    assert texts(look(s), "sum-text") == "Harvest 6, need 16 Missing 10: -30 points"


def test_locations_that_use_an_ability_are_marked() -> None:
    s = position(3, ships={A: "T3", B: "T4"}, held={A: "N34-15 N12-16"})
    ids = set(by_id(look(s)))
    assert f"needs-{CODES.index('C1') - Action.PLACE}-upstream" in ids
    assert f"needs-{CODES.index('T4') - Action.PLACE}-occupied_tile" in ids
    assert not any(name.startswith(f"needs-{CODES.index('C9') - Action.PLACE}-") for name in ids)


def test_closed_spaces_of_two_players_are_marked() -> None:
    sprites = by_id(look(position(2)))
    assert [name for name in ("C1", "C2", "T1", "T2") if f"space-{name}-cross" in sprites] == ["C1", "C2", "T1", "T2"]
    assert sprites["berth-0-1"].symbol == sprites["berth-2-2"].symbol == "berth-closed"


def test_used_tiles_have_closed_eyes() -> None:
    s = position(3, columns=(5, 5, 0), bonus="G1 G9")
    s.closed_eye[0] = 2
    sprites = by_id(look(s))
    assert sprites["eye-mark-0-1"].symbol == "eye-closed"
    assert sprites["eye-mark-1-1"].symbol == "eye-open"
    assert "eye-mark-0-0" not in sprites


def test_the_standing_follows_arrival() -> None:
    s = position(3, vp=(5, 5, 2), arrived="CBA")
    sprites = by_id(look(s))
    assert sprites["rank-1"].x < sprites["rank-0"].x < sprites["rank-2"].x


def test_the_end_names_the_winner_of_a_tie() -> None:
    s = drawing.PICTURES["end"]()
    sprites = by_id(look(s))
    assert sprites["bar-text-0"].text == "Grey wins with 103 points."
    assert "crown-3" in sprites
    assert "crown-2" not in sprites
    assert sprites["rank-3"].x < sprites["rank-2"].x


# --- Clicks, points, secrets ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "seed", "options"), GAMES)
def test_every_legal_action_has_one_path(players: int, seed: int, options: dict[str, Any]) -> None:
    for number, (s, p) in enumerate(positions(players, seed + 10, **options)):
        known = seen(s, p)
        paths = drawing.paths(known, p)
        assert sorted(paths) == GAME.legal(s, p)
        assert len(set(paths.values())) == len(paths)
        for q in range(players):
            assert q in GAME.actors(s) or not drawing.paths(known, q)
        for shape in SHAPES:
            drawn = by_id(drawing.scene(known, p, LANGUAGES[number % 2], shape))
            for (name,) in paths.values():
                assert drawn[name].alt
                assert not drawn[name].dim
                assert drawn[name].y < FIRST_SCREEN or shape == "wide", (name, step(s))


def test_what_one_clicks() -> None:
    s = position(3, river="N12-01 N12-08", columns=(5, 0, 0), bonus="G1 G7")
    paths = {CODES[a]: path for a, path in drawing.paths(seen(s, A), A).items()}
    assert paths["pass"] == ("do-pass",)
    assert paths["C1"] == (f"card-{card('N12-01')}",)
    assert paths["T2"] == (f"tile-{s.laid[1]}",)
    assert paths["D3.2"] == ("berth-2-1",)
    play(s, "C1")
    assert step(s) == "second"
    assert set(drawing.paths(s, A).values()) == {("do-none",), ("eye-0-1",)}


def test_what_cannot_be_used_now_is_no_choice() -> None:
    s = position(3, held={A: "N12-19 N12-20 N12-21 N34-16"})
    assert not any(CODES[a].startswith("N") for a in drawing.paths(seen(s, A), A))
    assert "do-none" not in by_id(look(s))


def test_many_numbers_have_a_button_each() -> None:
    s = feeding(2, strength={A: (9, 9, 9, 9)}, held={A: "N12-15"}, stones=(25, 0), ring=1)
    assert step(s) == "feed"
    for shape, lang in BOTH:
        drawn = by_id(look(s, A, lang, shape))
        places = [box_of(drawn[f"do-feed-{k}"]) for k in range(26)]
        assert len({(box.x, box.y) for box in places}) == len(legal(s)) == 26
        assert all(a.right <= b.x + 0.01 or a.y + a.h <= b.y + 0.01 for a, b in pairwise(places))


@pytest.mark.parametrize(("players", "seed", "options"), GAMES)
def test_the_breakdown_adds_up_to_the_scores(players: int, seed: int, options: dict[str, Any]) -> None:
    for s, _ in positions(players, seed + 20, **options):
        rows = drawing.breakdown(s, "en")
        assert [sum(column) for column in zip(*(values for _, values in rows), strict=True)] == GAME.scores(s)
        assert all(n >= 0 for _, values in rows[1:] for n in values)


def test_the_breakdown_of_the_end() -> None:
    rows = dict(drawing.breakdown(drawing.PICTURES["end"](), "en"))
    assert rows["On the track"] == [52, 61, 58, 66]
    assert rows["Sphinx cards"] == [17, 16, 15, 15]
    assert rows["Statues"] == [20, 7, 24, 12]


def test_worlds_that_look_alike_are_drawn_alike() -> None:
    for number, (s, p) in enumerate(positions(3, 31)):
        viewer = (p + number) % 3
        world = GAME.redealt(seen(s, viewer), 7 + number)
        assert isinstance(world, State)
        shape, lang = BOTH[number % 4]
        assert look(s, viewer, lang, shape) == look(world, viewer, lang, shape)


def test_sphinx_cards_are_open_for_their_owner_alone() -> None:
    s = position(3, hands={A: "S03 S07", B: "S10"})
    own, other = by_id(look(s, A)), by_id(look(s, B))
    assert {f"sphinx-{sphinx_card(name)}" for name in ("S03", "S07")} <= set(own)
    assert f"sphinx-{sphinx_card('S10')}" not in own
    assert own["hidden-n-1"].text == "1"
    assert other["hidden-n-0"].text == "2"


def test_drawn_cards_are_shown_to_the_drawer_alone() -> None:
    s = drawing.PICTURES["sphinx"]()
    drawn = {path[0] for a, path in drawing.paths(seen(s, A), A).items() if a != Action.NONE}
    assert len(drawn) == 4
    assert drawn <= set(by_id(look(s, A)))
    assert not drawn & set(by_id(look(s, B)))


# --- Art, pictures, guides --------------------------------------------------------------------------------------------


def test_the_art_is_well_formed_and_uses_the_palette_alone() -> None:
    text = ART.read_text("utf-8")
    ElementTree.fromstring(text)
    assert set(re.findall(r"var\(--([\w-]+)", text)) <= {*PALETTE, "mark"}
    assert set(re.findall(r"#[0-9a-f]{3,6}\b", re.sub(r'href="#[^"]*"|url\(#[^)]*\)', "", text))) <= {"#fff", "#000"}
    own = symbols_of(ART)
    assert not set(own) & set(symbols_of(SHARED))
    for name in re.findall(r'href="#([^"]+)"', text):
        assert name in own


def everything_printed() -> Iterator[Sprite]:
    """Every card, tile, colonnade tile and Sphinx card."""
    place = Box(0, 0, 64, 80)
    for c in range(components.CARDS):
        yield from pieces.card(c, place, "en")
    for t in range(components.TILES):
        yield from pieces.tile(t, place, "en")
    for g in range(components.BONUS_TILES):
        yield from pieces.bonus_chip("bonus", g, place, "")
    for c in range(components.SPHINX_CARDS):
        yield from pieces.sphinx_card(c, place, "en")
        yield from pieces.sphinx_card(c, Box(0, 0, 200, 28), "en", met=True)


def test_every_symbol_is_used() -> None:
    used = {sprite.symbol for sprite in everything_printed()} | set(pieces.MEASURE_ICONS.values())
    drawn = [make() for make in drawing.PICTURES.values()]
    drawn += [position(2, columns=(5, 0), bonus="G6 G9"), position(2, columns=(5, 0), bonus="G6 G9")]
    drawn[-1].closed_eye[0], drawn[-1].tokens[0], drawn[-1].passed, drawn[-1].flipped[0] = 2, 1, 2, 15
    drawn += [play(position(3, river="N12-11 -"), "C1"), play(position(3, tiles="NT4 NT2 NT5 NT3 NT6 NT1 NT7"), "T1")]
    drawn += [building(3, ships={A: "D2.1"}, stones=(9, 0, 0), strength={A: (4, 4, 4, 4)})]
    for s in drawn:
        for shape in SHAPES:
            used |= {sprite.symbol for sprite in look(s, 0, "en", shape).sprites}
    own = symbols_of(ART)
    inner = {name for symbol in used & set(own) for name in re.findall(r'href="#([^"]+)"', own[symbol])}
    assert set(own) <= used | inner


@pytest.mark.parametrize("name", drawing.PICTURES)
def test_pictures_are_positions_that_can_be(name: str) -> None:
    s = drawing.PICTURES[name]()
    world = GAME.redealt(seen(s, A), 1)
    assert isinstance(world, State)
    for one in (s, world):
        fault = invariants.violated(one, one)
        assert not fault, invariants.INVARIANTS[fault - 1]
    for shape, lang in BOTH:
        check_sprites(s, 0, shape, lang)
        ElementTree.fromstring(draw(look(s, 0, lang, shape), ART, GAME.text.board(s, 0, lang)))


def test_pictures_show_what_the_guide_says() -> None:
    pictures = {name: make() for name, make in drawing.PICTURES.items()}
    assert step(pictures["setup"]) == "start"
    assert [s.chooser for s in pictures.values()] == [0] * len(pictures)
    assert "D1.s" in legal(pictures["dock"])
    assert [step(pictures[name]) for name in ("obelisk", "colonnade", "statues", "pyramid")] == ["space"] * 4
    assert [s.docking for name, s in pictures.items() if name in ("obelisk", "statues", "sphinx")] == [1, 2, 3]
    assert pictures["colonnade"].columns[A] == components.YELLOW_COLUMN
    assert GAME.scores(pictures["end"]) == [98, 92, 103, 103]


def test_the_guides_are_alike_in_both_languages() -> None:
    shapes = []
    for lang in LANGUAGES:
        text = (GAME.folder / f"guide.{lang}.md").read_text("utf-8")
        rows = re.findall(r"^(#+) |\(scene:([\w-]+)\)|^(\|.*---.*\|)$|^(- )|^(\d\. )|^([|] .*)$", text, re.MULTILINE)
        shapes.append([tuple(bool(part) if k > 1 else part for k, part in enumerate(row)) for row in rows])
    assert shapes[0] == shapes[1]
    assert sum(bool(row[0]) for row in shapes[0]) > 10
