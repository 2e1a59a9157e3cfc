"""Cleocatra: the log."""

from __future__ import annotations

from typing import Any

import pytest

from perankh.games.cleocatra.rules.events import Event
from perankh.games.cleocatra.text import log_lines
from perankh.games.cleocatra.text.names import seat_name

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
    TAKE_BACK,
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


def logged(s: Any, *actions: int, lang: str = "en") -> list[str]:
    """The lines of the last of several choices; in every language there are as many."""
    play(s, *actions[:-1])
    assert actions[-1] in legal(s)
    events = GAME.apply(s, actor(s), actions[-1])
    told = {each: log_lines(s, events, -1, each) for each in LANGUAGES}
    assert len({len(lines) for lines in told.values()}) == 1
    return told[lang]


def hard(rescuers: dict[int, list[int]], letters: str = "PBOG", **more: Any) -> Any:
    """Four tiles in a row in hard mode, for three players."""
    return position(row(17, letters), players=3, mode="hard", rescuers=rescuers, **more)


LOGGED: list[tuple[str, Any, tuple[int, ...], list[str]]] = [
    (
        "search",
        lambda: position("17 P, 18 B, 19 O", rescuers={0: [17], 1: [18]}),
        (SEARCH, 19, 2),
        ["Red searches and moves the orange tile to 1.3."],
    ),
    (
        "dispatch",
        lambda: position("17 P, 18 B, 19 O", rescuers={0: [17], 1: [18]}),
        (SEARCH, 19, 2, DISPATCH),
        ["Red dispatches a rescuer to the orange tile on 1.3."],
    ),
    (
        "team up",
        lambda: position("17 P, 18 B, 19 O", rescuers={0: [17], 1: [18]}),
        (TEAM_UP, 18),
        ["Red teams up and puts a rescuer on the blue tile on 1.2."],
    ),
    (
        "herd",
        lambda: hard({0: [17], 1: [19]}),
        (HERD, 17, 18),
        ["Red herds a rescuer from the purple tile (Mafdet) on 1.1 to the blue tile (Bastet) on 1.2."],
    ),
    (
        "swap",
        lambda: hard({0: [18], 1: [19]}),
        (SWAP, 18, 19),
        ["Red swaps the rescuer on the blue tile (Bastet) on 1.2 with Blue's on the orange tile (Mut) on 1.3."],
    ),
    (
        "swap with a chosen owner",
        lambda: hard({0: [18], 1: [20], 2: [20]}),
        (SWAP, 18, 20, OWNER + 2),
        ["Red swaps the rescuer on the blue tile (Bastet) on 1.2 with Black's on the green tile (Princess) on 1.4."],
    ),
    (
        "points",
        lambda: position(STAR, rescuers={0: [18, 19], 1: [20]}),
        (RESCUE, 19),
        ["Red scores 5 with a Rescue on the purple tile on 1.3 (colours 4, assistants 1): 5 in all."],
    ),
    (
        "points of the tile that counts",
        lambda: position("18 B, 19 P, 20 B", rescuers={0: [18, 19, 20]}),
        (RESCUE, 19, 18),
        ["Red scores 3 with a Rescue on the purple tile on 1.3 (colours 2, assistants 1): 3 in all."],
    ),
    (
        "inspector and return",
        lambda: position(STAR, rescuers={0: [18, 19], 1: [20]}),
        (RESCUE, 19, 35),
        ["Red puts an inspector on the green tile on 2.3. 2 rescuers return to Red."],
    ),
    (
        "inspector moved",
        lambda: position(STAR, rescuers={0: [19]}, inspectors=(18, 20, 35)),
        (RESCUE, 19, 18, 19),
        ["Red moves the inspector from the blue tile on 1.2 to the purple tile on 1.3. 1 rescuer returns to Red."],
    ),
    (
        "inspectors left",
        lambda: position(STAR, rescuers={0: [19]}, inspectors=(18, 20, 35)),
        (RESCUE, 19, DECLINE),
        ["Red leaves the inspectors as they are. 1 rescuer returns to Red."],
    ),
    (
        "Mut stays",
        lambda: position("18 B, 19 O, 20 G", mode="hard", rescuers={0: [18, 19], 1: [20]}),
        (RESCUE, 19, 20, KEEP),
        ["Red leaves the scoring rescuer on the orange tile (Mut) on 1.3. 1 rescuer returns to Red."],
    ),
    (
        "Mut taken back",
        lambda: position("18 B, 19 O, 20 G", mode="hard", rescuers={0: [18, 19], 1: [20]}),
        (RESCUE, 19, 20, TAKE_BACK),
        ["2 rescuers return to Red."],
    ),
    (
        "bonus",
        lambda: position(FIVE, mode="hard", rescuers={0: [19], 1: [20]}),
        (RESCUE, 19),
        ["Red scores 5 with a Rescue on the yellow tile (Cleocatra) on 1.3 (colours 4, assistants 0, Cleocatra 1): 5 in all."],
    ),
    (
        "extra",
        lambda: position(FIVE, mode="hard", rescuers={0: [19], 1: [20]}, scores=(3, 1)),
        (RESCUE, 19),
        [
            "Red is about to score the yellow tile (Cleocatra) on 1.3. "
            "First Blue, with the lowest score, may take an extra action."
        ],
    ),
    (
        "extra action of the scorer",
        lambda: position(FIVE, mode="hard", rescuers={0: [19], 1: [20]}, scores=(1, 3)),
        (RESCUE, 19),
        ["Red, with the lowest score, may take an extra action before scoring the yellow tile (Cleocatra) on 1.3."],
    ),
    (
        "resumed",
        lambda: position(FIVE, mode="hard", rescuers={0: [19], 1: [20]}, scores=(3, 1)),
        (RESCUE, 19, DECLINE),
        [
            "Blue takes no extra action.",
            "Red scores 5 with a Rescue on the yellow tile (Cleocatra) on 1.3 (colours 4, assistants 0, Cleocatra 1): 8 in all.",
        ],
    ),
    (
        "failed",
        lambda: position(FIVE, mode="hard", rescuers={0: [19], 1: [18]}, scores=(3, 1)),
        (RESCUE, 19, SWAP, 18, 19),
        [
            "Blue swaps the rescuer on the blue tile (Bastet) on 1.2 with Red's on the yellow tile (Cleocatra) on 1.3.",
            "Red has no rescuer on the yellow tile (Cleocatra) on 1.3 any more: the Rescue fails.",
        ],
    ),
    (
        "both rescues at once",
        lambda: position(FIVE, mode="hard", inspector="scored", rescuers={0: [19], 1: [19]}, scores=(3, 1)),
        (RESCUE, 19, RESCUE, 19),
        [
            "Blue scores 5 with a Rescue on the yellow tile (Cleocatra) on 1.3 (colours 4, assistants 0, Cleocatra 1): 6 in all.",
            "Blue puts an inspector on the yellow tile (Cleocatra) on 1.3. 1 rescuer returns to Blue.",
            "Red scores 5 with a Rescue on the yellow tile (Cleocatra) on 1.3 (colours 4, assistants 0, Cleocatra 1): 8 in all.",
            "1 rescuer returns to Red.",
        ],
    ),
    (
        "relocated",
        lambda: position(row(17, "PBOG"), rescuers={0: [20], 1: [17, 18, 19]}, inspectors=(17, 18, 19), turn=1, deck="YY"),
        (SCOUT, 21, 17, 21),
        ["Blue, unable to take a rescuer action, moves a rescuer from the purple tile on 1.1 to the yellow tile on 1.5."],
    ),
    (
        "lapsed",
        lambda: position(row(17, "PBO"), rescuers={0: [18, 19], 1: [17, 18]}, inspectors=(17, 18, 19), turn=1),
        (TEAM_UP, 19),
        [
            "Blue teams up and puts a rescuer on the orange tile on 1.3.",
            "Blue can do nothing more, so the turn ends.",
        ],
    ),
    (
        "placed",
        lambda: position(row(17, "PBOGYBOGP"), rescuers={0: [17, 18]}, inspectors=(24, 25), deck=""),
        (RESCUE, 18, 17, 20),
        ["Blue, unable to act, puts a rescuer on the green tile on 1.4."],
    ),
    (
        "last round",
        lambda: position(STAR, rescuers={0: [19], 1: [18]}, scores=(20, 3)),
        (RESCUE, 19),
        [
            "Red scores 4 with a Rescue on the purple tile on 1.3 (colours 4, assistants 0): 24 in all.",
            "Red has reached 23 points: this round is the last.",
        ],
    ),
    (
        "end",
        lambda: position(STAR, rescuers={0: [18], 1: [19]}, scores=(24, 20), turn=1),
        (RESCUE, 19, 18),
        [
            "Blue puts an inspector on the blue tile on 1.2. 1 rescuer returns to Blue.",
            "The end score was reached.",
            "Red and Blue win together with 24 points.",
        ],
    ),
    (
        "end by a rescue that needs no choice",
        lambda: position(STAR, inspector="scored", rescuers={0: [18], 1: [19]}, scores=(3, 20), turn=1),
        (RESCUE, 19),
        [
            "Blue scores 4 with a Rescue on the purple tile on 1.3 (colours 4, assistants 0): 24 in all.",
            "Blue puts an inspector on the purple tile on 1.3. 1 rescuer returns to Blue.",
            "The end score was reached.",
            "Blue wins with 24 points.",
        ],
    ),
]


@pytest.mark.parametrize(("make", "actions", "lines"), [case[1:] for case in LOGGED], ids=[case[0] for case in LOGGED])
def test_the_log_says_what_happened(make: Any, actions: tuple[int, ...], lines: list[str]) -> None:
    assert logged(make(), *actions) == lines


@pytest.mark.parametrize("choices", [(SEARCH, 20), (TEAM_UP,), (RESCUE,), (HERD, 18), (SWAP, 18)])
def test_an_action_under_way_has_no_line_yet(choices: tuple[int, ...]) -> None:
    s = hard({0: [17, 18], 1: [19]})
    for a in choices:
        assert logged(s, a) == []


def test_a_tile_turned_up_is_told_when_it_is_laid() -> None:
    s = position("17 P, 18 B", rescuers={0: [17], 1: [18]}, deck="Y")
    assert logged(s, SCOUT) == []
    assert logged(s, 19) == ["Red scouts and lays the yellow tile on 1.3."]


def test_cells_are_those_after_the_layout_was_renumbered() -> None:
    s = position("17 P, 18 B, 19 O", rescuers={0: [17], 1: [18]})
    assert logged(s, SEARCH, 19, 16) == ["Red searches and moves the orange tile to 1.2."]
    assert s.cell[2] == 18


def test_the_set_up_is_told() -> None:
    s: Any = GAME.new_state(2, 3, {"start_player": 0})
    first = log_lines(s, GAME.setup_events(s), -1, "en")
    assert len(first) == 1
    assert first[0].startswith("Red lays the")
    assert first[0].endswith("tile on 1.1 with a rescuer on it.")
    assert logged(s, 18)[0].startswith("Blue lays the")


def test_japanese_lines() -> None:
    s = position(STAR, rescuers={0: [18, 19], 1: [20]})
    assert logged(s, RESCUE, 19, lang="ja") == ["赤は1.3の紫タイルの救援で5点を得た（色4、助手1）。合計5点。"]
    assert logged(s, 35, lang="ja") == ["赤は2.3の緑タイルに監視員を置いた。隊員2人が赤の手元に戻った。"]
    s = position(STAR, rescuers={0: [18], 1: [19]}, scores=(24, 20), turn=1)
    assert logged(s, RESCUE, 19, 18, lang="ja")[-1] == "赤と青が24点で共同勝利した。"


@pytest.mark.parametrize(("players", "mode"), [(2, "basic"), (3, "hard"), (4, "hard")])
def test_every_line_is_a_sentence_and_every_turn_has_one(players: int, mode: str) -> None:
    told: set[int] = set()
    for before, p, a, after in random_games(2, players, seed=20 + players, mode=mode):
        state = before.copy()
        events = GAME.apply(state, p, a)
        assert state == after
        told |= {int(event.kind) for event in events}
        for lang in LANGUAGES:
            lines = log_lines(after, events, -1, lang)
            for line in lines:
                assert "{" not in line
                assert "  " not in line
                assert line.endswith("." if lang == "en" else "。")
            if before.turns != after.turns:
                assert any(seat_name(before.turn, lang) in line for line in lines)
    assert {Event.REVEALED, Event.SCOUTED, Event.RESCUED, Event.RETURNED, Event.GAME_OVER, Event.WON} <= told
