"""Who somebody is: a secret token in a cookie or a bearer header; only its hash is ever stored. `devices` knows whose it is."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets

from starlette.requests import HTTPConnection
from starlette.responses import Response

from perankh.web.devices import Devices
from perankh.web.refusal import Refused, refused

COOKIE = "perankh"
TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")
YEAR = 365 * 24 * 3600


def digest(token: str) -> str:
    """What is stored of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


def same(owner: str | None, who: str | None) -> bool:
    """Are both the same person? Takes the same time either way."""
    return owner is not None and who is not None and hmac.compare_digest(owner, who)


def token_of(connection: HTTPConnection) -> str | None:
    """The token that came with a request; a broken bearer token is refused, a broken cookie ignored."""
    header = connection.headers.get("authorization")
    if header is not None:
        kind, _, token = header.partition(" ")
        if kind.lower() != "bearer" or not TOKEN.fullmatch(token.strip()):
            raise refused(401, "bad_token")
        return token.strip()
    token = connection.cookies.get(COOKIE, "")
    return token if TOKEN.fullmatch(token) else None


def device_of(connection: HTTPConnection) -> str | None:
    """The digest of the token that came with a request; that of a program that was signed out is refused."""
    token = token_of(connection)
    if token is None:
        return None
    device = digest(token)
    if "authorization" in connection.headers and devices_of(connection).is_signed_out(device):
        raise refused(401, "signed_out")
    return device


async def meet(connection: HTTPConnection) -> None:
    """Before anything is asked about whoever a request comes from: learn whose device it is, if another server knows more."""
    try:
        token = token_of(connection)
    except Refused:
        return  # whoever needs the token refuses it
    if token:
        await devices_of(connection).meet(digest(token))


def who_is(connection: HTTPConnection) -> str | None:
    """The person a request comes from; None if it brings no token, or that of a device that was signed out."""
    device = device_of(connection)
    return devices_of(connection).person_of(device) if device else None


def devices_of(connection: HTTPConnection) -> Devices:
    """The devices that the server knows."""
    devices: Devices = connection.app.state.devices
    return devices


def is_browser(connection: HTTPConnection) -> bool:
    """Browsers name the page they ask from; programs do not."""
    return "origin" in connection.headers or "sec-fetch-site" in connection.headers


class Visitor:
    """Somebody who needs a token: the one that came, or a new one."""

    def __init__(self, connection: HTTPConnection) -> None:
        self.connection = connection
        who = who_is(connection)
        self.made = None if who else new_token()
        self.who = who or digest(self.made or "")
        self.device = digest(self.made) if self.made else device_of(connection) or ""

    def welcome(self, response: Response, answer: dict[str, object]) -> dict[str, object]:
        """Hand out a new token."""
        return hand_out(self.connection, response, answer, self.made) if self.made else answer


def new_token() -> str:
    """A token that nobody can guess."""
    return secrets.token_urlsafe(32)


def hand_out(connection: HTTPConnection, response: Response, answer: dict[str, object], token: str) -> dict[str, object]:
    """Give a token to a browser as a cookie that scripts cannot read, to a program in the answer."""
    if is_browser(connection):
        set_cookie(connection, response, token)
    else:
        answer["token"] = token
    return answer


def set_cookie(connection: HTTPConnection, response: Response, token: str) -> None:
    """Have a browser keep a token for a year from now."""
    public = connection.app.state.site.origin
    secure = connection.url.scheme == "https" or (public is not None and public[0] == "https")
    response.set_cookie(
        COOKIE, token, max_age=YEAR, path=f"{connection.app.state.site.root}/", httponly=True, samesite="lax", secure=secure
    )


def renew_cookie(connection: HTTPConnection, response: Response) -> None:
    """Whoever comes back keeps the cookie for another year."""
    token = connection.cookies.get(COOKIE, "")
    if TOKEN.fullmatch(token) and who_is(connection):
        set_cookie(connection, response, token)
