"""Every block of code in the documents, and which of them a test runs."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import NamedTuple

from markdown_it import MarkdownIt

from ..conftest import ROOT

DOCUMENTS = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
MARKDOWN = MarkdownIt("commonmark").enable("table")
# The first line of a block that is an excerpt of a file: `# examples/connect_four/rules.py` or a comment of Markdown.
SOURCE = re.compile(r"(?:# |<!-- )(\S+\.\w+)(?: -->)?\n")


class Block(NamedTuple):
    """A block of code."""

    document: str  # its path in the project
    number: int  # among the blocks of this kind in the document, from 1
    kind: str  # the language that is written at its beginning; "" where none is, or where it is indented
    body: str

    @property
    def source(self) -> str | None:
        """The file that it is an excerpt of."""
        found = SOURCE.match(self.body)
        return found[1] if found else None

    @property
    def code(self) -> str:
        """The body without the name of its file."""
        return SOURCE.sub("", self.body, count=1) if self.source else self.body

    def __str__(self) -> str:
        return f"{self.document}-{self.kind or 'block'}-{self.number}"


def blocks_of(document: Path) -> list[Block]:
    """The blocks of a document, in order."""
    found: list[Block] = []
    for token in MARKDOWN.parse(document.read_text("utf-8")):
        if token.type in ("fence", "code_block"):
            kind = token.info.strip()
            number = 1 + sum(block.kind == kind for block in found)
            found.append(Block(document.relative_to(ROOT).as_posix(), number, kind, token.content))
    return found


BLOCKS = [block for document in DOCUMENTS for block in blocks_of(document)]


def block(document: str, kind: str, number: int = 1) -> Block:
    """One block."""
    (found,) = (one for one in BLOCKS if (one.document, one.kind, one.number) == (document, kind, number))
    return found


def inline_code(document: Path) -> list[str]:
    """What stands in backquotes in a document."""
    tokens = MARKDOWN.parse(document.read_text("utf-8"))
    return [child.content for token in tokens for child in token.children or () if child.type == "code_inline"]


class Command(NamedTuple):
    """A line for a shell."""

    line: str  # without its comment
    variables: dict[str, str]  # set before it
    program: str
    arguments: tuple[str, ...]


PROGRAMS = ("cp", "git", "make", "perankh", "pip", "pipx", "python", "uvx")


def command_in(line: str) -> Command | None:
    """The command that a line is; None if it is something else."""
    assignment = re.compile(r"([A-Z_]+)=(\S*)")
    try:
        words = shlex.split(line, comments=True)
    except ValueError:  # a quotation mark in a sentence
        return None
    variables: dict[str, str] = {}
    while words and (set_here := assignment.fullmatch(words[0])):
        variables[set_here[1]] = set_here[2]
        words = words[1:]
    if not words or words[0] not in PROGRAMS:
        return None
    return Command(shlex.join(words), variables, words[0], tuple(words[1:]))
