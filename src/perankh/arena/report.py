"""Reports: the figures of a run as JSON, and the same figures as one page that needs nothing but itself."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from perankh import __version__
from perankh.arena.charts import Bar, columns, whiskers
from perankh.arena.figures import distribution, plain, share_of
from perankh.arena.ratings import MIDDLE, Race, Ratings, rate
from perankh.arena.run import Played
from perankh.arena.schedule import Schedule, Setting
from perankh.engine.game import Game, get_game
from perankh.engine.words import Words
from perankh.errors import BadFile
from perankh.scene import variables

HERE = Path(__file__).parent
WORDS = Words(HERE / "words.toml")
EXTREMES = 10  # actions shown from either end of a list
Figures = dict[str, Any]


# --- The figures of an arena ------------------------------------------------------------------------------------------------


def arena_figures(schedule: Schedule, matches: Sequence[Played], lang: str) -> Figures:
    """Everything the report of an arena tells."""
    by_setting = groupby(sorted(matches, key=place_in(schedule)), key=lambda match: match.plan.setting)
    return {
        "kind": "arena",
        "perankh": __version__,
        "request": schedule.header(),
        "deals": schedule.deals,
        "matches": len(matches),
        "overall": rating_figures(matches, schedule.bots),
        "settings": [setting_figures(setting, list(group), schedule.bots, lang) for setting, group in by_setting],
    }


def place_in(schedule: Schedule) -> Any:
    """The order of settings, as a key to sort by."""
    places = {setting.key: place for place, setting in enumerate(schedule.settings)}
    return lambda match: places[match.plan.setting.key]


def setting_figures(setting: Setting, matches: Sequence[Played], bots: Sequence[str], lang: str) -> Figures:
    """One game with one number of players and one set of options."""
    game = get_game(setting.game)
    return {
        "key": setting.key,
        "game": setting.name,
        "title": game.words.say("game.name", lang),
        "players": setting.players,
        "options": named_options(game, setting.options, lang),
        "matches": len(matches),
        "strength": rating_figures(matches, bots),
        "points": points_by_bot(matches, bots),
        "seats": [plain(share_of([match.shares[p] for match in matches])) for p in range(setting.players)],
        "length": distribution([match.length for match in matches]),
    }


def rating_figures(matches: Sequence[Played], bots: Sequence[str]) -> Figures:
    """Ratings, the leads between neighbours, and who finished ahead of whom."""
    found = rate([Race(match.plan.unit, match.plan.bots, match.ranks) for match in matches], bots)
    return {
        "matches": found.races,
        "deals": found.units,
        "separate": found.separate,
        "ratings": [{"bot": bot, **plain(found.ratings[bot]), "wins": wins_of(bot, matches)} for bot in found.bots],
        "leads": [
            {"bot": bot, "next": found.bots[place + 1], **plain(found.leads[bot])} for place, bot in enumerate(found.bots[:-1])
        ],
        "head_to_head": head_to_head(found),
    }


def head_to_head(found: Ratings) -> list[Figures]:
    """Each pair that met."""
    return [
        {"bot": bot, "other": other, "meetings": found.meetings[bot, other], **plain(found.scores[bot, other])}
        for bot in found.bots
        for other in found.bots
        if (bot, other) in found.scores
    ]


def wins_of(bot: str, matches: Sequence[Played]) -> float:
    """The share of its matches that a bot won, a seat at a time."""
    shares = [share for match in matches for name, share in zip(match.plan.bots, match.shares, strict=True) if name == bot]
    return round(sum(shares) / len(shares), 4) if shares else 0.0


def points_by_bot(matches: Sequence[Played], bots: Sequence[str]) -> dict[str, float]:
    """The mean points of each bot."""
    found = {}
    for bot in bots:
        points = [point for match in matches for name, point in zip(match.plan.bots, match.scores, strict=True) if name == bot]
        found[bot] = round(sum(points) / len(points), 3) if points else 0.0
    return found


def named_options(game: Game, options: Mapping[str, Any], lang: str) -> list[Figures]:
    """Options with the names people know them by."""
    return [
        {
            "option": name,
            "value": value,
            "title": game.words.say(f"option.{name}.name", lang),
            "shown": value_name(game, name, value, lang),
        }
        for name, value in options.items()
    ]


def value_name(game: Game, option: str, value: Any, lang: str) -> str:
    """The name of a value of an option."""
    if game.options[option].kind == "choice":
        return game.words.say(f"option.{option}.{value}", lang)
    if isinstance(value, bool):
        return WORDS.say("value.yes" if value else "value.no", lang)
    return str(value)


# --- Pages ------------------------------------------------------------------------------------------------------------------


def write_report(folder: Path, figures: Figures, lang: str) -> tuple[Path, Path]:
    """Write report.html and report.json into a folder."""
    page, data = folder / "report.html", folder / "report.json"
    try:
        page.write_text(render(figures, lang), "utf-8")
        data.write_text(json.dumps(figures, ensure_ascii=False, indent=2) + "\n", "utf-8")
    except OSError as error:
        raise BadFile(f"{folder}: the report cannot be written: {error.strerror}") from None
    return page, data


def render(figures: Figures, lang: str) -> str:
    """The figures as a page."""
    pages = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    pages.filters |= {"percent": percent, "signed": signed, "half": half}
    return pages.get_template(f"{figures['kind']}.html").render(
        figures=figures,
        lang=lang,
        t=partial(say, lang=lang),
        palette=Markup(variables()),
        rating_chart=partial(rating_chart, lang=lang),
        seat_chart=seat_chart,
        worth_chart=worth_chart,
        histogram=histogram,
    )


def say(key: str, lang: str, **filled: Any) -> str:
    """A text of the reports."""
    return WORDS.say(key, lang, **filled)


def percent(value: float, digits: int = 1) -> str:
    """A share as a person writes it."""
    return f"{100 * value:.{digits}f}%"


def half(figure: Mapping[str, float], scale: float = 1, digits: int = 1) -> str:
    """The figure after the plus-minus sign."""
    return f"{scale * figure['half']:.{digits}f}"


def signed(value: float, digits: int = 1) -> str:
    """A difference with its sign."""
    return f"{value:+.{digits}f}".replace("-", "−")


def rating_chart(ratings: Sequence[Figures], lang: str) -> Markup:
    """Ratings with their error bars."""
    rows = [Bar(r["bot"], r["value"], r["low"], r["high"], f"{r['value']:.0f} ± {half(r, digits=0)}") for r in ratings]
    return whiskers(rows, WORDS.say("arena.ratings", lang), lambda at: f"{at:.0f}", MIDDLE)


def seat_chart(seats: Sequence[Figures], title: str, even: float) -> Markup:
    """The win shares of seats beside the share that would be even."""
    bars = []
    for seat in seats:
        wins = seat["wins"]
        figure = f"{percent(wins['value'])} ± {half(wins, 100)}"
        bars.append(Bar(seat["label"], wins["value"], wins["low"], wins["high"], figure, seat["sure"]))
    return whiskers(bars, title, lambda at: percent(at, 0), even)


def worth_chart(rows: Sequence[Figures], title: str) -> Markup:
    """The actions at both ends of a list: by how much more or less those win who take them."""
    shown = rows if len(rows) <= 2 * EXTREMES else [*rows[:EXTREMES], *rows[-EXTREMES:]]
    bars = []
    for row in shown:
        wins = row["wins"]
        figure = f"{signed(100 * wins['value'])} ± {half(wins, 100)}"
        bars.append(Bar(row["label"], wins["value"], wins["low"], wins["high"], figure, row["sure"]))
    return whiskers(bars, title, lambda at: signed(100 * at, 0), 0.0)


def histogram(spread: Figures, title: str) -> Markup:
    """A distribution as columns."""
    spans = [(b["from"], b["to"], b["count"]) for b in spread["bins"]]
    return columns([(str(a), str(a) if a == b else f"{a}–{b}", n) for a, b, n in spans], title)
