"""The names of the things on the table, and the codes of actions."""

from __future__ import annotations

from pathlib import Path

from perankh.engine.api import Words, sets
from perankh.engine.text import listed

from ..rules import glass
from ..rules.components import CARD_KIND, CARD_POINTS, CARD_TOKENS, CELLS, EYE, KINDS, NUMBERS, SEATS, STAMPS, TICKS, TOKENS
from ..rules.state import State, Vessel

WORDS = Words(Path(__file__).parents[1] / "words.toml")
seat_name = WORDS.seat_name
CODES = (
    *(f"drop{n}" for n in range(1, TOKENS[0] + 1)),
    *(f"bid{number}" for number in range(1, NUMBERS + 1)),
    *("eye", "throw", "pass", "stay"),
    *(f"raise{stamp}" for stamp in range(STAMPS)),
    *KINDS,
    "all",
    *(f"cell{cell}" for cell in range(CELLS)),
    *("held", "spilled"),
    *(f"accident{p}" for p in range(SEATS)),
    "accident-nobody",
)
SLOT_LETTERS = "ABCDE"
TICK = 1000 // TICKS  # milliseconds


def bid_name(card: int, lang: str) -> str:
    """The name of a bid card."""
    return WORDS.say("thing.eye", lang) if card == EYE else WORDS.say("thing.number", lang, number=card)


def bid_mark(card: int, lang: str, eye: str = "thing.eye_short") -> str:
    """A bid card where there is little room: its number, or a word for the Eye."""
    return WORDS.say(eye, lang) if card == EYE else str(card)


def kind_name(kind: int, lang: str) -> str:
    """The name of a kind of token."""
    return WORDS.say(f"kind.{KINDS[kind]}", lang)


def card_name(card: int, lang: str) -> str:
    """The name of a score card: kind and points."""
    return WORDS.say("thing.card", lang, kind=kind_name(CARD_KIND[card], lang), points=CARD_POINTS[card])


def lot_name(cards: list[int], lang: str) -> str:
    """A set of score cards in words."""
    return listed([card_name(card, lang) for card in sets.members(cards)], lang)


def tokens_name(numbers: list[int], lang: str) -> str:
    """So many tokens of each kind."""
    texts = [
        WORDS.say(f"tokens.{KINDS[kind]}_{'one' if n == 1 else 'many'}", lang, n=n) for kind, n in enumerate(numbers) if n > 0
    ]
    return listed(texts, lang) if texts else WORDS.say("tokens.none", lang)


def tokens_of_lot(s: State) -> list[int]:
    """The tokens of the lot that is to be thrown, as far as the supply has them."""
    wanted = [0] * len(KINDS)
    for card in sets.members(s.lot[s.slot]):
        wanted[CARD_KIND[card]] += CARD_TOKENS[card]
    return [min(n, left) for n, left in zip(wanted, s.supply, strict=True)]


def points_name(n: int, lang: str) -> str:
    """So many points."""
    return WORDS.say("points.one" if n == 1 else "points.many", lang, n=n)


def millimetres(micrometres: int) -> str:
    """A height in millimetres with two decimals (MAQ-G14), never -0.00."""
    return f"{round(micrometres / 1000, 2) + 0.0:.2f}"


def reading_shown(s: State) -> int:
    """The height of the dome in micrometres, as it is shown: the liquid only rises, so a lower reading is an error of the eye."""
    return max(s.reading[: s.readings])


def capacity_text(s: State, capacity: int, lang: str) -> str:
    """How high a dome a glass of some capacity would have held."""
    return WORDS.say("log.glass", lang, height=millimetres(glass.dome_height(glass.liquid_of(s), capacity)))


def seconds(ticks: int) -> str:
    """Ticks of live hands as seconds."""
    return f"{ticks * TICK / 1000:.1f}"


def spilled_text(s: State, p: int, lang: str) -> str:
    """That p made the vessel spill."""
    return WORDS.say("spilled.tray" if s.vessel == Vessel.TRAY else "spilled.glass", lang, who=seat_name(p, lang))
