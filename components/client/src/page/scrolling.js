// Where the reader is: kept with each history entry, restored with it.

const PAUSE = 150; // milliseconds after the last scroll event

export const position = () => [scrollX, scrollY];
export const savedPosition = () => history.state?.scroll;

/** Give the present entry another address or state; browsers refuse the hundredth within seconds, which does no harm. */
export function replaceEntry(address, state = history.state) {
  try { history.replaceState(state, "", address); } catch { /* the next one may be taken */ }
}

export const remember = (scroll = position()) => replaceEntry("", { ...history.state, scroll });

function restoreScrolling(how) {
  try { history.scrollRestoration = how; } catch { /* it stays the browser's */ }
}

/** Keep the present entry's position current, except while `isMoving()`. */
export function followScrolling(isMoving) {
  let timer = 0;
  restoreScrolling("manual");
  addEventListener("pagehide", () => {
    remember();
    restoreScrolling("auto");
  });
  addEventListener("pageshow", () => restoreScrolling("manual"));
  addEventListener("scroll", () => {
    clearTimeout(timer);
    timer = setTimeout(() => isMoving() || remember(), PAUSE);
  }, { passive: true });
}

export function toAnchorOrTop(hash) {
  const anchor = hash && document.getElementById(decodeURIComponent(hash.slice(1)));
  if (anchor) anchor.scrollIntoView();
  else scrollTo(0, 0);
}

/** Keyboard and screen reader go on at the new page's heading. */
export function focusHeading() {
  const heading = document.querySelector("main h1, h1");
  if (!heading) return;
  if (!heading.hasAttribute("tabindex")) heading.setAttribute("tabindex", "-1");
  heading.focus({ preventScroll: true });
}
