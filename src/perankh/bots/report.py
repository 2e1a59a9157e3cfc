"""The report on a match that was analysed: who led, what turned it, what was luck and what was skill, and how accurate all were.

It is made of the decisions that `analysis` has looked at, and told by the game's own log lines. `docs/analysis.md` has the
definitions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from perankh.engine.words import LANGUAGES, Words, seats_called
from perankh.match.match import Match

WORDS = Words(Path(__file__).with_name("words.toml"))
ROUND = "ROUND_BEGAN"  # the kind of event with which games that have rounds begin one
AHEAD = 0.12  # by so much of a chance somebody has to be ahead to take the lead from another
LEAST_TURN = 0.08  # what the winner has to gain at once for a turning point
LEAST_COST = 0.03  # what a move has to cost to be named
ALIKE = 0.1  # by what part of it the costs of decisions may differ to be called the same
MOST_COSTLY = 3  # moves that are named
MOST_LEADS = 3  # changes of the lead that are told one by one
CLEAR, MOSTLY = 0.9, 2 / 3  # of the decisions of a lead, how many have to show it for a clear one, and for one that is told
LEAST_STAKE = 0.02  # what has to be at stake in a phase for an accuracy in it
MOST_LINES = 2  # log lines of a turning point

Judged = Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class Phase:
    """A part of a match: its name by language, and the number of its first move."""

    name: dict[str, str]
    first: int


@dataclass(frozen=True)
class Turn:
    """The step after which the winner never fell back: the decision it began with, the one after it, and the chances."""

    first: int
    last: int
    winner: int
    before: float
    after: float
    decision: Mapping[str, Any]


def chances_at_end(match: Match) -> list[float] | None:
    """Who has won, as chances; None if the match was broken off."""
    winners = match.winners
    return [round(1 / len(winners), 4) if p in winners else 0.0 for p in range(match.players)] if winners else None


# --- Phases ---------------------------------------------------------------------------------------------------------------------


def phases_of(match: Match) -> list[Phase]:
    """The game's rounds, named as its banners name them; without rounds, three parts of about as many moves."""
    game, found = match.game, []
    dealt = [] if match.origin else game.setup_events(match.at(0).state)
    for number, events in enumerate([dealt, *match.events()]):
        for event in events:
            if event.kind.name == ROUND and f"banner.{ROUND.lower()}" in game.words.texts and number < match.number:
                told = event.by_name() | {"who": ""}
                name = {lang: game.words.say(f"banner.{ROUND.lower()}", lang, **told) for lang in LANGUAGES}
                found.append(Phase(name, number))
    if len(found) < 2:
        thirds = [(part, k * match.number // 3) for k, part in enumerate(("opening", "middle", "end"))]
        return [Phase({lang: WORDS.say(f"phase.{part}", lang) for lang in LANGUAGES}, first) for part, first in thirds]
    return [Phase(found[0].name, 0), *found[1:]]


def phase_at(phases: Sequence[Phase], number: int) -> int:
    """The phase that a move belongs to."""
    return max(k for k, phase in enumerate(phases) if phase.first <= number)


# --- Luck and skill -------------------------------------------------------------------------------------------------------------


def parts_of(judged: Judged, players: int, end: Sequence[float] | None) -> list[dict[str, float]]:
    """For each seat, what its chances came from: the parts add up to `result`.

    `start`: an equal share. `deal`: what the deal and the order of the seats changed, as the first to decide saw it. `own` and
    `others`: what decisions changed, as the deciding player could expect it. `luck`: everything else.
    """
    fair = 1 / players
    found = [{"start": fair, "deal": 0.0, "own": 0.0, "others": 0.0, "luck": 0.0, "result": fair} for _ in range(players)]
    last = [fair] * players
    for k, decision in enumerate(judged):
        for q, part in enumerate(found):
            part["luck" if k else "deal"] += decision["chances"][q] - last[q]
            part["own" if q == decision["seat"] else "others"] += decision["after"][q] - decision["chances"][q]
        last = decision["after"]
    for q, part in enumerate(found):
        part["result"] = end[q] if end else last[q]
        part["luck"] += part["result"] - last[q]
    return [{name: round(value, 4) for name, value in part.items()} for part in found]


def accuracy(judged: Judged) -> float | None:
    """How much of what random moves would have given away was kept, from 0 to 100; None where nothing was at stake."""
    stake = sum(decision["stake"] or 0.0 for decision in judged)
    if stake < LEAST_STAKE:
        return None
    loss = sum(decision["loss"] or 0.0 for decision in judged)
    return round(100 * min(1.0, max(0.0, 1 - loss / stake)), 1)


def accuracies(judged: Judged, phases: Sequence[Phase], p: int) -> dict[str, Any]:
    """The accuracy of a seat in the whole match and in each phase."""
    own = [decision for decision in judged if decision["seat"] == p]
    parts = [[decision for decision in own if phase_at(phases, decision["number"]) == k] for k in range(len(phases))]
    return {"decisions": len(own), "accuracy": accuracy(own), "by_phase": [accuracy(part) for part in parts]}


# --- What happened --------------------------------------------------------------------------------------------------------------


def leads_of(points: Sequence[tuple[int, Sequence[float]]]) -> list[tuple[int, int]]:
    """Who was ahead from which number on; a lead is taken by being clearly ahead twice in a row, or at the end."""
    ahead = [(number, clearly_ahead(chances)) for number, chances in points]
    found: list[tuple[int, int]] = []
    for (number, leader), (_, following) in zip(ahead, [*ahead[1:], *ahead[-1:]], strict=True):
        if leader is not None and leader == following and (not found or found[-1][1] != leader):
            found.append((number, leader))
    return found


def ahead_from(points: Sequence[tuple[int, Sequence[float]]], leads: Sequence[tuple[int, int]]) -> list[str]:
    """How sure each lead was while it lasted: `clear` if nobody else was clearly ahead, `mostly`, or `hardly`."""
    found = []
    for (first, leader), (last, _) in pairwise([*leads, (points[-1][0] + 1, -1)]):
        during = [chances for number, chances in points if first <= number < last]
        share = sum(chances[leader] == max(chances) for chances in during) / len(during)
        contested = any(clearly_ahead(chances) not in (None, leader) for chances in during)
        found.append("hardly" if share < MOSTLY else "mostly" if contested or share < CLEAR else "clear")
    return found


def clearly_ahead(chances: Sequence[float]) -> int | None:
    """The seat that is clearly ahead of all others."""
    if len(chances) < 2:
        return None
    first, second = sorted(range(len(chances)), key=lambda q: -chances[q])[:2]
    return first if chances[first] >= chances[second] + AHEAD else None


def turning_point(judged: Judged, number: int, end: Sequence[float] | None) -> Turn | None:
    """The largest step of the winner's chances below which they never fell again; None if no step was large."""
    points = [(decision["number"], decision["chances"]) for decision in judged]
    points += [(number, end)] if end else []
    if len(points) < 2:
        return None
    final = points[-1][1]
    winner = max(range(len(final)), key=lambda q: final[q])
    line = [chances[winner] for _, chances in points]
    found: Turn | None = None
    for k, (before, after) in enumerate(pairwise(line)):
        if after - before >= (found.after - found.before if found else LEAST_TURN) and min(line[k + 1 :]) > before:
            found = Turn(points[k][0], points[k + 1][0], winner, before, after, judged[k])
    return found


def costly(judged: Judged) -> list[Mapping[str, Any]]:
    """The moves that cost most, the dearest first."""
    named = [decision for decision in judged if (decision["cost"] or 0.0) >= LEAST_COST]
    return sorted(named, key=lambda decision: (-decision["cost"], decision["number"]))[:MOST_COSTLY]


def points_gained(match: Match, first: int, last: int, p: int) -> int:
    """The points that a seat got in some moves, as the rules told it."""
    told = (event for events in match.events(p, first, last) for event in events)
    return sum(event.points for event in told if event.seat == p and "points" in event.kind.names and event.points is not None)


def report(match: Match, judged: Judged, names: Mapping[str, Sequence[str]] | None = None) -> dict[str, Any]:
    """The report on what was judged so far; texts by language. `names`: what the players are called in each language."""
    called = names or {lang: [match.name(p, lang) for p in range(match.players)] for lang in LANGUAGES}
    phases, end = phases_of(match), chances_at_end(match)
    turn = turning_point(judged, match.number, end)
    points = [(decision["number"], decision["chances"]) for decision in judged]
    points += [(match.number, end)] if end else []
    leads = leads_of(points)
    sure = ahead_from(points, leads) if leads else []
    parts = parts_of(judged, match.players, end)
    return {
        "phases": [{"name": phase.name, "first": phase.first} for phase in phases],
        "seats": [part | accuracies(judged, phases, p) for p, part in enumerate(parts)],
        "leads": [{"first": first, "seat": p} for first, p in leads],
        "turn": turn_facts(match, turn, phases, called) if turn else None,
        "costly": [decision["number"] for decision in costly(judged)],
        "end": end,
        "sentences": {
            lang: sentences(match, judged, turn, list(zip(leads, sure, strict=True)), parts, phases, called[lang], lang)
            for lang in LANGUAGES
        },
    }


# --- In words -------------------------------------------------------------------------------------------------------------------


def percent(chance: float) -> int:
    """A chance as it is told."""
    return round(100 * chance)


def turn_facts(match: Match, turn: Turn, phases: Sequence[Phase], called: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """The turning point for programs, with its sentence."""
    return {
        "number": turn.first,
        "seat": turn.decision["seat"],
        "winner": turn.winner,
        "before": turn.before,
        "after": turn.after,
        "sentence": {lang: turn_sentence(match, turn, phases, called[lang], lang) for lang in LANGUAGES},
    }


def turn_sentence(match: Match, turn: Turn, phases: Sequence[Phase], names: Sequence[str], lang: str) -> str:
    """What turned the game, in the words of its log."""
    mover, position = turn.decision["seat"], match.at(turn.first + 1)
    seen, events = match.game.veiled(position.state, mover), match.events(mover, turn.first, turn.first + 1)[0]
    with seats_called(names):
        told = match.game.text.log_lines(seen, events, mover, lang)[:MOST_LINES]
    what = joined(told or [turn.decision["played"]["sentence"][lang]], lang)
    facts = {"phase": inside(phases, turn.first, lang), "number": turn.first + 1}
    return WORDS.say("report.turned_in", lang, what=quoted(what) if lang == "ja" else ended(what, lang), **facts)


def inside(phases: Sequence[Phase], number: int, lang: str) -> str:
    """The name of a phase inside a sentence."""
    name = phases[phase_at(phases, number)].name[lang]
    if lang != "en":
        return name
    return name[:1].lower() + name[1:] if any(char.isdigit() for char in name) else f"the {name.lower()}"


def joined(texts: Sequence[str], lang: str) -> str:
    """Sentences one after the other."""
    return ("" if lang == "ja" else " ").join(ended(text, lang) for text in texts)


def quoted(text: str) -> str:
    """Japanese sentences as they stand inside quotation marks."""
    return text.rstrip("。").translate(str.maketrans("「」", "『』"))


def ended(text: str, lang: str) -> str:
    """A sentence with its full stop."""
    return text if text.endswith((".", "!", "?", "。", "！", "？", "」")) else text + ("。" if lang == "ja" else ".")


def sentences(
    match: Match,
    judged: Judged,
    turn: Turn | None,
    leads: Sequence[tuple[tuple[int, int], str]],
    parts: Sequence[Mapping[str, float]],
    phases: Sequence[Phase],
    names: Sequence[str],
    lang: str,
) -> list[str]:
    """The report in words: the result, who led when, what turned the game, what was luck."""
    told = [result_sentence(match, names, lang), *lead_sentences(leads, names, lang)]
    if turn:
        told.append(turn_sentence(match, turn, phases, names, lang))
        gained = points_gained(match, turn.first, turn.last, turn.winner)
        if gained > 0:
            key = "report.gained_one" if gained == 1 else "report.gained"
            told.append(WORDS.say(key, lang, **({"name": names[turn.winner]} | ({"points": gained} if gained > 1 else {}))))
        rose = {"before": percent(turn.before), "after": percent(turn.after)}
        told.append(WORDS.say("report.rose", lang, name=names[turn.winner], **rose))
        if (turn.decision["cost"] or 0.0) >= LEAST_COST and turn.decision["seat"] != turn.winner:
            told.append(WORDS.say("report.better", lang, sentence=turn.decision["best"]["sentence"][lang].rstrip(".。")))
    elif judged and match.over:
        told.append(WORDS.say("report.steady", lang))
    if judged and all(decision["cost"] is not None for decision in judged):
        told += luck_sentences(parts, names, lang)
    return told


def result_sentence(match: Match, names: Sequence[str], lang: str) -> str:
    """How the match came out."""
    winners, scores = match.winners, match.scores
    if not winners:
        lines = [WORDS.say("report.broken_off", lang, number=match.number), *match.told_forfeits(lang, names)]
        return ("" if lang == "ja" else " ").join(lines)
    if match.players == 1:
        return WORDS.say("report.alone", lang, name=names[0], points=scores[0])
    if len(winners) > 1:
        who = listed([names[p] for p in winners], lang)
        return WORDS.say("report.tied", lang, names=who, points=scores[winners[0]])
    first = winners[0]
    other = min((p for p in range(match.players) if p != first), key=lambda p: (match.ranks[p], -scores[p]))
    told = {"name": names[first], "points": scores[first], "other": names[other]}
    if scores[first] == scores[other]:
        return WORDS.say("report.won_close", lang, **told)
    return WORDS.say("report.won", lang, behind=scores[other], **told)


def listed(names: Sequence[str], lang: str) -> str:
    """Names one after the other."""
    if lang == "ja":
        return "と".join(names)
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]


def lead_sentences(leads: Sequence[tuple[tuple[int, int], str]], names: Sequence[str], lang: str) -> list[str]:
    """Who was ahead when, and how sure that was."""
    if not leads:
        return []
    (first, holder), sure = leads[-1]
    key = "report.led_hardly" if sure == "hardly" else "report.led_always" if len(leads) == 1 else "report.led_last"
    last = WORDS.say(key, lang, **told_of(first + 1, names[holder], sure, lang))
    if len(leads) == 1:
        return [last]
    if len(leads) - 1 > MOST_LEADS:
        return [WORDS.say("report.led_often", lang, count=len(leads) - 1), last]
    before = [
        WORDS.say("report.led", lang, last=until, **told_of(number + 1, names[p], so_sure, lang))
        for ((number, p), so_sure), ((until, _), _) in pairwise(leads)
        if so_sure != "hardly"
    ]
    return [*before, last]


def told_of(first: int, name: str, sure: str, lang: str) -> dict[str, Any]:
    """What the sentence about a lead names."""
    return {"first": first} | ({"name": name, "ahead": WORDS.say(f"ahead.{sure}", lang)} if sure != "hardly" else {})


def luck_sentences(parts: Sequence[Mapping[str, float]], names: Sequence[str], lang: str) -> list[str]:
    """Whom luck has helped most, and whom the own decisions cost most."""
    lucks, costs = [part["deal"] + part["luck"] for part in parts], [-part["own"] for part in parts]
    lucky, careless = lucks.index(max(lucks)), costs.index(max(costs))
    told = [WORDS.say("report.no_luck", lang)]
    if lucks[lucky] >= LEAST_COST:
        told = [WORDS.say("report.luck", lang, name=names[lucky], luck=f"{percent(lucks[lucky]):+}")]
    if costs[careless] < LEAST_COST:
        return [*told, WORDS.say("report.clean", lang)]
    least = costs[careless] - max(0.01, ALIKE * costs[careless])
    most = [name for name, cost in zip(names, costs, strict=True) if cost > least]
    if len(most) == 1:
        return [*told, WORDS.say("report.cost", lang, name=most[0], cost=percent(costs[careless]))]
    key = "report.cost_even" if len(most) == len(parts) else "report.cost_both"
    more = {} if len(most) == len(parts) else {"names": listed(most, lang)}
    return [*told, WORDS.say(key, lang, cost=percent(costs[careless]), **more)]
