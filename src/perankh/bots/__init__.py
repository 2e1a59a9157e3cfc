"""Bots: players that see what their seat may see and nothing more."""

from perankh.bots.bots import BOTS, seen, think

__all__ = ["BOTS", "seen", "think"]
