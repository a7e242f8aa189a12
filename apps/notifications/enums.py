"""Enumerations of notifications."""

from django.db.models import TextChoices


class Kind(TextChoices):
    """What a member is notified of; each is chosen on the profile, except that of a correction.

    UNDONE corrects SOON and NOW: the call of a performer was taken back. All who were notified get it.
    """

    SOON = "soon", "Soon on stage"
    NOW = "now", "On stage now"
    MOVED = "moved", "Moved or withdrawn"
    ADVANCED = "advanced", "Advances to the next stage"
    PRIZES = "prizes", "Receives a prize"
    UNDONE = "undone", "Called by mistake"


CHOSEN = tuple(kind for kind in Kind if kind is not Kind.UNDONE)  # the kinds with a choice of their own


class Change(TextChoices):
    """What an announcement is about.

    STAGE: the performer of a session changed, or it went live. PLANNED: a planned start is near. MOVED: session, day or
    time of an appearance changed, or it was withdrawn. OUTCOME: who advances from a stage, or its prizes, were
    published. UNDONE: the call of a performer was taken back.
    """

    STAGE = "stage"
    PLANNED = "planned"
    MOVED = "moved"
    OUTCOME = "outcome"
    UNDONE = "undone"


class MailChoice(TextChoices):
    """When notifications are mailed."""

    NEVER = "never", "Never"
    AT_ONCE = "at_once", "At once"
    DAILY = "daily", "Once a day"
