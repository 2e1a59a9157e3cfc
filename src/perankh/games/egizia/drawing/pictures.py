"""The positions that the guides of Egizia show."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ..rules import actions, components, placement, scoring, sphinx
from ..rules.state import CLOSED_SPACE, Action, Location, Phase, State, Step
from ..text import names

Seats = tuple[str, ...]  # a text for each seat
RIVERS = {  # cards of a round in the order of the spaces
    1: "N12-06 N12-18 N12-01 N12-13 N12-08 N12-19 N12-12 N12-04 N12-16 N12-20",
    2: "N12-02 N12-09 N12-17 N12-14 N12-05 N12-10 N12-22 N12-11 N12-21 N12-15",
    3: "N34-07 N34-13 N34-01 N34-16 N34-10 N34-03 N34-14 N34-05 N34-19 N34-18",
    4: "N34-09 N34-02 N34-12 N34-15 N34-08 N34-17 N34-04 N34-22 N34-11 N34-20",
    5: "N5-01 N5-05 N5-03 N5-07 N5-04 N5-06 N5-02 N5-08 N5-09 N5-10",
}
KEPT = ("S03 S12", "S16 S05", "S18 S10", "S29 S22")  # dealt at set-up: the card kept, and the one returned

# --- Positions ----------------------------------------------------------------------------------------------------


def cards(names: str) -> int:
    """Nile cards as a set."""
    return sum(1 << components.CARD_NAMES.index(name) for name in names.split())


def bricks(text: str) -> list[int]:
    """Letters of seats as bricks."""
    return [1 + names.LETTERS.index(letter) for letter in text]


def blank(players: int, statues: str, tiles: str) -> State:
    """A table with the usual options, statues and colonnade tiles; everybody has two Sphinx cards to choose from."""
    s = State()
    s.players = players
    for name, option in State.options.items():
        setattr(s, name, option.stored(name, option.default, players))
    s.ring = components.RING_START
    s.gone = components.MARKED_CARDS if players == 2 else 0
    s.undrawn = components.ALL_CARDS & ~s.gone
    for place, name in enumerate(statues.split()):
        s.statue[place] = 1 + components.STATUE_NAMES.index(name)
    s.bonus_tile[:] = [components.BONUS_NAMES.index(name) for name in tiles.split()]
    for p in range(players):
        s.order[p] = s.arrived[p] = p
        s.strength[p][:] = list(components.CREW_START)
        s.market[p][:] = [1, 1]
        s.dealt[p][:] = [1 + components.SPHINX_NAMES.index(name) for name in KEPT[p].split()]
        s.ships[p] = s.ships_per_player
    s.step = Step.START
    return s


def position(
    players: int,
    round: int,
    ships: Seats,
    *,
    held: Seats = (),
    order: str = "RBWG",
    strength: Seats = (),
    stones: tuple[int, ...] = (),
    markets: Seats = (),
    vp: tuple[int, ...] = (),
    ring: int = components.RING_START,
    obelisk: str = "",
    columns: tuple[int, ...] = (),
    levels: Seats = (),
    pyramid: Seats = (),
    statues: str = "A1 B1 B5",
    tiles: str = "G1 G7",
    laid: str = "NT1 NT2 NT5 NT3 NT6 NT4 NT7",
) -> State:
    """A table while ships are placed and seat 0 is on turn; `ships` are the locations of each seat, digits numbers in a row."""
    s = blank(players, statues, tiles)
    s.round, s.phase, s.step, s.ring = round, Phase.PLACEMENT, Step.LOCATION, ring
    s.order[:players] = [names.LETTERS.index(letter) for letter in order[:players]]
    s.turn = s.order.index(0)
    s.decided = (1 << players) - 1
    s.tape_end = sphinx.fresh_places(s)
    for p in range(players):
        s.strength[p][:] = [int(n) for n in strength[p]] if strength else list(components.CREW_START)
        s.stones[p] = stones[p] if stones else 2 + p
        s.market[p][:] = [int(n) for n in markets[p]] if markets else [1, 1]
        s.vp[p] = vp[p] if vp else 0
        s.columns[p] = columns[p] if columns else 0
        s.held[p] = cards(held[p]) if held else 0
        s.level[p][:] = [int(n) for n in levels[p]] if levels else [0, 0, 0]
    s.obelisk[: len(obelisk)] = bricks(obelisk)
    for row, text in enumerate(pyramid):
        s.pyramid[row][: len(text)] = bricks(text)
    lay_river(s, laid)
    for p, text in enumerate(ships):
        for code in text.split():
            send(s, p, names.LOCATION_CODES.index(code))
    return s


def lay_river(s: State, laid: str) -> None:
    """Tiles and cards of the round; what nobody holds is in a later deck, or out of the game."""
    for space, name in enumerate(laid.split()):
        s.laid[space] = components.TILE_NAMES.index(name) if components.TILE_OPEN[s.players - 2][space] else CLOSED_SPACE
    for space, name in enumerate(RIVERS[s.round].split()):
        if components.CARD_OPEN[s.players - 2][space]:
            s.river[space] = 1 + components.CARD_NAMES.index(name)
    taken = sum(1 << (card - 1) for card in s.river if card) | sum(s.held)
    later = sum(
        1 << card for card in range(len(components.CARD_NAMES)) if components.DECK_OF[card] > components.DECK_OF_ROUND[s.round]
    )
    s.undrawn = later & ~taken & ~s.gone
    s.gone = components.ALL_CARDS & ~taken & ~s.undrawn


def send(s: State, p: int, location: int) -> None:
    """A ship of p lies at a location; a card that was there has been used up."""
    s.ships[p] -= 1
    s.frontier[p] = max(s.frontier[p], placement.index_of(location))
    if location < Location.TILE:
        s.card_ship[location] = 1 + p
        s.discarded |= 1 << (s.river[location] - 1)
        s.river[location] = 0
    elif location < Location.DOCK:
        s.tile_ships[location - Location.TILE][p] += 1
    else:
        dock, space = divmod(location - Location.DOCK, components.DOCK_SPACES)
        if location >= Location.BANK:
            dock = location - Location.BANK
            s.speculator[dock] = 1 + p
        else:
            s.dock[dock][space] = 1 + p
            s.first_berth[p] = 1 + space if dock == len(s.dock) - 1 else s.first_berth[p]
        s.present[p] |= 1 << dock


def after(s: State, *chosen: int) -> State:
    """The table after some choices of whoever is asked."""
    for a in chosen:
        actions.apply(s, s.chooser, a)
    return s


def all_pass(s: State) -> State:
    """Nobody places any more: mining, feeding and building follow until somebody is asked."""
    s.passed = (1 << s.players) - 2
    return after(s, Action.PASS)


# --- Pictures -----------------------------------------------------------------------------------------------------

HELD = ("N12-08 N12-01 N12-14", "N12-10 N12-02 N12-16 N12-04", "N12-06 N12-09 N12-05", "N12-03 N12-11 N12-19")
middle = partial(  # four players in the middle of a game
    position,
    4,
    3,
    held=HELD,
    strength=("3224", "2333", "4223", "2423"),
    stones=(9, 6, 8, 5),
    markets=("32", "23", "33", "21"),
    vp=(21, 18, 18, 14),
    obelisk="RBBWRG",
    columns=(3, 2, 1, 4),
    levels=("110", "012", "201", "021"),
    pyramid=("RWWBGB", "WRB", "W"),
)


def fed(ships: Seats, columns: tuple[int, ...] = (3, 2, 1, 4)) -> State:
    """The same after mining and feeding; everybody has enough grain, and nobody can sell."""
    return all_pass(middle(ships, ring=3, markets=("22", "23", "23", "21"), columns=columns))


def feeding() -> State:
    """Seat 0 has just enough grain for strong crews, and may play a grain card."""
    strength = ("4344", "2222", "2222", "2222")
    return all_pass(middle(("C1 D1.1", "T1", "C2", "C3"), held=(f"{HELD[0]} N12-20", *HELD[1:]), strength=strength))


def full_dock() -> State:
    """The first dock is full: seat 0 may speculate there."""
    return position(
        4,
        2,
        ("C1 T2", "T1 D1.1", "C2 D1.3", "C3 D1.2 C5"),
        held=("N12-08 N12-01", "N12-06 N12-19", "N12-04 N12-20", "N12-03 N12-16"),
        strength=("2213", "1222", "2122", "1213"),
        stones=(5, 4, 6, 3),
        markets=("21", "12", "11", "21"),
        vp=(5, 3, 6, 2),
        obelisk="BW",
        columns=(1, 0, 1, 0),
        levels=("100", "000", "010", "000"),
        pyramid=("RWG",),
        laid="NT4 NT1 NT7 NT6 NT2 NT5 NT3",
    )


def sphinx_drawn() -> State:
    """Seat 0 has drawn four Sphinx cards."""
    s = fed(("C1 D3.1", "T1 D3.2", "C2 D3.3", "C3"))
    names = ("S08", "S27", "S06", "S20")
    s.tape[: len(names)] = [1 + components.SPHINX_NAMES.index(name) for name in names]
    return after(s, Action.BUILD, Action.CREW, Action.CREW + 3, Action.NUMBER + len(names) - 1)


def final_example() -> State:
    """The end of a game of four, with a tie."""
    s = position(
        4,
        5,
        ("", "", "", ""),
        order="WRGB",
        held=("N5-11 N12-08", "N34-22 N12-01 N12-02 N34-03", "N5-12 N12-10", "N12-06 N34-08"),
        strength=("5435", "4214", "5445", "3444"),
        stones=(7, 4, 9, 11),
        markets=("34", "35", "23", "44"),
        vp=(52, 61, 58, 66),
        obelisk="RRBBRWWRRBG",
        columns=(4, 7, 5, 3),
        levels=("231", "102", "313", "202"),
        pyramid=("RRWWGG", "WWGGG", "GWR"),
        statues="A3 B1 B5",
    )
    kept = ("S03 S16", "S07 S17 S29", "S10 S14 S20", "S09 S18")
    for p, hand in enumerate(kept):
        first, *drawn = [1 + components.SPHINX_NAMES.index(name) for name in hand.split()]
        s.dealt[p][:] = [first, 1 + components.SPHINX_NAMES.index(("S01", "S02", "S04", "S05")[p])]
        for card in drawn:
            s.tape[s.tape_top] = card
            s.tape_top += 1
            s.draw_by[s.draws], s.draw_size[s.draws], s.draw_keeps[s.draws], s.draw_kept[s.draws] = 1 + p, 1, 1, 1
            s.draws += 1
    for space, card in enumerate(s.river):
        s.gone |= 1 << (card - 1)
        s.river[space] = 0
    scoring.score_game(s)
    s.phase, s.step, s.passed = Phase.END, Step.OVER, 0
    return s


PICTURES: dict[str, Callable[[], State]] = {
    "cover": lambda: middle(("C1 T2 D1.1", "T1 C3 D1.2", "C2 T3 D1.3", "C4 C5")),
    "setup": lambda: blank(3, "A4 B2 A1", "G3 G9"),
    "river": lambda: position(3, 1, ("C1 T2", "T1 C3", "C2 D1.1"), statues="A4 B2 A1", tiles="G3 G9"),
    "dock": full_dock,
    "feeding": feeding,
    "obelisk": lambda: after(
        fed(("C1 D1.1", "T1 D1.2", "C2", "C3 D1.3")), Action.BUILD, Action.CREW, Action.CREW + 3, Action.OBELISK
    ),
    "colonnade": lambda: after(
        fed(("C1 D1.1", "T1", "C2 D1.2", "C3"), (2, 5, 1, 4)), Action.BUILD, Action.CREW, Action.CREW + 3, Action.COLUMN
    ),
    "statues": lambda: after(
        fed(("C1 D2.1", "T1", "C2 D2.2", "C3")), Action.BUILD, Action.CREW, Action.CREW + 3, Action.STATUE + 2
    ),
    "pyramid": lambda: after(fed(("C1 D2.1", "T1", "C2 D2.2", "C3")), Action.BUILD, Action.CREW, Action.CREW + 3, Action.ROW + 1),
    "sphinx": sphinx_drawn,
    "end": final_example,
}
