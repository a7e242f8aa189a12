"""Models of posts, reactions and comments, and of reports with their cases and decisions."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from apps.community.enums import PostReaction, ReportKind, ReportReason, ReportState, ReportVerdict
from apps.community.limits import COMMENT_LENGTH, POST_LENGTH, REASON_LENGTH
from apps.core.database.fields import at_most, is_not_blank, is_secure_picture
from apps.core.database.paging import RowCount
from apps.core.limits import ADDRESS_LENGTH


class Post(models.Model):
    """A public text in the community feed. Only its author and administrators see a hidden one."""

    # NULL for a former member
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        db_index=False,
        related_name="+",
    )
    # the performance that it is about; NULL for a post about none, and once the appearance is deleted
    appearance = models.ForeignKey(
        "competition.Appearance",
        db_column="session_participant_id",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        db_index=False,
        related_name="+",
    )
    is_subject_deleted = models.BooleanField(default=False, db_default=False)  # it was about a performance
    content = models.TextField()
    image_url = models.CharField(max_length=ADDRESS_LENGTH, blank=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    is_hidden = models.BooleanField(default=False, db_default=False)

    class Meta:
        db_table = "posts"
        indexes = (
            models.Index(fields=["-created_at", "-id"], name="community_post_newest", condition=Q(is_hidden=False)),
            models.Index(fields=["user", "-created_at", "-id"], name="community_post_of_user"),
            models.Index(fields=["user"], name="community_post_hidden", condition=Q(is_hidden=True)),
            models.Index(
                fields=["appearance", "is_hidden", "-created_at", "-id"],
                name="community_post_about",
                condition=Q(appearance__isnull=False),
            ),
        )
        constraints = (
            is_not_blank("content", name="community_post_written"),
            at_most("content", POST_LENGTH, name="community_post_length"),
            is_secure_picture("image_url", name="community_post_image_is_picture"),
            models.CheckConstraint(
                condition=Q(is_subject_deleted=False) | Q(appearance=None), name="community_post_one_subject"
            ),
        )

    def __str__(self) -> str:
        return self.content[:40]


class PostReactionRow(models.Model):
    """One person's reaction to one post."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, db_index=False, related_name="+")
    post = models.ForeignKey(Post, on_delete=models.CASCADE, related_name="+")
    type = models.CharField(max_length=10, choices=PostReaction)

    class Meta:
        db_table = "post_reactions"
        constraints = (
            models.CheckConstraint(condition=Q(type__in=PostReaction.values), name="post_reaction_type_known"),
            models.UniqueConstraint(fields=["user", "post"], name="post_reaction_once"),
        )

    def __str__(self) -> str:
        return f"{self.post_id}: {self.type}"


class PostReactionCount(RowCount):
    """The number of a post's reactions of one type."""

    post = models.ForeignKey(Post, on_delete=models.DO_NOTHING, related_name="+", db_constraint=False, db_index=False)
    type = models.CharField(max_length=10, choices=PostReaction)

    class Meta:
        db_table = "post_reaction_counts"
        indexes = (models.Index(fields=["post", "type"], name="post_reaction_count_of_post"),)

    def __str__(self) -> str:
        return f"{self.post_id}: {self.type} {self.count}"


class PostComment(models.Model):
    """A comment on a post. Only its author and administrators see a hidden one."""

    post = models.ForeignKey(Post, on_delete=models.CASCADE, db_index=False, related_name="+")
    # NULL for a former member
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    content = models.TextField()
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    is_hidden = models.BooleanField(default=False, db_default=False)

    class Meta:
        db_table = "post_comments"
        indexes = (
            models.Index(fields=["post", "-id"], name="post_comment_newest"),
            models.Index(fields=["user"], name="post_comment_hidden", condition=Q(is_hidden=True)),
        )
        constraints = (
            is_not_blank("content", name="post_comment_written"),
            at_most("content", COMMENT_LENGTH, name="post_comment_length"),
        )

    def __str__(self) -> str:
        return f"{self.post_id}: {self.content[:40]}"


class PostCommentCount(RowCount):
    """The number of a post's comments that are not hidden."""

    post = models.ForeignKey(Post, on_delete=models.DO_NOTHING, related_name="+", db_constraint=False, db_index=False)

    class Meta:
        db_table = "post_comment_counts"
        indexes = (models.Index(fields=["post"], name="post_comment_count_of_post"),)

    def __str__(self) -> str:
        return f"{self.post_id}: {self.count}"


class ReportCase(models.Model):
    """The case of a reported text. A trigger deletes it with the text (`sql/report_cases_end.sql`)."""

    kind = models.CharField(max_length=15, choices=ReportKind)
    subject_id = models.BigIntegerField()  # in the table of that kind
    state = models.CharField(max_length=9, choices=ReportState, default=ReportState.OPEN)
    is_hidden_by_audience = models.BooleanField(default=False)  # until a decision, at most for a day
    shown_again_at = models.DateTimeField(null=True)  # last time it was shown again after a day without a decision
    updated_at = models.DateTimeField(db_default=Now(), editable=False)  # time of the last report or decision
    decided_at = models.DateTimeField(null=True)  # time of the last decision; later reports are undecided
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, db_index=False, related_name="+"
    )

    class Meta:
        db_table = "report_cases"
        indexes = (
            models.Index(fields=["state", "-updated_at", "-id"], name="report_case_newest"),
            models.Index(fields=["state", "kind", "-updated_at", "-id"], name="report_case_of_kind"),
        )
        constraints = (
            models.UniqueConstraint(fields=["kind", "subject_id"], name="report_case_once"),
            models.CheckConstraint(condition=Q(kind__in=ReportKind.values), name="report_kind_known"),
            models.CheckConstraint(condition=Q(state__in=ReportState.values), name="report_state_known"),
            models.CheckConstraint(
                condition=Q(state=ReportState.OPEN) | Q(decided_at__isnull=False, is_hidden_by_audience=False),
                name="report_case_decided",
            ),
        )

    def __str__(self) -> str:
        return f"{self.kind}-{self.subject_id}: {self.state}"


class ReportCaseCount(RowCount):
    """The number of cases of one kind in one state."""

    state = models.CharField(max_length=9, choices=ReportState)
    kind = models.CharField(max_length=15, choices=ReportKind)

    class Meta:
        db_table = "report_case_counts"
        indexes = (models.Index(fields=["state", "kind"], name="report_case_counted"),)

    def __str__(self) -> str:
        return f"{self.state}, {self.kind}: {self.count}"


class Report(models.Model):
    """One person's report of a text. It is deleted with the account."""

    case = models.ForeignKey(ReportCase, on_delete=models.CASCADE, db_index=False, related_name="reports")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    reason = models.CharField(max_length=9, choices=ReportReason)
    words = models.TextField(blank=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        db_table = "reports"
        constraints = (
            models.UniqueConstraint(fields=["case", "user"], name="reported_once"),
            models.CheckConstraint(condition=Q(reason__in=ReportReason.values), name="report_reason_known"),
            models.CheckConstraint(condition=~Q(reason=ReportReason.OTHER, words=""), name="report_words_written"),
            at_most("words", REASON_LENGTH, name="report_words_length"),
        )

    def __str__(self) -> str:
        return f"{self.case_id}: {self.reason}"


class ReportDecision(models.Model):
    """A decision about reports, kept for minutes for its undo."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    is_hidden = models.BooleanField()  # or dismissed
    count = models.PositiveIntegerField()  # of cases
    created_at = models.DateTimeField(db_default=Now(), editable=False, db_index=True)

    class Meta:
        db_table = "report_decisions"

    def __str__(self) -> str:
        return f"{self.pk}: {'hidden' if self.is_hidden else 'dismissed'}"

    @property
    def verdict(self) -> ReportVerdict:
        """The administrator's verdict."""
        return ReportVerdict.HIDE if self.is_hidden else ReportVerdict.DISMISS


class DecidedCase(models.Model):
    """The state of a case before a decision, for the undo."""

    decision = models.ForeignKey(ReportDecision, on_delete=models.CASCADE, related_name="cases")
    case = models.ForeignKey(ReportCase, on_delete=models.CASCADE, related_name="+")
    state = models.CharField(max_length=9, choices=ReportState)
    is_hidden_by_audience = models.BooleanField()
    updated_at = models.DateTimeField()
    decided_at = models.DateTimeField(null=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, db_index=False, related_name="+"
    )

    class Meta:
        db_table = "decided_report_cases"

    def __str__(self) -> str:
        return f"{self.decision_id}, {self.case_id}: {self.state}"
