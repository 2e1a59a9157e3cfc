"""The program that takes all figures of a GPU, as far as it can be tested without one: time limits, and what is written of it."""

from __future__ import annotations

import json
import sys
import time
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from .conftest import ROOT

MACHINE = {"cpu": "a processor", "cores": 2, "system": "Linux", "python": "3", "versions": {}, "date": "2030-01-01", "gpu": "G"}
NCU = """==PROF== Connected to process 7
"ID","Kernel Name","smsp__inst_executed.sum","smsp__average_warps_issue_stalled_wait_per_issue_active.ratio",\
"smsp__average_warps_issue_stalled_selected_per_issue_active.ratio",\
"smsp__average_warps_issue_stalled_no_instruction_per_issue_active.ratio","launch__registers_per_thread","device__name"
"","","inst","inst","inst","inst","register/thread",""
"0","run","81,920,000","1.5","9","4.5","128","G"
"""


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(ROOT / "bench")
    monkeypatch.setattr(sys, "argv", ["gpu_results.py"])
    return SimpleNamespace(**{name: import_module(name) for name in ("gpu", "gpu_run", "gpu_results", "results")})


def test_every_part_has_a_time_limit_and_says_what_became_of_it(bench: Any, tmp_path: Path) -> None:
    def part(name: str, code: str, seconds: float = 60) -> Any:
        return bench.gpu_run.Part("group", name, seconds, [sys.executable, "-c", code])

    end = time.monotonic() + 60
    asleep = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'import time; time.sleep(60)'])"
    for tried, what in (
        (part("good", "print(7)"), "done"),
        (part("bad", "raise SystemExit(3)"), "failed with 3"),
        (part("slow", asleep, 6), "out of time"),
        (bench.gpu_run.Part("group", "absent", 60, ["/nowhere/ncu"]), "not started"),
    ):
        assert bench.gpu_run.run(tried, tmp_path, end).startswith(what)
        assert bench.gpu_run.mark(tried, tmp_path).exists() == (what == "done")
    assert (tmp_path / "good.log").read_text() == "7\n"
    assert bench.gpu_run.run(part("late", "print(7)"), tmp_path, time.monotonic() + 1) == "no time left"


def test_every_game_and_player_count_is_measured_and_all_parts_differ(bench: Any, tmp_path: Path) -> None:
    listed = bench.gpu_run.parts(tmp_path, dry=False)
    assert len({part.name for part in listed}) == len(listed)
    assert [part.group for part in listed][-1] == "counters-connect_four"
    pairs = bench.gpu.kinds(bench.gpu.games())
    assert [(game.name, players) for game, players in pairs][:2] == [("mural", 2), ("mural", 4)]
    assert len(pairs) == 11


def test_figures_are_kept_one_by_one_and_measured_once(bench: Any, tmp_path: Path) -> None:
    path = tmp_path / "figures.json"
    kept = bench.gpu.Kept(path, False, {"games": [], "n": 1})
    kept.add("games", {"game": "mural", "players": 2, "steps": 5.0})
    assert json.loads(path.read_text()) == {"games": [{"game": "mural", "players": 2, "steps": 5.0}], "n": 1}
    again = bench.gpu.Kept(path, True, {"games": [], "n": 1})
    assert again.has("games", game="mural", players=2)
    assert not again.has("games", game="mural", players=4)
    assert not bench.gpu.Kept(path, False, {"games": []}).has("games", game="mural", players=2)


def test_what_was_not_measured_is_named_and_the_rest_is_written(
    bench: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    written: dict[str, str] = {}
    monkeypatch.setattr(bench.results, "write", written.__setitem__)
    monkeypatch.setattr(sys, "argv", ["gpu_results.py", str(tmp_path)])
    row = {"game": "mural", "players": 2, "compile": 1.0, "steps": 3e8, "random": 5e9, "observed": 1e9}
    speeds = {"machine": MACHINE, "n": 65_536, "dry": False, "agreement": [], "games": [row]}
    (tmp_path / "speeds-batches.json").write_text(json.dumps(speeds))
    compared = {"machine": MACHINE, "n": 65_536, "agreement": [{"game": "mural", "equal": True, "sets": 9}], "games": []}
    (tmp_path / "compared-batches-mural.json").write_text(json.dumps(compared))
    (tmp_path / "compared-batches-mural.done").touch()
    (tmp_path / "counters-mural-2.log").write_text(NCU)
    (tmp_path / "counters-egizia-2.log").write_text("==ERROR== no permission\n")
    bench.gpu_results.main()
    assert list(written) == ["environments_gpu"]
    text = written["environments_gpu"]
    assert "all 9 sets equal" in text
    assert "| mural | 2 | 300 M | 5 G | 1 G | 1.0 |" in text
    assert "some or all comparisons of egizia; " in text
    assert "comparisons of mural" not in text
    assert "mural with 4; " in text
    assert "| mural | 2 |  |  | 2,000 |  | 128 | no instruction 75%, wait 25% |" in text
    assert "the chapter gpu stays as it is" in capsys.readouterr().out
    (tmp_path / "speeds-batches.json").write_text(json.dumps(speeds | {"dry": True}))
    with pytest.raises(SystemExit, match="dry run"):
        bench.gpu_results.main()
