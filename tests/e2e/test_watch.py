"""The video player: it plays the requested video, and seeks in the same video without a reload."""

import re
import time
from typing import Any

from playwright.async_api import Locator, Page, expect

from apps.competition.selectors.public.participants import ProgramLine, SessionDetail
from apps.competition.selectors.public.sessions import session_appearances_with_programs, session_get
from tests.e2e.conftest import Site
from tests.e2e.fake_player import PLAYER
from tests.e2e.windows import PATIENCE, Windows, becomes, opened, player

# Returns the player's commands without the subscription to errors, which follows every `onReady`.
COMMANDS = """() => window.heard.filter(({ event, func }) => event === "command" && func !== "addEventListener")
  .map(({ func, args }) => [func, args])"""


def recorded(site: Site) -> tuple[SessionDetail, list[list[ProgramLine]]]:
    """Return the session with a recording and its programs in order."""
    session = site.desk.do(session_get, session_id=site.appearances.past)
    assert session is not None
    return session, [
        list(appearance.program)
        for appearance in site.desk.do(session_appearances_with_programs, session_id=session.id)
    ]


def first(programs: list[list[ProgramLine]], video_id: str, *, same: bool) -> tuple[int, ProgramLine]:
    """Return the first program line, with its row's index, of this video (`same`) or of another one."""
    return next(
        (index, line)
        for index, program in enumerate(programs)
        for line in program
        if line.second and line.video_id and (line.video_id == video_id) is same
    )


async def watch(page: Page, found: tuple[int, ProgramLine]) -> None:
    """Open the row, move the pointer to its Watch link, and click it."""
    index, line = found
    row = page.locator(".order > li").nth(index)
    await opened(row)
    link = row.locator(f'a.watch[data-argument$=":{line.id}"]')
    await reached(link)
    await link.click()


async def reached(link: Locator) -> None:
    """Move the pointer to this link and retry until the link has the hover state.

    The player runs in a separate process. After a scroll, Chromium sends pointer events to the player until the next
    frame is painted.
    """
    until = time.monotonic() + PATIENCE / 1000
    await link.hover()
    while not await link.evaluate("(link) => link.matches(':hover')"):
        assert time.monotonic() < until, "the pointer does not reach the link"
        await link.hover()


def play_commands(second: int) -> list[list[Any]]:
    """Return the commands that make the player play from this second."""
    return [["seekTo", [second, True]], ["playVideo", []]]


async def test_recording_and_live_session_load_the_player_when_asked(site: Site, windows: Windows) -> None:
    session, programs = recorded(site)
    page = await windows.open(f"/sessions/{session.id}")
    await expect(page.locator(".stage__under")).to_have_text("Recording Available")
    assert windows.videos == []
    async with page.expect_request(f"{PLAYER}/embed/**"):
        await page.get_by_role("link", name=f"Play the video: {session.title}").click()
    frame = page.locator("#stage-video")
    await expect(frame).to_have_attribute("src", re.compile(rf"^{PLAYER}/embed/{session.youtube_id}\?.*autoplay=1"))
    await expect(page).to_have_url(re.compile(r"\?watch=session"))
    assert len(windows.videos) == 1

    _, line = first(programs, session.youtube_id, same=True)
    await page.goto(f"/participants/{site.appearances.participant}")
    await page.goto(f"/sessions/{session.id}?watch={line.id}#stage-video")  # the address of a line
    await expect(frame).to_have_attribute("src", re.compile(rf"[?&]start={line.second}(&|$)"))

    await page.goto(f"/sessions/{site.appearances.live}")
    source = await frame.get_attribute("src")
    assert {"autoplay=1", "enablejsapi=1"} <= set(source.partition("?")[2].split("&"))
    await expect(page.locator(".stage__under")).to_be_hidden()


async def test_watch_seeks_in_a_loaded_video_and_loads_another(site: Site, windows: Windows) -> None:
    session, programs = recorded(site)
    page = await windows.open(f"/sessions/{session.id}")
    index, line = first(programs, session.youtube_id, same=True)
    later = next(entry for entry in programs[index] if (entry.second or 0) > (line.second or 0))
    async with page.expect_request(f"{PLAYER}/embed/**"):
        await watch(page, (index, line))  # the drawn stage becomes the player
    stage = page.locator("#stage-video")
    await expect(stage).to_have_attribute("src", re.compile(rf"[?&]start={line.second}(&|$)"))
    assert len(windows.videos) == 1

    video = await page.wait_for_selector("#stage-video")
    frame = await player(stage)
    play_line, play_later = play_commands(line.second or 0), play_commands(later.second or 0)
    await becomes(frame, COMMANDS, play_line)
    await watch(page, (index, later))
    await becomes(frame, COMMANDS, play_line + play_later)
    await expect(page).to_have_url(re.compile(rf"\?watch={later.id}$"))
    await watch(page, (index, line))
    await becomes(frame, COMMANDS, play_line + play_later + play_line)
    assert await video.evaluate("(one) => one.isConnected")
    assert len(windows.videos) == 1

    other = first(programs, session.youtube_id, same=False)
    source = re.compile(rf"/embed/{other[1].video_id}\?.*start={other[1].second}(&|$)")
    async with page.expect_request(source):
        await watch(page, other)
    await expect(stage).to_have_attribute("src", source)
    assert len(windows.videos) == 2
    async with page.expect_request(re.compile(f"/embed/{session.youtube_id}")):
        await watch(page, (index, line))
    await expect(stage).to_have_attribute("src", re.compile(f"/embed/{session.youtube_id}"))
    assert len(windows.videos) == 3
