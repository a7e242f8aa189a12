"""Many performers at once in a session's form: pasted, the next ones, another session's, those who advance."""

from types import SimpleNamespace

import pytest

from apps.competition.models import Session
from apps.core.threads import in_thread
from tests.commanding import Answer, command
from tests.components.pages.admin.sessions import CREATE, fields_of, order, session_of_three
from tests.components.pages.checked_commands import check_refusals
from tests.components.seen import attributes, every, one
from tests.factories import AdminFactory, AppearanceFactory, ParticipantFactory, SessionFactory
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
        saved = {name: fields[name] for name in names} | {"participant_ids": ids, "adding": ""}
        saved["stage"] = str(busy_session.session.stage_id)
        assert (await command(admin, "session_update", busy_session.session.pk, **saved))["ok"]
    assert await in_thread(lambda: order(busy_session.session.pk)) == [*busy_session.ids, *ewa[:3]]


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


async def test_session_has_at_most_a_hundred_performers(busy_session: SimpleNamespace) -> None:
    await in_thread(lambda: [ParticipantFactory(start_number=number) for number in range(10, 110)])
    async with open_page(busy_session.edit, user=busy_session.admin) as admin:
        stage = str(busy_session.session.stage_id)
        answer = await filled(admin, busy_session, "next", next="100", of_stage=stage)
    sentence = "A session has at most 100 participants, and this list would have 103. Nothing was added."
    assert (answer["ok"], answer["text"]) == (False, sentence)


@pytest.mark.django_db(transaction=True)
def test_list_is_pasted_and_saved_without_scripts(client) -> None:  # type: ignore[no-untyped-def]
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
