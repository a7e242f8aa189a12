"""Reads of the list of reported texts: rows, counts, and the last decision."""

from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial

from apps.accounts.actors import Viewer
from apps.community.limits import REPORTS_SHOWN
from apps.community.report_address import filters_of
from apps.community.selectors.report_decisions import LastReportDecision, report_decision_last
from apps.community.selectors.reports import ReportedText, ReportFilter, cursor_of, report_queue, reports_match_count
from apps.competition.selectors.admin.live import LiveControl, live_control_get
from apps.core.database.paging import keyset_page
from components.page import Query
from components.pages.admin.dashboard.decision_list import Queue

ReportQueue = Queue[ReportFilter, ReportedText, LastReportDecision]


@dataclass(frozen=True, slots=True)
class ReportsStart:
    """The data of the tab."""

    queue: ReportQueue
    live: LiveControl


def reports_read(*, filters: ReportFilter, before: str, user_id: int) -> ReportQueue:
    """Return the reported texts as of `filters.until` that still match. At most ten queries."""
    page = keyset_page(partial(report_queue, filters=filters), cursor_of, before=before, size=REPORTS_SHOWN)
    matching = reports_match_count(filters=filters)
    return Queue(filters, page, matching.total, matching.newer, report_decision_last(user_id=user_id))


def reports_start(viewer: Viewer, query: Query) -> ReportsStart:
    """Return the data of the tab in the address."""
    filters = filters_of(query, until=datetime.now(UTC))
    queue = reports_read(filters=filters, before=query.get("before", ""), user_id=viewer.id or 0)
    return ReportsStart(queue, live_control_get())
