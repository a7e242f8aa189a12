"""From an empty installation to the end of a first session of four, counting presses and typed facts.

The organiser has one file (start number, name, country and program of each participant) and knows when the sessions
begin. Nothing that the file or an earlier form contains is typed again.
"""

import csv
import io
import os
import re
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path

import pytest
from playwright.async_api import Browser, Locator, Page, expect

from apps.competition.models import Participant, PerformingTime, ProgramEntry, Session, SessionParticipant
from tests.e2e.barriers import SIDEWAYS, barriers
from tests.e2e.conftest import Site
from tests.e2e.test_first_steps import OWNER, empty_site, manage, owner_registered  # noqa: F401 - a fixture
from tests.e2e.windows import Windows, live

DATA = Path(__file__).parents[1] / "apps/imports"
ONE_PIECE = re.compile(r"(?:Etude|Mazurka|Nocturne|Scherzo) [^;]*[Oo]p\. ?\d+(?: [Nn]o\. ?\d+)?")
PER_ROW = 3  # pieces
PER_SESSION, SESSIONS = int(os.environ.get("PERFORMERS", "6")), 4
COUNT = PER_SESSION * SESSIONS
SERIES = "\n".join(f"2027-10-0{4 + at // 2} {(10, 17)[at % 2]}:00 {PER_SESSION}" for at in range(SESSIONS))
MOST_PRESSES = 28  # without those of the session itself, one for each performer
MOST_FACTS = 6  # fields: name and address of the operator, the stage, the sessions, the first number, minutes


def organisers_file() -> bytes:
    """Return the participants with real lines of programs, three each, in columns divided by semicolons."""
    with (DATA / "programme_lines.csv").open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file)
        lines = [
            row["raw_line"] for row in rows if row["source"].startswith("http") and ONE_PIECE.fullmatch(row["raw_line"])
        ]
    assert len(lines) > PER_ROW
    with (DATA / "participants_2025.csv").open(encoding="utf-8", newline="") as file:
        people = list(csv.reader(file))[1 : COUNT + 1]
    pieces, written = cycle(lines), io.StringIO(newline="")
    writer = csv.writer(written, delimiter=";")
    writer.writerow(["StartNumber", "FirstName", "LastName", "Country", "Program"])
    writer.writerows([*person, "\n".join(next(pieces) for _ in range(PER_ROW))] for person in people)
    return written.getvalue().encode()


@dataclass
class Organiser:
    """A window of the organiser that counts presses of buttons and links, and keeps each typed fact."""

    page: Page
    presses: int = 0
    facts: list[str] = field(default_factory=list)

    async def press(self, target: Locator) -> None:
        """Press a button or follow a link."""
        self.presses += 1
        await target.click()

    async def button(self, name: str) -> None:
        """Press the button with this name in the page or in its dialog."""
        dialog = self.page.get_by_role("dialog")
        inside = dialog if await dialog.count() else self.page.locator("main")
        await self.press(inside.get_by_role("button", name=name, exact=True).first)

    async def link(self, name: str) -> None:
        """Follow the link with this name in the page."""
        await self.press(self.page.locator("main").get_by_role("link", name=name, exact=True).first)

    async def type(self, label: str, text: str) -> None:
        """Type a fact, which was not typed before."""
        assert text not in self.facts
        self.facts.append(text)
        await self.page.get_by_label(label, exact=True).first.fill(text)

    async def area(self, name: str) -> None:
        """Go to an area of administration."""
        await self.press(self.page.get_by_role("navigation", name="Areas").get_by_role("link", name=name))
        await expect(self.page.locator("h1")).to_have_text(name)
        await live(self.page)

    async def fits(self) -> None:
        """Check that the page does not scroll sideways."""
        assert await self.page.evaluate(SIDEWAYS) <= 0, self.page.url


@pytest.mark.limit(300, reason="begins with an empty installation")
async def test_organiser_prepares_and_runs_a_first_session(
    empty_site: Site,  # noqa: F811 - the fixture
    browser: Browser,
) -> None:
    windows = Windows(browser, empty_site.server.address)
    page = await owner_registered(windows, empty_site)
    manage(empty_site, "admin", "grant", OWNER)
    await page.goto("/admin/prepare")
    await live(page)
    organiser = Organiser(page)
    await competition_prepared(organiser)
    await participants_imported(organiser, empty_site)
    await sessions_made(organiser, empty_site)
    await programs_taken(organiser, empty_site)
    prepared = organiser.presses
    await session_run(organiser, empty_site)
    assert organiser.presses - PER_SESSION <= MOST_PRESSES, f"{prepared} of {organiser.presses} presses prepare"
    assert len(organiser.facts) <= MOST_FACTS, organiser.facts
    await windows.end()


async def competition_prepared(organiser: Organiser) -> None:
    """Say who runs the site, and create the stage."""
    page = organiser.page
    assert await barriers(page) == ""
    await organiser.link("Next: Say who runs the site")
    await organiser.type("Name", "The friends of the piano")
    await organiser.type("E-mail address", "desk@example.org")
    await organiser.button("Save")
    await expect(page.get_by_text("Contact updated")).to_be_visible()
    await organiser.area("Prepare")
    await organiser.link("Next: Add the stages")
    await organiser.type("Name", "Stage I")
    await organiser.button("Create Stage")
    await expect(page.get_by_role("heading", name="Stage I")).to_be_visible()


async def participants_imported(organiser: Organiser, site: Site) -> None:
    """Import the organiser's file; it has no columns of single pieces, which the page offers to leave out."""
    page = organiser.page
    await organiser.press(page.get_by_role("navigation", name="Prepare").get_by_role("link", name="Imports"))
    file = {"name": "field.csv", "mimeType": "text/csv", "buffer": organisers_file()}
    await page.locator("#file").set_input_files(file)  # type: ignore[arg-type]
    await organiser.button("Read the file")
    await expect(page.get_by_text("Missing required columns: Piece1, Piece2, Piece3, Piece4, Piece5")).to_be_visible()
    await organiser.fits()
    await organiser.button("Read it as people only")
    await expect(page.get_by_role("button", name="Save Participants")).to_be_visible()
    await organiser.fits()
    await organiser.button("Save Participants")
    await expect(page.get_by_text(f"Successfully loaded {COUNT} participants").first).to_be_visible()
    assert site.desk.do(lambda: Participant.objects.filter(start_number__gte=1).count()) == COUNT


async def sessions_made(organiser: Organiser, site: Site) -> None:
    """Make four sessions and share the participants out by start number."""
    page = organiser.page
    await organiser.press(page.get_by_role("navigation", name="Prepare").get_by_role("link", name="Sessions"))
    await organiser.link("New series")
    await organiser.type("Sessions", SERIES)
    await organiser.type("Or all from start number", "1")
    await organiser.button("Show what it makes")
    await expect(page.get_by_role("dialog")).to_contain_text(f"{PER_SESSION} performers")
    await organiser.button("Make them")
    await expect(page.get_by_text("4 sessions created.")).to_be_visible()
    numbers = site.desk.do(
        lambda: list(
            SessionParticipant.objects.order_by("session__starts_at", "order_number").values_list(
                "participant__start_number", flat=True
            )
        )
    )
    assert numbers == list(range(1, COUNT + 1))
    await organiser.fits()


async def programs_taken(organiser: Organiser, site: Site) -> None:
    """Make the imported pieces the programs of the first session's performers, in one press."""
    page = organiser.page
    await organiser.press(page.get_by_role("navigation", name="Prepare").get_by_role("link", name="Programs"))
    first = site.desk.do(lambda: Session.objects.earliest("starts_at").pk)
    await page.goto(f"/admin/programs?session={first}")
    await live(page)
    await organiser.fits()
    played = PER_ROW * PER_SESSION
    await organiser.button(f"Take the imported pieces for {PER_SESSION} performers")
    await expect(page.locator(".toast")).to_contain_text(
        f"{PER_SESSION} performers, {played} pieces. Of {PER_SESSION} performers: taken: {PER_SESSION}."
    )
    assert site.desk.do(ProgramEntry.objects.filter(session_participant__session=first).count) == played


async def session_run(organiser: Organiser, site: Site) -> None:
    """Set the first session live, call all of its performers, and end it."""
    page = organiser.page
    await organiser.area("Tonight")
    await organiser.fits()
    await organiser.press(page.locator("main").get_by_role("button", name=re.compile("^Set as Live")).first)
    for number in range(1, PER_SESSION + 1):
        await organiser.press(page.locator("main .cue__next"))
        await expect(page.locator("main .cue__now")).to_contain_text(re.compile(rf"(^|\D){number}\D"))
    await expect(page.locator("main")).to_contain_text("This is the last performance.")
    await expect(page.locator(".toast")).to_be_hidden()  # it covers links of the footer until it goes
    await organiser.fits()
    await organiser.button("End Live Session")
    await expect(page.get_by_role("dialog")).to_contain_text("is on stage")
    await organiser.button("End Live Session")
    await expect(page.get_by_text("No session is live")).to_be_visible()
    assert site.desk.do(lambda: PerformingTime.objects.filter(ended_at__isnull=False).count()) == PER_SESSION
    assert site.desk.do(lambda: Session.objects.exclude(ended_at=None).count()) == 1
