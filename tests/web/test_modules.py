"""The modules of the web part import each other in one direction only; what is imported for types alone does not count."""

from __future__ import annotations

import ast
from graphlib import TopologicalSorter
from pathlib import Path

import perankh.web


def test_no_module_is_in_a_cycle() -> None:
    folder = Path(perankh.web.__file__).parent
    graph: dict[str, set[str]] = {path.stem: set() for path in folder.glob("*.py")}
    for name, imported in graph.items():
        code = ast.parse((folder / f"{name}.py").read_text("utf-8"))
        code.body = [node for node in code.body if not (isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING")]
        for node in ast.walk(code):
            if isinstance(node, ast.ImportFrom) and node.module == "perankh.web":
                imported |= {alias.name for alias in node.names} & set(graph)
            elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("perankh.web."):
                imported.add(str(node.module).split(".")[2])
    order = list(TopologicalSorter(graph).static_order())  # raises if there is a cycle
    assert order.index("table") < order.index("views") < order.index("live")
    assert order.index("table") < order.index("tables")
