"""Every game passes every check; every check notices the fault it is there for."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from perankh.checks import CHECKS, COMPILED, STATIC, rules, run_checks, watchdog
from perankh.checks.playthroughs import write_playthroughs
from perankh.create import create
from perankh.engine.game import Game, game_names, get_game

from .conftest import CONNECT_FOUR

GAMES = [*game_names(), str(CONNECT_FOUR)]
# Few matches, whose figures are not judged here; without compiling; and a part of the option sets. `make soak` takes all.
EFFORT = {"bots": 0.1, "redeal": 0.003, "texts": 0.4, "scenes": 0.4, "events": 0.5, "previews": 0.4, "explanations": 0.4}


def group(game: str, check: str) -> str:
    """Checks that need the same machine code go together; kernels for the GPU are compiled apart."""
    name = Path(game).name
    return name if check in COMPILED and check != "cuda" else f"{name}-{check}"


@pytest.mark.parametrize(
    ("game", "check"),
    [pytest.param(game, check, marks=pytest.mark.xdist_group(group(game, check))) for game in GAMES for check in CHECKS],
)
def test_every_game_and_the_example_pass(game: str, check: str) -> None:
    found = get_game(game)
    if check in COMPILED and check != "cuda":
        found.native.warm()  # here rules are translated that the worker process of the checks would translate once more
    (outcome,) = run_checks(found, EFFORT.get(check, 1.0), names=[check])
    skipped = (check == "seats" and "start_player" not in found.options) or (check == "puzzles" and not found.puzzles)
    assert outcome.verdict == ("skipped" if skipped else "passed"), outcome.detail


def own(function: str) -> tuple[str, str]:
    """Give the copy a rule function that it takes from the defaults otherwise."""
    return "@rule\ndef observe", f"@rule\ndef {function}\n\n\n@rule\ndef observe"


def with_value(line: str) -> tuple[str, str]:
    """Give the rules of the copy a value of the module."""
    return "VERSION = 1\n", f"VERSION = 1\n{line}\n"


OWN_VEIL = own("veil(s: State, p: int) -> None:\n    s.turn = 0")
OWN_REDEAL = own("redeal(s: State) -> None:\n    s.turn = 1 - s.turn")
OWN_RANKS = own("ranks(s: State, out: list[int]) -> None:\n    out[0] = 1\n    out[1] = 3")
SECRET_CHARM = [  # whether the second seat may use the first column is known to the first seat alone
    ("numbers, put_bits, rule", "numbers, put_bits, below, rule"),
    ("    placed: int", "    charm: int = number('i1')\n    placed: int"),
    ("    s.turn = 0\n", "    s.turn = 0\n    s.charm = below(s, 2)\n"),
    ("& TOP == 0:", "& TOP == 0 and not (p and s.charm and s.placed < 9 and column == 0):"),
    own("veil(s: State, p: int) -> None:\n    if p:\n        s.charm = 0"),
]
WHISPERED = [  # the worlds that look the same never are the true one, and what they tell is not what happens
    ("    placed: int", "    charm: int = number('i1')\n    placed: int"),
    ("    s.turn = 0\n", "    s.turn = 0\n    s.charm = 1\n"),
    ("    s.placed += 1\n", "    s.placed += 1\n    if s.charm == 1:\n        tell(s, Event.FULL, -1)\n"),
    own("veil(s: State, p: int) -> None:\n    s.charm = 0"),
    own("redeal(s: State) -> None:\n    s.charm = 2"),
]
CALLED_CLOSED = "def closed(s, p):\n    return {path[0]: a for a, path in paths(s, p).items()}\n\n\ndef meant("
ANOTHER_CLOSED = "def closed(s, p):\n    return {'cell-h9': 7} if paths(s, p) else {}\n\n\ndef meant("
Fault = dict[str, tuple[str, str] | list[tuple[str, str]]]
IDLE_FEATURE = [
    ("    return i\n", "    return put_bits(out, i, 0, 5)\n"),
    ("(COLUMNS, ROWS)),\n)", "(COLUMNS, ROWS)),\n    Feature('board.idle', 'nothing', (5,)),\n)"),
]
STARTER_IGNORED = [
    ("put_bits, rule, tell", "put_bits, rule, seat, tell"),
    ("    placed: int", "    start_player: int = seat()\n    placed: int"),
]


PACED = [
    ("put_bits, rule, tell", "put_bits, rule, tell, whole"),
    ("    placed: int", "    pace: int = whole(4, 1, 9, per=2)\n    placed: int"),
]
PACE = '[option.pace]\nname = {{ en = "x", ja = "x" }}\nhelp = {{ en = "x", ja = "x" }}\n{unit}\n[game.tagline]'


# Without two of its steps, which make no moves.
SHORT_LESSON = [("# The first match", "# A match")]
for first_words in ("You are red", "If the board"):
    text = (CONNECT_FOUR / "lesson.toml").read_text("utf-8")
    found = text.rindex("[[steps]]", 0, text.index(first_words))
    SHORT_LESSON.append((text[found : text.index("[[steps]]", found + 1)], ""))


def boxed(groups: str) -> Fault:
    """Connect Four with an option, and these groups of options in its box."""
    return {"rules_py": STARTER_IGNORED, "box_toml": ("[picture]", f"[options]\n{groups}\n[picture]")}


# What is replaced in a copy of Connect Four, the check that must notice it, and what it must say.
FAULTS: list[tuple[str, Fault, str]] = [
    ("clauses", {"rules_md": ("**C4-E1**", "**C4-E9**")}, "no test cites C4-E9"),
    ("words", {"words_toml": ("[game.tagline]", "[game.motto]")}, "no game.tagline"),
    ("words", {"words_toml": ("[game.tagline]", '[spare]\nen = "x"\nja = "x"\n\n[game.tagline]')}, "nothing uses: spare"),
    (
        "words",
        {"words_toml": ("[game.tagline]", '[gain.line]\nen = "{pionts:+} line"\nja = "{pionts:+} 列"\n\n[game.tagline]')},
        "[gain.line] has blanks that are no values of the event: pionts",
    ),
    ("words", {"words_toml": ("[game.tagline]", '[gain.lime]\nen = "x"\nja = "x"\n\n[game.tagline]')}, "nothing uses: gain.lime"),
    ("words", {"words_toml": ('ja = "四目並べ"', "")}, "must have exactly the languages"),
    ("words", {"rules_py": PACED, "words_toml": ("[game.tagline]", PACE.format(unit=""))}, "words.toml has no option.pace.unit"),
    (
        "words",
        {"rules_py": PACED, "words_toml": ("[game.tagline]", PACE.format(unit='unit = { en = "s", ja = "秒" }'))},
        "[option.pace.unit] must have the blank {n} alone",
    ),
    (
        "box",
        {"box_toml": ('weight = "light"', 'weight = "feather"')},
        "weight must be one of light, medium, heavy, not 'feather'",
    ),
    ("box", {"box_toml": ("minutes = 10", "minutes = [20, 10]")}, "minutes must be a number from 1 to 1440 or two in order"),
    ("box", {"box_toml": ("minutes = 10", "minuets = 10")}, "minuets is not one of minutes, weight"),
    (
        "box",
        {"box_toml": ("[picture]", "[usual]\nplayers = 3\n[picture]")},
        "usual.players must be a number of players from 2 to 2",
    ),
    ("box", {"box_toml": ("[picture]", "[usual]\noptions = { side = 1 }\n[picture]")}, "has no option side"),
    ("box", {"box_toml": ('["board"]', '["bord"]')}, "the picture 'middle' has no sprite bord"),
    ("box", {"box_toml": ('name = "middle"', 'name = "end"')}, "the drawing has no picture 'end'"),
    (
        "box",
        boxed('variants = ["start_player"]\nrulings = ["start_player"]'),
        "options has start_player twice; an option is a variant or a ruling",
    ),
    ("box", boxed("rulings = []"), "options must have start_player among its variants or its rulings"),
    ("box", boxed('rulings = ["starter"]'), "options names starter, which is no option of the game"),
    ("box", boxed("only_with = { start_player = [5] }"), "options.only_with.start_player must be a list of numbers of players"),
    ("guides", {"guide_toml": ('replay = ["d"]', 'replay = ["z"]')}, "[line]: 'z' is not a legal move"),
    ("guides", {"guide_toml": ('crop = ["board"]\nreplay', 'crop = ["bord"]\nreplay')}, "[line]: there is no sprite bord"),
    ("guides", {"guide_toml": ("[line]", "[lime]")}, "no guide and no card shows the picture 'lime'"),
    ("card", {"card_toml": ("{board.columns} columns", "7 columns")}, "a printed number is typed"),
    ("card", {"card_toml": ("{board.columns} columns", "seven columns")}, "card.toml: en does not name board.columns"),
    ("guides", {"guide_ja_md": ("{box.players[0]}人用", "二人用")}, "the guides: ja does not name box.players"),
    ("guides", {"guide_en_md": ("{box.minutes[0]:word} minutes", "10 minutes")}, "a printed number is typed"),
    ("card", {"card_toml": ("{board.columns} columns", "{board.colums} columns")}, "names no printed number"),
    ("card", {"card_toml": ('picture = "card-line"', 'picture = "card-lime"')}, "detail 3 shows no picture"),
    ("card", {"card_toml": ('ja = "四つ並んだところ"', "")}, "detail 3 has no text ja"),
    ("lesson", {"lesson_toml": ("minutes = 2", "minutes = 0")}, "minutes must be a number from 1 to 15, not 0"),
    ("lesson", {"lesson_toml": ("seed = 1", "seeds = 1")}, "seeds is not one of minutes, seed"),
    ("lesson", {"lesson_toml": ("seed = 1", "seed = 1\nplayers = 3")}, "players must be a number from 2 to 2, not 3"),
    ("lesson", {"lesson_toml": ("seed = 1", "seed = 1\noptions = { side = 1 }")}, "options cannot be played"),
    ("lesson", {"lesson_toml": ('do = ["e"]', 'do = ["z"]')}, "step 7: do has 'z', which is no code of the game"),
    ("lesson", {"lesson_toml": ('do = ["e"]', 'doo = ["e"]')}, "step 7: doo is not one of lit, before, do, then"),
    ("lesson", {"lesson_toml": ('do = ["e"]\n', "")}, "step 7: then needs moves under do"),
    ("lesson", {"lesson_toml": ('then = ["a"]', 'then = ["9 a"]')}, "before a code stands the number of a seat"),
    ("lesson", {"lesson_toml": ('then = ["a"]', 'then = ["0 a"]')}, "step 7: seat 0 does not decide in its then moves"),
    (
        "lesson",
        {"lesson_toml": ('then = ["a"]', 'then = ["a", "d", "d", "d"]')},
        "step 7: then: d is not legal: Column d is full",
    ),
    ("lesson", {"lesson_toml": ('do = ["e"]\nthen = ["a"]', 'do = ["any"]\nthen = ["a", "d", "d", "d"]')}, "d is not legal"),
    ("lesson", {"lesson_toml": ('["stone-e3"]', '["stone-e4"]')}, "step 7: lit: there is no stone-e4 in the wide scene"),
    ("lesson", {"lesson_toml": ('["letter-*"]', '["@sidebar"]')}, "step 2: lit: there is no @sidebar"),
    ("lesson", {"lesson_toml": ('ja = "あなたは赤です。', 'jp = "あなたは赤です。')}, "step 2: jp is not one of"),
    ("lesson", {"lesson_toml": ('wrong_ja = "三つ並ぶ前に、eの列をふさいでください。"\n', "")}, "step 7 has no text wrong_ja"),
    ("lesson", {"lesson_toml": ("Make it three: column d.", "Three!")}, "step 5, en: a text has 20 to 260 characters, not 6"),
    (
        "lesson",
        {"lesson_toml": ("You may not pass.", "No. Never pass.")},
        "step 8, en: a text has one or two whole sentences, not 3",
    ),
    ("lesson", {"lesson_toml": ('[[steps]]\nen = "If the board', '[[none]]\nen = "If the board')}, "none is not one of minutes"),
    ("lesson", {"lesson_toml": ('do = ["e"]\nthen = ["a"]\n', "")}, "the learner makes 3 moves, at least 4 are needed"),
    ("lesson", {"lesson_toml": SHORT_LESSON}, "a lesson has 8 to 15 steps, not 7"),
    ("subset", {"rules_py": ("    drop(s, p, a)\n", "    drop(s, p, {1: a}[1])\n")}, "apply: a dictionary"),
    ("subset", {"rules_py": ("@rule\ndef has_line(", "def has_line(")}, "apply: has_line is not marked @rule"),
    ("subset", {"rules_py": ("    s.turn = 0\n", "    s.height = [0, 0, 0, 0, 0, 0, 0]\n")}, "s.height is a row"),
    ("subset", {"rules_py": ("    n = 0\n    for column", "    global COLUMNS\n    n = 0\n    for column")}, "legal: global"),
    (
        "subset",
        {"rules_py": ("            return True\n    return False\n", "            return True\n")},
        "has_line: a path ends without",
    ),
    ("subset", {"rules_py": ("s.turn = 1 - p", "s.turn = int(0.5 + 0.5 - p)")}, "0.5 is a float"),
    ("subset", {"rules_py": ("s.turn = 1 - p", "s.turn = 2 / 2 - p")}, "use //"),
    ("subset", {"rules_py": ("    drop(s, p, a)\n", "    drop(s, p, int(str(a)))\n")}, "str() cannot be compiled"),
    ("subset", {"rules_py": ("    drop(s, p, a)\n", "    drop(s, p, [b for b in (a,)][0])\n")}, "a list comprehension"),
    (
        "subset",
        {"rules_py": [with_value("HALF = 0.5"), ("s.turn = 1 - p", "s.turn = int(HALF + HALF) - p")]},
        "HALF is a float, 0.5",
    ),
    ("subset", {"rules_py": [with_value("SEEN = [0]"), ("s.turn = 1 - p", "s.turn = SEEN[0] + 1 - p")]}, "SEEN is a list"),
    ("subset", {"rules_py": [with_value("SEEN = {0: 1}"), ("s.turn = 1 - p", "s.turn = SEEN[0] - p")]}, "SEEN is a dict"),
    (
        "subset",
        {"rules_py": [with_value("SEEN = ((0,), (1, 2))"), ("s.turn = 1 - p", "s.turn = SEEN[1][0] - p")]},
        "SEEN is a tuple",
    ),
    (
        "subset",
        {"rules_py": [with_value("SEEN = [0]"), ("    drop(s, p, a)\n", "    SEEN[0] = 1\n    drop(s, p, a)\n")]},
        "SEEN[0] is changed: rules",
    ),
    (
        "subset",
        {"rules_py": [with_value("import math"), ("s.turn = 1 - p", "s.turn = 1 - p + (math.pi > 4)")]},
        "math.pi is a float",
    ),
    ("subset", {"rules_py": ("s.turn = 1 - p", "s.turn = 2 ** (1 - p) - 1")}, "apply: ** needs a constant exponent"),
    ("subset", {"rules_py": ("s.turn = 1 - p", "s.turn = 2 ** -1 - p")}, "apply: ** needs a constant exponent"),
    ("subset", {"rules_py": ("s.turn = 1 - p", "s.trun = 1 - p")}, "apply: s.trun is no field of the record; did you mean turn?"),
    ("subset", {"rules_py": ("s.turn = 1 - p", "s.turn = 1 - s.turm")}, "apply: s.turm is no field of the record"),
    ("subset", {"rules_py": ("s.over = Over.FULL", "s.over = Over.FUL")}, "apply: Over.FUL does not exist; did you mean FULL?"),
    ("subset", {"rules_py": ("s.turn = 1 - p", "s.turn = ONE - p")}, "apply: ONE is not defined"),
    ("legal", {"rules_py": ("out[n] = column", "out[n] = COLUMNS - column")}, "not ascending"),
    ("legal", {"rules_py": ("& TOP == 0:", "& TOP > TOP:")}, "no legal action"),
    (
        "legal",
        {"rules_py": ("    n = 0\n    for column", "    n = 0\n    s.chance_block += 1\n    for column")},
        "changed the state",
    ),
    ("legal", {"rules_py": ("s.over = Over.LINE", "s.over = 9")}, "nobody is to act, and ending returns 9 (2 players"),
    ("notation", {"text_py": ("CODES = tuple(LETTERS)", 'CODES = tuple("aacdefg")')}, "a code twice"),
    ("notation", {"text_py": ('"sentence", lang, column=LETTERS[a]', '"sentence", lang, column="x"')}, "one en sentence"),
    ("texts", {"text_py": ('return WORDS.say("prompt", lang)', 'return ""')}, "an empty prompt"),
    (
        "texts",
        {"text_py": ('"log.line", lang, seat=WORDS.seat_name(event.seat, lang)', '"log.full", lang) + ("\\n"')},
        "must be one line",
    ),
    ("scenes", {"drawing_py": ("foot + 0.15 * cell + 0.7 * size", "size")}, "the texts of standing and letter-"),
    ("scenes", {"drawing_py": ("left + (column + 0.5) * cell, viewer", "left, viewer")}, "which are clicked, lie on each other"),
    (
        "scenes",
        {"drawing_py": ('f"cell-{name(a, row)}": [path]', 'f"hole-{name(a, row)}": [path]')},
        "the alias hole-a1 is not in",
    ),
    (
        "scenes",
        {"drawing_py": ('f"cell-{name(a, row)}": [', 'f"window-{name(a, row)}": [')},
        "no symbol or no alt text",
    ),
    ("scenes", {"drawing_py": ("*middle[place], cell, cell, alt=alt", "*middle[place], 9, cell, alt=alt")}, "is 9 units small"),
    ("scenes", {"drawing_py": ("[path] for a, path", '[("letter-a",)] for a, path')}, "('letter-a',), which is on no path"),
    ("scenes", {"drawing_py": ("[path] for a, path", "[path, path] for a, path")}, "or twice for the same"),
    ("scenes", {"drawing_py": ("[path] for a, path", "[(*path, *path)] for a, path")}, "which is not offered after a"),
    (
        "scenes",
        {"drawing_py": ('f"cell-{name(a, row)}": [path]', "path[0]: [path]")},
        "is ambiguous: it is on a path and an alias",
    ),
    ("scenes", {"drawing_py": ("LETTERS.index(place[0]) if", "7 if")}, "is 7, which is no action"),
    ("previews", {"rules_py": WHISPERED}, "happens (2 players"),
    (
        "previews",
        {"text_py": ("def board(", "def outlook(s, p, a, lang):\n    return str(id(s))\n\n\ndef board(")},
        "depends on what is hidden",
    ),
    ("previews", {"drawing_py": ("def meant(", CALLED_CLOSED)}, "is called closed, but it is open"),
    ("previews", {"drawing_py": ("def meant(", ANOTHER_CLOSED)}, "the closed choice cell-h9 is not drawn"),
    (
        "explanations",
        {"text_py": ("return explained(", 'return "" if name == "board" else explained(')},
        "nothing explains the sprite (board, en",
    ),
    ("explanations", {"text_py": ("explained(WORDS, kind, lang)", "str(id(s))")}, "an explanation tells what is hidden"),
    ("hidden", {"rules_py": OWN_VEIL}, "veil changed turn, not in HIDDEN"),
    (
        "hidden",
        {"rules_py": ("VERSION = 1", 'VERSION = 1\nHIDDEN = ("turn",)')},
        "fields that veil never erases: turn",
    ),
    ("hidden", {"rules_py": OWN_REDEAL}, "veil(redeal(veil"),
    ("observations", {"rules_py": ("    return i\n", "    return i - 1\n")}, "observe returns 83, not the 84"),
    ("observations", {"rules_py": ("COLUMNS * ROWS)\n    return i", "COLUMNS * ROWS - 1) + 1\n    return i")}, "unwritten"),
    (
        "observations",
        {"rules_py": ("(COLUMNS, ROWS)),\n)", "(COLUMNS, ROWS), high=0),\n)")},
        "the feature board.other is 1, not 0 to 0",
    ),
    ("observations", {"rules_py": IDLE_FEATURE}, "5 of 89 numbers never changed, in board.idle"),
    (
        "complete",
        {"rules_py": ("for seat in (p, 1 - p):", "for seat in (p, p):")},
        "sees the same in states that differ in stones",
    ),
    ("complete", {"rules_py": ('("height", "placed", ', '("placed", ')}, "no feature shows a change of the field height"),
    ("events", {"rules_py": ("tell(s, Event.LINE, p, 1)", "tell(s, Event.LINE, p, 3)")}, "are not the scores"),
    (
        "events",
        {
            "text_py": (
                "    if event.kind == Event.DROPPED:\n        return",
                '    if event.kind == Event.DROPPED:\n        return "" and',
            )
        },
        "the log says nothing of DROPPED (en)",
    ),
    ("files", {"text_py": ("CODES = tuple(LETTERS)", 'CODES = tuple("aacdefg")')}, "Column a is full"),
    ("playthroughs", {"words_toml": ("Choose a column", "Pick a column")}, "has changed"),
    (
        "modes",
        {
            "rules_py": (
                "    if has_line(",
                "    if s.placed > 9 and (s.stones[p] << 40) % 3 == 1:\n        s.over = Over.FULL\n    elif has_line(",
            )
        },
        "differ",
    ),
    ("invariants", {"rules_py": ("s.turn = 1 - p", "s.turn = p")}, "the seats take turns"),
    ("invariants", {"rules_py": ("s.placed == COLUMNS * ROWS", "s.placed == 99")}, "has no legal action"),
    ("endings", {"rules_py": ('("line", "full")', '("line", "full", "timeout")')}, "no random game ended by: timeout"),
    ("endings", {"rules_py": OWN_RANKS}, "places are not counted from 1"),
    ("seats", {"rules_py": STARTER_IGNORED}, "not treated alike"),
    ("redeal", {"rules_py": OWN_REDEAL}, "who may act depends on what is hidden (viewer -1, 2 players"),
    ("redeal", {"rules_py": SECRET_CHARM}, "the legal actions of the veiled state are not those of the true one (viewer 1, 2"),
    ("redeal", {"text_py": ('return WORDS.say("prompt", lang)', 'return f"{id(s)}"')}, "is shown another"),
    ("cuda", {"rules_py": ("    drop(s, p, a)\n", "    drop(s, p, a.halves)\n")}, "halves"),
]


@pytest.mark.parametrize(("check", "fault", "message"), FAULTS, ids=[f"{i}-{fault[0]}" for i, fault in enumerate(FAULTS)])
def test_a_planted_fault_is_found(altered: Callable[..., Game], check: str, fault: Fault, message: str) -> None:
    (outcome,) = run_checks(altered(**fault), names=[check])
    assert outcome.verdict == "failed"
    assert message
    assert message in outcome.detail


def test_rules_that_do_not_end_are_stopped_and_named(altered: Callable[..., Game], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watchdog, "LONGEST_MOVE", 0.5)
    game = altered(rules_py=("    drop(s, p, a)\n", "    while s.placed == 5:\n        s.turn = p\n    drop(s, p, a)\n"))
    legal, modes = run_checks(game, names=["legal", "modes"])
    assert legal.verdict == "failed"
    assert re.search(
        r"not at its end after 0.5 s: apply of seat 1, action \d \(2 players, default options, seed 0, move 5\)", legal.detail
    )
    assert (modes.verdict, modes.detail) == ("skipped", "not run, because play does not end")


def test_a_game_that_does_not_end_is_named_at_once(altered: Callable[..., Game], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "LONGEST_GAME", 300)
    unmoved = ("    drop(s, p, a)\n", "    s.turn = p\n")
    legal, *others = run_checks(altered(rules_py=unmoved), names=["legal", "texts", "modes", "redeal"])
    assert (legal.verdict, legal.detail) == ("failed", "not over after 300 moves (2 players, default options, seed 0)")
    assert {other.detail for other in others} == {"not run, because play does not end"}


@pytest.fixture
def endless(tmp_path: Path) -> Game:
    """The game that `perankh create` makes, with a rule that does not end when at most ten stones are left."""
    folder = create(tmp_path / "endless")
    rules = (folder / "rules.py").read_text("utf-8")
    loop = "    s.stones -= a + 1\n    while s.stones <= 10:\n        s.turn = p\n"
    (folder / "rules.py").write_text(rules.replace("    s.stones -= a + 1\n", loop), "utf-8")
    (folder / "playthroughs").mkdir()
    return get_game(folder)


PLAYING = [name for name in CHECKS if name not in (*STATIC, *COMPILED, "guides", "card", "lesson", "puzzles", "explanations")]


@pytest.mark.parametrize("check", PLAYING)
def test_every_check_that_plays_is_watched(endless: Game, check: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watchdog, "LONGEST_MOVE", 0.5)
    for name in ("2-players", "3-players", "4-players", "other-options"):
        (endless.folder / "playthroughs" / f"{name}.txt").write_text("")
    found, *others = run_checks(endless, names=[check, *CHECKS])
    assert found.verdict == "failed"
    assert re.match(r"not at its end after 0.5 s: apply of seat \d, action \d \(\d players, .*, seed \d+", found.detail)
    assert {other.name for other in others if other.detail != "not run, because play does not end"} == set(STATIC)


def test_playthroughs_are_written_under_the_watchdog(endless: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watchdog, "LONGEST_MOVE", 0.5)
    with pytest.raises(watchdog.EndlessRules, match=r"not at its end after 0\.5 s: apply of seat"):
        write_playthroughs(endless)


@pytest.mark.xdist_group("connect_four-create")
def test_machine_code_that_does_not_end_is_ended_with_its_process(endless: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watchdog, "LONGEST_SILENCE", 8.0)
    invariants, modes = run_checks(endless, names=["invariants", "modes"])
    assert (invariants.verdict, invariants.detail[:19]) == ("failed", "no progress for 8 s")
    assert (modes.verdict, modes.detail) == ("skipped", "not run, because play does not end")


def test_rules_that_do_not_compile_are_not_handed_to_the_compiler(altered: Callable[..., Game]) -> None:
    game = altered(rules_py=("    drop(s, p, a)\n", "    drop(s, p, {1: a}[1])\n"))
    verdicts = {outcome.name: outcome.verdict for outcome in run_checks(game)}
    assert verdicts["subset"] == "failed"
    assert {verdicts[name] for name in COMPILED} == {"skipped"}
    assert verdicts["legal"] == verdicts["texts"] == "passed"


def test_a_crash_is_reported_with_file_and_line(altered: Callable[..., Game]) -> None:
    game = altered(rules_py=("s.turn = 1 - p", "s.trun = 1 - p"))
    (outcome,) = run_checks(game, names=["legal"])
    line = 1 + (game.folder / "rules.py").read_text("utf-8").splitlines().index("        s.trun = 1 - p")
    assert outcome.detail == (
        f"rules.py:{line} apply: AttributeError: 'State' object has no attribute 'trun', "
        "in apply of seat 0, action 4 (2 players, default options, seed 0, move 0)"
    )


def test_a_crash_of_a_text_is_reported_with_the_position_and_once(altered: Callable[..., Game]) -> None:
    game = altered(text_py=('    return WORDS.say("prompt", lang)', '    return "?" * (90 // (9 - s.placed))'))
    texts, again = run_checks(game, names=["texts", "texts"])
    place = r"text\.py:\d+ prompt: ZeroDivisionError: integer division or modulo by zero, "
    assert re.fullmatch(place + "with 2 players, default options, seed 0, move 9", texts.detail)
    assert re.fullmatch(place + "as in texts", again.detail)


def test_a_blank_that_is_not_filled_is_named(altered: Callable[..., Game]) -> None:
    (outcome,) = run_checks(altered(text_py=("lang, column=LETTERS[a])", "lang)")), names=["notation"])
    assert re.fullmatch(
        r"text\.py:\d+ sentence: .*words\.toml: \[sentence\] has the blank \{column\}, for which no value was given",
        outcome.detail,
    )


def test_a_value_that_overflows_is_named_with_field_seed_and_move(altered: Callable[..., Game]) -> None:
    (outcome,) = run_checks(altered(rules_py=("s.placed += 1", "s.placed += 50")), names=["legal"])
    assert "the field placed (int8) cannot hold 150" in outcome.detail
    assert "seed 0, move 3" in outcome.detail


def test_a_value_that_overflows_with_the_last_move_is_named(altered: Callable[..., Game]) -> None:
    (outcome,) = run_checks(altered(rules_py=("        s.over = Over.LINE", "        s.over = Over.LINE + 300")), names=["legal"])
    assert "the field over (int8) cannot hold 301" in outcome.detail
    assert "seed 0, the end" in outcome.detail
