"""React takes over the server's HTML of every page without a complaint."""

import pytest
from playwright.async_api import expect

from tests.e2e.accounts import ADMINISTRATOR
from tests.e2e.conftest import Site
from tests.e2e.places import BACKSTAGE, MISSING, SHARED
from tests.e2e.windows import Windows


@pytest.mark.parametrize("pattern", SHARED)
async def test_page_hydrates_without_complaint(pattern: str, site: Site, windows: Windows) -> None:
    page = await windows.open(site.places.at(pattern))
    await expect(page.locator("#app[data-hydrated]")).to_be_attached()
