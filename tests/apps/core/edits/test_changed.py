"""Test two concurrent editors of one object: separate changes are both stored, and the later editor sees conflicts."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from apps.core.edits import EditConflict, FieldConflict, edit_merge, version_of

READ = {"title": "Morning", "stage": 1, "text": "Long.\nLonger.", "picture": None, "order": [3, 1], "shown": True}
SEEN = version_of(READ)


def refusal(stored, given, version=SEEN, **words):
    with pytest.raises(EditConflict) as caught:
        edit_merge(version=version, stored={**READ, **stored}, given={**READ, **given}, **words)
    return caught.value


def test_what_nobody_else_changed_is_saved():
    given = {**READ, "title": "Evening", "order": [1]}
    assert edit_merge(version=SEEN, stored=READ, given=given) == (given, ())


def test_each_field_is_as_whoever_changed_it_wrote_it_and_the_others_are_named():
    stored = {**READ, "title": "Noon", "order": [1, 3], "shown": False}
    given = {**READ, "text": "Short.", "stage": 2}
    wanted = {**stored, "text": "Short.", "stage": 2}
    assert edit_merge(version=SEEN, stored=stored, given=given, labels={"shown": "On show"}) == (
        wanted,
        ("Title", "Order", "On show"),
    )


def test_what_both_changed_alike_is_saved_and_not_told():
    both = {**READ, "title": "Noon", "order": [1, 3]}
    assert edit_merge(version=SEEN, stored=both, given=both) == (both, ())


def test_what_both_changed_is_told_and_nothing_else_is():
    error = refusal({"title": "Noon", "picture": "/b.png", "stage": 2}, {"title": "Evening", "text": "Short."})
    assert error.changes == (FieldConflict("title", "Title", "Noon"),)
    assert error.messages == ["Title was changed meanwhile. It is now “Noon”."]
    assert list(error.error_dict) == ["title"]


def test_what_they_wrote_is_told_whole_what_they_emptied_so_and_numbers_in_words():
    assert refusal({"text": "y" * 9000}, {"text": "z"}).messages == [
        f"Text was changed meanwhile. It is now “{'y' * 9000}”."
    ]
    assert refusal({"text": ""}, {"text": "z"}).messages == ["Text was changed meanwhile. It is empty now."]
    said = refusal({"stage": 2}, {"stage": 3}, labels={"stage": "The stage"}, words={"stage": "Final"}).messages
    assert said == ["The stage was changed meanwhile. It is now “Final”."]


def test_saving_again_saves_the_choice_and_still_leaves_what_was_left():
    stored, given = {**READ, "title": "Noon", "text": "Theirs."}, {**READ, "title": "Evening"}
    again = refusal(stored, given).version
    assert edit_merge(version=again, stored=stored, given=given) == ({**stored, "title": "Evening"}, ("Text",))
    assert len(again) == len(SEEN)


def test_whoever_saves_again_is_told_once_more_when_it_changed_once_more():
    again = refusal({"title": "Noon"}, {"title": "Evening"}).version
    assert refusal({"title": "Night"}, {"title": "Evening"}, version=again).changes[0].theirs == "Night"


def test_a_field_that_a_form_does_not_have_stays_as_it_is():
    stored = {**READ, "order": [1, 3]}
    assert edit_merge(version=SEEN, stored=stored, given={"title": "Noon"}) == ({**stored, "title": "Noon"}, ())


def test_what_a_form_cannot_show_is_no_change():
    """A form does not keep seconds, the time zone, surrounding blanks and line endings."""
    begins = datetime(2027, 10, 12, 17, 0, 30, tzinfo=UTC)
    stored = {"begins": begins, "text": " One.\r\nTwo. ", "year": None}
    given = {
        "begins": begins.replace(second=0).astimezone(timezone(timedelta(hours=2))),
        "text": "One.\nTwo.",
        "year": "",
    }
    assert edit_merge(version=version_of(stored), stored=stored, given=given) == (stored, ())


@pytest.mark.parametrize("version", ["", "title", ",:,", "title:zzz"])
def test_a_version_that_is_none_has_seen_nothing(version):
    assert edit_merge(version=version, stored=READ, given=READ) == (READ, ())
    assert refusal({}, {"title": "Evening"}, version=version).changes == (FieldConflict("title", "Title", "Morning"),)


def test_no_version_asks_nothing():
    stored = {**READ, "title": "Noon", "text": "Theirs."}
    assert edit_merge(version=None, stored=stored, given={"text": "Mine."}) == ({**stored, "text": "Mine."}, ())
