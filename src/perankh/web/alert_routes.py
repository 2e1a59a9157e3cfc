"""Requests and pages about alerts: channels, choices, quiet hours; confirming an address, and the way out of every message."""

from __future__ import annotations

import asyncio
import json
import re
import secrets
import time
from types import SimpleNamespace
from typing import Annotated, Any, Literal
from urllib.parse import parse_qs
from zoneinfo import ZoneInfo

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import Connection

from perankh.engine.words import LANGUAGES
from perankh.web import alert_storage, mail
from perankh.web.alert_storage import KINDS, Person
from perankh.web.alerts import Alerts, greeting
from perankh.web.guard import take
from perankh.web.identity import Visitor, who_is
from perankh.web.outbound import BadTarget, checked_target
from perankh.web.pages import base_address, error_page, language, page
from perankh.web.push import checked_subscription
from perankh.web.refusal import refused

router = APIRouter()
KEY = re.compile(r"[A-Za-z0-9_-]{12,43}")  # ids and secrets; anything else is not looked for
MOST_CHANNELS = 8  # of one person
CONFIRMATIONS = (1 / 3600, 3.0)  # mails that ask to confirm one address: so many a second, and how many at once
Minute = Annotated[str, Field(pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]$")]
Kinds = Annotated[list[Literal["push", "mail", "webhook"]], Field(max_length=3)]


class Body(BaseModel):
    """What a request may say; anything else is refused."""

    model_config = ConfigDict(extra="forbid", strict=True)


class NewChannel(Body):
    """A way to call somebody: a browser's subscription, or an address. `replaces`: the endpoint of one that is gone."""

    kind: Literal["push", "mail", "webhook"]
    subscription: dict[str, Any] | None = Field(default=None, max_length=10)
    address: Annotated[str, Field(max_length=1000)] | None = None
    lang: Annotated[str, Field(max_length=20)] = "en"
    replaces: Annotated[str, Field(max_length=1000)] | None = None


class Quiet(Body):
    """Hours in which nobody is called."""

    begin: Minute
    end: Minute


class Change(Body):
    """What is to change for all tables. `quiet` false: no quiet hours; `remind` in hours, 0: never."""

    timezone: Annotated[str, Field(max_length=64)] | None = None
    quiet: Quiet | Literal[False] | None = None
    remind: Annotated[int, Field(ge=0, le=168)] | None = None
    kinds: Kinds | None = None


class Choice(Body):
    """The kinds of channels for one table; null: as for all tables."""

    kinds: Kinds | None


def alerts_of(request: Request) -> Alerts:
    """The alerts of this server."""
    alerts: Alerts = request.app.state.alerts
    return alerts


def person_of(request: Request) -> str:
    """Who asks; refused for somebody without a token."""
    who = who_is(request)
    if who is None:
        raise refused(403, "nobody")
    return who


def clock(minutes: int) -> str:
    """Minutes after midnight as a time of day."""
    return f"{minutes // 60:02}:{minutes % 60:02}"


def minutes(text: str) -> int:
    """A time of day as minutes after midnight."""
    return 60 * int(text[:2]) + int(text[3:])


def listed(kinds: list[str]) -> str:
    """Kinds of channels as they are stored."""
    return " ".join(kind for kind in KINDS if kind in kinds)


# --- The API --------------------------------------------------------------------------------------------------------------------


@router.get("/api/alerts")
async def alerts(request: Request, table: Annotated[str, Query(max_length=12)] = "") -> dict[str, Any]:
    """How one is called, and what there is to choose from."""
    who, ours = who_is(request), alerts_of(request)

    def read(connection: Connection) -> tuple[Person, list[Any], str | None]:
        if who is None:
            return Person(), [], None
        channels = list(alert_storage.select_channels(connection, who))
        chosen = alert_storage.select_choice(connection, who, table) if KEY.fullmatch(table) else None
        return alert_storage.select_person(connection, who), channels, chosen

    person, channels, chosen = await ours.storage.read(read)
    quiet = person.quiet_from is not None and person.quiet_to is not None
    return {
        "push_key": ours.push.public_key,
        "mail": ours.settings.mail is not None,
        "channels": [channel_facts(channel) for channel in channels],
        "timezone": person.timezone,
        "quiet": {"begin": clock(person.quiet_from or 0), "end": clock(person.quiet_to or 0)} if quiet else None,
        "remind": person.remind,
        "kinds": person.kinds.split(),
        "table_kinds": None if chosen is None else chosen.split(),
    }


def channel_facts(channel: Any) -> dict[str, Any]:
    """A channel as its owner sees it."""
    target = json.loads(channel.target)["endpoint"] if channel.kind == "push" else channel.target
    return {"id": channel.id, "kind": channel.kind, "address": target, "confirmed": bool(channel.confirmed)}


@router.post("/api/alerts/channels", status_code=201)
async def new_channel(request: Request, response: Response, wanted: NewChannel) -> dict[str, Any]:
    """A new channel. A mail address has to be confirmed by a link in a mail; a webhook has to take a first message."""
    ours, visitor = alerts_of(request), Visitor(request)
    facts = {
        "id": secrets.token_hex(8),
        "owner": visitor.who,
        "kind": wanted.kind,
        "target": target_of(ours, wanted),
        "origin": base_address(request),
        "lang": wanted.lang if wanted.lang in LANGUAGES else "en",
        "secret": secrets.token_urlsafe(32),
        "confirmed": int(wanted.kind != "mail"),
        "created": time.time(),
        "failures": 0,
        "device": visitor.device,
    }
    own = await ours.storage.read(lambda connection: alert_storage.select_channels(connection, visitor.who))
    if len(own) >= MOST_CHANNELS:
        raise refused(409, "many_channels", limit=MOST_CHANNELS)
    if wanted.kind == "mail":
        same = [channel for channel in own if channel.kind == "mail" and channel.target == facts["target"] and channel.confirmed]
        if same:
            return {"id": same[0].id, "confirmed": True}
        take(request.app.state.confirmations, str(facts["target"]).lower())
    if wanted.kind == "webhook":
        channel = SimpleNamespace(**facts)
        loop = asyncio.get_running_loop()
        status = await loop.run_in_executor(ours.greeting_threads, ours.send, channel, greeting(channel), "")
        if not 200 <= status < 300:
            raise refused(422, "hook_refused")

    def write(connection: Connection) -> None:
        for channel in alert_storage.select_channels(connection, visitor.who):
            if wanted.replaces and channel_facts(channel)["address"] == wanted.replaces:
                alert_storage.delete_channel(connection, channel.id)
        alert_storage.insert_channel(connection, facts)

    await ours.storage.write(write)
    if wanted.kind == "mail":
        await ours.ask_to_confirm(str(facts["id"]))
    await ours.know_people(visitor.who)
    return visitor.welcome(response, {"id": facts["id"], "confirmed": bool(facts["confirmed"])})


def target_of(ours: Alerts, wanted: NewChannel) -> str:
    """Where the messages of a new channel go, if that is allowed."""
    try:
        if wanted.kind == "push":
            subscription = checked_subscription(wanted.subscription)
            checked_target(subscription["endpoint"], ours.settings.hosts)
            return json.dumps(subscription)
        if wanted.kind == "webhook":
            checked_target(wanted.address or "", ours.settings.hosts)
            return wanted.address or ""
        if ours.settings.mail is None:
            raise refused(409, "no_mail")
        return mail.checked_address(wanted.address or "")
    except BadTarget:
        raise refused(422, f"bad_{wanted.kind}") from None


@router.delete("/api/alerts/channels/{channel}")
async def end_channel(request: Request, channel: str) -> dict[str, Any]:
    """Forget a channel of one's own."""
    ours, who = alerts_of(request), person_of(request)

    def write(connection: Connection) -> None:
        if not KEY.fullmatch(channel) or alert_storage.channel_by(connection, id=channel, owner=who) is None:
            raise refused(404, "no_channel")
        alert_storage.delete_channel(connection, channel)

    await ours.storage.write(write)
    await ours.know_people()
    return {"id": channel}


@router.delete("/api/alerts")
async def forget(request: Request) -> dict[str, Any]:
    """Forget all channels and choices of one's own."""
    ours, who = alerts_of(request), person_of(request)
    await ours.storage.write(lambda connection: alert_storage.forget_person(connection, who))
    await ours.know_people()
    return await alerts(request)


@router.patch("/api/alerts")
async def change(request: Request, wanted: Change) -> dict[str, Any]:
    """Change time zone, quiet hours, reminders, and the kinds of channels for all tables."""
    ours, who = alerts_of(request), person_of(request)
    changes: dict[str, Any] = {}
    if wanted.timezone is not None:
        changes["timezone"] = checked_timezone(wanted.timezone)
    if wanted.quiet is not None:
        hours = (minutes(wanted.quiet.begin), minutes(wanted.quiet.end)) if wanted.quiet else (None, None)
        changes["quiet_from"], changes["quiet_to"] = hours
    if wanted.remind is not None:
        changes["remind"] = wanted.remind
    if wanted.kinds is not None:
        changes["kinds"] = listed(list(wanted.kinds))
    await ours.storage.write(lambda connection: alert_storage.update_person(connection, who, changes))
    return await alerts(request)


def checked_timezone(name: str) -> str:
    """The name of a time zone, such as Asia/Tokyo."""
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        raise refused(422, "no_timezone") from None
    return name


@router.put("/api/tables/{table}/alerts")
async def choose(request: Request, table: str, wanted: Choice) -> dict[str, Any]:
    """Choose how one is called to a table at which one sits."""
    found = await request.app.state.tables.get(table, who_is(request))
    ours, who = alerts_of(request), person_of(request)
    if not found.own(who):
        raise refused(403, "not_seated")
    kinds = None if wanted.kinds is None else listed(list(wanted.kinds))
    await ours.storage.write(lambda connection: alert_storage.update_choice(connection, who, table, kinds))
    return await alerts(request, table)


# --- Pages ----------------------------------------------------------------------------------------------------------------------


@router.get("/alerts", include_in_schema=False)
async def alerts_page(request: Request) -> Response:
    """Everything about one's alerts."""
    return page(request, "alerts.html")


async def channel_of(request: Request, secret: str) -> Any:
    """The channel of a link; none if it has ended."""
    if not KEY.fullmatch(secret):
        return None
    return await alerts_of(request).storage.read(lambda connection: alert_storage.channel_by(connection, secret=secret))


def question(request: Request, what: str, channel: Any, done: bool = False, table: str = "") -> Response:
    """A page that asks for one click: opening a link changes nothing, since mail programs open links by themselves."""
    shown = channel.target if channel.kind == "mail" else ""
    return page(request, "alert_link.html", lang=channel.lang, what=what, address=shown, done=done, table=table)


@router.get("/alerts/{what}/{secret}", include_in_schema=False)
async def link(request: Request, what: Literal["confirm", "stop"], secret: str, table: str = "") -> Response:
    """The page behind a link in a message."""
    channel = await channel_of(request, secret)
    if channel is None:
        return error_page(request, 404, refused(404, "link_ended").reason[language(request)])
    return question(request, what, channel, what == "confirm" and bool(channel.confirmed), table)


@router.post("/alerts/confirm/{secret}", include_in_schema=False)
async def confirm(request: Request, secret: str) -> Response:
    """Confirm that an address is one's own and wants messages."""
    ours, channel = alerts_of(request), await channel_of(request, secret)
    if channel is None:
        return error_page(request, 404, refused(404, "link_ended").reason[language(request)])
    await ours.storage.write(lambda connection: alert_storage.update_channel(connection, channel.id, confirmed=1))
    await ours.know_people(channel.owner)
    return question(request, "confirm", channel, done=True)


@router.post("/alerts/stop/{secret}", include_in_schema=False)
async def stop(request: Request, secret: str) -> Response:
    """End the messages of a channel: about one table, if the page asks for that, or all, as mail programs do."""
    ours, channel = alerts_of(request), await channel_of(request, secret)
    if channel is None:
        return error_page(request, 404, refused(404, "link_ended").reason[language(request)])
    form = parse_qs((await request.body()).decode("utf-8", "replace"))
    table = form.get("table", [""])[0]

    def write(connection: Connection) -> None:
        if not table:
            alert_storage.delete_channel(connection, channel.id)
            return
        if KEY.fullmatch(table) and alert_storage.sits_at(connection, channel.owner, table):
            kinds = [kind for kind in alert_storage.kinds_at(connection, channel.owner, table) if kind != channel.kind]
            alert_storage.update_choice(connection, channel.owner, table, listed(kinds))

    await ours.storage.write(write)
    await ours.know_people()
    return question(request, "stop", channel, done=True, table=table)
