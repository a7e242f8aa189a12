"""The dashboard's line about a living demo: for whom it is, and its one button."""

from datetime import UTC, datetime

import pytest

from apps.accounts.models import User
from apps.core.threads import in_thread
from apps.demo.models import LoadedDemo
from tests.commanding import command
from tests.factories import AdminFactory, UserFactory
from tests.screen import open_page

pytestmark = pytest.mark.django_db(transaction=True)
ALIVE, STOPPED = "The demo is alive: its audience marks", "The demo is stopped."


@pytest.fixture
def halina(transactional_db, settings) -> User:
    """Return the administrator of a demo that is alive."""
    settings.DEMO_ALIVE = True
    halina = AdminFactory()
    LoadedDemo.objects.create(pk=1, present_at=datetime(2026, 11, 1, tzinfo=UTC), account_ids=[halina.pk])
    return halina


async def test_one_press_stops_the_demo_in_every_window_and_another_starts_it(halina) -> None:
    async with open_page("/admin", user=halina) as first, open_page("/admin?tab=live", user=halina) as second:
        assert ALIVE in first.text
        assert first.button("Stop the demo")
        assert (await command(first, "demo_stop"))["text"] == STOPPED
        for screen in (first, second):
            await screen.until(STOPPED)
        assert second.button("Start the demo")
        assert (await command(second, "demo_start"))["ok"]
        await first.until(ALIVE)


async def test_without_a_living_demo_the_dashboard_has_no_such_line(halina, settings) -> None:
    await in_thread(UserFactory)
    async with open_page("/admin", user=halina) as screen:
        assert "demo" not in screen.text
        answer = await command(screen, "demo_stop")
        assert (answer["ok"], answer["text"]) == (False, "There is no demo here that could be stopped or started.")
    settings.DEMO_ALIVE = False
    async with open_page("/admin", user=halina) as screen:
        assert "demo" not in screen.text


async def test_a_member_stops_nothing(halina) -> None:
    fan = await in_thread(UserFactory)
    await in_thread(lambda: LoadedDemo.objects.update(account_ids=[halina.pk, fan.pk]))
    async with open_page("/contact", user=fan) as screen:
        assert not (await command(screen, "demo_stop"))["ok"]
    assert await in_thread(lambda: LoadedDemo.objects.get().stopped_at) is None
