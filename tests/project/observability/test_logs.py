"""Log lines: one line each, with the request's context, and without secrets."""

import asyncio
import json
import logging
import re
import sys
from collections.abc import Iterator
from logging.config import DictConfigurator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.db import OperationalError, connection
from psycopg_pool import ConnectionPool
from pytest_django.fixtures import Settings
from twisted.logger import Logger, globalLogPublisher

from apps.core.observability import RequestContext, request_context
from apps.core.threads import in_thread
from project.observability.logs import Json, PoolTimeouts, Text, discreet
from tests.e2e import content
from tests.factories import UserFactory
from tests.offenders import check_each
from tests.project.asking import ask
from tests.project.small import Small
from tests.servers import Socket, request
from tests.serving import serving, session_cookie

CONTEXT = RequestContext("/sessions/7", "Browser 1.0", 42, "0123456789abcdef")
SECRET = "s3cr3t"


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Small]:
    """A process with a JSON log, not yet started."""
    made = Small(tmp_path, LOG_FORMAT="json", DRAIN_SECONDS="0")
    yield made
    made.leave()


def record(message: str, *arguments: Any, level: int = logging.INFO, **more: Any) -> logging.LogRecord:
    """Return a record as a logger makes it."""
    made = logging.getLogger("some.where").makeRecord("some.where", level, "", 1, message, arguments, None, extra=more)
    made.created = 1_800_000_000.25
    return made


def failed(message: str) -> logging.LogRecord:
    """Return a record with an exception."""
    try:
        raise ValueError(message)  # noqa: TRY301
    except ValueError:
        made = record("it failed", level=logging.ERROR)
        made.exc_info = sys.exc_info()
        return made


def pool_failed() -> logging.LogRecord:
    """Return a record about a query that found no free connection, as Django logs it for a view."""
    with ConnectionPool(content.address(connection.settings_dict["NAME"]), min_size=1, max_size=1) as pool:
        with pool.connection():
            try:
                with connection.wrap_database_errors:
                    pool.getconn(timeout=0.01)
            except OperationalError:
                made = record("Service Unavailable: %s", "/login", level=logging.ERROR)
                made.exc_info = sys.exc_info()
        return made


def filter_of(handler: str) -> PoolTimeouts:
    """Return the only filter of this handler in the settings."""
    [name] = django_settings.LOGGING["handlers"][handler]["filters"]
    made: PoolTimeouts = DictConfigurator({}).configure_filter(dict(django_settings.LOGGING["filters"][name]))
    return made


@pytest.mark.django_db
def test_exhausted_pool_is_a_warning_without_a_traceback() -> None:
    failure = pool_failed()
    assert filter_of("stderr").filter(failure)
    line = Text().format(failure)
    assert "WARNING some.where Service Unavailable: /login: no connection came free in time" in line
    assert "Traceback" not in line
    assert not filter_of("errors").filter(pool_failed())


def test_other_failures_keep_their_traceback() -> None:
    for handler in ("stderr", "errors"):
        other = failed("it broke")
        assert filter_of(handler).filter(other), handler
        assert "ERROR" in Text().format(other)
        assert "Traceback" in Text().format(other)


def test_json_line_has_the_context_of_its_request() -> None:
    with request_context(CONTEXT):
        line = Json().format(record("%s came", "a viewer", code=200, ms=3.5))
    assert json.loads(line) == {
        "time": "2027-01-15T08:00:00.250Z", "level": "INFO", "logger": "some.where", "message": "a viewer came",
        "id": "0123456789abcdef", "user": 42, "route": "/sessions/7", "code": 200, "ms": 3.5,
    }  # fmt: skip
    assert set(json.loads(Json().format(record("alone")))) == {"time", "level", "logger", "message"}


def test_text_line_is_readable() -> None:
    with request_context(CONTEXT):
        line = Text().format(record("came", code=200))
    context = "id=0123456789abcdef user=42 route=/sessions/7"
    assert line == f"2027-01-15T08:00:00.250Z INFO some.where came {context} code=200"


def test_control_characters_cannot_forge_a_line() -> None:
    evil = "x\n2027-01-15T08:00:00.250Z ERROR forged\r\x1b[2J\u2028"
    for form in (Text(), Json()):
        with request_context(RequestContext(page_url=f"/{evil}")):
            line = form.format(record("%s", evil))
        assert not {"\n", "\r", "\x1b"} & set(line), form


def test_exception_is_complete_without_mail_addresses_and_secrets() -> None:
    line = json.loads(Json().format(failed("for fan@example.org at /list?page=1&token=s3cr3t")))
    assert line["exception"].startswith("Traceback (most recent call last):\n")
    assert "ValueError: for [address " in line["exception"]
    text = Text().format(failed("plain"))
    assert text.splitlines()[0].endswith("ERROR some.where it failed")
    assert text.endswith("ValueError: plain")
    assert SECRET not in line["exception"]


def test_secrets_are_removed_from_texts() -> None:
    def check(texts: tuple[str, str]) -> None:
        text, shown = texts
        assert discreet(text) == shown

    check_each(
        [
            ("GET /list?q=s3cr3t HTTP/1.1", "GET /list HTTP/1.1"),
            ("https://a.example/p?x=s3cr3t#s3cr3t.", "https://a.example/p"),
            ("/reset-password/s3cr3t/more", "/reset-password/…"),
            ("/accounts/google/s3cr3t?code=s3cr3t", "/accounts/…"),
            ("Cookie: session=s3cr3t; csrf=s3cr3t", "Cookie: …"),
            ("[(b'cookie', b'session=s3cr3t')]", "[(b'cookie', …"),
            ("authorization=Bearer s3cr3t", "authorization=…"),
            ("{'token': 's3cr3t', 'page': '1'}", "{'token': '…', 'page': '1'}"),
            ("next=/&new_password=s3cr3t&x=1", "next=/&new_password=…&x=1"),
            ('{"csrfmiddlewaretoken":"s3cr3t"}', '{"csrfmiddlewaretoken":"…"}'),
            ("SECRET_KEY is missing.", "SECRET_KEY is missing."),
            ("Is this a question? /yes", "Is this a question? /yes"),
            ("The cookies of a public site", "The cookies of a public site"),
        ],
        check,
    )


def test_failures_inside_twisted_have_a_logger_and_a_level(caplog: pytest.LogCaptureFixture) -> None:
    from project.server.daphne_server import _log_failure

    publisher: Any = globalLogPublisher
    publisher.addObserver(_log_failure)
    try:
        try:
            raise ValueError("in a callback")  # noqa: TRY301
        except ValueError:
            Logger("autobahn.some").failure("about {what}", what=SECRET)
    finally:
        publisher.removeObserver(_log_failure)
    [line] = [made for made in caplog.records if made.exc_info]
    assert (line.name, line.levelname, line.getMessage()) == ("autobahn.some", "ERROR", "failed inside Twisted")
    assert "ValueError: in a callback" in Text().format(line)


@pytest.mark.django_db(transaction=True)
async def test_request_has_one_line_with_its_number_and_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("project.server.static_files.assets", dict)  # no collected static files in tests
    user = await in_thread(UserFactory)
    cookie = await in_thread(lambda: session_cookie(user))
    lines: list[dict[str, Any]] = []

    class Keeping(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(json.loads(Json().format(record)))

    access = logging.getLogger("parterre.access")
    access.addHandler(handler := Keeping())
    try:
        async with serving():
            for path in ("/", "/robots.txt", "/healthz", "/static/favicon.svg"):
                answer = await ask(f"{path}?q={SECRET}", cookie=cookie)
                assert bool(answer.header("x-request-id")) is (path in {"/", "/robots.txt"})
            page = await ask("/", "POST", cookie=cookie)
    finally:
        access.removeHandler(handler)
    assert [(line["message"], line["route"], line["code"]) for line in lines] == [
        ("GET", "/", 200), ("GET", "/robots.txt", 200), ("POST", "/", 405),
    ]  # fmt: skip
    assert lines[0]["user"] == user.pk
    assert lines[2]["id"] == page.header("x-request-id")
    assert all(re.fullmatch(r"[0-9a-f]{16}", line["id"]) for line in lines)
    assert all(0 <= line["ms"] < 60_000 for line in lines)
    assert len({line["id"] for line in lines}) == 3


@pytest.mark.django_db(transaction=True)
async def test_request_number_is_read_only_from_a_proxy(settings: Settings) -> None:
    number = "0123456789abcdef0123456789abcdef"
    async with serving():
        for settings.BEHIND_PROXY in (True, False):
            answer = await ask("/", x_request_id=number)
            assert (answer.header("x-request-id") == number) is settings.BEHIND_PROXY
            for wrong in ("short", "0123456789ABCDEF", number + number, f"{number}\n"):
                assert (await ask("/", x_request_id=wrong)).header("x-request-id") != wrong


@pytest.mark.django_db(transaction=True)
async def test_log_of_a_journey_has_no_secrets(small: Small) -> None:
    """Secrets in addresses, headers, bodies and frames are not logged, and neither are those in failures."""
    user = await in_thread(UserFactory)
    cookie = await in_thread(lambda: session_cookie(user))
    session_secret = cookie.partition("=")[2]
    await asyncio.to_thread(small.start)
    for path in ("/", "/login", "/broken", "/nowhere", "/healthz", "/metrics", "/favicon.ico"):
        headers = {"Cookie": f"{cookie}; other={SECRET}", "Authorization": f"Bearer {SECRET}"}
        query = f"token={SECRET}&email=mazurka%40example.org"
        await request(small, f"{path}?{query}", **headers, Referer=f"/?{SECRET}")
    await request(small, f"/reset-password/{SECRET}")
    await request(small, "/sign-out", "POST", Cookie=cookie, Origin=f"https://{SECRET}.example")
    await request(small, "/", "POST", Cookie=f"session={SECRET}")
    await request(small, "/", Host=f"{SECRET}.example")
    socket = await Socket(small).live(f"/?token={SECRET}", cookie=cookie)
    socket.send({"type": "layout-event", "target": "a:note", "data": [SECRET]})
    socket.send(SECRET)
    assert await socket.closed() == 4500
    assert await asyncio.to_thread(small.end_quietly) == 0
    for secret in (SECRET, session_secret, "mazurka", "example.org", django_settings.SECRET_KEY):
        assert secret not in small.text, secret
    lines = [json.loads(line) for line in small.text.splitlines()]
    assert all({"time", "level", "logger", "message"} <= set(line) for line in lines)
    [failure] = [line for line in lines if "exception" in line]
    assert (failure["route"], failure["user"]) == ("/broken", user.pk)
    assert "ValueError: for [address" in failure["exception"]
    [bad] = [line for line in lines if line.get("reason", "").startswith("bad frame")]
    assert (bad["route"], bad["user"]) == ("/live/", user.pk)
    access = [line for line in lines if line["logger"] == "parterre.access"]
    assert {line["code"] for line in access} >= {200, 302, 400, 403, 405, 500}


@pytest.fixture
def full_disk() -> Iterator[Any]:
    """A file on a device without free space."""
    with Path("/dev/full").open("wb", buffering=0) as file:
        yield file


@pytest.mark.django_db(transaction=True)
async def test_full_disk_of_the_log_fails_no_request(small: Small, full_disk: Any) -> None:
    await asyncio.to_thread(small.start, full_disk)
    assert (await request(small, "/"))[0] == 200
    assert (await request(small, "/broken"))[0] == 500
    assert (await request(small, "/"))[0] == 200
    await Socket(small).live("/")
    assert await asyncio.to_thread(small.end_quietly) == 0
    assert small.text == ""
