"""Pages, links and forms work in a browser that lacks or refuses every optional interface."""

import json

import pytest
from playwright.async_api import Error, Page, expect

from project.config import ROOT
from tests.e2e.accounts import ADMINISTRATOR, LISTENER
from tests.e2e.conftest import Site
from tests.e2e.windows import Windows, live

# WebSocket remains: live updates need it (tests/client/browser-apis.test.js).
APIS = [
    path for path in json.loads((ROOT / "tests" / "client" / "browser-apis.json").read_text()) if path != "WebSocket"
]
TAKE_AWAY = """([paths, throws]) => {
  for (const path of paths) {
    const steps = path.split("."), name = steps.pop();
    const owner = steps.reduce((object, step) => object && object[step], window);
    if (!owner) continue;
    const refuse = () => { throw new TypeError("refused: " + path); };
    const isAttribute = /(Storage|Restoration)$/.test(name);
    const isHidden = name === "submitter"; // which no browser refuses
    const how = !throws || isHidden ? { value: undefined, writable: true }
      : isAttribute ? { get: refuse, set: refuse } : { value: function () { refuse(); }, writable: true };
    Object.defineProperty(owner, name, { configurable: true, ...how });
  }
}"""


@pytest.mark.parametrize("throws", [False, True], ids=["absent", "throwing"])
async def test_pages_work_without_optional_browser_interfaces(throws: bool, site: Site, windows: Windows) -> None:
    viewer = ADMINISTRATOR if throws else LISTENER  # the rate limit refuses two quick posts of one account
    page = await windows.open(session=site.sign_in(viewer), tolerated=["refused: ", "is not a ", "undefined", "null"])
    await page.add_init_script(f"({TAKE_AWAY})({json.dumps([APIS, throws])})")
    for pattern in ("/", "/sessions/{live}", "/participants/{participant}", "/profile"):
        await page.goto(site.appearances.at(pattern))
        await live(page)
        await expect(page.get_by_text("Something went wrong here")).to_have_count(0)
        await expect(page.locator("h1")).to_have_count(1)
        for time in await page.locator("main time").all():
            assert (await time.text_content() or "").strip(), pattern
    await page.get_by_role("link", name="News", exact=True).first.click()
    await expect(page.locator("h1")).to_have_text("News")
    await page.wait_for_load_state()
    await goto_again(page, "/community")
    await live(page)
    words = f"Without it all, {throws}"
    await page.locator("main form[data-command] textarea").first.fill(words)
    await page.locator("main form[data-command]:has(textarea) [type=submit]").first.click()
    await expect(
        page.get_by_role("article").filter(has_text=words).or_(page.locator("li", has_text=words)).first
    ).to_be_visible()


async def goto_again(page: Page, path: str) -> None:
    """Load this page, again while the link that was followed before still loads and interrupts it."""
    for _ in range(5):
        try:
            await page.goto(path)
        except Error as error:
            if "interrupted by another navigation" not in str(error):
                raise
        else:
            return
    raise AssertionError(f"each load of {path} was interrupted by another navigation")
