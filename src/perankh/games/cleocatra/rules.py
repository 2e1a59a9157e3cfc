"""Cleocatra: cat tiles, laid edge to edge on a triangular grid, from which rescuers fetch points under the eyes of inspectors.

The pieces, the state and the grid are in `table.py`, what is possible in a position in `possible.py`. A set of tiles is a number
with bit t set for tile t; a single tile that is kept or passed on is a set of one.
"""

from __future__ import annotations

from perankh.engine.api import below, rule

from .observation import OBSERVATION, observe
from .possible import (
    can_dispatch,
    can_rescuer_action,
    can_tile_action,
    count_group,
    hand,
    herd_froms,
    movable,
    rescue_tiles,
    room,
    sole_lowest,
    swap_others,
    swap_owns,
    swap_partners,
    team_cells,
    unused_inspectors,
)
from .table import (
    ACTION1,
    ACTION2,
    ACTIONS,
    ALL,
    ANY_TILE,
    ASSISTANT_POINTS,
    CLEOCATRA,
    CLEOCATRA_BONUS,
    COLOUR_POINTS,
    COMPONENTS,
    COUNT_TILE,
    DECLINE,
    DISPATCH,
    END_TURN,
    EXTRA,
    EXTRA_DONE,
    FIRST_CELL,
    HARD,
    HERD,
    HERD_FROM,
    HERD_TO,
    INSPECTOR_FROM,
    INSPECTOR_TO,
    KEEP,
    KINDS,
    MUST,
    MUT,
    MUT_STEP,
    OVER,
    OWNER,
    PRINCESS,
    RELOCATE_FROM,
    REMOVED,
    RESCUE,
    RESCUE_TILE,
    SCORED,
    SCOUT,
    SCOUT_CELL,
    SEARCH,
    SEARCH_CELL,
    SEARCH_TILE,
    SEATS,
    SETUP_CELL,
    SWAP,
    SWAP_OTHER,
    SWAP_OWN,
    SWAP_OWNER,
    TAKE_BACK,
    TEAM_CELL,
    TEAM_UP,
    TILE_COUNTS,
    TURN_DONE,
    State,
    beside,
    cells,
    count,
    deck_size,
    layout,
    put_tile,
    sites,
)

__all__ = ["ACTIONS", "COMPONENTS", "OBSERVATION", "State", "observe"]

PLAYERS = range(2, 5)
ENDINGS = ("score", "turn_limit")
HIDDEN = ()
VERSION = 1

# --- Set-up ---------------------------------------------------------------------------------------------------


@rule
def setup(s: State) -> None:
    """Make the deck; the start player lays the first tile in the middle and stands on it (CLE-S1 to CLE-S6)."""
    for c in range(KINDS):
        s.deck[c] = TILE_COUNTS[c] - REMOVED[c] if s.players == 2 else TILE_COUNTS[c]
    s.start = s.start_player if s.start_player >= 0 else below(s, s.players)
    s.turn = s.start
    reveal(s)
    set_up_tile(s, s.turn, FIRST_CELL)


@rule
def reveal(s: State) -> None:
    """Turn up the top tile of the deck: any tile left is as likely (CLE-S2, CLE-A1)."""
    place = below(s, deck_size(s))
    c = 0
    while place >= s.deck[c]:
        place -= s.deck[c]
        c += 1
    s.deck[c] -= 1
    s.revealed = c + 1


@rule
def lay(s: State, cell: int) -> int:
    """Lay the revealed tile on a cell; returns it (CLE-A1, CLE-A2)."""
    t = int(s.laid)
    s.laid += 1
    s.colour[s.revealed - 1] |= 1 << t
    s.revealed = 0
    put_tile(s, t, cell)
    return 1 << t


@rule
def set_up_tile(s: State, p: int, cell: int) -> None:
    """Lay the own tile of the set-up with a rescuer on it; then the next player, or the first turn (CLE-S6 to CLE-S8)."""
    s.rescuers[p] |= lay(s, cell)
    s.turn = (p + 1) % s.players
    if s.turn == s.start:
        begin_turn(s)
    else:
        reveal(s)
        s.step = SETUP_CELL


# --- Deciding -------------------------------------------------------------------------------------------------


@rule
def actors(s: State) -> int:
    """The player on turn, or the one who takes the extra action (CLE-H4)."""
    if s.over:
        return 0
    return 1 << (s.extra - 1 if s.extra else s.turn)


@rule
def legal(s: State, p: int, out: list[int]) -> int:
    """Everything p may choose at this step."""
    if s.step == SETUP_CELL or s.step == SCOUT_CELL or s.step == SEARCH_CELL:
        return sites(s, s.chosen, out)
    if s.step == ACTION1 or s.step == ACTION2 or s.step == EXTRA:
        return legal_actions(s, p, out)
    n = 0
    if s.step == SWAP_OWNER:
        for q in range(SEATS):
            if swap_partners(s, p, s.chosen, q) & s.other:
                out[n] = OWNER + q
                n += 1
        return n
    if s.step == MUT_STEP:
        out[0], out[1] = KEEP, TAKE_BACK
        return 2
    n = cells(s, tiles_to_choose(s, p), out)
    if may_decline(s):
        out[n] = DECLINE
        n += 1
    return n


@rule
def legal_actions(s: State, p: int, out: list[int]) -> int:
    """The actions possible for p: no tile action as the second one, anything or nothing as the extra one (CLE-T1, CLE-H7)."""
    n = 0
    if s.step != ACTION2:
        if deck_size(s) > 0:
            out[n] = SCOUT
            n += 1
        if movable(s):
            out[n] = SEARCH
            n += 1
        if s.mode == HARD and swap_owns(s, p):
            out[n] = SWAP
            n += 1
    if can_dispatch(s, p):
        out[n] = DISPATCH
        n += 1
    if team_cells(s, p):
        out[n] = TEAM_UP
        n += 1
    if rescue_tiles(s, p):
        out[n] = RESCUE
        n += 1
    if s.mode == HARD and herd_froms(s, p):
        out[n] = HERD
        n += 1
    if s.step == EXTRA:
        out[n] = DECLINE
        n += 1
    return n


@rule
def tiles_to_choose(s: State, p: int) -> int:
    """The tiles among which p chooses at this step."""
    if s.step == SEARCH_TILE:
        return movable(s)
    if s.step == SWAP_OWN:
        return swap_owns(s, p)
    if s.step == SWAP_OTHER:
        return swap_others(s, p, s.chosen)
    if s.step == TEAM_CELL:
        return team_cells(s, p)
    if s.step == HERD_FROM:
        return herd_froms(s, p)
    if s.step == HERD_TO:
        return beside(s, s.chosen) & room(s, p)
    if s.step == RESCUE_TILE:
        return rescue_tiles(s, p)
    if s.step == COUNT_TILE:
        return count_group(s, s.scoring)
    if s.step == INSPECTOR_FROM:
        return s.inspectors & ~s.inspector_put
    if s.step == INSPECTOR_TO:
        return layout(s) & ~s.inspectors
    if s.step == RELOCATE_FROM:
        return s.rescuers[p]
    return room(s, p)


@rule
def may_decline(s: State) -> bool:
    """Moving an inspector is voluntary, and so is all of the Princess's second one (CLE-P9, CLE-H16)."""
    if s.step == INSPECTOR_FROM:
        return s.second == 1 or (s.inspector != SCORED and s.inspector_move != MUST)
    return s.step == INSPECTOR_TO and s.second == 1 and s.chosen == 0


@rule
def apply(s: State, p: int, a: int) -> None:
    """Carry out one choice, up to the next one."""
    carry_out(s, p, a)
    if s.step == EXTRA_DONE:
        resume_rescue(s)
    while s.step == TURN_DONE:
        end_turn(s)


@rule
def carry_out(s: State, p: int, a: int) -> None:
    """Do what was chosen at this step."""
    if s.step == SETUP_CELL:
        set_up_tile(s, p, a)
    elif s.step == ACTION1 or s.step == ACTION2 or s.step == EXTRA:
        begin_action(s, p, a)
    elif s.step == SCOUT_CELL:
        scout(s, a)
    elif s.step == SEARCH_CELL:
        search(s, a)
    elif s.step == SWAP_OWNER:
        swap(s, p, a - OWNER)
    elif s.step == MUT_STEP:
        finish_rescue(s, p, a == KEEP)
    elif a == DECLINE:
        offer_mut(s, p)
    else:
        choose_tile(s, p, s.on[a])


@rule
def begin_action(s: State, p: int, a: int) -> None:
    """Start the action chosen, or decline the extra one."""
    if a == SCOUT:
        reveal(s)
        s.step = SCOUT_CELL
    elif a == SEARCH:
        s.step = SEARCH_TILE
    elif a == SWAP:
        s.step = SWAP_OWN
    elif a == DISPATCH:
        s.rescuers[p] |= s.fresh
        end_action(s)
    elif a == TEAM_UP:
        s.step = TEAM_CELL
    elif a == RESCUE:
        s.step = RESCUE_TILE
    elif a == HERD:
        s.step = HERD_FROM
    else:
        s.step = EXTRA_DONE


@rule
def choose_tile(s: State, p: int, tile: int) -> None:
    """Go on with a tile chosen at this step."""
    if s.step == SEARCH_TILE or s.step == SWAP_OWN or s.step == HERD_FROM or s.step == RELOCATE_FROM:
        s.chosen = tile
        # Each of these steps is followed by that of the second tile.
        s.step += 1
    elif s.step == SWAP_OTHER:
        choose_other(s, p, tile)
    elif s.step == TEAM_CELL:
        s.rescuers[p] |= tile
        end_action(s)
    elif s.step == HERD_TO:
        move_rescuer(s, p, tile)
        end_action(s)
    elif s.step == RESCUE_TILE:
        rescue(s, p, tile)
    elif s.step == COUNT_TILE:
        score_points(s, p, tile)
    elif s.step == INSPECTOR_FROM:
        lift_inspector(s, p, tile)
    elif s.step == INSPECTOR_TO:
        put_inspector(s, p, tile)
    elif s.step == ANY_TILE:
        s.rescuers[p] |= tile
        owe_rescuer_action(s)
    else:
        move_rescuer(s, p, tile)
        s.step = TURN_DONE


# --- The turn -------------------------------------------------------------------------------------------------


@rule
def begin_turn(s: State) -> None:
    """Two actions are due; if none is possible a rescuer is put on any tile first (CLE-T1, CLE-T3, CLE-F1, CLE-F2)."""
    s.owed = 0
    p = int(s.turn)
    if can_tile_action(s, p) or can_rescuer_action(s, p):
        s.step = ACTION1
    elif hand(s, p) > 0 and room(s, p):
        s.step = ANY_TILE
    else:
        owe_rescuer_action(s)


@rule
def owe_rescuer_action(s: State) -> None:
    """One rescuer action is owed; if none is possible a rescuer must move, and else nothing happens (CLE-F3, CLE-F4)."""
    s.owed = 1
    p = int(s.turn)
    if can_rescuer_action(s, p):
        s.step = ACTION2
    elif s.rescuers[p] and room(s, p):
        s.step = RELOCATE_FROM
    else:
        s.step = TURN_DONE


@rule
def end_action(s: State) -> None:
    """After an action other than a Rescue: the interrupted Rescue, the second action or the next turn (CLE-T1, CLE-H9)."""
    if s.extra:
        s.step = EXTRA_DONE
    elif s.owed == 0:
        owe_rescuer_action(s)
    else:
        s.step = TURN_DONE


@rule
def end_turn(s: State) -> None:
    """The next player clockwise is on turn, unless the game is over (CLE-T8, CLE-E1)."""
    s.fresh = 0
    s.turns += 1
    s.over = reason_to_end(s)
    if s.over:
        s.step = OVER
        s.owed = 0
    else:
        s.turn = (s.turn + 1) % s.players
        begin_turn(s)


@rule
def reason_to_end(s: State) -> int:
    """The score is reached and the round complete, or the limit of turns is (CLE-E1, CLE-E4)."""
    round_complete = s.turns % s.players == 0
    for p in range(SEATS):
        if s.score[p] >= s.end_score and (round_complete or s.end == END_TURN):
            return 1
    if s.turn_limit > 0 and s.turns >= s.turn_limit and round_complete:
        return 2
    return 0


# --- Tile actions and moving rescuers -------------------------------------------------------------------------


@rule
def scout(s: State, cell: int) -> None:
    """Scout: lay the revealed tile; it is the fresh tile (CLE-A1, CLE-A8)."""
    s.fresh = lay(s, cell)
    end_action(s)


@rule
def search(s: State, cell: int) -> None:
    """Search: put the lifted tile down elsewhere, tokens and all; it is the fresh tile (CLE-A3, CLE-A8, CLE-H11)."""
    tile = int(s.chosen)
    t = count(tile - 1)
    s.on[s.cell[t]] = 0
    put_tile(s, t, cell)
    s.fresh = tile
    s.chosen = 0
    end_action(s)


@rule
def choose_other(s: State, p: int, tile: int) -> None:
    """Swap: the other tile is chosen; ask for the owner if two rescuers on it fit (CLE-H12)."""
    s.other = tile
    owner, fitting = 0, 0
    for q in range(SEATS):
        if swap_partners(s, p, s.chosen, q) & tile:
            owner = q
            fitting += 1
    if fitting > 1:
        s.step = SWAP_OWNER
    else:
        swap(s, p, owner)


@rule
def swap(s: State, p: int, q: int) -> None:
    """Swap: p's rescuer on the Bastet tile and q's on the other tile change places (CLE-H12, CLE-H14)."""
    s.rescuers[p] ^= s.chosen | s.other
    s.rescuers[q] ^= s.chosen | s.other
    s.chosen = 0
    s.other = 0
    end_action(s)


@rule
def move_rescuer(s: State, p: int, tile: int) -> None:
    """Move the chosen rescuer to a tile: Herd, or for want of an action (CLE-H2, CLE-F3)."""
    s.rescuers[p] ^= s.chosen | tile
    s.chosen = 0


# --- Rescue ---------------------------------------------------------------------------------------------------


@rule
def rescue(s: State, p: int, tile: int) -> None:
    """Rescue: the scoring tile is chosen; Cleocatra first lets the lowest player act (CLE-P1, CLE-H4 to CLE-H8)."""
    lowest = sole_lowest(s)
    if s.mode == HARD and s.colour[CLEOCATRA] & tile and s.extra == 0 and lowest >= 0 and (s.extra_self or lowest != p):
        s.interrupted = tile
        s.extra = lowest + 1
        s.step = EXTRA
    else:
        count_tiles(s, p, tile)


@rule
def resume_rescue(s: State) -> None:
    """The interrupted Rescue goes on, or fails if its rescuer is gone (CLE-H9, CLE-H10)."""
    tile = int(s.interrupted)
    s.interrupted = 0
    s.extra = 0
    if s.rescuers[s.turn] & tile:
        count_tiles(s, int(s.turn), tile)
    else:
        s.step = TURN_DONE


@rule
def count_tiles(s: State, p: int, tile: int) -> None:
    """Of neighbours sharing a colour one is counted; ask which, if that changes anything (CLE-P3, CLE-P4)."""
    s.scoring = tile
    if s.assistants != ALL and count_group(s, tile) & s.rescuers[p]:
        s.step = COUNT_TILE
    else:
        score_points(s, p, 0)


@rule
def score_points(s: State, p: int, counted: int) -> None:
    """Points for colours, assistants and Cleocatra herself (CLE-P2 to CLE-P7, CLE-H3)."""
    tile = int(s.scoring)
    around = beside(s, tile)
    helpers = around & s.rescuers[p]
    for c in range(KINDS):
        if s.colour[c] & (tile | around):
            s.score[p] += COLOUR_POINTS
        if s.assistants != ALL and s.colour[c] & tile:
            helpers &= ~s.colour[c]
    if s.assistants != ALL:
        helpers &= ~count_group(s, tile) | counted
    s.score[p] += ASSISTANT_POINTS * count(helpers)
    if s.mode == HARD and s.colour[CLEOCATRA] & tile:
        s.score[p] += CLEOCATRA_BONUS
    s.returning = tile | helpers
    first_inspector(s, p)


@rule
def first_inspector(s: State, p: int) -> None:
    """An unused inspector must be put on a tile; if there is none, one may be moved (CLE-P8 to CLE-P10)."""
    if s.inspector == SCORED and (s.inspectors & s.scoring or unused_inspectors(s) > 0):
        s.inspectors |= s.scoring
        s.inspector_put = s.scoring
        second_inspector(s, p)
    elif layout(s) & ~s.inspectors == 0:
        second_inspector(s, p)
    else:
        s.step = INSPECTOR_TO if unused_inspectors(s) > 0 else INSPECTOR_FROM


@rule
def second_inspector(s: State, p: int) -> None:
    """Princess: a second, different inspector may be handled (CLE-H16, CLE-H17)."""
    if s.mode == HARD and s.colour[PRINCESS] & s.scoring and layout(s) & ~s.inspectors:
        s.second = 1
        s.step = INSPECTOR_TO if unused_inspectors(s) > 0 else INSPECTOR_FROM
    else:
        offer_mut(s, p)


@rule
def lift_inspector(s: State, p: int, tile: int) -> None:
    """An inspector is chosen to be moved; by option the first one goes to the scoring tile (CLE-P9)."""
    s.chosen = tile
    if s.inspector == SCORED and s.second == 0:
        put_inspector(s, p, s.scoring)
    else:
        s.step = INSPECTOR_TO


@rule
def put_inspector(s: State, p: int, tile: int) -> None:
    """Put the lifted or an unused inspector on a tile (CLE-P8, CLE-P9)."""
    s.inspectors = (s.inspectors & ~s.chosen) | tile
    s.chosen = 0
    if s.second == 0:
        s.inspector_put = tile
        second_inspector(s, p)
    else:
        offer_mut(s, p)


@rule
def offer_mut(s: State, p: int) -> None:
    """Mut: the scoring rescuer may be left there (CLE-H15)."""
    s.second = 0
    s.inspector_put = 0
    if s.mode == HARD and s.colour[MUT] & s.scoring:
        s.step = MUT_STEP
    else:
        finish_rescue(s, p, False)


@rule
def finish_rescue(s: State, p: int, keep: bool) -> None:
    """Scoring rescuer and assistants return; the turn ends, unless this was the extra action (CLE-P11, CLE-T2, CLE-H8)."""
    if keep:
        s.returning &= ~s.scoring
    s.rescuers[p] &= ~s.returning
    s.returning = 0
    s.scoring = 0
    s.step = EXTRA_DONE if s.extra else TURN_DONE


# --- Ending and looking ---------------------------------------------------------------------------------------


@rule
def ending(s: State) -> int:
    """Score or turn limit (CLE-E1)."""
    return s.over


@rule
def scores(s: State, out: list[int]) -> None:
    """The points; those beyond the end score count (CLE-E2)."""
    for p in range(s.players):
        out[p] = s.score[p]


@rule
def ranks(s: State, out: list[int]) -> None:
    """Most points win, equal points together (CLE-E3)."""
    for p in range(s.players):
        out[p] = 1
        for q in range(s.players):
            if s.score[q] > s.score[p]:
                out[p] += 1


@rule
def veil(s: State, p: int) -> None:
    """Nothing to erase: the order of the deck is the only secret, and it is not decided before a tile is revealed."""


@rule
def redeal(s: State) -> None:
    """Nothing was erased."""
