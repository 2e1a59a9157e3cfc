"""Imhotep: stones go by ship to five building sites, and whoever sails a ship decides for everybody on board.

The clause ids (IMH-...) are those of the rule specification. The table and its numbers are in `table.py`, what is possible in a
position in `possible.py`, deck and market in `cards.py`, stones arriving at a site in `sites.py`, the end in `scoring.py`.
"""

from __future__ import annotations

from perankh.engine.api import below, rule

from .cards import (
    any_offer,
    clear_market,
    fill_market,
    hidden_kind,
    is_offer,
    look_at_pair,
    redeal,
    reject_other,
    shuffle_all,
    veil,
)
from .observation import OBSERVATION, observe
from .possible import (
    all_sailed,
    can_play,
    fetchable,
    free_spaces,
    list_bonus_loads,
    list_fetches,
    list_loads,
    list_ready_sails,
    list_sails,
    unfinished,
)
from .scoring import final_points
from .sites import build, discard_reds, draw_card, place, receive
from .table import (
    ACTIONS,
    BONUS_LOAD,
    BONUS_STONES,
    BUILD,
    CHISEL_FIRST,
    CHISEL_SECOND,
    CHOOSE_PAIR,
    CHOOSE_PYRAMID,
    CHOOSE_REWARD,
    COMPONENTS,
    DECLINE,
    FETCH,
    FETCH_BONUS,
    FETCH_MOST,
    GO_ON,
    GONE,
    HAMMER,
    HAMMER_FETCH,
    HAMMER_LOAD,
    KEEP,
    KINDS,
    LEVER,
    LEVER_ORDER,
    LEVER_SAIL,
    LOAD,
    MAIN,
    MARKET,
    OFFER,
    ORDER,
    OVER,
    PAIR_SLOT,
    PASS,
    PER_STONE,
    PLAY,
    POINT,
    PYRAMIDS,
    ROUND_CARDS,
    ROUNDS,
    SAIL,
    SAIL_CARD,
    SAIL_LOAD,
    SAIL_SITE,
    SHIPS,
    SIDE_B,
    SITES,
    SLOTS,
    SPACES,
    START_STONES,
    STONES,
    TAKE,
    TEMPLE_CARD,
    TEMPLE_POINTS,
    TEMPLE_STONES,
    WAITING,
    State,
    visible,
    width,
)

__all__ = ["ACTIONS", "COMPONENTS", "OBSERVATION", "State", "observe", "redeal", "veil"]

PLAYERS = range(2, 5)
ENDINGS = ("six_rounds",)
HIDDEN = ("unseen", "hidden")
VERSION = 1
NUMBER_OF_SITES = len(SITES)
SMALL_PYRAMIDS = len(PYRAMIDS)

# --- Set-up -----------------------------------------------------------------------------------------------------


@rule
def setup(s: State) -> None:
    """Quarries, sleds, the deck, a start player, and the first round (IMH-S1 to S7)."""
    shuffle_all(s)
    start = int(s.start_player)
    if start < 0:
        start = below(s, s.players)
    for i in range(s.players):
        p = (start + i) % s.players
        s.sled[p] = START_STONES[i]
        s.quarry[p] = STONES - START_STONES[i]
    s.turn = start
    begin_round(s)


@rule
def begin_round(s: State) -> None:
    """Turn up a round card, let its ships wait empty, fill the market; then the first turn (IMH-R1 to R4)."""
    s.round += 1
    s.round_card = next_round_card(s)
    s.turned[s.round_card] = s.round
    for ship in range(SHIPS):
        s.berth[ship] = WAITING
    fill_market(s)
    s.chooser = s.turn
    s.step = MAIN


@rule
def next_round_card(s: State) -> int:
    """Any of the round cards not yet turned up: one of them is out of the game, nobody knows which (IMH-S5, R2)."""
    skip = below(s, ROUND_CARDS - s.round + 1)
    card = 0
    while True:
        if s.turned[card] == 0:
            if skip == 0:
                return card
            skip -= 1
        card += 1


# --- Deciding ---------------------------------------------------------------------------------------------------


@rule
def actors(s: State) -> int:
    """The player on turn, or the owner of the stone that is being resolved (IMH-U3)."""
    return 0 if s.step == OVER else 1 << s.chooser


@rule
def legal(s: State, p: int, out: list[int]) -> int:
    """Everything p may choose at this step."""
    step = s.step
    if step == MAIN:
        return legal_turn(s, p, out)
    if step == LEVER_SAIL:
        return list_ready_sails(s, out, 0)
    if step == LEVER_ORDER:
        return legal_order(s, out)
    if step == HAMMER_FETCH:
        return list_fetches(s, p, 1, FETCH_MOST, out, 0)
    if step == SAIL_LOAD:
        return list_loads(s, p, True, out, 0)
    if step == SAIL_SITE:
        return list_sails(s, s.ship - 1, out, 0)
    if step == OFFER:
        return legal_offers(s, out)
    if step == CHOOSE_PAIR:
        return legal_pair(s, out)
    if step == CHOOSE_PYRAMID:
        return legal_pyramids(s, out)
    if step == FETCH_BONUS:
        return list_fetches(s, p, 0, BONUS_STONES, out, 0)
    if step == BONUS_LOAD:
        return list_bonus_loads(s, p, out)
    if step == CHOOSE_REWARD:
        n = list_fetches(s, p, 1, TEMPLE_STONES[s.temple_side][s.cell - 1], out, 0)
        out[n] = POINT
        return n + 1
    return list_loads(s, p, False, out, 0)


@rule
def legal_turn(s: State, p: int, out: list[int]) -> int:
    """Fetch, load, sail or play a blue card; pass only if none of these is possible (IMH-T1, T10)."""
    n = list_fetches(s, p, 1, FETCH_MOST, out, 0)
    n = list_loads(s, p, False, out, n)
    n = list_ready_sails(s, out, n)
    for kind in range(LEVER, KINDS):
        if s.held[p][kind] > 0 and can_play(s, p, kind):
            out[n] = PLAY + kind - LEVER
            n += 1
    if n == 0:
        out[0] = PASS
        n = 1
    return n


@rule
def legal_order(s: State, out: list[int]) -> int:
    """The owners who have stones left on the ship (IMH-C11)."""
    n = 0
    for q in range(s.players):
        if stones_aboard(s, q) > 0:
            out[n] = ORDER + q
            n += 1
    return n


@rule
def legal_offers(s: State, out: list[int]) -> int:
    """What is left on the market; there is no way round it (IMH-M1, U4)."""
    n = 0
    for slot in range(SLOTS):
        if is_offer(s, slot):
            out[n] = TAKE + slot
            n += 1
    return n


@rule
def legal_pair(s: State, out: list[int]) -> int:
    """Either card of the pair (IMH-M4)."""
    n = 0
    for kind in range(KINDS):
        if hidden_kind(s, 0) == kind or hidden_kind(s, 1) == kind:
            out[n] = KEEP + kind
            n += 1
    return n


@rule
def legal_pyramids(s: State, out: list[int]) -> int:
    """The small pyramids with a free cell (IMH-P3)."""
    n = 0
    for pyramid in range(SMALL_PYRAMIDS):
        if unfinished(s, pyramid):
            out[n] = BUILD + pyramid
            n += 1
    return n


@rule
def apply(s: State, p: int, a: int) -> None:
    """Carry out one choice, and all that follows from it without a choice."""
    step = int(s.step)
    s.step = GO_ON
    s.drawn[0] = 0
    s.drawn[1] = 0
    if step == MAIN:
        take_turn(s, p, a)
    elif step <= CHISEL_SECOND:
        go_on_with_card(s, p, a, step)
    elif step == OFFER:
        take_offer(s, p, a - TAKE)
    elif step == CHOOSE_PAIR:
        reject_other(s, p, a - KEEP)
        take_card(s, p, a - KEEP)
    elif step == CHOOSE_PYRAMID:
        build(s, p, a - BUILD)
    elif a == POINT:
        s.score[p] += TEMPLE_POINTS[s.temple_side][s.cell - 1]
    elif a < POINT:
        fetch(s, p, a - FETCH)
    elif a != DECLINE:
        load(s, p, a - LOAD)
    while s.step == GO_ON:
        go_on(s)


@rule
def go_on(s: State) -> None:
    """What is next when nothing is to be decided: inner effects are done, so the outer ones follow (IMH-U2, P9)."""
    discard_reds(s)
    if s.cell > 0:
        next_cell(s)
    elif s.ship > 0:
        next_stone(s)
    else:
        end_turn(s)


# --- The turn ---------------------------------------------------------------------------------------------------


@rule
def take_turn(s: State, p: int, a: int) -> None:
    """One of the four actions, or the forced pass (IMH-T1)."""
    if a == PASS:
        s.passes += 1
        return
    s.passes = 0
    s.turns += 1
    if a < POINT:
        fetch(s, p, a - FETCH)
    elif a < SAIL:
        load(s, p, a - LOAD)
    elif a < PLAY:
        sail(s, a - SAIL)
    else:
        play_card(s, p, LEVER + a - PLAY)


@rule
def fetch(s: State, p: int, stones: int) -> None:
    """Stones from the quarry to the sled (IMH-T2)."""
    s.quarry[p] -= stones
    s.sled[p] += stones


@rule
def load(s: State, p: int, spot: int) -> None:
    """A stone from the sled to a space of a ship (IMH-T4)."""
    s.sled[p] -= 1
    s.cargo[spot // SPACES][spot % SPACES] = 1 + p


@rule
def sail(s: State, voyage: int) -> None:
    """A ship docks at a site and is unloaded from bow to stern (IMH-T5, U1)."""
    dock(s, voyage)
    line_up(s)


@rule
def dock(s: State, voyage: int) -> None:
    """A ship goes to the dock of a site and stays there (IMH-T7)."""
    ship = voyage // NUMBER_OF_SITES
    s.berth[ship] = 1 + voyage % NUMBER_OF_SITES
    s.ship = 1 + ship


@rule
def end_turn(s: State) -> None:
    """The blue card is discarded; then the next player, or the end of the round (IMH-R4, R5, C9, T11)."""
    if s.played > 0:
        s.discard[s.played - 1] += 1
        s.played = 0
    if s.passes == s.players:
        stall(s)
    if all_sailed(s):
        s.cell = 1
        score_cell(s)
        return
    s.turn = (s.turn + 1) % s.players
    s.chooser = s.turn
    s.step = MAIN


@rule
def stall(s: State) -> None:
    """Nobody can act: stones on waiting ships go home, and the ships with them (IMH-T11)."""
    s.passes = 0
    for ship in range(SHIPS):
        if s.berth[ship] == WAITING:
            s.berth[ship] = GONE
            for space in range(SPACES):
                if s.cargo[ship][space] > 0:
                    s.quarry[s.cargo[ship][space] - 1] += 1
                    s.cargo[ship][space] = 0


# --- Blue cards -------------------------------------------------------------------------------------------------


@rule
def play_card(s: State, p: int, kind: int) -> None:
    """A blue card leaves its owner and takes effect (IMH-T8, C9)."""
    s.held[p][kind] -= 1
    s.played = 1 + kind
    if kind == LEVER:
        s.step = LEVER_SAIL
    elif kind == HAMMER:
        hammer(s, p)
    elif kind == SAIL_CARD:
        s.step = SAIL_LOAD
    else:
        s.step = CHISEL_FIRST


@rule
def go_on_with_card(s: State, p: int, a: int, step: int) -> None:
    """The next part of the blue card being played (IMH-C8)."""
    if step == LEVER_SAIL:
        dock(s, a - SAIL)
        lever_order(s)
    elif step == LEVER_ORDER:
        next_in_order(s, a - ORDER)
        lever_order(s)
    elif step == HAMMER_FETCH:
        fetch(s, p, a - FETCH)
        hammer_load(s, p)
    elif step == SAIL_SITE:
        sail(s, a - SAIL)
    else:
        load(s, p, a - LOAD)
        if step == SAIL_LOAD:
            s.ship = 1 + (a - LOAD) // SPACES
            s.step = SAIL_SITE
        elif step == CHISEL_FIRST and s.sled[p] > 0 and free_spaces(s) > 0:
            s.step = CHISEL_SECOND


@rule
def hammer(s: State, p: int) -> None:
    """First fetch, unless no stone can be fetched (IMH-C12, C13)."""
    if fetchable(s, p, FETCH_MOST) > 0:
        s.step = HAMMER_FETCH
    else:
        hammer_load(s, p)


@rule
def hammer_load(s: State, p: int) -> None:
    """Then load a stone; only with `blue_parts` = possible there may be no space (IMH-C12)."""
    if free_spaces(s) > 0:
        s.step = HAMMER_LOAD


@rule
def lever_order(s: State) -> None:
    """The player of Lever says stone by stone who comes next, until one colour is left (IMH-C11)."""
    owners = 0
    for q in range(s.players):
        if stones_aboard(s, q) > 0:
            owners += 1
    if owners > 1:
        s.step = LEVER_ORDER
    else:
        line_up(s)


@rule
def next_in_order(s: State, q: int) -> None:
    """A stone of q is the next to leave the ship (IMH-C11)."""
    for space in range(SPACES):
        if s.cargo[s.ship - 1][space] == 1 + q:
            leave_ship(s, space)
            return


# --- Unloading --------------------------------------------------------------------------------------------------


@rule
def stones_aboard(s: State, q: int) -> int:
    """Stones of q still on the ship that is being unloaded."""
    n = 0
    for space in range(SPACES):
        if s.cargo[s.ship - 1][space] == 1 + q:
            n += 1
    return n


@rule
def line_up(s: State) -> None:
    """The stones still aboard leave from bow to stern, empty spaces are skipped (IMH-U1)."""
    for space in range(SPACES):
        if s.cargo[s.ship - 1][space] > 0:
            leave_ship(s, space)


@rule
def leave_ship(s: State, space: int) -> None:
    """The stone on a space is the next in the queue."""
    last = 0
    while s.queue[last] > 0:
        last += 1
    s.queue[last] = s.cargo[s.ship - 1][space]
    s.cargo[s.ship - 1][space] = 0


@rule
def next_stone(s: State) -> None:
    """The next stone of the ship is resolved, or the ship is done (IMH-U2, U3)."""
    if s.served == SPACES or s.queue[s.served] == 0:
        finish_unloading(s)
        return
    p = s.queue[s.served] - 1
    site = s.berth[s.ship - 1] - 1
    if site == MARKET and any_offer(s):
        s.step = OFFER
        s.chooser = p
    elif site == MARKET:
        stone_served(s, p)
    else:
        s.served += 1
        place(s, p, site)


@rule
def finish_unloading(s: State) -> None:
    """Market stones go home together (IMH-M3), and the ship stays empty."""
    site = s.berth[s.ship - 1] - 1
    for i in range(SPACES):
        if site == MARKET and s.market_return != PER_STONE and s.queue[i] > 0:
            s.quarry[s.queue[i] - 1] += 1
        s.queue[i] = 0
    s.served = 0
    s.ship = 0


@rule
def take_offer(s: State, p: int, slot: int) -> None:
    """A face-up card, or a look at the face-down pair (IMH-M1, M4)."""
    if slot == PAIR_SLOT and s.market_side == SIDE_B:
        look_at_pair(s)
        s.step = CHOOSE_PAIR
    else:
        kind = s.market[slot] - 1
        s.market[slot] = 0
        take_card(s, p, kind)


@rule
def take_card(s: State, p: int, kind: int) -> None:
    """The market stone is served, its owner receives the card (IMH-M2, M5)."""
    stone_served(s, p)
    receive(s, p, kind)


@rule
def stone_served(s: State, p: int) -> None:
    """A market stone is done; with `market_return` = per_stone it goes home now (IMH-M3, M6)."""
    s.served += 1
    if s.market_return == PER_STONE:
        s.quarry[p] += 1


# --- The end of a round -----------------------------------------------------------------------------------------


@rule
def next_cell(s: State) -> None:
    """Temple cells are scored from left to right (IMH-R6, N5)."""
    s.cell += 1
    if s.cell <= width(s):
        score_cell(s)
    else:
        s.cell = 0
        finish_round(s)


@rule
def score_cell(s: State) -> None:
    """The visible stone of a temple cell earns its reward (IMH-N3 to N8)."""
    cell = s.cell - 1
    p = visible(s, cell) - 1
    if p < 0:
        return
    if fetchable(s, p, TEMPLE_STONES[s.temple_side][cell]) > 0:
        s.step = CHOOSE_REWARD
        s.chooser = p
        return
    s.score[p] += TEMPLE_POINTS[s.temple_side][cell]
    if TEMPLE_CARD[s.temple_side][cell]:
        draw_card(s, p)


@rule
def finish_round(s: State) -> None:
    """Clean up for the next round, which the left neighbour starts, or score the game (IMH-R7, R8, E1)."""
    if s.round == ROUNDS:
        for p in range(s.players):
            s.score[p] += final_points(s, p)
        s.step = OVER
        return
    clear_market(s)
    s.turn = (s.turn + 1) % s.players
    begin_round(s)


# --- The end ----------------------------------------------------------------------------------------------------


@rule
def ending(s: State) -> int:
    """The game ends after the last round (IMH-E1)."""
    return 1 if s.step == OVER else 0


@rule
def scores(s: State, out: list[int]) -> None:
    """The points of each player so far."""
    for p in range(s.players):
        out[p] = s.score[p]


@rule
def ranks(s: State, out: list[int]) -> None:
    """Most points, then most stones on the sled; still equal players share the place (IMH-E2 to E4)."""
    for p in range(s.players):
        out[p] = 1
        for q in range(s.players):
            lead = s.score[q] - s.score[p]
            if lead > 0 or (lead == 0 and s.sled[q] > s.sled[p]):
                out[p] += 1
