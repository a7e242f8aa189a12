// In-place navigation: address, title, history, focus, scroll, and a page load without an answer.

import assert from "node:assert/strict";
import { $, Socket, act, click, consoleErrors, fire, h, on, open, testWith } from "./browser.js";
import { stopClock } from "./clock.js";

const LINKS = [
  h("a", { href: "/news", id: "news" }, "News"), h("a", { href: "/sessions", id: "sessions" }, "Sessions"),
  h("a", { href: "/?show=past", id: "tab" }, "Past"), h("a", { href: "/news#end", id: "end" }, "End"), h("a", { href: "/", id: "home" }, "Home"),
  h("a", { href: "/?show=past&page=2", id: "next" }, "Next page"),
];
const page = (path, number = 0, extra = {}) =>
  h("div", null,
    on(h("page-navigation", { path, title: `${path} – Parterre`, number, ...extra }), "onNavigate", "go"),
    h("nav", null, ...LINKS),
    h("main", { key: path.split("?")[0] }, h("h1", null, path), h("p", { id: "end" }, "end")));
const HTML = (path) => "<div><nav>" + LINKS.map(({ attributes: { href, id }, children }) => `<a href="${href}" id="${id}">${children}</a>`).join("") +
  `</nav><main><h1>${path}</h1><p id="end">end</p></main></div>`;
const here = () => location.pathname + location.search + location.hash;
const takeRequests = () => Socket.last.take().map(({ target, data: [{ path, number }] }) => (assert.equal(target, "go"), [path, number]));
const answer = (path, number, extra) => Socket.last.shows(page(path, number, extra));
const bar = () => !$("[data-progress]").hidden;
async function back(steps = -1) {
  await act(() => new Promise((done) => { window.addEventListener("popstate", done, { once: true }); history.go(steps); }));
}

let pass;
let site;
const test = testWith(async (context) => {
  pass = stopClock(context);
  site = await open(HTML("/"), { model: page("/"), root: 'data-offline="No connection."' });
  await Socket.last.isLive(page("/"));
});
const line = () => $("[data-connection-status]").textContent;
async function isFollowed(selector) {
  const event = new window.MouseEvent("click", { bubbles: true, cancelable: true });
  await act(async () => $(selector).dispatchEvent(event));
  return !event.defaultPrevented;
}

test("a link asks the server; the answer moves address, title, focus and scroll", async () => {
  await click("#news");
  assert.deepEqual(takeRequests(), [["/news", 1]]);
  assert.equal(here(), "/", "not before the answer");
  await answer("/news", 1);
  assert.equal(here(), "/news");
  assert.equal(document.title, "/news – Parterre");
  assert.equal(document.activeElement, $("h1"));
  assert.deepEqual(scrolled.at(-1), [0, 0]);
  assert.deepEqual(consoleErrors, []);
});

test("back restores page and scroll, forward too", async () => {
  await click("#news");
  await answer("/news", 1);
  history.replaceState({ scroll: [0, 70] }, "");
  await back();
  assert.deepEqual(takeRequests(), [["/news", 1], ["/", 2]]);
  await answer("/", 2);
  assert.equal(here(), "/");
  await back(1);
  await answer("/news", 3);
  assert.equal($("h1").textContent, "/news");
  assert.deepEqual(scrolled.at(-1), [0, 70]);
});

test("only the newest request changes the address, in any order of answers", async () => {
  await click("#news");
  await click("#sessions");
  assert.deepEqual(takeRequests(), [["/news", 1], ["/sessions", 2]]);
  await answer("/news", 1);
  assert.equal(here(), "/");
  await answer("/sessions", 2);
  assert.equal(here(), "/sessions");
  assert.equal(history.length, 2);
  await pass(60000);
  assert.deepEqual(site.leaves, []);
});

test("a request that is waiting is not sent twice", async () => {
  await click("#news");
  await click("#news");
  assert.deepEqual(takeRequests(), [["/news", 1]]);
});

test("a step back to the present page ends a pending request", async () => {
  await click("#news");
  await click("#home");
  assert.deepEqual(takeRequests(), [["/news", 1], ["/", 2]]);
  await answer("/", 2);
  assert.equal(here(), "/");
  assert.equal(bar(), false);
});

test("the same page with another query keeps scroll and focus, and makes a history entry", async () => {
  $("#tab").focus();
  await click("#tab");
  await answer("/?show=past", 1);
  assert.equal(here(), "/?show=past");
  assert.equal(document.activeElement, $("#tab"));
  assert.deepEqual(scrolled, []);
  await back();
  assert.deepEqual(takeRequests().at(-1), ["/", 2]);
});

test("the next page of a list begins at its top, and with its heading", async () => {
  $("#next").focus();
  await click("#next");
  await answer("/?show=past&page=2", 1);
  assert.equal(document.activeElement, $("h1"));
  assert.deepEqual(scrolled, [[0, 0]]);
});

test("a link to a place on another page goes to that place", async () => {
  const seen = [];
  Element.prototype.scrollIntoView = function () { seen.push(this.id); };
  await click("#end");
  await answer("/news", 1);
  assert.equal(here(), "/news#end");
  assert.deepEqual(seen, ["end"]);
});

test("a link to the page itself goes to its top", async () => {
  await click("#home");
  assert.deepEqual(takeRequests(), []);
  assert.deepEqual(scrolled, [[0, 0]]);
});

test("the progress bar shows after 150 ms and goes with the answer", async () => {
  await click("#news");
  await pass(149);
  assert.equal(bar(), false);
  await pass(1);
  assert.equal(bar(), true);
  assert.equal(site.root.dataset.querying, undefined);
  await answer("/news", 1);
  assert.equal(bar(), false);
});

test("an answer that does not come within six seconds becomes a page load", async () => {
  await click("#news");
  await pass(6000);
  assert.deepEqual(site.leaves, ["/news"]);
});

test("a lost socket turns the waiting link into a page load", async () => {
  await click("#news");
  await Socket.last.ends(1012);
  assert.deepEqual(site.leaves, ["/news"]);
});

for (const [name, init] of [["ctrl", { ctrlKey: true }], ["meta", { metaKey: true }], ["shift", { shiftKey: true }], ["middle", { button: 1 }]]) {
  test(`a ${name} click belongs to the browser`, async () => {
    await click("#news", init);
    assert.deepEqual(takeRequests(), []);
  });
}

test("external links, downloads, new windows and marked links are left to the browser", async () => {
  for (const html of ['href="https://other.example/"', 'href="/f" download', 'href="/n" target="_blank"', 'href="/r" data-reload', 'href="mailto:a@b.example"']) {
    document.body.insertAdjacentHTML("beforeend", `<a class="odd" ${html}>x</a>`);
    await click([...document.querySelectorAll(".odd")].at(-1));
  }
  assert.deepEqual(takeRequests(), []);
});

test("a link inside a drawing is left to the browser", async () => {
  document.body.insertAdjacentHTML("beforeend", '<svg><a href="/n" id="point"><circle r="1"/></a></svg>');
  assert.equal(await isFollowed("#point circle"), true);
  assert.deepEqual([takeRequests(), consoleErrors], [[], []]);
});

test("while the socket is down links are ordinary links", async () => {
  await Socket.last.ends();
  const event = new window.MouseEvent("click", { bubbles: true, cancelable: true });
  await act(async () => $("#news").dispatchEvent(event));
  assert.equal(event.defaultPrevented, false);
});

test("an offline browser is shown within three seconds, until it is online", async () => {
  await fire(window, "offline");
  await pass(1000);
  assert.equal(line(), "Reconnecting…");
  await fire(window, "online");
  await pass(2000);
  await Socket.last.isLive(page("/"));
  assert.equal(line(), "");
});

test("offline no link, form or step leaves the page; the reason is shown, and they work again online", async () => {
  await click("#news");
  await answer("/news", 1);
  document.body.insertAdjacentHTML("beforeend", '<a id="far" href="https://other.example/">x</a><a id="login" href="/login?next=%2F" data-reload>x</a><form id="plain" method="post" action="/do"></form><a id="jump" href="/news#end">x</a>');
  await fire(window, "offline");
  for (const link of ["#sessions", "#login", "#far"]) assert.equal(await isFollowed(link), false, link);
  assert.equal(line(), "No connection.");
  assert.equal(await isFollowed("#jump"), true, "inside the page");
  let isSent = false;
  window.addEventListener("submit", (event) => { isSent = !event.defaultPrevented; event.preventDefault(); });
  await act(async () => $("#plain").requestSubmit());
  assert.equal(isSent, false);
  await back();
  assert.deepEqual([here(), site.leaves], ["/news", []]);
  await pass(6000);
  assert.equal(line(), "Reconnecting…", "what stands is said again");

  await fire(window, "online");
  await pass(2000);
  await Socket.last.isLive(page("/news"));
  await click("#sessions");
  assert.deepEqual(takeRequests().map(([path]) => path), ["/sessions"]);
});

test("a link that waits for its answer when the network goes is no page load, nor is one after it", async () => {
  await click("#news");
  await fire(window, "offline");
  await pass(60000);
  assert.deepEqual(site.leaves, []);
  assert.equal(here(), "/");
});

test("a browser that was wrong about its network follows links again as soon as the server answers", async () => {
  await fire(window, "offline");
  await pass(2000);
  await Socket.last.isLive(page("/"));
  await Socket.last.ends();
  assert.equal(await isFollowed("#news"), true, "the socket alone is down");
});

test("a step in the history while the socket is down loads the page", async () => {
  await click("#news");
  await answer("/news", 1);
  await Socket.last.ends();
  await back();
  assert.deepEqual(site.leaves, ["again"]);
});

test("the server may send the browser out of the site's pages, and only to a safe address", async () => {
  await click("#news");
  await answer("/", 1, { leave: "javascript:alert(1)" });
  assert.deepEqual(site.leaves, []);
  await click("#news");
  await answer("/", 1, { leave: "/login?next=/news" }); // a redirect repeats no number
  assert.deepEqual(site.leaves, ["/login?next=/news"]);
  await pass(60000);
  assert.deepEqual(site.leaves, ["/login?next=/news"]);
});

test("a reconnect shows the page that the server chose for the present address", async () => {
  await Socket.last.ends();
  await pass(1500);
  await Socket.last.isLive(page("/news"));
  assert.equal(here(), "/news");
  assert.equal(document.title, "/news – Parterre");
});

test("an address that changed while the socket opened is requested", async () => {
  await Socket.last.ends();
  await pass(1500);
  history.replaceState(null, "", "/?q=late");
  await Socket.last.isLive(page("/"));
  assert.deepEqual(takeRequests(), [["/?q=late", 1]]);
  await answer("/?q=late", 1);
  assert.equal(here(), "/?q=late");
});

test("after a reconnect numbers continue, and an answer of the old server is ignored", async () => {
  await click("#news");
  await answer("/news", 1);
  await Socket.last.ends();
  await pass(1500);
  await Socket.last.isLive(page("/news", 0));
  await click("#sessions");
  assert.deepEqual(takeRequests(), [["/sessions", 2]]);
  await answer("/sessions", 2);
  assert.equal(here(), "/sessions");
});

test("scroll is kept with the history entry", async () => {
  window.scrollY = 40;
  await fire(window, "scroll");
  await pass(150);
  assert.deepEqual(history.state.scroll, [window.scrollX, 40]);
});
