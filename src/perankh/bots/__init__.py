"""Bots: players that see what their seat may see and nothing more."""

from perankh.bots.analysis import Analysis, analyse
from perankh.bots.levels import BOTS, LEVELS, Bot, GreedyBot, Level, RandomBot, SearchBot, decide, game_at, restored
from perankh.bots.searcher import Budget, Searcher, SearchResult, cores, is_ready, limit_threads, searcher_of

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
    "cores",
    "decide",
    "game_at",
    "is_ready",
    "limit_threads",
    "restored",
    "searcher_of",
]
