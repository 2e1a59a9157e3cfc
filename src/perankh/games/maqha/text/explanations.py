"""What the pieces on the table are for."""

from __future__ import annotations

from perankh.engine.text import explained, kind_and_numbers, reconstruction_note

from ..rules import glass
from ..rules.components import COMPONENTS, KICK, KINDS, LAST_LOT_TIMES, SET_BONUS, VOLUME, Kind
from ..rules.state import RuleSet, State, Step
from .names import WORDS, card_name, millimetres
from .outlooks import room_text

GLASS = ("stage", "level", "band", "zone", "before", "dome", "glass", "liquid", "scale", "fact", "rim", "waves")
BIDS = ("bid", "hand", "order")


def explain(s: State, name: str, viewer: int, lang: str) -> str:
    """What a sprite is for; "" if there is nothing to say about it."""
    kind, numbers = kind_and_numbers(name)
    if kind in GLASS and glass.is_used(s):
        return explain_glass(s, viewer, lang)
    if kind in KINDS:
        number, coin = KINDS.index(kind), VOLUME[Kind.COIN]
        key = "token-tray" if not glass.is_used(s) else "token-coin" if number == Kind.COIN else "token"
        said = WORDS.say(f"explain.{key}", lang, coins=f"{VOLUME[number] / coin:g}", wave=f"{KICK[number] / coin:g}")
        return said + reconstruction_note(WORDS, COMPONENTS, "token_in_glass" if glass.is_used(s) else "token_on_tray", lang)
    if kind == "card":
        said = WORDS.say("explain.card", lang, card=card_name(numbers[0], lang), bonus=SET_BONUS)
        return said + reconstruction_note(WORDS, COMPONENTS, "score_cards", lang)
    if kind in BIDS:
        return WORDS.say("explain.bid", lang)
    return explained(WORDS, kind, lang, bonus=SET_BONUS, times=LAST_LOT_TIMES)


def explain_glass(s: State, viewer: int, lang: str) -> str:
    """The glass: what is read of it, and how much more it holds as far as one can tell."""
    rules = "classic" if s.rules == RuleSet.CLASSIC else "advanced"
    said = WORDS.say(f"explain.glass_{rules}", lang, error=millimetres(s.reading_error))
    said += "\n" + WORDS.say("explain.zones", lang)
    if s.step != Step.OVER:
        said += "\n" + WORDS.say("explain.room", lang, room=room_text(s, max(viewer, 0), lang))
        said += "\n" + WORDS.say("explain.measures", lang, added=s.added, wave=s.wave, peak=s.peak)
    return said + reconstruction_note(WORDS, COMPONENTS, "dome", lang)
