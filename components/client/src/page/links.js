// Which clicks are navigations inside this site.

import { isPlainClick } from "./page-events.js";

/** The link that this click follows to another page of ours, or null when the browser alone should follow it. */
export function internalLink(event, here) {
  if (!isPlainClick(event)) return null;
  const link = event.target.closest?.("a[href]");
  if (!link || link.origin !== location.origin || link.hasAttribute("download")) return null;
  if ((link.target && link.target !== "_self") || link.dataset.reload !== undefined || link.rel.includes("external")) return null;
  if (link.hash && link.pathname + link.search === here) return null; // a jump inside this page
  return link;
}
