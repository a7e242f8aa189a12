"""Test programs taken from imported pieces and from earlier stages: sums, refusals, undo, race conditions."""

from concurrent.futures import ThreadPoolExecutor
from datetime import date

import pytest
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import connection

from apps.competition.enums import UndoKind
from apps.competition.models import Piece, ProgramEntry, ProgramUndo
from apps.competition.selectors.admin.sessions import undos_recent
from apps.competition.services.catalogue import catalogue_load
from apps.competition.services.program_undo import program_undo
from apps.core.audit import AuditFilter, audit_list
from apps.core.texts import texts
from apps.imports.enums import OfferSource
from apps.imports.program_summary import taken_words
from apps.imports.selectors.programs import program_offers
from apps.imports.services.program_offers import programs_take
from tests.factories import (
    AdminFactory,
    AppearanceFactory,
    ImportedPerformanceFactory,
    PieceRatingFactory,
    SessionFactory,
    StageFactory,
    UserFactory,
    viewer_of,
)

IMPORTED, EARLIER = OfferSource.IMPORTED, OfferSource.EARLIER
ETUDE, SCHERZO = "Etude in C major, Op. 10 No. 1", "Scherzo in B minor, Op. 20"
pytestmark = pytest.mark.django_db


@pytest.fixture
def boss(db):
    catalogue_load()
    return viewer_of(AdminFactory())


def performer(session, *lines):
    """Return an appearance of a participant with these imported pieces."""
    appearance = AppearanceFactory(session=session)
    if lines:
        ImportedPerformanceFactory(participant=appearance.participant, program="\n".join(lines))
    return appearance


def program(appearance):
    entries = ProgramEntry.objects.filter(appearance=appearance).order_by("order_number")
    return list(entries.values_list("piece__name", "slot"))


def fill(appearance, name, slot="etiuda_a"):
    appearance.program.create(piece=Piece.objects.get(name=name), order_number=1, slot=slot)


def test_imported_pieces_become_the_programs_of_a_session(boss):
    session = SessionFactory()
    exact = performer(session, ETUDE, SCHERZO)
    pasted = performer(session, "Mazurek a-moll op. 17 nr 4", ETUDE, "Barcarolle in F-sharp major, Op. 160")
    chosen = performer(session, SCHERZO)
    fill(chosen, ETUDE)
    empty, unknown = performer(session), performer(session, "Ballade No. 9")
    taken = programs_take(actor=boss, session_id=session.pk, source=IMPORTED)
    assert program(exact) == [(ETUDE, "etiuda_a"), (SCHERZO, "scherzo")]
    assert program(pasted) == [("Mazurka in A minor, Op. 17 No. 4", "mazurek"), (ETUDE, "etiuda_a")]
    assert (program(chosen), program(empty), program(unknown)) == ([(ETUDE, "etiuda_a")], [], [])
    names = [each.participant.name for each in (exact, pasted)]
    assert (taken.taken, taken.had_program) == (tuple(names), (chosen.participant.name,))
    assert (taken.nothing_offered, taken.nothing_found) == ((empty.participant.name,), (unknown.participant.name,))
    assert (taken.all, taken.pieces) == (5, 4)
    assert taken_words(taken, texts("en")) == [
        "Program updated successfully: 2 performers, 4 pieces.",
        "Of 5 performers: taken: 2, already with a program: 1, nothing to take: 1, no piece found: 1.",
        f"Not found: Barcarolle in F-sharp major, Op. 160 ({names[1]}); Ballade No. 9 ({unknown.participant.name}).",
    ]
    again = programs_take(actor=boss, session_id=session.pk, source=IMPORTED)
    assert (again.taken, again.undo_id, len(again.had_program)) == ((), None, 3)


def test_taken_programs_are_audited_and_undone_together(boss):
    session = SessionFactory()
    people = [performer(session, ETUDE, SCHERZO) for _ in range(3)]
    taken = programs_take(actor=boss, session_id=session.pk, source=IMPORTED)
    entries = audit_list(filters=AuditFilter(action="program.replace"))
    assert {each.subject_id: dict(each.details) for each in entries} == {
        each.pk: {"after": {"pieces": [ETUDE, SCHERZO]}, "name": each.participant.name} for each in people
    }
    (undo,) = undos_recent(kind=UndoKind.ASSIGNMENT)
    assert (undo.id, undo.names) == (taken.undo_id, tuple(each.participant.name for each in people))
    undone = program_undo(actor=boss, undo_id=taken.undo_id)
    assert (undone.restored, undone.staying) == (3, ())
    assert not ProgramEntry.objects.exists()
    assert len(program_offers(session_id=session.pk)) == sum(
        each.can_take(IMPORTED) for each in program_offers(session_id=session.pk)
    )


def test_undo_keeps_and_names_changed_and_rated_programs(boss):
    session = SessionFactory()
    restored, changed, rated = (performer(session, ETUDE) for _ in range(3))
    taken = programs_take(actor=boss, session_id=session.pk, source=IMPORTED)
    changed.program.create(piece=Piece.objects.get(name=SCHERZO), order_number=2, slot="scherzo")
    PieceRatingFactory(entry=rated.program.get())
    undone = program_undo(actor=boss, undo_id=taken.undo_id)
    assert (undone.restored, undone.staying) == (1, (changed.participant.name, rated.participant.name))
    assert (program(restored), len(program(changed)), len(program(rated))) == ([], 2, 1)


def test_program_of_the_last_earlier_stage_is_offered(boss):
    first, second, third = StageFactory(), StageFactory(), StageFactory()
    now = AppearanceFactory(session=SessionFactory(stage=third))
    for stage, name, slot in ((first, SCHERZO, "scherzo"), (second, ETUDE, "nocturn")):
        fill(AppearanceFactory(session=SessionFactory(stage=stage), participant=now.participant), name, slot)
    (offers,) = program_offers(session_id=now.session_id)
    offer = offers.offer(EARLIER)
    assert (offer.stage, [each.piece.name for each in offer.pieces]) == (second.name, [ETUDE])
    programs_take(actor=boss, session_id=now.session_id, source=EARLIER)
    assert program(now) == [(ETUDE, "nocturn")]
    assert not program_offers(session_id=SessionFactory(stage=first).pk)


def test_newest_import_is_taken_with_each_piece_once(boss):
    session = SessionFactory()
    appearance = performer(session, SCHERZO)
    newer = {"participant": appearance.participant, "performance_date": date(2030, 1, 2)}
    ImportedPerformanceFactory(**newer, program=f"{ETUDE}\n\n{ETUDE}\nEtiuda C-dur op. 10 nr 1")
    ImportedPerformanceFactory(**newer | {"performance_date": date(2030, 1, 3)}, program="")
    taken = programs_take(actor=boss, session_id=session.pk, source=IMPORTED)
    assert (program(appearance), taken.missing) == ([(ETUDE, "etiuda_a")], ())


def test_program_of_one_appearance_can_be_taken(boss):
    session = SessionFactory()
    one, other = performer(session, ETUDE), performer(session, ETUDE)
    taken = programs_take(actor=boss, session_id=session.pk, source=IMPORTED, appearance_id=one.pk)
    assert (taken.all, program(one), program(other)) == (1, [(ETUDE, "etiuda_a")], [])
    with pytest.raises(ValidationError, match="Selected participant not found"):
        programs_take(actor=boss, session_id=SessionFactory().pk, source=IMPORTED, appearance_id=one.pk)


def test_uncertain_pieces_are_not_taken(boss):
    session = SessionFactory()
    appearance = performer(session, "Nocturne in C minor", "Etude in D major, Op. 10 No. 1", "Nocturnes:", ETUDE)
    taken = programs_take(actor=boss, session_id=session.pk, source=IMPORTED)
    assert program(appearance) == [(ETUDE, "etiuda_a")]
    name = appearance.participant.name
    lines = ("Nocturne in C minor", "Etude in D major, Op. 10 No. 1", "Nocturnes:")
    assert taken.missing == tuple((line, name) for line in lines)


def test_only_administrators_take_programs(boss):
    appearance = performer(SessionFactory(), ETUDE)
    with pytest.raises(PermissionDenied):
        programs_take(actor=viewer_of(UserFactory()), session_id=appearance.session_id, source=IMPORTED)
    assert program(appearance) == []


@pytest.mark.parametrize("count", [1, 84])
def test_number_of_queries_does_not_depend_on_programs(count, boss, django_assert_num_queries):
    session = SessionFactory()
    for _ in range(count):
        performer(session, ETUDE, SCHERZO)
    with django_assert_num_queries(3):
        program_offers(session_id=session.pk)
    with django_assert_num_queries(17):
        taken = programs_take(actor=boss, session_id=session.pk, source=IMPORTED)
    assert len(taken.taken) == count


@pytest.mark.django_db(transaction=True)
def test_concurrent_takes_take_each_program_once():
    catalogue_load()
    session = SessionFactory()
    people = [performer(session, ETUDE, SCHERZO) for _ in range(12)]
    bosses = [viewer_of(AdminFactory()) for _ in range(2)]

    def take(turn):
        try:
            return programs_take(actor=bosses[turn], session_id=session.pk, source=IMPORTED)
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(take, range(2)))
    assert sorted(len(each.taken) for each in results) == [0, 12]
    assert [each.all for each in results] == [12, 12]
    assert {len(program(each)) for each in people} == {2}
    assert ProgramUndo.objects.count() == 1
