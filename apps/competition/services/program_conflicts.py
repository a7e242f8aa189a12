"""Messages for the second of two editors of a program: the program as it is, and its last edit."""

from collections.abc import Mapping, Sequence
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils import timezone

from apps.accounts.selectors.people import AuditLine, audit_lines
from apps.competition.models import Appearance
from apps.core.audit import AuditFilter, audit_list
from apps.core.edits import EditConflict, edit_merge

CHANGED = "The program was changed meanwhile. It is now: %(pieces)s. Press again to change that one."
EMPTIED = "The program was changed meanwhile. It is empty now."
LAST_EDIT = "Last edit: %(who)s, %(time)s (time of the venue)."
LAST_EDIT_UNNAMED = "Last edit: %(time)s (time of the venue)."  # from the terminal, or by a former member


def program_conflict(appearance_id: int, names: Sequence[str]) -> ValidationError:
    """Return the error for the editor of an older version; `names` are the program's pieces now."""
    changed = ValidationError(CHANGED, params={"pieces": "; ".join(names)}) if names else ValidationError(EMPTIED)
    return ValidationError([changed, *last_edit(appearance_id)])


def last_edit(appearance_id: int) -> tuple[ValidationError, ...]:
    """Return the sentence that says who edited a program last and when, as the audit has it; empty if nobody has.

    Two queries.
    """
    newest = audit_list(filters=AuditFilter(subject="program", subject_id=appearance_id), limit=1)
    return tuple(
        ValidationError(LAST_EDIT if line.who else LAST_EDIT_UNNAMED, params={"who": line.who, "time": _at_venue(line)})
        for line in audit_lines(newest)
    )


def _at_venue(line: AuditLine) -> str:
    """Return the minute of an audit entry in the venue's time zone, with its day unless that is today."""
    zone = ZoneInfo(settings.VENUE_TIME_ZONE)
    at, now = line.created_at.astimezone(zone), timezone.now().astimezone(zone)
    return f"{at:%H:%M}" if at.date() == now.date() else f"{at:%Y-%m-%d %H:%M}"


def link_merge(
    appearance: Appearance, version: str | None, stored: Mapping[str, str], given: Mapping[str, str]
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return what `edit_merge` does for a link of a program. Raises EditConflict with the last edit."""
    try:
        return edit_merge(version=version, stored=stored, given=given, labels={"url": "YouTube URL"})
    except EditConflict as conflict:
        raise EditConflict(conflict.changes, conflict.version, last_edit(appearance.pk)) from conflict
