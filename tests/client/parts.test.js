// Shared parts: after lost, late and repeated frames the page has the server's state.

import assert from "node:assert/strict";
import { test } from "node:test";
import { $, Socket, act, consoleErrors, h, load, on, open } from "./browser.js";

const { createParts } = await load("rendering/parts");
const rows = (...keys) => h("ol", null, ...keys.map((key) => h("li", { key }, key)));
const KEY = "order:1:en";
const page = h("", null, h("shared-part", { part: KEY }));
const frame = (from, to, change) => ({ parts: [[KEY, to, change, from]] });
const others = (...keys) => [rows(...keys).children];
const moved = [[h("li", { key: "c" }, "c"), [1, 2], [0, 1]]];

test("hydrates from the data block and follows changes in place", async () => {
  const { root } = await open("<ol><li>a</li><li>b</li></ol>", { model: page, parts: { [KEY]: { version: "1", model: rows("a", "b") } } });
  const row = $("li");
  await Socket.last.isLive(page);
  await Socket.last.says(frame("1", "2", moved));
  await Socket.last.says(frame("1", "2", moved));
  assert.deepEqual(Socket.last.take(), [], "a repeated frame asks for nothing");
  assert.equal(root.textContent, "cba");
  assert.equal($("li:last-child"), row, "the row moved, it was not made again");
  assert.deepEqual(consoleErrors, []);
});

test("any order, loss and repetition of frames ends right", async () => {
  const versions = Array.from({ length: 12 }, (_, number) => rows(...["a", "b", "c"].slice(0, 1 + (number % 3)), `n${number}`));
  const changes = versions.slice(1).map((model, index) => ([KEY, String(index + 1), [model.children], String(index)]));
  let seed = 5;
  const chance = (limit) => (seed = (seed * 48271) % 2147483647) % limit;
  await open();
  for (let round = 0; round < 300; round += 1) {
    let truth = 0;
    const wanted = [];
    const parts = createParts({ ask: (key) => wanted.push(key) });
    const receive = (part) => parts.receive([part]);
    receive([KEY, "0", versions[0]]);
    const late = [];
    for (const change of changes) {
      truth += 1;
      const fate = chance(4);
      if (fate === 0) late.push(change);
      if (fate > 1) receive(change);
      if (fate === 3) receive(change);
      if (late.length && chance(3) === 0) receive(late.pop());
      for (const key of wanted.splice(0)) receive([key, String(truth), versions[truth]]);
    }
    receive(changes.at(-1)); // one more frame makes a store that lags request the part
    for (const key of wanted.splice(0)) receive([key, String(truth), versions[truth]]);
    assert.deepEqual(parts.get(KEY), versions[truth]);
  }
});

test("a change from another version asks for the whole", async () => {
  await open("<ol><li>a</li></ol>", { model: page, parts: { [KEY]: { version: "1", model: rows("a") } } });
  await Socket.last.isLive(page);
  await Socket.last.says(frame("7", "8", others("z")));
  assert.deepEqual(Socket.last.take(), [{ type: "part-request", key: KEY }]);
  await Socket.last.says({ parts: [[KEY, "8", rows("z")]] });
  assert.equal($("ol").textContent, "z");
});

test("a part that the page does not show is dropped, and not in the versions", async () => {
  const go = (path, number, part) => h("", null, on(h("page-navigation", { path, title: path, number }), "onNavigate", "go"), h("shared-part", { part }));
  await open("<ol><li>a</li></ol>", { model: go("/", 0, KEY), parts: { [KEY]: { version: "1", model: rows("a") } } });
  await Socket.last.isLive(go("/", 0, KEY));
  for (let step = 1; step <= 5; step += 1) {
    const link = Object.assign(document.createElement("a"), { href: `/p${step}` });
    document.body.append(link);
    await act(async () => link.click());
    const [{ data: [asked] }] = Socket.last.take();
    assert.equal(Object.keys(asked.versions).length, 1);
    await Socket.last.says({ parts: [[`part:${step}:en`, "1", rows(String(step))]] });
    await Socket.last.shows(go(`/p${step}`, asked.number, `part:${step}:en`));
    assert.equal($("ol").textContent, String(step));
  }
  await Socket.last.ends();
});

test("a part may hold another: each changes by its own frames, and who drops it forgets it", async () => {
  const inner = h("i", null, "lamp 1");
  const outer = (...children) => h("ol", null, "room ", ...children);
  const parts = { [KEY]: { version: "1", model: outer(h("shared-part", { part: "lamp:1:en" })) }, "lamp:1:en": { version: "1", model: inner } };
  const { root, page: { connection } } = await open("<ol>room <i>lamp 1</i></ol>", { model: page, parts });
  await Socket.last.isLive(page);
  const element = $("ol");
  await Socket.last.says({ parts: [["lamp:1:en", "2", [["light"]], "1"]] });
  assert.deepEqual([root.textContent, $("ol")], ["room light", element]);
  await Socket.last.says({ parts: [["lamp:2:en", "1", h("i", null, "lamp 2")]] });
  await Socket.last.says(frame("1", "2", [["room ", h("shared-part", { part: "lamp:2:en" })]]));
  assert.equal(root.textContent, "room lamp 2");
  assert.deepEqual(Socket.last.take(), [], "it came before what shows it");
  assert.deepEqual(Object.keys(connection.versions()).sort(), ["lamp:2:en", KEY]);
  assert.deepEqual(consoleErrors, []);
});

test("a mounted part without content is requested", async () => {
  await open("", { model: h("") });
  await Socket.last.isLive(h(""));
  await Socket.last.shows(page);
  assert.deepEqual(Socket.last.take(), [{ type: "part-request", key: KEY }]);
});

test("a change that came before hydration was done does not disturb it", async () => {
  let early;
  const Stock = Socket.prototype.send;
  const parts = { [KEY]: { version: "1", model: rows("a") } };
  const opened = globalThis.WebSocket;
  globalThis.WebSocket = class extends opened {
    constructor(url) {
      super(url);
      early = this;
      queueMicrotask(() => this.onmessage({ data: JSON.stringify(frame("1", "2", others("b"))) })); // before React renders
    }
  };
  const { root } = await open("<ol><li>a</li></ol>", { model: page, parts });
  globalThis.WebSocket = opened;
  assert.equal(early.send, Stock);
  assert.equal(root.textContent, "b");
  assert.equal(root.dataset.hydrationError, undefined);
  assert.deepEqual(consoleErrors, []);
});
