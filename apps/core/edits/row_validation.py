"""Validation of rows, with sentences for people."""

from collections.abc import Mapping
from types import MappingProxyType

from django.core.exceptions import ValidationError
from django.db.models import Model

_EMPTY = {"blank", "null"}
_NONE: Mapping[str, str] = MappingProxyType({})


def row_validate(row: Model, *, labels: Mapping[str, str] = _NONE) -> None:
    """Raise ValidationError by field for what the row's fields and constraints refuse.

    For an empty field the sentence is "… is required.", with its name or its label in `labels`.
    """
    try:
        row.full_clean()
    except ValidationError as error:  # always by field
        raise ValidationError(
            {field: _required_sentences(field, errors, labels) for field, errors in error.error_dict.items()}
        ) from error


def _required_sentences(field: str, errors: list[ValidationError], labels: Mapping[str, str]) -> list[ValidationError]:
    label = labels.get(field) or field.replace("_", " ").capitalize()
    return [ValidationError(f"{label} is required.") if error.code in _EMPTY else error for error in errors]
