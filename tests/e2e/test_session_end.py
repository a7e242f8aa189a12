"""Live changes of a session in windows that are in use: nothing in view moves, and a line leads to what came."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db import transaction
from playwright.async_api import Locator, Page, expect

from apps.accounts.actors import OPERATOR
from apps.competition.models import Session
from apps.competition.services.live import (
    LiveStep,
    live_restore,
    live_undo_read,
    performer_clear,
    performer_set,
    session_end,
    session_set_live,
)
from apps.core.bus.topics import publish_topics
from tests.e2e.accounts import ADMINISTRATOR
from tests.e2e.conftest import PERFORMING, Site
from tests.e2e.layout import SHIFTS, shifted
from tests.e2e.moves import hold
from tests.e2e.rating import RATER, unrated
from tests.e2e.windows import Windows, live

PHONE: dict[str, Any] = {"width": 360, "has_touch": True, "is_mobile": True}
# The natural size of the picture to share, once it has loaded.
PICTURE = """async (image) => { image.loading = "eager"; await image.decode();
  return [image.naturalWidth, image.naturalHeight]; }"""
ROW = "document.querySelector('.order').scrollIntoView(); scrollBy(0, 120)"
LIVE_NOW = ".stand__head .live-now"


@pytest.fixture
def address(site: Site) -> Iterator[str]:
    """Yield the live session's address; set it live again afterwards. The rater has no ratings."""
    for _ in unrated(site):
        yield f"/sessions/{site.appearances.live}"
    site.desk.do(session_set_live, actor=OPERATOR, session_id=site.appearances.live)
    site.desk.do(performer_set, actor=OPERATOR, appearance_id=site.appearances.performers[PERFORMING])


class Evening:
    """The windows of one journey, and what is done at the desk."""

    def __init__(self, site: Site, windows: Windows, address: str) -> None:
        self.site, self.windows, self.address = site, windows, address
        self.pages: dict[str, Page] = {}

    async def opened(self, name: str, **options: Any) -> Page:
        """Open the session's page in a window that measures from its start."""
        page = self.pages[name] = await self.windows.open(**options)
        await page.add_init_script(SHIFTS)
        await page.goto(self.address)
        await live(page)
        return page

    async def typing(self, name: str, **options: Any) -> Locator:
        """Open the page and begin a comment."""
        page = await self.opened(name, session=self.site.sign_in(RATER), **options)
        if await page.locator("#comments-tab").is_visible():
            await page.locator("#comments-tab").click()
        field = page.locator("#comments textarea").first
        await field.focus()
        await page.keyboard.type("It was ")
        return field

    async def marking(self, name: str) -> Locator:
        """Open the page of a phone, and strike a key of the performer on stage."""
        page = await self.opened(name, session=self.site.sign_in(RATER), **PHONE)
        row = page.locator(f"#appearance-{self.site.appearances.performers[PERFORMING]}")
        item = row.locator(".items > li").first
        await expect(page.locator(".score__flag").first).to_be_attached()
        await item.locator(".items__name").click()
        key = item.get_by_role("slider")
        await key.press("ArrowRight")
        await key.scroll_into_view_if_needed()
        return key

    async def changed(self, change: Callable[[], object], badges: int) -> None:
        """Do this at the desk while the windows are in use, and check that nothing in view has moved or is covered."""
        held = {name: await hold(page) for name, page in self.pages.items()}
        change()
        for page in self.pages.values():
            await expect(page.locator(LIVE_NOW)).to_have_count(badges)
            await expect(page.locator(".reactions button").first).to_be_visible(visible=False) if not badges else None
            await expect(page.locator("h1")).to_have_count(1)
        await self.unmoved(held)

    async def unmoved(self, held: dict[str, Any]) -> None:
        """Check what the windows have held."""
        faults = {name: found for name, each in held.items() if (found := await each.faults())}
        assert faults == {}


def ended(site: Site) -> LiveStep:
    return site.desk.do(session_end, actor=OPERATOR, session_id=site.appearances.live)


def undone(site: Site, step: LiveStep) -> LiveStep:
    return site.desk.do(lambda: live_restore(actor=OPERATOR, **live_undo_read(step.undo)))


async def test_end_of_a_session_and_its_undo_move_nothing_and_a_line_leads_on(
    site: Site, windows: Windows, address: str
) -> None:
    evening = Evening(site, windows, address)
    comment = await evening.typing("typing")
    phone = await evening.typing("typing by phone", **PHONE)
    key = await evening.marking("marking")
    await evening.opened("visitor", **PHONE)
    reader = await evening.opened("reader")
    await reader.evaluate(ROW)
    video = await comment.page.wait_for_selector("#stage-video")
    step: list[LiveStep] = []
    await evening.changed(lambda: step.append(ended(site)), badges=0)
    assert await video.evaluate("(frame) => frame.isConnected"), "the player was taken from the viewer"
    for field in (comment, phone):
        await expect(field).to_be_focused()
        await field.page.keyboard.type("very quiet")
        await expect(field).to_have_value("It was very quiet")
    await expect(key).to_be_focused()
    assert await key.input_value() == "1"
    await expect(key.page.locator(".stand__bring")).to_have_text("The session has ended. To the summary")
    for name in ("typing", "visitor"):
        page = evening.pages[name]
        await expect(page.locator(".stand__bring")).to_be_hidden()
        await expect(page.locator(".stand__said")).to_have_text("The session has ended.To the summary")
        await expect(page.get_by_role("heading", name="The order")).to_have_count(0)

    await evening.changed(lambda: undone(site, step[0]), badges=1)
    assert await video.evaluate("(frame) => frame.isConnected"), "the player was taken from the viewer"
    await expect(key.page.locator(".stand__bring")).to_be_hidden()  # the row of the performer is in view

    again = ended(site)
    visitor = evening.pages["visitor"]
    await visitor.locator(".stand__said").get_by_role("link", name="To the summary").click()
    await expect(visitor.get_by_role("heading", name="The order")).to_be_visible()
    await expect(visitor.locator("h1")).to_have_count(1)
    await expect(visitor.locator(".stage__under")).to_have_text("Recording Available")
    await expect(visitor.locator(".stand__said")).to_be_hidden()
    picture = visitor.get_by_role("img", name="Picture to share")
    assert await picture.evaluate(PICTURE) == [1200, 630]

    evening.pages = {"visitor": visitor}
    late = await evening.typing("typing below the summary")
    await live(visitor)
    await visitor.evaluate("scrollTo(0, 0)")
    held = {name: await hold(page) for name, page in evening.pages.items()}
    undone(site, again)
    for page in evening.pages.values():
        await expect(page.locator(".summary__next")).to_have_text("The session is live. To the stage")
        await expect(page.locator(".stand[data-live]")).to_be_attached()
    await evening.unmoved(held)
    await expect(late).to_be_focused()
    await visitor.get_by_role("link", name="The session is live. To the stage").click()
    await expect(visitor.locator(LIVE_NOW)).to_be_visible()


async def test_session_that_goes_live_moves_nothing_and_plays_at_once(
    site: Site, windows: Windows, address: str
) -> None:
    site.desk.do(performer_clear, actor=OPERATOR, session_id=site.appearances.live)
    site.desk.do(to_come, site.appearances.live)
    evening = Evening(site, windows, address)
    phone = await evening.typing("typing by phone", **PHONE)
    await evening.typing("typing")
    visitor = await evening.opened("visitor", **PHONE)
    await expect(visitor.locator(".stand__said")).to_contain_text(f"First: 1 {site.appearances.names[0]}")
    await evening.changed(
        lambda: site.desk.do(session_set_live, actor=OPERATOR, session_id=site.appearances.live), badges=1
    )
    for page in evening.pages.values():
        await expect(page.locator("#stage-video")).to_be_attached()
    await expect(evening.pages["typing"].locator(".reactions button").first).to_be_visible()
    held = {name: await hold(page) for name, page in evening.pages.items()}
    site.perform(0)
    for page in evening.pages.values():
        await expect(page.locator(".order .is-now")).to_have_count(1)
    await evening.unmoved(held)
    await expect(phone).to_be_focused()
    await visitor.get_by_role("link", name="To the stage").click()
    await expect(visitor.locator(".reactions button").first).to_be_visible()
    await expect(visitor.locator(".stand__said")).to_contain_text(site.appearances.names[0])


@transaction.atomic
def to_come(session_id: int) -> None:
    """Make the session one that was never live."""
    Session.objects.filter(pk=session_id).update(is_live=False, ended_at=None)
    publish_topics(f"session.{session_id}", f"session.{session_id}.performer", "live", "sessions")


async def test_docked_player_leaves_the_bar_free_and_states_what_it_plays(
    site: Site, windows: Windows, address: str
) -> None:
    evening = Evening(site, windows, address)
    page = await evening.opened("phone", **PHONE)
    stand, back = page.locator(".stand"), page.get_by_role("link", name="Back to live")
    await page.evaluate("scrollTo(0, 700)")
    await expect(page.locator(".stand[data-docked]")).to_have_count(1)
    await expect(page.locator(".stand__dock").filter(visible=True)).to_contain_text(site.appearances.names[PERFORMING])
    await page.evaluate("document.querySelector('.watch[data-page-event=watch]').click()")
    await expect(back).to_be_attached()
    await page.evaluate("scrollTo(0, 700)")
    await expect(back).to_be_in_viewport(ratio=1)
    await expect(page.locator(".stand__dock > *").filter(visible=True)).to_have_count(0)
    await page.get_by_role("button", name="Close the small player").tap()
    await expect(page.locator(".stand[data-docked]")).to_have_count(0)
    await page.evaluate("scrollTo(0, 0)")
    await shifted(page)  # a few frames, so that the page has seen the scroll
    await page.evaluate("scrollTo(0, 700)")
    await expect(page.locator(".stand[data-docked]")).to_have_count(1)
    ended(site)
    await page.reload()  # the page of the summary is longer
    await live(page)
    await page.evaluate("scrollTo(0, 0)")
    await expect(stand).not_to_have_attribute("data-docked", "")
    await page.get_by_role("button", name="Menu").tap()
    await expect(page.get_by_role("button", name="Menu")).to_have_attribute("aria-expanded", "true")


async def test_administrators_end_and_undo_reach_the_pages(site: Site, windows: Windows, address: str) -> None:
    fan = await windows.open(address)
    desk = await windows.open("/admin/sessions", session=site.sign_in(ADMINISTRATOR))
    await expect(desk.locator(".toasts")).to_be_attached()
    await desk.locator(".cue").get_by_role("button", name="End Live Session").first.click()
    await desk.get_by_role("dialog").get_by_role("button", name="End Live Session").click()
    await expect(desk.locator(".toast")).to_contain_text("Session no longer live")
    await desk.locator(".toast").get_by_role("button", name="Undo").focus()  # the message stays while it has the focus
    await expect(fan.locator(".stand__said")).to_contain_text("The session has ended.")
    await desk.locator(".toast").get_by_role("button", name="Undo").click()
    await expect(desk.locator(".toast")).to_contain_text("Everything is as it was before.")
    await expect(fan.locator(LIVE_NOW)).to_have_text("LIVE NOW")
