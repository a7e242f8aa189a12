"""The dashboard page: its tabs with counts, and the open tab."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from apps.community.selectors.reports import report_counts
from apps.competition.selectors.admin.live import FirstSteps, LiveControl, first_steps_get, live_control_get
from apps.core.texts import texts
from apps.demo.enums import DemoState
from apps.demo.selectors import demo_state
from apps.ratings.selectors.counts import waiting_counts
from components.pages.admin.dashboard.audit import Audit, audit_read_for, audit_tab
from components.pages.admin.dashboard.avatars import Pictures, avatars_tab, pictures_read
from components.pages.admin.dashboard.demo import demo_line
from components.pages.admin.dashboard.errors import Errors, errors_read_for, errors_tab
from components.pages.admin.dashboard.first_steps import first_steps
from components.pages.admin.dashboard.moderation_queue import QueueStart, queue_tab
from components.pages.admin.dashboard.query import Tab, tab_of
from components.pages.admin.dashboard.ratings_desk import ratings_start
from components.pages.admin.dashboard.reports_desk import reports_start
from components.pages.admin.dashboard.tabs import Open, Waiting, dashboard_tabs
from components.pages.admin.dashboard.unusual_marks.query import UnusualStart, unusual_start
from components.pages.admin.dashboard.unusual_marks.tab import unusual_tab
from components.pages.admin.sessions.live import live_control
from components.runtime import Markup, Page, PageRequest, VdomDict, component, html, key
from components.ui.frames import backstage

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
