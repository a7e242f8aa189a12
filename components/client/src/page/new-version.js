// The site is newer than this page, which is loaded anew in its own time: when its turn has come and nobody loses
// anything by it. Until then it is served as ever, and a followed link is an ordinary page load.

import { isTouched } from "./queries.js";
import { mayReload } from "../connection/backoff.js";
import { pageLoad } from "./page-loads.js";

const SPREAD = 60000; // milliseconds over which the windows of a whole house come
const AGAIN = 5000; // milliseconds until the next look
const FIELDS = "input, textarea, select";
const KEPT = "[data-draft]:not([data-guard]), [data-navigate]"; // what is typed there is there again
const IN_USE = "iframe, dialog[open], [aria-busy=true]"; // a player, a question, something on its way

const isTyped = () => [...document.querySelectorAll(FIELDS)].some((field) => isTouched(field) && !field.closest(KEPT));
const isInUse = () => document.querySelector(IN_USE) || (!document.hidden && document.activeElement.matches(FIELDS));

/** A page that is refused shows nothing new any more: it waits for what would be lost only. */
export function loadLater(connection, spread = SPREAD) {
  const look = () => {
    const { live, detour, isCut, isRefused } = connection;
    if (!isCut && (live || detour ? !isInUse() : isRefused) && !isTyped() && mayReload()) pageLoad.again();
    else setTimeout(look, AGAIN);
  };
  setTimeout(look, Math.random() * spread);
}
