"""Effects of Nile cards and tiles: a source (card or tile) and its parts, carried out one after the other from left to right."""

from __future__ import annotations

from perankh.engine.api import masks, rule, tell

from . import nile, tracks
from .components import ANY, CARDS, CREW_LEAST, EFFECT_PARTS, FIELD_MASK, NUMBER_OF_CREWS, OTHER, RING_POSITIONS, TRAIN, Part
from .events import Event
from .state import Action, State, Step

# --- Beginning and going on -----------------------------------------------------------------------------------


@rule
def begin_effect(s: State, source: int, times: int) -> None:
    """The effect of a card, or of CARDS + a tile, is to be carried out once or twice (EGZ-P7, N10)."""
    s.source = 1 + source
    s.part = 0
    s.times = times
    s.raised = 0


@rule
def take_card(s: State, p: int, card: int) -> None:
    """A card goes before p; waiting improvers are attached, then its immediate effect follows (EGZ-P6, P10 to P13, N6)."""
    s.held[p] = masks.added(s.held[p], card)
    if masks.has(FIELD_MASK, card):
        nile.attach_waiting(s, p, card)
    if EFFECT_PARTS[card][0][0] > 0 and not masks.has(TRAIN, card):
        begin_effect(s, card, 1)


@rule
def next_part(s: State, p: int) -> None:
    """The next part of the effect under way, or its end (EGZ-P7, P11)."""
    source = s.source - 1
    what = EFFECT_PARTS[source][s.part][0]
    a = EFFECT_PARTS[source][s.part][1]
    b = EFFECT_PARTS[source][s.part][2]
    s.part += 1
    if what == Part.CREW:
        raise_some_crew(s, p, a, b)
    elif what == Part.LOWER_CREW:
        lower_some_crew(s, p, b)
    elif what == Part.RING:
        s.step = Step.RING
        s.chooser = p
    elif what == Part.MARKET:
        tracks.move_market(s, p, a, b)
    elif what == Part.STONES:
        tracks.gain_stones(s, p, a)
    elif what == Part.VP:
        tracks.score(s, p, a)
        tell(s, Event.SCORED, p, a)
    elif what == Part.SPECULATION:
        s.tokens[p] += 1
        tell(s, Event.TOKEN_GAINED, p)
    elif what == Part.IMPROVE:
        improve_some_field(s, p, source)
    else:
        end_effect(s, p)


@rule
def end_effect(s: State, p: int) -> None:
    """Once more from the start if it is doubled; else a card that is used up goes away (EGZ-N10, P11)."""
    if s.times > 1:
        begin_effect(s, s.source - 1, s.times - 1)
        return
    if s.source <= CARDS:
        nile.discard_resolved(s, p, s.source - 1)
    s.source = 0
    s.part = 0
    s.times = 0
    s.raised = 0


@rule
def number_of_part(s: State, place: int) -> int:
    """A number of the part that waits for a choice."""
    number: int = EFFECT_PARTS[s.source - 1][s.part - 1][place]
    return number


# --- Crews ------------------------------------------------------------------------------------------------------


@rule
def raisable(s: State, p: int) -> int:
    """Crews that the part that waits can raise, as a set: below the limit, new if it asks for another one (EGZ-E1, E6)."""
    crews = 0
    for crew in range(NUMBER_OF_CREWS):
        if tracks.can_raise(s, p, crew) and not (number_of_part(s, 1) == OTHER and masks.has(s.raised, crew)):
            crews = masks.added(crews, crew)
    return crews


@rule
def raise_some_crew(s: State, p: int, which: int, steps: int) -> None:
    """A named crew, or one of the player's choice; with none below the limit nothing happens (EGZ-E1, E2, E6)."""
    if steps < 0:
        tracks.lower_crew(s, p, which, -steps)
        return
    if which < ANY:
        tracks.raise_crew(s, p, which, steps)
        return
    crews = raisable(s, p)
    if masks.count(crews) > 1:
        s.step = Step.RAISE
        s.chooser = p
    elif crews:
        raise_chosen(s, p, masks.first(crews))


@rule
def raise_chosen(s: State, p: int, crew: int) -> None:
    """The chosen crew goes up (EGZ-E1)."""
    tracks.raise_crew(s, p, crew, number_of_part(s, 2))
    s.raised = masks.added(s.raised, crew)


@rule
def lowerable(s: State, p: int) -> int:
    """Crews above the least strength, as a set (EGZ-E2)."""
    crews = 0
    for crew in range(NUMBER_OF_CREWS):
        if s.strength[p][crew] > CREW_LEAST:
            crews = masks.added(crews, crew)
    return crews


@rule
def lower_some_crew(s: State, p: int, otherwise: int) -> None:
    """A crew above the least strength goes down for VP; with none fewer VP (EGZ-E2, N15)."""
    crews = lowerable(s, p)
    if masks.count(crews) > 1:
        s.step = Step.LOWER
        s.chooser = p
    elif crews:
        lower_chosen(s, p, masks.first(crews))
    elif otherwise > 0:
        tracks.score(s, p, otherwise)
        tell(s, Event.NONE_LOWERED, p, otherwise)


@rule
def lower_chosen(s: State, p: int, crew: int) -> None:
    """The chosen crew goes down, then VP (EGZ-N15)."""
    s.strength[p][crew] -= 1
    tracks.score(s, p, number_of_part(s, 1))
    tell(s, Event.LOWERED, p, crew, s.strength[p][crew], number_of_part(s, 1))


# --- Ring and improver ------------------------------------------------------------------------------------------


@rule
def ring_reaches(s: State, position: int) -> bool:
    """Whether the ring may move there with the part that waits; staying is allowed (EGZ-E3)."""
    return abs(position - s.ring) <= number_of_part(s, 1)


@rule
def move_ring(s: State, p: int, position: int) -> None:
    """The ring goes to a position, or stays (EGZ-E3)."""
    if position == s.ring:
        tell(s, Event.RING_LEFT, p, position)
    else:
        s.ring = position
        tell(s, Event.RING_MOVED, p, position)


@rule
def improve_some_field(s: State, p: int, improver: int) -> None:
    """One own yellow or red field; with none the card waits, or by option is void (EGZ-N6)."""
    fields = nile.improvable(s, p)
    if fields == 0:
        tell(s, Event.IMPROVER_WAITS if s.improver_waits else Event.IMPROVER_VOID, p, improver)
    elif masks.count(fields) == 1:
        nile.attach(s, p, improver, masks.first(fields))
    else:
        s.step = Step.ATTACH
        s.chooser = p


# --- Choices ----------------------------------------------------------------------------------------------------


@rule
def list_crews(s: State, p: int, out: list[int]) -> int:
    """Crews to raise or to lower (EGZ-E1, E2)."""
    return masks.write(lowerable(s, p) if s.step == Step.LOWER else raisable(s, p), Action.CREW, out, 0)


@rule
def list_ring(s: State, out: list[int]) -> int:
    """Positions of the ring (EGZ-E3)."""
    n = 0
    for position in range(1, RING_POSITIONS + 1):
        if ring_reaches(s, position):
            out[n] = Action.RING + position - 1
            n += 1
    return n
