"""Reads of the demo's state."""

from django.conf import settings
from django.db import connection

from apps.demo.enums import DemoState

# Stops at the first real account; without one it reads the few accounts of a demo.
_STATE = """
SELECT stopped_at IS NOT NULL, over_at IS NOT NULL OR EXISTS (SELECT FROM users WHERE users.id <> ALL(demo.account_ids))
FROM loaded_demos AS demo WHERE demo.account_ids <> '{}'
"""


def demo_state() -> DemoState | None:
    """Return whether the demo is alive; None on a site without a demo that may be. One query, none without DEMO_ALIVE.

    A real account is any that the demo did not create.
    """
    if not settings.DEMO_ALIVE:
        return None
    with connection.cursor() as cursor:
        cursor.execute(_STATE)
        row = cursor.fetchone()
    if row is None:
        return None
    is_stopped, is_over = row
    if is_over:
        return DemoState.OVER
    return DemoState.STOPPED if is_stopped else DemoState.ALIVE
