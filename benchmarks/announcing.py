"""`python -m benchmarks.announcing`: a performer change with 0 and with 10,000 followers, and what follows from it.

The changes are calls of the service in one process, whose rounds without and with followers alternate. Afterwards one
announcement becomes 10,000 notifications.
"""

import json
import sys
import time
from datetime import timedelta
from statistics import median

import django

from benchmarks import site_processes
from benchmarks.ranking import answered

FOLLOWERS, CHANGES, ROUNDS = 10_000, 100, 10  # followers of each performer; changes of a round; rounds of either kind
LIMIT = 1.2  # of the ratio of the slowest hundredths


def changed(appearances: list[int]) -> list[float]:
    """Put these performers on stage in turn, CHANGES times; return the milliseconds of each change."""
    from apps.accounts.actors import OPERATOR
    from apps.competition.services.live import performer_set

    times = []
    for number in range(CHANGES):
        appearance_id = appearances[number % len(appearances)]
        begun = time.perf_counter()
        performer_set(actor=OPERATOR, appearance_id=appearance_id)
        times.append((time.perf_counter() - begun) * 1e3)
    return times


ACCOUNTS = """
INSERT INTO users (email, username, password, avatar_url, is_admin, is_active)
SELECT 'f' || number || '@example.org', 'follower' || number, '!', '', false, true
FROM generate_series(1, %s) AS number ON CONFLICT DO NOTHING
"""
FOLLOWS = """
INSERT INTO follows (user_id, participant_id)
SELECT id, performer FROM users, unnest(%s) AS performer WHERE username LIKE 'follower%%'
"""


def follow(performers: list[int]) -> None:
    """Let FOLLOWERS accounts follow these performers; the first call creates them."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(ACCOUNTS, [FOLLOWERS])
        cursor.execute(FOLLOWS, [performers])
        cursor.execute("ANALYZE follows")


def measured() -> dict[str, float]:
    """Return the milliseconds of changes, and the seconds until all notifications of one are created."""
    from apps.competition.models import Appearance
    from apps.core.database.fields import database_now
    from apps.following.models import Follow
    from apps.notifications.models import Announcement, Notification
    from apps.notifications.services.announcements import announcements_work

    playing = Appearance.objects.filter(session__is_live=True).order_by("order_number")[:2]
    appearances, performers = zip(*playing.values_list("pk", "participant_id"), strict=True)
    alone, followed = list[float](), list[float]()
    for number in range(ROUNDS + 1):
        Follow.objects.all().delete()
        without = changed(list(appearances))
        follow(list(performers))
        with_followers = changed(list(appearances))
        if number:  # the first round warms up
            alone += without
            followed += with_followers
    Follow.objects.update(created_at=database_now() - timedelta(hours=1))
    Announcement.objects.update(due_at=database_now())
    begun = time.perf_counter()
    announcements_work()
    seconds = time.perf_counter() - begun
    assert Notification.objects.count() == FOLLOWERS, Notification.objects.count()  # of the one who is still on stage
    return {
        "alone": median(alone),
        "followed": median(followed),
        "slow alone": slowest_hundredth(alone),
        "slow followed": slowest_hundredth(followed),
        "seconds": seconds,
    }


def slowest_hundredth(times: list[float]) -> float:
    """Return the 99th percentile."""
    return sorted(times)[len(times) * 99 // 100]


def main() -> None:
    """Measure and print."""
    with site_processes.opened() as opened:
        run = answered(opened, "benchmarks.announcing", 1)
    for name, what in (("", "a change, the middle one"), ("slow ", f"its slowest hundredth (aim {LIMIT})")):
        alone, followed = run[f"{name}alone"], run[f"{name}followed"]
        figures = f"{alone:.2f} ms without, {followed:.2f} ms with {FOLLOWERS:,} followers"
        print(f"{what}: {figures}; ratio {followed / alone:.2f}")
    print(f"{FOLLOWERS:,} notifications: {run['seconds']:.1f} s")


if __name__ == "__main__":
    if sys.argv[1:]:
        django.setup()
        print(json.dumps(measured()))
    else:
        main()
