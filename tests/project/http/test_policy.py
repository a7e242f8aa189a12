"""The security headers of every answer."""

import pytest
from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage

from apps.core.threads import in_thread
from components.routes import table as real_table
from components.runtime.rendering.document import import_map, import_map_hash
from project.http.middleware import public_origin, security_headers
from tests.factories import AdminFactory
from tests.project.asking import ask
from tests.project.conftest import Table
from tests.project.pages import Board, page_route
from tests.serving import session_cookie

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("process_runs")]
EXPECTED = {
    "referrer-policy": "strict-origin-when-cross-origin",  # Django's default breaks the video player
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
}


def addresses() -> list[str]:
    """Return the addresses of every page, and of some that are no pages."""
    pages = [route.pattern.replace("{id}", "1") for route in real_table()]
    return [*pages, "/unknown", "/participants/", "/robots.txt", "/sitemap.xml", "/favicon.ico", "/healthz"]


async def test_every_address_has_the_security_headers() -> None:
    admin = await in_thread(lambda: session_cookie(AdminFactory()))
    for address in addresses():
        for headers in ({}, {"cookie": admin}):
            answer = await ask(address, **headers)
            assert answer.status in (200, 302, 404), address
            assert {name: answer.header(name) for name in EXPECTED} == EXPECTED, address
            assert answer.header("content-security-policy") == security_headers()["Content-Security-Policy"], address
            assert answer.header("permissions-policy"), address


async def test_every_error_has_the_security_headers(table: Table, board: Board) -> None:
    table(page_route(board, "/broken"))
    board.failing.add("/broken")
    answers = {
        400: await ask("/", host="evil.example"),
        403: await ask("/sign-out", "POST", origin="https://evil.example"),
        405: await ask("/", "POST"),
        500: await ask("/broken"),
    }
    for status, answer in answers.items():
        assert answer.status == status
        assert {name: answer.header(name) for name in EXPECTED} == EXPECTED, status
        assert answer.header("content-security-policy") == security_headers()["Content-Security-Policy"], status


def directives() -> dict[str, list[str]]:
    """Return the directives of the Content-Security-Policy."""
    parts = [part.split() for part in security_headers()["Content-Security-Policy"].split(";")]
    return {name: values for name, *values in parts}


def test_policy_denies_by_default_and_allows_no_inline_code() -> None:
    known = directives()
    assert known["default-src"] == ["'none'"]
    assert known["script-src"] == ["'self'", f"'{import_map_hash()}'"]
    assert known["style-src"] == known["font-src"] == ["'self'"]
    assert known["frame-src"] == ["https://www.youtube-nocookie.com"]
    assert known["connect-src"] == ["'self'", settings.PUBLIC_URL.replace("http", "ws", 1)]
    assert known["frame-ancestors"] == known["base-uri"] == known["object-src"] == ["'none'"]
    assert "unsafe" not in str(known)


async def test_typeface_is_preloaded() -> None:
    address = staticfiles_storage.url("build/serif.woff2")
    tag = f'<link rel="preload" href="{address}" as="font" type="font/woff2" crossorigin>'
    assert (await ask("/")).text.count(tag) == (await ask("/login")).text.count(tag) == 1


async def test_import_map_is_the_only_inline_script() -> None:
    page = (await ask("/")).text
    scripts = [script.partition(">") for script in page.split("<script")[1:]]
    inline = [(tag, text.partition("</script>")[0]) for tag, _, text in scripts if " src=" not in tag]
    kinds = {tag for tag, _ in inline if 'type="application/json"' not in tag}
    assert kinds == {' type="importmap"'}
    assert [text for tag, text in inline if "importmap" in tag] == [import_map()]
    assert " style=" not in page
    assert "<style" not in page
    assert not [name for name in ("onclick=", "onload=", "onerror=", "javascript:") if name in page.lower()]


@pytest.mark.parametrize(
    ("address", "socket", "has_hsts"),
    [("http://localhost:1", "ws://localhost:1", False), ("https://parterre.example", "wss://parterre.example", True)],
)
def test_public_site_requires_encryption(
    monkeypatch: pytest.MonkeyPatch, address: str, socket: str, has_hsts: bool
) -> None:
    monkeypatch.setattr(settings, "PUBLIC_URL", address)
    security_headers.cache_clear()
    try:
        headers = security_headers()
        assert f"connect-src 'self' {socket};" in headers["Content-Security-Policy"]
        assert ("Strict-Transport-Security" in headers) is has_hsts
        assert public_origin() == address
    finally:
        security_headers.cache_clear()
