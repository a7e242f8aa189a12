"""Sessions backstage: the list, the form and its modes, two who edit the same, what goes with what."""

import datetime as dt
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.accounts.models import User
from apps.competition.models import Session, SessionParticipant
from apps.core.threads import in_thread
from apps.ratings.models import PerformanceRating
from tests.commanding import Answer, command
from tests.components.conftest import evening_with
from tests.components.seen import attributes, every, loaded, one, opened, text, walk
from tests.factories import (
    AdminFactory,
    ParticipantFactory,
    PerformanceRatingFactory,
    SessionFactory,
    UserFactory,
    viewer_of,
)
from tests.screen import Screen, open_page

pytestmark = pytest.mark.django_db(transaction=True)
LIST = "/admin/sessions"
CREATE = f"{LIST}?mode=create"
NEW = {
    "title": "Stage II, first session",
    "date": "2027-10-14",
    "time": "10:00",
    "description": "Fourteen go on.",
    "youtube_id": "https://youtu.be/aqz-KE-bpKQ?t=90",
    "participant_ids": "",
}


@pytest.fixture
def evening(transactional_db: None) -> SimpleNamespace:
    """A session of three that is not live, and two administrators."""
    made = evening_with(3)
    Session.objects.update(is_live=False)
    made.ids = [appearance.participant_id for appearance in made.appearances]
    made.names = [appearance.participant.name for appearance in made.appearances]
    made.halina, made.ignacy = AdminFactory(), AdminFactory()
    made.edit = f"{LIST}?mode=edit&id={made.session.pk}"
    return made


def stored(session_id: int) -> Session:
    """The session as it stands."""
    return Session.objects.get(pk=session_id)


def order(session_id: int) -> list[int]:
    """Who plays, in which order."""
    appearances = SessionParticipant.objects.filter(session_id=session_id).order_by("order_number")
    return list(appearances.values_list("participant_id", flat=True))


def fields_of(screen: Screen) -> dict[str, Any]:
    """The form as it stands when nothing was typed, as a browser would send it."""
    fields = {
        attributes(node)["name"]: attributes(node)["defaultValue"]
        for node in walk(screen.tree)
        if "defaultValue" in attributes(node)
    }
    return fields | {"adding": ""}


async def saved(screen: Screen, evening: SimpleNamespace, **typed: Any) -> Answer:
    """Save the edited session with what was typed."""
    return await command(screen, "session_update", evening.session.pk, **(fields_of(screen) | typed))


async def test_a_new_session_comes_first_and_the_browser_goes_back_to_the_list(evening: SimpleNamespace) -> None:
    async with open_page(LIST, user=evening.halina) as other, open_page(CREATE, user=evening.halina) as halina:
        assert halina.title == "New Session – Parterre"
        wanted = [evening.ids[2], evening.ids[0]]
        typed = NEW | {"participant_ids": ",".join(map(str, wanted)), "adding": ""}
        answer = await command(halina, "session_create", **typed)
        assert (answer["ok"], answer["text"], answer["go"]) == (True, "Session created successfully", LIST)
        await other.until("Stage II, first session")
        made = await in_thread(lambda: Session.objects.get(title=NEW["title"]))
        assert await in_thread(lambda: order(made.pk)) == wanted
        await halina.go(answer["go"])
        assert halina.text.index("Stage II, first session") < halina.text.index("Stage I, evening session")
    assert made.starts_at.astimezone(dt.UTC) == dt.datetime(2027, 10, 14, 8, tzinfo=dt.UTC)
    assert (made.youtube_id, made.is_live) == ("aqz-KE-bpKQ", False)


@pytest.mark.parametrize(
    ("typed", "field", "said"),
    [
        ({"title": " "}, "title", "Title is required."),
        ({"date": ""}, "date", "Date is required."),
        ({"time": "soon"}, "time", "Time is required."),
        ({"adding": "Zof"}, "adding", "Each participant row needs a selected participant."),
        ({"participant_ids": "999999"}, "participant_ids", "Selected participant not found"),
        ({"participant_ids": "1;2"}, "adding", "Selected participant not found"),
        ({"title": "x" * 201}, "title", "Please write at most 200 characters."),
    ],
)
async def test_what_is_missing_is_said_at_its_field_and_nothing_is_stored(
    evening: SimpleNamespace, typed: dict[str, str], field: str, said: str
) -> None:
    async with open_page(CREATE, user=evening.halina) as halina:
        answer = await command(halina, "session_create", **(NEW | typed))
    assert (answer["ok"], answer.get("field"), answer["text"]) == (False, field, said)
    assert await in_thread(Session.objects.count) == 1


async def test_a_video_that_is_none_is_refused(evening: SimpleNamespace) -> None:
    async with open_page(CREATE, user=evening.halina) as halina:
        answer = await command(halina, "session_create", **(NEW | {"youtube_id": "https://vimeo.com/1"}))
    assert (answer["ok"], answer["field"]) == (False, "youtube_id")
    assert "YouTube" in answer["text"]


async def test_the_form_begins_with_what_is_stored_and_saves_it_unchanged(evening: SimpleNamespace) -> None:
    async with open_page(evening.edit, user=evening.halina) as halina:
        assert halina.title == "Edit: Stage I, evening session – Parterre"
        fields = fields_of(halina)
        assert (fields["title"], fields["date"], fields["time"]) == ("Stage I, evening session", "2021-10-12", "17:00")
        assert fields["participant_ids"] == ",".join(map(str, evening.ids))
        before = await in_thread(lambda: stored(evening.session.pk))
        answer = await saved(halina, evening)
        assert (answer["ok"], answer["text"], answer["go"]) == (True, "Session updated successfully", LIST)
    after = await in_thread(lambda: stored(evening.session.pk))
    assert (after.starts_at, after.youtube_id, after.stage_id) == (before.starts_at, before.youtube_id, before.stage_id)
    assert await in_thread(lambda: order(evening.session.pk)) == evening.ids


@pytest.mark.parametrize("name", ["session_create", "session_update"])
async def test_all_that_is_wrong_is_said_at_once(evening: SimpleNamespace, name: str) -> None:
    wrong = {"title": "", "date": "", "time": "soon", "stage": "999999", "youtube_id": "no video", "adding": "Zof"}
    async with open_page(evening.edit, user=evening.halina) as halina:
        answer = await command(halina, name, evening.session.pk, **(NEW | wrong))
        assert answer["errors"].keys() == wrong.keys()
        mended = await command(halina, name, evening.session.pk, **(NEW | {"stage": "999999"}))
    assert mended["errors"] == {"stage": "This stage is no longer there. Choose another one."}


@pytest.mark.parametrize(
    ("numbers", "added", "wanted"),
    [
        (("1", "2", "3"), [], [0, 1, 2]),
        (("3", "2", "1"), [], [2, 1, 0]),
        (("1", "2", "1"), [], [2, 0, 1]),  # moved up
        (("3", "2", "3"), [], [1, 2, 0]),  # moved down
        (("2", "2", "2"), [], [2, 1, 0]),  # up, stays, down
        (("", "7", "5"), [3], [2, 1, 3]),
        (("", "", ""), [], []),
    ],
)
async def test_without_its_script_the_order_follows_numbers(
    evening: SimpleNamespace, numbers: tuple[str, ...], added: list[int], wanted: list[int]
) -> None:
    ids = [*evening.ids, (await in_thread(ParticipantFactory)).pk]
    typed = {f"number-{pk}": number for pk, number in zip(evening.ids, numbers, strict=True)}
    typed |= {"playing": ",".join(map(str, evening.ids)), "added": [str(ids[at]) for at in added]}
    async with open_page(evening.edit, user=evening.halina) as halina:
        fields = {name: text for name, text in fields_of(halina).items() if name not in {"participant_ids", "adding"}}
        answer = await command(halina, "session_update", evening.session.pk, **(fields | typed))
    assert answer["ok"], answer
    assert await in_thread(lambda: order(evening.session.pk)) == [ids[at] for at in wanted]


@pytest.mark.parametrize("number", ["0", "soon", "1000"])
async def test_a_number_that_is_none_is_said_at_its_field(evening: SimpleNamespace, number: str) -> None:
    pk = evening.ids[1]
    typed = NEW | {"playing": str(pk), f"number-{pk}": number}
    del typed["participant_ids"]
    async with open_page(CREATE, user=evening.halina) as halina:
        answer = await command(halina, "session_create", **typed)
    assert (answer["ok"], answer.get("field")) == (False, f"number-{pk}")


async def test_a_new_order_keeps_programs_and_everybody_sees_it(evening: SimpleNamespace) -> None:
    first, _, third = evening.ids
    fan = await in_thread(UserFactory)
    before = await in_thread(
        lambda: {appearance.participant_id: appearance.pk for appearance in evening.session.appearances.all()}
    )
    async with (
        open_page(evening.edit, user=evening.halina) as halina,
        open_page(f"/sessions/{evening.session.pk}", user=fan) as sees,
    ):
        assert (await saved(halina, evening, participant_ids=f"{third},{first}"))["ok"]
        await sees.until_gone(evening.names[1])
    assert await in_thread(lambda: order(evening.session.pk)) == [third, first]
    after = await in_thread(
        lambda: {appearance.participant_id: appearance.pk for appearance in evening.session.appearances.all()}
    )
    assert after == {pk: before[pk] for pk in (first, third)}
    assert await in_thread(evening.appearances[0].program.count) == 2


async def test_whoever_was_rated_goes_only_when_that_is_confirmed(evening: SimpleNamespace) -> None:
    appearance = evening.appearances[1]
    await in_thread(lambda: PerformanceRatingFactory(session_participant=appearance))
    left = f"{evening.ids[0]},{evening.ids[2]}"
    async with open_page(evening.edit, user=evening.halina) as halina:
        form = one(halina.tree, "form", "form-page")
        assert attributes(form)["data-ask"] == "Save, and delete what listeners gave?"
        refused = await saved(halina, evening, participant_ids=left)
        assert (refused["ok"], refused["ask"]) == (False, True)
        assert refused["text"].startswith(f"{evening.names[1]} would go with what listeners gave.")
        assert await in_thread(lambda: order(evening.session.pk)) == evening.ids
        assert (await saved(halina, evening, participant_ids=left, confirmed="1"))["ok"]
    assert not await in_thread(PerformanceRating.objects.exists)


async def test_a_form_whose_order_has_not_come_leaves_the_order(evening: SimpleNamespace) -> None:
    async with open_page(evening.edit, user=evening.halina) as halina:
        fields = {name: text for name, text in fields_of(halina).items() if name not in ("participant_ids", "adding")}
        answer = await command(halina, "session_update", evening.session.pk, **(fields | {"title": "Evening"}))
        assert answer["ok"], answer
    assert await in_thread(lambda: order(evening.session.pk)) == evening.ids


async def test_of_two_who_edit_the_later_is_told_and_neither_loses_anything(
    evening: SimpleNamespace,
) -> None:
    async with (
        open_page(evening.edit, user=evening.halina) as halina,
        open_page(evening.edit, user=evening.ignacy) as ignacy,
    ):
        other = ",".join(map(str, evening.ids[1:]))
        assert (await saved(ignacy, evening, title="The evening", time="18:30", participant_ids=other))["ok"]
        mine = {"title": "Stage I, evening", "description": "Mine."}
        refused = await saved(halina, evening, **mine)
        assert (refused["ok"], refused["field"]) == (False, "title")
        assert refused["text"] == (
            "Title was changed meanwhile. It is now “The evening”.\nSave again to keep what you wrote."
        )
        assert (await in_thread(lambda: stored(evening.session.pk))).description == "Five."
        answer = await saved(halina, evening, **mine, version=refused["version"])
    assert answer["text"] == (
        "Session updated successfully\n"
        "Somebody else changed this meanwhile, and it is kept: Date and time, The order of playing."
    )
    after = await in_thread(lambda: stored(evening.session.pk))
    assert (after.title, after.description) == ("Stage I, evening", "Mine.")
    assert after.starts_at.astimezone(dt.UTC) == dt.datetime(2021, 10, 12, 16, 30, tzinfo=dt.UTC)
    assert await in_thread(lambda: order(evening.session.pk)) == evening.ids[1:]


async def test_a_session_is_deleted_after_its_name_was_asked(evening: SimpleNamespace) -> None:
    async with open_page(LIST, user=evening.halina) as halina, open_page(LIST, user=evening.ignacy) as ignacy:
        button = halina.button("Delete: Stage I, evening session")
        assert attributes(button)["data-confirm"] == "Delete the session Stage I, evening session?"
        await in_thread(lambda: PerformanceRatingFactory(session_participant=evening.appearances[0]))
        refused = await command(halina, "session_delete", evening.session.pk)
        assert (refused["ok"], refused["ask"]) == (False, True)
        assert attributes(button)["data-ask"]
        answer = await command(halina, "session_delete", evening.session.pk, confirmed="1")
        assert (answer["ok"], answer["text"]) == (True, "Session deleted successfully")
        await ignacy.until("No sessions yet.")
        late = await command(ignacy, "session_delete", evening.session.pk)
        assert (late["ok"], late["text"]) == (False, "This is no longer there.")


async def test_a_form_of_a_session_that_is_gone_says_so(evening: SimpleNamespace) -> None:
    async with open_page(evening.edit, user=evening.halina) as halina:
        fields = fields_of(halina)
        await in_thread(lambda: Session.objects.all().delete())
        answer = await command(halina, "session_update", evening.session.pk, **fields)
        assert (answer["ok"], answer["text"]) == (False, "This is no longer there.")
        await halina.load(evening.edit)
        assert (halina.status, "Session not found." in halina.text) == (404, True)
        assert halina.link("All sessions")


@pytest.mark.parametrize("name", ["session_create", "session_update"])
async def test_whoever_is_no_administrator_any_more_saves_nothing(evening: SimpleNamespace, name: str) -> None:
    async with open_page(evening.edit, user=evening.halina) as halina:
        await in_thread(lambda: User.objects.filter(pk=evening.halina.pk).update(is_admin=False))
        answer = await command(halina, name, evening.session.pk, **(fields_of(halina) | {"title": "Mine"}))
    assert (answer["ok"], answer["text"]) == (False, "Only administrators edit sessions.")
    assert await in_thread(lambda: list(Session.objects.values_list("title", flat=True))) == [
        "Stage I, evening session"
    ]


def test_the_list_is_searched_and_paged_in_the_database(evening: SimpleNamespace) -> None:
    for number in range(1, 24):
        SessionFactory(title=f"Round {number}", stage=evening.session.stage)
    admin = viewer_of(evening.halina)
    first = opened(LIST, admin)
    assert len(every(first.main, "li", "entries__row")) == 20
    assert attributes(one(first.main, "a", "link", rel="next"))["href"] == f"{LIST}?page=2"
    second = opened(f"{LIST}?page=2", admin)
    assert len(every(second.main, "li", "entries__row")) == 4
    assert attributes(one(second.main, "a", "link", rel="prev"))["href"] == LIST
    found = opened(f"{LIST}?q=round+2", admin)
    assert len(every(found.main, "li", "entries__row")) == 5
    assert not every(found.main, "nav", "paging")
    assert "No sessions found." in text(opened(f"{LIST}?q=nothing", admin).main)
    assert len(every(opened(f"{LIST}?page=99", admin).main, "li", "entries__row")) == 4


def test_the_lineup_marks_who_plays_now(evening: SimpleNamespace) -> None:
    Session.objects.update(is_live=True)
    SessionParticipant.objects.filter(pk=evening.appearances[1].pk).update(is_performing=True)
    (lineup,) = every(opened(LIST, viewer_of(evening.halina)).main, "ol", "lineup")
    rows = [" ".join(text(row).split()) for row in every(lineup, "li")]
    assert rows == [f"1 {evening.names[0]}", f"2 {evening.names[1]} Now Performing", f"3 {evening.names[2]}"]


@pytest.mark.parametrize("count", [1, 20])
def test_a_list_is_six_queries_and_a_form_four_however_long_they_are(transactional_db: None, count: int) -> None:
    evening = evening_with(count)
    for number in range(count):
        SessionFactory(title=f"Round {number}", stage=evening.session.stage)
        ParticipantFactory()
    admin = viewer_of(AdminFactory())
    for address, wanted in ((LIST, 6), (f"{LIST}?mode=edit&id={evening.session.pk}", 4), (CREATE, 2)):
        with CaptureQueriesContext(connection) as seen:
            loaded(address, admin)
        assert len(seen) == wanted, address


@pytest.mark.parametrize("query", ["mode=edit", "mode=edit&id=0", "mode=edit&id=x", "mode=other", "id=7", "page=x"])
def test_addresses_that_mean_nothing_mean_the_list(evening: SimpleNamespace, query: str) -> None:
    seen = opened(f"{LIST}?{query}", viewer_of(evening.halina))
    assert text(one(seen.main, "h1")) == "Sessions"
    assert every(seen.main, "li", "entries__row")
