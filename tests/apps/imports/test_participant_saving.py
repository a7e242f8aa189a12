"""Test the saving of participant files: the rows are written once, also with concurrent writers."""

from datetime import timedelta

import pytest
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from apps.accounts.data_rights import account_data
from apps.competition.models import ImportedPerformance, Participant, Piece
from apps.competition.services.catalogue import catalogue_load
from apps.core.models import AuditEntry
from apps.imports.enums import FileEncoding, ImportState, RowProblem
from apps.imports.models import ParticipantImport, ParticipantImportRow
from apps.imports.selectors.participant_files import ImportSummary, import_get, import_rows, imports_saved
from apps.imports.services.participant_files import (
    import_category_set,
    import_clear,
    import_person_set,
    import_piece_leave_out,
    import_read_again,
    imports_prune,
)
from apps.imports.services.participant_saving import import_save, import_undo
from tests.apps.conftest import run_together
from tests.apps.imports.participant_files import (
    ETUDE,
    KANADE,
    NOCTURNE,
    NUTSA,
    RONDO,
    ZOFIA,
    counts_checked,
    saved,
    stored,
)
from tests.factories import AdminFactory, ParticipantFactory, viewer_of
from tests.owner import as_owner

CANTABILE = "Cantabile in B-flat major"
pytestmark = pytest.mark.django_db


def test_save_creates_new_participants_and_keeps_existing_ones(admin):
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


def test_pieces_of_the_catalogue_are_matched_in_any_spelling(admin):
    added = catalogue_load()
    _, summary = saved(admin, ZOFIA, KANADE)
    assert (summary.new_pieces, summary.existing_pieces, Piece.objects.count()) == (0, 2, added)
    assert ImportedPerformance.objects.get(participant__second_name="Łęcka").program.split("\n") == [
        "Etude in C-sharp minor, Op. 10 No. 4",
        NOCTURNE,
    ]


def test_second_save_of_the_same_file_changes_no_rows(admin):
    file, _ = saved(admin, ZOFIA, KANADE)
    for save_again in (import_save, import_clear):
        with pytest.raises(ValidationError, match="saved already"):
            save_again(actor=admin, import_id=file.pk)
    before = (list(Participant.objects.values()), list(Piece.objects.values()), AuditEntry.objects.count())
    _, summary = saved(admin, ZOFIA, KANADE)
    assert summary == ImportSummary(0, 2, 0, 2)
    assert before == (list(Participant.objects.values()), list(Piece.objects.values()), AuditEntry.objects.count())
    assert [each.can_be_undone for each in imports_saved()] == [False, True]


def test_undecided_and_bad_rows_are_saved_after_a_decision(admin):
    bad = "Ugnė|Vėtraitė|Lithuania|Noktiurnas op. 62|Nocturne in D-flat major, Op. 27 No. 2|||"
    file, first = saved(admin, ZOFIA, NUTSA, bad, "Short|Row")
    assert first == ImportSummary(1, 0, 2, 0)
    assert counts_checked(file.pk) == (1, 3)
    assert [row.status for row in import_rows(import_id=file.pk)] == ["undecided", "bad", "short", "new"]
    import_category_set(actor=admin, import_id=file.pk, piece=RONDO, category="mazurek")
    import_piece_leave_out(actor=admin, import_id=file.pk, piece="Noktiurnas op. 62")
    assert counts_checked(file.pk) == (1, 3)
    assert import_save(actor=admin, import_id=file.pk) == ImportSummary(3, 0, 3, 0)
    assert counts_checked(file.pk) == (3, 1)
    assert Participant.objects.count() == 3
    assert ImportedPerformance.objects.get(participant__first_name="Ugnė").program == NOCTURNE
    with pytest.raises(ValidationError, match="saved already"):
        import_save(actor=admin, import_id=file.pk)
    assert import_undo(actor=admin, import_id=file.pk) == (3, 3)
    with pytest.raises(ValidationError, match="taken back"):
        import_save(actor=admin, import_id=file.pk)


def test_repeated_piece_in_a_row_is_one_piece(admin):
    catalogue_load()
    _, summary = saved(admin, f"Zofia|Łęcka|Poland|{ETUDE}|Etude in C-sharp minor, Op. 10 No. 4|{ETUDE}||")
    assert summary == ImportSummary(1, 0, 0, 1)
    assert ImportedPerformance.objects.get().program == "Etude in C-sharp minor, Op. 10 No. 4"


def test_rows_created_after_the_preview_are_not_created_again(admin):
    file = stored(admin, ZOFIA, NUTSA)
    ParticipantFactory(first_name="Zofia", second_name="Łęcka", country="Poland")
    catalogue_load()
    assert import_save(actor=admin, import_id=file.pk) == ImportSummary(0, 1, 0, 2)


@pytest.mark.parametrize(("answer", "count"), [(RowProblem.SAME, 1), (RowProblem.ANOTHER, 2)])
def test_similar_name_is_decided_by_hand(admin, answer, count):
    there = ParticipantFactory(first_name="Jürgen", second_name="Müller", country="Germany")
    file = stored(admin, "Juergen|Mueller|Germany|||||", f"Jurgen|Muller|Germany|{RONDO}||||", ZOFIA)
    assert import_get(import_id=file.pk).counts.undecided == 2
    import_person_set(actor=admin, import_id=file.pk, position=1, person=answer)
    counts = import_get(import_id=file.pk).counts
    assert (counts.undecided, counts.new, counts.existing) == (1, count, 2 - count)
    import_category_set(actor=admin, import_id=file.pk, piece=RONDO, category="mazurek")
    assert import_get(import_id=file.pk).counts.undecided == 1  # its category alone does not decide
    for position in (1, 3, 9):
        with pytest.raises(ValidationError, match="no such person"):
            import_person_set(actor=admin, import_id=file.pk, position=position, person=answer)
    assert import_save(actor=admin, import_id=file.pk).new_participants == count
    assert Participant.objects.filter(country="Germany").count() == count
    there.refresh_from_db()
    assert there.name == "Jürgen Müller"


def test_rows_that_another_window_saved_first_are_existing_ones(admin):
    first, second = stored(admin, ZOFIA, KANADE), stored(viewer_of(AdminFactory()), ZOFIA, NUTSA)
    import_save(actor=admin, import_id=first.pk)
    summary = import_save(actor=viewer_of(AdminFactory()), import_id=second.pk)
    counts = import_get(import_id=second.pk).counts
    assert (summary.new_participants, summary.existing_participants) == (counts.new, counts.existing) == (0, 1)
    assert [row.status for row in import_rows(import_id=second.pk)] == ["undecided", "existing"]
    counts_checked(second.pk)


def test_similar_name_added_after_the_preview_refuses_the_save(admin):
    file = stored(admin, "Juergen|Mueller|Germany|||||", ZOFIA)
    ParticipantFactory(first_name="Jürgen", second_name="Müller", country="Germany")
    with pytest.raises(ValidationError, match="Juergen Mueller is spelled like Jürgen Müller"):
        import_save(actor=admin, import_id=file.pk)
    assert Participant.objects.count() == 1


def test_only_administrators_import_participants(admin, unprivileged):
    file = stored(admin, NUTSA)
    done, _ = saved(viewer_of(AdminFactory()), ZOFIA)
    for work in (
        lambda: stored(unprivileged, ZOFIA),
        lambda: import_save(actor=unprivileged, import_id=file.pk),
        lambda: import_undo(actor=unprivileged, import_id=done.pk),
        lambda: import_clear(actor=unprivileged, import_id=file.pk),
        lambda: import_read_again(actor=unprivileged, import_id=file.pk, encoding=FileEncoding.UTF_8),
        lambda: import_category_set(actor=unprivileged, import_id=file.pk, piece=RONDO, category="mazurek"),
        lambda: import_person_set(actor=unprivileged, import_id=file.pk, position=1, person=RowProblem.SAME),
    ):
        with pytest.raises(PermissionDenied):
            work()


def test_database_error_is_reported_and_no_row_is_saved(admin):
    file = stored(admin, ZOFIA, KANADE)
    ParticipantImportRow.objects.filter(last_name="Himuro").update(country=" ")
    with pytest.raises(ValidationError, match="Error saving data"):
        import_save(actor=admin, import_id=file.pk)
    assert not Participant.objects.exists()
    assert not Piece.objects.exists()
    assert import_get(import_id=file.pk).state == ImportState.PREVIEW


def test_files_and_rows_are_deleted_after_thirty_days(admin):
    unsaved, (done, _) = stored(viewer_of(AdminFactory()), ZOFIA), saved(admin, KANADE)
    ParticipantImport.objects.update(created_at=timezone.now() - timedelta(days=29))
    assert imports_prune() == 0
    ParticipantImport.objects.update(created_at=timezone.now() - timedelta(days=31))
    assert imports_prune() == 2
    assert imports_prune() == 0
    assert not ParticipantImport.objects.filter(pk=unsaved.pk).exists()
    assert not ParticipantImportRow.objects.exists()
    assert bytes(ParticipantImport.objects.get(pk=done.pk).content) == b""
    assert import_undo(actor=admin, import_id=done.pk) == (1, 1)


def test_account_export_contains_the_file_names(admin):
    stored(admin, ZOFIA)
    (data,) = [each for each in account_data() if "participant_imports.user_id" in each.columns]
    assert [row["file_name"] for row in data.export(admin.id)["participant_imports"]] == ["participants.csv"]


@pytest.mark.django_db(transaction=True)
def test_import_publishes_few_topics(admin, listener):
    file = stored(admin, *(f"Anna{n}|Nowak|Poland|{NOCTURNE}||||" for n in range(60)))
    assert listener.heard() == {"imports"}
    import_save(actor=admin, import_id=file.pk)
    assert listener.heard() == {"imports", "featured_participants", "pieces"}
    import_undo(actor=admin, import_id=file.pk)
    assert listener.heard() == {"imports", "featured_participants", "participants.removed", "pieces"}


@pytest.mark.django_db(transaction=True)
def test_concurrent_saves_of_one_file_save_it_once(admin):
    file = stored(admin, ZOFIA, KANADE).pk
    save = lambda: import_save(actor=admin, import_id=file)  # noqa: E731
    results = run_together(save, save, save)
    assert sum(isinstance(each, ImportSummary) for each in results) == 1
    assert all(isinstance(each, (ImportSummary, ValidationError)) for each in results)
    assert Participant.objects.count() == 2


def statements(admin, count: int) -> list[str]:
    rows = [f"Anna{n}|Nowak{count}|Poland|{NOCTURNE}|{ETUDE}|Scherzo h-moll op. 20||" for n in range(count)]
    with CaptureQueriesContext(connection) as queries:
        file = stored(admin, *rows)
        import_save(actor=admin, import_id=file.pk)
        import_undo(actor=admin, import_id=file.pk)
    return [query["sql"] for query in queries.captured_queries]


@pytest.mark.long(reason="stores thousands of rows")
def test_number_of_statements_grows_by_batches_of_rows(admin):
    few, many = statements(admin, 40), statements(admin, 1_100)
    assert len(many) <= len(few) + 24 * 2  # a deletion queries each table that refers to participants
    assert not Participant.objects.exists()


@pytest.mark.long(reason="stores thousands of rows")
def test_foreign_key_checks_do_not_scan_the_table_for_each_row(admin):
    """After several checks of a table with one row, a connection keeps a generic plan that scans the table."""
    with as_owner() as cursor:
        ParticipantFactory()
        cursor.execute("ANALYZE participants")
    for attempt in range(8):
        file, _ = saved(admin, f"Anna{attempt}|Nowak|Poland|{NOCTURNE}||||")
        import_undo(actor=admin, import_id=file.pk)
        check_now()
    before = whole_reads()
    file, _ = saved(admin, *(f"Anna{n}|Nowak|Poland|{NOCTURNE}||||" for n in range(150)))
    import_undo(actor=admin, import_id=file.pk)
    check_now()
    assert whole_reads() - before < 100


def check_now() -> None:
    """Run the deferred checks of COMMIT."""
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")


def whole_reads() -> int:
    """Return how often this transaction has read the whole table of participants."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT seq_scan FROM pg_stat_xact_user_tables WHERE relname = 'participants'")
        return cursor.fetchone()[0]
