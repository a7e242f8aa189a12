"""The queue of reported texts: its filters, texts and decisions."""

from collections.abc import Collection, Mapping
from datetime import UTC, datetime

from apps.accounts.actors import Viewer
from apps.community.enums import ReportKind, ReportState, ReportVerdict
from apps.community.report_address import REPORTS, filters_of
from apps.community.selectors.reports import (
    ReportedText,
    ReportFilter,
    cases_decided_by_others,
    cursor_of,
    report_decision_last,
    report_queue,
    reports_match_count,
)
from apps.community.services.report_moderation import REPORT_MODERATION
from apps.core.moderation import COUNTED, LastDecision, OthersDecision
from apps.core.texts import Texts, texts
from components.pages.admin.dashboard.moderation_queue import Held, Queue, QueueKind, QueueStart, Words, queue_start
from components.pages.admin.dashboard.report_rows import choices_of, kind_words, report_row
from components.runtime import Query, VdomDict
from components.ui import forms
from components.ui.areas import DASHBOARD
from components.ui.frames import search


def reports_start(viewer: Viewer, query: Query, path: str = DASHBOARD) -> QueueStart[ReportFilter, ReportedText]:
    """Return the data of the tab of the page at `path` for the filters in the address."""
    return queue_start(REPORT_QUEUE, viewer, query, filters_of(query, until=datetime.now(UTC)), path=path)


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
        return t.plural("Undo: %(n)d text hidden", "Undo: %(n)d texts hidden", last.count)
    return t.plural("Undo: %(n)d text dismissed", "Undo: %(n)d texts dismissed", last.count)


def _count(state: ReportState, count: int, t: Texts) -> str:
    """Return the count of reported texts in this state, as text."""
    match state:
        case ReportState.OPEN:
            return t.plural("%(n)d reported text", "%(n)d reported texts", count)
        case ReportState.HIDDEN:
            return t.plural("%(n)d hidden text", "%(n)d hidden texts", count)
        case _:
            return t.plural("%(n)d dismissed text", "%(n)d dismissed texts", count)


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
        start.path,
        forms.select(t("Show"), "show", shown, "" if filters.state == ReportState.OPEN else filters.state.value),
        forms.select(t("What"), "kind", kinds, filters.kind.value if filters.kind else ""),
        language=language,
        hidden_fields={"tab": REPORTS},
    )


def _decided(*, user_id: int, held: Collection[Held], after: int) -> Mapping[str, OthersDecision]:
    """Return what other moderators decided about these rows since the decision `after`, by row. One query."""
    names = {case_id: name for name, case_id in held}
    found = cases_decided_by_others(user_id=user_id, case_ids=names, after=after)
    return {names[case_id]: decision for case_id, decision in found.items()}


def _decided_words(decision: OthersDecision, t: Texts) -> str:
    name = decision.by or t("another moderator")
    words = t("Hidden by {name}") if decision.verdict == ReportVerdict.HIDE else t("Dismissed by {name}")
    return words.format(name=name)


REPORT_QUEUE = QueueKind(
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
    personal=lambda filters, _user_id: filters,
    held=lambda reported: (f"{reported.kind.value}-{reported.id}", reported.case_id),
    decided=_decided,
    decided_words=_decided_words,
    choices=lambda filters, t: choices_of(filters.state, t),
    words=_words,
    row=lambda reported, _filters, language: report_row(reported, language),
    filters_form=_filters_form,
)
