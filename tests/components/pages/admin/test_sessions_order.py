"""The order of playing in the session form: edits with and without scripts, and removed participants."""

from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.competition.models import ProgramEntry, ProgramUndo
from apps.competition.services.program_undo import program_undos_prune
from apps.core.audit import audit_list
from apps.core.threads import in_thread
from tests.commanding import command
from tests.components.pages.admin.sessions import CREATE, NEW, fields_of, order, saved
from tests.components.pages.checked_commands import succeed
from tests.components.seen import attributes, one
from tests.factories import ParticipantFactory
from tests.screen import open_page


@pytest.mark.parametrize(
    ("numbers", "added", "expected"),
    [
        (("1", "2", "3"), [], [0, 1, 2]),
        (("3", "2", "1"), [], [2, 1, 0]),
        (("1", "2", "1"), [], [2, 0, 1]),  # the third moves up
        (("3", "2", "3"), [], [1, 2, 0]),  # the first moves down
        (("2", "2", "2"), [], [2, 1, 0]),  # the third moves up, the first down
        (("", "7", "5"), [3], [2, 1, 3]),
        (("", "", ""), [], []),
    ],
)
async def test_order_follows_numbers_without_its_script(
    busy_session: SimpleNamespace, numbers: tuple[str, ...], added: list[int], expected: list[int]
) -> None:
    ids = [*busy_session.ids, (await in_thread(ParticipantFactory)).pk]
    typed = {f"number-{pk}": number for pk, number in zip(busy_session.ids, numbers, strict=True)}
    typed |= {"playing": ",".join(map(str, busy_session.ids)), "added": [str(ids[at]) for at in added]}
    async with open_page(busy_session.edit, user=busy_session.admin) as admin:
        fields = {name: text for name, text in fields_of(admin).items() if name not in {"participant_ids", "adding"}}
        answer = await command(admin, "session_update", busy_session.session.pk, **(fields | typed), confirmed="1")
    assert answer["ok"], answer
    assert await in_thread(lambda: order(busy_session.session.pk)) == [ids[at] for at in expected]


async def test_invalid_order_numbers_are_refused_at_their_fields(busy_session: SimpleNamespace) -> None:
    pk = busy_session.ids[1]
    typed = {name: text for name, text in NEW.items() if name != "participant_ids"} | {"playing": str(pk)}
    async with open_page(CREATE, user=busy_session.admin) as admin:
        for number in ("0", "soon", "1000"):
            answer = await command(admin, "session_create", **typed, **{f"number-{pk}": number})
            assert (answer["ok"], answer.get("field")) == (False, f"number-{pk}"), number


async def test_new_order_keeps_programs_and_is_shown_at_once(busy_session: SimpleNamespace, fan: User) -> None:
    first, _, third = busy_session.ids
    before = await in_thread(
        lambda: {appearance.participant_id: appearance.pk for appearance in busy_session.session.appearances.all()}
    )
    async with (
        open_page(busy_session.edit, user=busy_session.admin) as admin,
        open_page(f"/sessions/{busy_session.session.pk}", user=fan) as fan_page,
    ):
        assert (await saved(admin, busy_session, participant_ids=f"{third},{first}", confirmed="1"))["ok"]
        await fan_page.until_gone(busy_session.names[1])
    assert await in_thread(lambda: order(busy_session.session.pk)) == [third, first]
    after = await in_thread(
        lambda: {appearance.participant_id: appearance.pk for appearance in busy_session.session.appearances.all()}
    )
    assert after == {pk: before[pk] for pk in (first, third)}
    assert await in_thread(busy_session.appearances[0].program.count) == 2


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


async def test_removal_cannot_be_undone_after_ten_minutes(busy_session: SimpleNamespace) -> None:
    async with open_page(busy_session.edit, user=busy_session.admin) as admin:
        answer = await saved(admin, busy_session, participant_ids=str(busy_session.ids[0]), confirmed="1")
        old = timezone.now() - timedelta(minutes=11)
        await in_thread(lambda: ProgramUndo.objects.update(created_at=old))
        assert (await command(admin, *answer["undo"]))["text"] == "This can no longer be taken back."
    assert await in_thread(program_undos_prune) == 1


def rows_of(appearance_id: int) -> list[object]:
    """Return the rows of an appearance's program, in order."""
    entries = ProgramEntry.objects.filter(session_participant=appearance_id).order_by("order_number")
    return list(entries.values_list("piece_id", "order_number", "slot", "timestamp", "youtube_url"))


async def test_form_without_its_order_keeps_the_order(busy_session: SimpleNamespace) -> None:
    async with open_page(busy_session.edit, user=busy_session.admin) as admin:
        fields = {name: text for name, text in fields_of(admin).items() if name not in ("participant_ids", "adding")}
        answer = await command(admin, "session_update", busy_session.session.pk, **(fields | {"title": "Evening"}))
        assert answer["ok"], answer
    assert await in_thread(lambda: order(busy_session.session.pk)) == busy_session.ids
