"""Tabs of the two import pages."""

from apps.core.texts import Texts
from components.runtime import VdomDict, html

PROGRAMS, PARTICIPANTS = "/admin/program-import", "/admin/import"


def import_tabs(current: str, t: Texts) -> VdomDict:
    """Return the links to both pages; `current` is the address of the open one."""
    pages = ((PROGRAMS, t("Programs")), (PARTICIPANTS, t("Participants")))
    tabs = (html.a({"key": to, "href": to} | _current(to == current), words) for to, words in pages)
    return html.nav({"class": "tabs", "aria-label": t("What comes in")}, *tabs)


def _current(is_current: bool) -> dict[str, str]:  # noqa: FBT001 - of one link
    return {"aria-current": "page"} if is_current else {}
