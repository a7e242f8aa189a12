"""Planned times on the screens: computed and shifted by administrators, seen live by listeners; and series."""

from types import SimpleNamespace

import pytest

from apps.accounts.models import User
from apps.competition.models import Session, SessionParticipant
from apps.core.threads import in_thread
from tests.commanding import command
from tests.components.pages.admin.sessions import LIST, fields_of, order, session_of_three
from tests.components.seen import attributes, every, text
from tests.factories import AdminFactory, ParticipantFactory, StageFactory
from tests.project.plain_forms import PlainPage
from tests.screen import Screen, open_page

pytestmark = pytest.mark.django_db
PLAN = {"minutes": "30", "intervals": "1: 15"}


@pytest.fixture
def busy_session(db: None) -> SimpleNamespace:
    """Return a session of three participants that begins tomorrow at 17:00 in the hall."""
    setup = session_of_three()
    Session.objects.update(starts_at="2027-10-12T15:00Z")
    return setup


def clocks(screen: Screen) -> list[str]:
    """Return the times of day on this page, without the session's own, which has its date."""
    times = (text(node).split() for node in every(screen.tree, "time"))
    return [" ".join(words) for words in times if words[1:] == ["in", "the", "hall"]]


async def test_planned_times_follow_changes_on_public_pages(busy_session: SimpleNamespace, fan: User) -> None:
    pk = busy_session.session.pk
    async with (
        open_page(busy_session.edit, user=busy_session.admin) as admin,
        open_page(f"/sessions/{pk}", user=fan) as fan_page,
        open_page(f"/participants/{busy_session.ids[1]}", user=fan) as performer_page,
        open_page(LIST, user=busy_session.colleague) as colleague,
    ):
        assert (clocks(fan_page), clocks(performer_page)) == ([], [])
        answer = await command(admin, "planned_times_set", pk, **PLAN)
        assert answer["text"] == "The planned times are set."
        await fan_page.until("18:15 in the hall")
        assert {f"{time} in the hall" for time in ("17:00", "17:45", "18:15", "18:45")} == set(clocks(fan_page))
        await performer_page.until("17:45 in the hall")
        await colleague.until("to 18:45 in the hall")
        second = busy_session.appearances[1].pk
        shifted = await command(admin, "planned_times_shift", pk, appearance=str(second), by="10")
        assert shifted["undo"][0] == "planned_times_shift_back"
        await fan_page.until("18:55 in the hall")
        await performer_page.until("17:55 in the hall")
        assert (await command(admin, *shifted["undo"]))["ok"]
        await performer_page.until("17:45 in the hall")
        again = await command(admin, *shifted["undo"])
        assert again["text"] == "The planned times were changed since, so they stay as they are."
        assert (await command(admin, "planned_times_clear", pk))["ok"]
        await fan_page.until_gone("18:15 in the hall")
        await performer_page.until_gone("17:45 in the hall")


async def test_live_control_shifts_times_from_the_next_performer(busy_session: SimpleNamespace) -> None:
    pk = busy_session.session.pk
    async with open_page(LIST, user=busy_session.admin) as admin:
        await command(admin, "session_set_live", pk)
        await admin.until("LIVE NOW")
        assert "Shift the planned times" not in admin.text
        await command(admin, "planned_times_set", pk, **PLAN)
        await admin.until("Early or late? Shift the planned times")
        await command(admin, "performer_next", pk)
        second = str(busy_session.appearances[1].pk)
        await admin.until("Next performer")
        (chooses,) = [node for node in every(admin.tree, "select") if attributes(node)["name"] == "appearance"]
        assert attributes(chooses)["defaultValue"] == second
        assert (await command(admin, "planned_times_shift", pk, appearance=second, by="-20"))["ok"]
        refused = await command(admin, "planned_times_shift", pk, appearance=second, by="-60")
        assert (refused["ok"], refused["field"]) == (False, "by")


async def test_invalid_shifts_are_refused_at_their_fields(busy_session: SimpleNamespace) -> None:
    async with open_page(LIST, user=busy_session.admin) as admin:
        for fields, field in (
            ({"by": "0", "appearance": "1"}, "by"),
            ({"by": "5"}, "appearance"),
            ({"by": "601", "appearance": "1"}, "by"),
        ):
            answer = await command(admin, "planned_times_shift", busy_session.session.pk, **fields)
            assert (answer["ok"], answer["field"]) == (False, field), fields


async def test_concurrent_orders_are_a_conflict(busy_session: SimpleNamespace) -> None:
    pk, new = busy_session.session.pk, await in_thread(lambda: ParticipantFactory(start_number=7))
    have = ",".join(map(str, busy_session.ids))
    async with (
        open_page(busy_session.edit, user=busy_session.admin) as admin,
        open_page(busy_session.edit, user=busy_session.colleague) as colleague,
    ):
        filled = await command(admin, "order_fill", pk, fill="lines", lines="7", have=have)
        await admin.go(filled["go"])
        version = fields_of(admin)["version"]
        turned = {"participant_ids": ",".join(map(str, busy_session.ids[::-1])), "confirmed": "1"}
        assert (await command(colleague, "session_update", pk, **(fields_of(colleague) | turned)))["ok"]
        own_fields = {"participant_ids": f"{have},{new.pk}", "confirmed": "1", "version": version}
        conflict = await command(admin, "session_update", pk, **(fields_of(admin) | own_fields))
        assert (conflict["ok"], conflict["text"].startswith("The order of playing was changed")) == (False, True)
        assert await in_thread(lambda: order(pk)) == busy_session.ids[::-1]
        second = await command(
            admin, "session_update", pk, **(fields_of(admin) | own_fields | {"version": conflict["version"]})
        )
        assert second["ok"], second
    assert await in_thread(lambda: order(pk)) == [*busy_session.ids, new.pk]


@pytest.mark.django_db(transaction=True)
def test_series_is_made_and_undone_without_scripts(client) -> None:  # type: ignore[no-untyped-def]
    client.force_login(AdminFactory())
    for number in (1, 2, 3):
        ParticipantFactory(start_number=number)
    stage = StageFactory(name="Stage I")
    page = PlainPage.at(client, f"{LIST}?mode=series")
    typed = {"sessions": "2027-10-12 10:00 12:00\n2027-10-13 10:00", "first_number": "1", "stage": str(stage.pk)}
    preview = page.send("session_series_create", **typed)
    assert "1. Stage I, session 1, 2027-10-12 10:00–12:00: 2 performers" in preview.text
    assert not Session.objects.exists()
    setup = preview.agree("session_series_create")
    assert "2 sessions created." in setup.text
    assert SessionParticipant.objects.count() == 3
    first = Session.objects.order_by("pk").values_list("pk", flat=True)[0]
    question = setup.press("session_series_undo", first)
    assert "2 sessions taken back." in question.send("session_series_undo", first).text
    assert not Session.objects.exists()
