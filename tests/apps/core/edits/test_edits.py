"""Test edits: concurrent changes of one object are merged or reported, and a form reports all its errors."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from django.core.exceptions import ValidationError

from apps.core.edits import ConfirmationNeeded, EditConflict, FieldConflict, FieldErrors, edit_merge, version_of

ORIGINAL = {"title": "Morning", "stage": 1, "text": "Long.\nLonger.", "picture": None, "order": [3, 1], "shown": True}
VERSION = version_of(ORIGINAL)


def refusal(stored, submitted, version=VERSION, **words):
    with pytest.raises(EditConflict) as caught:
        edit_merge(version=version, stored={**ORIGINAL, **stored}, given={**ORIGINAL, **submitted}, **words)
    return caught.value


def test_edit_without_conflict_is_saved():
    submitted = {**ORIGINAL, "title": "Evening", "order": [1]}
    assert edit_merge(version=VERSION, stored=ORIGINAL, given=submitted) == (submitted, ())
    both = {**ORIGINAL, "title": "Noon", "order": [1, 3]}
    assert edit_merge(version=VERSION, stored=both, given=both) == (both, ())
    stored = {**ORIGINAL, "order": [1, 3]}
    assert edit_merge(version=VERSION, stored=stored, given={"title": "Noon"}) == ({**stored, "title": "Noon"}, ())
    stored = {**ORIGINAL, "title": "Noon", "text": "Theirs."}
    assert edit_merge(version=None, stored=stored, given={"text": "Mine."}) == ({**stored, "text": "Mine."}, ())


def test_separate_changes_are_merged_and_kept_fields_named():
    stored = {**ORIGINAL, "title": "Noon", "order": [1, 3], "shown": False}
    submitted = {**ORIGINAL, "text": "Short.", "stage": 2}
    merged = {**stored, "text": "Short.", "stage": 2}
    assert edit_merge(version=VERSION, stored=stored, given=submitted, labels={"shown": "On show"}) == (
        merged,
        ("Title", "Order", "On show"),
    )


def test_conflict_names_only_fields_that_both_changed():
    error = refusal({"title": "Noon", "picture": "/b.png", "stage": 2}, {"title": "Evening", "text": "Short."})
    assert error.changes == (FieldConflict("title", "Title", "Noon"),)
    assert error.messages == ["Title was changed meanwhile. It is now “Noon”."]
    assert list(error.error_dict) == ["title"]


def test_conflict_shows_the_stored_value_in_words():
    assert refusal({"text": "y" * 9000}, {"text": "z"}).messages == [
        f"Text was changed meanwhile. It is now “{'y' * 9000}”."
    ]
    assert refusal({"text": ""}, {"text": "z"}).messages == ["Text was changed meanwhile. It is empty now."]
    messages = refusal({"stage": 2}, {"stage": 3}, labels={"stage": "The stage"}, words={"stage": "Final"}).messages
    assert messages == ["The stage was changed meanwhile. It is now “Final”."]


def test_second_save_overwrites_the_conflict_but_no_newer_change():
    stored, submitted = {**ORIGINAL, "title": "Noon", "text": "Theirs."}, {**ORIGINAL, "title": "Evening"}
    again = refusal(stored, submitted).version
    assert edit_merge(version=again, stored=stored, given=submitted) == ({**stored, "title": "Evening"}, ("Text",))
    assert len(again) == len(VERSION)
    again = refusal({"title": "Noon"}, {"title": "Evening"}).version
    assert refusal({"title": "Night"}, {"title": "Evening"}, version=again).changes[0].theirs == "Night"


def test_differences_that_a_form_cannot_show_are_no_change():
    """A form does not keep seconds, the time zone, surrounding blanks and line endings."""
    begins = datetime(2027, 10, 12, 17, 0, 30, tzinfo=UTC)
    stored = {"begins": begins, "text": " One.\r\nTwo. ", "year": None}
    submitted = {
        "begins": begins.replace(second=0).astimezone(timezone(timedelta(hours=2))),
        "text": "One.\nTwo.",
        "year": "",
    }
    assert edit_merge(version=version_of(stored), stored=stored, given=submitted) == (stored, ())


def test_invalid_version_conflicts_with_every_change():
    conflict = FieldConflict("title", "Title", "Morning")
    for version in ("", "title", ",:,", "title:zzz"):
        assert edit_merge(version=version, stored=ORIGINAL, given=ORIGINAL) == (ORIGINAL, ())
        assert refusal({}, {"title": "Evening"}, version=version).changes == (conflict,)


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
