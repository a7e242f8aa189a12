"""Live control: commands, undo, and live updates for the audience."""

from types import SimpleNamespace
from typing import Any

import pytest

from apps.competition.models import Session, SessionParticipant
from apps.competition.selectors.admin.live import live_control_get
from apps.core.threads import in_thread
from tests.commanding import Answer, command
from tests.components.conftest import busy_session_with
from tests.components.pages.checked_commands import succeed
from tests.factories import AdminFactory, SessionFactory, UserFactory
from tests.screen import Screen, open_page

pytestmark = pytest.mark.django_db
DASHBOARD = "/admin/sessions"


@pytest.fixture
def busy_session(db: None) -> SimpleNamespace:
    """Return a live session of three without a performer, another session, two administrators and a fan."""
    setup = busy_session_with(3)
    setup.other = SessionFactory(title="Stage I, morning session", stage=setup.session.stage)
    setup.names = [appearance.participant.name for appearance in setup.appearances]
    setup.admin, setup.colleague, setup.fan = AdminFactory(), AdminFactory(), UserFactory()
    return setup


def on_stage() -> list[str]:
    """Return the names of the current performers of all sessions."""
    return list(SessionParticipant.objects.filter(is_performing=True).values_list("participant__name", flat=True))


def live() -> list[str]:
    """Return the titles of the live sessions."""
    return list(Session.objects.filter(is_live=True).values_list("title", flat=True))


async def pressed(screen: Screen, label: str) -> Answer:
    """Press the button with this label and return the answer."""
    button = screen.button(label)
    assert button, f"no button {label!r} in: {screen.text}"
    return await command(screen, button["attributes"]["data-command"], button["attributes"]["data-argument"])


async def test_next_performer_is_shown_to_the_audience_at_once(busy_session: SimpleNamespace) -> None:
    first, second, third = busy_session.names
    page = f"/sessions/{busy_session.session.pk}"
    async with (
        open_page(DASHBOARD, user=busy_session.admin) as admin,
        open_page(DASHBOARD, user=busy_session.colleague) as colleague,
        open_page(page, user=busy_session.fan) as fan,
    ):
        assert "Nobody is on stage." in admin.text
        answer = await pressed(admin, f"First performer 1 {first}")
        assert (answer["ok"], answer["text"]) == (True, "Current performer updated successfully")
        await fan.until(f"Now Performing {first}")
        for performer, number in ((second, 2), (third, 3)):
            await colleague.until(f"Next performer {number} {performer}")
            assert (await pressed(colleague, f"Next performer {number} {performer}"))["ok"]
            await fan.until(f"Now Performing {performer}")
        await admin.until("Everybody has played.")
    assert await in_thread(on_stage) == [third]


async def test_each_step_can_be_undone_until_the_next_change(busy_session: SimpleNamespace) -> None:
    first, second, _ = busy_session.names
    session, text = busy_session.session.pk, "Everything is as it was before."
    async with open_page(DASHBOARD, user=busy_session.admin) as admin:
        chosen = await pressed(admin, f"Perform: {second}")
        for name, argument, sentence in (
            ("performer_clear", session, "Current performer cleared successfully"),
            ("performer_set", busy_session.appearances[0].pk, "Current performer updated successfully"),
            ("session_end", session, "Session no longer live"),
            ("session_set_live", busy_session.other.pk, "Session set as live"),
        ):
            answer = await succeed(admin, name, argument, sentence, confirmed="1")
            undone = await command(admin, *answer["undo"])
            assert (undone["ok"], undone["text"], undone.get("undo")) == (True, text, None)
            assert (await in_thread(on_stage), await in_thread(live)) == ([second], [busy_session.session.title])
        await admin._until(lambda: admin.button(f"Perform: {first}"), "it is not as it was before")
        await pressed(admin, f"Perform: {first}")
        too_late = await command(admin, *chosen["undo"])
        assert not too_late["ok"]
        assert too_late["text"] == "Somebody has changed this since, so it stays as it is now."
    assert await in_thread(on_stage) == [first]


async def test_replacing_a_session_with_a_performer_needs_confirmation(busy_session: SimpleNamespace) -> None:
    first, title = busy_session.names[0], busy_session.other.title
    async with open_page(DASHBOARD, user=busy_session.admin) as admin:
        await pressed(admin, f"Perform: {first}")
        question = await pressed(admin, f"Set as Live: {title}")
        assert (question["ok"], question["ask"], question["text"]) == (False, True, f"{first} is on stage.")
        assert admin.button(f"Set as Live: {title}")["attributes"]["data-ask"] == f"Set {title} as live?"
        assert await in_thread(on_stage) == [first]
        ends = await command(admin, "session_end", busy_session.session.pk)
        assert ends["text"] == f"{first} is on stage.\n2 have not played."
        assert (await command(admin, "session_set_live", busy_session.other.pk, confirmed="1"))["ok"]
    assert await in_thread(live) == [title]


async def test_step_without_a_change_has_no_undo(busy_session: SimpleNamespace) -> None:
    async with open_page(DASHBOARD, user=busy_session.admin) as admin:
        answer = await pressed(admin, f"Set as Live: {busy_session.other.title}")
        assert answer["undo"][0] == "live_restore"
        second = await command(admin, "session_set_live", busy_session.other.pk)
        assert (second["ok"], second.get("undo")) == (True, None)
        empty = await command(admin, "performer_clear", busy_session.other.pk)
        assert (empty["ok"], empty.get("undo")) == (True, None)


async def test_performer_needs_a_live_session(busy_session: SimpleNamespace) -> None:
    async with open_page(DASHBOARD, user=busy_session.admin) as admin:
        question = await pressed(admin, "End Live Session")
        assert (question["ok"], question["ask"], question["text"]) == (False, True, "3 have not played.")
        assert admin.button("End Live Session")["attributes"]["data-ask"] == f"End {busy_session.session.title}?"
        ended = await command(admin, "session_end", busy_session.session.pk, confirmed="1")
        assert ended["text"] == "Session no longer live"
        await admin.until("No session is live")
        assert admin.button(f"Perform: {busy_session.names[0]}") is None
        assert admin.button("Clear performer") is None
        answer = await command(admin, "performer_set", busy_session.appearances[0].pk)
        assert answer["text"] == "Set the session live first, then choose who performs."
    assert await in_thread(on_stage) == []


async def test_malformed_arguments_are_refused(busy_session: SimpleNamespace) -> None:
    async with open_page(DASHBOARD, user=busy_session.admin) as admin:
        for argument in ("", "x", "0", "999999:x", "999999:2:3:4", "999999"):
            for name in ("session_set_live", "performer_set", "performer_next", "live_restore"):
                assert not (await command(admin, name, argument))["ok"], (name, argument)
    assert await in_thread(live) == [busy_session.session.title]


@pytest.mark.parametrize("count", [1, 30])
def test_query_count_is_independent_of_performers(db: None, django_assert_num_queries: Any, count: int) -> None:
    busy_session = busy_session_with(count)
    SessionFactory.create_batch(count, stage=busy_session.session.stage)
    with django_assert_num_queries(3):
        live_control_get()
