"""How Maqha is drawn, and where one clicks."""

from .buttons import paths
from .layout import SEAT_COLOURS
from .pictures import PICTURES
from .scene import breakdown, scene
