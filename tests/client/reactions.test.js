// Live reactions: animations and messages, and their times.

import assert from "node:assert/strict";
import { createRequire, registerHooks } from "node:module";
import { $, act, changePage, createElement, createRoot, open, testWith } from "./browser.js";
import { stopClock } from "./clock.js";

const react = new URL(`file://${createRequire(new URL("../../components/client/package.json", import.meta.url)).resolve("react")}`).href;
registerHooks({
  resolve(name, context, next) { // as the page's import map does
    if (name === "react") return { url: react, format: "commonjs", shortCircuit: true };
    return /modules\/\w+\.js$/.test(name) ? { ...next(name, context), format: "module" } : next(name, context);
  },
});
const { Reactions } = await import("../../components/static/modules/reactions.js");

const BUTTONS = ["heart", "thumbsUp"].map((type) => `<button data-react="${type}"><svg class="${type}"></svg></button>`).join("");
let pass;
let sent;
let root;
let still; // the system's setting for reduced motion
const onTaps = (message) => sent.push(message);
const show = (props) => act(async () => root.render(createElement(Reactions, { bar: "reactions", most: 10, leave: "", onTaps, ...props })));
const tap = (type = "heart", times = 1) => act(async () => {
  for (let n = 0; n < times; n += 1) $(`[data-react=${type}]`).dispatchEvent(new window.MouseEvent("click", { bubbles: true }));
});
const totals = (heart, thumbsUp = 0) => changePage(() => $("#reactions").setAttribute("data-totals", JSON.stringify([heart, thumbsUp])));
const floatingSigns = () => [...document.querySelectorAll(".floaters svg")].map((sign) => sign.getAttribute("class"));
const answer = (key, taken) => show({ answer: { key, taken } });

const test = testWith(async (context) => {
  pass = stopClock(context);
  let turn = 0;
  context.mock.method(Math, "random", () => ((turn += 1) % 97) / 97); // all files share a process, and others fix it
  sent = [];
  still = false;
  await open(`<main id="main"><div id="reactions" data-totals="[5,0]">${BUTTONS}</div></main><div id="beside"></div>`);
  globalThis.matchMedia = () => ({ matches: still, addEventListener() {} });
  root = createRoot($("#beside"));
  context.after(() => act(async () => root.unmount()));
  await show();
});

test("what was tapped before the page was opened does not float", async () => {
  assert.deepEqual(floatingSigns(), []);
});

test("others' taps float for three seconds", async () => {
  await totals(6, 2);
  assert.deepEqual(floatingSigns(), ["heart", "thumbsUp", "thumbsUp"]);
  await pass(2900);
  assert.equal(floatingSigns().length, 3);
  await pass(500);
  assert.deepEqual(floatingSigns(), []);
});

test("an own tap floats at once, and not again when it comes back with others'", async () => {
  await tap();
  assert.deepEqual(floatingSigns(), ["heart"]);
  await totals(6);
  assert.equal(floatingSigns().length, 1);
  await tap();
  await totals(9); // one of the three is this viewer's
  assert.equal(floatingSigns().length, 4);
});

test("while the connection is away a tap neither floats nor is sent later", async () => {
  $("#app").dataset.connection = "waiting";
  await tap();
  await pass(5000);
  assert.deepEqual([floatingSigns(), sent], [[], []]);
  $("#app").dataset.connection = "live";
  await tap();
  assert.deepEqual([floatingSigns(), sent.length], [["heart"], 0]);
  await pass(1000);
  assert.deepEqual(sent.map(({ types }) => types), [["heart"]]);
});

test("repeated or falling totals animate no tap", async () => {
  await totals(6);
  await totals(6);
  await totals(3);
  assert.equal(floatingSigns().length, 1);
});

test("a new bar with the same totals animates no tap", async () => {
  await changePage(() => { $("#reactions").outerHTML = `<div id="reactions" data-totals="[5]">${BUTTONS}</div>`; });
  await totals(6);
  assert.deepEqual(floatingSigns(), ["heart"]);
});

test("at most forty signs are in the air", async () => {
  await totals(500);
  assert.equal(floatingSigns().length, 40);
});

test("with reduced motion only the counts change", async () => {
  still = true;
  await tap();
  await totals(9);
  assert.deepEqual(floatingSigns(), []);
  await pass(0);
  assert.equal(sent.length, 1);
});

test("the first tap leaves at once, those of the next second together", async () => {
  await tap();
  await pass(0);
  assert.deepEqual(sent.map(({ types }) => types), [["heart"]]);
  await answer(sent[0].key, 1);
  await tap("heart", 2);
  await tap("thumbsUp");
  await pass(900);
  assert.equal(sent.length, 1);
  await pass(100);
  assert.deepEqual(sent[1].types, ["heart", "heart", "thumbsUp"]);
  assert.notEqual(sent[1].key, sent[0].key);
});

test("ten taps at once, then five a second; what is not taken does not float", async () => {
  await tap("heart", 12);
  assert.equal(floatingSigns().length, 10);
  await pass(0);
  assert.equal(sent[0].types.length, 10);
  await answer(sent[0].key, 10);
  await pass(1000);
  await tap("heart", 12);
  assert.equal(floatingSigns().length, 15);
  await pass(1000);
  assert.equal(sent[1].types.length, 5);
});

test("without an answer the same message is sent again, and no other", async () => {
  await tap();
  await pass(0);
  await tap("thumbsUp");
  await pass(4000);
  assert.deepEqual(sent.map(({ key, types }) => [key, types]), [[sent[0].key, ["heart"]], [sent[0].key, ["heart"]]]);
  await answer(sent[0].key, 1);
  await pass(1000);
  assert.deepEqual(sent[2].types, ["thumbsUp"]);
});

test("after twenty seconds the moment is over, and the next tap has its own message", async () => {
  await tap();
  await pass(20_000);
  assert.equal(sent.length, 5);
  await pass(60_000);
  assert.equal(sent.length, 5);
  await totals(6); // another viewer's tap
  assert.equal(floatingSigns().length, 1);
  await tap("thumbsUp");
  await pass(0);
  assert.deepEqual(sent[5].types, ["thumbsUp"]);
});

test("what the server did not take is not waited for", async () => {
  await tap("heart", 3);
  await pass(0);
  await answer(sent[0].key, 1);
  await pass(4000);
  assert.deepEqual(floatingSigns(), []);
  await totals(7); // this viewer's and another's
  assert.equal(floatingSigns().length, 1);
  assert.equal(sent.length, 1);
});

test("a late answer to another message has no effect", async () => {
  await tap();
  await pass(0);
  await answer("another", 0);
  await pass(4000);
  assert.equal(sent.length, 2);
});

test("a page that was left sends and waits no more", async () => {
  await tap();
  await pass(0);
  await act(async () => root.render(null));
  await pass(60_000);
  assert.equal(sent.length, 1);
  await tap();
  await pass(1000);
  assert.equal(sent.length, 1);
});

test("a stranger's tap is a click on the link to the door, which takes what was typed along", async () => {
  const way = "/login?next=%2Fsessions%2F3";
  await show({ onTaps: undefined, leave: way });
  const link = Object.assign(document.createElement("a"), { href: way });
  document.body.append(link);
  const clicked = [];
  link.addEventListener("click", (event) => { clicked.push(event.bubbles); event.preventDefault(); });
  const wished = [];
  document.addEventListener("command:wish", ({ detail }) => wished.push(detail.name));
  await tap();
  await pass(0);
  assert.deepEqual([clicked, floatingSigns(), sent, wished], [[true], [], [], ["reaction_add"]]);
});
