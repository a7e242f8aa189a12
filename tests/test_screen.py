"""The test screen shows the same as a browser, and its failures describe the page."""

import json
from typing import Any

import pytest

from apps.accounts.actors import OPERATOR
from apps.competition.services.live import performer_set
from apps.core.threads import in_thread
from components.runtime.rendering.serializer import static_model
from tests.factories import AdminFactory, AppearanceFactory, ParticipantFactory, SessionFactory
from tests.screen import open_page

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
async def busy_session() -> Any:
    """Return a live session and its two appearances."""

    def made() -> Any:
        session = SessionFactory(title="First evening", is_live=True)
        names = [("Ewa", "Nowak"), ("Adam", "Kos")]
        people = [ParticipantFactory(name=" ".join(n), first_name=n[0], second_name=n[1]) for n in names]
        return session, [AppearanceFactory(session=session, participant=person) for person in people]

    return await in_thread(made)


async def perform(place: Any) -> None:
    """Set this appearance as the current performance."""
    await in_thread(lambda: performer_set(actor=OPERATOR, appearance_id=place.pk))


async def test_everybody_sees_who_performs(busy_session: Any) -> None:
    session, (ewa, adam) = busy_session
    fan = await in_thread(AdminFactory)
    path = f"/sessions/{session.pk}"
    async with open_page(path) as stranger, open_page(path, user=fan) as signed_in, open_page("/") as home:
        assert [screen.status for screen in (stranger, signed_in, home)] == [200, 200, 200]
        await perform(ewa)
        for screen in (stranger, signed_in, home):
            await screen.until("Ewa Nowak" if screen is home else "Now Performing Ewa Nowak")
        await perform(adam)
        for screen in (stranger, signed_in):
            await screen.until("Now Performing Adam Kos")
            assert "Now Performing Ewa Nowak" not in screen.text
        await home.until_gone("Ewa Nowak")


async def test_the_socket_begins_with_what_the_html_holds(busy_session: Any) -> None:
    session, _ = busy_session
    async with open_page(f"/sessions/{session.pk}") as screen:
        embedded = screen.html.partition('id="app-model">')[2].partition("</script>")[0]
        assert [frame["type"] for frame in screen.frames] == ["layout-update"], "parts that are held are not sent"
        assert static_model(screen.frames[0]["model"]) == json.loads(embedded)
        assert len(screen.parts) >= 2


async def test_waiting_in_vain_says_what_is_there_instead() -> None:
    async with open_page("/sessions") as screen:
        with pytest.raises(AssertionError, match=r"'Encore' did not appear within 0.01 s in: .*Sessions"):
            await screen.until("Encore", seconds=0.01)
        with pytest.raises(AssertionError, match="no button 'Encore' in"):
            await screen.press("Encore")
        with pytest.raises(AssertionError, match="no link 'Encore' in"):
            await screen.follow("Encore")


async def test_a_closed_socket_is_no_silence() -> None:
    async with open_page("/sessions") as screen:
        screen.send("nonsense")
        with pytest.raises(AssertionError, match="closed with 4500"):
            await screen.until("Encore")
