"""Blue cards: when they may be played, and what they do."""

from __future__ import annotations

from perankh.engine.api import rule, tell

from . import actions, quarry, ships
from .components import FETCH_MOST, SPACES, Card
from .events import Event
from .state import BlueParts, State, Step


@rule
def can_play(s: State, p: int, kind: int) -> bool:
    """Whether the conditions of a blue card hold for p (IMH-C8, C10, C13, C15, C17)."""
    if kind == Card.LEVER:
        return ships.any_ready(s, 0)
    if kind == Card.HAMMER:
        return can_hammer(s, p)
    if kind == Card.SAIL:
        return s.sled[p] > 0 and ships.any_ready(s, 1)
    stones = 1 if s.blue_parts == BlueParts.POSSIBLE else 2
    return s.sled[p] >= stones and ships.free_spaces(s) >= stones


@rule
def can_hammer(s: State, p: int) -> bool:
    """A space and a stone to load after fetching; with `possible` any stone to move (IMH-C13)."""
    fetch = quarry.fetchable(s, p, FETCH_MOST)
    loads = ships.free_spaces(s) > 0 and s.sled[p] + fetch > 0
    return loads or (s.blue_parts == BlueParts.POSSIBLE and fetch > 0)


@rule
def play(s: State, p: int, kind: int) -> None:
    """A blue card leaves its owner and takes effect (IMH-T8, C9)."""
    s.held[p][kind] -= 1
    s.played = 1 + kind
    tell(s, Event.PLAYED, p, kind)
    if kind == Card.LEVER:
        s.step = Step.LEVER_SAIL
    elif kind == Card.HAMMER:
        hammer(s, p)
    elif kind == Card.SAIL:
        s.step = Step.SAIL_LOAD
    else:
        s.step = Step.CHISEL_FIRST


@rule
def go_on(s: State, p: int, a: int, step: int) -> None:
    """The next part of the blue card being played (IMH-C8)."""
    if step == Step.LEVER_SAIL:
        ships.dock(s, p, a - actions.SAIL)
        lever_order(s)
    elif step == Step.LEVER_ORDER:
        next_in_order(s, p, a - actions.ORDER)
        lever_order(s)
    elif step == Step.HAMMER_FETCH:
        quarry.fetch(s, p, a - actions.FETCH)
        hammer_load(s)
    elif step == Step.SAIL_SITE:
        ships.sail(s, p, a - actions.SAIL)
    else:
        ships.load(s, p, a - actions.LOAD)
        if step == Step.SAIL_LOAD:
            s.ship = 1 + (a - actions.LOAD) // SPACES
            s.step = Step.SAIL_SITE
        elif step == Step.CHISEL_FIRST and s.sled[p] > 0 and ships.free_spaces(s) > 0:
            s.step = Step.CHISEL_SECOND


@rule
def hammer(s: State, p: int) -> None:
    """First fetch, unless no stone can be fetched (IMH-C12, C13)."""
    if quarry.fetchable(s, p, FETCH_MOST) > 0:
        s.step = Step.HAMMER_FETCH
    else:
        hammer_load(s)


@rule
def hammer_load(s: State) -> None:
    """Then load a stone; only with `blue_parts` = possible there may be no space (IMH-C12)."""
    if ships.free_spaces(s) > 0:
        s.step = Step.HAMMER_LOAD


@rule
def lever_order(s: State) -> None:
    """The player of Lever says stone by stone who comes next, until one colour is left (IMH-C11)."""
    owners = 0
    for q in range(s.players):
        if ships.stones_aboard(s, q) > 0:
            owners += 1
    if owners > 1:
        s.step = Step.LEVER_ORDER
    else:
        ships.line_up(s)


@rule
def next_in_order(s: State, p: int, q: int) -> None:
    """P makes a stone of q the next to leave the ship (IMH-C11)."""
    tell(s, Event.LINED_UP, p, q)
    for space in range(SPACES):
        if s.cargo[s.ship - 1][space] == 1 + q:
            ships.leave_ship(s, space)
            return
