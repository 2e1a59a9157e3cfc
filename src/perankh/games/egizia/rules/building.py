"""The building phase of Egizia: docks and their ships, who builds or declines, crews that pay, and the spaces built."""

from __future__ import annotations

from perankh.engine.api import masks, rule, tell

from . import monuments, nile, placement, sphinx, tracks
from .components import ABILITY_NUMBERS, BASICS, DOCK_SPACES, DOCKS, POWER_CARDS, SPHINX_MOST, Bonus, Crew, Dock, Market
from .events import Event, Obstacle
from .state import Action, DeclinePack, SphinxMax, State, Step, Touched

# --- Docks ------------------------------------------------------------------------------------------------------


@rule
def next_ship(s: State) -> bool:
    """The ship nearest the river that has not acted; then a late ship; then the next dock. False at the end (EGZ-B1, B2, B19)."""
    if s.docking == 0:
        s.docking = 1
    while s.docking <= DOCKS:
        dock = s.docking - 1
        for space in range(DOCK_SPACES):
            ship = s.dock[dock][space]
            if ship > 0 and not masks.has(s.acted, ship - 1):
                s.berth = 1 + space
                act(s, ship - 1)
                return True
        s.berth = 0
        if ask_late(s, dock):
            return True
        waiting = s.speculator[dock] - 1
        if waiting >= 0 and not masks.has(s.acted, waiting):
            tell(s, Event.IN_VAIN, waiting, dock)
        s.docking += 1
        s.acted = 0
    s.docking = 0
    return False


@rule
def act(s: State, p: int) -> None:
    """Build or decline; who cannot pay for anything declines (EGZ-B3, B4)."""
    why = obstacle(s, p)
    if why == Obstacle.NONE:
        s.step = Step.BUILD
        s.chooser = p
    else:
        tell(s, Event.CANNOT_BUILD, p, s.docking - 1, why)
        decline(s, p)


@rule
def decide_build(s: State, p: int, a: int) -> None:
    """Build, or leave the dock (EGZ-B3)."""
    if a == Action.BUILD:
        tell(s, Event.BUILDS, p, s.docking - 1)
        s.step = Step.BASIC
    else:
        tell(s, Event.DECLINED, p, s.docking - 1)
        decline(s, p)


@rule
def decline(s: State, p: int) -> None:
    """The ship leaves, the others close up, and a speculating ship comes in (EGZ-B5, B6)."""
    dock = s.docking - 1
    s.acted = masks.added(s.acted, p)
    if s.berth == 0:
        s.speculator[dock] = 0
        return
    s.dock[dock][s.berth - 1] = 0
    close_up(s, dock)
    if s.speculator[dock] > 0:
        join(s, dock)


@rule
def close_up(s: State, dock: int) -> None:
    """Ships that have not acted move in their order towards the river, as far as they can or one space (EGZ-B5)."""
    for space in range(1, DOCK_SPACES):
        ship = s.dock[dock][space]
        if ship > 0 and not masks.has(s.acted, ship - 1):
            free = space - 1 if s.decline_pack == DeclinePack.ONE_STEP else 0
            while s.dock[dock][free] > 0 and free < space:
                free += 1
            s.dock[dock][space] = 0
            s.dock[dock][free] = ship
            if free < space:
                tell(s, Event.CLOSED_UP, ship - 1, dock, free)


@rule
def join(s: State, dock: int) -> None:
    """The speculating ship takes the free space behind all others (EGZ-B6)."""
    last = 0
    for space in range(DOCK_SPACES):
        if s.dock[dock][space] > 0:
            last = 1 + space
    p = s.speculator[dock] - 1
    placement.moor(s, p, dock, last)
    s.speculator[dock] = 0
    tell(s, Event.JOINED, p, dock, last)


@rule
def ask_late(s: State, dock: int) -> bool:
    """Whether the owner of a waiting speculating ship is asked to put it at the end of the dock (EGZ-B7, B19)."""
    p = s.speculator[dock] - 1
    if p < 0 or masks.has(s.acted, p) or obstacle(s, p) != Obstacle.NONE:
        return False
    if s.tokens[p] == 0 and tracks.usable_tile(s, p, Bonus.LATE_SHIP) < 0:
        return False
    s.step = Step.LATE
    s.chooser = p
    return True


@rule
def list_late(s: State, p: int, out: list[int]) -> int:
    """No use, the tile, or a token (EGZ-B19)."""
    n = 1
    out[0] = Action.NONE
    place = tracks.usable_tile(s, p, Bonus.LATE_SHIP)
    if place >= 0:
        out[n] = Action.BONUS + s.bonus_tile[place]
        n += 1
    if s.tokens[p] > 0:
        out[n] = Action.TOKEN
        n += 1
    return n


@rule
def decide_late(s: State, p: int, a: int) -> None:
    """The ship acts last at the dock, or not at all (EGZ-B7, B19)."""
    if a == Action.NONE:
        s.acted = masks.added(s.acted, p)
        tell(s, Event.NOT_LATE, p, s.docking - 1)
        return
    if a == Action.TOKEN:
        s.tokens[p] -= 1
        tell(s, Event.USED_TOKEN, p)
    else:
        tracks.use_tile(s, p, a - Action.BONUS)
    tell(s, Event.BUILDS_LATE, p, s.docking - 1)
    act(s, p)


@rule
def sphinx_limit(s: State, p: int) -> int:
    """The Sphinx maximum of the acting ship: its space, or the outermost open one for a late ship (EGZ-B8, B19)."""
    space = s.berth if s.sphinx_max == SphinxMax.CURRENT_SPACE else s.first_berth[p]
    most: int = SPHINX_MOST[(placement.open_spaces(s) if s.berth == 0 else space) - 1]
    return most


# --- Payment ----------------------------------------------------------------------------------------------------


@rule
def least_cost(s: State, p: int) -> int:
    """The least that a build at this dock can cost, 0 if nothing is available (EGZ-B4, X5)."""
    if s.docking - 1 == Dock.SPHINX:
        return 1 if s.tape_end > s.tape_top else 0
    return monuments.cheapest(s, p, s.docking - 1)


@rule
def is_up(s: State, p: int, crew: int) -> bool:
    """Whether a crew has not been flipped this round (EGZ-B16)."""
    return not masks.has(s.flipped[p], crew)


@rule
def best_basic(s: State, p: int, but: int) -> int:
    """The strength of p's best unflipped basic crew, one apart; 0 if there is none."""
    best = 0
    for crew in range(BASICS):
        if crew != but and is_up(s, p, crew) and s.strength[p][crew] > best:
            best = s.strength[p][crew]
    return best


@rule
def leader_strength(s: State, p: int) -> int:
    """What the leader can still add (EGZ-B9)."""
    return s.strength[p][Crew.LEADER] if is_up(s, p, Crew.LEADER) else 0


@rule
def power_in_hand(s: State, p: int) -> int:
    """What all of p's power cards can add (EGZ-B10)."""
    cards = s.held[p] & POWER_CARDS
    total = 0
    while cards:
        card = masks.first(cards)
        total += ABILITY_NUMBERS[card][0]
        cards = masks.rest(cards)
    return total


@rule
def most_with(s: State, p: int, crew: int) -> int:
    """The most strength that a build paid by a basic crew can have (EGZ-B15)."""
    second = best_basic(s, p, crew) if tracks.usable_tile(s, p, Bonus.TWO_BASICS) >= 0 else 0
    return s.strength[p][crew] + second + leader_strength(s, p) + power_in_hand(s, p)


@rule
def can_pay(s: State, p: int, crew: int, cost: int) -> bool:
    """Whether a basic crew may begin a payment (EGZ-B9, B15, B16)."""
    return is_up(s, p, crew) and most_with(s, p, crew) >= cost


@rule
def strength_needed(s: State, p: int) -> int:
    """What the second basic crew must bring at least, for the leader and power cards to do the rest (EGZ-B15)."""
    return least_cost(s, p) - s.power - leader_strength(s, p) - power_in_hand(s, p)


@rule
def payers(s: State, p: int) -> int:
    """Basic crews that can begin the payment of the cheapest space, as a set (EGZ-B9, B15)."""
    cost = least_cost(s, p)
    crews = 0
    for crew in range(BASICS):
        if can_pay(s, p, crew, cost):
            crews = masks.added(crews, crew)
    return crews


@rule
def seconds(s: State, p: int) -> int:
    """Basic crews that can join as the second one, as a set (EGZ-L4, B15)."""
    needed = strength_needed(s, p)
    crews = 0
    for crew in range(BASICS):
        if is_up(s, p, crew) and s.strength[p][crew] >= needed:
            crews = masks.added(crews, crew)
    return crews


@rule
def obstacle(s: State, p: int) -> int:
    """Why p cannot pay for any available space at this dock, if so (EGZ-B3, B4)."""
    cost = least_cost(s, p)
    if cost == 0:
        return Obstacle.DECK if s.docking - 1 == Dock.SPHINX else Obstacle.NOTHING
    if s.stones[p] < cost:
        return Obstacle.STONES
    for crew in range(BASICS):
        if can_pay(s, p, crew, cost):
            return Obstacle.NONE
    return Obstacle.CREWS


@rule
def flip(s: State, p: int, crew: int) -> None:
    """A crew is turned face down and adds its strength (EGZ-B9, B11)."""
    s.flipped[p] = masks.added(s.flipped[p], crew)
    s.power += s.strength[p][crew]
    tell(s, Event.FLIPPED, p, crew, s.power)


@rule
def flip_basic(s: State, p: int, crew: int) -> None:
    """The first basic crew; with G6 a second may follow (EGZ-B9, L4)."""
    flip(s, p, crew)
    s.step = Step.BASIC2


@rule
def add_second(s: State, p: int, a: int) -> None:
    """A second basic crew or none; then the leader (EGZ-L4)."""
    if a != Action.NONE:
        tracks.use_tile(s, p, s.bonus_tile[tracks.usable_tile(s, p, Bonus.TWO_BASICS)])
        flip(s, p, a - Action.CREW)
    s.step = Step.LEADER


@rule
def add_leader(s: State, p: int, a: int) -> None:
    """The leader joins or not; then power cards (EGZ-B9)."""
    if a != Action.NONE:
        flip(s, p, Crew.LEADER)
    s.step = Step.POWER


@rule
def add_power(s: State, p: int, a: int) -> None:
    """One more power card adds to the strength of the build, or no more, and the budget is fixed (EGZ-B10 to B12)."""
    if a == Action.NONE:
        s.budget = min(s.stones[p], s.power)
        s.step = Step.NUMBER if s.docking - 1 == Dock.SPHINX else Step.SPACE
    else:
        s.power += ABILITY_NUMBERS[a - Action.CARD][0]
        nile.use_up(s, p, a - Action.CARD)
        tell(s, Event.POWER_PLAYED, p, a - Action.CARD, s.power)
        s.step = Step.POWER


# --- Spending ---------------------------------------------------------------------------------------------------


@rule
def most_cards(s: State, p: int) -> int:
    """The most Sphinx cards that the builder can name (EGZ-X1)."""
    return min(sphinx_limit(s, p), min(s.budget, s.tape_end - s.tape_top))


@rule
def spaces(s: State, p: int) -> int:
    """Where a brick is affordable within the budget left, as a set of actions counted from OBELISK (EGZ-B14)."""
    found = 0
    if monuments.has_brick(s, p):
        for a in range(monuments.first_space(s.docking - 1), monuments.last_space(s.docking - 1)):
            if 0 < monuments.cost_of(s, p, a) <= s.budget:
                found = masks.added(found, a - Action.OBELISK)
    return found


@rule
def finish_draw(s: State, p: int) -> None:
    """The cards not kept go back, with VP, and the Sphinx build is done (EGZ-X2, X3)."""
    if sphinx.return_rest(s):
        sphinx.score_returned(s, p)
        end_build(s, p)


@rule
def end_build(s: State, p: int) -> None:
    """The build is done; the obelisk's market bonus follows (EGZ-O3, O4, B18)."""
    market = s.line & Touched.ABOVE == 0 and (
        s.line & Touched.BELOW != 0 or (s.line & Touched.COLUMN != 0 and s.colonnade_market_bonus)
    )
    if s.line & Touched.ABOVE:
        tracks.move_market(s, p, Market.GRAIN, 1)
        tracks.move_market(s, p, Market.STONE, 1)
    s.built[p] = masks.added(s.built[p], s.docking - 1)
    s.acted = masks.added(s.acted, p)
    s.power = 0
    s.budget = 0
    s.bricks = 0
    s.line = 0
    s.carved = 0
    s.new_tile = 0
    s.keep_two = 0
    if market:
        s.step = Step.MARKET


# --- Choices ------------------------------------------------------------------------------------------------------


@rule
def list_basics(s: State, p: int, out: list[int]) -> int:
    """Basic crews that can begin the payment (EGZ-B9, B15)."""
    return masks.write(payers(s, p), Action.CREW, out, 0)


@rule
def list_seconds(s: State, p: int, out: list[int]) -> int:
    """No second basic crew, if the strength is enough without, or one (EGZ-L4, B15)."""
    n = 0
    if strength_needed(s, p) <= 0:
        out[n] = Action.NONE
        n += 1
    return masks.write(seconds(s, p), Action.CREW, out, n)


@rule
def list_power(s: State, p: int, out: list[int]) -> int:
    """No more power cards, if the strength is enough, or one of them (EGZ-B10, B15)."""
    n = 0
    if s.power >= least_cost(s, p):
        out[n] = Action.NONE
        n += 1
    return masks.write(s.held[p] & POWER_CARDS, Action.CARD, out, n)


@rule
def list_spaces(s: State, p: int, out: list[int]) -> int:
    """Stop after at least one brick, or one of the affordable spaces (EGZ-B14)."""
    n = 0
    if s.bricks > 0:
        out[n] = Action.FINISH
        n += 1
    return masks.write(spaces(s, p), Action.OBELISK, out, n)


@rule
def list_numbers(s: State, p: int, out: list[int]) -> int:
    """How many Sphinx cards may be drawn (EGZ-X1)."""
    most = most_cards(s, p)
    for n in range(most):
        out[n] = Action.NUMBER + n
    return most


@rule
def only_choice(s: State, p: int) -> int:
    """The one thing that p can do at a step of a build, which is done without asking; -1 if there are several."""
    step = s.step
    if step == Step.BASIC:
        return only_of(payers(s, p), Action.CREW, -1)
    if step == Step.BASIC2:
        return only_second(s, p)
    if step == Step.LEADER:
        if not is_up(s, p, Crew.LEADER):
            return Action.NONE
        return -1 if s.power + power_in_hand(s, p) >= least_cost(s, p) else Action.CREW + Crew.LEADER
    if step == Step.POWER:
        cards = s.held[p] & POWER_CARDS
        enough = s.power >= least_cost(s, p)
        return only_of(cards, Action.CARD, Action.NONE if enough or cards == 0 else -1)
    if step == Step.SPACE:
        return only_of(spaces(s, p), Action.OBELISK, Action.FINISH if s.bricks > 0 else -1)
    return Action.NUMBER if step == Step.NUMBER and most_cards(s, p) == 1 else -1


@rule
def only_second(s: State, p: int) -> int:
    """No second basic crew without G6; or the one without which the strength is too small (EGZ-L4, B15)."""
    if tracks.usable_tile(s, p, Bonus.TWO_BASICS) < 0:
        return Action.NONE
    return only_of(seconds(s, p), Action.CREW, Action.NONE if strength_needed(s, p) <= 0 else -1)


@rule
def only_of(mask: int, base: int, otherwise: int) -> int:
    """The single choice among base + each number of a set and another one, if that is not -1; -1 if there are several."""
    if otherwise >= 0:
        return otherwise if mask == 0 else -1
    return base + masks.first(mask) if masks.count(mask) == 1 else -1
