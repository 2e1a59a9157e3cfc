"""Cleocatra with three opponents: more iterations help little, so blunder rates set the levels apart.

A game played on at random says about as much as the network, and other things; the search that the network guides uses both.
"""

BLUNDER_RATES = {"priest": 0.2, "architect": 0.1}
ROLLOUT_WEIGHT = 0.5
