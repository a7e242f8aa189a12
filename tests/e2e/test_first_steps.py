"""A new installation without demo data: the setup steps on a phone, up to a live session and an approved rating."""

import os
import re
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from playwright.async_api import Browser, Page, expect

from apps.ratings.models import PieceRating
from tests.conftest import PREFIX
from tests.databases import template_name
from tests.e2e import content
from tests.e2e.barriers import barriers
from tests.e2e.conftest import Site
from tests.e2e.doors import account_named, expect_signed_in, register, send
from tests.e2e.mails import link
from tests.e2e.rating import SUBMITTED, filled, form_of
from tests.e2e.server import Server
from tests.e2e.windows import Windows, live

OWNER, LISTENER = "owner", "first-listener"


@pytest.fixture
def empty_site(tmp_path: Path, django_db_setup: None, django_db_blocker) -> Iterator[Site]:
    """Run a server with a database without rows, a copy of the template of the tests, and without the demo."""
    name = f"{PREFIX}{os.getpid()}_first_steps"
    with content.database(name, template_name()) as address:
        server = Server(tmp_path, address, DEMO="0", DATABASE_URL=content.patient_address(address))
        desk = content.Desk(name, django_db_blocker.unblock)
        try:
            server.start()
            yield Site(server, desk, None)  # an empty database has no row ids
        finally:
            desk.leave()
            server.kill()


def manage(site: Site, *words: str) -> str:
    """Run this command of `manage.py` on the site's database and return its output."""
    output = StringIO()
    site.desk.do(call_command, *words, stdout=output)
    return output.getvalue()


async def owner_registered(windows: Windows, site: Site) -> Page:
    """Register the owner's account on a phone, open its mail in the same window, and return the window."""
    address = f"{OWNER}@example.org"
    page = await windows.open("/register", wait_live=False, width=360)
    await register(page, address, OWNER)
    await expect(page).to_have_url(re.compile("/register/sent"))
    await page.goto(await link(site.server, address, "/verify-email"))
    await send(page, "Confirm")  # signs in, because this window has registered
    await expect_signed_in(page)
    return page


async def step(page: Page, words: str) -> None:
    """Open the dashboard and follow its next setup step, which has this name."""
    await page.goto("/admin")
    await live(page)
    following = page.get_by_role("region", name="First steps").get_by_role("link", name=f"Next: {words}")
    await expect(following).to_be_visible()
    await following.click()
    await expect(page.locator("h1")).not_to_have_text("Backstage")


async def competition_written(page: Page) -> None:
    """Create a stage, a participant, a session and a program through the setup list; the catalogue exists already."""
    await step(page, "Say who runs the site")
    await page.get_by_label("Name", exact=True).fill("Jan Kowalski")
    await page.get_by_label("E-mail address").fill("jan.example.org")
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_label("E-mail address")).to_have_attribute("aria-invalid", "true")
    await expect(page.get_by_label("Name", exact=True)).to_have_value("Jan Kowalski")
    await page.get_by_label("E-mail address").fill("jan@example.org")
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_text("Contact updated successfully")).to_be_visible()

    await step(page, "Add the stages")
    await page.get_by_label("Name").fill("Stage I")
    await page.get_by_role("button", name="Create Stage").click()
    await expect(page.get_by_role("heading", name="Stage I")).to_be_visible()

    await step(page, "Add the participants")
    for label, words in (
        ("First name", "Zofia"),
        ("Last name", "Łęcka"),
        ("Country", "Poland"),
        ("Biography", "Here."),
    ):
        await page.get_by_label(label, exact=True).fill(words)
    await page.get_by_role("button", name="Create Participant").click()
    await expect(page.get_by_role("heading", name="Zofia Łęcka")).to_be_visible()

    await step(page, "Plan the first session")
    await page.get_by_label("Title").fill("Opening night")
    await page.get_by_label("Date").fill("2021-10-12")
    await page.get_by_label("Time").fill("19:30")
    await expect(page.get_by_label("Stage", exact=True)).to_have_value(re.compile(r"\d+"))  # the only stage is selected
    search = page.get_by_role("combobox", name="Add a participant")
    await search.fill("Lecka")
    await search.press("Enter")
    await page.get_by_role("button", name="Create Session").click()
    await expect(page.get_by_role("heading", name="Opening night")).to_be_visible()

    await step(page, "Choose a program")
    await page.get_by_role("link", name="Choose: Nokturn").click()
    await page.get_by_role("button", name=re.compile(r"^Nocturne in C minor,? op\.\s48", re.IGNORECASE)).click()
    await expect(page.locator(".program").first).to_contain_text("1 of 5 chosen")


@pytest.mark.limit(300, reason="begins with an empty installation")
async def test_new_installation_is_set_up_to_an_approved_rating(empty_site: Site, browser: Browser) -> None:
    site, windows = empty_site, Windows(browser, empty_site.server.address)
    owner = await owner_registered(windows, site)
    assert "missing  an administrator" in manage(site, "first_steps")
    manage(site, "admin", "grant", OWNER)
    await owner.goto("/admin")
    steps = owner.get_by_role("region", name="First steps")
    await expect(steps.get_by_role("listitem")).to_have_count(7)
    assert await barriers(owner) == ""
    await competition_written(owner)

    await owner.goto("/admin")
    await live(owner)
    await steps.get_by_role("link", name="Next: Go live").click()
    await owner.get_by_role("button", name="Set as Live: Opening night").click()
    main = owner.locator("main")
    await expect(main).to_contain_text("Nobody is on stage.")
    await expect(steps).to_have_count(0)  # the list disappears by itself
    await main.get_by_role("button", name="First performer 1 Zofia Łęcka").click()
    await expect(owner.locator(".toast")).to_contain_text("Current performer updated successfully")
    await expect(main).to_contain_text("This is the last performance.")
    assert manage(site, "first_steps").endswith("All of it is done.\n")

    account_named(site, LISTENER)
    fan = await windows.open("/", session=site.sign_in(LISTENER))
    await expect(fan.locator(".door__name")).to_have_text("Zofia Łęcka")
    await fan.goto("/participants")
    await fan.get_by_role("link", name="Zofia Łęcka").first.click()
    await expect(form_of(fan).locator(".items__name").first).to_be_visible()
    await filled(fan)
    await form_of(fan).get_by_role("button", name="Submit ratings").click()
    await expect(fan.get_by_text(SUBMITTED)).to_be_visible()

    await owner.goto("/admin")
    await live(owner)
    await owner.get_by_role("button", name=f"Approve both ratings by {LISTENER}").click()
    await expect(owner.get_by_text("Nothing waits for you.")).to_be_visible()
    assert site.desk.do(lambda: list(PieceRating.objects.values_list("score", "approved"))) == [(23, True)]
    await windows.end()
