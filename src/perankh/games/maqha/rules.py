"""Maqha: whoever makes the brimming glass overflow has lost; in the advanced rules the way there is a run of sealed bids.

The pieces and the record are in `table.py`, the vessels in `glass.py` and `tray.py`, points and places in `scoring.py`.
"""

from __future__ import annotations

from perankh.engine.api import below, rule

from .glass import fill_glass, redraw_glass, release, settle
from .observation import OBSERVATION, observe
from .scoring import banked_cards, ranks, scores
from .table import (
    ACCIDENT,
    ACCIDENTAL,
    ACTIONS,
    ALL,
    ALL_TOKENS,
    ANKH,
    ANSWERED_RAISE,
    ANSWERED_STAY,
    ANUBIS,
    ASIDE,
    BANKED,
    BID,
    BIDDING,
    CARD_KIND,
    CARD_TOKENS,
    CARDS,
    CARRIED,
    CELL,
    CELLS,
    CHOOSE_CELL,
    CHOOSE_KIND,
    COIN,
    COMPONENTS,
    DECIDE,
    DECK,
    DROP,
    EYE,
    FAILED,
    HANDS,
    HELD,
    LIVE,
    NEXT_LOT,
    NO_SPILL,
    NOBODY,
    NUMBERS,
    OUTCOME,
    OVER,
    PASS,
    RAISE,
    RANDOM_TIE,
    RELEASE,
    ROUND_DONE,
    SEATS,
    SINGLE,
    SLOT,
    SLOTS,
    SPILL,
    SPILLED,
    STAMPS,
    STAY,
    THROW,
    THROWING,
    THROWN,
    TOKENS,
    TURN,
    State,
    half_end,
    has_glass,
    holds,
    in_lot,
    is_classic,
    may_pass,
    on_tray,
    tokens_to_go,
)
from .tray import place_token

__all__ = ["ACTIONS", "COMPONENTS", "OBSERVATION", "State", "observe", "ranks", "scores"]

PLAYERS = range(2, 5)
ENDINGS = ("spill", "no_spill", "accident")
HIDDEN = ("answer", "deck", "order", "v0", "vcrit")
VERSION = 1

# --- Set-up ---------------------------------------------------------------------------------------------------


@rule
def setup(s: State) -> None:
    """Lay out the pieces and fill the vessel (MAQ-S3 to MAQ-S7)."""
    s.spiller = -1
    s.thrower = -1
    s.eye = -1
    s.kind = -1
    for k in range(SLOTS):
        s.winner[k] = -1
        s.proxy[k] = -1
    s.supply[COIN] = TOKENS[COIN]
    if is_classic(s):
        s.thrower = s.start_player if s.start_player >= 0 else below(s, s.players)
        s.step = TURN
    else:
        s.supply[ANKH], s.supply[ANUBIS] = TOKENS[ANKH], TOKENS[ANUBIS]
        shuffle(s)
    if has_glass(s):
        fill_glass(s)
    if not is_classic(s):
        reveal(s)


@rule
def shuffle(s: State) -> None:
    """Shuffle the score cards (MAQ-S5)."""
    for i in range(CARDS):
        s.deck[i] = i
    for i in range(CARDS - 1, 0, -1):
        j = below(s, i + 1)
        card = s.deck[i]
        s.deck[i] = s.deck[j]
        s.deck[j] = card


# --- Deciding -------------------------------------------------------------------------------------------------


@rule
def actors(s: State) -> int:
    """Everybody who has not fixed his bids or answered a pass, or the one who throws (MAQ-B1, MAQ-P2, MAQ-T1, MAQ-C1)."""
    if s.step == OVER:
        return 0
    if s.step != BIDDING and s.step != HANDS:
        return 1 << s.thrower
    mask = 0
    for p in range(s.players):
        if s.step == BIDDING:
            waiting = s.fixed[p] < half_end(s)
        else:
            waiting = p != s.thrower and not (s.answered >> p) & 1
        if waiting:
            mask |= 1 << p
    return mask


@rule
def legal(s: State, p: int, out: list[int]) -> int:
    """Everything p may choose at this step; with a real vessel also to report an accident (MAQ-X1)."""
    n = 0
    if s.step == TURN:
        n = span(out, 0, DROP, most_coins(s))
    elif s.step == BIDDING:
        n = legal_bids(s, p, out)
    elif s.step == DECIDE:
        n = span(out, 0, THROW, 2)
    elif s.step == HANDS:
        n = span(out, 0, STAY, 1)
        n = span(out, n, RAISE, int(s.hand_window) if s.hands == LIVE else 1)
    elif s.step == RELEASE or s.step == CHOOSE_KIND:
        n = legal_tokens(s, out)
    elif s.step == CHOOSE_CELL:
        n = span(out, 0, CELL, CELLS)
    else:
        n = span(out, 0, HELD, 2)
    if s.real_vessel:
        n = span(out, n, ACCIDENT, s.players)
        n = span(out, n, NOBODY, 1)
    return n


@rule
def span(out: list[int], n: int, first: int, count: int) -> int:
    """Write `count` actions from `first` on behind the n that are there; returns how many there are now."""
    for i in range(count):
        out[n + i] = first + i
    return n + count


@rule
def most_coins(s: State) -> int:
    """The most coins a classic turn may drop (MAQ-C1)."""
    return min(int(s.supply[COIN]), int(s.classic_limit)) if s.classic_limit else int(s.supply[COIN])


@rule
def legal_bids(s: State, p: int, out: list[int]) -> int:
    """The bid cards in p's hand (MAQ-B1, MAQ-B7)."""
    n = 0
    for card in range(1, EYE + 1):
        if holds(s, p, card):
            out[n] = BID + card - 1
            n += 1
    return n


@rule
def legal_tokens(s: State, out: list[int]) -> int:
    """One token of a kind that is left; into a glass also all together (MAQ-T3, MAQ-Y3)."""
    n = 0
    for kind in range(3):
        if s.to_go[kind] > 0:
            out[n] = SINGLE + kind
            n += 1
    if s.step == RELEASE:
        out[n] = ALL
        n += 1
    return n


@rule
def apply(s: State, p: int, a: int) -> None:
    """One choice, and all that follows from it without another."""
    if a >= ACCIDENT:
        accident(s, a)
    elif s.step == TURN:
        drop_coins(s, a - DROP + 1)
    elif s.step == BIDDING:
        bid(s, p, a - BID + 1)
    elif s.step == DECIDE:
        decide(s, a)
    elif s.step == HANDS:
        answer(s, p, a)
    elif s.step == RELEASE:
        release_tokens(s, a)
    elif s.step == CHOOSE_KIND:
        s.kind = a - SINGLE
        s.step = CHOOSE_CELL
    elif s.step == CHOOSE_CELL:
        place_on_tray(s, a - CELL)
    else:
        enter_outcome(s, a)
    while s.step > OVER:
        proceed(s)


@rule
def proceed(s: State) -> None:
    """What follows by itself: the next lot, its next token, its success, or the next half or round (MAQ-R2)."""
    if s.step == NEXT_LOT:
        next_lot(s)
    elif s.step == THROWING:
        go_on_throwing(s)
    elif s.step == THROWN:
        thrown(s)
    else:
        end_round(s)


# --- Classic rules --------------------------------------------------------------------------------------------


@rule
def drop_coins(s: State, coins: int) -> None:
    """Coins of the player in turn, all in one release (MAQ-C1, MAQ-C2)."""
    s.supply[COIN] -= coins
    s.to_go[COIN] = coins
    s.step = OUTCOME if s.real_vessel else THROWING


@rule
def end_turn(s: State) -> None:
    """Nothing spilled: a draw after the last coin, else the player to the left (MAQ-C3, MAQ-C4)."""
    if s.supply[COIN] == 0:
        end_game(s, NO_SPILL)
    else:
        s.thrower = (s.thrower + 1) % s.players
        s.step = TURN


# --- Bidding --------------------------------------------------------------------------------------------------


@rule
def reveal(s: State) -> None:
    """Turn up five cards, or what is left; what was carried over joins slot A (MAQ-R1, MAQ-K2)."""
    s.slots = min(SLOTS, CARDS - s.dealt)
    for k in range(s.slots):
        s.place[s.deck[s.dealt + k]] = SLOT + k
    for card in range(CARDS):
        if s.place[card] == CARRIED:
            s.place[card] = SLOT
    s.dealt += s.slots
    s.shown = 0
    s.step = BIDDING


@rule
def bid(s: State, p: int, card: int) -> None:
    """Assign a hand card to the next slot; the last card of five goes to E by itself (MAQ-B1 to MAQ-B4)."""
    fix_bid(s, p, card)
    if s.fixed[p] == SLOTS - 1 and s.slots == SLOTS:
        for last in range(1, EYE + 1):
            if s.fixed[p] < SLOTS and holds(s, p, last):
                fix_bid(s, p, last)
    if actors(s) == 0:
        show_bids(s)


@rule
def fix_bid(s: State, p: int, card: int) -> None:
    """Put one card, sealed, to the next slot (MAQ-B2)."""
    s.order[p][s.fixed[p]] = card
    s.fixed[p] += 1


@rule
def show_bids(s: State) -> None:
    """All have ordered their cards: resolve the slots of this half, then throw their lots (MAQ-B2, MAQ-B5, MAQ-T1)."""
    s.slot = s.shown
    s.shown = half_end(s)
    for k in range(s.slot, s.shown):
        s.winner[k] = slot_winner(s, k)
        if s.winner[k] < 0:
            carry_over(s, k)
    s.step = NEXT_LOT


@rule
def slot_winner(s: State, k: int) -> int:
    """Who wins a slot: the Eye, else of the numbers bid once a 1 against a 5, else the highest; -1 nobody (MAQ-B5, MAQ-B6)."""
    one, five, highest = -1, -1, -1
    for p in range(s.players):
        card = s.order[p][k]
        if card == EYE:
            return p
        if not struck_out(s, p, k):
            if card == 1:
                one = p
            if card == NUMBERS:
                five = p
            if highest < 0 or card > s.order[highest][k]:
                highest = p
    return one if one >= 0 and five >= 0 else highest


@rule
def struck_out(s: State, p: int, k: int) -> bool:
    """Has somebody else bid the same number for the slot? (MAQ-B5)"""
    for q in range(s.players):
        if q != p and s.order[q][k] == s.order[p][k]:
            return True
    return False


@rule
def carry_over(s: State, k: int) -> None:
    """Nobody won: the lot joins the next slot, waits for the next round, or is set aside (MAQ-K1, MAQ-K2, MAQ-K4)."""
    place = SLOT + k + 1
    if k == s.slots - 1:
        place = ASIDE if s.dealt == CARDS else CARRIED
    for card in range(CARDS):
        if in_lot(s, card, k):
            s.place[card] = place


# --- Throwing -------------------------------------------------------------------------------------------------


@rule
def next_lot(s: State) -> None:
    """The next lot of this half that somebody won, in slot order; then the other half or the end of the round (MAQ-T1, R2)."""
    while s.slot < s.shown and s.winner[s.slot] < 0:
        s.slot += 1
    if s.slot < s.shown:
        s.thrower = s.winner[s.slot]
        if may_pass(s):
            s.step = DECIDE
        else:
            begin_throw(s)
    elif s.shown < s.slots:
        s.step = BIDDING
    else:
        s.step = ROUND_DONE


@rule
def decide(s: State, a: int) -> None:
    """The winner of a lot throws it or passes (MAQ-P1, MAQ-P2)."""
    clear_answers(s)
    if a == PASS:
        s.step = HANDS
    else:
        begin_throw(s)


@rule
def answer(s: State, p: int, a: int) -> None:
    """A hand is raised, with its stamp, or not; with the last answer the window closes (MAQ-P2, MAQ-P3)."""
    s.answer[p] = ANSWERED_STAY if a == STAY else ANSWERED_RAISE + a - RAISE
    s.answered |= 1 << p
    if actors(s) == 0:
        close_window(s)


@rule
def close_window(s: State) -> None:
    """The first hand throws for the passer; without one the passer throws (MAQ-P3, MAQ-P6 to MAQ-P8)."""
    first = STAMPS
    for p in range(s.players):
        if s.answer[p] >= ANSWERED_RAISE:
            first = min(first, s.answer[p] - ANSWERED_RAISE)
    tied = 0
    for p in range(s.players):
        if s.answer[p] == ANSWERED_RAISE + first:
            tied += 1
    if tied > 0:
        skip = below(s, tied) if s.hand_tie == RANDOM_TIE and tied > 1 else 0
        p = (s.thrower + 1) % s.players
        while s.answer[p] != ANSWERED_RAISE + first or skip > 0:
            if s.answer[p] == ANSWERED_RAISE + first:
                skip -= 1
            p = (p + 1) % s.players
        s.thrower = p
        s.proxy[s.slot] = p
    begin_throw(s)


@rule
def begin_throw(s: State) -> None:
    """Take the tokens of the lot from the supply, as far as there are any (MAQ-T2, MAQ-K3, MAQ-T7)."""
    for card in range(CARDS):
        if in_lot(s, card, s.slot):
            kind = CARD_KIND[card]
            n = min(int(CARD_TOKENS[card]), int(s.supply[kind]))
            s.supply[kind] -= n
            s.to_go[kind] += n
    s.step = OUTCOME if s.real_vessel else THROWING


@rule
def go_on_throwing(s: State) -> None:
    """The next token, chosen by the thrower if there is a choice (MAQ-T3, MAQ-Y3)."""
    left = tokens_to_go(s)
    if left == 0:
        s.step = THROWN
    elif on_tray(s):
        s.kind = only_kind(s)
        s.step = CHOOSE_CELL if s.kind >= 0 else CHOOSE_KIND
    elif left == 1 or is_classic(s):
        release_tokens(s, ALL)
    else:
        s.step = RELEASE


@rule
def only_kind(s: State) -> int:
    """The kind of all tokens left, or -1 if they are of several (MAQ-Y3)."""
    found = -1
    for kind in range(3):
        if s.to_go[kind] > 0:
            if found >= 0:
                return -1
            found = kind
    return found


@rule
def release_tokens(s: State, a: int) -> None:
    """Let go one token of a kind, or all that are left together; a spill ends the game (MAQ-T3 to MAQ-T5, MAQ-C1, MAQ-C2)."""
    coins, ankhs, anubis = int(s.to_go[COIN]), int(s.to_go[ANKH]), int(s.to_go[ANUBIS])
    if a != ALL:
        coins = 1 if a == SINGLE + COIN else 0
        ankhs = 1 if a == SINGLE + ANKH else 0
        anubis = 1 if a == SINGLE + ANUBIS else 0
    let_go(s, COIN, coins)
    let_go(s, ANKH, ankhs)
    let_go(s, ANUBIS, anubis)
    s.step = THROWING
    if release(s, s.thrower, coins, ankhs, anubis):
        spill(s)


@rule
def let_go(s: State, kind: int, n: int) -> None:
    """Tokens leave the thrower's hand for the vessel."""
    s.to_go[kind] -= n
    s.inside[kind] += n


@rule
def place_on_tray(s: State, cell: int) -> None:
    """Put the token of the chosen kind on a cell (MAQ-Y1, MAQ-Y3)."""
    kind = int(s.kind)
    s.kind = -1
    let_go(s, kind, 1)
    if place_token(s, kind, cell):
        spill(s)
    else:
        s.step = THROWING


@rule
def enter_outcome(s: State, a: int) -> None:
    """The players' own vessel held the whole throw, or spilled (MAQ-X1)."""
    for kind in range(3):
        let_go(s, kind, int(s.to_go[kind]))
    if a == SPILLED:
        spill(s)
    else:
        s.step = THROWN


@rule
def thrown(s: State) -> None:
    """All tokens of the throw are in: the glass settles; then the turn passes, or the lot is banked (MAQ-T4, MAQ-C3)."""
    if has_glass(s):
        settle(s)
    if is_classic(s):
        end_turn(s)
        return
    bank(s)
    s.thrower = -1
    s.slot += 1
    s.step = NEXT_LOT
    if s.inside[COIN] + s.inside[ANKH] + s.inside[ANUBIS] == ALL_TOKENS:
        end_game(s, NO_SPILL)


@rule
def bank(s: State) -> None:
    """The thrower banks the lot; it is now the last banked lot (MAQ-T4, MAQ-T6, MAQ-P6)."""
    s.last_lot = 0
    for card in range(CARDS):
        if in_lot(s, card, s.slot):
            s.place[card] = BANKED + s.thrower
            s.last_lot |= 1 << card


@rule
def clear_answers(s: State) -> None:
    """The hands of the last pass go down; until then everybody sees them (MAQ-P5)."""
    s.answered = 0
    for p in range(SEATS):
        s.answer[p] = 0


# --- End of a round -------------------------------------------------------------------------------------------


@rule
def end_round(s: State) -> None:
    """Collection, the Eye, and a new round, or the end with the last card (MAQ-E1 to MAQ-E5, MAQ-F1)."""
    collect(s)
    if s.dealt == CARDS:
        end_game(s, NO_SPILL)
    else:
        hand_out_eye(s)
        reveal(s)


@rule
def collect(s: State) -> None:
    """Bid cards and markers return, and the mask goes onto the last banked lot (MAQ-E1, MAQ-E2)."""
    for p in range(s.players):
        s.fixed[p] = 0
    for k in range(SLOTS):
        s.proxy[k] = -1
    s.mask = s.last_lot


@rule
def hand_out_eye(s: State) -> None:
    """The Eye returns; a sole player with the fewest banked cards exchanges his 5 for it (MAQ-E3, MAQ-E4)."""
    s.eye = -1
    fewest = CARDS + 1
    for p in range(s.players):
        cards = banked_cards(s, p)
        if cards == fewest:
            s.eye = -1
        elif cards < fewest:
            fewest = cards
            s.eye = p


# --- The end --------------------------------------------------------------------------------------------------


@rule
def spill(s: State) -> None:
    """The thrower made the vessel spill: the lot fails and the game is over (MAQ-T5, MAQ-C2, MAQ-P6)."""
    s.spiller = s.thrower
    if not is_classic(s):
        for card in range(CARDS):
            if in_lot(s, card, s.slot):
                s.place[card] = FAILED
    end_game(s, SPILL)


@rule
def accident(s: State, a: int) -> None:
    """The players' own vessel spilled without a throw: somebody's fault or nobody's (MAQ-X1)."""
    if a != NOBODY:
        s.spiller = a - ACCIDENT
    if s.step == HANDS:
        clear_answers(s)
    end_game(s, ACCIDENTAL)


@rule
def end_game(s: State, why: int) -> None:
    """The game is over (MAQ-F1)."""
    s.over = why
    s.step = OVER


@rule
def ending(s: State) -> int:
    """0, or why the game is over."""
    return s.over


# --- Who knows what -------------------------------------------------------------------------------------------


@rule
def veil(s: State, p: int) -> None:
    """Nobody knows the cards to come nor, until the end, the glass; bids and answers only their owner (MAQ-S5, G16, B1, P2)."""
    if not is_classic(s):
        for i in range(s.dealt, CARDS):
            s.deck[i] = -1
    if s.step != OVER:
        s.vcrit = 0
        s.v0 = 0
    for q in range(s.players):
        if q != p:
            for k in range(s.shown, s.fixed[q]):
                s.order[q][k] = 0
            if s.step == HANDS:
                s.answer[q] = 0


@rule
def redeal(s: State) -> None:
    """Shuffle the cards to come, redraw the glass, and make up the sealed bids and answers of others."""
    if not is_classic(s):
        redeal_deck(s)
    if has_glass(s) and s.vcrit == 0:
        redraw_glass(s)
    for q in range(s.players):
        for k in range(s.shown, s.fixed[q]):
            if s.order[q][k] == 0:
                s.order[q][k] = any_of_hand(s, q)
        if (s.answered >> q) & 1 and s.answer[q] == 0:
            s.answer[q] = any_answer(s)


@rule
def redeal_deck(s: State) -> None:
    """Put the cards that are still in the deck into any order."""
    n = int(s.dealt)
    for card in range(CARDS):
        if s.place[card] == DECK:
            s.deck[n] = card
            n += 1
    for i in range(CARDS - 1, s.dealt, -1):
        j = s.dealt + below(s, i + 1 - s.dealt)
        card = s.deck[i]
        s.deck[i] = s.deck[j]
        s.deck[j] = card


@rule
def any_of_hand(s: State, q: int) -> int:
    """Any bid card that q still holds."""
    n = 0
    for card in range(1, EYE + 1):
        if holds(s, q, card):
            n += 1
    skip = below(s, n)
    card = 1
    while not holds(s, q, card) or skip > 0:
        if holds(s, q, card):
            skip -= 1
        card += 1
    return card


@rule
def any_answer(s: State) -> int:
    """Any answer to a pass."""
    if below(s, 2) == 0:
        return ANSWERED_STAY
    return ANSWERED_RAISE + (below(s, int(s.hand_window)) if s.hands == LIVE else 0)
