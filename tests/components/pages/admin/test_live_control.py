"""Live control: commands, undo, concurrent administrators, and live updates for the audience."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.accounts.models import User
from apps.competition.models import Session, SessionParticipant
from apps.competition.selectors.admin.live import live_control_get
from apps.core.threads import in_thread
from tests.commanding import Answer, command
from tests.components.conftest import busy_session_with
from tests.factories import AdminFactory, SessionFactory, UserFactory
from tests.screen import Screen, open_page

pytestmark = pytest.mark.django_db(transaction=True)
DASHBOARD = "/admin/sessions"
ACTS = {
    "session_set_live": "{session}",
    "session_end": "{session}",
    "performer_set": "{appearance}",
    "performer_next": "{session}",
    "performer_clear": "{session}",
    "live_restore": "{session}.0.0.0",
    "session_delete": "{session}",
}


@pytest.fixture
def busy_session(transactional_db: None) -> SimpleNamespace:
    """Return a live session of three without a performer, another session, two administrators and a fan."""
    made = busy_session_with(3)
    made.other = SessionFactory(title="Stage I, morning session", stage=made.session.stage)
    made.names = [appearance.participant.name for appearance in made.appearances]
    made.halina, made.ignacy, made.fan = AdminFactory(), AdminFactory(), UserFactory()
    return made


def on_stage() -> list[str]:
    """Return the names of the current performers of all sessions."""
    return list(SessionParticipant.objects.filter(is_performing=True).values_list("participant__name", flat=True))


def live() -> list[str]:
    """Return the titles of the live sessions."""
    return list(Session.objects.filter(is_live=True).values_list("title", flat=True))


async def pressed(screen: Screen, label: str) -> Answer:
    """Press the button with this label and return the answer."""
    found = screen.button(label)
    assert found, f"no button {label!r} in: {screen.text}"
    return await command(screen, found["attributes"]["data-command"], found["attributes"]["data-argument"])


async def offered(screen: Screen, label: str, *, there: bool = True) -> None:
    """Wait until the button with this label is shown, or hidden with `there=False`."""
    await screen._until(lambda: bool(screen.button(label)) == there, f"{label}: {not there}")


async def test_next_performer_is_one_tap_for_everybody_who_watches(busy_session: SimpleNamespace) -> None:
    first, second, third = busy_session.names
    page = f"/sessions/{busy_session.session.pk}"
    async with (
        open_page(DASHBOARD, user=busy_session.halina) as halina,
        open_page(DASHBOARD, user=busy_session.ignacy) as ignacy,
        open_page(page, user=busy_session.fan) as fan,
    ):
        assert "Nobody is on stage." in halina.text
        answer = await pressed(halina, f"First performer 1 {first}")
        assert (answer["ok"], answer["text"]) == (True, "Current performer updated successfully")
        await fan.until(f"Now Performing {first}")
        for live_query, number in ((second, 2), (third, 3)):
            await ignacy.until(f"Next performer {number} {live_query}")
            assert (await pressed(ignacy, f"Next performer {number} {live_query}"))["ok"]
            await fan.until(f"Now Performing {live_query}")
        await halina.until("Everybody has played.")
    assert await in_thread(on_stage) == [third]


async def test_two_who_press_next_at_once_go_one_step(busy_session: SimpleNamespace) -> None:
    label = f"First performer 1 {busy_session.names[0]}"
    async with (
        open_page(DASHBOARD, user=busy_session.halina) as halina,
        open_page(DASHBOARD, user=busy_session.ignacy) as ignacy,
    ):
        answers = await asyncio.gather(pressed(halina, label), pressed(ignacy, label))
        assert sorted(answer["ok"] for answer in answers) == [False, True]
        refusal = next(answer["text"] for answer in answers if not answer["ok"])
        assert refusal == f"Somebody else was faster: {busy_session.names[0]} is on stage now."
        for screen in (halina, ignacy):
            await screen.until(f"Next performer 2 {busy_session.names[1]}")
    assert await in_thread(on_stage) == busy_session.names[:1]


async def test_two_who_set_another_session_live_agree_in_the_end(busy_session: SimpleNamespace) -> None:
    third = await in_thread(lambda: SessionFactory(title="Stage II", stage=busy_session.session.stage))
    async with (
        open_page(DASHBOARD, user=busy_session.halina) as halina,
        open_page(DASHBOARD, user=busy_session.ignacy) as ignacy,
    ):
        answers = await asyncio.gather(
            command(halina, "session_set_live", busy_session.other.pk), command(ignacy, "session_set_live", third.pk)
        )
        assert [answer["text"] for answer in answers] == ["Session set as live"] * 2
        (title,) = await in_thread(live)
        assert title in {busy_session.other.title, third.title}
        for screen in (halina, ignacy):
            await screen.until(f"LIVE NOW {title}")
            await offered(screen, f"Set as Live: {title}", there=False)
            await offered(screen, f"Set as Live: {busy_session.session.title}")


async def test_every_step_may_be_taken_back_while_nobody_changed_it_since(busy_session: SimpleNamespace) -> None:
    first, second, _ = busy_session.names
    session, text = busy_session.session.pk, "Everything is as it was before."
    async with open_page(DASHBOARD, user=busy_session.halina) as halina:
        chosen = await pressed(halina, f"Perform: {second}")
        for name, argument, said in (
            ("performer_clear", session, "Current performer cleared successfully"),
            ("performer_set", busy_session.appearances[0].pk, "Current performer updated successfully"),
            ("session_end", session, "Session no longer live"),
            ("session_set_live", busy_session.other.pk, "Session set as live"),
        ):
            answer = await command(halina, name, argument, confirmed="1")
            assert (answer["ok"], answer["text"]) == (True, said)
            back = await command(halina, *answer["undo"])
            assert (back["ok"], back["text"], back.get("undo")) == (True, text, None)
            assert (await in_thread(on_stage), await in_thread(live)) == ([second], [busy_session.session.title])
        await halina._until(lambda: halina.button(f"Perform: {first}"), "it is not as it was before")
        await pressed(halina, f"Perform: {first}")
        late = await command(halina, *chosen["undo"])
        assert (late["ok"], late["text"]) == (
            False,
            "Somebody has changed this since, so it stays as it is now.",
        )
    assert await in_thread(on_stage) == [first]


async def test_another_session_goes_live_only_after_a_question_while_a_performer_is_on_stage(
    busy_session: SimpleNamespace,
) -> None:
    first, title = busy_session.names[0], busy_session.other.title
    async with open_page(DASHBOARD, user=busy_session.halina) as halina:
        await pressed(halina, f"Perform: {first}")
        asked = await pressed(halina, f"Set as Live: {title}")
        assert (asked["ok"], asked["ask"], asked["text"]) == (False, True, f"{first} is on stage.")
        assert halina.button(f"Set as Live: {title}")["attributes"]["data-ask"] == f"Set {title} as live?"
        assert await in_thread(on_stage) == [first]
        ends = await command(halina, "session_end", busy_session.session.pk)
        assert ends["text"] == f"{first} is on stage.\n2 have not played."
        assert (await command(halina, "session_set_live", busy_session.other.pk, confirmed="1"))["ok"]
    assert await in_thread(live) == [title]


async def test_what_changes_nothing_offers_no_way_back(busy_session: SimpleNamespace) -> None:
    async with open_page(DASHBOARD, user=busy_session.halina) as halina:
        answer = await pressed(halina, f"Set as Live: {busy_session.other.title}")
        assert answer["undo"][0] == "live_restore"
        again = await command(halina, "session_set_live", busy_session.other.pk)
        assert (again["ok"], again.get("undo")) == (True, None)
        empty = await command(halina, "performer_clear", busy_session.other.pk)
        assert (empty["ok"], empty.get("undo")) == (True, None)


async def test_a_performer_is_chosen_only_while_the_session_is_live(busy_session: SimpleNamespace) -> None:
    async with open_page(DASHBOARD, user=busy_session.halina) as halina:
        asked = await pressed(halina, "End Live Session")
        assert (asked["ok"], asked["ask"], asked["text"]) == (False, True, "3 have not played.")
        assert halina.button("End Live Session")["attributes"]["data-ask"] == f"End {busy_session.session.title}?"
        ended = await command(halina, "session_end", busy_session.session.pk, confirmed="1")
        assert ended["text"] == "Session no longer live"
        await halina.until("No session is live")
        assert halina.button(f"Perform: {busy_session.names[0]}") is None
        assert halina.button("Clear performer") is None
        answer = await command(halina, "performer_set", busy_session.appearances[0].pk)
        assert answer["text"] == "Set the session live first, then choose who performs."
    assert await in_thread(on_stage) == []


@pytest.mark.parametrize("name", sorted(ACTS))
async def test_whoever_is_no_administrator_any_more_changes_nothing(busy_session: SimpleNamespace, name: str) -> None:
    argument = ACTS[name].format(session=busy_session.session.pk, appearance=busy_session.appearances[0].pk)
    async with open_page(DASHBOARD, user=busy_session.halina) as halina:
        changed = in_thread(lambda: User.objects.filter(pk=busy_session.halina.pk).update(is_admin=False))
        await changed  # a direct update publishes no event, so the window stays open
        answer = await command(halina, name, argument)
    assert not answer["ok"]
    assert answer["text"].startswith("Only administrators")
    assert (await in_thread(live), await in_thread(on_stage)) == ([busy_session.session.title], [])


@pytest.mark.parametrize("who", ["fan", "nobody"])
async def test_others_are_led_away_and_find_no_controls(busy_session: SimpleNamespace, who: str) -> None:
    async with open_page(DASHBOARD, user=getattr(busy_session, who, None)) as screen:
        assert screen.path == ("/" if who == "fan" else "/login?next=%2Fadmin%2Fsessions")
        assert "End Live Session" not in screen.text


@pytest.mark.parametrize("argument", ["", "x", "0", "999999:x", "999999:2:3:4", "999999"])
async def test_arguments_of_strangers_are_refused(busy_session: SimpleNamespace, argument: str) -> None:
    async with open_page(DASHBOARD, user=busy_session.halina) as halina:
        for name in ("session_set_live", "performer_set", "performer_next", "live_restore"):
            assert not (await command(halina, name, argument))["ok"], name
    assert await in_thread(live) == [busy_session.session.title]


def queries(work: Any) -> int:
    """Return the number of queries of `work`."""
    with CaptureQueriesContext(connection) as seen:
        work()
    return len(seen)


@pytest.mark.parametrize("count", [1, 30])
def test_live_control_is_three_queries_however_many_play(transactional_db: None, count: int) -> None:
    busy_session = busy_session_with(count)
    for number in range(count):
        SessionFactory(title=f"Session {number}", stage=busy_session.session.stage)
    assert queries(live_control_get) == 3
