"""What choosing an action means."""

from __future__ import annotations

from perankh.engine.api import sets

from ..rules.actions import ACCIDENT, ALL, BID, CELL, DROP, HELD, NOBODY, PASS, RAISE, SINGLE, SPILLED, STAY, THROW
from ..rules.components import SLOTS
from ..rules.state import State, Step
from .names import SLOT_LETTERS, WORDS, bid_name, kind_name, seat_name, seconds, tokens_name, tokens_of_lot


def sentence(s: State, p: int, a: int, lang: str) -> str:
    """What choosing `a` means."""
    if a < BID:
        n = a - DROP + 1
        return WORDS.say("do.drop_one", lang) if n == 1 else WORDS.say("do.drop_many", lang, n=n)
    if a < THROW:
        return sentence_of_bid(s, p, a - BID + 1, lang)
    if a == THROW:
        return WORDS.say("do.throw", lang, tokens=tokens_name(tokens_of_lot(s), lang))
    if a in (PASS, STAY):
        return WORDS.say("do.pass" if a == PASS else "do.stay", lang)
    if a < SINGLE:
        return WORDS.say("do.raise_later", lang, seconds=seconds(a - RAISE)) if a > RAISE else WORDS.say("do.raise", lang)
    if a < ALL:
        return WORDS.say("do.kind" if s.step == Step.KIND else "do.single", lang, kind=kind_name(a - SINGLE, lang))
    if a == ALL:
        return WORDS.say("do.all", lang, tokens=tokens_name(s.to_go, lang))
    if a < HELD:
        return sentence_of_cell(s, a - CELL, lang)
    if a in (HELD, SPILLED):
        return WORDS.say("do.held" if a == HELD else "do.spilled", lang)
    if a == NOBODY:
        return WORDS.say("do.accident_nobody", lang)
    return WORDS.say("do.accident", lang, who=seat_name(a - ACCIDENT, lang))


def sentence_of_bid(s: State, p: int, card: int, lang: str) -> str:
    """What bidding a card for the next slot means; of the last two cards the other goes to E by itself."""
    words = {"card": bid_name(card, lang), "slot": SLOT_LETTERS[s.fixed[p]]}
    if s.fixed[p] == SLOTS - 2 and s.slots == SLOTS:
        other = next(other for other in sets.members(s.hand[p]) if other != card)
        return WORDS.say("do.bid_both", lang, other=bid_name(other, lang), **words)
    return WORDS.say("do.bid", lang, **words)


def sentence_of_cell(s: State, cell: int, lang: str) -> str:
    """What placing the token on a cell means."""
    kind = kind_name(s.kind, lang)
    if s.top[cell] == 0:
        return WORDS.say("do.cell_bare", lang, kind=kind, cell=cell)
    top = kind_name(s.top[cell] - 1, lang)
    return WORDS.say("do.cell_on", lang, kind=kind, cell=cell, height=s.height[cell] / 2, top=top)
