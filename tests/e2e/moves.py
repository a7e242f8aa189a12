"""What a live change moves in a window: the positions of the field in use and of everything else in view."""

from dataclasses import dataclass

from playwright.async_api import Page

from tests.e2e.layout import shifted

MOST = 0.01  # layout shift of a live change
# Remembers where everything in view is, and the focused field.
HOLD = """() => {
  const isShown = (element) => element.checkVisibility({ visibilityProperty: true });
  window.held = new Map();
  const all = ":is(main, header) :is(h1, h2, h3, p, a, li, input, textarea, button)";
  for (const each of document.querySelectorAll(all)) {
    const { top, bottom, width, height } = each.getBoundingClientRect();
    const isInView = height > 1 && width > 1 && bottom > 0 && top < innerHeight;
    if (isInView && isShown(each) && !each.closest(".visually-hidden")) window.held.set(each, top);
  }
}"""
# Returns what has moved since then, with the pixels. An element whose text is another by now is not the same one.
MOVED = """() => [...window.held].filter(([each]) => each.isConnected && each.getBoundingClientRect().height)
  .map(([each, top]) => [Math.round(each.getBoundingClientRect().top - top), each])
  .filter(([by]) => Math.abs(by) > 1)
  .map(([by, each]) => `${by}px: ${each.localName}.${each.className} ${each.textContent.trim().slice(0, 40)}`)"""
# Returns the live line if it covers the focused field, key or button.
COVERED = """() => {
  const { left, top, width, height } = document.activeElement.getBoundingClientRect();
  const shown = document.elementFromPoint(left + width / 2, Math.min(top + height / 2, innerHeight - 1));
  return shown?.closest(".stand__bring")?.textContent ?? "";
}"""


@dataclass(slots=True)
class Held:
    """A window before a live change; it loads with the script `layout.SHIFTS`."""

    page: Page
    shift: float

    async def faults(self) -> list[str]:
        """Return what has moved or been covered since."""
        found: list[str] = await self.page.evaluate(MOVED)
        if (shift := await shifted(self.page) - self.shift) > MOST:
            found.append(f"layout shift {shift:.3f}")
        if covered := await self.page.evaluate(COVERED):
            found.append(f"the field in use is covered by {covered!r}")
        return found


async def hold(page: Page) -> Held:
    """Remember what is in view."""
    shift = await shifted(page)
    await page.evaluate(HOLD)
    return Held(page, shift)
