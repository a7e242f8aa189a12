// From the server's model to the page: hydration, named actions, failures, and what is left out.

import assert from "node:assert/strict";
import { test } from "node:test";
import { $, Socket, act, click, consoleErrors, h, load, on, open } from "./browser.js";

const { safeAddress } = await load("rendering/props");
const { mount } = await load("main");

test("takes the server's HTML over without touching it", async () => {
  const html = '<div class="site"><p>One<!-- --> two</p><input value=""></div>';
  const model = h("div", { class: "site" }, h("p", null, "One", " two"), h("input", { defaultValue: "" }));
  const { root } = await open(html, { model });
  assert.equal(root.dataset.hydrated, "");
  assert.equal(root.dataset.hydrationError, undefined);
  assert.equal(root.innerHTML, html);
  assert.deepEqual(consoleErrors, []);
});

test("a press on what is not hydrated yet hydrates it at once, and is not lost", async (context) => {
  const pressed = { ...h("section", { "data-arrivals": "", "data-one": "1", "data-many": "{n}" }, h("p"), h("ol")) };
  await open('<div><section data-arrivals="" data-one="1" data-many="{n}"><p></p><ol></ol></section><button type="button">Press</button></div>');
  const button = $("button");
  const data = Object.assign(document.createElement("script"), { type: "application/json", id: "app-model" });
  data.textContent = JSON.stringify(h("div", null, pressed, h("button", { type: "button" }, "Press")));
  document.body.append(data);
  globalThis.IS_REACT_ACT_ENVIRONMENT = false; // as in a browser: React schedules its renders
  const page = mount($("#app"));
  context.after(async () => { globalThis.IS_REACT_ACT_ENVIRONMENT = true; await act(async () => page.unmount()); });
  assert.equal($("#app").dataset.hydrated, undefined, "in slices, later");
  let count = 0;
  button.addEventListener("click", () => { count += 1; });
  button.click();
  assert.deepEqual([$("#app").dataset.hydrated, $("#app").dataset.hydrationError, count], ["", undefined, 1]);
  assert.equal($("button"), button);
  assert.deepEqual(consoleErrors, []);
});

test("an update that comes before hydration is done waits for it", async () => {
  const stock = globalThis.WebSocket;
  globalThis.WebSocket = class extends stock {
    constructor(url) {
      super(url);
      queueMicrotask(() => this.onmessage({ data: JSON.stringify({ type: "layout-update", path: "", model: h("p", null, "b") }) }));
    }
  };
  const { root } = await open("<p>a</p>", { model: h("p", null, "a") });
  globalThis.WebSocket = stock;
  assert.equal(root.textContent, "b");
  assert.equal(root.dataset.hydrationError, undefined);
  assert.deepEqual(consoleErrors, []);
});

test("keyed rows keep their elements when they move", async () => {
  const rows = (...keys) => h("ul", null, ...keys.map((key) => h("li", { key }, key)));
  await open("<ul><li>a</li><li>b</li></ul>", { model: rows("a", "b") });
  const [a, b] = document.querySelectorAll("li");
  await Socket.last.isLive(rows("b", "c", "a"));
  assert.deepEqual([...document.querySelectorAll("li")].map((node) => [a, b].indexOf(node)), [1, -1, 0]);
});

test("an element with data-kept stays as it was when its page was shown, until another takes its key", async () => {
  await open("", { model: h("main") });
  const page = (key, ...children) => h("main", null, h("div", { key, "data-kept": "page" }, ...children));
  await Socket.last.isLive(page("first", h("p", null, "to come")));
  const shown = $("p");
  for (const next of [page("first", h("h2", null, "live")), page("first")]) {
    await Socket.last.shows(next);
    assert.equal($("main").textContent, "to come");
    assert.equal($("p"), shown);
  }
  await Socket.last.shows(page("second", h("h2", null, "ended")));
  assert.equal($("main").textContent, "ended");
});

test("a failed component shows the sentence after hydration, and no other content", async () => {
  const { root } = await open("<div></div>", { model: h("div", null, { tagName: "", error: "Traceback: secret" }) });
  assert.equal(root.innerHTML, '<div><p class="message message--bad" role="alert">It failed.</p></div>');
  assert.deepEqual(consoleErrors, []);
});

test("a tree that React cannot render leaves a sentence, never a blank", async () => {
  const { root } = await open("<p>a</p>", { model: h("p", null, "a") });
  await Socket.last.isLive(h("p", null, h("bad name!", null, "x")));
  assert.equal(root.textContent, "It failed.");
});

test("a part or a field that fails leaves the rest of the page", async (context) => {
  const part = { version: "1", model: h("p", null, h("bad name!")) };
  const { root } = await open("", { model: h("main", null, h("h1", null, "News"), h("shared-part", { part: "list" })), parts: { list: part } });
  assert.equal(root.innerHTML, '<main><h1>News</h1><p class="message message--bad" role="alert">It failed.</p></main>');
  context.mock.getter(window.HTMLInputElement.prototype, "defaultValue", () => { throw new Error("refused"); });
  await Socket.last.isLive(h("main", null, h("h1", null, "News"), h("input", { name: "q", value: "typed" }), h("p", null, "stands")));
  assert.deepEqual([$("h1").textContent, $("input").value, $("p").textContent], ["News", "typed", "stands"]);
});

test("no code from a model is run", async () => {
  globalThis.ran = [];
  const { root } = await open("<p>a</p>", { model: h("p", null, "a") });
  await Socket.last.isLive({
    ...h("div", { onclick: "ran.push(1)", onmouseover: "ran.push(2)", onClick: "ran.push(9)" },
      h("script", null, "globalThis.ran.push(3)"),
      h("SCRIPT", { src: "https://evil.example/x.js" }),
      h("script", { type: "module", async: true, src: "/x.js" }),
      h("script", { type: "application/ld+json" }, "{}"),
      h("a", { href: " java\nscript:ran.push(4)" }, "x"),
      h("form", { action: "javascript:ran.push(5)" }, h("button", { formaction: "JavaScript:ran.push(6)" }, "y")),
      h("iframe", { src: "data:text/html,<script>parent.ran.push(7)</script>" }),
      h("a", { href: "/fine" }, "z")),
    inlineJavaScript: { onClick: "() => ran.push(8)" },
  });
  await click("div > a");
  assert.deepEqual(ran, []);
  assert.ok(!consoleErrors.some((text) => text.includes("listener")), consoleErrors.join());
  assert.equal(
    root.innerHTML,
    '<div><a>x</a><form><button>y</button></form><iframe></iframe><a href="/fine">z</a></div>',
  );
});

test("addresses that are kept have a scheme that runs no code, by the browser's own parser", () => {
  const pieces = ["java", "script", ":", "data", "http", "https", "mailto", "webcal", "vbscript", "\t", "\n", "\0", " ", "/", "//", "x", "&", "J", "blob", "\u00a0", "?", "#", "\\"];
  let seed = 3;
  const chance = (limit) => (seed = (seed * 48271) % 2147483647) % limit;
  let kept = 0;
  for (let round = 0; round < 20000; round += 1) {
    const address = Array.from({ length: 1 + chance(5) }, () => pieces[chance(pieces.length)]).join("");
    if (!safeAddress(address) || !URL.canParse(address, "https://hall.example/")) continue;
    kept += 1;
    assert.match(new URL(address, "https://hall.example/").protocol, /^(https?|mailto|webcal):$/, JSON.stringify(address));
  }
  assert.ok(kept > 1000);
});

test("an action asks by name, wherever its handler is registered", async () => {
  const actions = (name, target) => on(h("page-events"), name, target);
  const model = h("div", null, actions("watch", "t1"), actions("love", "t2"),
    h("button", { "data-page-event": "love", "data-argument": "7", type: "button" }, h("span", { id: "in" }, "inside")),
    h("button", { "data-page-event": "watch", type: "button" }, "no argument"), h("button", { id: "none", "data-page-event": "unknown" }, "x"));
  await open("<div></div>", { model: h("div") });
  await Socket.last.isLive(model);
  await click("#in");
  await click("[data-page-event=watch]");
  await click("#none");
  assert.deepEqual(Socket.last.take().map(({ target, data }) => [target, data]), [["t2", ["7"]], ["t1", [""]]]);
  await Socket.last.shows(h("div", null, ...model.children.slice(1)));
  await click("[data-page-event=watch]");
  assert.deepEqual(Socket.last.take(), [], "its handler left with its element");
});

test("a link with an action acts while live, keeps the address in step, and is a link otherwise", async () => {
  const link = h("a", { href: "/sessions/1?watch=3#video", "data-page-event": "watch", "data-argument": "3" }, "Watch");
  const actions = h("page-events");
  await open("<div></div>", { model: h("div"), url: "https://hall.example/sessions/1" });
  await Socket.last.isLive(h("div", null, on(actions, "watch", "t"), link));
  const follow = async (init) => {
    const event = new window.MouseEvent("click", { bubbles: true, cancelable: true, ...init });
    await act(async () => $("a").dispatchEvent(event));
    return !event.defaultPrevented;
  };
  assert.equal(await follow({ ctrlKey: true }), true);
  assert.equal(await follow(), false);
  assert.equal(Socket.last.take().length, 1);
  assert.equal(location.pathname + location.search + location.hash, "/sessions/1?watch=3");
  await Socket.last.ends();
  assert.equal(await follow(), true);
});

test("a playing video is not loaded again for another second, but for another video", async () => {
  const frame = (src) => h("div", null, h("iframe", { id: "v", src }));
  await open("<div></div>", { model: h("div") });
  await Socket.last.isLive(frame("https://www.youtube-nocookie.com/embed/A?start=0"));
  await Socket.last.shows(frame("https://www.youtube-nocookie.com/embed/A?start=90"));
  assert.equal($("#v").src, "https://www.youtube-nocookie.com/embed/A?start=0");
  await Socket.last.shows(frame("https://www.youtube-nocookie.com/embed/B?start=5"));
  assert.equal($("#v").src, "https://www.youtube-nocookie.com/embed/B?start=5");
});

test("web modules of other origins are refused", async () => {
  const imported = (source) => ({ ...h("Player", { frame: "v" }), importSource: { source, sourceType: "URL", fallback: "Loading" } });
  const { root } = await open("<div>Loading</div>", { model: h("div", null, imported("https://evil.example/x.js")) });
  assert.equal(root.textContent, "Loading");
  assert.match(consoleErrors.join(), /not of our origin/);
});
