// After an answer: focus when the row is removed, and answers out of sight.

import assert from "node:assert/strict";
import { test } from "node:test";
import { $, click, fire, h, Socket } from "./browser.js";
import { stopClock } from "./clock.js";
import { answer, takeSent, form, openPage, page, stamp, submit } from "./notes.js";

const row = (name, ...more) => h("li", { key: name, id: name }, ...more, stamp({ "data-argument": name }));
const listPage = (...rows) => page(h("section", { "data-answers": "" }, h("p", { "data-answer": "" }), rows.length ? h("ol", null, ...rows) : h("p", null, "None.")));

/** Open a list of these rows; `seen` are the rows with visible buttons. */
async function list(names, seen = names) {
  const found = await openPage(listPage(...names.map((name) => row(name))).children);
  window.Element.prototype.getClientRects = function getClientRects() {
    return seen.includes(this.closest("li")?.id) ? [{}] : [];
  };
  return found;
}

/** Press the row's button as a keyboard user; returns the command's key. */
async function pressed(name) {
  const button = $(`#${name} button`);
  button.focus();
  await click(button);
  button.blur(); // browsers blur a disabled element
  return takeSent()[0][1].key;
}
const focused = () => document.activeElement.closest("li")?.id;

test("the focus moves to the next row after a removal, in any order of answer and change", async () => {
  await list(["a", "b", "c"]);
  const key = await pressed("b");
  await answer(key);
  assert.equal(focused(), "b", "it is still there");
  await Socket.last.shows(listPage(row("a"), row("c")));
  assert.equal(focused(), "c");

  const last = await pressed("c");
  await Socket.last.shows(listPage(row("a")));
  await answer(last);
  assert.equal(focused(), "a", "the last row's goes to the one before");
});

test("a row with a hidden button is skipped; without another row the answer gets the focus", async () => {
  await list(["a", "b", "c"], ["a", "c"]);
  await answer(await pressed("a"));
  await Socket.last.shows(listPage(row("b"), row("c")));
  assert.equal(focused(), "c");
  await answer(await pressed("c"));
  await Socket.last.shows(listPage(row("b")));
  assert.equal(document.activeElement, $("[data-answer]"));
});

test("an empty list leaves the focus to the words", async () => {
  await list(["a"]);
  const key = await pressed("a");
  await Socket.last.shows(listPage());
  await answer(key);
  assert.equal(document.activeElement, $("[data-answer]"));
});

test("a form that goes when it is answered leaves the focus to the words", async () => {
  const answered = (...forms) => page(h("section", { "data-answers": "" }, h("p", { key: "said", "data-answer": "" }), ...forms));
  await openPage(answered(form({ key: "form" })).children);
  $("[name=text]").focus();
  await submit();
  const [[, { key }]] = takeSent();
  await answer(key);
  assert.equal(document.activeElement, $("[name=text]"), "it is still there");
  document.activeElement.blur();
  await Socket.last.shows(answered(h("p", { key: "why-not" }, "Done.")));
  assert.equal(document.activeElement, $("[data-answer]"));
});

test("a refusal, or another action of the user, moves no focus", async () => {
  await list(["a", "b", "c"]);
  await answer(await pressed("a"), { ok: false, text: "No." });
  document.activeElement.blur();
  await Socket.last.shows(listPage(row("b"), row("c")));
  assert.equal(document.activeElement, document.body);
  await answer(await pressed("b"));
  document.activeElement.blur();
  await fire(document.body, "pointerdown");
  await Socket.last.shows(listPage(row("c")));
  assert.equal(document.activeElement, document.body);
});

const at = (element, top) => { element.getBoundingClientRect = () => ({ top, bottom: top + 40 }); };

test("an answer out of sight floats at the window's edge for six seconds, a visible one stays in place", async (context) => {
  const pass = stopClock(context);
  await list(["a", "b"]);
  at($("[data-answer]"), -900);
  await answer(await pressed("a"));
  assert.deepEqual([$("[data-answer]").textContent, $("[data-answer]").dataset.floating], ["Kept", ""]);
  await pass(5900);
  assert.equal($("[data-answer]").dataset.floating, "");
  await pass(200);
  assert.deepEqual([$("[data-answer]").textContent, $("[data-answer]").dataset.floating], ["Kept", undefined]);
  at($("[data-answer]"), 100);
  await answer(await pressed("b"));
  assert.equal($("[data-answer]").dataset.floating, undefined);
});

test("a form's answer below the window is scrolled into view while its button is visible", async () => {
  await openPage([form(null, h("p", { "data-answer": "" }))]);
  const moved = [];
  at($("[data-answer]"), 760);
  at($("form button"), 700);
  $("[data-answer]").scrollIntoView = (how) => moved.push(how.block);
  await submit();
  await answer(takeSent()[0][1].key);
  assert.deepEqual([moved, $("[data-answer]").dataset.floating], [["nearest"], undefined]);
});
