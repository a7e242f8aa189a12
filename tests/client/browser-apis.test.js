// A browser that lacks or refuses an interface still shows the page, and its forms and links work.

import assert from "node:assert/strict";
import { $, Socket, act, consoleErrors, createElement, createRoot, fire, h, load, on, open, testWith, type } from "./browser.js";
import { APIS, takeAway, usedNames } from "./browser-apis.js";
import { KNOWN } from "./browser-apis-known.js";
import { stopClock } from "./clock.js";
import { dialogs } from "./dialogs.js";
import { webModule } from "./modules.js";

const { Boundary } = await load("rendering/render");
const { SessionPage } = await webModule("session-page");
const { Reactions } = await webModule("reactions");
const { Scores } = await webModule("score");
const { Player } = await webModule("video-player");
const { Modal } = await webModule("backstage/modal");
const { RunningOrder } = await webModule("backstage/running-order");

const HALL = "Tuesday, 12 October 2027, 17:00 in the hall";
const time = (kind) => h("time", {
  dateTime: "2027-10-12T17:00:00+02:00", "data-when": kind, "data-zone": "Europe/Warsaw", "data-language": "en", id: kind,
  "data-yours": "{time} your time", "data-hall": "{time} in the hall", "data-today": "TODAY - ",
}, HALL);
const row = (key) => h("li", { key }, `Comment ${key}`);
const page = (path = "/", number = 0, rows = ["1"]) => h("div", null,
  on(h("page-navigation", { path, title: path, number }), "onNavigate", "go"),
  h("nav", null, h("a", { href: "/news", id: "news" }, "News")),
  h("main", null,
    h("h1", null, path), ...["date", "moment", "ago"].map(time),
    on(h("input", { id: "field", name: "field" }), "onInput", "edit"),
    h("section", { "data-arrivals": "top", "data-one": "one", "data-many": "{n}" }, h("p"), h("ol", null, ...rows.map(row))),
    h("form", { id: "note", "data-command": "note_add", "data-draft": "note" }, h("textarea", { name: "text" }),
      h("button", { type: "submit", name: "how", value: "first", id: "first" }, "First"), h("button", { type: "submit", name: "how", value: "second", id: "second" }, "Second")),
    h("button", { type: "button", id: "delete", "data-command": "note_delete", "data-confirm": "Delete it?" }, "Delete"),
    h("form", { method: "get", action: path, "data-navigate": "" }, h("input", { name: "q", id: "q" }))));
const sent = () => Socket.last.take();
const press = (selector) => act(async () => {
  $(selector).dispatchEvent(new window.MouseEvent("click", { bubbles: true, cancelable: true, detail: 1 }));
});

let pass;
let confirmed;
const test = testWith(async (context) => {
  pass = stopClock(context);
  confirmed = [];
  globalThis.confirm = (words) => confirmed.push(words) > 0;
  context.after(() => { delete globalThis.confirm; });
});

/** Remove this interface from before the client runs until the end of the test. */
function without(context, path, how) {
  let undo;
  context.after(() => undo?.());
  return () => {
    dialogs();
    window.Element.prototype.scrollIntoView ??= () => {};
    window.Element.prototype.setPointerCapture ??= () => {};
    const observers = ["ResizeObserver"].map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)]);
    for (const [name] of observers) globalThis[name] = class { observe() {} disconnect() {} };
    const restore = takeAway(path, how);
    undo = () => {
      restore();
      for (const [name, before] of observers) before ? Object.defineProperty(globalThis, name, before) : delete globalThis[name];
    };
  };
}

test("each interface of a browser that the client uses is tried or known to be everywhere", () => {
  const known = new Set([...KNOWN, ...APIS.flatMap((path) => path.split("."))]);
  const used = usedNames();
  assert.deepEqual(used.filter((name) => !known.has(name)), [], "put each into browser-apis.json, and see that the page stands without it");
  assert.deepEqual(APIS.filter((path) => !used.includes(path.split(".").at(-1))), [], "no longer used: take it from browser-apis.json");
});

const ATTRIBUTES = /submitter$/; // attributes that are absent or present, but never refused
for (const path of APIS) {
  for (const how of ATTRIBUTES.test(path) ? ["absent"] : ["absent", "throws"]) {
    test(`${path} ${how}: the page stands, takes words and leads on`, async (context) => {
      const { root, leaves } = await open("", { model: page(), before: without(context, path, how) });
      if (path === "WebSocket") {
        assert.ok(root.textContent.includes(HALL) && !root.textContent.includes("It failed."));
        await press("#news");
        assert.deepEqual([Socket.all.length, leaves], [0, []], "the browser follows the link by itself");
        return;
      }
      await Socket.last.isLive(page());
      const stands = () => assert.ok(!root.textContent.includes("It failed."), consoleErrors.join("\n"));
      stands();
      for (const kind of ["date", "moment", "ago"]) assert.match($(`#${kind}`).textContent, /2027|ago|now/);
      await Socket.last.shows(page("/", 0, ["2", "1"]));
      assert.match(root.textContent, /Comment 1/);

      await type($("#field"), "typed");
      await pass(1000);
      assert.equal(sent().filter(({ type: kind }) => kind === "layout-event").at(-1).data[0].target.value, "typed");

      await type($("textarea"), "Bravo");
      await press("#second"); // jsdom submits the form
      const [{ name, fields, key }] = sent();
      assert.deepEqual([name, { ...fields }], ["note_add", { text: "Bravo", how: "second" }]);
      assert.match(key, /^[0-9a-f]{32}$/);
      await Socket.last.says({ type: "answer", key, ok: true, text: "Kept", empty: true });
      assert.equal($("#note [data-answer]").textContent, "Kept");

      await press("#delete");
      const dialog = $("dialog");
      if (confirmed.length) assert.equal(dialog, null, "not both");
      else await act(async () => {
        dialog.returnValue = "yes"; // as the form's button does
        dialog.open = false;
        dialog.dispatchEvent(new window.Event("close"));
      });
      assert.equal(sent()[0].name, "note_delete");

      await type($("#q"), "Chopin");
      await pass(400);
      assert.equal(sent().filter(({ target }) => target === "go").at(-1).data[0].path, "/?q=Chopin");
      await press("#news");
      const { path: asked, number } = sent().at(-1).data[0];
      assert.equal(asked, "/news");
      await Socket.last.shows(page("/news", number));
      assert.ok(location.pathname === "/news" || leaves.includes("/news"), "the address follows, or the page is loaded");
      stands();
      assert.equal($("h1").textContent, "/news");
    });

    test(`${path} ${how}: what the modules do is done`, async (context) => {
      const took = [];
      await open(MODULES, { before: without(context, path, how) });
      const fallback = createElement("b", null, "fallen");
      const show = async (id, component, props) => {
        const root = createRoot($(`#${id}`));
        context.after(() => act(async () => root.unmount()));
        await act(async () => root.render(createElement(Boundary, { fallback }, createElement(component, props))));
        return (more) => act(async () => root.render(createElement(Boundary, { fallback }, createElement(component, { ...props, ...more }))));
      };
      await show("in-dialog", Modal, {});
      assert.ok($("dialog").open || $("dialog").hasAttribute("open"));
      await show("beside-stage", SessionPage, {});
      await press("#comments-tab");
      assert.deepEqual([$("#comments").hasAttribute("data-off"), $("#comments-tab").getAttribute("role")], [false, "tab"]);
      await show("beside-bar", Reactions, { bar: "bar", most: 5, onTaps: (message) => took.push(message) });
      await press("#bar button");
      await pass(2000);
      assert.deepEqual(took[0]?.types, ["heart"]);
      assert.match(took[0].key, /^[0-9a-f]{32}$/);
      await show("beside-form", Scores, { of: "{n} of 25", none: "no mark" });
      $(".score__board").getBoundingClientRect = $(".score input").getBoundingClientRect = () => ({ left: 0, width: 260 });
      await fire($(".keys"), "pointerdown", { clientX: 105, clientY: 5, pointerId: 1, pointerType: "mouse", isPrimary: true, button: 0 });
      await fire($(".keys"), "pointerup", { clientX: 105, clientY: 5, pointerId: 1, pointerType: "mouse", isPrimary: true, button: 0 });
      assert.equal($(".score input").value, "10");
      const posted = [];
      Object.defineProperty($("iframe"), "contentWindow", { value: { postMessage: (text) => posted.push(JSON.parse(text).event) } });
      Object.defineProperty($("iframe"), "contentDocument", { value: null });
      $("iframe").getBoundingClientRect = () => ({ top: -900, bottom: -700 });
      const again = await show("beside-video", Player, { frame: "stage-video", second: 0, seeks: 0 });
      await again({ second: 7, seeks: 1 });
      assert.ok(posted.includes("listening"));
      assert.equal(document.activeElement, $("iframe"));
      await show("in-form", RunningOrder, { name: "ids", options: [[1, "Jan", "", "jan"], [2, "Ewa", "", "ewa"]], words: WORDS });
      await press("[data-id='1'] [data-way=down]");
      assert.equal($("[name=ids]").value, "2,1");
      assert.ok(!document.body.textContent.includes("fallen"), consoleErrors.join("\n"));
    });
  }
}

const WORDS = Object.fromEntries(["up", "down", "remove", "moved", "removed", "added", "gone", "empty", "add", "search", "none", "take"].map((name) => [name, name]));
const MODULES = `<main id="main"><div class="stand"><div class="stand__stage"><div class="stand__seat"></div></div>
  <div class="stand__pane"><div class="stand__tabs"><div class="tabs"><a id="programme-tab" href="#programme">Programme</a>
  <a id="comments-tab" href="#comments">Comments</a></div></div><section id="programme"><div class="order__whole"><span class="order__marker"></span>
  <ol class="order"><li class="is-now"><a href="#1">Jan</a></li></ol></div></section><section id="comments"></section></div></div></main>
  <iframe id="stage-video" tabindex="0"></iframe><div id="bar" data-totals="[]"><button data-react="heart"><svg></svg></button></div>
  <form class="rating"><div class="score"><div class="score__board"><input type="range" min="0" max="25" value="0"><span class="keys"><i></i></span></div>
  <output></output></div><input name="score"><textarea name="comment"></textarea></form>
  <form><input name="ids" value="1,2"><div id="in-form"></div></form><dialog><div id="in-dialog"></div></dialog>
  <div id="beside-stage"></div><div id="beside-bar"></div><div id="beside-form"></div><div id="beside-video"></div>`;
