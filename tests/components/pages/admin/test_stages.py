"""The administrators' page of stages: order, drawn field, form, concurrent edits; the session form's stage."""

import pytest
from django.db import IntegrityError

from apps.competition.models import Session, Stage
from apps.core.threads import in_thread
from tests.commanding import command
from tests.components.conftest import busy_session_with
from tests.components.seen import attributes, every, one, text
from tests.factories import PLAYED, AdminFactory, SessionFactory, StageFactory, UserFactory
from tests.screen import open_page

pytestmark = pytest.mark.django_db(transaction=True)
LIST = "/admin/stages"
CREATE = "/admin/sessions?mode=create"
SESSION = {"title": "Morning", "date": "2027-10-14", "time": "10:00", "participant_ids": ""}


async def made(factory, **fields):
    return await in_thread(lambda: factory(**fields))


def rows(screen):
    return [text(heading) for heading in every(one(screen.tree, "ol", "entries"), "h2")]


def choices(screen):
    select = one(screen.tree, "select", id="stage")
    return attributes(select)["defaultValue"], [text(option) for option in every(select, "option")]


async def test_stages_are_made_moved_archived_and_deleted_before_everybodys_eyes(db) -> None:
    halina, ignacy = await made(AdminFactory), await made(AdminFactory)
    async with open_page(LIST, user=halina) as one_sees, open_page(LIST, user=ignacy) as other_sees:
        assert "No stages yet. The first session makes Stage I." in one_sees.text
        for name in ("Stage I", "Final"):
            answer = await command(one_sees, "stage_create", name=name)
            assert (answer["ok"], answer["text"], answer["go"]) == (True, "Stage created successfully", LIST)
        await other_sees.until("Final")
        assert rows(other_sees) == ["Stage I", "Final"]
        first, final = await in_thread(lambda: list(Stage.objects.order_by("pk").values_list("pk", flat=True)))
        await command(one_sees, "stage_archive", f"{first}:archived")
        await other_sees.until("Archived")
        await command(one_sees, "stage_move", f"{final}:up")
        await other_sees._until(lambda: rows(other_sees) == ["Final", "Stage I"], "the other order")
        moves = {
            attributes(button)["aria-label"]: attributes(button)
            for button in every(other_sees.tree, "button")
            if attributes(button).get("aria-label", "").startswith("Move")
        }
        idle = {name for name, own in moves.items() if own.get("aria-disabled") == "true"}
        assert idle == {"Move up: Final", "Move down: Stage I"}
        await command(one_sees, "stage_delete", first)
        await other_sees.until_gone("Stage I")


async def test_the_field_is_drawn_on_the_screen_of_stages(db) -> None:
    stage, user = await made(StageFactory, name="Final"), await made(AdminFactory)
    async with open_page(LIST, user=user) as screen:
        assert "The field is not drawn yet." in screen.text
        answer = await command(screen, "stage_field_set", f"{stage.pk}:drawn")
        assert answer["text"] == "The field is drawn. Recommendations for the stage before are closed."
        await screen.until("Open it again")


async def test_two_who_rename_a_stage_are_told_of_each_other(db) -> None:
    stage = await made(StageFactory, name="Stage I")
    edit = f"{LIST}?mode=edit&id={stage.pk}"
    async with (
        open_page(edit, user=await made(AdminFactory)) as halina,
        open_page(edit, user=await made(AdminFactory)) as ignacy,
    ):
        seen = attributes(one(halina.tree, "input", id="version"))["defaultValue"]
        assert (await command(halina, "stage_update", stage.pk, name="Round I", version=seen))["ok"]
        refused = await command(ignacy, "stage_update", stage.pk, name="Part I", version=seen)
        assert (refused["ok"], refused["field"]) == (False, "name")
        assert "It is now “Round I”" in refused["text"]
        answer = await command(ignacy, "stage_update", stage.pk, name="Part I", version=refused["version"])
        assert answer["ok"]


async def test_only_a_stage_without_sessions_offers_to_be_deleted(db) -> None:
    used, unused = await made(StageFactory, name="Used"), await made(StageFactory, name="Unused")
    await made(SessionFactory, stage=used)
    async with open_page(LIST, user=await made(AdminFactory)) as screen:
        deletes = [
            attributes(each)["data-argument"]
            for each in every(screen.tree, "button")
            if attributes(each).get("data-command") == "stage_delete"
        ]
        assert deletes == [str(unused.pk)]
        assert "1 session" in screen.text
        refused = await command(screen, "stage_delete", used.pk)
        assert (refused["ok"], refused["text"]) == (False, "Used has sessions: 1. Archive it instead.")


async def test_a_fan_changes_nothing(db) -> None:
    stage = await made(StageFactory, name="Stage I")
    async with open_page("/", user=await made(UserFactory)) as fan:
        for name, argument in (
            ("stage_create", ""), ("stage_update", stage.pk), ("stage_move", f"{stage.pk}:up"),
            ("stage_archive", f"{stage.pk}:archived"), ("stage_delete", stage.pk),
        ):  # fmt: skip
            assert not (await command(fan, name, argument, name="Mine"))["ok"]
    stored = await in_thread(Stage.objects.get)
    assert (stored.name, stored.archived_at) == ("Stage I", None)


async def test_a_new_session_of_several_stages_begins_with_none_and_asks_for_one(db) -> None:
    user = await made(AdminFactory)
    async with open_page(CREATE, user=user) as empty:
        assert not [each for each in every(empty.tree, "select") if attributes(each)["id"] == "stage"]
    first = await made(StageFactory, name="Stage I")
    async with open_page(CREATE, user=user) as alone:
        assert choices(alone) == (str(first.pk), ["Stage I"])
    final, gone = await made(StageFactory, name="Final"), await made(StageFactory, name="Old", archived_at=PLAYED)
    async with open_page(CREATE, user=user) as screen:
        assert choices(screen) == ("", ["Choose a stage", "Stage I", "Final"])
        for stage, words in (("", "Choose a stage."), (str(gone.pk), "This stage is archived. Choose another one.")):
            answer = await command(screen, "session_create", **SESSION, stage=stage)
            assert (answer["ok"], answer["field"], answer["text"]) == (False, "stage", words)
        assert (await command(screen, "session_create", **SESSION, stage=str(final.pk)))["ok"]
    assert (await in_thread(lambda: Session.objects.get().stage_id)) == final.pk


async def test_a_session_keeps_its_archived_stage_and_leads_to_all_of_them(db) -> None:
    busy_session = await in_thread(lambda: busy_session_with(1, is_live=False))
    await in_thread(lambda: Stage.objects.update(archived_at=PLAYED))
    async with open_page(
        f"/admin/sessions?mode=edit&id={busy_session.session.pk}", user=await made(AdminFactory)
    ) as screen:
        assert choices(screen) == (str(busy_session.session.stage_id), [busy_session.session.stage.name])
        assert "All stages, and whose field is drawn" in [text(way) for way in every(screen.tree, "a", href=LIST)]


async def test_a_name_that_differs_only_by_case_or_space_is_taken(db) -> None:
    await made(StageFactory, name="Stage I")
    async with open_page(f"{LIST}?mode=create", user=await made(AdminFactory)) as screen:
        for name in ("stage I", " Stage  I ", "StageI"):
            answer = await command(screen, "stage_create", name=name)
            assert (answer["ok"], answer["field"], answer["text"]) == (False, "name", "Name is taken already.")
    with pytest.raises(IntegrityError):
        await made(StageFactory, name="STAGE I")
