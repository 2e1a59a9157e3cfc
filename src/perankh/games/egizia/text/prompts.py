"""What is asked at each step."""

from __future__ import annotations

from perankh.engine.api import masks

from ..rules import building, effects, feeding
from ..rules.components import CARDS, GRAIN_GROUP, GRAIN_LOSS, LEFTOVER, RETURNED_VP, RIVER, Market
from ..rules.state import Action, KeepTwo, Location, State, Step
from . import names
from .names import WORDS

CHAPTERS = (
    {Step.START: "setup", Step.LOCATION: "ships", Step.RING: "tracks", Step.NUMBER: "sphinx", Step.LATE: "docks"}
    | dict.fromkeys((Step.RAISE, Step.LOWER, Step.MARKET), "tracks")
    | dict.fromkeys((Step.GRAIN, Step.FEED, Step.SELL), "feeding")
    | dict.fromkeys((Step.KEEP, Step.KEEP_MORE, Step.KEEP_SECOND, Step.RETURN), "sphinx")
    | dict.fromkeys((Step.OCCUPIED, Step.UPSTREAM, Step.DOUBLE, Step.ATTACH, Step.SECOND, Step.LEFTOVER), "actions")
)
DOCK_CHAPTERS = ("obelisk", "statues", "sphinx")  # where bricks go, by dock


def prompt(s: State, p: int, lang: str) -> str:
    """What p has to decide now."""
    key = names.step_key(s)
    if s.step == Step.LOCATION and s.extra:
        key = "location_extra"
    elif s.step == Step.LOCATION and s.frontier[p]:
        key = "location_below"
    elif s.step == Step.KEEP_MORE and s.keep2_when == KeepTwo.BEFORE_DRAW:
        key = "keep_more_before"
    elif s.step == Step.GRAIN and s.harvest >= feeding.need(s, p):
        key = "grain_enough"
    elif s.step == Step.LOWER and effects.number_of_part(s, 1) == 0:
        key = "lower_only"
    return WORDS.say(f"prompt.{key}", lang, **question_words(s, p, lang))


def chapter(s: State, _p: int) -> str:
    """The chapter of the guides that concerns a decision."""
    if s.step == Step.SPACE:
        return DOCK_CHAPTERS[s.docking - 1]
    return CHAPTERS.get(Step(s.step), "building")


def question_words(s: State, p: int, lang: str) -> dict[str, object]:
    """What can be said in a question."""
    words: dict[str, object] = {
        "ships": s.ships[p],
        "stones": names.stones_text(s.stones[p], lang),
        "power": s.power,
        "budget": s.budget,
    }
    words["place"] = names.LOCATION_CODES[s.target - 1] if s.target else RIVER[s.frontier[p] - 1]
    words["points"] = names.points_text(GRAIN_LOSS[s.market[p][Market.GRAIN] - 1], lang)
    words |= {
        "harvest": s.harvest,
        "need": feeding.need(s, p),
        "shortage": s.shortage,
        "surplus": s.harvest - feeding.need(s, p),
        "group": GRAIN_GROUP,
    }
    if s.step == Step.DOUBLE:
        words["text"] = names.tile_text(s.laid[s.target - 1 - Location.TILE], lang)
    if s.source:
        words |= {"source": source_title(s, lang), "n": effects.number_of_part(s, 2 if s.step == Step.RAISE else 1)}
        words["points"] = names.points_text(effects.number_of_part(s, 1), lang)
    if s.step == Step.LEFTOVER:
        words["card"] = names.card_title(masks.first(s.held[p] & LEFTOVER), lang)
    if s.docking:
        words["dock"] = names.dock_code_name(s.docking - 1, lang)
        words |= {"cost": building.least_cost(s, p), "most": building.most_cards(s, p)}
    if s.step == Step.KEEP:
        words["points"] = names.points_text(RETURNED_VP, lang)
    return words


def source_title(s: State, lang: str) -> str:
    """The card or tile whose effect is being carried out."""
    source = s.source - 1
    return names.card_title(source, lang) if source < CARDS else names.tile_title(source - CARDS, lang)


def next_prompt(s: State, _p: int, left: list[int], lang: str) -> str:
    """What p is asked when a click on a monument has left these actions."""
    if all(Action.PLACE <= a < Action.CREW for a in left):
        dock = names.dock_of(left[0] - Action.PLACE)
        return WORDS.say("prompt.which_berth", lang, dock=names.capital(names.dock_name(dock, lang))) if dock >= 0 else ""
    if s.docking and all(Action.OBELISK <= a < Action.MARKET for a in left):
        return WORDS.say("prompt.which_space", lang, dock=names.capital(names.dock_name(s.docking - 1, lang)))
    return ""
