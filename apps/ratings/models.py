"""Models of ratings: one mark for each person and item. The database protects rated appearances and raters."""

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Length, Now
from django.db.models.lookups import Exact

from apps.core.database.fields import at_most, is_not_blank
from apps.core.database.paging import RowCount
from apps.ratings.enums import Advance, QuickRating, RatingKind, Verdict
from apps.ratings.limits import COMMENT_LENGTH, PERFORMANCE_HIGHEST, PIECE_HIGHEST, STAGE_KEY

_KINDS = [kind.value for kind in RatingKind]


class Rating(models.Model):
    """The common fields of both kinds of marks: author, performance, mark and approval."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False)
    appearance = models.ForeignKey(
        "competition.Appearance",
        db_column="session_participant_id",
        on_delete=models.PROTECT,
        related_name="+",
        db_index=False,
    )
    score = models.PositiveSmallIntegerField()
    approved = models.BooleanField(default=False)
    # Marks of closed accounts are neither shown nor counted. Triggers update this column (`0013_authors.py`).
    is_author_active = models.BooleanField(db_default=True, editable=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    updated_at = models.DateTimeField(db_default=Now(), editable=False)  # the author's last change

    class Meta:
        abstract = True


class PieceRating(Rating):
    """A mark from 1 to 25 for one piece of a performance."""

    piece = models.ForeignKey("competition.Piece", on_delete=models.PROTECT, related_name="+")

    class Meta(Rating.Meta):
        db_table = "piece_ratings"
        indexes = (models.Index(fields=["appearance", "-created_at", "-id"], name="piecerating_place_all"),)
        constraints = (
            models.UniqueConstraint(fields=["user", "appearance", "piece"], name="piece_rated_once"),
            models.CheckConstraint(condition=Q(score__range=(1, PIECE_HIGHEST)), name="piece_score_in_range"),
        )

    def __str__(self) -> str:
        return f"{self.user_id}, {self.appearance_id}, {self.piece_id}: {self.score}"


class PerformanceRating(Rating):
    """A mark from 1 to 5 for a whole performance, with a comment and an optional quick rating."""

    comment = models.TextField()
    quick_rating = models.CharField(max_length=17, choices=QuickRating, blank=True)
    is_comment_hidden = models.BooleanField(default=False, db_default=False)  # the mark is still shown and counted

    class Meta(Rating.Meta):
        db_table = "performance_ratings"
        indexes = (
            *(
                index
                for name, name_of_place, moment, which in (
                    ("all_new", "place_all", "created_at", None),
                    ("shown", "place_shown", "created_at", Q(approved=True, is_author_active=True)),
                    ("waits", "place_waits", "updated_at", Q(approved=False, is_author_active=True)),
                )
                for index in (
                    models.Index(fields=[f"-{moment}", "-id"], name=f"performancerating_{name}", condition=which),
                    models.Index(
                        fields=["appearance", f"-{moment}", "-id"],
                        name=f"performancerating_{name_of_place}",
                        condition=which,
                    ),
                )
            ),
            models.Index(fields=["user"], name="performance_comment_hidden", condition=Q(is_comment_hidden=True)),
        )
        constraints = (
            models.UniqueConstraint(fields=["user", "appearance"], name="performance_rated_once"),
            models.CheckConstraint(
                condition=Q(score__range=(1, PERFORMANCE_HIGHEST)), name="performance_score_in_range"
            ),
            models.CheckConstraint(condition=Q(quick_rating__in=["", *QuickRating.values]), name="quick_rating_known"),
            is_not_blank("comment", name="rating_comment_written"),
            at_most("comment", COMMENT_LENGTH, name="rating_comment_length"),
        )

    def __str__(self) -> str:
        return f"{self.user_id}, {self.appearance_id}: {self.score}"


class RatingSubmission(models.Model):
    """One person's rating of one performance: a summary of its marks for lists of ratings.

    Triggers of PostgreSQL update it (`sql/rating_submissions_keep.sql`). Marks of closed accounts only count in
    `given_at` (`sql/author_active.sql`). Services lock this row before they write its marks.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.DO_NOTHING, related_name="+", db_index=False)
    appearance = models.ForeignKey(
        "competition.Appearance",
        db_column="session_participant_id",
        on_delete=models.DO_NOTHING,
        related_name="+",
        db_index=False,
    )
    waiting_pieces = models.PositiveSmallIntegerField(db_default=0)  # number of marks of pieces that await approval
    waiting_points = models.PositiveSmallIntegerField(db_default=0)  # sum of these marks
    approved_pieces = models.PositiveSmallIntegerField(db_default=0)
    approved_points = models.PositiveSmallIntegerField(db_default=0)
    given_at = models.DateTimeField(db_default=Now())  # time of its newest mark
    shown_at = models.DateTimeField(null=True)  # time of its newest public mark
    waiting_at = models.DateTimeField(null=True)  # last change of its marks of pieces that await approval

    class Meta:
        db_table = "rating_submissions"
        indexes = (
            models.Index(fields=["user", "-given_at", "-id"], name="submission_of_user"),
            *(
                index
                for name, moment, which in (
                    ("given", "given_at", None),
                    ("shown", "shown_at", Q(shown_at__isnull=False)),
                    ("waiting", "waiting_at", Q(waiting_at__isnull=False)),
                )
                for index in (
                    models.Index(fields=[f"-{moment}", "-id"], name=f"submission_{name}", condition=which),
                    models.Index(
                        fields=["appearance", f"-{moment}", "-id"],
                        name=f"submission_place_{name}",
                        condition=which,
                    ),
                )
            ),
        )
        constraints = (
            models.UniqueConstraint(fields=["user", "appearance"], name="submitted_once"),
            models.CheckConstraint(
                condition=Q(waiting_pieces=0, waiting_points=0, waiting_at__isnull=True)
                | Q(waiting_pieces__gt=0, waiting_at__isnull=False),
                name="submission_waiting",
            ),
            models.CheckConstraint(
                condition=Q(approved_pieces=0, approved_points=0) | Q(approved_pieces__gt=0, shown_at__isnull=False),
                name="submission_shown",
            ),
        )

    def __str__(self) -> str:
        return f"{self.user_id}, {self.appearance_id}"


class StageKey(models.Model):
    """The secret key of a stage's digests (`RatingOrigin`): it exists while the stage's ranking is open.

    The database deletes it with the stage.
    """

    stage = models.OneToOneField(
        "competition.Stage", on_delete=models.DO_NOTHING, related_name="+", primary_key=True, db_constraint=False
    )
    key = models.BinaryField()

    class Meta:
        db_table = "stage_keys"
        constraints = (models.CheckConstraint(condition=Exact(Length("key"), STAGE_KEY), name="stage_key_length"),)

    def __str__(self) -> str:
        return str(self.stage_id)


class RatingOrigin(models.Model):
    """The address block that a rating was submitted from last, as HMAC-SHA-256 with its stage's key.

    The database deletes it with the rating's row in `rating_submissions` and with the key (migration 0019), whichever
    service or version of this site deletes these.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.DO_NOTHING, related_name="+", db_index=False)
    appearance = models.ForeignKey(
        "competition.Appearance",
        db_column="session_participant_id",
        on_delete=models.DO_NOTHING,
        related_name="+",
        db_index=False,
        db_constraint=False,  # a key of both columns refers to the rating
    )
    stage = models.ForeignKey(StageKey, on_delete=models.DO_NOTHING, related_name="+", db_constraint=False)
    digest = models.CharField(max_length=64)

    class Meta:
        db_table = "rating_origins"
        constraints = (
            models.UniqueConstraint(fields=["user", "appearance"], name="rating_origin_once"),
            models.CheckConstraint(condition=Q(digest__regex="^[0-9a-f]{64}$"), name="rating_origin_well_formed"),
        )

    def __str__(self) -> str:
        return f"{self.user_id}, {self.appearance_id}"


class RatingDraft(models.Model):
    """One member's own sheet of one performance: the latest values of the rating form, submitted or not.

    Every strike is stored at once (`services/drafts.py`), and only its member sees it. What differs from the stored
    rating is not submitted. Each field has the time of its latest strike, so that two devices merge by field; a field
    without a time was not struck since sheets exist, and has the value of the stored rating.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False)
    appearance = models.ForeignKey(
        "competition.Appearance", db_column="session_participant_id", on_delete=models.CASCADE, related_name="+"
    )
    score = models.PositiveSmallIntegerField(null=True)  # of the whole performance; None: no mark
    score_at = models.DateTimeField(null=True)
    comment = models.TextField(blank=True, db_default="")
    comment_at = models.DateTimeField(null=True)
    quick_rating = models.CharField(max_length=17, choices=QuickRating, blank=True, db_default="")
    quick_at = models.DateTimeField(null=True)
    is_rejected = models.BooleanField(db_default=False)  # a moderator has removed the mark of the whole performance
    shown_at = models.DateTimeField(null=True)  # when the member first asked for the audience's figures
    # a rating was submitted and has lost marks since: the figures of the whole performance stay uncovered
    was_submitted = models.BooleanField(db_default=False)
    rejected_at = models.DateTimeField(null=True)  # when a moderator last removed a mark of the rating

    class Meta:
        db_table = "rating_drafts"
        constraints = (
            models.UniqueConstraint(fields=["user", "appearance"], name="drafted_once"),
            models.CheckConstraint(
                condition=Q(score__isnull=True) | Q(score__range=(1, PERFORMANCE_HIGHEST), score_at__isnull=False),
                name="draft_score_in_range",
            ),
            models.CheckConstraint(
                condition=Q(quick_rating__in=["", *QuickRating.values]), name="draft_quick_rating_known"
            ),
            models.CheckConstraint(
                condition=(Q(comment="") | Q(comment_at__isnull=False))
                & (Q(quick_rating="") | Q(quick_at__isnull=False)),
                name="draft_struck_at",
            ),
            at_most("comment", COMMENT_LENGTH, name="draft_comment_length"),
        )

    def __str__(self) -> str:
        return f"{self.user_id}, {self.appearance_id}: {self.score}"


class DraftMark(models.Model):
    """The mark of one piece on a member's sheet; without a score it was removed.

    The row stays, because the audience's figures of a piece that was once marked stay uncovered.
    """

    draft = models.ForeignKey(RatingDraft, on_delete=models.CASCADE, related_name="marks", db_index=False)
    piece = models.ForeignKey("competition.Piece", on_delete=models.CASCADE, related_name="+")
    score = models.PositiveSmallIntegerField(null=True)
    struck_at = models.DateTimeField()
    is_rejected = models.BooleanField(db_default=False)  # a moderator has removed this mark from the rating
    # whether the server covered the figures of piece and performance for this account when the mark was first kept;
    # None if that is unknown, as for marks that were made signed out
    blind = models.BooleanField(null=True)

    class Meta:
        db_table = "draft_marks"
        constraints = (
            models.UniqueConstraint(fields=["draft", "piece"], name="draft_piece_once"),
            models.CheckConstraint(
                condition=Q(score__isnull=True) | Q(score__range=(1, PIECE_HIGHEST)), name="draft_mark_in_range"
            ),
        )

    def __str__(self) -> str:
        return f"{self.draft_id}, {self.piece_id}: {self.score}"


class CoveringChoice(models.Model):
    """Whether an account wants the audience's figures covered until it has marked; without a row it does."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", primary_key=True)
    ears_first = models.BooleanField()

    class Meta:
        db_table = "covering_choices"

    def __str__(self) -> str:
        return f"{self.user_id}: {self.ears_first}"


class UncoveredStage(models.Model):
    """A stage of which an account has asked for all of the audience's figures."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False)
    stage = models.ForeignKey("competition.Stage", on_delete=models.CASCADE, related_name="+")
    shown_at = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "uncovered_stages"
        constraints = (models.UniqueConstraint(fields=["user", "stage"], name="uncovered_once"),)

    def __str__(self) -> str:
        return f"{self.user_id}, {self.stage_id}"


class DecidingChoice(models.Model):
    """What a moderator decides together in the queue of ratings; without a row both boxes are ticked."""

    # the migration has the constraint, which deletes the row with the account
    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", primary_key=True, db_constraint=False
    )
    whole_too = models.BooleanField(db_default=True)  # with the pieces of a rating also its whole performance
    pieces_too = models.BooleanField(db_default=True)  # with the whole performance of a rating also its pieces

    class Meta:
        db_table = "deciding_choices"

    def __str__(self) -> str:
        return f"{self.user_id}: {self.whole_too}, {self.pieces_too}"


class ApprovalSetting(models.Model):
    """Whether piece ratings of proven accounts are approved without a moderator: one row, or none until it is set."""

    THE_ROW = 1

    id = models.PositiveSmallIntegerField(primary_key=True, default=THE_ROW, db_default=THE_ROW)
    pieces_at_once = models.BooleanField(db_default=False)

    class Meta:
        db_table = "approval_settings"
        constraints = (models.CheckConstraint(condition=Q(id=1), name="approval_setting_one_row"),)

    def __str__(self) -> str:
        return str(self.pieces_at_once)


class AdvanceRecommendation(models.Model):
    """One person's recommendation for or against advancing a participant after this performance."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False)
    appearance = models.ForeignKey(
        "competition.Appearance", db_column="session_participant_id", on_delete=models.PROTECT, related_name="+"
    )
    recommendation = models.CharField(max_length=4, choices=Advance)
    is_author_active = models.BooleanField(db_default=True, editable=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    updated_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        db_table = "advance_recommendations"
        constraints = (
            models.UniqueConstraint(fields=["user", "appearance"], name="recommended_once"),
            models.CheckConstraint(condition=Q(recommendation__in=Advance.values), name="recommendation_known"),
        )

    def __str__(self) -> str:
        return f"{self.user_id}, {self.appearance_id}: {self.recommendation}"


def _appearance_counted() -> "models.ForeignKey[Any, Any]":
    """Return a count's foreign key to its appearance, without a constraint: a count may outlive the row briefly."""
    return models.ForeignKey(
        "competition.Appearance",
        db_column="session_participant_id",
        on_delete=models.DO_NOTHING,
        related_name="+",
        db_constraint=False,
        db_index=False,
    )


class PieceRatingCount(RowCount):
    """The number of marks of a piece in a performance, approved or not, including those of closed accounts."""

    appearance = _appearance_counted()
    piece_id = models.BigIntegerField()
    approved = models.BooleanField()

    class Meta:
        db_table = "piece_rating_counts"
        indexes = (models.Index(fields=["appearance", "piece_id", "approved"], name="piece_rating_counted"),)

    def __str__(self) -> str:
        return f"{self.appearance_id}, {self.piece_id}: {self.count}"


class RatingSubmissionCount(RowCount):
    """The number of ratings of a performance by their numbers of waiting and of approved marks of pieces."""

    appearance = _appearance_counted()
    waiting_pieces = models.PositiveSmallIntegerField()
    approved_pieces = models.PositiveSmallIntegerField()

    class Meta:
        db_table = "rating_submission_counts"
        indexes = (models.Index(fields=["appearance", "waiting_pieces", "approved_pieces"], name="submission_counted"),)

    def __str__(self) -> str:
        return f"{self.appearance_id}, {self.waiting_pieces}, {self.approved_pieces}: {self.count}"


class PieceMarkCount(RowCount):
    """How often each mark was given to a piece of a performance: only approved marks of open accounts."""

    appearance = _appearance_counted()
    piece_id = models.BigIntegerField()
    score = models.PositiveSmallIntegerField()

    class Meta:
        db_table = "piece_mark_counts"
        indexes = (models.Index(fields=["appearance", "piece_id", "score"], name="piece_mark_counted"),)

    def __str__(self) -> str:
        return f"{self.appearance_id}, {self.piece_id}: {self.score} × {self.count}"


class PerformanceRatingCount(RowCount):
    """How often each mark was given to a whole performance, by approval and by whether the account is open."""

    appearance = _appearance_counted()
    is_author_active = models.BooleanField(db_default=True, editable=False)
    approved = models.BooleanField()
    score = models.PositiveSmallIntegerField()

    class Meta:
        db_table = "performance_rating_counts"
        indexes = (models.Index(fields=["appearance", "approved", "score"], name="performance_rating_counted"),)

    def __str__(self) -> str:
        return f"{self.appearance_id}: {self.score} × {self.count}"


class RecommendationCount(RowCount):
    """The number of recommendations for and against a participant, by whether the account is open."""

    appearance = _appearance_counted()
    is_author_active = models.BooleanField(db_default=True, editable=False)
    recommendation = models.CharField(max_length=4, choices=Advance)

    class Meta:
        db_table = "advance_recommendation_counts"
        indexes = (models.Index(fields=["appearance", "recommendation"], name="recommendation_counted"),)

    def __str__(self) -> str:
        return f"{self.appearance_id}: {self.recommendation} × {self.count}"


class Decision(models.Model):
    """One decision of a moderator about marks of one or many ratings, kept for minutes for its undo."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    approved = models.BooleanField()  # or rejected
    submissions = models.PositiveIntegerField(db_default=1)  # number of ratings with a decided mark
    created_at = models.DateTimeField(db_default=Now(), editable=False, db_index=True)

    class Meta:
        db_table = "rating_decisions"

    def __str__(self) -> str:
        return f"{self.pk}: {'approved' if self.approved else 'rejected'}"

    @property
    def verdict(self) -> Verdict:
        """The moderator's verdict."""
        return Verdict.APPROVE if self.approved else Verdict.REJECT

    @property
    def count(self) -> int:
        """The number of ratings with a decided mark."""
        return self.submissions


class DecidedRating(models.Model):
    """One mark of a decision. For a rejected mark, `row` contains all columns for the undo."""

    decision = models.ForeignKey(Decision, on_delete=models.CASCADE, related_name="ratings")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")  # the mark's author
    kind = models.CharField(max_length=11, choices=[(kind, kind) for kind in _KINDS])
    rating_id = models.BigIntegerField()
    changed_at = models.DateTimeField()  # `updated_at` of the mark when it was decided
    row = models.JSONField(null=True)

    class Meta:
        db_table = "decided_ratings"
        constraints = (models.CheckConstraint(condition=Q(kind__in=_KINDS), name="decided_kind_known"),)

    def __str__(self) -> str:
        return f"{self.kind}-{self.rating_id}"
