"""The log, made from events: a line for what one reads as one happening."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from perankh.engine.api import EventKind, GameEvent
from perankh.engine.text import listed

from ..rules.events import Event
from ..rules.state import Ending, Hands, RuleSet, State
from . import names, prompts
from .names import SLOT_LETTERS, WORDS, seat_name

# A spill tells of the end itself; where there is no other word for it, dropped coins are told as what goes into the glass.
TOLD_ELSEWHERE = (Event.ENDED, Event.DROPPED)


def log_lines(s: State, events: Sequence[GameEvent], viewer: int, lang: str) -> list[str]:
    """The lines that tell one move."""
    move = Move(s, events, lang)
    return [line for event in events if event.kind in LINES for line in LINES[event.kind](move, event) if line]


@dataclass(frozen=True)
class Move:
    """What a viewer may know of one move: its events and the state after it."""

    s: State
    events: Sequence[GameEvent]
    lang: str

    def say(self, key: str, **blanks: Any) -> str:
        """A text of the game."""
        return WORDS.say(key, self.lang, **blanks)

    def who(self, event: GameEvent) -> str:
        """The seat of an event."""
        return seat_name(event.seat, self.lang)

    def lot(self, event: GameEvent) -> str:
        """The lot of an event."""
        return names.lot_name([event.lot], self.lang)

    def tokens(self, event: GameEvent) -> str:
        """The tokens of an event."""
        return names.tokens_name([event.coins, event.ankhs, event.anubis], self.lang)

    def all(self, *kinds: Event) -> list[GameEvent]:
        """The events of some kinds."""
        return [event for event in self.events if event.kind in kinds]

    def before(self, event: GameEvent, *kinds: Event) -> list[GameEvent]:
        """The events of some kinds that happened before an event."""
        return [other for other in self.events[: self.place(event)] if other.kind in kinds]

    def next(self, event: GameEvent) -> GameEvent | None:
        """The event that happened just after another."""
        at = self.place(event) + 1
        return self.events[at] if at < len(self.events) else None

    def place(self, event: GameEvent) -> int:
        """The number of an event in the move."""
        return next(i for i, other in enumerate(self.events) if other is event)

    def joined(self, sentences: list[str]) -> list[str]:
        """Sentences as one line; empty ones are left out."""
        return [("" if self.lang == "ja" else " ").join(filter(None, sentences))]


# --- Bidding --------------------------------------------------------------------------------------------------


def round_began(move: Move, event: GameEvent) -> list[str]:
    """The cards of a new round."""
    cards = [move.say("log.slot_card", slot=SLOT_LETTERS[e.slot], card=move.lot(e)) for e in move.all(Event.REVEALED)]
    return [move.say("log.round", number=event.number, cards=listed(cards, move.lang))]


def bid(move: Move, event: GameEvent) -> list[str]:
    """A sealed bid; its owner alone reads the card, as long as it is sealed. The bids for D and E are one choice."""
    first, *others = move.all(Event.BID)
    if event is not first:
        return []
    who, slot = move.who(event), SLOT_LETTERS[event.slot]
    if event.card is None or move.all(Event.SHOWN):
        return [move.say("log.bid_both", who=who)] if others else [move.say("log.bid", who=who, slot=slot)]
    card = names.bid_name(event.card, move.lang)
    if others:
        return [move.say("log.bid_own_both", who=who, card=card, slot=slot, other=names.bid_name(others[0].card, move.lang))]
    return [move.say("log.bid_own", who=who, card=card, slot=slot)]


def slot_resolved(move: Move, event: GameEvent) -> list[str]:
    """The bids for a slot, and what becomes of its lot."""
    bids = [
        move.say("log.one_bid", who=move.who(e), card=names.bid_mark(e.card, move.lang, "thing.eye"))
        for e in move.all(Event.SHOWN)
        if e.slot == event.slot
    ]
    shown = move.say("log.bids", slot=SLOT_LETTERS[event.slot], bids=listed(bids, move.lang))
    if event.kind == Event.WON:
        return move.joined([shown, move.say("log.wins", who=move.who(event), lot=move.lot(event))])
    if event.kind == Event.SET_ASIDE:
        return move.joined([shown, move.say("log.aside", lot=move.lot(event))])
    if event.to < 0:
        return move.joined([shown, move.say("log.carried_round", lot=move.lot(event))])
    return move.joined([shown, move.say("log.carried", lot=move.lot(event), slot=SLOT_LETTERS[event.to])])


def second_half(move: Move, event: GameEvent) -> list[str]:
    """Bids for D and E follow."""
    return [move.say("log.second_half")]


# --- Passing --------------------------------------------------------------------------------------------------


def passed(move: Move, event: GameEvent) -> list[str]:
    """A lot is passed."""
    return [move.say("log.pass", who=move.who(event), lot=move.lot(event))]


def answered(move: Move, event: GameEvent) -> list[str]:
    """One answer to the pass, as long as not all are shown; the others only learn that it was given."""
    if move.all(Event.HAND_UP, Event.HAND_DOWN):
        return []
    if event.stamp is None:
        return [move.say("log.answer", who=move.who(event))]
    return [hand(move, event, event.stamp)]


def hand(move: Move, event: GameEvent, stamp: int) -> str:
    """A hand that goes up, or (-1) stays down."""
    if stamp < 0:
        return move.say("log.stay", who=move.who(event))
    if move.s.hands == Hands.LIVE:
        return move.say("log.raise_live", who=move.who(event), seconds=names.seconds(stamp))
    return move.say("log.raise", who=move.who(event))


def hands_shown(move: Move, event: GameEvent) -> list[str]:
    """All answers, and who throws."""
    hands = [hand(move, e, e.stamp if e.kind == Event.HAND_UP else -1) for e in move.all(Event.HAND_UP, Event.HAND_DOWN)]
    tokens = move.tokens(move.all(Event.THROW_BEGAN)[0])
    if event.kind == Event.NO_PROXY:
        return move.joined([*hands, move.say("log.no_proxy", who=move.who(event), tokens=tokens)])
    passer = seat_name(event.passer, move.lang)
    return move.joined([*hands, move.say("log.proxy", who=move.who(event), passer=passer, tokens=tokens)])


# --- Throwing -------------------------------------------------------------------------------------------------


def throw_began(move: Move, event: GameEvent) -> list[str]:
    """A lot is thrown; after a pass the line of the hands says so."""
    if move.before(event, Event.PROXY, Event.NO_PROXY) and event is move.all(Event.THROW_BEGAN)[0]:
        return []
    return [move.say("log.throw", who=move.who(event), lot=move.lot(event), tokens=move.tokens(event))]


def dropped(move: Move, event: GameEvent) -> list[str]:
    """Coins of a classic turn."""
    return [move.say("log.drop", who=move.who(event), tokens=names.tokens_name([event.coins], move.lang))]


def released(move: Move, event: GameEvent) -> list[str]:
    """Tokens into the glass; a single token of a throw is told with the throw."""
    if move.before(event, Event.THROW_BEGAN, Event.DROPPED):
        return []
    key = "log.follows" if move.before(event, Event.RELEASED) else "log.release"
    return [move.say(key, who=move.who(event), tokens=move.tokens(event))]


def chose_kind(move: Move, event: GameEvent) -> list[str]:
    """The token that is placed next."""
    return [move.say("log.kind", who=move.who(event), kind=names.kind_name(event.token, move.lang))]


def placed(move: Move, event: GameEvent) -> list[str]:
    """A token on the tray, and the way it takes."""
    way = [move.say("log.topples", cell=e.cell) for e in move.all(Event.TOPPLED)]
    fall = [move.say("log.falls", cell=e.cell) for e in move.all(Event.FELL)]
    kind = names.kind_name(event.token, move.lang)
    return move.joined([move.say("log.cell", who=move.who(event), kind=kind, cell=event.cell), *way, *fall])


def held(move: Move, event: GameEvent) -> list[str]:
    """The players' own vessel held."""
    return [move.say("log.held", who=move.who(event), tokens=move.tokens(event))]


def banked(move: Move, event: GameEvent) -> list[str]:
    """A lot is banked."""
    return [move.say("log.banks", who=move.who(event), lot=move.lot(event), points=names.points_name(event.points, move.lang))]


def mask_laid(move: Move, event: GameEvent) -> list[str]:
    """The mask marks the lot banked last, if there is one."""
    return [move.say("log.mask", lot=move.lot(event))] if event.lot else []


def set_completed(move: Move, event: GameEvent) -> list[str]:
    """A set of three kinds."""
    return [move.say("log.set", who=move.who(event), points=names.points_name(event.points, move.lang))]


def read(move: Move, event: GameEvent) -> list[str]:
    """The reading of the dome, and the sign of the rim."""
    rim = move.next(event)
    sign = move.say(f"sign.{rim.sign}") if rim and rim.kind == Event.RIM else ""
    return move.joined([move.say("log.reading", reading=names.millimetres(names.reading_shown(move.s))), sign])


# --- Between rounds, and the end ------------------------------------------------------------------------------


def eye_taken(move: Move, event: GameEvent) -> list[str]:
    """Who gets the Eye."""
    return [move.say("log.eye", who=move.who(event))]


def eye_free(move: Move, event: GameEvent) -> list[str]:
    """Nobody gets the Eye."""
    return [move.say("log.no_eye")]


def spilled(move: Move, event: GameEvent) -> list[str]:
    """Who made the vessel spill."""
    return [names.spilled_text(move.s, event.seat, move.lang)]


def lot_failed(move: Move, event: GameEvent) -> list[str]:
    """The lot that was thrown scores for nobody."""
    return [move.say("log.fails", lot=move.lot(event))]


def accident(move: Move, event: GameEvent) -> list[str]:
    """An accident with the players' own vessel."""
    if event.culprit < 0:
        return [move.say("log.accident_nobody", who=move.who(event))]
    return [move.say("log.accident", who=move.who(event), culprit=seat_name(event.culprit, move.lang))]


def ended(move: Move, event: GameEvent) -> list[str]:
    """Why the game is over; a spill and an accident are told already."""
    return [move.say("ending.no_spill")] if event.why == Ending.NO_SPILL else []


def glass_revealed(move: Move, event: GameEvent) -> list[str]:
    """What the glass was."""
    return [names.capacity_text(move.s, event.capacity, move.lang)]


def counted_twice(move: Move, event: GameEvent) -> list[str]:
    """What the lot banked last brings once more."""
    return [move.say("log.twice", who=move.who(event), lot=move.lot(event), points=names.points_name(event.points, move.lang))]


def finished(move: Move, event: GameEvent) -> list[str]:
    """Who has won, and that whoever spilled is last whatever the points."""
    seats = move.all(Event.FINISHED)
    if event is not seats[0]:
        return []
    lines = [prompts.winners_text(move.s, [e.place for e in seats], [e.total for e in seats], move.lang)]
    if move.s.rules == RuleSet.ADVANCED and move.s.spiller >= 0:
        total = names.points_name(seats[move.s.spiller].total, move.lang)
        lines.append(move.say("result.last", who=seat_name(move.s.spiller, move.lang), points=total))
    return lines


LINES: dict[EventKind, Callable[[Move, GameEvent], list[str]]] = {
    Event.ROUND_BEGAN: round_began,
    Event.BID: bid,
    Event.WON: slot_resolved,
    Event.CARRIED: slot_resolved,
    Event.SET_ASIDE: slot_resolved,
    Event.SECOND_HALF: second_half,
    Event.PASSED: passed,
    Event.ANSWERED: answered,
    Event.PROXY: hands_shown,
    Event.NO_PROXY: hands_shown,
    Event.THROW_BEGAN: throw_began,
    Event.DROPPED: dropped,
    Event.RELEASED: released,
    Event.CHOSE_KIND: chose_kind,
    Event.PLACED: placed,
    Event.HELD: held,
    Event.BANKED: banked,
    Event.MASK_LAID: mask_laid,
    Event.SET_COMPLETED: set_completed,
    Event.READ: read,
    Event.EYE_TAKEN: eye_taken,
    Event.EYE_FREE: eye_free,
    Event.SPILLED: spilled,
    Event.LOT_FAILED: lot_failed,
    Event.ACCIDENT: accident,
    Event.ENDED: ended,
    Event.GLASS_REVEALED: glass_revealed,
    Event.COUNTED_TWICE: counted_twice,
    Event.FINISHED: finished,
}
