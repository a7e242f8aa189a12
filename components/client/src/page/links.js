// Which clicks are navigations inside this site.

import { isPlainClick } from "./page-events.js";

/** The link that this click follows out of this page, in this window; null when there is none. */
export function leavingLink(event, here) {
  if (!isPlainClick(event)) return null;
  const link = event.target.closest?.("a[href]");
  if (!link || !link.protocol.startsWith("http") || link.hasAttribute("download") || (link.target && link.target !== "_self")) return null;
  if (link.hash && link.origin === location.origin && link.pathname + link.search === here) return null; // a jump inside this page
  return link;
}

/** The link that this click follows to another page of ours, or null when the browser alone should follow it. */
export function internalLink(event, here) {
  const link = leavingLink(event, here);
  return link?.origin === location.origin && link.dataset.reload === undefined && !link.rel.includes("external") ? link : null;
}
