"""Test the undo of participant imports: it removes the whole import, or no row if other rows refer to it."""

import pytest
from django.core.exceptions import ValidationError
from django.db import OperationalError

from apps.accounts.actors import OPERATOR
from apps.competition.models import ImportedPerformance, Participant, Piece
from apps.competition.services.participants import participant_delete, participant_update
from apps.core.models import AuditEntry
from apps.imports.enums import ImportState
from apps.imports.models import ImportCreation
from apps.imports.selectors.participant_files import import_get
from apps.imports.services.participant_saving import import_undo
from tests.apps.conftest import run_together
from tests.apps.imports.participant_files import ETUDE, KANADE, NOCTURNE, ZOFIA, saved
from tests.factories import (
    AppearanceFactory,
    ParticipantFactory,
    PieceRatingFactory,
    ProgramEntryFactory,
    SessionFactory,
)

pytestmark = pytest.mark.django_db


def test_undo_removes_the_whole_import(admin):
    ParticipantFactory(first_name="Zofia", second_name="Łęcka", country="Poland")
    file, _ = saved(admin, ZOFIA, KANADE)
    assert import_undo(actor=admin, import_id=file.pk) == (1, 2)
    assert [each.second_name for each in Participant.objects.all()] == ["Łęcka"]
    assert not Piece.objects.exists()
    assert not ImportedPerformance.objects.exists()
    assert not ImportCreation.objects.exists()
    with pytest.raises(ValidationError, match="taken back already"):
        import_undo(actor=admin, import_id=file.pk)
    assert [entry.action for entry in AuditEntry.objects.order_by("id")] == ["import.save", "import.undo"]
    assert {entry.user_id for entry in AuditEntry.objects.all()} == {admin.id}


def test_undo_works_after_a_deletion_by_hand(admin):
    file, _ = saved(admin, ZOFIA, KANADE)
    participant_delete(actor=admin, participant_id=Participant.objects.get(second_name="Himuro").pk)
    assert import_undo(actor=admin, import_id=file.pk) == (1, 2)


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


def refer(reason: str, person: Participant, piece: Piece) -> None:
    """Store a row for which the undo is refused."""
    match reason:
        case "Participants with a place":
            AppearanceFactory(participant=person)
        case "Participants that were changed":
            edit(OPERATOR, person)
        case "Pieces in a program":
            ProgramEntryFactory(piece=piece)


@pytest.mark.parametrize(
    "reason", ["Participants with a place", "Participants that were changed", "Pieces in a program"]
)
def test_undo_is_refused_while_other_rows_refer_to_the_import(admin, reason):
    file, _ = saved(admin, ZOFIA, KANADE)
    refer(reason, Participant.objects.get(second_name="Himuro"), Piece.objects.get(name=NOCTURNE))
    before = (Participant.objects.count(), Piece.objects.count())
    with pytest.raises(ValidationError) as refused:
        import_undo(actor=admin, import_id=file.pk)
    assert refused.value.messages[0] == "This import stays as it is."
    assert refused.value.messages[1].startswith(reason)
    assert refused.value.messages[1].endswith(": 1.")
    assert (Participant.objects.count(), Piece.objects.count()) == before
    assert import_get(import_id=file.pk).state == ImportState.SAVED


@pytest.mark.django_db(transaction=True)
def test_edit_or_rating_during_an_undo_is_kept_or_refused(admin):
    session = SessionFactory()
    for attempt in range(5):
        name = f"Nocturne in E minor, Op. {70 + attempt}"
        file, _ = saved(admin, f"Anna|Nowak{attempt}|Poland|{ETUDE}||||", f"Ewa|Nowak{attempt}|Poland|{name}||||")
        person = Participant.objects.get(first_name="Ewa", second_name=f"Nowak{attempt}")
        piece = Piece.objects.get(name=name)
        appearance = AppearanceFactory(session=session)
        undone, edited, rated = run_together(
            lambda file=file: import_undo(actor=admin, import_id=file.pk),
            lambda person=person: edit(admin, person),
            lambda piece=piece, appearance=appearance: PieceRatingFactory(piece=piece, appearance=appearance),
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
