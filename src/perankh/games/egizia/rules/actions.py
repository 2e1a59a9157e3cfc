"""What may be chosen at each step, and carrying a choice out up to the next decision."""

from __future__ import annotations

from perankh.engine.api import masks, rule, tell

from . import building, components, effects, feeding, monuments, nile, placement, rounds, set_up, sphinx, tracks
from .components import Bonus, Crew
from .events import Event
from .state import Action, KeepTwo, Phase, State, Step


@rule
def actors(s: State) -> int:
    """At the start all who have not chosen, later the one who decides (EGZ-S6)."""
    if s.step == Step.START:
        return masks.all_below(s.players) & ~s.decided
    return 0 if s.step == Step.OVER else 1 << s.chooser


# --- Legal choices ----------------------------------------------------------------------------------------------


@rule
def legal(s: State, p: int, out: list[int]) -> int:
    """Everything p may choose at this step."""
    if s.phase == Phase.SETUP:
        return sphinx.list_dealt(s, p, out)
    if s.phase == Phase.FEEDING:
        return legal_feeding(s, p, out)
    if s.phase == Phase.BUILDING:
        return legal_building(s, p, out)
    return legal_placement(s, p, out)


@rule
def legal_placement(s: State, p: int, out: list[int]) -> int:
    """Locations, abilities used while placing, choices of effects, a leftover card (EGZ-P1, N1, E1 to E3, N12)."""
    step = s.step
    if step == Step.LOCATION:
        return placement.list_locations(s, p, out)
    if step == Step.RAISE or step == Step.LOWER:
        return effects.list_crews(s, p, out)
    if step == Step.RING:
        return effects.list_ring(s, out)
    if step == Step.ATTACH:
        return nile.list_improvable(s, p, out)
    if step == Step.OCCUPIED:
        return placement.list_occupied(s, p, out)
    if step == Step.UPSTREAM:
        cards, place = placement.upstream_cards(s, p), tracks.usable_tile(s, p, Bonus.UPSTREAM)
        return placement.list_abilities(s, cards, place, False, out)
    if step == Step.DOUBLE:
        return placement.list_abilities(s, s.held[p] & components.DOUBLE_TILE, -1, True, out)
    if step == Step.SECOND:
        cards, place = s.held[p] & components.SECOND_SHIP, tracks.usable_tile(s, p, Bonus.SECOND_SHIP)
        return placement.list_abilities(s, cards, place, True, out)
    return placement.list_abilities(s, nile.river_cards(s), -1, True, out)


@rule
def legal_feeding(s: State, p: int, out: list[int]) -> int:
    """Grain cards, stones for missing grain, grain to sell (EGZ-F4, F6, F8)."""
    if s.step == Step.GRAIN:
        return placement.list_abilities(s, s.held[p] & components.GRAIN_CARDS, -1, True, out)
    if s.step == Step.FEED:
        return feeding.list_stones(s, p, out)
    return feeding.list_sales(s, p, out)


@rule
def legal_building(s: State, p: int, out: list[int]) -> int:
    """Building or not, payment, spaces, Sphinx cards, a market, a late ship (EGZ-B3, B9, B10, B14, X1, X2, O3, B19)."""
    step = s.step
    if step == Step.SPACE:
        return building.list_spaces(s, p, out)
    if step == Step.BUILD:
        return list_two(Action.BUILD, Action.DECLINE, out)
    if step == Step.BASIC:
        return building.list_basics(s, p, out)
    if step == Step.BASIC2:
        return building.list_seconds(s, p, out)
    if step == Step.LEADER:
        return list_two(Action.NONE, Action.CREW + Crew.LEADER, out)
    if step == Step.POWER:
        return building.list_power(s, p, out)
    if step == Step.NUMBER:
        return building.list_numbers(s, p, out)
    if step == Step.KEEP_MORE:
        return placement.list_abilities(s, s.held[p] & components.KEEP_TWO, -1, True, out)
    if step == Step.MARKET:
        return list_two(Action.MARKET, Action.MARKET + 1, out)
    if step == Step.LATE:
        return building.list_late(s, p, out)
    may_decline = step == Step.KEEP or (step == Step.KEEP_SECOND and s.keep2_when == KeepTwo.BEFORE_DRAW)
    return sphinx.list_left(s, may_decline, out)


@rule
def list_two(one: int, other: int, out: list[int]) -> int:
    """One thing or the other."""
    out[0] = one
    out[1] = other
    return 2


# --- Carrying out -----------------------------------------------------------------------------------------------


@rule
def apply(s: State, p: int, a: int) -> None:
    """Carry out one choice, and all that follows from it without a choice."""
    step = s.step
    s.step = Step.GO_ON
    if s.phase == Phase.SETUP:
        choose_dealt(s, p, a - Action.SPHINX)
    elif s.phase == Phase.FEEDING:
        apply_feeding(s, p, a, step)
    elif s.phase == Phase.BUILDING:
        apply_building(s, p, a, step)
    else:
        apply_placement(s, p, a, step)
    go_on(s)


@rule
def go_on(s: State) -> None:
    """Everything up to the next decision, or to the end of the game; a choice with a single option is none."""
    while s.step != Step.OVER:
        if s.step == Step.GO_ON:
            rounds.proceed(s)
            continue
        p = s.chooser
        only = only_choice(s, p)
        if only < 0:
            return
        step = s.step
        s.step = Step.GO_ON
        if step == Step.LOCATION:
            placement.place_ship(s, p, only - Action.PLACE)
        else:
            build_on(s, p, only, step)


@rule
def only_choice(s: State, p: int) -> int:
    """The one thing that p can do now, which is done without asking; -1 if p is asked."""
    if s.step == Step.LOCATION:
        return placement.only_location(s, p)
    return building.only_choice(s, p) if s.phase == Phase.BUILDING else -1


@rule
def choose_dealt(s: State, p: int, card: int) -> None:
    """A Sphinx card is kept; when all have chosen, the game begins (EGZ-S6)."""
    sphinx.choose_dealt(s, p, card)
    if s.decided == masks.all_below(s.players):
        set_up.begin_game(s)
    else:
        s.step = Step.START


@rule
def apply_placement(s: State, p: int, a: int, step: int) -> None:
    """A choice of the placement phase, or of an effect."""
    if step == Step.LOCATION and a == Action.PASS:
        placement.pass_turn(s, p)
    elif step == Step.LOCATION:
        placement.place_ship(s, p, a - Action.PLACE)
    elif step == Step.OCCUPIED:
        placement.open_tile(s, p, a)
    elif step == Step.UPSTREAM:
        placement.use_ability(s, p, a)
        placement.land(s, p)
    elif step == Step.DOUBLE:
        placement.double_tile(s, p, a)
    elif step == Step.RAISE:
        effects.raise_chosen(s, p, a - Action.CREW)
    elif step == Step.LOWER:
        effects.lower_chosen(s, p, a - Action.CREW)
    elif step == Step.RING:
        effects.move_ring(s, p, 1 + a - Action.RING)
    elif step == Step.ATTACH:
        nile.attach(s, p, s.source - 1, a - Action.CARD)
    elif step == Step.SECOND:
        placement.decide_second(s, p, a)
    else:
        placement.decide_leftover(s, p, a)


@rule
def apply_feeding(s: State, p: int, a: int, step: int) -> None:
    """A choice of the feeding phase (EGZ-F4, F6, F8)."""
    if step == Step.FEED:
        feeding.feed_stones(s, p, a - Action.FEED)
    elif step == Step.SELL:
        feeding.decide_sale(s, p, a - Action.SELL)
    elif a == Action.NONE:
        tell(s, Event.NO_GRAIN_CARD, p)
        feeding.count_shortage(s, p)
    else:
        feeding.play_grain(s, p, a - Action.CARD)


@rule
def apply_building(s: State, p: int, a: int, step: int) -> None:
    """A choice at a dock, Sphinx cards kept and returned, a market, a late ship (EGZ-B3, X2, N13, O3, B19)."""
    if step == Step.BUILD:
        building.decide_build(s, p, a)
    elif step == Step.MARKET:
        tell(s, Event.MARKET_CHOSEN, p, a - Action.MARKET)
        tracks.move_market(s, p, a - Action.MARKET, 1)
    elif step == Step.LATE:
        building.decide_late(s, p, a)
    elif step == Step.KEEP:
        if sphinx.decide_keep(s, p, a):
            building.finish_draw(s, p)
    elif step == Step.KEEP_MORE:
        if sphinx.decide_keep_more(s, p, a):
            building.finish_draw(s, p)
    elif step == Step.KEEP_SECOND:
        sphinx.decide_keep_second(s, p, a)
        building.finish_draw(s, p)
    elif step == Step.RETURN:
        sphinx.return_chosen(s, p, a - Action.SPHINX)
        building.finish_draw(s, p)
    else:
        tell_declined(s, p, a, step)
        build_on(s, p, a, step)


@rule
def tell_declined(s: State, p: int, a: int, step: int) -> None:
    """By choice nothing is added to a build: what has a single option goes without saying."""
    if a == Action.FINISH:
        tell(s, Event.STOPPED, p)
    elif a == Action.NONE and step == Step.BASIC2:
        tell(s, Event.NO_SECOND_CREW, p)
    elif a == Action.NONE and step == Step.LEADER:
        tell(s, Event.NO_LEADER, p)
    elif a == Action.NONE:
        tell(s, Event.NO_MORE_POWER, p)


@rule
def build_on(s: State, p: int, a: int, step: int) -> None:
    """A choice of a build up to the last brick, or to the number of Sphinx cards (EGZ-B9 to B14, X1)."""
    if step == Step.BASIC:
        building.flip_basic(s, p, a - Action.CREW)
    elif step == Step.BASIC2:
        building.add_second(s, p, a)
    elif step == Step.LEADER:
        building.add_leader(s, p, a)
    elif step == Step.POWER:
        building.add_power(s, p, a)
    elif step == Step.NUMBER:
        sphinx.name_number(s, p, 1 + a - Action.NUMBER)
    elif a == Action.FINISH:
        building.end_build(s, p)
    else:
        monuments.put_brick(s, p, a)
        s.step = Step.SPACE
