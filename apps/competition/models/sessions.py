"""Stages, sessions and appearances."""

from django.conf import settings
from django.db import models
from django.db.models import Deferrable, F, Q, Value
from django.db.models.functions import Lower, Now, Replace

from apps.competition.limits import (
    DESCRIPTION_LENGTH,
    FULL_NAME_LENGTH,
    INTERVAL_MINUTES_MOST,
    NAME_LENGTH,
    STAGE_LENGTH,
    TITLE_LENGTH,
)
from apps.competition.models.participants import Participant
from apps.core.database.fields import at_most, is_not_blank

VIDEO_ID = r"^[A-Za-z0-9_-]{11}$"


def stage_name_key(name: Value | str) -> Lower:
    """Return the expression for a stage's name in lower case without spaces, which is unique."""
    return Lower(Replace(name, Value(" "), Value("")))


class Stage(models.Model):
    """A part of the competition, such as "Stage I".

    Its programs have the specification's five slots, or the stage's own (`has_own_slots`; without any, every program is
    right). `least_minutes` and `most_minutes` bound the usual length of a program. From `archived_at` on a trigger
    refuses new sessions (`sql/session_stage_is_open.sql`). The order is checked at the end of a statement.
    """

    name = models.CharField(max_length=STAGE_LENGTH, unique=True)
    order_number = models.PositiveSmallIntegerField()
    archived_at = models.DateTimeField(null=True, blank=True)
    has_own_slots = models.BooleanField(default=False, db_default=False)
    least_minutes = models.PositiveSmallIntegerField(null=True, blank=True)
    most_minutes = models.PositiveSmallIntegerField(null=True, blank=True)

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
            models.CheckConstraint(
                condition=Q(most_minutes__gte=F("least_minutes")),
                name="stage_minutes_in_order",
                violation_error_message="The most minutes are not fewer than the least.",
            ),
        )

    def __str__(self) -> str:
        return self.name


class Session(models.Model):
    """A session of the competition: one morning or evening of performances.

    `ended_at` is the time at which it was live for the last time; None for one that is live, or never was.
    `planned_end` is the time at which it should end, if it is known.
    """

    stage = models.ForeignKey(Stage, on_delete=models.PROTECT, related_name="sessions")
    title = models.CharField(max_length=TITLE_LENGTH)
    starts_at = models.DateTimeField(db_index=True)
    planned_end = models.DateTimeField(null=True, blank=True)
    description = models.TextField(blank=True)
    youtube_id = models.CharField(max_length=11, blank=True)
    orchestra = models.CharField(max_length=TITLE_LENGTH, blank=True, default="", db_default="")
    conductor = models.CharField(max_length=FULL_NAME_LENGTH, blank=True, default="", db_default="")
    is_live = models.BooleanField(default=False)
    ended_at = models.DateTimeField(null=True, blank=True, editable=False)
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
            models.CheckConstraint(condition=Q(is_live=False) | Q(ended_at=None), name="session_not_live_and_ended"),
            models.CheckConstraint(
                condition=Q(planned_end__gt=F("starts_at")),
                name="session_ends_after_start",
                violation_error_message="A session ends after it starts.",
            ),
        )

    def __str__(self) -> str:
        return self.title


class Piano(models.Model):
    """A piano that participants choose from: its maker and model."""

    maker = models.CharField(max_length=NAME_LENGTH)
    model = models.CharField(max_length=NAME_LENGTH, blank=True)

    class Meta:
        db_table = "pianos"
        constraints = (
            is_not_blank("maker", name="piano_maker_written"),
            models.UniqueConstraint(
                Lower("maker"),
                Lower("model"),
                name="piano_once",
                violation_error_message="This piano is in the list already.",
            ),
        )

    def __str__(self) -> str:
        return f"{self.maker} {self.model}".strip()


class Appearance(models.Model):
    """One participant's appearance in one session.

    The order is checked when a statement ends, not row by row, so that one update can move many appearances. A trigger
    sets `stage` to the session's stage (`sql/appearance_stage.sql`). Of a participant's appearances in one stage at
    most one counts in the ranking; the others are repeated. `planned_start` is the time at which it should begin, if it
    is known.
    """

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="appearances")
    # DO_NOTHING: `Session.stage` already protects a stage with sessions.
    stage = models.ForeignKey(Stage, on_delete=models.DO_NOTHING, related_name="+", blank=True, editable=False)
    participant = models.ForeignKey(Participant, on_delete=models.PROTECT, related_name="appearances")
    order_number = models.PositiveSmallIntegerField()
    is_performing = models.BooleanField(default=False)
    is_repeated = models.BooleanField(default=False, db_default=False)
    planned_start = models.DateTimeField(null=True, blank=True)
    piano = models.ForeignKey(Piano, null=True, blank=True, on_delete=models.PROTECT, related_name="appearances")
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
            models.UniqueConstraint(
                fields=["stage", "participant"],
                condition=Q(is_repeated=False),
                name="participant_counts_once_per_stage",
                violation_error_message="Another performance of this participant counts in the stage.",
            ),
        )

    def __str__(self) -> str:
        return f"{self.session_id}, {self.order_number}"


class SessionInterval(models.Model):
    """A planned interval of a session: it follows the performance with this order number."""

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="intervals", db_index=False)
    after_order_number = models.PositiveSmallIntegerField()
    minutes = models.PositiveSmallIntegerField()

    class Meta:
        db_table = "session_intervals"
        constraints = (
            models.UniqueConstraint(
                fields=["session", "after_order_number"],
                name="interval_once_after_a_place",
                violation_error_message="An interval follows this performance already.",
            ),
            models.CheckConstraint(condition=Q(after_order_number__gte=1), name="interval_after_from_one"),
            models.CheckConstraint(
                condition=Q(minutes__range=(1, INTERVAL_MINUTES_MOST)),
                name="interval_minutes_possible",
                violation_error_message="An interval lasts from 1 to 600 minutes.",
            ),
        )

    def __str__(self) -> str:
        return f"{self.session_id}, after {self.after_order_number}"


class SessionWithdrawal(models.Model):
    """A performer who withdrew from a session: shown struck out at the old place, whose number no other one gets.

    The appearance is deleted. The row goes when the performer is in the session again.
    """

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="withdrawals", db_index=False)
    participant = models.ForeignKey(Participant, on_delete=models.CASCADE, related_name="+")
    order_number = models.PositiveSmallIntegerField()
    planned_start = models.DateTimeField(null=True, blank=True)

    class Meta:
        db_table = "session_withdrawals"
        constraints = (
            models.UniqueConstraint(fields=["session", "participant"], name="withdrawn_once_from_a_session"),
            models.UniqueConstraint(fields=["session", "order_number"], name="withdrawal_number_once"),
            models.CheckConstraint(condition=Q(order_number__gte=1), name="withdrawal_number_from_one"),
        )

    def __str__(self) -> str:
        return f"{self.session_id}, {self.order_number}"


class StageAdvancement(models.Model):
    """A participant who advances from a stage, as an administrator has published it.

    A stage with a row is decided: all other performers of it do not advance, and recommendations for its performances
    are closed. A trigger refuses participants who do not play in the stage (`sql/advancement_of_performer.sql`).
    """

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="advancements", db_index=False)
    participant = models.ForeignKey(Participant, on_delete=models.CASCADE, related_name="advancements")
    at = models.DateTimeField(db_default=Now(), editable=False)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, db_index=False, related_name="+"
    )

    class Meta:
        db_table = "stage_advancements"
        constraints = (models.UniqueConstraint(fields=["stage", "participant"], name="advances_once_from_a_stage"),)

    def __str__(self) -> str:
        return f"{self.stage_id}, {self.participant_id}"


class PerformingTime(models.Model):
    """A time span of an appearance on stage, open until it leaves; an appearance may have several."""

    appearance = models.ForeignKey(
        Appearance, db_column="session_participant_id", on_delete=models.CASCADE, related_name="times"
    )
    began_at = models.DateTimeField(db_default=Now())
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        db_table = "performing_times"
        constraints = (
            models.UniqueConstraint(
                fields=["appearance"], condition=Q(ended_at=None), name="one_performing_time_lasts"
            ),
            models.CheckConstraint(condition=Q(ended_at__gte=F("began_at")), name="performing_time_ends_after_begin"),
        )

    def __str__(self) -> str:
        return f"{self.appearance_id}, {self.began_at:%H:%M}"


class CalendarEntry(models.Model):
    """What calendars publish of a session, or of a participant's appearance in it.

    Triggers write it (`sql/calendar_entries.sql`, `sql/calendar_next_starts.sql`). It outlives the session and the
    appearance: `cancelled_at` is when they were deleted, and an undo clears it. Each change that a calendar shows
    raises `sequence`.
    """

    session_id = models.BigIntegerField()
    participant = models.ForeignKey(
        Participant, null=True, on_delete=models.CASCADE, related_name="+"
    )  # None: the session itself
    title = models.CharField(max_length=TITLE_LENGTH)
    starts_at = models.DateTimeField()  # of the session
    planned_end = models.DateTimeField(null=True)  # of the session
    order_number = models.PositiveSmallIntegerField(null=True)
    planned_start = models.DateTimeField(null=True)  # of the appearance
    next_start = models.DateTimeField(null=True)  # the next planned start in the session
    sequence = models.PositiveIntegerField()
    changed_at = models.DateTimeField()
    cancelled_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "calendar_entries"
        constraints = (
            models.UniqueConstraint(
                fields=["session_id", "participant"], nulls_distinct=False, name="calendar_entry_once"
            ),
        )

    def __str__(self) -> str:
        return f"{self.session_id}, {self.participant_id}"
