"""Every game passes every check; every check notices the fault it is there for."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from perankh.checks import CHECKS, run_checks
from perankh.engine.game import Game, game_names, get_game

from .conftest import CONNECT_FOUR

GAMES = [*game_names(), str(CONNECT_FOUR)]
DRAWN = {"scenes", "guides"}  # skipped for a game that has no scene.py


@pytest.mark.parametrize(
    ("game", "check"),
    [pytest.param(game, check, marks=pytest.mark.xdist_group(game)) for game in GAMES for check in CHECKS],
)
def test_the_house_and_the_example_pass(game: str, check: str) -> None:
    (outcome,) = run_checks(get_game(game), names=[check])
    no_starter = check == "seats" and "start_player" not in get_game(game).options
    skipped = no_starter or (check in DRAWN and get_game(game).scene is None)
    assert outcome.verdict == ("skipped" if skipped else "passed"), outcome.detail


Fault = dict[str, tuple[str, str] | list[tuple[str, str]]]
STARTER_IGNORED = [
    ("numbers, rule", "numbers, rule, seat"),
    ("    placed: int", "    start_player: int = seat()\n    placed: int"),
]

# What is replaced in a copy of Connect Four, the check that must notice it, and what it must say.
FAULTS: list[tuple[str, Fault, str]] = [
    ("clauses", {"rules_md": ("**C4-E1**", "**C4-E9**")}, "no test cites C4-E9"),
    ("words", {"words_toml": ("[game.tagline]", "[game.motto]")}, "no game.tagline"),
    ("words", {"words_toml": ("[game.tagline]", '[spare]\nen = "x"\nja = "x"\n\n[game.tagline]')}, "nothing uses: spare"),
    ("words", {"words_toml": ('ja = "四目並べ"', "")}, "must have exactly the languages"),
    ("legal", {"rules_py": ("out[n] = column", "out[n] = COLUMNS - column")}, "not ascending"),
    ("legal", {"rules_py": ("if s.height[column] < ROWS:", "if s.height[column] < 0:")}, "no legal action"),
    (
        "legal",
        {"rules_py": ("    n = 0\n    for column", "    n = 0\n    s.chance_block += 1\n    for column")},
        "changed the state",
    ),
    ("notation", {"face_py": ("CODES = tuple(LETTERS)", 'CODES = tuple("aacdefg")')}, "a code twice"),
    ("notation", {"face_py": ('"sentence", lang, column=LETTERS[a]', '"sentence", lang, column="x"')}, "one en sentence"),
    ("texts", {"face_py": ('return WORDS.say("prompt", lang)', 'return ""')}, "an empty prompt"),
    ("texts", {"face_py": ('(" " if lang == "en" else "").join(story)', '"two\\nlines"')}, "must be one line"),
    ("hidden", {"rules_py": ('"""Nothing is hidden (C4-S1)."""', "s.turn = 0")}, "veil changed turn, not in HIDDEN"),
    ("hidden", {"rules_py": ("HIDDEN = ()", 'HIDDEN = ("turn",)')}, "HIDDEN names fields that veil never erases: turn"),
    ("hidden", {"rules_py": ('"""Nothing was erased (C4-S1)."""', "s.turn = 1 - s.turn")}, "veil(redeal(veil"),
    (
        "observations",
        {"rules_py": ("OBSERVATION = 2 * COLUMNS * ROWS", "OBSERVATION = 2 * COLUMNS * ROWS - 1")},
        "past OBSERVATION",
    ),
    ("observations", {"rules_py": ("OBSERVATION = 2 * COLUMNS * ROWS", "OBSERVATION = 2 * COLUMNS * ROWS + 1")}, "unwritten"),
    ("files", {"face_py": ("CODES = tuple(LETTERS)", 'CODES = tuple("aacdefg")')}, ""),
    ("playthroughs", {"words_toml": ("Choose a column", "Pick a column")}, "has changed"),
    (
        "modes",
        {
            "rules_py": (
                "    if has_line(",
                "    if s.placed > 9 and (s.stones[p] << 40) % 3 == 1:\n        s.over = FULL\n    elif has_line(",
            )
        },
        "differ",
    ),
    ("invariants", {"rules_py": ("s.turn = 1 - p", "s.turn = p")}, "the seats take turns"),
    ("invariants", {"rules_py": ("1 << s.turn", "1 << (s.turn if s.placed < 40 else 2)")}, ""),
    ("endings", {"rules_py": ('("line", "full")', '("line", "full", "timeout")')}, "no random game ended by: timeout"),
    ("endings", {"rules_py": ("out[p] = 2 if", "out[p] = 3 if")}, "places are not counted from 1"),
    ("seats", {"rules_py": STARTER_IGNORED}, "not treated alike"),
    ("cuda", {"rules_py": ("    drop(s, p, a)\n", "    drop(s, p, int(str(a)))\n")}, ""),
]


@pytest.mark.xdist_group("connect_four")
@pytest.mark.parametrize(("check", "fault", "message"), FAULTS, ids=[f"{i}-{fault[0]}" for i, fault in enumerate(FAULTS)])
def test_a_planted_fault_is_found(altered: Callable[..., Game], check: str, fault: Fault, message: str) -> None:
    (outcome,) = run_checks(altered(**fault), names=[check])
    assert outcome.verdict == "failed"
    assert message in outcome.detail
