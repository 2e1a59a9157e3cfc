"""Cleocatra as people read it: codes, prompts, sentences, refusals and the text board."""

from __future__ import annotations

import re
from typing import Any

import pytest

from perankh.engine.text import width
from perankh.games.cleocatra.rules.state import State
from perankh.games.cleocatra.text import CODES, board, prompt, refusal, sentence

from .positions import (
    DECLINE,
    DISPATCH,
    GAME,
    HERD,
    KEEP,
    OWNER,
    RESCUE,
    SCOUT,
    SEARCH,
    SWAP,
    TEAM_UP,
    actor,
    legal,
    play,
    position,
    random_games,
    row,
)

LANGUAGES = ("en", "ja")
STAR = "18 B, 19 P, 20 O, 35 G"
FIVE = "17 P, 18 B, 19 Y, 20 O, 35 G"

# --- Codes and sentences --------------------------------------------------------------------------------------


def test_codes_are_one_to_one() -> None:
    assert len(CODES) == len(set(CODES)) == GAME.actions == 158
    assert (CODES[0], CODES[17], CODES[SCOUT], CODES[TEAM_UP]) == ("0.0", "1.1", "scout", "team")
    assert CODES[DECLINE:] == ("decline", "keep", "takeback", "seat0", "seat1", "seat2", "seat3")


@pytest.mark.parametrize(("players", "mode"), [(2, "basic"), (3, "hard"), (4, "hard")])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_choice_can_be_said(players: int, mode: str, lang: str) -> None:
    for before, p, _, _ in random_games(2, players, seed=20 + players, mode=mode):
        actions = GAME.legal(before, p)
        assert len({sentence(before, p, b, lang) for b in actions}) == len(actions)
        for text in (prompt(before, p, lang), *(sentence(before, p, b, lang) for b in actions)):
            assert text
            assert "{" not in text
            assert "  " not in text


def test_the_prompt_says_which_neighbours_are_meant() -> None:
    s = play(position("18 B, 19 P, 20 B", rescuers={0: [18, 19, 20]}), RESCUE, 19)
    assert prompt(s, 0, "en") == "These neighbours share a colour: choose the one that counts."


@pytest.mark.parametrize(("scores", "text"), [((3, 1), "Red scores Cleocatra and you"), ((1, 3), "You are last: before you")])
def test_the_prompt_of_an_extra_action_says_whose_rescue_waits(scores: tuple[int, int], text: str) -> None:
    s = play(position(FIVE, mode="hard", rescuers={0: [19], 1: [20]}, scores=scores), RESCUE, 19)
    assert prompt(s, actor(s), "en").startswith(text)


def test_japanese_has_full_width_punctuation() -> None:
    for key, texts in GAME.words.texts.items():
        assert not set("():") & set(re.sub(r"\{.*?\}", "", texts["ja"])), key


# --- Refusals -------------------------------------------------------------------------------------------------


def pair(**more: Any) -> State:
    """Two tiles, a rescuer of seat 0 on the first."""
    return position("17 P, 18 B", **{"rescuers": {0: [17]}, **more})


def four(letters: str = "PBOG", **more: Any) -> State:
    """Four tiles in a row, a rescuer of seat 0 on the first."""
    return position(row(17, letters), **{"rescuers": {0: [17]}, **more})


def hard(rescuers: dict[int, list[int]], letters: str = "PBOG", **more: Any) -> State:
    """Four tiles in a row in hard mode, for three players."""
    return four(letters, players=3, mode="hard", rescuers=rescuers, **more)


def star(rescuers: dict[int, list[int]], *inspectors: int) -> State:
    """Four tiles around 19."""
    return position(STAR, rescuers=rescuers, inspectors=inspectors)


def held() -> State:
    """Seat 1 has all rescuers under inspectors."""
    return four(rescuers={0: [20], 1: [17, 18, 19]}, inspectors=(17, 18, 19), turn=1)


REFUSED: list[tuple[State, tuple[int, ...], int, str]] = [
    # Actions
    (pair(deck=""), (), SCOUT, "The deck is empty."),
    (pair(rescuers={0: [17], 1: [18]}), (), SEARCH, "Every tile is held by a token"),
    (pair(), (), HERD, "That belongs to hard mode."),
    (pair(), (), SWAP, "That belongs to hard mode."),
    (pair(mode="hard"), (), SWAP, "You have no rescuer on a Bastet tile"),
    (pair(mode="hard", rescuers={0: [17, 18]}), (), HERD, "None of your rescuers has a neighbouring tile"),
    (pair(), (), DISPATCH, "No tile was laid or moved in this turn."),
    (pair(), (), DECLINE, "An action is possible, so you have to take one."),
    (pair(), (), 17, "Choose an action first."),
    (pair(), (), KEEP, "Not now. Choose your first"),
    (pair(rescuers={1: [17]}), (), RESCUE, "None of your rescuers is on a tile."),
    (pair(inspectors=(17,)), (), RESCUE, "Every tile with a rescuer of yours"),
    (pair(rescuers={0: [17, 18]}), (), TEAM_UP, "No tile beside your rescuers has room"),
    (four(rescuers={0: [17, 18, 19]}), (), TEAM_UP, "You have no rescuer in hand."),
    (pair(), (SCOUT, 19), SEARCH, "A tile action can only be the first"),
    (four(rescuers={0: [17, 18, 19]}), (SCOUT, 21), DISPATCH, "You have no rescuer in hand."),
    (hard({0: [17]}), (SEARCH, 17, 21), DISPATCH, "The tile just placed has no room for you."),
    (position(FIVE, mode="hard", rescuers={0: [19]}, scores=(3, 1)), (RESCUE, 19), DISPATCH, "Only the player on turn"),
    # Cells
    (pair(), (SCOUT,), 17, "There is already a tile on 1.1."),
    (pair(), (SCOUT,), 100, "6.4 does not touch a tile by an edge."),
    (pair(), (SCOUT,), RESCUE, "Not now. Choose the cell"),
    (pair(), (SEARCH, 18), 18, "The tile must go to a cell other than 1.2."),
    # Tiles
    (pair(), (SEARCH,), 17, "A token stands on the purple tile on 1.1."),
    (pair(), (SEARCH,), 50, "There is no tile on 3.2."),
    (star({}), (SEARCH,), 19, "The purple tile on 1.3 is surrounded."),
    (four(), (SEARCH,), 18, "Without the blue tile on 1.2 the other tiles would fall apart."),
    (four(), (TEAM_UP,), 20, "The green tile on 1.4 is not beside a rescuer of yours."),
    (four(), (TEAM_UP,), 17, "You already have a rescuer on the purple tile on 1.1."),
    (hard({0: [18], 1: [17], 2: [17]}), (TEAM_UP,), 17, "The purple tile (Mafdet) on 1.1 already holds two rescuers."),
    (held(), (SCOUT, 21), 20, "You have no rescuer on the green tile on 1.4."),
    (held(), (SCOUT, 21, 17), 18, "You already have a rescuer on the blue tile on 1.2."),
    # Rescue
    (star({0: [18, 19]}, 18), (RESCUE,), 18, "An inspector is on the blue tile on 1.2."),
    (star({0: [18, 19]}, 18), (RESCUE,), 20, "You have no rescuer on the orange tile on 1.4."),
    (position("18 B, 19 P, 20 B, 35 G", rescuers={0: [18, 19]}), (RESCUE, 19), 35, "The green tile on 2.3 is not one of"),
    (star({0: [19]}, 18), (RESCUE, 19), 18, "An inspector is on the blue tile on 1.2."),
    (star({0: [19]}), (RESCUE, 19), DECLINE, "An inspector has to be put on a tile."),
    (star({0: [19]}, 18, 20, 35), (RESCUE, 19), 19, "There is no inspector on the purple tile on 1.3."),
    (hard({0: [20]}, inspectors=(17, 18)), (RESCUE, 20, 19), 19, "The inspector on the orange tile (Mut) on 1.3 has only just"),
    # Herd and Swap
    (hard({0: [17, 18]}), (HERD,), 17, "From the purple tile (Mafdet) on 1.1 there is no"),
    (hard({0: [17]}), (HERD,), 18, "You have no rescuer on the blue tile (Bastet) on 1.2."),
    (hard({0: [17]}), (HERD, 17), 20, "The green tile (Princess) on 1.4 is not a neighbour"),
    (hard({0: [18], 1: [19]}), (SWAP,), 17, "The purple tile (Mafdet) on 1.1 is not a Bastet tile."),
    (hard({0: [18], 1: [19]}, "BBOG"), (SWAP,), 17, "You have no rescuer on the blue tile (Bastet) on 1.1."),
    (hard({0: [17, 19], 1: [17, 18]}, "BPBG"), (SWAP,), 17, "No rescuer of another player could be exchanged with yours on"),
    (hard({0: [18], 1: [19]}), (SWAP, 18), 17, "No rescuer of another player is on the purple tile (Mafdet) on 1.1."),
    (hard({0: [18], 1: [19], 2: [18, 17]}), (SWAP, 18), 17, "That would bring two rescuers of one player onto"),
    (hard({0: [18], 1: [20], 2: [20]}), (SWAP, 18, 20), OWNER, "Red has no rescuer there that could be exchanged."),
]


@pytest.mark.parametrize(("start", "actions", "refused", "why"), REFUSED, ids=[case[3][:40] for case in REFUSED])
def test_a_refusal_says_why(start: State, actions: tuple[int, ...], refused: int, why: str) -> None:
    s = play(start.copy(), *actions)
    assert refused not in legal(s)
    assert refusal(s, actor(s), refused, "en").startswith(why)
    assert refusal(s, actor(s), refused, "ja").endswith("。")


# --- The text board -------------------------------------------------------------------------------------------

BOARD = r"""
CLEOCATRA (hard) · turn 1 · ends at 23 points
             score / hand
> Red (r)       12 / 1     you, on turn, started
  Blue (b)       3 / 2
Deck: 4 (P1 B1 O1 G1)   Inspectors unused: 2
Moving an inspector: compulsory

       ______  ______
     /\ [1.2]/\  1.4 /
    / P\ rb@/ Y\    /
   /    \ B/  r \ O/
  /__1.1_\/_[1.3]\/
          \  2.3 /
           \    /
            \ G/
             \/

P purple (Mafdet)  B blue (Bastet)  O orange (Mut)  G green (Princess)  Y yellow (Cleocatra)
r rescuer of Red  b rescuer of Blue  @ inspector
[ ] can be chosen now, * chosen before, + just laid or moved, $ scoring tile

Red: Choose the rescuer to move.
"""


def test_the_board_shows_the_triangles_with_their_codes() -> None:
    s = position(FIVE, mode="hard", rescuers={0: [18, 19], 1: [18]}, inspectors=(18,), scores=(12, 3), inspector_move="must")
    assert board(play(s, HERD), 0, "en") == BOARD.strip()


def test_the_board_shows_sites_and_what_is_lifted() -> None:
    s = play(position("17 P, 18 B, 19 O", rescuers={0: [17], 1: [18]}), SEARCH, 19)
    text = board(s, -1, "ja")
    assert "O*" in text
    for site in legal(s):
        assert f"[{CODES[site]}]" in text
    assert "あなた" not in text


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_board_fits_the_terminal_in_every_position(lang: str) -> None:
    for number, (before, _, _, after) in enumerate(random_games(3, 4, seed=33, mode="hard", inspector="scored", end="turn")):
        if number % 5 == 0 or after.over:
            text = board(after, number % 5 - 1, lang)
            assert max(map(width, text.splitlines())) <= 100
            assert all(CODES[after.cell[t]] in text for t in range(after.laid))
            assert before.turns <= after.turns
