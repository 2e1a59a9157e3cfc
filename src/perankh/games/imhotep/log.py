"""The log of Imhotep: what happened, and all that followed from it, from one viewer's sight before and after."""

from __future__ import annotations

from perankh.engine.text import listed

from .cards import hidden_kind
from .invariants import at_market
from .rules import ranks
from .scoring import (
    blue_points,
    burial_points,
    green_points,
    idol_points,
    obelisk_points,
    slot_points,
    wrath_points,
)
from .speech import SHIP_LETTERS, WORDS, card_name, plural, points_text, pyramid_name, seat_name, site_name
from .table import (
    BESIDE_POINTS,
    BONUS,
    BUILD,
    BURIAL,
    BURIAL_ROOM,
    BY_SHIP,
    CARD_BONUS,
    CHOOSE_PYRAMID,
    CHOOSE_REWARD,
    DECLINE,
    FETCH,
    GAME_END,
    KEEP,
    KINDS,
    LEVER,
    LOAD,
    MAIN,
    MARKET,
    OBELISK,
    OBELISKS,
    ORDER,
    OVER,
    PAIR,
    PAIR_SLOT,
    PASS,
    PER_STONE,
    PLAY,
    POINT,
    PYRAMID_A,
    PYRAMID_B,
    REDS,
    SAIL,
    SEATS,
    SHIPS,
    SIDE_B,
    SITES,
    SLOTS,
    SPACES,
    TAKE,
    TEMPLE,
    TEMPLE_POINTS,
    State,
    capacity,
    placed,
    storeys,
    visible,
    width,
)


def told(before: State, after: State, p: int, a: int, lang: str) -> str:
    """What happened when p chose `a`, and what followed from it."""
    lines = [told_choice(before, after, p, a, lang)]
    lines += told_stones(before, after, lang)
    lines += told_cards(before, after, p, a, lang)
    if at_market(before) and not (at_market(after) and after.round == before.round):
        if before.market_return != PER_STONE:
            lines.append(WORDS.say("then.market_home", lang))
    lines += told_round_end(before, after, lang)
    lines += told_draw(before, after, p, a, 1 if drew_bonus(before, a) else 0, lang)
    if after.step == CHOOSE_PYRAMID and after.cell and sum(after.red) > sum(before.red):
        lines.append(WORDS.say("then.entrance", lang, who=seat_name(after.chooser, lang)))
    if after.shuffles > before.shuffles:
        lines.append(WORDS.say("then.shuffle", lang))
    if after.round != before.round:
        lines += told_new_round(after, lang)
    if after.step == OVER:
        lines += told_end(after, lang)
    return ("" if lang == "ja" else " ").join(lines)


# --- The choice -------------------------------------------------------------------------------------------------


def told_choice(before: State, after: State, p: int, a: int, lang: str) -> str:
    """The choice itself."""
    who = seat_name(p, lang)
    if a == PASS:
        return WORDS.say("log.pass", lang, who=who)
    if a < POINT:
        if a == FETCH:
            return WORDS.say("log.fetch_none", lang, who=who)
        if before.step == CHOOSE_REWARD:
            return WORDS.say(f"log.reward.{plural(a - FETCH)}", lang, who=who, n=a - FETCH, cell=before.cell)
        return WORDS.say(f"log.fetch.{plural(a - FETCH)}", lang, who=who, n=a - FETCH)
    if a == POINT:
        points = points_text(TEMPLE_POINTS[before.temple_side][before.cell - 1], lang)
        return WORDS.say("log.point", lang, who=who, cell=before.cell, points=points)
    if a < SAIL:
        ship, space = divmod(a - LOAD, SPACES)
        return WORDS.say("log.load", lang, who=who, ship=SHIP_LETTERS[ship], space=space + 1)
    if a < PLAY:
        ship, site = divmod(a - SAIL, len(SITES))
        return WORDS.say("log.sail", lang, who=who, ship=SHIP_LETTERS[ship], site=site_name(site, lang))
    if a < TAKE:
        return WORDS.say("log.play", lang, who=who, card=card_name(LEVER + a - PLAY, lang))
    if a < KEEP:
        return told_take(before, who, a - TAKE, lang)
    if a < BUILD:
        return told_keep(before, after, who, a - KEEP, lang)
    if a < ORDER:
        return told_build(before, who, a - BUILD, lang)
    if a < DECLINE:
        return WORDS.say("log.order", lang, who=who, owner=seat_name(a - ORDER, lang))
    return WORDS.say("log.decline", lang, who=who)


def told_take(before: State, who: str, slot: int, lang: str) -> str:
    """A market offer is taken, or the pair is looked at."""
    if slot == PAIR_SLOT and before.market_side == SIDE_B:
        return WORDS.say("log.take_pair", lang, who=who)
    return WORDS.say("log.take", lang, who=who, card=card_name(before.market[slot] - 1, lang))


def told_keep(before: State, after: State, who: str, kind: int, lang: str) -> str:
    """A card of the pair is kept; the other one is named to those who know it."""
    other = rejected_kind(before, after, kind)
    if other < 0:
        return WORDS.say("log.keep", lang, who=who, card=card_name(kind, lang))
    return WORDS.say("log.keep_known", lang, who=who, card=card_name(kind, lang), other=card_name(other, lang))


def rejected_kind(before: State, after: State, kind: int) -> int:
    """The other card of the pair, -1 if the viewer does not know it."""
    seen = [hidden_kind(before, i) for i in range(PAIR) if hidden_kind(before, i) >= 0]
    if len(seen) == PAIR:
        seen.remove(kind)
        return seen[0]
    if not before.discard_open or after.shuffles > before.shuffles:
        return -1
    # On an open pile it is what came to light besides the kept card and new ones.
    fresh = [old - new for old, new in zip(before.unseen, after.unseen, strict=True)]
    known = [*([] if kind in seen else [kind]), *(card - 1 for card in after.drawn if card)]
    if after.round != before.round:
        known += [card - 1 for card in after.market if card]
    for card in known:
        fresh[card] -= 1
    return next((card for card in range(KINDS) if fresh[card] > 0), -1)


def told_build(before: State, who: str, pyramid: int, lang: str) -> str:
    """A stone is built on a small pyramid."""
    cell = storeys(before, pyramid)
    points = points_text(PYRAMID_B[pyramid][cell], lang)
    return WORDS.say("log.build", lang, who=who, pyramid=pyramid_name(pyramid, lang), cell=cell + 1, points=points)


# --- Stones and cards -------------------------------------------------------------------------------------------


def names(stones: list[int], lang: str) -> str:
    """The owners of stones, in order; several stones of one owner in a row are counted."""
    runs: list[list[int]] = []
    for stone in stones:
        if runs and runs[-1][0] == stone:
            runs[-1][1] += 1
        else:
            runs.append([stone, 1])
    return listed([seat_name(stone - 1, lang) + (f" x{n}" if n > 1 else "") for stone, n in runs], lang)


def gains(points: list[int], lang: str) -> str:
    """Points of the seats that got any: "Black +2, White +1"."""
    return listed([f"{seat_name(p, lang)} +{n}" for p, n in enumerate(points) if n], lang)


def told_stones(before: State, after: State, lang: str) -> list[str]:
    """Stones that came to the monuments, with the points they bring at once."""
    lines = told_pyramid(before, after, lang)
    for site, old, new, room in (
        (TEMPLE, before.temple, after.temple, BY_SHIP),
        (BURIAL, before.burial, after.burial, BURIAL_ROOM),
    ):
        arrived = new[placed(old, room) : placed(new, room)]
        if arrived:
            lines.append(WORDS.say("then.stones", lang, site=site_name(site, lang), who=names(arrived, lang)))
    arrived = [1 + p for p in range(after.players) for _ in range(after.obelisk[p] - before.obelisk[p])]
    if arrived:
        lines.append(WORDS.say("then.stones", lang, site=site_name(OBELISK, lang), who=names(arrived, lang)))
    for slot in range(placed(before.erected, OBELISKS), placed(after.erected, OBELISKS)):
        who = seat_name(after.erected[slot] - 1, lang)
        points = points_text(slot_points(slot), lang)
        key = "then.erected_later" if after.obelisk_b_pay == GAME_END else "then.erected"
        lines.append(WORDS.say(key, lang, who=who, slot=slot + 1, points=points))
    return lines


def told_pyramid(before: State, after: State, lang: str) -> list[str]:
    """Stones on the pyramid of side A, and beside either; a stone of side B was told with its choice."""
    points = [0] * after.players
    if after.pyramid_side != SIDE_B:
        for cell, value in enumerate(PYRAMID_A):
            if after.pyramid[cell] and not before.pyramid[cell]:
                points[after.pyramid[cell] - 1] += value
    for p in range(after.players):
        points[p] += BESIDE_POINTS[after.pyramid_side] * (after.beside[p] - before.beside[p])
    return [WORDS.say("then.pyramid", lang, who=gains(points, lang))] if any(points) else []


def told_cards(before: State, after: State, p: int, a: int, lang: str) -> list[str]:
    """A card drawn as a bonus, and red cards that find no stone or bring a choice."""
    lines = []
    if TAKE <= a < BUILD:
        kind = a - KEEP if a >= KEEP else taken_kind(before, a - TAKE)
        home = 1 if before.market_return == PER_STONE else 0
        if 0 <= kind < REDS and before.quarry[p] + home == 0:
            lines.append(WORDS.say("then.no_stone", lang, who=seat_name(p, lang)))
    if drew_bonus(before, a):
        lines += told_draw(before, after, p, a, 0, lang)
    if after.step == CHOOSE_PYRAMID and after.cell == 0 and sum(after.red) > sum(before.red):
        lines.append(WORDS.say("then.entrance", lang, who=seat_name(after.chooser, lang)))
    return lines


def drew_bonus(before: State, a: int) -> bool:
    """Whether the choice was to build on a cell of pyramid B that gives a card."""
    return BUILD <= a < ORDER and BONUS[a - BUILD][storeys(before, a - BUILD)] == CARD_BONUS


def told_draw(before: State, after: State, p: int, a: int, i: int, lang: str) -> list[str]:
    """A single card that came from the deck; a red one may find no stone."""
    if not after.drawn[i]:
        return []
    kind, q = after.drawn[i] - 1, after.drawn_by[i]
    lines = [WORDS.say("then.draws", lang, who=seat_name(q, lang), card=card_name(kind, lang))]
    gone = before.quarry[q] + before.sled[q] - after.quarry[q] - after.sled[q]
    if LOAD <= a < SAIL and p == q:
        gone -= 1
    if kind < REDS and after.quarry[q] == 0 and gone <= 0:
        lines.append(WORDS.say("then.no_stone", lang, who=seat_name(q, lang)))
    return lines


def taken_kind(before: State, slot: int) -> int:
    """The face-up card that was taken, -1 for the pair."""
    return before.market[slot] - 1


# --- Rounds -----------------------------------------------------------------------------------------------------


def told_round_end(before: State, after: State, lang: str) -> list[str]:
    """The end of a round, a stall, and what the temple gives without a choice."""
    over = after.round != before.round or after.step == OVER
    if not over and not after.cell:
        return []
    lines = []
    if before.cell == 0:
        if before.step == MAIN and before.turns == after.turns:
            lines.append(WORDS.say("then.stall", lang))
        lines.append(WORDS.say("then.round_over", lang, round=before.round))
    last = width(after) if over else after.cell - (1 if after.step == CHOOSE_REWARD else 0)
    points = [0] * after.players
    for cell in range(before.cell, last):
        stone = visible(after, cell)
        if stone:
            points[stone - 1] += TEMPLE_POINTS[after.temple_side][cell]
    if any(points):
        lines.append(WORDS.say("then.temple", lang, who=gains(points, lang)))
    return lines


def told_new_round(after: State, lang: str) -> list[str]:
    """Ships, market and start player of a new round."""
    ships = " ".join(str(capacity(after, ship)) for ship in range(SHIPS))
    cards = [card_name(after.market[slot] - 1, lang) for slot in range(SLOTS) if after.market[slot]]
    key = "then.market_pair" if after.market_side == SIDE_B else "then.market"
    return [
        WORDS.say("then.round", lang, round=after.round, ships=ships, who=seat_name(after.turn, lang)),
        WORDS.say(key, lang, site=site_name(MARKET, lang), cards=listed(cards, lang)),
    ]


def told_end(after: State, lang: str) -> list[str]:
    """Final scoring seat by seat, and who wins."""
    lines = [WORDS.say("ending.six_rounds", lang)]
    for p in range(after.players):
        words = {
            "who": seat_name(p, lang),
            "burial": burial_points(after, p),
            "obelisk": obelisk_points(after, p),
            "cards": blue_points(after, p) + green_points(after, p),
            "idols": idol_points(after, p),
            "wrath": wrath_points(after, p),
            "total": after.score[p],
        }
        lines.append(WORDS.say("then.final_wrath" if after.wrath else "then.final", lang, **words))
    return [*lines, verdict(after, lang)]


def winners(s: State) -> list[int]:
    """Who shares the first place, once the game is over."""
    if s.step != OVER:
        return []
    places = [0] * SEATS
    ranks(s, places)
    return [p for p in range(s.players) if places[p] == 1]


def verdict(s: State, lang: str) -> str:
    """Who has won, and whether stones on the sled decided it."""
    won = winners(s)
    best = s.score[won[0]]
    by_sled = list(s.score[: s.players]).count(best) > len(won)
    if len(won) > 1:
        key = "then.winners_by_sled" if by_sled else "then.winners"
    else:
        key = "then.winner_by_sled" if by_sled else "then.winner"
    return WORDS.say(key, lang, who=listed([seat_name(p, lang) for p in won], lang), points=points_text(best, lang))
