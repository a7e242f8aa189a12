"""The links of a calendar file."""

from django.conf import settings

from apps.core.texts import Texts, texts
from components.runtime import Markup, VdomDict, html
from components.ui.blocks import link

SESSIONS_CALENDAR = "/calendar.ics"
PRIVATE_CALENDARS = "/calendars/"


def calendar_links(path: str, *beside: Markup, language: str) -> VdomDict:
    """Return the menu with the ways to the calendar at `path`: in a program, by its address, as a file.

    `beside` stands before the menu's button.

    A webcal link works on Apple's systems and where a calendar program is installed; elsewhere the address is copied.
    """
    t, host = texts(language), settings.PUBLIC_URL.partition("://")[2]
    follow = link(f"webcal://{host}{path}", t("Add to calendar"))
    file = html.a({"class": "link", "href": path, "download": True}, t("Calendar file (.ics)"))
    address = html.code({"class": "calendar-links__address", "translate": "no"}, f"{settings.PUBLIC_URL}{path}")
    return html.div(
        {"class": "small row calendar-links"},
        *beside,
        html.details(
            html.summary({"class": "button button--plain button--small"}, t("Calendar")),
            html.div(
                {"class": "calendar-links__ways stack"},
                follow,
                html.div(t("Copy this address into your calendar program:"), address),
                html.ul(*(html.li({"key": way}, way) for way in _ways(t))),
                html.div(file),
            ),
        ),
    )


def _ways(t: Texts) -> list[str]:
    return [
        t("Google Calendar, on a computer: beside “Other calendars” press +, then “From URL”."),
        t("Apple Calendar: “Add to calendar” above, or File, “New Calendar Subscription”."),
        t("Outlook: “Add calendar”, then “Subscribe from web”."),
    ]
