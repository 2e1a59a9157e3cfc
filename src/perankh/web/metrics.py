"""What the server counts, for Prometheus. Values such as lengths of queues are read when they are asked for."""

from __future__ import annotations

import hmac
from collections.abc import Callable

from fastapi import APIRouter
from prometheus_client import CONTENT_TYPE_LATEST, Counter, Gauge, Histogram, Info, generate_latest
from starlette.requests import Request
from starlette.responses import Response

from perankh import __version__
from perankh.web.refusal import refused

QUICK = (0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
LONG = (0.005, 0.025, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)

Info("perankh", "The version that runs.").info({"version": __version__})
RESPONSES = Counter("perankh_responses", "Answers to requests.", ["status"])
REQUEST = Histogram("perankh_request_seconds", "From a request to the end of its answer.", ["method", "route"], buckets=QUICK)
MOVES = Counter("perankh_moves", "Moves that were stored.", ["by"])
MOVE_STORED = Histogram("perankh_move_stored_seconds", "From the arrival of a person's move until it is stored.", buckets=QUICK)
MOVE_SHOWN = Histogram("perankh_move_shown_seconds", "From the storing of a move until a view of it is sent.", buckets=QUICK)
JOB = Histogram("perankh_job_seconds", "Work of the worker processes.", ["pool"], buckets=LONG)
JOB_WAITED = Histogram("perankh_job_waited_seconds", "How long work waited for a worker process.", ["pool"], buckets=LONG)
JOB_FAILED = Counter("perankh_job_failures", "Work that failed, by a fault or because it took too long.", ["pool"])
JOBS_AGAIN = Counter("perankh_jobs_again", "Work that another machine had to do, because the first one died.")
DATABASE_WRITES = Counter("perankh_database_writes", "Writes that were committed.")
DATABASE_COMMIT = Histogram("perankh_database_commit_seconds", "Transactions of the writer.", buckets=QUICK)
DATABASE_ERRORS = Counter("perankh_database_errors", "Reads and writes that failed.", ["what"])
ALERTS = Counter("perankh_alerts", "Attempts to send an alert.", ["kind", "outcome"])
TABLES_DELETED = Counter("perankh_tables_deleted", "Tables that were deleted because they were too old.")
DATABASE_WAITING = Gauge("perankh_database_waiting", "Writes that wait for the writer.")
JOBS_WAITING = Gauge("perankh_jobs_waiting", "Work that waits for a worker process.", ["pool"])
JOBS_RUNNING = Gauge("perankh_jobs_running", "Work that worker processes do.", ["pool"])
WORKERS = Gauge("perankh_workers", "Worker processes that run.", ["pool"])
MACHINES = Gauge("perankh_machines", "Machines that work for this server (perankh work).")
SOCKETS = Gauge("perankh_sockets", "Live connections.")
TABLES = Gauge("perankh_tables_in_memory", "Tables in memory.")
DRAINING = Gauge("perankh_draining", "1 when the server is about to stop.")

router = APIRouter()


@router.get("/metrics", include_in_schema=False)
async def show(request: Request) -> Response:
    """The metrics, for whoever brings the token of the settings."""
    wanted: str | None = request.app.state.metrics_token
    if wanted is None:
        raise refused(404, "no_page")
    kind, _, brought = request.headers.get("authorization", "").partition(" ")
    if kind.lower() != "bearer" or not hmac.compare_digest(brought.strip().encode(), wanted.encode()):
        raise refused(401, "bad_token")
    read_now: Callable[[], None] = request.app.state.read_metrics
    read_now()
    return Response(generate_latest(), media_type=CONTENT_TYPE_LATEST)
