// The moderation queue by keyboard: the focus is the current row and stays in the list when rows are removed.

import assert from "node:assert/strict";
import { $, act, changePage, consoleErrors, createElement, createRoot, fire, open, testWith } from "./browser.js";
import { stopClock } from "./clock.js";
import { dialogs } from "./dialogs.js";
import { webModule } from "./modules.js";

const { Queue } = await webModule("backstage/moderation-queue");
const row = (name) => `<li id="${name}"><input type="checkbox" class="tick" name="rating" value="${name}">
  <details><summary>pieces</summary><ol><li><button type="button" data-command="rating_decide"
    data-argument="approve:${name}:alone">Approve</button></li></ol></details>
  <div class="queue__acts"><button type="button" data-command="rating_decide" data-argument="approve:${name}">Approve</button>
  <button type="button" data-command="rating_decide" data-argument="reject:${name}">Reject</button></div></li>`;
const pressed = (key, more, where = document.activeElement) => fire(where, "keydown", { key, ...more });
const at = () => document.activeElement.closest("form > ol > li")?.id;
const goes = (name) => changePage(() => $(`#${name}`).remove());
const ticked = () => [...document.querySelectorAll("[name=rating]:checked")].map((box) => box.value);
const count = () => $(".bar__selected").textContent;

let pass;
let reactRoot;
let clicks;
const test = testWith(async (context) => {
  pass = stopClock(context);
  if (reactRoot) await act(async () => reactRoot.unmount());
  await open(`<section><form><input type="checkbox" data-all><strong tabindex="-1">3 waiting</strong><span id="place"></span>
    <button type="button" name="decision" value="reject">Reject selected</button>
    <ol>${["a1", "b2", "c3"].map(row).join("")}</ol><button type="button" data-undo>Undo</button></form>
    <dialog><button type="button" data-keys id="close">Close</button></dialog></section><button id="elsewhere"></button><input id="text">`);
  dialogs();
  clicks = [];
  document.addEventListener("click", ({ target }) => clicks.push(target.dataset.argument || target.textContent));
  reactRoot = createRoot($("#place"));
  await act(async () => reactRoot.render(createElement(Queue, { selected: "{n} selected", decisions: { a: "approve", r: "reject" } })));
});

test("J and K walk from the first row through the list and stop at its ends; X ticks", async () => {
  const seen = [];
  for (const key of ["j", "j", "j", "j", "k", "K", "k"]) {
    await pressed(key);
    seen.push(at());
  }
  assert.deepEqual(seen, ["b2", "c3", "c3", "c3", "b2", "a1", "a1"]);
  assert.equal(document.activeElement.name, "rating");
  await pressed("x");
  assert.deepEqual([ticked(), count()], [["a1"], "1 selected"]);
  await pressed("x");
  assert.deepEqual([ticked(), count()], [[], ""]);
  assert.deepEqual(consoleErrors, []);
});

test("A and R press the row's button and go on to the next row", async () => {
  assert.equal($("[data-current]").id, "a1", "the first row is current on opening");
  $("#elsewhere").focus();
  await pressed("a");
  assert.deepEqual(clicks, [], "no row is meant");
  document.activeElement.blur();
  await pressed("a");
  assert.equal(at(), "b2");
  assert.deepEqual([...document.querySelectorAll("[data-current]")].map(({ id }) => id), ["b2"]);
  $("#b2 button").setAttribute("aria-busy", "true");
  await pressed("k");
  await pressed("r");
  assert.equal(at(), "c3", "what is being decided is passed over");
  await pressed("A");
  assert.equal(at(), "a1", "from the last row back");
  assert.deepEqual(clicks, ["approve:a1", "reject:a1", "approve:c3"]);
  await pressed("a", { repeat: true });
  await pressed("a", { ctrlKey: true });
  await pressed("a", {}, $("#text"));
  assert.equal(clicks.length, 3);
});

test("A and R decide about all that is ticked, where something is", async () => {
  await act(async () => $("#c3 input").click());
  clicks = [];
  $("#elsewhere").focus();
  await pressed("r");
  assert.deepEqual(clicks, [], "a key beside the list decides nothing");
  await pressed("j");
  await pressed("r");
  assert.deepEqual([clicks, at()], [["Reject selected"], "a1"]);
  await goes("c3");
  await pressed("r");
  assert.deepEqual(clicks, ["Reject selected", "reject:a1"]);
});

test("the place in the list survives own decisions; a decision of another moderator causes no mistake", async () => {
  await pressed("a");
  await goes("a1");
  assert.equal(at(), "b2");
  await pressed("a");
  assert.deepEqual(clicks.splice(0), ["approve:a1", "approve:b2"]);
  await pressed("k");
  assert.equal(at(), "b2");
  await goes("b2");
  assert.equal(at(), "c3");
  await pressed("r");
  assert.deepEqual(clicks, [], "too soon to be meant");
  await pass(601);
  await pressed("r");
  assert.deepEqual(clicks, ["reject:c3"]);
  await goes("c3");
  assert.equal(document.activeElement.textContent, "3 waiting");
});

test("O unfolds the row; its keys decide about all of it, also from a mark within", async () => {
  await pressed("o");
  assert.deepEqual([...document.querySelectorAll("details")].map((each) => each.open), [true, false, false]);
  $("#a1 details button").focus();
  await pressed("a");
  assert.deepEqual(clicks.filter((each) => each !== "pieces"), ["approve:a1"]);
  assert.equal(at(), "b2");
});

test("when a mark within the row goes, the row keeps the reader's place", async () => {
  await pressed("j");
  await pressed("j");
  $("#b2 details button").focus();
  await changePage(() => $("#b2 details li").remove());
  assert.equal(at(), "b2");
  assert.equal(document.activeElement.name, "rating");
  await changePage(() => $("#b2 .queue__acts").append("more"));
  $("#text").focus();
  await changePage(() => $("#b2 details ol").remove());
  assert.equal(document.activeElement.id, "text");
});

test("a focus outside the list stays there", async () => {
  await pressed("j");
  $("#text").focus();
  await goes("a1");
  assert.equal(document.activeElement.id, "text");
});

test("requested newer rows get the focus", async () => {
  await act(async () => $("ol").insertAdjacentHTML("beforebegin", '<button type="button" data-newer>Show 1 newer rating</button>'));
  await act(async () => $("[data-newer]").click());
  $("[data-newer]").focus();
  await changePage(() => {
    $("[data-newer]").remove();
    $("ol").insertAdjacentHTML("afterbegin", row("z0"));
  });
  assert.equal(at(), "z0");
});

test("one box ticks all rows, and shows when some are ticked", async () => {
  const all = $("[data-all]");
  await act(async () => all.click());
  assert.deepEqual([ticked(), count()], [["a1", "b2", "c3"], "3 selected"]);
  await act(async () => $("#b2 input").click());
  assert.deepEqual([all.checked, all.indeterminate, count()], [false, true, "2 selected"]);
  await goes("b2");
  assert.deepEqual([all.checked, all.indeterminate, count()], [true, false, "2 selected"]);
  await act(async () => $("form").reset());
  await pass(1);
  assert.deepEqual([all.checked, count()], [false, ""]);
});

test("Z undoes, unless the undo message is shown; Enter in a box does not submit", async () => {
  await pressed("z");
  assert.deepEqual(clicks, ["Undo"]);
  document.body.insertAdjacentHTML("beforeend", '<div class="toast"><button>Undo</button></div>');
  const taken = [];
  document.addEventListener("keydown", (event) => taken.push(event.defaultPrevented));
  await pressed("z");
  assert.deepEqual(clicks, ["Undo"]);
  await pressed("j");
  await pressed("Enter");
  await pressed("Enter", {}, $("#text"));
  assert.deepEqual(taken, [false, true, true, false]);
});

test("a row that another moderator has decided stays, and its keys decide nothing", async () => {
  await changePage(() => {
    $("#b2").setAttribute("data-decided", "");
    $("#b2 input").disabled = true;
  });
  await pressed("a");
  assert.deepEqual([clicks, at()], [["approve:a1"], "c3"], "the next row that waits");
  await pressed("k");
  assert.notEqual(at(), "a1");
  await pressed("a");
  await pressed("x");
  assert.deepEqual([clicks, ticked()], [["approve:a1"], []]);
});

test("the current row without the focus is followed by the next one, after a pause", async () => {
  await goes("a1");
  assert.equal($("[data-current]").id, "b2");
  assert.equal(document.activeElement, document.body);
  await pressed("a");
  assert.deepEqual(clicks, [], "too soon to be meant");
  await pass(601);
  await pressed("a");
  assert.deepEqual(clicks, ["approve:b2"]);
});

test("? opens the list of keys, which takes all keys until it is closed", async () => {
  const dialog = $("dialog");
  await pressed("?");
  assert.equal(dialog.open, true);
  await pressed("a");
  assert.deepEqual(clicks, []);
  await act(async () => $("#close").click());
  assert.equal(dialog.open, false);
});
