"""The three areas of administration on a phone: a bar of three under the thumb, in flow where the window is low."""

from playwright.async_api import Locator, Page, expect

from tests.e2e.accounts import ADMINISTRATOR
from tests.e2e.conftest import Site
from tests.e2e.windows import Windows, resize

HEIGHT, WIDTH, THUMB = 740, 360, 44  # pixels
NAMES = ["Prepare", "Tonight", "People and records"]


async def box(part: Locator) -> dict[str, float]:
    found = await part.bounding_box()
    assert found
    return {**found, "bottom": found["y"] + found["height"]}


def bar_of(page: Page) -> Locator:
    return page.get_by_role("navigation", name="Areas")


async def expect_area(page: Page, name: str, mark: str) -> None:
    marked = bar_of(page).locator("[aria-current]")
    await expect(marked).to_have_text([name])
    await expect(marked).to_have_attribute("aria-current", mark)


async def test_bar_of_areas_leads_to_each_area_on_a_phone(site: Site, windows: Windows) -> None:
    page = await windows.open("/admin", session=site.sign_in(ADMINISTRATOR), width=WIDTH, has_touch=True)
    links = bar_of(page).get_by_role("link")
    await expect(links).to_have_text(NAMES)
    for link in await links.all():
        area = await box(link)
        assert area["height"] >= THUMB
        assert area["width"] >= WIDTH / 4
        assert round(area["bottom"]) == HEIGHT
    await expect_area(page, "Tonight", "true")

    await links.filter(has_text="Prepare").tap()
    await expect(page.locator("h1")).to_have_text("Prepare")
    await expect_area(page, "Prepare", "page")
    await page.get_by_role("navigation", name="Prepare").get_by_role("link", name="Participants").tap()
    await expect(page.locator("h1")).to_have_text("Participants")
    await expect_area(page, "Prepare", "true")
    for name in NAMES[1:]:
        await links.filter(has_text=name).tap()
        await expect(page.locator("h1")).to_have_text(name)
        await expect_area(page, name, "page")


async def test_bar_of_areas_covers_nothing_and_is_in_the_page_in_a_low_window(site: Site, windows: Windows) -> None:
    page = await windows.open("/admin/prepare", session=site.sign_in(ADMINISTRATOR), width=WIDTH, has_touch=True)
    following = page.get_by_role("complementary", name="Next performer")
    await expect(following).to_be_visible()
    bar = bar_of(page).get_by_role("list")
    assert (await box(following))["bottom"] <= (await box(bar))["y"] + 1
    await page.evaluate("() => scrollTo(0, document.documentElement.scrollHeight)")
    privacy = page.get_by_role("contentinfo").get_by_role("link", name="Privacy")
    await expect(privacy).to_be_in_viewport()
    assert (await box(privacy))["bottom"] <= (await box(following))["y"]
    await resize(page, HEIGHT, WIDTH)
    assert (await box(bar))["bottom"] < (await box(page.locator("h1")))["y"]
