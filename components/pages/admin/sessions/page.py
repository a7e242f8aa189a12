"""The page "Sessions": the list beside live control, and the form of a session, each at its own address."""

from dataclasses import dataclass

from apps.competition.enums import UndoKind
from apps.competition.selectors.admin.live import LiveControl, live_control_get
from apps.competition.selectors.admin.sessions import (
    AppearanceRow,
    SeriesRow,
    SessionRow,
    UndoRow,
    series_recent,
    session_edit,
    sessions_admin,
    undos_recent,
)
from apps.core.database.fields import venue_zone
from apps.core.database.paging import NumberedPage
from apps.core.limits import SEARCH_LENGTH
from apps.core.texts import texts
from components.pages.admin.entity_screen import create_at, edit_at, entity_page
from components.pages.admin.sessions.form import session_form
from components.pages.admin.sessions.live import TOPICS, live_control, set_live
from components.pages.admin.sessions.planned import planned
from components.pages.admin.sessions.series import SERIES, SERIES_AT, series_page, series_undos
from components.pages.admin.undo_list import undo_list
from components.runtime import Markup, Page, PageRequest, VdomDict, component, html
from components.ui import frames as blocks
from components.ui.blocks import badge, button_link, live_badge, paging
from components.ui.empty_states import empty, skeleton
from components.ui.forms import field
from components.ui.frames import unbroken_words
from components.ui.people import person_name
from components.ui.venue_time import clock_time, moment

PATH = "/admin/sessions"


@dataclass(frozen=True, slots=True)
class SessionList:
    """The page data: the list for the search, live control, and removals and series that can be undone."""

    query: str
    found: NumberedPage[SessionRow]
    live: LiveControl
    undos: tuple[UndoRow, ...]
    series: tuple[SeriesRow, ...]


def load(request: PageRequest) -> Page:
    """Return the list (`q`, `page`), or a form.

    It is an empty one (`mode=create`), that of a session (`mode=edit&id=7`), or that of a series (`mode=series`).
    """
    t = request.t
    gone = Page(t("This session is no longer there."), missing_page, title=t("Session not found."), status=404)
    if request.query.get("mode") == SERIES:
        return series_page(request)
    return entity_page(
        request,
        listing=lambda: _listing(request),
        read=lambda pk: session_edit(session_id=pk),
        form=lambda session: session_form(session, request),
        missing=lambda _: gone,
    )


def _listing(request: PageRequest) -> Page:
    text, about = request.search_text(), request.t("All sessions, the newest first, and what runs live.")
    found, undos = sessions_admin(query=text, number=request.page_number()), undos_recent(kind=UndoKind.REMOVAL)
    return Page(
        about, sessions_page, data=SessionList(text, found, live_control_get(), undos, series_recent()), topics=TOPICS
    )


@component
def missing_page(page: Page) -> VdomDict:
    """Render the page for the form of a deleted session."""
    t = texts(page.language)
    way = (PATH, t("All sessions"))
    return blocks.backstage(page.title, empty(page.description, way), page=page)


@component
def sessions_page(page: Page) -> VdomDict:
    """Render the list beside live control."""
    t, listing = texts(page.language), page.data
    search = blocks.search(
        PATH,
        field(t("Title"), "q", value=listing.query, type="search", maxLength=SEARCH_LENGTH, autoComplete="off"),
        language=page.language,
    )
    results = listing.found
    pages = paging(results.number, results.pages, path=PATH, query={"q": listing.query}, language=page.language)
    sessions = html.div(
        blocks.tools(
            search, button_link(create_at(PATH), t("New Session")), button_link(SERIES_AT, t("New series"), "plain")
        ),
        series_undos(listing.series, t),
        undo_list(listing.undos, t("Taken out of {session}: {names}."), t),
        skeleton(),
        blocks.answered_list(_rows(results.rows, listing.query, page.language), pages),
    )
    columns = html.div({"class": "desk"}, sessions, live_control(listing.live, page.language))
    return blocks.backstage(t("Sessions"), columns, page=page)


def _rows(sessions: tuple[SessionRow, ...], query: str, language: str) -> VdomDict:
    t = texts(language)
    if not sessions:
        return empty(t("No sessions found.") if query else t("No sessions yet."))
    return blocks.rows(*(_row(session, language) for session in sessions))


def _row(session: SessionRow, language: str) -> VdomDict:
    t = texts(language)
    title = html.h2(html.a({"href": f"/sessions/{session.id}"}, *unbroken_words(session.title)))
    video = badge(t("Video")) if session.youtube_id else None
    meta = html.p(
        {"class": "row"},
        live_badge(t("LIVE NOW")) if session.is_live else None,
        " ",
        html.span({"class": "muted"}, session.stage),
        " ",
        video,
    )
    about = html.p({"class": "entries__text"}, session.description) if session.description else None
    return blocks.row(
        f"session-{session.id}",
        title,
        meta,
        about,
        _lineup(session.appearances, language),
        _programs(session, language) if session.appearances else None,
        aside=_when(session, language),
        acts=_acts(session, language),
    )


def _when(session: SessionRow, language: str) -> Markup:
    when = moment(session.starts_at, zone=venue_zone(), language=language)
    if session.planned_end is None:
        return when
    end = clock_time(session.planned_end, zone=venue_zone(), language=language)
    return html.span(when, html.br(), html.span({"class": "muted"}, texts(language)("to {time}").format(time=end)))


def _lineup(appearances: tuple[AppearanceRow, ...], language: str) -> VdomDict:
    t = texts(language)
    if not appearances:
        return html.p({"class": "muted"}, t("Nobody is in the order of playing yet."))
    return html.ol({"class": "lineup"}, *(_appearance(appearance, language) for appearance in appearances))


def _programs(session: SessionRow, language: str) -> VdomDict:
    """Return the link to the session's programs."""
    t = texts(language)
    own = {"class": "link", "href": f"/admin/programs?session={session.id}"}
    return html.p(html.a(own | {"aria-label": t("Programs: {title}").format(title=session.title)}, t("Programs")))


def _appearance(appearance: AppearanceRow, language: str) -> VdomDict:
    t = texts(language)
    now = badge(t("Now Performing"), "now") if appearance.is_performing else None
    number = html.span({"class": "nr"}, str(appearance.order_number))
    again = badge(t("repeated"), "quiet") if appearance.is_repeated else None
    name = html.span(person_name(appearance.name), *planned(appearance.planned_start, language))
    return html.li({"key": f"appearance-{appearance.id}"}, number, " ", name, " ", now, again)


def _acts(session: SessionRow, language: str) -> list[Markup]:
    """Return the buttons of a session; the button that ends it is in live control."""
    t = texts(language)
    live = None if session.is_live else set_live(session.id, session.title, language)
    delete = blocks.delete_button(
        "session_delete",
        session.id,
        named=session.title,
        ask=t("Delete the session {name}?").format(name=session.title),
        words=t("Its order of playing, programs, comments and reactions go with it."),
        language=language,
    )
    return [live, blocks.edit_link(edit_at(PATH, session.id), session.title, language=language), delete]
