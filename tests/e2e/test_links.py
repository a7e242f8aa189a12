"""Every link of the site answers with a page or an expected redirect."""

import re
from html import unescape
from urllib.parse import urljoin, urlsplit

import pytest

from tests.e2e.accounts import ADMINISTRATOR
from tests.e2e.conftest import Site
from tests.e2e.windows import Windows

ADDRESS = re.compile(r'<(?:a|link|script|img|meta)\b[^>]*? (?:href|src|content)="([^"]*)"')
DOORS = ("/login", "/register")  # a signed-in user is redirected
LEADING = ("/ranking",)  # redirect to another page
OWN = "/profile/"  # some pages below it require the password again
ENOUGH = 100  # pages; fewer mean that the crawl is incomplete


@pytest.mark.limit(300, reason="requests every page of the site")
async def test_every_link_answers(site: Site, windows: Windows) -> None:
    page = await windows.open(session=site.sign_in(ADMINISTRATOR))
    waiting, seen = ["/"], {"/"}
    while waiting:
        path = waiting.pop()
        answer = await page.request.get(path, max_redirects=0)
        asks_first = path.startswith(OWN) and "/reauthenticate" in answer.headers.get("location", "")
        led_on = path.partition("?")[0] in (*DOORS, *LEADING) or asks_first
        assert answer.status == (302 if led_on else 200), f"{path}: {answer.status}"
        if not answer.headers["content-type"].startswith("text/html"):
            continue
        for found in ours(await answer.text(), site.server.address, path):
            if shape(found) not in seen:
                seen.add(shape(found))
                waiting.append(found)
    assert len(seen) > ENOUGH


def ours(html: str, origin: str, path: str) -> list[str]:
    """Return the page's addresses of this site, without fragments."""
    found = (urlsplit(urljoin(origin + path, unescape(each))) for each in ADDRESS.findall(html) if "/" in each)
    return [
        each.path + (f"?{each.query}" if each.query else "")
        for each in found
        if f"{each.scheme}://{each.netloc}" == origin
    ]


def shape(path: str) -> str:
    """Return the address without numbers in its query; thousands of addresses differ only in these."""
    return re.sub(r"(=|%3A)\d[^&]*", r"\1", path)
