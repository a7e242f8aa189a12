"""The administrators' page of sessions: creating, editing, concurrent edits, deletion, and missing sessions."""

import datetime as dt
from types import SimpleNamespace

from apps.competition.models import Session
from apps.core.threads import in_thread
from tests.commanding import command
from tests.components.pages.admin.sessions import CREATE, LIST, NEW, fields_of, order, saved
from tests.components.pages.checked_commands import be_refused, check_refusals, succeed
from tests.components.seen import attributes
from tests.factories import PerformanceRatingFactory
from tests.screen import open_page


def stored(session_id: int) -> Session:
    """Return the stored session."""
    return Session.objects.get(pk=session_id)


async def test_new_session_is_first_in_the_list(busy_session: SimpleNamespace) -> None:
    async with open_page(LIST, user=busy_session.admin) as other, open_page(CREATE, user=busy_session.admin) as admin:
        assert admin.title == "New Session – Parterre"
        expected = [busy_session.ids[2], busy_session.ids[0]]
        typed = NEW | {"participant_ids": ",".join(map(str, expected)), "adding": "", "confirmed": "1"}
        answer = await command(admin, "session_create", **typed)
        assert (answer["ok"], answer["text"], answer["go"]) == (True, "Session created successfully", LIST)
        await other.until("Stage II, first session")
        setup = await in_thread(lambda: Session.objects.get(title=NEW["title"]))
        assert await in_thread(lambda: order(setup.pk)) == expected
        await admin.go(answer["go"])
        assert admin.text.index("Stage II, first session") < admin.text.index("Stage I, evening session")
    assert setup.starts_at.astimezone(dt.UTC) == dt.datetime(2027, 10, 14, 8, tzinfo=dt.UTC)
    assert (setup.youtube_id, setup.is_live) == ("aqz-KE-bpKQ", False)


async def test_invalid_sessions_are_refused_at_their_fields(busy_session: SimpleNamespace) -> None:
    cases = (
        ({"title": " "}, "title", "Title is required."),
        ({"date": ""}, "date", "Date is required."),
        ({"time": "soon"}, "time", "Time is required."),
        ({"adding": "Zof"}, "adding", "Each participant row needs a selected participant."),
        ({"participant_ids": "999999"}, "participant_ids", "Selected participant not found"),
        ({"participant_ids": "1;2"}, "adding", "Selected participant not found"),
        ({"title": "x" * 201}, "title", "Please write at most 200 characters."),
        ({"youtube_id": "https://vimeo.com/1"}, "youtube_id", "This is not the address of a YouTube video.…"),
    )
    async with open_page(CREATE, user=busy_session.admin) as admin:
        await check_refusals(admin, "session_create", "", cases, NEW)
    assert await in_thread(Session.objects.count) == 1


async def test_form_shows_stored_values_and_saves_them_unchanged(busy_session: SimpleNamespace) -> None:
    async with open_page(busy_session.edit, user=busy_session.admin) as admin:
        assert admin.title == "Edit: Stage I, evening session – Parterre"
        fields = fields_of(admin)
        assert (fields["title"], fields["date"], fields["time"]) == ("Stage I, evening session", "2021-10-12", "17:00")
        assert fields["participant_ids"] == ",".join(map(str, busy_session.ids))
        before = await in_thread(lambda: stored(busy_session.session.pk))
        answer = await saved(admin, busy_session)
        assert (answer["ok"], answer["text"], answer["go"]) == (True, "Session updated successfully", LIST)
    after = await in_thread(lambda: stored(busy_session.session.pk))
    assert (after.starts_at, after.youtube_id, after.stage_id) == (before.starts_at, before.youtube_id, before.stage_id)
    assert await in_thread(lambda: order(busy_session.session.pk)) == busy_session.ids


async def test_all_errors_are_reported_at_once(busy_session: SimpleNamespace) -> None:
    wrong = {"title": "", "date": "", "time": "soon", "stage": "999999", "youtube_id": "no video", "adding": "Zof"}
    async with open_page(busy_session.edit, user=busy_session.admin) as admin:
        for name in ("session_create", "session_update"):
            answer = await command(admin, name, busy_session.session.pk, **(NEW | wrong))
            assert answer["errors"].keys() == wrong.keys(), name
            corrected = await command(admin, name, busy_session.session.pk, **(NEW | {"stage": "999999"}))
            assert corrected["errors"] == {"stage": "This stage is no longer there. Choose another one."}, name


async def test_concurrent_edit_of_a_session_is_a_conflict(busy_session: SimpleNamespace) -> None:
    async with (
        open_page(busy_session.edit, user=busy_session.admin) as admin,
        open_page(busy_session.edit, user=busy_session.colleague) as colleague,
    ):
        other = ",".join(map(str, busy_session.ids[1:]))
        first = {"title": "The evening", "time": "18:30", "participant_ids": other, "confirmed": "1"}
        assert (await saved(colleague, busy_session, **first))["ok"]
        own_fields = {"title": "Stage I, evening", "description": "Mine."}
        refused = await saved(admin, busy_session, **own_fields)
        assert (refused["ok"], refused["field"]) == (False, "title")
        assert refused["text"] == (
            "Title was changed meanwhile. It is now “The evening”.\nSave again to keep what you wrote."
        )
        assert (await in_thread(lambda: stored(busy_session.session.pk))).description == "Five."
        answer = await saved(admin, busy_session, **own_fields, version=refused["version"])
    assert answer["text"] == (
        "Session updated successfully\n"
        "Somebody else changed this meanwhile, and it is kept: Date and time, The order of playing."
    )
    after = await in_thread(lambda: stored(busy_session.session.pk))
    assert (after.title, after.description) == ("Stage I, evening", "Mine.")
    assert after.starts_at.astimezone(dt.UTC) == dt.datetime(2021, 10, 12, 16, 30, tzinfo=dt.UTC)
    assert await in_thread(lambda: order(busy_session.session.pk)) == busy_session.ids[1:]


async def test_session_is_deleted_after_confirmation(busy_session: SimpleNamespace) -> None:
    async with (
        open_page(LIST, user=busy_session.admin) as admin,
        open_page(LIST, user=busy_session.colleague) as colleague,
    ):
        button = admin.button("Delete: Stage I, evening session")
        assert attributes(button)["data-confirm"] == "Delete the session Stage I, evening session?"
        await in_thread(lambda: PerformanceRatingFactory(session_participant=busy_session.appearances[0]))
        refused = await command(admin, "session_delete", busy_session.session.pk)
        assert (refused["ok"], refused["ask"]) == (False, True)
        assert attributes(button)["data-ask"]
        await succeed(admin, "session_delete", busy_session.session.pk, "Session deleted successfully", confirmed="1")
        await colleague.until("No sessions yet.")
        await be_refused(colleague, "session_delete", busy_session.session.pk, "This is no longer there.")


async def test_form_of_a_deleted_session_is_refused(busy_session: SimpleNamespace) -> None:
    async with open_page(busy_session.edit, user=busy_session.admin) as admin:
        fields = fields_of(admin)
        await in_thread(lambda: Session.objects.all().delete())
        await be_refused(admin, "session_update", busy_session.session.pk, "This is no longer there.", **fields)
        await admin.load(busy_session.edit)
        assert (admin.status, "Session not found." in admin.text) == (404, True)
        assert admin.link("All sessions")
