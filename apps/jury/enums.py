"""Enumerations of the jury."""

from django.db.models import TextChoices


class SheetState(TextChoices):
    """Whether a stage's sheet is public. A stage has at most one of each."""

    DRAFT = "draft", "Draft"
    PUBLISHED = "published", "Published"
