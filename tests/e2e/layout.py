"""Layout checks of a page: broken words and dates, sideways scrolling, sizes of type, layout shift, small targets."""

from playwright.async_api import Page

from tests.e2e.barriers import SIDEWAYS
from tests.e2e.fonts import FONTS, WIDE, font_use
from tests.e2e.windows import resize
from tests.screens import MOST_SIZES

PHONE = 360  # pixels
WINDOWS = ((PHONE, 740), (768, 800), (1024, 800), (1280, 900))
# Returns the words, numbers and dates that break across lines or overflow their block.
BROKEN = """() => {
  const broken = [], range = document.createRange();
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { data, parentElement } = texts.currentNode;
    // An address of others may break, and so may an address to copy and what the error log keeps.
    const free = ".visually-hidden, .order__label, .sign > span, script, option, textarea, a[rel~=ugc], .audit__text, "
      + "code";
    if (parentElement.closest(free) || !parentElement.checkVisibility()) continue; // such as in closed details
    for (const { 0: words, index } of data.matchAll(/(?<!\\d)\\d{1,2}\\s\\p{L}+\\s\\d{4}|[\\p{L}\\p{N}]+/gu)) {
      range.setStart(texts.currentNode, index);
      range.setEnd(texts.currentNode, index + words.length);
      const lines = new Set([...range.getClientRects()].filter(({ width }) => width).map(({ top }) => Math.round(top)));
      let block = parentElement;
      while (getComputedStyle(block).display.startsWith("inline") && block.parentElement) block = block.parentElement;
      // A biography, what a post is about, and a piece's other names on a phone, that end in dots are cut at their box.
      const { overflowX, textOverflow } = getComputedStyle(block);
      const mayBeCut = block.matches(".cards__bio, .post .says__by > .small, .catalogue__name > .muted");
      const isCut = mayBeCut && overflowX === "hidden" && textOverflow === "ellipsis";
      const beyond = !isCut && range.getBoundingClientRect().right > block.getBoundingClientRect().right + 1;
      if (lines.size > 1 || beyond) broken.push(words);
    }
  }
  return broken;
}"""

# Returns the sizes of all visible text, of fields, and of generated content.
TYPE_SIZES = """() => {
  const sizes = {}, range = document.createRange();
  const add = (element, style, text) => (sizes[parseFloat(style.fontSize).toFixed(1)] ??= new Set()).add(
    (element.getAttribute("class") || element.tagName) + " " + text.trim().slice(0, 20));
  const seen = (element) =>
    element.checkVisibility({ visibilityProperty: true }) && !element.closest(".visually-hidden");
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { data, parentElement } = texts.currentNode;
    if (!data.trim() || parentElement.closest("script, style, noscript, option") || !seen(parentElement)) continue;
    range.selectNodeContents(texts.currentNode);
    const { width, height } = range.getBoundingClientRect();
    if (width > 1 && height > 1) add(parentElement, getComputedStyle(parentElement), data);
  }
  for (const element of document.querySelectorAll("main *, header *, footer *")) {
    if (!seen(element)) continue;
    if (element.matches("input:not([type=hidden], [type=radio], [type=checkbox], [type=range]), select, textarea"))
      add(element, getComputedStyle(element), "");
    for (const which of ["::before", "::after"]) {
      const style = getComputedStyle(element, which), text = style.content.replace(/^"|"$/g, "");
      if (style.content.startsWith('"') && text.trim() && style.display !== "none") add(element, style, which + text);
    }
  }
  return Object.entries(sizes).map(([size, examples]) => `${size} (${[...examples].slice(0, 3).join("; ")})`).sort();
}"""


async def type_faults(page: Page) -> list[str]:
    """Return the sizes of type on this page with examples if there are more than MOST_SIZES, else an empty list."""
    sizes: list[str] = await page.evaluate(TYPE_SIZES)
    return sizes if len(sizes) > MOST_SIZES else []


# Returns for each font whether the page scrolls sideways and what is broken, and then the sizes of type: one answer,
# because the way to the page and back takes longer than the measurement.
MEASURES = f"""(fonts) => [fonts.map((font) => {{
  document.documentElement.style.setProperty("--sans", `'${{font}}'`);
  return [font, ({SIDEWAYS})() > 0, ({BROKEN})()];
}}), ({TYPE_SIZES})()]"""


async def layout_faults(page: Page) -> str:
    """Return the faults of lines and type of this page at phone, tablet and desktop widths, or an empty string.

    Each width is checked with a wide font, in which words break first, and the smallest with a narrow one, too. The
    window is that of a desktop afterwards.
    """
    found = []
    for width, height in WINDOWS:
        await resize(page, width, height)
        lines, sizes = await page.evaluate(MEASURES, FONTS if width == PHONE else (WIDE,))
        for font, is_sideways, broken in lines:
            if is_sideways:
                found.append(f"{width}, {font}: scrolls sideways")
            if broken:
                found.append(f"{width}, {font}: broken within: {', '.join(broken)}")
        if len(sizes) > MOST_SIZES:
            found.append(f"{width}: {len(sizes)} sizes of type: {', '.join(sizes)}")
    return "\n".join(found)


# Sums the layout shift since the page's start: https://wicg.github.io/layout-instability
# It ignores rows of lists that insert new rows at the top (client/src/rendering/arrivals.js): only they may move.
SHIFTS = """window.shifts = 0;
const isRow = ({ node }) => !!(node?.closest ? node : node?.parentElement)?.closest("[data-arrivals] > ol > li");
new PerformanceObserver((list) => {
  for (const { value, sources } of list.getEntries())
    if (!sources.length || !sources.every(isRow)) window.shifts += value;
}).observe({ type: "layout-shift", buffered: true });"""
# A layout-shift entry arrives after its frame, so wait a few frames.
SHIFTED = """async () => {
  for (let frame = 0; frame < 4; frame += 1) await new Promise(requestAnimationFrame);
  await new Promise((resolve) => setTimeout(resolve));
  return window.shifts;
}"""
# Returns controls smaller than 24 by 24 pixels (WCAG 2.2, 2.5.8). Allowed are links within a sentence, and controls
# without a neighbour inside a circle of that size.
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
    """Return the layout shift so far; the page must load with the script SHIFTS."""
    return float(await page.evaluate(SHIFTED))


async def small_targets(page: Page) -> list[str]:
    """Return this page's controls that are too small for a finger, in a narrow or a wide font."""
    found: list[str] = []
    for font in FONTS:
        await font_use(page, font)
        found += [f"{font}: {target}" for target in await page.evaluate(SMALL)]
    return found
