"""The measured figures of Maqha's glass and tray, reproduced: `python -m tests.games.maqha.calibration` plays 100,000 games each.

The functions marked `@rule` play one card after the other in deck order, as the statistics of the specification do: one thrower,
nobody passes. They are compiled with the game's own rules.
"""

from __future__ import annotations

import random
import sys
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from perankh.engine.api import below, rule, sets
from perankh.engine.chance import seed_chance
from perankh.engine.game import get_game, seed_words
from perankh.engine.native import Entry
from perankh.games.maqha.rules import glass as glass_rules
from perankh.games.maqha.rules import piling
from perankh.games.maqha.rules.components import (
    ALL_TOKENS,
    CARD_KIND,
    CARD_TOKENS,
    CARDS,
    CELLS,
    LIQUIDS,
    NEIGHBOUR,
    SLOTS,
    SWAY,
    TOKENS,
)
from perankh.games.maqha.rules.set_up import shuffle
from perankh.games.maqha.rules.state import Ending, State, Step

GAME = get_game("maqha")
RANDOM_CELL, LOWEST_CELL, SAFEST_CELL, PACKED_CELL = range(4)  # how a cell of the tray is chosen
NEVER = 99


@rule
def begin_game(table: Any, blank: Any, keys: Any, index: int) -> None:
    """Shuffle the cards and fill the glass of game number `index`."""
    table[0] = blank[0]
    seed_chance(table[0], keys[0], keys[1], keys[2], keys[3], index)
    shuffle(table[0])
    if glass_rules.is_used(table[0]):
        glass_rules.fill(table[0])


@rule
def glass_game(s: State, out: Any) -> None:
    """Card after card into the glass, token by token; writes the card and the token that spill, and with a rim line how
    many cards were thrown after each sign and which sign went before the spill."""
    token = 0
    for i in range(CARDS):
        kind = CARD_KIND[s.deck[i]]
        out[2 + s.sign] += 1
        for _ in range(CARD_TOKENS[s.deck[i]]):
            token += 1
            if glass_rules.overflows(s, 0, 1 if kind == 0 else 0, 1 if kind == 1 else 0, 1 if kind == 2 else 0):
                out[0], out[1] = i + 1, token
                out[5 + s.sign] = 1
                return
        glass_rules.settle(s)
    out[0], out[1] = NEVER, NEVER


@rule
def coins_game(s: State, out: Any, at_once: int) -> None:
    """Coins into the glass, so many a turn; writes the turn and the coin that spill."""
    coins = 0
    for turn in range(TOKENS[0] // at_once):
        coins += at_once
        if glass_rules.overflows(s, 0, at_once, 0, 0):
            out[0], out[1] = turn + 1, coins
            return
        glass_rules.settle(s)
    out[0], out[1] = NEVER, NEVER


@rule
def tray_game(s: State, out: Any, how: int, risk: Any, risks: Any) -> None:
    """Card after card onto the tray; writes the card and the token that fall, and adds up the risks taken by token."""
    token = 0
    for i in range(CARDS):
        kind = CARD_KIND[s.deck[i]]
        for _ in range(CARD_TOKENS[s.deck[i]]):
            token += 1
            cell = choose_cell(s, kind, how, risk)
            risks[token, 0] += risk[cell, 0]
            risks[token, 1] += 1
            if piling.falls(s, kind, cell):
                out[0], out[1] = i + 1, token
                return
    out[0], out[1] = NEVER, NEVER


@rule
def choose_cell(s: State, kind: int, how: int, risk: Any) -> int:
    """Any cell, the lowest, or the one with the least risk; ties at random, or onto the highest when packed."""
    if how == RANDOM_CELL:
        return below(s, CELLS)
    if how != LOWEST_CELL:
        reckon_risks(s, kind, risk)
    best, ties = 0, 0
    for cell in range(CELLS):
        better = 0.0
        if how == LOWEST_CELL:
            better = 1.0 * s.height[best] - s.height[cell]
        else:
            better = risk[best, 0] - risk[cell, 0]
            if how == PACKED_CELL and abs(better) < 1e-12:
                better = 1.0 * s.height[cell] - s.height[best]
        if ties == 0 or better > 1e-12:
            best, ties = cell, 1
        elif better > -1e-12:
            ties += 1
            if below(s, ties) == 0:
                best = cell
    return best


@rule
def reckon_risks(s: State, kind: int, risk: Any) -> None:
    """The chance to fall of a token on each cell after so many topples, the lower cells first: [cell][topples]."""
    for height in range(128):
        for cell in range(CELLS):
            if s.height[cell] == height:
                for topples in range(CELLS):
                    risk[cell, topples] = risk_of(s, kind, cell, topples, risk)


@rule
def risk_of(s: State, kind: int, cell: int, topples: int, risk: Any) -> float:
    """The chance to fall from one cell."""
    fall = 0.0
    for x in range(SWAY[kind] + 1):
        total, bad = 0.0, 0.0
        for direction in range(4):
            drop = piling.open_drop(s, kind, cell, direction, x + 2 * topples)
            total += drop
            if drop > 0:
                neighbour = NEIGHBOUR[cell][direction]
                bad += drop * (1.0 if neighbour < 0 else risk[neighbour, min(topples + 1, CELLS - 1)])
        if total > 0:
            fall += bad / total
    return fall / (SWAY[kind] + 1)


@rule
def glass_games(table: Any, blank: Any, keys: Any, out: Any) -> None:
    """Many glass games."""
    for index in range(len(out)):
        begin_game(table, blank, keys, index)
        glass_game(table[0], out[index])


@rule
def coins_games(table: Any, blank: Any, keys: Any, out: Any, at_once: int) -> None:
    """Many games with coins alone."""
    for index in range(len(out)):
        begin_game(table, blank, keys, index)
        coins_game(table[0], out[index], at_once)


@rule
def tray_games(table: Any, blank: Any, keys: Any, out: Any, how: int, risk: Any, risks: Any) -> None:
    """Many tray games."""
    for index in range(len(out)):
        begin_game(table, blank, keys, index)
        tray_game(table[0], out[index], how, risk, risks)


@rule
def margins(table: Any, blank: Any, keys: Any, out: Any) -> None:
    """Capacity less first volume of many glasses."""
    begin_game(table, blank, keys, 0)
    for index in range(len(out)):
        glass_rules.pour(table[0])
        out[index, 0] = table[0].vcrit - table[0].v0


@cache
def compiled(function: Any) -> Any:
    """A loop over games as machine code."""
    return Entry(GAME, function)


def played(function: Any, games: int, players: int, seed: int, options: dict[str, Any], *more: Any) -> Any:
    """The rows that a compiled function writes, one a game: card or turn, token, and what `glass_game` says of signs."""
    blank = np.zeros(1, GAME.State.dtype)
    GAME.blank(players, options).pack(blank[0])
    out = np.zeros((games, 8), np.int64)
    keys = np.array(seed_words(seed), np.int64)
    compiled(function)(np.zeros(1, GAME.State.dtype), blank, keys, out, *more)
    return out


def glass(liquid: str, games: int, seed: int = 1) -> Any:
    """Card and token that spill a level glass."""
    return played(glass_games, games, 3, seed, {"liquid": liquid})[:, :2]


def rim_line(liquid: str, games: int, seed: int = 5) -> list[float]:
    """The share of cards that spill after each sign of the rim, in per cent."""
    rows = played(glass_games, games, 3, seed, {"liquid": liquid, "rim_line": True})
    return [100 * float(share) for share in rows[:, 5:].sum(axis=0) / rows[:, 2:5].sum(axis=0)]


def coins(liquid: str, games: int, at_once: int, classic: bool, seed: int = 2) -> Any:
    """Turn and coin that spill a level glass or the dome of the classic rules."""
    return played(coins_games, games, 3, seed, {"liquid": liquid, "rules": "classic" if classic else "advanced"}, at_once)


def tray(how: int, games: int, seed: int = 3, risks: Any = None) -> Any:
    """Card and token that fall off the tray; sums and numbers of the risks by token are added to `risks`."""
    sums = np.zeros((ALL_TOKENS + 1, 2)) if risks is None else risks
    return played(tray_games, games, 3, seed, {"vessel": "tray"}, how, np.zeros((CELLS, CELLS)), sums)[:, :2]


def full_games(players: int, games: int, liquid: str, seed: int = 6) -> Any:
    """Whole interpreted games with random bids, no passes and tokens one by one.

    A row a game: cards and lots thrown, the winner's points, the number of winners, the largest lot.
    """
    dice = random.Random(seed)
    rows = np.zeros((games, 5), np.int64)
    for number in range(games):
        s: Any = GAME.new_state(players, 1_000_000 * seed + number, {"liquid": liquid})
        largest = 0
        while acting := GAME.actors(s):
            actions = GAME.legal(s, acting[0])
            GAME.rules.apply(s, acting[0], dice.choice(actions) if s.step == Step.BID else actions[0])
            largest = max(largest, sets.count(s.last_lot))
        ranks, points = GAME.ranks(s), GAME.scores(s)
        thrown = sum(sets.count(cards) for cards in (*s.banked, s.failed))
        winners = [p for p in range(players) if ranks[p] == 1]
        rows[number] = thrown, s.readings - 1 + (s.over == Ending.SPILL), points[winners[0]], len(winners), largest
    return rows


def margin_quantiles(liquid: str, games: int, shares: Any, seed: int = 4) -> Any:
    """What the given shares, in per mille, of level glasses do not exceed."""
    return np.quantile(played(margins, games, 3, seed, {"liquid": liquid})[:, 0], np.array(shares) / 1000)


# --- The report -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Liquid:
    """What the specification has measured for a liquid."""

    card: tuple[float, float]  # card that spills a level glass: mean, standard deviation
    token: tuple[float, float]
    quantiles: tuple[int, ...]  # of the card: 5, 50 and 95 per cent
    rounds: tuple[float, ...]  # per cent of games that end in each round
    level: tuple[float, ...]  # per cent of level glasses that 10 coins overflow: by ones, by twos, at once
    classic: tuple[float, float]  # per cent never overflowed in the classic rules; mean coin that spills
    signs: tuple[float, ...] = ()  # per cent of next cards that spill after each sign of the rim
    cards: tuple[float, ...] = ()  # per cent of games that end with each card
    whole: tuple[tuple[int, float, float, float], ...] = ()  # whole games: players, cards, throws, winner's points


WATER_CARDS = (
    0,
    0,
    0,
    0.03,
    0.13,
    0.43,
    1.14,
    2.39,
    4.41,
    7.23,
    9.97,
    12.6,
    13.88,
    13.93,
    12.45,
    9.6,
    6.31,
    3.47,
    1.52,
    0.44,
    0.06,
)
WHISKY_CARDS = (0, 0.03, 0.21, 0.84, 2.49, 5.36, 9.56, 13.94, 16.81, 17.1, 14.49, 10.01, 5.72, 2.42, 0.82, 0.18, 0.02, 0, 0, 0, 0)
LIQUID_FIGURES = {
    "water": Liquid(
        card=(13.28, 2.70),
        token=(18.80, 3.49),
        quantiles=(9, 13, 18),
        rounds=(0.2, 15.6, 62.8, 21.3, 0.06),
        level=(0, 0, 0.08),
        classic=(0.1, 5.7),
        signs=(0.2, 7, 43),
        cards=WATER_CARDS,
        whole=((3, 13.3, 12.8, 8.9), (4, 13.3, 12.1, 8.0)),
    ),
    "mix": Liquid(
        card=(10.21, 2.32),
        token=(14.35, 2.81),
        quantiles=(6, 10, 14),
        rounds=(2.0, 52.6, 44.6, 0.8, 0),
        level=(0.19, 0.36, 2.0),
        classic=(0.03, 5.5),
    ),
    "whisky": Liquid(
        card=(9.53, 2.23),
        token=(13.37, 2.67),
        quantiles=(6, 10, 13),
        rounds=(3.6, 62.8, 33.5, 0.2, 0),
        level=(0.49, 0.76, 3.7),
        classic=(0.1, 5.9),
        signs=(0.8, 14, 53),
        cards=WHISKY_CARDS,
    ),
}
TRAY_FIGURES = (
    ("random cell", 6.4, 2.6),
    ("lowest cell", 10.9, 1.9),
    ("least risk", 12.7, 2.0),
    ("least risk, packed", 13.2, 1.8),
)
# Mean risk of the safest cell by token, in per cent, and what 4,000 games, as many as were measured, may be off by chance.
RISKS = ((12, 0, 0.2), (13, 1, 0.6), (15, 10, 1.6), (17, 22, 1.8), (19, 34, 3.2), (21, 53, 4.6))


class Report:
    """Prints each figure beside the measured one, and remembers those that are off."""

    def __init__(self) -> None:
        self.off = 0

    def compare(self, what: str, found: Any, measured: Any, tolerance: float) -> None:
        """One figure, or a row of them."""
        pairs = list(zip(np.atleast_1d(found), np.atleast_1d(measured), strict=True))
        good = all(abs(one - other) <= tolerance for one, other in pairs)
        self.off += not good
        told = ", ".join(f"{one:.2f} ({other:g})" for one, other in pairs)
        print(f"  {'ok ' if good else 'OFF'} {what}: {told}, within {tolerance:g}")


def spread(cards: Any) -> Any:
    """The per cent of games that end with each card."""
    return 100 * np.bincount(cards[cards != NEVER], minlength=CARDS + 1)[1:] / len(cards)


def report_glass(report: Report, liquid: str, games: int) -> None:
    """The figures of a liquid."""
    figures = LIQUID_FIGURES[liquid]
    card, token = glass(liquid, games).T
    ends = spread(card)
    print(f"{liquid}: the card at which it spills, in per cent: {' '.join(f'{share:.2f}' for share in ends)}")
    report.compare("card, mean and deviation", (card.mean(), card.std()), figures.card, 0.04)
    report.compare("token, mean and deviation", (token.mean(), token.std()), figures.token, 0.05)
    report.compare("card, 5, 50 and 95 %", np.quantile(card, (0.05, 0.5, 0.95)), figures.quantiles, 0)
    report.compare("ends in round 1 to 5, %", np.add.reduceat(ends, range(0, CARDS, SLOTS)), figures.rounds, 0.6)
    if figures.cards:
        report.compare("ends with card 1 to 21, %", ends, figures.cards, 0.4)
    report.compare("games with all tokens in", (card == NEVER).sum(), 0, 0)
    level = [100 * (coins(liquid, games, n, False)[:, 0] != NEVER).mean() for n in (1, 2, 10)]
    report.compare("10 coins overflow a level glass by ones, by twos, at once, %", level, figures.level, 0.2)
    dome = coins(liquid, games, 1, True)[:, 1]
    found = (100 * (dome == NEVER).mean(), dome[dome != NEVER].mean())
    report.compare("classic: never overflowed, %; coin that spills", found, figures.classic, 0.06)
    if figures.signs:
        report.compare("the next card spills after sign 0, 1, 2 of the rim, %", rim_line(liquid, games), figures.signs, 0.6)
    for players, *means in figures.whole:
        rows = full_games(players, games // 50, liquid)
        report.compare(f"whole games of {players}: cards, throws, winner's points", rows.mean(axis=0)[:3], means, 0.25)
        report.compare(f"whole games of {players}: shared victories, %", 100 * (rows[:, 3] > 1).mean(), 3.5, 1.6)


def report_tray(report: Report, games: int) -> None:
    """The figures of the tray."""
    for how, (name, mean, deviation) in enumerate(TRAY_FIGURES):
        risks = np.zeros((ALL_TOKENS + 1, 2))
        card, token = tray(how, games, risks=risks).T
        print(f"tray, {name}: the card at which a token falls, in per cent: {' '.join(f'{share:.2f}' for share in spread(card))}")
        report.compare("card, mean and deviation", (card.mean(), card.std()), (mean, deviation), 0.12)
        if how == SAFEST_CELL:
            report.compare("card, 5, 50 and 95 %", np.quantile(card, (0.05, 0.5, 0.95)), (10, 13, 16), 0)
            report.compare("token", token.mean(), 18.0, 0.12)
            for n, percent, tolerance in RISKS:
                report.compare(f"risk of token {n}, %", 100 * risks[n, 0] / risks[n, 1], percent, tolerance)
            report.compare("games with all tokens on it", (card == NEVER).sum(), 0, 0)


def main(games: int) -> int:
    """Print all figures, each with the one of the specification; the status is 1 if one is off."""
    report = Report()
    for liquid in LIQUIDS:
        report_glass(report, liquid, games)
    report_tray(report, games)
    return int(report.off > 0)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000))
