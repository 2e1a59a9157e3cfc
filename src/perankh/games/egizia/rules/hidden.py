"""Who knows which Sphinx card: what a player has dealt, drawn and returned himself, and nothing else until the end.

Worlds for a veiled state are found by playing the draws again: every place drawn first by another player holds an unknown card (a
negative number), others keep cards at random, and what the viewer has seen must come out. A try that does not is made anew, up to
a bound: one try in a thousand fails, and only when returned cards have been drawn and returned again.
"""

from __future__ import annotations

from perankh.engine.api import below, masks, rule

from . import sphinx
from .state import SphinxReturn, State, Step

HIDDEN = ("dealt", "tape", "draw_kept")

# On the tape while a world is sought: a known card is 1 + card if the viewer has seen it there, -KNOWN - 1 - card if it follows;
# -1 - place is the unknown card that lay at a place of the fresh deck.
KNOWN = 60
MOST_TRIES = 100

# --- Veil ---------------------------------------------------------------------------------------------------------


@rule
def veil(s: State, p: int) -> None:
    """Others' dealt and kept cards and all that only others have drawn or returned; hands are open at the end (EGZ-X4, Z4)."""
    for q in range(s.players):
        if q != p:
            s.dealt[q][1] = 0
            if s.step != Step.OVER:
                s.dealt[q][0] = 0
    mark_seen(s, p)
    for place in range(s.tape_end):
        s.tape[place] = max(0, -s.tape[place])


@rule
def mark_seen(s: State, p: int) -> None:
    """Turn the sign of every card on the tape that p has seen, and erase what others have kept."""
    drawn = 0
    returned = sphinx.fresh_places(s)
    for e in range(s.draws):
        for i in range(s.draw_size[e]):
            if s.draw_by[e] == 1 + p or (s.step == Step.OVER and masks.has(s.draw_kept[e], i)):
                s.tape[drawn + i] = -abs(s.tape[drawn + i])
        back = sphinx.returned_in(s, e, returned)
        for i in range(back):
            if s.draw_by[e] == 1 + p and s.sphinx_return != SphinxReturn.SHUFFLED:
                s.tape[returned + i] = -abs(s.tape[returned + i])
        if s.draw_by[e] != 1 + p and s.step != Step.OVER:
            s.draw_kept[e] = 0
        drawn += s.draw_size[e]
        returned += back


# --- Redeal -------------------------------------------------------------------------------------------------------


@rule
def redeal(s: State) -> None:
    """A world that could be true for the viewer (EGZ-X4)."""
    if s.step == Step.START:
        deal_unknown(s)
        return
    for attempt in range(MOST_TRIES):
        if replay_draws(s, attempt == MOST_TRIES - 1):
            break
        forget_try(s)
    settle(s)


@rule
def deal_unknown(s: State) -> None:
    """While the players choose: two cards for each whose cards are unknown."""
    cards = sphinx.all_sphinx(s)
    for p in range(s.players):
        for i in range(2):
            if s.dealt[p][i] > 0:
                cards = masks.removed(cards, s.dealt[p][i] - 1)
    for p in range(s.players):
        for i in range(2):
            if s.dealt[p][i] == 0:
                card = pick(s, cards)
                cards = masks.removed(cards, card)
                s.dealt[p][i] = 1 + card


@rule
def forget_try(s: State) -> None:
    """Erase what a try has written."""
    for place in range(s.tape_end):
        s.tape[place] = max(0, s.tape[place])
    for e in range(s.draws):
        s.draw_kept[e] = max(0, s.draw_kept[e])


@rule
def replay_draws(s: State, anyhow: bool) -> bool:
    """Play all draws again with unknown cards; False if the viewer would have seen something else, unless `anyhow`."""
    fresh = sphinx.fresh_places(s)
    for place in range(min(s.tape_top, fresh)):
        if s.tape[place] == 0:
            s.tape[place] = -1 - place
    drawn = 0
    returned = fresh
    for e in range(s.draws):
        back = sphinx.returned_in(s, e, returned)
        kept = s.draw_kept[e]
        if kept == 0 and s.draw_keeps[e] > 0:
            kept = guess_kept(s, e, drawn, returned, back)
            if kept == 0 and anyhow:
                kept = masks.all_below(s.draw_keeps[e])
            if kept == 0:
                return False
            s.draw_kept[e] = -kept
        elif not anyhow and not fits(s, kept, drawn, s.draw_size[e], returned, back):
            return False
        put_back(s, kept, drawn, s.draw_size[e], returned, back)
        drawn += s.draw_size[e]
        returned += back
    return True


@rule
def guess_kept(s: State, e: int, drawn: int, returned: int, back: int) -> int:
    """Any choice of kept cards that fits what the viewer has seen, 0 if there is none."""
    size = s.draw_size[e]
    possible = 0
    for kept in range(1, 1 << size):
        if masks.count(kept) == s.draw_keeps[e] and fits(s, kept, drawn, size, returned, back):
            possible += 1
    if possible == 0:
        return 0
    skip = below(s, possible)
    for kept in range(1, 1 << size):
        if masks.count(kept) == s.draw_keeps[e] and fits(s, kept, drawn, size, returned, back):
            if skip == 0:
                return kept
            skip -= 1
    return 0


@rule
def known(label: int) -> int:
    """1 + the card of a place during the search, 0 for an unknown one."""
    if label > 0:
        return label
    return -label - KNOWN if label < -KNOWN else 0


@rule
def is_known_before(s: State, card: int, end: int) -> bool:
    """Whether a card (1 + its number) is known to lie at a place before `end`."""
    for place in range(end):
        if known(s.tape[place]) == card:
            return True
    return False


@rule
def seen_from(s: State, card: int, start: int) -> bool:
    """Whether the viewer has seen a card (1 + its number) at a place from `start` on."""
    for place in range(start, s.tape_end):
        if s.tape[place] == card:
            return True
    return False


@rule
def keeps_order(s: State) -> bool:
    """Whether cards go back in the order in which they were drawn (`sphinx_return`)."""
    return s.sphinx_return == SphinxReturn.DRAWN_ORDER


@rule
def fits(s: State, kept: int, drawn: int, size: int, returned: int, back: int) -> bool:
    """Whether a choice of kept cards agrees with what the viewer has seen of the cards returned, and later of the kept ones."""
    for i in range(size):
        if masks.has(kept, i) and known(s.tape[drawn + i]) and seen_from(s, known(s.tape[drawn + i]), returned):
            return False
    if keeps_order(s):
        return fits_in_order(s, kept, drawn, size, returned, back)
    return fits_anyhow(s, kept, drawn, size, returned, back)


@rule
def fits_in_order(s: State, kept: int, drawn: int, size: int, returned: int, back: int) -> bool:
    """Each returned card is the one the viewer has seen there, or an unknown one that can be it."""
    j = 0
    for i in range(size):
        if not masks.has(kept, i) and j < back:
            seen = s.tape[returned + j]
            if seen > 0 and known(s.tape[drawn + i]) != seen:
                if known(s.tape[drawn + i]) or is_known_before(s, seen, returned):
                    return False
            j += 1
    return True


@rule
def fits_anyhow(s: State, kept: int, drawn: int, size: int, returned: int, back: int) -> bool:
    """In any order: each card the viewer has seen there is among those returned, or an unknown one can be it."""
    unknown = 0
    for i in range(size):
        if not masks.has(kept, i) and known(s.tape[drawn + i]) == 0:
            unknown += 1
    for j in range(back):
        seen = s.tape[returned + j]
        if seen > 0 and place_among(s, seen, kept, drawn, size) < 0:
            unknown -= 1
            if unknown < 0 or is_known_before(s, seen, returned):
                return False
    return True


@rule
def place_among(s: State, card: int, kept: int, drawn: int, size: int) -> int:
    """Which of the cards drawn and not kept is this one (1 + its number); -1 for none."""
    for i in range(size):
        if not masks.has(kept, i) and known(s.tape[drawn + i]) == card:
            return i
    return -1


@rule
def put_back(s: State, kept: int, drawn: int, size: int, returned: int, back: int) -> None:
    """The cards not kept go under the deck; a place of a shuffled return is left open until it is drawn."""
    used = kept
    for j in range(back):
        seen = s.tape[returned + j]
        if seen > 0:
            i = place_among(s, seen, used, drawn, size)
            if i < 0:
                i = nth_left(kept, j) if keeps_order(s) else next_unknown(s, used, drawn, size)
                if i >= 0 and known(s.tape[drawn + i]) == 0:
                    recognise(s, s.tape[drawn + i], seen)
            if i >= 0:
                used = masks.added(used, i)
    for j in range(back):
        if s.tape[returned + j] == 0 and (s.sphinx_return != SphinxReturn.SHUFFLED or returned + j < s.tape_top):
            left = masks.all_below(size) & ~used
            i = nth_left(kept, j) if keeps_order(s) else pick(s, left)
            used = masks.added(used, i)
            label = s.tape[drawn + i]
            s.tape[returned + j] = -KNOWN - label if label > 0 else label


@rule
def nth_left(kept: int, j: int) -> int:
    """The number of the card that is returned as number j in drawn order."""
    i = 0
    while True:
        if not masks.has(kept, i):
            if j == 0:
                return i
            j -= 1
        i += 1


@rule
def next_unknown(s: State, used: int, drawn: int, size: int) -> int:
    """Any unknown card of the draw that is neither kept nor already placed, -1 if there is none."""
    unknown = 0
    for i in range(size):
        if not masks.has(used, i) and known(s.tape[drawn + i]) == 0:
            unknown = masks.added(unknown, i)
    return pick(s, unknown) if unknown else -1


@rule
def recognise(s: State, label: int, card: int) -> None:
    """An unknown card turns out to be this one (1 + its number), wherever it has lain."""
    for place in range(s.tape_end):
        if s.tape[place] == label:
            s.tape[place] = -KNOWN - card


@rule
def settle(s: State) -> None:
    """Unknown cards get their numbers: first the others' kept cards, then those drawn, then the others' returned ones."""
    free = sphinx.all_sphinx(s)
    for place in range(s.tape_end):
        if known(s.tape[place]):
            free = masks.removed(free, known(s.tape[place]) - 1)
    returned = 0
    for p in range(s.players):
        if s.dealt[p][0] > 0:
            free = masks.removed(free, s.dealt[p][0] - 1)
        if s.dealt[p][1] > 0:
            returned = masks.added(returned, s.dealt[p][1] - 1)
    for p in range(s.players):
        if s.dealt[p][0] == 0:
            card = pick(s, free & ~returned)
            free = masks.removed(free, card)
            s.dealt[p][0] = 1 + card
    for place in range(s.tape_end):
        if -KNOWN <= s.tape[place] < 0:
            card = pick(s, free if free else sphinx.all_sphinx(s))
            free = masks.removed(free, card)
            recognise(s, s.tape[place], 1 + card)
    for place in range(s.tape_end):
        s.tape[place] = known(s.tape[place])
    for e in range(s.draws):
        s.draw_kept[e] = abs(s.draw_kept[e])
    fill_returned(s)


@rule
def pick(s: State, cards: int) -> int:
    """Any card of a set."""
    return masks.nth(cards, below(s, masks.count(cards)))


@rule
def fill_returned(s: State) -> None:
    """The cards that the others gave back at set-up: any that were in the deck then."""
    free = sphinx.all_sphinx(s)
    for p in range(s.players):
        for i in range(2):
            if s.dealt[p][i] > 0:
                free = masks.removed(free, s.dealt[p][i] - 1)
    for p in range(s.players):
        if s.dealt[p][1] == 0:
            card = pick(s, free)
            free = masks.removed(free, card)
            s.dealt[p][1] = 1 + card


@rule
def seen_cards(s: State, p: int) -> int:
    """Sphinx cards that p has seen: dealt, drawn or kept, as a set (of a veiled state: p's own)."""
    cards = 0
    for i in range(2):
        if s.dealt[p][i] > 0:
            cards = masks.added(cards, s.dealt[p][i] - 1)
    for place in range(s.tape_end):
        if s.tape[place] > 0:
            cards = masks.added(cards, s.tape[place] - 1)
    return cards
