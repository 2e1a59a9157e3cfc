"""Golden playthroughs: whole games as readable text, so that a change of rules shows up as a difference to review."""

from __future__ import annotations

import difflib
from pathlib import Path
from typing import Any

from perankh.checks.walk import CheckSkipped, Progress, companion, need
from perankh.checks.watchdog import watching
from perankh.engine.events import redacted
from perankh.engine.game import Game
from perankh.engine.simulate import random_moves
from perankh.engine.words import LANGUAGES

SHOWN_DIFFERENCE = 12
LONGEST = 5000  # moves of a playthrough


def playthroughs_folder(game: Game) -> Path | None:
    """Where a game's playthroughs are kept."""
    return companion(game, f"tests/playthroughs/{game.name}", "playthroughs")


def recipes(game: Game) -> dict[str, tuple[int, dict[str, Any]]]:
    """File name, players and options of each playthrough: the default at every player count, and one with other options."""
    found: dict[str, tuple[int, dict[str, Any]]] = {f"{players}-players.txt": (players, {}) for players in game.players}
    other = {name: option.samples(game.players[-1])[-1] for name, option in game.options.items()}
    if other:
        found["other-options.txt"] = (game.players[-1], other)
    return found


def playthrough(game: Game, players: int, options: dict[str, Any]) -> str:
    """A random game as text: what changed in the record, what is told to each viewer, and the board at the end."""
    state = game.new_state(players, 2026, options)
    lines = [f"game: {game.name}", f"players: {players}", f"options: {game.shown_options(state)}", ""]
    lines += [
        "The deal:",
        *[f"  {name}: {state.shown(name)}" for name, value in state.items() if value != game.State.fields[name].empty()],
    ]
    for number, (p, a) in enumerate(random_moves(game, state, 0, 4)):
        need(number < LONGEST, f"not over after {LONGEST} moves: {players} players, {options or 'default options'}")
        actions = game.legal(state, p)
        after = state.copy()
        events = game.apply(after, p, a)
        lines += ["", f"Move {number + 1}, seat {p}: {game.text.CODES[a]}"]
        lines.append(f"  legal: {' '.join(game.text.CODES[action] for action in actions)}")
        for lang in LANGUAGES:
            lines.append(f"  {game.text.prompt(game.veiled(state, p), p, lang)}")
            lines.append(f"  {game.text.sentence(game.veiled(state, p), p, a, lang)}")
            log = {v: game.text.log_lines(game.veiled(after, v), redacted(events, v), v, lang) for v in range(-1, players)}
            lines += [f"  {line}" for line in log[-1]]
            lines += [f"  (to seat {v}) {line}" for v, told in log.items() if told != log[-1] for line in told]
        lines += [f"  {change}" for change in changes(state, after)]
    lines += ["", f"ending: {game.ending(state)}", f"scores: {game.scores(state)}", f"ranks: {game.ranks(state)}"]
    for lang in LANGUAGES:
        lines += ["", game.text.board(game.veiled(state, -1), -1, lang)]
    return "\n".join(line.rstrip() for line in "\n".join(lines).splitlines()) + "\n"


def changes(before: Any, after: Any) -> list[str]:
    """The fields of the record that a move changed, entry by entry; the generator's pool is left out."""
    found = []
    for name, field in before.fields.items():
        old, new = before.shown(name), after.shown(name)
        if old == new or name == "chance_pool":
            continue
        if field.members:
            one = len(field.shape) == 1
            for label, x, y in [("", old, new)] if one else [(f"[{i}]", old[i], new[i]) for i in range(len(old))]:
                signs = [f"-{i}" for i in x if i not in y] + [f"+{i}" for i in y if i not in x]
                found += [f"{name}{label} {' '.join(signs)}"] if signs else []
        elif isinstance(old, list):
            entries = [f"[{i}] {x} -> {y}" for i, (x, y) in enumerate(zip(old, new, strict=True)) if x != y]
            found.append(f"{name} {', '.join(entries)}")
        else:
            found.append(f"{name} {old} -> {new}")
    return found


def write_playthroughs(game: Game) -> list[Path]:
    """Write the playthroughs anew; the difference is for a person to review."""
    folder = playthroughs_folder(game) or game.folder / "playthroughs"
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, (players, options) in recipes(game).items():
        path = folder / name
        with watching(game):
            text = playthrough(game, players, options)
        path.write_text(text, "utf-8")
        written.append(path)
    return written


def playthroughs_unchanged(game: Game, effort: float, progress: Progress) -> str:
    """Every playthrough comes out as it is on file."""
    folder = playthroughs_folder(game)
    if folder is None:
        raise CheckSkipped("no playthroughs are kept for this game; write them with perankh check --write-playthroughs")
    steps = 0
    for name, (players, options) in recipes(game).items():
        path = folder / name
        need(path.is_file(), f"{path} is missing; write it with perankh check {game.name} --write-playthroughs")
        old, new = path.read_text("utf-8"), playthrough(game, players, options)
        difference = list(difflib.unified_diff(old.splitlines(), new.splitlines(), "on file", "now", lineterm="", n=1))
        need(not difference, f"{path} has changed:\n" + "\n".join(difference[:SHOWN_DIFFERENCE]))
        steps += new.count("\nMove ")
    return f"{len(recipes(game))} playthroughs, {steps} moves"
