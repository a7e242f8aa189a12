"""Pages of forms: they leave when their viewer is signed out, and update when permissions change."""

import re

from playwright.async_api import expect

from apps.accounts.actors import OPERATOR
from apps.accounts.selectors.sessions import account_id_get
from apps.accounts.services.roles import account_deactivate, admin_grant, admin_revoke
from tests.e2e.conftest import Site
from tests.e2e.doors import account, expect_stranger, fill, send, sign_in
from tests.e2e.windows import Windows, live


async def test_page_of_forms_leaves_when_its_session_ends(site: Site, windows: Windows) -> None:
    address = account(site, "presence")
    here = await windows.open("/login?next=/profile", wait_live=False)
    await sign_in(here, address)
    await expect(here).to_have_url(re.compile("/profile$"))
    await live(here)
    wrong = await windows.open("/reauthenticate", session=site.sign_in(address.partition("@")[0]))
    await fill(wrong, {"Password": "not this one"})
    await send(wrong, "Confirm")
    await expect(wrong.get_by_text("Incorrect password.")).to_be_visible()
    await live(wrong)
    await here.reload()
    await live(here)
    await send(here, "Sign out everywhere else")
    await expect(here.get_by_text("You are signed out everywhere else.")).to_be_visible()
    await expect(wrong).to_have_url(re.compile(r"/login\?next=/reauthenticate$"))
    await expect_stranger(wrong)


async def test_page_of_forms_follows_the_permissions_of_its_viewer_and_leaves_when_the_account_is_closed(
    site: Site, windows: Windows
) -> None:
    username = account(site, "promoted").partition("@")[0]
    page = await windows.open("/profile/passkeys/add", session=site.sign_in(username))
    backstage = page.locator("#nav").get_by_role("link", name="Admin")
    found = site.desk.do(account_id_get, username=username)
    await expect(backstage).to_have_count(0)
    site.desk.do(admin_grant, actor=OPERATOR, account_id=found)
    await expect(backstage).to_be_visible()
    await live(page)
    site.desk.do(admin_revoke, actor=OPERATOR, account_id=found)
    await expect(backstage).to_have_count(0)
    await live(page)
    site.desk.do(account_deactivate, actor=OPERATOR, account_id=found)
    await expect(page).to_have_url(re.compile(r"/login\?next=/profile/passkeys/add$"))
    await expect_stranger(page)
