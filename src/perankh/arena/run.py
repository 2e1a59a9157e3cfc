"""Plays a schedule in worker processes or on a Ray cluster, and writes each result to disk as it arrives."""

from __future__ import annotations

import importlib
import json
import logging
import os
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from perankh.arena.schedule import Plan, Schedule, Setting
from perankh.bots import BOTS, game_at, searcher_of
from perankh.bots.play import play
from perankh.errors import BadFile, BadOption, PerankhError
from perankh.workers import WorkerFailed, WorkerPool, preload

FORMAT = 1
QUEUED = 3  # matches queued for each worker
MATCH_TIMEOUT = 3600.0  # seconds after which a match is taken to hang
SYNC_EVERY = 1.0  # seconds after which results are forced to disk

Row = dict[str, Any]
Progress = Callable[[float], None]


@dataclass(frozen=True)
class Played:
    """A match and how it ended."""

    plan: Plan
    scores: list[int]
    ranks: list[int]
    length: int
    ending: str
    chosen: list[dict[str, int]]  # by seat: how often each action was chosen, by its code; empty if the schedule does not count

    @property
    def shares(self) -> list[float]:
        """The win divided among the seats in first place."""
        return [(rank == 1) / self.ranks.count(1) for rank in self.ranks]


class ArenaFailed(PerankhError):
    """A run that could not continue. The results so far are on disk."""


# --- One match ------------------------------------------------------------------------------------------------------------


def play_plan(plan: Plan) -> Row:
    """Play one match of a schedule; runs in the workers."""
    game = game_at(plan.setting.game)
    began = time.perf_counter()
    bots = [BOTS[name] for name in plan.bots]
    result = play(game, plan.setting.players, dict(plan.setting.options), plan.seed, bots, plan.bot_seed)
    row: Row = {
        "key": plan.key,
        "scores": result.scores,
        "ranks": result.ranks,
        "length": len(result.moves),
        "ending": result.ending,
        "seconds": round(time.perf_counter() - began, 3),
    }
    if plan.counted:
        codes = game.text.CODES
        seats = range(plan.setting.players)
        row["chosen"] = [dict(Counter(codes[action] for q, action in result.moves if q == p)) for p in seats]
    return row


def prepare(settings: Sequence[Setting], progress: Progress) -> None:
    """Compile every game once and keep it on disk, before several processes need it at the same time."""
    first = {setting.game: setting for setting in settings}
    for done, (name, setting) in enumerate(first.items()):
        progress(done)
        game, n = game_at(name), setting.players
        play(game, n, dict(setting.options), 0, [BOTS["random"]] * n, 0)
        searcher_of(game).warm()
    progress(len(first))


# --- Workers --------------------------------------------------------------------------------------------------------------


def in_processes(plans: Iterator[Plan], workers: int) -> Iterator[Row]:
    """Results as they arrive, from worker processes on this machine; the match of a worker that fails is played once more."""
    preload("perankh.bots")
    with WorkerPool(workers) as pool:

        def submit(count: int) -> set[Future[Row]]:
            return {pool.submit(play_plan, plan, timeout=MATCH_TIMEOUT, retry=True) for plan in islice(plans, count)}

        running = submit(workers * QUEUED)
        while running:
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for job in done:
                try:
                    yield job.result()
                except WorkerFailed as error:
                    raise ArenaFailed(f"{error}; run the same command again to continue") from None
                running |= submit(1)


def on_ray(plans: Iterator[Plan], address: str) -> Iterator[Row]:
    """Results as they arrive, from the machines of a Ray cluster."""
    try:
        ray: Any = importlib.import_module("ray")
    except ImportError:
        raise BadOption("--ray needs Ray: pip install 'perankh[arena]'") from None
    try:
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
    except (ConnectionError, ValueError, RuntimeError) as error:
        raise BadOption(f"--ray {address}: {str(error).splitlines()[0]}") from None
    try:
        task = ray.remote(play_plan)
        queued = QUEUED * max(1, int(ray.cluster_resources().get("CPU", 1)))
        running = [task.remote(plan) for plan in islice(plans, queued)]
        while running:
            done, running = ray.wait(running)
            yield from ray.get(done)
            running += [task.remote(plan) for plan in islice(plans, len(done))]
    except ray.exceptions.RayError as error:
        cause = getattr(error, "cause", None)
        raise ArenaFailed(f"Ray: {cause or str(error).splitlines()[0]}; run the same command again to continue") from None
    finally:
        ray.shutdown()


# --- Results on disk ------------------------------------------------------------------------------------------------------


class Results:
    """A file of results: the schedule in the first line, then one match a line."""

    def __init__(self, path: Path, schedule: Schedule) -> None:
        self.path = path
        self.schedule = schedule
        self.header = {"perankh": "arena", "format": FORMAT, **schedule.header()}
        self.rows: dict[str, Row] = {}
        self.total = sum(1 for _ in schedule.matches())
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.exists():
                self._read()
            self.file = path.open("ab")
        except OSError as error:
            raise BadFile(f"{path}: {error.strerror}") from None
        if not self.file.tell():
            self._write(self.header)
        self.synced = time.monotonic()

    def _read(self) -> None:
        """Read the results; an incomplete last line is cut off."""
        whole = self.path.read_bytes()
        kept = whole[: whole.rfind(b"\n") + 1]
        lines = kept.splitlines()
        for number, line in enumerate(lines, 1):
            try:
                row = json.loads(line)
                key = "perankh" if number == 1 else row["key"]
            except (ValueError, KeyError, TypeError):
                raise BadFile(f"{self.path}: line {number} is not a result of an arena") from None
            if number == 1:
                self._compare(row)
            else:
                self.rows[key] = row
        if len(kept) < len(whole):
            os.truncate(self.path, len(kept))

    def _compare(self, found: Any) -> None:
        """Refuse results of another schedule, other bots or other rules."""
        if not isinstance(found, dict) or found.get("perankh") != "arena" or found.get("format") != FORMAT:
            raise BadFile(f"{self.path} is not a file of arena results")
        for what, wanted in self.header.items():
            if found.get(what) != wanted:
                raise BadFile(
                    f"{self.path} holds results of another run: its {what} were {brief(found.get(what))}, now they are "
                    f"{brief(wanted)}; choose another --out, or remove the file"
                )

    def add(self, row: Row) -> None:
        """Add a result; a crash of the machine loses at most SYNC_EVERY seconds of them."""
        self.rows[row["key"]] = row
        self._write(row)
        if time.monotonic() - self.synced > SYNC_EVERY:
            self.sync()

    def _write(self, row: Row) -> None:
        try:
            self.file.write(json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")
            self.file.flush()
        except OSError as error:
            raise ArenaFailed(f"{self.path}: {error.strerror}") from None

    def sync(self) -> None:
        """Force the results to disk."""
        os.fsync(self.file.fileno())
        self.synced = time.monotonic()

    def close(self) -> None:
        """Force the results to disk and close the file."""
        self.sync()
        self.file.close()

    def missing(self) -> list[Plan]:
        """The matches still to be played."""
        return [plan for plan in self.schedule.matches() if plan.key not in self.rows]

    def played(self) -> list[Played]:
        """The matches played so far, in the order of the schedule."""
        found = ((plan, self.rows[plan.key]) for plan in self.schedule.matches() if plan.key in self.rows)
        return [
            Played(plan, row["scores"], row["ranks"], row["length"], row["ending"], row.get("chosen", [])) for plan, row in found
        ]


def brief(value: Any) -> str:
    """A value in an error message."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 120 else text[:117] + "..."


# --- The whole run --------------------------------------------------------------------------------------------------------


def play_missing(results: Results, workers: int = 1, ray: str | None = None, progress: Progress = lambda _: None) -> None:
    """Play the matches that the results lack; `progress` is called with the number of results so far."""
    missing = results.missing()
    done = results.total - len(missing)
    progress(done)
    if missing:
        for row in on_ray(iter(missing), ray) if ray else in_processes(iter(missing), workers):
            results.add(row)
            done += 1
            progress(done)
        results.sync()
