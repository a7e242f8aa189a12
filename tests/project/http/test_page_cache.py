"""The page cache: which views it keeps, their encodings and headers, its size limits, and invalidation."""

import asyncio
import gzip
import re

import brotli  # type: ignore[import-untyped]  # it has no stubs
import pytest

from components.routes import Access, Route
from components.runtime import Page, PageRequest, VdomDict, cached_markup, component, html, use_viewer
from project.http.page_cache import page_cache
from project.process.web_process import process
from tests.project.asking import Answer, ask, signed_in
from tests.project.conftest import Table
from tests.project.pages import Board

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("process_runs")]


async def test_anonymous_page_is_cached_until_it_changes(pages: None, board: Board) -> None:
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


async def test_known_etag_answers_304(pages: None) -> None:
    first = await ask("/")
    for form in ("{}", "W/{}", '"other", {}', '"other",W/{} , "more"'):
        known = await ask("/", if_none_match=form.format(first.header("etag")))
        assert (known.status, known.body) == (304, b""), form
        assert known.header("etag") == first.header("etag")
        assert known.every("content-length") == []
        assert known.header("content-security-policy") == first.header("content-security-policy")
    assert (await ask("/", if_none_match='"other"')).status == 200


async def test_cached_page_is_sent_with_gzip(pages: None, board: Board) -> None:
    first = await ask("/")
    packed = await ask("/", accept_encoding="gzip")
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


async def test_cached_page_is_sent_with_brotli(pages: None, board: Board) -> None:
    first, member = await ask("/"), await signed_in()
    packed = await ask("/", accept_encoding="gzip, br")
    assert (packed.header("content-encoding"), packed.header("content-length")) == ("br", str(len(packed.body)))
    assert brotli.decompress(packed.body) == first.body
    assert packed.header("etag") == first.header("etag")[:-1] + '-br"'
    for accepted, coding in (("gzip, br", "br"), ("gzip, br;q=0", "gzip"), ("br", ""), ("", "")):
        known = await ask("/", accept_encoding=accepted, if_none_match=packed.header("etag"))
        suffix = f'-{coding}"' if coding else '"'
        assert (known.status, known.header("etag")) == (304, first.header("etag")[:-1] + suffix), accepted
        assert (await ask("/", accept_encoding=accepted)).header("content-encoding") == coding
    board.texts["part"] = "part second"
    process.bus.notify_listeners("part")
    for accepted, unpack in (("gzip, br", brotli.decompress), ("gzip", gzip.decompress)):
        changed = await ask("/", accept_encoding=accepted, if_none_match=packed.header("etag"))
        assert (changed.status, b"part second" in unpack(changed.body)) == (200, True)
    own = await ask("/", accept_encoding="gzip, br", cookie=member)
    assert own.header("content-encoding") == "gzip", "only its public text is compressed (BREACH)"
    assert b"Sign out" in gzip.decompress(own.body)


async def test_only_public_text_of_a_members_page_is_compressed(pages: None, board: Board) -> None:
    cookie = await signed_in()
    board.texts["part"] = "public text " * 10_000  # longer than one stored block of deflate
    plain = await ask("/?q=guess", cookie=cookie)
    packed = await ask("/?q=guess", accept_encoding="gzip", cookie=cookie)
    assert (packed.header("content-encoding"), packed.header("content-length")) == ("gzip", str(len(packed.body)))
    assert (plain.header("content-encoding"), packed.header("vary")) == ("", "Cookie, Accept-Encoding")
    token = re.compile(rb'name="(csrfmiddlewaretoken|key)" value="\w+"')  # differs in each view
    assert token.sub(b"", gzip.decompress(packed.body)) == token.sub(b"", plain.body)
    assert len(packed.body) < len(plain.body) / 10
    assert b"public text public text" not in packed.body
    assert b"Sign out" in packed.body, "the viewer's own text is not compressed"
    guesses = ("Sign+out", "csrfmidd", "zqxjvkwy")  # of equal length, more or less similar to the page's text
    answers = [await ask(f"/?q={guess}", accept_encoding="gzip", cookie=cookie) for guess in guesses]
    assert len({len(answer.body) for answer in answers}) == 1, "the length would reveal the content"
    without_query = await ask("/", accept_encoding="gzip", cookie=cookie)
    assert len(without_query.body) < len(packed.body) - 500, "text of the anonymous page is compressed"
    for own in (b' data-account="', b'name="csrfmiddlewaretoken" value="'):
        assert own in without_query.body


@cached_markup
def _welcome() -> VdomDict:
    return html.p("Welcome back to the house. " * 40)


@component
def _door(page: Page) -> VdomDict:
    viewer = use_viewer()
    own = (_welcome(), html.p(f"Seat of {viewer.username}. " * 40)) if viewer.is_signed_in else ()
    return html.main(html.h1(page.title), *own)


def _door_load(_: PageRequest) -> Page:
    return Page(title="Door", description="A test.", component=_door)


async def test_cached_markup_for_members_is_compressed(table: Table) -> None:
    table(Route("/door", _door_load, Access.PUBLIC))
    anonymous = await ask("/door", accept_encoding="gzip, br")
    assert anonymous.header("content-encoding") == "br"
    assert b"Welcome back" not in brotli.decompress(anonymous.body)
    own = await ask("/door", accept_encoding="gzip, br", cookie=await signed_in())
    whole = gzip.decompress(own.body)
    assert whole.count(b"Welcome back to the house. ") == 2 * whole.count(b"<p>Welcome") * 40, "HTML and data"
    assert b"Welcome back" not in own.body, "it is the same for all viewers"
    assert b"Seat of " in own.body, "text with the viewer's name is not compressed"


async def test_members_page_is_not_cached(pages: None, board: Board) -> None:
    fan = await signed_in()
    anonymous = await ask("/")
    for _ in range(2):
        own = await ask("/", cookie=fan, if_none_match=anonymous.header("etag"))
        assert own.status == 200
        assert own.header("cache-control") == "no-store"
        assert own.header("vary") == "Cookie, Accept-Encoding"
        assert own.every("etag") == []
        assert "Sign out" in own.text
    assert "Sign out" not in (await ask("/")).text


async def test_cache_drops_the_least_recently_used_pages(pages: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("project.http.page_cache.PAGE_CACHE_PAGES", 10)
    await ask("/")
    for number in range(20):
        assert (await ask(f"/list?page={number}")).status == 200
        await ask("/")
    assert [address for address, _ in page_cache.entries] == [*(f"/list?page={n}" for n in range(11, 20)), "/"]


async def test_cache_is_limited_in_bytes(pages: None, monkeypatch: pytest.MonkeyPatch) -> None:
    await ask("/list", accept_encoding="gzip")
    one = page_cache.entries["/list", "en"].size + 100  # the other addresses are longer
    assert one > 1000
    monkeypatch.setattr("project.http.page_cache.PAGE_CACHE_BYTES", 3 * one)
    for number in range(20):
        await ask(f"/list?page={number}", accept_encoding="gzip")
        assert sum(entry.size for entry in page_cache.entries.values()) <= 3 * one
    assert len(page_cache.entries) == 3


async def test_cache_is_off_while_the_bus_is_disconnected(pages: None, board: Board) -> None:
    await ask("/")
    process.bus.connected.clear()
    for _ in range(2):
        assert (await ask("/")).status == 200
    assert board.reads.count("/") == 3
    assert not page_cache.entries


async def test_page_that_changes_during_its_read_is_read_again(pages: None, board: Board) -> None:
    board.held.add("/")
    request: asyncio.Task[Answer] = asyncio.create_task(ask("/"))
    await asyncio.to_thread(board.entered.acquire, timeout=20)
    board.texts["/"] = "second"
    process.bus.notify_listeners("home")
    board.may_read.set()
    assert "/ first" in (await request).text
    assert "second" in (await ask("/")).text
