"""Page views: content and status for each role and address."""

import logging
from typing import Any

import pytest

from apps.core.observability import ErrorLogHandler
from apps.core.threads import in_thread
from components.runtime.rendering import live_part
from components.runtime.rendering.live_part import LARGE
from components.runtime.rendering.serializer import pieces
from project.process.web_process import process
from tests.factories import AdminFactory
from tests.project.asking import ask, signed_in
from tests.project.conftest import Table
from tests.project.pages import Board, page_route

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("process_runs")]


async def test_page_is_a_complete_html_document(pages: None) -> None:
    answer = await ask("/")
    assert answer.status == 200
    assert answer.header("content-type") == "text/html; charset=utf-8"
    assert answer.header("content-length") == str(len(answer.body))
    assert answer.text.startswith('<!doctype html><html lang="en">')
    assert answer.text.endswith("</html>")
    assert "/ first, nobody" in answer.text
    assert '<div class="part">part first</div>' in answer.text
    assert answer.text.count('data-part="part:en"') == 1


async def test_head_answers_the_headers_without_the_body(pages: None) -> None:
    full, head = await ask("/"), await ask("/", "HEAD")
    headers, others = ([pair for pair in answer.headers if pair[0] != "x-request-id"] for answer in (full, head))
    assert (head.status, others, head.body) == (200, headers, b"")


VALID = [
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


async def test_valid_addresses_show_their_page(pages: None) -> None:
    for address, shown in VALID:
        answer = await ask(address)
        assert answer.status == 200, address
        assert shown in answer.text
        assert "<script>" not in answer.text.replace('<script type="application/json"', "")


REDIRECTS = [
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


async def test_other_addresses_redirect(pages: None) -> None:
    for address, to in REDIRECTS:
        answer = await ask(address)
        assert (answer.status, answer.header("location")) == (302, to), address
        assert answer.header("cache-control") == "no-store"


async def test_access_depends_on_the_role(pages: None, board: Board) -> None:
    fan, admin = await signed_in(), await signed_in(AdminFactory)
    assert (await ask("/mine", cookie=fan)).status == 200
    refused = await ask("/backstage", cookie=fan)
    assert (refused.status, refused.header("location")) == (302, "/")
    assert "/backstage" not in board.reads
    assert (await ask("/backstage", cookie=admin)).status == 200


async def test_invalid_cookie_is_anonymous(pages: None) -> None:
    for cookie in ("session=nonsense", "session=", "session=a; session=b", "session=\x01", "other=1; session"):
        answer = await ask("/", cookie=cookie)
        assert answer.status == 200, cookie
        assert "Sign out" not in answer.text
        assert (await ask("/mine", cookie=cookie)).status == 302


async def test_pages_accept_only_get_and_head(pages: None) -> None:
    for method in ("POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"):
        for address in ("/", "/list", "/nowhere"):
            answer = await ask(address, method)
            assert answer.status == 405, (method, address)
            assert answer.header("allow") == "GET, HEAD"


async def test_unknown_host_is_refused_and_not_logged(pages: None, caplog: pytest.LogCaptureFixture) -> None:
    for host in ("evil.example", "localhost.evil.example", "localhost:8000@evil.example", "a b", ""):
        answer = await ask("/", host=host)
        assert answer.status == 400, host
        assert not host or host not in answer.text
    assert [record.message for record in caplog.records if record.levelno >= logging.ERROR] == []


async def test_failed_page_shows_an_error_and_is_stored(pages: None) -> None:
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


async def test_failed_part_fails_its_page_and_recovers(pages: None, board: Board) -> None:
    board.failing.add("part")
    assert (await ask("/")).status == 500
    board.failing.clear()
    assert (await ask("/")).status == 200


async def test_large_page_reuses_the_html_of_its_parts(
    table: Table, board: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts = tuple(board.part(name) for name in ("one", "two", "three"))
    table(page_route(board, "/", parts=lambda _: tuple((part, ()) for part in parts)))
    board.texts |= {"one": "a" * (LARGE // 2), "two": "b" * (LARGE // 2), "three": "first"}
    serialized: list[Any] = []
    monkeypatch.setattr(live_part, "pieces", lambda model: serialized.append(model) or pieces(model))
    first = await ask("/", cookie=await signed_in())
    assert len(serialized) == 4  # with the mark of a live session
    second = await ask("/", cookie=await signed_in())
    assert first.text.count("b" * (LARGE // 2)) == second.text.count("b" * (LARGE // 2)) == 2  # HTML and data
    assert len(serialized) == 4
    board.texts["three"] = "second"
    process.bus.notify_listeners("three")
    changed = await ask("/", cookie=await signed_in())
    assert '<div class="part">second</div>' in changed.text
    assert len(serialized) == 5
