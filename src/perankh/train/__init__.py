"""Trains networks by self-play and by search (`perankh train`). Needs torch."""

from perankh.train.run import Training, train

__all__ = ["Training", "train"]
