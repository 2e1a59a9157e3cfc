"""Cleocatra with three opponents: more iterations help little, so blunder rates set the levels apart.

A search that the network guides trusts its moves less there, and plays on at random from every new position as well: that
says things about the other seats which the network does not know.
"""

BLUNDER_RATES = {"priest": 0.2, "architect": 0.1}
GUIDED = {"exploration": 0.5, "softness": 15.0, "rollouts": 0.5}
