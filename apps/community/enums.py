"""Enumerations of the community."""

from enum import StrEnum

from django.db.models import TextChoices


class PostReaction(TextChoices):
    """A reaction to a post (specification, section 9)."""

    APPLAUSE = "applause", "Applause"
    BOO = "boo", "Boo"


NO_REACTION = "none"  # withdraws a reaction
REACTION_WISHES = (*PostReaction.values, NO_REACTION)


class ReportKind(TextChoices):
    """The kinds of texts that can be reported, one for each table, in the order of locking (`report_texts.py`)."""

    POST = "post", "Post"
    POST_COMMENT = "post_comment", "Comment on a post"
    SESSION_COMMENT = "session_comment", "Comment on a session"
    RATING_COMMENT = "rating_comment", "Comment of a rating"


class ReportReason(TextChoices):
    """The reason of a report."""

    SPAM = "spam", "Spam"
    INSULT = "insult", "Insult"
    OFF_TOPIC = "off_topic", "Off topic"
    OTHER = "other", "Something else"


class ReportState(TextChoices):
    """The state of a reported text: open until an administrator decides."""

    OPEN = "open", "Open"
    HIDDEN = "hidden", "Hidden"
    DISMISSED = "dismissed", "Dismissed"


class ReportVerdict(StrEnum):
    """A decision about a reported text."""

    HIDE = "hide"
    DISMISS = "dismiss"

    @property
    def state(self) -> ReportState:
        """The state of a case after this decision."""
        return ReportState.HIDDEN if self is ReportVerdict.HIDE else ReportState.DISMISSED
