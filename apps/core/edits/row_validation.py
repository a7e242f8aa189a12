"""Validation of rows, with sentences for people."""

from collections.abc import Collection, Mapping
from types import MappingProxyType

from django.core.exceptions import ValidationError
from django.db.models import Model

_EMPTY = {"blank", "null"}
_NONE: Mapping[str, str] = MappingProxyType({})


def row_validate(row: Model, *, labels: Mapping[str, str] = _NONE, exclude: Collection[str] = ()) -> None:
    """Raise ValidationError by field for what the row's fields and constraints refuse.

    For an empty field the sentence is "… is required.", for one that another row has "… is taken already.", with its
    name or its label in `labels`. What needs a field in `exclude` is not looked at.
    """
    try:
        row.full_clean(exclude=set(exclude))
    except ValidationError as error:  # always by field
        raise ValidationError(
            {field: _sentences(field, errors, labels) for field, errors in error.error_dict.items()}
        ) from error


def _sentences(field: str, errors: list[ValidationError], labels: Mapping[str, str]) -> list[ValidationError]:
    label = labels.get(field) or field.replace("_", " ").capitalize()
    return [_sentence(label, error) for error in errors]


def _sentence(label: str, error: ValidationError) -> ValidationError:
    if error.code in _EMPTY:
        return ValidationError(f"{label} is required.")
    if error.code == "unique" and error.params:  # Django's own; a constraint's sentence has none
        return ValidationError(f"{label} is taken already.")
    return error
