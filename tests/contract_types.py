"""Checked by mypy in `make lint`: the parts of every game have the names and types that the contract lists."""

from __future__ import annotations

from perankh.engine.contract import Drawing, FullRules, Rules, Text
from perankh.games.cleocatra import drawing as cleocatra_drawing
from perankh.games.cleocatra import rules as cleocatra_rules
from perankh.games.cleocatra import text as cleocatra_text
from perankh.games.egizia import drawing as egizia_drawing
from perankh.games.egizia import rules as egizia_rules
from perankh.games.egizia import text as egizia_text
from perankh.games.imhotep import drawing as imhotep_drawing
from perankh.games.imhotep import rules as imhotep_rules
from perankh.games.imhotep import text as imhotep_text
from perankh.games.maqha import drawing as maqha_drawing
from perankh.games.maqha import rules as maqha_rules
from perankh.games.maqha import text as maqha_text
from perankh.games.mural import drawing as mural_drawing
from perankh.games.mural import rules as mural_rules
from perankh.games.mural import text as mural_text

RULES: list[Rules] = [cleocatra_rules]  # nothing is hidden there
FULL_RULES: list[FullRules] = [egizia_rules, imhotep_rules, maqha_rules, mural_rules]
TEXTS: list[Text] = [cleocatra_text, egizia_text, imhotep_text, maqha_text, mural_text]
DRAWINGS: list[Drawing] = [cleocatra_drawing, egizia_drawing, imhotep_drawing, maqha_drawing, mural_drawing]
