"""The color scheme follows the system until the viewer chooses one; the choice persists and never flashes."""

from playwright.async_api import Page, expect

from tests.e2e.conftest import Site
from tests.e2e.windows import Windows, becomes, live

PAPER = (
    "() => getComputedStyle(document.documentElement).backgroundColor + getComputedStyle(document.body).backgroundColor"
)
# A browser paints only after the body exists.
AT_BODY = """new MutationObserver((_, observer) => {
  if (!document.body) return;
  observer.disconnect();
  window.themeAtBody = document.documentElement.dataset.theme;
}).observe(document, { childList: true, subtree: true });"""


def lights(page: Page):
    """Return the button that switches the color scheme."""
    return page.locator(".lights")


async def test_theme_follows_the_system_until_it_is_chosen_and_then_stays_without_a_flash(
    site: Site, windows: Windows
) -> None:
    page = await windows.open("/", color_scheme="dark")
    await page.add_init_script(AT_BODY)
    dark = await page.evaluate(PAPER)
    assert await page.locator("html").get_attribute("data-theme") is None
    await expect(lights(page)).to_have_attribute("aria-pressed", "true")
    await page.emulate_media(color_scheme="light")
    await expect(lights(page)).to_have_attribute("aria-pressed", "false")
    light = await page.evaluate(PAPER)
    assert light != dark

    other = await page.context.new_page()
    await other.emulate_media(color_scheme="light")
    windows.watch(other)
    await other.goto("/news")
    await live(other)
    await lights(page).click()
    await becomes(page, PAPER, dark)
    await expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    await expect(lights(page)).to_have_attribute("aria-pressed", "true")
    await expect(other.locator("html")).to_have_attribute("data-theme", "dark")
    await expect(lights(other)).to_have_attribute("aria-pressed", "true")

    await page.locator("#nav").get_by_role("link", name="Sessions").click()
    await expect(page.locator("h1")).to_have_text("Sessions")
    await expect(lights(page)).to_have_attribute("aria-pressed", "true")
    assert await page.evaluate(PAPER) == dark
    for path in ("/sessions", "/login"):
        await page.goto(path)
        assert await page.evaluate("() => window.themeAtBody") == "dark"
        assert await page.evaluate(PAPER) == dark
        await expect(lights(page)).to_have_attribute("aria-pressed", "true")
    await lights(page).click()
    await page.emulate_media(color_scheme="dark")
    await becomes(page, PAPER, light)
