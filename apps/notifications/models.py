"""Announcements, notifications, call alerts, push subscriptions and the choices of members as they are stored."""

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from apps.notifications.enums import Change, Kind, MailChoice
from apps.notifications.limits import ENDPOINT_LENGTH, KEY_LENGTH, OCCASION_LENGTH, TIME_ZONE_LENGTH


class Announcement(models.Model):
    """A change that followers are notified of: one row in the transaction of the change, however many follow.

    Triggers write it (`sql/announcements.sql`), and the service `call_undone`. It is worked on at `due_at`, 10 s after
    the last change of its subject; the notifications then follow from what is stored at that time. `before` are the
    times of an appearance before the first of these changes, or when the call that is taken back was made.
    `taken_until` is set by the process that works on it; after that time another takes over.
    """

    change = models.CharField(max_length=8, choices=Change)
    stage_id = models.BigIntegerField(null=True)
    session_id = models.BigIntegerField(null=True)
    participant_id = models.BigIntegerField(null=True)
    before = models.JSONField(null=True)
    due_at = models.DateTimeField()
    taken_until = models.DateTimeField(null=True)
    tries = models.PositiveSmallIntegerField(default=0, db_default=0)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "announcements"
        constraints = (
            models.CheckConstraint(condition=Q(change__in=Change.values), name="announcement_change_known"),
            models.UniqueConstraint(
                fields=["change", "stage_id", "session_id", "participant_id"],
                condition=Q(taken_until=None, finished_at=None),
                nulls_distinct=False,
                name="announcement_waits_once",
            ),
            models.UniqueConstraint(
                fields=["session_id", "participant_id"],
                condition=Q(change=Change.PLANNED),
                name="planned_start_announced_once",
            ),
            models.CheckConstraint(
                condition=Q(change=Change.OUTCOME, stage_id__isnull=False, session_id=None, participant_id=None)
                | Q(change=Change.STAGE, stage_id=None, session_id__isnull=False, participant_id=None)
                | Q(
                    change__in=[Change.PLANNED, Change.MOVED, Change.UNDONE],
                    stage_id=None,
                    session_id__isnull=False,
                    participant_id__isnull=False,
                ),
                name="announcement_has_its_subject",
            ),
        )
        indexes = (
            models.Index(fields=["due_at", "id"], condition=Q(finished_at=None), name="announcements_due"),
            models.Index(fields=["finished_at"], condition=Q(finished_at__isnull=False), name="announcements_finished"),
        )

    def __str__(self) -> str:
        return f"{self.change}: {self.stage_id or self.session_id}"


class Notification(models.Model):
    """One member's notification; at most one for each kind, performer and occasion.

    `occasion` distinguishes repetitions: the session, the change of its plan, or the stage. A channel is done when its
    `…_due_at` is null. `pushed_to` are the subscriptions that have got it.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False)
    kind = models.CharField(max_length=8, choices=Kind)
    participant = models.ForeignKey("competition.Participant", on_delete=models.CASCADE, related_name="+")
    occasion = models.CharField(max_length=OCCASION_LENGTH)
    session_id = models.BigIntegerField(null=True)
    stage_id = models.BigIntegerField(null=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    expires_at = models.DateTimeField()  # after which no channel sends or shows it
    seen_at = models.DateTimeField(null=True)  # when the member closed its line
    push_due_at = models.DateTimeField(null=True)
    push_tries = models.PositiveSmallIntegerField(default=0, db_default=0)
    pushed_to = ArrayField(models.BigIntegerField(), default=list, db_default=[])
    mail_due_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "notifications"
        constraints = (
            models.UniqueConstraint(
                fields=["user", "kind", "participant", "occasion"], name="notified_once_of_an_occasion"
            ),
            models.CheckConstraint(condition=Q(kind__in=Kind.values), name="notification_kind_known"),
            models.CheckConstraint(condition=Q(expires_at__gt=F("created_at")), name="notification_lasts"),
        )
        indexes = (
            models.Index(fields=["user", "expires_at"], condition=Q(seen_at=None), name="notifications_unseen"),
            models.Index(fields=["push_due_at", "id"], condition=Q(push_due_at__isnull=False), name="pushes_due"),
            models.Index(fields=["mail_due_at", "user"], condition=Q(mail_due_at__isnull=False), name="notices_due"),
            models.Index(fields=["created_at"], name="notifications_by_age"),
        )

    def __str__(self) -> str:
        return f"{self.user_id}, {self.kind}: {self.participant_id}"


class CallAlert(models.Model):
    """A member's wish to be notified when the next performer of a session is called, without following anybody.

    It counts for one interval: `stay_id` is the time on stage before it, 0 before the first. `told_at` is when the
    notification was created; a correction of that call clears it. It is deleted once its session is not live.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, db_index=False, related_name="+")
    session = models.ForeignKey("competition.Session", on_delete=models.CASCADE, db_index=False, related_name="+")
    stay_id = models.BigIntegerField()
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    told_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "call_alerts"
        constraints = (models.UniqueConstraint(fields=["session", "user"], name="one_call_alert_of_a_session"),)
        indexes = (models.Index(fields=["user"], name="call_alerts_of_user"),)

    def __str__(self) -> str:
        return f"{self.user_id}, {self.session_id}"


class PushSubscription(models.Model):
    """A browser that gets notifications by web push. It ends with its session.

    A trigger deletes it when no session with the handle `session_handle` is left (`sql/push_subscriptions.sql`). The
    account that subscribed last has the endpoint. A session is one browser, so it has one endpoint.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    session_handle = models.UUIDField(unique=True)
    endpoint = models.CharField(max_length=ENDPOINT_LENGTH, unique=True)
    p256dh = models.CharField(max_length=KEY_LENGTH)
    auth = models.CharField(max_length=KEY_LENGTH)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    paused_until = models.DateTimeField(null=True)  # as the push service asked with Retry-After

    class Meta:
        db_table = "push_subscriptions"
        constraints = (
            models.CheckConstraint(condition=Q(endpoint__startswith="https://"), name="push_endpoint_is_secure"),
        )

    def __str__(self) -> str:
        return f"{self.user_id}, {self.session_handle}"


class NotificationPreference(models.Model):
    """How a member wants to be notified; without a row the defaults of its columns count.

    An empty time zone is the venue's. Hours and times are those of the member's zone; quiet hours may cross midnight.
    """

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="+")
    soon = models.BooleanField(default=True, db_default=True)
    now = models.BooleanField(default=True, db_default=True)
    moved = models.BooleanField(default=True, db_default=True)
    advanced = models.BooleanField(default=False, db_default=False)
    prizes = models.BooleanField(default=False, db_default=False)
    mail = models.CharField(max_length=8, choices=MailChoice, default=MailChoice.NEVER, db_default=MailChoice.NEVER)
    mail_hour = models.PositiveSmallIntegerField(default=8, db_default=8)  # of the daily mail
    quiet_from = models.TimeField(null=True, blank=True)
    quiet_until = models.TimeField(null=True, blank=True)
    time_zone = models.CharField(max_length=TIME_ZONE_LENGTH, blank=True, default="", db_default="")

    class Meta:
        db_table = "notification_preferences"
        constraints = (
            models.CheckConstraint(condition=Q(mail__in=MailChoice.values), name="notification_mail_known"),
            models.CheckConstraint(condition=Q(mail_hour__range=(0, 23)), name="notification_mail_hour_possible"),
            models.CheckConstraint(
                condition=Q(quiet_from=None, quiet_until=None)
                | Q(quiet_from__isnull=False, quiet_until__isnull=False) & ~Q(quiet_from=F("quiet_until")),
                name="quiet_hours_have_two_ends",
                violation_error_message="Quiet hours need a beginning and a different end.",
            ),
        )

    def __str__(self) -> str:
        return str(self.user_id)
