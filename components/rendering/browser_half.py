"""Which browser half a page came with, so that a process of a newer version knows a page of the one before."""

from functools import cache
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage

CLIENT = "build/client.js"


@cache
def browser_half() -> str:
    """Return when this version's browser half was built, and the name of all its files: `1763916000-9f2c04d1a3b5`.

    Empty where files have no such name: with DEBUG, or before they are collected.
    """
    name = getattr(staticfiles_storage, "manifest_hash", "")
    built = finders.find(CLIENT)
    return f"{Path(built).stat().st_mtime:010.0f}-{name}" if name and built and not settings.DEBUG else ""


def is_outdated(half: str) -> bool:
    """Whether a page that came with this is of a version before: built earlier, and other files.

    While processes are replaced, a page of the new version also meets those of the old one, which leave it alone.
    """
    ours = browser_half()
    return "" < half < ours and half.partition("-")[2] != ours.partition("-")[2]
