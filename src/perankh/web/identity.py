"""Who somebody is: a secret token in a cookie or a bearer header; only its hash is ever stored."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets

from starlette.requests import HTTPConnection
from starlette.responses import Response

from perankh.web.refusal import refused

COOKIE = "perankh"
TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")
YEAR = 365 * 24 * 3600


def digest(token: str) -> str:
    """What is stored of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


def same(owner: str | None, who: str | None) -> bool:
    """Do both digests belong to one token? Takes the same time either way."""
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


def who_is(connection: HTTPConnection) -> str | None:
    """The digest of the token that came with a request."""
    token = token_of(connection)
    return digest(token) if token else None


def is_browser(connection: HTTPConnection) -> bool:
    """Browsers name the page they ask from; programs do not."""
    return "origin" in connection.headers or "sec-fetch-site" in connection.headers


class Visitor:
    """Somebody who needs a token: the one that came, or a new one."""

    def __init__(self, connection: HTTPConnection) -> None:
        self.connection = connection
        found = token_of(connection)
        self.made = None if found else secrets.token_urlsafe(32)
        self.who = digest(found or self.made or "")

    def welcome(self, response: Response, answer: dict[str, object]) -> dict[str, object]:
        """Hand out a new token: to a browser as a cookie that scripts cannot read, to a program in the answer."""
        if self.made and is_browser(self.connection):
            public = self.connection.app.state.site.origin
            secure = self.connection.url.scheme == "https" or (public is not None and public[0] == "https")
            response.set_cookie(COOKIE, self.made, max_age=YEAR, path="/", httponly=True, samesite="lax", secure=secure)
        elif self.made:
            answer["token"] = self.made
        return answer
