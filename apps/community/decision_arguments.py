"""Writes and reads the arguments of decisions about reports: one text as it was read, or all that match a filter."""

import re
from datetime import datetime
from urllib.parse import parse_qsl, urlencode

from django.core.exceptions import ValidationError

from apps.community.enums import ReportKind, ReportVerdict
from apps.community.report_address import fields_of, filters_of
from apps.community.selectors.reports import ReportedText, ReportFilter
from apps.community.services.report_decisions import ReportSeen
from apps.core.commands import UNREADABLE, Arguments, moment_number, moment_read

_SUBJECT = rf"({'|'.join(ReportKind.values)}):([1-9]\d{{0,17}})"
SUBJECT = re.compile(_SUBJECT, re.ASCII)
TICK = re.compile(rf"{_SUBJECT}:([1-9]\d{{0,17}})", re.ASCII)


def subject_read(text: str) -> tuple[ReportKind, int] | None:
    """Return the kind and the id of the text that this names, "post:17"; None for anything else."""
    found = SUBJECT.fullmatch(text)
    return (ReportKind(found[1]), int(found[2])) if found else None


def tick_of(reported: ReportedText) -> str:
    """Return a reported text as it was read, in a word: "post:17:1823360400000000"."""
    return f"{reported.kind.value}:{reported.id}:{moment_number(reported.updated_at)}"


def one_argument(verdict: ReportVerdict, reported: ReportedText) -> str:
    """Return the argument that decides about this text."""
    return f"{verdict.value}:{tick_of(reported)}"


def matching_argument(verdict: ReportVerdict, filters: ReportFilter) -> str:
    """Return the argument that decides about all that match; it contains the filters."""
    until = moment_number(filters.until) if filters.until else 0
    return f"{verdict.value}:{until}:{urlencode(fields_of(filters))}"


def seen_read(tick: str) -> ReportSeen:
    """Return the reported text that a tick names. Raises ValidationError."""
    found = TICK.fullmatch(tick)
    if found is None:
        raise ValidationError(UNREADABLE)
    return ReportSeen(ReportKind(found[1]), int(found[2]), moment_read(int(found[3])))


def matching_read(given: Arguments) -> tuple[ReportFilter, datetime]:
    """Return which reported texts the argument describes, as they stood at which moment. Raises ValidationError."""
    fields = dict(parse_qsl(given.argument.split(":", 2)[-1].replace("\0", "")))
    return filters_of(fields), moment_read(given.id(1))
