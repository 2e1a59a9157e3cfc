"""Charts as inline SVG. Colours and type come from the page's style sheet, so that they follow light and dark."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

WIDTH, ROW, LABELS, FIGURES, FOOT = 760, 26, 190, 120, 26
COLUMNS_HEIGHT, COLUMNS_LEFT, WIDEST_COLUMN = 190, 46, 60
CLOSING = "</svg></div>"


@dataclass(frozen=True)
class Bar:
    """A row of a chart: a figure with its interval."""

    label: str
    value: float
    low: float
    high: float
    figure: str  # as it is written beside the bar
    strong: bool = True  # whether it stands out, or is drawn quietly


def whiskers(rows: Sequence[Bar], title: str, tick: Callable[[float], str], even: float | None = None) -> Markup:
    """Dots with error bars, one below the other; `even` is where a line is drawn to compare with."""
    ends = [end for row in rows for end in (row.low, row.high)] + ([] if even is None else [even])
    ticks = round_numbers(min(ends), max(ends), 6)
    first, last = ticks[0], ticks[-1]
    right = WIDTH - FIGURES
    height = ROW * len(rows) + FOOT

    def x(value: float) -> float:
        return round(LABELS + (value - first) / (last - first) * (right - LABELS), 1)

    parts = [opening(height, title)]
    for at in ticks:
        parts.append(f'<line class="grid" x1="{x(at)}" x2="{x(at)}" y1="0" y2="{height - FOOT}"/>')
        parts.append(f'<text class="tick" x="{x(at)}" y="{height - 8}">{escape(tick(at))}</text>')
    if even is not None:
        parts.append(f'<line class="even" x1="{x(even)}" x2="{x(even)}" y1="0" y2="{height - FOOT}"/>')
    for number, row in enumerate(rows):
        y = ROW * number + ROW / 2
        quiet = "" if row.strong else " quiet"
        parts.append(f'<text class="label" x="{LABELS - 12}" y="{y + 4.5}">{escape(row.label)}</text>')
        parts.append(f'<line class="whisker{quiet}" x1="{x(row.low)}" x2="{x(row.high)}" y1="{y}" y2="{y}"/>')
        for end in (row.low, row.high):
            parts.append(f'<line class="whisker{quiet}" x1="{x(end)}" x2="{x(end)}" y1="{y - 4}" y2="{y + 4}"/>')
        parts.append(f'<circle class="dot{quiet}" cx="{x(row.value)}" cy="{y}" r="5"/>')
        parts.append(f'<text class="figure" x="{WIDTH - 4}" y="{y + 4.5}">{escape(row.figure)}</text>')
    return Markup("".join([*parts, CLOSING]))


def columns(counts: Sequence[tuple[str, str, int]], title: str) -> Markup:
    """A histogram: of each column the label below it, what it counts in full, and the count."""
    most = max(count for _, _, count in counts)
    ticks = round_numbers(0, most, 4)
    floor = COLUMNS_HEIGHT - FOOT
    step = min(WIDEST_COLUMN, (WIDTH - COLUMNS_LEFT) / len(counts))
    every = math.ceil(len(counts) / 16)  # labels that have room

    def y(count: float) -> float:
        return round(floor - count / ticks[-1] * (floor - 8), 1)

    parts = [opening(COLUMNS_HEIGHT, title)]
    for at in ticks:
        parts.append(f'<line class="grid" x1="{COLUMNS_LEFT}" x2="{WIDTH}" y1="{y(at)}" y2="{y(at)}"/>')
        parts.append(f'<text class="figure" x="{COLUMNS_LEFT - 8}" y="{y(at) + 4}">{at:g}</text>')
    for number, (label, full, count) in enumerate(counts):
        left = COLUMNS_LEFT + step * number
        column = f'x="{left + 1:.1f}" y="{y(count)}" width="{max(step - 2, 1):.1f}" height="{floor - y(count):.1f}"'
        parts.append(f'<rect class="column" {column}><title>{escape(full)}: {count}</title></rect>')
        if number % every == 0:
            parts.append(f'<text class="tick" x="{left + step / 2:.1f}" y="{COLUMNS_HEIGHT - 8}">{escape(label)}</text>')
    return Markup("".join([*parts, CLOSING]))


def opening(height: float, title: str) -> str:
    """The start of a chart."""
    name = escape(title)
    svg = f'<svg class="chart" viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{name}">'
    return f'<div class="scroll">{svg}<title>{name}</title>'


def round_numbers(low: float, high: float, about: int) -> list[float]:
    """Round numbers at equal steps around a range, `about` so many."""
    if high <= low:
        low, high = low - 0.5, high + 0.5
    rough = (high - low) / about
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * times for times in (1, 2, 5, 10) if power * times >= rough * 0.999)
    first = math.floor(low / step + 1e-9)
    last = math.ceil(high / step - 1e-9)
    return [round(k * step, 10) for k in range(first, last + 1)]
