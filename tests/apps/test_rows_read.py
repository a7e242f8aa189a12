"""Test the rows that every selector and page reads from a large database, by PostgreSQL's query plans.

A page or live part reads no more rows than it shows: no query counts or sorts a whole list. Tables that the
competition itself bounds are exempt.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.db import connection, transaction

from apps.accounts.actors import ANONYMOUS
from apps.ratings.limits import MATCHED
from tests.apps.busy_session import ADMINISTRATOR
from tests.apps.reads import Read
from tests.apps.test_plans import BOUNDED, READS, ROWS
from tests.components.seen import opened
from tests.emptying import tables_truncate
from tests.general import COUNTED, generals
from tests.owner import as_owner

pytestmark = [
    pytest.mark.long(reason="fills all tables with tens of thousands of rows"),
    pytest.mark.limit(400, reason="fills all tables with tens of thousands of rows"),
]

BUSY_SESSION = (Path(__file__).parent / "busy_session.sql").read_text(encoding="utf-8")
# Rows of added apps that a page may read because one of the app's selectors may, which states its reason.
OF_ADDED = {
    model._meta.db_table: max(read.more for reads in generals()[app].READS.values() for read in reads)
    for app in generals().keys() - COUNTED
    for model in apps.get_app_config(app).get_models()
}
MARGIN = 60  # rows that a query may read in addition to those that it returns


@pytest.fixture(scope="module")
def filled_tables(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """Fill all tables while this module's tests run."""
    with django_db_blocker.unblock():
        with as_owner() as owner:
            tables_truncate(owner)  # otherwise foreign keys are checked with a plan for a few rows
        try:
            with transaction.atomic():
                with as_owner() as filling:  # only the owner may analyse tables, which waits for an autovacuum
                    filling.execute("SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0")
                    filling.execute(f"{BUSY_SESSION}{ROWS}ANALYZE;")
                yield
                transaction.set_rollback(True)
        finally:
            with as_owner() as owner:
                tables_truncate(owner)  # statistics of these rows would mislead other tests
            connection.close()


@pytest.fixture
def busy_session(filled_tables: None, db: None) -> Iterator[None]:
    """Give a test the full tables, and roll back at its end without a check of deferred constraints."""
    yield
    transaction.set_rollback(True)


@contextmanager
def recorded_queries() -> Iterator[list[tuple[str, Any]]]:
    """Record every query and its parameters in this context."""
    queries: list[tuple[str, Any]] = []

    def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        queries.append((sql, params))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        yield queries


def plan_of(sql: str, params: Any) -> dict[str, Any]:
    """Run EXPLAIN ANALYZE on a query and return the plan."""
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {sql}", params)
        output = cursor.fetchone()[0]
    plan: dict[str, Any] = (json.loads(output) if isinstance(output, str) else output)[0]["Plan"]
    return plan


def rows_read(plan: Mapping[str, Any]) -> Iterator[tuple[str, int]]:
    """Yield the table and the number of rows read for each scan in a plan, filtered rows included."""
    if table := plan.get("Relation Name"):
        passed = plan.get("Rows Removed by Filter", 0) + plan.get("Rows Removed by Index Recheck", 0)
        yield table, round((plan["Actual Rows"] + passed) * plan["Actual Loops"])
    for part in plan.get("Plans", ()):
        yield from rows_read(part)


def too_many(read: Read, more: Mapping[str, int] | None = None) -> list[str]:
    """Return each scan that reads more rows than its query returns, in words; `more` are allowances by table."""
    with recorded_queries() as queries:
        read.call()
    assert queries
    scans = []
    for sql, params in queries:
        if not sql.lstrip().startswith(("SELECT", "WITH")):
            continue
        plan = plan_of(sql, params)
        most = round(plan["Actual Rows"]) + MARGIN + read.more
        for table, rows in rows_read(plan):
            if rows > most + (more or {}).get(table, 0) and table not in BOUNDED:
                scans.append(f"{rows} rows of {table} for {round(plan['Actual Rows'])}: {sql[:2000]}")
    return scans


def test_scan_of_a_whole_table_is_detected(busy_session):
    with connection.cursor() as cursor:
        scans = too_many(Read(lambda: cursor.execute("SELECT count(*) FROM session_comments WHERE session_id = 1")))
    assert [int(scan.split()[0]) >= 80_000 for scan in scans] == [True]  # rows; or all, with those of other sessions


@pytest.mark.parametrize("app", sorted({name.partition(".")[0] for name in READS}))
def test_selectors_read_only_the_rows_that_they_return(busy_session, app):
    reads = [(name, read) for name, reads in READS.items() if name.startswith(f"{app}.") for read in reads]
    assert [(name, scans) for name, read in reads if (scans := too_many(read))] == []


@pytest.mark.parametrize(
    ("address", "more"),
    [
        *(("/", 0), ("/news", 0), ("/participants", 0), ("/participants/1", 3600), ("/participants/1?tab=ratings", 0)),
        *(
            ("/sessions", 0),
            ("/sessions/1", 3700),
            ("/admin", MATCHED),  # the marks of the ratings that one decision can include
            ("/admin?tab=performances", MATCHED),
            ("/admin?tab=audit", 0),
            ("/admin/people", 0),
            ("/admin/records", 2_000),
            ("/admin/records?q=no+record+has+this", 2_000),
        ),
        *(("/admin?show=all", 0), ("/profile?tab=ratings", 168 * 5), ("/admin/blog", 1500)),
    ],
)
def test_page_reads_only_the_rows_that_it_shows(busy_session, address, more):
    viewer = ADMINISTRATOR if address.startswith(("/admin", "/profile")) else ANONYMOUS
    assert too_many(Read(lambda: opened(address, viewer), more), OF_ADDED) == []
