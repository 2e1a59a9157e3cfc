"""Cleocatra as people see it: codes, sentences, log, refusals and the text board."""

from __future__ import annotations

from typing import Any

import pytest

from perankh.engine.text import width
from perankh.games.cleocatra.face import CODES, board, prompt, refusal, sentence, told
from perankh.games.cleocatra.table import (
    DECLINE,
    DISPATCH,
    HERD,
    KEEP,
    OWNER,
    RESCUE,
    SCOUT,
    SEARCH,
    SWAP,
    TEAM_UP,
    State,
)

from .cleocatra_positions import GAME, actor, legal, play, position, random_games, row, step

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
def test_every_choice_can_be_said_and_told(players: int, mode: str, lang: str) -> None:
    for before, p, a, after in random_games(2, players, seed=20 + players, mode=mode):
        actions = GAME.legal(before, p)
        assert len({sentence(before, p, b, lang) for b in actions}) == len(actions)
        assert prompt(before, p, lang)
        line = told(before, after, p, a, lang)
        assert line.startswith(GAME.face.seat_name(p, lang)) or step(before) in ("any_tile", "relocate_to")
        for text in (line, *(sentence(before, p, b, lang) for b in actions)):
            assert "{" not in text
            assert "  " not in text


# --- The log --------------------------------------------------------------------------------------------------


def told_after(s: Any, *actions: int, lang: str = "en") -> str:
    """What is told of the last of several choices."""
    play(s, *actions[:-1])
    before, p = s.copy(), actor(s)
    play(s, actions[-1])
    return told(before, s, p, actions[-1], lang)


TOLD: list[tuple[str, Any, tuple[int, ...], str]] = [
    (
        "points",
        lambda: position(STAR, rescuers={0: [18, 19], 1: [20]}),
        (RESCUE, 19),
        "Red chooses the purple tile on 1.3 as scoring tile. Red scores 5 (colours 4, assistants 1): 5 in all.",
    ),
    (
        "return",
        lambda: position(STAR, rescuers={0: [18, 19], 1: [20]}),
        (RESCUE, 19, 35),
        "Red puts an inspector on the green tile on 2.3. Rescuers back to Red: 2.",
    ),
    (
        "bonus",
        lambda: position(FIVE, mode="hard", rescuers={0: [19], 1: [20]}),
        (RESCUE, 19),
        "Red chooses the yellow tile (Cleocatra) on 1.3 as scoring tile. "
        "Red scores 5 (colours 4, assistants 0, Cleocatra 1): 5 in all.",
    ),
    (
        "extra",
        lambda: position(FIVE, mode="hard", rescuers={0: [19], 1: [20]}, scores=(3, 1)),
        (RESCUE, 19),
        "Red chooses the yellow tile (Cleocatra) on 1.3 as scoring tile. "
        "First Blue, with the lowest score, may take an extra action.",
    ),
    (
        "resumed",
        lambda: position(FIVE, mode="hard", rescuers={0: [19], 1: [20]}, scores=(3, 1)),
        (RESCUE, 19, DECLINE),
        "Blue takes no extra action. Red scores 5 (colours 4, assistants 0, Cleocatra 1): 8 in all.",
    ),
    (
        "failed",
        lambda: position(FIVE, mode="hard", rescuers={0: [19], 1: [18]}, scores=(3, 1)),
        (RESCUE, 19, SWAP, 18, 19),
        "Blue exchanges the rescuer on the blue tile (Bastet) on 1.2 with Red's on the yellow tile (Cleocatra) on 1.3. "
        "Red has no rescuer on the scoring tile any more: the Rescue fails.",
    ),
    (
        "both rescues at once",
        lambda: position(FIVE, mode="hard", inspector="scored", rescuers={0: [19], 1: [19]}, scores=(3, 1)),
        (RESCUE, 19, RESCUE, 19),
        "Blue chooses the yellow tile (Cleocatra) on 1.3 as scoring tile. "
        "Blue scores 5 (colours 4, assistants 0, Cleocatra 1): 6 in all. "
        "An inspector comes to the yellow tile (Cleocatra) on 1.3. Rescuers back to Blue: 1. "
        "Red scores 5 (colours 4, assistants 0, Cleocatra 1): 8 in all. Rescuers back to Red: 1.",
    ),
    (
        "relocate",
        lambda: position(row(17, "PBOG"), rescuers={0: [20], 1: [17, 18, 19]}, inspectors=(17, 18, 19), turn=1, deck="YY"),
        (SCOUT, 21),
        "Blue lays the yellow tile on 1.5. Blue has no rescuer action and must move a rescuer.",
    ),
    (
        "lapsed",
        lambda: position(row(17, "PBO"), rescuers={0: [18, 19], 1: [17, 18]}, inspectors=(17, 18, 19), turn=1),
        (TEAM_UP, 19),
        "Blue puts a rescuer on the orange tile on 1.3. Blue has no action left; the turn ends.",
    ),
    (
        "stuck",
        lambda: position(row(17, "PBOGYBOGP"), rescuers={0: [17, 18]}, inspectors=(24, 25), deck=""),
        (RESCUE, 18, 17),
        "Red puts an inspector on the purple tile on 1.1. Rescuers back to Red: 2. Blue cannot act at all.",
    ),
    (
        "renumbered",
        lambda: position("17 P, 18 B, 19 O", rescuers={0: [17], 1: [18]}),
        (SEARCH, 19, 16),
        "Red moves the orange tile on 1.3 to 1.0. All cells are renumbered: it now lies on 1.2.",
    ),
    (
        "last round",
        lambda: position(STAR, rescuers={0: [19], 1: [18]}, scores=(20, 3)),
        (RESCUE, 19),
        "Red chooses the purple tile on 1.3 as scoring tile. Red scores 4 (colours 4, assistants 0): 24 in all. "
        "Red has reached 23 points: this round is the last.",
    ),
    (
        "end",
        lambda: position(STAR, rescuers={0: [18], 1: [19]}, scores=(24, 20), turn=1),
        (RESCUE, 19, 18),
        "Blue puts an inspector on the blue tile on 1.2. Rescuers back to Blue: 1. The end score was reached. "
        "Red and Blue win together with 24 points.",
    ),
]


@pytest.mark.parametrize(("make", "actions", "line"), [case[1:] for case in TOLD], ids=[case[0] for case in TOLD])
def test_the_log_tells_what_followed(make: Any, actions: tuple[int, ...], line: str) -> None:
    assert told_after(make(), *actions) == line


def test_the_log_names_a_revealed_tile() -> None:
    s = position("17 P, 18 B", rescuers={0: [17], 1: [18]}, deck="Y")
    assert told_after(s, SCOUT) == "Red scouts. Red turns up a tile: yellow."
    assert (
        told_after(position("17 P, 18 B", rescuers={0: [17]}, deck="Y"), SCOUT, lang="ja") == "赤が偵察。赤が黄タイルをめくった。"
    )


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
    (pair(), (), KEEP, "That is not what is to be decided now: Choose your first"),
    (pair(rescuers={1: [17]}), (), RESCUE, "None of your rescuers is on a tile."),
    (pair(inspectors=(17,)), (), RESCUE, "Every tile with a rescuer of yours"),
    (pair(rescuers={0: [17, 18]}), (), TEAM_UP, "No tile beside your rescuers has room"),
    (four(rescuers={0: [17, 18, 19]}), (), TEAM_UP, "You have no rescuer in the hand."),
    (pair(), (SCOUT, 19), SEARCH, "A tile action can only be the first"),
    (four(rescuers={0: [17, 18, 19]}), (SCOUT, 21), DISPATCH, "You have no rescuer in the hand."),
    (hard({0: [17]}), (SEARCH, 17, 21), DISPATCH, "The tile just placed has no room for you."),
    (position(FIVE, mode="hard", rescuers={0: [19]}, scores=(3, 1)), (RESCUE, 19), DISPATCH, "Only the player on turn"),
    # Cells
    (pair(), (SCOUT,), 17, "There already lies a tile on 1.1."),
    (pair(), (SCOUT,), 100, "6.4 does not touch a tile by an edge."),
    (pair(), (SCOUT,), RESCUE, "That is not what is to be decided now: Choose the cell"),
    (pair(), (SEARCH, 18), 18, "The tile has to go to another cell than 1.2."),
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
    (hard({0: [17]}), (HERD, 17), 20, "The green tile (Princess) on 1.4 is no neighbour"),
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
