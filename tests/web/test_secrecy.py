"""Who has learned something between two positions: what may be taken back depends on it."""

from __future__ import annotations

import random

import pytest

from perankh.engine import sets
from perankh.match import Match
from perankh.web.secrecy import applied, nothing_learned, sealed, unknown


@pytest.mark.parametrize("seed", range(4))
def test_a_secret_card_that_is_shown_was_learned(seed: int) -> None:
    match, chance = Match("mural", 3, seed), random.Random(seed)
    shown = quiet = 0
    while not match.over:
        before = match.state
        move = match.play(chance.choice(match.moves()))
        drawn = (before.chance_block, before.chance_used) != (match.state.chance_block, match.state.chance_used)
        for p in range(3):
            learned = not nothing_learned(match.game, before, match.state, p)
            from_hand = move.code.isdigit() and sets.has(before.hand[move.player], int(move.code))  # type: ignore[attr-defined]
            secret = from_hand and not sets.has(before.public, int(move.code))  # type: ignore[attr-defined]
            assert learned == (drawn or (secret and p != move.player)), (match.number, move, p)
            shown += secret and not drawn and p != move.player
            quiet += not learned
    assert shown
    assert quiet


def test_what_is_unknown_is_what_others_hold() -> None:
    match, chance = Match("mural", 2, 5), random.Random(5)
    while match.number < 60:
        match.play(chance.choice(match.moves()))
    state = match.state
    hidden = [card for card in range(100) if sets.has(state.hand[1], card) and not sets.has(state.public, card)]  # type: ignore[attr-defined]
    assert hidden
    assert unknown(match.game, state, 0) == {(100, card) for card in hidden}
    assert unknown(match.game, state, 1) == {
        (100, card)
        for card in range(100)
        if sets.has(state.hand[0], card) and not sets.has(state.public, card)  # type: ignore[attr-defined]
    }


@pytest.mark.parametrize(("name", "moves"), [("egizia", 52), ("maqha", 60), ("mural", 60)])
def test_whether_a_choice_is_secret_gives_nothing_away(name: str, moves: int) -> None:
    """In every world that a viewer cannot tell from the true one, the same is said about the choice that looks the same."""
    match, chance = Match(name, 3, 5), random.Random(1)
    game, forced = match.game, 0
    while match.number < moves and not match.over:
        before = match.state
        move = match.play(chance.choice(match.moves()))
        p, viewer = move.player, -1 if match.number % 2 else (move.player + 1) % 3
        said = sealed(game, before, p, move.action, viewer)
        seen = game.veiled(match.state, viewer)
        for seed in range(1000, 1004):
            world = game.redealt(game.veiled(before, viewer), seed)
            for field in ("chance_key", "chance_pool", "chance_block", "chance_used"):
                value = getattr(before, field)
                setattr(world, field, list(value) if isinstance(value, list) else value)
            for other in game.legal(world, p):
                if game.veiled(applied(game, world, p, other), viewer) == seen:
                    assert sealed(game, world, p, other, viewer) == said, (match.number, move.code, viewer)
                    assert said or other == move.action
        others = [applied(game, before, p, other) for other in game.legal(before, p) if other != move.action]
        forced += said and not any(game.veiled(other, viewer) == seen for other in others)
    assert forced or name != "egizia"  # a card that was the only one to be chosen, and still nobody knows which
