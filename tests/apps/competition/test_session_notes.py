"""Test notes about the times of sessions: overlaps, ends before the last performer's, and the hour that comes twice."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.accounts.actors import OPERATOR
from apps.competition.models import Session
from apps.competition.selectors.admin.session_notes import session_notes
from apps.competition.services.session_series import Series, session_series_create
from apps.core.edits import ConfirmationNeeded
from tests.factories import EVENING, ParticipantFactory, SessionFactory, StageFactory

pytestmark = pytest.mark.django_db


def words(*sessions: Session) -> list[str]:
    return [note.text % note.params for note in session_notes(session_ids=[each.pk for each in sessions])]


def preview(lines: str, minutes: int | None) -> list[str]:
    """Return the sentences after the sessions and their performers, who have 20 minutes each."""
    series = Series(lines, "", first_number=1, minutes=minutes)
    with pytest.raises(ConfirmationNeeded) as question:
        session_series_create(actor=OPERATOR, stage_id=StageFactory().pk, series=series)
    assert not Session.objects.exists()
    return [words for words in question.value.messages if "performers" not in words and "Chopinist" not in words]


def test_preview_of_a_series_has_the_notes() -> None:
    for number in range(1, 7):
        ParticipantFactory(second_name="Chopinist", start_number=number)
    day = "2027-10-30 10:00 10:50 3 Morning\n2027-10-30 10:45 3 Noon"
    assert preview(f"{day}\n2027-10-31 02:30 02:45 0 Night", None) == [
        "Morning overlaps with Noon.",
        "Night: the clocks show this time twice that night; 02:30 CEST is meant.",
        "Night: the clocks show this time twice that night; 02:45 CEST is meant.",
    ]
    assert preview(day, 20) == [
        "Morning is planned to end at 10:50, before its last performer, who plays from 10:40.",
        "Morning overlaps with Noon.",
    ]
    assert preview(day.replace("10:50", "11:00").replace("10:45", "11:00"), 20) == []


@given(st.integers(0, 300), st.none() | st.integers(1, 300), st.none() | st.integers(1, 300))
def test_sessions_overlap_if_a_minute_is_in_both(begins: int, first_end: int | None, second_end: int | None) -> None:
    stage = StageFactory()
    after = [end and timedelta(minutes=end) for end in (first_end, second_end)]
    first = SessionFactory(title="One", stage=stage, starts_at=EVENING, planned_end=after[0] and EVENING + after[0])
    start = EVENING + timedelta(minutes=begins)
    second = SessionFactory(title="Two", stage=stage, starts_at=start, planned_end=after[1] and start + after[1])
    SessionFactory(title="Of another stage", starts_at=start, planned_end=start + timedelta(hours=9))
    minutes = {*range(first_end or 1)} & {*range(begins, begins + (second_end or 1))}
    assert words(second) == words(first) == words(first, second) == (["One overlaps with Two."] if minutes else [])


def test_second_of_the_equal_hours_is_named_and_an_hour_later_is_not() -> None:
    second = datetime(2027, 10, 31, 1, 30, tzinfo=UTC)
    assert words(SessionFactory(title="Night", starts_at=second)) == [
        "Night: the clocks show this time twice that night; 02:30 CET is meant."
    ]
    assert words(SessionFactory(title="Late", starts_at=second + timedelta(hours=1))) == []
