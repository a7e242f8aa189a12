// The site is newer than the page: when the page reloads, and what delays the reload.

import assert from "node:assert/strict";
import { $, Socket, click, fixRandom, h, load, open, testWith, type } from "./browser.js";
import { stopClock } from "./clock.js";

const SPREAD = 60000;
const model = h("main", {},
  h("form", { "data-draft": "post" }, h("input", { id: "kept", name: "kept" })),
  h("form", { "data-draft": "stage", "data-guard": "Leave?" }, h("input", { id: "guarded", name: "guarded" })),
  h("form", {}, h("input", { id: "typed", name: "typed" })),
  h("a", { href: "/news" }, "News"),
);
const html = '<main><form data-draft="post"><input id="kept" name="kept"></form>' +
  '<form data-draft="stage" data-guard="Leave?"><input id="guarded" name="guarded"></form>' +
  '<form><input id="typed" name="typed"></form><a href="/news">News</a></main>';

let pass;
let page;
const test = testWith(async (context) => {
  pass = stopClock(context);
  page = await open(html, { model });
  await Socket.last.isLive(model);
});
const outdated = () => Socket.last.says({ type: "outdated" });
const write = (id, text) => type($(id), text);

/** Let so many milliseconds pass with a live socket. */
async function stay(milliseconds) {
  for (let left = milliseconds; left > 0; left -= 5000) {
    await pass(Math.min(left, 5000));
    await Socket.last.says({ type: "pong" });
  }
}

for (const [random, wait] of [[0, 0], [0.25, 15000], [0.999, 59940]]) {
  test(`each window draws its own moment within a minute: ${wait} ms`, async (context) => {
    fixRandom(context, random);
    await outdated();
    if (wait) await stay(wait - 1);
    assert.deepEqual(page.leaves, []);
    await pass(1);
    assert.deepEqual(page.leaves, ["again"]);
  });
}

test("the windows of a house come evenly over the minute", async (context) => {
  const { loadLater } = await load("reload");
  const { setTimeout: stopped } = globalThis;
  const drawn = [];
  let number = 0;
  context.mock.method(Math, "random", () => (number + 0.5) / 600);
  globalThis.setTimeout = (_, delay) => drawn.push(delay);
  for (; number < 600; number += 1) loadLater({});
  globalThis.setTimeout = stopped;
  const perSecond = Array(SPREAD / 1000).fill(0);
  for (const delay of drawn) perSecond[Math.floor(delay / 1000)] += 1;
  assert.deepEqual(perSecond, Array(60).fill(10));
});

test("a second frame has no effect", async (context) => {
  fixRandom(context, 0.5);
  await outdated();
  await pass(20000);
  await outdated();
  await pass(10000);
  assert.deepEqual(page.leaves, ["again"]);
});

test("a draft is kept and allows the reload; a focused field delays it", async (context) => {
  fixRandom(context, 0);
  $("#kept").focus();
  await write("#kept", "Did anyone");
  await outdated();
  await pass(20000);
  assert.deepEqual(page.leaves, []);
  $("#kept").blur();
  await pass(5000);
  assert.deepEqual(page.leaves, ["again"]);
  assert.match(localStorage.getItem("draft::post"), /Did anyone/);
});

for (const id of ["#typed", "#guarded"]) {
  test(`what nobody keeps keeps the page: ${id}`, async (context) => {
    fixRandom(context, 0);
    await write(id, "half a sentence");
    await outdated();
    await stay(120000);
    assert.deepEqual(page.leaves, []);
    await write(id, "");
    await pass(5000);
    assert.deepEqual(page.leaves, ["again"]);
  });
}

for (const [what, tag, attributes] of [["a player", "iframe", {}], ["a question", "dialog", { open: "" }], ["what is on its way", "button", { "aria-busy": "true" }]]) {
  test(`${what} keeps the page`, async (context) => {
    fixRandom(context, 0);
    const element = document.body.appendChild(document.createElement(tag));
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    await outdated();
    await stay(60000);
    assert.deepEqual(page.leaves, []);
    element.remove();
    await pass(5000);
    assert.deepEqual(page.leaves, ["again"]);
  });
}

test("a page is loaded from a server that is there", async (context) => {
  fixRandom(context, 0.001);
  await outdated();
  await Socket.last.ends(1006);
  await pass(600);
  assert.deepEqual(page.leaves, []);
  await Socket.last.isLive(model);
  await pass(5000);
  assert.deepEqual(page.leaves, ["again"]);
});

test("a followed link is an ordinary one then", async (context) => {
  fixRandom(context, 0.9);
  await outdated();
  let prevented;
  window.addEventListener("click", (event) => {
    prevented = event.defaultPrevented;
    event.preventDefault();
  });
  await click("a");
  assert.equal(prevented, false);
});

test("a page that is refused comes back until its moment, which is spread too", async (context) => {
  fixRandom(context, 0.5);
  await Socket.last.ends(4003);
  assert.deepEqual(page.leaves, []);
  for (let passed = 0; passed < 20000; passed += 10000) {
    await pass(10000);
    await Socket.last.ends(4003);
  }
  await pass(9999);
  assert.deepEqual(page.leaves, []);
  await pass(1);
  assert.deepEqual(page.leaves, ["again"]);
});

test("a page that is refused again at once is loaded once in half a minute", async (context) => {
  fixRandom(context, 0);
  sessionStorage.setItem("reloaded", Date.now());
  await outdated();
  await stay(29999);
  assert.deepEqual(page.leaves, []);
  await pass(5001);
  assert.deepEqual(page.leaves, ["again"]);
});
