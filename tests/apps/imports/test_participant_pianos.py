"""Test the column Piano of a participant file: who gets one, who is left out, and the undo."""

import pytest
from django.core.exceptions import ValidationError

from apps.accounts.actors import OPERATOR
from apps.competition.models import Appearance, Piano
from apps.competition.services.pianos import piano_add
from apps.imports.enums import RowProblem
from apps.imports.selectors.participant_files import import_rows
from apps.imports.services.participant_files import participant_file_store
from apps.imports.services.participant_saving import import_save, import_undo
from tests.apps.imports.participant_files import HEADER
from tests.factories import EVENING, AppearanceFactory, ParticipantFactory

pytestmark = pytest.mark.django_db


def file(admin, *rows):
    """Store a file of people with their pianos: "Ewa|Lis|Poland|Yamaha CFX"."""
    lines = [f"{HEADER}|Klavier", *("|".join([*row.split("|")[:3], *[""] * 5, row.split("|")[3]]) for row in rows)]
    return participant_file_store(actor=admin, file_name="pianos.csv", content="\n".join(lines).encode())


def test_newest_performances_get_pianos_and_an_undo_takes_them_back(admin):
    yamaha = piano_add(actor=OPERATOR, maker="Yamaha", model="CFX")
    ewa = ParticipantFactory(first_name="Ewa", second_name="Lis")
    jan = ParticipantFactory(first_name="Jan", second_name="Nowak")
    ParticipantFactory(first_name="Ola", second_name="Kot")
    old = AppearanceFactory(participant=ewa)
    new = AppearanceFactory(participant=ewa, session__starts_at=EVENING, piano=yamaha)
    other = AppearanceFactory(participant=jan)
    rows = (
        "Ewa|Lis|Poland|Kitamori EX",
        "Jan|Nowak|Poland|YAMAHA  cfx",
        "Ola|Kot|Poland|Kitamori EX",
        "Bo|Li|China|B 1",
    )
    stored = file(admin, *rows)
    assert [(row.problem, row.detail) for row in import_rows(import_id=stored.pk)] == [
        (RowProblem.NONE, ""),
        (RowProblem.NONE, ""),
        (RowProblem.NO_SESSION, "Kitamori EX"),
        (RowProblem.NO_SESSION, "B 1"),
    ]
    summary = import_save(actor=admin, import_id=stored.pk)
    assert (summary.pianos, summary.new_participants) == (2, 1)
    pianos = dict(Appearance.objects.values_list("pk", "piano__maker"))
    assert pianos == {old.pk: None, new.pk: "Kitamori", other.pk: "Yamaha"}
    import_undo(actor=admin, import_id=stored.pk)
    pianos = dict(Appearance.objects.values_list("pk", "piano__maker"))
    assert pianos == {old.pk: None, new.pk: "Yamaha", other.pk: None}
    assert list(Piano.objects.all()) == [yamaha], "the added piano leaves the list again"


def test_two_pianos_for_one_participant_and_a_long_name_are_refused(admin):
    AppearanceFactory(participant=ParticipantFactory(first_name="Ewa", second_name="Lis"))
    stored = file(admin, "Ewa|Lis|Poland|Yamaha CFX", "Ewa|Lis|Poland|Kitamori EX")
    with pytest.raises(ValidationError, match="Line 3: Ewa Lis has another piano in an earlier line"):
        import_save(actor=admin, import_id=stored.pk)
    (row,) = import_rows(import_id=file(admin, f"Ewa|Lis|Poland|{'K' * 101}").pk)
    assert row.problem is RowProblem.PIANO_LONG
