"""Every page without JavaScript, on a phone: it can be read, waits for no script, and makes no phone zoom in."""

import pytest
from playwright.async_api import Page

from tests.e2e.accounts import ADMINISTRATOR, LISTENER
from tests.e2e.conftest import Site
from tests.e2e.places import BACKSTAGE, MISSING, PLAIN, SHARED, STATUS, VARIANTS
from tests.e2e.scriptless import OFF
from tests.e2e.windows import ABSENT, Windows, resize

SMALLEST = 16  # pixels: iOS zooms into a field with a smaller text
SMALL_FIELDS = f"""() => [...document.querySelectorAll("input, select, textarea")]
    .filter((field) => parseFloat(getComputedStyle(field).fontSize) < {SMALLEST})
    .map((field) => field.outerHTML.slice(0, 90))"""
COARSE = "() => matchMedia('(pointer: coarse)').matches"
READABLE = """() => document.querySelector("h1")?.checkVisibility() &&
  !!document.querySelector("main")?.innerText.trim()"""
# Returns the visible controls that have no effect without a script.
DEAD = """() => [...document.querySelectorAll("button:not([aria-disabled]), input, select, textarea")]
  .filter((each) => each.checkVisibility() && (each.type === "button" || !each.form
    || !(each.tagName === "BUTTON" || each.name)))
  .map((each) => each.outerHTML)"""
# Returns invitations to sign in, and buttons that neither submit a form nor open details.
CONTRADICTIONS = """() => {
  const seen = (element) => element.checkVisibility({ visibilityProperty: true });
  const words = (element) => element.textContent.trim() || element.outerHTML.slice(0, 90);
  for (const details of document.querySelectorAll("details")) details.open = true;
  const invites = "a[href^='/login'], a[href^='/register'], form[action^='/login']";
  const found = [...document.querySelectorAll(invites)].map((one) => [one, "asks a member to sign in"]);
  for (const one of document.querySelectorAll("button"))
    if ((one.type === "button" || !one.form) && one.ariaDisabled !== "true") found.push([one, "needs a script"]);
  return found.filter(([one]) => seen(one)).map(([one, fault]) => `${words(one)}: ${fault}`);
}"""
# Returns times without their time zone: without scripts they are the venue's times. A sentence in the margin may say it
# for its section (on the schedule: above the list), and in the margin of a header for what follows it; but no sentence
# with a time, which says it of it and of the other times in it.
UNNAMED_TIMES = """() => {
  const isNamed = (each) => each.textContent.replaceAll("\u00a0", " ").includes("in the hall");
  const notes = [...document.querySelectorAll("main .hang > :not(:has(time)), .schedule > p")].filter(isNamed);
  const places = notes.map((note) => note.closest("section, header"))
    .flatMap((place) => (place.matches("header") ? [place, place.nextElementSibling] : [place]));
  return [...document.querySelectorAll("time")].filter((time) => /\\d:\\d\\d/.test(time.textContent))
    .filter((time) => !isNamed(time.closest("p") || time) && !places.some((place) => place.contains(time)))
    .map((time) => `${time.textContent}: without its time zone`);
}"""
# Pages for visitors only, and public pages that offer visitors something else than members.
OF_VISITORS = ("/", "/participants/{participant}", "/sessions/{live}", "/community", *PLAIN)
OF_LISTENERS = (*SHARED, *MISSING, "/profile", "/profile?tab=ratings")
# Public pages with buttons for administrators, and the pages of administration.
WITH_BUTTONS = ("/community", "/community?post={community_post}", "/sessions/{live}", "/sessions/{past}")
OF_ADMINISTRATORS = (*WITH_BUTTONS, *BACKSTAGE)
DESKTOP = (1280, 900)
PHONE = {"width": 360, "has_touch": True, "is_mobile": True, "tolerated": [ABSENT], **OFF}


@pytest.mark.parametrize(
    ("username", "patterns"),
    [("", OF_VISITORS), (LISTENER, OF_LISTENERS), (ADMINISTRATOR, OF_ADMINISTRATORS)],
    ids=["visitor", "listener", "administrator"],
)
async def test_page_needs_no_script_on_a_phone(
    username: str, patterns: tuple[str, ...], site: Site, windows: Windows
) -> None:
    page = await windows.open(session=site.sign_in(username) if username else "", **PHONE)
    faults: dict[str, list[str]] = {}
    for pattern in patterns:
        if pattern in VARIANTS:
            continue
        await page.set_viewport_size({"width": PHONE["width"], "height": 740})
        answer = await page.goto(site.appearances.at(pattern))
        found = await page_faults(page, is_member=bool(username), is_backstage=pattern in BACKSTAGE)
        if answer.status != STATUS.get(pattern, 200):
            found.append(f"status {answer.status}")
        if found:
            faults[pattern] = found
    assert faults == {}
    assert await page.evaluate(COARSE), "the window has the style sheets of a phone"


async def page_faults(page: Page, *, is_member: bool, is_backstage: bool) -> list[str]:
    """Return what this page lacks without scripts: fields as on a phone, everything else as on a desktop."""
    small = await page.evaluate(SMALL_FIELDS)
    await resize(page, *DESKTOP)
    checks = [DEAD] * is_backstage + [CONTRADICTIONS, UNNAMED_TIMES] * is_member
    is_readable, faults = await page.evaluate(f"() => [({READABLE})(), [{', '.join(checks)}].flatMap((one) => one())]")
    return small + faults + ([] if is_readable else ["no visible heading, or an empty page"])
