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
from collections.abc import Sequence
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

from perankh.bots import BOTS, LEVELS
from perankh.engine.game import Game
from perankh.engine.words import LANGUAGES, Words
from perankh.scene import PALETTE, symbols_of, variables
from perankh.scene.svg import SHARED
from perankh.web import catalog
from perankh.web.agreements import ON_TIMEOUT, STAND_IN
from perankh.web.identity import who_is
from perankh.web.refusal import Refused
from perankh.web.rendering import options_shown

HERE = Path(__file__).parent
WORDS = Words(HERE / "words.toml")
YEAR = 365 * 24 * 3600
FIRST_BOT = "scribe"  # plays soundly, and can be beaten at the first try
LANGUAGE_NAMES = {"en": "English", "ja": "日本語"}
NAMED_SOURCES = 3  # reconstructed components that one sentence names
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
    def span(self) -> str:
        """For how many players the game is."""
        low, high = self.players[0], self.players[-1]
        return WORDS.say("home.players", self.lang, low=low, high=high) if low < high else self.number_of_players(low)

    @property
    def minutes(self) -> str:
        """How long a match takes; empty if the game does not say."""
        if not self.game.box.minutes:
            return ""
        low, high = self.game.box.minutes
        known = {"low": low, "high": high} if low < high else {"minutes": low}
        return WORDS.say("home.minutes_span" if low < high else "home.minutes", self.lang, **known)

    @property
    def weight(self) -> str:
        """How demanding the game is; empty if it does not say."""
        return WORDS.say(f"home.weight_{self.game.box.weight}", self.lang) if self.game.box.weight else ""

    @property
    def usual(self) -> str:
        """The usual set-up, for the browser."""
        return json.dumps({"players": self.game.box.players, "options": self.game.box.options})

    @property
    def boxed(self) -> str:
        """The usual set-up in words: the players, and the options that the box names."""
        box = self.game.box
        named = options_shown(self.game, {name: box.options[name] for name in box.named}, self.lang)
        parts = [WORDS.say("live.variant", self.lang, title=option["title"], value=option["value"]) for option in named]
        return " · ".join([self.number_of_players(box.players), *parts])

    def number_of_players(self, count: int) -> str:
        """A number of players in words."""
        return WORDS.say("home.player" if count == 1 else "home.players_exactly", self.lang, count=count)

    @property
    def reconstructed(self) -> list[tuple[str, int, int]]:
        """The components with reconstructed numbers: each name, how many of its entries are reconstructed, and of how many."""
        words, tables = self.game.words, self.game.components.reconstructed() if self.game.components else {}
        named = {name: f"component.{name}" for name in tables}
        return [
            (words.say(key, self.lang) if key in words.texts else name.replace("_", " "), *tables[name])
            for name, key in named.items()
        ]

    @property
    def sources(self) -> str:
        """In one sentence, which printed numbers are reconstructed."""
        names = [name for name, _, _ in self.reconstructed]
        listed = WORDS.say("home.list_comma", self.lang).join(names[:NAMED_SOURCES])
        more = len(names) - NAMED_SOURCES
        if more > 0:
            return WORDS.say("guide.sources_more", self.lang, names=listed, more=more)
        return WORDS.say("guide.sources_all", self.lang, names=listed)

    @property
    def picture(self) -> bool:
        """Is there a picture that stands for the game?"""
        return bool(self.game.drawing.PICTURES)

    @property
    def guide(self) -> Path:
        return self.game.folder / f"guide.{self.lang}.md"

    @property
    def seats(self) -> list[dict[str, str]]:
        """Each seat's colour in the palette and its name."""
        text, colours = self.game.text, self.game.drawing.SEAT_COLOURS
        return [{"colour": colours[p], "name": text.seat_name(p, self.lang)} for p in range(self.players[-1])]

    @property
    def variants(self) -> list[dict[str, Any]]:
        """The variants in which there is something to choose."""
        return self.choices(self.game.box.variants)

    @property
    def rulings(self) -> list[dict[str, Any]]:
        """The rulings in which there is something to choose."""
        return self.choices(self.game.box.rulings)

    def choices(self, names: Sequence[str]) -> list[dict[str, Any]]:
        """Options in which there is something to choose, each with its explanation."""
        say, box, found = self.game.words.say, self.game.box, []
        for name in names:
            option = self.game.options[name]
            if option.kind == "choice" and len(option.values) < 2:
                continue
            labels = []
            if option.kind == "choice":
                labels = [(value, say(f"option.{name}.{value}", self.lang)) for value in option.values]
            found.append(
                {
                    "name": name,
                    "kind": option.kind,
                    "usual": box.options[name],
                    "only_with": box.only_with.get(name, ()),
                    "low": option.low,
                    "high": option.high,
                    "labels": labels,
                    "title": say(f"option.{name}.name", self.lang),
                    "help": say(f"option.{name}.help", self.lang),
                }
            )
        return found

    def changes(self, options: dict[str, Any], players: int) -> list[dict[str, str]]:
        """What is set otherwise than in the usual set-up, in words."""
        played = self.game.shown_options(self.game.blank(players, options))
        return options_shown(self.game, self.game.box.changes(played, players), self.lang)


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


@dataclass(frozen=True)
class OwnTables:
    """The tables at which the reader sits, as the home page lists them."""

    due: list[dict[str, Any]]  # where it is the reader's turn
    running: list[dict[str, Any]]
    finished: list[dict[str, Any]]

    def __bool__(self) -> bool:
        return bool(self.due or self.running or self.finished)


def nameless(seat: dict[str, Any]) -> str:
    """The key of the words for a seat without a name."""
    if seat["kind"] == "bot" and seat["bot"] in BOTS:
        return f"bot.{seat['bot']}"
    return {"me": "home.you", "open": "home.open_seat"}.get(seat["kind"], "home.somebody")


async def tables_of_reader(request: Request, lang: str) -> OwnTables:
    """One's own tables; none where they cannot be read just now."""
    try:
        who = who_is(request)
        found = await request.app.state.tables.own_tables(who) if who else []
    except Refused:
        found = []
    games, comma = catalog.offered_games(), WORDS.say("home.list_comma", lang)
    for table in found:
        table["title"] = games[table["game"]].words.say("game.name", lang) if table["game"] in games else table["game"]
        table["state"] = WORDS.say(f"home.status_{table['status']}", lang)
        table["names"] = comma.join(seat["name"] or WORDS.say(nameless(seat), lang) for seat in table["seats"])
    ended = ("over", "broken")
    return OwnTables(
        [table for table in found if table["your_turn"]],
        [table for table in found if not table["your_turn"] and table["status"] not in ended],
        [table for table in found if table["status"] in ended],
    )


@router.get("/")
async def home(request: Request) -> Response:
    """One's own tables, the games, and the upload of match files."""
    lang = language(request)
    offers = [Offer(game, lang) for game in catalog.offered_games().values()]
    first = next((offer for offer in offers if offer.game.box.start_here), None)
    tables = await tables_of_reader(request, lang)
    return page(request, "home.html", bot=FIRST_BOT, offers=offers, first=first, tables=tables)


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
        found = await request.app.state.tables.get(table)
    except Refused as refusal:
        return error_page(request, refusal.status, refusal.reason[language(request)])
    secrets = await asyncio.to_thread(keeps_secrets, found.game)
    shown = Offer(found.game, language(request))
    variants = shown.changes(found.options, len(found.seats))
    return page(request, "table.html", table=table, offer=shown, variants=variants, secrets=secrets, bots=list(LEVELS))


@router.get("/guide/{game}")
def guide_page(request: Request, game: str) -> Response:
    """The rules of a game, retold for players."""
    found = offer(game, language(request))
    if not found.guide.is_file():
        raise HTTPException(404)
    guide = guide_of(found.guide, game, found.lang, found.guide.stat().st_mtime)
    return page(request, "guide.html", offer=found, guide=guide)
