"""Helpers of the report tests: a text of each kind, and users who report it."""

import pytest

from apps.community.enums import ReportKind, ReportReason
from apps.community.models import ReportCase
from apps.community.services.reports import report_add
from apps.core.moderation import Seen
from tests.apps.live.conftest import member
from tests.factories import PerformanceRatingFactory, PostCommentFactory, PostFactory, SessionCommentFactory

POST, POST_COMMENT = ReportKind.POST, ReportKind.POST_COMMENT
SESSION_COMMENT, RATING_COMMENT = ReportKind.SESSION_COMMENT, ReportKind.RATING_COMMENT
KINDS = pytest.mark.parametrize("kind", list(ReportKind), ids=str)


def text_of(kind, **columns):
    match kind:
        case ReportKind.POST:
            return PostFactory(**columns)
        case ReportKind.POST_COMMENT:
            return PostCommentFactory(**columns)
        case ReportKind.SESSION_COMMENT:
            return SessionCommentFactory(**columns)
    return PerformanceRatingFactory(approved=True, **columns)


def report(kind, text, *, by=None, reason=ReportReason.SPAM, words="", times=1):
    """Report a text as `by`, or as this many long-time members."""
    for _ in range(times):
        report_add(actor=by or member(), kind=kind, subject_id=text.pk, reason=reason, words=words)


def case_of(kind, text):
    return ReportCase.objects.get(kind=kind, subject_id=text.pk)


def seen(*cases):
    """Return these cases as an administrator reads them now."""
    return [
        Seen(ReportKind(case.kind), case.subject_id, ReportCase.objects.get(pk=case.pk).updated_at) for case in cases
    ]


def is_hidden(text):
    text.refresh_from_db()
    return getattr(text, "is_comment_hidden", None) or getattr(text, "is_hidden", False)
