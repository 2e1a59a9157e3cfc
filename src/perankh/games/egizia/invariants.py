"""What always holds in Egizia."""

from __future__ import annotations

from perankh.engine.api import rule

from .cards import count, field_colour, has, owns_field, river_cards
from .knowledge import nth_left, place_among, returned_in
from .monuments import all_bricks, board, obelisk_height, pyramid_bricks, row_length
from .placement import dock_full, index_of, open_spaces, ships_on_tile
from .printed import (
    ALL_CARDS,
    BASICS,
    BONUS_EFFECT,
    BONUS_USE,
    BRICK_LIMIT,
    CARD_OPEN,
    CARD_SPACES,
    CARDS,
    COLUMNS,
    CREW_LEAST,
    CREW_START,
    CREWS,
    DOCK_INDEX,
    DOCK_SPACES,
    DOCKS,
    EFFECT_PARTS,
    FIELD_IDS,
    GRAIN_SPACES,
    IMPROVERS,
    KEEP_TWO,
    KEPT_AFTER_USE,
    LEADER,
    LOWER_PART,
    OBELISK_HEIGHT,
    OBELISK_SPACES,
    OCCUPIED_TILE,
    PURPLE_COLUMN,
    PYRAMID_ROWS,
    PYRAMID_WIDTH,
    ROUNDS,
    SEATS,
    SHARED_TILE,
    SPHINX_DOCK,
    STATUE_SPACES,
    STATUES_IN_PLAY,
    STORE,
    TILE_SPACES,
    YELLOW_COLUMN,
)
from .sphinx import all_sphinx, drawn_before, fresh_places, hand, hand_size, returned_before
from .table import (
    ATTACH,
    BASIC,
    BUILDING,
    CHOOSE_BUILD,
    CHOOSE_MARKET,
    DOUBLE,
    END,
    FEED_STONES,
    FEEDING,
    FINAL,
    FIRST_TILE,
    GRAIN_CARD,
    KEEP,
    KEEP_MORE,
    LATE,
    LEFT_OVER,
    LEFTOVERS,
    LIMITED,
    LOCATION,
    LOWER,
    MOVE_RING,
    NAME_NUMBER,
    OCCUPIED,
    OVER,
    PLACEMENT,
    POWER,
    RAISE,
    RETURN,
    SECOND,
    SELL_GRAIN,
    SETUP,
    SHUFFLED,
    SPACE,
    START,
    TRAINING,
    UPSTREAM,
    State,
)
from .tracks import stone_top

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
NUMBER_OF_CREWS = len(CREWS)
NUMBER_OF_IMPROVERS = len(IMPROVERS)
PARTS_OF_FINAL = len(FINAL)
LOWERING = sum(1 << card for card in range(CARDS) if any(row[0] == LOWER_PART for row in EFFECT_PARTS[card]))
MOST_SPHINX = 1 + ROUNDS + KEEP_TWO.bit_count()


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
    cards = int(s.undrawn) | int(s.discarded) | int(s.gone) | river_cards(s)
    n = count(int(s.undrawn)) + count(int(s.discarded)) + count(int(s.gone)) + count(river_cards(s))
    for p in range(s.players):
        cards |= int(s.held[p])
        n += count(int(s.held[p]))
    if cards != ALL_CARDS or n != CARDS:
        return 1
    if not dealt_right(s):
        return 2
    if s.step != START and not deck_right(s):
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
            cards |= 1 << (s.dealt[p][i] - 1)
    return count(cards) == 2 * s.players and cards & ~all_sphinx(s) == 0


@rule
def deck_right(s: State) -> bool:
    """Hands and the known part of the deck hold no card twice, and nothing is missing."""
    cards = 0
    n = 0
    for p in range(s.players):
        cards |= hand(s, p)
        n += hand_size(s, p)
    for place in range(s.tape_top, s.tape_end):
        if s.tape[place] > 0:
            cards |= 1 << (s.tape[place] - 1)
            n += 1
        elif s.sphinx_return != SHUFFLED and place >= fresh_places(s):
            return False
    for place in range(s.tape_top):
        if s.tape[place] == 0:
            return False
    return count(cards) == n and cards & ~all_sphinx(s) == 0 and s.tape_top <= s.tape_end


@rule
def draws_right(s: State) -> bool:
    """Each draw has its size, its kept and its returned cards."""
    pending = 0
    for e in range(s.draws):
        drawn = drawn_before(s, e)
        returned = returned_before(s, e)
        back = returned_in(s, e, returned)
        size = int(s.draw_size[e])
        kept = int(s.draw_kept[e])
        if size < 1 or kept >= 1 << size or count(kept) != s.draw_keeps[e] or s.draw_keeps[e] > 2 or back < 0:
            return False
        pending = size - s.draw_keeps[e] - back
        for j in range(back):
            i = 0 if s.tape[returned + j] == 0 else place_among(s, int(s.tape[returned + j]), kept, drawn, size)
            if i < 0 or (s.sphinx_return == 0 and i != nth_left(kept, j)):
                return False
    for p in range(s.players):
        if hand_size(s, p) > MOST_SPHINX:
            return False
    if pending > 0 and not KEEP <= s.step <= RETURN:
        return False
    return pending >= 0 and drawn_before(s, s.draws) == s.tape_top


# --- Tracks -------------------------------------------------------------------------------------------------------


@rule
def tracks_wrong(s: State, before: State) -> int:
    """Stones, strengths, markets, ring, VP and their order."""
    for p in range(s.players):
        if not 0 <= s.stones[p] <= STORE:
            return 4
        if s.stones[p] < before.stones[p] and before.step != FEED_STONES and before.step < CHOOSE_BUILD:
            return 4
        for crew in range(NUMBER_OF_CREWS):
            if not CREW_LEAST <= s.strength[p][crew] <= s.crew_max:
                return 5
            if s.strength[p][crew] < before.strength[p][crew] and s.discarded & LOWERING == before.discarded & LOWERING == 0:
                return 5
        if s.strength[p][LEADER] < CREW_START[LEADER] and s.discarded & LOWERING == 0 and s.held[p] & LOWERING == 0:
            return 5
        if not (before.market[p][0] <= s.market[p][0] <= GRAIN_SPACES and before.market[p][1] <= s.market[p][1] <= stone_top(s)):
            return 6
        if s.market[p][0] < 1 or s.market[p][1] < 1:
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
        seats |= 1 << s.order[i]
        arrived |= 1 << s.arrived[i]
        if s.round == before.round and s.phase == PLACEMENT and before.phase == PLACEMENT and s.vp[i] < before.vp[i]:
            return 16
        if s.round == before.round and s.phase == TRAINING and s.vp[i] != before.vp[i]:
            return 16
    return 0 if seats == arrived == (1 << s.players) - 1 else 15


# --- Ships --------------------------------------------------------------------------------------------------------


@rule
def ships_wrong(s: State, before: State) -> int:
    """Where the ships are."""
    for p in range(s.players):
        if s.phase <= PLACEMENT and not fleet_right(s, p):
            return 7
        if s.round == before.round and s.frontier[p] < before.frontier[p] and s.phase != END:
            return 10
    if not spaces_right(s):
        return 8
    if not docks_right(s):
        return 9
    return 0


@rule
def fleet_right(s: State, p: int) -> bool:
    """P's ships, and how far down the river they have come."""
    n = int(s.ships[p])
    furthest = 0
    for space in range(CARD_SPACES):
        if s.card_ship[space] == 1 + p:
            n += 1
            furthest = max(furthest, index_of(space))
    for space in range(TILE_SPACES):
        n += s.tile_ships[space][p]
        if s.tile_ships[space][p] > 0:
            furthest = max(furthest, index_of(FIRST_TILE + space))
    for dock in range(DOCKS):
        here = ships_at_dock(s, p, dock)
        if here != (s.present[p] >> dock) & 1:
            return False
        n += here
        if here > 0:
            furthest = max(furthest, int(DOCK_INDEX[dock]))
    return n == s.ships_per_player and furthest == s.frontier[p] and s.ships[p] >= 0


@rule
def ships_at_dock(s: State, p: int, dock: int) -> int:
    """P's ships at a dock, a speculating one included."""
    n = 1 if s.speculator[dock] == 1 + p else 0
    for space in range(DOCK_SPACES):
        if s.dock[dock][space] == 1 + p:
            n += 1
    return n


@rule
def spaces_right(s: State) -> bool:
    """Ships on card spaces have taken the card, more ships on a tile have used an ability."""
    for space in range(CARD_SPACES):
        if s.card_ship[space] > 0 and (s.river[space] > 0 or CARD_OPEN[s.players - 2][space] == 0):
            return False
        if s.phase == PLACEMENT and (s.card_ship[space] > 0 or s.river[space] > 0) != (CARD_OPEN[s.players - 2][space] == 1):
            return False
    shared = 0
    for space in range(TILE_SPACES):
        ships = ships_on_tile(s, space)
        shared += max(0, ships - 1)
        if ships > 0 and s.laid[space] < 0:
            return False
    uses = count(int(s.spent) & OCCUPIED_TILE)
    for p in range(s.players):
        for place in range(2):
            if (s.closed_eye[p] >> place) & 1 and BONUS_EFFECT[s.bonus_tile[place]] == SHARED_TILE:
                uses += 1
        for dock in range(DOCKS):
            if ships_at_dock(s, p, dock) > 1:
                return False
    return shared <= uses


@rule
def docks_right(s: State) -> bool:
    """Closed spaces are empty, and ships speculate at full docks only."""
    for dock in range(DOCKS):
        for space in range(open_spaces(s), DOCK_SPACES):
            if s.dock[dock][space] > 0:
                return False
        if s.speculator[dock] > 0 and s.phase <= LEFTOVERS and not dock_full(s, dock):
            return False
    return True


# --- Monuments ----------------------------------------------------------------------------------------------------


@rule
def monuments_wrong(s: State, before: State) -> int:
    """Bricks."""
    if not shared_right(s, before):
        return 11
    for p in range(s.players):
        if not before.columns[p] <= s.columns[p] <= COLUMNS:
            return 11
        for place in range(STATUES_IN_PLAY):
            level = s.level[p][place]
            if not before.level[p][place] <= level <= min(STATUE_SPACES, int(s.round)) or (level > 0 and s.statue[place] == 0):
                return 12
        if s.brick_limit == LIMITED and all_bricks(s, p) > BRICK_LIMIT:
            return 13
        builds = count(int(s.built[p]))
        basics = count(int(s.flipped[p]) & ((1 << BASICS) - 1))
        if s.phase == BUILDING and (builds > basics or int(s.built[p]) & ~int(s.present[p])):
            return 14
        if s.phase < BUILDING and (builds > 0 or basics > 0 or s.flipped[p] > 0):
            return 14
    return 0


@rule
def shared_right(s: State, before: State) -> bool:
    """Obelisk and pyramid are filled in order, and nobody takes a brick away."""
    height = obelisk_height(s)
    for space in range(OBELISK_SPACES):
        if s.obelisk[space] > 0 and (space >= height or height > OBELISK_HEIGHT[board(s)]):
            return False
        if before.obelisk[space] > 0 and before.obelisk[space] != s.obelisk[space]:
            return False
    for row in range(PYRAMID_ROWS):
        length = row_length(s, row)
        if row > 0 and length > max(0, row_length(s, row - 1) - 1):
            return False
        for space in range(PYRAMID_WIDTH):
            if s.pyramid[row][space] > 0 and space >= length:
                return False
            if before.pyramid[row][space] > 0 and before.pyramid[row][space] != s.pyramid[row][space]:
                return False
    return True


# --- Round and turn -----------------------------------------------------------------------------------------------


@rule
def round_wrong(s: State, before: State) -> int:
    """Uses, improvers, rounds, and empty seats."""
    if s.spent & ~KEPT_AFTER_USE:
        return 17
    held = 0
    for p in range(s.players):
        held |= int(s.held[p])
        for place in range(2):
            needed = YELLOW_COLUMN if place == 0 else PURPLE_COLUMN
            if (s.closed_eye[p] >> place) & 1 and (s.columns[p] < needed or BONUS_USE[s.bonus_tile[place]] == 0):
                return 17
        if s.tokens[p] < 0 or (s.tokens[p] > 0 and s.players > 2):
            return 17
    if int(s.spent) & ~held:
        return 17
    if not improvers_right(s):
        return 18
    if not before.round <= s.round <= min(ROUNDS, before.round + 1) or (s.round == 0) != (s.step == START):
        return 21
    for p in range(s.players):
        for part in range(PARTS_OF_FINAL):
            if s.final[p][part] < 0 or (s.final[p][part] > 0 and s.step != OVER):
                return 21
    for p in range(s.players, SEATS):
        if s.held[p] or s.stones[p] or s.vp[p] or s.columns[p] or s.ships[p] or s.dealt[p][0] or pyramid_bricks(s, p):
            return 22
    return 0


@rule
def improvers_right(s: State) -> bool:
    """An attached improver and its field have the same owner."""
    for i in range(NUMBER_OF_IMPROVERS):
        if s.improved[i] < 0 or s.improved[i] > FIELD_IDS:
            return False
        if s.improved[i] > 0:
            owned = False
            for p in range(s.players):
                if has(int(s.held[p]), int(IMPROVERS[i])) and owns_field(s, p, s.improved[i] - 1):
                    owned = field_colour(s, p, s.improved[i] - 1) >= 0
            if not owned:
                return False
    return True


@rule
def under_way_wrong(s: State, before: State) -> int:
    """The build, the feeding and the effect under way."""
    if s.budget < 0 or s.power < 0 or s.budget > s.power or (s.step == SPACE and s.budget > s.stones[s.chooser]):
        return 19
    if s.step == SPACE and before.step == SPACE and s.bricks == before.bricks + 1:
        paid = before.stones[s.chooser] - s.stones[s.chooser]
        if paid < 1 or paid != before.budget - s.budget:
            return 19
    return 0 if step_right(s) else 20


@rule
def step_right(s: State) -> bool:
    """Step, phase and the fields of what is under way belong together."""
    step = s.step
    if not (0 <= s.chooser < s.players and START <= step <= OVER and 0 <= s.shortage and s.harvest >= 0):
        return False
    if (s.phase == SETUP) != (step == START) or (s.phase == END) != (step == OVER):
        return False
    effect = RAISE <= step <= ATTACH
    if effect != (s.source > 0) or (s.source > 0) != (s.times > 0):
        return False
    if effect and not TRAINING <= s.phase <= LEFTOVERS:
        return False
    if (LOCATION <= step <= DOUBLE or step == SECOND) and s.phase != PLACEMENT:
        return False
    if (OCCUPIED <= step <= DOUBLE) and s.target == 0:
        return False
    if (step == LEFT_OVER and s.phase != LEFTOVERS) or (GRAIN_CARD <= step <= SELL_GRAIN) != (s.phase == FEEDING):
        return False
    building = CHOOSE_BUILD <= step <= LATE
    if building != (s.phase == BUILDING) or building != (s.docking > 0):
        return False
    if s.power > 0 and not (BASIC < step <= POWER or SPACE <= step <= RETURN):
        return False
    if step == MOVE_RING or step == LOWER or step == CHOOSE_MARKET or step == UPSTREAM:
        return s.power == 0
    return not (NAME_NUMBER <= step <= KEEP_MORE) or s.docking - 1 == SPHINX_DOCK
