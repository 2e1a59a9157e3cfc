"""Telling what changed at the table of Egizia: lines are collected, and what a line has said is marked as seen."""

from __future__ import annotations

from perankh.engine.text import listed

from .cards import field_colour
from .monuments import board, cheapest, cost_of, obelisk_height, row_bricks, row_length
from .printed import (
    ABILITIES,
    CARD_EFFECTS,
    CARDS,
    COLUMNS,
    CREWS,
    DOCKS,
    GRAIN_LOSS,
    IMPROVERS,
    MARKETS,
    PURPLE_COLUMN,
    ROW_SPACES,
    ROW_VP,
    SPHINX_DOCK,
    STATUE_NAMES,
    STATUES_IN_PLAY,
    TRAIN,
    YELLOW_COLUMN,
)
from .sentences import dock_code_name, field_name, finishing_points, row_winner, tile_points
from .speech import (
    LOCATION_CODES,
    WORDS,
    bonus_text,
    bonus_title,
    card_title,
    colour_name,
    counted,
    crew_name,
    dock_name,
    dock_of,
    market_name,
    points_text,
    seat_name,
    stones_text,
    tile_title,
)
from .table import COLUMN, FIRST_DOCK, FIRST_SPECULATION, FIRST_TILE, OBELISK, ROW, STATUE, State


class Telling:
    """The lines told so far; `seen` is the table as they tell it, `new` the table they are to lead to. Both are changed."""

    def __init__(self, before: State, lang: str) -> None:
        self.seen = before.copy()
        self.new = before
        self.lang = lang
        self.lines: list[str] = []

    def say(self, key: str, p: int, **words: object) -> None:
        """One more line, about p."""
        self.lines.append(WORDS.say(key, self.lang, who=seat_name(p, self.lang), **words))

    def points(self, n: int) -> str:
        """A number of points in words."""
        return points_text(n, self.lang)

    # --- Whatever a line has not told ---------------------------------------------------------------------------

    def rest(self) -> None:
        """Crews, markets, stones, points and fields that changed without having been told; then they are seen."""
        for p in range(self.new.players):
            found = [*self.crews(p), *self.markets(p), *self.gains(p)]
            if found:
                self.say("then.changes", p, changes=listed(found, self.lang))
        self.improved()
        self.seen = self.new

    def crews(self, p: int) -> list[str]:
        """Crews of p that are stronger or weaker."""
        found = []
        for crew in range(len(CREWS)):
            if self.new.strength[p][crew] != self.seen.strength[p][crew]:
                found.append(WORDS.say("then.crew", self.lang, crew=crew_name(crew, self.lang), n=self.new.strength[p][crew]))
        return found

    def markets(self, p: int) -> list[str]:
        """Markets on which p moved."""
        found = []
        for market in range(len(MARKETS)):
            if self.new.market[p][market] != self.seen.market[p][market]:
                name = market_name(market, self.lang)
                found.append(WORDS.say("then.market", self.lang, market=name, n=self.new.market[p][market]))
        return found

    def gains(self, p: int) -> list[str]:
        """Stones, points and tokens of p."""
        found = []
        if self.new.stones[p] != self.seen.stones[p]:
            stones = stones_text(self.new.stones[p] - self.seen.stones[p], self.lang)
            found.append(WORDS.say("then.stones", self.lang, stones=stones))
        if self.new.vp[p] != self.seen.vp[p]:
            found.append(WORDS.say("then.points", self.lang, points=self.points(self.new.vp[p] - self.seen.vp[p])))
        if self.new.tokens[p] > self.seen.tokens[p]:
            found.append(WORDS.say("then.token", self.lang))
        return found

    def improved(self) -> None:
        """Fields whose colour became better, and an improver that waits for a field."""
        for i, improver in enumerate(IMPROVERS):
            p = next((q for q in range(self.new.players) if (self.new.held[q] >> improver) & 1), -1)
            if self.new.improved[i] != self.seen.improved[i]:
                field = self.new.improved[i] - 1
                colour = colour_name(field_colour(self.new, p, field), self.lang)
                self.say("then.improved", p, field=field_name(self.new, p, field, self.lang), colour=colour)
            elif p >= 0 and self.seen.source == 1 + improver and not self.new.source and not self.new.improved[i]:
                self.say("then.waits" if self.new.improver_waits else "then.void", p, card=card_title(improver, self.lang))

    # --- Ships, cards and tiles ---------------------------------------------------------------------------------

    def uses(self, p: int) -> None:
        """Cards and colonnade tiles that p has used."""
        cards = (self.seen.held[p] & ~self.new.held[p]) | (self.new.spent & ~self.seen.spent & ~TRAIN)
        for card in range(CARDS):
            if (cards >> card) & 1 and CARD_EFFECTS[card][0][0] in ABILITIES:
                self.say("log.uses", p, what=card_title(card, self.lang))
        for place in range(2):
            if ((self.new.closed_eye[p] & ~self.seen.closed_eye[p]) >> place) & 1:
                self.say("log.uses", p, what=bonus_title(self.new.bonus_tile[place], self.lang))

    def arrival(self, p: int, location: int) -> None:
        """A ship has arrived somewhere, or is still on its way."""
        place, dock = LOCATION_CODES[location], dock_of(location)
        if self.new.ships[p] == self.seen.ships[p]:
            self.say("log.heads", p, place=place)
        elif location < FIRST_TILE:
            self.say("log.card", p, place=place, card=card_title(self.seen.river[location] - 1, self.lang))
        elif location < FIRST_DOCK:
            self.say("log.tile", p, place=place, tile=tile_title(self.seen.laid[location - FIRST_TILE], self.lang))
        elif location < FIRST_SPECULATION:
            self.say("log.dock", p, place=place, dock=dock_name(dock, self.lang))
        else:
            self.say("log.speculate", p, place=f"D{dock + 1}", dock=dock_name(dock, self.lang))

    def passes(self) -> None:
        """Players who have no ship or no place left."""
        for p in range(self.new.players):
            if ((self.new.passed & ~self.seen.passed) >> p) & 1:
                self.say("then.passes", p)
        self.seen.passed = self.new.passed

    # --- Building -----------------------------------------------------------------------------------------------

    def flips(self, p: int) -> None:
        """Crews that p has turned face down, and the strength they bring the build to."""
        crews = [crew for crew in range(len(CREWS)) if ((self.new.flipped[p] & ~self.seen.flipped[p]) >> crew) & 1]
        if crews:
            strength = self.seen.power + sum(self.seen.strength[p][crew] for crew in crews)
            names = listed([WORDS.say("log.crew", self.lang, crew=crew_name(crew, self.lang)) for crew in crews], self.lang)
            self.say("log.flips", p, crews=names, n=strength)

    def brick(self, p: int) -> None:
        """The brick that p has put, with its cost, its points and its bonuses."""
        a = self.new_brick(p)
        if a < 0:
            return
        cost, more = cost_of(self.seen, p, a), tile_points(self.seen, p)
        scored = more if STATUE <= a < ROW else cost + more
        words = {"stones": stones_text(cost, self.lang), "points": self.points(scored)}
        if a == OBELISK:
            self.say("log.obelisk", p, n=obelisk_height(self.new), **words)
        elif a == COLUMN:
            self.say("log.column", p, n=self.new.columns[p], **words)
        elif a < ROW:
            name = STATUE_NAMES[self.new.statue[a - STATUE] - 1]
            self.say("log.statue_points" if more else "log.statue", p, n=self.new.level[p][a - STATUE], name=name, **words)
        else:
            self.say("log.row", p, row=a - ROW + 1, **words)
        self.seen.stones[p] -= cost
        self.seen.vp[p] += scored
        if a == COLUMN:
            self.column_bonus(p)
        elif a >= ROW:
            self.row_bonus(a - ROW)

    def new_brick(self, p: int) -> int:
        """Where p has put a brick, as an action; -1: nowhere."""
        found = -1
        if obelisk_height(self.new) > obelisk_height(self.seen):
            found = OBELISK
        elif self.new.columns[p] > self.seen.columns[p]:
            found = COLUMN
        for place in range(STATUES_IN_PLAY):
            if self.new.level[p][place] > self.seen.level[p][place]:
                found = STATUE + place
        for row, spaces in enumerate(ROW_SPACES[board(self.new)]):
            if spaces and row_length(self.new, row) > row_length(self.seen, row):
                found = ROW + row
        return found

    def column_bonus(self, p: int) -> None:
        """The tile or the finishing bonus that a column brings."""
        for place, column in enumerate((YELLOW_COLUMN, PURPLE_COLUMN)):
            if self.new.columns[p] == column:
                tile = self.new.bonus_tile[place]
                self.say("then.tile", p, tile=bonus_title(tile, self.lang), text=bonus_text(tile, self.lang))
        if self.new.columns[p] == COLUMNS:
            self.say("then.finished", p, points=self.points(finishing_points(self.seen)))
            self.seen.vp[p] += finishing_points(self.seen)

    def row_bonus(self, row: int) -> None:
        """Who is paid for a row that is now complete."""
        spaces = ROW_SPACES[board(self.new)][row]
        if row_length(self.new, row) == spaces:
            winner = row_winner(self.new.pyramid[row][:spaces])
            scored = row_bricks(self.new, winner, row) * ROW_VP
            self.say("then.row", winner, row=row + 1, points=self.points(scored))
            self.seen.vp[winner] += scored

    def draw(self, p: int) -> None:
        """Sphinx cards that p has drawn."""
        if self.new.draws > self.seen.draws:
            n = self.new.draw_size[self.new.draws - 1]
            self.say("log.draw", p, cards=counted("cards", n, self.lang), stones=stones_text(n, self.lang))
            self.seen.stones[p] = self.new.stones[p]

    def joins(self) -> None:
        """Speculating ships that have moved into a dock."""
        for dock in range(DOCKS):
            ship = self.seen.speculator[dock]
            if ship and not self.new.speculator[dock] and ship in self.new.dock[dock]:
                self.say("then.joins", ship - 1, dock=dock_code_name(dock, self.lang))

    def cannot_build(self, p: int, dock: int) -> None:
        """A ship has left its dock because its owner cannot build there."""
        why = WORDS.say(f"why.{self.obstacle(p, dock)}", self.lang)
        self.say("then.cannot", p, dock=dock_code_name(dock, self.lang), why=why)

    def obstacle(self, p: int, dock: int) -> str:
        """Why p cannot build at a dock."""
        cost = 1
        if dock == SPHINX_DOCK and self.new.tape_end == self.new.tape_top:
            return "deck"
        if dock != SPHINX_DOCK:
            cost = cheapest(self.new, p, dock)
        if cost == 0:
            return "nothing"
        return "stones" if self.new.stones[p] < cost else "crews"

    # --- Feeding ------------------------------------------------------------------------------------------------

    def missing(self, p: int, grain: int) -> None:
        """What missing grain has cost p."""
        lost = grain * GRAIN_LOSS[self.new.market[p][0] - 1]
        if lost:
            self.say("then.short", p, n=grain, points=self.points(lost))
            self.seen.vp[p] -= lost
