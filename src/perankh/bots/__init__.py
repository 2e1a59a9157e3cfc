"""Bots: players that see what their seat may see and nothing more."""

from perankh.bots.bots import BOTS, LEVELS, Bot, seen, think
from perankh.bots.mind import is_ready, mind_of

__all__ = ["BOTS", "LEVELS", "Bot", "is_ready", "mind_of", "seen", "think"]
