"""Positions of Imhotep set up by hand, in the letters of the specification: K black, W white, N brown, G grey."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from perankh.engine.api import GameEvent
from perankh.engine.chance import seed_chance
from perankh.engine.game import get_game
from perankh.games.imhotep.rules import components, rounds, state
from perankh.games.imhotep.rules.state import State, Step
from perankh.games.imhotep.text import CODES

GAME = get_game("imhotep")
LETTERS = "KWNG"
K, W, N, G = range(4)
ALL_B = {f"{site}_side": "B" for site in components.SITE_NAMES}


def stones(text: str) -> list[int]:
    """Letters as stones; anything else is an empty place."""
    return [1 + LETTERS.index(letter) if letter in LETTERS else 0 for letter in text.replace(" ", "")]


def kinds(text: str) -> list[int]:
    """Names of cards as kinds; `-` is no card (-1)."""
    return [-1 if name == "-" else components.CARDS.index(name) for name in text.split()]


def position(
    players: int = 2,
    *,
    turn: int = 0,
    card: str = "4322",
    ships: str = "",
    docked: str = "",
    sleds: tuple[int, ...] = (2, 2, 2, 2),
    quarries: tuple[int, ...] | None = None,
    pyramid: str = "",
    beside: str = "",
    temple: str = "",
    burial: str = "",
    obelisk: str = "",
    market: str = "idol idol idol idol",
    held: dict[int, str] | None = None,
    deck: str | None = None,
    discard: str | None = None,
    scores: tuple[int, ...] = (),
    round: int = 1,
    **options: Any,
) -> State:
    """A position at the start of a turn.

    `ships` holds the cargo of ships A to D ("WK.. - .K": bow first), `docked` the sites of ships that have sailed
    ("- temple"). Quarries not given hold what is left of the 29 stones. `deck` names the cards of the deck (None: all that are
    nowhere else); with a deck given, cards that are nowhere else lie on the discard pile, unless that is given too.
    """
    s: Any = GAME.blank(players, {"start_player": 0, **options})
    seed_chance(s, 1, 2, 3, 4, 0)
    s.round, s.turn, s.chooser = round, turn, turn
    numbers = [int(digit) for digit in card]
    s.round_card = next(i for i, row in enumerate(components.CAPACITY[players - 2]) if list(row) == numbers)
    s.turned[s.round_card] = round
    others = [i for i in range(components.ROUND_CARDS) if i != s.round_card]
    for earlier in range(1, round):
        s.turned[others[earlier - 1]] = earlier
    for ship, text in enumerate(ships.split()):
        for space, stone in enumerate(stones(text)):
            s.cargo[ship][space] = stone
    for ship, site in enumerate(docked.split()):
        s.berth[ship] = 1 + components.SITE_NAMES.index(site) if site != "-" else 0
    fill_sites(s, pyramid, beside, temple, burial, obelisk)
    for p in range(players):
        s.sled[p] = sleds[p]
        s.quarry[p] = components.STONES - s.sled[p] - elsewhere(s, p) if quarries is None else quarries[p]
    deal(s, market, held or {}, deck, discard)
    for p, points in enumerate(scores):
        s.score[p] = points
    return s


def fill_sites(s: Any, pyramid: str, beside: str, temple: str, burial: str, obelisk: str) -> None:
    """Stones at the monuments; small pyramids are divided by a bar."""
    parts = pyramid.split("|") if s.pyramid_side else [pyramid]
    for number, part in enumerate(parts):
        for cell, stone in enumerate(stones(part)):
            s.pyramid[5 * number + cell] = stone
    for stone in stones(beside):
        s.beside[stone - 1] += 1
    s.temple[: len(stones(temple))] = stones(temple)
    s.burial[: len(stones(burial))] = stones(burial)
    for stone in stones(obelisk):
        s.obelisk[stone - 1] += 1
        if s.obelisk_side and s.obelisk[stone - 1] % 3 == 0:
            s.erected[s.erected.index(0)] = stone


def deal(s: Any, market: str, held: dict[int, str], deck: str | None, discard: str | None) -> None:
    """Put every card somewhere; on side B the fourth place of the market is for the pair, which is face down."""
    left = list(components.COPIES)
    for slot, kind in enumerate(kinds(market)):
        if kind >= 0 and not (s.market_side and slot == 3):
            s.market[slot] = 1 + kind
            left[kind] -= 1
    for p, names in held.items():
        for kind in kinds(names):
            s.held[p][kind] += 1
            left[kind] -= 1
    for kind in kinds(discard or ""):
        s.discard[kind] += 1
        left[kind] -= 1
    if deck is None:
        s.unseen = left
    else:
        for kind in kinds(deck):
            s.unseen[kind] += 1
            left[kind] -= 1
        if discard is None:
            s.discard = left
    s.deck = sum(s.unseen)
    if s.market_side and s.deck >= 2 and kinds(market)[3:] != [-1]:
        s.hidden[0] = s.hidden[1] = state.FaceDown.UNSEEN
        s.deck -= 2


def elsewhere(s: Any, p: int) -> int:
    """Stones of p on ships and at the monuments."""
    places = [*(stone for ship in s.cargo for stone in ship), *s.pyramid, *s.temple, *s.burial]
    return places.count(1 + p) + int(s.beside[p]) + int(s.obelisk[p])


# --- Playing ------------------------------------------------------------------------------------------------------


def actor(s: State) -> int:
    """The seat that decides."""
    (p,) = GAME.actors(s)
    return p


def step(s: State) -> str:
    """The name of the step."""
    return Step(s.step).name.lower()


def legal(s: State) -> list[str]:
    """The codes of what the seat that decides may choose."""
    return [CODES[a] for a in GAME.legal(s, actor(s))]


def begins(s: State, *stems: str) -> list[str]:
    """The legal codes with one of these beginnings."""
    return [code for code in legal(s) if code.startswith(stems)]


def play(s: State, *codes: str) -> State:
    """Make choices, each of which must be legal; returns the same state."""
    for text in codes:
        for code in text.split():
            assert code in legal(s), (code, legal(s), step(s))
            GAME.apply(s, actor(s), CODES.index(code))
    return s


def happened(s: State, codes: str) -> list[GameEvent]:
    """Make choices, and return the events of the last one."""
    *first, last = codes.split()
    play(s, *first)
    assert last in legal(s), (last, legal(s), step(s))
    return GAME.apply(s, actor(s), CODES.index(last))


def points(s: State) -> list[int]:
    """The points of the players."""
    return GAME.scores(s)


def letters(row: list[int]) -> str:
    """Stones as letters, without the empty places."""
    return "".join(LETTERS[stone - 1] for stone in row if stone)


def cards(counts: list[int]) -> dict[str, int]:
    """Counted cards by name."""
    return {components.CARDS[kind]: n for kind, n in enumerate(counts) if n}


def final(s: Any) -> list[int]:
    """The points after final scoring of a position in the last round."""
    s.round = components.ROUNDS
    rounds.finish_round(s)
    assert step(s) == "over"
    return points(s)


def random_games(games: int, players: int, seed: int = 1, **options: Any) -> Iterator[tuple[Any, int, int, Any]]:
    """Every choice of random games: yields (state before, p, action, state after)."""
    return (step_[:4] for step_ in told_games(games, players, seed, **options))


def told_games(games: int, players: int, seed: int = 1, **options: Any) -> Iterator[tuple[Any, int, int, Any, list[GameEvent]]]:
    """The same with the events of each choice."""
    dice = random.Random(seed)
    for number in range(games):
        s: Any = GAME.new_state(players, 1000 * seed + number, options)
        while GAME.rules.actors(s):
            before = s.copy()
            p = actor(s)
            a = dice.choice(GAME.legal(s, p))
            events = GAME.apply(s, p, a)
            yield before, p, a, s, events
