"""Playing in the terminal: people and bots at one keyboard."""

from __future__ import annotations

import random
import sys
from pathlib import Path

from perankh.bots import decide
from perankh.errors import MoveError, PerankhError
from perankh.match.match import WORDS, Match

COMMANDS = ("/undo", "/board", "/save", "/quit")


class Quit(PerankhError):
    """The people left the table."""


class Terminal:
    """A match on standard input and output. Seats not in `people` are played by a bot."""

    def __init__(self, match: Match, people: list[int], lang: str, bot: str, bot_seed: int | None = None) -> None:
        self.match = match
        self.people = people
        self.lang = lang
        self.bot = bot
        self.luck = random.Random(bot_seed)
        self.told = 0
        self.last_person: int | None = None

    def say(self, key: str, **filled: object) -> str:
        """Words of the house in the language of the table."""
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
        """The one person at the table, or a spectator's eyes where there are several or none."""
        return self.people[0] if len(self.people) == 1 else -1

    def hand_over(self, p: int) -> None:
        """With several people at a game of hidden cards, the screen changes hands unseen."""
        if len(self.people) > 1 and self.match.game.hidden and self.last_person not in (None, p):
            if sys.stdout.isatty():
                print("\033[2J\033[H", end="")
            self.ask(self.say("play.handover", player=self.match.name(p, self.lang)))
        self.last_person = p

    def bot_moves(self, p: int) -> None:
        """Let the bot decide from what p may know."""
        game = self.match.game
        self.match.play(decide(str(game.folder), vars(self.match.view(p).state), p, self.bot, self.luck.getrandbits(64)), p)

    def person_moves(self, p: int) -> None:
        """Show the table to a person and make the move that is typed."""
        self.hand_over(p)
        self.show_log(p)
        view = self.match.view(p)
        moves = view.moves
        print(f"\n{view.text(self.lang)}\n")
        print(self.match.game.text.prompt(view.state, p, self.lang))
        longest = max(len(move.code) for move in moves)
        for move in moves:
            print(f"  {move.code:{longest}}  {move.sentence(self.lang)}")
        while True:
            typed = self.ask(self.say("play.prompt")).strip()
            command = next((name for name in COMMANDS if len(typed) > 1 and name.startswith(typed)), typed)
            if command == "/undo":
                self.undo(p)
                return
            if command == "/board":
                print(view.text(self.lang))
            elif command == "/save":
                self.save()
            elif command == "/quit":
                raise Quit(self.say("play.left"))
            elif typed and self.try_move(typed, p):
                return

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
            self.told = min(self.told, len(self.match.played))
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
        """What happened since the log was last shown."""
        for line in self.match.log(viewer, self.lang)[self.told :]:
            print(f"  {line}")
        self.told = len(self.match.played)

    def show_end(self) -> None:
        """The final table, the places and the seed."""
        match = self.match
        print(f"\n{match.view(self.only_person()).text(self.lang)}\n")
        print(self.say("play.over", reason=match.reason(self.lang)))
        for rank, p in sorted((rank, p) for p, rank in enumerate(match.ranks)):
            print("  " + self.say("play.result", rank=rank, player=match.name(p, self.lang), score=match.scores[p]))
        print(self.say("play.seed", seed=f"{match.seed:032x}", hash=match.seed_hash))

    def ask(self, prompt: str) -> str:
        """A line from the keyboard; the end of input leaves the table."""
        try:
            return input(prompt)
        except EOFError:
            print()
            raise Quit(self.say("play.left")) from None
