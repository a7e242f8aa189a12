"""The bar above the list of ratings: counts, buttons for the selection, and undo."""

from apps.core.texts import Texts, texts
from apps.ratings.decision_arguments import matching_argument
from apps.ratings.enums import ApprovalFilter, Verdict
from apps.ratings.limits import MATCHED
from apps.ratings.selectors.decisions import LastDecision
from apps.ratings.selectors.moderation_queue import COUNTED, QueueFilter
from components.markup import Markup, VdomDict
from components.pages.admin.dashboard.decision_list import Choice, decision_bar, matching_buttons, undo_button
from components.pages.admin.dashboard.queue import RatingQueue
from components.ui.forms import command_button


def choices_of(filters: QueueFilter, t: Texts) -> tuple[Choice, ...]:
    """Return what can be decided about a rating."""
    approve, reject = (t("Approve both"), t("Reject both")) if filters.both else (t("Approve"), t("Reject"))
    return Choice(Verdict.APPROVE, approve, "a"), Choice(Verdict.REJECT, reject, "r")


def bar(queue: RatingQueue, language: str) -> VdomDict:
    """Return the bar; nothing is decided where nothing waits."""
    t = texts(language)
    decides = any(rating.waiting(queue.filters.kind) for rating in queue.rows)
    goes_on = queue.filters.show == ApprovalFilter.WAITING and queue.total > len(queue.rows) > 0
    return decision_bar(
        _count(queue, t),
        choices_of(queue.filters, t) if decides else (),
        undo=_undo(queue.last, t),
        matching=_matching(queue, t) if goes_on else None,
        t=t,
    )


def _count(queue: RatingQueue, t: Texts) -> str:
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


def _undo(last: LastDecision | None, t: Texts) -> Markup:
    """Return the button that undoes one's last decision, while it can be undone."""
    if last is None:
        return None
    if last.verdict == Verdict.APPROVE:
        words = t.plural("Undo: %(n)d approved", "Undo: %(n)d approved", last.count)
    else:
        words = t.plural("Undo: %(n)d rejected", "Undo: %(n)d rejected", last.count)
    return undo_button(words, command_button("decision_undo", last.id, busy=t("Processing...")))


def _matching(queue: RatingQueue, t: Texts) -> VdomDict:
    """Return the buttons for all that match."""
    asking = (
        (Verdict.APPROVE, t("Approve all {n} that match"), t("Approve all {n} ratings that match?")),
        (Verdict.REJECT, t("Reject all {n} that match"), t("Reject all {n} ratings that match?")),
    )
    n, busy = f"{min(queue.total, MATCHED):,}", t("Processing...")
    words = t("Also those that this page does not show. You can take it back for ten minutes.")
    if queue.filters.both:
        words = t("{words} The pieces and the whole performances are decided together.").format(words=words)
    buttons = []
    for verdict, label, ask in asking:
        argument, confirm = matching_argument(verdict, queue.filters), ask.format(n=n)
        command = command_button("ratings_decide_matching", argument, busy=busy, confirm=confirm, words=words)
        buttons.append((label.format(n=n), command))
    return matching_buttons(len(queue.rows), buttons, t)
