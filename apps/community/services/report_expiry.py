"""Show texts again after reports alone have hidden them for a day. They stay in the administrators' queue."""

from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now

from apps.community.enums import ReportKind, ReportState
from apps.community.events import ReportsChanged
from apps.community.limits import HIDDEN_FOR
from apps.community.models import ReportCase
from apps.community.services.report_cases import authors_of, cases_lock, subject_of
from apps.community.services.report_moderation import AT_ONCE, NAMES_MOST
from apps.community.services.report_texts import texts_hide, texts_lock
from apps.core.audit import audit_record
from apps.core.events import publish


@transaction.atomic
def reports_show_again() -> int:
    """Show at most AT_ONCE texts again that reports alone have hidden for HIDDEN_FOR, and return their number."""
    # a hidden text cannot be reported, and a decision ends this state, so `updated_at` is the time of hiding
    expired = Q(state=ReportState.OPEN, is_hidden_by_audience=True, updated_at__lt=Now() - HIDDEN_FOR)
    hidden = ReportCase.objects.filter(expired).order_by("pk").values_list("kind", "subject_id")
    found = texts_lock((ReportKind(kind), subject_id) for kind, subject_id in hidden[:AT_ONCE])
    cases = cases_lock(expired, found)
    if not cases:
        return 0
    subjects = [subject_of(case) for case in cases]
    ReportCase.objects.filter(pk__in=[case.pk for case in cases]).update(
        is_hidden_by_audience=False, shown_again_at=Now()
    )
    texts_hide(subjects, hidden=False)
    names = [f"{kind}-{pk}" for kind, pk in subjects[:NAMES_MOST]]
    audit_record(
        user_id=None,
        action="reports.show_again",
        subject="reports",
        subject_id=cases[0].pk,
        details={"count": len(cases), "reports": names},
    )
    publish(ReportsChanged(authors_of(subjects, found)))
    return len(cases)
