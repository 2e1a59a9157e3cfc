"""What happens in Nile Mural."""

from enum import IntEnum

from perankh.engine.api import EventKind, secret


class Source(IntEnum):
    """Where a placed card came from."""

    HAND = 0
    ROW = 1
    DECK = 2


class Event(EventKind):
    """The kinds of events and their values. `marker` is where the player's marker stands then."""

    PLACED = "card", "source"
    AREA_FULL = "area", "steps", "marker"
    ANKH = ""  # the card placed bears an ankh: take a card
    MISSED = "card", "pawn", "marker"
    TOOK = "card"  # from the row
    DREW = secret("card")  # from the deck
    TURN_ENDED = "placed", "steps", "cards", "marker"  # without a miss: the combo bonus, in steps and cards to take
    OUT_OF_CARDS = ""  # the hand, the deck and the row are empty: the player is skipped from now on
    MURAL_COMPLETE = ""
    TRACK_SCORED = "track", "marker", "place", "points"
    TIE = "total", "sum"  # somebody else has as many points in total: the three markers are added up
    WON = "total"
