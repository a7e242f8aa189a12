"""Enumerations of the jury."""

from django.db.models import TextChoices


class SheetState(TextChoices):
    """Whether a stage's sheet is public. A stage has at most one of each."""

    DRAFT = "draft", "Draft"
    PUBLISHED = "published", "Published"


class MarkKind(TextChoices):
    """What a juror gives a performer in a stage."""

    POINTS = "points", "Points"
    YES_NO = "yes_no", "Yes or no"  # stored as 1 and 0
    PLACES = "places", "Places, 1 is the best"


class ScoreMethod(TextChoices):
    """How a performer's score of a stage follows from the marks."""

    MEAN = "mean", "Mean"
    CORRECTED = "corrected", "Mean after a correction of distant marks"
    TRIMMED = "trimmed", "Mean without the highest and lowest marks"
    RANKS = "ranks", "Sum of the ranks that the jurors give"
