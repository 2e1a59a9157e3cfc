"""The bots that a server offers: all of them, or those of the levels that its host has chosen."""

from __future__ import annotations

from collections.abc import Sequence

from perankh.bots import LEVELS, bots_of, level_called
from perankh.engine.game import Game
from perankh.web.refusal import refused

USUAL = "scribe"  # plays soundly, and can be beaten at the first try


class OfferedBots:
    """What can be chosen where a bot is to play."""

    def __init__(self, levels: Sequence[str] = ()) -> None:
        """`levels`: those that are offered; all, and other bots too, if nothing is said."""
        self.all = not levels
        self.levels = [level for level in LEVELS if self.all or level in levels]  # the weakest first
        self.usual = self.instead_of(USUAL)

    def offers(self, bot: str) -> bool:
        """Is a bot offered, whatever its personality?"""
        return self.all or level_called(bot) in self.levels

    def of(self, game: Game) -> list[str]:
        """The bots that can be chosen in a game."""
        return [bot for bot in bots_of(game) if self.offers(bot)]

    def checked(self, game: Game, bot: str | None) -> str:
        """The name of a bot that the game has and the server offers; the usual one for none."""
        wanted = bot or self.usual
        if wanted not in bots_of(game):
            raise refused(422, "no_bot", bot=bot, bots=", ".join(self.of(game)))
        if not self.offers(wanted):
            raise refused(422, "bot_not_offered", bot=bot, bots=", ".join(self.of(game)))
        return wanted

    def checked_stand_in(self, level: str | None) -> str:
        """A level for stand-ins; the usual one for none. Chance is no level."""
        if level is not None and level not in self.levels:
            raise refused(422, "bot_not_offered" if level in LEVELS else "no_bot", bot=level, bots=", ".join(self.levels))
        return level or self.usual

    def instead_of(self, bot: str) -> str:
        """The bot itself if it is offered; else the strongest level that is and is not above it, or the weakest there is.

        So tables that were set up before the host has chosen other levels go on.
        """
        if self.offers(bot):
            return bot
        order = list(LEVELS)
        most = order.index(level_called(bot)) if level_called(bot) in order else 0
        return next((level for level in reversed(self.levels) if order.index(level) <= most), self.levels[0])
