"""How Nile Mural is drawn, and where one clicks."""

from .layout import SEAT_COLOURS
from .motion import moved_sprites, routes
from .pictures import PICTURES
from .scene import aliases, breakdown, meant, paths, scene
