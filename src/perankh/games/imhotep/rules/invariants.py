"""What always holds in Imhotep."""

from __future__ import annotations

from perankh.engine.api import Constants, rule

from . import building, components, market, scoring, ships, state
from .components import BURIAL_ROOM, BY_SHIP, COPIES, OBELISKS, PAIR, REDS, ROUNDS, SEATS, SHIPS, SLED, SPACES, Site
from .state import REJECTED, Berth, FaceDown, MarketReturn, Side, State, Step, WrathScope, capacity, placed

INVARIANTS = (
    "each player has 29 stones in quarry, on sled and ships, and at the monuments",
    "sleds hold 0 to 5 stones, quarries 0 to 29, and seats that are not at the table nothing",
    "stones lie only on spaces that a ship has, a docked ship is empty, and it sailed with its minimum load",
    "deck, discard pile, market, hands and cards being resolved make the copies of each kind",
    "the deck holds the unseen cards that lie neither in the market nor buried in a closed discard pile",
    "each round has turned up one round card, none of them twice",
    "at most one ship lies at a site, and at most three have sailed when a turn begins",
    "stones at the monuments never leave and never move",
    "stones come to the quarry only from the market or a stall, and to the sled only from the quarry",
    "temple and burial chamber are filled without gaps, with no more stones than ships and red cards can bring",
    "the pyramid is filled in order, and stones lie beside it only when it is complete",
    "every three stones of a colour at obelisk B stand on a slot, slots are filled without gaps, nine at most",
    "no red card is held, and at most three are being resolved",
    "scores never fall and are never below 0, but by the Pharaoh's wrath",
    "a market offer that is taken is not replaced in its round, and a new round finds a full market",
    "who has to pass has no stones and finds no ship ready; all pass in a row with 2 players only",
    "the discard pile is shuffled at most once, in round 6, and with market and temple on side B only",
    "a game has no more turns than stones to load, ships to sail and stones to fetch",
    "turns go clockwise",
    "what is under way fits the step",
)


def most(values: list[int]) -> int:
    """The sum of the largest values, one a round."""
    return sum(sorted(values)[-ROUNDS:])


# [players - 2]: stones that ships can bring to one site in a game, ship spaces in a game, turns in a game
MOST_AT_SITE = Constants(most([max(card) for card in cards]) for cards in components.CAPACITY)
MOST_SPACES = Constants(most([sum(card) for card in cards]) for cards in components.CAPACITY)
MOST_TURNS = Constants(
    2 * spaces + ROUNDS * SHIPS + SLED * n - sum(components.START_STONES[:n]) for n, spaces in enumerate(MOST_SPACES, start=2)
)
# [site]: stones that red cards can bring
RED_STONES = Constants(2 * sum(COPIES[kind] for kind in range(REDS) if components.SITE_OF[kind] == site) for site in Site)
MOST_OBELISKS = (BY_SHIP + RED_STONES[Site.OBELISK]) // components.OBELISK_STONES
# [step]: may a red card be under way, may another than the player on turn decide?
RED_UNDER_WAY = Constants(step in (Step.PAIR, Step.PYRAMID, Step.BONUS_STONES, Step.BONUS_LOAD, Step.TEMPLE) for step in Step)
OF_ANY_SEAT = Constants(RED_UNDER_WAY[step] or step in (Step.OFFER, Step.OVER) for step in Step)


@rule
def violated(s: State, before: State) -> int:
    """The first invariant that does not hold, counted from 1, or 0."""
    wrong = stones_wrong(s, before)
    if wrong == 0:
        wrong = cards_wrong(s)
    if wrong == 0:
        wrong = round_wrong(s)
    if wrong == 0:
        wrong = moves_wrong(s, before)
    if wrong == 0:
        wrong = sites_wrong(s)
    if wrong == 0:
        wrong = scores_wrong(s, before)
    if wrong == 0:
        wrong = market_wrong(s, before)
    if wrong == 0:
        wrong = turns_wrong(s, before)
    if wrong == 0 and marks_wrong(s):
        wrong = 20
    return wrong


# --- Stones -----------------------------------------------------------------------------------------------------


@rule
def queued(s: State, p: int) -> int:
    """Stones of p still to be unloaded; at the market all of the ship's until they return."""
    first = s.served
    if ships.at_market(s) and s.market_return != MarketReturn.PER_STONE:
        first = 0
    n = 0
    for i in range(first, SPACES):
        if s.queue[i] == 1 + p:
            n += 1
    return n


@rule
def on_ships(s: State, p: int) -> int:
    """Stones of p on ships."""
    n = 0
    for ship in range(SHIPS):
        for space in range(SPACES):
            if s.cargo[ship][space] == 1 + p:
                n += 1
    return n


@rule
def stones_wrong(s: State, before: State) -> int:
    """Numbers of stones, and ships."""
    for p in range(SEATS):
        stones = s.quarry[p] + s.sled[p] + on_ships(s, p) + queued(s, p)
        for site in range(Site.PYRAMID, components.SITES):
            stones += scoring.stones_at(s, site, p)
        if s.step == Step.PYRAMID and s.chooser == p:
            stones += 1
        if stones != (components.STONES if p < s.players else 0):
            return 1
        if s.sled[p] < 0 or s.sled[p] > SLED or s.quarry[p] < 0 or s.quarry[p] > components.STONES:
            return 2
    for ship in range(SHIPS):
        for space in range(SPACES):
            if s.cargo[ship][space] and space >= capacity(s, ship):
                return 3
        docked = s.berth[ship] != Berth.WAITING
        if docked and ships.load_of(s, ship) > 0 and not (s.step == Step.LEVER_ORDER and s.ship == 1 + ship):
            return 3
        if docked and s.round == before.round and before.berth[ship] == Berth.WAITING and s.berth[ship] != Berth.GONE:
            # Nothing but the stone of the Sail card comes aboard in the same choice, and that one was loaded before.
            if ships.load_of(before, ship) < ships.minimum(s, ship):
                return 3
    return 0


@rule
def returned(before: State, p: int) -> int:
    """Stones of p that may come back to the quarry from this position."""
    n = 0
    if ships.at_market(before):
        for i in range(SPACES):
            if before.queue[i] == 1 + p:
                n += 1
    elif before.step == Step.MAIN and before.passes == before.players - 1:
        n = on_ships(before, p)
    return n


@rule
def moves_wrong(s: State, before: State) -> int:
    """Stones stay where they are built, and quarry and sled change only as they may."""
    for cell in range(components.BUILDING_CELLS):
        if before.pyramid[cell] and s.pyramid[cell] != before.pyramid[cell]:
            return 8
    for k in range(BY_SHIP):
        if before.temple[k] and s.temple[k] != before.temple[k]:
            return 8
    for k in range(BURIAL_ROOM):
        if before.burial[k] and s.burial[k] != before.burial[k]:
            return 8
    for slot in range(OBELISKS):
        if before.erected[slot] and s.erected[slot] != before.erected[slot]:
            return 8
    for p in range(SEATS):
        if s.beside[p] < before.beside[p] or s.obelisk[p] < before.obelisk[p]:
            return 8
        if s.quarry[p] + s.sled[p] > before.quarry[p] + before.sled[p] + returned(before, p):
            return 9
        if s.sled[p] > before.sled[p] and s.quarry[p] > before.quarry[p] + returned(before, p):
            return 9
    return 0


# --- Sites ------------------------------------------------------------------------------------------------------


@rule
def sites_wrong(s: State) -> int:
    """How the sites are filled."""
    temple, burial = placed(s.temple, BY_SHIP), placed(s.burial, BURIAL_ROOM)
    for k in range(temple, BY_SHIP):
        if s.temple[k]:
            return 10
    for k in range(burial, BURIAL_ROOM):
        if s.burial[k]:
            return 10
    by_ship = MOST_AT_SITE[s.players - 2]
    if temple > by_ship + RED_STONES[Site.TEMPLE] or burial > by_ship + RED_STONES[Site.BURIAL]:
        return 10
    if pyramid_wrong(s):
        return 11
    return 12 if obelisk_wrong(s) else 0


@rule
def pyramid_wrong(s: State) -> bool:
    """Cells in order, then beside."""
    stones, complete = 0, True
    if s.pyramid_side == Side.B:
        for pyramid in range(components.PYRAMIDS):
            stones += building.storeys(s, pyramid)
        complete = stones == components.BUILDING_CELLS
    else:
        stones = placed(s.pyramid, components.CELLS_A)
        complete = stones == components.CELLS_A
    in_cells = 0
    for cell in range(components.BUILDING_CELLS):
        if s.pyramid[cell]:
            in_cells += 1
    if in_cells != stones or (building.beside_stones(s) > 0 and not complete):
        return True
    most_stones: int = MOST_AT_SITE[s.players - 2] + RED_STONES[Site.PYRAMID]
    return stones + building.beside_stones(s) > most_stones


@rule
def obelisk_wrong(s: State) -> bool:
    """Obelisks on slots, on side B only."""
    slots = placed(s.erected, OBELISKS)
    if slots > MOST_OBELISKS:
        return True
    for slot in range(slots, OBELISKS):
        if s.erected[slot]:
            return True
    for p in range(SEATS):
        own = 0
        for slot in range(slots):
            if s.erected[slot] == 1 + p:
                own += 1
        if own != (s.obelisk[p] // components.OBELISK_STONES if s.obelisk_side == Side.B else 0):
            return True
    return False


# --- Cards and rounds -------------------------------------------------------------------------------------------


@rule
def cards_wrong(s: State) -> int:
    """Every card is somewhere, once."""
    for kind in range(components.KINDS):
        n = s.unseen[kind] + s.discard[kind]
        if s.unseen[kind] < 0 or s.discard[kind] < 0:
            return 4
        for slot in range(components.SLOTS):
            if s.market[slot] == 1 + kind:
                n += 1
        for i in range(PAIR + ROUNDS):
            if s.hidden[i] == FaceDown.KNOWN + kind or s.hidden[i] == FaceDown.SECRET + kind:
                n += 1
        for p in range(SEATS):
            n += s.held[p][kind]
        if s.played == 1 + kind:
            n += 1
        if kind < REDS:
            n += s.red[kind]
        if n != COPIES[kind]:
            return 4
    hidden = s.deck + s.buried
    for i in range(PAIR):
        if s.hidden[i] == state.FaceDown.UNSEEN:
            hidden += 1
    if s.deck < 0 or s.buried < 0 or hidden != market.unseen_cards(s):
        return 5
    return 13 if reds_wrong(s) else 0


@rule
def reds_wrong(s: State) -> bool:
    """Red cards are never held, and few are resolved at once."""
    resolving = 0
    for kind in range(REDS):
        resolving += s.red[kind]
        for p in range(SEATS):
            if s.held[p][kind]:
                return True
    return resolving > 3


@rule
def round_wrong(s: State) -> int:
    """Round cards and docks."""
    if s.round < 1 or s.round > ROUNDS or s.turned[s.round_card] != s.round:
        return 6
    rounds, turned = 0, 0
    for card in range(components.ROUND_CARDS):
        if s.turned[card]:
            rounds |= 1 << s.turned[card]
            turned += 1
    if turned != s.round or rounds != (1 << (s.round + 1)) - 2:
        return 6
    docks, docked = 0, 0
    for ship in range(SHIPS):
        if s.berth[ship] < Berth.WAITING or s.berth[ship] > Berth.GONE:
            return 7
        if s.berth[ship] != Berth.WAITING and s.berth[ship] != Berth.GONE:
            docks |= 1 << s.berth[ship]
            docked += 1
    different = 0
    for site in range(components.SITES):
        different += (docks >> (1 + site)) & 1
    if different != docked or (s.step == Step.MAIN and ships.all_sailed(s)):
        return 7
    return 0


@rule
def market_wrong(s: State, before: State) -> int:
    """Offers only go; the deck is made anew at most once."""
    for slot in range(components.SLOTS):
        if s.round == before.round:
            if s.market[slot] and s.market[slot] != before.market[slot]:
                return 15
            if market.is_offer(s, slot) and not market.is_offer(before, slot):
                return 15
        elif not market.is_offer(s, slot):
            return 15
    if s.shuffles < before.shuffles or s.shuffles > 1:
        return 17
    if s.shuffles and (s.round < ROUNDS or s.market_side != Side.B or s.temple_side != Side.B):
        return 17
    return 0


# --- Points and turns -------------------------------------------------------------------------------------------


@rule
def scores_wrong(s: State, before: State) -> int:
    """Scores only rise, but by the wrath at the end."""
    for p in range(SEATS):
        taken = 0
        if s.step == Step.OVER:
            taken = scoring.wrath_points(s, p)
            if taken > (4 * components.WRATH if s.wrath_scope == WrathScope.PER_SITE else components.WRATH):
                return 14
        if s.score[p] + taken < 0 or (before.step != Step.OVER and s.score[p] + taken < before.score[p]):
            return 14
    return 0


@rule
def turns_wrong(s: State, before: State) -> int:
    """Passes, the number of turns, and their order."""
    made = s.turns - before.turns
    if before.step == Step.MAIN and made == 0 and before.turn != s.turn:
        p = before.turn
        if before.sled[p] or before.quarry[p] or ships.any_ready(before, 0):
            return 16
        if before.passes == before.players - 1 and before.players != 2:
            return 16
    if s.passes < 0 or s.passes >= s.players:
        return 16
    if s.turns > MOST_TURNS[s.players - 2]:
        return 18
    if made < 0 or made > 1 or s.turn < 0 or s.turn >= s.players:
        return 19
    if s.turn != before.turn and s.turn != (before.turn + 1) % s.players:
        return 19
    return 0


@rule
def marks_wrong(s: State) -> bool:
    """Whether something is left over from a choice that is done, or lacking for the one under way."""
    if s.step < Step.MAIN or s.step > Step.OVER or (s.step == Step.OVER and s.round != ROUNDS):
        return True
    resolving = 0
    for kind in range(REDS):
        resolving += s.red[kind]
    unloading = s.ship > 0 and s.step != Step.SAIL_SITE and s.step != Step.LEVER_ORDER
    if resolving and not RED_UNDER_WAY[s.step]:
        return True
    if s.chooser != s.turn and not OF_ANY_SEAT[s.step]:
        return True
    if s.step == Step.MAIN or s.step == Step.OVER:
        if s.ship or s.played or s.cell:
            return True
    if (s.served > 0 and not unloading) or (s.step == Step.OFFER and not ships.at_market(s)):
        return True
    if s.cell and (s.ship or s.played or not ships.all_sailed(s) or s.cell > components.TEMPLE_CELLS):
        return True
    if s.step == Step.TEMPLE and s.cell == 0:
        return True
    return hidden_wrong(s)


@rule
def hidden_wrong(s: State) -> bool:
    """Face-down cards: a pair on market B only, secrets of a discard pile on a closed one only."""
    for i in range(PAIR):
        if s.hidden[i] != FaceDown.NONE and s.market_side != Side.B:
            return True
        if s.step == Step.PAIR and s.hidden[i] == state.FaceDown.UNSEEN:
            return True
        if s.step != Step.PAIR and s.hidden[i] >= FaceDown.SECRET and s.discard_open:
            return True
    for i in range(REJECTED, REJECTED + ROUNDS):
        if s.hidden[i] != FaceDown.NONE and (s.hidden[i] < FaceDown.SECRET or s.discard_open):
            return True
    return s.discard_open == 1 and s.buried > 0
