"""How Nile Mural is drawn, and where one clicks."""

from .layout import SEAT_COLOURS
from .motion import moved_sprites, previewed, routes
from .pictures import PICTURES
from .scene import aliases, breakdown, closed, meant, paths, scene, tie_breaks, unscored
