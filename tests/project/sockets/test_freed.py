"""Tests that objects of closed sockets are freed by reference counting, without the garbage collector."""

import asyncio
import gc
import inspect
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from typing import Any
from weakref import WeakSet

import pytest
from reactpy.core._life_cycle_hook import LifeCycleHook
from reactpy.core.layout import Layout

from apps.accounts.actors import ANONYMOUS
from apps.core.threads import in_thread
from components.routes import Access, find
from components.runtime.hooks import PageViewConnection
from components.runtime.markup import Markup, component, html, use_effect, use_state
from project.limits.rates import BUSY, FAILED, SIGNED_OUT
from project.process.commands import CommandRequest
from project.process.frames import LayoutEvent
from project.process.web_process import process
from project.sockets.followed import LiveQuery
from project.sockets.open_page import OpenPage
from project.sockets.page_socket import CommandQueue, PageSocket
from project.sockets.window import NavigationQueue
from project.visit import Visit
from tests.components.runtime.rendering.mounting import mounted, target
from tests.factories import UserFactory
from tests.project.conftest import Table
from tests.project.moves import entered, loop_turn, navigation_target, until
from tests.project.pages import Board, page_route
from tests.reading import readable
from tests.screen import Screen, open_page
from tests.serving import serving, session_cookie

pytestmark = pytest.mark.django_db(transaction=True)
OF_A_VIEWER = (
    PageSocket,
    OpenPage,
    PageViewConnection,
    Layout,
    LifeCycleHook,
    LiveQuery,
    CommandQueue,
    NavigationQueue,
)
TURNS = 100
Left = Callable[[], Awaitable[Counter[str]]]


def of_viewers() -> list[Any]:
    """Return the objects and tasks that may belong to a viewer, except tasks of psycopg."""
    return [
        each
        for each in gc.get_objects()
        if isinstance(each, OF_A_VIEWER) or (isinstance(each, asyncio.Task) and "psycopg" not in repr(each))
    ]


@pytest.fixture
def left() -> Iterator[Left]:
    """Disable garbage collection for the test, and yield a function that counts remaining objects by type."""
    gc.collect()
    before = WeakSet(of_viewers())
    gc.disable()

    async def names() -> Counter[str]:
        for _ in range(TURNS):  # cancelled tasks end in a later turn, tasks of a thread after its work
            await loop_turn()
            others = {asyncio.current_task(), *process.tasks}
            remaining = Counter(
                type(each).__name__ for each in of_viewers() if each not in before and each not in others
            )
            if not remaining:
                break
        return remaining

    try:
        yield names
    finally:
        gc.enable()


@pytest.fixture
def silence() -> Iterator[None]:
    """Disable logging: pytest keeps log records for its report, and they refer to the frames of exceptions."""
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


@pytest.fixture
def pages(table: Table, board: Board) -> Board:
    """Pages with live queries, topics and parts, for anonymous visitors and for signed-in users."""
    part = board.part("part")
    more = {"topics": ("home",), "parts": lambda _: ((part, ()),)}
    table(
        page_route(board, "/", leaf="leaf", **more),  # type: ignore[arg-type]
        page_route(board, "/other", own="own"),
        page_route(board, "/mine", access=Access.SIGNED_IN, leaf="leaf", **more),  # type: ignore[arg-type]
        page_route(board, "/login"),
    )
    return board


async def headers_of_member() -> list[tuple[bytes, bytes]]:
    """Return the request headers of a new signed-in user."""
    return [(b"cookie", (await in_thread(lambda: session_cookie(UserFactory()))).encode())]


async def test_viewer_who_navigated_leaves_no_objects(pages: Board, left: Left) -> None:
    fan = await in_thread(UserFactory)
    async with serving():
        async with open_page("/mine", user=fan) as screen:
            screen.act("note", "pressed")
            pages.texts |= {"/mine": "second", "leaf": "leaf second", "part": "part second"}
            for topic in ("home", "leaf", "part"):
                process.bus.notify_listeners(topic)
            for text in ("second", "leaf second", "part second"):
                await screen.until(text)
            await screen.go("/other")
            await screen.until("own first")
            await screen.go("/")
            await screen.go_online()
            assert pages.pressed == ["pressed"]
        del screen
        assert await left() == Counter(), "while the process runs"


async def test_viewer_who_leaves_during_a_load_leaves_no_objects(pages: Board, left: Left) -> None:
    fan = await in_thread(UserFactory)
    async with open_page("/", user=fan) as screen:
        pages.held.add("/mine")
        screen._event(navigation_target(screen), {"path": "/mine", "versions": {}, "number": 1})
        await entered(pages)
    pages.may_read.set()
    del screen
    assert await left() == Counter()


async def test_viewer_who_leaves_before_the_first_layout_leaves_no_objects(pages: Board, left: Left) -> None:
    headers = await headers_of_member()
    async with serving():
        pages.held.add("/mine")
        screen = Screen("")
        connecting = asyncio.create_task(screen._connect("/mine", headers))
        await entered(pages)
        await left_by(screen, connecting)
        pages.may_read.set()
        del connecting
    assert await left() == Counter()


async def test_viewer_who_leaves_during_admission_leaves_no_objects(pages: Board, left: Left) -> None:
    async with serving():
        for _ in range(process.render_admission.slots):
            await process.render_admission.semaphore.acquire()
        screen = Screen("")
        connecting = asyncio.create_task(screen._connect("/", []))
        await until(lambda: process.render_admission.waiting == 1)
        await left_by(screen, connecting)
        assert process.render_admission.waiting == 0
        del connecting
    assert await left() == Counter()


async def left_by(screen: Screen, connecting: asyncio.Task[None]) -> None:
    """Close a window that is still being opened."""
    await screen.leave()
    connecting.cancel()
    await asyncio.gather(connecting, return_exceptions=True)


@pytest.mark.usefixtures("silence")
async def test_refused_viewer_leaves_no_objects(pages: Board, left: Left, monkeypatch: pytest.MonkeyPatch) -> None:
    async with serving():
        pages.failing.add("/mine")
        with monkeypatch.context() as crowd:
            crowd.setattr(process.connection_limits, "enter", lambda _: BUSY)
            await refused(BUSY, "/", [])
        await refused(SIGNED_OUT, "/login", [], viewer_state="other")
        await refused(FAILED, "/mine", await headers_of_member())
    assert await left() == Counter()


async def refused(code: int, path: str, headers: list[tuple[bytes, bytes]], **more: str) -> None:
    """Open a window, and assert that its socket is closed with this code."""
    screen = Screen("")
    with pytest.raises(AssertionError, match=f"closed with {code}"):
        await screen._connect(path, headers, **more)
    await screen.leave()


@pytest.mark.usefixtures("silence")
async def test_failed_handler_and_live_query_leave_no_objects(pages: Board, left: Left) -> None:
    async with open_page("/") as screen:
        pages.failing |= {"leaf", "part"}
        process.bus.notify_listeners("leaf")
        process.bus.notify_listeners("part")
        screen.act("note", "fail")
        screen.act("note", "pressed")
        await until(lambda: pages.pressed == ["pressed"] and pages.reads.count("leaf") > 0)
    del screen
    assert await left() == Counter()


def reads() -> None:
    """End a live query in the turn in which its topic changes."""
    query = LiveQuery((), lambda: None, lambda _data, _sequence: None)
    query.refresh()
    query.end()


def commands() -> None:
    """End a command queue in the turn in which it takes a command."""
    queue = CommandQueue(lambda _: None)
    queue.take(CommandRequest("unknown", "", "", {}), Visit("/", "en"))
    queue.end()


def navigates() -> None:
    """End a navigation queue in the turn in which it takes a request."""

    async def deliver(_: Any) -> None:
        raise AssertionError

    queue = NavigationQueue(lambda _: None, deliver, Visit("/", "en"))
    queue.ask(LayoutEvent("", {"data": [{"path": "/"}]}), is_signed_in=False)
    queue.end()


async def page_outdated() -> None:
    """Have a page load itself again, and end it in the same turn."""
    page = OpenPage("en")
    page._page_changed(find("/login", ANONYMOUS))
    await page.end()


async def layout_changed() -> None:
    """Mount a component, set its state, and end the layout in the same turn."""
    setters: list[Callable[[int], None]] = []

    @component
    def changing() -> Markup:
        shown, change = use_state(0)
        setters.append(change)
        return html.p(str(shown))

    async with mounted(changing()) as shown:
        setters[0](1)
    assert len(shown.updates) == 1
    setters.clear()
    del shown.layout  # break the reference cycle between layout and `shown`


async def test_work_that_ends_in_its_first_turn_leaves_no_objects(left: Left) -> None:
    async with serving():
        for act in (reads, commands, navigates, page_outdated, layout_changed, clicked):
            if inspect.isawaitable(work := act()):
                await work
            del work
            assert await left() == Counter(), act


async def clicked() -> None:
    """Mount a button, click it once, and end the layout."""
    async with mounted(counting()) as shown:
        await shown.event(target(shown.updates[0]["model"], "button"), {})
        await until(lambda: len(shown.updates) > 1)
        assert readable(shown.updates[-1]["model"]) == "1"
    del shown.layout  # break the reference cycle between layout and `shown`


@component
def counting() -> Markup:
    """A button with a state and an effect, and a child that the click removes."""
    count, set_count = use_state(0)
    use_effect(lambda: lambda: set_count(-1), dependencies=[])
    return html.div(html.button({"onClick": lambda _: set_count(count + 1)}, str(count)), None if count else going())


@component
def going() -> Markup:
    shown, _ = use_state("here")
    use_effect(lambda: None, dependencies=[shown])
    return html.p(shown)
