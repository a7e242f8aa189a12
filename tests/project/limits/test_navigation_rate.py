"""Rate limits of searches and navigations, by window, by address and for page views; and the message to wait."""

from ipaddress import ip_network
from types import SimpleNamespace
from typing import Any

import pytest

from apps.core import buckets
from apps.core.buckets import Rate
from apps.core.threads import in_thread
from components.routes import is_search
from project.limits.connections import ConnectionLimits, NavigationRate
from project.limits.rates import PAGES, SEARCHES, SEARCHES_ADDRESS, SEARCHES_SIGNED_IN
from project.process.web_process import process
from project.sockets.window import SENTENCE
from tests.factories import UserFactory
from tests.project.conftest import Table
from tests.project.moves import navigation_target, until
from tests.project.pages import Board, page_route
from tests.screen import Screen, open_page
from tests.serving import page_response, serving

pytestmark = pytest.mark.django_db(transaction=True)
HOME = "192.0.2.7"
WAIT = {"type": "wait", "text": SENTENCE}


class Clock:
    """A monotonic clock that the test sets."""

    now = 1000.0


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Set the clock of all buckets, and reset the connection limits."""
    made = Clock()
    monkeypatch.setattr(buckets, "time", SimpleNamespace(monotonic=lambda: made.now))
    monkeypatch.setattr(process, "connection_limits", ConnectionLimits())
    return made


def test_address_with_a_query_text_is_a_search() -> None:
    searches = ["/participants?q=ewa", "/participants?country=Poland&q=%C5%82", "/admin?tab=audit&q=x"]
    others = ["/participants", "/participants?q=", "/participants?q=+", "/participants?country=q"]
    assert [address for address in (*searches, *others, "/sessions?query=ewa") if is_search(address)] == searches


@pytest.mark.parametrize(("is_signed_in", "rate"), [(False, SEARCHES), (True, SEARCHES_SIGNED_IN)])
def test_searches_per_window_are_limited_and_other_pages_are_not(clock: Clock, is_signed_in: bool, rate: Rate) -> None:
    assert rate.burst == (30 if is_signed_in else 15) == rate.per_second * 60
    pace = NavigationRate(process.connection_limits, "")
    waits = [pace.wait(is_search=True, is_signed_in=is_signed_in) for _ in range(int(rate.burst) + 1)]
    assert waits == [0] * int(rate.burst) + [60 / rate.burst]
    assert pace.wait(is_search=False, is_signed_in=is_signed_in) == 0
    clock.now += 60 / rate.burst
    assert pace.wait(is_search=True, is_signed_in=is_signed_in) == 0
    assert pace.wait(is_search=True, is_signed_in=is_signed_in) > 0


def allowed(address: str, *, is_search: bool) -> int:
    """Return how many of 7,000 navigations, each from a window of its own, are allowed."""
    limits = process.connection_limits
    waits = [NavigationRate(limits, address).wait(is_search=is_search, is_signed_in=False) for _ in range(7000)]
    return waits.count(0)


@pytest.mark.parametrize(("address", "times"), [(HOME, 1), ("198.51.100.9", 10)])
def test_searches_per_address_are_limited_and_tenfold_for_a_venue(
    clock: Clock, settings: Any, address: str, times: int
) -> None:
    settings.VENUE_ADDRESSES = (ip_network("198.51.100.0/24"),)
    assert (SEARCHES_ADDRESS.burst, SEARCHES_ADDRESS.per_second * 60) == (600, 600)
    process.connection_limits.pages = buckets.Buckets(Rate(1e9, 1e9))
    assert allowed(address, is_search=True) == 600 * times
    assert process.connection_limits.search(address, "/participants?q=ewa") > 0, "and as pages"
    assert process.connection_limits.search(address, "/participants") == 0
    assert process.connection_limits.search("203.0.113.1", "/participants?q=ewa") == 0
    assert process.connection_limits.search("", "/participants?q=ewa") == 0


@pytest.mark.parametrize(("address", "times"), [(HOME, 1), ("198.51.100.9", 10)])
def test_navigations_per_address_are_limited_like_pages_in_nginx(
    clock: Clock, settings: Any, address: str, times: int
) -> None:
    settings.VENUE_ADDRESSES = (ip_network("198.51.100.0/24"),)
    assert Rate(600, 60) == PAGES
    assert allowed(address, is_search=False) == 600 * times
    clock.now += 1
    assert allowed(address, is_search=False) == 60 * times


def search_send(screen: Screen, text: str) -> None:
    """Send this search without waiting for the answer."""
    screen.requests += 1
    screen._event(navigation_target(screen), {"path": f"/?q={text}", "versions": {}, "number": screen.requests})


async def until_wait_message(screen: Screen, *, times: int) -> None:
    """Wait until the browser got the message to wait this many times."""
    await until(lambda: screen.frames.count(WAIT) == times)


@pytest.mark.parametrize("signed_in", [False, True])
async def test_fast_searches_wait_and_the_newest_is_answered(
    clock: Clock, table: Table, board: Board, signed_in: bool
) -> None:
    table(page_route(board, "/"))
    user = await in_thread(UserFactory) if signed_in else None
    async with open_page("/", user=user) as screen:
        most = int(SEARCHES_SIGNED_IN.burst if signed_in else SEARCHES.burst)
        for number in range(most):
            await screen.go(f"/?q=word{number}")
        assert WAIT not in screen.frames
        for number in range(1, 4):
            search_send(screen, f"more{number}")
            await until_wait_message(screen, times=number)
        await screen.go("/")
        clock.now += 60 / most
        search_send(screen, "newest")
        await screen.until("newest")
        assert (screen.path, screen.closed) == ("/?q=newest", None)
        assert "more" not in str(screen.frames)


async def test_waiting_search_is_answered_automatically(
    table: Table, board: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    table(page_route(board, "/"))
    monkeypatch.setattr("project.limits.connections.SEARCHES", Rate(1, 2))
    async with open_page("/") as screen:
        for number in range(4):
            await screen.go(f"/?q=word{number}")
        assert (screen.path, screen.closed) == ("/?q=word3", None)


async def test_page_views_that_search_are_limited_per_address(
    clock: Clock, table: Table, board: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    table(page_route(board, "/"))
    async with serving():
        monkeypatch.setattr("project.limits.connections.SEARCHES_ADDRESS", Rate(20, 1))
        monkeypatch.setattr(process, "connection_limits", ConnectionLimits())
        statuses = [(await page_response(f"/?q={n}", [], client=HOME)).status_code for n in range(25)]
        assert statuses == [200] * 20 + [429] * 5
        refused = await page_response("/?q=more", [], client=HOME)
        assert (refused["Retry-After"], refused["Refresh"], refused["Cache-Control"]) == ("1", "1", "no-store")
        assert b"Please wait a moment." in refused.content
        assert "Content-Security-Policy" in refused
        assert (await page_response("/", [], client=HOME)).status_code == 200
        assert (await page_response("/?q=more", [], client="203.0.113.1")).status_code == 200
        clock.now += 1
        assert (await page_response("/?q=more", [], client=HOME)).status_code == 200


async def test_socket_for_a_search_is_limited_per_address(clock: Clock, table: Table, board: Board) -> None:
    table(page_route(board, "/"))
    async with open_page("/?q=word") as screen:
        screen.address = HOME
        while not process.connection_limits.search(HOME, "/?q=word"):
            continue
        with pytest.raises(AssertionError, match="closed with 4002"):
            await screen.go_online()
        assert screen.wire.reason == "retry=1"
        clock.now += 1
        await screen.go_online()
        assert screen.closed is None
