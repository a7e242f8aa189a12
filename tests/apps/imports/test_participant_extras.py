"""Test start numbers, years, biographies and programs from files: saving, conflicts, concurrent saves, undo."""

from dataclasses import replace

import pytest
from django.core.exceptions import ValidationError

from apps.competition.models import ImportedPerformance, Participant, Piece
from apps.imports.enums import Delimiter, ImportState, RowProblem, RowStatus
from apps.imports.models import ParticipantImport
from apps.imports.participant_files.people import country_key
from apps.imports.participant_files.reading import Reading
from apps.imports.selectors.participant_files import import_get, import_pending, import_refused, import_rows
from apps.imports.services.participant_files import (
    import_clear,
    import_person_set,
    import_piece_leave_out,
    import_read_again,
    participant_file_keep,
    participant_file_store,
)
from apps.imports.services.participant_saving import import_save, import_undo
from tests.apps.conftest import run_together
from tests.apps.imports.participant_files import ETUDE, NOCTURNE, counts_checked, file_of
from tests.apps.imports.participant_files import stored as stored_plain
from tests.factories import (
    AdminFactory,
    AppearanceFactory,
    ParticipantFactory,
    PieceRatingFactory,
    ProgramEntryFactory,
    viewer_of,
)

pytestmark = pytest.mark.django_db
HEADER = (
    "StartNumber;FirstName;LastName;Country;Piece1;Piece2;Piece3;Piece4;Piece5;BirthYear;Biography;Program;NameLocal"
)


def content_of(*rows: str) -> bytes:
    return "\n".join([HEADER, *rows]).encode()


def row_of(name: str, number: str = "", country: str = "Poland", program: str = "", piece: str = "") -> str:
    return f'{number};{name};Nowak;{country};{piece};;;;;;;"{program}";'


def stored(actor, *rows: str) -> ParticipantImport:
    return participant_file_store(actor=actor, file_name="people.csv", content=content_of(*rows))


def test_extra_cells_are_stored_with_the_participant(admin):
    program = f'"{NOCTURNE};Scherzo h-moll op. 20"'
    line = f'12;Zofia;Łęcka;Poland;{ETUDE};;;;;2002;"Born in Zamość.\nStudied.";{program};ゾフィア'
    file = stored(admin, line, row_of("Ewa"))
    assert import_save(actor=admin, import_id=file.pk).new_participants == 2
    zofia = Participant.objects.get(first_name="Zofia")
    assert (zofia.start_number, zofia.birth_year, zofia.biography) == (12, 2002, "Born in Zamość.\nStudied.")
    assert zofia.name_local == "ゾフィア"
    assert zofia.performances.get().program.split("\n") == [
        "Etude in C-sharp minor, Op. 10 No. 4",
        NOCTURNE,
        "Scherzo in B minor, Op. 20",
    ]
    ewa = Participant.objects.get(first_name="Ewa")
    assert (ewa.start_number, ewa.birth_year) == (None, None)
    assert ewa.biography == "Ewa Nowak comes from Poland and takes part in the competition."
    counts_checked(file.pk)
    assert import_undo(actor=admin, import_id=file.pk) == (2, 3)
    assert not Participant.objects.exists()
    assert not ImportedPerformance.objects.exists()
    assert not Piece.objects.exists()


def test_start_number_of_another_participant_is_a_bad_row(admin):
    ParticipantFactory(first_name="Zofia", second_name="Nowak", start_number=12)
    file = stored(admin, row_of("Ewa", "12"), row_of("Zofia", "12"))
    assert [(row.status, row.problem, row.detail) for row in import_rows(import_id=file.pk)] == [
        (RowStatus.BAD, RowProblem.NUMBER_TAKEN, "12, Zofia Nowak"),
        (RowStatus.EXISTING, RowProblem.NONE, ""),
    ]
    import_save(actor=admin, import_id=file.pk)
    counts_checked(file.pk)
    assert Participant.objects.count() == 1


def test_start_number_taken_after_the_preview_refuses_the_save(admin):
    file = stored(admin, row_of("Ewa", "12"), row_of("Anna", "13"))
    ParticipantFactory(first_name="Zofia", second_name="Nowak", start_number=13)
    with pytest.raises(ValidationError, match=r"Line 3: start number 13 is taken by now \(Zofia Nowak\)"):
        import_save(actor=admin, import_id=file.pk)
    assert Participant.objects.count() == 1
    assert import_read_again(actor=admin, import_id=file.pk)
    assert import_get(import_id=file.pk).counts.bad == 1


def test_answer_about_a_similar_name_decides_about_its_number(admin):
    ParticipantFactory(first_name="Jürgen", second_name="Nowak", start_number=12)
    file = stored(admin, row_of("Juergen", "12"))
    (row,) = import_rows(import_id=file.pk)
    assert (row.status, row.problem) == (RowStatus.UNDECIDED, RowProblem.PERHAPS)
    import_person_set(actor=admin, import_id=file.pk, position=1, person=RowProblem.ANOTHER)
    (row,) = import_rows(import_id=file.pk)
    assert (row.status, row.problem, row.detail) == (RowStatus.BAD, RowProblem.NUMBER_TAKEN, "12, Jürgen Nowak")
    same = stored(admin, row_of("Juergen", "12"))
    import_person_set(actor=admin, import_id=same.pk, position=1, person=RowProblem.SAME)
    assert import_get(import_id=same.pk).counts.existing == 1


def test_number_is_checked_again_without_the_unreadable_piece(admin):
    file = stored(admin, row_of("Ewa", "12", piece="Noktiurnas"))
    ParticipantFactory(first_name="Zofia", second_name="Nowak", start_number=12)
    import_piece_leave_out(actor=admin, import_id=file.pk, piece="Noktiurnas")
    (row,) = import_rows(import_id=file.pk)
    assert (row.status, row.problem) == (RowStatus.BAD, RowProblem.NUMBER_TAKEN)


def test_country_in_another_spelling_makes_the_row_undecided(admin):
    for stored_country, country in (
        ("China", "P.R. China"),
        ("China", "People's Republic of China"),
        ("South Korea", "Republic of Korea"),
        ("United States", "USA"),
        ("United States of America", "U.S.A."),
        ("United Kingdom", "Great Britain"),
        ("Czechia", "Czech Republic"),
        ("Russia", "Russian Federation"),
        ("Hong Kong", "Hong Kong, China"),
        ("Chinese Taipei", "Taiwan"),
    ):
        person = ParticipantFactory(first_name="Ziye", second_name="Tao", country=stored_country)
        file = stored_plain(admin, f'Ziye|Tao|"{country}"|||||')
        (row,) = import_rows(import_id=file.pk)
        assert (row.status, row.problem) == (RowStatus.UNDECIDED, RowProblem.PERHAPS), country
        assert row.detail == f"Ziye Tao, {stored_country}"
        import_person_set(actor=admin, import_id=file.pk, position=1, person=RowProblem.SAME)
        import_save(actor=admin, import_id=file.pk)
        assert Participant.objects.count() == 1, country
        person.delete()


def test_different_countries_have_different_keys():
    names = [*"China Taiwan Japan Austria Australia Poland Portugal The".split(), "North Korea", "South Korea"]
    assert len({country_key(name) for name in names}) == len(names)


def test_refused_file_can_be_read_again_and_replaces_the_unsaved_one(admin):
    before = stored_plain(admin, "Zofia|Nowak|Poland|||||")
    content = b"FirstName,LastName,Country\nEwa,Lis,Poland"
    with pytest.raises(ValidationError) as error:
        participant_file_store(actor=admin, file_name="a.csv", content=content)
    file = participant_file_keep(actor=admin, file_name="a.csv", content=content, error=error.value)
    assert (import_pending(user_id=admin.id), import_refused(user_id=admin.id)) == (before.pk, file.pk)
    with pytest.raises(ValidationError, match="could not be read"):
        import_save(actor=admin, import_id=file.pk)
    assert not import_read_again(actor=admin, import_id=file.pk, delimiter=Delimiter.TAB)
    assert import_get(import_id=file.pk).refusal["params"]["list"].startswith("FirstName, LastName")
    assert import_read_again(actor=admin, import_id=file.pk, delimiter=Delimiter.COMMA, is_people_only=True)
    shown = import_get(import_id=file.pk)
    assert (shown.state, shown.refusal, shown.counts.new, shown.is_people_only) == (ImportState.PREVIEW, None, 1, True)
    assert (import_pending(user_id=admin.id), import_refused(user_id=admin.id)) == (file.pk, None)
    assert not ParticipantImport.objects.filter(pk=before.pk).exists()
    assert import_save(actor=admin, import_id=file.pk).new_participants == 1
    with pytest.raises(ValidationError, match="saved already"):
        import_read_again(actor=admin, import_id=file.pk, is_people_only=False)


def test_second_refused_file_replaces_the_first_and_can_be_cleared(admin):
    error = ValidationError("Error reading file")
    for name in ("a.csv", "b.csv"):
        file = participant_file_keep(actor=admin, file_name=name, content=b"\x89PNG", error=error)
    assert ParticipantImport.objects.get().file_name == "b.csv"
    import_clear(actor=admin, import_id=file.pk)
    assert not ParticipantImport.objects.exists()


def test_people_only_does_not_confirm_a_guessed_encoding(admin):
    content = "FirstName|LastName|Country\nJürgen|Müller|Germany".encode("mac-roman")
    error = ValidationError("Error reading file")
    file = participant_file_keep(actor=admin, file_name="a.csv", content=content, error=error)
    assert import_read_again(actor=admin, import_id=file.pk, is_people_only=True)
    assert not import_get(import_id=file.pk).is_encoding_sure


def test_file_stays_unchanged_if_it_cannot_be_read_again(admin):
    file = stored(admin, row_of("Ewa", "12"))
    with pytest.raises(ValidationError, match="Missing required columns"):
        import_read_again(actor=admin, import_id=file.pk, delimiter=Delimiter.COMMA)
    shown = import_get(import_id=file.pk)
    assert (shown.state, shown.delimiter, shown.counts.new) == (ImportState.PREVIEW, Delimiter.SEMICOLON, 1)


def test_chosen_and_guessed_delimiters_are_stored(admin):
    reading = Reading(delimiter=Delimiter.BAR)
    content = file_of("Zofia|Nowak|Poland|||||")
    file = participant_file_store(actor=admin, file_name="a.csv", content=content, reading=replace(reading))
    shown = import_get(import_id=file.pk)
    assert (shown.delimiter, shown.delimiter_found) == (Delimiter.BAR, Delimiter.BAR)


@pytest.mark.django_db(transaction=True)
def test_concurrent_saves_give_each_number_once(admin):
    other = viewer_of(AdminFactory())
    rows = [row_of(f"Anna{n}", str(n), program=f"{ETUDE};{NOCTURNE}") for n in range(1, 41)]
    files = [stored(actor, *rows).pk for actor in (admin, other)]
    results = run_together(
        lambda: import_save(actor=admin, import_id=files[0]),
        lambda: import_save(actor=other, import_id=files[1]),
    )
    assert sorted(each.new_participants for each in results) == [0, 40]
    assert sorted(Participant.objects.values_list("start_number", flat=True)) == list(range(1, 41))
    assert (ImportedPerformance.objects.count(), Piece.objects.count()) == (40, 2)
    for file in files:
        counts_checked(file)


@pytest.mark.django_db(transaction=True)
def test_concurrent_saves_of_one_number_for_two_people_refuse_one(admin):
    other = viewer_of(AdminFactory())
    files = [stored(admin, row_of("Ewa", "12")).pk, stored(other, row_of("Zofia", "12")).pk]
    results = run_together(
        lambda: import_save(actor=admin, import_id=files[0]),
        lambda: import_save(actor=other, import_id=files[1]),
    )
    (refused,) = [each for each in results if isinstance(each, Exception)]
    assert isinstance(refused, ValidationError)
    assert Participant.objects.get().start_number == 12


def test_undo_is_refused_while_a_rating_exists(admin):
    file = stored(admin, row_of("Ewa", "12", program=NOCTURNE))
    import_save(actor=admin, import_id=file.pk)
    person, piece = Participant.objects.get(), Piece.objects.get()
    appearance = AppearanceFactory(participant=person)
    entry = ProgramEntryFactory(appearance=appearance, piece=piece)
    rating = PieceRatingFactory(appearance=appearance, piece=piece)
    with pytest.raises(ValidationError) as error:
        import_undo(actor=admin, import_id=file.pk)
    assert error.value.messages == [
        "This import stays as it is.",
        "Participants with a place in a session: 1.",
        "Pieces in a program: 1.",
    ]
    assert (Participant.objects.get().start_number, ImportedPerformance.objects.count()) == (12, 1)
    rating.delete()
    entry.delete()
    appearance.delete()
    assert import_undo(actor=admin, import_id=file.pk) == (1, 1)
    ParticipantFactory(start_number=12)
