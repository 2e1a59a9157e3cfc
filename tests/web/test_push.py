"""Messages of Web Push: the example of the standard, and what others make of ours (see also test_alerts.py)."""

from __future__ import annotations

import json
import os

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec

from perankh.web.push import Push, decoded, encoded, encrypted, new_key, point_of

from .receivers import check_signature


def test_the_example_of_the_standard() -> None:
    """RFC 8291, appendix A."""
    key = ec.derive_private_key(int.from_bytes(decoded("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")), ec.SECP256R1())
    receiver = decoded("BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4")
    secret, salt = decoded("BTBZMqHH6r4Tts7J_aSIgg"), decoded("DGv6ra1nlYgDCS1FRnbzlw")
    body = encrypted(b"When I grow up, I want to be a watermelon", receiver, secret, key, salt)
    assert encoded(body) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95b"
        "Qpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )


def test_a_message_is_read_by_its_browser_and_signed_by_the_server() -> None:
    browser, secret, said = ec.generate_private_key(ec.SECP256R1()), os.urandom(16), {"title": "あなたの番です"}
    keys = {"p256dh": encoded(point_of(browser)), "auth": encoded(secret)}
    push = Push(new_key())
    body, headers = push.message(
        {"endpoint": "https://push.example/one/two", "keys": keys}, said, "https://games.example", "t" * 40
    )
    assert json.loads(http_ece.decrypt(body, private_key=browser, auth_secret=secret, version="aes128gcm")) == said
    check_signature(headers["Authorization"], push.public_key, "https://push.example")
    assert len(headers["Topic"]) == 32
