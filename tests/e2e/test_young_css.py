"""Without what the oldest supported browsers lack (Safari 16.4, Chrome 111, Firefox 113), everything stays visible."""

import re
from collections.abc import Iterator

import pytest
from playwright.async_api import Page, Route

from project.config import ROOT
from tests.e2e.barriers import BRIEF, BRIEF_AXE, COMMON, INJECTED, report_of
from tests.e2e.conftest import Site
from tests.e2e.rating import RATER, unrated
from tests.e2e.windows import Windows

# All other functions and selectors of the style sheets are as old as these browsers, by MDN's compatibility tables.
FUNCTIONS = """attr calc clamp color-mix counter cubic-bezier drop-shadow ellipse env fit-content inset is layer
linear-gradient max min minmax not nth-child radial-gradient repeat repeating-linear-gradient saturate selector steps
var where""".split()
SELECTORS = """-moz-progress-bar -moz-range-thumb -webkit-details-marker -webkit-progress-bar -webkit-progress-value
-webkit-slider-thumb after backdrop before placeholder selection active checked disabled empty first-child first-letter
first-of-type focus focus-visible focus-within hover indeterminate is last-child last-of-type marker not nth-child
root where""".split()
# What browsers lack, each browser other words: the oldest of Apple and Google, and that of Mozilla.
BROWSERS = {
    "Safari 16.4, Chrome 111": ("light-dark(", ":user-invalid", "::details-content"),
    "Firefox 113": ("light-dark(", ":has(", "::details-content"),
}
YOUNG = {word for words in BROWSERS.values() for word in words}
PLACES = ("/", "/signin")  # and a page with the rating form
# Lists the fields, keys and main buttons of the page whose edge or surface does not stand out from what is behind it.
FAINT = """() => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = "#0000";
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const light = (colour) => {
    const linear = (one) => one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4;
    const [r, g, b] = rgba(colour).map((one) => linear(one / 255));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (one, other) => {
    const [darker, lighter] = [light(one), light(other)].sort((a, b) => a - b);
    return (lighter + 0.05) / (darker + 0.05);
  };
  const behind = (element) => {
    for (let at = element.parentElement; at; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      if (rgba(colour)[3] === 255) return colour;
    }
    return "transparent";
  };
  const found = [...document.querySelectorAll(".field :is(input, textarea, select), .keys, .button--main")]
    .filter((one) => one.checkVisibility() && !one.matches(":disabled"));
  return found.filter((one) => {
    const style = getComputedStyle(one), back = behind(one);
    if (rgba(back)[3] < 255) return true;
    const opaque = [style.borderTopColor, style.backgroundColor].filter((colour) => rgba(colour)[3] === 255);
    return !opaque.some((colour) => contrast(colour, back) >= 3);
  }).map((one) => one.className || one.name).concat(found.length ? [] : ["nothing"]);
}"""


def sources() -> str:
    """Return all style sheets without comments."""
    files = sorted((ROOT / "components/static/css").rglob("*.css"))
    return re.sub(r"/\*.*?\*/", "", "\n".join(path.read_text(encoding="utf-8") for path in files), flags=re.DOTALL)


async def test_no_other_function_or_selector_is_younger_than_the_oldest_browsers() -> None:
    css = sources()
    functions = set(re.findall(r"(?<![\w-])[a-z-]+(?=\()", css)) - set(FUNCTIONS)
    selectors = set(re.findall(r"(?<=:)[a-z-]+(?=[\s,{:>.\[()+~])", css)) - {*SELECTORS, *FUNCTIONS}
    young = {re.sub(r"[:(]", "", word) for word in YOUNG}
    properties = set(re.findall(r"[{;]\s*[a-z-]+:([a-z-]+)", css))
    assert functions | (selectors - properties) == young


@pytest.fixture
def address(site: Site) -> Iterator[str]:
    """Yield a participant's page; the rater has an account and no ratings."""
    yield from unrated(site)


async def lacking(page: Page, words: tuple[str, ...]) -> None:
    """Let the page's style sheets have unknown names in place of these functions and selectors."""

    async def answer(route: Route) -> None:
        response = await route.fetch()
        text = await response.text()
        for word in words:
            text = text.replace(word, re.sub(r"[a-z]+", "unknown", word, count=1))
        await route.fulfill(response=response, body=text)

    await page.route("**/*.css", answer)


@pytest.mark.parametrize("words", BROWSERS.values(), ids=BROWSERS)
async def test_text_fields_buttons_and_keys_stay_visible_in_an_old_browser(
    site: Site, windows: Windows, address: str, words: tuple[str, ...]
) -> None:
    page = await windows.open(width=360, session=site.sign_in(RATER))
    await lacking(page, words)
    rules = {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}} | COMMON
    faults = []
    for place in (*PLACES, address):
        await page.goto(place)
        for scheme, axe in (("light", BRIEF_AXE), ("dark", INJECTED)):
            await page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            if (await axe.run(page, None, rules | BRIEF)).violations_count:
                faults.append(f"{place} {scheme}: {await report_of(page, None, rules)}")
            if place != "/":
                faults += [f"{place} {scheme}: {name}" for name in await page.evaluate(FAINT)]
    assert not faults, "\n".join(faults)
