"""The positions that the guides show."""

from __future__ import annotations

from collections.abc import Callable

from ..rules import actions, components
from ..rules.components import CAPACITY, CARDS, COPIES, KINDS, OBELISKS, PAIR, PYRAMID_CELLS, SITE_NAMES, SITES, STONES, Site
from ..rules.state import FaceDown, Side, State, Step, placed

LETTERS = "KWNG"


def stones(text: str) -> list[int]:
    """Letters as stones; anything else is an empty place."""
    return [1 + LETTERS.index(letter) if letter in LETTERS else 0 for letter in text]


def position(
    players: int,
    ships: str,
    docked: str = "- - - -",
    *,
    card: tuple[int, ...] = (4, 3, 2, 2),
    round: int = 1,
    sleds: tuple[int, ...] = (2, 3, 4, 5),
    pyramid: str = "",
    temple: str = "",
    burial: str = "",
    obelisk: str = "",
    market: str = "idol sail deco_temple entrance",
    held: dict[int, str] | None = None,
    points: tuple[int, ...] = (0, 0, 0, 0),
    sides: str = "AAAAA",
) -> State:
    """A table at the start of seat 0's turn, written as in the text board: ships bow first, small pyramids with bars."""
    s = State()
    s.players = players
    for name, option in State.options.items():
        setattr(s, name, option.stored(name, option.default, players))
    for site, side in zip(SITE_NAMES, sides, strict=True):
        setattr(s, f"{site}_side", "AB".index(side))
    s.start_player, s.round, s.step = 0, round, Step.MAIN
    s.round_card = [tuple(row) for row in CAPACITY[players - 2]].index(card)
    others = [number for number in range(components.ROUND_CARDS) if number != s.round_card]
    for earlier in range(1, round):
        s.turned[others[earlier - 1]] = earlier
    s.turned[s.round_card] = round
    for ship, (cargo, site) in enumerate(zip(ships.split(), docked.split(), strict=True)):
        s.cargo[ship][: len(cargo)] = stones(cargo)
        s.berth[ship] = 0 if site == "-" else 1 + SITE_NAMES.index(site)
    for number, part in enumerate(pyramid.split("|")):
        s.pyramid[PYRAMID_CELLS * number : PYRAMID_CELLS * number + len(part)] = stones(part)
    s.temple[: len(temple)] = stones(temple)
    s.burial[: len(burial)] = stones(burial)
    for taken in stones(obelisk):
        s.obelisk[taken - 1] += 1
        if s.obelisk_side == Side.B and s.obelisk[taken - 1] % components.OBELISK_STONES == 0:
            s.erected[placed(s.erected, OBELISKS)] = taken
    everywhere = [*(taken for cargo in s.cargo for taken in cargo), *s.pyramid, *s.temple, *s.burial]
    for p in range(players):
        s.sled[p], s.score[p] = sleds[p], points[p]
        s.quarry[p] = STONES - sleds[p] - everywhere.count(1 + p) - s.obelisk[p]
    deal(s, market, held or {})
    s.turns = players * (4 * round - 2)
    return s


def deal(s: State, market: str, held: dict[int, str]) -> None:
    """Cards on the market and before the players; all others are in the deck."""
    for kind in range(KINDS):
        s.unseen[kind] = COPIES[kind]
    for slot, name in enumerate(market.split()):
        if name != "-":
            s.market[slot] = 1 + CARDS.index(name)
            s.unseen[s.market[slot] - 1] -= 1
    for p, names in held.items():
        for name in names.split():
            s.held[p][CARDS.index(name)] += 1
            s.unseen[CARDS.index(name)] -= 1
    s.deck = sum(s.unseen)
    if s.market_side == Side.B:
        s.hidden[0] = s.hidden[1] = FaceDown.UNSEEN
        s.deck -= PAIR


def after(s: State, *choices: int) -> State:
    """The table after some choices."""
    for a in choices:
        actions.apply(s, s.chooser, a)
    return s


def sailing(ship: int, site: int) -> int:
    """The action of sailing a ship."""
    return actions.SAIL + SITES * ship + site


def middle_of_a_game() -> State:
    """Four players in the third round."""
    return position(
        4,
        "WK.N GWK. N. ..",
        "- - - temple",
        round=3,
        sleds=(2, 1, 4, 3),
        pyramid="KWNGKKWNG",
        temple="WNGKKWG",
        burial="NNWKGGW",
        obelisk="KKWGN",
        market="hammer idol sail deco_obelisk",
        held={0: "idol idol chisel", 1: "sail deco_temple", 2: "lever idol", 3: "deco_burial"},
        points=(12, 5, 6, 8),
    )


PICTURES: dict[str, Callable[[], State]] = {
    "cover": middle_of_a_game,
    "setup": lambda: position(3, ".... ... .. .."),
    "ships": lambda: position(2, "W.K. KW. .. K.", sleds=(3, 1, 0, 0), held={0: "chisel"}),
    "market": lambda: position(2, ".... KWK .. W.", sleds=(1, 2, 0, 0), market="idol hammer deco_temple sarcophagus"),
    "pyramid": lambda: position(3, "WKWN ... .. ..", pyramid="KWNNWKKW", sleds=(1, 2, 3, 0), points=(7, 6, 5, 0), round=2),
    "temple": lambda: position(4, "NN.W ... .. ..", temple="WKGG", sleds=(2, 2, 2, 2), round=2, points=(1, 1, 0, 2)),
    "burial": lambda: position(
        4,
        ".... ... .. ..",
        round=4,
        sleds=(1, 3, 2, 4),
        pyramid="KWNGKWNG",
        burial="NNNWWKGNGGGGG",
        obelisk="WWWWKKKGGG",
        points=(6, 4, 5, 3),
    ),
    "lever": lambda: after(
        position(3, "KWNK W.. .. ..", held={0: "lever"}, sleds=(2, 1, 3, 0)), actions.PLAY, sailing(0, Site.PYRAMID)
    ),
    "side-b": lambda: after(
        position(
            3,
            ".... KWN W. ..",
            "- - - temple",
            card=(4, 3, 2, 2),
            round=3,
            sleds=(2, 1, 4, 0),
            pyramid="NK|WN|K",
            temple="WNKKW",
            burial="NNWKWWK",
            obelisk="NNNWWKW",
            market="hammer idol deco_obelisk -",
            held={0: "idol chisel", 1: "idol idol", 2: "deco_temple"},
            points=(6, 13, 17, 0),
            sides="BBBBB",
        ),
        sailing(1, Site.PYRAMID),
    ),
}
