"""Doing a command once: the first answer to each key of a person is stored with what the command changed.

The key comes from the browser. The same key again (after a lost answer, by a double click, at two processes at a time)
gets the first answer, and the command is not done again. A refused command stores nothing. After Zulip's idempotency
system (its docs/subsystems/idempotency.md).
"""

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db import connection, transaction
from django.db.models.functions import Now

from apps.core.models import CommandAnswer

LIFETIME = timedelta(days=7)
# The second with a key waits here until the first has committed (then nothing is inserted) or failed.
CLAIM = "INSERT INTO acts (user_id, key, name, answer) VALUES (%s, %s, %s, '{}') ON CONFLICT (user_id, key) DO NOTHING"


@transaction.atomic
def command_once(*, user_id: int, key: UUID, name: str, work: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Return what `work` answers, or what it answered when this account first used the key.

    The answer is stored in the transaction in which `work` writes; whatever `work` raises undoes both.
    """
    mine = CommandAnswer.objects.filter(user_id=user_id, key=key)
    with connection.cursor() as cursor:
        cursor.execute(CLAIM, [user_id, key, name])
        is_first = cursor.rowcount == 1
    if not is_first:
        first: dict[str, Any] = mine.values_list("answer", flat=True).get()
        return first
    answer = work()
    mine.update(answer=answer)
    return answer


def command_answers_prune() -> int:
    """Delete answers older than LIFETIME, for which no browser waits; returns how many."""
    count, _ = CommandAnswer.objects.filter(created_at__lt=Now() - LIFETIME).delete()
    return count
