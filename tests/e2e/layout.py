"""What a page's lines must not do at any width: break a word or a date within, or make the page scroll sideways."""

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
    const free = ".visually-hidden, script, option, textarea, a[rel~=ugc]"; // an address that somebody wrote may break
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
