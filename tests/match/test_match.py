"""A game being played: moves, refusals, time, views."""

from __future__ import annotations

import random
from typing import Any

import pytest

import perankh
from perankh.bots import BOTS
from perankh.engine import sets
from perankh.engine.game import Game
from perankh.engine.state import Record
from perankh.engine.words import LANGUAGES
from perankh.errors import AmbiguousMove, BadOption, IllegalMove, InvalidMove, MoveError, UnknownGame
from perankh.match import Match
from perankh.match.match import SNAPSHOTS

from ..conftest import CONNECT_FOUR


def played_out(game: str, players: int, seed: int = 7, **options: object) -> Match:
    match = perankh.new(game, players=players, seed=seed, **options)
    luck = random.Random(seed)
    while not match.over:
        match.play(luck.choice(match.moves()))
    return match


def test_the_python_api_is_small_and_pleasant() -> None:
    m = perankh.new("mural", players=3, seed=7)
    moves = m.moves()
    assert [move.code for move in moves] == ["83", "deck"]
    assert moves[1].sentence("en") == "Turn over the top card of the deck and place it"
    assert moves[1].sentence("ja") == "山札をめくって置く"
    assert m.play("83").player == m.played[0][0]
    assert m.scores == [15, 15, 15]
    assert "83" in str(m.view(0))


def test_the_same_seed_is_the_same_match_and_no_seed_is_a_fresh_one() -> None:
    assert played_out("mural", 3).played == played_out("mural", 3).played
    assert played_out("mural", 3).played != played_out("mural", 3, seed=8).played
    assert perankh.new("mural", players=2).seed != perankh.new("mural", players=2).seed


@pytest.mark.parametrize("game", ["mural", "cleocatra"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_whole_match(game: str, players: int) -> None:
    m = played_out(game, players)
    assert m.actors == []
    assert m.ending in m.game.endings
    assert m.reason("en") != m.reason("ja")
    assert len(m.scores) == len(m.ranks) == players
    assert m.winners == [p for p in range(players) if m.ranks[p] == 1]
    assert len(m.log_by_move()) == len(m.played)
    assert m.log() == [line for lines in m.log_by_move() for line in lines]


def test_a_move_may_be_a_code_a_beginning_a_sentence_a_number_or_a_move() -> None:
    for move in ("deck", "DECK", "de", "Turn over the top card of the deck and place it", "山札をめくって置く", 100):
        m = perankh.new("mural", players=2, seed=7)
        assert m.play(move).code == "deck"
    m = perankh.new("mural", players=2, seed=7)
    assert m.play(m.moves()[-1]).code == "deck"


@pytest.mark.parametrize("move", ["stop", 101, "55", 55])
def test_an_illegal_move_says_why_in_both_languages(move: str | int) -> None:
    m = perankh.new("mural", players=2, seed=7)
    with pytest.raises(IllegalMove) as refused:
        m.play(move)
    assert set(refused.value.reason) == set(LANGUAGES)
    assert refused.value.reason["en"] != refused.value.reason["ja"]
    assert str(refused.value) in (
        "A turn cannot be passed: place at least one card first.",
        "55 is neither in your hand nor in the row.",
    )
    assert m.played == ()


@pytest.mark.parametrize("move", ["castle", "", "100", "   ", 102, -1, True])
def test_text_that_is_no_move_at_all(move: str | int) -> None:
    m = perankh.new("mural", players=2, seed=7)
    with pytest.raises(InvalidMove, match="is no move of Nile Mural"):
        m.play(move)
    assert m.played == ()


def test_a_beginning_that_fits_several_moves() -> None:
    m = perankh.new("cleocatra", players=2, seed=7)
    while {"scout", "search"} - {move.code for move in m.moves()}:
        m.play(random.Random(len(m.played)).choice(m.moves()))
    with pytest.raises(AmbiguousMove, match="s could be any of: scout, search"):
        m.play("s")


def test_a_move_out_of_turn_and_of_no_seat() -> None:
    m = perankh.new("mural", players=3, seed=7, start_player=1, names=["Aiko", "Ben", ""])
    with pytest.raises(IllegalMove, match="It is not Aiko's decision now; waiting for Ben") as refused:
        m.play("deck", player=0)
    assert refused.value.reason["ja"] == "今はAikoの番ではありません。Benの番です。"
    for seat in (3, -1, True):
        with pytest.raises(InvalidMove, match="There is no seat"):
            m.play("deck", player=seat)


def test_a_match_that_is_over_takes_no_move() -> None:
    m = played_out("mural", 2)
    with pytest.raises(IllegalMove, match="The match is over: All hundred cards are on the wall"):
        m.play("deck")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"players": 5}, "mural is for 2 to 4 players, not 5"),
        ({"players": 2, "seed": -1}, "a seed is a whole number"),
        ({"players": 2, "names": ["one"]}, "2 names are needed"),
        ({"players": 2, "names": ["a\nb", ""]}, "is not a name"),
        ({"players": 2, "names": ["x" * 41, ""]}, "is not a name"),
        ({"players": 2, "colour": "blue"}, "mural has no option colour; its options are: area_map"),
        ({"players": 2, "area_map": "round"}, "option area_map: 'round' is not one of regular, irregular"),
    ],
)
def test_a_match_that_cannot_be(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(BadOption, match=message):
        perankh.new("mural", **arguments)  # type: ignore[arg-type]


def test_an_unknown_game() -> None:
    with pytest.raises(UnknownGame, match=r"there is no game 'senet'; there are: cleocatra, .*mural"):
        perankh.new("senet", players=2)


# --- Time ---------------------------------------------------------------------------------------------------------------


def test_undo_and_redo() -> None:
    m = played_out("mural", 2)
    states = [position.state for position in m.positions()]
    count = len(m.played)
    m.undo()
    assert m.state == states[count - 1]
    m.undo(10)
    assert m.state == states[count - 11]
    m.redo(11)
    assert m.state == states[count]
    m.undo(3)
    other = next(move for move in m.moves())
    m.play(other)
    with pytest.raises(MoveError, match="nothing to bring back"):
        m.redo()


@pytest.mark.parametrize("count", [0, 2, -1])
def test_undo_of_what_is_not_there(count: int) -> None:
    m = perankh.new("mural", players=2, seed=1)
    m.play("deck")
    with pytest.raises(MoveError, match="nothing to take back"):
        m.undo(count)
    assert len(m.played) == 1


def test_every_position_can_be_gone_back_to() -> None:
    m = played_out("cleocatra", 2)
    states = [position.state for position in m.positions()]
    assert m.at(0).state == states[0]
    assert m.at(17).state == states[17]
    assert m.at(17).played == m.played[:17]
    assert m.at(-1).state == states[-1]
    with pytest.raises(BadOption, match="there is no position"):
        m.at(len(m.played) + 1)


def test_going_back_is_quick_in_a_long_match() -> None:
    m = played_out("cleocatra", 4)
    assert m.number > 4 * SNAPSHOTS
    assert len(m._snapshots) <= SNAPSHOTS
    applied = []
    m._apply = lambda p, a: applied.append(Match._apply(m, p, a))  # type: ignore[method-assign]
    for _ in range(3):
        m.undo()
    assert len(applied) < m.number / 4


def test_a_state_is_not_changed_by_later_moves() -> None:
    m = played_out("imhotep", 2).at(20)
    held, copied = m.state, m.state.copy()
    view, moves = m.view(0), m.view(m.actors[0]).moves
    m.play(moves[0])
    assert held == copied != m.state
    assert view.match.number == 20


def test_matches_are_equal_by_what_was_played() -> None:
    m = played_out("mural", 2)
    assert m == played_out("mural", 2)
    assert m != m.at(-2)
    assert m != played_out("mural", 2, area_map="irregular")
    assert perankh.new("mural", players=2, seed=1) != perankh.new("mural", players=2, seed=2)
    assert perankh.new("mural", players=2, seed=1) != perankh.new("mural", players=3, seed=1)
    assert perankh.new("mural", players=2, seed=1) == perankh.new("mural", players=2, seed=1, names=["Ani", "Hori"])
    with pytest.raises(TypeError, match="unhashable"):
        hash(m)


def test_renaming() -> None:
    m = perankh.new("mural", players=2, names=["Ani", "Hori"])
    m.rename("Ani", "")
    assert m.names == ("Ani", "")
    with pytest.raises(BadOption, match="2 names are needed"):
        m.rename("Ani")


def test_the_log_calls_players_by_their_names() -> None:
    m = perankh.new(CONNECT_FOUR, players=2, names=["{Ani}", ""])
    m.play("a", 0)
    m.play("b", 1)
    assert m.log() == ["{Ani} drops a stone onto a1.", "Yellow drops a stone onto b1."]
    assert m.log(lang="ja")[0].startswith("{Ani}が")
    assert m.game.seat_name(0, "en") == "Red"


# --- Bots ---------------------------------------------------------------------------------------------------------------


def test_a_bot_sees_what_its_seat_may_see(monkeypatch: pytest.MonkeyPatch) -> None:
    m = played_out("mural", 3).at(60)
    given = []

    class Spy:
        def decide(self, game: Game, veiled: Record, p: int, seed: int) -> int:
            given.append((veiled, p))
            return game.legal(veiled, p)[0]

    monkeypatch.setitem(BOTS, "spy", Spy())
    move = m.bot("spy")
    assert given == [(m.game.veiled(m.state, m.actors[0]), m.actors[0])]
    assert move == m.moves()[0]


def test_a_bot_plays_the_same_with_the_same_seed_and_only_when_it_may() -> None:
    m = perankh.new("maqha", players=3, seed=1)
    assert m.bot("random", seed=3) == m.bot("random", seed=3)
    assert m.bot("random").player == m.actors[0]
    assert m.bot("random", player=m.actors[-1]).player == m.actors[-1]
    with pytest.raises(BadOption, match="maqha has no bot 'sphinx'; it has: random, apprentice"):
        m.bot("sphinx")
    with pytest.raises(IllegalMove, match="The match is over"):
        played_out("mural", 2).bot("random")


# --- Views --------------------------------------------------------------------------------------------------------------


def test_a_view_and_a_log_hold_nothing_hidden() -> None:
    m = played_out("mural", 3).at(60)
    for viewer in (-1, 0, 1, 2):
        view = m.view(viewer)
        assert view.state == m.game.veiled(m.state, viewer)
        assert not any(view.state.chance_key)
        assert not any(view.state.chance_pool)
    secret = next(p for p in range(3) if m.state.secret[p] > 1)  # type: ignore[attr-defined]
    state: Any = m.state
    cards = [f"{card:02}" for card in sets.members(state.hand[secret]) if not sets.has(state.public, card)]
    others = "\n".join(m.view((secret + 1) % 3).text().splitlines()[-5:])
    assert all(card not in others for card in cards)
    assert all(card in m.view(secret).text() for card in cards)
    own_log, other_log = m.log(secret), m.log((secret + 1) % 3)
    assert own_log != other_log
    assert any("takes a card from the deck" in line for line in other_log)


def test_a_view_offers_moves_to_those_who_may_act() -> None:
    m = perankh.new("mural", players=2, seed=3, start_player=0)
    assert [move.code for move in m.view(0).moves] == [move.code for move in m.moves()]
    assert m.view(1).moves == m.view(-1).moves == []


def test_the_seed_is_committed_to_by_its_hash() -> None:
    m = played_out("mural", 2)
    m.verify(m.seed_hash)
    with pytest.raises(BadOption, match="does not belong to the hash"):
        m.verify("0" * 64)
    m.state.turn = 1 - m.state.turn  # type: ignore[attr-defined]
    with pytest.raises(BadOption, match="does not give the state"):
        m.verify(m.seed_hash)


def test_a_game_not_found_by_name_is_played_by_its_path() -> None:
    m = perankh.new(CONNECT_FOUR, players=2, seed=1)
    for code in "abababa":
        m.play(code)
    assert m.over
    assert m.ending == "line"
    assert m.winners == [0]
