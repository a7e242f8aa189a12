// Form state: disabled submit buttons, counters, and toggle buttons with an optimistic update.

import assert from "node:assert/strict";
import { test } from "node:test";
import { $, Socket, act, click, h, open, type } from "./browser.js";
import { stopClock } from "./clock.js";
import { answer, takeSent, page } from "./notes.js";

const composer = h("form", { "data-command": "post_add", "data-needs": "content" },
  h("div", { class: "field" },
    h("textarea", { name: "content", maxLength: 20 }),
    h("p", { "data-counter": "{n} left", "data-from": "5" })),
  h("p", { "data-answer": "", "data-vanish": "3000", role: "status" }),
  h("button", { type: "submit" }, "Post"));
const toggle = (name, pressed, count) => h("button", { key: name, type: "button", "aria-pressed": pressed, "data-command": "react", "data-argument": name }, name, h("b", null, String(count)));
const toggles = (applause, boo) => h("div", null, toggle("applause", ...applause), toggle("boo", ...boo));

async function openForm(...children) {
  await open("", { model: h("main"), root: 'data-account="5"' });
  await Socket.last.isLive(page(...children));
}
const isOff = () => $("[type=submit]").disabled;

test("a button is out of use while there are no words, and the rest is counted when it is little", async () => {
  await openForm(composer);
  assert.equal(isOff(), true);
  await type($("textarea"), " \n ");
  assert.deepEqual([isOff(), $("[data-counter]").textContent], [true, ""]);
  await type($("textarea"), "0123456789abcdef");
  assert.deepEqual([isOff(), $("[data-counter]").textContent], [false, "4 left"]);
});

test("after the answer the form is as at first, and the success is shown for three seconds", async (context) => {
  const pass = stopClock(context);
  await openForm(composer);
  await type($("textarea"), "Bravo");
  $("[type=submit]").focus();
  await act(async () => $("form").requestSubmit($("[type=submit]")));
  const [[, { key }]] = takeSent();
  await type($("textarea"), "");
  assert.equal(isOff(), true, "while it waits");
  await type($("textarea"), "Bravo");
  await answer(key, { text: "Post added successfully!" });
  await pass(0);
  assert.deepEqual([isOff(), $("textarea").value, $("[data-answer]").textContent], [true, "", "Post added successfully!"]);
  assert.equal(document.activeElement, $("textarea"), "the button that was pressed is out of use");
  await pass(2999);
  assert.equal($("[data-answer]").textContent, "Post added successfully!");
  await pass(1);
  assert.equal($("[data-answer]").textContent, "");
});

test("what was refused stays", async (context) => {
  const pass = stopClock(context);
  await openForm(composer);
  await type($("textarea"), "Bravo");
  await act(async () => $("form").requestSubmit());
  const [[, { key }]] = takeSent();
  await answer(key, { ok: false, text: "Too fast." });
  await pass(60000);
  assert.deepEqual([$("[data-answer]").textContent, $("textarea").value, isOff()], ["Too fast.", "Bravo", false]);
});

const seen = () => [...document.querySelectorAll("[aria-pressed]")].map((button) => [button.getAttribute("aria-pressed"), Number(button.querySelector("b").textContent)]);

test("a press shows at once, releases the other button, and is replaced by the next render", async () => {
  await openForm(toggles(["false", 4], ["true", 2]));
  await click("[data-argument=applause]");
  assert.deepEqual(seen(), [["true", 5], ["false", 1]]);
  await Socket.last.shows(toggles(["true", 9], ["false", 1]), "/children/0");
  assert.deepEqual(seen(), [["true", 9], ["false", 1]]);
  const [[, { key }]] = takeSent();
  await answer(key, { text: "" });
  assert.deepEqual(seen(), [["true", 9], ["false", 1]]);
});

test("a refusal restores the button, and no later change", async () => {
  await openForm(toggles(["false", 4], ["true", 2]));
  await click("[data-argument=applause]");
  const [[, { key }]] = takeSent();
  await Socket.last.shows(toggles(["false", 7], ["true", 2]), "/children/0");
  await answer(key, { ok: false, text: "Please sign in to react." });
  assert.deepEqual(seen(), [["false", 7], ["true", 2]]);
});
