// What is typed and not yet acknowledged stays in the browser: with its account, for its window, and no longer.

import assert from "node:assert/strict";
import { test } from "node:test";
import { $, act, click, fire, h, open, Socket, type } from "./browser.js";
import { stopClock } from "./clock.js";
import { answer, takeSent, form, openPage, page, stamp, submit } from "./notes.js";

const PLACE = "draft:5:note:7";
const note = (...more) => form({ "data-draft": "note:7" }, ...more);
const typed = (text) => type($("[name=text]"), text);
const storedDrafts = (store = localStorage) => Object.fromEntries(Object.entries(store).map(([key, text]) => [key, JSON.parse(text).values]));
const left = (text, more) => ({ kept: { localStorage: { [PLACE]: JSON.stringify({ values: { text: [text] }, ...more }) } } });
const stranger = { root: "" };

test("what is typed is kept by account and name, and is there again in another document", async () => {
  await openPage([note(h("input", { type: "checkbox", name: "box" }), h("input", { type: "password", name: "secret" }), h("input", { type: "hidden", name: "token", value: "t" }))]);
  await typed("Bravo");
  await type($("[name=secret]"), "Pss");
  await click("[name=box]");
  assert.deepEqual(storedDrafts(), { [PLACE]: { text: ["Bravo"], box: ["on"] } });

  await openPage([note(h("input", { type: "checkbox", name: "box" }))], { kept: { localStorage: { [PLACE]: JSON.stringify({ values: { text: ["Bravo"], box: ["on"] } }) } } });
  assert.deepEqual([$("[name=text]").value, $("[name=box]").checked], ["Bravo", true]);
});

test("a form that shows what it was given keeps nothing, and forgets what became the same again", async () => {
  await openPage([note()]);
  await typed("B");
  await typed("");
  assert.deepEqual(storedDrafts(), {});
});

test("a draft comes back into a form that arrives later, and what draws itself hears of it", async () => {
  const heard = [];
  await openPage([], left("Bravo"));
  document.addEventListener("input", ({ target }) => heard.push(target.name));
  await Socket.last.shows(page(note()));
  assert.equal($("[name=text]").value, "Bravo");
  assert.deepEqual(heard, ["text"]);
  await typed("Bravissimo");
  await Socket.last.shows(page(note(), h("p", null, "more")));
  assert.equal($("[name=text]").value, "Bravissimo", "once for each form");
});

test("what was typed before the client ran is kept too", async () => {
  await open('<main><form data-command="note_add" data-argument="7" data-draft="note:7"><input name="text"><button type="submit" data-busy="Saving...">Leave it</button></form></main>',
    { model: page(note()), root: 'data-account="5"', ...left("Older"), before: () => { $("[name=text]").value = "Early"; } });
  assert.deepEqual(storedDrafts(), { [PLACE]: { text: ["Early"] } });
  assert.equal($("[name=text]").value, "Early");
});

test("an acknowledged text is gone, a refused one stays", async () => {
  await openPage([note()]);
  await typed("Bravo");
  await submit();
  const [[, { key }]] = takeSent();
  await answer(key, { ok: false, text: "Too plain." });
  assert.deepEqual(storedDrafts(), { [PLACE]: { text: ["Bravo"] } });
  await submit();
  const [[, { key: next }]] = takeSent();
  await answer(next);
  assert.deepEqual(storedDrafts(), {});
  assert.equal($("[name=text]").value, "");
});

test("what is typed on while it is saved stays a draft of its own", async () => {
  await openPage([note()]);
  await typed("Bravo");
  await submit();
  const [[, { key }]] = takeSent();
  await typed("Encore");
  await answer(key);
  assert.deepEqual(storedDrafts(), { [PLACE]: { text: ["Encore"] } });
});

test("a document that was loaded anew in the middle repeats itself under the same key, and only itself", async () => {
  await openPage([note()]);
  await typed("Bravo");
  await submit();
  const [[, { key }]] = takeSent();
  const kept = { localStorage: { ...localStorage } };

  await openPage([note()], { kept });
  await submit();
  assert.equal(takeSent()[0][1].key, key);

  await openPage([note()], { kept });
  await typed("Encore");
  await submit();
  assert.notEqual(takeSent()[0][1].key, key);
});

test("a form that the server made anew while it waited is emptied too", async () => {
  await openPage([h("div", { key: "a" }, note())]);
  await typed("Bravo");
  await submit();
  const [[, { key }]] = takeSent();
  await Socket.last.shows(page(h("section", { key: "b" }, note())));
  assert.equal($("[name=text]").value, "Bravo", "meanwhile it stands there as a draft");
  await answer(key);
  assert.equal($("[name=text]").value, "");
  assert.deepEqual(storedDrafts(), {});
});

test("a form that becomes another thing's shows that one's draft", async () => {
  await openPage([note()], left("Bravo"));
  await Socket.last.shows(page(form({ "data-draft": "note:8" }), h("p")));
  assert.equal($("[name=text]").value, "");
  assert.deepEqual(storedDrafts(), { [PLACE]: { text: ["Bravo"] } });
});

test("nobody sees another account's drafts", async () => {
  await openPage([note()], { ...left("Bravo"), root: 'data-account="6"' });
  assert.equal($("[name=text]").value, "");
  await typed("Mine");
  assert.deepEqual(storedDrafts(), { [PLACE]: { text: ["Bravo"] }, "draft:6:note:7": { text: ["Mine"] } });
});

test("a stranger's draft stays in the window, and comes along once with the sign-in that it asked for", async () => {
  const { leaves } = await openPage([note(), form({ "data-draft": "note:8" })], stranger);
  await typed("Bravo");
  await type(document.querySelectorAll("[name=text]")[1], "Another");
  assert.deepEqual([storedDrafts(), Object.keys(storedDrafts(sessionStorage))], [{}, ["draft::note:7", "draft::note:8"]]);
  await submit();
  const [[, { key }]] = takeSent();
  await answer(key, { ok: false, text: "", leave: "/login?next=%2F" });
  assert.deepEqual(leaves, ["/login?next=%2F"]);
  const session = { ...sessionStorage };

  await openPage([note()], { kept: { sessionStorage: session } });
  assert.equal($("[name=text]").value, "Bravo");
  assert.deepEqual([storedDrafts(), Object.keys(sessionStorage)], [{ [PLACE]: { text: ["Bravo"] } }, ["draft::note:8"]]);

  await openPage([note()], { ...stranger, kept: { sessionStorage: session } }); // gave up, and somebody else comes
  const given = { ...sessionStorage };
  await openPage([note()], { root: 'data-account="6"', kept: { sessionStorage: given } });
  assert.equal($("[name=text]").value, "");
});

test("a button without a draft takes all drafts of its page along to the door, which leads back to its section", async () => {
  const { leaves } = await openPage([note(), h("section", { id: "advance-7" }, stamp())], stranger);
  await typed("Bravo");
  await click("section button");
  await answer(takeSent()[0][1].key, { ok: false, text: "", leave: "/login?next=%2F" });
  assert.deepEqual(leaves, ["/login?next=%2F%23advance-7"]);
  await openPage([note()], { kept: { sessionStorage: { ...sessionStorage } } });
  assert.equal($("[name=text]").value, "Bravo");
});

test("a link to the door takes the drafts of its page along", async () => {
  await openPage([note(), h("a", { href: "/login?next=%2F" }, "Sign in to comment")], { ...stranger, kept: { sessionStorage: { "draft::note:9": "{}" } } });
  await typed("Bravo");
  await click("a");
  const kept = { sessionStorage: { ...sessionStorage } };
  await openPage([note()], { kept });
  assert.equal($("[name=text]").value, "Bravo");
  assert.deepEqual(Object.keys(sessionStorage), ["draft::note:9"], "another page's");
});

test("signing out takes the account's drafts away, and nothing is kept after it", async () => {
  const leave = h("form", { method: "post", action: "/sign-out" }, h("button", { id: "out" }, "Sign out"));
  await openPage([note(), leave], { kept: { localStorage: { lights: "dark", "draft:5:other": "{}", "draft:55:other": "{}" } } });
  await typed("Bravo");
  document.addEventListener("submit", (event) => event.preventDefault()); // offline: the document stays
  await act(async () => document.querySelector("[action='/sign-out']").requestSubmit());
  assert.deepEqual(Object.keys(localStorage), ["lights", "draft:55:other"]);
  await typed("Bravo again");
  assert.deepEqual(Object.keys(localStorage), ["lights", "draft:55:other"]);
});

test("a window that learns of the sign-out forgets them as well", async (context) => {
  stopClock(context);
  await openPage([note()], left("Bravo"));
  await Socket.last.ends(4503);
  assert.deepEqual(Object.keys(localStorage), []);
});

test("of two windows the newest wins, and neither answers the other", async () => {
  await openPage([note()], left("Bravo"));
  const written = [];
  const { setItem } = window.Storage.prototype;
  window.Storage.prototype.setItem = function set(...given) { written.push(given); return setItem.apply(this, given); };
  const draft = (text) => JSON.stringify({ values: { text: [text] } });
  await fire(window, "storage", { key: PLACE, oldValue: draft("Bravo"), newValue: draft("Bravo from there") });
  assert.equal($("[name=text]").value, "Bravo from there");
  await fire(window, "storage", { key: "draft:5:other", oldValue: null, newValue: draft("no") });
  await fire(window, "storage", { key: "lights", oldValue: null, newValue: "dark" });
  assert.deepEqual(written, []);
  await fire(window, "storage", { key: PLACE, oldValue: draft("Bravo from there"), newValue: null });
  assert.equal($("[name=text]").value, "", "it was acknowledged there");
  await typed("Another");
  await fire(window, "storage", { key: PLACE, oldValue: draft("Bravo from there"), newValue: null });
  assert.equal($("[name=text]").value, "Another");
});

test("where storage is forbidden or full, everything else works", async () => {
  await openPage([note()]);
  const forbidden = () => { throw new window.Error("QuotaExceededError"); };
  for (const name of ["getItem", "setItem", "removeItem"]) window.Storage.prototype[name] = forbidden;
  await typed("Bravo");
  await submit();
  const [[, { fields, key }]] = takeSent();
  assert.deepEqual(fields, { text: "Bravo" });
  await answer(key);
  assert.equal($("[name=text]").value, "");
});
