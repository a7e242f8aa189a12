"""The player on a session's page: the video, its second and its label, before, during and after the session."""

import datetime as dt

import pytest
from django.utils import timezone

from apps.competition.models import ProgramEntry, Session
from apps.competition.selectors.public.sessions import session_get
from components.pages.public.session.video import SESSION_VIDEO, Frame, SelectedVideo, player_frame, selected_video
from tests.components.seen import attributes, every, name, one, opened, text

pytestmark = pytest.mark.django_db
OWN, OTHER = "aqz-KE-bpKQ", "M7lc1UVf-VE"


@pytest.fixture
def session(busy_session):
    return busy_session.session


@pytest.fixture
def entry(busy_session):
    return ProgramEntry.objects.filter(session_participant=busy_session.appearances[2]).first()


def end(session):
    Session.objects.filter(pk=session.pk).update(is_live=False)


def detail(session):
    return session_get(session_id=session.pk)


def player(address):
    """Return the address of the video that this page loads, or None if it shows a poster instead."""
    frames = every(opened(address).main, "iframe")
    return attributes(frames[0])["src"] if frames else None


def test_live_session_plays_by_itself(session, settings):
    frame = attributes(one(opened(f"/sessions/{session.pk}").main, "iframe"))
    assert frame["id"] == "stage-video"
    assert frame["title"] == "Video: Stage I, evening session"
    assert frame["referrerPolicy"] == "strict-origin-when-cross-origin"
    assert "fullscreen" in frame["allow"].split("; ")
    address, _, query = frame["src"].partition("?")
    assert address == f"https://www.youtube-nocookie.com/embed/{OWN}"
    origin = settings.PUBLIC_URL.replace(":", "%3A").replace("/", "%2F")
    assert query.split("&")[:3] == ["enablejsapi=1", f"origin={origin}", "autoplay=1"]


def test_recording_waits_until_somebody_presses_play(session):
    end(session)
    to = f"/sessions/{session.pk}"
    seen = opened(to)
    assert not every(seen.main, "iframe")
    play = one(seen.main, "a", look="video__poster")
    assert attributes(play)["href"] == f"{to}?watch=session#stage-video"
    assert (attributes(play)["data-page-event"], attributes(play)["data-argument"]) == ("watch", SESSION_VIDEO)
    assert name(play) == "Play the video: Stage I, evening session"
    assert "start" not in player(f"{to}?watch=session")


def test_session_without_a_video_shows_the_stage_and_no_label(session):
    Session.objects.update(youtube_id="", is_live=False)
    seen = opened(f"/sessions/{session.pk}")
    assert not every(seen.main, "iframe")
    assert not every(seen.main, "a", look="video__poster")
    assert one(seen.main, look="video__poster")
    assert attributes(one(seen.main, look="stage__under"))["hidden"] is True


@pytest.mark.parametrize(
    ("hours", "is_live", "label"),
    [(-1, True, ""), (1, True, ""), (1, False, "Live Stream"), (-1, False, "Recording Available")],
)
def test_label_says_stream_until_the_session_is_over_and_nothing_beside_live_now(session, hours, is_live, label):
    start = timezone.now() + dt.timedelta(hours=hours)
    Session.objects.filter(pk=session.pk).update(starts_at=start, is_live=is_live)
    seen = opened(f"/sessions/{session.pk}").main
    assert text(one(seen, look="stage__under")) == label
    assert len(every(seen, look="live-now")) == 2 * is_live, "LIVE NOW, and LIVE beside the small player of a phone"


def test_address_asks_for_a_line_of_a_program(session, entry):
    end(session)
    source = player(f"/sessions/{session.pk}?watch={entry.pk}")
    assert f"/embed/{OWN}?" in source
    assert source.endswith("&start=90")


def test_address_asks_for_a_second_of_a_lines_video(session, entry):
    end(session)
    assert player(f"/sessions/{session.pk}?watch={entry.pk}.340").endswith("&start=340")


def test_a_line_with_another_video_loads_that_one(session, entry):
    entry.youtube_url = f"https://youtu.be/{OTHER}?t=1m5s"
    entry.timestamp = None
    entry.save()
    source = player(f"/sessions/{session.pk}?watch={entry.pk}")
    assert f"/embed/{OTHER}?" in source
    assert source.endswith("&start=65")


@pytest.mark.parametrize("watch", ["", "0", "999999", "-1", "1.5", "²", "٣", "1" * 30, "session' OR 1", "constructor"])
def test_a_wish_for_nothing_is_none(session, watch):
    assert selected_video(session_id=session.pk, watch=watch) is None


def test_a_wish_for_another_sessions_line_is_none(session, entry):
    assert selected_video(session_id=session.pk + 1, watch=str(entry.pk)) is None


def test_a_wish_for_what_has_no_video_is_none(session, entry):
    Session.objects.update(youtube_id="")
    assert selected_video(session_id=session.pk, watch=SESSION_VIDEO) is None
    assert selected_video(session_id=session.pk, watch=str(entry.pk)) is None


def test_the_player_stands_while_the_same_video_is_wished_for(session):
    standing = player_frame(None, detail(session), None)
    assert standing == Frame(OWN, 0)
    assert player_frame(standing, detail(session), SelectedVideo("7", OWN, 90)) is standing
    assert player_frame(standing, detail(session), SelectedVideo("7", OTHER, 65)) == Frame(OTHER, 65)


def test_the_player_goes_on_when_the_session_ends(session):
    standing = player_frame(None, detail(session), None)
    end(session)
    assert player_frame(standing, detail(session), None) is standing
    assert player_frame(None, detail(session), None) is None


def test_the_player_follows_the_sessions_video_but_not_away_from_a_wish(session):
    standing = player_frame(None, detail(session), None)
    Session.objects.update(youtube_id=OTHER)
    assert player_frame(standing, detail(session), None) == Frame(OTHER, 0)
    assert player_frame(Frame(OWN, 90), detail(session), SelectedVideo("7", OWN, 90)) == Frame(OWN, 90)
    Session.objects.update(youtube_id="")
    assert player_frame(standing, detail(session), None) is None


def youtube(seen):
    """Return the address of the link below the video, or None without a video."""
    lines = every(seen.main, look="video__under")
    return attributes(one(lines[0], "a"))["href"] if lines else None


def test_below_every_video_a_link_leads_to_youtube_at_its_second(session, entry):
    to = f"/sessions/{session.pk}"
    assert youtube(opened(to)) == f"https://youtu.be/{OWN}"
    assert youtube(opened(f"{to}?watch={SESSION_VIDEO}")) == f"https://youtu.be/{OWN}"
    assert youtube(opened(f"{to}?watch={entry.pk}.340")) == f"https://youtu.be/{OWN}?t=340"
    end(session)
    assert youtube(opened(to)) == f"https://youtu.be/{OWN}"
    ProgramEntry.objects.filter(pk=entry.pk).update(youtube_url=f"https://youtu.be/{OTHER}?t=65", timestamp=None)
    seen = opened(f"{to}?watch={entry.pk}")
    assert youtube(seen) == f"https://youtu.be/{OTHER}?t=65"
    assert text(one(one(seen.main, look="video__under"), "a")) == "Watch on YouTube"
    Session.objects.update(youtube_id="")
    assert youtube(opened(to)) is None


def test_a_live_player_names_no_second(session):
    assert "start" not in player(f"/sessions/{session.pk}")
    assert "start" not in player(f"/sessions/{session.pk}?watch={SESSION_VIDEO}")
