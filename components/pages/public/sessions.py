"""The list of sessions; its tab is in the address (`show`)."""

from apps.accounts.actors import Viewer
from apps.competition.enums import SessionFilter
from apps.core.texts import texts
from components.markup import VdomDict, component, html
from components.page import Page, Params, Query, number_of
from components.parts.sessions import live_session_card, session_cards
from components.rendering.parts import shared_part
from components.ui.blocks import tabs
from components.ui.empty_states import skeleton
from components.ui.frames import main, title


def load(viewer: Viewer, params: Params, query: Query, language: str) -> Page:  # noqa: ARG001 - every page's signature
    """Return a page (`page`) of the sessions that are upcoming (without `show`), past or all."""
    t = texts(language)
    asked = query.get("show", "")
    show = SessionFilter(asked) if asked in set(SessionFilter) else SessionFilter.UPCOMING
    return Page(
        description=t("The competition’s sessions: what comes, what is on, and the recordings of what was."),
        component=sessions_page,
        data=show,
        parts=(live_session_card(language=language), session_cards(show.value, number_of(query), language=language)),
    )


@component
def sessions_page(page: Page) -> VdomDict:
    """The tabs above the list."""
    t = texts(page.language)
    names = {
        SessionFilter.UPCOMING: t("Upcoming"),
        SessionFilter.PAST: t("Past"),
        SessionFilter.ALL: t("All"),
    }
    ways = tabs(page.title, [(_address(show), name) for show, name in names.items()], _address(page.data))
    results = html.div({"data-results": ""}, *(shared_part(part) for part in page.parts))
    head = html.div({"class": "body"}, title(page.title))
    return main(html.section({"class": "sheet sheet--first list"}, head, ways, skeleton(), results))


def _address(show: SessionFilter) -> str:
    return "/sessions" if show is SessionFilter.UPCOMING else f"/sessions?show={show}"
