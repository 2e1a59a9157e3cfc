"""Passkeys: what is accepted of a browser, with an authenticator made of code; tests/browser/test_me.py uses a real browser."""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import cbor2
import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from starlette.requests import HTTPConnection
from webauthn.helpers import bytes_to_base64url

from perankh.web import one_time, passkeys
from perankh.web.devices import Devices
from perankh.web.passkeys import Party, party_of
from perankh.web.people import People
from perankh.web.refusal import Refused
from perankh.web.services import Services
from perankh.web.site import make_site
from perankh.web.storage import Storage
from perankh.web.tables import Tables

from .conftest import in_a_loop

HERE = Party("games.example", "https://games.example")
PRESENT, VERIFIED, ATTESTED = 1, 4, 64


class Authenticator:
    """A security key that does what it is told, also what no browser would."""

    def __init__(self) -> None:
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.id = b"credential"
        self.count = 1

    def data(self, host: str, flags: int) -> bytes:
        self.count += 1
        data = hashlib.sha256(host.encode()).digest() + bytes([flags]) + struct.pack(">I", self.count)
        if flags & ATTESTED:
            point = self.key.public_key().public_numbers()
            cose = {1: 2, 3: -7, -1: 1, -2: point.x.to_bytes(32, "big"), -3: point.y.to_bytes(32, "big")}
            data += bytes(16) + struct.pack(">H", len(self.id)) + self.id + cbor2.dumps(cose)
        return data

    def answer(self, **response: bytes) -> dict[str, Any]:
        parts = {name: bytes_to_base64url(value) for name, value in response.items()}
        shown = bytes_to_base64url(self.id)
        return {"id": shown, "rawId": shown, "type": "public-key", "response": parts}

    def client(self, kind: str, challenge: str, origin: str) -> bytes:
        return json.dumps({"type": kind, "challenge": challenge, "origin": origin}).encode()

    def make(self, options: Any, party: Party = HERE, flags: int = PRESENT | VERIFIED | ATTESTED) -> dict[str, Any]:
        attested = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": self.data(party.host, flags)})
        client = self.client("webauthn.create", options["challenge"], party.origin)
        return self.answer(attestationObject=attested, clientDataJSON=client)

    def use(self, options: Any, party: Party = HERE, flags: int = PRESENT | VERIFIED) -> dict[str, Any]:
        data, client = self.data(party.host, flags), self.client("webauthn.get", options["challenge"], party.origin)
        signature = self.key.sign(data + hashlib.sha256(client).digest(), ec.ECDSA(hashes.SHA256()))
        return self.answer(authenticatorData=data, clientDataJSON=client, signature=signature)


def refusal(work: Any) -> str:
    with pytest.raises(Refused) as raised:
        work()
    return str(raised.value)


class Challenges:
    """The challenges of a server, without its routes."""

    def __init__(self, data: str) -> None:
        self.storage = Storage(data)
        self.people = People(Tables(Services(self.storage, (0, 0), 60, 60, 1), 300), Devices(self.storage))

    def run(self, work: Any) -> Any:
        """What comes of a call."""
        return in_a_loop(work)

    def fresh(self, person: str = "me") -> Any:
        """What a browser is given to make a passkey."""
        return self.run(self.people.challenge(passkeys.creation_options(HERE, person, "Ada", []), person))

    def made(self, credential: dict[str, Any]) -> dict[str, Any]:
        """The row of a passkey that was made."""
        return passkeys.made_passkey(self.run(self.people.answered(credential, "me")), HERE, "me", credential)

    def ask(self) -> Any:
        """What a browser is given to use a passkey."""
        return self.run(self.people.challenge(passkeys.request_options(HERE)))

    def used(self, row: Any, credential: dict[str, Any]) -> int:
        """How often a passkey was used."""
        return passkeys.new_count(self.run(self.people.answered(credential)), HERE, row, credential)

    def close(self) -> None:
        """End the processes."""
        self.run(self.people.tables.services.close())
        self.storage.close()


@pytest.fixture
def challenges(any_data: str) -> Iterator[Challenges]:
    found = Challenges(any_data)
    yield found
    found.close()


def test_a_passkey_is_made_for_one_person_at_one_place(challenges: Challenges) -> None:
    key, fresh = Authenticator(), challenges.fresh
    options = fresh()
    assert options["rp"]["id"] == "games.example"
    assert options["authenticatorSelection"]["userVerification"] == "required"
    assert "me" not in options["user"]["id"]
    assert fresh()["user"]["id"] == options["user"]["id"] != fresh("other")["user"]["id"]
    made = key.make(options)
    row = challenges.made(made)
    assert (row["id"], row["person"]) == (bytes_to_base64url(b"credential"), "me")
    assert "used before" in refusal(lambda: challenges.made(made))
    elsewhere = Party("games.example", "https://evil.example")
    for wrong in (
        key.make(fresh(), Party("evil.example", "https://games.example")),
        key.make(fresh(), elsewhere),
        key.make(fresh(), flags=PRESENT | ATTESTED),  # nobody made sure that it is the person
    ):
        assert "not accepted" in refusal(lambda wrong=wrong: challenges.made(wrong))
    assert "used before" in refusal(lambda: challenges.made(key.make(fresh("other"))))
    for nonsense in ({}, {"response": 3}, {"response": {"clientDataJSON": "e30"}}, {"response": {"clientDataJSON": "\ud800"}}):
        assert "not accepted" in refusal(lambda nonsense=nonsense: challenges.made(nonsense))


def test_a_passkey_signs_for_its_own_challenge_only(challenges: Challenges, monkeypatch: pytest.MonkeyPatch) -> None:
    key, fresh = Authenticator(), challenges.ask
    row = SimpleNamespace(**challenges.made(key.make(challenges.fresh())))
    signed = key.use(fresh())
    row.sign_count = challenges.used(row, signed)
    assert "used before" in refusal(lambda: challenges.used(row, signed))
    for wrong in (
        Authenticator().use(fresh()),
        key.use(fresh(), Party("games.example", "https://evil.example")),
        key.use(fresh(), Party("evil.example", "https://games.example")),
        key.use(fresh(), flags=PRESENT),
    ):
        assert "not accepted" in refusal(lambda wrong=wrong: challenges.used(row, wrong))
    key.count = 0  # a copy of the key, which has been used less often
    assert "not accepted" in refusal(lambda: challenges.used(row, key.use(fresh())))
    late = key.use(fresh())
    now = one_time.time.time() + passkeys.LIFETIME + 1
    monkeypatch.setattr(one_time.time, "time", lambda: now)
    assert "took too long" in refusal(lambda: challenges.used(row, late))


@pytest.mark.parametrize(
    ("public", "host", "origin", "scheme", "found"),
    [
        ("https://games.example", "games.example", "", "http", Party("games.example", "https://games.example")),
        ("https://games.example:8443", "games.example", "", "http", Party("games.example", "https://games.example:8443")),
        (None, "localhost:8000", "http://localhost:8000", "http", Party("localhost", "http://localhost:8000")),
        (None, "localhost:8000", "", "http", Party("localhost", "http://localhost:8000")),
        (None, "127.0.0.1:8000", "http://127.0.0.1:8000", "http", None),
        (None, "[::1]:8000", "", "https", None),
        (None, "nile.local", "http://nile.local", "http", None),
        (None, "nile.local", "", "https", Party("nile.local", "https://nile.local")),
        (None, "", "", "http", None),
    ],
)
def test_where_browsers_offer_passkeys(public: str | None, host: str, origin: str, scheme: str, found: Party | None) -> None:
    app = SimpleNamespace(state=SimpleNamespace(site=make_site("0.0.0.0", public)))
    headers = [(b"host", host.encode()), *([(b"origin", origin.encode())] if origin else [])]
    scope = {"type": "http", "scheme": scheme, "path": "/", "query_string": b"", "headers": headers, "app": app}
    assert party_of(HTTPConnection(scope)) == found
