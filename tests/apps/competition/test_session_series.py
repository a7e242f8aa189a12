"""Test session series: the lines, the distribution of performers, creation in one save, and undo."""

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from apps.accounts.actors import OPERATOR
from apps.competition.limits import PERFORMERS_MOST
from apps.competition.models import Appearance, Participant, Session
from apps.competition.selectors.admin.sessions import series_recent
from apps.competition.series_lines import SeriesLine, series_read, shared_out
from apps.competition.services.session_series import Series, session_series_create, session_series_undo
from apps.core.database.fields import venue_zone
from apps.core.edits import ConfirmationNeeded
from tests.factories import AppearanceFactory, ParticipantFactory, ProgramEntryFactory, SessionFactory, StageFactory
from tests.offenders import check_each

pytestmark = pytest.mark.django_db
FOUR = "2027-10-12 10:00\n2027-10-12 17:00\n2027-10-13 10:00\n2027-10-13 17:00"


def test_each_line_is_read_as_a_session() -> None:
    def check(case: tuple[str, str | None, int | None, str]) -> None:
        line, end, count, title = case
        (session,) = series_read(line)
        assert f"{session.starts_at.astimezone(venue_zone()):%Y-%m-%d %H:%M}" == "2027-10-12 10:00"
        assert (session.ends_at and f"{session.ends_at:%H:%M}", session.count, session.title) == (end, count, title)

    cases: list[tuple[str, str | None, int | None, str]] = [
        ("2027-10-12 10:00", None, None, ""),
        ("12.10.2027 10:00 14:30 21 Morning session", "14:30", 21, "Morning session"),
        ("2027-10-12; 10:00; 14:30; 21; Morning session", "14:30", 21, "Morning session"),
        ("2027-10-12\t10:00–14:30\tMorning", "14:30", None, "Morning"),
        ("2027-10-12, 10:00, 7", None, 7, ""),
        ("12.10.2027 10.00 14.30 7", "14:30", 7, ""),
        ("2027-10-12 10:00 1st session", None, None, "1st session"),
    ]
    check_each(cases, check)
    (session,) = series_read("2027-10-12 19:00 00:30")
    assert session.ends_at == session.starts_at + timedelta(hours=5, minutes=30), "it ends after midnight"
    (session,) = series_read("2027-10-31 02:40 02:10")
    assert session.ends_at.timestamp() - session.starts_at.timestamp() == 1800, "the clock shows the hour twice"


def test_line_without_a_date_is_of_the_day_above() -> None:
    read = series_read("2027-10-12 10:00\n17:00 21:00 7 Evening\n13.10.2027 10.00\n\n17.00")
    assert [f"{each.starts_at:%d %H:%M}" for each in read] == ["12 10:00", "12 17:00", "13 10:00", "13 17:00"]
    assert (read[1].ends_at, read[1].count, read[1].title) == (read[1].starts_at + timedelta(hours=4), 7, "Evening")
    with pytest.raises(ValidationError, match="Line 1: “10:00” begins with no date and time"):
        series_read("10:00\n2027-10-12 17:00")


def test_invalid_lines_are_refused() -> None:
    def check(case: tuple[str, str]) -> None:
        text, sentence = case
        with pytest.raises(ValidationError, match=sentence) as refusal:
            series_read(text)
        assert list(refusal.value.error_dict) == ["sessions"]

    no_moment = ("tomorrow", "2027-10-12", "2027-10-12 25:00", "2027-02-30 10:00")
    cases = [(text, "begins with no date and time") for text in no_moment]
    cases += [
        ("", "Write a line for each session"),
        ("2027-10-12 10:00 09:00", "would end before it starts"),
        ("2027-03-28 02:30", "clocks are set forward"),
        ("2027-10-12 10:00\n" * 31, "at most 30 sessions"),
    ]
    check_each(cases, check)


@given(
    counts=st.lists(st.one_of(st.none(), st.integers(0, 120)), min_size=1, max_size=12), performers=st.integers(0, 400)
)
def test_shares_add_up_to_all_performers_or_are_refused(counts: list[int | None], performers: int) -> None:
    lines = [SeriesLine(timezone.now(), None, count, "") for count in counts]
    try:
        shares = shared_out(lines, performers)
    except ValidationError:
        fixed, is_open = sum(filter(None, counts)), None in counts
        even = -(-(performers - fixed) // counts.count(None)) if is_open else 0
        too_many = max([even, *filter(None, counts)]) > PERFORMERS_MOST
        assert too_many or performers < fixed or (performers > fixed and not is_open)
        return
    if not performers:
        return
    assert sum(shares) == performers
    open_shares = [share for share, count in zip(shares, counts, strict=True) if count is None]
    assert all(share == count for share, count in zip(shares, counts, strict=True) if count is not None)
    assert max(open_shares, default=0) - min(open_shares, default=0) <= 1


def numbered(count: int) -> list[int]:
    return [ParticipantFactory(start_number=number).pk for number in range(1, count + 1)]


def test_series_of_84_performers_is_created_after_confirmation_and_undone() -> None:
    ids, stage = numbered(84), StageFactory()
    series = Series(FOUR, "Stage one.", first_number=1, minutes=10, intervals={7: 20})
    with pytest.raises(ConfirmationNeeded) as confirmation:
        session_series_create(actor=OPERATOR, stage_id=stage.pk, series=series)
    assert not Session.objects.exists()
    sentences = [error.message % error.params for error in confirmation.value.error_list]
    assert len(sentences) == 4 + 84
    assert sentences[0].endswith("2027-10-12 10:00–13:50: 21 performers")
    assert sentences[1] == f"\u20031. 1 {Participant.objects.get(pk=ids[0]).name} · 10:00"
    assert sentences[23].startswith("\u20031. 22 ")
    created = session_series_create(actor=OPERATOR, stage_id=stage.pk, series=series, confirmed=True)
    rows = Appearance.objects.filter(session__in=created).order_by("session_id", "order_number")
    assert list(rows.values_list("participant_id", flat=True)) == ids
    assert list(Session.objects.order_by("pk").values_list("description", flat=True)) == ["Stage one."] * 4
    assert [row.titles for row in series_recent()] == [tuple(f"{stage}, session {n}" for n in (1, 2, 3, 4))]
    assert session_series_undo(actor=OPERATOR, session_id=created[0]) == 4
    assert (Session.objects.count(), series_recent()) == (0, ())


def test_pasted_order_is_stored_and_repeated_appearances_need_confirmation() -> None:
    ids, stage = numbered(3), StageFactory()
    AppearanceFactory(session=SessionFactory(stage=stage), participant_id=ids[2])
    series = Series("2027-10-12 10:00 1\n2027-10-13 10:00", "", performers="3\n1\n2")
    with pytest.raises(ConfirmationNeeded, match="plays in this stage already"):
        session_series_create(actor=OPERATOR, stage_id=stage.pk, series=series)
    created = session_series_create(actor=OPERATOR, stage_id=stage.pk, series=series, confirmed=True)
    rows = Appearance.objects.filter(session__in=created).order_by("session_id", "order_number")
    assert list(rows.values_list("participant_id", "is_repeated")) == [(ids[2], True), (ids[0], False), (ids[1], False)]


def test_inconsistent_series_is_refused_at_its_field() -> None:
    numbered(3)
    stage = StageFactory()

    def check(case: tuple[Series, str, str]) -> None:
        series, field, sentence = case
        with pytest.raises(ValidationError) as refusal:
            session_series_create(actor=OPERATOR, stage_id=stage.pk, series=series, confirmed=True)
        assert list(refusal.value.message_dict) == [field]
        assert sentence in refusal.value.message_dict[field][0]
        assert not Session.objects.exists()

    cases = [
        (Series(FOUR, "", performers="1\nUnknown"), "performers", "2 (“Unknown”)"),
        (Series(FOUR, "", performers="1\n1"), "performers", "repeat a performer: 2"),
        (Series(FOUR, "", first_number=9), "first_number", "from 9 on"),
        (Series(FOUR, "", minutes=30), "performers", "Planned times need performers"),
        (Series("2027-10-12 10:00 2", "", first_number=1), "sessions", "has 3 performers, and these sessions take 2"),
        (Series("2027-10-12 10:00", "", first_number=1, intervals={3: 5}), "intervals", "number 3"),
    ]
    check_each(cases, check)


def test_series_cannot_be_undone_while_in_use_or_after_ten_minutes() -> None:
    numbered(2)
    series = Series("2027-10-12 10:00\n2027-10-13 10:00", "", first_number=1)
    created = session_series_create(actor=OPERATOR, stage_id=StageFactory().pk, series=series, confirmed=True)
    entry = ProgramEntryFactory(appearance=Appearance.objects.get(session_id=created[1]))
    with pytest.raises(ValidationError, match="in use already"):
        session_series_undo(actor=OPERATOR, session_id=created[0])
    assert Session.objects.count() == 2
    entry.delete()
    Session.objects.update(created_at=timezone.now() - timedelta(minutes=11))
    with pytest.raises(ValidationError, match="no longer be taken back"):
        session_series_undo(actor=OPERATOR, session_id=created[0])
