"""What every selector and every page reads of a great evening, by the plans that PostgreSQL makes of its queries.

Nothing on a page or a live part reads more rows than it shows: no list is counted or sorted as a whole, however long.
Tables that the competition itself bounds are read as they are needed.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.db import connection, transaction

from apps.accounts.actors import ANONYMOUS
from tests.apps.busy_session import ADMINISTRATOR
from tests.apps.test_plans import BOUNDED, READS, Read
from tests.components.seen import opened
from tests.emptying import tables_truncate
from tests.owner import as_owner

pytestmark = pytest.mark.long

EVENING = (Path(__file__).parent / "evening.sql").read_text(encoding="utf-8")
MARGIN = 60  # rows that a query may read besides those that it returns


@pytest.fixture(scope="module")
def filled(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """Fill all tables, for as long as this module's tests run."""
    with django_db_blocker.unblock():
        with as_owner() as preparing:
            tables_truncate(preparing)  # else foreign keys are checked as was planned for a few rows
        try:
            with transaction.atomic():
                with as_owner() as filling:  # who alone may have tables analysed
                    filling.execute("SET LOCAL statement_timeout = 0")
                    filling.execute(EVENING)
                yield
                transaction.set_rollback(True)
        finally:
            with as_owner() as tidying:
                tables_truncate(tidying)  # what was learned here, or by a vacuum of what is empty, would mislead others
            connection.close()


@pytest.fixture
def evening(filled: None, db: None) -> Iterator[None]:
    """Give a test the full tables; what refers to what was not checked, and is not when it ends."""
    yield
    transaction.set_rollback(True)


@contextmanager
def queries_noted() -> Iterator[list[tuple[str, Any]]]:
    """While this lasts, note every query with its parameters."""
    noted: list[tuple[str, Any]] = []

    def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        noted.append((sql, params))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        yield noted


def plan_of(sql: str, params: Any) -> dict[str, Any]:
    """Return the plan of a query with what it did."""
    with connection.cursor() as asking:
        asking.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {sql}", params)
        found = asking.fetchone()[0]
    plan: dict[str, Any] = (json.loads(found) if isinstance(found, str) else found)[0]["Plan"]
    return plan


def rows_read(plan: Mapping[str, Any]) -> Iterator[tuple[str, int]]:
    """Yield of each scan in a plan: of which table, how many rows it read, those included that it passed over."""
    if table := plan.get("Relation Name"):
        passed = plan.get("Rows Removed by Filter", 0) + plan.get("Rows Removed by Index Recheck", 0)
        yield table, round((plan["Actual Rows"] + passed) * plan["Actual Loops"])
    for each in plan.get("Plans", ()):
        yield from rows_read(each)


def too_many(read: Read) -> list[str]:
    """Return each scan of a selector's queries that reads more rows than the query returns, in words."""
    with queries_noted() as noted:
        read.call()
    assert noted
    found = []
    for sql, params in noted:
        if not sql.lstrip().startswith(("SELECT", "WITH")):
            continue
        plan = plan_of(sql, params)
        most = round(plan["Actual Rows"]) + MARGIN + read.more
        for table, rows in rows_read(plan):
            if rows > most and table not in BOUNDED:
                found.append(f"{rows} rows of {table} for {round(plan['Actual Rows'])}: {sql[:2000]}")
    return found


def test_a_scan_of_a_whole_table_is_seen(evening):
    with connection.cursor() as asking:
        seen = too_many(Read(lambda: asking.execute("SELECT count(*) FROM session_comments WHERE session_id = 1")))
    assert [int(words.split()[0]) >= 80_000 for words in seen] == [True]  # rows; or all, with those of other sessions


@pytest.mark.parametrize(
    "read", [pytest.param(read, id=f"{name}-{n}") for name, reads in READS.items() for n, read in enumerate(reads)]
)
def test_no_selector_reads_more_rows_than_it_shows(evening, read):
    assert too_many(read) == []


@pytest.mark.parametrize(
    ("address", "more"),
    [
        *(("/", 0), ("/news", 0), ("/participants", 0), ("/participants/1", 3600), ("/participants/1?tab=ratings", 0)),
        *(
            ("/sessions", 0),
            ("/sessions/1", 3700),
            ("/admin", 0),
            ("/admin?tab=performances", 0),
            ("/admin?tab=audit", 0),
            ("/admin/people", 0),
        ),
        *(("/admin?show=all", 0), ("/profile?tab=ratings", 168), ("/admin/blog", 1500)),
    ],
)
def test_no_page_reads_more_rows_than_it_shows(evening, address, more):
    viewer = ADMINISTRATOR if address.startswith(("/admin", "/profile")) else ANONYMOUS
    assert too_many(Read(lambda: opened(address, viewer), more)) == []
