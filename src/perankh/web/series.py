"""A series: several matches of the same people, each begun by another; the score goes from table to table."""

from __future__ import annotations

from typing import Any

from perankh.engine.game import Game
from perankh.match.forfeits import places
from perankh.web.table import Table


def ranks_of(table: Table) -> list[int]:
    """The places at a table whose match is over."""
    return places(table.position.ranks, table.forfeits.seats)


def facts(table: Table) -> dict[str, Any] | None:
    """The series of a table, as a part of a view, with what was won in this match once it is over."""
    series = table.series
    if series is None:
        return None
    wins = series.after(ranks_of(table)) if table.over else series.wins
    over = table.over and series.is_over(wins)
    winners = [p for p, won in enumerate(wins) if won == max(wins)] if over else []
    return {"best_of": series.best_of, "number": series.number, "wins": wins, "over": over, "winners": winners}


def begun_by_first_seat(game: Game, options: dict[str, Any]) -> dict[str, Any]:
    """Options with which the first seat begins where the lot would decide: everybody sits there once."""
    return {name: 0 if game.options[name].kind == "seat" and value == "random" else value for name, value in options.items()}
