"""The ranking's tables: runs with a row for each performance, intervals, accounts with marks that count, decisions."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from apps.core.database.fields import at_most, is_not_blank
from apps.ranking.limits import REASON_LENGTH
from apps.ranking.method import HIGHEST, LOWEST
from apps.ranking.method2 import LEAST_RATERS, QUARTERS, WEIGHTS

_IN_SCALE = (LOWEST, HIGHEST)
_DIGEST = "^[0-9a-f]{64}$"


class RankingRun(models.Model):
    """One computation of a stage's ranking, with the number of marks that count and of those that do not.

    Pages show the newest run of a stage. A final run, of a closed stage, is not replaced. `method` is the version that
    made the run: closed rankings of version 1 stay as they are.
    """

    stage = models.ForeignKey("competition.Stage", on_delete=models.CASCADE, related_name="+", db_index=False)
    method = models.PositiveSmallIntegerField()
    number = models.PositiveIntegerField(null=True)  # in the stage, part of the seed; None with version 1
    digest = models.CharField(max_length=64)  # the commitment; with version 1 the SHA-256 of the marks
    # SHA-256 of the sheets without salts: an equal one makes no new run. It is in no file, because it can be guessed.
    input_digest = models.CharField(max_length=64, null=True)  # noqa: DJ001 - null with version 1
    sheets = models.PositiveIntegerField(null=True)  # in the commitment
    # What the salts follow from. With an account's id it names the sheet, so it is deleted when the run is final.
    secret = models.BinaryField(null=True)
    made_at = models.DateTimeField(db_default=Now())
    is_final = models.BooleanField(default=False, db_default=False)
    final_at = models.DateTimeField(null=True)
    failed_at = models.DateTimeField(null=True)  # time of a later, failed computation
    # When a long computation of the next run began. It stays if the process is killed (`Run.is_being_counted`).
    counting_since = models.DateTimeField(null=True)
    raters = models.PositiveIntegerField()
    marks = models.PositiveIntegerField()  # marks that count; the fields below count the others by reason
    repeated = models.PositiveIntegerField(default=0, db_default=0)
    waiting = models.PositiveIntegerField()
    partial = models.PositiveIntegerField()
    left_out = models.PositiveIntegerField(default=0, db_default=0)
    new = models.PositiveIntegerField()
    uniform = models.PositiveIntegerField()  # with version 1, as the next
    burst = models.PositiveIntegerField()
    few = models.PositiveIntegerField()
    blind = models.PositiveIntegerField(null=True)  # of the marks that count, made blind; None in runs of before
    # mean of the blind marks minus that of the others, each less its performance's mean, and its 90 % interval; None
    # with fewer than LEAST_BLIND of either
    blind_difference = models.DecimalField(max_digits=4, decimal_places=2, null=True)
    blind_from = models.DecimalField(max_digits=4, decimal_places=2, null=True)
    blind_to = models.DecimalField(max_digits=4, decimal_places=2, null=True)
    file = models.BinaryField()  # the marks, as downloaded once the ranking is closed: CSV by rater's number, gzip
    # The method's version of the runs before, if it changed while the ranking was open.
    changed_from = models.PositiveSmallIntegerField(null=True)
    # Whether the stage's `ranking_accounts` belong to this run; earlier versions stored none.
    has_accounts = models.BooleanField(default=False, db_default=False)

    class Meta:
        db_table = "ranking_runs"
        indexes = (models.Index(fields=["stage", "-id"], name="ranking_run_newest"),)
        constraints = (
            models.UniqueConstraint(fields=["stage"], condition=Q(is_final=True), name="ranking_final_once"),
            models.CheckConstraint(condition=Q(is_final=Q(final_at__isnull=False)), name="ranking_final_dated"),
            models.UniqueConstraint(fields=["stage", "number"], name="ranking_numbered_once"),
            models.CheckConstraint(condition=Q(digest__regex=_DIGEST), name="ranking_digest_well_formed"),
            models.CheckConstraint(condition=Q(method__gte=1), name="ranking_method_known"),
            models.CheckConstraint(
                condition=Q(method=1, number=None, input_digest=None, sheets=None, secret=None)
                | Q(method__gte=2, number__gte=1, input_digest__regex=_DIGEST, sheets__isnull=False),
                name="ranking_run_of_its_method",
            ),
            models.CheckConstraint(condition=Q(is_final=False) | Q(secret=None), name="ranking_final_without_secret"),
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
    """A performance in a run; without enough raters it has no rank and no score, and since version 2 no mean.

    The row of a deleted appearance stays, because the files of a closed ranking stay.
    """

    run = models.ForeignKey(RankingRun, on_delete=models.CASCADE, related_name="rows", db_index=False)
    appearance = models.ForeignKey("competition.Appearance", on_delete=models.SET_NULL, null=True, related_name="+")
    label = models.TextField(default="", db_default="")  # the performer in the files; empty until the worker stores it
    rank = models.PositiveSmallIntegerField(null=True)
    lowest = models.PositiveSmallIntegerField(null=True)  # best rank of the interval
    highest = models.PositiveSmallIntegerField(null=True)
    score = models.DecimalField(max_digits=4, decimal_places=2, null=True)
    score_from = models.DecimalField(max_digits=4, decimal_places=2, null=True)
    score_to = models.DecimalField(max_digits=4, decimal_places=2, null=True)
    raters = models.PositiveIntegerField()
    mean = models.DecimalField(max_digits=4, decimal_places=2, null=True)  # of the uncorrected marks
    late = models.PositiveIntegerField(null=True)  # of the raters; with rank only, and null with version 1 (`late.py`)

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
            models.CheckConstraint(
                condition=Q(mean__isnull=False, mean__range=_IN_SCALE, raters__gte=1)
                | Q(mean__isnull=True, rank__isnull=True, raters__lt=LEAST_RATERS),
                name="ranking_row_in_scale",
            ),
            models.CheckConstraint(
                condition=Q(late__isnull=True) | Q(rank__isnull=False, late__lte=F("raters")),
                name="ranking_row_late_few",
            ),
        )

    def __str__(self) -> str:
        return f"{self.run_id}, {self.appearance_id}: {self.rank}"


class RankingInterval(models.Model):
    """An interval of a session, with the newest run at its beginning, which is kept for it; None before the first run.

    Closing the ranking deletes the intervals of the stage. The session may have another stage since.
    """

    stage = models.ForeignKey("competition.Stage", on_delete=models.CASCADE, related_name="+", db_index=False)
    session = models.ForeignKey("competition.Session", on_delete=models.CASCADE, related_name="+", db_index=False)
    run = models.ForeignKey(RankingRun, on_delete=models.CASCADE, related_name="intervals", null=True)
    began_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        db_table = "ranking_intervals"
        indexes = (
            models.Index(fields=["stage", "-id"], name="ranking_interval_of_stage"),
            models.Index(fields=["session", "-id"], name="ranking_interval_of_session"),
        )

    def __str__(self) -> str:
        return f"{self.pk}: {self.session_id}, {self.run_id}"


class RankingMissingSheet(models.Model):
    """The hash of a sheet that a closed ranking's file is without: its account was deleted, or it has weight 0.

    Sheets of version 1 have no hash: without a salt it could be guessed.
    """

    run = models.ForeignKey(RankingRun, on_delete=models.CASCADE, related_name="missing_sheets", db_index=False)
    rater = models.PositiveIntegerField()
    hash = models.CharField(max_length=64, blank=True)
    # of weight 0, so it is not part of the computation
    is_left_out = models.BooleanField(default=False, db_default=False)

    class Meta:
        db_table = "ranking_missing_sheets"
        constraints = (
            models.UniqueConstraint(fields=["run", "rater"], name="ranking_sheet_missing_once"),
            models.CheckConstraint(
                condition=Q(hash="") | Q(hash__regex=_DIGEST), name="ranking_sheet_hash_well_formed"
            ),
        )

    def __str__(self) -> str:
        return f"{self.run_id}, {self.rater}"


class RankingAccount(models.Model):
    """An account in the newest run of a stage: which of its marks count, its weight and what it follows from.

    Accounts without marks that count and without a decision have no row. What a viewer's own lines say of a closed
    ranking is read here; the files of a run have no accounts.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False)
    stage = models.ForeignKey("competition.Stage", on_delete=models.CASCADE, related_name="+")
    marks = models.JSONField(default=dict)  # means that count, by appearance id
    is_in_burst = models.BooleanField()  # with version 1, also for accounts that another rule keeps out
    quarters = models.PositiveSmallIntegerField(default=QUARTERS, db_default=QUARTERS)  # the weight
    why = models.JSONField(null=True)  # parts of the suspicion that a weight below 1 follows from
    rater = models.PositiveIntegerField(null=True)  # number in the file of a closed ranking

    class Meta:
        db_table = "ranking_accounts"
        constraints = (
            models.UniqueConstraint(fields=["user", "stage"], name="ranking_account_once"),
            models.CheckConstraint(
                condition=Q(quarters__in=sorted(WEIGHTS.values())), name="ranking_account_weight_known"
            ),
        )

    def __str__(self) -> str:
        return f"{self.user_id}, {self.stage_id}: {len(self.marks)}"


class RankingDecision(models.Model):
    """An administrator's decision about an account in one stage, with the reason: it weighs fully, or is left out."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False)
    stage = models.ForeignKey("competition.Stage", on_delete=models.CASCADE, related_name="+")
    is_left_out = models.BooleanField(default=False, db_default=False)
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    reason = models.TextField()
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        db_table = "ranking_decisions"
        constraints = (
            models.UniqueConstraint(fields=["user", "stage"], name="released_once"),
            is_not_blank("reason", name="release_reason_written"),
            at_most("reason", REASON_LENGTH, name="release_reason_length"),
        )

    def __str__(self) -> str:
        return f"{self.user_id}, {self.stage_id}"
