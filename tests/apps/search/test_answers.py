"""Test answers after changes of the rows that they show, and certain hits among many rows."""

import pytest

from apps.accounts.actors import OPERATOR
from apps.competition.services.participants import participant_create, participant_delete, participant_update
from apps.search import limits
from apps.search.models import SearchEntry
from apps.search.selectors import found
from tests.apps.search.places import first, titles

pytestmark = pytest.mark.django_db
NAMES = {"first_name": "Jan", "second_name": "Kałduński", "country": "Poland", "biography": "A pianist."}


def test_answer_follows_the_changes_of_its_hits():
    jan = participant_create(actor=OPERATOR, **NAMES)
    assert titles("kaldunski") == ["Jan Kałduński"]
    participant_create(actor=OPERATOR, **{**NAMES, "first_name": "Adam"}, confirmed=True)
    assert len(titles("kaldunski")) == 2
    participant_delete(actor=OPERATOR, participant_id=jan.pk)
    assert titles("kaldunski") == ["Adam Kałduński"]
    SearchEntry.objects.filter(kind="participant").update(is_public=False)
    assert titles("kaldunski") == []


def test_correction_uses_the_present_names():
    assert first("Khirkuli") == ""
    person = participant_create(actor=OPERATOR, **{**NAMES, "second_name": "Khrikuli"})
    assert first("Khirkuli") == "participant Jan Khrikuli"
    renamed = {**NAMES, "birth_year": None, "avatar_url": "", "featured": False}
    participant_update(actor=OPERATOR, participant_id=person.pk, **renamed)
    assert first("Khirkuli") == ""


def test_certain_hits_are_found_among_many_newer_rows():
    rows = [
        SearchEntry(
            kind="session", object_id=number, is_public=True, weight=number, title=f"Day {number} chopin",
            folded=f"| day {number} chopin |",
            words=" ".join(f"'se{mark}{word}'" for mark in "=~" for word in ("day", number, "chopin")),
        )
        for number in range(1, 1_500)
    ]  # fmt: skip
    SearchEntry.objects.bulk_create(rows)
    assert titles("day 7") == ["Day 7 chopin"]
    answer = found("chopin", is_administrator=False, most=3)
    assert (answer.groups[0].total, len(answer.groups[0].hits)) == (limits.TOTAL_MOST, 3)
    assert answer.groups[0].hits[0].title == "Day 1499 chopin"
    assert titles("cho 3") == ["Day 3 chopin"]
