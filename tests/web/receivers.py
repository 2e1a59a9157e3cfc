"""A mail server, and a receiver of push messages and webhooks, for tests: both listen on this computer and keep what they get."""

from __future__ import annotations

import base64
import email
import email.policy
import json
import os
import socket
import threading
import time
from collections.abc import Callable
from email.message import EmailMessage
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import http_ece
from aiosmtpd.controller import Controller
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat


def wait_until(done: Callable[[], Any], seconds: float = 60) -> Any:
    """The first true value of a function."""
    deadline = time.monotonic() + seconds
    while not (found := done()):
        assert time.monotonic() < deadline, "it does not come"
        time.sleep(0.02)
    return found


class MailServer:
    """An SMTP server that keeps every mail."""

    def __init__(self) -> None:
        self.mails: list[EmailMessage] = []
        self.raw: list[bytes] = []
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.controller = Controller(self, hostname="127.0.0.1", port=self.port)
        self.controller.start()

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:
        mail = email.message_from_bytes(envelope.content, policy=email.policy.default)
        assert isinstance(mail, EmailMessage)
        self.raw.append(envelope.content)
        self.mails.append(mail)
        return "250 OK"

    def to(self, address: str) -> list[EmailMessage]:
        return [mail for mail in self.mails if mail["To"] == address]

    def stop(self) -> None:
        self.controller.stop()


class Receiver:
    """An HTTP server that keeps every request; `answers` are the statuses that a path gives next, then 201.

    Below `/slow/` it answers nothing before `hurry` is set.
    """

    def __init__(self) -> None:
        self.got: list[tuple[str, dict[str, str], bytes]] = []
        self.answers: dict[str, list[int]] = {}
        self.hurry = threading.Event()
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                receiver.got.append((self.path, {name.lower(): value for name, value in self.headers.items()}, body))
                if self.path.startswith("/slow/"):
                    receiver.hurry.wait(60)
                waiting = receiver.answers.get(self.path)
                status = waiting.pop(0) if waiting else 201
                self.send_response(status)
                if status == 302:
                    self.send_header("Location", f"{receiver.address}/elsewhere")
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.host = f"127.0.0.1:{self.server.server_port}"
        self.address = f"http://{self.host}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def at(self, path: str) -> list[tuple[dict[str, str], bytes]]:
        return [(headers, body) for where, headers, body in self.got if where == path]

    def stop(self) -> None:
        self.server.shutdown()
        self.server.server_close()


class Subscriber:
    """A browser that has subscribed to push messages, and can read them."""

    def __init__(self, receiver: Receiver, path: str) -> None:
        self.receiver, self.path = receiver, path
        self.key, self.secret = ec.generate_private_key(ec.SECP256R1()), os.urandom(16)

    @property
    def subscription(self) -> dict[str, Any]:
        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return {"endpoint": self.receiver.address + self.path, "keys": {"p256dh": text(point), "auth": text(self.secret)}}

    def read(self, server_key: str) -> list[dict[str, Any]]:
        """All messages so far; each has to be signed by the server, for this push service."""
        found = []
        for headers, body in self.receiver.at(self.path):
            check_signature(headers["authorization"], server_key, self.receiver.address)
            assert headers["content-encoding"] == "aes128gcm"
            assert int(headers["ttl"]) > 0
            plain = http_ece.decrypt(body, private_key=self.key, auth_secret=self.secret, version="aes128gcm")
            found.append(json.loads(plain))
        return found


def check_signature(authorization: str, server_key: str, audience: str) -> None:
    """A token of VAPID: signed with the key that browsers were given."""
    scheme, _, rest = authorization.partition(" ")
    parts = dict(part.strip().split("=", 1) for part in rest.split(","))
    assert (scheme, parts["k"]) == ("vapid", server_key)
    signed, _, signature = parts["t"].rpartition(".")
    claims = json.loads(data(signed.partition(".")[2]))
    assert claims["aud"] == audience
    assert time.time() < claims["exp"] < time.time() + 24 * 3600
    r, s = (int.from_bytes(half) for half in (data(signature)[:32], data(signature)[32:]))
    key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), data(server_key))
    key.verify(encode_dss_signature(r, s), signed.encode(), ec.ECDSA(hashes.SHA256()))


def text(value: bytes) -> str:
    return base64.urlsafe_b64encode(value).rstrip(b"=").decode()


def data(value: str) -> bytes:
    return base64.urlsafe_b64decode(value + "=" * (-len(value) % 4))
