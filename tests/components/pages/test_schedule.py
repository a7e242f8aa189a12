"""The schedule: days, what is on stage, what is next and what is late, in the venue's time."""

from datetime import UTC, datetime, timedelta

import pytest
from django.conf import settings
from django.utils import timezone

from apps.accounts.actors import OPERATOR
from apps.competition.models import PerformingTime, SessionParticipant
from apps.competition.services.live import performer_clear, performer_set, session_end, session_set_live
from apps.competition.services.planned_times import planned_times_shift
from apps.core.threads import in_thread
from tests.components.seen import attributes, every, loaded, name, one, opened, text
from tests.factories import AppearanceFactory, ParticipantFactory, SessionFactory
from tests.general import queries_counted
from tests.screen import open_page

pytestmark = pytest.mark.django_db
SUMMER = datetime(2027, 10, 30, 15, tzinfo=UTC)  # the clocks of Warsaw are set back in the night after


def words(node):
    return " ".join(text(node).split())


def sessions(address="/schedule?day=all"):
    """Return the text of each session with its performers, by title."""
    rows = every(opened(address).main, "li", "schedule__session")
    return {text(one(row, "h3")): words(row) for row in rows}


def rows(address="/schedule?day=all"):
    """Return the rows of the performers: number, name with its mark, and time."""
    order = [each for listed in every(opened(address).main, "ol", "schedule__order") for each in every(listed, "li")]
    return [words(each) for each in order]


def planned(minutes, *, late=0, title="Evening"):
    """Return a live session that began so many minutes ago, its first performer so much later than planned."""
    start = timezone.now().replace(microsecond=0) - timedelta(minutes=minutes)
    session = SessionFactory(title=title, starts_at=start)
    playing = [
        AppearanceFactory(session=session, planned_start=start + timedelta(minutes=20 * place)) for place in range(3)
    ]
    session_set_live(actor=OPERATOR, session_id=session.pk)
    performer_set(actor=OPERATOR, session_participant_id=playing[0].pk)
    came = start + timedelta(minutes=late, seconds=59)
    PerformingTime.objects.filter(session_participant=playing[0]).update(began_at=came)
    return session, playing


def test_a_day_names_its_zone_also_when_the_clocks_are_set_back():
    for title, start in (("Before", SUMMER), ("After", SUMMER + timedelta(days=1))):
        AppearanceFactory(session=SessionFactory(title=title, starts_at=start), planned_start=start)
    days = every(opened("/schedule?day=all").main, "section", "schedule")
    assert [words(one(each, "h2")) for each in days] == ["Saturday, 30 October 2027", "Sunday, 31 October 2027"]
    assert "Times in the hall: Europe/Warsaw, CEST" in words(days[0])
    assert "Times in the hall: Europe/Warsaw, CET" in words(days[1])
    assert [words(one(each, look="schedule__when")) for each in days] == ["17:00", "16:00"]
    venue, own = every(one(days[0], look="schedule__when"), "time")
    assert attributes(venue)["dateTime"] == "2027-10-30T15:00:00+00:00"
    assert (attributes(own)["data-when"], attributes(own)["dateTime"]) == ("clock", "2027-10-30T17:00:00+02:00")
    assert text(own) == ""  # the browser writes the viewer's time, where it differs


def test_without_planned_times_the_place_is_all_that_is_said():
    session = SessionFactory(title="Evening session", starts_at=SUMMER)
    for _ in range(4):
        AppearanceFactory(session=session)
    assert [row.rpartition("Poland ")[2] for row in rows()] == [
        *("1st in Evening session", "2nd in Evening session", "3rd in Evening session", "4th in Evening session")
    ]
    assert "late" not in sessions()["Evening session"]


def test_of_a_session_that_is_over_the_number_says_enough():
    session = SessionFactory(title="Long ago", starts_at=timezone.now() - timedelta(days=2))
    AppearanceFactory(session=session)
    (row,) = rows()
    assert "1st in" not in row
    assert row.startswith("1 ")


@pytest.mark.parametrize(
    ("late", "said"),
    [
        *((0, ""), (1, "running 1 minute late"), (12, "running 12 minutes late"), (-5, "")),
        *((59, "running 59 minutes late"), (60, "running 1 h late"), (164, "running 2 h 44 min late")),
    ],
)
def test_the_delay_is_that_of_the_performer_on_stage(late, said):
    session, _ = planned(200, late=late)
    assert ("late" in sessions()["Evening"]) is bool(said)
    assert said in sessions()["Evening"]
    label = one(opened(f"/sessions/{session.pk}").main, look="stage__label")
    assert words(label) == f"Now Performing {said}".strip()


def test_no_delay_is_guessed_with_an_empty_stage_and_without_a_planned_start():
    session, playing = planned(30, late=12)
    SessionParticipant.objects.filter(pk=playing[0].pk).update(planned_start=None)
    assert "minute" not in sessions()["Evening"]
    SessionParticipant.objects.filter(pk=playing[0].pk).update(planned_start=session.starts_at)
    assert "12 minutes late" in sessions()["Evening"]
    performer_clear(actor=OPERATOR, session_id=session.pk)
    assert "minute" not in sessions()["Evening"]


def test_what_is_on_stage_what_is_next_and_what_was_played():
    session, playing = planned(60)
    SessionFactory(title="Tomorrow", starts_at=session.starts_at + timedelta(days=1))
    performer_set(actor=OPERATOR, session_participant_id=playing[1].pk)
    first, second, third = rows()
    assert "played" in first
    assert "Now Performing" in second
    assert "next" in third
    shown = sessions()
    assert "LIVE NOW" in shown["Evening"]
    assert shown["Tomorrow"].endswith(" nextOrder not drawn yet")


def test_a_session_that_should_have_begun_is_late_and_an_ended_one_is_not():
    SessionFactory(title="Waits", starts_at=timezone.now() - timedelta(minutes=10))
    ended, _ = planned(120, title="Over")
    session_end(actor=OPERATOR, session_id=ended.pk, confirmed=True)
    SessionFactory(title="Long ago", starts_at=timezone.now() - timedelta(days=2))
    shown = sessions()
    assert " late" in shown["Waits"]
    assert "late" not in shown["Over"]
    assert "late" not in shown["Long ago"]


def test_the_first_page_is_the_next_day_with_sessions_and_the_days_are_links():
    now = timezone.now()
    for title, days in (("Past", -30), ("Next", 2), ("Then", 3)):
        SessionFactory(title=title, starts_at=now + timedelta(days=days))
    assert list(sessions("/schedule")) == ["Next"]
    links = every(one(opened("/schedule").main, "nav", "tabs"), "a")
    assert name(links[-1]) == "All days"
    assert [list(sessions(attributes(each)["href"])) for each in links] == [
        *(["Past"], ["Next"], ["Then"]),
        ["Past", "Next", "Then"],
    ]
    assert [attributes(each).get("aria-current") for each in links] == [None, "page", None, None]


def test_while_a_session_is_live_its_day_is_shown_also_after_midnight():
    now = timezone.now()
    live = SessionFactory(title="Began yesterday", starts_at=now - timedelta(days=1))
    SessionFactory(title="Today", starts_at=now)
    assert list(sessions("/schedule")) == ["Today"]
    session_set_live(actor=OPERATOR, session_id=live.pk)
    assert list(sessions("/schedule")) == ["Began yesterday"]


def test_after_the_last_session_its_day_is_shown():
    for day in (1, 2):
        SessionFactory(title=f"Day {day}", starts_at=datetime(2021, 10, day, 15, tzinfo=UTC))
    assert list(sessions("/schedule")) == ["Day 2"]


@pytest.mark.parametrize("day", ["2021-02-30", "20211001", "x", "2021-W01-1", "10000-01-01", "%00", "0000-00-00"])
def test_an_address_without_a_day_shows_the_usual_one(day):
    SessionFactory(title="Only", starts_at=datetime(2021, 10, 1, 15, tzinfo=UTC))
    assert list(sessions(f"/schedule?day={day}")) == ["Only"]


@pytest.mark.parametrize("day", ["2021-10-02", "0001-01-01", "9999-12-31"])
def test_a_day_without_sessions_says_so(day):
    SessionFactory(starts_at=datetime(2021, 10, 1, 15, tzinfo=UTC))
    assert "No session begins on this day." in words(opened(f"/schedule?day={day}").main)


def test_without_sessions_the_page_says_so_and_offers_the_calendar():
    main = opened("/schedule").main
    assert "No session has been announced yet." in words(main)
    links = {name(each): attributes(each)["href"] for each in every(main, "a")}
    host = settings.PUBLIC_URL.partition("://")[2]
    assert links["Add to calendar"] == f"webcal://{host}/calendar.ics"
    assert links["Calendar file (.ics)"] == "/calendar.ics"


@pytest.mark.parametrize("count", [1, 12])
def test_queries_do_not_grow_with_sessions_and_performers(count):
    for place in range(count):
        session = SessionFactory(starts_at=SUMMER + timedelta(hours=place))
        for _ in range(count):
            AppearanceFactory(session=session)
    for address, queries in (("/schedule", 4), ("/schedule?day=all", 3)):
        with queries_counted(queries):
            loaded(address)


@pytest.mark.django_db(transaction=True)
async def test_open_pages_follow_the_stage_and_the_planned_times():
    session, playing = await in_thread(lambda: planned(60, late=12))
    async with open_page("/schedule") as screen:
        await screen.until("running 12 minutes late")
        await in_thread(lambda: performer_set(actor=OPERATOR, session_participant_id=playing[1].pk))
        await screen.until("running 40 minutes late")
        shift = {"session_id": session.pk, "appearance_id": playing[1].pk, "minutes": 45}
        await in_thread(lambda: planned_times_shift(actor=OPERATOR, **shift))
        await screen.until_gone("minutes late")


def test_a_performer_with_an_appearance_has_a_calendar():
    appearance = AppearanceFactory()
    path = f"/participants/{appearance.participant_id}"
    links = {name(each): attributes(each).get("href") for each in every(opened(path).main, "a")}
    host = settings.PUBLIC_URL.partition("://")[2]
    assert links["Add to calendar"] == f"webcal://{host}{path}.ics"
    assert links["Calendar file (.ics)"] == f"{path}.ics"
    idle = opened(f"/participants/{ParticipantFactory().pk}").main
    assert not every(idle, look="calendar-links")
