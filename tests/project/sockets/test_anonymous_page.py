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
MANY = 40


def counting(
    board: Board, pattern: str, renders: list[str], access: Access = Access.PUBLIC, *, is_live: bool = False
) -> Route:
    """Return a route whose page counts the presses in one window. With `is_live` it has a live query (an effect)."""

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


async def tell(topic: str) -> None:
    process.bus.notify_listeners(topic)


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


async def test_anonymous_windows_cost_one_read_one_render_and_no_layout(board: Board, renders: list[str]) -> None:
    before = len(layouts)
    async with serving(), AsyncExitStack() as windows:
        first = await windows.enter_async_context(open_page("/"))
        board.reads.clear()
        renders.clear()
        others = [await windows.enter_async_context(open_page("/")) for _ in range(MANY)]
        assert (board.reads, renders, len(layouts)) == ([], [], before)
        board.texts["/"] = "second"
        await tell("page")
        for screen in (first, *others):
            await screen.until("second, pressed 0")
        assert board.reads.count("/") == 1
        assert renders == ["/", "/"]  # once with its first data, once with its present data
        late = await windows.enter_async_context(open_page("/"))
        assert late.text == first.text
        assert (len(anonymous_pages), len(layouts)) == (1, before)
    await until(lambda: not anonymous_pages)
    assert "page" not in process.bus.listeners


async def test_a_page_with_effects_has_a_layout_in_each_anonymous_window(board: Board) -> None:
    before = len(layouts)
    async with serving(), open_page("/live") as one, open_page("/live") as other:
        assert len(layouts) == before + 2
        assert not anonymous_pages
        board.texts["leaf"] = "second"
        await tell("leaf")
        await one.until("pressed 0, second")
        await other.until("pressed 0, second")


async def test_who_does_something_has_a_layout_of_their_own_until_they_go_elsewhere(board: Board) -> None:
    async with serving(), AsyncExitStack() as windows:
        one, other = [await windows.enter_async_context(open_page("/")) for _ in range(2)]
        before = len(layouts)
        one.act("press", "")
        one.act("press", "")
        await one.until("pressed 2")
        assert "pressed 0" in other.text
        assert len(layouts) == before + 1
        board.texts["/"] = "second"
        await tell("page")
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


async def test_a_live_query_shows_no_older_result_after_a_page_event(board: Board) -> None:
    async with serving(), open_page("/live") as screen:
        board.texts["leaf"] = "leaf second"
        await tell("leaf")
        await screen.until("leaf second")
        count = len(screen.frames)
        screen.act("press", "")
        await screen.until("pressed 1")
        shown = [str(frame) for frame in screen.frames[count:]]
        assert shown
        assert not [frame for frame in shown if "leaf first" in frame or "pressed 0" in frame]


def remembering(board: Board, renders: list[str]) -> Route:
    """Return a route whose page keeps its first data. A change of "later" affects only windows opened after it."""

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


async def test_who_comes_later_sees_the_page_of_now_and_who_was_there_keeps_theirs(
    board: Board, table: Table, renders: list[str]
) -> None:
    table(remembering(board, renders), page_route(board, "/"))
    path = "/remembering"
    async with serving(), open_page(path) as early, open_page(path) as early_too:
        board.texts["later"] = "second"
        await tell("later")
        async with open_page(path) as late:
            assert "second, pressed 0" in late.text
            assert len(anonymous_pages) == 1  # new windows join only the newest page
            early.act("press", "")
            late.act("press", "")
            await early.until("later first, pressed 1")
            await late.until("second, pressed 1")
            assert "later first, pressed 0" in early_too.text


async def test_a_change_that_nobody_sees_parts_nobody(board: Board, table: Table, renders: list[str]) -> None:
    table(remembering(board, renders), page_route(board, "/"))
    path = "/remembering"
    async with serving(), AsyncExitStack() as windows:
        await windows.enter_async_context(open_page(path))
        before = len(layouts)
        for mark in ("!", "!!"):
            board.texts["later"] = f"later first{mark}"
            await tell("later")
            screens = await asyncio.gather(*(windows.enter_async_context(open_page(path)) for _ in range(5)))
            await until(lambda: len(layouts) == before)
            count = len(renders)
            screens.append(await windows.enter_async_context(open_page(path)))
            assert len(renders) == count  # a window with the newest page joins without a render
            assert all("later first, pressed 0" in screen.text for screen in screens)


async def test_nobody_is_sent_to_a_former_page_that_no_window_shows(board: Board) -> None:
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


async def test_a_press_during_a_navigation_is_for_the_page_that_it_was_made_on(board: Board) -> None:
    async with serving(), open_page("/") as screen:
        board.held.add("/other")
        going = asyncio.create_task(screen.go("/other"))
        await entered(board)
        screen.act("press", "")
        board.may_read.set()
        await going
        assert "/other first, pressed" in screen.text


async def test_a_stranger_is_sent_to_sign_in_and_members_never_share(board: Board, table: Table) -> None:
    rooms: list[str] = []
    table(
        counting(board, "/", rooms),
        counting(board, "/mine", rooms, Access.SIGNED_IN),
        page_route(board, "/login"),
    )
    user = await in_thread(UserFactory)
    async with serving(), open_page("/") as stranger:
        await stranger.go("/mine")
        assert "Page /login" in stranger.text
        before, shared = len(layouts), len(anonymous_pages)
        async with open_page("/", user=user), open_page("/", user=user):
            assert len(layouts) == before + 2
            assert len(anonymous_pages) == shared


async def test_a_page_that_cannot_be_read_fails_each_window_that_waits_and_is_tried_again(board: Board) -> None:
    async with serving(), open_page("/") as screen:
        board.failing.add("/other")
        screen._event(navigation_target(screen), {"path": "/other", "number": 1})
        await until(lambda: "/other" in board.reads)
        board.failing.clear()
        screen.requests = 1
        await screen.go("/other")
        assert "/other first" in screen.text
