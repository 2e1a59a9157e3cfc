"""What a person sees of Maqha: codes, sentences, the log and refusals. The text board is in `board.py`."""

from __future__ import annotations

from .board import (
    SLOT_LETTERS,
    WORDS,
    bid_name,
    board,
    card_name,
    cards_at,
    joined,
    lot_of_slot,
    millimetres,
    prompt,
    seat_name,
    tokens_name,
    tokens_of_lot,
)
from .rules import ENDINGS, actors
from .scoring import points, ranks
from .table import (
    ACCIDENT,
    ALL,
    ANSWERED_RAISE,
    BANKED,
    BID,
    BIDDING,
    CARDS,
    CELL,
    CELLS,
    CHOOSE_CELL,
    CHOOSE_KIND,
    DECIDE,
    DROP,
    EYE,
    FAILED,
    HANDS,
    HELD,
    KINDS,
    LIVE,
    NOBODY,
    NUMBERS,
    OVER,
    PASS,
    RAISE,
    RELEASE,
    SEATS,
    SINGLE,
    SLOTS,
    SPILL,
    SPILLED,
    STAMPS,
    STAY,
    THROW,
    TOKENS,
    TURN,
    State,
    half_end,
    has_glass,
    holds,
    is_classic,
    may_pass,
    on_tray,
)

__all__ = ["CODES", "answer_in", "board", "no_answer", "prompt", "refusal", "seat_name", "sentence", "told", "window"]

CODES = (
    *(f"drop{n}" for n in range(1, TOKENS[0] + 1)),
    *(f"bid{number}" for number in range(1, NUMBERS + 1)),
    *("eye", "throw", "pass", "stay"),
    *(f"raise{stamp}" for stamp in range(STAMPS)),
    *KINDS,
    "all",
    *(f"cell{cell}" for cell in range(CELLS)),
    *("held", "spilled"),
    *(f"accident{p}" for p in range(SEATS)),
    "accident-nobody",
)
TICK = 500  # milliseconds


def seconds(stamp: int) -> str:
    """A stamp as seconds."""
    return f"{stamp * TICK / 1000:.1f}"


def window(s: State) -> int:
    """Live hands: the milliseconds for which a pass waits for them; 0 at any other decision (MAQ-P5)."""
    return s.hand_window * TICK if s.step == HANDS and s.hands == LIVE else 0


def answer_in(s: State, a: int, milliseconds: int | None) -> int:
    """Live hands: what an answer counts for that reached the host so long after the question; None: a computer's (MAQ-P5)."""
    if not RAISE <= a < SINGLE:
        return a
    if milliseconds is None:
        return RAISE + min(s.bot_hand_tick, s.hand_window - 1)
    tick = milliseconds // TICK
    return RAISE + min(tick, STAMPS - 1) if tick < s.hand_window else STAY


def no_answer(s: State) -> int:
    """Live hands: the answer of whoever gave none in time (MAQ-P5)."""
    return STAY


def other_card(s: State, p: int, card: int) -> int:
    """The bid card that goes to E when the other of the last two goes to D, or 0."""
    if s.fixed[p] != SLOTS - 2 or s.slots != SLOTS:
        return 0
    return next((other for other in range(1, EYE + 1) if other != card and holds(s, p, other)), 0)


def sentence(s: State, p: int, a: int, lang: str) -> str:
    """What choosing `a` means."""
    if a < BID:
        n = a - DROP + 1
        return WORDS.say("do.drop_one", lang) if n == 1 else WORDS.say("do.drop_many", lang, n=n)
    if a < THROW:
        card = a - BID + 1
        words = {"card": bid_name(card, lang), "slot": SLOT_LETTERS[s.fixed[p]]}
        other = other_card(s, p, card)
        return (
            WORDS.say("do.bid_both", lang, other=bid_name(other, lang), **words) if other else WORDS.say("do.bid", lang, **words)
        )
    if a == THROW:
        return WORDS.say("do.throw", lang, tokens=tokens_name(tokens_of_lot(s), lang))
    if a in (PASS, STAY):
        return WORDS.say("do.pass" if a == PASS else "do.stay", lang)
    if a < SINGLE:
        return WORDS.say("do.raise_later", lang, seconds=seconds(a - RAISE)) if a > RAISE else WORDS.say("do.raise", lang)
    if a < ALL:
        return WORDS.say("do.kind" if s.step == CHOOSE_KIND else "do.single", lang, kind=kind_name(a - SINGLE, lang))
    if a == ALL:
        return WORDS.say("do.all", lang, tokens=tokens_name(s.to_go, lang))
    if a < HELD:
        return sentence_of_cell(s, a - CELL, lang)
    if a in (HELD, SPILLED):
        return WORDS.say("do.held" if a == HELD else "do.spilled", lang)
    if a == NOBODY:
        return WORDS.say("do.accident_nobody", lang)
    return WORDS.say("do.accident", lang, who=seat_name(a - ACCIDENT, lang))


def kind_name(kind: int, lang: str) -> str:
    """The name of a kind of token."""
    return WORDS.say(f"kind.{KINDS[kind]}", lang)


def sentence_of_cell(s: State, cell: int, lang: str) -> str:
    """What placing the token on a cell means."""
    kind = kind_name(s.kind, lang)
    if s.top[cell] == 0:
        return WORDS.say("do.cell_bare", lang, kind=kind, cell=cell)
    top = kind_name(s.top[cell] - 1, lang)
    return WORDS.say("do.cell_on", lang, kind=kind, cell=cell, height=s.height[cell] / 2, top=top)


# --- The log --------------------------------------------------------------------------------------------------


def told(before: State, after: State, p: int, a: int, lang: str) -> str:
    """What happened when p chose `a`, as far as the viewer of both states may know."""
    lines = [told_choice(before, after, p, a, lang)]
    if before.step == BIDDING and a < THROW and actors(before) == 1 << p and last_bid(before, p):
        lines += told_bids(before, after, lang)
    if before.step == HANDS and a < SINGLE and actors(before) == 1 << p:
        lines += told_hands(before, after, lang)
    if before.step == RELEASE and SINGLE <= a < ALL and sum(before.to_go) == 2 and sum(after.to_go) == 0:
        last = [n - int(kind == a - SINGLE) for kind, n in enumerate(before.to_go)]
        lines.append(WORDS.say("then.follows", lang, tokens=tokens_name(last, lang)))
    if before.step == CHOOSE_CELL and a < HELD:
        lines += told_cell(before, after, a - CELL, lang)
    if after.over == SPILL and has_glass(after):
        lines.append(WORDS.say("then.overflows", lang))
    lines += told_lots(before, after, lang)
    if after.readings > before.readings:
        lines.append(WORDS.say("then.reading", lang, reading=millimetres(after.reading[after.readings - 1])))
        if after.rim_line:
            lines.append(WORDS.say(f"then.sign.{after.sign}", lang))
    lines += told_round(before, after, lang)
    if after.step == OVER:
        lines += told_end(after, lang)
    return ("" if lang == "ja" else " ").join(lines)


def last_bid(s: State, p: int) -> bool:
    """Does p's next bid complete the half?"""
    return s.fixed[p] + 1 == half_end(s) or (s.shown > 0 and s.fixed[p] >= SLOTS - 2)


def told_choice(before: State, after: State, p: int, a: int, lang: str) -> str:
    """The choice itself; a sealed one is told to its owner alone."""
    who = seat_name(p, lang)
    if a >= ACCIDENT:
        if a == NOBODY:
            return WORDS.say("log.accident_nobody", lang, who=who)
        return WORDS.say("log.accident", lang, who=who, culprit=seat_name(a - ACCIDENT, lang))
    if before.step == TURN:
        return WORDS.say("log.drop", lang, who=who, tokens=tokens_name([a - DROP + 1, 0, 0], lang))
    if before.step == BIDDING:
        return told_bid(before, after, p, a, lang)
    if before.step == DECIDE:
        lot = lot_of_slot(before, before.slot, lang)
        if a == PASS:
            return WORDS.say("log.pass", lang, who=who, lot=lot)
        return WORDS.say("log.throw", lang, who=who, lot=lot, tokens=tokens_name(tokens_of_lot(before), lang))
    if before.step == HANDS:
        seen = after.step == HANDS and after.answer[p]
        return told_answer(after, p, lang) if seen else WORDS.say("log.answer", lang, who=who)
    if before.step == CHOOSE_KIND:
        return WORDS.say("log.kind", lang, who=who, kind=kind_name(a - SINGLE, lang))
    if before.step == CHOOSE_CELL:
        return WORDS.say("log.cell", lang, who=who, kind=kind_name(before.kind, lang), cell=a - CELL)
    if before.step == RELEASE:
        tokens = before.to_go if a == ALL else [int(kind == a - SINGLE) for kind in range(len(KINDS))]
        return WORDS.say("log.release", lang, who=who, tokens=tokens_name(tokens, lang))
    return WORDS.say("log.held" if a == HELD else "log.spilled", lang, who=who, tokens=tokens_name(before.to_go, lang))


def told_bid(before: State, after: State, p: int, a: int, lang: str) -> str:
    """A bid that was fixed; the card is named only if the viewer sees it face down, so to its owner."""
    k = before.fixed[p]
    who, slot = seat_name(p, lang), SLOT_LETTERS[k]
    both = k == SLOTS - 2 and before.slots == SLOTS
    own = after.dealt == before.dealt and after.fixed[p] > k >= after.shown and after.order[p][k] != 0
    if not own:
        return WORDS.say("log.bid_both", lang, who=who) if both else WORDS.say("log.bid", lang, who=who, slot=slot)
    card = bid_name(after.order[p][k], lang)
    if both:
        return WORDS.say("log.bid_own_both", lang, who=who, card=card, slot=slot, other=bid_name(after.order[p][k + 1], lang))
    return WORDS.say("log.bid_own", lang, who=who, card=card, slot=slot)


def told_bids(before: State, after: State, lang: str) -> list[str]:
    """The bids of a half as they are shown, and who wins which lot."""
    lines = []
    riding: list[int] = []
    for k in range(before.shown, half_end(before)):
        bids = [
            WORDS.say("then.one_bid", lang, who=seat_name(q, lang), card="E" if after.order[q][k] == EYE else after.order[q][k])
            for q in range(after.players)
        ]
        lines.append(WORDS.say("then.bids", lang, slot=SLOT_LETTERS[k], bids=joined(bids, lang)))
        riding += cards_at(before, k)
        lot = joined([card_name(card, lang) for card in riding], lang)
        if after.winner[k] >= 0:
            lines.append(WORDS.say("then.wins", lang, who=seat_name(after.winner[k], lang), lot=lot))
            riding = []
        else:
            last = k == before.slots - 1 and before.dealt == CARDS
            lines.append(WORDS.say("then.aside" if last else "then.carried", lang, lot=lot))
    if after.step == BIDDING and after.dealt == before.dealt:
        lines.append(WORDS.say("then.next_half", lang))
    return lines


def told_answer(s: State, p: int, lang: str) -> str:
    """One answer to a pass."""
    who = seat_name(p, lang)
    if s.answer[p] < ANSWERED_RAISE:
        return WORDS.say("log.stay", lang, who=who)
    if s.hands == LIVE:
        return WORDS.say("log.raise_live", lang, who=who, seconds=seconds(s.answer[p] - ANSWERED_RAISE))
    return WORDS.say("log.raise", lang, who=who)


def told_hands(before: State, after: State, lang: str) -> list[str]:
    """All answers, once the window is closed, and who throws."""
    passer = before.thrower
    lines = [told_answer(after, (passer + k) % after.players, lang) for k in range(1, after.players)]
    tokens = tokens_name(tokens_of_lot(before), lang)
    proxy = who_threw(before, after)
    if proxy == passer:
        return [*lines, WORDS.say("then.no_proxy", lang, who=seat_name(passer, lang), tokens=tokens)]
    return [*lines, WORDS.say("then.proxy", lang, who=seat_name(proxy, lang), passer=seat_name(passer, lang), tokens=tokens)]


def who_threw(before: State, after: State) -> int:
    """The seat that throws the lot which was passed: still at it, or known by the card it banked or spilled."""
    place = after.place[cards_at(before, before.slot)[0]]
    if place >= BANKED:
        return place - BANKED
    return after.spiller if place == FAILED else after.thrower


def told_cell(before: State, after: State, cell: int, lang: str) -> list[str]:
    """Where a token on the tray came to rest."""
    rested = [c for c in range(CELLS) if after.height[c] != before.height[c]]
    if not rested:
        return [WORDS.say("then.falls", lang)]
    return [] if rested[0] == cell else [WORDS.say("then.topples", lang, cell=rested[0])]


def told_lots(before: State, after: State, lang: str) -> list[str]:
    """Lots that were banked or failed."""
    lines = []
    for q in range(after.players):
        banked = [card for card in range(CARDS) if after.place[card] == BANKED + q and before.place[card] != BANKED + q]
        if banked:
            lot = joined([card_name(card, lang) for card in banked], lang)
            lines.append(WORDS.say("then.banks", lang, who=seat_name(q, lang), lot=lot))
    failed = [card_name(card, lang) for card in range(CARDS) if after.place[card] == FAILED]
    if failed:
        lines.append(WORDS.say("then.fails", lang, lot=joined(failed, lang)))
    return lines


def told_round(before: State, after: State, lang: str) -> list[str]:
    """A new round: the Eye and the cards turned up."""
    if after.dealt == before.dealt:
        return []
    lines = [WORDS.say("then.eye", lang, who=seat_name(after.eye, lang)) if after.eye >= 0 else WORDS.say("then.no_eye", lang)]
    cards = [
        WORDS.say("then.slot_card", lang, slot=SLOT_LETTERS[k], card=lot_of_slot(after, k, lang)) for k in range(after.slots)
    ]
    lines.append(WORDS.say("then.round", lang, number=(after.dealt + SLOTS - 1) // SLOTS, cards=joined(cards, lang)))
    return lines


def told_end(s: State, lang: str) -> list[str]:
    """Why the game is over, what the glass was, and who won."""
    lines = [WORDS.say(f"ending.{ENDINGS[s.over - 1]}", lang)]
    if has_glass(s):
        lines.append(WORDS.say("then.secret", lang, v0=s.v0, vcrit=s.vcrit))
    if is_classic(s):
        if s.spiller < 0:
            return [*lines, WORDS.say("then.draw", lang)]
        return [*lines, WORDS.say("then.loser", lang, who=seat_name(s.spiller, lang))]
    places = [0] * SEATS
    ranks(s, places)
    winners = [q for q in range(s.players) if places[q] == 1]
    names = [seat_name(q, lang) for q in winners]
    who = names[0]
    for name in names[1:]:
        who = WORDS.say("thing.and", lang, one=who, two=name)
    key = "then.winner" if len(names) == 1 else "then.winners"
    return [*lines, WORDS.say(key, lang, who=who, points=points(s, winners[0]))]


# --- Refusals -------------------------------------------------------------------------------------------------


def refusal(s: State, p: int, a: int, lang: str) -> str:
    """Why `a` is not open to p now."""
    card = a - BID + 1
    used = [k for k in range(s.fixed[p]) if s.order[p][k] == card]
    return WORDS.say(
        f"no.{reason(s, p, a)}",
        lang,
        prompt=prompt(s, p, lang),
        n=s.players if a >= ACCIDENT else most_coins_said(s, a - DROP + 1),
        card=bid_name(card, lang) if BID <= a < THROW else "",
        slot=SLOT_LETTERS[used[0]] if used else "",
        kind=kind_name(a - SINGLE, lang) if SINGLE <= a < ALL else "",
        seconds=seconds(s.hand_window),
    )


def most_coins_said(s: State, n: int) -> int:
    """The number that stands against dropping n coins: those left, or the limit."""
    return s.supply[0] if n > s.supply[0] else s.classic_limit


def reason(s: State, p: int, a: int) -> str:
    """The key of the reason."""
    if a >= HELD and not s.real_vessel:
        return "real"
    if a >= ACCIDENT:
        return "seat"
    if a < BID and not is_classic(s):
        return "advanced"
    if BID <= a < HELD and is_classic(s):
        return "classic"
    if a < BID and s.step == TURN:
        return "supply" if a - DROP + 1 > s.supply[0] else "limit"
    if s.step == BIDDING and a < THROW:
        return why_no_bid(s, p, a - BID + 1)
    if a == PASS and s.step not in (BIDDING, HANDS):
        return why_no_pass(s)
    if s.step == HANDS and RAISE <= a < SINGLE:
        return "window" if s.hands == LIVE else "stamp"
    if CELL <= a < HELD and not on_tray(s):
        return "tray"
    if a == ALL and on_tray(s):
        return "together"
    if SINGLE <= a < ALL and s.step in (RELEASE, CHOOSE_KIND):
        return "kind"
    return "one_by_one" if SINGLE <= a < ALL and s.step == CHOOSE_CELL else "step"


def why_no_bid(s: State, p: int, card: int) -> str:
    """Why a bid card cannot be bid."""
    if any(s.order[p][k] == card for k in range(s.fixed[p])):
        return "used"
    return "eye" if card == EYE else "five"


def why_no_pass(s: State) -> str:
    """Why the thrower cannot pass."""
    if s.proxy[s.slot] >= 0:
        return "pass_proxy"
    if not may_pass(s):
        return "pass_limit"
    return "pass_again" if s.answered else "pass_begun"
