"""What a person clicks on the drawn table of Egizia: the choices that are open, and the sprite of each."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..rules import actions, monuments, tracks
from ..rules.components import CREWS, DOCK_SPACES, GRAIN_SPACES, STARTER, TILE_OPEN, Dock, Market
from ..rules.state import ACTIONS, Action, Location, State, Step

BUTTONS: dict[int, str] = {
    action: action.name.lower() for action in (Action.PASS, Action.NONE, Action.FINISH, Action.BUILD, Action.DECLINE)
}


def open_actions(s: State, p: int) -> list[int]:
    """What p may choose now."""
    if p < 0 or not actions.actors(s) >> p & 1:
        return []
    out = [0] * ACTIONS
    return out[: actions.legal(s, p, out)]


def is_button(a: int) -> bool:
    """Whether an action has no piece of its own."""
    return a in BUTTONS or Action.FEED <= a < Action.OBELISK


def button_id(a: int) -> str:
    """The id of the button of such an action."""
    if a in BUTTONS:
        return f"do-{BUTTONS[a]}"
    if a < Action.SELL:
        return f"do-feed-{a - Action.FEED}"
    return f"do-sell-{a - Action.SELL}" if a < Action.NUMBER else f"do-draw-{a - Action.NUMBER + 1}"


BUTTON_IDS = {button_id(a): int(a) for a in BUTTONS}
CREW_STEPS = (Step.RAISE, Step.LOWER, Step.BASIC, Step.BASIC2, Step.LEADER)


def place_id(s: State, location: int) -> str:
    """The sprite of a location: the card or tile that lies there, or the space of a dock."""
    if location < Location.TILE:
        return f"card-{s.river[location] - 1}"
    if location < Location.DOCK:
        return f"tile-{s.laid[location - Location.TILE]}"
    if location < Location.BANK:
        dock, space = divmod(location - Location.DOCK, DOCK_SPACES)
        return f"berth-{dock}-{space}"
    return f"berth-{location - Location.BANK}-late"


def piece_id(s: State, p: int, a: int) -> str:
    """The sprite that p clicks for a choice."""
    if is_button(a):
        return button_id(a)
    if a < Action.CREW:
        return place_id(s, a - Action.PLACE)
    if a < Action.RING:
        return f"crew-{p}-{a - Action.CREW}"
    if a < Action.CARD:
        return f"ring-{a - Action.RING + 1}"
    if a < Action.BONUS:
        return f"field-{p}" if a - Action.CARD == STARTER else f"card-{a - Action.CARD}"
    if a < Action.TOKEN:
        return f"eye-{p}-{s.bonus_tile.index(a - Action.BONUS)}"
    if a < Action.FEED:
        return f"token-{p}" if a < Action.SPHINX else f"sphinx-{a - Action.SPHINX}"
    if a == Action.OBELISK:
        return f"obelisk-{monuments.obelisk_height(s)}"
    if a == Action.COLUMN:
        return f"column-{p}-{s.columns[p]}"
    if a < Action.ROW:
        return f"level-{a - Action.STATUE}-{s.level[p][a - Action.STATUE]}"
    if a < Action.MARKET:
        return f"row-{a - Action.ROW}-{monuments.row_length(s, a - Action.ROW)}"
    return f"market-{a - Action.MARKET}"


def paths(s: State, p: int) -> dict[int, tuple[str, ...]]:
    """What p clicks for each choice: one sprite."""
    return {a: (piece_id(s, p, a),) for a in open_actions(s, p)}


def dock_of(a: int) -> int:
    """The dock whose monument stands for a choice: one of its spaces for ships, or a space to build on; -1 for others."""
    if Action.PLACE + Location.DOCK <= a < Action.PLACE + Location.BANK:
        return (a - Action.PLACE - Location.DOCK) // DOCK_SPACES
    if Action.PLACE + Location.BANK <= a < Action.CREW:
        return a - Action.PLACE - Location.BANK
    if Action.OBELISK <= a < Action.MARKET:
        return Dock.OBELISK if a < Action.STATUE else Dock.STATUES
    return -1


def aliases(s: State, p: int) -> dict[str, list[tuple[str, ...]]]:
    """A monument for its docks, its spaces, or the button that begins to build there; the spaces of a market for the market."""
    found: dict[str, list[tuple[str, ...]]] = {}
    for a, path in paths(s, p).items():
        dock = s.docking - 1 if a == Action.BUILD else dock_of(a)
        if dock >= 0:
            found.setdefault(f"monument-{dock}", []).append(path)
        if a >= Action.MARKET:
            market = a - Action.MARKET
            top = GRAIN_SPACES if market == Market.GRAIN else tracks.stone_top(s)
            found |= {f"market-space-{market}-{space}": [path] for space in range(1, top + 1)}
    return found


def closed(s: State, p: int) -> dict[str, int]:
    """Places of the river that no ship of p can reach now, crews that cannot be chosen, and buttons that are greyed."""
    offered = open_actions(s, p)
    if not offered:
        return {}
    found = {button_id(a): int(a) for a in closed_buttons(s, offered)}
    if s.step == Step.LOCATION:
        places = [location for location in range(Location.BANK) if is_there(s, location)]
        found |= {place_id(s, location): Action.PLACE + location for location in places}
    if s.step in CREW_STEPS:
        found |= {f"crew-{p}-{crew}": Action.CREW + crew for crew in range(len(CREWS))}
    return {name: a for name, a in found.items() if a not in offered}


def closed_buttons(s: State, offered: Sequence[int]) -> list[int]:
    """Buttons of a step that are greyed as long as they cannot be chosen."""
    if s.step == Step.LOCATION:
        usual = [Action.PASS]
    elif s.step == Step.SPACE:
        usual = [Action.FINISH]
    else:
        usual = [Action.NONE] if s.step in (Step.BASIC2, Step.POWER) else []
    return [a for a in usual if a not in offered]


def is_there(s: State, location: int) -> bool:
    """Has a location a sprite of its own now?"""
    if location < Location.TILE:
        return bool(s.river[location])
    if location < Location.DOCK:
        return s.round > 0 and bool(TILE_OPEN[s.players - 2][location - Location.TILE])
    return True


def meant(s: State, p: int, path: tuple[str, ...]) -> int:
    """The action that a click on the last of these sprites means, open or not."""
    if path[-1] in BUTTON_IDS:
        return BUTTON_IDS[path[-1]]
    late = re.fullmatch(r"berth-(\d)-late", path[-1])
    if late:
        return Action.PLACE + Location.BANK + int(late[1])
    space = re.fullmatch(r"space-([CT])(\d+)", path[-1])
    if space:
        return Action.PLACE + (Location.CARD if space[1] == "C" else Location.TILE) + int(space[2]) - 1
    piece = re.fullmatch(r"([a-z]+)-(\d+)(?:-(\d+))?", path[-1])
    return meant_piece(s, p, piece[1], int(piece[2]), int(piece[3] or 0)) if piece else -1


def meant_piece(s: State, p: int, kind: str, n: int, m: int) -> int:
    """The same for a piece by its kind and its numbers."""
    if kind == "card":
        on_river = s.step == Step.LOCATION and 1 + n in s.river
        return Action.PLACE + s.river.index(1 + n) if on_river else Action.CARD + n
    if kind == "tile" and n in s.laid:
        return Action.PLACE + Location.TILE + s.laid.index(n)
    if kind == "berth":
        return Action.PLACE + Location.DOCK + DOCK_SPACES * n + m
    if kind == "monument":
        if s.step == Step.LOCATION:
            return Action.PLACE + Location.DOCK + DOCK_SPACES * n
        return -1 if n == Dock.SPHINX else Action.OBELISK if n == Dock.OBELISK else Action.STATUE
    if kind in ("crew", "eye", "token", "column") and n != p:
        return -1  # another player's
    by_second = {"crew": Action.CREW + m, "eye": Action.BONUS + s.bonus_tile[min(m, 1)], "token": Action.TOKEN}
    by_first = {"ring": Action.RING + n - 1, "sphinx": Action.SPHINX + n, "obelisk": Action.OBELISK, "column": Action.COLUMN}
    building = {"level": Action.STATUE + n, "row": Action.ROW + n, "market": Action.MARKET + n}
    return (by_second | by_first | building).get(kind, -1)
