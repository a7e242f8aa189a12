// Drafts: input without an acknowledgement stays in the browser, for its account or for the next sign-in.

import assert from "node:assert/strict";
import { test } from "node:test";
import { $, act, click, fire, h, open, Socket, type } from "./browser.js";
import { stopClock } from "./clock.js";
import { answer, takeSent, form, openPage, page, stamp, submit } from "./notes.js";

const PLACE = "draft:5:note:7";
const note = (...more) => form({ "data-draft": "note:7" }, ...more);
const typed = (text) => type($("[name=text]"), text);
const ROOT = 'data-restored="Your unsaved changes of {time} were restored." data-start-over="Start over" data-kept="It is kept."';
const shownNote = () => $(".restored")?.textContent;
const localStorageDrafts = () => Object.fromEntries(Object.entries(localStorage).filter(([key]) => key.startsWith("draft:")));
const storedDrafts = () => Object.fromEntries(Object.entries(localStorageDrafts()).map(([key, text]) => [key, JSON.parse(text).values]));
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

test("a form with its stored values saves no draft, and drops one that equals them again", async () => {
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
  await answer(next, { text: "Saved." });
  assert.deepEqual(storedDrafts(), {});
  assert.equal($("[name=text]").value, "");
  assert.equal($("[data-answer]").textContent, "Saved.");
  await typed("Encore");
  assert.equal($("[data-answer]").textContent, "", "the next text is not");
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

test("a document that was reloaded before the answer repeats the same command under its key, and no other", async () => {
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

test("a form that the server rendered again before the answer is emptied too", async () => {
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

test("a form that changes its draft's name shows the other draft", async () => {
  await openPage([note()], left("Bravo"));
  await Socket.last.shows(page(form({ "data-draft": "note:8" }), h("p")));
  assert.equal($("[name=text]").value, "");
  assert.deepEqual(storedDrafts(), { [PLACE]: { text: ["Bravo"] } });
});

test("another account's drafts are gone as soon as this one is signed in", async () => {
  await openPage([note()], { ...left("Bravo", { at: Date.now() }), root: 'data-account="6"' });
  assert.equal($("[name=text]").value, "");
  assert.deepEqual(Object.keys(localStorage), ["account"]);
  await typed("Mine");
  assert.deepEqual(storedDrafts(), { "draft:6:note:7": { text: ["Mine"] } });
});

test("a restored draft is marked at the top of its form, with its time and Start over", async () => {
  const at = new Date();
  at.setHours(14, 2);
  await openPage([note(h("input", { name: "other", defaultValue: "as stored" }))], { ...left("Bravo", { at: at.getTime() }), root: `data-account="5" ${ROOT}` });
  assert.equal($("form").firstElementChild, $(".restored"));
  assert.equal(shownNote(), "Your unsaved changes of 14:02 were restored. Start over");
  assert.equal($(".restored").getAttribute("role"), "status");
  await click(".restored button");
  assert.deepEqual([$("[name=text]").value, $("[name=other]").value], ["", "as stored"]);
  assert.equal(shownNote(), undefined);
  assert.equal(document.activeElement, $("[name=text]"), "the button that had the focus is gone");
  assert.deepEqual(localStorageDrafts(), {});
});

test("a draft of another day shows its date", async () => {
  await openPage([note()], { ...left("Bravo", { at: new Date(2026, 2, 5, 9, 30).getTime() }), root: `data-account="5" ${ROOT}` });
  assert.equal(shownNote(), "Your unsaved changes of 5 March, 09:30 were restored. Start over");
});

test("the line about a draft goes with it: acknowledged, or typed back to what is stored", async () => {
  const options = { ...left("Bravo", { at: Date.now() }), root: `data-account="5" ${ROOT}` };
  await openPage([note()], options);
  await submit();
  await answer(takeSent()[0][1].key, { empty: false });
  assert.equal(shownNote(), undefined);
  await openPage([note()], options);
  await typed("");
  assert.equal(shownNote(), undefined);
  await openPage([note()]);
  await typed("Bravo");
  assert.equal(shownNote(), undefined, "nothing was restored");
});

test("a draft holds what was changed, so the rest of its form is as stored since", async () => {
  const fields = (stored, version) => note(h("input", { name: "other", defaultValue: stored }), h("input", { name: "version", defaultValue: version, readOnly: true }));
  await openPage([fields("as stored", "v1")]);
  await typed("Bravo");
  assert.deepEqual(storedDrafts(), { [PLACE]: { text: ["Bravo"], version: ["v1"] } });
  await openPage([fields("changed meanwhile", "v2")], { kept: { localStorage: { ...localStorage } } });
  const values = () => ["text", "other", "version"].map((name) => $(`[name=${name}]`).value);
  assert.deepEqual(values(), ["Bravo", "changed meanwhile", "v1"]);
  await submit();
  assert.deepEqual(takeSent()[0][1].fields, { text: "Bravo", other: "changed meanwhile", version: "v1" });
});

test("a draft that is stored by now is dropped without a word, and its version with it", async () => {
  const field = h("input", { name: "title", defaultValue: "Bravo" });
  const version = h("input", { name: "version", defaultValue: "v2", readOnly: true });
  const kept = { localStorage: { [PLACE]: JSON.stringify({ values: { title: ["Bravo"], version: ["v1"] }, at: Date.now() }) } };
  await openPage([note(field, version)], { kept, root: `data-account="5" ${ROOT}` });
  assert.equal(shownNote(), undefined);
  assert.equal($("[name=version]").value, "v2");
  assert.deepEqual(localStorageDrafts(), {});
});

test("a form that the browser posts keeps its draft until a page confirms the save", async () => {
  const plain = (attributes) => h("form", { "data-draft": "profile", action: "/profile/settings", ...attributes }, h("input", { name: "username", defaultValue: "bob" }), h("button", { type: "submit" }, "Save"));
  await openPage([plain()], { root: `data-account="5" ${ROOT}` });
  await type($("[name=username]"), " robert ");
  document.addEventListener("submit", (event) => event.preventDefault()); // jsdom cannot post forms
  await submit();
  const kept = { localStorage: { ...localStorage } };
  await openPage([plain()], { kept, root: `data-account="5" ${ROOT}` });
  assert.equal($("[name=username]").value, " robert ", "the session had ended");
  assert.ok(shownNote());
  await openPage([plain({ "data-saved": "" })], { kept, root: `data-account="5" ${ROOT}` });
  assert.equal($("[name=username]").value, "bob");
  assert.deepEqual(localStorageDrafts(), {});
});

const DAY = 24 * 3600 * 1000;
const ended = (age) => ({ ...left("Bravo", { at: Date.now() - age * DAY }), root: `data-account="" ${ROOT}` });

test("once its session has ended an account's draft waits 24 hours after its last key, unseen", async () => {
  await openPage([note()], ended(0.99));
  assert.equal($("[name=text]").value, "");
  assert.deepEqual(Object.keys(localStorage), [PLACE]);
  await openPage([note()], { kept: { localStorage: { ...localStorage } } });
  assert.equal($("[name=text]").value, "Bravo", "and comes back with its account");

  await openPage([note()], ended(1.01));
  assert.deepEqual(Object.keys(localStorage), []);
});

test("while its account is signed in a draft has no end", async () => {
  await openPage([note()], left("Bravo", { at: Date.now() - 9 * DAY }));
  assert.equal($("[name=text]").value, "Bravo");
});

test("drafts end on pages without a client too", async () => {
  for (const [account, age, kept] of [["", 0.5, [PLACE]], ["", 1.5, []], ["6", 0.5, []], ["5", 9, [PLACE]]]) {
    await open("", { root: account && `data-account="${account}"`, ...left("Bravo", { at: Date.now() - age * DAY }) });
    await import(`../../components/client/src/draft-expiry.js?${account}-${age}`);
    assert.deepEqual(Object.keys(localStorageDrafts()), kept, `${account} after ${age} days`);
  }
});
const strangers = (entries) => ({ kept: { localStorage: Object.fromEntries(Object.entries(entries).map(([name, at]) => [`draft::${name}`, JSON.stringify({ values: { text: [name] }, at })])) } });

for (const [what, path, typedIn, newValue, goes] of [
  ["goes on once another window has signed in", "/login?next=%2Fprofile", "", "5", true],
  ["stays while something is typed into it", "/login?next=%2Fprofile", "fan@", "5", false],
  ["stays when another window signs out", "/login?next=%2Fprofile", "", "", false],
  ["is the only one that goes on", "/register", "", "5", false],
]) {
  test(`the page that asks to sign in ${what}`, async () => {
    const url = `https://hall.example${path}`;
    const { leaves } = await open('<input name="login"><input type="hidden" name="next" value="/profile">', { url });
    await import(`../../components/client/src/draft-expiry.js?${what}`);
    $("[name=login]").value = typedIn;
    await fire(window, "storage", { key: "account", oldValue: null, newValue });
    assert.deepEqual(leaves, goes ? [url] : []);
  });
}

test("an anonymous visitor's draft is in every tab, and passes to the next sign-in", async () => {
  const { leaves } = await openPage([note(), form({ "data-draft": "note:8" })], stranger);
  await typed("Bravo");
  await type(document.querySelectorAll("[name=text]")[1], "Another");
  assert.deepEqual(storedDrafts(), { "draft::note:7": { text: ["Bravo"] }, "draft::note:8": { text: ["Another"] } });
  await submit();
  const [[, { key }]] = takeSent();
  await answer(key, { ok: false, text: "", leave: "/login?next=%2F" });
  assert.deepEqual(leaves, ["/login?next=%2F"]);

  await openPage([note()], { ...stranger, kept: { localStorage: { ...localStorage } } });
  assert.equal($("[name=text]").value, "Bravo");

  await openPage([note()], { kept: { localStorage: { ...localStorage } } }); // a mail's link in a new tab
  assert.equal($("[name=text]").value, "Bravo");
  assert.deepEqual(storedDrafts(), { [PLACE]: { text: ["Bravo"] }, "draft:5:note:8": { text: ["Another"] } });
  await submit();
  assert.equal(takeSent()[0][1].key, key, "nobody knows whether it arrived");

  await openPage([note()], { root: 'data-account="6"', kept: { localStorage: { ...localStorage } } });
  assert.equal($("[name=text]").value, "", "it is the first one's");
});

test("a stranger's draft is newer than what the account had typed there before", async () => {
  const kept = { localStorage: { [PLACE]: JSON.stringify({ values: { text: ["Older"] } }), ...strangers({ "note:7": Date.now() }).kept.localStorage } };
  await openPage([note()], { kept });
  assert.equal($("[name=text]").value, "note:7");
});

test("an anonymous visitor's draft is kept for two days, at any clock; an unreadable one is dropped", async () => {
  const now = Date.now();
  const given = strangers({ a: now - 1.9 * DAY, b: now - 2.1 * DAY, c: now + 3 * DAY });
  Object.assign(given.kept.localStorage, { "draft::d": "no JSON", "draft::e": "null", "draft:6:f": "{}" });
  await openPage([note()], { ...stranger, ...given });
  assert.deepEqual(Object.keys(localStorage), ["draft::a"]);
  await openPage([note()], given);
  assert.deepEqual(Object.keys(localStorageDrafts()), ["draft:5:a"]);
});

test("of strangers' drafts the hundred newest stay", async () => {
  const now = Date.now();
  await openPage([note()], { ...stranger, ...strangers(Object.fromEntries(Array.from({ length: 100 }, (_, number) => [`old:${number}`, now - number * 1000 - 1000]))) });
  assert.equal(Object.keys(localStorage).length, 100);
  await typed("Bravo");
  assert.equal(Object.keys(localStorage).length, 100);
  assert.ok(localStorage.getItem("draft::note:7"));
  assert.equal(localStorage.getItem("draft::old:99"), null);
});

test("a stranger's page keeps what is typed when another tab signs in and takes its draft over", async () => {
  await openPage([note()], stranger);
  await typed("Bravo");
  const oldValue = localStorage.getItem("draft::note:7");
  await fire(window, "storage", { key: "draft::note:7", oldValue, newValue: null });
  assert.equal($("[name=text]").value, "Bravo");
});

test("a button leads to the door, and the door back to its section", async () => {
  const { leaves } = await openPage([note(), h("section", { id: "advance-7" }, stamp())], stranger);
  await click("section button");
  await answer(takeSent()[0][1].key, { ok: false, text: "", leave: "/login?next=%2F" });
  assert.deepEqual(leaves, ["/login?next=%2F%23advance-7"]);
});

test("a row that has an address of its own is what the door leads back to", async () => {
  const { leaves } = await openPage([h("section", { id: "programme" }, h("div", { "data-back": "/sessions/3?open=7#appearance-7" }, note()))], stranger);
  await typed("Bravo");
  await submit();
  await answer(takeSent()[0][1].key, { ok: false, text: "", leave: "/login?next=%2Fsessions%2F3" });
  assert.deepEqual(leaves, [`/login?next=${encodeURIComponent("/sessions/3?open=7#appearance-7")}`]);
});

test("a sign-out removes the account's drafts, and no draft is saved after it", async () => {
  const leave = h("form", { method: "post", action: "/sign-out" }, h("button", { id: "out" }, "Sign out"));
  await openPage([note(), leave], { kept: { localStorage: { lights: "dark", "draft:5:other": "{}" } } });
  await typed("Bravo");
  document.addEventListener("submit", (event) => event.preventDefault()); // offline: the document stays
  await act(async () => document.querySelector("[action='/sign-out']").requestSubmit());
  assert.deepEqual({ ...localStorage }, { lights: "dark", account: "" });
  await typed("Bravo again");
  assert.deepEqual({ ...localStorage }, { lights: "dark", account: "" });
  await openPage([], { ...stranger, kept: { localStorage: { ...localStorage } } });
  assert.deepEqual({ ...localStorage }, { lights: "dark" });
});

test("a window with an account that another window signed out saves no drafts", async (context) => {
  stopClock(context);
  const { leaves } = await openPage([note()]);
  await fire(window, "storage", { key: "account", oldValue: "5", newValue: "" });
  await typed("Bravo");
  assert.deepEqual(localStorageDrafts(), {});
  await Socket.last.ends(4503);
  assert.equal(sessionStorage.getItem("ended"), null);
  assert.deepEqual(leaves, []);
});

test("a page with input stays after a sign-out in another window, and connects again with its account", async (context) => {
  const pass = stopClock(context);
  const { leaves } = await openPage([note()], { root: `data-account="5" ${ROOT} data-stopped-4503="Not saved." data-sign-in="Sign in"` });
  await typed("Bravo");
  await fire(window, "storage", { key: "account", oldValue: "5", newValue: "" });
  const ended = Socket.last;
  await ended.ends(4503);
  await pass(500);
  assert.deepEqual([leaves, $("[name=text]").value], [[], "Bravo"]);
  assert.equal($("[data-connection-status]").textContent, "Not saved.Sign in");
  assert.deepEqual([$("[data-connection-status] a").pathname, $("[data-connection-status] a").target], ["/login", "_blank"]);
  await fire(window, "storage", { key: "account", oldValue: "", newValue: "6" });
  assert.equal(Socket.last, ended, "another account has signed in");
  await fire(window, "storage", { key: "account", oldValue: "6", newValue: "5" });
  assert.notEqual(Socket.last, ended);
  await typed("Bravo again");
  assert.deepEqual(storedDrafts(), { [PLACE]: { text: ["Bravo again"] } });
});

test("drafts stay when the session ends without a sign-out, and the next page reports it", async (context) => {
  const pass = stopClock(context);
  const { leaves } = await openPage([note()]);
  await typed("Bravo");
  await Socket.last.ends(4503);
  assert.deepEqual(storedDrafts(), { [PLACE]: { text: ["Bravo"] } });
  await pass(500);
  assert.deepEqual(leaves, ["again"]);

  const kept = { localStorage: { ...localStorage }, sessionStorage: { ...sessionStorage } };
  await openPage([note()], { kept, root: ROOT });
  assert.equal($("[name=text]").value, "", "it is not a stranger's");
  assert.equal($("[data-answer]").textContent, "It is kept.");
  await openPage([note()], { kept: { localStorage: { ...localStorage }, sessionStorage: { ...sessionStorage } }, root: ROOT });
  assert.equal($("[data-answer]"), null, "it is said once");
  await openPage([note()], { kept: { localStorage: { ...localStorage } } });
  assert.equal($("[name=text]").value, "Bravo");
});

test("a window that saw a sign-out learns of the next sign-in in this browser", async (context) => {
  const pass = stopClock(context);
  const { leaves } = await openPage([note()], stranger);
  await fire(window, "storage", { key: "account", oldValue: "5", newValue: null }); // another anonymous window
  await pass(5000);
  assert.deepEqual(leaves, []);
  await fire(window, "storage", { key: "account", oldValue: null, newValue: "5" });
  await pass(0);
  assert.deepEqual(leaves, ["again"]);
});

test("a page of an account informs the other windows of this browser; an anonymous one resets that", async () => {
  await openPage([note()]);
  assert.equal(localStorage.getItem("account"), "5");
  await openPage([note()], { ...stranger, kept: { localStorage: { ...localStorage } } });
  assert.equal(localStorage.getItem("account"), null);
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
