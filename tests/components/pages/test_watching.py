"""The player on a session's page: the video, its second and its label, before, during and after the session."""

import datetime as dt

import pytest
from django.utils import timezone

from apps.competition.models import ProgramEntry, Session
from apps.competition.selectors.public.sessions import session_get
from components.pages.public.session.video import SESSION_VIDEO, Frame, SelectedVideo, player_frame, selected_video
from tests.components.seen import attributes, every, name, one, opened, text
from tests.offenders import check_each

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


def test_live_session_plays_at_once(session, settings):
    frame = attributes(one(opened(f"/sessions/{session.pk}").main, "iframe"))
    assert frame["id"] == "stage-video"
    assert frame["title"] == "Video: Stage I, evening session"
    assert frame["referrerPolicy"] == "strict-origin-when-cross-origin"
    assert "fullscreen" in frame["allow"].split("; ")
    address, _, query = frame["src"].partition("?")
    assert address == f"https://www.youtube-nocookie.com/embed/{OWN}"
    origin = settings.PUBLIC_URL.replace(":", "%3A").replace("/", "%2F")
    assert query.split("&")[:3] == ["enablejsapi=1", f"origin={origin}", "autoplay=1"]


def test_recording_shows_a_poster_with_a_play_link(session):
    end(session)
    address = f"/sessions/{session.pk}"
    seen = opened(address)
    assert not every(seen.main, "iframe")
    poster = one(seen.main, "a", look="video__poster")
    assert attributes(poster)["href"] == f"{address}?watch=session#stage-video"
    assert (attributes(poster)["data-page-event"], attributes(poster)["data-argument"]) == ("watch", SESSION_VIDEO)
    assert name(poster) == "Play the video: Stage I, evening session"
    assert videos(f"{address}?watch=session")[0] == (OWN, "")


def test_session_without_a_video_has_an_empty_stage(session):
    Session.objects.update(youtube_id="", is_live=False)
    seen = opened(f"/sessions/{session.pk}")
    assert not every(seen.main, "iframe")
    assert not every(seen.main, "a", look="video__poster")
    assert one(seen.main, look="video__poster")
    assert attributes(one(seen.main, look="stage__under"))["hidden"] is True


def test_label_names_the_stream_or_the_recording(session):
    for hours, is_live, label in (
        (-1, True, ""),
        (1, True, ""),
        (1, False, "Live Stream"),
        (-1, False, "Recording Available"),
    ):
        start = timezone.now() + dt.timedelta(hours=hours)
        Session.objects.filter(pk=session.pk).update(starts_at=start, is_live=is_live)
        main = opened(f"/sessions/{session.pk}").main
        assert text(one(main, look="stage__under")) == label
        assert len(every(main, look="live-now")) == 2 * is_live, "LIVE NOW, and LIVE beside the small player of a phone"


def test_unknown_videos_are_not_selected(session, entry):
    queries = ("", "0", "999999", "-1", "1.5", "²", "٣", "1" * 30, "session' OR 1", "constructor")
    check_each(queries, lambda watch: selected_video(session_id=session.pk, watch=watch) is None)
    assert selected_video(session_id=session.pk + 1, watch=str(entry.pk)) is None
    Session.objects.update(youtube_id="")
    check_each((SESSION_VIDEO, str(entry.pk)), lambda watch: selected_video(session_id=session.pk, watch=watch) is None)


def test_player_keeps_its_video_until_another_is_selected(session):
    frame = player_frame(None, detail(session), None)
    assert frame == Frame(OWN, 0)
    assert player_frame(frame, detail(session), SelectedVideo("7", OWN, 90)) is frame
    assert player_frame(frame, detail(session), SelectedVideo("7", OTHER, 65)) == Frame(OTHER, 65)
    end(session)
    assert player_frame(frame, detail(session), None) is frame
    assert player_frame(None, detail(session), None) is None
    Session.objects.update(youtube_id=OTHER)
    assert player_frame(frame, detail(session), None) == Frame(OTHER, 0)
    assert player_frame(Frame(OWN, 90), detail(session), SelectedVideo("7", OWN, 90)) == Frame(OWN, 90)
    Session.objects.update(youtube_id="")
    assert player_frame(frame, detail(session), None) is None


def videos(address):
    """Return the loaded video and its start, and the address of the link below it; None without a video."""
    main = opened(address).main
    frames, links = every(main, "iframe"), every(main, look="video__under")
    source = attributes(frames[0])["src"] if frames else ""
    video = source.partition("/embed/")[2].partition("?")[0], source.partition("&start=")[2]
    return (video if frames else None), (attributes(one(links[0], "a"))["href"] if links else None)


def test_address_selects_the_video_and_its_youtube_link(session, entry):
    address = f"/sessions/{session.pk}"
    own = f"https://youtu.be/{OWN}"
    assert videos(address) == ((OWN, ""), own)
    assert videos(f"{address}?watch={SESSION_VIDEO}") == ((OWN, ""), own)
    assert videos(f"{address}?watch={entry.pk}.340")[1] == f"{own}?t=340"
    end(session)
    assert videos(address) == (None, own)
    assert videos(f"{address}?watch={entry.pk}") == ((OWN, "90"), f"{own}?t=90")
    assert videos(f"{address}?watch={entry.pk}.340") == ((OWN, "340"), f"{own}?t=340")
    ProgramEntry.objects.filter(pk=entry.pk).update(youtube_url=f"https://youtu.be/{OTHER}?t=1m5s", timestamp=None)
    assert videos(f"{address}?watch={entry.pk}") == ((OTHER, "65"), f"https://youtu.be/{OTHER}?t=65")
    link = one(one(opened(f"{address}?watch={entry.pk}").main, look="video__under"), "a")
    assert text(link) == "Watch on YouTube"
    Session.objects.update(youtube_id="")
    assert videos(address) == (None, None)
