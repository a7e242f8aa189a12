"""Tables of comments and reactions."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from apps.core.database.fields import at_most, is_not_blank
from apps.core.database.paging import RowCount
from apps.live.enums import Reaction
from apps.live.limits import COMMENT_LENGTH


class SessionComment(models.Model):
    """A comment on a session. A hidden one is visible to its author and administrators only."""

    session = models.ForeignKey("competition.Session", on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    # the performer on stage when it was written; NULL in an interval, and once the appearance is deleted
    appearance = models.ForeignKey(
        "competition.Appearance",
        db_column="session_participant_id",
        null=True,
        on_delete=models.SET_NULL,
        db_index=False,
        related_name="+",
    )
    content = models.CharField(max_length=COMMENT_LENGTH)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    is_hidden = models.BooleanField(default=False, db_default=False)

    class Meta:
        db_table = "session_comments"
        indexes = (
            models.Index(fields=["session", "-id"], name="session_comment_newest"),
            models.Index(fields=["user", "-created_at"], name="session_comment_of_user"),
            models.Index(fields=["user"], name="session_comment_hidden", condition=Q(is_hidden=True)),
            models.Index(
                fields=["appearance", "is_hidden", "-created_at", "-id"],
                name="session_comment_about",
                condition=Q(appearance__isnull=False),
            ),
        )
        constraints = (
            is_not_blank("content", name="session_comment_written"),
            at_most("content", COMMENT_LENGTH, name="session_comment_length"),
        )

    def __str__(self) -> str:
        return f"{self.session_id}: {self.content[:40]}"


class CommentCount(RowCount):
    """Number of comments on a session, hidden and visible ones in separate rows."""

    session = models.ForeignKey(
        "competition.Session", on_delete=models.DO_NOTHING, related_name="+", db_constraint=False, db_index=False
    )
    is_hidden = models.BooleanField()

    class Meta:
        db_table = "session_comment_counts"
        indexes = (models.Index(fields=["session", "is_hidden"], name="comment_count_of_session"),)

    def __str__(self) -> str:
        return f"{self.session_id}: {self.count}"


class SessionReaction(models.Model):
    """One tap on a reaction. `key` is the browser's key for a message of several taps, `number` the index in it."""

    session = models.ForeignKey("competition.Session", on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    type = models.CharField(max_length=10, choices=Reaction)
    timestamp = models.BigIntegerField()  # milliseconds since 1970
    key = models.UUIDField()
    number = models.PositiveSmallIntegerField()

    class Meta:
        db_table = "session_reactions"
        indexes = (models.Index(fields=["session", "timestamp"], name="reaction_lately"),)
        constraints = (
            models.CheckConstraint(condition=Q(type__in=Reaction.values), name="reaction_type_known"),
            models.UniqueConstraint(fields=["user", "key", "number"], name="reaction_once"),
        )

    def __str__(self) -> str:
        return f"{self.session_id}: {self.type}"


class ReactionMoment(models.Model):
    """Number of taps in a session during one second since 1970, by all accounts. It never decreases.

    `applause` of them are hearts and thumbs up.
    """

    session = models.ForeignKey("competition.Session", on_delete=models.CASCADE, related_name="+", db_index=False)
    second = models.BigIntegerField()
    count = models.PositiveIntegerField()
    applause = models.PositiveIntegerField(default=0, db_default=0)

    class Meta:
        db_table = "session_reaction_moments"
        constraints = (
            models.UniqueConstraint(fields=["session", "second"], name="reaction_moment_once"),
            models.CheckConstraint(condition=Q(applause__lte=F("count")), name="reaction_moment_applause_few"),
        )

    def __str__(self) -> str:
        return f"{self.session_id}: {self.count} at {self.second}"


class ReactionTotal(models.Model):
    """Number of taps of one type since the session began. It never decreases."""

    session = models.ForeignKey("competition.Session", on_delete=models.CASCADE, related_name="+")
    type = models.CharField(max_length=10, choices=Reaction)
    total = models.PositiveIntegerField()

    class Meta:
        db_table = "session_reaction_totals"
        constraints = (
            models.CheckConstraint(condition=Q(type__in=Reaction.values), name="reaction_total_type_known"),
            models.UniqueConstraint(fields=["session", "type"], name="reaction_total_once"),
        )

    def __str__(self) -> str:
        return f"{self.session_id}: {self.type} {self.total}"
