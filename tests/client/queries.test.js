// Query forms: the last query wins, and address and fields agree.

import assert from "node:assert/strict";
import { $, Socket, act, click, consoleErrors, fire, h, on, open, testWith, type } from "./browser.js";
import { stopClock } from "./clock.js";

const page = (path, number = 0) => {
  const query = new URLSearchParams(path.split("?")[1]);
  return h("div", null,
    on(h("page-navigation", { path, title: path, number }), "onNavigate", "go"),
    h("main", { key: path.split("?")[0] },
      h("form", { method: "get", action: "/participants", "data-navigate": "" },
        h("input", { name: "q", type: "search", defaultValue: query.get("q") || "" }),
        h("select", { name: "country", defaultValue: query.get("country") || "" },
          h("option", { value: "" }, "All Countries"), h("option", { value: "Poland" }, "Poland")),
        h("button", { type: "submit" }, "Search")),
      h("a", { href: "/participants" }, "Everybody"),
      h("div", { "data-results": "" }, h("p", { id: "results" }, path), h("a", { href: "/participants?page=2" }, "More"))));
};
const html = (path, q = "") =>
  `<div><main><form method="get" action="/participants" data-navigate=""><input name="q" type="search" value="${q}"><select name="country">` +
  '<option value="" selected="">All Countries</option><option value="Poland">Poland</option></select><button type="submit">Search</button></form>' +
  `<a href="/participants">Everybody</a><div data-results=""><p id="results">${path}</p><a href="/participants?page=2">More</a></div></main></div>`;
const here = () => location.pathname + location.search;
const takeRequests = () => Socket.last.take().map(({ data: [{ path, number }] }) => [path, number]);
const answer = (path, number) => Socket.last.shows(page(path, number));
const input = () => $("input");
const submit = async () => {
  const event = new window.SubmitEvent("submit", { bubbles: true, cancelable: true });
  await act(async () => $("form").dispatchEvent(event));
  return event.defaultPrevented;
};

let pass;
let site;
const test = testWith(async (context) => {
  pass = stopClock(context);
  site = await open(html("/participants"), { model: page("/participants"), url: "https://hall.example/participants" });
  await Socket.last.isLive(page("/participants"));
});

test("typing asks once, 300 ms after the last key, and keeps focus, scroll and history", async () => {
  input().focus();
  for (const text of ["k", "ka", "kal"]) {
    await type(input(), text);
    await pass(299);
  }
  assert.deepEqual(takeRequests(), []);
  await pass(1);
  assert.deepEqual(takeRequests(), [["/participants?q=kal", 1]]);
  assert.equal(here(), "/participants?q=kal");
  await answer("/participants?q=kal", 1);
  assert.equal($("#results").textContent, "/participants?q=kal");
  assert.equal(document.activeElement, input());
  assert.equal(input().value, "kal");
  assert.equal(history.length, 1);
  assert.deepEqual(scrolled, []);
  assert.deepEqual(consoleErrors, []);
});

test("fast typing over slow answers ends on the last query, and typed text is never touched", async () => {
  for (const text of ["a", "ab", "abc"]) {
    await type(input(), text);
    await pass(300);
  }
  assert.deepEqual(takeRequests().map(([, number]) => number), [1, 2, 3]);
  await type(input(), "abcd");
  await answer("/participants?q=a", 1);
  assert.equal(input().value, "abcd");
  assert.equal(here(), "/participants?q=abc");
  await answer("/participants?q=abc", 3);
  await pass(300);
  await answer("/participants?q=abcd", 4);
  assert.equal(here(), "/participants?q=abcd");
  assert.equal($("#results").textContent, "/participants?q=abcd");
  await pass(60000);
  assert.deepEqual(site.leaves, []);
});

test("typing back to what is shown still ends there", async () => {
  await type(input(), "a");
  await pass(300);
  await type(input(), "");
  await pass(300);
  assert.deepEqual(takeRequests(), [["/participants?q=a", 1], ["/participants", 2]]);
  await answer("/participants?q=a", 1);
  await answer("/participants", 2);
  assert.equal(here(), "/participants");
  assert.equal(site.root.dataset.querying, undefined);
});

test("a choice asks at once, empty fields are left out", async () => {
  $("select").value = "Poland";
  await fire($("select"), "input");
  await fire($("select"), "change");
  assert.deepEqual(takeRequests(), [["/participants?country=Poland", 1]]);
});

test("Enter asks at once and not again", async () => {
  await type(input(), "Kałduński");
  assert.equal(await submit(), true);
  await fire(input(), "change");
  await pass(1000);
  assert.deepEqual(takeRequests(), [["/participants?q=Ka%C5%82du%C5%84ski", 1]]);
});

test("unfinished composition waits", async () => {
  await type(input(), "か");
  await fire(input(), "input", { isComposing: true });
  await pass(1000);
  assert.deepEqual(takeRequests().length, 1, "the finished key before it");
  input().value = "かな";
  await fire(input(), "input", { isComposing: true });
  await pass(1000);
  assert.deepEqual(takeRequests(), []);
  await fire(input(), "compositionend");
  await pass(300);
  assert.equal(takeRequests().length, 1);
});

test("a slow answer lets the skeleton stand in for the results", async () => {
  await type(input(), "a");
  await pass(300);
  await pass(149);
  assert.equal(site.root.dataset.querying, undefined);
  await pass(1);
  assert.equal(site.root.dataset.querying, "");
  await answer("/participants?q=a", 1);
  assert.equal(site.root.dataset.querying, undefined);
});

test("results with the focus keep it, and stay visible", async () => {
  const more = $("[data-results] a");
  more.focus();
  await click("[data-results] a");
  await pass(150);
  assert.equal(site.root.dataset.querying, undefined);
  assert.equal($("[data-progress]").hidden, false);
  assert.equal(document.activeElement, more);
});

test("the results stay behind a dialog: they get the focus back", async () => {
  document.body.insertAdjacentHTML("beforeend", '<dialog open><a href="/participants?page=3">Cancel</a></dialog>');
  const cancel = $("dialog a");
  cancel.focus();
  await click("dialog a");
  await pass(150);
  assert.equal(site.root.dataset.querying, undefined);
});

test("with the socket down typing changes the address, which the next socket asks for; Enter is the browser's", async () => {
  await Socket.last.ends();
  await type(input(), "kal");
  await pass(300);
  assert.equal(here(), "/participants?q=kal");
  assert.equal(await submit(), false);
  await pass(1500);
  assert.equal(Socket.last.url.searchParams.get("query"), "?q=kal");
  await Socket.last.isLive(page("/participants?q=kal"));
  assert.equal($("#results").textContent, "/participants?q=kal");
  assert.equal(input().value, "kal");
});

test("an edit before the client ran is requested by its first socket", async () => {
  await open(html("/participants"), { url: "https://hall.example/participants" });
  input().value = "early";
  $("select").value = "Poland";
  document.body.insertAdjacentHTML("beforeend", `<script type="application/json" id="app-model">${JSON.stringify(page("/participants"))}</script>`);
  const { mount } = await import(new URL("../../components/client/src/main.js", import.meta.url));
  let mounted;
  await act(async () => { mounted = mount($("#app")); });
  assert.equal(Socket.last.url.searchParams.get("query"), "?q=early&country=Poland");
  assert.deepEqual([input().value, $("select").value], ["early", "Poland"]);
  await act(async () => mounted.unmount());
});

test("untouched fields leave a strange address alone", async () => {
  await open(html("/participants"), { model: page("/participants"), url: "https://hall.example/participants?from=mail" });
  assert.equal(here(), "/participants?from=mail");
});

test("back and forward restore the fields with the results", async () => {
  await type(input(), "kal");
  await pass(300);
  await answer("/participants?q=kal", 1);
  await click("a");
  await answer("/participants", 2);
  assert.equal(input().value, "", "the link's address has no query");
  await act(() => new Promise((done) => { window.addEventListener("popstate", done, { once: true }); history.back(); }));
  assert.equal(input().value, "kal");
  assert.deepEqual(takeRequests().at(-1), ["/participants?q=kal", 3]);
  await answer("/participants?q=kal", 3);
  assert.equal($("#results").textContent, "/participants?q=kal");
});

test("a link that is followed while a key still waits wins", async () => {
  await type(input(), "k");
  await pass(100);
  document.body.insertAdjacentHTML("beforeend", '<a id="away" href="/news">News</a>');
  await click("#away");
  await pass(1000);
  assert.deepEqual(takeRequests(), [["/news", 1]]);
});

test("a form that leads to another page asks only when it is sent, and makes a history entry", async () => {
  $("form").setAttribute("action", "/elsewhere");
  await type(input(), "x");
  await pass(1000);
  assert.deepEqual(takeRequests(), []);
  assert.equal(await submit(), true);
  assert.deepEqual(takeRequests(), [["/elsewhere?q=x", 1]]);
  await answer("/elsewhere?q=x", 1);
  assert.equal(history.length, 2);
});

test("choices under a held key are queried at first and at the end", async () => {
  for (let step = 0; step < 90; step += 1) {
    const country = step % 2 ? "" : "Poland";
    await act(async () => { $("select").value = country; });
    await fire($("select"), "change");
    await pass(33);
  }
  await act(async () => { $("select").value = "Poland"; });
  await fire($("select"), "change");
  assert.deepEqual(takeRequests().map(([path]) => path), ["/participants?country=Poland"]);
  await answer("/participants?country=Poland", 1);
  await pass(301);
  assert.equal(here(), "/participants?country=Poland");
  await act(async () => { $("select").value = ""; });
  await fire($("select"), "change");
  assert.deepEqual(takeRequests().map(([path]) => path), ["/participants"], "a choice alone is asked for at once");
});

test("who searches too fast reads so beside the fields, is not led away, and finds at last", async () => {
  await type(input(), "kal");
  await pass(300);
  await Socket.last.says({ type: "wait", text: "In a moment." });
  const line = () => $("form [data-answer]").textContent;
  assert.equal(line(), "In a moment.");
  await pass(20000);
  assert.deepEqual(site.leaves, []);
  await type(input(), "kalk");
  await pass(300);
  await Socket.last.says({ type: "wait", text: "In a moment." });
  await answer("/participants?q=kalk", 2);
  assert.deepEqual([line(), $("#results").textContent, input().value], ["", "/participants?q=kalk", "kalk"]);
  assert.deepEqual(takeRequests().map(([path]) => path), ["/participants?q=kal", "/participants?q=kalk"]);
  assert.deepEqual(consoleErrors, []);
});

test("a delayed navigation to another page is no page load, and the status line shows why", async () => {
  await click("a[href='/participants?page=2']");
  await Socket.last.says({ type: "wait", text: "In a moment." });
  assert.equal($("[data-connection-status]").textContent, "In a moment.");
  await pass(20000);
  assert.deepEqual(site.leaves, []);
  await Socket.last.says({ type: "wait", text: "In a moment." });
  await Socket.last.ends();
  assert.deepEqual(site.leaves, ["/participants?page=2"]);
});

test("what was typed before the script stays in the address, also if the socket opens before the first render", async () => {
  const stock = globalThis.WebSocket;
  globalThis.WebSocket = class extends stock {
    constructor(url) {
      super(url);
      queueMicrotask(() => this.open());
    }
  };
  const opened = open(html("/participants"), {
    model: page("/participants"),
    url: "https://hall.example/participants",
    before: () => { window.document.querySelector("input").value = "kal"; },
  });
  try { await opened; } finally { globalThis.WebSocket = stock; }
  assert.equal(here(), "/participants?q=kal", "the first render is the document's, so the page is not live yet");
  await Socket.last.shows(page("/participants?q=kal"));
  assert.deepEqual([here(), input().value, $("#results").textContent], ["/participants?q=kal", "kal", "/participants?q=kal"]);
  assert.deepEqual(consoleErrors, []);
});
