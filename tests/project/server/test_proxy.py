"""Two web processes behind Debian's nginx with the configuration for deployments."""

import asyncio
import ssl
from collections import Counter
from collections.abc import Iterator
from email import message_from_bytes
from email.message import Message
from http import HTTPStatus
from itertools import product
from pathlib import Path
from typing import NamedTuple

import psycopg
import pytest
from django.db import connection

from apps.imports.limits import FILE_BYTES
from project.http.middleware import security_headers
from project.observability.watchdog import EXIT_CODE
from tests.e2e import content
from tests.e2e.server import free_port
from tests.nginx import Nginx
from tests.project.small import Small
from tests.rolling import Site, behind, people
from tests.servers import PATIENCE, Socket
from tests.waiting import until

pytestmark = pytest.mark.django_db  # the processes read it
VIEWERS, READERS = 15, 1
ANONYMOUS, HALL = "127.0.0.2", "127.0.0.1"  # sources of requests; to the proxy, the second is the venue
SECRET = "s3cr3t"
TOO_MUCH = 70_000  # bytes
HSTS = "Strict-Transport-Security"


class Answer(NamedTuple):
    """A response."""

    status: int
    headers: Message
    body: str


async def ask(
    proxy: Nginx, line: str, *headers: str, source: str = HALL, host: str = "Host: localhost", body: bytes = b""
) -> Answer:
    """Send one request from this source address, over TLS if the proxy uses it."""
    trusted = ssl.create_default_context(cafile=proxy.folder / "fullchain.pem") if proxy.tls else None
    reader, writer = await asyncio.open_connection(
        HALL, proxy.tls_port if proxy.tls else proxy.port, local_addr=(source, 0), ssl=trusted,
        server_hostname="localhost" if proxy.tls else None,
    )  # fmt: skip
    head = "\r\n".join([f"{line} HTTP/1.1", *filter(None, [host]), "Connection: close", *headers])
    writer.write(f"{head}\r\n\r\n".encode() + body)
    async with asyncio.timeout(PATIENCE):
        first, fields = await reader.readline(), await reader.readuntil(b"\r\n\r\n")
        headers_ = message_from_bytes(fields)
        # nginx waits some seconds for the rest of a request before it closes the connection: do not wait for the end.
        size = headers_["Content-Length"]
        content_ = await reader.read() if size is None else await reader.readexactly(int(size))
    writer.close()
    return Answer(int(first.split()[1]), headers_, content_.decode())


def own_headers(answer: Answer) -> None:
    """Assert that the answer has each security header once, with the proxy's own policy."""
    for name, value in security_headers().items():
        [sent] = answer.headers.get_all(name, [])
        assert sent == value or name == "Content-Security-Policy", name
    assert answer.headers["Content-Security-Policy"].startswith("default-src 'none'; ")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, django_db_setup: None) -> Iterator[Site]:
    """Two small processes behind the proxy. They drain for longer than nginx skips a refusing upstream."""
    folder = tmp_path_factory.mktemp("proxy")
    address = content.address(connection.settings_dict["NAME"])
    folders = [folder / "web-1", folder / "web-2"]
    for each in folders:
        each.mkdir()
    processes = [Small(each, address, "LOOP_DEAD_SECONDS=4", DRAIN_SECONDS="4") for each in folders]
    with behind(folder, list(processes)) as made:
        made.place, made.pages_every = "/", 0.05
        yield made
    with psycopg.connect(address, autocommit=True) as owner:  # these processes log into the tests' database
        owner.execute("DELETE FROM error_logs")


async def test_page_has_the_headers_of_its_process_once(site: Site) -> None:
    answer = await ask(site.proxy, "GET /")
    assert answer.status == HTTPStatus.OK
    for name in security_headers():
        assert len(answer.headers.get_all(name, [])) == 1, name
    assert "script-src 'self'" in answer.headers["Content-Security-Policy"]


async def test_compressed_frames_pass_the_proxy(site: Site) -> None:
    """The extension is negotiated between browser and process: the proxy passes its header and the frames."""
    viewer = await Socket(site.proxy, extensions="permessage-deflate").open()  # type: ignore[arg-type]  # it has port and address too
    assert b"permessage-deflate" in viewer.head
    await viewer.until(b'[["')
    assert viewer.compressed


SESSION = "Cookie: a=b; session=x"


async def test_large_bodies_pass_only_at_the_import_address(site: Site) -> None:
    lines = (f"Content-Length: {FILE_BYTES}", "Content-Type: application/octet-stream", SESSION)
    answer = await ask(site.proxy, "POST /participant-file", *lines, body=b"x" * FILE_BYTES)
    assert answer.status == HTTPStatus.FORBIDDEN  # the web process refuses it: there is no CSRF token
    longer = 2 * FILE_BYTES
    answer = await ask(site.proxy, "POST /participant-file", f"Content-Length: {longer}", SESSION, body=b"x" * longer)
    page = "/admin/import?file=refused&why=large"
    assert (answer.status, answer.headers["Location"]) == (HTTPStatus.SEE_OTHER, page)


async def test_large_bodies_without_a_session_are_refused(alone: Nginx) -> None:
    """The proxy answers before the body arrives: the test sends none."""
    for cookies in ((), ("Cookie: session=",), ("Cookie: csrf=x; old-session=y",)):
        lines = ("Content-Length: 900000", *cookies)
        answer = await ask(alone, "POST /participant-file", *lines)
        assert (answer.status, answer.headers["Location"]) == (HTTPStatus.SEE_OTHER, "/login?next=%2Fadmin%2Fimport")
        answer = await ask(alone, "POST /participant-file?kind=jury", *lines)
        assert answer.headers["Location"] == "/login?next=%2Fadmin%2Fjury"
        answer = await ask(alone, "POST /long-text", *lines)
        assert answer.status == HTTPStatus.FORBIDDEN
        own_headers(answer)
    large = ("Content-Length: 9000000", "Cookie: __Host-session=x")
    for query, page in (("", "/admin/import?file=refused&why=large"), ("?kind=jury", "/admin/jury?file=large")):
        answer = await ask(alone, f"POST /participant-file{query}", *large)
        assert (answer.status, answer.headers["Location"]) == (HTTPStatus.SEE_OTHER, page)
    answer = await ask(alone, "GET /participant-file", "Cookie: __Host-session=x")
    assert answer.status == HTTPStatus.BAD_GATEWAY  # passed on, but no process runs


OWN = {
    "a missing file": (404, ["GET /static/missing"]),
    "a file that is posted to": (405, ["POST /static/plain.js"]),
    "too much": (413, ["POST /", f"Content-Length: {TOO_MUCH}"]),
    "too long an address": (414, [f"GET /{'a' * 9000}"]),
    "too long a header": (400, ["GET /", f"Cookie: {'a' * 9000}"]),
    "no host": (400, ["GET /"]),
}


async def test_errors_of_the_proxy_are_plain_pages_with_all_headers(site: Site) -> None:
    (site.proxy.static / "plain.js").touch()
    for name, (status, lines) in OWN.items():
        host, body = "" if name == "no host" else "Host: localhost", b"x" * TOO_MUCH if name == "too much" else b""
        answer = await ask(site.proxy, *lines, host=host, body=body)
        assert answer.status == status, name
        own_headers(answer)
        assert "nginx" not in answer.body
        assert "<h1>" in answer.body
        assert 'lang="en"' in answer.body


async def test_hashed_files_are_cached_longer_than_others(site: Site) -> None:
    for name, cache in {
        "plain.js": "public, max-age=300",
        "folder/hashed.0123456789ab.js": "public, max-age=31536000, immutable",
        "folder.0123456789ab.js/plain.js": "public, max-age=300",
    }.items():
        (site.proxy.static / name).parent.mkdir(exist_ok=True)
        (site.proxy.static / name).write_text("1;")
        answer = await ask(site.proxy, f"GET /static/{name}")
        assert (answer.status, answer.body) == (HTTPStatus.OK, "1;"), name
        assert answer.headers.get_all("Cache-Control") == [cache]
        own_headers(answer)


TYPES = {"js": "text/javascript", "css": "text/css", "svg": "image/svg+xml"}
CODINGS = {
    "gzip, deflate, br, zstd": "br",
    "br;q=0.001": "br",
    "gzip, br;q=1.0": "br",
    "gzip;q=1.0, br;q=0": "gzip",
    "br ; q=0.000, gzip": "gzip",
    "brotli, gzip": "gzip",
    "identity": None,
}


async def test_files_have_the_smallest_accepted_coding(site: Site) -> None:
    for ending, (accepted, coding) in product(TYPES, CODINGS.items()):
        case, file = (ending, accepted), site.proxy.static / f"packed.0123456789ab.{ending}"
        file.write_text("plain")
        file.with_name(f"{file.name}.br").write_text("by br")
        file.with_name(f"{file.name}.gz").write_text("by gzip")
        answer = await ask(site.proxy, f"GET /static/{file.name}", f"Accept-Encoding: {accepted}")
        assert (answer.status, answer.body) == (HTTPStatus.OK, f"by {coding}" if coding else "plain"), case
        assert answer.headers.get_all("Content-Encoding") == ([coding] if coding else None), case
        assert answer.headers.get_all("Vary") == ["Accept-Encoding"], case
        assert answer.headers.get_content_type() == TYPES[ending], case
        assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable", case
        own_headers(answer)
        known = f"If-None-Match: {answer.headers['ETag']}"
        repeated = await ask(site.proxy, f"GET /static/{file.name}", f"Accept-Encoding: {accepted}", known)
        assert repeated.status == HTTPStatus.NOT_MODIFIED, case
    (site.proxy.static / "small.js").write_text("1;")  # without compressed forms
    answer = await ask(site.proxy, "GET /static/small.js", "Accept-Encoding: gzip, br")
    assert (answer.body, answer.headers["Content-Encoding"]) == ("1;", None)


async def test_operator_addresses_are_unknown_behind_the_proxy(site: Site) -> None:
    for path in ("/readyz", "/healthz", "/metrics", "/%72eadyz", "//readyz", "/x/../readyz"):
        answer = await ask(site.proxy, f"GET {path}")
        assert (answer.status, answer.headers["Location"]) == (HTTPStatus.FOUND, "/"), path
        own_headers(answer)


@pytest.fixture
def alone(tmp_path: Path) -> Iterator[Nginx]:
    """A proxy without processes behind it."""
    proxy = Nginx(tmp_path, [free_port(), free_port()], venues=[HALL])
    try:
        proxy.start()
        yield proxy
    finally:
        proxy.stop()


@pytest.mark.parametrize(("path", "at_once"), [("/login", 300), ("/", 600)])
async def test_venue_has_its_own_limits(alone: Nginx, path: str, at_once: int) -> None:
    """Anonymous addresses get this many requests at once and then 429. The venue's addresses get ten times as many."""

    async def statuses(source: str, number: int) -> Counter[int]:
        answers = await asyncio.gather(*(ask(alone, f"GET {path}", source=source) for _ in range(number)))
        return Counter(answer.status for answer in answers)

    anonymous: Counter[int] = Counter()
    for _ in range(10):  # the limit refills while a busy machine sends the requests
        if not anonymous[429]:
            anonymous += await statuses(ANONYMOUS, 2 * at_once)
    assert anonymous[502] > at_once
    assert anonymous[429]
    assert await statuses(HALL, at_once * 2) == {502: at_once * 2}

    async def refusal() -> Answer | None:  # one more request may be allowed a moment later
        answers = await asyncio.gather(*(ask(alone, f"GET {path}", source=ANONYMOUS) for _ in range(20)))
        return next((answer for answer in answers if answer.status == HTTPStatus.TOO_MANY_REQUESTS), None)

    refused = await until(refusal, "an anonymous address is refused")
    own_headers(refused)
    assert refused.headers["Retry-After"] == "5"
    assert "too many requests" in refused.body
    others = ("GET /?parts=1&half=&versions=", "POST /do/comment_add", "GET /live/")
    assert {line: (await ask(alone, line, source=ANONYMOUS)).status for line in others} == dict.fromkeys(others, 502)


async def test_posted_forms_of_a_crowd_are_delayed_and_not_refused(alone: Nginx) -> None:
    """More forms at once than nginx passes on at once: it holds the rest back."""
    answers = await asyncio.gather(*(ask(alone, "POST /login", source=ANONYMOUS) for _ in range(110)))
    assert Counter(answer.status for answer in answers) == {502: 110}


async def test_missing_process_is_a_plain_page_and_logs_have_no_secret(alone: Nginx) -> None:
    answer = await ask(alone, f"GET /reset-password?key={SECRET}", f"Cookie: session={SECRET}")
    own_headers(answer)
    assert (answer.status, answer.headers["Retry-After"]) == (HTTPStatus.BAD_GATEWAY, "5")
    assert "try again" in answer.body
    alone.stop()
    assert '"GET /reset-password" 502 ' in alone.access_log.read_text()
    assert SECRET not in alone.access_log.read_text() + alone.log.read_text()


async def test_tls_configuration_works_as_described(site: Site, tmp_path: Path) -> None:
    proxy = Nginx(tmp_path, site.proxy.ports, tls=True)
    try:
        proxy.start()
        page, missing = await ask(proxy, "GET /"), await ask(proxy, "GET /static/missing")
        proxy.tls = False
        redirect = await ask(proxy, "GET /news?page=2")
        proxy.tls = True
    finally:
        proxy.stop()
    assert (page.status, missing.status) == (HTTPStatus.OK, HTTPStatus.NOT_FOUND)
    assert page.headers.get_all(HSTS) == missing.headers.get_all(HSTS) == ["max-age=63072000; includeSubDomains"]
    own_headers(missing)
    assert (redirect.status, redirect.headers["Location"]) == (
        HTTPStatus.MOVED_PERMANENTLY,
        f"{proxy.address}/news?page=2",
    )
    assert redirect.headers[HSTS] is None


async def test_rolling_restart_causes_no_errors(site: Site) -> None:
    async with people(site, "/", viewers=VIEWERS, readers=READERS):
        exits = await site.roll(VIEWERS)
    assert exits == [0, 0]
    assert site.pages.keys() == {200}
    assert site.handshakes.keys() == {101}
    assert site.closed.keys() == {1012}, "each accepted socket gets a close frame"
    assert site.handshakes[101] == VIEWERS + site.closed[1012]
    for process in site.processes:
        assert ", 0 cancelled" in process.said(), "it ended before its deadline"


async def test_blocking_request_is_not_retried_at_the_next_process(site: Site) -> None:
    """A page that blocks its process until the watchdog ends it is not retried at the other process.

    It is the last test of the site: one process has ended.
    """
    answer = await ask(site.proxy, "GET /blocked")
    assert answer.status in {HTTPStatus.BAD_GATEWAY, HTTPStatus.GATEWAY_TIMEOUT}
    own_headers(answer)
    assert (await ask(site.proxy, "GET /")).status == HTTPStatus.OK
    ended = [process for process in site.processes if "the event loop has stood still for" in process.said()]
    assert len(ended) == 1
    assert isinstance(ended[0], Small)
    assert await asyncio.to_thread(ended[0].ended) == EXIT_CODE
