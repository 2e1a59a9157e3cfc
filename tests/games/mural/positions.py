"""Positions of Nile Mural set up by hand, with the cards that the deck will give."""

from __future__ import annotations

from perankh.engine import sets
from perankh.engine.events import redacted
from perankh.engine.game import get_game
from perankh.games.mural.rules.actions import DRAW
from perankh.games.mural.rules.state import State, Step

MURAL = get_game("mural")
members = sets.members


def table(
    players: int = 3,
    *,
    hands: dict[int, list[int]] | None = None,
    opened: dict[int, list[int]] | None = None,
    row: list[int] | None = None,
    wall: list[int] | None = None,
    deck: list[int] | None = None,
    **options: object,
) -> State:
    """A table with seat 0 on turn. Cards not named are in the deck, or on the wall if `deck` is given."""
    s = MURAL.new_state(players, 1, {"start_player": 0, **options})
    assert isinstance(s, State)
    for bits in (s.unseen, s.row, s.wall, s.public, *s.hand):
        sets.clear(bits)
    sets.fill(s.unseen if deck is None else s.wall, 100)
    for p, cards in (hands or {}).items():
        put(s, s.hand[p], cards)
    s.secret = [sets.count(hand) for hand in s.hand]
    for p, cards in (opened or {}).items():
        put(s, s.hand[p], cards)
        for card in cards:
            sets.add(s.public, card)
    put(s, s.row, row or [])
    put(s, s.wall, wall or [])
    put(s, s.unseen, deck or [])
    s.deck = sets.count(s.unseen)
    return s


def put(s: State, place: list[int], cards: list[int]) -> None:
    """Move cards to a place from wherever they are."""
    for card in cards:
        for bits in (s.unseen, s.row, s.wall, *s.hand):
            sets.remove(bits, card)
        sets.add(place, card)


def next_from_deck(s: State, card: int) -> None:
    """Arrange that the next card drawn is this one."""
    assert sets.has(s.unseen, card), f"{card} is not in the deck"
    s.chance_used = 15
    s.chance_pool[15] = ((2 * members(s.unseen).index(card) + 1) << 31) // s.deck


def do(s: State, *actions: int) -> State:
    """The player on turn makes these choices, each of which must be legal."""
    for a in actions:
        p = s.turn
        assert a in MURAL.legal(s, p), f"{a} is not legal: {MURAL.legal(s, p)}"
        MURAL.rules.apply(s, p, a)
        assert (s.step == Step.TAKE) == (s.takes > 0)
        assert s.step == Step.TAKE or s.ending_turn == 0
    return s


def log(s: State, *actions: int, viewer: int = -1, lang: str = "en") -> list[str]:
    """The log lines, as a viewer reads them, of some choices of the player on turn."""
    lines = []
    for a in actions:
        assert a in MURAL.legal(s, s.turn), f"{a} is not legal: {MURAL.legal(s, s.turn)}"
        events = MURAL.apply(s, s.turn, a)
        lines += MURAL.text.log_lines(MURAL.veiled(s, viewer), redacted(events, viewer), viewer, lang)
    return lines


def draw(s: State, *cards: int) -> State:
    """The player on turn draws these cards from the deck, one after the other."""
    for card in cards:
        next_from_deck(s, card)
        do(s, DRAW)
    return s


def choices(s: State) -> list[int]:
    """What the player on turn may choose."""
    return MURAL.legal(s, s.turn)


def hand(s: State, p: int) -> list[int]:
    """The cards in a hand."""
    return members(s.hand[p])
