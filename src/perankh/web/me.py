"""The routes of a person about himself, under /api/me."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

import segno
from fastapi import APIRouter, Path, Query, Request, Response
from pydantic import Field
from starlette.responses import StreamingResponse

from perankh.web import codes, files, passkeys, standing
from perankh.web.addresses import Reach, written
from perankh.web.api import Body, Name, plain
from perankh.web.identity import COOKIE, Visitor, device_of, hand_out, who_is
from perankh.web.invitation import may_open_network
from perankh.web.people import COLOURS, Me, People, device_name
from perankh.web.refusal import refused
from perankh.web.seats import checked_name
from perankh.web.site import LOOPBACK, Site, host_and_port

router = APIRouter(prefix="/api/me")
PAGE = 50  # matches in one answer


class Change(Body):
    """What is to change about oneself."""

    name: Name | None = None
    colour: Name | None = None


class Join(Body):
    """One way to show who one is."""

    code: Name | None = None
    phrase: Annotated[str, Field(max_length=400)] | None = None
    passkey: dict[str, Any] | None = None


class Credential(Body):
    """A passkey that a browser has made."""

    passkey: dict[str, Any]


class Deletion(Body):
    """That it is meant."""

    everything: bool


def people_of(request: Request) -> People:
    """The persons of this server."""
    people: People = request.app.state.people
    return people


def me_of(request: Request) -> Me:
    """Who asks; refused if nobody is known yet."""
    person, device = who_is(request), device_of(request)
    if person is None or device is None:
        raise refused(401, "nobody_yet")
    return Me(person, device, device_name(request))


def newcomer(request: Request) -> tuple[Visitor, Me]:
    """Who asks, known from now on."""
    visitor = Visitor(request)
    return visitor, Me(visitor.who, visitor.device, device_name(request))


# --- Oneself -------------------------------------------------------------------------------------------------------------------


@router.get("")
async def about_me(request: Request) -> Response:
    """What one has chosen, one's devices, and the ways by which one is recognised."""
    people, party = people_of(request), passkeys.party_of(request)
    offered = {"colours": COLOURS, "passkeys_here": party is not None}
    if who_is(request) is None:
        return plain({"known": False, "name": "", "colour": "", "devices": [], "recovery": None, "passkeys": []} | offered)
    return plain({"known": True} | await people.facts(me_of(request)) | offered)


@router.patch("")
async def change_me(request: Request, response: Response, wanted: Change) -> dict[str, Any]:
    """Choose a name and a colour."""
    visitor, me = newcomer(request)
    changed = {}
    if wanted.name is not None:
        changed["name"] = checked_name(wanted.name.strip())
    if wanted.colour is not None:
        if wanted.colour not in ("", *COLOURS):
            raise refused(422, "no_colour", colour=wanted.colour, colours=", ".join(COLOURS))
        changed["colour"] = wanted.colour
    await people_of(request).change(me, **changed)
    return visitor.welcome(response, dict(changed))


@router.delete("")
async def delete_me(request: Request, response: Response, wanted: Deletion) -> dict[str, Any]:
    """Delete everything that is stored about oneself."""
    if not wanted.everything:
        raise refused(422, "bad_request", what="everything must be true")
    people, me = people_of(request), me_of(request)
    await people.tables.services.finish(people.delete(me))
    await request.app.state.alerts.know_people()
    response.delete_cookie(COOKIE, path=f"{request.app.state.site.root}/")
    return {"deleted": True}


# --- Devices -------------------------------------------------------------------------------------------------------------------


@router.post("/code", status_code=201)
async def new_code(request: Request, response: Response) -> dict[str, Any]:
    """A transfer code, and what another device can scan."""
    visitor, me = newcomer(request)
    code = codes.shown(await people_of(request).new_code(me))
    origin = origin_for_others(request) or await asyncio.to_thread(near_origin, request)
    link = code_link(origin, code) if origin else None
    picture = segno.make(link, error="m").svg_data_uri(border=2, scale=4, dark="#2a211a", light="#fdf8ec") if link else None
    seconds, may_open = int(codes.LIFETIME), not link and await may_open_network(request)
    facts = {"code": code, "seconds": seconds, "link": link, "picture": picture, "may_open": may_open}
    return visitor.welcome(response, facts)


def code_link(origin: str, code: str) -> str:
    """What another device scans. After the # the code is sent to no server and named to no other page."""
    return f"{origin}/me#code={code}"


def origin_for_others(request: Request) -> str | None:
    """The address under which another device reaches this server; None if it is known under one of this machine only."""
    site: Site = request.app.state.site
    if site.origin:
        scheme, host, port = site.origin
        return written(host, port, scheme) + site.root
    asked = host_and_port(request.headers.get("host", ""))
    if asked is None or asked[0] in LOOPBACK:
        return None
    return f"{request.url.scheme}://{request.headers['host'].strip().lower()}"


def near_origin(request: Request) -> str | None:
    """The address at which other devices in the same network reach this server; None if it listens to this computer alone."""
    reach: Reach = request.app.state.reach
    return next((address for _, address in reach.links(request.headers.get("host", ""), request.url.scheme)), None)


@router.post("/join")
async def join(request: Request, response: Response, given: Join) -> dict[str, Any]:
    """Let this device belong to the person of a code, a recovery phrase or a passkey. It gets a new token."""
    people, old = people_of(request), who_is(request)
    if given.code is not None and given.phrase is None and given.passkey is None:
        person = await people.person_by_code(given.code, old)
    elif given.phrase is not None and given.passkey is None and given.code is None:
        person = await people.person_by_phrase(given.phrase)
    elif given.passkey is not None and given.code is None and given.phrase is None:
        person = await people.person_by_passkey(passkeys.checked_party(request), given.passkey)
    else:
        raise refused(422, "bad_request", what="one of code, phrase and passkey is needed")
    device = device_of(request) if old else None
    token = await people.tables.services.finish(people.join(old, device, device_name(request), person))
    await request.app.state.alerts.know_people(person)
    name, colour = await people.profile(person)
    return hand_out(request, response, {"name": name, "colour": colour}, token)


@router.delete("/devices")
async def sign_out_others(request: Request) -> dict[str, Any]:
    """Sign out all other devices."""
    return await signed_out(request, None)


@router.delete("/devices/{device}")
async def sign_out(request: Request, device: Annotated[str, Path(pattern="^[0-9a-f]{12}$")]) -> dict[str, Any]:
    """Sign out one device, this one included."""
    return await signed_out(request, device)


async def signed_out(request: Request, device: str | None) -> dict[str, Any]:
    """Sign out one device, or all others; they get no notifications any more."""
    count = await people_of(request).sign_out(me_of(request), device)
    await request.app.state.alerts.know_people()
    return {"signed_out": count}


# --- Recovery phrase and passkeys ----------------------------------------------------------------------------------------------


@router.post("/recovery", status_code=201)
async def new_phrase(request: Request, response: Response) -> dict[str, Any]:
    """A new recovery phrase; the last one is no longer good."""
    visitor, me = newcomer(request)
    return visitor.welcome(response, {"words": await people_of(request).new_phrase(me)})


@router.delete("/recovery")
async def no_phrase(request: Request) -> dict[str, Any]:
    """Have no recovery phrase."""
    await people_of(request).change(me_of(request), recovery=None, recovery_made=None)
    return {}


@router.post("/passkeys/options")
async def passkey_options(request: Request, response: Response) -> dict[str, Any]:
    """What the browser needs to make a passkey."""
    party = passkeys.checked_party(request)
    visitor, me = newcomer(request)
    return visitor.welcome(response, {"options": await people_of(request).passkey_options(me, party)})


@router.post("/passkeys/challenge")
async def passkey_challenge(request: Request) -> dict[str, Any]:
    """What the browser needs to use a passkey."""
    return {"options": await people_of(request).challenge(passkeys.request_options(passkeys.checked_party(request)))}


@router.post("/passkeys", status_code=201)
async def new_passkey(request: Request, made: Credential) -> dict[str, Any]:
    """Keep a passkey that the browser has made."""
    await people_of(request).add_passkey(me_of(request), passkeys.checked_party(request), made.passkey)
    return {}


@router.delete("/passkeys/{id}")
async def remove_passkey(request: Request, id: Annotated[str, Path(pattern="^[A-Za-z0-9_-]{1,1400}$")]) -> dict[str, Any]:
    """Remove a passkey."""
    await people_of(request).remove_passkey(me_of(request), id)
    return {}


# --- Standing and export -------------------------------------------------------------------------------------------------------


@router.get("/matches")
async def own_matches(
    request: Request, game: Annotated[str | None, Query(max_length=80)] = None, skip: Annotated[int, Query(ge=0, le=10**6)] = 0
) -> Response:
    """One's standing, and one's finished matches, the newest first. Asking has results counted that are not yet."""
    person, services = who_is(request), people_of(request).tables.services
    if person is None:
        return plain({"counting": 0, "standing": standing.standing([]), "matches": [], "more": False})
    left = await standing.count(services, person)
    found = await services.storage.read(lambda connection: standing.select_played(connection, person))
    wanted = [match for match in found if game in (None, match.game)]
    shown = await services.storage.read(lambda connection: standing.with_names(connection, wanted[skip : skip + PAGE], person))
    more = len(wanted) > skip + PAGE
    return plain({"counting": left, "standing": standing.standing(found), "matches": shown, "more": more})


@router.post("/export")
async def export(request: Request) -> Response:
    """Everything that is one's own, as one archive."""
    pieces = files.archive(people_of(request).tables, me_of(request).person)
    headers = {"content-disposition": 'attachment; filename="perankh-me.zip"', "content-encoding": "identity"}
    return StreamingResponse(pieces, media_type="application/zip", headers=headers)
