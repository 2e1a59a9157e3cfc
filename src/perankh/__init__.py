"""Per-Ankh: a house for board games."""

__version__ = "0.1.0"
