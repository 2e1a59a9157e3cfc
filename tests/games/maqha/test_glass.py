"""Maqha: the glass and the classic rules, with the figures of the rule specification."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from perankh.engine import loops
from perankh.engine.simulate import simulate
from perankh.errors import BadOption
from perankh.games.maqha.rules import glass
from perankh.games.maqha.rules.actions import DROP
from perankh.games.maqha.rules.components import CLASSIC_FILL, DOME_VOLUME, ENERGY, MARGIN, MARGIN_SHARE, TOKENS, VOLUME, Liquid
from perankh.games.maqha.rules.glass import (
    capacity,
    dome_height,
    isqrt,
    kick_of,
    least_volume,
    liquid_of,
    most_volume,
    overflows,
    pour,
    rim_angle,
)
from perankh.games.maqha.rules.state import RuleSet
from perankh.games.maqha.text import board
from perankh.games.maqha.text.names import capacity_text
from perankh.games.maqha.text.outlooks import coins_left, holding, spills_of, zones
from perankh.testing import clause

from . import calibration
from .positions import GAME, NEVER_SPILLS, draws, laid_out, legal, new, order, play, random_games, step

WATER, MIX, WHISKY = Liquid

SHUFFLE = tuple(range(20, 0, -1))  # draws that leave the deck as it is
ANGLE_70 = (105, 105, 105, 105)


def set_up(*numbers: int, players: int = 3, **options: Any) -> Any:
    """A game whose set-up draws are written out."""
    s = GAME.blank(players, options)
    with draws(*numbers):
        GAME.rules.setup(s)
    return s


def played(s: Any) -> Any:
    """The rules that a game shows as its option."""
    return GAME.shown_options(s)["rules"]


# --- Set-up ---------------------------------------------------------------------------------------------------


@clause("MAQ-S1")
def test_two_to_four_players_and_two_play_the_classic_rules() -> None:
    for players in (1, 5):
        with pytest.raises(BadOption, match="2 to 4 players"):
            new(players)
    assert [played(new(players)) for players in (2, 3, 4)] == ["classic", "advanced", "advanced"]
    assert [played(new(players, rules="classic")) for players in (2, 3, 4)] == ["classic"] * 3
    assert [step(new(2, rules=rules)) for rules in ("advanced", "classic")] == ["turn", "turn"]
    assert played(new(2, rules="advanced")) == "classic"


@clause("MAQ-S2")
def test_the_classic_rules_always_use_the_glass() -> None:
    s = new(4, rules="classic", vessel="tray")
    assert GAME.shown_options(s)["vessel"] == GAME.shown_options(new(2, vessel="tray"))["vessel"] == "glass"
    assert s.readings == 1
    while not s.over:
        assert step(s) == "turn"
        play(s, "drop1")
    assert s.height == [0] * 12
    assert new(3, vessel="tray").readings == 0


@clause("MAQ-S3", "MAQ-G6")
@pytest.mark.parametrize(("liquid", "code"), [("water", WATER), ("mix", MIX), ("whisky", WHISKY)])
def test_a_classic_glass_has_a_slight_dome_and_ten_coins_beside_it(liquid: str, code: int) -> None:
    shares = set()
    for seed in range(300):
        s = new(2, seed, liquid=liquid)
        assert (s.supply, s.dealt, s.added, s.peak) == ([10, 0, 0], 0, 0, 0)
        assert 0 < s.v0 < s.vcrit
        fits = [f for f in range(1, 100) if s.vcrit * f // 100 == s.v0]
        shares.add(fits[0])
    assert (min(shares), max(shares)) == tuple(CLASSIC_FILL[code])


@clause("MAQ-S6")
def test_the_draws_of_the_set_up_come_in_their_order() -> None:
    s = GAME.blank(3, {"rules": "classic"})
    with draws(2, *ANGLE_70, 9, 250) as bounds:
        GAME.rules.setup(s)
    assert bounds == [3, 211, 211, 211, 211, 19, 501]
    s = GAME.blank(3, {})
    with draws(*SHUFFLE, *ANGLE_70, 200, 140, 250) as bounds:
        GAME.rules.setup(s)
    assert bounds == [*range(21, 1, -1), 211, 211, 211, 211, 361, 361, 501]
    s = GAME.blank(3, {"vessel": "tray"})
    with draws(*SHUFFLE) as bounds:
        GAME.rules.setup(s)
    assert bounds == [*range(21, 1, -1)]


@clause("MAQ-S7")
def test_a_classic_game_is_begun_by_anybody_or_by_the_seat_chosen() -> None:
    starts = Counter(new(4, seed, rules="classic").thrower for seed in range(400))
    assert sorted(starts) == [0, 1, 2, 3]
    assert min(starts.values()) > 60
    for seat in range(3):
        s = set_up(*ANGLE_70, 9, 250, rules="classic", start_player=seat)  # no draw for the seat
        assert s.thrower == seat
    assert new(3, start_player=1).thrower == -1  # no start player in the advanced rules


# --- Classic turns --------------------------------------------------------------------------------------------


@clause("MAQ-C1")
def test_a_turn_drops_any_number_of_coins_that_are_left() -> None:
    s = new(2)
    s.vcrit = NEVER_SPILLS
    assert legal(s) == " ".join(f"drop{n}" for n in range(1, 11))
    with draws(40, 40, 250):  # one release: two draws for the kick, one for the reading
        play(s, "drop7")
    assert (s.supply[0], s.inside[0], s.added) == (3, 7, 1050)
    assert legal(s) == "drop1 drop2 drop3"


@clause("MAQ-C1")
@pytest.mark.parametrize(("limit", "most"), [("one", "drop1"), ("two", "drop1 drop2")])
def test_a_limit_keeps_the_coins_few(limit: str, most: str) -> None:
    s = new(4, rules="classic", classic_limit=limit)
    assert legal(s) == most
    s.supply[0] = 1
    assert legal(s) == "drop1"


@clause("MAQ-C2")
def test_who_spills_loses_and_all_others_win() -> None:
    s = new(4, rules="classic", start_player=2)
    s.vcrit = 0
    play(s, "drop1")
    assert (GAME.ending(s), s.spiller, GAME.ranks(s)) == ("spill", 2, [1, 1, 4, 1])
    assert GAME.actors(s) == []


@clause("MAQ-C3", "MAQ-G12")
def test_without_a_spill_the_glass_settles_and_the_left_neighbour_is_next() -> None:
    s = new(3, rules="classic", start_player=1)
    s.vcrit = NEVER_SPILLS
    seats = []
    for n in range(4):
        seats.append(s.thrower)
        play(s, "drop2")
        assert (s.wave, s.readings, s.reading_at[n + 1]) == (0, n + 2, s.added)
    assert seats == [1, 2, 0, 1]


@clause("MAQ-C4")
def test_the_last_coin_without_a_spill_is_a_draw() -> None:
    s = new(3, rules="classic")
    s.vcrit = NEVER_SPILLS
    play(s, "drop9 drop1")
    assert (GAME.ending(s), s.spiller, GAME.ranks(s), GAME.scores(s)) == ("no_spill", -1, [1, 1, 1], [0, 0, 0])


@clause("MAQ-C5")
def test_nobody_can_do_anything_but_drop_coins_and_waiting_changes_nothing() -> None:
    for before, p, _, after in random_games(40, 3, rules="classic"):
        assert set(GAME.legal(before, p)) <= set(range(DROP, DROP + 10))
        assert (before.vcrit, before.v0) == (after.vcrit, after.v0)
        waited = before.copy()
        GAME.legal(waited, p)
        GAME.observation_of(waited, p)
        assert waited == before


# --- The model ------------------------------------------------------------------------------------------------


@clause("MAQ-G1")
def test_all_speeds_make_the_same_draws() -> None:
    for options in ({"rim_line": True, "steadiness_0": 175}, {"rules": "classic"}, {"vessel": "tray"}):
        runs = [simulate(GAME, 3, 3, seed=5, options=options, device=d, watch=loops.DIGESTS) for d in ("interpreted", "native")]
        assert np.array_equal(runs[0].report, runs[1].report)


@clause("MAQ-G1", "MAQ-G9")
def test_all_numbers_of_the_glass_fit_small_integers() -> None:
    assert sum(ENERGY[k] * TOKENS[k] for k in range(3)) == 945_000
    assert sum(VOLUME[k] * TOKENS[k] for k in range(3)) == 6_300
    assert max(map(max, DOME_VOLUME)) * 100 < 2**31


@clause("MAQ-G2")
def test_a_fresh_glass() -> None:
    s = new(3, 7)
    assert (s.added, s.wave, s.peak, s.readings, s.reading_at[0]) == (0, 0, 0, 1, 0)
    assert (liquid_of(s), liquid_of(new(2)), liquid_of(new(3, liquid="mix")), liquid_of(new(2, liquid="water"))) == (0, 2, 1, 0)
    seen = GAME.veiled(s, 0)
    assert (seen.vcrit, seen.v0, seen.reading) == (0, 0, s.reading)  # type: ignore[attr-defined]


@clause("MAQ-G3", "MAQ-G4")
@pytest.mark.parametrize(
    ("numbers", "angle", "volumes"),
    [
        ((0, 0, 0, 0), 350, (2061, 1599, 1496)),
        ((105, 105, 105, 105), 700, (4064, 3124, 2917)),
        ((50, 80, 120, 160), 690, (4007, 3081, 2877)),
        ((210, 210, 210, 210), 1100, (6155, 4655, 4332)),
    ],
)
def test_angle_and_capacity(numbers: tuple[int, ...], angle: int, volumes: tuple[int, ...]) -> None:
    s = new()
    with draws(*numbers):
        assert rim_angle(s) == angle
    assert tuple(capacity(liquid, angle) for liquid in (WATER, MIX, WHISKY)) == volumes


@clause("MAQ-G5", "MAQ-S4")
def test_a_level_glass_is_poured_with_a_small_error() -> None:
    s = new()
    for numbers, v0 in (((0, 0), -360), ((360, 360), 360), ((200, 140), -20)):
        with draws(*ANGLE_70, *numbers):
            pour(s)
        assert (s.v0, s.vcrit) == (v0, 4064)
    first = [new(3, seed).v0 for seed in range(1500)]
    assert abs(np.mean(first)) < 16
    assert 137 < np.std(first) < 157


@clause("MAQ-G7", "MAQ-G10", "MAQ-G11")
def test_a_release_kicks_first_then_adds_then_makes_its_wave_then_is_tested() -> None:
    s = new()
    s.vcrit, s.v0 = 1000, 0
    with draws(20, 20):
        assert not overflows(s, 0, 1, 0, 0)
    assert (s.added, s.wave, s.peak) == (150, 150, 300)
    with draws(20, 20):
        assert not overflows(s, 0, 1, 0, 0)  # half of the old wave is left
    assert (s.added, s.wave, s.peak) == (300, 225, 525)
    s.wave, s.vcrit = 101, NEVER_SPILLS
    with draws(20, 20):
        assert not overflows(s, 0, 0, 0, 1)
    assert s.wave == 240 + 50  # an odd wave is halved downwards


@clause("MAQ-G11")
def test_the_glass_holds_just_what_it_can() -> None:
    for vcrit, spills in ((300, False), (299, True)):
        s = new()
        s.v0, s.vcrit = 0, vcrit
        with draws(20, 20):
            assert overflows(s, 0, 1, 0, 0) == spills
        assert s.peak == (0 if spills else 300)


@clause("MAQ-G11")
def test_the_peak_is_the_largest_load_of_the_game() -> None:
    s = order(laid_out("anubis1 coin1 ankh1 coin2 ankh2"), "345", "234", "123")
    with draws(40, 40, 250, 0, 0, 250):
        play(s, "throw throw")
    assert (s.added, s.peak) == (450, 300 + 336)  # the coin came to 450 + 90 only


@clause("MAQ-G8")
def test_the_kick_of_one_token() -> None:
    s = new()
    for numbers, kicks in (
        ((0, 0), (90, 72, 144)),
        ((20, 20), (150, 120, 240)),
        ((40, 40), (210, 168, 336)),
        ((3, 4), (100, 80, 160)),
    ):
        for kind in range(3):
            with draws(*numbers) as bounds:
                assert kick_of(s, int(kind == 0), int(kind == 1), int(kind == 2)) == kicks[kind]
            assert bounds == [41, 41]


@clause("MAQ-G9")
@pytest.mark.parametrize(
    ("tokens", "strength"),
    [
        ((2, 0, 0), 212),
        ((3, 0, 0), 259),
        ((4, 0, 0), 300),
        ((5, 0, 0), 335),
        ((10, 0, 0), 474),
        ((0, 0, 3), 415),
        ((2, 0, 1), 320),
    ],
)
def test_the_kick_of_tokens_together(tokens: tuple[int, int, int], strength: int) -> None:
    s = new()
    for numbers, percent in (((40, 40), 100), ((0, 0), 20), ((80, 80), 180)):
        with draws(*numbers) as bounds:
            assert kick_of(s, *tokens) == strength * percent // 100
        assert bounds == [81, 81]
    for x in (0, 1, 2, 3, 4, 8, 9, 945_000):
        assert isqrt(x) ** 2 <= x < (isqrt(x) + 1) ** 2


@clause("MAQ-G13")
def test_the_height_of_the_dome() -> None:
    volumes = (-300, 0, 300, 1000, 2000, 4000)
    assert [dome_height(WATER, v) for v in volumes] == [-255, 0, 255, 850, 1684, 3249]
    assert [dome_height(WHISKY, v) for v in volumes] == [-234, 0, 234, 780, 1543, 2937]
    for liquid in (WATER, MIX, WHISKY):
        assert [dome_height(liquid, v) for v in DOME_VOLUME[liquid]] == list(glass.DOME_HEIGHT[liquid])


@clause("MAQ-G14")
def test_a_reading_is_off_by_at_most_its_error_and_the_same_for_all() -> None:
    s = new()
    for number, off in ((0, -250), (250, 0), (500, 250)):
        s.readings, s.v0 = 0, 300
        with draws(number) as bounds:
            glass.read_dome(s)
        assert (s.reading[0], bounds) == (255 + off, [501])
    for viewer in range(-1, 3):
        assert GAME.veiled(s, viewer).reading == s.reading  # type: ignore[attr-defined]
    exact = new(3, reading_error=0)
    assert exact.reading[0] == dome_height(WATER, exact.v0)
    assert "± 0.25" in board(s, 0, "en")


@clause("MAQ-G15")
def test_the_picture_is_made_from_the_reading_and_never_from_the_volume() -> None:
    s = laid_out("coin1 ankh1 anubis1 coin2 ankh2")
    s.reading[0] = 1180
    text = board(s, 0, "en")
    assert "dome 1.18 mm" in text
    assert "   2 mm" in text
    assert "   3 mm" not in text
    s.v0, s.vcrit = 360, 2100
    assert board(s, 0, "en") == text
    s.reading[0] = -120
    assert "1 mm" not in board(s, 0, "en")


@clause("MAQ-G16")
def test_the_glass_stays_hidden_until_the_game_is_over() -> None:
    last = new(3)
    for before, _, _, after in random_games(3, 3, seed=4):
        for viewer in range(-1, 3):
            seen: Any = GAME.veiled(before, viewer)
            assert (seen.vcrit, seen.v0) == (0, 0)
        last = after
        if after.over:
            seen = GAME.veiled(after, -1)
            assert (seen.vcrit, seen.v0) == (after.vcrit, after.v0)
            assert capacity_text(after, after.vcrit, "en") in board(seen, -1, "en")
    assert last.over


@clause("MAQ-G17")
@pytest.mark.parametrize(
    ("vcrit", "number", "sign"),
    [(1000, 8, 0), (404, 8, 1), (404, 0, 0), (353, 8, 1), (352, 8, 2), (330, 16, 2), (430, 7, 0), (430, 9, 1)],
)
def test_the_rim_line_tells_how_far_the_crest_came(vcrit: int, number: int, sign: int) -> None:
    s = laid_out("coin1 ankh1 anubis1 coin2 ankh2", rim_line=True)
    assert s.sign == 0
    order(s, "345", "234", "123")
    s.vcrit = vcrit
    with draws(20, 20, 250, number) as bounds:  # crest 150 + 150
        play(s, "throw")
    assert (s.sign, bounds[-2:]) == (sign, [501, 17])


@clause("MAQ-G17")
def test_the_crest_is_the_largest_of_the_throw_alone() -> None:
    s = laid_out("coin1 coin2 anubis1 coin3 ankh2", rim_line=True)
    order(s, "345", "234", "123")
    with draws(40, 40, 250, 8):
        play(s, "throw")
    assert s.surge == 0
    play(s, "throw")
    s.vcrit = 750
    with draws(40, 40, 0, 0, 250, 8):  # 300 + 210, then 450 + 105 + 90: the crest is 645
        play(s, "coin")
    assert s.sign == 2
    s = laid_out("anubis1 coin1 anubis1 coin2 ankh2", rim_line=True)
    order(s, "345", "234", "123")
    with draws(40, 40, 250, 8):
        play(s, "throw")  # crest 300 + 336
    s.vcrit = 740
    with draws(0, 0, 250, 8):
        play(s, "throw")  # crest 450 + 90 = 540, 72 per cent; the first one would be 85
    assert s.sign == 1


@clause("MAQ-G18")
def test_a_handicap_makes_larger_or_smaller_waves() -> None:
    for percent, wave in ((100, 150), (25, 37), (300, 450)):
        s = new(3, steadiness_1=percent)
        s.vcrit = NEVER_SPILLS
        with draws(20, 20):
            overflows(s, 1, 1, 0, 0)
        assert s.wave == wave
    s = new(4, steadiness_0=50, steadiness_2=200, steadiness_3=300)
    s.vcrit = NEVER_SPILLS
    waves = []
    for p in range(4):
        s.wave = 0
        with draws(20, 20):
            overflows(s, p, 1, 0, 0)
        waves.append(s.wave)
    assert waves == [75, 150, 300, 450]


# --- Games with the draws written out -------------------------------------------------------------------------


@clause("MAQ-G7", "MAQ-G14", "MAQ-T4")
def test_three_throws_into_a_glass_of_water() -> None:
    s = set_up(*SHUFFLE, *ANGLE_70, 200, 140, 250)
    assert (s.vcrit, s.v0, s.reading[0]) == (4064, -20, -17)
    s = relaid(s, "coin1 anubis3 ankh2 coin1 coin1")
    order(s, "345", "234", "123")
    with draws(20, 20, 130):
        play(s, "throw")
    assert (s.added, s.peak, s.reading[1], s.wave) == (150, 300, -10, 0)
    play(s, "throw")
    for numbers, result in (((40, 40), (450, 336, 786)), ((0, 0, 30, 10, 400), (1050, 0, 1446))):
        with draws(*numbers):
            play(s, "anubis")
        assert (s.added, s.wave, s.peak) == result  # the last token follows by itself
    assert s.reading[2] == 1025
    play(s, "throw")
    with draws(60, 20, 250):
        play(s, "all")
    assert (s.added, s.peak, s.reading[3]) == (1410, 1579, 1177)


def relaid(s: Any, text: str) -> Any:
    """The same glass with other cards in the slots."""
    twin = laid_out(text)
    for field in ("vcrit", "v0", "reading"):
        setattr(twin, field, getattr(s, field))
    return twin


@clause("MAQ-G10")
def test_the_waves_of_three_anubis_one_by_one() -> None:
    s = new()
    s.vcrit, s.added, s.peak = NEVER_SPILLS, 150, 300
    seen = []
    for numbers in ((40, 40), (0, 0), (30, 10)):
        with draws(*numbers):
            overflows(s, 0, 0, 0, 1)
        seen.append((s.added, s.wave, s.peak))
    assert seen == [(450, 336, 786), (750, 312, 1062), (1050, 396, 1446)]


@clause("MAQ-G6", "MAQ-C2")
def test_a_classic_game_of_whisky() -> None:
    s = set_up(*ANGLE_70, 9, 250, players=2, start_player=0)
    assert (s.vcrit, s.v0, s.reading[0]) == (2917, 1954, 1509)
    with draws(40, 40, 250):
        play(s, "drop3")
    assert (s.added, s.peak, s.reading[1]) == (450, 709, 1842)
    with draws(0, 20, 250):
        play(s, "drop2")
    assert (s.v0 + s.peak, s.reading[2]) == (2788, 2059)
    with draws(40, 40):
        play(s, "drop1")
    assert (s.wave, s.spiller, GAME.ranks(s)) == (210, 0, [2, 1])


# --- What a redealt glass knows -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options", [{}, {"liquid": "whisky"}, {"rules": "classic"}, {"reading_error": 0}, {"reading_error": 1000}]
)
def test_a_redealt_glass_fits_all_that_was_seen(options: dict[str, Any]) -> None:
    worlds = set()
    for number, (before, _, _, _) in enumerate(random_games(6, 3, seed=9, **options)):
        if number % 9 and before.rules == RuleSet.ADVANCED:
            continue
        world: Any = GAME.redealt(GAME.veiled(before, 0), number)
        assert world.vcrit - world.v0 >= before.peak
        for i in range(before.readings):
            true = dome_height(liquid_of(world), world.v0 + before.reading_at[i])
            assert abs(true - before.reading[i]) <= before.reading_error
        worlds.add((world.vcrit, world.v0))
    assert len(worlds) > 2


def test_the_interval_of_first_volumes_is_exact() -> None:
    for before, _, _, _ in random_games(2, 3, seed=12):
        low, high = least_volume(before), most_volume(before)
        assert low <= before.v0 <= high
        for v0 in (low - 1, low, high, high + 1):
            fits = all(
                abs(dome_height(WATER, v0 + before.reading_at[i]) - before.reading[i]) <= 250 for i in range(before.readings)
            )
            assert fits == (low <= v0 <= high) or abs(v0) > 360


def test_a_glass_that_no_draw_fits_is_made_to_fit() -> None:
    s = new(3, 3)
    s.added, s.peak, s.readings = 5700, 5800, 2
    s.v0, s.vcrit = 355, 6155
    s.reading = [dome_height(WATER, 355), dome_height(WATER, 6055), *s.reading[2:]]
    s.reading_at[1] = 5700
    s.reading_error = 1
    for seed in range(20):
        world: Any = GAME.redealt(GAME.veiled(s, 0), seed)
        assert world.vcrit - world.v0 >= 5800
        assert world.vcrit <= 6155
        assert least_volume(s) <= world.v0 <= most_volume(s)


# --- Measured figures -----------------------------------------------------------------------------------------

GAMES = 10_000


@pytest.mark.parametrize(
    ("liquid", "card", "card_sd", "token", "token_sd"),
    [("water", 13.28, 2.70, 18.80, 3.49), ("mix", 10.21, 2.32, 14.35, 2.81), ("whisky", 9.53, 2.23, 13.37, 2.67)],
)
def test_when_a_level_glass_spills(liquid: str, card: float, card_sd: float, token: float, token_sd: float) -> None:
    cards, tokens = calibration.glass(liquid, GAMES).T
    assert abs(cards.mean() - card) < 0.1
    assert abs(cards.std() - card_sd) < 0.1
    assert abs(tokens.mean() - token) < 0.14
    assert abs(tokens.std() - token_sd) < 0.12
    assert cards.max() <= 21


@pytest.mark.parametrize(
    ("liquid", "ones", "twos", "at_once", "never", "coin"),
    [("water", 0, 0, 0.08, 0.1, 5.7), ("mix", 0.19, 0.36, 2.0, 0.03, 5.5), ("whisky", 0.49, 0.76, 3.7, 0.1, 5.9)],
)
def test_coins_in_a_level_glass_and_in_the_classic_one(
    liquid: str, ones: float, twos: float, at_once: float, never: float, coin: float
) -> None:
    for number, percent in ((1, ones), (2, twos), (10, at_once)):
        spilled = 100 * (calibration.coins(liquid, GAMES, number, False)[:, 0] != calibration.NEVER).mean()
        assert abs(spilled - percent) < 0.1 + 4 * (percent / 100) ** 0.5
    dome = calibration.coins(liquid, GAMES, 1, True)[:, 1]
    assert 100 * (dome == calibration.NEVER).mean() < never + 0.15
    assert abs(dome[dome != calibration.NEVER].mean() - coin) < 0.1


@pytest.mark.parametrize(("liquid", "percents"), [("water", (0.2, 7, 43)), ("whisky", (0.8, 14, 53))])
def test_what_the_signs_of_the_rim_foretell(liquid: str, percents: tuple[float, ...]) -> None:
    for found, measured, tolerance in zip(calibration.rim_line(liquid, GAMES), percents, (0.3, 1.5, 2.5), strict=True):
        assert abs(found - measured) < tolerance


@pytest.mark.parametrize(
    ("players", "liquid", "cards", "throws", "points"),
    [(3, "water", 13.3, 12.8, 8.9), (4, "water", 13.3, 12.1, 8.0), (4, "whisky", 9.6, 0, 0)],
)
def test_whole_games_with_random_bids(players: int, liquid: str, cards: float, throws: float, points: float) -> None:
    rows = calibration.full_games(players, 250, liquid)
    means = rows.mean(axis=0)
    assert abs(means[0] - cards) < 0.6
    if throws:
        assert abs(means[1] - throws) < 0.6
        assert abs(means[2] - points) < 0.6
    assert (rows[:, 3] > 1).mean() < 0.08


@pytest.mark.parametrize(("liquid", "code"), [("water", WATER), ("mix", MIX), ("whisky", WHISKY)])
def test_the_margins_for_hints(liquid: str, code: int) -> None:
    found = calibration.margin_quantiles(liquid, 40_000, MARGIN_SHARE)
    for share, measured, printed in zip(MARGIN_SHARE, found, MARGIN[code], strict=True):
        assert abs(measured - printed) < (25 if 50 <= share <= 950 else 120)


# --- What a player reads off the glass ------------------------------------------------------------------------


@pytest.mark.parametrize("rules", ["advanced", "classic"])
def test_the_coins_a_glass_still_holds_are_about_right(rules: str) -> None:
    told = 0
    for before, _, _, _ in random_games(2, 3 if rules == "advanced" else 2, seed=11, rules=rules):
        seen: Any = GAME.veiled(before, 0)
        low, high = coins_left(seen, 0)
        assert 0 <= low <= high <= 10
        if 1 <= low < 10:
            assert spills_of(seen, 0, [low, 0, 0]) <= 45
            told += 1
        if high < 9:
            assert spills_of(seen, 0, [high + 2, 0, 0]) >= 55
    assert told


@pytest.mark.parametrize("liquid", list(Liquid))
def test_the_zones_of_the_scale_are_the_risks_of_one_more_coin(liquid: int) -> None:
    risk, danger = zones(liquid)
    assert 0 < risk < danger < 5000
    one = VOLUME[0] + 150
    for height, share in ((risk, 0.05), (danger, 0.33)):
        volume = next(v for v in range(9999) if glass.dome_height(liquid, v) >= height)
        assert 1 - holding(liquid, volume + one) == pytest.approx(share, abs=0.02)
