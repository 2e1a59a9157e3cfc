"""The step of a batch, written once for one game of it: interpreted, native and on the GPU.

The contract functions are stand-ins, as in `engine.loops`. Games are slots of an array of records. What belongs together is kept
in one array, because a call from Python takes longer with every argument. Functions that do much are called from one place, where
the compiler merges them, or take few arguments.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from perankh.engine.chance import seed_chance
from perankh.engine.contract import action_count, actors, apply, ending, legal, observe, ranks, redeal, scores, setup
from perankh.engine.loops import assume, copy_state, random_below, together, veil_slot
from perankh.engine.rule import rule
from perankh.engine.sets import lowest

# What happens to a game that has ended.
SAME_STEP, NEXT_STEP, DISABLED = 0, 1, 2

# Who learns, if not everybody: a seat, or one of these.
EVERYBODY, RANDOM_SEAT = -1, -2

# What is done with slots: the next game, a step, another move within a step, a position that was loaded, random steps.
DEAL, STEP, CONTINUE, SHOW, PLAY, PLAY_OBSERVED = 0, 1, 2, 3, 4, 5

# What comes of it, if no seats are to act.
OVER, AGAIN, KEPT = -1, -2, -3

# Rows of `flags`: who acts (-1: nobody), how the last game ended, players, the seat that learns (EVERYBODY: all), has it decided
# anything in this game, and who has seen the last position of the game that ended last.
SEAT, TERMINATED, TRUNCATED, PLAYERS, LEARNER, DECIDED, VIEWER, FLAGS = 0, 1, 2, 3, 4, 5, 6, 7

# Rows of `counters`: moves made in this game, legal actions, illegal actions so far, games dealt in the slot before this one.
MOVES, LEGAL_COUNT, ILLEGAL, NUMBER, COUNTERS = 0, 1, 2, 3, 4

# Rows of `spare_facts`: the number of the game that is or will be in the spare, and the turn in which the slot was listed for it.
SPARE_NUMBER, LISTED, SPARE_FACTS = 0, 1, 2

LISTS = 3  # of slots whose spares have to be dealt: one is read, one written and one emptied
WARP = 32  # threads of a GPU that run together
TURN = 4  # steps after which the spares that were used up are dealt

# Rows of `views` and `results`.
OBSERVATION, FINAL_OBSERVATION, UNVEILED = 0, 1, 2  # the last one if it was asked for
SCORES, RANKS, RESULTS = 0, 1, 2

ROLLOUT_LIMIT = 100_000  # moves after which a rollout is left where the batch has no limit of its own


class Settings(NamedTuple):
    """The numbers that a batch was made with, in the order in which they are passed."""

    games: int
    limit: int  # moves after which a game is truncated; 0: none
    autoreset: int
    learner: int  # the seat whose decisions the batch waits for, or EVERYBODY or RANDOM_SEAT
    truncating: int  # bit e: the ending e counts as a truncation
    seed: int  # of random actions
    hidden: int  # 1 if the game hides anything from anybody
    refuse: int  # 1: an illegal action changes nothing but the count of them; 0: it ends the game


class Games(NamedTuple):
    """The arrays of a batch, in the order in which they are passed."""

    records: Any  # a record for each game
    blanks: Any  # a record with players and options for each kind of game
    keys: Any  # [games, 4]: the words of the seed of the slot's first game
    flags: Any  # [FLAGS, games]
    counters: Any  # [COUNTERS, games]
    views: Any  # [2 or 3, games, features]
    mask: Any  # [games, actions]
    legal: Any  # [games, actions]: the legal actions, ascending
    reward: Any  # [games, seats]
    results: Any  # [RESULTS, games, seats]


class Spares(NamedTuple):
    """The games that are dealt ahead on the GPU, one for each slot, in the order in which they are passed."""

    records: Any  # a record for each slot
    facts: Any  # [SPARE_FACTS, games]
    lists: Any  # [LISTS, games + 1]: how many slots a list has, and which


class Work(NamedTuple):
    """The memory that one thread works in."""

    record: Any  # an array of one record
    places: Any  # a number for each seat


@rule
def deal(records: Any, blanks: Any, keys: Any, settings: Settings, number: int, i: int, j: int) -> None:
    """Set up a game of a slot in place j of the array: game number k has the seed key + k * games."""
    key = keys[i]
    copy_state(records, j, blanks, i % len(blanks))
    s = records[j]
    seed_chance(s, int(key[0]), int(key[1]), int(key[2]), int(key[3]), number * settings.games)
    setup(s)


@rule
def begin(g: Games, settings: Settings, number: int, i: int, j: int) -> int:
    """Begin a game that was dealt. Returns the seats that may act."""
    s = g.records[j]
    learner = settings.learner
    if learner == RANDOM_SEAT:
        learner = random_below(int(g.keys[i][0]) ^ 0x2545F491, 0, number, s.players)
    g.counters[NUMBER, i] = number
    g.counters[MOVES, i] = 0
    g.flags[PLAYERS, i] = s.players
    g.flags[LEARNER, i] = learner
    g.flags[DECIDED, i] = 0
    return actors(s)


@rule
def observe_game(records: Any, i: int, record: Any, p: int, hidden: int, row: Any) -> None:
    """Write what p sees of a game; `record` is room for a copy, if anything is hidden in this game."""
    if hidden:
        copy_state(record, 0, records, i)
        veil_slot(record, 0, p)
        records, i = record, 0
    observe(records[i], p, row)


@rule
def margin(places: Any, players: int, p: int) -> int:
    """How many more seats are behind p than ahead of it."""
    more = 0
    for q in range(players):
        if places[q] > places[p]:
            more += 1
        elif places[q] < places[p]:
            more -= 1
    return more


@rule
def report_end(g: Games, w: Work, i: int, j: int, offender: int) -> None:
    """Final scores, places and rewards: (behind - ahead) / (players - 1).

    A seat that made an illegal move is last and gets -1; the others are first and share +1.
    """
    s = g.records[j]
    players = s.players
    for p in range(g.reward.shape[1]):
        g.results[SCORES, i, p] = 0
        g.results[RANKS, i, p] = 0
    scores(s, w.places)
    for p in range(players):
        g.results[SCORES, i, p] = w.places[p]
    ranks(s, w.places)
    for p in range(players):
        if offender >= 0:
            w.places[p] = players if p == offender else 1
    for p in range(players):
        g.results[RANKS, i, p] = w.places[p]
        g.reward[i, p] = margin(w.places, players, p) / (players - 1)


@rule
def act(g: Games, w: Work, settings: Settings, i: int, j: int, p: int, a: int, lawful: bool) -> int:
    """Carry out p's action. Returns the seats that may act then, or OVER, AGAIN (a game that does not count) or KEPT."""
    if settings.refuse and not lawful:
        g.counters[ILLEGAL, i] += 1
        return KEPT
    if p == g.flags[LEARNER, i]:
        g.flags[DECIDED, i] = 1
    waiting, truncated = 0, True
    if lawful:
        s = g.records[j]
        apply(s, p, a)
        g.counters[MOVES, i] += 1
        waiting = actors(s)
        if waiting != 0 and (settings.limit == 0 or g.counters[MOVES, i] < settings.limit):
            return waiting
        truncated = waiting != 0 or bool(settings.truncating >> ending(s) & 1)
    else:
        g.counters[ILLEGAL, i] += 1
    if g.flags[LEARNER, i] >= 0 and g.flags[DECIDED, i] == 0:
        return AGAIN
    report_end(g, w, i, j, -1 if lawful else p)
    g.flags[TERMINATED, i] = 0 if truncated else 1
    g.flags[TRUNCATED, i] = 1 if truncated else 0
    g.flags[VIEWER, i] = g.flags[LEARNER, i] if g.flags[LEARNER, i] >= 0 else p
    return OVER


@rule
def clear_listed(g: Games, i: int) -> None:
    """Take the legal actions of the last position out of the mask, before the list changes. So it is done on a GPU."""
    for k in range(g.counters[LEGAL_COUNT, i]):
        g.mask[i, g.legal[i, k]] = False


@rule
def write_mask(g: Games, i: int, lanes: int) -> None:
    """Put the legal actions into the mask. A processor first sets the whole row, which is all there is to do if all are legal."""
    count = int(g.counters[LEGAL_COUNT, i])
    every = lanes == 0 and count == action_count()
    if lanes == 0:
        for a in range(action_count()):
            g.mask[i, a] = every
    if not every:
        for k in range(count):
            allowed = int(g.legal[i, k])
            assume(allowed >= 0)
            g.mask[i, allowed] = True


@rule
def run_slot(
    g: Games,
    w: Work,
    settings: Settings,
    spares: Any,
    ready: bool,
    task: int,
    i: int,
    j: int,
    given: int,
    draw: int,
    steps: int,
    t: int,
    lanes: int,
) -> bool:
    """A task in slot i, whose record lies in place j of the array, or step t of one. Returns whether a game has begun.

    `given` is the action of a step. `ready`: the next game lies in spares[i]. Random steps are the same that `choose` and STEP
    make; only what can be seen of them is written out. `lanes`: the threads on a GPU that do the same for other slots.
    """
    flags, counters = g.flags, g.counters
    begun = False
    written = t == steps - 1 or task == PLAY_OBSERVED
    p = int(flags[SEAT, i])
    a, lawful = given, True
    if task == STEP or task == CONTINUE:
        lawful = a >= 0 and a < g.mask.shape[1] and bool(g.mask[i, a])
    elif task >= PLAY:
        a = choose_one(g.legal, counters, settings.seed, draw + t, i)
    if lanes != 0 and (t == 0 or task == PLAY_OBSERVED):
        clear_listed(g, i)
    # Only a game that has ended has rewards; but a position that was loaded has ended or not, whatever was here.
    if task == SHOW or (task != CONTINUE and (flags[TERMINATED, i] != 0 or flags[TRUNCATED, i] != 0)):
        for q in range(g.reward.shape[1]):
            g.reward[i, q] = 0.0

    together(lanes)
    outcome = KEPT
    if task == DEAL or ((task == STEP or task >= PLAY) and p < 0 and settings.autoreset != DISABLED):
        outcome = AGAIN
    elif task == SHOW and p >= 0:
        outcome = actors(g.records[j])
    if outcome == AGAIN or (p >= 0 and (task == STEP or task >= PLAY)):
        flags[TERMINATED, i] = 0
        flags[TRUNCATED, i] = 0
    if p >= 0 and (task == STEP or task >= PLAY or (task == CONTINUE and p != flags[LEARNER, i])):
        outcome = act(g, w, settings, i, j, p, a, lawful)

    together(lanes)
    if outcome == OVER or (task == SHOW and p < 0):
        if written or settings.autoreset == DISABLED:
            observe_game(g.records, j, w.record, int(flags[VIEWER, i]), settings.hidden, g.views[FINAL_OBSERVATION, i])
        if outcome == OVER and settings.autoreset == SAME_STEP:
            outcome = AGAIN
        else:
            flags[SEAT, i] = -1
            counters[LEGAL_COUNT, i] = 0
            if written or settings.autoreset == DISABLED:
                for k in range(g.views.shape[2]):
                    g.views[OBSERVATION, i, k] = g.views[FINAL_OBSERVATION, i, k]
    if outcome == AGAIN:
        number = int(counters[NUMBER, i]) + 1
        if ready:
            copy_state(g.records, j, spares, i)
        else:
            deal(g.records, g.blanks, g.keys, settings, number, i, j)
        outcome = begin(g, settings, number, i, j)
        begun = True
    together(lanes)
    if outcome > 0:
        p = lowest(outcome)
        flags[SEAT, i] = p
        counters[LEGAL_COUNT, i] = legal(g.records[j], p, g.legal[i])
    together(lanes)
    if outcome > 0:
        for k in range(g.views.shape[0] - 1 if written else 0):  # a loop, so that `observe` is compiled once for both
            hidden = settings.hidden if k == 0 else 0
            observe_game(g.records, j, w.record, p, hidden, g.views[k * UNVEILED, i])
    together(lanes)
    if written:
        write_mask(g, i, lanes)
    return begun


@rule
def run_thread(
    g: Games,
    w: Work,
    settings: Settings,
    records: Any,
    spares: Spares,
    turn: int,
    task: int,
    slots: Any,
    actions: Any,
    draw: int,
    steps: int,
    k: int,
    j: int,
) -> int:
    """What thread k of a launch on the GPU does, in place j of an array of its own. Returns the slot to be listed, or -1.

    A few steps are a turn. A slot in which a game begins is listed. What was listed in a turn is dealt during the next turn,
    beside its steps, and is there when the turn after that begins. So a spare is taken only if it was listed before the last
    turn. Who deals reads which game to deal: if that is just being changed, the slot is listed again, and the spare will be dealt
    again before it is taken. Slots with new seeds begin with game 0, which is in no spare, and are listed for it.
    """
    if k >= len(slots):
        return -1
    i = int(slots[k])
    ready = spares.facts[LISTED, i] < turn - 1 and spares.facts[SPARE_NUMBER, i] == g.counters[NUMBER, i] + 1
    copy_state(g.records, j, records, i)
    first = k - k % WARP
    lanes = (1 << min(WARP, len(slots) - first)) - 1
    begun = False
    for t in range(steps):
        i = int(slots[k])  # read again for each step: otherwise all places in memory are computed before the first one
        new = run_slot(g, w, settings, spares.records, ready and not begun, task, i, j, int(actions[i]), draw, steps, t, lanes)
        begun = begun or new
    copy_state(records, i, g.records, j)
    if begun:
        spares.facts[SPARE_NUMBER, i] = g.counters[NUMBER, i] + 1
        if spares.facts[LISTED, i] != turn:
            spares.facts[LISTED, i] = turn
            return i
    return -1


@rule
def deal_spare(records: Any, blanks: Any, keys: Any, settings: Settings, spares: Spares, turn: int, k: int, j: int) -> None:
    """What thread k of the launch does that deals the spares listed in a turn, in place j of an array of its own."""
    if k == 0:
        spares.lists[(turn + 2) % LISTS, 0] = 0
    if k < spares.lists[turn % LISTS, 0]:
        i = int(spares.lists[turn % LISTS, k + 1])
        deal(records, blanks, keys, settings, int(spares.facts[SPARE_NUMBER, i]), i, j)
        copy_state(spares.records, i, records, j)


@rule
def run_batch(
    records: Any,
    blanks: Any,
    keys: Any,
    flags: Any,
    counters: Any,
    views: Any,
    mask: Any,
    legal_actions: Any,
    reward: Any,
    results: Any,
    settings: Any,
    record: Any,
    places: Any,
    task: int,
    slots: Any,
    low: int,
    high: int,
    actions: Any,
    draw: int,
    steps: int,
) -> None:
    """A task for the slots number `low` to `high - 1` of a list; actions are those of all slots."""
    g = Games(records, blanks, keys, flags, counters, views, mask, legal_actions, reward, results)
    s = settings
    fixed = Settings(s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7])
    w = Work(record, places)
    assume(low >= 0)
    assume(mask.shape[1] == action_count())
    assume(legal_actions.shape[1] == action_count())
    for k in range(low, high):
        for t in range(steps):
            i = int(slots[k])  # read again for each step: otherwise all places in memory are computed before the first one
            assume(i >= 0)
            run_slot(g, w, fixed, records, False, task, i, i, int(actions[i]), draw, steps, t, 0)


@rule
def first_illegal(flags: Any, mask: Any, actions: Any, slots: Any) -> int:
    """The first of these slots whose action is not allowed, or -1; where nobody acts, anything is."""
    for k in range(len(slots)):
        i = int(slots[k])
        assume(i >= 0)
        a = int(actions[i])
        if flags[SEAT, i] >= 0 and (a < 0 or a >= mask.shape[1] or not mask[i, a]):
            return int(i)
    return -1


@rule
def choose_one(legal_actions: Any, counters: Any, seed: int, draw: int, i: int) -> int:
    """A random legal action of a game, 0 if there is none."""
    n = int(counters[LEGAL_COUNT, i])
    k = random_below(seed, i, draw, n)
    assume(k >= 0)
    return int(legal_actions[i, k]) if n > 0 else 0


@rule
def choose(legal_actions: Any, counters: Any, seed: int, draw: int, out: Any) -> None:
    """A random legal action for each game."""
    for i in range(len(out)):
        out[i] = choose_one(legal_actions, counters, seed, draw, i)


@rule
def take_for(given: Any, flags: Any, seats: int, actions: Any, i: int) -> None:
    """Let the action of an opponent in a game be the given one, if its seat is one of `seats` (bits)."""
    p = int(flags[SEAT, i])
    if other_acts(flags, i) and seats >> p & 1:
        actions[i] = given[i]


@rule
def other_acts(flags: Any, i: int) -> bool:
    """Does another seat act than the one that learns?"""
    return bool(flags[SEAT, i] >= 0 and flags[SEAT, i] != flags[LEARNER, i])


@rule
def other_errs(flags: Any, mask: Any, actions: Any, i: int) -> bool:
    """Does an opponent act, and choose what it may not do?"""
    a = int(actions[i])
    return other_acts(flags, i) and (a < 0 or a >= mask.shape[1] or not bool(mask[i, a]))


@rule
def learner_gain(flags: Any, reward: Any, i: int) -> float:
    """What the seat that learns has gained in this step."""
    ended = flags[TERMINATED, i] != 0 or flags[TRUNCATED, i] != 0
    return float(reward[i, int(flags[VIEWER, i])]) if ended else 0.0


@rule
def observe_as(records: Any, record: Any, seats: Any, hidden: int, out: Any, low: int, high: int) -> None:
    """Write what the given seats see of games number `low` to `high - 1`; `record` is room for a copy."""
    for i in range(low, high):
        observe_game(records, i, record, int(seats[i]), hidden, out[i])


@rule
def rollout(records: Any, i: int, w: Work, choices: Any, keys: Any, seed: int, limit: int, number: int, total: Any) -> None:
    """Random game `number` from a position to its end, with chance of its own; adds up the margins."""
    copy_state(w.record, 0, records, i)
    s = w.record[0]
    seed_chance(s, int(keys[0]), int(keys[1]), int(keys[2]), int(keys[3]), number)
    move = 0
    waiting = actors(s)
    while waiting != 0 and move < limit:
        p = lowest(waiting)
        n = legal(s, p, choices)
        apply(s, p, int(choices[random_below(seed, number, move, n)]))
        move += 1
        waiting = actors(s)
    ranks(s, w.places)
    for p in range(s.players):
        total[p] += margin(w.places, s.players, p)


@rule
def rollouts(
    records: Any,
    slots: Any,
    count: int,
    record: Any,
    places: Any,
    choices: Any,
    keys: Any,
    seed: int,
    limit: int,
    low: int,
    high: int,
    total: Any,
) -> None:
    """Games number `low` to `high - 1` of `count` from each of these positions."""
    w = Work(record, places)
    for number in range(low, high):
        k = number // count
        rollout(records, int(slots[k]), w, choices, keys, seed, limit, number, total[k])


@rule
def redeal_one(records: Any, flags: Any, counters: Any, keys: Any, real: Any, real_flags: Any, number: int, i: int) -> None:
    """Put into slot i a random world that fits what the seat knows that is to act in slot i of other games.

    The masks of what was in the slot before are still there; SHOW brings them and the rest up to date.
    """
    p = int(real_flags[SEAT, i])
    copy_state(records, i, real, i)
    flags[SEAT, i] = p
    flags[TERMINATED, i] = 0
    flags[TRUNCATED, i] = 0
    flags[PLAYERS, i] = real_flags[PLAYERS, i]
    counters[MOVES, i] = 0
    if p >= 0:
        veil_slot(records, i, p)
        key = keys[i]
        seed_chance(records[i], int(key[0]), int(key[1]), int(key[2]), int(key[3]), number)
        redeal(records[i])


@rule
def redeal_all(records: Any, flags: Any, counters: Any, keys: Any, real: Any, real_flags: Any, number: int) -> None:
    """A random world in every slot."""
    for i in range(len(keys)):
        redeal_one(records, flags, counters, keys, real, real_flags, number, i)
