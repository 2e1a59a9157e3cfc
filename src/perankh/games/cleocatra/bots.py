"""Cleocatra with three opponents: more iterations help little, so blunder rates set the levels apart."""

BLUNDER_RATES = {"priest": 0.2, "architect": 0.1}
