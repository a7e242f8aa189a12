"""The links of a calendar file."""

from django.conf import settings

from apps.core.texts import texts
from components.runtime import VdomDict, html
from components.ui.blocks import link

SESSIONS_CALENDAR = "/calendar.ics"
PRIVATE_CALENDARS = "/calendars/"


def calendar_links(path: str, *, language: str) -> VdomDict:
    """Return the line that offers the calendar at `path`: to follow it in a program, and to save it once."""
    t, host = texts(language), settings.PUBLIC_URL.partition("://")[2]
    follow = link(f"webcal://{host}{path}", t("Add to calendar"))
    file = html.a({"class": "link", "href": path, "download": True}, t("Calendar file (.ics)"))
    return html.p({"class": "small row calendar-links"}, follow, " ", file)
