"""What happens in Imhotep. The seat of an event is who acts, receives or scores; for a stone it is the owner."""

from __future__ import annotations

from enum import IntEnum

from perankh.engine.api import EventKind, secret


class Source(IntEnum):
    """What the final scoring counts."""

    BURIAL = 0
    OBELISK = 1
    BLUE = 2
    GREEN = 3
    IDOLS = 4
    WRATH = 5


class Event(EventKind):
    """The kinds of events and their values."""

    # Rounds
    ROUND_BEGAN = "round", "round_card"  # of the player who starts
    OFFERED = "slot", "card"  # face up in the market
    PAIR_OFFERED = "cards"  # face down in the market
    SHUFFLED = ""  # the discard pile became the deck
    STALLED = ""  # nobody can act: the ships that still wait are gone
    STONE_RETURNED = ""  # to the quarry, from the market or from a ship that is gone
    ROUND_OVER = "round"
    PAIR_DISCARDED = "card"  # of the untouched pair, seen by all
    # Choices of a turn
    PASSED = ""
    FETCHED = "stones"  # 0: none, of the bonus of a pyramid
    LOADED = "ship", "space"
    LOADED_NONE = ""
    SAILED = "ship", "site"
    PLAYED = "card"
    LINED_UP = "owner"  # by Lever: whose stone leaves the ship next
    # Cards
    TOOK = "card"  # from the market
    LOOKED = secret("first"), secret("second")  # at the face-down cards; -1: there is none
    KEPT = "card"
    REJECTED = "card"  # the other card of the pair, seen by all
    REJECTED_FACE_DOWN = secret("card")
    DREW = "card"
    RED_STONE = "card"  # a stone comes from the quarry by a red card
    RED_NO_STONE = "card"  # there is none in the quarry
    # Stones at the monuments
    CHOOSES_PYRAMID = ""
    ON_PYRAMID = "cell", "points"
    BUILT = "pyramid", "cell", "points"  # on a small pyramid
    BESIDE_PYRAMID = "points"
    IN_TEMPLE = "place"
    IN_BURIAL = "place"
    AT_OBELISK = "stones"
    ERECTED = "slot", "points"
    ERECTED_UNPAID = "slot", "value"  # scores at the end of the game
    # Scoring
    TEMPLE_SCORED = "cell", "points"
    TOOK_POINTS = "cell", "points"  # chosen for a cell of temple B
    TOOK_STONES = "cell", "stones"  # chosen in their place
    GAME_OVER = ""
    FINAL_SCORED = "source", "points"
