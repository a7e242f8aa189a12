"""Fixed sets of words of the live app."""

from django.db.models import TextChoices


class Reaction(TextChoices):
    """What a tap says (specification, section 9)."""

    HEART = "heart", "Heart"
    THUMBS_UP = "thumbsUp", "Thumbs up"
    THUMBS_DOWN = "thumbsDown", "Thumbs down"
