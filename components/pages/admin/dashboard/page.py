"""The dashboard page: its tabs with counts, and the open tab."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from apps.community.enums import ReportKind
from apps.community.selectors.reports import report_counts
from apps.competition.selectors.admin.live import FirstSteps, LiveControl, first_steps_get, live_control_get
from apps.core.texts import Texts, texts
from apps.demo.enums import DemoState
from apps.demo.selectors import demo_state
from apps.ratings.enums import RatingKind
from apps.ratings.selectors.counts import waiting_counts
from components.pages.admin.dashboard.audit import Audit, audit_read_for, audit_tab
from components.pages.admin.dashboard.avatars import Pictures, avatars_tab, pictures_read
from components.pages.admin.dashboard.demo import demo_line
from components.pages.admin.dashboard.errors import Errors, errors_read_for, errors_tab
from components.pages.admin.dashboard.first_steps import first_steps
from components.pages.admin.dashboard.moderation_queue import QueueStart, queue_tab
from components.pages.admin.dashboard.query import TABS, Tab, dashboard_at, tab_of
from components.pages.admin.dashboard.ratings_desk import ratings_start
from components.pages.admin.dashboard.reports_desk import reports_start
from components.pages.admin.dashboard.unusual_marks.query import UnusualStart, unusual_start
from components.pages.admin.dashboard.unusual_marks.tab import unusual_tab
from components.pages.admin.sessions.live import live_control
from components.runtime import Component, Markup, Page, PageRequest, VdomDict, component, html, key, use_live_query
from components.ui.blocks import visually_hidden
from components.ui.frames import backstage

Waiting = Mapping[RatingKind, int]
Open = Mapping[ReportKind, int]
Content = QueueStart[Any, Any] | UnusualStart | LiveControl | Pictures | Audit | Errors


@dataclass(frozen=True, slots=True)
class Dashboard:
    """The setup steps, the demo, the open tab with its content, the numbers of waiting ratings and reported texts."""

    steps: FirstSteps
    demo: DemoState | None
    tab: Tab
    waiting: Waiting
    reported: Open
    content: Content


def load(request: PageRequest) -> Page:
    """Return the dashboard; `?tab=` selects the tab, further fields are its filters."""
    t, tab = request.t, tab_of(request.query)
    return Page(
        title=t("Backstage"),
        description=t("Moderating ratings and reports, and running the live session."),
        component=dashboard_page,
        data=Dashboard(
            first_steps_get(), demo_state(), tab, waiting_counts(), report_counts(), _content_read(tab, request)
        ),
    )


def _content_read(tab: Tab, request: PageRequest) -> Content:
    viewer, query = request.viewer, request.query
    reads: Mapping[Tab, Callable[[], Content]] = {
        Tab.REPORTS: lambda: reports_start(viewer, query),
        Tab.UNUSUAL: lambda: unusual_start(query),
        Tab.LIVE: live_control_get,
        Tab.AVATARS: pictures_read,
        Tab.AUDIT: lambda: audit_read_for(viewer, query),
        Tab.ERRORS: lambda: errors_read_for(viewer, query),
    }
    return reads.get(tab, lambda: ratings_start(viewer, query))()


@component
def dashboard_page(page: Page) -> VdomDict:
    """Render the heading, the setup steps, the tabs, and the open tab."""
    t, board, language = texts(page.language), page.data, page.language
    return backstage(
        t("Backstage"),
        first_steps(board.steps, language),
        demo_line(board.demo, language),
        dashboard_tabs(board.tab, board.waiting, board.reported, language),
        _content(board.content, language),
        page=page,
    )


def _content(content: Content, language: str) -> Markup:
    match content:
        case QueueStart():
            return queue_tab(content, language)
        case UnusualStart():
            return key(f"unusual-{content.stage_id}-{content.number}", unusual_tab(content, language))
        case LiveControl():
            return html.div({"key": "live", "class": "desk--live"}, live_control(content, language))
        case Pictures():
            return key(f"avatars-{content.version}", avatars_tab(content, language))
        case _:
            return _log(content, language)


def _log(content: Audit | Errors, language: str) -> Markup:
    """Return the tab of the audit or of the error log."""
    if isinstance(content, Errors):
        return key("errors", errors_tab(content, language))
    return key("audit", audit_tab(content, language))


@component
def dashboard_tabs(current: Tab, ratings: Waiting, texts_reported: Open, language: str) -> Component | VdomDict:
    """Render the tabs with the numbers of waiting ratings and reported texts, kept current."""
    t, waiting = texts(language), use_live_query(waiting_counts, topics=("ratings.waiting",), initial=ratings)
    reported = use_live_query(report_counts, topics=("reports",), initial=texts_reported)
    counts: Mapping[Any, int] = {TABS[kind]: count for kind, count in waiting.items()}
    counts = {**counts, Tab.REPORTS: sum(reported.values())}
    names = {
        Tab.PIECES: t("Piece Ratings"),
        Tab.PERFORMANCES: t("Performance Ratings"),
        Tab.REPORTS: t("Reports"),
        Tab.UNUSUAL: t("Unusual marks"),
        Tab.LIVE: t("Live Sessions"),
        Tab.AVATARS: t("Default Avatars"),
        Tab.AUDIT: t("Audit"),
        Tab.ERRORS: t("Errors"),
    }
    links = (_tab(tab, words, counts.get(tab), current, t) for tab, words in names.items())
    return html.nav({"class": "tabs tabs--all", "aria-label": t("Dashboard")}, *links)


def _tab(tab: Tab, words: str, count: int | None, current: Tab, t: Texts) -> VdomDict:
    own = {"key": tab.value, "href": dashboard_at(tab="" if tab == Tab.PIECES else tab.value)}
    if tab == current:
        own["aria-current"] = "page"
    return html.a(own, words, *([" ", _count(count, t)] if count is not None else []))


def _count(count: int, t: Texts) -> VdomDict:
    return html.span({"class": "count"}, str(count), visually_hidden(t(" waiting")))
