"""What people read of Nile Mural, and the notation: names, prompts, sentences, refusals, log lines, and the wall as text."""

from collections.abc import Sequence
from pathlib import Path

from perankh.engine.api import GameEvent, Words, sets
from perankh.engine.text import explained, kind_and_numbers, listed, pad, reconstruction_note, width

from .rules import actions, scoring
from .rules.components import (
    ANKH_SETS,
    AREA_CELLS,
    AREA_OF,
    AREA_VALUE,
    AREAS,
    CARDS,
    COMPONENTS,
    IS_ANKH,
    MAPS,
    MOST_PLACEMENTS,
    POINTS,
    SHADOW,
    TRACK_POINTS,
    TRACKS,
)
from .rules.events import Event, Source
from .rules.state import State, Step

WORDS = Words(Path(__file__).with_name("words.toml"))
CODES = (*(f"{card:02}" for card in range(CARDS)), "deck", "stop")
say, seat_name = WORDS.say, WORDS.seat_name


# --- Names ----------------------------------------------------------------------------------------------------------


def track_name(track: int, lang: str) -> str:
    """The name of a track."""
    return say(f"board.{TRACKS[track]}", lang)


def sources(s: State, lang: str) -> str:
    """Where a card can be taken from now."""
    if s.deck == 0:
        return say("source.row", lang)
    return say("source.deck" if sets.is_empty(s.row) else "source.both", lang)


def bonus(steps: int, cards: int, lang: str) -> str:
    """A combo bonus."""
    parts = [say("bonus.steps", lang, steps=steps)] if steps else []
    if cards:
        parts.append(say("bonus.card" if cards == 1 else "bonus.cards", lang, cards=cards))
    return listed(parts, lang) or say("bonus.nothing", lang)


def bonus_now(s: State, lang: str) -> str:
    """The combo bonus that stopping now would earn."""
    return bonus(actions.bonus_steps(s), actions.bonus_cards(s), lang)


# --- Prompts, sentences, refusals -----------------------------------------------------------------------------------


def prompt(s: State, p: int, lang: str) -> str:
    """What p has to decide now."""
    player = seat_name(p, lang)
    if s.step == Step.TAKE:
        key = "prompt.combo" if s.ending_turn else "prompt.ankh"
        return say(key, lang, player=player, count=s.takes, source=sources(s, lang))
    if s.placed == 0:
        return say("prompt.first", lang, player=player)
    if must_stop(s, p):
        return say("prompt.stop", lang, player=player)
    key = "prompt.no_shadow" if sets.is_empty(SHADOW[s.pawn]) else "prompt.next"
    return say(key, lang, player=player, count=s.placed + 1, pawn=CODES[s.pawn])


def chapter(s: State, p: int) -> str:
    """The chapter of the guides that concerns a decision."""
    if s.step == Step.TAKE:
        return "combo" if s.ending_turn else "ankh"
    return "turn" if s.placed == 0 else "combo" if must_stop(s, p) else "shadow"


def must_stop(s: State, p: int) -> bool:
    """Is stopping the only choice? For a viewer who does not know p's whole hand it is not."""
    out = [0] * (CARDS + 2)
    return actions.legal(s, p, out) == 1 and out[0] == actions.STOP and sets.count(s.hand[p]) == actions.hand_size(s, p)


def sentence(s: State, p: int, a: int, lang: str) -> str:
    """What choosing `a` means."""
    if a == actions.STOP:
        return say("say.stop", lang, count=s.placed, bonus=bonus_now(s, lang))
    if s.step == Step.TAKE:
        return say("say.take_deck", lang) if a == actions.DRAW else say("say.take_row", lang, card=CODES[a])
    if a == actions.DRAW:
        misses = sets.count_common(s.unseen, SHADOW[actions.shadowing(s)])
        return say("say.place_deck_risk" if misses else "say.place_deck", lang, misses=misses, unseen=sets.count(s.unseen))
    return say("say.place_row" if sets.has(s.row, a) else "say.place_hand", lang, card=CODES[a])


def refusal(s: State, p: int, a: int, lang: str) -> str:
    """Why `a` is not allowed now."""
    if a == actions.STOP:
        return say("no.must_take", lang, source=sources(s, lang)) if s.step == Step.TAKE else say("no.pass", lang)
    if a == actions.DRAW:
        return say("no.deck_empty", lang)
    if sets.has(s.wall, a):
        return say("no.on_wall", lang, card=CODES[a])
    if s.step == Step.TAKE:
        return say("no.take_row_only", lang, card=CODES[a])
    if sets.has(s.row, a) or sets.has(s.hand[p], a):
        return say("no.shadow", lang, card=CODES[a], pawn=CODES[s.pawn])
    return say("no.not_yours", lang, card=CODES[a])


# --- The log --------------------------------------------------------------------------------------------------------


def log_lines(s: State, events: Sequence[GameEvent], viewer: int, lang: str) -> list[str]:
    """The lines that tell one move. The final scoring has a line for each track, for each tie, and for the winners."""
    lines = [log_line(event, lang) for event in events if event.kind not in (Event.TRACK_SCORED, Event.TIE, Event.WON)]
    for track, scored in grouped(events, Event.TRACK_SCORED, "track"):
        scored.sort(key=lambda event: event.place)
        entries = [say("log.track_entry", lang, player=seat_name(e.seat, lang), points=e.points, marker=e.marker) for e in scored]
        lines.append(say("log.track_scored", lang, track=track_name(track, lang), entries=listed(entries, lang)))
    for total, tied in grouped(events, Event.TIE, "total"):
        sums = [say("log.tie_entry", lang, player=seat_name(e.seat, lang), sum=e.sum) for e in tied]
        lines.append(say("log.tie", lang, players=seat_names(tied, lang), total=total, sums=listed(sums, lang)))
    for total, winners in grouped(events, Event.WON, "total"):
        key = "log.won" if len(winners) == 1 else "log.won_together"
        lines.append(say(key, lang, players=seat_names(winners, lang), total=total))
    return lines


def log_line(event: GameEvent, lang: str) -> str:
    """The line that tells one event; a card that the viewer may not know is not named."""
    player = seat_name(event.seat, lang) if event.seat >= 0 else ""
    if event.kind == Event.PLACED:
        return say(PLACED_FROM[event.source], lang, player=player, card=CODES[event.card])
    if event.kind == Event.AREA_FULL:
        return say("log.area_full", lang, player=player, area=AREAS[event.area], steps=event.steps)
    if event.kind == Event.ANKH:
        return say("log.ankh", lang, player=player)
    if event.kind == Event.MISSED:
        return say("log.missed", lang, player=player, card=CODES[event.card], pawn=CODES[event.pawn], marker=event.marker)
    if event.kind == Event.TOOK:
        return say("log.took", lang, player=player, card=CODES[event.card])
    if event.kind == Event.DREW and event.card is None:
        return say("log.drew_unseen", lang, player=player)
    if event.kind == Event.DREW:
        return say("log.drew", lang, player=player, card=CODES[event.card])
    if event.kind == Event.TURN_ENDED:
        key = "log.tenth" if event.placed == MOST_PLACEMENTS else "log.stopped"
        return say(key, lang, player=player, placed=event.placed, bonus=bonus(event.steps, event.cards, lang))
    if event.kind == Event.OUT_OF_CARDS:
        return say("log.out_of_cards", lang, player=player)
    return say("ending.mural_complete", lang)


PLACED_FROM = {Source.HAND: "log.placed_hand", Source.ROW: "log.placed_row", Source.DECK: "log.placed_deck"}


def grouped(events: Sequence[GameEvent], kind: Event, value: str) -> list[tuple[int, list[GameEvent]]]:
    """The events of a kind by one of their values, in the order in which the values first occur."""
    groups: dict[int, list[GameEvent]] = {}
    for event in events:
        if event.kind == kind:
            groups.setdefault(getattr(event, value), []).append(event)
    return list(groups.items())


def seat_names(events: Sequence[GameEvent], lang: str) -> str:
    """The seats that some events concern."""
    return say("names.and", lang).join(seat_name(event.seat, lang) for event in events)


# --- What pieces are for --------------------------------------------------------------------------------------------


def explain(s: State, name: str, _viewer: int, lang: str) -> str:
    """What a sprite is for; "" if there is nothing to say about it."""
    kind, numbers = kind_and_numbers(name)
    track = next(
        (track for track in TRACKS if kind in (f"marker-{track}", f"lap-{track}", f"step-{track}", f"track-{track}")), ""
    )
    if track or kind.endswith("-points"):
        return explain_track(s, track or kind.split("-")[1], lang)
    if kind == "card":
        return explain_card(s, numbers[0], lang)
    if kind == "cell":
        return explain_area(s, AREA_OF[s.area_map][numbers[0]], lang)
    if kind[:-1] in ("badge-", "letter-"):
        return explain_area(s, AREAS.index(kind[-1]), lang)
    if kind.startswith("combo"):
        return say("explain.combo-table", lang, most=MOST_PLACEMENTS) + reconstruction_note(
            WORDS, COMPONENTS, "combo_table", lang
        )
    if kind == "deck" and s.step == Step.PLACE and s.placed == 0:
        return say("explain.deck-first", lang)
    unseen, missing = sets.count(s.unseen), sets.count_common(s.unseen, SHADOW[actions.shadowing(s)])
    return explained(WORDS, kind, lang, unseen=unseen, missing=missing)


def explain_card(s: State, card: int, lang: str) -> str:
    """A card: where it belongs, and what happens when it is placed."""
    area = AREA_OF[s.area_map][card]
    key = "explain.card-placed" if sets.has(s.wall, card) else "explain.card"
    said = say(key, lang, card=CODES[card], area=AREAS[area], value=AREA_VALUE[s.area_map][area])
    if not IS_ANKH[s.ankh_set][card]:
        return said
    return f"{said}\n{say('explain.card-ankh', lang)}" + reconstruction_note(
        WORDS, COMPONENTS, f"ankh_set.{ANKH_SETS[s.ankh_set]}", lang
    )


def explain_area(s: State, area: int, lang: str) -> str:
    """An area: what it is worth, and how many of its cells are empty."""
    cells = AREA_CELLS[s.area_map][area]
    whole = sets.count(cells)
    empty = whole - sets.count_common(cells, s.wall)
    said = say("explain.area", lang, area=AREAS[area], value=AREA_VALUE[s.area_map][area], cells=whole, empty=empty)
    return said + reconstruction_note(WORDS, COMPONENTS, f"area_map.{MAPS[s.area_map]}", lang)


def explain_track(s: State, track: str, lang: str) -> str:
    """A track: what moves markers on it, and the points at the end."""
    points = listed([str(n) for n in POINTS[s.track_points][TRACKS.index(track)][: s.players]], lang)
    table = f"track_points.{TRACK_POINTS[s.track_points]}"  # as a whole: some places of each track are reconstructed
    return say(f"explain.{track}-track", lang, points=points) + reconstruction_note(WORDS, COMPONENTS, table, lang)


# --- The wall as text -----------------------------------------------------------------------------------------------


def board(s: State, viewer: int, lang: str) -> str:
    """The table as plain text; the state is veiled for `viewer` already."""
    values = " ".join(f"{letter}{AREA_VALUE[s.area_map][area]}" for area, letter in enumerate(AREAS))
    row = numbers(sets.members(s.row)) or say("board.none", lang)
    over = s.step == Step.OVER
    heads = [say(f"board.{name}", lang) for name in (*TRACKS, "points", "hand")]
    lines = ["    " + "".join(f" {column}  " for column in range(10))]
    lines += [f"{row}x  " + "".join(cell(s, 10 * row + column) for column in range(10)) for row in range(10)]
    lines += [say("board.legend", lang), say("board.values", lang, values=values), ""]
    lines += [f"{say('board.deck', lang, count=s.deck)}   {say('board.row', lang, cards=row)}"]
    wide = max(10, *(width(seat_name(q, lang)) + 2 for q in range(s.players)))
    lines += ["  " + pad("", wide) + "".join(pad(head, 8) for head in heads)]
    lines += [("> " if q == s.turn and not over else "  ") + seat_line(s, q, wide, lang) for q in range(s.players)]
    lines += [headline(s, lang)]
    return "\n".join("  " + line if line else "" for line in lines)


def headline(s: State, lang: str) -> str:
    """Whose turn it is, or that the game is over."""
    return say("board.over", lang) if s.step == Step.OVER else say("board.turn", lang, player=seat_name(s.turn, lang))


def cell(s: State, card: int) -> str:
    """One cell of the wall: the card on it, or the letter of its area."""
    if sets.has(s.wall, card):
        mark = "*" if IS_ANKH[s.ankh_set][card] else " "
        return f"({card:02})" if s.pawn == card else f" {card:02}{mark}"
    shadow = "x" if s.step == Step.PLACE and actions.forbidden(s, card) else " "
    return f" {shadow}{AREAS[AREA_OF[s.area_map][card]]} "


def seat_line(s: State, q: int, wide: int, lang: str) -> str:
    """A player's name, `wide` columns, and markers, points and hand; a card that the viewer cannot see is `??`."""
    known = sets.members(s.hand[q])
    hidden = ["??"] * (actions.hand_size(s, q) - len(known))
    columns = (*(s.track[track][q] for track in range(len(TRACKS))), scoring.points(s, q))
    return pad(seat_name(q, lang), wide) + "".join(pad(str(n), 8) for n in columns) + (numbers(known, hidden) or "-")


def numbers(cards: Sequence[int], hidden: Sequence[str] = ()) -> str:
    """Cards by their numbers, then the hidden ones."""
    return " ".join([*(CODES[card] for card in cards), *hidden])


# --- What speaks for and against a move ---------------------------------------------------------------------------------

REASONS = ("for.safe", "against.risk", "for.stop", "for.ankh", "against.last_cell", "for.clear", "against.shadow")


def reasons(s: State, p: int, a: int, events: Sequence[GameEvent], after: State | None) -> list[tuple[str, dict[str, int | str]]]:
    """What is true of p's action, by the names of REASONS."""
    found: list[tuple[str, dict[str, int | str]]] = []
    if s.step == Step.PLACE and s.deck > 0 and s.placed > 0 and a in (actions.DRAW, actions.STOP):
        missing, unseen = sets.count_common(s.unseen, SHADOW[actions.shadowing(s)]), sets.count(s.unseen)
        risk: dict[str, int | str] = {"missing": missing, "unseen": unseen}
        if a == actions.DRAW:
            found.append(("against.risk" if missing else "for.safe", risk))
        elif missing:
            found.append(("for.stop", risk))
    for event in events:
        if event.kind == Event.ANKH and event.seat == p:
            found.append(("for.ankh", {}))
        elif event.kind == Event.PLACED and after is not None:
            area = AREA_OF[s.area_map][event.card]
            cells = AREA_CELLS[s.area_map][area]
            if sets.count(cells) - sets.count_common(cells, after.wall) == 1:
                found.append(("against.last_cell", {"area": AREAS[area], "value": AREA_VALUE[s.area_map][area]}))
            if after.turn == p and after.step == Step.PLACE and s.deck > 0:
                missing, unseen = sets.count_common(s.unseen, SHADOW[event.card]), sets.count(s.unseen)
                found.append(("against.shadow" if missing else "for.clear", {"missing": missing, "unseen": unseen}))
    return found
