"""Test concurrent processes on announcements: no notification is created twice or lost, even if a process is killed."""

import os
import subprocess
import sys
from collections import Counter

import psycopg
import pytest
from django.conf import settings
from django.db import connection

from apps.accounts.actors import OPERATOR
from apps.accounts.models import User
from apps.competition.services.live import performer_set, session_set_live
from apps.following.models import Follow
from apps.notifications.limits import BATCH, HOLD, LEASE
from apps.notifications.models import Announcement, Notification
from apps.notifications.services.announcements import announcements_work
from project.config import ROOT
from tests.apps.conftest import run_together
from tests.apps.notifications.clock import time_pass
from tests.e2e import content
from tests.factories import AppearanceFactory
from tests.pooled import direct_parameters
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)
FOLLOWERS = BATCH + 300


@pytest.fixture
def followed():
    """Put a performer with FOLLOWERS followers on stage, with a due announcement; return the account ids."""
    appearance = AppearanceFactory()
    accounts = User.objects.bulk_create(
        User(email=f"f{number}@example.org", username=f"follower{number}", password="!") for number in range(FOLLOWERS)
    )
    Follow.objects.bulk_create(Follow(user=each, participant=appearance.participant) for each in accounts)
    time_pass(HOLD)
    session_set_live(actor=OPERATOR, session_id=appearance.session_id)
    performer_set(actor=OPERATOR, appearance_id=appearance.pk)
    time_pass(HOLD)
    return [each.pk for each in accounts]


def times_notified() -> set[int]:
    """Return the numbers of notifications per member; {1} if no member has two."""
    return set(Counter(Notification.objects.values_list("user_id", flat=True)).values())


def test_process_with_an_expired_lease_creates_no_duplicates(followed):
    for _ in range(2):
        run_together(announcements_work, announcements_work)
        Announcement.objects.update(finished_at=None, taken_until=None, tries=0)
    announcements_work()
    assert Notification.objects.count() == len(followed)
    assert times_notified() == {1}


def test_killed_process_loses_no_notification(followed):
    owner = content.address(connection.settings_dict["NAME"])
    address = content.site_address(owner) if settings.POOLED else content.patient_address(owner)
    command = [sys.executable, "-m", "tests.apps.processes", "tests.apps.notifications.working:work", "[]", "0", "2"]
    variables = {**os.environ, "DATABASE_URL": address, "DATABASE_DIRECT_URL": address if settings.POOLED else ""}
    with (
        psycopg.connect(**direct_parameters()) as blocking,
        subprocess.Popen(
            command, cwd=ROOT, env=variables, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as child,
    ):
        blocking.execute("SELECT 1 FROM users WHERE id = %s FOR UPDATE", [followed[-1]])  # of the second batch
        assert child.stdout.readline() == "ready\n"
        child.stdin.write("\n")
        child.stdin.flush()
        wait_until(lambda: Notification.objects.count() == BATCH, "the first batch is created")
        child.kill()
        child.wait()
        blocking.rollback()
    assert Notification.objects.count() == BATCH
    wait = announcements_work()
    assert wait is not None
    assert Notification.objects.count() == BATCH
    time_pass(LEASE)
    announcements_work()
    assert Notification.objects.count() == len(followed)
    assert times_notified() == {1}
    assert not Announcement.objects.filter(finished_at=None).exists()
