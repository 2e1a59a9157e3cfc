"""Who knows what."""

from perankh.engine.api import rule, sets

from .state import State

HIDDEN = ("unseen", "hand")


@rule
def veil(s: State, p: int) -> None:
    """Others' cards from the deck look like any unseen card; cards they took from the row are known (MUR-S6)."""
    for q in range(s.players):
        if q != p:
            card = sets.first(s.hand[q])
            while card >= 0:
                if not sets.has(s.public, card):
                    sets.remove(s.hand[q], card)
                    sets.add(s.unseen, card)
                card = sets.after(s.hand[q], card)


@rule
def redeal(s: State) -> None:
    """Fill every hand up to its size with unseen cards."""
    for p in range(s.players):
        lacking = s.secret[p] - (sets.count(s.hand[p]) - sets.count_common(s.hand[p], s.public))
        for _ in range(lacking):
            sets.add(s.hand[p], sets.draw(s, s.unseen))
