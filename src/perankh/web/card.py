"""The result card of a match that is over: a picture to pass on, with places, the final position, the chances and what turned it.

A worker process makes it as `preview` makes pictures: from the state as a spectator of the finished match sees it. The chances
and the sentence are there once somebody has had the match analysed.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from html import escape
from typing import Any

import orjson
from fastapi import APIRouter, Request, Response

from perankh.bots import restored
from perankh.engine.text import width
from perankh.engine.words import seats_called
from perankh.match import forfeits
from perankh.scene import draw
from perankh.scene.png import png
from perankh.scene.sprite import PALETTE
from perankh.scene.svg import FONT
from perankh.web import catalog
from perankh.web.analysis import Analyst, MatchAnalysis, in_language
from perankh.web.identity import who_is
from perankh.web.position import SPECTATOR
from perankh.web.preview import Previews
from perankh.web.refusal import refused
from perankh.web.rendering import Seats, colours_of
from perankh.web.table import Table
from perankh.web.views import shown_seats
from perankh.web.words import WORDS

router = APIRouter(include_in_schema=False)
WIDTH, HEIGHT = 1200, 630
BOARD = (24, 96, 700, 510)  # left, top, width and height of the position
SIDE = (748, 428)  # left and width of what stands beside it
STROKES = ("", "14 6", "4 6", "18 6 4 6")
LONGEST_NAME = 20  # columns
LONGEST_LINE = 38  # columns of the sentence
MOST_LINES = 5
OUTER = re.compile(r"<svg\b[^>]*?viewBox=\"([^\"]*)\"[^>]*>")


def card_of(folder: str, record: bytes, facts: dict[str, Any], seats: Seats, lang: str) -> bytes:
    """The card of a final state that is veiled for spectators: runs in a worker process."""
    game, state = restored(folder, record)
    names = seats.names[lang]
    with seats_called(seats.on_boards(lang), seats.colours):
        board = draw(game.drawing.scene(state, SPECTATOR, lang, "wide"), game.art)
    colours = [PALETTE[colour] for colour in colours_of(game, seats)]
    left, top, across, down = BOARD
    placed = OUTER.sub(
        lambda found: f'<svg x="{left}" y="{top}" width="{across}" height="{down}" viewBox="{found[1]}">', board, count=1
    )
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="{escape(FONT, quote=True)}">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{PALETTE["papyrus"]}"/>',
        f'<rect width="{WIDTH}" height="76" fill="{PALETTE["lapis"]}"/>',
        text(24, 52, 38, game.words.say("game.name", lang), PALETTE["papyrus"], bold=True),
        text(WIDTH - 24, 50, 24, WORDS.say("page.name", lang), PALETTE["papyrus"], anchor="end"),
        placed,
        *places(facts, names, colours),
        *chart(facts, colours),
        *sentence(facts["sentence"]),
        "</svg>",
    ]
    return png("\n".join(parts), WIDTH)


def text(x: float, y: float, size: float, words: str, ink: str, bold: bool = False, anchor: str = "start") -> str:
    """A line of text."""
    weight = ' font-weight="bold"' if bold else ""
    return f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" text-anchor="{anchor}" fill="{ink}"{weight}>{escape(words)}</text>'


def places(facts: dict[str, Any], names: Sequence[str], colours: Sequence[str]) -> list[str]:
    """The players by place, with their points."""
    left, across = SIDE
    order = sorted(range(len(names)), key=lambda p: (facts["ranks"][p], p))
    drawn = []
    for row, p in enumerate(order):
        y, ink = 128 + 40 * row, PALETTE["ink"]
        name = names[p] if width(names[p]) <= LONGEST_NAME else shortened(names[p])
        drawn += [
            text(left, y, 27, f"{facts['ranks'][p]}.", ink, bold=facts["ranks"][p] == 1),
            f'<rect x="{left + 42}" y="{y - 20}" width="22" height="22" rx="5" fill="{colours[p]}" stroke="{ink}"/>',
            text(left + 76, y, 27, name, ink, bold=facts["ranks"][p] == 1),
            text(left + across, y, 27, str(facts["scores"][p]), ink, bold=True, anchor="end"),
        ]
    return drawn


def shortened(name: str) -> str:
    """The beginning of a long name."""
    return next(name[:n] for n in range(len(name), 0, -1) if width(name[:n]) < LONGEST_NAME) + "…"


def chart(facts: dict[str, Any], colours: Sequence[str]) -> list[str]:
    """The chances of winning, small; nothing before the match was analysed."""
    points = facts["points"]
    if len(points) < 2:
        return []
    left, across = SIDE
    top, down, last = 300, 130, max(1, points[-1][0])
    frame = (
        f'<rect x="{left}" y="{top}" width="{across}" height="{down}" fill="#fff" fill-opacity=".5" stroke="{PALETTE["ink"]}"/>'
    )
    middle = f'<path d="M{left} {top + down / 2}h{across}" stroke="{PALETTE["ink"]}" stroke-opacity=".35"/>'
    drawn = [frame, middle]
    for p, colour in enumerate(colours):
        path = " ".join(f"{left + across * number / last:.1f},{top + down * (1 - chances[p]):.1f}" for number, chances in points)
        dashes = f' stroke-dasharray="{STROKES[p % len(STROKES)]}"' if STROKES[p % len(STROKES)] else ""
        drawn.append(f'<polyline points="{path}" fill="none" stroke="{PALETTE["ink"]}" stroke-width="6" stroke-opacity=".4"/>')
        drawn.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="4"{dashes}/>')
    if facts["turn"] is not None:
        x = left + across * facts["turn"] / last
        drawn.append(f'<path d="M{x:.1f} {top}v{down}" stroke="{PALETTE["lapis"]}" stroke-width="2.5" stroke-dasharray="6 5"/>')
        drawn.append(f'<path d="M{x:.1f} {top + 4}l-9 -15h18z" fill="{PALETTE["lapis"]}"/>')
    return drawn


def sentence(words: str) -> list[str]:
    """What turned the game, in a few lines."""
    lines = wrapped(words, LONGEST_LINE)
    if len(lines) > MOST_LINES:
        lines = [*lines[: MOST_LINES - 1], lines[MOST_LINES - 1].rstrip(" .。") + " …"]
    return [text(SIDE[0], 474 + 30 * row, 21, line, PALETTE["ink"]) for row, line in enumerate(lines)]


def wrapped(words: str, columns: int) -> list[str]:
    """A text in lines of at most so many columns; Japanese may break anywhere."""
    pieces = re.findall(r"[\x21-\x7e\u00a0-\u024f]+ ?|.", words)
    lines = [""]
    for piece in pieces:
        closes = piece in "。、！？」）"
        if width(lines[-1] + piece.rstrip()) > columns and not closes:
            lines.append("")
        lines[-1] += piece
    return [line.rstrip() for line in lines]


def card_facts(table: Table, analysis: MatchAnalysis | None, lang: str) -> dict[str, Any]:
    """What a card says beside the position: places, points, and what is known of the chances."""
    match = table.match
    told = in_language(analysis.report, lang) if analysis and analysis.report else None
    points = [[one["number"], one["chances"]] for one in analysis.known] if analysis else []
    if told and told["end"]:
        points.append([match.number, told["end"]])
    turn = told["turn"] if told else None
    return {
        "ranks": forfeits.places(match.ranks, table.forfeits.seats),
        "scores": match.scores,
        "points": points,
        "turn": turn["number"] if turn else None,
        "sentence": turn["sentence"] if turn else told["sentences"][0] if told else "",
    }


@router.get("/t/{table}/card.png")
async def card(request: Request, table: str, lang: str = "en") -> Response:
    """The result card of a match that is over."""
    found: Table = await request.app.state.tables.get(table, who_is(request))
    if not (found.over or found.readonly):
        raise refused(409, "not_over")
    lang, _ = catalog.checked_format(lang, "wide")
    previews: Previews = request.app.state.previews
    analyst: Analyst = request.app.state.analyst
    facts, seats = card_facts(found, await analyst.recall(found), lang), shown_seats(found)
    seen = found.position.seen_by(SPECTATOR).to_bytes()
    mark = hashlib.sha256(seen + orjson.dumps([facts, seats.names])).digest()
    picture = await previews.picture(
        (f"{found.id} card", mark, lang), found.id, card_of, found.game.place, seen, facts, seats, lang
    )
    cached = "private, no-store" if found.password else "public, max-age=60"  # caches ask nobody for a password
    return Response(picture, media_type="image/png", headers={"cache-control": cached})
