"""The rules of Imhotep: stones go by ship to five building sites, and whoever sails a ship decides for everybody on board.

The clause ids (IMH-...) are those of the rule specification.
"""

from .actions import ACTIONS, actors, apply, legal
from .components import COMPONENTS
from .events import Event
from .hidden import HIDDEN, redeal, veil
from .invariants import INVARIANTS, violated
from .observation import DERIVED, FEATURES, observe
from .scoring import ENDINGS, ending, ranks, scores
from .set_up import setup
from .state import PLAYERS, State

VERSION = 1
