"""Test calendar entries: they follow each change, and a deletion leaves them cancelled."""

from datetime import UTC, datetime, timedelta

import pytest

from apps.accounts.actors import OPERATOR
from apps.competition.models import Appearance, Participant, Session
from apps.competition.selectors.public.calendar import calendar_appearances, calendar_sessions
from apps.competition.services.live import performer_set, session_set_live
from apps.competition.services.planned_times import planned_times_set, planned_times_shift
from apps.competition.services.sessions import session_delete, session_update
from tests.factories import AppearanceFactory, ParticipantFactory, SessionFactory

pytestmark = pytest.mark.django_db
START = datetime(2027, 10, 12, 15, tzinfo=UTC)


def session_entry():
    (row,) = calendar_sessions()
    return row


def participant_entry(appearance):
    (row,) = calendar_appearances(participant_ids=(appearance.participant_id,))
    return row


def session_edit(session, **changes):
    stored = {"title": session.title, "starts_at": session.starts_at, "description": "", "youtube_id": ""} | changes
    session_update(actor=OPERATOR, session_id=session.pk, **stored)


def test_session_entry_counts_changes():
    session = SessionFactory(title="Evening", starts_at=START)
    first = session_entry()
    assert (first.session_id, first.participant_id, first.title) == (session.pk, None, "Evening")
    assert (first.sequence, first.cancelled_at) == (0, None)
    session_edit(session, title="Late evening")
    session_edit(session, title="Late evening", description="Only the description differs.")
    changed = session_entry()
    assert (changed.title, changed.sequence) == ("Late evening", 1)


def test_appearance_entry_follows_session_order_and_planned_time():
    session = SessionFactory(title="Evening", starts_at=START)
    first, second = AppearanceFactory(session=session), AppearanceFactory(session=session)
    assert participant_entry(second).order_number == 2
    session_edit(session, participant_ids=[second.participant_id, first.participant_id])
    assert (participant_entry(second).order_number, participant_entry(second).sequence) == (1, 1)
    planned_times_set(actor=OPERATOR, session_id=session.pk, minutes=30, intervals={})
    row = participant_entry(first)
    assert (row.planned_start, row.planned_end) == (START + timedelta(minutes=30), START + timedelta(hours=1))
    planned_times_shift(actor=OPERATOR, session_id=session.pk, appearance_id=first.pk, minutes=5)
    shifted = participant_entry(first)
    assert shifted.planned_start == START + timedelta(minutes=35)
    assert shifted.sequence > row.sequence
    session_edit(session, starts_at=START - timedelta(days=1))
    assert participant_entry(second).starts_at == START - timedelta(days=1)


def test_live_steps_do_not_change_entries():
    session = SessionFactory()
    appearance = AppearanceFactory(session=session)
    session_set_live(actor=OPERATOR, session_id=session.pk)
    performer_set(actor=OPERATOR, appearance_id=appearance.pk)
    assert (session_entry().sequence, participant_entry(appearance).sequence) == (0, 0)


def test_deleted_session_and_appearances_stay_cancelled():
    session = SessionFactory(title="Evening", starts_at=START)
    appearance = AppearanceFactory(session=session)
    session_delete(actor=OPERATOR, session_id=session.pk)
    assert not Session.objects.exists()
    for row in (session_entry(), participant_entry(appearance)):
        assert (row.title, row.starts_at, row.sequence) == ("Evening", START, 1)
        assert row.cancelled_at == row.changed_at


def test_removed_and_added_appearance_keeps_its_entry():
    session = SessionFactory()
    stays, leaves = AppearanceFactory(session=session), AppearanceFactory(session=session)
    session_edit(session, participant_ids=[stays.participant_id])
    cancelled = participant_entry(leaves)
    assert cancelled.cancelled_at is not None
    assert session_entry().cancelled_at is None
    session_edit(session, participant_ids=[stays.participant_id, leaves.participant_id])
    back = participant_entry(leaves)
    assert (back.cancelled_at, back.sequence) == (None, cancelled.sequence + 1)


def test_appearance_of_another_participant_is_cancelled_for_the_first():
    appearance, other = AppearanceFactory(), AppearanceFactory()
    Appearance.objects.filter(pk=other.pk).delete()
    first = appearance.participant_id
    Appearance.objects.filter(pk=appearance.pk).update(participant=other.participant_id)
    (row,) = calendar_appearances(participant_ids=(first,))
    assert row.cancelled_at is not None
    appearance.refresh_from_db()
    rows = calendar_appearances(participant_ids=(appearance.participant_id,))
    assert [row.cancelled_at is None for row in rows if row.session_id == appearance.session_id] == [True]


def test_rename_raises_the_sequence_of_all_entries():
    participant = ParticipantFactory(first_name="Ewa", second_name="Nowak")
    AppearanceFactory(participant=participant)
    cancelled, other = AppearanceFactory(participant=participant), AppearanceFactory()
    session_delete(actor=OPERATOR, session_id=cancelled.session_id)
    before = {row.session_id: row for row in calendar_appearances(participant_ids=(participant.pk,))}
    for _ in range(2):  # the second time it is no change
        Participant.objects.filter(pk=participant.pk).update(name="Ewa Kowalska", second_name="Kowalska")
    after = calendar_appearances(participant_ids=(participant.pk,))
    assert [row.name for row in after] == ["Ewa Kowalska"] * 2
    assert {row.session_id: row.sequence - before[row.session_id].sequence for row in after} == dict.fromkeys(before, 1)
    assert participant_entry(other).sequence == 0
    Participant.objects.filter(pk=participant.pk).update(biography="Studies in Kraków.")
    assert calendar_appearances(participant_ids=(participant.pk,)) == after
