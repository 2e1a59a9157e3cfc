"""The value of each seat, action and option of a game, from many matches of one bot against itself."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from perankh import __version__
from perankh.arena.figures import distribution, is_sure, mean_of, plain, share_of
from perankh.arena.report import Figures, named_options, value_name
from perankh.arena.run import Played
from perankh.arena.schedule import Schedule, Setting, setting_of
from perankh.engine.game import Game, get_game
from perankh.engine.simulate import random_moves
from perankh.errors import BadOption

FEWEST = 20  # matches in which some seats took an action and others did not, before it is evaluated
WORD_LENGTH = 3  # the fewest letters of a word in a code
EXAMPLE_GAMES, EXAMPLE_MOVES = 12, 3000  # random games that supply example sentences for actions


@dataclass(frozen=True)
class Study:
    """The matches of a balance: the usual setting, and each value of each option in its place, on the same deals."""

    usual: Setting
    games: int
    others: dict[tuple[str, Any], Setting]
    option_games: int
    bot: str
    seed: int

    @property
    def schedules(self) -> dict[str, Schedule]:
        """The two schedules, by the names of their results files."""
        bots = (self.bot,)
        found = {"matches": Schedule((self.usual,), bots, self.games, seed=self.seed, counted=True)}
        if self.others and self.option_games:
            found["options"] = Schedule(tuple(self.others.values()), bots, self.option_games, seed=self.seed)
        return found


def study_of(
    name: str,
    players: int,
    options: Mapping[str, str],
    bot: str,
    games: int,
    studied: Sequence[str],
    option_games: int,
    seed: int,
) -> Study:
    """A study from a request. Seat 0 begins, unless the options say otherwise, so that seats are in the order of play."""
    game = get_game(name)
    begins = {option: 0 for option, kind in game.options.items() if kind.kind == "seat"}
    usual = setting_of(name, players, begins | dict(options))
    for option in studied:
        if option not in game.options:
            raise BadOption(f"{game.name} has no option {option}; its options are: {', '.join(game.options) or 'none'}")
    if games < 2:
        raise BadOption(f"--games {games}: error bars need at least 2")
    if option_games < 0 or option_games > games:
        raise BadOption(f"--option-games {option_games}: it is between 0 and the {games} games that they are compared with")
    others = {
        (option, value): setting_of(name, players, {**usual.options, option: value})
        for option, value in other_values(game, players, usual)
        if (option in studied if studied else option not in begins)
    }
    return Study(usual, games, others, option_games, bot, seed)


def other_values(game: Game, players: int, usual: Setting) -> list[tuple[str, Any]]:
    """Every value of every option that is not the one in use."""
    in_use = game.shown_options(game.blank(players, dict(usual.options)))
    return [(name, value) for name, option in game.options.items() for value in option.samples(players) if value != in_use[name]]


# --- Figures ----------------------------------------------------------------------------------------------------------------


def balance_figures(study: Study, matches: Sequence[Played], others: Sequence[Played], lang: str) -> Figures:
    """All figures of the report on a game."""
    game, players = get_game(study.usual.game), study.usual.players
    scores = np.array([match.scores for match in matches])
    shares = np.array([match.shares for match in matches])
    counted = Chosen(game, matches)
    return {
        "kind": "balance",
        "perankh": __version__,
        "game": game.name,
        "title": game.words.say("game.name", lang),
        "players": players,
        "bot": study.bot,
        "request": next(iter(study.schedules.values())).header(),
        "options_in_use": named_options(game, study.usual.options, lang),
        "matches": len(matches),
        "fewest": FEWEST,
        "even": round(1 / players, 4),
        "seats": [seat_figures(game, p, shares[:, p], scores[:, p], players, lang) for p in range(players)],
        "length": distribution([match.length for match in matches]),
        "points": distribution(scores),
        "margin": distribution(margins(scores)),
        "shared_wins": plain(share_of([match.ranks.count(1) > 1 for match in matches])),
        "endings": ending_figures(game, matches, lang),
        "words": counted.words(shares, scores, lang),
        "actions": counted.actions(shares, scores, lang),
        "options": option_figures(study, matches, others, lang),
    }


def seat_figures(game: Game, p: int, shares: Any, scores: Any, players: int, lang: str) -> Figures:
    """Wins and points of a seat."""
    wins = share_of(shares)
    return {
        "seat": p,
        "label": f"{p + 1}. {game.seat_name(p, lang)}",
        "wins": plain(wins),
        "sure": is_sure(wins, 1 / players),
        "points": plain(mean_of(scores)),
    }


def margins(scores: Any) -> Any:
    """How far the best is ahead of the next."""
    ordered = np.sort(scores, axis=1)
    return ordered[:, -1] - ordered[:, -2]


def ending_figures(game: Game, matches: Sequence[Played], lang: str) -> list[Figures]:
    """How often each ending occurs."""
    return [
        {"ending": name, "text": game.words.say(f"ending.{name}", lang), **plain(share_of([m.ending == name for m in matches]))}
        for name in game.endings
        if any(match.ending == name for match in matches)
    ]


# --- Actions ----------------------------------------------------------------------------------------------------------------


class Chosen:
    """How often each seat chose each action."""

    def __init__(self, game: Game, matches: Sequence[Played]) -> None:
        self.game = game
        self.times = np.zeros((game.actions, len(matches), len(matches[0].ranks)), np.uint16)
        number = {code: action for action, code in enumerate(game.text.CODES)}
        for m, match in enumerate(matches):
            for p, codes in enumerate(match.chosen):
                for code, times in codes.items():
                    self.times[number[code], m, p] = min(times, np.iinfo(np.uint16).max)

    def actions(self, shares: Any, scores: Any, lang: str) -> list[Figures]:
        """Each action that was taken, by its difference in wins."""
        said = example_sentences(self.game, self.times.shape[2], lang)
        rows = [
            {"label": code, "code": code, "sentence": said.get(action, ""), **worth(self.times[action], shares, scores)}
            for action, code in enumerate(self.game.text.CODES)
            if self.times[action].any()
        ]
        return sorted(rows, key=by_worth)

    def words(self, shares: Any, scores: Any, lang: str) -> list[Figures]:
        """The same for groups of actions whose codes share a word: a verb, a card, a place."""
        rows = []
        shared = words_in(self.game.text.CODES)
        names = names_of(self.game, list(shared), lang)
        for word, actions in shared.items():
            times = self.times[actions].sum(axis=0)
            if times.any():
                codes = [self.game.text.CODES[action] for action in actions]
                rows.append({"label": names.get(word, word), "word": word, "codes": codes, **worth(times, shares, scores)})
        return sorted(rows, key=by_worth)


def by_worth(row: Figures) -> tuple[bool, float]:
    """Sorts by the difference in wins; actions without one come last."""
    return row["wins"] is None, -row["wins"]["value"] if row["wins"] else -row["a_match"]


def words_in(codes: Sequence[str]) -> dict[str, list[int]]:
    """The words that several codes share, with their actions."""
    found = defaultdict(list)
    for action, code in enumerate(codes):
        for word in dict.fromkeys(re.findall(rf"[a-z][a-z_]{{{WORD_LENGTH - 1},}}", code)):
            found[word].append(action)
    return {word: actions for word, actions in found.items() if len(actions) > 1}


def names_of(game: Game, words: Sequence[str], lang: str) -> dict[str, str]:
    """Names for the words of codes: the shortest text in a group of texts, like `card.*`, that contains several of them."""
    groups: dict[str, dict[str, str]] = defaultdict(dict)
    for key, texts in game.words.texts.items():
        group, _, word = key.rpartition(".")
        if word in words:
            groups[group][word] = texts[lang]
    found: dict[str, str] = {}
    for names in groups.values():
        if len(names) > 1 and not any("{" in name for name in names.values()):
            found |= {word: min(name, found.get(word, name), key=len) for word, name in names.items()}
    return found


def worth(times: Any, shares: Any, scores: Any) -> Figures:
    """Seats that chose an action compared with seats of the same match that did not."""
    used = times > 0
    compared = used.any(axis=1) & ~used.all(axis=1)
    row: Figures = {
        "a_match": round(float(times.sum() / len(times)), 4),
        "seats": plain(share_of(used.mean(axis=1))),
        "compared": int(compared.sum()),
        "wins": None,
        "points": None,
        "sure": False,
    }
    if row["compared"] >= FEWEST:
        wins = mean_of(contrast(used[compared], shares[compared]), -1.0, 1.0)
        row["wins"] = plain(wins)
        row["points"] = plain(mean_of(contrast(used[compared], scores[compared])))
        row["sure"] = is_sure(wins)
    return row


def contrast(used: Any, figures: Any) -> Any:
    """In each match the mean figure of the seats that did, less that of those that did not."""
    did = (figures * used).sum(axis=1) / used.sum(axis=1)
    did_not = (figures * ~used).sum(axis=1) / (~used).sum(axis=1)
    return did - did_not


def example_sentences(game: Game, players: int, lang: str) -> dict[int, str]:
    """A sentence for each action that occurs in a few random games."""
    said: dict[int, str] = {}
    for index in range(EXAMPLE_GAMES):
        state = game.new_state(players, index)
        for move, (p, _) in enumerate(random_moves(game, state, index, 0)):
            new = [action for action in game.legal(state, p) if action not in said]
            if new:
                veiled = game.veiled(state, p)
                said.update({action: game.text.sentence(veiled, p, action, lang) for action in new})
            if move > EXAMPLE_MOVES or len(said) == game.actions:
                break
    return said


# --- Options ----------------------------------------------------------------------------------------------------------------


def option_figures(study: Study, matches: Sequence[Played], others: Sequence[Played], lang: str) -> list[Figures]:
    """Each value of each option against the one in use, on the same deals."""
    game, n = get_game(study.usual.game), study.usual.players
    usual = {match.plan.deal: match for match in matches}
    by_setting: dict[str, list[Played]] = defaultdict(list)
    for match in others:
        by_setting[match.plan.setting.key].append(match)
    in_use = game.shown_options(game.blank(n, dict(study.usual.options)))
    rows = []
    for (option, value), setting in study.others.items():
        played = by_setting[setting.key]
        if played:
            pairs = [(match, usual[match.plan.deal]) for match in played]
            rows.append(
                {
                    "option": option,
                    "title": game.words.say(f"option.{option}.name", lang),
                    "value": value,
                    "shown": value_name(game, option, value, lang),
                    "usual": value_name(game, option, in_use[option], lang),
                    "matches": len(pairs),
                    **{name: difference(pairs, *measure) for name, measure in MEASURES.items()},
                }
            )
    return rows


MEASURES = {  # what is measured, and how much it can change at most
    "length": (lambda match: match.length, math.inf),
    "points": (lambda match: sum(match.scores) / len(match.scores), math.inf),
    "margin": (lambda match: float(margins(np.array([match.scores]))[0]), math.inf),
    "first": (lambda match: match.shares[0], 1.0),
}


def difference(pairs: Sequence[tuple[Played, Played]], measure: Any, most: float) -> Figures:
    """The change of a measure between two values of an option."""
    values = [measure(match) for match, _ in pairs]
    change = mean_of([measure(match) - measure(usual) for match, usual in pairs], -most, most)
    return {"with": round(sum(values) / len(values), 4), "change": plain(change), "sure": is_sure(change)}
