"""Seeds drawn by several hands: the calculation, match files that tell of it, and `perankh verify`."""

from __future__ import annotations

import hashlib
import random
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from perankh.errors import BadFile
from perankh.match import Match, load
from perankh.match.deal import Contribution, Deal, commitment_to, server_contribution
from perankh.match.file import text_of
from perankh.match.forfeits import Forfeits
from tests.forked import finished

SECRET = bytes(range(32))
DEAL = Deal(SECRET, (Contribution("player", b"\x11" * 32), server_contribution(SECRET, 1)))


def sealed(text: str) -> str:
    """A file with a seal that fits, whatever it says: anybody can compute one."""
    body = text.rpartition("seal: ")[0]
    return body + f"seal: {hashlib.sha256(body.encode()).hexdigest()}\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A finished match from a seed that was drawn by a player and the server."""
    match = Match("mural", 2, DEAL.seed, names=["Ani", ""])
    match.deal = DEAL
    luck = random.Random(1)
    while not match.over:
        match.play(luck.choice(match.moves()))
    path = tmp_path / "match.perankh"
    match.save(path)
    return path


def verify(path: Path) -> subprocess.CompletedProcess[str]:
    return finished("perankh.cli", "verify", str(path))


def test_the_calculation_is_the_documented_one() -> None:
    assert DEAL.commitment == commitment_to(SECRET) == hashlib.sha256(SECRET).hexdigest()
    derived = hashlib.sha256(b"perankh contribution\n" + SECRET + b"\x01").digest()
    assert DEAL.contributions[1] == ("server", derived)
    digest = hashlib.sha256(b"perankh deal\n" + SECRET + b"\x11" * 32 + derived).hexdigest()
    assert f"{DEAL.seed:032x}" == digest[:32]


def test_a_file_keeps_the_deal_and_shows_it_only_with_the_seed(file: Path) -> None:
    match = load(file)
    assert match.deal == DEAL
    assert match.copy().deal == DEAL
    assert text_of(match) == file.read_text()
    hidden = text_of(match, reveal=False)
    assert SECRET.hex() not in hidden
    assert "commitment" not in hidden


def test_verify_says_what_holds_and_what_cannot_be_proved(file: Path) -> None:
    done = verify(file)
    assert done.returncode == 0, done.stdout + done.stderr
    assert DEAL.commitment in done.stdout
    assert f"seat 0, Ani: {'11' * 32}, its player" in done.stdout
    assert "the server" in done.stdout
    assert "The file cannot prove:\n- that this commitment was shown before the deal" in done.stdout
    assert "lead to the recorded result" in done.stdout
    match = load(file)
    match.deal = None
    match.save(file)
    done = verify(file)
    assert done.returncode == 0
    assert "- where the seed comes from" in done.stdout
    assert "commitment " not in done.stdout.partition("cannot prove")[0]


def test_verify_and_replay_say_who_has_resigned(file: Path) -> None:
    match = load(file).at(20)
    match.forfeits = Forfeits((0,), ended=True)
    match.save(file)
    done = verify(file)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"lead to a match that is not over; points {match.scores[0]} {match.scores[1]}." in done.stdout
    assert "The file says: Ani resigned.\nPlaces: Ani 2, Blue 1. Whoever has forfeited comes last.\n" in done.stdout
    assert "The file cannot prove:\n- that anybody has resigned or lost on time: no move shows it;\n" in done.stdout
    told = finished("perankh.cli", "replay", str(file), "--lang", "ja").stdout
    assert "\nAniの投了で対局が終わりました。\nseed " in told
    assert "投了" not in finished("perankh.cli", "replay", str(file), "--lang", "ja", "--at", "19").stdout


def swap(pattern: str, put: str) -> Callable[[str], str]:
    return lambda text: re.sub(pattern, put, text, count=1, flags=re.M)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (swap(r"^secret: ..", "secret: ff"), "the secret is not the one that was committed to"),
        (swap(r"^commitment: ..", "commitment: zz"), "the secret is not the one that was committed to"),
        (swap(r"^contribution 0: player ..", "contribution 0: player 12"), "the seed does not follow"),
        (swap(r"^contribution 1: server ..", "contribution 1: server zz"), "64 hexadecimal digits"),
        (swap(r"^contribution 1: server", "contribution 1: player"), None),  # who sent it, the file cannot prove
        (swap(r"^contribution 0: player", "contribution 0: server"), "does not follow from the secret"),
        (swap(r"^contribution 1: .*\n", ""), "has 1 contributions for 2 seats"),
        (swap(r"^contribution 1:", "contribution 2:"), "should be the contribution of seat 1"),
        (swap(r"^contribution 0: player", "contribution 0: nobody"), "is by 'server' or 'player'"),
        (swap(r"^scores: \d+", "scores: 999"), "the recorded result is not the one"),
        (swap(r"^seed: .*", f"seed: {7:032x}"), "the seed does not belong to the seed hash"),
        (
            lambda text: swap(r"^seed-hash: .*", f"seed-hash: {Match('mural', 2, 7).seed_hash}")(
                swap(r"^seed: .*", f"seed: {7:032x}")(text)
            ),
            "the seed does not follow from the secret and the contributions",
        ),
    ],
)
def test_whatever_was_changed_afterwards_is_found(file: Path, change: Callable[[str], str], reason: str | None) -> None:
    text = file.read_text()
    assert change(text) != text
    file.write_text(sealed(change(text)))
    if reason is None:
        load(file)
        return
    with pytest.raises(BadFile, match=reason):
        load(file)


def test_verify_fails_with_the_reason(file: Path) -> None:
    file.write_text(sealed(file.read_text().replace("secret: 00", "secret: 01")))
    done = verify(file)
    assert (done.returncode, done.stderr) == (1, "")
    assert "NOT VERIFIED" in done.stdout
    assert "the secret is not the one that was committed to" in done.stdout
    missing = verify(file.with_name("nothing"))
    assert missing.returncode == 2
    assert "cannot be read" in missing.stderr
