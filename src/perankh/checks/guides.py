"""The guides and the card: every text in every language, every picture drawn from a position that can be, no number typed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from xml.etree import ElementTree

from perankh.checks.walk import CheckSkipped, Progress, need, walk
from perankh.engine.game import Game
from perankh.engine.illustrations import PARTS, Card, Illustration
from perankh.engine.printed_text import BLANK, fill
from perankh.engine.words import LANGUAGES
from perankh.scene.sprite import SHAPES
from perankh.scene.svg import draw, is_meant, part_around

PICTURE = re.compile(r"!\[([^\]]+)\]\(scene:([\w-]+)\)")
CHAPTER = re.compile(r"^#+ ", re.MULTILINE)
HEADING = re.compile(r"^#+ .*?(?:\{#([\w-]+)\})?$", re.MULTILINE)
LEGEND = re.compile(r"\(scene:([\w-]+)\)\n\n((?:\d+\. .*\n(?:   .*\n)*)*)")
# Digits that are no printed numbers: in blanks, links, lists, codes such as D1, heads of tables, ordinals, numbers of
# players, and one of something.
STRUCTURE = re.compile(
    r"\{[^{}]*\}|\]\([^)]*\)|^\s*\d+\.\s|[A-Za-z]+\d+(?:\.\d)?|^\|.*\|\n(?=\|[ -]*-)|^\| *\d+|\b\d(?:st|nd|rd|th)\b"
    r"|\b\d(?:(?: or| to|-) ?\d)?(?=[ -]players?\b)"
    r"|\d+(?:～\d+)?(?=位|人|番|段目|列目|行目|マス目|枚目|個目|本目|隻目|つ目|ラウンド目)|(?<![\d.])0(?!\d|\.\d)|(?<!\d)1(?=つ|個|枚|隻|回|度|本|匹|列|行|段|手|マス|種類)",
    re.MULTILINE,
)
NAMES = re.compile(r"[a-z]\w*(?:\.\w+)+")  # of printed numbers, in a blank
LONGEST = {"en": 150, "ja": 80}  # characters of a line of a card
MOST_LINES = {"en": 800, "ja": 420}  # characters of a whole card


def outside(game: Game) -> bool:
    """Is this a game of somebody's own, not one of this package?"""
    return not game.package.startswith("perankh.games.")


def pictures_and_guides(game: Game, effort: float, progress: Progress) -> str:
    """The guides show the same in every language, take their numbers from the components, and every picture can be drawn."""
    if not any((game.folder / f"guide.{lang}.md").is_file() for lang in LANGUAGES) and outside(game):
        raise CheckSkipped("the game has no guide (guide.en.md)")
    guides = {lang: game.folder / f"guide.{lang}.md" for lang in game.words.languages}
    for path in guides.values():
        need(path.is_file(), f"{path.name} is missing")
    texts = {lang: path.read_text("utf-8") for lang, path in guides.items()}
    shown = {lang: [name for _, name in PICTURE.findall(text)] for lang, text in texts.items()}
    need(len({tuple(names) for names in shown.values()}) == 1, "the guides do not show the same pictures in every language")
    chapters = {lang: HEADING.findall(text) for lang, text in texts.items()}
    need(len({tuple(names) for names in chapters.values()}) == 1, "the guides do not have the same headings")
    for lang, text in texts.items():
        fill(game, text, lang)
        for typed in STRUCTURE.sub("", text).splitlines():
            need(
                not re.search(r"\d", typed),
                f"{guides[lang].name}: a printed number is typed, not taken from the components: {typed}",
            )
        for name, items in LEGEND.findall(text):
            marks, told = len(game.illustrations[name].marks), len(re.findall(r"^\d+\. ", items, re.MULTILINE))
            need(not marks or marks == told, f"{guides[lang].name}: {name} has {marks} marks and {told} explanations")
    check_same_numbers("the guides", {lang: CHAPTER.split(text) for lang, text in texts.items()})
    for name in shown["en"]:
        need(name in game.illustrations, f"the guides show a picture {name!r} that is not in guide.toml or PICTURES")
    used = {*shown["en"], "cover", game.box.picture, *(detail.picture for detail in (game.card.details if game.card else ()))}
    for name, wanted in game.illustrations.items():
        need(
            name in used or any(other.position == name for other in game.illustrations.values() if other.name in used),
            f"no guide and no card shows the picture {name!r}",
        )
        check_illustration(game, wanted)
    check_chapters(game, {name for name in chapters["en"] if name})
    steps = sum(bool(game.illustrations[name].replay) for name in shown["en"])
    return f"{len(shown['en'])} pictures, {steps} of them replays, in {', '.join(game.words.languages)}"


def check_same_numbers(where: str, texts: Mapping[str, Sequence[str]]) -> None:
    """What one language takes from the components, no other language types, be it in words; text by text."""
    for parts in zip(*texts.values(), strict=True):
        named = [{name for blank in BLANK.findall(text) for name in NAMES.findall(blank)} for text in parts]
        every = set().union(*named)
        for lang, names in zip(texts, named, strict=True):
            missing = ", ".join(sorted(every - names))
            need(not missing, f"{where}: {lang} does not name {missing}, as another language does: {parts[0][:60].strip()}")


def check_illustration(game: Game, wanted: Illustration) -> None:
    """A picture can be drawn in both shapes, after moves that the rules allow, and names sprites that are there."""
    positions = wanted.positions(game)
    for shape in SHAPES:
        seen = [game.veiled(state, wanted.viewer) for state, _ in positions]
        scenes = [game.drawing.scene(state, wanted.viewer, "ja", shape) for state in seen]
        for name in (*wanted.crop, *wanted.marks):
            there = any(is_meant(name, sprite.id) for sprite in scenes[0].sprites)
            need(there, f"guide.toml: [{wanted.name}]: there is no sprite {name} in the {shape} scene")
        part = part_around(wanted.crop, *scenes) if wanted.crop else None
        for scene, state in zip(scenes, seen, strict=True):
            board = game.text.board(state, wanted.viewer, "ja")
            ElementTree.fromstring(draw(scene, game.art, board, part, wanted.marks))


def check_chapters(game: Game, chapters: set[str]) -> None:
    """The chapters that the game names for decisions are there."""
    chapter = getattr(game.text, "chapter", None)
    if chapter is None:
        return
    for state, p, _, where in walk(game, sets=6):
        named = chapter(game.veiled(state, p), p)
        need(named in chapters, f"the guides have no chapter {named!r} ({where})")


def lines_of(card: Card, lang: str) -> list[str]:
    """All texts of a card."""
    return [line for part in PARTS for line in card.parts[part][lang]] + [detail.text[lang] for detail in card.details]


def card_on_one_screen(game: Game, effort: float, progress: Progress) -> str:
    """The card says goal, turn, end and scoring in every language, briefly, with numbers of the components and three pictures."""
    card = game.card
    if card is None:
        need(outside(game), "there is no card.toml")
        raise CheckSkipped("there is no card.toml")
    sizes = {}
    for lang in game.words.languages:
        lines = lines_of(card, lang)
        for line in lines:
            need(not re.search(r"\d", STRUCTURE.sub("", line)), f"card.toml: a printed number is typed: {line}")
            length = len(fill(game, line, lang))
            need(
                length <= LONGEST.get(lang, LONGEST["en"]),
                f"card.toml, {lang}: a line has {length} characters, which is too many: {line}",
            )
        sizes[lang] = sum(len(fill(game, line, lang)) for line in lines)
        need(
            sizes[lang] <= MOST_LINES.get(lang, MOST_LINES["en"]),
            f"card.toml, {lang}: {sizes[lang]} characters are too many for one screen",
        )
    check_same_numbers("card.toml", {lang: lines_of(card, lang) for lang in game.words.languages})
    blanks = sum(len(BLANK.findall(line)) for part in PARTS for line in card.parts[part]["en"])
    lengths = ", ".join(f"{size} characters ({lang})" for lang, size in sizes.items())
    return f"{len(card.details)} pictures, {blanks} numbers, {lengths}"
