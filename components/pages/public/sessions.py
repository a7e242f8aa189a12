"""The list of sessions, with its tab in the address (`show`)."""

from apps.competition.enums import SessionFilter
from apps.core.texts import texts
from components.parts.sessions.lists import session_cards
from components.runtime import Page, PageRequest, VdomDict, component, html, shared_part
from components.ui.blocks import tabs
from components.ui.empty_states import skeleton
from components.ui.frames import main, title


def load(request: PageRequest) -> Page:
    """Return a page (`page`) of sessions; `show` selects upcoming (default), past or all."""
    t = request.t
    name = request.query.get("show", "")
    show = SessionFilter(name) if name in set(SessionFilter) else SessionFilter.UPCOMING
    return Page(
        description=t("The competition’s sessions: what comes, what is on, and the recordings of what was."),
        component=sessions_page,
        data=show,
        parts={"cards": session_cards(show.value, request.page_number(), language=request.language)},
    )


@component
def sessions_page(page: Page) -> VdomDict:
    """Render the tabs above the list; the schedule is in their row."""
    t = texts(page.language)
    names = {
        SessionFilter.UPCOMING: t("Upcoming"),
        SessionFilter.PAST: t("Past"),
        SessionFilter.ALL: t("All"),
    }
    choices = [*((_address(show), name) for show, name in names.items()), ("/schedule", t("Schedule"))]
    links = tabs(page.title, choices, _address(page.data))
    results = html.div({"data-results": ""}, shared_part(page.parts["cards"]))
    head = html.div({"class": "body"}, title(page.title))
    return main(html.section({"class": "sheet sheet--first list"}, head, links, skeleton(), results))


def _address(show: SessionFilter) -> str:
    return "/sessions" if show is SessionFilter.UPCOMING else f"/sessions?show={show}"
