"""What happens in Maqha."""

from __future__ import annotations

from perankh.engine.api import EventKind, secret


class Event(EventKind):
    """The kinds of events and their values. A `lot` is a set of score cards as one number, bit c for card c."""

    ROUND_BEGAN = "number"
    REVEALED = "slot", "lot"  # with the cards that were carried to the slot
    BID = "slot", secret("card")  # sealed
    SHOWN = "slot", "card"  # a bid is turned up
    WON = "slot", "lot"
    CARRIED = "slot", "lot", "to"  # nobody won; to: the next slot, -1 the next round
    SET_ASIDE = "slot", "lot"  # nobody won the last slot of all
    SECOND_HALF = ""  # bids for D and E follow
    PASSED = "lot"
    ANSWERED = secret("stamp")  # -1: the hand stays down
    HAND_DOWN = ""  # answers shown
    HAND_UP = "stamp"
    PROXY = "passer"  # throws in the passer's place
    NO_PROXY = ""  # the passer has to throw
    THROW_BEGAN = "lot", "coins", "ankhs", "anubis"
    DROPPED = "coins"  # classic
    RELEASED = "coins", "ankhs", "anubis"
    CHOSE_KIND = "token"  # tray: its kind
    PLACED = "token", "cell"  # tray: where the token was put
    TOPPLED = "token", "cell"  # tray: to this cell
    FELL = "token", "cell"  # tray: off the edge, from this cell
    HELD = "coins", "ankhs", "anubis"  # the players' own vessel held the throw
    BANKED = "lot", "points"
    SET_COMPLETED = "points"
    READ = "height", "error"  # the dome, in micrometres
    RIM = "sign"
    MASK_LAID = "lot"
    EYE_TAKEN = "cards"  # the fewest
    EYE_FREE = ""
    SPILLED = ""  # the seat made the vessel spill
    LOT_FAILED = "lot"
    ACCIDENT = "culprit"  # reported by the seat; -1: nobody's fault
    ENDED = "why"
    GLASS_REVEALED = "first_volume", "capacity"
    COUNTED_TWICE = "lot", "points"  # what the last banked lot brings once more
    FINISHED = "place", "total"
