"""The rules of Egizia: ships go down the Nile for cards, crews and docks; then crews are fed and five monuments built.

The clause ids (EGZ-...) are those of the rule specification. `actions` lists what may be chosen and carries it out,
`rounds` goes through the phases; placement, effects, feeding, building, monuments, the Sphinx and scoring have their own modules.
"""

from .actions import actors, apply, legal
from .components import COMPONENTS
from .events import Event
from .hidden import HIDDEN, redeal, veil
from .invariants import INVARIANTS, violated
from .observation import DERIVED, FEATURES, observe
from .scoring import ENDINGS, ending, ranks, scores
from .set_up import setup
from .state import ACTIONS, PLAYERS, State

VERSION = 1
UNSURE = (Event.SAW,)  # it turns up a card of the deck
