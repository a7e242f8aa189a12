"""Commands in a browser: through a server crash and through a sign-in.

`test_restart.py` kills the server before it has stored a command.
"""

import asyncio
import os
import random
from collections.abc import Callable, Iterator

import pytest
from playwright.async_api import Page, WebSocketRoute, expect

from apps.core.models import ErrorLog
from tests.e2e.accounts import LISTENER
from tests.e2e.conftest import Site
from tests.e2e.windows import SERVERLESS, Windows, becomes, live
from tests.waiting import until

MOMENTS = int(os.environ.get("MOMENTS", "1"))  # `make soak` tests more
FRAMES = """async (count) => { for (; count; count -= 1) await new Promise(requestAnimationFrame); }"""
TYPED = "() => document.querySelector('[name=text]').value"


@pytest.fixture
def notes(site: Site) -> Iterator[Callable[[], list[str]]]:
    """Yield a function that returns the stored notes; delete all notes before and after."""

    def empty() -> None:
        site.desk.do(lambda: ErrorLog.objects.all().delete())

    empty()
    yield lambda: site.desk.do(lambda: [row.message for row in ErrorLog.objects.order_by("pk")])
    empty()


async def stored(page: Page, text: str) -> None:
    """Write and submit a note."""
    await page.get_by_label("Your note").fill(text)
    await page.get_by_role("button", name="Leave it").click()


async def kept(page: Page, text: str) -> None:
    """Wait until the page confirms the note, and check that the field is empty."""
    await expect(page.get_by_role("status").filter(has_text=f"Kept: 7: {text}")).to_be_visible()
    assert await page.evaluate(TYPED) == ""


async def test_command_stored_before_the_kill_is_not_stored_again(
    site: Site, windows: Windows, notes: Callable[[], list[str]]
) -> None:
    page = await windows.open(session=site.sign_in(LISTENER), tolerated=[SERVERLESS])
    deaf = [True]

    def through(ours: WebSocketRoute) -> None:
        server = ours.connect_to_server()
        server.on_message(lambda text: None if deaf[0] and '"answer"' in str(text) else ours.send(text))

    await page.route_web_socket("**/live/**", through)
    await page.goto("/notes")
    await live(page)
    await stored(page, "Bravo")
    await until(lambda: notes() == ["7: Bravo"], "the stored note")
    await asyncio.to_thread(site.server.kill)
    assert await page.evaluate(TYPED) == "Bravo", "the page has no answer yet"
    deaf[0] = False
    await asyncio.to_thread(site.server.start)
    await kept(page, "Bravo")
    assert await asyncio.to_thread(notes) == ["7: Bravo"]


async def test_command_is_stored_once_when_server_or_socket_end_at_any_moment(
    site: Site, windows: Windows, notes: Callable[[], list[str]]
) -> None:
    page = await windows.open(session=site.sign_in(LISTENER), tolerated=[SERVERLESS])
    sockets: list[WebSocketRoute] = []

    def through(ours: WebSocketRoute) -> None:
        ours.connect_to_server()
        sockets.append(ours)

    await page.route_web_socket("**/live/**", through)
    await page.goto("/notes")
    await live(page)
    seed = random.randrange(1_000_000)  # noqa: S311 - not a secret
    chance = random.Random(seed)  # noqa: S311 - not a secret
    for number in range(MOMENTS):
        await page.get_by_label("Your note").fill(f"note {number}")
        await page.get_by_role("button", name="Leave it").click(no_wait_after=True)
        await page.evaluate(FRAMES, chance.randrange(8))
        if chance.random() < 1 / 2:
            await sockets[-1].close(code=1001)
        else:
            await asyncio.to_thread(site.server.kill)
            typed, stored = await page.evaluate(TYPED), await asyncio.to_thread(notes)
            assert typed == f"note {number}" or f"7: note {number}" in stored, f"neither, with seed {seed}"
            await asyncio.to_thread(site.server.start)
        await kept(page, f"note {number}")
    assert await asyncio.to_thread(notes) == [f"7: note {number}" for number in range(MOMENTS)], seed


async def test_draft_of_a_visitor_is_restored_after_the_sign_in(
    site: Site, windows: Windows, notes: Callable[[], list[str]]
) -> None:
    page = await windows.open("/notes")
    await stored(page, "Bravo")
    await expect(page).to_have_url(f"{site.server.address}/login?next=%2Fnotes")
    session = site.sign_in(LISTENER)
    await page.context.add_cookies([{"name": "session", "value": session, "url": site.server.address}])
    await page.goto("/notes")
    await live(page)
    await becomes(page, TYPED, "Bravo")
    await page.get_by_role("button", name="Leave it").click()
    await kept(page, "Bravo")
    assert await asyncio.to_thread(notes) == ["7: Bravo"]
