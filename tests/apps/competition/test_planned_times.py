"""Planned times: computed, shifted and taken back, cleared, following the order, and what they publish."""

from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.core.exceptions import ValidationError
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import given
from hypothesis import strategies as st

from apps.accounts.actors import OPERATOR
from apps.competition.models import Session, SessionInterval, SessionParticipant
from apps.competition.services.planned_times import (
    intervals_read,
    planned_starts,
    planned_times_clear,
    planned_times_set,
    planned_times_shift,
    shift_read,
)
from apps.competition.services.program_undo import program_undo
from apps.competition.services.sessions import session_update
from apps.core.audit import audit_list
from tests.factories import AppearanceFactory, SessionFactory

pytestmark = pytest.mark.django_db
COUNTS = st.integers(1, 60)
MINUTES = st.integers(1, 600)


@pytest.fixture
def session(db: None) -> Session:
    """Return a session of four performers."""
    made = SessionFactory()
    for _ in range(4):
        AppearanceFactory(session=made)
    return made


def planned(session: Session) -> list[int | None]:
    """Return the planned starts in minutes after the session's start, in the order of playing, and the end."""
    session.refresh_from_db()
    rows = SessionParticipant.objects.filter(session=session).order_by("order_number")
    moments = [*rows.values_list("planned_start", flat=True), session.planned_end]
    return [at and (at - session.starts_at) // timedelta(minutes=1) for at in moments]


def plan(session: Session, minutes: int | None = 30, intervals: str = "2: 20") -> None:
    planned_times_set(actor=OPERATOR, session_id=session.pk, minutes=minutes, intervals=intervals_read(intervals))


@given(count=COUNTS, minutes=MINUTES, data=st.data())
def test_planned_starts_equal_a_count_of_every_minute(count: int, minutes: int, data: st.DataObject) -> None:
    intervals = data.draw(st.dictionaries(st.integers(1, count), MINUTES, max_size=5))
    begin = SessionFactory.build().starts_at
    starts, end = planned_starts(begin, count, minutes=minutes, intervals=intervals)
    between = [minutes * n + sum(length for number, length in intervals.items() if number <= n) for n in range(count)]
    assert [(start - begin) // timedelta(minutes=1) for start in starts] == between
    assert (end - begin) // timedelta(minutes=1) == between[-1] + minutes


def test_a_length_and_intervals_give_all_times(session: Session) -> None:
    plan(session)
    assert planned(session) == [0, 30, 80, 110, 140]
    assert list(SessionInterval.objects.values_list("after_order_number", "minutes")) == [(2, 20)]
    plan(session, None, "")
    assert planned(session) == [0, 30, 80, 110, 140], "without a length the times stay"
    assert not SessionInterval.objects.exists()


@pytest.mark.parametrize("text", ["4: 20", "0: 5", "2", "2: 0", "2: 601", "x: 20", "2: 20\n2: 5", "1: 2: 3", "²: 4"])
def test_another_interval_is_refused(session: Session, text: str) -> None:
    with pytest.raises(ValidationError) as error:
        plan(session, 30, text)
    assert list(error.value.error_dict) == ["intervals"]
    assert planned(session) == [None] * 5


@given(at=st.integers(0, 3), by=st.integers(-600, 600).filter(bool))
def test_a_shift_moves_this_one_and_all_after_it_and_is_taken_back(at: int, by: int) -> None:
    made = SessionFactory()
    rows = [AppearanceFactory(session=made) for _ in range(4)]
    plan(made)
    before = planned(made)
    wanted = [minute + (by if place >= at else 0) for place, minute in enumerate(before) if minute is not None]
    if wanted[at] < max([0, *wanted[:at]]):
        with pytest.raises(ValidationError):
            planned_times_shift(actor=OPERATOR, session_id=made.pk, appearance_id=rows[at].pk, minutes=by)
        assert planned(made) == before
        return
    shift = planned_times_shift(actor=OPERATOR, session_id=made.pk, appearance_id=rows[at].pk, minutes=by)
    assert planned(made) == wanted
    take_back(shift.undo)
    assert planned(made) == before


def take_back(undo: str) -> None:
    session_id, appearance_id, minutes, version = shift_read(undo)
    planned_times_shift(
        actor=OPERATOR, session_id=session_id, appearance_id=appearance_id, minutes=minutes, version=version
    )


def test_a_shift_is_not_taken_back_after_another_change(session: Session) -> None:
    plan(session)
    first = session.appearances.get(order_number=1).pk
    shift = planned_times_shift(actor=OPERATOR, session_id=session.pk, appearance_id=first, minutes=10)
    planned_times_shift(actor=OPERATOR, session_id=session.pk, appearance_id=first, minutes=5)
    with pytest.raises(ValidationError, match="changed since"):
        take_back(shift.undo)
    assert planned(session) == [15, 45, 95, 125, 155]


@pytest.mark.parametrize("undo", ["", "1", "1:2:3", "a:1:1:x", "1:1:9999:x", "1:1:-:x"])
def test_an_undo_that_the_site_did_not_send_is_refused(undo: str) -> None:
    with pytest.raises(ValidationError):
        shift_read(undo)


def test_times_are_cleared_and_noted(session: Session) -> None:
    plan(session)
    planned_times_clear(actor=OPERATOR, session_id=session.pk)
    assert planned(session) == [None] * 5
    assert SessionInterval.objects.count() == 1
    note = audit_list()[0]
    assert (note.action, note.details["after"]["planned_end"]) == ("session.plan", "")


def test_times_belong_to_the_places_and_come_back_with_a_removed_performer(session: Session) -> None:
    plan(session)
    ids = list(session.appearances.order_by("order_number").values_list("participant_id", flat=True))
    update(session, participant_ids=ids[::-1])
    assert planned(session) == [0, 30, 80, 110, 140]
    saved = update(session, participant_ids=[ids[3], ids[1], ids[0]], confirmed=True)
    assert planned(session) == [0, 80, 110, 140]
    program_undo(actor=OPERATOR, undo_id=saved.undo_id)
    assert planned(session) == [0, 30, 80, 110, 140]
    assert list(session.appearances.order_by("order_number").values_list("participant_id", flat=True)) == ids[::-1]


def update(session: Session, **changed: object):  # type: ignore[no-untyped-def]
    stored = {"title": "Evening", "starts_at": session.starts_at, "description": "", "youtube_id": ""}
    return session_update(actor=OPERATOR, session_id=session.pk, **(stored | changed))


def test_a_start_after_the_planned_end_is_said_at_its_field(session: Session) -> None:
    plan(session)
    with pytest.raises(ValidationError) as error:
        update(session, starts_at=session.starts_at + timedelta(minutes=140))
    assert list(error.value.message_dict) == ["date"]
    assert "after its planned end" in error.value.message_dict["date"][0]
    update(session, starts_at=session.starts_at + timedelta(minutes=139))


def test_a_plan_takes_as_many_queries_for_one_as_for_84(db: None) -> None:
    counts = set()
    for performers in (1, 84):
        made = SessionFactory()
        SessionParticipant.objects.bulk_create(
            AppearanceFactory.build(session=made, participant=AppearanceFactory().participant, order_number=n)
            for n in range(1, performers + 1)
        )
        row = made.appearances.get(order_number=1)
        with CaptureQueriesContext(connection) as queries:
            plan(made, 30, "")
            planned_times_shift(actor=OPERATOR, session_id=made.pk, appearance_id=row.pk, minutes=10)
            planned_times_clear(actor=OPERATOR, session_id=made.pk)
        counts.add(len(queries))
    assert len(counts) == 1


def test_nothing_is_planned_without_performers(db: None) -> None:
    made = SimpleNamespace(pk=SessionFactory().pk)
    with pytest.raises(ValidationError, match="Nobody is in the order"):
        planned_times_set(actor=OPERATOR, session_id=made.pk, minutes=30, intervals={})
