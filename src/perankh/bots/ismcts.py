"""Greedy one-turn planning and information-set Monte Carlo tree search (ISMCTS), written once for every game.

Everything here is in the compiled subset. The search starts from the state in slot VEILED, which it veils once more itself.
Each iteration fills the hidden part of that state at random (a determinisation), so no hidden value can influence a decision.
The contract functions and the game's own `heuristic`, `long_term_heuristic` and `rollout_choice` (its `bots.py`) replace the
functions of the same names, as in `engine.loops`.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array

from perankh.engine.chance import WORD
from perankh.engine.contract import actors, apply, legal, ranks, scores
from perankh.engine.loops import copy_state, pick_actor, random_below, redeal_slot, veil_slot
from perankh.engine.rule import rule, stand_in

VEILED, WORLD, AFTER, SLOTS = 0, 1, 2, 3  # slots of a search: the veiled state, a determinisation of it, a planned turn
SEATS = 4
WIN = 1 << 20  # larger than any lead
LONGEST_TURN = 60  # own decisions in a row that a plan follows
LONGEST_PATH = 400  # edges of one iteration that are remembered for the back-up


class Tree(NamedTuple):
    """A search tree in arrays: nodes are information sets, found by key; edges are actions taken in them.

    The edges of a node form a list that starts at its `first_edge` and continues by `next_edge`. Where nothing is hidden they
    lie side by side, one for every legal action; an edge that draws no chance knows the node it leads to, and what is proven.
    """

    buckets: Any  # hash table of nodes: number + 1, 0 where free
    keys: Any  # key of each node
    first_edge: Any  # its newest edge, -1 for none; where nothing is hidden, the first of `edge_count`
    edge_count: Any  # how many edges a node has, where nothing is hidden
    next_edge: Any  # of each edge: the one before it in the same node, -1 for none
    action: Any  # of each edge
    visits: Any  # how often the edge was followed
    available: Any  # how often its action was legal when its node was visited; where nothing is hidden, by the first of a node
    reward: Any  # sum of the rewards of the player who decides, each from 0 to 1
    child: Any  # of each edge: the number of the node it always leads to + 1, 0 if that is not known
    proven: Any  # of each edge: WON or LOST for the player who decides, with two players; 0 if that is not known
    totals: Any  # NODES, EDGES, ITERATIONS, SPREAD, ROOT; by seat, games won from WINS on and the sum of leads from LEADS on


WON, LOST = 1, 2  # what is proven
NODES, EDGES, ITERATIONS, SPREAD, ROOT, WINS, LEADS = 0, 1, 2, 3, 4, 5, 9


class Workspace(NamedTuple):
    """Arrays that one thread of a search works in."""

    root_actions: Any  # actions to choose from at the root; empty: all that are legal
    choices: Any  # legal actions
    prior: Any  # value of each action at the root by one-turn planning, from 0 to 1
    growth: Any  # by how often a node was visited: the square root of the logarithm, which takes long to compute
    roots: Any  # by how often an edge was visited: 1 / its square root
    edge_of: Any  # of each action its edge in the node at hand, -1 for none
    path: Any  # edges of this iteration
    path_seats: Any  # who decided at each of them
    path_nodes: Any  # in which node
    path_sure: Any  # 1 where no chance was drawn
    points: Any
    ranks: Any
    rewards: Any
    wins: Any  # each seat's share of the win


class SearchParameters(NamedTuple):
    """The parameters of a search."""

    exploration: float  # weight of the UCB exploration term
    margin_weight: float  # weight of the lead in points in the reward, beside the rank
    prior_weight: float  # weight of the prior of the actions at the root
    long_term: bool  # evaluate with `long_term_heuristic`, not `heuristic`
    rollout_depth: int  # moves after which an iteration is cut off, at the next change of the player to move
    state_words: (
        int  # 0: a node is keyed by the actions that led to it; where nothing is hidden: by the state's words from this one on
    )


@intrinsic
def _seat_numbers(typingctx: Any) -> Any:
    """An array on the stack of the function that calls this: it must not be returned."""
    array = types.Array(types.int64, 1, "C")

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        memory = cgutils.alloca_once(builder, ir.IntType(64), size=SEATS)  # type: ignore[no-untyped-call]
        size, width = context.get_constant(types.intp, SEATS), context.get_constant(types.intp, 8)
        for p in range(SEATS):
            builder.store(ir.IntType(64)(0), cgutils.gep_inbounds(builder, memory, p))  # type: ignore[no-untyped-call]
        made = context.make_array(array)(context, builder)
        populate_array(made, data=memory, shape=[size], strides=[width], itemsize=width, meminfo=None)  # type: ignore[no-untyped-call]
        return made._getvalue()

    return array(), generate


@rule(native=_seat_numbers)
def seat_numbers() -> Any:
    """A zero for each seat, to be used in the function that calls this."""
    return [0] * SEATS


# --- What a game may define in its bots.py --------------------------------------------------------------------------------


@stand_in
def heuristic(s: Any, p: int) -> int:
    """The value of a position for p alone: p's points, unless the game defines it."""
    points: Any = seat_numbers()
    scores(s, points)
    return int(points[p])


@stand_in
def long_term_heuristic(s: Any, p: int) -> int:
    """The value for the strongest level, whose rollouts may be cut off: the heuristic, unless the game defines it."""
    return heuristic(s, p)


@stand_in
def rollout_choice(s: Any, p: int, choices: Any, n: int, bits: int) -> int:
    """The rollout policy: an index into the n choices; `bits` is a random number below 2**32."""
    return (bits * n) >> 32


# --- Evaluation -------------------------------------------------------------------------------------------------------------


@rule
def lead(points: Any, players: int, p: int) -> int:
    """How far p is ahead of the best of the others."""
    other = -(1 << 30) if players > 1 else 0
    for q in range(players):
        if q != p:
            other = max(other, int(points[q]))
    return int(points[p]) - other


@rule
def evaluate(s: Any, p: int, long_term: bool) -> int:
    """P's lead by the heuristic; a finished game counts as a win or a loss above all."""
    values: Any = seat_numbers()
    for q in range(s.players):
        values[q] = long_term_heuristic(s, q) if long_term else heuristic(s, q)
    value = lead(values, s.players, p)
    if actors(s) == 0:
        ranks(s, values)
        value += WIN if values[p] == 1 else -WIN
    return value


# --- Greedy one-turn planning -----------------------------------------------------------------------------------------------


@rule
def evaluate_plans(
    slots: Any, p: int, action: int, plan: int, plans: int, seed: int, long_term: bool, choices: Any, total: Any
) -> None:
    """Add to `total` the values of several random plans for p's turn in the world of slot WORLD, all starting with the action."""
    for k in range(plans):
        copy_state(slots, AFTER, slots, WORLD)
        s = slots[AFTER]
        apply(s, p, action)
        step = 0
        while actors(s) == 1 << p and step < LONGEST_TURN:
            n = legal(s, p, choices)
            bits = random_below(seed, plan + k, step, 1 << 31) * 2
            apply(s, p, int(choices[rollout_choice(s, p, choices, n, bits) if long_term else (bits * n) >> 32]))
            step += 1
        value = evaluate(s, p, long_term)
        total[k] += value
        if step == 0:  # the action ends the turn: all plans are the same
            for other in range(k + 1, plans):
                total[other] += value
            return


@rule
def evaluate_actions(
    slots: Any, keys: Any, p: int, worlds: int, plans: int, seed: int, long_term: bool, choices: Any, total: Any
) -> int:
    """Sum, for each legal action of p, the value of each of a few plans over several determinisations.

    A plan is the same in every world, so that no plan is fitted to one of them. Leaves the actions in `choices`.
    """
    veil_slot(slots, VEILED, p)
    count = legal(slots[VEILED], p, choices)
    for world in range(worlds):
        determinise(slots, keys, world)
        for k in range(count):
            legal(slots[VEILED], p, choices)
            evaluate_plans(slots, p, int(choices[k]), k * plans, plans, seed, long_term, choices, total[k])
    return legal(slots[VEILED], p, choices)


# --- The tree -----------------------------------------------------------------------------------------------------------------


@rule
def mix_key(key: int, value: int) -> int:
    """A key of 62 bits from a key and one more number."""
    a = ((key & WORD) ^ value) * 0x9E3779B1 & WORD
    b = ((key >> 32) + a) * 0x85EBCA77 & WORD
    a = (a ^ (b >> 15)) * 0x7FEB352D & WORD
    return ((b ^ (a >> 13)) & 0x3FFFFFFF) << 32 | a


def _record_key(slots: Any, words: Any, first: int, key: int) -> int:
    for i in range(first, words.shape[1]):
        key = mix_key(key, int(words[WORLD, i]))
    return key


@rule(native=_record_key)
def state_key(slots: Any, words: Any, first: int, key: int) -> int:
    """The key of the state in slot WORLD where nothing is hidden: a hash of its words from `first` on, without the generator."""
    for word in slots[WORLD].pack().reshape(1).view("<u4")[first:]:
        key = mix_key(key, int(word))
    return key


@rule
def find_node(tree: Tree, key: int) -> int:
    """The number of the node with a key; a new one if there is room, else -1."""
    mask = len(tree.buckets) - 1
    bucket = (key ^ (key >> 29)) & mask
    while tree.buckets[bucket] != 0:
        node = int(tree.buckets[bucket]) - 1
        if tree.keys[node] == key:
            return node
        bucket = (bucket + 1) & mask
    node = int(tree.totals[NODES])
    if node == len(tree.keys):
        return -1
    tree.totals[NODES] += 1
    tree.buckets[bucket] = node + 1
    tree.keys[node] = key
    tree.first_edge[node] = -1
    return node


@rule
def select_edge(tree: Tree, work: Workspace, node: int, n: int, prior_weight: float, exploration: float, bits: int) -> int:
    """The edge to follow: a new one while an action is untried, else the one with the best UCB value. -1: the tree is full.

    UCB counts how often an action was available, not how often the node was visited: legal actions differ between worlds.
    """
    edge = tree.first_edge[node]
    while edge >= 0:
        work.edge_of[tree.action[edge]] = edge
        edge = tree.next_edge[edge]
    untried = 0
    best = -1
    best_value = -1.0
    for k in range(n):
        edge = work.edge_of[work.choices[k]]
        if edge < 0:
            untried += 1
            continue
        tree.available[edge] += 1
        visits = tree.visits[edge]
        value = tree.reward[edge] / visits + exploration * math.sqrt(math.log(tree.available[edge]) / visits)
        value += prior_weight * work.prior[tree.action[edge]]
        if value > best_value:
            best_value = value
            best = edge
    if untried > 0:
        edge = expand(tree, work, node, n, (bits * untried) >> 32)
        best = edge if edge >= 0 else best
    edge = tree.first_edge[node]
    while edge >= 0:
        work.edge_of[tree.action[edge]] = -1
        edge = tree.next_edge[edge]
    return best


@rule
def expand(tree: Tree, work: Workspace, node: int, n: int, skip: int) -> int:
    """Add an edge for an untried legal action, after skipping the first `skip` of them. -1: the tree is full."""
    edge = int(tree.totals[EDGES])
    if edge == len(tree.action):
        return -1
    for k in range(n):
        if work.edge_of[work.choices[k]] < 0:
            if skip == 0:
                tree.totals[EDGES] += 1
                tree.action[edge] = work.choices[k]
                tree.visits[edge] = 0
                tree.available[edge] = 1
                tree.reward[edge] = 0.0
                tree.next_edge[edge] = tree.first_edge[node]
                tree.first_edge[node] = edge
                return edge
            skip -= 1
    return -1


# --- One iteration ------------------------------------------------------------------------------------------------------------


@rule
def run_iteration(
    tree: Tree, work: Workspace, slots: Any, words: Any, keys: Any, index: int, me: int, seed: int, parameters: SearchParameters
) -> None:
    """One ISMCTS iteration: determinise, select and expand, roll out, back up."""
    determinise(slots, keys, index)
    s = slots[WORLD]
    if parameters.state_words:
        depth, step, last_mask = descend_open(tree, work, slots, words, index, me, seed, parameters)
        if s.players == 2 and depth > 0 and actors(s) == 0:
            prove(s, tree, work, depth)
    else:
        depth, step, last_mask = descend(tree, work, slots, index, me, seed, parameters)
    roll_out(s, work, index, seed, step, last_mask, parameters.rollout_depth)
    tree.totals[ITERATIONS] += 1
    compute_rewards(s, tree, work, parameters)
    for p in range(s.players):
        tree.totals[WINS + p] += work.wins[p]
    back_up(tree, work, depth)


@rule
def determinise(slots: Any, keys: Any, index: int) -> None:
    """Put determinisation number `index` of the veiled state into slot WORLD."""
    copy_state(slots, WORLD, slots, VEILED)
    redeal_slot(slots, WORLD, keys, index)


@rule
def set_choices(s: Any, work: Workspace, p: int, at_root: bool) -> int:
    """Write the actions that p chooses from and return how many there are."""
    if not at_root or len(work.root_actions) == 0:
        return legal(s, p, work.choices)
    for k in range(len(work.root_actions)):
        work.choices[k] = work.root_actions[k]
    return len(work.root_actions)


@rule
def descend(
    tree: Tree, work: Workspace, slots: Any, index: int, me: int, seed: int, parameters: SearchParameters
) -> tuple[int, int, int]:
    """Follow the tree by UCB until a new edge is added, the tree is full or the game is over.

    Returns the length of the path, the number of moves made and the mask of the seats that were to move before the last one.
    """
    s = slots[WORLD]
    history = 1  # key of the actions so far, without those of a simultaneous decision that is still open
    history_after = 0  # key with those
    undecided = 0  # seats that still have to take part in that decision
    depth = 0
    step = 0
    mask = actors(s)
    last_mask = mask
    while mask:
        last_mask = mask
        if mask & ~undecided:
            if history_after:
                history = history_after
            history_after = history
            undecided = mask
        p = me if step == 0 else pick_actor(mask, seed, index, step)
        n = set_choices(s, work, p, step == 0)
        a = int(work.choices[0])
        expanded = False
        if n > 1 or step == 0:
            if depth == LONGEST_PATH:
                break
            node = find_node(tree, mix_key(history, p))
            if node < 0:
                break
            if step == 0:
                tree.totals[ROOT] = node
            prior_weight = parameters.prior_weight if step == 0 else 0.0
            bits = random_below(seed, index, step, 1 << 31) * 2
            edge = select_edge(tree, work, node, n, prior_weight, parameters.exploration, bits)
            if edge < 0:
                break
            a = int(tree.action[edge])
            work.path[depth] = edge
            work.path_seats[depth] = p
            depth += 1
            expanded = tree.visits[edge] == 0
        history_after = mix_key(history_after, p * 65536 + a)
        undecided &= ~(1 << p)
        apply(s, p, a)
        step += 1
        if expanded:
            break
        mask = actors(s)
    return depth, step, last_mask


@rule
def descend_open(
    tree: Tree, work: Workspace, slots: Any, words: Any, index: int, me: int, seed: int, parameters: SearchParameters
) -> tuple[int, int, int]:
    """The same where nothing is hidden: nodes are found by their state, or by the edge that always leads to them."""
    s = slots[WORLD]
    depth = 0
    step = 0
    mask = actors(s)
    last_mask = mask
    before = -1  # the edge that leads here whatever chance does
    while mask and depth < LONGEST_PATH:
        last_mask = mask
        p = me if step == 0 else pick_actor(mask, seed, index, step)
        node = int(tree.child[before]) - 1 if before >= 0 else -1
        if node < 0:
            node = find_node(tree, state_key(slots, words, parameters.state_words, p + 1))
            if node < 0:
                break
            if before >= 0:
                tree.child[before] = node + 1
        if step == 0:
            tree.totals[ROOT] = node
        if tree.first_edge[node] < 0 and not add_every_edge(tree, work, node, set_choices(s, work, p, step == 0)):
            break
        prior_weight = parameters.prior_weight if step == 0 else 0.0
        edge = select_open_edge(tree, work, node, prior_weight, parameters.exploration, seed, index, step)
        work.path[depth] = edge
        work.path_seats[depth] = p
        work.path_nodes[depth] = node
        expanded = tree.visits[edge] == 0 and tree.edge_count[node] > 1
        drawn = 16 * s.chance_block + s.chance_used
        apply(s, p, int(tree.action[edge]))
        sure = drawn == 16 * s.chance_block + s.chance_used
        work.path_sure[depth] = 1 if sure else 0
        depth += 1
        step += 1
        if expanded:
            break
        mask = actors(s)
        before = int(edge) if sure and mask & (mask - 1) == 0 else -1
    return depth, step, last_mask


@rule
def add_every_edge(tree: Tree, work: Workspace, node: int, n: int) -> bool:
    """Give a node its edges, one for each of n choices. False: the tree is full."""
    first = int(tree.totals[EDGES])
    if first + n > len(tree.action):
        return False
    tree.totals[EDGES] += n
    tree.first_edge[node] = first
    tree.edge_count[node] = n
    tree.available[first] = 0
    for k in range(n):
        edge = first + k
        tree.action[edge] = work.choices[k]
        tree.visits[edge] = 0
        tree.reward[edge] = 0.0
        tree.child[edge] = 0
        tree.proven[edge] = 0
        tree.next_edge[edge] = edge + 1 if k + 1 < n else -1
    return True


@rule
def select_open_edge(
    tree: Tree, work: Workspace, node: int, prior_weight: float, exploration: float, seed: int, index: int, step: int
) -> int:
    """The edge to follow where nothing is hidden: one that wins, an untried one, else the one with the best UCB value."""
    first = int(tree.first_edge[node])
    n = int(tree.edge_count[node])
    times = int(tree.available[first])  # that the node was visited before
    tree.available[first] = times + 1
    if times < n:
        return select_untried(tree, first, n, seed, index, step)
    growth = work.growth[times] if times < len(work.growth) else math.sqrt(math.log(times + 1.0))
    scale = exploration * growth
    best = first
    best_value = -1e30
    for edge in range(first, first + n):
        if tree.proven[edge] == WON:
            return edge
        visits = int(tree.visits[edge])
        root = work.roots[visits] if visits < len(work.roots) else 1.0 / math.sqrt(visits)
        value = (tree.reward[edge] * root + scale) * root
        if prior_weight != 0.0:
            value += prior_weight * work.prior[tree.action[edge]]
        if tree.proven[edge] == LOST:
            value -= 1e6
        if value > best_value:
            best_value = value
            best = edge
    return best


@rule
def select_untried(tree: Tree, first: int, n: int, seed: int, index: int, step: int) -> int:
    """An edge of a node that was visited less often than it has edges: one that wins, else a random one that is untried."""
    untried = 0
    for edge in range(first, first + n):
        if tree.proven[edge] == WON:
            return edge
        untried += 1 if tree.visits[edge] == 0 else 0
    skip = random_below(seed, index, step, untried)
    for edge in range(first, first + n):
        if tree.visits[edge] == 0:
            if skip == 0:
                return edge
            skip -= 1
    return first


@rule
def prove(s: Any, tree: Tree, work: Workspace, depth: int) -> None:
    """Note what the end of the game proves of the edges that led to it, with two players.

    An edge to a node is won if every edge there is lost for the other player, and lost if one is won for the other.
    """
    ranks(s, work.ranks)
    k = depth - 1
    p = int(work.path_seats[k])
    if work.ranks[p] == work.ranks[1 - p]:
        return
    outcome = WON if work.ranks[p] < work.ranks[1 - p] else LOST
    while work.path_sure[k] == 1:
        tree.proven[work.path[k]] = outcome
        if outcome == LOST:
            node = work.path_nodes[k]
            first = int(tree.first_edge[node])
            for edge in range(first, first + int(tree.edge_count[node])):
                if tree.proven[edge] != LOST:
                    return
        if k == 0:
            return
        k -= 1
        if work.path_seats[k] != work.path_seats[k + 1]:
            outcome = LOST if outcome == WON else WON


@rule
def roll_out(s: Any, work: Workspace, index: int, seed: int, step: int, last_mask: int, rollout_depth: int) -> None:
    """Play on by the rollout policy to the end; from move `rollout_depth` on only until other seats are to move."""
    mask = actors(s)
    while mask and (step < rollout_depth or mask == last_mask):
        last_mask = mask
        p = pick_actor(mask, seed, index, step)
        n = legal(s, p, work.choices)
        a = int(work.choices[0])
        if n > 1:
            bits = random_below(seed, index, step, 1 << 31) * 2
            a = int(work.choices[rollout_choice(s, p, work.choices, n, bits)])
        apply(s, p, a)
        step += 1
        mask = actors(s)


@rule
def share_beaten(places: Any, players: int, p: int) -> float:
    """The share of the other players that p is ranked above; a tie counts half."""
    beaten = 0.0
    for q in range(players):
        if q != p:
            beaten += 1.0 if places[q] > places[p] else 0.5 if places[q] == places[p] else 0.0
    return beaten / (players - 1) if players > 1 else 1.0


@rule
def compute_rewards(s: Any, tree: Tree, work: Workspace, parameters: SearchParameters) -> None:
    """Each seat's reward: its rank, and its lead compared with this search's mean; the lead alone if the rollout was cut off."""
    over = actors(s) == 0
    winners = 0
    if over:
        ranks(s, work.ranks)
        for p in range(s.players):
            winners += 1 if work.ranks[p] == 1 else 0
    for p in range(s.players):
        work.points[p] = long_term_heuristic(s, p) if parameters.long_term else heuristic(s, p)
    iterations = tree.totals[ITERATIONS] + 1.0
    for p in range(s.players):
        ahead = float(lead(work.points, s.players, p))
        tree.totals[LEADS + p] += ahead
        more = ahead - tree.totals[LEADS + p] / iterations
        tree.totals[SPREAD] += abs(more) / s.players
        margin = 0.5 + 0.5 * more / (abs(more) + 1.0 + tree.totals[SPREAD] / iterations)
        rank = margin
        win = margin
        if over:
            rank = share_beaten(work.ranks, s.players, p)
            win = 1.0 / winners if work.ranks[p] == 1 else 0.0
        work.rewards[p] = (1.0 - parameters.margin_weight) * rank + parameters.margin_weight * margin
        work.wins[p] = win


@rule
def back_up(tree: Tree, work: Workspace, depth: int) -> None:
    """Add the rewards to the edges of the path, each for the player who decided there."""
    for k in range(depth):
        edge = work.path[k]
        tree.visits[edge] += 1
        tree.reward[edge] += work.rewards[work.path_seats[k]]


@rule
def run_iterations(
    tree: Tree,
    work: Workspace,
    slots: Any,
    words: Any,
    keys: Any,
    first: int,
    count: int,
    me: int,
    seed: int,
    parameters: SearchParameters,
) -> None:
    """Run iterations number `first` to `first + count - 1` for player `me`."""
    veil_slot(slots, VEILED, me)
    for index in range(first, first + count):
        run_iteration(tree, work, slots, words, keys, index, me, seed, parameters)
