// The session's page as one place. On a phone the player stays at the top while one reads or rates further down, and the
// programme and the comments are two tabs; wherever one is, a line leads to whoever has come to the stage out of sight.

import { useEffect } from "react";

const WIDE = "(width >= 104rem)"; // both stand beside each other, as in session_page.css
const isMatch = (query) => { try { return matchMedia(query).matches; } catch { return false; } };
const observe = (make) => { try { return make(); } catch { return { observe() {}, disconnect() {} }; } }; // an old browser
const $ = (selector) => document.querySelector(selector);
const tabs = () => [...document.querySelectorAll(".stand__tabs .tabs a")];
const panelOf = (tab) => document.getElementById(tab.hash.slice(1));
const isInView = (element) => {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > 120 && top < innerHeight; // below a phone's player and tabs
};

/** Put the marker behind whoever is on stage, at once or moving there. */
function mark(isMoving) {
  const marker = $(".order__marker");
  if (!marker) return;
  const row = $(".order .is-now");
  const { top, height } = row?.getBoundingClientRect() || {};
  const above = row && top + row.clientTop - marker.parentElement.getBoundingClientRect().top; // within its lines
  const place = height ? `translateY(${above}px) scaleY(${height - row.offsetHeight + row.clientHeight})` : "";
  if (marker.style.transform === place) return; // it stands there, or is on its way
  const wasThere = marker.style.transform;
  marker.style.transform = place;
  if (place) marker.dataset.stands = isMoving && wasThere ? "moving" : "";
  else delete marker.dataset.stands;
}

/** Show the panel of one tab and hide the other's. */
function select(chosen) {
  const isWide = isMatch(WIDE);
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
    let chosen = "#programme";
    let now = $(".order .is-now")?.id;
    const stand = $(".stand");
    const bring = () => $(".stand__bring");
    const byHash = (hash) => tabs().find((tab) => tab.hash === hash);
    const follow = () => byHash(chosen) && select(byHash(chosen));

    function choose(tab, focused) {
      chosen = tab.hash;
      follow();
      if (focused) tab.focus();
      const top = $(".stand__pane").getBoundingClientRect().top;
      if (top < 0) $(".stand__pane").scrollIntoView();
    }
    /** The address may name a panel, or something within one: a comment, a row. */
    function onHash() {
      const named = location.hash && document.getElementById(location.hash.slice(1));
      const tab = named && tabs().find((each) => panelOf(each)?.contains(named));
      if (!tab) return;
      chosen = tab.hash;
      follow();
      named.scrollIntoView(named === panelOf(tab) ? undefined : { block: "center" }); // the other panel is gone above it
    }
    function onClick(event) {
      const tab = event.target.closest?.(".stand__tabs .tabs a");
      if (tab) {
        event.preventDefault();
        return choose(tab);
      }
      if (event.target.closest?.(".stand__bring")) {
        event.preventDefault();
        const row = $(".order .is-now");
        bring().hidden = true;
        chosen = "#programme";
        follow();
        row?.querySelector("a").focus({ preventScroll: true });
        row?.scrollIntoView({ block: "center", behavior: isMatch("(prefers-reduced-motion: reduce)") ? "auto" : "smooth" });
      }
      return undefined;
    }
    function onKeyDown(event) {
      const tab = event.target.closest?.(".stand__tabs [role=tab]");
      if (!tab || !["ArrowLeft", "ArrowRight"].includes(event.key)) return;
      event.preventDefault();
      choose(tabs().find((each) => each !== tab), true);
    }
    /** Somebody else is on stage: where their row cannot be seen, a line over the pane leads there. */
    function onPageChanged() {
      const row = $(".order .is-now");
      sizes.observe($(".order__whole") || stand); // which does nothing where it does so already
      mark(row?.id !== now);
      if (row?.id === now || !bring()) return;
      now = row?.id;
      bring().hidden = !row || isInView(row);
    }
    const onScroll = () => {
      const row = $(".order .is-now");
      if (bring() && !bring().hidden && row && isInView(row)) bring().hidden = true;
    };
    const sizes = observe(() => new ResizeObserver(() => mark(false))); // a row that opens, another width, fonts
    const docking = observe(() => new IntersectionObserver(([seat]) => {
      stand.toggleAttribute("data-docked", !seat.isIntersecting && seat.boundingClientRect.top < 0);
    }, { rootMargin: "-60px 0px 0px" }));
    const listeners = { click: onClick, keydown: onKeyDown, "page:changed": onPageChanged };
    for (const [type, listener] of Object.entries(listeners)) document.addEventListener(type, listener, type === "click");
    addEventListener("scroll", onScroll, { passive: true });
    addEventListener("hashchange", onHash);
    addEventListener("resize", follow);
    docking.observe($(".stand__seat"));
    follow();
    onPageChanged();
    onHash();
    return () => {
      for (const [type, listener] of Object.entries(listeners)) document.removeEventListener(type, listener, type === "click");
      removeEventListener("scroll", onScroll);
      removeEventListener("hashchange", onHash);
      removeEventListener("resize", follow);
      docking.disconnect();
      sizes.disconnect();
    };
  }, []);
  return null;
}
