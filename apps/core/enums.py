"""Enumerations of the core."""

from django.db.models import TextChoices


class Severity(TextChoices):
    """Severity of an error (specification, section 4)."""

    INFO = "info"
    WARN = "warn"
    ERROR = "error"
    CRITICAL = "critical"
