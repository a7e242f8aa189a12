"""The page People and records on a phone: the search over audit and errors, and the export after a fresh sign-in."""

import csv
import io

from playwright.async_api import Page, expect

from apps.accounts.actors import OPERATOR
from apps.accounts.selectors.sessions import account_id_get
from apps.accounts.services.roles import admin_grant
from apps.core.services import error_record
from apps.ratings.services.export import COLUMNS
from tests.e2e.accounts import session_begin
from tests.e2e.conftest import Site
from tests.e2e.doors import PASSWORD, account, expect_signed_in, sign_in
from tests.e2e.layout import SIDEWAYS, small_targets
from tests.e2e.windows import Windows, live

RECORDS = "/admin/records"
LONG_AGO = 3_600.0  # seconds
HEADLINES = ".records .audit__what"


async def archivist(site: Site, windows: Windows) -> tuple[str, str]:
    """Make an administrator with a password; return the name and a session that signed in long ago.

    The first sign-in stores the site's own hash of the password in place of the tests' fast one. A reauthentication
    that did so would end the session.
    """
    address = account(site, "archivist")
    name = address.partition("@")[0]
    door = await windows.open("/login", wait_live=False)
    await sign_in(door, address)
    await expect_signed_in(door)
    site.desk.do(admin_grant, actor=OPERATOR, account_id=site.desk.do(account_id_get, username=name))
    return name, site.desk.do(session_begin, name, LONG_AGO)


async def fits(page: Page) -> None:
    """Check the width and the targets."""
    assert await page.evaluate(SIDEWAYS) <= 0
    assert await small_targets(page) == []


async def test_organiser_searches_the_records_and_exports_ratings(site: Site, windows: Windows) -> None:
    name, session = await archivist(site, windows)
    site.desk.do(error_record, message="The piano on the left fell silent", severity="warn")
    phone = await windows.open(RECORDS, width=360, session=session, has_touch=True)
    await fits(phone)

    # one field finds an error by its words, and the appointment by the name of its account
    await phone.get_by_role("searchbox", name="Person, action, object or words").fill("piano on the left")
    await expect(phone.locator(HEADLINES)).to_have_text(["The piano on the left fell silent"])
    await phone.get_by_role("searchbox", name="Person, action, object or words").fill(name)
    appointed = phone.locator(HEADLINES).filter(has_text="Administrator appointed")
    await expect(appointed).to_have_text([f"Administrator appointed: {name}"])
    assert f"q={name}" in phone.url.replace("%2D", "-")
    await phone.locator(".records details", has_text="administrator").first.locator("summary").tap()
    await expect(phone.locator(".audit__details ins").first).to_have_text("yes")

    # the filters stay in the address
    await phone.locator("summary", has_text="Filters").tap()
    await phone.get_by_label("About", exact=True).select_option(label="Errors")
    await expect(phone.locator(".records .empty")).to_have_text("No records found matching your criteria.")
    await fits(phone)
    await phone.reload()
    await live(phone)
    await expect(phone.get_by_label("About", exact=True)).to_have_value("error")
    await phone.goto(RECORDS)
    await live(phone)

    # the export asks for the password, and comes back to its form
    chosen = await phone.get_by_label("Session", exact=True).input_value()
    await phone.get_by_role("button", name="Export the session").tap()
    await expect(phone.get_by_role("heading", name="Confirm that it is you")).to_be_visible()
    await phone.get_by_label("Password", exact=True).fill(PASSWORD)
    await phone.get_by_role("button", name="Confirm", exact=True).tap()
    await expect(phone.get_by_text("You can export for ten minutes now.")).to_be_visible()
    await live(phone)
    await expect(phone.get_by_label("Session", exact=True)).to_have_value(chosen)
    await fits(phone)
    await phone.set_viewport_size({"width": 360, "height": 740})
    async with phone.expect_download() as saved:
        await phone.get_by_role("button", name="Export the session").tap()
    download = await saved.value
    assert download.suggested_filename == f"ratings-session-{chosen}.csv"
    written = (await download.path()).read_text(encoding="utf-8-sig")
    header, *marks = csv.reader(io.StringIO(written, newline=""))
    assert tuple(header) == COLUMNS
    assert len({len(row) for row in marks} | {len(COLUMNS)}) == 1

    # and the audit names it, with a link to the session
    await phone.goto(f"{RECORDS}?q={name}")
    await live(phone)
    newest = phone.locator(HEADLINES).first
    await expect(newest).to_contain_text("Ratings of a session exported: ")
    await expect(newest.get_by_role("link")).to_have_attribute("href", f"/sessions/{chosen}")
