"""Positions of Maqha set up by hand, and chance that is written out."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from perankh.engine.api import sets
from perankh.engine.events import redacted
from perankh.engine.game import get_game
from perankh.engine.words import LANGUAGES
from perankh.games.maqha.rules import glass, hidden, passing, piling, rounds, set_up
from perankh.games.maqha.rules.components import CARD_KIND, CARD_POINTS, CARDS, KINDS
from perankh.games.maqha.rules.state import Ending, State, Step
from perankh.games.maqha.text import CODES

GAME = get_game("maqha")
NEVER_SPILLS = 32_000  # a capacity that no throw reaches


@contextmanager
def draws(*numbers: int) -> Iterator[list[int]]:
    """Every number that chance gives, written out; all must be used. Yields the list of the bounds that were asked for."""
    left, bounds = list(numbers), []

    def below(s: Any, n: int) -> int:
        assert left, f"a draw below {n} that is not written out"
        number = left.pop(0)
        assert 0 <= number < n, (number, n)
        bounds.append(n)
        return number

    modules: tuple[Any, ...] = (glass, hidden, passing, piling, set_up)
    real = [module.below for module in modules]
    for module in modules:
        module.below = below
    try:
        yield bounds
    finally:
        for module, function in zip(modules, real, strict=True):
            module.below = function
    assert not left, f"draws left over: {left}"


def new(players: int = 3, seed: int = 1, **options: Any) -> Any:
    """A game that has been set up."""
    return GAME.new_state(players, seed, options)


def cards(text: str) -> list[int]:
    """Card numbers for a text such as "coin1 ankh3 coin1"; equal cards get different numbers."""
    found: list[int] = []
    for name in text.split():
        kind, points = KINDS.index(name[:-1]), int(name[-1])
        found.append(next(c for c in range(CARDS) if CARD_KIND[c] == kind and CARD_POINTS[c] == points and c not in found))
    return found


def name(card: int) -> str:
    """A card as `cards` reads it."""
    return f"{KINDS[CARD_KIND[card]]}{CARD_POINTS[card]}"


def laid_out(text: str, players: int = 3, spills: bool = False, **options: Any) -> Any:
    """A first round with the named cards in its slots, and a glass that holds everything (or nothing)."""
    s = new(players, **options)
    first = cards(text)
    s.deck = first + [card for card in range(CARDS) if card not in first]
    for waiting in s.lot:
        sets.clear(waiting)
    s.dealt = 0
    rounds.reveal(s)
    s.vcrit, s.v0 = (0, 0) if spills else (NEVER_SPILLS, 0)
    s.reading[0] = 0
    return s


def order(s: Any, *rows: str) -> Any:
    """Each seat's bids for the half, a letter a card (E: the Eye), made in seat order."""
    for p, row in enumerate(rows):
        for letter in row:
            play(s, "eye" if letter == "E" else f"bid{letter}", p)
    return s


def play(s: Any, codes: str, p: int | None = None) -> Any:
    """Make choices, each of which must be legal, by the seat given or the only one that may act."""
    for code in codes.split():
        q = GAME.actors(s)[0] if p is None else p
        assert p is not None or len(GAME.actors(s)) == 1, f"{GAME.actors(s)} may act"
        assert CODES.index(code) in GAME.legal(s, q), (code, q, legal(s, q), step(s))
        GAME.rules.apply(s, q, CODES.index(code))
    return s


def legal(s: Any, p: int | None = None) -> str:
    """What a seat may choose, as codes."""
    return " ".join(CODES[a] for a in GAME.legal(s, GAME.actors(s)[0] if p is None else p))


def step(s: Any) -> str:
    """The name of the step."""
    return Step(s.step).name.lower()


def lot(s: Any, slot: int) -> list[str]:
    """The cards of the lot of a slot, sorted."""
    return sorted(name(card) for card in sets.members(s.lot[slot]))


def banked(s: Any, p: int) -> list[str]:
    """The cards p has banked, sorted."""
    return sorted(name(card) for card in sets.members(s.banked[p]))


def finished(*hands: str, spiller: int, last: str = "", over: int = Ending.SPILL, **options: Any) -> State:
    """A game that is over with the named cards banked; `last` is the last banked lot, and belongs to who holds it in `hands`."""
    s = new(len(hands), **options)
    all_cards = cards(" ".join(hands))
    for p, text in enumerate(hands):
        for _ in text.split():
            sets.add(s.banked[p], all_cards.pop(0))
    s.step, s.over, s.spiller = Step.OVER, over, spiller
    owner, _, names = last.partition(":")
    for wanted in names.split():
        theirs = sets.members(s.banked[int(owner)])
        sets.add(s.last_lot, next(c for c in theirs if name(c) == wanted and not sets.has(s.last_lot, c)))
    return s


def random_games(games: int, players: int, seed: int = 1, **options: Any) -> Iterator[tuple[Any, int, int, Any]]:
    """Every state of random games with the choice made in it: yields (state before, p, action, state after)."""
    dice = random.Random(seed)
    for number in range(games):
        s: Any = GAME.new_state(players, 1000 * seed + number, options)
        while acting := GAME.actors(s):
            before = s.copy()
            p = dice.choice(acting)
            a = dice.choice(GAME.legal(s, p))
            GAME.rules.apply(s, p, a)
            yield before, p, a, s


def log_of(s: Any, codes: str, viewer: int, p: int | None = None, lang: str = "en") -> list[str]:
    """The log lines that a viewer reads of the last of several choices; in every language there are as many."""
    *first, last = codes.split()
    play(s, " ".join(first), p)
    q = GAME.actors(s)[0] if p is None else p
    assert CODES.index(last) in GAME.legal(s, q)
    events = GAME.apply(s, q, CODES.index(last))
    told = {each: GAME.text.log_lines(GAME.veiled(s, viewer), redacted(events, viewer), viewer, each) for each in LANGUAGES}
    assert len({len(lines) for lines in told.values()}) == 1
    return list(told[lang])


def place(s: Any, card: int) -> str:
    """Where a score card is: "deck", a slot letter, "carried", "aside", "failed", or the number of the seat that banked it."""
    found = [letter for letter, waiting in zip("ABCDE", s.lot, strict=True) if sets.has(waiting, card)]
    found += [kind for kind in ("carried", "aside", "failed") if sets.has(getattr(s, kind), card)]
    found += [str(p) for p in range(s.players) if sets.has(s.banked[p], card)]
    assert len(found) <= 1
    return found[0] if found else "deck"


def put(s: Any, card: int, there: Any) -> None:
    """Put a score card into one of the sets of cards of the state, wherever it was."""
    for cards_there in (*s.lot, s.carried, s.aside, s.failed, *s.banked):
        sets.remove(cards_there, card)
    if there is not None:
        sets.add(there, card)
