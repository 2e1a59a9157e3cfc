"""How Maqha is drawn, and where one clicks."""

from .clicks import aliases, closed, meant, paths
from .layout import SEAT_COLOURS
from .motion import moved_sprites
from .pictures import PICTURES
from .scene import breakdown, closing, scene, tie_breaks
