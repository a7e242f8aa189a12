"""The jury's tables: jurors, rules, sheets with their marks, and the results that follow from them."""

from django.conf import settings
from django.db import models
from django.db.models import BooleanField, F, Func, Q, Value
from django.db.models.functions import Now

from apps.core.database.fields import at_most, is_not_blank
from apps.core.rounding import Rounding
from apps.jury.limits import DECIMALS, EDITION_LENGTH, FILE_NAME_LENGTH, JUROR_LENGTH, SCALE_HIGHEST, STAGES

_DIGEST = "^[0-9a-f]{64}$"
_STAGES_ARE_WHOLE: Func = Func(  # `sql/jury_rules.sql`
    *map(F, ("distances", "weights", "stages")),
    Value(STAGES),
    function="jury_stages_are_whole",
    output_field=BooleanField(),
)


class Juror(models.Model):
    """A member of the jury; the folded name distinguishes them."""

    name = models.CharField(max_length=JUROR_LENGTH)
    name_folded = models.CharField(max_length=2 * JUROR_LENGTH, unique=True, editable=False)

    class Meta:
        db_table = "jurors"
        constraints = (
            is_not_blank("name", name="juror_name_written"),
            is_not_blank("name_folded", name="juror_name_folded_written"),
        )

    def __str__(self) -> str:
        return self.name


class JuryRule(models.Model):
    """A version of an edition's rules (`rules.py`), stored when it is chosen or first used.

    Nothing but `is_current` changes afterwards (`sql/jury_rules.sql`): sheets keep the rule that they were
    computed with. `distances`, `weights` and `stages` are lists by the place of the stage; decimals are texts. Without
    `stages` the scale of each stage is that of the edition, and its score is the corrected mean. The one with
    `is_current` is that of new sheets; without one it is `rules.DEFAULT`.
    """

    edition = models.CharField(max_length=EDITION_LENGTH)
    version = models.PositiveSmallIntegerField()
    lowest = models.DecimalField(max_digits=5, decimal_places=2)
    highest = models.DecimalField(max_digits=5, decimal_places=2)
    decimals = models.PositiveSmallIntegerField()
    rounding = models.CharField(max_length=9, default=Rounding.HALF_UP.value, db_default=Rounding.HALF_UP.value)
    distances = models.JSONField()
    weights = models.JSONField()
    stages = models.JSONField(default=list, db_default=Value([], models.JSONField()))
    is_current = models.BooleanField(default=False, db_default=False)

    class Meta:
        db_table = "jury_rules"
        constraints = (
            models.UniqueConstraint(fields=["edition", "version"], name="jury_rule_once"),
            models.UniqueConstraint(fields=["is_current"], condition=Q(is_current=True), name="jury_rule_current_once"),
            models.CheckConstraint(
                condition=Q(lowest__lt=F("highest"), lowest__gte=0, highest__lte=SCALE_HIGHEST), name="jury_rule_scale"
            ),
            models.CheckConstraint(
                condition=Q(decimals__lte=DECIMALS, rounding__in=[each.value for each in Rounding]),
                name="jury_rule_rounds",
            ),
            models.CheckConstraint(condition=_STAGES_ARE_WHOLE, name="jury_rule_stages"),
            is_not_blank("edition", name="jury_rule_edition_written"),
        )

    def __str__(self) -> str:
        return f"{self.edition}, version {self.version}"


class JurySheet(models.Model):
    """The jury's marks of one stage: a draft, or published. `place` is that of the stage in the rule, from 1.

    Published sheets of one place have no performer in common (`sheet_publish`): they are of several competitions.
    `digest` is the SHA-256 of marks and official figures: an equal one changes nothing.
    """

    stage = models.ForeignKey("competition.Stage", on_delete=models.CASCADE, related_name="+", db_index=False)
    rule = models.ForeignKey(JuryRule, on_delete=models.PROTECT, related_name="+")
    place = models.PositiveSmallIntegerField()
    digest = models.CharField(max_length=64)
    file_name = models.CharField(max_length=FILE_NAME_LENGTH, blank=True)
    saved_at = models.DateTimeField(db_default=Now(), editable=False)
    saved_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+", editable=False
    )
    published_at = models.DateTimeField(null=True)
    published_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+", editable=False
    )

    class Meta:
        db_table = "jury_sheets"
        constraints = (
            models.UniqueConstraint(fields=["stage"], condition=Q(published_at=None), name="jury_draft_once"),
            models.UniqueConstraint(
                fields=["stage"], condition=Q(published_at__isnull=False), name="jury_published_once"
            ),
            models.CheckConstraint(condition=Q(digest__regex=_DIGEST), name="jury_digest_well_formed"),
            models.CheckConstraint(condition=Q(place__gte=1), name="jury_place_from_one"),
            models.CheckConstraint(
                condition=Q(published_by=None) | Q(published_at__isnull=False), name="jury_publisher_of_published"
            ),
            at_most("file_name", FILE_NAME_LENGTH, name="jury_file_name_length"),
        )

    def __str__(self) -> str:
        return f"{self.pk}: {self.stage_id}"


class JuryMark(models.Model):
    """A juror's mark of a performer; no mark, but recused, if the performer is the juror's own student."""

    sheet = models.ForeignKey(JurySheet, on_delete=models.CASCADE, related_name="marks", db_index=False)
    juror = models.ForeignKey(Juror, on_delete=models.PROTECT, related_name="+")
    participant = models.ForeignKey("competition.Participant", on_delete=models.CASCADE, related_name="+")
    score = models.DecimalField(max_digits=5, decimal_places=2, null=True)
    is_recused = models.BooleanField(default=False, db_default=False)

    class Meta:
        db_table = "jury_marks"
        constraints = (
            models.UniqueConstraint(fields=["sheet", "participant", "juror"], name="jury_mark_once"),
            models.CheckConstraint(
                condition=Q(score__isnull=True, is_recused=True) | Q(score__gte=0, is_recused=False),
                name="jury_mark_or_recused",
            ),
        )

    def __str__(self) -> str:
        return f"{self.juror_id}, {self.participant_id}: {'S' if self.is_recused else self.score}"


class JuryShown(models.Model):
    """A stage whose jury marks an account has asked to see before it has marked all performances."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False)
    stage = models.ForeignKey("competition.Stage", on_delete=models.CASCADE, related_name="+")
    shown_at = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "jury_shown"
        constraints = (models.UniqueConstraint(fields=["user", "stage"], name="jury_shown_once"),)

    def __str__(self) -> str:
        return f"{self.user_id}, {self.stage_id}"


class JuryResult(models.Model):
    """The result of a performer in a sheet: recomputed figures, and the official ones if they were imported.

    A performer whom every juror is recused for has no mean, score and rank. `plain_rank` is that without correction.
    """

    sheet = models.ForeignKey(JurySheet, on_delete=models.CASCADE, related_name="results", db_index=False)
    participant = models.ForeignKey("competition.Participant", on_delete=models.CASCADE, related_name="+")
    mean = models.DecimalField(max_digits=9, decimal_places=2, null=True)
    score = models.DecimalField(max_digits=9, decimal_places=2, null=True)
    corrected = models.PositiveSmallIntegerField(default=0)
    cumulated = models.DecimalField(max_digits=9, decimal_places=2, null=True)
    rank = models.PositiveSmallIntegerField(null=True)
    plain_rank = models.PositiveSmallIntegerField(null=True)
    official = models.DecimalField(max_digits=9, decimal_places=2, null=True)
    official_cumulated = models.DecimalField(max_digits=9, decimal_places=2, null=True)
    official_rank = models.PositiveSmallIntegerField(null=True)

    class Meta:
        db_table = "jury_results"
        constraints = (
            models.UniqueConstraint(fields=["sheet", "participant"], name="jury_result_once"),
            models.CheckConstraint(
                condition=Q(mean=None, score=None, corrected=0, cumulated=None, rank=None)
                | Q(mean__isnull=False, score__isnull=False),
                name="jury_result_whole",
            ),
            models.CheckConstraint(condition=Q(rank=None) | Q(rank__gte=1), name="jury_rank_from_one"),
        )

    def __str__(self) -> str:
        return f"{self.participant_id}: {self.score}"
