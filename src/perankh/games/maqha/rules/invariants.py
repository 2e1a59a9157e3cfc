"""What always holds in Maqha."""

from __future__ import annotations

from perankh.engine.api import masks, rule, sets

from . import bidding, components, glass, scoring, throwing
from .components import CARDS, CELLS, HEIGHT, POUR_ERROR, SEATS, SHAKIEST, SLOTS, TOKENS, VOLUME
from .state import Answer, Ending, Hands, RuleSet, State, Step, Vessel

INVARIANTS = (
    "tokens of each kind in the supply, in hand and in the vessel make up all there are, and none leaves the vessel",
    "every score card is in one of its places, those dealt and no others have left the deck, and the deck is a shuffle",
    "cards are carried only from slots nobody won, and lie with the next slot that somebody wins",
    "cards that are banked, set aside or failed stay so, and nothing is banked without its tokens in",
    "bids are different cards of the own five: 1 to 5, or 1 to 4 and the Eye",
    "nobody holds the Eye in the first round, and it changes hands only between rounds",
    "the bids of a half are fixed before any is shown, and those shown stay",
    "each slot has at most one winner, and its proxy is somebody else",
    "a pass is answered once by everybody but the passer, and with a stamp only in live mode",
    "waves are no stronger than two of the largest kicks, and settle after a throw",
    "the volume added is that of the tokens put in, and the peak never falls",
    "while nobody spilled the glass has held the peak, and after a spill it has not held the surge",
    "capacity and first volume lie within their bounds and never change",
    "readings are off by no more than the option allows, and stay",
    "the heights of the cells are those of tokens that rest on them",
    "a lot fails by a spill alone; there is one spiller after a spill and none without",
    "printed points banked, sets and doubled points stay within what the cards give",
    "the last banked lot is banked by one player, and the mask lies on a lot",
    "there are at most five rounds of at most five slots, and steps fit what is left to do",
    "unused pieces stay unused in the classic rules",
)


@rule
def violated(s: State, before: State) -> int:
    """The first invariant that does not hold, counted from 1, or 0."""
    wrong = tokens_wrong(s, before)
    if wrong == 0 and s.rules == RuleSet.CLASSIC:
        wrong = classic_wrong(s)
    if wrong == 0 and s.rules == RuleSet.ADVANCED:
        wrong = cards_wrong(s, before)
        if wrong == 0:
            wrong = bids_wrong(s, before)
        if wrong == 0:
            wrong = points_wrong(s)
    if wrong == 0 and glass.is_used(s):
        wrong = glass_wrong(s, before)
    if wrong == 0 and s.vessel == Vessel.TRAY and not s.real_vessel:
        wrong = tray_wrong(s, before)
    if wrong == 0:
        wrong = end_wrong(s)
    return wrong


@rule
def tokens_wrong(s: State, before: State) -> int:
    """Where the tokens are."""
    for kind in range(3):
        if s.supply[kind] < 0 or s.to_go[kind] < 0 or s.inside[kind] < before.inside[kind]:
            return 1
        all_told = 0 if s.rules == RuleSet.CLASSIC and kind > 0 else TOKENS[kind]
        if s.supply[kind] + s.to_go[kind] + s.inside[kind] != all_told:
            return 1
    return 0


# --- Cards ----------------------------------------------------------------------------------------------------


@rule
def cards_wrong(s: State, before: State) -> int:
    """Where the score cards are and how they came there."""
    dealt = 0
    for i in range(CARDS):
        card = s.deck[i]
        if card < 0 or card >= CARDS or masks.has(dealt, card):
            return 2
        dealt = masks.added(dealt, card)
        if places(s, card) != (1 if i < s.dealt else 0) or (i < before.dealt and before.deck[i] != card):
            return 2
    if not sets.includes(s.aside, before.aside) or not sets.includes(s.failed, before.failed):
        return 4
    for p in range(s.players):
        if not sets.includes(s.banked[p], before.banked[p]):
            return 4
        if sets.count(s.banked[p]) > sets.count(before.banked[p]) and sets.number(s.last_lot) == sets.number(before.last_lot):
            return 4
    if s.slots < 1 or s.slots > SLOTS or s.dealt > CARDS or s.dealt < before.dealt:
        return 19
    return 0 if carried_rightly(s) else 3


@rule
def places(s: State, card: int) -> int:
    """In how many places outside the deck a score card is."""
    n = 0
    for k in range(SLOTS):
        n += 1 if sets.has(s.lot[k], card) else 0
    for p in range(SEATS):
        n += 1 if sets.has(s.banked[p], card) else 0
    n += (1 if sets.has(s.carried, card) else 0) + (1 if sets.has(s.aside, card) else 0)
    return n + (1 if sets.has(s.failed, card) else 0)


@rule
def carried_rightly(s: State) -> bool:
    """Has every card of this round that is face up passed only slots nobody won?"""
    for k in range(s.slots):
        goal = slot_reached(s, s.deck[s.dealt - s.slots + k])
        if goal >= 0 and (goal < k or (goal < s.face_up and s.winner[goal] < 0)):
            return False
        for i in range(k, goal):
            if i >= s.face_up or s.winner[i] >= 0:
                return False
    if not sets.is_empty(s.aside) and s.dealt < CARDS:
        return False
    return sets.is_empty(s.carried) or (s.dealt < CARDS and s.face_up == s.slots)


@rule
def slot_reached(s: State, card: int) -> int:
    """The slot in which a card of this round waits; past the last one: carried on or set aside; -1: it was thrown."""
    for k in range(SLOTS):
        if sets.has(s.lot[k], card):
            return k
    return s.slots if sets.has(s.carried, card) or sets.has(s.aside, card) else -1


@rule
def bids_wrong(s: State, before: State) -> int:
    """Bids, winners, proxies, answers and the Eye."""
    for p in range(s.players):
        if not bids_from_hand(s, p):
            return 5
        if s.fixed[p] < s.face_up and s.step != Step.OVER:
            return 7
        for k in range(before.face_up):
            if s.dealt == before.dealt and s.order[p][k] != before.order[p][k]:
                return 7
        if s.fixed[p] > bidding.half_end(s):
            return 7
        if s.dealt == before.dealt and s.fixed[p] < before.fixed[p] and s.step != Step.OVER:
            return 7
    if (s.eye != -1 and (s.eye < 0 or s.eye >= s.players)) or (s.dealt <= SLOTS and s.eye >= 0):
        return 6
    if s.dealt == before.dealt and s.eye != before.eye:
        return 6
    for k in range(SLOTS):
        if s.winner[k] < -1 or s.winner[k] >= s.players or s.proxy[k] < -1 or s.proxy[k] >= s.players:
            return 8
        if s.proxy[k] >= 0 and (k >= s.face_up or s.proxy[k] == s.winner[k]):
            return 8
    return 9 if answers_wrong(s) else 0


@rule
def bids_from_hand(s: State, p: int) -> bool:
    """Do p's bids of this round and the hand make up p's five cards?"""
    if s.fixed[p] < 0 or sets.count(s.hand[p]) + s.fixed[p] != SLOTS:
        return False
    owned = components.EYE_HAND if s.eye == p else components.USUAL_HAND
    together = sets.number(s.hand[p])
    for k in range(s.fixed[p]):
        together = masks.added(together, s.order[p][k])
    return together == sets.number(owned)


@rule
def answers_wrong(s: State) -> bool:
    """Whether hands are up that should not be."""
    most = components.STAMPS if s.hands == Hands.LIVE else 1
    for p in range(SEATS):
        if (s.answer[p] != Answer.NONE) != sets.has(s.answered, p):
            return True
        if s.answer[p] < 0 or s.answer[p] >= Answer.RAISE + most:
            return True
        if s.answer[p] and (p >= s.players or (s.step == Step.HANDS and p == s.thrower)):
            return True
    return s.step == Step.HANDS and s.thrower != s.winner[s.slot]


# --- The vessel -----------------------------------------------------------------------------------------------


@rule
def glass_wrong(s: State, before: State) -> int:
    """Waves, volumes, capacity and readings."""
    if s.wave < 0 or s.wave > 2 * components.LARGEST_KICK * SHAKIEST // 100:
        return 10
    if s.wave and (s.step == Step.TURN or s.step == Step.BID or s.step == Step.DECIDE or s.step == Step.HANDS):
        return 10
    volume = 0
    for kind in range(3):
        volume += s.inside[kind] * VOLUME[kind]
    if s.added != volume or s.peak < before.peak or s.added < before.added:
        return 11
    margin = s.vcrit - s.v0
    if s.peak > margin or (s.over == Ending.SPILL and s.surge <= margin) or (s.over != Ending.SPILL and s.surge > margin):
        return 12
    liquid = glass.liquid_of(s)
    if s.vcrit < glass.capacity(liquid, components.LEAST_ANGLE) or s.vcrit > glass.capacity(liquid, components.MOST_ANGLE):
        return 13
    if s.vcrit != before.vcrit or s.v0 != before.v0 or s.v0 >= s.vcrit or s.v0 < -POUR_ERROR:
        return 13
    if s.rules == RuleSet.ADVANCED and s.v0 > POUR_ERROR:
        return 13
    return 14 if readings_wrong(s, before) else 0


@rule
def readings_wrong(s: State, before: State) -> bool:
    """Whether a reading is too far off or has changed."""
    if s.readings < max(1, before.readings) or s.readings > components.READINGS:
        return True
    for i in range(s.readings):
        off = s.reading[i] - glass.dome_height(glass.liquid_of(s), s.v0 + s.reading_at[i])
        if off < -s.reading_error or off > s.reading_error:
            return True
        if i < before.readings and (s.reading[i] != before.reading[i] or s.reading_at[i] != before.reading_at[i]):
            return True
    return s.step != Step.OVER and s.step != Step.RELEASE and s.reading_at[s.readings - 1] != s.added


@rule
def tray_wrong(s: State, before: State) -> int:
    """Heights and tops of the cells."""
    resting, tokens, piled, grown = 0, 0, 0, 0
    for kind in range(3):
        tokens += HEIGHT[kind] * s.inside[kind]
    for cell in range(CELLS):
        piled += s.height[cell]
        if (s.height[cell] == 0) != (s.top[cell] == 0) or s.top[cell] < 0 or s.top[cell] > 3:
            return 15
        if s.height[cell] != before.height[cell]:
            grown += 1
            if s.height[cell] - before.height[cell] != HEIGHT[s.top[cell] - 1]:
                return 15
        elif s.top[cell] != before.top[cell]:
            return 15
        if s.height[cell] > 0:
            resting += 1
    fallen = tokens - piled
    if grown > 1 or piled > components.HIGHEST or resting > tokens or (s.over != Ending.SPILL and fallen != 0):
        return 15
    if s.over == Ending.SPILL and fallen != HEIGHT[0] and fallen != HEIGHT[1] and fallen != HEIGHT[2]:
        return 15
    return 0


# --- Points and the end ---------------------------------------------------------------------------------------


@rule
def points_wrong(s: State) -> int:
    """Points, sets, the last lot and the mask."""
    printed, all_sets, total, owners, masked = 0, 0, 0, 0, 0
    for p in range(s.players):
        printed += scoring.printed_points(s.banked[p])
        all_sets += scoring.complete_sets(s, p)
        total += scoring.points(s, p)
        owners += 1 if sets.includes(s.banked[p], s.last_lot) else 0
        masked += sets.count_common(s.banked[p], s.mask)
    last = scoring.printed_points(s.last_lot)
    if (owners == 0) or (not sets.is_empty(s.last_lot) and owners != 1) or masked != sets.count(s.mask):
        return 18
    if (
        last > printed
        or all_sets > components.PER_KIND
        or total < printed
        or total > printed + components.SET_BONUS * all_sets + last
    ):
        return 17
    return 0


@rule
def end_wrong(s: State) -> int:
    """Why the game ended, who spilled, and whether the step fits."""
    if (s.step == Step.OVER) != (s.over != Ending.NONE) or s.step < 0 or s.step > Step.OVER:
        return 19
    if (s.over == Ending.NONE or s.over == Ending.NO_SPILL) and s.spiller != -1:
        return 16
    if s.over == Ending.SPILL and (s.spiller < 0 or s.spiller != s.thrower):
        return 16
    if sets.is_empty(s.failed) == (s.over == Ending.SPILL and s.rules == RuleSet.ADVANCED):
        return 16
    left = throwing.tokens_to_go(s)
    if left == 0 and not s.real_vessel and (s.step == Step.RELEASE or s.step == Step.CELL):
        return 19
    if left > 0 and (s.step == Step.TURN or s.step == Step.BID or s.step == Step.DECIDE):
        return 19
    if s.over == Ending.NO_SPILL and s.rules == RuleSet.CLASSIC and s.inside[0] != TOKENS[0]:
        return 19
    return 19 if s.over == Ending.NO_SPILL and s.rules == RuleSet.ADVANCED and not out_of_tokens_or_cards(s) else 0


@rule
def out_of_tokens_or_cards(s: State) -> bool:
    """Are all tokens in, or all cards dealt and none of them waiting?"""
    if s.inside[0] + s.inside[1] + s.inside[2] == components.ALL_TOKENS:
        return True
    for k in range(SLOTS):
        if not sets.is_empty(s.lot[k]):
            return False
    return s.dealt == CARDS and sets.is_empty(s.carried)


@rule
def classic_wrong(s: State) -> int:
    """Whether cards or bids turn up in a classic game."""
    if s.dealt or s.slots or s.face_up or s.eye >= 0 or s.vessel == Vessel.TRAY:
        return 20
    for card in range(CARDS):
        if places(s, card) or sets.has(s.last_lot, card) or sets.has(s.mask, card):
            return 20
    for p in range(SEATS):
        if s.fixed[p] or s.answer[p] or sets.has(s.answered, p) or not sets.is_empty(s.hand[p]):
            return 20
    return 0
