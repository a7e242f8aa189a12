"""The page "Who runs the site", and the dashboard's line about a living demo."""

from datetime import UTC, datetime

import pytest

from apps.accounts.models import User
from apps.core.threads import in_thread
from apps.demo.models import LoadedDemo
from tests.commanding import command
from tests.components.pages.checked_commands import be_refused
from tests.components.seen import attributes, every, one, opened, text
from tests.factories import AdminFactory, UserFactory, viewer_of
from tests.screen import open_page

CONTACT = "/admin/contact"


async def test_contact_change_is_shown_on_open_and_cached_pages():
    user = await in_thread(AdminFactory)
    async with (
        open_page(CONTACT, user=user) as editor,
        open_page("/contact") as contact,
        open_page("/privacy") as privacy,
    ):
        version = attributes(one(editor.tree, "input", name="version"))["defaultValue"]
        fields = {"name": "Jan Kowalski", "version": version}
        refused = await command(editor, "site_contact_set", email="nowhere", **fields)
        assert (refused["ok"], refused["field"]) == (False, "email")
        answer = await command(editor, "site_contact_set", email="hall@example.org", **fields)
        assert (answer["ok"], answer["text"], answer["go"]) == (True, "Contact updated successfully", CONTACT)
        for screen in (contact, privacy):
            await screen.until("This copy of Parterre is run by Jan Kowalski.")
        async with open_page("/contact") as later:
            assert "hall@example.org" in later.text


def test_values_of_the_environment_are_read_only(db, settings):
    admin = viewer_of(AdminFactory())
    settings.OPERATOR_NAME = "The Society"
    page = opened(CONTACT, admin).main
    name = attributes(one(page, "input", name="name"))
    assert (name["defaultValue"], name["readOnly"]) == ("The Society", True)
    assert "Set by OPERATOR_NAME of the environment, which overrides what is stored." in text(page)
    assert "readOnly" not in attributes(one(page, "input", name="email"))
    settings.CONTACT_EMAIL = "society@example.org"
    page = opened(CONTACT, admin).main
    assert not every(page, "button", type="submit")
    assert "Set by CONTACT_EMAIL of the environment" in text(page)


ALIVE, STOPPED = "The demo is alive: its audience marks", "The demo is stopped."


@pytest.fixture
def demo_admin(db, settings) -> User:
    """Return the administrator of a demo that is alive."""
    settings.DEMO_ALIVE = True
    demo_admin = AdminFactory()
    LoadedDemo.objects.create(pk=1, present_at=datetime(2026, 11, 1, tzinfo=UTC), account_ids=[demo_admin.pk])
    return demo_admin


async def test_demo_is_stopped_and_started_in_all_windows(demo_admin) -> None:
    async with (
        open_page("/admin", user=demo_admin) as first,
        open_page("/admin?tab=live", user=demo_admin) as second,
    ):
        assert ALIVE in first.text
        assert first.button("Stop the demo")
        assert (await command(first, "demo_stop"))["text"] == STOPPED
        for screen in (first, second):
            await screen.until(STOPPED)
        assert second.button("Start the demo")
        assert (await command(second, "demo_start"))["ok"]
        await first.until(ALIVE)


async def test_dashboard_without_a_living_demo_has_no_such_line(demo_admin, settings) -> None:
    await in_thread(UserFactory)
    async with open_page("/admin", user=demo_admin) as screen:
        assert "demo" not in screen.text
        await be_refused(screen, "demo_stop", "", "There is no demo here that could be stopped or started.")
    settings.DEMO_ALIVE = False
    async with open_page("/admin", user=demo_admin) as screen:
        assert "demo" not in screen.text
