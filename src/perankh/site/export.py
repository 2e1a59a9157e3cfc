"""A demonstration without a server: pages for any web space, in which one looks through the games.

For each game there are a match between bots with its analysis, drawn by the game's scenes and stepped through by the browser's
own modules, the guide, and puzzles, of which the browser shows the one of the day. A further part is a function like
`write_match` and `write_guide`, which `export` calls for every game and language, and a button in `templates/games.html`.

All links are relative, so that the folder can lie anywhere. Pages hold no inline script or style.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import orjson
from jinja2 import FileSystemLoader

from perankh.bots.analysis import first_pass
from perankh.bots.cli import analysed
from perankh.bots.report import report
from perankh.engine.game import Game
from perankh.engine.words import LANGUAGES, Words
from perankh.errors import BadOption
from perankh.match import Match
from perankh.scene import SHAPES, Picture
from perankh.web import catalog, guides, pages, rendering
from perankh.web.analysis import in_language
from perankh.web.pages import Offer
from perankh.web.puzzles import puzzle_answer, puzzle_view
from perankh.web.views import last_events
from perankh.web.words import WORDS as PAGE_WORDS

HERE = Path(__file__).parent
WORDS = Words(HERE / "words.toml")
NAMES = {"en": ("Merit", "Ani", "Hori", "Tiye"), "ja": ("メリト", "アニ", "ホリ", "ティイ")}  # short enough for every board
MODULES = ("analysis.js", "board.js", "live.js", "puzzle.js", "replay.js", "ui.js")  # with what they import
STYLES = ("base.css", "board.css", "table.css", "analysis.css", "guide.css", "hints.css", "puzzle.css")
FILES = (*STYLES, "icons.svg", "favicon.svg")
SAID = ("analysis", "puzzle", "advice", "live", "replay", "ui")  # the words that the modules say
ICONS = {"first": "replay", "previous": "back", "next": "on", "last": "now"}
SEEN_BY = 0  # the seat whose view is shown
MOST_MOVES = 2000  # of a match; bots need far fewer
PICTURE = re.compile(r"/picture/(\w+)/([\w-]+)\.svg\?lang=(\w+)(?:&amp;step=(\d+))?&amp;shape=(\w+)")
ROOTED = re.compile(r'\b(href|src|srcset)="/(?!/)')

templates = pages.templates.overlay(loader=FileSystemLoader(HERE / "templates"))


def export(
    folder: Path,
    games: Sequence[Game],
    bot: str,
    seed: int,
    seconds: float,
    puzzles: int,
    done: Callable[[Game], None] = lambda _: None,
) -> None:
    """Write the demonstration into a folder, which must be new or empty.

    Each match is analysed for so many seconds; without any, by the game's network alone, which tells chances but no better moves.
    Of each game, so many puzzles are written at most.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise BadOption(f"{folder} is not an empty folder")
    write_static(folder)
    for game in games:
        match = played(game, bot, seed)
        found = analysis_of(match, seconds)
        write(folder / "art" / f"{game.name}.svg", catalog.art(game))
        for lang in LANGUAGES:
            write_cover(folder, Offer(game, lang))
            write_match(folder, Offer(game, lang), match, found, puzzles)
            write_puzzles(folder, Offer(game, lang), puzzles)
            write_guide(folder, Offer(game, lang))
        done(game)
    for lang in LANGUAGES:
        write_page(
            folder, f"{lang}/index.html", "games.html", lang, offers=[Offer(game, lang) for game in games], puzzles=puzzles
        )
    write_page(folder, "index.html", "first.html", LANGUAGES[0])


def played(game: Game, bot: str, seed: int) -> Match:
    """A whole match between bots, in the usual set-up of the box."""
    match = Match(game, game.box.players, seed=seed, options=dict(game.box.options))
    while not match.over and match.number < MOST_MOVES:
        match.play(match.bot(bot, seed=match.number))
    return match


# --- Files ----------------------------------------------------------------------------------------------------------------------


def write(path: Path, text: str | bytes) -> None:
    """Write a file, in a folder that may have to be made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)


def write_static(folder: Path) -> None:
    """The browser's modules that are needed, style sheets, icons, and what is the demonstration's own."""
    version, files = pages.assets()
    wanted = list(MODULES)
    for name in wanted:
        body = files[name].body.decode()
        wanted += [other for other in re.findall(r'"\./(\w+\.js)\?v=', body) if other not in wanted]
    for name in (*wanted, *FILES):
        write(folder / "static" / name, files[name].body)
    for path in sorted((HERE / "static").iterdir()):
        text = re.sub(r'(from |import\()"\./(\w+\.js)"', rf'\1"./\2?v={version}"', path.read_text("utf-8"))
        write(folder / "static" / path.name, text)


def write_page(folder: Path, here: str, template: str, lang: str, **values: Any) -> None:
    """Write a page, with links that are relative to it."""

    def t(key: str, **filled: Any) -> str:
        return (WORDS if key in WORDS.texts else PAGE_WORDS).say(key, lang, **filled)

    below = here.partition("/")[2]  # without the language
    html = templates.get_template(template).render(lang=lang, t=t, here=below, icons=ICONS, **values)
    html = PICTURE.sub(lambda found: f"/pictures/{picture_file(*found.groups())}", html)
    top = os.path.relpath(".", os.path.dirname(here) or ".").replace(os.sep, "/")
    write(folder / here, ROOTED.sub(rf'\1="{top}/', html))


# --- The parts of a game --------------------------------------------------------------------------------------------------------


def write_cover(folder: Path, offer: Offer) -> None:
    """The picture that stands for a game."""
    if offer.picture:
        write(folder / "pictures" / f"{offer.name}-box-{offer.lang}.svg", catalog.cover(offer.game, offer.lang))


def write_guide(folder: Path, offer: Offer) -> None:
    """The guide of a game, with its pictures."""
    if not offer.guide.is_file():
        return
    guide = guides.guide_of(offer.game, offer.lang, "", offer.guide.stat().st_mtime)
    for game, name, lang, step, shape in PICTURE.findall(guide.html):
        drawn = catalog.picture(offer.game, name, lang, shape, int(step or 0))
        write(folder / "pictures" / picture_file(game, name, lang, step, shape), drawn)
    values = {"offer": offer, "guide": guide, "words": words_in(offer.lang)}
    write_page(folder, f"{offer.lang}/{offer.name}/guide.html", "rules.html", offer.lang, **values)


def picture_file(game: str, name: str, lang: str, step: str | None, shape: str) -> str:
    """The file of a picture of a guide; of a replay, of one of its steps."""
    return f"{game}-{name}-{lang}-{shape}{f'-{step}' if step else ''}.svg"


def analysis_of(match: Match, seconds: float) -> dict[str, Any]:
    """The whole analysis of a match, as the server answers it, with texts in all languages."""
    if seconds:
        found = analysed(match, seconds)
        decided, judged = found["decided"], found["decisions"]
    else:
        decided, judged = first_pass(match.game, match.path_to(0)[0], match.played)
    told = report(match, judged, {lang: NAMES[lang][: match.players] for lang in LANGUAGES})
    counts = {"done": len(judged), "total": len(judged), "decided": decided, "found": len(judged)}
    return {"state": "done", **counts, "decisions": judged, "report": told, "end": told["end"]}


def write_match(folder: Path, offer: Offer, match: Match, analysis: dict[str, Any], puzzles: int) -> None:
    """The page of a match, its positions in both shapes, and its analysis."""
    for shape in SHAPES:
        positions = orjson.dumps([orjson.Fragment(one) for one in positions_of(match, offer.lang, shape)])
        write(folder / "matches" / f"{offer.name}-{offer.lang}-{shape}.json", positions)
    write(folder / "matches" / f"{offer.name}-{offer.lang}-analysis.json", orjson.dumps(in_language(analysis, offer.lang)))
    values = {"offer": offer, "moves": match.number, "words": words_in(offer.lang), "name": NAMES[offer.lang][SEEN_BY]}
    values["puzzles"] = puzzles
    write_page(folder, f"{offer.lang}/{offer.name}/match.html", "match.html", offer.lang, **values)


def words_in(lang: str) -> str:
    """What the browser's modules say, as JSON."""
    shared = {key: texts[lang] for key, texts in PAGE_WORDS.texts.items() if key.partition(".")[0] in SAID}
    return pages.in_script(shared | {key: texts[lang] for key, texts in WORDS.texts.items()})


def write_puzzles(folder: Path, offer: Offer, most: int) -> None:
    """The page of the puzzle of the day; of each puzzle one file, with the answers to all its moves."""
    game, lang = offer.game, offer.lang
    chosen = game.puzzles[:most]
    if not chosen:
        return
    for number, puzzle in enumerate(chosen):
        solution = game.text.CODES[puzzle.solution]
        file: dict[str, Any] = {"solution": solution, "answers": {}, "solved": {}}
        for shape in SHAPES:
            file[shape] = orjson.Fragment(puzzle_view(game.place, number, lang, shape))
            for code in (game.text.CODES[action] for action in puzzle.choices):
                file["answers"][code] = orjson.loads(puzzle_answer(game.place, number, code, lang, shape) or b"")
            file["solved"][shape] = file["answers"][solution].pop("scene")
        write(folder / "puzzles" / f"{game.name}-{number}-{lang}.json", orjson.dumps(file))
    values = {"offer": offer, "count": len(chosen), "words": words_in(lang)}
    write_page(folder, f"{lang}/{game.name}/puzzle.html", "puzzle.html", lang, **values)


def positions_of(match: Match, lang: str, shape: str) -> list[bytes]:
    """All positions of a match as one seat sees them, as JSON: the first whole, the others as what has changed."""
    game, found, before = match.game, [], None
    seats = rendering.Seats({lang: NAMES[lang][: match.players]}, tuple(range(match.players)))
    wanted = rendering.Wanted(SEEN_BY, lang, shape, False, False)
    for position in match.positions():
        state = game.veiled(position.state, SEEN_BY)
        events = [game.event(row) for row in last_events(match, position.number, SEEN_BY)]
        parts = rendering.parts(game, state, events, wanted, seats, position.number > 0)
        picture: Picture = parts["scene"]
        view: dict[str, Any] = {"lines": parts["lines"], "scores": parts["scores"], "acting": position.actors}
        if before is None:
            view |= {"names": seats.names[lang], "colours": rendering.colours_of(game, seats)}
            view["scene"] = orjson.Fragment(picture.json())
        elif changes := picture.changes_since(before):
            view["scene"] = orjson.Fragment(changes)
        found.append(orjson.dumps(view))
        before = picture
    return found
