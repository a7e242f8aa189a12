"""Test start numbers of participants: who may have which, what an edit keeps, and the search by number."""

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

pytestmark = pytest.mark.django_db
ZOFIA = {"first_name": "Zofia", "second_name": "Łęcka", "country": "Poland", "biography": "Born in Zamość."}
SAME = {**ZOFIA, "birth_year": None, "avatar_url": "", "featured": False}


def test_a_start_number_is_stored_changed_kept_and_removed(admin):
    pk = participant_create(actor=admin, **ZOFIA, start_number=12).pk
    for number, stored in ((START_NUMBER_KEPT, 12), (9999, 9999), (None, None)):
        participant_update(actor=admin, participant_id=pk, **SAME, start_number=number)
        assert Participant.objects.get(pk=pk).start_number == stored


@pytest.mark.parametrize("number", [-1, 10_000])
def test_an_impossible_number_is_refused_at_its_field(admin, number):
    with pytest.raises(ValidationError) as refused:
        participant_create(actor=admin, **ZOFIA, start_number=number)
    assert refused.value.message_dict == {"start_number": ["A start number is a whole number from 1 to 9999."]}


def test_a_taken_number_is_refused_at_its_field_with_the_name_that_has_it(admin):
    ParticipantFactory(first_name="Ewa", second_name="Nowak", start_number=12)
    pk = participant_create(actor=admin, **ZOFIA, start_number=13).pk
    for write in (
        lambda: participant_create(actor=admin, **{**ZOFIA, "first_name": "Anna"}, start_number=12),
        lambda: participant_update(actor=admin, participant_id=pk, **SAME, start_number=12),
    ):
        with pytest.raises(ValidationError) as refused:
            write()
        assert refused.value.message_dict == {"start_number": ["Ewa Nowak has this start number."]}
    participant_update(actor=admin, participant_id=pk, **SAME, start_number=13)


@pytest.mark.django_db(transaction=True)
def test_of_two_writers_of_one_number_at_once_one_is_refused_at_the_field(admin):
    first, second = ParticipantFactory().pk, ParticipantFactory().pk
    results = run_together(
        lambda: participant_update(actor=admin, participant_id=first, **SAME, start_number=7),
        lambda: participant_update(
            actor=admin, participant_id=second, **{**SAME, "first_name": "Anna"}, start_number=7
        ),
    )
    (refused,) = [each for each in results if isinstance(each, Exception)]
    assert refused.message_dict.keys() == {"start_number"}
    assert Participant.objects.filter(start_number=7).count() == 1


def test_lists_and_pages_carry_the_number(admin):
    pk = ParticipantFactory(start_number=12).pk
    assert participant_get(participant_id=pk).start_number == 12
    assert [row.start_number for row in participant_list().rows] == [12]
    assert [row.start_number for row in participants_admin().rows] == [12]
    assert participant_edit(participant_id=pk).start_number == 12


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("12", ["Zofia Nowak"]),
        ("012", ["Zofia Nowak"]),
        ("zofia 12", ["Zofia Nowak"]),
        ("anna 12", []),
        ("1", ["Anna Okoń"]),
        ("2", []),
        ("99999999999999999999", []),
        ("１２", ["Zofia Nowak"]),
    ],
)
def test_a_number_finds_the_participant_that_has_it(query, names):
    ParticipantFactory(second_name="Nowak", start_number=12)
    ParticipantFactory(first_name="Anna", second_name="Okoń", start_number=1)
    ParticipantFactory(first_name="Ewa", second_name="Lis")
    assert [row.name for row in participant_list(query=query).rows] == names
    assert [row.name for row in participants_admin(query=query).rows] == names
    assert [row.name for row in participant_options(query=query)] == names


def test_a_version_stored_before_start_numbers_fits_a_participant_without_one(admin):
    person = ParticipantFactory()
    edit = participant_edit(participant_id=person.pk)
    older = ",".join(part for part in edit.version.split(",") if not part.startswith("start_number:"))
    assert older != edit.version
    Participant.objects.filter(pk=person.pk).update(start_number=3)
    with pytest.raises(ValidationError, match="changed since"):
        participants_remove(actor=admin, versions={person.pk: older})
    Participant.objects.filter(pk=person.pk).update(start_number=None)
    assert participants_remove(actor=admin, versions={person.pk: older}) == 1


def test_a_version_fits_equal_values_only():
    values = {"name": "Zofia", "start_number": None}
    assert has_version(values, version_of(values))
    assert has_version(values, version_of({"name": "Zofia"}))
    assert not has_version({**values, "name": "Ewa"}, version_of(values))
    assert not has_version({**values, "start_number": 1}, version_of({"name": "Zofia"}))
