"""With `TABLE_ROWS` rows in each listed table, no page computes for long, and none blocks the event loop.

`make soak` fills the tables with ten thousand.

Times are processor times of this process, so a busy machine fails no test.
"""

import gc
import os
import time
from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path

import pytest
from django.db import transaction

from apps.accounts.actors import ANONYMOUS
from components.routes import Access, Target, find, table
from components.runtime.hooks import PageViewConnection
from components.runtime.rendering.layout import HookConnection, rendered
from components.site import site
from project.http import page_view
from project.http.page_cache import GZIP, page_load
from tests.emptying import tables_truncate
from tests.factories import AdminFactory
from tests.owner import as_owner
from tests.project.lag import Lag
from tests.serving import page_response, serving, session_cookie

ROWS = int(os.environ.get("TABLE_ROWS", "1000"))
FILL = Path(__file__).with_name("full_tables.sql").read_text(encoding="utf-8").replace("ROWS", str(ROWS))
# times `reference_seconds`, measured around each page; the slowest other page needs 7 to 10
PAGE_MOST, LAG_MOST = 15, 3
# A ranking is in one piece: a member's page reads all performances of the stage for the table of all viewers, for the
# member's own, and for the member's states. It needs 11 to 16.
PAGES_MOST = dict.fromkeys(("/stages/1", "/stages/1?&page=999999999"), 20)
PATIENCE = 120.0  # seconds that a page may wait for the processor
ROUNDS = 3
ASKS = {"/community/report": "?thing=post%3A1"}
LAST = "&page=999999999"
LISTS = {
    Access.PUBLIC: (
        *("/participants?country=" + LAST, "/participants?q=ada", "/participants?q=sol&still_in=on"),
        *("/sessions?show=past", "/sessions?show=all" + LAST, "/stages/1?" + LAST),
        *("/participants/1?tab=ratings", f"/community?post={ROWS}", f"/community?post={ROWS}&earlier=1"),
        "/sessions/1?open=2",
    ),
    Access.ADMIN: (
        *(f"/admin?tab={tab}" for tab in ("reports", "performances", "live", "avatars", "audit")),
        *("/admin?tab=unusual&stage=1", "/admin/pieces?q=piece" + LAST, "/admin/participants?q=" + LAST),
        *("/admin/sessions?mode=edit&id=1", "/admin/blog?mode=edit&id=1", "/admin/participants?mode=create"),
        *("/admin/programs?session=1", "/admin/program-import?session=1"),
    ),
}


@pytest.fixture
def cookie(transactional_db: None) -> Iterator[str]:
    """Insert the rows, and yield the session cookie of an administrator."""
    with as_owner() as preparing:
        tables_truncate(preparing)  # otherwise foreign keys are checked with plans for few rows
    with transaction.atomic(), as_owner() as filling:
        filling.execute("SET LOCAL statement_timeout = 0")
        filling.execute(FILL)
        filling.execute("DELETE FROM announcements")  # the site's worker would announce all of them
    found = session_cookie(AdminFactory())
    gc.collect()
    # As a web process does before it serves. It stays: unfrozen, all imports and tests would be in each collection, and
    # garbage of a quarter of their size would wait for one.
    gc.freeze()
    yield found
    with as_owner() as tidying:
        tables_truncate(tidying)  # the statistics of the tables would mislead other tests


def addresses(*kinds: Access) -> list[str]:
    """Return the addresses of these pages, with the id 1, and of their lists."""
    routes = (route for route in table() if route.access in kinds and not route.plain)
    of_routes = [route.pattern.replace("{id}", "1") + ASKS.get(route.pattern, "") for route in routes]
    return [*of_routes, *(address for kind in kinds for address in LISTS.get(kind, ()))]


@pytest.mark.limit(300, reason="fills all tables and reads every page")
async def test_pages_of_full_tables_take_bounded_time(cookie: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_view, "PAGE_WAIT", PATIENCE)
    signed_in = [(b"cookie", cookie.encode())]
    public = addresses(Access.PUBLIC)
    requests: list[tuple[str, list[tuple[bytes, bytes]]]] = [(address, []) for address in public]
    # a member's slots are read with a public page; with few rows, those of half of the pages suffice
    member = public if ROWS > 1000 else public[::2]
    requests += [(address, signed_in) for address in (*member, *addresses(Access.SIGNED_IN, Access.ADMIN))]
    for _ in range(ROUNDS):  # a page that is slow because other programs run is slow once
        async with serving():
            await page_response("/privacy", signed_in, coding=GZIP)
            await page_response("/", [], coding=GZIP)
            slow = {}
            for address, headers in requests:
                if fault := await page_fault(address, headers):
                    slow[address, bool(headers)] = fault
            with_effects = [address for address in public if await has_effects(address)]
        requests = [(address, headers) for address, headers in requests if (address, bool(headers)) in slow]
        if not slow:
            break
    assert slow == {}
    assert with_effects == []  # else each anonymous window has a layout of its own (docs/adr/0018)


async def page_fault(address: str, headers: list[tuple[bytes, bytes]]) -> tuple[int, float, float] | None:
    """Return status, CPU time and longest hold of the event loop of a page that exceeds a limit, both in references."""
    lag, begun = Lag().start(), time.process_time()
    response = await page_response(address, headers, coding=GZIP)
    spent, lagged = time.process_time() - begun, lag.stop()
    reference = reference_seconds()
    took, held = spent / reference, lagged / reference
    is_there = response.status_code in (HTTPStatus.OK, HTTPStatus.FOUND)
    is_quick = took <= PAGES_MOST.get(address, PAGE_MOST) and held <= LAG_MOST
    return None if is_there and is_quick else (response.status_code, round(took, 3), round(held, 3))


def reference_seconds() -> float:
    """The processor's time for a fixed computation: a slow or busy processor makes pages slower by the same factor."""
    begun = time.process_time()
    sum(number * number % 7 for number in range(200_000))
    return 5 * (time.process_time() - begun)


async def has_effects(address: str) -> bool:
    """Whether a component of this public page has an effect before a page event."""
    target = find(address, ANONYMOUS)
    assert isinstance(target, Target)
    page = await page_load(target, ANONYMOUS, "en")
    connection = HookConnection({"type": "http"}, PageViewConnection(page, ANONYMOUS))
    return (await rendered(site(), connection)).has_effects
