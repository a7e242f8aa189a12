"""The ranking's tables: runs, their rows for each performance, accounts with marks that count, and released ones."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from apps.core.database.fields import at_most, is_not_blank
from apps.ranking.limits import REASON_LENGTH
from apps.ranking.method import HIGHEST, LOWEST

_IN_SCALE = (LOWEST, HIGHEST)


class RankingRun(models.Model):
    """One computation of a stage's ranking, with the number of marks that count and of those that do not.

    Pages show the newest run of a stage. A final run, of a closed stage, is not replaced.
    """

    stage = models.ForeignKey("competition.Stage", on_delete=models.CASCADE, related_name="+", db_index=False)
    method = models.PositiveSmallIntegerField()
    digest = models.CharField(max_length=64)  # SHA-256 of the marks that count; seeds the intervals
    made_at = models.DateTimeField(db_default=Now())
    is_final = models.BooleanField(default=False, db_default=False)
    final_at = models.DateTimeField(null=True)
    failed_at = models.DateTimeField(null=True)  # time of a later, failed computation
    raters = models.PositiveIntegerField()
    marks = models.PositiveIntegerField()  # marks that count; the fields below count the others by reason
    repeated = models.PositiveIntegerField(default=0, db_default=0)
    waiting = models.PositiveIntegerField()
    partial = models.PositiveIntegerField()
    new = models.PositiveIntegerField()
    uniform = models.PositiveIntegerField()
    burst = models.PositiveIntegerField()
    few = models.PositiveIntegerField()
    blind = models.PositiveIntegerField(null=True)  # of the marks that count, made blind; None in runs of before
    # mean of the blind marks minus that of the others, each less its performance's mean, and its 90 % interval; None
    # with fewer than LEAST_BLIND of either
    blind_difference = models.DecimalField(max_digits=4, decimal_places=2, null=True)
    blind_from = models.DecimalField(max_digits=4, decimal_places=2, null=True)
    blind_to = models.DecimalField(max_digits=4, decimal_places=2, null=True)
    file = models.BinaryField()  # the marks that count, as downloaded: anonymous CSV, gzip
    # Whether the stage's `ranking_accounts` belong to this run; earlier versions stored none.
    has_accounts = models.BooleanField(default=False, db_default=False)

    class Meta:
        db_table = "ranking_runs"
        indexes = (models.Index(fields=["stage", "-id"], name="ranking_run_newest"),)
        constraints = (
            models.UniqueConstraint(fields=["stage"], condition=Q(is_final=True), name="ranking_final_once"),
            models.CheckConstraint(condition=Q(is_final=Q(final_at__isnull=False)), name="ranking_final_dated"),
            models.CheckConstraint(condition=Q(digest__regex="^[0-9a-f]{64}$"), name="ranking_digest_well_formed"),
            models.CheckConstraint(condition=Q(method__gte=1), name="ranking_method_known"),
            models.CheckConstraint(
                condition=Q(blind__isnull=True) | Q(blind__lte=F("marks")), name="ranking_blind_few"
            ),
            models.CheckConstraint(
                condition=Q(blind_difference__isnull=True, blind_from__isnull=True, blind_to__isnull=True)
                | Q(blind_from__lte=F("blind_difference"), blind_to__gte=F("blind_difference")),
                name="ranking_blind_interval",
            ),
        )

    def __str__(self) -> str:
        return f"{self.pk}: {self.stage_id}, {self.marks}"


class RankingRow(models.Model):
    """A performance in a run; without enough raters it has no rank and no score."""

    run = models.ForeignKey(RankingRun, on_delete=models.CASCADE, related_name="rows", db_index=False)
    appearance = models.ForeignKey("competition.SessionParticipant", on_delete=models.CASCADE, related_name="+")
    rank = models.PositiveSmallIntegerField(null=True)
    lowest = models.PositiveSmallIntegerField(null=True)  # best rank of the interval
    highest = models.PositiveSmallIntegerField(null=True)
    score = models.DecimalField(max_digits=4, decimal_places=2, null=True)
    score_from = models.DecimalField(max_digits=4, decimal_places=2, null=True)
    score_to = models.DecimalField(max_digits=4, decimal_places=2, null=True)
    raters = models.PositiveIntegerField()
    mean = models.DecimalField(max_digits=4, decimal_places=2)  # of the uncorrected marks

    class Meta:
        db_table = "ranking_rows"
        constraints = (
            models.UniqueConstraint(fields=["run", "appearance"], name="ranked_once"),
            models.CheckConstraint(
                condition=Q(rank__isnull=True, score__isnull=True, lowest__isnull=True, score_from__isnull=True)
                | Q(rank__isnull=False, rank__gte=1, score__isnull=False, score__range=_IN_SCALE),
                name="ranking_row_whole",
            ),
            models.CheckConstraint(
                condition=Q(lowest__isnull=True, highest__isnull=True)
                | Q(lowest__isnull=False, highest__isnull=False)
                & Q(lowest__gte=1, lowest__lte=F("rank"), highest__gte=F("rank")),
                name="ranking_row_in_interval",
            ),
            models.CheckConstraint(
                condition=Q(score_from__isnull=True, score_to__isnull=True)
                | Q(score_from__isnull=False, score_to__isnull=False)
                & Q(score_from__range=_IN_SCALE, score_to__range=_IN_SCALE, score_from__lte=F("score_to")),
                name="ranking_row_score_interval",
            ),
            models.CheckConstraint(condition=Q(mean__range=_IN_SCALE, raters__gte=1), name="ranking_row_in_scale"),
        )

    def __str__(self) -> str:
        return f"{self.run_id}, {self.appearance_id}: {self.rank}"


class RankingAccount(models.Model):
    """An account in the newest run of a stage: which of its marks count, and whether it is in a burst.

    Accounts without either have no row. What a viewer's own lines say of a burst and of a closed ranking is read here;
    the files of a run have no accounts.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False)
    stage = models.ForeignKey("competition.Stage", on_delete=models.CASCADE, related_name="+")
    marks = models.JSONField(default=dict)  # means that count, by appearance id
    is_in_burst = models.BooleanField()  # also for accounts that another rule keeps out, or that were released

    class Meta:
        db_table = "ranking_accounts"
        constraints = (models.UniqueConstraint(fields=["user", "stage"], name="ranking_account_once"),)

    def __str__(self) -> str:
        return f"{self.user_id}, {self.stage_id}: {len(self.marks)}"


class RankingRelease(models.Model):
    """An account released from quarantine in one stage: by which administrator and why."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False)
    stage = models.ForeignKey("competition.Stage", on_delete=models.CASCADE, related_name="+")
    released_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    reason = models.TextField()
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        db_table = "ranking_releases"
        constraints = (
            models.UniqueConstraint(fields=["user", "stage"], name="released_once"),
            is_not_blank("reason", name="release_reason_written"),
            at_most("reason", REASON_LENGTH, name="release_reason_length"),
        )

    def __str__(self) -> str:
        return f"{self.user_id}, {self.stage_id}"
