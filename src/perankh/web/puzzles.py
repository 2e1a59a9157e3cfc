"""Puzzles: positions of a game's `puzzles.toml` on pages of their own. The server keeps nothing of who solves them."""

from __future__ import annotations

from datetime import UTC, date, datetime
from functools import lru_cache
from typing import Annotated, Any

import orjson
from fastapi import APIRouter, HTTPException, Path, Request, Response
from pydantic import Field

from perankh.bots import game_at
from perankh.bots.lines import line_in_words
from perankh.bots.reasons import reasons
from perankh.engine.game import Game
from perankh.engine.puzzles import Puzzle, daily
from perankh.engine.state import Record
from perankh.engine.words import LANGUAGES
from perankh.scene import Picture
from perankh.web import catalog, pages
from perankh.web.api import Body, Lang, Name
from perankh.web.refusal import refused
from perankh.web.rendering import Seats, position
from perankh.web.services import VIEW
from perankh.web.views import finished
from perankh.web.words import WORDS

router = APIRouter()
PuzzleId = Annotated[str, Path(max_length=12)]
NAMELESS = Seats(dict.fromkeys(LANGUAGES, ()), ())  # seats are called by their colours
LEVELS = ((1, "hard"), (3, "medium"), (8, "easy"))  # by how many of eight quick searches find the solution


class Try(Body):
    """A move by its code; without one, the solution is shown."""

    code: Name | None = Field(default=None)


# --- In worker processes ----------------------------------------------------------------------------------------------


@lru_cache(maxsize=256)
def seen_position(place: str, number: int) -> tuple[Record, Record]:
    """The position of a puzzle, and what the seat that solves it sees."""
    game = game_at(place)
    puzzle = game.puzzles[number]
    state = puzzle.position(game)
    return state, game.State.from_bytes(game.veiled(state, puzzle.seat).to_bytes(), fixed=True)


def puzzle_view(place: str, number: int, lang: str, shape: str) -> bytes:
    """The board of a puzzle and its moves, as JSON."""
    game = game_at(place)
    puzzle = game.puzzles[number]
    seen = seen_position(place, number)[1]
    drawn = position(game, seen, [], NAMELESS, puzzle.seat, lang, shape, True, listed=False)
    shown = {name: drawn[name] for name in ("prompt", "aliases", "step_prompts", "closed", "text")}
    facts = {"id": puzzle.id, "seat": puzzle.seat, "who": game.seat_name(puzzle.seat, lang), "level": level_of(puzzle)}
    return orjson.dumps(
        shown | facts | {"moves": orjson.Fragment(drawn["moves"]), "scene": orjson.Fragment(drawn["scene"].json())}
    )


def puzzle_answer(place: str, number: int, code: str | None, lang: str, shape: str) -> bytes | None:
    """What is said to a try, as JSON; None if it is no legal move."""
    game = game_at(place)
    puzzle = game.puzzles[number]
    state, seen = seen_position(place, number)
    p, codes = puzzle.seat, game.text.CODES
    tried = puzzle.solution if code is None else next((a for a in puzzle.choices if codes[a] == code), None)
    if tried is None:
        return None
    right = tried == puzzle.solution
    answer: dict[str, Any] = {
        "right": right,
        "sentence": game.text.sentence(seen, p, tried, lang),
        "chance": puzzle.choices[tried][0],
        "cost": puzzle.cost(tried),
        "error": puzzle.error,
    }
    rival = max((a for a in puzzle.choices if a != puzzle.solution), key=lambda a: puzzle.choices[a])
    found = reasons(game, seen, p, tried, rival if right else None)
    answer["reasons"] = [{"good": one.good, "text": one.text[lang]} for one in found]
    if right:
        against = [one.text[lang] for one in reasons(game, seen, p, rival, tried) if not one.good]
        answer["rival"] = {"sentence": game.text.sentence(seen, p, rival, lang), "against": against}
        answer |= solution_facts(game, puzzle, seen, lang)
        game.apply(after := state.copy(), p, tried)
        scene = game.drawing.scene(game.veiled(after, p), p, lang, shape)
        answer["scene"] = orjson.Fragment(Picture.of(scene).json())
    return orjson.dumps(answer)


def solution_facts(game: Game, puzzle: Puzzle, seen: Record, lang: str) -> dict[str, Any]:
    """What is shown when a puzzle is solved: the play that is expected, and the chances of every move."""
    p = puzzle.seat
    ranked = sorted(puzzle.choices, key=lambda action: -puzzle.choices[action][0])
    return {
        "code": game.text.CODES[puzzle.solution],
        "line": line_in_words(game, seen, p, puzzle.solution, puzzle.line, lang),
        "choices": [
            {"sentence": game.text.sentence(seen, p, a, lang), "chance": puzzle.choices[a][0], "lead": puzzle.choices[a][1]}
            for a in ranked
        ],
    }


def level_of(puzzle: Puzzle) -> str:
    """How hard a puzzle is, in a word."""
    return next(name for most, name in LEVELS if puzzle.found <= most)


# --- Finding them -----------------------------------------------------------------------------------------------------


def today() -> date:
    """The day, the same everywhere on earth."""
    return datetime.now(UTC).date()


def numbered(game: Game, id: str) -> int:
    """The number of a puzzle by its id."""
    found = next((number for number, puzzle in enumerate(game.puzzles) if puzzle.id == id), None)
    if found is None:
        raise refused(404, "no_puzzle", game=game.name)
    return found


def daily_puzzles() -> list[tuple[Game, Puzzle]]:
    """The puzzle of the day of each game that has any."""
    found = [(game, daily(game.puzzles, today())) for game in catalog.offered_games().values()]
    return [(game, puzzle) for game, puzzle in found if puzzle]


def json_of(made: bytes) -> Response:
    """An answer that is JSON already."""
    return Response(made, media_type="application/json")


# --- Routes -----------------------------------------------------------------------------------------------------------


@router.get("/api/puzzles")
def puzzles_of_the_day() -> dict[str, Any]:
    """The day, and of each game its puzzle of the day and the ids of all."""
    return {
        "day": today().isoformat(),
        "games": [{"game": game.name, "daily": of.id, "ids": [one.id for one in game.puzzles]} for game, of in daily_puzzles()],
    }


@router.get("/api/puzzles/{game}/{puzzle}")
async def puzzle(request: Request, game: str, puzzle: PuzzleId, lang: Lang = "en", shape: Lang = "wide") -> Response:
    """A puzzle: the board and the moves."""
    found, (lang, shape) = catalog.offered(game), catalog.checked_format(lang, shape)
    given = (found.place, numbered(found, puzzle), lang, shape)
    return json_of(await finished(request.app.state.tables.services.run(VIEW, "puzzles", puzzle_view, *given)))


@router.post("/api/puzzles/{game}/{puzzle}")
async def attempt(request: Request, game: str, puzzle: PuzzleId, made: Try, lang: Lang = "en", shape: Lang = "wide") -> Response:
    """Try a move: what it costs and why, or that it is the solution. Nothing is kept."""
    found, (lang, shape) = catalog.offered(game), catalog.checked_format(lang, shape)
    given = (found.place, numbered(found, puzzle), made.code, lang, shape)
    answer = await finished(request.app.state.tables.services.run(VIEW, "puzzles", puzzle_answer, *given))
    if answer is None:
        raise refused(409, "no_such_try")
    return json_of(answer)


@router.get("/puzzles", include_in_schema=False)
def puzzles_page(request: Request) -> Response:
    """The puzzles of the day."""
    lang = pages.language(request)
    shown = [
        {"offer": pages.Offer(game, lang), "level": level_of(of), "count": len(game.puzzles)} for game, of in daily_puzzles()
    ]
    return pages.page(request, "puzzles.html", puzzles=shown, day=today().isoformat())


@router.get("/puzzles/{game}", include_in_schema=False)
def puzzle_page(request: Request, game: str, id: str = "") -> Response:
    """A puzzle on its board: that of the day, or one by its id."""
    offer = pages.offer(game, pages.language(request))
    puzzles = offer.game.puzzles
    of_day = daily(puzzles, today())
    if of_day is None:
        raise HTTPException(404)
    chosen = next((one for one in puzzles if one.id == id), None) if id else of_day
    if chosen is None:
        raise HTTPException(404)
    number = puzzles.index(chosen)
    values: dict[str, Any] = {"offer": offer, "puzzle": chosen.id, "number": number + 1, "count": len(puzzles)}
    values |= {"day": today().isoformat(), "daily": chosen == of_day, "next": puzzles[(number + 1) % len(puzzles)].id}
    values["preview"] = WORDS.say("puzzle.preview", offer.lang)
    values["variants"] = offer.changes(chosen.options, chosen.players)
    return pages.page(request, "puzzle.html", **values)
