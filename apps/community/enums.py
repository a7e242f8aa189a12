"""Fixed sets of words of the community."""

from enum import StrEnum

from django.db.models import TextChoices


class PostReaction(TextChoices):
    """What somebody thinks of a post (specification, section 9)."""

    APPLAUSE = "applause", "Applause"
    BOO = "boo", "Boo"


NO_REACTION = "none"  # what is wished by whoever takes the own one back
REACTION_WISHES = (*PostReaction.values, NO_REACTION)


class ReportKind(TextChoices):
    """What can be reported, one kind for each table; everybody locks in this order (`services/report_texts.py`)."""

    POST = "post", "Post"
    POST_COMMENT = "post_comment", "Comment on a post"
    SESSION_COMMENT = "session_comment", "Comment on a session"
    RATING_COMMENT = "rating_comment", "Comment of a rating"


class ReportReason(TextChoices):
    """Why somebody reports a text."""

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
        """The state that it leads to."""
        return ReportState.HIDDEN if self is ReportVerdict.HIDE else ReportState.DISMISSED
