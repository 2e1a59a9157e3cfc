"""The drawn table of Maqha: sprites, what is hidden, click paths, points, pictures and guides."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import cache
from typing import Any
from xml.etree import ElementTree

import pytest

from perankh.engine import sets
from perankh.games.maqha import drawing as drawn
from perankh.games.maqha.drawing.layout import plan_of
from perankh.games.maqha.drawing.vessel import inside_of
from perankh.games.maqha.rules.actions import CELL
from perankh.games.maqha.rules.components import CARDS, EYE, KINDS, SEATS, TOKENS
from perankh.games.maqha.rules.state import RuleSet, Step, Vessel
from perankh.scene import SHAPES, Scene, draw

from ..drawing import by_id, check_sprites
from .positions import GAME, laid_out, new, order, place, play, step

LANGUAGES = ("en", "ja")
ART = GAME.folder / "art.svg"
TABLES: dict[str, tuple[int, dict[str, Any]]] = {
    "classic": (2, {}),
    "limited": (4, {"rules": "classic", "classic_limit": "two", "liquid": "mix"}),
    "advanced": (3, {}),
    "four": (4, {"rim_line": "on", "liquid": "whisky"}),
    "tray": (3, {"vessel": "tray"}),
    "live": (4, {"hands": "live"}),
    "real": (4, {"real_vessel": "on", "hands": "live"}),
    "real classic": (3, {"real_vessel": "on", "rules": "classic"}),
    "real tray": (3, {"real_vessel": "on", "vessel": "tray"}),
}


@cache
def positions(name: str) -> tuple[Any, ...]:
    """Positions of random games: every ninth, the last, and the first of each step."""
    players, options = TABLES[name]
    dice = random.Random(len(name))
    found, met = [], set()
    for seed in range(2):
        s = new(players, 60 + seed, **options)
        number = 0
        while GAME.actors(s):
            if number % 9 == 0 or s.step not in met:
                found.append(s.copy())
            met.add(s.step)
            number += 1
            p = dice.choice(GAME.actors(s))
            GAME.rules.apply(s, p, dice.choice([a for a in GAME.legal(s, p) if a < 46]))
        found.append(s.copy())
    return tuple(found)


def scenes(s: Any, viewer: int) -> Iterator[tuple[str, str, Scene]]:
    """The scene of a position in each shape and language."""
    for shape in SHAPES:
        for lang in LANGUAGES:
            yield shape, lang, drawn.scene(GAME.veiled(s, viewer), viewer, lang, shape)


# --- Sprites --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", TABLES)
def test_every_position_is_drawn_well(name: str) -> None:
    for number, s in enumerate(positions(name)):
        viewer = number % (s.players + 1) - 1
        for shape, lang, scene in scenes(s, viewer):
            where = (shape, lang, number, step(s))
            check_sprites(scene, shape, ART, where)
            assert scene.height <= (740 if shape == "wide" else 800)


@pytest.mark.parametrize("name", TABLES)
def test_the_pieces_are_there(name: str) -> None:
    for s in positions(name):
        for _, _, scene in scenes(s, 0):
            ids = set(by_id(scene))
            kinds = KINDS[:1] if s.rules == RuleSet.CLASSIC else KINDS
            for kind, title in enumerate(kinds):
                gone = s.inside[kind] if s.vessel == Vessel.TRAY or s.real_vessel else 0
                assert sum(bool(re.fullmatch(rf"{title}-\d+", i)) for i in ids) == TOKENS[kind] - gone
            if s.rules == RuleSet.ADVANCED:
                up = {f"card-{card}" for card in range(CARDS) if place(s, card) != "deck"}
                assert {i for i in ids if re.fullmatch(r"card-\d+", i)} == up
            assert {f"seat-{p}" for p in range(s.players)} <= ids


@pytest.mark.parametrize("name", TABLES)
def test_cards_and_clicks_lie_beside_each_other(name: str) -> None:
    for s in positions(name):
        for p in GAME.actors(s):
            seen = GAME.veiled(s, p)
            wanted = {path[0] for path in drawn.paths(seen, p).values()}
            for shape, _, scene in scenes(s, p):
                there = [by_id(scene)[i] for i in sorted(wanted)]
                for number, one in enumerate(there):
                    assert shape == "wide" or one.y + one.height / 2 <= 640, one
                    for two in there[:number]:
                        apart = max(abs(one.x - two.x) / (one.width + two.width), abs(one.y - two.y) / (one.height + two.height))
                        assert apart >= 0.48, (one, two)


def test_the_dome_follows_the_reading() -> None:
    s = laid_out("coin1 ankh1 anubis1 coin2 ankh2", 3)
    heights = []
    for reading in (-400, 0, 500, 1500, 3000, 4500):
        s.reading[s.readings - 1] = reading
        sprites = by_id(drawn.scene(GAME.veiled(s, 0), 0, "en", "wide"))
        room = inside_of(plan_of(s, 0, "wide"))
        assert sprites["level"].y == pytest.approx(room.rim - reading / 1000 * room.unit)
        dome = sprites["dome"]
        assert dome.symbol.startswith("dome-water" if reading > 0 else "surface")
        if reading > 0:
            assert dome.y + dome.height / 2 == pytest.approx(room.rim)
            heights.append(dome.height)
            assert dome.height == pytest.approx(reading / 1000 * room.unit)
        assert sprites["band"].height == pytest.approx(2 * s.reading_error / 1000 * room.unit)
    assert heights == sorted(heights)


def test_the_dome_shown_never_falls() -> None:
    s = laid_out("coin1 ankh1 anubis1 coin2 ankh2", 3)
    s.reading[:3], s.reading_at[:3], s.readings = [100, 900, 700], [0, 150, 300], 3
    sprites = by_id(drawn.scene(GAME.veiled(s, 0), 0, "en", "wide"))
    room = inside_of(plan_of(s, 0, "wide"))
    assert sprites["level"].y == pytest.approx(room.rim - 0.9 * room.unit)
    assert "dome 0.90 mm" in " ".join(sprite.text for sprite in sprites.values())


def test_the_mask_lies_on_a_card_that_it_doubles() -> None:
    for name in TABLES:
        for s in positions(name):
            for _, _, scene in scenes(s, 0):
                sprites = by_id(scene)
                if "mask" in sprites:
                    mask = sprites["mask"]
                    doubled = [sprites[f"card-{card}"] for card in sets.members(s.last_lot)]
                    assert any(abs(mask.x - card.x) < card.width / 2 for card in doubled)
                    later = [one for one in scene.sprites if one.id.startswith("card-") and 0 < one.x - doubled[-1].x < 30]
                    assert all(mask.x <= one.x - one.width / 2 + 6 for one in later if one.y == doubled[-1].y)


def test_a_spill_is_seen() -> None:
    for _, _, scene in scenes(drawn.PICTURES["spill"](), 0):
        assert {"puddle", "splash", "stream-0", "stream-1"} <= set(by_id(scene))
    for _, _, scene in scenes(drawn.PICTURES["bids"](), 0):
        assert not {"puddle", "splash"} & set(by_id(scene))


# --- What is hidden -------------------------------------------------------------------------------------------


def sprites_of(scene: Scene) -> list[Any]:
    return [vars(sprite) for sprite in scene.sprites]


def test_nothing_hidden_is_drawn() -> None:
    one = laid_out("coin1 ankh1 anubis1 coin2 ankh2", 4)
    two = one.copy()
    two.vcrit, two.v0 = two.vcrit - 100, two.v0 + 17
    two.deck[10], two.deck[12] = two.deck[12], two.deck[10]
    order(one, "12", "345", "234", "531")
    order(two, "12", "453", "123", "452")
    for (_, _, left), (_, _, right) in zip(scenes(one, 0), scenes(two, 0), strict=True):
        assert sprites_of(left) == sprites_of(right)


def test_answers_are_hidden_until_all_have_answered() -> None:
    one = drawn.PICTURES["pass"]()
    two = one.copy()
    GAME.rules.apply(one, 1, 18)
    GAME.rules.apply(two, 1, 19)
    for (_, _, left), (_, _, right) in zip(scenes(one, 0), scenes(two, 0), strict=True):
        assert sprites_of(left) == sprites_of(right)
        assert by_id(left)["status-1"].symbol == "answered"


def test_sealed_bids_are_turned_over_together() -> None:
    s = laid_out("coin1 ankh1 anubis1 coin2 ankh2", 3)
    order(s, "12", "345", "234")
    for _, _, scene in scenes(s, 0):
        there = by_id(scene)
        assert [there[f"order-{p}-{k}"].symbol for p in (1, 2) for k in range(3)] == ["bid-back-1"] * 3 + ["bid-back-2"] * 3
        assert not any(there[f"order-{p}-{k}"].text for p in (1, 2) for k in range(3))
        assert {"seal-0-0", "seal-0-1", "bid-0-1", "bid-0-2"} <= set(there)
        assert there["hand-1-1"].dim
    play(s, "bid5")
    for _, _, scene in scenes(s, 0):
        there = by_id(scene)
        assert [there[f"order-{p}-{k}"].text for p in (1, 2) for k in range(3)] == list("345234")
        assert not any(i.startswith("seal") for i in there)


def test_the_eye_is_one_piece() -> None:
    for name in ("advanced", "four", "live"):
        for s in positions(name):
            for viewer in range(-1, s.players):
                ids = [sprite.symbol for sprite in drawn.scene(GAME.veiled(s, viewer), viewer, "en", "wide").sprites]
                bid = s.step != Step.BID and s.eye >= 0 and EYE in s.order[s.eye][: s.fixed[s.eye]]
                assert bid or ids.count("bid-eye") >= 1


# --- Clicking -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", TABLES)
def test_every_choice_can_be_clicked(name: str) -> None:
    for s in positions(name):
        for p in range(s.players):
            seen = GAME.veiled(s, p)
            paths = drawn.paths(seen, p)
            assert sorted(paths) == sorted(GAME.legal(s, p))
            assert len(set(paths.values())) == len(paths)
            for path in paths.values():
                assert not any(other != path and other[: len(path)] == path for other in paths.values())
            for _, _, scene in scenes(s, p):
                there = by_id(scene)
                assert {i for path in paths.values() for i in path} <= set(there)
                assert all(there[i].alt for path in paths.values() for i in path)
                buttons = {i for i in (*(path[0] for path in paths.values()), *drawn.closed(seen, p)) if i.startswith("do-")}
                assert {i for i in there if i.startswith("do-")} == buttons


def test_all_steps_were_met() -> None:
    assert {step(s) for name in TABLES for s in positions(name)} >= {s.name.lower() for s in Step if s <= Step.OVER} - {"kind"}


def test_tokens_of_several_kinds_are_chosen_on_the_tray() -> None:
    s = laid_out("coin1 ankh1 anubis1 coin2 ankh2", 3, vessel="tray")
    order(s, "135", "124", "123")
    play(s, "throw")
    assert step(s) == "kind"
    p = s.thrower
    paths = drawn.paths(GAME.veiled(s, p), p)
    assert sorted(path[0].split("-")[0] for path in paths.values()) == ["ankh", "coin"]
    for _, _, scene in scenes(s, p):
        there = by_id(scene)
        assert all(there[path[0]].alt for path in paths.values())
        assert not any(sprite.glow for sprite in scene.sprites)
    play(s, "coin")
    for _, _, scene in scenes(s, p):
        assert [sprite.id for sprite in scene.sprites if sprite.glow] == [paths[29][0]]
        assert {f"cell-{cell}" for cell in range(12)} <= {i for i, sprite in by_id(scene).items() if sprite.symbol == "cell-open"}


def test_a_coin_says_how_many_go_in() -> None:
    s = drawn.PICTURES["classic"]()
    paths = drawn.paths(s, 0)
    for _, _, scene in scenes(s, 0):
        there = by_id(scene)
        assert [there[paths[a][0]].text for a in sorted(paths)] == list("12345")


# --- Points ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", TABLES)
def test_the_breakdown_adds_up(name: str) -> None:
    for s in positions(name):
        for lang in LANGUAGES:
            rows = drawn.breakdown(GAME.veiled(s, -1), lang)
            assert [sum(column) for column in zip(*(points for _, points in rows), strict=True)] == GAME.scores(s)


def test_one_point_is_not_plural() -> None:
    s = order(laid_out("coin1 coin2 anubis1 coin3 ankh2"), "345", "234", "123")
    for codes, text in (("throw", "1 pt"), ("throw all", "3 pts")):
        play(s, codes)
        assert by_id(drawn.scene(GAME.veiled(s, 0), 0, "en", "wide"))["points-0"].text == text


# --- Pictures and guides --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(drawn.PICTURES))
def test_pictures_can_be_drawn(name: str) -> None:
    s: Any = drawn.PICTURES[name]()
    for shape, lang, scene in scenes(s, 0):
        tree = ElementTree.fromstring(draw(scene, ART, GAME.text.board(GAME.veiled(s, 0), 0, lang)))
        assert tree.tag.endswith("svg"), shape
    assert s.step == Step.OVER or 0 in GAME.actors(s)


def test_what_the_guides_tell_of_the_pictures() -> None:
    s = drawn.PICTURES["bids"]()
    assert list(s.winner[:3]) == [0, 2, -1]
    s = drawn.PICTURES["spill"]()
    assert GAME.scores(s) == [6, 5, 2, 4]
    places = [0] * SEATS
    GAME.rules.ranks(s, places)
    assert places == [4, 1, 3, 2]
    assert list(drawn.PICTURES["throw"]().to_go) == [3, 1, 0]
    assert drawn.PICTURES["throw"]().wave > 0
    assert drawn.PICTURES["pass"]().step == Step.HANDS
    assert CELL in drawn.paths(drawn.PICTURES["tray"](), 0)


def test_the_guides_match() -> None:
    guides = [(GAME.folder / f"guide.{lang}.md").read_text("utf-8") for lang in LANGUAGES]
    pictures = [re.findall(r"!\[[^\]]+\]\(scene:([\w-]+)\)", guide) for guide in guides]
    headings = [re.findall(r"^(#+) ", guide, re.MULTILINE) for guide in guides]
    lists = [len(re.findall(r"^(?:- |\d\. |\|)", guide, re.MULTILINE)) for guide in guides]
    assert pictures[0] == pictures[1]
    assert headings[0] == headings[1]
    assert lists[0] == lists[1]
    assert {GAME.illustrations[name].position for name in pictures[0]} == set(drawn.PICTURES)
