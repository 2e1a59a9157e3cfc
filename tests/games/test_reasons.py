"""Reasons of moves are facts: each one that is named is compared with the rules, on the true state."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from perankh.bots.reasons import WORDS, Reason, certain_points, reasons, wins_at_once
from perankh.engine.game import Game, get_game
from perankh.engine.sets import has
from perankh.engine.state import Record
from perankh.games.egizia.rules import placement
from perankh.games.imhotep.rules import ships
from perankh.games.imhotep.rules.components import Site
from perankh.games.maqha.rules.components import CARD_POINTS
from perankh.games.mural.rules import actions as mural_actions
from perankh.games.mural.rules.components import AREA_CELLS, AREAS, CARDS

from ..conftest import CONNECT_FOUR

GAMES = ("mural", "cleocatra", "imhotep", "egizia", "maqha", CONNECT_FOUR)
MATCHES = 12
EVERY = 0.3  # share of the decisions that are looked at


class Case:
    """A move on the true state: before, after, and what happened."""

    def __init__(self, game: Game, state: Record, p: int, action: int, instead: int) -> None:
        self.game, self.before, self.p, self.action, self.instead = game, state, p, action, instead
        self.after: Any = state.copy()
        self.events = game.apply(self.after, p, action)

    def told(self, seat: int, points: int) -> bool:
        """Has a seat gained so many points by events of one kind, or something else that is no points?"""
        own = [event for event in self.events if event.seat == seat]
        kinds = Counter[str]()
        for event in own:
            kinds[event.kind.name] += (event.points or 0) if "points" in event.kind.names else 0
        single = any("points" in event.kind.names and event.points == points for event in own)
        return single or points in kinds.values() if points else bool(own)

    def best_reply(self, action: int, q: int) -> int:
        """What q can gain at once after an action."""
        after = self.before.copy()
        self.game.apply(after, self.p, action)
        return max(0, *(certain_points(self.game, after, q, reply) for reply in self.game.legal(after, q)))

    def can_win(self, action: int, q: int) -> bool:
        """Can q win at once after an action?"""
        after = self.before.copy()
        self.game.apply(after, self.p, action)
        return any(wins_at_once(self.game, after, q, reply) for reply in self.game.legal(after, q))


def aboard(state: Any, p: int) -> set[int]:
    return {list(cargo).count(1 + p) for cargo in state.cargo}


def colours(state: Any, p: int) -> int:
    """The most colours on and around a tile with p's rescuer and no inspector, counted tile by tile."""
    found = [0]
    for tile in range(state.laid):
        if state.rescuers[p] >> tile & 1 and not state.inspectors >> tile & 1:
            near = [other for other in range(state.laid) if other == tile or state.neighbours[tile] >> other & 1]
            found.append(len({c for c in range(len(state.colour)) for other in near if state.colour[c] >> other & 1}))
    return max(found)


def lot_points(cards: Any) -> int:
    return sum(CARD_POINTS[card] for card in range(len(CARD_POINTS)) if has(cards, card))


def misses(case: Case) -> tuple[int, int]:
    """Of the cards that p has not seen: how many the rules call a miss, and how many there are."""
    seen: Any = case.game.veiled(case.before, case.p)
    unseen = [card for card in range(CARDS) if has(seen.unseen, card)]
    return sum(mural_actions.forbidden(seen, card) for card in unseen), len(unseen)


def later_misses(case: Case) -> tuple[int, int]:
    """The same of the card that p turns over after the move."""
    seen: Any = case.game.veiled(case.before, case.p)
    unseen = [card for card in range(CARDS) if has(seen.unseen, card)]
    return sum(mural_actions.forbidden(case.after, card) for card in unseen), len(unseen)


def empty_cells(case: Case, letter: str) -> int:
    cells = AREA_CELLS[case.after.area_map][AREAS.index(letter)]
    return sum(has(cells, card) and not has(case.after.wall, card) for card in range(CARDS))


def passed(case: Case) -> int:
    """Free places between the last ship and the one placed now, by the codes of the legal moves of the position."""
    s: Any = case.before
    free = [n for n in range(placement.ALL_LOCATIONS.bit_length()) if placement.free_locations(s, case.p) >> n & 1]
    placed = {event.location for event in case.events if event.seat == case.p and "location" in event.kind.names}
    reached = min(placement.index_of(location) for location in placed)
    return sum(s.frontier[case.p] < placement.index_of(n) < reached for n in free)


def connect_four(case: Case) -> tuple[int, bool]:
    """Rows of three that the move makes, and whether the other would have four there; on a grid."""

    def cells(stones: int) -> set[tuple[int, int]]:
        return {(bit // 7, bit % 7) for bit in range(49) if stones >> bit & 1}

    def threes(own: set[tuple[int, int]], other: set[tuple[int, int]]) -> int:
        count = 0
        for column in range(7):
            for row in range(6):
                for right, up in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    line = {(column + n * right, row + n * up) for n in range(4)}
                    inside = all(0 <= c < 7 and 0 <= r < 6 for c, r in line)
                    count += inside and not line & other and len(line & own) == 3
        return count

    before, after, p = case.before, case.after, case.p
    own, then, other = cells(before.stones[p]), cells(after.stones[p]), cells(before.stones[1 - p])
    turned: Any = before.copy()
    turned.turn = 1 - p
    case.game.apply(turned, 1 - p, case.action)
    return threes(then, other) - threes(own, other), bool(turned.over == 1)


def sailed(case: Case, site: str, own: bool) -> bool:
    """Did a ship sail there with so many stones, own ones or none?"""
    ship = next(event.ship for event in case.events if event.kind.name == "SAILED" and Site(event.site).name.lower() == site)
    return (1 + case.p in list(case.before.cargo[ship])) == own and case.after.berth[ship] in (1 + Site[site.upper()], 0)


Check = Callable[[Case, Any], bool]
COMMON: dict[str, Check] = {
    "wins": lambda c, v: not c.game.actors(c.after) and c.game.ranks(c.after)[c.p] == 1,
    "gain": lambda c, v: c.told(c.p, v["points"]),
    "loss": lambda c, v: c.told(c.p, v["points"]),
    "gives": lambda c, v: c.told(v["seat"], v["points"]),
    "allows_win": lambda c, v: c.can_win(c.action, v["seat"]),
    "stops_win": lambda c, v: c.can_win(c.instead, v["seat"]) and not c.can_win(c.action, v["seat"]),
    "denies": lambda c, v: c.best_reply(c.instead, v["seat"]) == v["points"] > v["less"] == c.best_reply(c.action, v["seat"]),
    "outlook": lambda c, v: True,  # has tests of its own
}
OWN: dict[Any, dict[str, Check]] = {
    "imhotep": {
        **{f"for.carries.{site.name.lower()}": lambda c, v, site=site.name.lower(): sailed(c, site, True) for site in Site},
        **{
            f"against.carries_others.{site.name.lower()}": lambda c, v, site=site.name.lower(): sailed(c, site, False)
            for site in Site
        },
        "for.ready": lambda c, v: any(ships.ready(c.after, n, 0) and not ships.ready(c.before, n, 0) for n in range(4)),
        "for.aboard": lambda c, v: v["stones"] in aboard(c.after, c.p),
        "for.sled": lambda c, v: c.after.sled[c.p] == v["stones"] > c.before.sled[c.p],
        "for.obelisk": lambda c, v: all(
            c.after.obelisk[c.p] == v["stones"] > c.after.obelisk[q] for q in range(c.after.players) if q != c.p
        ),
    },
    "cleocatra": {
        "for.colours": lambda c, v: (colours(c.before, c.p), colours(c.after, c.p)) == (v["before"], v["colours"]),
        "against.colours": lambda c, v: (colours(c.before, c.p), colours(c.after, c.p)) == (v["before"], v["colours"]),
        "for.blocks": lambda c, v: c.after.inspectors & c.after.rescuers[v["seat"]] != 0 and v["seat"] != c.p,
        "for.end": lambda c, v: max(c.after.score) >= c.after.end_score == v["end_score"],
    },
    "mural": {
        "for.safe": lambda c, v: misses(c) == (0, v["unseen"]),
        "against.risk": lambda c, v: misses(c) == (v["missing"], v["unseen"]),
        "for.stop": lambda c, v: misses(c) == (v["missing"], v["unseen"]),
        "for.ankh": lambda c, v: c.after.takes > 0 or c.after.secret[c.p] > c.before.secret[c.p],
        "for.clear": lambda c, v: later_misses(c) == (0, v["unseen"]) and c.after.turn == c.p,
        "against.shadow": lambda c, v: later_misses(c) == (v["missing"], v["unseen"]) and c.after.turn == c.p,
        "against.last_cell": lambda c, v: empty_cells(c, v["area"]) == 1,
    },
    "egizia": {
        "for.last_space": lambda c, v: (
            placement.dock_full(c.after, v["dock"] - 1) and not placement.dock_full(c.before, v["dock"] - 1)
        ),
        "for.stones": lambda c, v: c.before.stones[c.p] + v["stones"] == v["total"],
        "for.strength": lambda c, v: v["strength"] in list(c.after.strength[c.p]),
        "for.token": lambda c, v: c.after.tokens[c.p] > c.before.tokens[c.p],
        "against.passes": lambda c, v: passed(c) == v["places"],
    },
    "maqha": {
        "for.bid": lambda c, v: v["points"] in {lot_points(lot) for lot in c.before.lot},
        "for.throw": lambda c, v: v["points"] == lot_points(c.before.lot[c.before.slot]),
        "against.pass": lambda c, v: v["points"] == lot_points(c.before.lot[c.before.slot]),
    },
    CONNECT_FOUR: {
        "for.three": lambda c, v: connect_four(c)[0] == v["lines"] > 0,
        "for.stops": lambda c, v: connect_four(c)[1],
    },
}


def named(game: Game, seed: int) -> list[tuple[Case, Reason]]:
    """The reasons of random moves of a match, with their cases."""
    chance, found = random.Random(seed), []
    players = chance.choice([n for n in game.players if n < 4])
    state = game.new_state(players, seed, dict(game.box.options))
    while acting := game.actors(state):
        p = chance.choice(acting)
        legal = game.legal(state, p)
        action, instead = chance.choice(legal), chance.choice(legal)
        if chance.random() < EVERY:
            case = Case(game, state.copy(), p, action, instead)
            found += [(case, reason) for reason in reasons(game, game.veiled(state, p), p, action, instead)]
        game.apply(state, p, action)
    return found


@pytest.mark.parametrize("name", GAMES)
def test_every_reason_is_true(name: Any) -> None:
    game = get_game(name)
    checks, met = COMMON | OWN[name], Counter[str]()
    assert set(OWN[name]) == set(game.text.REASONS)  # type: ignore[attr-defined]
    for seed in range(MATCHES):
        said = set()
        for case, reason in named(game, seed):
            met[reason.name] += 1
            assert (case, reason.text["en"]) not in said, "said twice"
            said.add((case, reason.text["en"]))
            what = f"{reason.name} {dict(reason.values)} of {game.text.CODES[case.action]} (seed {seed})"
            assert checks[reason.name](case, reason.values), what
            assert set(reason.text) == {"en", "ja"}
            assert all(reason.text.values()), what
    assert sum(met.values()) > MATCHES  # something is said
    assert len(met) >= 3, met


def test_the_platform_has_words_for_all_its_reasons() -> None:
    reasons = {key for key in WORDS.texts if key.startswith("reason.")}
    assert reasons == {f"reason.{name}" for name in COMMON if name != "outlook"}
