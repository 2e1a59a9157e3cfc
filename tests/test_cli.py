"""The command line, run as a person would."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from .conftest import CONNECT_FOUR
from .forked import finished


def perankh(*arguments: str, typed: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    return finished(
        "perankh.cli", *arguments, typed=typed, environment={**os.environ, "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", **environment}
    )


def test_games_are_listed_with_their_options() -> None:
    listed = {game["name"]: game for game in json.loads(perankh("games", "--json").stdout)}
    assert {"mural", "cleocatra"} <= set(listed)
    assert listed["mural"]["title"] == "Nile Mural"
    assert listed["mural"]["players"] == [2, 3, 4]
    assert {option["name"] for option in listed["cleocatra"]["options"]} >= {"mode", "inspector", "turn_limit"}
    shown = perankh("games", "--lang", "ja").stdout
    assert "ナイルの壁画" in shown
    assert "end_score=23  [1～1000]" in shown
    assert "[randomまたは席番号]" in shown
    assert "market_side=A  [A, B]" in shown
    assert "ナイルの壁画" in perankh("games", LC_ALL="ja_JP.UTF-8").stdout
    assert "connect_four" in perankh("games", PERANKH_GAMES=str(CONNECT_FOUR.parent)).stdout
    assert "| `cards.pawn` | 200 | 100 | 0 to 1 |" in perankh("games", "--features").stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("play", "senet"), "there is no game 'senet'"),
        (("simulate", "mural", "--players", "9"), "mural is for 2 to 4 players, not 9"),
        (("simulate", "mural", "--set", "area_map=round"), "option area_map: 'round' is not one of regular, irregular"),
        (("simulate", "mural", "--set", "colour=blue"), "mural has no option colour"),
        (("simulate", "mural", "--set", "area_map"), "write it as option=value"),
        (("simulate", "mural", "--set", "area_map=regular", "--set", "area_map=irregular"), "given twice"),
        (("simulate", "mural", "--games", "0"), "at least 1"),
        (("simulate", "mural", "--players", "2", "--all-players"), "do not go together"),
        (("simulate", "mural", "--games", "many"), "invalid int value: 'many'"),
        (("simulate", "mural", "--seed", "-3"), "is not a whole number from 0"),
        (("simulate", "mural", "--threads", "0"), "--threads must be at least 1"),
        (("simulate", "mural", "--device", "abacus"), "invalid choice: 'abacus'"),
        (("check", "mural", "--only", "manners"), "there is no check 'manners'"),
        (("check", "./nowhere"), "there is no game './nowhere'"),
        (("replay", "nowhere.perankh"), "nowhere.perankh: cannot be read: No such file or directory"),
        (("play", "mural", "--people", "5"), "there are 2 seats"),
        (("sing",), "invalid choice: 'sing'"),
    ],
)
def test_a_bad_request_gets_one_line_that_names_the_cause(arguments: tuple[str, ...], message: str) -> None:
    done = perankh(*arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


@pytest.mark.xdist_group("mural")
@pytest.mark.parametrize("device", ["interpreted", "native"])
def test_simulate_reports_as_json(device: str) -> None:
    done = perankh(
        "simulate", "mural", "--players", "3", "--games", "40", "--set", "area_map=irregular", "--device", device, "--json"
    )
    assert done.returncode == 0, done.stderr
    figures = json.loads(done.stdout)
    assert figures["games"] == 40
    assert figures["moves"] > 40 * 150
    assert figures["moves_per_second"] > 0
    assert figures["options"]["area_map"] == "irregular"
    assert figures["endings"] == {"mural_complete": 40}
    assert figures["violations"] == []
    assert len(figures["seats"]) == 3
    assert sum(seat["win_share"] for seat in figures["seats"]) == pytest.approx(1, abs=0.001)
    assert all(sum(seat["ranks"]) == 40 for seat in figures["seats"])
    assert 150 < figures["length"]["mean"] < 230


@pytest.mark.xdist_group("mural")
def test_simulate_plays_with_every_number_of_players() -> None:
    done = perankh("simulate", "mural", "--all-players", "--games", "20", "--json")
    assert done.returncode == 0, done.stderr
    figures = json.loads(done.stdout)
    assert [run["players"] for run in figures] == [2, 3, 4]
    assert all(run["games"] == 20 and run["compile_seconds"] >= 0 and run["violations"] == [] for run in figures)
    done = perankh("simulate", "mural", "--all-players", "--games", "5")
    assert [f"mural, {n} players" in done.stdout for n in (2, 3, 4)] == [True] * 3
    assert "compiling or loading took" in done.stdout


@pytest.mark.xdist_group("connect_four")
def test_a_violation_is_reported_and_sets_the_status(tmp_path: Path) -> None:
    import shutil

    folder = tmp_path / "faulty"
    shutil.copytree(CONNECT_FOUR, folder)
    rules = folder / "rules.py"
    rules.write_text(rules.read_text("utf-8").replace("s.turn = 1 - p", "s.turn = p"), "utf-8")
    done = perankh("simulate", str(folder), "--games", "3", "--device", "interpreted", "--json")
    assert done.returncode == 1
    assert json.loads(done.stdout)["violations"][0] == {"game": 0, "seed": 0, "move": 1, "what": "the seats take turns"}
    done = perankh("check", str(folder), "--only", "invariants")
    assert done.returncode == 1
    assert "failed" in done.stdout
    assert "the seats take turns" in done.stdout


@pytest.mark.xdist_group("connect_four")
def test_check_can_be_used_on_a_stranger_s_game() -> None:
    done = perankh("check", str(CONNECT_FOUR), "--only", "clauses,words,legal,hidden", "--json")
    assert done.returncode == 0
    assert [outcome["verdict"] for outcome in json.loads(done.stdout)] == ["passed"] * 4


# --- Playing ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize("game", [pytest.param(game, marks=pytest.mark.xdist_group(game)) for game in ("mural", "cleocatra")])
def test_bots_play_a_whole_game_which_can_be_saved_and_replayed(tmp_path: Path, game: str, lang: str) -> None:
    path = tmp_path / "a.perankh"
    done = perankh("play", game, "--players", "4", "--people", "0", "--seed", "5", "--lang", lang, "--save", str(path))
    assert done.returncode == 0, done.stderr
    assert ("The game is over" if lang == "en" else "ゲーム終了") in done.stdout
    replayed = perankh("replay", str(path), "--lang", lang)
    assert replayed.returncode == 0, replayed.stderr
    log = [line for line in done.stdout.splitlines() if line.startswith("  ")]
    assert all(line.strip() in replayed.stdout for line in log[:20])
    assert perankh("replay", str(path), "--at", "3").stdout.count("\n   4. ") == 0
    assert "there is no position 99999" in perankh("replay", str(path), "--at", "99999").stderr


@pytest.mark.xdist_group("connect_four")
def test_a_bot_is_the_same_with_a_cold_and_a_warm_cache(tmp_path: Path) -> None:
    played = []
    for run in ("cold", "warm"):
        path = tmp_path / f"{run}.perankh"
        arguments = ("--people", "0", "--bot", "priest", "--seed", "5", "--save", str(path))
        done = perankh("play", str(CONNECT_FOUR), *arguments, PERANKH_CACHE=str(tmp_path / "cache"))
        assert done.returncode == 0, done.stderr
        played.append(path.read_text("utf-8"))
    assert played[0] == played[1]


@pytest.mark.parametrize(("lang", "text"), [("en", "take back"), ("ja", "手の一覧")])
def test_a_question_mark_gives_help(lang: str, text: str) -> None:
    done = perankh("play", str(CONNECT_FOUR), "--people", "2", "--lang", lang, typed="?\n/help\n/quit\n")
    assert done.stdout.count(text) == 3  # at the start, and each time it is asked for
    moves = [line for line in done.stdout.splitlines() if line.startswith("  a  ")]
    assert len(moves) == 3


@pytest.mark.xdist_group("mural")
def test_a_person_plays_is_refused_takes_back_saves_and_leaves(tmp_path: Path) -> None:
    path = tmp_path / "mine.perankh"
    typed = f"stop\nnonsense\n/board\ndeck\n/u\ndeck\n/save\n{path}\n/q\n"
    done = perankh("play", "mural", "--seed", "3", "--set", "start_player=0", "--name", "Aiko", typed=typed)
    assert done.returncode == 2
    assert "A turn cannot be passed: place at least one card first." in done.stdout
    assert "nonsense is no move of Nile Mural." in done.stdout
    assert "Seed hash 19d8d35c06ab2cb2ae937b5b8dd4c8570a15280b813e6f0c534b258c9954c7c6" in done.stdout
    assert "Saved as" in done.stdout
    assert done.stderr.strip() == "perankh: You left the table before the end."
    assert path.read_text("utf-8").count("deck") == 1


def test_two_people_at_one_keyboard_hand_over_the_screen() -> None:
    done = perankh("play", "mural", "--people", "2", "--seed", "3", "--lang", "ja", typed="deck\nstop\ndeck\n\n/quit\n")
    assert "画面を" in done.stdout
    assert done.stdout.count("手を選ぶ> ") >= 3


def test_connect_four_is_won_by_typing() -> None:
    done = perankh("play", str(CONNECT_FOUR), "--people", "2", typed="a\nb\na\nb\na\nb\na\n")
    assert done.returncode == 0, done.stderr
    assert "1. Red with 1 points" in done.stdout


@pytest.mark.xdist_group("mural")
def test_the_end_of_input_leaves_the_table() -> None:
    done = perankh("play", "mural", typed="")
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
