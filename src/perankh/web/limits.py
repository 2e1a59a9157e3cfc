"""Rate limits: a token bucket for each key, in bounded memory."""

from __future__ import annotations

import time
from collections import OrderedDict
from dataclasses import dataclass

MOST_KEYS = 20_000


@dataclass(frozen=True)
class Limits:
    """How much anybody may ask for: requests a second, and how many at once."""

    token: tuple[float, float] = (30.0, 120.0)
    address: tuple[float, float] = (200.0, 2000.0)
    body: int = 256_000
    frame: int = 4096
    sockets: int = 2000  # live connections of one address


class Buckets:
    """Buckets that refill at `rate` a second up to `most`; the key longest unused is forgotten first."""

    def __init__(self, rate: float, most: float) -> None:
        self.rate = rate
        self.most = most
        self.levels: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, key: str) -> bool:
        """Take one from the bucket of a key; False if it is empty."""
        now = time.monotonic()
        level, since = self.levels.pop(key, (self.most, now))
        level = min(self.most, level + (now - since) * self.rate)
        granted = level >= 1
        self.levels[key] = (level - 1 if granted else level, now)
        if len(self.levels) > MOST_KEYS:
            self.levels.popitem(last=False)
        return granted
