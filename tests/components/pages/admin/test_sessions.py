"""The administrators' page of sessions: creating, editing, concurrent edits, deletion, and missing sessions."""

import datetime as dt
from types import SimpleNamespace

import pytest

from apps.accounts.models import User
from apps.competition.models import Session
from apps.core.threads import in_thread
from tests.commanding import command
from tests.components.pages.admin.sessions import CREATE, LIST, NEW, fields_of, order, saved, session_of_three
from tests.components.seen import attributes
from tests.factories import PerformanceRatingFactory
from tests.screen import open_page

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def busy_session(transactional_db: None) -> SimpleNamespace:
    """Return a session of three participants that is not live, and two administrators."""
    return session_of_three()


def stored(session_id: int) -> Session:
    """Return the stored session."""
    return Session.objects.get(pk=session_id)


async def test_a_new_session_comes_first_and_the_browser_goes_back_to_the_list(busy_session: SimpleNamespace) -> None:
    async with (
        open_page(LIST, user=busy_session.halina) as other,
        open_page(CREATE, user=busy_session.halina) as halina,
    ):
        assert halina.title == "New Session – Parterre"
        wanted = [busy_session.ids[2], busy_session.ids[0]]
        typed = NEW | {"participant_ids": ",".join(map(str, wanted)), "adding": "", "confirmed": "1"}
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
    busy_session: SimpleNamespace, typed: dict[str, str], field: str, said: str
) -> None:
    async with open_page(CREATE, user=busy_session.halina) as halina:
        answer = await command(halina, "session_create", **(NEW | typed))
    assert (answer["ok"], answer.get("field"), answer["text"]) == (False, field, said)
    assert await in_thread(Session.objects.count) == 1


async def test_a_video_that_is_none_is_refused(busy_session: SimpleNamespace) -> None:
    async with open_page(CREATE, user=busy_session.halina) as halina:
        answer = await command(halina, "session_create", **(NEW | {"youtube_id": "https://vimeo.com/1"}))
    assert (answer["ok"], answer["field"]) == (False, "youtube_id")
    assert "YouTube" in answer["text"]


async def test_the_form_begins_with_what_is_stored_and_saves_it_unchanged(busy_session: SimpleNamespace) -> None:
    async with open_page(busy_session.edit, user=busy_session.halina) as halina:
        assert halina.title == "Edit: Stage I, evening session – Parterre"
        fields = fields_of(halina)
        assert (fields["title"], fields["date"], fields["time"]) == ("Stage I, evening session", "2021-10-12", "17:00")
        assert fields["participant_ids"] == ",".join(map(str, busy_session.ids))
        before = await in_thread(lambda: stored(busy_session.session.pk))
        answer = await saved(halina, busy_session)
        assert (answer["ok"], answer["text"], answer["go"]) == (True, "Session updated successfully", LIST)
    after = await in_thread(lambda: stored(busy_session.session.pk))
    assert (after.starts_at, after.youtube_id, after.stage_id) == (before.starts_at, before.youtube_id, before.stage_id)
    assert await in_thread(lambda: order(busy_session.session.pk)) == busy_session.ids


@pytest.mark.parametrize("name", ["session_create", "session_update"])
async def test_all_that_is_wrong_is_said_at_once(busy_session: SimpleNamespace, name: str) -> None:
    wrong = {"title": "", "date": "", "time": "soon", "stage": "999999", "youtube_id": "no video", "adding": "Zof"}
    async with open_page(busy_session.edit, user=busy_session.halina) as halina:
        answer = await command(halina, name, busy_session.session.pk, **(NEW | wrong))
        assert answer["errors"].keys() == wrong.keys()
        mended = await command(halina, name, busy_session.session.pk, **(NEW | {"stage": "999999"}))
    assert mended["errors"] == {"stage": "This stage is no longer there. Choose another one."}


async def test_of_two_who_edit_the_later_is_told_and_neither_loses_anything(
    busy_session: SimpleNamespace,
) -> None:
    async with (
        open_page(busy_session.edit, user=busy_session.halina) as halina,
        open_page(busy_session.edit, user=busy_session.ignacy) as ignacy,
    ):
        other = ",".join(map(str, busy_session.ids[1:]))
        first = {"title": "The evening", "time": "18:30", "participant_ids": other, "confirmed": "1"}
        assert (await saved(ignacy, busy_session, **first))["ok"]
        mine = {"title": "Stage I, evening", "description": "Mine."}
        refused = await saved(halina, busy_session, **mine)
        assert (refused["ok"], refused["field"]) == (False, "title")
        assert refused["text"] == (
            "Title was changed meanwhile. It is now “The evening”.\nSave again to keep what you wrote."
        )
        assert (await in_thread(lambda: stored(busy_session.session.pk))).description == "Five."
        answer = await saved(halina, busy_session, **mine, version=refused["version"])
    assert answer["text"] == (
        "Session updated successfully\n"
        "Somebody else changed this meanwhile, and it is kept: Date and time, The order of playing."
    )
    after = await in_thread(lambda: stored(busy_session.session.pk))
    assert (after.title, after.description) == ("Stage I, evening", "Mine.")
    assert after.starts_at.astimezone(dt.UTC) == dt.datetime(2021, 10, 12, 16, 30, tzinfo=dt.UTC)
    assert await in_thread(lambda: order(busy_session.session.pk)) == busy_session.ids[1:]


async def test_a_session_is_deleted_after_its_name_was_asked(busy_session: SimpleNamespace) -> None:
    async with open_page(LIST, user=busy_session.halina) as halina, open_page(LIST, user=busy_session.ignacy) as ignacy:
        button = halina.button("Delete: Stage I, evening session")
        assert attributes(button)["data-confirm"] == "Delete the session Stage I, evening session?"
        await in_thread(lambda: PerformanceRatingFactory(session_participant=busy_session.appearances[0]))
        refused = await command(halina, "session_delete", busy_session.session.pk)
        assert (refused["ok"], refused["ask"]) == (False, True)
        assert attributes(button)["data-ask"]
        answer = await command(halina, "session_delete", busy_session.session.pk, confirmed="1")
        assert (answer["ok"], answer["text"]) == (True, "Session deleted successfully")
        await ignacy.until("No sessions yet.")
        late = await command(ignacy, "session_delete", busy_session.session.pk)
        assert (late["ok"], late["text"]) == (False, "This is no longer there.")


async def test_a_form_of_a_session_that_is_gone_says_so(busy_session: SimpleNamespace) -> None:
    async with open_page(busy_session.edit, user=busy_session.halina) as halina:
        fields = fields_of(halina)
        await in_thread(lambda: Session.objects.all().delete())
        answer = await command(halina, "session_update", busy_session.session.pk, **fields)
        assert (answer["ok"], answer["text"]) == (False, "This is no longer there.")
        await halina.load(busy_session.edit)
        assert (halina.status, "Session not found." in halina.text) == (404, True)
        assert halina.link("All sessions")


@pytest.mark.parametrize("name", ["session_create", "session_update"])
async def test_whoever_is_no_administrator_any_more_saves_nothing(busy_session: SimpleNamespace, name: str) -> None:
    async with open_page(busy_session.edit, user=busy_session.halina) as halina:
        await in_thread(lambda: User.objects.filter(pk=busy_session.halina.pk).update(is_admin=False))
        answer = await command(halina, name, busy_session.session.pk, **(fields_of(halina) | {"title": "Mine"}))
    assert (answer["ok"], answer["text"]) == (False, "Only administrators edit sessions.")
    assert await in_thread(lambda: list(Session.objects.values_list("title", flat=True))) == [
        "Stage I, evening session"
    ]
