"""Editions: a game with other printed numbers plays by them everywhere, and nothing in them is ignored."""

from __future__ import annotations

import os
import pickle
import re
import sys
from collections import Counter
from pathlib import Path
from typing import Any, cast

import pytest

from perankh.bots.levels import decide
from perankh.bots.network import network_of, trained_for
from perankh.engine import game as games
from perankh.engine import native
from perankh.engine.components import names_of_entries
from perankh.engine.editions import EDITION, Edition
from perankh.engine.game import Game, game_at, game_named, game_with
from perankh.engine.printed_text import fill
from perankh.engine.words import LANGUAGES
from perankh.errors import BadComponents
from perankh.match.match import Match
from perankh.web.editions import tried
from perankh.web.printed import corrections

MURAL = game_named("mural")


def in_edition(game: Game, **changes: Any) -> Game:
    """A game with other numbers, whose names are written with two underscores for a dot."""
    return game_with(game, Edition("My box", {name.replace("__", "."): value for name, value in changes.items()}))


@pytest.mark.xdist_group("mural")
def test_a_changed_number_changes_board_rules_native_code_and_fingerprint() -> None:
    other = in_edition(MURAL, turn__first_hand=2, track_points__standard__area__row=[9, 4, 2, 0])
    assert other.components_fingerprint != MURAL.components_fingerprint
    assert MURAL.rules.COMPONENTS.whole("turn", "first_hand", 0, 10) == 1  # the game itself stays as it is
    mine, theirs = (game.new_state(2, 5) for game in (MURAL, other))
    dealt = [sum(game.observation_of(state, 0)) for game, state in ((MURAL, mine), (other, theirs))]
    assert dealt[0] != dealt[1]
    pictures = [game.drawing.scene(game.veiled(state, 0), 0, "en", "wide") for game, state in ((MURAL, mine), (other, theirs))]
    assert repr(pictures[0]) != repr(pictures[1])
    assert MURAL.native.play_games.folder != other.native.play_games.folder  # machine code of its own
    start = other.blank(2)
    report = other.native.run(other.native.series(start, games.seed_words(5), 0), 0, 3)
    base = MURAL.native.run(MURAL.native.series(MURAL.blank(2), games.seed_words(5), 0), 0, 3)
    assert report.tolist() != base.tolist()
    if network_of(MURAL):
        assert "components" in trained_for(other, ())  # the networks leave it to the search


@pytest.mark.parametrize(("points", "sought"), [(20, True), (0, False)])
def test_bots_play_by_the_changed_numbers(points: int, sought: bool) -> None:
    imhotep = in_edition(game_named("imhotep"), pyramid_a__points=[points] * 14)
    state = imhotep.new_state(2, 1, imhotep.box.options | {"start_player": 0})
    for code in ("load-d1", "fetch2"):
        imhotep.apply(state, imhotep.actors(state)[0], imhotep.text.CODES.index(code))
    seen = imhotep.veiled(state, 0).to_bytes()
    played = Counter(imhotep.text.CODES[decide(imhotep.place, seen, 0, "scribe", seed)] for seed in range(8))
    assert (played["sail-d-pyramid"] > 4) == sought


def test_other_processes_find_the_same_game() -> None:
    other = in_edition(MURAL, turn__first_hand=3)
    assert game_at(other.place) is other
    assert pickle.loads(pickle.dumps(Match(other, 2, seed=1))).game is other
    assert Match(other, 2, seed=1) != Match(MURAL, 2, seed=1)


def test_only_the_latest_editions_stay_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "MOST_EDITIONS", 2)
    first, *_ = [in_edition(MURAL, turn__first_hand=number) for number in (4, 5, 6)]
    assert not [name for name in sys.modules if name.startswith(first.package)]
    assert first.new_state(2, 1).players == 2  # whoever has it plays on
    tried = game_with(MURAL, Edition("draft", {"turn.first_hand": 7}), keep=False)
    assert tried.place not in games._editions


def test_machine_code_of_the_latest_editions_alone_stays_on_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native, "KEPT_EDITIONS", 2)
    for age, package in enumerate((f"{EDITION}mural_c", f"{EDITION}mural_b", "mural", f"{EDITION}mural_a")):
        build = tmp_path / package / "search" / "build"
        build.mkdir(parents=True)
        for folder in (build, build.parents[1]):
            os.utime(folder, (10**9 - age, 10**9 - age))
    with native.kept_in(tmp_path / "mural" / "search" / "build"):
        pass  # that of a game takes no edition's place
    assert len(list(tmp_path.iterdir())) == 4
    with native.kept_in(tmp_path / f"{EDITION}mural_b" / "search" / "build"):
        pass
    with native.kept_in(tmp_path / f"{EDITION}egizia_d" / "search" / "build"):
        pass
    assert {folder.name for folder in tmp_path.iterdir()} == {"mural", f"{EDITION}mural_b", f"{EDITION}egizia_d"}


def test_what_an_owner_has_corrected_or_confirmed_is_known_from_the_box() -> None:
    egizia = game_named("egizia")
    assert egizia.components
    other = in_edition(egizia, sphinx__S02__vp=6, sphinx__S03__source="box").components
    assert other
    assert [other.table(f"sphinx.{name}")["source"] for name in ("S02", "S03", "S04")] == ["box", "box", "reconstructed"]
    made, all_ = egizia.components.reconstructed()["sphinx"]
    assert other.reconstructed()["sphinx"] == (made - 2, all_)
    confirmed = in_edition(egizia, sphinx__S03__source="box")
    assert confirmed.components_fingerprint == egizia.components_fingerprint  # no number is another


def test_explanations_say_what_is_reconstructed_until_an_owner_has_confirmed_it() -> None:
    note = MURAL.words.say("explain.reconstructed", "en")
    mine = in_edition(MURAL, area_map__regular__values__A=2)
    told = [game.text.explain(game.new_state(2, 1), "cell-0", 0, "en") for game in (MURAL, mine)]
    assert [note in text for text in told] == [True, False]
    winding = mine.new_state(2, 1, {"area_map": "irregular"})
    assert note in mine.text.explain(winding, "cell-0", 0, "en")  # the other sheet is as it was


def test_every_part_of_a_piece_of_egizia_says_that_it_is_reconstructed() -> None:
    egizia = game_named("egizia")
    note, seen, rules = egizia.words.say("explain.reconstructed", "en"), egizia.new_state(4, 1), cast(Any, egizia.rules)
    for p in range(4):
        egizia.apply(seen, p, egizia.legal(seen, p)[0])  # everybody keeps a Sphinx card; then the tiles are laid
    sprites = [sprite.id for sprite in egizia.drawing.scene(seen, 0, "en", "wide").sprites]
    assert egizia.components
    for tile in range(7):
        source = egizia.components.table(f"nile_tiles.{rules.components.TILE_NAMES[tile]}")["source"]
        told = {
            note in egizia.text.explain(seen, name, 0, "en") for name in sprites if re.match(rf"tile(-[a-z]+)*-{tile}\b", name)
        }
        assert told == {source == "reconstructed"}
    for part in ("level-0-0", "level-cost-0-0", "level-vp-0-0", "statue-0", "statue-icon-0"):
        assert note in egizia.text.explain(seen, part, 0, "en")
    assert note not in egizia.text.explain(seen, "level-waves-1", 0, "en")


def test_a_statue_of_egizia_may_have_numbers_of_its_own() -> None:
    egizia = in_edition(game_named("egizia"), statues__A1__cost=[1, 1, 1, 2], statues__A1__vp=[3, 6, 10, 15])
    numbers = egizia.rules.components
    assert [list(row) for row in numbers.STATUE_COST][:2] == [[1, 1, 1, 2], [1, 2, 3, 4]]
    assert [list(row) for row in numbers.STATUE_VP][:2] == [[3, 6, 10, 15], [2, 5, 9, 14]]


FIVE_SPACES: dict[str, Any] = {
    "statue_types.A.cost": [1, 2, 3, 4, 5],
    "statue_types.A.vp": [1, 3, 6, 10, 15],
    "statue_types.B.cost": [2, 3, 4, 5, 6],
    "statue_types.B.vp": [2, 5, 9, 14, 20],
} | {f"statues.{letter}{number}.least": [1, 2, 3, 4, 5] for letter in "AB" for number in range(1, 6)}


def test_statues_of_egizia_may_have_five_spaces() -> None:
    edition = Edition("My box", FIVE_SPACES)
    tried(game_named("egizia").place, edition)
    egizia = game_with(game_named("egizia"), edition)
    assert {len(row) for row in egizia.rules.components.STATUE_LEAST} == {5}
    seen: Any = egizia.new_state(3, 1)
    seen.strength[0][:], seen.level[0][0] = [9] * 4, 4
    sprites = {sprite.id for sprite in egizia.drawing.scene(seen, 0, "en", "wide").sprites}
    assert "level-0-4" in sprites


def test_a_box_may_hold_other_cards_where_the_rules_take_any_number() -> None:
    """A card taken out, and one that only this box has, which is a table like the others."""
    card = {"kind": "quarry", "value": 2}
    changes: dict[str, Any] = {"nile.deck_12.N12-01": None} | {f"nile.deck_12.N12-23.{key}": of for key, of in card.items()}
    edition = Edition("My box", changes)
    tried(game_named("egizia").place, edition)
    egizia = game_with(game_named("egizia"), edition)
    assert egizia.components
    assert egizia.components.table("nile.deck_12.N12-23") == {"source": "box", "kind": "quarry", "value": 2}
    numbers = egizia.rules.components
    assert "N12-01" not in numbers.CARD_NAMES
    assert numbers.CARD_VALUE[numbers.CARD_NAMES.index("N12-23")] == 2
    assert egizia.components_fingerprint != game_named("egizia").components_fingerprint
    told = {name: value for name, value, _ in corrections(game_named("egizia"), egizia, "en")}
    assert told["Nile cards · rounds 1 and 2 · N12-01 · Quarry 3"] == "-"
    assert told["Nile cards · rounds 1 and 2 · N12-23 · Quarry 2 · value"] == "2"
    with pytest.raises(BadComponents) as caught:
        tried(game_named("egizia").place, Edition("My box", {"colonnade_tiles.G4": None}))
    assert (caught.value.table, caught.value.reason["en"][:10]) == ("colonnade_tiles.G4", "The guide ")


@pytest.mark.parametrize("changes", [{"nile_tiles.NT1": None}, {"nile_tiles.NT9.effect": ["stones 1"]}])
def test_a_number_of_tiles_that_does_not_fit_is_refused_at_its_table(changes: dict[str, Any]) -> None:
    with pytest.raises(BadComponents) as caught:
        game_with(game_named("egizia"), Edition("My box", changes), keep=False)
    assert caught.value.table == "nile_tiles"


@pytest.mark.parametrize(("group", "like", "word"), [("statues", "A1", "A"), ("colonnade_tiles", "G1", "G")])
def test_more_pieces_than_a_set_of_bits_holds_are_refused(group: str, like: str, word: str) -> None:
    components = game_named("egizia").components
    assert components
    printed = {key: value for key, value in components.table(f"{group}.{like}").items() if key not in ("source", "note")}
    changes = {f"{group}.{word}{number}.{key}": value for number in range(100, 161) for key, value in printed.items()}
    with pytest.raises(BadComponents, match="more than 60") as caught:
        game_with(game_named("egizia"), Edition("My box", changes), keep=False)
    assert caught.value.table == group


def test_an_icon_of_egizia_may_lower_a_crew() -> None:
    """The icons of the rulebook: an arrow down beside a crew, and beside the sign of any crew."""
    effects = ["crew green -1", "crew any -1"]
    egizia = in_edition(game_named("egizia"), nile_tiles__NT1__effect=effects)
    assert egizia.edition
    tried(game_named("egizia").place, egizia.edition)
    rules: Any = egizia.rules
    text: Any = egizia.text
    tile = rules.components.CARDS + rules.components.TILE_NAMES.index("NT1")
    for green, others, left, choices in ((4, 3, 3, ["green", "blue", "yellow"]), (1, 3, 1, ["blue", "yellow"]), (2, 1, 1, [])):
        state: Any = egizia.new_state(2, 1)
        for p in range(2):
            egizia.apply(state, p, egizia.legal(state, p)[0])
        p = egizia.actors(state)[0]
        state.strength[p][:] = [green, others, others, 1]
        rules.effects.begin_effect(state, tile, 1)
        for _ in range(2):
            rules.effects.next_part(state, p)
        assert state.strength[p][0] == left
        asked = state.step == rules.state.Step.LOWER
        assert [egizia.text.CODES[a] for a in egizia.legal(state, p)] == choices if choices else not asked
        if choices:
            assert egizia.text.prompt(state, p, "en") == "Green crew -1, any crew -1: lower which crew by 1?"
    told = text.names.tile_text(rules.components.TILE_NAMES.index("NT1"), "en")
    assert "lower the green crew by 1, but not below 1" in told


REFUSED = [
    ("egizia", "statues.A1.cost", [1, 1, 1, 1, 1], "4 numbers are needed, not 5."),  # five spaces, of one statue only
    ("egizia", "statue_types.A.cost", [1, 2, 3, 4, 5, 6], "a statue has 1 to 5 spaces"),
    ("egizia", "docks.spaces", 4, "4 cannot be played: the rules are made for 3."),
    ("egizia", "nile_tiles.NT1.effect", ["crew other -1"], "goes down by 1"),
    ("egizia", "nile.deck_12.N12-01.colour", "red", "This has no meaning here and would be ignored"),
    ("egizia", "sphinx.S02.vpp", 3, "This has no meaning here and would be ignored"),
    ("egizia", "sphinx.S02.vp", None, "A value is needed."),
    ("egizia", "sphinx.S02.measure", "camels", "measure must be one of"),
    ("egizia", "pyramid.two.light", [3, 2, 2, 1, 2], "more spaces than a row"),
    ("egizia", "sphinx.T31.vp", 3, "there is no such table"),
    ("imhotep", "cards.idol2.points", 3, "there is no such table"),
    ("mural", "area_map.regular.rows", ["A" * 10] * 10, "has no cell"),
    ("mural", "cards.count", 99, "99 cannot be played: the rules are made for 100."),
    ("mural", "turn.first_hand", "two", "'two' is not a whole number."),
    ("imhotep", "round_cards.two.R2-1", [4, 4, 4, 4], "not enough"),
    ("cleocatra", "tiles.colours", ["red", "blue", "orange", "green", "yellow"], "colours are purple"),
    ("maqha", "profile.radius", [0, 200, 400, 500, 600, 700, 800, 850, 900, 950, 999], "symbols of the dome"),
]


@pytest.mark.parametrize(("name", "entry", "value", "reason"), REFUSED, ids=[f"{row[0]} {row[1]}" for row in REFUSED])
def test_what_cannot_be_played_is_refused_at_its_entry(name: str, entry: str, value: Any, reason: str) -> None:
    with pytest.raises(BadComponents) as caught:
        game_with(game_named(name), Edition("My box", {entry: value}), keep=False)
    assert f"{caught.value.table}.{caught.value.key}" == entry
    assert reason in caught.value.reason["en"]
    assert not caught.value.reason["ja"].isascii()
    assert all("components.toml" not in caught.value.reason[lang] for lang in LANGUAGES)  # nothing about the disk


@pytest.mark.parametrize("name", ["mural", "cleocatra", "imhotep", "egizia", "maqha"])
def test_every_entry_is_read_by_the_rules(name: str) -> None:
    components = game_named(name).components
    assert components
    assert set(names_of_entries(components.tables)) <= components.read


@pytest.mark.parametrize(
    "facts",
    [
        None,
        {"name": "x"},
        {"name": "", "changes": {}},
        {"name": "x" * 41, "changes": {}},
        {"name": "a\nb", "changes": {}},
        {"name": "x", "changes": {"a b": 1}},
        {"name": "x", "changes": {"a.b": True}},
        {"name": "x", "changes": {"a.b": 1.5}},
        {"name": "x", "changes": {"a.b": 10**9}},
        {"name": "x", "changes": {"a.b": "x" * 81}},
        {"name": "x", "changes": {"a.b": [1, "x"]}},
        {"name": "x", "changes": {"a.b": list(range(61))}},
        {"name": "x", "changes": {"a.b": {"c": 1}}},
        {"name": "x", "changes": {f"a.b{n}": 1 for n in range(1001)}},
    ],
)
def test_what_is_no_edition_is_refused(facts: Any) -> None:
    with pytest.raises(BadComponents, match="edition: "):
        Edition.of(facts)


@pytest.mark.parametrize(
    "changes",
    [{"a.b": 1}, {"turn": 1}, {"turn.note": "x"}, {"turn.source": "rulebook"}, {"turn.first_hand.x": 1}, {"cards": None}],
)
def test_changes_must_fit_the_tables(changes: Any) -> None:
    with pytest.raises(BadComponents):
        game_with(MURAL, Edition("x", changes), keep=False)


def test_texts_of_the_table_follow_other_numbers() -> None:
    imhotep = in_edition(game_named("imhotep"), rounds__count=4, temple_a__points=[3, 3, 2, 2, 2], obelisk_b__stones=4)
    for lang, words in (("en", r"\b(six|three|1 for)\b"), ("ja", "6ラウンド|3個|1点")):
        seen = imhotep.new_state(2, 1)
        told = [imhotep.words.say(key, lang) for key in ("ending.six_rounds", "option.obelisk_side.help")]
        told.append(imhotep.text.explain(seen, "cell-t-0", 0, lang))
        assert all(told)
        assert not [text for text in told if re.search(words, text)]


def test_guides_follow_other_numbers() -> None:
    game = game_named("egizia")
    assert game.components
    first, second, *rest = game.components.tables["river"]["locations"]
    egizia, imhotep = (
        in_edition(game, river__locations=[second, first, *rest]),
        in_edition(game_named("imhotep"), temple_b__card=[1, 0, 0, 0, 1]),
    )
    for lang, between in (("en", ", "), ("ja", "、")):
        guides = [fill(one, (one.folder / f"guide.{lang}.md").read_text("utf-8"), lang) for one in (egizia, imhotep)]
        assert between.join((second, first, *rest)) in guides[0]
        assert "| 1 | 0 | 0 | 0 | 1 |" in guides[1]
