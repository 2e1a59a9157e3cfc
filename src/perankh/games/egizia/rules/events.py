"""What happens in Egizia."""

from __future__ import annotations

from enum import IntEnum

from perankh.engine.api import EventKind, secret


class Obstacle(IntEnum):
    """Why a ship cannot build at its dock."""

    NONE = 0
    DECK = 1  # no Sphinx card is left
    NOTHING = 2  # no space is available
    STONES = 3
    CREWS = 4


class Event(EventKind):
    """The kinds of events and their values. Cards, tiles, locations and docks are numbers, strengths and spaces those reached."""

    # Set-up and rounds
    KEPT_DEALT = secret("card"), secret("other")  # at set-up
    ROUND_BEGAN = "round"
    IN_ORDER = "place"  # of the seat in turn order, 1 for the first
    STONES_DEALT = "stones"
    CARD_LAID = "card", "location"
    TILE_LAID = "tile", "location"

    # Placing ships
    PASSED = ""
    CANNOT_PLACE = ""  # no ship or no place is left: passes
    HEADED = "location"  # an ability for it is chosen next
    USED_CARD = "card"
    USED_BONUS = "tile"
    USED_TOKEN = ""
    TOOK_CARD = "card", "location"
    TOOK_LEFTOVER = "card", "location"
    LANDED = "tile", "location"
    MOORED = "location"
    WAITED = "location"  # beside a full dock
    TOOK_ONCE = ""  # the tile is not doubled
    NO_SECOND_SHIP = ""
    NO_LEFTOVER = ""

    # Effects
    RAISED = "crew", "strength"
    LOWERED = "crew", "strength", "points"
    NONE_LOWERED = "points"  # no crew can go down
    RING_MOVED = "position"
    RING_LEFT = "position"
    MARKET_MOVED = "market", "space"
    BEYOND_GRAIN = "points"  # a step beyond the top
    STONES_GAINED = "stones", "total"
    SCORED = "points"
    TOKEN_GAINED = ""
    IMPROVED = "field", "colour"
    IMPROVER_WAITS = "card"
    IMPROVER_VOID = "card"

    # Mining and feeding
    MINED = "stones", "total"  # what the quarries give, and the store then
    HARVESTED = "grain", "need"
    GRAIN_PLAYED = "card", "grain", "need"
    NO_GRAIN_CARD = ""
    STONES_FED = "stones"
    MISSED_GRAIN = "grain", "points"
    SOLD = "grain", "points"
    NOT_SOLD = ""

    # Building
    BUILDS = "dock"
    DECLINED = "dock"
    CANNOT_BUILD = "dock", "obstacle"
    CLOSED_UP = "dock", "space"  # the ship lies on this space then
    JOINED = "dock", "space"  # the waiting ship moves in
    BUILDS_LATE = "dock"
    NOT_LATE = "dock"
    IN_VAIN = "dock"
    FLIPPED = "crew", "power"
    NO_SECOND_CREW = ""
    NO_LEADER = ""
    POWER_PLAYED = "card", "power"
    NO_MORE_POWER = ""
    OBELISK_BUILT = "space", "stones", "points"
    COLUMN_BUILT = "column", "stones", "points"
    STATUE_BUILT = "place", "level", "stones", "points"
    ROW_BUILT = "row", "space", "stones", "points"
    BONUS_WON = "tile"
    COLONNADE_FINISHED = "points"
    ROW_FULL = "row", "points"
    STOPPED = ""
    MARKET_CHOSEN = "market"

    # The Sphinx
    PAID_TO_DRAW = "stones"
    DREW = "cards"
    SAW = secret("card")  # each card drawn
    KEPT = secret("card")
    KEPT_NONE = ""
    NO_SECOND_CARD = ""
    PUT_UNDER = secret("card")
    RETURNED = "cards", "points"

    # Clean-up and end
    COOPERATED = "docks", "points"
    GAME_OVER = ""
    ON_TRACK = "track"  # VP before the final scoring
    MAJORITY_SCORED = "points"
    NILE_CARD_SCORED = "card", "points"
    SPHINX_CARD_SCORED = "card", "points"
    STATUE_SCORED = "place", "points"
    STONES_SCORED = "stones", "points"
    WON = "total", "tied"  # tied: of equals the one later in turn order
