"""Test the preview of a participant file: stored rows, their order and counts, and the user's choices."""

import pytest
from django.core.exceptions import ValidationError

from apps.competition.models import ImportedPerformance, Participant, Piece
from apps.competition.services.catalogue import catalogue_load
from apps.imports.enums import FileEncoding, RowStatus
from apps.imports.limits import ROWS_SHOWN
from apps.imports.models import ParticipantImport, ParticipantImportRow
from apps.imports.participant_files.reading import Reading
from apps.imports.selectors.participant_files import import_get, import_pending, import_rows
from apps.imports.services.participant_files import (
    import_category_set,
    import_clear,
    import_read_again,
    participant_file_store,
)
from apps.imports.services.participant_saving import import_save
from apps.imports.tables.encodings import text_read
from tests.apps.imports.participant_files import KANADE, NUTSA, RONDO, ZOFIA, file_of, stored
from tests.factories import AdminFactory, ParticipantFactory, viewer_of

pytestmark = pytest.mark.django_db


def test_preview_has_a_status_for_each_row(admin):
    catalogue_load()
    ParticipantFactory(first_name="Łęcka", second_name="Zofia", country="Poland")
    file = stored(admin, ZOFIA, KANADE, "Ugnė|Vėtraitė|Lithuania|Noktiurnas op. 62||||", "Joaquín|Larrañaga", NUTSA)
    shown = import_get(import_id=file.pk)
    counts = shown.counts
    assert (counts.new, counts.existing, counts.undecided, counts.bad, counts.short) == (1, 1, 1, 1, 1)
    assert (counts.total, counts.left_out) == (5, 3)
    assert [(row.line, row.status) for row in import_rows(import_id=file.pk)] == [
        (4, RowStatus.BAD),
        (5, RowStatus.SHORT),
        (6, RowStatus.UNDECIDED),
        (2, RowStatus.EXISTING),
        (3, RowStatus.NEW),
    ]
    assert import_pending(user_id=admin.id) == file.pk
    assert text_read(bytes(ParticipantImport.objects.get().content), FileEncoding.UTF_8).endswith(NUTSA)
    assert (Participant.objects.count(), ImportedPerformance.objects.count()) == (1, 0)


def test_category_applies_to_every_row_with_the_piece(admin):
    file = stored(admin, NUTSA, f"Anna|Nowak|Poland|{RONDO}|Cantabile B-dur|||")
    import_category_set(actor=admin, import_id=file.pk, piece=RONDO, category="variations")  # any of the table
    assert [row.status for row in import_rows(import_id=file.pk)] == [RowStatus.UNDECIDED, RowStatus.NEW]
    counts = import_get(import_id=file.pk).counts
    assert (counts.new, counts.undecided) == (1, 1)
    with pytest.raises(ValidationError, match="no such piece"):
        import_category_set(actor=admin, import_id=file.pk, piece=RONDO, category="scherzo")
    with pytest.raises(ValidationError, match="choose a category"):
        import_category_set(actor=admin, import_id=file.pk, piece="Cantabile in B-flat major", category="opera")
    import_read_again(actor=admin, import_id=file.pk, encoding=FileEncoding.WINDOWS_1250)
    assert import_get(import_id=file.pk).counts == counts
    import_save(actor=admin, import_id=file.pk)
    assert Piece.objects.get().category == "variations"


def test_another_encoding_reads_the_file_again(admin):
    content = file_of(ZOFIA, encoding="windows-1250")
    file = participant_file_store(
        actor=admin, file_name="a.csv", content=content, reading=Reading(encoding=FileEncoding.WINDOWS_1252)
    )
    assert import_rows(import_id=file.pk)[0].last_name == "£êcka"
    import_read_again(actor=admin, import_id=file.pk, encoding=FileEncoding.WINDOWS_1250)
    assert import_rows(import_id=file.pk)[0].last_name == "Łęcka"
    shown = import_get(import_id=file.pk)
    assert (shown.encoding, shown.encoding_found) == (FileEncoding.WINDOWS_1250, FileEncoding.WINDOWS_1250)
    with pytest.raises(ValidationError, match="Error reading file"):
        import_read_again(actor=admin, import_id=file.pk, encoding=FileEncoding.UTF_8)
    assert import_rows(import_id=file.pk)[0].last_name == "Łęcka"


def test_unreadable_file_is_not_stored(admin):
    before = stored(admin, ZOFIA)
    for content in (b"", b"PK\x03\x04\x00\x00", b"a|b", b"x" * (5 * 1024 * 1024 + 1)):
        with pytest.raises(ValidationError):
            participant_file_store(actor=admin, file_name="a.csv", content=content)
    assert list(ParticipantImport.objects.values_list("pk", flat=True)) == [before.pk]


def test_file_name_is_stored_without_its_path(admin):
    for sent, expected in (
        ("../../etc/passwd", "passwd"),
        ("C:\\lists\\late.txt", "late.txt"),
        ("a\x00\n\u202eb.csv", "ab.csv"),
        ("$(reboot).csv", "$(reboot).csv"),
        ("/", "participants.csv"),
        ("x" * 300, "x" * 200),
    ):
        assert participant_file_store(actor=admin, file_name=sent, content=file_of(ZOFIA)).file_name == expected


def test_new_file_replaces_the_unsaved_one_of_the_same_account(admin):
    first, other = stored(admin, ZOFIA), stored(viewer_of(AdminFactory()), ZOFIA)
    second = stored(admin, KANADE)
    assert set(ParticipantImport.objects.values_list("pk", flat=True)) == {other.pk, second.pk}
    assert not ParticipantImportRow.objects.filter(participant_import_id=first.pk).exists()
    import_clear(actor=admin, import_id=second.pk)
    assert ParticipantImport.objects.get() == other
    assert not ParticipantImportRow.objects.exclude(participant_import_id=other.pk).exists()


def test_rows_are_paged_by_their_position(admin):
    file = stored(admin, *(f"Anna{n}|Nowak|Poland|||||" for n in range(84)))
    first = import_rows(import_id=file.pk)
    rest = import_rows(import_id=file.pk, after=first[-1].position)
    assert [row.position for row in first] == list(range(1, ROWS_SHOWN + 1))
    assert [row.position for row in rest] == list(range(ROWS_SHOWN + 1, 85))
