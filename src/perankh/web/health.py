"""Is the server alive, and is it ready for visitors? For load balancers and those who watch it."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import sqlalchemy as sa
from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import JSONResponse

from perankh.errors import PerankhError
from perankh.web import metrics
from perankh.web.limits import Shares
from perankh.web.tables import Tables

KEPT = 1.0  # seconds for which an answer about the database stands: many questions cost no more than one
PATIENCE = 2.0  # seconds for the database to answer

router = APIRouter()


class Health:
    """What is known of the state of a server."""

    def __init__(self, tables: Tables, sockets: Shares) -> None:
        self.tables = tables
        self.services = tables.services
        self.sockets = sockets
        self.draining = False  # is the server about to stop?
        self.lock = asyncio.Lock()
        self.looked = float("-inf")
        self.database = "unknown"

    async def facts(self) -> dict[str, Any]:
        """The state of the parts, and whether they are all well."""
        async with self.lock:
            if time.monotonic() - self.looked > KEPT:
                self.database = await self.ask_database()
                self.looked = time.monotonic()
        workers = {name: scheduler.state() for name, scheduler in self.services.schedulers.items()}
        well = self.database == "ok" and not {"starting", "failing"} & {workers["rendering"], workers["replaying"]}
        status = "draining" if self.draining else "ready" if well else "not ready"
        return {"status": status, "database": self.database, "workers": workers, "draining": self.draining}

    async def ask_database(self) -> str:
        """Does the database answer, and could the last write be stored?"""
        storage = self.services.storage
        if storage.lost:
            return "taken over"
        try:
            await asyncio.wait_for(storage.read(lambda connection: connection.scalar(sa.select(1))), PATIENCE)
        except TimeoutError:
            return "slow"
        except PerankhError:
            return "away"
        return "writes fail" if storage.failures.lasting else "ok"

    def read_metrics(self) -> None:
        """Set the metrics that are read when they are asked for."""
        for name, scheduler in self.services.schedulers.items():
            metrics.JOBS_WAITING.labels(name).set(scheduler.all.waiting)
            metrics.JOBS_RUNNING.labels(name).set(scheduler.all.running)
            metrics.WORKERS.labels(name).set(scheduler.pool.processes())
        metrics.MACHINES.set(self.services.jobs.machines if self.services.jobs else 0)
        metrics.DATABASE_WAITING.set(self.services.storage.waiting.qsize())
        metrics.SOCKETS.set(self.sockets.count)
        metrics.TABLES.set(len(self.tables.tables))
        metrics.DRAINING.set(self.draining)


@router.get("/health/live", include_in_schema=False)
async def live() -> dict[str, str]:
    """The event loop turns."""
    return {"status": "alive"}


@router.get("/health/ready", include_in_schema=False)
async def ready(request: Request) -> JSONResponse:
    """Whether visitors should be sent here; status 503 if not."""
    health: Health = request.app.state.health
    facts = await health.facts()
    return JSONResponse(facts, 200 if facts["status"] == "ready" else 503)
