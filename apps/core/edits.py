"""Edits by administrators: merge by field, errors by field, and confirmation before a loss of data."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from types import MappingProxyType
from typing import Any, Generic, TypeVar

from django.core.exceptions import ValidationError
from django.db.models import Model

from apps.core.id_orders import IdOrder, id_order_of, orders_merge


class ConfirmationNeeded(ValidationError):
    """The change would delete data, which the sentences name. Sent again with `confirmed`, the command does it."""


_NONE: Mapping[str, str] = MappingProxyType({})
_NO_NAMES: Mapping[int, str] = MappingProxyType({})
_DIGITS = 10  # of a digest: one change in 10^12 goes unnoticed
_FULL = "%(label)s was changed meanwhile. It is now “%(theirs)s”."
_EMPTY = "%(label)s was changed meanwhile. It is empty now."
_MOVED = "Moved meanwhile too, to another place: %(moved)s. The order is now “%(theirs)s”."
Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class FieldConflict:
    """A field that another user changed concurrently, with its present text.

    `moved` are the names of those that both users moved, if the field is an order.
    """

    field: str
    label: str
    theirs: str
    moved: str = ""


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
    names: Mapping[int, str] = _NO_NAMES,
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return the values to store, by field, and the labels of fields that another user changed since `version`.

    A field of `given` that is missing, or unchanged since it was read, keeps its stored value. Raises EditConflict for
    fields that both users changed; orders of ids (`IdOrder`) are merged, and conflict only where both moved the same id
    to different places. Without a version all of `given` is stored. `labels` name fields with a label other than their
    column. `words` are readable texts for values such as ids, `names` those of the ids in an order.
    """
    if version is None:
        return {**stored, **given}, ()
    read = dict(part.partition(":")[::2] for part in version.split(","))
    now = {field: _digest(value) for field, value in stored.items()}
    mine = {field for field, value in given.items() if _digest(value) not in {read.get(field), now[field]}}
    theirs = [field for field in stored if now[field] != read.get(field)]
    both = [field for field in theirs if field in mine]
    shown = {field: labels.get(field) or field.replace("_", " ").capitalize() for field in theirs}
    orders = {
        field: orders_merge(base, given[field], stored[field])
        for field in both
        if isinstance(given[field], IdOrder) and (base := id_order_of(read.get(field, ""))) is not None
    }
    changes = tuple(
        FieldConflict(
            field,
            shown[field],
            words.get(field, _text(stored[field])),
            ", ".join(names.get(pk, str(pk)) for pk in orders[field].conflicts) if field in orders else "",
        )
        for field in both
        if field not in orders or orders[field].conflicts
    )
    if changes:
        seen = {field: orders[field].base.version if field in orders else now[field] for field in both}
        raise EditConflict(changes, _version({field: seen.get(field, read.get(field, "")) for field in now}))
    values = {field: orders[field].ids if field in orders else given[field] for field in mine}
    kept_fields = tuple(shown[field] for field in theirs if _digest(given.get(field, stored[field])) != now[field])
    return {**stored, **values}, kept_fields


def _version(digests: Mapping[str, str]) -> str:
    return ",".join(f"{field}:{digest}" for field, digest in digests.items())


def _sentence(change: FieldConflict) -> ValidationError:
    text = _MOVED if change.moved else _FULL if change.theirs else _EMPTY
    params = {"label": change.label, "theirs": change.theirs, "moved": change.moved}
    return ValidationError(text, params=params)


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
    if isinstance(value, IdOrder):
        return value.version
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
