"""The area Tonight: live control, and below it what waits for a moderator, the parts of the dashboard's tabs."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from apps.community.selectors.reports import report_counts
from apps.competition.selectors.admin.live import LiveControl, live_control_get
from apps.ranking.selectors import unusual_count
from apps.ratings.selectors.counts import waiting_counts
from components.pages.admin.dashboard.moderation_queue import QueueStart, queue_filters, queue_keyed
from components.pages.admin.dashboard.query import Tab, tab_of
from components.pages.admin.dashboard.ratings_desk import ratings_start
from components.pages.admin.dashboard.reports_desk import reports_start
from components.pages.admin.dashboard.tabs import TONIGHTS, Open, Waiting, tonight_tabs
from components.pages.admin.dashboard.unusual_marks.query import UnusualStart, current_stage_id, unusual_start
from components.pages.admin.dashboard.unusual_marks.tab import unusual_tab
from components.pages.admin.sessions.live import live_control
from components.runtime import Markup, Page, PageRequest, VdomDict, component, html, key
from components.ui.areas import TONIGHT
from components.ui.frames import backstage

Content = QueueStart[Any, Any] | UnusualStart


@dataclass(frozen=True, slots=True)
class Tonight:
    """Live control, the open tab with its content, and the numbers of the tabs."""

    live: LiveControl
    tab: Tab
    content: Content
    waiting: Waiting
    reported: Open
    stage_id: int  # of the number of unusual accounts, 0 without any stage
    unusual: int


def load(request: PageRequest) -> Page:
    """Return the page; `?tab=` selects what waits, further fields are its filters."""
    t, asked = request.t, tab_of(request.query)
    tab = asked if asked in TONIGHTS else Tab.PIECES
    content, stage_id = _content_read(tab, request), current_stage_id()
    live = content.live if isinstance(content, QueueStart) else live_control_get()
    numbers = waiting_counts(), report_counts(), stage_id, unusual_count(stage_id=stage_id) if stage_id else 0
    return Page(
        description=t("Running the session and moderating what listeners send."),
        component=tonight_page,
        data=Tonight(live, tab, content, *numbers),
    )


def _content_read(tab: Tab, request: PageRequest) -> Content:
    viewer, query = request.viewer, request.query
    reads: Mapping[Tab, Callable[[], Content]] = {
        Tab.REPORTS: lambda: reports_start(viewer, query, TONIGHT),
        Tab.UNUSUAL: lambda: unusual_start(query, TONIGHT),
    }
    return reads.get(tab, lambda: ratings_start(viewer, query, TONIGHT))()


@component
def tonight_page(page: Page) -> VdomDict:
    """Render live control, the tabs, and the open tab; on a phone in this order."""
    data, language = page.data, page.language
    waits = html.div(
        {"class": "tonight__waits"},
        tonight_tabs(data.tab, data.waiting, data.reported, data.unusual, data.stage_id, language),
        _content(data.content, language),
    )
    own = {"class": "desk desk--queue tonight"}
    return backstage(page.title, html.div(own, waits, live_control(data.live, language)), page=page, has_links=False)


def _content(content: Content, language: str) -> Markup:
    if isinstance(content, UnusualStart):
        return key(f"unusual-{content.stage_id}-{content.number}", unusual_tab(content, language))
    name, filters = content.queue_kind.tab(content.queue.filters), queue_filters(content, language)
    return html.div({"key": name}, filters, queue_keyed(content, language), content.queue_kind.foot(content, language))
