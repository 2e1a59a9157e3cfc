"""Every clause of a game's specification is cited by a test."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from perankh.checks.walk import CheckSkipped, Progress, companion, need
from perankh.engine.game import Game

CLAUSE = re.compile(r"^- \*\*([A-Z0-9]+-[A-Z]+[0-9]+)\*\*", re.MULTILINE)


def clauses_of(specification: Path) -> list[str]:
    """The clause ids that a specification lists."""
    return CLAUSE.findall(specification.read_text("utf-8"))


def clauses_cited_in(folder: Path) -> set[str]:
    """The clause ids that the tests under a folder cite with `@clause(...)`."""
    cited = set()
    for path in folder.rglob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            for decorator in getattr(node, "decorator_list", []):
                if isinstance(decorator, ast.Call) and isinstance(decorator.func, ast.Name) and decorator.func.id == "clause":
                    cited |= {arg.value for arg in decorator.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)}
    return cited


def clauses_cited(game: Game, effort: float, progress: Progress) -> str:
    """Compare the specification with the tests, both ways."""
    specification = companion(game, f"docs/rules/{game.name}.md", "rules.md")
    tests = companion(game, "tests/games", "tests")
    if specification is None or tests is None:
        raise CheckSkipped("there is no specification (rules.md) with tests beside the game")
    clauses = clauses_of(specification)
    need(bool(clauses), f"{specification} lists no clauses of the form '- **ABC-X1** ...'")
    need(len(set(clauses)) == len(clauses), f"{specification} lists a clause twice")
    cited = clauses_cited_in(tests)
    missing = [clause for clause in clauses if clause not in cited]
    need(not missing, f"no test cites {', '.join(missing)}")
    prefix = clauses[0].partition("-")[0] + "-"
    unknown = sorted(clause for clause in cited if clause.startswith(prefix) and clause not in clauses)
    need(not unknown, f"tests cite clauses that do not exist: {', '.join(unknown)}")
    return f"{len(clauses)} clauses, each cited by a test"
