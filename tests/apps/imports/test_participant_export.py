"""Test the export of a session as a participant file, and its import here and into an empty database."""

from collections.abc import Sequence

import pytest

from apps.competition.enums import SPECIFIED
from apps.competition.models import Appearance, Participant, Piano, Piece, ProgramEntry, Session
from apps.competition.services.catalogue import catalogue_load
from apps.competition.services.pianos import session_pianos_read, session_pianos_set
from apps.imports.participant_files.reading import Reading
from apps.imports.selectors.participant_files import ImportSummary, participants_export
from apps.imports.services.participant_files import participant_file_read, participant_file_store
from apps.imports.services.participant_saving import import_save
from tests.factories import AppearanceFactory, ProgramEntryFactory, SessionFactory

pytestmark = pytest.mark.django_db
PEOPLE = (
    ("Zofia", "Wróblewska-Łęcka", "Poland"),
    ("寛奈", "氷室", "Japan"),
    ('An"na', "O|Neil", "Ireland"),
    ("=cmd", "@home", "+Land"),
    ("'n", "-a", "'=x"),
)


def singles_load() -> None:
    """Load the catalogue without its sets: a file has the names of pieces, which tell nothing of a set's members."""
    catalogue_load()
    Piece.objects.filter(parts__member__isnull=False).delete()


def session_filled(people: Sequence[tuple[str, str, str]] = PEOPLE) -> Session:
    """Return a session of these people, each with some pieces of the catalogue; the first has six."""
    singles_load()
    session, pieces = SessionFactory(), list(Piece.objects.order_by("id"))
    for number, (first, last, country) in enumerate(people):
        names = {"participant__first_name": first, "participant__second_name": last, "participant__country": country}
        appearance = AppearanceFactory(session=session, **names)
        for piece in pieces[number * 15 :: 20][: 6 - number]:
            ProgramEntryFactory(appearance=appearance, piece=piece)
    return session


def rows_of(text: str) -> list[tuple[str, str, str, tuple[str, ...]]]:
    read = participant_file_read(text.encode(), Reading()).rows
    return [(row.first_name, row.last_name, row.country, tuple(piece.name for piece in row.pieces)) for row in read]


def programs(session: Session) -> list[tuple[str, ...]]:
    appearances = Appearance.objects.filter(session=session).order_by("order_number")
    return [tuple(each.program.order_by("order_number").values_list("piece__name", flat=True)) for each in appearances]


def test_import_of_an_export_changes_no_rows(admin):
    written = participants_export(session_id=session_filled().pk)
    before = (list(Participant.objects.values()), list(Piece.objects.values()))
    file = participant_file_store(actor=admin, file_name="a.csv", content=written.encode())
    summary = import_save(actor=admin, import_id=file.pk)
    assert (summary.new_participants, summary.existing_participants, summary.new_pieces) == (0, len(PEOPLE), 0)
    assert before == (list(Participant.objects.values()), list(Piece.objects.values()))


def test_export_restores_people_and_pieces_in_an_empty_database(admin):
    session = session_filled()
    written, expected = participants_export(session_id=session.pk), programs(session)
    for table in (ProgramEntry, Appearance, Participant, Piece):
        table.objects.all().delete()
    assert rows_of(written) == [(*names, program) for names, program in zip(PEOPLE, expected, strict=True)]
    file = participant_file_store(actor=admin, file_name="a.csv", content=written.encode())
    assert import_save(actor=admin, import_id=file.pk) == ImportSummary(
        len(PEOPLE), 0, len({name for program in expected for name in program}), 0
    )
    stored = Participant.objects.order_by("id").values_list("first_name", "second_name", "country")
    assert tuple(stored) == PEOPLE


def test_pianos_of_an_export_are_read_into_its_session_and_by_the_import(admin):
    session = session_filled((*PEOPLE[:2], ("Ewa", "Nowak", "Poland")))
    first, second, _ = session.appearances.order_by("order_number")
    piano = Piano.objects.create(maker="C. Bechstein", model="D 282")
    session_pianos_set(actor=admin, session_id=session.pk, pianos={first.pk: piano.pk, second.pk: piano.pk})
    written = participants_export(session_id=session.pk)
    assert [line.split("|")[9] for line in written.splitlines()] == [
        "Piano",
        "C. Bechstein D 282",
        "C. Bechstein D 282",
        "",
    ]
    pianos = session.appearances.filter(piano=piano)
    pianos.update(piano=None)
    assert session_pianos_read(actor=admin, session_id=session.pk, text=written) == 2
    assert set(pianos.values_list("pk", flat=True)) == {first.pk, second.pk}
    pianos.update(piano=None)
    file = participant_file_store(actor=admin, file_name="a.csv", content=written.encode())
    assert import_save(actor=admin, import_id=file.pk).pianos == 2
    assert set(pianos.values_list("pk", flat=True)) == {first.pk, second.pk}


def test_export_restores_every_piece_of_the_catalogue(admin):
    singles_load()
    Piece.objects.exclude(category__in=SPECIFIED).delete()  # an administrator chooses the category of others
    columns = ("category", "name", "composer", "title", "key", "opus", "number")
    pieces = list(Piece.objects.order_by("name").values_list(*columns))
    session = SessionFactory()
    for start, piece in enumerate(Piece.objects.all()):
        if start % 5 == 0:
            appearance = AppearanceFactory(session=session)
        ProgramEntryFactory(appearance=appearance, piece=piece)
    written = participants_export(session_id=session.pk)
    for table in (ProgramEntry, Appearance, Participant, Piece):
        table.objects.all().delete()
    file = participant_file_store(actor=admin, file_name="a.csv", content=written.encode())
    assert import_save(actor=admin, import_id=file.pk).new_pieces == len(pieces)
    assert list(Piece.objects.order_by("name").values_list(*columns)) == pieces
