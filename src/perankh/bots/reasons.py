"""The reasons of a move: facts of the rules that speak for it or against it.

    for reason in reasons(game, veiled, p, action, instead):
        print(reason.good, reason.text["en"])

`veiled` is what p may know, `instead` the move to compare with, if there is one: the next best, say. Nothing here is a guess. A
fact is given if it holds in several worlds dealt in place of what is hidden, before chance decides anything. Some facts are the
same in every game; others a game names itself: `reasons` of its text (see `perankh.engine.contract`). The caller says how seats
are called (`perankh.engine.words.seats_called`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from perankh.engine.game import Game
from perankh.engine.state import Record
from perankh.engine.words import LANGUAGES, Words
from perankh.scene.event_effects import event_effects
from perankh.scene.previews import Outcome, Position, Told

WORDS = Words(Path(__file__).parent / "words.toml")
MOST = 4  # reasons that are given, the weightiest first
MOST_REPLIES = 80  # moves of the next player that are tried


@dataclass(frozen=True)
class Reason:
    """A fact about a move."""

    name: str  # of the fact: one of those here, or `for.…` or `against.…` of the game's own
    good: bool  # does it speak for the move?
    values: Mapping[str, Any]
    text: Mapping[str, str]  # by language


@dataclass(frozen=True)
class Replies:
    """What the next player can do after a move: for certain, in every world."""

    seat: int
    points: int  # the most that he can gain at once
    action: int  # by this
    wins: bool  # does it win the match?


def reasons(game: Game, veiled: Record, p: int, action: int, instead: int | None = None) -> list[Reason]:
    """What speaks for and against p's action, the weightiest first."""
    position = Position(game, veiled, p)
    outcome = position.tried(action)
    if is_won(position, action):
        return [reason("wins", True)]
    found = [*threats(position, action, instead), *gains(game, outcome, p), *own_reasons(game, veiled, outcome, p)]
    found += outlook(game, veiled, p, action)
    return list({one.text["en"]: one for one in found}.values())[:MOST]  # nothing is said twice


def reason(name: str, good: bool, **values: Any) -> Reason:
    """A fact that is the same in every game."""
    return Reason(name, good, values, {lang: WORDS.say(f"reason.{name}", lang, **spoken(values, lang)) for lang in LANGUAGES})


def spoken(values: Mapping[str, Any], lang: str) -> dict[str, Any]:
    """Values with those taken out of several languages."""
    return {name: value[lang] if isinstance(value, dict) else value for name, value in values.items()}


def seat_names(game: Game, seat: int) -> dict[str, str]:
    """How a seat is called, by language."""
    return {lang: game.seat_name(seat, lang) for lang in LANGUAGES}


def is_won(position: Position, action: int) -> bool:
    """Does p win the match by an action, in every world?"""
    return all(wins_at_once(position.game, world, position.p, action) for world in position.worlds)


def wins_at_once(game: Game, world: Record, p: int, action: int) -> bool:
    """Is the match over after an action, without chance, and p alone first?"""
    after = world.copy()
    told = Told(after)
    game.functions["apply"](after, p, action)
    if game.actors(after) or told.drawn() != told.began:
        return False
    ranks = game.ranks(after)
    return ranks[p] == 1 and ranks.count(1) == 1


def gains(game: Game, outcome: Outcome, p: int) -> list[Reason]:
    """What the move brings p and the others for certain: points, or what else the game counts."""
    found: dict[tuple[Any, ...], dict[str, Any]] = {}
    shown = {
        lang: [one for one in event_effects(game, outcome.after, outcome.events, lang) if "amount" in one] for lang in LANGUAGES
    }
    for number, one in enumerate(shown["en"]):
        what = {lang: shown[lang][number]["reason"] for lang in LANGUAGES}
        values = {"amount": one["amount"], "what": what, "points": one["points"], "seat": one["seat"]}
        adds = one["amount"] == f"{one['points']:+}"  # points for the same reason are added up: three stones in the temple, say
        key = (one["seat"], one["reason"], one["points"] > 0) if adds else (number,)
        if key in found:
            values["points"] += found[key]["points"]
            values["amount"] = f"{values['points']:+}"
        found[key] = values
    told = []
    for values in found.values():
        good = not values["amount"].startswith(("-", "−", "✕"))
        if values["seat"] == p:
            told.append(reason("gain" if good else "loss", good, **values))
        elif good:
            told.append(reason("gives", False, **values, who=seat_names(game, values["seat"])))
    return told


def own_reasons(game: Game, veiled: Record, outcome: Outcome, p: int) -> list[Reason]:
    """What the game itself names."""
    named = getattr(game.text, "reasons", None)
    after = None if outcome.open else outcome.after
    found = []
    for name, values in named(veiled, p, outcome.action, outcome.events, after) if named else ():
        words = {lang: dict(values) | {"who": game.seat_name(values.get("seat", p), lang)} for lang in LANGUAGES}
        text = {lang: game.words.say(f"reason.{name}", lang, **words[lang]) for lang in LANGUAGES}
        found.append(Reason(name, name.startswith("for."), values, text))
    return found


def outlook(game: Game, veiled: Record, p: int, action: int) -> list[Reason]:
    """What is known of an outcome that chance decides."""
    own = getattr(game.text, "outlook", None)
    text = {lang: own(veiled, p, action, lang) for lang in LANGUAGES} if own else {}
    return [Reason("outlook", True, {}, text)] if text and all(text.values()) else []


def threats(position: Position, action: int, instead: int | None) -> list[Reason]:
    """What the next player can do then, against what he could do after the other move."""
    then = replies(position, action)
    if then is None:
        return []
    facts = {"who": seat_names(position.game, then.seat), "seat": then.seat, "action": then.action}
    if then.wins:
        return [reason("allows_win", False, **facts)]
    otherwise = replies(position, instead) if instead is not None and instead != action else None
    if otherwise is None or otherwise.seat != then.seat:
        return []
    facts |= {"action": otherwise.action, "points": otherwise.points, "less": then.points}
    if otherwise.wins:
        return [reason("stops_win", True, **facts)]
    return [reason("denies", True, **facts)] if otherwise.points > max(0, then.points) else []


def replies(position: Position, action: int) -> Replies | None:
    """What the next player can gain at once after p's action; None if that is not the same in every world.

    What he can do must be the same in every world; so nothing is said where it depends on what is hidden.
    """
    game, p = position.game, position.p
    after = [world.copy() for world in position.worlds]
    told = [Told(world) for world in after]
    for world in after:
        game.functions["apply"](world, p, action)
    acting = game.actors(after[0])
    if len(acting) != 1 or acting[0] == p or any(one.drawn() != one.began for one in told):
        return None
    q = acting[0]
    choices = game.legal(after[0], q)
    if len(choices) > MOST_REPLIES or any(game.actors(world) != acting or game.legal(world, q) != choices for world in after):
        return None
    best = Replies(q, 0, choices[0], False)
    for choice in choices:
        if all(wins_at_once(game, world, q, choice) for world in after):
            return Replies(q, 0, choice, True)
        points = {certain_points(game, world, q, choice) for world in after}
        if len(points) > 1:
            return None
        if (most := points.pop()) > best.points:
            best = Replies(q, most, choice, False)
    return best


def certain_points(game: Game, world: Record, q: int, action: int) -> int:
    """What q gains by an action before chance decides anything."""
    tried = world.copy()
    told = Told(tried)
    tried.events = told
    game.functions["apply"](tried, q, action)
    return sum(event.points for event in told[: told.certain] if event.seat == q and "points" in event.kind.names)
