"""The queue of reported texts: its filters, texts and decisions."""

from datetime import UTC, datetime

from apps.accounts.actors import Viewer
from apps.community.enums import ReportKind, ReportState, ReportVerdict
from apps.community.report_address import REPORTS, filters_of
from apps.community.selectors.reports import (
    ReportedText,
    ReportFilter,
    cursor_of,
    report_decision_last,
    report_queue,
    reports_match_count,
)
from apps.community.services.report_moderation import REPORT_MODERATION
from apps.core.moderation import COUNTED, LastDecision
from apps.core.texts import Texts, texts
from components.pages.admin.dashboard.moderation_queue import Desk, Queue, QueueStart, Words, queue_start
from components.pages.admin.dashboard.report_rows import choices_of, kind_words, report_row
from components.runtime import Query, VdomDict
from components.ui import forms
from components.ui.areas import DASHBOARD
from components.ui.frames import search


def reports_start(viewer: Viewer, query: Query) -> QueueStart[ReportFilter, ReportedText]:
    """Return the data of the tab for the filters in the address."""
    return queue_start(REPORT_DESK, viewer, query, filters_of(query, until=datetime.now(UTC)))


def _words(queue: Queue[ReportFilter, ReportedText], t: Texts) -> Words:
    filters = queue.filters
    return Words(
        name=t("Reports"),
        count=_count(filters.state, queue.total, t),
        newer=t.plural("Show %(n)d newer report", "Show %(n)d newer reports", queue.newer),
        undo=_undo(queue.last, t) if queue.last else "",
        empty=_empty(filters.state, filters.kind, t),
        note=t("Also those that this page does not show. You can take it back for ten minutes."),
    )


def _undo(last: LastDecision, t: Texts) -> str:
    if last.verdict == ReportVerdict.HIDE:
        return t.plural("Undo: %(n)d hidden", "Undo: %(n)d hidden", last.count)
    return t.plural("Undo: %(n)d dismissed", "Undo: %(n)d dismissed", last.count)


def _count(state: ReportState, count: int, t: Texts) -> str:
    """Return the count of reported texts in this state, as text."""
    match state:
        case ReportState.OPEN:
            return t.plural("%(n)d waiting", "%(n)d waiting", count)
        case ReportState.HIDDEN:
            return t.plural("%(n)d hidden", "%(n)d hidden", count)
        case _:
            return t.plural("%(n)d dismissed", "%(n)d dismissed", count)


def _empty(state: ReportState, kind: ReportKind | None, t: Texts) -> str:
    """Return the text of the empty list."""
    if kind is not None:
        return t("No reports found matching your criteria.")
    match state:
        case ReportState.OPEN:
            return t("Nothing reported waits for you.")
        case ReportState.HIDDEN:
            return t("No administrator has hidden anything.")
        case _:
            return t("No reports were dismissed yet.")


def _filters_form(start: QueueStart[ReportFilter, ReportedText], language: str) -> VdomDict:
    """Return the filter form; every change loads the list."""
    t, filters = texts(language), start.queue.filters
    shown = [
        ("", t("Waiting")),
        (ReportState.HIDDEN.value, t("Hidden")),
        (ReportState.DISMISSED.value, t("Dismissed")),
    ]
    kinds = [("", t("Everything")), *((kind.value, kind_words(kind, t)) for kind in ReportKind)]
    return search(
        DASHBOARD,
        forms.select(t("Show"), "show", shown, "" if filters.state == ReportState.OPEN else filters.state.value),
        forms.select(t("What"), "kind", kinds, filters.kind.value if filters.kind else ""),
        language=language,
        hidden_fields={"tab": REPORTS},
    )


REPORT_DESK = Desk(
    moderation=REPORT_MODERATION,
    topics=("reports",),
    selected_command="reports_decide",
    matching_command="reports_decide_matching",
    matching_most=COUNTED,
    rows=report_queue,
    cursor_of=cursor_of,
    match_count=reports_match_count,
    decision_last=report_decision_last,
    tab=lambda _filters: REPORTS,
    waits=lambda filters: filters.state == ReportState.OPEN,
    decides=lambda queue: bool(queue.rows),
    choices=lambda filters, t: choices_of(filters.state, t),
    words=_words,
    row=lambda reported, _filters, language: report_row(reported, language),
    filters_form=_filters_form,
)
