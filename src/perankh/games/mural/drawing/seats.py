"""What the players have earned: the combo table, the tracks with their markers, and a panel for each player."""

from functools import lru_cache

from perankh.engine.text import listed
from perankh.scene import Sprite, group, players_listed
from perankh.scene.layout import Box, label, length, name_label

from ..rules import actions, scoring
from ..rules.components import COMBO_CARDS, COMBO_STEPS, MOST_PLACEMENTS, POINTS, TRACK_CELLS, TRACKS, Track
from ..rules.state import State, Step
from ..text import bonus, say, seat_name, track_name
from .cards import hand
from .layout import SEAT_COLOURS, Layout

TRACK_COLOURS = ("gold", "malachite", "carnelian")


@group
def combo_table(s: State, lang: str, at: Layout) -> list[Sprite]:
    """What each number of placed cards earns; the present number stands out."""
    box = at.combo
    side = 30.0
    step = (box.w - side) / MOST_PLACEMENTS
    heights = [box.y + box.h * part for part in (0.16, 0.5, 0.82)]
    drawn = [
        Sprite(
            f"combo-{name}",
            symbol=f"icon-{name}",
            x=box.x + 13,
            y=y,
            width=20,
            height=20,
            colour="gold",
            alt=say(f"scene.{name}", lang),
        )
        for name, y in zip(("placed", "steps", "cards"), heights, strict=True)
    ]
    columns = [Box(box.x + side + k * step, box.y, step - 2, box.h) for k in range(MOST_PLACEMENTS)]
    for k, column in enumerate(columns):
        earned = bonus(COMBO_STEPS[s.combo_table][k], COMBO_CARDS[s.combo_table][k], lang)
        alt = say("scene.combo_entry", lang, count=k + 1, bonus=earned)
        drawn.append(column.sprite(f"combo-{k + 1}", "column", alt=alt))
    if s.placed and s.step != Step.OVER:
        drawn.append(columns[s.placed - 1].sprite("combo-now", "column-now"))
    for k, column in enumerate(columns):
        steps, cards = COMBO_STEPS[s.combo_table][k], COMBO_CARDS[s.combo_table][k]
        texts = (str(k + 1), f"+{steps}" if steps else "-", str(cards) if cards else "-")
        for line, (text, y) in enumerate(zip(texts, heights, strict=True)):
            name = f"combo-{k + 1}-{line}"
            drawn.append(
                label(name, text, column.middle[0], y, 13, bold=line == 0 or text != "-", ink="ink" if text != "-" else "sand")
            )
    return drawn


def tracks(s: State, lang: str, at: Layout) -> list[Sprite]:
    """The three tracks with everybody's marker."""
    return [sprite for track in range(len(TRACKS)) for sprite in one_track(s, track, lang, at)]


@group
def one_track(s: State, track: int, lang: str, at: Layout) -> list[Sprite]:
    """A track with everybody's marker."""
    name, height = TRACKS[track], at.tracks.h / len(TRACKS)
    top = at.tracks.y + track * height
    head_y = top + 8
    title = track_name(track, lang)
    worth = POINTS[s.track_points][track][: s.players]
    places = listed([say(f"scene.place.{k + 1}", lang, points=n) for k, n in enumerate(worth)], lang)
    strip = Box(at.tracks.x, top + 17, at.tracks.w, height - 21)
    return [
        label(f"track-{name}", title, at.tracks.x + 2, head_y, 14, bold=True, align="start"),
        label(f"track-{name}-points", places, at.tracks.x + at.tracks.w - 2, head_y, 11, align="end"),
        *track_cells(s, track, name, strip),
        *markers(s, track, name, strip, lang),
    ]


def track_cells(s: State, track: int, name: str, strip: Box) -> list[Sprite]:
    """The printed cells of a track; markers hide the number."""
    count = TRACK_CELLS[track]
    occupied = {abs(s.track[track][p]) % count for p in range(s.players)}
    step = strip.w / count
    drawn = []
    for k in range(count):
        x, y = strip.x + (k + 0.5) * step, strip.y + strip.h / 2
        text = "" if k in occupied else str(-k if track == Track.MISS else k)
        symbol = ("step" if k else "step-zero") + ("-broad" if step > 40 else "")
        colour = TRACK_COLOURS[track]
        drawn.append(
            Sprite(
                f"step-{name}-{k}", symbol=symbol, x=x, y=y, width=step - 1.5, height=strip.h, colour=colour, text=text, size=12
            )
        )
    return drawn


def markers(s: State, track: int, name: str, strip: Box, lang: str) -> list[Sprite]:
    """Everybody's marker on a track; a ring tells of a lap already run."""
    count = TRACK_CELLS[track]
    step = strip.w / count
    drawn = []
    for p in range(s.players):
        value = s.track[track][p]
        lap, cell = divmod(abs(value), count)
        here = [q for q in range(s.players) if abs(s.track[track][q]) % count == cell]
        x, y, size = stand(here.index(p), len(here), Box(strip.x + cell * step, strip.y, step, strip.h))
        what = say("scene.marker", lang, player=seat_name(p, lang), track=track_name(track, lang), value=value)
        if lap:
            ring = f"lap-{min(lap, 2)}"
            drawn.append(Sprite(f"lap-{name}-{p}", symbol=ring, x=x, y=y, width=size * 1.24, height=size * 1.24, alt=what))
        drawn.append(
            Sprite(
                f"marker-{name}-{p}", symbol=f"emblem-{p}", x=x, y=y, width=size, height=size, colour=SEAT_COLOURS[p], alt=what
            )
        )
    return drawn


def stand(number: int, of: int, cell: Box) -> tuple[float, float, float]:
    """Middle and size of one of several markers in a cell: side by side, or zigzag where the cell is narrow."""
    x, y = cell.middle
    size = 20.0
    if of == 1:
        return x, y, size
    if cell.w >= of * size * 0.7:
        return x + (number - (of - 1) / 2) * min(size + 1, (cell.w - size) / (of - 1)), y, size
    size = {2: 18.0, 3: 15.0}.get(of, 13.0)
    drop = min(size, (cell.h - size) / (of - 1))
    sway = 0 if drop > size * 0.9 else (cell.w - size) / 2 * (1 if number % 2 else -1)
    return x + sway, y + (number - (of - 1) / 2) * drop, size


def seats(s: State, near: int, lang: str, at: Layout) -> list[Sprite]:
    """A panel for each player: name, markers, points, and the hand as far as it is known."""
    drawn = list(panels(s, near, at))
    for k, p in enumerate(order_of(s.players, near)):
        drawn += seat(s, p, p == near, lang, panel_box(k, s.players, at))
    return drawn


@group
def panels(s: State, near: int, at: Layout) -> list[Sprite]:
    """The panels without what is on them; that of the player on turn is marked."""
    boxes = {p: panel_box(k, s.players, at) for k, p in enumerate(order_of(s.players, near))}
    drawn = [box.sprite(f"panel-{p}", "panel") for p, box in boxes.items()]
    if s.step != Step.OVER:
        drawn.append(boxes[s.turn].sprite("turn", "panel-active"))
    return drawn


def order_of(players: int, near: int) -> list[int]:
    """The seats from the top panel down: the one before the viewer comes last."""
    return [(near + 1 + k) % players for k in range(players)]


@lru_cache
def panel_box(k: int, players: int, at: Layout) -> Box:
    """The panel number k from the top."""
    gap = 5
    height = (at.seats.h + gap) / players - gap
    return Box(at.seats.x, at.seats.y + k * (height + gap), at.seats.w, height)


@group
def seat(s: State, p: int, near: bool, lang: str, box: Box) -> list[Sprite]:
    """A player's name, markers and points, and the hand as far as it is known, unless it lies before the viewer."""
    y = box.middle[1]
    name = seat_name(p, lang)
    numbers = values(s, p, lang)
    drawn = [
        Sprite(f"seat-{p}", symbol=f"emblem-{p}", x=box.x + 22, y=y, width=32, height=32, colour=SEAT_COLOURS[p], alt=name),
        name_label(f"name-{p}", name, box.x + 44, y - 10, 15, 140),
        label(f"values-{p}", numbers, box.x + 44, y + 10, 11, align="start"),
        Sprite(
            f"count-icon-{p}",
            symbol="icon-cards",
            x=box.x + box.w - 36,
            y=y + 10,
            width=17,
            height=17,
            alt=say("scene.hand_of", lang, player=name),
        ),
        label(f"count-{p}", str(actions.hand_size(s, p)), box.x + box.w - 8, y + 10, 13, align="end"),
    ]
    if not players_listed():
        score = say("scene.points", lang, points=scoring.points(s, p))
        drawn.append(label(f"points-{p}", score, box.x + box.w - 8, y - 10, 15, bold=True, align="end"))
    if s.step == Step.OVER and scoring.final_place(s, p) == 1:
        drawn.append(Sprite(f"crown-{p}", symbol="crown", x=box.x + box.w - 76, y=y - 11, width=24, height=18))
    elif not near:
        left = max(190, 50 + length(numbers, 11))
        room = Box(box.x + left, box.y + 4, box.w - left - 62, box.h - 8)
        drawn += hand(s, p, room, 36, lang)
    return drawn


def values(s: State, p: int, lang: str) -> str:
    """Where a player's markers stand; at the end also their sum, which breaks ties."""
    key = "scene.values_sum" if s.step == Step.OVER else "scene.values"
    combo, area, miss = s.track[Track.COMBO][p], s.track[Track.AREA][p], s.track[Track.MISS][p]
    return say(key, lang, combo=combo, area=area, miss=miss, sum=scoring.marker_sum(s, p))
