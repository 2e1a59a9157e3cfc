"""What a person clicks on the drawn table, and what is meant by it."""

from __future__ import annotations

from ..rules import actions, market, quarry, ships
from ..rules.components import FETCH_MOST, FIRST_BLUE, KINDS, SHIPS, SITE_NAMES, SITES, SPACES
from ..rules.state import Berth, State, Step, capacity
from . import cards
from .pieces import open_actions


def is_button(a: int) -> bool:
    """Whether an action has no piece of its own."""
    return a <= actions.POINT or a == actions.DECLINE


def button_id(a: int) -> str:
    """The id of the button of such an action."""
    names = {actions.PASS: "pass", actions.POINT: "point", actions.DECLINE: "decline"}
    return f"do-{names[a]}" if a in names else f"do-fetch-{a - actions.FETCH}"


def paths(s: State, p: int) -> dict[int, tuple[str, ...]]:
    """What p clicks for each choice: a space; a ship and a dock; a card; a pyramid; a stone; or a button."""
    found: dict[int, tuple[str, ...]] = {}
    for a in open_actions(s, p):
        if is_button(a):
            found[a] = (button_id(a),)
        elif a < actions.SAIL:
            ship, space = divmod(a - actions.LOAD, SPACES)
            found[a] = (f"space-{ship}-{space}",)
        elif a < actions.PLAY:
            ship, site = divmod(a - actions.SAIL, SITES)
            dock = f"dock-{SITE_NAMES[site]}"
            found[a] = (dock,) if s.step == Step.SAIL_SITE else (f"ship-{ship}", dock)
        elif a < actions.TAKE:
            kind = FIRST_BLUE + a - actions.PLAY
            found[a] = (f"held-{p}-{kind}-{s.held[p][kind] - 1}",)
        elif a < actions.KEEP:
            found[a] = (cards.offer_id(s, a - actions.TAKE),)
        elif a < actions.BUILD:
            found[a] = (f"hidden-{0 if market.hidden_kind(s, 0) == a - actions.KEEP else 1}",)
        elif a < actions.ORDER:
            found[a] = (f"build-{a - actions.BUILD}",)
        else:
            ship, owner = s.ship - 1, a - actions.ORDER
            found[a] = (f"stone-{ship}-{s.cargo[ship].index(1 + owner)}",)
    return found


def aliases(s: State, p: int) -> dict[str, list[tuple[str, ...]]]:
    """Quarry and sled for fetching and loading; the tag of a ship; a site for its dock, also before the ship is chosen."""
    found: dict[str, list[tuple[str, ...]]] = {}
    offered = paths(s, p)
    fetches = [path for a, path in offered.items() if actions.FETCH <= a < actions.POINT]
    loads = [path for a, path in offered.items() if actions.LOAD <= a < actions.SAIL]
    if fetches:
        found[f"quarry-{p}"] = fetches
    if loads:
        found |= dict.fromkeys([f"sled-{p}", *(f"sled-{p}-{k}" for k in range(s.sled[p]))], loads)
    sails = {a: path for a, path in offered.items() if actions.SAIL <= a < actions.PLAY}
    ready = sorted({path[0] for path in sails.values() if len(path) > 1})
    for ship in range(SHIPS):
        if f"ship-{ship}" in ready:
            found[f"status-{ship}"] = [(f"ship-{ship}",)]
    for site in sorted({(a - actions.SAIL) % SITES for a in sails}):
        name = SITE_NAMES[site]
        dock = f"dock-{name}"
        # One ship alone is only chosen: a ship should not sail by one click on a site.
        first: list[tuple[str, ...]] = [(ready[0],)] if len(ready) == 1 else [(ship, dock) for ship in ready]
        if ready:
            found[dock] = first
        found[f"site-{name}"] = [*first, (dock,)]
    return found


def closed(s: State, p: int) -> dict[str, int]:
    """What p cannot do in this turn: fetch, load, sail a ship, or play a blue card."""
    offered = open_actions(s, p)
    if not offered or s.step != Step.MAIN:
        return {}
    found = {"do-fetch-1": actions.FETCH + 1, f"quarry-{p}": meant(s, p, (f"quarry-{p}",))} if no_fetch(offered) else {}
    if not any(actions.LOAD <= a < actions.SAIL for a in offered):
        found[f"sled-{p}"] = meant(s, p, (f"sled-{p}",))
    for ship in range(SHIPS):
        if s.berth[ship] == Berth.WAITING and not any(
            actions.SAIL <= a < actions.PLAY and (a - actions.SAIL) // SITES == ship for a in offered
        ):
            found[f"status-{ship}"] = actions.SAIL + SITES * ship
    for kind in range(FIRST_BLUE, KINDS):
        if s.held[p][kind] and actions.PLAY + kind - FIRST_BLUE not in offered:
            found[f"held-{p}-{kind}-{s.held[p][kind] - 1}"] = actions.PLAY + kind - FIRST_BLUE
    return found


def no_fetch(offered: list[int]) -> bool:
    """Can no stone be fetched?"""
    return not any(actions.FETCH < a < actions.POINT for a in offered)


def meant(s: State, p: int, path: tuple[str, ...]) -> int:
    """The action that clicks on these sprites mean, open or not."""
    kind, _, rest = path[-1].partition("-")
    numbers = [int(part) for part in rest.split("-") if part.isdigit()]
    if path[-1].startswith("do-fetch-"):
        return actions.FETCH + numbers[0]
    if kind == "quarry" and numbers == [p]:
        return actions.FETCH + max(1, quarry.fetchable(s, p, FETCH_MOST))
    if kind == "sled" and numbers[:1] == [p]:
        return actions.LOAD + SPACES * first_ship(s)
    if kind == "stone" and len(numbers) == 2:
        return actions.LOAD + SPACES * numbers[0] + numbers[1]
    if kind in ("ship", "status"):
        return actions.SAIL + SITES * numbers[0]
    if kind in ("dock", "site") and rest in SITE_NAMES:
        ship = int(path[0].removeprefix("ship-")) if path[0].startswith("ship-") else ready_ship(s)
        return actions.SAIL + SITES * ship + SITE_NAMES.index(rest)
    if kind == "held" and numbers[0] == p and numbers[1] >= FIRST_BLUE:
        return actions.PLAY + numbers[1] - FIRST_BLUE
    return -1


def first_ship(s: State) -> int:
    """A ship that waits with a free space, else the first one."""
    waiting = [ship for ship in range(SHIPS) if s.berth[ship] == Berth.WAITING]
    return next((ship for ship in waiting if 0 in s.cargo[ship][: capacity(s, ship)]), 0)


def ready_ship(s: State) -> int:
    """A ship that may sail, else the first that waits."""
    waiting = [ship for ship in range(SHIPS) if s.berth[ship] == Berth.WAITING]
    return next((ship for ship in waiting if ships.ready(s, ship, 0)), waiting[0] if waiting else 0)
