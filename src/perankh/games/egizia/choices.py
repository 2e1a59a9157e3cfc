"""What a person clicks on the drawn table of Egizia: the choices that are open, and the sprite of each."""

from __future__ import annotations

from .monuments import obelisk_height, row_length
from .printed import DOCK_SPACES, STARTER
from .rules import actors, legal
from .table import (
    ACTIONS,
    BONUS,
    BUILD,
    CARD,
    COLUMN,
    CREW,
    DECLINE,
    FEED,
    FINISH,
    FIRST_DOCK,
    FIRST_SPECULATION,
    FIRST_TILE,
    MARKET,
    NONE,
    NUMBER,
    OBELISK,
    PASS,
    PLACE,
    RING,
    ROW,
    SELL,
    SPHINX,
    STATUE,
    TOKEN,
    State,
)

BUTTONS = {PASS: "pass", NONE: "none", FINISH: "finish", BUILD: "build", DECLINE: "decline"}


def open_actions(s: State, p: int) -> list[int]:
    """What p may choose now."""
    if p < 0 or not actors(s) >> p & 1:
        return []
    out = [0] * ACTIONS
    return out[: legal(s, p, out)]


def is_button(a: int) -> bool:
    """Whether an action has no piece of its own."""
    return a in BUTTONS or FEED <= a < OBELISK


def button_id(a: int) -> str:
    """The id of the button of such an action."""
    if a in BUTTONS:
        return f"do-{BUTTONS[a]}"
    if a < SELL:
        return f"do-feed-{a - FEED}"
    return f"do-sell-{a - SELL}" if a < NUMBER else f"do-draw-{a - NUMBER + 1}"


def place_id(s: State, location: int) -> str:
    """The sprite of a location: the card or tile that lies there, or the space of a dock."""
    if location < FIRST_TILE:
        return f"card-{s.river[location] - 1}"
    if location < FIRST_DOCK:
        return f"tile-{s.laid[location - FIRST_TILE]}"
    if location < FIRST_SPECULATION:
        dock, space = divmod(location - FIRST_DOCK, DOCK_SPACES)
        return f"berth-{dock}-{space}"
    return f"berth-{location - FIRST_SPECULATION}-late"


def piece_id(s: State, p: int, a: int) -> str:
    """The sprite that p clicks for a choice."""
    if is_button(a):
        return button_id(a)
    if a < CREW:
        return place_id(s, a - PLACE)
    if a < RING:
        return f"crew-{p}-{a - CREW}"
    if a < CARD:
        return f"ring-{a - RING + 1}"
    if a < BONUS:
        return f"field-{p}" if a - CARD == STARTER else f"card-{a - CARD}"
    if a < TOKEN:
        return f"eye-{p}-{s.bonus_tile.index(a - BONUS)}"
    if a < FEED:
        return f"token-{p}" if a < SPHINX else f"sphinx-{a - SPHINX}"
    if a == OBELISK:
        return f"obelisk-{obelisk_height(s)}"
    if a == COLUMN:
        return f"column-{p}-{s.columns[p]}"
    if a < ROW:
        return f"level-{a - STATUE}-{s.level[p][a - STATUE]}"
    if a < MARKET:
        return f"row-{a - ROW}-{row_length(s, a - ROW)}"
    return f"market-{a - MARKET}"


def paths(s: State, p: int) -> dict[int, tuple[str, ...]]:
    """What p clicks for each choice: one sprite."""
    return {a: (piece_id(s, p, a),) for a in open_actions(s, p)}
