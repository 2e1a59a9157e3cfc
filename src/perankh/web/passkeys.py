"""Passkeys (WebAuthn): a key that a browser or a security key holds, by which a person is recognised on any device.

Browsers offer them over https, and at localhost; never for an address of numbers.
"""

from __future__ import annotations

import hashlib
import json
import re
import time
from dataclasses import dataclass
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy import Connection
from starlette.requests import HTTPConnection
from webauthn import (
    generate_authentication_options,
    generate_registration_options,
    options_to_json,
    verify_authentication_response,
    verify_registration_response,
)
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url
from webauthn.helpers.exceptions import WebAuthnException
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from perankh.web.refusal import Refused, refused
from perankh.web.site import Site, host_and_port, literal, origin_of
from perankh.web.storage import passkeys

LIFETIME = 300.0  # seconds for which a challenge can be answered
KIND = "passkey"  # of one-time secret
MOST_PASSKEYS = 10  # of one person
CREDENTIAL = re.compile(r"[A-Za-z0-9_-]{1,1364}")  # an id of at most 1,023 bytes, as the standard says


@dataclass(frozen=True)
class Party:
    """For whom a passkey is: the host, and the origin of its pages."""

    host: str
    origin: str


class Options(NamedTuple):
    """What a browser is given, and the challenge in it, which can be answered once."""

    challenge: bytes
    facts: Any


def party_of(connection: HTTPConnection) -> Party | None:
    """For whom passkeys are under the address that a request came to; None where browsers offer none."""
    site: Site = connection.app.state.site
    asked = host_and_port(connection.headers.get("host", ""))
    origin = origin_of(connection.headers.get("origin", "")) or site.origin
    if origin is None and asked:
        origin = (connection.url.scheme, asked[0], asked[1] or {"http": 80, "https": 443}[connection.url.scheme])
    if origin is None or literal(origin[1]) is not None:
        return None
    scheme, host, port = origin
    if scheme != "https" and host != "localhost":
        return None
    usual = port == (443 if scheme == "https" else 80)
    return Party(host, f"{scheme}://{host}" if usual else f"{scheme}://{host}:{port}")


def checked_party(connection: HTTPConnection) -> Party:
    """The same, or a refusal."""
    party = party_of(connection)
    if party is None:
        raise refused(409, "no_passkeys_here")
    return party


def challenge_in(credential: dict[str, Any]) -> bytes:
    """The challenge that a credential answers."""
    try:
        text = base64url_to_bytes(credential["response"]["clientDataJSON"])
        return base64url_to_bytes(json.loads(text)["challenge"])
    except (KeyError, TypeError, ValueError, RecursionError):
        raise refused(422, "bad_passkey") from None


# --- Making one ---------------------------------------------------------------------------------------------------------------


def creation_options(party: Party, person: str, name: str, known: list[str]) -> Options:
    """What a browser needs to make a passkey. The authenticator must make sure that it is the person, by a PIN or the like."""
    made = generate_registration_options(
        rp_id=party.host,
        rp_name="Per-Ankh",
        user_id=hashlib.sha256(b"passkey " + person.encode()).digest(),
        user_name=name or "Per-Ankh",
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.REQUIRED, user_verification=UserVerificationRequirement.REQUIRED
        ),
        exclude_credentials=[PublicKeyCredentialDescriptor(id=base64url_to_bytes(id)) for id in known],
    )
    return Options(made.challenge, json.loads(options_to_json(made)))


def made_passkey(challenge: bytes, party: Party, person: str, credential: dict[str, Any]) -> dict[str, Any]:
    """The row of a passkey that a browser has made."""
    try:
        made = verify_registration_response(
            credential=credential,
            expected_challenge=challenge,
            expected_rp_id=party.host,
            expected_origin=party.origin,
            require_user_verification=True,
        )
    except Exception as error:  # the library raises more than its own errors at what is malformed
        raise not_accepted(error) from None
    id = bytes_to_base64url(made.credential_id)
    if not CREDENTIAL.fullmatch(id):
        raise refused(422, "bad_passkey")
    return {
        "id": id,
        "person": person,
        "public_key": bytes_to_base64url(made.credential_public_key),
        "sign_count": made.sign_count,
        "created": time.time(),
    }


# --- Using one ----------------------------------------------------------------------------------------------------------------


def request_options(party: Party) -> Options:
    """What a browser needs to use any passkey of this host."""
    made = generate_authentication_options(rp_id=party.host, user_verification=UserVerificationRequirement.REQUIRED)
    return Options(made.challenge, json.loads(options_to_json(made)))


def select_passkey(connection: Connection, credential: dict[str, Any]) -> Any:
    """The stored passkey that a credential names."""
    id = credential.get("id")
    if not isinstance(id, str) or not CREDENTIAL.fullmatch(id):
        return None
    return connection.execute(sa.select(passkeys).where(passkeys.c.id == id)).first()


def new_count(challenge: bytes, party: Party, row: Any, credential: dict[str, Any]) -> int:
    """Check that a credential was signed by a stored passkey; the number of its uses."""
    try:
        return verify_authentication_response(
            credential=credential,
            expected_challenge=challenge,
            expected_rp_id=party.host,
            expected_origin=party.origin,
            credential_public_key=base64url_to_bytes(row.public_key),
            credential_current_sign_count=row.sign_count,
            require_user_verification=True,
        ).new_sign_count
    except Exception as error:  # the library raises more than its own errors at what is malformed
        raise not_accepted(error) from None


def not_accepted(error: Exception) -> Refused:
    """The refusal of a credential: malformed, or not what it should be."""
    return refused(403 if isinstance(error, WebAuthnException) else 422, "bad_passkey")
