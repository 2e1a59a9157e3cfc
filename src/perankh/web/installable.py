"""What makes the site an app that can be installed: its manifest, icons, service worker, and the page for when it is offline."""

from __future__ import annotations

from functools import lru_cache

import orjson
from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import Response

from perankh.engine.words import LANGUAGES
from perankh.scene import PALETTE
from perankh.scene.png import png
from perankh.web.pages import HERE, YEAR, assets, page, static
from perankh.web.words import WORDS

router = APIRouter(include_in_schema=False)
# Each icon is made from a picture of our own under `static/`, in the sizes that systems ask for.
ICONS = {
    "icon": ("favicon.svg", (180, 192, 512)),
    "maskable": ("icon_maskable.svg", (192, 512)),  # systems cut it into their own shape
    "badge": ("icon_badge.svg", (96,)),  # one colour, for the line of a phone's notifications
}


def icon_address(kind: str, size: int) -> str:
    """The address of an icon."""
    return f"/icon/{kind}-{size}.png?v={assets()[0]}"


@lru_cache
def icon_picture(kind: str, size: int) -> bytes:
    """An icon as PNG."""
    return png((HERE / "static" / ICONS[kind][0]).read_text("utf-8"), size)


@router.get("/icon/{kind}-{size}.png")
def icon_file(kind: str, size: int, v: str = "") -> Response:
    """An icon of the app."""
    if size not in ICONS.get(kind, ("", ()))[1]:
        raise HTTPException(404)
    lasting = f"public, max-age={YEAR}, immutable" if v == assets()[0] else "no-cache"
    return Response(icon_picture(kind, size), media_type="image/png", headers={"cache-control": lasting})


@router.get("/manifest-{lang}.webmanifest")
def manifest(request: Request, lang: str) -> Response:
    """The app in words: its name, its icons, its colours."""
    if lang not in LANGUAGES:
        raise HTTPException(404)
    root = request.app.state.site.root
    purposes = {"icon": "any", "maskable": "maskable", "badge": "monochrome"}
    icons = [
        {"src": root + icon_address(kind, size), "sizes": f"{size}x{size}", "type": "image/png", "purpose": purposes[kind]}
        for kind, (_, sizes) in ICONS.items()
        for size in sizes
    ]
    icons.append({"src": root + static("favicon.svg"), "sizes": "any", "type": "image/svg+xml", "purpose": "any"})
    facts = {
        "id": f"{root}/",
        "name": WORDS.say("page.name", lang),
        "short_name": WORDS.say("page.name", lang),
        "description": WORDS.say("page.description", lang),
        "lang": lang,
        "start_url": f"{root}/",
        "scope": f"{root}/",
        "display": "standalone",
        "background_color": PALETTE["papyrus"],
        "theme_color": PALETTE["lapis"],
        "categories": ["games"],
        "icons": icons,
    }
    return Response(orjson.dumps(facts), media_type="application/manifest+json", headers={"cache-control": "no-cache"})


@router.get("/service-worker.js")
def service_worker() -> Response:
    """The program that shows notifications, and the offline page, when no page is open. It may serve the whole site."""
    body = assets()[1]["service_worker.js"].body
    return Response(body, media_type="text/javascript", headers={"cache-control": "no-cache"})


@router.get("/offline/{lang}")
def offline(request: Request, lang: str) -> Response:
    """The page that the browser keeps for when the server cannot be reached."""
    if lang not in LANGUAGES:
        raise HTTPException(404)
    return page(request, "offline.html", lang=lang)
