"""What a player sees, as numbers; seats are counted from the player's own.

A seat that nobody has is shown as it stands in the record, where it has nothing: no number needs a branch for it. `sightings` and
`draws` tell apart all that a player can know of the Sphinx deck: where each card lay that he has drawn, and what others drew.
"""

from __future__ import annotations

from perankh.engine.api import Constants, Feature, put, put_bits, put_digits, put_one_hot, put_row, rule

from . import components, sphinx
from .components import (
    BONUS_TILES,
    CARD_SPACES,
    CARDS,
    COLUMNS,
    DOCK_SPACES,
    DOCKS,
    NUMBER_OF_CREWS,
    NUMBER_OF_MARKETS,
    OBELISK_SPACES,
    OCCUPIED_TILE,
    PYRAMID_ROWS,
    ROUNDS,
    SEATS,
    SPHINX_CARDS,
    SPHINX_MOST,
    STATUE_SPACES,
    STATUES,
    STATUES_IN_PLAY,
    STORE,
    TILE_SPACES,
    TILES,
    TRAIN,
)
from .state import LOCATIONS, TAPE, Phase, SphinxReturn, State, Step, Touched

STEPS = Step.OVER  # one-hot; none of them at the end
PHASES = Phase.BUILDING  # one-hot from TRAINING on; none of them at set-up and at the end
CREW_MOST = State.options["crew_max"].high
SHIPS_MOST = State.options["ships_per_player"].high
DRAWN_MOST = max(SPHINX_MOST)
PYRAMID_SPACES = max(map(sum, components.ROW_SPACES))
BRICKS_MOST = max(OBELISK_SPACES + COLUMNS, STATUES_IN_PLAY + PYRAMID_SPACES, DRAWN_MOST)
ROW_WIDTH = Constants(max(widths) for widths in zip(*components.ROW_SPACES, strict=True))
SPENDABLE = Constants(card for card in range(CARDS) if (TRAIN | OCCUPIED_TILE) >> card & 1)  # cards used once a round
TILE_BITS = 2  # the eyes of the yellow and the purple colonnade tile
TOUCHED = len(Touched)
BLOCK_BITS = 8
BLOCK = 1 << BLOCK_BITS  # victory points in a unit of `seats.vp_blocks`

# What became of a card in a `sightings` row; from RETURNED on: put under the deck as the first, the second, ...
DRAWN, KEPT, RETURNED = 1, 2, 3


def option_feature(name: str) -> Feature:
    """An option by its stored number."""
    option = State.options[name]
    low, high = (option.low, option.high) if option.kind == "whole" else (0, max(1, len(option.values) - 1))
    return Feature(f"options.{name}", f"the option {name}", low=low, high=high)


FEATURES = (
    Feature("seats.place", "place in the turn order, 0 for a seat that nobody has", (SEATS,), high=SEATS, axis="seats"),
    Feature("seats.arrival", "order of the last changes of VP, which breaks ties", (SEATS,), high=SEATS, axis="seats"),
    Feature("seats.vp", f"VP without whole blocks of {BLOCK}", (SEATS,), low=-BLOCK // 2, high=BLOCK // 2 - 1, axis="seats"),
    Feature("seats.vp_blocks", f"blocks of {BLOCK} VP besides", (SEATS,), low=-128, high=127, axis="seats"),
    Feature("seats.stones", "stones", (SEATS,), high=STORE, axis="seats"),
    Feature("seats.tokens", "speculation tokens", (SEATS,), high=2 * SHIPS_MOST, axis="seats"),
    Feature("seats.columns", "columns of the colonnade", (SEATS,), high=COLUMNS, axis="seats"),
    Feature("seats.closed_eyes", "uses spent: 1 yellow, 2 purple tile", (SEATS,), high=(1 << TILE_BITS) - 1, axis="seats"),
    Feature("seats.ships", "ships left this round", (SEATS,), high=SHIPS_MOST, axis="seats"),
    Feature("seats.frontier", "how far down the river", (SEATS,), high=max(components.INDEX_OF), axis="seats"),
    Feature("seats.first_berth", "space at which the ship came to the Sphinx", (SEATS,), high=DOCK_SPACES, axis="seats"),
    Feature("seats.passed", "has passed", (SEATS,), axis="seats"),
    Feature("seats.acted", "has acted at the dock being resolved", (SEATS,), axis="seats"),
    Feature("seats.decided", "has chosen at set-up", (SEATS,), axis="seats"),
    Feature("seats.decides", "has to decide", (SEATS,), axis="seats"),
    Feature("seats.strength", "strength of each crew", (SEATS, NUMBER_OF_CREWS), high=CREW_MOST, axis="seats"),
    Feature("seats.flipped", "crews turned face down", (SEATS, NUMBER_OF_CREWS), axis="seats"),
    Feature("seats.market", "spaces on both markets", (SEATS, NUMBER_OF_MARKETS), high=components.GRAIN_SPACES, axis="seats"),
    Feature("seats.level", "spaces built on each statue", (SEATS, STATUES_IN_PLAY), high=STATUE_SPACES, axis="seats"),
    Feature("seats.berth", "dock spaces, the last number beside the dock", (SEATS, DOCKS), high=DOCK_SPACES + 1, axis="seats"),
    Feature("seats.present", "docks with a ship sent there", (SEATS, DOCKS), axis="seats"),
    Feature("seats.built", "docks built at this round", (SEATS, DOCKS), axis="seats"),
    Feature("seats.draw_starts", "1 + place of the deck where each draw began", (SEATS, ROUNDS), high=TAPE, axis="seats"),
    Feature("seats.draw_keeps", "cards kept of each draw", (SEATS, ROUNDS), high=2, axis="seats"),
    Feature("cards.undrawn", "Nile cards in their decks", (CARDS,), axis="cards"),
    *(
        Feature(f"cards.held_{k}", f"1 before seat {k} from the own one on, -1 used up", (CARDS,), low=-1, axis="cards")
        for k in range(SEATS)
    ),
    Feature("cards.space", "1 + space of the river where it lies", (CARDS,), high=CARD_SPACES, axis="cards"),
    Feature("river.ship", "1 + seat of the ship", (CARD_SPACES,), high=SEATS, axis="card_spaces"),
    Feature("river.spent", "cards used for this round", (len(SPENDABLE),)),
    Feature("river.improved", "1 + field each improver lies at", (len(components.IMPROVERS),), high=components.FIELD_IDS),
    Feature("tiles.laid", "Nile tile on each tile space", (TILE_SPACES, TILES), axis="tile_spaces"),
    Feature("tiles.ships", "ships of each seat there", (TILE_SPACES, SEATS), high=SHIPS_MOST, axis="tile_spaces"),
    Feature("bonus.place", "1 on the yellow, 2 on the purple place", (BONUS_TILES,), high=2, axis="bonus_tiles"),
    Feature("statues.place", "1 + place of the statue", (STATUES,), high=STATUES_IN_PLAY, axis="statues"),
    Feature("monuments.obelisk", "1 + seat of the brick, from the bottom", (OBELISK_SPACES,), high=SEATS),
    Feature("monuments.pyramid", "1 + seat of the brick, row by row from the bottom", (sum(ROW_WIDTH),), high=SEATS),
    Feature("sphinx.hand", "1 + seat whose hand it is known to be in", (SPHINX_CARDS,), high=SEATS, axis="sphinx_cards"),
    Feature("sphinx.dealt", "own at set-up: 1 first, later kept; 2 second", (SPHINX_CARDS,), high=2, axis="sphinx_cards"),
    Feature("sphinx.seen_at", "1 + place of the deck where seen last", (SPHINX_CARDS,), high=TAPE, axis="sphinx_cards"),
    Feature("sphinx.depth", "its place from the top, 0: unknown", (SPHINX_CARDS,), high=SPHINX_CARDS, axis="sphinx_cards"),
    Feature("sightings.card", "1 + Sphinx cards of each own draw", (ROUNDS, DRAWN_MOST), high=SPHINX_CARDS, axis="own_draws"),
    Feature(
        "sightings.fate",
        f"{DRAWN} drawn, {KEPT} kept, {RETURNED} and more: returned first, second, ...",
        (ROUNDS, DRAWN_MOST),
        high=RETURNED + DRAWN_MOST - 1,
        axis="own_draws",
    ),
    Feature("turn.step", "the decision that is due", (STEPS,)),
    Feature("turn.phase", "the phase of the round", (PHASES,)),
    Feature("turn.players", "players at the table", low=2, high=SEATS),
    Feature("turn.round", "the round", high=ROUNDS),
    Feature("turn.turn", "whose turn in the turn order", high=SEATS),
    Feature("turn.ring", "position of the ring", high=components.RING_POSITIONS),
    Feature("turn.drawn", "Sphinx cards drawn from the deck", high=TAPE),
    Feature("turn.deck_end", "places of the Sphinx deck in all", high=TAPE),
    Feature("turn.source", "1 + card or tile whose effect is under way", high=CARDS + TILES),
    Feature("turn.part", "next part of it", high=components.PARTS_MOST + 1),
    Feature("turn.times", "times it is still carried out", high=2),
    Feature("turn.raised", "crews raised by it", (NUMBER_OF_CREWS,)),
    Feature("turn.target", "1 + location of the ship being placed", high=LOCATIONS),
    Feature("turn.extra", "extra ships of the turn", high=SHIPS_MOST),
    Feature("turn.docking", "1 + the dock being resolved", high=DOCKS),
    Feature("turn.berth", "1 + space of the acting ship", high=DOCK_SPACES),
    Feature("turn.budget", "stones that may still be spent", high=STORE),
    Feature("turn.bricks", "bricks put in the build, or Sphinx cards named", high=BRICKS_MOST),
    Feature("turn.line", "touched: obelisk above and below the line, column", (TOUCHED,)),
    Feature("turn.carved", "statues built on in the build", (STATUES_IN_PLAY,)),
    Feature("turn.new_tile", "a tile with VP for bricks was won in the build"),
    Feature("turn.keep_two", "1 + the keep-two card played", high=CARDS),
    Feature("turn.harvest", "grain of the feeding player, in digits", (2,), high=127),
    Feature("turn.shortage", "grain missing, in digits", (2,), high=127),
    Feature("turn.power", "strength of the build, in digits", (2,), high=127),
    *(option_feature(name) for name in State.options),
)

DERIVED = (
    "gone",  # the Nile cards that are nowhere else
    "turned",  # by the colonnade tile that turns the starter field, for all who have its column
    "draws",  # as many as there are starts of draws
    "draw_size",  # from one start to the next, or to the top of the deck
    "final",  # the points of a finished game, in which everything lies open
)


def start_of(name: str) -> int:
    """Where the numbers of a feature begin. Loops over known places are vectorised, those over places handed on are not."""
    names = [feature.name for feature in FEATURES]
    return sum(feature.size for feature in FEATURES[: names.index(name)])


DRAWS_AT, CARDS_AT, TILES_AT = start_of("seats.draw_starts"), start_of("cards.undrawn"), start_of("tiles.laid")
MONUMENTS_AT, SPHINX_AT, SIGHTINGS_AT = start_of("monuments.obelisk"), start_of("sphinx.hand"), start_of("sightings.card")
TURN_AT, OPTIONS_AT = start_of("turn.step"), start_of("options.crew_max")


@rule
def observe(s: State, p: int, out: list[int]) -> int:
    """Seats, cards and tiles, monuments, the Sphinx, the turn, and the options."""
    observe_seats(s, p, out)
    observe_draws(s, p, out)
    observe_cards(s, p, out)
    observe_tiles(s, p, out)
    observe_monuments(s, p, out)
    observe_sphinx(s, p, out)
    observe_sightings(s, p, out)
    observe_turn(s, out)
    return observe_options(s, out)


# --- Helpers ------------------------------------------------------------------------------------------------------


@rule
def seat_at(s: State, p: int, k: int) -> int:
    """The seat k places after p's; if nobody has it, one of those that have nothing."""
    q = p + k if p + k < s.players else p + k - s.players
    return q if k < s.players else k


@rule
def distance(s: State, p: int, q: int) -> int:
    """How many places after p's a seat comes."""
    return q - p if q >= p else q - p + s.players


@rule
def owners(s: State, p: int) -> int:
    """1 + the distance of each seat, four bits for each mark of a seat (1 + its number, 0: none)."""
    packed = 0
    for q in range(SEATS):
        packed |= (1 + (q - p + (s.players if q < p else 0))) << (4 + 4 * q)
    return packed


@rule
def put_zeros(out: list[int], i: int, size: int) -> int:
    """So many zeros."""
    for k in range(size):
        out[i + k] = 0
    return i + size


# --- Seats --------------------------------------------------------------------------------------------------------


@rule
def observe_seats(s: State, p: int, out: list[int]) -> None:
    """Tracks, crews, statues and ships of each seat."""
    i = put_zeros(out, 0, 2 * SEATS)
    for place in range(s.players):
        out[distance(s, p, s.order[place])] = 1 + place
        out[SEATS + distance(s, p, s.arrived[place])] = 1 + place
    for k in range(SEATS):
        q = seat_at(s, p, k)
        vp = s.vp[q] + BLOCK // 2
        out[i + k] = (vp & (BLOCK - 1)) - BLOCK // 2
        out[i + SEATS + k] = vp >> BLOCK_BITS
        out[i + 2 * SEATS + k] = s.stones[q]
        out[i + 3 * SEATS + k] = s.tokens[q]
        out[i + 4 * SEATS + k] = s.columns[q]
        out[i + 5 * SEATS + k] = s.closed_eye[q]
        out[i + 6 * SEATS + k] = s.ships[q]
        out[i + 7 * SEATS + k] = s.frontier[q]
        out[i + 8 * SEATS + k] = s.first_berth[q]
        out[i + 9 * SEATS + k] = (s.passed >> q) & 1
        out[i + 10 * SEATS + k] = (s.acted >> q) & 1
        out[i + 11 * SEATS + k] = (s.decided >> q) & 1
        out[i + 12 * SEATS + k] = s.chooser == q
    i += 13 * SEATS
    for k in range(SEATS):
        i = put_row(out, i, s.strength[seat_at(s, p, k)], NUMBER_OF_CREWS)
    for k in range(SEATS):
        i = put_bits(out, i, s.flipped[seat_at(s, p, k)], NUMBER_OF_CREWS)
    for k in range(SEATS):
        i = put_row(out, i, s.market[seat_at(s, p, k)], NUMBER_OF_MARKETS)
    for k in range(SEATS):
        i = put_row(out, i, s.level[seat_at(s, p, k)], STATUES_IN_PLAY)
    for k in range(SEATS):
        mark = 1 + seat_at(s, p, k)
        for dock in range(DOCKS):
            berth = (DOCK_SPACES + 1) * (s.speculator[dock] == mark)
            for space in range(DOCK_SPACES):
                berth += (1 + space) * (s.dock[dock][space] == mark)
            i = put(out, i, berth)
    for k in range(SEATS):
        i = put_bits(out, i, s.present[seat_at(s, p, k)], DOCKS)
    for k in range(SEATS):
        i = put_bits(out, i, s.built[seat_at(s, p, k)], DOCKS)


@rule
def observe_draws(s: State, p: int, out: list[int]) -> None:
    """Of each seat's draws from the Sphinx deck: where they began, and how many cards were kept."""
    put_zeros(out, DRAWS_AT, 2 * SEATS * ROUNDS)
    start = 1
    earlier = 0  # draws of each seat, four bits a seat
    for e in range(s.draws):
        k = distance(s, p, s.draw_by[e] - 1)
        at = DRAWS_AT + ROUNDS * k + ((earlier >> (4 * k)) & 15)
        out[at] = start
        out[at + SEATS * ROUNDS] = s.draw_keeps[e]
        start += s.draw_size[e]
        earlier += 1 << (4 * k)


# --- River --------------------------------------------------------------------------------------------------------


@rule
def observe_cards(s: State, p: int, out: list[int]) -> None:
    """Where every Nile card is; the rest is out of the game."""
    i = put_bits(out, CARDS_AT, s.undrawn, CARDS)
    used = s.discarded
    for k in range(SEATS):
        held = s.held[seat_at(s, p, k)]
        for card in range(CARDS):
            out[i + card] = ((held >> card) & 1) - ((used >> card) & 1)
        i += CARDS
    put_zeros(out, i, CARDS)
    for space in range(CARD_SPACES):
        card = s.river[space]
        if card > 0:
            out[i + card - 1] = 1 + space
    i += CARDS
    packed = owners(s, p)
    for space in range(CARD_SPACES):
        i = put(out, i, (packed >> (4 * s.card_ship[space])) & 15)
    for k in range(len(SPENDABLE)):
        i = put(out, i, (s.spent >> SPENDABLE[k]) & 1)
    put_row(out, i, s.improved, len(components.IMPROVERS))


@rule
def observe_tiles(s: State, p: int, out: list[int]) -> None:
    """Nile tiles and the ships on them, colonnade tiles and statues."""
    i = TILES_AT
    for space in range(TILE_SPACES):
        i = put_one_hot(out, i, s.laid[space], TILES)
    for space in range(TILE_SPACES):
        for k in range(SEATS):
            i = put(out, i, s.tile_ships[space][seat_at(s, p, k)])
    put_zeros(out, i, BONUS_TILES + STATUES)
    for place in range(TILE_BITS):
        out[i + s.bonus_tile[place]] = 1 + place
    for place in range(STATUES_IN_PLAY):
        if s.statue[place] > 0:
            out[i + BONUS_TILES + s.statue[place] - 1] = 1 + place


@rule
def observe_monuments(s: State, p: int, out: list[int]) -> None:
    """Bricks of obelisk and pyramid."""
    i = MONUMENTS_AT
    packed = owners(s, p)
    for space in range(OBELISK_SPACES):
        i = put(out, i, (packed >> (4 * s.obelisk[space])) & 15)
    for row in range(PYRAMID_ROWS):
        for space in range(ROW_WIDTH[row]):
            i = put(out, i, (packed >> (4 * s.pyramid[row][space])) & 15)


# --- Sphinx -------------------------------------------------------------------------------------------------------


@rule
def observe_sphinx(s: State, p: int, out: list[int]) -> None:
    """Of each Sphinx card: whose hand it is in, whether it was dealt to p, and where it was seen last."""
    i = put_bits(out, SPHINX_AT, sphinx.hand(s, p), SPHINX_CARDS)
    if s.step == Step.OVER:
        for k in range(1, s.players):
            cards = sphinx.hand(s, seat_at(s, p, k))
            for card in range(SPHINX_CARDS):
                out[SPHINX_AT + card] += (1 + k) * ((cards >> card) & 1)
    put_zeros(out, i, 3 * SPHINX_CARDS)
    for which in range(2):
        if s.dealt[p][which] > 0:
            out[i + s.dealt[p][which] - 1] = 1 + which
    fresh = sphinx.fresh_places(s)
    observe_places(s, 0, min(s.tape_top, fresh), out)
    observe_places(s, fresh, s.tape_end, out)


@rule
def observe_places(s: State, first: int, end: int, out: list[int]) -> None:
    """The cards seen at some places of the Sphinx deck."""
    for place in range(first, end):
        card = s.tape[place]
        if card > 0:
            out[SPHINX_AT + 2 * SPHINX_CARDS + card - 1] = 1 + place
            out[SPHINX_AT + 3 * SPHINX_CARDS + card - 1] = max(0, 1 + place - s.tape_top)


@rule
def observe_sightings(s: State, p: int, out: list[int]) -> None:
    """The cards of p's draws in order, and what became of each."""
    put_zeros(out, SIGHTINGS_AT, 2 * ROUNDS * DRAWN_MOST)
    at = SIGHTINGS_AT
    fate = SIGHTINGS_AT + ROUNDS * DRAWN_MOST
    drawn = 0
    returned = sphinx.fresh_places(s)
    for e in range(s.draws):
        back = sphinx.returned_in(s, e, returned)
        if s.draw_by[e] == 1 + p:
            for j in range(s.draw_size[e]):
                out[at + j] = s.tape[drawn + j]
                out[fate + j] = KEPT if (s.draw_kept[e] >> j) & 1 else DRAWN
            if s.sphinx_return != SphinxReturn.SHUFFLED:
                mark_returned(s, drawn, s.draw_size[e], returned, back, out, fate)
            at += DRAWN_MOST
            fate += DRAWN_MOST
        drawn += s.draw_size[e]
        returned += back


@rule
def mark_returned(s: State, drawn: int, size: int, returned: int, back: int, out: list[int], i: int) -> None:
    """In what order the cards of a draw went back."""
    for k in range(back):
        for j in range(size):
            if s.tape[drawn + j] == s.tape[returned + k]:
                out[i + j] = RETURNED + k


# --- Turn ---------------------------------------------------------------------------------------------------------


@rule
def observe_turn(s: State, out: list[int]) -> None:
    """Step, phase, and what is under way."""
    i = put_one_hot(out, TURN_AT, s.step, STEPS)
    i = put_one_hot(out, i, s.phase - Phase.TRAINING, PHASES)
    i = put(out, i, s.players)
    i = put(out, i, s.round)
    i = put(out, i, s.turn)
    i = put(out, i, s.ring)
    i = put(out, i, s.tape_top)
    i = put(out, i, s.tape_end)
    i = put(out, i, s.source)
    i = put(out, i, s.part)
    i = put(out, i, s.times)
    i = put_bits(out, i, s.raised, NUMBER_OF_CREWS)
    i = put(out, i, s.target)
    i = put(out, i, s.extra)
    i = put(out, i, s.docking)
    i = put(out, i, s.berth)
    i = put(out, i, s.budget)
    i = put(out, i, s.bricks)
    i = put_bits(out, i, s.line, TOUCHED)
    i = put_bits(out, i, s.carved, STATUES_IN_PLAY)
    i = put(out, i, s.new_tile)
    i = put(out, i, s.keep_two)
    i = put_digits(out, i, s.harvest, 2)
    i = put_digits(out, i, s.shortage, 2)
    put_digits(out, i, s.power, 2)


@rule
def observe_options(s: State, out: list[int]) -> int:
    """The options, in the order of the record."""
    i = put(out, OPTIONS_AT, s.crew_max)
    i = put(out, i, s.ships_per_player)
    i = put(out, i, s.brick_limit)
    i = put(out, i, s.stone_market_spaces)
    i = put(out, i, s.coop_order)
    i = put(out, i, s.coop_needs)
    i = put(out, i, s.sphinx_return)
    i = put(out, i, s.surplus_sale)
    i = put(out, i, s.sphinx_max)
    i = put(out, i, s.decline_pack)
    i = put(out, i, s.colonnade_market_bonus)
    i = put(out, i, s.g3_start)
    i = put(out, i, s.keep2_when)
    i = put(out, i, s.improver_waits)
    i = put(out, i, s.second_ship_stack)
    i = put(out, i, s.g10_same_tile)
    i = put(out, i, s.tiles_2p_round1)
    i = put(out, i, s.finish_bonus_2p)
    return put(out, i, s.pyramid_majority_zero)
