"""The table of Egizia as plain text for a terminal, at most 100 columns wide."""

from __future__ import annotations

from perankh.engine.api import masks
from perankh.engine.text import listed, pad
from perankh.engine.text import width as columns_of

from ..rules import actions, components, feeding, monuments, nile, placement, sphinx, tracks
from ..rules.components import Kind
from ..rules.state import Phase, State, Step
from . import names, prompts, sentences
from .names import WORDS

WIDEST = 100
HALF = 50  # columns of each half of the river


def board(s: State, viewer: int, lang: str) -> str:
    """The whole table; `viewer` is marked among the seats and sees the own Sphinx cards."""
    lines = [*head(s, lang), "", *river(s, lang), "", *monument_lines(s, lang), "", *statues(s, lang), "", *markets(s, lang), ""]
    lines += [*seats(s, viewer, lang), *cards_before(s, lang), *sphinx_lines(s, viewer, lang)]
    if s.step != Step.OVER:
        lines.append("")
        for p in range(s.players):
            if (actions.actors(s) >> p) & 1:
                lines += folded(WORDS.say("board.asked", lang, who=names.seat_name(p, lang), prompt=prompts.prompt(s, p, lang)))
    return "\n".join(line.rstrip() for line in lines)


# --- Lines --------------------------------------------------------------------------------------------------------


def letter(ship: int) -> str:
    """A ship or brick as the letter of its owner, a dot for none."""
    return names.LETTERS[ship - 1] if ship else "."


def clipped(text: str, columns: int) -> str:
    """A text cut to a number of columns and filled up with spaces."""
    while columns_of(text) > columns:
        text = text[:-2] + "…"
    return pad(text, columns)


def folded(text: str, indent: str = "  ") -> list[str]:
    """A text on as many lines as it needs, broken at spaces or between Japanese characters."""
    lines, line = [], ""
    for piece in pieces(text):
        if columns_of(line + piece.rstrip()) > WIDEST:
            lines.append(line)
            line = indent + piece.lstrip()
        else:
            line += piece
    return [*lines, line]


def pieces(text: str) -> list[str]:
    """Words with the space after them, and single wide characters; closing marks stay with what they follow."""
    found: list[str] = []
    for character in text:
        joins = found and (character in "、。）」：；" or not (found[-1][-1] == " " or columns_of(found[-1][-1] + character) > 2))
        if joins:
            found[-1] += character
        else:
            found.append(character)
    return found


# --- Head and river -----------------------------------------------------------------------------------------------


def head(s: State, lang: str) -> list[str]:
    """Round, phase, ring, turn order, and the options that are not the usual ones."""
    phase = WORDS.say(f"phase.{Phase(s.phase).name.lower()}", lang)
    order = " ".join(names.LETTERS[p] for p in s.order[: s.players])
    lines = [WORDS.say("board.head", lang, round=max(1, s.round), rounds=components.ROUNDS, phase=phase)]
    lines.append(WORDS.say("board.ring", lang, ring=names.ring_text(s.ring, lang), order=order if s.round else "-"))
    unusual = []
    for name, option in s.options.items():
        stored = getattr(s, name)
        if stored == option.stored(name, option.default, s.players):
            continue
        shown = str(stored)
        if option.kind == "choice":
            shown = WORDS.say(f"option.{name}.{option.shown(stored)}", lang)
        elif option.kind == "flag":
            shown = WORDS.say("board.yes" if stored else "board.no", lang)
        unusual.append(WORDS.say("board.option", lang, name=WORDS.say(f"option.{name}.name", lang), value=shown))
    return [*lines, *(folded(listed(unusual, lang)) if unusual else [])]


def river(s: State, lang: str) -> list[str]:
    """All locations with their ships, in two halves."""
    lines = [location_line(s, place, lang) for place in components.RIVER]
    middle = (len(lines) + 1) // 2
    left, right = lines[:middle], [*lines[middle:], ""][:middle]
    return [
        WORDS.say("board.river", lang),
        *(clipped(one, HALF) + clipped(other, HALF) for one, other in zip(left, right, strict=True)),
    ]


def location_line(s: State, place: str, lang: str) -> str:
    """One location: its code, its ships, and what lies there."""
    n = int(place[1:]) - 1
    if place[0] == "D":
        return dock_line(s, n, lang)
    is_card = place[0] == "C"
    if not (components.CARD_OPEN if is_card else components.TILE_OPEN)[s.players - 2][n]:
        return f" {place:4}x    " + WORDS.say("board.closed", lang)
    if is_card:
        text = names.card_title(s.river[n] - 1, lang) if s.river[n] else "-"
        return f" {place:4}{letter(s.card_ship[n]):5}{text}"
    ships = "".join(names.LETTERS[p] * s.tile_ships[n][p] for p in range(s.players))
    text = names.tile_title(s.laid[n], lang) if s.round else "-"
    return f" {place:4}{ships or '.':5}{text}"


def dock_line(s: State, dock: int, lang: str) -> str:
    """A dock with its spaces from the river outwards, and the ship that waits beside it."""
    spaces = "".join(
        letter(s.dock[dock][space]) if space < placement.open_spaces(s) else "x" for space in range(components.DOCK_SPACES)
    )
    waits = "  " + WORDS.say("board.beside", lang, ship=letter(s.speculator[dock])) if s.speculator[dock] else ""
    return f" D{dock + 1}  {spaces:5}= {names.capital(names.dock_name(dock, lang))}{waits}"


# --- Monuments ----------------------------------------------------------------------------------------------------


def monument_lines(s: State, lang: str) -> list[str]:
    """Obelisk, colonnade and pyramid: letters are bricks, numbers the cost and points of free spaces."""
    kind = monuments.board(s)
    spaces = [
        letter(s.obelisk[i]) if s.obelisk[i] else str(components.OBELISK_COST[kind][i])
        for i in range(components.OBELISK_HEIGHT[kind])
    ]
    line = components.DOUBLE_LINE[kind]
    titles = [WORDS.say(f"board.{name}", lang) for name in ("obelisk", "colonnade", "pyramid")]
    size = max(map(columns_of, titles)) + 2
    lines = [pad(titles[0], size) + " ".join(spaces[:line]) + " ‖ " + " ".join(spaces[line:])]
    lines.append(pad(titles[1], size) + " ".join(map(str, components.COLUMN_COST)) + "   " + "  ".join(column_texts(s)))
    for place, (key, column) in enumerate((("yellow", components.YELLOW_COLUMN), ("purple", components.PURPLE_COLUMN))):
        tile = s.bonus_tile[place]
        text = f"{names.bonus_title(tile, lang)} · {names.bonus_text(tile, lang)}"
        lines += folded(" " * size + WORDS.say(f"board.{key}", lang, n=column, tile=text), " " * (size + 2))
    for row in range(components.PYRAMID_ROWS - 1, -1, -1):
        cells = [
            letter(brick) if brick else str(components.ROW_COST[kind][row])
            for brick in s.pyramid[row][: components.ROW_SPACES[kind][row]]
        ]
        if cells:
            title = titles[2] if row == 0 else ""
            lines.append(pad(title, size) + " " * row + " ".join(cells))
    return lines


def column_texts(s: State) -> list[str]:
    """The columns of each seat."""
    return [f"{names.LETTERS[p]} {'#' * s.columns[p]}{'.' * (components.COLUMNS - s.columns[p])}" for p in range(s.players)]


def statues(s: State, lang: str) -> list[str]:
    """The statues in play: what they count, cost and score, and how far each seat has built."""
    lines = [WORDS.say("board.statues", lang)]
    for place in range(components.STATUES_IN_PLAY):
        if s.statue[place]:
            i = s.statue[place] - 1
            name = WORDS.say(
                "board.statue",
                lang,
                name=components.STATUE_NAMES[i],
                what=names.measure_short(components.STATUE_MEASURE[i], lang),
            )
            pairs = zip(components.STATUE_LEAST[i], components.STATUE_VP[i], strict=True)
            steps = listed([WORDS.say("board.step", lang, least=least, vp=vp) for least, vp in pairs], lang)
            costs = WORDS.say("board.costs", lang, costs=" ".join(map(str, components.STATUE_COST[i])), steps=steps)
            built = " ".join(f"{names.LETTERS[p]}{s.level[p][place]}" for p in range(s.players))
            lines.append(f"  {clipped(name, 24)} {pad(built, 12)} {clipped(costs, 60)}")
    return lines


def markets(s: State, lang: str) -> list[str]:
    """Both markets from the bottom, with what their spaces do and who stands there."""
    size = max(columns_of(names.market_name(market, lang)) for market in range(len(components.MARKETS))) + 2
    lines = []
    for market in range(len(components.MARKETS)):
        spaces = []
        for space in range(1, (tracks.stone_top(s) if market else components.GRAIN_SPACES) + 1):
            who = "".join(names.LETTERS[p] for p in range(s.players) if s.market[p][market] == space) or "."
            spaces.append(pad(f"{space}{space_mark(s, market, space, lang)} {who}", 17))
        lines.append(pad(names.capital(names.market_name(market, lang)), size) + "".join(spaces))
    return lines


def space_mark(s: State, market: int, space: int, lang: str) -> str:
    """What a market space does, in a few characters."""
    if market == 0:
        sale = "," + WORDS.say("board.sale", lang) if components.GRAIN_SALE[space - 1] else ""
        return f"(-{components.GRAIN_LOSS[space - 1]}{sale})"
    marks = []
    if components.STONE_ENTERING[s.stone_market_spaces][space - 1]:
        marks.append(f"+{components.STONE_ENTERING[s.stone_market_spaces][space - 1]}")
    if components.STONE_END[s.stone_market_spaces][space - 1]:
        marks.append(WORDS.say("board.end", lang))
    return f"({','.join(marks)})" if marks else ""


# --- Seats --------------------------------------------------------------------------------------------------------


def seats(s: State, viewer: int, lang: str) -> list[str]:
    """A line for each player."""
    heads = [
        *(WORDS.say(f"board.{name}", lang) for name in ("points", "stones", "ships")),
        *(names.crew_colour(crew, lang) for crew in range(len(components.CREWS))),
    ]
    heads += [WORDS.say(f"board.{name}", lang) for name in ("grain", "columns", "bricks", "cards")]
    sizes = (7, 9, 6, 7, 6, 7, 9, 7, 8, 7, 13)
    lines = [" " * 15 + "".join(clipped(text, size - 1) + " " for text, size in zip(heads, sizes, strict=True))]
    for p in range(s.players):
        pointer = ">" if (actions.actors(s) >> p) & 1 else " "
        crews = [f"({n})" if (s.flipped[p] >> crew) & 1 else f" {n} " for crew, n in enumerate(s.strength[p])]
        grain = f"{nile.grain_of(s, p, s.ring)}/{feeding.need(s, p)}"
        cells = [str(s.vp[p]), f"{s.stones[p]} (+{nile.stone_production(s, p)})", str(s.ships[p]), *crews, grain]
        cells += [str(s.columns[p]), str(monuments.all_bricks(s, p)), str(sphinx.hand_size(s, p))]
        you = WORDS.say("board.you", lang) if p == viewer else ""
        line = f"{pointer}{names.LETTERS[p]} " + clipped(f"{names.seat_name(p, lang)}{you}", 11) + " "
        lines.append(line + "".join(pad(text, size) for text, size in zip(cells, sizes, strict=True)))
    return [*lines, "  " + WORDS.say("board.key", lang)]


def cards_before(s: State, lang: str) -> list[str]:
    """Nile cards, tiles and tokens of each seat."""
    lines = []
    for p in range(s.players):
        items = [names.starter_title(s.turned[p], lang), names.starter_quarry_title(lang)]
        items += [owned_title(s, p, card, lang) for card in range(components.CARDS) if masks.has(s.held[p], card)]
        for place, column in enumerate((components.YELLOW_COLUMN, components.PURPLE_COLUMN)):
            if s.columns[p] >= column:
                items.append(tile_state(s, p, place, lang))
        items += [WORDS.say("do.token", lang)] * s.tokens[p]
        text = WORDS.say("board.before", lang, letter=names.LETTERS[p]) + ("；" if lang == "ja" else "; ").join(items)
        lines += folded(text, "    ")
    return lines


def owned_title(s: State, p: int, card: int, lang: str) -> str:
    """A card of p, with its colour if that was improved."""
    title = names.card_title(card, lang)
    if components.CARD_KIND[card] == Kind.FIELD and 1 + card in s.improved:
        return f"{title} = {names.colour_name(nile.field_colour(s, p, card), lang)}"
    return title


def tile_state(s: State, p: int, place: int, lang: str) -> str:
    """A colonnade tile of p, and whether it is used up."""
    tile = s.bonus_tile[place]
    title = names.bonus_title(tile, lang)
    if components.BONUS_USE[tile] and (s.closed_eye[p] >> place) & 1:
        return WORDS.say("board.spent", lang, tile=title)
    return title


def hand(s: State, p: int) -> list[int]:
    """The Sphinx cards p has kept and the viewer knows."""
    kept = sphinx.hand(s, p)
    return [card for card in range(components.SPHINX_CARDS) if masks.has(kept, card)]


def sphinx_lines(s: State, viewer: int, lang: str) -> list[str]:
    """The deck, the viewer's own cards and those just drawn; at the end all hands."""
    lines = ["", WORDS.say("board.deck", lang, n=s.tape_end - s.tape_top)] if s.round else [""]
    if s.step == Step.OVER:
        for p in range(s.players):
            cards = [names.sphinx_name(card, lang) for card in hand(s, p)]
            lines += folded(WORDS.say("board.hands", lang, letter=names.LETTERS[p]) + listed(cards, lang), "    ")
        return lines
    if viewer < 0:
        return lines
    own = hand(s, viewer)
    if s.step == Step.START and not own:
        own = [card - 1 for card in s.dealt[viewer] if card]
    if own:
        lines.append(WORDS.say("board.own", lang))
        for card in own:
            lines += folded("  " + sentences.sphinx_now(s, viewer, card, lang), "    ")
    if (
        s.step in (Step.KEEP, Step.KEEP_MORE, Step.KEEP_SECOND, Step.RETURN)
        and s.chooser == viewer
        and s.draws
        and s.draw_by[s.draws - 1] == 1 + viewer
    ):
        for i in range(s.draw_size[s.draws - 1]):
            lines += folded(WORDS.say("board.drawn", lang) + names.sphinx_named(sphinx.drawn_card(s, i), lang), "    ")
    return lines
