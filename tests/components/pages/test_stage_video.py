"""The mounted video player follows presses of Watch, changes of the address, and changes of the session."""

import asyncio
from contextlib import asynccontextmanager
from types import SimpleNamespace

import pytest
from channels.db import database_sync_to_async
from reactpy.types import Connection, Location

from apps.competition.models import ProgramEntry, Session
from apps.competition.selectors.public.sessions import session_get
from components.pages.public.session.video import SESSION_VIDEO, selected_video, stage_video
from components.runtime.markup import component, use_state
from components.runtime.rendering.layout import PageLayout, with_connection
from tests.components.conftest import busy_session_with
from tests.components.seen import attributes, every, one, walk

pytestmark = pytest.mark.django_db(transaction=True)
OWN, OTHER = "aqz-KE-bpKQ", "M7lc1UVf-VE"
in_thread = database_sync_to_async


def recording():
    """Return a past session; its first program line plays in the session's video, the second in another video."""
    session = busy_session_with(1).session
    Session.objects.update(is_live=False)
    first, second = ProgramEntry.objects.order_by("order_number")
    second.youtube_url = f"https://youtu.be/{OTHER}"
    second.save()
    return SimpleNamespace(session=session_get(session_id=session.pk), lines=[str(first.pk), str(second.pk)])


class Screen:
    """The model of one viewer's player, as its layout sends it."""

    def __init__(self):
        self.model, self.changed = None, asyncio.Event()

    def apply(self, update):
        if update["path"]:
            *parents, last = update["path"].strip("/").split("/")
            node = self.model
            for step in parents:
                node = node[int(step)] if isinstance(node, list) else node[step]
            node[int(last) if isinstance(node, list) else last] = update["model"]
        else:
            self.model = update["model"]
        self.changed.set()

    async def until(self, holds):
        async with asyncio.timeout(20):
            while not (self.model and holds(self)):
                self.changed.clear()
                await self.changed.wait()

    @property
    def source(self):
        frames = every(self.model, "iframe")
        return attributes(frames[0])["src"] if frames else ""

    @property
    def player(self):
        return attributes(next(node for node in walk(self.model) if "importSource" in node))

    async def press(self, argument):
        target = one(self.model, "page-events")["eventHandlers"]["watch"]["target"]
        await self.layout.deliver({"type": "layout-event", "target": target, "data": [argument]})


@asynccontextmanager
async def watching(session, asked=None):
    """Mount the player. `screen.ask` selects another video, as a new address does; `screen.load` sets a new session."""
    screen = Screen()

    @component
    def page():
        address, screen.ask = use_state(asked)
        known, screen.load = use_state(session)
        return stage_video(known, address, None, "en")

    carrier = SimpleNamespace(page=SimpleNamespace(path="/sessions/1"))
    connection = Connection({"type": "websocket"}, Location("/", ""), carrier)
    async with PageLayout(with_connection(page(), connection), screen.apply, lambda: None) as screen.layout:
        await screen.until(lambda seen: seen.model)
        yield screen


async def test_watch_loads_the_video_and_then_only_seeks():
    busy_session = await in_thread(recording)()
    async with watching(busy_session.session) as screen:
        assert screen.source == ""
        await screen.press(busy_session.lines[0])
        await screen.until(lambda seen: seen.source)
        assert f"/{OWN}?" in screen.source
        assert (screen.player["second"], screen.player["seeks"]) == (90, 1)
        source = screen.source
        await screen.press(SESSION_VIDEO)
        await screen.until(lambda seen: seen.player["seeks"] == 2)
        assert (screen.player["second"], screen.source) == (0, source)


async def test_a_moment_of_a_line_is_sought_as_the_line_itself():
    busy_session = await in_thread(recording)()
    async with watching(busy_session.session) as screen:
        await screen.press(busy_session.lines[0])
        await screen.until(lambda seen: seen.source)
        source = screen.source
        await screen.press(f"17:{busy_session.lines[0]}.340")
        await screen.until(lambda seen: seen.player["seeks"] == 2)
        assert (screen.player["second"], screen.source) == (340, source)


async def test_watch_on_a_line_with_another_video_loads_that_one():
    busy_session = await in_thread(recording)()
    async with watching(busy_session.session) as screen:
        await screen.press(busy_session.lines[1])
        await screen.until(lambda seen: OTHER in seen.source)
        assert screen.player["seeks"] == 1


async def test_pressing_the_same_again_seeks_again():
    busy_session = await in_thread(recording)()
    async with watching(busy_session.session) as screen:
        for sequence in (1, 2, 3):
            await screen.press(busy_session.lines[0])
            await screen.until(lambda seen, sequence=sequence: seen.player["seeks"] == sequence)


async def test_nonsense_changes_nothing():
    busy_session = await in_thread(recording)()
    async with watching(busy_session.session) as screen:
        await screen.press("nonsense")
        await screen.press(busy_session.lines[0])
        await screen.until(lambda seen: seen.source)
        assert screen.player["seeks"] == 1


async def test_another_address_of_the_page_is_followed():
    busy_session = await in_thread(recording)()
    asked = [
        await in_thread(selected_video)(session_id=busy_session.session.id, watch=watch) for watch in busy_session.lines
    ]
    async with watching(busy_session.session, asked[0]) as screen:
        assert f"/{OWN}?" in screen.source
        assert screen.player["seeks"] == 0  # the video was loaded at its second
        screen.ask(asked[1])
        await screen.until(lambda seen: OTHER in seen.source)
        assert screen.player["seeks"] == 1


async def test_a_session_that_goes_live_begins_to_play():
    busy_session = await in_thread(recording)()
    async with watching(busy_session.session) as screen:
        assert not screen.source
        await in_thread(Session.objects.update)(is_live=True)
        screen.load(await in_thread(session_get)(session_id=busy_session.session.id))
        await screen.until(lambda seen: OWN in seen.source)
