"""Bots: players that see what their seat may see and nothing more."""

from perankh.bots.analysis import Analysis, analyse
from perankh.bots.levels import BOTS, LEVELS, Bot, GreedyBot, Level, RandomBot, SearchBot, decide, game_at, restored
from perankh.bots.searcher import Budget, Searcher, SearchResult, is_ready, searcher_of

__all__ = [
    "BOTS",
    "LEVELS",
    "Analysis",
    "Bot",
    "Budget",
    "GreedyBot",
    "Level",
    "RandomBot",
    "SearchBot",
    "SearchResult",
    "Searcher",
    "analyse",
    "decide",
    "game_at",
    "is_ready",
    "restored",
    "searcher_of",
]
