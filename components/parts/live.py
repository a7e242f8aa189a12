"""What says on every page that a session is live."""

from apps.competition.selectors import live_session
from apps.core.texts import texts
from components.markup import VdomDict, html
from components.parts.failures import read_or_nothing
from components.rendering.parts import public_part

UNREADABLE = "Error reading what is live"


@public_part(topics=lambda: ("live",))
def live_mark(*, language: str) -> VdomDict:
    """The red mark beside Sessions while a session is live."""
    if read_or_nothing(live_session, None, record=UNREADABLE) is None:
        return html.span({"class": "nav__live", "hidden": True})
    return html.span({"class": "nav__live"}, texts(language)("Live"))
