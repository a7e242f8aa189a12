"""Two people who edit one thing: each field is stored as whoever changed it wrote it, and nothing is lost.

A version is a short digest for each field, so that it says which fields changed without holding what they said. What
both changed, and not alike, is told to the one who saves later, and saving again decides.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from types import MappingProxyType
from typing import Any, Generic, TypeVar

from django.core.exceptions import ValidationError

_NONE: Mapping[str, str] = MappingProxyType({})
_DIGITS = 10  # of a digest: one change in 10^12 is not noticed
_FULL = "%(label)s was changed meanwhile. It is now “%(theirs)s”."
_EMPTY = "%(label)s was changed meanwhile. It is empty now."
Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class FieldConflict:
    """A field that somebody else changed too, as it stands now."""

    field: str
    label: str
    theirs: str


@dataclass(frozen=True, slots=True)
class Saved(Generic[Row]):
    """What is stored now, and what of it somebody else had changed meanwhile and is kept, by label."""

    row: Row
    kept_fields: tuple[str, ...] = ()


class EditConflict(ValidationError):
    """Somebody else changed the same fields in between; nothing of the present save is stored."""

    def __init__(self, changes: tuple[FieldConflict, ...], seen: str) -> None:
        super().__init__({each.field: _sentence(each) for each in changes})
        self.changes = changes
        self.seen = seen


def version_of(values: Mapping[str, object]) -> str:
    """Return the version of what an editor reads, by field; fields are named in letters and underscores."""
    return _version({field: _digest(value) for field, value in values.items()})


def edit_merge(
    *,
    seen: str | None,
    stored: Mapping[str, Any],
    given: Mapping[str, Any],
    labels: Mapping[str, str] = _NONE,
    words: Mapping[str, str] = _NONE,
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return what to store, by field, and the labels of what somebody else changed since the version `seen`.

    Of `given`, what is as it was read, or is missing, stays as it is stored by now. Raises EditConflict for what both
    changed. Without a version all that is given counts. `labels` name fields otherwise than their columns do; `words`
    say what is stored where its value is none that a person reads, such as an id.
    """
    if seen is None:
        return {**stored, **given}, ()
    read = dict(part.partition(":")[::2] for part in seen.split(","))
    now = {field: _digest(value) for field, value in stored.items()}
    mine = {field for field, value in given.items() if _digest(value) not in {read.get(field), now[field]}}
    theirs = [field for field in stored if now[field] != read.get(field)]
    both = [field for field in theirs if field in mine]
    names = {field: labels.get(field) or field.replace("_", " ").capitalize() for field in theirs}
    if both:
        changes = tuple(FieldConflict(field, names[field], words.get(field, _text(stored[field]))) for field in both)
        raise EditConflict(
            changes, _version({field: now[field] if field in both else read.get(field, "") for field in now})
        )
    kept_fields = tuple(names[field] for field in theirs if _digest(given.get(field, stored[field])) != now[field])
    return {**stored, **{field: given[field] for field in mine}}, kept_fields


def _version(digests: Mapping[str, str]) -> str:
    return ",".join(f"{field}:{digest}" for field, digest in digests.items())


def _sentence(change: FieldConflict) -> ValidationError:
    return ValidationError(_FULL if change.theirs else _EMPTY, params={"label": change.label, "theirs": change.theirs})


def _text(value: object) -> str:
    """Return what a field of a form says for `value`."""
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case datetime():
            return f"{value.astimezone(UTC):%Y-%m-%d %H:%M}"
        case str():
            return value.replace("\r\n", "\n").strip()
        case Iterable():
            return ",".join(map(_text, value))
    return str(value)


def _digest(value: object) -> str:
    return sha256(_text(value).encode()).hexdigest()[:_DIGITS]
