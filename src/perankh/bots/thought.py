"""How the bots think, written once for every game in the compiled subset: a turn ahead (greedy) and a tree of worlds (search).

A thought starts from the state in slot VEILED, which it veils itself in case nobody did. Each look draws a world in which that
state is possible and plays on from there, so nothing that is hidden can be used. The contract functions and the game's own
`prospect` and `inclined` (its `bots.py`) are bound in place of the stand-ins, as in `engine.loops`.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from perankh.engine.chance import WORD
from perankh.engine.contract import actors, apply, legal, ranks, scores
from perankh.engine.loops import copy_state, lot, pick_actor, redeal_slot, veil_slot
from perankh.engine.rule import rule

VEILED, WORLD, AFTER, SLOTS = 0, 1, 2, 3  # slots of a thinker's table
SEATS = 4
WIN = 1 << 20  # more than any lead
LONGEST_TURN = 60  # own decisions in a row that greedy follows
LONGEST_PATH = 400  # decisions of a look that the tree remembers


class Tree(NamedTuple):
    """What a search remembers: positions as their decider may know them, found by key, and what was tried in each.

    A try (an action in a position) stands in the list that starts at its position's `first` and goes on by `next`.
    """

    places: Any  # hash table of positions: number + 1, 0 where free
    keys: Any  # key of each position
    first: Any  # its newest try, -1 for none
    next: Any  # of each try: the one before it in the same position, -1 for none
    action: Any  # the action tried
    tries: Any  # how often
    chances: Any  # how often it was legal when its position was met
    reward: Any  # sum of what it brought its decider, each from 0 to 1
    counts: Any  # POSITIONS, TRIES, LOOKS, MARGIN, ROOT, and from WINS on the games won by each seat


POSITIONS, TRIES, LOOKS, MARGIN, ROOT, WINS = 0, 1, 2, 3, 4, 5


class Scratch(NamedTuple):
    """Room a thinker works in."""

    among: Any  # actions to choose from at the root; empty: all that are legal
    choices: Any  # legal actions
    known: Any  # of each action its try in the position at hand, -1 for none
    path: Any  # tries of this look
    seats: Any  # who made them
    points: Any
    places: Any
    rewards: Any


class Manner(NamedTuple):
    """How to search."""

    curiosity: float  # weight of what was tried little
    margin: float  # weight of the lead in points beside winning
    open: int  # 0: positions are told apart by the actions that led there; where nothing is hidden, by their words from this on


# --- What a game may say of itself in its bots.py ------------------------------------------------------------------------


@rule
def prospect(s: Any, p: int) -> int:
    """What p's side of a position is worth: its points, unless the game knows better."""
    points: Any = np.zeros(SEATS, np.int64)
    scores(s, points)
    return int(points[p])


@rule
def inclined(s: Any, p: int, choices: Any, n: int, luck: int) -> int:
    """Which of the n choices p would likely take (an index); `luck` is a number below 2**32."""
    return (luck * n) >> 32


@rule
def lead(points: Any, players: int, p: int) -> int:
    """How far p is ahead of the best of the others."""
    other = -(1 << 30) if players > 1 else 0
    for q in range(players):
        if q != p:
            other = max(other, int(points[q]))
    return int(points[p]) - other


@rule
def outlook(s: Any, p: int) -> int:
    """What a position is worth to p: the lead in prospects, and at the end nothing counts like winning."""
    values: Any = np.zeros(SEATS, np.int64)
    for q in range(s.players):
        values[q] = prospect(s, q)
    value = lead(values, s.players, p)
    if actors(s) == 0:
        ranks(s, values)
        value += WIN if values[p] == 1 else -WIN
    return value


# --- A turn ahead ----------------------------------------------------------------------------------------------------------


@rule
def best_turn(table: Any, p: int, action: int, turns: int, seed: int, look: int, choices: Any) -> int:
    """What the world in slot WORLD is worth to p after an action and the best of a few random ends of p's own turn."""
    best = -(1 << 30)
    for turn in range(turns):
        copy_state(table, AFTER, table, WORLD)
        s = table[AFTER]
        apply(s, p, action)
        step = 0
        while actors(s) == 1 << p and step < LONGEST_TURN:
            n = legal(s, p, choices)
            apply(s, p, int(choices[lot(seed, look * turns + turn, step, n)]))
            step += 1
        best = max(best, outlook(s, p))
        if step == 0:
            break
    return best


@rule
def weigh_actions(table: Any, keys: Any, p: int, worlds: int, turns: int, seed: int, choices: Any, total: Any) -> int:
    """Add up, for each legal action of p, what its turn comes to in several worlds. Leaves the actions in `choices`."""
    veil_slot(table, VEILED, p)
    count = legal(table[VEILED], p, choices)
    for world in range(worlds):
        copy_state(table, WORLD, table, VEILED)
        redeal_slot(table, WORLD, keys, world)
        for k in range(count):
            legal(table[VEILED], p, choices)
            total[k] += best_turn(table, p, int(choices[k]), turns, seed, world * count + k, choices)
    return legal(table[VEILED], p, choices)


# --- A tree of worlds --------------------------------------------------------------------------------------------------------


@rule
def mixed(key: int, value: int) -> int:
    """A key of 62 bits from a key and one more number."""
    a = ((key & WORD) ^ value) * 0x9E3779B1 & WORD
    b = ((key >> 32) + a) * 0x85EBCA77 & WORD
    a = (a ^ (b >> 15)) * 0x7FEB352D & WORD
    return ((b ^ (a >> 13)) & 0x3FFFFFFF) << 32 | a


def _words_key(table: Any, words: Any, first: int, key: int) -> int:
    for i in range(first, words.shape[1]):
        key = mixed(key, int(words[WORLD, i]))
    return key


@rule(native=_words_key)
def open_key(table: Any, words: Any, first: int, key: int) -> int:
    """The key of the position in slot WORLD, where nothing is hidden: of its words from `first` on, without the generator."""
    for word in table[WORLD].pack().reshape(1).view("<u4")[first:]:
        key = mixed(key, int(word))
    return key


@rule
def find_position(tree: Tree, key: int) -> int:
    """The number of the position with a key; a new one if there is room, else -1."""
    mask = len(tree.places) - 1
    place = (key ^ (key >> 29)) & mask
    while tree.places[place] != 0:
        number = int(tree.places[place]) - 1
        if tree.keys[number] == key:
            return number
        place = (place + 1) & mask
    number = int(tree.counts[POSITIONS])
    if number == len(tree.keys):
        return -1
    tree.counts[POSITIONS] += 1
    tree.places[place] = number + 1
    tree.keys[number] = key
    tree.first[number] = -1
    return number


@rule
def choose_try(tree: Tree, scratch: Scratch, position: int, n: int, curiosity: float, luck: int) -> int:
    """The try to follow in a position: one never made if there is one, else the most promising. -1: no room for another."""
    t = tree.first[position]
    while t >= 0:
        scratch.known[tree.action[t]] = t
        t = tree.next[t]
    fresh = 0
    best = -1
    best_value = -1.0
    for k in range(n):
        t = scratch.known[scratch.choices[k]]
        if t < 0:
            fresh += 1
            continue
        tree.chances[t] += 1
        value = tree.reward[t] / tree.tries[t] + curiosity * math.sqrt(math.log(tree.chances[t]) / tree.tries[t])
        if value > best_value:
            best_value = value
            best = t
    if fresh > 0:
        t = new_try(tree, scratch, position, n, (luck * fresh) >> 32)
        best = t if t >= 0 else best
    t = tree.first[position]
    while t >= 0:
        scratch.known[tree.action[t]] = -1
        t = tree.next[t]
    return best


@rule
def new_try(tree: Tree, scratch: Scratch, position: int, n: int, skip: int) -> int:
    """Begin a try of a legal action that has none yet, passing over the first `skip` of them."""
    t = int(tree.counts[TRIES])
    if t == len(tree.action):
        return -1
    for k in range(n):
        if scratch.known[scratch.choices[k]] < 0:
            if skip == 0:
                tree.counts[TRIES] += 1
                tree.action[t] = scratch.choices[k]
                tree.tries[t] = 0
                tree.chances[t] = 1
                tree.reward[t] = 0.0
                tree.next[t] = tree.first[position]
                tree.first[position] = t
                return t
            skip -= 1
    return -1


@rule
def judge(s: Any, tree: Tree, scratch: Scratch, margin: float) -> None:
    """What a look came to for each seat: the win, and how far ahead."""
    scores(s, scratch.points)
    ranks(s, scratch.places)
    winners = 0
    for p in range(s.players):
        winners += 1 if scratch.places[p] == 1 else 0
    for p in range(s.players):
        ahead = float(lead(scratch.points, s.players, p))
        size = abs(ahead)
        tree.counts[MARGIN] += size / s.players
        usual = 1.0 + tree.counts[MARGIN] / (tree.counts[LOOKS] + 1.0)
        far = 0.5 + 0.5 * ahead / (size + usual)
        win = 1.0 / winners if scratch.places[p] == 1 else 0.0
        scratch.rewards[p] = (1.0 - margin) * win + margin * far
        tree.counts[WINS + p] += win


@rule
def look(tree: Tree, scratch: Scratch, table: Any, words: Any, keys: Any, index: int, me: int, seed: int, manner: Manner) -> None:
    """One look: a world, down the tree to something new, on by inclination to the end, and back with what it brought."""
    copy_state(table, WORLD, table, VEILED)
    redeal_slot(table, WORLD, keys, index)
    s = table[WORLD]
    trail = 1  # key of the actions so far, less those of a choice still made at the same time
    sealed = 0  # the key with those
    waiting = 0  # seats that still have to make that choice
    depth = 0
    step = 0
    growing = True
    mask = actors(s)
    while mask:
        if mask & ~waiting:
            if sealed:
                trail = sealed
            sealed = trail
            waiting = mask
        luck = lot(seed, index, step, 1 << 31) * 2
        p = me if step == 0 else pick_actor(mask, seed, index, step)
        n = legal(s, p, scratch.choices)
        if step == 0 and len(scratch.among) > 0:
            n = len(scratch.among)
            for k in range(n):
                scratch.choices[k] = scratch.among[k]
        a = int(scratch.choices[0])
        if (n > 1 or step == 0) and growing and depth < LONGEST_PATH:
            key = open_key(table, words, manner.open, p + 1) if manner.open else mixed(trail, p)
            position = find_position(tree, key)
            if step == 0:
                tree.counts[ROOT] = position
            t = choose_try(tree, scratch, position, n, manner.curiosity, luck) if position >= 0 else -1
            if t >= 0:
                a = int(tree.action[t])
                scratch.path[depth] = t
                scratch.seats[depth] = p
                depth += 1
                growing = tree.tries[t] > 0
            else:
                growing = False
                a = int(scratch.choices[inclined(s, p, scratch.choices, n, luck)])
        elif n > 1:
            growing = False
            a = int(scratch.choices[inclined(s, p, scratch.choices, n, luck)])
        sealed = mixed(sealed, p * 65536 + a)
        waiting &= ~(1 << p)
        apply(s, p, a)
        step += 1
        mask = actors(s)
    tree.counts[LOOKS] += 1
    judge(s, tree, scratch, manner.margin)
    for k in range(depth):
        t = scratch.path[k]
        tree.tries[t] += 1
        tree.reward[t] += scratch.rewards[scratch.seats[k]]


@rule
def look_often(
    tree: Tree, scratch: Scratch, table: Any, words: Any, keys: Any, first: int, count: int, me: int, seed: int, manner: Manner
) -> None:
    """Look into `count` worlds, number `first` and on."""
    veil_slot(table, VEILED, me)
    for index in range(first, first + count):
        look(tree, scratch, table, words, keys, index, me, seed, manner)
