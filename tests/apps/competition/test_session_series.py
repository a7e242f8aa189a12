"""Sessions in a series: the lines, how performers are shared out, one save, and the way back."""

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from apps.accounts.actors import OPERATOR
from apps.competition.limits import PERFORMERS_MOST
from apps.competition.models import Participant, Session, SessionParticipant
from apps.competition.selectors.admin.sessions import series_recent
from apps.competition.series_lines import SeriesLine, series_read, shared_out
from apps.competition.services.session_series import Series, session_series_create, session_series_undo
from apps.core.database.fields import venue_zone
from apps.core.edits import ConfirmationNeeded
from tests.factories import (
    AppearanceFactory,
    ParticipantFactory,
    PieceFactory,
    ProgramEntryFactory,
    SessionFactory,
    StageFactory,
)

pytestmark = pytest.mark.django_db
FOUR = "2027-10-12 10:00\n2027-10-12 17:00\n2027-10-13 10:00\n2027-10-13 17:00"


@pytest.mark.parametrize(
    ("line", "end", "count", "title"),
    [
        ("2027-10-12 10:00", None, None, ""),
        ("12.10.2027 10:00 14:30 21 Morning session", "14:30", 21, "Morning session"),
        ("2027-10-12; 10:00; 14:30; 21; Morning session", "14:30", 21, "Morning session"),
        ("2027-10-12\t10:00–14:30\tMorning", "14:30", None, "Morning"),
        ("2027-10-12, 10:00, 7", None, 7, ""),
        ("2027-10-12 10:00 1st session", None, None, "1st session"),
    ],
)
def test_a_line_says_a_session(line: str, end: str | None, count: int | None, title: str) -> None:
    (read,) = series_read(line)
    assert f"{read.starts_at.astimezone(venue_zone()):%Y-%m-%d %H:%M}" == "2027-10-12 10:00"
    assert (read.ends_at and f"{read.ends_at:%H:%M}", read.count, read.title) == (end, count, title)


def test_an_evening_may_end_after_midnight() -> None:
    (read,) = series_read("2027-10-12 19:00 00:30")
    assert read.ends_at == read.starts_at + timedelta(hours=5, minutes=30)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "Write a line for each session"),
        ("tomorrow", "begins with no date and time"),
        ("2027-10-12", "begins with no date and time"),
        ("2027-10-12 25:00", "begins with no date and time"),
        ("2027-02-30 10:00", "begins with no date and time"),
        ("2027-10-12 10:00 09:00", "would end before it starts"),
        ("2027-03-28 02:30", "clocks are set forward"),
        ("2027-10-12 10:00\n" * 31, "at most 30 sessions"),
    ],
)
def test_another_line_is_said(text: str, sentence: str) -> None:
    with pytest.raises(ValidationError, match=sentence) as error:
        series_read(text)
    assert list(error.value.error_dict) == ["sessions"]


@given(
    counts=st.lists(st.one_of(st.none(), st.integers(0, 120)), min_size=1, max_size=12), performers=st.integers(0, 400)
)
def test_shares_add_up_to_all_or_are_refused(counts: list[int | None], performers: int) -> None:
    lines = [SeriesLine(timezone.now(), None, count, "") for count in counts]
    try:
        shares = shared_out(lines, performers)
    except ValidationError:
        given_counts, is_open = sum(filter(None, counts)), None in counts
        even = -(-(performers - given_counts) // counts.count(None)) if is_open else 0
        too_many = max([even, *filter(None, counts)]) > PERFORMERS_MOST
        assert too_many or performers < given_counts or (performers > given_counts and not is_open)
        return
    if not performers:
        return
    assert sum(shares) == performers
    open_shares = [share for share, count in zip(shares, counts, strict=True) if count is None]
    assert all(share == count for share, count in zip(shares, counts, strict=True) if count is not None)
    assert max(open_shares, default=0) - min(open_shares, default=0) <= 1


def numbered(count: int) -> list[int]:
    return [ParticipantFactory(start_number=number).pk for number in range(1, count + 1)]


def test_84_performers_go_into_four_sessions_in_one_save_and_back() -> None:
    ids, stage = numbered(84), StageFactory()
    series = Series(FOUR, "Stage one.", first_number=1, minutes=10, intervals={7: 20})
    with pytest.raises(ConfirmationNeeded) as asked:
        session_series_create(actor=OPERATOR, stage_id=stage.pk, series=series)
    sentences = [error.message % error.params for error in asked.value.error_list]
    assert len(sentences) == 8
    assert sentences[0].endswith("2027-10-12 10:00–13:50: 21 performers")
    assert sentences[1].startswith(f"1 {Participant.objects.get(pk=ids[0]).name} 10:00, 2 ")
    made = session_series_create(actor=OPERATOR, stage_id=stage.pk, series=series, confirmed=True)
    rows = SessionParticipant.objects.filter(session__in=made).order_by("session_id", "order_number")
    assert list(rows.values_list("participant_id", flat=True)) == ids
    assert list(Session.objects.order_by("pk").values_list("description", flat=True)) == ["Stage one."] * 4
    assert [row.titles for row in series_recent()] == [tuple(f"{stage}, session {n}" for n in (1, 2, 3, 4))]
    assert session_series_undo(actor=OPERATOR, session_id=made[0]) == 4
    assert (Session.objects.count(), series_recent()) == (0, ())


def test_an_unconfirmed_series_stores_nothing() -> None:
    stage = StageFactory()
    with pytest.raises(ConfirmationNeeded):
        session_series_create(actor=OPERATOR, stage_id=stage.pk, series=Series(FOUR, ""))
    assert not Session.objects.exists()


def test_a_pasted_order_is_kept_and_a_repeated_performance_asked_about() -> None:
    ids, stage = numbered(3), StageFactory()
    AppearanceFactory(session=SessionFactory(stage=stage), participant_id=ids[2])
    series = Series("2027-10-12 10:00 1\n2027-10-13 10:00", "", performers="3\n1\n2")
    with pytest.raises(ConfirmationNeeded, match="plays in this stage already"):
        session_series_create(actor=OPERATOR, stage_id=stage.pk, series=series)
    made = session_series_create(actor=OPERATOR, stage_id=stage.pk, series=series, confirmed=True)
    rows = SessionParticipant.objects.filter(session__in=made).order_by("session_id", "order_number")
    assert list(rows.values_list("participant_id", "is_repeated")) == [
        (ids[2], True),
        (ids[0], False),
        (ids[1], False),
    ]


@pytest.mark.parametrize(
    ("series", "field", "sentence"),
    [
        (Series(FOUR, "", performers="1\nNobody"), "performers", "2 (“Nobody”)"),
        (Series(FOUR, "", performers="1\n1"), "performers", "repeat a performer: 2"),
        (Series(FOUR, "", first_number=9), "first_number", "from 9 on"),
        (Series(FOUR, "", minutes=30), "performers", "Planned times need performers"),
        (Series("2027-10-12 10:00 2", "", first_number=1), "sessions", "has 3 performers, and these sessions take 2"),
        (Series("2027-10-12 10:00", "", first_number=1, intervals={3: 5}), "intervals", "number 3"),
    ],
)
def test_what_does_not_add_up_is_said_at_its_field(series: Series, field: str, sentence: str) -> None:
    numbered(3)
    stage = StageFactory()
    with pytest.raises(ValidationError) as error:
        session_series_create(actor=OPERATOR, stage_id=stage.pk, series=series, confirmed=True)
    assert list(error.value.message_dict) == [field]
    assert sentence in error.value.message_dict[field][0]
    assert not Session.objects.exists()


def test_a_series_stays_while_it_is_used_and_after_ten_minutes() -> None:
    numbered(2)
    series = Series("2027-10-12 10:00\n2027-10-13 10:00", "", first_number=1)
    made = session_series_create(actor=OPERATOR, stage_id=StageFactory().pk, series=series, confirmed=True)
    entry = ProgramEntryFactory(
        session_participant=SessionParticipant.objects.get(session_id=made[1]), piece=PieceFactory()
    )
    with pytest.raises(ValidationError, match="in use already"):
        session_series_undo(actor=OPERATOR, session_id=made[0])
    assert Session.objects.count() == 2
    entry.delete()
    Session.objects.update(created_at=timezone.now() - timedelta(minutes=11))
    with pytest.raises(ValidationError, match="no longer be taken back"):
        session_series_undo(actor=OPERATOR, session_id=made[0])
