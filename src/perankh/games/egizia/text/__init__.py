"""What a person sees of Egizia: codes; sentences and questions, refusals, log and text board are in modules of their own."""

from __future__ import annotations

from .board import board
from .log import told
from .printed import (
    BONUS_NAMES,
    CARD_NAMES,
    CREWS,
    MARKETS,
    PYRAMID_ROWS,
    SELL_MOST,
    SPHINX_MOST,
    SPHINX_NAMES,
    STATUES_IN_PLAY,
    STORE,
)
from .refusals import refusal
from .sentences import prompt, sentence
from .speech import LOCATION_CODES, WORDS, seat_name

__all__ = ["CODES", "WORDS", "board", "prompt", "refusal", "seat_name", "sentence", "told"]

CODES = (
    *("pass", "none", "finish", "build", "decline"),
    *LOCATION_CODES,
    *CREWS,
    *(f"ring{position}" for position in range(1, 4)),
    *CARD_NAMES,
    "starter",
    *BONUS_NAMES,
    "NT8",
    *SPHINX_NAMES,
    *(f"feed{stones}" for stones in range(STORE + 1)),
    *(f"sell{groups}" for groups in range(SELL_MOST + 1)),
    *(f"draw{n}" for n in range(1, max(SPHINX_MOST) + 1)),
    *("obelisk", "column"),
    *(f"statue{place}" for place in range(1, STATUES_IN_PLAY + 1)),
    *(f"row{row}" for row in range(1, PYRAMID_ROWS + 1)),
    *(f"market-{market}" for market in MARKETS),
)
