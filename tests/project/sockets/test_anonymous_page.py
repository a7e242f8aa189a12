"""Windows of anonymous visitors share one page without a layout until a page event or an effect needs one."""

import asyncio
from contextlib import AsyncExitStack

import pytest

from apps.accounts.actors import ANONYMOUS
from apps.core.threads import in_thread
from components.routes import Access, Route, find
from components.runtime.hooks import use_live_query
from components.runtime.markup import Markup, component, html, use_state
from components.runtime.page import Page, PageRequest, Redirect
from components.runtime.rendering.parts import page_events
from project.http.page_cache import page_load
from project.observability.metrics import layouts
from project.process.web_process import process
from project.sockets.open_page import AnonymousPage, anonymous_pages
from tests.factories import UserFactory
from tests.project.conftest import Table
from tests.project.moves import entered, navigation_target, until
from tests.project.pages import Board, declare, page_route
from tests.screen import open_page
from tests.serving import serving

declare("page", "later", "leaf")

pytestmark = pytest.mark.django_db(transaction=True)
MANY = 12


def counting(
    board: Board, pattern: str, renders: list[str], access: Access = Access.PUBLIC, *, is_live: bool = False
) -> Route:
    """Return the route of a page that counts presses in one window. With `is_live` it has a live query (an effect)."""

    @component
    def counting_page(page: Page) -> Markup:
        pressed, set_pressed = use_state(0)

        async def on_press(_: str) -> None:
            set_pressed(lambda before: before + 1)

        renders.append(pattern)
        leaf = [live_leaf(board, page.data[1])] if is_live else []
        return html.main(page.data[0], f", pressed {pressed}, ", *leaf, page_events({"press": on_press}))

    def load(_: PageRequest) -> Page:
        data = (board.read(pattern), board.read("leaf"))
        return Page(title=pattern, description="A test.", component=counting_page, data=data, topics=("page",))

    return Route(pattern, load, access)


@component
def live_leaf(board: Board, initial: str) -> Markup:
    return html.b(use_live_query(board.read, topics=("leaf",), initial=initial, name="leaf"))


@pytest.fixture
def renders() -> list[str]:
    return []


@pytest.fixture(autouse=True)
def pages(table: Table, board: Board, renders: list[str]) -> None:
    table(
        counting(board, "/", renders),
        counting(board, "/other", renders),
        counting(board, "/live", renders, is_live=True),
        page_route(board, "/login"),
    )


async def test_anonymous_windows_share_one_read_and_render_without_a_layout(board: Board, renders: list[str]) -> None:
    before = len(layouts)
    async with serving(), AsyncExitStack() as windows:
        first = await windows.enter_async_context(open_page("/"))
        board.reads.clear()
        renders.clear()
        others = [await windows.enter_async_context(open_page("/")) for _ in range(MANY)]
        assert (board.reads, renders, len(layouts)) == ([], [], before)
        board.texts["/"] = "second"
        process.bus.notify_listeners("page")
        for screen in (first, *others):
            await screen.until("second, pressed 0")
        assert board.reads.count("/") == 1
        assert renders == ["/", "/"]  # once with its first data, once with its present data
        late = await windows.enter_async_context(open_page("/"))
        assert late.text == first.text
        assert (len(anonymous_pages), len(layouts)) == (1, before)
    await until(lambda: not anonymous_pages)
    assert "page" not in process.bus.listeners


async def test_page_with_effects_has_a_layout_in_each_window(board: Board) -> None:
    before = len(layouts)
    async with serving(), open_page("/live") as one, open_page("/live") as other:
        assert len(layouts) == before + 2
        assert not anonymous_pages
        board.texts["leaf"] = "second"
        process.bus.notify_listeners("leaf")
        await one.until("pressed 0, second")
        await other.until("pressed 0, second")


async def test_page_event_gives_a_window_its_own_layout_until_it_navigates(board: Board) -> None:
    async with serving(), AsyncExitStack() as windows:
        one, other = [await windows.enter_async_context(open_page("/")) for _ in range(2)]
        before = len(layouts)
        one.act("press", "")
        one.act("press", "")
        await one.until("pressed 2")
        assert "pressed 0" in other.text
        assert len(layouts) == before + 1
        board.texts["/"] = "second"
        process.bus.notify_listeners("page")
        await one.until("second, pressed 2")  # the window's state is kept
        await other.until("second, pressed 0")
        await one.go("/?page=2")  # same route: the state is kept
        assert "pressed 2" in one.text
        await one.go("/other")
        await other.go("/other")
        assert one.text == other.text
        assert len(anonymous_pages) == 1
        await one.go("/")
        assert "second, pressed 0" in one.text


async def test_live_query_shows_no_older_result_after_a_page_event(board: Board) -> None:
    async with serving(), open_page("/live") as screen:
        board.texts["leaf"] = "leaf second"
        process.bus.notify_listeners("leaf")
        await screen.until("leaf second")
        count = len(screen.frames)
        screen.act("press", "")
        await screen.until("pressed 1")
        shown = [str(frame) for frame in screen.frames[count:]]
        assert shown
        assert not [frame for frame in shown if "leaf first" in frame or "pressed 0" in frame]


def remembering(board: Board, renders: list[str]) -> Route:
    """Return the route of a page that keeps its first data. A change of "later" affects only later windows."""

    @component
    def remembering_page(page: Page) -> Markup:
        pressed, set_pressed = use_state(0)
        remembered, _ = use_state(page.data)

        async def on_press(_: str) -> None:
            set_pressed(lambda before: before + 1)

        renders.append("remembering")
        return html.main(f"{remembered}, pressed {pressed}", page_events({"press": on_press}))

    def load(_: PageRequest) -> Page:
        data = board.read("later").partition("!")[0]
        return Page(title="R", description="A test.", component=remembering_page, data=data, cache_topics=("later",))

    return Route("/remembering", load, Access.PUBLIC)


async def test_later_window_gets_the_new_page_and_earlier_ones_keep_theirs(
    board: Board, table: Table, renders: list[str]
) -> None:
    table(remembering(board, renders), page_route(board, "/"))
    path = "/remembering"
    async with serving(), open_page(path) as early, open_page(path) as other:
        board.texts["later"] = "second"
        process.bus.notify_listeners("later")
        async with open_page(path) as late:
            assert "second, pressed 0" in late.text
            assert len(anonymous_pages) == 1  # new windows join only the newest page
            early.act("press", "")
            late.act("press", "")
            await early.until("later first, pressed 1")
            await late.until("second, pressed 1")
            assert "later first, pressed 0" in other.text


async def test_invisible_change_gives_no_window_a_layout(board: Board, table: Table, renders: list[str]) -> None:
    table(remembering(board, renders), page_route(board, "/"))
    path = "/remembering"
    async with serving(), AsyncExitStack() as windows:
        await windows.enter_async_context(open_page(path))
        before = len(layouts)
        for mark in ("!", "!!"):
            board.texts["later"] = f"later first{mark}"
            process.bus.notify_listeners("later")
            screens = await asyncio.gather(*(windows.enter_async_context(open_page(path)) for _ in range(5)))
            await until(lambda: len(layouts) == before)
            count = len(renders)
            screens.append(await windows.enter_async_context(open_page(path)))
            assert len(renders) == count  # a window with the newest page joins without a render
            assert all("later first, pressed 0" in screen.text for screen in screens)


async def test_former_page_without_windows_is_not_used(board: Board) -> None:
    """The former page may still be opening, or may have failed to open."""
    async with serving():
        target = find("/", ANONYMOUS)
        assert not isinstance(target, Redirect)
        page = await page_load(target, ANONYMOUS, "en")
        former = AnonymousPage(target, "en", page, None)
        made = AnonymousPage(target, "en", page, former)
        await asyncio.gather(former.opening, made.opening)
        assert made._former() is None
        await asyncio.gather(former.end(), made.end())


async def test_page_event_during_a_navigation_belongs_to_the_former_page(board: Board) -> None:
    async with serving(), open_page("/") as screen:
        board.held.add("/other")
        going = asyncio.create_task(screen.go("/other"))
        await entered(board)
        screen.act("press", "")
        board.may_read.set()
        await going
        assert "/other first, pressed" in screen.text


async def test_members_share_no_page_and_anonymous_visitors_are_sent_to_sign_in(board: Board, table: Table) -> None:
    table(
        counting(board, "/", []),
        counting(board, "/mine", [], Access.SIGNED_IN),
        page_route(board, "/login"),
    )
    user = await in_thread(UserFactory)
    async with serving(), open_page("/") as anonymous:
        await anonymous.go("/mine")
        assert "Page /login" in anonymous.text
        before, shared = len(layouts), len(anonymous_pages)
        async with open_page("/", user=user), open_page("/", user=user):
            assert len(layouts) == before + 2
            assert len(anonymous_pages) == shared


async def test_failed_page_load_is_repeated_at_the_next_navigation(board: Board) -> None:
    async with serving(), open_page("/") as screen:
        board.failing.add("/other")
        screen._event(navigation_target(screen), {"path": "/other", "number": 1})
        await until(lambda: "/other" in board.reads)
        board.failing.clear()
        screen.requests = 1
        await screen.go("/other")
        assert "/other first" in screen.text
