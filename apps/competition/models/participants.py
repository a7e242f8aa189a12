"""Participants, and the performances that imports recorded as text."""

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils import timezone

from apps.competition.limits import (
    BIOGRAPHY_LENGTH,
    BIRTH_YEAR_BEYOND,
    BIRTH_YEAR_MINIMUM,
    FOLDED_NAME_LENGTH,
    FULL_NAME_LENGTH,
    NAME_LENGTH,
    PROGRAM_LENGTH,
    STAGE_LENGTH,
    START_NUMBER_MOST,
)
from apps.core.database.fields import NullWhenEmptyField, at_most, is_not_blank, is_picture
from apps.core.limits import ADDRESS_LENGTH
from apps.core.text_rules import picture_address


def validate_birth_year(year: int) -> None:
    """Raise ValidationError for a year before 1900 or in the future."""
    this_year = timezone.now().year
    if year < BIRTH_YEAR_MINIMUM:
        raise ValidationError(f"Birth year must be {BIRTH_YEAR_MINIMUM} or later.")
    if year > this_year:
        raise ValidationError(f"Birth year must be no later than {this_year}.")


class Participant(models.Model):
    """A pianist; the folded columns are written with the name and used for searching and sorting."""

    first_name = models.CharField(max_length=NAME_LENGTH)
    second_name = models.CharField(max_length=NAME_LENGTH)
    name = models.CharField(max_length=FULL_NAME_LENGTH)
    name_folded = models.CharField(max_length=FOLDED_NAME_LENGTH, editable=False)
    sort_folded = models.CharField(max_length=FOLDED_NAME_LENGTH, editable=False, db_index=True)
    name_local = models.CharField(max_length=FULL_NAME_LENGTH, blank=True, default="", db_default="")  # other script
    country = models.CharField(max_length=NAME_LENGTH)
    start_number = models.PositiveSmallIntegerField(null=True, blank=True)  # drawn by lot, once for the competition
    birth_year = models.PositiveSmallIntegerField(null=True, blank=True, validators=[validate_birth_year])
    biography = models.TextField(blank=True)
    avatar_url = NullWhenEmptyField(max_length=ADDRESS_LENGTH, blank=True, null=True, validators=[*picture_address])
    featured = models.BooleanField(default=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        db_table = "participants"
        constraints = (
            is_not_blank("first_name", name="participant_first_name_written"),
            is_not_blank("second_name", name="participant_second_name_written"),
            is_not_blank("name", name="participant_name_written"),
            is_not_blank("name_folded", name="participant_name_folded_written"),
            is_not_blank("sort_folded", name="participant_sort_folded_written"),
            is_not_blank("country", name="participant_country_written"),
            models.CheckConstraint(
                condition=Q(birth_year__isnull=True) | Q(birth_year__range=(BIRTH_YEAR_MINIMUM, BIRTH_YEAR_BEYOND)),
                name="participant_birth_year_possible",
                violation_error_message="Birth year must be 1900 or later.",
            ),
            at_most("biography", BIOGRAPHY_LENGTH, name="participant_biography_length"),
            models.UniqueConstraint(
                fields=["start_number"],
                name="start_number_once",
                violation_error_message="Another participant has this start number.",
            ),
            models.CheckConstraint(
                condition=Q(start_number__range=(1, START_NUMBER_MOST)), name="start_number_possible"
            ),
            is_picture("avatar_url", name="participant_avatar_is_picture"),
        )

    def __str__(self) -> str:
        return self.name


class ImportedPerformance(models.Model):
    """A performance recorded by an import: stage and program as text."""

    participant = models.ForeignKey(Participant, on_delete=models.CASCADE, related_name="performances")
    stage = models.CharField(max_length=STAGE_LENGTH)
    performance_date = models.DateField()
    program = models.TextField(blank=True)

    class Meta:
        db_table = "performances"
        constraints = (
            is_not_blank("stage", name="performance_stage_written"),
            at_most("program", PROGRAM_LENGTH, name="performance_program_length"),
        )

    def __str__(self) -> str:
        return f"{self.participant_id}, {self.stage}"
