"""Test repeated appearances: what the database keeps, which appearance counts, and how an administrator chooses."""

from functools import partial

import pytest
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction

from apps.competition.dependents import HasDependents
from apps.competition.models import Session, SessionParticipant
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


def again(counting, **columns):
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
    found = SessionParticipant.objects.filter(participant=participant).order_by("session__title")
    return list(found.values_list("session__title", "stage__name", "is_repeated"))


def save(admin, session, **given):
    form = {"title": session.title, "starts_at": EVENING, "description": "", "youtube_id": ""}
    return session_update(actor=admin, session_id=session.pk, **form | given)


def test_an_appearance_has_the_stage_of_its_session(counting):
    first, other = counting.session.stage, SessionFactory(title="Other")
    counting.refresh_from_db()
    assert counting.stage == first
    SessionParticipant.objects.update(stage=other.stage)
    counting.refresh_from_db()
    assert counting.stage == first
    SessionParticipant.objects.update(session=other)
    counting.refresh_from_db()
    assert counting.stage == other.stage
    Session.objects.filter(pk=other.pk).update(stage=first)
    counting.refresh_from_db()
    assert counting.stage == first


def test_the_database_refuses_a_second_appearance_that_counts(counting):
    with pytest.raises(IntegrityError, match="participant_counts_once_per_stage"), transaction.atomic():
        again(counting, is_repeated=False)
    again(counting)
    other = AppearanceFactory(participant=counting.participant)
    with pytest.raises(IntegrityError, match="participant_counts_once_per_stage"), transaction.atomic():
        Session.objects.filter(pk=other.session_id).update(stage=counting.session.stage)


@pytest.mark.django_db(transaction=True)
def test_a_session_that_moves_takes_along_an_appearance_that_is_added_at_once(admin):
    for _ in range(5):
        session, target = SessionFactory(), StageFactory()
        people = ParticipantFactory.create_batch(3)
        run_together(
            *(partial(SessionParticipant.objects.create, session=session, participant=each, order_number=number)
              for number, each in enumerate(people, start=1)),
            lambda session=session, target=target: Session.objects.filter(pk=session.pk).update(stage=target),
        )  # fmt: skip
        assert set(session.appearances.values_list("stage_id", flat=True)) == {target.pk}
        assert session.appearances.count() == 3


def test_a_second_appearance_is_added_as_repeated_after_a_question(counting, admin):
    session = SessionFactory(stage=counting.session.stage, title="Second")
    add = partial(appearance_add, actor=admin, session_id=session.pk, participant_id=counting.participant_id)
    with pytest.raises(ConfirmationNeeded) as asked, transaction.atomic():
        add()
    assert asked.value.messages == [question(counting)]
    assert not session.appearances.exists()
    assert add(confirmed=True).is_repeated
    assert audit_list()[0].details["after"]["repeated"] is True
    assert not appearance_add(actor=admin, session_id=session.pk, participant_id=ParticipantFactory().pk).is_repeated, (
        "another participant"
    )
    other = SessionFactory()
    assert not appearance_add(actor=admin, session_id=other.pk, participant_id=counting.participant_id).is_repeated, (
        "another stage"
    )


def test_a_new_session_asks_for_each_participant_who_plays_in_the_stage(counting, admin):
    other, new = AppearanceFactory(session=counting.session), ParticipantFactory()
    ids = [new.pk, other.participant_id, counting.participant_id]
    create = partial(
        session_create,
        actor=admin, title="Second", starts_at=EVENING, stage_id=counting.session.stage_id, participant_ids=ids,
    )  # fmt: skip
    with pytest.raises(ConfirmationNeeded) as asked, transaction.atomic():
        create()
    assert sorted(asked.value.messages) == sorted([question(counting), question(other)])
    assert Session.objects.count() == 1
    session = create(confirmed=True)
    rows = session.appearances.order_by("order_number").values_list("participant_id", "is_repeated")
    assert list(rows) == [(ids[0], False), (ids[1], True), (ids[2], True)]


def test_one_question_names_what_is_removed_and_what_is_repeated(counting, admin):
    rated = ProgramEntryFactory(
        session_participant=AppearanceFactory(session=SessionFactory(stage=counting.session.stage, title="Second"))
    )
    PieceRatingFactory(entry=rated)
    session = rated.session_participant.session
    edit = partial(save, admin, session, participant_ids=[counting.participant_id])
    with pytest.raises(HasDependents) as asked, transaction.atomic():
        edit()
    gone, repeated = asked.value.messages
    assert gone.startswith(f"{rated.session_participant.participant.name} would go")
    assert repeated == question(counting)
    edit(confirmed=True)
    assert list(session.appearances.values_list("participant_id", "is_repeated")) == [(counting.participant_id, True)]


def test_an_appearance_that_moves_into_a_stage_comes_second_there(counting, admin):
    moved = AppearanceFactory(session=SessionFactory(title="Second"), participant=counting.participant)
    alone = AppearanceFactory(session=moved.session)
    target, before = counting.session.stage, moved.session.stage
    with pytest.raises(ConfirmationNeeded) as asked, transaction.atomic():
        save(admin, moved.session, stage_id=target.pk)
    assert asked.value.messages == [question(counting)]
    save(admin, moved.session, stage_id=target.pk, confirmed=True)
    assert state(counting.participant) == [("First", target.name, False), ("Second", target.name, True)]
    assert state(alone.participant) == [("Second", target.name, False)]
    save(admin, moved.session, stage_id=before.pk)
    assert state(counting.participant) == [("First", target.name, False), ("Second", before.name, False)]


def test_a_participant_who_leaves_a_session_that_moves_is_not_asked_about(counting, admin):
    moved = AppearanceFactory(session=SessionFactory(title="Second"), participant=counting.participant)
    kept = AppearanceFactory(session=moved.session)
    save(admin, moved.session, stage_id=counting.session.stage_id, participant_ids=[kept.participant_id])
    assert list(moved.session.appearances.values_list("pk", "is_repeated")) == [(kept.pk, False)]


def test_when_the_counting_appearance_goes_none_counts_until_one_is_chosen(counting, admin):
    second = again(counting)
    row = partial(programs_admin, session_id=second.session_id)
    assert [(each.is_repeated, each.counting) for each in row().rows] == [(True, "First")]
    session_delete(actor=admin, session_id=counting.session_id)
    assert [(each.is_repeated, each.counting) for each in row().rows] == [(True, "")]
    assert appearance_count(actor=admin, appearance_id=second.pk) == COUNTS
    assert [(each.is_repeated, each.counting) for each in row().rows] == [(False, "Second")]


def test_the_other_appearance_counts_when_an_administrator_says_so(counting, admin):
    second = again(counting)
    count = partial(appearance_count, actor=admin, appearance_id=second.pk)
    assert count() == COUNTS
    assert [is_repeated for *_, is_repeated in state(counting.participant)] == [True, False]
    entry = audit_list()[0]
    assert (entry.action, entry.details["before"], entry.details["after"]) == (
        "place.count", {"counts": "First"}, {"counts": "Second"},
    )  # fmt: skip
    assert count() == COUNTS
    assert len(audit_list()) == 1, "a second time changes nothing"
    with pytest.raises(SessionParticipant.DoesNotExist):
        appearance_count(actor=admin, appearance_id=987654)


def test_nobody_but_administrators_chooses_what_counts(counting, nobody):
    second = again(counting)
    with pytest.raises(PermissionDenied, match="Only administrators edit sessions"):
        appearance_count(actor=nobody, appearance_id=second.pk)
    second.refresh_from_db()
    assert second.is_repeated


@pytest.mark.django_db(transaction=True)
def test_of_sessions_that_add_a_participant_at_once_one_counts(admin):
    for _ in range(4):
        stage, person = StageFactory(), ParticipantFactory()
        sessions = SessionFactory.create_batch(3, stage=stage)
        add = partial(appearance_add, actor=admin, participant_id=person.pk)
        answers = run_together(*(partial(add, session_id=each.pk) for each in sessions))
        names = sorted(type(answer).__name__ for answer in answers)
        assert names == ["ConfirmationNeeded", "ConfirmationNeeded", "SessionParticipant"], answers
        run_together(*(partial(add, session_id=each.pk, confirmed=True) for each in sessions))
        found = SessionParticipant.objects.filter(stage=stage).values_list("is_repeated", flat=True)
        assert sorted(found) == [False, True, True]


@pytest.mark.django_db(transaction=True)
def test_a_session_that_moves_and_an_addition_at_once_are_asked_about_once(admin):
    for _ in range(4):
        person, target = ParticipantFactory(), StageFactory()
        moved = AppearanceFactory(session=SessionFactory(title="Moved"), participant=person)
        session = SessionFactory(stage=target)
        answers = run_together(
            partial(save, admin, moved.session, stage_id=target.pk),
            partial(appearance_add, actor=admin, session_id=session.pk, participant_id=person.pk),
        )
        assert sum(isinstance(each, ConfirmationNeeded) for each in answers) == 1, answers
        assert not any(type(each) is IntegrityError for each in answers), answers
        counts = SessionParticipant.objects.filter(stage=target, participant=person, is_repeated=False)
        assert counts.count() == 1


@pytest.mark.django_db(transaction=True)
def test_of_two_who_choose_at_once_one_appearance_counts(admin):
    counting = AppearanceFactory()
    others = [again(counting), again(counting)]
    for _ in range(4):
        answers = run_together(
            *(partial(appearance_count, actor=admin, appearance_id=each.pk) for each in (counting, *others))
        )
        assert answers == [COUNTS] * 3
        assert sorted(is_repeated for *_, is_repeated in state(counting.participant)) == [False, True, True]


def test_a_restored_appearance_counts_unless_another_one_does_now(counting, admin):
    second = again(counting)
    ProgramEntryFactory(session_participant=counting)
    removed = partial(save, admin, counting.session, participant_ids=[], confirmed=True)
    assert program_undo(actor=admin, undo_id=removed().undo_id).sentence == PERFORMERS_BACK
    assert [is_repeated for *_, is_repeated in state(counting.participant)] == [False, True]
    undo_id = removed().undo_id
    appearance_count(actor=admin, appearance_id=second.pk)
    assert program_undo(actor=admin, undo_id=undo_id).sentence == BACK_REPEATED
    assert [is_repeated for *_, is_repeated in state(counting.participant)] == [True, False]
    assert program_undo(actor=admin, undo_id=removed().undo_id).sentence == PERFORMERS_BACK
    assert [is_repeated for *_, is_repeated in state(counting.participant)] == [True, False]
