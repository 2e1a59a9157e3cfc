"""Egizia: ships go down the Nile for cards, crews and docks; then crews are fed and five monuments built.

The clause ids (EGZ-...) are those of the rule specification. Printed numbers are in `printed.py`, the state in `table.py`;
tracks, Nile cards, effects, placement, feeding, building, monuments, the Sphinx and the final scoring have modules of their own.
"""

from __future__ import annotations

from perankh.engine.api import below, rule

from .building import (
    add_leader,
    add_power,
    add_second,
    decide_late,
    decline,
    end_build,
    finish_draw,
    flip_basic,
    list_basics,
    list_late,
    list_numbers,
    list_power,
    list_seconds,
    list_spaces,
    next_ship,
    only_choice,
)
from .cards import attach, clear_river, lay_cards, lay_tiles, list_cards, list_improvable, nth, river_cards, sort_decks, use_up
from .effects import begin_effect, list_crews, list_ring, lower_chosen, next_part, raise_chosen
from .feeding import (
    count_shortage,
    feed_stones,
    harvest,
    list_sales,
    list_stones,
    mine,
    play_grain,
    sell,
)
from .knowledge import redeal, veil
from .monuments import put_brick
from .observation import OBSERVATION, observe
from .placement import (
    ask_leftover,
    ask_location,
    end_turn,
    index_of,
    land,
    list_abilities,
    list_locations,
    occupied_cards_for,
    only_location,
    open_tile,
    pass_turn,
    place_extra,
    place_ship,
    recall_ships,
    resolve_tile,
    shared_tile_opens,
    ship_placed,
    take_leftover,
    upstream_cards,
    use_ability,
)
from .printed import (
    BONUS_COLOUR,
    BONUS_TILES,
    BONUS_USE,
    COMPONENTS,
    COOPERATION,
    CREW_START,
    CREWS,
    DOCKS,
    DOUBLE_TILE,
    EACH_ROUND,
    EXTRA_SHIP,
    GRAIN_CARDS,
    KEEP_TWO,
    LEADER,
    MARKETS,
    PURPLE_TILE,
    RING_START,
    ROUNDS,
    SECOND_SHIP,
    SHARED_TILE,
    START_STONES,
    STATUE_TYPE,
    STATUES,
    TRAIN,
    UPSTREAM_TILE,
    YELLOW_IN_TWO,
    YELLOW_TILE,
)
from .scoring import score_game
from .sphinx import (
    choose_dealt,
    deal_sphinx,
    decide_keep,
    decide_keep_more,
    fresh_places,
    keep,
    list_left,
    name_number,
    return_card,
)
from .table import (
    ACTIONS,
    ADD_LEADER,
    ATTACH,
    BASIC,
    BASIC_2,
    BEFORE_DRAW,
    BUILD,
    BUILDING,
    CARD,
    CHOOSE_BUILD,
    CHOOSE_MARKET,
    CREW,
    DECLINE,
    DOUBLE,
    END,
    FEED,
    FEED_STONES,
    FEEDING,
    FINISH,
    GO_ON,
    GRAIN_CARD,
    KEEP,
    KEEP_MORE,
    KEEP_SECOND,
    LAST_FIRST,
    LATE,
    LEFT_OVER,
    LEFTOVERS,
    LOCATION,
    LOWER,
    MARKET,
    MOVE_RING,
    NAME_NUMBER,
    NONE,
    NUMBER,
    OCCUPIED,
    OVER,
    PASS,
    PLACE,
    PLACEMENT,
    POWER,
    RAISE,
    RETURN,
    RING,
    SECOND,
    SELL,
    SELL_GRAIN,
    SHIP_PRESENT,
    SPACE,
    SPHINX,
    START,
    TRAINING,
    UPSTREAM,
    State,
)
from .tracks import move_market, on_turn, rank_list, score, usable_tile

__all__ = ["ACTIONS", "COMPONENTS", "OBSERVATION", "State", "observe", "redeal", "veil"]

PLAYERS = range(2, 5)
ENDINGS = ("five_rounds",)
HIDDEN = ("dealt", "tape", "draw_kept")
VERSION = 1
NUMBER_OF_CREWS = len(CREWS)
NUMBER_OF_MARKETS = len(MARKETS)

# --- Set-up -----------------------------------------------------------------------------------------------------


@rule
def setup(s: State) -> None:
    """Decks, tiles, statues, tracks, and two Sphinx cards for each player to choose from (EGZ-S1 to S10)."""
    sort_decks(s)
    lay_bonus_tiles(s)
    lay_statues(s)
    deal_sphinx(s)
    s.ring = RING_START
    for p in range(s.players):
        s.order[p] = p
        s.arrived[p] = p
        for crew in range(NUMBER_OF_CREWS):
            s.strength[p][crew] = CREW_START[crew]
        for market in range(NUMBER_OF_MARKETS):
            s.market[p][market] = 1
    recall_ships(s)
    s.step = START


@rule
def lay_bonus_tiles(s: State) -> None:
    """One tile on the yellow, one on the purple place of the colonnade (EGZ-S4, Q5)."""
    s.bonus_tile[0] = YELLOW_IN_TWO
    if s.players > 2:
        s.bonus_tile[0] = random_tile(s, YELLOW_TILE)
    s.bonus_tile[1] = random_tile(s, PURPLE_TILE)


@rule
def random_tile(s: State, colour: int) -> int:
    """Any tile of a colour that does not lie on the yellow place."""
    tiles = 0
    n = 0
    for tile in range(BONUS_TILES):
        if BONUS_COLOUR[tile] == colour and (colour == YELLOW_TILE or tile != s.bonus_tile[0]):
            tiles |= 1 << tile
            n += 1
    return nth(tiles, below(s, n))


@rule
def lay_statues(s: State) -> None:
    """One statue of type A, one of type B, then with 3 or 4 players any other (EGZ-S5, Q6)."""
    left = (1 << STATUES) - 1
    for place in range(3 if s.players > 2 else 2):
        fitting = 0
        n = 0
        for statue in range(STATUES):
            if (left >> statue) & 1 and (place == 2 or STATUE_TYPE[statue] == place):
                fitting |= 1 << statue
                n += 1
        chosen = nth(fitting, below(s, n))
        left &= ~(1 << chosen)
        s.statue[place] = 1 + chosen


@rule
def begin_game(s: State) -> None:
    """After the choices: the Sphinx deck, turn order, start stones, and the first round (EGZ-S6, S12 to S14)."""
    s.tape_end = fresh_places(s)
    for i in range(s.players - 1, 0, -1):
        j = below(s, i + 1)
        other = s.order[j]
        s.order[j] = s.order[i]
        s.order[i] = other
    for i in range(s.players):
        p = s.order[i]
        s.stones[p] = START_STONES[i]
        s.arrived[s.players - 1 - i] = p
    begin_round(s)


@rule
def begin_round(s: State) -> None:
    """The river phase; then crews are trained before the first turn (EGZ-R1 to R3, N7)."""
    s.round += 1
    lay_cards(s)
    lay_tiles(s)
    s.phase = TRAINING
    s.turn = 0


# --- Deciding ---------------------------------------------------------------------------------------------------


@rule
def actors(s: State) -> int:
    """At the start all who have not chosen, later the one who decides (EGZ-S6)."""
    if s.step == START:
        return ((1 << s.players) - 1) & ~s.decided
    return 0 if s.step == OVER else 1 << s.chooser


@rule
def legal(s: State, p: int, out: list[int]) -> int:
    """Everything p may choose at this step."""
    step = s.step
    if step == LOCATION:
        return list_locations(s, p, out)
    if step == SPACE:
        return list_spaces(s, p, out)
    if step == RAISE or step == LOWER:
        return list_crews(s, p, CREW, step == LOWER, out)
    if step == MOVE_RING:
        return list_ring(s, RING, out)
    if step == START:
        return list_dealt(s, p, out)
    if step < GRAIN_CARD:
        return legal_placement(s, p, out)
    if step == GRAIN_CARD:
        return list_abilities(s, int(s.held[p]) & GRAIN_CARDS, -1, True, out)
    if step == FEED_STONES:
        return list_stones(s, p, out)
    if step == SELL_GRAIN:
        return list_sales(s, p, out)
    if step <= NAME_NUMBER:
        return legal_payment(s, p, out)
    return legal_after(s, p, out)


@rule
def list_dealt(s: State, p: int, out: list[int]) -> int:
    """Either of the two Sphinx cards (EGZ-S6)."""
    out[0] = SPHINX + min(s.dealt[p][0], s.dealt[p][1]) - 1
    out[1] = SPHINX + max(s.dealt[p][0], s.dealt[p][1]) - 1
    return 2


@rule
def legal_placement(s: State, p: int, out: list[int]) -> int:
    """Abilities used while placing, the field to improve, a leftover card (EGZ-N1)."""
    step = s.step
    if step == OCCUPIED:
        index = index_of(s.target - 1)
        place = usable_tile(s, p, SHARED_TILE) if shared_tile_opens(s, p, index) else -1
        return list_abilities(s, occupied_cards_for(s, p, index), place, False, out)
    if step == UPSTREAM:
        return list_abilities(s, upstream_cards(s, p), usable_tile(s, p, UPSTREAM_TILE), False, out)
    if step == DOUBLE:
        return list_abilities(s, int(s.held[p]) & DOUBLE_TILE, -1, True, out)
    if step == ATTACH:
        return list_improvable(s, p, CARD, out, 0)
    if step == SECOND:
        return list_abilities(s, int(s.held[p]) & SECOND_SHIP, usable_tile(s, p, EXTRA_SHIP), True, out)
    out[0] = NONE
    return list_cards(river_cards(s), CARD, out, 1)


@rule
def legal_payment(s: State, p: int, out: list[int]) -> int:
    """Building or not, crews, power cards, a number of Sphinx cards (EGZ-B3, B9, B10, X1)."""
    step = s.step
    if step == CHOOSE_BUILD:
        out[0] = BUILD
        out[1] = DECLINE
        return 2
    if step == BASIC:
        return list_basics(s, p, out)
    if step == BASIC_2:
        return list_seconds(s, p, out)
    if step == ADD_LEADER:
        out[0] = NONE
        out[1] = CREW + LEADER
        return 2
    if step == POWER:
        return list_power(s, p, out)
    return list_numbers(s, p, out)


@rule
def legal_after(s: State, p: int, out: list[int]) -> int:
    """Sphinx cards to keep and to return, a market, a late ship (EGZ-X2, O3, B19)."""
    step = s.step
    if step == KEEP_MORE:
        return list_abilities(s, int(s.held[p]) & KEEP_TWO, -1, True, out)
    if step == CHOOSE_MARKET:
        for market in range(NUMBER_OF_MARKETS):
            out[market] = MARKET + market
        return NUMBER_OF_MARKETS
    if step == LATE:
        return list_late(s, p, out)
    return list_left(s, step == KEEP or (step == KEEP_SECOND and s.keep2_when == BEFORE_DRAW), out)


# --- Acting -----------------------------------------------------------------------------------------------------


@rule
def apply(s: State, p: int, a: int) -> None:
    """Carry out one choice, and all that follows from it without a choice."""
    carry_out(s, p, a)
    go_on(s)


@rule
def carry_out(s: State, p: int, a: int) -> None:
    """One choice, and nothing else."""
    step = int(s.step)
    s.step = GO_ON
    if step == START:
        choose_dealt(s, p, a - SPHINX)
        if s.decided == (1 << s.players) - 1:
            begin_game(s)
        else:
            s.step = START
    elif step <= LEFT_OVER:
        apply_placement(s, p, a, step)
    elif step <= SELL_GRAIN:
        apply_feeding(s, p, a, step)
    elif step <= NAME_NUMBER:
        s.step = step
        build_on(s, p, a + 0)
    else:
        apply_after(s, p, a, step)


@rule
def go_on(s: State) -> None:
    """Up to the next decision, or to the end of the game."""
    while one_thing(s):
        pass


@rule
def one_thing(s: State) -> bool:
    """The next thing that needs no decision; one with a single option is none. False if something is to be decided."""
    if s.step == GO_ON:
        next_thing(s)
        return True
    p = 0 + s.chooser
    if s.step == LOCATION:
        only = only_location(s, p)
        if only >= 0:
            s.step = GO_ON
            place_ship(s, p, only - PLACE)
        return only >= 0
    if BASIC <= s.step <= NAME_NUMBER:
        only = only_choice(s, p)
        if only >= 0:
            build_on(s, p, only)
        return only >= 0
    return False


@rule
def apply_placement(s: State, p: int, a: int, step: int) -> None:
    """A choice of the placement phase, or of an effect."""
    if step == LOCATION and a == PASS:
        pass_turn(s, p)
    elif step == LOCATION:
        place_ship(s, p, a - PLACE)
    elif step == OCCUPIED:
        open_tile(s, p, a + 0)
    elif step == UPSTREAM:
        use_ability(s, p, a + 0)
        land(s, p)
    elif step == DOUBLE:
        if a != NONE:
            use_up(s, p, a - CARD)
        resolve_tile(s, 1 if a == NONE else 2)
    elif step == RAISE:
        raise_chosen(s, p, a - CREW)
    elif step == LOWER:
        lower_chosen(s, p, a - CREW)
    elif step == MOVE_RING:
        s.ring = 1 + a - RING
    elif step == ATTACH:
        attach(s, s.source - 1, a - CARD)
    elif a == NONE:
        decline_extra(s, step)
    elif step == SECOND:
        use_ability(s, p, a + 0)
        place_extra(s, p)
    else:
        take_leftover(s, p, a - CARD)


@rule
def decline_extra(s: State, step: int) -> None:
    """No second ship: the turn passes; no leftover card: the next player is asked (EGZ-N2)."""
    if step == SECOND:
        end_turn(s)
    else:
        s.turn += 1


@rule
def apply_feeding(s: State, p: int, a: int, step: int) -> None:
    """A choice of the feeding phase (EGZ-F4, F6, F8)."""
    if step == FEED_STONES:
        feed_stones(s, p, a - FEED)
    elif step == SELL_GRAIN:
        sell(s, p, a - SELL)
    elif a == NONE:
        count_shortage(s, p)
    else:
        play_grain(s, p, a - CARD)


@rule
def build_on(s: State, p: int, a: int) -> None:
    """A choice of a build up to the last brick, or to the number of Sphinx cards (EGZ-B3, B9 to B14)."""
    step = int(s.step)
    s.step = GO_ON
    if step == CHOOSE_BUILD and a == DECLINE:
        decline(s, p)
    elif step == CHOOSE_BUILD:
        s.step = BASIC
    elif step == BASIC:
        flip_basic(s, p, a - CREW)
    elif step == BASIC_2:
        add_second(s, p, a)
    elif step == ADD_LEADER:
        add_leader(s, p, a)
    elif step == POWER:
        add_power(s, p, a)
    elif step == NAME_NUMBER:
        name_number(s, p, 1 + a - NUMBER)
    elif a == FINISH:
        end_build(s, p)
    else:
        put_brick(s, p, a)
        s.step = SPACE


@rule
def apply_after(s: State, p: int, a: int, step: int) -> None:
    """Sphinx cards kept and returned, a market, a late ship (EGZ-X2, N13, O3, B19)."""
    if step == CHOOSE_MARKET:
        move_market(s, p, a - MARKET, 1)
        return
    if step == LATE:
        decide_late(s, p, a)
        return
    done = True
    if step == KEEP:
        done = decide_keep(s, p, a)
    elif step == KEEP_MORE:
        done = decide_keep_more(s, p, a)
    elif step == RETURN:
        return_card(s, a - SPHINX)
    elif a != NONE:
        keep(s, a - SPHINX)
    if done:
        finish_draw(s, p)


@rule
def next_thing(s: State) -> None:
    """What is next when nothing is to be decided: the effect under way, or the next thing of the phase."""
    if s.source > 0:
        next_part(s, on_turn(s))
    elif s.phase == TRAINING:
        train(s)
    elif s.phase == PLACEMENT and s.target > 0:
        ship_placed(s, on_turn(s))
    elif s.phase == PLACEMENT:
        ask_location(s)
    elif s.phase == LEFTOVERS:
        if not ask_leftover(s):
            mine(s)
            s.phase = FEEDING
            s.turn = 0
    elif s.phase == FEEDING:
        if s.turn < s.players:
            harvest(s, on_turn(s))
        else:
            s.phase = BUILDING
            s.turn = 0
    elif not next_ship(s):
        clean_up(s)


@rule
def train(s: State) -> None:
    """Before the first turn, in turn order, crews are raised by the cards that do so every round (EGZ-N7)."""
    while s.turn < s.players:
        p = on_turn(s)
        cards = int(s.held[p]) & TRAIN & ~s.spent
        if cards:
            card = nth(cards, 0)
            s.spent |= 1 << card
            begin_effect(s, card, 1)
            return
        s.turn += 1
    s.phase = PLACEMENT
    s.turn = 0


# --- Clean-up and end -------------------------------------------------------------------------------------------


@rule
def clean_up(s: State) -> None:
    """Cooperation bonus, everything back; then the end, or a new turn order and the next round (EGZ-U1 to U5)."""
    cooperate(s)
    clear_river(s)
    recall_ships(s)
    s.spent = 0
    for p in range(s.players):
        s.tokens[p] = 0
        s.flipped[p] = 0
        for place in range(2):
            if BONUS_USE[s.bonus_tile[place]] == EACH_ROUND:
                s.closed_eye[p] &= ~(1 << place)
    if s.round == ROUNDS:
        score_game(s)
        s.phase = END
        s.step = OVER
        return
    ranking = rank_list(s)
    for i in range(s.players):
        s.order[s.players - 1 - i] = (ranking >> (4 * i)) & 15
    begin_round(s)


@rule
def cooperate(s: State) -> None:
    """VP for building at several docks, in the rank list before the first payment (EGZ-U1, U2)."""
    ranking = rank_list(s)
    for i in range(s.players):
        place = s.players - 1 - i if s.coop_order == LAST_FIRST else i
        p = (ranking >> (4 * place)) & 15
        docks = s.present[p] if s.coop_needs == SHIP_PRESENT else s.built[p]
        n = 0
        for dock in range(DOCKS):
            n += (docks >> dock) & 1
        score(s, p, int(COOPERATION[n]))


@rule
def ending(s: State) -> int:
    """The game ends after the last round (EGZ-U4)."""
    return 1 if s.step == OVER else 0


@rule
def scores(s: State, out: list[int]) -> None:
    """The VP of each player; at the end with the final scoring."""
    for p in range(s.players):
        out[p] = s.vp[p]


@rule
def ranks(s: State, out: list[int]) -> None:
    """Most VP; of equals the one later in the turn order of the round (EGZ-Z7)."""
    for i in range(s.players):
        p = s.order[i]
        out[p] = 1
        for j in range(s.players):
            q = s.order[j]
            if s.vp[q] > s.vp[p] or (s.vp[q] == s.vp[p] and j > i):
                out[p] += 1
