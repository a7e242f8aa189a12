"""The schedule of the competition, day by day (`?day=`), with the calendars that a program can follow."""

from datetime import date

from django.conf import settings

from apps.core.texts import texts
from components.parts.sessions.schedule import WHOLE, schedule
from components.runtime import Page, PageRequest, VdomDict, component, html, shared_part
from components.ui.blocks import link
from components.ui.frames import main, title

CALENDAR = "/calendar.ics"


def load(request: PageRequest) -> Page:
    """Return the schedule of the day in the address, of all days ("all"), or of the next day with sessions."""
    return Page(
        description=request.t("Who plays when: the sessions and their performers, day by day."),
        component=schedule_page,
        parts={"schedule": schedule(_day(request.query.get("day", "")), language=request.language)},
    )


def _day(text: str) -> str:
    """Return the day of the address in its only spelling, or WHOLE; empty for any other text."""
    if text == WHOLE:
        return WHOLE
    try:
        return text if date.fromisoformat(text).isoformat() == text else ""
    except ValueError:
        return ""


@component
def schedule_page(page: Page) -> VdomDict:
    """Render the heading with the calendar's links above the days."""
    ways = calendar_ways(CALENDAR, page.language)
    head = html.div({"class": "body"}, title(page.title), html.p({"class": "small schedule__ways"}, *ways))
    return main(html.section({"class": "sheet sheet--first list"}, head, shared_part(page.parts["schedule"])))


def calendar_ways(path: str, language: str) -> list[VdomDict | str]:
    """Return the links of a calendar at `path`: to follow it, and to save it."""
    t = texts(language)
    host = settings.PUBLIC_URL.partition("://")[2]
    file = html.a({"class": "link", "href": path, "download": True}, t("Calendar file (.ics)"))
    return [link(f"webcal://{host}{path}", t("Follow in your calendar")), " ", file]
