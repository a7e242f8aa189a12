"""The bar above the moderation list: counts, buttons for the selection, and undo."""

from apps.core.texts import Texts, texts
from apps.ratings.decision_arguments import matching_argument
from apps.ratings.enums import ApprovalFilter, Verdict
from apps.ratings.selectors import COUNTED, LastDecision
from components.markup import Markup, VdomDict, html, web_module
from components.pages.admin.dashboard.queue import Queue
from components.ui.blocks import visually_hidden
from components.ui.controls.commands import command_button

QUEUE = web_module("modules/backstage/moderation-queue.js", "Queue")
SMALL, PLAIN = "button button--small", "button button--plain button--small"


def bar(queue: Queue, language: str) -> VdomDict:
    """Return the bar; its script shows how many are selected."""
    t = texts(language)
    decides = any(not rating.approved for rating in queue.rows)
    return html.div(
        {"key": "bar", "class": "bar"},
        html.div(
            {"class": "bar__line"},
            _all_box(t) if decides else None,
            html.strong({"key": "count", "class": "bar__count", "tabIndex": -1}, _count(queue, t)),
            QUEUE({"key": "selected", "selected": t("{n} selected")}),
            _undo(queue.last, t),
            *(_selection_buttons(t) if decides else []),
        ),
        _matching(queue, t)
        if queue.filters.show == ApprovalFilter.WAITING and queue.total > len(queue.rows) > 0
        else None,
    )


def _all_box(t: Texts) -> VdomDict:
    box = html.input({"type": "checkbox", "id": "queue-all", "data-all": ""})
    return html.label(
        {"key": "all", "class": "check", "htmlFor": "queue-all"}, box, visually_hidden(t("Select all on this page"))
    )


def _count(queue: Queue, t: Texts) -> str:
    many = queue.total > COUNTED
    match queue.filters.show:
        case ApprovalFilter.WAITING if many:
            return t("More than {n} waiting").format(n=COUNTED)
        case ApprovalFilter.WAITING:
            return t.plural("%(n)d waiting", "%(n)d waiting", queue.total)
        case ApprovalFilter.APPROVED if not many:
            return t.plural("%(n)d approved", "%(n)d approved", queue.total)
        case _other if many:
            return t("More than {n} ratings").format(n=COUNTED)
    return t.plural("%(n)d rating", "%(n)d ratings", queue.total)


def _selection_buttons(t: Texts) -> list[Markup]:
    """Return the buttons that decide about what is ticked."""
    own = {"type": "submit", "name": "decision", "data-busy": t("Processing...")}
    selected = html.span({"class": "visually-hidden visually-hidden--scripted"}, t(" selected"))
    return [
        html.button(
            {"key": "approve", "class": SMALL, "value": Verdict.APPROVE.value, **own},
            t("Approve"),
            selected,
        ),
        html.button(
            {"key": "reject", "class": PLAIN, "value": Verdict.REJECT.value, **own},
            t("Reject"),
            selected,
        ),
    ]


def _undo(last: LastDecision | None, t: Texts) -> Markup:
    """Return the button that undoes one's last decision, while it can be undone."""
    if last is None:
        return None
    if last.verdict == Verdict.APPROVE:
        words = t.plural("Undo: %(n)d approved", "Undo: %(n)d approved", last.count)
    else:
        words = t.plural("Undo: %(n)d rejected", "Undo: %(n)d rejected", last.count)
    doing = command_button("decision_undo", last.id, busy=t("Processing..."))
    return html.button({"key": "undo", "class": "link", "data-undo": "", **doing}, words)


def _matching(queue: Queue, t: Texts) -> VdomDict:
    """Return the buttons for all that match, shown when all on the page are selected."""
    words = t("All {n} on this page are selected.").format(n=len(queue.rows))
    asking = (
        (Verdict.APPROVE, t("Approve all {n} that match"), t("Approve all {n} ratings that match?")),
        (Verdict.REJECT, t("Reject all {n} that match"), t("Reject all {n} ratings that match?")),
    )
    n = f"{min(queue.total, COUNTED):,}"
    buttons = [_every(queue, verdict, label.format(n=n), ask.format(n=n), t) for verdict, label, ask in asking]
    return html.div({"class": "bar__all"}, html.p(words), *buttons)


def _every(queue: Queue, verdict: Verdict, label: str, ask: str, t: Texts) -> VdomDict:
    words = t("Also those that this page does not show. You can take it back for ten minutes.")
    argument, busy = matching_argument(verdict, queue.filters), t("Processing...")
    doing = command_button("ratings_decide_matching", argument, busy=busy, confirm=ask, words=words)
    return html.button({"class": PLAIN, **doing}, label)
