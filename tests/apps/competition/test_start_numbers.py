"""Test start numbers of participants: valid values, edits, versions and the search by number."""

from functools import partial

import pytest
from django.core.exceptions import ValidationError

from apps.competition.models import Participant
from apps.competition.selectors.admin.participants import participant_edit, participant_options, participants_admin
from apps.competition.selectors.public.participants import participant_get, participant_list
from apps.competition.services.participants import (
    START_NUMBER_KEPT,
    participant_create,
    participant_update,
    participants_remove,
)
from apps.core.edits import has_version, version_of
from tests.apps.conftest import run_together
from tests.factories import ParticipantFactory
from tests.offenders import check_each

pytestmark = pytest.mark.django_db
ZOFIA = {"first_name": "Zofia", "second_name": "Łęcka", "country": "Poland", "biography": "Born in Zamość."}
SAME = {**ZOFIA, "birth_year": None, "avatar_url": "", "featured": False}


def test_start_number_is_stored_kept_changed_and_removed(admin):
    pk = participant_create(actor=admin, **ZOFIA, start_number=12).pk
    for number, stored in ((START_NUMBER_KEPT, 12), (9999, 9999), (None, None)):
        participant_update(actor=admin, participant_id=pk, **SAME, start_number=number)
        assert Participant.objects.get(pk=pk).start_number == stored


def test_invalid_and_taken_numbers_are_refused_at_their_field(admin):
    ParticipantFactory(first_name="Ewa", second_name="Nowak", start_number=12)
    pk = participant_create(actor=admin, **ZOFIA, start_number=13).pk
    create = partial(participant_create, actor=admin, **{**ZOFIA, "first_name": "Anna"})
    update = partial(participant_update, actor=admin, participant_id=pk, **SAME)
    for write, number, sentence in (
        (create, -1, "A start number is a whole number from 1 to 9999."),
        (create, 10_000, "A start number is a whole number from 1 to 9999."),
        (create, 12, "Ewa Nowak has this start number."),
        (update, 12, "Ewa Nowak has this start number."),
    ):
        with pytest.raises(ValidationError) as refusal:
            write(start_number=number)
        assert refusal.value.message_dict == {"start_number": [sentence]}
    update(start_number=13)


@pytest.mark.django_db(transaction=True)
def test_one_of_two_concurrent_writes_of_a_number_is_refused(admin):
    first, second = ParticipantFactory().pk, ParticipantFactory().pk
    update = partial(participant_update, actor=admin, start_number=7, **SAME)
    results = run_together(
        partial(update, participant_id=first), partial(update, participant_id=second, first_name="Anna")
    )
    (refusal,) = [result for result in results if isinstance(result, Exception)]
    assert refusal.message_dict.keys() == {"start_number"}
    assert Participant.objects.filter(start_number=7).count() == 1


def test_selectors_return_and_find_the_number():
    pk = ParticipantFactory(second_name="Nowak", start_number=12).pk
    rows = (*participant_list().rows, *participants_admin().rows)
    details = participant_get(participant_id=pk), participant_edit(participant_id=pk)
    assert [row.start_number for row in (*rows, *details)] == [12] * 4
    ParticipantFactory(first_name="Anna", second_name="Okoń", start_number=1)
    ParticipantFactory(first_name="Ewa", second_name="Lis")

    def check(case):
        query, names = case
        lists = (
            participant_list(query=query).rows,
            participants_admin(query=query).rows,
            participant_options(query=query),
        )
        assert [[row.name for row in rows] for rows in lists] == [names] * 3

    cases = [(query, ["Zofia Nowak"]) for query in ("12", "012", "zofia 12", "１２")]
    cases += [("1", ["Anna Okoń"]), ("2", []), ("anna 12", []), ("99999999999999999999", [])]
    check_each(cases, check)


def test_version_from_before_start_numbers_fits_a_participant_without_one(admin):
    person = ParticipantFactory()
    edit = participant_edit(participant_id=person.pk)
    older = ",".join(part for part in edit.version.split(",") if not part.startswith("start_number:"))
    assert older != edit.version
    Participant.objects.filter(pk=person.pk).update(start_number=3)
    with pytest.raises(ValidationError, match="changed since"):
        participants_remove(actor=admin, versions={person.pk: older})
    Participant.objects.filter(pk=person.pk).update(start_number=None)
    assert participants_remove(actor=admin, versions={person.pk: older}) == 1


def test_version_fits_only_equal_values():
    values = {"name": "Zofia", "start_number": None}
    assert has_version(values, version_of(values))
    assert has_version(values, version_of({"name": "Zofia"}))
    assert not has_version({**values, "name": "Ewa"}, version_of(values))
    assert not has_version({**values, "start_number": 1}, version_of({"name": "Zofia"}))
