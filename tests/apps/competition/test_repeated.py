"""Test repeated appearances: constraints, which appearance counts, and its choice by an administrator."""

from functools import partial

import pytest
from django.db import IntegrityError, transaction

from apps.competition.dependents import HasDependents
from apps.competition.models import Appearance, Session
from apps.competition.selectors.admin.programs import programs_admin
from apps.competition.services.program_undo import BACK_REPEATED, PERFORMERS_BACK, program_undo
from apps.competition.services.repeated import ASK, COUNTS, appearance_count
from apps.competition.services.sessions import appearance_add, session_create, session_delete, session_update
from apps.core.audit import audit_list
from apps.core.edits import ConfirmationNeeded
from tests.apps.conftest import run_together
from tests.factories import (
    EVENING,
    AppearanceFactory,
    ParticipantFactory,
    PieceRatingFactory,
    ProgramEntryFactory,
    SessionFactory,
    StageFactory,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def counting(db):
    """Return an appearance that counts, in the session "First"."""
    return AppearanceFactory(session=SessionFactory(title="First"))


def repeat(counting, **columns):
    """Return a second appearance in the same stage."""
    return AppearanceFactory(
        session=SessionFactory(stage=counting.session.stage, title="Second"),
        participant=counting.participant,
        **{"is_repeated": True} | columns,
    )


def question(appearance):
    """Return the question about another appearance of the same participant."""
    return ASK % {"name": appearance.participant.name, "session": appearance.session.title}


def state(participant):
    """Return the participant's appearances: session, stage, and whether it is repeated."""
    rows = Appearance.objects.filter(participant=participant).order_by("session__title")
    return list(rows.values_list("session__title", "stage__name", "is_repeated"))


def repetitions(participant):
    """Return whether each appearance of the participant is repeated, in the order of the session titles."""
    return [is_repeated for *_, is_repeated in state(participant)]


def save(admin, session, **changes):
    form = {"title": session.title, "starts_at": EVENING, "description": "", "youtube_id": ""}
    return session_update(actor=admin, session_id=session.pk, **form | changes)


def test_appearance_has_the_stage_of_its_session(counting):
    def stage():
        counting.refresh_from_db()
        return counting.stage

    first, other = counting.session.stage, SessionFactory(title="Other")
    assert stage() == first
    Appearance.objects.update(stage=other.stage)
    assert stage() == first
    Appearance.objects.update(session=other)
    assert stage() == other.stage
    Session.objects.filter(pk=other.pk).update(stage=first)
    assert stage() == first


def test_database_refuses_a_second_counting_appearance_in_a_stage(counting):
    with pytest.raises(IntegrityError, match="participant_counts_once_per_stage"), transaction.atomic():
        repeat(counting, is_repeated=False)
    repeat(counting)
    other = AppearanceFactory(participant=counting.participant)
    with pytest.raises(IntegrityError, match="participant_counts_once_per_stage"), transaction.atomic():
        Session.objects.filter(pk=other.session_id).update(stage=counting.session.stage)


@pytest.mark.django_db(transaction=True)
def test_concurrently_added_appearances_move_with_their_session():
    for _ in range(2):
        session, target = SessionFactory(), StageFactory()
        add = partial(Appearance.objects.create, session=session)
        people = enumerate(ParticipantFactory.create_batch(3), start=1)
        adds = [partial(add, participant=person, order_number=number) for number, person in people]
        run_together(*adds, partial(Session.objects.filter(pk=session.pk).update, stage=target))
        assert list(session.appearances.values_list("stage_id", flat=True)) == [target.pk] * 3


def test_second_appearance_in_a_stage_is_repeated_after_confirmation(counting, admin):
    session = SessionFactory(stage=counting.session.stage, title="Second")
    add = partial(appearance_add, actor=admin, session_id=session.pk, participant_id=counting.participant_id)
    with pytest.raises(ConfirmationNeeded) as confirmation, transaction.atomic():
        add()
    assert confirmation.value.messages == [question(counting)]
    assert not session.appearances.exists()
    assert add(confirmed=True).is_repeated
    assert audit_list()[0].details["after"]["repeated"] is True
    assert not add(participant_id=ParticipantFactory().pk).is_repeated, "another participant"
    assert not add(session_id=SessionFactory().pk).is_repeated, "another stage"


def test_new_session_needs_confirmation_for_each_repeated_participant(counting, admin):
    other, new = AppearanceFactory(session=counting.session), ParticipantFactory()
    ids = [new.pk, other.participant_id, counting.participant_id]
    form = {"title": "Second", "starts_at": EVENING, "stage_id": counting.session.stage_id, "participant_ids": ids}
    create = partial(session_create, actor=admin, **form)
    with pytest.raises(ConfirmationNeeded) as confirmation, transaction.atomic():
        create()
    assert sorted(confirmation.value.messages) == sorted([question(counting), question(other)])
    assert Session.objects.count() == 1
    session = create(confirmed=True)
    rows = session.appearances.order_by("order_number").values_list("participant_id", "is_repeated")
    assert list(rows) == [(ids[0], False), (ids[1], True), (ids[2], True)]


def test_one_confirmation_names_removed_and_repeated_appearances(counting, admin):
    session = SessionFactory(stage=counting.session.stage, title="Second")
    rated = PieceRatingFactory(appearance=AppearanceFactory(session=session)).appearance
    edit = partial(save, admin, session, participant_ids=[counting.participant_id])
    with pytest.raises(HasDependents) as confirmation, transaction.atomic():
        edit()
    removed, repeated = confirmation.value.messages
    assert removed.startswith(f"{rated.participant.name} would go")
    assert repeated == question(counting)
    edit(confirmed=True)
    assert list(session.appearances.values_list("participant_id", "is_repeated")) == [(counting.participant_id, True)]


def test_appearance_moved_into_a_stage_is_repeated_there(counting, admin):
    moved = AppearanceFactory(session=SessionFactory(title="Second"), participant=counting.participant)
    alone = AppearanceFactory(session=moved.session)
    target, before = counting.session.stage, moved.session.stage
    with pytest.raises(ConfirmationNeeded) as confirmation, transaction.atomic():
        save(admin, moved.session, stage_id=target.pk)
    assert confirmation.value.messages == [question(counting)]
    save(admin, moved.session, stage_id=target.pk, confirmed=True)
    assert state(counting.participant) == [("First", target.name, False), ("Second", target.name, True)]
    assert state(alone.participant) == [("Second", target.name, False)]
    save(admin, moved.session, stage_id=before.pk)
    assert state(counting.participant) == [("First", target.name, False), ("Second", before.name, False)]


def test_participant_removed_from_a_moved_session_needs_no_confirmation(counting, admin):
    moved = AppearanceFactory(session=SessionFactory(title="Second"), participant=counting.participant)
    kept = AppearanceFactory(session=moved.session)
    save(admin, moved.session, stage_id=counting.session.stage_id, participant_ids=[kept.participant_id])
    assert list(moved.session.appearances.values_list("pk", "is_repeated")) == [(kept.pk, False)]


def test_no_appearance_counts_after_a_deletion_until_one_is_chosen(counting, admin):
    second = repeat(counting)

    def row():
        (row,) = programs_admin(session_id=second.session_id).rows
        return row.is_repeated, row.counting

    assert row() == (True, "First")
    session_delete(actor=admin, session_id=counting.session_id)
    assert row() == (True, "")
    assert appearance_count(actor=admin, appearance_id=second.pk) == COUNTS
    assert row() == (False, "Second")


def test_appearance_count_makes_another_appearance_count(counting, admin):
    count = partial(appearance_count, actor=admin, appearance_id=repeat(counting).pk)
    assert count() == COUNTS
    assert repetitions(counting.participant) == [True, False]
    entry = audit_list()[0]
    assert entry.action == "place.count"
    assert (entry.details["before"], entry.details["after"]) == ({"counts": "First"}, {"counts": "Second"})
    assert count() == COUNTS
    assert len(audit_list()) == 1, "a second time changes nothing"
    with pytest.raises(Appearance.DoesNotExist):
        appearance_count(actor=admin, appearance_id=987654)


@pytest.mark.django_db(transaction=True)
def test_one_of_concurrently_added_appearances_counts(admin):
    for _ in range(2):
        stage, person = StageFactory(), ParticipantFactory()
        add = partial(appearance_add, actor=admin, participant_id=person.pk)
        adds = [partial(add, session_id=session.pk) for session in SessionFactory.create_batch(3, stage=stage)]
        answers = run_together(*adds)
        names = sorted(type(answer).__name__ for answer in answers)
        assert names == ["Appearance", "ConfirmationNeeded", "ConfirmationNeeded"], answers
        run_together(*(partial(add, confirmed=True) for add in adds))
        assert sorted(repetitions(person)) == [False, True, True]


@pytest.mark.django_db(transaction=True)
def test_concurrent_move_and_addition_need_one_confirmation(admin):
    for _ in range(2):
        person, target = ParticipantFactory(), StageFactory()
        moved = AppearanceFactory(session=SessionFactory(title="Moved"), participant=person)
        session = SessionFactory(stage=target)
        answers = run_together(
            partial(save, admin, moved.session, stage_id=target.pk),
            partial(appearance_add, actor=admin, session_id=session.pk, participant_id=person.pk),
        )
        assert sum(isinstance(answer, ConfirmationNeeded) for answer in answers) == 1, answers
        assert not any(type(answer) is IntegrityError for answer in answers), answers
        counts = Appearance.objects.filter(stage=target, participant=person, is_repeated=False)
        assert counts.count() == 1


@pytest.mark.django_db(transaction=True)
def test_concurrent_choices_leave_one_counting_appearance(admin):
    counting = AppearanceFactory()
    appearances = counting, repeat(counting), repeat(counting)
    choices = [partial(appearance_count, actor=admin, appearance_id=appearance.pk) for appearance in appearances]
    for _ in range(2):
        assert run_together(*choices) == [COUNTS] * 3
        assert sorted(repetitions(counting.participant)) == [False, True, True]


def test_restored_appearance_counts_unless_another_one_counts(counting, admin):
    second = repeat(counting)
    ProgramEntryFactory(appearance=counting)
    remove = partial(save, admin, counting.session, participant_ids=[], confirmed=True)
    assert program_undo(actor=admin, undo_id=remove().undo_id).sentence == PERFORMERS_BACK
    assert repetitions(counting.participant) == [False, True]
    undo_id = remove().undo_id
    appearance_count(actor=admin, appearance_id=second.pk)
    assert program_undo(actor=admin, undo_id=undo_id).sentence == BACK_REPEATED
    assert repetitions(counting.participant) == [True, False]
    assert program_undo(actor=admin, undo_id=remove().undo_id).sentence == PERFORMERS_BACK
    assert repetitions(counting.participant) == [True, False]
