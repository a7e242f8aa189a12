"""Health, readiness and metrics of a process, and which clients may read them."""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.db import connection
from pytest_django.fixtures import Settings

from project.config import ROOT
from project.server import health
from tests.e2e import content
from tests.offenders import check_each
from tests.project.asking import ask
from tests.project.relay import Relay
from tests.project.small import Small, small_site_in_thread
from tests.project.visitors import Visitor
from tests.servers import request
from tests.serving import serving
from tests.waiting import until

pytestmark = pytest.mark.django_db(transaction=True)
NGINX = (ROOT / "docs" / "operations" / "nginx.conf").read_text()


@pytest.fixture
async def small(tmp_path: Path, database_relay: Relay) -> AsyncIterator[Small]:
    """A process that reaches the database through the relay."""
    async with small_site_in_thread(tmp_path, "DISK_FULL_FOR=5", address=database_relay.address) as process:
        yield process


@pytest.fixture
def owner(transactional_db: None) -> Iterator["psycopg.Connection[Any]"]:
    """A connection of the owner to the test's database."""
    with psycopg.connect(content.address(connection.settings_dict["NAME"]), autocommit=True) as made:
        yield made


async def readiness_until(site: Small, body: str) -> bytes:
    """Poll `/readyz` until it returns this body, and return the whole answer."""

    async def answer() -> bytes | None:
        _, received = await request(site, "/readyz")
        return received if received.partition(b"\r\n\r\n")[2].decode() == body else None

    return bytes(await until(answer, f"/readyz answers {body!r}"))


async def test_readiness_names_missing_services_and_recovers(
    small: Small, database_relay: Relay, owner: "psycopg.Connection[Any]"
) -> None:
    answer = await readiness_until(small, "ok\n")
    assert answer.startswith(b"HTTP/1.1 200 ")
    assert b"\r\ncache-control: no-store\r\n" in answer.lower()
    database_relay.freeze()
    begun = asyncio.get_running_loop().time()
    status, answer = await request(small, "/readyz")
    assert (status, answer.partition(b"\r\n\r\n")[2]) == (503, b"database\n")
    assert b"\r\ncache-control: no-store\r\n" in answer.lower()
    assert 1.0 <= asyncio.get_running_loop().time() - begun < 5.0
    assert [(await request(small, path))[0] for path in ("/healthz", "/metrics")] == [200, 200]
    # More requests than the process has threads share one query, so that a page without a query is served.
    answers = await asyncio.gather(*(request(small, "/readyz") for _ in range(20)))
    assert {status for status, _ in answers} == {503}
    assert (await request(small, "/login"))[0] == 200
    database_relay.thaw()
    await readiness_until(small, "ok\n")
    database_relay.cut()
    await readiness_until(small, "database\nbus\n")
    assert (await request(small, "/healthz"))[0] == 200
    read_only = f'ALTER DATABASE "{owner.info.dbname}" {{}} default_transaction_read_only'
    owner.execute(read_only.format("SET") + " = on")  # of new connections
    try:
        await database_relay.open()
        await readiness_until(small, "read-only\n")
    finally:
        owner.execute(read_only.format("RESET"))
    database_relay.cut()
    await readiness_until(small, "database\nbus\n")
    await database_relay.open()
    await readiness_until(small, "ok\n")
    # Work that is due fails while the database is read-only.
    assert [line for line in small.text.splitlines() if " ERROR " in line and "due_worker" not in line] == []
    await disk_is_full(small, owner)


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


async def disk_is_full(small: Small, owner: "psycopg.Connection[Any]") -> None:
    """Check that a full disk of the database is named while pages are served."""
    owner.execute(FULL)

    async def is_named() -> bool:
        await asyncio.to_thread(fault_post, small)
        return (await request(small, "/readyz"))[1].endswith(b"\r\n\r\ndisk-full\n")

    await until(is_named, "/readyz names the full disk")
    assert (await request(small, "/read"))[0] == 200
    _, numbers = await request(small, "/metrics")
    assert re.search(rb"^parterre_disk_full_total [1-9]", numbers, re.MULTILINE)
    owner.execute(FREED)
    await readiness_until(small, "ok\n")
    await asyncio.to_thread(fault_post, small)
    assert owner.execute("SELECT count(*) FROM error_logs WHERE message ~ 'Broken'").fetchone() == (1,)


async def test_health_answers_are_read_only_and_not_stored() -> None:
    async with serving():
        for path in ("/healthz", "/readyz", "/metrics"):
            answer = await ask(path)
            assert (answer.status, answer.header("cache-control")) == (200, "no-store"), path
            assert answer.header("content-security-policy")
            head = await ask(path, "HEAD")
            assert (head.status, head.body) == (200, b"")
            refused = await ask(path, "POST")
            assert (refused.status, refused.header("allow")) == (405, "GET, HEAD")


async def test_metrics_behind_a_proxy_are_an_unknown_address() -> None:
    async with serving():
        for name in ("x_real_ip", "x_forwarded_for", "forwarded"):
            answer, unknown = [await ask(path, **{name: "127.0.0.1"}) for path in ("/metrics", "/unknown")]
            assert (answer.status, answer.header("location")) == (302, "/"), name
            own, others = [[pair for pair in each.headers if pair[0] != "x-request-id"] for each in (answer, unknown)]
            assert own == others


TOKEN = "a token of thirty-two characters"


METRICS_READERS: list[tuple[list[Any] | None, dict[str, str], str, bool]] = [
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
]


def test_metrics_are_for_loopback_or_the_token(settings: Settings) -> None:
    def check(case: tuple[list[Any] | None, dict[str, str], str, bool]) -> None:
        client, headers, settings.METRICS_TOKEN, is_allowed = case
        raw = [(name.encode(), value.encode()) for name, value in headers.items()]
        assert health.may_read_numbers({"client": client, "headers": raw}) is is_allowed

    check_each(METRICS_READERS, check)


def test_nginx_sends_request_ids() -> None:
    assert "proxy_set_header X-Request-Id $request_id;" in NGINX
