"""The strongest bot of a table thinks while persons do."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from perankh.web.identity import digest
from perankh.web.pondering import POSITIONS
from perankh.web.scheduler import Caller
from perankh.web.table import Table
from perankh.web.tables import Tables

from .conftest import in_a_loop, tables_in

PATIENCE = 60.0
