"""The drawn table of Nile Mural: sprites, clicks, secrets, pictures, guides."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from itertools import combinations, pairwise
from typing import Any
from xml.etree import ElementTree

import pytest

from perankh.engine import sets
from perankh.engine.printed_text import fill
from perankh.engine.words import LANGUAGES, seats_called
from perankh.games.mural import drawing
from perankh.games.mural.drawing.layout import cell_of, layout, layout_of
from perankh.games.mural.rules import actions, invariants
from perankh.games.mural.rules.actions import DRAW, STOP
from perankh.games.mural.rules.components import AREA_OF, AREA_VALUE, AREAS, Track
from perankh.games.mural.rules.state import State, Step
from perankh.scene import SHAPES, Scene, Sprite, draw, symbols_of
from perankh.scene.layout import Box
from perankh.scene.svg import SHARED

from ..drawing import box_of, by_id, check_sprites, within
from .positions import MURAL, choices, do, hand, members, table
from .positions import draw as turn_over

ART = MURAL.folder / "art.svg"
SYMBOLS = symbols_of(SHARED) | symbols_of(ART)
EVERY = 6
BOTH = [(shape, lang) for shape in SHAPES for lang in LANGUAGES]


def positions(players: int, seed: int, **options: object) -> Iterator[tuple[State, int]]:
    """Some positions of a whole random game, and a viewer for each."""
    s = MURAL.new_state(players, seed, options)
    assert isinstance(s, State)
    chance = random.Random(seed)
    number = 0
    while s.step != Step.OVER:
        if number % EVERY == 0:
            yield s, number // EVERY % (players + 1) - 1
            yield s, s.turn
        do(s, chance.choice(choices(s)))
        number += 1
    yield s, 0
    yield s, -1


GAMES = [
    pytest.param(2, 1, {}, id="two"),
    pytest.param(3, 2, {"area_map": "irregular"}, id="three-winding"),
    pytest.param(4, 3, {"last_turn_bonus": False}, id="four"),
]


def seen(s: State, viewer: int) -> State:
    veiled = MURAL.veiled(s, viewer)
    assert isinstance(veiled, State)
    return veiled


def scene_of(s: State, viewer: int = 0, lang: str = "en", shape: str = "wide", listed: bool = False) -> Scene:
    with seats_called((), listed=listed):
        return drawing.scene(seen(s, viewer), viewer, lang, shape)


def apart(one: Box, other: Box) -> bool:
    return (
        one.x + one.w <= other.x + 0.01
        or other.x + other.w <= one.x + 0.01
        or one.y + one.h <= other.y + 0.01
        or other.y + other.h <= one.y + 0.01
    )


def crowded() -> State:
    """Large hands, a long row, markers on further laps."""
    cards = list(range(100))
    random.Random(5).shuffle(cards)
    s = table(
        4,
        hands={0: cards[:28], 1: cards[28:34], 2: cards[34:36], 3: cards[36:37]},
        opened={0: cards[37:42], 1: cards[42:46], 2: cards[46:49]},
        row=cards[49:74],
        wall=cards[74:92],
    )
    s.placed, s.pawn = 4, cards[80]
    s.track = [[17, 3, 16, 33], [0, 0, 0, 0], [-7, -2, 0, -13]]
    return s


# --- Sprites --------------------------------------------------------------------------------------------------------


def check(s: State, viewer: int, shape: str, lang: str) -> None:
    listed = lang == "ja"
    drawn = scene_of(s, viewer, lang, shape, listed)
    check_sprites(drawn, shape, ART)
    near = viewer if viewer >= 0 else s.turn
    check_places(s, viewer, layout_of(seen(s, viewer), near, shape, listed), by_id(drawn), listed)


def check_places(s: State, viewer: int, at: Any, sprites: dict[str, Sprite], listed: bool) -> None:
    """Every card lies where it belongs, and nowhere on top of something else."""
    frame = at.wall.inside(-at.frame)
    zones = {"wall": frame, "rack": at.rack, "stop": at.stop, "deck": at.deck, "row": at.row}
    zones |= {"combo": at.combo, "tracks": at.tracks, "seats": at.seats} | ({} if listed else {"head": at.head})
    for (one, first), (other, second) in combinations(zones.items(), 2):
        assert apart(first, second), (one, other)
    near = viewer if viewer >= 0 else s.turn
    known = seen(s, viewer)
    for card in range(100):
        sprite = sprites.get(f"card-{card:02}")
        if sets.has(known.unseen, card):
            assert sprite is None
            continue
        assert sprite is not None
        if sets.has(known.wall, card):
            assert within(box_of(sprite), cell_of(card, at), slack=0.21)  # pieces overlap a little: no gaps
            assert f"cell-{card:02}" not in sprites
        else:
            assert within(box_of(sprite), room_of(known, card, near, at, sprites)), sprite
    for p in range(s.players):
        room = at.rack if p == near else box_of(sprites[f"panel-{p}"])
        backs = [sprite for name, sprite in sprites.items() if name.startswith(f"hidden-{p}-")]
        assert len(backs) + len(hand(known, p)) == actions.hand_size(s, p)
        assert all(within(box_of(back), room) for back in backs)
    for name, zone in (("deck", at.deck), ("stop", at.stop), ("risk", at.deck)):
        if name in sprites:
            assert within(box_of(sprites[name]), zone, 4), name
    if listed:  # said beside the drawing
        assert not {"headline", "doing", "turn-emblem", "points-0"} & sprites.keys()
    else:
        assert apart(box_of(sprites["headline"]), box_of(sprites["doing"]))
        assert "points-0" in sprites


def room_of(known: State, card: int, near: int, at: Any, sprites: dict[str, Sprite]) -> Box:
    """Where a card of the row or of a hand must lie."""
    if sets.has(known.row, card):
        return at.row
    owner = next(p for p in range(known.players) if sets.has(known.hand[p], card))
    return at.rack if owner == near else box_of(sprites[f"panel-{owner}"])


@pytest.mark.parametrize(("players", "seed", "options"), GAMES)
def test_all_sprites_are_known_and_lie_where_they_belong(players: int, seed: int, options: dict[str, Any]) -> None:
    for number, (s, viewer) in enumerate(positions(players, seed, **options)):
        for shape, lang in BOTH:
            if number < 4 or s.step == Step.OVER or (number + len(shape + lang)) % 2:
                check(s, viewer, shape, lang)


@pytest.mark.parametrize(("shape", "lang"), BOTH)
@pytest.mark.parametrize("viewer", [-1, 0, 1])
def test_a_crowded_table_still_fits(shape: str, lang: str, viewer: int) -> None:
    check(crowded(), viewer, shape, lang)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("count", [1, 5, 12, 20, 31])
def test_the_numbers_of_own_hand_and_row_can_be_read(shape: str, count: int) -> None:
    s = table(2, hands={0: list(range(count))}, row=list(range(40, 40 + min(count, 24))))
    sprites = by_id(scene_of(s, 0, "en", shape))
    for cards in (hand(s, 0), members(s.row)):
        for left, right in pairwise(cards):
            one, other = sprites[f"card-{left:02}"], sprites[f"card-{right:02}"]
            assert one.width * 0.33 >= 11
            assert one.y != other.y or other.x - one.x >= 0.46 * one.width


def test_the_essential_fits_the_upper_part_of_a_phone() -> None:
    at = layout("tall", 4, listed=True)
    assert max(box.y + box.h for box in (at.wall, at.rack, at.stop, at.deck, at.row)) <= 562  # see tests/browser/test_looks.py


# --- What is shown --------------------------------------------------------------------------------------------------


def test_the_shadow_covers_exactly_the_forbidden_cells() -> None:
    s = table(3, hands={0: [25, 37, 8]})
    assert "shadow" not in by_id(scene_of(s))
    do(s, 25)
    for shape in SHAPES:
        at = layout(shape, 3)
        sprites = by_id(scene_of(s, 0, "en", shape))
        shade = box_of(sprites["shadow"])
        for card in range(100):
            assert within(cell_of(card, at), shade) == actions.forbidden(s, card)
            assert apart(cell_of(card, at), shade) != actions.forbidden(s, card)
        assert sprites["card-37"].dim
        assert not sprites["card-08"].dim
    do(s, STOP)
    assert s.step == Step.TAKE
    assert "shadow" not in by_id(scene_of(s))


def test_a_card_without_shadow_leaves_the_wall_bright() -> None:
    s = table(3, hands={0: [95]})
    do(s, 95)
    assert "shadow" not in by_id(scene_of(s))


def test_the_pawn_stands_on_the_card_placed_last() -> None:
    s = table(3, hands={0: [25]})
    assert "pawn" not in by_id(scene_of(s))
    do(s, 25)
    for shape in SHAPES:
        sprites = by_id(scene_of(s, 0, "en", shape))
        assert within(box_of(sprites["pawn"]), cell_of(25, layout(shape, 3)))
        assert sprites["card-25"].glow


@pytest.mark.parametrize("area_map", ["regular", "irregular"])
def test_borders_run_between_cells_of_different_areas_and_nowhere_else(area_map: str) -> None:
    s = table(2, area_map=area_map)
    at = layout("wide", 2)
    size = at.wall.w / 10
    lines = [box_of(sprite) for name, sprite in by_id(scene_of(s)).items() if name.startswith("line-")]
    for row in range(10):
        for column in range(9):
            for one, other, x, y in (
                (10 * row + column, 10 * row + column + 1, column + 1, row + 0.5),
                (10 * column + row, 10 * (column + 1) + row, row + 0.5, column + 1),
            ):
                point = Box(at.wall.x + x * size, at.wall.y + y * size, 0, 0)
                parted = AREA_OF[s.area_map][one] != AREA_OF[s.area_map][other]
                assert any(within(point, line) for line in lines) == parted


def test_a_full_area_is_gilt_and_an_open_one_named() -> None:
    s = table(2, wall=[0, 1, 2, 10, 11], hands={0: [12]})
    sprites = by_id(scene_of(s))
    assert "letter-A" in sprites
    assert not any(name.startswith("gilt") for name in sprites)
    do(s, 12)
    sprites = by_id(scene_of(s))
    assert "letter-A" not in sprites
    assert sum(name.startswith("gilt") for name in sprites) == 4


def test_empty_cells_tell_their_value() -> None:
    s = table(2)
    sprites = by_id(scene_of(s))
    for card in range(100):
        value = AREA_VALUE[s.area_map][AREA_OF[s.area_map][card]]
        cell = sprites[f"cell-{card:02}"]
        assert cell.symbol == f"cell-{value}"
        assert cell.text == f"{card:02}"
        assert AREAS[AREA_OF[s.area_map][card]] in cell.alt
    assert len({sprites[f"cell-{card}"].colour for card in (30, 34, 65)}) == 3
    assert all(f"cell-{value}" in SYMBOLS for value in range(1, 10))


def test_every_card_has_its_picture_with_and_without_ankh() -> None:
    assert {f"{kind}-{card:02}" for kind in ("card", "ankh") for card in range(100)} <= set(SYMBOLS)
    sprites = by_id(scene_of(table(2, hands={0: [22, 25]})))
    assert sprites["card-22"].symbol == "ankh-22"
    assert sprites["card-25"].symbol == "card-25"
    assert "ankh" in sprites["card-22"].alt


@pytest.mark.parametrize("shape", SHAPES)
def test_markers_run_on_further_laps(shape: str) -> None:
    s = table(3)
    s.track = [[17, 1, 33, 0], [16, 0, 15, 0], [-7, -1, 0, 0]]
    sprites = by_id(scene_of(s, 0, "en", shape))
    for track, name, cell in ((Track.COMBO, "combo", 1), (Track.AREA, "area", 0), (Track.MISS, "miss", 1)):
        step = box_of(sprites[f"step-{name}-{cell}"])
        assert abs(sprites[f"marker-{name}-0"].x - step.middle[0]) < step.w
        assert sprites[f"lap-{name}-0"].symbol == "lap-1"
        assert str(s.track[track][0]) in sprites[f"marker-{name}-0"].alt
        assert f"lap-{name}-1" not in sprites
    assert sprites["lap-combo-2"].symbol == "lap-2"
    assert "Combo 17" in sprites["values-0"].text


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("shape", SHAPES)
def test_markers_on_one_cell_stay_in_it(shape: str, players: int) -> None:
    s: Any = MURAL.new_state(players, 1)
    sprites = by_id(drawing.scene(MURAL.veiled(s, 0), 0, "en", shape))
    for track in ("combo", "area", "miss"):
        cell = sprites[f"step-{track}-0"]
        for p in range(players):
            marker = sprites[f"marker-{track}-{p}"]
            assert abs(marker.x - cell.x) + marker.width / 2 <= cell.width / 2 + 1.5
            assert abs(marker.y - cell.y) + marker.height / 2 <= cell.height / 2 + 1.5


def test_the_combo_table_shows_the_present_number() -> None:
    s = table(2, hands={0: [90, 80]})
    assert "combo-now" not in by_id(scene_of(s))
    do(s, 90, 80)
    sprites = by_id(scene_of(s))
    assert sprites["combo-now"].x == sprites["combo-2"].x
    assert [sprites[f"combo-8-{line}"].text for line in range(3)] == ["8", "+3", "1"]


def test_the_button_says_what_stopping_earns_and_others_are_told() -> None:
    s = table(2, hands={0: [90, 80, 70, 60]})
    greyed = by_id(scene_of(s))["stop"]
    assert (greyed.text, greyed.dim) == ("Stop", True)
    do(s, 90, 80, 70, 60)
    assert by_id(scene_of(s))["stop"].text == "Stop: Combo +1, take 1 card"
    assert "stop" not in by_id(scene_of(s, 1))
    assert by_id(scene_of(s, 1))["would-earn"].text == "Red stopping now: Combo +1, take 1 card"


def test_the_danger_of_the_deck_is_shown_while_it_may_miss() -> None:
    s = table(2, hands={0: [88]}, wall=list(range(50)))
    assert "risk" not in by_id(scene_of(s))
    do(s, 88)
    assert by_id(scene_of(s))["risk"].text == f"miss {round(100 / 49)}%"


def test_a_card_keeps_its_id_wherever_it_goes() -> None:
    s = table(2, hands={0: [25]})
    assert "card-25" in by_id(scene_of(s, 0))
    do(s, 25)
    turn_over(s, 99)
    assert sets.has(s.row, 99)
    assert "card-99" in by_id(scene_of(s, 1))
    turn_over(s, 10)
    do(s, STOP, 99)
    assert sets.has(s.public, 99)
    assert 99 in hand(s, 1)
    for viewer in (-1, 0, 1):
        assert {"card-25", "card-99"} <= set(by_id(scene_of(s, viewer)))


def test_the_end_names_the_winners() -> None:
    s = table(4, deck=[])
    s.step = Step.OVER
    s.track = [[6, 6, 2, 1], [9, 9, 3, 3], [0, 0, -1, -5]]
    sprites = by_id(scene_of(s))
    assert sprites["winner"].text == "Winner: Red and Blue"
    assert {"crown-0", "crown-1"} <= set(sprites)
    assert not {"crown-2", "crown-3", "stop", "shadow", "turn"} & set(sprites)
    assert sprites["tie"].text == "Level on points; sum of markers: 15 for Red, 15 for Blue"


@pytest.mark.parametrize(("shape", "lang"), BOTH)
def test_the_end_shows_what_broke_a_tie(shape: str, lang: str) -> None:
    s = table(2, deck=[])
    s.step = Step.OVER
    s.track = [[12, 8, 0, 0], [11, 13, 0, 0], [-1, -1, 0, 0]]
    sprites = by_id(scene_of(s, 0, lang, shape))
    assert within(box_of(sprites["tie"]), layout(shape, 2).rack)
    assert apart(box_of(sprites["tie"]), box_of(sprites["rack-rim"]))
    for p, (markers, total) in enumerate((((12, 11, -1), 22), ((8, 13, -1), 20))):
        assert all(str(value) in sprites[f"values-{p}"].text for value in (*markers, total))
        assert MURAL.text.say("log.tie_entry", lang, player=MURAL.seat_name(p, lang), sum=total) in sprites["tie"].text
    s.track[Track.COMBO][0] = 15
    s.track[Track.AREA][0] = 15
    assert "tie" not in by_id(scene_of(s, 0, lang, shape))


@pytest.mark.parametrize(("shape", "lang"), BOTH)
def test_cards_of_other_players_do_not_cover_their_markers(shape: str, lang: str) -> None:
    s = crowded()
    s.track = [[17, 13, 16, 33], [10, 11, 12, 13], [-17, -12, -10, -13]]
    sprites = by_id(scene_of(s, 0, lang, shape))
    for p in range(1, 4):
        cards = [f"card-{card:02}" for card in hand(seen(s, 0), p)] + [name for name in sprites if name.startswith(f"hidden-{p}")]
        assert all(apart(box_of(sprites[name]), box_of(sprites[f"values-{p}"])) for name in cards)


# --- Clicks, points, secrets ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "seed", "options"), GAMES)
def test_every_legal_action_has_one_click_of_its_own(players: int, seed: int, options: dict[str, Any]) -> None:
    steps = set()
    for s, _ in positions(players, seed + 10, **options):
        for p in range(players):
            known = seen(s, p)
            paths = drawing.paths(known, p)
            assert sorted(paths) == MURAL.legal(s, p)
            assert len(set(paths.values())) == len(paths)
            assert all(len(path) == 1 for path in paths.values())
            if paths:
                steps.add(s.step)
                for shape in SHAPES:
                    sprites = by_id(drawing.scene(known, p, "ja", shape))
                    for action, (name,) in paths.items():
                        assert sprites[name].alt
                        assert not sprites[name].dim
                        assert action in (DRAW, STOP) or name == f"card-{action:02}"
    assert steps == {Step.PLACE, Step.TAKE}


def test_nothing_lies_on_top_of_what_is_clicked() -> None:
    for s in (crowded(), do(table(3, hands={0: [25, 8]}, row=[41, 3]), 25)):
        for shape in SHAPES:
            drawn = scene_of(s, 0, "en", shape)
            names = [sprite.id for sprite in drawn.sprites]
            for (name,) in drawing.paths(seen(s, 0), 0).values():
                at = names.index(name)
                target = drawn.sprites[at]
                corner = Box(
                    target.x - target.width * 0.4, target.y - target.height * 0.4, target.width * 0.3, target.height * 0.3
                )
                assert all(apart(corner, box_of(later)) for later in drawn.sprites[at + 1 :]), name


@pytest.mark.parametrize(("players", "seed", "options"), GAMES)
def test_the_breakdown_adds_up_to_the_scores(players: int, seed: int, options: dict[str, Any]) -> None:
    for s, _ in positions(players, seed + 20, **options):
        rows = drawing.breakdown(s, "en")
        assert [name for name, _ in rows] == ["Combo", "Area", "Miss"]
        assert [sum(column) for column in zip(*(values for _, values in rows), strict=True)] == MURAL.scores(s)


@pytest.mark.parametrize(("players", "seed", "options"), GAMES)
def test_worlds_that_look_alike_are_drawn_alike(players: int, seed: int, options: dict[str, Any]) -> None:
    different = 0
    for s, viewer in positions(players, seed + 30, **options):
        world = MURAL.redealt(seen(s, viewer), seed + 7)
        assert isinstance(world, State)
        different += world.hand != s.hand
        shape, lang = BOTH[different % 4]
        assert scene_of(s, viewer, lang, shape) == scene_of(world, viewer, lang, shape)
    assert different


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_hidden_card_is_named_nowhere(lang: str) -> None:
    s = table(3, hands={0: [11], 1: [73, 37], 2: [56]}, opened={1: [45]})
    for shape in SHAPES:
        drawn = scene_of(s, 0, lang, shape)
        cards = {sprite.id for sprite in drawn.sprites if sprite.id.startswith(("card-", "hidden-"))}
        assert cards == {"card-11", "card-45", "hidden-1-0", "hidden-1-1", "hidden-2-0"}
        assert len({sprite.alt for sprite in drawn.sprites if sprite.id.startswith("hidden-1")}) == 1


# --- Art, pictures, guides --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", drawing.PICTURES)
def test_pictures_are_positions_that_can_be(name: str) -> None:
    s = drawing.PICTURES[name]()
    assert seen(s, 0) == s
    world = MURAL.redealt(s, 1)
    assert isinstance(world, State)
    fault = invariants.violated(world, world)
    assert not fault, invariants.INVARIANTS[fault - 1]
    for shape, lang in BOTH:
        check(s, 0, shape, lang)
        svg = draw(scene_of(s, 0, lang, shape), ART, MURAL.text.board(s, 0, lang))
        root = ElementTree.fromstring(svg)
        assert len(root.findall("{http://www.w3.org/2000/svg}g")) == len(scene_of(s, 0, lang, shape).sprites)


def test_pictures_show_what_the_guide_says() -> None:
    pictures = {name: make() for name, make in drawing.PICTURES.items()}
    shadow = pictures["shadow"]
    assert actions.forbidden(shadow, 37)
    assert {8, 37} <= set(hand(shadow, 0))
    assert {28, 85, 41} & {card for card in range(100) if actions.forbidden(shadow, card)} == set()
    miss, ankh = (MURAL.illustrations[name].positions(MURAL) for name in ("miss", "ankh"))
    assert members(miss[-1][0].row) == [29]
    assert ankh[1][0].step == Step.TAKE
    assert by_id(scene_of(pictures["combo"]))["stop"].text == "Stop: Combo +1, take 1 card"
    assert actions.area_is_full(pictures["area"], AREAS.index("H"))
    assert MURAL.ranks(pictures["end"]).index(1) == 1
    assert drawing.breakdown(pictures["end"], "en")[0][1] == [6, 4, 4, 0]


def test_the_guides_are_alike_in_both_languages() -> None:
    texts = {lang: (MURAL.folder / f"guide.{lang}.md").read_text("utf-8") for lang in LANGUAGES}
    shapes = {}
    for lang, text in texts.items():
        pictures = re.findall(r"!\[[^\]]+\]\(scene:([\w-]+)\)", text)
        assert set(pictures) <= set(MURAL.illustrations)
        shapes[lang] = re.findall(r"^(#+) |\(scene:([\w-]+)\)|^(\|.*---.*\|)$|^(- )|^([|] [^|]*\d.*)$", text, re.MULTILINE)
    en, ja = (
        [tuple(bool(part) if k > 1 else part for k, part in enumerate(row)) for row in shapes[lang]] for lang in ("en", "ja")
    )
    assert en == ja
    assert sum(bool(row[0]) for row in en) > 10


def test_the_tables_of_the_guides_are_those_of_the_game() -> None:
    for lang in LANGUAGES:
        text = fill(MURAL, (MURAL.folder / f"guide.{lang}.md").read_text("utf-8"), lang)
        rows = [re.findall(r"-|\d+", line) for line in text.splitlines() if line.startswith("| ") and line.count("|") == 12]
        sprites = by_id(scene_of(table(2)))
        for line in range(3):
            assert rows[line] == [sprites[f"combo-{k}-{line}"].text.lstrip("+").replace("-", "0") for k in range(1, 11)]
