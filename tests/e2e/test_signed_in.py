"""The masthead of signed-in users and anonymous visitors, and signing out."""

from playwright.async_api import expect

from tests.e2e.accounts import ADMINISTRATOR, LISTENER
from tests.e2e.conftest import Site
from tests.e2e.windows import Windows, live


async def test_masthead_knows_the_listener(site: Site, windows: Windows) -> None:
    page = await windows.open("/", session=site.sign_in(LISTENER))
    ways = page.locator("#nav")
    await expect(ways.get_by_role("link", name="Profile")).to_be_visible()
    await expect(ways.get_by_role("button", name="Sign out", exact=True)).to_be_visible()
    for name in ("Admin", "Log in", "Register"):
        await expect(ways.get_by_role("link", name=name)).to_have_count(0)
    await page.goto("/admin")
    assert page.url == f"{site.server.address}/"
    await live(page)


async def test_administrator_is_shown_the_way_backstage(site: Site, windows: Windows) -> None:
    page = await windows.open("/", session=site.sign_in(ADMINISTRATOR))
    await page.locator("#nav").get_by_role("link", name="Admin").click()
    await expect(page).to_have_url(f"{site.server.address}/admin")
    await expect(page.locator("h1")).to_be_focused()


async def test_signing_out_leads_home_and_closes_every_door(site: Site, windows: Windows) -> None:
    session = site.sign_in(ADMINISTRATOR)
    page = await windows.open("/profile", session=session)
    await page.get_by_role("button", name="Sign out", exact=True).click()
    await expect(page).to_have_url(f"{site.server.address}/")
    await expect(page.locator("#nav").get_by_role("link", name="Log in")).to_be_visible()
    await expect(page.locator("#nav").get_by_role("link", name="Admin")).to_have_count(0)
    thief = await windows.open(session=session)
    for path in ("/profile", "/admin"):
        await thief.goto(path)
        assert thief.url.startswith(f"{site.server.address}/login?next=")


async def test_signing_out_leaves_nothing_that_scripts_stored_but_a_known_browser_known(
    site: Site, windows: Windows
) -> None:
    page = await windows.open("/profile", session=site.sign_in(LISTENER))
    await page.context.add_cookies([{"name": "browser", "value": "known", "url": site.server.address}])
    await page.evaluate("() => { localStorage.setItem('left', 'behind'); sessionStorage.setItem('left', 'behind'); }")
    await page.get_by_role("button", name="Sign out", exact=True).click()
    await expect(page).to_have_url(f"{site.server.address}/")
    assert await page.evaluate("() => [localStorage.getItem('left'), sessionStorage.getItem('left')]") == [None, None]
    assert [each["value"] for each in await page.context.cookies() if each["name"] == "browser"] == ["known"]


async def test_stranger_is_offered_the_doors(site: Site, windows: Windows) -> None:
    page = await windows.open("/")
    await expect(page.locator("#nav").get_by_role("link", name="Log in")).to_be_visible()
    await expect(page.locator("#nav").get_by_role("link", name="Register")).to_be_visible()
    await expect(page.get_by_role("button", name="Sign out")).to_have_count(0)
