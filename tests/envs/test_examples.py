"""The examples that learn: a short run of each. tests/documents runs the examples of the document."""

from __future__ import annotations

import json
import runpy
from pathlib import Path
from typing import Any

import pytest
import torch

from perankh.engine.game import game_names
from tests.conftest import CONNECT_FOUR, ROOT

LEARNING = ROOT / "examples" / "learning"


def example(name: str) -> dict[str, Any]:
    return runpy.run_path(str(LEARNING / name))


@pytest.mark.xdist_group("connect_four")
def test_ppo_learns_connect_four() -> None:
    torch.set_num_threads(1)
    ppo, reports = example("ppo.py"), []
    network = ppo["train"](CONNECT_FOUR, updates=10, report=lambda *values: reports.append(values))
    assert [steps for steps, _ in reports] == [512 * 32 * (k + 1) for k in range(10)]
    assert ppo["evaluate"](network, CONNECT_FOUR, n=400) > 0.25


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.xdist_group(name)) for name in game_names()])
def test_ppo_runs_on_every_game(name: str) -> None:
    """One update, with three players; every number that it learns from is finite."""
    torch.set_num_threads(1)
    ppo = example("ppo.py")
    ppo["train"].__globals__.update(GAMES=16, STEPS=8, EPOCHS=1)
    network = ppo["train"](name, 3, updates=1, report=lambda *values: None)
    assert all(torch.isfinite(values).all() for values in network.parameters())


@pytest.mark.xdist_group("connect_four")
def test_the_policy_gradient_in_jax_learns_connect_four() -> None:
    learner = example("jax_policy_gradient.py")
    untrained = learner["evaluate"](learner["train"](CONNECT_FOUR, updates=0), CONNECT_FOUR, n=400)
    assert learner["evaluate"](learner["train"](CONNECT_FOUR, updates=25), CONNECT_FOUR, n=400) > untrained + 0.15


def test_the_table_finds_the_strategy_of_the_heap() -> None:
    learner = example("tabular.py")
    environment, learners = learner["train"](2000)
    assert learner["evaluate"](environment, learners, games=50) == 1


@pytest.mark.xdist_group("connect_four")
def test_search_of_openspiel_beats_random_play() -> None:
    search = example("openspiel_search.py")
    assert search["play"](str(CONNECT_FOUR), simulations=20, games=4) >= 0.5
    assert -1 <= search["play"]("cleocatra", 2, 2, options="end_score=3,turn_limit=6") <= 1
    with pytest.raises(SystemExit, match="hidden information"):
        search["play"]("mural", 1, 1)


@pytest.mark.xdist_group("connect_four")
def test_the_notebook_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    torch.set_num_threads(1)
    monkeypatch.chdir(LEARNING)
    monkeypatch.syspath_prepend(LEARNING)
    cells = [cell for cell in json.loads((LEARNING / "curve.ipynb").read_text("utf-8"))["cells"] if cell["cell_type"] == "code"]
    assert [len(cell["outputs"]) for cell in cells] == [1, 1, 2]  # it is stored with its pictures
    code = "\n".join("".join(cell["source"]) for cell in cells).replace("UPDATES = 80", "UPDATES = 1")
    names: dict[str, Any] = {}
    exec(compile(code, "curve.ipynb", "exec", dont_inherit=True), names)
    assert names["Chart"](names["curve"])._repr_svg_().startswith("<svg")
    assert names["match"].over


@pytest.mark.parametrize("path", sorted(LEARNING.glob("*.py")), ids=lambda path: path.name)
def test_examples_are_short(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) < 150
