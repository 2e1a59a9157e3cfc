"""Positions of Egizia set up by hand: seats are A, B, C and D, everything else has the ids of the specification."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from perankh.engine.chance import seed_chance
from perankh.engine.events import redacted
from perankh.engine.game import get_game
from perankh.games.egizia.rules import actions, components, nile, placement, sphinx
from perankh.games.egizia.rules.components import Dock
from perankh.games.egizia.rules.state import ACTIONS, CLOSED_SPACE, Action, Location, Phase, SphinxReturn, State, Step

GAME = get_game("egizia")
LETTERS = "ABCD"
A, B, C, D = range(4)
WORK: dict[str, Any] = {"stones": (9, 9, 9, 9), "strength": {A: (2, 6, 1, 3)}}  # facts of a position in which A can build
LOCATIONS = (*components.PLACES[:17], *(f"D{d}.{n}" for d in (1, 2, 3) for n in (1, 2, 3)), *(f"D{d}.s" for d in (1, 2, 3)))


def codes() -> list[str]:
    """A short name for each action."""
    names = {Action.PASS: "pass", Action.NONE: "none", Action.FINISH: "finish", Action.BUILD: "build", Action.DECLINE: "decline"}
    names |= {Action.PLACE + i: name for i, name in enumerate(LOCATIONS)}
    names |= {Action.CREW + i: name for i, name in enumerate(components.CREWS)}
    names |= {Action.RING + i: f"ring{i + 1}" for i in range(3)}
    names |= {Action.CARD + i: name for i, name in enumerate((*components.CARD_NAMES, "starter"))}
    names |= {Action.BONUS + i: name for i, name in enumerate(components.BONUS_NAMES)} | {Action.TOKEN: "NT8"}
    names |= {Action.SPHINX + i: name for i, name in enumerate(components.SPHINX_NAMES)}
    names |= {Action.FEED + i: f"feed{i}" for i in range(components.STORE + 1)}
    names |= {Action.SELL + i: f"sell{i}" for i in range(components.SELL_MOST + 1)}
    names |= {Action.NUMBER + i: f"draw{i + 1}" for i in range(max(components.SPHINX_MOST))}
    names |= {Action.OBELISK: "obelisk", Action.COLUMN: "column"}
    names |= {Action.STATUE + i: f"statue{i + 1}" for i in range(3)} | {Action.ROW + i: f"row{i + 1}" for i in range(6)}
    names |= {Action.MARKET + i: f"market-{name}" for i, name in enumerate(components.MARKETS)}
    return [names[a] for a in range(ACTIONS)]


CODES = codes()
assert len(set(CODES)) == ACTIONS


def card(name: str) -> int:
    """The number of a Nile card."""
    return components.CARD_NAMES.index(name)


def mask(names: str) -> int:
    """A set of Nile cards."""
    return sum(1 << card(name) for name in names.split())


def cards(held: int) -> list[str]:
    """The names of a set of Nile cards."""
    return [name for i, name in enumerate(components.CARD_NAMES) if held >> i & 1]


def sphinx_card(name: str) -> int:
    """The number of a Sphinx card."""
    return components.SPHINX_NAMES.index(name)


def bricks(text: str) -> list[int]:
    """Letters as bricks or ships."""
    return [1 + LETTERS.index(letter) if letter in LETTERS else 0 for letter in text.replace(" ", "")]


def letters(row: list[int]) -> str:
    """Bricks or ships as letters, a point for an empty place."""
    return "".join(LETTERS[owner - 1] if owner else "." for owner in row)


def position(
    players: int = 3,
    *,
    round: int = 1,
    turn: int = 0,
    order: str = "",
    river: str | None = None,
    tiles: str | None = None,
    held: dict[int, str] | None = None,
    strength: dict[int, tuple[int, int, int, int]] | None = None,
    stones: tuple[int, ...] = (),
    vp: tuple[int, ...] = (),
    arrived: str = "",
    market: dict[int, tuple[int, int]] | None = None,
    columns: tuple[int, ...] = (),
    bonus: str = "G1 G7",
    statues: str | None = None,
    levels: dict[int, tuple[int, ...]] | None = None,
    obelisk: str = "",
    pyramid: tuple[str, ...] = (),
    ships: dict[int, str] | None = None,
    hands: dict[int, str] | None = None,
    ring: int = 2,
    seed: int = 1,
    **options: Any,
) -> Any:
    """A position at the start of a placement turn. `ships` holds locations ("C3 D2.1 D3.s") of ships already placed."""
    s: Any = GAME.blank(players, options)
    seed_chance(s, seed, 2, 3, 4, 0)
    nile.sort_decks(s)
    placement.recall_ships(s)
    s.round, s.phase, s.ring, s.turn = round, Phase.PLACEMENT, ring, turn
    seats = [LETTERS.index(letter) for letter in order] or list(range(players))
    s.order[:players] = seats
    s.arrived[:players] = [LETTERS.index(letter) for letter in arrived] or seats[::-1]
    s.bonus_tile[:] = [components.BONUS_NAMES.index(name) for name in bonus.split()]
    for place, name in enumerate((statues or ("A1 B1" if players == 2 else "A1 B1 A2")).split()):
        s.statue[place] = 1 + components.STATUE_NAMES.index(name)
    for p in range(players):
        s.strength[p][:] = (strength or {}).get(p, (1, 1, 1, 2))
        s.stones[p] = stones[p] if p < len(stones) else 2 + p
        s.vp[p] = vp[p] if p < len(vp) else 0
        s.market[p][:] = (market or {}).get(p, (1, 1))
        s.columns[p] = columns[p] if p < len(columns) else 0
        s.level[p][:] = [*(levels or {}).get(p, ()), 0, 0, 0][:3]
        s.held[p] = mask((held or {}).get(p, ""))
        s.undrawn &= ~s.held[p]
        s.gone &= ~s.held[p]
    s.obelisk[: len(bricks(obelisk))] = bricks(obelisk)
    for row, text in enumerate(pyramid):
        s.pyramid[row][: len(bricks(text))] = bricks(text)
    lay_river(s, river, tiles)
    deal_hands(s, hands or {})
    for p, locations in (ships or {}).items():
        for location in locations.split():
            moor(s, p, LOCATIONS.index(location))
    s.step, s.chooser = Step.LOCATION, s.order[turn]
    return s


def lay_river(s: Any, river: str | None, tiles: str | None) -> None:
    """Cards by name from the first open space on (`-` for none), and tiles likewise; what is not given is filled up."""
    spaces = [i for i in range(components.CARD_SPACES) if components.CARD_OPEN[s.players - 2][i]]
    names = (river or "").split()
    deck = components.DECK_MASK[components.DECK_OF_ROUND[s.round]]
    spare = [name for name in cards(s.undrawn & deck) if name not in names]
    for i, space in enumerate(spaces):
        name = names[i] if i < len(names) else spare.pop(0)
        if name == "-":
            s.card_ship[space] = 1 + s.players - 1
            continue
        s.river[space] = 1 + card(name)
        s.undrawn &= ~(1 << card(name))
        s.gone &= ~(1 << card(name))
    for p in range(s.players):
        s.ships[p] -= s.card_ship.count(1 + p)
    open_tiles = [i for i in range(components.TILE_SPACES) if components.TILE_OPEN[s.players - 2][i]]
    s.laid[:] = [CLOSED_SPACE] * components.TILE_SPACES
    usual = "NT4 NT5 NT6 NT7 NT8" if s.players == 2 else "NT1 NT2 NT5 NT3 NT6 NT4 NT7"
    for space, name in zip(open_tiles, (tiles or usual).split(), strict=True):
        s.laid[space] = components.TILE_NAMES.index(name)


def deal_hands(s: Any, hands: dict[int, str]) -> None:
    """Sphinx cards kept: the first at set-up, each further one as a draw of a single card; then the deck."""
    names = {p: hands.get(p, "").split() for p in range(s.players)}
    taken = {name for row in names.values() for name in row}
    in_game = [name for i, name in enumerate(components.SPHINX_NAMES) if sphinx.all_sphinx(s) >> i & 1]
    spare = [name for name in in_game if name not in taken][::-1]
    s.tape_end = sphinx.fresh_places(s)
    s.decided = (1 << s.players) - 1
    for p in range(s.players):
        s.dealt[p][0] = 1 + sphinx_card(names[p][0] if names[p] else spare.pop())
    for p in range(s.players):
        s.dealt[p][1] = 1 + sphinx_card(spare.pop())
    for p, row in names.items():
        for name in row[1:]:
            draw(s, p, name, name)


def draw(s: Any, p: int, drawn: str, kept: str = "") -> None:
    """A Sphinx build in the past: the cards drawn from the top, in order, and those kept of them."""
    names = drawn.split()
    e = s.draws
    s.draws += 1
    s.draw_by[e], s.draw_size[e], s.draw_keeps[e] = 1 + p, len(names), len(kept.split())
    for i, name in enumerate(names):
        s.tape[s.tape_top] = 1 + sphinx_card(name)
        s.tape_top += 1
        if name in kept.split():
            s.draw_kept[e] |= 1 << i
        else:
            if s.sphinx_return != SphinxReturn.SHUFFLED:
                s.tape[s.tape_end] = 1 + sphinx_card(name)
            s.tape_end += 1


def moor(s: Any, p: int, location: int) -> None:
    """A ship placed earlier in the round; a card it stood for is gone."""
    s.ships[p] -= 1
    s.frontier[p] = max(s.frontier[p], placement.index_of(location))
    if location < Location.TILE:
        s.card_ship[location] = 1 + p
        if s.river[location]:
            s.discarded |= 1 << (s.river[location] - 1)
            s.river[location] = 0
    elif location < Location.DOCK:
        s.tile_ships[location - Location.TILE][p] += 1
    elif location < Location.BANK:
        dock, space = divmod(location - Location.DOCK, components.DOCK_SPACES)
        s.dock[dock][space] = 1 + p
        s.present[p] |= 1 << dock
        if dock == Dock.SPHINX:
            s.first_berth[p] = 1 + space
    else:
        s.speculator[location - Location.BANK] = 1 + p
        s.present[p] |= 1 << (location - Location.BANK)


def at_phase(s: Any, phase: int) -> Any:
    """The same position at the beginning of another phase, up to its first decision."""
    s.phase, s.step, s.turn = phase, Step.GO_ON, 0
    s.passed = (1 << s.players) - 1
    actions.go_on(s)
    return s


def building(players: int = 4, **facts: Any) -> Any:
    """A position at the first decision of the building phase."""
    return at_phase(position(players, **facts), Phase.BUILDING)


def feeding(players: int = 2, **facts: Any) -> Any:
    """A position at the first decision of the feeding phase."""
    return at_phase(position(players, **facts), Phase.FEEDING)


def final(s: Any) -> list[int]:
    """The VP after final scoring of a position taken for the end of round 5, without a building phase."""
    s.round = components.ROUNDS
    for dock in range(3):
        s.dock[dock][:] = [0, 0, 0]
    at_phase(s, Phase.BUILDING)
    assert step(s) == "over"
    return GAME.scores(s)


# --- Playing ------------------------------------------------------------------------------------------------------


def actor(s: State) -> int:
    """The seat that decides."""
    (p,) = GAME.actors(s)
    return p


def step(s: State) -> str:
    """The name of the step."""
    return Step(s.step).name.lower()


def legal(s: State) -> list[str]:
    """The codes of what the seat that decides may choose."""
    return [CODES[a] for a in GAME.legal(s, actor(s))]


def play(s: Any, *texts: str) -> Any:
    """Make choices, each of which must be legal; returns the same state."""
    for text in texts:
        for code in text.split():
            assert code in legal(s), (code, legal(s), step(s))
            GAME.rules.apply(s, actor(s), CODES.index(code))
    return s


def log_of(before: Any, p: int, a: int, viewer: int, lang: str = "en") -> list[str]:
    """The log lines of a choice for a viewer."""
    s = before.copy()
    events = GAME.apply(s, p, a)
    return GAME.text.log_lines(GAME.veiled(s, viewer), redacted(events, viewer), viewer, lang)


def log_after(s: Any, codes: str, viewer: int = -1, lang: str = "en") -> list[str]:
    """The log lines of the last of several choices."""
    *first, last = codes.split()
    play(s, *first)
    return log_of(s, actor(s), CODES.index(last), viewer, lang)


def hand(s: Any, p: int) -> list[str]:
    """The Sphinx cards p has kept."""
    held = sphinx.hand(s, p)
    return [name for i, name in enumerate(components.SPHINX_NAMES) if held >> i & 1]


def begun(players: int, seed: int = 1, **options: Any) -> Any:
    """A new game after the choice of Sphinx cards: everybody keeps the first."""
    s: Any = GAME.new_state(players, seed, options)
    for p in range(players):
        GAME.rules.apply(s, p, GAME.legal(s, p)[0])
    return s


def eager(s: Any, actions: list[int], dice: random.Random) -> int:
    """A choice that leads to long games: small steps down the river, building, many Sphinx cards, many bricks."""
    name = step(s)
    if name == "location":
        docks = [a for a in actions if a >= Action.PLACE + Location.DOCK]
        near = actions[min(len(actions) - 1, 1 + int(dice.random() ** 3 * len(actions)))]
        return docks[0] if docks and dice.random() < 0.15 else near
    if name == "build" and dice.random() < 0.9:
        return actions[0]
    if name in ("number", "leader"):
        return actions[-1]
    if name == "space" and dice.random() < 0.8:
        return dice.choice([a for a in actions if a != Action.FINISH])
    return dice.choice(actions)


def random_games(games: int, players: int, seed: int = 1, **options: Any) -> Iterator[tuple[Any, int, int, Any]]:
    """Every choice of lively games: yields (state before, p, action, state after)."""
    dice = random.Random(seed)
    for number in range(games):
        s: Any = GAME.new_state(players, 1000 * seed + number, options)
        while GAME.rules.actors(s):
            before = s.copy()
            p = dice.choice(GAME.actors(s))
            a = eager(s, GAME.legal(s, p), dice)
            GAME.rules.apply(s, p, a)
            yield before, p, a, s
