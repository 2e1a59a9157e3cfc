"""The documentation site: gathers the project's documents, the guides and the docstrings, and has Sphinx build pages of them.

The documents stay where they are and are written for a reader of the repository too. `Sources` copies them to one folder for each
language, under the names of their pages, and turns their links to files of the project into links to pages. The English pages
are built at the top, the Japanese ones in `ja/`, each with a search of its own.

Pages obey the security policy of the server: what Sphinx and its theme write into pages as scripts and styles is moved to files.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import shutil
import sys
import tempfile
import tomllib
from collections.abc import Callable, Iterator
from contextlib import chdir, redirect_stdout
from functools import cached_property
from html.parser import HTMLParser
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import unquote, urlsplit

from perankh import __version__
from perankh.engine.game import game_names, get_game
from perankh.engine.printed_text import fill
from perankh.engine.words import LANGUAGES
from perankh.errors import BadOption
from perankh.scene import PALETTE
from perankh.web.catalog import picture

CHAPTER = re.compile(r"[ ]*\{#[\w-]+\}[ ]*$", re.MULTILINE)
PROJECT = Path(__file__).parents[3]  # in a checkout
PACKED = Path(__file__).parents[1] / "web" / "docs"  # what the server offers under /docs, and what a wheel holds
NAMES = {"en": "Per-Ankh", "ja": "ペル・アンク"}
HOME = {"en": "README.md", "ja": "README.ja.md"}
OTHER_LANGUAGE = {"en": ("ja", "日本語"), "ja": ("en", "English")}
LINK = re.compile(r'(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)|(<img src=)"([^"]+)"')
CODE = re.compile(r"^(```+).*?^\1$|`[^`\n]+`", re.MULTILINE | re.DOTALL)
LANGUAGE_OF = {".py": "python", ".toml": "toml", ".json": "json", ".yml": "yaml", ".yaml": "yaml", ".conf": "nginx"}
DECISIONS = sorted((PROJECT / "docs" / "decisions").glob("[0-9]*.md"))  # listed on their own page; too many for the navigation
OUTSIDE = "---\norphan: true\n---\n\n"  # what marks a page outside the navigation
BRAND = {"light": "lapis", "dark": "gold"}  # the colours of links


class Sources:
    """The documents of one language, gathered in a folder under the names of their pages."""

    def __init__(self, lang: str, folder: Path, shorten: Callable[[str], str]) -> None:
        self.lang, self.folder, self.shorten = lang, folder, shorten
        self.listed: dict[str, list[str]] = {}  # the pages of each section
        self.asked: list[Path] = []  # files and folders that pages link to and that have no page yet
        for section in tomllib.loads((PROJECT / "docs" / "navigation.toml").read_text("utf-8"))[lang]:
            pages = [page for entry in section["pages"] for page in (guides(lang) if entry == "guides" else [entry])]
            self.listed[section["title"]] = pages

    @cached_property
    def known(self) -> dict[Path, str]:
        """The page of each file that the navigation lists."""
        files = [HOME[self.lang], *(page for pages in self.listed.values() for page in pages if not page.startswith("module:"))]
        if self.lang == "en":
            files += [str(path.relative_to(PROJECT)) for path in DECISIONS]
        return {PROJECT / file: page_of(file) for file in files}

    def gather(self) -> None:
        """Write every page."""
        for path, page in self.known.items():
            if path.suffix == ".ipynb":
                self.write(page, executed(path, self.target(page), self.shorten))
                continue
            text = self.with_links(self.text(path), path, page)
            if path in DECISIONS:
                text = OUTSIDE + text
            self.write(page, text + (self.contents() if page == "index" else ""))
        entries = [entry for pages in self.listed.values() for entry in pages if entry.startswith("module:")]
        modules = [import_module(entry.removeprefix("module:")) for entry in entries]
        for entry, module in zip(entries, modules, strict=True):
            self.write(page_of(entry), about_module(module, [other for other in modules if other is not module]))
        done: set[Path] = set()
        while rest := [path for path in self.asked if path not in done]:
            done.add(rest[0])
            self.write(page_of_file(rest[0]), OUTSIDE + self.shown_file(rest[0]))

    def text(self, path: Path) -> str:
        """A document; a guide with the printed numbers of its game, and without the names of its chapters."""
        text = path.read_text("utf-8")
        if not path.name.startswith("guide."):
            return text
        return CHAPTER.sub("", fill(get_game(path.parent.name), text, self.lang))

    def contents(self) -> str:
        """The navigation, on the first page."""
        return "".join(
            f"\n\n```{{toctree}}\n:hidden:\n:caption: {title}\n\n" + "\n".join(map(page_of, pages)) + "\n```\n"
            for title, pages in self.listed.items()
        )

    def target(self, page: str) -> Path:
        """The file of a page."""
        return self.folder / f"{page}.md"

    def write(self, page: str, text: str) -> None:
        """Write a page."""
        self.target(page).parent.mkdir(parents=True, exist_ok=True)
        self.target(page).write_text(text, "utf-8")

    def shown_file(self, path: Path) -> str:
        """A file of the project as a page, or a folder as a list of its files."""
        name = path.relative_to(PROJECT).as_posix()
        if path.is_dir():
            inside = sorted(file for file in path.iterdir() if file.is_file() and not file.name.startswith("."))
            self.asked += [file for file in inside if file not in self.known]
            here = page_of_file(path)
            lines = [f"- [{file.name}]({relative(here, self.known.get(file) or page_of_file(file))}.md)" for file in inside]
            return f"# {name}\n\n" + "\n".join(lines) + "\n"
        if path.suffix == ".md":
            return self.with_links(path.read_text("utf-8"), path, page_of_file(path))
        return f"# {name}\n\n`````{LANGUAGE_OF.get(path.suffix, 'text')}\n{path.read_text('utf-8')}\n`````\n"

    def with_links(self, text: str, path: Path, page: str) -> str:
        """A document whose links lead to pages; what stands in code is left alone."""
        code = [found.span() for found in CODE.finditer(text)]

        def replaced(found: re.Match[str]) -> str:
            if any(low <= found.start() < high for low, high in code):
                return found[0]
            if found[4]:
                return f'{found[4]}"{self.copied((path.parent / found[5]).resolve(), page)}"'
            image, words, address = found[1], self.with_links(found[2], path, page), found[3]
            if address.startswith("scene:"):
                return "\n".join(f"![{words}]({drawn})" for drawn in self.scenes(path, address.removeprefix("scene:"), page))
            if "://" in address or address.startswith(("#", "mailto:")):
                return found[0]
            file, _, anchor = address.partition("#")
            target = (path.parent / file).resolve()
            if image:
                return f"![{words}]({self.copied(target, page)})"
            return self.link(words, target, anchor, page)

        return LINK.sub(replaced, text)

    def link(self, words: str, target: Path, anchor: str, page: str) -> str:
        """A link to a file of the project, from a page."""
        anchor = f"#{anchor}" if anchor else ""
        other = OTHER_LANGUAGE[self.lang][0]
        if target in (PROJECT / "docs" / "decisions", PROJECT / "docs" / "rules"):
            target = next(file for file in self.known_anywhere if file.parent == target)
        if target not in self.known and (belongs := self.known_anywhere.get(target)):  # a page in the other language
            top = "../" * (page.count("/") + (self.lang != "en"))
            return f'<a href="{top}{"" if other == "en" else f"{other}/"}{belongs}.html{anchor}">{words}</a>'
        if target not in self.known:
            self.asked.append(target)
        return f"[{words}]({relative(page, self.known.get(target) or page_of_file(target))}.md{anchor})"

    @cached_property
    def known_anywhere(self) -> dict[Path, str]:
        """The pages of this language, and those of the other one."""
        other = OTHER_LANGUAGE[self.lang][0]
        return Sources(other, self.folder, self.shorten).known | self.known

    def copied(self, path: Path, page: str) -> str:
        """A picture, copied beside the pages: its address from a page."""
        place = self.folder / "pictures" / path.name
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, place)
        return relative(page, f"pictures/{path.name}")

    def scenes(self, guide: Path, name: str, page: str) -> list[str]:
        """The pictures that a game draws for its guide: one, or the steps of a replay."""
        game, found = get_game(guide.parent.name), []
        for step in range(len(game.illustrations[name].replay) + 1):
            place = self.folder / "pictures" / f"{game.name}-{name}-{step}.svg"
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(picture(game, name, self.lang, "wide", step), "utf-8")
            found.append(relative(page, f"pictures/{place.name}"))
        return found


def guides(lang: str) -> list[str]:
    """The guides of all games."""
    return [str((get_game(name).folder / f"guide.{lang}.md").relative_to(PROJECT)) for name in game_names()]


def page_of(entry: str) -> str:
    """The name of the page of a file or a module that the navigation lists."""
    if entry.startswith("module:"):
        return f"python/{entry.removeprefix('module:')}"
    path = Path(entry)
    if entry in HOME.values():
        return "index"
    if path.name.startswith("guide."):
        return f"games/{path.parent.name}"
    if path.parts[0] == "docs":
        parts = [part for part in path.with_suffix("").parts[1:] if part not in LANGUAGES]
        return "/".join("index" if part == "README" else part for part in parts)
    return path.stem.lower()


def page_of_file(path: Path) -> str:
    """The name of the page that shows a file as it is."""
    return f"files/{path.relative_to(PROJECT).as_posix()}"


def relative(page: str, other: str) -> str:
    """The way from a page to another file of the site."""
    return os.path.relpath(other, os.path.dirname(page) or ".").replace(os.sep, "/")


def about_module(module: ModuleType, others: list[ModuleType]) -> str:
    """A page about a Python module; what it offers from another module is explained on that one's page."""
    deeper = [other for other in others if other.__name__.startswith(f"{module.__name__}.")]
    offered = {name: getattr(module, name) for name in getattr(module, "__all__", ())}
    shared = {name: other for name, it in offered.items() for other in deeper if vars(other).get(name) is it}
    left_out = [name for name, it in offered.items() if name in shared or isinstance(it, ModuleType)]
    options = ["members:", f"exclude-members: {', '.join(left_out)}", "show-inheritance:", "member-order: bysource"]
    lines = "\n".join(f"   :{option}" for option in options)
    elsewhere = ", ".join(f":py:obj:`{name} <{other.__name__}.{name}>`" for name, other in sorted(shared.items()))
    also = f"\n\nAlso in this module: {elsewhere}." if shared else ""
    return f"# {module.__name__}\n\n```{{eval-rst}}\n.. automodule:: {module.__name__}\n{lines}{also}\n```\n"


def executed(notebook: Path, page: Path, shorten: Callable[[str], str]) -> str:
    """A notebook as a page: run now, cell by cell, with what each cell prints and shows."""
    parts, names = [], {"__name__": "__main__"}
    page.parent.mkdir(parents=True, exist_ok=True)
    sys.path.insert(0, str(notebook.parent))
    try:
        with chdir(notebook.parent):
            for number, cell in enumerate(json.loads(notebook.read_text("utf-8"))["cells"]):
                source = "".join(cell["source"])
                if cell["cell_type"] == "markdown":
                    parts.append(source)
                    continue
                parts.append(f"```python\n{source}\n```")
                printed, shown = run_cell(shorten(source), names)
                if printed:
                    parts.append(f"```text\n{printed}```")
                if hasattr(shown, "_repr_svg_"):
                    picture = page.parent / f"{page.stem}-{number}.svg"
                    picture.write_text(shown._repr_svg_(), "utf-8")
                    parts.append(f"![What the cell above shows]({picture.name})")
    finally:
        sys.path.remove(str(notebook.parent))
    return "\n\n".join(parts) + "\n"


def run_cell(source: str, names: dict[str, Any]) -> tuple[str, Any]:
    """Run one cell: what it prints, and the value of its last line."""
    *before, last = source.rstrip().rsplit("\n", 1)
    printed = io.StringIO()
    with redirect_stdout(printed):
        try:
            value = compile(last, "notebook", "eval", dont_inherit=True)
        except SyntaxError:  # a statement
            exec(compile(source, "notebook", "exec", dont_inherit=True), names)
            return printed.getvalue(), None
        exec(compile("".join(before), "notebook", "exec", dont_inherit=True), names)
        return printed.getvalue(), eval(value, names)


# --- Building -----------------------------------------------------------------------------------------------------------------


def build(folder: Path, shorten: Callable[[str], str] = str) -> None:
    """Build the site in a folder, which is replaced. `shorten` changes the code of notebooks before it is run.

    Every warning is an error, and so is a link that leads nowhere.
    """
    if not (PROJECT / "docs" / "navigation.toml").is_file():
        raise BadOption("the documents are not here: build them in a copy of the repository, or read them at /docs of a server")
    if missing := [name for name in ("sphinx", "furo", "myst_parser", "torch") if find_spec(name) is None]:  # the notebook learns
        raise BadOption(f"{', '.join(missing)} is missing: pip install 'perankh[docs,train]'")
    with tempfile.TemporaryDirectory() as work:
        made = Path(work) / "made"
        for lang in LANGUAGES:
            sources = Sources(lang, Path(work) / lang, shorten)
            sources.gather()
            make_pages(lang, sources.folder, made if lang == LANGUAGES[0] else made / lang, Path(work) / f"{lang}-kept")
        finish_pages(made)
        if wrong := sorted(set(broken_links(made))):
            raise BadOption("links that lead nowhere:\n" + "\n".join(wrong))
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(made, folder)


def make_pages(lang: str, source: Path, target: Path, kept: Path) -> None:
    """Have Sphinx make the pages of one language."""
    from sphinx.application import Sphinx
    from sphinx.util.docutils import docutils_namespace, patch_docutils

    static = Path(__file__).parents[1] / "web" / "static"
    other, called = OTHER_LANGUAGE[lang]
    templates = source / "_templates" / "sidebar"
    templates.mkdir(parents=True)
    way = "{{ pathto('', 1) }}" + ("../index.html" if other == "en" else f"{other}/index.html")
    switch = f'<p class="language"><a lang="{other}" hreflang="{other}" href="{way}">{called}</a></p>'
    (templates / "language.html").write_text(switch, "utf-8")
    (source / "_own").mkdir()
    (source / "_own" / "own.css").write_text(STYLE, "utf-8")
    sidebar = ["sidebar/brand.html", "sidebar/search.html", "sidebar/language.html", "sidebar/scroll-start.html"]
    settings: dict[str, Any] = {
        "project": NAMES[lang],
        "release": __version__,
        "version": __version__,
        "language": lang,
        "extensions": ["myst_parser", "sphinx.ext.autodoc"],
        "templates_path": ["_templates"],
        "html_theme": "furo",
        "html_title": f"{NAMES[lang]} {__version__}",
        "html_logo": str(static / "favicon.svg"),
        "html_favicon": str(static / "favicon.svg"),
        "html_static_path": ["_own"],
        "html_css_files": ["own.css"],
        "html_copy_source": False,
        "html_show_sphinx": False,
        "html_show_copyright": False,
        "html_sidebars": {"**": [*sidebar, "sidebar/navigation.html", "sidebar/scroll-end.html"]},
        "html_theme_options": {
            f"{mode}_css_variables": {"color-brand-primary": PALETTE[ink], "color-brand-content": PALETTE[ink]}
            for mode, ink in BRAND.items()
        },
        "myst_heading_anchors": 4,
        "myst_enable_extensions": ["html_image"],
        "autodoc_typehints": "signature",
        "autodoc_preserve_defaults": True,
        "default_role": "literal",
        "add_module_names": False,
        "toc_object_entries": False,
    }
    said = io.StringIO()
    with patch_docutils(), docutils_namespace():
        Sphinx(source, None, target, kept, "html", settings, status=None, warning=said, freshenv=True).build()
    if said.getvalue():
        raise BadOption(f"Sphinx warns of:\n{said.getvalue()}")
    (target / "objects.inv").unlink()
    shutil.rmtree(target / "_sources", ignore_errors=True)


STYLE = """\
.language { margin: 0; padding: 0.25rem 1rem; font-size: var(--sidebar-item-font-size); }
.sidebar-logo { max-height: 4rem; }
article img { max-width: 100%; height: auto; }
:root:lang(ja) { word-break: auto-phrase; }
:lang(ja) :is(td, th) { overflow-wrap: normal; }
"""


# --- What Sphinx and its theme leave to do --------------------------------------------------------------------------------------

INLINE = re.compile(r"<(script|style)>(.*?)</\1>", re.DOTALL)
STYLED = re.compile(r' style="([^"]*)"')
ACCESSIBLE = {
    "<pre>": '<pre tabindex="0">',
    '<div class="table-wrapper': '<div tabindex="0" class="table-wrapper',
    'class="caption" role="heading"': 'class="caption" role="heading" aria-level="2"',
}
PLURAL = re.compile(r"new Function\(.*?\);", re.DOTALL)  # Sphinx compiles a rule for plurals in the browser; Japanese has none


def finish_pages(folder: Path) -> None:
    """Move scripts, style sheets and style attributes of all pages to files, as the server's security policy asks for.

    What Sphinx evaluates as code in the browser is replaced for the same reason. What scrolls by itself can be reached with the
    keyboard, and headings of the navigation have a level.
    """
    styles: set[str] = set()
    for path in sorted(folder.rglob("*.html")):
        top = os.path.relpath(folder, path.parent).replace(os.sep, "/")

        def moved(found: re.Match[str], top: str = top) -> str:
            kind, body = found.groups()
            name = f"_static/{hashlib.sha256(body.encode()).hexdigest()[:12]}.{'js' if kind == 'script' else 'css'}"
            (folder / name).write_text(body, "utf-8")
            return f'<script src="{top}/{name}"></script>' if kind == "script" else f'<link rel="stylesheet" href="{top}/{name}">'

        page = INLINE.sub(moved, path.read_text("utf-8"))
        styles.update(STYLED.findall(page))
        page = STYLED.sub(r' data-style="\1"', page)
        for old, new in ACCESSIBLE.items():
            page = page.replace(old, new)
        page = page.replace("</head>", f'<link rel="stylesheet" href="{top}/_static/inline.css">\n</head>', 1)
        path.write_text(page, "utf-8")
    for path in folder.rglob("doctools.js"):
        text, count = PLURAL.subn("() => 0;", path.read_text("utf-8"))
        assert count == 1, "Sphinx treats plurals otherwise than it did"
        path.write_text(text, "utf-8")
    rules = [f'[data-style="{style}"] {{ {style} }}\n' for style in sorted(styles)]
    (folder / "_static" / "inline.css").write_text("".join(rules), "utf-8")


class Links(HTMLParser):
    """The links of a page, and the places in it that can be linked to."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.places: set[str] = set()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:  # noqa: ARG002
        """Note one element."""
        for name, value in attributes:
            if name in ("href", "src") and value:
                self.links.append(value)
            elif name == "id" and value:
                self.places.add(value)


def broken_links(folder: Path) -> Iterator[str]:
    """The links between the files of a folder that lead nowhere; those to other sites are not followed."""
    folder, pages = folder.resolve(), {}
    for path in folder.rglob("*.html"):
        pages[path] = Links()
        pages[path].feed(path.read_text("utf-8"))
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            target = target / "index.html" if target.is_dir() else target
            if not target.is_file() or (
                parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].places
            ):
                yield f"{path.relative_to(folder)}: {link}"
