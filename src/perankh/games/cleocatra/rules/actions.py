"""What may be chosen, and what a choice does."""

from __future__ import annotations

from perankh.engine.api import rule, sets

from . import components, rescue, rescuer_actions, set_up, tile_actions, tiles, turn
from .state import CELLS, Action, Mode, State, Step


@rule
def actors(s: State) -> int:
    """The player on turn, or the one who takes the extra action (CLE-H4)."""
    if s.over:
        return 0
    return 1 << (s.extra - 1 if s.extra else s.turn)


@rule
def legal(s: State, p: int, out: list[int]) -> int:
    """Everything p may choose at this step."""
    if s.step == Step.ACTION1 or s.step == Step.ACTION2 or s.step == Step.EXTRA:
        return legal_actions(s, p, out)
    if s.step == Step.SETUP_CELL or s.step == Step.SCOUT_CELL or s.step == Step.SEARCH_CELL:
        return sets.write(s.sites, out, 0)
    if s.step == Step.SWAP_OWNER:
        return legal_owners(s, p, out)
    if s.step == Step.MUT:
        out[0], out[1] = Action.KEEP, Action.TAKE_BACK
        return 2
    n = tiles.write_cells(s, tiles_to_choose(s, p), out)
    if rescue.may_decline(s):
        out[n] = Action.DECLINE
        n += 1
    return n


@rule
def legal_actions(s: State, p: int, out: list[int]) -> int:
    """The actions possible for p: no tile action as the second one, anything or nothing as the extra one (CLE-T1, CLE-H7)."""
    n = 0
    if s.step != Step.ACTION2:
        n = offer(out, n, Action.SCOUT, tiles.deck_size(s) > 0)
        n = offer(out, n, Action.SEARCH, tile_actions.movable(s) != 0)
        n = offer(out, n, Action.SWAP, s.mode == Mode.HARD and tile_actions.swap_owns(s, p) != 0)
    n = offer(out, n, Action.DISPATCH, rescuer_actions.dispatch_tile(s, p) != 0)
    n = offer(out, n, Action.TEAM_UP, rescuer_actions.team_tiles(s, p) != 0)
    n = offer(out, n, Action.RESCUE, rescue.scorable(s, p) != 0)
    n = offer(out, n, Action.HERD, s.mode == Mode.HARD and rescuer_actions.herd_origins(s, p) != 0)
    return offer(out, n, Action.DECLINE, s.step == Step.EXTRA)


@rule
def offer(out: list[int], n: int, a: int, possible: bool) -> int:
    """Write an action as number n if it is possible; returns the number of actions then."""
    out[n] = a
    return n + 1 if possible else n


@rule
def legal_owners(s: State, p: int, out: list[int]) -> int:
    """The players whose rescuer on the other tile fits a Swap (CLE-H12)."""
    n = 0
    for q in range(components.SEATS):
        n = offer(out, n, Action.OWNER + q, tile_actions.swap_partners(s, p, s.chosen, q) & s.other != 0)
    return n


@rule
def tiles_to_choose(s: State, p: int) -> int:
    """The tiles among which p chooses at this step."""
    if s.step == Step.RESCUE_TILE:
        return rescue.scorable(s, p)
    if s.step == Step.INSPECTOR_TO:
        return rescue.uninspected(s)
    if s.step == Step.INSPECTOR_FROM:
        return s.inspectors & ~s.inspector_put
    if s.step == Step.TEAM_CELL:
        return rescuer_actions.team_tiles(s, p)
    if s.step == Step.SEARCH_TILE:
        return tile_actions.movable(s)
    if s.step == Step.COUNT_TILE:
        return rescue.count_group(s, s.scoring)
    if s.step == Step.HERD_FROM:
        return rescuer_actions.herd_origins(s, p)
    if s.step == Step.HERD_TO:
        return rescuer_actions.herd_targets(s, p)
    if s.step == Step.SWAP_OWN:
        return tile_actions.swap_owns(s, p)
    if s.step == Step.SWAP_OTHER:
        return tile_actions.swap_others(s, p, s.chosen)
    if s.step == Step.RELOCATE_FROM:
        return s.rescuers[p]
    return rescuer_actions.room(s, p)


@rule
def apply(s: State, p: int, a: int) -> None:
    """Carry out one choice, up to the next one."""
    if a < CELLS:
        choose_cell(s, p, a)
    elif a >= Action.OWNER:
        tile_actions.swap(s, p, a - Action.OWNER)
    else:
        choose_action(s, p, a)
    if s.step == Step.EXTRA_DONE:
        rescue.resume_rescue(s)
    while s.step == Step.TURN_DONE:
        turn.end_turn(s)


@rule
def choose_action(s: State, p: int, a: int) -> None:
    """Start the action chosen, or decide what is no action of the turn."""
    if a == Action.SCOUT:
        tile_actions.begin_scout(s, p)
    elif a == Action.SEARCH:
        s.step = Step.SEARCH_TILE
    elif a == Action.SWAP:
        s.step = Step.SWAP_OWN
    elif a == Action.DISPATCH:
        rescuer_actions.dispatch(s, p)
    elif a == Action.TEAM_UP:
        s.step = Step.TEAM_CELL
    elif a == Action.RESCUE:
        s.step = Step.RESCUE_TILE
    elif a == Action.HERD:
        s.step = Step.HERD_FROM
    elif a == Action.KEEP:
        rescue.stay(s, p)
    elif a == Action.TAKE_BACK:
        rescue.finish_rescue(s, p)
    elif s.step == Step.EXTRA:
        rescue.decline_extra(s, p)
    else:
        rescue.leave_inspectors(s, p)


@rule
def choose_cell(s: State, p: int, cell: int) -> None:
    """Lay a tile on the cell chosen, or go on with the tile there."""
    if s.step == Step.SETUP_CELL:
        set_up.set_up_tile(s, p, cell)
    elif s.step == Step.SCOUT_CELL:
        tile_actions.scout(s, p, cell)
    elif s.step == Step.SEARCH_CELL:
        tile_actions.search(s, p, cell)
    else:
        choose_tile(s, p, tiles.tile_on(s, cell))


@rule
def choose_tile(s: State, p: int, tile: int) -> None:
    """Go on with a tile chosen at this step."""
    if s.step == Step.RESCUE_TILE:
        rescue.rescue(s, p, tile)
    elif s.step == Step.INSPECTOR_TO:
        rescue.put_inspector(s, p, tile)
    elif s.step == Step.INSPECTOR_FROM:
        rescue.lift_inspector(s, p, tile)
    elif s.step == Step.TEAM_CELL:
        rescuer_actions.team_up(s, p, tile)
    elif s.step == Step.SEARCH_TILE:
        tile_actions.lift(s, tile)
    elif s.step == Step.COUNT_TILE:
        rescue.score_points(s, p, tile)
    elif s.step == Step.HERD_FROM:
        choose_first(s, tile, Step.HERD_TO)
    elif s.step == Step.HERD_TO:
        rescuer_actions.herd(s, p, tile)
    elif s.step == Step.SWAP_OWN:
        choose_first(s, tile, Step.SWAP_OTHER)
    elif s.step == Step.SWAP_OTHER:
        tile_actions.choose_other(s, p, tile)
    elif s.step == Step.ANY_TILE:
        turn.put_any(s, p, tile)
    elif s.step == Step.RELOCATE_FROM:
        choose_first(s, tile, Step.RELOCATE_TO)
    else:
        turn.relocate(s, p, tile)


@rule
def choose_first(s: State, tile: int, then: int) -> None:
    """The first tile of a choice of two; the second follows."""
    s.chosen = tile
    s.step = then
