"""Tables of the core: errors, answers of commands, the audit, counters, rate limits."""

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from apps.core.enums import Severity
from apps.core.limits import ADDRESS_LENGTH, USER_AGENT_LENGTH
from apps.core.observability import MESSAGE_LENGTH, TABLE

NARROWS_AUDIT = ("user_id", "action", "subject")  # each has its own index


class ErrorLog(models.Model):
    """One error with its context; equal ones of a minute are one row with the context of the first.

    The account is a plain number, so that the row outlives the account.
    """

    message = models.CharField(max_length=MESSAGE_LENGTH)
    error_details = models.TextField(null=True, blank=True)  # noqa: DJ001 - specified as JSON text or null
    user_id = models.BigIntegerField(null=True, blank=True)
    page_url = models.CharField(max_length=ADDRESS_LENGTH, blank=True)
    user_agent = models.CharField(max_length=USER_AGENT_LENGTH, blank=True)
    severity = models.CharField(max_length=8, choices=Severity, default=Severity.ERROR)
    times = models.PositiveIntegerField(default=1, db_default=1)  # equal errors within a minute
    created_at = models.DateTimeField(db_default=Now(), editable=False, db_index=True)

    class Meta:
        db_table = TABLE
        indexes = (models.Index(fields=["severity", "-id"], name="error_by_severity"),)
        constraints = (models.CheckConstraint(condition=Q(severity__in=Severity.values), name="error_severity_known"),)

    def __str__(self) -> str:
        return f"{self.severity}: {self.message}"


class CommandAnswer(models.Model):
    """The stored answer of a user's command, by the idempotency key that the browser generated."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, db_index=False, related_name="+")
    key = models.UUIDField()
    name = models.CharField(max_length=100)
    answer = models.JSONField()
    created_at = models.DateTimeField(db_default=Now(), db_index=True)

    class Meta:
        db_table = "acts"
        constraints = (models.UniqueConstraint(fields=["user", "key"], name="act_once_per_person_and_key"),)

    def __str__(self) -> str:
        return f"{self.name} {self.key}"


class AuditEntry(models.Model):
    """Audit entry: actor, action and subject.

    Accounts are plain numbers, so that an entry outlives them. `audit_prune` removes the numbers after 90 days. Details
    contain no names and no texts of users.
    """

    user_id = models.BigIntegerField(null=True, blank=True)  # the actor; null for the terminal and after 90 days
    action = models.CharField(max_length=60)  # such as "admin.grant"
    subject = models.CharField(max_length=60)  # the kind of object, such as "account"
    subject_id = models.BigIntegerField(null=True, blank=True)
    details = models.JSONField(default=dict, blank=True)
    created_at = models.DateTimeField(db_default=Now(), db_index=True)

    class Meta:
        db_table = "audit_entries"
        indexes = (
            models.Index(fields=["subject", "subject_id"], name="audit_by_subject"),
            *(models.Index(fields=[of, "-created_at", "-id"], name=f"audit_of_{of}") for of in NARROWS_AUDIT),
            models.Index(
                fields=["subject", "subject_id"], name="audit_of_deleted", condition=Q(action__endswith=".delete")
            ),
        )

    def __str__(self) -> str:
        return f"{self.action} {self.subject} {self.subject_id}"


class Counter(models.Model):
    """One value of the counter cache (`apps/core/database/cache.py`), deleted only after its expiry."""

    key = models.CharField(max_length=250, primary_key=True)
    value = models.JSONField()
    expires_at = models.DateTimeField(db_index=True)

    class Meta:
        db_table = "counters"

    def __str__(self) -> str:
        return self.key


class RateLimitUse(models.Model):
    """The uses of one limit by one subject (`apps/core/rate_limits.py`): the times at which each is free again.

    Only the key is indexed, so that an update changes no index.
    """

    pk = models.CompositePrimaryKey("subject", "name")
    subject = models.CharField(max_length=60)
    name = models.CharField(max_length=60)
    back_at = ArrayField(models.DateTimeField())
    allowed = models.BooleanField()  # whether the last use was allowed

    class Meta:
        db_table = "rate_limits"

    def __str__(self) -> str:
        return f"{self.name} of {self.subject}"
