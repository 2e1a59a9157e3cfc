"""How the table is drawn, and where one clicks."""

from .layout import SEAT_COLOURS
from .pictures import PICTURES
from .scene import moved_sprite, paths, scene
from .seats import breakdown
