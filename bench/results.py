"""How results are described and written into RESULTS.md."""

from __future__ import annotations

import datetime
import math
import os
import platform
import re
import statistics
import sys
import sysconfig
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

LATENCY = ("game", "players", "decisions", "median_ms", "p99_ms", "p99_processor_ms", "most_ms")
RESULTS = Path(__file__).with_name("RESULTS.md")
QUOTED = re.compile(r"(<!-- rows of bench/RESULTS\.md -->)\n(.*?)\n(<!-- /rows -->)", re.DOTALL)
HEAD = """# Benchmarks

Written by the programs of this folder with `--write`; do not edit by hand. Moves a second are those of plain random play, with
nothing watched: choose a legal action at random, carry it out, begin anew when a game is over.

<!-- cpu -->
<!-- /cpu -->

<!-- gpu -->
<!-- /gpu -->

<!-- environments -->
<!-- /environments -->

<!-- environments_gpu -->
<!-- /environments_gpu -->

<!-- web -->
<!-- /web -->

<!-- peers_web -->
<!-- /peers_web -->

<!-- cluster -->
<!-- /cluster -->

<!-- stored -->
<!-- /stored -->

<!-- stored_postgresql -->
<!-- /stored_postgresql -->

<!-- newcomer -->
<!-- /newcomer -->

<!-- bots -->
<!-- /bots -->

<!-- hints -->
<!-- /hints -->

<!-- analysis -->
<!-- /analysis -->
"""


def spread(values: list[float]) -> dict[str, float]:
    """The median of some rounds, with the least and the most."""
    return {"median": statistics.median(values), "low": min(values), "high": max(values)}


def machine(packages: tuple[str, ...]) -> dict[str, Any]:
    """What the figures were taken on."""
    versions = {}
    for package in packages:
        try:
            versions[package] = version(package)
        except PackageNotFoundError:
            continue
    return {
        "cpu": cpu_model(),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version() + ("" if is_optimised() else " (built without --enable-optimizations)"),
        "versions": versions,
        "date": datetime.date.today().isoformat(),
        "command": " ".join(
            [
                "python",
                *("ADDRESS" if "://" in word else word for word in sys.argv if not word.startswith("/") and word != "--json"),
            ]
        ),
    }


def is_optimised() -> bool:
    """Was Python built with optimisation, as systems build theirs? Without it, programs take up to twice the time."""
    return sys.base_prefix == "/usr" or "--enable-optimizations" in (sysconfig.get_config_var("CONFIG_ARGS") or "")


def cpu_model() -> str:
    """The name of the processor."""
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def load() -> float:
    """How many processes were running in the last minute."""
    return round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else 0.0


def rate(moves: float) -> str:
    """Moves a second for eyes: 3 figures and a unit."""
    for size, unit in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if moves >= size:
            return f"{moves / size:.3g}{unit}"
    return f"{moves:.3g}"


def rates(measured: dict[str, float]) -> str:
    """A median and its spread."""
    return f"{rate(measured['median'])} ({rate(measured['low'])} to {rate(measured['high'])})"


def times(measured: dict[str, float]) -> str:
    """A ratio and its spread."""
    median, low, high = (f"{value:,.0f}" if value >= 100 else f"{value:.3g}" for value in measured.values())
    return f"{median}x ({low} to {high})"


def table(*rows: tuple[str, ...]) -> str:
    """A Markdown table, the first row its head."""
    head, *body = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join([head, "|" + "---|" * len(rows[0]), *body])


def described(found: dict[str, Any]) -> str:
    """A run in Markdown: when, what, where."""
    return f"{found['date']}, `{found['command']}`. {place(found)}"


def place(found: dict[str, Any]) -> str:
    """The machine in Markdown."""
    versions = ", ".join(f"{name} {number}" for name, number in found["versions"].items())
    gpu = f"{found['gpu']}; " if "gpu" in found else ""
    return f"Machine: {gpu}{found['cpu']}, {found['cores']} cores, {found['system']}; Python {found['python']}, {versions}."


def cpu_part(result: dict[str, Any]) -> str:
    """The CPU chapter."""
    before, after = result["load"]
    games = table(
        ("game", "players", "interpreted", "native"),
        *((row["game"], str(row["players"]), rates(row["interpreted"]), rates(row["native"])) for row in result["games"]),
    )
    peers = table(
        ("Connect Four on one core", "moves a second", "ours / this", "how"),
        ("Per-Ankh, native", rates(result["ours"]), "", "one thread of machine code"),
        *((row["name"], rates(row["rate"]), times(row["ratio"]), row["how"]) for row in result["peers"]),
    )
    missing = "".join(f"\n\nNot measured: {row['name']} ({row['why']})." for row in result["missing"])
    return (
        f"## CPU\n\n{described(result['machine'])}\n\nMoves a second on one core. Medians of {result['rounds']} rounds of "
        f"{result['seconds']} s, least and most in brackets; in each round every contestant has its turn, pinned to the "
        f"same core. Seconds are those of the processor, so that other work on the machine hardly counts. Load of the machine "
        f"before and after: {before}, {after}.\n\n{games}\n\n{peers}{missing}"
    )


def pgx_table(pgx: dict[str, Any]) -> str:
    """Connect Four here and in pgx on a GPU."""
    seen = "every observation made" if pgx["observed"] else "no observations"
    return table(
        (f"Connect Four, {pgx['batch']:,} games, {seen}", "moves a second", "ours / this"),
        ("Per-Ankh, CUDA", rates(pgx["ours"]), ""),
        (f"pgx on the {pgx['platform']}", rates(pgx["rate"]), times(pgx["ratio"])),
    )


def gpu_part(result: dict[str, Any]) -> str:
    """The GPU chapter."""
    batches = result["batches"]
    games = table(
        ("game", "players", *(f"{batch:,} games" for batch in batches)),
        *((row["game"], str(row["players"]), *(rate(row["rates"][str(batch)]) for batch in batches)) for row in result["games"]),
    )
    sets, games_each = len(result["agreement"]), result["compared"]
    wrong = [row for row in result["agreement"] if not row["equal"]]
    verdict = f"{len(wrong)} of {sets} sets DIFFER" if wrong else f"all {sets} sets equal" if sets else "not measured"
    peer = "".join("\n\n" + pgx_table(pgx) for pgx in sorted(result["pgx"], key=lambda pgx: bool(pgx["observed"])))
    return (
        f"## GPU\n\n{described(result['machine'])}\n\nCUDA against native, bit for bit, {games_each:,} games for each "
        f"player count and option set, a digest of every state compared: {verdict}.{not_measured(result)}\n\n{games}{peer}"
    )


def not_measured(result: dict[str, Any]) -> str:
    """What is missing in a chapter, if anything is."""
    missing = result.get("missing", [])
    return f" Not measured: {'; '.join(missing)}." if missing else ""


def environments_part(result: dict[str, Any]) -> str:
    """The chapter on batches on the CPU."""
    sizes = result["sizes"]
    before, after = result["load"]
    games = table(
        ("game", "players", *(f"{n:,} game{'s' if n > 1 else ''}" for n in sizes)),
        *((row["game"], str(row["players"]), *(rates(row["rates"][str(n)]) for n in sizes)) for row in result["games"]),
    )
    peers = table(
        ("Connect Four on one core", "games", "steps a second", "ours, same round", "ours / this"),
        *((row["name"], f"{row['n']:,}", rates(row["rate"]), rates(row["ours"]), times(row["ratio"])) for row in result["peers"]),
    )
    missing = "".join(f"\n\nNot measured: {row['name']} ({row['why']})." for row in result["missing"])
    return (
        f"## Batches on the CPU\n\n{described(result['machine'])}\n\nSteps a second on one core, called from Python: a random "
        f"choice, the step, masks and observations of all games. Medians of {result['rounds']} rounds of {result['seconds']} s "
        f"of processor time, least and most in brackets. Load of the machine before and after: {before}, {after}."
        f"\n\n{games}\n\n{peers}{missing}"
    )


def environments_gpu_part(result: dict[str, Any]) -> str:
    """The chapter on batches on the GPU."""
    wrong = [row for row in result["agreement"] if not row["equal"]]
    count = sum(row["sets"] for row in result["agreement"])
    verdict = f"{len(wrong)} of {len(result['agreement'])} batches DIFFER" if wrong else f"all {count} sets equal"
    if not count:
        verdict = "not measured"
    games = table(
        ("game", "players", "steps, actions from torch", "random play", "random play, observed", "first launch, s"),
        *(
            (
                row["game"],
                str(row["players"]),
                rate(row["steps"]) if row["steps"] else "",
                rate(row["random"]),
                rate(row["observed"]),
                f"{row['compile']:.1f}",
            )
            for row in result["games"]
        ),
    )
    return (
        f"## Batches on the GPU\n\n{described(result['machine'])}\n\nCUDA against native, every array of every step, for each "
        f"player count and option set: {verdict}. {result['n']:,} games; the first launch compiles the kernel or loads it from "
        f"disk.{not_measured(result)}\n\n{games}{counters_table(result.get('counters', []))}"
    )


def counters_table(rows: list[dict[str, Any]]) -> str:
    """What bounds the kernels of batches, as the GPU counts it."""

    def figure(value: float | None, form: str) -> str:
        return "" if value is None else format(value, form)

    if not rows:
        return ""
    return (
        "\n\nCounters of Nsight Compute in one launch of random play. Threads: those of a warp that are active, of 32. "
        "Warps: those that are there, of the most that a multiprocessor holds. Instructions: of a warp for a step.\n\n"
    ) + table(
        ("game", "players", "threads", "warps", "instructions", "issued a cycle and scheduler", "registers", "most stalls"),
        *(
            (
                row["game"] + (", observed" if row["observed"] else ""),
                str(row["players"]),
                figure(row["threads"], ".1f"),
                figure(row["occupancy"], ".0f") + (" %" if row["occupancy"] is not None else ""),
                figure(row["instructions"], ",.0f"),
                figure(row["issued"], ".2f"),
                figure(row["registers"], ".0f"),
                ", ".join(f"{name.replace('_', ' ')} {share:.0%}" for name, share in row["stalls"].items()),
            )
            for row in rows
        ),
    )


def web_part(figures: dict[str, Any], seconds: float) -> str:
    """The chapter on the load of the web server."""
    columns = {
        "moves a second": "moves_per_second",
        "views a second": "views_per_second",
        "stored: median ms": "stored_p50_ms",
        "99th percentile ms": "stored_p99_ms",
        "view: median ms": "view_p50_ms",
        "99th percentile ms ": "view_p99_ms",
        "worst ms": "view_worst_ms",
        "refused": "refused",
        "lost connections": "lost_connections",
    }
    return "\n\n".join(
        [
            "## The web server",
            described(machine(("perankh", "fastapi", "uvicorn", "sqlalchemy"))),
            f"A real server and {figures['people']} people at {figures['tables']} tables of {figures['game']} on one machine, "
            f"over WebSockets, for {seconds:g} s. Times are from sending a move until the answer that it is stored, "
            "and until the mover has the view that shows it. "
            f"Other work took {figures['processors_used_by_others']} of the {figures['processors']} cores meanwhile.",
            table(tuple(columns), tuple(str(figures[name]) for name in columns.values())),
        ]
    )


def peers_web_part(found: dict[str, Any], seconds: float, rounds: int) -> str:
    """The chapter on the web server beside boardgame.io's."""
    columns = {
        "moves a second": ("moves_per_second", 0),
        "until the mover has the view: median ms": ("p50_ms", 0),
        "99th percentile ms": ("p99_ms", 0),
        "until both have it: 99th percentile ms": ("p99_all_ms", 0),
        "processor ms a move": ("processor_ms_a_move", 2),
        "server": ("server_ms_a_move", 2),
        "drawing": ("drawing_ms_a_move", 2),
        "database": ("database_ms_a_move", 2),
        "bytes a move to a client": ("bytes_a_move", 0),
    }
    rows, ratios = [], []
    for count, measured in found["tables"].items():
        for name, figures in measured["figures"].items():
            rows.append((str(count), name, *(f"{figures[key]:,.{digits}f}" for key, digits in columns.values())))
        for name, ratio in measured["ratios"].items():
            ratios.append((str(count), name, f"{ratio['moves_per_second']:.1f}", f"{ratio['processor_time']:.1f}"))
    half = found["half"]
    return "\n\n".join(
        [
            "## The web server beside boardgame.io",
            described(machine(("perankh", "uvicorn", "sqlalchemy"))),
            f"Two clients a table, each moving as soon as it may; medians of {rounds} rounds of {seconds:g} s in which the "
            "servers took turns. Ours stores a move before it answers, words and draws every view; boardgame.io 0.50.2 has a "
            "state of 32 KB with a player view, and draws nothing. "
            f"Load of the machine before and after: {found['load_before']}, {found['load_after']}; where others work too, the "
            "processor time says more than the moves a second.",
            table(("tables", "", *columns), *rows),
            "PostgreSQL has processes of its own and does not wait for the disk here; SQLite does, and is in the server, as "
            "FlatFile is. "
            "Ours with SQLite against the others, in the same run (above 1: ours is better):",
            table(("tables", "server", "moves a second", "processor time a move"), *ratios),
            f"At half of that speed ({half['moves_per_second']:.0f} moves a second at 60 tables) the mover has the view after "
            f"{half['p50_ms']:.0f} ms in the median and {half['p99_ms']:.0f} ms at the 99th percentile; both have it after "
            f"{half['p99_all_ms']:.0f} ms at the 99th percentile.",
        ]
    )


def cluster_part(figures: dict[str, Any], wrong: dict[str, int]) -> str:
    """The chapter on several servers that are killed. `wrong`: what must not happen, by kind."""
    names = {
        "matches": "matches played to their end",
        "with_bots": "of them with a bot",
        "answered_moves": "moves that were answered",
        "resent_moves": "of them sent again, because the answer was lost",
        "reconnects": "connections made anew",
        "positions_seen": "positions shown, by number and viewer",
        "stored_moves": "moves stored, with those of bots",
        "not_over": "matches that did not end",
        "missing": "answered moves that are missing",
        "doubled": "moves made twice",
        "unknown": "stored moves that nobody made",
        "not_verified": "match files that do not verify",
        "false_positions": "positions shown that did not happen",
    }
    troubles = figures["server_kills"] + figures["cuts"]
    return "\n\n".join(
        [
            "## Several servers that are killed",
            described(machine(("perankh", "uvicorn", "sqlalchemy", "psycopg"))),
            f"{figures['servers']} servers on one PostgreSQL database behind HAProxy, which sends every connection to any of "
            f"them, and {figures['clients']} clients, all on one machine, for {figures['seconds']:,.0f} s. Every "
            f"{figures['seconds'] / max(1, troubles):.0f} s something was broken: {figures['server_kills']} times a server was "
            f"killed and started again, {figures['cuts']} times all connections to the database were cut; "
            f"{'once' if figures['rolling_restarts'] == 1 else figures['rolling_restarts']} all servers were restarted in turn. "
            f"Load of the machine before and after: {figures['load_before']}, {figures['load_after']}.",
            table(("", "number"), *((said, f"{(figures | wrong)[name]:,}") for name, said in names.items())),
        ]
    )


def stored_part(found: dict[str, Any], matches: int, database: str) -> str:
    """The chapter on stored matches."""
    few, many = found["few"], found["many"]
    names = {
        "start_s": "start of a server, s",
        "open_table_ms": "opening a table",
        "home_page_ms": "home page",
        "public_tables_ms": "public tables",
        "new_table_ms": "a new table",
        "own_tables_ms": "own tables, over HTTP",
        "own_of_a_person_ms": "own tables of somebody with many, in the database",
        "quota_ms": "how many tables somebody has",
        "clocks_ms": "a look at all clocks",
        "alerts_ms": "whose turn it is, of all who can be called",
        "retention_ms": "a look for tables that are too old",
        "to_archive_ms": "a look for matches without an archive",
        "listed_by_host_ms": "the host's list",
        "running_for_host_ms": "the host's list of running matches",
        "admin_list_command_ms": "`perankh admin list` as a command",
    }

    def shown(figure: Any) -> str:
        return f"{figure['median']:g} ({figure['worst']:g})" if isinstance(figure, dict) else f"{figure:g}"

    rows = [(said, shown(few[name]), shown(many[name])) for name, said in names.items()]
    return "\n\n".join(
        [
            f"## Stored matches: {database}",
            described(machine(("perankh", "sqlalchemy"))),
            f"A database with {matches:,} matches that are over ({many['rows']['moves']:,} moves), and a thousandth of that of "
            "matches in play with a clock of days and of tables that wait, beside one with a few. Milliseconds, the median and "
            f"in brackets the worst of some rounds. Load of the machine: {load()}.",
            table(("", "a few matches (SQLite)", f"{matches:,} matches"), *rows),
        ]
    )


def bots_part(figures: dict[str, Any]) -> str:
    """The chapter on the bots."""
    lines = ["## The bots"]
    if "levels" in figures:
        lines += [
            "### Levels that play by networks",
            "Of the opponents of the next lower level, how many percent each level leaves behind, with two and with four "
            "players; a tie counts half. 900 matches each, with the usual options, from the run that found the levels; "
            "with four players in Cleocatra and Nile Mural 400, where the temperatures were set by hand. Since then levels leave "
            "out the absurd moves of Maqha and Egizia that docs/bots.md names; the duels of these two games below are newer.",
            levels_table(figures["levels"]["figures"]),
            "Played by these runs:",
            several(figures["levels"]["runs"]),
        ]
    if "strength" in figures:
        rows = figures["strength"]["figures"]
        lines += [
            "### Strength",
            "One bot against another on all other seats, every deal played from every seat. Searching bots run all their "
            "iterations on one thread, whatever the time. The error is half a 95 % interval over deals; in brackets the "
            "number of matches. Where a bot has changed since a run, its duels were played anew and the old ones left out.",
            "Of the opponents at the table, how many percent were left behind; a tie counts half, a half is fair:",
            duel_table(rows, "ahead"),
        ]
        if several_opponents := [row for row in rows if row["players"] > 2]:
            lines += [
                "With four players, matches won, a shared win shared; a quarter is fair:",
                duel_table(several_opponents, "won"),
            ]
        lines += ["Played by these runs:", several(figures["strength"]["runs"])]
    if "speed" in figures:
        lines += [
            "### Speed",
            *map(described, figures["speed"]["runs"]),
            "Search iterations (a world drawn, played to its end and backed up) a second, from the deal.",
            table(
                ("game", "players", "one thread", "two threads"),
                *(
                    (row["game"], str(row["players"]), rate(row["threads_1"]), rate(row["threads_2"]))
                    for row in figures["speed"]["figures"]
                ),
            ),
        ]
    if "openspiel" in figures:
        lines += [
            "### Against OpenSpiel",
            *map(described, figures["openspiel"]["runs"]),
            "Against OpenSpiel's own search with random rollouts and its solver, two players, the same processor time a move, "
            "one thread each. Playouts a second are those of a search from the first position that takes as long as one in a "
            "match, the median of measurements in turn; the guided search of Imhotep evaluates positions instead.",
            table(
                ("game", "our bot", "their bot", "time a move", "our wins", "games", "our playouts a second", "theirs", "ratio"),
                *map(openspiel_row, figures["openspiel"]["figures"]),
            ),
        ]
    if "training" in figures:
        lines += [
            "### Training",
            "What the networks of the package cost, as their files say; levels play by the last one and by some of those on the "
            "way to it. A device called cuda is a GPU.",
            table(
                ("game", "device", "minutes", "steps", "seconds until the earlier networks", "all files"),
                *map(training_row, figures["training"]["figures"]),
            ),
        ]
    if "exploiter" in figures:
        lines += [
            "### Exploiters",
            "A fresh network, trained as long as the one of the package was, against that one, which does not change: how many "
            "percent of its opponents it leaves behind at the end, both drawing their moves by their chances.",
            table(
                ("game", "players", "left behind", "games", "training"),
                *(
                    (row["game"], str(players), f"{100 * ahead:.1f} %", f"{row['games']:,}", cost(row))
                    for row in figures["exploiter"]["figures"]
                    for players, ahead in zip(row["players"], row["ahead"], strict=True)
                ),
            ),
        ]
    if "latency" in figures:
        lines += [
            "### A decision without search",
            *map(described, figures["latency"]["runs"]),
            "Milliseconds from the bytes of what a seat sees to the decision, on one core: all levels but the strongest, in "
            "matches among themselves.",
            table(
                ("game", "players", "decisions", "median", "99 of 100 are below", "of processor time", "longest"),
                *(tuple(str(row[name]) for name in LATENCY) for row in figures["latency"]["figures"]),
            ),
        ]
    if "first" in figures:
        lines += [
            "### The first move of a bot at a fresh server",
            *map(described, figures["first"]["runs"]),
            "Seconds from setting up a table, or from a person's move, to the first move of the bot, at a server that has just "
            "started and has compiled nothing.",
            table(
                ("game", "median", "longest"),
                *((row["game"], f"{row['median_s']} s", f"{row['most_s']} s") for row in figures["first"]["figures"]),
            ),
        ]
    return "\n\n".join(lines)


def openspiel_row(row: dict[str, Any]) -> tuple[str, ...]:
    """One kind of matches against OpenSpiel's search."""
    ours = rate(row["ours"]) if row["ours"] else ""
    ratio = f"{row['ours'] / row['theirs']:.3g}x" if row["ours"] else ""
    times = f"ours {row['seconds']} s, theirs {row['their_seconds']} s"
    won = percent(row["won"], row["error"])
    return row["game"], row["bot"], row["kind"], times, won, str(row["games"]), ours, rate(row["theirs"]), ratio


def training_row(row: dict[str, Any]) -> tuple[str, ...]:
    """What the networks of one game cost."""
    earlier = ", ".join(map(str, row["earlier"]))
    return row["game"], row["device"], f"{row['seconds'] / 60:.1f}", rate(row["steps"]), earlier, f"{row['bytes'] / 1e6:.2f} MB"


def cost(row: dict[str, Any]) -> str:
    """What a training took."""
    return f"{row['seconds'] / 60:.1f} minutes on {row['device']}, {rate(row['steps'])} steps, seed {row['seed']}"


def levels_table(rows: list[dict[str, Any]]) -> str:
    """Each level against the next lower one, by game."""
    pairs = list(dict.fromkeys((row["level"], row["against"]) for row in rows))
    found = {(row["game"], row["level"]): row["ahead"] for row in rows}
    return table(
        ("game", *(f"{level} - {against}" for level, against in pairs)),
        *(
            (game, *(" / ".join(f"{100 * share:.0f}" for share in found[game, level]) for level, _ in pairs))
            for game in dict.fromkeys(row["game"] for row in rows)
        ),
    )


def several(runs: list[dict[str, Any]]) -> str:
    """What was run, machine by machine."""
    commands: dict[str, list[str]] = {}
    for run in runs:
        commands.setdefault(place(run), []).append(f"- {run['date']}, `{run['command']}`")
    return "\n\n".join(where + "\n\n" + "\n".join(listed) for where, listed in commands.items())


def duel_table(rows: list[dict[str, Any]], what: str) -> str:
    """Duels of a kind under each other, a line for each game and number of players."""
    duels = list(dict.fromkeys((row["bot"], row["against"]) for row in rows))
    lines: dict[tuple[str, int], dict[tuple[str, str], str]] = {}
    for row in rows:
        shares = row[what]
        figure = f"{100 * mean(shares):.1f} ± {100 * error(shares):.1f} ({row['players'] * len(shares)})"
        lines.setdefault((row["game"], row["players"]), {})[row["bot"], row["against"]] = figure
    return table(
        ("game", "players", *(f"{bot} against {other}" for bot, other in duels)),
        *((game, str(players), *(found.get(duel, "") for duel in duels)) for (game, players), found in lines.items()),
    )


def percent(share: float, error: float) -> str:
    """A share with its error."""
    return f"{100 * share:.1f} % ± {100 * error:.1f}"


def mean(values: list[float]) -> float:
    """The mean, to four places."""
    return round(statistics.fmean(values), 4)


def error(values: list[float]) -> float:
    """Half a 95 % interval for the mean; where all are alike, what one deal more that goes the other way would make of it."""
    n = len(values)
    deviation = statistics.stdev(values) if n > 1 else 0.5
    return round(max(1.96 * deviation / math.sqrt(n), 1 / (n + 1)), 4)


def write(part: str, text: str) -> None:
    """Put a chapter between its markers, and its rows into the documents that quote them."""
    whole = RESULTS.read_text("utf-8") if RESULTS.exists() else HEAD
    begin, end = f"<!-- {part} -->", f"<!-- /{part} -->"
    before, _, rest = whole.partition(begin)
    RESULTS.write_text(f"{before}{begin}\n{text}\n{end}{rest.partition(end)[2]}", "utf-8")
    root = RESULTS.parent.parent
    for path in (root / "README.md", *(root / "docs").glob("*.md")):
        document = path.read_text("utf-8")
        if (renewed := quoted_again(document, text)) != document:
            path.write_text(renewed, "utf-8")


def quoted_again(document: str, text: str) -> str:
    """A document with the rows that it quotes from a chapter as they are now: those of the same table that begin alike."""

    def renewed(found: re.Match[str]) -> str:
        head, rule, *quoted = found[2].splitlines()
        _, there, table = text.partition(f"{head}\n")
        if not there:
            return found[0]
        rows = [row for row in table.partition("\n\n")[0].splitlines() if row.startswith("|")]
        now = [next((row for row in rows if same_label(row, line, rows)), line) for line in quoted]
        return "\n".join([found[1], head, rule, *now, found[3]])

    return QUOTED.sub(renewed, document)


def same_label(row: str, line: str, rows: list[str]) -> bool:
    """Do two rows of a table begin with the same cell, or with the same two if several rows have the first?"""
    first, other = ([cell.strip() for cell in one.split("|")[1:]] for one in (row, line))
    several = sum(one.split("|")[1].strip() == first[0] for one in rows) > 1
    return first[: 1 + several] == other[: 1 + several]
