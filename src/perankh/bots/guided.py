"""A search guided by a trained network: its policy says which actions to look at, its value what a position promises.

Everything here is in the compiled subset, as in `ismcts`, whose tree it uses: nodes are information sets, and each iteration
plays in a random world that fits what the player knows. At a new node the network evaluates what the seat to act there sees.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from perankh.bots.ismcts import (
    AFTER,
    EDGES,
    ITERATIONS,
    LONGEST_PATH,
    ROOT,
    VEILED,
    WINS,
    WORLD,
    SearchParameters,
    Tree,
    Workspace,
    back_up,
    compute_rewards,
    determinise,
    find_node,
    mix_key,
    roll_out,
    set_choices,
    share_beaten,
    state_key,
)
from perankh.engine.contract import actors, apply, observe, ranks
from perankh.engine.loops import copy_state, pick_actor, veil_slot
from perankh.engine.rule import rule


class Weights(NamedTuple):
    """The layers of a network; weights by inputs, then outputs."""

    first: Any
    first_bias: Any
    second: Any
    second_bias: Any
    third: Any
    third_bias: Any
    policy: Any  # by actions, then inputs: only legal actions are asked for
    policy_bias: Any
    value: Any
    value_bias: Any
    others: Any
    others_bias: Any  # empty: the network does not know what other seats expect
    seats: Any  # by columns (`network.columns_of`), then units
    seats_bias: Any


class Guide(NamedTuple):
    """What a guided search has beside tree and workspace."""

    prior: Any  # of each edge: how likely the network plays it, from 0 to 1
    row: Any  # features, 8 bits each
    inputs: Any  # the same as numbers of the network
    live: Any  # numbers of inputs
    hidden: Any  # [2, width]: what a layer gets, and what it adds up
    chances: Any  # by action
    expected: Any  # by seat: the reward, from -1 to 1


class GuidedParameters(NamedTuple):
    """The parameters of a guided search."""

    exploration: float  # weight of the prior
    softness: float  # temperature of the prior: above 1, less likely actions are looked at more
    caution: float  # how much less an untried action is expected to bring than those tried
    rollouts: float  # weight of a game played on at random beside what the network expects; 0: none is played
    plain: SearchParameters  # of that game; also says how nodes are found


@rule
def add_layer(weights: Any, bias: Any, inputs: Any, live: Any, sums: Any) -> None:
    """Weighted sums of the inputs that are not 0, four at a time; `live` is for their numbers."""
    width, count = len(bias), 0
    for i in range(len(inputs)):
        if inputs[i] != 0:
            live[count] = i
            count += 1
    for j in range(width):
        sums[j] = bias[j]
    k = 0
    while k + 4 <= count:
        i0, i1, i2, i3 = live[k], live[k + 1], live[k + 2], live[k + 3]
        x0, x1, x2, x3 = inputs[i0], inputs[i1], inputs[i2], inputs[i3]
        row0, row1, row2, row3 = weights[i0], weights[i1], weights[i2], weights[i3]
        for j in range(width):
            sums[j] += x0 * row0[j] + x1 * row1[j] + x2 * row2[j] + x3 * row3[j]
        k += 4
    while k < count:
        x, row = inputs[live[k]], weights[live[k]]
        for j in range(width):
            sums[j] += x * row[j]
        k += 1


@rule
def dot(row: Any, numbers: Any) -> float:
    """The sum of products, in four parts that do not wait for each other."""
    part0, part1, part2, part3 = row[0] * 0, row[0] * 0, row[0] * 0, row[0] * 0
    k = 0
    while k + 4 <= len(row):
        part0 += row[k] * numbers[k]
        part1 += row[k + 1] * numbers[k + 1]
        part2 += row[k + 2] * numbers[k + 2]
        part3 += row[k + 3] * numbers[k + 3]
        k += 4
    while k < len(row):
        part0 += row[k] * numbers[k]
        k += 1
    return float(part0 + part1 + part2 + part3)


@rule
def run_network(w: Weights, guide: Guide) -> float:
    """From the features in `row` to the last hidden layer in `hidden[0]`. Returns the expected reward, from -1 to 1."""
    hidden, sums = guide.hidden[0], guide.hidden[1]
    width = len(hidden)
    for i in range(len(guide.row)):
        guide.inputs[i] = guide.row[i]
    add_layer(w.first, w.first_bias, guide.inputs, guide.live, sums)
    for j in range(width):
        hidden[j] = sums[j] if sums[j] > 0 else 0.0
    add_layer(w.second, w.second_bias, hidden, guide.live, sums)
    for j in range(width):
        hidden[j] += sums[j] if sums[j] > 0 else 0.0
    add_layer(w.third, w.third_bias, hidden, guide.live, sums)
    for j in range(width):
        hidden[j] += sums[j] if sums[j] > 0 else 0.0
    return math.tanh(dot(w.value, hidden) + w.value_bias[0])


@rule
def set_expected(w: Weights, guide: Guide, own: float, p: int, players: int) -> None:
    """What each seat expects, after the network was run for p; together 0. A network may not tell the others apart."""
    guide.expected[p] = own
    total = own
    first = players * (players - 1) // 2 - players
    known = players > 2 and len(w.others_bias) > 0
    if known:
        hidden, units = guide.hidden[0], guide.hidden[1]
        add_layer(w.others, w.others_bias, hidden, guide.live, units)
        for j in range(len(w.others_bias)):
            units[j] = units[j] if units[j] > 0 else 0.0
        for k in range(1, players):
            number = dot(w.seats[first + k - 1], units) + w.seats_bias[first + k - 1]
            guide.expected[(p + k) % players] = math.tanh(number)
            total += guide.expected[(p + k) % players]
    for k in range(1, players):
        q = (p + k) % players
        guide.expected[q] = (guide.expected[q] if known else 0.0) - total / (players - 1)


@rule
def evaluate_world(w: Weights, guide: Guide, slots: Any, p: int) -> None:
    """Run the network on what p sees of the state in slot WORLD, and set what every seat can expect."""
    copy_state(slots, AFTER, slots, WORLD)
    veil_slot(slots, AFTER, p)
    observe(slots[AFTER], p, guide.row)
    set_expected(w, guide, run_network(w, guide), p, int(slots[AFTER].players))


@rule
def set_chances(w: Weights, guide: Guide, choices: Any, n: int, softness: float) -> None:
    """How likely the network plays each of n legal actions, after it was run."""
    hidden = guide.hidden[0]
    largest = -1e30
    for k in range(n):
        a = choices[k]
        total = (dot(w.policy[a], hidden) + w.policy_bias[a]) / softness
        guide.chances[k] = total
        largest = max(largest, total)
    everything = 0.0
    for k in range(n):
        guide.chances[k] = math.exp(guide.chances[k] - largest)
        everything += guide.chances[k]
    for k in range(n):
        guide.chances[k] /= everything


@rule
def find_edges(tree: Tree, work: Workspace, node: int, n: int) -> int:
    """Set `edge_of` to the edges of a node. Returns how many of the n legal actions have none."""
    edge = tree.first_edge[node]
    while edge >= 0:
        work.edge_of[tree.action[edge]] = edge
        edge = tree.next_edge[edge]
    missing = 0
    for k in range(n):
        missing += 1 if work.edge_of[work.choices[k]] < 0 else 0
    return missing


@rule
def forget_edges(tree: Tree, work: Workspace, node: int) -> None:
    """Set `edge_of` back."""
    edge = tree.first_edge[node]
    while edge >= 0:
        work.edge_of[tree.action[edge]] = -1
        edge = tree.next_edge[edge]


@rule
def add_edges(tree: Tree, work: Workspace, guide: Guide, node: int, n: int) -> None:
    """Add edges for the legal actions that have none, as long as there is room in the tree."""
    for k in range(n):
        a = work.choices[k]
        if work.edge_of[a] < 0:
            edge = int(tree.totals[EDGES])
            if edge == len(tree.action):
                return
            tree.totals[EDGES] += 1
            tree.action[edge] = a
            tree.visits[edge] = 0
            tree.available[edge] = 0
            tree.reward[edge] = 0.0
            guide.prior[edge] = guide.chances[k]
            tree.next_edge[edge] = tree.first_edge[node]
            tree.first_edge[node] = edge
            work.edge_of[a] = edge


@rule
def best_edge(tree: Tree, work: Workspace, guide: Guide, n: int, parameters: GuidedParameters) -> int:
    """The edge to follow: what it has brought, and of its prior the more the less it was tried. -1: no action has one."""
    visits, likely, gained, tried = 0, 0.0, 0.0, 0
    for k in range(n):
        edge = work.edge_of[work.choices[k]]
        if edge >= 0:
            likely += guide.prior[edge]
            tree.available[edge] += 1
            visits = max(visits, int(tree.available[edge]))
            gained += tree.reward[edge]
            tried += int(tree.visits[edge])
    untried = (gained / tried if tried > 0 else 0.5) - parameters.caution
    root = parameters.exploration * math.sqrt(visits) / max(likely, 1e-9)
    best, best_value = -1, -1e30
    for k in range(n):
        edge = work.edge_of[work.choices[k]]
        if edge >= 0:
            count = tree.visits[edge]
            value = tree.reward[edge] / count if count > 0 else untried
            value += root * guide.prior[edge] / (1 + count)
            if value > best_value:
                best, best_value = int(edge), value
    return best


@rule
def run_guided_iteration(
    tree: Tree,
    work: Workspace,
    guide: Guide,
    w: Weights,
    slots: Any,
    words: Any,
    keys: Any,
    index: int,
    me: int,
    seed: int,
    parameters: GuidedParameters,
) -> None:
    """Determinise, follow the tree to a new node or to the end of the game, evaluate, back up."""
    determinise(slots, keys, index)
    s = slots[WORLD]
    state_words = parameters.plain.state_words
    history, history_after, undecided = 1, 0, 0  # as in `ismcts.descend`
    depth, step = 0, 0
    mask = actors(s)
    evaluated = False  # by the network, not by the end of the game
    while mask:
        if mask & ~undecided:
            if history_after:
                history = history_after
            history_after = history
            undecided = mask
        p = me if step == 0 else pick_actor(mask, seed, index, step)
        n = set_choices(s, work, p, step == 0)
        a = int(work.choices[0])
        if n > 1 or step == 0:
            key = state_key(slots, words, state_words, p + 1) if state_words else mix_key(history, p)
            node = find_node(tree, key) if depth < LONGEST_PATH else -1
            if node >= 0 and step == 0:
                tree.totals[ROOT] = node
            new = node < 0 or tree.first_edge[node] < 0
            missing = find_edges(tree, work, node, n) if node >= 0 else 0
            if new or missing > 0:
                evaluate_world(w, guide, slots, p)
                if node >= 0:
                    set_chances(w, guide, work.choices, n, parameters.softness)
                    add_edges(tree, work, guide, node, n)
            if new and step > 0:
                evaluated = True
                if node >= 0:
                    forget_edges(tree, work, node)
                break
            edge = best_edge(tree, work, guide, n, parameters)
            forget_edges(tree, work, node)
            if edge < 0:
                evaluated = True
                break
            a = int(tree.action[edge])
            work.path[depth] = edge
            work.path_seats[depth] = p
            depth += 1
        history_after = mix_key(history_after, p * 65536 + a)
        undecided &= ~(1 << p)
        apply(s, p, a)
        step += 1
        mask = actors(s)
    tree.totals[ITERATIONS] += 1
    if evaluated and parameters.rollouts > 0:
        roll_out(s, work, index, seed, step, mask, parameters.plain.rollout_depth)
        compute_rewards(s, tree, work, parameters.plain)
    set_rewards(s, tree, work, guide, evaluated, parameters.rollouts)
    back_up(tree, work, depth)


@rule
def set_rewards(s: Any, tree: Tree, work: Workspace, guide: Guide, evaluated: bool, rollouts: float) -> None:
    """Each seat's reward, from 0 to 1: by its rank in the end, or by what it can expect, and by the random game in `rewards`."""
    if not evaluated:
        ranks(s, work.ranks)
    for p in range(s.players):
        if not evaluated:
            work.rewards[p] = share_beaten(work.ranks, s.players, p)
        else:
            played = rollouts * work.rewards[p] if rollouts > 0 else 0.0
            work.rewards[p] = played + (1 - rollouts) * (0.5 + 0.5 * guide.expected[p])
        tree.totals[WINS + p] += work.rewards[p]


@rule
def run_guided_iterations(
    tree: Tree,
    work: Workspace,
    guide: Guide,
    w: Weights,
    slots: Any,
    words: Any,
    keys: Any,
    first: int,
    count: int,
    me: int,
    seed: int,
    parameters: GuidedParameters,
) -> None:
    """Run iterations number `first` to `first + count - 1` for player `me`."""
    veil_slot(slots, VEILED, me)
    for index in range(first, first + count):
        run_guided_iteration(tree, work, guide, w, slots, words, keys, index, me, seed, parameters)
