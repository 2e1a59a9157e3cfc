"""What a person clicks on the drawn table of Egizia: the choices that are open, and the sprite of each."""

from __future__ import annotations

from ..rules import actions, monuments
from ..rules.components import DOCK_SPACES, STARTER
from ..rules.state import ACTIONS, Action, Location, State

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
