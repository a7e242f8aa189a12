"""Fields, constraints and clock functions shared by several apps."""

import re
import unicodedata
from datetime import datetime, time, timedelta
from functools import lru_cache
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import InterfaceError, OperationalError, connection, models
from django.db.models import CharField, CheckConstraint, Func, Q
from django.db.models.functions import Length, Now
from django.db.models.lookups import LessThanOrEqual
from psycopg_pool import PoolTimeout

from apps.core.text_rules import PICTURE_ADDRESS, SECURE_ADDRESS


class NullWhenEmptyField(models.CharField):  # type: ignore[type-arg]  # not subscriptable at run time
    """A text field that stores the empty text as null and always returns a text."""

    def from_db_value(self, value: str | None, *_context: Any) -> str:
        """Return the text, empty for null."""
        return value or ""

    def get_prep_value(self, value: Any) -> str | None:
        """Return the value for storage and comparison: None for an empty text."""
        return super().get_prep_value(value) or None


class UpdatedAtField(models.DateTimeField):  # type: ignore[type-arg]  # not subscriptable at run time
    """The time of the last save, by the database's clock. `auto_now` uses the process's clock, which may be wrong."""

    def pre_save(self, model_instance: models.Model, add: bool) -> Now:  # noqa: ARG002, FBT001 - the base's signature
        """Return the database's time at every save."""
        return Now()


_STROKES = ("łđøħı", "ldohi")  # letters that Unicode does not decompose
_ACCENTS = re.compile("[\u0300-\u036f]")
_TABLE = str.maketrans(*_STROKES)


def plain(text: str) -> str:
    """Return `text` in lower case without accents. Names of people use `fold`, which normalises more."""
    return _ACCENTS.sub("", unicodedata.normalize("NFD", text.lower())).translate(_TABLE)


class Plain(Func):
    """SQL expression that applies `plain` to a column."""

    template = (
        "translate(regexp_replace(normalize(lower(%(expressions)s), NFD), '[\u0300-\u036f]', '', 'g'),"
        f" '{_STROKES[0]}', '{_STROKES[1]}')"
    )
    output_field = CharField()


def is_not_blank(field: str, *, name: str) -> CheckConstraint:
    """Return the constraint that a text is not blank and has no whitespace around it."""
    condition = Q(**{f"{field}__regex": r"^\S(.*\S)?$"})
    return CheckConstraint(condition=condition, name=name, violation_error_message=f"{_label(field)} is required.")


def at_most(field: str, characters: int, *, name: str) -> CheckConstraint:
    """Return the constraint that a text has at most `characters` characters."""
    message = f"{_label(field)} must be no more than {characters:,} characters long."
    return CheckConstraint(
        condition=LessThanOrEqual(Length(field), characters), name=name, violation_error_message=message
    )


def is_picture(field: str, *, name: str) -> CheckConstraint:
    """Return the constraint that a picture's address is empty, https:// or a static file of this site."""
    condition = Q(**{field: ""}) | Q(**{f"{field}__regex": PICTURE_ADDRESS})
    message = "A picture needs an https:// address or a static file of this site."
    return CheckConstraint(condition=condition, name=name, violation_error_message=message)


def is_secure_picture(field: str, *, name: str) -> CheckConstraint:
    """Return the constraint that a picture's address is empty or https://, for pictures that users post."""
    condition = Q(**{field: ""}) | Q(**{f"{field}__regex": SECURE_ADDRESS})
    message = "A picture needs an https:// address."
    return CheckConstraint(condition=condition, name=name, violation_error_message=message)


def _label(field: str) -> str:
    """Return the field's name as the beginning of a sentence."""
    return field.replace("_", " ").capitalize()


DATABASE_AWAY = (OperationalError, InterfaceError, PoolTimeout)  # the statement may have run or not


@lru_cache(maxsize=4)
def _zone(name: str) -> ZoneInfo:
    return ZoneInfo(name)


def venue_zone() -> ZoneInfo:
    """Return the time zone of the venue (setting `VENUE_TIME_ZONE`)."""
    return _zone(getattr(settings, "VENUE_TIME_ZONE", "Europe/Warsaw"))


def venue_day(now: datetime) -> tuple[datetime, datetime]:
    """Return the begin and the end of the venue's calendar day that contains `now`."""
    zone = venue_zone()
    today = now.astimezone(zone).date()
    begin, end = (datetime.combine(day, time.min, zone) for day in (today, today + timedelta(days=1)))
    return begin, end


def is_due(column: str, longest: timedelta) -> Q:
    """Return the condition that this time has come by the database's clock.

    It is stored at most `longest` ahead, so a later one is by a clock that was ahead when it was stored, and is due.
    """
    return Q(**{f"{column}__lte": Now()}) | Q(**{f"{column}__gt": Now() + longest})


def database_now() -> datetime:
    """Return the time by the database's clock, which dates all rows. One query."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT statement_timestamp()")
        (moment,) = cursor.fetchone()
    now: datetime = moment
    return now
