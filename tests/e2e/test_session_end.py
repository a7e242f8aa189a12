"""The end of a session with several windows open: their pages turn into the summary, and an undo turns them back."""

from collections.abc import Iterator

import pytest
from playwright.async_api import Page, expect

from apps.accounts.actors import OPERATOR
from apps.competition.services.live import performer_set, session_set_live
from tests.e2e.accounts import ADMINISTRATOR, LISTENER
from tests.e2e.conftest import PERFORMING, Site
from tests.e2e.layout import SHIFTS, shifted
from tests.e2e.windows import Windows

MOST = 0.01  # layout shift of a live change
# The natural size of the picture to share, once it has loaded.
PICTURE = """async (image) => { image.loading = "eager"; await image.decode();
  return [image.naturalWidth, image.naturalHeight]; }"""


@pytest.fixture
def evening(site: Site) -> Iterator[str]:
    """Yield the address of the live session, and set it live again after the test."""
    yield f"/sessions/{site.appearances.live}"
    site.desk.do(session_set_live, actor=OPERATOR, session_id=site.appearances.live)
    site.desk.do(performer_set, actor=OPERATOR, session_participant_id=site.appearances.performers[PERFORMING])


async def ended(page: Page) -> None:
    """Wait until the window shows the summary above what the page of a session always has."""
    await expect(page.get_by_role("heading", name="The order")).to_be_visible()
    await expect(page.locator("h1")).to_have_count(1)
    await expect(page.locator(".stand__head .live-now")).to_have_count(0)
    await expect(page.locator(".stage__under")).to_have_text("Recording Available")
    await expect(page.locator(".badge--now")).to_have_count(0)
    await expect(page.locator("#programme")).to_have_count(1)
    await expect(page.locator("#comments")).to_have_count(1)


async def test_session_end_and_its_undo_appear_in_all_windows(site: Site, windows: Windows, evening: str) -> None:
    fan = await windows.open(evening, session=site.sign_in(LISTENER))
    visitor = await windows.open(evening, width=360)
    desk = await windows.open("/admin/sessions", session=site.sign_in(ADMINISTRATOR))
    await expect(desk.locator(".toasts")).to_be_attached()
    video = await fan.wait_for_selector("#stage-video")
    before = {}
    for page in (fan, visitor):
        await page.evaluate(SHIFTS)
        before[page] = await shifted(page)
    await desk.locator(".cue").get_by_role("button", name="End Live Session").first.click()
    await desk.get_by_role("dialog").get_by_role("button", name="End Live Session").click()
    await expect(desk.locator(".toast")).to_contain_text("Session no longer live")
    await desk.locator(".toast").get_by_role("button", name="Undo").focus()  # the message stays while it has the focus
    for page in (fan, visitor):
        await ended(page)
        assert await shifted(page) - before[page] <= MOST
    assert await video.evaluate("(frame) => frame.isConnected"), "the player was taken from the viewer"
    picture = fan.get_by_role("img", name="Picture to share")
    assert await picture.evaluate(PICTURE) == [1200, 630]

    before = {page: await shifted(page) for page in (fan, visitor)}
    await desk.locator(".toast").get_by_role("button", name="Undo").click()
    await expect(desk.locator(".toast")).to_contain_text("Everything is as it was before.")
    for page in (fan, visitor):
        await expect(page.get_by_role("heading", name="The order")).to_have_count(0)
        await expect(page.locator(".stand__head .live-now")).to_have_text("LIVE NOW")
        await expect(page.locator(".stage__under")).to_be_hidden()
        await expect(page.locator("h1")).to_have_count(1)
        await expect(page.locator(".stand__stage .reactions")).to_be_visible()
        assert await shifted(page) - before[page] <= MOST
    assert await video.evaluate("(frame) => frame.isConnected"), "the player was taken from the viewer"
