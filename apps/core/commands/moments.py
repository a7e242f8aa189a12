"""Moments in the arguments of commands: whole microseconds since 1970, exact and in digits alone."""

from datetime import UTC, datetime, timedelta

from django.core.exceptions import ValidationError

from apps.core.commands.arguments import UNREADABLE

BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)


def moment_number(at: datetime) -> int:
    """Return a moment as whole microseconds."""
    return (at - BEGINNING) // MICROSECOND


def moment_read(number: int) -> datetime:
    """Return the moment that such a number names. Raises ValidationError."""
    try:
        return BEGINNING + number * MICROSECOND
    except OverflowError as error:
        raise ValidationError(UNREADABLE) from error
