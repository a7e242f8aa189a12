"""The page Jury: upload, preview, faults, choices by hand, drafts, publication, and official scores."""

from datetime import UTC, datetime, timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from apps.accounts.models import FormAnswer, User
from apps.competition.models import PerformingTime
from apps.competition.selectors.admin.participants import participant_names
from apps.core.threads import in_thread
from apps.imports.models import JuryFile
from apps.imports.selectors.jury_files import jury_file_get, jury_preview
from apps.imports.services.jury_files import jury_file_save
from apps.jury.models import JurySheet
from apps.jury.selectors import jury_sheet
from apps.jury.services import PUBLISHES
from tests.apps.imports.jury_files import NAMES, OFFICIALS, WHOLE, file_of
from tests.apps.imports.workbooks import workbook_of
from tests.commanding import command
from tests.components.seen import attributes, every, loaded, name, one, opened, text
from tests.factories import AdminFactory, AppearanceFactory, ParticipantFactory, StageFactory, viewer_of
from tests.project.plain_forms import PlainPage
from tests.screen import open_page

PAGE = "/admin/jury"
COMING = datetime.now(UTC) + timedelta(days=1)


class JurySetup:
    """Three performers, a stage, and two administrators."""

    def __init__(self):
        self.stage = StageFactory(name="Stage I")
        for number, (first, second) in enumerate(NAMES, start=1):
            ParticipantFactory(first_name=first, second_name=second, country="Poland", start_number=number)
        self.admin, self.other = viewer_of(AdminFactory()), viewer_of(AdminFactory())

    def send(self, content, *, by=None):
        """Store a file of the stage as the upload does."""
        JuryFile.objects.update_or_create(
            user_id=(by or self.admin).id, defaults={"stage": self.stage, "text": content, "file_name": "marks.csv"}
        )

    def save(self):
        """Save the first administrator's file as it is shown."""
        file = jury_file_get(user_id=self.admin.id)
        preview = jury_preview(text=file.text, stage_id=file.stage_id, stage=file.stage, choices=file.choices)
        return jury_file_save(actor=self.admin, version=preview.version)


@pytest.fixture
def setup(db):
    return JurySetup()


def version_of(screen):
    return attributes(one(screen.tree, "input", name="version"))["defaultValue"]


async def save(screen):
    return await command(screen, "jury_file_save", version=version_of(screen), confirmed="1")


async def test_sheet_is_saved_published_corrected_and_deleted(setup):
    await in_thread(lambda: setup.send(file_of(*WHOLE)))
    async with open_page(PAGE, user=setup.admin) as screen:
        assert "3 performers, 2 jurors. Of 6 lines: marks: 6, recused: 0, left: 0." in screen.text
        assert "2 new jurors: Juror One, Juror Two." in screen.text
        saved = await save(screen)
        assert saved["text"] == "Draft saved. It is public when you publish it."
        sheet = await in_thread(JurySheet.objects.get)
        assert saved["go"] == f"{PAGE}?sheet={sheet.pk}"
        await screen.until("Draft")
        assert await in_thread(lambda: (JuryFile.objects.count(), jury_sheet(stage_id=setup.stage.pk))) == (0, None)
        assert (await command(screen, "jury_publish", sheet.pk, confirmed="1"))["ok"]
        await screen.until("Published:")
        await in_thread(lambda: setup.send(file_of(*WHOLE).replace("Ada Alt,Juror One,20", "Ada Alt,Juror One,19")))
    async with open_page(PAGE, user=setup.admin) as screen:
        assert "1 mark changes" in screen.text
        assert "Ada Alt, Juror One: 20 → 19" in screen.text
        corrected = await save(screen)
        draft = int(corrected["go"].rpartition("=")[2])
        refused = await command(screen, "jury_unpublish", sheet.pk)
        assert refused["text"] == "This stage has a newer draft. Please publish or delete it first."
        assert (await command(screen, "jury_delete", draft))["text"] == "The draft is deleted."
        asked = await command(screen, "jury_unpublish", sheet.pk)
        assert (asked["ask"], asked["text"]) == (True, "No page shows them any more; the sheet is a draft again.")
        assert (await command(screen, "jury_unpublish", sheet.pk, confirmed="yes"))["ok"]
        assert await in_thread(lambda: jury_sheet(stage_id=setup.stage.pk)) is None
        assert (await command(screen, "jury_delete", sheet.pk))["ok"]
        await screen.until("No sheet is stored yet.")


async def test_results_of_a_stage_without_a_begun_performance_are_confirmed(setup):
    stage, words = setup.stage, "No performance of Stage I has begun."
    appearance = await in_thread(lambda: AppearanceFactory(session__stage=stage, session__starts_at=COMING))
    await in_thread(lambda: setup.send(file_of(*WHOLE)))
    async with open_page(PAGE, user=setup.admin) as screen:
        asked = await command(screen, "jury_file_save", version=version_of(screen))
        assert (asked["ask"], asked["text"]) == (True, words)
        assert not await in_thread(JurySheet.objects.exists)
        await save(screen)
        sheet = await in_thread(JurySheet.objects.get)
        assert (await command(screen, "jury_publish", sheet.pk))["text"] == f"{words}\n{PUBLISHES}"
        who = {"participant": str(appearance.participant_id)}
        advance = await command(screen, "advancements_publish", stage.pk, **who)
        assert advance["text"].startswith(f"{words}\n1 of 1 advances.")
        await in_thread(lambda: PerformingTime.objects.create(appearance=appearance))
        assert (await command(screen, "jury_publish", sheet.pk))["text"] == PUBLISHES
        assert not (await command(screen, "advancements_publish", stage.pk, **who))["text"].startswith(words)
        await in_thread(lambda: setup.send(file_of(*WHOLE).replace("Ada Alt,Juror One,20", "Ada Alt,Juror One,19")))
    async with open_page(PAGE, user=setup.admin) as screen:
        assert (await command(screen, "jury_file_save", version=version_of(screen)))["ok"]


async def test_commas_and_new_jurors_are_decided_by_one_press_each(setup):
    await in_thread(lambda: setup.send(file_of(*WHOLE)))
    await in_thread(setup.save)
    matrix = "start_number;participant;Jurar Ono;Juror Two\n1;;20,5;21\n2;;20;S\n3;;20;21"
    await in_thread(lambda: setup.send(matrix))
    async with open_page(PAGE, user=setup.admin) as screen:
        assert "3 performers, 2 jurors. Of 6 cells:" in screen.text
        assert "1 mark has a decimal comma." in screen.text
        assert "To correct in the file" not in screen.text
        (form,) = [each for each in every(screen.tree, "form") if "Read commas as decimal points" in text(each)]
        (sent,) = [attributes(each) for each in every(form, "input")]
        assert (await command(screen, "jury_file_read_again", **{sent["name"]: sent["value"]}))["ok"]
        await screen.until("Do not read commas as decimal points")
        assert "1 juror to choose" in screen.text
        (field,) = [each for each in every(screen.tree, "select") if attributes(each)["name"].startswith("juror-")]
        assert [text(option) for option in every(field, "option")] == ["choose", "A new juror", "The same as Juror One"]
        assert (await save(screen) if every(screen.tree, "input", name="version") else None) is None
        await command(screen, "jury_file_choose", **{attributes(field)["name"]: "Juror One"})
        await screen.until("Save Draft")
        assert "Ada Alt, Juror One: 20 → 20.5" in screen.text
        assert (await save(screen))["ok"]


async def test_equal_file_changes_nothing(setup):
    await in_thread(lambda: setup.send(file_of(*WHOLE)))
    async with open_page(PAGE, user=setup.admin) as screen:
        version = version_of(screen)
        await save(screen)
    await in_thread(lambda: setup.send(file_of(*reversed(WHOLE))))
    async with open_page(PAGE, user=setup.admin) as screen:
        assert "Nothing changed: the stored sheet has all of it already." in screen.text
        second = await command(screen, "jury_file_save", version=version)
        assert "was changed meanwhile" in second["text"]
        assert not every(screen.tree, "input", name="version")
        assert (await command(screen, "jury_file_clear"))["text"] == "The file is forgotten."
        await screen.until("Each line will be counted here")


def test_faults_and_another_stage_are_reported(setup):
    setup.send(file_of(*WHOLE[1:], "1,1,Ada Alt,Juror One,25.5,", "1,9,<b>Nemo</b>,Juror One,20,"))
    seen = text(opened(PAGE, setup.admin).main)
    assert "Line 7: “25.5” is not a mark from 1 to 25 with at most two decimals." in seen
    assert "Line 8: 9 <b>Nemo</b>" in seen
    assert "Of 7 lines: marks: 5, recused: 0, left: 2." in seen
    assert "Save Draft" not in seen
    setup.send(file_of(*WHOLE))
    buttons = every(opened(PAGE, setup.admin).main, "button")
    assert [name(button) for button in buttons][-2:] == ["Save Draft", "Clear"]
    chosen = one(opened(PAGE, setup.admin).main, "select", id="jury-stage")
    assert (attributes(chosen)["name"], attributes(chosen)["defaultValue"]) == ("stage", str(setup.stage.pk))
    setup.send(file_of(*(line.replace("1,", "2,", 1) for line in WHOLE)))
    assert "The file is of stage 2, and Stage I was chosen." in text(opened(PAGE, setup.admin).main)


def test_official_scores_are_compared_by_row(setup, client):
    setup.send(file_of("1,1,,21.5,,", header=OFFICIALS))
    assert "There are no marks of this stage yet." in text(opened(PAGE, setup.admin).main)
    setup.send(file_of(*WHOLE))

    setup.save()
    setup.send(file_of("1,1,,20.5,20.5,1", "1,2,,20.5,,1", "1,3,,20.6,,3", header=OFFICIALS))
    seen = opened(PAGE, setup.admin).main
    assert "1 of 3 official scores differ from the recomputed ones." in text(one(seen, "div", "message--bad"))
    assert len(every(seen, "tr", "is-bad")) == 1
    sheet = setup.save()
    shown = opened(f"{PAGE}?sheet={sheet.sheet_id}", setup.admin).main
    assert "Cleo Ca" in text(one(shown, "div", "message--bad"))
    setup.send(file_of("1,1,,20.5,20.5,1", "1,2,,20.5,,1", "1,3,,20.5,,1", header=OFFICIALS))
    seen = text(opened(PAGE, setup.admin).main)
    assert "The official scores of all 3 performers agree with the recomputed ones." in seen


def test_upload_without_a_stage_or_a_file_is_refused(setup, client):
    client.force_login(User.objects.get(pk=setup.admin.id))
    for changed, sentence in (
        ({"stage": "0"}, "Please choose a stage."),
        ({"stage": "x"}, "Please choose a stage."),
        ({"stage": "99999999999999999999999"}, "Please choose a stage."),
        ({"file": None}, "Error reading file"),
    ):
        fields = {
            "kind": "jury",
            "stage": str(setup.stage.pk),
            "file": SimpleUploadedFile("a.csv", b"stage"),
        } | changed
        answer = client.post("/participant-file", {name: value for name, value in fields.items() if value is not None})
        assert answer.headers["Location"].startswith(f"{PAGE}?file=sent&answer="), changed
        assert sentence in FormAnswer.objects.latest("created_at").data["answer"]["text"], changed
    assert not JuryFile.objects.exists()
    client.post(
        "/participant-file",
        {"kind": "jury", "stage": "", "file": SimpleUploadedFile("a.csv", file_of(*WHOLE).encode())},
    )
    assert JuryFile.objects.get().stage == setup.stage, "proposed by its number"


def rows_of(*lines):
    """Return the lines of a file as rows of a workbook."""
    return [line.split(",") for line in file_of(*lines).splitlines()]


@pytest.mark.django_db(transaction=True)
def test_another_sheet_of_a_workbook_is_chosen_without_scripts(client, setup):
    client.force_login(User.objects.get(pk=setup.admin.id))

    def send(stage):
        file = SimpleUploadedFile("a.xlsx", workbook_of([("Notes",)], more={"Marks": rows_of(*WHOLE), "Empty": []}))
        sent = client.post("/participant-file", {"kind": "jury", "stage": stage, "file": file})
        return PlainPage.at(client, sent["Location"])

    assert "The sheet “People” was read. Others: “Marks”, “Empty”." in send("").text
    assert "Please choose a stage" in send("").text
    page = send(str(setup.stage.pk))
    assert "Missing required columns" in page.text
    for sheet in ("Empty", "Marks"):
        page = page.send("jury_file_read_again", "", sheet=sheet)
        assert f"The sheet “{sheet}” is read." in page.text
    assert "Not read: “People”, “Empty”." in page.text
    refused = page.send("jury_file_read_again", "", sheet="None")
    assert "This workbook has no sheet “None”. It has “People”, “Marks”, “Empty”." in refused.text
    assert setup.save().is_changed
    assert "Please send it again" in page.send("jury_file_read_again", "", sheet="Empty").text


def test_query_count_is_independent_of_performers(setup, django_assert_num_queries):
    count = 12
    for _ in range(count):
        ParticipantFactory()
    lines = [f'1,,"{person.name}",Juror One,20,' for person in participant_names()]
    setup.send(file_of(*lines))
    sheet = setup.save()
    setup.send(file_of(*lines).replace("Juror One", "Juror Two"))
    with django_assert_num_queries(16):
        loaded(f"{PAGE}?sheet={sheet.sheet_id}", setup.admin)
