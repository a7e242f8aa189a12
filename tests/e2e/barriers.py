"""Accessibility checks of a page: axe on a light desktop and a dark phone, and the Nu HTML checker."""

import asyncio
from typing import Any

from axe_playwright_python.async_playwright import Axe
from axe_playwright_python.base import AXE_SCRIPT
from playwright.async_api import Page

from tests.e2e.windows import resize
from tests.html_checker import html_faults

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
# On the dark phone, axe repeats only the rules that depend on colours or on the width.
REPEATED = ["color-contrast", "link-in-text-block", "scrollable-region-focusable", "target-size"]
# axe skips frames, because the player's document belongs to another site.
# Of what axe may fetch beforehand, only media matter: no rule of RULES reads style sheets.
COMMON = {"resultTypes": ["violations"], "iframes": False, "preload": {"assets": ["media"]}}
OPTIONS: dict[str, dict[str, Any]] = {
    "light": COMMON | {"runOnly": {"type": "tag", "values": RULES}},
    "dark": COMMON | {"runOnly": {"type": "rule", "values": REPEATED}},
}
TARGET = "target-size"
# Shows or hides the messages that end by themselves.
MESSAGES = """(visibility) => {
  for (const { style } of document.querySelectorAll(".toasts")) style.visibility = visibility;
}"""
SIZES = ((1280, 900), (360, 740))  # of the light desktop and of the dark phone
# Only the report of a violation needs the markup and selectors of elements: without them axe takes a quarter less time.
BRIEF = {"reporter": "no-passes", "selectors": False}
# Most of axe's time goes into the contrast of texts that look the same, such as the rows of a list. Of texts whose
# elements have the same names, classes and colors up to the root, it compares ALIKE with what is behind them.
ALIKE = 3
COMPARE_SOME = """const rule = axe._audit.rules.find(({ id }) => id === "color-contrast"), { matches } = rule;
let looks = new Map(), ids = new Map(), counts = new Map();
const look = (element) => {
  if (!element) return 0;
  if (!looks.has(element)) {
    const { color, backgroundColor, backgroundImage, opacity, fontSize, fontWeight, position, filter } =
      getComputedStyle(element);
    const key = [look(element.parentElement), element.localName, element.getAttribute("class"), color, backgroundColor,
      backgroundImage, opacity, fontSize, fontWeight, position, filter].join("|");
    if (!ids.has(key)) ids.set(key, ids.size + 1);
    looks.set(element, ids.get(key));
  }
  return looks.get(element);
};
rule.matches = (node, ...others) => {
  const texts = [...node.childNodes].filter(({ nodeType, data }) => nodeType === 3 && data.trim());
  if (!texts.length && !node.matches("input, select, textarea")) return false; // as axe finds out later
  const key = `${look(node)} ${texts.some(({ data }) => data.trim().length > 1)}`, count = counts.get(key) || 0;
  if (count >= COUNT || !matches(node, ...others)) return false;
  counts.set(key, count + 1);
  return true;
};
const { run } = axe;
axe.run = (...given) => {
  looks = new Map();
  ids = new Map();
  counts = new Map();
  return run(...given);
};"""
BRIEF_AXE = Axe(f"{AXE_SCRIPT}; axe.configure({{ noHtml: true }}); ((COUNT) => {{ {COMPARE_SOME} }})({ALIKE})")
INJECTED = Axe("0")  # for a page that has BRIEF_AXE already
SIDEWAYS = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


async def barriers(page: Page, part: str | None = None) -> str:
    """Return the findings of axe and the Nu HTML checker and any sideways scrolling, or an empty string.

    With `part`, a selector, axe checks only this part of the page. The window stays as wide as a phone, and dark.
    """
    await page.wait_for_load_state()  # axe needs the style sheet
    faults = await asyncio.to_thread(html_faults, await page.content())
    return "\n".join(filter(None, [faults, await axe_faults(page, part)]))


async def axe_faults(page: Page, part: str | None = None) -> str:
    """Return the findings of axe and any sideways scrolling, as `barriers` does."""
    findings = []
    axe = BRIEF_AXE
    for (width, height), (scheme, options) in zip(SIZES, OPTIONS.items(), strict=True):
        await resize(page, width, height)
        await page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # type: ignore[arg-type]
        if await page.evaluate(SIDEWAYS) > 0:
            findings.append(f"{width}: scrolls sideways")
        if (await axe.run(page, part, options | BRIEF)).violations_count:
            if report := await report_of(page, part, options):
                findings.append(f"{width} {scheme}: {report}")
            axe = BRIEF_AXE  # the report has replaced it
        else:
            axe = INJECTED
    return "\n".join(findings)


async def report_of(page: Page, part: str | None, options: dict[str, Any]) -> str:
    """Return what axe finds, with the elements.

    A bar that stays in the window, such as the cue bar, covers a part of a target at some place of the page, and fonts
    decide which target. So axe measures small targets again in a window as high as the page, where none is covered,
    without the messages that end by themselves.
    """
    found = await Axe().run(page, part, options)
    others = [violation for violation in found.response["violations"] if violation["id"] != TARGET]
    if len(others) < found.violations_count:
        width, height = await page.evaluate("() => [innerWidth, innerHeight]")
        await resize(page, width, await page.evaluate("() => document.documentElement.scrollHeight"))
        await page.evaluate(MESSAGES, "hidden")
        high = await INJECTED.run(page, part, options | {"runOnly": {"type": "rule", "values": [TARGET]}})
        await page.evaluate(MESSAGES, "")
        await resize(page, width, height)
        found.response["violations"] = others + high.response["violations"]
    return found.generate_report() if found.violations_count else ""
