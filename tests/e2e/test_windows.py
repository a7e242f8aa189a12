"""The windows of the browser tests: recorded faults, and waiting for documents and sizes."""

from tests.e2e.conftest import Site
from tests.e2e.windows import Windows, becomes, resize

SOCKET = "() => { new WebSocket('ws://' + location.host + '%s')%s; }"
LEAVES = """() => {
  if (location.pathname === "/news") return location.pathname;
  location.href = "/news";
  return new Promise(() => {});
}"""


async def test_becomes_waits_for_the_next_document(site: Site, windows: Windows) -> None:
    page = await windows.open("/contact")
    await becomes(page, LEAVES, "/news")


async def test_socket_closed_while_it_connects_is_no_fault(site: Site, windows: Windows) -> None:
    page = await windows.open("/contact")
    async with page.expect_console_message(lambda message: "closed before the connection" in message.text):
        await page.evaluate(SOCKET % ("/live/", ".close()"))
    assert windows.faults == []


async def test_refused_socket_is_a_fault(site: Site, windows: Windows) -> None:
    page = await windows.open("/contact")
    async with page.expect_console_message(lambda message: "WebSocket" in message.text):
        await page.evaluate(SOCKET % ("/nowhere/", ""))
    assert len(windows.faults) == 1
    windows.faults.clear()


async def test_window_has_its_size_after_resize(site: Site, windows: Windows) -> None:
    page = await windows.open("/contact", has_touch=True, is_mobile=True)
    for width in (360, 768, 360):
        await resize(page, width, 740)
        assert await page.evaluate("() => document.documentElement.clientWidth") == width
