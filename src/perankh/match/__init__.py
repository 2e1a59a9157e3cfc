"""A game being played: moves, undo, views, the match file, replay and verification."""

from perankh.match.file import load
from perankh.match.match import Match, Move, View, seed_hash

__all__ = ["Match", "Move", "View", "load", "seed_hash"]
