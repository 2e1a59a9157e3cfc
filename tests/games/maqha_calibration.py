"""The measured figures of Maqha's glass and tray, reproduced: `python -m tests.games.maqha_calibration` plays 100,000 games each.

The functions marked `@rule` play one card after the other in deck order, as the statistics of the specification do: one thrower,
nobody passes. They are compiled with the game's own rules.
"""

from __future__ import annotations

import random
import sys
from typing import Any

import numpy as np

from perankh.engine.api import below, rule
from perankh.engine.chance import seed_chance
from perankh.engine.game import get_game, seed_words
from perankh.engine.native import build_folder
from perankh.engine.rule import Translation
from perankh.games.maqha.glass import fill_glass, pour, release, settle
from perankh.games.maqha.rules import shuffle
from perankh.games.maqha.table import (
    ALL_TOKENS,
    BIDDING,
    CARD_KIND,
    CARD_TOKENS,
    CARDS,
    CELLS,
    FAILED,
    LIQUIDS,
    NEIGHBOUR,
    SPILL,
    SWAY,
    TOKENS,
    State,
    has_glass,
)
from perankh.games.maqha.tray import open_drop, place_token

GAME = get_game("maqha")
RANDOM_CELL, LOWEST_CELL, SAFEST_CELL, PACKED_CELL = range(4)  # how a cell of the tray is chosen
NEVER = 99


@rule
def begin_game(table: Any, blank: Any, keys: Any, index: int) -> None:
    """Shuffle the cards and fill the glass of game number `index`."""
    table[0] = blank[0]
    seed_chance(table[0], keys[0], keys[1], keys[2], keys[3], index)
    shuffle(table[0])
    if has_glass(table[0]):
        fill_glass(table[0])


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
            if release(s, 0, 1 if kind == 0 else 0, 1 if kind == 1 else 0, 1 if kind == 2 else 0):
                out[0], out[1] = i + 1, token
                out[5 + s.sign] = 1
                return
        settle(s)
    out[0], out[1] = NEVER, NEVER


@rule
def coins_game(s: State, out: Any, at_once: int) -> None:
    """Coins into the glass, so many a turn; writes the turn and the coin that spill."""
    coins = 0
    for turn in range(TOKENS[0] // at_once):
        coins += at_once
        if release(s, 0, at_once, 0, 0):
            out[0], out[1] = turn + 1, coins
            return
        settle(s)
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
            if place_token(s, kind, cell):
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
            drop = open_drop(s, kind, cell, direction, x + 2 * topples)
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
        pour(table[0])
        out[index, 0] = int(table[0].vcrit) - int(table[0].v0)


TRANSLATION = Translation({})


def played(function: Any, games: int, players: int, seed: int, options: dict[str, Any], *more: Any) -> Any:
    """The rows that a compiled function writes, one a game: card or turn, token, and what `glass_game` says of signs."""
    blank = np.zeros(1, GAME.State.dtype)
    GAME.blank(players, options).pack(blank[0])
    out = np.zeros((games, 8), np.int64)
    keys = np.array(seed_words(seed), np.int64)
    with build_folder(GAME):
        compiled = TRANSLATION.compile(function, cache=True)
        compiled(np.zeros(1, GAME.State.dtype), blank, keys, out, *more)
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
            GAME.rules.apply(s, acting[0], dice.choice(actions) if s.step == BIDDING else actions[0])
            largest = max(largest, bin(s.last_lot).count("1"))
        ranks, points = GAME.ranks(s), GAME.scores(s)
        thrown = sum(place >= FAILED for place in s.place)
        winners = [p for p in range(players) if ranks[p] == 1]
        rows[number] = thrown, s.readings - 1 + (s.over == SPILL), points[winners[0]], len(winners), largest
    return rows


def margin_quantiles(liquid: str, games: int, shares: Any, seed: int = 4) -> Any:
    """What the given shares, in per mille, of level glasses do not exceed."""
    return np.quantile(played(margins, games, 3, seed, {"liquid": liquid})[:, 0], np.array(shares) / 1000)


def main(games: int) -> None:
    """Print all figures."""
    for liquid in LIQUIDS:
        card, token = glass(liquid, games).T
        rounds = np.bincount((np.minimum(card, CARDS) + 4) // 5, minlength=6)[1:] / games * 100
        print(
            f"{liquid}: card {card.mean():.2f} (sd {card.std():.2f}), quantiles {np.quantile(card, (0.05, 0.5, 0.95))}, "
            f"token {token.mean():.2f} (sd {token.std():.2f}), by round {np.round(rounds, 2)} %, all in {(card == NEVER).sum()}"
        )
        level = [100 * (coins(liquid, games, n, False)[:, 0] != NEVER).mean() for n in (1, 2, 10)]
        dome = coins(liquid, games, 1, True)[:, 1]
        print(
            f"  10 coins overflow a level glass by ones, twos, at once: {np.round(level, 2)} %; classic: never "
            f"{100 * (dome == NEVER).mean():.2f} %, coin that spills {dome[dome != NEVER].mean():.2f}, "
            f"5-95 % {np.quantile(dome[dome != NEVER], (0.05, 0.95))}"
        )
        print(f"  with the rim line the next card spills after sign 0, 1, 2: {np.round(rim_line(liquid, games), 1)} %")
        for players in (3, 4):
            rows = full_games(players, games // 50, liquid)
            means, shared = rows.mean(axis=0), 100 * (rows[:, 3] > 1).mean()
            print(
                f"  whole games of {players}: cards {means[0]:.2f} (sd {rows[:, 0].std():.2f}), throws {means[1]:.2f}, "
                f"winner {means[2]:.2f}, shared {shared:.1f} %, largest lot {rows[:, 4].max()}"
            )
    for how, name in enumerate(("random cell", "lowest cell", "least risk", "least risk, packed")):
        risks = np.zeros((ALL_TOKENS + 1, 2))
        card, token = tray(how, games // 5, risks=risks).T
        print(f"tray, {name}: card {card.mean():.2f} (sd {card.std():.2f}), token {token.mean():.2f}")
        if how == SAFEST_CELL:
            told = ", ".join(f"{n}: {100 * risks[n, 0] / risks[n, 1]:.1f} %" for n in (12, 13, 15, 17, 19, 21))
            print(f"  risk of the safest cell by token {told}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
