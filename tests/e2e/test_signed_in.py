"""The masthead of signed-in users and anonymous visitors, and signing out."""

from playwright.async_api import expect

from tests.e2e.accounts import ADMINISTRATOR, LISTENER
from tests.e2e.conftest import Site
from tests.e2e.windows import Windows, live


async def test_masthead_shows_what_the_viewer_may_open(site: Site, windows: Windows) -> None:
    page = await windows.open("/")
    links = page.locator("#nav")
    await expect(links.get_by_role("link", name="Log in")).to_be_visible()
    await expect(links.get_by_role("link", name="Register")).to_be_visible()
    await expect(page.get_by_role("button", name="Sign out")).to_have_count(0)

    listener = await windows.open("/", session=site.sign_in(LISTENER))
    links = listener.locator("#nav")
    await expect(links.get_by_role("link", name="Profile")).to_be_visible()
    await expect(links.get_by_role("button", name="Sign out", exact=True)).to_be_visible()
    for name in ("Admin", "Log in", "Register"):
        await expect(links.get_by_role("link", name=name)).to_have_count(0)
    await listener.goto("/admin")
    assert listener.url == f"{site.server.address}/"
    await live(listener)


async def test_administrator_signs_out_of_all_pages_and_leaves_nothing_but_the_cookie_of_a_known_browser(
    site: Site, windows: Windows
) -> None:
    session = site.sign_in(ADMINISTRATOR)
    page = await windows.open("/", session=session)
    await page.context.add_cookies([{"name": "browser", "value": "known", "url": site.server.address}])
    await page.evaluate("() => { localStorage.setItem('left', 'behind'); sessionStorage.setItem('left', 'behind'); }")
    await page.locator("#nav").get_by_role("link", name="Admin").click()
    await expect(page).to_have_url(f"{site.server.address}/admin")
    await expect(page.locator("h1")).to_be_focused()
    await page.get_by_role("button", name="Sign out", exact=True).click()
    await expect(page).to_have_url(f"{site.server.address}/")
    await expect(page.locator("#nav").get_by_role("link", name="Log in")).to_be_visible()
    await expect(page.locator("#nav").get_by_role("link", name="Admin")).to_have_count(0)
    assert await page.evaluate("() => [localStorage.getItem('left'), sessionStorage.getItem('left')]") == [None, None]
    assert [cookie["value"] for cookie in await page.context.cookies() if cookie["name"] == "browser"] == ["known"]
    await page.context.add_cookies([{"name": "session", "value": session, "url": site.server.address}])
    for path in ("/profile", "/admin"):
        await page.goto(path)
        assert page.url.startswith(f"{site.server.address}/login?next=")
