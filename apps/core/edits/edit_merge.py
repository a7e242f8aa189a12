"""Merging the edits of two people by field, so that none is lost.

A version is a short digest of each field, which tells the changed fields without their content. Where both changed a
field differently, whoever saves later gets an EditConflict, and overwrites by saving again.
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
    """A field that somebody else changed too, with its present text."""

    field: str
    label: str
    theirs: str


@dataclass(frozen=True, slots=True)
class Saved(Generic[Row]):
    """The stored row, and the labels of fields that somebody else had changed meanwhile and that were kept.

    `undo_id` names what was removed with the change and can be brought back.
    """

    row: Row
    kept_fields: tuple[str, ...] = ()
    undo_id: int | None = None


class EditConflict(ValidationError):
    """Somebody else changed the same fields in between; nothing was stored."""

    def __init__(self, changes: tuple[FieldConflict, ...], version: str) -> None:
        super().__init__({each.field: _sentence(each) for each in changes})
        self.changes = changes
        self.version = version


def version_of(values: Mapping[str, object]) -> str:
    """Return the version of what an editor reads, by field; fields are named in letters and underscores."""
    return _version({field: _digest(value) for field, value in values.items()})


def edit_merge(
    *,
    version: str | None,
    stored: Mapping[str, Any],
    given: Mapping[str, Any],
    labels: Mapping[str, str] = _NONE,
    words: Mapping[str, str] = _NONE,
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return what to store, by field, and the labels of what somebody else changed since `version`.

    A field of `given` that is as it was read, or missing, stays as it is stored now. Raises EditConflict for fields
    that both changed. Without a version all that is given is stored. `labels` are names of fields that differ from
    their columns'; `words` are texts for values that are not readable, such as ids.
    """
    if version is None:
        return {**stored, **given}, ()
    read = dict(part.partition(":")[::2] for part in version.split(","))
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
    """Return `value` as a form's field has it."""
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
