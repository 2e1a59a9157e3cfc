"""Means, shares and distributions with their error bars."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from perankh.arena.charts import round_numbers
from perankh.arena.ratings import Estimate, share_error

SURE = 3.0  # standard errors beyond which a difference is called one: dozens are looked at, and chance must not pick any


def mean_of(values: Any) -> Estimate:
    """The mean of independent figures."""
    values = np.asarray(values, float)
    return Estimate(float(values.mean()), float(values.std(ddof=1)) / math.sqrt(len(values)) if len(values) > 1 else 0.0)


def share_of(values: Any) -> Estimate:
    """The mean of figures from 0 to 1, with an honest error where all are the same."""
    found = mean_of(values)
    return found if found.error else Estimate(found.value, share_error(found.value, len(values)))


def is_sure(found: Estimate, even: float = 0.0) -> bool:
    """Whether a figure differs from what would be even by more than chance explains."""
    return abs(found.value - even) > SURE * found.error > 0


def plain(found: Estimate) -> dict[str, float]:
    """A figure, ready for JSON."""
    low, high = round(found.low, 4), round(found.high, 4)
    return {"value": round(found.value, 4), "error": round(found.error, 4), "low": low, "high": high}


def distribution(values: Any, classes: int = 24) -> dict[str, Any]:
    """How whole numbers are spread: quartiles, and counts in classes of equal, round width."""
    values = np.asarray(values)
    low, high = int(values.min()), int(values.max())
    edges = [int(edge) for edge in round_numbers(low, high + 1, classes) if edge == int(edge)] if high - low >= classes else []
    if len(edges) < 2:
        edges = list(range(low, high + 2))
    counts, _ = np.histogram(values, edges)
    bins = [{"from": a, "to": b - 1, "count": int(n)} for a, b, n in zip(edges, edges[1:], counts, strict=False)]
    quartiles = [float(q) for q in np.percentile(values, (25, 50, 75))]
    return {"mean": plain(mean_of(values)), "min": low, "max": high, "quartiles": quartiles, "bins": bins}
