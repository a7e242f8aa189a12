"""Stages, sessions and appearances."""

from django.db import models
from django.db.models import Deferrable, F, Q, Value
from django.db.models.functions import Lower, Now, Replace

from apps.competition.limits import DESCRIPTION_LENGTH, STAGE_LENGTH, TITLE_LENGTH
from apps.core.database.constraints import at_most, is_not_blank

from .participants import Participant

VIDEO_ID = r"^[A-Za-z0-9_-]{11}$"


def stage_name_key(name: Value | str) -> Lower:
    """Return a stage's name in lower case without spaces, which no two stages share."""
    return Lower(Replace(name, Value(" "), Value("")))


class Stage(models.Model):
    """A part of the competition, such as "Stage I".

    From `field_drawn_at` on it is known who plays in it: then nobody recommends any more who should. From `archived_at`
    on no session comes to it: a trigger refuses that (migration 0007). The order is checked when a statement ends.
    """

    name = models.CharField(max_length=STAGE_LENGTH, unique=True)
    order_number = models.PositiveSmallIntegerField()
    field_drawn_at = models.DateTimeField(null=True, blank=True)
    archived_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        db_table = "stages"
        constraints = (
            is_not_blank("name", name="stage_name_written"),
            models.UniqueConstraint(
                fields=["order_number"],
                name="stage_order_once",
                deferrable=Deferrable.IMMEDIATE,
                violation_error_message="This order number is taken by another stage.",
            ),
            models.CheckConstraint(condition=Q(order_number__gte=1), name="stage_order_from_one"),
            models.UniqueConstraint(stage_name_key("name"), name="stage_name_once"),
        )

    def __str__(self) -> str:
        return self.name


class Session(models.Model):
    """One morning or evening of playing."""

    stage = models.ForeignKey(Stage, on_delete=models.PROTECT, related_name="sessions")
    title = models.CharField(max_length=TITLE_LENGTH)
    starts_at = models.DateTimeField(db_index=True)
    description = models.TextField(blank=True)
    youtube_id = models.CharField(max_length=11, blank=True)
    is_live = models.BooleanField(default=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        db_table = "sessions"
        constraints = (
            is_not_blank("title", name="session_title_written"),
            models.UniqueConstraint(
                fields=["is_live"],
                condition=Q(is_live=True),
                name="one_live_session",
                violation_error_message="Another session is live.",
            ),
            models.CheckConstraint(
                condition=Q(youtube_id="") | Q(youtube_id__regex=VIDEO_ID),
                name="session_video_well_formed",
                violation_error_message="A YouTube video has an id of 11 letters, digits, hyphens or underscores.",
            ),
            at_most("description", DESCRIPTION_LENGTH, name="session_description_length"),
        )

    def __str__(self) -> str:
        return self.title


class SessionParticipant(models.Model):
    """One participant's appearance in one session.

    The order is checked when a statement ends, not row by row, so that one update can move many appearances.
    """

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="appearances")
    participant = models.ForeignKey(Participant, on_delete=models.PROTECT, related_name="appearances")
    order_number = models.PositiveSmallIntegerField()
    is_performing = models.BooleanField(default=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        db_table = "session_participants"
        constraints = (
            models.UniqueConstraint(
                fields=["session", "participant"],
                name="participant_once_per_session",
                violation_error_message="This participant has a place in the session already.",
            ),
            models.UniqueConstraint(
                fields=["session", "order_number"],
                name="place_order_once_per_session",
                deferrable=Deferrable.IMMEDIATE,
                violation_error_message="This order number is taken in the session.",
            ),
            models.UniqueConstraint(
                fields=["session"],
                condition=Q(is_performing=True),
                name="one_performer_per_session",
                violation_error_message="Somebody else is on stage.",
            ),
            models.CheckConstraint(condition=Q(order_number__gte=1), name="place_order_from_one"),
        )

    def __str__(self) -> str:
        return f"{self.session_id}, {self.order_number}"


class PerformingTime(models.Model):
    """A time that a participant was on stage; without an end it lasts. Several when somebody comes back."""

    session_participant = models.ForeignKey(SessionParticipant, on_delete=models.CASCADE, related_name="times")
    began_at = models.DateTimeField(db_default=Now())
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        db_table = "performing_times"
        constraints = (
            models.UniqueConstraint(
                fields=["session_participant"], condition=Q(ended_at=None), name="one_performing_time_lasts"
            ),
            models.CheckConstraint(condition=Q(ended_at__gte=F("began_at")), name="performing_time_ends_after_begin"),
        )

    def __str__(self) -> str:
        return f"{self.session_participant_id}, {self.began_at:%H:%M}"
