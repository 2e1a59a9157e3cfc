"""Words that the rulebooks do not use, or that nobody understands, do not come back; see also the tests of each game's texts."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from typing import Any

import pytest

from perankh.engine.editions import Edition
from perankh.engine.game import game_with, get_game

# A word of which there is a better one, by game.
UNWANTED = {
    "mural": {
        "歩数": "マス数",
        "価値": "値",
        "報酬": "ボーナス",
        "アンクのカード": "アンクカード",
        "得点": "勝利点",
        "もらう": "手札に加える",
        "もらえ": "手札に加えます",
        "1枚取": "1枚引",
        "自然に終わ": "自動的に終わ",
        "シート": "壁",
        "くじ引き": "ランダム",
        "マーカー": "コマ",
        "cards +": "take 1 card",
        "stands level": "are level",
    },
    "imhotep": {
        "そり": "石材置き場",
        "船着き場": "係留場",
        "建設地": "建築現場",
        "個から": "個で出航可",
        "まとまり": "エリア",
        "least load": "minimum load",
    },
    "egizia": {
        "灰": "グレー",
        "採石場": "石切場",
        "穀物カードなし": "使わない",
        "この回の": "このラウンドの",
        "建築力": "能力値",
        "相乗り": "係留権",
        "遅れた着岸": "滑り込み接岸",
        "共同の岸辺": "共同桟橋",
        "謎": "スフィンクス",
        "を1上げる、を2回": "2回、1ずつ上げる",
        "Who has passed places": "A player who has passed",
        "Of equals": "If players are level",
        "pass by yourself": "pass",
        "own row": "row of your own",
    },
    "maqha": {
        "ファラオのマスク": "ファラオの仮面",
        "入札カード": "ビッドカード",
        "ふち": "縁",
        "繰り越": "キャリーオーバー",
        "杯": "グラス",
        "机": "テーブル",
        "part ties": "break ties",
        "Coins a turn": "per turn",
        "Error of the eye": "Reading error",
        "1 pts": "1 pt",
        "持ち越": "キャリーオーバー",
        "刻み": "秒",
        "ticks": "seconds",
    },
    "cleocatra": {
        "猫": "ネコ",
        "同時勝利": "共同勝利",
        "監視員1つ": "監視員1人",
        "Choose which of the tiles": "These neighbours share a colour",
        "renumbered": "nothing: nobody needs to know",
    },
}


# What is no English in any game: a pronoun is missing.
NOT_ENGLISH = re.compile(r"\b(the|an|all|every|which) own\b|(^|[.:] )Who (has|cannot|is|plays|builds)\b[^?]*[.]", re.IGNORECASE)


def texts(part: Any) -> Iterator[str]:
    """All texts of a table of words."""
    if isinstance(part, str):
        yield part
    elif isinstance(part, dict):
        for value in part.values():
            yield from texts(value)
    elif isinstance(part, list):
        for value in part:
            yield from texts(value)


def all_texts(name: str) -> list[str]:
    """Everything that people read of a game: words, lesson, card and guides."""
    folder = get_game(name).folder
    found = [
        text
        for file in ("words.toml", "lesson.toml", "card.toml")
        for text in texts(tomllib.loads((folder / file).read_text("utf-8")))
    ]
    return found + [line for guide in sorted(folder.glob("guide.*.md")) for line in guide.read_text("utf-8").splitlines()]


@pytest.mark.parametrize("name", UNWANTED)
def test_texts_use_the_words_of_the_rulebook(name: str) -> None:
    found = all_texts(name)
    for word, better in UNWANTED[name].items():
        assert not [text for text in found if word in text], (word, better)
    assert not [text for text in found if NOT_ENGLISH.search(text)]


@pytest.mark.parametrize("name", UNWANTED)
def test_no_line_of_a_japanese_guide_breaks_inside_a_sentence(name: str) -> None:
    """A browser shows a blank there."""
    before = ""
    for line in (get_game(name).folder / "guide.ja.md").read_text("utf-8").splitlines():
        assert not line.startswith(" ") or line.lstrip().startswith("-"), line
        assert not before or line.startswith(("-", "|", "#", *"123456789")) or not line, line
        before = line


@pytest.mark.parametrize("name", UNWANTED)
def test_the_log_speaks_to_nobody(name: str) -> None:
    """Everybody at the table reads the same lines, so that "you" would be somebody else for each of them."""
    words = tomllib.loads((get_game(name).folder / "words.toml").read_text("utf-8"))
    for text in texts([words["log"], words.get("bonus", {}).get("told", {})]):
        assert not re.search(r"\byour?s?\b", text, re.IGNORECASE), text


POLITE = re.compile(r"(です|ます|ません|ください|ました|でした|ましょう)か?$")
BLANK = re.compile(r"　*(\w+：)?(\{\w+\})?")  # a sentence of its own that is filled in


@pytest.mark.parametrize("name", UNWANTED)
def test_whoever_is_asked_or_refused_is_spoken_to_politely(name: str) -> None:
    """Prompts, refusals, explanations and the help of options are in です・ます; the log and labels are not."""
    words = get_game(name).words
    for key, said in words.texts.items():
        if key.startswith(("prompt.", "no.", "explain.", "reason.")) or key.endswith(".help"):
            for sentence in re.split(r"[。？！\n]", re.sub(r"（[^（）]*）", "", said["ja"])):
                assert POLITE.search(sentence) or BLANK.fullmatch(sentence), (key, said["ja"])


@pytest.mark.parametrize("name", UNWANTED)
def test_prompts_end_with_a_mark(name: str) -> None:
    """A prompt is a whole sentence, unless a text that is filled in or a remark in brackets ends it."""
    for key, said in get_game(name).words.texts.items():
        if key.startswith("prompt."):
            for text in said.values():
                assert text.endswith((".", "?", "。", "？", "）", "}")), (key, text)


@pytest.mark.parametrize("name", UNWANTED)
def test_japanese_punctuation_is_full_width(name: str) -> None:
    words = tomllib.loads((get_game(name).folder / "words.toml").read_text("utf-8"))

    def japanese(part: Any) -> Iterator[str]:
        for key, value in part.items():
            if key == "ja" and isinstance(value, str):
                yield value
            elif isinstance(value, dict):
                yield from japanese(value)

    for text in (text.replace("( )", "") for text in japanese(words)):  # the marks of a text board
        assert not any(mark in text for mark in (", ", "? ", "! ", ";")), text
        beside = [(text[k - 1], text[k + 1]) for k in range(1, len(text) - 1) if text[k] in "():"]
        assert not any(ord(one) > 0x3000 or ord(other) > 0x3000 for one, other in beside), text


# --- Printed numbers ----------------------------------------------------------------------------------------------------------

# A printed number that is changed, the options it matters with, and what the drawn table says then.
PRINTED: list[tuple[str, dict[str, Any], dict[str, Any], str]] = [
    ("imhotep", {"card_points.stones_per_green_point": 4}, {}, "1 per 4"),
    ("imhotep", {"set_values.points": [0, 2, 4, 6, 8, 9]}, {}, "2·4·6·8·9"),
    ("imhotep", {"obelisk_b.loose": 3}, {"obelisk_side": "B"}, "loose: 3 each"),
    ("egizia", {"sphinx_returned.vp": 2}, {}, "returned: 2 points"),
    ("cleocatra", {"scoring.cleocatra_bonus": 2}, {"mode": "hard"}, "Scored: +2, the last may act"),
    ("maqha", {"scoring.set_bonus": 3}, {}, "each, 3 points"),
]


@pytest.mark.parametrize(("game", "changes", "options", "said"), PRINTED, ids=[row[3] for row in PRINTED])
def test_the_drawn_table_says_the_numbers_of_an_edition(
    game: str, changes: dict[str, Any], options: dict[str, Any], said: str
) -> None:
    for played, expected in ((get_game(game), False), (game_with(get_game(game), Edition("My box", changes), keep=False), True)):
        texts: set[str] = set()
        for seed in range(8):  # the cards on the table differ
            state = played.new_state(3, seed, options)
            scene = played.drawing.scene(played.veiled(state, -1), -1, "en", "wide")
            texts.add(" ".join(sprite.text for sprite in scene.sprites))
        assert any(said in text for text in texts) == expected
