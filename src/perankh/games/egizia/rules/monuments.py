"""Obelisk, colonnade, statues and pyramid of Egizia: which spaces are available, and what a brick brings."""

from __future__ import annotations

from perankh.engine.api import masks, rule, tell

from . import components, tracks
from .components import Bonus, Dock
from .events import Event
from .state import Action, BrickLimit, BrickPoints, FinishBonus, State, Touched

# --- Counting -----------------------------------------------------------------------------------------------------


@rule
def board(s: State) -> int:
    """Which boards of obelisk and pyramid are used: 0 for 2 players, 1 for more (EGZ-Q1)."""
    return 0 if s.players == 2 else 1


@rule
def obelisk_height(s: State) -> int:
    """Bricks on the obelisk."""
    n = 0
    while n < components.OBELISK_HEIGHT[board(s)] and s.obelisk[n] > 0:
        n += 1
    return n


@rule
def row_length(s: State, row: int) -> int:
    """Bricks in a row of the pyramid."""
    n = 0
    while n < components.ROW_SPACES[board(s)][row] and s.pyramid[row][n] > 0:
        n += 1
    return n


@rule
def obelisk_bricks(s: State, p: int, first: int) -> int:
    """P's bricks on the obelisk from a space on."""
    n = 0
    for space in range(first, components.OBELISK_HEIGHT[board(s)]):
        if s.obelisk[space] == 1 + p:
            n += 1
    return n


@rule
def row_bricks(s: State, p: int, row: int) -> int:
    """P's bricks in a row of the pyramid."""
    n = 0
    for space in range(components.ROW_SPACES[board(s)][row]):
        if s.pyramid[row][space] == 1 + p:
            n += 1
    return n


@rule
def pyramid_bricks(s: State, p: int) -> int:
    """P's bricks on the pyramid."""
    n = 0
    for row in range(components.PYRAMID_ROWS):
        n += row_bricks(s, p, row)
    return n


@rule
def statue_bricks(s: State, p: int) -> int:
    """P's bricks on all statues."""
    n = 0
    for place in range(components.STATUES_IN_PLAY):
        n += s.level[p][place]
    return n


@rule
def all_bricks(s: State, p: int) -> int:
    """P's bricks on all monuments; markers on tracks do not count (EGZ-E5)."""
    return obelisk_bricks(s, p, 0) + s.columns[p] + statue_bricks(s, p) + pyramid_bricks(s, p)


# --- Available spaces ---------------------------------------------------------------------------------------------


@rule
def row_open(s: State, row: int) -> bool:
    """Whether the leftmost empty space of a row exists and rests on two bricks (EGZ-Y1, Y2)."""
    length = row_length(s, row)
    if length >= components.ROW_SPACES[board(s)][row]:
        return False
    return row == 0 or row_length(s, row - 1) >= length + 2


@rule
def cost_of(s: State, p: int, a: int) -> int:
    """What the next brick at a place costs p, 0 if no space is available there (EGZ-O1, O5, C1, T2, T3, Y1, Y2)."""
    cost: int = 0
    if a == Action.OBELISK:
        height = obelisk_height(s)
        if height < components.OBELISK_HEIGHT[board(s)]:
            cost = components.OBELISK_COST[board(s)][height]
    elif a == Action.COLUMN:
        if s.columns[p] < components.COLUMNS:
            cost = components.COLUMN_COST[s.columns[p]]
    elif a < Action.ROW:
        place = a - Action.STATUE
        statue, level = s.statue[place] - 1, s.level[p][place]
        if statue >= 0 and level < components.STATUE_SPACES and not masks.has(s.carved, place):
            cost = components.STATUE_COST[statue][level]
    elif row_open(s, a - Action.ROW):
        cost = components.ROW_COST[board(s)][a - Action.ROW]
    return cost


@rule
def first_space(dock: int) -> int:
    """The first action that puts a brick at a dock; the monuments of a dock are neighbours (EGZ-B13)."""
    return Action.OBELISK if dock == Dock.OBELISK else Action.STATUE


@rule
def last_space(dock: int) -> int:
    """The action after the last that puts a brick at a dock."""
    return Action.STATUE if dock == Dock.OBELISK else Action.MARKET


@rule
def has_brick(s: State, p: int) -> bool:
    """Whether p has a brick left, which is in question with `brick_limit` only (EGZ-E5)."""
    return s.brick_limit != BrickLimit.BOX or all_bricks(s, p) < components.BRICK_LIMIT


@rule
def cheapest(s: State, p: int, dock: int) -> int:
    """The least cost of an available space at dock 1 or 2, 0 if there is none (EGZ-B4, B15)."""
    least = 0
    if has_brick(s, p):
        for a in range(first_space(dock), last_space(dock)):
            cost = cost_of(s, p, a)
            if cost > 0 and (least == 0 or cost < least):
                least = cost
    return least


# --- Putting a brick ----------------------------------------------------------------------------------------------


@rule
def brick_points(s: State, p: int) -> int:
    """What p's colonnade tile adds to the next brick (EGZ-L2)."""
    return 0 if s.new_tile and s.g3_start == BrickPoints.NEXT_BUILD else tracks.tile_number(s, p, Bonus.BRICK_VP, 0)


@rule
def put_brick(s: State, p: int, a: int) -> None:
    """Pay, put the brick, then its VP and bonuses at once, in their order (EGZ-B12, B14, V3)."""
    cost = cost_of(s, p, a)
    s.stones[p] -= cost
    s.budget -= cost
    s.bricks += 1
    more = brick_points(s, p)
    if a == Action.OBELISK:
        height = obelisk_height(s)
        s.obelisk[height] = 1 + p
        s.line |= Touched.BELOW if height < components.DOUBLE_LINE[board(s)] else Touched.ABOVE
        tell(s, Event.OBELISK_BUILT, p, height + 1, cost, cost + more)
        tracks.score(s, p, cost + more)
    elif a == Action.COLUMN:
        s.columns[p] += 1
        s.line |= Touched.COLUMN
        tell(s, Event.COLUMN_BUILT, p, s.columns[p], cost, cost + more)
        tracks.score(s, p, cost + more)
        column_bonus(s, p)
    elif a < Action.ROW:
        s.level[p][a - Action.STATUE] += 1
        s.carved = masks.added(s.carved, a - Action.STATUE)
        tell(s, Event.STATUE_BUILT, p, a - Action.STATUE, s.level[p][a - Action.STATUE], cost, more)
        tracks.score(s, p, more)
    else:
        s.pyramid[a - Action.ROW][row_length(s, a - Action.ROW)] = 1 + p
        tell(s, Event.ROW_BUILT, p, a - Action.ROW, row_length(s, a - Action.ROW), cost, cost + more)
        tracks.score(s, p, cost + more)
        row_bonus(s, a - Action.ROW)


@rule
def column_bonus(s: State, p: int) -> None:
    """Tiles of the coloured columns, and the finishing bonus of the last (EGZ-C2 to C4)."""
    if s.columns[p] == components.YELLOW_COLUMN:
        gain_tile(s, p, s.bonus_tile[0])
    if s.columns[p] == components.PURPLE_COLUMN:
        gain_tile(s, p, s.bonus_tile[1])
    if s.columns[p] == components.COLUMNS:
        points = finishing_points(s, p)
        tell(s, Event.COLONNADE_FINISHED, p, points)
        tracks.score(s, p, points)


@rule
def finishing_points(s: State, p: int) -> int:
    """The bonus if p finishes the colonnade now (EGZ-C4)."""
    finished = 0
    for q in range(s.players):
        if q != p and s.columns[q] == components.COLUMNS:
            finished += 1
    lower = s.players == 2 and s.finish_bonus_2p == FinishBonus.LOWER
    points: int = components.FINISH_VP[1 if lower else 0][finished]
    return points


@rule
def gain_tile(s: State, p: int, tile: int) -> None:
    """A tile works from now on; one raises all crews and turns the starter field at once (EGZ-C2, L3)."""
    tell(s, Event.BONUS_WON, p, tile)
    if components.BONUS_EFFECT[tile] == Bonus.RAISE_ALL:
        for crew in range(components.NUMBER_OF_CREWS):
            tracks.raise_crew(s, p, crew, components.BONUS_NUMBER[tile])
        s.turned[p] = 1
    elif components.BONUS_EFFECT[tile] == Bonus.BRICK_VP:
        s.new_tile = 1


@rule
def row_bonus(s: State, row: int) -> None:
    """A full row pays whoever has most bricks in it, of equals the one furthest right (EGZ-Y4 to Y6)."""
    if row_length(s, row) == components.ROW_SPACES[board(s)][row]:
        winner = row_winner(s, row)
        points = row_bricks(s, winner, row) * components.ROW_VP
        tell(s, Event.ROW_FULL, winner, row, points)
        tracks.score(s, winner, points)


@rule
def row_winner(s: State, row: int) -> int:
    """Who has most bricks in a full row, of equals the one furthest right (EGZ-Y5, Y6)."""
    last: int = components.ROW_SPACES[board(s)][row] - 1
    winner = s.pyramid[row][last] - 1
    for space in range(last, -1, -1):
        q = s.pyramid[row][space] - 1
        if row_bricks(s, q, row) > row_bricks(s, winner, row):
            winner = q
    return winner
