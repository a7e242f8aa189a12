// After an answer: where the focus goes when the row goes, and where one sees what was said far away.

import assert from "node:assert/strict";
import { test } from "node:test";
import { $, click, fire, h, Socket } from "./browser.js";
import { stopClock } from "./clock.js";
import { answer, takeSent, form, openPage, page, stamp, submit } from "./notes.js";

const row = (name, ...more) => h("li", { key: name, id: name }, ...more, stamp({ "data-argument": name }));
const listPage = (...rows) => page(h("section", { "data-answers": "" }, h("p", { "data-answer": "" }), rows.length ? h("ol", null, ...rows) : h("p", null, "None.")));

/** A list of these rows; `seen` are those whose buttons the style sheet shows. */
async function list(names, seen = names) {
  const found = await openPage(listPage(...names.map((name) => row(name))).children);
  window.Element.prototype.getClientRects = function getClientRects() {
    return seen.includes(this.closest("li")?.id) ? [{}] : [];
  };
  return found;
}

/** Press the row's button as somebody on the keyboard does; returns the command's key. */
async function pressed(name) {
  const button = $(`#${name} button`);
  button.focus();
  await click(button);
  button.blur(); // as browsers do with what is disabled
  return takeSent()[0][1].key;
}
const focused = () => document.activeElement.closest("li")?.id;

test("the focus goes on to the next row when one's own goes, whichever comes first, the answer or the change", async () => {
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

test("a row whose button is not for this person is passed by; without another the words have the focus", async () => {
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

test("whoever was refused, or does something else meanwhile, is not moved", async () => {
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

test("what is said far above a row stands at the window's edge for six seconds, what is in sight stays", async (context) => {
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

test("what a form says below the window comes into view while its button is", async () => {
  await openPage([form(null, h("p", { "data-answer": "" }))]);
  const moved = [];
  at($("[data-answer]"), 760);
  at($("form button"), 700);
  $("[data-answer]").scrollIntoView = (how) => moved.push(how.block);
  await submit();
  await answer(takeSent()[0][1].key);
  assert.deepEqual([moved, $("[data-answer]").dataset.floating], [["nearest"], undefined]);
});
