"""The three areas of administration: their pages, what belongs to each, and the navigation between them.

A page of administrators belongs to the area that names its address here (`tests/components/ui/test_backstage.py`).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol
from urllib.parse import parse_qs

from apps.core.texts import Texts, texts
from components.runtime import VdomDict, html
from components.ui.blocks import Links

DASHBOARD = "/admin"
PREPARE, TONIGHT, RECORDS = "/admin/prepare", "/admin/tonight", "/admin/records"
PROGRAM_IMPORT = "/admin/program-import"  # the second tab of the imports
PROGRAMS, STAGE_PROGRAM = "/admin/programs", "/admin/stage-program"
IMPORTS = "/admin/import"
WITHIN = {PROGRAM_IMPORT: IMPORTS, STAGE_PROGRAM: PROGRAMS}  # pages without a link of their own, and that which has one


class AdminPage(Protocol):
    """A page of administrators: its address, path and language."""

    @property
    def address(self) -> str:
        """Its path and query."""

    @property
    def path(self) -> str:
        """Its path."""

    @property
    def language(self) -> str:
        """Its language."""


@dataclass(frozen=True, slots=True)
class Area:
    """One area: the path of its page, its name, the links to what belongs to it, and paths without a link."""

    path: str
    name: Callable[[Texts], str]
    links: Callable[[Texts], Links]
    others: tuple[str, ...] = ()


def _prepare(t: Texts) -> Links:
    return (
        ("/admin/participants", t("Participants")),
        ("/admin/pieces", t("Pieces")),
        ("/admin/pianos", t("Pianos")),
        ("/admin/stages", t("Stages")),
        ("/admin/sessions", t("Sessions")),
        (PROGRAMS, t("Programs")),
        (IMPORTS, t("Imports")),
        ("/admin/jury", t("Jury")),
        ("/admin/blog", t("Blog")),
    )


def _tonight(t: Texts) -> Links:
    return (
        (f"{DASHBOARD}?tab=live", t("Live control")),
        (DASHBOARD, t("Ratings")),
        (f"{DASHBOARD}?tab=reports", t("Reports")),
        (f"{DASHBOARD}?tab=unusual", t("Unusual marks")),
    )


def _records(t: Texts) -> Links:
    return (
        ("/admin/people", t("People")),
        ("/admin/contact", t("Contact")),
        (f"{DASHBOARD}?tab=avatars", t("Default Avatars")),
        (f"{DASHBOARD}?tab=audit", t("Audit")),
        (f"{DASHBOARD}?tab=errors", t("Errors")),
    )


AREAS = (
    Area(PREPARE, lambda t: t("Prepare"), _prepare, tuple(WITHIN)),
    Area(TONIGHT, lambda t: t("Tonight"), _tonight, (f"{DASHBOARD}?tab=performances",)),
    Area(RECORDS, lambda t: t("People and records"), _records),
)


def dashboard_links(t: Texts) -> Links:
    """Return the links of the dashboard."""
    return (
        ("/admin/blog", t("Blog")),
        ("/admin/pieces", t("Pieces")),
        ("/admin/participants", t("Participants")),
        ("/admin/sessions", t("Sessions")),
    )


def area_of(page: AdminPage) -> Area | None:
    """Return the area of `page`; None if no area names its address.

    The dashboard's tabs belong to areas; a tab of an unknown name is the first one, as on the dashboard.
    """
    t, place = texts(page.language), _place(page)
    for area in AREAS:
        if place in (area.path, *area.others, *(to for to, _ in area.links(t))):
            return area
    return AREAS[1] if page.path == DASHBOARD else None


def _place(page: AdminPage) -> str:
    """Return the page's path; of the dashboard also the tab."""
    tab = parse_qs(page.address.partition("?")[2]).get("tab", [""])[0] if page.path == DASHBOARD else ""
    return f"{page.path}?tab={tab}" if tab else page.path


def areas_bar(page: AdminPage) -> VdomDict:
    """Return the links to the three areas, with that of `page` marked; on a phone they are a bar at the bottom."""
    t, own = texts(page.language), area_of(page)
    ways = [
        html.li({"key": area.path}, html.a({"href": area.path} | _mark(area, own, page.path), area.name(t)))
        for area in AREAS
    ]
    return html.nav({"class": "areas", "aria-label": t("Areas")}, html.ul(*ways))


def _mark(area: Area, own: Area | None, path: str) -> dict[str, str]:
    if area.path == path:
        return {"aria-current": "page"}
    return {"aria-current": "true"} if area is own else {}


def area_links(page: AdminPage) -> VdomDict:
    """Return the links of the area of `page`; on the dashboard its own four."""
    t, own, place = texts(page.language), area_of(page), _place(page)
    is_dashboard = page.path == DASHBOARD
    links = dashboard_links(t) if is_dashboard or own is None else own.links(t)
    label = t("Backstage") if is_dashboard or own is None else own.name(t)
    return html.nav({"aria-label": label}, html.ul(*(_way(to, words, place) for to, words in links)))


def _way(to: str, words: str, place: str) -> VdomDict:
    own = {"class": "link", "href": to}
    if to in (place, WITHIN.get(place)):
        own["aria-current"] = "page" if to == place else "true"
    return html.li({"key": to}, html.a(own, words))
