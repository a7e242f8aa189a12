"""Deletions that need a confirmation."""

from django.core.exceptions import ValidationError


class ConfirmationNeeded(ValidationError):
    """Nothing was stored; the sentences say what would be deleted. The command is repeated with `confirmed`."""
