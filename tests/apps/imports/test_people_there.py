"""Test files of people who are there already: empty facts are filled, others change where they are ticked."""

import csv
from pathlib import Path

import pytest
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.competition.models import Participant
from apps.imports.enums import ImportState, RowProblem, RowStatus
from apps.imports.models import ParticipantImport
from apps.imports.participant_files.reading import reading_guess
from apps.imports.selectors.participant_files import ImportRow, import_get, import_rows
from apps.imports.services.participant_files import (
    import_changes_take,
    import_changes_take_all,
    import_person_set,
    participant_file_store,
)
from apps.imports.services.participant_saving import import_save, import_undo
from tests.apps.conftest import run_together
from tests.apps.imports.participant_files import counts_checked
from tests.factories import AdminFactory, ParticipantFactory, viewer_of

pytestmark = pytest.mark.django_db
PEOPLE = Path(__file__).parent / "participants_2025.csv"
HEADER = "FirstName,LastName,Country,StartNumber,BirthYear,Biography,NameLocal,AvatarUrl"
PICTURE = "https://pictures.example/zofia.jpg"
GENERATED = "Zofia Nowak comes from Poland and takes part in the competition."


def sent(actor, header: str, *rows: str) -> ParticipantImport:
    """Store a file that is read as people only."""
    content = "\n".join([header, *rows]).encode()
    reading = reading_guess(content)
    reading = type(reading)(reading.kind, reading.encoding, reading.delimiter, is_people_only=True)
    return participant_file_store(actor=actor, file_name="people.csv", content=content, reading=reading)


def zofia(**facts) -> Participant:
    return ParticipantFactory(first_name="Zofia", second_name="Nowak", country="Poland", **facts)


def row(file: ParticipantImport, position: int = 1) -> ImportRow:
    return next(each for each in import_rows(import_id=file.pk) if each.position == position)


def facts(person: Participant) -> tuple[object, ...]:
    person.refresh_from_db()
    return person.start_number, person.birth_year, person.biography, person.name_local, person.avatar_url


def test_empty_facts_are_filled_and_taken_back(admin):
    person = zofia(biography=GENERATED, birth_year=None)
    before = facts(person)
    file = sent(admin, HEADER, f"Zofia,Nowak,Poland,7,2001,Studied in Łódź.,ゾフィア,{PICTURE}")
    assert set(row(file).before) == {"start_number", "birth_year", "biography", "name_local", "avatar_url"}
    assert import_get(import_id=file.pk).changes == 0
    summary = import_save(actor=admin, import_id=file.pk)
    assert (summary.new_participants, summary.filled_participants) == (0, 1)
    assert facts(person) == (7, 2001, "Studied in Łódź.", "ゾフィア", PICTURE)
    counts_checked(file.pk)
    again = sent(admin, HEADER, f"Zofia,Nowak,Poland,7,2001,Studied in Łódź.,ゾフィア,{PICTURE}")
    assert row(again).before == {}
    assert import_save(actor=admin, import_id=again.pk).filled_participants == 0
    assert import_undo(actor=admin, import_id=file.pk) == (0, 0)
    assert facts(person) == before


def test_empty_cell_takes_nothing_away(admin):
    person = zofia(start_number=7, birth_year=2001, biography="Hers.")
    before = facts(person)
    import_save(actor=admin, import_id=sent(admin, HEADER, "Zofia,Nowak,Poland,,,,,").pk)
    assert facts(person) == before


def test_changed_facts_are_changed_where_they_are_ticked(admin, unprivileged):
    person = zofia(start_number=7, birth_year=2001, biography="Hers.")
    file = sent(admin, HEADER, "Zofia,Nowak,Poland,8,2002,Other.,ゾフィア,")
    take = {"import_id": file.pk, "position": 1}
    with pytest.raises(PermissionDenied):
        import_changes_take(actor=unprivileged, fields=["birth_year"], **take)
    with pytest.raises(PermissionDenied):
        import_changes_take_all(actor=unprivileged, import_id=file.pk, takes=True)
    for fields in (["name_local"], ["country"]):  # one that is filled without a tick, and none of the facts
        with pytest.raises(ValidationError, match="no such change"):
            import_changes_take(actor=admin, fields=fields, **take)
    assert import_changes_take_all(actor=admin, import_id=file.pk, takes=True) == 3
    import_changes_take(actor=admin, fields=["birth_year"], **take)
    shown = import_get(import_id=file.pk)
    assert (shown.changes, shown.changes_taken) == (3, 1)
    import_save(actor=admin, import_id=file.pk)
    assert facts(person) == (7, 2002, "Hers.", "ゾフィア", "")
    with pytest.raises(ValidationError, match="no such change"):
        import_changes_take(actor=admin, fields=["biography"], **take)
    import_undo(actor=admin, import_id=file.pk)
    assert facts(person) == (7, 2001, "Hers.", "", "")


def test_undo_keeps_what_was_changed_since(admin):
    person = zofia(biography="Hers.")
    file = sent(admin, HEADER, "Zofia,Nowak,Poland,7,2001,,,")
    import_save(actor=admin, import_id=file.pk)
    Participant.objects.filter(pk=person.pk).update(birth_year=1999)
    import_undo(actor=admin, import_id=file.pk)
    assert facts(person)[:2] == (None, 1999)
    assert import_get(import_id=file.pk).state == ImportState.UNDONE


def test_fact_that_was_changed_meanwhile_refuses_the_save(admin):
    person = zofia(biography="Hers.")
    ewa = ParticipantFactory(first_name="Ewa", second_name="Lis", country="Poland")
    file = sent(admin, HEADER, "Ewa,Lis,Poland,1,,,,", "Zofia,Nowak,Poland,7,,,,")
    Participant.objects.filter(pk=person.pk).update(start_number=9)
    with pytest.raises(ValidationError, match="Line 3: Zofia Nowak was changed meanwhile"):
        import_save(actor=admin, import_id=file.pk)
    assert facts(ewa)[0] is None


def test_two_people_exchange_their_numbers(admin):
    first, second = zofia(start_number=1), ParticipantFactory(first_name="Ewa", second_name="Lis", start_number=2)
    third = ParticipantFactory(first_name="Jan", second_name="Kos", start_number=3)
    rows = ("2,Zofia Nowak", "1,Lis Ewa", "3,Zofia Nowak", "4,Nobody Known")
    file = sent(admin, "StartNumber,Name", *rows)
    assert [(each.line, each.problem) for each in import_rows(import_id=file.pk) if each.status == RowStatus.BAD] == [
        (5, RowProblem.NO_PERSON)
    ]
    import_changes_take(actor=admin, import_id=file.pk, position=1, fields=["start_number"])
    with pytest.raises(ValidationError, match=r"Line 2: start number 2 is taken by now \(Ewa Lis\)"):
        import_save(actor=admin, import_id=file.pk)
    import_changes_take_all(actor=admin, import_id=file.pk, takes=True)
    import_save(actor=admin, import_id=file.pk)
    assert [facts(each)[0] for each in (first, second, third)] == [2, 1, 3]
    import_undo(actor=admin, import_id=file.pk)
    assert [facts(each)[0] for each in (first, second, third)] == [1, 2, 3]


def test_number_of_somebody_who_keeps_it_is_a_bad_row(admin):
    zofia()
    ParticipantFactory(first_name="Ewa", second_name="Lis", start_number=2)
    for header, line in (("Nr startowy;Uczestnik", "2;Zofia Nowak"), (HEADER, "Zofia,Nowak,Poland,2,,,,")):
        each = row(sent(admin, header, line))
        assert (each.status, each.problem, each.detail) == (RowStatus.BAD, RowProblem.NUMBER_TAKEN, "2, Ewa Lis")


def test_namesakes_are_not_guessed(admin):
    for number in (None, None):
        zofia(start_number=number)
    numbers = sent(admin, "StartNumber,Name", "7,Zofia Nowak")
    assert row(numbers).problem == RowProblem.SEVERAL_PEOPLE
    people = sent(admin, HEADER, "Zofia,Nowak,Poland,7,,,,")
    assert (row(people).before, row(people).status) == ({}, RowStatus.EXISTING)


def test_similar_name_is_filled_once_it_is_decided(admin):
    person = ParticipantFactory(first_name="Jürgen", second_name="Müller", country="Germany")
    file = sent(admin, HEADER, "Juergen,Mueller,Germany,7,,,,")
    assert row(file).before == {}
    import_person_set(actor=admin, import_id=file.pk, position=1, person=RowProblem.SAME)
    import_save(actor=admin, import_id=file.pk)
    assert facts(person)[0] == 7
    other = sent(admin, "StartNumber,Name", "8,Mueller Juergen")
    assert (row(other).problem, row(other).first_name, row(other).before) == (
        *(RowProblem.SPELLED, "Jürgen"),
        {"start_number": 7},
    )


def test_wrong_picture_is_a_bad_row(admin):
    for address in ("zofia.jpg", "javascript:alert(1)", "https://"):
        file = sent(admin, HEADER, f"Zofia,Nowak,Poland,,,,,{address}")
        assert row(file).problem == RowProblem.PICTURE, address


def drawn(admin, count: int) -> tuple[ParticipantImport, int]:
    """Store and save the drawn numbers of the first people; return the file and the number of statements."""
    with PEOPLE.open(encoding="utf-8", newline="") as file:
        people = list(csv.DictReader(file))[:count]
    for each in people:
        ParticipantFactory(first_name=each["first_name"], second_name=each["last_name"], country=each["country"])
    lines = [f"{each['start_number']};{each['first_name']} {each['last_name']}" for each in people]
    with CaptureQueriesContext(connection) as queries:
        stored = sent(admin, "Startnummer;Name", *lines)
        assert import_save(actor=admin, import_id=stored.pk).filled_participants == count
        numbers = dict(Participant.objects.values_list("start_number", "name"))
        assert numbers == {int(each["start_number"]): f"{each['first_name']} {each['last_name']}" for each in people}
        import_undo(actor=admin, import_id=stored.pk)
    Participant.objects.all().delete()
    return stored, len([query for query in queries.captured_queries if "pg_notify" not in query["sql"]])


def test_numbers_drawn_by_lot_are_a_file_of_two_columns(admin):
    assert drawn(admin, 84)[1] == drawn(admin, 2)[1]


@pytest.mark.django_db(transaction=True)
def test_concurrent_draws_give_each_number_once(admin):
    people = [ParticipantFactory(first_name=f"Anna{n}", second_name="Lis") for n in range(6)]
    other = viewer_of(AdminFactory())
    orders = (range(1, 7), range(6, 0, -1))
    files = [
        sent(actor, "StartNumber;Name", *(f"{n};{each.name}" for n, each in zip(order, people, strict=True))).pk
        for actor, order in zip((admin, other), orders, strict=True)
    ]
    results = run_together(
        lambda: import_save(actor=admin, import_id=files[0]),
        lambda: import_save(actor=other, import_id=files[1]),
    )
    assert sum(isinstance(each, ValidationError) for each in results) == 1
    assert [facts(each)[0] for each in people] in ([*orders[0]], [*orders[1]])
