"""Invitations: the links to a table for those who are near or far, with a QR code each; and opening the server to the network."""

from __future__ import annotations

import asyncio
from functools import lru_cache
from typing import Any

import segno
from fastapi import APIRouter, Request

from perankh.scene import PALETTE
from perankh.web.addresses import Reach, is_loopback
from perankh.web.identity import who_is
from perankh.web.refusal import refused
from perankh.web.site import host_and_port

router = APIRouter()
FORWARDED = ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip")  # a proxy speaks for somebody else


@lru_cache(256)
def qr_code(text: str) -> str:
    """A QR code as the address of a picture."""
    code = segno.make(text, error="m", micro=False)
    return code.svg_data_uri(border=3, dark=PALETTE["ink"], light="#ffffff", omitsize=True)


def on_this_computer(request: Request) -> bool:
    """Does a request come from a browser on the computer that the server runs on?"""
    peer = request.client.host if request.client else ""
    host = host_and_port(request.headers.get("host", ""))
    speaks_for_others = any(name in request.headers for name in FORWARDED)
    return is_loopback(peer) and host is not None and is_loopback(host[0]) and not speaks_for_others


@router.get("/api/tables/{table}/invitation")
async def invitation(request: Request, table: str) -> dict[str, Any]:
    """The links to a table for others, the best first; none if nobody else can reach the server."""
    await request.app.state.tables.get(table, who_is(request))
    reach: Reach = request.app.state.reach
    found = await asyncio.to_thread(reach.links, request.headers.get("host", ""), request.url.scheme)
    links = []
    for where, address in found:
        link = f"{address}/t/{table}"
        links.append({"where": where, "address": link, "qr": await asyncio.to_thread(qr_code, link)})
    may_open = not links and await may_open_network(request)
    return {"links": links, "may_open": may_open, "at_the_computer": on_this_computer(request)}


async def may_open_network(request: Request) -> bool:
    """Could whoever asks let a near network in?"""
    reach: Reach = request.app.state.reach
    return on_this_computer(request) and bool(await asyncio.to_thread(reach.to_open))


@router.post("/api/network")
async def open_to_network(request: Request) -> dict[str, Any]:
    """Let the near networks in, until the server stops. Only the person at the computer itself can do this."""
    reach: Reach = request.app.state.reach
    if not on_this_computer(request):
        raise refused(403, "not_at_the_computer")
    if not await asyncio.to_thread(reach.to_open) and not reach.opened:
        raise refused(409, "no_network")
    try:
        await reach.open()
    except OSError as error:
        raise refused(409, "cannot_listen", what=error.strerror or error) from None
    addresses = reach.near()
    if addresses:
        print(f"Open to your network at {', '.join(addresses)} until it is stopped", flush=True)
    return {"near": addresses}
