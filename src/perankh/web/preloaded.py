"""What worker processes need, loaded by importing this module: they are forked from a process that has done so."""

from perankh.web import catalog, rendering, replays

catalog.offered_games()

__all__ = ["rendering", "replays"]
