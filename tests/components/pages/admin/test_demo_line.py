"""The dashboard's line about a living demo: for whom it is, and its one button."""

from datetime import UTC, datetime

import pytest

from apps.accounts.models import User
from apps.core.threads import in_thread
from apps.demo.models import LoadedDemo
from tests.commanding import command
from tests.components.pages.checked_commands import be_refused
from tests.factories import AdminFactory, UserFactory
from tests.screen import open_page

ALIVE, STOPPED = "The demo is alive: its audience marks", "The demo is stopped."


@pytest.fixture
def admin(db, settings) -> User:
    """Return the administrator of a demo that is alive."""
    settings.DEMO_ALIVE = True
    admin = AdminFactory()
    LoadedDemo.objects.create(pk=1, present_at=datetime(2026, 11, 1, tzinfo=UTC), account_ids=[admin.pk])
    return admin


async def test_demo_is_stopped_and_started_in_all_windows(admin) -> None:
    async with open_page("/admin", user=admin) as first, open_page("/admin?tab=live", user=admin) as second:
        assert ALIVE in first.text
        assert first.button("Stop the demo")
        assert (await command(first, "demo_stop"))["text"] == STOPPED
        for screen in (first, second):
            await screen.until(STOPPED)
        assert second.button("Start the demo")
        assert (await command(second, "demo_start"))["ok"]
        await first.until(ALIVE)


async def test_dashboard_without_a_living_demo_has_no_such_line(admin, settings) -> None:
    await in_thread(UserFactory)
    async with open_page("/admin", user=admin) as screen:
        assert "demo" not in screen.text
        await be_refused(screen, "demo_stop", "", "There is no demo here that could be stopped or started.")
    settings.DEMO_ALIVE = False
    async with open_page("/admin", user=admin) as screen:
        assert "demo" not in screen.text
