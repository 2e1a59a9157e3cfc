"""What a person reads and types: codes here; names, prompts, sentences, log, refusals and text board in modules of their own."""

from __future__ import annotations

from ..rules import components
from .board import board
from .explanations import explain
from .log import log_lines
from .names import LOCATION_CODES, piece_names
from .prompts import chapter, next_prompt, prompt
from .reasons import REASONS, reasons
from .refusals import refusal
from .sentences import sentence

CODES = (
    *("pass", "none", "finish", "build", "decline"),
    *LOCATION_CODES,
    *components.CREWS,
    *(f"ring{position}" for position in range(1, components.RING_POSITIONS + 1)),
    *components.CARD_NAMES,
    "starter",
    *components.BONUS_NAMES,
    "NT8",
    *components.SPHINX_NAMES,
    *(f"feed{stones}" for stones in range(components.STORE + 1)),
    *(f"sell{groups}" for groups in range(components.SELL_MOST + 1)),
    *(f"draw{n}" for n in range(1, max(components.SPHINX_MOST) + 1)),
    *("obelisk", "column"),
    *(f"statue{place}" for place in range(1, components.STATUES_IN_PLAY + 1)),
    *(f"row{row}" for row in range(1, components.PYRAMID_ROWS + 1)),
    *(f"market-{market}" for market in components.MARKETS),
)
