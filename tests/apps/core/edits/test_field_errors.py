"""Test that a form reports all its errors at once, before any confirmation question."""

import pytest
from django.core.exceptions import ValidationError

from apps.core.edits import ConfirmationNeeded, FieldErrors


def fail(error: Exception) -> int:
    raise error


def test_first_error_of_each_field_is_reported() -> None:
    errors = FieldErrors()
    assert errors.checked(lambda: 7, 0) == 7
    assert errors.checked(lambda: fail(ValidationError({"stage": "Choose a stage."})), 0) == 0
    errors.checked(lambda: fail(ValidationError({"stage": "Stage is required.", "title": "Title is required."})), 0)
    with pytest.raises(ValidationError) as raised:
        errors.require_none()
    assert raised.value.message_dict == {"stage": ["Choose a stage."], "title": ["Title is required."]}


@pytest.mark.parametrize("error", [ConfirmationNeeded([]), ValidationError("This session is live."), PermissionError()])
def test_other_errors_are_raised_unless_a_field_is_wrong(error: Exception) -> None:
    errors = FieldErrors()
    errors.require_none()
    with pytest.raises(type(error)) as raised:
        errors.checked(lambda: fail(error), 0)
    assert raised.value is error
    if isinstance(error, ValidationError):
        errors.checked(lambda: fail(ValidationError({"title": "Title is required."})), 0)
        with pytest.raises(ValidationError) as raised:
            errors.checked(lambda: fail(error), 0)
        assert raised.value.message_dict == {"title": ["Title is required."]}
