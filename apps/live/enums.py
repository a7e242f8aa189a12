"""Enumerations of the live app."""

from django.db.models import TextChoices


class Reaction(TextChoices):
    """The types of reactions (specification, section 9)."""

    HEART = "heart", "Heart"
    THUMBS_UP = "thumbsUp", "Thumbs up"
    THUMBS_DOWN = "thumbsDown", "Thumbs down"
