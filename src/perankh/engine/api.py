"""Everything the author of a game needs, from one place."""

from perankh.engine import masks, sets
from perankh.engine.chance import below
from perankh.engine.components import Components, components
from perankh.engine.events import EventKind, GameEvent, secret, tell
from perankh.engine.observation import (
    Feature,
    add_bits,
    add_set,
    put,
    put_bits,
    put_digits,
    put_one_hot,
    put_row,
    put_set,
    seat_after,
    seats_between,
)
from perankh.engine.rule import Constants, rule
from perankh.engine.state import Record, choice, flag, names_of, number, numbers, option, seat, subset, subsets, whole
from perankh.engine.words import Words

__all__ = [
    "Components",
    "Constants",
    "EventKind",
    "Feature",
    "GameEvent",
    "Record",
    "Words",
    "add_bits",
    "add_set",
    "below",
    "choice",
    "components",
    "flag",
    "masks",
    "names_of",
    "number",
    "numbers",
    "option",
    "put",
    "put_bits",
    "put_digits",
    "put_one_hot",
    "put_row",
    "put_set",
    "rule",
    "seat",
    "seat_after",
    "seats_between",
    "secret",
    "sets",
    "subset",
    "subsets",
    "tell",
    "whole",
]
