"""Undoes a decision about reports: each text and its case is as it was before."""

from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q

from apps.accounts.actors import Actor
from apps.accounts.audit_notes import change_note
from apps.community.enums import ReportState
from apps.community.events import ReportsChanged
from apps.community.models import DecidedCase, ReportCase, ReportDecision
from apps.community.permissions import can_moderate
from apps.community.services.report_cases import authors_of, cases_lock, subject_of
from apps.community.services.report_texts import texts_hide, texts_lock
from apps.core.events import publish
from apps.core.permissions import require
from apps.core.texts import texts
from apps.ratings.selectors.decisions import decided_since

_BACK = ("%(n)d reported text is as it was before.", "%(n)d reported texts are as they were before.")
_LEFT = (
    "%(n)d stays as it is: it was reported again, decided or deleted since.",
    "%(n)d stay as they are: they were reported again, decided or deleted since.",
)
_COLUMNS = ("state", "is_hidden_by_audience", "updated_at", "decided_at", "decided_by_id")


@dataclass(frozen=True, slots=True)
class ReportsUndone:
    """The result of an undo: how many are as they were before, and how many had changed since."""

    back: int
    left: int

    def sentence_in(self, language: str) -> str:
        """Return the sentence for the administrator."""
        t = texts(language)
        return " ".join(t.plural(*forms, n) for forms, n in ((_BACK, self.back), (_LEFT, self.left)) if n)


@transaction.atomic
def report_decision_undo(*, actor: Actor, decision_id: int) -> ReportsUndone:
    """Restore what the decision changed, except texts reported again, decided or deleted since.

    Raises PermissionDenied, ValidationError when the decision is too old or was taken back already.
    """
    require(can_moderate(actor), "Only administrators decide about reports.")
    decision = ReportDecision.objects.select_for_update().filter(pk=decision_id, created_at__gt=decided_since()).first()
    if decision is None:
        raise ValidationError("This can no longer be taken back.")
    before = {each.case_id: each for each in decision.cases.select_related("case")}
    found = texts_lock(subject_of(each.case) for each in before.values())
    cases = [case for case in cases_lock(Q(updated_at=decision.created_at), found) if case.pk in before]
    for case in cases:
        for column in _COLUMNS:
            setattr(case, column, getattr(before[case.pk], column))
    ReportCase.objects.bulk_update(cases, [column.removesuffix("_id") for column in _COLUMNS])
    texts_hide([subject_of(case) for case in cases if _was_hidden(before[case.pk])], hidden=True)
    texts_hide([subject_of(case) for case in cases if not _was_hidden(before[case.pk])], hidden=False)
    undone = ReportsUndone(len(cases), decision.count - len(cases))
    decision.delete()
    change_note(actor=actor, action="reports.undo", subject_id=decision_id, count=undone.back)
    publish(ReportsChanged(authors_of([subject_of(case) for case in cases], found)))
    return undone


@transaction.atomic
def report_decisions_prune() -> int:
    """Delete decisions that can no longer be taken back; returns how many rows."""
    count, _ = ReportDecision.objects.filter(created_at__lte=decided_since()).delete()
    return count


def _was_hidden(before: DecidedCase) -> bool:
    """Whether the text was hidden before the decision."""
    return before.state == ReportState.HIDDEN or before.is_hidden_by_audience
