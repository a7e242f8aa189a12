"""Many performers at once in a session's form, and planned times, live on public pages."""

from types import SimpleNamespace

import pytest
from django.test import Client

from apps.accounts.actors import OPERATOR
from apps.accounts.models import User
from apps.competition.models import Appearance, Session
from apps.competition.services.sessions import session_create
from apps.core.threads import in_thread
from tests.commanding import Answer, command
from tests.components.pages.admin.sessions import CREATE, LIST, fields_of, order, saved, session_of_three
from tests.components.pages.checked_commands import check_refusals
from tests.components.seen import attributes, every, one, text
from tests.factories import AdminFactory, AppearanceFactory, ParticipantFactory, SessionFactory, StageFactory
from tests.project.plain_forms import PlainPage
from tests.screen import Screen, open_page

pytestmark = pytest.mark.django_db


@pytest.fixture
def busy_session(db: None) -> SimpleNamespace:
    """Return a session of three participants, and four further participants with start numbers."""
    setup = session_of_three()
    setup.others = [ParticipantFactory(first_name="Ewa", start_number=n) for n in (4, 3, 2, 1)]
    return setup


async def filled(screen: Screen, setup: SimpleNamespace, fill: str, **fields: object) -> Answer:
    """Send the form that fills the order, as its button does."""
    have = ",".join(map(str, setup.ids))
    return await command(screen, "order_fill", setup.session.pk, **({"have": have, "fill": fill} | fields))


def drafted(screen: Screen) -> list[int]:
    """Return the order that the list's script gets."""
    return list(attributes(one(screen.tree, "RunningOrder"))["draft"]["ids"])


async def test_pasted_list_fills_the_form_without_saving(busy_session: SimpleNamespace) -> None:
    ewa = [person.pk for person in busy_session.others]
    lines = f"4\n{busy_session.names[0]}\n3. {busy_session.others[1].name}\nEwa Nobody\n4"
    async with open_page(busy_session.edit, user=busy_session.admin) as admin:
        answer = await filled(admin, busy_session, "lines", lines=lines)
        assert (answer["ok"], answer["text"]) == (True, "2 performers added to the list. Nothing is saved yet.")
        await admin.go(answer["go"])
        assert drafted(admin) == [*busy_session.ids, ewa[0], ewa[1]]
        await admin.until("5 read: 2 added, 1 in the list already (line 2), 1 repeated (line 5), 1 to choose (line 4).")
        assert await in_thread(lambda: order(busy_session.session.pk)) == busy_session.ids
        chooses = one(admin.tree, "select", id="chosen-4")
        values = [attributes(option)["value"] for option in every(chooses, "option")]
        assert f"{ewa[1]}-{ewa[2]}" in values
        have = ",".join(map(str, drafted(admin)))
        chosen = await filled(admin, busy_session, "chosen", have=have, chosen=f"{ewa[1]}-{ewa[2]}")
        await admin.go(chosen["go"])
        assert drafted(admin) == [*busy_session.ids, *ewa[:3]]
        fields = fields_of(admin)
        assert fields["participant_ids"] == ",".join(map(str, busy_session.ids))
        ids = ",".join(map(str, drafted(admin)))
        names = ("title", "date", "time", "description", "youtube_id", "version")
        sent = {name: fields[name] for name in names} | {"participant_ids": ids, "adding": ""}
        sent["stage"] = str(busy_session.session.stage_id)
        assert (await command(admin, "session_update", busy_session.session.pk, **sent))["ok"]
    assert await in_thread(lambda: order(busy_session.session.pk)) == [*busy_session.ids, *ewa[:3]]


async def test_performer_removed_by_a_colleague_stays_removed_after_a_fill(busy_session: SimpleNamespace) -> None:
    first, second, third = busy_session.ids
    async with (
        open_page(busy_session.edit, user=busy_session.admin) as admin,
        open_page(busy_session.edit, user=busy_session.colleague) as colleague,
    ):
        assert (await saved(colleague, busy_session, participant_ids=f"{first},{third}", confirmed="1"))["ok"]
        opened = attributes(one(one(admin.tree, "form", id="order-fill"), "input", name="version"))["value"]
        answer = await filled(admin, busy_session, "lines", lines="4", version=opened)
        await admin.go(answer["go"])
        ids = ",".join(map(str, drafted(admin)))
        assert ids == f"{first},{second},{third},{busy_session.others[0].pk}"
        answer = await saved(admin, busy_session, participant_ids=ids)
        assert answer["text"].endswith("it is kept: The order of playing.")
    assert await in_thread(lambda: order(busy_session.session.pk)) == [first, third, busy_session.others[0].pk]


async def test_performers_are_added_from_a_stage_or_a_session(busy_session: SimpleNamespace) -> None:
    def another_session() -> int:
        session = SessionFactory()
        for participant in busy_session.others[1:3]:
            AppearanceFactory(session=session, participant=participant)
        return int(session.pk)

    sources = {"of_stage": str(busy_session.session.stage_id), "copied": str(await in_thread(another_session))}
    async with open_page(busy_session.edit, user=busy_session.admin) as admin:
        for fill, fields, added in (("next", {"next": "2"}, (3, 2)), ("next", {}, (3, 2, 1, 0)), ("copy", {}, (1, 2))):
            answer = await filled(admin, busy_session, fill, **sources | fields)
            await admin.load(answer["go"])
            assert drafted(admin) == [*busy_session.ids, *(busy_session.others[place].pk for place in added)], fill


async def test_enter_presses_the_button_beside_the_number_of_performers(busy_session: SimpleNamespace) -> None:
    async with open_page(busy_session.edit, user=busy_session.admin) as screen:
        buttons = map(attributes, every(screen.tree, "button"))
        # a browser presses the first button of a form in the order of the document
        assert [button["value"] for button in buttons if button.get("name") == "fill"][:2] == ["next", "lines"]


async def test_missing_values_are_refused_at_their_fields(busy_session: SimpleNamespace) -> None:
    unknown = "60 of 60 lines name no participant, the first is line 1: “No such name”. Nothing was added."
    cases = (
        ({"fill": "lines", "lines": " "}, "lines", "Paste a list first, one performer in each line."),
        ({"fill": "next"}, "stage", "Choose a stage first."),
        ({"fill": "copy"}, "copied", "Choose a session first."),
        ({"fill": "next", "next": "0", "of_stage": "1"}, "next", "Please give a whole number from 1 to 100."),
        ({"fill": "lines", "lines": "No such name\n" * 60}, "lines", unknown),
    )
    async with open_page(busy_session.edit, user=busy_session.admin) as admin:
        await check_refusals(admin, "order_fill", busy_session.session.pk, cases)


@pytest.mark.django_db(transaction=True)
def test_list_is_pasted_and_saved_without_scripts(client: Client) -> None:
    client.force_login(AdminFactory())
    people = [ParticipantFactory(start_number=n) for n in range(1, 5)]
    stage = SessionFactory().stage
    page = PlainPage.at(client, CREATE)
    filled_page = page.send("order_fill", "", fill="next", next="2", of_stage=str(stage.pk))
    second = filled_page.send("order_fill", "", fill="lines", lines=f"4\n{people[2].name}\n1")
    answer = second.send("session_create", title="Final", date="2027-10-12", time="17:00", stage=str(stage.pk))
    assert "Session created successfully" in answer.text
    playing = order(Session.objects.get(title="Final").pk)
    assert playing == [people[at].pk for at in (0, 1, 3, 2)]


PLAN = {"minutes": "30", "intervals": "1: 15"}


@pytest.fixture
def evening(db: None) -> SimpleNamespace:
    """Return a session of three participants that begins tomorrow at 17:00 in the hall."""
    setup = session_of_three()
    Session.objects.update(starts_at="2027-10-12T15:00Z")
    return setup


def clocks(screen: Screen) -> list[str]:
    """Return the times of day on this page, without the session's own, which has its date."""
    times = (text(node).split() for node in every(screen.tree, "time"))
    return [" ".join(words) for words in times if words[1:] == ["in", "the", "hall"]]


async def test_planned_times_follow_changes_on_public_pages(evening: SimpleNamespace, fan: User) -> None:
    pk = evening.session.pk
    async with (
        open_page(evening.edit, user=evening.admin) as admin,
        open_page(f"/sessions/{pk}", user=fan) as fan_page,
        open_page(f"/participants/{evening.ids[1]}", user=fan) as performer_page,
        open_page(LIST, user=evening.colleague) as colleague,
    ):
        assert (clocks(fan_page), clocks(performer_page)) == ([], [])
        answer = await command(admin, "planned_times_set", pk, **PLAN)
        assert answer["text"] == "The planned times are set."
        await fan_page.until("18:15 in the hall")
        session = await in_thread(lambda: Session.objects.get(pk=pk))
        beside = {"title": "Beside", "starts_at": session.starts_at, "stage_id": session.stage_id}
        await in_thread(lambda: session_create(actor=OPERATOR, **beside))
        await admin.until(f"{evening.session.title} overlaps with Beside.")
        assert {f"{time} in the hall" for time in ("17:00", "17:45", "18:15", "18:45")} == set(clocks(fan_page))
        await performer_page.until("17:45 in the hall")
        await colleague.until("to 18:45 in the hall")
        second = evening.appearances[1].pk
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


async def test_live_control_shifts_times_from_the_next_performer(evening: SimpleNamespace) -> None:
    pk = evening.session.pk
    async with open_page(LIST, user=evening.admin) as admin:
        await command(admin, "session_set_live", pk)
        await admin.until("LIVE NOW")
        assert "Shift the planned times" not in admin.text
        await command(admin, "planned_times_set", pk, **PLAN)
        await admin.until("Early or late? Shift the planned times")
        await command(admin, "performer_next", pk)
        second = str(evening.appearances[1].pk)
        await admin.until("Next performer")
        (chooses,) = [node for node in every(admin.tree, "select") if attributes(node)["name"] == "appearance"]
        assert attributes(chooses)["defaultValue"] == second
        assert (await command(admin, "planned_times_shift", pk, appearance=second, by="-20"))["ok"]
        refused = await command(admin, "planned_times_shift", pk, appearance=second, by="-60")
        assert (refused["ok"], refused["field"]) == (False, "by")


async def test_invalid_shifts_are_refused_at_their_fields(evening: SimpleNamespace) -> None:
    async with open_page(LIST, user=evening.admin) as admin:
        for fields, field in (
            ({"by": "0", "appearance": "1"}, "by"),
            ({"by": "5"}, "appearance"),
            ({"by": "601", "appearance": "1"}, "by"),
        ):
            answer = await command(admin, "planned_times_shift", evening.session.pk, **fields)
            assert (answer["ok"], answer["field"]) == (False, field), fields


@pytest.mark.django_db(transaction=True)
def test_series_is_made_and_undone_without_scripts(client: Client) -> None:
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
    assert Appearance.objects.count() == 3
    first = Session.objects.order_by("pk").values_list("pk", flat=True)[0]
    question = setup.press("session_series_undo", first)
    assert "2 sessions taken back." in question.send("session_series_undo", first).text
    assert not Session.objects.exists()
