"""What worker processes need, loaded by importing this module: they are forked from a process that has done so."""

import gc

from perankh.web import catalog, rendering, replays

catalog.offered_games()
gc.collect()
gc.freeze()  # workers need not look at what is there before them, and so do not get copies of the memory it lies in

__all__ = ["rendering", "replays"]
