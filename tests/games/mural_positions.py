"""Positions of Nile Mural set up by hand, with the cards that the deck will give."""

from __future__ import annotations

from perankh.engine.game import get_game
from perankh.games.mural.rules import DRAW, HAND, OPEN, ROW, SHEET, STOP, TAKE, UNSEEN, State

MURAL = get_game("mural")


def table(
    players: int = 3,
    *,
    hands: dict[int, list[int]] | None = None,
    opened: dict[int, list[int]] | None = None,
    row: list[int] | None = None,
    sheet: list[int] | None = None,
    deck: list[int] | None = None,
    **options: object,
) -> State:
    """A table with seat 0 on turn. Cards not named are in the deck, or on the sheet if `deck` is given."""
    s = MURAL.new_state(players, 1, {"start_player": 0, **options})
    assert isinstance(s, State)
    s.where = [UNSEEN if deck is None else SHEET] * 100
    for p, cards in (hands or {}).items():
        for card in cards:
            s.where[card] = HAND + p
    for p, cards in (opened or {}).items():
        for card in cards:
            s.where[card] = OPEN + p
    for cards, place in ((row, ROW), (sheet, SHEET), (deck, UNSEEN)):
        for card in cards or []:
            s.where[card] = place
    s.secret = [s.where.count(HAND + p) for p in range(4)]
    s.deck = s.where.count(UNSEEN)
    return s


def next_from_deck(s: State, card: int) -> None:
    """Arrange that the next card drawn is this one."""
    assert s.where[card] == UNSEEN, f"{card} is not in the deck"
    before = sum(where == UNSEEN for where in s.where[:card])
    s.chance_used = 15
    s.chance_pool[15] = ((2 * before + 1) << 31) // s.deck


def do(s: State, *actions: int) -> State:
    """The player on turn makes these choices, each of which must be legal."""
    for a in actions:
        p = s.turn
        assert a in MURAL.legal(s, p), f"{a} is not legal: {MURAL.legal(s, p)}"
        MURAL.rules.apply(s, p, a)
        assert (s.step == TAKE) == (s.takes > 0)
        assert s.step == TAKE or s.ending_turn == 0
    return s


def draw(s: State, *cards: int) -> State:
    """The player on turn draws these cards from the deck, one after the other."""
    for card in cards:
        next_from_deck(s, card)
        do(s, DRAW)
    return s


def choices(s: State) -> list[int]:
    """What the player on turn may choose."""
    return MURAL.legal(s, s.turn)


def cards_in(s: State, place: int) -> list[int]:
    """The cards in a place."""
    return [card for card in range(100) if s.where[card] == place]


def hand(s: State, p: int) -> list[int]:
    """The cards in a hand."""
    return sorted(cards_in(s, HAND + p) + cards_in(s, OPEN + p))


__all__ = [
    "DRAW",
    "MURAL",
    "ROW",
    "SHEET",
    "STOP",
    "TAKE",
    "cards_in",
    "choices",
    "do",
    "draw",
    "hand",
    "next_from_deck",
    "table",
]
