"""Run two writers concurrently: the second one starts before each statement of the first in turn."""

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from itertools import count
from typing import Any

import psycopg
from django.core.exceptions import ObjectDoesNotExist, PermissionDenied, ValidationError
from django.db import connection, transaction

from tests.pooled import direct_parameters

PAUSE = 0.002  # seconds between two checks, so that both writers can run
WAITS = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
Action = Callable[[], object]


def meanwhile(make_actions: Callable[[], tuple[Action, Action]]) -> Iterator[tuple[object, object]]:
    """Yield the results or refusals of two actions, once for each statement of the first.

    `make_actions` creates both actions again for each round. The second action runs before that statement until it
    waits for a lock or is done. Then the first action continues and commits. Other exceptions, such as a deadlock,
    propagate.
    """
    for statement in count(1):
        first, second = make_actions()
        results = _once(first, second, statement)
        if results is None:
            return
        yield results


def _once(first: Action, second: Action, statement: int) -> tuple[object, object] | None:
    """Return both results, or None if the first action has fewer statements."""
    number, concurrent = 0, list[Future[object]]()
    with ThreadPoolExecutor(1) as threads:

        def before_statement(execute: Any, *arguments: Any) -> Any:
            nonlocal number
            number += 1
            if number == statement:
                concurrent.append(threads.submit(_and_close, second))
                _until_waiting(concurrent[0])
            return execute(*arguments)

        with connection.execute_wrapper(before_statement):
            result = _result(lambda: _then_commit(first))
        return (result, concurrent[0].result(60)) if concurrent else None


def _then_commit(action: Action) -> object:
    """Run the action as one transaction, with a last statement immediately before the commit."""
    with transaction.atomic():
        result = action()
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
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


def _until_waiting(running: "Future[object]") -> None:
    """Return when a session of this database waits for a lock, or `running` is done."""
    with psycopg.connect(**direct_parameters(), autocommit=True) as observer:
        observer.execute("SET ROLE NONE")  # the serving role does not see the locks of other sessions
        while wait([running], PAUSE).not_done and observer.execute(WAITS).fetchone() == (0,):
            pass
