"""Asking again: what would go with a thing is said, and whoever still wants it gone says so."""

from django.core.exceptions import ValidationError


class ConfirmationNeeded(ValidationError):
    """Nothing is stored: the sentences say what would go, and `confirmed` has to be sent with the same once more."""
