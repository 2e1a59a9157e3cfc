"""Training of networks by play against themselves: `perankh train`. Needs torch."""

from perankh.train.run import Training, train

__all__ = ["Training", "train"]
