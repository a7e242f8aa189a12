"""Writes and reads the arguments of decisions: one rating as it was read, or all that match a filter."""

import re
from datetime import datetime
from urllib.parse import parse_qsl, urlencode

from django.core.exceptions import ValidationError

from apps.core.commands.arguments import UNREADABLE, Arguments
from apps.core.commands.moments import moment_number, moment_read
from apps.ratings.enums import RatingKind, Verdict
from apps.ratings.queue_address import fields_of, filters_of
from apps.ratings.selectors import QueueFilter, RatingShown
from apps.ratings.services import RatingSeen

TICK = re.compile(r"(piece|performance):([1-9]\d{0,17}):([1-9]\d{0,17})", re.ASCII)


def tick_of(rating: RatingShown) -> str:
    """Return a rating as it was read, in a word: "piece:17:1823360400000000"."""
    return f"{rating.kind.value}:{rating.id}:{moment_number(rating.updated_at)}"


def one_argument(verdict: Verdict, rating: RatingShown) -> str:
    """Return the argument that decides about this rating."""
    return f"{verdict.value}:{tick_of(rating)}"


def matching_argument(verdict: Verdict, filters: QueueFilter) -> str:
    """Return the argument that decides about all that match; it contains the filters."""
    until = moment_number(filters.until) if filters.until else 0
    return f"{verdict.value}:{until}:{urlencode(fields_of(filters))}"


def seen_read(tick: str) -> RatingSeen:
    """Return the rating that a tick names. Raises ValidationError."""
    found = TICK.fullmatch(tick)
    if found is None:
        raise ValidationError(UNREADABLE)
    return RatingSeen(RatingKind(found[1]), int(found[2]), moment_read(int(found[3])))


def matching_read(given: Arguments) -> tuple[QueueFilter, datetime]:
    """Return which ratings the argument describes, as they stood at which moment. Raises ValidationError."""
    fields = dict(parse_qsl(given.argument.split(":", 2)[-1].replace("\0", "")))
    return filters_of(fields), moment_read(given.id(1))
