"""The live video player of a session page follows presses of Watch, the address, and the state of the session."""

from types import SimpleNamespace

from apps.accounts.actors import OPERATOR
from apps.competition.models import ProgramEntry
from apps.competition.services.live import session_set_live
from apps.core.threads import in_thread
from components.pages.public.session.video import SESSION_VIDEO
from tests.components.conftest import busy_session_with
from tests.components.seen import attributes, every, one
from tests.screen import open_page

OWN, OTHER = "aqz-KE-bpKQ", "M7lc1UVf-VE"


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


async def test_watch_loads_the_video_once_and_then_seeks():
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


async def test_watch_loads_another_video_of_the_program():
    session = await in_thread(recording)
    async with open_page(session.address) as screen:
        screen.act("watch", session.second)
        await screen._until(lambda: f"/{OTHER}?" in source(screen), "the other video is not loaded")
        assert seek(screen) == (90, 1)


async def test_player_follows_the_address_of_the_page():
    session = await in_thread(recording)
    async with open_page(f"{session.address}?watch={session.first}") as screen:
        assert f"/{OWN}?" in source(screen)
        assert seek(screen)[1] == 0, "the video was loaded at its second"
        await screen.go(f"{session.address}?watch={session.second}")
        await screen._until(lambda: f"/{OTHER}?" in source(screen), "the other video is not loaded")
        assert seek(screen)[1] == 0


async def test_session_that_goes_live_starts_to_play():
    session = await in_thread(recording)
    async with open_page(session.address) as screen:
        assert source(screen) == ""
        await in_thread(lambda: session_set_live(actor=OPERATOR, session_id=session.id))
        await screen._until(lambda: f"/{OWN}?" in source(screen), "the video does not play")
