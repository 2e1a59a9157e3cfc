"""The match file: readable, whole or not there, and sure to notice a change."""

from __future__ import annotations

import hashlib
import os
import random
import re
import stat
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import perankh
from perankh.errors import BadFile, PerankhError
from perankh.match import Match
from perankh.match.file import parse, text_of
from perankh.match.forfeits import Forfeits, places

from ..conftest import CONNECT_FOUR


def some_match(moves: int = 60, game: str = "mural", **options: object) -> Match:
    match = perankh.new(game, players=3, seed=2**90 + 5, names=["Aiko", "", "ベン"], **options)
    luck = random.Random(4)
    while not match.over and len(match.played) < moves:
        match.play(luck.choice(match.moves()))
    return match


def sealed(text: str) -> str:
    """The text with a fitting seal, as a careful forger would make it."""
    body = text.rpartition("seal: ")[0]
    return body + f"seal: {hashlib.sha256(body.encode()).hexdigest()}\n"


@pytest.mark.parametrize("moves", [0, 1, 60, 10_000])
@pytest.mark.parametrize("game", ["mural", "cleocatra"])
def test_a_match_comes_back_as_it_was(tmp_path: Path, game: str, moves: int) -> None:
    match = some_match(moves, game)
    match.save(tmp_path / "a.perankh")
    loaded = perankh.load(tmp_path / "a.perankh")
    assert loaded.state == match.state
    assert loaded.played == match.played
    assert loaded.names == match.names
    assert loaded.options == match.options
    assert loaded.ending == match.ending


def test_options_come_back(tmp_path: Path) -> None:
    match = some_match(30, "mural", area_map="irregular", last_turn_bonus=False, start_player=2)
    match.save(tmp_path / "a.perankh")
    assert perankh.load(tmp_path / "a.perankh").options == match.options


def test_the_file_is_readable_text() -> None:
    text = text_of(some_match(10_000))
    lines = text.splitlines()
    assert lines[:3] == ["perankh match 1", "game: mural", "rules: 1"]
    assert "name 2: ベン" in lines
    assert "option area_map: regular" in lines
    assert any(re.fullmatch(r"[012]: (deck|stop|\d\d)( (deck|stop|\d\d))*", line) for line in lines)
    assert lines[-3] == "ending: mural_complete"
    assert lines[-1].startswith("seal: ")


def test_a_secret_seed_stays_secret_until_it_is_given(tmp_path: Path) -> None:
    match = some_match()
    path = tmp_path / "running.perankh"
    match.save(path, reveal=False)
    assert f"{match.seed:032x}" not in path.read_text("utf-8")
    assert match.seed_hash in path.read_text("utf-8")
    with pytest.raises(BadFile, match="only the hash of its seed"):
        perankh.load(path)
    with pytest.raises(BadFile, match="the seed does not belong to the seed hash"):
        perankh.load(path, seed=match.seed + 1)
    assert perankh.load(path, seed=match.seed).state == match.state


def test_a_game_not_found_by_name_needs_its_folder(tmp_path: Path) -> None:
    match = perankh.new(CONNECT_FOUR, players=2, seed=1)
    match.play("d")
    match.save(tmp_path / "a.perankh")
    with pytest.raises(BadFile, match="there is no game 'connect_four'"):
        perankh.load(tmp_path / "a.perankh")
    assert perankh.load(tmp_path / "a.perankh", game=CONNECT_FOUR).state == match.state
    with pytest.raises(BadFile, match="is a match of connect_four, not of mural"):
        perankh.load(tmp_path / "a.perankh", game="mural")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("perankh match 1", "perankh match 2", "is no match file"),
        ("game: mural", "game: senet", "there is no game 'senet'"),
        ("game: mural", "game mural", "line 2: should be 'game: ...'"),
        ("rules: 1", "rules: 99", "was played under rules version 99 of mural; version 1 is installed"),
        ("rules: 1", "rules: one", "line 3: rules must be a whole number, not 'one'"),
        ("components: ", "components: f", "was played with other components of mural"),
        ("players: 3", "players: 7", "mural is for 2 to 4 players, not 7"),
        ("players: 3", "players: 999999999999", "players must be a whole number"),
        ("name 2", "name 5", "there is no seat 5"),
        ("option area_map: regular", "option area_map: round", "option area_map: 'round' is not one of regular, irregular"),
        ("option area_map: regular", "option sheet: regular", "mural has no option sheet"),
        ("seed: 0", "seed: 1", "the seed does not belong to the seed hash"),
        ("seed: 0", "seed: x", "the seed must be 32 hexadecimal digits"),
        ("moves: 60", "moves: 59", "says 59 moves and holds|does not belong here"),
        ("moves: 60", "moves: 61", "ends where moves should stand"),
        ("moves: 60\n", "moves: 60\n0: castle\n", "'castle' is no move of mural"),
        ("moves: 60\n", "moves: 60\n0: stop\n", "move 1 \\(stop\\): "),
        ("moves: 60\n", "moves: 60\nnothing\n", "is not a line of moves"),
    ],
)
def test_a_broken_file_says_what_is_wrong(old: str, new: str, message: str) -> None:
    text = text_of(some_match())
    assert old in text
    with pytest.raises(BadFile, match=message) as caught:
        parse(sealed(text.replace(old, new, 1)))
    assert "\n" not in str(caught.value)


def test_a_tampered_or_cut_file_is_noticed(tmp_path: Path) -> None:
    text = text_of(some_match())
    path = tmp_path / "a.perankh"
    path.write_text(text.replace("name 2: ベン", "name 2: レン"), "utf-8")
    with pytest.raises(BadFile, match="was changed after it was saved"):
        perankh.load(path)
    path.write_text(text[: len(text) // 2], "utf-8")
    with pytest.raises(BadFile, match="has no seal at its end"):
        perankh.load(path)
    path.write_text("", "utf-8")
    with pytest.raises(BadFile, match="ends where the first line should stand"):
        perankh.load(path)


def test_who_has_resigned_or_lost_on_time_is_in_the_file() -> None:
    match = some_match()
    match.forfeits = Forfeits((2, 0), ended=True)
    text = text_of(match)
    scores = " ".join(map(str, match.scores))
    assert text.splitlines()[-4:-1] == ["resigned: 2 0", "ending: resigned", f"scores: {scores}"]
    loaded = parse(text)
    assert loaded.forfeits == match.forfeits
    assert places(loaded.ranks, loaded.forfeits.seats)[1] == 1
    assert loaded.told_forfeits() == ["ベン, Aiko resigned."]
    assert not loaded.over  # by its rules it could go on
    assert loaded.at(5).forfeits == Forfeits()
    match.forfeits = Forfeits((1,), late=(0,))
    assert text_of(match).splitlines()[-3:-1] == ["resigned: 1", "lost-on-time: 0"]
    assert parse(text_of(match)).told_forfeits("ja") == ["青は投了しました。", "Aikoは時間切れで負けました。"]
    finished = some_match(10_000)
    finished.forfeits = Forfeits((1,))
    assert parse(text_of(finished)).forfeits == Forfeits((1,))  # the others have played on to the end


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("resigned: 3", "should be seats, each of them once"),
        ("resigned: 1 1", "should be seats, each of them once"),
        ("resigned: ", "should be seats, each of them once"),
        ("lost-on-time: x", "should be seats, each of them once"),
        ("ending: resigned\nscores: 0 0 0", "does not belong here"),
        ("resigned: 1\nending: resigned\nscores: 99 0 0", "is not the one the moves lead to"),
        ("resigned: 1\nending: mural_complete", "does not belong here"),
    ],
)
def test_forfeits_that_make_no_sense_are_refused(lines: str, message: str) -> None:
    text = text_of(some_match())
    with pytest.raises(BadFile, match=message):
        parse(sealed(text.replace("seal: ", f"{lines}\nseal: ")))


def test_a_forged_result_is_noticed() -> None:
    text = text_of(some_match(10_000))
    forged = re.sub(r"scores: (\d+)", lambda found: f"scores: {int(found[1]) + 1}", text)
    with pytest.raises(BadFile, match="the recorded result is not the one the moves lead to"):
        parse(sealed(forged))


def test_unreadable_files(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="cannot be read: No such file"):
        perankh.load(tmp_path / "none.perankh")
    with pytest.raises(BadFile, match="cannot be read: Is a directory"):
        perankh.load(tmp_path)
    (tmp_path / "binary").write_bytes(b"\xff\x00\xfe" * 100)
    with pytest.raises(BadFile, match="is not UTF-8 text"):
        perankh.load(tmp_path / "binary")
    with (tmp_path / "huge").open("wb") as file:
        file.truncate(5_000_000)
    with pytest.raises(BadFile, match="is too large"):
        perankh.load(tmp_path / "huge")


def test_nothing_is_written_half(tmp_path: Path) -> None:
    match = some_match()
    path = tmp_path / "a.perankh"
    path.write_text("precious", "utf-8")
    match._names = ("\ud800", "", "")  # cannot be written as UTF-8
    with pytest.raises((BadFile, UnicodeEncodeError)):
        match.save(path)
    assert path.read_text("utf-8") == "precious"
    assert os.listdir(tmp_path) == ["a.perankh"]
    with pytest.raises(BadFile, match="cannot be written"):
        some_match().save(tmp_path / "no such folder" / "a.perankh")


def test_a_saved_file_has_ordinary_rights(tmp_path: Path) -> None:
    some_match().save(tmp_path / "a.perankh")
    (tmp_path / "plain").touch()
    rights = [stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("a.perankh", "plain")]
    assert rights[0] == rights[1]


TEXT = text_of(some_match())


@settings(max_examples=200, deadline=None)
@given(st.integers(0, len(TEXT) - 1), st.text(max_size=3), st.integers(0, 8))
def test_no_damage_gets_through_or_crashes(at: int, inserted: str, cut: int) -> None:
    damaged = TEXT[:at] + inserted + TEXT[at + cut :]
    if damaged == TEXT:
        return
    for text in (damaged, sealed(damaged)):
        assert "\n" not in outcome(text)


def outcome(text: str) -> str:
    """What is said about a file: the error, or nothing if it is a lawful match of its own (another name, say)."""
    try:
        parse(text).verify()
    except PerankhError as error:
        return str(error)
    return ""


def trap(folder: Path) -> Path:
    """A game folder whose rules write a file as soon as they are imported."""
    folder.mkdir()
    (folder / "words.toml").touch()
    (folder / "rules.py").write_text(f"open({str(folder / 'ran')!r}, 'w').close()\n", "utf-8")
    return folder


def test_a_file_never_names_a_folder(tmp_path: Path) -> None:
    """The game in a file is a name. A path in its place is refused before anything in that folder runs."""
    folder = trap(tmp_path / "trap")
    for name in (str(folder), os.path.relpath(folder), f"../../{folder.name}", "/", "", ".", "x" * 5000, f"{folder}/rules"):
        text = sealed(TEXT.replace("game: mural", f"game: {name}"))
        for content in (text, text.replace("\n", "\r\n"), sealed(text.replace("\n", "\r\n"))):
            with pytest.raises(BadFile) as caught:
                parse(content)
            assert len(str(caught.value)) < 300
            (tmp_path / "a.perankh").write_bytes(content.encode())
            with pytest.raises(BadFile):
                perankh.load(tmp_path / "a.perankh")
    assert not (folder / "ran").exists()
    forged = sealed(TEXT.replace("game: mural", f"game: {folder}"))
    with pytest.raises(PerankhError):
        parse(forged, game=folder)  # a path of the caller's is taken, which shows that the trap works
    assert (folder / "ran").exists()


def test_line_ends() -> None:
    assert parse(TEXT.replace("\n", "\r\n")).played == parse(TEXT).played
    assert parse(TEXT.removesuffix("\n")).played == parse(TEXT).played
    for odd in ("\r", "\v", "\f", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029", "\x00"):
        with pytest.raises(BadFile, match="line 2: holds a character that cannot be printed"):
            parse(sealed(TEXT.replace("game: mural\n", f"game: mu{odd}ral\n")))
        with pytest.raises(BadFile, match="line 1: holds a character that cannot be printed"):
            parse(sealed(TEXT.replace("perankh match 1\n", f"perankh match 1{odd}")))


@pytest.mark.parametrize("line", range(1, 12))
def test_a_missing_or_doubled_line_is_noticed(line: int) -> None:
    lines = TEXT.splitlines(keepends=True)
    assert outcome(sealed("".join(lines[: line - 1] + lines[line:]))) or lines[line - 1].startswith(("name", "option"))
    assert outcome(sealed("".join([*lines[:line], *lines[line - 1 :]])))


def test_other_components_are_refused_without_telling_where_ours_are() -> None:
    with pytest.raises(BadFile, match="other components of mural than those installed") as caught:
        parse(sealed(re.sub("components: .*", "components: " + "0" * 64, TEXT)))
    assert "/" not in str(caught.value)
