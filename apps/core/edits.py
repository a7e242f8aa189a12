"""Edits by administrators: merge by field, errors by field, and confirmation before a loss of data."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from types import MappingProxyType
from typing import Any, Generic, TypeVar

from django.core.exceptions import ValidationError
from django.db.models import Model


class ConfirmationNeeded(ValidationError):
    """The change would delete data, which the sentences name. Sent again with `confirmed`, the command does it."""


_NONE: Mapping[str, str] = MappingProxyType({})
_DIGITS = 10  # of a digest: one change in 10^12 goes unnoticed
_FULL = "%(label)s was changed meanwhile. It is now “%(theirs)s”."
_EMPTY = "%(label)s was changed meanwhile. It is empty now."
Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class FieldConflict:
    """A field that another user changed concurrently, with its present text."""

    field: str
    label: str
    theirs: str


@dataclass(frozen=True, slots=True)
class Saved(Generic[Row]):
    """The stored row, and the labels of fields that another user changed concurrently and that were kept.

    `undo_id` is the id of rows that the change removed and that can be restored.
    """

    row: Row
    kept_fields: tuple[str, ...] = ()
    undo_id: int | None = None


class EditConflict(ValidationError):
    """Another user changed the same fields concurrently, so the edit is not stored; `notes` are sentences about it."""

    def __init__(self, changes: tuple[FieldConflict, ...], version: str, notes: Sequence[ValidationError] = ()) -> None:
        super().__init__({change.field: [_sentence(change), *notes] for change in changes})
        self.changes = changes
        self.version = version


def version_of(values: Mapping[str, object]) -> str:
    """Return the version of the values that an editor reads, by field.

    Field names contain letters and underscores only.
    """
    return _version({field: _digest(value) for field, value in values.items()})


def has_version(values: Mapping[str, object], version: str) -> bool:
    """Return whether these values, by field, have a stored version.

    A field that is younger than the version, so that the version does not name it, has to be empty.
    """
    stored = dict(part.partition(":")[::2] for part in version.split(","))
    return all(stored.get(field, _digest(None)) == _digest(value) for field, value in values.items())


def edit_merge(
    *,
    version: str | None,
    stored: Mapping[str, Any],
    given: Mapping[str, Any],
    labels: Mapping[str, str] = _NONE,
    words: Mapping[str, str] = _NONE,
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return the values to store, by field, and the labels of fields that another user changed since `version`.

    A field of `given` that is missing, or unchanged since it was read, keeps its stored value. Raises EditConflict for
    fields that both users changed. Without a version all of `given` is stored. `labels` name fields with a label other
    than their column. `words` are readable texts for values such as ids.
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
    """Return `value` as the text of a form field."""
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


Read = TypeVar("Read")
NONE: Mapping[str, list[ValidationError]] = MappingProxyType({})


class FieldErrors:
    """Collects errors by field, starting with `known`. The first error of a field is kept."""

    def __init__(self, known: Mapping[str, list[ValidationError]] = NONE) -> None:
        self.by_field = dict(known)

    def checked(self, read: Callable[[], Read], otherwise: Read) -> Read:
        """Return the result of `read`, or `otherwise` if it raises errors of fields, which are kept.

        Any other error, such as ConfirmationNeeded, is raised unchanged if no field has an error so far; otherwise the
        field errors are raised.
        """
        try:
            return read()
        except ValidationError as error:
            if type(error) is not ValidationError or not hasattr(error, "error_dict"):
                self.require_none()
                raise
            self.by_field = error.error_dict | self.by_field
            return otherwise

    def require_none(self) -> None:
        """Raise ValidationError with all errors so far.

        The rollback of the transaction reverts the writes made in between.
        """
        if self.by_field:
            raise ValidationError(dict(self.by_field))


_EMPTY_FIELD = {"blank", "null"}


def row_validate(row: Model, *, labels: Mapping[str, str] = _NONE, exclude: Collection[str] = ()) -> None:
    """Raise ValidationError by field for values that the row's fields and constraints refuse.

    An empty field gets "… is required.", a duplicate value "… is taken already.", with the field's name or its label in
    `labels`. Constraints on a field in `exclude` are not checked.
    """
    try:
        row.full_clean(exclude=set(exclude))
    except ValidationError as error:  # always by field
        raise ValidationError(
            {field: _sentences(field, errors, labels) for field, errors in error.error_dict.items()}
        ) from error


def _sentences(field: str, errors: list[ValidationError], labels: Mapping[str, str]) -> list[ValidationError]:
    label = labels.get(field) or field.replace("_", " ").capitalize()
    return [_violation_sentence(label, error) for error in errors]


def _violation_sentence(label: str, error: ValidationError) -> ValidationError:
    if error.code in _EMPTY_FIELD:
        return ValidationError(f"{label} is required.")
    if error.code == "unique" and error.params:  # Django's own error; that of a constraint has no params
        return ValidationError(f"{label} is taken already.")
    return error
