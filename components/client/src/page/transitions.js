// A change that may be shown as a movement instead of a jump.

import { flushSync } from "react-dom";

const PATIENCE = 250; // milliseconds that a busy machine may take to picture what stood there before

const prefersNoMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Make `change` inside a view transition, or at once where nobody could or wants to see it move. */
export function withTransition(change) {
  if (!document.startViewTransition || document.visibilityState === "hidden" || prefersNoMotion()) return change();
  const transition = document.startViewTransition(() => {
    clearTimeout(late);
    flushSync(change);
  });
  const late = setTimeout(() => transition.skipTransition(), PATIENCE); // the change itself must not wait for beauty
  const ignore = () => {}; // by the next one; the change itself is made all the same
  transition.ready.catch(ignore);
  transition.finished.catch(ignore);
}
