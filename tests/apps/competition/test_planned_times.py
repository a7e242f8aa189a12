"""Test planned times: computation, shifts and their undo, clearing, and edits of the order."""

from datetime import UTC, datetime, timedelta
from functools import partial

import pytest
from django.core.exceptions import ValidationError
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import given
from hypothesis import strategies as st

from apps.accounts.actors import OPERATOR
from apps.competition.models import Appearance, Session, SessionInterval
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
from tests.offenders import check_each

pytestmark = pytest.mark.django_db
COUNTS = st.integers(1, 60)
MINUTES = st.integers(1, 600)


@pytest.fixture
def session(db: None) -> Session:
    """Return a session of four performers."""
    session = SessionFactory()
    for _ in range(4):
        AppearanceFactory(session=session)
    return session


def planned(session: Session) -> list[int | None]:
    """Return the planned starts in minutes after the session's start, in the order of playing, and the end."""
    session.refresh_from_db()
    rows = Appearance.objects.filter(session=session).order_by("order_number")
    moments = [*rows.values_list("planned_start", flat=True), session.planned_end]
    return [at and (at - session.starts_at) // timedelta(minutes=1) for at in moments]


def plan(session: Session, minutes: int | None = 30, intervals: str = "2: 20") -> None:
    planned_times_set(actor=OPERATOR, session_id=session.pk, minutes=minutes, intervals=intervals_read(intervals))


@given(count=COUNTS, minutes=MINUTES, data=st.data())
def test_planned_starts_equal_a_sum_of_minutes(count: int, minutes: int, data: st.DataObject) -> None:
    intervals = data.draw(st.dictionaries(st.integers(1, count), MINUTES, max_size=5))
    begin = SessionFactory.build().starts_at
    starts, end = planned_starts(begin, count, minutes=minutes, intervals=intervals)
    between = [minutes * n + sum(length for number, length in intervals.items() if number <= n) for n in range(count)]
    assert [(start - begin) // timedelta(minutes=1) for start in starts] == between
    assert (end - begin) // timedelta(minutes=1) == between[-1] + minutes


def test_length_and_intervals_determine_all_times(session: Session) -> None:
    plan(session)
    assert planned(session) == [0, 30, 80, 110, 140]
    assert list(SessionInterval.objects.values_list("after_order_number", "minutes")) == [(2, 20)]
    plan(session, None, "")
    assert planned(session) == [0, 30, 80, 110, 140], "without a length the times stay"
    assert not SessionInterval.objects.exists()


def test_invalid_intervals_are_refused(session: Session) -> None:
    def check(text: str) -> None:
        with pytest.raises(ValidationError) as refusal:
            plan(session, 30, text)
        assert list(refusal.value.error_dict) == ["intervals"]
        assert planned(session) == [None] * 5

    check_each(["4: 20", "0: 5", "2", "2: 0", "2: 601", "x: 20", "2: 20\n2: 5", "1: 2: 3", "²: 4"], check)


@given(at=st.integers(0, 3), by=st.integers(-600, 600).filter(bool))
def test_shift_moves_all_later_times_and_can_be_undone(at: int, by: int) -> None:
    session = SessionFactory()
    rows = [AppearanceFactory(session=session) for _ in range(4)]
    plan(session)
    before = planned(session)
    shifted = [minute + (by if place >= at else 0) for place, minute in enumerate(before) if minute is not None]
    shift = partial(planned_times_shift, actor=OPERATOR, session_id=session.pk, appearance_id=rows[at].pk, minutes=by)
    if shifted[at] < max([0, *shifted[:at]]):
        with pytest.raises(ValidationError):
            shift()
        assert planned(session) == before
        return
    undo = shift().undo
    assert planned(session) == shifted
    shift_undo(undo)
    assert planned(session) == before


def shift_undo(undo: str) -> None:
    session_id, appearance_id, minutes, version = shift_read(undo)
    planned_times_shift(
        actor=OPERATOR, session_id=session_id, appearance_id=appearance_id, minutes=minutes, version=version
    )


def test_shift_cannot_be_undone_after_another_change(session: Session) -> None:
    plan(session)
    first = session.appearances.get(order_number=1).pk
    shift = planned_times_shift(actor=OPERATOR, session_id=session.pk, appearance_id=first, minutes=10)
    planned_times_shift(actor=OPERATOR, session_id=session.pk, appearance_id=first, minutes=5)
    with pytest.raises(ValidationError, match="changed since"):
        shift_undo(shift.undo)
    assert planned(session) == [15, 45, 95, 125, 155]
    for undo in ("", "1", "1:2:3", "a:1:1:x", "1:1:9999:x", "1:1:-:x"):
        with pytest.raises(ValidationError):
            shift_read(undo)


def test_shift_by_the_hour_that_the_clock_shows_twice_is_a_change() -> None:
    first = datetime(2027, 10, 31, 0, 30, tzinfo=UTC)
    session = SessionFactory(starts_at=first)
    row = AppearanceFactory(session=session)
    plan(session, intervals="")
    planned_times_shift(actor=OPERATOR, session_id=session.pk, appearance_id=row.pk, minutes=60)
    assert planned(session) == [60, 90]
    assert [note.details["after"]["planned_starts"] for note in audit_list()] == ["02:30 CET", "02:30 CEST"]


def test_clearing_removes_times_and_writes_an_audit_entry(session: Session) -> None:
    plan(session)
    planned_times_clear(actor=OPERATOR, session_id=session.pk)
    assert planned(session) == [None] * 5
    assert SessionInterval.objects.count() == 1
    note = audit_list()[0]
    assert (note.action, note.details["after"]["planned_end"]) == ("session.plan", "")


def test_times_belong_to_order_numbers_and_return_with_a_restored_appearance(session: Session) -> None:
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


def test_session_cannot_start_after_its_planned_end(session: Session) -> None:
    plan(session)
    with pytest.raises(ValidationError) as refusal:
        update(session, starts_at=session.starts_at + timedelta(minutes=140))
    assert list(refusal.value.message_dict) == ["date"]
    assert "after its planned end" in refusal.value.message_dict["date"][0]
    update(session, starts_at=session.starts_at + timedelta(minutes=139))


def test_query_counts_do_not_grow_with_appearances(db: None) -> None:
    counts = set()
    for performers in (1, 30):
        session = SessionFactory()
        first = AppearanceFactory(session=session)
        for _ in range(performers - 1):
            AppearanceFactory(session=session)
        with CaptureQueriesContext(connection) as queries:
            plan(session, 30, "")
            planned_times_shift(actor=OPERATOR, session_id=session.pk, appearance_id=first.pk, minutes=10)
            planned_times_clear(actor=OPERATOR, session_id=session.pk)
        counts.add(len(queries))
    assert len(counts) == 1


def test_session_without_appearances_cannot_be_planned(db: None) -> None:
    with pytest.raises(ValidationError, match="Nobody is in the order"):
        plan(SessionFactory(), intervals="")
