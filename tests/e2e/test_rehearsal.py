"""A competition of 84 on the administration's own screens, from an empty installation to its second stage.

The script counts presses (buttons, links, files, choices in a list) and typed characters. The organiser has files as
they are: the participants, the drawn numbers, the programs in one text, and the jury's marks. `make test` rehearses it
on a phone of 360 × 740, `make soak` also at 1280 px.
"""

import csv
import io
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path

import pytest
from playwright.async_api import Browser, Locator, Page, expect

from apps.competition.models import (
    Appearance,
    Participant,
    PerformingTime,
    ProgramEntry,
    Session,
    StageAdvancement,
)
from tests.e2e.barriers import SIDEWAYS
from tests.e2e.conftest import Site
from tests.e2e.doors import account_named
from tests.e2e.test_first_steps import OWNER, empty_site, manage  # noqa: F401 - a fixture
from tests.e2e.windows import Windows, live

WIDTHS = [int(width) for width in os.environ.get("WIDTHS", "360").split(",")]
APPS = Path(__file__).parents[1] / "apps"
PEOPLE = APPS / "imports/participants_2025.csv"
MARKS, RESULTS = APPS / "jury/jury_scores_stage1.csv", APPS / "jury/jury_golden_stage1.csv"
ONE_PIECE = re.compile(r"(?:Etude|Mazurka|Nocturne|Scherzo) [^;]*[Oo]p\. ?\d+(?: [Nn]o\. ?\d+)?")
PER_ROW = 3  # pieces
COUNT, SESSIONS, ADVANCING, PLAYED = 84, 10, 40, 5
SERIES = "\n".join(f"2027-10-0{day} 10:00\n17:00" for day in range(3, 3 + SESSIONS // 2))
NEXT_SERIES = "2027-10-09 10:00\n17:00\n2027-10-10 10:00\n17:00"
MISTAKEN = 4  # place in the order, called while the second one plays
FIRST, NUMBERS, PROGRAMS, INTERVAL, ITS_END = "first live session", "drawn numbers", "programs", "interval", "its end"
TAKEN_BACK, JURY, ADVANCES, STAGE = "mistaken call taken back", "jury's marks", "who advances", "next stage"
NEXT_SESSIONS = "its sessions"
MOST_PRESSES = {
    FIRST: 23, NUMBERS: 4, PROGRAMS: 5, INTERVAL: 1, ITS_END: 1, TAKEN_BACK: 2, JURY: 7, ADVANCES: 6, STAGE: 3,
    NEXT_SESSIONS: 5,
}  # fmt: skip
MOST_TYPED = 210  # characters until the first session is live


@dataclass
class Organiser:
    """A window of the organiser that counts presses and typed characters by what they are for."""

    page: Page
    site: Site
    aims: list[str] = field(default_factory=list)
    presses: dict[str, int] = field(default_factory=dict)
    typed: dict[str, int] = field(default_factory=dict)

    @contextmanager
    def aim(self, *names: str) -> Iterator[None]:
        """Count what follows for these aims."""
        self.aims = list(names)
        yield
        self.aims = []

    def pressed(self) -> None:
        """Count a press."""
        for name in self.aims:
            self.presses[name] = self.presses.get(name, 0) + 1

    async def press(self, target: Locator) -> None:
        """Press a button or follow a link."""
        self.pressed()
        await target.click()

    async def button(self, name: str | re.Pattern[str]) -> None:
        """Press the button with this name in the page or in its dialog."""
        dialog = self.page.get_by_role("dialog")
        inside = dialog if await dialog.count() else self.page.locator("main")
        await self.press(inside.get_by_role("button", name=name, exact=True).first)

    async def answer(self, words: str, yes: str) -> None:
        """Read the question, which contains these words, and press its answer."""
        await expect(self.page.get_by_role("dialog")).to_contain_text(words)
        await self.button(yes)

    async def link(self, name: str) -> None:
        """Follow the link with this name in the page."""
        await self.press(self.page.locator("main").get_by_role("link", name=name, exact=True).first)

    async def area(self, name: str) -> None:
        """Go to an area of administration."""
        await self.press(self.page.get_by_role("navigation", name="Areas").get_by_role("link", name=name))
        await self.arrived(name)

    async def preparing(self, name: str) -> None:
        """Go to a page of the area Prepare."""
        await self.press(self.page.get_by_role("navigation", name="Prepare").get_by_role("link", name=name))
        await expect(self.page).to_have_title(re.compile(name[:6]))  # "Imports" leads to "Import"

    async def arrived(self, heading: str) -> None:
        """Wait for the page with this heading."""
        await expect(self.page.locator("h1")).to_have_text(heading)
        await live(self.page)

    async def type(self, label: str, text: str) -> None:
        """Type a text into the field with this label."""
        for name in self.aims:
            self.typed[name] = self.typed.get(name, 0) + len(text)
        await self.page.get_by_label(label, exact=True).first.fill(text)

    async def read(self, selector: str, name: str, content: bytes) -> None:
        """Choose a file and send it."""
        self.pressed()
        file = {"name": name, "mimeType": "text/plain", "buffer": content}
        await self.page.locator(selector).set_input_files(file)  # type: ignore[arg-type]
        await self.button("Read the file")
        await live(self.page)

    async def fits(self) -> None:
        """Check that the page does not scroll sideways."""
        assert await self.page.evaluate(SIDEWAYS) <= 0, self.page.url

    async def is_on_first_screen(self, target: Locator) -> None:
        """Check that all of the element is seen before the page is scrolled, and nothing covers it."""
        await expect(target).to_be_visible()
        await self.page.evaluate("() => scrollTo(0, 0)")
        covered = """(element) => {
          const { left, top, right, bottom } = element.getBoundingClientRect();
          return [[left + 2, top + 2], [right - 2, bottom - 2]].map(([x, y]) => document.elementFromPoint(x, y))
            .some((seen) => !seen || !element.contains(seen));
        }"""
        assert not await target.evaluate(covered), await target.inner_text()


def rows(file: Path) -> list[dict[str, str]]:
    with file.open(encoding="utf-8", newline="") as opened:
        return list(csv.DictReader(opened))


def drawn_numbers() -> bytes:
    """Return the numbers as they were drawn, a file of two columns."""
    written = io.StringIO(newline="")
    writer = csv.writer(written, delimiter=";")
    writer.writerow(["Nr startowy", "Uczestnik"])
    writer.writerows([row["start_number"], f"{row['last_name']}, {row['first_name']}"] for row in rows(PEOPLE))
    return written.getvalue().encode()


def programs_text() -> bytes:
    """Return real lines of programs, three for each participant, in one text."""
    lines = [
        row["raw_line"]
        for row in rows(APPS / "imports/programme_lines.csv")
        if row["source"].startswith("http") and ONE_PIECE.fullmatch(row["raw_line"])
    ]
    pieces = cycle(lines)
    blocks = (
        "\n".join(
            [f"{row['start_number']}. {row['first_name']} {row['last_name']}", *(next(pieces) for _ in range(PER_ROW))]
        )
        for row in rows(PEOPLE)
    )
    return "\n\n".join(blocks).encode()


@pytest.mark.limit(300, reason="begins with an empty installation")
@pytest.mark.parametrize("width", WIDTHS)
async def test_organiser_prepares_84_and_runs_a_stage(
    empty_site: Site,  # noqa: F811 - the fixture
    browser: Browser,
    width: int,
) -> None:
    windows = Windows(browser, empty_site.server.address)
    account_named(empty_site, OWNER)
    session = empty_site.sign_in(OWNER)
    manage(empty_site, "admin", "grant", OWNER)
    organiser = Organiser(await windows.open("/admin", session=session, width=width), empty_site)
    with organiser.aim(FIRST):
        await competition_prepared(organiser)
        await participants_imported(organiser)
    await numbers_drawn(organiser)
    with organiser.aim(FIRST):
        await sessions_made(organiser)
    with organiser.aim(FIRST, PROGRAMS):
        await programs_taken(organiser)
    await session_run(organiser)
    await marks_published(organiser)
    await next_stage_filled(organiser)
    assert organiser.presses.keys() == MOST_PRESSES.keys()
    assert {aim: n for aim, n in organiser.presses.items() if n > MOST_PRESSES[aim]} == {}, organiser.presses
    assert organiser.typed[FIRST] <= MOST_TYPED, organiser.typed
    await windows.end()


async def competition_prepared(organiser: Organiser) -> None:
    """Say who runs the site, and create the stage."""
    page = organiser.page
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


async def participants_imported(organiser: Organiser) -> None:
    """Import the organiser's file; it has no columns of pieces, which the page offers to leave out."""
    page = organiser.page
    await organiser.preparing("Imports")
    await organiser.read("#file", PEOPLE.name, PEOPLE.read_bytes())
    await expect(page.get_by_text("Missing required columns: Piece1, Piece2, Piece3, Piece4, Piece5")).to_be_visible()
    await organiser.fits()
    await organiser.button("Read it as people only")
    await organiser.button("Save Participants")
    await expect(page.get_by_text(f"Successfully loaded {COUNT} participants").first).to_be_visible()
    await organiser.fits()


async def numbers_drawn(organiser: Organiser) -> None:
    """Replace numbers of the time before the lot, which the site has for each performer, with the drawn ones."""

    def provisional() -> None:
        Participant.objects.update(start_number=None)
        for number, person in enumerate(Participant.objects.order_by("sort_folded"), start=1):
            Participant.objects.filter(pk=person.pk).update(start_number=number)

    organiser.site.desk.do(provisional)
    with organiser.aim(NUMBERS):
        await organiser.read("#file", "numbers.csv", drawn_numbers())
        await organiser.button("Tick all")
        await expect(organiser.page.get_by_text("ticked: 84.")).to_be_visible()
        await organiser.button("Save Participants")
    await expect(organiser.page.get_by_text("existing participants were completed").first).to_be_visible()
    stored = organiser.site.desk.do(lambda: set(Participant.objects.values_list("start_number", "second_name")))
    assert stored == {(int(row["start_number"]), row["last_name"]) for row in rows(PEOPLE)}


async def sessions_made(organiser: Organiser) -> None:
    """Make the sessions of the stage and share the participants out by start number."""
    page = organiser.page
    await organiser.preparing("Sessions")
    await organiser.link("New series")
    await organiser.type("Sessions", SERIES)
    await organiser.type("Or all from start number", "1")
    await organiser.button("Show what it makes")
    await organiser.answer("9 performers", "Make them")
    await expect(page.get_by_text(f"{SESSIONS} sessions created.")).to_be_visible()
    numbers = organiser.site.desk.do(
        lambda: list(
            Appearance.objects.order_by("session__starts_at", "order_number").values_list(
                "participant__start_number", flat=True
            )
        )
    )
    assert numbers == sorted(int(row["start_number"]) for row in rows(PEOPLE))
    await organiser.fits()


async def programs_taken(organiser: Organiser) -> None:
    """Read the programs of all performers from one text, and assign them."""
    page = organiser.page
    await organiser.preparing("Imports")
    await organiser.press(page.get_by_role("navigation", name="What comes in").get_by_role("link", name="Programs"))
    await organiser.arrived("Import Programs")
    await organiser.read("#program-file", "programs.txt", programs_text())
    await organiser.button("Assign Programs")
    await expect(page.get_by_text(f"Of {COUNT} blocks: assigned: {COUNT}.").first).to_be_visible()
    entries = organiser.site.desk.do(ProgramEntry.objects.count)
    assert entries == COUNT * PER_ROW


async def session_run(organiser: Organiser) -> None:
    """Set the first session live, call its performers, one of them by mistake, with an interval, and end it."""
    page, main = organiser.page, organiser.page.locator("main")
    now, following = main.locator(".cue__now"), main.locator(".cue__next")
    with organiser.aim(FIRST):
        await organiser.area("Tonight")
        await organiser.fits()
        await organiser.press(main.get_by_role("button", name=re.compile("^Set as Live")).first)
        await organiser.press(following)
    order = organiser.site.desk.do(
        lambda: [
            each.participant.name for each in Session.objects.earliest("starts_at").appearances.order_by("order_number")
        ]
    )
    await expect(now).to_contain_text(order[0])
    await following.click()
    await expect(now).to_contain_text(order[1])
    await organiser.fits()
    await all_of_live_control(organiser)
    await main.get_by_role("button", name=re.compile(f"Perform: .*{order[MISTAKEN - 1]}")).click()
    await organiser.answer(order[MISTAKEN - 1], "Call")
    await expect(now).to_contain_text(order[MISTAKEN - 1])
    with organiser.aim(TAKEN_BACK):
        await organiser.press(main.locator(".cue__undo"))
    await expect(now).to_contain_text(order[1])
    await organiser.area("Tonight")
    await expect(page.locator(".toast")).to_be_hidden()
    await organiser.is_on_first_screen(main.locator(".cue__undo"))
    with organiser.aim(INTERVAL):
        await organiser.is_on_first_screen(main.get_by_role("button", name="Interval"))
        await organiser.button("Interval")
    await expect(now).to_contain_text("Interval since")
    with organiser.aim(ITS_END):
        await organiser.is_on_first_screen(following)
        await organiser.press(following)
    for name in order[2:PLAYED]:
        await expect(now).to_contain_text(name)
        if name != order[PLAYED - 1]:
            await following.click()
    await all_of_live_control(organiser)
    await organiser.button("End Live Session")
    await organiser.answer("have not played", "End Live Session")
    await expect(page.get_by_text("No session is live")).to_be_visible()
    assert organiser.site.desk.do(lambda: PerformingTime.objects.filter(ended_at__isnull=False).count()) == PLAYED


async def all_of_live_control(organiser: Organiser) -> None:
    """Go to the rest of live control, which Tonight leaves out on a phone."""
    main = organiser.page.locator("main")
    if not await main.locator(".cue__choice").is_visible():
        await main.get_by_role("link", name="All of live control").click()
        await organiser.arrived("Backstage")


async def marks_published(organiser: Organiser) -> None:
    """Read the jury's file, save and publish the sheet; it agrees with the official result."""
    page = organiser.page
    with organiser.aim(JURY):
        await organiser.area("Prepare")
        await organiser.preparing("Jury")
        await organiser.read("#jury-file", MARKS.name, MARKS.read_bytes())
        await organiser.button("Save Draft")
        await organiser.button("Publish: Stage I")
        await organiser.answer("Stage I", "Publish")
    await expect(page.get_by_text("The sheet is published.").first).to_be_visible()
    await organiser.fits()


async def next_stage_filled(organiser: Organiser) -> None:
    """Publish who advances by the jury's sheet, and make the sessions of the next stage with them."""
    page = organiser.page
    with organiser.aim(STAGE):
        await organiser.preparing("Stages")
        await organiser.link("New Stage")
        await organiser.type("Name", "Stage II")
        await organiser.button("Create Stage")
    await expect(page.get_by_role("heading", name="Stage II")).to_be_visible()
    # the answer's page; the list may show the stage before it
    await expect(page).to_have_url(re.compile(r"/admin/stages$"))
    with organiser.aim(ADVANCES):
        await organiser.link("Who advances from Stage I")
        await organiser.type("How many advance", str(ADVANCING))
        await organiser.button("Tick the first of the jury’s sheet")
        await expect(page.get_by_text(f"{ADVANCING} of {COUNT} ticked")).to_be_visible()
        await organiser.fits()
        await organiser.button("Publish who advances")
        await organiser.answer(f"{ADVANCING} of {COUNT} advance to Stage II.", "Publish")
    await expect(page.get_by_text("Published. Recommendations for this stage are closed.")).to_be_visible()
    official = {int(row["start_number"]) for row in rows(RESULTS) if row["advanced_or_place"] == "1"}
    advancing = organiser.site.desk.do(
        lambda: set(StageAdvancement.objects.values_list("participant__start_number", flat=True))
    )
    assert advancing == official
    with organiser.aim(NEXT_SESSIONS):
        await organiser.preparing("Sessions")
        await organiser.link("New series")
        organiser.pressed()
        await page.get_by_label("Stage", exact=True).select_option("Stage II")
        await organiser.type("Sessions", NEXT_SERIES)
        await organiser.type("Or all from start number", "1")
        await organiser.button("Show what it makes")
        await organiser.answer(f"{ADVANCING // 4} performers", "Make them")
    await expect(page.get_by_text("4 sessions created.")).to_be_visible()
    playing = organiser.site.desk.do(
        lambda: set(
            Appearance.objects.filter(session__stage__name="Stage II").values_list(
                "participant__start_number", flat=True
            )
        )
    )
    assert playing == official
