"""Programs of many performers: imported pieces, one paste for all, undo; and without scripts on a phone."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.async_api import expect

from apps.accounts.actors import OPERATOR
from apps.competition.models import ImportedPerformance, Participant, ProgramEntry, Session
from apps.competition.services.sessions import session_create, session_delete, venue_moment
from apps.imports.models import ProgramText
from tests.e2e.accounts import ADMINISTRATOR
from tests.e2e.barriers import barriers
from tests.e2e.conftest import Site
from tests.e2e.layout import layout_faults
from tests.e2e.windows import Windows
from tests.waiting import until

TITLE = "Recital of many programs"
SCHERZO, ETUDE = "Scherzo in B minor, Op. 20", "Etude in C major, Op. 10 No. 1"
# Returns the elements that reach beyond the window.
WIDER = """() => [...document.querySelectorAll("body *")].filter(
    (each) => each.getBoundingClientRect().right > innerWidth + 0.5
  ).map((each) => `${each.tagName}.${each.className}: ${each.textContent.slice(0, 60)}`)"""


@pytest.fixture
def recital(site: Site) -> Iterator[tuple[int, list[str]]]:
    """Create a session of three participants, two of them with imported pieces; yield its id and their names."""

    def begun() -> tuple[int, list[str]]:
        playing = list(Participant.objects.filter(name__in=site.appearances.names[:3]).order_by("name"))
        for person, pieces in zip(playing, (f"{ETUDE}\n{SCHERZO}", f"{SCHERZO}\nBarcarolle, Op. 160"), strict=False):
            ImportedPerformance.objects.create(
                participant=person, stage=TITLE, performance_date="2027-10-01", program=pieces
            )
        session = session_create(
            actor=OPERATOR,
            stage_id=site.appearances.stage,
            title=TITLE,
            starts_at=venue_moment(date="2027-10-25", time="11:00"),
            participant_ids=[person.pk for person in playing],
            confirmed=True,
        )
        return session.pk, [person.name for person in playing]

    def ended() -> None:
        ProgramText.objects.all().delete()
        ImportedPerformance.objects.filter(stage=TITLE).delete()
        for session in Session.objects.filter(title=TITLE):
            session_delete(actor=OPERATOR, session_id=session.pk, confirmed=True)

    yield site.desk.do(begun)
    site.desk.do(ended)


def programs(site: Site, session: int) -> dict[str, list[str]]:
    """Return the opus and number of each piece by performer."""

    def read() -> dict[str, list[str]]:
        found = ProgramEntry.objects.filter(appearance__session=session).order_by("pk")
        names: dict[str, list[str]] = {}
        columns = ("appearance__participant__name", "piece__opus", "piece__number")
        for name, opus, number in found.values_list(*columns):
            names.setdefault(name, []).append(f"{opus}/{number or ''}")
        return names

    return site.desk.do(read)


async def test_programs_are_imported_pasted_assigned_and_taken_back(
    site: Site, windows: Windows, recital: tuple[int, list[str]]
) -> None:
    session, (first, second, third) = recital
    page = await windows.open(f"/admin/programs?session={session}", session=site.sign_in(ADMINISTRATOR))
    await page.get_by_role("button", name="Take the imported pieces for 2 performers").click()
    await expect(page.get_by_text("Of 3 performers: taken: 2, nothing to take: 1.").first).to_be_visible()
    assert programs(site, session) == {first: ["10/1", "20/"], second: ["20/"]}
    await expect(page.get_by_text("1 imported piece is not found in the catalogue")).to_be_visible()
    await page.get_by_role("link", name="Import Programs").click()
    await expect(page.get_by_text("2 of 3 have a program")).to_be_visible()
    await expect(page.get_by_label("Session")).to_have_value(str(session))
    pasted = f"{first}\nScherzo No. 2\n\n{third}\nNocturnes Op. 27\nBallade No. 9\n\nMaria Kowalska\nScherzo No. 4"
    await page.get_by_label("Program text").fill(pasted)
    await page.get_by_role("button", name="Read the text").click()
    await expect(page.locator(".batch__block")).to_have_count(3)
    assert await layout_faults(page) == ""
    assert await barriers(page) == ""
    await page.get_by_label("Replace the program there").check()
    await page.get_by_role("button", name="Assign Programs").click()
    await expect(page.get_by_text("Of 3 blocks: assigned: 2, without a performer: 1.").first).to_be_visible()
    assert programs(site, session) == {first: ["31/"], second: ["20/"], third: ["27/1", "27/2"]}
    await expect(page.get_by_label("Program text")).to_have_value(pasted)
    # The line of the step before is on the page before this one.
    await page.get_by_role("button", name=re.compile(f"^Take back: .*{third}")).click()

    async def taken_back() -> bool:
        return programs(site, session) == {first: ["10/1", "20/"], second: ["20/"]}

    await until(taken_back, "both programs are as they were before")


async def test_programs_of_many_are_assigned_without_scripts_on_a_phone(
    site: Site, windows: Windows, recital: tuple[int, list[str]], tmp_path: Path
) -> None:
    session, (first, _, third) = recital
    page = await windows.open(
        f"/admin/program-import?session={session}",
        session=site.sign_in(ADMINISTRATOR),
        java_script_enabled=False,
        wait_live=False,
        width=360,
    )
    file = tmp_path / "programs.txt"
    file.write_text(f"{first}\n{ETUDE}\n\nMaria Kowalska\n{SCHERZO}", encoding="utf-16")
    await page.get_by_label("File").set_input_files(file)
    await page.get_by_role("button", name="Read the file").click()
    await expect(page.get_by_text("The file was read as UTF-16.")).to_be_visible()
    await page.get_by_label("Session").select_option(str(session))
    await page.get_by_role("button", name="Search", exact=True).click()
    await page.get_by_label("Performer of the block at line 4").fill(f"{third} ({TITLE}, 3)")
    assert await page.evaluate(WIDER) == []
    await page.get_by_role("button", name="Assign Programs").click()
    await expect(page.get_by_text("Of 2 blocks: assigned: 2.")).to_be_visible()
    assert programs(site, session) == {first: ["10/1"], third: ["20/"]}
