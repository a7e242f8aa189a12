"""Performers go into four sessions by phone; a list is pasted, planned times are computed and shifted."""

from collections.abc import Iterator
from urllib.parse import urljoin

import pytest
from playwright.async_api import Page, expect

from apps.accounts.actors import OPERATOR
from apps.competition.models import Participant, Session, Stage
from apps.competition.services.live import session_end
from apps.competition.services.sessions import session_delete
from tests.e2e.accounts import ADMINISTRATOR
from tests.e2e.barriers import barriers
from tests.e2e.conftest import Site
from tests.e2e.windows import Windows
from tests.factories import AppearanceFactory, ParticipantFactory, SessionFactory, StageFactory

FIRST = 5001  # start number
COUNT = 12
STAGE, NEXT = "Round in a series", "Round after it"
LINES = "\n".join(f"2027-10-{12 + at // 2} {(10, 17)[at % 2]}:00 3" for at in range(4))
FORM = "main form.form-page"
MOST_PRESSES = 5  # of buttons and links, from the list of sessions to four sessions with performers
MOST_ADVANCING = 6  # from the list of stages to the publication of who advances


@pytest.fixture
def field(site: Site) -> Iterator[None]:
    """Make a stage and participants with start numbers, and delete them with their sessions afterwards."""

    def made() -> None:
        StageFactory(name=STAGE, order_number=90)
        for number in range(FIRST, FIRST + COUNT):
            ParticipantFactory(first_name="Serie", second_name=f"Pianist{number}", start_number=number)

    def gone() -> None:
        for session in Session.objects.filter(stage__name__in=(STAGE, NEXT)):
            if session.is_live:
                session_end(actor=OPERATOR, session_id=session.pk, confirmed=True)
            session_delete(actor=OPERATOR, session_id=session.pk, confirmed=True)
        Participant.objects.filter(start_number__gte=FIRST).delete()
        Stage.objects.filter(name__in=(STAGE, NEXT)).delete()

    site.desk.do(made)
    yield
    site.desk.do(gone)


def playing(title: str) -> list[int]:
    rows = Session.objects.get(title=title).appearances.order_by("order_number")
    return list(rows.values_list("participant__start_number", flat=True))


class Phone:
    """A window of a phone that counts the presses of buttons and links."""

    def __init__(self, page: Page) -> None:
        self.page, self.presses = page, 0

    async def press(self, name: str, role: str = "button", *, inside: str = "main") -> None:
        """Press the button or link with this name."""
        self.presses += 1
        await self.page.locator(inside).get_by_role(role, name=name, exact=True).first.click()  # type: ignore[arg-type]

    async def looks(self, name: str) -> None:
        """Check that the page is as wide as the phone."""
        assert await self.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name


async def test_four_sessions_are_created_as_a_series_and_one_is_planned(
    site: Site, windows: Windows, field: None
) -> None:
    page = await windows.open("/admin/sessions", session=site.sign_in(ADMINISTRATOR), width=360)
    phone = Phone(page)
    await phone.press("New series", "link")
    await expect(page.locator("h1")).to_have_text("New series")
    await page.get_by_label("Stage", exact=True).select_option(STAGE)
    await page.get_by_label("Sessions", exact=True).fill(LINES)
    await page.get_by_label("Or all from start number").fill(str(FIRST))
    await phone.looks("series")
    await phone.press("Show what it makes")
    question = page.get_by_role("dialog")
    await expect(question).to_contain_text(f"4. {STAGE}, session 4, 2027-10-13 17:00: 3 performers")
    await expect(question).to_contain_text(f"3. {FIRST + COUNT - 1} Serie Pianist{FIRST + COUNT - 1}")
    await phone.looks("series-preview")
    assert await barriers(page) == ""
    await phone.press("Make them", inside="[role=dialog], dialog")
    await expect(page.get_by_text("4 sessions created.")).to_be_visible()
    assert phone.presses <= MOST_PRESSES
    titles = [f"{STAGE}, session {number}" for number in (1, 2, 3, 4)]
    assert [pk for title in titles for pk in site.desk.do(playing, title)] == list(range(FIRST, FIRST + COUNT))

    await expect(page.get_by_text("4 sessions made at once")).to_be_visible()
    await phone.press(f"Take back: {', '.join(titles)}")
    await page.get_by_role("dialog").get_by_role("button", name="Take back").click()
    await expect(page.get_by_text("4 sessions made at once")).to_have_count(0)

    await one_by_paste(site, phone)


async def one_by_paste(site: Site, phone: Phone) -> None:
    """Paste a session's list, save it, compute its planned times, and shift them."""
    page, title = phone.page, f"{STAGE}, by hand"
    await phone.press("New Session", "link")
    await expect(page.locator("h1")).to_have_text("New Session")
    await page.get_by_label("Title").fill(title)
    await page.get_by_label("Date").fill("2027-10-20")
    await page.get_by_label("Time").fill("19:30")
    await page.get_by_label("Stage", exact=True).select_option(STAGE)
    pasted = f"{FIRST + 2}\nPianist{FIRST}, Serie\nSerie Pianista\n{FIRST + 2}"
    await page.get_by_label("Paste a list").fill(pasted)
    await phone.press("Put into the list")
    await expect(page.get_by_text("4 read: 2 added, 1 repeated (line 4), 1 to choose (line 3).")).to_be_visible()
    await expect(page.locator(".running-order ol > li")).to_have_count(2)
    await expect(page.get_by_label("Title")).to_have_value(title)
    await phone.looks("pasted")
    await page.get_by_label("Line 3: “Serie Pianista”").select_option(index=3)
    await phone.press("Put in the chosen ones")
    await expect(page.locator(".running-order ol > li")).to_have_count(3)
    await page.locator("#next").fill("2")
    await phone.press("Add the next")
    await expect(page.locator(".running-order ol > li")).to_have_count(5)
    await phone.press("Create Session")
    await expect(page.get_by_text("Session created successfully")).to_be_visible()
    assert site.desk.do(playing, title)[:2] == [FIRST + 2, FIRST]
    await page.get_by_role("link", name=f"Edit: {title}").click()
    await page.get_by_label("Minutes for each performance").fill("30")
    await page.get_by_label("Intervals").fill("2: 20")
    await phone.press("Compute the planned times")
    await expect(page.get_by_text("The planned times are set.")).to_be_visible()
    await page.reload()
    await expect(page.get_by_text("the first at 19:30 in the hall; the end is at 22:20 in the hall.")).to_be_visible()
    await page.get_by_label("By minutes").fill("10")
    await phone.looks("planned")
    await phone.press("Shift")
    toast = page.locator(".toast")
    await expect(toast).to_contain_text("The planned times are shifted.")
    await expect(page.get_by_text("the first at 19:40 in the hall; the end is at 22:30 in the hall.")).to_be_visible()
    await toast.get_by_role("button", name="Undo").click()
    await expect(page.get_by_text("the first at 19:30 in the hall; the end is at 22:20 in the hall.")).to_be_visible()


async def test_who_advances_is_read_from_a_file_and_fills_the_next_stage(
    site: Site, windows: Windows, field: None
) -> None:
    def played() -> None:
        StageFactory(name=NEXT, order_number=91)
        session = SessionFactory(title="Round", stage=Stage.objects.get(name=STAGE))
        for participant in Participant.objects.filter(start_number__gte=FIRST).order_by("start_number"):
            AppearanceFactory(session=session, participant=participant)

    site.desk.do(played)
    page = await windows.open("/admin/stages", session=site.sign_in(ADMINISTRATOR), width=360)
    phone = Phone(page)
    await phone.press(f"Who advances from {STAGE}", "link")
    await page.get_by_label("Search by name or number").fill(f"pianist{FIRST + 3}")
    boxes = page.locator("[name=participant]:visible")
    await expect(boxes).to_have_count(1)
    chosen = [FIRST + 1, FIRST + 4, FIRST + 5, FIRST + 7]
    lines = "\n".join(f"{number} Serie Pianist{number}" for number in chosen)
    await page.locator("#lines-file").set_input_files(
        {"name": "a.txt", "mimeType": "text/plain", "buffer": lines.encode()}
    )
    await expect(page.get_by_label("Paste a list")).to_have_value(lines)
    phone.presses += 1  # that of the file
    await phone.press("Tick these")
    await expect(page.get_by_text("4 read: 4 ticked.")).to_be_visible()
    await expect(page.get_by_text(f"4 of {COUNT} ticked")).to_be_visible()
    await phone.looks("ticked")
    assert await barriers(page) == ""
    await phone.press("Publish who advances")
    await expect(page.get_by_role("dialog")).to_contain_text(f"4 of {COUNT} advance to {NEXT}.")
    await phone.press("Publish", inside="[role=dialog], dialog")
    await expect(page.get_by_text("Published. Recommendations for this stage are closed.")).to_be_visible()
    assert phone.presses <= MOST_ADVANCING

    await page.goto(urljoin(page.url, "/admin/sessions"))
    phone.presses = 1  # the choice of the stage
    await phone.press("New series", "link")
    await page.get_by_label("Stage", exact=True).select_option(NEXT)
    await page.get_by_label("Sessions", exact=True).fill("2027-10-20 10:00\n2027-10-21 10:00")
    await page.get_by_label("Or all from start number").fill("1")
    await phone.press("Show what it makes")
    await phone.press("Make them", inside="[role=dialog], dialog")
    await expect(page.get_by_text("2 sessions created.")).to_be_visible()
    assert phone.presses <= MOST_PRESSES
    titles = [f"{NEXT}, session {number}" for number in (1, 2)]
    assert [pk for title in titles for pk in site.desk.do(playing, title)] == chosen
