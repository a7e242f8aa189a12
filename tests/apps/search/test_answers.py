"""Kept answers end with what they show, and large kinds hide no certain hit."""

import pytest

from apps.accounts.actors import OPERATOR
from apps.competition.services.participants import participant_create, participant_delete, participant_update
from apps.search import limits
from apps.search.kept import answers_forget
from apps.search.models import SearchEntry
from apps.search.selectors import found
from tests.apps.search.places import first, titles

pytestmark = pytest.mark.django_db
NAMES = {"first_name": "Jan", "second_name": "Kałduński", "country": "Poland", "biography": "A pianist."}


def test_a_kept_answer_ends_with_what_it_shows():
    made = participant_create(actor=OPERATOR, **NAMES)
    assert titles("kaldunski") == ["Jan Kałduński"]
    participant_create(actor=OPERATOR, **{**NAMES, "first_name": "Adam"}, confirmed=True)
    assert len(titles("kaldunski")) == 2
    participant_delete(actor=OPERATOR, participant_id=made.pk)
    assert titles("kaldunski") == ["Adam Kałduński"]
    # an entry that was changed by a transaction which began before the newest entry was written
    SearchEntry.objects.create(
        kind="stage",
        object_id=1,
        is_public=True,
        weight=0,
        title="S",
        folded="|",
        words="",
        changed_at="2100-01-01 00:00Z",
    )
    assert titles("kaldunski") == ["Adam Kałduński"]
    SearchEntry.objects.filter(kind="participant").update(is_public=False)
    assert titles("kaldunski") == []


def test_a_correction_knows_new_names():
    assert first("Khirkuli") == ""
    made = participant_create(actor=OPERATOR, **{**NAMES, "second_name": "Khrikuli"})
    assert first("Khirkuli") == "participant Jan Khrikuli"
    given = {**NAMES, "birth_year": None, "avatar_url": "", "featured": False}
    participant_update(actor=OPERATOR, participant_id=made.pk, **given)
    answers_forget()
    assert first("Khirkuli") == ""


def test_in_a_large_kind_certain_hits_are_found_behind_the_newest():
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
    answer = found("chopin", is_administrator=False, language="en", most=3)
    assert (answer.groups[0].total, len(answer.groups[0].hits)) == (limits.TOTAL_MOST, 3)
    assert answer.groups[0].hits[0].title == "Day 1499 chopin"
    assert titles("cho 3") == ["Day 3 chopin"]
