"""Adds reports, one by each person and text; enough of them hide the text until somebody decides."""

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import DateTimeField, ExpressionWrapper, Q, Value
from django.db.models.functions import Now

from apps.accounts.actors import Actor
from apps.community.enums import ReportKind, ReportReason, ReportState
from apps.community.events import ReportsChanged
from apps.community.limits import MEMBER_FOR, REASON_LENGTH, REPORTS
from apps.community.models import Report, ReportCase
from apps.community.services.authors import author_require
from apps.community.services.report_texts import texts_hide, texts_lock
from apps.core.audit import audit_record
from apps.core.events import publish
from apps.core.rate_limits import rate_limit_take
from apps.core.text_rules.text_cleaning import text_clean

REPORT_ADDED = "Thank you. An administrator will look at it."
GONE = "This is no longer there."


@transaction.atomic
def report_add(*, actor: Actor, kind: ReportKind, subject_id: int, reason: str, words: str = "") -> None:
    """Report a text, and hide it when REPORTS_HIDE_AT accounts older than MEMBER_FOR have reported it.

    Raises PermissionDenied for strangers, ValidationError without a reason, for a text that is gone or hidden, for
    one's own, for one that the person has reported before, and for somebody who reports too much.
    """
    reporter = author_require(actor, "Please sign in to report.")
    text = _words_clean(reason, words)
    state = texts_lock([(kind, subject_id)]).get((kind, subject_id))
    if state is None or not state.is_public:
        raise ValidationError(GONE)
    if state.author_id == reporter.id:
        raise ValidationError({"reason": "You cannot report what you wrote yourself."})
    case = _case_lock(kind, subject_id)
    if case.reports.filter(user_id=reporter.id).exists():
        raise ValidationError({"reason": "You have reported this already."})
    rate_limit_take(REPORTS, account_id=reporter.id)
    Report.objects.create(case=case, user_id=reporter.id, reason=reason, words=text)
    against = _members_against(case)
    hides = 0 < settings.REPORTS_HIDE_AT <= against
    ReportCase.objects.filter(pk=case.pk).update(state=ReportState.OPEN, is_hidden_by_audience=hides, updated_at=Now())
    if hides:
        texts_hide([(kind, subject_id)], hidden=True)
        audit_record(
            user_id=None,
            action="reports.hide_by_audience",
            subject="reports",
            subject_id=case.pk,
            details={"count": against, "reports": [f"{kind}-{subject_id}"]},
        )
    publish(ReportsChanged((state.author_id,) if hides and state.author_id else ()))


def _words_clean(reason: str, words: str) -> str:
    """Return the words as they are stored; raises ValidationError at the field that is wrong or empty."""
    if reason not in ReportReason.values:
        raise ValidationError({"reason": "Please choose a reason."})
    text = text_clean(words)
    if reason == ReportReason.OTHER and not text:
        raise ValidationError({"words": "Please say what is wrong with it."})
    if len(text) > REASON_LENGTH:
        raise ValidationError({"words": "A reason has at most 500 characters."})
    return text


def _case_lock(kind: ReportKind, subject_id: int) -> ReportCase:
    """Return the case of a text, locked, and new where there is none; the text is locked, so nobody else adds it."""
    of_text = {"kind": kind, "subject_id": subject_id}
    return ReportCase.objects.select_for_update().filter(**of_text).first() or ReportCase.objects.create(**of_text)


def _members_against(case: ReportCase) -> int:
    """Return how many accounts older than MEMBER_FOR have reported a text since somebody decided about it.

    Nobody reports a text twice, so the people whose reports were dismissed cannot hide it again.
    """
    since = Q() if case.decided_at is None else Q(created_at__gt=case.decided_at)
    joined = ExpressionWrapper(Now() - Value(MEMBER_FOR), output_field=DateTimeField())
    return case.reports.filter(since, user__created_at__lt=joined, user__is_active=True).count()
