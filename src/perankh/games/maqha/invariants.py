"""What always holds in Maqha."""

from __future__ import annotations

from perankh.engine.api import rule

from .glass import capacity, dome_height
from .scoring import points, sets
from .table import (
    ALL_TOKENS,
    ANSWERED_RAISE,
    ASIDE,
    BANKED,
    BIDDING,
    CARD_POINTS,
    CARDS,
    CARRIED,
    CELLS,
    CHOOSE_CELL,
    DECIDE,
    DECK,
    EYE,
    FAILED,
    HANDS,
    HEIGHT,
    HIGHEST,
    LARGEST_KICK,
    LEAST_ANGLE,
    LIVE,
    MOST_ANGLE,
    NO_SPILL,
    NUMBERS,
    OUTCOME,
    OVER,
    PER_KIND,
    POUR_ERROR,
    READINGS,
    RELEASE,
    SEATS,
    SET_BONUS,
    SHAKIEST,
    SLOT,
    SLOTS,
    SPILL,
    STAMPS,
    TOKENS,
    TURN,
    VOLUME,
    State,
    half_end,
    has_glass,
    is_classic,
    liquid_of,
    on_tray,
    tokens_to_go,
)

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
    if wrong == 0 and is_classic(s):
        wrong = classic_wrong(s)
    if wrong == 0 and not is_classic(s):
        wrong = cards_wrong(s, before)
        if wrong == 0:
            wrong = bids_wrong(s, before)
        if wrong == 0:
            wrong = points_wrong(s)
    if wrong == 0 and has_glass(s):
        wrong = glass_wrong(s, before)
    if wrong == 0 and on_tray(s) and not s.real_vessel:
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
        all_told = 0 if is_classic(s) and kind > 0 else TOKENS[kind]
        if s.supply[kind] + s.to_go[kind] + s.inside[kind] != all_told:
            return 1
    return 0


# --- Cards ----------------------------------------------------------------------------------------------------


@rule
def cards_wrong(s: State, before: State) -> int:
    """Where the score cards are and how they came there."""
    seen = 0
    for i in range(CARDS):
        card = s.deck[i]
        if card < 0 or card >= CARDS or (seen >> card) & 1:
            return 2
        seen |= 1 << card
        place = s.place[card]
        if place < DECK or place >= BANKED + s.players or (place == DECK) != (i >= s.dealt):
            return 2
        if i < before.dealt and before.deck[i] != card:
            return 2
    for card in range(CARDS):
        if before.place[card] >= ASIDE and s.place[card] != before.place[card]:
            return 4
        if before.place[card] < BANKED and s.place[card] >= BANKED and s.last_lot == before.last_lot:
            return 4
    if s.slots < 1 or s.slots > SLOTS or s.dealt > CARDS or s.dealt < before.dealt:
        return 19
    return 0 if carried_rightly(s) else 3


@rule
def carried_rightly(s: State) -> bool:
    """Has every card of this round that is face up passed only slots nobody won?"""
    for k in range(s.slots):
        place = int(s.place[s.deck[s.dealt - s.slots + k]])
        if SLOT <= place < SLOT + SLOTS:
            goal = place - SLOT
            if goal < k or (goal < s.shown and s.winner[goal] < 0):
                return False
        elif place == CARRIED or place == ASIDE:
            goal = int(s.slots)
        else:
            continue
        for i in range(k, goal):
            if i >= s.shown or s.winner[i] >= 0:
                return False
    for card in range(CARDS):
        if s.place[card] == ASIDE and s.dealt < CARDS:
            return False
        if s.place[card] == CARRIED and (s.dealt == CARDS or s.shown < s.slots):
            return False
    return True


@rule
def bids_wrong(s: State, before: State) -> int:
    """Bids, winners, proxies, answers and the Eye."""
    for p in range(s.players):
        if not bids_from_hand(s, p):
            return 5
        if s.fixed[p] < s.shown and s.step != OVER:
            return 7
        for k in range(before.shown):
            if s.dealt == before.dealt and s.order[p][k] != before.order[p][k]:
                return 7
        if s.fixed[p] > half_end(s) or (s.dealt == before.dealt and s.fixed[p] < before.fixed[p] and s.step != OVER):
            return 7
    if (s.eye != -1 and (s.eye < 0 or s.eye >= s.players)) or (s.dealt <= SLOTS and s.eye >= 0):
        return 6
    if s.dealt == before.dealt and s.eye != before.eye:
        return 6
    for k in range(SLOTS):
        if s.winner[k] < -1 or s.winner[k] >= s.players or s.proxy[k] < -1 or s.proxy[k] >= s.players:
            return 8
        if s.proxy[k] >= 0 and (k >= s.shown or s.proxy[k] == s.winner[k]):
            return 8
    return 9 if answers_wrong(s) else 0


@rule
def bids_from_hand(s: State, p: int) -> bool:
    """Are p's bids of this round different cards that p owns?"""
    used = 0
    for k in range(s.fixed[p]):
        card = s.order[p][k]
        if card < 1 or card > EYE or (used >> card) & 1:
            return False
        if (card == EYE and s.eye != p) or (card == NUMBERS and s.eye == p):
            return False
        used |= 1 << card
    return s.fixed[p] >= 0


@rule
def answers_wrong(s: State) -> bool:
    """Whether hands are up that should not be."""
    for p in range(SEATS):
        if (s.answer[p] != 0) != ((s.answered >> p) & 1 == 1):
            return True
        most = STAMPS if s.hands == LIVE else 1
        if s.answer[p] < 0 or s.answer[p] >= ANSWERED_RAISE + most:
            return True
        if s.answer[p] and (p >= s.players or (s.step == HANDS and p == s.thrower)):
            return True
    return s.step == HANDS and s.thrower != s.winner[s.slot]


# --- The vessel -----------------------------------------------------------------------------------------------


@rule
def glass_wrong(s: State, before: State) -> int:
    """Waves, volumes, capacity and readings."""
    if s.wave < 0 or s.wave > 2 * LARGEST_KICK * SHAKIEST // 100:
        return 10
    if s.wave and (s.step == TURN or s.step == BIDDING or s.step == DECIDE or s.step == HANDS):
        return 10
    volume = 0
    for kind in range(3):
        volume += s.inside[kind] * VOLUME[kind]
    if s.added != volume or s.peak < before.peak or s.added < before.added:
        return 11
    margin = int(s.vcrit) - int(s.v0)
    if s.peak > margin or (s.over == SPILL and s.surge <= margin) or (s.over != SPILL and s.surge > margin):
        return 12
    liquid = liquid_of(s)
    if s.vcrit < capacity(liquid, LEAST_ANGLE) or s.vcrit > capacity(liquid, MOST_ANGLE):
        return 13
    if s.vcrit != before.vcrit or s.v0 != before.v0 or s.v0 >= s.vcrit or s.v0 < -POUR_ERROR:
        return 13
    if not is_classic(s) and s.v0 > POUR_ERROR:
        return 13
    return 14 if readings_wrong(s, before) else 0


@rule
def readings_wrong(s: State, before: State) -> bool:
    """Whether a reading is too far off or has changed."""
    if s.readings < max(1, int(before.readings)) or s.readings > READINGS:
        return True
    for i in range(s.readings):
        off = s.reading[i] - dome_height(liquid_of(s), int(s.v0) + int(s.reading_at[i]))
        if off < -s.reading_error or off > s.reading_error:
            return True
        if i < before.readings and (s.reading[i] != before.reading[i] or s.reading_at[i] != before.reading_at[i]):
            return True
    return s.step != OVER and s.step != RELEASE and s.reading_at[s.readings - 1] != s.added


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
    if grown > 1 or piled > HIGHEST or resting > tokens or (s.over != SPILL and fallen != 0):
        return 15
    if s.over == SPILL and fallen != HEIGHT[0] and fallen != HEIGHT[1] and fallen != HEIGHT[2]:
        return 15
    return 0


# --- Points and the end ---------------------------------------------------------------------------------------


@rule
def points_wrong(s: State) -> int:
    """Points, sets, the last lot and the mask."""
    printed, all_printed, all_sets, last = 0, 0, 0, 0
    owner = -1
    for card in range(CARDS):
        all_printed += CARD_POINTS[card]
        if s.place[card] >= BANKED:
            printed += CARD_POINTS[card]
        if (s.last_lot >> card) & 1:
            last += CARD_POINTS[card]
            if s.place[card] < BANKED or (owner >= 0 and s.place[card] != owner):
                return 18
            owner = int(s.place[card])
        if (s.mask >> card) & 1 and s.place[card] < BANKED:
            return 18
    if (s.last_lot == 0) != (printed == 0) and last:
        return 18
    total = 0
    for p in range(s.players):
        all_sets += sets(s, p)
        total += points(s, p)
    if printed > all_printed or all_sets > PER_KIND or total < printed or total > printed + SET_BONUS * all_sets + last:
        return 17
    return 0


@rule
def end_wrong(s: State) -> int:
    """Why the game ended, who spilled, and whether the step fits."""
    if (s.step == OVER) != (s.over != 0) or s.step < 0 or s.step > OVER:
        return 19
    if (s.over == 0 or s.over == NO_SPILL) and s.spiller != -1:
        return 16
    if s.over == SPILL and (s.spiller < 0 or s.spiller != s.thrower):
        return 16
    failed = 0
    for card in range(CARDS):
        if s.place[card] == FAILED:
            failed += 1
    if (failed > 0) != (s.over == SPILL and not is_classic(s)):
        return 16
    throwing = s.step == RELEASE or s.step == OUTCOME or s.step == CHOOSE_CELL
    if throwing and tokens_to_go(s) == 0 and not s.real_vessel:
        return 19
    if not throwing and s.over == 0 and tokens_to_go(s) > 0 and (s.step == TURN or s.step == BIDDING or s.step == DECIDE):
        return 19
    if s.over == NO_SPILL and is_classic(s) and s.inside[0] != TOKENS[0]:
        return 19
    return 19 if s.over == NO_SPILL and not is_classic(s) and not out_of_tokens_or_cards(s) else 0


@rule
def out_of_tokens_or_cards(s: State) -> bool:
    """Are all tokens in, or all cards dealt and none of them waiting?"""
    if s.inside[0] + s.inside[1] + s.inside[2] == ALL_TOKENS:
        return True
    for card in range(CARDS):
        if s.place[card] < ASIDE:
            return False
    return True


@rule
def classic_wrong(s: State) -> int:
    """Whether cards or bids turn up in a classic game."""
    if s.dealt or s.slots or s.shown or s.last_lot or s.mask or s.eye >= 0 or s.answered:
        return 20
    for card in range(CARDS):
        if s.place[card] != DECK:
            return 20
    for p in range(SEATS):
        if s.fixed[p] or s.answer[p]:
            return 20
    return 0
