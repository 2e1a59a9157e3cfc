"""Everything the author of a game needs, from one place."""

from perankh.engine.chance import below
from perankh.engine.components import Components, components
from perankh.engine.rule import Table, rule
from perankh.engine.state import Record, choice, flag, number, numbers, seat, whole
from perankh.engine.words import Words

__all__ = [
    "Components",
    "Record",
    "Table",
    "Words",
    "below",
    "choice",
    "components",
    "flag",
    "number",
    "numbers",
    "rule",
    "seat",
    "whole",
]
