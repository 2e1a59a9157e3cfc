"""The log of Egizia: what was chosen, and all that followed from it, told from one viewer's sight before and after.

What follows without a choice (mining, feeding, ships that cannot build, clean-up) is found by carrying the choice out again, one
thing at a time, on a copy of what the viewer saw before. Sphinx cards that the viewer does not know are left out of that.
"""

from __future__ import annotations

from perankh.engine.text import listed

from .building import end_build
from .cards import grain_of, stone_production
from .feeding import grain_of_stone, need
from .printed import (
    ABILITY_NUMBERS,
    CARD_SPACES,
    DOCKS,
    GRAIN_GROUP,
    SPHINX_CARDS,
    SPHINX_NAMES,
    STORE,
    TILE_SPACES,
)
from .rules import carry_out, one_thing, ranks
from .sentences import dock_code_name
from .speech import (
    LOCATION_CODES,
    WORDS,
    bonus_title,
    card_title,
    counted,
    crew_name,
    market_name,
    points_text,
    ring_text,
    seat_name,
    stones_text,
    tile_title,
)
from .sphinx import drawn_card, hand, score_returned
from .table import (
    ADD_LEADER,
    ATTACH,
    BASIC_2,
    BONUS,
    BUILDING,
    CARD,
    CHOOSE_BUILD,
    CHOOSE_MARKET,
    CREW,
    DECLINE,
    DOUBLE,
    FEED,
    FEED_STONES,
    FEEDING,
    FINAL,
    FINISH,
    FIRST_TILE,
    GO_ON,
    GRAIN_CARD,
    KEEP,
    KEEP_MORE,
    KEEP_SECOND,
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
    OVER,
    PASS,
    POWER,
    RAISE,
    RETURN,
    RING,
    SECOND,
    SELL,
    SELL_GRAIN,
    SPHINX,
    START,
    STEPS,
    TOKEN,
    State,
)
from .telling import Telling

SPHINX_STEPS = (KEEP, KEEP_MORE, KEEP_SECOND, RETURN)


def told(before: State, after: State, p: int, a: int, lang: str) -> str:
    """What happened when p chose `a`, and what followed from it."""
    t = Telling(before, lang)
    first, *more = replay(before, after, p, a)
    t.new = first
    tell_choice(t, p, a)
    t.rest()
    for state in more:
        t.new = state
        tell_step(t, after)
    if after.round != before.round:
        tell_round(t, after)
    if after.step == OVER:
        tell_end(t, after)
    return ("" if lang == "ja" else " ").join(t.lines)


# --- Carrying it out again ----------------------------------------------------------------------------------------


def replay(before: State, after: State, p: int, a: int) -> list[State]:
    """The table after the choice, and after each thing that followed by itself until the round was over."""
    step = int(before.step)
    if step == START or after.draws > before.draws:
        return [after.copy()]
    s = before.copy()
    if step in SPHINX_STEPS:
        s.step = GO_ON
        replay_sphinx(s, after, p)
    else:
        carry_out(s, p, a)
    states = [s]
    s = s.copy()
    while s.round == before.round and one_thing(s):
        states.append(s)
        s = s.copy()
    return states if s.round == before.round else [*states, s]


def replay_sphinx(s: State, after: State, p: int) -> None:
    """A choice about drawn Sphinx cards, of which all know only how many are kept."""
    s.draw_keeps, s.held = list(after.draw_keeps), list(after.held)
    if after.step in SPHINX_STEPS and after.round == s.round:
        s.step = after.step
        return
    s.tape_end = after.tape_end
    score_returned(s, p)
    end_build(s, p)


# --- The choice ---------------------------------------------------------------------------------------------------


def tell_choice(t: Telling, p: int, a: int) -> None:
    """The choice itself, and what it brought at once."""
    step = t.seen.step
    if step == START:
        tell_start(t, p, a - SPHINX)
    elif step < LEFT_OVER:
        tell_placement(t, p, a, step)
    elif step == LEFT_OVER:
        tell_leftover(t, p, a)
    elif step <= SELL_GRAIN:
        tell_feeding(t, p, a, step)
    elif step in SPHINX_STEPS:
        tell_sphinx(t, p, a, step)
    else:
        tell_building(t, p, a, step)
        t.flips(p)
        t.brick(p)
        t.draw(p)
        t.joins()


def tell_start(t: Telling, p: int, card: int) -> None:
    """A Sphinx card kept at set-up, named to its owner alone."""
    dealt = [dealt - 1 for dealt in t.seen.dealt[p]]
    if card not in dealt:
        t.say("log.start", p)
    else:
        other = dealt[0] if dealt[1] == card else dealt[1]
        t.say("log.start_own", p, card=SPHINX_NAMES[card], other=SPHINX_NAMES[other])
    t.seen = t.new


def tell_placement(t: Telling, p: int, a: int, step: int) -> None:
    """A ship, an ability for it, or a choice of an effect."""
    if step == LOCATION and a == PASS:
        t.say("log.pass", p)
        t.seen.passed |= 1 << p
    elif a == NONE:
        t.say(f"log.{STEPS[step]}_none", p)
    elif step in (RAISE, LOWER):
        tell_crew(t, p, a - CREW, step)
    elif step == MOVE_RING:
        key = "log.ring" if t.new.ring != t.seen.ring else "log.ring_stay"
        t.say(key, p, ring=ring_text(1 + a - RING, t.lang))
    elif step != ATTACH:
        t.uses(p)
        if step not in (DOUBLE, SECOND):
            t.arrival(p, t.new.target - 1)
    t.passes()


def tell_crew(t: Telling, p: int, crew: int, step: int) -> None:
    """A crew raised or lowered by choice."""
    words = {"crew": crew_name(crew, t.lang), "n": t.new.strength[p][crew], "points": t.points(t.new.vp[p] - t.seen.vp[p])}
    t.say("log.raise" if step == RAISE else "log.lower", p, **words)
    t.seen.strength[p][crew] = t.new.strength[p][crew]
    t.seen.vp[p] = t.new.vp[p]


def tell_leftover(t: Telling, p: int, a: int) -> None:
    """A card left on the river is taken, or not."""
    if a == NONE:
        t.say("log.leftover_none", p)
        return
    t.uses(p)
    place = LOCATION_CODES[t.seen.river.index(1 + a - CARD)]
    t.say("log.leftover", p, card=card_title(a - CARD, t.lang), place=place)


def tell_feeding(t: Telling, p: int, a: int, step: int) -> None:
    """Grain cards, stones for grain, grain sold."""
    wanted = need(t.seen, p)
    missing = max(0, wanted - t.seen.harvest)
    if step == GRAIN_CARD and a == NONE:
        t.say("log.grain_none", p)
    elif step == GRAIN_CARD:
        harvest = t.seen.harvest + ABILITY_NUMBERS[a - CARD][0]
        missing = max(0, wanted - harvest)
        t.say("log.grain", p, card=card_title(a - CARD, t.lang), harvest=harvest, need=wanted)
    elif step == FEED_STONES:
        stones = a - FEED
        t.say("log.feed", p, stones=stones_text(stones, t.lang))
        t.seen.stones[p] -= stones
        missing = max(0, missing - stones * grain_of_stone(t.seen, p))
    else:
        tell_sale(t, p, a - SELL)
    if t.new.turn > t.seen.turn:
        t.missing(p, missing)
        tell_rest_sold(t, p)


def tell_sale(t: Telling, p: int, groups: int) -> None:
    """Surplus grain sold by choice, or not."""
    if groups == 0:
        t.say("log.sell_none", p)
        return
    t.say("log.sell", p, n=groups * GRAIN_GROUP, points=t.points(groups))
    t.seen.vp[p] += groups


def tell_rest_sold(t: Telling, p: int) -> None:
    """Surplus grain that was sold without asking."""
    groups = t.new.vp[p] - t.seen.vp[p]
    if groups > 0:
        t.say("log.sell", p, n=groups * GRAIN_GROUP, points=t.points(groups))
        t.seen.vp[p] += groups


def tell_building(t: Telling, p: int, a: int, step: int) -> None:
    """A choice at a dock, up to the last brick or the number of Sphinx cards, and afterwards."""
    dock = dock_code_name(t.seen.docking - 1, t.lang)
    if step == CHOOSE_BUILD:
        t.say("log.decline" if a == DECLINE else "log.build", p, dock=dock)
    elif step == LATE:
        tell_late(t, p, a, dock)
        return
    elif a == NONE and step in (BASIC_2, ADD_LEADER, POWER):
        t.say(f"log.{STEPS[step]}_none", p)
    elif a == FINISH:
        t.say("log.finish", p)
    elif step == NAME_NUMBER and t.new.draws == t.seen.draws:
        t.say("log.number", p, stones=stones_text(1 + a - NUMBER, t.lang))
        t.seen.stones[p] = t.new.stones[p]
    elif step == CHOOSE_MARKET:
        t.say("log.market", p, market=market_name(a - MARKET, t.lang))
    t.uses(p)


def tell_late(t: Telling, p: int, a: int, dock: str) -> None:
    """A waiting ship builds last after all, or not."""
    if a == NONE:
        t.say("log.late_none", p, dock=dock)
        return
    what = WORDS.say("do.token", t.lang) if a == TOKEN else bonus_title(a - BONUS, t.lang)
    t.say("log.late", p, what=what, dock=dock)


def tell_sphinx(t: Telling, p: int, a: int, step: int) -> None:
    """Cards kept and returned, named to those who may know them."""
    own = t.seen.draws > 0 and step != KEEP_MORE and drawn_card(t.seen, 0) >= 0
    if a == NONE:
        t.say("log.keep_none" if step == KEEP else "log.keep_more_none", p)
    elif step == KEEP_MORE:
        t.uses(p)
        t.draw(p)
        if t.new.draws == t.seen.draws and t.new.draw_keeps[t.new.draws - 1] > t.seen.draw_keeps[t.seen.draws - 1]:
            t.say("log.keep", p)
    else:
        key = "log.return" if step == RETURN else "log.keep"
        t.say(f"{key}_own" if own else key, p, card=SPHINX_NAMES[a - SPHINX])
    if a == NONE and step == KEEP_MORE:
        t.draw(p)
    gained = t.new.vp[p] - t.seen.vp[p]
    if gained:
        returned = t.new.draw_size[t.new.draws - 1] - t.new.draw_keeps[t.new.draws - 1]
        t.say("then.returned", p, cards=counted("cards", returned, t.lang), points=t.points(gained))
        t.seen.vp[p] = t.new.vp[p]


# --- What follows by itself ---------------------------------------------------------------------------------------


def tell_step(t: Telling, after: State) -> None:
    """One thing that happened without a choice."""
    old, new = t.seen, t.new
    if old.source and new.source and new.step == GO_ON:
        return  # told when the effect is done
    if old.step != GO_ON:
        tell_only_choice(t, old.chooser)
    elif old.source == 0 and old.phase == LEFTOVERS and new.phase == FEEDING:
        tell_mining(t)
    elif old.phase == FEEDING and new.phase == FEEDING:
        tell_harvest(t, old.order[old.turn])
    elif old.phase == BUILDING:
        tell_docks(t)
    if new.round == old.round and new.step != OVER:
        t.passes()
    else:
        tell_cooperation(t, after)
    t.rest()


def tell_only_choice(t: Telling, p: int) -> None:
    """A choice with one option, made without asking."""
    t.uses(p)
    if t.seen.step == LOCATION:
        t.arrival(p, t.new.target - 1)
    t.flips(p)
    t.brick(p)


def tell_mining(t: Telling) -> None:
    """Stones from the quarries."""
    found = []
    for p in range(t.new.players):
        total = t.new.stones[p]
        words = {"who": seat_name(p, t.lang), "n": stone_production(t.new, p), "total": total}
        found.append(WORDS.say("then.full" if total == STORE else "then.mined", t.lang, **words))
        t.seen.stones[p] = total
    t.lines.append(WORDS.say("then.mining", t.lang, who=listed(found, t.lang)))


def tell_harvest(t: Telling, p: int) -> None:
    """A player's harvest, and what it costs or brings if nothing is to be decided."""
    harvest, wanted = grain_of(t.seen, p, t.seen.ring), need(t.seen, p)
    t.say("then.harvest", p, harvest=harvest, need=wanted)
    if t.new.turn > t.seen.turn:
        t.missing(p, max(0, wanted - harvest))
        tell_rest_sold(t, p)


def tell_docks(t: Telling) -> None:
    """Ships that cannot build, and ships that have waited in vain."""
    old, new = t.seen, t.new
    over = new.round != old.round or new.step == OVER
    current = max(0, old.docking - 1)
    reached = DOCKS if over else new.docking - 1
    for dock in range(current, reached):
        ship = old.speculator[dock]
        if ship and not (dock == old.docking - 1 and (old.acted >> (ship - 1)) & 1):
            t.say("then.vain", ship - 1, dock=dock_code_name(dock, t.lang))
    if over:
        return
    acted = new.acted & ~(old.acted if reached == current else 0)
    for p in range(new.players):
        if (acted >> p) & 1:
            t.cannot_build(p, reached)
    t.joins()


def tell_cooperation(t: Telling, after: State) -> None:
    """The cooperation bonus of the round."""
    found = []
    for p in range(after.players):
        gained = after.vp[p] - sum(after.final[p]) - t.seen.vp[p]
        if gained:
            found.append(WORDS.say("then.gain", t.lang, who=seat_name(p, t.lang), n=gained))
    if found:
        t.lines.append(WORDS.say("then.cooperation", t.lang, who=listed(found, t.lang)))
    t.seen.vp = t.new.vp = list(after.vp)


# --- Rounds and the end -------------------------------------------------------------------------------------------


def tell_round(t: Telling, after: State) -> None:
    """A new round: turn order, cards and tiles, and crews trained without a choice."""
    lang = t.lang
    names = [seat_name(p, lang) for p in after.order[: after.players]]
    t.lines.append(WORDS.say("then.round", lang, round=after.round, order=listed(names, lang)))
    if after.round == 1:
        stones = [f"{seat_name(p, lang)} {after.stones[p]}" for p in after.order[: after.players]]
        t.lines.append(WORDS.say("then.stones_dealt", lang, who=listed(stones, lang)))
        t.seen.stones = list(after.stones)
    cards = [f"{LOCATION_CODES[i]} {card_title(after.river[i] - 1, lang)}" for i in range(CARD_SPACES) if after.river[i]]
    t.lines.append(WORDS.say("then.river", lang, cards=listed_wide(cards, lang)))
    tiles = [
        f"{LOCATION_CODES[FIRST_TILE + i]} {tile_title(after.laid[i], lang)}" for i in range(TILE_SPACES) if after.laid[i] >= 0
    ]
    t.lines.append(WORDS.say("then.tiles", lang, tiles=listed_wide(tiles, lang)))
    t.new = after.copy()
    t.rest()


def listed_wide(items: list[str], lang: str) -> str:
    """Items that may hold commas themselves."""
    return ("；" if lang == "ja" else "; ").join(items)


def tell_end(t: Telling, after: State) -> None:
    """Final scoring by source, seat by seat, and who wins."""
    t.lines.append(WORDS.say("ending.five_rounds", t.lang))
    for p in range(after.players):
        parts = [final_text(after, p, part, t.lang) for part in FINAL]
        track = after.vp[p] - sum(after.final[p])
        t.say("then.final", p, track=track, parts=listed(parts, t.lang), total=after.vp[p])
    places = [0] * after.players
    ranks(after, places)
    winner = places.index(1)
    tied = after.vp[: after.players].count(after.vp[winner]) > 1
    t.say("then.winner_tie" if tied else "then.winner", winner, points=points_text(after.vp[winner], t.lang))


def final_text(after: State, p: int, part: str, lang: str) -> str:
    """The points of one source of the final scoring."""
    n = after.final[p][FINAL.index(part)]
    cards = hand(after, p)
    names = [SPHINX_NAMES[card] for card in range(SPHINX_CARDS) if (cards >> card) & 1]
    return WORDS.say(f"final.{part}", lang, n=n, cards=listed(names, lang) or "-")
