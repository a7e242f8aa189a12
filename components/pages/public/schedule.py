"""The schedule of the competition, day by day (`?day=`), with the calendars that a program can follow."""

from datetime import date

from components.parts.sessions.schedule import WHOLE, schedule
from components.runtime import Page, PageRequest, VdomDict, component, html, shared_part
from components.ui.calendar_links import SESSIONS_CALENDAR, calendar_links
from components.ui.frames import main, title


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
    ways = calendar_links(SESSIONS_CALENDAR, language=page.language)
    head = html.div({"class": "body"}, title(page.title), ways)
    return main(html.section({"class": "sheet sheet--first list"}, head, shared_part(page.parts["schedule"])))
