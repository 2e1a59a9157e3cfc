"""Nile Mural: a hundred cards find their cells on the wall, and no card may stand in the shadow of the one before.

The clause ids (MUR-...) are those of the rule specification. The deck is a set of unseen cards: a card is drawn the moment it
is turned over.
"""

from __future__ import annotations

from perankh.engine.api import Record, Table, below, choice, components, flag, number, numbers, rule, seat

COMPONENTS = components(__file__)
AREAS = "ABCDEFGHJKLM"
CARDS = COMPONENTS.whole("cards", "count", 100, 100)
MOST_PLACEMENTS = COMPONENTS.whole("turn", "most_placements", 10, 10)
FIRST_HAND = COMPONENTS.whole("turn", "first_hand", 0, 10)

MAPS = COMPONENTS.sets("area_map")
ANKH_SETS = COMPONENTS.sets("ankh_set")
COMBO_TABLES = COMPONENTS.sets("combo_table")
TRACK_POINTS = COMPONENTS.sets("track_points")

SHEETS = [COMPONENTS.grid(f"area_map.{name}", "rows", 10, 10, AREAS) for name in MAPS]
for sheet, map_name in zip(SHEETS, MAPS, strict=True):
    for letter in set(AREAS) - {AREAS[area] for row in sheet for area in row}:
        COMPONENTS.fail(f"area_map.{map_name}", f"area {letter} has no cell")

AREA_OF = Table.of([[area for row in sheet for area in row] for sheet in SHEETS])  # [map][card] -> area
AREA_VALUE = Table.of([COMPONENTS.by_name(f"area_map.{name}", "values", AREAS, 1, 9) for name in MAPS])  # [map][area]
CELLS = [[[n for n in range(CARDS) if area_of[n] == area] for area in range(len(AREAS))] for area_of in AREA_OF]
LONGEST = 1 + max(len(cells) for areas in CELLS for cells in areas)
# [map][area] -> its cells, filled up with -1
AREA_CELLS = Table.of([[cells + [-1] * (LONGEST - len(cells)) for cells in areas] for areas in CELLS])
ANKHS = [COMPONENTS.wholes(f"ankh_set.{name}", "cards", None, 0, CARDS - 1) for name in ANKH_SETS]
IS_ANKH = Table.of([[int(n in cards) for n in range(CARDS)] for cards in ANKHS])  # [set][card]
COMBO_STEPS = Table.of([COMPONENTS.wholes(f"combo_table.{name}.steps", "row", 10, 0, 20) for name in COMBO_TABLES])
COMBO_CARDS = Table.of([COMPONENTS.wholes(f"combo_table.{name}.cards", "row", 10, 0, 20) for name in COMBO_TABLES])
TRACKS = ("combo", "area", "miss")
POINTS = Table.of(  # [set][track][place - 1]
    [[COMPONENTS.wholes(f"track_points.{name}.{track}", "row", 4, 0, 99) for track in TRACKS] for name in TRACK_POINTS]
)
TRACK_CELLS = Table(COMPONENTS.whole("track_cells", track, 1, 99) for track in TRACKS)  # for drawing only

PLAYERS = range(2, 5)
DRAW, STOP = 100, 101  # the other actions are card numbers
ACTIONS = 102
ENDINGS = ("mural_complete",)
HIDDEN = ("where",)
VERSION = 1

PLACE, TAKE, OVER = 0, 1, 2  # steps
UNSEEN, ROW, SHEET, HAND, OPEN = 0, 1, 2, 3, 7  # where a card is; HAND and OPEN are followed by the seat
COMBO, AREA, MISS = 0, 1, 2  # tracks


class State(Record):
    """The table of Nile Mural."""

    area_map: int = choice(*MAPS)  # which sheet lies on the table
    ankh_set: int = choice(*ANKH_SETS)  # which cards bear an ankh
    combo_table: int = choice(*COMBO_TABLES)  # the bonus by cards placed
    track_points: int = choice(*TRACK_POINTS)  # the points by place
    start_player: int = seat()  # who begins
    last_turn_bonus: int = flag(True)  # the turn that places the last card earns its bonus

    step: int = number("i1")  # PLACE, TAKE or OVER
    turn: int = number("i1")  # seat on turn
    placed: int = number("i1")  # cards placed in this turn, 0-10
    pawn: int = number("i1")  # card placed last, -1 before the first
    takes: int = number("i1")  # cards still to be taken in this TAKE
    ending_turn: int = number("i1")  # 1 if the takes are the combo bonus, 0 if they are an ankh's
    where: list[int] = numbers("i1", CARDS)  # UNSEEN, ROW, SHEET, HAND + seat (from the deck) or OPEN + seat (from the row)
    deck: int = number("i1")  # cards in the deck
    secret: list[int] = numbers("i1", 4)  # cards of each hand that came from the deck
    track: list[list[int]] = numbers("i2", 3, 4)  # [COMBO, AREA, MISS][seat] marker, MISS at most 0


# --- Set-up -----------------------------------------------------------------------------------------------------


@rule
def setup(s: State) -> None:
    """All cards face down, markers on 0, a first hand each, a start player (MUR-S2 to S5)."""
    s.deck = CARDS
    s.pawn = -1
    for p in range(s.players):
        for _ in range(FIRST_HAND):
            draw_to_hand(s, p)
    s.turn = s.start_player
    if s.start_player < 0:
        s.turn = below(s, s.players)


@rule
def draw(s: State) -> int:
    """Turn over the top card of the deck: any of the unseen cards (MUR-S6)."""
    skip = below(s, s.deck)
    s.deck -= 1
    return nth_unseen(s, skip)


@rule
def nth_unseen(s: State, skip: int) -> int:
    """The unseen card that has `skip` others before it."""
    n = 0
    while True:
        if s.where[n] == UNSEEN:
            if skip == 0:
                return n
            skip -= 1
        n += 1


@rule
def draw_to_hand(s: State, p: int) -> None:
    """Take the top card of the deck into p's hand, seen by p alone (MUR-S4, MUR-S6)."""
    s.where[draw(s)] = HAND + p
    s.secret[p] += 1


# --- What may be done ---------------------------------------------------------------------------------------------


@rule
def actors(s: State) -> int:
    """Only the player on turn ever decides."""
    return 0 if s.step == OVER else 1 << s.turn


@rule
def legal(s: State, p: int, out: list[int]) -> int:
    """Cards of the hand and the row, the deck, and stopping, as the step allows (MUR-T1, T2, T5, A2, C3)."""
    n = 0
    for card in range(CARDS):
        if may_use(s, p, card):
            out[n] = card
            n += 1
    if s.deck > 0:
        out[n] = DRAW
        n += 1
    if s.step == PLACE and s.placed > 0:
        out[n] = STOP
        n += 1
    return n


@rule
def may_use(s: State, p: int, card: int) -> bool:
    """May p choose this card: place it from hand or row unless it is shadowed, or take it from the row? (MUR-T2, B7, A2)"""
    where = s.where[card]
    if s.step == TAKE:
        return where == ROW
    return (where == ROW or where == HAND + p or where == OPEN + p) and not forbidden(s, card)


@rule
def forbidden(s: State, card: int) -> bool:
    """Does the card lie in the shadow of the card placed just before in this turn? (MUR-B1 to B5)"""
    return s.placed > 0 and card // 10 > s.pawn // 10 and card % 10 > s.pawn % 10


# --- The turn -------------------------------------------------------------------------------------------------------


@rule
def apply(s: State, p: int, a: int) -> None:
    """One choice of the player on turn."""
    if s.step == TAKE:
        take(s, p, a)
    elif a == STOP:
        end_turn(s, p)
    elif a == DRAW:
        draw_and_place(s, p)
    else:
        leave_hand(s, p, a)
        place(s, p, a)


@rule
def draw_and_place(s: State, p: int) -> None:
    """A deck card must be placed; if it is shadowed it is a miss (MUR-T3, M1)."""
    card = draw(s)
    if forbidden(s, card):
        miss(s, p, card)
    else:
        place(s, p, card)


@rule
def leave_hand(s: State, p: int, card: int) -> None:
    """A card that came from the deck leaves p's secret cards."""
    if s.where[card] == HAND + p:
        s.secret[p] -= 1


@rule
def place(s: State, p: int, card: int) -> None:
    """Put a card on its own cell, score a filled area, take for an ankh, and go on or end (MUR-T4, T5, T8, R4)."""
    s.where[card] = SHEET
    s.pawn = card
    s.placed += 1
    area = AREA_OF[s.area_map][card]
    if area_is_full(s, area):
        s.track[AREA][p] += AREA_VALUE[s.area_map][area]
    if not s.last_turn_bonus and all_on_sheet(s):
        s.step = OVER
    elif IS_ANKH[s.ankh_set][card] and anything_to_take(s):
        s.step = TAKE
        s.takes = 1
        s.ending_turn = 0
    elif s.placed == MOST_PLACEMENTS:
        end_turn(s, p)


@rule
def area_is_full(s: State, area: int) -> bool:
    """Is every cell of the area filled? (MUR-R1)"""
    k = 0
    while AREA_CELLS[s.area_map][area][k] >= 0:
        if s.where[AREA_CELLS[s.area_map][area][k]] != SHEET:
            return False
        k += 1
    return True


@rule
def miss(s: State, p: int, card: int) -> None:
    """The card goes to the row, the Miss marker one down, and the turn is over without bonus (MUR-M1 to M5)."""
    s.where[card] = ROW
    s.track[MISS][p] -= 1
    next_turn(s)


@rule
def take(s: State, p: int, a: int) -> None:
    """Take a card from the deck or the row into the hand (MUR-A1, C3); then go on with the turn or its end (MUR-A5)."""
    if a == DRAW:
        draw_to_hand(s, p)
    else:
        s.where[a] = OPEN + p
    s.takes -= 1
    if s.takes > 0 and anything_to_take(s):
        return
    s.takes = 0
    s.step = PLACE
    if s.ending_turn:
        next_turn(s)
    elif s.placed == MOST_PLACEMENTS:
        end_turn(s, p)


@rule
def end_turn(s: State, p: int) -> None:
    """The combo bonus for the cards placed: first the steps, then the cards (MUR-C1 to C4)."""
    s.track[COMBO][p] += COMBO_STEPS[s.combo_table][s.placed - 1]
    s.takes = COMBO_CARDS[s.combo_table][s.placed - 1]
    if s.takes > 0 and anything_to_take(s):
        s.step = TAKE
        s.ending_turn = 1
    else:
        s.takes = 0
        next_turn(s)


@rule
def next_turn(s: State) -> None:
    """The next player clockwise; with deck and row empty, players without a hand are skipped (MUR-T10, X1, E1)."""
    s.placed = 0
    s.ending_turn = 0
    if all_on_sheet(s):
        s.step = OVER
        return
    s.turn = (s.turn + 1) % s.players
    if not anything_to_take(s):
        while hand_size(s, s.turn) == 0:
            s.turn = (s.turn + 1) % s.players


@rule
def anything_to_take(s: State) -> bool:
    """Is there a card in the deck or the row? (MUR-A2)"""
    if s.deck > 0:
        return True
    for card in range(CARDS):
        if s.where[card] == ROW:
            return True
    return False


@rule
def all_on_sheet(s: State) -> bool:
    """Do all cards lie on the sheet? (MUR-E1)"""
    if s.deck > 0:
        return False
    for card in range(CARDS):
        if s.where[card] != SHEET:
            return False
    return True


@rule
def hand_size(s: State, p: int) -> int:
    """Cards in p's hand, known to everybody (MUR-S6)."""
    n = int(s.secret[p])
    for card in range(CARDS):
        if s.where[card] == OPEN + p:
            n += 1
    return n


# --- The end ----------------------------------------------------------------------------------------------------------


@rule
def ending(s: State) -> int:
    """The game ends when all cards lie on the sheet (MUR-E1)."""
    return 1 if s.step == OVER else 0


@rule
def place_on_track(s: State, track: int, p: int) -> int:
    """1 + the number of players strictly ahead; on every track the larger value is ahead (MUR-E3, E5)."""
    place = 1
    for q in range(s.players):
        if s.track[track][q] > s.track[track][p]:
            place += 1
    return place


@rule
def points(s: State, p: int) -> int:
    """The points of p's places on the three tracks (MUR-E4)."""
    total = 0
    for track in range(3):
        total += POINTS[s.track_points][track][place_on_track(s, track, p) - 1]
    return total


@rule
def marker_sum(s: State, p: int) -> int:
    """The tie-break: the three marker values added up (MUR-E7)."""
    return int(s.track[COMBO][p]) + int(s.track[AREA][p]) + int(s.track[MISS][p])


@rule
def scores(s: State, out: list[int]) -> None:
    """The points of each player, as the tracks stand."""
    for p in range(s.players):
        out[p] = points(s, p)


@rule
def ranks(s: State, out: list[int]) -> None:
    """Most points, then the larger marker sum; still equal players share the place (MUR-E6, E7)."""
    for p in range(s.players):
        out[p] = 1
        for q in range(s.players):
            lead = points(s, q) - points(s, p)
            if lead > 0 or (lead == 0 and marker_sum(s, q) > marker_sum(s, p)):
                out[p] += 1


# --- Who knows what ---------------------------------------------------------------------------------------------------


@rule
def veil(s: State, p: int) -> None:
    """Others' cards from the deck look like any unseen card; cards they took from the row are known (MUR-S6)."""
    for card in range(CARDS):
        if HAND <= s.where[card] < OPEN and s.where[card] != HAND + p:
            s.where[card] = UNSEEN


@rule
def redeal(s: State) -> None:
    """Fill every hand up to its size with unseen cards."""
    unseen = int(s.deck)
    for p in range(s.players):
        unseen += s.secret[p]
        for card in range(CARDS):
            if s.where[card] == HAND + p:
                unseen -= 1
    for p in range(s.players):
        lacking = int(s.secret[p])
        for card in range(CARDS):
            if s.where[card] == HAND + p:
                lacking -= 1
        for _ in range(lacking):
            s.where[nth_unseen(s, below(s, unseen))] = HAND + p
            unseen -= 1


OBSERVATION = 7 * CARDS + 4 * 5 + 11


@rule
def observe(s: State, p: int, out: list[int]) -> None:
    """For each card six bits of where it is and the pawn; for each seat from p on its markers and hand; then the turn."""
    for card in range(CARDS):
        where = s.where[card]
        base = 7 * card
        out[base] = 1 if where == ROW else 0
        out[base + 1] = 1 if where == SHEET else 0
        out[base + 2] = 1 if where == HAND + p or where == OPEN + p else 0
        for k in range(1, 4):
            out[base + 2 + k] = 1 if k < s.players and where == OPEN + (p + k) % s.players else 0
        out[base + 6] = 1 if s.pawn == card else 0
    i = 7 * CARDS
    for k in range(4):
        q = (p + k) % s.players
        for track in range(3):
            out[i + track] = s.track[track][q] if k < s.players else 0
        out[i + 3] = s.secret[q] if k < s.players else 0
        out[i + 4] = 1 if k < s.players and s.turn == q else 0
        i += 5
    out[i] = s.players
    out[i + 1] = s.step
    out[i + 2] = s.placed
    out[i + 3] = s.takes
    out[i + 4] = s.ending_turn
    out[i + 5] = s.deck
    out[i + 6] = s.area_map
    out[i + 7] = s.ankh_set
    out[i + 8] = s.combo_table
    out[i + 9] = s.track_points
    out[i + 10] = s.last_turn_bonus
