// Layout of the session page. On a phone the player sticks to the top. Programme, comments and interval are tabs. If the
// current performer's row, or after the end the way to the summary, is out of sight, a line above the pane leads to it. A link
// to the keys of a performance leads to its first key without a mark.

import { useEffect } from "react";

const WIDE = "(width >= 104rem)"; // both panels side by side, as in session_page.css
const $ = (selector) => document.querySelector(selector);
const tabs = () => [...document.querySelectorAll(".stand__tabs .tabs a")];
const panelOf = (tab) => document.getElementById(tab.hash.slice(1));
const isInView = (element) => {
  const { top, bottom } = element?.getBoundingClientRect() || {};
  return bottom > 120 && top < innerHeight; // below a phone's player and tabs
};

/** Move the marker behind the current performer's row, with or without a transition. */
function mark(isMoving) {
  const marker = $(".order__marker");
  if (!marker) return;
  const row = $(".order .is-now");
  const { top, height } = row?.getBoundingClientRect() || {};
  const above = row && top + row.clientTop - marker.parentElement.getBoundingClientRect().top; // inside its borders
  const place = height ? `translateY(${above}px) scaleY(${height - row.offsetHeight + row.clientHeight})` : "";
  if (marker.style.transform === place) return; // it is there, or moves there
  const wasThere = marker.style.transform;
  marker.style.transform = place;
  if (place) marker.dataset.stands = isMoving && wasThere ? "moving" : "";
  else delete marker.dataset.stands;
}

/** Show the panel of one tab and hide the others'. */
function select(chosen) {
  let isWide = false;
  try { isWide = matchMedia(WIDE).matches; } catch { /* refused: one panel at a time */ }
  for (const tab of tabs()) {
    const isOn = tab === chosen;
    tab.setAttribute("role", "tab");
    tab.setAttribute("aria-selected", isOn);
    tab.setAttribute("aria-controls", tab.hash.slice(1));
    tab.tabIndex = isOn ? 0 : -1;
    const panel = panelOf(tab);
    if (!panel) continue;
    panel.toggleAttribute("data-off", !isOn && !isWide);
    if (isWide) panel.removeAttribute("role");
    else panel.setAttribute("role", "tabpanel");
  }
  chosen.parentElement.setAttribute("role", "tablist");
}

export function SessionPage() {
  useEffect(() => {
    let chosen = "#interval"; // in an interval; else the programme's
    let isClosed = false; // the docked player
    let wanted = ""; // the hash of what is to be shown once it is there
    const stand = $(".stand");
    const bring = () => $(".stand__bring");
    const wayOf = () => bring()?.getAttribute("href");
    let now = wayOf();
    const heights = {};
    /** What is over (`data-over`) leaves its room, so that nothing below it moves. */
    function keepRoom() {
      for (const room of document.querySelectorAll(".stand__now, .stage__below, .summary > *")) {
        const [name] = room.classList;
        const isOver = room.closest(".summary") ? "live" in stand.dataset : room.querySelector("[data-over]");
        if (isOver) room.style.minBlockSize = `${heights[name]}px`; // without a height it has no effect
        else heights[name] = room.offsetHeight; // the room stays after an undo: inner parts come a frame later
      }
    }
    const byHash = (hash) => tabs().find((tab) => tab.hash === hash);
    function follow() {
      if (byHash(chosen)?.hidden) chosen = "#programme";
      if (byHash(chosen)) select(byHash(chosen));
    }

    function choose(tab, focused) {
      chosen = tab.hash;
      follow();
      if (focused) tab.focus();
      const top = $(".stand__pane").getBoundingClientRect().top;
      if (top < 0) $(".stand__pane").scrollIntoView();
    }
    /** Show this element in its panel, with the focus on `target`. */
    function reach(element, target) {
      const tab = tabs().find((candidate) => panelOf(candidate)?.contains(element));
      if (!tab) return;
      wanted = "";
      chosen = tab.hash;
      follow(); // the hidden panel above it takes no space
      target?.focus({ preventScroll: true });
      (target || element).scrollIntoView({ block: element === panelOf(tab) ? "start" : "center" });
    }
    /** Show what is wanted: a panel or an element in one, such as a comment or a row. Of keys, focus one without a mark. */
    function show() {
      const named = document.getElementById(wanted.slice(1));
      if (!named) return;
      const ranges = [...named.querySelectorAll(":scope > li [type=range]")];
      const range = ranges.find(({ value }) => value === "0") || ranges[0];
      range?.closest("li").querySelector(".items__name[aria-expanded=false]")?.click(); // opens its keys (score.js)
      reach(named, range);
    }
    function onHash() {
      wanted = location.hash;
      show();
    }
    function onClick(event) {
      const at = (selector) => event.target.closest?.(selector);
      wanted = at("[data-page-event=keys_open]")?.hash || "";
      show();
      isClosed ||= at(".undock");
      dock();
      const tab = at(".stand__tabs .tabs a");
      const line = at(".stand__bring");
      if (!tab && !line?.hash) return; // to the summary by a page load
      event.preventDefault();
      if (tab) return choose(tab);
      line.hidden = true;
      reach($(".order .is-now"), $(".order .is-now a"));
    }
    function onKeyDown(event) {
      const tab = event.target.closest?.(".stand__tabs [role=tab]");
      if (!tab || !["ArrowLeft", "ArrowRight"].includes(event.key)) return;
      event.preventDefault();
      const next = event.key === "ArrowLeft" ? tab.previousElementSibling : tab.nextElementSibling;
      if (next && !next.hidden) choose(next, true);
    }
    /** The performer has changed, or the session has ended: show the line if the row, or the way to the summary, is out of sight. */
    function onPageChanged() {
      follow(); // the interval's tab may have come or gone
      show();
      keepRoom();
      sizes?.observe($(".order__whole") || stand); // no effect on an observed element
      const before = now;
      now = wayOf();
      mark(now !== before);
      if (now && now !== before) bring().hidden = false;
      onScroll();
    }
    /** Dock the player when its seat is above the window, unless it was closed since; never at the top of the page. */
    function dock() {
      const isAbove = $(".stand__seat")?.getBoundingClientRect().bottom < 60;
      isClosed &&= isAbove;
      stand.toggleAttribute("data-docked", isAbove && !isClosed);
    }
    function onScroll() {
      dock();
      if (bring() && (!now || isInView($(".order .is-now") || $(".stand__now [data-over]")))) bring().hidden = true;
    }
    let sizes; // an opened row, another width, loaded fonts
    try { sizes = new ResizeObserver(() => mark(false)); } catch { /* an old browser */ }
    const listeners = { click: onClick, keydown: onKeyDown, "page:changed": onPageChanged, scroll: onScroll, hashchange: onHash, resize: follow };
    for (const [type, listener] of Object.entries(listeners)) addEventListener(type, listener, true);
    onPageChanged();
    onHash();
    return () => {
      for (const [type, listener] of Object.entries(listeners)) removeEventListener(type, listener, true);
      sizes?.disconnect();
    };
  }, []);
  return null;
}
