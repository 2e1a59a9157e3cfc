"""Play in the terminal: people and bots at one keyboard."""

from __future__ import annotations

import random
import sys
from pathlib import Path

from perankh.errors import MoveError, PerankhError
from perankh.match.match import WORDS, Match, View

COMMANDS = ("/undo", "/board", "/save", "/quit", "/help")


class Quit(PerankhError):
    """The people left before the end."""


class Terminal:
    """A match on standard input and output. Seats not in `people` are played by a bot."""

    def __init__(self, match: Match, people: list[int], lang: str, bot: str, bot_seed: int | None = None) -> None:
        self.match = match
        self.people = people
        self.lang = lang
        self.bot = bot
        self.bot_seeds = random.Random(bot_seed)
        self.shown = 0  # moves of the log that were shown
        self.last_person: int | None = None

    def say(self, key: str, **filled: object) -> str:
        """A text in the language of the match."""
        return WORDS.say(key, self.lang, **filled)

    def run(self) -> None:
        """Play until the end, or until somebody leaves (Quit)."""
        print(f"{self.match.title(self.lang)}. {self.say('play.hash', hash=self.match.seed_hash)}")
        if self.people:
            print(self.say("play.help"))
        while not self.match.over:
            actors = self.match.actors
            bots = [p for p in actors if p not in self.people]
            if bots:
                self.bot_moves(bots[0])
            else:
                self.person_moves(actors[0])
        self.show_log(self.only_person())
        self.show_end()

    def only_person(self) -> int:
        """The viewer of what everybody sees: the only person, or a spectator where there are several or none."""
        return self.people[0] if len(self.people) == 1 else -1

    def hand_over(self, p: int) -> None:
        """In a game with hidden information, clear the screen before another person sees it."""
        if len(self.people) > 1 and self.match.game.hidden and self.last_person not in (None, p):
            if sys.stdout.isatty():
                print("\033[2J\033[H", end="")
            self.ask(self.say("play.handover", player=self.match.name(p, self.lang)))
        self.last_person = p

    def bot_moves(self, p: int) -> None:
        """Make the bot's move for seat p."""
        self.match.play(self.match.bot(self.bot, p, self.bot_seeds.getrandbits(64)))

    def person_moves(self, p: int) -> None:
        """Show the position to a person and make the move that is typed."""
        self.hand_over(p)
        self.show_log(p)
        view = self.match.view(p)
        print(f"\n{view.text(self.lang)}\n")
        self.show_moves(view)
        while True:
            typed = self.ask(self.say("play.prompt")).strip()
            command = next((name for name in COMMANDS if len(typed) > 1 and name.startswith(typed)), typed)
            if command in ("?", "/help", "help"):
                print(self.say("play.help"))
                self.show_moves(view)
            elif command == "/undo":
                self.undo(p)
                return
            elif command == "/board":
                print(view.text(self.lang))
            elif command == "/save":
                self.save()
            elif command == "/quit":
                raise Quit(self.say("play.left"))
            elif typed and self.try_move(typed, p):
                return

    def show_moves(self, view: View) -> None:
        """The decision at hand and its moves, by code and sentence."""
        print(self.match.game.text.prompt(view.state, view.player, self.lang))
        longest = max(len(move.code) for move in view.moves)
        for move in view.moves:
            print(f"  {move.code:{longest}}  {move.sentence(self.lang)}")

    def try_move(self, typed: str, p: int) -> bool:
        """Make the move, or say why it was refused."""
        try:
            self.match.play(typed, p)
        except MoveError as refusal:
            print(refusal.reason[self.lang])
            return False
        return True

    def undo(self, p: int) -> None:
        """Take back everything since p's last decision."""
        earlier = [number for number, (q, _) in enumerate(self.match.played) if q == p]
        try:
            self.match.undo(len(self.match.played) - earlier[-1] if earlier else len(self.match.played) + 1)
            self.shown = min(self.shown, len(self.match.played))
        except MoveError as refusal:
            print(refusal.reason[self.lang])

    def save(self) -> None:
        """Ask for a file name and save there."""
        path = Path(self.ask(self.say("play.save_prompt")).strip())
        try:
            self.match.save(path)
            print(self.say("play.saved", path=path))
        except PerankhError as error:
            print(error)

    def show_log(self, viewer: int) -> None:
        """Print the log since it was last shown."""
        for lines in self.match.log_by_move(viewer, self.lang)[self.shown :]:
            for line in lines:
                print(f"  {line}")
        self.shown = len(self.match.played)

    def show_end(self) -> None:
        """The final position, the places and the seed."""
        match = self.match
        print(f"\n{match.view(self.only_person()).text(self.lang)}\n")
        print(self.say("play.over", reason=match.reason(self.lang)))
        for rank, p in sorted((rank, p) for p, rank in enumerate(match.ranks)):
            print("  " + self.say("play.result", rank=rank, player=match.name(p, self.lang), score=match.scores[p]))
        print(self.say("play.seed", seed=f"{match.seed:032x}", hash=match.seed_hash))

    def ask(self, prompt: str) -> str:
        """A line from the keyboard; the end of input quits."""
        try:
            return input(prompt)
        except EOFError:
            print()
            raise Quit(self.say("play.left")) from None
