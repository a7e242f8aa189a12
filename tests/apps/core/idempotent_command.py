"""A command that two processes run at the same time (`tests/apps/processes.py`)."""

from typing import Any
from uuid import UUID

from apps.core.commands import command_once
from apps.core.models import ErrorLog


def note_once(_number: int, user: int, key: str) -> dict[str, Any]:
    """Store a row, once for each idempotency key, and answer with its id."""

    def work() -> dict[str, int]:
        return {"row": ErrorLog.objects.create(message="once").pk}

    return command_once(user_id=user, key=UUID(key), name="note", work=work)
