"""What may be done, and the turn."""

from __future__ import annotations

from perankh.engine.api import masks, rule, tell

from . import blue_cards, building, market, quarry, rounds, ships
from .components import BONUS_STONES, FETCH_MOST, FIRST_BLUE, KINDS, PYRAMIDS, SEATS, SHIPS, SITES, SLOTS, SPACES, TEMPLE_STONES
from .events import Event
from .state import Berth, QuarryTake, State, Step, capacity

PASS, FETCH, POINT, LOAD = 0, 1, 5, 6  # FETCH + number of stones; LOAD + 4 * ship + space
SAIL = LOAD + SHIPS * SPACES  # + 5 * ship + site
PLAY = SAIL + SHIPS * SITES  # + kind of blue card - FIRST_BLUE
TAKE = PLAY + KINDS - FIRST_BLUE  # + slot
KEEP = TAKE + SLOTS  # + kind
BUILD = KEEP + KINDS  # + small pyramid
ORDER = BUILD + PYRAMIDS  # + owner of the stone that comes next
DECLINE = ORDER + SEATS
ACTIONS = DECLINE + 1


@rule
def actors(s: State) -> int:
    """The player on turn, or the owner of the stone that is being resolved (IMH-U3)."""
    return 0 if s.step == Step.OVER else 1 << s.chooser


@rule
def legal(s: State, p: int, out: list[int]) -> int:
    """Everything p may choose at this step."""
    step = s.step
    if step == Step.MAIN:
        return list_turn(s, p, out)
    if step == Step.LEVER_SAIL:
        return list_ready_sails(s, out, 0)
    if step == Step.LEVER_ORDER:
        return list_order(s, out)
    if step == Step.HAMMER_FETCH:
        return list_fetches(s, p, 1, FETCH_MOST, out, 0)
    if step == Step.SAIL_LOAD:
        return list_loads(s, p, True, out, 0)
    if step == Step.SAIL_SITE:
        return list_sails(s.ship - 1, ships.taken_docks(s), out, 0)
    if step == Step.OFFER:
        return list_offers(s, out)
    if step == Step.PAIR:
        return list_pair(s, out)
    if step == Step.PYRAMID:
        return list_pyramids(s, out)
    if step == Step.BONUS_STONES:
        return list_fetches(s, p, 0, BONUS_STONES, out, 0)
    n = 0
    if step == Step.TEMPLE:
        n = list_fetches(s, p, 1, TEMPLE_STONES[s.temple_side][s.cell - 1], out, 0)
        out[n] = POINT
        return n + 1
    n = list_loads(s, p, False, out, 0)
    if step == Step.BONUS_LOAD:
        out[n] = DECLINE
        n += 1
    return n


@rule
def apply(s: State, p: int, a: int) -> None:
    """Carry out one choice, and all that follows from it without a choice."""
    step = s.step
    s.step = Step.GO_ON
    if step == Step.MAIN:
        take_turn(s, p, a)
    elif step == Step.OFFER:
        market.take_offer(s, p, a - TAKE)
    elif step == Step.PAIR:
        market.keep(s, p, a - KEEP)
    elif step == Step.PYRAMID:
        building.build(s, p, a - BUILD)
    elif step == Step.BONUS_STONES:
        quarry.fetch(s, p, a - FETCH)
    elif step == Step.BONUS_LOAD:
        load_or_decline(s, p, a)
    elif step == Step.TEMPLE:
        if a == POINT:
            rounds.take_points(s, p)
        else:
            rounds.take_stones(s, p, a - FETCH)
    else:
        blue_cards.go_on(s, p, a, step)
    while s.step == Step.GO_ON:
        go_on(s)


@rule
def go_on(s: State) -> None:
    """What is next when nothing is to be decided: inner effects are done, so the outer ones follow (IMH-U2, P9)."""
    market.discard_reds(s)
    if s.cell > 0:
        rounds.next_cell(s)
    elif s.ship > 0:
        ships.next_stone(s)
    else:
        rounds.end_turn(s)


@rule
def take_turn(s: State, p: int, a: int) -> None:
    """One of the four actions, or the forced pass (IMH-T1)."""
    if a == PASS:
        s.passes += 1
        tell(s, Event.PASSED, p)
        return
    s.passes = 0
    s.turns += 1
    if a < POINT:
        quarry.fetch(s, p, a - FETCH)
    elif a < SAIL:
        ships.load(s, p, a - LOAD)
    elif a < PLAY:
        ships.sail(s, p, a - SAIL)
    else:
        blue_cards.play(s, p, FIRST_BLUE + a - PLAY)


@rule
def load_or_decline(s: State, p: int, a: int) -> None:
    """The stone of the bonus is loaded, or not (IMH-P7)."""
    if a == DECLINE:
        tell(s, Event.LOADED_NONE, p)
    else:
        ships.load(s, p, a - LOAD)


# --- Lists of choices: each writes its actions from place n of `out` on and returns the new n -------------------


@rule
def write_if(possible: bool, a: int, out: list[int], n: int) -> int:
    """Write an action, to be overwritten by the next one if it is not possible: a store is cheaper than a jump."""
    out[n] = a
    return n + 1 if possible else n


@rule
def list_turn(s: State, p: int, out: list[int]) -> int:
    """Fetch, load, sail or play a blue card; pass only if none of these is possible (IMH-T1, T10)."""
    n = list_fetches(s, p, 1, FETCH_MOST, out, 0)
    n = list_loads(s, p, False, out, n)
    n = list_ready_sails(s, out, n)
    for kind in range(FIRST_BLUE, KINDS):
        if s.held[p][kind] > 0:
            n = write_if(blue_cards.can_play(s, p, kind), PLAY + kind - FIRST_BLUE, out, n)
    if n == 0:
        out[0] = PASS
        n = 1
    return n


@rule
def list_fetches(s: State, p: int, least: int, most: int, out: list[int], n: int) -> int:
    """Numbers of stones to fetch, of which 0 stays open with `quarry_take` = max (IMH-T2)."""
    high = quarry.fetchable(s, p, most)
    for stones in range(least, high + 1):
        n = write_if(s.quarry_take != QuarryTake.MAX or stones == 0 or stones == high, FETCH + stones, out, n)
    return n


@rule
def list_loads(s: State, p: int, sail_now: bool, out: list[int], n: int) -> int:
    """Free spaces of the waiting ships (IMH-T4); to sail at once, of those ready with one stone more (IMH-C14)."""
    if s.sled[p] == 0:
        return n
    for ship in range(SHIPS):
        if s.berth[ship] == Berth.WAITING and (not sail_now or ships.ready(s, ship, 1)):
            for space in range(capacity(s, ship)):
                n = write_if(s.cargo[ship][space] == 0, LOAD + SPACES * ship + space, out, n)
    return n


@rule
def list_ready_sails(s: State, out: list[int], n: int) -> int:
    """The ready ships, each with the free docks (IMH-T5, C10)."""
    taken = ships.taken_docks(s)
    for ship in range(SHIPS):
        if ships.ready(s, ship, 0):
            n = list_sails(ship, taken, out, n)
    return n


@rule
def list_sails(ship: int, taken: int, out: list[int], n: int) -> int:
    """The docks that are not taken, for a ship (IMH-T5)."""
    for site in range(SITES):
        n = write_if(not masks.has(taken, site), SAIL + SITES * ship + site, out, n)
    return n


@rule
def list_order(s: State, out: list[int]) -> int:
    """The owners who have stones left on the ship (IMH-C11)."""
    n = 0
    for q in range(s.players):
        n = write_if(ships.stones_aboard(s, q) > 0, ORDER + q, out, n)
    return n


@rule
def list_offers(s: State, out: list[int]) -> int:
    """What is left on the market; there is no way round it (IMH-M1, U4)."""
    n = 0
    for slot in range(SLOTS):
        n = write_if(market.is_offer(s, slot), TAKE + slot, out, n)
    return n


@rule
def list_pair(s: State, out: list[int]) -> int:
    """Either card of the pair (IMH-M4)."""
    n = 0
    for kind in range(KINDS):
        n = write_if(market.hidden_kind(s, 0) == kind or market.hidden_kind(s, 1) == kind, KEEP + kind, out, n)
    return n


@rule
def list_pyramids(s: State, out: list[int]) -> int:
    """The small pyramids with a free cell (IMH-P3)."""
    n = 0
    for pyramid in range(PYRAMIDS):
        n = write_if(building.unfinished(s, pyramid), BUILD + pyramid, out, n)
    return n
