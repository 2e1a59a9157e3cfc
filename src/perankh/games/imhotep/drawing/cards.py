"""The market, its cards, and the piles."""

from __future__ import annotations

from collections.abc import Iterator

from perankh.engine.text import listed
from perankh.scene import Sprite, group, players_listed
from perankh.scene.layout import Box, fitting, label, length

from ..rules import components, market
from ..rules.components import CAPACITY, CARDS, PAIR, REDS, ROUND_CARDS, ROUNDS, SLOTS, Site
from ..rules.state import REJECTED, FaceDown, State, Step
from ..text.names import WORDS, card_list, card_name
from .layout import CARD, MINI, Plan


@group
def offers(s: State, lang: str, plan: Plan) -> Iterator[Sprite]:
    """The offers; cards on offer that would go to a hand lie there twice, so that they glide."""
    body = plan.body(Site.MARKET)
    step = body.w / SLOTS
    wide = min(body.h / CARD, step - 4)
    high = wide * CARD
    for slot in range(SLOTS):
        x = body.x + (slot + 0.5) * step
        yield Sprite(f"place-{slot}", "card-gone", x, body.mid_y, wide, high)
        if market.is_pair_slot(s, slot):
            yield from pair(s, lang, x, body, wide)
        elif s.market[slot]:
            kind = s.market[slot] - 1
            first = s.market.index(1 + kind) == slot
            if s.step == Step.OFFER and kind >= REDS and first:
                name = f"held-{s.chooser}-{kind}-{s.held[s.chooser][kind]}"
                yield Sprite(name, f"mini-{CARDS[kind]}", x, body.mid_y - high * 0.1, wide * 0.6, wide * 0.6 * MINI)
            yield from card(f"offer-{slot}", kind, x, body.mid_y, wide, lang)


def offer_id(s: State, slot: int) -> str:
    """The sprite of an offer."""
    if market.is_pair_slot(s, slot):
        return "hidden-1" if s.hidden[1] != FaceDown.NONE else "hidden-0"
    return f"offer-{slot}"


def pair(s: State, lang: str, x: float, body: Box, wide: float) -> Iterator[Sprite]:
    """The pair of side B, open for whoever looks at it."""
    for i in range(PAIR):
        kind = market.hidden_kind(s, i)
        at, down = x + (i - 0.5) * wide * 0.2, body.mid_y + (i - 0.5) * wide * 0.12
        if kind >= 0:
            # Two open cards need more room; they may cover the empty neighbours.
            at = x - wide * (0.98 if i == 0 else -0.06)
            yield from card(f"hidden-{i}", kind, at, down, wide, lang)
        elif s.hidden[i] != FaceDown.NONE:
            alt = WORDS.say("board.face_down", lang)
            yield Sprite(f"hidden-{i}", "back", at, down, wide * 0.82, wide * 0.82 * CARD, alt=alt)


def card(name: str, kind: int, x: float, y: float, wide: float, lang: str) -> Iterator[Sprite]:
    """A market card with its name and what it does in a few words."""
    high = wide * CARD
    alt = card_alt(kind, lang)
    yield Sprite(name, f"card-{CARDS[kind]}", x, y, wide, high, alt=alt)
    for line, key in enumerate(("short", "gist")):
        text = about_card(key, kind, lang)
        bold = line == 0 and length(text, 13, True) < wide * 0.88
        size = fitting(text, 12, wide * 0.84)
        yield label(f"{name}-{key}", text, x, y + high * (0.225 + 0.155 * line), size, bold=bold)


def card_alt(kind: int, lang: str) -> str:
    """A card and what it does."""
    return WORDS.say("scene.card", lang, card=card_name(kind, lang), text=about_card("does", kind, lang))


def about_card(key: str, kind: int, lang: str) -> str:
    """A text about a card, with the printed numbers that it names."""
    sets = [str(points) for points in components.SET_VALUES[1:]]
    numbers = {"per": components.STONES_PER_POINT, "fetch": components.FETCH_MOST, "further": components.EACH_FURTHER}
    return WORDS.say(f"scene.{key}.{CARDS[kind]}", lang, row="·".join(sets), sets=listed(sets, lang), **numbers)


@group
def piles(s: State, lang: str, plan: Plan) -> list[Sprite]:
    """Deck, discard pile, cards being resolved, and the round cards to come."""
    box = plan.piles
    found = [box.sprite("piles", "panel")]
    wide, y = (42.0, box.y + 36) if plan.wide else (34.0, box.y + 28)
    gone = sum(s.discard) + s.buried + sum(1 for card in s.hidden[REJECTED:] if card != FaceDown.NONE)
    for number, (name, n) in enumerate((("deck", s.deck), ("discard", gone))):
        x = box.x + 30 + number * 108
        text = WORDS.say(f"scene.{name}", lang, n=n)
        alt = text if name == "deck" else discard_alt(s, text, lang)
        found.append(Sprite(name, "pile-back" if n else "card-gone", x, y, wide, wide * MINI, alt=alt, dim=name == "discard"))
        for line, part in enumerate((WORDS.say(f"scene.{name}_name", lang), str(n))):
            size = fitting(part, 13 if line == 0 else 18, 54)
            found.append(label(f"{name}-{line}", part, x + 28, y - 9 + line * 20, size, bold=line == 1, align="start"))
    shown = [s.played - 1] if s.played else []
    shown += [kind for kind in range(REDS) for _ in range(s.red[kind])]
    for number, kind in enumerate(shown):
        x = box.right - 26 - number * 16
        found.append(Sprite(f"playing-{number}", f"mini-{CARDS[kind]}", x, y, wide, wide * MINI, alt=card_alt(kind, lang)))
    if plan.wide and players_listed():  # no title bar says it
        text = WORDS.say("scene.round", lang, round=s.round, rounds=ROUNDS)
        found.append(label("round", text, box.right - 10, box.y + 66, 12.5, bold=True, align="end"))
    left = [number for number in range(ROUND_CARDS) if not s.turned[number]] if s.round < ROUNDS else []
    if left:
        text = WORDS.say("scene.coming", lang)
        y = box.y + (82 if plan.wide else 62)
        found.append(label("coming", text, box.x + 10, y, fitting(text, 13, box.w - 20), align="start"))
        per_row = 4 if plan.wide else 6
        step = (box.w - 16) / per_row
        for number, round_card in enumerate(left):
            row, col = divmod(number, per_row)
            sizes = " ".join(str(n) for n in CAPACITY[s.players - 2][round_card])
            x, y = box.x + 8 + (col + 0.5) * step, box.y + (105 if plan.wide else 86) + row * 26
            alt = WORDS.say("scene.round_card", lang, ships=sizes)
            found.append(Sprite(f"round-card-{round_card}", "bubble", x, y, step - 5, 22, text=sizes, size=12.5, alt=alt))
    elif s.step != Step.OVER:
        text = WORDS.say("scene.last_round", lang)
        found.append(label("coming", text, box.x + 10, box.y + 86, fitting(text, 13, box.w - 20), align="start"))
    return found


def discard_alt(s: State, text: str, lang: str) -> str:
    """The discard pile and what everybody knows of it."""
    names = card_list(s.discard, lang)
    return WORDS.say("scene.card", lang, card=text, text=listed(names, lang)) if names else text
