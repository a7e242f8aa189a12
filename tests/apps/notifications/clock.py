"""Time that passes in tests: every stored time becomes earlier, and the worker runs when it is due."""

from datetime import timedelta

from apps.notifications.services.announcements import announcements_work
from tests.owner import as_owner

TIMES = {
    "announcements": ("due_at", "taken_until", "finished_at"),
    "notifications": ("created_at", "expires_at", "seen_at", "push_due_at", "mail_due_at"),
    "follows": ("created_at",),
    "call_alerts": ("created_at", "told_at"),
    "sessions": ("starts_at", "planned_end", "ended_at"),
    "session_participants": ("planned_start",),
    "performing_times": ("began_at", "ended_at"),
    "calendar_entries": ("starts_at", "planned_end", "planned_start", "changed_at", "cancelled_at"),
}
BEFORE = """
UPDATE announcements SET before = before || jsonb_build_object(
    'starts_at', (before->>'starts_at')::timestamptz - %(by)s::interval,
    'began_at', (before->>'began_at')::timestamptz - %(by)s::interval,
    'planned_start', (before->>'planned_start')::timestamptz - %(by)s::interval
) WHERE before IS NOT NULL
"""
NEAR = timedelta(milliseconds=1)


def time_pass(by: timedelta) -> None:
    """Make every stored time earlier by this much, without triggers."""
    with as_owner() as cursor:
        cursor.execute("SET session_replication_role = replica")
        for table, columns in TIMES.items():
            changes = ", ".join(f"{column} = {column} - %(by)s::interval" for column in columns)
            cursor.execute(f"UPDATE {table} SET {changes}", {"by": by})  # noqa: S608 - the names are those above
        cursor.execute(BEFORE, {"by": by})
        cursor.execute("SET session_replication_role = origin")


def time_pass_working(by: timedelta) -> None:
    """Let this much time pass; the worker runs when an announcement is due."""
    left = by
    while left > timedelta():
        wait = announcements_work()
        step = left if wait is None else min(left, max(wait, NEAR))
        time_pass(step)
        left -= step
    announcements_work()
