"""Polls of open pages without a socket: their answers for each role, and their cost compared with page views."""

import asyncio
import gzip
import json
import time
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from apps.accounts.actors import OPERATOR
from apps.competition.services.live import performer_set
from apps.core.buckets import Buckets, Rate
from apps.core.threads import in_thread
from components.routes import table as page_table
from project.http.page_cache import page_cache
from project.process.web_process import process
from tests.components.conftest import busy_session_with
from tests.factories import AdminFactory
from tests.project.asking import Answer, ask, signed_in
from tests.project.conftest import Table
from tests.project.pages import Board, page_route

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("process_runs")]


MARK = "live_mark:en"  # the part that frames every page


class Poller:
    """An open page that polls. It keeps what it received, as the client does."""

    def __init__(self, address: str, **headers: str) -> None:
        self.address, self.headers = address, headers
        self.versions: dict[str, str] = {}
        self.model: Any = None
        self.known = ("", "")  # the last address that was polled, and its ETag
        self.answer: Answer

    @property
    def path(self) -> str:
        """Return the address of the next poll."""
        held = ",".join("~".join(pair) for pair in self.versions.items())
        return f"{self.address}{'&' if '?' in self.address else '?'}parts=1&half=&versions={held}"

    @property
    def etag(self) -> str:
        """Return the ETag of the last answer, if it belongs to the next address."""
        return self.known[1] if self.known[0] == self.path else ""

    async def poll(self, **headers: str) -> list[str]:
        """Poll once. Return what arrived: the keys of parts, "page" for the page's model, the types of other frames."""
        path = self.path
        self.answer = await ask(path, **{"if_none_match": self.etag} if self.etag else {}, **self.headers, **headers)
        if self.answer.status != 200:
            return []
        self.known = (path, self.answer.header("etag"))
        answer = json.loads(self.text)
        if "frames" not in answer:
            return ["leave"]
        frames = [frame if isinstance(frame, list) else [frame] for frame in answer["frames"]]  # parts come in lists
        return [self._take(content, answer) for frame in frames for content in frame]

    @property
    def text(self) -> str:
        """Return the text of the last answer."""
        body = self.answer.body
        return (gzip.decompress(body) if self.answer.header("content-encoding") else body).decode()

    def _take(self, frame: dict[str, Any] | list[Any], answer: dict[str, Any]) -> str:
        match frame:
            case [key, version, _]:
                self.versions[key] = version
                return str(key)
            case {"type": "layout-update", "path": "", "model": model}:
                self.model, self.versions["page"] = model, answer["page"]
                return "page"
        return str(frame["type"])


async def test_poll_answers_changes_and_then_304(pages: None, board: Board) -> None:
    page = Poller("/")
    assert await page.poll() == [MARK, "part:en", "page"]
    assert (page.versions.keys(), page.model["tagName"]) == ({MARK, "part:en", "page"}, "")
    assert await page.poll() == []
    assert page.answer.status == 200, "another address: it holds something now"
    assert await page.poll() == []
    assert (page.answer.status, page.answer.body) == (304, b"")
    board.texts["part"] = "part second"
    process.bus.notify_listeners("part")
    assert await page.poll() == ["part:en"]
    assert b"part second" in page.answer.body
    board.texts["/"] = "second"
    process.bus.notify_listeners("home")
    assert await page.poll() == ["page"]
    assert b"second" in page.answer.body
    assert [address for address, _ in page_cache.entries] == ["/"], "it is the page's own entry"


async def test_versions_from_the_browser_select_no_part(table: Table, board: Board) -> None:
    mine, other = board.part("mine"), board.part("other")
    table(
        page_route(board, "/", parts=lambda _: ((mine, ()),)),
        page_route(board, "/list", parts=lambda _: ((other, ()),)),
    )
    await Poller("/list").poll()
    page = Poller("/")
    page.versions = {"other:en": "1", "mine:7:en": "2", "__proto__": "3"}
    assert sorted(await page.poll()) == [MARK, "mine:en", "page"]
    assert process.parts.live.keys() == {MARK, "other:en", "mine:en"}


async def test_inner_parts_come_first(table: Table, board: Board) -> None:
    inner = board.part("inner")
    outer = board.part("outer", holds=lambda _: (inner(language="en"),), number=inner.number + 1)
    table(page_route(board, "/", parts=lambda _: ((outer, ()),)))
    came = await Poller("/").poll()
    assert came.index("inner:en") < came.index("outer:en") < came.index("page")


async def test_members_poll_contains_slots_and_is_not_cached(table: Table, board: Board) -> None:
    part = board.part("part", holes="own")
    table(page_route(board, "/", parts=lambda _: ((part, ()),), own="own"))
    fan, anonymous = Poller("/", cookie=await signed_in()), Poller("/")
    await anonymous.poll()
    assert b"own first of" not in anonymous.answer.body
    assert anonymous.answer.header("cache-control") == "public, max-age=0, s-maxage=2, must-revalidate"
    assert sorted(await fan.poll()) == [MARK, "page", "part:en"]
    assert b"own first of" in fan.answer.body
    assert fan.answer.header("cache-control") == "no-store"
    for poller in (fan, anonymous):
        assert poller.answer.header("vary") == "Cookie, Accept-Encoding"
        assert "frame-ancestors 'none'" in poller.answer.header("content-security-policy")
    assert (json.loads(anonymous.answer.body)["account"], type(json.loads(fan.answer.body)["account"])) == (None, int)
    await fan.poll()
    await fan.poll()
    assert fan.answer.status == 304
    board.texts["own"] = "own second"
    assert await fan.poll() == ["page"]
    assert b"own second of" in fan.answer.body


async def test_poll_of_a_closed_page_redirects(pages: None) -> None:
    fan = {"cookie": await signed_in()}
    closed = (("/mine", {}, "/login?next=%2Fmine"), ("/backstage", fan, "/"), ("/nowhere", fan, "/"))
    for address, headers, to in closed:
        answer = await ask(f"{address}?parts=1&half=&versions=", **headers)
        body = json.loads(answer.body)
        assert (answer.status, body["leave"], body["account"] is None) == (200, to, not headers)
        assert answer.header("cache-control") == "no-store"


async def test_poll_of_a_plain_page_reloads_it(table: Table, board: Board) -> None:
    table(replace(page_route(board, "/"), plain=True))
    for _ in range(2):
        assert json.loads((await ask("/?parts=1&half=&versions=")).body)["leave"] == "/"
        assert (await ask("/")).status == 200, "which the page cache keeps"


async def test_polls_are_told_their_pace_and_limited_apart_from_pages(
    pages: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process.connection_limits, "polls", Buckets(Rate(2, 1 / 9)))
    monkeypatch.setattr(process.connection_limits, "next_polls", {})
    page, answers = Poller("/"), []
    for _ in range(3):
        await page.poll()
        answers.append((page.answer.status, page.answer.header("poll-after"), page.answer.header("retry-after")))
    assert answers == [(200, "", ""), (200, "21", ""), (429, "30", "30")]
    assert (await ask("/")).status == 200, "page views are counted by the proxy"


async def test_poll_of_an_outdated_client_is_marked(pages: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("components.runtime.rendering.browser_half.browser_half", lambda: "2000-new")
    answer = await ask("/?parts=1&half=1000-old&versions=")
    assert {"type": "outdated"} in json.loads(answer.body)["frames"]
    same = await ask("/?parts=1&half=2000-new&versions=")
    assert {"type": "outdated"} not in json.loads(same.body)["frames"]


async def test_anonymous_polls_share_one_encoded_body(pages: None, board: Board) -> None:
    page_cache.entries.clear()
    first = Poller("/")
    await first.poll(accept_encoding="gzip")
    bodies = page_cache.entries["/", "en"].polled.bodies
    assert len(bodies) == 1
    (body,) = bodies.values()
    for number in range(20):
        again = await ask("/?parts=1&half=&versions=", accept_encoding="gzip")
        assert again.body == body
        await ask(f"/?parts=1&half=&versions=page~{number}")
    assert len(page_cache.entries["/", "en"].polled.bodies) <= 8, "versions from browsers do not fill the memory"
    assert (board.reads.count("/"), board.reads.count("part")) == (1, 1)


QUEUES = ("/admin", "/admin/tonight")  # they show the time until which their queue was read


async def test_unchanged_page_has_a_stable_version() -> None:
    """Every page has a stable version: otherwise each poll would send the whole model again."""
    made = await in_thread(lambda: busy_session_with(3))
    admin = await signed_in(AdminFactory)
    for route in page_table():
        if route.plain or route.pattern in QUEUES:
            continue
        address = route.pattern.replace("{id}", str(made.session.pk))
        for headers in ({}, {"cookie": admin}):
            page = Poller(address, **headers)
            if await page.poll() == ["leave"]:
                assert not headers or route.redirects, address
                continue
            page_cache.entries.clear()  # as in another process
            assert "page" not in await page.poll(), address


@pytest.mark.parametrize("is_member", [False, True])
async def test_poll_is_not_more_expensive_than_a_page_view(is_member: bool) -> None:
    """Both are measured alternately, in processor time. Viewers poll three times after each change of the performer."""
    made = await in_thread(lambda: busy_session_with(4))
    address, own = f"/sessions/{made.session.pk}", {"cookie": await signed_in()} if is_member else {}
    page, etag = Poller(address, accept_encoding="gzip", **own), ""
    await page.poll()
    views = polls = 0.0
    for appearance in made.appearances:
        await perform(appearance)
        await ask(address)  # the first view renders the parts again
        for _ in range(3):
            for _ in range(4):
                begun = time.process_time()
                await ask(address, accept_encoding="gzip", if_none_match=etag, **own)
                middle = time.process_time()
                await ask(page.path, accept_encoding="gzip", if_none_match=page.etag, **own)
                views, polls = views + middle - begun, polls + time.process_time() - middle
            etag = (await ask(address, accept_encoding="gzip", **own)).header("etag")
            await page.poll()
    assert polls <= views, (polls, views)


async def perform(appearance: Any) -> None:
    """Set the performer, and return once this process has received the notification."""
    received = asyncio.Event()
    stop = process.bus.subscribe(f"session.{appearance.session_id}.performer", received.set)
    await in_thread(partial(performer_set, actor=OPERATOR, appearance_id=appearance.pk))
    await asyncio.wait_for(received.wait(), 60)
    stop()
