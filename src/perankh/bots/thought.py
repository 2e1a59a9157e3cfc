"""How the bots think, written once for every game in the compiled subset: a turn ahead (greedy) and a tree of worlds (search).

A thought starts from the state in slot VEILED, which it veils itself in case nobody did. Each look draws a world in which that
state is possible and plays on from there, so nothing that is hidden can be used. The contract functions and the game's own
`prospect`, `promise` and `inclined` (its `bots.py`) are bound in place of the stand-ins, as in `engine.loops`.
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
    counts: Any  # POSITIONS, TRIES, LOOKS, SPREAD, ROOT, and by seat from WINS on the games won, from LEADS on the sum of leads


POSITIONS, TRIES, LOOKS, SPREAD, ROOT, WINS, LEADS = 0, 1, 2, 3, 4, 5, 9


class Scratch(NamedTuple):
    """Room a thinker works in."""

    among: Any  # actions to choose from at the root; empty: all that are legal
    choices: Any  # legal actions
    prior: Any  # of each action at the root what one turn ahead promised of it, from 0 to 1
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
    trust: float  # weight of what one turn ahead promised of the actions at the root
    deep: bool  # judge by the game's `promise`, not its `prospect`
    horizon: int  # decisions after which a look may break off, when somebody else is to decide
    open: int  # 0: positions are told apart by the actions that led there; where nothing is hidden, by their words from this on


# --- What a game may say of itself in its bots.py ------------------------------------------------------------------------


@rule
def prospect(s: Any, p: int) -> int:
    """What p's side of a position is worth: its points, unless the game knows better."""
    points: Any = np.zeros(SEATS, np.int64)
    scores(s, points)
    return int(points[p])


@rule
def promise(s: Any, p: int) -> int:
    """The same to those who know the game well: its prospect, unless the game knows better."""
    return prospect(s, p)


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
def outlook(s: Any, p: int, deep: bool) -> int:
    """What a position is worth to p: the lead in prospects, and at the end nothing counts like winning."""
    values: Any = np.zeros(SEATS, np.int64)
    for q in range(s.players):
        values[q] = promise(s, q) if deep else prospect(s, q)
    value = lead(values, s.players, p)
    if actors(s) == 0:
        ranks(s, values)
        value += WIN if values[p] == 1 else -WIN
    return value


# --- A turn ahead ----------------------------------------------------------------------------------------------------------


@rule
def weigh_plans(table: Any, p: int, action: int, plan: int, plans: int, seed: int, deep: bool, choices: Any, total: Any) -> None:
    """Add to each of several plans for p's turn, all beginning with the action, what it comes to in the world of slot WORLD."""
    for k in range(plans):
        copy_state(table, AFTER, table, WORLD)
        s = table[AFTER]
        apply(s, p, action)
        step = 0
        while actors(s) == 1 << p and step < LONGEST_TURN:
            n = legal(s, p, choices)
            luck = lot(seed, plan + k, step, 1 << 31) * 2
            apply(s, p, int(choices[inclined(s, p, choices, n, luck) if deep else (luck * n) >> 32]))
            step += 1
        value = outlook(s, p, deep)
        total[k] += value
        if step == 0:  # nothing left to plan
            for other in range(k + 1, plans):
                total[other] += value
            return


@rule
def weigh_actions(table: Any, keys: Any, p: int, worlds: int, plans: int, seed: int, deep: bool, choices: Any, total: Any) -> int:
    """Add up, for each legal action of p, what each of a few plans for the turn comes to over several worlds.

    A plan is the same in every world, so that no plan fits the luck of one. Leaves the actions in `choices`.
    """
    veil_slot(table, VEILED, p)
    count = legal(table[VEILED], p, choices)
    for world in range(worlds):
        copy_state(table, WORLD, table, VEILED)
        redeal_slot(table, WORLD, keys, world)
        for k in range(count):
            legal(table[VEILED], p, choices)
            weigh_plans(table, p, int(choices[k]), k * plans, plans, seed, deep, choices, total[k])
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
def choose_try(tree: Tree, scratch: Scratch, position: int, n: int, trust: float, curiosity: float, luck: int) -> int:
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
        value += trust * scratch.prior[tree.action[t]]
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
def share_behind(places: Any, players: int, p: int) -> float:
    """Of how many of the others p is ahead, from 0 to 1; one on the same place counts half."""
    behind = 0.0
    for q in range(players):
        if q != p:
            behind += 1.0 if places[q] > places[p] else 0.5 if places[q] == places[p] else 0.0
    return behind / (players - 1) if players > 1 else 1.0


@rule
def judge(s: Any, tree: Tree, scratch: Scratch, manner: Manner) -> None:
    """What a look came to for each seat: its place and how far ahead it is; only that if the look broke off."""
    over = actors(s) == 0
    winners = 0
    if over:
        ranks(s, scratch.places)
        for p in range(s.players):
            winners += 1 if scratch.places[p] == 1 else 0
    for p in range(s.players):
        scratch.points[p] = promise(s, p) if manner.deep else prospect(s, p)
    seen = tree.counts[LOOKS] + 1.0
    for p in range(s.players):
        ahead = float(lead(scratch.points, s.players, p))
        tree.counts[LEADS + p] += ahead
        more = ahead - tree.counts[LEADS + p] / seen
        tree.counts[SPREAD] += abs(more) / s.players
        far = 0.5 + 0.5 * more / (abs(more) + 1.0 + tree.counts[SPREAD] / seen)
        place = far
        win = far
        if over:
            place = share_behind(scratch.places, s.players, p)
            win = 1.0 / winners if scratch.places[p] == 1 else 0.0
        scratch.rewards[p] = (1.0 - manner.margin) * place + manner.margin * far
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
    before = mask
    while mask and (growing or step < manner.horizon or mask == before):
        before = mask
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
            trust = manner.trust if step == 0 else 0.0
            t = choose_try(tree, scratch, position, n, trust, manner.curiosity, luck) if position >= 0 else -1
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
    judge(s, tree, scratch, manner)
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
