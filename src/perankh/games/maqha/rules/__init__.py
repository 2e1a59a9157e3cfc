"""The rules of Maqha: tokens won in sealed bids go into a brimming glass, and whoever makes it overflow has lost.

The clause ids (MAQ-...) are those of the rule specification. The advanced rules need three players and the classic rules need
the glass: `settle_options` sets the options `rules` and `vessel` accordingly, so that a state always shows what is played.
"""

from .actions import ACTIONS, actors, apply, legal
from .components import COMPONENTS
from .events import Event
from .hidden import HIDDEN, redeal, veil
from .invariants import INVARIANTS, violated
from .observation import DERIVED, FEATURES, observe
from .scoring import ENDINGS, ending, ranks, scores
from .set_up import settle_options, setup
from .state import PLAYERS, State

VERSION = 1
UNSURE = (Event.SHOWN, Event.HAND_UP, Event.HAND_DOWN)  # they turn up what others have decided unseen
