"""Layout of the session page: touch targets, theater mode by keyboard, landscape phones, print."""

from playwright.async_api import Page, expect

from tests.e2e.accounts import LISTENER
from tests.e2e.conftest import Site
from tests.e2e.layout import small_targets
from tests.e2e.windows import Windows, becomes, live, resize

BOX = "(selector) => document.querySelector(selector).getBoundingClientRect().toJSON()"
TINY = """() => { for (let times = 2; times; times -= 1) {
  const button = document.querySelector("main").appendChild(document.createElement("button"));
  button.style.cssText = "all: unset; display: inline-block; inline-size: 9px; block-size: 9px";
} }"""
# Returns visible controls other than links; a printed page must have none.
PRESSABLE = """() => [...document.querySelectorAll("main :is(button, input, textarea, select, summary)")]
  .filter((element) => element.checkVisibility({ visibilityProperty: true }) && !element.closest(".five"))
  .map((element) => element.outerHTML.slice(0, 90))"""
HIDDEN_OF_STAGE = """() => {
  const { scrollHeight, clientHeight } = document.querySelector(".stand__stage");
  return scrollHeight - clientHeight;
}"""
THEATER = "() => document.documentElement.hasAttribute('data-theater')"


async def box(page: Page, selector: str) -> dict[str, float]:
    """Return the bounding box of the first match in the window."""
    return dict(await page.evaluate(BOX, selector))


async def test_every_target_is_large_enough_for_a_finger(site: Site, windows: Windows) -> None:
    page = await windows.open(width=360, has_touch=True, is_mobile=True, session=site.sign_in(LISTENER))
    session, person = f"/sessions/{site.appearances.live}", f"/participants/{site.appearances.participant}"
    for path in (f"{session}?open=all", f"{session}#comments", person, f"{person}?tab=ratings"):
        await page.goto("about:blank")
        await page.goto(path)
        await live(page)
        assert await small_targets(page) == [], path
    await page.evaluate(TINY)
    assert await small_targets(page)  # control: a small target is found


async def test_theater_mode_by_keyboard_keeps_the_focus(site: Site, windows: Windows) -> None:
    page = await windows.open(f"/sessions/{site.appearances.live}", session=site.sign_in(LISTENER))
    for height in (720, 800, 900):
        await resize(page, 1280, height)
        assert await page.evaluate(HIDDEN_OF_STAGE) == 0, height
    theater, seat = page.locator(".theater"), page.locator(".stand__seat")
    video = await page.wait_for_selector("#stage-video")
    small = await box(page, ".stand__seat")
    await expect(theater).to_have_text("Theater mode", use_inner_text=True)
    await theater.focus()
    await page.keyboard.press("Enter")
    await expect(theater).to_have_attribute("aria-pressed", "true")
    await expect(theater.locator(".theater__leave")).to_be_visible()
    await expect(theater).to_be_focused()
    assert (await box(page, ".stand__seat"))["width"] > small["width"]
    for height in (800, 900):
        await resize(page, 1280, height)
        await expect(seat).to_be_in_viewport(ratio=1)
    await page.keyboard.press("Escape")
    await becomes(page, THEATER, wanted=False)
    await expect(theater.locator(".theater__leave")).to_be_hidden()
    await expect(theater).to_be_focused()
    assert await box(page, ".stand__seat") == small
    assert await video.evaluate("(frame) => frame.isConnected")


# Returns the parts of the stage that are not wholly in the window: the video, the performer's name, the reactions and
# the distribution, and the state of the session.
OUTSIDE = """() => [".stand__state", ".stand__head h1", ".stand__seat .video", ".stand__said .person__name",
    "#reactions ul", ".stage__audience .keys", ".stage__audience .stage__scale"].filter((selector) => {
  const found = [...document.querySelectorAll(`.stand ${selector}`)].filter((element) => element.checkVisibility());
  return !found.length || found.some((element) => {
    const { top, right, bottom, left } = element.getBoundingClientRect();
    return top < 0 || left < 0 || right > innerWidth || bottom > innerHeight;
  });
})"""
LARGE, SIDEWAYS = ((1280, 800), (1600, 1000), (1920, 1080)), ((800, 360), (740, 360), (667, 375), (915, 412))


async def test_the_stage_fits_the_first_screen(site: Site, windows: Windows) -> None:
    desktop = await windows.open(f"/sessions/{site.appearances.live}")
    phone, reader = [
        await windows.open(
            f"/sessions/{site.appearances.live}", width=740, has_touch=True, is_mobile=True, session=session
        )
        for session in ("", site.sign_in(LISTENER))
    ]
    for page, sizes in ((desktop, LARGE), (phone, SIDEWAYS), (reader, SIDEWAYS)):
        for width, height in sizes:
            await resize(page, width, height)
            assert await page.evaluate("scrollY") == 0
            assert await page.evaluate(OUTSIDE) == [], f"{width} x {height}"
            video = await box(page, ".stand__seat .video")
            assert abs(video["width"] / video["height"] - 16 / 9) < 0.02
            assert video["height"] > height * 0.4
            assert page is not desktop or await page.evaluate(HIDDEN_OF_STAGE) == 0
    await resize(desktop, 1280, 500)
    assert await desktop.evaluate(OUTSIDE) != []  # control: a low window is too small


async def test_printed_session_has_marks_and_results_and_no_controls(site: Site, windows: Windows) -> None:
    page = await windows.open(f"/sessions/{site.appearances.live}?open=all")
    await resize(page, 1280, 800)
    assert await page.evaluate(HIDDEN_OF_STAGE) == 0
    await resize(page, 800, 900)
    await page.emulate_media(media="print")
    shown = page.locator(".rating .keys")
    await expect(shown.first).to_be_visible()
    await expect(page.locator(".rating .items__name .work").first).to_be_visible()
    await expect(page.locator(".rating .items__own").first).to_be_hidden()
    await expect(page.locator(".rating .marks__heard b").first).to_be_visible()
    await expect(page.locator(".order__means").first).to_be_visible()
    assert await page.evaluate(PRESSABLE) == []
