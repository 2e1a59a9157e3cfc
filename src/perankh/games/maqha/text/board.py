"""The table of Maqha as text."""

from __future__ import annotations

from perankh.engine.api import sets
from perankh.engine.text import listed, pad, width

from ..rules import glass, rounds, scoring
from ..rules.components import CARD_KIND, CARD_POINTS, CARDS, FIRST_HALF, KINDS, LIQUIDS, PLACES, SLOTS, TRAY_ROWS
from ..rules.state import Hands, RuleSet, State, Step, Vessel
from .names import (
    SLOT_LETTERS,
    WORDS,
    bid_mark,
    capacity_text,
    card_name,
    lot_name,
    millimetres,
    reading_shown,
    seat_name,
    tokens_name,
)
from .outlooks import room_text
from .prompts import asked, waited_for

WIDEST = 98
ROUNDS = (CARDS + SLOTS - 1) // SLOTS
LETTERS = "o+A"  # coin, ankh, anubis

# --- The board ------------------------------------------------------------------------------------------------


def board(s: State, viewer: int, lang: str) -> str:
    """The whole table; `viewer` is marked among the seats."""
    lines = [*head(s, lang), "", *seats(s, viewer, lang)]
    if s.rules == RuleSet.ADVANCED:
        lines += ["", *slots(s, lang)]
    lines += ["", *vessel(s, viewer, lang)]
    if s.step != Step.OVER:
        lines += ["", asked(s, viewer, lang)]
    return "\n".join(row.rstrip() for line in lines for row in wrapped(line, lang))


def wrapped(line: str, lang: str) -> list[str]:
    """A line that is too long, broken after commas and indented."""
    rows = [""]
    comma = "、" if lang == "ja" else ", "
    for part in line.split(comma) if width(line) > WIDEST else [line]:
        joint = rows[-1] + comma + part if rows[-1] else part
        if width(joint) > WIDEST:
            rows[-1] += comma
            joint = "      " + part
            rows.append("")
        rows[-1] = joint
    return rows


def vessel_name(s: State, lang: str) -> str:
    """What takes the tokens."""
    if s.real_vessel:
        return WORDS.say("board.own_tray" if s.vessel == Vessel.TRAY else "board.own_glass", lang)
    if s.vessel == Vessel.TRAY:
        return WORDS.say("board.tray", lang)
    return WORDS.say("board.glass", lang, liquid=WORDS.say(f"option.liquid.{LIQUIDS[glass.liquid_of(s)]}", lang))


def head(s: State, lang: str) -> list[str]:
    """Rules, vessel, round, and the options that are not the usual ones."""
    name = vessel_name(s, lang)
    if s.rules == RuleSet.CLASSIC:
        lines = [WORDS.say("board.classic", lang, vessel=name)]
    else:
        lines = [WORDS.say("board.advanced", lang, vessel=name, round=rounds.number_of(s), rounds=ROUNDS)]
    changed = options_in_force(s, lang)
    return [*lines, WORDS.say("board.options", lang, options=listed(changed, lang))] if changed else lines


def options_in_force(s: State, lang: str) -> list[str]:
    """The options in force that change something, in words."""
    if s.rules == RuleSet.CLASSIC:
        names = ["classic_limit"]
    else:
        names = ["hands", "hand_tie", "proxy_limit", "double_without_spill", "tie_cards"]
        names += ["hand_window"] if s.hands == Hands.LIVE else []
    if glass.is_used(s):
        names += ["rim_line", *(f"steadiness_{p}" for p in range(s.players))]
    texts = []
    for name in names:
        option = s.options[name]
        stored = getattr(s, name)
        if option.shown(stored) == option.default:
            continue
        title = WORDS.say(f"option.{name}.name", lang)
        if option.kind == "flag":
            texts.append(WORDS.say("board.on" if stored else "board.off", lang, option=title))
        else:
            texts.append(WORDS.say("board.value", lang, option=title, value=option_value(name, option.shown(stored), lang)))
    return texts


def option_value(name: str, value: str | int, lang: str) -> str:
    """The value of an option in words."""
    if isinstance(value, str):
        return WORDS.say(f"option.{name}.{value}", lang)
    return WORDS.say(f"option.{name}.unit", lang, n=State.options[name].in_units(value))


def seats(s: State, viewer: int, lang: str) -> list[str]:
    """A line for each seat: points, cards, hand, and what it is doing."""
    names = [f" {'>' if p in waited_for(s) else ' '} {seat_name(p, lang)}" for p in range(s.players)]
    ends = [listed(notes(s, p, viewer, lang), lang) for p in range(s.players)]
    if s.rules == RuleSet.CLASSIC:
        return [pad(name, max(11, *(2 + width(other) for other in names))) + end for name, end in zip(names, ends, strict=True)]
    heads = ["", *(WORDS.say(f"board.{key}", lang) for key in ("points", "sets"))]
    heads += [*(WORDS.say(f"kind.{kind}", lang) for kind in KINDS), WORDS.say("board.hand", lang), ""]
    rows = [heads]
    for p in range(s.players):
        cards = [cards_banked(s, p, kind) for kind in range(len(KINDS))]
        rows.append([names[p], str(scoring.points(s, p)), str(scoring.complete_sets(s, p)), *cards, hand(s, p, lang), ends[p]])
    wide = [max(width(row[column]) for row in rows) + 2 for column in range(len(heads))]
    lines = ["".join(pad(text, columns) for text, columns in zip(row, wide, strict=True)) for row in rows]
    return [*lines, "   " + WORDS.say("board.last", lang)] if any(s.last_lot) else lines


def cards_banked(s: State, p: int, kind: int) -> str:
    """The points of the cards of a kind that p has banked; the last lot with an asterisk."""
    cards = [card for card in sets.members(s.banked[p]) if CARD_KIND[card] == kind]
    texts = [f"{CARD_POINTS[card]}{'*' if sets.has(s.last_lot, card) else ''}" for card in cards]
    return (" " if len(texts) < 5 else "").join(texts) or "-"


def hand(s: State, p: int, lang: str) -> str:
    """The bid cards of which everybody knows that p has them in hand."""
    return " ".join(bid_mark(card, lang) for card in known_hand(s, p))


def known_hand(s: State, p: int) -> list[int]:
    """The bid cards of which everybody knows that p has not shown them in this round."""
    sealed = {card for card in s.order[p][s.face_up : s.fixed[p]] if card}
    return sorted(sealed.union(sets.members(s.hand[p])))


def notes(s: State, p: int, viewer: int, lang: str) -> list[str]:
    """What else is to say of a seat."""
    texts = [WORDS.say("board.you", lang)] if p == viewer else []
    if s.step == Step.OVER:
        texts.append(WORDS.say("board.place", lang, rank=scoring.place_of(s, p)))
        return [*texts, WORDS.say("board.lost", lang)] if p == s.spiller else texts
    if p == s.thrower:
        texts.append(WORDS.say("board.turn" if s.rules == RuleSet.CLASSIC else "board.throws", lang))
    if s.step == Step.HANDS and sets.has(s.answered, p):
        texts.append(WORDS.say("board.answered", lang))
    return texts


# --- Slots ----------------------------------------------------------------------------------------------------

WIDE = 17


def slots(s: State, lang: str) -> list[str]:
    """The slots of the round with card, bids and winner, and the cards that lie elsewhere."""
    names = [card_name(s.deck[s.dealt - s.slots + k], lang) for k in range(s.slots)]
    rows = [["", *SLOT_LETTERS[: s.slots]], [WORDS.say("board.lot", lang), *names]]
    rows += [[seat_name(p, lang), *(bid_shown(s, p, k, lang) for k in range(s.slots))] for p in range(s.players)]
    if s.face_up:
        rows.append([WORDS.say("board.won", lang), *(slot_result(s, k, lang) for k in range(s.slots))])
    lines = [*slot_lines(rows), *riding(s, lang)]
    for cards, key in ((s.carried, "board.carried"), (s.aside, "board.aside"), (s.failed, "board.failed")):
        if any(cards):
            lines.append("   " + WORDS.say(key, lang, lot=lot_name(cards, lang)))
    return [*lines, "   " + WORDS.say("board.deck", lang, n=CARDS - s.dealt)]


def slot_lines(rows: list[list[str]]) -> list[str]:
    """Rows of a head and what it has for each slot, with a gap between C and D."""
    head = max(8, *(width(row[0]) + 2 for row in rows))
    wide = max(WIDE, *(width(text) + 1 for row in rows for text in row[1:]))
    bars = ["| " if k == FIRST_HALF else "" for k in range(len(rows[0]) - 1)]
    lines = []
    for first, *texts in rows:
        lines.append("   " + pad(first, head) + "".join(bar + pad(text, wide) for bar, text in zip(bars, texts, strict=True)))
    return lines


def bid_shown(s: State, p: int, k: int, lang: str) -> str:
    """A bid: face up, face down but known in brackets, face down, or not made yet."""
    if k >= s.fixed[p]:
        return "."
    text = bid_mark(s.order[p][k], lang) if s.order[p][k] else "?"
    return text if k < s.face_up else f"({text})"


def slot_result(s: State, k: int, lang: str) -> str:
    """Who won a slot, and who threw for the winner."""
    if k >= s.face_up:
        return "."
    if s.winner[k] < 0:
        return WORDS.say("board.nobody", lang)
    if s.proxy[k] >= 0:
        return WORDS.say("board.proxy", lang, who=seat_name(s.proxy[k], lang), passer=seat_name(s.winner[k], lang))
    return seat_name(s.winner[k], lang)


def riding(s: State, lang: str) -> list[str]:
    """Lots of several cards that are not thrown yet."""
    several = [k for k in range(s.slots) if sets.count(s.lot[k]) > 1]
    return [f"   {SLOT_LETTERS[k]} = {lot_name(s.lot[k], lang)}" for k in several]


# --- Vessels --------------------------------------------------------------------------------------------------

INNER = 24  # width of the glass in characters
MOST_ROWS = 5  # millimetres of dome that are drawn


def vessel(s: State, viewer: int, lang: str) -> list[str]:
    """The glass or the tray, with the tokens in it, in hand and left."""
    facts = []
    if glass.is_used(s):
        reading = millimetres(reading_shown(s))
        facts.append(WORDS.say("board.reading", lang, reading=reading, error=millimetres(s.reading_error)))
        if s.rim_line:
            facts.append(WORDS.say(f"sign.{s.sign}", lang))
        facts.append(capacity_text(s, s.vcrit, lang) if s.step == Step.OVER else room_text(s, max(viewer, 0), lang))
    facts.append(WORDS.say("board.inside", lang, tokens=tokens_name(s.inside, lang)))
    if sum(s.to_go):
        facts.append(WORDS.say("board.to_go", lang, tokens=tokens_name(s.to_go, lang)))
    facts.append(WORDS.say("board.supply", lang, tokens=tokens_name(s.supply, lang)))
    if s.real_vessel:
        return ["   " + fact for fact in facts]
    if s.vessel == Vessel.TRAY:
        return [*tray_picture(s), *("   " + fact for fact in [WORDS.say("board.scale", lang), *facts])]
    picture = glass_picture(s, lang)
    beside = [""] * max(0, len(picture) - len(facts)) + facts
    picture = [""] * (len(beside) - len(picture)) + picture
    if s.step == Step.OVER:
        return [*picture, *("   " + fact for fact in facts)]
    return [pad(left, INNER + 12) + right for left, right in zip(picture, beside, strict=True)]


def glass_picture(s: State, lang: str) -> list[str]:
    """The dome as it was read last, a row a millimetre, over the glass with its tokens (MAQ-G15)."""
    reading = reading_shown(s)
    lines = []
    for row in range(MOST_ROWS - 1, -1, -1):
        if reading > 1000 * row:
            inset = 1 + 2 * row
            surface = reading <= 1000 * (row + 1)
            lines.append(f"{row + 1:>4} mm  " + " " * inset + ("~" if surface else ".") * (INNER + 2 - 2 * inset))
    tokens = "".join(LETTERS[kind] * s.inside[kind] for kind in range(len(KINDS)))
    below_rim = "." if reading > 0 else "~"
    lines.append(pad(" " + WORDS.say("board.rim", lang), 9) + "|" + below_rim * INNER + "|")
    lines.append(pad("", 9) + "|" + "." * INNER + "|")
    for first in range(max(0, (len(tokens) - 1) // INNER) * INNER, -1, -INNER):
        lines.append(pad("", 9) + "|" + f"{tokens[first : first + INNER]:.^{INNER}}" + "|")
    lines.append(pad("", 9) + "+" + "-" * INNER + "+")
    return lines


def tray_picture(s: State) -> list[str]:
    """The cells of the tray with number, height and topmost token."""
    cells = {place: cell for cell, place in enumerate(PLACES)}
    lines = []
    for row in range(TRAY_ROWS):
        line = "   "
        for column in range(TRAY_ROWS):
            cell = cells.get((row, column))
            line += " " * 14 if cell is None else cell_text(s, cell)
        lines.append(line)
    return lines


def cell_text(s: State, cell: int) -> str:
    """One cell of the tray."""
    top = LETTERS[s.top[cell] - 1] if s.top[cell] else " "
    height = f"{s.height[cell] / 2:4.1f}" if s.height[cell] else "   -"
    return f"{cell:>2} [{height} {top}]   "
