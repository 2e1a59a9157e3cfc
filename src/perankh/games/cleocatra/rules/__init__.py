"""The rules of Cleocatra: cat tiles on a triangular grid, rescuers who score them, inspectors who bar them.

The clause ids (CLE-...) are those of the rule specification. Tiles are numbered in the order in which they are laid. A set of
tiles is a number with bit t set for tile t; a single tile that is kept or passed on is a set of one, 0 for none. Nothing is
hidden: the order of the deck is decided only when a tile is turned up.
"""

from .actions import actors, apply, legal
from .components import COMPONENTS
from .events import Event
from .invariants import INVARIANTS, violated
from .observation import DERIVED, FEATURES, observe
from .scoring import ENDINGS, TRUNCATING, ending, ranks, scores
from .set_up import setup
from .state import ACTIONS, PLAYERS, State

VERSION = 1
