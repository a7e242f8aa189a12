"""Page views: who gets what, with which status, and what may keep it."""

import asyncio
import gzip
import logging
import re
from collections.abc import AsyncIterator
from typing import Any

import pytest

from apps.core.observability.error_log import ErrorLogHandler
from apps.core.threads import in_thread
from components.routes import Access
from project.http.page_cache import page_cache
from project.process.web_process import process
from tests.factories import AdminFactory, UserFactory
from tests.project.asking import Answer, ask
from tests.project.conftest import Table
from tests.project.pages import Board, page_route
from tests.screen import open_page
from tests.serving import serving, session_cookie

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
async def process_runs() -> AsyncIterator[None]:
    """What a web process holds."""
    async with serving():
        yield


@pytest.fixture
def pages(table: Table, board: Board) -> None:
    """A home page, a page with an id, one for members, one for administrators, one that fails."""
    part = board.part("part")
    table(
        page_route(board, "/", topics=("home",), parts=lambda _: ((part, ()),)),
        page_route(board, "/list"),
        page_route(board, "/list/{id}"),
        page_route(board, "/mine", access=Access.SIGNED_IN),
        page_route(board, "/backstage", access=Access.ADMIN),
        page_route(board, "/broken"),
    )
    board.failing.add("/broken")


async def signed_in(factory: Any = UserFactory) -> str:
    """The cookie of a new account."""
    return await in_thread(lambda: session_cookie(factory()))


async def test_a_page_is_whole_html(pages: None) -> None:
    answer = await ask("/")
    assert answer.status == 200
    assert answer.header("content-type") == "text/html; charset=utf-8"
    assert answer.header("content-length") == str(len(answer.body))
    assert answer.text.startswith('<!doctype html><html lang="en">')
    assert answer.text.endswith("</html>")
    assert "/ first, nobody" in answer.text
    assert '<div class="part">part first</div>' in answer.text
    assert answer.text.count('data-part="part:en"') == 1


async def test_head_has_the_headers_without_the_body(pages: None) -> None:
    full, head = await ask("/"), await ask("/", "HEAD")
    headers, others = ([pair for pair in each.headers if pair[0] != "x-request-id"] for each in (full, head))
    assert (head.status, others, head.body) == (200, headers, b"")


SHOWN = [
    ("/list?q=a&page=2", "{&#x27;q&#x27;: &#x27;a&#x27;, &#x27;page&#x27;: &#x27;2&#x27;}"),
    ("/list?q=%C5%82&q=b&empty=", "{&#x27;q&#x27;: &#x27;b&#x27;}"),
    ("/list?q=a%00b", "{&#x27;q&#x27;: &#x27;ab&#x27;}"),
    ("/list?" + "&".join(f"f{number}=1" for number in range(30)), "{}"),
    ("/list?%FF=%FF&=&&;", "{&#x27;\ufffd&#x27;: &#x27;\ufffd&#x27;}"),
    ("/list?q=%3Cscript%3E", "&lt;script&gt;"),
    ("/list/7", "{&#x27;id&#x27;: &#x27;7&#x27;}"),
    ("/list/0", "{&#x27;id&#x27;: &#x27;0&#x27;}"),
    ("/list/" + "9" * 18, "{&#x27;id&#x27;: &#x27;" + "9" * 18 + "&#x27;}"),
]


async def test_addresses_reach_their_page(pages: None) -> None:
    for address, shown in SHOWN:
        answer = await ask(address)
        assert answer.status == 200, address
        assert shown in answer.text
        assert "<script>" not in answer.text.replace('<script type="application/json"', "")


ELSEWHERE = [
    ("/list/", "/list"),
    ("//list", "/list"),
    ("/list/7/?q=a", "/list/7?q=a"),
    ("/nowhere", "/"),
    ("/list/07", "/"),
    ("/list/00", "/"),
    ("/list/-1", "/"),
    ("/list/" + "9" * 19, "/"),
    ("/list/٧", "/"),
    ("/list/1٧", "/"),
    ("/list/7/more", "/"),
    ("//evil.example/", "/"),
    ("/\\evil.example", "/"),
    ("/list\r\nSet-Cookie: a=b", "/"),
    ("/static", "/"),
    ("/mine", "/login?next=%2Fmine"),
    ("/mine?a=b&c", "/login?next=%2Fmine%3Fa%3Db%26c"),
    ("/backstage", "/login?next=%2Fbackstage"),
    ("/" + "x" * 5000, "/"),
]


async def test_other_addresses_lead_where_they_should(pages: None) -> None:
    for address, to in ELSEWHERE:
        answer = await ask(address)
        assert (answer.status, answer.header("location")) == (302, to), address
        assert answer.header("cache-control") == "no-store"


async def test_rights_decide(pages: None, board: Board) -> None:
    fan, admin = await signed_in(), await signed_in(AdminFactory)
    assert (await ask("/mine", cookie=fan)).status == 200
    refused = await ask("/backstage", cookie=fan)
    assert (refused.status, refused.header("location")) == (302, "/")
    assert "/backstage" not in board.reads
    assert (await ask("/backstage", cookie=admin)).status == 200


async def test_a_strangers_page_may_be_kept_until_it_changes(pages: None, board: Board) -> None:
    first = await ask("/")
    assert first.header("cache-control") == "public, max-age=0, s-maxage=2, must-revalidate"
    assert first.header("vary") == "Cookie, Accept-Encoding"
    assert first.every("set-cookie") == []
    again = await ask("/")
    assert (again.body, again.header("etag")) == (first.body, first.header("etag"))
    assert board.reads.count("/") == 1, "the document is kept"
    board.texts["/"] = "second"
    process.bus.notify_listeners("home")
    changed = await ask("/")
    assert "second" in changed.text
    assert changed.header("etag") != first.header("etag")
    board.texts["part"] = "part second"
    process.bus.notify_listeners("part")
    other = await ask("/")
    assert "part second" in other.text
    assert other.header("etag") not in {first.header("etag"), changed.header("etag")}
    assert board.reads.count("/") == 2


async def test_who_knows_the_page_is_told_so(pages: None) -> None:
    first = await ask("/")
    for form in ("{}", "W/{}", '"other", {}', '"other",W/{} , "more"'):
        known = await ask("/", if_none_match=form.format(first.header("etag")))
        assert (known.status, known.body) == (304, b""), form
        assert known.header("etag") == first.header("etag")
        assert known.every("content-length") == []
        assert known.header("content-security-policy") == first.header("content-security-policy")
    assert (await ask("/", if_none_match='"other"')).status == 200


async def test_a_kept_page_travels_compressed_to_those_who_take_it(pages: None, board: Board) -> None:
    first = await ask("/")
    packed = await ask("/", accept_encoding="br, gzip")
    assert (packed.header("content-encoding"), packed.header("content-length")) == ("gzip", str(len(packed.body)))
    assert gzip.decompress(packed.body) == first.body
    same = ("cache-control", "vary", "content-type", "content-security-policy", "x-content-type-options")
    assert [packed.header(name) for name in same] == [first.header(name) for name in same]
    assert packed.header("etag") == first.header("etag")[:-1] + '-gzip"'
    for form in (first, packed):
        known = await ask("/", if_none_match=form.header("etag"), accept_encoding="gzip")
        assert (known.status, known.body, known.header("etag")) == (304, b"", packed.header("etag"))
        assert known.every("content-encoding") == known.every("content-length") == []
        assert (await ask("/", if_none_match=form.header("etag"))).status == 304
    head = await ask("/", "HEAD", accept_encoding="gzip")
    assert (head.body, head.header("content-length")) == (b"", str(len(packed.body)))
    board.texts["part"] = "part second"
    process.bus.notify_listeners("part")
    changed = [await ask("/", accept_encoding="gzip", if_none_match=packed.header("etag")) for _ in range(2)]
    assert [answer.status for answer in changed] == [200, 200]
    assert all(b"part second" in gzip.decompress(answer.body) for answer in changed)
    member = await ask("/", accept_encoding="gzip", cookie=await signed_in())
    assert b"Sign out" in gzip.decompress(member.body)


async def test_of_a_signed_in_viewers_page_only_what_is_public_is_compressed(pages: None, board: Board) -> None:
    cookie = await signed_in()
    board.texts["part"] = "everybody's " * 10_000  # more than a block of deflate holds as it is
    plain = await ask("/?q=guess", cookie=cookie)
    packed = await ask("/?q=guess", accept_encoding="gzip", cookie=cookie)
    assert (packed.header("content-encoding"), packed.header("content-length")) == ("gzip", str(len(packed.body)))
    assert (plain.header("content-encoding"), packed.header("vary")) == ("", "Cookie, Accept-Encoding")
    token = re.compile(rb'name="(csrfmiddlewaretoken|key)" value="\w+"')  # another one with each view
    assert token.sub(b"", gzip.decompress(packed.body)) == token.sub(b"", plain.body)
    assert len(packed.body) < len(plain.body) / 10
    assert b"everybody's everybody's" not in packed.body
    assert b"Sign out" in packed.body, "what is the viewer's own stands there as it is"
    guesses = ("Sign+out", "csrfmidd", "zqxjvkwy")  # as long as each other, more or less like what stands there
    answers = [await ask(f"/?q={guess}", accept_encoding="gzip", cookie=cookie) for guess in guesses]
    assert len({len(answer.body) for answer in answers}) == 1, "its length tells what is in it"


async def test_a_signed_in_viewers_page_is_kept_by_nobody(pages: None, board: Board) -> None:
    fan = await signed_in()
    stranger = await ask("/")
    for _ in range(2):
        own = await ask("/", cookie=fan, if_none_match=stranger.header("etag"))
        assert own.status == 200
        assert own.header("cache-control") == "no-store"
        assert own.header("vary") == "Cookie, Accept-Encoding"
        assert own.every("etag") == []
        assert "Sign out" in own.text
    assert "Sign out" not in (await ask("/")).text


async def test_a_cookie_of_nobody_is_a_stranger(pages: None) -> None:
    for cookie in ("session=nonsense", "session=", "session=a; session=b", "session=\x01", "other=1; session"):
        answer = await ask("/", cookie=cookie)
        assert answer.status == 200, cookie
        assert "Sign out" not in answer.text
        assert (await ask("/mine", cookie=cookie)).status == 302


async def test_pages_are_only_read(pages: None) -> None:
    for method in ("POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"):
        for address in ("/", "/list", "/nowhere"):
            answer = await ask(address, method)
            assert answer.status == 405, (method, address)
            assert answer.header("allow") == "GET, HEAD"


async def test_a_wrong_host_is_refused_and_fills_no_log(pages: None, caplog: pytest.LogCaptureFixture) -> None:
    for host in ("evil.example", "localhost.evil.example", "localhost:8000@evil.example", "a b", ""):
        answer = await ask("/", host=host)
        assert answer.status == 400, host
        assert not host or host not in answer.text
    assert [record.message for record in caplog.records if record.levelno >= logging.ERROR] == []


async def test_a_page_that_fails_says_so_in_a_sentence_and_is_recorded(pages: None) -> None:
    def recorded() -> list[Any]:
        from apps.core.models import ErrorLog

        return list(ErrorLog.objects.values_list("page_url", "user_agent", "message", "error_details", "severity"))

    handler = ErrorLogHandler()
    logging.getLogger().addHandler(handler)
    try:
        answer = await ask("/broken?token=secret", user_agent="Browser 1")
        assert await in_thread(handler.drain)
    finally:
        logging.getLogger().removeHandler(handler)
        handler.close()
    assert answer.status == 500
    assert answer.header("cache-control") == "no-store"
    assert "Traceback" not in answer.text
    assert "cannot be read" not in answer.text
    assert "<h1>" in answer.text
    [(page_url, agent, message, details, severity)] = await in_thread(recorded)
    assert (page_url, agent, message, severity) == ("/broken", "Browser 1", "a page view failed", "error")
    assert "/broken cannot be read" in details
    assert (await ask("/")).status == 200


async def test_a_part_that_fails_fails_its_page_and_recovers(pages: None, board: Board) -> None:
    board.failing.add("part")
    assert (await ask("/")).status == 500
    board.failing.clear()
    assert (await ask("/")).status == 200


async def test_the_cache_is_bounded_in_pages_and_forgets_those_asked_for_longest_ago(
    pages: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("project.http.page_cache.PAGE_CACHE_PAGES", 10)
    await ask("/")
    for number in range(20):
        assert (await ask(f"/list?page={number}")).status == 200
        await ask("/")
    assert [address for address, _ in page_cache.entries] == [*(f"/list?page={n}" for n in range(11, 20)), "/"]


async def test_the_cache_is_bounded_in_bytes(pages: None, monkeypatch: pytest.MonkeyPatch) -> None:
    await ask("/list", accept_encoding="gzip")
    one = page_cache.entries["/list", "en"].size + 100  # the others have longer addresses
    assert one > 1000
    monkeypatch.setattr("project.http.page_cache.PAGE_CACHE_BYTES", 3 * one)
    for number in range(20):
        await ask(f"/list?page={number}", accept_encoding="gzip")
        assert sum(entry.size for entry in page_cache.entries.values()) <= 3 * one
    assert len(page_cache.entries) == 3


async def test_a_page_that_changed_is_forgotten_by_whoever_asks_next(pages: None) -> None:
    await ask("/")
    process.bus.notify_listeners("other")
    assert page_cache.get("/", "en") is not None
    process.bus.notify_listeners("home")
    assert page_cache.get("/", "en") is None
    assert not page_cache.entries


async def test_nothing_is_cached_while_nobody_would_tell_of_changes(pages: None, board: Board) -> None:
    await ask("/")
    process.bus.connected.clear()
    for _ in range(2):
        assert (await ask("/")).status == 200
    assert board.reads.count("/") == 3
    assert not page_cache.entries


async def test_a_page_that_changed_while_it_was_read_is_read_again(pages: None, board: Board) -> None:
    board.held.add("/")
    asking: asyncio.Task[Answer] = asyncio.create_task(ask("/"))
    await asyncio.to_thread(board.entered.acquire, timeout=20)
    board.texts["/"] = "second"
    process.bus.notify_listeners("home")
    board.may_read.set()
    assert "/ first" in (await asking).text
    assert "second" in (await ask("/")).text


async def test_views_and_sockets_share_what_was_read(pages: None, board: Board) -> None:
    await ask("/")
    assert "/ first, nobody" in (await ask("/", cookie=await signed_in())).text
    async with open_page("/") as screen:
        assert "/ first, nobody" in screen.text
    assert board.reads.count("/") == 1
