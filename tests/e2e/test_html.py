"""The Nu HTML checker accepts all pages of anonymous visitors, listeners and administrators."""

import asyncio
from http.client import HTTPConnection
from urllib.parse import urlsplit

import pytest

from tests.e2e.accounts import ADMINISTRATOR, LISTENER
from tests.e2e.conftest import Site
from tests.e2e.places import BACKSTAGE, MISSING, PUBLIC, SHARED
from tests.html_checker import LEFT_OUT, has_java, html_faults

VIEWERS = {"": PUBLIC, LISTENER: (*SHARED, *MISSING, "/profile"), ADMINISTRATOR: (*SHARED, *MISSING, *BACKSTAGE)}

pytestmark = pytest.mark.skipif(not has_java(), reason=LEFT_OUT)


async def test_html_checker_finds_faults() -> None:
    page = '<!doctype html><html lang="en"><title>Hall</title><body>{}</body></html>'
    assert html_faults(page.format("<p>Sound</p>")) == ""
    assert "details" in html_faults(page.format("<span><details><summary>Show</summary></details></span>"))
    assert "aria-label" in html_faults(page.format('<div aria-label="Stage">Now</div>'))


@pytest.mark.parametrize("viewer", VIEWERS)
async def test_every_page_is_valid_html(viewer: str, site: Site) -> None:
    cookie = f"session={site.sign_in(viewer)}" if viewer else ""
    found = []
    for pattern in VIEWERS[viewer]:
        path = site.appearances.at(pattern)
        html = await asyncio.to_thread(fetch, site.server.address + path, cookie)
        if faults := await asyncio.to_thread(html_faults, html):
            found.append(f"{path}\n{faults}")
    assert "\n".join(found) == ""


def fetch(address: str, cookie: str) -> str:
    """Return the server's HTML at this address, for any status."""
    connection = HTTPConnection(urlsplit(address).netloc)
    connection.request("GET", address.partition(urlsplit(address).netloc)[2], headers={"Cookie": cookie})
    html = connection.getresponse().read().decode()
    connection.close()
    return html
