"""Pages of forms: they update when permissions change, and leave when the account is closed."""

import re

from playwright.async_api import expect

from apps.accounts.actors import OPERATOR
from apps.accounts.selectors.sessions import account_id_get
from apps.accounts.services.roles import account_deactivate, admin_grant, admin_revoke
from tests.e2e.conftest import Site
from tests.e2e.doors import account, expect_stranger
from tests.e2e.windows import Windows, live


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
