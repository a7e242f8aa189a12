"""Enumerations of the live app."""

from django.db.models import TextChoices


class Reaction(TextChoices):
    """The types of reactions (specification, section 9)."""

    HEART = "heart", "Heart"
    THUMBS_UP = "thumbsUp", "Thumbs up"
    THUMBS_DOWN = "thumbsDown", "Thumbs down"


APPLAUSE = (Reaction.HEART, Reaction.THUMBS_UP)  # the types that make a moment an applauded one
