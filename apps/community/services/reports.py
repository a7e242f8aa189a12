"""Add reports, one for each person and text. Enough reports hide the text until an administrator decides."""

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Count, DateTimeField, ExpressionWrapper, F, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce, Now

from apps.accounts.actors import Actor
from apps.accounts.selectors.own_account import administrator_is
from apps.community.enums import ReportKind, ReportReason, ReportState
from apps.community.events import ReportsChanged
from apps.community.limits import (
    DISMISSED_WITHIN,
    HALF_AFTER,
    MEMBER_FOR,
    NOTHING_AFTER,
    REASON_LENGTH,
    REPORTS,
)
from apps.community.models import Report, ReportCase
from apps.community.services.posts import author_require
from apps.community.services.report_texts import texts_hide, texts_lock
from apps.core.audit import audit_record
from apps.core.events import publish
from apps.core.rate_limits import rate_limit_take
from apps.core.text_rules import text_clean

REPORT_ADDED = "Thank you. An administrator will look at it."
GONE = "This is no longer there."


@transaction.atomic
def report_add(*, actor: Actor, kind: ReportKind, subject_id: int, reason: str, words: str = "") -> None:
    """Report a text, and hide it when REPORTS_HIDE_AT accounts older than MEMBER_FOR have reported it.

    Some accounts count half or not at all (`_halves_against`). Reports alone never hide an administrator's text.

    Raises PermissionDenied for anonymous visitors. Raises ValidationError without a reason, for a deleted or hidden
    text, the actor's own text, a second report of the same text, and an exceeded rate limit.
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
    against = [] if administrator_is(user_id=state.author_id) else _halves_against(case)
    hides = 0 < 2 * settings.REPORTS_HIDE_AT <= sum(against)
    ReportCase.objects.filter(pk=case.pk).update(state=ReportState.OPEN, is_hidden_by_audience=hides, updated_at=Now())
    if hides:
        texts_hide([(kind, subject_id)], hidden=True)
        audit_record(
            user_id=None,
            action="reports.hide_by_audience",
            subject="reports",
            subject_id=case.pk,
            details={"count": len(against), "reports": [f"{kind}-{subject_id}"]},
        )
    publish(ReportsChanged((state.author_id,) if hides and state.author_id else ()))


def _words_clean(reason: str, words: str) -> str:
    """Return the words as they are stored. Raises ValidationError for the invalid or empty field."""
    if reason not in ReportReason.values:
        raise ValidationError({"reason": "Please choose a reason."})
    text = text_clean(words)
    if reason == ReportReason.OTHER and not text:
        raise ValidationError({"words": "Please say what is wrong with it."})
    if len(text) > REASON_LENGTH:
        raise ValidationError({"words": "A reason has at most 500 characters."})
    return text


def _case_lock(kind: ReportKind, subject_id: int) -> ReportCase:
    """Return the locked case of a text, creating it if needed. The text's lock prevents a race condition here."""
    of_text = {"kind": kind, "subject_id": subject_id}
    return ReportCase.objects.select_for_update().filter(**of_text).first() or ReportCase.objects.create(**of_text)


def _halves_against(case: ReportCase) -> list[int]:
    """Return the weight, in halves, of each report that counts against a text.

    Reports count if their account is open and older than MEMBER_FOR, and if they are newer than the last decision and
    than the last time the text was shown again. An account reports a text only once, so reporters with dismissed
    reports cannot hide it again. A reporter with HALF_AFTER dismissed reports counts half, with NOTHING_AFTER not at
    all.
    """
    since = max((at for at in (case.decided_at, case.shown_again_at) if at is not None), default=None)
    joined = ExpressionWrapper(Now() - Value(MEMBER_FOR), output_field=DateTimeField())
    counted = case.reports.filter(
        Q() if since is None else Q(created_at__gt=since), user__created_at__lt=joined, user__is_active=True
    )
    dismissed = _dismissed_lately().filter(user_id=OuterRef("user_id")).values("user_id").annotate(n=Count("pk"))
    found = counted.annotate(dismissed=Coalesce(Subquery(dismissed.values("n")), 0))
    return [_halves(n) for n in found.values_list("dismissed", flat=True) if n < NOTHING_AFTER]


def _halves(dismissed: int) -> int:
    return 2 if dismissed < HALF_AFTER else 1


def _dismissed_lately() -> "QuerySet[Report]":
    """Return the reports dismissed within DISMISSED_WITHIN: decided ones about a text that is not hidden."""
    since = ExpressionWrapper(Now() - Value(DISMISSED_WITHIN), output_field=DateTimeField())
    decided = Report.objects.filter(case__decided_at__gt=since, created_at__lte=F("case__decided_at"))
    return decided.exclude(case__state=ReportState.HIDDEN)
