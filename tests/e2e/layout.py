"""What a page must not do: break a word or a date, scroll sideways, move what is in view, offer a small target."""

from playwright.async_api import Page

from tests.e2e.barriers import SIDEWAYS
from tests.e2e.windows import resize

WIDTHS = (360, 768, 1024, 1280)
# The words, numbers and dates on the page that stand on more than one line, or reach beyond their block.
BROKEN = """() => {
  const broken = [], range = document.createRange();
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { data, parentElement } = texts.currentNode;
    // An address of others may break, and so may what the error log keeps of programs.
    const free = ".visually-hidden, .order__label, script, option, textarea, a[rel~=ugc], .audit__text";
    if (parentElement.closest(free)) continue;
    for (const { 0: words, index } of data.matchAll(/\\d+\\s\\p{L}+\\s\\d{4}|[\\p{L}\\p{N}]+/gu)) {
      range.setStart(texts.currentNode, index);
      range.setEnd(texts.currentNode, index + words.length);
      const lines = new Set([...range.getClientRects()].filter(({ width }) => width).map(({ top }) => Math.round(top)));
      let block = parentElement;
      while (getComputedStyle(block).display.startsWith("inline") && block.parentElement) block = block.parentElement;
      const beyond = range.getBoundingClientRect().right > block.getBoundingClientRect().right + 1;
      if (lines.size > 1 || beyond) broken.push(words);
    }
  }
  return broken;
}"""


async def layout_faults(page: Page) -> str:
    """What is wrong with this page's lines at the widths of phones, tablets and desks; empty when nothing is."""
    found = []
    for width in WIDTHS:
        await resize(page, width, 800)
        if await page.evaluate(SIDEWAYS) > 0:
            found.append(f"{width}: scrolls sideways")
        if broken := await page.evaluate(BROKEN):
            found.append(f"{width}: broken within: {', '.join(broken)}")
    return "\n".join(found)


# Sums up, from the page's beginning on, how much of what is in view was moved: https://wicg.github.io/layout-instability
# Left out are the rows of a list whose newest come at its top: they alone may move (client/src/rendering/arrivals.js).
SHIFTS = """window.shifts = 0;
const isRow = ({ node }) => !!(node?.closest ? node : node?.parentElement)?.closest("[data-arrivals] > ol > li");
new PerformanceObserver((list) => {
  for (const { value, sources } of list.getEntries())
    if (!sources.length || !sources.every(isRow)) window.shifts += value;
}).observe({ type: "layout-shift", buffered: true });"""
# Entries come after the frame that moved something.
SHIFTED = """async () => {
  for (let frame = 0; frame < 4; frame += 1) await new Promise(requestAnimationFrame);
  await new Promise((resolve) => setTimeout(resolve));
  return window.shifts;
}"""
# What can be pressed and is smaller than 24 by 24 pixels (WCAG 2.2, 2.5.8): a link within a sentence may be, and so may
# what stands alone in a circle of that size.
SMALL = """() => {
  const SIZE = 24;
  const selector = "a[href], button, summary, select, textarea, input, [tabindex='0']";
  const seen = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: false });
  const box = (element) => {
    const label = element.matches("input[type=radio], input[type=checkbox]") && element.closest("label");
    return (label || element).getBoundingClientRect();
  };
  const isWithinWords = (element) => {
    if (getComputedStyle(element).display !== "inline") return false;
    const block = element.closest("p, li, dd, td, figcaption") || element.parentElement;
    return [...block.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
  };
  const targets = [...document.querySelectorAll(selector)].filter((element) =>
    seen(element) && !element.closest(".visually-hidden, .skip, [aria-hidden=true]")
    && getComputedStyle(element).pointerEvents !== "none");
  const boxes = targets.map((element) => ({ element, ...box(element).toJSON() })).filter(({ width }) => width > 1);
  const isSmall = ({ width, height }) => width < SIZE - 0.5 || height < SIZE - 0.5;
  const isCrowded = (one) => boxes.some((other) => {
    if (one.element.contains(other.element) || other.element.contains(one.element)) return false;
    const [x, y] = [one.left + one.width / 2, one.top + one.height / 2];
    const [dx, dy] = [Math.max(other.left - x, 0, x - other.right), Math.max(other.top - y, 0, y - other.bottom)];
    return Math.hypot(dx, dy) < SIZE / 2;
  });
  return boxes.filter((one) => isSmall(one) && !isWithinWords(one.element) && isCrowded(one))
    .map(({ element, width, height }) => `${element.outerHTML.slice(0, 90)} ${width} x ${height}`);
}"""


async def shifted(page: Page) -> float:
    """How much the page has moved so far; it needs the script SHIFTS from its beginning."""
    return float(await page.evaluate(SHIFTED))


async def small_targets(page: Page) -> list[str]:
    """What on this page is too small for a finger."""
    return list(await page.evaluate(SMALL))
