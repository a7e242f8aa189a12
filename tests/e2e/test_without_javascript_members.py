"""Pages of members without JavaScript: no invitation to sign in, and no control that needs a script."""

import pytest
from playwright.async_api import expect

from tests.e2e.accounts import ADMINISTRATOR, LISTENER
from tests.e2e.conftest import Site
from tests.e2e.places import BACKSTAGE, MISSING, SHARED, STATUS
from tests.e2e.scriptless import OFF
from tests.e2e.windows import ABSENT, Windows

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
# for its section, and in the margin of a header for what follows it; but no sentence with a time, which says it of it.
UNNAMED = """() => {
  const isNamed = (each) => each.textContent.replaceAll("\u00a0", " ").includes("in the hall");
  const notes = [...document.querySelectorAll("main .hang > :not(:has(time))")].filter(isNamed);
  const places = notes.map((note) => note.closest("section, header"))
    .flatMap((place) => (place.matches("header") ? [place, place.nextElementSibling] : [place]));
  return [...document.querySelectorAll("time")].filter((time) => /\\d:\\d\\d/.test(time.textContent))
    .filter((time) => !isNamed(time) && !places.some((place) => place.contains(time))).map((time) => time.textContent);
}"""
MEMBERS = ("/profile", "/profile?tab=ratings", "/community/report?thing=post%3A{community_post}")


@pytest.mark.parametrize(
    ("username", "patterns"),
    [(LISTENER, (*SHARED, *MISSING, *MEMBERS)), (ADMINISTRATOR, (*SHARED, *MISSING, *MEMBERS, *BACKSTAGE))],
)
async def test_no_page_speaks_to_a_member_as_to_a_visitor(
    username: str, patterns: tuple[str, ...], site: Site, windows: Windows
) -> None:
    page = await windows.open(session=site.sign_in(username), **OFF, tolerated=[ABSENT])
    found: dict[str, list[str]] = {}
    for pattern in patterns:
        answer = await page.goto(site.appearances.at(pattern))
        assert answer.status == STATUS.get(pattern, 200), pattern
        await expect(page.locator("h1")).to_be_visible()
        if faults := await page.evaluate(CONTRADICTIONS):
            found[pattern] = faults
        if unnamed := await page.evaluate(UNNAMED):
            found[pattern] = [*found.get(pattern, ()), *(f"{words}: not named" for words in unnamed)]
    assert found == {}
