// Undo: for five seconds, by a button or by Z.

import assert from "node:assert/strict";
import { $, act, consoleErrors, createElement, createRoot, fire, open, testWith } from "./browser.js";
import { stopClock } from "./clock.js";
import { webModule } from "./modules.js";

const { Undo } = await webModule("backstage/undo");
const done = async (text, undo = ["live_restore", "1.2.1.3"]) => {
  const event = new window.CustomEvent("command:undo", { cancelable: true, detail: { text, undo } });
  await act(async () => document.dispatchEvent(event));
  return event.defaultPrevented;
};
const words = () => $(".toast [data-answer]")?.textContent;
const pressed = (where, key, more) => fire(where, "keydown", { key, ...more });

let pass;
let reactRoot;
const test = testWith(async (context) => {
  pass = stopClock(context);
  if (reactRoot) await act(async () => reactRoot.unmount());
  await open('<div id="place"></div><input id="text"><input id="box" type="checkbox">');
  reactRoot = createRoot($("#place"));
  await act(async () => reactRoot.render(createElement(Undo, { label: "Undo", busy: "Processing..." })));
});

test("a step is shown for five seconds, in a line that was mounted before", async () => {
  assert.equal($("#place [role=status]").textContent, "");
  assert.equal(await done("Session set as live"), true);
  const button = $(".toast button");
  assert.deepEqual([words(), button.dataset.command, button.dataset.argument, button.dataset.busy], ["Session set as live", "live_restore", "1.2.1.3", "Processing..."]);
  await pass(4990);
  assert.equal(words(), "Session set as live");
  await pass(20);
  assert.equal($(".toast"), null);
  assert.deepEqual(consoleErrors, []);
});

test("the newest step is the one that may be taken back, for its own five seconds", async () => {
  await done("one", ["live_restore", "1"]);
  await pass(4000);
  await done("two", ["live_restore", "2"]);
  await pass(4000);
  assert.deepEqual([words(), $(".toast button").dataset.argument], ["two", "2"]);
  await pass(1010);
  assert.equal($(".toast"), null);
});

test("a later action is the last step: no earlier one can be undone", async () => {
  await done("one");
  await fire($("#place"), "command:done");
  assert.equal($(".toast"), null);
  await done("two");
  await fire($(".toast button"), "command:done");
  assert.equal(words(), "two", "its own answer stands in its place");
});

test("the time pauses under the pointer and the focus", async () => {
  await done("one");
  await act(async () => $(".toast button").focus());
  await pass(60000);
  assert.equal(words(), "one");
  await act(async () => $(".toast button").blur());
  await pass(5010);
  assert.equal($(".toast"), null);
});

test("Z presses the button, but not in a text field or a dialog", async () => {
  const clicks = [];
  document.addEventListener("click", ({ target }) => clicks.push(target.dataset.command));
  await pressed(document.body, "z");
  assert.deepEqual(clicks, [], "there is nothing to take back");
  await done("one");
  await pressed($("#text"), "z");
  await pressed(document.body, "z", { ctrlKey: true });
  await pressed(document.body, "x");
  document.body.append(Object.assign(document.createElement("dialog"), { open: true }));
  await pressed(document.body, "z");
  assert.deepEqual(clicks, []);
  $("dialog").remove();
  await pressed($("#box"), "Z");
  assert.deepEqual(clicks, ["live_restore"]);
});
