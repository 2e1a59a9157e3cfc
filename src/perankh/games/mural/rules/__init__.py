"""The rules of Nile Mural: every card has its own cell on the wall, and none may be placed in the shadow of the card before.

The clause ids (MUR-...) are those of the rule specification. The deck is a set of unseen cards: a card is drawn the moment it
is turned over.
"""

from .actions import ACTIONS, DRAW, STOP, actors, apply, legal
from .components import COMPONENTS
from .events import Event
from .hidden import HIDDEN, redeal, veil
from .invariants import INVARIANTS, violated
from .observation import DERIVED, FEATURES, observe
from .scoring import ENDINGS, ending, ranks, scores
from .set_up import setup
from .state import PLAYERS, State

VERSION = 1
