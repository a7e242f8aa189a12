"""Name the client build that a page loaded, so that a newer server process recognises an outdated page."""

from functools import cache
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage

CLIENT = "build/client.js"


@cache
def browser_half() -> str:
    """Return the build time and the manifest hash of this version's client: `1763916000-9f2c04d1a3b5`.

    Return an empty text where files have no hash: with DEBUG, or before `collectstatic`.
    """
    name = getattr(staticfiles_storage, "manifest_hash", "")
    built = finders.find(CLIENT)
    return f"{Path(built).stat().st_mtime:010.0f}-{name}" if name and built and not settings.DEBUG else ""


def is_outdated(half: str) -> bool:
    """Return whether the client build `half` is older than this process's, with different files.

    During a rolling deploy a new page may reach an old process, which does not treat it as outdated.
    """
    current = browser_half()
    return "" < half < current and half.partition("-")[2] != current.partition("-")[2]
