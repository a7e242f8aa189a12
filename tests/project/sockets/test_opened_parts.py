"""Parts that are opened and closed on an open page: immediately, and for one viewer alone."""

import asyncio
import gc
import json
import weakref
from contextlib import AsyncExitStack

import pytest

from components.routes import Route
from components.runtime.markup import Markup, component, html, use_state
from components.runtime.opened_parts import opened_part
from components.runtime.page import Page, PageRequest
from components.runtime.rendering.parts import page_events, shared_part
from project.limits.rates import FAILED
from project.observability.metrics import layouts
from project.process.web_process import process
from project.sockets.followed import ShownParts
from project.sockets.open_page import anonymous_pages
from tests.project.conftest import Table
from tests.project.moves import entered, until
from tests.project.pages import Board, declare, page_route
from tests.screen import Screen, open_page
from tests.serving import serving

declare("page")

pytestmark = pytest.mark.django_db(transaction=True)
KEY = "panel:7:en"


@pytest.fixture
def panels(table: Table, board: Board) -> Board:
    """Serve a page; its panel holds another part. `open` adds one more panel, `close` removes all."""
    inner = board.part("inner")
    panel = board.part("panel", holds=lambda _: (inner(7, language="en"),), number=1)

    @component
    def shown_page(page: Page) -> Markup:
        count, set_count = use_state(0)

        async def on_open(_: str) -> None:
            set_count(lambda before: before + 1)

        async def on_close(_: str) -> None:
            set_count(0)

        opened = [html.div({"key": str(n)}, opened_part(panel(7, language="en"))) for n in range(count)]
        return html.main(
            html.p("closed" if not count else f"open {count}"),
            *opened,
            page_events({"open": on_open, "close": on_close}),
        )

    table(Route("/", lambda _: Page("A test.", shown_page, title="Panels")))
    return board


def sockets_of(key: str) -> int:
    """Return the number of sockets that show the part of this key."""
    return sum(len(group.sockets) for group in process.parts.live[key].groups)


def shown_keys(parts: ShownParts) -> set[str]:
    """Return the keys of the parts that a window shows."""
    return {live.ref.key for live in parts.group.shown} if parts.group is not None else set()


def keys(screen: Screen) -> list[str]:
    """Return the keys of the part frames that this screen received, in order."""
    return [frame["key"] for frame in screen.frames if frame["type"] == "part"]


async def test_opened_part_and_its_inner_part_stay_current(panels: Board) -> None:
    async with open_page("/") as one, open_page("/") as other:
        assert "panel" not in one.html
        one.act("open", "")
        await one.until("panel-7 first inner-7 first")
        panels.texts["inner-7"] = "second"
        process.bus.notify_listeners("inner")
        await one.until("panel-7 first second")
        assert keys(one) == ["inner:7:en", KEY, "inner:7:en"]
        assert keys(other) == []
        other.act("open", "")
        await other.until("panel-7 first second")
        assert panels.reads.count("panel-7") == 1


async def test_part_opened_twice_is_followed_until_the_last_closes(panels: Board) -> None:
    async with open_page("/") as screen:
        screen.act("open", "")
        screen.act("open", "")
        await screen.until("open 2 panel-7 first inner-7 first panel-7 first")
        assert keys(screen).count(KEY) == 1
        screen.act("close", "")
        await screen.until("closed")
        await screen._until(lambda: not process.parts.live[KEY].groups, "the panel is still followed")
        assert not process.parts.live["inner:7:en"].groups
        screen.send(json.dumps({"type": "part-request", "key": KEY}))
        panels.texts["panel-7"] = "second"
        process.bus.notify_listeners("panel")
        screen.act("open", "")
        await screen.until("open 1 second inner-7 first")


async def test_closed_window_with_an_open_part_is_freed_without_garbage_collection(panels: Board) -> None:
    gc.disable()
    try:
        async with open_page("/") as screen:
            screen.act("open", "")
            await screen.until("inner-7 first")
            parts = (each for each in gc.get_objects() if isinstance(each, ShownParts) and KEY in shown_keys(each))
            shown = weakref.ref(next(parts))
            del parts
            await until(lambda: shown().follow_task is None)
            await screen.leave()
            assert not any(live.groups for live in process.parts.live.values())
        del screen
        await until(lambda: shown() is None)
    finally:
        gc.enable()


async def test_failed_opened_part_closes_the_socket(panels: Board, caplog: pytest.LogCaptureFixture) -> None:
    panels.failing.add("panel-7")
    async with open_page("/") as screen:
        screen.act("open", "")
        await until(lambda: screen.closed == FAILED)
    assert "an opened part could not be shown" in caplog.text
    caplog.clear()


# Pages of anonymous visitors have no layout. A change of the page's own topic changes their parts.


@pytest.fixture
def turning(table: Table, board: Board) -> Board:
    """Serve a page with the panel of its present text, below the panel of its text when the window opened."""
    panel = board.part("panel")
    board.texts["/"] = "1"

    @component
    def shown_page(page: Page) -> Markup:
        begun_with, _ = use_state(page.parts["panel"])
        kept = [shared_part(begun_with)] if begun_with != page.parts["panel"] else []
        return html.main(html.p(f"at {page.data}"), *kept, shared_part(page.parts["panel"]))

    def load(request: PageRequest) -> Page:
        text = board.read("/")
        parts = {"panel": panel(int(text), language=request.language)}
        return Page("A test.", shown_page, title="Turning", data=text, parts=parts, topics=("page",))

    table(Route("/", load), page_route(board, "/other"))
    return board


def turn(board: Board, text: str) -> None:
    board.texts["/"] = text
    process.bus.notify_listeners("page")


async def test_anonymous_windows_follow_first_and_present_parts(turning: Board) -> None:
    async with serving(), AsyncExitStack() as windows:
        before = len(layouts)
        screens = [await windows.enter_async_context(open_page("/")) for _ in range(5)]
        for screen in screens:
            await screen.until("at 1 panel-1 first")
        turn(turning, "2")
        for screen in screens:
            await screen.until("at 2 panel-1 first panel-2 first")
        turning.texts["panel-1"] = "second"
        process.bus.notify_listeners("panel")
        for screen in screens:
            await screen.until("at 2 second panel-2 first")
        turn(turning, "3")
        for screen in screens:
            await screen.until("at 3 second panel-3 first")
        assert len(layouts) == before
        sockets = {key: sockets_of(f"panel:{key}:en") for key in (1, 2, 3)}
        assert sockets == {1: len(screens), 2: 0, 3: len(screens)}


async def test_navigating_window_delays_no_other_anonymous_window(turning: Board) -> None:
    async with serving(), open_page("/") as leaving, open_page("/") as staying:
        turning.held.add("/other")
        going = asyncio.create_task(leaving.go("/other"))
        await entered(turning)
        turn(turning, "2")
        await staying.until("at 2 panel-1 first panel-2 first")
        assert not going.done()
        turning.may_read.set()
        await going
        assert "Page /other" in leaving.text
        await until(lambda: sockets_of("panel:2:en") == 1)


async def test_anonymous_page_is_freed_without_garbage_collection(turning: Board) -> None:
    gc.disable()
    try:
        async with serving():
            async with open_page("/") as screen:
                await screen.until("at 1 panel-1 first")
                turn(turning, "2")
                await screen.until("at 2 panel-1 first panel-2 first")
                shown = weakref.ref(next(iter(anonymous_pages.values())))
            del screen
            await until(lambda: shown() is None)
    finally:
        gc.enable()
