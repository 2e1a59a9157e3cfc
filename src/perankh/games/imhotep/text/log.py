"""The log: each move's events in sentences, and who has won."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby

from perankh.engine.api import GameEvent
from perankh.engine.text import listed

from ..rules import scoring
from ..rules.components import CAPACITY, SEATS, Site
from ..rules.events import Event, Source
from ..rules.state import State, Step
from .names import SHIP_LETTERS, WORDS, card_name, plural, points_text, pyramid_name, seat_name, site_name, stone_list

TOLD_ELSEWHERE = (Event.RED_STONE,)  # the site that the stone comes to tells of it
Run = list[GameEvent]

# Events that share a sentence where they follow each other, by the name of their run.
RUNS: dict[int, str] = {
    Event.OFFERED: "market",
    Event.PAIR_OFFERED: "market",
    Event.PAIR_DISCARDED: "pair_discarded",
    Event.STONE_RETURNED: "returned",
    Event.KEPT: "kept",
    Event.REJECTED: "kept",
    Event.REJECTED_FACE_DOWN: "kept",
    Event.RED_STONE: "red_stone",
    Event.CHOOSES_PYRAMID: "red_stone",
    Event.ON_PYRAMID: "pyramid",
    Event.BESIDE_PYRAMID: "pyramid",
    Event.IN_TEMPLE: "temple",
    Event.IN_BURIAL: "burial",
    Event.AT_OBELISK: "obelisk",
    Event.ERECTED: "obelisk",
    Event.ERECTED_UNPAID: "obelisk",
    Event.TEMPLE_SCORED: "temple_scored",
}
# Runs that belong to the line of what caused them.
EFFECTS = {"returned", "red_stone", "pyramid", "temple", "burial", "obelisk", Event.RED_NO_STONE.name}


def log_lines(s: State, events: Sequence[GameEvent], viewer: int, lang: str) -> list[str]:
    """What happened in a move, in order; the market's new cards come last, as they lie when all are dealt."""
    lines: list[list[str]] = []
    in_order = sorted(events, key=lambda event: event.kind in (Event.OFFERED, Event.PAIR_OFFERED))
    for name, group in groupby(in_order, key=run_of):
        run = list(group)
        if name not in EFFECTS or not lines:
            lines.append([])
        lines[-1] += RUN_SENTENCES[name](s, run, lang) if name in RUN_SENTENCES else [sentence_of(s, e, lang) for e in run]
    if any(event.kind == Event.GAME_OVER for event in events):
        lines.append([verdict(s, lang)])
    return [("" if lang == "ja" else " ").join(line) for line in lines if line]


def run_of(event: GameEvent) -> str:
    """The run that an event belongs to; final scoring makes a run for each seat."""
    if event.kind == Event.FINAL_SCORED:
        return f"final-{event.seat}"
    return RUNS.get(event.kind, str(event.kind.name))


# --- Single events ----------------------------------------------------------------------------------------------


def sentence_of(s: State, event: GameEvent, lang: str) -> str:
    """One event in a sentence, with its values in words."""
    if event.kind == Event.GAME_OVER:
        return WORDS.say("ending.six_rounds", lang)
    words: dict[str, object] = {"who": seat_name(event.seat, lang) if event.seat >= 0 else ""}
    key = event.kind.name.lower()
    for name in event.kind.names:
        value = getattr(event, name)
        if name in FROM_ONE:
            value += 1
        words[name] = IN_WORDS[name](value, lang) if name in IN_WORDS else value
    if event.kind in (Event.FETCHED, Event.TOOK_STONES):
        key += f".{plural(event.stones)}" if event.stones else ".none"
    elif event.kind in (Event.LOADED, Event.SAILED):
        words["ship"] = SHIP_LETTERS[event.ship]
    elif event.kind == Event.ROUND_BEGAN:
        words["ships"] = " ".join(map(str, CAPACITY[s.players - 2][event.round_card]))
    elif event.kind == Event.LOOKED and event.first is not None:
        key = "looked_seen"
        words["cards"] = listed([card_name(kind, lang) for kind in event.values if kind is not None and kind >= 0], lang)
    return WORDS.say(f"log.{key}", lang, **words)


IN_WORDS: dict[str, Callable[[int, str], object]] = {
    "card": card_name,
    "site": site_name,
    "pyramid": pyramid_name,
    "owner": seat_name,
    "points": points_text,
    "value": points_text,
}
FROM_ONE = {"space", "cell", "slot"}  # values that people count from 1


# --- Runs of events ---------------------------------------------------------------------------------------------


def gains(run: Run, lang: str) -> str:
    """Points one after the other: "Black +2, White +1"."""
    parts = [WORDS.say("log.gain", lang, who=seat_name(e.seat, lang), points=e.points) for e in run]
    return listed(parts, lang)


def say_pyramid(s: State, run: Run, lang: str) -> list[str]:
    """Stones on the pyramid of side A and beside either one, each with its points."""
    return [WORDS.say("log.pyramid", lang, who=gains(run, lang))]


def say_stones(site: Site) -> Callable[[State, Run, str], list[str]]:
    """Stones that come to a site, in order; then the obelisks that they erect."""

    def say(s: State, run: Run, lang: str) -> list[str]:
        owners = [event.seat for event in run if event.kind not in (Event.ERECTED, Event.ERECTED_UNPAID)]
        sentences = [WORDS.say("log.stones", lang, site=site_name(site, lang), who=stone_list(owners, lang))]
        return sentences + [sentence_of(s, event, lang) for event in run if event.kind in (Event.ERECTED, Event.ERECTED_UNPAID)]

    return say


def say_returned(s: State, run: Run, lang: str) -> list[str]:
    """Stones that go back to the quarry together."""
    return [WORDS.say("log.returned", lang, who=stone_list(sorted(event.seat for event in run), lang))]


def say_red_stone(s: State, run: Run, lang: str) -> list[str]:
    """A stone by a red card is reported where it arrives, or here if its owner has to choose a pyramid first."""
    if len(run) < 2:
        return []
    return [WORDS.say("log.chooses_pyramid", lang, who=seat_name(run[0].seat, lang))]


def say_kept(s: State, run: Run, lang: str) -> list[str]:
    """A card of the pair is kept; the other one is named to those who know it."""
    words = {"who": seat_name(run[0].seat, lang), "card": card_name(run[0].card, lang)}
    if len(run) < 2:
        return [WORDS.say("log.took", lang, **words)]
    other = run[1].card
    if other is None:
        return [WORDS.say("log.kept", lang, **words)]
    return [WORDS.say("log.kept_known", lang, other=card_name(other, lang), **words)]


def say_temple_scored(s: State, run: Run, lang: str) -> list[str]:
    """Points of temple cells, added up for each player."""
    totals = {p: sum(event.points for event in run if event.seat == p) for p in range(s.players)}
    parts = [WORDS.say("log.gain", lang, who=seat_name(p, lang), points=points) for p, points in totals.items() if points]
    return [WORDS.say("log.temple_scored", lang, who=listed(parts, lang))]


def say_market(s: State, run: Run, lang: str) -> list[str]:
    """The cards of a new round's market."""
    cards = listed([card_name(event.card, lang) for event in run if event.kind == Event.OFFERED], lang)
    face_down = sum(event.cards for event in run if event.kind == Event.PAIR_OFFERED)
    if face_down:
        return [WORDS.say("log.market_pair", lang, cards=cards, n=face_down)]
    return [WORDS.say("log.market", lang, cards=cards)]


def say_pair_discarded(s: State, run: Run, lang: str) -> list[str]:
    """Face-down cards of the market that nobody took, turned up."""
    return [WORDS.say("log.pair_discarded", lang, cards=listed([card_name(e.card, lang) for e in run], lang))]


def say_final(s: State, run: Run, lang: str) -> list[str]:
    """The final scoring of one player."""
    points = {Source(event.source): event.points for event in run}
    parts = [WORDS.say(f"log.final.{source.name.lower()}", lang, points=n) for source, n in points.items()]
    p = run[0].seat
    return [WORDS.say("log.final_scored", lang, who=seat_name(p, lang), parts=listed(parts, lang), total=s.score[p])]


RUN_SENTENCES: dict[str, Callable[[State, Run, str], list[str]]] = {
    "market": say_market,
    "pair_discarded": say_pair_discarded,
    "returned": say_returned,
    "kept": say_kept,
    "red_stone": say_red_stone,
    "pyramid": say_pyramid,
    "temple": say_stones(Site.TEMPLE),
    "burial": say_stones(Site.BURIAL),
    "obelisk": say_stones(Site.OBELISK),
    "temple_scored": say_temple_scored,
    **{f"final-{p}": say_final for p in range(SEATS)},
}


# --- The result -------------------------------------------------------------------------------------------------


def winners(s: State) -> list[int]:
    """Who shares the first place, once the game is over."""
    if s.step != Step.OVER:
        return []
    places = [0] * SEATS
    scoring.ranks(s, places)
    return [p for p in range(s.players) if places[p] == 1]


def verdict(s: State, lang: str) -> str:
    """Who has won, and whether stones on the sled decided it."""
    won = winners(s)
    best = s.score[won[0]]
    by_sled = list(s.score[: s.players]).count(best) > len(won)
    if len(won) > 1:
        key = "log.winners_by_sled" if by_sled else "log.winners"
    else:
        key = "log.winner_by_sled" if by_sled else "log.winner"
    return WORDS.say(key, lang, who=listed([seat_name(p, lang) for p in won], lang), points=points_text(best, lang))
