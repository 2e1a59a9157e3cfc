"""The bots of a game: do stronger levels beat weaker ones?"""

from __future__ import annotations

import time
from collections.abc import Callable

from perankh.bots import BOTS, searcher_of
from perankh.bots.ismcts import share_beaten
from perankh.bots.network import untrained
from perankh.bots.play import play
from perankh.checks.walk import CheckSkipped, Progress, within
from perankh.engine.game import Game

DUELS = (("apprentice", "random"), ("priest", "scribe"))
FEWEST, MOST = 3, 16  # deals of each duel, each played from every seat
SECONDS = 4.0  # after which a duel ends, once the fewest deals are played
ADVICE = (
    "the priest does not beat the scribe: rollouts with random moves say little in this game; "
    "add bots.py with a heuristic or a rollout_choice (see docs/bots.md)"
)


def levels_in_order(game: Game, effort: float, progress: Progress) -> str:
    """Two pairs of levels over a few deals. A wrong order is reported with advice; it does not fail the check."""
    players = max(2, game.players[0])
    if players not in game.players:
        raise CheckSkipped("a game for one player: bots do not meet")
    searcher_of(game).warm()
    play(game, players, {}, 0, [BOTS["random"]] * players, 0)  # compiles the entries that a match needs
    found, share = [], 0.0
    deals = round(MOST * max(1.0, effort))
    for number, (bot, other) in enumerate(DUELS):
        share, matches = duel(game, players, bot, other, deals, effort, within(progress, number, len(DUELS), deals))
        found.append(f"{bot} beats {share:.0%} of {other} opponents ({matches} matches)")
    if share <= 0.5 and not (hasattr(game.bots, "heuristic") or hasattr(game.bots, "rollout_choice")):
        found.append(f"warning: {ADVICE}")
    if reason := untrained(game, game.new_state(players, 0)):
        found.append(f"warning: {reason}; the bots search instead")
    return "; ".join(found)


def duel(
    game: Game, players: int, bot: str, other: str, deals: int, effort: float, report: Callable[[int], None]
) -> tuple[float, int]:
    """The share of opponents that a bot beats with all other seats played by another one, and the number of matches."""
    began = time.monotonic()
    beaten, matches = 0.0, 0
    for deal in range(deals):
        if deal >= FEWEST and time.monotonic() - began > SECONDS * effort:
            break
        for seat in range(players):
            seats = [BOTS[other]] * players
            seats[seat] = BOTS[bot]
            ranks = play(game, players, {}, deal, seats, deal * players + seat).ranks
            beaten += share_beaten(ranks, players, seat)
            matches += 1
            report(deal)
    return beaten / matches, matches
