"""Fixed sets of words of the core."""

from django.db.models import TextChoices


class Severity(TextChoices):
    """How bad an error is (specification, section 4)."""

    INFO = "info"
    WARN = "warn"
    ERROR = "error"
    CRITICAL = "critical"
