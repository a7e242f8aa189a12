"""What the core stores: errors, for the people who run the site."""

from django.db import models
from django.db.models import Q

from .enums import Severity
from .errors import MESSAGE_LENGTH, TABLE, USER_AGENT_LENGTH
from .validators import ADDRESS_LENGTH


class ErrorLog(models.Model):
    """One error with its circumstances; the account is a plain number so that the record outlives it."""

    message = models.CharField(max_length=MESSAGE_LENGTH)
    error_details = models.TextField(null=True, blank=True)  # noqa: DJ001 - the specification says JSON text or null
    user_id = models.BigIntegerField(null=True, blank=True)
    page_url = models.CharField(max_length=ADDRESS_LENGTH, blank=True)
    user_agent = models.CharField(max_length=USER_AGENT_LENGTH, blank=True)
    severity = models.CharField(max_length=8, choices=Severity, default=Severity.ERROR)
    created_at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        db_table = TABLE
        constraints = (models.CheckConstraint(condition=Q(severity__in=Severity.values), name="error_severity_known"),)

    def __str__(self) -> str:
        return f"{self.severity}: {self.message}"
