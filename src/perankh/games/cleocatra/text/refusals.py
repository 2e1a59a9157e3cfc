"""Why a choice is refused."""

from __future__ import annotations

from ..rules import components, rescuer_actions, tiles
from ..rules.state import ACTIONS, CELLS, Action, Mode, State, Step
from .names import CODES, say, seat_name, tile_name
from .prompts import prompt


def refusal(s: State, p: int, a: int, lang: str) -> str:
    """Why `a` is not open to p now."""
    tile = tiles.tile_on(s, a) if 0 <= a < CELLS else 0
    return say(
        f"no.{reason(s, p, a)}",
        lang,
        prompt=prompt(s, p, lang),
        cell=CODES[a] if 0 <= a < ACTIONS else "",
        tile=tile_name(s, tile, lang),
        owner=seat_name(a - Action.OWNER, lang) if Action.OWNER <= a < ACTIONS else "",
    )


def reason(s: State, p: int, a: int) -> str:
    """The key of the reason."""
    if s.step in (Step.ACTION1, Step.ACTION2, Step.EXTRA):
        return why_no_action(s, p, a)
    if a == Action.DECLINE and s.step in (Step.INSPECTOR_FROM, Step.INSPECTOR_TO):
        return "must_inspect"
    if s.step == Step.SWAP_OWNER and Action.OWNER <= a < ACTIONS:
        return "owner"
    if not 0 <= a < CELLS:
        return "step"
    if s.step in (Step.SETUP_CELL, Step.SCOUT_CELL, Step.SEARCH_CELL):
        return why_no_site(s, tiles.tile_on(s, a))
    if not tiles.tile_on(s, a):
        return "no_tile"
    return why_not_tile(s, p, tiles.tile_on(s, a))


def why_no_action(s: State, p: int, a: int) -> str:
    """Why an action is not possible."""
    if 0 <= a < CELLS:
        return "action_first"
    if a in (Action.SWAP, Action.HERD) and s.mode != Mode.HARD:
        return "basic"
    if a in (Action.SCOUT, Action.SEARCH, Action.SWAP):
        if s.step == Step.ACTION2:
            return "second_tile_action"
        return {Action.SCOUT: "deck_empty", Action.SEARCH: "search", Action.SWAP: "swap"}[Action(a)]
    if a == Action.DECLINE:
        return "compulsory"
    if a == Action.DISPATCH:
        return why_no_dispatch(s, p)
    if a in (Action.TEAM_UP, Action.RESCUE, Action.HERD):
        if a == Action.TEAM_UP and rescuer_actions.hand(s, p) == 0:
            return "hand"
        if s.rescuers[p] == 0:
            return "nobody_laid"
        return {Action.TEAM_UP: "team_up", Action.RESCUE: "all_inspected", Action.HERD: "herd"}[Action(a)]
    return "step"


def why_no_dispatch(s: State, p: int) -> str:
    """Why Dispatch is not possible."""
    if p != s.turn:
        return "not_on_turn"
    if not s.fresh:
        return "fresh"
    return "hand" if rescuer_actions.hand(s, p) == 0 else "no_room_fresh"


def why_no_site(s: State, tile: int) -> str:
    """Why a tile cannot be laid on a cell."""
    if not tile:
        return "apart"
    return "same_cell" if tile == s.chosen else "occupied"


def why_no_room(s: State, p: int, tile: int) -> str:
    """Why a tile has no room for p."""
    return "yours" if s.rescuers[p] & tile else "full"


def why_not_tile(s: State, p: int, tile: int) -> str:
    """Why a tile cannot be chosen at this step."""
    own = s.rescuers[p] & tile
    if s.step == Step.SEARCH_TILE:
        return why_not_movable(s, tile)
    if s.step == Step.SWAP_OWN:
        if not s.colour[components.BASTET] & tile:
            return "not_bastet"
        return "swap_partner" if own else "not_yours"
    if s.step == Step.SWAP_OTHER:
        if own:
            return "yours"
        return "pair" if any(s.rescuers[q] & tile for q in range(s.players)) else "empty"
    if s.step == Step.TEAM_CELL and rescuer_actions.room(s, p) & tile:
        return "far"
    if s.step == Step.HERD_TO and not tiles.beside(s, s.chosen) & tile:
        return "not_neighbour"
    if s.step in (Step.TEAM_CELL, Step.HERD_TO, Step.ANY_TILE, Step.RELOCATE_TO):
        return why_no_room(s, p, tile)
    if s.step in (Step.HERD_FROM, Step.RELOCATE_FROM, Step.RESCUE_TILE) and not own:
        return "not_yours"
    if s.step == Step.INSPECTOR_FROM:
        return "just_put" if s.inspectors & tile else "no_inspector"
    if s.step == Step.HERD_FROM:
        return "nowhere"
    return "not_in_group" if s.step == Step.COUNT_TILE else "inspected"


def why_not_movable(s: State, tile: int) -> str:
    """Why Search cannot move a tile."""
    if tiles.beside(s, tile).bit_count() == 3:
        return "surrounded"
    return "token" if s.loose & tile else "split"
