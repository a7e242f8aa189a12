// A page in jsdom with the real client and real React. The test is the server's end of the socket.

import { createRequire } from "node:module";
import { after, mock, test } from "node:test";

const client = new URL("../../components/client/", import.meta.url);
const require = createRequire(new URL("package.json", client));
export const { JSDOM } = require("jsdom");

const SHARED = `document location history navigator sessionStorage localStorage Node Event CustomEvent FormData Element
  HTMLElement HTMLIFrameElement CSSStyleSheet KeyboardEvent MouseEvent SubmitEvent getComputedStyle addEventListener
  removeEventListener dispatchEvent scrollX scrollY innerHeight`.split(/\s+/);

let dom = new JSDOM("", { url: "https://hall.example/" });
globalThis.window = dom.window;
for (const name of SHARED) {
  Object.defineProperty(globalThis, name, {
    configurable: true,
    get: () => (typeof dom.window[name] === "function" && !/^[A-Z]/.test(name) ? dom.window[name].bind(dom.window) : dom.window[name]),
  });
}
globalThis.scrolled = [];
globalThis.scrollTo = (...where) => scrolled.push(where);
globalThis.matchMedia = () => ({ matches: false, addEventListener() {} });
globalThis.IS_REACT_ACT_ENVIRONMENT = true;

export const { act, createElement } = require("react");
export const { createRoot } = require("react-dom/client");
export const load = (name) => import(new URL(`src/${name}.js`, client));
const { pageLoad } = await load("reload");
const { mount } = await load("main");

/** The server's end of the newest socket. */
export class Socket {
  static all = [];
  static OPEN = 1;
  static get last() { return Socket.all.at(-1); }

  constructor(url) {
    Object.assign(this, { url: new URL(url), readyState: 0, sent: [] });
    Socket.all.push(this);
  }
  send(text) { this.sent.push(JSON.parse(text)); }
  close() { this.readyState = 3; }

  /** Return the frames sent since the last call, without heartbeats. */
  take() { return this.sent.splice(0).filter(({ type }) => type !== "ping"); }
  open() { this.readyState = 1; this.onopen(); }
  says(message) { return act(async () => this.onmessage({ data: JSON.stringify(message) })); }
  shows(model, path = "") { return this.says({ type: "layout-update", path, model }); }
  ends(code = 1006, reason = "") { this.readyState = 3; return act(async () => this.onclose({ code, reason })); }
  async isLive(model) { this.open(); await this.shows(model); }
}
globalThis.WebSocket = Socket;

export const consoleErrors = []; // console errors and warnings, including React's
for (const kind of ["error", "warn"]) mock.method(console, kind, (...words) => consoleErrors.push(words.join(" ")));

// A page's timers end with it: in a slow run they would fire in another test, on its clock.
const timers = new Set();
const { clearTimeout: stop } = globalThis;
for (const name of ["setTimeout", "setInterval"]) {
  const begin = globalThis[name];
  globalThis[name] = (...call) => {
    const timer = begin(...call);
    timers.add(timer);
    return timer;
  };
}

const MODULE = new URL("src/polling.js", client);
await import(MODULE); // so that the page's import resolves at once

const mounted = [];
async function end() {
  await act(async () => mounted.splice(0).forEach((page) => page.unmount()));
  timers.forEach(stop);
  timers.clear();
}
after(end);

export const h = (tagName, attributes, ...children) => ({
  tagName, ...(attributes && { attributes }), ...(children.length && { children }),
});
export const on = (node, name, target, wire) => ({ ...node, eventHandlers: { ...node.eventHandlers, [name]: { target, ...wire } } });
const script = (attributes, model) => `<script type="application/json" ${attributes}>${JSON.stringify(model)}</script>`;

/**
 * Open a document with this HTML; without a model the client is not mounted. `kept` contains entries of localStorage and
 * sessionStorage from an earlier document. Returns { root, leaves, page }.
 */
export async function open(html = "", { url = "https://hall.example/", model, parts = {}, root: sentences = "", kept = {}, before } = {}) {
  await end();
  consoleErrors.length = Socket.all.length = scrolled.length = 0;
  dom = new JSDOM(
    `<body><div id="app" data-reactpy-root data-url="/live/?half=9-a" data-module="${MODULE}" data-failed="It failed." data-reconnecting="Reconnecting…" ${sentences}>${html}</div>` +
      (model ? script('id="app-model"', model) : "") +
      Object.entries(parts).map(([key, { version, model: part }]) => script(`data-part="${key}" data-version="${version}"`, part)).join("") +
      '<div class="progress" data-progress hidden></div><p data-connection-status role="status"></p></body>',
    { url, pretendToBeVisual: true },
  );
  globalThis.window = dom.window;
  before?.(); // before the client runs
  for (const [store, entries] of Object.entries(kept)) Object.assign(dom.window[store], entries);
  const leaves = [];
  pageLoad.to = (address) => leaves.push(address);
  pageLoad.again = () => leaves.push("again");
  const root = document.getElementById("app");
  let page;
  if (model) await act(async () => mounted.push((page = mount(root))));
  return { root, leaves, page };
}

/** Return a `test` function that runs `setup` first. (A hook of one file would apply to all: they share one process.) */
export const testWith = (setup) => (name, body) => test(name, async (context) => {
  await setup(context);
  await body(context);
});

export const $ = (selector) => document.querySelector(selector);
export const click = (selector, init) => act(async () => {
  const event = new dom.window.MouseEvent("click", { bubbles: true, cancelable: true, ...init });
  (typeof selector === "string" ? $(selector) : selector).dispatchEvent(event);
});
export const fire = (target, type, init = {}) => act(async () =>
  target.dispatchEvent(Object.assign(new dom.window.Event(type, { bubbles: true, cancelable: true }), init)));

/** Change the document and dispatch `page:changed`, as the client does after React. */
export const changePage = (change) => act(async () => {
  change();
  document.dispatchEvent(new dom.window.Event("page:changed"));
});

/** Type as a browser does: React must see the setter of the element's own class. */
export const type = (element, value) => act(async () => {
  const prototype = Object.getPrototypeOf(element);
  Object.getOwnPropertyDescriptor(prototype, "value").set.call(element, value);
  element.dispatchEvent(new dom.window.Event("input", { bubbles: true }));
});

/** Make Math.random return this value. */
export const fixRandom = (context, value) => context.mock.method(Math, "random", () => value);
