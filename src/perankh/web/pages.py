"""The pages people open: home, a new table, the table itself, the guides; and the files they load.

Pages are rendered here in the reader's language; what changes while one looks on (the board, the players, the log) is drawn
by the modules under `static/` from the views of the API. No page holds inline script or style.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import mimetypes
import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import HTMLResponse, Response
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markupsafe import Markup

from perankh.bots import LEVELS
from perankh.engine.game import Game
from perankh.engine.words import LANGUAGES, Words
from perankh.scene import PALETTE, symbols_of, variables
from perankh.scene.svg import SHARED
from perankh.web import catalog
from perankh.web.agreements import ON_TIMEOUT, STAND_IN
from perankh.web.refusal import Refused

HERE = Path(__file__).parent
WORDS = Words(HERE / "words.toml")
YEAR = 365 * 24 * 3600
FIRST_BOT = "scribe"  # plays soundly, and can be beaten at the first try
LANGUAGE_NAMES = {"en": "English", "ja": "日本語"}
SECRET_MOVES = 400  # how far a game is played at random to see whether players know different things
CLOCKS = ((5, 5), (15, 10), (30, 20), (60, 30))  # minutes, seconds added a move
ABSENCES = {2: "new.absence_short", 10: "new.absence_medium", 60: "new.absence_hour", 1440: "new.absence_day"}  # minutes
ERROR_KINDS = (404, 405, 413, 421, 429)

router = APIRouter(include_in_schema=False)


# --- Files the pages load -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Asset:
    """A file under `static/`, ready to send."""

    body: bytes
    kind: str


@lru_cache
def assets() -> tuple[str, dict[str, Asset]]:
    """The version of all static files together, and the files by name.

    Modules import each other under the same version, so that a browser may keep everything for a year and still never mixes
    two versions.
    """
    files = {path.name: path.read_bytes() for path in sorted((HERE / "static").iterdir()) if path.is_file()}
    inks = "".join(f".in-{name}{{color:var(--{name});--mark:var(--on-{name})}}" for name in PALETTE)
    files["base.css"] = f":root{{{variables()}}}\n{inks}\n".encode() + files["base.css"]
    digest = hashlib.sha256()
    for name, body in files.items():
        digest.update(name.encode() + b"\0" + body + b"\0")
    version = digest.hexdigest()[:12]
    found = {}
    for name, body in files.items():
        if name.endswith(".js"):
            body = re.sub(rb'(from |import\()"\./(\w+\.js)"', rb'\1"./\2?v=' + version.encode() + rb'"', body)
        kind = "text/javascript" if name.endswith(".js") else mimetypes.guess_type(name)[0] or "application/octet-stream"
        found[name] = Asset(body, kind)
    return version, found


def static(name: str) -> str:
    """The address of a static file."""
    return f"/static/{name}?v={assets()[0]}"


@router.get("/static/{name}")
def static_file(name: str, v: str = "") -> Response:
    """A file under `static/`; for a year if it is asked for under its version."""
    version, files = assets()
    if name not in files:
        raise HTTPException(404)
    lasting = f"public, max-age={YEAR}, immutable" if v == version else "no-cache"
    return Response(files[name].body, media_type=files[name].kind, headers={"Cache-Control": lasting})


# --- Language -------------------------------------------------------------------------------------------------


def language(request: Request) -> str:
    """The reader's language: asked for, chosen earlier, or the first of the browser's that we speak."""
    for wanted in (request.query_params.get("lang"), request.cookies.get("lang")):
        if wanted in LANGUAGES:
            return wanted
    spoken = []
    for part in request.headers.get("accept-language", "").split(","):
        name, _, weight = part.strip().partition(";q=")
        try:
            spoken.append((float(weight or 1), name[:2].lower()))
        except ValueError:
            continue
    spoken.sort(key=lambda pair: -pair[0])
    return next((name for _, name in spoken if name in LANGUAGES), LANGUAGES[0])


def words_for(lang: str, *parts: str) -> str:
    """The words that the modules of a page say, as JSON fit to stand in a script element."""
    chosen = {key: texts[lang] for key, texts in WORDS.texts.items() if key.partition(".")[0] in parts}
    return json.dumps(chosen, ensure_ascii=False).replace("<", "\\u003c")


# --- Rendering ------------------------------------------------------------------------------------------------

templates = Environment(
    loader=FileSystemLoader(HERE / "templates"), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
)


def icon(name: str) -> Markup:
    """One of the small signs of icons.svg."""
    return Markup('<svg class="icon" aria-hidden="true"><use href="{}#{}"/></svg>').format(static("icons.svg"), name)


def emblems() -> Markup:
    """The signs of the seats, for pages without a board."""
    symbols = "".join(text for name, text in symbols_of(SHARED).items() if name.startswith("emblem-"))
    return Markup(f"<svg hidden><defs>{symbols}</defs></svg>")


templates.globals.update(static=static, words_for=words_for, icon=icon, emblems=emblems, language_names=LANGUAGE_NAMES)


def page(request: Request, template: str, status: int = 200, **values: Any) -> HTMLResponse:
    """A page in the reader's language; a language asked for in the address is kept in a cookie."""
    lang = language(request)

    def t(key: str, **filled: Any) -> str:
        return WORDS.say(key, lang, **filled)

    # Without a path, which may be anything on a page that says there is nothing: //elsewhere.example leads elsewhere.
    others = [(other, f"?{urlencode(dict(request.query_params) | {'lang': other})}") for other in LANGUAGES]
    html = templates.get_template(template).render(lang=lang, t=t, languages=others, **values)
    answer = HTMLResponse(html, status, headers={"Cache-Control": "no-cache", "Vary": "Cookie, Accept-Language"})
    if request.query_params.get("lang") == lang:
        answer.set_cookie("lang", lang, max_age=YEAR, samesite="lax")
    return answer


def error_page(request: Request, status: int, detail: str | None = None) -> HTMLResponse:
    """A page that says what went wrong, for people."""
    kind = str(status) if status in ERROR_KINDS else "other"
    return page(request, "error.html", status, code=status, kind=kind, detail=detail)


# --- Games ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Offer:
    """A game as the pages show it."""

    game: Game
    lang: str

    @property
    def name(self) -> str:
        return self.game.name

    @property
    def title(self) -> str:
        return self.game.words.say("game.name", self.lang)

    @property
    def tagline(self) -> str:
        return self.game.words.say("game.tagline", self.lang)

    @property
    def players(self) -> range:
        return self.game.players

    @property
    def picture(self) -> str:
        """The name of the picture that stands for the game, the first of its guide's; empty if there is none."""
        return next(iter(self.game.drawing.PICTURES), "")

    @property
    def guide(self) -> Path:
        return self.game.folder / f"guide.{self.lang}.md"

    @property
    def seats(self) -> list[dict[str, str]]:
        """Each seat's colour in the palette and its name."""
        text, colours = self.game.text, self.game.drawing.SEAT_COLOURS
        return [{"colour": colours[p], "name": text.seat_name(p, self.lang)} for p in range(self.players[-1])]

    @property
    def options(self) -> list[dict[str, Any]]:
        """The options in which there is something to choose, each with its explanation."""
        say, found = self.game.words.say, []
        for name, option in self.game.options.items():
            if option.kind == "choice" and len(option.values) < 2:
                continue
            labels = []
            if option.kind == "choice":
                labels = [(value, say(f"option.{name}.{value}", self.lang)) for value in option.values]
            found.append(
                {
                    "name": name,
                    "kind": option.kind,
                    "default": option.default,
                    "low": option.low,
                    "high": option.high,
                    "labels": labels,
                    "title": say(f"option.{name}.name", self.lang),
                    "help": say(f"option.{name}.help", self.lang),
                }
            )
        return found


def offer(name: str, lang: str) -> Offer:
    """One of the games offered."""
    game = catalog.offered_games().get(name)
    if game is None:
        raise HTTPException(404)
    return Offer(game, lang)


@lru_cache
def keeps_secrets(game: Game) -> bool:
    """Do players of this game come to know different things? Then a screen that is passed around must be covered in between."""
    for options in [{}, *({name: value} for name, option in game.options.items() for value in option.values)]:
        state = game.new_state(2, 0, options)
        for number in range(SECRET_MOVES):
            if game.veiled(state, 0) != game.veiled(state, 1):
                return True
            acting = game.actors(state)
            if not acting:
                break
            legal = game.legal(state, acting[0])
            game.apply(state, acting[0], legal[number * 7919 % len(legal)])
    return False


# --- Guides ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Guide:
    """A guide as HTML, with the headings it is divided by."""

    html: str
    headings: list[tuple[str, str]]


@lru_cache
def guide_of(path: Path, game: str, lang: str, changed: float) -> Guide:  # noqa: ARG001  (a changed file is read anew)
    """A guide rendered; `![alt](scene:NAME)` stands for a picture that the game draws."""
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")

    def picture(self: RendererHTML, tokens: list[Token], index: int, options: Any, env: Any) -> str:
        address = str(tokens[index].attrs["src"])
        if not address.startswith("scene:"):
            return self.image(tokens, index, options, env)
        return templates.get_template("picture.html").render(
            address=f"/picture/{game}/{address.removeprefix('scene:')}.svg?lang={lang}", alt=tokens[index].content
        )

    def table_open(*_: Any) -> str:
        # A table wider than a phone is scrolled by itself, with the keyboard too.
        return f'<div class="wide" tabindex="0" role="region" aria-label="{WORDS.say("guide.table", lang)}"><table>'

    reader.add_render_rule("image", picture)
    reader.add_render_rule("table_open", table_open)
    reader.add_render_rule("table_close", lambda *_: "</table></div>")
    reader.validateLink = lambda url: True  # type: ignore[method-assign]  # noqa: ARG005  (scene: is no scheme it knows)
    tokens = reader.parse(path.read_text("utf-8"))
    headings: list[tuple[str, str]] = []
    for token, inside in pairwise(tokens):
        if token.type == "heading_open" and token.tag == "h2":
            # Numbered, not named: a link to a section leads to the same one in every language.
            token.attrSet("id", f"part-{len(headings) + 1}")
            headings.append((f"part-{len(headings) + 1}", inside.content))
    return Guide(reader.renderer.render(tokens, reader.options, {}), headings)


# --- The pages ------------------------------------------------------------------------------------------------


@router.get("/")
def home(request: Request) -> Response:
    """The games, one's own tables, and the upload of match files."""
    lang = language(request)
    return page(request, "home.html", bot=FIRST_BOT, offers=[Offer(game, lang) for game in catalog.offered_games().values()])


@router.get("/new/{game}")
def new_table(request: Request, game: str) -> Response:
    """Choose players, seats, options and clock, and what happens on time-outs and with absent players."""
    chosen: dict[str, Any] = {"first_bot": FIRST_BOT, "clocks": CLOCKS, "absences": ABSENCES, "stand_in": STAND_IN}
    chosen["on_timeout"] = {kind: f"new.on_timeout_{kind}" for kind in ON_TIMEOUT}
    return page(request, "new.html", offer=offer(game, language(request)), bots=list(LEVELS), **chosen)


@router.get("/t/{table}")
async def table_page(request: Request, table: str) -> Response:
    """A table; its view comes over the live connection."""
    try:
        game = (await request.app.state.tables.get(table)).game
    except Refused as refusal:
        return error_page(request, refusal.status, refusal.reason[language(request)])
    secrets = await asyncio.to_thread(keeps_secrets, game)
    return page(request, "table.html", table=table, offer=Offer(game, language(request)), secrets=secrets, bots=list(LEVELS))


@router.get("/guide/{game}")
def guide_page(request: Request, game: str) -> Response:
    """The rules of a game, retold for players."""
    found = offer(game, language(request))
    if not found.guide.is_file():
        raise HTTPException(404)
    guide = guide_of(found.guide, game, found.lang, found.guide.stat().st_mtime)
    return page(request, "guide.html", offer=found, guide=guide)
