"""Every measured figure in the READMEs and in docs/ says which file of results it comes from, and that file says the same.

In the source of a document, behind the figure or around the rows:

    about 7 times as fast<!-- bench/RESULTS.md: 6.64x (5.94 to 8.58) -->      each number rounds one of the quotation
    <!-- rows of bench/RESULTS.md --> ... <!-- /rows -->                     rows that stand there word by word
    <!-- figures of bench/RESULTS.md --> ... <!-- /figures -->               rows in other words, with the figures of one there
    <!-- estimates --> ... <!-- /estimates -->                               worked out on paper, and said to be so

Several quotations of one file are separated by semicolons. Files of results are bench/RESULTS.md, which programs write, and the
records of decisions, which say what was measured then. Any other number with a unit is a setting, a limit or a rule: see ALLOWED.
Rows of options in tables of settings are left out.
"""

from __future__ import annotations

import re
from pathlib import Path
from runpy import run_path

import pytest

from ..conftest import ROOT

PRINTED = ("features.md", "games.md")  # by commands, from the rules
FOLDERS = (ROOT / "docs", ROOT / "docs" / "ja")
DOCUMENTS = [
    *sorted(ROOT.glob("README*.md")),
    *(path for folder in FOLDERS for path in sorted(folder.glob("*.md")) if path.name not in PRINTED),
]
RECORD = "docs/decisions/29-maqha-is-mostly-luck.md"  # no program writes it, so what it says stays
NUMBER = r"\d+(?:,\d{3})*(?:\.\d+)?"
WORD = r"(?:half an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|forty|fifty|sixty|ninety)"
TIMES = "ms|milliseconds?|microseconds?|s|seconds?|minutes?|hours?|ミリ秒|マイクロ秒|秒|時間"
AMOUNTS = (
    "bytes?|kB|KB|MB|GB|MiB|%|percent|times|x|k|M|G|thousand|million|billion|moves|steps|views|requests|playouts|iterations|"
    "matches|games|cores?|machines|rows|Elo|points|of 100|倍|バイト|万|億|パーセント|局"
)
FIGURE = re.compile(
    rf"(?<![A-Za-z0-9.,/:#-]){NUMBER}(?:(?: to |-|～){NUMBER})?[ -]?(?:{TIMES}|{AMOUNTS})(?![A-Za-z0-9-])"
    rf"|(?<![A-Za-z-])(?:{WORD}|(?:about|takes|within) an?)[ -](?:milliseconds?|seconds?|minutes?|hours?|times)(?![A-Za-z-])"
    r"|\b(?:thousands|millions|billions) of (?:moves|steps)|数(?:千|万|百万|億)"
)
MARKER = re.compile(r"<!-- ((?:bench|docs/decisions)/[\w./-]+): (.*?) -->", re.DOTALL)
ROWS = re.compile(r"<!-- rows of (\S+) -->\n(.*?)<!-- /rows -->", re.DOTALL)
TRANSLATED = re.compile(r"<!-- figures of (\S+) -->\n(.*?)<!-- /figures -->", re.DOTALL)
ESTIMATES = re.compile(r"<!-- estimates -->.*?<!-- /estimates -->", re.DOTALL)
CODE = re.compile(r"^ *```[\s\S]*?^ *```$|^ {4,}.*$|`[^`]*`", re.MULTILINE)
SETTINGS = re.compile(r"^\| `--.*$", re.MULTILINE)  # rows of options: their values are settings
TITLES = re.compile(r"\]\([^)\s]*\)|<img [^>]*>|^#.*$", re.MULTILINE)
# Numbers that nobody measured: settings, limits, rules and definitions, with enough words around them to be found.
ALLOWED = (
    # analyses and hints: the time they are given, and definitions
    "a search of about a second for the whole match",
    "0.4 s each and 45 s for a match at most",
    "of at least 8 points",
    "ahead by at least 12 points",
    "a picture of 1200 x 630 pixels",
    "20 times the iterations",
    "a hint has 2.4 seconds",
    # the API
    "at most 5,000 moves",
    "at the latest 0.2 s after the question",
    "up to about 3 seconds more than before",
    "a *secret* of 32 bytes",
    "the first 16 bytes of",
    "20 seconds after the turn began",
    "eight hours before your time is out at the latest",
    "larger than 4 kB",
    # the arena: definitions and arithmetic
    "a spread of 800 Elo",
    "have 95 % intervals",
    "with 95 % intervals. Intervals of shares end at 0 and 100 %",
    "400 matches give a win share to within about 5 %, 10,000 to within 1 %",
    "every 30 seconds",
    # the bots: how they are set
    "in 2 random worlds | 40 %",
    "800 iterations | 6 %",
    "4,000 iterations | 3 %",
    "20,000 iterations on all cores, at most 1.6 seconds",
    "60,000 iterations, at most 2 seconds",
    "searches for half a second",
    "the search of 20,000 iterations",
    "80 % is the rank",
    "20 % the lead in points",
    # training: how it is set
    "leaves 75 of 100 opponents behind",
    "at most 2 MB together",
    "over 900 matches for each step",
    # the server: limits and time-outs
    "answers open requests for 3 seconds",
    "goes on for 5 seconds",
    "after about 5 seconds",
    "allow an address three times as much",
    "plays 2,000 matches of 400 clients",
    "by another after 5 seconds",
    "is above one second",
    "notices within two seconds",
    "tried again after half a minute, then three times as long each time, ten times in all",
    "in 10 seconds and its body in 10 seconds and one more for every 4 kB",
    "closed after 15 seconds",
    "pinged every 20 seconds",
    "every two seconds",
    "(ten minutes at most)",
    "good once, for ten minutes",
    "one in ten seconds",
    "waits ten times as long",
    "took ten times as long is listed",
    # the look of the pages
    "to their new place (0.5 s)",
    "phone (390 x 844)",
    # writing a game: what checks ask for
    "a first game in five minutes",
    "more than 5 % of its numbers",
    "at most 5 % of them never change",
    "runs for 20 seconds",
    "after five minutes without progress",
    "is entered and shown as 1.5 s",
    "8 to 15 steps",
    "at least 4 moves",
    "half a second each",
)


def numbers(text: str) -> list[str]:
    return [found.replace(",", "") for found in re.findall(NUMBER, text)]


def rounds(stated: str, measured: list[str]) -> bool:
    """Whether a number is one of these, rounded."""
    digits = len(stated.partition(".")[2])
    return any(f"{round(float(value), digits):.{digits}f}" == f"{float(stated):.{digits}f}" for value in measured)


def plain(text: str) -> str:
    """A text on one line, without code, settings, titles, rows of results and estimates."""
    for left_out in (ROWS, TRANSLATED, ESTIMATES, SETTINGS, CODE, TITLES):
        text = left_out.sub("", text)
    return re.sub(r"\s+", " ", text)


def faults(text: str) -> list[str]:
    """Figures of a text without a source, or with one that says something else."""
    found = [f"not in {name}: {row}" for name, rows in ROWS.findall(text) for row in missing_rows(name, rows)]
    found += [f"not in {name}: {row}" for name, rows in TRANSLATED.findall(text) for row in other_figures(name, rows)]
    one_line = plain(text)
    for phrase in ALLOWED:
        one_line = one_line.replace(phrase, "")
    place = 0
    while marker := MARKER.search(one_line, place):
        name, quotations = marker[1], marker[2].split("; ")
        source = re.sub(r"\s+", " ", (ROOT / name).read_text("utf-8"))
        found += [f"not in {name}: {quotation}" for quotation in quotations if quotation not in source]
        before = one_line[place : marker.start()]
        figures = list(FIGURE.finditer(before))
        if not figures:
            found.append(f"no figure before: {marker[0]}")
        else:
            found += [f"without a source: {figure[0]}" for figure in figures[:-1]]
            said = before[figures[-1].start() :]
            if len(said) > 90 or not all(rounds(number, numbers(marker[2])) for number in numbers(figures[-1][0])):
                found.append(f"{said!r} is not what {name} says: {marker[2]}")
        place = marker.end()
    return found + [f"without a source: {figure[0]}" for figure in FIGURE.finditer(one_line, place)]


def missing_rows(name: str, rows: str) -> list[str]:
    lines = (ROOT / name).read_text("utf-8").splitlines()
    return [row for row in rows.splitlines() if row not in lines]


def other_figures(name: str, rows: str) -> list[str]:
    """Rows of a table of which no row of a file has all the figures; the first two lines are its head."""

    def figures(row: str) -> set[str]:
        return {cell.strip() for cell in row.split("|") if re.match(r" *\d", cell)}

    there = [figures(row) for row in (ROOT / name).read_text("utf-8").splitlines() if row.startswith("|")]
    body = rows.strip().splitlines()[2:]
    return [row for row in body if not figures(row) or not any(figures(row) <= held for held in there)]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_figure_has_its_source(document: Path) -> None:
    assert faults(document.read_text("utf-8")) == []


def test_allowed_numbers_are_still_there() -> None:
    everything = " ".join(plain(document.read_text("utf-8")) for document in DOCUMENTS)
    assert [phrase for phrase in ALLOWED if phrase not in everything] == []


def test_the_readmes_show_the_same_figures_beside_peers() -> None:
    ((source, rows),) = ROWS.findall((ROOT / "README.md").read_text("utf-8"))
    ((also, translated),) = TRANSLATED.findall((ROOT / "README.ja.md").read_text("utf-8"))
    assert source == also == "bench/RESULTS.md"
    assert len(rows.splitlines()) == len(translated.splitlines()) > 4


@pytest.mark.parametrize(
    "text",
    [
        "A move takes 3.3 ms.",
        "It carries 500 to 600 moves a second.",
        "The wheel has 14 MB.",
        "It wins 91 % of them.",
        "It is 17x as fast.",
        "Compiling takes half a minute.",
        "Rules run at millions of moves per second.",
        "一手は3ミリ秒です。",
        f"ahead of 80 %<!-- {RECORD}: finished ahead of 91% (100 matches) -->",
        f"ahead of 92 %<!-- {RECORD}: finished ahead of 92% -->",
        f"as often as that<!-- {RECORD}: finished ahead of 91% (100 matches) -->",
        "<!-- rows of bench/RESULTS.md -->\n| Per-Ankh, native | 99 M |\n<!-- /rows -->",
        "<!-- figures of bench/RESULTS.md -->\n| | 毎秒 |\n|---|---|\n| ペル・アンク | 99 M |\n<!-- /figures -->",
    ],
)
def test_a_figure_without_a_source_is_found(text: str) -> None:
    assert len(faults(text)) == 1


def test_what_has_a_source_passes() -> None:
    assert faults(f"ahead of 91 %<!-- {RECORD}: finished ahead of 91% (100 matches) --> as `9 ms`") == []
    assert faults("Live connections are pinged every 20 seconds.") == []
    assert faults("<!-- estimates -->\n40 cores\n<!-- /estimates -->") == []


def test_a_program_that_writes_results_renews_the_rows_that_documents_quote() -> None:
    quoted_again = run_path(str(ROOT / "bench" / "results.py"))["quoted_again"]
    document = (ROOT / "docs" / "environments.md").read_text("utf-8")
    results = (ROOT / "bench" / "RESULTS.md").read_text("utf-8")
    assert quoted_again(document, results) == document
    later = re.sub(r"(?<=\d) M \(", " G (", results)
    renewed = quoted_again(document, later)
    ((_, rows), *_) = ROWS.findall(renewed)
    assert rows != ROWS.findall(document)[0][1]
    assert all(row in later.splitlines() for _, rows in ROWS.findall(renewed) for row in rows.splitlines())
