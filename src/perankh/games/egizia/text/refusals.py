"""Why a choice of Egizia is not open now, with the reason of the rules."""

from __future__ import annotations

from perankh.engine.api import masks

from ..rules import building, components, effects, feeding, monuments, nile, placement
from ..rules.components import Crew, Dock
from ..rules.state import Action, Location, State, Step
from . import names, prompts
from .names import WORDS

ABILITY_STEPS = (Step.OCCUPIED, Step.UPSTREAM, Step.DOUBLE, Step.SECOND, Step.GRAIN, Step.POWER, Step.KEEP_MORE)
CREW_STEPS = (Step.RAISE, Step.LOWER, Step.BASIC, Step.BASIC2, Step.LEADER)
TILE_STEPS = (Step.OCCUPIED, Step.UPSTREAM, Step.SECOND, Step.LATE)
SPHINX_STEPS = (Step.START, Step.KEEP, Step.KEEP_SECOND, Step.RETURN)
MUST_CHOOSE = (Step.OCCUPIED, Step.UPSTREAM, Step.BASIC, Step.KEEP_SECOND, Step.RETURN, Step.ATTACH, Step.RAISE, Step.LOWER)


def refusal(s: State, p: int, a: int, lang: str) -> str:
    """Why `a` is not open to p now."""
    key = reason(s, p, a)
    if key in ("step", "must_choose"):
        return WORDS.say(f"no.{key}", lang, prompt=prompts.prompt(s, p, lang))
    return WORDS.say(f"no.{key}", lang, **reason_words(s, p, a, lang))


def reason_words(s: State, p: int, a: int, lang: str) -> dict[str, object]:
    """What can be said in a reason."""
    words: dict[str, object] = {"players": s.players, "power": s.power, "budget": s.budget}
    words |= {"stones": names.stones_text(s.stones[p], lang), "group": components.GRAIN_GROUP}
    dock = s.docking - 1
    if s.docking:
        words |= {"cost": building.least_cost(s, p), "most": building.most_cards(s, p)}
    if Action.PLACE <= a < Action.CREW:
        words |= {"place": names.LOCATION_CODES[a - Action.PLACE], "frontier": components.RIVER[s.frontier[p] - 1]}
        dock = names.dock_of(a - Action.PLACE)
    elif Action.CREW <= a < Action.RING:
        words |= {
            "crew": names.crew_name(a - Action.CREW, lang),
            "n": components.CREW_LEAST if s.step == Step.LOWER else s.crew_max,
        }
    elif Action.CARD <= a < Action.BONUS:
        words |= {"card": names.card_title(a - Action.CARD, lang), "text": names.card_text(a - Action.CARD, lang)}
    elif Action.BONUS <= a < Action.TOKEN:
        tile = a - Action.BONUS
        column = components.YELLOW_COLUMN if s.bonus_tile[0] == tile else components.PURPLE_COLUMN
        words |= {"tile": names.bonus_title(tile, lang), "text": names.bonus_text(tile, lang), "n": column}
    elif Action.SPHINX <= a < Action.FEED:
        words["name"] = names.sphinx_name(a - Action.SPHINX, lang)
    elif Action.FEED <= a < Action.NUMBER:
        words["n"] = s.shortage if a < Action.SELL else max(0, s.harvest - feeding.need(s, p))
    elif Action.OBELISK <= a < Action.MARKET:
        words |= {"n": 1 + a - (Action.ROW if a >= Action.ROW else Action.STATUE), "cost": monuments.cost_of(s, p, a)}
    if s.step == Step.RING:
        words["n"] = effects.number_of_part(s, 1)
    if dock >= 0:
        words["dock"] = names.dock_code_name(dock, lang)
    return words


def reason(s: State, p: int, a: int) -> str:
    """The key of the reason."""
    if a == Action.PASS and s.step == Step.LOCATION:
        return "must_place"
    if a == Action.NONE:
        return why_not_none(s)
    if a == Action.FINISH and s.step == Step.SPACE:
        return "first_brick"
    if Action.PLACE <= a < Action.CREW and s.step == Step.LOCATION:
        return why_not_place(s, p, a - Action.PLACE)
    if Action.CREW <= a < Action.RING and s.step in CREW_STEPS:
        return why_not_crew(s, p, a - Action.CREW)
    if Action.RING <= a < Action.CARD and s.step == Step.RING:
        return "ring_far"
    if Action.CARD <= a < Action.BONUS:
        return why_not_card(s, p, a - Action.CARD)
    if Action.BONUS <= a < Action.TOKEN and s.step in TILE_STEPS:
        return why_not_tile(s, p, a - Action.BONUS)
    if a == Action.TOKEN and s.step == Step.LATE:
        return "no_token"
    if Action.SPHINX <= a < Action.FEED and s.step in SPHINX_STEPS:
        return "not_drawn"
    if Action.FEED <= a < Action.NUMBER:
        return why_not_feed(s, p, a)
    if Action.NUMBER <= a < Action.OBELISK and s.step == Step.NUMBER:
        return "dock_most"
    if Action.OBELISK <= a < Action.MARKET and s.step == Step.SPACE:
        return why_not_brick(s, p, a)
    return "step"


def why_not_none(s: State) -> str:
    """Why something has to be chosen."""
    if s.step == Step.START:
        return "keep_exactly"
    if s.step in (Step.BASIC2, Step.POWER):
        return "more_power"
    return "must_choose" if s.step in MUST_CHOOSE else "step"


# --- Placing ------------------------------------------------------------------------------------------------------


def why_not_place(s: State, p: int, location: int) -> str:
    """Why a ship cannot go there."""
    if is_closed(s, location):
        return "closed"
    upstream = placement.index_of(location) <= s.frontier[p]
    if location < Location.TILE:
        return "taken" if s.card_ship[location] else "upstream"
    if location < Location.DOCK:
        if placement.is_occupied_tile(s, location) and not upstream:
            return "tile_taken"
        return "upstream"
    dock = names.dock_of(location)
    if (s.present[p] >> dock) & 1:
        return "one_ship"
    if upstream:
        return "upstream"
    if location < Location.BANK:
        return "dock_taken"
    return "bank_taken" if s.speculator[dock] else "not_full"


def is_closed(s: State, location: int) -> bool:
    """Whether a location is out of use with so many players."""
    if location < Location.TILE:
        return not components.CARD_OPEN[s.players - 2][location]
    if location < Location.DOCK:
        return not components.TILE_OPEN[s.players - 2][location - Location.TILE]
    return location < Location.BANK and (location - Location.DOCK) % components.DOCK_SPACES >= placement.open_spaces(s)


# --- Crews, cards and tiles ---------------------------------------------------------------------------------------


def why_not_crew(s: State, p: int, crew: int) -> str:
    """Why a crew cannot be raised, lowered or flipped."""
    if s.step == Step.RAISE:
        chosen = effects.number_of_part(s, 1) == components.OTHER and (s.raised >> crew) & 1
        return "crew_other" if chosen else "crew_most"
    if s.step == Step.LOWER:
        return "crew_least"
    if s.step == Step.LEADER:
        return "leader_only"
    if crew == Crew.LEADER:
        return "leader_alone" if s.step == Step.BASIC else "leader_later"
    if not building.is_up(s, p, crew):
        return "flipped"
    return "weak" if s.step == Step.BASIC and building.most_with(s, p, crew) < building.least_cost(s, p) else "more_power"


def why_not_card(s: State, p: int, card: int) -> str:
    """Why a card cannot be used, taken or improved."""
    if s.step == Step.ATTACH:
        return "green" if masks.has(nile.fields_of(s, p), card) else "not_field"
    if s.step == Step.LEFTOVER:
        return "not_on_river"
    if s.step not in ABILITY_STEPS:
        return "step"
    if card == components.STARTER or not masks.has(s.held[p], card):
        return "not_held"
    return "spent" if masks.has(s.spent & components.OCCUPIED_TILE, card) else "no_help"


def why_not_tile(s: State, p: int, tile: int) -> str:
    """Why a colonnade tile cannot be used."""
    if tile not in s.bonus_tile:
        return "not_in_game"
    place = s.bonus_tile.index(tile)
    if s.columns[p] < (components.YELLOW_COLUMN, components.PURPLE_COLUMN)[place]:
        return "not_won"
    return "eye_closed" if (s.closed_eye[p] >> place) & 1 else "tile_no_help"


# --- Feeding and building -----------------------------------------------------------------------------------------


def why_not_feed(s: State, p: int, a: int) -> str:
    """Why so many stones cannot be given, or so much grain not be sold."""
    if a >= Action.SELL:
        return "few_grain" if s.step == Step.SELL and a - Action.SELL > feeding.groups_for_sale(s, p) else "step"
    if s.step != Step.FEED:
        return "step"
    return "few_stones" if a - Action.FEED > s.stones[p] else "few_missing"


def why_not_brick(s: State, p: int, a: int) -> str:
    """Why no brick can be put there."""
    dock = s.docking - 1
    if dock == Dock.SPHINX or not monuments.first_space(dock) <= a < monuments.last_space(dock):
        return "other_dock"
    if not monuments.has_brick(s, p):
        return "no_brick"
    if monuments.cost_of(s, p, a) > 0:
        return "dear"
    if a == Action.OBELISK:
        return "obelisk_full"
    if a == Action.COLUMN:
        return "columns_full"
    return why_not_statue(s, p, a - Action.STATUE) if a < Action.ROW else why_not_row(s, a - Action.ROW)


def why_not_statue(s: State, p: int, place: int) -> str:
    """Why a statue cannot be built."""
    if not s.statue[place]:
        return "no_statue"
    return "statue_full" if s.level[p][place] == components.STATUE_SPACES else "carved"


def why_not_row(s: State, row: int) -> str:
    """Why a row of the pyramid cannot be built."""
    spaces = components.ROW_SPACES[monuments.board(s)][row]
    if not spaces:
        return "no_row"
    return "row_full" if all(s.pyramid[row][:spaces]) else "no_ground"
