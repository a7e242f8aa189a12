"""The page of a stage's program: presets, slots, programs with notes, and the parts' links on the page of programs."""

from types import SimpleNamespace

import pytest
from django.conf import settings
from django.test import Client

from apps.accounts.actors import OPERATOR
from apps.competition.models import Appearance, Piano, Piece, ProgramEntry, ProgramPart, StageSlot
from apps.competition.selectors.admin.programs import program_version
from apps.competition.services.catalogue import catalogue_load
from apps.competition.services.programs import NewEntry, program_add
from apps.competition.services.slots import stage_preset
from apps.core.threads import in_thread
from tests.commanding import command
from tests.components.pages.checked_commands import be_refused, check_refusals, succeed
from tests.components.seen import attributes, every, one, text
from tests.factories import AdminFactory, AppearanceFactory, ParticipantFactory, SessionFactory, StageFactory
from tests.project.plain_forms import PlainPage
from tests.screen import open_page
from tests.serving import session_cookie

PAGE = "/admin/stage-program"
VIDEO = "https://youtu.be/aqz-KE-bpKQ"
SAVED = "Slots updated successfully"
ITEMS = (
    "Barcarolle in F-sharp major, Op. 60",
    "Sonata in B minor, Op. 58",
    "Ballade in F minor, Op. 52",
    "Polonaise in F-sharp minor, Op. 44",
)


def named(name: str) -> int:
    return Piece.objects.get(name=name).pk


def staged() -> SimpleNamespace:
    """Return Stage III with a program of four items, of which one was played in Stage I, and two more performers."""
    catalogue_load()
    first, third = StageFactory(name="Stage I", order_number=1), StageFactory(name="Stage III", order_number=2)
    stage_preset(actor=OPERATOR, stage_id=third.pk, preset="stage III")
    session = SessionFactory(stage=third, title="Stage III, evening")
    person = ParticipantFactory(first_name="Kanade", second_name="Himuro")
    before = AppearanceFactory(participant=person, session=SessionFactory(stage=first))
    program_add(actor=OPERATOR, appearance_id=before.pk, entries=[NewEntry(named(ITEMS[2]))])
    appearance = AppearanceFactory(participant=person, session=session)
    entries = [NewEntry(named(each)) for each in ITEMS]
    program_add(actor=OPERATOR, appearance_id=appearance.pk, entries=entries)
    others = [AppearanceFactory(session=session) for _ in range(2)]
    return SimpleNamespace(
        stage=third,
        first=first,
        appearance=appearance,
        other=others[0],
        admin=AdminFactory(),
        address=f"{PAGE}?stage={third.pk}&appearance={appearance.pk}",
    )


@pytest.fixture
def stage(db: None) -> SimpleNamespace:
    return staged()


def program(appearance_id: int) -> list[str]:
    entries = ProgramEntry.objects.filter(appearance=appearance_id).order_by("order_number")
    return list(entries.values_list("piece__name", flat=True))


async def test_program_is_made_and_its_notes_are_current(stage):
    other = await in_thread(AdminFactory)
    async with (
        open_page(stage.address, user=stage.admin) as screen,
        open_page(stage.address, user=other) as colleague,
    ):
        assert "Program of Stage III" in screen.title
        notes = text(one(screen.tree, "ul", "notes"))
        assert notes.startswith("Missing: Full set of mazurkas of one opus")
        assert "of at most 55 minutes" in notes
        assert "Played already in Stage I" in screen.text
        assert "Sonata, 4 parts" in screen.text
        players = [text(each) for each in every(screen.tree, "a", "player")]
        assert [each.endswith("no program") for each in players] == [False, True, True]
        assert "3 notes" in players[0]
        await screen.go(f"{stage.address}&find=mazurkas+op.+59")
        (offer,) = every(screen.tree, "button", "offered__work")
        assert text(offer).endswith("fills Full set of mazurkas of one opus")
        await succeed(screen, "program_entry_add", attributes(offer)["data-argument"], "Program updated successfully")
        await colleague.until_gone("Missing:")
        stale = f"{stage.appearance.pk}:{await in_thread(lambda: named('Rondo in C minor, Op. 1'))}:40:"
        stale += program_version(ITEMS)
        answer = await command(colleague, "program_entry_add", stale)
        assert (answer["ok"], answer["text"].partition(".")[0]) == (False, "The program was changed meanwhile")
        assert f"Last edit: {stage.admin.username}, " in answer["text"]
        await screen.press("Move up: Sonata in B minor, op. 58")
        await colleague.until("1Sonata in B minor")
        removed = colleague.button("Take out: Ballade in F minor, op. 52")["attributes"]
        answer = await command(colleague, removed["data-command"], removed["data-argument"])
        await screen.until_gone("Played already")
        await succeed(colleague, answer["undo"][0], answer["undo"][1], "Program updated successfully")
        await screen.until("Played already")
        await succeed(
            screen,
            "program_set_add",
            stage.other.pk,
            "Program updated successfully",
            pieces="Mazurka op. 30 no. 2\nMazurka op. 30 no. 3",
        )
        await be_refused(screen, "program_set_add", stage.other.pk, "A set has at least two pieces.", pieces="op. 60")
        twice = "Mazurka op. 30 no. 2; Mazurka op. 30 no. 2"
        await be_refused(screen, "program_set_add", stage.other.pk, "A set has each of its pieces once.", pieces=twice)
    assert await in_thread(lambda: program(stage.other.pk)) == ["Mazurkas, Op. 30 Nos. 2–3"]
    assert (await in_thread(lambda: program(stage.appearance.pk)))[:3] == [ITEMS[1], ITEMS[0], ITEMS[2]]


async def test_slots_are_edited_and_a_preset_asks(stage):
    async with open_page(stage.address, user=stage.admin) as screen:
        checked = one(screen.tree, "input", name="preset", defaultChecked=True)
        assert attributes(checked)["value"] == "stage III"
        await screen.press("Move down: Sonata")
        await screen.until("1Full set of mazurkas of one opus")
        answer = await command(screen, "stage_preset", stage.stage.pk, preset="stage II")
        assert (answer["ok"], answer.get("ask")) == (False, True)
        slot = await in_thread(lambda: StageSlot.objects.get(label="Sonata").pk)
        await screen.go(f"{stage.address}&slot={slot}")
        assert len(every(screen.tree, "input", name="allowed")) == 2
        valid = {"label": "Sonata", "least": "1", "most": "1", "go": stage.address}
        nothing = "Allow at least one category or work, or make the slot free."
        await check_refusals(
            screen,
            "slot_update",
            slot,
            [
                ({}, "more", nothing),
                ({"more": "op. 26"}, "more", "Several works fit “op. 26”: …"),
                ({"free": "on", "label": ""}, "label", "Label is required."),
                ({"free": "on", "least": "41"}, "least", "Please give a whole number from 0 to 40."),
                ({"free": "on", "least": "3", "most": "2"}, "most", "The most items are not fewer than the least."),
            ],
            valid,
        )
        answer = await succeed(screen, "slot_update", slot, SAVED, **valid, more="sonatas")
        assert answer["go"] == stage.address
        answer = await command(screen, "stage_preset", stage.stage.pk, preset="stage II", confirmed="1")
        await screen.go(stage.address)
        await screen.until("Six preludes from op. 28")
        await screen.go(f"{PAGE}?stage={stage.first.pk}")
        assert "The programs of this stage have the five categories." in screen.text
        await screen.go(f"{PAGE}?stage=987654")
        assert "Stage not found." in screen.text


async def test_parts_have_links_on_the_page_of_programs(stage):
    session = stage.appearance.session_id
    async with open_page(f"/admin/programs?session={session}", user=stage.admin) as screen:
        assert "4 pieces" in screen.text
        assert "Edit the program" in screen.text
        assert "Not chosen" not in screen.text
        entry = await in_thread(lambda: ProgramEntry.objects.get(piece__name=ITEMS[1]))
        part = await in_thread(lambda: entry.piece.parts.order_by("order_number")[1])
        address = f"/admin/programs?session={session}&link={entry.pk}&part={part.pk}"
        await screen.go(address)
        form = one(screen.tree, "form", data_command="program_part_link")
        assert part.name in text(form)
        version = attributes(one(form, "input", name="version"))["defaultValue"]
        saved = {"url": f"{VIDEO}?t=95", "version": version, "go": "/admin/programs"}
        await succeed(screen, "program_part_link", f"{entry.pk}:{part.pk}", "YouTube URL updated successfully", **saved)
        told = await command(screen, "program_part_link", f"{entry.pk}:{part.pk}", url=VIDEO, version=version)
        assert told["text"].startswith("YouTube URL was changed meanwhile.")
        assert f"Last edit: {stage.admin.username}, " in told["text"]
        await screen.go(f"/admin/programs?session={session}")
        assert "4 parts, 1 with a link" in screen.text
    assert await in_thread(lambda: ProgramPart.objects.get().timestamp) == 95


def test_page_works_without_scripts(transactional_db):
    stage = staged()
    client = Client(enforce_csrf_checks=True)
    client.cookies[settings.SESSION_COOKIE_NAME] = session_cookie(stage.admin).partition("=")[2]
    page = PlainPage.at(client, f"{stage.address}&find=mazurkas+op.+59")
    whole, version = named("Mazurkas, Op. 59"), program_version(ITEMS)
    added = page.press("program_entry_add", f"{stage.appearance.pk}:{whole}:40:{version}")
    assert "Program updated successfully" in added.text
    assert "Missing:" not in added.text
    edited = PlainPage.at(client, f"{stage.address}&slot=new")
    fields = {"label": "Encore", "least": "0", "more": "berceuse"}
    assert SAVED in edited.send("slot_add", stage.stage.pk, **fields).text
    asked = PlainPage.at(client, stage.address).send("stage_preset", stage.stage.pk, preset="final")
    assert "The slots of Stage III were edited" in asked.text
    assert SAVED in asked.agree("stage_preset", stage.stage.pk).text
    assert list(StageSlot.objects.order_by("order_number").values_list("label", flat=True)) == [
        "Polonaise-Fantasy",
        "Concerto",
    ]


async def test_piano_is_chosen_beside_the_program(stage):
    piano = await in_thread(lambda: Piano.objects.create(maker="Kitamori", model="EX"))
    place, field = stage.appearance, f"piano-{stage.appearance.pk}"
    async with open_page(stage.address, user=stage.admin) as screen:
        form = next(each for each in every(screen.tree, "form") if "Save the piano" in text(each))
        assert [text(choice) for choice in every(form, "option")] == ["Not known", "Kitamori EX"]
        fields = {"read": f"{place.pk}.0", "stay": "1", field: str(piano.pk)}
        answer = await command(screen, "session_pianos_set", place.session_id, **fields)
        assert (answer["ok"], answer["text"], answer.get("go")) == (True, "The piano is saved.", None)
    async with open_page(stage.address, user=stage.admin) as screen:
        assert attributes(one(screen.tree, "input", name="read"))["value"] == f"{place.pk}.{piano.pk}"
    assert (await in_thread(lambda: Appearance.objects.get(pk=place.pk))).piano_id == piano.pk
