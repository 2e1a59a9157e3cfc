"""The table of Maqha as text, and the names of things on it."""

from __future__ import annotations

from pathlib import Path

from perankh.engine.api import Words
from perankh.engine.text import listed, pad, width

from .rules import actors
from .scoring import points, ranks, sets
from .table import (
    ASIDE,
    BANKED,
    CARD_KIND,
    CARD_POINTS,
    CARD_TOKENS,
    CARDS,
    CARRIED,
    EYE,
    FAILED,
    FIRST_HALF,
    HANDS,
    KINDS,
    OVER,
    PLACES,
    SEATS,
    SLOTS,
    STEPS,
    TRAY_ROWS,
    State,
    has_glass,
    holds,
    in_lot,
    is_classic,
    liquid_of,
    on_tray,
)

WORDS = Words(Path(__file__).with_name("words.toml"))
SLOT_LETTERS = "ABCDE"
WIDEST = 98
LETTERS = "o+A"  # coin, ankh, anubis
LIQUID_NAMES = ("water", "mix", "whisky")

# --- Names ----------------------------------------------------------------------------------------------------


def seat_name(p: int, lang: str) -> str:
    """The colour of a seat."""
    return WORDS.say(f"seat.{p}", lang)


def joined(texts: list[str], lang: str) -> str:
    """Several texts with commas between."""
    return listed(texts, lang)


def bid_name(card: int, lang: str) -> str:
    """The name of a bid card."""
    return WORDS.say("thing.eye", lang) if card == EYE else WORDS.say("thing.number", lang, number=card)


def card_name(card: int, lang: str) -> str:
    """The name of a score card: kind and points."""
    return WORDS.say("thing.card", lang, kind=WORDS.say(f"kind.{KINDS[CARD_KIND[card]]}", lang), points=CARD_POINTS[card])


def tokens_name(numbers: list[int], lang: str) -> str:
    """So many tokens of each kind."""
    texts = [
        WORDS.say(f"tokens.{KINDS[kind]}_{'one' if n == 1 else 'many'}", lang, n=n) for kind, n in enumerate(numbers) if n > 0
    ]
    return joined(texts, lang) if texts else WORDS.say("tokens.none", lang)


def millimetres(micrometres: int) -> str:
    """A height in millimetres with two decimals (MAQ-G14)."""
    return f"{micrometres / 1000:.2f}"


def cards_at(s: State, slot: int) -> list[int]:
    """The cards of the lot of a slot."""
    return [card for card in range(CARDS) if in_lot(s, card, slot)]


def lot_of_slot(s: State, slot: int, lang: str) -> str:
    """The lot of a slot in words."""
    return joined([card_name(card, lang) for card in cards_at(s, slot)], lang)


def tokens_of_lot(s: State) -> list[int]:
    """The tokens of the lot that is to be thrown, as far as the supply has them."""
    wanted = [0] * len(KINDS)
    for card in cards_at(s, s.slot):
        wanted[CARD_KIND[card]] += CARD_TOKENS[card]
    return [min(n, left) for n, left in zip(wanted, s.supply, strict=True)]


def prompt(s: State, p: int, lang: str) -> str:
    """What p has to decide now."""
    slot = min(s.fixed[p], SLOTS - 1)
    step = STEPS[s.step]
    return WORDS.say(
        f"prompt.{step}",
        lang,
        slot=SLOT_LETTERS[slot],
        lot=lot_of_slot(s, slot if step == "bid" else s.slot, lang),
        tokens=tokens_name(tokens_of_lot(s) if step in ("decide", "hands") else s.to_go, lang),
        who=seat_name(s.thrower, lang) if step == "hands" else "",
        kind=WORDS.say(f"kind.{KINDS[s.kind]}", lang),
    )


# --- The board ------------------------------------------------------------------------------------------------


def board(s: State, viewer: int, lang: str) -> str:
    """The whole table; `viewer` is marked among the seats."""
    lines = [*head(s, lang), "", *seats(s, viewer, lang)]
    if not is_classic(s):
        lines += ["", *slots(s, lang)]
    lines += ["", *vessel(s, lang)]
    if s.step != OVER:
        lines += ["", *asked(s, viewer, lang)]
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
        return WORDS.say("board.own_tray" if on_tray(s) else "board.own_glass", lang)
    if on_tray(s):
        return WORDS.say("board.tray", lang)
    return WORDS.say("board.glass", lang, liquid=WORDS.say(f"option.liquid.{LIQUID_NAMES[liquid_of(s)]}", lang))


def head(s: State, lang: str) -> list[str]:
    """Rules, vessel, round, and the options that are not the usual ones."""
    name = vessel_name(s, lang)
    rounds = (CARDS + SLOTS - 1) // SLOTS
    if is_classic(s):
        lines = [WORDS.say("board.classic", lang, vessel=name)]
    else:
        lines = [WORDS.say("board.advanced", lang, vessel=name, round=(s.dealt + SLOTS - 1) // SLOTS, rounds=rounds)]
    told = options_told(s, lang)
    return [*lines, WORDS.say("board.options", lang, options=joined(told, lang))] if told else lines


def options_told(s: State, lang: str) -> list[str]:
    """The options in force that change something, in words."""
    if is_classic(s):
        names = ["classic_limit"]
    else:
        names = ["hands", "hand_tie", "proxy_limit", "double_without_spill", "tie_cards"]
        names += ["hand_window"] if s.hands else []
    if has_glass(s):
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
            value = WORDS.say(f"option.{name}.{option.shown(stored)}", lang) if option.kind == "choice" else str(stored)
            texts.append(WORDS.say("board.value", lang, option=title, value=value))
    return texts


def seats(s: State, viewer: int, lang: str) -> list[str]:
    """A line for each seat: points, cards, hand, and what it is doing."""
    places = [0] * SEATS
    ranks(s, places)
    names = [f" {'>' if actors(s) >> p & 1 else ' '} {seat_name(p, lang)}" for p in range(s.players)]
    ends = [joined(notes(s, p, viewer, places[p], lang), lang) for p in range(s.players)]
    if is_classic(s):
        return [pad(name, 11) + end for name, end in zip(names, ends, strict=True)]
    heads = ["", *(WORDS.say(f"board.{key}", lang) for key in ("points", "sets"))]
    heads += [*(WORDS.say(f"kind.{kind}", lang) for kind in KINDS), WORDS.say("board.hand", lang), ""]
    rows = [heads]
    for p in range(s.players):
        cards = [cards_banked(s, p, kind) for kind in range(len(KINDS))]
        rows.append([names[p], str(points(s, p)), str(sets(s, p)), *cards, hand(s, p), ends[p]])
    wide = [max(width(row[column]) for row in rows) + 2 for column in range(len(heads))]
    lines = ["".join(pad(text, columns) for text, columns in zip(row, wide, strict=True)) for row in rows]
    return [*lines, "   " + WORDS.say("board.last", lang)] if s.last_lot else lines


def cards_banked(s: State, p: int, kind: int) -> str:
    """The points of the cards of a kind that p has banked; the last lot with an asterisk."""
    cards = [card for card in range(CARDS) if s.place[card] == BANKED + p and CARD_KIND[card] == kind]
    texts = [f"{CARD_POINTS[card]}{'*' if s.last_lot >> card & 1 else ''}" for card in cards]
    return (" " if len(texts) < 5 else "").join(texts) or "-"


def hand(s: State, p: int) -> str:
    """The bid cards of which everybody knows that p has them in hand; the Eye is E."""
    shown = s.copy()
    shown.fixed[p] = min(s.fixed[p], s.shown)
    return " ".join("E" if card == EYE else str(card) for card in range(1, EYE + 1) if holds(shown, p, card))


def notes(s: State, p: int, viewer: int, place: int, lang: str) -> list[str]:
    """What else is to say of a seat."""
    texts = [WORDS.say("board.you", lang)] if p == viewer else []
    if s.step == OVER:
        texts.append(WORDS.say("board.place", lang, rank=place))
        return [*texts, WORDS.say("board.lost", lang)] if p == s.spiller else texts
    if p == s.thrower:
        texts.append(WORDS.say("board.turn" if is_classic(s) else "board.throws", lang))
    if s.step == HANDS and s.answered >> p & 1:
        texts.append(WORDS.say("board.answered", lang))
    return texts


# --- Slots ----------------------------------------------------------------------------------------------------

WIDE = 17


def slots(s: State, lang: str) -> list[str]:
    """The slots of the round with card, bids and winner, and the cards that lie elsewhere."""
    cards = [card_name(s.deck[s.dealt - s.slots + k], lang) for k in range(s.slots)]
    lines = [slot_line("", list(SLOT_LETTERS[: s.slots])), slot_line(WORDS.say("board.lot", lang), cards)]
    for p in range(s.players):
        lines.append(slot_line(seat_name(p, lang), [bid_shown(s, p, k) for k in range(s.slots)]))
    if s.shown:
        lines.append(slot_line(WORDS.say("board.won", lang), [slot_result(s, k, lang) for k in range(s.slots)]))
    lines += riding(s, lang)
    for place, key in ((CARRIED, "board.carried"), (ASIDE, "board.aside"), (FAILED, "board.failed")):
        there = [card_name(card, lang) for card in range(CARDS) if s.place[card] == place]
        if there:
            lines.append("   " + WORDS.say(key, lang, lot=joined(there, lang)))
    return [*lines, "   " + WORDS.say("board.deck", lang, n=CARDS - s.dealt)]


def slot_line(head: str, texts: list[str]) -> str:
    """A line of the slots, with a gap between C and D."""
    line = pad("   " + head, 11)
    for k, text in enumerate(texts):
        line += ("| " if k == FIRST_HALF else "") + pad(text, WIDE)
    return line


def bid_shown(s: State, p: int, k: int) -> str:
    """A bid: face up, face down but known in brackets, face down, or not made yet."""
    if k >= s.fixed[p]:
        return "."
    text = "E" if s.order[p][k] == EYE else str(s.order[p][k] or "?")
    return text if k < s.shown else f"({text})"


def slot_result(s: State, k: int, lang: str) -> str:
    """Who won a slot, and who threw for the winner."""
    if k >= s.shown:
        return "."
    if s.winner[k] < 0:
        return WORDS.say("board.nobody", lang)
    if s.proxy[k] >= 0:
        return WORDS.say("board.proxy", lang, who=seat_name(s.proxy[k], lang), passer=seat_name(s.winner[k], lang))
    return seat_name(s.winner[k], lang)


def riding(s: State, lang: str) -> list[str]:
    """Lots of several cards that are not thrown yet."""
    lines = []
    for k in range(s.slots):
        if len(cards_at(s, k)) > 1:
            lines.append(f"   {SLOT_LETTERS[k]} = {lot_of_slot(s, k, lang)}")
    return lines


# --- Vessels --------------------------------------------------------------------------------------------------

INNER = 24  # width of the glass in characters
MOST_ROWS = 5  # millimetres of dome that are drawn


def vessel(s: State, lang: str) -> list[str]:
    """The glass or the tray, with the tokens in it, in hand and left."""
    facts = []
    if has_glass(s):
        reading = millimetres(s.reading[s.readings - 1])
        facts.append(WORDS.say("board.reading", lang, reading=reading, error=millimetres(s.reading_error)))
        facts.append(WORDS.say("board.measures", lang, added=s.added, wave=s.wave))
        facts.append(WORDS.say("board.peak", lang, peak=s.peak))
        if s.rim_line:
            facts.append(WORDS.say(f"then.sign.{s.sign}", lang))
        if s.step == OVER:
            facts.append(WORDS.say("then.secret", lang, v0=s.v0, vcrit=s.vcrit))
    facts.append(WORDS.say("board.inside", lang, tokens=tokens_name(s.inside, lang)))
    if sum(s.to_go):
        facts.append(WORDS.say("board.to_go", lang, tokens=tokens_name(s.to_go, lang)))
    facts.append(WORDS.say("board.supply", lang, tokens=tokens_name(s.supply, lang)))
    if s.real_vessel:
        return ["   " + fact for fact in facts]
    if on_tray(s):
        return [*tray_picture(s), *("   " + fact for fact in [WORDS.say("board.scale", lang), *facts])]
    picture = glass_picture(s, lang)
    told = [""] * max(0, len(picture) - len(facts)) + facts
    picture = [""] * (len(told) - len(picture)) + picture
    if s.step == OVER:
        return [*picture, *("   " + fact for fact in facts)]
    return [pad(left, INNER + 12) + right for left, right in zip(picture, told, strict=True)]


def glass_picture(s: State, lang: str) -> list[str]:
    """The dome as it was read last, a row a millimetre, over the glass with its tokens (MAQ-G15)."""
    reading = s.reading[s.readings - 1]
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


def asked(s: State, viewer: int, lang: str) -> list[str]:
    """What the viewer has to decide, and who else is waited for."""
    waiting = [p for p in range(s.players) if actors(s) >> p & 1]
    if viewer in waiting:
        return [WORDS.say("board.asked", lang, who=seat_name(viewer, lang), prompt=prompt(s, viewer, lang))]
    lines = [WORDS.say("board.waiting", lang, who=joined([seat_name(p, lang) for p in waiting], lang))]
    if len(waiting) == 1 and s.step != HANDS:
        p = waiting[0]
        lines = [WORDS.say("board.asked", lang, who=seat_name(p, lang), prompt=prompt(s, p, lang))]
    return lines
