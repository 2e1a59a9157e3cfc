"""Bots: players that see what their seat may see and nothing more."""

from perankh.bots.analysis import Analysis, analyse
from perankh.bots.levels import (
    BOTS,
    LEVELS,
    Bot,
    GreedyBot,
    GuidedBot,
    Level,
    RandomBot,
    SearchBot,
    bot_named,
    bots_of,
    decide,
    game_at,
    level_called,
    needs_no_compiler,
    restored,
)
from perankh.bots.searcher import Budget, Searcher, SearchResult, cores, is_ready, limit_threads, searcher_of

__all__ = [
    "BOTS",
    "LEVELS",
    "Analysis",
    "Bot",
    "Budget",
    "GreedyBot",
    "GuidedBot",
    "Level",
    "RandomBot",
    "SearchBot",
    "SearchResult",
    "Searcher",
    "analyse",
    "bot_named",
    "bots_of",
    "cores",
    "decide",
    "game_at",
    "is_ready",
    "level_called",
    "limit_threads",
    "needs_no_compiler",
    "restored",
    "searcher_of",
]
