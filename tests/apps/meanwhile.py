"""Run two writers concurrently: the second one starts before each statement of the first in turn."""

import re
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from itertools import count
from typing import Any

import psycopg
from django.core.exceptions import ObjectDoesNotExist, PermissionDenied, ValidationError
from django.db import connection, transaction

from tests.pooled import direct_parameters

PAUSE = 0.002  # seconds between two checks, so that both writers can run
WAITS = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
BEFORE_COMMIT = "SELECT 'before the commit'"
ANY = re.compile(r"\A(?!SAVEPOINT|RELEASE|SET )")  # statement on rows
Action = Callable[[], object]


def meanwhile(
    make_actions: Callable[[], tuple[Action, Action]], *, shared: re.Pattern[str] = ANY
) -> Iterator[tuple[object, object]]:
    """Yield the results or refusals of two actions, once for each statement of the first.

    `make_actions` creates both actions again for each round. The second action runs before that statement until it
    waits for a lock or is done. Then the first action continues and commits. Other exceptions, such as a deadlock,
    propagate. `shared` matches the statements on rows of both actions: to begin before another statement gives the
    same as before the next shared one.
    """
    with psycopg.connect(**direct_parameters(), autocommit=True) as observer, ThreadPoolExecutor(1) as threads:
        observer.execute("SET ROLE NONE")  # the serving role does not see the locks of other sessions
        for statement in count(1):
            first, second = make_actions()
            results = _Round(first, second, statement, shared).results(observer, threads)
            if results is None:
                return
            yield results


@dataclass
class _Round:
    """Two actions, of which the second begins before this statement of the first."""

    first: Action
    second: Action
    statement: int
    shared: re.Pattern[str]

    def results(self, observer: psycopg.Connection, threads: ThreadPoolExecutor) -> tuple[object, object] | None:
        """Return both results, or None if the first action has fewer statements."""
        number, concurrent = 0, list[Future[object]]()

        def before_statement(execute: Any, sql: str, *arguments: Any) -> Any:
            nonlocal number
            number += sql == BEFORE_COMMIT or self.shared.search(sql) is not None
            if number == self.statement and not concurrent:
                concurrent.append(threads.submit(_and_close, self.second))
                _until_waiting(concurrent[0], observer)
            return execute(sql, *arguments)

        with connection.execute_wrapper(before_statement):
            result = _result(lambda: _then_commit(self.first))
        return (result, concurrent[0].result(60)) if concurrent else None


def _then_commit(action: Action) -> object:
    """Run the action as one transaction, with a last statement immediately before the commit."""
    with transaction.atomic():
        result = action()
        with connection.cursor() as cursor:
            cursor.execute(BEFORE_COMMIT)
        return result


def _and_close(action: Action) -> object:
    try:
        return _result(action)
    finally:
        connection.close()


def _result(action: Action) -> object:
    try:
        return action()
    except (PermissionDenied, ValidationError, ObjectDoesNotExist) as refusal:
        return refusal


def _until_waiting(running: "Future[object]", observer: psycopg.Connection) -> None:
    """Return when a session of this database waits for a lock, or `running` is done."""
    while wait([running], PAUSE).not_done and observer.execute(WAITS).fetchone() == (0,):
        pass
