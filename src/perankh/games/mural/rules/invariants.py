"""What always holds in Nile Mural."""

from perankh.engine.api import rule, sets

from . import actions
from .components import AREA_VALUE, AREAS, CARDS, MOST_PLACEMENTS, Track
from .state import State, Step

INVARIANTS = (
    "every card is in one of its possible places",
    "the deck holds as many cards as are unseen",
    "each hand holds as many cards from the deck as counted",
    "a card moves only from the deck to wall, row or hand, from the row to wall or hand, and from a hand to the wall",
    "the Area markers add up to the values of the full areas",
    "Combo markers never fall and add up to at most 50 (ten turns of ten)",
    "Miss markers are at most 0 and never rise",
    "there are at most 81 misses, and a card without shadow risk is never missed",
    "a turn that begins has something to place",
    "the turn's counters fit its step",
    "the game is over exactly when all cards lie on the wall",
    "no card in the row came there but by a miss",
)
NUMBER_OF_AREAS = len(AREAS)
MOST_COMBO = 50
MOST_MISSES = 81


@rule
def violated(s: State, before: State) -> int:
    """The first invariant that does not hold, counted from 1, or 0."""
    wrong = cards_wrong(s)
    if wrong == 0:
        wrong = moves_wrong(s, before)
    if wrong == 0:
        wrong = tracks_wrong(s, before)
    if wrong == 0:
        wrong = turn_wrong(s)
    return wrong


@rule
def cards_wrong(s: State) -> int:
    """Where the cards are: each in one place."""
    all_cards = sets.count(s.unseen) + sets.count(s.row) + sets.count(s.wall)
    apart = not sets.meets(s.unseen, s.row) and not sets.meets(s.unseen, s.wall) and not sets.meets(s.row, s.wall)
    for q in range(4):
        if q >= s.players and not sets.is_empty(s.hand[q]):
            return 1
        all_cards += sets.count(s.hand[q])
        if sets.meets(s.hand[q], s.unseen) or sets.meets(s.hand[q], s.row) or sets.meets(s.hand[q], s.wall):
            apart = False
        for other in range(q):
            if sets.meets(s.hand[q], s.hand[other]):
                apart = False
    if all_cards != CARDS or not apart:
        return 1
    if sets.count(s.unseen) != s.deck:
        return 2
    public = 0
    for p in range(s.players):
        if sets.count(s.hand[p]) - sets.count_common(s.hand[p], s.public) != s.secret[p]:
            return 3
        public += sets.count_common(s.hand[p], s.public)
    return 3 if public != sets.count(s.public) else 0


@rule
def moves_wrong(s: State, before: State) -> int:
    """How the cards moved."""
    if not sets.includes(s.wall, before.wall) or not sets.includes(before.unseen, s.unseen):
        return 4
    for q in range(s.players):
        if hand_wrong(s, before, q):
            return 4
    row_grew = 0
    card = sets.first(s.row)
    while card >= 0:
        if not sets.has(before.row, card):
            row_grew += 1
            if not sets.has(before.unseen, card):
                return 4
            if card < 10 or card % 10 == 0:
                return 8
        card = sets.after(s.row, card)
    missed = 0
    for p in range(s.players):
        missed += before.track[Track.MISS][p] - s.track[Track.MISS][p]
    return 12 if missed != row_grew else 0


@rule
def hand_wrong(s: State, before: State, q: int) -> bool:
    """Whether a card left q's hand for anything but the wall, or came into it otherwise than from the deck or the row."""
    card = sets.first(before.hand[q])
    while card >= 0:
        if not sets.has(s.hand[q], card) and not sets.has(s.wall, card):
            return True
        card = sets.after(before.hand[q], card)
    card = sets.first(s.hand[q])
    while card >= 0:
        if not sets.has(before.hand[q], card) and sets.has(s.public, card) != sets.has(before.row, card):
            return True
        card = sets.after(s.hand[q], card)
    return False


@rule
def tracks_wrong(s: State, before: State) -> int:
    """The markers."""
    value = 0
    for area in range(NUMBER_OF_AREAS):
        if actions.area_is_full(s, area):
            value += AREA_VALUE[s.area_map][area]
    combo = 0
    misses = 0
    for p in range(s.players):
        value -= s.track[Track.AREA][p]
        combo += s.track[Track.COMBO][p]
        misses -= s.track[Track.MISS][p]
        if s.track[Track.COMBO][p] < before.track[Track.COMBO][p]:
            return 6
        if s.track[Track.MISS][p] > 0 or s.track[Track.MISS][p] > before.track[Track.MISS][p]:
            return 7
    if value != 0:
        return 5
    if combo > MOST_COMBO and s.combo_table == 0:
        return 6
    return 8 if misses > MOST_MISSES else 0


@rule
def turn_wrong(s: State) -> int:
    """The turn and its end."""
    if s.turn < 0 or s.turn >= s.players or s.placed < 0 or s.placed > MOST_PLACEMENTS:
        return 10
    if (s.step == Step.TAKE) != (s.takes > 0) or (s.step == Step.PLACE and s.placed == MOST_PLACEMENTS):
        return 10
    if s.placed > 0 and s.step == Step.PLACE and not sets.has(s.wall, s.pawn):
        return 10
    complete = sets.count(s.wall) == CARDS
    if s.step == Step.OVER and not complete:
        return 11
    if s.step == Step.PLACE and s.placed == 0:
        if complete:
            return 11
        usable = s.deck + sets.count(s.row) + sets.count(s.hand[s.turn])
        if usable == 0 or actions.forbidden(s, 99):
            return 9
    return 0
