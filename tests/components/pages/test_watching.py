"""The player on a session's page: the video, its second and label, presses of Watch, and the state of the session."""

import datetime as dt
from types import SimpleNamespace

import pytest
from django.utils import timezone

from apps.accounts.actors import OPERATOR
from apps.competition.models import ProgramEntry, Session
from apps.competition.selectors.public.sessions import session_get
from apps.competition.services.live import session_set_live
from apps.core.threads import in_thread
from components.pages.public.session.video import SESSION_VIDEO, Frame, SelectedVideo, player_frame, selected_video
from tests.components.conftest import busy_session_with
from tests.components.seen import attributes, every, name, one, opened, text
from tests.offenders import check_each
from tests.screen import open_page

pytestmark = pytest.mark.django_db
OWN, OTHER = "aqz-KE-bpKQ", "M7lc1UVf-VE"


@pytest.fixture
def session(busy_session):
    return busy_session.session


@pytest.fixture
def entry(busy_session):
    return ProgramEntry.objects.filter(appearance=busy_session.appearances[2]).first()


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


def test_recording_or_missing_video_has_a_poster(session):
    end(session)
    address = f"/sessions/{session.pk}"
    seen = opened(address)
    assert not every(seen.main, "iframe")
    poster = one(seen.main, "a", look="video__poster")
    assert attributes(poster)["href"] == f"{address}?watch=session#stage-video"
    assert (attributes(poster)["data-page-event"], attributes(poster)["data-argument"]) == ("watch", SESSION_VIDEO)
    assert name(poster) == "Play the video: Stage I, evening session"
    assert videos(f"{address}?watch=session")[0] == (OWN, "")
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


def recording():
    """Return a past session; its first piece plays in the session's video, the second in another video."""
    session = busy_session_with(1, is_live=False).session
    first, second = ProgramEntry.objects.order_by("order_number")
    ProgramEntry.objects.filter(pk=second.pk).update(youtube_url=f"https://youtu.be/{OTHER}", timestamp=90)
    return SimpleNamespace(id=session.pk, address=f"/sessions/{session.pk}", first=str(first.pk), second=str(second.pk))


def source(screen):
    """Return the address of the loaded video, "" if there is none."""
    frames = every(screen.tree, "iframe")
    return attributes(frames[0])["src"] if frames else ""


def seek(screen):
    """Return the second of the last seek and the number of seeks."""
    player = attributes(one(screen.tree, "Player"))
    return player["second"], player["seeks"]


async def until_seek(screen, expected):
    await screen._until(lambda: every(screen.tree, "Player") and seek(screen) == expected, f"no seek {expected}")


async def test_watch_loads_each_video_once_and_then_seeks():
    session = await in_thread(recording)
    async with open_page(session.address) as screen:
        assert source(screen) == ""
        screen.act("watch", "nonsense")
        screen.act("watch", session.first)
        await until_seek(screen, (90, 1))
        loaded = source(screen)
        assert f"/{OWN}?" in loaded
        for argument, expected in (
            (session.first, (90, 2)),
            (SESSION_VIDEO, (0, 3)),
            (f"17:{session.first}.340", (340, 4)),
        ):
            screen.act("watch", argument)
            await until_seek(screen, expected)
            assert source(screen) == loaded
    async with open_page(session.address) as screen:
        screen.act("watch", session.second)
        await screen._until(lambda: f"/{OTHER}?" in source(screen), "the other video is not loaded")
        assert seek(screen) == (90, 1)


async def test_player_follows_the_address_and_a_session_that_goes_live():
    session = await in_thread(recording)
    async with open_page(f"{session.address}?watch={session.first}") as screen:
        assert f"/{OWN}?" in source(screen)
        assert seek(screen)[1] == 0, "the video was loaded at its second"
        await screen.go(f"{session.address}?watch={session.second}")
        await screen._until(lambda: f"/{OTHER}?" in source(screen), "the other video is not loaded")
        assert seek(screen)[1] == 0
    async with open_page(session.address) as screen:
        assert source(screen) == ""
        await in_thread(lambda: session_set_live(actor=OPERATOR, session_id=session.id))
        await screen._until(lambda: f"/{OWN}?" in source(screen), "the video does not play")
