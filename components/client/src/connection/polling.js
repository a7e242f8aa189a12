// What takes the socket's place on a network that lets none last (ADR 21): the page asks its own address for what has
// changed (project/http/page_poll.py), slowly, and commands are posted. Sockets are still tried; one that has lasted, and
// answers, takes its place back. A file of its own: few pages load it.

import { toJson } from "../page/events.js";
import { pageLoad } from "../page/page-loads.js";

const FASTEST = 12000; // milliseconds from one poll to the next, as all that follow
const SLOWEST = 15000;
const SOON = 500; // after an answer: until then the site knows of what was done
const SPREAD = 2000; // over which the windows of an audience begin
const LIMIT = 10000; // for a response
const SETTLED = 10000; // that a socket has to last
const TOO_LARGE = 413;
const TOO_MANY = 429;
const SIGNED_OUT = 4503;

const here = () => location.pathname + location.search;
const newKey = () => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const limit = () => AbortSignal.timeout?.(LIMIT);

export function createPolling({ root, connection, parts, status, onUpdate, resend }) {
  const half = new URL(root.dataset.url, location.href).searchParams.get("half") || "";
  let isOn = false;
  let isAsking = false;
  let isDue = false; // something asked for a poll while another was on its way
  let timer = 0;
  let pageVersion = ""; // of the model that the last poll brought
  let last = {}; // the last address and its ETag
  let held = []; // what a socket has brought that has yet to last
  let generation = 0; // of that socket
  let settling = 0; // timer
  let isProving = false; // it has lasted, and was asked for an answer

  const pace = () => FASTEST + Math.random() * (SLOWEST - FASTEST);
  function plan(delay) {
    clearTimeout(timer);
    timer = setTimeout(ask, delay);
  }

  function address() {
    const versions = Object.entries({ page: pageVersion, ...parts.versions() }).map((pair) => pair.join("~")).join(",");
    return `${here()}${location.search ? "&" : "?"}parts=1&half=${half}&versions=${encodeURIComponent(versions)}`;
  }

  async function ask() {
    if (!isOn || document.hidden) return; // a hidden page asks when it is looked at
    if (isAsking) return (isDue = true);
    if (connection.live) return stop(); // if that does not last, it begins again
    isAsking = true;
    const pause = await look().catch(() => (lose(), 0));
    isAsking = false;
    if (isOn) plan(isDue ? SOON : Math.max(pace(), pause));
    isDue = false;
  }

  /** Ask once; returns the milliseconds to wait at least. Rejects when the site did not answer. */
  async function look() {
    const path = address();
    const headers = last.path === path ? { "If-None-Match": last.etag } : {};
    const response = await fetch(path, { headers, signal: limit() });
    if (response.status === TOO_MANY) return response.headers.get("Retry-After") * 1000;
    if (response.status !== 304) {
      if (!response.ok) throw new Error(response.status);
      const said = await response.json();
      if (connection.live) return 0;
      last = { path, etag: response.headers.get("ETag") };
      if (!take(said)) return 0;
    }
    if (!connection.live) begin();
    return 0;
  }

  /** Take what a poll has brought; returns whether the page stays. */
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
        if (frame.type === "part") parts.receive(frame);
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
  /** A socket has lasted: what it has brought is the page's. */
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
      if (code >= 500 || code === TOO_MANY) return; // the command's own timer repeats it
      const answer = ok ? await response.json() : { ok, text: code === TOO_LARGE ? tooLong : failed };
      connection.onAnswer({ ...answer, key: message.key });
      if (isSeen) plan(SOON);
    } catch { /* the same */ }
  }

  const detour = {
    deliver(message) {
      if (message.type === "command") post(message);
      return false; // nothing else has another way
    },
    /** Ask soon: the address is another. */
    ask: () => plan(0),
    /** Keep what a socket brings until it has lasted; returns whether it is kept. */
    hold(message) {
      if (generation !== connection.generation) {
        ({ generation } = connection);
        held = [];
        isProving = false;
        clearTimeout(settling);
        settling = 0;
      }
      if (isProving && message.type === "pong") end();
      if (message.type !== "layout-update" && message.type !== "part") return false;
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

  // a module's search, which the address answers too: participants of a session's order
  document.addEventListener("page:search", ({ detail: { name, value } }) => {
    if (!connection.detour) return;
    const query = new URLSearchParams(location.search);
    query.set(name, value);
    history.replaceState(history.state, "", `${location.pathname}?${query}`);
    plan(SOON);
  });
  document.addEventListener("visibilitychange", () => { if (isOn && !document.hidden) plan(Math.random() * SPREAD); });
  // what the browser alone would post, and the page's own script sends by the socket
  document.addEventListener("click", ({ target }) => {
    const button = connection.detour && root.dataset.account && target.closest?.("[data-react]");
    if (!button) return;
    const { pathname, searchParams } = new URL(button.getAttribute("formaction"), location.href);
    post({ type: "command", name: pathname.split("/").pop(), argument: searchParams.get("argument"), fields: {}, key: newKey() }, false);
  }, true);

  return {
    /** Poll until a socket lasts. */
    start() {
      if (isOn) return;
      isOn = true;
      plan(Math.random() * SPREAD);
    },
  };
}
