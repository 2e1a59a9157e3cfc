"""What is to be decided."""

from __future__ import annotations

from ..rules.state import CELLS, State, Step
from .names import colour_name, say, seat_name, tile_name

CHAPTERS = {
    Step.SETUP_CELL: "setup",
    Step.EXTRA: "cleocatra",
    Step.SCOUT_CELL: "scout",
    Step.SEARCH_TILE: "search",
    Step.SEARCH_CELL: "search",
    Step.TEAM_CELL: "team",
    Step.HERD_FROM: "herd",
    Step.HERD_TO: "herd",
    Step.RESCUE_TILE: "points",
    Step.COUNT_TILE: "same-colour",
    Step.INSPECTOR_FROM: "inspectors",
    Step.INSPECTOR_TO: "inspectors",
    Step.MUT: "mut",
} | dict.fromkeys((Step.SWAP_OWN, Step.SWAP_OTHER, Step.SWAP_OWNER), "bastet")
CHAPTERS |= dict.fromkeys((Step.ANY_TILE, Step.RELOCATE_FROM, Step.RELOCATE_TO), "nothing")


def prompt(s: State, p: int, lang: str) -> str:
    """What p has to decide now."""
    own_rescue = s.step == Step.EXTRA and p == s.turn
    return say(
        "prompt.extra_self" if own_rescue else f"prompt.{Step(s.step).name.lower()}",
        lang,
        colour=colour_name(s.revealed - 1, lang) if s.revealed else "",
        chosen=tile_name(s, s.chosen, lang),
        scorer=seat_name(s.turn, lang),
    )


def chapter(s: State, _p: int) -> str:
    """The chapter of the guides that concerns a decision."""
    return CHAPTERS.get(Step(s.step), "turn")


def next_prompt(_s: State, _p: int, left: list[int], lang: str) -> str:
    """What p is asked when a click on a tile has left these actions."""
    return say("prompt.action_on_tile", lang) if min(left) >= CELLS else ""
