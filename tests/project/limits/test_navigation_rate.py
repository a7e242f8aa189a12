"""Rate limits of searches and navigations, by window, by address and for page views; the browser is asked to wait."""

from ipaddress import ip_network
from types import SimpleNamespace
from typing import Any

import pytest

from apps.core import buckets
from apps.core.buckets import Rate
from apps.core.threads import in_thread
from components.routes import is_search
from project.http.page_view import page_response
from project.limits.connections import ConnectionLimits, NavigationRate
from project.limits.rates import PAGES, SEARCHES, SEARCHES_ADDRESS, SEARCHES_SIGNED_IN
from project.process.web_process import process
from project.sockets.window import SENTENCE
from tests.factories import UserFactory
from tests.project.conftest import Table
from tests.project.moves import navigation_target, until
from tests.project.pages import Board, page_route
from tests.screen import Screen, open_page
from tests.serving import serving

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


@pytest.mark.parametrize(
    ("address", "found"),
    [
        ("/participants?q=ewa", True),
        ("/participants?country=Poland&q=%C5%82", True),
        ("/admin?tab=audit&q=x", True),
        ("/participants", False),
        ("/participants?q=", False),
        ("/participants?q=+", False),
        ("/participants?country=q", False),
        ("/sessions?query=ewa", False),
    ],
)
def test_a_search_is_an_address_that_looks_for_a_text(address: str, found: bool) -> None:
    assert is_search(address) is found


@pytest.mark.parametrize(("is_signed_in", "rate"), [(False, SEARCHES), (True, SEARCHES_SIGNED_IN)])
def test_a_window_searches_so_often_a_minute_and_goes_elsewhere_meanwhile(
    clock: Clock, is_signed_in: bool, rate: Rate
) -> None:
    assert rate.burst == (30 if is_signed_in else 15) == rate.per_second * 60
    pace = NavigationRate(process.connection_limits, "")
    waits = [pace.wait(is_search=True, is_signed_in=is_signed_in) for _ in range(int(rate.burst) + 1)]
    assert waits == [0] * int(rate.burst) + [60 / rate.burst]
    assert pace.wait(is_search=False, is_signed_in=is_signed_in) == 0
    clock.now += 60 / rate.burst
    assert pace.wait(is_search=True, is_signed_in=is_signed_in) == 0
    assert pace.wait(is_search=True, is_signed_in=is_signed_in) > 0


@pytest.mark.parametrize(("address", "times"), [(HOME, 1), ("198.51.100.9", 10)])
def test_all_windows_of_an_address_search_so_often_and_a_hall_ten_times(
    clock: Clock, settings: Any, address: str, times: int
) -> None:
    settings.VENUE_ADDRESSES = (ip_network("198.51.100.0/24"),)
    assert (SEARCHES_ADDRESS.burst, SEARCHES_ADDRESS.per_second * 60) == (150, 150)
    process.connection_limits.pages = buckets.Buckets(Rate(1e9, 1e9))
    answered = [
        NavigationRate(process.connection_limits, address).wait(is_search=True, is_signed_in=False) == 0
        for _ in range(3000)
    ]
    assert sum(answered) == 150 * times, "of 3,000 searches, each from a window of its own"
    assert process.connection_limits.search(address, "/participants?q=ewa") > 0, "and as pages"
    assert process.connection_limits.search(address, "/participants") == 0
    assert process.connection_limits.search("203.0.113.1", "/participants?q=ewa") == 0
    assert process.connection_limits.search("", "/participants?q=ewa") == 0


@pytest.mark.parametrize(("address", "times"), [(HOME, 1), ("198.51.100.9", 10)])
def test_all_windows_of_an_address_go_elsewhere_as_often_as_nginx_lets_pages_through(
    clock: Clock, settings: Any, address: str, times: int
) -> None:
    settings.VENUE_ADDRESSES = (ip_network("198.51.100.0/24"),)
    assert Rate(200, 20) == PAGES
    answered = [
        NavigationRate(process.connection_limits, address).wait(is_search=False, is_signed_in=False) == 0
        for _ in range(3000)
    ]
    assert sum(answered) == 200 * times
    clock.now += 1
    answered = [
        NavigationRate(process.connection_limits, address).wait(is_search=False, is_signed_in=False) == 0
        for _ in range(3000)
    ]
    assert sum(answered) == 20 * times


def searched(screen: Screen, words: str) -> None:
    """Send this search without waiting for the answer."""
    screen.requests += 1
    screen._event(navigation_target(screen), {"path": f"/?q={words}", "versions": {}, "number": screen.requests})


async def told(screen: Screen, *, times: int) -> None:
    """Wait until the browser was asked to wait this many times."""
    await until(lambda: screen.frames.count(WAIT) == times)


@pytest.mark.parametrize("signed_in", [False, True])
async def test_who_searches_too_fast_is_told_and_the_newest_search_is_answered(
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
            searched(screen, f"more{number}")
            await told(screen, times=number)
        await screen.go("/")
        clock.now += 60 / most
        searched(screen, "newest")
        await screen.until("newest")
        assert (screen.path, screen.closed) == ("/?q=newest", None)
        assert "more" not in str(screen.frames)


async def test_a_search_that_waits_is_answered_by_itself(
    table: Table, board: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    table(page_route(board, "/"))
    monkeypatch.setattr("project.limits.connections.SEARCHES", Rate(1, 2))
    async with open_page("/") as screen:
        for number in range(4):
            await screen.go(f"/?q=word{number}")
        assert (screen.path, screen.closed) == ("/?q=word3", None)


async def test_a_page_that_is_a_search_is_counted_by_its_address(
    clock: Clock, table: Table, board: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    table(page_route(board, "/"))
    async with serving():
        monkeypatch.setattr(process, "connection_limits", ConnectionLimits())
        statuses = [(await page_response(f"/?q={n}", [], address=HOME)).status_code for n in range(160)]
        assert statuses == [200] * 150 + [429] * 10
        refused = await page_response("/?q=more", [], address=HOME)
        assert (refused["Retry-After"], refused["Refresh"], refused["Cache-Control"]) == ("1", "1", "no-store")
        assert b"Please wait a moment." in refused.content
        assert "Content-Security-Policy" in refused
        assert (await page_response("/", [], address=HOME)).status_code == 200
        assert (await page_response("/?q=more", [], address="203.0.113.1")).status_code == 200
        clock.now += 1
        assert (await page_response("/?q=more", [], address=HOME)).status_code == 200


async def test_a_socket_for_a_search_comes_back_when_its_address_may_search(
    clock: Clock, table: Table, board: Board
) -> None:
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
