// Where the reader is: kept with each history entry, restored with it.

const PAUSE = 150; // milliseconds after the last scroll event

export const position = () => [scrollX, scrollY];
export const savedPosition = () => history.state?.scroll;

export function remember(scroll = position()) {
  history.replaceState({ ...history.state, scroll }, "");
}

/** Keep the present entry's position current, except while `isMoving()`. */
export function followScrolling(isMoving) {
  let timer = 0;
  history.scrollRestoration = "manual";
  addEventListener("pagehide", () => {
    remember();
    history.scrollRestoration = "auto";
  });
  addEventListener("pageshow", () => { history.scrollRestoration = "manual"; });
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
