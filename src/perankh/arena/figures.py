"""Means, shares and distributions with their error bars."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from perankh.arena.charts import round_numbers
from perankh.arena.ratings import Estimate, share_error

SURE = (
    3.0  # standard errors beyond which a difference is reported as one: with dozens of them, two would report several by chance
)


def mean_of(values: Any, least: float = -math.inf, most: float = math.inf) -> Estimate:
    """The mean of independent figures, which lie between two limits."""
    values = np.asarray(values, float)
    error = float(values.std(ddof=1)) / math.sqrt(len(values)) if len(values) > 1 else 0.0
    return Estimate(float(values.mean()), error, least, most)


def share_of(values: Any) -> Estimate:
    """The mean of figures from 0 to 1, with an error above 0 even where all are the same."""
    found = mean_of(values, 0.0, 1.0)
    return found if found.error else replace(found, error=share_error(found.value, len(values)))


def is_sure(found: Estimate, even: float = 0.0) -> bool:
    """Does a figure differ from the even one by more than chance explains?"""
    return abs(found.value - even) > SURE * found.error > 0


def plain(found: Estimate) -> dict[str, float]:
    """A figure, ready for JSON."""
    figures = {"value": found.value, "error": found.error, "half": found.half, "low": found.low, "high": found.high}
    return {name: round(figure, 4) for name, figure in figures.items()}


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
