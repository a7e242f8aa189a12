// Answers: navigation, version conflicts, confirmation, undo.

import assert from "node:assert/strict";
import { test } from "node:test";
import { $, act, click, consoleErrors, h, on, Socket, type } from "./browser.js";
import { stopClock } from "./clock.js";
import { dialogs, question, say } from "./dialogs.js";
import { answer, takeSent, form, openPage, page, stamp, submit } from "./notes.js";

const navigation = (path, number = 0) => on(h("page-navigation", { path, title: path, number }), "onNavigate", "go");
const typed = (text) => type($("[name=text]"), text);
const guarded = (...more) => form({ "data-guard": "Leave?", "data-draft": "note:7" }, h("input", { name: "version", defaultValue: "v1" }), ...more);
const draft = () => JSON.parse(localStorage.getItem("draft:5:note:7"));

async function sendNote(text = "Bravo") {
  await typed(text);
  await submit();
  const [[, { key, fields }]] = takeSent();
  return { key, fields };
}

test("a saved text leads to its list and shows the answer there, without the leave guard", async (context) => {
  const pass = stopClock(context);
  await openPage([navigation("/"), guarded()]);
  const { key } = await sendNote();
  await answer(key, { go: "/desk" });
  const [[target, { path, number }]] = takeSent();
  assert.deepEqual([target, path, number, question(), draft()], ["go", "/desk", 1, null, null]);
  await Socket.last.shows(page(navigation("/desk", 1), h("section", { "data-answers": "" }, h("p", { "data-answer": "" }))));
  await pass(50);
  assert.deepEqual([location.pathname, $("[data-answer]").textContent, $("[data-answer]").getAttribute("role")], ["/desk", "Kept", "status"]);
  assert.deepEqual(consoleErrors, []);
});

test("a list without a place for answers is given one at its end", async (context) => {
  const pass = stopClock(context);
  await openPage([navigation("/"), stamp()]);
  await click("button");
  const [[, { key }]] = takeSent();
  await answer(key, { go: "/desk" });
  await Socket.last.shows(page(navigation("/desk", 1)));
  await pass(50);
  assert.equal($("main > [data-answer]").textContent, "Kept");
});

test("a document that the browser loads shows the previous page's answer once", async (context) => {
  const pass = stopClock(context);
  const { leaves } = await openPage([stamp()]);
  await click("button");
  const [[, { key }]] = takeSent();
  await answer(key, { go: "/desk?of=7" });
  assert.deepEqual(leaves, ["/desk?of=7"]);
  const kept = { sessionStorage: { ...sessionStorage } };
  for (const [url, said] of [["https://hall.example/desk?of=7", "Kept"], ["https://hall.example/", undefined]]) {
    await openPage([], { url, kept });
    await pass(50);
    assert.deepEqual([$("[data-answer]")?.textContent, { ...sessionStorage }], [said, {}]);
  }
});

test("who typed on while it was saved stays", async () => {
  await openPage([navigation("/"), guarded()]);
  const { key } = await sendNote();
  await typed("Bravo, and");
  await answer(key, { go: "/desk" });
  assert.deepEqual([takeSent(), $("[name=text]").value, draft().values.text], [[], "Bravo, and", ["Bravo, and"]]);
});

test("after a version conflict the form saves again with the new version, also from a draft", async () => {
  await openPage([guarded()]);
  const { key, fields } = await sendNote();
  assert.equal(fields.version, "v1");
  await answer(key, { ok: false, text: "It was changed.", version: "v2" });
  assert.deepEqual([$("[data-answer]").textContent, $("[name=text]").value, draft().values.version], ["It was changed.", "Bravo", ["v2"]]);
  const again = await sendNote();
  assert.deepEqual([again.fields.version, again.key !== key], ["v2", true]);
});

test("content of other users is deleted only after a second question, which names it", async () => {
  await openPage([guarded(h("button", { name: "save", value: "1", "data-ask": "Delete the ratings too?", "data-ask-yes": "Delete them" }, "Save"))]);
  dialogs();
  await typed("Bravo");
  await submit($("[name=save]"));
  const [[, { key }]] = takeSent();
  await answer(key, { ok: false, ask: true, text: "Zofia would go with 3 ratings." });
  assert.deepEqual(question(), ["Delete the ratings too?", "Zofia would go with 3 ratings.", "Cancel", "Delete them"]);
  assert.equal($("[data-answer]").textContent, "");
  await say("yes");
  const [[, { fields, key: second }]] = takeSent();
  assert.deepEqual([fields.confirmed, fields.text, second !== key], ["1", "Bravo", true]);
  await answer(second);
  assert.equal($("[name=text]").value, "", "what was sent is what was typed");
});

test("an undo is offered by a listening module, else at the answer's place", async () => {
  await openPage([stamp()]);
  const offered = [];
  const take = (event) => { event.preventDefault(); offered.push(event.detail); };
  document.addEventListener("command:undo", take);
  for (const taken of [true, false]) {
    await click("button");
    const [[, { key }]] = takeSent();
    await answer(key, { undo: ["unstamp", "7:8"] });
    assert.deepEqual(offered.splice(0), taken ? [{ text: "Kept", undo: ["unstamp", "7:8"] }] : []);
    assert.equal($("[data-answer]").textContent, taken ? "" : "Kept");
    document.removeEventListener("command:undo", take);
  }
});

test("what was done goes after a while, and when something else is done that may be taken back; an error stays", async (context) => {
  const pass = stopClock(context);
  const row = (name) => h("div", { key: name }, stamp({ "data-argument": name }));
  await openPage([row("one"), row("two"), row("three")]);
  const say = async (name, more) => {
    await click(`[data-argument=${name}]`);
    const [[, { key }]] = takeSent();
    await answer(key, { text: name, ...more });
  };
  const said = () => [...document.querySelectorAll("[data-answer]")].map(({ textContent }) => textContent).filter(Boolean);
  const take = (event) => event.preventDefault();
  await say("one");
  await pass(7990);
  assert.deepEqual(said(), ["one"]);
  await pass(20);
  assert.deepEqual(said(), []);
  await say("one", { ok: false });
  await say("two");
  assert.deepEqual(said(), ["one", "two"]);
  document.addEventListener("command:undo", take);
  await say("three", { undo: ["unstamp", "7:8"] });
  document.removeEventListener("command:undo", take);
  assert.deepEqual(said(), ["one"]);
  await pass(60000);
  assert.deepEqual(said(), ["one"]);
});
