"""Saving participant files, choosing on the preview, taking imports back: with everybody else who writes meanwhile."""

from datetime import timedelta

import pytest
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import OperationalError, connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from apps.accounts.actors import OPERATOR
from apps.accounts.data_rights.registry import account_data
from apps.competition.models import Participant, Performance, Piece
from apps.competition.services import catalogue_load, participant_delete, participant_update
from apps.core.models import AuditEntry
from apps.imports import services
from apps.imports.enums import FileEncoding, ImportState, RowStatus
from apps.imports.limits import FILE_ROWS, ROWS_SHOWN
from apps.imports.models import ImportCreation, ParticipantImport, ParticipantImportRow
from apps.imports.participant_files.encodings import text_read
from apps.imports.selectors import ImportSummary, import_get, import_pending, import_rows, imports_saved
from tests.apps.conftest import run_together
from tests.apps.imports.participant_files import ETUDE, KANADE, NOCTURNE, ZOFIA, file_of, stored
from tests.factories import (
    AdminFactory,
    AppearanceFactory,
    ParticipantFactory,
    PieceRatingFactory,
    ProgramEntryFactory,
    SessionFactory,
    viewer_of,
)
from tests.owner import as_owner

RONDO = "Rondo in E-flat major, Op. 16"
CANTABILE = "Cantabile in B-flat major"
NUTSA = f"Nutsa|Khvedeliani|Georgia|{RONDO}||||"
pytestmark = pytest.mark.django_db


def saved(admin, *rows: str) -> tuple[ParticipantImport, ImportSummary]:
    file = stored(admin, *rows)
    return file, services.import_save(actor=admin, import_id=file.pk)


def test_the_preview_says_what_each_row_will_do(admin):
    catalogue_load()
    ParticipantFactory(first_name="Łęcka", second_name="Zofia", country="Poland")
    file = stored(admin, ZOFIA, KANADE, "Ugnė|Vėtraitė|Lithuania|Noktiurnas op. 62||||", "Joaquín|Larrañaga", NUTSA)
    shown = import_get(import_id=file.pk)
    counts = shown.counts
    assert (counts.new, counts.existing, counts.undecided, counts.bad, counts.short) == (1, 1, 1, 1, 1)
    assert (counts.total, counts.left_out) == (5, 3)
    assert [(row.line, row.status) for row in import_rows(import_id=file.pk)] == [
        (2, RowStatus.EXISTING),
        (3, RowStatus.NEW),
        (4, RowStatus.BAD),
        (5, RowStatus.SHORT),
        (6, RowStatus.UNDECIDED),
    ]
    assert import_pending(user_id=admin.id) == file.pk
    assert (Participant.objects.count(), Performance.objects.count()) == (1, 0)


def test_saving_writes_new_participants_and_keeps_those_that_are_there(admin):
    there = ParticipantFactory(first_name="Zofia", second_name="Łęcka", country="Poland", biography="Hers.")
    file, summary = saved(admin, ZOFIA, KANADE, NUTSA, "Short|Row")
    assert summary == ImportSummary(1, 1, 2, 0)
    there.refresh_from_db()
    assert (there.biography, there.performances.count()) == ("Hers.", 0)
    new = Participant.objects.get(second_name="Himuro")
    assert (new.name, new.country, new.birth_year, new.avatar_url) == ("Kanade Himuro", "Japan", None, "")
    assert new.biography == "Kanade Himuro comes from Japan and takes part in the competition."
    performance = new.performances.get()
    assert (performance.stage, performance.program) == ("Preliminary Round", NOCTURNE)
    assert abs(performance.performance_date - timezone.now().date()) <= timedelta(days=1)
    piece = Piece.objects.get(name=NOCTURNE)
    facts = (piece.category, piece.composer, piece.title, piece.key, piece.opus, piece.number)
    assert facts == ("nocturn", "Fryderyk Chopin", "Nocturne", "D-flat major", "27", 2)
    assert import_get(import_id=file.pk).state == ImportState.SAVED
    assert not Participant.objects.filter(country="Georgia").exists()


def test_pieces_of_the_catalogue_are_found_however_they_are_written(admin):
    added = catalogue_load()
    _, summary = saved(admin, ZOFIA, KANADE)
    assert (summary.new_pieces, summary.existing_pieces, Piece.objects.count()) == (0, 2, added)
    assert Performance.objects.get(participant__second_name="Łęcka").program.split("\n") == [
        "Etude in C-sharp minor, Op. 10 No. 4",
        NOCTURNE,
    ]


def test_the_same_file_again_changes_nothing(admin):
    saved(admin, ZOFIA, KANADE)
    before = (list(Participant.objects.values()), list(Piece.objects.values()), AuditEntry.objects.count())
    _, summary = saved(admin, ZOFIA, KANADE)
    assert summary == ImportSummary(0, 2, 0, 2)
    assert before == (list(Participant.objects.values()), list(Piece.objects.values()), AuditEntry.objects.count())
    assert [each.can_be_undone for each in imports_saved()] == [False, True]


def test_a_file_is_saved_once(admin):
    file, _ = saved(admin, ZOFIA)
    with pytest.raises(ValidationError, match="saved already"):
        services.import_save(actor=admin, import_id=file.pk)
    with pytest.raises(ValidationError, match="saved already"):
        services.import_clear(actor=admin, import_id=file.pk)


def test_what_came_meanwhile_is_not_created_again(admin):
    file = stored(admin, ZOFIA, NUTSA)
    ParticipantFactory(first_name="Zofia", second_name="Łęcka", country="Poland")
    catalogue_load()
    assert services.import_save(actor=admin, import_id=file.pk) == ImportSummary(0, 1, 0, 2)


def test_a_category_is_chosen_for_every_row_with_the_piece(admin):
    file = stored(admin, NUTSA, f"Anna|Nowak|Poland|{RONDO}|Cantabile B-dur|||")
    services.import_category_set(actor=admin, import_id=file.pk, piece=RONDO, category="mazurek")
    assert [row.status for row in import_rows(import_id=file.pk)] == [RowStatus.NEW, RowStatus.UNDECIDED]
    counts = import_get(import_id=file.pk).counts
    assert (counts.new, counts.undecided) == (1, 1)
    with pytest.raises(ValidationError, match="no such piece"):
        services.import_category_set(actor=admin, import_id=file.pk, piece=RONDO, category="scherzo")
    with pytest.raises(ValidationError, match="choose a category"):
        services.import_category_set(
            actor=admin, import_id=file.pk, piece="Cantabile in B-flat major", category="opera"
        )
    services.import_encoding_set(actor=admin, import_id=file.pk, encoding=FileEncoding.WINDOWS_1250)
    assert import_get(import_id=file.pk).counts == counts
    services.import_save(actor=admin, import_id=file.pk)
    assert Piece.objects.get().category == "mazurek"


def test_another_encoding_reads_the_file_anew(admin):
    content = file_of(ZOFIA, encoding="windows-1250")
    file = services.participant_file_store(
        actor=admin, file_name="a.csv", content=content, encoding=FileEncoding.WINDOWS_1252
    )
    assert import_rows(import_id=file.pk)[0].last_name == "£êcka"
    services.import_encoding_set(actor=admin, import_id=file.pk, encoding=FileEncoding.WINDOWS_1250)
    assert import_rows(import_id=file.pk)[0].last_name == "Łęcka"
    shown = import_get(import_id=file.pk)
    assert (shown.encoding, shown.encoding_found) == (FileEncoding.WINDOWS_1250, FileEncoding.WINDOWS_1250)
    with pytest.raises(ValidationError, match="Error reading file"):
        services.import_encoding_set(actor=admin, import_id=file.pk, encoding=FileEncoding.UTF_8)
    assert import_rows(import_id=file.pk)[0].last_name == "Łęcka"


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04\x00\x00", b"a|b", b"x" * (5 * 1024 * 1024 + 1)])
def test_what_cannot_be_read_is_not_stored(admin, content):
    before = stored(admin, ZOFIA)
    with pytest.raises(ValidationError):
        services.participant_file_store(actor=admin, file_name="a.csv", content=content)
    assert list(ParticipantImport.objects.values_list("pk", flat=True)) == [before.pk]


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("../../etc/passwd", "passwd"),
        ("C:\\lists\\late.txt", "late.txt"),
        ("a\x00\n\u202eb.csv", "ab.csv"),
        ("$(reboot).csv", "$(reboot).csv"),
        ("/", "participants.csv"),
        ("x" * 300, "x" * 200),
    ],
)
def test_the_name_of_a_file_is_only_shown(admin, given, shown):
    file = services.participant_file_store(actor=admin, file_name=given, content=file_of(ZOFIA))
    assert file.file_name == shown


def test_another_file_replaces_what_was_not_saved(admin):
    first, other = stored(admin, ZOFIA), stored(viewer_of(AdminFactory()), ZOFIA)
    second = stored(admin, KANADE)
    assert set(ParticipantImport.objects.values_list("pk", flat=True)) == {other.pk, second.pk}
    assert not ParticipantImportRow.objects.filter(participant_import_id=first.pk).exists()


def test_clearing_forgets_the_file(admin):
    services.import_clear(actor=admin, import_id=stored(admin, ZOFIA).pk)
    assert not ParticipantImport.objects.exists()
    assert not ParticipantImportRow.objects.exists()


def test_an_import_is_taken_back_whole(admin):
    ParticipantFactory(first_name="Zofia", second_name="Łęcka", country="Poland")
    file, _ = saved(admin, ZOFIA, KANADE)
    assert services.import_undo(actor=admin, import_id=file.pk) == (1, 2)
    assert [each.second_name for each in Participant.objects.all()] == ["Łęcka"]
    assert not Piece.objects.exists()
    assert not Performance.objects.exists()
    assert not ImportCreation.objects.exists()
    with pytest.raises(ValidationError, match="taken back already"):
        services.import_undo(actor=admin, import_id=file.pk)
    assert [entry.action for entry in AuditEntry.objects.order_by("id")] == ["import.save", "import.undo"]
    assert {entry.user_id for entry in AuditEntry.objects.all()} == {admin.id}


def test_what_was_deleted_by_hand_does_not_keep_an_import(admin):
    file, _ = saved(admin, ZOFIA, KANADE)
    participant_delete(actor=admin, participant_id=Participant.objects.get(second_name="Himuro").pk)
    assert services.import_undo(actor=admin, import_id=file.pk) == (1, 2)


def edit(admin, person: Participant) -> None:
    participant_update(
        actor=admin,
        participant_id=person.pk,
        first_name=person.first_name,
        second_name=person.second_name,
        country=person.country,
        biography="Studied in Łódź.",
        birth_year=2004,
        avatar_url="",
        featured=False,
    )


def hang(what: str, person: Participant, piece: Piece) -> None:
    match what:
        case "Places in sessions":
            AppearanceFactory(participant=person)
        case "Edits":
            edit(OPERATOR, person)
        case "Programs":
            ProgramEntryFactory(piece=piece)
        case "Ratings":
            PieceRatingFactory(piece=piece, session_participant=AppearanceFactory())


@pytest.mark.parametrize("what", ["Places in sessions", "Edits", "Programs", "Ratings"])
def test_an_import_stays_while_something_hangs_on_what_it_made(admin, what):
    file, _ = saved(admin, ZOFIA, KANADE)
    hang(what, Participant.objects.get(second_name="Himuro"), Piece.objects.get(name=NOCTURNE))
    before = (Participant.objects.count(), Piece.objects.count())
    with pytest.raises(ValidationError) as refused:
        services.import_undo(actor=admin, import_id=file.pk)
    assert refused.value.messages[0] == "This import stays as it is."
    assert refused.value.messages[1].startswith(f"{what}: 1 ")
    assert (Participant.objects.count(), Piece.objects.count()) == before
    assert import_get(import_id=file.pk).state == ImportState.SAVED


def test_everything_is_for_administrators(admin, nobody):
    file = stored(admin, NUTSA)
    done, _ = saved(viewer_of(AdminFactory()), ZOFIA)
    for work in (
        lambda: stored(nobody, ZOFIA),
        lambda: services.import_save(actor=nobody, import_id=file.pk),
        lambda: services.import_undo(actor=nobody, import_id=done.pk),
        lambda: services.import_clear(actor=nobody, import_id=file.pk),
        lambda: services.import_encoding_set(actor=nobody, import_id=file.pk, encoding=FileEncoding.UTF_8),
        lambda: services.import_category_set(actor=nobody, import_id=file.pk, piece=RONDO, category="mazurek"),
    ):
        with pytest.raises(PermissionDenied):
            work()


def test_what_the_database_refuses_is_said_and_nothing_is_saved(admin):
    file = stored(admin, ZOFIA, KANADE)
    ParticipantImportRow.objects.filter(last_name="Himuro").update(country=" ")
    with pytest.raises(ValidationError, match="Error saving data"):
        services.import_save(actor=admin, import_id=file.pk)
    assert not Participant.objects.exists()
    assert not Piece.objects.exists()
    assert import_get(import_id=file.pk).state == ImportState.PREVIEW


def test_files_and_rows_are_forgotten_after_thirty_days(admin):
    unsaved, (done, _) = stored(viewer_of(AdminFactory()), ZOFIA), saved(admin, KANADE)
    ParticipantImport.objects.update(created_at=timezone.now() - timedelta(days=29))
    assert services.imports_prune() == 0
    ParticipantImport.objects.update(created_at=timezone.now() - timedelta(days=31))
    assert services.imports_prune() == 2
    assert services.imports_prune() == 0
    assert not ParticipantImport.objects.filter(pk=unsaved.pk).exists()
    assert not ParticipantImportRow.objects.exists()
    assert bytes(ParticipantImport.objects.get(pk=done.pk).content) == b""
    assert services.import_undo(actor=admin, import_id=done.pk) == (1, 1)


def test_ones_own_data_names_the_files_and_deletion_leaves_them_by_nobody(admin):
    stored(admin, ZOFIA)
    (data,) = [each for each in account_data() if "participant_imports.user_id" in each.columns]
    assert [row["file_name"] for row in data.export(admin.id)["participant_imports"]] == ["participants.csv"]


def test_rows_are_paged_by_their_position(admin):
    file = stored(admin, *(f"Anna{n}|Nowak|Poland|||||" for n in range(84)))
    first = import_rows(import_id=file.pk)
    rest = import_rows(import_id=file.pk, after=first[-1].position)
    assert [row.position for row in first] == list(range(1, ROWS_SHOWN + 1))
    assert [row.position for row in rest] == list(range(ROWS_SHOWN + 1, 85))


@pytest.mark.django_db(transaction=True)
def test_open_screens_hear_of_an_import_by_a_few_topics(admin, listener):
    file = stored(admin, *(f"Anna{n}|Nowak|Poland|{NOCTURNE}||||" for n in range(300)))
    assert listener.heard() == {"imports"}
    services.import_save(actor=admin, import_id=file.pk)
    assert listener.heard() == {"imports", "featured_participants", "pieces"}
    services.import_undo(actor=admin, import_id=file.pk)
    assert listener.heard() == {"imports", "featured_participants", "participants.removed", "pieces"}


@pytest.mark.django_db(transaction=True)
def test_two_who_save_the_same_file_at_once_create_nobody_twice(admin):
    other = viewer_of(AdminFactory())
    rows = [*(f"Anna{n}|Nowak|Poland|{NOCTURNE}|{ETUDE}|||" for n in range(50)), ZOFIA]
    files = [stored(actor, *rows).pk for actor in (admin, other)]
    results = run_together(
        lambda: services.import_save(actor=admin, import_id=files[0]),
        lambda: services.import_save(actor=other, import_id=files[1]),
    )
    assert sorted(each.new_participants for each in results) == [0, 51]
    assert (Participant.objects.count(), Performance.objects.count(), Piece.objects.count()) == (51, 51, 2)


@pytest.mark.django_db(transaction=True)
def test_the_same_file_saved_from_two_windows_is_saved_once(admin):
    file = stored(admin, ZOFIA, KANADE).pk
    save = lambda: services.import_save(actor=admin, import_id=file)  # noqa: E731
    results = run_together(save, save, save)
    assert sum(isinstance(each, ImportSummary) for each in results) == 1
    assert all(isinstance(each, (ImportSummary, ValidationError)) for each in results)
    assert Participant.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_an_edit_or_a_rating_beside_an_undo_is_either_kept_or_refused(admin):
    session = SessionFactory()
    for attempt in range(5):
        name = f"Nocturne in E minor, Op. {70 + attempt}"
        file, _ = saved(admin, f"Anna|Nowak{attempt}|Poland|{ETUDE}||||", f"Ewa|Nowak{attempt}|Poland|{name}||||")
        person = Participant.objects.get(first_name="Ewa", second_name=f"Nowak{attempt}")
        piece = Piece.objects.get(name=name)
        appearance = AppearanceFactory(session=session)
        undone, edited, rated = run_together(
            lambda file=file: services.import_undo(actor=admin, import_id=file.pk),
            lambda person=person: edit(admin, person),
            lambda piece=piece, appearance=appearance: PieceRatingFactory(piece=piece, session_participant=appearance),
        )
        assert not isinstance(undone, OperationalError)
        if isinstance(undone, tuple):
            assert isinstance(edited, Participant.DoesNotExist)
            assert isinstance(rated, Exception)
            assert not Participant.objects.filter(pk=person.pk).exists()
        else:
            assert isinstance(undone, ValidationError)
            assert Participant.objects.filter(pk=person.pk).exists()
            assert Piece.objects.filter(pk=piece.pk).exists()


def statements(admin, count: int) -> list[str]:
    rows = [f"Anna{n}|Nowak{count}|Poland|{NOCTURNE}|{ETUDE}|Scherzo h-moll op. 20||" for n in range(count)]
    with CaptureQueriesContext(
        connection,
    ) as asked:
        file = stored(admin, *rows)
        services.import_save(actor=admin, import_id=file.pk)
        services.import_undo(actor=admin, import_id=file.pk)
    return [query["sql"] for query in asked.captured_queries]


def test_ten_thousand_rows_take_a_bounded_number_of_statements(admin):
    few, many = statements(admin, 100), statements(admin, FILE_ROWS)
    assert len(many) <= len(few) + 20 * (FILE_ROWS // 1000)
    assert not Participant.objects.exists()


def test_checks_planned_on_an_empty_table_do_not_read_all_of_a_full_one_for_each_row(admin):
    """A connection that has checked a table of one row often keeps the plan that reads all of the table."""
    with as_owner() as cursor:
        ParticipantFactory()
        cursor.execute("ANALYZE participants")
    for attempt in range(8):
        file, _ = saved(admin, f"Anna{attempt}|Nowak|Poland|{NOCTURNE}||||")
        services.import_undo(actor=admin, import_id=file.pk)
        check_now()
    before = whole_reads()
    file, _ = saved(admin, *(f"Anna{n}|Nowak|Poland|{NOCTURNE}||||" for n in range(2_000)))
    services.import_undo(actor=admin, import_id=file.pk)
    check_now()
    assert whole_reads() - before < 100


def check_now() -> None:
    """Check what is checked at COMMIT."""
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")


def whole_reads() -> int:
    """Return how often this transaction has read the whole table of participants."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT seq_scan FROM pg_stat_xact_user_tables WHERE relname = 'participants'")
        return cursor.fetchone()[0]


def test_the_text_of_a_stored_file_is_what_was_sent(admin):
    file = stored(admin, ZOFIA)
    content = bytes(ParticipantImport.objects.get(pk=file.pk).content)
    assert text_read(content, FileEncoding.UTF_8).endswith(ZOFIA)
