"""Many performers at once in a session's form: pasted, the next ones, another session's, those who advance."""

from types import SimpleNamespace

import pytest

from apps.competition.models import Session
from apps.core.threads import in_thread
from tests.commanding import Answer, command
from tests.components.pages.admin.sessions import CREATE, fields_of, order, session_of_three
from tests.components.seen import attributes, every, one
from tests.factories import AdminFactory, AppearanceFactory, ParticipantFactory, SessionFactory, UserFactory
from tests.project.plain_forms import PlainPage
from tests.screen import Screen, open_page

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def busy_session(transactional_db: None) -> SimpleNamespace:
    """Return a session of three participants, and four further participants with start numbers."""
    made = session_of_three()
    made.others = [ParticipantFactory(first_name="Ewa", start_number=n) for n in (4, 3, 2, 1)]
    return made


async def filled(screen: Screen, made: SimpleNamespace, fill: str, **fields: object) -> Answer:
    """Send the form that fills the order, as its button does."""
    have = ",".join(map(str, made.ids))
    return await command(screen, "order_fill", made.session.pk, **({"have": have, "fill": fill} | fields))


def drafted(screen: Screen) -> list[int]:
    """Return the order that the list's script gets."""
    return list(attributes(one(screen.tree, "RunningOrder"))["draft"]["ids"])


async def test_a_pasted_list_is_in_the_form_and_nothing_is_saved(busy_session: SimpleNamespace) -> None:
    ewa = [person.pk for person in busy_session.others]
    lines = f"4\n{busy_session.names[0]}\n3. {busy_session.others[1].name}\nEwa Nobody\n4"
    async with open_page(busy_session.edit, user=busy_session.halina) as halina:
        answer = await filled(halina, busy_session, "lines", lines=lines)
        assert (answer["ok"], answer["text"]) == (True, "2 performers added to the list. Nothing is saved yet.")
        await halina.go(answer["go"])
        assert drafted(halina) == [*busy_session.ids, ewa[0], ewa[1]]
        await halina.until(
            "5 read: 2 added, 1 in the list already (line 2), 1 repeated (line 5), 1 to choose (line 4)."
        )
        assert await in_thread(lambda: order(busy_session.session.pk)) == busy_session.ids
        chooses = one(halina.tree, "select", id="chosen-4")
        values = [attributes(option)["value"] for option in every(chooses, "option")]
        assert f"{ewa[1]}-{ewa[2]}" in values
        have = ",".join(map(str, drafted(halina)))
        chosen = await filled(halina, busy_session, "chosen", have=have, chosen=f"{ewa[1]}-{ewa[2]}")
        await halina.go(chosen["go"])
        assert drafted(halina) == [*busy_session.ids, *ewa[:3]]
        fields = fields_of(halina)
        assert fields["participant_ids"] == ",".join(map(str, busy_session.ids))
        ids = ",".join(map(str, drafted(halina)))
        names = ("title", "date", "time", "description", "youtube_id", "version")
        saved = {name: fields[name] for name in names} | {"participant_ids": ids, "adding": ""}
        saved["stage"] = str(busy_session.session.stage_id)
        assert (await command(halina, "session_update", busy_session.session.pk, **saved))["ok"]
    assert await in_thread(lambda: order(busy_session.session.pk)) == [*busy_session.ids, *ewa[:3]]


@pytest.mark.parametrize(
    ("fill", "fields", "added"), [("next", {"next": "2"}, (3, 2)), ("next", {}, (3, 2, 1, 0)), ("copy", {}, (1, 2))]
)
async def test_others_are_put_in(
    busy_session: SimpleNamespace, fill: str, fields: dict[str, str], added: tuple[int, ...]
) -> None:
    def another_session() -> int:
        session = SessionFactory()
        for other in busy_session.others[1:3]:
            AppearanceFactory(session=session, participant=other)
        return int(session.pk)

    copied = await in_thread(another_session)
    async with open_page(busy_session.edit, user=busy_session.halina) as halina:
        more = {"of_stage": str(busy_session.session.stage_id), "copied": str(copied)} | fields
        answer = await filled(halina, busy_session, fill, **more)
        await halina.go(answer["go"])
        assert drafted(halina) == [*busy_session.ids, *(busy_session.others[at].pk for at in added)]


@pytest.mark.parametrize(
    ("fields", "field", "sentence"),
    [
        ({"fill": "lines", "lines": " "}, "lines", "Paste a list first, one performer in each line."),
        ({"fill": "next"}, "stage", "Choose a stage first."),
        ({"fill": "copy"}, "copied", "Choose a session first."),
        ({"fill": "next", "next": "0", "of_stage": "1"}, "next", "Please give a whole number from 1 to 100."),
        (
            {"fill": "lines", "lines": "No such name\n" * 60},
            "lines",
            "60 of 60 lines name no participant, the first is line 1: “No such name”. Nothing was added.",
        ),
    ],
)
async def test_what_is_missing_is_said_at_its_field(
    busy_session: SimpleNamespace, fields: dict[str, str], field: str, sentence: str
) -> None:
    async with open_page(busy_session.edit, user=busy_session.halina) as halina:
        answer = await command(halina, "order_fill", busy_session.session.pk, **fields)
    assert (answer["ok"], answer["field"], answer["text"]) == (False, field, sentence)


async def test_more_than_a_session_holds_are_refused_and_others_may_not_fill(busy_session: SimpleNamespace) -> None:
    def many() -> None:
        for number in range(10, 110):
            ParticipantFactory(start_number=number)

    await in_thread(many)
    fan = await in_thread(UserFactory)
    stage = str(busy_session.session.stage_id)
    async with open_page(busy_session.edit, user=busy_session.halina) as halina:
        answer = await filled(halina, busy_session, "next", next="100", of_stage=stage)
        sentence = "A session has at most 100 participants, and this list would have 103. Nothing was added."
        assert answer["text"] == sentence
    async with open_page("/", user=fan) as sees:
        assert not (await filled(sees, busy_session, "next", of_stage=stage))["ok"]


def test_without_scripts_a_list_is_pasted_and_saved(client) -> None:  # type: ignore[no-untyped-def]
    client.force_login(AdminFactory())
    people = [ParticipantFactory(start_number=n) for n in range(1, 5)]
    stage = SessionFactory().stage
    page = PlainPage.at(client, CREATE)
    filled_page = page.send("order_fill", "", fill="next", next="2", of_stage=str(stage.pk))
    again = filled_page.send("order_fill", "", fill="lines", lines=f"4\n{people[2].name}\n1")
    done = again.send("session_create", title="Final", date="2027-10-12", time="17:00", stage=str(stage.pk))
    assert "Session created successfully" in done.text
    playing = order(Session.objects.get(title="Final").pk)
    assert playing == [people[at].pk for at in (0, 1, 3, 2)]
