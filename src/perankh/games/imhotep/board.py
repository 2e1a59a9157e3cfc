"""The table of Imhotep as plain text for a terminal, at most 100 columns wide."""

from __future__ import annotations

from perankh.engine.text import listed, pad
from perankh.engine.text import width as columns_of

from .cards import hidden_kind
from .possible import load_of, minimum
from .scoring import slot_points
from .speech import LETTERS, SHIP_LETTERS, WORDS, card_list, card_name, pyramid_name, seat_name, site_name
from .table import (
    BONUS,
    BURIAL,
    BURIAL_ROOM,
    BY_SHIP,
    CAPACITY,
    FACE_DOWN,
    GONE,
    MAIN,
    MARKET,
    OBELISK,
    OBELISK_STONES,
    OBELISKS,
    OVER,
    PAIR,
    PAIR_SLOT,
    PRINTED_COLUMNS,
    PYRAMID,
    PYRAMID_A,
    PYRAMID_B,
    PYRAMID_CELLS,
    PYRAMIDS,
    REDS,
    REJECTED,
    ROUNDS,
    ROWS,
    SECRET,
    SHIPS,
    SIDE_B,
    SITES,
    SLED,
    SLOTS,
    STEPS,
    TEMPLE,
    TEMPLE_CARD,
    TEMPLE_POINTS,
    TEMPLE_STONES,
    WAITING,
    State,
    beside_stones,
    capacity,
    placed,
    visible,
    width,
)

WIDEST = 100
LEFT, GAP = 46, 3  # the left column of blocks
BONUS_MARKS = ("", "c", "s", "l")


def board(s: State, viewer: int, lang: str) -> str:
    """The whole table; `viewer` is marked among the seats."""
    lines = [*head(s, lang), ""]
    lines += abreast(ships(s, lang), market(s, lang))
    lines += ["", *abreast(pyramid(s, lang), temple(s, lang))]
    lines += ["", *abreast(burial(s, lang), obelisk(s, lang))]
    lines += ["", *seats(s, viewer, lang), "", *piles(s, lang)]
    if s.step != OVER:
        ship = SHIP_LETTERS[s.ship - 1] if s.ship else ""
        prompt = WORDS.say(f"prompt.{STEPS[s.step]}", lang, ship=ship, cell=s.cell)
        lines += ["", WORDS.say("board.asked", lang, who=seat_name(s.chooser, lang), prompt=prompt)]
    return "\n".join(line.rstrip() for line in lines)


def abreast(left: list[str], right: list[str]) -> list[str]:
    """Two blocks side by side."""
    height = max(len(left), len(right))
    left, right = left + [""] * (height - len(left)), right + [""] * (height - len(right))
    return [pad(one, LEFT) + " " * GAP + other for one, other in zip(left, right, strict=True)]


def wrapped(title: str, items: list[str], lang: str) -> list[str]:
    """A title and a list, continued on further lines where it grows too wide."""
    lines, line = [], title
    indent = " " * columns_of(title)
    for i, item in enumerate(items):
        piece = item + ("" if i == len(items) - 1 else "、" if lang == "ja" else ", ")
        if columns_of(line + piece.rstrip()) > WIDEST:
            lines.append(line)
            line = indent
        line += piece
    return [*lines, line]


def letter(stone: int, empty: str = ".") -> str:
    """A stone as the letter of its owner."""
    return LETTERS[stone - 1] if stone else empty


def heading(s: State, site: int, lang: str) -> str:
    """The name of a site with its side."""
    side = "AB"[getattr(s, f"{SITES[site]}_side")]
    name = site_name(site, lang)
    return WORDS.say("board.site", lang, site=name[0].upper() + name[1:], side=side)


# --- Head, ships and market -------------------------------------------------------------------------------------


def head(s: State, lang: str) -> list[str]:
    """The round, and the options that are not the usual ones."""
    lines = [WORDS.say("board.head", lang, round=s.round, rounds=ROUNDS, turn=s.turns + (1 if s.step == MAIN else 0))]
    unusual = []
    for name, option in s.options.items():
        stored = getattr(s, name)
        usual = option.stored(name, option.default, s.players)
        if name == "start_player" or name.endswith("_side") or stored == usual or (name == "wrath_scope" and not s.wrath):
            continue
        if option.kind == "choice":
            shown = WORDS.say(f"option.{name}.{option.shown(stored)}", lang)
        else:
            shown = WORDS.say("board.yes" if stored else "board.no", lang)
        unusual.append(WORDS.say("board.option", lang, name=WORDS.say(f"option.{name}.name", lang), value=shown))
    return [*lines, *(wrapped("", unusual, lang) if unusual else [])]


def ships(s: State, lang: str) -> list[str]:
    """The four ships, bow first, with their least load."""
    lines = [WORDS.say("board.ships", lang)]
    for ship in range(SHIPS):
        spaces = " ".join(letter(stone) for stone in s.cargo[ship][: capacity(s, ship)])
        lines.append(f"  {SHIP_LETTERS[ship]}  " + pad(f"<{spaces}]", 12) + ship_state(s, ship, lang))
    stones = " ".join(letter(stone) for stone in s.queue[s.served :] if stone)
    if stones:
        lines.append("  " + WORDS.say("board.queue", lang, stones=stones))
    return lines


def ship_state(s: State, ship: int, lang: str) -> str:
    """Where a ship is, or what it still needs."""
    if s.berth[ship] == GONE:
        return WORDS.say("board.gone", lang)
    if s.berth[ship] != WAITING:
        return WORDS.say("board.docked", lang, site=site_name(s.berth[ship] - 1, lang))
    if load_of(s, ship) >= minimum(s, ship):
        return WORDS.say("board.ready", lang)
    return WORDS.say("board.needs", lang, n=minimum(s, ship))


def market(s: State, lang: str) -> list[str]:
    """The offers, and the dock."""
    lines = [heading(s, MARKET, lang)]
    for slot in range(SLOTS):
        offer = [card_name(s.market[slot] - 1, lang)] if s.market[slot] else []
        if slot == PAIR_SLOT and s.market_side == SIDE_B:
            offer = [pair_text(s, i, lang) for i in range(PAIR) if s.hidden[i]]
        first, *more = offer or [WORDS.say("board.none", lang)]
        lines += [f"  {slot + 1}  {first}", *(f"     {text}" for text in more)]
    return lines


def pair_text(s: State, i: int, lang: str) -> str:
    """A card of the pair, as far as the viewer knows it."""
    kind = hidden_kind(s, i)
    return card_name(kind, lang) if kind >= 0 else WORDS.say("board.face_down", lang)


# --- Monuments --------------------------------------------------------------------------------------------------


def pyramid(s: State, lang: str) -> list[str]:
    """The cells level by level: a stone, or the points of a free cell."""
    title = heading(s, PYRAMID, lang)
    if beside_stones(s):
        stones = " ".join(f"{LETTERS[p]}{s.beside[p]}" for p in range(s.players) if s.beside[p])
        title += "  " + WORDS.say("board.beside", lang, stones=stones)
    return [title, *(small_pyramids(s, lang) if s.pyramid_side == SIDE_B else great_pyramid(s))]


def great_pyramid(s: State) -> list[str]:
    """Base, second level and top of side A."""
    cells = [letter(s.pyramid[k], str(PYRAMID_A[k])) for k in range(len(PYRAMID_A))]
    base = ["  ".join(cells[row:9:3]) for row in range(3)]
    second = ["  ".join(cells[9 + row : 13 : 2]) for row in range(2)]
    return [f"  {base[0]}     {second[0]}     {cells[13]}", f"  {base[1]}     {second[1]}", f"  {base[2]}"]


def small_pyramids(s: State, lang: str) -> list[str]:
    """Base and top of the three of side B; c, s and l mark the bonuses card, stones and load."""
    lines = ["  ", "  ", "  "]
    for number in range(len(PYRAMIDS)):
        cells = []
        for cell in range(PYRAMID_CELLS):
            free = str(PYRAMID_B[number][cell]) + BONUS_MARKS[BONUS[number][cell]]
            cells.append(letter(s.pyramid[PYRAMID_CELLS * number + cell], free))
        lines[0] += pad(pyramid_name(number, lang), 14)
        lines[1] += pad(f"{cells[0]:3}{cells[2]:3}  {cells[4]}", 14)
        lines[2] += pad(f"{cells[1]:3}{cells[3]:3}", 14)
    return [*lines, "  " + WORDS.say("board.bonuses", lang)]


def temple(s: State, lang: str) -> list[str]:
    """What is seen from above, how high the cells are, and on side B what they give."""
    cells, stones = width(s), placed(s.temple, BY_SHIP)
    seen = "".join(pad(letter(visible(s, cell)), 5) for cell in range(cells))
    heights = "".join(pad(str((stones - cell + cells - 1) // cells), 5) for cell in range(cells))
    rewards = "".join(pad(reward(s, cell), 5) for cell in range(cells))
    size = max(columns_of(WORDS.say(f"board.{name}", lang)) for name in ("seen", "height", "reward")) + 2
    lines = [heading(s, TEMPLE, lang)]
    for name, row in (("seen", seen), ("height", heights), ("reward", rewards)):
        lines.append("  " + pad(WORDS.say(f"board.{name}", lang), size) + row)
    return [*lines, "  " + WORDS.say("board.rewards", lang)] if s.temple_side == SIDE_B else lines


def reward(s: State, cell: int) -> str:
    """What a temple cell gives: points, points or stones, or a card."""
    if TEMPLE_CARD[s.temple_side][cell]:
        return "c"
    points, stones = TEMPLE_POINTS[s.temple_side][cell], TEMPLE_STONES[s.temple_side][cell]
    return f"{points}/{stones}s" if stones else str(points)


def burial(s: State, lang: str) -> list[str]:
    """The three rows."""
    stones = placed(s.burial, BURIAL_ROOM)
    last = max(PRINTED_COLUMNS, (stones + ROWS) // ROWS) * ROWS
    rows = [[letter(s.burial[k] if k < BURIAL_ROOM else 0) for k in range(row, last, ROWS)] for row in range(ROWS)]
    return [heading(s, BURIAL, lang), *("  " + " ".join(row) for row in rows)]


def obelisk(s: State, lang: str) -> list[str]:
    """Heights on side A; loose stones and slots on side B."""
    lines = [heading(s, OBELISK, lang)]
    if s.obelisk_side != SIDE_B:
        heights = "  ".join(f"{LETTERS[p]} {s.obelisk[p]}" for p in range(s.players))
        return [*lines, "  " + WORDS.say("board.heights", lang, heights=heights)]
    loose = "  ".join(f"{LETTERS[p]} {s.obelisk[p] % OBELISK_STONES}" for p in range(s.players))
    built = placed(s.erected, OBELISKS)
    slots = " ".join(f"{slot_points(slot)}:{letter(s.erected[slot])}" for slot in range(min(OBELISKS, built + 3)))
    return [*lines, "  " + WORDS.say("board.loose", lang, stones=loose), f"  {slots}"]


# --- Seats and piles --------------------------------------------------------------------------------------------


def seats(s: State, viewer: int, lang: str) -> list[str]:
    """A line for each player: points, sled, quarry, cards."""
    heads = [WORDS.say(f"board.{name}", lang) for name in ("points", "sled", "quarry", "cards")]
    sizes = (8, 15, 9)
    lines = [" " * 18 + "".join(pad(text, size) for text, size in zip(heads, sizes, strict=False)) + heads[3]]
    for p in range(s.players):
        pointer = ">" if s.step != OVER and p == s.chooser else " "
        you = WORDS.say("board.you", lang) if p == viewer else ""
        sled = LETTERS[p] * s.sled[p] + "." * (SLED - s.sled[p])
        cells = (str(s.score[p]), f"{sled} {s.sled[p]}", str(s.quarry[p]))
        line = f"{pointer} {LETTERS[p]} " + pad(f"{seat_name(p, lang)}{you}", 14)
        line += "".join(pad(text, size) for text, size in zip(cells, sizes, strict=True))
        lines += wrapped(line, card_list(s.held[p], lang), lang)
    return lines


def piles(s: State, lang: str) -> list[str]:
    """The deck, the discard pile, cards being resolved, and the round cards still to come."""
    counts = list(s.discard)
    rejected = s.hidden[REJECTED:]
    for card in rejected:
        if card >= SECRET:
            counts[card - SECRET] += 1
    items = card_list(counts, lang)
    unknown = s.buried + rejected.count(FACE_DOWN)
    if unknown:
        items.append(WORDS.say("board.unknown", lang, n=unknown))
    deck = WORDS.say("board.deck", lang, n=s.deck)
    lines = wrapped(WORDS.say("board.discard", lang, deck=deck), items or [WORDS.say("board.none", lang)], lang)
    open_cards = [card_name(s.played - 1, lang)] if s.played else []
    open_cards += [card_name(kind, lang) for kind in range(REDS) for _ in range(s.red[kind])]
    if open_cards:
        lines.append(WORDS.say("board.resolving", lang, cards=listed(open_cards, lang)))
    if s.round < ROUNDS:
        left = [" ".join(map(str, CAPACITY[s.players - 2][card])) for card, turned in enumerate(s.turned) if not turned]
        lines += wrapped(WORDS.say("board.coming", lang), left, "en")
    return lines
