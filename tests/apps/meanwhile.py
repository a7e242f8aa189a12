"""Run two writers concurrently: the second one starts before each statement of the first in turn."""

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from itertools import count
from typing import Any

import psycopg
from django.core.exceptions import ObjectDoesNotExist, PermissionDenied, ValidationError
from django.db import connection, transaction

from tests.pooled import direct_parameters

PAUSE = 0.002  # seconds between two looks, so that both writers have the machine
WAITS = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
Act = Callable[[], object]


def meanwhile(made: Callable[[], tuple[Act, Act]]) -> Iterator[tuple[object, object]]:
    """Yield the results or refusals of two acts, once for each statement of the first.

    `made` creates both acts again for each round. The second act runs before that statement until it waits for a lock
    or is done. Then the first act continues and commits. Other exceptions, such as a deadlock, propagate.
    """
    for statement in count(1):
        first, second = made()
        results = _once(first, second, statement)
        if results is None:
            return
        yield results


def _once(first: Act, second: Act, statement: int) -> tuple[object, object] | None:
    """Return both results, or None if the first act has fewer statements."""
    number, beside = 0, list[Future[object]]()
    with ThreadPoolExecutor(1) as threads:

        def before(execute: Any, *asked: Any) -> Any:
            nonlocal number
            number += 1
            if number == statement:
                beside.append(threads.submit(_and_close, second))
                _until_waiting(beside[0])
            return execute(*asked)

        with connection.execute_wrapper(before):
            result = _result(lambda: _then_commit(first))
        return (result, beside[0].result(60)) if beside else None


def _then_commit(act: Act) -> object:
    """Run the act as one transaction, with a last statement immediately before the commit."""
    with transaction.atomic():
        result = act()
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        return result


def _and_close(act: Act) -> object:
    try:
        return _result(act)
    finally:
        connection.close()


def _result(act: Act) -> object:
    try:
        return act()
    except (PermissionDenied, ValidationError, ObjectDoesNotExist) as refusal:
        return refusal


def _until_waiting(running: "Future[object]") -> None:
    """Return when a session of this database waits for a lock, or `running` is done."""
    with psycopg.connect(**direct_parameters(), autocommit=True) as watching:
        watching.execute("SET ROLE NONE")  # the serving role does not see the locks of other sessions
        while wait([running], PAUSE).not_done and watching.execute(WAITS).fetchone() == (0,):
            pass
