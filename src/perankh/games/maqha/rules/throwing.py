"""Throwing a lot: its tokens go into the glass or onto the tray."""

from __future__ import annotations

from perankh.engine.api import rule, sets, tell

from . import classic, glass, passing, piling, scoring
from .components import ALL_TOKENS, CARD_KIND, CARD_TOKENS, Kind
from .events import Event
from .state import Ending, RuleSet, State, Step, Vessel


@rule
def next_lot(s: State) -> None:
    """The next lot of this half that somebody won, in slot order; then the other half or the end of the round (MAQ-T1, R2)."""
    while s.slot < s.face_up and s.winner[s.slot] < 0:
        s.slot += 1
    if s.slot < s.face_up:
        s.thrower = s.winner[s.slot]
        if passing.is_allowed(s):
            s.step = Step.DECIDE
        else:
            begin(s)
    elif s.face_up < s.slots:
        tell(s, Event.SECOND_HALF, -1)
        s.step = Step.BID
    else:
        s.step = Step.ROUND_DONE


@rule
def begin(s: State) -> None:
    """Take the tokens of the lot from the supply, as far as there are any (MAQ-T2, MAQ-K3, MAQ-T7)."""
    card = sets.first(s.lot[s.slot])
    while card >= 0:
        kind = CARD_KIND[card]
        n = min(CARD_TOKENS[card], s.supply[kind])
        s.supply[kind] -= n
        s.to_go[kind] += n
        card = sets.after(s.lot[s.slot], card)
    tell(s, Event.THROW_BEGAN, s.thrower, sets.number(s.lot[s.slot]), s.to_go[0], s.to_go[1], s.to_go[2])
    s.step = Step.OUTCOME if s.real_vessel else Step.THROWING


@rule
def tokens_to_go(s: State) -> int:
    """Tokens of the lot still to be released (MAQ-T3)."""
    return s.to_go[Kind.COIN] + s.to_go[Kind.ANKH] + s.to_go[Kind.ANUBIS]


@rule
def go_on(s: State) -> None:
    """The next token, chosen by the thrower if there is a choice (MAQ-T3, MAQ-Y3)."""
    left = tokens_to_go(s)
    if left == 0:
        s.step = Step.THROWN
    elif s.vessel == Vessel.TRAY:
        s.kind = only_kind(s)
        s.step = Step.CELL if s.kind >= 0 else Step.KIND
    elif left == 1 or s.rules == RuleSet.CLASSIC:
        release_all(s)
    else:
        s.step = Step.RELEASE


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
def release_one(s: State, kind: int) -> None:
    """Let go one token of a kind (MAQ-T3)."""
    release(s, 1 if kind == Kind.COIN else 0, 1 if kind == Kind.ANKH else 0, 1 if kind == Kind.ANUBIS else 0)


@rule
def release_all(s: State) -> None:
    """Let go all tokens left together (MAQ-T3, MAQ-C1)."""
    release(s, s.to_go[Kind.COIN], s.to_go[Kind.ANKH], s.to_go[Kind.ANUBIS])


@rule
def release(s: State, coins: int, ankhs: int, anubis: int) -> None:
    """Let go tokens into the glass; a spill ends the game (MAQ-T3 to MAQ-T5, MAQ-C1, MAQ-C2)."""
    tell(s, Event.RELEASED, s.thrower, coins, ankhs, anubis)
    let_go(s, Kind.COIN, coins)
    let_go(s, Kind.ANKH, ankhs)
    let_go(s, Kind.ANUBIS, anubis)
    s.step = Step.THROWING
    if glass.overflows(s, s.thrower, coins, ankhs, anubis):
        scoring.spill(s)


@rule
def let_go(s: State, kind: int, n: int) -> None:
    """Tokens leave the thrower's hand for the vessel."""
    s.to_go[kind] -= n
    s.inside[kind] += n


@rule
def choose_kind(s: State, p: int, kind: int) -> None:
    """Tray: the token to place next (MAQ-Y3)."""
    tell(s, Event.CHOSE_KIND, p, kind)
    s.kind = kind
    s.step = Step.CELL


@rule
def place_on_tray(s: State, p: int, cell: int) -> None:
    """Put the token of the chosen kind on a cell (MAQ-Y1, MAQ-Y3)."""
    kind = s.kind
    tell(s, Event.PLACED, p, kind, cell)
    s.kind = -1
    let_go(s, kind, 1)
    if piling.falls(s, kind, cell):
        scoring.spill(s)
    else:
        s.step = Step.THROWING


@rule
def enter_outcome(s: State, p: int, spilled: bool) -> None:
    """The players' own vessel held the whole throw, or spilled (MAQ-X1)."""
    if not spilled:
        tell(s, Event.HELD, p, s.to_go[0], s.to_go[1], s.to_go[2])
    for kind in range(3):
        let_go(s, kind, s.to_go[kind])
    if spilled:
        scoring.spill(s)
    else:
        s.step = Step.THROWN


@rule
def succeed(s: State) -> None:
    """All tokens of the throw are in: the lot is banked and the glass settles, or the turn passes on (MAQ-T4, MAQ-C3)."""
    if s.rules == RuleSet.ADVANCED:
        scoring.bank(s)
    if glass.is_used(s):
        glass.settle(s)
    if s.rules == RuleSet.CLASSIC:
        classic.end_turn(s)
        return
    s.thrower = -1
    s.slot += 1
    s.step = Step.NEXT_LOT
    if s.inside[Kind.COIN] + s.inside[Kind.ANKH] + s.inside[Kind.ANUBIS] == ALL_TOKENS:
        scoring.end_game(s, Ending.NO_SPILL)
