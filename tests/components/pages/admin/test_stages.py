"""The administrators' page of stages: order, who advances, form, concurrent edits; the session form's stage."""

from decimal import Decimal

import pytest
from django.db import IntegrityError

from apps.accounts.actors import OPERATOR
from apps.competition.models import Participant, Session, Stage, StageAdvancement
from apps.core.threads import in_thread
from apps.jury.contents import Official
from apps.jury.services import sheet_save
from tests.apps.jury.sheets import marks_of
from tests.commanding import command
from tests.components.conftest import busy_session_with
from tests.components.seen import attributes, every, one, text
from tests.factories import PLAYED, AdminFactory, AppearanceFactory, ParticipantFactory, StageFactory
from tests.screen import open_page

LIST = "/admin/stages"
CREATE = "/admin/sessions?mode=create"
SESSION = {"title": "Morning", "date": "2027-10-14", "time": "10:00", "participant_ids": ""}


async def setup(factory, **fields):
    return await in_thread(lambda: factory(**fields))


def rows(screen):
    return [text(heading) for heading in every(one(screen.tree, "ol", "entries"), "h2")]


def choices(screen):
    select = one(screen.tree, "select", id="stage")
    return attributes(select)["defaultValue"], [text(option) for option in every(select, "option")]


async def test_stages_are_edited_in_all_windows(db) -> None:
    admin, colleague = await setup(AdminFactory), await setup(AdminFactory)
    async with open_page(LIST, user=admin) as one_sees, open_page(LIST, user=colleague) as other_sees:
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


def played(count):
    """Return the appearances of so many performers in a stage before the final."""
    stage = StageFactory(name="Stage I")
    StageFactory(name="Final")
    return [AppearanceFactory(session__stage=stage, participant__name=f"Player {n}") for n in range(count)]


async def test_advancing_performers_are_published_and_withdrawn(db) -> None:
    appearances, user = await in_thread(lambda: played(3)), await setup(AdminFactory)
    stage_id = appearances[0].session.stage_id
    async with open_page(LIST, user=user) as listed:
        assert "It is not published yet who advances." in listed.text
        async with open_page(f"{LIST}?mode=advance&id={stage_id}", user=user) as screen:
            boxes = [
                attributes(field)
                for field in every(screen.tree, "input")
                if attributes(field).get("type") == "checkbox"
            ]
            assert [box["value"] for box in boxes] == [str(appearance.participant_id) for appearance in appearances]
            version = attributes(one(screen.tree, "input", id="version"))["defaultValue"]
            empty = await command(screen, "advancements_publish", stage_id, version=version)
            assert (empty["ok"], empty["field"]) == (False, "participant")
            assert empty["text"] == "Tick at least one performer who advances."
            fields = {"participant": [box["value"] for box in boxes[:2]], "version": version}
            question = await command(screen, "advancements_publish", stage_id, **fields)
            assert question["ask"]
            assert "2 of 3 advance to Final." in question["text"]
            answer = await command(screen, "advancements_publish", stage_id, **fields, confirmed="1")
            assert (answer["text"], answer["go"]) == ("Published. Recommendations for this stage are closed.", LIST)
        await listed.until("2 of 3 advance to Final.")
        async with open_page(f"{LIST}?mode=advance&id={stage_id}", user=user) as screen:
            ticked = [field for field in every(screen.tree, "input") if attributes(field).get("defaultChecked")]
            assert len(ticked) == 2
            assert f" by {user.username}." in screen.text
        await command(listed, "advancements_withdraw", stage_id)
        await listed.until("It is not published yet who advances.")


def ticked(screen):
    """Return the names of the ticked performers."""
    labels = [
        label for label in every(screen.tree, "label", "check") if attributes(one(label, "input"))["defaultChecked"]
    ]
    return [text(label).partition(",")[0] for label in labels]


def with_sheet(count):
    """Return the id of a stage with performers numbered from the last to the first, and a jury's sheet in their order.

    The second and the third of the official list share a place.
    """
    appearances = played(count)
    for number, appearance in enumerate(reversed(appearances), start=1):
        Participant.objects.filter(pk=appearance.participant_id).update(start_number=number)
    ids = [appearance.participant_id for appearance in appearances]
    marks = marks_of(*((pk, *[25 - at] * 3) for at, pk in enumerate(ids)))
    officials = {pk: Official(Decimal(20), None, rank) for pk, rank in zip(ids[::-1], (1, 2, 2, 4), strict=True)}
    stage_id = appearances[0].session.stage_id
    sheet_save(actor=OPERATOR, stage_id=stage_id, place=1, marks=marks, officials=officials)
    return stage_id, ids


async def test_first_of_the_jury_are_ticked_and_others_named(db) -> None:
    (stage_id, ids), user = await in_thread(lambda: with_sheet(4)), await setup(AdminFactory)
    address = f"{LIST}?mode=advance&id={stage_id}"
    async with open_page(f"{address}&of=jury&first=2", user=user) as screen:
        assert ticked(screen) == ["3 Player 1", "4 Player 0"]
        assert "2 ticked. Nothing is published yet." in screen.text
        await screen.go(f"{address}&of=official&first=2")
        assert ticked(screen) == ["1 Player 3", "2 Player 2", "3 Player 1"]
        assert "3 ticked. The last place is shared. Nothing is published yet." in screen.text
        for unreadable in ("of=hall&first=2", "of=jury&first=0", "of=jury&first=x"):
            await screen.go(f"{address}&{unreadable}")
            assert ticked(screen) == []
        chosen = {"participant": [str(ids[0]), str(ids[3])]}
        question = await command(screen, "advancements_publish", stage_id, **chosen)
        assert question["text"].splitlines()[2:] == [
            "Better places in the official list, but not ticked: Player 1 (2), Player 2 (2).",
            "Ticked in spite of their places in the official list: Player 0 (4).",
        ]
        question = await command(screen, "advancements_publish", stage_id, participant=[str(pk) for pk in ids[1:]])
        assert len(question["text"].splitlines()) == 2


async def test_pasted_performers_are_ticked_and_all_lines_accounted_for(db) -> None:
    (stage_id, _), user = await in_thread(lambda: with_sheet(4)), await setup(AdminFactory)
    await setup(ParticipantFactory, first_name="Ewa", second_name="Elsewhere")
    async with open_page(f"{LIST}?mode=advance&id={stage_id}&of=jury&first=4", user=user) as screen:
        refused = await command(screen, "advancing_fill", stage_id, lines=" ")
        assert (refused["field"], refused["text"]) == ("lines", "Paste a list first, one performer in each line.")
        lines = "4\nPlayer 2\nEwa Elsewhere\nPlayer 2\nPlayer Nobody"
        answer = await command(screen, "advancing_fill", stage_id, lines=lines)
        assert answer["text"] == "3 performers read. Nothing is published yet."
        await screen.go(answer["go"])
        assert ticked(screen) == ["2 Player 2", "4 Player 0"]
        words = "5 read: 2 ticked, 1 repeated (line 4), 1 to choose (line 5). Not in this stage: Ewa Elsewhere."
        assert words in screen.text
        assert "Line 5: “Player Nobody” Tick by hand whom it means: " in screen.text
    assert not await in_thread(StageAdvancement.objects.exists)


async def test_stage_without_performers_has_no_form(db) -> None:
    stage, user = await setup(StageFactory, name="Gala"), await setup(AdminFactory)
    async with open_page(LIST, user=user) as screen:
        assert "No performer is in a session of this stage yet." in screen.text
    async with open_page(f"{LIST}?mode=advance&id={stage.pk}", user=user) as screen:
        assert "No performer is in a session of this stage yet." in screen.text
    async with open_page(f"{LIST}?mode=advance&id=987654", user=user) as screen:
        assert rows(screen) == ["Gala"]


async def test_new_session_needs_a_stage_that_is_not_archived(db) -> None:
    user = await setup(AdminFactory)
    async with open_page(CREATE, user=user) as empty:
        assert not [select for select in every(empty.tree, "select") if attributes(select)["id"] == "stage"]
    first = await setup(StageFactory, name="Stage I")
    async with open_page(CREATE, user=user) as alone:
        assert choices(alone) == (str(first.pk), ["Stage I"])
    final, missing = await setup(StageFactory, name="Final"), await setup(StageFactory, name="Old", archived_at=PLAYED)
    async with open_page(CREATE, user=user) as screen:
        assert choices(screen) == ("", ["Choose a stage", "Stage I", "Final"])
        for stage, words in (("", "Choose a stage."), (str(missing.pk), "This stage is archived. Choose another one.")):
            answer = await command(screen, "session_create", **SESSION, stage=stage)
            assert (answer["ok"], answer["field"], answer["text"]) == (False, "stage", words)
        assert (await command(screen, "session_create", **SESSION, stage=str(final.pk)))["ok"]
    assert (await in_thread(lambda: Session.objects.get().stage_id)) == final.pk


async def test_session_keeps_its_archived_stage(db) -> None:
    busy_session = await in_thread(lambda: busy_session_with(1, is_live=False))
    await in_thread(lambda: Stage.objects.update(archived_at=PLAYED))
    async with open_page(
        f"/admin/sessions?mode=edit&id={busy_session.session.pk}", user=await setup(AdminFactory)
    ) as screen:
        assert choices(screen) == (str(busy_session.session.stage_id), [busy_session.session.stage.name])
        assert "All stages, and who advances from them" in [text(link) for link in every(screen.tree, "a", href=LIST)]


async def test_stage_names_are_unique_without_case_and_spaces(db) -> None:
    await setup(StageFactory, name="Stage I")
    async with open_page(f"{LIST}?mode=create", user=await setup(AdminFactory)) as screen:
        for name in ("stage I", " Stage  I ", "StageI"):
            answer = await command(screen, "stage_create", name=name)
            assert (answer["ok"], answer["field"], answer["text"]) == (False, "name", "Name is taken already.")
    with pytest.raises(IntegrityError):
        await setup(StageFactory, name="STAGE I")
