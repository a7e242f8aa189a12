"""Fixed sets of words of the community."""

from django.db.models import TextChoices


class PostReaction(TextChoices):
    """What somebody thinks of a post (specification, section 9)."""

    APPLAUSE = "applause", "Applause"
    BOO = "boo", "Boo"


NO_REACTION = "none"  # what is wished by whoever takes the own one back
REACTION_WISHES = (*PostReaction.values, NO_REACTION)
