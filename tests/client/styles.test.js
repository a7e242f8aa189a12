// Style sheets that only some pages have: a page that is reached in place waits for its own.

import assert from "node:assert/strict";
import { $, Socket, act, click, h, on, open, testWith } from "./browser.js";
import { stopClock } from "./clock.js";

const page = (path, number = 0, styles = undefined) =>
  h("div", null, on(h("page-navigation", { path, title: path, number, ...(styles && { styles }) }), "onNavigate", "go"),
    h("a", { href: "/admin", id: "admin" }, "Admin"), h("a", { href: "/news", id: "news" }, "News"), h("h1", { key: path }, path));
const html = (path) => `<div><a href="/admin" id="admin">Admin</a><a href="/news" id="news">News</a><h1>${path}</h1></div>`;
const shown = () => [$("h1").textContent, location.pathname];
const sheets = () => [...document.querySelectorAll("link[rel=stylesheet]")].map((link) => link.getAttribute("href"));
const ends = (href, how) => act(async () => $(`link[href="${href}"]`).dispatchEvent(new window.Event(how)));

let pass;
let site;
const test = testWith(async (context) => {
  pass = stopClock(context);
  site = await open(html("/"), { model: page("/") });
  await Socket.last.isLive(page("/"));
});

test("a page is shown when its style sheets are loaded", async () => {
  await click("#admin");
  await Socket.last.shows(page("/admin", 1, ["/one.css", "/two.css"]));
  assert.deepEqual([shown(), sheets()], [["/", "/"], ["/one.css", "/two.css"]]);
  await ends("/one.css", "load");
  assert.deepEqual(shown(), ["/", "/"]);
  await ends("/two.css", "load");
  assert.deepEqual(shown(), ["/admin", "/admin"]);

  await click("#news");
  await Socket.last.shows(page("/news", 2));
  await click("#admin");
  await Socket.last.shows(page("/admin", 3, ["/one.css", "/two.css"]));
  assert.deepEqual([shown(), sheets()], [["/admin", "/admin"], ["/one.css", "/two.css"]], "at once, and loaded only once");
});

test("a style sheet of the document is not waited for", async () => {
  document.head.innerHTML = '<link rel="stylesheet" href="/own.css">';
  await click("#admin");
  await Socket.last.shows(page("/admin", 1, ["/own.css"]));
  assert.deepEqual([shown(), sheets()], [["/admin", "/admin"], ["/own.css"]]);
});

test("a newer page does not wait for the style sheet of the former one, which stays away", async () => {
  await click("#admin");
  await Socket.last.shows(page("/admin", 1, ["/slow.css"]));
  await click("#news");
  await Socket.last.shows(page("/news", 2));
  assert.deepEqual(shown(), ["/news", "/news"]);
  await ends("/slow.css", "load");
  assert.deepEqual(shown(), ["/news", "/news"]);
});

test("without its style sheet the page is loaded by the browser, and a second navigation requests the sheet again", async () => {
  await click("#admin");
  await Socket.last.shows(page("/admin", 1, ["/lost.css"]));
  await ends("/lost.css", "error");
  assert.deepEqual([shown(), sheets(), site.leaves], [["/", "/"], [], []]);
  await pass(6000);
  assert.deepEqual(site.leaves, ["/admin"]);
  await click("#news");
  await Socket.last.shows(page("/news", 2));
  await click("#admin");
  await Socket.last.shows(page("/admin", 3, ["/lost.css"]));
  await ends("/lost.css", "load");
  assert.deepEqual(shown(), ["/admin", "/admin"]);
});
