// Polling, for networks that block WebSockets (ADR 21): the page polls its own address for changes
// (project/http/page_poll.py) and posts commands. Sockets are still tried; a stable one that answers a ping replaces the
// polling. This is a file of its own, because few pages load it.

import { toJson, versionsText } from "./connection.js";
import { pageLoad } from "./reload.js";

const FASTEST = 12000; // milliseconds between two polls, as in the next constants
const SLOWEST = 15000;
const SOON = 500; // after an answer: by then its change is visible
const SPREAD = 2000; // jitter of the first poll
const LIMIT = 10000; // timeout of a response
const SETTLED = 10000; // until a socket counts as stable
const TOO_LARGE = 413;
const TOO_MANY = 429;
const SIGNED_OUT = 4503;
const MOST_REFUSALS = 3;

const here = () => location.pathname + location.search;
const newKey = () => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const limit = () => AbortSignal.timeout?.(LIMIT);

export function createPolling({ root, connection, parts, status, onUpdate, resend, onUnsent }) {
  const half = new URL(root.dataset.url, location.href).searchParams.get("half") || "";
  let isOn = false;
  let isPolling = false;
  let isDue = false; // a poll was requested during another
  let refusals = 0; // refused polls; each doubles the pace, up to MOST_REFUSALS
  let timer = 0;
  let pageVersion = ""; // version of the last poll's model
  let last = {}; // path and ETag of the last poll
  let held = []; // messages of a socket that is not yet stable
  let generation = 0; // generation of that socket
  let settling = 0; // timer
  let isProving = false; // that socket is stable, and a ping was sent

  const pace = () => FASTEST + Math.random() * (SLOWEST - FASTEST);
  function plan(delay) {
    clearTimeout(timer);
    timer = setTimeout(ask, delay);
  }

  function address() {
    const versions = encodeURIComponent(versionsText({ page: pageVersion, ...parts.versions() }));
    return `${here()}${location.search ? "&" : "?"}parts=1&half=${half}&versions=${versions}`;
  }

  async function ask() {
    if (!isOn || document.hidden) return; // a hidden page polls when it becomes visible
    if (isPolling) return (isDue = true);
    if (connection.live) return stop(); // watchForBlocking starts polling again if the socket is lost
    isPolling = true;
    const pause = await poll().catch(() => (lose(), 0));
    isPolling = false;
    if (isOn) plan(isDue ? SOON : Math.max(pace(), pause));
    isDue = false;
  }

  /** Poll once; returns the minimum milliseconds to the next poll. Rejects if the site does not answer. */
  async function poll() {
    const path = address();
    const headers = last.path === path ? { "If-None-Match": last.etag } : {};
    const response = await fetch(path, { headers, signal: limit() });
    const isRefused = response.status === TOO_MANY;
    refusals = isRefused ? Math.min(refusals + 1, MOST_REFUSALS) : Math.max(refusals - 1, 0);
    // the site spaces the polls of all pages at this network address
    const pause = Math.max((response.headers.get(isRefused ? "Retry-After" : "Poll-After") || 0) * 1000, refusals && pace() * 2 ** refusals);
    if (isRefused) return pause;
    if (response.status !== 304) {
      if (!response.ok) throw new Error(response.status);
      const page = await response.json();
      if (connection.live) return pause;
      last = { path, etag: response.headers.get("ETag") };
      if (!take(page)) return pause;
    }
    if (!connection.live) begin();
    return pause;
  }

  /** Apply a poll's answer; returns whether the page stays. */
  function take({ account, page, leave, frames }) {
    const { account: own = "" } = root.dataset;
    if (String(account ?? "") !== own) {
      leavePage();
      if (own) connection.onClose(connection.socket, SIGNED_OUT);
      else pageLoad.again();
    } else if (leave) {
      leavePage();
      pageLoad.to(leave);
    } else {
      for (const frame of frames) {
        if (Array.isArray(frame)) parts.receive(frame);
        else if (frame.type === "outdated") connection.outdate();
        else {
          pageVersion = page;
          onUpdate(frame);
        }
      }
    }
    return isOn;
  }

  function begin() {
    show("polling");
    if (connection.detour) return;
    connection.detour = detour;
    resend(true);
  }
  function stop() {
    isOn = false;
    clearTimeout(timer);
  }
  function leavePage() {
    stop();
    connection.pause();
  }
  /** A socket is stable: apply its messages and stop polling. */
  function end() {
    stop();
    connection.detour = null;
    connection.attempt = 0;
    pageVersion = "";
    held.splice(0).forEach((message) => connection.onMessage(message));
  }

  const show = (state) => root.dataset.connection === state || status.show(state);
  function lose() { if (connection.detour) show("waiting"); }

  async function post(message, isSeen = true) {
    const { tooLong, failed } = root.dataset;
    const token = document.forms.do?.elements.csrfmiddlewaretoken?.value || "";
    const headers = { "Content-Type": "application/json", "X-CSRFToken": token };
    try {
      const response = await fetch(`/do/${message.name}?from=${encodeURIComponent(here())}`, { method: "POST", headers, body: toJson(message), signal: limit() });
      const { status: code, ok } = response;
      if (code >= 500 || code === TOO_MANY) return onUnsent(message.key); // the command's own timer repeats it
      const answer = ok ? await response.json() : { ok, text: code === TOO_LARGE ? tooLong : failed };
      connection.onAnswer({ ...answer, key: message.key });
      if (isSeen) plan(SOON);
    } catch { onUnsent(message.key); }
  }

  let posts = Promise.resolve(); // one after the other, as over a socket: a submit must not overtake the marks before it
  const detour = {
    deliver(message) {
      if (message.type !== "command") return false; // other events need a socket
      posts = posts.then(() => post(message));
      return true;
    },
    /** Poll now: the address has changed. */
    ask: () => plan(0),
    /** Hold the messages of a socket back until it is stable; returns whether this one is held. */
    hold(message) {
      if (generation !== connection.generation) {
        ({ generation } = connection);
        held = [];
        isProving = false;
        clearTimeout(settling);
        settling = 0;
      }
      if (isProving && message.type === "pong") end();
      if (message.type !== "layout-update" && !Array.isArray(message)) return false;
      held.push(message);
      if (message.type === "layout-update" && !settling) {
        clearTimeout(connection.limitTimer);
        settling = setTimeout(() => {
          if (generation !== connection.generation || !connection.socket) return;
          isProving = true;
          connection.ping(LIMIT);
        }, SETTLED);
      }
      return true;
    },
  };

  // the search of a web module (participants of a session's order), which the page's address answers too
  document.addEventListener("page:search", ({ detail: { name, value } }) => {
    if (!connection.detour) return;
    const query = new URLSearchParams(location.search);
    query.set(name, value);
    history.replaceState(history.state, "", `${location.pathname}?${query}`);
    plan(SOON);
  });
  document.addEventListener("visibilitychange", () => { if (isOn && !document.hidden) plan(Math.random() * SPREAD); });
  // reaction buttons, which a web module sends over the socket: post them like the form without scripts
  document.addEventListener("click", ({ target }) => {
    const button = connection.detour && root.dataset.account && target.closest?.("[data-react]");
    if (!button) return;
    const { pathname, searchParams } = new URL(button.getAttribute("formaction"), location.href);
    post({ type: "command", name: pathname.split("/").pop(), argument: searchParams.get("argument"), fields: {}, key: newKey() }, false);
  }, true);

  return {
    /** Poll until a socket is stable. */
    start() {
      if (isOn) return;
      isOn = true;
      plan(Math.random() * SPREAD);
    },
  };
}
