"""What the pieces on the table are for."""

from __future__ import annotations

from perankh.engine.text import explained, kind_and_numbers, listed, reconstruction_note

from ..rules import components, market
from ..rules.state import State
from .names import WORDS

# The site that a kind of sprites belongs to.
PARTS = {
    "pyramid": ("cell-p", "pyramid", "beside", "bonus", "build", "level", "points-p", "pending"),
    "temple": ("cell-t", "temple", "reward"),
    "burial": ("cell-b", "burial", "group", "groups", "place-b", "places-b"),
    "obelisk": ("obelisk", "pile", "piles", "slot", "erected", "place-o", "places-o", "loose"),
    "market": ("place",),
}
SITE_OF_KIND = {kind: site for site, kinds in PARTS.items() for kind in kinds}


def explain(s: State, name: str, _viewer: int, lang: str) -> str:
    """What a sprite is for; "" if there is nothing to say about it."""
    kind, numbers = kind_and_numbers(name)
    first, _, rest = kind.partition("-")
    if first in ("site", "dock"):
        site = rest if rest in components.SITE_NAMES else components.SITE_NAMES[numbers[0]]
        return (WORDS.say("explain.dock", lang) + "\n" if first == "dock" else "") + explain_site(s, site, lang)
    belongs = SITE_OF_KIND.get(kind) or SITE_OF_KIND.get(kind.rpartition("-")[0])
    if belongs:
        return explain_site(s, belongs, lang)
    card = card_of(s, kind, numbers)
    if card >= 0:
        return WORDS.say(f"explain.card.{components.CARDS[card]}", lang, **values(s, lang))
    return explained(WORDS, kind, lang, **values(s, lang))


def card_of(s: State, kind: str, numbers: list[int]) -> int:
    """The market card that a sprite shows, or -1."""
    if kind.startswith("offer"):
        return s.market[numbers[0]] - 1
    if kind == "hidden" or kind.startswith("hidden-"):
        return market.hidden_kind(s, numbers[0])
    if kind == "held":
        return numbers[1]
    if kind == "playing":
        shown = [s.played - 1] if s.played else []
        return (shown + [card for card in range(components.REDS) for _ in range(s.red[card])])[numbers[0]]
    return -1


def explain_site(s: State, site: str, lang: str) -> str:
    """How a site scores on the side that is played."""
    side = "ab"[int(getattr(s, f"{site}_side"))]
    said = WORDS.say(f"explain.site.{site}.{side}", lang, **values(s, lang))
    if s.wrath and site != "market":
        said += "\n" + WORDS.say("explain.wrath", lang, **values(s, lang))
    return said + reconstruction_note(WORDS, components.COMPONENTS, f"{site}_{side}", lang)


def values(s: State, lang: str) -> dict[str, object]:
    """The printed numbers that explanations name."""
    return {
        "beside": components.BESIDE_POINTS[s.pyramid_side],
        "rows": listed([str(n) for n in components.BURIAL_PLACES[s.players - 2][: s.players]], lang),
        "heights": listed([str(n) for n in components.OBELISK_PLACES[s.players - 2][: s.players]], lang),
        "sets": listed([str(n) for n in components.SET_VALUES[1:]], lang),
        "further": components.EACH_FURTHER,
        "stones": components.OBELISK_STONES,
        "loose": components.LOOSE_POINTS,
        "blue": components.BLUE_POINTS,
        "per": components.STONES_PER_POINT,
        "sled": components.SLED,
        "fetch": components.FETCH_MOST,
        "rounds": components.ROUNDS,
        "wrath": components.WRATH,
    }
