"""The settings of a server, declared once: options, environment variables and the keys of the file follow from `Settings`.

A setting `address_tables` is the option `--address-tables`, the variable `PERANKH_ADDRESS_TABLES` and the key `address_tables` of
the TOML file. An option goes before a variable, a variable before the file, the file before the default.
"""

from __future__ import annotations

import argparse
import difflib
import os
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import Field, dataclass, field, fields
from pathlib import Path
from typing import Any

from perankh.errors import BadOption
from perankh.web.outbound import checked_hosts
from perankh.web.site import checked_host, checked_network, checked_public
from perankh.web.traces import endpoint_of

SWITCH = {"1": True, "yes": True, "true": True, "0": False, "no": False, "false": False}  # how a switch is written
PREFIX = "PERANKH_"
OTHER_VARIABLES = ("PERANKH_CONFIG", "PERANKH_GAMES", "PERANKH_CACHE", "PERANKH_PLAIN_COMPILE")  # those that are no settings
SHORTEST_TOKEN = 16
PASSWORD = re.compile(r"(?<=:)(?<!://)[^/@:]+(?=@)|(?<=password=)[^&]+")  # in the address of a database
Read = Callable[[Any], Any]  # from what somebody wrote to a value; ValueError or BadOption says what is wrong


# --- Kinds of values -----------------------------------------------------------------------------------------------------------


def text(value: Any) -> str:
    """Any text that is not empty."""
    if not isinstance(value, str) or not value:
        raise ValueError(f"{value!r} is not a text")
    return value


def whole(least: int = 1, most: int = 999_999_999) -> Read:
    """A whole number within bounds."""

    def read(value: Any) -> int:
        number = int(value) if isinstance(value, str) and value.isdecimal() and len(value) < 12 else value
        if type(number) is not int or not least <= number <= most:
            raise ValueError(f"{value!r} is not a whole number from {least} to {most}")
        return number

    return read


def switch(value: Any) -> bool:
    """Yes or no."""
    found = value if isinstance(value, bool) else SWITCH.get(value.lower()) if isinstance(value, str) else None
    if found is None:
        raise ValueError(f"{value!r} is not one of {', '.join(SWITCH)}")
    return found


def one_of(*choices: str) -> Read:
    """One of some words."""

    def read(value: Any) -> str:
        if value not in choices:
            raise ValueError(f"{value!r} is not one of {', '.join(choices)}")
        return str(value)

    return read


def level(value: Any) -> str:
    """A level of the bots."""
    from perankh.bots import LEVELS  # other commands read settings too, and need no bots

    return str(one_of(*LEVELS)(value))


def checked_by(check: Callable[[str], Any]) -> Read:
    """A text that a function of the part concerned accepts."""

    def read(value: Any) -> str:
        check(text(value))
        return str(value)

    return read


def token(value: Any) -> str:
    """A secret that cannot be guessed."""
    if len(text(value)) < SHORTEST_TOKEN:
        raise ValueError(f"it is shorter than {SHORTEST_TOKEN} characters")
    return str(value)


def setting(default: Any, help: str, metavar: str = "", read: Read = text, *, group: str = "", secret: bool = False) -> Any:
    """A setting of the server. One whose default is a tuple takes several values."""
    facts = {"help": help, "metavar": metavar, "read": read, "group": group, "secret": secret}
    return field(default=default, metadata=facts)


SITE, ALERTS = "behind a proxy or on the internet", "alerts when it is somebody's turn"
LIMITS = "limits (an address is an IPv4 address, or an IPv6 network of 64 bits)"
KEEPING, WATCHING = "how long tables are kept", "watching the server"


@dataclass(frozen=True)
class Settings:
    """All settings of a server."""

    host: str = setting("127.0.0.1", "address to listen on", "ADDRESS")
    port: int = setting(8000, "port to listen on; 0 takes any free one", "N", whole(0, 65535))
    data: str | None = setting(None, "where tables are kept: a folder, or the address of a database", "FOLDER")
    workers: int | None = setting(None, "processors for bots and views; all, if nothing is said", "N", whole())
    thinking: str = setting(
        "here", "where bots, hints and analyses are worked out: here, or elsewhere, by perankh work", "WHERE",
        one_of("here", "elsewhere"),
    )  # fmt: skip
    bot_levels: tuple[str, ...] = setting((), "a level of the bots that is offered; all, if nothing is said", "LEVEL", level)
    bot_rest: int = setting(120, "the bots of a table rest when nobody has looked at it for so long", "SECONDS", whole())
    no_open: bool = setting(False, "do not open a browser", read=switch)

    public_address: str | None = setting(
        None, "where people reach the server, such as https://games.example.org", "URL", checked_by(checked_public), group=SITE
    )
    allowed_host: tuple[str, ...] = setting((), "another name of the server", "NAME", checked_by(checked_host), group=SITE)
    trusted_proxy: tuple[str, ...] = setting(
        (), "a proxy whose X-Forwarded headers are believed", "ADDRESS[/BITS]", checked_by(checked_network), group=SITE
    )
    drain: int = setting(
        0, "when told to stop, first say so at /health/ready and go on for so long", "SECONDS", whole(0, 3600), group=SITE
    )

    smtp: str | None = setting(None, "mail server for e-mail alerts; without it there is no e-mail", "HOST[:PORT]", group=ALERTS)
    smtp_security: str = setting("starttls", "starttls, tls or none", "KIND", one_of("starttls", "tls", "none"), group=ALERTS)
    smtp_user: str | None = setting(None, "user at the mail server", "NAME", group=ALERTS)
    smtp_password: str | None = setting(
        None, "the user's password; other users of the machine can see options, so give it another way", "WORD", group=ALERTS,
        secret=True,
    )  # fmt: skip
    mail_from: str | None = setting(None, "the sender of e-mail alerts", "ADDRESS", group=ALERTS)
    alert_host: tuple[str, ...] = setting(
        (),
        "a host of your own network that webhooks may be sent to, over http too",
        "HOST:PORT",
        checked_by(lambda value: checked_hosts([value])),
        group=ALERTS,
    )

    connections: int = setting(4000, "open connections in all", "N", whole(), group=LIMITS)
    address_connections: int = setting(400, "open connections of one address", "N", whole(), group=LIMITS)
    address_sockets: int = setting(200, "open tables (live connections) of one address", "N", whole(), group=LIMITS)
    address_requests: int = setting(
        60, "requests and messages a second of one address, and ten times as many at once", "N", whole(), group=LIMITS
    )
    address_tables: int = setting(360, "new tables an hour of one address, a twelfth of them at once", "N", whole(), group=LIMITS)
    address_uploads: int = setting(
        720, "match files an hour of one address, a twelfth of them at once", "N", whole(), group=LIMITS
    )
    person_tables: int = setting(500, "tables of one person that are not over, and match files shown", "N", whole(), group=LIMITS)

    keep_tables: int = setting(
        0, "delete tables at which nothing has changed for so long; 0 keeps them", "DAYS", whole(0, 36_500), group=KEEPING
    )
    keep_lobbies: int = setting(
        0, "delete tables whose match has not begun for so long; 0 keeps them", "DAYS", whole(0, 36_500), group=KEEPING
    )

    log_format: str = setting("plain", "plain or json lines", "KIND", one_of("plain", "json"), group=WATCHING)
    log_level: str = setting(
        "warning", "debug, info, warning or error", "LEVEL", one_of("debug", "info", "warning", "error"), group=WATCHING
    )
    access_log: bool = setting(False, "a log line for every request", read=switch, group=WATCHING)
    traces: str | None = setting(
        None, "send traces to this collector, by OTLP over HTTP, such as http://127.0.0.1:4318", "URL", checked_by(endpoint_of),
        group=WATCHING,
    )  # fmt: skip
    metrics_token: str | None = setting(
        None, "who brings this bearer token gets /metrics; without it there are no metrics", "WORD", token, group=WATCHING,
        secret=True,
    )  # fmt: skip


@dataclass(frozen=True)
class Found:
    """The settings in force, and where each comes from."""

    settings: Settings
    sources: dict[str, str]
    file: Path | None = None

    def lines(self) -> Iterator[str]:
        """The settings for reading, without secrets."""
        for one in fields(Settings):
            yield f"{one.name} = {shown(one, getattr(self.settings, one.name))}  ({self.sources[one.name]})"


def option_of(name: str) -> str:
    """The option of a setting."""
    return f"--{name.replace('_', '-')}"


def variable_of(name: str) -> str:
    """The environment variable of a setting."""
    return f"{PREFIX}{name.upper()}"


def is_many(one: Field[Any]) -> bool:
    """Does a setting take several values?"""
    return isinstance(one.default, tuple)


def shown(one: Field[Any], value: Any) -> str:
    """A value for reading; secrets are not shown, nor is the password in the address of a database."""
    if value is None:
        return "not set"
    if one.metadata["secret"]:
        return "(secret)"
    if isinstance(value, bool):
        return "yes" if value else "no"
    words = ", ".join(value) or "not set" if isinstance(value, tuple) else str(value)
    return PASSWORD.sub("(secret)", words)


def add_settings(parser: argparse.ArgumentParser, *names: str) -> None:
    """The options of a command: those of some settings, or of all; and that of the file."""
    parser.add_argument("--config", metavar="FILE", help="a TOML file with settings")
    groups: dict[str, Any] = {"": parser}
    for one in fields(Settings):
        if names and one.name not in names:
            continue
        facts = one.metadata
        group = "" if names else facts["group"]
        if group not in groups:
            groups[group] = parser.add_argument_group(group)
        more: dict[str, Any] = {"metavar": facts["metavar"]}
        if facts["read"] is switch:
            more = {"metavar": "yes|no", "nargs": "?", "const": "yes"}
        elif is_many(one):
            more |= {"action": "append"}
        about = "; can be repeated" if is_many(one) else f" (default {one.default})" if type(one.default) in (int, str) else ""
        groups[group].add_argument(option_of(one.name), default=None, help=facts["help"] + about, **more)


def read_settings(given: argparse.Namespace, environment: Mapping[str, str] | None = None) -> Found:
    """The settings in force: of the options, the environment, the file and the defaults. BadOption says what is wrong where."""
    environment = os.environ if environment is None else environment
    path = given.config or environment.get("PERANKH_CONFIG", "").strip() or None
    file = Path(path) if path else None
    in_file = read_file(file) if file else {}
    values: dict[str, Any] = {}
    sources = {}
    for one in fields(Settings):
        variable, option = variable_of(one.name), option_of(one.name)
        written = getattr(given, one.name, None)
        said = environment.get(variable, "").strip()
        if written is not None:
            sources[one.name], where = "option", option
        elif said:
            written = said.replace(",", " ").split() if is_many(one) else said
            sources[one.name], where = "environment", variable
        elif one.name in in_file:
            written = in_file[one.name]
            sources[one.name], where = "file", f"{file}: {one.name}"
        else:
            sources[one.name] = "default"
            continue
        values[one.name] = read_value(one, written, where)
    return Found(Settings(**values), sources, file)


def read_value(one: Field[Any], written: Any, where: str) -> Any:
    """The value of a setting as it was written somewhere."""
    read: Read = one.metadata["read"]
    try:
        if not is_many(one):
            return read(written)
        if not isinstance(written, list):
            raise ValueError(f"{written!r} is not a list of texts")
        return tuple(read(part) for part in written)
    except (ValueError, BadOption) as error:
        why = str(error).replace(repr(written), "it") if one.metadata["secret"] else str(error)
        raise BadOption(f"{where}: {why}") from None


def read_file(path: Path) -> dict[str, Any]:
    """The settings of a TOML file, not yet checked; refuses keys that are no settings."""
    try:
        found = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise BadOption(f"{path}: cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadOption(f"{path}: is not TOML: {error}") from None
    known = [one.name for one in fields(Settings)]
    for key in found:
        if key not in known:
            near = difflib.get_close_matches(key, known, 1)
            raise BadOption(f"{path}: {key}: there is no such setting" + (f"; do you mean {near[0]}?" if near else ""))
    return found


def unknown_variables(environment: Mapping[str, str]) -> list[str]:
    """Variables that look like settings and are none."""
    known = {*OTHER_VARIABLES, *(variable_of(one.name) for one in fields(Settings))}
    return sorted(name for name in environment if name.startswith(PREFIX) and name not in known)
