"""A whole session: two administrators run it, one of them by phone, and a viewer watches."""

import asyncio
import re
from collections.abc import Iterator

import pytest
from playwright.async_api import Locator, Page, expect

from apps.accounts.actors import OPERATOR
from apps.accounts.models import User
from apps.competition.models import Appearance, Session
from apps.competition.selectors.public.sessions import session_appearances
from apps.competition.services.live import session_end
from apps.competition.services.sessions import session_delete
from tests.e2e.accounts import ADMINISTRATOR, LISTENER
from tests.e2e.barriers import barriers
from tests.e2e.conftest import Site
from tests.e2e.windows import Windows, resize

DESK = "/admin/sessions"
TITLE = "Gala of the laureates"
SECOND = "pedal-point"


@pytest.fixture
def colleague(site: Site) -> Iterator[str]:
    """Make a second account an administrator for one test and delete the planned sessions afterwards."""

    def role(*, is_admin: bool) -> None:
        User.objects.filter(username=SECOND).update(is_admin=is_admin)
        for planned in Session.objects.filter(title__startswith=TITLE):
            if planned.is_live:
                session_end(actor=OPERATOR, session_id=planned.pk)
            session_delete(actor=OPERATOR, session_id=planned.pk, confirmed=True)

    site.desk.do(role, is_admin=True)
    yield SECOND
    site.desk.do(role, is_admin=False)


class Cue:
    """The live control panel in one window."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.panel = page.locator(".cue")
        self.now = self.panel.locator(".cue__now")
        self.toast = page.locator(".toast")

    async def press(self, name: str) -> None:
        """Press the panel's button with this name."""
        await self.panel.get_by_role("button", name=name).first.click()

    async def call(self, name: str) -> None:
        """Call a performer out of turn, which asks first."""
        await self.press(f"Perform: {name}")
        await self.page.get_by_role("dialog").get_by_role("button", name="Call", exact=True).click()

    async def ready(self) -> None:
        """Wait until the page can offer an undo."""
        await expect(self.page.locator(".toasts")).to_be_attached()

    async def undo(self, key: str = "") -> None:
        """Undo the last step, by the button or by a key."""
        await (self.page.keyboard.press(key) if key else self.toast.get_by_role("button", name="Undo").click())
        await self.says("Everything is as it was before.")

    async def answered(self) -> None:
        """Wait until this window shows the result of its choice of a performer."""
        done = self.toast.filter(has_text="Current performer updated successfully")
        await expect(done.or_(self.panel.locator(".message")).first).to_be_visible()

    async def shows(self, name: str) -> None:
        """Wait until this name or sentence appears as the current performer."""
        await expect(self.now).to_contain_text(name)

    async def says(self, text: str) -> None:
        """Wait until the undo message contains this text."""
        await expect(self.toast).to_contain_text(text)


async def planned(page: Page, names: tuple[str, ...]) -> None:
    """Fill in and save the form of a new session; find participants by name and order them by buttons."""
    await page.get_by_role("link", name="New Session").click()
    await expect(page.locator("h1")).to_have_text("New Session")
    await expect(page.locator("h1")).to_be_focused()
    await page.get_by_label("Title").fill(TITLE)
    await page.get_by_label("Date").fill("2027-10-20")
    await page.get_by_label("Time").fill("19:30")
    await page.get_by_label("Stage", exact=True).select_option("Final")
    await page.get_by_label("Description").fill("All of them once more.")
    search = page.get_by_role("combobox", name="Add a participant")
    for name in names:
        await search.fill(name.split()[-1])
        await search.press("Enter")
        await expect(page.get_by_role("button", name=f"Remove: {name}")).to_be_visible()
    await search.fill("a")
    await expect(page.get_by_role("listbox").get_by_role("option").first).to_be_visible()
    assert await barriers(page) == ""
    await resize(page, 1280, 900)
    await search.fill("")
    await search.fill("a")
    await expect(page.get_by_role("listbox").get_by_role("option").first).to_be_visible()
    offered = await page.locator("#choices").bounding_box()
    buttons = await page.locator(".form-page__done").bounding_box()
    assert offered
    assert buttons
    assert offered["y"] + offered["height"] <= buttons["y"], "the list of choices covers the form's buttons"
    await search.fill("")
    await page.get_by_role("button", name=f"Move up: {names[-1]}").click()
    await page.get_by_role("button", name="Create Session").click()
    await expect(page.get_by_text("Session created successfully")).to_be_visible()
    await expect(page).to_have_url(re.compile(f"{DESK}$"))


async def begun(phone: Cue, row: Locator) -> None:
    """Set this row's session live by phone, in place of a session with a current performer."""
    await row.get_by_role("button", name="Set as Live").tap()
    question = phone.page.get_by_role("dialog", name=f"Set {TITLE} as live?")
    await expect(question).to_contain_text("is on stage.")
    await question.get_by_role("button", name="Set as Live").tap()
    await phone.says("Session set as live")


async def ended(desk: Cue, phone: Cue) -> None:
    """End the live session on the desktop, keep its undo message open, and wait until both windows show it."""
    await desk.press("End Live Session")
    await desk.page.get_by_role("dialog").get_by_role("button", name="End Live Session").click()
    await desk.says("Session no longer live")
    await desk.toast.get_by_role("button", name="Undo").focus()  # the message stays while it has the focus
    await expect(phone.panel).to_contain_text("No session is live")
    await expect(desk.panel).to_contain_text("No session is live")


async def agreed(site: Site, desk: Cue, phone: Cue, on_stage: Locator) -> str:
    """Return the performer on stage in the database, once both panels and the audience show that name."""
    appearance = site.desk.do(lambda: Appearance.objects.select_related("participant").get(is_performing=True))
    name = str(appearance.participant.name)
    await asyncio.gather(desk.shows(name), phone.shows(name), expect(on_stage).to_contain_text(name))
    return name


async def test_session_is_run_by_two_administrators_and_watched(site: Site, windows: Windows, colleague: str) -> None:
    first, third, second = site.appearances.names[:3]  # the last participant moves up
    halina = await windows.open(DESK, session=site.sign_in(ADMINISTRATOR), width=360, has_touch=True, is_mobile=True)
    ignacy = await windows.open(DESK, session=site.sign_in(colleague))
    phone, desk = Cue(halina), Cue(ignacy)
    await planned(ignacy, (first, third, second))
    await asyncio.gather(phone.ready(), desk.ready())

    row = halina.locator(".entries__row").filter(has_text=TITLE)
    await expect(row).to_contain_text(first)
    await begun(phone, row)
    address = await row.get_by_role("link", name=TITLE, exact=True).get_attribute("href")
    undone = r"status of 404.*/summary\.png"  # the end of the session is undone before its picture has loaded
    fan = await windows.open(address, session=site.sign_in(LISTENER), tolerated=[undone])
    on_stage = fan.locator(".stand__said")
    await expect(fan.get_by_text("LIVE NOW").first).to_be_visible()
    await expect(desk.panel.get_by_role("heading", level=2)).to_have_text(TITLE)

    await phone.press("First performer")
    await phone.says("Current performer updated successfully")
    await expect(on_stage).to_contain_text(first)
    await desk.shows(first)
    await desk.press("Next performer")
    await expect(on_stage).to_contain_text(second)
    await phone.shows(second)

    await phone.press("Clear performer")
    await phone.says("Current performer cleared successfully")
    await phone.toast.get_by_role("button", name="Undo").focus()
    await expect(on_stage).to_contain_text("Interval")
    await desk.shows("Nobody is on stage.")
    await phone.undo()
    await expect(on_stage).to_contain_text(second)
    await desk.shows(second)

    await desk.call(first)
    await expect(on_stage).to_contain_text(first)
    await desk.says("Current performer updated successfully")
    await desk.toast.get_by_role("button", name="Undo").focus()
    await desk.undo("z")
    await expect(on_stage).to_contain_text(second)
    await phone.shows(second)

    await asyncio.gather(phone.press("Next performer"), desk.call(first))
    await asyncio.gather(phone.answered(), desk.answered())
    if await agreed(site, desk, phone, on_stage) != third:  # both were answered: one came last
        await phone.call(third)
    await expect(phone.panel).to_contain_text("This is the last performance.")
    await expect(halina.locator(".toast")).to_have_count(0)  # it disappears after five seconds without focus
    await ended(desk, phone)
    await desk.undo()
    await phone.shows(third)
    await ended(desk, phone)
    await expect(fan.get_by_text("LIVE NOW")).to_have_count(0)
    assert await barriers(ignacy) == ""


async def test_rated_performers_are_removed_after_a_question_that_names_their_ratings(
    site: Site, windows: Windows
) -> None:
    page = await windows.open(f"{DESK}?mode=edit&id={site.appearances.past}", session=site.sign_in(ADMINISTRATOR))
    takes, names = page.get_by_role("button", name=re.compile("^Remove: ")), []
    for _ in range(2):
        names.append((await takes.first.get_attribute("aria-label") or "").removeprefix("Remove: "))
        await takes.first.click()
        await expect(page.get_by_role("button", name=f"Remove: {names[-1]}")).to_have_count(0)
    await page.get_by_role("button", name="Update Session").click()
    dialog = page.get_by_role("dialog", name="Save these changes?")
    lines = "\n".join(f"{name} would go with what listeners gave. Ratings of pieces: .*" for name in names)
    await expect(dialog.locator("p")).to_have_text(re.compile(f"^{lines}$"), use_inner_text=True)
    assert await barriers(page) == ""
    await dialog.get_by_role("button", name="Cancel").click()
    await expect(page.get_by_role("button", name="Update Session")).to_be_focused()
    kept = [appearance.name for appearance in site.desk.do(session_appearances, session_id=site.appearances.past)]
    assert set(names) < set(kept)
