"""Setting up, and turning up tiles."""

from __future__ import annotations

from perankh.engine.api import below, masks, rule, tell

from . import components, tiles, turn
from .events import Event
from .state import State, Step


@rule
def setup(s: State) -> None:
    """Make the deck; the start player lays the first tile in the middle and stands on it (CLE-S1 to CLE-S6)."""
    for c in range(components.KINDS):
        s.deck[c] = components.TILE_COUNTS[c] - components.REMOVED[c] if s.players == 2 else components.TILE_COUNTS[c]
    s.start = s.start_player if s.start_player >= 0 else below(s, s.players)
    reveal(s, s.start)
    set_up_tile(s, s.start, tiles.FIRST_CELL)


@rule
def reveal(s: State, p: int) -> None:
    """Turn up the top tile of the deck: any tile left is as likely (CLE-S2, CLE-A1)."""
    place = below(s, tiles.deck_size(s))
    c = 0
    while place >= s.deck[c]:
        place -= s.deck[c]
        c += 1
    s.deck[c] -= 1
    s.revealed = c + 1
    tiles.mark_sites(s)
    tell(s, Event.REVEALED, p, c)


@rule
def lay(s: State, cell: int) -> int:
    """Lay the revealed tile on a cell; returns it (CLE-A1, CLE-A2)."""
    t = s.laid
    s.laid += 1
    s.colour[s.revealed - 1] |= 1 << t
    s.revealed = 0
    tiles.put_tile(s, t, cell)
    return 1 << t


@rule
def set_up_tile(s: State, p: int, cell: int) -> None:
    """Lay the own tile of the set-up with a rescuer on it; then the next player, or the first turn (CLE-S6 to CLE-S8)."""
    tile = lay(s, cell)
    s.rescuers[p] = tile
    tell(s, Event.SET_UP, p, masks.first(tile))
    s.turn = (p + 1) % s.players
    if s.turn == s.start:
        turn.begin_turn(s)
    else:
        reveal(s, s.turn)
        s.step = Step.SETUP_CELL
