"""The drawn table of Egizia, and where one clicks."""

from ..text.names import SEAT_COLOURS
from .clicks import aliases, closed, meant, paths
from .motion import moved_sprites
from .pictures import PICTURES
from .scene import breakdown, scene, tie_breaks
