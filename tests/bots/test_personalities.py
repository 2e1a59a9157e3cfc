"""Personalities: play differs in the named direction, strength hardly does, and they are offered where that holds."""

from __future__ import annotations

import statistics
from functools import lru_cache

import pytest

from perankh.bots import BOTS, LEVELS, bot_named, bots_of, level_called, needs_no_compiler
from perankh.bots.ismcts import share_beaten
from perankh.bots.personalities import PERSONALITIES, personalities_of
from perankh.bots.searcher import interpreted_search
from perankh.engine.game import game_names, get_game
from perankh.errors import BadOption
from perankh.match.match import Match

# The matches of Egizia and Nile Mural take minutes.
OFFERED = [
    pytest.param(game, personality, marks=() if game == "imhotep" else pytest.mark.soak)
    for game in game_names()
    for personality in personalities_of(get_game(game))
]
DEALS = range(20_000, 20_008)


@lru_cache
def matches(name: str, bot: str, other: str) -> list[tuple[float, float, float]]:
    """Of matches of two, over a match: what the bot and the other had on the average, and whether the bot won."""
    game, found = get_game(name), []
    heuristic = interpreted_search(game).heuristic
    for deal in DEALS:
        for seat in range(2):
            state, had = game.new_state(2, deal), []
            while actors := game.actors(state):
                p = actors[0]
                chosen = BOTS[bot if p == seat else other]
                game.rules.apply(state, p, chosen.decide(game, game.veiled(state, p), p, 1000 * deal + len(had)))
                had.append((int(heuristic(state, seat)), int(heuristic(state, 1 - seat))))
            own, others = (statistics.fmean(pair[k] for pair in had) for k in (0, 1))
            found.append((own, others, share_beaten(game.ranks(state), 2, seat)))
    return found


def mean(name: str, bot: str, other: str, figure: int) -> float:
    """The mean of a figure over the matches."""
    return statistics.fmean(one[figure] for one in matches(name, bot, other))


@pytest.mark.parametrize(("game", "personality"), OFFERED)
def test_play_differs_in_the_named_direction(game: str, personality: str) -> None:
    bot = f"{personality}-vizier"
    if personality == "greedy":
        assert mean(game, bot, "vizier", 0) > mean(game, "vizier", "vizier", 0)
    else:
        assert mean(game, bot, "vizier", 1) < mean(game, "vizier", "vizier", 1)


@pytest.mark.parametrize(("game", "personality"), OFFERED)
def test_strength_stays_within_one_level(game: str, personality: str) -> None:
    """Against its own level it wins more than the level below does: that one wins a quarter."""
    assert 0.25 < mean(game, f"{personality}-vizier", "vizier", 2) < 0.75


def test_they_are_offered_where_they_change_play() -> None:
    assert set(personalities_of(get_game("imhotep"))) == set(PERSONALITIES)
    assert not personalities_of(get_game("maqha"))
    assert "greedy-priest" in bots_of(get_game("imhotep"))
    assert not any("greedy-" in bot for bot in bots_of(get_game("maqha")))
    with pytest.raises(BadOption, match="maqha has no bot 'greedy-priest'; it has: random, apprentice"):
        bot_named(get_game("maqha"), "greedy-priest")
    with pytest.raises(BadOption, match="no bot 'greedy-pharaoh'"):
        Match("imhotep", 2, 1).bot("greedy-pharaoh")


@pytest.mark.parametrize("level", [level for level in LEVELS if level != "pharaoh"])
def test_every_level_plays_with_every_personality_by_its_own_network(level: str) -> None:
    game = get_game("imhotep")
    state = game.new_state(3, 5)
    p = game.actors(state)[0]
    for personality in PERSONALITIES:
        name = f"{personality}-{level}"
        assert level_called(name) == level
        assert needs_no_compiler(game, name, state)
        action = BOTS[name].decide(game, game.veiled(state, p), p, 3)
        assert action == BOTS[name].decide(game, game.veiled(state, p), p, 3)
        assert action in game.legal(state, p)
