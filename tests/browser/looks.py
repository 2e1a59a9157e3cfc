"""How a page looks, judged by a program: sizes of type and of targets, what overlaps, what lies under a bar, what axe finds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import axe_playwright_python
from playwright.sync_api import Page

AXE = Path(axe_playwright_python.__file__).with_name("axe.min.js").read_text("utf-8")
RUN_AXE = """async () => {
    const lesser = axe._audit.rules.filter(rule => ["minor", "moderate"].includes(rule.impact)).map(rule => rule.id);
    if (!lesser.includes("region")) throw new Error("axe no longer tells how much its rules weigh");
    const rules = Object.fromEntries(lesser.map(id => [id, {enabled: false}]));
    const unpainted = [...document.adoptedStyleSheets];
    document.adoptedStyleSheets = [];  // contrasts are those of what is painted
    while (getComputedStyle(document.body).opacity !== "1") await new Promise(requestAnimationFrame);
    try {
        return await axe.run(document, {resultTypes: ["violations"], rules});
    } finally {
        document.adoptedStyleSheets = unpainted;
    }
}"""
SMALLEST_TYPE = 11  # CSS pixels
SMALLEST_TARGET = 32  # CSS pixels, where fingers touch

SCRIPT = Path(__file__).with_suffix(".js").read_text("utf-8")


def serious(page: Page) -> list[str]:
    """What axe finds serious or worse. Rules that find only lesser faults are left out, to save time."""
    if not page.evaluate("() => 'axe' in window"):
        # Evaluated through the debugger, so that the content security policy does not stand in its way.
        page.evaluate(AXE + ";undefined")
    found: Any = page.evaluate(RUN_AXE)
    return [
        f"{rule['id']}: {node['html'][:160]} {node['failureSummary'][:200]}"
        for rule in found["violations"]
        if rule["impact"] in ("serious", "critical")
        for node in rule["nodes"]
    ]


def faults(page: Page, touch: bool, axe: bool = True) -> list[str]:
    """Everything that is wrong with the looks of a page; `touch`: it is used with fingers; `axe`: what axe finds, too."""
    looks = f"([type, target]) => {{ {SCRIPT} return [...smallType(type), ...parts(), ...board(), ...smallTargets(target)]; }}"
    found: list[str] = page.evaluate(looks, [SMALLEST_TYPE, SMALLEST_TARGET if touch else 0])
    return found + (serious(page) if axe else [])
