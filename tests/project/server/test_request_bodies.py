"""No posted body blocks the event loop: the largest body of each kind, at every address, by every role."""

import re
import resource
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http import HTTPStatus
from itertools import count, product
from typing import Any

import pytest
from django.conf import settings
from django.core.files.base import ContentFile
from django.test import AsyncClient

from apps.imports.participant_files.columns import COLUMNS
from project.http.unstored_bodies import NOT_STORED, BodyHandler
from project.limits.rates import BODY_BYTES, LARGE_BODIES
from project.urls import urlpatterns
from tests.factories import AdminFactory
from tests.nginx import CONF
from tests.project.security.trying import plain_path_of
from tests.project.small import Small, small_site
from tests.servers import posted, request
from tests.serving import session_cookie

pytestmark = pytest.mark.django_db(transaction=True)
LAG_MOST = 100  # milliseconds
NO_SESSION, MADE_UP = "", f"{settings.SESSION_COOKIE_NAME}=made-up; {settings.CSRF_COOKIE_NAME}={'c' * 32}"
MULTIPART, FORM = "multipart/form-data; boundary=x", "application/x-www-form-urlencoded"


ADDRESSES = ["/", *(plain_path_of(each) for each in urlpatterns[:-1])]


def nested(size: int) -> bytes:
    """Return 450 nested parts of this total size. Parsing them without a limit exceeds the recursion limit."""
    parts = (
        b"--%b\r\nContent-Type: multipart/mixed; boundary=%b\r\n\r\n" % (b"x" * each, b"x" * (each + 1))
        for each in range(1, 451)
    )
    return b"".join(parts)[: size // 2].ljust(size, b"\n")


def file_of(rows: Callable[[int], str], size: int) -> bytes:
    """Return a file of participants with as many of these rows as fit."""
    lines = ["|".join(COLUMNS), *map(rows, range(9_999))]
    content_ = "\n".join(lines).encode()[: size - 200]
    return b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n%b\r\n--x--\r\n' % content_


def pieces(row: int) -> str:
    """Return a row with long pieces that occur in no other row."""
    return f"A{row}|B{row}|Poland|" + "|".join(f"{row}{place} {'no.1,' * 18}" for place in range(5))


KINDS: dict[str, tuple[str, Callable[[int], bytes]]] = {
    "newlines": (MULTIPART, lambda size: b"\n" * size),
    "parts in parts": (MULTIPART, nested),
    "boundaries": (MULTIPART, lambda size: b"--x\r\n" * (size // 5)),
    "fields": (FORM, lambda size: b"a&" * (size // 2)),
    "escapes": (FORM, lambda size: b"a=" + b"%ff" * ((size - 2) // 3)),
    "deep JSON": ("application/json", lambda size: b"[" * size),
    "a file of pieces": (MULTIPART, lambda size: file_of(pieces, size)),
    "a file of letters": (MULTIPART, lambda size: file_of(lambda row: f"{row}|{'é' * 240}|", size)),
}


SMALL_KINDS = [KINDS[kind] for kind in ("newlines", "parts in parts", "fields", "deep JSON")]


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory, django_db_setup: None) -> Iterator[Small]:
    """A process without rate limits."""
    with small_site(tmp_path_factory.mktemp("bodies"), VENUE_ADDRESSES="127.0.0.0/8") as made:
        yield made


COUNT = count()  # makes each address unique, so that no page comes from the cache


async def lag(small: Small) -> int:
    """Return the longest block of the event loop since the last call, in milliseconds."""
    _, answer = await request(small, f"/lag?at={next(COUNT)}")
    heading = re.search(rb"<h1[^>]*>Lag (\d+) ms", answer)
    assert heading, answer
    return int(heading[1])


def test_body_limits_are_those_of_nginx() -> None:
    text = CONF.read_text()
    sizes = {"k": 1 << 10, "m": 1 << 20}
    places = dict(
        re.findall(r"location = (\S+) \{(?:(?!\n        \}).)*?client_max_body_size (\d+[km]);", text, re.DOTALL)
    )
    assert {path: int(size[:-1]) * sizes[size[-1]] for path, size in places.items()} == LARGE_BODIES
    assert re.findall(r"^    client_max_body_size (\w+);", text, re.MULTILINE) == [f"{BODY_BYTES >> 10}k"]
    assert settings.DATA_UPLOAD_MAX_MEMORY_SIZE == BODY_BYTES


@pytest.fixture
def admin() -> str:
    """The session cookie of an administrator."""
    return session_cookie(AdminFactory())


async def test_no_body_blocks_the_event_loop(small: Small, admin: str) -> None:
    await lag(small)
    lags = {}
    for turn, (cookie, address) in enumerate(product((NO_SESSION, MADE_UP, admin), ADDRESSES)):
        size = LARGE_BODIES.get(address, BODY_BYTES) if cookie else BODY_BYTES
        kinds = list(KINDS.values()) if address in LARGE_BODIES else SMALL_KINDS
        step = 4 if cookie != admin else 1 if address in LARGE_BODIES else 2
        for content_type, body in kinds[turn % step :: step]:
            status, _ = await posted(small, address, body(size), Cookie=cookie, Content_Type=content_type)
            assert status != HTTPStatus.REQUEST_ENTITY_TOO_LARGE or address == "/error-log", address
        lags[cookie, address] = await lag(small)
    assert {key: milliseconds for key, milliseconds in lags.items() if milliseconds > LAG_MOST} == {}


async def test_too_long_body_is_refused_before_it_is_sent(small: Small) -> None:
    file = LARGE_BODIES["/participant-file"] + 1
    for address, cookie, size, page in (
        ("/participant-file", NO_SESSION, BODY_BYTES + 1, "/login?next=%2Fadmin%2Fimport"),
        ("/participant-file?kind=jury", NO_SESSION, BODY_BYTES + 1, "/login?next=%2Fadmin%2Fjury"),
        ("/long-text?x", NO_SESSION, BODY_BYTES + 1, ""),
        ("/", MADE_UP, BODY_BYTES + 1, ""),
        ("/participant-file?kind=none", MADE_UP, file, "/admin/import?file=refused&why=large"),
        ("/participant-file?kind=jury", MADE_UP, file, "/admin/jury?file=large"),
    ):
        headers = {"Content_Length": str(size), "Expect": "100-continue", "Cookie": cookie}
        status, answer = await request(small, address, "POST", **headers)
        assert status == (HTTPStatus.SEE_OTHER if page else HTTPStatus.REQUEST_ENTITY_TOO_LARGE), address
        assert (f"Location: {page}\r\n".encode() in answer) == bool(page), address
        assert b"Connection: close" in answer


async def test_refused_body_is_answered_after_it_was_sent(small: Small) -> None:
    status, _ = await posted(small, "/long-text", b"\n" * LARGE_BODIES["/participant-file"])
    assert status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE
    status, _ = await posted(small, "/participant-file", b"\n" * LARGE_BODIES["/participant-file"])
    assert status == HTTPStatus.SEE_OTHER


@contextmanager
def full_disk(process: int = 0) -> Iterator[None]:
    """Have the kernel refuse to let a process, by default this one, write more than 200 kB into a file."""
    before = resource.prlimit(process, resource.RLIMIT_FSIZE)
    resource.prlimit(process, resource.RLIMIT_FSIZE, (200_000, before[1]))
    try:
        yield
    finally:
        resource.prlimit(process, resource.RLIMIT_FSIZE, before)


async def test_body_that_cannot_be_stored_is_answered_503(small: Small, admin: str) -> None:
    file, headers = file_of(pieces, 3 << 20), {"Cookie": admin, "Content_Type": MULTIPART}
    assert small.process
    with full_disk(small.process.pid):
        for body in (file, file[:203_000]):
            status, answer = await posted(small, "/participant-file", body, **headers)
            assert (status, NOT_STORED in answer) == (HTTPStatus.SERVICE_UNAVAILABLE, True)
    status, _ = await posted(small, "/participant-file", file, **headers)
    assert status != HTTPStatus.SERVICE_UNAVAILABLE
    client = AsyncClient(raise_request_exception=False)
    client.cookies.load(admin)
    with full_disk():
        answer = await client.post("/participant-file", {"file": ContentFile(file, "a.csv")})
    assert (answer.status_code, answer.content) == (HTTPStatus.SERVICE_UNAVAILABLE, NOT_STORED)
    sent = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": file}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "POST", "path": "/participant-file", "query_string": b"", "headers": []}
    with full_disk():
        await BodyHandler()(scope, receive, send)
    assert [each.get("status", each.get("body")) for each in sent] == [HTTPStatus.SERVICE_UNAVAILABLE, NOT_STORED]


async def test_chunked_body_is_refused_once_it_is_too_long(small: Small) -> None:
    piece = b"%x\r\n%b\r\n" % (BODY_BYTES, b"\n" * BODY_BYTES)
    status, _ = await posted(small, "/", piece * 2, Content_Length="", Transfer_Encoding="chunked")
    assert status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE
