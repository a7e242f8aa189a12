"""Test withdrawals: the row stays with its number, the others keep theirs, and intervals stay among the performers."""

import os
from functools import partial

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.accounts.actors import OPERATOR
from apps.competition.models import Appearance, Session, SessionInterval, SessionWithdrawal
from apps.competition.selectors.admin.sessions import session_edit
from apps.competition.selectors.public.sessions import session_withdrawals
from apps.competition.services.live import performer_next, session_set_live
from apps.competition.services.planned_times import planned_times_set
from apps.competition.services.program_undo import program_undo
from apps.competition.services.sessions import appearance_add, session_update
from apps.competition.services.withdrawals import appearance_withdraw
from apps.core.edits import ConfirmationNeeded
from tests.factories import EVENING, AppearanceFactory, ParticipantFactory, ProgramEntryFactory, SessionFactory

pytestmark = pytest.mark.django_db
FORM = {"title": "Evening", "starts_at": EVENING, "description": "", "youtube_id": ""}


def planned_session(count: int = 5) -> tuple[Session, list[int]]:
    """Return a session of so many performers of 10 minutes, with an interval of 20 after the third, and their ids."""
    session = SessionFactory(title="Evening", description="", youtube_id="", starts_at=EVENING)
    ids = [AppearanceFactory(session=session).participant_id for _ in range(count)]
    ProgramEntryFactory(appearance=session.appearances.get(participant_id=ids[1]))
    planned_times_set(actor=OPERATOR, session_id=session.pk, minutes=10, intervals={3: 20})
    return session, ids


def rows(session: Session) -> list[tuple[int, int, int | None]]:
    """Return order number, participant and planned minute of all appearances."""
    found = Appearance.objects.filter(session=session).order_by("order_number")
    return [
        (each.order_number, each.participant_id, each.planned_start and (each.planned_start - EVENING).seconds // 60)
        for each in found
    ]


def intervals(session: Session) -> dict[int, int]:
    return dict(SessionInterval.objects.filter(session=session).values_list("after_order_number", "minutes"))


def withdraw(session: Session, participant_id: int) -> int:
    appearance = session.appearances.get(participant_id=participant_id)
    return appearance_withdraw(actor=OPERATOR, session_id=session.pk, appearance_id=appearance.pk, confirmed=True)


def order_set(session: Session, *ids: int) -> int | None:
    return session_update(
        actor=OPERATOR, session_id=session.pk, **FORM, participant_ids=list(ids), confirmed=True
    ).undo_id


def test_withdrawn_performer_keeps_the_number_and_the_others_theirs() -> None:
    session, ids = planned_session()
    before = rows(session)
    with pytest.raises(ConfirmationNeeded, match="is struck out in the order of playing"):
        appearance_withdraw(actor=OPERATOR, session_id=session.pk, appearance_id=session.appearances.first().pk)
    undo_id = withdraw(session, ids[1])
    assert rows(session) == [before[0], *before[2:]]
    (gone,) = session_withdrawals(session_ids=[session.pk])[session.pk]
    assert (gone.order_number, gone.participant_id, gone.planned_start) == (2, ids[1], EVENING.replace(minute=10))
    assert (
        appearance_add(actor=OPERATOR, session_id=session.pk, participant_id=ParticipantFactory().pk).order_number == 6
    )
    order_set(session, ids[4], ids[0], ids[2], ids[3])
    assert [number for number, *_ in rows(session)] == [1, 3, 4, 5]
    order_set(session, ids[0], ids[2], ids[3], ids[4])
    program_undo(actor=OPERATOR, undo_id=undo_id)
    assert rows(session) == before
    assert session.appearances.get(participant_id=ids[1]).program.count() == 1
    assert session_withdrawals(session_ids=[session.pk]) == {}


def test_last_number_of_a_withdrawn_performer_is_given_again_only_to_the_same() -> None:
    session, ids = planned_session()
    withdraw(session, ids[4])
    added = partial(appearance_add, actor=OPERATOR, session_id=session.pk)
    assert added(participant_id=ParticipantFactory().pk).order_number == 6
    session.appearances.get(order_number=6).delete()
    order_set(session, *ids)
    assert [row[:2] for row in rows(session)] == list(enumerate(ids, start=1))
    assert not SessionWithdrawal.objects.exists()


def test_planned_times_follow_the_numbers_that_are_left() -> None:
    session, ids = planned_session()
    withdraw(session, ids[2])
    assert intervals(session) == {3: 20}
    planned_times_set(actor=OPERATOR, session_id=session.pk, minutes=10, intervals={3: 20})
    assert [row[::2] for row in rows(session)] == [(1, 0), (2, 10), (4, 40), (5, 50)]
    withdraw(session, ids[0])
    planned_times_set(actor=OPERATOR, session_id=session.pk, minutes=10, intervals={1: 5, 4: 20})
    assert [row[::2] for row in rows(session)] == [(2, 0), (4, 10), (5, 40)]
    with pytest.raises(ValidationError, match="no performance number 5"):
        planned_times_set(actor=OPERATOR, session_id=session.pk, minutes=10, intervals={5: 20})


def test_performer_who_was_on_stage_and_one_of_another_session_cannot_withdraw() -> None:
    session, ids = planned_session()
    other, _ = planned_session()
    session_set_live(actor=OPERATOR, session_id=session.pk)
    withdraw(session, ids[0])
    performer_next(actor=OPERATOR, session_id=session.pk, after=None)
    assert session.appearances.get(is_performing=True).participant_id == ids[1], "the withdrawn one is not called"
    with pytest.raises(ValidationError, match="has been on stage"):
        withdraw(session, ids[1])
    foreign = other.appearances.first().pk
    with pytest.raises(ValidationError, match="no longer in the session"):
        appearance_withdraw(actor=OPERATOR, session_id=session.pk, appearance_id=foreign, confirmed=True)


def test_form_opened_before_a_withdrawal_does_not_bring_the_performer_back() -> None:
    session, ids = planned_session()
    edit = session_edit(session_id=session.pk)
    withdraw(session, ids[2])
    new = ParticipantFactory().pk
    session_update(
        actor=OPERATOR, session_id=session.pk, **FORM, participant_ids=[*ids, new], version=edit.version, confirmed=True
    )
    assert [row[:2] for row in rows(session)] == [(1, ids[0]), (2, ids[1]), (4, ids[3]), (5, ids[4]), (6, new)]


@settings(max_examples=int(os.environ.get("EXAMPLES", "10")))
@given(st.data())
def test_intervals_stay_between_the_same_performers(data: st.DataObject) -> None:
    session, ids = planned_session(6)
    gone = data.draw(st.lists(st.sampled_from(ids), max_size=3, unique=True))
    staying = [pk for pk in ids if pk not in gone]
    order = list(staying)
    for _ in range(data.draw(st.integers(0, 2))):
        order.insert(data.draw(st.integers(0, len(order))), ParticipantFactory().pk)
    before = [pk for pk in ids[:3] if pk in staying]
    undo_id = order_set(session, *order)
    numbers = {pk: number for number, pk, _ in rows(session)}
    if not before:
        assert intervals(session) == {}
        return
    ((after, minutes),) = intervals(session).items()
    assert minutes == 20
    assert numbers[before[-1]] <= after
    assert all(numbers[pk] > after for pk in ids[3:] if pk in staying)
    if undo_id:
        program_undo(actor=OPERATOR, undo_id=undo_id)
        numbers = {pk: number for number, pk, _ in rows(session)}
        ((after, _),) = intervals(session).items()
        assert numbers[before[-1]] <= after
        assert all(numbers[pk] > after for pk in ids[3:] if pk in staying)


def test_database_refuses_a_second_withdrawal_and_a_used_number() -> None:
    session, ids = planned_session()
    withdraw(session, ids[0])
    for participant_id, number in ((ids[0], 7), (ids[1], 1), (ids[1], 0)):
        row = SessionWithdrawal(session=session, participant_id=participant_id, order_number=number)
        with pytest.raises(IntegrityError), transaction.atomic():
            row.save()
