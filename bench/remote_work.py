"""What it costs to have work done by a machine of its own (`perankh work`) instead of a process of the server.

    python bench/remote_work.py --jobs 200

The same short job, the decision of a bot that plays at random, is done by both in turn, one at a time: so what is measured is the
way there and back. Printed: milliseconds a job (median and worst tenth), and the processor time of the server's process.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import time
from typing import Any

from web_server import ROOT

sys.path.insert(0, str(ROOT))
from tests.web.postgresql import fresh_database, postgresql

from perankh.engine.game import get_game
from perankh.web.alerts import Alerts, AlertSettings
from perankh.web.cluster import Cluster
from perankh.web.devices import Devices
from perankh.web.services import Services
from perankh.web.storage import Storage
from perankh.web.tables import Tables


async def times(services: Services, jobs: int) -> dict[str, float]:
    """Milliseconds of jobs, one after the other."""
    game = get_game("mural")
    seen = game.veiled(game.new_state(2, 1), 0)
    found, processor = [], time.process_time()
    for _ in range(jobs):
        start = time.perf_counter()
        assert await services.bot_decision("table", (), game, seen, 0, "random") is not None
        found.append(1000 * (time.perf_counter() - start))
    spent = 1000 * (time.process_time() - processor) / jobs
    worst = statistics.quantiles(found, n=10)[-1]
    return {"median_ms": round(statistics.median(found), 2), "worst_tenth_ms": round(worst, 2), "server_ms": round(spent, 2)}


async def compare(data: str, jobs: int) -> dict[str, Any]:
    """Both ways, in turn."""
    storage = Storage(data)
    here, elsewhere = (Services(storage, (0, 0), 60, 60, 2, elsewhere=away) for away in (False, True))
    tables = Tables(elsewhere, 300)
    cluster = elsewhere.cluster = Cluster(tables, Devices(storage), Alerts(elsewhere, tables, AlertSettings()), {})
    await cluster.open()
    elsewhere.start(cluster.watch())
    elsewhere.open(False)
    assert elsewhere.jobs
    environment = os.environ | {"PERANKH_GAMES": ""}
    machine = subprocess.Popen([sys.executable, "-m", "perankh", "work", "--data", data, "--workers", "2"], env=environment)
    try:
        while not elsewhere.jobs.slots:
            await asyncio.sleep(0.1)
        await times(here, 5)
        await times(elsewhere, 5)
        rounds = [(await times(here, jobs // 4), await times(elsewhere, jobs // 4)) for _ in range(4)]
    finally:
        machine.terminate()
        machine.wait(60)
    await cluster.close()
    for services in (here, elsewhere):
        await services.close()
    storage.close()
    names = ("here", "elsewhere")
    return {name: [two[place] for two in rounds] for place, name in enumerate(names)}


def main() -> None:
    """Run the benchmark and print its figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=int, default=200)
    given = parser.parse_args()
    os.environ["PERANKH_GAMES"] = ""
    with postgresql() as address:
        print(json.dumps(asyncio.run(compare(fresh_database(address), given.jobs)), indent=2))


if __name__ == "__main__":
    main()
