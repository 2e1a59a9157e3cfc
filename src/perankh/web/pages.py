"""The pages people open: home, a new table, the table itself; and the files they load.

Pages are rendered here in the reader's language; what changes while one looks on (the board, the players, the log) is drawn
by the modules under `static/` from the views of the API. No page holds inline script or style.
"""

from __future__ import annotations

import hashlib
import json
import mimetypes
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import HTMLResponse, Response
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from perankh.bots import BOTS, LEVELS
from perankh.bots.personalities import personalities_of
from perankh.bots.styles import Style, styles_of
from perankh.engine.game import Game
from perankh.engine.lesson import Lesson
from perankh.engine.words import LANGUAGES, TABLE_WORDS, seats_called
from perankh.scene import PALETTE, symbols_of, variables
from perankh.scene.svg import SHARED
from perankh.web import access, catalog, correspondence, table_records
from perankh.web.addresses import written
from perankh.web.agreements import ON_TIMEOUT
from perankh.web.chat import LONGEST_MESSAGE, PHRASES
from perankh.web.clock import DAYS
from perankh.web.documents import is_built
from perankh.web.identity import renew_cookie, who_is
from perankh.web.levels import OfferedBots
from perankh.web.people import COLOURS
from perankh.web.refusal import Refused
from perankh.web.rendering import options_shown
from perankh.web.seats import names_shown
from perankh.web.words import WORDS

HERE = Path(__file__).parent
LINK = re.compile(r'\b(href|src|action)="/(?!/)')
YEAR = 365 * 24 * 3600
THEMES = ("light", "dark")
LANGUAGE_NAMES = {"en": "English", "ja": "日本語"}
NAMED_SOURCES = 3  # reconstructed components that one sentence names
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


@lru_cache
def words_for(lang: str, *parts: str, game: Game | None = None) -> str:
    """The words that the modules of a page say, as JSON fit to stand in a script element; some of them in words of the game."""
    chosen = {key: texts[lang] for key, texts in WORDS.texts.items() if key.partition(".")[0] in parts}
    for name in TABLE_WORDS:
        if game and f"table.{name}" in game.words.texts:
            chosen[f"live.{name}"] = game.words.say(f"table.{name}", lang)
    return in_script(chosen)


def in_script(value: Any) -> str:
    """A value as JSON fit to stand in a script element."""
    return json.dumps(value, ensure_ascii=False).replace("<", "\\u003c")


# --- Rendering ------------------------------------------------------------------------------------------------

templates = Environment(
    loader=FileSystemLoader(HERE / "templates"), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
)


@lru_cache
def icon(name: str) -> Markup:
    """One of the small signs of icons.svg."""
    return Markup('<svg class="icon" aria-hidden="true"><use href="{}#{}"/></svg>').format(static("icons.svg"), name)


@lru_cache
def emblems() -> Markup:
    """The signs of the seats, for pages without a board."""
    symbols = "".join(text for name, text in symbols_of(SHARED).items() if name.startswith("emblem-"))
    return Markup(f"<svg hidden><defs>{symbols}</defs></svg>")


templates.globals.update(
    static=static, words_for=words_for, icon=icon, emblems=emblems, documents=is_built, language_names=LANGUAGE_NAMES
)


def base_address(request: Request) -> str:
    """The address of the site for links that leave it: the public one, or the one under which the reader has come."""
    origin = request.app.state.site.origin
    root = request.app.state.site.root
    return written(origin[1], origin[2], origin[0]) + root if origin else str(request.base_url).rstrip("/")


def below_root(html: str, root: str) -> str:
    """A page whose links to this server go to the folder below which it stands."""
    return LINK.sub(rf'\1="{root}/', html) if root else html


def page(request: Request, template: str, status: int = 200, lang: str | None = None, **values: Any) -> HTMLResponse:
    """A page in the reader's language, or in `lang`; a language asked for in the address is kept in a cookie."""
    lang = lang or language(request)
    values = {"base": base_address(request), "picture": None, "preview": ""} | values

    def t(key: str, **filled: Any) -> str:
        return WORDS.say(key, lang, **filled)

    # Without a path, which may be anything on a page that says there is nothing: //elsewhere.example leads elsewhere.
    others = [(other, f"?{urlencode(dict(request.query_params) | {'lang': other})}") for other in LANGUAGES]
    theme = request.cookies.get("theme")
    known = theme if theme in THEMES else None  # without one, as the reader's system prefers
    html = templates.get_template(template).render(lang=lang, t=t, languages=others, theme=known, **values)
    html = below_root(html, request.app.state.site.root)
    answer = HTMLResponse(html, status, headers={"Cache-Control": "no-cache", "Vary": "Cookie, Accept-Language"})
    if request.query_params.get("lang") == lang:
        answer.set_cookie("lang", lang, max_age=YEAR, samesite="lax")
    return answer


def fragment(template: str, lang: str, **values: Any) -> str:
    """A part of a page that is the same for every reader of a language."""

    def t(key: str, **filled: Any) -> str:
        return WORDS.say(key, lang, **filled)

    return templates.get_template(template).render(lang=lang, t=t, **values)


def error_page(request: Request, status: int, detail: str | None = None) -> HTMLResponse:
    """A page that says what went wrong, for people."""
    kind = str(status) if status in ERROR_KINDS else "other"
    return page(request, "error.html", status, code=status, kind=kind, detail=detail, base="")


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

    @cached_property
    def span(self) -> str:
        """For how many players the game is."""
        low, high = self.players[0], self.players[-1]
        return WORDS.say("home.players", self.lang, low=low, high=high) if low < high else self.number_of_players(low)

    @cached_property
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

    @cached_property
    def usual(self) -> str:
        """The usual set-up, for the browser."""
        return json.dumps({"players": self.game.box.players, "options": self.game.box.options})

    @cached_property
    def boxed(self) -> str:
        """The usual set-up in words: the players, and the options that the box names."""
        box = self.game.box
        named = options_shown(self.game, {name: box.options[name] for name in box.named}, self.lang)
        parts = [WORDS.say("live.variant", self.lang, title=option["title"], value=option["value"]) for option in named]
        return " · ".join([self.number_of_players(box.players), *parts])

    def number_of_players(self, count: int) -> str:
        """A number of players in words."""
        return WORDS.say("home.player" if count == 1 else "home.players_exactly", self.lang, count=count)

    @cached_property
    def reconstructed(self) -> list[tuple[str, int, int]]:
        """The components with reconstructed numbers: each name, how many of its entries are reconstructed, and of how many."""
        words, tables = self.game.words, self.game.components.reconstructed() if self.game.components else {}
        named = {name: f"component.{name}" for name in tables}
        return [
            (words.say(key, self.lang) if key in words.texts else name.replace("_", " "), *tables[name])
            for name, key in named.items()
        ]

    @cached_property
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

    @cached_property
    def seats(self) -> list[dict[str, str]]:
        """Each seat's colour in the palette and its name."""
        colours = self.game.drawing.SEAT_COLOURS
        return [{"colour": colours[p], "name": self.game.seat_name(p, self.lang)} for p in range(self.players[-1])]

    def seat_in(self, colour: str) -> int:
        """The seat that the usual set-up has in a colour; the first if there is none."""
        seats = [seat["colour"] for seat in self.seats[: self.game.box.players]]
        return seats.index(colour) if colour in seats else 0

    @cached_property
    def variants(self) -> list[dict[str, Any]]:
        """The variants in which there is something to choose."""
        return self.choices(self.game.box.variants)

    @cached_property
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
                    "number": self.number(name) if option.kind == "whole" else None,
                    "labels": labels,
                    "title": say(f"option.{name}.name", self.lang),
                    "help": say(f"option.{name}.help", self.lang),
                }
            )
        return found

    def number(self, name: str) -> dict[str, Any]:
        """A whole-number option as people enter it: in its unit, if it has one."""
        option, texts = self.game.options[name], self.game.words.texts.get(f"option.{name}.unit")
        low, high, usual = (option.in_units(number) for number in (option.low, option.high, self.game.box.options[name]))
        unit = self.game.words.say(f"option.{name}.unit", self.lang, n="").strip() if texts else ""
        return {"low": low, "high": high, "usual": usual, "per": option.per, "step": f"{1 / option.per:g}", "unit": unit}

    def changes(self, options: dict[str, Any], players: int) -> list[dict[str, str]]:
        """What is set otherwise than in the usual set-up, in words."""
        played = self.game.shown_options(self.game.blank(players, options))
        return options_shown(self.game, self.game.box.changes(played, players), self.lang)


def offer(name: str, lang: str) -> Offer:
    """One of the games offered."""
    game = catalog.offered_games().get(name)
    if game is None:
        raise HTTPException(404)
    return known_offer(game, lang)


@lru_cache
def known_offer(game: Game, lang: str) -> Offer:
    """The same for a game; what was found out about it is kept."""
    return Offer(game, lang)


# --- The pages ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class OwnTables:
    """The tables at which the reader sits, as the home page lists them."""

    due: list[dict[str, Any]]  # that wait for the reader, that one first which has waited longest
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
    for table in found:
        add_words(table, lang)
    ended, waiting = ("over", "broken", "stopped"), correspondence.due(found)
    others = [table for table in found if table not in waiting]
    return OwnTables(
        waiting,
        [table for table in others if table["status"] not in ended],
        [table for table in others if table["status"] in ended],
    )


def add_words(table: dict[str, Any], lang: str) -> None:
    """What a list says of a table."""
    games, comma = catalog.offered_games(), WORDS.say("home.list_comma", lang)
    table["title"] = games[table["game"]].words.say("game.name", lang) if table["game"] in games else table["game"]
    asked = table.get("asked")
    table["state"] = WORDS.say(f"home.asked_{asked}" if asked else f"home.status_{table['status']}", lang)
    table["names"] = comma.join(seat["name"] or WORDS.say(nameless(seat), lang) for seat in table["seats"])


async def public_tables(request: Request, lang: str) -> list[dict[str, Any]]:
    """The tables that are listed for everybody; none where they cannot be read just now."""
    try:
        found: list[dict[str, Any]] = await request.app.state.tables.public_tables()
    except Refused:
        return []
    for table in found:
        add_words(table, lang)
    return found


@router.get("/")
async def home(request: Request) -> Response:
    """One's own tables, those that are open to everybody, the games, and the upload of match files."""
    lang = language(request)
    offers = [known_offer(game, lang) for game in catalog.offered_games().values()]
    first = next((offer for offer in offers if offer.game.box.start_here), None)
    tables = await tables_of_reader(request, lang)
    own = {table["id"] for table in (*tables.due, *tables.running)}
    public = [table for table in await public_tables(request, lang) if table["id"] not in own]
    colour = (await kept_by_reader(request))[1]
    chosen: dict[str, Any] = {"offers": offers, "first": first, "tables": tables, "public": public, "colour": colour}
    chosen["met"] = {table["game"] for table in (*tables.due, *tables.running, *tables.finished)}
    chosen["puzzles"] = [offer for offer in offers if offer.game.puzzles]
    answer = page(request, "home.html", bot=bots_of(request).usual, **chosen)
    renew_cookie(request, answer)
    return answer


async def kept_by_reader(request: Request) -> tuple[str, str]:
    """The name and the colour that the reader has chosen; none where they cannot be read just now."""
    try:
        name, colour = await request.app.state.people.profile(who_is(request))
        return name, colour
    except Refused:
        return "", ""


def bots_of(request: Request) -> OfferedBots:
    """The bots that the server offers."""
    found: OfferedBots = request.app.state.tables.services.bots
    return found


async def editions_for(request: Request, game: str, given: str) -> dict[str, str]:
    """The names of the editions that the reader can choose from, by id: the own ones, and the one in the address."""
    editions = request.app.state.editions
    try:
        found = {one["id"]: one["name"] for one in await editions.own(who_is(request)) if one["game"] == game}
        if given and given not in found:
            made_for, _, edition = await editions.find(given)
            found |= {given: edition.name} if made_for == game else {}
    except Refused:
        return {}
    return found


@router.get("/new/{game}")
async def new_table(request: Request, game: str, edition: str = "") -> Response:
    """Choose players, seats, options and clock, and what happens on time-outs and with absent players."""
    bots = bots_of(request)
    chosen: dict[str, Any] = {"first_bot": bots.usual, "clocks": CLOCKS, "absences": ABSENCES, "stand_in": bots.usual}
    chosen |= {"days": DAYS, "lengths": table_records.LENGTHS, "password": (access.SHORTEST_PASSWORD, access.LONGEST_PASSWORD)}
    chosen["on_timeout"] = {kind: f"new.on_timeout_{kind}" for kind in ON_TIMEOUT}
    shown, (name, colour) = offer(game, language(request)), await kept_by_reader(request)
    chosen |= {"my_name": name, "my_seat": shown.seat_in(colour)}
    chosen |= {"edition": edition[:12], "editions": await editions_for(request, game, edition[:12])}
    chosen["personalities"] = personalities_of(shown.game)
    chosen["characters"] = [level for level in LEVELS if any(f"{one}-{level}" in BOTS for one in chosen["personalities"])]
    chosen["ratings"] = {level: styles_of(shown.game).get(level, Style()).rating for level in LEVELS}
    tables = await tables_of_reader(request, shown.lang)
    chosen["met"] = any(table["game"] == game for table in (*tables.due, *tables.running, *tables.finished))
    chosen["places"] = {level: place for place, level in enumerate(LEVELS, 1)}
    return page(request, "new.html", offer=shown, bots=bots.levels, **chosen)


@router.get("/me")
def me_page(request: Request) -> Response:
    """What one has chosen, one's devices and matches; what is known comes from the API."""
    titles = {name: game.words.say("game.name", language(request)) for name, game in catalog.offered_games().items()}
    colours = {colour: f"me.{colour}" for colour in COLOURS}
    return page(request, "me.html", games=in_script(titles), colours=colours)


@router.get("/t/{table}")
async def table_page(request: Request, table: str) -> Response:
    """A table; its view comes over the live connection."""
    try:
        found = await request.app.state.tables.get(table, who_is(request))
    except Refused as refusal:
        if refusal.facts.get("password"):
            return page(request, "password.html", refusal.status, table=table)
        return error_page(request, refusal.status, refusal.reason[language(request)])
    shown = known_offer(found.game, language(request))
    with seats_called(names_shown(found.game, found.seats, found.colours, shown.lang)):
        variants = shown.changes(found.options, len(found.seats))
    if found.game.edition:
        variants.insert(0, {"title": WORDS.say("box.edition", shown.lang), "value": found.game.edition.name})
    free = sum(seat.kind == "open" for seat in found.seats)
    status = found.status if found.status in ("waiting", "playing") else "over"
    preview = WORDS.say(f"page.preview_{status}", shown.lang, free=free, seats=len(found.seats))
    values: dict[str, Any] = {
        "table": table,
        "offer": shown,
        "variants": variants,
        "bots": bots_of(request).levels,
        "preview": preview,
        "phrases": PHRASES,
        "longest": LONGEST_MESSAGE,
        "my_name": (await kept_by_reader(request))[0],
    }
    values["lesson"] = lesson_steps(found.lesson, shown.lang) if found.lesson else ""
    values["practice"] = found.settings.shown()["practice"]
    shown_as = "card" if status == "over" and found.password is None else "preview"
    values["picture"] = f"/t/{table}/{shown_as}.png?lang={shown.lang}"
    return page(request, "table.html", **values)


def lesson_steps(lesson: Lesson, lang: str) -> str:
    """The steps of a lesson, for the browser."""
    return in_script([{"text": s.text[lang], "lit": s.lit, "at": s.at, "end": s.end, "moves": bool(s.do)} for s in lesson.steps])
