"""Health, readiness and metrics of a process, and which clients may read them."""

import asyncio
import http.client
import json
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import psycopg
import pytest
from django.db import connection
from pytest_django.fixtures import Settings

from project.config import ROOT
from project.server import health
from tests.e2e import content
from tests.project.asking import ask
from tests.project.relay import Relay, relay
from tests.project.small import Small
from tests.project.visitors import Visitor
from tests.servers import Socket, request
from tests.serving import serving

pytestmark = pytest.mark.django_db(transaction=True)
NGINX = (ROOT / "docs" / "operations" / "nginx.conf").read_text()


@pytest.fixture
async def way(tmp_path: Path) -> AsyncIterator[Relay]:
    """A relay to the database."""
    async with relay(tmp_path) as made:
        yield made


@pytest.fixture
async def small(tmp_path: Path, way: Relay) -> AsyncIterator[Small]:
    """A process that reaches the database through the relay."""
    process = Small(tmp_path, way.address, DRAIN_SECONDS="60")
    await asyncio.to_thread(process.start)
    yield process
    await asyncio.to_thread(process.leave)


async def said(site: Small, wanted: str) -> bytes:
    """Poll `/readyz` until it returns this text, and return the whole answer."""
    async with asyncio.timeout(60):
        while True:
            _, answer = await request(site, "/readyz")
            if answer.partition(b"\r\n\r\n")[2].decode() == wanted:
                return answer


async def test_readiness_names_what_is_missing_and_comes_back(small: Small, way: Relay) -> None:
    answer = await said(small, "ok\n")
    assert answer.startswith(b"HTTP/1.1 200 ")
    assert b"\r\ncache-control: no-store\r\n" in answer.lower()
    way.freeze()
    begun = asyncio.get_running_loop().time()
    status, answer = await request(small, "/readyz")
    assert (status, answer.partition(b"\r\n\r\n")[2]) == (503, b"database\n")
    assert b"\r\ncache-control: no-store\r\n" in answer.lower()
    assert 1.0 <= asyncio.get_running_loop().time() - begun < 5.0
    assert (await request(small, "/healthz"))[0] == 200
    assert (await request(small, "/metrics"))[0] == 200
    way.thaw()
    await said(small, "ok\n")
    way.cut()
    await said(small, "database\nbus\n")
    assert (await request(small, "/healthz"))[0] == 200
    await way.open()
    await said(small, "ok\n")
    assert " ERROR " not in small.text


async def test_a_silent_database_is_asked_once(small: Small, way: Relay) -> None:
    """More requests than the process has threads end in time, and a page that needs no database is served."""
    way.freeze()
    answers = await asyncio.gather(*(request(small, "/readyz") for _ in range(20)))
    assert {status for status, _ in answers} == {503}
    assert (await request(small, "/login"))[0] == 200


async def test_a_database_that_takes_no_writes_is_named(tmp_path: Path, way: Relay) -> None:
    process = Small(tmp_path, f"{way.address}&{urlencode({'options': '-c default_transaction_read_only=on'})}")
    try:
        await asyncio.to_thread(process.start)
        await said(process, "read-only\n")
    finally:
        await asyncio.to_thread(process.leave)


FULL = """
CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END $$;
CREATE TRIGGER full_disk BEFORE INSERT ON error_logs EXECUTE FUNCTION full_disk();
"""
FREED = "DROP TRIGGER full_disk ON error_logs; DROP FUNCTION full_disk()"


def fault_post(site: Small) -> None:
    """Post an error report of a browser, which writes a row."""
    fault = {"kind": "error", "message": "Broken", "stack": "", "page": "/"}
    visitor = Visitor(site)
    visitor.headers["Origin"] = site.address
    assert visitor._ask("POST", "/error-log", json.dumps(fault)).status == 204


async def test_a_full_disk_of_the_database_is_named_while_pages_are_served(tmp_path: Path, way: Relay) -> None:
    process = Small(tmp_path, way.address, "DISK_FULL_FOR=5")
    owner = await asyncio.to_thread(psycopg.connect, content.address(connection.settings_dict["NAME"]), autocommit=True)
    try:
        await asyncio.to_thread(process.start)
        await said(process, "ok\n")
        owner.execute(FULL)
        while (await request(process, "/readyz"))[1].partition(b"\r\n\r\n")[2] != b"disk-full\n":
            await asyncio.to_thread(fault_post, process)
        assert (await request(process, "/read"))[0] == 200
        _, numbers = await request(process, "/metrics")
        assert re.search(rb"^parterre_disk_full_total [1-9]", numbers, re.MULTILINE)
        owner.execute(FREED)
        await said(process, "ok\n")
        await asyncio.to_thread(fault_post, process)
        assert owner.execute("SELECT count(*) FROM error_logs WHERE message ~ 'Broken'").fetchone() == (1,)
    finally:
        owner.close()
        await asyncio.to_thread(process.leave)


async def test_a_process_that_stops_says_so_to_those_who_are_connected(small: Small) -> None:
    await said(small, "ok\n")
    held = await Socket(small).live("/")  # keeps the process draining
    asking = http.client.HTTPConnection("127.0.0.1", small.port, timeout=20)
    assert await asyncio.to_thread(kept, asking, "/readyz") == (200, b"ok\n")
    assert small.process
    closed = asyncio.create_task(held.closed())
    small.process.terminate()
    async with asyncio.timeout(20):
        while (answer := await asyncio.to_thread(kept, asking, "/readyz")) == (200, b"ok\n"):
            pass
    assert answer == (503, b"draining\n")
    assert await closed == 1012
    asking.close()


def kept(connection: http.client.HTTPConnection, path: str) -> tuple[int, bytes]:
    """Send one more request on this connection, and return its status and body."""
    connection.request("GET", path)
    answer = connection.getresponse()
    return answer.status, answer.read()


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics"])
async def test_answers_are_for_now_and_are_only_read(path: str) -> None:
    async with serving():
        answer = await ask(path)
        assert (answer.status, answer.header("cache-control")) == (200, "no-store")
        assert answer.header("content-security-policy")
        head = await ask(path, "HEAD")
        assert (head.status, head.body) == (200, b"")
        refused = await ask(path, "POST")
        assert (refused.status, refused.header("allow")) == (405, "GET, HEAD")


@pytest.mark.parametrize("name", ["x_real_ip", "x_forwarded_for", "forwarded"])
async def test_numbers_do_not_pass_a_proxy(name: str) -> None:
    """Behind a proxy, /metrics redirects home like an unknown address."""
    async with serving():
        answer = await ask("/metrics", **{name: "127.0.0.1"})
        assert (answer.status, answer.header("location")) == (302, "/")
        assert answer.headers == [
            pair if pair[0] != "x-request-id" else ("x-request-id", answer.header("x-request-id"))
            for pair in (await ask("/nowhere", **{name: "127.0.0.1"})).headers
        ]


TOKEN = "a token of thirty-two characters"


@pytest.mark.parametrize(
    ("client", "headers", "token", "allowed"),
    [
        (["127.0.0.1", 1], {}, "", True),
        (["127.8.9.1", 1], {}, "", True),
        (["::1", 1], {}, "", True),
        (["::ffff:127.0.0.1", 1], {}, "", True),
        (["192.0.2.7", 1], {}, "", False),
        (["::ffff:192.0.2.7", 1], {}, "", False),
        (["", 1], {}, "", False),
        (None, {}, "", False),
        (None, {"authorization": "Bearer "}, "", False),
        (None, {"authorization": f"Bearer {TOKEN}"}, TOKEN, True),
        (["192.0.2.7", 1], {"authorization": f"Bearer {TOKEN}", "x-real-ip": "192.0.2.7"}, TOKEN, True),
        (["192.0.2.7", 1], {"authorization": f"Bearer {TOKEN}x"}, TOKEN, False),
        (["192.0.2.7", 1], {"authorization": TOKEN}, TOKEN, False),
        (["192.0.2.7", 1], {}, TOKEN, False),
        (["127.0.0.1", 1], {"x-real-ip": "127.0.0.1"}, TOKEN, False),
    ],
)
def test_numbers_are_for_this_machine_and_for_who_knows_the_token(
    settings: Settings, client: Any, headers: dict[str, str], token: str, *, allowed: bool
) -> None:
    settings.METRICS_TOKEN = token
    raw = [(name.encode(), value.encode()) for name, value in headers.items()]
    assert health.may_read_numbers({"client": client, "headers": raw}) is allowed


def test_nginx_gives_requests_their_number() -> None:
    assert "proxy_set_header X-Request-Id $request_id;" in NGINX
