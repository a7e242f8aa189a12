"""Writes and reads the arguments of decisions: marks as they were read, or all that match a filter."""

import re
from collections.abc import Iterable
from datetime import datetime
from itertools import groupby
from urllib.parse import parse_qsl, urlencode

from django.core.exceptions import ValidationError

from apps.core.commands import UNREADABLE, Arguments, moment_number, moment_read
from apps.ratings.enums import RatingKind, Verdict
from apps.ratings.queue_address import fields_of, filters_of
from apps.ratings.selectors.moderation_queue import QueueFilter
from apps.ratings.selectors.statistics import Mark
from apps.ratings.services.bulk_moderation import MarkSeen

TICK = re.compile(r"(piece|performance):([1-9]\d{0,17}(?:\.[1-9]\d{0,17}){0,99}):([1-9]\d{0,17})", re.ASCII)


def tick_of(marks: Iterable[Mark]) -> str:
    """Return marks as they were read, in a word: "piece:17.18:1823360400000000", joined by "+" where moments differ."""
    read = [((mark.kind.value, moment_number(mark.updated_at)), str(mark.id)) for mark in marks]
    groups = groupby(sorted(read), key=lambda each: each[0])
    return "+".join(f"{kind}:{'.'.join(pk for _, pk in same)}:{at}" for (kind, at), same in groups)


def one_argument(verdict: Verdict, marks: Iterable[Mark]) -> str:
    """Return the argument that decides about these marks of one rating."""
    return f"{verdict.value}:{tick_of(marks)}"


def matching_argument(verdict: Verdict, filters: QueueFilter) -> str:
    """Return the argument that decides about all that match; it contains the filters."""
    until = moment_number(filters.until) if filters.until else 0
    return f"{verdict.value}:{until}:{urlencode(fields_of(filters))}"


def seen_read(tick: str) -> list[MarkSeen]:
    """Return the marks that a tick names. Raises ValidationError."""
    found = [TICK.fullmatch(part) for part in tick.split("+")]
    return [
        MarkSeen(RatingKind(part[1]), int(pk), moment_read(int(part[3])))
        for part in (each or _unreadable() for each in found)
        for pk in part[2].split(".")
    ]


def matching_read(given: Arguments) -> tuple[QueueFilter, datetime]:
    """Return which ratings the argument describes, as they stood at which moment. Raises ValidationError."""
    fields = dict(parse_qsl(given.argument.split(":", 2)[-1].replace("\0", "")))
    return filters_of(fields), moment_read(given.id(1))


def _unreadable() -> "re.Match[str]":
    raise ValidationError(UNREADABLE)
