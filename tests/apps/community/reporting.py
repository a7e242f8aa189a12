"""What tests of reports share: a text of each kind, and people who report it."""

from apps.community.enums import ReportKind, ReportReason
from apps.community.services import report_add
from tests.apps.live.conftest import member
from tests.factories import (
    PerformanceRatingFactory,
    PostCommentFactory,
    PostFactory,
    SessionCommentFactory,
)

POST, POST_COMMENT = ReportKind.POST, ReportKind.POST_COMMENT
SESSION_COMMENT, RATING_COMMENT = ReportKind.SESSION_COMMENT, ReportKind.RATING_COMMENT
MAKE = {
    POST: PostFactory,
    POST_COMMENT: PostCommentFactory,
    SESSION_COMMENT: SessionCommentFactory,
    RATING_COMMENT: lambda **columns: PerformanceRatingFactory(approved=True, **columns),
}


def report(kind, text, *, by=None, reason=ReportReason.SPAM, words=""):
    """Report a text as somebody who has been a member for long, or `by` this person."""
    report_add(actor=by or member(), kind=kind, subject_id=text.pk, reason=reason, words=words)


def hidden(kind, text):
    """Return whether a text is hidden now."""
    text.refresh_from_db()
    return text.is_comment_hidden if kind == RATING_COMMENT else text.is_hidden
