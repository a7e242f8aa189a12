"""The schedule: days, what is on stage, what is next and what is late, in the venue's time."""

from datetime import UTC, datetime, timedelta

import pytest
from django.conf import settings
from django.utils import timezone

from apps.accounts.actors import OPERATOR
from apps.competition.models import Appearance, PerformingTime, Session
from apps.competition.services.live import performer_clear, performer_set, session_end, session_set_live
from apps.competition.services.planned_times import planned_times_shift
from apps.core.threads import in_thread
from tests.components.seen import attributes, every, loaded, name, one, opened, text
from tests.factories import AppearanceFactory, ParticipantFactory, SessionFactory
from tests.general import queries_counted
from tests.offenders import check_each
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
    order = [row for listed in every(opened(address).main, "ol", "schedule__order") for row in every(listed, "li")]
    return [words(row) for row in order]


def planned(minutes, *, late=0, title="Evening"):
    """Return a live session that began so many minutes ago, its first performer so much later than planned."""
    start = timezone.now().replace(microsecond=0) - timedelta(minutes=minutes)
    session = SessionFactory(title=title, starts_at=start)
    playing = [
        AppearanceFactory(session=session, planned_start=start + timedelta(minutes=20 * place)) for place in range(3)
    ]
    session_set_live(actor=OPERATOR, session_id=session.pk)
    performer_set(actor=OPERATOR, appearance_id=playing[0].pk)
    came = start + timedelta(minutes=late, seconds=59)
    PerformingTime.objects.filter(appearance=playing[0]).update(began_at=came)
    return session, playing


def test_day_names_its_time_zone_when_clocks_change():
    for title, start in (("Before", SUMMER), ("After", SUMMER + timedelta(days=1))):
        AppearanceFactory(session=SessionFactory(title=title, starts_at=start), planned_start=start)
    days = every(opened("/schedule?day=all").main, "section", "schedule")
    assert [words(one(day, "h2")) for day in days] == ["Saturday, 30 October 2027", "Sunday, 31 October 2027"]
    assert "Times in the hall: Europe/Warsaw, CEST" in words(days[0])
    assert "Times in the hall: Europe/Warsaw, CET" in words(days[1])
    whens = [one(day, look="schedule__when") for day in days]
    assert [words(when) for when in whens] == ["17:00 in the hall", "16:00 in the hall"]
    time = attributes(one(whens[0], "time"))  # the browser adds the viewer's, where it differs
    assert (time["data-when"], time["dateTime"]) == ("clock", "2027-10-30T17:00:00+02:00")


def test_place_in_the_session_replaces_an_unknown_time():
    session = SessionFactory(title="Evening session", starts_at=SUMMER)
    AppearanceFactory.create_batch(4, session=session)
    places = [row.rpartition("Poland ")[2] for row in rows()]
    assert places == [f"{place} in Evening session" for place in ("1st", "2nd", "3rd", "4th")]
    assert "late" not in sessions()["Evening session"]
    Appearance.objects.exclude(order_number=1).delete()
    Session.objects.update(starts_at=timezone.now() - timedelta(days=2))
    (row,) = rows()
    assert row.startswith("1 ")
    assert "1st in" not in row, "the session is over"


def test_delay_is_that_of_the_performer_on_stage():
    for late, delay in (
        *((0, ""), (1, "running 1 minute late"), (12, "running 12 minutes late"), (-5, "")),
        *((59, "running 59 minutes late"), (60, "running 1 h late"), (164, "running 2 h 44 min late")),
    ):
        session, _ = planned(200, late=late, title=f"Evening {late}")
        row = sessions()[session.title]
        assert ("late" in row, delay in row) == (bool(delay), True)
        label = one(opened(f"/sessions/{session.pk}").main, look="stage__label")
        assert words(label) == f"Now Performing {delay}".strip()


def test_delay_needs_a_performer_and_a_planned_start():
    session, playing = planned(30, late=12)
    Appearance.objects.filter(pk=playing[0].pk).update(planned_start=None)
    assert "minute" not in sessions()["Evening"]
    Appearance.objects.filter(pk=playing[0].pk).update(planned_start=session.starts_at)
    assert "12 minutes late" in sessions()["Evening"]
    performer_clear(actor=OPERATOR, session_id=session.pk)
    assert "minute" not in sessions()["Evening"]


def test_performers_are_marked_as_played_on_stage_or_next():
    session, playing = planned(60)
    SessionFactory(title="Tomorrow", starts_at=session.starts_at + timedelta(days=1))
    performer_set(actor=OPERATOR, appearance_id=playing[1].pk)
    first, second, third = rows()
    assert "played" in first
    assert "Now Performing" in second
    assert "next" in third
    shown = sessions()
    assert "LIVE NOW" in shown["Evening"]
    assert shown["Tomorrow"].endswith(" nextOrder not drawn yet")


def test_session_past_its_start_is_late_until_it_ends():
    SessionFactory(title="Waits", starts_at=timezone.now() - timedelta(minutes=10))
    ended, _ = planned(120, title="Over")
    session_end(actor=OPERATOR, session_id=ended.pk, confirmed=True)
    SessionFactory(title="Long ago", starts_at=timezone.now() - timedelta(days=2))
    shown = sessions()
    assert " late" in shown["Waits"]
    assert "late" not in shown["Over"]
    assert "late" not in shown["Long ago"]


def test_default_day_is_the_next_with_sessions_and_days_are_links():
    now = timezone.now()
    for title, days in (("Past", -30), ("Next", 2), ("Then", 3)):
        SessionFactory(title=title, starts_at=now + timedelta(days=days))
    assert list(sessions("/schedule")) == ["Next"]
    links = every(one(opened("/schedule").main, "nav", "tabs"), "a")
    assert name(links[-1]) == "All days"
    assert [list(sessions(attributes(link)["href"])) for link in links] == [
        *(["Past"], ["Next"], ["Then"]),
        ["Past", "Next", "Then"],
    ]
    assert [attributes(link).get("aria-current") for link in links] == [None, "page", None, None]


def test_default_day_is_that_of_the_live_or_the_last_session():
    now = timezone.now()
    live = SessionFactory(title="Began yesterday", starts_at=now - timedelta(days=1))
    today = SessionFactory(title="Today", starts_at=now)
    assert list(sessions("/schedule")) == ["Today"]
    session_set_live(actor=OPERATOR, session_id=live.pk)
    assert list(sessions("/schedule")) == ["Began yesterday"], "also after midnight"
    for session, day in ((live, 1), (today, 2)):
        starts_at = datetime(2021, 10, day, 15, tzinfo=UTC)
        Session.objects.filter(pk=session.pk).update(starts_at=starts_at, is_live=False)
    assert list(sessions("/schedule")) == ["Today"]


def test_unreadable_day_shows_the_default_day():
    SessionFactory(title="Only", starts_at=datetime(2021, 10, 1, 15, tzinfo=UTC))
    days = ("2021-02-30", "20211001", "x", "2021-W01-1", "10000-01-01", "%00", "0000-00-00")
    check_each(days, lambda day: list(sessions(f"/schedule?day={day}")) == ["Only"])
    empty = ("2021-10-02", "0001-01-01", "9999-12-31")
    check_each(empty, lambda day: "No session begins on this day." in words(opened(f"/schedule?day={day}").main))


def calendar_links(main, path):
    """Return whether the page has both links of this calendar."""
    links = {name(link): attributes(link).get("href") for link in every(main, "a")}
    host = settings.PUBLIC_URL.partition("://")[2]
    assert links["Calendar file (.ics)"] == path
    assert f"{settings.PUBLIC_URL}{path}" in words(main)  # Google and Android need it: webcal does nothing there
    return links["Add to calendar"] == f"webcal://{host}{path}"


def test_schedule_and_performers_offer_a_calendar():
    main = opened("/schedule").main
    assert "No session has been announced yet." in words(main)
    assert calendar_links(main, "/calendar.ics")
    path = f"/participants/{AppearanceFactory().participant_id}"
    assert calendar_links(opened(path).main, f"{path}.ics")
    without_appearance = opened(f"/participants/{ParticipantFactory().pk}").main
    assert not every(without_appearance, look="calendar-links")


def test_query_count_is_independent_of_sessions_and_performers():
    count = 6
    for place in range(count):
        session = SessionFactory(starts_at=SUMMER + timedelta(hours=place))
        for _ in range(count):
            AppearanceFactory(session=session)
    for address, queries in (("/schedule", 6), ("/schedule?day=all", 5)):
        with queries_counted(queries):
            loaded(address)


async def test_open_schedule_follows_the_stage_and_planned_times():
    session, playing = await in_thread(lambda: planned(60, late=12))
    async with open_page("/schedule") as screen:
        await screen.until("running 12 minutes late")
        await in_thread(lambda: performer_set(actor=OPERATOR, appearance_id=playing[1].pk))
        await screen.until("running 40 minutes late")
        shift = {"session_id": session.pk, "appearance_id": playing[1].pk, "minutes": 45}
        await in_thread(lambda: planned_times_shift(actor=OPERATOR, **shift))
        await screen.until_gone("minutes late")
