"""Two performances side by side, by keyboard, with players on loopback; and without names until both are marked."""

import json
import re

from playwright.async_api import Frame, Page, expect

from apps.competition.selectors.public.pieces import PiecePerformance, piece_performances, pieces_listed
from tests.e2e.conftest import Site
from tests.e2e.test_watch import COMMANDS
from tests.e2e.windows import Windows, becomes, player

MEMBER = "una_corda"


def recorded(site: Site) -> tuple[int, list[PiecePerformance]]:
    """Return a piece with two begun performances whose recordings have a second, and these two."""
    for listed in site.desk.do(pieces_listed):
        if listed.performances > 1:
            every = site.desk.do(piece_performances, piece_id=listed.piece.id)
            alone = [each for each in every if each.whole is None]
            found = [each for each in alone if each.appearance.has_begun and each.video_id and each.second]
            if len(found) > 1:
                return listed.piece.id, found[:2]
    raise AssertionError("the demo has no piece to compare")


def path(piece_id: int, sides: list[PiecePerformance], more: str = "") -> str:
    """Return the address of a comparison."""
    first, second = (each.appearance.id for each in sides)
    return f"/pieces/{piece_id}/compare?a={first}&b={second}{more}"


async def plays(frame: Frame, second: float) -> None:
    """Let the player say that it plays at this second."""
    message = json.dumps({"event": "infoDelivery", "info": {"currentTime": second, "playerState": 1}})
    await frame.evaluate("(text) => parent.postMessage(text, '*')", message)


async def sounding(page: Page, name: str) -> None:
    """Wait until the page says which one sounds."""
    await expect(page.get_by_role("status").filter(has_text=f"Now sounding: {name}")).to_have_count(1)


async def test_other_recording_continues_at_the_same_place_of_the_piece(site: Site, windows: Windows) -> None:
    piece_id, (one, other) = recorded(site)
    page = await windows.open(f"/pieces/{piece_id}")
    for each in (one, other):
        await page.get_by_label(f"Compare: {each.appearance.name}").first.check()
    await page.get_by_role("button", name="Compare").click()
    await expect(page.locator(".duo__sides > li")).to_have_count(2)
    await page.goto(path(piece_id, [one, other]))
    assert windows.videos == []
    await page.get_by_role("button", name=f"Play: {one.appearance.name}").press("Enter")
    first = await player(page.locator("#duo-0"))
    begin = [["seekTo", [one.second, True]], ["playVideo", []]]
    await becomes(first, COMMANDS, begin)
    await plays(first, one.second + 12)
    await sounding(page, one.appearance.name)
    await page.locator("h1").focus()
    await page.keyboard.press("Space")
    second = await player(page.locator("#duo-1"))
    await becomes(first, COMMANDS, [*begin, ["pauseVideo", []]])
    await sounding(page, other.appearance.name)
    await becomes(second, f"() => ({COMMANDS})().length", 2)
    commands = await second.evaluate(COMMANDS)
    assert 11.9 < commands[0][1][0] - other.second < 60, "the same place of the piece, and the time since"
    await page.get_by_role("button", name=f"A tenth of a second later: {other.appearance.name}").click()
    await expect(page).to_have_url(re.compile(r"offset=1$"))
    assert len(windows.videos) == 2


async def test_names_are_shown_after_the_second_mark(site: Site, windows: Windows) -> None:
    piece_id, sides = recorded(site)
    address = path(piece_id, sides, "&names=hidden")
    page = await windows.open(address, width=360, session=site.sign_in(MEMBER))
    headings = page.locator(".duo__sides h2")
    names = [each.appearance.name for each in sides]
    for field in await page.locator(".duo__sides input[type=range]").all():
        if await field.input_value() == "0":
            await field.press("ArrowRight")
    for name in names:
        await expect(headings.filter(has_text=name)).to_have_count(1)
