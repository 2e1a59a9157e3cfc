"""Environments for learning: many games stepped together."""

from perankh.envs.batches import Batch, Step, batch

__all__ = ["Batch", "Step", "batch"]
