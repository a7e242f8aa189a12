// Page loads, and the reload for a new version of the site. An outdated page waits for its random turn and until a reload
// loses no input. Until then the server still serves it, and a followed link is an ordinary page load.

import { isTouched } from "./fields.js";

/** Both ways to load another document; tests replace them. */
export const pageLoad = {
  to(address) { location.assign(address); },
  again() { location.reload(); },
};

/** Whether to reload for a new version: at most once in half a minute, so that a fault causes no reload loop. */
function mayReload() {
  try {
    const last = Number(sessionStorage.getItem("reloaded"));
    if (Math.abs(Date.now() - last) < 30000) return false;
    sessionStorage.setItem("reloaded", Date.now());
  } catch { /* storage is refused: reload */ }
  return true;
}

const SPREAD = 60000; // milliseconds over which all open windows reload (no thundering herd)
const RETRY_INTERVAL = 5000; // milliseconds until the next check
const FIELDS = "input, textarea, select";
const SEARCHES = "[data-navigate]"; // their input is in the address
const RESTORED = `[data-draft]:not([data-guard]), ${SEARCHES}`; // input that is restored after the reload
const IN_USE = "iframe, dialog[open], [aria-busy=true]"; // a player, a dialog, a pending command

/** Whether a field has input that a reload loses; without drafts also input that they would restore. */
export const isTyped = (hasDrafts = true) => [...document.querySelectorAll(FIELDS)].some((field) => isTouched(field) && !field.closest(hasDrafts ? RESTORED : SEARCHES));
const isInUse = () => document.querySelector(IN_USE) || (!document.hidden && document.activeElement.matches(FIELDS));

const SIGN_OUT_PAUSE = 500; // milliseconds: the window that signs out loads its next page by then

/** Reload a page whose account is signed out. */
export const reloadSignedOut = () => setTimeout(pageLoad.again, SIGN_OUT_PAUSE);

/** Reload within `spread` milliseconds, once the page is idle. A page that the server refuses waits for unsaved input only. */
export function loadLater(connection, spread = SPREAD) {
  const check = () => {
    const { live, detour, isCut, isRefused } = connection;
    if (!isCut && (live || detour ? !isInUse() : isRefused) && !isTyped() && mayReload()) pageLoad.again();
    else setTimeout(check, RETRY_INTERVAL);
  };
  setTimeout(check, Math.random() * spread);
}
