"""The windows of the browser tests: recorded faults, and waiting for documents and sizes."""

from tests.e2e.conftest import Site
from tests.e2e.windows import Windows, becomes, resize

SOCKET = "() => { new WebSocket('ws://' + location.host + '%s')%s; }"
LEAVES = """() => {
  if (location.pathname === "/news") return location.pathname;
  location.href = "/news";
  return new Promise(() => {});
}"""


async def test_windows_record_faults_and_wait_for_sizes_and_documents(site: Site, windows: Windows) -> None:
    page = await windows.open("/contact", has_touch=True, is_mobile=True)
    for width in (360, 768, 360):
        await resize(page, width, 740)
        assert await page.evaluate("() => document.documentElement.clientWidth") == width
    async with page.expect_console_message(lambda message: "closed before the connection" in message.text):
        await page.evaluate(SOCKET % ("/live/", ".close()"))
    assert windows.faults == [], "a socket that is closed while it connects is no fault"
    async with page.expect_console_message(lambda message: "WebSocket" in message.text):
        await page.evaluate(SOCKET % ("/nowhere/", ""))
    assert len(windows.faults) == 1, "a refused socket is a fault"
    windows.faults.clear()
    await becomes(page, LEAVES, "/news")
