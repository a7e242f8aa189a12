// Leave guard: a question before a form with unsaved changes is left by a link, the history or closing the window.

import assert from "node:assert/strict";
import { $, Socket, act, click, consoleErrors, fire, h, on, open, testWith, type } from "./browser.js";
import { stopClock } from "./clock.js";
import { dialogs, question, say } from "./dialogs.js";

const GUARD = { "data-guard": "Leave without saving?", "data-guard-words": "It is not saved.", "data-guard-no": "Stay here", "data-guard-yes": "Leave" };
const page = (path, number = 0) => h("div", null,
  on(h("page-navigation", { path, title: path, number }), "onNavigate", "go"),
  h("main", { key: path }, h("h1", null, path), h("a", { href: "/desk", id: "cancel" }, "Cancel"), h("a", { href: "/news", id: "news" }, "News"),
    ...(path === "/desk?mode=edit&id=7"
      ? [h("form", { ...GUARD, "data-draft": "session:7" }, h("input", { name: "title", defaultValue: "Stage I" }))]
      : [])));
const takePaths = () => Socket.last.take().map(({ data: [{ path }] }) => path);
const here = () => location.pathname + location.search;
const draft = () => localStorage.getItem("draft:5:session:7");
const back = () => act(() => new Promise((done) => { window.addEventListener("popstate", done, { once: true }); history.back(); }));
const closes = async () => {
  const event = new window.Event("beforeunload", { cancelable: true });
  await act(async () => window.dispatchEvent(event));
  return event.defaultPrevented;
};

const test = testWith(async (context) => {
  stopClock(context);
  await open("", { model: h("div"), url: "https://hall.example/desk", root: 'data-account="5" data-cancel="Cancel"' });
  dialogs();
  await Socket.last.isLive(page("/desk"));
  history.pushState({}, "", "/desk?mode=edit&id=7");
  await Socket.last.shows(page("/desk?mode=edit&id=7"));
});

test("a form without edits is left like any page", async () => {
  assert.equal(await closes(), false);
  await click("#cancel");
  assert.deepEqual([takePaths(), question()], [["/desk"], null]);
});

test("a link asks; who stays keeps what was typed, who leaves throws it away", async () => {
  await type($("[name=title]"), "Stage II");
  await click("#cancel");
  assert.deepEqual(question(), ["Leave without saving?", "It is not saved.", "Stay here", "Leave"]);
  assert.deepEqual(takePaths(), []);
  await say("");
  assert.deepEqual([$("[name=title]").value, takePaths(), here()], ["Stage II", [], "/desk?mode=edit&id=7"]);
  assert.match(draft(), /Stage II/);
  await click("#news");
  await say("yes");
  assert.deepEqual([takePaths(), draft()], [["/news"], null]);
  assert.deepEqual(consoleErrors, []);
});

test("a step back asks and stays where it was; yes is the step", async () => {
  await type($("[name=title]"), "Stage II");
  await back();
  assert.deepEqual([here(), takePaths(), question()[0]], ["/desk?mode=edit&id=7", [], "Leave without saving?"]);
  await say("");
  assert.equal($("[name=title]").value, "Stage II");
  await back();
  const stepped = act(() => new Promise((done) => { window.addEventListener("popstate", done, { once: true }); }));
  await say("yes");
  await stepped;
  assert.deepEqual([here(), takePaths()], ["/desk", ["/desk"]]);
});

test("the window warns while something is unsaved, and forgets it with the form", async () => {
  await type($("[name=title]"), "Stage II");
  assert.equal(await closes(), true);
  await type($("[name=title]"), "Stage I");
  assert.equal(await closes(), false);
  await click("#cancel");
  await Socket.last.shows(page("/desk", 1));
  assert.equal(await closes(), false);
  await fire(document, "page:shown");
});

test("a list and its forms are apart: arriving at one begins at its heading", async () => {
  await click("#cancel");
  await Socket.last.shows(page("/desk", 1));
  assert.deepEqual([here(), document.activeElement, scrolled.at(-1)], ["/desk", $("h1"), [0, 0]]);
});
