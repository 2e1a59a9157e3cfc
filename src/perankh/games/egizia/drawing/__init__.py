"""The drawn table of Egizia, and where one clicks."""

from ..text.names import SEAT_COLOURS
from .clicks import paths
from .pictures import PICTURES
from .scene import breakdown, scene
