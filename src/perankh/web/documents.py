"""The documentation site under /docs, where it was built: a wheel holds it, and `perankh docs` builds it in a checkout."""

from __future__ import annotations

from pathlib import Path

from fastapi import APIRouter, HTTPException
from fastapi.responses import FileResponse, RedirectResponse, Response

FOLDER = Path(__file__).parent / "docs"

router = APIRouter(include_in_schema=False)


def is_built() -> bool:
    """Is there a site to offer?"""
    return (FOLDER / "index.html").is_file()


@router.get("/docs")
def top() -> Response:
    """The pages link to one another by relative addresses, which begin below /docs/."""
    return RedirectResponse("docs/")


@router.get("/docs/{path:path}")
def document(path: str) -> Response:
    """A file of the site."""
    try:
        found = (FOLDER / path).resolve()
        found = found / "index.html" if found.is_dir() else found
        if not found.is_relative_to(FOLDER) or not found.is_file():
            raise HTTPException(404)
    except (OSError, ValueError):  # a name that no file can have
        raise HTTPException(404) from None
    return FileResponse(found, headers={"Cache-Control": "no-cache"})
