"""Writes of the core: the error log."""

import logging
from datetime import timedelta
from typing import Any

from django.db import Error, connection, transaction
from django.db.models import Value
from django.db.models.functions import Now
from psycopg import sql

from apps.core.enums import Severity
from apps.core.models import ErrorLog
from apps.core.observability import UNRECORDED, error_columns, error_store
from apps.core.text_rules import scrub

LIFETIME = timedelta(days=90)


def error_record(*, message: str, details: dict[str, Any] | None = None, severity: str = Severity.ERROR) -> None:
    """Store an error with its context. Never raises, because the caller already handles a failure."""
    try:
        with transaction.atomic():
            error_store(_execute, error_columns(message, details, severity))
    except (Error, transaction.TransactionManagementError, ValueError, RecursionError):
        logging.getLogger(UNRECORDED).exception("An error could not be recorded: %s", scrub(message))


def _execute(statement: sql.Composed, values: dict[str, Any]) -> int:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return int(cursor.rowcount)


@transaction.atomic
def errors_forget(*, user_id: int) -> int:
    """Remove an account's id from the error log; return the number of changed entries."""
    return ErrorLog.objects.filter(user_id=user_id).update(user_id=None)


@transaction.atomic
def errors_prune() -> int:
    """Delete errors older than 90 days by the database's clock; return their number."""
    pruned, _ = ErrorLog.objects.filter(created_at__lt=Now() - Value(LIFETIME)).delete()
    return pruned
