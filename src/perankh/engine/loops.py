"""The loops that play games, written once for every game and every speed.

The contract functions imported here are stand-ins, which are bound to the functions of a game: interpreted, compiled or on the
GPU. A state is a slot of an array: a list of plain states, or an array of records. Slots are copied by number, the one way of
copying that means the same in all three.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.cpu import CPUContext
from numba.extending import intrinsic

from perankh.engine.chance import WORD, forget_chance, seed_chance
from perankh.engine.contract import (
    actors,
    apply,
    ending,
    legal,
    observe,
    ranks,
    redeal,
    scores,
    setup,
    veil,
    violated,
)
from perankh.engine.rule import rule
from perankh.engine.sets import lowest, popcount

# Columns of a report row.
MOVES, ENDING, VIOLATION, DIGEST, SCORES, RANKS = 0, 1, 2, 3, 4, 8
REPORT = 12

# What to check during a game (bits).
INVARIANTS, DIGESTS = 1, 2

# Violations found by the loop itself; those of the game's invariants are positive.
NO_MOVE, TOO_LONG, END_UNCLEAR = -1, -2, -3


@intrinsic
def _copy_record(typingctx: Any, slots: Any, to: Any, source: Any, origin: Any) -> Any:
    """Copy a record word by word. Numba's own assignment loads the whole record, byte by byte on a GPU."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        width = next(width for width in (8, 4, 2, 1) if slots.dtype.size % width == 0)
        word = ir.IntType(8 * width).as_pointer()
        places = []
        for kind, array, index in ((slots, args[0], args[1]), (source, args[2], args[3])):
            data = context.make_array(kind)(context, builder, array)
            place = cgutils.get_item_pointer(context, builder, kind, data, [index])  # type: ignore[no-untyped-call]
            places.append(builder.bitcast(place, word))
        count = context.get_constant(types.intp, slots.dtype.size // width)
        cgutils.memcpy(builder, places[0], places[1], count)  # type: ignore[no-untyped-call]
        return context.get_dummy_value()

    return types.void(slots, types.int64, source, types.int64), generate


@intrinsic
def _wait_for(typingctx: Any, lanes: Any) -> Any:
    """A barrier for some threads of a warp; nothing on a processor."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        if not isinstance(context, CPUContext):
            number = ir.IntType(32)
            kind = ir.FunctionType(ir.VoidType(), [number])
            barrier = cgutils.get_or_insert_function(builder.module, kind, "llvm.nvvm.bar.warp.sync")  # type: ignore[no-untyped-call]
            builder.call(barrier, [builder.trunc(args[0], number)])
        return context.get_dummy_value()

    return types.void(types.int64), generate


@intrinsic
def _assume(typingctx: Any, condition: Any) -> Any:
    """Tell the processor's compiler what holds."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        if isinstance(context, CPUContext):
            builder.assume(args[0])
        return context.get_dummy_value()

    return types.void(types.boolean), generate


@rule(native=_assume)
def assume(condition: bool) -> None:
    """What holds always. The compiler leaves out what is for other cases, such as indexes that count from the end."""
    assert condition


@rule(native=_wait_for)
def together(lanes: int) -> None:
    """On a GPU: wait for the threads of the same warp in `lanes`, so that they go on with the same instructions.

    After branches of different lengths, threads may otherwise stay apart and run what follows one after the other. All of these
    threads must come here.
    """


@rule(native=_copy_record)
def copy_state(slots: Any, to: int, source: Any, origin: int) -> None:
    """Copy the state of one slot to another."""
    slots[to] = source[origin].copy()


def _digest_record(slots: Any, raw: Any, slot: int, digest: int) -> int:
    for i in range(raw.shape[1]):
        digest = ((digest ^ raw[slot, i]) * 16777619) & WORD
    return digest


@rule(native=_digest_record)
def digest_state(slots: Any, raw: Any, slot: int, digest: int) -> int:
    """Continue a hash (FNV-1a) over the bytes of a state's record."""
    for byte in slots[slot].pack().tobytes():
        digest = ((digest ^ byte) * 16777619) & WORD
    return digest


@rule
def random_below(seed: int, index: int, move: int, n: int) -> int:
    """A cheap random number below n for choosing moves in random play; rules use `chance.below`."""
    h = (seed + index * 0x9E3779B1 + move * 0x85EBCA77) & WORD
    h = ((h ^ (h >> 16)) * 0x7FEB352D) & WORD
    h = ((h ^ (h >> 15)) * 0x846CA68B) & WORD
    h = (h ^ (h >> 16)) & WORD
    return (h * n) >> 32


@rule
def pick_actor(mask: int, seed: int, index: int, move: int) -> int:
    """A random one of the seats that may act."""
    if mask & (mask - 1):
        passed = random_below(seed ^ 0x5BF03635, index, move, popcount(mask))
        for i in range(3):
            mask &= mask - 1 if i < passed else mask
    return lowest(mask)


@rule
def begin(slots: Any, slot: int, blank: Any, keys: Any, index: int) -> None:
    """Set up game number `index` of a series in a slot: options from `blank`, seed key + index."""
    copy_state(slots, slot, blank, 0)
    s = slots[slot]
    seed_chance(s, keys[0], keys[1], keys[2], keys[3], index)
    setup(s)


class Series(NamedTuple):
    """Which random games to play, and what to watch in them."""

    blank: Any  # an array whose first slot holds players and options
    keys: Any  # the four words of the first game's seed
    seed: int  # of the choice of moves
    limit: int  # moves after which a game is left
    watch: int  # INVARIANTS, DIGESTS or both


class Space(NamedTuple):
    """The memory that a game is played in."""

    slots: Any  # states
    raw: Any  # the bytes under them; None interpreted
    choices: Any  # legal actions


@rule
def play_game(space: Space, slot: int, series: Series, index: int, report: Any, row: int) -> None:
    """Play game number `index` to its end in `slot` (and `slot + 1`) and write its report row."""
    slots, raw, choices, watch, seed = space.slots, space.raw, space.choices, series.watch, series.seed
    begin(slots, slot, series.blank, series.keys, index)
    s = slots[slot]
    digest = 2166136261
    wrong = 0
    move = 0
    if watch & INVARIANTS:
        wrong = violated(s, s)
    mask = actors(s)
    while mask and not wrong:
        if move >= series.limit:
            wrong = TOO_LONG
            break
        if watch & DIGESTS:
            digest = digest_state(slots, raw, slot, digest)
        p = pick_actor(mask, seed, index, move)
        n = legal(s, p, choices)
        if n == 0:
            wrong = NO_MOVE
            break
        a = choices[random_below(seed, index, move, n)]
        if watch & INVARIANTS:
            copy_state(slots, slot + 1, slots, slot)
        apply(s, p, a)
        move += 1
        mask = actors(s)
        if watch & INVARIANTS:
            wrong = violated(s, slots[slot + 1])
            if wrong == 0 and (mask == 0) != (ending(s) != 0):
                wrong = END_UNCLEAR
    if watch & DIGESTS:
        digest = digest_state(slots, raw, slot, digest)
    write_report(s, move, wrong, digest, report, row)


@rule
def write_report(s: Any, move: int, wrong: int, digest: int, report: Any, row: int) -> None:
    """Fill a report row."""
    report[row][MOVES] = move
    report[row][ENDING] = ending(s)
    report[row][VIOLATION] = wrong
    report[row][DIGEST] = digest
    scores(s, report[row][SCORES:RANKS])
    ranks(s, report[row][RANKS:REPORT])


@rule
def play_games(space: Space, series: Series, first: int, count: int, report: Any) -> None:
    """Play games number `first` to `first + count - 1`."""
    for i in range(count):
        play_game(space, 0, series, first + i, report, i)


@rule
def play_moves(space: Space, slot: int, series: Series, index: int, stride: int, moves: int) -> int:
    """Make exactly `moves` random moves, starting games `index`, `index + stride`, ... as they end. Returns the games ended."""
    begin(space.slots, slot, series.blank, series.keys, index)
    mask = actors(space.slots[slot])
    ended = 0
    for move in range(moves):
        if mask == 0:
            ended += 1
            index += stride
            begin(space.slots, slot, series.blank, series.keys, index)
            mask = actors(space.slots[slot])
        mask = random_move(space, slot, series, index, move, mask)
    return ended


@rule
def random_move(space: Space, slot: int, series: Series, index: int, move: int, mask: int) -> int:
    """Make a random move of one of the seats that may act. Returns the seats that may act then."""
    s = space.slots[slot]
    p = pick_actor(mask, series.seed, index, move)
    n = legal(s, p, space.choices)
    apply(s, p, space.choices[random_below(series.seed, index, move, n)])
    return actors(s)


@rule
def actors_of(slots: Any, slot: int) -> int:
    """The seats that may act in a slot."""
    return actors(slots[slot])


@rule
def legal_of(slots: Any, slot: int, p: int, out: Any) -> int:
    """Write p's legal actions in a slot and return how many there are."""
    return legal(slots[slot], p, out)


@rule
def step(slots: Any, slot: int, p: int, a: int) -> None:
    """Carry out one action in a slot."""
    apply(slots[slot], p, a)


@rule
def veil_slot(slots: Any, slot: int, p: int) -> None:
    """Erase what p may not know, including the generator."""
    forget_chance(slots[slot])
    veil(slots[slot], p)


@rule
def redeal_slot(slots: Any, slot: int, keys: Any, index: int) -> None:
    """Fill a veiled slot with a random world, seed key + index."""
    seed_chance(slots[slot], keys[0], keys[1], keys[2], keys[3], index)
    redeal(slots[slot])


@rule
def observe_slot(slots: Any, slot: int, p: int, out: Any) -> None:
    """Write p's observation of a slot. This veils the state in the slot."""
    veil_slot(slots, slot, p)
    observe(slots[slot], p, out)
