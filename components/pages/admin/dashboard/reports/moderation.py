"""The list of reported texts: one, a selection or all that match are hidden or dismissed, also by keyboard."""

from apps.community.decision_arguments import matching_argument
from apps.community.enums import ReportKind, ReportState, ReportVerdict
from apps.community.report_address import REPORTS, fields_of
from apps.community.selectors.report_decisions import LastReportDecision
from apps.community.selectors.reports import ReportFilter
from apps.core.texts import Texts, texts
from apps.ratings.selectors.moderation_queue import COUNTED
from components.markup import Markup, VdomDict, component
from components.pages.admin.dashboard.decision_list import (
    decision_bar,
    decision_list,
    matching_buttons,
    newer_button,
    undo_button,
    use_queue,
)
from components.pages.admin.dashboard.query import dashboard_at
from components.pages.admin.dashboard.reports.queue import ReportQueue, ReportsStart, reports_read
from components.pages.admin.dashboard.reports.rows import report_row
from components.pages.admin.dashboard.reports.words import choices_of, count_words, kind_words, nothing_words
from components.ui import forms
from components.ui.forms import command_button, command_form
from components.ui.frames import DASHBOARD, search


@component
def reports_list(start: ReportsStart, language: str) -> VdomDict:
    """The list as of its opening, without what was decided since; newer reports are only counted."""
    t = texts(language)
    queue, on_newer = use_queue(reports_read, topics=("reports",), start=start.queue)
    newer = t.plural("Show %(n)d newer report", "Show %(n)d newer reports", queue.newer)
    return decision_list(
        command_form("reports_decide"),
        queue,
        *(report_row(each, language) for each in queue.rows),
        name=t("Reports"),
        bar=_bar(queue, t),
        newer=newer_button(newer, on_newer) if queue.newer else None,
        nothing=nothing_words(queue.filters.state, queue.filters.kind, t),
        choices=choices_of(queue.filters.state, t),
        to=dashboard_at(**fields_of(queue.filters)),
        t=t,
    )


def reports_filters(filters: ReportFilter, language: str) -> VdomDict:
    """Return the form that narrows the list; every change loads it."""
    t = texts(language)
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


def _bar(queue: ReportQueue, t: Texts) -> VdomDict:
    goes_on = queue.filters.state == ReportState.OPEN and queue.total > len(queue.rows) > 0
    return decision_bar(
        count_words(queue.filters.state, queue.total, t),
        choices_of(queue.filters.state, t) if queue.rows else (),
        undo=_undo(queue.last, t),
        matching=_matching(queue, t) if goes_on else None,
        t=t,
    )


def _undo(last: LastReportDecision | None, t: Texts) -> Markup:
    """Return the button that undoes one's last decision, while it can be undone."""
    if last is None:
        return None
    if last.verdict == ReportVerdict.HIDE:
        words = t.plural("Undo: %(n)d hidden", "Undo: %(n)d hidden", last.count)
    else:
        words = t.plural("Undo: %(n)d dismissed", "Undo: %(n)d dismissed", last.count)
    return undo_button(words, command_button("report_decision_undo", last.id, busy=t("Processing...")))


def _matching(queue: ReportQueue, t: Texts) -> VdomDict:
    """Return the buttons for all that match."""
    asking = (
        (ReportVerdict.HIDE, t("Hide all {n} that match"), t("Hide all {n} reported texts that match?")),
        (ReportVerdict.DISMISS, t("Dismiss all {n} that match"), t("Dismiss the reports of all {n} that match?")),
    )
    n, busy = f"{min(queue.total, COUNTED):,}", t("Processing...")
    words = t("Also those that this page does not show. You can take it back for ten minutes.")
    buttons = []
    for verdict, label, ask in asking:
        argument, confirm = matching_argument(verdict, queue.filters), ask.format(n=n)
        command = command_button("reports_decide_matching", argument, busy=busy, confirm=confirm, words=words)
        buttons.append((label.format(n=n), command))
    return matching_buttons(len(queue.rows), buttons, t)
