"""Two editors of one thing: what the later one is told."""

import pytest
from django.core.exceptions import ValidationError

from apps.core.changed import Change, Changed, unchanged_require, version_of

READ = {"title": "Morning", "stage_id": 1, "text": "x" * 300, "picture": None}


def refusal(stored, given, seen=None):
    with pytest.raises(Changed) as caught:
        unchanged_require(seen=seen or version_of(READ), stored=stored, given=given)
    return caught.value


def test_what_nobody_changed_is_saved():
    unchanged_require(seen=version_of(READ), stored=READ, given={**READ, "title": "Evening"})


def test_what_somebody_changed_alike_is_saved():
    unchanged_require(seen=version_of(READ), stored={**READ, "title": "Noon"}, given={**READ, "title": "Noon"})


def test_what_somebody_changed_is_told_with_both_values_and_nothing_else_is():
    error = refusal({**READ, "title": "Noon"}, {**READ, "title": "Evening", "picture": "/a.png"})
    assert error.changes == (Change("title", "Title", "Noon", "Evening"),)
    assert error.messages == ["Title was changed meanwhile. It is now “Noon”, and you wrote “Evening”."]
    assert list(error.error_dict) == ["title"]


def test_a_field_that_only_they_changed_is_told_too_since_saving_would_undo_it():
    error = refusal({**READ, "stage_id": 2}, {**READ, "title": "Evening"})
    assert error.changes == (Change("stage_id", "Stage", "2", "1"),)


def test_a_flag_is_told_in_words_and_a_field_by_the_name_of_its_form():
    read = {"is_published": True, "second_name": "Nowak"}
    with pytest.raises(Changed) as caught:
        unchanged_require(
            seen=version_of(read),
            stored={"is_published": False, "second_name": "Nowa"},
            given=read,
            labels={"second_name": "Last name"},
        )
    assert caught.value.messages == [
        "Published was changed meanwhile. It is now “no”, and you wrote “yes”.",
        "Last name was changed meanwhile. It is now “Nowa”, and you wrote “Nowak”.",
    ]


def test_the_second_save_with_the_new_version_wins():
    stored, given = {**READ, "title": "Noon"}, {**READ, "title": "Evening"}
    unchanged_require(seen=refusal(stored, given).seen, stored=stored, given=given)


def test_long_texts_are_cut_in_the_sentence_and_whole_in_the_change():
    error = refusal({**READ, "text": "y" * 300}, READ)
    assert error.changes[0].theirs == "y" * 300
    assert f"“{'y' * 200}…”" in error.messages[0]


@pytest.mark.parametrize("seen", ["", "title", ",:,", "title:zzz"])
def test_a_version_that_is_none_has_seen_nothing(seen):
    unchanged_require(seen=seen, stored=READ, given=READ)
    with pytest.raises(ValidationError):
        unchanged_require(seen=seen, stored=READ, given={**READ, "title": "Evening"})


def test_no_version_asks_nothing():
    unchanged_require(seen=None, stored={**READ, "title": "Noon"}, given=READ)
