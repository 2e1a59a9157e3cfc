"""The drawn table of Cleocatra: sprites, click paths, pictures and guides."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import cache
from typing import Any
from xml.etree import ElementTree

import pytest

from perankh.games.cleocatra import drawing as drawn
from perankh.games.cleocatra.drawing.pieces import on_tiles
from perankh.games.cleocatra.rules.state import Step
from perankh.scene import SHAPES, Scene, Sprite, draw

from ..drawing import by_id, check_sprites
from .positions import DECLINE, GAME, SEARCH, actor, play, position, row, step

LANGUAGES = ("en", "ja")
ART = GAME.folder / "art.svg"
SETS = [(players, mode) for players in (2, 3, 4) for mode in ("basic", "hard")]
SLACK = 0.02  # of a side: how far a corner of a token's box may be off


@cache
def positions(players: int, mode: str, **options: Any) -> tuple[Any, ...]:
    """Positions of whole random games: every seventh, the last, and the first of each step."""
    dice = random.Random(players)
    found, met = [], set()
    for seed in range(3):
        s: Any = GAME.new_state(players, 40 + seed, {"mode": mode, **options})
        number = 0
        while GAME.rules.actors(s):
            if number % 7 == 0 or s.step not in met:
                found.append(s.copy())
            met.add(s.step)
            number += 1
            p = actor(s)
            GAME.rules.apply(s, p, dice.choice(GAME.legal(s, p)))
        found.append(s.copy())
    return tuple(found)


def scenes(s: Any, viewer: int | None = None) -> Iterator[tuple[str, str, Scene]]:
    """The scene of a position in each shape and language, by default for whoever decides."""
    if viewer is None:
        viewer = actor(s) if GAME.rules.actors(s) else -1
    for shape in SHAPES:
        for lang in LANGUAGES:
            yield shape, lang, drawn.scene(GAME.veiled(s, viewer), viewer, lang, shape)


# --- Sprites --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "mode"), SETS)
def test_every_position_is_drawn_well(players: int, mode: str) -> None:
    for number, s in enumerate(positions(players, mode)):
        viewer = None if number % 3 else number % (players + 1) - 1
        for shape, lang, scene in scenes(s, viewer):
            where = (shape, lang, number, step(s))
            check_sprites(scene, shape, ART, where)
            assert 730 <= scene.height <= (760 if shape == "wide" else 1100)


@pytest.mark.parametrize(("players", "mode"), SETS)
def test_the_same_pieces_are_always_there(players: int, mode: str) -> None:
    for s in positions(players, mode):
        wanted = {f"rescuer-{p}-{k}" for p in range(players) for k in range(3)}
        wanted |= {f"inspector-{k}" for k in range(3)} | {f"marker-{p}" for p in range(players)}
        wanted |= {f"tile-{t}" for t in range(s.laid + bool(s.revealed))}
        for _, _, scene in scenes(s):
            there = {i for i in by_id(scene) if re.fullmatch(r"(rescuer-\d-\d|inspector-\d|marker-\d|tile-\d+)", i)}
            assert there == wanted


def test_meaning_is_said() -> None:
    for s in positions(3, "hard"):
        for _, _, scene in scenes(s):
            for sprite in scene.sprites:
                if re.match(r"(tile|site|rescuer-\d|inspector-\d|marker|do|seat|deck$)", sprite.id):
                    assert sprite.alt or re.match("first", sprite.id), sprite


# --- The layout -----------------------------------------------------------------------------------------------


def triangle(sprite: Sprite) -> list[tuple[float, float]]:
    """The corners of a tile or site."""
    left, right = sprite.x - sprite.width / 2, sprite.x + sprite.width / 2
    top, bottom = sprite.y - sprite.height / 2, sprite.y + sprite.height / 2
    if "-up" in sprite.symbol:
        return [(left, bottom), (right, bottom), (sprite.x, top)]
    return [(right, top), (left, top), (sprite.x, bottom)]


def depth(corners: list[tuple[float, float]], x: float, y: float) -> float:
    """How far inside a triangle a point is, negative outside."""
    side = abs(corners[1][0] - corners[0][0])
    edges = zip(corners, corners[1:] + corners[:1], strict=True)
    return min(((by - ay) * (x - ax) - (bx - ax) * (y - ay)) / side for (ax, ay), (bx, by) in edges)


def overlap(one: list[tuple[float, float]], two: list[tuple[float, float]]) -> bool:
    """Whether two triangles share more than an edge: no edge of either separates them."""
    slack = 0.01 * abs(one[1][0] - one[0][0])
    for first, second in ((one, two), (two, one)):
        for (ax, ay), (bx, by) in zip(first, first[1:] + first[:1], strict=True):

            def side(x: float, y: float, ax: float = ax, ay: float = ay, bx: float = bx, by: float = by) -> float:
                return float((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / ((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5

            own = [side(x, y) for x, y in first]
            others = [side(x, y) for x, y in second]
            if min(others) >= max(own) - slack or max(others) <= min(own) + slack:
                return False
    return True


def test_the_geometry_of_the_tests() -> None:
    up = [(0.0, 10.0), (10.0, 10.0), (5.0, 1.34)]
    down = [(15.0, 1.34), (5.0, 1.34), (10.0, 10.0)]
    assert not overlap(up, down)
    assert overlap(up, [(x + 4, y) for x, y in up])
    assert depth(up, 5, 7) > 0 > depth(up, 1, 2)
    assert depth(down, 10, 4) > 0 > depth(down, 6, 9)


@pytest.mark.parametrize(("players", "mode"), SETS)
def test_tiles_and_sites_lie_side_by_side_in_the_board(players: int, mode: str) -> None:
    for s in positions(players, mode):
        for _, _, scene in scenes(s):
            sprites = by_id(scene)
            cells = [sprites[i] for i in sprites if i.startswith("site-")]
            cells += [sprites[f"tile-{t}"] for t in range(s.laid)]
            board = sprites["board"]
            for number, one in enumerate(cells):
                assert abs(one.height / one.width - 0.75**0.5) < 1e-9
                assert abs(one.x - board.x) + one.width / 2 <= board.width / 2
                assert abs(one.y - board.y) + one.height / 2 <= board.height / 2
                assert one.width == cells[0].width >= 40
                for two in cells[:number]:
                    assert not overlap(triangle(one), triangle(two)), (one.id, two.id)


def test_neighbours_touch() -> None:
    s = position("18 B, 19 P, 20 O, 35 G", rescuers={0: [19]})
    for _, _, scene in scenes(s):
        corners = [{(round(x), round(y)) for x, y in triangle(by_id(scene)[f"tile-{t}"])} for t in range(4)]
        assert [len(corners[1] & corners[t]) for t in (0, 2, 3)] == [2, 2, 2]


@pytest.mark.parametrize(("players", "mode"), SETS)
def test_tokens_lie_on_their_tiles(players: int, mode: str) -> None:
    for s in positions(players, mode):
        for shape, _, scene in scenes(s):
            sprites = by_id(scene)
            homes: dict[int, list[Sprite]] = {t: [] for t in range(s.laid)}
            seats = [[t for t in range(s.laid) if s.rescuers[p] >> t & 1] for p in range(players)]
            for p in range(players):
                standing = [t for k in range(3) if (t := tile_under(sprites, s, sprites[f"rescuer-{p}-{k}"])) is not None]
                assert sorted(standing) == seats[p], shape
            watching = [t for k in range(3) if (t := tile_under(sprites, s, sprites[f"inspector-{k}"])) is not None]
            assert sorted(watching) == [t for t in range(s.laid) if s.inspectors >> t & 1]
            for token in (sprite for i, sprite in sprites.items() if re.fullmatch(r"rescuer-\d-\d|inspector-\d", i)):
                t = tile_under(sprites, s, token)
                if t is None:
                    continue
                side = sprites[f"tile-{t}"].width
                for dx in (-0.5, 0.5):
                    for dy in (-0.5, 0.5):
                        corner = token.x + dx * token.width, token.y + dy * token.height
                        assert depth(triangle(sprites[f"tile-{t}"]), *corner) >= -SLACK * side, token
                for other in homes[t]:
                    apart = abs(token.x - other.x) >= (token.width + other.width) / 2
                    assert apart or abs(token.y - other.y) >= (token.height + other.height) / 2, (token, other)
                homes[t].append(token)


def tile_under(sprites: dict[str, Sprite], s: Any, token: Sprite) -> int | None:
    """The tile on which a token's middle lies, if any."""
    return next((t for t in range(s.laid) if depth(triangle(sprites[f"tile-{t}"]), token.x, token.y) > 0), None)


def test_the_drawing_does_not_depend_on_the_frame() -> None:
    one = position("17 P, 18 B", rescuers={0: [17], 1: [18]})
    two = position("35 P, 36 B", rescuers={0: [35], 1: [36]})
    for (_, _, left), (_, _, right) in zip(scenes(one), scenes(two), strict=True):
        for t in range(2):
            tiles = by_id(left)[f"tile-{t}"], by_id(right)[f"tile-{t}"]
            assert (tiles[0].x, tiles[0].y) == pytest.approx((tiles[1].x, tiles[1].y))


def test_long_layouts_fit() -> None:
    for tiles in (row(17, "PBOGYPBOGPBOG"), "17 P, 33 B, 34 O, 50 G, 51 Y, 67 P, 68 B, 84 O, 85 G, 101 P, 102 B, 118 O, 119 G"):
        s = position(tiles, players=3, rescuers={0: [17]}, inspectors=(17,), deck="P")
        for shape, _, scene in scenes(s):
            check_sprites(scene, shape, ART)


# --- Pieces that are alike ------------------------------------------------------------------------------------


def test_pieces_are_told_apart_without_jumping_much() -> None:
    assert on_tiles(0, 3) == {}
    assert on_tiles(0b1000010, 3) == {1: 1, 0: 6}
    for tiles in range(1 << 13):
        if tiles.bit_count() > 3:
            continue
        standing = on_tiles(tiles, 3)
        assert sorted(standing.values()) == [t for t in range(13) if tiles >> t & 1]
        assert set(standing) <= {0, 1, 2}
        for t in standing.values():
            # A piece on a tile of which it is the favourite stays itself, whoever comes back.
            rest = on_tiles(tiles & ~(1 << t), 3)
            assert all(rest[k] == standing[k] for k in standing if standing[k] % 3 == k and standing[k] != t)


def test_two_players_never_change_places_on_a_tile() -> None:
    alone = position("17 P, 18 B", rescuers={1: [17]}, turn=1)
    both = position("17 P, 18 B", rescuers={0: [17], 1: [17]}, turn=1)
    for (_, _, one), (_, _, two) in zip(scenes(alone, 0), scenes(both, 0), strict=True):
        assert by_id(one)["rescuer-1-0"] == by_id(two)["rescuer-1-0"]


# --- Clicking -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "mode"), SETS)
def test_every_choice_can_be_clicked(players: int, mode: str) -> None:
    for s in positions(players, mode):
        for p in range(players):
            paths = drawn.paths(GAME.veiled(s, p), p)
            assert sorted(paths) == sorted(GAME.legal(s, p))
            assert len(set(paths.values())) == len(paths)
            assert all(len(path) == 1 for path in paths.values())  # so none begins another
            for _, _, scene in scenes(s, p):
                there = by_id(scene)
                assert {i for path in paths.values() for i in path} <= set(there)
                clickable = {i for i in there if re.match(r"(site|do)-", i)}
                greyed = drawn.closed(GAME.veiled(s, p), p)
                assert clickable == {path[0] for path in paths.values() if not path[0].startswith("tile-")} | set(greyed)
                assert {i for i in clickable if there[i].dim} == set(greyed)


def test_the_words_use_places_that_are_printed() -> None:
    for s in positions(3, "basic"):
        for _, _, scene in scenes(s, 0):
            there = by_id(scene)
            assert [there[f"code-{t}"].text for t in range(s.laid)] == [GAME.text.CODES[s.cell[t]] for t in range(s.laid)]
            sites = [int(i.removeprefix("site-")) for i in there if i.startswith("site-")]
            assert [there[f"code-at-{a}"].text for a in sites] == [GAME.text.CODES[a] for a in sites]


def test_all_steps_were_met() -> None:
    met = {step(s) for players, mode in SETS for s in positions(players, mode)}
    assert met >= {kind.name.lower() for kind in Step if kind <= Step.OVER} - {"any_tile", "relocate_from", "relocate_to"}


def test_the_phone_shows_what_one_clicks_first() -> None:
    for s in positions(4, "hard"):
        if GAME.rules.actors(s):
            p = actor(s)
            sprites = by_id(drawn.scene(s, p, "en", "tall"))
            for path in drawn.paths(s, p).values():
                assert sprites[path[0]].y + sprites[path[0]].height / 2 <= 620


# --- Points ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "mode"), SETS)
def test_the_breakdown_adds_up(players: int, mode: str) -> None:
    for s in positions(players, mode):
        for lang in LANGUAGES:
            rows = drawn.breakdown(GAME.veiled(s, -1), lang)
            assert [sum(column) for column in zip(*(points for _, points in rows), strict=True)] == GAME.scores(s)


@pytest.mark.parametrize("end_score", [1, 5, 30, 31, 1000])
def test_any_end_score_can_be_shown(end_score: int) -> None:
    for scores in ((0, 0, 0, 0), (end_score, end_score - 1, 3, 999)):
        s = position("17 P, 18 B, 19 O", players=4, rescuers={0: [17]}, scores=scores, end_score=end_score)
        for shape, _, scene in scenes(s):
            check_sprites(scene, shape, ART)
            assert {f"marker-{p}" for p in range(4)} <= set(by_id(scene))


def test_markers_move_along_the_track() -> None:
    places = []
    for points in range(29):
        s = position("17 P, 18 B", rescuers={0: [17]}, scores=(points, 0))
        sprites = by_id(drawn.scene(s, 0, "en", "wide"))
        places.append(sprites["marker-0"].x)
        space = sprites[f"space-{min(points, 28)}"]
        assert abs(space.x - sprites["marker-0"].x) < space.width / 2
    assert places == sorted(places)
    assert len(set(places)) == len(places)


# --- Pictures and guides --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(drawn.PICTURES))
@pytest.mark.parametrize("lang", LANGUAGES)
def test_pictures_can_be_drawn(name: str, lang: str) -> None:
    s = drawn.PICTURES[name]()
    for shape, _, scene in scenes(s, 0):
        tree = ElementTree.fromstring(draw(scene, ART, GAME.text.board(s, 0, lang)))
        assert tree.tag.endswith("svg"), shape
    assert GAME.rules.actors(s) == 1  # the viewer of pictures decides, so that what can be chosen is seen


def test_the_guides_match() -> None:
    guides = [(GAME.folder / f"guide.{lang}.md").read_text("utf-8") for lang in LANGUAGES]
    pictures = [re.findall(r"!\[[^\]]+\]\(scene:([\w-]+)\)", guide) for guide in guides]
    headings = [re.findall(r"^(#+) ", guide, re.MULTILINE) for guide in guides]
    lists = [len(re.findall(r"^(?:- |\d\. |\|)", guide, re.MULTILINE)) for guide in guides]
    assert pictures[0] == pictures[1]
    assert headings[0] == headings[1]
    assert lists[0] == lists[1]
    assert {GAME.illustrations[name].position for name in pictures[0]} == set(drawn.PICTURES)


def test_what_the_guides_tell_of_the_pictures() -> None:
    s = play(drawn.PICTURES["rescue"](), 19)
    assert s.score[0] - 4 == 6
    s = play(drawn.PICTURES["choice"](), 18)
    assert s.score[0] - 4 == 3
    s = drawn.PICTURES["cleocatra"]()
    assert s.score[1] == 10
    declined = play(s.copy(), DECLINE)
    assert declined.score[1] == 15
    searched = play(s.copy(), SEARCH, 35, 16)
    assert searched.score[1] == 14
    assert drawn.PICTURES["setup"]().step == Step.ACTION1
