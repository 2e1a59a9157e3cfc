"""What people read, type and keep: words, notation, texts, match files."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from perankh.checks.walk import Progress, need, some_sets, walk
from perankh.engine.components import names_of_entries
from perankh.engine.events import redacted
from perankh.engine.game import Game
from perankh.engine.simulate import random_moves
from perankh.engine.text import width
from perankh.engine.words import LANGUAGES, TABLE_WORDS, blanks
from perankh.match.file import load
from perankh.match.match import Match

CODE = re.compile(r"[!-~]+")
WIDEST = 100
LONGEST = 1000  # moves of a match that is played to see its codes parse and its file load
REFUSALS = 12  # illegal actions tried in a position, about


def words_complete(game: Game, effort: float, progress: Progress) -> str:
    """Every text is there in every language, every key that the platform asks for exists, and none is left unused."""
    asked = {"game.name", "game.tagline"}
    asked |= {f"seat.{p}" for p in range(game.players[-1])}
    asked |= {f"ending.{name}" for name in game.endings}
    for name, option in game.options.items():
        asked |= {f"option.{name}.name", f"option.{name}.help"}
        asked |= {f"option.{name}.{value}" for value in option.values if option.kind == "choice"}
        asked |= {f"option.{name}.unit"} if option.kind == "whole" and (has_unit(game, name) or option.per > 1) else set()
    there = set(game.words.texts)
    asked |= {key for key in there if key.startswith("explain.") and hasattr(game.text, "explain")}  # by kinds of sprites
    asked |= {f"table.{name}" for name in TABLE_WORDS} & there
    asked |= {f"reason.{name}" for name in getattr(game.text, "REASONS", ())}
    own = game.package.startswith("perankh.games.")
    asked |= keys_of_events(game, own)
    asked |= keys_of_components(game) if own else keys_of_components(game) & there
    need(not own or game.words.languages == LANGUAGES, f"words.toml must have the languages {', '.join(LANGUAGES)}")
    missing = sorted(asked - there)
    need(not missing, f"words.toml has no {', '.join(missing)}")
    source = "".join(path.read_text("utf-8") for path in sorted(game.folder.rglob("*.py")))
    unused = sorted(key for key in there - asked if not mentioned(key, source))
    need(not unused, f"words.toml has texts that nothing uses: {', '.join(unused)}")
    for key, texts in game.words.texts.items():
        for lang, text in texts.items():
            need(bool(text.strip()), f"words.toml: [{key}] is empty in {lang}")
    return f"{len(there)} texts in {', '.join(game.words.languages)}"


def has_unit(game: Game, option: str) -> bool:
    """Do the words name the unit of an option? Then they have a place for the number."""
    texts = game.words.texts.get(f"option.{option}.unit", {})
    need(
        all(blanks(text) == {"n"} for text in texts.values()),
        f"words.toml: [option.{option}.unit] must have the blank {{n}} alone",
    )
    return bool(texts)


def keys_of_components(game: Game) -> set[str]:
    """The keys of the names of printed tables and of their entries; letters and the ids of cards name themselves."""
    keys = set()
    for name in names_of_entries(game.components.tables) if game.components else ():
        table, *inside = name.split(".")
        keys |= {f"component.{table}"} | {f"printed.{part}" for part in inside if re.fullmatch("[a-z_]{2,}[a-z_0-9]*", part)}
    return keys


def keys_of_events(game: Game, own: bool) -> set[str]:
    """The keys of what tables show of events: those there are, and for games of this package one for every kind with points."""
    keys = set()
    for kind in game.Event or ():
        name = kind.name.lower()
        shown = [key for key in game.words.texts if re.fullmatch(rf"(banner|gain)\.{name}(\.-?\d+)?|source\.{name}\.\w+", key)]
        for key in shown:
            part = key.rpartition(".")[2]
            need(key.startswith("source.") <= (part in kind.names), f"words.toml: [{key}] names no value of the event")
            unknown = blanks(next(iter(game.words.texts[key].values()))) - {*kind.names, "who"}
            need(not unknown, f"words.toml: [{key}] has blanks that are no values of the event: {', '.join(sorted(unknown))}")
        keys.update(shown)
        if own and "points" in kind.names and not any(key.startswith("gain") for key in shown):
            keys.add(f"gain.{name}")
    return keys


def mentioned(key: str, source: str) -> bool:
    """Does the source name the key, whole or as the start of a key that is put together (`f"seat.{p}"`)?"""
    if f'"{key}"' in source or f"'{key}'" in source:
        return True
    parts = key.split(".")
    stems = [".".join(parts[:k]) + "." for k in range(1, len(parts))]
    return any(f"f{quote}{stem}{{" in source for stem in stems for quote in "\"'")


def codes_and_sentences(game: Game, effort: float, progress: Progress) -> str:
    """Codes are one to one with actions; sentences are unique among the legal moves; both parse back."""
    codes = game.text.CODES
    need(len(codes) == game.actions, f"text.CODES has {len(codes)} codes for {game.actions} actions")
    need(len({code.casefold() for code in codes}) == len(codes), "text.CODES has a code twice")
    need(all(CODE.fullmatch(code) for code in codes), "text.CODES must be ASCII without spaces")
    moves = 0
    for state, p, _, where in walk(game, sets=6, share=effort):
        seen = game.veiled(state, p)
        actions = game.legal(state, p)
        for lang in game.words.languages:
            sentences = [game.text.sentence(seen, p, a, lang) for a in actions]
            need(len(set(sentences)) == len(sentences), f"two legal moves have one {lang} sentence: {sentences} ({where})")
            need(all(sentences), f"an empty sentence ({where})")
        moves += len(actions)
    for players in game.players:
        match = Match(game, players, 3)
        for p, a in random_moves(game, match.state.copy(), 3, 9):
            for move in match.moves():
                need(match.parse(move.code, move.player) == move.action, f"code {move.code} does not parse back")
                for sentence in move.sentences.values():
                    need(match.parse(sentence, move.player) == move.action, f"sentence {sentence!r} does not parse back")
            match.play(a, p)
            if len(match.played) >= LONGEST:
                break
    return f"{game.actions} codes, {moves} sentences"


def texts_for_every_viewer(game: Game, effort: float, progress: Progress) -> str:
    """Board, prompt, log line and refusal can be written for every viewer in every position, from veiled states alone."""
    lines = 0
    for number, (state, p, a, where) in enumerate(walk(game, sets=6, share=effort)):
        after = state.copy()
        events = game.apply(after, p, a)
        refused = sorted(set(range(game.actions)) - set(game.legal(state, p)))
        viewers = range(-1, state.players)
        befores, afters = ({v: game.veiled(shown, v) for v in viewers} for shown in (state, after))
        told = {v: redacted(events, v) for v in viewers}
        for lang in game.words.languages:
            need(bool(game.text.prompt(befores[p], p, lang)), f"an empty prompt ({where})")
            for b in refused[number % 3 :: max(3, len(refused) // REFUSALS)]:
                need(bool(game.text.refusal(befores[p], p, b, lang)), f"an empty refusal ({where})")
            for viewer in viewers:
                for line in game.text.log_lines(afters[viewer], told[viewer], viewer, lang):
                    need(bool(line.strip()) and "\n" not in line, f"a log line must be one line, not {line!r} ({where})")
                    lines += 1
                if number % 7 == 0:
                    board = game.text.board(befores[viewer], viewer, lang)
                    widest = max(map(width, board.splitlines()))
                    need(widest <= WIDEST, f"the {lang} board is {widest} columns wide, more than {WIDEST} ({where})")
                    need(befores[viewer] == game.veiled(state, viewer), f"drawing changed the state ({where})")
    return f"{lines} log lines"


def save_and_replay(game: Game, effort: float, progress: Progress) -> str:
    """A match file replays to the same state; undo then redo is the identity; any position can be gone back to."""
    count = 0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "match.perankh"
        for players in game.players:
            for number, options in enumerate(some_sets(game, players, 6, effort)):
                match = Match(game, players, 100 + number, options)
                for p, a in random_moves(game, match.state.copy(), number, 13):
                    match.play(a, p)
                    if len(match.played) >= LONGEST:
                        break
                match.save(path)
                loaded = load(path, game=game)
                need(loaded.state == match.state and loaded.played == match.played, f"a saved match came back changed: {options}")
                half = max(1, len(match.played) // 2)
                end = match.state.copy()
                match.undo(half)
                need(match.state == loaded.at(-half - 1).state, "undo does not lead to the earlier position")
                match.redo(half)
                need(match.state == end, "undo then redo is not the identity")
                match.verify(loaded.seed_hash)
                count += 1
    return f"{count} matches saved, loaded, undone and redone"
