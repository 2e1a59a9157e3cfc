"""The table as plain text for a terminal, at most 100 columns wide."""

from __future__ import annotations

from perankh.engine.text import listed, pad
from perankh.engine.text import width as columns_of

from ..rules import building, components, market, scoring, ships
from ..rules.components import BONUS, BURIAL_ROOM, OBELISKS, PAIR, PYRAMID_CELLS, REDS, ROUNDS, ROWS, SHIPS, SLED, SLOTS, Site
from ..rules.state import REJECTED, Berth, FaceDown, Side, State, Step, capacity, placed
from .names import SHIP_LETTERS, WORDS, card_list, card_name, pyramid_name, seat_name, several, site_name, stone_list
from .prompts import prompt

WIDEST = 100
LEFT, GAP = 46, 3  # the left column of blocks
SLOTS_ABREAST = 8  # obelisk slots in a line
BONUS_MARKS = ("", "c", "s", "l")  # by Bonus


def board(s: State, viewer: int, lang: str) -> str:
    """The whole table; `viewer` is marked among the seats."""
    lines = [*head(s, lang), ""]
    lines += abreast(ship_list(s, lang), offers(s, lang))
    lines += ["", *abreast(pyramid(s, lang), temple(s, lang))]
    lines += ["", *abreast(burial(s, lang), obelisk(s, lang))]
    lines += ["", *seats(s, viewer, lang), "", *piles(s, lang)]
    if s.step != Step.OVER:
        lines += ["", WORDS.say("board.asked", lang, who=seat_name(s.chooser, lang), prompt=prompt(s, s.chooser, lang))]
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


def short_name(stone: int, lang: str, empty: str = ".") -> str:
    """The owner of a stone in two columns' width, or what stands on an empty place."""
    return WORDS.say(f"stone.{stone - 1}", lang) if stone else empty


def row_of(stones: list[int], lang: str) -> str:
    """Places for stones, side by side."""
    return " ".join(pad(short_name(stone, lang), 2) for stone in stones)


def heading(s: State, site: int, lang: str) -> str:
    """The name of a site with its side."""
    side = "AB"[getattr(s, f"{components.SITE_NAMES[site]}_side")]
    name = site_name(site, lang)
    return WORDS.say("board.site", lang, site=name[0].upper() + name[1:], side=side)


# --- Head, ships and market -------------------------------------------------------------------------------------


def head(s: State, lang: str) -> list[str]:
    """The round, and the options that are not the usual ones."""
    lines = [WORDS.say("board.head", lang, round=s.round, rounds=ROUNDS, turn=s.turns + (1 if s.step == Step.MAIN else 0))]
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


def ship_list(s: State, lang: str) -> list[str]:
    """The four ships, bow first, with their minimum load."""
    lines = [WORDS.say("board.ships", lang)]
    for ship in range(SHIPS):
        spaces = row_of(s.cargo[ship][: capacity(s, ship)], lang)
        lines.append(f"  {SHIP_LETTERS[ship]}  " + pad(f"<{spaces}]", 15) + ship_state(s, ship, lang))
    stones = [stone - 1 for stone in s.queue[s.served :] if stone]
    if stones:
        lines.append("  " + WORDS.say("board.queue", lang, stones=stone_list(stones, lang)))
    return lines


def ship_state(s: State, ship: int, lang: str) -> str:
    """Where a ship is, or what it still needs."""
    if s.berth[ship] == Berth.GONE:
        return WORDS.say("board.gone", lang)
    if s.berth[ship] != Berth.WAITING:
        return WORDS.say("board.docked", lang, site=site_name(s.berth[ship] - 1, lang))
    if ships.load_of(s, ship) >= ships.minimum(s, ship):
        return WORDS.say("board.ready", lang)
    return WORDS.say("board.needs", lang, n=ships.minimum(s, ship))


def offers(s: State, lang: str) -> list[str]:
    """The offers, and the dock."""
    lines = [heading(s, Site.MARKET, lang)]
    for slot in range(SLOTS):
        offer = [card_name(s.market[slot] - 1, lang)] if s.market[slot] else []
        if market.is_pair_slot(s, slot):
            offer = [pair_text(s, i, lang) for i in range(PAIR) if s.hidden[i]]
        first, *more = offer or [WORDS.say("board.none", lang)]
        lines += [f"  {slot + 1}  {first}", *(f"     {text}" for text in more)]
    return lines


def pair_text(s: State, i: int, lang: str) -> str:
    """A card of the pair, as far as the viewer knows it."""
    kind = market.hidden_kind(s, i)
    return card_name(kind, lang) if kind >= 0 else WORDS.say("board.face_down", lang)


# --- Monuments --------------------------------------------------------------------------------------------------


def pyramid(s: State, lang: str) -> list[str]:
    """The cells level by level: a stone, or the points of a free cell."""
    title = heading(s, Site.PYRAMID, lang)
    if building.beside_stones(s):
        stones = stone_list([p for p in range(s.players) for _ in range(s.beside[p])], lang)
        title += "  " + WORDS.say("board.beside", lang, stones=stones)
    return [title, *(small_pyramids(s, lang) if s.pyramid_side == Side.B else great_pyramid(s, lang))]


def great_pyramid(s: State, lang: str) -> list[str]:
    """Base, second level and top of side A."""
    cells = [pad(short_name(s.pyramid[k], lang, str(components.PYRAMID_A[k])), 2) for k in range(components.CELLS_A)]
    base = [" ".join(cells[row:9:3]) for row in range(3)]
    second = [" ".join(cells[9 + row : 13 : 2]) for row in range(2)]
    return [f"  {base[0]}     {second[0]}     {cells[13]}", f"  {base[1]}     {second[1]}", f"  {base[2]}"]


def small_pyramids(s: State, lang: str) -> list[str]:
    """Base and top of the three of side B; c, s and l mark the bonuses card, stones and load."""
    lines = ["  ", "  ", "  "]
    for number in range(components.PYRAMIDS):
        cells = []
        for cell in range(PYRAMID_CELLS):
            free = str(components.PYRAMID_B[number][cell]) + BONUS_MARKS[BONUS[number][cell]]
            cells.append(pad(short_name(s.pyramid[PYRAMID_CELLS * number + cell], lang, free), 3))
        lines[0] += pad(pyramid_name(number, lang), 14)
        lines[1] += pad(f"{cells[0]}{cells[2]}  {cells[4]}", 14)
        lines[2] += pad(f"{cells[1]}{cells[3]}", 14)
    return [*lines, "  " + WORDS.say("board.bonuses", lang)]


def temple(s: State, lang: str) -> list[str]:
    """What is seen from above, how high the cells are, and on side B what they give."""
    cells, stones = building.width(s), placed(s.temple, components.BY_SHIP)
    seen = "".join(pad(short_name(building.visible(s, cell), lang), 5) for cell in range(cells))
    heights = "".join(pad(str((stones - cell + cells - 1) // cells), 5) for cell in range(cells))
    rewards = "".join(pad(reward(s, cell), 5) for cell in range(cells))
    size = max(columns_of(WORDS.say(f"board.{name}", lang)) for name in ("seen", "height", "reward")) + 2
    lines = [heading(s, Site.TEMPLE, lang)]
    for name, row in (("seen", seen), ("height", heights), ("reward", rewards)):
        lines.append("  " + pad(WORDS.say(f"board.{name}", lang), size) + row)
    return [*lines, "  " + WORDS.say("board.rewards", lang)] if s.temple_side == Side.B else lines


def reward(s: State, cell: int) -> str:
    """What a temple cell gives: points, points or stones, or a card."""
    if components.TEMPLE_CARD[s.temple_side][cell]:
        return "c"
    points, stones = components.TEMPLE_POINTS[s.temple_side][cell], components.TEMPLE_STONES[s.temple_side][cell]
    return f"{points}/{stones}s" if stones else str(points)


def burial(s: State, lang: str) -> list[str]:
    """The three rows."""
    stones = placed(s.burial, BURIAL_ROOM)
    last = max(components.PRINTED_COLUMNS, (stones + ROWS) // ROWS) * ROWS
    rows = [[s.burial[k] if k < BURIAL_ROOM else 0 for k in range(row, last, ROWS)] for row in range(ROWS)]
    return [heading(s, Site.BURIAL, lang), *("  " + row_of(row, lang) for row in rows)]


def obelisk(s: State, lang: str) -> list[str]:
    """Heights on side A; loose stones and slots on side B."""
    lines = [heading(s, Site.OBELISK, lang)]
    if s.obelisk_side != Side.B:
        heights = "  ".join(f"{short_name(1 + p, lang)} {s.obelisk[p]}" for p in range(s.players))
        return [*lines, "  " + WORDS.say("board.heights", lang, heights=heights)]
    loose = "  ".join(f"{short_name(1 + p, lang)} {s.obelisk[p] % components.OBELISK_STONES}" for p in range(s.players))
    built = placed(s.erected, OBELISKS)
    shown = min(OBELISKS, built + 3)
    slots = [f"{scoring.slot_points(slot)}:{short_name(s.erected[slot], lang)}" for slot in range(shown)]
    rows = ["  " + " ".join(slots[k : k + SLOTS_ABREAST]) for k in range(0, shown, SLOTS_ABREAST)]
    return [*lines, "  " + WORDS.say("board.loose", lang, stones=loose), *rows]


# --- Seats and piles --------------------------------------------------------------------------------------------


def seats(s: State, viewer: int, lang: str) -> list[str]:
    """A line for each player: points, sled, quarry, cards."""
    heads = [WORDS.say(f"board.{name}", lang) for name in ("points", "sled", "quarry", "cards")]
    sizes = (8, 12, 9)
    names = [seat_head(p, viewer, lang) for p in range(s.players)]
    wide = max(18, *(columns_of(name) + 2 for name in names))
    lines = [" " * (2 + wide) + "".join(pad(text, size) for text, size in zip(heads, sizes, strict=False)) + heads[3]]
    for p in range(s.players):
        pointer = ">" if s.step != Step.OVER and p == s.chooser else " "
        cells = (str(s.score[p]), f"{s.sled[p]}/{SLED}", str(s.quarry[p]))
        line = f"{pointer} " + pad(names[p], wide)
        line += "".join(pad(text, size) for text, size in zip(cells, sizes, strict=True))
        lines += wrapped(line, card_list(s.held[p], lang), lang)
    return lines


def seat_head(p: int, viewer: int, lang: str) -> str:
    """A player's colour as the board has it, and name."""
    name, short = seat_name(p, lang), short_name(1 + p, lang)
    you = WORDS.say("board.you", lang) if p == viewer else ""
    return f"{name if name == short else f'{short} {name}'}{you}"


def piles(s: State, lang: str) -> list[str]:
    """The deck, the discard pile, cards being resolved, and the round cards still to come."""
    counts = list(s.discard)
    rejected = s.hidden[REJECTED:]
    for card in rejected:
        if card >= FaceDown.SECRET:
            counts[card - FaceDown.SECRET] += 1
    items = card_list(counts, lang)
    unknown = s.buried + rejected.count(FaceDown.UNSEEN)
    if unknown:
        items.append(several("cards", WORDS.say("board.face_down", lang), unknown, lang))
    deck = WORDS.say("board.deck", lang, n=s.deck)
    lines = wrapped(WORDS.say("board.discard", lang, deck=deck), items or [WORDS.say("board.none", lang)], lang)
    open_cards = [card_name(s.played - 1, lang)] if s.played else []
    open_cards += [card_name(kind, lang) for kind in range(REDS) for _ in range(s.red[kind])]
    if open_cards:
        lines.append(WORDS.say("board.resolving", lang, cards=listed(open_cards, lang)))
    if s.round < ROUNDS:
        left = [
            " ".join(map(str, components.CAPACITY[s.players - 2][card])) for card, turned in enumerate(s.turned) if not turned
        ]
        lines += wrapped(WORDS.say("board.coming", lang), left, "en")
    return lines
