"""What a person sees of Nile Mural: notation, sentences, and the wall as text."""

from __future__ import annotations

from pathlib import Path

from perankh.engine.api import Words
from perankh.engine.text import pad

from .rules import (
    AREA,
    AREA_OF,
    AREA_VALUE,
    AREAS,
    CARDS,
    COMBO,
    COMBO_CARDS,
    COMBO_STEPS,
    DRAW,
    HAND,
    IS_ANKH,
    MISS,
    MOST_PLACEMENTS,
    OPEN,
    OVER,
    PLACE,
    ROW,
    SHEET,
    STOP,
    TAKE,
    UNSEEN,
    State,
    anything_to_take,
    forbidden,
    hand_size,
    points,
)

WORDS = Words(Path(__file__).with_name("words.toml"))
CODES = (*(f"{card:02}" for card in range(CARDS)), "deck", "stop")


def seat_name(p: int, lang: str) -> str:
    """The colour of a seat."""
    return WORDS.say(f"seat.{p}", lang)


def prompt(s: State, p: int, lang: str) -> str:
    """What p has to decide now."""
    player = seat_name(p, lang)
    if s.step == TAKE:
        return (
            WORDS.say("prompt.combo", lang, player=player, count=s.takes)
            if s.ending_turn
            else WORDS.say("prompt.ankh", lang, player=player)
        )
    if s.placed == 0:
        return WORDS.say("prompt.first", lang, player=player)
    return WORDS.say("prompt.next", lang, player=player, count=s.placed + 1, pawn=CODES[s.pawn])


def bonus(s: State, placed: int, lang: str) -> str:
    """The combo bonus for a number of cards, in words."""
    steps = COMBO_STEPS[s.combo_table][placed - 1]
    cards = min(COMBO_CARDS[s.combo_table][placed - 1], s.deck + sum(where == ROW for where in s.where))
    if steps and cards:
        return WORDS.say("bonus.both", lang, steps=steps, cards=cards)
    if steps:
        return WORDS.say("bonus.steps", lang, steps=steps)
    return WORDS.say("bonus.cards", lang, cards=cards) if cards else WORDS.say("bonus.nothing", lang)


def sentence(s: State, p: int, a: int, lang: str) -> str:
    """What choosing `a` means."""
    if a == STOP:
        return WORDS.say("say.stop", lang, count=s.placed, bonus=bonus(s, s.placed, lang))
    if s.step == TAKE:
        return WORDS.say("say.take_deck", lang) if a == DRAW else WORDS.say("say.take_row", lang, card=CODES[a])
    if a == DRAW:
        unseen = [card for card in range(CARDS) if s.where[card] == UNSEEN]
        bad = sum(forbidden(s, card) for card in unseen)
        return WORDS.say("say.place_deck_risk", lang, bad=bad, all=len(unseen)) if bad else WORDS.say("say.place_deck", lang)
    return WORDS.say("say.place_row" if s.where[a] == ROW else "say.place_hand", lang, card=CODES[a])


def told(before: State, after: State, p: int, a: int, lang: str) -> str:
    """What happened, as far as the viewer of both states may know."""
    lines = [told_take(before, after, p, a, lang)] if before.step == TAKE else told_place(before, after, p, a, lang)
    if after.step == OVER:
        lines.append(WORDS.say("ending.mural_complete", lang).rstrip(".。"))
    elif after.step == PLACE and after.placed == 0 and not anything_to_take(after):
        q = (p + 1) % after.players
        while q != after.turn:
            lines.append(WORDS.say("told.skipped", lang, player=seat_name(q, lang)))
            q = (q + 1) % after.players
    return ("; " if lang == "en" else "。").join(lines) + ("." if lang == "en" else "。")


def told_take(before: State, after: State, p: int, a: int, lang: str) -> str:
    """A card was taken; only its taker sees which one came from the deck."""
    player = seat_name(p, lang)
    if a != DRAW:
        return WORDS.say("told.take_row", lang, player=player, card=CODES[a])
    for card in range(CARDS):
        if before.where[card] == UNSEEN and after.where[card] == HAND + p:
            return WORDS.say("told.take_deck_seen", lang, player=player, card=CODES[card])
    return WORDS.say("told.take_deck", lang, player=player)


def told_place(before: State, after: State, p: int, a: int, lang: str) -> list[str]:
    """A card was placed or missed, or the turn was ended."""
    player = seat_name(p, lang)
    if a == STOP:
        return [WORDS.say("told.stop", lang, player=player, count=before.placed, bonus=bonus(before, before.placed, lang))]
    card = next(card for card in range(CARDS) if before.where[card] != after.where[card] and after.where[card] in (SHEET, ROW))
    if after.where[card] == ROW:
        pawn, value = CODES[before.pawn], after.track[MISS][p]
        return [WORDS.say("told.miss", lang, player=player, card=CODES[card], pawn=pawn, value=value)]
    source = "deck" if a == DRAW else "row" if before.where[card] == ROW else "hand"
    lines = [WORDS.say(f"told.{source}", lang, player=player, card=CODES[card])]
    gained = after.track[AREA][p] - before.track[AREA][p]
    if gained:
        lines.append(WORDS.say("told.area", lang, area=AREAS[AREA_OF[after.area_map][card]], value=gained))
    if after.step == TAKE and not after.ending_turn:
        lines.append(WORDS.say("told.ankh", lang))
    elif before.placed + 1 == MOST_PLACEMENTS:
        lines.append(WORDS.say("told.tenth", lang, bonus=bonus(before, MOST_PLACEMENTS, lang)))
    return lines


def refusal(s: State, p: int, a: int, lang: str) -> str:
    """Why `a` is not open to p now."""
    if a == STOP:
        return WORDS.say("no.must_take" if s.step == TAKE else "no.pass", lang)
    if a == DRAW:
        return WORDS.say("no.deck_empty", lang)
    if s.where[a] == SHEET:
        return WORDS.say("no.on_sheet", lang, card=CODES[a])
    if s.step == TAKE:
        return WORDS.say("no.take_row_only", lang, card=CODES[a])
    if s.where[a] in (ROW, HAND + p, OPEN + p):
        return WORDS.say("no.shadow", lang, card=CODES[a], pawn=CODES[s.pawn])
    return WORDS.say("no.not_yours", lang, card=CODES[a])


# --- The wall as text -----------------------------------------------------------------------------------------------


def cell(s: State, card: int) -> str:
    """One cell of the wall: the card on it, or the letter of its area."""
    if s.where[card] == SHEET:
        mark = "*" if IS_ANKH[s.ankh_set][card] else " "
        return f"({card:02})" if s.pawn == card else f" {card:02}{mark}"
    shadow = "x" if s.step == PLACE and forbidden(s, card) else " "
    return f" {shadow}{AREAS[AREA_OF[s.area_map][card]]} "


def hand_text(s: State, q: int) -> str:
    """A hand as the viewer knows it; a card the viewer cannot see is `??`."""
    known = [f"{card:02}" for card in range(CARDS) if s.where[card] in (HAND + q, OPEN + q)]
    return " ".join(known + ["??"] * (hand_size(s, q) - len(known))) or "-"


def board(s: State, viewer: int, lang: str) -> str:
    """The table as plain text; the state is veiled for `viewer` already."""
    lines = ["      " + "".join(f" {column}  " for column in range(10))]
    lines += [f"  {row}x  " + "".join(cell(s, 10 * row + column) for column in range(10)) for row in range(10)]
    legend = WORDS.say("board.legend", lang)
    values = " ".join(f"{letter}{AREA_VALUE[s.area_map][area]}" for area, letter in enumerate(AREAS))
    row = " ".join(f"{card:02}" for card in range(CARDS) if s.where[card] == ROW) or WORDS.say("board.none", lang)
    lines += [f"  {legend}", f"  {WORDS.say('board.values', lang, values=values)}", ""]
    lines.append(f"  {WORDS.say('board.deck', lang, count=s.deck)}   {WORDS.say('board.row', lang, cards=row)}")
    heads = [WORDS.say(f"board.{name}", lang) for name in ("combo", "area", "miss", "points", "hand")]
    lines.append("    " + pad("", 10) + "".join(pad(head, 8) for head in heads))
    for q in range(s.players):
        marker = "> " if q == s.turn and s.step != OVER else "  "
        numbers = (s.track[COMBO][q], s.track[AREA][q], s.track[MISS][q], points(s, q))
        lines.append(f"  {marker}{pad(seat_name(q, lang), 10)}" + "".join(pad(str(n), 8) for n in numbers) + hand_text(s, q))
    lines.append(
        "  "
        + (WORDS.say("board.over", lang) if s.step == OVER else WORDS.say("board.turn", lang, player=seat_name(s.turn, lang)))
    )
    return "\n".join(lines)
