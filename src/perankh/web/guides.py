"""The guides and the cards: the rules of a game for players, with the printed numbers of the game or of a table's edition.

A guide is the game's `guide.<lang>.md`. `{sled.spaces}` stands for a printed number, `![caption](scene:NAME)` for a picture or a
small replay, and `{#name}` after a heading names the chapter, so that the table can open the guide at the rule in question.
"""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter, HTTPException, Request, Response
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markupsafe import Markup, escape

from perankh.engine.events import redacted
from perankh.engine.game import Game
from perankh.engine.illustrations import PARTS, can_be_drawn
from perankh.engine.printed_text import RECONSTRUCTED, fill
from perankh.web import printed
from perankh.web.identity import who_is
from perankh.web.pages import Offer, error_page, language, offer, page, templates
from perankh.web.refusal import Refused
from perankh.web.words import WORDS

CHAPTER = re.compile(r"\s*\{#([\w-]+)\}\s*$")
MARKS = str.maketrans("", "", "".join(RECONSTRUCTED))

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True)
class Guide:
    """A guide as HTML, with the headings it is divided by."""

    html: str
    headings: list[tuple[str, str]]
    reconstructed: bool  # does it name a number that is reconstructed?


@lru_cache(maxsize=32)
def guide_of(game: Game, lang: str, table: str, changed: float) -> Guide:  # noqa: ARG001  (a changed file is read anew)
    """A guide rendered; its pictures have the numbers of the table's edition."""
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    reader.add_render_rule("image", lambda _self, tokens, index, *_: figure(game, lang, table, tokens[index]))
    # A table wider than a phone is scrolled by itself, with the keyboard too.
    wide = f'<div class="wide" tabindex="0" role="region" aria-label="{WORDS.say("guide.table", lang)}"><table>'
    reader.add_render_rule("table_open", lambda *_: wide)
    reader.add_render_rule("table_close", lambda *_: "</table></div>")
    reader.validateLink = lambda url: True  # type: ignore[method-assign]  # noqa: ARG005  (scene: is no scheme it knows)
    text = fill(game, (game.folder / f"guide.{lang}.md").read_text("utf-8"), lang, mark=True)
    tokens = reader.parse(text)
    headings = name_chapters(tokens)
    place_pictures(game, tokens)
    renderer: RendererHTML = reader.renderer  # type: ignore[assignment]
    html = marked(Markup(renderer.render(tokens, reader.options, {})), lang)
    return Guide(html, headings, RECONSTRUCTED[0] in text)


def name_chapters(tokens: list[Token]) -> list[tuple[str, str]]:
    """Give the headings their ids, and list the chapters. One without a name is numbered, so the same in every language."""
    found: list[tuple[str, str]] = []
    for token, inside in pairwise(tokens):
        if token.type != "heading_open":
            continue
        named = CHAPTER.search(inside.content)
        for text in inside.children or ():
            text.content = CHAPTER.sub("", text.content)
        if token.tag == "h2":
            found.append((named[1] if named else f"part-{len(found) + 1}", CHAPTER.sub("", inside.content).translate(MARKS)))
        if named or token.tag == "h2":
            token.attrSet("id", named[1] if named else found[-1][0])
    return found


def place_pictures(game: Game, tokens: list[Token]) -> None:
    """A picture stands by itself, and the list after one with marks explains them."""
    for number, token in enumerate(tokens):
        alone = [child for child in token.children or () if child.type != "text" or child.content.strip()]
        if token.type != "inline" or len(alone) != 1 or alone[0].type != "image" or tokens[number - 1].type != "paragraph_open":
            continue
        tokens[number - 1].hidden = tokens[number + 1].hidden = True
        shown = game.illustrations.get(str(alone[0].attrs["src"]).removeprefix("scene:"))
        follows = tokens[number + 2] if number + 2 < len(tokens) else None
        if shown and shown.marks and follows and follows.type == "ordered_list_open":
            follows.attrSet("class", "legend")


def figure(game: Game, lang: str, table: str, token: Token) -> str:
    """A picture or a replay of a guide; nothing where the numbers of an edition do not allow its position."""
    name = str(token.attrs["src"]).removeprefix("scene:")
    if name not in game.illustrations or (game.edition and not can_be_drawn(game, name)):
        return ""
    return templates.get_template("picture.html").render(
        t=lambda key, **filled: WORDS.say(key, lang, **filled),
        addresses=addresses(game, name, lang, table),
        captions=captions(game, name, lang),
        alt=token.content.translate(MARKS),
        whole=not game.illustrations[name].crop,
    )


def addresses(game: Game, name: str, lang: str, table: str) -> list[str]:
    """Where the pictures of an illustration are, the wide one; the tall ones have another `shape`."""
    given = {"lang": lang} | ({"table": table} if game.edition else {})
    steps = range(len(game.illustrations[name].replay) + 1)
    return [f"/picture/{game.name}/{name}.svg?{urlencode(given | ({'step': step} if step else {}))}" for step in steps]


def captions(game: Game, name: str, lang: str) -> list[str]:
    """What the log tells of each step of a replay; of the first nothing."""
    wanted = game.illustrations[name]
    found = [""]
    for state, events in wanted.positions(game)[1:]:
        seen = game.veiled(state, wanted.viewer)
        lines = game.text.log_lines(seen, redacted(events, wanted.viewer), wanted.viewer, lang)
        found.append(("" if lang == "ja" else " ").join(lines))
    return found


def marked(text: Markup, lang: str) -> str:
    """HTML in which reconstructed numbers bear a mark."""
    begin = Markup('<span class="reconstructed-number" title="{}">').format(WORDS.say("guide.reconstructed_number", lang))
    return str(text).replace(RECONSTRUCTED[0], begin).replace(RECONSTRUCTED[1], "</span>")


def card_of(game: Game, lang: str, table: str) -> dict[str, Any]:
    """The card as the page shows it: its parts, its pictures, and whether a number in it is reconstructed."""
    card = game.card
    if card is None:
        raise HTTPException(404)

    def text(line: str) -> Markup:
        filled = fill(game, line, lang, mark=True)
        made.append(filled)
        return Markup(marked(escape(filled), lang))

    made: list[str] = []
    parts = {part: [text(line) for line in card.parts[part][lang]] for part in PARTS}
    details = [
        (addresses(game, detail.picture, lang, table)[0], text(detail.text[lang]))
        for detail in card.details
        if not game.edition or can_be_drawn(game, detail.picture)
    ]
    return {"parts": parts, "details": details, "reconstructed": RECONSTRUCTED[0] in "".join(made)}


async def played_at(request: Request, game: str, table: str) -> Offer:
    """The game; the one of a table if it is played there in an edition."""
    found = offer(game, language(request))
    if table:
        played: Game = (await request.app.state.tables.get(table, who_is(request))).game
        if played.name == game and played.edition:
            return Offer(played, found.lang)
    return found


@router.get("/guide/{game}")
async def guide_page(request: Request, game: str, table: str = "") -> Response:
    """The rules of a game, retold for players; for a table with the numbers of its edition."""
    try:
        found = await played_at(request, game, table)
    except Refused as refusal:
        return error_page(request, refusal.status, refusal.reason[language(request)])
    if not found.guide.is_file():
        raise HTTPException(404)
    corrected = await asyncio.to_thread(printed.corrections, offer(game, found.lang).game, found.game, found.lang)
    at = table if found.game.edition else ""
    guide = await asyncio.to_thread(guide_of, found.game, found.lang, at, found.guide.stat().st_mtime)
    return page(request, "guide.html", offer=found, guide=guide, corrected=corrected, table=at)


@router.get("/card/{game}")
async def card_page(request: Request, game: str, table: str = "") -> Response:
    """The rules of a game on one screen; for a table with the numbers of its edition."""
    try:
        found = await played_at(request, game, table)
    except Refused as refusal:
        return error_page(request, refusal.status, refusal.reason[language(request)])
    at = table if found.game.edition else ""
    card = await asyncio.to_thread(card_of, found.game, found.lang, at)
    return page(request, "card.html", offer=found, card=card, table=at)
