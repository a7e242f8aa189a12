"""The administrators' page of sessions: its list, creating, editing, the order of playing, and deletion."""

import datetime as dt
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pytest
from django.utils import timezone

from apps.competition.models import Appearance, ProgramEntry, ProgramUndo, Session
from apps.competition.services.program_undo import program_undos_prune
from apps.core.audit import audit_list
from apps.core.threads import in_thread
from tests.commanding import command
from tests.components.pages.admin.sessions import CREATE, LIST, NEW, fields_of, order, saved
from tests.components.pages.checked_commands import be_refused, succeed
from tests.components.seen import attributes, every, one, opened, text
from tests.factories import ParticipantFactory, PerformanceRatingFactory, SessionFactory, viewer_of
from tests.screen import Screen, open_page


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


async def test_session_in_the_hour_that_the_clock_shows_twice_keeps_it(busy_session: SimpleNamespace) -> None:
    second = datetime(2021, 10, 31, 1, 30, tzinfo=UTC)
    await in_thread(lambda: Session.objects.filter(pk=busy_session.session.pk).update(starts_at=second))
    async with open_page(busy_session.edit, user=busy_session.admin) as admin:
        assert "They show this time twice; it is 02:30 CET." in admin.text
        assert (await saved(admin, busy_session, title="Night session"))["ok"]
        after = await in_thread(lambda: stored(busy_session.session.pk))
        assert (after.title, after.starts_at) == ("Night session", second)


async def test_all_errors_are_reported_at_once(busy_session: SimpleNamespace) -> None:
    wrong = {"title": "", "date": "", "time": "soon", "stage": "999999", "youtube_id": "no video", "adding": "Zof"}
    async with open_page(busy_session.edit, user=busy_session.admin) as admin:
        for name in ("session_create", "session_update"):
            answer = await command(admin, name, busy_session.session.pk, **(NEW | wrong))
            assert answer["errors"].keys() == wrong.keys(), name
            corrected = await command(admin, name, busy_session.session.pk, **(NEW | {"stage": "999999"}))
            assert corrected["errors"] == {"stage": "This stage is no longer there. Choose another one."}, name


async def test_session_is_deleted_after_confirmation(busy_session: SimpleNamespace) -> None:
    async with (
        open_page(LIST, user=busy_session.admin) as admin,
        open_page(LIST, user=busy_session.colleague) as colleague,
    ):
        button = admin.button("Delete: Stage I, evening session")
        assert attributes(button)["data-confirm"] == "Delete the session Stage I, evening session?"
        await in_thread(lambda: PerformanceRatingFactory(appearance=busy_session.appearances[0]))
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


pytestmark = pytest.mark.django_db


def test_list_is_searched_and_paged(busy_session: SimpleNamespace) -> None:
    for number in range(1, 24):
        SessionFactory(title=f"Round {number}", stage=busy_session.session.stage)
    admin = viewer_of(busy_session.admin)
    first = opened(LIST, admin)
    assert len(every(first.main, "li", "entries__row")) == 20
    assert attributes(one(first.main, "a", "link", rel="next"))["href"] == f"{LIST}?page=2"
    second = opened(f"{LIST}?page=2", admin)
    assert len(every(second.main, "li", "entries__row")) == 4
    assert attributes(one(second.main, "a", "link", rel="prev"))["href"] == LIST
    results = opened(f"{LIST}?q=round+2", admin)
    assert len(every(results.main, "li", "entries__row")) == 5
    assert not every(results.main, "nav", "paging")
    assert "No sessions found." in text(opened(f"{LIST}?q=nothing", admin).main)
    assert len(every(opened(f"{LIST}?page=99", admin).main, "li", "entries__row")) == 4


def test_lineup_marks_the_performer_on_stage(busy_session: SimpleNamespace) -> None:
    Session.objects.update(is_live=True)
    Appearance.objects.filter(pk=busy_session.appearances[1].pk).update(is_performing=True)
    (lineup,) = every(opened(LIST, viewer_of(busy_session.admin)).main, "ol", "lineup")
    rows = [" ".join(text(row).split()) for row in every(lineup, "li")]
    assert rows == [
        f"1 {busy_session.names[0]}",
        f"2 {busy_session.names[1]} Now Performing",
        f"3 {busy_session.names[2]}",
    ]


def test_unreadable_queries_show_the_list(busy_session: SimpleNamespace) -> None:
    admin = viewer_of(busy_session.admin)
    for query in ("mode=edit", "mode=edit&id=0", "mode=edit&id=x", "mode=other", "id=7", "page=x"):
        main = opened(f"{LIST}?{query}", admin).main
        assert text(one(main, "h1")) == "Sessions", query
        assert every(main, "li", "entries__row"), query


async def test_order_follows_numbers_without_its_script(busy_session: SimpleNamespace) -> None:
    ids = [*busy_session.ids, (await in_thread(ParticipantFactory)).pk]
    async with open_page(busy_session.edit, user=busy_session.admin) as admin:
        for numbers, added, expected in (
            (("3", "2", "1"), [], [2, 1, 0]),
            (("1", "2", "1"), [], [2, 0, 1]),  # the third moves up
            (("3", "2", "3"), [], [1, 2, 0]),  # the first moves down
            (("2", "2", "2"), [], [2, 1, 0]),  # the third moves up, the first down
            (("1", "2", "3"), [], [0, 1, 2]),
            (("", "7", "5"), [3], [2, 1, 3]),
            (("", "", ""), [], []),
        ):
            await in_thread(lambda: order_set(busy_session))
            await admin.load(busy_session.edit)
            typed = {f"number-{pk}": number for pk, number in zip(busy_session.ids, numbers, strict=True)}
            typed |= {"playing": ",".join(map(str, busy_session.ids)), "added": [str(ids[at]) for at in added]}
            fields = {
                name: text for name, text in fields_of(admin).items() if name not in ("participant_ids", "adding")
            }
            answer = await command(admin, "session_update", busy_session.session.pk, **(fields | typed), confirmed="1")
            assert answer["ok"], answer
            playing = await in_thread(lambda: order(busy_session.session.pk))
            assert playing == [ids[at] for at in expected], numbers


def order_set(busy_session: SimpleNamespace) -> None:
    """Store the first order of playing again."""
    Appearance.objects.all().delete()
    for number, pk in enumerate(busy_session.ids, start=1):
        Appearance.objects.create(session=busy_session.session, participant_id=pk, order_number=number)


async def test_invalid_order_numbers_are_refused_at_their_fields(busy_session: SimpleNamespace) -> None:
    pk = busy_session.ids[1]
    typed = {name: text for name, text in NEW.items() if name != "participant_ids"} | {"playing": str(pk)}
    async with open_page(CREATE, user=busy_session.admin) as admin:
        for number in ("0", "soon", "1000"):
            answer = await command(admin, "session_create", **typed, **{f"number-{pk}": number})
            assert (answer["ok"], answer.get("field")) == (False, f"number-{pk}"), number


async def test_removed_performer_with_a_program_can_be_restored(busy_session: SimpleNamespace) -> None:
    first, second, third = busy_session.ids
    name, before = busy_session.names[1], await in_thread(lambda: rows_of(busy_session.appearances[1].pk))
    async with (
        open_page(busy_session.edit, user=busy_session.admin) as admin,
        open_page("/admin/sessions", user=busy_session.colleague) as colleague,
    ):
        assert attributes(one(admin.tree, "form", "form-page"))["data-ask"] == "Save these changes?"
        refused = await saved(admin, busy_session, participant_ids=f"{first},{third}")
        assert (refused["ok"], refused["ask"]) == (False, True)
        question = f"{name} would be taken out with the program (pieces: 2). It can be brought back for ten minutes."
        assert refused["text"] == question
        answer = await saved(admin, busy_session, participant_ids=f"{first},{third}", confirmed="1")
        assert (answer["ok"], answer["undo"][0]) == (True, "program_undo")
        await colleague.until(f"Taken out of {busy_session.session.title}: {name}.")
        details = (await in_thread(audit_list))[0].details
        assert details["removed"][0].startswith(f"{name} (")
        assert "participants" not in details["before"]
        await succeed(colleague, *answer["undo"], "They are in the session again, with their programs.")
        await colleague.until_gone("Taken out of")
        too_late = await command(admin, *answer["undo"])
        assert too_late["text"] == "This can no longer be taken back."
    assert await in_thread(lambda: order(busy_session.session.pk)) == [first, second, third]
    assert await in_thread(lambda: rows_of(busy_session.appearances[1].pk)) == before


async def test_withdrawn_performer_is_struck_out_in_open_windows(busy_session: SimpleNamespace) -> None:
    session_id, name = busy_session.session.pk, busy_session.names[1]

    def shown(screen: Screen, look: str) -> list[str]:
        """Return the rows of an order of playing, and whether each is struck out."""
        rows = every(one(screen.tree, "ol", look), "li")
        return [f"{text(one(row, 'span', 'nr'))}{' gone' if every(row, 's') else ''}" for row in rows]

    async with (
        open_page(busy_session.edit, user=busy_session.admin) as admin,
        open_page(f"/sessions/{session_id}") as listener,
        open_page("/schedule?day=all") as schedule,
    ):
        chosen = {"appearance": str(busy_session.appearances[1].pk)}
        refused = await command(admin, "appearance_withdraw", session_id, appearance="")
        assert (refused["field"], refused["text"]) == ("appearance", "This performer is no longer in the session.")
        question = await command(admin, "appearance_withdraw", session_id, **chosen)
        assert question["ask"]
        assert question["text"].startswith(f"{name} is struck out in the order of playing and in the schedule")
        answer = await command(admin, "appearance_withdraw", session_id, **chosen, confirmed="1")
        for screen, look in ((listener, "order"), (schedule, "schedule__order")):
            await screen.until("withdrawn")
            assert shown(screen, look) == ["1", "2 gone", "3"]
            assert name in screen.text
        choosable = lambda: [each for each in every(admin.tree, "option", value=chosen["appearance"]) if text(each)]  # noqa: E731 - short
        await admin._until(lambda: not choosable() and f"2 {name}" in admin.text, "who withdrew can be chosen")
        await succeed(admin, *answer["undo"], "They are in the session again, with their programs.")
        await listener.until_gone("withdrawn")
        assert shown(listener, "order") == ["1", "2", "3"]
    async with open_page(busy_session.edit, user=busy_session.admin) as admin:
        assert attributes(one(admin.tree, "RunningOrder"))["gone"] == []


async def test_removal_cannot_be_undone_after_ten_minutes(busy_session: SimpleNamespace) -> None:
    async with open_page(busy_session.edit, user=busy_session.admin) as admin:
        answer = await saved(admin, busy_session, participant_ids=str(busy_session.ids[0]), confirmed="1")
        old = timezone.now() - timedelta(minutes=11)
        await in_thread(lambda: ProgramUndo.objects.update(created_at=old))
        assert (await command(admin, *answer["undo"]))["text"] == "This can no longer be taken back."
    assert await in_thread(program_undos_prune) == 1


def rows_of(appearance_id: int) -> list[object]:
    """Return the rows of an appearance's program, in order."""
    entries = ProgramEntry.objects.filter(appearance=appearance_id).order_by("order_number")
    return list(entries.values_list("piece_id", "order_number", "slot", "timestamp", "youtube_url"))
