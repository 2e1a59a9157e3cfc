"""How Cleocatra is drawn."""

from .choices import aliases, closed, meant, paths
from .layout import SEAT_COLOURS
from .motion import moved_sprites
from .pictures import PICTURES
from .scene import scene
from .seats import breakdown
