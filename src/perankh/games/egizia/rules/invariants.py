"""What always holds in Egizia."""

from __future__ import annotations

from perankh.engine.api import masks, rule

from . import components, hidden, monuments, nile, placement, sphinx, tracks
from .components import Bonus, Crew, Dock, Market, Part
from .state import PARTS_OF_FINAL, BrickLimit, Location, Phase, SphinxReturn, State, Step

INVARIANTS = (
    "every Nile card is in a deck, on the river, before one player, discarded, or out of the game",
    "Sphinx cards in deck and hands, and those being drawn, are all there are, each once",
    "cards go back under the Sphinx deck out of those drawn, and each player keeps what the draws allow",
    "stones are 0 to 25, and fall only by building and by feeding",
    "strengths are between the least and the limit, and fall only by a card that lowers a crew",
    "market spaces exist and are never left downwards; the ring is in one of three positions",
    "every ship is with its owner or on the river, and the frontier is that of the most downstream one",
    "a space holds one ship, a shared tile only by an ability, a dock one ship of each player",
    "docks use their open spaces, and a ship speculates only at a full dock",
    "the frontier never falls within a round",
    "the obelisk grows from the bottom, columns from the left, rows of the pyramid on two bricks each, and bricks stay",
    "statue levels are at most the rounds played, on statues in play",
    "no player has more bricks than the limit",
    "each build has flipped a basic crew, and there are at most three builds a round",
    "turn order and order of arrival hold each seat once",
    "VP do not fall while ships are placed, and never change while crews are trained",
    "what is used up for the round or the game is owned",
    "improvers lie at a field of their owner",
    "a build spends no more than stones and strength allow, brick by brick",
    "what is under way fits step and phase",
    "rounds go from 1 to 5, and final points are counted at the end alone",
    "seats that are not at the table have nothing",
)


def steps(*members: Step) -> int:
    """A set of steps."""
    return sum(1 << step for step in members)


EFFECT_STEPS = steps(Step.RAISE, Step.LOWER, Step.RING, Step.ATTACH)
ON_THE_WAY = steps(Step.OCCUPIED, Step.UPSTREAM, Step.DOUBLE)
PLACEMENT_STEPS = ON_THE_WAY | steps(Step.LOCATION, Step.SECOND)
FEEDING_STEPS = steps(Step.GRAIN, Step.FEED, Step.SELL)
DRAW_STEPS = steps(Step.KEEP, Step.KEEP_MORE, Step.KEEP_SECOND, Step.RETURN)
PAID_STEPS = DRAW_STEPS | steps(Step.BASIC2, Step.LEADER, Step.POWER, Step.SPACE, Step.NUMBER)
BUILDING_STEPS = PAID_STEPS | steps(Step.BUILD, Step.BASIC, Step.MARKET, Step.LATE)
LOWERERS = [
    source
    for source, parts in enumerate(components.EFFECT_PARTS)
    if any(row[0] == Part.LOWER_CREW or (row[0] == Part.CREW and row[2] < 0) for row in parts)
]
LOWERING = components.mask_of(source for source in LOWERERS if source < components.CARDS)  # cards that lower a crew
TILES_LOWER = len(LOWERERS) > LOWERING.bit_count()  # does a tile?
MOST_SPHINX = 1 + components.ROUNDS + components.KEEP_TWO.bit_count()


@rule
def violated(s: State, before: State) -> int:
    """The first invariant that does not hold, counted from 1, or 0."""
    wrong = cards_wrong(s)
    if wrong == 0:
        wrong = tracks_wrong(s, before)
    if wrong == 0 and s.round > 0:
        wrong = ships_wrong(s, before)
    if wrong == 0:
        wrong = monuments_wrong(s, before)
    if wrong == 0:
        wrong = round_wrong(s, before)
    if wrong == 0:
        wrong = under_way_wrong(s, before)
    return wrong


# --- Cards --------------------------------------------------------------------------------------------------------


@rule
def cards_wrong(s: State) -> int:
    """Nile and Sphinx cards."""
    cards = s.undrawn | s.discarded | s.gone | nile.river_cards(s)
    n = masks.count(s.undrawn) + masks.count(s.discarded) + masks.count(s.gone) + masks.count(nile.river_cards(s))
    for p in range(s.players):
        cards |= s.held[p]
        n += masks.count(s.held[p])
    if cards != components.ALL_CARDS or n != components.CARDS:
        return 1
    if not dealt_right(s):
        return 2
    if s.step != Step.START and not deck_right(s):
        return 2
    if not draws_right(s):
        return 3
    return 0


@rule
def dealt_right(s: State) -> bool:
    """The cards dealt at set-up are different ones in the game."""
    cards = 0
    for p in range(s.players):
        for i in range(2):
            if s.dealt[p][i] == 0:
                return False
            cards = masks.added(cards, s.dealt[p][i] - 1)
    return masks.count(cards) == 2 * s.players and cards & ~sphinx.all_sphinx(s) == 0


@rule
def deck_right(s: State) -> bool:
    """Hands and the known part of the deck hold no card twice, and nothing is missing."""
    cards = 0
    n = 0
    for p in range(s.players):
        cards |= sphinx.hand(s, p)
        n += sphinx.hand_size(s, p)
    for place in range(s.tape_top, s.tape_end):
        if s.tape[place] > 0:
            cards = masks.added(cards, s.tape[place] - 1)
            n += 1
        elif s.sphinx_return != SphinxReturn.SHUFFLED and place >= sphinx.fresh_places(s):
            return False
    for place in range(s.tape_top):
        if s.tape[place] == 0:
            return False
    return masks.count(cards) == n and cards & ~sphinx.all_sphinx(s) == 0 and s.tape_top <= s.tape_end


@rule
def draws_right(s: State) -> bool:
    """Each draw has its size, its kept and its returned cards."""
    pending = 0
    for e in range(s.draws):
        drawn = sphinx.drawn_before(s, e)
        returned = sphinx.returned_before(s, e)
        back = sphinx.returned_in(s, e, returned)
        size = s.draw_size[e]
        kept = s.draw_kept[e]
        if size < 1 or kept >= 1 << size or masks.count(kept) != s.draw_keeps[e] or s.draw_keeps[e] > 2 or back < 0:
            return False
        pending = size - s.draw_keeps[e] - back
        for j in range(back):
            i = 0 if s.tape[returned + j] == 0 else hidden.place_among(s, s.tape[returned + j], kept, drawn, size)
            if i < 0 or (s.sphinx_return == SphinxReturn.DRAWN_ORDER and i != hidden.nth_left(kept, j)):
                return False
    for p in range(s.players):
        if sphinx.hand_size(s, p) > MOST_SPHINX:
            return False
    if pending > 0 and not masks.has(DRAW_STEPS, s.step):
        return False
    return pending >= 0 and sphinx.drawn_before(s, s.draws) == s.tape_top


# --- Tracks -------------------------------------------------------------------------------------------------------


@rule
def can_be_lowered(s: State, p: int) -> bool:
    """Whether a card that p has taken, or a tile, may have lowered one of its crews."""
    return TILES_LOWER or (s.discarded | s.held[p]) & LOWERING > 0


@rule
def tracks_wrong(s: State, before: State) -> int:
    """Stones, strengths, markets, ring, VP and their order."""
    for p in range(s.players):
        if not 0 <= s.stones[p] <= components.STORE:
            return 4
        if s.stones[p] < before.stones[p] and before.step != Step.FEED and not masks.has(BUILDING_STEPS, before.step):
            return 4
        for crew in range(components.NUMBER_OF_CREWS):
            if not components.CREW_LEAST <= s.strength[p][crew] <= s.crew_max:
                return 5
            if s.strength[p][crew] < before.strength[p][crew] and not can_be_lowered(s, p):
                return 5
        if s.strength[p][Crew.LEADER] < components.CREW_START[Crew.LEADER] and not can_be_lowered(s, p):
            return 5
        if not (
            before.market[p][Market.GRAIN] <= s.market[p][Market.GRAIN] <= components.GRAIN_SPACES
            and before.market[p][Market.STONE] <= s.market[p][Market.STONE] <= tracks.stone_top(s)
        ):
            return 6
        if s.market[p][Market.GRAIN] < 1 or s.market[p][Market.STONE] < 1:
            return 6
    if not 1 <= s.ring <= 3:
        return 6
    return order_wrong(s, before)


@rule
def order_wrong(s: State, before: State) -> int:
    """Turn order, arrival, and VP that may not move."""
    seats = 0
    arrived = 0
    for i in range(s.players):
        seats = masks.added(seats, s.order[i])
        arrived = masks.added(arrived, s.arrived[i])
        if s.round == before.round and s.phase == Phase.PLACEMENT and before.phase == Phase.PLACEMENT and s.vp[i] < before.vp[i]:
            return 16
        if s.round == before.round and s.phase == Phase.TRAINING and s.vp[i] != before.vp[i]:
            return 16
    return 0 if seats == arrived == masks.all_below(s.players) else 15


# --- Ships --------------------------------------------------------------------------------------------------------


@rule
def ships_wrong(s: State, before: State) -> int:
    """Where the ships are."""
    for p in range(s.players):
        if s.phase <= Phase.PLACEMENT and not fleet_right(s, p):
            return 7
        if s.round == before.round and s.frontier[p] < before.frontier[p] and s.phase != Phase.END:
            return 10
    if not spaces_right(s):
        return 8
    if not docks_right(s):
        return 9
    return 0


@rule
def fleet_right(s: State, p: int) -> bool:
    """P's ships, and how far down the river they have come."""
    n = s.ships[p]
    furthest = 0
    for space in range(components.CARD_SPACES):
        if s.card_ship[space] == 1 + p:
            n += 1
            furthest = max(furthest, placement.index_of(space))
    for space in range(components.TILE_SPACES):
        n += s.tile_ships[space][p]
        if s.tile_ships[space][p] > 0:
            furthest = max(furthest, placement.index_of(Location.TILE + space))
    for dock in range(components.DOCKS):
        here = ships_at_dock(s, p, dock)
        if here != (1 if masks.has(s.present[p], dock) else 0):
            return False
        n += here
        if here > 0:
            furthest = max(furthest, components.DOCK_INDEX[dock])
    return n == s.ships_per_player and furthest == s.frontier[p] and s.ships[p] >= 0


@rule
def ships_at_dock(s: State, p: int, dock: int) -> int:
    """P's ships at a dock, a speculating one included."""
    n = 1 if s.speculator[dock] == 1 + p else 0
    for space in range(components.DOCK_SPACES):
        if s.dock[dock][space] == 1 + p:
            n += 1
    return n


@rule
def spaces_right(s: State) -> bool:
    """Ships on card spaces have taken the card, more ships on a tile have used an ability."""
    for space in range(components.CARD_SPACES):
        if s.card_ship[space] > 0 and (s.river[space] > 0 or components.CARD_OPEN[s.players - 2][space] == 0):
            return False
        if s.phase == Phase.PLACEMENT and (s.card_ship[space] > 0 or s.river[space] > 0) != (
            components.CARD_OPEN[s.players - 2][space] == 1
        ):
            return False
    shared = 0
    for space in range(components.TILE_SPACES):
        ships = placement.ships_on_tile(s, space)
        shared += max(0, ships - 1)
        if ships > 0 and s.laid[space] < 0:
            return False
    uses = masks.count(s.spent & components.OCCUPIED_TILE)
    for p in range(s.players):
        for place in range(2):
            if masks.has(s.closed_eye[p], place) and components.BONUS_EFFECT[s.bonus_tile[place]] == Bonus.SHARED_TILE:
                uses += 1
        for dock in range(components.DOCKS):
            if ships_at_dock(s, p, dock) > 1:
                return False
    return shared <= uses


@rule
def docks_right(s: State) -> bool:
    """Closed spaces are empty, and ships speculate at full docks only."""
    for dock in range(components.DOCKS):
        for space in range(placement.open_spaces(s), components.DOCK_SPACES):
            if s.dock[dock][space] > 0:
                return False
        if s.speculator[dock] > 0 and s.phase <= Phase.LEFTOVER and not placement.dock_full(s, dock):
            return False
    return True


# --- Monuments ----------------------------------------------------------------------------------------------------


@rule
def monuments_wrong(s: State, before: State) -> int:
    """Bricks."""
    if not shared_right(s, before):
        return 11
    for p in range(s.players):
        if not before.columns[p] <= s.columns[p] <= components.COLUMNS:
            return 11
        for place in range(components.STATUES_IN_PLAY):
            level = s.level[p][place]
            if not before.level[p][place] <= level <= min(components.STATUE_SPACES, s.round) or (
                level > 0 and s.statue[place] == 0
            ):
                return 12
        if s.brick_limit == BrickLimit.BOX and monuments.all_bricks(s, p) > components.BRICK_LIMIT:
            return 13
        builds = masks.count(s.built[p])
        basics = masks.count(s.flipped[p] & ((1 << components.BASICS) - 1))
        if s.phase == Phase.BUILDING and (builds > basics or s.built[p] & ~s.present[p]):
            return 14
        if s.phase < Phase.BUILDING and (builds > 0 or basics > 0 or s.flipped[p] > 0):
            return 14
    return 0


@rule
def shared_right(s: State, before: State) -> bool:
    """Obelisk and pyramid are filled in order, and nobody takes a brick away."""
    height = monuments.obelisk_height(s)
    for space in range(components.OBELISK_SPACES):
        if s.obelisk[space] > 0 and (space >= height or height > components.OBELISK_HEIGHT[monuments.board(s)]):
            return False
        if before.obelisk[space] > 0 and before.obelisk[space] != s.obelisk[space]:
            return False
    for row in range(components.PYRAMID_ROWS):
        length = monuments.row_length(s, row)
        if row > 0 and length > max(0, monuments.row_length(s, row - 1) - 1):
            return False
        for space in range(components.PYRAMID_WIDTH):
            if s.pyramid[row][space] > 0 and space >= length:
                return False
            if before.pyramid[row][space] > 0 and before.pyramid[row][space] != s.pyramid[row][space]:
                return False
    return True


# --- Round and turn -----------------------------------------------------------------------------------------------


@rule
def round_wrong(s: State, before: State) -> int:
    """Uses, improvers, rounds, and empty seats."""
    if s.spent & ~components.KEPT_AFTER_USE:
        return 17
    held = 0
    for p in range(s.players):
        held |= s.held[p]
        for place in range(2):
            needed = components.YELLOW_COLUMN if place == 0 else components.PURPLE_COLUMN
            if masks.has(s.closed_eye[p], place) and (s.columns[p] < needed or components.BONUS_USE[s.bonus_tile[place]] == 0):
                return 17
        if s.tokens[p] < 0 or (s.tokens[p] > 0 and s.players > 2):
            return 17
    if s.spent & ~held:
        return 17
    if not improvers_right(s):
        return 18
    if not before.round <= s.round <= min(components.ROUNDS, before.round + 1) or (s.round == 0) != (s.step == Step.START):
        return 21
    for p in range(s.players):
        for part in range(PARTS_OF_FINAL):
            if s.final[p][part] < 0 or (s.final[p][part] > 0 and s.step != Step.OVER):
                return 21
    for p in range(s.players, components.SEATS):
        if s.held[p] or s.stones[p] or s.vp[p] or s.columns[p] or s.ships[p] or s.dealt[p][0] or monuments.pyramid_bricks(s, p):
            return 22
    return 0


@rule
def improvers_right(s: State) -> bool:
    """An attached improver and its field have the same owner."""
    for i in range(len(components.IMPROVERS)):
        if s.improved[i] < 0 or s.improved[i] > components.FIELD_IDS:
            return False
        if s.improved[i] > 0:
            owned = False
            for p in range(s.players):
                if masks.has(s.held[p], components.IMPROVERS[i]) and masks.has(nile.fields_of(s, p), s.improved[i] - 1):
                    owned = nile.field_colour(s, p, s.improved[i] - 1) >= 0
            if not owned:
                return False
    return True


@rule
def under_way_wrong(s: State, before: State) -> int:
    """The build, the feeding and the effect under way."""
    if s.budget < 0 or s.power < 0 or s.budget > s.power or (s.step == Step.SPACE and s.budget > s.stones[s.chooser]):
        return 19
    if s.step == Step.SPACE and before.step == Step.SPACE and s.bricks == before.bricks + 1:
        paid = before.stones[s.chooser] - s.stones[s.chooser]
        if paid < 1 or paid != before.budget - s.budget:
            return 19
    return 0 if step_right(s) else 20


@rule
def step_right(s: State) -> bool:
    """Step, phase and the fields of what is under way belong together."""
    step = s.step
    if not (0 <= s.chooser < s.players and step != Step.GO_ON and 0 <= s.shortage and s.harvest >= 0):
        return False
    if (s.phase == Phase.SETUP) != (step == Step.START) or (s.phase == Phase.END) != (step == Step.OVER):
        return False
    effect = masks.has(EFFECT_STEPS, step)
    if effect != (s.source > 0) or (s.source > 0) != (s.times > 0):
        return False
    if effect and not Phase.TRAINING <= s.phase <= Phase.LEFTOVER:
        return False
    if masks.has(PLACEMENT_STEPS, step) and s.phase != Phase.PLACEMENT:
        return False
    if masks.has(ON_THE_WAY, step) and s.target == 0:
        return False
    if (step == Step.LEFTOVER and s.phase != Phase.LEFTOVER) or masks.has(FEEDING_STEPS, step) != (s.phase == Phase.FEEDING):
        return False
    building = masks.has(BUILDING_STEPS, step)
    if building != (s.phase == Phase.BUILDING) or building != (s.docking > 0):
        return False
    if s.power > 0 and not masks.has(PAID_STEPS, step):
        return False
    if step == Step.RING or step == Step.LOWER or step == Step.MARKET or step == Step.UPSTREAM:
        return s.power == 0
    return not masks.has(DRAW_STEPS | 1 << Step.NUMBER, step) or s.docking - 1 == Dock.SPHINX
