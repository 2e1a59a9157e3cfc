"""Web Push by the standard: the server's key (VAPID, RFC 8292), and messages that one browser alone can read (RFC 8291)."""

from __future__ import annotations

import base64
import json
import os
import time
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)

from perankh.web.outbound import BadTarget

DAY = 24 * 3600
LONGEST_TOPIC = 32
RECORD = 4096  # bytes of a record at most; push services take no longer message
LAST_RECORD = b"\2"  # what ends the text of the last record


def new_key() -> str:
    """A new key of the server, as text."""
    key = ec.generate_private_key(ec.SECP256R1())
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()


class Push:
    """Encrypts and signs messages with the key of the server."""

    def __init__(self, key: str) -> None:
        loaded = load_pem_private_key(key.encode(), password=None)
        assert isinstance(loaded, ec.EllipticCurvePrivateKey)
        self.key = loaded

    @property
    def public_key(self) -> str:
        """What browsers need to subscribe."""
        return encoded(point_of(self.key))

    def message(self, subscription: dict[str, Any], said: dict[str, Any], site: str, topic: str) -> tuple[bytes, dict[str, str]]:
        """Body and headers of a request to a push service. A later message with the same topic replaces one that still waits."""
        endpoint, keys = subscription["endpoint"], subscription["keys"]
        plain = json.dumps(said, ensure_ascii=False).encode()
        once = ec.generate_private_key(ec.SECP256R1())
        body = encrypted(plain, decoded(keys["p256dh"]), decoded(keys["auth"]), once, os.urandom(16))
        audience = "/".join(endpoint.split("/")[:3])
        contact = site if site.startswith("https:") else "mailto:nobody@invalid.example"
        token = self.signed({"aud": audience, "sub": contact, "exp": int(time.time()) + DAY // 2})
        return body, {
            "Authorization": f"vapid t={token},k={self.public_key}",
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(DAY),
            "Urgency": "normal",
            "Topic": topic[:LONGEST_TOPIC],
        }

    def signed(self, claims: dict[str, Any]) -> str:
        """A JSON Web Token, signed with ECDSA over P-256 (ES256)."""
        token = ".".join(encoded(json.dumps(part).encode()) for part in ({"typ": "JWT", "alg": "ES256"}, claims))
        halves = decode_dss_signature(self.key.sign(token.encode(), ec.ECDSA(hashes.SHA256())))
        return f"{token}.{encoded(b''.join(half.to_bytes(32) for half in halves))}"


def encrypted(plain: bytes, receiver: bytes, secret: bytes, key: ec.EllipticCurvePrivateKey, salt: bytes) -> bytes:
    """A message for the browser with this public key and secret, in one record (RFC 8188, `aes128gcm`)."""

    def derived(salt: bytes, material: bytes, info: bytes, length: int) -> bytes:
        return HKDF(hashes.SHA256(), length, salt, info).derive(material)

    sender = point_of(key)
    shared = key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), receiver))
    material = derived(secret, shared, b"WebPush: info\0" + receiver + sender, 32)
    sealing = AESGCM(derived(salt, material, b"Content-Encoding: aes128gcm\0", 16))
    nonce = derived(salt, material, b"Content-Encoding: nonce\0", 12)
    header = salt + RECORD.to_bytes(4) + bytes([len(sender)]) + sender
    return header + sealing.encrypt(nonce, plain + LAST_RECORD, None)


def point_of(key: ec.EllipticCurvePrivateKey) -> bytes:
    """The public part of a key."""
    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def checked_subscription(given: Any) -> dict[str, Any]:
    """A browser's subscription, if it has what a message needs."""
    try:
        endpoint, keys = given["endpoint"], given["keys"]
        point, secret = decoded(keys["p256dh"]), decoded(keys["auth"])
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
        if len(point) != 65 or len(secret) != 16 or not isinstance(endpoint, str):
            raise ValueError("wrong lengths")
    except (KeyError, TypeError, ValueError, AttributeError):
        raise BadTarget("this is not a subscription of a browser") from None
    return {"endpoint": endpoint, "keys": {"p256dh": keys["p256dh"], "auth": keys["auth"]}}


def encoded(data: bytes) -> str:
    """Bytes as the standard writes them."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decoded(text: str) -> bytes:
    """Bytes that were written so."""
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
